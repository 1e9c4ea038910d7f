/* unfinished: what the parts of flow_unfinished.c share.
 *
 *     unfinished_routes.c         the ways between starts and stops: what is on all of them, what on some
 *     flow_stops.c        stops that are known: noted by the program, or given by a frame
 *     flow_returns.c      functions that always returned: nothing stopped in a call of these
 *     flow_unfinished.c   how many paths are missing, where they started; all functions
 */
#ifndef TROD_FLOW_UNFINISHED_H
#define TROD_FLOW_UNFINISHED_H

#include "flow/flow.h"

/* What is known of one function while its unfinished paths are added. */
struct unfinished {
    struct trod_flow *flow;
    const struct trod_dag *dag;
    struct trod_arena *mem;
    bool killed; /* some process may have stopped between calls */
    const struct return_facts *returning; /* NULL: nothing is known of functions */
    bool *stop;                           /* [nnode] where a path may have stopped */
    bool *
        likely; /* [nnode] the same, with what is known of the functions that are called */
    uint64_t *lost;      /* [nnode] paths that started there and have no count */
    uint64_t entry_lost; /* of those at the entry: paths that began with the function */
    uint64_t rest;       /* paths that started at one of several nodes */
    bool *rest_start;    /* [nnode] at these */
    bool more;           /* there may have been others like these */
    uint64_t *shared; /* [nnode] paths that started there or elsewhere, and are added */
    uint64_t nshared; /* all of these */
    uint32_t *position; /* [nnode] in topological order; TROD_NONE: unreachable */
    bool *from, *to;    /* [nnode] */
};

static inline bool trod_ways_block(const struct trod_dag *dag, trod_node v)
{
    return v < dag->graph->nnode;
}

/* Is a block on some way, of those that were found last? */
static inline bool trod_ways_on(const struct unfinished *u, trod_node v)
{
    return trod_ways_block(u->dag, v) && u->from[v] && u->to[v];
}

/* Find all ways from one of the starts to one of the stops.
 *
 * fills:  u->from, u->to
 */
void trod_ways_find(struct unfinished *u, const bool *start, const bool *stop);

/* Paths that went one of these ways; count: how many there were at least. */
void trod_ways_add(
    struct unfinished *u, const bool *start, const bool *stop, uint64_t count);

/* The place that the program noted itself; step: room for a path. */
void trod_unfinished_stop(
    struct unfinished *u, trod_edge *step, const struct trod_flow_stop *stop);

/* The block that a frame gives. */
void trod_unfinished_frame(struct unfinished *u, const struct trod_flow_frame *frame);

/* Did all activations finish, according to the function's own counts? Exceptions cannot be detected without debug
 * information.
 */
bool trod_flow_all_finished(const struct trod_flow *flow);

/* Which functions always returned.
 *
 * needs:  flows without unfinished paths, of processes that ended in order and did not fork
 */
struct return_facts;
struct return_facts *trod_returning_build(
    const struct trod_flows *flows, struct trod_arena *mem);

/* May a path have stopped in a call of this block? NULL: nothing is known of functions. */
bool trod_returning_stops(
    const struct return_facts *r, const struct trod_map_entry *entry, trod_node v);

/* Add to a count, and make it no less than is known. */
static inline void trod_unfinished_raise(uint64_t *count, uint64_t by, uint64_t least)
{
    *count = trod_sat_add(*count, by);
    *count = *count < least ? least : *count;
}

#endif
