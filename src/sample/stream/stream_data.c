#include "stream/stream.h"
#include "base/order.h"

#include "stream/alike.h"

#include <string.h>

static const char *const by_words[] = {
    [TROD_STREAM_BY_OBJECT] = "object",
    [TROD_STREAM_BY_ADDRESS] = "address",
    [TROD_STREAM_BY_FIELD] = "field",
    [TROD_STREAM_BY_SITE] = "site",
};

const char *trod_stream_by_name(enum trod_stream_by by)
{
    return by_words[by];
}

bool trod_stream_by_parse(enum trod_stream_by *out, const char *word)
{
    for (unsigned i = 0; i < sizeof by_words / sizeof *by_words; i++) {
        *out = (enum trod_stream_by)i;
        if (strcmp(by_words[i], word) == 0)
            return true;
    }
    return false;
}

/* Unknown memory is not treated as one object: each of its bytes is a datum. */
static bool has_parts(const struct trod_stream_object *object)
{
    return object->kind == TROD_STREAM_STACK || object->kind == TROD_STREAM_UNKNOWN;
}

void trod_stream_datum_of(struct trod_stream_datum *out,
    const struct trod_stream_names *names, enum trod_stream_by by,
    const struct trod_stream_ref *ref)
{
    const struct trod_stream_object *object = &names->object[ref->object];

    *out = (struct trod_stream_datum){UINT32_MAX, UINT32_MAX, UINT32_MAX, ref->offset};
    if (by == TROD_STREAM_BY_SITE) {
        out->code = ref->code;
        out->offset = 0;
    } else if (by == TROD_STREAM_BY_FIELD && object->kind == TROD_STREAM_HEAP) {
        out->place = object->place;
    } else {
        out->object = ref->object;
        if (by == TROD_STREAM_BY_OBJECT && !has_parts(object))
            out->offset = 0;
    }
}

uint32_t trod_stream_number_datum(
    struct trod_stream_table *table, const struct trod_stream_datum *datum)
{
    uint64_t which = datum->code != UINT32_MAX    ? datum->code
                     : datum->place != UINT32_MAX ? datum->place
                                                  : datum->object;
    uint64_t kind = datum->code != UINT32_MAX ? 2 : datum->place != UINT32_MAX;

    return trod_stream_table_add(table, kind << 32 | which, datum->offset);
}

int trod_stream_compare_data(const struct trod_streams *a,
    const struct trod_stream_datum *of_a, const struct trod_streams *b,
    const struct trod_stream_datum *of_b)
{
    int by = trod_compare(of_a->code != UINT32_MAX, of_b->code != UINT32_MAX);

    if (!by)
        by = trod_compare(of_a->place != UINT32_MAX, of_b->place != UINT32_MAX);
    if (by)
        return by;
    if (of_a->code != UINT32_MAX)
        by = trod_stream_compare_codes(
            &a->names->code[of_a->code], &b->names->code[of_b->code]);
    else if (of_a->place != UINT32_MAX)
        by = trod_stream_compare_spots(
            &a->names->place[of_a->place], &b->names->place[of_b->place]);
    else
        by = trod_stream_compare_objects(a->names, &a->names->object[of_a->object],
            b->names, &b->names->object[of_b->object]);
    return by ? by : trod_compare(of_a->offset, of_b->offset);
}

int trod_stream_compare(const struct trod_streams *a, const struct trod_stream *of_a,
    const struct trod_streams *b, const struct trod_stream *of_b)
{
    int by = 0;

    for (uint32_t i = 0; !by && i < of_a->length && i < of_b->length; i++)
        by = trod_stream_compare_data(
            a, &a->datum[of_a->datum[i]], b, &b->datum[of_b->datum[i]]);
    return by ? by : trod_compare(of_a->length, of_b->length);
}
