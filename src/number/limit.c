#include "number/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Counts of paths run into thousands of bits here, so they are kept as logarithms:
 * log2, and -INFINITY for none.
 */

static double log2_add(double a, double b)
{
    if (a < b) {
        double c = a;

        a = b;
        b = c;
    }
    if (isinf(b))
        return a;
    return a + log2(1 + exp2(b - a));
}

/* a - b, for b <= a but for rounding. */
static double log2_sub(double a, double b)
{
    double rest = 1 - exp2(b - a);

    return rest > 1e-12 ? a + log2(rest) : -INFINITY;
}

struct limiting {
    const struct trod_graph *graph;
    const struct trod_limit *limit;
    uint64_t most;
    struct trod_view *view;
    uint64_t *extra; /* set of edges cut beyond cycles */
    uint32_t nextra;
    double *up, *down; /* log2 of paths, by node of the DAG */
    struct trod_arena *mem;
    struct trod_mark before_dag; /* nothing but the DAG lives behind it */
};

static bool may_cut(const struct limiting *l, trod_edge dag_edge)
{
    const struct trod_dag *dag = &l->view->dag;

    return dag->kind_of_edge[dag_edge] == TROD_DAG_REAL &&
           !(l->limit->keep && trod_has(l->limit->keep, dag->origin_of_edge[dag_edge]));
}

static void fill_counts(struct limiting *l)
{
    const struct trod_dag *dag = &l->view->dag;
    const struct trod_graph *g = &dag->shape;

    for (trod_node v = 0; v < g->nnode; v++)
        l->up[v] = l->down[v] = -INFINITY;
    l->down[dag->exit] = 0;
    l->up[g->entry] = 0;
    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            l->down[v] = log2_add(l->down[v], l->down[g->dst_of_edge[e]]);
    }
    for (uint32_t i = 0; i < dag->nreach; i++) {
        trod_node v = dag->topo[i];

        for (uint32_t j = g->first_in[v]; j < g->first_in[v + 1]; j++)
            l->up[v] = log2_add(l->up[v], l->up[g->src_of_edge[g->in_edge[j]]]);
    }
}

/* --- the greedy choice ---------------------------------------------------------------- */

/* A set of edges that would be cut together. */
struct proposal {
    double across; /* paths that run across, log2 */
    double ended;  /* paths that would end there instead */
    double begun;  /* paths that would begin behind it, not counting old starts */
    double price;
};

static const struct proposal nothing = {-INFINITY, -INFINITY, -INFINITY, 0};

/* Add one edge to a proposal. One cut costs as much as being passed, plus once per
 * call for being there: few before cold, cold before few, by the numbers.
 */
static void propose(
    struct proposal *p, const struct limiting *l, trod_edge e, bool target_is_new)
{
    const struct trod_dag *dag = &l->view->dag;
    const struct trod_graph *g = &dag->shape;
    trod_node u = g->src_of_edge[e], v = g->dst_of_edge[e];
    trod_edge enter = g->first_out[g->entry];

    p->across = log2_add(p->across, l->up[u] + l->down[v]);
    p->ended = log2_add(p->ended, l->up[u]);
    if (target_is_new && dag->start_of_node[v] == TROD_NONE)
        p->begun = log2_add(p->begun, l->down[v]);
    p->price += (double)dag->weight_of_edge[e] + (double)dag->weight_of_edge[enter] + 1;
}

/* Bits of path count saved for the price; 0 or less if nothing is. */
static double worth(const struct proposal *p, const struct limiting *l)
{
    double before = l->down[l->view->dag.shape.entry], after;

    if (p->price <= 0)
        return 0;
    after = log2_add(log2_sub(before, p->across), log2_add(p->ended, p->begun));
    return (before - after) / p->price;
}

enum reach { ONE_EDGE, INTO_NODE, OUT_OF_NODE };

struct choice {
    enum reach reach;
    uint32_t which; /* edge or node of the DAG */
    double worth;
};

static void consider(struct choice *best, const struct limiting *l,
    const struct proposal *p, enum reach reach, uint32_t which)
{
    double value = worth(p, l);

    /* A hair's breadth is rounding: the first one found stays. */
    if (value > best->worth * (1 + 1e-9) + 1e-15)
        *best = (struct choice){reach, which, value};
}

static void consider_node(struct choice *best, const struct limiting *l, trod_node v)
{
    const struct trod_graph *g = &l->view->dag.shape;
    struct proposal into = nothing, out = nothing;

    for (uint32_t j = g->first_in[v]; j < g->first_in[v + 1]; j++)
        if (may_cut(l, g->in_edge[j]))
            propose(&into, l, g->in_edge[j], into.price == 0);
    consider(best, l, &into, INTO_NODE, v);
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        struct proposal one = nothing;

        if (!may_cut(l, e))
            continue;
        propose(&one, l, e, true);
        consider(best, l, &one, ONE_EDGE, e);
        propose(&out, l, e, true);
    }
    consider(best, l, &out, OUT_OF_NODE, v);
}

static void cut(struct limiting *l, trod_edge dag_edge)
{
    if (!may_cut(l, dag_edge))
        return;
    trod_add(l->extra, l->view->dag.origin_of_edge[dag_edge]);
    l->nextra++;
}

static void carry_out(struct limiting *l, const struct choice *choice)
{
    const struct trod_graph *g = &l->view->dag.shape;
    trod_node v = choice->which;

    if (choice->reach == ONE_EDGE) {
        cut(l, choice->which);
    } else if (choice->reach == INTO_NODE) {
        for (uint32_t j = g->first_in[v]; j < g->first_in[v + 1]; j++)
            cut(l, g->in_edge[j]);
    } else {
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            cut(l, e);
    }
}

static void rebuild(struct limiting *l)
{
    struct trod_view *view = l->view;

    trod_arena_rewind(l->mem, l->before_dag);
    trod_dag_build(&view->dag, l->graph, &view->order, view->weight_of_edge,
        l->nextra ? l->extra : NULL, l->mem);
}

static uint64_t paths_now(const struct limiting *l)
{
    struct trod_mark mark = trod_arena_mark(l->mem);
    uint64_t *down = trod_new(l->mem, uint64_t, l->view->dag.shape.nnode);
    uint64_t npath;

    trod_dag_count(down, NULL, &l->view->dag);
    npath = down[l->view->dag.shape.entry];
    trod_arena_rewind(l->mem, mark);
    return npath;
}

/* Cut the best choice, count anew, until there are few enough paths, nothing helps, or
 * the budget is used up.
 */
static void cut_greedily(struct limiting *l)
{
    uint64_t budget = 4 * 1000 * 1000; /* edges looked at: well under a second */

    while (paths_now(l) > l->most) {
        const struct trod_dag *dag = &l->view->dag;
        struct choice best = {ONE_EDGE, 0, 0};

        if (dag->shape.nedge > budget)
            return;
        budget -= dag->shape.nedge;
        fill_counts(l);
        for (uint32_t i = 0; i < dag->nreach; i++)
            consider_node(&best, l, dag->topo[i]);
        if (best.worth <= 0)
            return;
        carry_out(l, &best);
        rebuild(l);
    }
}

/* --- the sweep ------------------------------------------------------------------------------ */

struct heavy {
    trod_edge edge;
    uint64_t npath;
};

static int heaviest_first(const void *a, const void *b)
{
    const struct heavy *x = a, *y = b;

    if (x->npath != y->npath)
        return x->npath < y->npath ? 1 : -1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

/* Cut out-edges of v, those with most paths behind them first, until v has no more
 * than node_most.
 */
static uint64_t lighten(struct limiting *l, trod_node v, uint64_t npath,
    uint64_t node_most, const uint64_t *npath_of_node, struct heavy *list)
{
    const struct trod_graph *g = &l->view->dag.shape;
    uint32_t n = 0;

    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
        if (may_cut(l, e))
            list[n++] = (struct heavy){e, npath_of_node[g->dst_of_edge[e]]};
    qsort(list, n, sizeof *list, heaviest_first);
    for (uint32_t i = 0; i < n && npath > node_most && list[i].npath > 1; i++) {
        cut(l, list[i].edge);
        npath -= list[i].npath - 1;
    }
    return npath;
}

/* One pass from EXIT up that leaves no node with more than node_most paths to EXIT,
 * where that can be had.
 */
static void sweep(struct limiting *l, uint64_t node_most)
{
    const struct trod_dag *dag = &l->view->dag;
    const struct trod_graph *g = &dag->shape;
    struct trod_mark mark = trod_arena_mark(l->mem);
    uint64_t *npath = trod_new(l->mem, uint64_t, g->nnode);
    uint32_t widest = 0;
    struct heavy *list;

    for (trod_node v = 0; v < g->nnode; v++)
        if (g->first_out[v + 1] - g->first_out[v] > widest)
            widest = g->first_out[v + 1] - g->first_out[v];
    list = trod_new(l->mem, struct heavy, widest);
    npath[dag->exit] = 1;
    for (uint32_t i = dag->nreach - 1; i-- > 1;) { /* all but EXIT and ENTRY */
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            npath[v] = trod_sat_add(npath[v], npath[g->dst_of_edge[e]]);
        if (npath[v] > node_most)
            npath[v] = lighten(l, v, npath[v], node_most, npath, list);
    }
    trod_arena_rewind(l->mem, mark);
}

/* Starts add up: with 2^20 of them, a node may have that much less. */
static void cut_by_sweeping(struct limiting *l)
{
    unsigned bits = trod_bit_width(l->most);

    for (unsigned node_bits = bits > 22 ? bits - 22 : 1; node_bits > 0;
        node_bits -= node_bits > 4 ? 4 : 1) {
        if (paths_now(l) <= l->most)
            return;
        sweep(l, UINT64_C(1) << node_bits);
        rebuild(l);
    }
}

static void limiting_init(struct limiting *l)
{
    struct trod_view *view = l->view;

    l->most = l->limit->most && l->limit->most < TROD_PATH_MAX ? l->limit->most
                                                               : TROD_PATH_MAX;
    l->extra = trod_new(l->mem, uint64_t, TROD_WORDS(l->graph->nedge));
    l->up = trod_new(l->mem, double, (size_t)l->graph->nnode + 2);
    l->down = trod_new(l->mem, double, (size_t)l->graph->nnode + 2);
    trod_graph_order(&view->order, l->graph, l->mem);
    trod_graph_loops(&view->loops, l->graph, &view->order, l->mem);
    trod_graph_weights(
        &view->weight_of_edge, l->graph, &view->order, &view->loops, l->mem);
    l->before_dag = trod_arena_mark(l->mem);
    rebuild(l);
}

bool trod_number_limit(struct trod_view *out, struct trod_limit_report *report,
    const struct trod_graph *graph, const struct trod_limit *limit,
    struct trod_arena *mem, struct trod_err *err)
{
    struct limiting l = {.graph = graph, .limit = limit, .view = out, .mem = mem};
    trod_edge *list;
    uint32_t n = 0;

    *report = (struct trod_limit_report){0};
    limiting_init(&l);
    if (paths_now(&l) <= l.most)
        return true;
    fill_counts(&l);
    report->log2_before = l.down[out->dag.shape.entry];
    cut_greedily(&l);
    if (paths_now(&l) > l.most)
        cut_by_sweeping(&l);
    if (paths_now(&l) > l.most)
        return trod_fail(err, TROD_E_LIMIT,
            "'%s' has 2^%.1f paths and cannot be cut down to %llu; "
            "raise the limit, or ask for fewer paths of interest, "
            "whose edges must stay whole",
            graph->name, report->log2_before, (unsigned long long)l.most);
    list = trod_new(mem, trod_edge, l.nextra);
    for (trod_edge e = 0; e < graph->nedge; e++)
        if (trod_has(l.extra, e))
            list[n++] = e;
    report->ncut = n;
    report->cut = list;
    return true;
}
