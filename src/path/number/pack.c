#include "number/number.h"

/* The number of bits that hold every number from min to max, including a sign bit if min is negative. */
static unsigned field_width(int64_t min, int64_t max, bool *is_signed)
{
    *is_signed = min < 0;
    if (!*is_signed)
        return trod_bit_width((uint64_t)max);
    /* The two's complement of a negative number needs as many bits as its inverse. */
    min = ~min;
    return 1 + trod_bit_width((uint64_t)(max > min ? max : min));
}

bool trod_number_pack(struct trod_numbering *out, const struct trod_numbering *low,
    const struct trod_numbering *high, struct trod_arena *mem, struct trod_err *err)
{
    uint32_t nedge = low->dag->shape.nedge;
    int64_t *val = trod_new(mem, int64_t, nedge);
    bool low_signed, high_signed;
    unsigned low_bits = field_width(low->min, low->max, &low_signed);
    unsigned high_bits = field_width(high->min, high->max, &high_signed);

    assert(low->dag == high->dag);
    if (low_bits + high_bits > 63)
        return trod_fail(err, TROD_E_LIMIT,
            "the sums of '%s' need %u and %u bits, more than one "
            "register has; lower the limit on paths, or use two",
            low->dag->graph->name, low_bits, high_bits);
    for (trod_edge e = 0; e < nedge; e++)
        val[e] = (int64_t)(((uint64_t)high->val_of_edge[e] << low_bits) +
                           (uint64_t)low->val_of_edge[e]);
    *out = (struct trod_numbering){.kind = TROD_PACKED,
        .dag = low->dag,
        .val_of_edge = val,
        .low_bits = low_bits,
        .low_signed = low_signed};
    return trod_number_range(&out->min, &out->max, out->dag, val, mem, err);
}

void trod_number_unpack(
    int64_t *low, int64_t *high, const struct trod_numbering *packed, int64_t sum)
{
    uint64_t mask = (UINT64_C(1) << packed->low_bits) - 1;
    uint64_t part = (uint64_t)sum & mask;

    /* Sign extension: subtract 2^low_bits if the top bit of the part is set. */
    if (packed->low_signed && packed->low_bits && part >> (packed->low_bits - 1))
        part |= ~mask;
    *low = (int64_t)part;
    *high = (int64_t)((uint64_t)sum - part) >> packed->low_bits;
}
