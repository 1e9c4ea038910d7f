#include "calls/recordings.h"
#include "look/html_kinds.h"
#include "test/verdict.h"
#include "sample/sampled.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct collector {
    struct cli *cli;
    const struct cli_html_input *in;
    struct trod_page_kinds *kinds;
    struct trod_page_names names;
    size_t most;
};

void cli_html_note(
    struct trod_page_kinds *kinds, struct cli *cli, const char *format, ...)
{
    char text[600];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    trod_push(&cli->mem, kinds->note, kinds->nnote, kinds->room_note,
        trod_copy(&cli->mem, text));
}

static struct trod_page_spans *next_spans(struct collector *g)
{
    struct trod_page_kinds *k = g->kinds;

    trod_reserve(&g->cli->mem, k->spans, k->nspans, k->room_spans);
    return &k->spans[k->nspans];
}

static struct trod_page_table *next_table(struct collector *g)
{
    struct trod_page_kinds *k = g->kinds;

    trod_reserve(&g->cli->mem, k->table, k->ntable, k->room_table);
    return &k->table[k->ntable];
}

/* A table without rows is omitted. */
static void keep_spans(struct collector *g)
{
    g->kinds->nspans += g->kinds->spans[g->kinds->nspans].nspan > 0;
}

static void keep_table(struct collector *g)
{
    g->kinds->ntable += g->kinds->table[g->kinds->ntable].nrow > 0;
}

/* --- spans ------------------------------------------------------------------------------------------------ */

static bool is_across(const struct trod_profile *profile)
{
    return profile->nmodule && profile->module[0].mode == TROD_MODE_SEGMENTS;
}

/* Segments of profiles with steps, or of profiles with paths across calls: these are derived differently. */
static bool add_segments(struct collector *g, bool across)
{
    struct cli *cli = g->cli;
    struct cli_recorded recorded = {.takes_counts = across, .map = g->in->map};
    struct trod_segments segments;

    for (uint32_t i = 0; i < g->in->none; i++) {
        const struct trod_profile *profile = g->in->one[i].profile;

        if (across ? !is_across(profile) || profile->nsteps : !profile->nsteps)
            continue;
        trod_push(&cli->mem, recorded.one, recorded.count, recorded.room,
            (struct cli_recorded_one){g->in->one[i].file, profile});
        recorded.ncounted += across;
    }
    if (!recorded.count)
        return true;
    if (!cli_recorded_segments(
            &segments, &recorded, cli, cli->options.depth ? cli->options.depth : 1)) {
        if (cli->err.code != TROD_E_LIMIT)
            return false;
        cli_html_note(
            g->kinds, cli, "paths across calls are omitted: %s", cli->err.text);
        return true;
    }
    if (cli_recorded_given(&recorded))
        cli_html_note(g->kinds, cli,
            "%" PRIu64 " subpaths were dropped for lack of space",
            cli_recorded_given(&recorded));
    trod_page_spans_segments(next_spans(g), &segments, &g->in->map, g->most, &cli->mem);
    keep_spans(g);
    return true;
}

static void add_across(struct collector *g, const struct trod_profile *sum)
{
    struct trod_flows flows;

    if (!is_across(sum))
        return;
    trod_flows_build_any(&flows, sum, &g->in->map, &g->cli->mem);
    trod_page_spans_across(next_spans(g), &flows, g->most, &g->cli->mem);
    keep_spans(g);
}

/* Paths and blocks come from the first sum. */
static bool is_first(const struct collector *g, const struct trod_profile *sum)
{
    return sum == &g->in->sum[0];
}

static void add_sampled(struct collector *g, const struct trod_online_names *names)
{
    g->kinds->sampled = names;
    if (names->subpaths->costs)
        cli_html_note(g->kinds, g->cli,
            "subpaths were sampled by cost: blocks, lines and functions have no counts");
    else
        cli_html_note(g->kinds, g->cli,
            "block sequences were sampled: counts of blocks, lines and functions are estimates; "
            "counts of edges are unknown");
}

static bool add_subpaths(struct collector *g, const struct trod_profile *sum)
{
    struct trod_subpaths_options options = {.most = g->most};
    struct cli *cli = g->cli;
    struct trod_subpaths *subpaths;
    struct trod_online_names *names;

    if (!trod_profile_has_samples(sum))
        return true;
    subpaths = trod_new(&cli->mem, struct trod_subpaths, 1);
    names = trod_new(&cli->mem, struct trod_online_names, 1);
    if (!trod_online_estimate(subpaths, sum, &cli->mem, &cli->err))
        return false;
    trod_online_names(names, subpaths, &g->in->map, &cli->mem);
    trod_page_spans_subpaths(next_spans(g), names, &g->in->map, &options, &cli->mem);
    keep_spans(g);
    if (is_first(g, sum))
        add_sampled(g, names);
    return true;
}

/* --- bursts and streams ------------------------------------------------------------------------------------ */

static bool add_bursts(struct collector *g, const struct trod_profile *sum)
{
    static const enum trod_bursts_kind kinds[] = {
        TROD_BURST_OF_METHODS, TROD_BURST_OF_CALLS, TROD_BURST_OF_LOOPS};
    struct trod_bursts burst;

    if (!trod_profile_has_bursts(sum))
        return true;
    if (!cli_bursts_build(&burst, g->cli, sum, &g->in->map))
        return false;
    g->kinds->uncounted |=
        is_first(g, sum) && !trod_bursts_has(&burst, TROD_BURST_PATHS);
    if (g->kinds->uncounted)
        cli_html_note(g->kinds, g->cli,
            "bursts did not count paths: blocks and lines have no counts");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!trod_bursts_has(&burst, trod_bursts_kind_type(kinds[i])))
            continue;
        trod_page_table_bursts(
            next_table(g), &g->names, &burst, kinds[i], g->most, &g->cli->mem);
        keep_table(g);
    }
    return true;
}

static void add_times(struct collector *g, const struct trod_profile *sum)
{
    struct trod_times times;

    if (!trod_profile_has_times(sum))
        return;
    trod_times_build(&times, sum, &g->cli->mem);
    trod_page_table_times(next_table(g), &g->names, &times, g->most, &g->cli->mem);
    keep_table(g);
}

enum {
    STREAMS = 200
}; /* most streams considered: finding where each was first seen takes a search */

static bool add_refs(struct collector *g, const struct trod_stream_refs *refs)
{
    struct trod_stream_options options;
    struct trod_streams streams;
    struct cli *cli = g->cli;

    if (!cli_streams_options(&options, cli))
        return false;
    trod_stream_find(&streams, refs, &options, &cli->mem, &cli->mem);
    trod_stream_look(&streams, refs, &options, STREAMS, false, &cli->mem, &cli->mem);
    trod_page_table_streams(next_table(g), &g->names, &streams, g->most, &cli->mem);
    keep_table(g);
    if (streams.nlost)
        cli_html_note(g->kinds, cli,
            "%s: no space was left for %" PRIu64 " more references or allocations",
            streams.name, streams.nlost);
    return true;
}

static bool add_streams(struct collector *g)
{
    for (uint32_t i = 0; i < g->in->none; i++) {
        struct cli_streams streams;

        if (!g->in->one[i].refs)
            continue;
        if (!cli_streams_read(&streams, g->cli, g->in->one[i].file))
            return false;
        for (size_t k = 0; k < streams.nrefs; k++)
            if (!add_refs(g, &streams.refs[k]))
                return false;
    }
    return true;
}

/* --- coverage ---------------------------------------------------------------------------------------------- */

static bool is_recorded(const struct collector *g, const struct trod_profile *sum)
{
    return g->in->recorded && sum->nmodule && sum->module[0].mode == TROD_MODE_STEPS;
}

/* If not all paths are counted, coverage is unknown. */
static void add_cover(struct collector *g)
{
    static const enum trod_cover_group group[] = {TROD_COVER_FUNCTION, TROD_COVER_FILE};
    const struct trod_profile *sum = &g->in->sum[0];
    struct trod_arena *mem = &g->cli->mem;
    struct trod_err why;
    struct trod_flows flows;
    struct trod_ran ran;

    trod_page_table_left(next_table(g), &g->names, sum, g->most, mem);
    keep_table(g);
    if (!sum->ntally || is_recorded(g, sum) || trod_profile_has_samples(sum) ||
        !trod_profile_is_exact(sum) || !trod_ran_build(&ran, &sum, 1, mem, &why))
        return;
    trod_flows_build_any(&flows, sum, &g->in->map, mem);
    cli_add_unfinished(g->cli, &flows, sum);
    for (int i = 0; i < 2; i++) {
        struct trod_cover_options options = {.group = group[i], .flows = &flows};
        struct trod_cover cover;

        if (g->cli->options.function) {
            options.wants = cli_report_wants;
            options.ctx = trod_copy(mem, g->cli->options.function);
        }
        trod_cover_build(&cover, &ran, &g->in->map, &options, mem);
        trod_page_table_cover(next_table(g), &g->names, &cover, g->most, mem);
        keep_table(g);
    }
}

/* --- entries of other versions ------------------------------------------------------------------------------- */

struct entries_list {
    const struct trod_entries **item;
    uint32_t count, room;
};

static bool read_entries(struct collector *g, const char *file,
    struct entries_list *all, struct entries_list *paths)
{
    struct cli *cli = g->cli;
    struct trod_text text;
    struct trod_token token;

    if (!cli_in_read(cli, &text, file))
        return false;
    for (;;) {
        struct trod_entries *entries = trod_new(&cli->mem, struct trod_entries, 1);
        bool is_paths;

        if (!trod_text_peek(&token, &text, &cli->mem, &cli->err))
            return false;
        if (token.kind == TROD_T_END)
            return true;
        if (!trod_entries_parse(entries, &text, &cli->mem, &cli->err))
            return false;
        is_paths = strcmp(entries->type, "paths") == 0;
        if (strcmp(entries->type, "begun") == 0)
            continue;
        trod_push(&cli->mem, all->item, all->count, all->room, entries);
        if (!is_paths)
            continue;
        trod_push(&cli->mem, paths->item, paths->count, paths->room, entries);
    }
}

static void mark_paths(struct collector *g, const struct entries_list *paths)
{
    struct trod_page_known *known = trod_new(&g->cli->mem, struct trod_page_known, 1);

    trod_page_known_build(known, &g->names, paths->item, paths->count, &g->cli->mem);
    g->kinds->known = known;
    if (known->nunknown)
        cli_html_note(g->kinds, g->cli,
            "%" PRIu64
            " entries belong to functions that the profile's program does not have; name the "
            "profile that was merged with them",
            known->nunknown);
}

static bool add_entries(struct collector *g)
{
    struct entries_list all = {0}, paths = {0};

    for (uint32_t i = 0; i < g->in->entries.count; i++)
        if (!read_entries(g, g->in->entries.item[i], &all, &paths))
            return false;
    if (!all.count)
        return true;
    trod_page_table_known(next_table(g), &g->names, all.item, all.count, &g->cli->mem);
    keep_table(g);
    for (uint32_t i = 0; i < all.count; i++) {
        if (strcmp(all.item[i]->type, "paths") == 0)
            continue;
        trod_page_table_entries(
            next_table(g), &g->names, all.item[i], g->most, &g->cli->mem);
        keep_table(g);
    }
    if (paths.count)
        mark_paths(g, &paths);
    return true;
}

bool cli_html_kinds(
    struct trod_page_kinds *out, struct cli *cli, const struct cli_html_input *in)
{
    struct collector g = {.cli = cli, .in = in, .kinds = out, .most = TROD_PAGE_ROWS};

    *out = (struct trod_page_kinds){0};
    trod_page_names(&g.names, &in->map, &cli->mem);
    if (!add_segments(&g, false) || !add_segments(&g, true))
        return false;
    for (uint32_t i = 0; i < in->nsum; i++) {
        add_across(&g, &in->sum[i]);
        if (!add_subpaths(&g, &in->sum[i]) || !add_bursts(&g, &in->sum[i]))
            return false;
        add_times(&g, &in->sum[i]);
    }
    if (!add_streams(&g) || !add_entries(&g))
        return false;
    if (in->nsum > 1)
        cli_html_note(out, cli,
            "profiles of %" PRIu32
            " modes are here: paths, lines and blocks are those of mode %s; of the "
            "others, the page has everything except paths",
            in->nsum, trod_profile_mode_name(in->sum[0].module[0].mode));
    add_cover(&g);
    if (!cli_html_hardware(out, cli, in, &g.names))
        return false;
    trod_page_kinds_mention(out, &in->map, &cli->mem);
    return true;
}
