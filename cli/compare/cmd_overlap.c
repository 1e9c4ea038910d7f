#include "profile/overlap.h"
#include "commands.h"
#include "compare/compared.h"
#include "look/look.h"
#include "output/output.h"
#include "sample/sampled.h"

#include <math.h>
#include <stdlib.h>

/* Parsed options. */
struct asked {
    uint32_t top_of;
    double min; /* negative: not given */
};

static bool read_percent(
    double *out, const char *text, const char *option, double least, struct cli *cli)
{
    char *end;

    *out = strtod(text, &end);
    return (end != text && !*end && isfinite(*out) && *out >= least && *out <= 100) ||
           cli_misused(
               cli, "--%s: '%s' is not a number from %g to 100", option, text, least);
}

static bool read_asked(struct asked *out, struct cli *cli)
{
    const struct cli_options *o = &cli->options;
    double unit = 100.0 / TROD_OVERLAP_WHOLE, top;

    *out = (struct asked){.top_of = TROD_OVERLAP_TOP, .min = -1};
    if (o->top) {
        if (!read_percent(&top, o->top, "top", unit, cli))
            return false;
        out->top_of = (uint32_t)lround(top / unit);
    }
    return !o->min || read_percent(&out->min, o->min, "min", 0, cli);
}

/* Add file names to an error of a stage. */
static bool fail_place(struct cli *cli, const char *a, const char *b)
{
    struct trod_err why = cli->err;

    return why.code == TROD_E_MISMATCH
               ? trod_fail(&cli->err, why.code, "%s and %s: %s", a, b, why.text)
               : false;
}

static bool is_json(const struct cli *cli)
{
    return cli->options.form == CLI_JSON;
}

/* --- by kind ------------------------------------------------------------------------------------- */

static bool put_paths(struct trod_overlap *out, struct cli *cli,
    const struct cli_compared *a, const struct cli_compared *b,
    const struct trod_map *map, uint32_t top_of)
{
    struct trod_report_overlap overlap;
    struct trod_report_options options;
    struct trod_profile_diff diff;

    cli_report_options(&options, cli);
    if (!trod_profile_diff(&diff, &a->profile, &b->profile, &cli->mem, &cli->err) ||
        !trod_report_overlap_build(
            &overlap, &diff, map, &options, top_of, &cli->mem, &cli->err))
        return false;
    if (is_json(cli))
        trod_report_overlap_json(&cli->json, "overlap", &overlap);
    else
        trod_report_overlap_print(&cli->out.sink, &overlap);
    *out = overlap.overlap;
    return true;
}

static bool put_subpaths(struct trod_overlap *out, struct cli *cli,
    const struct cli_compared *a, const struct cli_compared *b,
    const struct trod_map *map, uint32_t top_of)
{
    size_t most = cli->options.most;
    struct trod_online_overlap overlap;

    if (!trod_online_overlap_build(
            &overlap, &a->subpaths, &b->subpaths, top_of, &cli->mem, &cli->err))
        return false;
    if (is_json(cli))
        trod_online_overlap_json(&cli->json, "overlap", &overlap, map, most, &cli->mem);
    else
        trod_online_overlap_print(&cli->out.sink, &overlap, map, most, &cli->mem);
    *out = overlap.overlap;
    return true;
}

static bool put_segments(struct trod_overlap *out, struct cli *cli,
    const struct cli_compared *a, const struct cli_compared *b,
    const struct trod_map *map, uint32_t top_of)
{
    size_t most = cli->options.most;
    struct trod_segments_overlap overlap;

    if (!trod_segments_overlap_build(
            &overlap, &a->segments, &b->segments, top_of, &cli->mem, &cli->err))
        return false;
    if (is_json(cli))
        trod_segments_overlap_json(
            &cli->json, "overlap", &overlap, map, most, &cli->mem);
    else
        trod_segments_overlap_print(&cli->out.sink, &overlap, map, most);
    *out = overlap.overlap;
    return true;
}

static bool put_bursts(struct trod_overlap *out, struct cli *cli,
    const struct cli_compared *a, const struct cli_compared *b,
    const struct trod_map *map, uint32_t top_of)
{
    enum trod_bursts_kind kind = (enum trod_bursts_kind)(cli->options.members - 2);
    size_t most = cli->options.most;
    struct trod_bursts_overlap overlap;

    (void)map;
    if (!trod_bursts_overlap_build(
            &overlap, &a->burst, &b->burst, kind, top_of, &cli->mem, &cli->err))
        return false;
    if (is_json(cli))
        trod_bursts_overlap_json(&cli->json, "overlap", &overlap, most);
    else
        trod_bursts_overlap_print(&cli->out.sink, &overlap, most);
    *out = overlap.overlap;
    return true;
}

/* Find streams in each profile, with the map of its own program. */
static bool put_streams(struct trod_overlap *out, struct cli *cli, uint32_t top_of)
{
    const struct cli_list *file = &cli->options.file;
    struct trod_stream_overlap overlap;
    struct trod_streams streams[2];
    struct cli_streams in[2];

    if (cli->options.group > 1)
        return cli_misused(cli, "--group needs profiles of paths; remove it");
    for (int i = 0; i < 2; i++)
        if (!cli_streams_read(&in[i], cli, file->item[i]) ||
            !cli_streams_find(&streams[i], &in[i], cli))
            return false;
    if (!trod_stream_overlap_build(
            &overlap, &streams[0], &streams[1], top_of, &cli->mem, &cli->err))
        return fail_place(cli, in[0].name, in[1].name);
    if (is_json(cli))
        trod_stream_overlap_json(&cli->json, "overlap", &overlap, cli->options.most);
    else
        trod_stream_overlap_print(&cli->out.sink, &overlap, cli->options.most);
    *out = overlap.overlap;
    return true;
}

/* --- the command ---------------------------------------------------------------------------------- */

static bool check_min(
    struct cli *cli, const struct trod_overlap *overlap, const struct asked *asked)
{
    bool top = cli->options.top != NULL;
    double percent = 100 * (top ? overlap->top : overlap->all).overlap;

    if (percent >= asked->min)
        return true;
    if (top)
        return cli_no(cli,
            "the top %s%% overlap by %.2f%%, less than the %g%% of --min",
            cli->options.top, percent, asked->min);
    return cli_no(
        cli, "the overlap is %.2f%%, less than the %g%% of --min", percent, asked->min);
}

static bool put_members(struct trod_overlap *out, struct cli *cli, uint32_t top_of)
{
    static bool (*const put[])(struct trod_overlap *out, struct cli *cli,
        const struct cli_compared *a, const struct cli_compared *b,
        const struct trod_map *map, uint32_t top_of) = {
        [CLI_PATHS] = put_paths,
        [CLI_SUBPATHS] = put_subpaths,
        [CLI_SEGMENTS] = put_segments,
        [CLI_BURSTS] = put_bursts,
    };
    const struct cli_list *file = &cli->options.file;
    struct cli_compared a, b;
    struct trod_map map;

    if (!cli_compared_read(&a, cli, file->item[0]) ||
        !cli_compared_read(&b, cli, file->item[1]) ||
        !cli_compared_join(&a, &b, &map, cli))
        return false;
    if (cli->options.group > 1 && a.kind == CLI_BURSTS)
        return cli_misused(cli, "--group needs profiles of paths; remove it");
    if (cli->options.group > 1 && a.kind != CLI_PATHS)
        return cli_misused(cli,
            "%s: its members span several functions and cannot be grouped; remove --group",
            a.name);
    if (a.kind != CLI_PATHS &&
        (cli->options.function || cli->options.file_glob || cli->options.directory))
        return cli_misused(cli,
            "%s: --function, --file and --directory need profiles of paths; remove them",
            a.name);
    return put[a.kind](out, cli, &a, &b, &map, top_of) ||
           fail_place(cli, a.name, b.name);
}

bool cli_overlap(struct cli *cli)
{
    bool streams = cli->options.members == TROD_BURST_OF_LOOPS + 3;
    struct trod_overlap overlap;
    struct asked asked;

    if (!read_asked(&asked, cli))
        return false;
    if (cli->options.file.count != 2)
        return cli_misused(cli, "expected two profiles; name both");
    if (is_json(cli)) {
        cli_json_begin(cli);
    }
    if (!(streams ? put_streams : put_members)(&overlap, cli, asked.top_of))
        return false;
    if (is_json(cli))
        trod_json_close(&cli->json, '}');
    return check_min(cli, &overlap, &asked);
}
