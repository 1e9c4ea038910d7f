#include "flow/flow.h"

#include <stdlib.h>

const char *trod_flow_file(const struct trod_map_entry *entry)
{
    return entry->file ? entry->file : entry->unit;
}

uint32_t trod_flow_line(const struct trod_map_entry *entry, trod_node node)
{
    if (!entry->first_line)
        return 0;
    for (uint32_t i = entry->first_line[node]; i < entry->first_line[node + 1]; i++)
        if (entry->line[i])
            return entry->line[i];
    return 0;
}

/* --- one function ------------------------------------------------------------------------------------------ */

static void add_path(struct trod_flow *flow, const bool *exposed, trod_edge *step,
    trod_path id, uint64_t count)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;
    uint32_t n = trod_number_decode(step, &flow->entry->numbering, id);

    for (uint32_t i = 0; i < n; i++) {
        trod_edge e = step[i], origin = dag->origin_of_edge[e];
        trod_node v = dag->shape.dst_of_edge[e];

        if (dag->kind_of_edge[e] == TROD_DAG_ENTER)
            flow->entered = trod_sat_add(flow->entered, count);
        if (origin != TROD_NONE)
            flow->count_of_edge[origin] =
                trod_sat_add(flow->count_of_edge[origin], count);
        if (v != dag->exit)
            flow->count_of_node[v] = trod_sat_add(flow->count_of_node[v], count);
    }
    if (trod_dag_ends(dag, exposed, step[n - 1]))
        flow->ended = trod_sat_add(flow->ended, count);
}

static int by_id(const void *x, const void *y)
{
    const struct trod_profile_path *a = x, *b = y;

    return (a->id > b->id) - (a->id < b->id);
}

/* Combine equal paths: several chains may end with the same path, and several tallies may have it. */
static void sum_paths(struct trod_flow *flow)
{
    size_t n = 0;

    if (flow->npath)
        qsort(flow->path, flow->npath, sizeof *flow->path, by_id);
    for (size_t i = 0; i < flow->npath; i++) {
        if (n && flow->path[n - 1].id == flow->path[i].id)
            flow->path[n - 1].count =
                trod_sat_add(flow->path[n - 1].count, flow->path[i].count);
        else
            flow->path[n++] = flow->path[i];
    }
    flow->npath = n;
}

/* Entries after the paths: one with the number of activations begun, then the places where paths stopped. */
static void take_rest(struct trod_flow *flow, const struct trod_profile *profile,
    const struct trod_profile_tally *tally, size_t npath, struct trod_arena *mem)
{
    uint64_t last = profile->module[tally->module].function[tally->function].npath;
    size_t n = flow->nstop;
    struct trod_flow_stop *stop =
        trod_new(mem, struct trod_flow_stop, n + tally->npath - npath);

    for (size_t i = 0; i < n; i++)
        stop[i] = flow->stop[i];
    for (size_t i = npath; i < tally->npath; i++) {
        const struct trod_profile_path *path = &tally->path[i];

        if (path->id == last)
            flow->begun = trod_sat_add(flow->begun, path->count);
        else
            stop[n++] = (struct trod_flow_stop){path->id - last - 1, path->count};
    }
    flow->stop = stop;
    flow->nstop = n;
}

/* Append the paths of a tally to those of its function. */
static void take_tally(struct trod_flow *flow, const struct trod_profile *profile,
    const struct trod_profile_tally *tally, struct trod_arena *mem)
{
    size_t npath = trod_profile_npath(profile, tally), n = flow->npath;
    struct trod_profile_path *path = trod_new(mem, struct trod_profile_path, n + npath);

    for (size_t i = 0; i < n; i++)
        path[i] = flow->path[i];
    for (size_t i = 0; i < npath; i++) {
        trod_path last;

        if (trod_chain_last(&last, &flow->entry->chain, tally->path[i].id))
            path[n++] = (struct trod_profile_path){last, tally->path[i].count};
    }
    flow->path = path;
    flow->npath = n;
    take_rest(flow, profile, tally, npath, mem);
}

static void fill_counts(
    struct trod_flow *flow, const struct trod_map *map, struct trod_arena *mem)
{
    const struct trod_graph *graph = flow->entry->numbering.dag->graph;
    struct trod_mark mark;
    bool *exposed;

    sum_paths(flow);
    flow->count_of_node = trod_new(mem, uint64_t, graph->nnode);
    flow->count_of_edge = trod_new(mem, uint64_t, graph->nedge);
    mark = trod_arena_mark(mem);
    exposed = trod_new(mem, bool, graph->nnode);
    trod_graph_exposed(exposed, graph, mem);
    for (size_t i = 0; i < flow->npath; i++)
        add_path(flow, exposed, map->step, flow->path[i].id, flow->path[i].count);
    trod_arena_rewind(mem, mark);
}

/* --- all functions --------------------------------------------------------------------------------------- */

static bool check_profile(const struct trod_profile *profile, struct trod_err *err)
{
    if (!trod_profile_check_counts(profile, err))
        return false;
    if (!trod_profile_is_exact(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "counts of this profile are estimates, which cannot be distinguished from exact counts; profile "
            "with 'trod cc', or with trigger=always");
    return true;
}

static bool check_counted(const struct trod_profile_function *f,
    const struct trod_map_entry *entry, struct trod_err *err)
{
    return f->counted == TROD_COUNTED_ALL || f->counted == TROD_COUNTED_RESIDUAL ||
           trod_fail(err, TROD_E_MISMATCH,
               "only some paths of function '%s' were counted; build without --paths "
               "and --tested to count all paths",
               entry->name);
}

/* If `err` is NULL, functions that fail are skipped. */
static bool note_functions(struct trod_flows *out,
    const struct trod_profile_module *module, struct trod_err *err)
{
    for (uint32_t i = 0; i < module->nfunction; i++) {
        const struct trod_profile_function *f = &module->function[i];
        const struct trod_map_entry *entry;

        if (trod_profile_is_events(f))
            continue;
        entry = trod_map_find(out->map, f);
        out->nunknown += !entry;
        if (!entry || (err && entry->nframe) || !entry->numbering.dag)
            continue;
        if (err && !check_counted(f, entry, err))
            return false;
        out->of_entry[entry - out->map->entry].entry = entry;
        out->of_entry[entry - out->map->entry].partial |=
            f->counted != TROD_COUNTED_ALL && f->counted != TROD_COUNTED_RESIDUAL;
    }
    return true;
}

static bool build(struct trod_flows *out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem, struct trod_err *err)
{
    *out = (struct trod_flows){.map = map,
        .exact = trod_profile_is_exact(profile),
        .of_entry = trod_new(mem, struct trod_flow, map->nentry)};
    for (uint32_t i = 0; i < profile->nmodule; i++)
        if (!note_functions(out, &profile->module[i], err))
            return false;
    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];
        const struct trod_profile_function *f =
            &profile->module[t->module].function[t->function];
        const struct trod_map_entry *entry =
            trod_profile_is_events(f) ? NULL : trod_map_find(map, f);

        if (entry && out->of_entry[entry - map->entry].entry)
            take_tally(&out->of_entry[entry - map->entry], profile, t, mem);
    }
    for (uint32_t i = 0; i < map->nentry; i++) {
        struct trod_flow *flow = &out->of_entry[i];

        if (flow->entry && trod_flow_ran(flow)) {
            fill_counts(flow, map, mem);
            out->ran = true;
        }
    }
    return true;
}

bool trod_flows_build(struct trod_flows *out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem, struct trod_err *err)
{
    return check_profile(profile, err) && build(out, profile, map, mem, err);
}

void trod_flows_build_any(struct trod_flows *out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem)
{
    bool ok = build(out, profile, map, mem, NULL);

    assert(ok);
    (void)ok;
}
