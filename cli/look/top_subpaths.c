#include "look/look.h"

#include <inttypes.h>

/* Rows of trod top: subpaths of programs that sample their blocks. */

static const char *const sort_word[] = {
    [TROD_ONLINE_BY_COUNT] = "count",
    [TROD_ONLINE_BY_BLOCKS] = "blocks",
    [TROD_ONLINE_BY_LENGTH] = "length",
    [TROD_ONLINE_BY_FUNCTION] = "function",
};

static bool build(
    struct cli_top_rows *out, const struct cli_top *top, struct trod_arena *mem)
{
    struct trod_subpaths_options options = top->options;
    size_t n;

    options.most = SIZE_MAX;
    trod_online_names(&out->names, &top->picture[top->now].subpaths, &top->map, mem);
    out->nall = trod_online_rows(&out->subpath, &n, &out->names, &options, mem);
    out->head = options.error > 0
                    ? "rank          count     +-    more  share  blocks  subpath"
                    : "rank          count     +-  share  blocks  subpath";
    cli_top_rows_all(out, n, mem);
    return true;
}

static void put(struct trod_sink *sink, const struct cli_top_rows *rows, size_t i)
{
    trod_online_row(sink, &rows->names, &rows->subpath[i], &rows->top->options);
}

static struct trod_online_need need_of(const struct cli_top_rows *rows)
{
    struct trod_online_need need = {0};

    for (size_t i = 0; i < rows->n; i++)
        trod_online_need_add(&need, &rows->subpath[rows->at[i]]);
    return need;
}

static void put_title(struct trod_sink *sink, const struct cli_top_rows *rows)
{
    const struct trod_subpaths *s = rows->names.subpaths;

    trod_put(sink, "%.4g blocks, %" PRIu64 " samples", s->nblock, s->nsample);
    if (s->ndropped)
        trod_put(sink, ", %" PRIu64 " dropped", s->ndropped);
    if (s->nrejected)
        trod_put(sink, ", %" PRIu64 " rejected", s->nrejected);
    trod_put(sink, ", %" PRIu64 " sampler%s, f %.6g", s->nsampler,
        s->nsampler == 1 ? "" : "s", s->least_frequency);
    if (s->least_frequency < s->most_frequency)
        trod_put(sink, "-%.6g", s->most_frequency);
    if (rows->top->options.error > 0) {
        struct trod_online_need need = need_of(rows);

        trod_put(sink, ", %zu of %zu to %.3g%%", need.nenough, need.nrow,
            100 * rows->top->options.error);
    }
}

static void put_order(struct trod_sink *sink, const struct cli_top *top)
{
    trod_put(sink, "by %s", sort_word[top->options.sort]);
}

static const char *rows_word(const struct cli_top *top)
{
    (void)top;
    return "subpaths";
}

static bool turn(struct cli_top *top, int key)
{
    struct trod_subpaths_options *o = &top->options;

    if (key == 's')
        o->sort =
            (enum trod_online_sort)((o->sort + 1) % (TROD_ONLINE_BY_FUNCTION + 1));
    else if (key == 'b')
        o->blocks = !o->blocks;
    else
        return false;
    return true;
}

/* As 'trod sample subpaths' prints them. */
static void put_all(struct trod_sink *sink, const struct cli_top_rows *rows)
{
    struct trod_online_need need = need_of(rows);

    trod_online_head(
        sink, rows->names.subpaths, rows->n, rows->nall, &rows->top->options);
    for (size_t i = 0; i < rows->n; i++) {
        put(sink, rows, rows->at[i]);
        trod_put(sink, "\n");
    }
    trod_online_foot(sink, rows->names.subpaths, &need, &rows->top->options);
}

const struct cli_top_kind cli_top_subpaths = {
    .word = "subpaths",
    .keys = "q quit  s sort  / filter  f %s  b blocks  w write  o on/off  - slower  + "
            "faster  r reset  arrows move",
    .rows_word = rows_word,
    .build = build,
    .put = put,
    .put_title = put_title,
    .put_order = put_order,
    .put_all = put_all,
    .turn = turn,
};
