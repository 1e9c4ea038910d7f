#include "graph/graph.h"

#include <string.h>

/* An edge of the graph is cut if it retreats, if the text form asked for it, or
 * if the caller did.
 */
static bool is_cut(const struct trod_graph *graph, const struct trod_order *order,
    const uint64_t *extra_cut, trod_edge e)
{
    return trod_has(order->retreating, e) ||
           (graph->cut_of_edge && graph->cut_of_edge[e]) ||
           (extra_cut && trod_has(extra_cut, e));
}

/* What a DAG is before its edges have been sorted by source. */
struct draft {
    struct trod_graph_builder builder;
    uint8_t *kind;     /* by arc */
    trod_edge *origin; /* by arc */
};

static void draft_add(struct draft *draft, trod_node src, trod_node dst,
    enum trod_dag_kind kind, trod_edge origin, uint64_t weight)
{
    uint32_t a = draft->builder.narc;

    trod_graph_builder_add(&draft->builder, src, dst);
    draft->builder.arc[a].weight = weight;
    draft->kind[a] = kind;
    draft->origin[a] = origin;
}

/* How often the function is entered, were the weights a real profile: what
 * leaves the entry and does not come back to it.
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

static void draft_node(struct draft *draft, const struct trod_graph *graph,
    const struct trod_order *order, const uint64_t *weight_of_edge,
    const uint64_t *extra_cut, trod_node v, uint64_t *start_weight, trod_node exit)
{
    trod_edge first = graph->first_out[v], last = graph->first_out[v + 1];

    if (first == last)
        draft_add(draft, v, exit, TROD_DAG_LEAVE, TROD_NONE,
            weight_into(graph, weight_of_edge, v));
    for (trod_edge e = first; e < last; e++) {
        trod_node w = graph->dst_of_edge[e];

        if (is_cut(graph, order, extra_cut, e)) {
            draft_add(draft, v, exit, TROD_DAG_END, e, weight_of_edge[e]);
            start_weight[w] = trod_sat_add(
                start_weight[w], weight_of_edge[e] ? weight_of_edge[e] : 1);
        } else {
            draft_add(draft, v, w, TROD_DAG_REAL, e, weight_of_edge[e]);
        }
    }
}

/* Reverse post-order of the DAG, by counting down in-degrees: a node comes as
 * soon as its last predecessor has come.
 */
static void fill_topo(struct trod_dag *out, struct trod_arena *mem)
{
    const struct trod_graph *g = &out->shape;
    trod_node *topo = trod_new(mem, trod_node, out->nreach);
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *waiting = trod_new(mem, uint32_t, g->nnode);
    uint32_t n = 0;

    for (trod_node v = 0; v < g->nnode; v++)
        waiting[v] = g->first_in[v + 1] - g->first_in[v];
    topo[n++] = g->entry;
    for (uint32_t i = 0; i < n; i++) {
        trod_node v = topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            if (--waiting[g->dst_of_edge[e]] == 0)
                topo[n++] = g->dst_of_edge[e];
    }
    assert(n == out->nreach);
    trod_arena_rewind(mem, mark);
    out->topo = topo;
}

/* Sort kinds and origins the way the builder sorts arcs, and fill the maps from
 * the graph into the DAG.
 */
static void fill_edges(
    struct trod_dag *out, const struct draft *draft, struct trod_arena *mem)
{
    const struct trod_graph *g = &out->shape;
    uint8_t *kind = trod_new(mem, uint8_t, g->nedge);
    trod_edge *origin = trod_new(mem, trod_edge, g->nedge);
    trod_edge *dag_of_edge = trod_new(mem, trod_edge, out->graph->nedge);
    trod_edge *start_of_node = trod_new(mem, trod_edge, out->graph->nnode);
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *next = trod_new(mem, uint32_t, g->nnode);

    memset(dag_of_edge, 0xff, out->graph->nedge * sizeof *dag_of_edge);
    memset(start_of_node, 0xff, out->graph->nnode * sizeof *start_of_node);
    memcpy(next, g->first_out, g->nnode * sizeof *next);
    for (uint32_t a = 0; a < draft->builder.narc; a++) {
        trod_edge e = next[draft->builder.arc[a].src]++;

        kind[e] = draft->kind[a];
        origin[e] = draft->origin[a];
        if (origin[e] != TROD_NONE)
            dag_of_edge[origin[e]] = e;
        if (kind[e] == TROD_DAG_START)
            start_of_node[g->dst_of_edge[e]] = e;
        out->ncut += kind[e] == TROD_DAG_END;
    }
    trod_arena_rewind(mem, mark);
    out->kind_of_edge = kind;
    out->origin_of_edge = origin;
    out->dag_of_edge = dag_of_edge;
    out->start_of_node = start_of_node;
}

void trod_dag_build(struct trod_dag *out, const struct trod_graph *graph,
    const struct trod_order *order, const uint64_t *weight_of_edge,
    const uint64_t *extra_cut, struct trod_arena *mem)
{
    trod_node enter = graph->nnode, exit = graph->nnode + 1;
    /* Each node adds at most a START and a LEAVE to the edges there are. */
    size_t most = (size_t)graph->nedge + 2 * (size_t)graph->nnode + 1;
    struct draft draft;
    uint64_t *start_weight = trod_new(mem, uint64_t, graph->nnode);

    *out = (struct trod_dag){.graph = graph, .exit = exit, .nreach = order->nreach + 2};
    trod_graph_builder_init(&draft.builder, graph->name, mem);
    draft.builder.nnode = graph->nnode + 2;
    draft.builder.entry = enter;
    draft.builder.weighted = true;
    draft.builder.arc = trod_new(mem, struct trod_graph_arc, most);
    draft.builder.room = (uint32_t)most;
    draft.kind = trod_new(mem, uint8_t, most);
    draft.origin = trod_new(mem, trod_edge, most);

    for (trod_node v = 0; v < graph->nnode; v++)
        if (order->post_of_node[v] != TROD_NONE)
            draft_node(
                &draft, graph, order, weight_of_edge, extra_cut, v, start_weight, exit);
    draft_add(&draft, enter, graph->entry, TROD_DAG_ENTER, TROD_NONE,
        entry_weight(graph, weight_of_edge));
    for (trod_node v = 0; v < graph->nnode; v++)
        if (start_weight[v])
            draft_add(&draft, enter, v, TROD_DAG_START, TROD_NONE, start_weight[v]);

    trod_graph_build(&out->shape, &draft.builder);
    out->weight_of_edge = out->shape.weight_of_edge;
    fill_edges(out, &draft, mem);
    fill_topo(out, mem);
}

void trod_graph_view(struct trod_view *out, const struct trod_graph *graph,
    const uint64_t *extra_cut, struct trod_arena *mem)
{
    trod_graph_order(&out->order, graph, mem);
    trod_graph_loops(&out->loops, graph, &out->order, mem);
    trod_graph_weights(&out->weight_of_edge, graph, &out->order, &out->loops, mem);
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
