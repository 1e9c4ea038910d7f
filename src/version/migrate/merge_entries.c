#include "migrate/callers.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct merger {
    struct trod_merged *out;
    const struct trod_merge_inputs *in;
    struct trod_arena *mem;
    struct trod_entries planned, begun; /* scaled, if callers are known */
    struct trod_entries profiled;       /* empty if in->profiled is NULL */
    struct trod_entries index;          /* functions of the map, if there is one */
    struct trod_entries counted;        /* functions that the profile counted */
};

static void note(struct merger *m, const char *text)
{
    trod_push(m->mem, m->out->note, m->out->nnote, m->out->room_note, text);
}

/* --- which functions were counted ------------------------------------------------------------------------- */

static bool is_counted(const struct merger *m, const char *function, const char *file)
{
    struct trod_entry like = {.function = function, .file = file, .part = TROD_NONE};

    return trod_entries_find(&m->counted, &like);
}

static void count_function(struct merger *m, const char *function, const char *file)
{
    struct trod_entry e = {.function = function, .file = file, .part = TROD_NONE};

    trod_entries_add(&m->counted, &e, m->mem);
}

/* A path profile says which functions it counted. For other types, these are the functions that ran and those that were
 * to be profiled again.
 */
static void list_counted(struct merger *m)
{
    const struct trod_flows *flows = m->in->flows;
    const struct trod_entries *profiled = m->in->profiled ? &m->profiled : NULL,
                              *again = m->in->again;

    m->counted.type = "counted";
    for (uint32_t i = 0; flows && i < flows->map->nentry; i++)
        if (flows->of_entry[i].entry)
            count_function(
                m, flows->map->entry[i].name, trod_flow_file(&flows->map->entry[i]));
    for (uint32_t i = 0; profiled && !flows && i < profiled->nentry; i++)
        count_function(m, profiled->entry[i].function, profiled->entry[i].file);
    for (uint32_t i = 0; profiled && !flows && again && i < again->nentry; i++)
        count_function(m, again->entry[i].function, again->entry[i].file);
    trod_entries_order(&m->counted);
}

/* The plan's file name of a function: other profilers use other names, or none. */
static const char *file_of(const struct merger *m, const struct trod_entry *e)
{
    const struct trod_entries *from[] = {&m->planned, m->in->again};
    const char *best = e->file;
    uint32_t most = 0;

    for (size_t i = 0; i < 2; i++) {
        uint32_t low = TROD_LOWER_BOUND(middle, 0, from[i] ? from[i]->nentry : 0,
            strcmp(from[i]->entry[middle].function, e->function) < 0);

        for (; from[i] && low < from[i]->nentry &&
               strcmp(from[i]->entry[low].function, e->function) == 0;
            low++) {
            uint32_t alike = trod_migrate_alike(e->file, from[i]->entry[low].file) + 1;

            if (trod_migrate_equal(e->file, from[i]->entry[low].file))
                return e->file;
            if (alike > most) {
                most = alike;
                best = from[i]->entry[low].file;
            }
        }
    }
    return best;
}

/* Entries that were profiled, with the plan's file names. */
static void rename_files(struct merger *m)
{
    const struct trod_entries *from = m->in->profiled;

    m->profiled.type = m->planned.type;
    for (uint32_t i = 0; from && i < from->nentry; i++) {
        struct trod_entry e = from->entry[i];

        if (!m->in->flows)
            e.file = file_of(m, &e);
        trod_entries_add(&m->profiled, &e, m->mem);
    }
    trod_entries_order(&m->profiled);
}

static void note_missing(struct merger *m)
{
    const struct trod_entries *again = m->in->again;
    const struct trod_entry *first = NULL;
    uint64_t n = 0;

    for (uint32_t i = 0; m->in->profiled && again && i < again->nentry; i++) {
        if (is_counted(m, again->entry[i].function, again->entry[i].file))
            continue;
        first = first ? first : &again->entry[i];
        n++;
    }
    if (n)
        note(m, trod_migrate_text(m->mem,
                    "%" PRIu64
                    " functions that must be profiled again were not counted, such as "
                    "'%s'; build with --only=PLAN/reprofile",
                    n, first->function));
}

/* --- entries -------------------------------------------------------------------------------------------------- */

static void put(struct merger *m, const struct trod_entry *e)
{
    if (e->count || (e->has_was && e->was))
        trod_entries_add(&m->out->entries, e, m->mem);
}

static void put_profiled(struct merger *m)
{
    const struct trod_entries *profiled = &m->profiled;

    for (uint32_t i = 0; i < profiled->nentry; i++) {
        struct trod_entry e = profiled->entry[i];
        const struct trod_entry *was = trod_entries_find(&m->planned, &e);

        e.how = TROD_HOW_PROFILED;
        e.trust = 1;
        e.has_was = was && was->has_was;
        e.was = e.has_was ? was->was : 0;
        put(m, &e);
    }
}

/* Entries of functions that were not counted are taken from the plan; of counted ones, those that did not run are 0. */
static void put_planned(struct merger *m)
{
    const struct trod_entries *planned = &m->planned;

    for (uint32_t i = 0; i < planned->nentry; i++) {
        struct trod_entry e = planned->entry[i];

        if (is_counted(m, e.function, e.file)) {
            if (trod_entries_find(&m->profiled, &e))
                continue;
            e.count = 0;
            e.how = TROD_HOW_PROFILED;
            e.trust = 1;
        }
        put(m, &e);
    }
}

static void put_begun(struct merger *m)
{
    const struct trod_entries *begun = &m->begun;
    const struct trod_flows *flows = m->in->flows;

    m->out->begun = (struct trod_entries){.type = "begun"};
    for (uint32_t i = 0; i < begun->nentry; i++)
        if (!is_counted(m, begun->entry[i].function, begun->entry[i].file))
            trod_entries_add(&m->out->begun, &begun->entry[i], m->mem);
    for (uint32_t i = 0; flows && i < flows->map->nentry; i++) {
        const struct trod_flow *flow = &flows->of_entry[i];
        struct trod_entry e = {.part = TROD_NONE, .how = TROD_HOW_PROFILED, .trust = 1};

        if (!flow->entry || !flow->begun)
            continue;
        e.function = flow->entry->name;
        e.file = trod_flow_file(flow->entry);
        e.count = flow->begun;
        trod_entries_add(&m->out->begun, &e, m->mem);
    }
    trod_entries_order(&m->out->begun);
}

/* --- consistency -------------------------------------------------------------------------------------------------- */

static bool edges_of(struct trod_flow *flow, const struct trod_entry *e, size_t n)
{
    const struct trod_graph *graph = flow->entry->numbering.dag->graph;
    uint64_t in = 0, out = 0;

    for (size_t i = 0; i < n; i++) {
        if (e[i].part >= graph->nedge)
            return false;
        flow->count_of_edge[e[i].part] = e[i].count;
    }
    for (trod_edge k = 0; k < graph->nedge; k++) {
        if (graph->src_of_edge[k] == graph->entry)
            out = trod_sat_add(out, flow->count_of_edge[k]);
        if (graph->dst_of_edge[k] == graph->entry)
            in = trod_sat_add(in, flow->count_of_edge[k]);
    }
    flow->entered = out > in ? out - in : 0;
    return true;
}

static bool paths_of(struct trod_flow *flow, const struct trod_entry *e, size_t n,
    struct trod_arena *mem)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;
    trod_edge *step = trod_new(mem, trod_edge, dag->nreach);

    for (size_t i = 0; i < n; i++) {
        uint32_t nstep;

        if (e[i].id >= flow->entry->numbering.npath)
            return false;
        nstep = trod_number_decode(step, &flow->entry->numbering, e[i].id);
        for (uint32_t k = 0; k < nstep; k++) {
            trod_edge origin = dag->origin_of_edge[step[k]];

            if (dag->kind_of_edge[step[k]] == TROD_DAG_ENTER)
                flow->entered = trod_sat_add(flow->entered, e[i].count);
            if (origin != TROD_NONE)
                flow->count_of_edge[origin] =
                    trod_sat_add(flow->count_of_edge[origin], e[i].count);
        }
    }
    return true;
}

static void check_function(struct merger *m, const struct trod_map_entry *entry,
    const struct trod_entry *e, size_t n, bool paths)
{
    const struct trod_graph *graph = entry->numbering.dag->graph;
    struct trod_flow flow = {
        .entry = entry, .count_of_edge = trod_new(m->mem, uint64_t, graph->nedge)};
    trod_node fault = TROD_NONE;
    bool whole = paths ? paths_of(&flow, e, n, m->mem) : edges_of(&flow, e, n);

    if (whole)
        fault = trod_repair_fault(graph, flow.count_of_edge, flow.entered, m->mem);
    if (!whole)
        note(m, trod_migrate_text(m->mem,
                    "%s: an entry belongs to no part of its "
                    "graph",
                    entry->name));
    else if (fault != TROD_NONE)
        note(m, trod_migrate_text(m->mem,
                    "%s: counts do not add up at block %" PRIu32 ", line %" PRIu32
                    ": what comes in does not go out",
                    entry->name, fault, trod_flow_line(entry, fault)));
}

static void check_flow(struct merger *m)
{
    const struct trod_entries *all = &m->out->entries;
    bool paths = strcmp(all->type, "paths") == 0;

    if (!m->in->map || (!paths && strcmp(all->type, "edges") != 0))
        return;
    for (uint32_t i = 0, k; i < all->nentry; i = k) {
        struct trod_entry like = {.function = all->entry[i].function,
            .file = all->entry[i].file,
            .part = TROD_NONE};
        const struct trod_entry *found = trod_entries_find(&m->index, &like);

        for (k = i;
            k < all->nentry && strcmp(all->entry[k].function, like.function) == 0 &&
            trod_migrate_equal(all->entry[k].file, like.file);
            k++)
            ;
        if (found)
            check_function(
                m, &m->in->map->entry[found->count], &all->entry[i], k - i, paths);
    }
}

/* Functions that were not profiled follow their callers that were. */
static void follow_callers(struct merger *m)
{
    const struct trod_merge_inputs *in = m->in;
    uint32_t n = 0;

    if (in->map && in->flows && in->callers && in->begun)
        n = trod_callers_scale(
            &m->planned, &m->begun, in, &m->counted, &m->index, m->mem);
    if (n == TROD_NONE)
        note(m,
            "functions call each other recursively in a way that leaves open how often they run now: "
            "counts that were not profiled again may contradict those of their callers");
    else
        m->out->nscaled = n;
}

static void sum_up(struct trod_merged *out)
{
    for (uint32_t i = 0; i < out->entries.nentry; i++) {
        const struct trod_entry *e = &out->entries.entry[i];

        out->nentry_of_how[e->how]++;
        out->count_of_how[e->how] = trod_sat_add(out->count_of_how[e->how], e->count);
    }
}

void trod_merge_entries(
    struct trod_merged *out, const struct trod_merge_inputs *in, struct trod_arena *mem)
{
    struct merger m = {.out = out, .in = in, .planned = *in->planned, .mem = mem};

    if (in->begun)
        m.begun = *in->begun;
    if (in->map)
        trod_migrate_index(&m.index, in->map, mem);
    *out = (struct trod_merged){.entries = {.type = in->planned->type,
                                    .input = in->planned->input,
                                    .version = in->planned->version}};
    rename_files(&m);
    list_counted(&m);
    note_missing(&m);
    follow_callers(&m);
    put_profiled(&m);
    put_planned(&m);
    trod_entries_order(&out->entries);
    put_begun(&m);
    check_flow(&m);
    sum_up(out);
}

/* --- a profile ---------------------------------------------------------------------------------------------------- */

struct profile_writer {
    struct trod_profile_builder builder;
    const struct trod_merged *merged;
    const struct trod_map *map;
    struct trod_entries index; /* the count is the number of the map entry */
    uint32_t *number;          /* [map->nentry] number of the function in the module */
    uint32_t module;
    struct trod_profile_function *function;
    uint32_t nfunction;
};

static void put_module(
    struct profile_writer *p, const struct trod_migrate_module *module)
{
    struct trod_arena *mem = p->builder.mem;
    struct trod_profile_module m = {
        .path = module->path && *module->path ? module->path : "?",
        .build_id = module->build_id ? module->build_id : "",
        .mode = TROD_MODE_SOURCE};

    trod_migrate_index(&p->index, p->map, mem);
    p->function = trod_new(mem, struct trod_profile_function, p->map->nentry);
    p->number = trod_new(mem, uint32_t, p->map->nentry);
    for (uint32_t i = 0; i < p->index.nentry; i++)
        p->number[p->index.entry[i].count] = 1;
    for (uint32_t i = 0; i < p->map->nentry; i++) {
        const struct trod_map_entry *e = &p->map->entry[i];

        if (!p->number[i])
            continue;
        p->number[i] = p->nfunction;
        p->function[p->nfunction++] =
            (struct trod_profile_function){.name = e->name_hash,
                .graph = e->graph_hash,
                .cuts = e->cuts_hash,
                .npath = e->chain.nchain};
    }
    m.nfunction = p->nfunction;
    m.function = p->function;
    p->module = trod_profile_add_module(&p->builder, &m);
}

static void put_tally(struct profile_writer *p, const struct trod_entry *e, size_t n,
    uint32_t function, uint64_t begun)
{
    struct trod_profile_path *path =
        trod_new(p->builder.mem, struct trod_profile_path, n + 1);
    struct trod_profile_tally tally = {
        .module = p->module, .function = function, .path = path};

    for (size_t i = 0; i < n; i++)
        if (e[i].count)
            path[tally.npath++] = (struct trod_profile_path){e[i].id, e[i].count};
    if (begun)
        path[tally.npath++] =
            (struct trod_profile_path){p->function[function].npath, begun};
    if (tally.npath)
        trod_profile_add_tally(&p->builder, &tally);
}

static bool put_function(
    struct profile_writer *p, const struct trod_entry *like, struct trod_err *err)
{
    const struct trod_entries *all = &p->merged->entries;
    const struct trod_entry *found = trod_entries_find(&p->index, like),
                            *begun = trod_entries_find(&p->merged->begun, like);
    size_t first, n = trod_entries_of(&first, all, like->function, like->file);
    uint32_t number;

    if (!found)
        return trod_fail(
            err, TROD_E_INTERNAL, "the map has no function '%s'", like->function);
    number = p->number[found->count];
    for (size_t i = first; i < first + n; i++)
        if (all->entry[i].id >= p->function[number].npath)
            return trod_fail(err, TROD_E_INTERNAL, "'%s' has no path %" PRIu64,
                like->function, all->entry[i].id);
    put_tally(p, n ? &all->entry[first] : NULL, n, number, begun ? begun->count : 0);
    return true;
}

bool trod_merge_profile(struct trod_profile *out, const struct trod_merged *merged,
    const struct trod_map *map, const struct trod_migrate_module *module,
    struct trod_arena *mem, struct trod_err *err)
{
    struct profile_writer p = {.merged = merged, .map = map};
    struct trod_entry last = {.function = ""};

    trod_profile_builder_init(&p.builder, mem);
    put_module(&p, module);
    for (uint32_t i = 0; i < merged->entries.nentry; i++) {
        struct trod_entry like = {.function = merged->entries.entry[i].function,
            .file = merged->entries.entry[i].file,
            .part = TROD_NONE};

        if (trod_entries_compare(&last, &like) == 0)
            continue;
        if (!put_function(&p, &like, err))
            return false;
        last = like;
    }
    /* Functions that were entered and never finished a path. */
    for (uint32_t i = 0; i < merged->begun.nentry; i++) {
        struct trod_entry like = {.function = merged->begun.entry[i].function,
            .file = merged->begun.entry[i].file,
            .part = TROD_NONE};
        size_t first;

        if (!trod_entries_of(&first, &merged->entries, like.function, like.file) &&
            !put_function(&p, &like, err))
            return false;
    }
    trod_profile_add_note(&p.builder,
        "migrated from another version: %" PRIu64 " paths were profiled, %" PRIu64
        " reused, %" PRIu64 " of these validated, %" PRIu64 " inferred",
        merged->nentry_of_how[TROD_HOW_PROFILED],
        merged->nentry_of_how[TROD_HOW_REUSED] +
            merged->nentry_of_how[TROD_HOW_VALIDATED],
        merged->nentry_of_how[TROD_HOW_VALIDATED],
        merged->nentry_of_how[TROD_HOW_INFERRED]);
    return trod_profile_build(out, &p.builder, err);
}
