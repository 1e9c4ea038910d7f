#include "report/report.h"

#include <inttypes.h>
#include <stdio.h>

/* Rows are what was timed in both profiles; a change is certain if its chance is at most the threshold. */
struct comparison {
    struct trod_rows rows;
    double threshold;
    size_t nslower, nfaster;
    size_t nalone; /* paths that were timed in one profile only */
};

static bool is_certain(const struct comparison *c, const struct trod_row *row)
{
    return row->change.chance <= c->threshold;
}

static const char *word_of(const struct comparison *c, const struct trod_row *row)
{
    if (!is_certain(c, row))
        return "uncertain";
    return row->change.more > 0 ? "slower" : "faster";
}

static void find_certain(struct comparison *c)
{
    struct trod_mark mark = trod_arena_mark(c->rows.mem);
    double *chance = trod_new(c->rows.mem, double, c->rows.count);

    for (size_t i = 0; i < c->rows.count; i++)
        chance[i] = c->rows.row[i].change.chance;
    c->threshold = trod_times_threshold(chance, c->rows.count, c->rows.mem);
    trod_arena_rewind(c->rows.mem, mark);
    for (size_t i = 0; i < c->rows.count; i++)
        if (is_certain(c, &c->rows.row[i])) {
            c->nslower += c->rows.row[i].change.more > 0;
            c->nfaster += c->rows.row[i].change.more <= 0;
        }
}

static void build(struct comparison *out, const struct trod_profile_diff *diff,
    const struct trod_times *a, const struct trod_times *b, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    *out = (struct comparison){0};
    trod_rows_init(&out->rows, map, options, mem);
    out->rows.times = a;
    out->rows.times_b = b;
    out->rows.keep_same = true;
    for (size_t i = 0; i < diff->nfunction; i++) {
        const struct trod_diff_function *f = &diff->function[i];

        for (size_t j = 0; j < f->npath; j++) {
            out->nalone += !trod_times_find(a, &f->function, f->path[j].id) !=
                           !trod_times_find(b, &f->function, f->path[j].id);
            trod_rows_add(
                &out->rows, &f->function, f->path[j].id, f->path[j].a, f->path[j].b);
        }
    }
    trod_rows_finish(&out->rows);
    find_certain(out);
}

/* Only certain changes are listed; the largest come first. */
static void keep_certain(
    struct comparison *c, const struct trod_report_options *options)
{
    size_t most = options->most ? options->most : TROD_REPORT_MOST, n = 0;

    for (size_t i = 0; i < c->rows.count; i++)
        if (is_certain(c, &c->rows.row[i]))
            c->rows.row[n++] = c->rows.row[i];
    c->rows.count = n;
    c->rows.nlisted = n < most ? n : most;
}

/* --- text -------------------------------------------------------------------------------------- */

static void put_time(
    struct trod_sink *sink, const struct comparison *c, int width, double nanoseconds)
{
    static const struct trod_times clock = {.ticks = 1, .nanoseconds = 1};
    char text[2 + TROD_TIME_TEXT], sign[2] = "";

    if (nanoseconds < 0)
        sign[0] = '-', nanoseconds = -nanoseconds;
    snprintf(text, sizeof text, "%s%s", sign,
        trod_time_text((char[TROD_TIME_TEXT]){0}, &clock, nanoseconds));
    trod_put_coloured(sink, &c->rows.options->style, TROD_COLOUR_COUNT, width, text);
}

enum { NAME_COLUMN = 48 };

/* Three columns for the mean before, the mean after and its change, one for the sum. */
static void put_change(
    struct trod_sink *sink, const struct comparison *c, const struct trod_row *row)
{
    const struct trod_time_change *change = &row->change;
    char text[32] = "-";

    if (change->before > 0)
        snprintf(text, sizeof text, "%+.1f%%",
            100 * (change->after - change->before) / change->before);
    trod_put(sink, "%-8s", word_of(c, row));
    put_time(sink, c, 8, change->before);
    put_time(sink, c, 9, change->after);
    trod_put(sink, " %9s ", text);
    put_time(sink, c, 9, change->more);
    trod_put(sink, "  ");
}

static void put_rows(struct trod_sink *sink, const struct comparison *c)
{
    bool cut = false, detailed = trod_rows_detailed(&c->rows);

    if (c->rows.nlisted)
        trod_put(sink, "          before    after    change      more  %s\n",
            c->rows.options->group ? trod_rows_word(&c->rows) : "function and path");
    for (size_t i = 0; i < c->rows.nlisted; i++) {
        const struct trod_row *row = &c->rows.row[i];

        put_change(sink, c, row);
        if (detailed) {
            cut |= trod_row_put_path(sink, &c->rows, row, NAME_COLUMN);
            continue;
        }
        trod_row_put(sink, &c->rows, row);
        trod_put(sink, "\n");
    }
    trod_rows_put_notes(sink, &c->rows, cut);
}

void trod_report_compare_times(struct trod_sink *sink,
    const struct trod_profile_diff *diff, const struct trod_times *a,
    const struct trod_times *b, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    struct comparison c;
    size_t n;

    build(&c, diff, a, b, map, options, mem);
    n = c.rows.count;
    keep_certain(&c, options);
    trod_put(sink,
        "# times of %zu %s in both profiles: %zu slower, %zu faster, %zu not certain\n",
        n, trod_rows_word(&c.rows), c.nslower, c.nfaster, n - c.rows.count);
    if (c.nalone)
        trod_put(sink, "# %zu paths were timed in one profile only\n", c.nalone);
    if (c.rows.nlisted < c.rows.count)
        trod_put(sink, "# the first %zu of %zu\n", c.rows.nlisted, c.rows.count);
    put_rows(sink, &c);
    trod_put(sink,
        "# before, after: the mean own time, without callees; more: what all executions\n"
        "#   after took beyond the mean before. At most one change in twenty is due to\n"
        "#   the choice of what was timed. Machines and runs differ, too: 'trod merge'\n"
        "#   several runs of each before comparing\n");
}

/* --- JSON -------------------------------------------------------------------------------------- */

static void row_json(
    struct trod_json *json, const struct comparison *c, const struct trod_row *row)
{
    const struct trod_time_change *change = &row->change;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "what", word_of(c, row));
    trod_row_json(json, &c->rows, row);
    trod_json_real(json, "before", change->before);
    trod_json_real(json, "after", change->after);
    trod_json_real(json, "more", change->more);
    if (change->error >= 0) {
        trod_json_real(json, "error", change->error);
        trod_json_real(json, "chance", change->chance);
    }
    trod_json_open(json, "a", '{');
    trod_time_json(json, c->rows.times, row->time);
    trod_json_close(json, '}');
    trod_json_open(json, "b", '{');
    trod_time_json(json, c->rows.times_b, row->time_b);
    trod_json_close(json, '}');
    trod_json_close(json, '}');
}

void trod_report_compare_times_json(struct trod_json *json, const char *key,
    const struct trod_profile_diff *diff, const struct trod_times *a,
    const struct trod_times *b, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    struct trod_report_options all = *options;
    struct comparison c;

    if (!all.most)
        all.most = SIZE_MAX;
    build(&c, diff, a, b, map, &all, mem);
    trod_json_open(json, key, '{');
    trod_json_text(json, "unit", "nanoseconds");
    trod_json_uint(json, "slower", c.nslower);
    trod_json_uint(json, "faster", c.nfaster);
    trod_json_uint(json, "timed_once", c.nalone);
    trod_json_open(json, trod_rows_word(&c.rows), '[');
    for (size_t i = 0; i < c.rows.nlisted; i++)
        row_json(json, &c, &c.rows.row[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
