#include "online/online.h"

#include <string.h>

enum { FIRST_SLOTS = 256 };

struct trod_online_slot {
    uint64_t hash;
    size_t subpath; /* its number + 1, or 0 */
};

/* --- canonical forms ------------------------------------------------------------------------- */

static trod_block at(const trod_block *block, uint32_t length, uint32_t i)
{
    return block[i < length ? i : i - length];
}

/* Two rotations are compared block by block; where they part, the greater one is out, and all
 * that begin within what was compared of it, for these are greater than those that begin within
 * the other.
 */
uint32_t trod_online_rotation(const trod_block *block, uint32_t length)
{
    uint32_t a = 0, b = 1, n = 0;

    while (a < length && b < length && n < length) {
        trod_block x = at(block, length, a + n), y = at(block, length, b + n);

        if (x == y) {
            n++;
            continue;
        }
        if (x > y)
            a += n + 1;
        else
            b += n + 1;
        b += a == b;
        n = 0;
    }
    return a < b ? a : b;
}

uint32_t trod_online_period(const trod_block *block, uint32_t length)
{
    for (uint32_t n = 1; n <= length / 2; n++)
        if (length % n == 0 &&
            memcmp(block, block + n, (length - n) * sizeof *block) == 0)
            return n;
    return length;
}

/* --- sets -------------------------------------------------------------------------------------- */

/* What is looked for: blocks as they came, and where the canonical form begins in them. */
struct sought {
    const trod_block *block;
    uint32_t length, from;
    trod_block all; /* exclusive or */
    uint64_t hash;
};

static void seek(struct sought *out, enum trod_sample_identity identity,
    const trod_block *block, uint32_t length)
{
    *out = (struct sought){.block = block, .length = length, .hash = length};
    for (uint32_t i = 0; i < length; i++)
        out->all ^= block[i];
    if (identity == TROD_SAMPLE_ROTATION)
        out->from = trod_online_rotation(block, length);
    if (identity == TROD_SAMPLE_XOR)
        out->hash = trod_mix(out->hash, out->all);
    else
        for (uint32_t i = 0; i < length; i++)
            out->hash = trod_mix(out->hash, at(block, length, out->from + i));
}

static bool is_it(const struct trod_online_set *set,
    const struct trod_online_subpath *s, const struct sought *sought)
{
    uint32_t head = sought->length - sought->from;
    trod_block all = 0;

    if (s->length != sought->length)
        return false;
    if (set->identity == TROD_SAMPLE_XOR) {
        for (uint32_t i = 0; i < s->length; i++)
            all ^= s->block[i];
        return all == sought->all;
    }
    return memcmp(s->block, sought->block + sought->from, head * sizeof *s->block) ==
               0 &&
           memcmp(s->block + head, sought->block, sought->from * sizeof *s->block) == 0;
}

static struct trod_online_slot *slot_of(
    const struct trod_online_set *set, const struct sought *sought)
{
    size_t i = sought->hash & (set->nslot - 1);

    while (set->slot[i].subpath &&
           (set->slot[i].hash != sought->hash ||
               !is_it(set, &set->subpath[set->slot[i].subpath - 1], sought)))
        i = (i + 1) & (set->nslot - 1);
    return &set->slot[i];
}

static void make_room(struct trod_online_set *set)
{
    const struct trod_online_slot *old = set->slot;
    size_t nold = set->nslot;

    if (2 * (set->count + 1) <= nold)
        return;
    set->nslot = nold ? 2 * nold : FIRST_SLOTS;
    set->slot = trod_new(set->mem, struct trod_online_slot, set->nslot);
    for (size_t i = 0; i < nold; i++) {
        size_t to = old[i].hash & (set->nslot - 1);

        if (!old[i].subpath)
            continue;
        while (set->slot[to].subpath)
            to = (to + 1) & (set->nslot - 1);
        set->slot[to] = old[i];
    }
}

void trod_online_set_init(struct trod_online_set *out,
    enum trod_sample_identity identity, struct trod_arena *mem)
{
    *out = (struct trod_online_set){.mem = mem, .identity = identity};
}

struct trod_online_subpath *trod_online_set_find(
    const struct trod_online_set *set, const trod_block *block, uint32_t length)
{
    const struct trod_online_slot *slot;
    struct sought sought;

    if (!set->nslot)
        return NULL;
    seek(&sought, set->identity, block, length);
    slot = slot_of(set, &sought);
    return slot->subpath ? &set->subpath[slot->subpath - 1] : NULL;
}

struct trod_online_subpath *trod_online_set_add(
    struct trod_online_set *set, const trod_block *block, uint32_t length)
{
    struct trod_online_slot *slot;
    struct sought sought;
    trod_block *copy;

    make_room(set);
    seek(&sought, set->identity, block, length);
    slot = slot_of(set, &sought);
    if (slot->subpath)
        return &set->subpath[slot->subpath - 1];
    copy = trod_new(set->mem, trod_block, length);
    for (uint32_t i = 0; i < length; i++)
        copy[i] = at(block, length, sought.from + i);
    trod_reserve(set->mem, set->subpath, set->count, set->room);
    set->subpath[set->count] =
        (struct trod_online_subpath){.length = length, .block = copy};
    *slot = (struct trod_online_slot){.hash = sought.hash, .subpath = ++set->count};
    return &set->subpath[set->count - 1];
}
