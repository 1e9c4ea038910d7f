#include "stream/stream.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DATA = 12 }; /* printed per stream; JSON has all */

static const char *const access_names[] = {
    [TROD_STREAM_LOAD] = "load",
    [TROD_STREAM_STORE] = "store",
    [TROD_STREAM_BOTH] = "load and store",
    [TROD_STREAM_UNKNOWN_ACCESS] = "reference",
};

/* --- one datum --------------------------------------------------------------------------------- */

static void put_code(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t code)
{
    const struct trod_stream_code *c = &names->code[code];

    trod_put(sink, "%s ", access_names[c->access]);
    trod_stream_put_spot(sink, &c->spot);
}

static void put_in_object(struct trod_sink *sink, const struct trod_streams *streams,
    const struct trod_stream_datum *d)
{
    enum trod_stream_kind kind = streams->names->object[d->object].kind;

    if (kind == TROD_STREAM_UNKNOWN) {
        trod_put(sink, "0x%" PRIx64, d->offset);
        return;
    }
    trod_stream_put_object(sink, streams->names, d->object);
    if (kind == TROD_STREAM_STACK)
        trod_put(sink, " -%" PRIu64, d->offset);
    else if (streams->by != TROD_STREAM_BY_OBJECT)
        trod_put(sink, " +%" PRIu64, d->offset);
}

void trod_stream_put_datum(
    struct trod_sink *sink, const struct trod_streams *streams, uint32_t datum)
{
    const struct trod_stream_datum *d = &streams->datum[datum];

    if (d->code != UINT32_MAX) {
        put_code(sink, streams->names, d->code);
    } else if (d->place != UINT32_MAX) {
        trod_stream_put_spot(sink, &streams->names->place[d->place]);
        trod_put(sink, " +%" PRIu64, d->offset);
    } else {
        put_in_object(sink, streams, d);
    }
}

/* --- selection -------------------------------------------------------------------------------------- */

static const char *function_of(
    const struct trod_streams *streams, const struct trod_stream *s, uint32_t i)
{
    const struct trod_stream_datum *d = &streams->datum[s->datum[i]];
    uint32_t code = s->code ? s->code[i] : d->code;

    return code == UINT32_MAX ? "" : streams->names->code[code].spot.function;
}

static bool is_wanted(const struct trod_streams *streams, const struct trod_stream *s,
    const struct trod_stream_print_options *options)
{
    if (!options->wants)
        return true;
    for (uint32_t i = 0; i < s->length; i++)
        if (options->wants(function_of(streams, s, i), options->ctx))
            return true;
    return false;
}

struct selection {
    const struct trod_stream **stream;
    const size_t *rank;
    size_t count;
    double share; /* of all references */
};

static double share_of(const struct trod_streams *streams, uint64_t heat)
{
    return streams->total ? (double)heat / (double)streams->total : 0;
}

static void choose(struct selection *out, const struct trod_streams *streams,
    const struct trod_stream_print_options *options, struct trod_arena *mem)
{
    size_t most = options->most ? options->most : TROD_STREAM_MOST;
    size_t room = most < streams->nstream ? most : streams->nstream;
    size_t *rank = trod_new(mem, size_t, room + 1);

    *out = (struct selection){
        .stream = trod_new(mem, const struct trod_stream *, room + 1), .rank = rank};
    for (size_t i = 0; i < streams->nstream && out->count < room; i++) {
        if (!is_wanted(streams, &streams->stream[i], options))
            continue;
        rank[out->count] = i + 1;
        out->stream[out->count++] = &streams->stream[i];
        out->share += share_of(streams, streams->stream[i].heat);
    }
}

/* --- as text --------------------------------------------------------------------------------------- */

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

static bool is_sampled(const struct trod_streams *streams)
{
    return streams->total != streams->nref;
}

static void put_head(struct trod_sink *sink, const struct trod_streams *streams,
    const struct selection *listed)
{
    static const char *const what[] = {
        [TROD_STREAM_BY_OBJECT] = "objects",
        [TROD_STREAM_BY_ADDRESS] = "addresses",
        [TROD_STREAM_BY_FIELD] = "fields",
        [TROD_STREAM_BY_SITE] = "loads and stores",
    };

    trod_put(sink,
        "# %s: %" PRIu64 " reference%s in %" PRIu64 " burst%s of %" PRIu64 " thread%s",
        streams->name, streams->nref, plural(streams->nref), streams->nrun,
        plural(streams->nrun), streams->nthread, plural(streams->nthread));
    if (is_sampled(streams))
        trod_put(sink, ", which stand for about %" PRIu64, streams->total);
    trod_put(sink, "\n# %zu stream%s of %" PRIu32 " to %" PRIu32 " %s", streams->nfound,
        plural(streams->nfound), streams->shortest, streams->longest,
        what[streams->by]);
    if (listed->count && !streams->exact)
        trod_put(
            sink, "; those listed are %.2f%% of all references", 100 * listed->share);
    trod_put(sink, "\n");
    if (streams->nlost)
        trod_put(sink,
            "# no space was left for at least %" PRIu64
            " more references or allocations: give TROD_BURST a larger most=, or a higher "
            "rate\n",
            streams->nlost);
    if (streams->ndamaged)
        trod_put(sink, "# %" PRIu64 " chunk%s of references %s damaged\n",
            streams->ndamaged, plural(streams->ndamaged),
            streams->ndamaged == 1 ? "is" : "are");
}

/* The number of equal data in a row, which are listed once. */
static uint32_t repeats(const struct trod_stream *s, uint32_t at)
{
    uint32_t n = 1;

    while (at + n < s->length && s->datum[at + n] == s->datum[at] &&
           (!s->code || s->code[at + n] == s->code[at]))
        n++;
    return n;
}

static void put_data(struct trod_sink *sink, const struct trod_streams *streams,
    const struct trod_stream *s)
{
    uint32_t n = 0, each;

    for (uint32_t i = 0; i < s->length; i += each, n++) {
        if (n == MOST_DATA) {
            trod_put(sink, "%*s... %" PRIu32 " more\n", 12, "", s->length - i);
            return;
        }
        each = repeats(s, i);
        trod_put(sink, "%*s", 12, "");
        if (each > 1)
            trod_put(sink, "%" PRIu32 "x ", each);
        trod_stream_put_datum(sink, streams, s->datum[i]);
        if (s->code && streams->by != TROD_STREAM_BY_SITE) {
            trod_put(sink, "   ");
            put_code(sink, streams->names, s->code[i]);
        }
        trod_put(sink, "\n");
    }
}

void trod_stream_report(struct trod_sink *sink, const struct trod_streams *streams,
    const struct trod_stream_print_options *options, struct trod_arena *mem)
{
    const char *about = is_sampled(streams) ? "~" : "";
    struct selection listed;

    choose(&listed, streams, options, mem);
    put_head(sink, streams, &listed);
    if (!listed.count)
        return;
    trod_put(
        sink, "%5s %12s %7s %7s %12s\n", "rank", "heat", "share", "length", "times");
    for (size_t i = 0; i < listed.count; i++) {
        const struct trod_stream *s = listed.stream[i];
        char heat[32], times[32], digits[TROD_COUNT_TEXT];

        snprintf(heat, sizeof heat, "%s%s", about,
            trod_count_text(digits, s->heat, !*about));
        snprintf(times, sizeof times, "%s%s", about,
            trod_count_text(digits, s->times, !*about));
        trod_put(sink, "%5zu %12s %6.2f%% %7" PRIu32 " %12s\n", listed.rank[i], heat,
            100 * share_of(streams, s->heat), s->length, times);
        put_data(sink, streams, s);
    }
}

/* --- as JSON ---------------------------------------------------------------------------------------- */

static void json_spot(struct trod_json *json, const struct trod_stream_spot *spot)
{
    trod_json_display_name(json, "function", spot->function);
    if (*spot->file)
        trod_json_text(json, "file", spot->file);
    if (spot->line)
        trod_json_uint(json, "line", spot->line);
    if (spot->column)
        trod_json_uint(json, spot->line ? "column" : "number", spot->column);
}

static void json_code(
    struct trod_json *json, const struct trod_stream_names *names, uint32_t code)
{
    const struct trod_stream_code *c = &names->code[code];

    trod_json_open(json, "code", '{');
    trod_json_text(json, "access", access_names[c->access]);
    if (c->nbyte)
        trod_json_uint(json, "bytes", c->nbyte);
    json_spot(json, &c->spot);
    trod_json_close(json, '}');
}

static void json_place(struct trod_json *json, const struct trod_stream_spot *place)
{
    trod_json_open(json, "allocated", '{');
    json_spot(json, place);
    trod_json_close(json, '}');
}

static void json_object(struct trod_json *json, const struct trod_streams *streams,
    const struct trod_stream_datum *d)
{
    static const char *const words[] = {
        [TROD_STREAM_HEAP] = "heap",
        [TROD_STREAM_GLOBAL] = "global",
        [TROD_STREAM_LOCAL] = "thread-local",
        [TROD_STREAM_STACK] = "stack",
        [TROD_STREAM_UNKNOWN] = "unknown",
    };
    const struct trod_stream_object *o = &streams->names->object[d->object];

    trod_json_text(json, "object", words[o->kind]);
    if (o->kind == TROD_STREAM_HEAP)
        json_place(json, &streams->names->place[o->place]);
    if (o->name)
        trod_json_text(json, "name", o->name);
    if (o->kind == TROD_STREAM_HEAP)
        trod_json_uint(json, "number", o->number);
    if (o->kind == TROD_STREAM_STACK || o->kind == TROD_STREAM_LOCAL)
        trod_json_uint(json, "thread", o->number);
}

static void json_datum(struct trod_json *json, const struct trod_streams *streams,
    const struct trod_stream *s, uint32_t i)
{
    const struct trod_stream_datum *d = &streams->datum[s->datum[i]];

    trod_json_open(json, NULL, '{');
    if (d->place != UINT32_MAX)
        json_place(json, &streams->names->place[d->place]);
    if (d->object != UINT32_MAX)
        json_object(json, streams, d);
    if (d->code == UINT32_MAX && (d->offset || streams->by != TROD_STREAM_BY_OBJECT))
        trod_json_uint(json, "offset", d->offset);
    if (s->code || d->code != UINT32_MAX)
        json_code(json, streams->names, s->code ? s->code[i] : d->code);
    trod_json_close(json, '}');
}

void trod_stream_json_data(struct trod_json *json, const struct trod_streams *streams,
    const struct trod_stream *s)
{
    trod_json_open(json, "data", '[');
    for (uint32_t i = 0; i < s->length; i++)
        json_datum(json, streams, s, i);
    trod_json_close(json, ']');
}

static void json_stream(struct trod_json *json, const struct trod_streams *streams,
    const struct trod_stream *s, size_t rank)
{
    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "rank", rank);
    trod_json_uint(json, "heat", s->heat);
    trod_json_real(json, "share", share_of(streams, s->heat));
    trod_json_uint(json, "length", s->length);
    trod_json_uint(json, "times", s->times);
    trod_json_uint(json, "seen", s->nseen);
    trod_stream_json_data(json, streams, s);
    trod_json_close(json, '}');
}

void trod_stream_json(struct trod_json *json, const struct trod_streams *streams,
    const struct trod_stream_print_options *options, struct trod_arena *mem)
{
    struct selection listed;

    choose(&listed, streams, options, mem);
    trod_json_text(json, "name", streams->name);
    trod_json_text(json, "by", trod_stream_by_name(streams->by));
    trod_json_uint(json, "shortest", streams->shortest);
    trod_json_uint(json, "longest", streams->longest);
    trod_json_bool(json, "exact", streams->exact);
    trod_json_uint(json, "bursts", streams->nrun);
    trod_json_uint(json, "threads", streams->nthread);
    trod_json_uint(json, "references", streams->nref);
    trod_json_uint(json, "total", streams->total);
    trod_json_uint(json, "distinct", streams->ndatum);
    trod_json_uint(json, "symbols", streams->nsymbol);
    trod_json_uint(json, "lost", streams->nlost);
    trod_json_uint(json, "damaged", streams->ndamaged);
    trod_json_uint(json, "found", streams->nfound);
    trod_json_open(json, "streams", '[');
    for (size_t i = 0; i < listed.count; i++)
        json_stream(json, streams, listed.stream[i], listed.rank[i]);
    trod_json_close(json, ']');
}
