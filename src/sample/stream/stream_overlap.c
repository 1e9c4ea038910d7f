#include "profile/overlap.h"
#include "stream/stream.h"
#include "base/order.h"

#include <stdlib.h>

struct side {
    const struct trod_streams *of;
    const struct trod_stream *stream;
    bool in_b;
};

TROD_ORDER(
    by_data, struct side, trod_stream_compare(a->of, a->stream, b->of, b->stream))

static size_t sort_side(struct side *row, const struct trod_streams *of, bool in_b)
{
    size_t count = 0;

    if (of->sorted) {
        for (; count < of->nsorted; count++)
            row[count] = (struct side){of, of->sorted[count], in_b};
        return count;
    }
    for (size_t i = 0; i < of->nstream; i++)
        if (of->stream[i].heat)
            row[count++] = (struct side){of, &of->stream[i], in_b};
    trod_sort(row, count, by_data);
    return count;
}

void trod_stream_sort_by_data(struct trod_streams *streams, struct trod_arena *mem)
{
    const struct trod_stream **sorted =
        trod_new(mem, const struct trod_stream *, streams->nstream + 1);
    struct trod_mark mark = trod_arena_mark(mem);
    struct side *row = trod_new(mem, struct side, streams->nstream + 1);

    streams->sorted = NULL;
    streams->nsorted = sort_side(row, streams, false);
    for (size_t i = 0; i < streams->nsorted; i++)
        sorted[i] = row[i].stream;
    streams->sorted = sorted;
    trod_arena_rewind(mem, mark);
}

/* Rows of both sides in one order; where data are equal, those of A first. */
static size_t merge_sides(struct side *out, const struct trod_streams *a,
    const struct trod_streams *b, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct side *of_a = trod_new(mem, struct side, a->nstream + 1);
    struct side *of_b = trod_new(mem, struct side, b->nstream + 1);
    size_t na = sort_side(of_a, a, false), nb = sort_side(of_b, b, true);
    size_t i = 0, k = 0;

    while (i < na || k < nb) {
        bool takes_a = k == nb || (i < na && by_data(&of_a[i], &of_b[k]) <= 0);

        out[i + k] = takes_a ? of_a[i] : of_b[k];
        i += takes_a;
        k += !takes_a;
    }
    trod_arena_rewind(mem, mark);
    return na + nb;
}

/* Streams with equal text are merged, also within one profile. */
static size_t join(struct trod_stream_overlap *out, struct trod_overlap_member *member,
    const struct side *row, size_t count, bool *in_b)
{
    size_t n = 0;

    for (size_t i = 0; i < count; i++) {
        const struct side *s = &row[i];
        uint64_t *heat;

        if (!i || trod_stream_compare(s[-1].of, s[-1].stream, s->of, s->stream)) {
            out->stream[n] = s->stream;
            in_b[n++] = s->in_b;
        }
        heat = s->in_b ? &member[n - 1].b : &member[n - 1].a;
        *heat = trod_sat_add(*heat, s->stream->heat);
    }
    return n;
}

bool trod_stream_overlap_build(struct trod_stream_overlap *out,
    const struct trod_streams *a, const struct trod_streams *b, uint32_t top_of,
    struct trod_arena *mem, struct trod_err *err)
{
    size_t room = a->nstream + b->nstream, count, n;
    struct side *row = trod_new(mem, struct side, room + 1);
    struct trod_overlap_member *member =
        trod_new(mem, struct trod_overlap_member, room + 1);
    bool *in_b = trod_new(mem, bool, room + 1);

    *out = (struct trod_stream_overlap){.a = a,
        .b = b,
        .stream = trod_new(mem, const struct trod_stream *, room + 1),
        .in_b = in_b};
    if (a->by != b->by)
        return trod_fail(err, TROD_E_MISMATCH,
            "streams are of %ss in one and of %ss in the other; use the same --by for both",
            trod_stream_by_name(a->by), trod_stream_by_name(b->by));
    if (!a->nstream || !b->nstream)
        return trod_fail(err, TROD_E_MISMATCH,
            "there are no streams in %s; sample more, or find them with a lower --least",
            a->nstream ? "the second" : "the first");
    count = merge_sides(row, a, b, mem);
    n = join(out, member, row, count, in_b);
    trod_overlap_build(&out->overlap, member, n, top_of, mem);
    return true;
}

/* --- output --------------------------------------------------------------------------------------- */

enum { MOST_DATA = 4 }; /* printed per stream */

static void put(struct trod_sink *sink, size_t member, const void *ctx)
{
    const struct trod_stream_overlap *overlap = ctx;
    const struct trod_stream *s = overlap->stream[member];
    const struct trod_streams *of = overlap->in_b[member] ? overlap->b : overlap->a;

    for (uint32_t i = 0; i < s->length && i < MOST_DATA; i++) {
        trod_put(sink, "%s", i ? ", " : "");
        trod_stream_put_datum(sink, of, s->datum[i]);
    }
    if (s->length > MOST_DATA)
        trod_put(sink, ", ... %u more", s->length - MOST_DATA);
}

static void put_json(struct trod_json *json, size_t member, const void *ctx)
{
    const struct trod_stream_overlap *overlap = ctx;
    const struct trod_stream *s = overlap->stream[member];
    const struct trod_streams *of = overlap->in_b[member] ? overlap->b : overlap->a;

    trod_json_uint(json, "length", s->length);
    trod_stream_json_data(json, of, s);
}

static struct trod_overlap_format format_of(
    const struct trod_stream_overlap *overlap, size_t most)
{
    return (struct trod_overlap_format){.word = "streams",
        .head = "stream",
        .most = most,
        .put = put,
        .json = put_json,
        .ctx = overlap};
}

void trod_stream_overlap_print(
    struct trod_sink *sink, const struct trod_stream_overlap *overlap, size_t most)
{
    struct trod_overlap_format format = format_of(overlap, most);

    trod_overlap_print(sink, &overlap->overlap, &format);
}

void trod_stream_overlap_json(struct trod_json *json, const char *key,
    const struct trod_stream_overlap *overlap, size_t most)
{
    struct trod_overlap_format format = format_of(overlap, most);

    trod_json_open(json, key, '{');
    trod_overlap_json(json, &overlap->overlap, &format);
    trod_json_close(json, '}');
}
