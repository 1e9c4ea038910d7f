#include "flow/flow.h"

#include <stdlib.h>
#include <string.h>

/* One source file, while it is being built. */
struct source {
    struct trod_flow_source out;
    struct trod_flow_function *function;
    uint32_t room_function;
    struct trod_flow_includer *includer;
    uint32_t room_includer;
    struct trod_flow_row *row;
    uint32_t room_row;
    uint32_t *merged; /* lines that may have run even if their rows are 0 */
    uint32_t nmerged, room_merged;
    struct trod_flow_decision *decision;
    uint32_t room_decision;
};

struct sources {
    const struct trod_flows *flows;
    struct trod_arena *mem;
    struct source *source;
    uint32_t nsource, room_source;
    struct trod_names names;
};

const char *trod_flow_directory(
    const struct trod_map *map, const struct trod_map_entry *entry)
{
    /* Files of different directories may have the same name. */
    for (uint32_t i = 0; i < map->nunit; i++)
        if (map->unit[i].file == entry->unit)
            return map->unit[i].directory;
    return NULL;
}

void trod_flow_row_add(struct trod_flow_row *to, const struct trod_flow_row *more)
{
    to->count = trod_sat_add(to->count, more->count);
    to->unknown = !to->count && (to->unknown || more->unknown);
}

/* --- lines ------------------------------------------------------------------------------------------------- */

static void add_lines(
    struct sources *s, struct source *to, const struct trod_flow *flow)
{
    const struct trod_map_entry *entry = flow->entry;
    struct trod_flow_row *row;
    struct trod_mark mark;
    uint32_t n;

    if (!entry->first_line)
        return;
    if (flow->count_of_node && !flow->count_of_edge) {
        n = trod_flow_rows_by_block(&row, flow, TROD_NONE, s->mem);
    } else {
        row = trod_new(s->mem, struct trod_flow_row,
            entry->first_line[entry->numbering.dag->graph->nnode]);
        mark = trod_arena_mark(s->mem);
        n = trod_flow_begun(row, flow, s->mem);
        trod_arena_rewind(s->mem, mark);
    }
    for (uint32_t i = 0; i < n; i++) {
        trod_reserve(s->mem, to->row, to->out.nrow, to->room_row);
        to->row[to->out.nrow++] = row[i];
    }
}

/* Lines whose code was merged into a block that ran. */
static void add_merged(
    struct sources *s, struct source *to, const struct trod_flow *flow)
{
    for (uint32_t i = 0; flow->count_of_node && i < flow->entry->nmerged; i++) {
        const struct trod_map_merged *m = &flow->entry->merged[i];

        if (!flow->count_of_node[m->node] && !trod_flow_node_unknown(flow, m->node))
            continue;
        trod_reserve(s->mem, to->merged, to->nmerged, to->room_merged);
        to->merged[to->nmerged++] = m->line;
    }
}

/* --- decisions --------------------------------------------------------------------------------------------- */

static struct source *source_of(
    struct sources *s, const struct trod_map_entry *entry, const char *name);

/* `own`: the function's index in its own file */
static void add_decision(
    struct sources *s, const struct trod_flow *flow, trod_node v, uint32_t own)
{
    const struct trod_map_entry *entry = flow->entry;
    const struct trod_graph *g = entry->numbering.dag->graph;
    const struct trod_map_decision *known = trod_map_decision_of(entry, v);
    uint32_t n = g->first_out[v + 1] - g->first_out[v];
    struct trod_map_place place = trod_map_decision_place(entry, v);
    struct trod_flow_way *way;
    struct source *to;

    if (n < 2 || trod_map_is_own_decision(entry, v))
        return;
    to = source_of(s, entry, place.file ? place.file : trod_flow_file(entry));
    way = trod_new(s->mem, struct trod_flow_way, n);
    for (uint32_t k = 0; k < n; k++) {
        trod_edge e = g->first_out[v] + k;

        way[k] = (struct trod_flow_way){.edge = e,
            .count = flow->count_of_edge ? flow->count_of_edge[e] : 0,
            .unknown = trod_flow_edge_unknown(flow, e),
            .label = known ? known->way[k] : NULL};
    }
    if (known && n == 2 && strcmp(known->way[1], "T") == 0) {
        struct trod_flow_way other = way[0];

        way[0] = way[1];
        way[1] = other;
    }
    trod_reserve(s->mem, to->decision, to->out.ndecision, to->room_decision);
    to->decision[to->out.ndecision++] = (struct trod_flow_decision){.flow = flow,
        .function = place.file ? TROD_NONE : own,
        .node = v,
        .line = place.line,
        .column = known ? known->column : 0,
        .ncondition = known ? known->ncondition : 0,
        .partly = known && known->partly,
        .nway = n,
        .way = way,
        .count = flow->count_of_node ? flow->count_of_node[v] : 0};
}

/* --- files --------------------------------------------------------------------------------------------------- */

static struct source *source_of(
    struct sources *s, const struct trod_map_entry *entry, const char *name)
{
    const char *directory = trod_flow_directory(s->flows->map, entry);
    const char *path = trod_only_path(directory, name, s->mem);
    uint32_t i = trod_names_add(&s->names, path);

    if (i == s->nsource) {
        trod_reserve(s->mem, s->source, s->nsource, s->room_source);
        s->source[s->nsource++] = (struct source){
            .out = {.name = name, .directory = directory, .path = path}};
    }
    return &s->source[i];
}

struct trod_map_entry trod_flow_included_entry(
    const struct trod_map_entry *entry, const struct trod_map_included *text)
{
    struct trod_map_entry out = *entry;

    out.first_line = text->first_line;
    out.line = text->line;
    out.line_of_loop = NULL; /* refers to the function's own file */
    return out;
}

static void add_included(struct sources *s, const struct trod_flow *flow)
{
    for (uint32_t i = 0; i < flow->entry->nincluded; i++) {
        const struct trod_map_included *in = &flow->entry->included[i];
        struct trod_map_entry entry = trod_flow_included_entry(flow->entry, in);
        struct source *to = source_of(s, flow->entry, in->file);
        struct trod_flow there = *flow;

        there.entry = &entry;
        add_lines(s, to, &there);
        trod_reserve(s->mem, to->includer, to->out.nincluder, to->room_includer);
        to->includer[to->out.nincluder++] = (struct trod_flow_includer){flow, in};
    }
}

static void add_function(struct sources *s, const struct trod_flow *flow)
{
    struct source *to = source_of(s, flow->entry, trod_flow_file(flow->entry));
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    uint32_t own;

    trod_reserve(s->mem, to->function, to->out.nfunction, to->room_function);
    to->function[to->out.nfunction++] =
        (struct trod_flow_function){flow, trod_flow_line(flow->entry, g->entry)};
    add_lines(s, to, flow);
    add_merged(s, to, flow);
    own = to->out.nfunction - 1; /* read it now: add_decision() may move sources */
    for (trod_node v = 0; v < g->nnode; v++)
        add_decision(s, flow, v, own);
    add_included(s, flow);
}

/* --- order ----------------------------------------------------------------------------------------------------- */

static int by_line(const void *x, const void *y)
{
    const struct trod_flow_row *a = x, *b = y;

    return (a->line > b->line) - (a->line < b->line);
}

struct placed {
    struct trod_flow_function function;
    uint32_t was;
};

static int by_place(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;

    if (a->function.line != b->function.line)
        return a->function.line < b->function.line ? -1 : 1;
    if (strcmp(a->function.flow->entry->name, b->function.flow->entry->name) != 0)
        return strcmp(a->function.flow->entry->name, b->function.flow->entry->name);
    return (a->was > b->was) - (a->was < b->was);
}

static int by_decision(const void *x, const void *y)
{
    const struct trod_flow_decision *a = x, *b = y;

    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    if (a->function != b->function)
        return a->function < b->function ? -1 : 1;
    if (a->flow != b->flow)
        return a->flow < b->flow ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

static int by_path(const void *x, const void *y)
{
    const struct trod_flow_source *a = x, *b = y;

    return strcmp(a->path, b->path);
}

static void order_functions(struct sources *s, struct source *of)
{
    uint32_t n = of->out.nfunction;
    struct placed *placed = trod_new(s->mem, struct placed, n);
    uint32_t *now = trod_new(s->mem, uint32_t, n);

    for (uint32_t i = 0; i < n; i++)
        placed[i] = (struct placed){of->function[i], i};
    if (n)
        qsort(placed, n, sizeof *placed, by_place);
    for (uint32_t i = 0; i < n; i++) {
        of->function[i] = placed[i].function;
        now[placed[i].was] = i;
    }
    for (uint32_t i = 0; i < of->out.ndecision; i++)
        if (of->decision[i].function != TROD_NONE)
            of->decision[i].function = now[of->decision[i].function];
}

static int by_number(const void *x, const void *y)
{
    const uint32_t *a = x, *b = y;

    return (*a > *b) - (*a < *b);
}

/* A line whose remaining code did not run is unknown if code merged into other blocks may have run. */
static void settle_merged(struct source *of)
{
    uint32_t r = 0;

    if (of->nmerged)
        qsort(of->merged, of->nmerged, sizeof *of->merged, by_number);
    for (uint32_t i = 0; i < of->nmerged; i++) {
        while (r < of->out.nrow && of->row[r].line < of->merged[i])
            r++;
        if (r < of->out.nrow && of->row[r].line == of->merged[i])
            of->row[r].unknown = !of->row[r].count;
    }
}

static void merge_rows(struct source *of)
{
    uint32_t n = 0;

    if (of->out.nrow)
        qsort(of->row, of->out.nrow, sizeof *of->row, by_line);
    for (uint32_t i = 0; i < of->out.nrow; i++) {
        if (n && of->row[n - 1].line == of->row[i].line)
            trod_flow_row_add(&of->row[n - 1], &of->row[i]);
        else
            of->row[n++] = of->row[i];
    }
    of->out.nrow = n;
    settle_merged(of);
}

static void finish(struct sources *s, struct source *of)
{
    order_functions(s, of);
    merge_rows(of);
    if (of->out.ndecision)
        qsort(of->decision, of->out.ndecision, sizeof *of->decision, by_decision);
    of->out.function = of->function;
    of->out.includer = of->includer;
    of->out.row = of->row;
    of->out.decision = of->decision;
}

uint32_t trod_flow_rows(
    struct trod_flow_row **out, const struct trod_flow *flow, struct trod_arena *mem)
{
    struct sources s = {.mem = mem};
    struct source own = {0};

    add_lines(&s, &own, flow);
    add_merged(&s, &own, flow);
    merge_rows(&own);
    *out = own.row;
    return own.out.nrow;
}

size_t trod_flow_sources(struct trod_flow_source **out, const struct trod_flows *flows,
    struct trod_arena *mem)
{
    struct sources s = {.flows = flows, .mem = mem};

    trod_names_init(&s.names, mem);
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        if (flows->of_entry[i].entry && !flows->of_entry[i].entry->nframe)
            add_function(&s, &flows->of_entry[i]);
    *out = trod_new(mem, struct trod_flow_source, s.nsource);
    for (uint32_t i = 0; i < s.nsource; i++) {
        finish(&s, &s.source[i]);
        (*out)[i] = s.source[i].out;
    }
    if (s.nsource)
        qsort(*out, s.nsource, sizeof **out, by_path);
    return s.nsource;
}
