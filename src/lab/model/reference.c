#include "model/model.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 };

void trod_reference_init(struct trod_reference *r, struct trod_arena *mem)
{
    *r = (struct trod_reference){
        .mem = mem, .slot = trod_new(mem, uint32_t, FIRST_SLOTS), .nslot = FIRST_SLOTS};
}

static inline uint64_t add(uint64_t a, uint64_t b)
{
    uint64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static inline uint64_t step(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static inline uint64_t hash_of(const struct trod_descriptor *path)
{
    uint64_t hash = step(path->start, path->length);

    for (size_t i = 0; i < TROD_WORDS(path->length); i++)
        hash = step(hash, path->outcome[i]);
    return step(hash, 0);
}

static inline bool is_same(
    const struct trod_descriptor *a, const struct trod_descriptor *b)
{
    if (a->start != b->start || a->length != b->length)
        return false;
    if (a->length <= 64)
        return !a->length || a->outcome[0] == b->outcome[0];
    return memcmp(a->outcome, b->outcome, TROD_WORDS(a->length) * sizeof *a->outcome) ==
           0;
}

/* The slot that holds the path, or the free slot for it. */
static inline uint64_t slot_of(
    const struct trod_reference *r, const struct trod_descriptor *path, uint64_t hash)
{
    uint64_t i = hash & (r->nslot - 1);

    while (r->slot[i] && (r->path[r->slot[i] - 1].hash != hash ||
                             !is_same(&r->path[r->slot[i] - 1].path, path)))
        i = (i + 1) & (r->nslot - 1);
    return i;
}

static void grow(struct trod_reference *r)
{
    r->nslot *= 4;
    r->slot = trod_new(r->mem, uint32_t, r->nslot);
    for (uint32_t p = 0; p < r->npath; p++) {
        uint64_t i = r->path[p].hash & (r->nslot - 1);

        while (r->slot[i])
            i = (i + 1) & (r->nslot - 1);
        r->slot[i] = p + 1;
    }
}

static uint32_t add_new(
    struct trod_reference *r, const struct trod_descriptor *path, uint64_t hash)
{
    size_t words = TROD_WORDS(path->length);
    uint64_t *outcome = trod_new(r->mem, uint64_t, words ? words : 1);

    assert(r->npath < UINT32_MAX - 1);
    memcpy(outcome, path->outcome, words * sizeof *outcome);
    trod_reserve(r->mem, r->path, r->npath, r->room);
    r->path[r->npath] = (struct trod_reference_path){.path = *path, .hash = hash};
    r->path[r->npath].path.outcome = outcome;
    return r->npath++;
}

uint32_t trod_reference_add(struct trod_reference *r, const struct trod_path_end *end)
{
    uint32_t number = r->last;
    struct trod_reference_path *p;

    /* Fast path: loops repeat one path. */
    if (!r->npath || !is_same(&r->path[number].path, &end->path)) {
        uint64_t hash = hash_of(&end->path), i = slot_of(r, &end->path, hash);

        if (!r->slot[i]) {
            r->slot[i] = add_new(r, &end->path, hash) + 1;
            number = r->slot[i] - 1;
            if (2 * (uint64_t)r->npath > r->nslot)
                grow(r);
        } else {
            number = r->slot[i] - 1;
        }
        r->last = number;
    }
    p = &r->path[number];
    p->count++;
    p->weight = add(p->weight, end->weight);
    p->ninsn += end->ninsn;
    r->count++;
    r->weight = add(r->weight, end->weight);
    r->ninsn += end->ninsn;
    return number;
}

uint32_t trod_reference_find(
    const struct trod_reference *r, const struct trod_descriptor *path)
{
    return r->slot[slot_of(r, path, hash_of(path))] - 1;
}

struct heavy {
    uint64_t weight;
    uint32_t number;
};

TROD_ORDER(heavier, struct heavy, TROD_DOWN(weight), TROD_UP(number))

uint32_t *trod_reference_order(const struct trod_reference *r, struct trod_arena *mem)
{
    uint32_t *order = trod_new(mem, uint32_t, r->npath);
    struct trod_mark mark = trod_arena_mark(mem);
    struct heavy *heavy = trod_new(mem, struct heavy, r->npath);

    for (uint32_t i = 0; i < r->npath; i++)
        heavy[i] = (struct heavy){.weight = r->path[i].weight, .number = i};
    trod_sort(heavy, r->npath, heavier);
    for (uint32_t i = 0; i < r->npath; i++)
        order[i] = heavy[i].number;
    trod_arena_rewind(mem, mark);
    return order;
}

bool trod_reference_check(const struct trod_reference *r, struct trod_err *err)
{
    uint64_t count = 0, weight = 0, ninsn = 0;

    for (uint32_t i = 0; i < r->npath; i++) {
        const struct trod_reference_path *p = &r->path[i];
        uint32_t length = p->path.length;

        if (trod_reference_find(r, &p->path) != i || p->hash != hash_of(&p->path))
            return trod_fail(err, TROD_E_INTERNAL,
                "path %u is not where it would be looked for", (unsigned)i);
        if (!p->count)
            return trod_fail(err, TROD_E_INTERNAL, "path %u never ran", (unsigned)i);
        if (length % 64 && p->path.outcome[length / 64] >> (length % 64))
            return trod_fail(err, TROD_E_INTERNAL,
                "path %u has outcomes behind its end", (unsigned)i);
        count += p->count;
        weight = add(weight, p->weight);
        ninsn += p->ninsn;
    }
    if (count != r->count || weight != r->weight || ninsn != r->ninsn)
        return trod_fail(
            err, TROD_E_INTERNAL, "paths do not add up to what was counted of all");
    return true;
}
