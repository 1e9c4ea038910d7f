#include "burst/burst.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rows ---------------------------------------------------------------------------------------- */

/* One of the three, by kind. */
struct row {
    const struct trod_burst_method *method;
    const struct trod_burst_call *call;
    const struct trod_burst_loop *loop;
    const char *function, *file;
    uint64_t count;
    double mean; /* rounds of a visit; 0: none is known */
    size_t order;
};

struct table {
    const struct trod_burst *burst;
    enum trod_burst_kind kind;
    const struct trod_burst_options *options;
    struct row *row;
    size_t nrow, nlisted;
    uint64_t total; /* of all, wanted or not */
    bool exact;
};

static enum trod_burst_type type_of(enum trod_burst_kind kind)
{
    static const enum trod_burst_type type[] = {
        [TROD_BURST_OF_METHODS] = TROD_BURST_METHODS,
        [TROD_BURST_OF_CALLS] = TROD_BURST_CALLS,
        [TROD_BURST_OF_PAIRS] = TROD_BURST_CALLS,
        [TROD_BURST_OF_LOOPS] = TROD_BURST_TRIPS,
    };

    return type[kind];
}

static bool wants(const struct table *t, const struct row *row)
{
    const struct trod_burst_options *o = t->options;

    return !o->wants || o->wants(row->function, o->ctx) ||
           (row->call && o->wants(row->call->callee, o->ctx));
}

static void offer(struct table *t, struct row row)
{
    t->total = trod_sat_add(t->total, row.count);
    row.order = t->nrow;
    if (wants(t, &row))
        t->row[t->nrow++] = row;
}

static void list_methods(struct table *t, struct trod_arena *mem)
{
    t->row = trod_new(mem, struct row, t->burst->nmethod);
    for (size_t i = 0; i < t->burst->nmethod; i++) {
        const struct trod_burst_method *m = &t->burst->method[i];

        offer(t, (struct row){.method = m,
                     .function = m->function,
                     .file = m->file,
                     .count = trod_burst_method_count(m)});
    }
}

static void list_calls(struct table *t, const struct trod_burst_call *call, size_t n,
    struct trod_arena *mem)
{
    t->row = trod_new(mem, struct row, n);
    for (size_t i = 0; i < n; i++)
        offer(t, (struct row){.call = &call[i],
                     .function = call[i].function,
                     .file = call[i].file,
                     .count = call[i].count});
}

static void list_loops(struct table *t, struct trod_arena *mem)
{
    t->row = trod_new(mem, struct row, t->burst->nloop);
    for (size_t i = 0; i < t->burst->nloop; i++) {
        const struct trod_burst_loop *l = &t->burst->loop[i];

        offer(
            t, (struct row){.loop = l,
                   .function = l->function,
                   .file = l->file,
                   .count = trod_burst_loop_count(l),
                   .mean = l->nenter ? 1 + (double)l->nagain / (double)l->nenter : 0});
    }
}

static int by_order(const struct row *a, const struct row *b)
{
    return (a->order > b->order) - (a->order < b->order);
}

static int by_mean(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int by = (a->mean < b->mean) - (a->mean > b->mean);

    return by ? by : by_order(a, b);
}

static int by_function(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int by = strcmp(a->function, b->function);

    by = by ? by : strcmp(a->file, b->file);
    return by ? by : by_order(a, b);
}

static int by_file(const void *x, const void *y)
{
    const struct row *a = x, *b = y;
    int by = strcmp(a->file, b->file);

    return by ? by : by_function(a, b);
}

/* The hottest come first as they are. */
static void sort(struct table *t)
{
    static int (*const order[])(const void *, const void *) = {
        [TROD_BURST_BY_MEAN] = by_mean,
        [TROD_BURST_BY_FUNCTION] = by_function,
        [TROD_BURST_BY_FILE] = by_file,
    };

    if (t->nrow && t->options->sort != TROD_BURST_BY_COUNT)
        qsort(t->row, t->nrow, sizeof *t->row, order[t->options->sort]);
}

static void build(struct table *out, const struct trod_burst *burst,
    enum trod_burst_kind kind, const struct trod_burst_options *options,
    struct trod_arena *mem)
{
    size_t most = options->most ? options->most : TROD_REPORT_MOST;
    struct trod_burst_call *pair;
    size_t npair;

    *out = (struct table){.burst = burst,
        .kind = kind,
        .options = options,
        .exact = trod_burst_is_exact(burst)};
    switch (kind) {
    case TROD_BURST_OF_METHODS:
        list_methods(out, mem);
        break;
    case TROD_BURST_OF_CALLS:
        list_calls(out, burst->call, burst->ncall, mem);
        break;
    case TROD_BURST_OF_PAIRS:
        trod_burst_pairs(&pair, &npair, burst, mem);
        list_calls(out, pair, npair, mem);
        break;
    case TROD_BURST_OF_LOOPS:
        list_loops(out, mem);
        break;
    }
    sort(out);
    out->nlisted = out->nrow < most ? out->nrow : most;
}

static double share(const struct table *t, uint64_t part)
{
    return t->total ? (double)part / (double)t->total : 0;
}

/* --- as text ------------------------------------------------------------------------------------------ */

static const char *word_of(enum trod_burst_kind kind)
{
    static const char *const word[] = {
        [TROD_BURST_OF_METHODS] = "functions",
        [TROD_BURST_OF_CALLS] = "calls",
        [TROD_BURST_OF_PAIRS] = "pairs",
        [TROD_BURST_OF_LOOPS] = "loops",
    };

    return word[kind];
}

static void put_count(
    struct trod_sink *sink, const struct table *t, int width, uint64_t count)
{
    char text[32];

    snprintf(text, sizeof text, "%s%" PRIu64, t->exact || !count ? "" : "~", count);
    trod_put(sink, "%*s", width, text);
}

static void put_head(struct trod_sink *sink, const struct table *t)
{
    static const char *const columns[] = {
        [TROD_BURST_OF_METHODS] =
            "      events      entered        again  function and file",
        [TROD_BURST_OF_CALLS] = "       count  caller, place and callee",
        [TROD_BURST_OF_PAIRS] = "       count  caller and callee",
        [TROD_BURST_OF_LOOPS] =
            "      rounds      entered      mean  depth  function, loop and place",
    };
    static const char *const of[] = {
        [TROD_BURST_OF_METHODS] = "events",
        [TROD_BURST_OF_CALLS] = "times",
        [TROD_BURST_OF_PAIRS] = "times",
        [TROD_BURST_OF_LOOPS] = "rounds",
    };

    trod_report_how(sink, t->burst->how, t->burst->nhow);
    trod_put(sink, "# %zu of %zu %s that ran%s, ", t->nlisted, t->nrow,
        word_of(t->kind), t->options->wants ? " and were chosen" : "");
    put_count(sink, t, 0, t->total);
    trod_put(sink, " %s in all\n", of[t->kind]);
    trod_put(
        sink, " share    all%s %s\n", t->exact ? "" : "   error", columns[t->kind]);
}

static void put_error(struct trod_sink *sink, const struct table *t, uint64_t count)
{
    double error = 100 * trod_burst_error(t->burst, type_of(t->kind), count);

    if (t->exact)
        return;
    if (error < 100)
        trod_put(sink, " %6.1f%%", error);
    else
        trod_put(sink, "   >100%%");
}

/* Names as people know them, in quotes only where they would be mistaken. */
static void put_name(struct trod_sink *sink, const char *name)
{
    bool plain = *name;

    for (const char *p = name; *p; p++)
        plain = plain && (unsigned char)*p > ' ' && *p != '"' && *p != 0x7f;
    if (plain)
        trod_put(sink, "%s", name);
    else
        trod_put_name(sink, name);
}

/* FILE:LINE:COLUMN, as far as they are known. */
static void put_place(
    struct trod_sink *sink, const char *file, uint32_t line, uint32_t column)
{
    put_name(sink, file);
    if (line)
        trod_put(sink, ":%" PRIu32, line);
    if (line && column)
        trod_put(sink, ":%" PRIu32, column);
}

static void put_trips(
    struct trod_sink *sink, const struct table *t, const struct row *row)
{
    const char *before = "  trips ";

    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++) {
        uint64_t from = UINT64_C(1) << i;

        if (!row->loop->ntrip[i])
            continue;
        trod_put(sink, "%s%" PRIu64, before, from);
        if (i)
            trod_put(sink, "-%" PRIu64, from + (from - 1));
        trod_put(sink, ":");
        put_count(sink, t, 0, row->loop->ntrip[i]);
        before = " ";
    }
}

static void put_call(
    struct trod_sink *sink, const struct table *t, const struct row *row)
{
    const struct trod_burst_call *call = row->call;

    put_name(sink, call->function);
    trod_put(sink, "  ");
    put_place(sink, call->file, call->line, call->column);
    trod_put(sink, " -> ");
    put_name(sink, call->callee);
    if (call->indirect && t->kind == TROD_BURST_OF_CALLS)
        trod_put(sink, " (indirect)");
}

static void put_loop(
    struct trod_sink *sink, const struct table *t, const struct row *row)
{
    put_count(sink, t, 12, row->loop->nenter);
    if (row->mean > 0)
        trod_put(sink, " %9.1f", row->mean);
    else
        trod_put(sink, "         -");
    trod_put(sink, " %6" PRIu32 "  ", row->loop->depth);
    put_name(sink, row->function);
    trod_put(sink, " loop %" PRIu32 "  ", row->loop->loop);
    put_place(sink, row->file, row->loop->line, 0);
    put_trips(sink, t, row);
}

static void put_row(
    struct trod_sink *sink, const struct table *t, const struct row *row)
{
    trod_put(sink, " ");
    put_count(sink, t, 12, row->count);
    trod_put(sink, " ");
    switch (t->kind) {
    case TROD_BURST_OF_METHODS:
        put_count(sink, t, 12, row->method->nentry);
        trod_put(sink, " ");
        put_count(sink, t, 12, row->method->nagain);
        trod_put(sink, "  ");
        put_name(sink, row->function);
        trod_put(sink, "  ");
        put_name(sink, row->file);
        break;
    case TROD_BURST_OF_CALLS:
    case TROD_BURST_OF_PAIRS:
        trod_put(sink, " ");
        put_call(sink, t, row);
        break;
    case TROD_BURST_OF_LOOPS:
        put_loop(sink, t, row);
        break;
    }
}

void trod_burst_tell(struct trod_sink *sink, const struct trod_burst *burst,
    enum trod_burst_kind kind, const struct trod_burst_options *options,
    struct trod_arena *mem)
{
    struct table t;
    uint64_t sum = 0;

    build(&t, burst, kind, options, mem);
    put_head(sink, &t);
    for (size_t i = 0; i < t.nlisted; i++) {
        const struct row *row = &t.row[i];

        sum = trod_sat_add(sum, row->count);
        trod_put(
            sink, "%5.1f%% %5.1f%%", 100 * share(&t, row->count), 100 * share(&t, sum));
        put_error(sink, &t, row->count);
        put_row(sink, &t, row);
        trod_put(sink, "\n");
    }
    if (burst->nunknown)
        trod_put(sink,
            "# %" PRIu64 " events are of a kind that a later trod may know\n",
            burst->nunknown);
}

/* --- as JSON -------------------------------------------------------------------------------------------- */

static void json_place(struct trod_json *json, uint32_t line, uint32_t column)
{
    if (line)
        trod_json_uint(json, "line", line);
    if (line && column)
        trod_json_uint(json, "column", column);
}

static void json_call(
    struct trod_json *json, const struct table *t, const struct trod_burst_call *call)
{
    trod_json_text(json, "callee", call->callee);
    if (t->kind == TROD_BURST_OF_PAIRS)
        return;
    trod_json_uint(json, "site", call->site);
    json_place(json, call->line, call->column);
    trod_json_bool(json, "indirect", call->indirect);
}

static void json_loop(struct trod_json *json, const struct row *row)
{
    const struct trod_burst_loop *loop = row->loop;

    trod_json_uint(json, "loop", loop->loop);
    json_place(json, loop->line, 0);
    trod_json_uint(json, "depth", loop->depth);
    trod_json_uint(json, "entered", loop->nenter);
    trod_json_uint(json, "again", loop->nagain);
    if (row->mean > 0)
        trod_json_real(json, "mean", row->mean);
    trod_json_open(json, "trips", '[');
    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++) {
        uint64_t from = UINT64_C(1) << i;

        if (!loop->ntrip[i])
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "from", from);
        trod_json_uint(json, "to", from + (from - 1));
        trod_json_uint(json, "visits", loop->ntrip[i]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_row(
    struct trod_json *json, const struct table *t, const struct row *row)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "function", row->function);
    trod_json_text(json, "file", row->file);
    if (row->method) {
        trod_json_uint(json, "entered", row->method->nentry);
        trod_json_uint(json, "again", row->method->nagain);
    }
    if (row->call)
        json_call(json, t, row->call);
    if (row->loop)
        json_loop(json, row);
    trod_json_uint(json, "count", row->count);
    trod_json_real(json, "share", share(t, row->count));
    if (!t->exact)
        trod_json_real(
            json, "error", trod_burst_error(t->burst, type_of(t->kind), row->count));
    trod_json_close(json, '}');
}

void trod_burst_json(struct trod_json *json, const struct trod_burst *burst,
    enum trod_burst_kind kind, const struct trod_burst_options *options,
    struct trod_arena *mem)
{
    struct table t;

    build(&t, burst, kind, options, mem);
    trod_json_text(json, "program", burst->name);
    trod_json_bool(json, "exact", t.exact);
    trod_report_how_json(json, burst->how, burst->nhow);
    trod_json_uint(json, "total", t.total);
    trod_json_uint(json, "chosen", t.nrow);
    trod_json_open(json, word_of(kind), '[');
    for (size_t i = 0; i < t.nlisted; i++)
        json_row(json, &t, &t.row[i]);
    trod_json_close(json, ']');
    if (burst->nunknown)
        trod_json_uint(json, "unknown", burst->nunknown);
}
