#include "online/online.h"

#include <string.h>

/* --- canonical forms ------------------------------------------------------------------------- */

static trod_block at(const trod_block *block, uint32_t length, uint32_t i)
{
    return block[i < length ? i : i - length];
}

/* Find the least rotation in linear time. Two candidates are compared block by block. Where they
 * differ, the greater one is discarded, together with all rotations that begin within its compared
 * part: for each of them, the corresponding rotation of the other candidate is less.
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

/* A query: blocks as given, and the index where their canonical form begins. */
struct sought {
    const trod_block *block;
    uint32_t length, from;
    trod_block all; /* exclusive or of the blocks */
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

static uint32_t find(const struct trod_online_set *set, const struct sought *sought)
{
    return TROD_TABLE_FIND(
        &set->subpaths, sought->hash, i, is_it(set, &set->subpath[i], sought));
}

void trod_online_set_init(struct trod_online_set *out,
    enum trod_sample_identity identity, struct trod_arena *mem)
{
    *out = (struct trod_online_set){.mem = mem, .identity = identity};
}

struct trod_online_subpath *trod_online_set_find(
    const struct trod_online_set *set, const trod_block *block, uint32_t length)
{
    struct sought sought;
    uint32_t found;

    seek(&sought, set->identity, block, length);
    found = find(set, &sought);
    return found == TROD_TABLE_NONE ? NULL : &set->subpath[found];
}

struct trod_online_subpath *trod_online_set_add(
    struct trod_online_set *set, const trod_block *block, uint32_t length)
{
    struct sought sought;
    trod_block *copy;
    uint32_t found;

    seek(&sought, set->identity, block, length);
    found = find(set, &sought);
    if (found != TROD_TABLE_NONE)
        return &set->subpath[found];
    trod_table_add(&set->subpaths, sought.hash, set->mem);
    copy = trod_new(set->mem, trod_block, length);
    for (uint32_t i = 0; i < length; i++)
        copy[i] = at(block, length, sought.from + i);
    trod_reserve(set->mem, set->subpath, set->count, set->room);
    set->subpath[set->count] =
        (struct trod_online_subpath){.length = length, .block = copy};
    return &set->subpath[set->count++];
}
