#include "number/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A count of paths: m x 2^e with 1 <= m < 2, or m = 0. Counts may have thousands of bits, and 50 bits of precision
 * suffice for the choice. The result is counted exactly.
 */
struct count {
    double m;
    int64_t e;
};

static const struct count zero = {0, 0}, one = {1, 0};

static struct count count_add(struct count a, struct count b)
{
    if (a.m == 0 || (b.m != 0 && a.e < b.e)) {
        struct count c = a;

        a = b;
        b = c;
    }
    if (b.m == 0 || a.e - b.e > 60)
        return a;
    a.m += b.m / (double)(UINT64_C(1) << (a.e - b.e));
    if (a.m >= 2) {
        a.m /= 2;
        a.e++;
    }
    return a;
}

static struct count count_mul(struct count a, struct count b)
{
    a.m *= b.m;
    a.e += b.e;
    if (a.m >= 2) {
        a.m /= 2;
        a.e++;
    }
    return a;
}

/* a - b for b <= a, up to rounding. */
static struct count count_sub(struct count a, struct count b)
{
    int shift;

    if (b.m == 0 || a.e - b.e > 60)
        return a;
    a.m -= a.e >= b.e ? b.m / (double)(UINT64_C(1) << (a.e - b.e)) : 2;
    if (a.m < 1e-12)
        return zero;
    a.m = 2 * frexp(a.m, &shift);
    a.e += shift - 1;
    return a;
}

static double count_log2(struct count a)
{
    return (double)a.e + log2(a.m);
}

struct limiter {
    const struct trod_graph *graph;
    const struct trod_limit *limit;
    uint64_t most;
    struct trod_view *view;
    uint64_t *extra;         /* set of edges cut in addition to back edges */
    uint32_t nextra;         /* 0: none */
    struct count *up, *down; /* paths from ENTRY and to EXIT, by node of the DAG */
    struct trod_arena *mem;
    struct trod_mark before_dag; /* only the DAG is allocated after it */
};

static bool may_cut(const struct limiter *l, trod_edge dag_edge)
{
    const struct trod_dag *dag = &l->view->dag;

    return dag->kind_of_edge[dag_edge] == TROD_DAG_REAL &&
           !(l->limit->keep && trod_has(l->limit->keep, dag->origin_of_edge[dag_edge]));
}

static void fill_counts(struct limiter *l)
{
    const struct trod_dag *dag = &l->view->dag;
    const struct trod_graph *g = &dag->shape;

    for (trod_node v = 0; v < g->nnode; v++)
        l->up[v] = l->down[v] = zero;
    l->down[dag->exit] = one;
    l->up[g->entry] = one;
    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            l->down[v] = count_add(l->down[v], l->down[g->dst_of_edge[e]]);
    }
    for (uint32_t i = 0; i < dag->nreach; i++) {
        trod_node v = dag->topo[i];

        for (uint32_t j = g->first_in[v]; j < g->first_in[v + 1]; j++)
            l->up[v] = count_add(l->up[v], l->up[g->src_of_edge[g->in_edge[j]]]);
    }
}

/* --- the greedy choice ---------------------------------------------------------------- */

/* The cost of a cut: its executions, plus one per call for its existence. So both the number and the heat of cuts
 * matter.
 */
static double price(const struct limiter *l, trod_edge e)
{
    const struct trod_dag *dag = &l->view->dag;
    trod_edge enter = dag->shape.first_out[dag->shape.entry];

    return (double)dag->weight_of_edge[e] + (double)dag->weight_of_edge[enter] + 1;
}

/* A set of edges to cut together. */
struct proposal {
    struct count across; /* paths across the edges */
    struct count ended;  /* paths that would end there instead */
    struct count begun; /* paths that would start after them, without existing starts */
    double price;
};

static void propose(
    struct proposal *p, const struct limiter *l, trod_edge e, bool target_is_new)
{
    const struct trod_dag *dag = &l->view->dag;
    trod_node u = dag->shape.src_of_edge[e], v = dag->shape.dst_of_edge[e];

    p->across = count_add(p->across, count_mul(l->up[u], l->down[v]));
    p->ended = count_add(p->ended, l->up[u]);
    if (target_is_new && dag->start_of_node[v] == TROD_NONE)
        p->begun = count_add(p->begun, l->down[v]);
    p->price += price(l, e);
}

/* Bits of path count saved per price; 0 or less if none. */
static double worth(const struct proposal *p, const struct limiter *l)
{
    struct count before = l->down[l->view->dag.shape.entry], after;

    if (p->price <= 0)
        return 0;
    after = count_add(count_sub(before, p->across), count_add(p->ended, p->begun));
    return (count_log2(before) - count_log2(after)) / p->price;
}

enum reach { ONE_EDGE, INTO_NODE, OUT_OF_NODE };

struct choice {
    enum reach reach;
    uint32_t which; /* edge or node of the DAG */
    double worth;
};

static void consider(struct choice *best, const struct limiter *l,
    const struct proposal *p, enum reach reach, uint32_t which)
{
    double value = worth(p, l);

    /* Smaller differences are rounding errors: keep the first one found. */
    if (value > best->worth * (1 + 1e-9) + 1e-15)
        *best = (struct choice){reach, which, value};
}

static void consider_node(struct choice *best, const struct limiter *l, trod_node v)
{
    const struct trod_graph *g = &l->view->dag.shape;
    struct proposal into = {0}, out = {0};

    for (uint32_t j = g->first_in[v]; j < g->first_in[v + 1]; j++)
        if (may_cut(l, g->in_edge[j]))
            propose(&into, l, g->in_edge[j], into.price == 0);
    consider(best, l, &into, INTO_NODE, v);
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        struct proposal single = {0};

        if (!may_cut(l, e))
            continue;
        propose(&single, l, e, true);
        consider(best, l, &single, ONE_EDGE, e);
        propose(&out, l, e, true);
    }
    consider(best, l, &out, OUT_OF_NODE, v);
}

static void cut(struct limiter *l, trod_edge dag_edge)
{
    if (!may_cut(l, dag_edge))
        return;
    trod_add(l->extra, l->view->dag.origin_of_edge[dag_edge]);
    l->nextra++;
}

static void carry_out(struct limiter *l, const struct choice *choice)
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

static void rebuild(struct limiter *l)
{
    struct trod_view *view = l->view;

    trod_arena_rewind(l->mem, l->before_dag);
    trod_dag_build(&view->dag, l->graph, &view->order, view->weight_of_edge,
        l->nextra ? l->extra : NULL, l->mem);
}

static uint64_t paths_now(const struct limiter *l)
{
    struct trod_mark mark = trod_arena_mark(l->mem);
    uint64_t *down = trod_new(l->mem, uint64_t, l->view->dag.shape.nnode);
    uint64_t npath;

    trod_dag_count(down, NULL, &l->view->dag);
    npath = down[l->view->dag.shape.entry];
    trod_arena_rewind(l->mem, mark);
    return npath;
}

/* Make the best cut and recount, until there are few enough paths, no cut helps, or the budget is spent. */
static void cut_greedily(struct limiter *l)
{
    uint64_t budget = 4000000; /* edges examined: well under a second */

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

/* --- the window --------------------------------------------------------------------------
 *
 * In reverse post-order, every path crosses every position. Cutting all edges across a position turns a product of path
 * counts into a sum. So count paths node by node. When there are too many, return to the position with the cheapest
 * edges across, in the later half of those since the last cut, and continue from there.
 */

struct window {
    struct limiter *l;
    uint32_t *place; /* position of a node in topo */
    double *across;  /* by position: change in the price of all edges across it */
    uint64_t *up;    /* paths that reach a node from their starts */
    uint64_t *start; /* set of nodes where paths start */
    uint64_t *extra; /* edges of the graph cut so far */
    uint64_t node_most;
};

static bool is_whole(const struct window *w, trod_edge e)
{
    const struct trod_dag *dag = &w->l->view->dag;

    return dag->kind_of_edge[e] == TROD_DAG_REAL &&
           !trod_has(w->extra, dag->origin_of_edge[e]);
}

/* Cut every edge from positions since `from` across position `at`. */
static void cut_across(struct window *w, uint32_t from, uint32_t at)
{
    const struct trod_dag *dag = &w->l->view->dag;
    const struct trod_graph *g = &dag->shape;

    for (uint32_t i = from; i < at; i++) {
        trod_node u = dag->topo[i];

        for (trod_edge e = g->first_out[u]; e < g->first_out[u + 1]; e++) {
            trod_node v = g->dst_of_edge[e];

            if (w->place[v] < at || !is_whole(w, e) || !may_cut(w->l, e))
                continue;
            trod_add(w->extra, dag->origin_of_edge[e]);
            trod_add(w->start, v);
            w->across[at] -= price(w->l, e);
            w->across[w->place[v] + 1] += price(w->l, e);
        }
    }
}

static uint64_t count_up(const struct window *w, trod_node v)
{
    const struct trod_graph *g = &w->l->view->dag.shape;
    uint64_t up = trod_has(w->start, v);

    for (uint32_t j = g->first_in[v]; j < g->first_in[v + 1]; j++)
        if (is_whole(w, g->in_edge[j]))
            up = trod_sat_add(up, w->up[g->src_of_edge[g->in_edge[j]]]);
    return up;
}

/* The cheapest position in the later half of first+1..last. Of equal ones, take the last, to advance as far as
 * possible. The price of a position is the sum of the changes up to it.
 */
static uint32_t cheapest(
    const struct window *w, uint32_t first, uint32_t last, double across_first)
{
    double across = across_first, least = INFINITY;
    uint32_t best = last;

    for (uint32_t i = first + 1; i <= last; i++) {
        across += w->across[i];
        if (2 * (uint64_t)(i - first) > last - first && across <= least * (1 + 1e-9)) {
            best = i;
            least = across;
        }
    }
    return best;
}

static void slide(struct window *w)
{
    const struct trod_dag *dag = &w->l->view->dag;
    double across_first = 0;
    uint32_t first = 1; /* position of the first block; ENTRY is at 0 */

    for (uint32_t i = 1; i + 1 < dag->nreach; i++) {
        uint32_t at;

        w->up[dag->topo[i]] = count_up(w, dag->topo[i]);
        if (w->up[dag->topo[i]] <= w->node_most || i == first)
            continue;
        at = cheapest(w, first, i, across_first);
        cut_across(w, first, at);
        for (; first < at; first++)
            across_first += w->across[first + 1];
        i = at - 1;
    }
}

/* Add every edge that may be cut to the positions it crosses. */
static void fill_window(struct window *w)
{
    const struct trod_dag *dag = &w->l->view->dag;
    const struct trod_graph *g = &dag->shape;

    for (uint32_t i = 0; i < dag->nreach; i++)
        w->place[dag->topo[i]] = i;
    for (trod_edge e = 0; e < g->nedge; e++) {
        if (dag->kind_of_edge[e] == TROD_DAG_ENTER ||
            dag->kind_of_edge[e] == TROD_DAG_START)
            trod_add(w->start, g->dst_of_edge[e]);
        if (!may_cut(w->l, e))
            continue;
        w->across[w->place[g->src_of_edge[e]] + 1] += price(w->l, e);
        w->across[w->place[g->dst_of_edge[e]] + 1] -= price(w->l, e);
    }
}

static void cut_in_window(struct limiter *l, uint64_t node_most)
{
    const struct trod_dag *dag = &l->view->dag;
    uint32_t nnode = dag->shape.nnode;
    struct trod_mark mark = trod_arena_mark(l->mem);
    struct window w = {.l = l, .node_most = node_most, .extra = l->extra};

    w.place = trod_new(l->mem, uint32_t, nnode);
    w.across = trod_new(l->mem, double, (size_t)nnode + 1);
    w.up = trod_new(l->mem, uint64_t, nnode);
    w.start = trod_new(l->mem, uint64_t, TROD_WORDS(nnode));
    fill_window(&w);
    slide(&w);
    trod_arena_rewind(l->mem, mark);
}

/* Find a limit per node that keeps the total within l->most. The number of paths per end depends on the cuts, so the
 * limit is halved until it suffices. Large graphs start with a limit that suffices for any number of ends.
 */
static void cut_by_window(struct limiter *l)
{
    size_t bytes = TROD_WORDS(l->graph->nedge) * sizeof *l->extra;
    uint64_t node_most = l->most;

    if (l->graph->nedge > 1 << 16)
        node_most >>= trod_bit_width(l->graph->nedge);
    for (; paths_now(l) > l->most && node_most; node_most /= 2) {
        if (l->nextra) {
            memset(l->extra, 0, bytes);
            l->nextra = 0;
            rebuild(l);
        }
        cut_in_window(l, node_most);
        l->nextra = 1;
        rebuild(l);
    }
}

static void limiting_init(struct limiter *l)
{
    struct trod_view *view = l->view;

    l->most = l->limit->most && l->limit->most < TROD_PATH_MAX ? l->limit->most
                                                               : TROD_PATH_MAX;
    l->extra = trod_new(l->mem, uint64_t, TROD_WORDS(l->graph->nedge));
    l->up = trod_new(l->mem, struct count, (size_t)l->graph->nnode + 2);
    l->down = trod_new(l->mem, struct count, (size_t)l->graph->nnode + 2);
    trod_graph_order(&view->order, l->graph, l->mem);
    trod_graph_loops(&view->loops, l->graph, &view->order, l->mem);
    trod_graph_weights(
        &view->weight_of_edge, l->graph, &view->order, &view->loops, l->mem);
    if (l->graph->marked)
        trod_graph_order_marked(&view->order, l->graph, l->mem);
    l->before_dag = trod_arena_mark(l->mem);
    rebuild(l);
}

bool trod_number_limit(struct trod_view *out, struct trod_limit_report *report,
    const struct trod_graph *graph, const struct trod_limit *limit,
    struct trod_arena *mem, struct trod_err *err)
{
    struct limiter l = {.graph = graph, .limit = limit, .view = out, .mem = mem};
    trod_edge *list;
    uint32_t n = 0;

    *report = (struct trod_limit_report){0};
    limiting_init(&l);
    fill_counts(&l);
    report->log2_before = count_log2(l.down[out->dag.shape.entry]);
    if (paths_now(&l) <= l.most)
        return true;
    cut_greedily(&l);
    if (paths_now(&l) > l.most)
        cut_by_window(&l);
    if (paths_now(&l) > l.most)
        return trod_fail(err, TROD_E_LIMIT,
            "'%s' has 2^%.1f paths and cannot be cut down to %llu; raise the limit%s",
            graph->name, report->log2_before, (unsigned long long)l.most,
            limit->keep ? ", or choose fewer paths, whose edges cannot be cut" : "");
    list = trod_new(mem, trod_edge, graph->nedge);
    for (trod_edge e = 0; e < graph->nedge; e++)
        if (trod_has(l.extra, e))
            list[n++] = e;
    report->ncut = n;
    report->cut = list;
    return true;
}
