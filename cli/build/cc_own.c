#include "build/compiler.h"
#include "commands.h"

#include <trod/burst.h>
#include <trod/format.h>
#include <trod/online.h>

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The options of trod cc itself. The plugin in the compiler is told of them through the
 * environment.
 */

enum { MOST_WORDS = 5 };

static const struct own {
    const char *option;           /* up to and with '=' */
    const char *variable;         /* what tells the plugin; NULL: of a set */
    const char *word[MOST_WORDS]; /* the values there are; none: any */
} own[] = {
    {"--at=", "TROD_AT", {"source", "code"}},
    {"--limit=", "TROD_LIMIT", {0}},
    {"--iterations=", "TROD_ITERATIONS", {0}},
    {"--left=", "TROD_LEFT", {"yes", "no"}},
    {"--only=", "TROD_ONLY", {0}},
    {"--skip=", "TROD_SKIP", {0}},
    {"--out=", "TROD_CC_OUT", {0}},
    {"--record=", "TROD_RECORD", {"safe", "all"}},
    {"--plan=", "TROD_PLAN", {"auto", "all", "selective", "preferential", "hash"}},
    {"--paths=", NULL, {0}},
    {"--tested=", NULL, {0}},
    {"--segments=", NULL, {0}},
    {"--depth=", "TROD_DEPTH", {0}},
    {"--code-limit=", "TROD_CODE_LIMIT", {0}},
    {"--online=", "TROD_ONLINE_CC", {0}},
    {"--burst=", "TROD_BURST_CC", {0}},
    {"--budget=", "TROD_BUDGET", {0}},
};

static bool tell_plugin(struct cli *cli, const char *variable, const char *value)
{
    return setenv(variable, value, 1) == 0 ||
           trod_fail(&cli->err, TROD_E_SYSTEM, "%s", strerror(errno));
}

/* --- values ----------------------------------------------------------------------------- */

static uint32_t nword_of(const struct own *of)
{
    uint32_t n = 0;

    while (n < MOST_WORDS && of->word[n])
        n++;
    return n;
}

static bool check_word(struct cli *cli, const struct own *of, const char *value)
{
    uint32_t n = nword_of(of);
    struct trod_string words;

    trod_string_init(&words, &cli->mem);
    for (uint32_t i = 0; i < n; i++) {
        if (strcmp(value, of->word[i]) == 0)
            return true;
        trod_put(&words.sink, "%s%s", i ? ", " : "", of->word[i]);
    }
    return !n || cli_misused(cli, "invalid value '%s' for %.*s; expected one of: %s",
                     value, (int)strcspn(of->option, "="), of->option, words.text);
}

static bool take_value(struct cli *cli, const struct own *of, const char *value)
{
    uint64_t limit, iterations, depth;

    if (!check_word(cli, of, value))
        return false;
    if (strcmp(of->option, "--code-limit=") == 0 && !trod_text_uint(&limit, value))
        return cli_misused(cli,
            "--code-limit=%s: expected a whole number, the most instructions that followed calls "
            "may add to a function",
            value);
    if (strcmp(of->option, "--depth=") == 0 &&
        (!trod_text_uint(&depth, value) || !depth || depth > CLI_DEEPEST))
        return cli_misused(cli,
            "--depth=%s: expected a whole number from 1 to %d, the depth to which paths follow "
            "calls",
            value, CLI_DEEPEST);
    if (strcmp(of->option, "--limit=") == 0 &&
        (!trod_text_uint(&limit, value) || !limit))
        return cli_misused(cli,
            "--limit=%s: expected a whole number from 1, the most paths of a function",
            value);
    if (strcmp(of->option, "--iterations=") == 0 &&
        (!trod_text_uint(&iterations, value) || iterations < 2 ||
            iterations > TROD_ITERATIONS_MAX))
        return cli_misused(cli,
            "--iterations=%s: expected a whole number from 2 to %d, the most paths in a chain",
            value, TROD_ITERATIONS_MAX);
    return tell_plugin(cli, of->variable, value);
}

/* A glob, or a file: no name of a function has a '/'. */
static bool use_only(struct cli *cli, struct cli_cc *cc)
{
    const char *only = getenv("TROD_ONLY");

    if (!only || !strchr(only, '/'))
        return true;
    cc->only = trod_copy(&cli->mem, only);
    return access(only, R_OK) == 0 ||
           trod_fail(&cli->err, TROD_E_SYSTEM,
               "%s: %s; name a file with functions to count, one per line", cc->only,
               strerror(errno));
}

/* --- sets of paths ------------------------------------------------------------------------ */

static bool take_set(
    struct cli *cli, struct cli_cc *cc, const struct own *of, const char *file)
{
    bool segments = strcmp(of->option, "--segments=") == 0;
    struct cli_list *list = segments                              ? &cc->segments
                            : strcmp(of->option, "--paths=") == 0 ? &cc->paths
                                                                  : &cc->tested;

    if (access(file, R_OK) != 0)
        return trod_fail(&cli->err, TROD_E_SYSTEM, "%s: %s; name %s", file,
            strerror(errno),
            segments ? "segments, or a profile of subpaths"
                     : "a profile or a path list");
    trod_push(&cli->mem, list->item, list->count, list->room, file);
    return true;
}

static bool tell_files(
    struct cli *cli, const char *variable, const struct cli_list *files)
{
    struct trod_string names;

    trod_string_init(&names, &cli->mem);
    for (uint32_t i = 0; i < files->count; i++)
        trod_put(&names.sink, "%s%s", i ? "\n" : "", files->item[i]);
    return tell_plugin(cli, variable, names.text);
}

static bool tell_sets(
    struct cli *cli, const struct cli_list *files, const char *want, bool partial)
{
    return tell_files(cli, "TROD_SETS", files) && tell_plugin(cli, "TROD_WANT", want) &&
           tell_plugin(cli, "TROD_PARTIAL", partial ? "yes" : "no");
}

/* Rows of paths are not numbered so that some could be told by their sum; and what paths of
 * optimised code follow each other is the optimizer's doing.
 */
static bool check_iterations(struct cli *cli, const struct cli_cc *cc)
{
    const char *at = getenv("TROD_AT");

    if (!getenv("TROD_ITERATIONS"))
        return true;
    if (cc->paths.count || cc->tested.count)
        return cli_misused(cli,
            "--iterations counts all chains and cannot be combined with --paths or --tested; "
            "compare profiles with 'trod untested' instead");
    if (at && strcmp(at, "code") == 0)
        return cli_misused(cli,
            "--iterations needs source-level loops and cannot be combined with --at=code");
    return true;
}

static bool use_sets(struct cli *cli, const struct cli_cc *cc)
{
    bool explain = cc->explain && !getenv("TROD_ITERATIONS");

    if (cc->paths.count && cc->tested.count)
        return cli_misused(
            cli, "--paths and --tested cannot be combined; give one of them");
    if (cc->untested_only && !cc->tested.count)
        return cli_misused(
            cli, "--untested-only needs the tested paths; add --tested=FILE");
    if (cc->paths.count)
        return tell_sets(cli, &cc->paths, "chosen", cc->partial);
    if (cc->tested.count)
        return tell_sets(
            cli, &cc->tested, cc->untested_only ? "untested" : "residual", cc->partial);
    if ((getenv("TROD_PLAN") || explain || cc->partial) && !cc->segments.count)
        return cli_misused(cli,
            "--plan, --explain and --partial need --paths=FILE, --tested=FILE or --segments=FILE");
    return true;
}

/* --- across calls ------------------------------------------------------------------------- */

static bool use_steps(struct cli *cli, const struct cli_cc *cc)
{
    const char *at = getenv("TROD_AT");
    bool across = cc->wpp || cc->subpaths || cc->segments.count;

    if (cc->wpp + cc->subpaths + (cc->segments.count > 0) > 1)
        return cli_misused(cli,
            "--wpp, --subpaths and --segments cannot be combined; give one of them");
    if (across && at && strcmp(at, "code") == 0)
        return cli_misused(cli,
            "paths across calls need source-level calls, before inlining; --wpp, --subpaths and "
            "--segments cannot be combined with --at=code");
    if (cc->wpp && (cc->paths.count || cc->tested.count))
        return cli_misused(cli,
            "--wpp records all steps and cannot be combined with --paths or --tested");
    if (getenv("TROD_DEPTH") && !cc->segments.count)
        return cli_misused(
            cli, "--depth needs --segments=PROFILE, which has the calls to follow");
    if ((getenv("TROD_CODE_LIMIT") || cc->others) && !cc->segments.count)
        return cli_misused(cli, "--code-limit and --others need --segments=FILE");
    if (cc->others && !tell_plugin(cli, "TROD_OTHERS", "yes"))
        return false;
    if (cc->segments.count &&
        (!tell_files(cli, "TROD_SEGMENTS", &cc->segments) ||
            !tell_plugin(cli, "TROD_PARTIAL", cc->partial ? "yes" : "no")))
        return false;
    return !(cc->wpp || cc->subpaths) ||
           tell_plugin(cli, "TROD_STEPS", cc->wpp ? "record" : "count");
}

/* --- sampled ------------------------------------------------------------------------------ */

static bool use_online(struct cli *cli, const struct cli_cc *cc)
{
    const char *at = getenv("TROD_AT"), *with = getenv("TROD_ONLINE_CC"), *why;

    if (!cc->online && !with)
        return true;
    why = trod_online_check(with ? with : "");
    if (why)
        return cli_misused(cli, "--online=%s: %s", with, why);
    if (cc->wpp || cc->subpaths || cc->segments.count || cc->paths.count ||
        cc->tested.count || getenv("TROD_ITERATIONS"))
        return cli_misused(cli,
            "--online samples block sequences and does not count paths; it cannot be combined "
            "with --wpp, --subpaths, --segments, --paths, --tested or --iterations");
    if (at && strcmp(at, "source") == 0)
        return cli_misused(cli,
            "--online samples optimised code and cannot be combined with --at=source");
    return with || tell_plugin(cli, "TROD_ONLINE_CC", "");
}

/* The budget is an option among the others, and may choose the trigger. */
static bool tell_burst(struct cli *cli, const char *with, const char *budget)
{
    struct trod_burst_build build;
    struct trod_string text, types;
    const char *why;

    trod_string_init(&text, &cli->mem);
    trod_string_init(&types, &cli->mem);
    trod_put(&text.sink, "%s", with ? with : "");
    if (budget)
        trod_put(&text.sink, "%sbudget=%s", text.length ? "," : "", budget);
    why = trod_burst_check(text.text ? text.text : "", &build);
    if (why)
        return cli_misused(cli, "--burst=%s: %s", text.text, why);
    trod_put(&types.sink, "%u", build.types);
    return tell_plugin(cli, "TROD_BURST_CC", text.text ? text.text : "") &&
           tell_plugin(cli, "TROD_BURST_TYPES", types.text) &&
           (build.words > 1 || tell_plugin(cli, "TROD_BURST_WORDS", "1")) &&
           tell_plugin(cli, "TROD_BURST_TRIGGER",
               build.trigger == TROD_BURST_FLAG ? "flag" : "count");
}

static bool use_burst(struct cli *cli, const struct cli_cc *cc)
{
    const char *at = getenv("TROD_AT"), *with = getenv("TROD_BURST_CC");
    const char *budget = getenv("TROD_BUDGET");

    if (!cc->burst && !with && !budget)
        return true;
    if (cc->wpp || cc->subpaths || cc->segments.count || cc->paths.count ||
        cc->tested.count || cc->online || getenv("TROD_ONLINE_CC") ||
        getenv("TROD_ITERATIONS"))
        return cli_misused(cli,
            "--burst samples in bursts; it cannot be combined with --online, --wpp, --subpaths, "
            "--segments, --paths, --tested or --iterations");
    if (at && strcmp(at, "source") == 0)
        return cli_misused(cli,
            "--burst samples optimised code and cannot be combined with --at=source");
    return tell_burst(cli, with, budget);
}

/* --- for clang ----------------------------------------------------------------------------- */

/* Clang counts blocks that it has not yet optimised, and all that ran. */
static bool use_counters(struct cli *cli, const struct cli_cc *cc)
{
    const char *at = getenv("TROD_AT");

    if (!cc->counters)
        return true;
    if (cc->wpp || cc->segments.count || cc->paths.count || cc->tested.count ||
        cc->online || getenv("TROD_ONLINE_CC") || cc->burst ||
        getenv("TROD_BURST_CC") || getenv("TROD_BUDGET"))
        return cli_misused(cli,
            "--counters needs the counts of all paths; it cannot be combined with --paths, "
            "--tested, --wpp, --segments, --online or --burst");
    if (at && strcmp(at, "code") == 0)
        return cli_misused(cli,
            "--counters needs source-level paths and cannot be combined with --at=code");
    return tell_plugin(cli, "TROD_COUNTERS", "yes");
}

/* --- all of them -------------------------------------------------------------------------- */

/* Options that stand alone, and what they set. */
static const struct flag {
    const char *option;
    size_t at; /* in struct cli_cc */
} flags[] = {
    {"--untested-only", offsetof(struct cli_cc, untested_only)},
    {"--partial", offsetof(struct cli_cc, partial)},
    {"--explain", offsetof(struct cli_cc, explain)},
    {"--wpp", offsetof(struct cli_cc, wpp)},
    {"--others", offsetof(struct cli_cc, others)},
    {"--subpaths", offsetof(struct cli_cc, subpaths)},
    {"--online", offsetof(struct cli_cc, online)},
    {"--burst", offsetof(struct cli_cc, burst)},
    {"--counters", offsetof(struct cli_cc, counters)},
};

static const struct flag *find_flag(const char *option)
{
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(option, flags[i].option) == 0)
            return &flags[i];
    return NULL;
}

static const struct own *find_own(const char *option)
{
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strncmp(option, own[i].option, strlen(own[i].option)) == 0)
            return &own[i];
    return NULL;
}

/* The compiler would not know an option of ours that stands behind its own. After -Xlinker and the like it is
 * another's.
 */
static bool check_rest(struct cli *cli, char **args)
{
    for (char **arg = args; *arg; arg++)
        if ((find_flag(*arg) || find_own(*arg)) &&
            (arg == args || strncmp(arg[-1], "-X", 2) != 0))
            return cli_misused(cli,
                "%s is an option of trod; put it before the compiler's arguments: trod cc %s %s ...",
                *arg, *arg, args[0]);
    return true;
}

/* The name of an option alone: without -- and =. */
static const char *bare(struct cli *cli, const char *option)
{
    option += strspn(option, "-");
    return trod_copy_text(&cli->mem, option, strcspn(option, "="));
}

/* The first option that is not ours goes to the compiler, which might not know it either. */
static void suggest(struct cli *cli, const char *arg)
{
    struct cli_nearest nearest = {.typed = bare(cli, arg)};

    if (strncmp(arg, "--", 2) != 0)
        return;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        cli_nearest_try(&nearest, bare(cli, flags[i].option));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        cli_nearest_try(&nearest, bare(cli, own[i].option));
    if (nearest.word)
        cli_note(cli,
            "--%s is not an option of trod cc and goes to the compiler; did you mean "
            "--%s?",
            nearest.typed, nearest.word);
}

static bool take_option(
    struct cli *cli, struct cli_cc *cc, const char *option, bool *found)
{
    const struct flag *flag = find_flag(option);
    const struct own *of = find_own(option);
    const char *value;

    *found = flag || of;
    if (flag)
        *(bool *)((char *)cc + flag->at) = true;
    if (flag || !of)
        return true;
    value = option + strlen(of->option);
    return of->variable ? take_value(cli, of, value) : take_set(cli, cc, of, value);
}

/* Options for a whole build, one per line, as if they stood before those of each command. */
static bool take_more(struct cli *cli, struct cli_cc *cc)
{
    char *text = getenv("TROD_CC_OPTIONS"), *end;
    bool found;

    if (!text)
        return true;
    for (text = trod_copy(&cli->mem, text); *text; text = end) {
        end = text + strcspn(text, "\n");
        if (*end)
            *end++ = '\0';
        if (!*text)
            continue;
        if (!take_option(cli, cc, text, &found))
            return false;
        if (!found)
            return cli_misused(cli,
                "'%s' in TROD_CC_OPTIONS is not an option of trod cc; write one option per line",
                text);
    }
    return true;
}

bool cli_cc_take_own(struct cli_cc *out, struct cli *cli, char ***args)
{
    static const char *const own_alone[] = {"TROD_ITERATIONS", "TROD_PLAN", "TROD_SETS",
        "TROD_WANT", "TROD_PARTIAL", "TROD_EXPLAIN", "TROD_STEPS", "TROD_SEGMENTS",
        "TROD_CODE_LIMIT", "TROD_DEPTH", "TROD_OTHERS", "TROD_ONLINE_CC",
        "TROD_BURST_CC", "TROD_BUDGET", "TROD_BURST_TYPES", "TROD_BURST_TRIGGER",
        "TROD_BURST_WORDS", "TROD_COUNTERS", "TROD_RECORD"};
    bool found = true;

    *out = (struct cli_cc){0};
    /* Which paths are meant is said on the command line, or not at all. */
    for (size_t i = 0; i < sizeof own_alone / sizeof *own_alone; i++)
        unsetenv(own_alone[i]);
    if (!take_more(cli, out))
        return false;
    while (**args && found) {
        if (!take_option(cli, out, **args, &found))
            return false;
        *args += found;
    }
    if (**args)
        suggest(cli, **args);
    return check_rest(cli, *args) && check_iterations(cli, out) && use_sets(cli, out) &&
           use_steps(cli, out) && use_online(cli, out) && use_burst(cli, out) &&
           use_counters(cli, out) && use_only(cli, out) &&
           (!out->explain || tell_plugin(cli, "TROD_EXPLAIN", "yes"));
}
