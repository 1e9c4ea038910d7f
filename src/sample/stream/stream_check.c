#include "stream/stream.h"

#include <inttypes.h>

static const char *datum_fault(
    const struct trod_streams *streams, const struct trod_stream_datum *d)
{
    const struct trod_stream_names *names = streams->names;
    int n =
        (d->code != UINT32_MAX) + (d->place != UINT32_MAX) + (d->object != UINT32_MAX);

    if (n != 1)
        return "has no kind, or several";
    if ((d->code != UINT32_MAX && d->code >= names->ncode) ||
        (d->place != UINT32_MAX && d->place >= names->nplace) ||
        (d->object != UINT32_MAX && d->object >= names->nobject))
        return "refers to something that does not exist";
    if (d->object != UINT32_MAX && names->object[d->object].kind == TROD_STREAM_HEAP &&
        names->object[d->object].place >= names->nplace)
        return "refers to an object without an allocation site";
    if ((d->code != UINT32_MAX) != (streams->by == TROD_STREAM_BY_SITE) ||
        (d->place != UINT32_MAX && streams->by != TROD_STREAM_BY_FIELD))
        return "is of another kind than that of --by";
    return NULL;
}

static const char *stream_fault(
    const struct trod_streams *streams, const struct trod_stream *s)
{
    if (s->length < streams->shortest || s->length > streams->longest)
        return "is shorter or longer than allowed";
    for (uint32_t i = 0; i < s->length; i++) {
        if (s->datum[i] >= streams->ndatum)
            return "has a datum that does not exist";
        if (s->code && s->code[i] >= streams->names->ncode)
            return "has a code that does not exist";
    }
    if (s->heat != trod_sat_mul(s->times, s->length))
        return "has a heat that is not its length times its occurrences";
    return NULL;
}

/* Sorted and therefore unique, except for data with equal text. */
static bool check_order(const struct trod_streams *streams, struct trod_err *err)
{
    for (size_t i = 1; i < streams->nstream; i++) {
        const struct trod_stream *a = &streams->stream[i - 1], *b = a + 1;

        if (a->heat < b->heat ||
            (a->heat == b->heat && trod_stream_compare(streams, a, streams, b) > 0))
            return trod_fail(err, TROD_E_INTERNAL, "stream %zu is out of order", i);
    }
    return true;
}

bool trod_streams_check(const struct trod_streams *streams, struct trod_err *err)
{
    uint64_t heat = 0;

    for (uint32_t i = 0; i < streams->ndatum; i++) {
        const char *fault = datum_fault(streams, &streams->datum[i]);

        if (fault)
            return trod_fail(err, TROD_E_INTERNAL, "datum %" PRIu32 " %s", i, fault);
    }
    for (size_t i = 0; i < streams->nstream; i++) {
        const char *fault = stream_fault(streams, &streams->stream[i]);

        if (fault)
            return trod_fail(err, TROD_E_INTERNAL, "stream %zu %s", i, fault);
        heat = trod_sat_add(heat, streams->stream[i].heat);
    }
    if (!streams->exact && heat > streams->total)
        return trod_fail(err, TROD_E_INTERNAL,
            "streams have %" PRIu64 " references of %" PRIu64, heat, streams->total);
    return check_order(streams, err);
}
