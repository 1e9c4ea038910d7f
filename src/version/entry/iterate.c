#include "entry/entry.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "burst/burst.h"

/* --- entries of flows ------------------------------------------------------------------------------------- */

struct collector {
    struct trod_entries *out;
    struct trod_arena *mem;
    const struct trod_flow *flow;
    bool all;
    uint64_t nmissing;
};

static void put(struct collector *t, uint32_t part, const char *other, uint64_t id,
    trod_node node, uint64_t count)
{
    struct trod_entry e = {.function = t->flow->entry->name,
        .file = trod_flow_file(t->flow->entry),
        .part = part,
        .other = other,
        .id = id,
        .line = trod_flow_line(t->flow->entry, node),
        .count = count};

    if (count || t->all)
        trod_entries_add(t->out, &e, t->mem);
}

static uint64_t node_count(const struct trod_flow *flow, trod_node v)
{
    return flow->count_of_node ? flow->count_of_node[v] : 0;
}

static void put_loops(struct collector *t)
{
    const struct trod_graph *graph = t->flow->entry->numbering.dag->graph;
    struct trod_order order;
    struct trod_loops loops;

    trod_graph_order(&order, graph, t->mem);
    trod_graph_loops(&loops, graph, &order, t->mem);
    for (uint32_t i = 0; i < loops.nloop; i++)
        put(t, i, NULL, 0, loops.header_of_loop[i],
            node_count(t->flow, loops.header_of_loop[i]));
}

static void put_calls(struct collector *t)
{
    put(t, TROD_NONE, NULL, 0, t->flow->entry->numbering.dag->graph->entry,
        t->flow->entered);
}

static void put_callees(struct collector *t)
{
    const struct trod_map_entry *entry = t->flow->entry;
    const struct trod_graph *graph = entry->numbering.dag->graph;

    for (trod_node v = 0; entry->first_callee && v < graph->nnode; v++) {
        for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++) {
            if (entry->callee[i])
                put(t, TROD_NONE, entry->callee[i], 0, v, node_count(t->flow, v));
            else
                t->nmissing = trod_sat_add(t->nmissing, node_count(t->flow, v));
        }
    }
}

static void put_blocks(struct collector *t)
{
    uint32_t nnode = t->flow->entry->numbering.dag->graph->nnode;

    for (trod_node v = 0; v < nnode; v++)
        put(t, v, NULL, 0, v, node_count(t->flow, v));
}

static void put_edges(struct collector *t)
{
    const struct trod_graph *graph = t->flow->entry->numbering.dag->graph;

    for (trod_edge e = 0; e < graph->nedge; e++)
        put(t, e, NULL, 0, graph->src_of_edge[e],
            t->flow->count_of_edge ? t->flow->count_of_edge[e] : 0);
}

static void put_paths(struct collector *t)
{
    const struct trod_dag *dag = t->flow->entry->numbering.dag;
    struct trod_mark mark;
    trod_edge *step;

    for (size_t i = 0; i < t->flow->npath; i++) {
        trod_node first;

        mark = trod_arena_mark(t->mem);
        step = trod_new(t->mem, trod_edge, dag->nreach);
        trod_number_decode(step, &t->flow->entry->numbering, t->flow->path[i].id);
        first = dag->shape.dst_of_edge[step[0]];
        trod_arena_rewind(t->mem, mark);
        put(t, TROD_NONE, NULL, t->flow->path[i].id, first, t->flow->path[i].count);
    }
}

static const struct way {
    const char *type;
    void (*put)(struct collector *t);
} ways[] = {
    {"loops", put_loops},
    {"calls", put_calls},
    {"callgraph", put_callees},
    {"blocks", put_blocks},
    {"edges", put_edges},
    {"paths", put_paths},
};

static const struct way *way_of(const char *type)
{
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].type, type) == 0)
            return &ways[i];
    return NULL;
}

void trod_flow_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flow *flow, bool all, struct trod_arena *mem)
{
    struct collector t = {.out = out, .mem = mem, .flow = flow, .all = all};
    const struct way *way = way_of(type);

    assert(way);
    if (flow->entry && flow->entry->numbering.dag)
        way->put(&t);
    if (nmissing)
        *nmissing = trod_sat_add(*nmissing, t.nmissing);
}

/* Without `nodes`, the callees of call sites are unknown. */
static bool knows_callees(const struct trod_map *map)
{
    for (uint32_t i = 0; i < map->nentry; i++)
        if (map->entry[i].first_callee)
            return true;
    return false;
}

bool trod_flows_entries(struct trod_entries *out, uint64_t *nmissing, const char *type,
    const struct trod_flows *flows, bool all, struct trod_arena *mem,
    struct trod_err *err)
{
    const struct way *way = way_of(type);

    *out = (struct trod_entries){.type = type};
    if (nmissing)
        *nmissing = 0;
    if (!way)
        return trod_fail(err, TROD_E_MISMATCH,
            "entries of type '%s' are not in profiles of paths; those of loops, calls, "
            "callgraph, blocks, edges and paths are",
            type);
    if (strcmp(type, "callgraph") == 0 && !knows_callees(flows->map))
        return trod_fail(err, TROD_E_MISMATCH,
            "the map has no call targets; build again with 'trod cc', or profile calls with "
            "'trod cc --burst=types=calls,trigger=always'");
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        trod_flow_entries(out, nmissing, type, &flows->of_entry[i], all, mem);
    trod_entries_order(out);
    return true;
}

bool trod_migrate_entries(struct trod_entries *out, const char *type,
    const struct trod_profile *profile, const struct trod_map *map, bool all,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_flows flows;
    struct trod_bursts burst;

    if (strcmp(type, "callgraph") == 0 && trod_profile_has_bursts(profile)) {
        if (!trod_bursts_build(&burst, profile, map, NULL, mem, err) ||
            !trod_migrate_pairs(out, &burst, mem, err))
            return false;
        flows.ran = out->nentry;
    } else if (!trod_flows_build(&flows, profile, map, mem, err) ||
               !trod_flows_entries(out, NULL, type, &flows, all, mem, err)) {
        return false;
    }
    if (!flows.ran)
        return trod_fail(err, TROD_E_MISMATCH,
            "no function of the map ran in this profile, so there is nothing to migrate; was the "
            "program run, and could it write?");
    return true;
}

bool trod_migrate_pairs(struct trod_entries *out, const struct trod_bursts *burst,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_bursts_call *pair;
    size_t npair;

    *out = (struct trod_entries){.type = "callgraph"};
    if (!trod_bursts_has(burst, TROD_BURST_CALLS) || !trod_bursts_is_exact(burst))
        return trod_fail(err, TROD_E_MISMATCH,
            "not all calls of '%s' were counted; compile it with 'trod cc "
            "--burst=types=calls,trigger=always'",
            burst->name);
    trod_bursts_pairs(&pair, &npair, burst, mem);
    for (size_t i = 0; i < npair; i++) {
        struct trod_entry e = {.function = pair[i].function,
            .file = pair[i].file,
            .part = TROD_NONE,
            .other = pair[i].callee,
            .count = pair[i].count};

        trod_entries_add(out, &e, mem);
    }
    trod_entries_order(out);
    return true;
}
