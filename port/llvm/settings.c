#include "llvm/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What `trod cc` says through the environment; the plugin alone uses the defaults.
 *
 *     TROD_AT       source (default) or code: which paths
 *     TROD_LIMIT    most paths of a function before it is cut
 *     TROD_ITERATIONS  2 to 8: count chains of up to so many consecutive paths of the source
 *     TROD_LEFT     no: do not count what is abandoned
 *     TROD_STEPS    record or count: paths end at calls, too, and each that ran is noted in a row,
 *                   or counted
 *     TROD_SEGMENTS segments, or profiles of subpaths, one per line: paths go on into the calls in
 *                   them
 *     TROD_DEPTH    with profiles of subpaths: how deep (1)
 *     TROD_OTHERS   yes: with segments, note paths that are not made of them, too
 *     TROD_CODE_LIMIT  with that: most instructions that calls may add to a function
 *     TROD_ONLINE_CC  how subpaths of blocks are sampled, all that happens then; may be empty
 *     TROD_BURST_CC   how bursts are sampled; with that TROD_BURST_TYPES, a number, bits of
 *                   enum trod_burst_type, TROD_BURST_TRIGGER, flag or count, and
 *                   TROD_BURST_WORDS, if all checks are to take from the same
 *     TROD_COUNTERS yes: clang was told to count, and the map is to tell where
 *     TROD_ONLY     glob: functions to instrument, or, with a '/', a file that lists them;
 *                   TROD_SKIP: glob, functions not to
 *     TROD_WANT     chosen, residual or untested: not every path is counted
 *     TROD_SETS     with that: profiles and path lists, one per line, chosen or tested
 *     TROD_PLAN     all, selective, preferential or hash: not whatever is best
 *     TROD_PARTIAL  yes: functions that are not as they were are no error
 *     TROD_EXPLAIN  yes: say how each function is counted, and why
 *     TROD_CC_OUT   where the program leaves its profile
 *     TROD_COMMAND_FD  how the unit was compiled, for the map: see command.h; TROD_DIRECTORY: where
 *     TROD_RECORD   all: directory and names of files go into the map as they are, not without what is above them
 *     TROD_ORACLE   log blocks instead of counting paths, for tests
 */

/* A table of this many counters is half a megabyte of address space, of which only what is
 * counted in is ever backed by memory.
 */
enum { DEFAULT_LIMIT = 1 << 16 };

static bool says_yes(const char *variable)
{
    const char *value = getenv(variable);

    return value && strcmp(value, "yes") == 0;
}

static void read_choice(struct trod_settings *out)
{
    const char *want = getenv("TROD_WANT"), *plan = getenv("TROD_PLAN");
    const char *files = getenv("TROD_SETS");

    for (int w = TROD_WANT_CHOSEN; want && files && w <= TROD_WANT_UNTESTED; w++)
        if (strcmp(want, trod_want_name((enum trod_want)w)) == 0)
            out->want = (enum trod_want)w;
    for (int k = 0; plan && k < TROD_NENDING; k++)
        if (strcmp(plan, trod_ending_name((enum trod_ending_kind)k)) == 0)
            out->plan = 1u << k;
    out->partial = says_yes("TROD_PARTIAL");
    out->others = says_yes("TROD_OTHERS");
    out->explain = says_yes("TROD_EXPLAIN");
    if (out->want != TROD_WANT_ALL)
        trod_llvm_sets_load(files, out->mode, out->want);
}

static void read_burst(struct trod_settings *out)
{
    const char *types = getenv("TROD_BURST_TYPES");
    const char *trigger = getenv("TROD_BURST_TRIGGER");
    uint64_t bits;

    out->burst = getenv("TROD_BURST_CC");
    if (!out->burst)
        return;
    out->mode = TROD_MODE_BURST;
    out->burst_types = types && trod_text_uint(&bits, types) ? (unsigned)bits : 15;
    out->burst_one = getenv("TROD_BURST_WORDS") != NULL;
    out->burst_flag = trigger && strcmp(trigger, "flag") == 0;
}

void trod_llvm_settings(struct trod_settings *out)
{
    const char *at = getenv("TROD_AT"), *limit = getenv("TROD_LIMIT");
    const char *left = getenv("TROD_LEFT"), *steps = getenv("TROD_STEPS");
    const char *code = getenv("TROD_CODE_LIMIT"), *depth = getenv("TROD_DEPTH");
    const char *iterations = getenv("TROD_ITERATIONS");
    char word[16];

    *out = (struct trod_settings){.mode = TROD_MODE_SOURCE,
        .limit = DEFAULT_LIMIT,
        .iterations = 1,
        .only = getenv("TROD_ONLY"),
        .skip = getenv("TROD_SKIP"),
        .segments = getenv("TROD_SEGMENTS"),
        .out = getenv("TROD_CC_OUT"),
        .online = getenv("TROD_ONLINE_CC"),
        .oracle = getenv("TROD_ORACLE") != NULL,
        .counters = says_yes("TROD_COUNTERS"),
        .no_left = left && strcmp(left, "no") == 0};
    if (out->only && strchr(out->only, '/')) {
        out->list = trod_llvm_only_load(out->only);
        out->only = NULL;
    }
    if (at && strcmp(at, "code") == 0)
        out->mode = TROD_MODE_CODE;
    snprintf(word, sizeof word, "rounds%s", iterations ? iterations : "");
    if (iterations && trod_profile_mode_parse(&out->mode, word))
        out->iterations = (unsigned)(iterations[0] - '0');
    if (out->segments && *out->segments)
        out->mode = TROD_MODE_SEGMENTS;
    if (code && trod_text_uint(&out->code, code))
        out->has_code = true;
    if (depth && !trod_text_uint(&out->depth, depth))
        out->depth = 0;
    if (steps && *steps) {
        out->mode = TROD_MODE_STEPS;
        out->records = strcmp(steps, "record") == 0;
    }
    if (out->online)
        out->mode = TROD_MODE_BLOCKS;
    read_burst(out);
    if (limit && (!trod_text_uint(&out->limit, limit) || !out->limit))
        out->limit = DEFAULT_LIMIT;
    read_choice(out);
}
