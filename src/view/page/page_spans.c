#include "page/kinds.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- items --------------------------------------------------------------------------------------- */

/* Collects the items of one span after another. */
struct span_writer {
    const struct trod_map *map;
    struct trod_arena *mem;
    struct trod_page_item *item;
    uint32_t nitem, room;
};

static uint32_t number_of(
    const struct trod_map *map, const struct trod_map_entry *entry)
{
    return entry ? (uint32_t)(entry - map->entry) : TROD_NONE;
}

static struct trod_page_item *add_item(struct span_writer *s, uint32_t depth,
    const struct trod_map_entry *entry, const char *name)
{
    trod_reserve(s->mem, s->item, s->nitem, s->room);
    s->item[s->nitem] = (struct trod_page_item){.depth = depth,
        .entry = number_of(s->map, entry),
        .name = entry ? entry->display_name : name};
    return &s->item[s->nitem++];
}

/* Move the collected items to the span. */
static void take_items(struct trod_page_span *out, struct span_writer *s)
{
    out->item = s->item;
    out->nitem = s->nitem;
    s->item = NULL;
    s->nitem = s->room = 0;
}

/* List the blocks of a path, which are the targets of all edges but the last; returns their number. */
static uint32_t list_nodes(
    trod_node *node, const struct trod_dag *dag, const trod_edge *step, uint32_t nstep)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i + 1 < nstep; i++)
        node[n++] = dag->shape.dst_of_edge[step[i]];
    return n;
}

/* --- segments ---------------------------------------------------------------------------------------- */

static const struct trod_map_entry *entry_of(
    const struct trod_segments *segments, const struct trod_map *map, uint32_t function)
{
    const struct trod_identity *i =
        segments->identity ? &segments->identity[function] : NULL;
    const struct trod_map_entry *entry = NULL;

    if (i && i->npath)
        entry = trod_map_find(map, &(struct trod_profile_function){.name = i->name,
                                       .graph = i->graph,
                                       .cuts = i->cuts,
                                       .npath = i->npath});
    return entry && entry->numbering.dag ? entry : NULL;
}

static void fill_subpath(struct span_writer *s, struct trod_page_item *item,
    const struct trod_segments *segments, const struct trod_map_entry *entry,
    const struct trod_step *step)
{
    struct trod_string text;

    if (entry && step->id < entry->numbering.npath) {
        uint32_t n = trod_number_decode(s->map->step, &entry->numbering, step->id);
        trod_node *node = trod_new(s->mem, trod_node, n);

        item->nblock = list_nodes(node, entry->numbering.dag, s->map->step, n);
        item->block = node;
    }
    trod_string_init(&text, s->mem);
    trod_segments_put_subpath(&text.sink, segments, s->map, step, s->mem);
    item->text = text.text;
}

static void add_segment(struct trod_page_span *out, struct span_writer *s,
    const struct trod_segments *segments, const struct trod_segment *segment)
{
    uint32_t depth = 0;

    for (size_t i = 0; i < segment->nstep; i++) {
        const struct trod_step *step = &segment->step[i];

        if (step->kind == TROD_STEP_SUBPATH) {
            const struct trod_map_entry *entry =
                entry_of(segments, s->map, step->function);

            fill_subpath(s,
                add_item(s, depth, entry, segments->function.name[step->function]),
                segments, entry, step);
        }
        depth += step->kind == TROD_STEP_CALL;
        depth -= step->kind == TROD_STEP_RETURN && depth;
    }
    *out = (struct trod_page_span){.count = segment->count};
    take_items(out, s);
}

static const char *segments_title(uint64_t depth, struct trod_arena *mem)
{
    return trod_format(mem,
        "Segments: what ran across calls, up to %" PRIu64
        " call%s deep; shares are of all segments.",
        depth, depth == 1 ? "" : "s");
}

void trod_page_spans_segments(struct trod_page_spans *out,
    const struct trod_segments *segments, const struct trod_map *map, size_t most,
    struct trod_arena *mem)
{
    size_t n = most < segments->nsegment ? most : segments->nsegment;
    struct trod_page_span *span = trod_new(mem, struct trod_page_span, n);
    struct span_writer s = {.map = map, .mem = mem};
    uint64_t total = 0;

    for (size_t i = 0; i < segments->nsegment; i++)
        total = trod_sat_add(total, segments->segment[i].count);
    for (size_t i = 0; i < n; i++)
        add_segment(&span[i], &s, segments, &segments->segment[i]);
    *out = (struct trod_page_spans){.word = "segments",
        .title = segments_title(segments->depth, mem),
        .total = total,
        .span = span,
        .nspan = n,
        .nleft = segments->nsegment - n};
}

/* --- subpaths ------------------------------------------------------------------------------------------ */

/* Consecutive blocks of a subpath in one activation. */
struct piece {
    uint32_t function, first, count;
    int64_t depth; /* relative to the first piece */
};

static trod_node node_of(
    const struct trod_online_names *names, uint32_t function, trod_block block)
{
    return trod_online_blocks_node(names->subpaths->blocks, function, block);
}

static bool leads_to(const struct trod_map_entry *entry, trod_node from, trod_node to)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (trod_edge e = g->first_out[from]; e < g->first_out[from + 1]; e++)
        if (g->dst_of_edge[e] == to)
            return true;
    return false;
}

/* For two consecutive blocks: 0 in the same activation, +1 call, -1 return. */
static int step_of(const struct trod_online_names *names, trod_block a, trod_block b)
{
    const struct trod_online_blocks *blocks = names->subpaths->blocks;
    uint32_t f = trod_online_blocks_function(blocks, a),
             g = trod_online_blocks_function(blocks, b);
    const struct trod_map_entry *entry = names->entry_of_function[g];
    trod_node from = node_of(names, f, a), to = node_of(names, g, b);

    if (f == g && (!entry || leads_to(entry, from, to)))
        return 0;
    return to == (entry ? entry->numbering.dag->graph->entry : 0) ? 1 : -1;
}

/* Divide a subpath into pieces, one per activation; returns their number. The least depth is 0. */
static uint32_t cut(struct piece *piece, const struct trod_online_names *names,
    const trod_block *block, uint32_t length)
{
    const struct trod_online_blocks *blocks = names->subpaths->blocks;
    int64_t depth = 0, least = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < length; i++) {
        int step = i ? step_of(names, block[i - 1], block[i]) : 0;

        depth += step;
        least = depth < least ? depth : least;
        if (!i || step)
            piece[n++] = (struct piece){
                trod_online_blocks_function(blocks, block[i]), i, 0, depth};
        piece[n - 1].count++;
    }
    for (uint32_t i = 0; i < n; i++)
        piece[i].depth -= least;
    return n;
}

static void add_piece(struct span_writer *s, const struct trod_online_names *names,
    const trod_block *block, const struct piece *piece, bool whole)
{
    struct trod_page_item *item =
        add_item(s, (uint32_t)piece->depth, names->entry_of_function[piece->function],
            names->name_of_function[piece->function]);
    trod_node *node = trod_new(s->mem, trod_node, piece->count);
    struct trod_string text;

    for (uint32_t i = 0; i < piece->count; i++)
        node[i] = node_of(names, piece->function, block[piece->first + i]);
    item->block = node;
    item->nblock = piece->count;
    trod_string_init(&text, s->mem);
    trod_subpath_print_blocks(
        &text.sink, names, &block[piece->first], piece->count, whole);
    item->text = text.text;
}

static uint64_t whole(double value)
{
    return value < 0x1p64 ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

static void add_row(struct trod_page_span *out, struct span_writer *s,
    const struct trod_online_names *names, const struct trod_online_row *row)
{
    const struct trod_online_subpath *sub = row->subpath;
    uint32_t n = sub->length, begin = trod_online_begin(names, sub), npiece;
    trod_block *block = trod_new(s->mem, trod_block, n);
    struct piece *piece = trod_new(s->mem, struct piece, n);

    for (uint32_t i = 0; i < n; i++)
        block[i] = sub->block[(begin + i) % n];
    npiece = cut(piece, names, block, n);
    for (uint32_t i = 0; i < npiece; i++)
        add_piece(s, names, block, &piece[i], npiece == 1);
    *out = (struct trod_page_span){.count = whole(sub->estimate)};
    if (!names->subpaths->exact) {
        out->low = row->error < 1 ? sub->estimate * (1 - row->error) : 0;
        out->high = sub->estimate * (1 + row->error);
    }
    take_items(out, s);
}

static const char *subpaths_title(
    const struct trod_subpaths *subpaths, struct trod_arena *mem)
{
    struct trod_string out;

    trod_string_init(&out, mem);
    trod_put(&out.sink, "Block sequences that ran, and %s",
        subpaths->costs ? "what they cost" : "how often");
    if (!subpaths->exact)
        trod_put(&out.sink, ", estimated from %" PRIu64 " samples%s", subpaths->nsample,
            subpaths->aged ? ", of which the latest count most" : "");
    trod_put(&out.sink, "; shares are of all blocks that ran.");
    return out.text;
}

void trod_page_spans_subpaths(struct trod_page_spans *out,
    const struct trod_online_names *names, const struct trod_map *map,
    const struct trod_subpaths_options *options, struct trod_arena *mem)
{
    struct span_writer s = {.map = map, .mem = mem};
    struct trod_page_span *span;
    struct trod_online_row *row;
    size_t n, all = trod_online_rows(&row, &n, names, options, mem);

    span = trod_new(mem, struct trod_page_span, n);
    for (size_t i = 0; i < n; i++)
        add_row(&span[i], &s, names, &row[i]);
    *out = (struct trod_page_spans){.word = "subpaths",
        .title = subpaths_title(names->subpaths, mem),
        .total = whole(names->subpaths->nblock),
        .span = span,
        .nspan = n,
        .nleft = all - n};
}
