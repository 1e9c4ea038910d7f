#include "flow/unfinished.h"

#include <string.h>

/* Functions all of whose calls returned, or that were never called. A path that stopped in a block stopped in one of
 * the block's calls, but not in a call of such a function. Functions without counts may do anything.
 */
struct return_facts {
    const struct trod_flows *flows;
    struct trod_names names;
    bool *returns; /* [map->nentry] */
    bool *
        returns_of_name; /* [names.count] true if it holds for all functions of the name */
};

/* --- one function ------------------------------------------------------------------------------------------------ */

/* Did an exception propagate through it? Then the activation ended, but did not return. */
static bool was_thrown_through(const struct trod_flow *flow)
{
    const struct trod_map_entry *entry = flow->entry;
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (uint32_t i = 0; i < entry->ndecision; i++) {
        const struct trod_map_decision *d = &entry->decision[i];

        for (trod_edge e = g->first_out[d->node]; e < g->first_out[d->node + 1]; e++)
            if (flow->count_of_edge[e] &&
                strcmp(d->way[e - g->first_out[d->node]], "throws") == 0)
                return true;
    }
    return false;
}

static bool may_leave(const struct trod_graph *g)
{
    for (trod_node v = 0; v < g->nnode; v++)
        if (trod_graph_leave(g, v) != TROD_STAYS)
            return true;
    return false;
}

bool trod_flow_all_finished(const struct trod_flow *flow)
{
    struct trod_flow_lost lost;

    if (!flow->entry || flow->entry->nframe || flow->partial ||
        !flow->entry->numbering.dag || !flow->entry->first_line)
        return false;
    if (!flow->count_of_node)
        return true;
    lost = trod_flow_lost(flow);
    return flow->begun == flow->ended && !lost.lost && !lost.before && !flow->nstop &&
           (flow->entry->begun || !may_leave(flow->entry->numbering.dag->graph)) &&
           !was_thrown_through(flow);
}

/* --- its callees -------------------------------------------------------------------------------------------------- */

static bool callee_returns(const struct return_facts *r, const char *callee)
{
    uint32_t name = callee ? trod_names_find(&r->names, callee) : TROD_NONE;

    return name != TROD_NONE && r->returns_of_name[name];
}

/* A path is counted before a final call, which is a tail call or never returns. Does that call always return? A block
 * that may leave has one more call, before the final one.
 */
static bool ends_well(const struct return_facts *r, const struct trod_flow *flow)
{
    const struct trod_map_entry *entry = flow->entry;
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (trod_node v = 0; flow->count_of_node && v < g->nnode; v++) {
        uint32_t n = entry->first_callee
                         ? entry->first_callee[v + 1] - entry->first_callee[v]
                         : 0;

        if (g->first_out[v] != g->first_out[v + 1] || !flow->count_of_node[v])
            continue;
        if (!entry->first_callee)
            return false;
        if (n > (trod_graph_leave(g, v) != TROD_STAYS) &&
            !callee_returns(r, entry->callee[entry->first_callee[v + 1] - 1]))
            return false;
    }
    return true;
}

/* --- all functions ------------------------------------------------------------------------------------------------ */

static void and_name(struct return_facts *r, const char *name, bool returns)
{
    uint32_t i = trod_names_find(&r->names, name);

    r->returns_of_name[i] &= returns;
}

static void fill_names(struct return_facts *r)
{
    memset(r->returns_of_name, 1, r->names.count * sizeof *r->returns_of_name);
    for (uint32_t i = 0; i < r->flows->map->nentry; i++) {
        const struct trod_map_entry *entry = &r->flows->map->entry[i];

        and_name(r, entry->name, r->returns[i]);
        for (uint32_t k = 0; k < entry->nalias; k++)
            and_name(r, entry->alias[k], r->returns[i]);
    }
}

/* Fixed point: assume that every function that finished returns, then remove those that end with a call of one that
 * does not.
 */
static void settle(struct return_facts *r)
{
    bool changed = true;

    while (changed) {
        changed = false;
        fill_names(r);
        for (uint32_t i = 0; i < r->flows->map->nentry; i++)
            if (r->returns[i] && !ends_well(r, &r->flows->of_entry[i])) {
                r->returns[i] = false;
                changed = true;
            }
    }
}

struct return_facts *trod_returning_build(
    const struct trod_flows *flows, struct trod_arena *mem)
{
    struct return_facts *r = trod_new(mem, struct return_facts, 1);

    r->flows = flows;
    r->returns = trod_new(mem, bool, flows->map->nentry);
    trod_names_init(&r->names, mem);
    for (uint32_t i = 0; i < flows->map->nentry; i++) {
        const struct trod_map_entry *entry = &flows->map->entry[i];

        r->returns[i] = trod_flow_all_finished(&flows->of_entry[i]);
        trod_names_add(&r->names, entry->name);
        for (uint32_t k = 0; k < entry->nalias; k++)
            trod_names_add(&r->names, entry->alias[k]);
    }
    r->returns_of_name = trod_new(mem, bool, r->names.count);
    settle(r);
    return r;
}

bool trod_returning_stops(
    const struct return_facts *r, const struct trod_map_entry *entry, trod_node v)
{
    if (!r || !entry->first_callee ||
        entry->first_callee[v] == entry->first_callee[v + 1])
        return true;
    for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++)
        if (!callee_returns(r, entry->callee[i]))
            return true;
    return false;
}
