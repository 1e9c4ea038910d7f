#include "number/number.h"

#include <string.h>

/* Is the multiplier a perfect hash of the ids? mark_of_slot distinguishes attempts, so that it need not be cleared
 * between them.
 */
static bool all_apart(const struct trod_slots *slots, const struct trod_pathset *paths,
    uint32_t *mark_of_slot, uint32_t attempt)
{
    for (size_t i = 0; i < paths->count; i++) {
        uint64_t slot = trod_slot(slots, paths->id[i]);

        if (mark_of_slot[slot] == attempt)
            return false;
        mark_of_slot[slot] = attempt;
    }
    return true;
}

/* A multiplier that selects the bits of an id from `low` up. This is the cheapest hash, and often adjacent ids differ
 * in such a window.
 */
static uint64_t window(unsigned bits, unsigned low)
{
    return UINT64_C(1) << (64 - bits - low);
}

static bool search_size(struct trod_slots *slots, const struct trod_pathset *paths,
    unsigned bits, uint32_t *mark_of_slot, struct trod_rng *rng)
{
    enum { TRIES = 4096 };
    uint32_t attempt = 0;

    slots->shift = 64 - bits;
    slots->nslot = UINT64_C(1) << bits;
    for (unsigned low = 0; low + bits <= 64; low++) {
        slots->multiplier = window(bits, low);
        if (all_apart(slots, paths, mark_of_slot, ++attempt))
            return true;
    }
    for (unsigned i = 0; i < TRIES; i++) {
        slots->multiplier = trod_rng_next(rng) | 1;
        if (all_apart(slots, paths, mark_of_slot, ++attempt))
            return true;
    }
    return false;
}

bool trod_number_hash(struct trod_slots *out, const struct trod_pathset *paths,
    unsigned most_bits, struct trod_arena *mem, struct trod_err *err)
{
    unsigned bits = paths->count > 1 ? trod_bit_width(paths->count - 1) : 0;
    struct trod_rng rng;

    trod_rng_init(&rng, paths->count);
    *out = (struct trod_slots){.multiplier = 1, .shift = 64, .nslot = 1};
    if (bits == 0)
        return true;
    for (; bits <= most_bits && bits < 32; bits++) {
        struct trod_mark mark = trod_arena_mark(mem);
        bool found = search_size(
            out, paths, bits, trod_new(mem, uint32_t, (size_t)1 << bits), &rng);

        trod_arena_rewind(mem, mark);
        if (found)
            return true;
    }
    return trod_fail(err, TROD_E_LIMIT,
        "no multiplier maps %zu paths to distinct slots out of 2^%u; allow more slots, or "
        "use preferential numbering",
        paths->count, most_bits);
}
