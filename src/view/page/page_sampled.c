#include "page/kinds.h"

#include <stdlib.h>

/* A sampled subpath of n blocks starts at any of its blocks with equal probability, since rotations are as likely. So
 * each block occurs in samples n times as often as it ran.
 */
struct blocks {
    const struct trod_subpaths *subpaths;
    double *count;      /* [of all functions] */
    uint64_t *nsampled; /* [longest + 1], by length */
    uint64_t nall;
    uint32_t longest;
};

static void count_lengths(struct blocks *b, struct trod_arena *mem)
{
    for (size_t i = 0; i < b->subpaths->nsubpath; i++)
        if (b->longest < b->subpaths->subpath[i].length)
            b->longest = b->subpaths->subpath[i].length;
    b->nsampled = trod_new(mem, uint64_t, (size_t)b->longest + 1);
    for (size_t i = 0; i < b->subpaths->nsubpath; i++) {
        const struct trod_online_subpath *s = &b->subpaths->subpath[i];

        b->nsampled[s->length] = trod_sat_add(b->nsampled[s->length], s->count);
        b->nall = trod_sat_add(b->nall, s->count);
    }
}

/* Each length gives an estimate of its own, weighted by its share of the samples. */
static void add_subpath(struct blocks *b, const struct trod_online_subpath *s)
{
    double part = (double)b->nsampled[s->length] / (double)b->nall,
           each = part * s->estimate / (double)s->length;

    for (uint32_t i = 0; i < s->length; i++)
        b->count[s->block[i]] += each;
}

static uint64_t whole(double value)
{
    return value < 0x1p64 ? (uint64_t)(value + 0.5) : UINT64_MAX;
}

static void fill_flow(struct trod_flow *out, const struct trod_map_entry *entry,
    const double *count, uint32_t nblock, struct trod_arena *mem)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    if (out->npath || g->nnode > nblock)
        return;
    out->entry = entry;
    out->count_of_node = trod_new(mem, uint64_t, g->nnode);
    for (trod_node v = 0; v < g->nnode; v++)
        out->count_of_node[v] = whole(count[v]);
    out->entered = out->count_of_node[g->entry];
}

void trod_page_flows_sampled(struct trod_flows *flows,
    const struct trod_online_names *names, struct trod_arena *mem)
{
    const struct trod_online_blocks *blocks = names->subpaths->blocks;
    struct blocks b = {.subpaths = names->subpaths};

    if (names->subpaths->costs || !blocks->nfunction)
        return;
    count_lengths(&b, mem);
    b.count = trod_new(mem, double, blocks->first[blocks->nfunction]);
    for (size_t i = 0; b.nall && i < names->subpaths->nsubpath; i++)
        add_subpath(&b, &names->subpaths->subpath[i]);
    for (uint32_t f = 0; f < blocks->nfunction; f++) {
        const struct trod_map_entry *entry = names->entry_of_function[f];

        if (entry && entry->numbering.dag)
            fill_flow(&flows->of_entry[entry - flows->map->entry], entry,
                &b.count[blocks->first[f]], blocks->first[f + 1] - blocks->first[f],
                mem);
    }
    flows->exact = names->subpaths->exact;
}
