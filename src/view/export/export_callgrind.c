#include "export/export.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Callgrind's format, version 1. The costs are:
 *
 *   Lines   how often a line was begun, as in coverage
 *   Blocks  blocks executed, by the line they begin on; the sum of a function is its weight in reports
 *   Paths   paths that ended on the line; the sum of a function is its count in reports
 *   Time    own time of these paths, if they were timed
 *
 * A call is listed if a block calls a function by name; its count is exact. The inclusive cost of a call cannot in
 * general be derived from intraprocedural paths: see knows_whole().
 */

enum { COST_LINES, COST_BLOCKS, COST_PATHS, COST_TIME, NCOST };

struct cost {
    uint64_t of[NCOST];
};

struct site {
    uint32_t caller, callee; /* entries of the map */
    uint32_t line;
    uint64_t count;
};

/* What is known about a map entry. */
struct known {
    struct cost self;  /* self cost */
    struct cost whole; /* inclusive cost: with all calls of known cost */
    uint64_t called;   /* number of calls by name */
    uint32_t nsite;    /* call sites that call it by name */
    uint32_t waits;    /* calls whose cost is still unknown */
    uint32_t only;     /* a call site that calls it; the only one if nsite is 1 */
    uint32_t first;    /* its first own site; they are adjacent */
    bool loose;        /* its inclusive cost is unknown: see knows_whole() */
};

struct printer {
    struct trod_sink *sink;
    const struct trod_exported *in;
    struct trod_arena *mem;
    struct known *known;             /* [nentry] */
    const uint32_t *module_of_entry; /* [nentry] */
    struct site *site;
    uint32_t nsite, room;
    struct trod_names files, names, objects;
    uint32_t nfile_written, nname_written, nobject_written; /* names written so far */
};

static void add_cost(struct cost *to, const struct cost *from)
{
    for (int i = 0; i < NCOST; i++)
        to->of[i] = trod_sat_add(to->of[i], from->of[i]);
}

/* --- call graph ------------------------------------------------------------------------------------------ */

static void add_sites(struct printer *p, uint32_t caller, const struct trod_flow *flow,
    const struct trod_names *by_name, const uint32_t *entry_of_name)
{
    const struct trod_map_entry *entry = &p->in->map->entry[caller];
    uint32_t nnode = entry->numbering.dag->graph->nnode;

    p->known[caller].first = p->nsite;
    for (trod_node v = 0; entry->first_callee && v < nnode; v++)
        for (uint32_t i = entry->first_callee[v];
            i < entry->first_callee[v + 1] && flow->count_of_node[v]; i++) {
            uint32_t name = entry->callee[i]
                                ? trod_names_find(by_name, entry->callee[i])
                                : UINT32_MAX;
            struct known *callee;

            if (!entry->callee[i] ||
                (name != UINT32_MAX && entry_of_name[name] == TROD_NONE))
                p->known[caller].loose = true;
            if (name == UINT32_MAX || entry_of_name[name] == TROD_NONE)
                continue;
            callee = &p->known[entry_of_name[name]];
            callee->called = trod_sat_add(callee->called, flow->count_of_node[v]);
            callee->nsite++;
            callee->only = p->nsite;
            trod_push(p->mem, p->site, p->nsite, p->room,
                (struct site){caller, entry_of_name[name], trod_flow_line(entry, v),
                    flow->count_of_node[v]});
        }
}

/* If several functions have the same name, a call by this name is ambiguous and omitted. */
static void find_sites(struct printer *p)
{
    const struct trod_flows *flows = p->in->flows;
    uint32_t n = flows->map->nentry;
    uint32_t *entry_of_name = trod_new(p->mem, uint32_t, n);
    struct trod_names by_name;

    trod_names_init(&by_name, p->mem);
    for (uint32_t i = 0; i < n; i++) {
        const struct trod_map_entry *entry = flows->of_entry[i].entry;
        uint32_t name;

        if (!entry || entry->nframe)
            continue;
        name = trod_names_add(&by_name, entry->name);
        entry_of_name[name] = name + 1 < by_name.count ? TROD_NONE : i;
    }
    for (uint32_t i = 0; i < n; i++)
        if (flows->of_entry[i].count_of_node && !flows->map->entry[i].nframe)
            add_sites(p, i, &flows->of_entry[i], &by_name, entry_of_name);
        else
            p->known[i].first = UINT32_MAX;
}

/* Are all activations of the function called from a single block: the only call site by name, with as many calls as
 * there were entries?
 */
static bool serves_one(const struct printer *p, uint32_t entry)
{
    const struct known *k = &p->known[entry];

    return k->nsite == 1 && p->site[k->only].caller != entry &&
           p->in->flows->of_entry[entry].entered == k->called;
}

/* If so, the cost of a call is the function's inclusive cost, provided that is known: no call is indirect, and each
 * callee either has no other caller or is not counted. Otherwise the cost of a call is written as 0 rather than
 * distributed by a guess.
 */
static bool knows_whole(const struct printer *p, uint32_t entry)
{
    return serves_one(p, entry) && !p->known[entry].loose && !p->known[entry].waits;
}

/* Bottom up, from functions that wait for no call. Recursive ones never become ready and stay unknown. */
static void fill_whole(struct printer *p)
{
    uint32_t n = p->in->flows->map->nentry, nready = 0;
    uint32_t *ready = trod_new(p->mem, uint32_t, n);

    for (uint32_t i = 0; i < p->nsite; i++)
        p->known[p->site[i].caller].waits++;
    for (uint32_t i = 0; i < n; i++) {
        p->known[i].whole = p->known[i].self;
        if (!p->known[i].waits)
            ready[nready++] = i;
    }
    for (uint32_t i = 0; i < nready; i++) {
        const struct known *callee = &p->known[ready[i]];
        struct known *caller;

        if (!knows_whole(p, ready[i]))
            continue;
        caller = &p->known[p->site[callee->only].caller];
        add_cost(&caller->whole, &callee->whole);
        if (--caller->waits == 0)
            ready[nready++] = p->site[callee->only].caller;
    }
}

/* --- costs ----------------------------------------------------------------------------------------------------- */

struct line {
    uint32_t entry, line;
    struct cost cost;
};

struct lines {
    struct line *line;
    size_t count, room;
};

static void add_line(struct printer *p, struct lines *to, uint32_t entry, uint32_t line,
    int what, uint64_t count)
{
    if (!count)
        return;
    trod_reserve(p->mem, to->line, to->count, to->room);
    to->line[to->count] = (struct line){.entry = entry, .line = line};
    to->line[to->count++].cost.of[what] = count;
}

TROD_ORDER(by_place, struct line, TROD_UP(entry), TROD_UP(line))

static void merge_lines(struct lines *of)
{
    size_t n = 0;

    trod_sort(of->line, of->count, by_place);
    for (size_t i = 0; i < of->count; i++) {
        if (n && by_place(&of->line[n - 1], &of->line[i]) == 0)
            add_cost(&of->line[n - 1].cost, &of->line[i].cost);
        else
            of->line[n++] = of->line[i];
    }
    of->count = n;
}

/* A supergraph contains its callees, which are counted by themselves as well. Only blocks of the root are its own. */
static bool is_own(const struct trod_map_entry *entry, trod_node v)
{
    return !entry->nframe || trod_map_frame_of(entry, v) == 0;
}

static uint64_t own_time(
    const struct trod_times *times, const struct trod_map_entry *entry, uint64_t id)
{
    struct trod_profile_function function = {
        .name = entry->name_hash, .graph = entry->graph_hash, .cuts = entry->cuts_hash};
    const struct trod_time *time = times ? trod_times_find(times, &function, id) : NULL;

    return time ? trod_time_rounded(times, (double)time->own) : 0;
}

static void take_blocks(
    struct printer *p, struct lines *to, uint32_t owner, const struct trod_flow *flow)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;
    const trod_edge *step = p->in->map->step;

    for (trod_node v = 0; v < dag->graph->nnode; v++)
        if (is_own(flow->entry, v))
            add_line(p, to, owner, trod_flow_line(flow->entry, v), COST_BLOCKS,
                flow->count_of_node[v]);
    for (size_t i = 0; i < flow->npath; i++) {
        uint32_t n = trod_number_decode(
                     p->in->map->step, &flow->entry->numbering, flow->path[i].id),
                 line;

        while (n > 2 && !is_own(flow->entry, dag->shape.src_of_edge[step[n - 1]]))
            n--;
        line = trod_flow_line(flow->entry, dag->shape.src_of_edge[step[n - 1]]);
        add_line(p, to, owner, line, COST_PATHS, flow->path[i].count);
        add_line(p, to, owner, line, COST_TIME,
            own_time(p->in->times, flow->entry, flow->path[i].id));
    }
}

static void take_flow(struct printer *p, struct lines *to, uint32_t entry)
{
    const struct trod_flow *flow = &p->in->flows->of_entry[entry];
    struct trod_flow_row *row;
    uint32_t n;

    if (!flow->count_of_node)
        return;
    take_blocks(
        p, to, flow->entry->nframe ? flow->entry->frame[0].of_entry : entry, flow);
    if (flow->entry->nframe)
        return;
    n = trod_flow_rows(&row, flow, p->mem);
    for (uint32_t i = 0; i < n; i++)
        add_line(p, to, entry, row[i].line, COST_LINES, row[i].count);
}

/* --- text ------------------------------------------------------------------------------------------------------- */

/* A name is written once. Later references use its number. */
static void put_name(struct printer *p, const char *key, struct trod_names *names,
    uint32_t *nwritten, const char *name)
{
    uint32_t n = trod_names_add(names, name);

    trod_put(p->sink, "%s=(%" PRIu32 ")", key, n + 1);
    if (n >= *nwritten) {
        trod_put(p->sink, " ");
        for (; *name; name++)
            if ((unsigned char)*name < ' ' || *name == 0x7f)
                trod_put(p->sink, "\\x%02x", (unsigned char)*name);
            else
                p->sink->put(p->sink, name, 1);
        *nwritten = n + 1;
    }
    trod_put(p->sink, "\n");
}

static void put_function(struct printer *p, uint32_t entry, bool called)
{
    const struct trod_map_entry *e = &p->in->map->entry[entry];
    uint32_t module = p->module_of_entry[entry];

    if (module != TROD_NONE)
        put_name(p, called ? "cob" : "ob", &p->objects, &p->nobject_written,
            p->in->profile->module[module].path);
    /* If no line is known, there is no source to annotate, and callgrind_annotate would fail: this is a
     * file name that it does not open.
     */
    put_name(p, called ? "cfi" : "fl", &p->files, &p->nfile_written,
        !e->first_line || (!e->file && e->machine) ? "???" : trod_flow_file(e));
    put_name(p, called ? "cfn" : "fn", &p->names, &p->nname_written, e->display_name);
}

static void put_costs(struct printer *p, const struct cost *cost)
{
    for (int i = 0; i < (p->in->times ? NCOST : COST_TIME); i++)
        trod_put(p->sink, " %" PRIu64, cost->of[i]);
    trod_put(p->sink, "\n");
}

static void put_cost(struct printer *p, uint32_t line, const struct cost *cost)
{
    trod_put(p->sink, "%" PRIu32, line);
    put_costs(p, cost);
}

static void put_calls(struct printer *p, uint32_t caller)
{
    static const struct cost nothing;

    for (uint32_t i = p->known[caller].first;
        i < p->nsite && p->site[i].caller == caller; i++) {
        const struct site *site = &p->site[i];
        const struct trod_map_entry *to = &p->in->map->entry[site->callee];

        put_function(p, site->callee, true);
        trod_put(p->sink, "calls=%" PRIu64 " %" PRIu32 "\n", site->count,
            trod_flow_line(to, to->numbering.dag->graph->entry));
        put_cost(p, site->line,
            knows_whole(p, site->callee) ? &p->known[site->callee].whole : &nothing);
    }
}

static bool is_wanted(const struct printer *p, uint32_t entry)
{
    return trod_export_wants(p->in, &p->in->map->entry[entry]);
}

static void put_head(struct printer *p, const struct lines *lines)
{
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, p->in, p->mem);
    struct cost all = {0};

    for (size_t i = 0; i < lines->count; i++)
        if (is_wanted(p, lines->line[i].entry))
            add_cost(&all, &lines->line[i].cost);
    trod_put(
        p->sink, "# callgrind format\nversion: 1\ncreator: trod %s\n", p->in->version);
    if (p->in->profile->nmodule)
        trod_put(p->sink, "cmd: %s\n", p->in->profile->module[0].path);
    for (size_t i = 0; i < n; i++)
        trod_put(p->sink, "desc: %s\n", remark[i]);
    trod_put(p->sink,
        "desc: inclusive costs of calls are given where known, and 0 elsewhere\npositions: "
        "line\nevent: Lines : lines begun\nevent: Blocks : blocks that ran\nevent: Paths : "
        "paths that ended\n");
    if (p->in->times)
        trod_put(p->sink, "event: Time : %s of these paths, without callees\n",
            trod_time_unit(p->in->times));
    trod_put(
        p->sink, "events: Lines Blocks Paths%s\nsummary:", p->in->times ? " Time" : "");
    put_costs(p, &all);
}

static void put_body(struct printer *p, const struct lines *lines)
{
    for (size_t i = 0; i < lines->count; i++) {
        uint32_t entry = lines->line[i].entry;

        if (!is_wanted(p, entry))
            continue;
        if (i == 0 || lines->line[i - 1].entry != entry) {
            trod_put(p->sink, "\n");
            put_function(p, entry, false);
        }
        put_cost(p, lines->line[i].line, &lines->line[i].cost);
        if (i + 1 == lines->count || lines->line[i + 1].entry != entry)
            put_calls(p, entry);
    }
}

bool trod_export_callgrind(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct printer p = {.sink = sink, .in = in, .mem = mem};
    struct lines lines = {0};

    (void)err;
    p.known = trod_new(mem, struct known, in->map->nentry);
    trod_names_init(&p.files, mem);
    trod_names_init(&p.names, mem);
    trod_names_init(&p.objects, mem);
    p.module_of_entry = trod_export_modules(in, mem);
    find_sites(&p);
    for (uint32_t i = 0; i < in->map->nentry; i++)
        take_flow(&p, &lines, i);
    merge_lines(&lines);
    for (size_t i = 0; i < lines.count; i++)
        add_cost(&p.known[lines.line[i].entry].self, &lines.line[i].cost);
    fill_whole(&p);
    put_head(&p, &lines);
    put_body(&p, &lines);
    return true;
}
