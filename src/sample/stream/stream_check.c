#include "stream/stream.h"

#include <inttypes.h>

static const char *datum_fault(
    const struct trod_streams *streams, const struct trod_stream_datum *d)
{
    const struct trod_stream_names *names = streams->names;
    int n =
        (d->code != UINT32_MAX) + (d->place != UINT32_MAX) + (d->object != UINT32_MAX);

    if (n != 1)
        return "is not one thing";
    if ((d->code != UINT32_MAX && d->code >= names->ncode) ||
        (d->place != UINT32_MAX && d->place >= names->nplace) ||
        (d->object != UINT32_MAX && d->object >= names->nobject))
        return "is of something that is not there";
    if (d->object != UINT32_MAX && names->object[d->object].kind == TROD_STREAM_HEAP &&
        names->object[d->object].place >= names->nplace)
        return "is of an object of no place";
    if ((d->code != UINT32_MAX) != (streams->by == TROD_STREAM_BY_SITE) ||
        (d->place != UINT32_MAX && streams->by != TROD_STREAM_BY_FIELD))
        return "is not what references are alike by";
    return NULL;
}

static const char *stream_fault(
    const struct trod_streams *streams, const struct trod_stream *s)
{
    if (s->length < streams->shortest || s->length > streams->longest)
        return "is too short or too long";
    for (uint32_t i = 0; i < s->length; i++) {
        if (s->datum[i] >= streams->ndatum)
            return "has a datum that is not there";
        if (s->code && s->code[i] >= streams->names->ncode)
            return "has a code that is not there";
    }
    if (s->heat != trod_sat_mul(s->times, s->length))
        return "has a heat that is not length by times";
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
