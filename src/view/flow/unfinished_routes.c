#include "flow/unfinished.h"

#include <string.h>

/* An unfinished path went from a start to a block where it stopped. All routes between the two form a subgraph of the
 * DAG. In topological order, a block is on all routes if no edge of the subgraph bypasses it. Such blocks ran; other
 * blocks of the subgraph may have run.
 */

void trod_ways_find(struct unfinished *u, const bool *start, const bool *stop)
{
    const struct trod_graph *s = &u->dag->shape;

    memcpy(u->from, start, u->dag->graph->nnode * sizeof *start);
    memcpy(u->to, stop, u->dag->graph->nnode * sizeof *stop);
    for (uint32_t i = 0; i < u->dag->nreach; i++) {
        trod_node v = u->dag->topo[i];

        if (!trod_ways_block(u->dag, v) || !u->from[v])
            continue;
        for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++)
            if (u->dag->kind_of_edge[e] == TROD_DAG_REAL)
                u->from[s->dst_of_edge[e]] = true;
    }
    for (uint32_t i = u->dag->nreach; i-- > 0;) {
        trod_node v = u->dag->topo[i];

        for (trod_edge e = s->first_out[v];
            trod_ways_block(u->dag, v) && e < s->first_out[v + 1]; e++)
            if (u->dag->kind_of_edge[e] == TROD_DAG_REAL && u->to[s->dst_of_edge[e]])
                u->to[v] = true;
    }
}

static void add_node(struct unfinished *u, trod_node v, uint64_t count)
{
    if (count)
        u->flow->count_of_node[v] = trod_sat_add(u->flow->count_of_node[v], count);
    else
        trod_add(u->flow->unsure_nodes, v);
}

/* The number of out-edges of a block that are on a route; *one: one of them, *far: the farthest position they reach. */
static uint32_t count_edges(
    const struct unfinished *u, trod_node v, trod_edge *one, uint32_t *far)
{
    const struct trod_graph *s = &u->dag->shape;
    uint32_t n = 0;

    for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++) {
        trod_node w = s->dst_of_edge[e];

        if (u->dag->kind_of_edge[e] != TROD_DAG_REAL || !trod_ways_on(u, w))
            continue;
        *one = u->dag->origin_of_edge[e];
        *far = u->position[w] > *far ? u->position[w] : *far;
        n++;
    }
    return n;
}

static void doubt_edges(struct unfinished *u, trod_node v)
{
    const struct trod_graph *s = &u->dag->shape;

    for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++)
        if (u->dag->kind_of_edge[e] == TROD_DAG_REAL &&
            trod_ways_on(u, s->dst_of_edge[e]))
            trod_add(u->flow->unsure_edges, u->dag->origin_of_edge[e]);
}

/* Count or mark as unsure the out-edges that are on a route; returns the farthest position reached. */
static uint32_t add_edges(
    struct unfinished *u, trod_node v, bool ends, uint64_t count, uint32_t far)
{
    struct trod_flow *flow = u->flow;
    trod_edge one = TROD_NONE;
    uint32_t n = count_edges(u, v, &one, &far);

    if (count && n == 1 && !ends)
        flow->count_of_edge[one] = trod_sat_add(flow->count_of_edge[one], count);
    else
        doubt_edges(u, v);
    if (count && n == 0)
        flow->stopped_of_node[v] = trod_sat_add(flow->stopped_of_node[v], count);
    return far;
}

void trod_ways_add(
    struct unfinished *u, const bool *start, const bool *stop, uint64_t count)
{
    uint32_t far = 0;
    bool stopped = false;

    trod_ways_find(u, start, stop);
    for (trod_node v = 0; v < u->dag->graph->nnode; v++)
        if (start[v] && trod_ways_on(u, v) && u->position[v] > far)
            far = u->position[v];
    for (uint32_t i = 0; i < u->dag->nreach; i++) {
        trod_node v = u->dag->topo[i];
        uint64_t certain = !stopped && far <= i ? count : 0;

        if (!trod_ways_on(u, v))
            continue;
        add_node(u, v, certain);
        far = add_edges(u, v, stop[v], certain, far);
        stopped |= stop[v];
    }
}
