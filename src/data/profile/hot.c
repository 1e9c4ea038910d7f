#include "profile/profile.h"
#include "base/order.h"

#include <stdlib.h>

/* Is x listed before y? */
static bool is_before(const struct trod_hot_path *x, const struct trod_hot_path *y)
{
    if (x->count != y->count)
        return x->count > y->count;
    if (x->module != y->module)
        return x->module < y->module;
    if (x->function != y->function)
        return x->function < y->function;
    return x->id < y->id;
}

static int hottest_first(const void *x, const void *y)
{
    return is_before(x, y) ? -1 : is_before(y, x);
}

/* A min-heap: its root is the coldest listed path, which a hotter one replaces. */
static void sink_root(struct trod_hot_path *heap, size_t n)
{
    struct trod_hot_path moved = heap[0];
    size_t i = 0;

    for (size_t child = 1; child < n; child = 2 * i + 1) {
        if (child + 1 < n && is_before(&heap[child], &heap[child + 1]))
            child++;
        if (!is_before(&moved, &heap[child]))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moved;
}

static void raise_last(struct trod_hot_path *heap, size_t n)
{
    struct trod_hot_path moved = heap[n - 1];
    size_t i = n - 1;

    for (; i > 0 && is_before(&heap[(i - 1) / 2], &moved); i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = moved;
}

static void offer(struct trod_hot_path *heap, size_t *n, size_t most,
    const struct trod_hot_path *path)
{
    if (*n < most) {
        heap[(*n)++] = *path;
        raise_last(heap, *n);
    } else if (most && is_before(path, &heap[0])) {
        heap[0] = *path;
        sink_root(heap, *n);
    }
}

/* Merge the lists of a function's tallies, one per group. */
static void offer_function(struct trod_hot *out, struct trod_hot_path *heap,
    size_t most, const struct trod_profile_tally *tally, size_t n, uint64_t npath,
    size_t *at)
{
    for (size_t i = 0; i < n; i++)
        at[i] = 0;
    for (;;) {
        struct trod_hot_path path = {
            .module = tally->module, .function = tally->function, .id = UINT64_MAX};

        for (size_t i = 0; i < n; i++)
            if (at[i] < tally[i].npath && tally[i].path[at[i]].id < path.id)
                path.id = tally[i].path[at[i]].id;
        if (path.id >= npath) /* not a path: a stop, or begun */
            return;
        for (size_t i = 0; i < n; i++)
            if (at[i] < tally[i].npath && tally[i].path[at[i]].id == path.id)
                path.count = trod_sat_add(path.count, tally[i].path[at[i]++].count);
        out->nall++;
        out->total = trod_sat_add(out->total, path.count);
        offer(heap, &out->npath, most, &path);
    }
}

void trod_profile_hot(struct trod_hot *out, const struct trod_profile *profile,
    size_t most, struct trod_arena *mem)
{
    struct trod_hot_path *heap;
    size_t *at;
    uint64_t nall = 0;

    for (size_t i = 0; i < profile->ntally; i++)
        nall += profile->tally[i].npath;
    heap = trod_new(mem, struct trod_hot_path, nall < most ? nall : most);
    at = trod_new(mem, size_t, profile->ngroup);
    *out = (struct trod_hot){.path = heap};
    for (size_t i = 0, j; i < profile->ntally; i = j) {
        const struct trod_profile_tally *t = &profile->tally[i];

        for (j = i + 1; j < profile->ntally; j++)
            if (profile->tally[j].module != t->module ||
                profile->tally[j].function != t->function)
                break;
        if (trod_profile_is_events(&profile->module[t->module].function[t->function]))
            continue;
        offer_function(out, heap, most, t, j - i,
            profile->module[t->module].function[t->function].npath, at);
    }
    trod_sort(heap, out->npath, hottest_first);
}

/* --- the same function in several places ----------------------------------------------------------- */

struct place {
    const struct trod_profile_function *function;
    uint32_t module, number;
};

static int by_function(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    int by = trod_compare(f->name, g->name);

    by = by ? by : trod_compare(f->graph, g->graph);
    by = by ? by : trod_compare(f->cuts, g->cuts);
    return by ? by : trod_compare(f->npath, g->npath);
}

TROD_ORDER(by_place, struct place, by_function(a->function, b->function),
    TROD_UP(module), TROD_UP(number))

TROD_ORDER(
    by_path, struct trod_hot_path, TROD_UP(module), TROD_UP(function), TROD_UP(id))

/* For each function of each module, the first equal one; returns whether there are duplicates. */
static bool find_first(struct place **first_of, const struct trod_profile *profile,
    const size_t *start, size_t n, struct trod_arena *mem)
{
    struct place *place = trod_new(mem, struct place, n);
    struct place *first = trod_new(mem, struct place, n);
    bool any = false;

    n = 0;
    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++)
            place[n++] = (struct place){&profile->module[m].function[f], m, f};
    trod_sort(place, n, by_place);
    for (size_t i = 0, of = 0; i < n; i++) {
        if (by_function(place[of].function, place[i].function) != 0)
            of = i;
        any |= of != i;
        first[start[place[i].module] + place[i].number] = place[of];
    }
    *first_of = first;
    return any;
}

void trod_profile_hot_joined(struct trod_hot *out, const struct trod_profile *profile,
    size_t most, struct trod_arena *mem)
{
    size_t *start = trod_new(mem, size_t, (size_t)profile->nmodule + 1), kept = 0;
    struct trod_hot_path *path;
    struct place *first;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        start[m + 1] = start[m] + profile->module[m].nfunction;
    if (!find_first(&first, profile, start, start[profile->nmodule], mem)) {
        trod_profile_hot(out, profile, most, mem);
        return;
    }
    trod_profile_hot(out, profile, SIZE_MAX, mem);
    path = trod_new(mem, struct trod_hot_path, out->npath);
    for (size_t i = 0; i < out->npath; i++) {
        const struct place *of =
            &first[start[out->path[i].module] + out->path[i].function];

        path[i] = out->path[i];
        path[i].module = of->module;
        path[i].function = of->number;
    }
    trod_sort(path, out->npath, by_path);
    for (size_t i = 0; i < out->npath; i++)
        if (kept && by_path(&path[kept - 1], &path[i]) == 0)
            path[kept - 1].count = trod_sat_add(path[kept - 1].count, path[i].count);
        else
            path[kept++] = path[i];
    trod_sort(path, kept, hottest_first);
    out->nall = kept;
    out->npath = kept < most ? kept : most;
    out->path = path;
}
