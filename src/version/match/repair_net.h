/* repair_net: the circulation nearest to the assumed flows of its arcs.
 *
 * An arc starts with its assumed flow. Each unit of change, up or down, costs its certainty; undoing a
 * change refunds that.
 */
#ifndef TROD_REPAIR_NET_H
#define TROD_REPAIR_NET_H

#include "graph/graph.h"

struct trod_net_arc {
    trod_node src, dst;
    uint32_t cost;
    int64_t thought, flow;
};

struct trod_net_item {
    int64_t distance;
    trod_node node;
};

struct trod_net {
    uint32_t nnode, narc;
    struct trod_net_arc *arc;
    uint32_t *first; /* [nnode + 1] into touch */
    uint32_t *touch; /* twice the number of an arc, plus 1 for an incoming arc */
    int64_t *excess; /* by node: incoming minus outgoing flow */
    int64_t *price;
    int64_t *distance; /* of the current phase; -1: not reached */
    trod_node *reached;
    uint32_t nreached;
    struct trod_net_item *heap;
    uint32_t nheap;
    uint32_t *at;       /* by node: search position in this round */
    uint32_t *at_round; /* by node: the round of `at` */
    uint32_t *dead;     /* by node: the last round in which it was a dead end */
    bool *on_way;
    uint32_t round;
    uint32_t *way; /* path of touches from a node with excess */
    uint32_t nway;
    trod_node *source;
    uint32_t nsource;
};

/* needs:  arcs with flow == thought, and the resulting excess of each node
 * fills:  flow of each arc, conserved
 * cost:   phases x O(arcs log arcs), and as many steps for each saturated arc or node; the number of phases is at most that of
 *         different costs of paths between nodes
 * paper:  Busacker and Gowen, 1960; with potentials: Edmonds and Karp, 1972; all paths of one cost in one phase, as
 *         Ford and Fulkerson's primal-dual method does
 */
void trod_net_solve(struct trod_net *net, struct trod_arena *mem);

#endif
