#include "online/hottest.h"

#include <math.h>
#include <string.h>

/* A class of equivalent subpaths: found by its hash, identified by its entry. */
struct gathered {
    uint64_t hash[2];
    uint64_t count; /* 0: the slot is free */
    uint32_t entry; /* the first of the class */
};

struct merger {
    const struct trod_every *every;
    enum trod_sample_identity identity;
    uint32_t level;
    struct gathered *gathered;
    uint64_t mask;
    uint64_t nclass, ncollision;
    uint32_t *block, *other; /* room for one subpath each, twice its length */
};

/* --- identity ----------------------------------------------------------------------------------- */

static uint64_t avalanche(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static void hash_class(uint64_t *out, const struct merger *m, const uint32_t *block)
{
    uint32_t n = m->every->level[m->level].length, exclusive = 0;

    out[0] = 0;
    out[1] = UINT64_C(0x9e3779b97f4a7c15);
    if (m->identity == TROD_SAMPLE_XOR) {
        for (uint32_t i = 0; i < n; i++)
            exclusive ^= block[i];
        out[0] = avalanche(exclusive + out[1]);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        out[0] = avalanche(out[0] + block[i] + 1);
        out[1] = (out[1] ^ block[i]) * UINT64_C(0xff51afd7ed558ccd);
        out[1] = out[1] << 29 | out[1] >> 35;
    }
}

/* Does the class with this hash have these blocks? The hash of an exclusive or is a bijection, so
 * equal hashes suffice.
 */
static bool is_same(struct merger *m, const struct gathered *c, const uint32_t *block)
{
    uint32_t n = m->every->level[m->level].length;

    if (m->identity == TROD_SAMPLE_XOR)
        return true;
    trod_every_canonical(m->other, m->every, m->identity, c->entry);
    if (memcmp(m->other, block, n * sizeof *block) == 0)
        return true;
    m->ncollision++;
    return false;
}

static void add_to_class(struct merger *m, uint32_t number)
{
    uint64_t hash[2], count = m->every->entry[number].state & TROD_EVERY_COUNT, s;

    trod_every_canonical(m->block, m->every, m->identity, number);
    hash_class(hash, m, m->block);
    for (s = hash[0] & m->mask; m->gathered[s].count; s = (s + 1) & m->mask)
        if (m->gathered[s].hash[0] == hash[0] && m->gathered[s].hash[1] == hash[1] &&
            is_same(m, &m->gathered[s], m->block)) {
            m->gathered[s].count += count;
            return;
        }
    m->gathered[s] = (struct gathered){{hash[0], hash[1]}, count, number};
    m->nclass++;
}

/* --- interface ---------------------------------------------------------------------------------- */

/* Merge the subpaths of one level into classes, and offer the hot ones. */
static void merge_level(
    struct merger *m, struct trod_hottest *h, double weight, struct trod_arena *mem)
{
    const struct trod_every_level *level = &m->every->level[m->level];
    double factor = pow(level->length, weight);
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t room = 16;

    while (room < level->distinct + level->distinct / 2)
        room *= 2;
    m->gathered = trod_new(mem, struct gathered, room);
    m->mask = room - 1;
    m->nclass = 0;
    for (uint32_t i = 0; i < m->every->nentry; i++)
        if (m->every->entry[i].state >> 52 == m->level &&
            m->every->entry[i].state & TROD_EVERY_COUNT)
            add_to_class(m, i);
    for (uint64_t s = 0; s < room; s++)
        if (m->gathered[s].count)
            trod_hottest_offer(h,
                &(struct trod_hot_class){.score = (double)m->gathered[s].count * factor,
                    .count = m->gathered[s].count,
                    .level = m->level,
                    .entry = m->gathered[s].entry});
    trod_arena_rewind(mem, mark);
}

void trod_every_merge(struct trod_every_answer *out, const struct trod_every *every,
    enum trod_sample_identity identity, double weight, size_t most,
    struct trod_arena *mem)
{
    struct merger m = {.every = every, .identity = identity};
    struct trod_hottest hottest;
    uint32_t nsum = 0;

    trod_hottest_begin(out, &hottest, every, most, mem);
    m.block = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);
    m.other = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);
    for (uint32_t l = 0; l < every->nlevel; l++) {
        if (!every->level[l].asked)
            continue;
        m.level = l;
        merge_level(&m, &hottest, weight, mem);
        out->sum[nsum++].nclass = m.nclass;
        out->nclass += m.nclass;
    }
    out->ncollision = m.ncollision;
    trod_hottest_end(out, &hottest, every, identity, mem);
}
