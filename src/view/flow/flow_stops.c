#include "flow/unfinished.h"

#include <string.h>

/* --- stops that the program recorded ------------------------------------------------------------------------------ */

/* Decode the path and the number of its edges up to the block; false if the path does not exist. */
static bool decode(struct unfinished *u, trod_edge *step, uint32_t *n, trod_node *last,
    const struct trod_flow_stop *stop)
{
    const struct trod_numbering *numbering = &u->flow->entry->numbering;
    uint32_t nnode = u->dag->graph->nnode;
    uint32_t all;

    *last = (trod_node)(stop->place % nnode);
    if (stop->place / nnode >= numbering->npath)
        return false;
    all = trod_number_decode(step, numbering, stop->place / nnode);
    for (*n = 0; *n < all; ++*n)
        if (u->dag->shape.dst_of_edge[step[*n]] == *last)
            return true;
    return false;
}

/* If the process may have been killed between calls, all blocks up to the next such call may have run. */
static void add_beyond(struct unfinished *u, trod_node last)
{
    const struct trod_graph *s = &u->dag->shape;

    memset(u->from, 0, u->dag->graph->nnode * sizeof *u->from);
    u->from[last] = true;
    for (uint32_t i = 0; i < u->dag->nreach; i++) {
        trod_node v = u->dag->topo[i];

        if (!trod_ways_block(u->dag, v) || !u->from[v] ||
            (v != last && trod_graph_leave(u->dag->graph, v) != TROD_STAYS))
            continue;
        for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++)
            if (u->dag->kind_of_edge[e] == TROD_DAG_REAL) {
                u->from[s->dst_of_edge[e]] = true;
                trod_add(u->flow->unsure_nodes, s->dst_of_edge[e]);
                trod_add(u->flow->unsure_edges, u->dag->origin_of_edge[e]);
            }
    }
}

/* Take up to `count` of the paths missing at a start; returns how many there were. */
static uint64_t take_lost(struct unfinished *u, trod_node first, uint64_t count)
{
    uint64_t own = count < u->lost[first] ? count : u->lost[first];
    uint64_t rest = u->rest_start[first] && !u->killed ? count - own : 0;

    rest = rest < u->rest ? rest : u->rest;
    u->lost[first] -= own;
    u->rest -= rest;
    return own + rest;
}

static void enter(struct unfinished *u, uint64_t by, uint64_t least)
{
    u->entry_lost -= by < u->entry_lost ? by : u->entry_lost;
    trod_unfinished_raise(&u->flow->entered, by, least);
}

/* Add as many paths as are missing at the start. The program may have recorded more: the path began in the parent
 * before a fork, or ended after all before the process was killed. Then the count is only a lower bound for the blocks.
 */
void trod_unfinished_stop(
    struct unfinished *u, trod_edge *step, const struct trod_flow_stop *stop)
{
    const struct trod_graph *s = &u->dag->shape;
    struct trod_flow *flow = u->flow;
    trod_node last;
    uint64_t by;
    uint32_t n;

    if (!decode(u, step, &n, &last, stop))
        return;
    by = take_lost(u, s->dst_of_edge[step[0]], stop->count);
    flow->loose |= by < stop->count;
    if (u->dag->kind_of_edge[step[0]] == TROD_DAG_ENTER)
        enter(u, by, stop->count);
    for (uint32_t i = 0; i <= n; i++) {
        trod_edge origin = u->dag->origin_of_edge[step[i]];

        trod_unfinished_raise(
            &flow->count_of_node[s->dst_of_edge[step[i]]], by, stop->count);
        if (origin != TROD_NONE)
            trod_unfinished_raise(&flow->count_of_edge[origin], by, stop->count);
    }
    flow->stopped_of_node[last] = trod_sat_add(flow->stopped_of_node[last], by);
    if (u->killed)
        add_beyond(u, last);
}

/* --- stops known from stack frames -------------------------------------------------------------------------------- */

/* Find the blocks with a call on this line that may not return. False if there is none, or if a call on the line never
 * returns: the path ends before such a call, so it may not be unfinished.
 */
static bool find_blocks(bool *out, const struct trod_map_entry *entry, uint32_t line)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t nnode = g->nnode;
    bool any = false;

    memset(out, 0, nnode * sizeof *out);
    if (!line || !entry->first_callee || !entry->line_of_callee)
        return false;
    for (trod_node v = 0; v < nnode; v++)
        for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++)
            if (entry->line_of_callee[i] == line)
                any = out[v] = true;
    for (trod_node v = 0; v < nnode; v++)
        if (out[v] && trod_graph_leave(g, v) == TROD_STAYS &&
            g->first_out[v] == g->first_out[v + 1])
            return false;
        else
            out[v] = out[v] && trod_graph_leave(g, v) != TROD_STAYS;
    return any;
}

/* The starts with missing paths that may have reached one of the blocks; returns their number. */
static uint32_t find_starts(struct unfinished *u, bool *start, const bool *stop)
{
    uint32_t nnode = u->dag->graph->nnode, n = 0;

    for (trod_node v = 0; v < nnode; v++)
        start[v] = u->lost[v] || ((u->rest || u->more) && u->rest_start[v]);
    trod_ways_find(u, start, stop);
    for (trod_node v = 0; v < nnode; v++) {
        start[v] = start[v] && trod_ways_on(u, v);
        n += start[v];
    }
    return n;
}

/* Paths taken from the rest at the entry count as entries of the function. */
static void take_from(struct unfinished *u, trod_node v, uint64_t count)
{
    uint64_t rest = u->rest;

    take_lost(u, v, count);
    if (v == u->dag->graph->entry)
        trod_unfinished_raise(&u->flow->entered, rest - u->rest, 0);
}

/* With one start, its missing paths are reduced. With several, it is unknown which, so the count is noted as shared. */
static void account(struct unfinished *u, const bool *start, uint32_t n, uint64_t count)
{
    for (trod_node v = 0; v < u->dag->graph->nnode; v++) {
        if (!start[v])
            continue;
        if (n == 1)
            take_from(u, v, count);
        else
            u->shared[v] = trod_sat_add(u->shared[v], count);
    }
    u->nshared += n > 1 ? count : 0;
}

/* No missing path can have reached the blocks: the path began in the parent, before a fork. */
static void add_foreign(
    struct unfinished *u, bool *start, const bool *stop, uint64_t count)
{
    uint32_t nnode = u->dag->graph->nnode, n = 0;
    trod_node one = 0;

    for (trod_node v = 0; v < nnode; v++) {
        start[v] = v == u->dag->graph->entry || u->dag->start_of_node[v] != TROD_NONE;
        one = stop[v] ? v : one;
        n += stop[v];
    }
    u->flow->loose = true;
    u->flow->unfinished = trod_sat_add(u->flow->unfinished, count);
    trod_ways_add(u, start, stop, 0);
    if (n == 1)
        trod_unfinished_raise(&u->flow->count_of_node[one], 0, count);
}

/* Activations begun are not counted, and no path is missing elsewhere: this one started at the entry. */
static uint32_t add_unseen(struct unfinished *u, bool *start, uint64_t count)
{
    trod_node entry = u->dag->graph->entry;

    memset(start, 0, u->dag->graph->nnode * sizeof *start);
    start[entry] = true;
    u->flow->unfinished = trod_sat_add(u->flow->unfinished, count);
    u->lost[entry] = trod_sat_add(u->lost[entry], count);
    u->entry_lost = trod_sat_add(u->entry_lost, count);
    return 1;
}

void trod_unfinished_frame(struct unfinished *u, const struct trod_flow_frame *frame)
{
    uint32_t nnode = u->dag->graph->nnode, n;
    bool *start = trod_new(u->mem, bool, nnode), *stop = trod_new(u->mem, bool, nnode);
    uint64_t left = u->rest;

    if (!find_blocks(stop, u->flow->entry, frame->line))
        return;
    for (trod_node v = 0; v < nnode; v++)
        left = trod_sat_add(left, u->lost[v]);
    n = u->more || left > u->nshared ? find_starts(u, start, stop) : 0;
    if (!n && u->flow->entry->begun) {
        add_foreign(u, start, stop, frame->count);
        return;
    }
    if (!n)
        n = add_unseen(u, start, frame->count);
    trod_ways_add(u, start, stop, frame->count);
    account(u, start, n, frame->count);
}
