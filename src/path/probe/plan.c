#include "probe/probe.h"

#include <string.h>

const char *trod_probe_placement_name(enum trod_placement placement)
{
    static const char *const name[] = {
        [TROD_PLACE_FRONTIER] = "frontier",
        [TROD_PLACE_TREE] = "tree",
        [TROD_PLACE_PLAIN] = "plain",
    };

    return name[placement];
}

/* A plan before its operations are sorted by site. */
struct draft {
    const struct trod_dag *dag;
    enum trod_placement placement;
    struct trod_dag_ops ops;
    struct trod_trips trips;
    const bool *exposed; /* [graph->nnode], or NULL: none */
};

enum { MOST_OPS = 4 }; /* at one site: FLUSH, the END's, BEGIN, the START's */

static uint32_t take_op(struct trod_op *out, const struct draft *draft, trod_edge e)
{
    if (e == TROD_NONE || draft->ops.kind_of_edge[e] == TROD_OP_NONE)
        return 0;
    *out = (struct trod_op){
        .kind = draft->ops.kind_of_edge[e], .value = draft->ops.value_of_edge[e]};
    if (draft->ops.action_of_edge)
        out->action = draft->ops.action_of_edge[e];
    return 1;
}

static bool begins(const struct draft *draft, trod_edge e)
{
    return draft->exposed && trod_graph_begins_on(draft->dag->graph, draft->exposed, e);
}

/* In a loop with a trip counter, back edges increment the counter and other edges do nothing. Edges that leave the loop
 * flush it before all other operations.
 */
static uint32_t ops_of_edge(
    struct trod_op out[MOST_OPS], const struct draft *draft, trod_edge e)
{
    const struct trod_dag *dag = draft->dag;
    const struct trod_trips *trips = &draft->trips;
    trod_node v = dag->graph->src_of_edge[e], w = dag->graph->dst_of_edge[e];
    uint32_t trip = trips->ntrip ? trips->trip_of_node[v] : TROD_NONE;
    trod_edge d = dag->dag_of_edge[e];
    uint32_t n = 0;

    if (d == TROD_NONE)
        return 0;
    if (trip != TROD_NONE && trips->trip_of_node[w] == trip) {
        out[0] = (struct trod_op){.kind = TROD_OP_BUMP, .loop = trip};
        return w == trips->header_of_trip[trip];
    }
    if (trip != TROD_NONE)
        out[n++] = (struct trod_op){.kind = TROD_OP_FLUSH,
            .loop = trip,
            .value = trips->value_of_trip[trip],
            .again = trips->again_of_trip[trip]};
    n += take_op(&out[n], draft, d);
    if (begins(draft, e))
        out[n++] = (struct trod_op){.kind = TROD_OP_BEGIN};
    if (dag->kind_of_edge[d] == TROD_DAG_END)
        n += take_op(&out[n], draft, dag->start_of_node[w]);
    return n;
}

static uint32_t ops_of_site(
    struct trod_op out[MOST_OPS], const struct draft *draft, uint32_t site)
{
    const struct trod_graph *graph = draft->dag->graph, *shape = &draft->dag->shape;
    uint32_t n = 0;
    trod_node v;

    if (site < graph->nedge)
        return ops_of_edge(out, draft, site);
    if (site == trod_site_in(graph)) {
        assert(
            draft->dag->kind_of_edge[shape->first_out[shape->entry]] == TROD_DAG_ENTER);
        if (draft->exposed && trod_graph_begins_in(graph, draft->exposed))
            out[n++] = (struct trod_op){.kind = TROD_OP_BEGIN};
        return n + take_op(out + n, draft, shape->first_out[shape->entry]);
    }
    v = site - graph->nedge;
    if (graph->first_out[v] < graph->first_out[v + 1] ||
        shape->first_out[v] == shape->first_out[v + 1])
        return 0;
    return take_op(out, draft, shape->first_out[v]);
}

/* The input of a draft. */
struct recipe {
    const struct trod_numbering *numbering;
    const struct trod_probe_options *options;
    const struct trod_loops *loops; /* NULL: no trip counters */
    struct trod_arena *mem;
    const bool *exposed;
};

/* keep_bodies: FRONTIER should avoid operations in loops with a single path */
static void fill_draft(struct draft *out, const struct recipe *from,
    enum trod_placement placement, bool keep_bodies)
{
    *out = (struct draft){
        .dag = from->numbering->dag, .placement = placement, .exposed = from->exposed};
    switch (placement) {
    case TROD_PLACE_FRONTIER:
        trod_place_frontier(
            &out->ops, from->numbering, keep_bodies ? from->loops : NULL, from->mem);
        break;
    case TROD_PLACE_TREE:
        trod_place_tree(&out->ops, from->numbering, from->mem);
        break;
    case TROD_PLACE_PLAIN:
        trod_place_plain(&out->ops, from->numbering, from->mem);
        break;
    }
    if (from->options->ending)
        trod_ending_actions(&out->ops, from->numbering, from->options->ending,
            from->options->interest, from->mem);
    if (from->loops)
        trod_trips_find(&out->trips, &out->ops, out->dag, from->loops,
            &trod_prices_default, from->mem);
}

static void fold(
    struct trod_plan *out, const struct draft *draft, const struct recipe *from)
{
    struct trod_arena *mem = from->mem;
    uint32_t nsite = trod_site_in(draft->dag->graph) + 1;
    uint32_t *first_op = trod_new(mem, uint32_t, (size_t)nsite + 1);
    struct trod_op some[MOST_OPS], *op;

    for (uint32_t site = 0; site < nsite; site++)
        first_op[site + 1] = first_op[site] + ops_of_site(some, draft, site);
    op = trod_new(mem, struct trod_op, first_op[nsite]);
    for (uint32_t site = 0; site < nsite; site++) {
        uint32_t n = ops_of_site(some, draft, site);

        memcpy(op + first_op[site], some, n * sizeof *op);
    }
    *out = (struct trod_plan){
        .numbering = from->numbering,
        .ending = from->options->ending,
        .placement = draft->placement,
        .nsite = nsite,
        .first_op = first_op,
        .op = op,
        .nloop = draft->trips.ntrip,
        .header_of_loop = draft->trips.header_of_trip,
        .begins = draft->exposed != NULL,
    };
}

static double cost_of(const struct draft *draft, const struct trod_ending *ending)
{
    struct trod_op op[MOST_OPS];
    double cost = 0;

    for (uint32_t site = 0; site <= trod_site_in(draft->dag->graph); site++) {
        double weight = (double)trod_site_weight(draft->dag, site);
        uint32_t n = ops_of_site(op, draft, site);

        for (uint32_t i = 0; i < n; i++)
            cost += weight * trod_probe_price(&trod_prices_default, &op[i], ending);
    }
    return cost;
}

/* The drafts remain in the arena after the plan, since the plan's size is not known before they are made. */
void trod_probe_plan(struct trod_plan *out, const struct trod_numbering *numbering,
    const struct trod_loops *loops, const struct trod_probe_options *options,
    struct trod_arena *mem)
{
    struct recipe recipe = {
        numbering, options, options->no_trips ? NULL : loops, mem, NULL};
    const struct trod_graph *graph = numbering->dag->graph;
    struct draft draft, other;
    bool *exposed;

    if (graph->leave_of_node && !options->no_begin) {
        exposed = trod_new(mem, bool, graph->nnode);
        trod_graph_exposed(exposed, graph, mem);
        recipe.exposed = exposed;
    }

    fill_draft(&draft, &recipe, options->placement, true);
    if (options->placement == TROD_PLACE_FRONTIER && recipe.loops) {
        fill_draft(&other, &recipe, TROD_PLACE_FRONTIER, false);
        if (cost_of(&other, options->ending) < cost_of(&draft, options->ending))
            draft = other;
    }
    fold(out, &draft, &recipe);
}
