#include "graph/graph.h"

#include <string.h>

/* An edge is cut if it retreats, if the text form or the caller asks for it, or if it leads to a block that may be
 * returned to again.
 */
static bool is_cut(const struct trod_graph *graph, const struct trod_order *order,
    const uint64_t *extra_cut, trod_edge e)
{
    return trod_has(order->retreating, e) ||
           (graph->cut_of_edge && graph->cut_of_edge[e]) ||
           trod_graph_leave(graph, graph->dst_of_edge[e]) == TROD_RETURNS_AGAIN ||
           (extra_cut && trod_has(extra_cut, e));
}

/* How often the function is entered, if the weights were a real profile: the flow out of the entry less the flow back
 * into it.
 */
static uint64_t entry_weight(
    const struct trod_graph *graph, const uint64_t *weight_of_edge)
{
    uint64_t out = 0, in = 0;
    trod_node s = graph->entry;

    for (trod_edge e = graph->first_out[s]; e < graph->first_out[s + 1]; e++)
        out = trod_sat_add(out, weight_of_edge[e]);
    for (uint32_t i = graph->first_in[s]; i < graph->first_in[s + 1]; i++)
        in = trod_sat_add(in, weight_of_edge[graph->in_edge[i]]);
    return out > in ? out - in : 1;
}

static uint64_t weight_into(
    const struct trod_graph *graph, const uint64_t *weight_of_edge, trod_node v)
{
    uint64_t in = v == graph->entry ? 1 : 0;

    for (uint32_t i = graph->first_in[v]; i < graph->first_in[v + 1]; i++)
        in = trod_sat_add(in, weight_of_edge[graph->in_edge[i]]);
    return in;
}

/* The arrays of a DAG while they are filled; edges are sorted by source. */
struct dag_arrays {
    uint32_t *first_out;
    trod_node *src, *dst;
    uint64_t *weight;
    uint8_t *kind;
    trod_edge *origin;
    trod_edge *dag_of_edge, *start_of_node;
    uint64_t
        *start_weight; /* [nnode of the graph] sum of the cut edges into the node */
    uint32_t nedge;
};

static trod_edge add_edge(struct dag_arrays *f, trod_node src, trod_node dst,
    enum trod_dag_kind kind, trod_edge origin, uint64_t weight)
{
    trod_edge e = f->nedge++;

    f->src[e] = src;
    f->dst[e] = dst;
    f->kind[e] = kind;
    f->origin[e] = origin;
    f->weight[e] = weight;
    if (origin != TROD_NONE)
        f->dag_of_edge[origin] = e;
    return e;
}

static void fill_node(struct dag_arrays *f, const struct trod_dag *dag,
    const struct trod_order *order, const uint64_t *weight_of_edge,
    const uint64_t *extra_cut, trod_node v)
{
    const struct trod_graph *graph = dag->graph;
    trod_edge first = graph->first_out[v], last = graph->first_out[v + 1];

    f->first_out[v] = f->nedge;
    if (order->post_of_node[v] == TROD_NONE)
        return;
    if (first == last)
        add_edge(f, v, dag->exit, TROD_DAG_LEAVE, TROD_NONE,
            weight_into(graph, weight_of_edge, v));
    for (trod_edge e = first; e < last; e++) {
        trod_node w = graph->dst_of_edge[e];

        if (is_cut(graph, order, extra_cut, e)) {
            add_edge(f, v, dag->exit, TROD_DAG_END, e, weight_of_edge[e]);
            /* At least 1: nonzero also means that there is a start. */
            f->start_weight[w] = trod_sat_add(
                f->start_weight[w], weight_of_edge[e] ? weight_of_edge[e] : 1);
        } else {
            add_edge(f, v, w, TROD_DAG_REAL, e, weight_of_edge[e]);
        }
    }
}

/* The edges out of ENTRY: ENTER first, then the starts in the order of their nodes. */
static void fill_entry(
    struct dag_arrays *f, const struct trod_dag *dag, const uint64_t *weight_of_edge)
{
    const struct trod_graph *graph = dag->graph;
    trod_node enter = dag->shape.entry;

    f->first_out[enter] = f->nedge;
    add_edge(f, enter, graph->entry, TROD_DAG_ENTER, TROD_NONE,
        entry_weight(graph, weight_of_edge));
    for (uint32_t i = 0; i < graph->nnode; i++) {
        trod_node v = i == 0 ? graph->entry : i - (i <= graph->entry);

        if (f->start_weight[v])
            f->start_of_node[v] =
                add_edge(f, enter, v, TROD_DAG_START, TROD_NONE, f->start_weight[v]);
    }
    f->first_out[enter + 1] = f->nedge; /* EXIT has none */
    f->first_out[enter + 2] = f->nedge;
}

/* An upper bound of the DAG's edges: those of reachable nodes, a LEAVE for each exit, ENTER, and at most one START for
 * each cut.
 */
static size_t most_edges(const struct trod_graph *graph, const struct trod_order *order,
    const uint64_t *extra_cut)
{
    size_t most = (size_t)graph->nedge + order->nreach + 1;

    for (trod_edge e = 0; e < graph->nedge; e++)
        most += is_cut(graph, order, extra_cut, e);
    return most;
}

/* Reverse post-order of the graph: all edges that do not retreat go forward, and adjacent blocks tend to stay together.
 */
static void fill_topo(
    struct trod_dag *out, const struct trod_order *order, struct trod_arena *mem)
{
    trod_node *topo = trod_new(mem, trod_node, out->nreach);
    uint32_t n = 0;

    topo[n++] = out->shape.entry;
    for (uint32_t i = order->nreach; i-- > 0;)
        topo[n++] = order->post[i];
    topo[n] = out->exit;
    out->topo = topo;
}

/* If marks say which edges are cut, an edge closes a loop if it leads to a node at a lower address within the same
 * cycle. Retreating edges depend on the depth-first search and may differ. Outermost loops are the strongly connected
 * components.
 */
static const uint64_t *closing_of_marked(
    const struct trod_graph *graph, struct trod_arena *mem)
{
    uint64_t *closing = trod_new(mem, uint64_t, TROD_WORDS(graph->nedge));
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_order order;
    struct trod_loops loops;
    uint32_t *top;

    trod_graph_order(&order, graph, mem);
    trod_graph_loops(&loops, graph, &order, mem);
    top = trod_new(mem, uint32_t, loops.nloop);
    for (uint32_t l = 0; l < loops.nloop; l++)
        top[l] =
            loops.parent_of_loop[l] == TROD_NONE ? l : top[loops.parent_of_loop[l]];
    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_node u = graph->src_of_edge[e], v = graph->dst_of_edge[e];
        uint32_t from = loops.loop_of_node[u], to = loops.loop_of_node[v];

        if (from != TROD_NONE && to != TROD_NONE && top[from] == top[to] &&
            (v <= u || v == graph->entry))
            trod_add(closing, e);
    }
    trod_arena_rewind(mem, mark);
    return closing;
}

void trod_dag_build(struct trod_dag *out, const struct trod_graph *graph,
    const struct trod_order *order, const uint64_t *weight_of_edge,
    const uint64_t *extra_cut, struct trod_arena *mem)
{
    size_t most = most_edges(graph, order, extra_cut);
    struct dag_arrays f = {
        .first_out = trod_new(mem, uint32_t, (size_t)graph->nnode + 3),
        .src = trod_new(mem, trod_node, most),
        .dst = trod_new(mem, trod_node, most),
        .weight = trod_new(mem, uint64_t, most),
        .kind = trod_new(mem, uint8_t, most),
        .origin = trod_new(mem, trod_edge, most),
        .dag_of_edge = trod_new(mem, trod_edge, graph->nedge),
        .start_of_node = trod_new(mem, trod_edge, graph->nnode),
        .start_weight = trod_new(mem, uint64_t, graph->nnode)};

    *out = (struct trod_dag){.graph = graph,
        .exit = graph->nnode + 1,
        .nreach = order->nreach + 2,
        .shape = {
            .name = graph->name, .entry = graph->nnode, .nnode = graph->nnode + 2}};
    memset(f.dag_of_edge, 0xff, graph->nedge * sizeof *f.dag_of_edge);
    memset(f.start_of_node, 0xff, graph->nnode * sizeof *f.start_of_node);
    for (trod_node v = 0; v < graph->nnode; v++)
        fill_node(&f, out, order, weight_of_edge, extra_cut, v);
    fill_entry(&f, out, weight_of_edge);
    out->shape.nedge = f.nedge;
    out->shape.first_out = f.first_out;
    out->shape.src_of_edge = f.src;
    out->shape.dst_of_edge = f.dst;
    out->shape.weight_of_edge = out->weight_of_edge = f.weight;
    out->kind_of_edge = f.kind;
    out->origin_of_edge = f.origin;
    out->dag_of_edge = f.dag_of_edge;
    out->start_of_node = f.start_of_node;
    out->closing = graph->marked ? closing_of_marked(graph, mem) : order->retreating;
    for (trod_edge e = 0; e < f.nedge; e++)
        out->ncut += f.kind[e] == TROD_DAG_END;
    trod_graph_fill_in(&out->shape, mem);
    fill_topo(out, order, mem);
}

void trod_graph_view(struct trod_view *out, const struct trod_graph *graph,
    const uint64_t *extra_cut, struct trod_arena *mem)
{
    trod_graph_order(&out->order, graph, mem);
    trod_graph_loops(&out->loops, graph, &out->order, mem);
    trod_graph_weights(&out->weight_of_edge, graph, &out->order, &out->loops, mem);
    if (graph->marked)
        trod_graph_order_marked(&out->order, graph, mem);
    trod_dag_build(&out->dag, graph, &out->order, out->weight_of_edge, extra_cut, mem);
}

void trod_dag_count(uint64_t *down, uint64_t *up, const struct trod_dag *dag)
{
    const struct trod_graph *g = &dag->shape;

    if (down) {
        memset(down, 0, g->nnode * sizeof *down);
        down[dag->exit] = 1;
        for (uint32_t i = dag->nreach; i-- > 0;) {
            trod_node v = dag->topo[i];

            for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
                down[v] = trod_sat_add(down[v], down[g->dst_of_edge[e]]);
        }
    }
    if (up) {
        memset(up, 0, g->nnode * sizeof *up);
        up[g->entry] = 1;
        for (uint32_t i = 0; i < dag->nreach; i++) {
            trod_node v = dag->topo[i];

            for (uint32_t j = g->first_in[v]; j < g->first_in[v + 1]; j++)
                up[v] = trod_sat_add(up[v], up[g->src_of_edge[g->in_edge[j]]]);
        }
    }
}
