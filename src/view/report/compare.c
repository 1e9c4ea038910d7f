#include "report/report.h"

#include <inttypes.h>

/* The paths whose counts differ. Groups sum up all of their paths. */
static void build(struct trod_rows *out, const struct trod_profile_diff *diff,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    trod_rows_init(out, map, options, mem);
    for (size_t i = 0; i < diff->nfunction; i++) {
        const struct trod_diff_function *f = &diff->function[i];

        for (size_t j = 0; j < f->npath; j++)
            if (options->group || f->path[j].a != f->path[j].b)
                trod_rows_add(
                    out, &f->function, f->path[j].id, f->path[j].a, f->path[j].b);
    }
    trod_rows_finish(out);
}

/* A group is listed if some path of it moved, even if its sums are equal. */
static const char *word_of(const struct trod_row *row)
{
    if (!row->count[0])
        return "appeared";
    return row->count[1] ? "moved" : "vanished";
}

/* The counts before and after, then the weights if rows are sorted by weight. */
static void put_counts(struct trod_sink *sink, const struct trod_rows *rows,
    const struct trod_row *row, int width)
{
    const struct trod_style *style = &rows->options->style;

    for (int i = 0; i < 2; i++) {
        trod_put(sink, " ");
        trod_put_count(sink, style, width, row->count[i]);
    }
    trod_put(sink, "  ");
    if (rows->options->sort != TROD_SORT_WEIGHT)
        return;
    trod_put_count(sink, style, width, row->weight[0]);
    trod_put(sink, " ");
    trod_put_count(sink, style, width, row->weight[1]);
    trod_put(sink, "  ");
}

enum { NAME_COLUMN = 26, WEIGHT_COLUMNS = 17, SHORT_COUNT = 7, LONG_COUNT = 12 };

static void put_rows(struct trod_sink *sink, const struct trod_rows *rows)
{
    bool cut = false, detailed = trod_rows_detailed(rows);
    unsigned column =
        NAME_COLUMN + (rows->options->sort == TROD_SORT_WEIGHT ? WEIGHT_COLUMNS : 0);

    if (detailed && rows->nlisted)
        trod_put(sink, "           before   after  %sfunction\n",
            rows->options->sort == TROD_SORT_WEIGHT ? " weight          " : "");
    for (size_t i = 0; i < rows->nlisted; i++) {
        const struct trod_row *row = &rows->row[i];

        trod_put(sink, "%-8s", word_of(row));
        put_counts(sink, rows, row, detailed ? SHORT_COUNT : LONG_COUNT);
        if (detailed) {
            cut |= trod_row_put_path(sink, rows, row, column);
            continue;
        }
        if (rows->options->group)
            trod_put(sink, "%8" PRIu64 "  ", row->npath);
        trod_row_put(sink, rows, row);
        trod_put(sink, "\n");
    }
    trod_rows_put_notes(sink, rows, cut);
}

void trod_report_compare(struct trod_sink *sink, const struct trod_profile_diff *diff,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    struct trod_rows rows;

    build(&rows, diff, map, options, mem);
    trod_put(sink,
        "# paths: %" PRIu64 " appeared, %" PRIu64 " vanished, %" PRIu64
        " moved, %" PRIu64 " same\n",
        diff->npath_of_kind[TROD_DIFF_APPEARED],
        diff->npath_of_kind[TROD_DIFF_VANISHED], diff->npath_of_kind[TROD_DIFF_MOVED],
        diff->npath_of_kind[TROD_DIFF_SAME]);
    if (diff->npath_of_kind[TROD_DIFF_CHANGED])
        trod_put(sink,
            "# %" PRIu64
            " more belong to functions that changed and cannot be compared\n",
            diff->npath_of_kind[TROD_DIFF_CHANGED]);
    if (diff->nunknown)
        trod_put(sink,
            "# %" PRIu64
            " paths are omitted: they ran in one profile and are not counted in the other\n",
            diff->nunknown);
    if (rows.nlisted < rows.count)
        trod_put(sink, "# %zu of %zu %s%s\n", rows.nlisted, rows.count,
            trod_rows_word(&rows),
            options->sort > TROD_SORT_WEIGHT ? "" : ", those that moved farthest");
    put_rows(sink, &rows);
}

void trod_report_compare_json(struct trod_json *json, const char *key,
    const struct trod_profile_diff *diff, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    struct trod_report_options all = *options;
    struct trod_rows rows;

    if (!all.most)
        all.most = SIZE_MAX;
    build(&rows, diff, map, &all, mem);
    trod_json_open(json, key, '{');
    trod_json_uint(json, "appeared", diff->npath_of_kind[TROD_DIFF_APPEARED]);
    trod_json_uint(json, "vanished", diff->npath_of_kind[TROD_DIFF_VANISHED]);
    trod_json_uint(json, "moved", diff->npath_of_kind[TROD_DIFF_MOVED]);
    trod_json_uint(json, "same", diff->npath_of_kind[TROD_DIFF_SAME]);
    if (diff->npath_of_kind[TROD_DIFF_CHANGED])
        trod_json_uint(json, "changed", diff->npath_of_kind[TROD_DIFF_CHANGED]);
    if (diff->nunknown)
        trod_json_uint(json, "not_counted", diff->nunknown);
    trod_json_open(json, trod_rows_word(&rows), '[');
    for (size_t i = 0; i < rows.nlisted; i++) {
        const struct trod_row *row = &rows.row[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "what", word_of(row));
        trod_row_json(json, &rows, row);
        trod_json_uint(json, "a", row->count[0]);
        trod_json_uint(json, "b", row->count[1]);
        if (row->entry) {
            trod_json_uint(json, "weight_a", row->weight[0]);
            trod_json_uint(json, "weight_b", row->weight[1]);
        }
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
