#include "flow/flow.h"

#include <inttypes.h>
#include <string.h>

/* The counts into and out of a block. */
struct sums {
    uint64_t in, out;
    bool starts, ends;          /* paths may start here; the function may end here */
    bool unsure_in, unsure_out; /* an unfinished path may have come or gone this way */
};

static bool is_unsure(const uint64_t *set, uint32_t i)
{
    return set && trod_has(set, i);
}

static bool sum(struct sums *out, const struct trod_flow *flow, trod_node v)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;
    const struct trod_graph *g = dag->graph;

    *out = (struct sums){.in = v == g->entry ? flow->entered : 0,
        .starts = dag->start_of_node[v] != TROD_NONE,
        .ends = g->first_out[v] == g->first_out[v + 1]};
    out->unsure_in = out->unsure_out = is_unsure(flow->unsure_nodes, v);
    for (uint32_t k = g->first_in[v]; k < g->first_in[v + 1]; k++) {
        out->in = trod_sat_add(out->in, flow->count_of_edge[g->in_edge[k]]);
        out->unsure_in |= is_unsure(flow->unsure_edges, g->in_edge[k]);
    }
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        out->out = trod_sat_add(out->out, flow->count_of_edge[e]);
        out->unsure_out |= is_unsure(flow->unsure_edges, e);
    }
    if (flow->stopped_of_node)
        out->out = trod_sat_add(out->out, flow->stopped_of_node[v]);
    return out->in < UINT64_MAX && out->out < UINT64_MAX &&
           flow->count_of_node[v] < UINT64_MAX;
}

static bool check_paths(const struct trod_flow *flow, struct trod_err *err)
{
    for (size_t i = 0; i < flow->npath; i++)
        if (!flow->path[i].count || (i && flow->path[i - 1].id >= flow->path[i].id))
            return trod_fail(err, TROD_E_INTERNAL,
                "flow of '%s': path %" PRIu64 " did not run, or is not in order",
                flow->entry->name, flow->path[i].id);
    return true;
}

static bool check_node(const struct trod_flow *flow, trod_node v, const struct sums *s,
    struct trod_err *err)
{
    uint64_t count = flow->count_of_node[v];

    if (!s->ends && !s->unsure_out && s->out != count)
        return trod_fail(err, TROD_E_INTERNAL,
            "flow of '%s': block %u ran %" PRIu64 " times and was left %" PRIu64,
            flow->entry->name, v, count, s->out);
    if (!s->starts && !s->unsure_in && s->in != count)
        return trod_fail(err, TROD_E_INTERNAL,
            "flow of '%s': block %u was come to %" PRIu64 " times and ran %" PRIu64,
            flow->entry->name, v, s->in, count);
    return true;
}

bool trod_flow_check(const struct trod_flow *flow, struct trod_err *err)
{
    struct sums s;

    if (!flow->entry || !flow->count_of_node)
        return true;
    if (!check_paths(flow, err))
        return false;
    if (flow->loose)
        return true;
    for (trod_node v = 0; v < flow->entry->numbering.dag->graph->nnode; v++)
        if (sum(&s, flow, v) && !check_node(flow, v, &s, err))
            return false;
    return true;
}

/* --- files --------------------------------------------------------------------------------------------------- */

static bool check_decision(const struct trod_flow_source *source, uint32_t i)
{
    const struct trod_flow_decision *d = &source->decision[i], *last = d - 1;
    const struct trod_flow *flow = d->flow;
    uint64_t count = 0;
    bool unsure = false;

    if ((d->function >= source->nfunction && d->function != TROD_NONE) || d->nway < 2)
        return false;
    for (uint32_t k = 0; k < d->nway; k++) {
        count = trod_sat_add(count, d->way[k].count);
        unsure |= is_unsure(flow->unsure_edges, d->way[k].edge);
    }
    if (flow->stopped_of_node)
        count = trod_sat_add(count, flow->stopped_of_node[d->node]);
    if (!flow->loose && !unsure && !is_unsure(flow->unsure_nodes, d->node) &&
        count != d->count && count < UINT64_MAX && d->count < UINT64_MAX)
        return false;
    if (!i || last->line != d->line)
        return !i || last->line < d->line;
    if (last->function != d->function)
        return last->function < d->function;
    return last->flow == d->flow ? last->node < d->node : last->flow < d->flow;
}

bool trod_flow_source_check(const struct trod_flow_source *source, struct trod_err *err)
{
    for (uint32_t i = 1; i < source->nfunction; i++)
        if (source->function[i - 1].line > source->function[i].line)
            return trod_fail(err, TROD_E_INTERNAL,
                "flow of file '%s': functions are not in order", source->name);
    for (uint32_t i = 0; i < source->nrow; i++)
        if (!source->row[i].line ||
            (i && source->row[i - 1].line >= source->row[i].line))
            return trod_fail(err, TROD_E_INTERNAL,
                "flow of file '%s': line %u is not in order", source->name,
                source->row[i].line);
    for (uint32_t i = 0; i < source->ndecision; i++)
        if (!check_decision(source, i))
            return trod_fail(err, TROD_E_INTERNAL,
                "flow of file '%s': decision %u, on line %u, does not add up or is not in order",
                source->name, i, source->decision[i].line);
    return true;
}
