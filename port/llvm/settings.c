#include "cc/cc.h"
#include "llvm/unit.h"

#include <trod/burst.h>

#include <stdlib.h>
#include <string.h>

/* The options of `trod cc`, by the table in port/cc. Also read from the environment:
 *
 *     TROD_COMMAND_FD  the compile command, for the map: see command.h
 *     TROD_DIRECTORY   the directory it was run in, for the map
 *     TROD_ORACLE      log blocks instead of counting paths, for tests
 *     TROD_WITHOUT     what makes counts cheap and is left out, for tests and benchmarks: see emit/lever.c
 */

static void read_choice(struct trod_settings *out, const struct trod_cc_values *given)
{
    const char *paths = given->of[TROD_CC_PATHS], *tested = given->of[TROD_CC_TESTED];

    if (paths)
        out->want = TROD_WANT_CHOSEN;
    else if (tested)
        out->want =
            given->of[TROD_CC_UNTESTED_ONLY] ? TROD_WANT_UNTESTED : TROD_WANT_RESIDUAL;
    for (int k = 0; k < TROD_NENDING; k++)
        if (trod_cc_is(given, TROD_CC_PLAN, trod_ending_name((enum trod_ending_kind)k)))
            out->plan = 1u << k;
    if (out->want != TROD_WANT_ALL)
        trod_llvm_sets_load(paths ? paths : tested, out->mode, out->want);
}

static enum trod_format_mode mode_of(
    const struct trod_settings *settings, const struct trod_cc_values *given)
{
    if (settings->burst)
        return TROD_MODE_BURST;
    if (settings->online)
        return TROD_MODE_BLOCKS;
    if (given->of[TROD_CC_WPP] || given->of[TROD_CC_SUBPATHS])
        return TROD_MODE_STEPS;
    if (settings->segments)
        return TROD_MODE_SEGMENTS;
    if (settings->iterations > 1)
        return TROD_MODE_ITERATIONS + settings->iterations;
    return trod_cc_is(given, TROD_CC_AT, "code") ? TROD_MODE_CODE : TROD_MODE_SOURCE;
}

static void read_burst(struct trod_settings *out)
{
    struct trod_burst_build build;

    if (!out->burst || trod_burst_check(out->burst, &build))
        return;
    out->burst_types = build.types;
    out->burst_metrics = build.metrics > 0;
    out->burst_one = build.words == 1;
    out->burst_flag = build.trigger == TROD_BURST_FLAG;
}

void trod_llvm_settings(struct trod_settings *out)
{
    struct trod_cc_values given;
    struct trod_err err;

    if (!trod_cc_load(&given, &err))
        trod_llvm_fail(&err);
    trod_llvm_check_levers();
    *out = (struct trod_settings){
        .limit = trod_cc_number(&given, TROD_CC_LIMIT),
        .iterations = (unsigned)trod_cc_number(&given, TROD_CC_ITERATIONS),
        .code = trod_cc_number(&given, TROD_CC_CODE_LIMIT),
        .depth = trod_cc_number(&given, TROD_CC_DEPTH),
        .only = given.of[TROD_CC_ONLY],
        .skip = given.of[TROD_CC_SKIP],
        .segments = given.of[TROD_CC_SEGMENTS],
        .out = given.of[TROD_CC_OUT],
        .online = given.of[TROD_CC_ONLINE],
        .burst = given.of[TROD_CC_BURST],
        .counters = given.of[TROD_CC_COUNTERS] != NULL,
        .partial = given.of[TROD_CC_PARTIAL] != NULL,
        .whole = given.of[TROD_CC_WHOLE_PROGRAM] != NULL,
        .others = given.of[TROD_CC_OTHERS] != NULL,
        .explain = given.of[TROD_CC_EXPLAIN] != NULL,
        .records = given.of[TROD_CC_WPP] != NULL,
        .no_left = trod_cc_is(&given, TROD_CC_LEFT, "no"),
        .oracle = getenv("TROD_ORACLE") != NULL,
    };
    out->mode = mode_of(out, &given);
    if (out->only && strchr(out->only, '/')) {
        out->list = trod_llvm_only_load(out->only);
        out->only = NULL;
    }
    read_burst(out);
    read_choice(out, &given);
}
