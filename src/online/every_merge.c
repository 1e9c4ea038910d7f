#include "online/every.h"

#include <math.h>
#include <string.h>

/* A class: the hash says where to look, the entry which it is. */
struct class
{
    uint64_t hash[2];
    uint64_t count; /* 0: none */
    uint32_t entry; /* the first that ran */
};

struct merging {
    const struct trod_every *every;
    enum trod_every_identity identity;
    uint32_t level;
    struct class *class;
    uint64_t mask;
    uint64_t nclass, ncollision;
    uint32_t *block, *other; /* room for a subpath each, twice */
};

/* --- identity ----------------------------------------------------------------------------------- */

/* Two starts race: where one loses, none of those it has passed can win. */
uint32_t trod_every_least_rotation(const uint32_t *block, uint32_t n)
{
    uint32_t a = 0, b = 1, same = 0;

    while (a < n && b < n && same < n) {
        uint32_t x = block[(a + same) % n], y = block[(b + same) % n];

        if (x == y) {
            same++;
            continue;
        }
        if (x > y)
            a += same + 1;
        else
            b += same + 1;
        if (a == b)
            b++;
        same = 0;
    }
    return a < b ? a : b;
}

/* What stands for the class of an entry: its least rotation, or itself. */
static void canonical(uint32_t *out, const struct merging *m, uint32_t number)
{
    uint32_t n = m->every->level[m->level].length, start, *twice = out;

    trod_every_expand(twice, m->every, m->level, number);
    if (m->identity != TROD_EVERY_ROTATION)
        return;
    start = trod_every_least_rotation(twice, n);
    memcpy(twice + n, twice, start * sizeof *twice);
    memmove(twice, twice + start, n * sizeof *twice);
}

static uint64_t avalanche(uint64_t x)
{
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

static void hash_class(uint64_t *out, const struct merging *m, const uint32_t *block)
{
    uint32_t n = m->every->level[m->level].length, exclusive = 0;

    out[0] = 0;
    out[1] = UINT64_C(0x9e3779b97f4a7c15);
    if (m->identity == TROD_EVERY_XOR) {
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

/* Does the class of this hash have these blocks? Exclusive ors are told by the hash, which is one to
 * one.
 */
static bool is_same(struct merging *m, const struct class *c, const uint32_t *block)
{
    uint32_t n = m->every->level[m->level].length;

    if (m->identity == TROD_EVERY_XOR)
        return true;
    canonical(m->other, m, c->entry);
    if (memcmp(m->other, block, n * sizeof *block) == 0)
        return true;
    m->ncollision++;
    return false;
}

static void add_to_class(struct merging *m, uint32_t number)
{
    uint64_t hash[2], count = m->every->entry[number].state & TROD_EVERY_COUNT, s;

    canonical(m->block, m, number);
    hash_class(hash, m, m->block);
    for (s = hash[0] & m->mask; m->class[s].count; s = (s + 1) & m->mask)
        if (m->class[s].hash[0] == hash[0] && m->class[s].hash[1] == hash[1] &&
            is_same(m, &m->class[s], m->block)) {
            m->class[s].count += count;
            return;
        }
    m->class[s] = (struct class){{hash[0], hash[1]}, count, number};
    m->nclass++;
}

/* --- the hottest -------------------------------------------------------------------------------- */

struct hot {
    double score;
    uint64_t count;
    uint32_t level, entry;
};

struct hottest {
    struct hot *hot; /* a heap, the least hot on top */
    size_t count, most;
};

/* Is a less hot than b? */
static bool is_less(const struct hot *a, const struct hot *b)
{
    if (a->score != b->score)
        return a->score < b->score;
    return a->level != b->level ? a->level > b->level : a->entry > b->entry;
}

static void sink_down(struct hot *hot, size_t count, size_t i)
{
    struct hot moved = hot[i];

    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_less(&hot[child + 1], &hot[child]))
            child++;
        if (!is_less(&hot[child], &moved))
            break;
        hot[i] = hot[child];
    }
    hot[i] = moved;
}

static void offer(struct hottest *h, const struct hot *one)
{
    size_t i;

    if (h->count == h->most) {
        if (!is_less(&h->hot[0], one))
            return;
        h->hot[0] = *one;
        sink_down(h->hot, h->count, 0);
        return;
    }
    for (i = h->count++; i > 0 && is_less(one, &h->hot[(i - 1) / 2]); i = (i - 1) / 2)
        h->hot[i] = h->hot[(i - 1) / 2];
    h->hot[i] = *one;
}

/* --- all of it ---------------------------------------------------------------------------------- */

/* Classes of one level; the hot ones are offered. */
static void merge_level(
    struct merging *m, struct hottest *h, double weight, struct trod_arena *mem)
{
    const struct trod_every_level *level = &m->every->level[m->level];
    double factor = pow(level->length, weight);
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t room = 16;

    while (room < level->distinct + level->distinct / 2)
        room *= 2;
    m->class = trod_new(mem, struct class, room);
    m->mask = room - 1;
    m->nclass = 0;
    for (uint32_t i = 0; i < m->every->nentry; i++)
        if (m->every->entry[i].state >> 52 == m->level &&
            m->every->entry[i].state & TROD_EVERY_COUNT)
            add_to_class(m, i);
    for (uint64_t s = 0; s < room; s++)
        if (m->class[s].count)
            offer(h, &(struct hot){.score = (double)m->class[s].count * factor,
                         .count = m->class[s].count,
                         .level = m->level,
                         .entry = m->class[s].entry});
    trod_arena_rewind(mem, mark);
}

static void fill_rows(struct trod_every_answer *out, struct merging *m,
    struct hottest *h, struct trod_arena *mem)
{
    out->nrow = h->count;
    out->row = trod_new(mem, struct trod_every_row, h->count);
    for (size_t i = h->count; i-- > 0;) {
        struct hot one = h->hot[0];
        uint32_t n = m->every->level[one.level].length, *block;

        h->hot[0] = h->hot[i];
        sink_down(h->hot, i, 0);
        m->level = one.level;
        canonical(m->block, m, one.entry);
        block = trod_new(mem, uint32_t, n);
        memcpy(block, m->block, n * sizeof *block);
        out->row[i] = (struct trod_every_row){
            .count = one.count, .score = one.score, .length = n, .block = block};
    }
}

/* There are no more classes than subpaths. */
static void init_hottest(struct hottest *out, const struct trod_every *every,
    size_t most, struct trod_arena *mem)
{
    uint64_t n = 0;

    for (uint32_t l = 0; l < every->nlevel; l++)
        n += every->level[l].asked ? every->level[l].distinct : 0;
    out->count = 0;
    out->most = most && most < n ? most : n;
    out->hot = trod_new(mem, struct hot, out->most + 1);
}

void trod_every_merge(struct trod_every_answer *out, const struct trod_every *every,
    enum trod_every_identity identity, double weight, size_t most,
    struct trod_arena *mem)
{
    struct merging m = {.every = every, .identity = identity};
    struct hottest hottest;

    *out = (struct trod_every_answer){.nblock = every->nblock,
        .ngap = every->ngap,
        .nthread = every->nthread,
        .floor = every->floor,
        .sum = trod_new(mem, struct trod_every_sum, every->nlevel)};
    init_hottest(&hottest, every, most, mem);
    m.block = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);
    m.other = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);
    for (uint32_t l = 0; l < every->nlevel; l++) {
        const struct trod_every_level *level = &every->level[l];

        if (!level->asked)
            continue;
        m.level = l;
        merge_level(&m, &hottest, weight, mem);
        out->sum[out->nsum++] = (struct trod_every_sum){.length = level->length,
            .nsubpath = level->count,
            .ndistinct = level->distinct,
            .nclass = m.nclass};
        out->nsubpath += level->count;
        out->ndistinct += level->distinct;
        out->nclass += m.nclass;
    }
    out->ncollision = m.ncollision;
    fill_rows(out, &m, &hottest, mem);
}
