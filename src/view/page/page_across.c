#include "page/kinds.h"
#include "base/order.h"

#include <stdlib.h>

/* --- choice of paths -------------------------------------------------------------------------------- */

struct across {
    const struct trod_map_entry *entry; /* with frames */
    uint64_t id, count;
};

/* Pointers to entries are comparable: all are in one array. */
static int by_count(const void *x, const void *y)
{
    const struct across *a = x, *b = y;

    if (a->count != b->count)
        return a->count < b->count ? 1 : -1;
    if (a->entry != b->entry)
        return a->entry < b->entry ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

static const struct trod_flow *flow_of(const struct trod_flows *flows, uint32_t i)
{
    const struct trod_flow *flow = &flows->of_entry[i];

    return flow->entry && flow->entry->nframe && flow->entry->numbering.dag ? flow
                                                                            : NULL;
}

static size_t list_paths(
    struct across **out, const struct trod_flows *flows, struct trod_arena *mem)
{
    size_t n = 0, most = 0;

    for (uint32_t i = 0; i < flows->map->nentry; i++)
        most += flow_of(flows, i) ? flow_of(flows, i)->npath : 0;
    *out = trod_new(mem, struct across, most);
    for (uint32_t i = 0; i < flows->map->nentry; i++) {
        const struct trod_flow *flow = flow_of(flows, i);

        for (size_t k = 0; flow && k < flow->npath; k++)
            if (flow->path[k].id < flow->entry->numbering.npath)
                (*out)[n++] =
                    (struct across){flow->entry, flow->path[k].id, flow->path[k].count};
    }
    trod_sort(*out, n, by_count);
    return n;
}

/* --- blocks by frame ----------------------------------------------------------------------------------- */

struct walker {
    const struct trod_map *map;
    const struct trod_map_entry *entry;
    trod_edge *step;
    uint32_t nstep; /* number of blocks plus 1 */
    struct trod_arena *mem;
};

static uint32_t frame_at(const struct walker *w, uint32_t i)
{
    return trod_map_frame_of(
        w->entry, w->entry->numbering.dag->shape.dst_of_edge[w->step[i]]);
}

static uint32_t depth_of(const struct trod_map_entry *entry, uint32_t frame)
{
    uint32_t depth = 0;

    for (; frame; frame = entry->frame[frame].parent)
        depth++;
    return depth;
}

static void fill_item(struct trod_page_item *out, const struct walker *w, uint32_t from,
    uint32_t to, uint32_t least)
{
    const struct trod_dag *dag = w->entry->numbering.dag;
    uint32_t frame = frame_at(w, from);
    const struct trod_map_frame *of = &w->entry->frame[frame];
    trod_node *node = trod_new(w->mem, trod_node, (size_t)(to - from));
    struct trod_string text;

    for (uint32_t i = from; i < to; i++)
        node[i - from] = dag->shape.dst_of_edge[w->step[i]] - of->first;
    trod_string_init(&text, w->mem);
    trod_path_print_blocks(
        &text.sink, w->map, w->entry, w->step, w->nstep, from, to, w->mem);
    *out = (struct trod_page_item){.depth = depth_of(w->entry, frame) - least,
        .entry = of->of_entry,
        .name = w->map->entry[of->of_entry].display_name,
        .block = node,
        .nblock = to - from,
        .text = text.text};
}

/* Consecutive blocks in the same frame form one item. */
static void fill_items(struct trod_page_span *out, const struct walker *w)
{
    uint32_t nblock = w->nstep - 1, n = 0, least = UINT32_MAX;
    struct trod_page_item *item = trod_new(w->mem, struct trod_page_item, nblock);

    for (uint32_t i = 0; i < nblock; i++) {
        uint32_t depth = depth_of(w->entry, frame_at(w, i));

        least = depth < least ? depth : least;
    }
    for (uint32_t from = 0, to; from < nblock; from = to) {
        to = from + 1;
        while (to < nblock && frame_at(w, to) == frame_at(w, from))
            to++;
        fill_item(&item[n++], w, from, to, least);
    }
    out->item = item;
    out->nitem = n;
}

static void fill_span(struct trod_page_span *out, const struct across *path,
    const struct trod_map *map, struct trod_arena *mem)
{
    struct walker w = {.map = map, .entry = path->entry, .mem = mem};

    w.step = trod_new(mem, trod_edge, path->entry->numbering.dag->nreach + 1);
    w.nstep = trod_number_decode(w.step, &path->entry->numbering, path->id);
    *out = (struct trod_page_span){.count = path->count};
    fill_items(out, &w);
}

void trod_page_spans_across(struct trod_page_spans *out, const struct trod_flows *flows,
    size_t most, struct trod_arena *mem)
{
    struct across *path;
    size_t all = list_paths(&path, flows, mem), n = most < all ? most : all;
    struct trod_page_span *span = trod_new(mem, struct trod_page_span, n);
    uint64_t total = 0;

    for (size_t i = 0; i < all; i++)
        total = trod_sat_add(total, path[i].count);
    for (size_t i = 0; i < n; i++)
        fill_span(&span[i], &path[i], flows->map, mem);
    *out = (struct trod_page_spans){.word = "across",
        .title = "Paths across calls, function by function; shares are of all of them.",
        .total = total,
        .span = span,
        .nspan = n,
        .nleft = all - n};
}
