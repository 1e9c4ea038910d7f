#include "probe/probe.h"

/* Trip counters require innermost, reducible loops that are left only by edges. Otherwise iterations in the counter
 * would be lost, or counted twice after a fork.
 */
static void fill_innermost(
    bool *fit, const struct trod_loops *loops, const struct trod_graph *graph)
{
    for (uint32_t l = 0; l < loops->nloop; l++)
        fit[l] = !loops->irreducible_of_loop[l];
    for (trod_node v = 0; v < graph->nnode; v++)
        if (loops->loop_of_node[v] != TROD_NONE && trod_graph_leave(graph, v))
            fit[loops->loop_of_node[v]] = false;
    for (uint32_t l = 0; l < loops->nloop; l++)
        if (loops->parent_of_loop[l] != TROD_NONE)
            fit[loops->parent_of_loop[l]] = false;
}

/* The innermost loop that contains both ends of an edge, or TROD_NONE. */
static uint32_t loop_of_edge(
    const struct trod_loops *loops, const struct trod_graph *graph, trod_edge e)
{
    uint32_t loop = loops->loop_of_node[graph->src_of_edge[e]];

    return loop == loops->loop_of_node[graph->dst_of_edge[e]] ? loop : TROD_NONE;
}

static bool is_cut(const struct trod_dag *dag, trod_edge e)
{
    return dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END;
}

void trod_trips_bodies(uint64_t *body, const struct trod_dag *dag,
    const struct trod_loops *loops, struct trod_arena *mem)
{
    const struct trod_graph *graph = dag->graph;
    struct trod_mark mark = trod_arena_mark(mem);
    bool *single = trod_new(mem, bool, loops->nloop);
    uint8_t *nstay = trod_new(mem, uint8_t, graph->nnode); /* 2: two or more */

    fill_innermost(single, loops, graph);
    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_node v = graph->src_of_edge[e];
        uint32_t loop = loop_of_edge(loops, graph, e);

        if (loop != TROD_NONE && ++nstay[v] > 1) {
            nstay[v] = 2;
            single[loop] = false;
        }
    }
    for (trod_edge e = 0; e < graph->nedge; e++) {
        uint32_t loop = loop_of_edge(loops, graph, e);

        if (loop != TROD_NONE && single[loop] && !is_cut(dag, e))
            trod_add(body, dag->dag_of_edge[e]);
    }
    trod_arena_rewind(mem, mark);
}

/* What is known of a loop while its edges are examined. */
struct candidate {
    bool fit;     /* a trip counter can still replace its operations */
    bool counted; /* value is set */
    bool left;    /* some edge leaves the loop */
    int64_t value;
    int64_t again;
    double saved; /* by a trip counter, at the given prices */
    uint32_t trip;
};

struct search {
    const struct trod_dag_ops *ops;
    const struct trod_dag *dag;
    const struct trod_loops *loops;
    const struct trod_prices *prices;
    struct candidate *candidate_of_loop;
};

/* An edge inside the loop may count, but always with the same offset from r. */
static void see_inside(const struct search *s, struct candidate *candidate, trod_edge e)
{
    trod_edge d = s->dag->dag_of_edge[e];
    int64_t value = s->ops->value_of_edge[d];

    if (s->ops->kind_of_edge[d] == TROD_OP_NONE)
        return;
    if (s->ops->kind_of_edge[d] != TROD_OP_COUNT ||
        (s->ops->action_of_edge && s->ops->action_of_edge[d] != TROD_ACTION_COUNT) ||
        (candidate->counted && candidate->value != value))
        candidate->fit = false;
    candidate->counted = true;
    candidate->value = value;
    candidate->saved += (double)s->dag->weight_of_edge[d] * s->prices->count;
}

/* A back edge may also set r. No other edge inside the loop may be cut. */
static void see_cut(
    const struct search *s, struct candidate *candidate, uint32_t loop, trod_edge e)
{
    trod_node header = s->loops->header_of_loop[loop];
    trod_edge start = s->dag->start_of_node[header];
    double weight = (double)s->dag->weight_of_edge[s->dag->dag_of_edge[e]];

    if (s->dag->graph->dst_of_edge[e] != header ||
        s->ops->kind_of_edge[start] != TROD_OP_SET) {
        candidate->fit = false;
        return;
    }
    candidate->again = s->ops->value_of_edge[start];
    candidate->saved += weight * s->prices->set - weight * s->prices->bump;
}

static void see_leaving(
    const struct search *s, struct candidate *candidate, trod_edge e)
{
    candidate->left = true;
    candidate->saved -=
        (double)s->dag->weight_of_edge[s->dag->dag_of_edge[e]] * s->prices->flush;
}

static void see_edges(const struct search *s, struct trod_arena *mem)
{
    const struct trod_graph *graph = s->dag->graph;
    bool *innermost = trod_new(mem, bool, s->loops->nloop);

    fill_innermost(innermost, s->loops, graph);
    for (uint32_t l = 0; l < s->loops->nloop; l++)
        s->candidate_of_loop[l].fit = innermost[l];
    for (trod_edge e = 0; e < graph->nedge; e++) {
        uint32_t loop = s->loops->loop_of_node[graph->src_of_edge[e]];
        struct candidate *candidate;

        if (loop == TROD_NONE || !s->candidate_of_loop[loop].fit)
            continue;
        candidate = &s->candidate_of_loop[loop];
        if (loop_of_edge(s->loops, graph, e) != loop) {
            see_leaving(s, candidate, e);
            continue;
        }
        see_inside(s, candidate, e);
        if (is_cut(s->dag, e))
            see_cut(s, candidate, loop, e);
    }
}

static bool pays(const struct candidate *candidate)
{
    return candidate->fit && candidate->counted && candidate->left &&
           candidate->saved > 0;
}

/* Results are allocated first, so that temporary data can be freed. */
void trod_trips_find(struct trod_trips *out, const struct trod_dag_ops *ops,
    const struct trod_dag *dag, const struct trod_loops *loops,
    const struct trod_prices *prices, struct trod_arena *mem)
{
    trod_node *header = trod_new(mem, trod_node, loops->nloop);
    int64_t *value = trod_new(mem, int64_t, loops->nloop);
    int64_t *again = trod_new(mem, int64_t, loops->nloop);
    uint32_t *trip_of_node = trod_new(mem, uint32_t, dag->graph->nnode);
    struct trod_mark mark = trod_arena_mark(mem);
    struct search s = {.ops = ops, .dag = dag, .loops = loops, .prices = prices};
    uint32_t n = 0;

    s.candidate_of_loop = trod_new(mem, struct candidate, loops->nloop);
    see_edges(&s, mem);
    for (uint32_t l = 0; l < loops->nloop; l++) {
        struct candidate *candidate = &s.candidate_of_loop[l];

        candidate->trip = pays(candidate) ? n : TROD_NONE;
        if (pays(candidate)) {
            header[n] = loops->header_of_loop[l];
            value[n] = candidate->value;
            again[n++] = candidate->again;
        }
    }
    for (trod_node v = 0; v < dag->graph->nnode; v++) {
        uint32_t loop = loops->loop_of_node[v];

        trip_of_node[v] =
            loop == TROD_NONE ? TROD_NONE : s.candidate_of_loop[loop].trip;
    }
    trod_arena_rewind(mem, mark);
    *out = (struct trod_trips){
        .ntrip = n,
        .header_of_trip = header,
        .value_of_trip = value,
        .again_of_trip = again,
        .trip_of_node = trip_of_node,
    };
}
