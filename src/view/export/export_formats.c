#include "export/export.h"

#include <inttypes.h>

enum {
    COUNTED = TROD_EXPORT_ESTIMATES | TROD_EXPORT_PARTIAL | TROD_EXPORT_ACROSS,
    ALL_KINDS = COUNTED | TROD_EXPORT_SAMPLES
};

const struct trod_export_format trod_export_formats[] = {
    {"collapsed", "stacks, one per line: flamegraph.pl, speedscope, inferno", false,
        trod_export_collapsed, ALL_KINDS | TROD_EXPORT_FRAMES},
    {"collapsed-time",
        "the same by own time, of --burst=types=paths+time: flame graphs", false,
        trod_export_collapsed_time, COUNTED | TROD_EXPORT_FRAMES | TROD_EXPORT_TIMES},
    {"callgrind", "costs of lines, and calls: KCachegrind, callgrind_annotate", false,
        trod_export_callgrind, COUNTED},
    {"dot", "graphs with counts, and the hottest paths: Graphviz", false,
        trod_export_dot, COUNTED},
    {"json", "everything, with a schema: scripts", false, trod_export_json, ALL_KINDS},
    {"csv", "one row per path (RFC 4180): spreadsheets, scripts", false,
        trod_export_csv, ALL_KINDS},
    {"lcov", "lines, branches and functions that ran: genhtml, lcov, editors", false,
        trod_export_lcov, 0},
    {"cobertura", "the same as lcov, as XML: GitLab, Jenkins, diff-cover", false,
        trod_export_cobertura, 0},
    {"gcov", "the same as lcov, as gcov's JSON: geninfo, fastcov", false,
        trod_export_gcov, 0},
    {"llvm", "the values of clang's counters, as text: llvm-profdata", false,
        trod_export_llvm, 0},
    {"sample", "counts of lines as an LLVM sample profile: clang -fprofile-sample-use",
        false, trod_export_sample, COUNTED},
    {"propeller",
        "hot paths to clone, and blocks in order: clang -fbasic-block-sections=list=FILE",
        false, trod_export_propeller, TROD_EXPORT_BLOCKS},
    {0},
};

/* --- what a format can represent -------------------------------------------------------------------------- */

bool trod_export_check(const struct trod_export_format *format,
    const struct trod_profile *profile, struct trod_err *err)
{
    if (trod_profile_has_samples(profile))
        return (format->takes & TROD_EXPORT_SAMPLES) ||
               trod_fail(err, TROD_E_MISMATCH,
                   "blocks were sampled, and %s needs counted paths; profile with 'trod cc', without "
                   "--online, or choose pprof, collapsed, csv or json",
                   format->name);
    if (format->takes & TROD_EXPORT_TIMES && !trod_profile_has_times(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "no path was timed, which %s needs; compile the program with 'trod cc "
            "--burst=types=paths+time'",
            format->name);
    if (profile->nsteps)
        return trod_fail(err, TROD_E_MISMATCH,
            "steps were recorded, not counted; print them with 'trod calls segments' and 'trod "
            "calls steps', or profile with 'trod cc', without --wpp, to export paths");
    if (!trod_profile_is_exact(profile) && !(format->takes & TROD_EXPORT_ESTIMATES))
        return trod_fail(err, TROD_E_MISMATCH,
            "the counts of this profile are estimates, which %s cannot mark; profile with 'trod "
            "cc', or with trigger=always",
            format->name);
    if (!trod_profile_is_whole(profile) && !(format->takes & TROD_EXPORT_PARTIAL))
        return trod_fail(err, TROD_E_MISMATCH,
            "only some paths were counted, which %s cannot mark; build without --paths and "
            "--tested to count all paths",
            format->name);
    return true;
}

/* --- remarks ------------------------------------------------------------------------------------------------ */

struct remarks {
    const char **line;
    size_t count, room;
    struct trod_arena *mem;
};

/* The lines of the text, without their comment prefix "# ". */
static void add_lines(struct remarks *to, const char *text)
{
    while (*text) {
        size_t n = 0;

        text += text[0] == '#' && text[1] == ' ' ? 2 : 0;
        while (text[n] && text[n] != '\n')
            n++;
        trod_push(
            to->mem, to->line, to->count, to->room, trod_copy_text(to->mem, text, n));
        text += n + (text[n] == '\n');
    }
}

size_t trod_export_remarks(
    const char *const **out, const struct trod_exported *in, struct trod_arena *mem)
{
    struct remarks all = {.mem = mem};
    struct trod_string text;
    uint64_t nacross = 0;

    trod_string_init(&text, mem);
    if (in->subpaths && !in->subpaths->exact)
        trod_put(&text.sink, "blocks were sampled: counts of subpaths are estimates\n");
    else if (!trod_profile_is_exact(in->profile))
        trod_put(&text.sink, "counts are estimates: the program was sampled\n");
    trod_report_how(&text.sink, in->profile->burst, in->profile->nburst);
    if (!in->subpaths && in->flows->nunknown)
        trod_put(&text.sink,
            "%" PRIu64
            " functions have no map entry: their paths have ids but no blocks\n",
            in->flows->nunknown);
    for (uint32_t i = 0; i < in->map->nentry; i++)
        nacross += in->flows->of_entry[i].entry && in->map->entry[i].nframe;
    if (nacross)
        trod_put(&text.sink,
            "%" PRIu64
            " functions have paths that follow calls: callees are also counted separately, and "
            "lines exclude these functions\n",
            nacross);
    trod_report_remarks(&text.sink, in->profile, in->map, NULL, mem);
    add_lines(&all, text.text);
    *out = all.line;
    return all.count;
}
