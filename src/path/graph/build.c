#include "graph/graph.h"

#include <stdio.h>
#include <string.h>

void trod_graph_builder_init(
    struct trod_graph_builder *builder, const char *name, struct trod_arena *mem)
{
    *builder = (struct trod_graph_builder){.mem = mem, .name = name};
}

void trod_graph_builder_add(
    struct trod_graph_builder *builder, trod_node src, trod_node dst)
{
    trod_push(builder->mem, builder->arc, builder->narc, builder->room,
        (struct trod_graph_arc){.src = src, .dst = dst});
}

/* Prefix sums: first[v] = sum of count[0..v-1]. */
static void sum_up(uint32_t *first, uint32_t nnode)
{
    uint32_t total = 0;

    for (uint32_t v = 0; v <= nnode; v++) {
        uint32_t count = first[v];

        first[v] = total;
        total += count;
    }
}

void trod_graph_fill_in(struct trod_graph *g, struct trod_arena *mem)
{
    uint32_t *first_in = trod_new(mem, uint32_t, (size_t)g->nnode + 1);
    trod_edge *in_edge = trod_new(mem, trod_edge, g->nedge);
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *next = trod_new(mem, uint32_t, g->nnode);

    for (trod_edge e = 0; e < g->nedge; e++)
        first_in[g->dst_of_edge[e]]++;
    sum_up(first_in, g->nnode);
    memcpy(next, first_in, g->nnode * sizeof *next);
    for (trod_edge e = 0; e < g->nedge; e++)
        in_edge[next[g->dst_of_edge[e]]++] = e;
    trod_arena_rewind(mem, mark);
    g->first_in = first_in;
    g->in_edge = in_edge;
}

void trod_graph_build(struct trod_graph *out, const struct trod_graph_builder *builder)
{
    struct trod_arena *mem = builder->mem;
    uint32_t nnode = builder->nnode, nedge = builder->narc;
    uint32_t *first_out = trod_new(mem, uint32_t, (size_t)nnode + 1);
    trod_node *src = trod_new(mem, trod_node, nedge);
    trod_node *dst = trod_new(mem, trod_node, nedge);
    uint64_t *weight = builder->weighted ? trod_new(mem, uint64_t, nedge) : NULL;
    bool *cut = NULL;
    struct trod_mark mark;
    uint32_t *next;

    assert(nnode > 0 && builder->entry < nnode);
    for (uint32_t a = 0; a < nedge; a++) {
        assert(builder->arc[a].src < nnode && builder->arc[a].dst < nnode);
        first_out[builder->arc[a].src]++;
        if (builder->arc[a].cut && !cut)
            cut = trod_new(mem, bool, nedge);
    }
    sum_up(first_out, nnode);
    mark = trod_arena_mark(mem);
    next = trod_new(mem, uint32_t, nnode);
    memcpy(next, first_out, nnode * sizeof *next);
    for (uint32_t a = 0; a < nedge; a++) {
        const struct trod_graph_arc *arc = &builder->arc[a];
        trod_edge e = next[arc->src]++;

        src[e] = arc->src;
        dst[e] = arc->dst;
        if (weight)
            weight[e] = arc->weight;
        if (cut)
            cut[e] = arc->cut;
    }
    trod_arena_rewind(mem, mark);
    *out = (struct trod_graph){.name = builder->name,
        .nnode = nnode,
        .nedge = nedge,
        .entry = builder->entry,
        .first_out = first_out,
        .src_of_edge = src,
        .dst_of_edge = dst,
        .name_of_node = builder->name_of_node,
        .weight_of_edge = weight,
        .cut_of_edge = cut,
        .leave_of_node = builder->leave_of_node};
    trod_graph_fill_in(out, mem);
}

const char *trod_graph_node_name(
    const struct trod_graph *graph, trod_node node, char buffer[16])
{
    if (graph->name_of_node)
        return graph->name_of_node[node];
    snprintf(buffer, 16, "%u", node);
    return buffer;
}

uint64_t trod_graph_hash(const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_order order;
    uint64_t hash = 0;

    trod_graph_order(&order, graph, mem);
    hash = trod_mix(hash, order.nreach);
    /* Nodes are identified by their position in post-order, which depends only on the shape and the order of
     * successors.
     */
    for (uint32_t i = order.nreach; i-- > 0;) {
        trod_node v = order.post[i];

        hash = trod_mix(hash, graph->first_out[v + 1] - graph->first_out[v]);
        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++)
            hash = trod_mix(hash, order.post_of_node[graph->dst_of_edge[e]]);
    }
    trod_arena_rewind(mem, mark);
    return hash;
}
