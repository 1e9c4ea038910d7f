#include "pathset/pathset.h"
#include "base/order.h"

#include <stdlib.h>

/* --- the last paths -------------------------------------------------------------------------------- */

TROD_ORDER(by_id, struct trod_ran_path, TROD_UP(id))

size_t trod_chain_lasts(struct trod_ran_path **out, const struct trod_chain *chain,
    const struct trod_ran_path *path, size_t npath, struct trod_arena *mem)
{
    struct trod_ran_path *last = trod_new(mem, struct trod_ran_path, npath);
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < npath; i++) {
        last[n] = path[i];
        n += trod_chain_last(&last[n].id, chain, path[i].id);
    }
    trod_sort(last, n, by_id);
    for (size_t i = 0; i < n; i++) {
        struct trod_ran_path *to = &last[kept ? kept - 1 : 0];

        if (kept && to->id == last[i].id) {
            to->count = trod_sat_add(to->count, last[i].count);
            to->nrun = to->nrun > last[i].nrun ? to->nrun : last[i].nrun;
        } else {
            last[kept++] = last[i];
        }
    }
    *out = last;
    return kept;
}

/* --- tested sequences ------------------------------------------------------------------------------- */

TROD_ORDER(by_number, trod_path, trod_compare(*a, *b))

static size_t sort_ids(trod_path *id, size_t n)
{
    size_t kept = 0;

    trod_sort(id, n, by_number);
    for (size_t i = 0; i < n; i++)
        if (!kept || id[kept - 1] != id[i])
            id[kept++] = id[i];
    return kept;
}

void trod_chain_tested_init(struct trod_chain_tested *out,
    const struct trod_chain *chain, const trod_path *id, size_t n,
    struct trod_arena *mem)
{
    uint64_t below = chain->base;

    *out = (struct trod_chain_tested){.chain = chain};
    for (unsigned k = 1; k <= chain->iterations; k++, below *= chain->base) {
        out->id[k] = trod_new(mem, trod_path, n);
        for (size_t i = 0; i < n; i++)
            out->id[k][i] = k < chain->iterations ? id[i] % below : id[i];
        out->count[k] = sort_ids(out->id[k], n);
    }
    out->last = trod_new(mem, trod_path, n);
    for (size_t i = 0; i < n; i++)
        out->nlast += trod_chain_last(&out->last[out->nlast], chain, id[i]);
    out->nlast = sort_ids(out->last, out->nlast);
}

unsigned trod_chain_fresh(const struct trod_chain_tested *tested, trod_path id)
{
    const struct trod_chain *chain = tested->chain;
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, chain, id);
    uint64_t below = chain->base;

    for (unsigned k = 1; k < n; k++, below *= chain->base) {
        trod_path end = id % below;

        if (!tested->count[k] ||
            !bsearch(&end, tested->id[k], tested->count[k], sizeof end, by_number))
            return k;
    }
    return n;
}

/* --- untested sequences ------------------------------------------------------------------------------ */

struct search {
    const struct trod_chain *chain;
    const struct trod_ran_path *ran; /* chains, ascending */
    size_t nran;
    const struct trod_ran_path *last; /* the last paths of these chains, ascending */
    size_t nlast;
    trod_edge *step_of_last; /* [nlast][dag->nreach] */
    struct trod_neighbour *found;
    size_t nfound, room;
    struct trod_arena *mem;
};

static const trod_edge *steps_of(const struct search *s, size_t last)
{
    return s->step_of_last + last * s->chain->ballarus->dag->nreach;
}

static size_t find_last(const struct search *s, trod_path path)
{
    struct trod_ran_path key = {.id = path};
    const struct trod_ran_path *at =
        bsearch(&key, s->last, s->nlast, sizeof key, by_id);

    return (size_t)(at - s->last);
}

/* Add the neighbours of a chain: other paths that ran and start at the same place as its last path,
 * but never ran after the same preceding paths.
 */
static void look_beside(struct search *s, const struct trod_ran_path *near)
{
    trod_path path;
    const trod_edge *own;

    if (!trod_chain_last(&path, s->chain, near->id))
        return;
    own = steps_of(s, find_last(s, path));
    for (size_t i = 0; i < s->nlast; i++) {
        const trod_edge *other = steps_of(s, i);
        struct trod_ran_path key = {.id = near->id - path + s->last[i].id};
        uint32_t at = 0;

        if (s->last[i].id == path || own[0] != other[0] ||
            bsearch(&key, s->ran, s->nran, sizeof key, by_id))
            continue;
        while (own[at] == other[at])
            at++;
        trod_push(s->mem, s->found, s->nfound, s->room,
            (struct trod_neighbour){.id = key.id,
                .near = near->id,
                .count = near->count,
                .edge = other[at],
                .taken = own[at]});
    }
}

TROD_ORDER(
    by_missing, struct trod_neighbour, TROD_UP(id), TROD_DOWN(count), TROD_UP(near))

size_t trod_neighbours_of_chains(struct trod_neighbour **out,
    const struct trod_chain *chain, const struct trod_ran_path *path, size_t npath,
    struct trod_arena *mem)
{
    struct search s = {.chain = chain, .ran = path, .nran = npath, .mem = mem};
    struct trod_ran_path *last;
    size_t n = 0;

    s.nlast = trod_chain_lasts(&last, chain, path, npath, mem);
    s.last = last;
    s.step_of_last =
        trod_new(mem, trod_edge, s.nlast * (size_t)chain->ballarus->dag->nreach);
    for (size_t i = 0; i < s.nlast; i++)
        trod_number_decode(s.step_of_last + i * chain->ballarus->dag->nreach,
            chain->ballarus, last[i].id);
    for (size_t i = 0; i < npath; i++)
        look_beside(&s, &path[i]);
    trod_sort(s.found, s.nfound, by_missing);
    for (size_t i = 0; i < s.nfound; i++)
        if (!n || s.found[n - 1].id != s.found[i].id)
            s.found[n++] = s.found[i];
    *out = s.found;
    return n;
}
