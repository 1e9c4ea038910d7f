#include "pathset/pathset.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* State of the search for neighbours in one function. */
struct search {
    const struct trod_numbering *bl;
    const struct trod_ran_path *path;
    size_t npath;
    uint64_t *ran;     /* set of DAG edges on some path that ran */
    trod_edge *forced; /* [nodes] next edge of the current path; TROD_NONE: not on it */
    uint32_t *nnew;    /* [nodes] fewest new edges from the node to EXIT */
    uint64_t *rest;    /* [nodes] the sum of values along these edges */
    struct trod_neighbour *found;
    size_t nfound, room;
    struct trod_arena *mem;
};

static bool has_run(const struct search *s, trod_path id)
{
    size_t low = 0, high = s->npath;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (s->path[middle].id == id)
            return true;
        if (s->path[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static uint32_t price(const struct search *s, trod_edge e)
{
    return s->nnew[s->bl->dag->shape.dst_of_edge[e]] + !trod_has(s->ran, e);
}

static uint64_t sum_from(const struct search *s, trod_edge e)
{
    return s->rest[s->bl->dag->shape.dst_of_edge[e]] + (uint64_t)s->bl->val_of_edge[e];
}

/* Edges are tried in ascending order of their values, so the first of equally good ways has the lowest id. */
static void find_ways(struct search *s)
{
    const struct trod_dag *dag = s->bl->dag;
    const struct trod_graph *g = &dag->shape;

    s->nnew[dag->exit] = 0;
    s->rest[dag->exit] = 0;
    for (uint32_t i = dag->nreach - 1; i-- > 0;) {
        trod_node v = dag->topo[i];
        trod_edge best = s->forced[v];

        if (best == TROD_NONE) {
            best = g->first_out[v];
            for (trod_edge e = best + 1; e < g->first_out[v + 1]; e++)
                if (price(s, e) < price(s, best))
                    best = e;
        }
        s->nnew[v] = price(s, best);
        s->rest[v] = sum_from(s, best);
    }
}

/* Add the neighbours that diverge at an edge of the path.
 *
 * needs:  find_ways() for this path; before: the sum of values of its edges up to `taken`, none of which is new
 */
static void leave_at(struct search *s, const struct trod_ran_path *near,
    trod_edge taken, uint64_t before)
{
    const struct trod_graph *g = &s->bl->dag->shape;
    trod_node v = g->src_of_edge[taken];

    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        trod_path id = before + sum_from(s, e);

        if (e == taken || has_run(s, id))
            continue;
        trod_push(s->mem, s->found, s->nfound, s->room,
            (struct trod_neighbour){.id = id,
                .near = near->id,
                .count = near->count,
                .edge = e,
                .taken = taken,
                .nnew = price(s, e)});
    }
}

static void look_around(
    struct search *s, const struct trod_ran_path *near, trod_edge *step)
{
    const struct trod_graph *g = &s->bl->dag->shape;
    uint32_t n = trod_number_decode(step, s->bl, near->id);
    uint64_t before = 0;

    for (uint32_t i = 0; i < n; i++)
        s->forced[g->src_of_edge[step[i]]] = step[i];
    find_ways(s);
    for (uint32_t i = 0; i < n; i++) {
        if (i > 0)
            leave_at(s, near, step[i], before);
        before += (uint64_t)s->bl->val_of_edge[step[i]];
    }
    for (uint32_t i = 0; i < n; i++)
        s->forced[g->src_of_edge[step[i]]] = TROD_NONE;
}

TROD_ORDER(by_id, struct trod_neighbour, TROD_UP(id), TROD_DOWN(count), TROD_UP(near))

static void init(struct search *s, trod_edge *step)
{
    const struct trod_graph *g = &s->bl->dag->shape;

    s->ran = trod_new(s->mem, uint64_t, TROD_WORDS(g->nedge));
    s->forced = trod_new(s->mem, trod_edge, g->nnode);
    s->nnew = trod_new(s->mem, uint32_t, g->nnode);
    s->rest = trod_new(s->mem, uint64_t, g->nnode);
    for (trod_node v = 0; v < g->nnode; v++)
        s->forced[v] = TROD_NONE;
    for (size_t i = 0; i < s->npath; i++) {
        uint32_t n = trod_number_decode(step, s->bl, s->path[i].id);

        for (uint32_t k = 0; k < n; k++)
            trod_add(s->ran, step[k]);
    }
}

size_t trod_neighbours_of_function(struct trod_neighbour **out,
    const struct trod_numbering *ballarus, const struct trod_ran_path *path,
    size_t npath, trod_edge *step, struct trod_arena *mem)
{
    struct search s = {.bl = ballarus, .path = path, .npath = npath, .mem = mem};
    size_t n = 0;

    init(&s, step);
    for (size_t i = 0; i < npath; i++)
        look_around(&s, &path[i], step);
    trod_sort(s.found, s.nfound, by_id);
    for (size_t i = 0; i < s.nfound; i++)
        if (!n || s.found[n - 1].id != s.found[i].id)
            s.found[n++] = s.found[i];
    *out = s.found;
    return n;
}

/* --- infeasible neighbours ------------------------------------------------------------------------ */

/* A branch that the compiler made, not the source, depends only on the edge into its block: after
 * each incoming edge, one outgoing edge is possible. */
struct follows {
    const struct trod_map_entry *entry;
    trod_edge *
        out_of; /* [DAG edges] into such blocks: the next edge on paths that ran; TROD_NONE */
};

static bool is_own(const struct follows *f, trod_edge in)
{
    const struct trod_dag *dag = f->entry->numbering.dag;
    trod_node v = dag->shape.dst_of_edge[in];

    return v < dag->graph->nnode && trod_map_is_own_decision(f->entry, v);
}

static void learn(struct follows *f, const struct trod_ran_path *path, size_t npath,
    trod_edge *step, struct trod_arena *mem)
{
    const struct trod_numbering *bl = &f->entry->numbering;
    uint32_t nedge = bl->dag->shape.nedge;

    f->out_of = trod_new(mem, trod_edge, nedge);
    for (trod_edge e = 0; e < nedge; e++)
        f->out_of[e] = TROD_NONE;
    for (size_t i = 0; i < npath; i++) {
        uint32_t n = trod_number_decode(step, bl, path[i].id);

        for (uint32_t k = 0; k + 1 < n; k++)
            if (is_own(f, step[k]))
                f->out_of[step[k]] = step[k + 1];
    }
}

/* Is a neighbour feasible? Also sets whether its continuation is unknown. */
static bool can_be(const struct follows *f, struct trod_neighbour *m, trod_edge *step)
{
    uint32_t n = trod_number_decode(step, &f->entry->numbering, m->id);

    for (uint32_t k = 0; k + 1 < n; k++) {
        trod_edge known = f->out_of[step[k]];

        if (known != TROD_NONE && known != step[k + 1])
            return false;
        m->open |= known == TROD_NONE && is_own(f, step[k]);
        /* It diverges at a branch that decides nothing in the source. */
        if (step[k + 1] == m->edge && is_own(f, step[k]))
            return false;
    }
    return true;
}

static size_t drop_impossible(struct trod_neighbour *found, size_t n,
    const struct trod_map_entry *entry, const struct trod_ran_function *ran,
    trod_edge *step, struct trod_arena *mem)
{
    struct follows f = {.entry = entry};
    size_t kept = 0;

    learn(&f, ran->path, ran->npath, step, mem);
    for (size_t i = 0; i < n; i++)
        if (can_be(&f, &found[i], step))
            found[kept++] = found[i];
    return kept;
}

/* --- all functions -------------------------------------------------------------------------------- */

TROD_ORDER(by_rank, struct trod_neighbour, TROD_UP(throws), TROD_DOWN(count),
    TROD_UP(nnew), TROD_ALPHABETIC(entry->name), TROD_UP(entry->name_hash), TROD_UP(id))

/* To the compiler most calls may throw, but such paths are rarely the next to test. */
static bool is_throw(const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_edge origin = dag->origin_of_edge[e];
    const struct trod_map_decision *d;

    if (origin == TROD_NONE)
        return false;
    d = trod_map_decision_of(entry, dag->graph->src_of_edge[origin]);
    return d && strcmp(d->way[origin - dag->graph->first_out[d->node]], "throws") == 0;
}

/* Buffer: the best neighbours so far, then those of one function. */
size_t trod_neighbours_build(struct trod_neighbour **out, const struct trod_ran *ran,
    const struct trod_map *map, const struct trod_cover_options *options, size_t most,
    struct trod_arena *mem)
{
    struct trod_neighbour *best = trod_new(mem, struct trod_neighbour, most);
    size_t nbest = 0;

    for (size_t i = 0; i < ran->nfunction; i++) {
        const struct trod_ran_function *f = &ran->function[i];
        const struct trod_map_entry *entry = trod_map_find(map, &f->function);
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_neighbour *found, *both;
        size_t n;

        if (!f->npath || !entry || !entry->numbering.dag ||
            entry->shown != TROD_SHOWN ||
            (options->wants && !options->wants(entry->name, options->ctx)))
            continue;
        n = entry->chain.iterations > 1
                ? trod_neighbours_of_chains(
                      &found, &entry->chain, f->path, f->npath, mem)
                : trod_neighbours_of_function(
                      &found, &entry->numbering, f->path, f->npath, map->step, mem);
        if (entry->chain.iterations <= 1)
            n = drop_impossible(found, n, entry, f, map->step, mem);
        for (size_t k = 0; k < n; k++) {
            found[k].entry = entry;
            found[k].throws = is_throw(entry, found[k].edge);
        }
        both = trod_new(mem, struct trod_neighbour, n + nbest);
        if (n)
            memcpy(both, found, n * sizeof *both);
        if (nbest)
            memcpy(both + n, best, nbest * sizeof *best);
        n += nbest;
        trod_sort(both, n, by_rank);
        nbest = n < most ? n : most;
        if (nbest)
            memcpy(best, both, nbest * sizeof *best);
        trod_arena_rewind(mem, mark);
    }
    *out = best;
    return nbest;
}
