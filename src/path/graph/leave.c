#include "graph/graph.h"

void trod_graph_exposed(
    bool *exposed, const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    trod_node *work = trod_new(mem, trod_node, graph->nnode);
    uint32_t n = 0;

    for (trod_node v = 0; v < graph->nnode; v++) {
        exposed[v] = trod_graph_leave(graph, v) != TROD_STAYS;
        if (exposed[v])
            work[n++] = v;
    }
    for (uint32_t i = 0; i < n; i++) {
        trod_node v = work[i];

        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
            trod_node w = graph->dst_of_edge[e];

            if (!exposed[w])
                work[n++] = w;
            exposed[w] = true;
        }
    }
    trod_arena_rewind(mem, mark);
}

static bool returns_again(const struct trod_graph *graph, trod_node v)
{
    return trod_graph_leave(graph, v) == TROD_RETURNS_AGAIN;
}

bool trod_graph_begins_in(const struct trod_graph *graph, const bool *exposed)
{
    return exposed[graph->entry] && !returns_again(graph, graph->entry);
}

bool trod_graph_begins_on(
    const struct trod_graph *graph, const bool *exposed, trod_edge e)
{
    trod_node v = graph->src_of_edge[e], w = graph->dst_of_edge[e];

    return returns_again(graph, v) ||
           (!exposed[v] && exposed[w] && !returns_again(graph, w));
}

bool trod_dag_ends(const struct trod_dag *dag, const bool *exposed, trod_edge e)
{
    trod_node v = dag->shape.src_of_edge[e];
    trod_edge origin = dag->origin_of_edge[e];

    if (dag->kind_of_edge[e] == TROD_DAG_LEAVE)
        return exposed[v] && !returns_again(dag->graph, v);
    return dag->kind_of_edge[e] == TROD_DAG_END && exposed[v] &&
           returns_again(dag->graph, dag->graph->dst_of_edge[origin]);
}
