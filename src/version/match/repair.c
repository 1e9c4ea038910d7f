#include "match/match.h"
#include "match/repair_net.h"

/* The network is the graph with one more node, "outside": an arc from it enters the function, and arcs to it leave. So
 * a flow is a circulation.
 */

/* --- the network of a graph --------------------------------------------------------------------------------------- */

/* Where a function may end other than at an exit: see match.h. */
struct shape {
    bool *reached; /* from the entry */
    bool *ends;    /* an exit can be reached from it */
    bool *leaves;  /* a block that may leave the function can be reached from it */
};

/* Extend the set by all nodes from which it can be reached. */
static void spread_back(bool *set, const struct trod_graph *g, trod_node *work)
{
    uint32_t n = 0;

    for (trod_node v = 0; v < g->nnode; v++)
        if (set[v])
            work[n++] = v;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t k = g->first_in[work[i]]; k < g->first_in[work[i] + 1]; k++) {
            trod_node v = g->src_of_edge[g->in_edge[k]];

            if (!set[v])
                work[n++] = v;
            set[v] = true;
        }
    }
}

static bool is_exit(const struct trod_graph *g, trod_node v)
{
    return g->first_out[v] == g->first_out[v + 1];
}

static void fill_shape(
    struct shape *out, const struct trod_graph *g, struct trod_arena *mem)
{
    trod_node *work = trod_new(mem, trod_node, g->nnode);
    uint32_t n = 0;

    out->reached = trod_new(mem, bool, g->nnode);
    out->ends = trod_new(mem, bool, g->nnode);
    out->leaves = trod_new(mem, bool, g->nnode);
    for (trod_node v = 0; v < g->nnode; v++) {
        out->ends[v] = is_exit(g, v);
        out->leaves[v] = trod_graph_leave(g, v) != TROD_STAYS;
    }
    spread_back(out->ends, g, work);
    spread_back(out->leaves, g, work);
    out->reached[g->entry] = true;
    work[n++] = g->entry;
    for (uint32_t i = 0; i < n; i++) {
        for (trod_edge e = g->first_out[work[i]]; e < g->first_out[work[i] + 1]; e++) {
            trod_node w = g->dst_of_edge[e];

            if (!out->reached[w])
                work[n++] = w;
            out->reached[w] = true;
        }
    }
}

static bool may_stop(const struct trod_graph *g, const struct shape *shape, trod_node v)
{
    return !is_exit(g, v) && (trod_graph_leave(g, v) != TROD_STAYS || !shape->ends[v]);
}

static void add_arc(
    struct trod_net *n, trod_node src, trod_node dst, uint64_t thought, uint32_t sure)
{
    n->arc[n->narc++] =
        (struct trod_net_arc){src, dst, sure, (int64_t)thought, (int64_t)thought};
    n->excess[src] -= (int64_t)thought;
    n->excess[dst] += (int64_t)thought;
}

/* The first arc enters the function; those of edges follow, in their order. */
static void fill_arcs(struct trod_net *n, const struct trod_repair *repair,
    const struct shape *shape, unsigned shift)
{
    const struct trod_graph *g = repair->graph;
    trod_node outside = g->nnode;

    add_arc(n, outside, g->entry, repair->entered_known ? repair->entered >> shift : 0,
        repair->entered_known);
    for (trod_edge e = 0; e < g->nedge; e++)
        if (shape->reached[g->src_of_edge[e]])
            add_arc(n, g->src_of_edge[e], g->dst_of_edge[e],
                repair->known_of_edge[e] ? repair->count_of_edge[e] >> shift : 0,
                repair->known_of_edge[e]);
    for (trod_node v = 0; v < g->nnode; v++) {
        if (!shape->reached[v])
            continue;
        if (is_exit(g, v))
            add_arc(n, v, outside, 0, 0);
        if (may_stop(g, shape, v))
            add_arc(n, v, outside, 0, TROD_REPAIR_LEAVE);
        if (trod_graph_leave(g, v) == TROD_RETURNS_AGAIN)
            add_arc(n, outside, v, 0, TROD_REPAIR_LEAVE);
    }
}

/* The least shift of counts that keeps their sum below 2^62. */
static unsigned shift_of(const struct trod_repair *repair)
{
    for (unsigned shift = 0;; shift++) {
        uint64_t sum = repair->entered >> shift;

        for (trod_edge e = 0; e < repair->graph->nedge; e++)
            sum = trod_sat_add(sum, repair->count_of_edge[e] >> shift);
        if (sum < UINT64_C(1) << 62)
            return shift;
    }
}

/* Undo the shift, as far as the counts fit into 64 bits. */
static void store_flow(uint64_t *flow, uint64_t *entries, const struct trod_net *n,
    const struct trod_repair *repair, const struct shape *shape, unsigned shift)
{
    const struct trod_graph *g = repair->graph;
    uint32_t a = 0;
    int64_t most = 0;

    for (uint32_t i = 0; i < n->narc; i++)
        most = n->arc[i].flow > most ? n->arc[i].flow : most;
    while (shift > 64 - trod_bit_width((uint64_t)most))
        shift--;
    *entries = (uint64_t)n->arc[a++].flow << shift;
    for (trod_edge e = 0; e < g->nedge; e++)
        flow[e] =
            shape->reached[g->src_of_edge[e]] ? (uint64_t)n->arc[a++].flow << shift : 0;
}

void trod_repair_flow(uint64_t *flow, uint64_t *entries,
    const struct trod_repair *repair, struct trod_arena *mem)
{
    const struct trod_graph *g = repair->graph;
    struct trod_mark mark = trod_arena_mark(mem);
    unsigned shift = shift_of(repair);
    struct trod_net n = {.nnode = g->nnode + 1,
        .arc = trod_new(
            mem, struct trod_net_arc, (size_t)g->nedge + 2 * (size_t)g->nnode + 1),
        .excess = trod_new(mem, int64_t, (size_t)g->nnode + 1)};
    struct shape shape;

    fill_shape(&shape, g, mem);
    fill_arcs(&n, repair, &shape, shift);
    trod_net_solve(&n, mem);
    store_flow(flow, entries, &n, repair, &shape, shift);
    trod_arena_rewind(mem, mark);
}

/* --- cost of a flow, and where it is not conserved ---------------------------------------------------------------- */

__extension__ typedef __int128 wide;

static wide excess_of(
    const struct trod_graph *g, const uint64_t *flow, uint64_t entries, trod_node v)
{
    wide sum = v == g->entry ? entries : 0;

    for (uint32_t i = g->first_in[v]; i < g->first_in[v + 1]; i++)
        sum += flow[g->in_edge[i]];
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
        sum -= flow[e];
    return sum;
}

static uint64_t apart(uint64_t a, uint64_t b)
{
    return a > b ? a - b : b - a;
}

uint64_t trod_repair_cost(
    const struct trod_repair *repair, const uint64_t *flow, uint64_t entries)
{
    const struct trod_graph *g = repair->graph;
    uint64_t cost =
        trod_sat_mul(repair->entered_known, apart(entries, repair->entered));

    for (trod_edge e = 0; e < g->nedge; e++)
        cost = trod_sat_add(cost, trod_sat_mul(repair->known_of_edge[e],
                                      apart(flow[e], repair->count_of_edge[e])));
    for (trod_node v = 0; v < g->nnode; v++) {
        wide sum = is_exit(g, v) ? 0 : excess_of(g, flow, entries, v);

        sum = sum < 0 ? -sum : sum;
        cost = trod_sat_add(cost, trod_sat_mul(TROD_REPAIR_LEAVE,
                                      sum > UINT64_MAX ? UINT64_MAX : (uint64_t)sum));
    }
    return cost;
}

/* Does a path begin at this node, other than at the entry? */
static bool begins(
    const struct trod_graph *g, const struct trod_order *order, trod_node v)
{
    for (uint32_t i = g->first_in[v]; i < g->first_in[v + 1]; i++)
        if (trod_has(order->retreating, g->in_edge[i]) ||
            (g->cut_of_edge && g->cut_of_edge[g->in_edge[i]]))
            return true;
    return trod_graph_leave(g, v) == TROD_RETURNS_AGAIN;
}

uint32_t trod_repair_faults(trod_node **out, const struct trod_graph *graph,
    const uint64_t *flow, uint64_t entries, struct trod_arena *mem)
{
    trod_node *fault = trod_new(mem, trod_node, graph->nnode);
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_order order;
    struct shape shape;
    uint32_t n = 0;

    fill_shape(&shape, graph, mem);
    trod_graph_order(&order, graph, mem);
    for (trod_node v = 0; v < graph->nnode; v++) {
        wide sum = is_exit(graph, v) ? 0 : excess_of(graph, flow, entries, v);

        if (sum > 0 && (may_stop(graph, &shape, v) ||
                           (shape.leaves[v] && begins(graph, &order, v))))
            continue;
        if (sum < 0 && trod_graph_leave(graph, v) == TROD_RETURNS_AGAIN)
            continue;
        if (sum)
            fault[n++] = v;
    }
    trod_arena_rewind(mem, mark);
    *out = fault;
    return n;
}

trod_node trod_repair_fault(const struct trod_graph *graph, const uint64_t *flow,
    uint64_t entries, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    trod_node *fault, first = TROD_NONE;

    if (trod_repair_faults(&fault, graph, flow, entries, mem))
        first = fault[0];
    trod_arena_rewind(mem, mark);
    return first;
}
