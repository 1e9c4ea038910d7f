#include "graph/graph.h"

enum {
    ENTRY_FLOW =
        1000, /* assumed entries of the function; large, so that branches can divide it */
    TRIPS = 8,     /* assumed iterations per loop entry */
    MAX_LEVELS = 8 /* most loops left by one edge that are distinguished */
};

/* The limit of flow, 2^50: exact in a double, and thousands of such weights fit in 64 bits. */
#define MOST_FLOW 1125899906842624.0

/* Data shared by all nodes. */
struct estimate {
    const struct trod_graph *graph;
    const struct trod_order *order;
    const struct trod_loops *loops;
    uint32_t *first_of_loop;  /* [nloop], position in a pre-order of the loop nest */
    uint32_t *size_of_loop;   /* [nloop], loops in it, including itself */
    uint32_t *nleave_of_loop; /* [nloop], branches with an exit edge */
    uint8_t *level_of_edge;   /* [nedge], number of loops left, at most MAX_LEVELS */
    double *flow_of_node;     /* [nnode] */
    uint64_t *weight_of_edge; /* [nedge], the result */
};

/* Loops are sorted parents first, but those of a nest are not adjacent. In pre-order they are, so that one comparison
 * tests containment.
 */
static void fill_places(struct estimate *est, struct trod_arena *mem)
{
    const struct trod_loops *loops = est->loops;
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *next = trod_new(mem, uint32_t, loops->nloop);
    uint32_t next_top = 0;

    for (uint32_t l = loops->nloop; l-- > 0;) {
        est->size_of_loop[l]++;
        if (loops->parent_of_loop[l] != TROD_NONE)
            est->size_of_loop[loops->parent_of_loop[l]] += est->size_of_loop[l];
    }
    for (uint32_t l = 0; l < loops->nloop; l++) {
        uint32_t parent = loops->parent_of_loop[l];
        uint32_t *place = parent == TROD_NONE ? &next_top : &next[parent];

        est->first_of_loop[l] = *place;
        *place += est->size_of_loop[l];
        next[l] = est->first_of_loop[l] + 1;
    }
    trod_arena_rewind(mem, mark);
}

static bool is_inside(const struct estimate *est, uint32_t loop, uint32_t outer)
{
    return loop != TROD_NONE && est->first_of_loop[loop] - est->first_of_loop[outer] <
                                    est->size_of_loop[outer];
}

static uint8_t levels_left(const struct estimate *est, trod_edge e)
{
    const struct trod_loops *loops = est->loops;
    uint32_t from = loops->loop_of_node[est->graph->src_of_edge[e]];
    uint32_t to = loops->loop_of_node[est->graph->dst_of_edge[e]];
    uint8_t levels = 0;

    while (from != TROD_NONE && !is_inside(est, to, from) && levels < MAX_LEVELS) {
        from = loops->parent_of_loop[from];
        levels++;
    }
    return levels;
}

static void fill_levels(struct estimate *est)
{
    const struct trod_graph *graph = est->graph;

    for (trod_node v = 0; v < graph->nnode; v++) {
        uint32_t loop = est->loops->loop_of_node[v];
        bool leaves = false;

        if (loop == TROD_NONE)
            continue;
        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
            est->level_of_edge[e] = levels_left(est, e);
            leaves = leaves || est->level_of_edge[e];
        }
        est->nleave_of_loop[loop] += leaves;
    }
}

/* The flow of an exit edge of a branch. All branches of a loop together leave it once in TRIPS iterations. An edge that
 * leaves several loops is divided by TRIPS for each.
 */
static double leaving_flow(
    const struct estimate *est, trod_edge e, uint32_t nleaving, double flow)
{
    uint32_t loop = est->loops->loop_of_node[est->graph->src_of_edge[e]];

    for (uint8_t level = est->level_of_edge[e]; level; level--)
        flow /= TRIPS;
    return flow / ((double)est->nleave_of_loop[loop] * nleaving);
}

static void carry(struct estimate *est, trod_edge e, double flow)
{
    est->weight_of_edge[e] = flow < 1 ? 1 : (uint64_t)(flow + 0.5);
    if (!trod_has(est->order->retreating, e))
        est->flow_of_node[est->graph->dst_of_edge[e]] += flow;
}

/* Edges that stay in the loop divide the remaining flow evenly. A node of a loop always has such an edge. */
static void split(struct estimate *est, trod_node v, double flow)
{
    trod_edge first = est->graph->first_out[v], end = est->graph->first_out[v + 1];
    uint32_t nleaving = 0;
    double rest = flow;

    for (trod_edge e = first; e < end; e++)
        nleaving += est->level_of_edge[e] > 0;
    for (trod_edge e = first; e < end; e++) {
        if (est->level_of_edge[e]) {
            double part = leaving_flow(est, e, nleaving, flow);

            rest -= part;
            carry(est, e, part);
        }
    }
    for (trod_edge e = first; e < end; e++)
        if (!est->level_of_edge[e])
            carry(est, e, rest / (end - first - nleaving));
}

/* Retreating edges carry no flow; a factor at the header accounts for them. So all predecessors of a node come before
 * it in reverse post-order.
 */
static void propagate(struct estimate *est)
{
    est->flow_of_node[est->graph->entry] = ENTRY_FLOW;
    for (uint32_t i = est->order->nreach; i-- > 0;) {
        trod_node v = est->order->post[i];
        uint32_t loop = est->loops->loop_of_node[v];
        double flow = est->flow_of_node[v];

        if (loop != TROD_NONE && est->loops->header_of_loop[loop] == v)
            flow *= TRIPS;
        split(est, v, flow < MOST_FLOW ? flow : MOST_FLOW);
    }
}

static void fill_given(uint64_t *weight_of_edge, const struct trod_graph *graph,
    const struct trod_order *order)
{
    for (trod_edge e = 0; e < graph->nedge; e++) {
        uint64_t given = graph->weight_of_edge[e];

        if (order->pre_of_node[graph->src_of_edge[e]] != TROD_NONE)
            weight_of_edge[e] = given ? given : 1;
    }
}

void trod_graph_weights(const uint64_t **weight_of_edge, const struct trod_graph *graph,
    const struct trod_order *order, const struct trod_loops *loops,
    struct trod_arena *mem)
{
    uint64_t *weight = trod_new(mem, uint64_t, graph->nedge);
    struct trod_mark mark = trod_arena_mark(mem);

    if (graph->weight_of_edge) {
        fill_given(weight, graph, order);
    } else {
        struct estimate est = {
            .graph = graph,
            .order = order,
            .loops = loops,
            .first_of_loop = trod_new(mem, uint32_t, loops->nloop),
            .size_of_loop = trod_new(mem, uint32_t, loops->nloop),
            .nleave_of_loop = trod_new(mem, uint32_t, loops->nloop),
            .level_of_edge = trod_new(mem, uint8_t, graph->nedge),
            .flow_of_node = trod_new(mem, double, graph->nnode),
            .weight_of_edge = weight,
        };

        fill_places(&est, mem);
        fill_levels(&est);
        propagate(&est);
    }
    trod_arena_rewind(mem, mark);
    *weight_of_edge = weight;
}
