#include "score/score.h"

#include <inttypes.h>
#include <string.h>

static const struct type {
    const char *name;
    enum of { OF_BLOCKS, OF_EDGES, OF_LOOPS, OF_CALLS, OF_CALLGRAPH, OF_PATHS } of;
} types[] = {
    {"blocks", OF_BLOCKS},
    {"edges", OF_EDGES},
    {"loops", OF_LOOPS},
    {"calls", OF_CALLS},
    {"callgraph", OF_CALLGRAPH},
    {"paths", OF_PATHS},
};

static const struct type *find_type(const char *name)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strcmp(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

bool trod_score_has_walk(const char *type)
{
    return find_type(type) != NULL;
}

/* --- one function ------------------------------------------------------------------------------- */

struct walk {
    struct trod_arena *mem;
    struct trod_scored_entries *out;
    const struct trod_map *map;
    const struct trod_map_entry *entry; /* the function */
    enum of of;
    bool all, across;         /* across: some paths continue into calls */
    uint64_t *nblock, *nedge; /* executions */
    uint64_t nentered;
    uint64_t nunknown;        /* functions that ran and have no map entry */
    uint64_t ncallee_unknown; /* functions without known callees */
};

static void put(
    struct walk *w, uint32_t part, const char *other, uint64_t id, uint64_t count)
{
    struct trod_scored_entries *out = w->out;

    if (!count && !w->all)
        return;
    trod_push(w->mem, out->entry, out->nentry, out->room,
        (struct trod_scored){.function = w->entry->name,
            .file = w->entry->file,
            .part = part,
            .other = other,
            .id = id,
            .count = count});
}

static void bump(uint64_t *count, uint64_t by)
{
    *count = trod_sat_add(*count, by);
}

/* Count the blocks and edges of a path. A path that ends at a cut edge includes that edge, and the next path starts
 * after it, so each execution of a block or edge is counted once.
 */
static void walk_path(struct walk *w, trod_path id, uint64_t count)
{
    const struct trod_dag *dag = w->entry->numbering.dag;
    uint32_t n = trod_number_decode(w->map->step, &w->entry->numbering, id);

    for (uint32_t i = 0; i < n; i++) {
        trod_edge e = w->map->step[i];
        trod_node to = dag->shape.dst_of_edge[e];

        if (dag->kind_of_edge[e] == TROD_DAG_ENTER)
            bump(&w->nentered, count);
        if (dag->origin_of_edge[e] != TROD_NONE)
            bump(&w->nedge[dag->origin_of_edge[e]], count);
        if (to != dag->exit)
            bump(&w->nblock[to], count);
    }
}

static void put_loops(struct walk *w)
{
    const struct trod_graph *graph = w->entry->numbering.dag->graph;
    struct trod_order order;
    struct trod_loops loops;

    trod_graph_order(&order, graph, w->mem);
    trod_graph_loops(&loops, graph, &order, w->mem);
    for (uint32_t i = 0; i < loops.nloop; i++)
        put(w, i, NULL, 0, w->nblock[loops.header_of_loop[i]]);
}

static void put_calls(struct walk *w)
{
    const struct trod_map_entry *entry = w->entry;

    if (!entry->first_callee) {
        w->ncallee_unknown++;
        return;
    }
    for (trod_node v = 0; v < entry->numbering.dag->graph->nnode; v++)
        for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++)
            if (entry->callee[i])
                put(w, TROD_NONE, entry->callee[i], 0, w->nblock[v]);
            else if (w->nblock[v])
                w->out->nindirect++;
}

static void put_function(struct walk *w)
{
    const struct trod_graph *graph = w->entry->numbering.dag->graph;

    if (w->of == OF_BLOCKS)
        for (trod_node v = 0; v < graph->nnode; v++)
            put(w, v, NULL, 0, w->nblock[v]);
    else if (w->of == OF_EDGES)
        for (trod_edge e = 0; e < graph->nedge; e++)
            put(w, e, NULL, 0, w->nedge[e]);
    else if (w->of == OF_LOOPS)
        put_loops(w);
    else if (w->of == OF_CALLS)
        put(w, TROD_NONE, NULL, 0, w->nentered);
    else if (w->of == OF_CALLGRAPH)
        put_calls(w);
}

static void walk_tally(struct walk *w, const struct trod_profile *profile,
    const struct trod_profile_tally *tally)
{
    size_t npath = trod_profile_npath(profile, tally);

    for (size_t i = 0; i < npath; i++) {
        const struct trod_profile_path *path = &tally->path[i];
        trod_path last;

        if (!trod_chain_last(&last, &w->entry->chain, path->id))
            continue;
        if (w->of == OF_PATHS)
            put(w, TROD_NONE, NULL, last, path->count);
        else
            walk_path(w, last, path->count);
    }
}

/* --- all functions -------------------------------------------------------------------------------- */

static bool check(const struct trod_profile *profile, struct trod_err *err)
{
    if (profile->nsteps || trod_profile_has_samples(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "the full profile does not count paths; compile the program with 'trod cc' "
            "and run it again");
    if (!trod_profile_is_exact(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "counts of the full profile are estimates: it was sampled in bursts; compile "
            "the program without --burst, or with trigger=always");
    if (!trod_profile_is_whole(profile))
        return trod_fail(err, TROD_E_MISMATCH,
            "the full profile counts only some paths; compile the whole program "
            "without "
            "--only, --paths and --tested, and run it again");
    return true;
}

static void open_function(struct walk *w, const struct trod_profile_function *function)
{
    w->entry =
        trod_profile_is_events(function) ? NULL : trod_map_find(w->map, function);
    w->nentered = 0;
    if (!w->entry)
        return;
    w->across = w->across || w->entry->nframe;
    w->nblock = trod_new(w->mem, uint64_t, w->entry->numbering.dag->shape.nnode);
    w->nedge = trod_new(w->mem, uint64_t, w->entry->numbering.dag->graph->nedge);
}

/* Functions and tallies are in the same order. */
static void walk_module(
    struct walk *w, const struct trod_profile *profile, uint32_t m, size_t *tally)
{
    const struct trod_profile_module *module = &profile->module[m];

    for (uint32_t f = 0; f < module->nfunction; f++) {
        bool ran = false;

        open_function(w, &module->function[f]);
        for (; *tally < profile->ntally && profile->tally[*tally].module == m &&
               profile->tally[*tally].function == f;
            ++*tally) {
            ran = true;
            if (w->entry)
                walk_tally(w, profile, &profile->tally[*tally]);
        }
        if (w->entry)
            put_function(w);
        else if (ran && !trod_profile_is_events(&module->function[f]))
            w->nunknown++;
    }
}

bool trod_score_walk(struct trod_scored_entries *out, const char *type,
    const struct trod_profile *profile, const struct trod_map *map, bool all,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct type *known = find_type(type);
    struct walk w = {.mem = mem, .out = out, .map = map, .all = all};
    size_t tally = 0;

    *out = (struct trod_scored_entries){.type = type};
    if (!known)
        return trod_fail(err, TROD_E_MISMATCH,
            "profiles of paths have no entries of type '%s': they have blocks, edges, "
            "loops, calls, callgraph and paths",
            type);
    w.of = known->of;
    if (!check(profile, err))
        return false;
    for (uint32_t m = 0; m < profile->nmodule; m++)
        walk_module(&w, profile, m, &tally);
    if (w.across)
        return trod_fail(err, TROD_E_MISMATCH,
            "paths of the full profile follow calls; compile the program without "
            "--segments");
    if (w.nunknown)
        return trod_fail(err, TROD_E_MISMATCH,
            "no map knows %" PRIu64
            " of the functions that ran; name the program that ran with "
            "--binary",
            w.nunknown);
    if (w.of == OF_CALLGRAPH && w.ncallee_unknown)
        return trod_fail(err, TROD_E_MISMATCH,
            "the map has no call targets; compile the program with this version "
            "of trod, or count calls with 'trod cc --burst=types=calls,trigger=always'");
    trod_scored_order(out);
    return true;
}

bool trod_score_pairs(struct trod_scored_entries *out, const struct trod_bursts *bursts,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_bursts_call *pair;
    size_t npair;

    *out = (struct trod_scored_entries){.type = "callgraph"};
    if (!trod_bursts_has(bursts, TROD_BURST_CALLS))
        return trod_fail(err, TROD_E_MISMATCH,
            "'%s' did not count calls; compile it with 'trod cc "
            "--burst=types=calls,trigger=always'",
            bursts->name);
    if (!trod_bursts_is_exact(bursts))
        return trod_fail(err, TROD_E_MISMATCH,
            "calls of '%s' are estimates; compile it with 'trod cc "
            "--burst=types=calls,trigger=always'",
            bursts->name);
    trod_bursts_pairs(&pair, &npair, bursts, mem);
    out->entry = trod_new(mem, struct trod_scored, npair);
    out->room = out->nentry = npair;
    for (size_t i = 0; i < npair; i++)
        out->entry[i] = (struct trod_scored){.function = pair[i].function,
            .file = strcmp(pair[i].file, "?") == 0 ? NULL : pair[i].file,
            .part = TROD_NONE,
            .other = pair[i].callee,
            .count = pair[i].count};
    trod_scored_order(out);
    return true;
}
