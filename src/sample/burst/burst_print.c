#include "burst/burst.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rows ---------------------------------------------------------------------------------------- */

struct table {
    const struct trod_bursts *burst;
    enum trod_bursts_kind kind;
    const struct trod_bursts_options *options;
    struct trod_bursts_member *row;
    size_t nrow, nlisted;
    uint64_t total; /* of all members, listed or not */
    bool exact;
};

static bool wants(
    const struct trod_bursts_options *o, const struct trod_bursts_member *row)
{
    return !o->wants || o->wants(row->function, o->ctx) ||
           (row->call && o->wants(row->call->callee, o->ctx));
}

/* Hottest first, then by identity. */
TROD_ORDER(by_count, struct trod_bursts_member, TROD_DOWN(count),
    trod_bursts_compare_members(a, b))

static int by_mean(const void *x, const void *y)
{
    const struct trod_bursts_member *a = x, *b = y;
    double mean[2] = {trod_bursts_mean(a->loop), trod_bursts_mean(b->loop)};
    int by = (mean[0] < mean[1]) - (mean[0] > mean[1]);

    return by ? by : by_count(a, b);
}

TROD_ORDER(by_function, struct trod_bursts_member, TROD_ALPHABETIC(function),
    TROD_ALPHABETIC(file), by_count(a, b))

TROD_ORDER(by_file, struct trod_bursts_member, TROD_ALPHABETIC(file), by_function(a, b))

static void build(struct table *out, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_bursts_options *options,
    struct trod_arena *mem)
{
    static int (*const order[])(const void *, const void *) = {
        [TROD_BURST_BY_COUNT] = by_count,
        [TROD_BURST_BY_MEAN] = by_mean,
        [TROD_BURST_BY_FUNCTION] = by_function,
        [TROD_BURST_BY_FILE] = by_file,
    };
    size_t most = options->most ? options->most : TROD_REPORT_MOST;
    size_t n;

    *out = (struct table){.burst = burst,
        .kind = kind,
        .options = options,
        .exact = trod_bursts_is_exact(burst)};
    n = trod_bursts_members(&out->row, burst, kind, mem);
    for (size_t i = 0; i < n; i++) {
        out->total = trod_sat_add(out->total, out->row[i].count);
        if (wants(options, &out->row[i]))
            out->row[out->nrow++] = out->row[i];
    }
    trod_sort(out->row, out->nrow, order[options->sort]);
    out->nlisted = out->nrow < most ? out->nrow : most;
}

static double share(const struct table *t, uint64_t part)
{
    return t->total ? (double)part / (double)t->total : 0;
}

static double error_of(const struct table *t, const struct trod_bursts_member *row)
{
    return trod_bursts_error(t->burst, trod_bursts_kind_type(t->kind), row->count);
}

/* --- as text ------------------------------------------------------------------------------------------ */

static void put_count(
    struct trod_sink *sink, const struct table *t, int width, uint64_t count)
{
    char text[32], digits[TROD_COUNT_TEXT];

    snprintf(text, sizeof text, "%s%s", t->exact || !count ? "" : "~",
        trod_count_text(digits, count, t->exact));
    trod_put(sink, "%*s", width, text);
}

static void put_head(struct trod_sink *sink, const struct table *t)
{
    static const char *const columns[] = {
        [TROD_BURST_OF_METHODS] =
            "      events      entered   iterations  function and file",
        [TROD_BURST_OF_CALLS] = "       count  caller, place and callee",
        [TROD_BURST_OF_PAIRS] = "       count  caller, file and callee",
        [TROD_BURST_OF_LOOPS] =
            "  iterations      entered      mean depth  function, loop and place",
    };
    static const char *const of[] = {
        [TROD_BURST_OF_METHODS] = "events",
        [TROD_BURST_OF_CALLS] = "times",
        [TROD_BURST_OF_PAIRS] = "times",
        [TROD_BURST_OF_LOOPS] = "iterations",
    };

    trod_report_how(sink, t->burst->how, t->burst->nhow);
    trod_put(sink, "# %zu of %zu %s that ran%s, ", t->nlisted, t->nrow,
        trod_bursts_kind_name(t->kind), t->options->wants ? " and were chosen" : "");
    put_count(sink, t, 0, t->total);
    trod_put(sink, " %s in all\n", of[t->kind]);
    trod_put(
        sink, "share    all %s %s\n", t->exact ? "" : "   error", columns[t->kind]);
}

static void put_error(
    struct trod_sink *sink, const struct table *t, const struct trod_bursts_member *row)
{
    double error = 100 * error_of(t, row);

    if (t->exact)
        return;
    if (error < 0)
        trod_put(sink, "       -");
    else if (error < 100)
        trod_put(sink, " %6.1f%%", error);
    else
        trod_put(sink, "   >100%%");
}

static void put_trips(
    struct trod_sink *sink, const struct table *t, const struct trod_bursts_loop *loop)
{
    const char *before = "  trips ";

    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++) {
        uint64_t from = UINT64_C(1) << i;

        if (!loop->ntrip[i])
            continue;
        trod_put(sink, "%s%" PRIu64, before, from);
        if (i + 1 == TROD_BURST_TRIPS_MOST)
            trod_put(sink, "-");
        else if (i)
            trod_put(sink, "-%" PRIu64, from + (from - 1));
        trod_put(sink, ":");
        put_count(sink, t, 0, loop->ntrip[i]);
        before = " ";
    }
}

static void put_loop(
    struct trod_sink *sink, const struct table *t, const struct trod_bursts_loop *loop)
{
    trod_put(sink, " ");
    put_count(sink, t, 12, loop->nenter);
    if (loop->nenter)
        trod_put(sink, " %9.1f", trod_bursts_mean(loop));
    else
        trod_put(sink, "         -");
    trod_put(sink, " %5" PRIu32, loop->depth);
}

static void put_row(
    struct trod_sink *sink, const struct table *t, const struct trod_bursts_member *row)
{
    trod_put(sink, " ");
    put_count(sink, t, 12, row->count);
    if (row->method) {
        trod_put(sink, " ");
        put_count(sink, t, 12, row->method->nentry);
        trod_put(sink, " ");
        put_count(sink, t, 12, row->method->nagain);
    }
    if (row->loop)
        put_loop(sink, t, row->loop);
    trod_put(sink, "  ");
    trod_bursts_member_put(sink, row);
    if (row->loop)
        put_trips(sink, t, row->loop);
}

void trod_bursts_report(struct trod_sink *sink, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_bursts_options *options,
    struct trod_arena *mem)
{
    struct table t;
    uint64_t sum = 0;

    build(&t, burst, kind, options, mem);
    put_head(sink, &t);
    for (size_t i = 0; i < t.nlisted; i++) {
        const struct trod_bursts_member *row = &t.row[i];

        sum = trod_sat_add(sum, row->count);
        trod_put(
            sink, "%5.1f%% %5.1f%%", 100 * share(&t, row->count), 100 * share(&t, sum));
        put_error(sink, &t, row);
        put_row(sink, &t, row);
        trod_put(sink, "\n");
    }
    if (burst->nunknown)
        trod_put(sink,
            "# %" PRIu64
            " events have an unknown type; a later version of trod may support them\n",
            burst->nunknown);
}

/* --- as JSON -------------------------------------------------------------------------------------------- */

static void json_loop(struct trod_json *json, const struct trod_bursts_loop *loop)
{
    trod_json_uint(json, "entered", loop->nenter);
    trod_json_uint(json, "again", loop->nagain);
    if (loop->nenter)
        trod_json_real(json, "mean", trod_bursts_mean(loop));
    trod_json_open(json, "trips", '[');
    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++) {
        uint64_t from = UINT64_C(1) << i;

        if (!loop->ntrip[i])
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "from", from);
        if (i + 1 < TROD_BURST_TRIPS_MOST)
            trod_json_uint(json, "to", from + (from - 1));
        trod_json_uint(json, "visits", loop->ntrip[i]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_row(
    struct trod_json *json, const struct table *t, const struct trod_bursts_member *row)
{
    trod_json_open(json, NULL, '{');
    trod_bursts_member_json(json, row);
    if (row->method) {
        trod_json_uint(json, "entered", row->method->nentry);
        trod_json_uint(json, "again", row->method->nagain);
    }
    if (row->loop)
        json_loop(json, row->loop);
    trod_json_uint(json, "count", row->count);
    trod_json_real(json, "share", share(t, row->count));
    if (!t->exact && error_of(t, row) >= 0)
        trod_json_real(json, "error", error_of(t, row));
    trod_json_close(json, '}');
}

void trod_bursts_json(struct trod_json *json, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, const struct trod_bursts_options *options,
    struct trod_arena *mem)
{
    struct table t;

    build(&t, burst, kind, options, mem);
    trod_json_text(json, "program", burst->name);
    trod_json_bool(json, "exact", t.exact);
    trod_report_how_json(json, burst->how, burst->nhow);
    trod_json_uint(json, "total", t.total);
    trod_json_uint(json, "chosen", t.nrow);
    trod_json_open(json, trod_bursts_kind_name(kind), '[');
    for (size_t i = 0; i < t.nlisted; i++)
        json_row(json, &t, &t.row[i]);
    trod_json_close(json, ']');
    if (burst->nunknown)
        trod_json_uint(json, "unknown", burst->nunknown);
}
