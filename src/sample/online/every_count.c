#include "online/every.h"
#include "base/order.h"

#include <inttypes.h>
#include <string.h>

/* SEGMENT: blocks processed at once; room for all their subpaths is reserved beforehand. AHEAD:
 * blocks whose slots and entries are prefetched together. LEAST_BITS: log2 of the fewest slots. */
enum { SEGMENT = 256, AHEAD = 32, LEAST_BITS = 12, LEVEL_SHIFT = 52 };

#define NO_LEVEL UINT32_MAX
#define NO_NUMBER UINT32_MAX

struct trod_every_thread {
    uint64_t id;
    uint64_t run;     /* blocks since the last gap */
    uint32_t *part[]; /* by power of two: numbers of the most recent parts */
};

/* --- levels ----------------------------------------------------------------------------------- */

static unsigned power_of(uint32_t n)
{
    return trod_bit_width(n) - 1;
}

/* The largest power of two below n. */
static uint32_t part_of(uint32_t n)
{
    return UINT32_C(1) << power_of(n - 1);
}

static bool mark_lengths(bool *is_level, bool *is_asked,
    const struct trod_every_options *options, struct trod_err *err)
{
    static const uint32_t powers[] = {2, 4, 8, 16, 32};
    const uint32_t *length = options->nlength ? options->length : powers;
    uint32_t n = options->nlength ? options->nlength : 5;

    for (uint32_t i = 0; i < n; i++) {
        if (length[i] < TROD_EVERY_SHORTEST || length[i] > TROD_EVERY_LONGEST)
            return trod_fail(err, TROD_E_INPUT,
                "a subpath of %" PRIu32 " blocks; those counted have from %d to %d",
                length[i], TROD_EVERY_SHORTEST, TROD_EVERY_LONGEST);
        is_asked[length[i]] = true;
        is_level[length[i]] = true;
    }
    for (uint32_t k = TROD_EVERY_LONGEST; k >= TROD_EVERY_SHORTEST; k--)
        if (is_level[k])
            is_level[part_of(k)] = true;
    return true;
}

static bool build_levels(struct trod_every *x, const struct trod_every_options *options,
    struct trod_err *err)
{
    bool is_level[TROD_EVERY_LONGEST + 1] = {0}, is_asked[TROD_EVERY_LONGEST + 1] = {0};
    uint32_t level_of[TROD_EVERY_LONGEST + 1], n = 0;

    if (!mark_lengths(is_level, is_asked, options, err))
        return false;
    for (uint32_t k = TROD_EVERY_SHORTEST; k <= TROD_EVERY_LONGEST; k++)
        n += is_level[k];
    x->level = trod_new(x->mem, struct trod_every_level, n);
    for (uint32_t k = TROD_EVERY_SHORTEST; k <= TROD_EVERY_LONGEST; k++) {
        uint32_t part = part_of(k), *history = &x->history[power_of(part)];

        if (!is_level[k])
            continue;
        level_of[k] = x->nlevel;
        x->level[x->nlevel++] = (struct trod_every_level){.length = k,
            .part = part,
            .part_level = part == 1 ? NO_LEVEL : level_of[part],
            .asked = is_asked[k]};
        *history = k - part > *history ? k - part : *history;
        x->longest = k;
    }
    return true;
}

static bool is_last(const struct trod_every *x, uint32_t power)
{
    return power >= TROD_EVERY_PARTS || !x->history[power];
}

/* --- memory ------------------------------------------------------------------------------------- */

static uint64_t need_at_once(const struct trod_every *x)
{
    return (uint64_t)SEGMENT * x->nlevel;
}

/* A sixteenth of the memory is for threads. Slots get at most a third of the rest, and entries fill
 * at most three quarters of the slots.
 */
static bool divide_memory(struct trod_every *x, struct trod_err *err)
{
    uint64_t table = x->memory - x->memory / 16, most;
    unsigned bits = LEAST_BITS;

    while (bits < 32 && (UINT64_C(4) << (bits + 1)) <= table / 3)
        bits++;
    most = (table - (UINT64_C(4) << bits)) / sizeof *x->entry;
    if (most > (UINT64_C(3) << bits) / 4)
        most = (UINT64_C(3) << bits) / 4;
    if (table < UINT64_C(8) << LEAST_BITS || most < 4 * need_at_once(x))
        return trod_fail(err, TROD_E_LIMIT,
            "%" PRIu64
            " bytes are too few to count subpaths of these lengths; give more "
            "than %" PRIu64,
            x->memory,
            4 * need_at_once(x) * 32 > UINT64_C(1) << 17 ? 4 * need_at_once(x) * 32
                                                         : UINT64_C(1) << 17);
    x->most = (uint32_t)most;
    x->most_bits = bits;
    x->left = x->memory / 16;
    return true;
}

bool trod_every_init(struct trod_every *out, const struct trod_every_options *options,
    struct trod_arena *mem, struct trod_err *err)
{
    *out = (struct trod_every){.mem = mem,
        .memory = options->memory ? options->memory : TROD_EVERY_MEMORY,
        .partial = options->partial,
        .bits = LEAST_BITS};
    if (!build_levels(out, options, err) || !divide_memory(out, err))
        return false;
    out->entry = trod_new(mem, struct trod_every_entry, out->most);
    out->slot = trod_new(mem, uint32_t, (size_t)1 << out->most_bits);
    for (uint32_t k = 0; !is_last(out, k); k++)
        out->scratch[k] = trod_new(mem, uint32_t, out->history[k] + SEGMENT);
    return true;
}

/* --- the table ---------------------------------------------------------------------------------- */

/* The high bits of the product are well mixed: the slot is taken from them. */
static uint32_t slot_of(
    const struct trod_every *x, uint32_t level, uint32_t left, uint32_t right)
{
    uint64_t h = ((uint64_t)left << 32 | right) + level * UINT64_C(0x9e3779b97f4a7c15);

    h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
    h = (h ^ h >> 29) * UINT64_C(0xd6e8feb86659fd93);
    return (uint32_t)(h >> (64 - x->bits));
}

static bool is(
    const struct trod_every_entry *e, uint32_t level, uint32_t left, uint32_t right)
{
    return e->left == left && e->right == right && trod_every_level_of(e) == level;
}

static void fill_slots(struct trod_every *x)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << x->bits) - 1);

    memset(x->slot, 0, sizeof *x->slot << x->bits);
    for (uint32_t i = 0; i < x->nentry; i++) {
        const struct trod_every_entry *e = &x->entry[i];
        uint32_t s = slot_of(x, trod_every_level_of(e), e->left, e->right);

        while (x->slot[s])
            s = (s + 1) & mask;
        x->slot[s] = i + 1;
    }
}

static uint32_t add_entry(
    struct trod_every *x, uint32_t s, uint32_t level, uint32_t left, uint32_t right)
{
    assert(x->nentry < x->most);
    x->entry[x->nentry] =
        (struct trod_every_entry){left, right, (uint64_t)level << LEVEL_SHIFT};
    x->slot[s] = x->nentry + 1;
    x->level[level].distinct++;
    return x->nentry++;
}

/* Count a whole (a subpath made of two parts) and return its number; a new whole gets the next free one. */
static uint32_t count_whole(
    struct trod_every *x, uint32_t s, uint32_t level, uint32_t left, uint32_t right)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << x->bits) - 1), i;

    for (;; s = (s + 1) & mask) {
        if (!x->slot[s]) {
            i = add_entry(x, s, level, left, right);
            break;
        }
        i = x->slot[s] - 1;
        if (is(&x->entry[i], level, left, right))
            break;
    }
    x->entry[i].state++;
    return i;
}

/* Count the wholes that end at blocks `from` and later; parts[i] ended at block i. Slots and
 * entries are prefetched, since cache misses are most of the cost.
 */
static void count_level(struct trod_every *x, uint32_t l, const uint32_t *part,
    uint32_t *whole, uint32_t from, uint32_t to)
{
    struct trod_every_level *level = &x->level[l];
    uint32_t shift = level->length - level->part, slot[AHEAD];

    for (uint32_t at = from; at < to; at += AHEAD) {
        uint32_t n = to - at < AHEAD ? to - at : AHEAD;
        const uint32_t *right = part + at, *left = right - shift;

        for (uint32_t i = 0; i < n; i++) {
            slot[i] = slot_of(x, l, left[i], right[i]);
            __builtin_prefetch(&x->slot[slot[i]]);
        }
        for (uint32_t i = 0; i < n; i++)
            __builtin_prefetch(&x->entry[x->slot[slot[i]] - (x->slot[slot[i]] > 0)], 1);
        for (uint32_t i = 0; i < n; i++) {
            uint32_t number = count_whole(x, slot[i], l, left[i], right[i]);

            if (whole)
                whole[at + i] = number;
        }
    }
    if (to > from)
        level->count += to - from;
}

/* --- a thread's blocks -------------------------------------------------------------------------- */

/* Count a segment of at most SEGMENT blocks without a gap, at all levels. */
static void count_segment(struct trod_every *x, struct trod_every_thread *t,
    const uint32_t *block, uint32_t n)
{
    for (uint32_t k = 0; !is_last(x, k); k++)
        memcpy(x->scratch[k], t->part[k], x->history[k] * sizeof **t->part);
    memcpy(x->scratch[0] + x->history[0], block, n * sizeof *block);
    for (uint32_t l = 0; l < x->nlevel; l++) {
        const struct trod_every_level *level = &x->level[l];
        uint64_t missing = t->run + 1 < level->length ? level->length - t->run - 1 : 0;
        uint32_t k = power_of(level->part), own = power_of(level->length);
        bool is_part = level->length == UINT32_C(1) << own && !is_last(x, own);

        if (missing < n)
            count_level(x, l, x->scratch[k] + x->history[k],
                is_part ? x->scratch[own] + x->history[own] : NULL, (uint32_t)missing,
                n);
    }
    for (uint32_t k = 0; !is_last(x, k); k++)
        memcpy(t->part[k], x->scratch[k] + n, x->history[k] * sizeof **t->part);
    t->run += n;
}

static uint64_t thread_size(const struct trod_every *x)
{
    uint64_t size = sizeof(struct trod_every_thread) + 256;

    for (uint32_t k = 0; !is_last(x, k); k++)
        size += sizeof(uint32_t *) + x->history[k] * sizeof(uint32_t) + 16;
    return size;
}

static bool no_room(const struct trod_every *x, const char *what, struct trod_err *err)
{
    return trod_fail(err, TROD_E_LIMIT,
        "%" PRIu64 " blocks were counted, and %" PRIu32
        " different subpaths found; then there was no space for %s in %" PRIu64
        " bytes: give more memory, count fewer lengths, or use --partial",
        x->nblock, x->nentry, what, x->memory);
}

static bool add_thread(
    struct trod_every *x, uint32_t at, uint64_t id, struct trod_err *err)
{
    uint64_t size = thread_size(x);
    struct trod_every_thread *t;

    if (size > x->left)
        return no_room(x, "more threads", err);
    x->left -= size;
    t = trod_arena_take(x->mem, 1, sizeof *t + TROD_EVERY_PARTS * sizeof *t->part);
    t->id = id;
    for (uint32_t k = 0; !is_last(x, k); k++)
        t->part[k] = trod_new(x->mem, uint32_t, x->history[k]);
    trod_reserve(x->mem, x->thread, x->nthread, x->room_thread);
    memmove(x->thread + at + 1, x->thread + at, (x->nthread - at) * sizeof *x->thread);
    x->thread[at] = t;
    x->nthread++;
    return true;
}

static struct trod_every_thread *find_thread(
    struct trod_every *x, uint64_t id, struct trod_err *err)
{
    uint32_t low = TROD_LOWER_BOUND(middle, 0, x->nthread, x->thread[middle]->id < id);

    if (low == x->nthread || x->thread[low]->id != id)
        if (!add_thread(x, low, id, err))
            return NULL;
    return x->thread[low];
}

/* --- a full table ------------------------------------------------------------------------------- */

static uint64_t nrare(const struct trod_every *x, uint64_t least)
{
    uint64_t n = 0;

    for (uint32_t i = 0; i < x->nentry; i++)
        n += (x->entry[i].state & TROD_EVERY_COUNT) <= least;
    return n;
}

#define STAYS (UINT64_C(1) << 51) /* a bit of the count, which never gets that high */

/* Keep parts that threads need for their next wholes, however rare. Called again with `moved`, it
 * gives threads the new numbers of these parts.
 */
static void keep_at_hand(struct trod_every *x, bool moved)
{
    for (uint32_t i = 0; i < x->nthread; i++) {
        struct trod_every_thread *t = x->thread[i];

        for (uint32_t k = 1; !is_last(x, k); k++)
            for (uint32_t age = 0; age < x->history[k]; age++) {
                uint32_t *number = &t->part[k][x->history[k] - 1 - age];

                if (t->run < (UINT64_C(1) << k) + age)
                    break;
                if (moved)
                    *number = x->slot[*number];
                else
                    x->entry[*number].state |= STAYS;
            }
    }
}

/* A whole that stays keeps its parts. These precede it, so one pass from the end suffices. */
static void let_parts_stay(struct trod_every *x)
{
    for (uint32_t i = x->nentry; i-- > 0;) {
        const struct trod_every_entry *e = &x->entry[i];

        if (!(e->state & STAYS) ||
            x->level[trod_every_level_of(e)].part_level == NO_LEVEL)
            continue;
        x->entry[e->left].state |= STAYS;
        x->entry[e->right].state |= STAYS;
    }
}

/* Compact the table: entries with higher counts move to its beginning. Their parts have counts at
 * least as high, so they stay, too. The array of slots maps old numbers to new ones until it is
 * rebuilt.
 */
static void drop_rare(struct trod_every *x, uint64_t least)
{
    uint32_t n = 0, *to = x->slot;

    keep_at_hand(x, false);
    let_parts_stay(x);
    for (uint32_t l = 0; l < x->nlevel; l++)
        x->level[l].distinct = 0;
    for (uint32_t i = 0; i < x->nentry; i++) {
        struct trod_every_entry e = x->entry[i];
        struct trod_every_level *level = &x->level[trod_every_level_of(&e)];

        if ((e.state & TROD_EVERY_COUNT) <= least)
            continue;
        if (level->part_level != NO_LEVEL) {
            e.left = to[e.left];
            e.right = to[e.right];
        }
        e.state &= ~STAYS;
        level->distinct++;
        to[i] = n;
        x->entry[n++] = e;
    }
    x->nentry = n;
    keep_at_hand(x, true);
    fill_slots(x);
}

/* Drop the least frequent subpaths until half of the table is free. Those that threads still need are kept. */
static bool prune(struct trod_every *x, struct trod_err *err)
{
    uint64_t least = 1;

    if ((uint64_t)x->nthread * x->longest * x->nlevel > x->most / 4)
        return no_room(x, "the state of so many threads", err);
    while (nrare(x, least) < x->nentry / 2 && least < STAYS / 4)
        least *= 2;
    for (uint64_t step = least / 4; step > 0; step /= 2)
        if (nrare(x, least - step) >= x->nentry / 2)
            least -= step;
    drop_rare(x, least);
    x->floor = trod_sat_add(x->floor, least);
    x->npruned++;
    return true;
}

static bool make_room(struct trod_every *x, struct trod_err *err)
{
    uint64_t need = x->nentry + need_at_once(x);

    while (x->bits < x->most_bits && need > (UINT64_C(1) << x->bits) / 2) {
        x->bits++;
        fill_slots(x);
    }
    if (need <= x->most)
        return true;
    return x->partial ? prune(x, err) : no_room(x, "more", err);
}

/* --- blocks ------------------------------------------------------------------------------------- */

static size_t until_gap(const uint32_t *block, size_t n)
{
    size_t i = 0;

    while (i < n && i < SEGMENT && block[i] < UINT32_C(0x80000000))
        i++;
    return i;
}

bool trod_every_add(struct trod_every *every, uint64_t thread, const uint32_t *block,
    size_t nblock, struct trod_err *err)
{
    struct trod_every_thread *t = find_thread(every, thread, err);

    if (!t)
        return false;
    for (size_t i = 0; i < nblock;) {
        uint32_t n = (uint32_t)until_gap(block + i, nblock - i);

        if (!n) {
            if (block[i] != TROD_EVERY_GAP)
                return trod_fail(err, TROD_E_INPUT,
                    "block %" PRIu64 " of the trace has the number %" PRIu32
                    "; numbers are below 2147483648",
                    every->nblock, block[i]);
            every->ngap++;
            t->run = 0;
            i++;
            continue;
        }
        if (!make_room(every, err))
            return false;
        count_segment(every, t, block + i, n);
        every->nblock += n;
        i += n;
    }
    return true;
}

/* --- from numbers to blocks --------------------------------------------------------------------- */

/* The depth of the recursion is the number of powers of two. */
void trod_every_expand(
    uint32_t *out, const struct trod_every *every, uint32_t level, uint32_t number)
{
    const struct trod_every_entry *e = &every->entry[number];
    const struct trod_every_level *of = &every->level[level];

    if (of->part_level == NO_LEVEL) {
        out[0] = e->left;
        out[of->length - 1] = e->right;
        return;
    }
    trod_every_expand(out, every, of->part_level, e->left);
    trod_every_expand(out + of->length - of->part, every, of->part_level, e->right);
}

uint32_t trod_every_find_whole(
    const struct trod_every *x, uint32_t level, uint32_t left, uint32_t right)
{
    uint32_t mask = (uint32_t)((UINT64_C(1) << x->bits) - 1);

    for (uint32_t s = slot_of(x, level, left, right); x->slot[s]; s = (s + 1) & mask)
        if (is(&x->entry[x->slot[s] - 1], level, left, right))
            return x->slot[s] - 1;
    return NO_NUMBER;
}

uint32_t trod_every_find(
    const struct trod_every *every, uint32_t level, const uint32_t *block)
{
    const struct trod_every_level *of = &every->level[level];
    uint32_t left, right;

    if (of->part_level == NO_LEVEL)
        return trod_every_find_whole(every, level, block[0], block[of->length - 1]);
    left = trod_every_find(every, of->part_level, block);
    right = trod_every_find(every, of->part_level, block + of->length - of->part);
    return left == NO_NUMBER || right == NO_NUMBER
               ? NO_NUMBER
               : trod_every_find_whole(every, level, left, right);
}

/* --- check -------------------------------------------------------------------------------------- */

static bool check_entry(const struct trod_every *x, uint32_t i, struct trod_err *err)
{
    const struct trod_every_entry *e = &x->entry[i];
    const struct trod_every_level *level;

    if (trod_every_level_of(e) >= x->nlevel)
        return trod_fail(err, TROD_E_INTERNAL, "subpath %" PRIu32 " is of no level", i);
    level = &x->level[trod_every_level_of(e)];
    if (trod_every_find_whole(x, trod_every_level_of(e), e->left, e->right) != i)
        return trod_fail(err, TROD_E_INTERNAL,
            "subpath %" PRIu32 " is not found, or there twice", i);
    if (level->part_level == NO_LEVEL)
        return true;
    for (int side = 0; side < 2; side++) {
        uint32_t part = side ? e->right : e->left;

        if (part >= i || trod_every_level_of(&x->entry[part]) != level->part_level)
            return trod_fail(err, TROD_E_INTERNAL,
                "subpath %" PRIu32 " has part %" PRIu32 ", which is none", i, part);
        if ((x->entry[part].state & TROD_EVERY_COUNT) < (e->state & TROD_EVERY_COUNT))
            return trod_fail(err, TROD_E_INTERNAL,
                "subpath %" PRIu32 " ran more often than its part %" PRIu32, i, part);
    }
    return true;
}

bool trod_every_check(
    const struct trod_every *every, struct trod_arena *mem, struct trod_err *err)
{
    uint64_t *count = trod_new(mem, uint64_t, every->nlevel);
    uint64_t *distinct = trod_new(mem, uint64_t, every->nlevel);

    for (uint32_t i = 0; i < every->nentry; i++) {
        if (!check_entry(every, i, err))
            return false;
        count[trod_every_level_of(&every->entry[i])] +=
            every->entry[i].state & TROD_EVERY_COUNT;
        distinct[trod_every_level_of(&every->entry[i])]++;
    }
    for (uint32_t l = 0; l < every->nlevel; l++)
        if (distinct[l] != every->level[l].distinct ||
            count[l] > every->level[l].count ||
            (!every->floor && count[l] != every->level[l].count))
            return trod_fail(err, TROD_E_INTERNAL,
                "the counts of subpaths of %" PRIu32 " blocks do not add up",
                every->level[l].length);
    return true;
}
