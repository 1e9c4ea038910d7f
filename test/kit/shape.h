/* Random control-flow graphs, from any source of numbers.
 *
 * The source is a function and its context: kit_shape_from_rng with a struct
 * trod_rng for plain random tests and benchmarks, or, in a property that is to
 * shrink, a line that hands on to kit_draw:
 *
 *     static uint64_t draw(void *p, uint64_t bound)
 *     {
 *         return kit_draw(p, bound);
 *     }
 *
 * Lower draws give plainer graphs, and zeros the plainest. The same draws give
 * the same graph on every machine.
 */
#ifndef KIT_SHAPE_H
#define KIT_SHAPE_H

#include "graph/graph.h"

typedef uint64_t (*kit_shape_source)(void *ctx, uint64_t bound);

uint64_t kit_shape_from_rng(void *rng, uint64_t bound);

/* All zero: a small DAG without parallel edges, each node reachable from the
 * entry and numbered after its predecessors.
 */
struct kit_shape_options {
    uint32_t max_node; /* 0: 12 */
    uint32_t max_out;  /* successors of one node; 0: 3 */
    bool cycles;       /* self loops too; reducible */
    bool irreducible;  /* cycles of any kind */
    bool parallel;     /* several edges from one node to another */
    bool unreachable;  /* nodes the entry does not reach */
    bool no_exit;      /* without it, every node reaches an exit */
    bool shuffled;     /* node numbers in any order, the entry's not always 0 */
    bool named;        /* nodes are called n0, n1 ...; otherwise names are NULL */
};

/* Draws of 0 give one node. Time is linear in nodes and edges, but for graphs
 * that have cycles and must be reducible: those take nodes times depth.
 */
void kit_shape(struct trod_graph *out, const struct kit_shape_options *opt,
    kit_shape_source draw, void *ctx, struct trod_arena *mem);

/* A graph like that of code as people write it: if, if-else, switch with and
 * without fall through, while and do-while in each other, with break, continue
 * and return. Reducible, each node reachable. It has the given number of nodes,
 * or as many more as it takes to close what is open then, some dozens at most.
 * Linear time. Draws of 0 give a chain.
 */
void kit_shape_structured(struct trod_graph *out, uint32_t nnode, kit_shape_source draw,
    void *ctx, struct trod_arena *mem);

#endif
