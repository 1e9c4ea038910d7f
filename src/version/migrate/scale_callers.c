#include "migrate/callers.h"

#include <math.h>
#include <string.h>

/* A function that was not profiled again is entered `factor` times as often as before. Its calls by such functions change by
 * their factors, those by functions that were profiled are known, and those from elsewhere are as before. That is a linear
 * equation for each function. Sweeps over all of them approach the solution, and reach it if no functions call each
 * other in a circle.
 */
enum { MOST_SWEEPS = 1000 };

#define SMALLEST_CHANGE 1e-9 /* of a factor */

struct callee {
    double elsewhere; /* calls that are not from functions with a name here */
    double before;    /* all calls */
    double profiled;  /* calls by functions that were profiled again */
    double factor;
    bool counted; /* it was profiled again itself */
    uint64_t ended_before,
        ended; /* of paths: activations that ended after they might have been abandoned */
};

struct link {
    uint32_t from, to; /* callees */
    double calls;
};

struct scaler {
    const struct trod_merge_inputs *in;
    const struct trod_entries *index;
    struct trod_arena *mem;
    struct trod_keys
        counted;           /* hashes of names of functions that were profiled again */
    struct callee *callee; /* [ncallee] */
    uint32_t ncallee;
    struct trod_keys of_name; /* number of a callee by the hash of its name */
    struct link *link;
    uint32_t nlink, room_link;
    uint64_t *scaled; /* set of callees */
};

/* --- the equations ------------------------------------------------------------------------------------------- */

/* The map entry of a function; NULL: it has none. */
static const struct trod_map_entry *entry_of(
    const struct scaler *s, const char *function, const char *file)
{
    struct trod_entry like = {.function = function, .file = file, .part = TROD_NONE};
    const struct trod_entry *found = trod_entries_find(s->index, &like);

    return found ? &s->in->map->entry[found->count] : NULL;
}

static void list_counted(struct scaler *s, const struct trod_entries *counted)
{
    for (uint32_t i = 0; i < counted->nentry; i++) {
        const struct trod_map_entry *e =
            entry_of(s, counted->entry[i].function, counted->entry[i].file);
        bool is_new;

        if (e)
            trod_keys_add(&s->counted, e->name_hash, &is_new, s->mem);
    }
}

/* NULL: it has no row. */
static struct callee *find(const struct scaler *s, const struct trod_map_entry *entry)
{
    const uint64_t *found =
        entry ? trod_keys_find(&s->of_name, entry->name_hash) : NULL;

    return found ? &s->callee[*found] : NULL;
}

static void add_callee(struct scaler *s, const struct trod_entry *row)
{
    const struct trod_map_entry *entry = entry_of(s, row->function, row->file);
    uint64_t *number;
    bool is_new;

    if (!entry)
        return;
    number = trod_keys_add(&s->of_name, entry->name_hash, &is_new, s->mem);
    if (!is_new)
        return;
    *number = s->ncallee;
    s->callee[s->ncallee++] = (struct callee){
        .before = (double)(row->was > row->count ? row->was : row->count),
        .elsewhere = row->was > row->count ? (double)(row->was - row->count) : 0,
        .factor = 1,
        .counted = trod_keys_find(&s->counted, entry->name_hash)};
}

/* What callers did before that were profiled again does not matter. Callers without a row are as before. */
static void add_link(struct scaler *s, const struct trod_entry *row)
{
    const uint64_t *from = trod_keys_find(&s->of_name, row->id);
    struct callee *to = find(s, entry_of(s, row->function, row->file));

    if (!to || trod_keys_find(&s->counted, row->id))
        return;
    if (from)
        trod_push(s->mem, s->link, s->nlink, s->room_link,
            ((struct link){
                (uint32_t)*from, (uint32_t)(to - s->callee), (double)row->count}));
    else
        to->elsewhere += (double)row->count;
}

static void read_rows(struct scaler *s)
{
    const struct trod_entries *rows = s->in->callers;

    s->callee = trod_new(s->mem, struct callee, rows->nentry);
    for (uint32_t i = 0; i < rows->nentry; i++)
        if (!rows->entry[i].other)
            add_callee(s, &rows->entry[i]);
    for (uint32_t i = 0; i < rows->nentry; i++)
        if (rows->entry[i].other)
            add_link(s, &rows->entry[i]);
}

static void add_profiled(struct scaler *s)
{
    struct trod_flow_calls called;

    trod_flow_calls_build(&called, s->in->flows, s->mem);
    for (uint32_t i = 0; i < called.ncall; i++) {
        struct callee *to = find(s, &s->in->map->entry[called.call[i].to]);

        if (to && called.call[i].from != called.call[i].to)
            to->profiled += (double)called.call[i].count;
    }
}

/* Compute all factors from those before; returns the largest change. sum: [ncallee] scratch */
static double sweep(struct scaler *s, double *sum)
{
    double most = 0;

    for (uint32_t i = 0; i < s->ncallee; i++)
        sum[i] = s->callee[i].elsewhere + s->callee[i].profiled;
    for (uint32_t i = 0; i < s->nlink; i++)
        sum[s->link[i].to] += s->link[i].calls * s->callee[s->link[i].from].factor;
    for (uint32_t i = 0; i < s->ncallee; i++) {
        struct callee *f = &s->callee[i];
        double factor = f->before > 0 && !f->counted ? sum[i] / f->before : 1;

        most = fmax(most, fabs(factor - f->factor));
        f->factor = factor;
    }
    return most;
}

static bool solve(struct scaler *s)
{
    double *sum = trod_new(s->mem, double, s->ncallee);

    for (int i = 0; i < MOST_SWEEPS; i++)
        if (sweep(s, sum) < SMALLEST_CHANGE)
            return true;
    return false;
}

/* --- entries ----------------------------------------------------------------------------------------------------- */

static bool is_type(const struct trod_entries *of, const char *type)
{
    return strcmp(of->type, type) == 0;
}

static uint64_t ended(const struct trod_numbering *of, const trod_path *id,
    const uint64_t *count, size_t n, struct trod_arena *mem)
{
    const struct trod_graph *graph = of->dag->graph;
    bool *exposed = trod_new(mem, bool, graph->nnode);
    trod_edge *step = trod_new(mem, trod_edge, of->dag->nreach);
    uint64_t sum = 0;

    trod_graph_exposed(exposed, graph, mem);
    for (size_t i = 0; i < n; i++) {
        uint32_t nstep = trod_number_decode(step, of, id[i]);

        if (trod_dag_ends(of->dag, exposed, step[nstep - 1]))
            sum = trod_sat_add(sum, count[i]);
    }
    return sum;
}

/* Of paths: so that as many begin at each block as end there. */
static void scale_paths(const struct scaler *s, struct callee *callee,
    const struct trod_numbering *numbering, struct trod_entry *e, size_t n)
{
    trod_path *id = trod_new(s->mem, trod_path, n);
    uint64_t *count = trod_new(s->mem, uint64_t, n),
             *flow = trod_new(s->mem, uint64_t, numbering->dag->graph->nedge), entered;

    for (size_t i = 0; i < n; i++) {
        id[i] = e[i].id;
        count[i] = e[i].count;
        if (id[i] >= numbering->npath)
            return;
    }
    callee->ended_before = ended(numbering, id, count, n, s->mem);
    trod_match_flow(flow, &entered, numbering, id, count, n, s->mem);
    trod_repair_scale(count, numbering, id, n, callee->factor,
        trod_repair_times(entered, callee->factor), s->mem);
    for (size_t i = 0; i < n; i++)
        e[i].count = count[i];
    callee->ended = ended(numbering, id, count, n, s->mem);
}

/* Of begun activations: those that ended are known, the others were abandoned. */
static void scale_begun(const struct callee *callee, struct trod_entry *e)
{
    uint64_t abandoned =
        e->count > callee->ended_before ? e->count - callee->ended_before : 0;

    e->count =
        trod_sat_add(callee->ended, trod_repair_times(abandoned, callee->factor));
}

/* Of edges: so that as much flow enters each block as leaves it. */
static void scale_edges(const struct scaler *s, double factor,
    const struct trod_graph *graph, struct trod_entry *e, size_t n)
{
    uint64_t *count = trod_new(s->mem, uint64_t, graph->nedge),
             *flow = trod_new(s->mem, uint64_t, graph->nedge), entered;
    uint8_t *known = trod_new(s->mem, uint8_t, graph->nedge);
    struct trod_repair repair = {
        .graph = graph, .count_of_edge = count, .known_of_edge = known};

    memset(known, TROD_REPAIR_SURE, graph->nedge);
    for (size_t i = 0; i < n; i++) {
        if (e[i].part >= graph->nedge)
            return;
        count[e[i].part] = trod_repair_times(e[i].count, factor);
    }
    trod_repair_flow(flow, &entered, &repair, s->mem);
    for (size_t i = 0; i < n; i++)
        e[i].count = flow[e[i].part];
}

/* The entries of one function. */
static void scale_function(
    struct scaler *s, const struct trod_entries *of, struct trod_entry *e, size_t n)
{
    const struct trod_map_entry *entry = entry_of(s, e->function, e->file);
    struct callee *callee = find(s, entry);
    struct trod_mark mark = trod_arena_mark(s->mem);

    if (!callee || callee->counted || fabs(callee->factor - 1) < SMALLEST_CHANGE)
        return;
    trod_add(s->scaled, (uint32_t)(callee - s->callee));
    if (is_type(of, "paths"))
        scale_paths(s, callee, &entry->numbering, e, n);
    else if (is_type(of, "edges"))
        scale_edges(s, callee->factor, entry->numbering.dag->graph, e, n);
    else if (is_type(of, "begun"))
        scale_begun(callee, e);
    else
        for (size_t i = 0; i < n; i++)
            e[i].count = trod_repair_times(e[i].count, callee->factor);
    for (size_t i = 0; i < n; i++)
        e[i].how = TROD_HOW_INFERRED;
    trod_arena_rewind(s->mem, mark);
}

static void scale_all(struct scaler *s, struct trod_entries *of)
{
    for (uint32_t i = 0, end; i < of->nentry; i = end) {
        for (end = i; end < of->nentry &&
                      strcmp(of->entry[end].function, of->entry[i].function) == 0 &&
                      trod_migrate_equal(of->entry[end].file, of->entry[i].file);
            end++)
            ;
        scale_function(s, of, &of->entry[i], end - i);
    }
}

static void copy(
    struct trod_entries *to, const struct trod_entries *from, struct trod_arena *mem)
{
    *to = *from;
    to->entry = trod_new(mem, struct trod_entry, from->nentry);
    to->room = from->nentry;
    if (from->nentry)
        memcpy(to->entry, from->entry, from->nentry * sizeof *to->entry);
}

static uint32_t count_scaled(const struct scaler *s)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < s->ncallee; i++)
        n += trod_has(s->scaled, i);
    return n;
}

uint32_t trod_callers_scale(struct trod_entries *entries, struct trod_entries *begun,
    const struct trod_merge_inputs *in, const struct trod_entries *counted,
    const struct trod_entries *index, struct trod_arena *mem)
{
    struct scaler s = {.in = in, .index = index, .mem = mem};

    copy(entries, in->planned, mem);
    copy(begun, in->begun, mem);
    list_counted(&s, counted);
    read_rows(&s);
    add_profiled(&s);
    if (!solve(&s))
        return TROD_NONE;
    s.scaled = trod_new(mem, uint64_t, TROD_WORDS(s.ncallee));
    scale_all(&s, entries);
    scale_all(&s, begun);
    return count_scaled(&s);
}
