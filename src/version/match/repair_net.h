/* repair_net: a circulation that is nearest to what is thought of its arcs.
 *
 * An arc starts with what is thought of it. Going up by one costs what it is sure by, and so does going down; going back to
 * what was thought gives that back.
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
    uint32_t *touch; /* twice the number of an arc, plus 1 where it comes in */
    int64_t *excess; /* by node: what comes in and does not leave */
    int64_t *price;
    int64_t *distance; /* of the current phase; -1: not reached */
    trod_node *reached;
    uint32_t nreached;
    struct trod_net_item *heap;
    uint32_t nheap;
    uint32_t *at;       /* by node: where its search stands, in this round */
    uint32_t *at_round; /* by node: the round that `at` is of */
    uint32_t *dead;     /* by node: the last round in which it led nowhere */
    bool *on_way;
    uint32_t round;
    uint32_t *way; /* touches from a block with too much */
    uint32_t nway;
    trod_node *source;
    uint32_t nsource;
};

/* needs:  arcs with flow == thought, and the excess of each node from these
 * fills:  flow of each arc, conserved
 * cost:   phases x O(arcs log arcs), and as many steps for each thing that is used up; there are at most as many phases as
 *         ways from a node to another have different costs
 * paper:  Busacker and Gowen, 1960; with potentials: Edmonds and Karp, 1972; all ways of one cost in one phase, as
 *         Ford and Fulkerson's primal-dual method does
 */
void trod_net_solve(struct trod_net *net, struct trod_arena *mem);

#endif
