#include "number/number.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- what can be sum_of_path node by node -------------------------------------------------- */

static bool check_tiles(const struct trod_numbering *n, struct trod_err *err)
{
    const struct trod_graph *g = &n->dag->shape;

    for (uint32_t i = 0; i < n->dag->nreach; i++) {
        trod_node v = n->dag->topo[i];
        uint64_t next = v == n->dag->exit;

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            if ((uint64_t)n->val_of_edge[e] != next)
                return trod_fail(err, TROD_E_INTERNAL,
                    "'%s': edge %u has value %" PRId64
                    ", the paths before it end at %" PRIu64,
                    g->name, e, n->val_of_edge[e], next);
            next += n->npath_of_node[g->dst_of_edge[e]];
        }
        if (next != n->npath_of_node[v])
            return trod_fail(err, TROD_E_INTERNAL,
                "'%s': node %u counts %" PRIu64 " paths, its edges %" PRIu64, g->name,
                v, n->npath_of_node[v], next);
    }
    return true;
}

bool trod_number_check(const struct trod_numbering *numbering, struct trod_arena *mem,
    struct trod_err *err)
{
    int64_t min, max;

    if (numbering->min == INT64_MIN && numbering->max == INT64_MAX)
        return true; /* sums of other paths may wrap */
    if (!trod_number_range(
            &min, &max, numbering->dag, numbering->val_of_edge, mem, err))
        return false;
    if (min != numbering->min || max != numbering->max)
        return trod_fail(err, TROD_E_INTERNAL,
            "'%s': sums go from %" PRId64 " to %" PRId64 ", not from %" PRId64
            " to %" PRId64,
            numbering->dag->graph->name, min, max, numbering->min, numbering->max);
    return numbering->kind != TROD_BALLARUS || check_tiles(numbering, err);
}

/* --- checks by exhaustive path enumeration --------------------------------------------- */

struct tagged_sum {
    int64_t sum;
    trod_path id;
    bool interesting;
};

struct walk {
    const struct trod_numbering *n;
    const struct trod_numbering *low, *high;
    const struct trod_numbering *ballarus; /* for the names of paths, or NULL */
    const struct trod_pathset *paths;
    size_t next_interest;
    struct tagged_sum *sum_of_path;
    uint64_t count;
    struct trod_err *err;
    bool ok;
};

static bool check_unpacked(
    struct walk *w, const trod_edge *step, uint32_t nstep, int64_t sum)
{
    int64_t low, high;

    trod_number_unpack(&low, &high, w->n, sum);
    w->ok = low == trod_number_sum(w->low, step, nstep) &&
            high == trod_number_sum(w->high, step, nstep);
    return w->ok || trod_fail(w->err, TROD_E_INTERNAL,
                        "'%s': path %" PRIu64 " unpacks to %" PRId64 " and %" PRId64
                        ", which are not its sums",
                        w->n->dag->graph->name, w->count, low, high);
}

/* Paths are enumerated in the order of their ids, so the index is the id. */
static bool visit(void *ctx, const trod_edge *step, uint32_t nstep)
{
    struct walk *w = ctx;
    int64_t sum = trod_number_sum(w->n, step, nstep);
    bool interesting = w->paths && w->next_interest < w->paths->count &&
                       w->paths->id[w->next_interest] == w->count;

    if (w->n->kind == TROD_PACKED && w->low && !check_unpacked(w, step, nstep, sum))
        return false;
    w->next_interest += interesting;
    w->sum_of_path[w->count] = (struct tagged_sum){sum, w->count, interesting};
    w->count++;
    return true;
}

/* Of equal sums, paths of interest come first, so that two paths that must not share a sum are adjacent. */
static int by_sum(const void *a, const void *b)
{
    const struct tagged_sum *x = a, *y = b;

    if (x->sum != y->sum)
        return x->sum < y->sum ? -1 : 1;
    if (x->interesting != y->interesting)
        return x->interesting ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

/* May two paths have the same sum? */
static bool may_share(enum trod_numbering_kind kind, const struct tagged_sum *a,
    const struct tagged_sum *b)
{
    switch (kind) {
    case TROD_BALLARUS:
        return false;
    case TROD_SELECTIVE:
        return !a->interesting && !b->interesting;
    case TROD_PREFERENTIAL:
        return !a->interesting || !b->interesting;
    case TROD_LENGTH:
    case TROD_STRAY:
    case TROD_PACKED:
        break;
    }
    return true;
}

/* The blocks of a path, for a message, if its id can be decoded. */
static const char *blocks_of(const struct walk *w, trod_path id, struct trod_arena *mem)
{
    trod_edge *step = trod_new(mem, trod_edge, w->n->dag->nreach);
    struct trod_string text;

    trod_string_init(&text, mem);
    if (w->ballarus)
        trod_trail_print(
            &text.sink, w->n->dag, step, trod_number_decode(step, w->ballarus, id));
    return text.text;
}

static bool check_apart(
    const struct walk *w, struct trod_arena *mem, struct trod_err *err)
{
    for (uint64_t i = 1; i < w->count; i++) {
        const struct tagged_sum *a = &w->sum_of_path[i - 1], *b = &w->sum_of_path[i];

        if (a->sum == b->sum && !may_share(w->n->kind, a, b))
            return trod_fail(err, TROD_E_INTERNAL,
                "'%.60s': paths %" PRIu64 " (%.80s) and %" PRIu64
                " (%.80s) both sum up to %" PRId64 " (%s)",
                w->n->dag->graph->name, a->id, blocks_of(w, a->id, mem), b->id,
                blocks_of(w, b->id, mem), a->sum, trod_number_kind_name(w->n->kind));
    }
    return true;
}

bool trod_number_check_all(const struct trod_numbering *numbering,
    const struct trod_interest *interest, const struct trod_numbering *low,
    const struct trod_numbering *high, uint64_t most, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct walk w = {.n = numbering,
        .low = low,
        .high = high,
        .err = err,
        .paths = interest ? &interest->paths : NULL,
        .ballarus = interest                           ? interest->ballarus
                    : numbering->kind == TROD_BALLARUS ? numbering
                                                       : NULL,
        .ok = true};
    uint64_t *down = trod_new(mem, uint64_t, numbering->dag->shape.nnode);
    uint64_t npath;
    bool ok;

    if (!trod_number_check(numbering, mem, err))
        return false;
    trod_dag_count(down, NULL, numbering->dag);
    npath = down[numbering->dag->shape.entry];
    if (npath > most)
        return trod_fail(err, TROD_E_LIMIT,
            "'%s' has more than %" PRIu64
            " paths, too many to enumerate; raise the limit of the check",
            numbering->dag->graph->name, most);
    w.sum_of_path = trod_new(mem, struct tagged_sum, npath);
    trod_number_each(numbering->dag, most, visit, &w, mem);
    if (w.ok)
        trod_sort(w.sum_of_path, w.count, by_sum);
    ok = w.ok && check_apart(&w, mem, err);
    trod_arena_rewind(mem, mark);
    return ok;
}
