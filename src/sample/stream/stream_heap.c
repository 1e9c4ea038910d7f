#include "stream/stream.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* An allocation or a free. Sorted by order numbers; for equal ones, which only damage produces,
 * frees come first.
 */
struct change {
    uint64_t order;
    uint32_t object;
    bool gone;
};

enum { LEVELS = 6 }; /* depth of the bit set tree: 64^6 addresses */

/* The objects that exist at some moment. All start addresses are known in advance. A tree of bit
 * sets has one bit per start address; each bit of an upper level says whether a word of the level
 * below is nonzero. Objects do not overlap, so an address can only be in the object with the
 * greatest start at or below it.
 */
struct trod_stream_heap {
    struct trod_stream_made *object;
    uint32_t nobject;
    const uint32_t *start_of_object; /* [nobject], index of its start address */
    const uint64_t *start;           /* ascending */
    uint32_t nstart;
    uint32_t *object_at; /* [nstart], the object that exists there */
    uint64_t *set[LEVELS];
    unsigned nlevel;
    struct change *change;
    size_t nchange, at; /* changes; those already applied */
};

/* --- sets of start addresses ------------------------------------------------------------------ */

static void add_start(struct trod_stream_heap *heap, uint32_t start)
{
    for (unsigned k = 0; k < heap->nlevel; k++, start /= 64)
        trod_add(heap->set[k], start);
}

static void drop_start(struct trod_stream_heap *heap, uint32_t start)
{
    for (unsigned k = 0; k < heap->nlevel; k++, start /= 64) {
        trod_drop(heap->set[k], start);
        if (heap->set[k][start / 64])
            return;
    }
}

/* The highest set bit of a word below a number; UINT32_MAX: none. */
static uint32_t last_below(const uint64_t *set, uint32_t below)
{
    uint64_t word = set[below / 64] & ((UINT64_C(1) << below % 64) - 1);

    return word ? below / 64 * 64 + trod_bit_width(word) - 1 : UINT32_MAX;
}

/* The highest start in the set below a number; UINT32_MAX: none. */
static uint32_t find_below(const struct trod_stream_heap *heap, uint32_t below)
{
    uint32_t found = UINT32_MAX;
    unsigned k;

    for (k = 0; k < heap->nlevel; k++, below /= 64) {
        found = last_below(heap->set[k], below);
        if (found != UINT32_MAX)
            break;
    }
    while (found != UINT32_MAX && k--)
        found = found * 64 + trod_bit_width(heap->set[k][found]) - 1;
    return found;
}

/* The number of start addresses at or below an address. */
static uint32_t rank_of(const struct trod_stream_heap *heap, uint64_t address)
{
    uint32_t low =
        TROD_LOWER_BOUND(middle, 0, heap->nstart, heap->start[middle] <= address);

    return low;
}

static void init_sets(struct trod_stream_heap *heap, struct trod_arena *mem)
{
    size_t n = (size_t)heap->nstart + 1;

    do {
        heap->set[heap->nlevel++] = trod_new(mem, uint64_t, TROD_WORDS(n));
        n = TROD_WORDS(n);
    } while (n > 1 && heap->nlevel < LEVELS);
}

static void clear_sets(struct trod_stream_heap *heap)
{
    size_t n = (size_t)heap->nstart + 1;

    for (unsigned k = 0; k < heap->nlevel; k++, n = TROD_WORDS(n))
        memset(heap->set[k], 0, TROD_WORDS(n) * sizeof *heap->set[k]);
}

/* --- allocations and frees ------------------------------------------------------------------------- */

static int by_order(const void *a, const void *b)
{
    const struct change *x = a, *y = b;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->gone != y->gone)
        return x->gone ? -1 : 1;
    return (x->object > y->object) - (x->object < y->object);
}

TROD_ORDER(by_value, uint64_t, trod_compare(*a, *b))

static void number_starts(struct trod_stream_heap *heap, struct trod_arena *mem)
{
    uint64_t *start = trod_new(mem, uint64_t, (size_t)heap->nobject + 1);
    uint32_t *of = trod_new(mem, uint32_t, (size_t)heap->nobject + 1);
    uint32_t n = 0;

    for (uint32_t i = 0; i < heap->nobject; i++)
        start[i] = heap->object[i].address;
    trod_sort(start, heap->nobject, by_value);
    for (uint32_t i = 0; i < heap->nobject; i++)
        if (!n || start[n - 1] != start[i])
            start[n++] = start[i];
    heap->start = start;
    heap->nstart = n;
    for (uint32_t i = 0; i < heap->nobject; i++)
        of[i] = rank_of(heap, heap->object[i].address) - 1;
    heap->start_of_object = of;
    heap->object_at = trod_new(mem, uint32_t, (size_t)n + 1);
}

/* The address after the last byte of an object; an object of size 0 counts as one byte. */
static uint64_t end_of(const struct trod_stream_made *object)
{
    return trod_sat_add(object->address, object->size ? object->size : 1);
}

static void apply(struct trod_stream_heap *heap, const struct change *change, bool gone)
{
    uint32_t start = heap->start_of_object[change->object];

    if (gone) {
        drop_start(heap, start);
    } else {
        heap->object_at[start] = change->object;
        add_start(heap, start);
    }
}

/* Objects that exist over time, while the changes are collected. */
struct merger {
    struct trod_stream_heap *heap;
    struct change *out;
    size_t nout, room;
    struct trod_arena *mem;
};

static void put_change(struct merger *j, uint64_t order, uint32_t object, bool gone)
{
    trod_reserve(j->mem, j->out, j->nout, j->room);
    j->out[j->nout] = (struct change){order, object, gone};
    apply(j->heap, &j->out[j->nout++], gone);
}

/* Objects at the same address have been freed before. */
static void make(struct merger *j, uint64_t order, uint32_t object)
{
    const struct trod_stream_made *new = &j->heap->object[object];
    uint32_t below = rank_of(j->heap, end_of(new) - 1), start;

    while ((start = find_below(j->heap, below)) != UINT32_MAX) {
        uint32_t old = j->heap->object_at[start];

        if (end_of(&j->heap->object[old]) <= new->address)
            break;
        put_change(j, order, old, true);
    }
    put_change(j, order, object, false);
}

static void unmake(struct merger *j, uint64_t order, uint64_t address)
{
    uint32_t rank = rank_of(j->heap, address);

    if (rank && j->heap->start[rank - 1] == address &&
        trod_has(j->heap->set[0], rank - 1))
        put_change(j, order, j->heap->object_at[rank - 1], true);
}

/* Merge allocations and frees into one array. */
static void join(struct trod_stream_heap *heap, struct trod_stream_gone *gone,
    size_t ngone, struct trod_arena *mem)
{
    struct merger j = {.heap = heap, .mem = mem};
    size_t nall = heap->nobject + ngone;
    struct change *all = trod_new(mem, struct change, nall + 1);

    for (uint32_t i = 0; i < heap->nobject; i++)
        all[i] = (struct change){heap->object[i].order, i, false};
    for (size_t i = 0; i < ngone; i++)
        all[heap->nobject + i] = (struct change){gone[i].order, (uint32_t)i, true};
    trod_sort(all, nall, by_order);
    for (size_t i = 0; i < nall; i++) {
        if (all[i].gone)
            unmake(&j, all[i].order, gone[all[i].object].address);
        else
            make(&j, all[i].order, all[i].object);
    }
    heap->change = j.out;
    heap->nchange = j.nout;
    clear_sets(heap);
}

struct trod_stream_heap *trod_stream_heap_build(struct trod_stream_made *made,
    size_t nmade, struct trod_stream_gone *gone, size_t ngone, struct trod_arena *mem)
{
    struct trod_stream_heap *heap = trod_new(mem, struct trod_stream_heap, 1);

    heap->object = made;
    heap->nobject = nmade < UINT32_MAX ? (uint32_t)nmade : UINT32_MAX - 1;
    number_starts(heap, mem);
    init_sets(heap, mem);
    join(heap, gone, ngone < UINT32_MAX ? ngone : UINT32_MAX - 1, mem);
    return heap;
}

/* --- lookup -------------------------------------------------------------------------------------------- */

/* Move to the moment when this many order numbers had been assigned, forward or backward. */
static void go_to(struct trod_stream_heap *heap, uint64_t order)
{
    while (heap->at < heap->nchange && heap->change[heap->at].order < order) {
        apply(heap, &heap->change[heap->at], heap->change[heap->at].gone);
        heap->at++;
    }
    while (heap->at && heap->change[heap->at - 1].order >= order) {
        heap->at--;
        apply(heap, &heap->change[heap->at], !heap->change[heap->at].gone);
    }
}

const struct trod_stream_made *trod_stream_heap_find(
    struct trod_stream_heap *heap, uint64_t address, uint64_t order)
{
    const struct trod_stream_made *object;
    uint32_t start;

    if (!heap->nobject)
        return NULL;
    go_to(heap, order);
    start = find_below(heap, rank_of(heap, address));
    if (start == UINT32_MAX)
        return NULL;
    object = &heap->object[heap->object_at[start]];
    return address < end_of(object) ? object : NULL;
}
