#include "model/model.h"

#include <inttypes.h>
#include <string.h>

/* --- candidate entries ----------------------------------------------------------------------------- */

static uint64_t fold(uint64_t value, unsigned width)
{
    uint64_t folded = 0;

    for (; value && width; value >>= width)
        folded ^= value;
    return folded;
}

static uint64_t all_outcomes(const struct trod_descriptor *path)
{
    uint64_t all = 0;

    for (size_t i = 0; i < TROD_WORDS(path->length); i++)
        all ^= path->outcome[i];
    return all;
}

/* The outcomes as in a shift register: the last one is the lowest bit. */
static uint64_t last_outcomes(const struct trod_descriptor *path, unsigned width)
{
    uint64_t last = 0;

    for (uint32_t k = 0; k < width && k < path->length; k++)
        last |= (uint64_t)trod_has(path->outcome, path->length - 1 - k) << k;
    return last;
}

/* Start, length and outcomes mixed into 64 bits, for one multiplication. Outcomes go to bits in
 * which addresses hardly differ. */
static inline uint64_t key_of(const struct trod_descriptor *path)
{
    uint64_t all = path->length <= 64 ? path->outcome[0] : all_outcomes(path);

    all ^= all >> 32;
    return path->start ^ all << 32 ^ (uint64_t)path->length << 24;
}

static inline uint64_t high_bits(uint64_t value, unsigned width)
{
    return width ? value >> (64 - width) : 0;
}

static uint64_t set_of(
    const struct trod_hot_table *t, const struct trod_descriptor *path)
{
    uint64_t start = path->start >> t->design.shift, mask = t->nset - 1;

    switch (t->design.index) {
    case TROD_INDEX_ADDRESS:
        return start & mask;
    case TROD_INDEX_XOR:
        return (start ^ path->length ^ path->outcome[0]) & mask;
    case TROD_INDEX_XOR_LAST:
        return (start ^ path->length ^ last_outcomes(path, t->width)) & mask;
    case TROD_INDEX_XOR_FOLD:
        return (start ^ path->length ^ fold(all_outcomes(path), t->width)) & mask;
    default:
        return high_bits(key_of(path) * t->factor[0], t->width);
    }
}

/* The entries that may hold a path, one for each way. */
struct places {
    struct trod_hot_entry *set; /* consecutive ways, unless the table is skewed */
    uint64_t key;
};

static inline void find_places(struct places *out, const struct trod_hot_table *t,
    const struct trod_descriptor *path)
{
    *out = (struct places){0};
    if (t->design.index == TROD_INDEX_SKEW)
        out->key = key_of(path);
    else
        out->set = t->entry + set_of(t, path) * t->design.ways;
}

static inline struct trod_hot_entry *place(
    const struct places *places, const struct trod_hot_table *t, uint32_t way)
{
    if (places->set)
        return places->set + way;
    return t->entry + (size_t)way * t->nset +
           high_bits(places->key * t->factor[way], t->width);
}

/* --- replacement ------------------------------------------------------------------------------------- */

static uint64_t draw(struct trod_hot_table *t)
{
    t->chance =
        t->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return t->chance >> 32;
}

static bool wins_tie(struct trod_hot_table *t, const struct trod_hot_entry *e,
    const struct trod_hot_entry *victim, uint32_t *nsame)
{
    switch (t->design.ties) {
    case TROD_TIES_OLDEST:
        return e->used < victim->used;
    case TROD_TIES_NEWEST:
        return e->used > victim->used;
    case TROD_TIES_RANDOM:
        return draw(t) % ++*nsame == 0;
    default:
        return false;
    }
}

/* The lowest free way; without one, the victim of the replacement policy. */
static struct trod_hot_entry *choose(
    struct trod_hot_table *t, const struct places *places)
{
    struct trod_hot_entry *victim = place(places, t, 0);
    uint32_t nsame = 1;

    for (uint32_t way = 0; way < t->design.ways; way++) {
        struct trod_hot_entry *e = place(places, t, way);

        if (!e->path)
            return e;
        if (!way)
            continue;
        if (t->design.replace == TROD_REPLACE_LRU) {
            if (e->used < victim->used)
                victim = e;
        } else if (e->count < victim->count) {
            victim = e;
            nsame = 1;
        } else if (e->count == victim->count && wins_tie(t, e, victim, &nsame)) {
            victim = e;
        }
    }
    return victim;
}

/* The admission filter (doorkeeper): only a path that was seen before passes. The filter is cleared
 * when half of its bits are set. */
static bool passes_filter(struct trod_hot_table *t, const struct trod_descriptor *path)
{
    uint32_t i;

    if (!t->design.door)
        return true;
    i = (uint32_t)(key_of(path) * UINT64_C(0xd6e8feb86659fd93) >> 32) &
        (t->design.door - 1);
    if (trod_has(t->door, i))
        return true;
    if (2 * t->ndoor >= t->design.door) {
        memset(t->door, 0, TROD_WORDS(t->design.door) * sizeof *t->door);
        t->ndoor = 0;
    }
    trod_add(t->door, i);
    t->ndoor++;
    return false;
}

/* Random admission: a path is admitted with probability count / (lowest + count). */
static bool is_admitted(struct trod_hot_table *t, uint64_t lowest, uint64_t count)
{
    uint64_t sum = trod_sat_add(lowest, count);

    if (t->design.replace != TROD_REPLACE_ADMIT || sum <= count)
        return true;
    while (sum >> 32) {
        sum >>= 1;
        count >>= 1;
    }
    return draw(t) % sum < count;
}

static uint64_t add_to(const struct trod_hot_table *t, uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) || sum > t->most ? t->most : sum;
}

static void miss(struct trod_hot_table *t, const struct places *places, uint32_t number,
    const struct trod_reference_path *path, uint64_t count)
{
    struct trod_hot_entry *e;
    bool goes_on = t->design.replace >= TROD_REPLACE_INHERIT;

    t->nmiss++;
    e = choose(t, places);
    if (e->path &&
        (!passes_filter(t, &path->path) || !is_admitted(t, e->count, count))) {
        t->nrefused++;
        return;
    }
    t->nreplaced += e->path != 0;
    e->extra = e->path && goes_on ? e->count : 0;
    e->count = add_to(t, e->extra, count);
    e->path = number + 1;
    e->used = t->clock;
}

/* --- the table ---------------------------------------------------------------------------------------- */

void trod_hot_table_init(struct trod_hot_table *t, const struct trod_hot_design *design,
    struct trod_arena *mem)
{
    uint64_t factor = UINT64_C(0x9e3779b97f4a7c15);

    *t = (struct trod_hot_table){.design = *design,
        .nset = design->entries / design->ways,
        .most = design->bits == 64 ? UINT64_MAX : (UINT64_C(1) << design->bits) - 1,
        .entry = trod_new(mem, struct trod_hot_entry, design->entries)};
    t->width = (uint8_t)(trod_bit_width(t->nset) - 1);
    for (uint32_t way = 0; way < TROD_HOT_SKEWED; way++) {
        t->factor[way] = factor;
        factor = trod_mix(factor, way) | 1;
    }
    if (design->door)
        t->door = trod_new(mem, uint64_t, TROD_WORDS(design->door));
    t->chance = trod_mix(design->seed, 1);
}

void trod_hot_table_clear(struct trod_hot_table *t)
{
    memset(t->entry, 0, t->design.entries * sizeof *t->entry);
    if (t->door)
        memset(t->door, 0, TROD_WORDS(t->design.door) * sizeof *t->door);
    t->ndoor = 0;
}

static inline void hit(
    struct trod_hot_table *t, struct trod_hot_entry *e, uint64_t count)
{
    e->count = add_to(t, e->count, count);
    e->used = t->clock;
    t->nhit++;
}

bool trod_hot_table_add(struct trod_hot_table *t, uint32_t number,
    const struct trod_reference_path *path, uint64_t count)
{
    struct trod_hot_entry *e = t->last;
    struct places places;

    t->clock++;
    /* Fast path: loops repeat one path. */
    if (e && e->path == number + 1) {
        hit(t, e, count);
        return true;
    }
    find_places(&places, t, &path->path);
    for (uint32_t way = 0; way < t->design.ways; way++) {
        e = place(&places, t, way);
        if (e->path != number + 1)
            continue;
        hit(t, e, count);
        t->last = e;
        return true;
    }
    miss(t, &places, number, path, count);
    return false;
}

const struct trod_hot_entry *trod_hot_table_find(const struct trod_hot_table *t,
    uint32_t number, const struct trod_reference_path *path)
{
    struct places places;

    find_places(&places, t, &path->path);
    for (uint32_t way = 0; way < t->design.ways; way++)
        if (place(&places, t, way)->path == number + 1)
            return place(&places, t, way);
    return NULL;
}

static bool check_entry(const struct trod_hot_table *t, const struct trod_hot_entry *e,
    const struct trod_reference *r, struct trod_err *err)
{
    uint32_t number = e->path - 1;
    const char *what = NULL;

    if (number >= r->npath)
        what = "is of no path";
    else if (trod_hot_table_find(t, number, &r->path[number]) != e)
        what = "is not where it is looked for, or there twice";
    else if (e->count > t->most || e->extra > e->count)
        what = "has more than it can have";
    else if (e->used > t->clock)
        what = "was used in the future";
    return !what || trod_fail(err, TROD_E_INTERNAL, "entry %u of a hot path table %s",
                        (unsigned)(e - t->entry), what);
}

bool trod_hot_table_check(const struct trod_hot_table *t,
    const struct trod_reference *r, struct trod_err *err)
{
    for (uint32_t i = 0; i < t->design.entries; i++)
        if (t->entry[i].path && !check_entry(t, &t->entry[i], r, err))
            return false;
    return true;
}
