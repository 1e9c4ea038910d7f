#include "online/hottest.h"

#include <math.h>
#include <string.h>

#define NO_NUMBER UINT32_MAX

/* --- a heap ------------------------------------------------------------------------------------- */

/* Is a less hot than b? */
static bool is_less(const struct trod_hot_class *a, const struct trod_hot_class *b)
{
    if (a->score != b->score)
        return a->score < b->score;
    return a->level != b->level ? a->level < b->level : a->entry > b->entry;
}

static void sink_down(struct trod_hot_class *hot, size_t count, size_t i)
{
    struct trod_hot_class moved = hot[i];

    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_less(&hot[child + 1], &hot[child]))
            child++;
        if (!is_less(&hot[child], &moved))
            break;
        hot[i] = hot[child];
    }
    hot[i] = moved;
}

void trod_hottest_init(struct trod_hottest *out, size_t most, struct trod_arena *mem)
{
    *out = (struct trod_hottest){
        .hot = trod_new(mem, struct trod_hot_class, most + 1), .most = most};
}

void trod_hottest_offer(struct trod_hottest *h, const struct trod_hot_class *one)
{
    size_t i;

    if (h->count == h->most) {
        if (!h->most || !is_less(&h->hot[0], one))
            return;
        h->hot[0] = *one;
        sink_down(h->hot, h->count, 0);
        return;
    }
    for (i = h->count++; i > 0 && is_less(one, &h->hot[(i - 1) / 2]); i = (i - 1) / 2)
        h->hot[i] = h->hot[(i - 1) / 2];
    h->hot[i] = *one;
}

/* --- results ------------------------------------------------------------------------------------ */

void trod_every_canonical(uint32_t *out, const struct trod_every *every,
    enum trod_sample_identity identity, uint32_t number)
{
    uint32_t level = trod_every_level_of(&every->entry[number]);
    uint32_t n = every->level[level].length, start;

    trod_every_expand(out, every, level, number);
    if (identity != TROD_SAMPLE_ROTATION)
        return;
    start = trod_online_rotation(out, n);
    memcpy(out + n, out, start * sizeof *out);
    memmove(out, out + start, n * sizeof *out);
}

/* There are at most as many classes as subpaths. */
void trod_hottest_begin(struct trod_every_answer *out, struct trod_hottest *hottest,
    const struct trod_every *every, size_t most, struct trod_arena *mem)
{
    *out = (struct trod_every_answer){.nblock = every->nblock,
        .ngap = every->ngap,
        .nthread = every->nthread,
        .floor = every->floor,
        .sum = trod_new(mem, struct trod_every_sum, every->nlevel)};
    for (uint32_t l = 0; l < every->nlevel; l++) {
        const struct trod_every_level *level = &every->level[l];

        if (!level->asked)
            continue;
        out->sum[out->nsum++] = (struct trod_every_sum){.length = level->length,
            .nsubpath = level->count,
            .ndistinct = level->distinct};
        out->nsubpath += level->count;
        out->ndistinct += level->distinct;
    }
    trod_hottest_init(
        hottest, most && most < out->ndistinct ? most : out->ndistinct, mem);
}

void trod_hottest_end(struct trod_every_answer *out, struct trod_hottest *h,
    const struct trod_every *every, enum trod_sample_identity identity,
    struct trod_arena *mem)
{
    uint32_t *room = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);

    out->nrow = h->count;
    out->row = trod_new(mem, struct trod_every_row, h->count);
    for (size_t i = h->count; i-- > 0;) {
        struct trod_hot_class one = h->hot[0];
        uint32_t n = every->level[one.level].length, *block;

        h->hot[0] = h->hot[i];
        sink_down(h->hot, i, 0);
        trod_every_canonical(room, every, identity, one.entry);
        block = trod_new(mem, uint32_t, n);
        memcpy(block, room, n * sizeof *block);
        out->row[i] = (struct trod_every_row){
            .count = one.count, .score = one.score, .length = n, .block = block};
    }
}

/* --- finding rotations ---------------------------------------------------------------------------- */

struct finder {
    const struct trod_every *every;
    const double *factor; /* by level */
    double least;         /* minimum score of a class */
    uint32_t *block;      /* room for two subpaths each */
    uint32_t *part, *whole;
};

static double score_of(const struct finder *k, uint32_t number)
{
    const struct trod_every_entry *e = &k->every->entry[number];

    return (double)(e->state & TROD_EVERY_COUNT) * k->factor[trod_every_level_of(e)];
}

/* A class has at most n subpaths, so one of them has at least 1/n of its count. */
static bool may_be_hot(const struct finder *k, uint32_t number)
{
    uint32_t level = trod_every_level_of(&k->every->entry[number]);

    return score_of(k, number) > 0 &&
           score_of(k, number) * k->every->level[level].length * (1 + 1e-9) >= k->least;
}

/* The numbers of the subpaths of a level that begin at each of n blocks of a cycle. */
static void name_ring(uint32_t *out, const struct finder *k, uint32_t level, uint32_t n)
{
    const struct trod_every_level *of = &k->every->level[level];
    uint32_t shift = of->length - of->part;

    if (of->part_level == UINT32_MAX)
        memcpy(k->part, k->block, n * sizeof *k->part);
    else
        name_ring(k->part, k, of->part_level, n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t left = k->part[i], right = k->part[(i + shift) % n];

        k->whole[i] = left == NO_NUMBER || right == NO_NUMBER
                          ? NO_NUMBER
                          : trod_every_find_whole(k->every, level, left, right);
    }
    memcpy(out, k->whole, n * sizeof *out);
}

/* Add up the class of an entry: each rotation once. */
static void add_rotations(
    struct trod_hot_class *out, const struct finder *k, uint32_t number)
{
    uint32_t level = trod_every_level_of(&k->every->entry[number]);
    uint32_t n = k->every->level[level].length, period;

    trod_every_expand(k->block, k->every, level, number);
    period = trod_online_period(k->block, n);
    name_ring(k->part, k, level, n);
    *out = (struct trod_hot_class){.level = level, .entry = number};
    for (uint32_t i = 0; i < period; i++) {
        uint32_t other = k->part[i];
        uint64_t count;

        if (other == NO_NUMBER)
            continue;
        count = k->every->entry[other].state & TROD_EVERY_COUNT;
        out->count += count;
        if (other < out->entry && count)
            out->entry = other;
    }
    out->score = (double)out->count * k->factor[level];
}

/* Is this the first visited entry of its class? The class is in k->part. */
static bool is_first(const struct finder *k, uint32_t number)
{
    uint32_t level = trod_every_level_of(&k->every->entry[number]);

    for (uint32_t i = 0; i < k->every->level[level].length; i++)
        if (k->part[i] < number && may_be_hot(k, k->part[i]))
            return false;
    return true;
}

/* --- without merging all classes ----------------------------------------------------------------- */

static void offer_entries(struct trod_hottest *h, const struct finder *k)
{
    for (uint32_t i = 0; i < k->every->nentry; i++) {
        uint32_t level = trod_every_level_of(&k->every->entry[i]);

        if (k->every->level[level].asked && may_be_hot(k, i))
            trod_hottest_offer(
                h, &(struct trod_hot_class){.score = score_of(k, i),
                       .count = k->every->entry[i].state & TROD_EVERY_COUNT,
                       .level = level,
                       .entry = i});
    }
}

static bool is_among(const struct trod_hottest *h, const struct trod_hot_class *one)
{
    for (size_t i = 0; i < h->count; i++)
        if (h->hot[i].entry == one->entry)
            return true;
    return false;
}

/* Find a lower bound for the scores that are listed: the lowest score among any `most` classes is
 * one. Take the classes of the most frequent subpaths, and enough of these to have `most` distinct
 * classes.
 */
static void find_least(struct finder *k, size_t most, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_hottest entries, classes;
    size_t enough;

    if (__builtin_mul_overflow(most, (size_t)k->every->longest, &enough) ||
        enough > k->every->nentry)
        return;
    trod_hottest_init(&entries, enough, mem);
    trod_hottest_init(&classes, most, mem);
    offer_entries(&entries, k);
    for (size_t i = 0; i < entries.count; i++) {
        struct trod_hot_class one;

        add_rotations(&one, k, entries.hot[i].entry);
        if (!is_among(&classes, &one))
            trod_hottest_offer(&classes, &one);
    }
    if (classes.count == most)
        k->least = classes.hot[0].score;
    trod_arena_rewind(mem, mark);
}

void trod_every_hottest(struct trod_every_answer *out, const struct trod_every *every,
    enum trod_sample_identity identity, double weight, size_t most,
    struct trod_arena *mem)
{
    double *factor = trod_new(mem, double, every->nlevel);
    struct finder looking = {.every = every, .factor = factor};
    struct trod_hottest hottest;

    assert(most);
    if (identity == TROD_SAMPLE_XOR) {
        trod_every_merge(out, every, identity, weight, most, mem);
        return;
    }
    for (uint32_t l = 0; l < every->nlevel; l++)
        factor[l] = pow(every->level[l].length, weight);
    trod_hottest_begin(out, &hottest, every, most, mem);
    if (identity == TROD_SAMPLE_SEQUENCE) {
        offer_entries(&hottest, &looking);
    } else {
        looking.block = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);
        looking.part = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);
        looking.whole = trod_new(mem, uint32_t, (size_t)2 * TROD_EVERY_LONGEST);
        find_least(&looking, most, mem);
        for (uint32_t i = 0; i < every->nentry; i++) {
            uint32_t level = trod_every_level_of(&every->entry[i]);
            struct trod_hot_class hot;

            if (!every->level[level].asked || !may_be_hot(&looking, i))
                continue;
            add_rotations(&hot, &looking, i);
            if (is_first(&looking, i))
                trod_hottest_offer(&hottest, &hot);
        }
    }
    trod_hottest_end(out, &hottest, every, identity, mem);
}
