#include "profile/profile.h"

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

/* The last of those listed is at the root, and makes way for what is hotter. */
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

/* Some tallies of one function, one for each group: walk their lists side by side. */
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
        if (path.id >= npath) /* none is left, or begun */
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
    if (out->npath)
        qsort(heap, out->npath, sizeof *heap, hottest_first);
}
