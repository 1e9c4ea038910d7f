#include "cc/cc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- single values ------------------------------------------------------------------------ */

static bool check_word(const struct trod_cc_option *of, const char *name,
    const char *value, struct trod_err *err)
{
    char words[100] = "";
    size_t n = 0;

    for (int i = 0; i < TROD_CC_WORDS && of->word[i]; i++) {
        if (strcmp(value, of->word[i]) == 0)
            return true;
        n += (size_t)snprintf(
            words + n, sizeof words - n, "%s%s", i ? ", " : "", of->word[i]);
    }
    return trod_fail(err, TROD_E_INPUT,
        "invalid value '%s' for %s; expected one of: %s", value, name, words);
}

static bool check_number(const struct trod_cc_option *of, const char *name,
    const char *value, struct trod_err *err)
{
    char range[60] = "";
    uint64_t number;

    if (trod_text_uint(&number, value) && number >= of->least &&
        (!of->most || number <= of->most))
        return true;
    if (of->most)
        snprintf(
            range, sizeof range, " from %" PRIu64 " to %" PRIu64, of->least, of->most);
    else if (of->least)
        snprintf(range, sizeof range, " from %" PRIu64, of->least);
    return trod_fail(err, TROD_E_INPUT, "%s=%s: expected a whole number%s, %s", name,
        value, range, of->means);
}

static bool check_file(
    const struct trod_cc_option *of, const char *file, struct trod_err *err)
{
    return access(file, R_OK) == 0 || trod_fail(err, TROD_E_SYSTEM, "%s: %s; name %s",
                                          file, strerror(errno), of->means);
}

bool trod_cc_check_value(
    enum trod_cc option, const char *name, const char *value, struct trod_err *err)
{
    const struct trod_cc_option *of = &trod_cc_option[option];
    const char *why;

    switch (of->kind) {
    case TROD_CC_FLAG:
    case TROD_CC_WORD:
        return check_word(of, name, value, err);
    case TROD_CC_NUMBER:
        return check_number(of, name, value, err);
    case TROD_CC_FILES:
        return check_file(of, value, err);
    case TROD_CC_GLOB:
        return !of->means || !strchr(value, '/') || check_file(of, value, err);
    case TROD_CC_TEXT:
        break;
    }
    why = of->refuse ? of->refuse(value) : NULL;
    return !why || trod_fail(err, TROD_E_INPUT, "%s=%s: %s", name, value, why);
}

/* --- combinations ------------------------------------------------------------------------- */

#define BIT(option) (UINT32_C(1) << (option))
#define GIVEN(id) BIT(TROD_CC_##id)
#define AT_SOURCE BIT(TROD_CC_NOPTION)
#define AT_CODE BIT(TROD_CC_NOPTION + 1)
#define SETS (GIVEN(PATHS) | GIVEN(TESTED))
#define ACROSS (GIVEN(WPP) | GIVEN(SUBPATHS) | GIVEN(SEGMENTS))
#define SAMPLES (GIVEN(ONLINE) | GIVEN(BURST) | GIVEN(BUDGET))

/* Chains have no numbering that distinguishes chosen ones, and the order of paths in optimised code is the
 * optimizer's. Clang counts blocks that it has not yet optimised, and all that ran.
 */
static const struct rule {
    uint32_t some; /* with one of these given, */
    uint32_t none; /* none of these may be */
    uint32_t need; /* and one of these must be; 0: no matter */
    const char *why;
} rules[] = {
    {GIVEN(ITERATIONS), SETS, 0,
        "--iterations counts all chains and cannot be combined with --paths or --tested; "
        "compare profiles with 'trod untested' instead"},
    {GIVEN(ITERATIONS), AT_CODE, 0,
        "--iterations needs source-level loops and cannot be combined with --at=code"},
    {GIVEN(PATHS), GIVEN(TESTED), 0,
        "--paths and --tested cannot be combined; give one of them"},
    {GIVEN(UNTESTED_ONLY), 0, GIVEN(TESTED),
        "--untested-only needs the tested paths; add --tested=FILE"},
    {GIVEN(PLAN) | GIVEN(PARTIAL), 0, SETS | GIVEN(SEGMENTS),
        "--plan, --explain and --partial need --paths=FILE, --tested=FILE or --segments=FILE"},
    {GIVEN(EXPLAIN), 0, SETS | GIVEN(SEGMENTS) | GIVEN(ITERATIONS),
        "--plan, --explain and --partial need --paths=FILE, --tested=FILE or --segments=FILE"},
    {GIVEN(WPP), GIVEN(SUBPATHS) | GIVEN(SEGMENTS), 0,
        "--wpp, --subpaths and --segments cannot be combined; give one of them"},
    {GIVEN(SUBPATHS), GIVEN(SEGMENTS), 0,
        "--wpp, --subpaths and --segments cannot be combined; give one of them"},
    {ACROSS, AT_CODE, 0,
        "paths across calls need source-level calls, before inlining; --wpp, --subpaths and "
        "--segments cannot be combined with --at=code"},
    {GIVEN(WPP), SETS, 0,
        "--wpp records all steps and cannot be combined with --paths or --tested"},
    {GIVEN(DEPTH), 0, GIVEN(SEGMENTS),
        "--depth needs --segments=PROFILE, which has the calls to follow"},
    {GIVEN(CODE_LIMIT) | GIVEN(OTHERS), 0, GIVEN(SEGMENTS),
        "--code-limit and --others need --segments=FILE"},
    {GIVEN(ONLINE), ACROSS | SETS | GIVEN(ITERATIONS), 0,
        "--online samples block sequences and does not count paths; it cannot be combined "
        "with --wpp, --subpaths, --segments, --paths, --tested or --iterations"},
    {GIVEN(ONLINE), AT_SOURCE, 0,
        "--online samples optimised code and cannot be combined with --at=source"},
    {GIVEN(BURST), GIVEN(ONLINE), 0,
        "--burst samples in bursts; it cannot be combined with --online, --wpp, --subpaths, "
        "--segments, --paths, --tested or --iterations"},
    {GIVEN(BURST) | GIVEN(BUDGET), ACROSS | SETS | GIVEN(ITERATIONS), 0,
        "--burst samples in bursts; it cannot be combined with --online, --wpp, --subpaths, "
        "--segments, --paths, --tested or --iterations"},
    {GIVEN(BURST) | GIVEN(BUDGET), AT_SOURCE, 0,
        "--burst samples optimised code and cannot be combined with --at=source"},
    {GIVEN(COUNTERS), GIVEN(WPP) | GIVEN(SEGMENTS) | SETS | SAMPLES, 0,
        "--counters needs the counts of all paths; it cannot be combined with --paths, "
        "--tested, --wpp, --segments, --online or --burst"},
    {GIVEN(COUNTERS), GIVEN(WHOLE_PROGRAM), 0,
        "--counters needs the source files one by one and cannot be combined with "
        "--whole-program, nor with -flto in builds for paths across calls"},
    {GIVEN(COUNTERS), AT_CODE, 0,
        "--counters needs source-level paths and cannot be combined with --at=code"},
};

bool trod_cc_check(const struct trod_cc_values *values, struct trod_err *err)
{
    uint32_t given = 0;

    for (int i = 0; i < TROD_CC_NOPTION; i++)
        given |= values->of[i] ? BIT(i) : 0;
    given |= trod_cc_is(values, TROD_CC_AT, "source") ? AT_SOURCE : 0;
    given |= trod_cc_is(values, TROD_CC_AT, "code") ? AT_CODE : 0;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (given & rules[i].some &&
            (given & rules[i].none || (rules[i].need && !(given & rules[i].need))))
            return trod_fail(err, TROD_E_INPUT, "%s", rules[i].why);
    return true;
}

/* --- the environment ---------------------------------------------------------------------- */

bool trod_cc_store(const struct trod_cc_values *values, struct trod_err *err)
{
    for (int i = 0; i < TROD_CC_NOPTION; i++) {
        const char *variable = trod_cc_option[i].variable, *value = values->of[i];

        if (variable && (value ? setenv(variable, value, 1) : unsetenv(variable)) != 0)
            return trod_fail(err, TROD_E_SYSTEM, "%s: %s", variable, strerror(errno));
    }
    return true;
}

bool trod_cc_load(struct trod_cc_values *out, struct trod_err *err)
{
    for (int i = 0; i < TROD_CC_NOPTION; i++) {
        const struct trod_cc_option *of = &trod_cc_option[i];
        const char *value = of->variable ? getenv(of->variable) : NULL;

        /* The plugin reads the files, and says what is wrong with them. */
        if (value && !*value && of->kind == TROD_CC_FILES)
            return trod_fail(
                err, TROD_E_INPUT, "%s is empty; name %s", of->variable, of->means);
        if (value && of->kind != TROD_CC_FILES && of->kind != TROD_CC_GLOB &&
            !trod_cc_check_value((enum trod_cc)i, of->variable, value, err))
            return false;
        if (value && of->kind == TROD_CC_FLAG && strcmp(value, "no") == 0)
            value = NULL;
        out->of[i] = value;
    }
    return trod_cc_check(out, err);
}

/* --- typed -------------------------------------------------------------------------------- */

bool trod_cc_is(
    const struct trod_cc_values *values, enum trod_cc option, const char *word)
{
    return values->of[option] && strcmp(values->of[option], word) == 0;
}

uint64_t trod_cc_number(const struct trod_cc_values *values, enum trod_cc option)
{
    uint64_t number;

    return values->of[option] && trod_text_uint(&number, values->of[option])
               ? number
               : trod_cc_option[option].otherwise;
}
