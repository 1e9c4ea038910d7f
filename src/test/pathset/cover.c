#include "pathset/pathset.h"
#include "base/order.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- one function ---------------------------------------------------------------------------- */

/* Cuts made only because of the limit on paths: not for a cycle, a call that may return twice, or a
 * call at which paths end. calls: may be NULL */
static uint32_t count_limit_cuts(
    const struct trod_dag *dag, const struct trod_calls *calls)
{
    const struct trod_graph *g = dag->graph;
    uint32_t n = 0;

    for (trod_edge e = 0; e < g->nedge; e++)
        n += dag->dag_of_edge[e] != TROD_NONE &&
             dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END &&
             !trod_has(dag->closing, e) &&
             trod_graph_leave(g, g->dst_of_edge[e]) != TROD_RETURNS_AGAIN &&
             !(calls && trod_calls_find(calls, g->dst_of_edge[e], false));
    return n;
}

/* Edges are those DAG edges that stand for an edge of the graph; blocks are the DAG's nodes except
 * ENTRY and EXIT.
 */
static void count_all(struct trod_covered *out, const struct trod_dag *dag)
{
    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        out->edge.all += dag->origin_of_edge[e] != TROD_NONE;
    out->block.all = dag->nreach - 2;
}

void trod_cover_function(struct trod_covered *out,
    const struct trod_numbering *ballarus, const struct trod_ran_path *path,
    size_t npath, trod_edge *step, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    const struct trod_dag *dag = ballarus->dag;
    uint64_t *edges = trod_new(mem, uint64_t, TROD_WORDS(dag->shape.nedge));
    uint64_t *blocks = trod_new(mem, uint64_t, TROD_WORDS(dag->shape.nnode));

    *out = (struct trod_covered){.path = {npath, ballarus->npath}};
    out->ncut = count_limit_cuts(dag, NULL);
    count_all(out, dag);
    for (size_t i = 0; i < npath; i++) {
        uint32_t n = trod_number_decode(step, ballarus, path[i].id);

        for (uint32_t k = 0; k < n; k++) {
            trod_node v = dag->shape.dst_of_edge[step[k]];

            out->edge.ran +=
                dag->origin_of_edge[step[k]] != TROD_NONE && !trod_has(edges, step[k]);
            out->block.ran += v != dag->exit && !trod_has(blocks, v);
            trod_add(edges, step[k]);
            trod_add(blocks, v);
        }
    }
    trod_arena_rewind(mem, mark);
}

double trod_part_share(struct trod_part part)
{
    return part.all ? (double)part.ran / (double)part.all : 1;
}

/* --- rows --------------------------------------------------------------------------------------- */

static void add_part(struct trod_part *to, struct trod_part from)
{
    to->ran = trod_sat_add(to->ran, from.ran);
    to->all = trod_sat_add(to->all, from.all);
}

static void add_row(struct trod_cover_row *to, const struct trod_cover_row *from)
{
    add_part(&to->covered.path, from->covered.path);
    add_part(&to->covered.edge, from->covered.edge);
    add_part(&to->covered.block, from->covered.block);
    add_part(&to->functions, from->functions);
    to->unfinished = trod_sat_add(to->unfinished, from->unfinished);
    to->ncut += from->ncut;
    to->count = trod_sat_add(to->count, from->count);
    to->worth += from->worth;
    to->nunknown += from->nunknown;
}

static const char *name_of(const struct trod_map_entry *entry,
    const struct trod_profile_function *function, struct trod_arena *mem)
{
    struct trod_string name;

    if (entry)
        return entry->name;
    trod_string_init(&name, mem);
    trod_put(&name.sink, "?%016" PRIx64, function->name);
    return name.text;
}

uint32_t trod_cover_limited(const struct trod_map_entry *entry)
{
    return entry->machine ? entry->nlimited
                          : count_limit_cuts(entry->numbering.dag, &entry->calls);
}

/* A function that ran often is likely to run again. An untested edge matters more than an untested path. */
static double worth_of(const struct trod_cover_row *row)
{
    const struct trod_covered *c = &row->covered;
    double left = (double)(c->edge.all - c->edge.ran) + (c->path.all > c->path.ran);

    return row->count ? left * log2(1 + (double)row->count) : 0;
}

/* Blocks and edges of unfinished paths ran, too. Uncertain ones are not counted. */
static void add_unfinished(struct trod_cover_row *out, const struct trod_flow *flow)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;

    out->functions.ran |= trod_flow_ran(flow);
    out->unfinished = flow->unfinished;
    out->covered.edge.ran = out->covered.block.ran = 0;
    for (trod_node v = 0; v < dag->graph->nnode; v++) {
        out->covered.block.ran += flow->count_of_node[v] != 0;
        out->covered.block.all -= trod_flow_node_unknown(flow, v);
    }
    for (trod_edge e = 0; e < dag->graph->nedge; e++) {
        out->covered.edge.ran += flow->count_of_edge[e] != 0;
        out->covered.edge.all -= trod_flow_edge_unknown(flow, e);
    }
}

static void fill_row(struct trod_cover_row *out, const struct trod_ran_function *f,
    const struct trod_map *map, const struct trod_flows *flows, struct trod_arena *mem)
{
    const struct trod_map_entry *entry = trod_map_find(map, &f->function);
    struct trod_mark mark;
    struct trod_ran_path *last;
    size_t nlast;

    *out = (struct trod_cover_row){.function = name_of(entry, &f->function, mem),
        .file = !entry        ? "?"
                : entry->file ? entry->file
                              : entry->unit,
        .entry = entry,
        .functions = {f->npath != 0, 1}};
    if (entry && entry->numbering.dag) {
        mark = trod_arena_mark(mem);
        nlast = trod_chain_lasts(&last, &entry->chain, f->path, f->npath, mem);
        trod_cover_function(
            &out->covered, &entry->numbering, last, nlast, map->step, mem);
        out->covered.path =
            (struct trod_part){f->npath, trod_chain_count(&entry->chain, mem)};
        trod_arena_rewind(mem, mark);
        out->ncut = trod_cover_limited(entry) != 0;
        if (flows && flows->of_entry[entry - map->entry].stopped_of_node)
            add_unfinished(out, &flows->of_entry[entry - map->entry]);
    } else {
        out->covered.path = (struct trod_part){f->npath, f->function.npath};
        out->nunknown = 1;
    }
    for (size_t i = 0; i < f->npath; i++)
        out->count = trod_sat_add(out->count, f->path[i].count);
    out->worth = worth_of(out);
}

/* --- order ---------------------------------------------------------------------------------------- */

TROD_ORDER(by_function, struct trod_cover_row, TROD_ALPHABETIC(function),
    TROD_ALPHABETIC(file), TROD_UP(order))

TROD_ORDER(by_file, struct trod_cover_row, TROD_ALPHABETIC(file), by_function(a, b))

static uint64_t left_of(const struct trod_cover_row *row)
{
    return row->covered.path.all - row->covered.path.ran;
}

TROD_ORDER(by_left, struct trod_cover_row, trod_compare(left_of(b), left_of(a)),
    by_function(a, b))

static int by_share(const void *x, const void *y)
{
    const struct trod_cover_row *a = x, *b = y;
    double p = trod_part_share(a->covered.path), q = trod_part_share(b->covered.path);

    return p < q ? -1 : p > q ? 1 : by_left(a, b);
}

static int by_worth(const void *x, const void *y)
{
    const struct trod_cover_row *a = x, *b = y;

    return a->worth > b->worth ? -1 : a->worth < b->worth ? 1 : by_left(a, b);
}

static void sort(struct trod_cover *cover, int (*order)(const void *x, const void *y))
{
    trod_sort(cover->row, cover->nrow, order);
}

static void put_together(struct trod_cover *cover)
{
    size_t n = 0;

    sort(cover, by_file);
    for (size_t i = 0; i < cover->nrow; i++) {
        if (n && strcmp(cover->row[n - 1].file, cover->row[i].file) == 0) {
            add_row(&cover->row[n - 1], &cover->row[i]);
            continue;
        }
        cover->row[n] = cover->row[i];
        cover->row[n].function = "";
        cover->row[n].entry = NULL;
        n++;
    }
    cover->nrow = n;
}

static void mark_places(struct trod_cover *cover, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    const struct trod_map_entry **entry =
        trod_new(mem, const struct trod_map_entry *, cover->nlisted);
    const enum trod_row_place *place;

    for (size_t i = 0; i < cover->nlisted; i++)
        entry[i] = cover->row[i].entry;
    place = trod_row_places(entry, cover->nlisted, mem);
    for (size_t i = 0; i < cover->nlisted; i++)
        cover->row[i].place = place[i];
    trod_arena_rewind(mem, mark);
}

void trod_cover_build(struct trod_cover *out, const struct trod_ran *ran,
    const struct trod_map *map, const struct trod_cover_options *options,
    struct trod_arena *mem)
{
    static int (*const order[])(const void *, const void *) = {
        [TROD_COVER_WORTH] = by_worth,
        [TROD_COVER_SHARE] = by_share,
        [TROD_COVER_LEFT] = by_left,
        [TROD_COVER_BY_FUNCTION] = by_function,
        [TROD_COVER_BY_FILE] = by_file,
    };

    *out = (struct trod_cover){.group = options->group};
    out->row = trod_new(mem, struct trod_cover_row, ran->nfunction);
    for (size_t i = 0; i < ran->nfunction; i++) {
        struct trod_cover_row *row = &out->row[out->nrow];

        fill_row(row, &ran->function[i], map, options->flows, mem);
        row->order = i;
        if ((options->wants && !options->wants(row->function, options->ctx)) ||
            (row->entry && row->entry->shown == TROD_HIDDEN_FILE))
            continue;
        if (row->entry && row->entry->shown == TROD_HIDDEN_SYSTEM) {
            out->nhidden++;
            continue;
        }
        add_row(&out->total, row);
        out->nrow++;
    }
    if (options->group == TROD_COVER_FILE)
        put_together(out);
    if (options->group == TROD_COVER_PROGRAM)
        out->nrow = 0;
    sort(out, order[options->sort]);
    out->nlisted =
        options->most && options->most < out->nrow ? options->most : out->nrow;
    mark_places(out, mem);
}
