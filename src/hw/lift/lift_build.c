#include "lift/lifter.h"
#include "base/order.h"

#include <stdlib.h>

static const struct trod_lift_files no_files;

/* Build a graph for each owner, with the starts of all its paths, including paths that are not counted. */
static bool build_functions(struct trod_lifter *l, const struct trod_owned *owned,
    size_t nowned, struct trod_err *err)
{
    uint64_t *start = trod_new(l->mem, uint64_t, nowned);
    struct trod_lift_function *f;

    for (size_t i = 0, end; i < nowned; i = end) {
        size_t nstart = 0;

        for (end = i; end < nowned && owned[end].owner == owned[i].owner; end++)
            if (!nstart || start[nstart - 1] != owned[end].start)
                start[nstart++] = owned[end].start;
        if (owned[i].owner != TROD_NOWHERE &&
            !trod_lift_function(&f, l, owned[i].owner, start, nstart, err))
            return false;
    }
    return true;
}

static int by_entry(const void *x, const void *y)
{
    const struct trod_lift_function *const *a = x, *const *b = y;

    return ((*a)->entry > (*b)->entry) - ((*a)->entry < (*b)->entry);
}

static void finish(struct trod_lifter *l)
{
    struct trod_lifted *out = l->out;

    for (uint32_t i = 0; i < out->nfunction; i++)
        trod_lift_settle(out->function[i]);
    trod_sort(out->function, out->nfunction, by_entry);
    for (uint32_t s = 0; s < l->ncounted; s++)
        out->total.nodd = trod_sat_add(out->total.nodd, l->seen[s]->nodd);
    out->unit = l->unit;
    out->nunit = l->nunit;
}

bool trod_lift_build(struct trod_lifted *out, const struct trod_seen *const *seen,
    uint32_t nseen, uint32_t ncounted, const struct trod_lift_options *options,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_lifter l = {.out = out,
        .mem = mem,
        .files = options && options->files ? options->files : &no_files,
        .limit = options ? options->limit : 0,
        .seen = seen,
        .nseen = nseen,
        .ncounted = ncounted};
    struct trod_owned *owned;
    size_t nowned;

    *out = (struct trod_lifted){.files = l.files};
    trod_place_table_init(&l.is_entry, mem);
    trod_place_table_init(&l.back, mem);
    trod_place_table_init(&l.function_at, mem);
    trod_place_table_init(&l.leader, mem);
    if (!trod_lift_place_all(&l, err))
        return false;
    trod_lift_find(&owned, &nowned, &l);
    if (!build_functions(&l, owned, nowned, err))
        return false;
    for (size_t i = 0; i < nowned; i++)
        if (owned[i].counted && !trod_lift_walk(&l, &owned[i], err))
            return false;
    finish(&l);
    return true;
}
