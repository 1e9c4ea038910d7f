#include "graph/graph.h"

static bool wrong(struct trod_err *err, const struct trod_graph *graph,
    const char *what, uint32_t where)
{
    return trod_fail(err, TROD_E_INTERNAL,
        "graph '%s' is not well-formed: %s (at %u); please report "
        "this with the graph",
        graph->name, what, where);
}

static bool check_out(const struct trod_graph *g, struct trod_err *err)
{
    if (!g->nnode || g->entry >= g->nnode)
        return wrong(err, g, "the entry is not a node", g->entry);
    if (g->first_out[0] != 0 || g->first_out[g->nnode] != g->nedge)
        return wrong(err, g, "first_out does not span the edges", 0);
    for (trod_node v = 0; v < g->nnode; v++) {
        if (g->first_out[v] > g->first_out[v + 1])
            return wrong(err, g, "first_out descends", v);
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            if (g->src_of_edge[e] != v || g->dst_of_edge[e] >= g->nnode)
                return wrong(err, g, "an edge has wrong ends", e);
    }
    return true;
}

bool trod_graph_check(const struct trod_graph *g, struct trod_err *err)
{
    if (!check_out(g, err))
        return false;
    if (g->first_in[0] != 0 || g->first_in[g->nnode] != g->nedge)
        return wrong(err, g, "first_in does not span the edges", 0);
    for (trod_node v = 0; v < g->nnode; v++) {
        for (uint32_t i = g->first_in[v]; i < g->first_in[v + 1]; i++) {
            if (g->in_edge[i] >= g->nedge || g->dst_of_edge[g->in_edge[i]] != v)
                return wrong(err, g, "in_edge names an edge to elsewhere", i);
            if (i > g->first_in[v] && g->in_edge[i - 1] >= g->in_edge[i])
                return wrong(err, g, "in_edge is not ascending", i);
        }
    }
    return true;
}

/* Check that an edge's kind matches its ends, and that the maps to and from the graph agree. */
static bool check_edge(const struct trod_dag *dag, trod_edge e, struct trod_err *err)
{
    const struct trod_graph *g = &dag->shape;
    trod_node u = g->src_of_edge[e], v = g->dst_of_edge[e];
    trod_edge origin = dag->origin_of_edge[e];
    bool ok = false;

    switch ((enum trod_dag_kind)dag->kind_of_edge[e]) {
    case TROD_DAG_ENTER:
        ok = u == g->entry && v == dag->graph->entry && origin == TROD_NONE;
        break;
    case TROD_DAG_START:
        ok = u == g->entry && v < dag->graph->nnode && origin == TROD_NONE &&
             dag->start_of_node[v] == e;
        break;
    case TROD_DAG_LEAVE:
        ok = v == dag->exit && origin == TROD_NONE &&
             g->first_out[u + 1] - g->first_out[u] == 1;
        break;
    case TROD_DAG_REAL:
        ok = origin < dag->graph->nedge && dag->dag_of_edge[origin] == e &&
             u == dag->graph->src_of_edge[origin] &&
             v == dag->graph->dst_of_edge[origin];
        break;
    case TROD_DAG_END:
        ok = origin < dag->graph->nedge && dag->dag_of_edge[origin] == e &&
             u == dag->graph->src_of_edge[origin] && v == dag->exit &&
             dag->start_of_node[dag->graph->dst_of_edge[origin]] != TROD_NONE;
        break;
    }
    return ok || wrong(err, g, "an edge of the DAG does not fit the graph", e);
}

/* The targets of START edges must be exactly the targets of cut edges. */
static bool check_starts(
    const struct trod_dag *dag, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *ended = trod_new(mem, uint64_t, TROD_WORDS(dag->graph->nnode));
    bool ok = true;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_END)
            trod_add(ended, dag->graph->dst_of_edge[dag->origin_of_edge[e]]);
    for (trod_node v = 0; ok && v < dag->graph->nnode; v++)
        if (trod_has(ended, v) != (dag->start_of_node[v] != TROD_NONE))
            ok = wrong(err, &dag->shape, "a start without an end", v);
    trod_arena_rewind(mem, mark);
    return ok;
}

static bool check_topo(
    const struct trod_dag *dag, uint32_t *place, struct trod_err *err)
{
    const struct trod_graph *g = &dag->shape;

    for (uint32_t i = 0; i < dag->nreach; i++) {
        if (dag->topo[i] >= g->nnode || place[dag->topo[i]])
            return wrong(err, g, "topo repeats or leaves the nodes", i);
        place[dag->topo[i]] = i + 1;
    }
    if (place[g->entry] != 1 || place[dag->exit] != dag->nreach)
        return wrong(err, g, "topo must run from ENTRY to EXIT", 0);
    for (trod_edge e = 0; e < g->nedge; e++)
        if (!place[g->src_of_edge[e]] || !place[g->dst_of_edge[e]] ||
            place[g->src_of_edge[e]] >= place[g->dst_of_edge[e]])
            return wrong(err, g, "an edge runs against topo", e);
    for (trod_node v = 0; v < g->nnode; v++) {
        bool in = v == g->entry || g->first_in[v] < g->first_in[v + 1];
        bool out = v == dag->exit || g->first_out[v] < g->first_out[v + 1];

        /* As all edges go forward, in- and out-edges suffice for v to be on a path. */
        if (place[v] ? !in || !out : g->first_out[v] < g->first_out[v + 1])
            return wrong(err, g, "a node is on no path", v);
    }
    return true;
}

bool trod_dag_check(
    const struct trod_dag *dag, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok;

    if (!trod_graph_check(&dag->shape, err))
        return false;
    if (dag->shape.nnode != dag->graph->nnode + 2)
        return wrong(err, &dag->shape, "ENTRY or EXIT is missing", 0);
    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (!check_edge(dag, e, err))
            return false;
    if (!check_starts(dag, mem, err))
        return false;
    ok = check_topo(dag, trod_new(mem, uint32_t, dag->shape.nnode), err);
    trod_arena_rewind(mem, mark);
    return ok;
}
