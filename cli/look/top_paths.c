#include "look/look.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Rows of trod top: paths of programs that count them, all or in bursts, and what ran since the last look. Shares are of that,
 * so they add up to 100 percent. If nothing ran before, it is what ran since the beginning.
 */

/* Rows with a larger error are left out, and counted. */
static const double useful_error = 0.5;

static const char *const order_word[] = {
    [CLI_TOP_BY_RATE] = "rate",
    [CLI_TOP_BY_COUNT] = "count",
    [CLI_TOP_BY_TIME] = "time",
    [CLI_TOP_BY_FUNCTION] = "function",
};

static const char *const group_word[] = {
    [TROD_GROUP_NONE] = "paths",
    [TROD_GROUP_FUNCTION] = "functions",
    [TROD_GROUP_FILE] = "files",
    [TROD_GROUP_LOOP] = "loops and entries",
};

/* --- what ran since the last look -------------------------------------------------------------- */

/* A count that decreased began anew. */
static uint64_t since(uint64_t before, uint64_t now)
{
    return now < before ? now : now - before;
}

static void add_paths(struct cli_top_rows *out, const struct trod_profile *profile,
    struct trod_arena *mem)
{
    struct trod_hot hot;

    trod_profile_hot_joined(&hot, profile, SIZE_MAX, mem);
    for (size_t i = 0; i < hot.npath; i++)
        trod_rows_add(&out->rows,
            &profile->module[hot.path[i].module].function[hot.path[i].function],
            hot.path[i].id, 0, hot.path[i].count);
}

static void add_changes(struct cli_top_rows *out, const struct trod_profile_diff *diff)
{
    for (size_t i = 0; i < diff->nfunction; i++)
        for (size_t k = 0; k < diff->function[i].npath; k++) {
            const struct trod_diff_path *path = &diff->function[i].path[k];

            trod_rows_add(
                &out->rows, &diff->function[i].function, path->id, path->a, path->b);
        }
}

static void find_times(struct cli_top_rows *out, const struct trod_profile *before,
    const struct trod_profile *now, struct trod_arena *mem)
{
    struct trod_times a, b;

    if (!trod_profile_has_times(now))
        return;
    trod_times_build(&b, now, mem);
    if (before)
        trod_times_build(&a, before, mem);
    trod_times_since(&out->times, before ? &a : NULL, &b, mem);
    out->rows.times = &out->times;
}

static double spread_of(const struct trod_profile *profile)
{
    double spread = 0;

    for (uint32_t i = 0; i < profile->nburst; i++)
        spread = fmax(spread, trod_burst_spread(&profile->burst[i], TROD_BURST_PATHS));
    return spread;
}

static double error_of_count(const struct cli_top_rows *rows, uint64_t count)
{
    return count ? 1.96 * sqrt(rows->spread / (double)count) : 0;
}

static bool is_by_time(const struct cli_top_rows *rows)
{
    return rows->top->order == CLI_TOP_BY_TIME && rows->rows.times;
}

/* Of what a row is shown for: its own time, or its executions. An unknown one is not useful. */
static double error_of(
    const struct cli_top_rows *rows, const struct trod_row *row, uint64_t more)
{
    double error;

    if (!is_by_time(rows))
        return error_of_count(rows, more);
    error = row->time ? trod_times_error(&rows->times, row->time) : 0;
    return error < 0 ? INFINITY : error;
}

/* What shares are of. */
static uint64_t weight_of(
    const struct cli_top_rows *rows, const struct trod_row *row, uint64_t more)
{
    return is_by_time(rows) ? trod_row_own(row) : more;
}

/* --- rows ------------------------------------------------------------------------------------------ */

static int by_rate(const struct cli_top_path *a, const struct cli_top_path *b)
{
    int by = trod_compare(b->more, a->more);

    by = by ? by : trod_compare(b->row->count[1], a->row->count[1]);
    return by ? by : trod_compare(a->row->order, b->row->order);
}

TROD_ORDER(in_order_rate, struct cli_top_path, by_rate(a, b))
TROD_ORDER(in_order_count, struct cli_top_path,
    trod_compare(b->row->count[1], a->row->count[1]), by_rate(a, b))
TROD_ORDER(in_order_time, struct cli_top_path,
    trod_compare(trod_row_own(b->row), trod_row_own(a->row)), by_rate(a, b))
TROD_ORDER(in_order_function, struct cli_top_path,
    strcmp(a->row->function, b->row->function), by_rate(a, b))

static void list(struct cli_top_rows *out, struct trod_arena *mem)
{
    static int (*const order[])(const void *, const void *) = {
        [CLI_TOP_BY_RATE] = in_order_rate,
        [CLI_TOP_BY_COUNT] = in_order_count,
        [CLI_TOP_BY_TIME] = in_order_time,
        [CLI_TOP_BY_FUNCTION] = in_order_function,
    };
    size_t n = 0;

    out->path = trod_new(mem, struct cli_top_path, out->rows.count);
    for (size_t i = 0; i < out->rows.count; i++) {
        const struct trod_row *row = &out->rows.row[i];
        uint64_t more = since(row->count[0], row->count[1]);

        if (!row->count[1])
            continue;
        out->nall++;
        out->total = trod_sat_add(out->total, more);
        out->weight = trod_sat_add(out->weight, weight_of(out, row, more));
        if (error_of(
                out, row, out->top->order == CLI_TOP_BY_COUNT ? row->count[1] : more) >
            useful_error) {
            out->nvague++;
            out->vague = trod_sat_add(out->vague, weight_of(out, row, more));
            continue;
        }
        out->path[n++] = (struct cli_top_path){.row = row, .more = more};
    }
    trod_sort(out->path, n, order[out->top->order]);
    cli_top_rows_all(out, n, mem);
}

static bool build(
    struct cli_top_rows *out, const struct cli_top *top, struct trod_arena *mem)
{
    static const char *const what[] = {
        [TROD_GROUP_NONE] = "function and path",
        [TROD_GROUP_FUNCTION] = "function and file",
        [TROD_GROUP_FILE] = "file",
        [TROD_GROUP_LOOP] = "function, where paths begin, and file",
    };
    const struct cli_picture *now = &top->picture[top->now],
                             *before = &top->picture[!top->now];
    struct trod_profile_diff diff;

    if (!before->is_there || top->ended)
        before = NULL;
    if (before &&
        !trod_profile_diff(&diff, &before->profile, &now->profile, mem, &top->cli->err))
        return false;
    out->report = (struct trod_report_options){.most = SIZE_MAX,
        .group = top->group,
        .blocks = top->options.blocks,
        .wants = top->options.wants,
        .ctx = top->options.ctx};
    trod_rows_init(&out->rows, &top->map, &out->report, mem);
    out->rows.keep_same = true;
    out->seconds = before ? now->at - before->at : 0;
    out->spread = spread_of(&now->profile);
    find_times(out, before ? &before->profile : NULL, &now->profile, mem);
    if (before)
        add_changes(out, &diff);
    else
        add_paths(out, &now->profile, mem);
    trod_rows_finish(&out->rows);
    list(out, mem);
    out->head = trod_format(mem, "  rate/s  share     +-    count  %s%s",
        out->rows.times ? "  time    mean     p99  " : "", what[top->group]);
    return true;
}

/* --- text ------------------------------------------------------------------------------------------ */

static void put_count(
    struct trod_sink *sink, const struct cli_top_rows *rows, uint64_t count)
{
    char text[1 + TROD_COUNT_TEXT] = "~";

    trod_count_text(text + 1, count, false);
    trod_put(sink, "%8s ", rows->spread > 0 ? text : text + 1);
}

static void put_rate(
    struct trod_sink *sink, const struct cli_top_rows *rows, uint64_t more)
{
    if (rows->seconds > 0)
        put_count(sink, rows, (uint64_t)llround((double)more / rows->seconds));
    else
        trod_put(sink, "%8s ", "-");
}

static double share_of(const struct cli_top_rows *rows, uint64_t weight)
{
    return rows->weight ? (double)weight / (double)rows->weight : 0;
}

static void put_times(struct trod_sink *sink, const struct cli_top_rows *rows,
    const struct trod_time *time)
{
    char text[3][TROD_TIME_TEXT];

    if (!time) {
        trod_put(sink, " %7s %7s %7s", "-", "-", "-");
        return;
    }
    trod_put(sink, " %7s %7s %7s",
        trod_time_text(text[0], &rows->times, (double)time->own),
        trod_time_text(text[1], &rows->times, trod_time_mean(time)),
        trod_time_text(text[2], &rows->times, trod_time_quantile(time, 0.99)));
}

static void put(struct trod_sink *sink, const struct cli_top_rows *rows, size_t i)
{
    const struct cli_top_path *path = &rows->path[i];

    put_rate(sink, rows, path->more);
    trod_put(
        sink, "%5.1f%% ", 100 * share_of(rows, weight_of(rows, path->row, path->more)));
    if (rows->spread > 0)
        trod_put(sink, "%5.1f%% ", 100 * error_of(rows, path->row, path->more));
    else
        trod_put(sink, "%6s ", "");
    put_count(sink, rows, path->row->count[1]);
    if (rows->rows.times)
        put_times(sink, rows, path->row->time);
    trod_put(sink, rows->rows.times ? "  " : " ");
    trod_row_put(sink, &rows->rows, path->row);
}

static void put_title(struct trod_sink *sink, const struct cli_top_rows *rows)
{
    char text[TROD_COUNT_TEXT];

    trod_put(sink, "%s%s paths ", rows->spread > 0 ? "~" : "",
        trod_count_text(text, rows->total, false));
    if (rows->seconds > 0)
        trod_put(sink, "in the last %.1f s", rows->seconds);
    else
        trod_put(sink, "since it began");
}

static void put_order(struct trod_sink *sink, const struct cli_top *top)
{
    trod_put(sink, "%s by %s", group_word[top->group], order_word[top->order]);
}

static const char *rows_word(const struct cli_top *top)
{
    return group_word[top->group];
}

static bool turn(struct cli_top *top, int key)
{
    static const enum trod_report_group next_group[] = {
        [TROD_GROUP_NONE] = TROD_GROUP_LOOP,
        [TROD_GROUP_LOOP] = TROD_GROUP_FUNCTION,
        [TROD_GROUP_FUNCTION] = TROD_GROUP_FILE,
        [TROD_GROUP_FILE] = TROD_GROUP_NONE,
    };

    if (key == 's')
        top->order = (enum cli_top_order)((top->order + 1) % (CLI_TOP_BY_FUNCTION + 1));
    else if (key == 'g')
        top->group = next_group[top->group];
    else if (key == 'b')
        top->options.blocks = !top->options.blocks;
    else
        return false;
    if (top->order == CLI_TOP_BY_TIME &&
        !trod_profile_has_times(&top->picture[top->now].profile))
        top->order = CLI_TOP_BY_FUNCTION;
    return true;
}

static void put_all(struct trod_sink *sink, const struct cli_top_rows *rows)
{
    trod_put(sink, "# ");
    put_title(sink, rows);
    trod_put(sink, "; %zu of %zu %s\n%s\n", rows->n, rows->nall,
        group_word[rows->top->group], rows->head);
    for (size_t i = 0; i < rows->n; i++) {
        put(sink, rows, rows->at[i]);
        trod_put(sink, "\n");
    }
    if (rows->nvague)
        trod_put(sink,
            "# %zu more, %.1f%%, with an error above %.0f%%: too few of them were sampled\n",
            rows->nvague, 100 * share_of(rows, rows->vague), 100 * useful_error);
}

/* --- JSON ------------------------------------------------------------------------------------------ */

static void row_json(struct trod_json *json, const struct cli_top_rows *rows, size_t i)
{
    const struct cli_top_path *path = &rows->path[i];

    trod_json_open(json, NULL, '{');
    trod_row_json(json, &rows->rows, path->row);
    trod_json_uint(json, "more", path->more);
    if (rows->seconds > 0)
        trod_json_real(json, "rate", (double)path->more / rows->seconds);
    trod_json_real(
        json, "share", share_of(rows, weight_of(rows, path->row, path->more)));
    trod_json_real(json, "error", error_of(rows, path->row, path->more));
    trod_json_uint(json, "count", path->row->count[1]);
    trod_row_time_json(json, &rows->rows, path->row);
    trod_json_close(json, '}');
}

void cli_top_paths_json(struct trod_json *json, const struct cli_top_rows *rows)
{
    trod_json_real(json, "seconds", rows->seconds);
    trod_json_uint(json, "more", rows->total);
    trod_json_bool(json, "exact", rows->spread <= 0);
    trod_json_uint(json, "uncertain", rows->nvague);
    trod_json_open(json, trod_rows_word(&rows->rows), '[');
    for (size_t i = 0; i < rows->n; i++)
        row_json(json, rows, rows->at[i]);
    trod_json_close(json, ']');
}

const struct cli_top_kind cli_top_paths = {
    .word = "paths",
    .keys = "q quit  s sort  g group  / filter  f %s  b blocks  w write  o on/off  r "
            "reset  arrows move",
    .rows_word = rows_word,
    .build = build,
    .put = put,
    .put_title = put_title,
    .put_order = put_order,
    .put_all = put_all,
    .turn = turn,
};
