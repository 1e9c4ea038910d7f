#include "export/propeller.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* A function while its paths are read. */
struct reader {
    const struct trod_graph *graph;
    const struct trod_export_block *block; /* the blocks of the function */
    uint32_t nblock;
    const uint32_t *block_of_node; /* [nnode], or TROD_NONE */
    const bool *
        starts; /* [nblock]: the block is the start of some node, so it can be entered */
    uint32_t *row; /* the blocks of the current path */
    uint32_t n, room;
    struct trod_arena *mem;
};

/* Nodes of machine code are named by their addresses. Other nodes contain no code. */
static bool address_of(uint64_t *out, const struct trod_graph *graph, trod_node v)
{
    const char *name = graph->name_of_node ? graph->name_of_node[v] : "";
    char *end;

    if (strncmp(name, "0x", 2) != 0)
        return false;
    *out = strtoull(name + 2, &end, 16);
    return !*end;
}

/* The block that contains an address. If there are several, the last: the others are empty. */
static uint32_t find(
    const struct trod_export_block *block, size_t nblock, uint64_t address)
{
    size_t from = TROD_LOWER_BOUND(middle, 0, nblock, block[middle].address <= address);

    if (!from || address - block[from - 1].address >= block[from - 1].nbyte)
        return TROD_NONE;
    return (uint32_t)(from - 1);
}

static void push(struct reader *r, uint32_t block)
{
    trod_push(r->mem, r->row, r->n, r->room, block);
}

/* A node may consist of several consecutive blocks if nothing jumps to the later ones. */
static bool goes_on(const struct reader *r, uint32_t b)
{
    return (r->block[b].flags & TROD_BLOCK_FALLS) && b + 1 < r->nblock &&
           !r->starts[b + 1] &&
           r->block[b + 1].address == r->block[b].address + r->block[b].nbyte;
}

/* A block may also consist of several nodes; it is added once. */
static void push_node(struct reader *r, trod_node v)
{
    uint32_t b = r->block_of_node[v];

    if (b == TROD_NONE || (r->n && r->row[r->n - 1] == b))
        return;
    push(r, b);
    while (goes_on(r, b))
        push(r, ++b);
}

/* Blocks that cannot be copied: the entry, landing pads, and calls with a handler, which have labels around them. In a
 * function with landing pads, any call may have a handler.
 */
static const bool *find_fixed(const struct reader *r, uint32_t entry)
{
    bool *fixed = trod_new(r->mem, bool, r->nblock), pads = false;

    fixed[entry] = true;
    for (uint32_t b = 0; b < r->nblock; b++) {
        fixed[b] |= (r->block[b].flags & TROD_BLOCK_PAD) != 0;
        pads |= (r->block[b].flags & TROD_BLOCK_PAD) != 0;
    }
    for (trod_node v = 0; pads && v < r->graph->nnode; v++) {
        uint32_t b = r->block_of_node[v];

        if (b == TROD_NONE || trod_graph_leave(r->graph, v) == TROD_STAYS)
            continue;
        fixed[b] = true;
        while (goes_on(r, b))
            fixed[++b] = true;
    }
    return fixed;
}

static void read_path(struct reader *r, struct trod_propeller_path *out,
    const struct trod_flow *flow, trod_edge *step, const struct trod_profile_path *path)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;
    uint32_t n = trod_number_decode(step, &flow->entry->numbering, path->id);
    trod_edge origin = dag->origin_of_edge[step[n - 1]];
    uint32_t *row;

    r->n = 0;
    for (uint32_t i = 0; i < n; i++)
        if (dag->shape.dst_of_edge[step[i]] != dag->exit)
            push_node(r, dag->shape.dst_of_edge[step[i]]);
    row = trod_new(r->mem, uint32_t, r->n);
    if (r->n)
        memcpy(row, r->row, r->n * sizeof *row);
    *out = (struct trod_propeller_path){.count = path->count,
        .nblock = r->n,
        .block = row,
        .to = origin == TROD_NONE ? TROD_NONE
                                  : r->block_of_node[r->graph->dst_of_edge[origin]]};
}

/* The blocks of the function that begins at the graph's entry. */
static bool find_blocks(struct trod_propeller_function *out,
    const struct trod_export_blocks *blocks, uint64_t entry)
{
    size_t from = TROD_LOWER_BOUND(
        middle, 0, blocks->nblock, blocks->block[middle].function < entry);

    out->block = blocks->block + from;
    while (from + out->nblock < blocks->nblock &&
           out->block[out->nblock].function == entry)
        out->nblock++;
    out->entry = find(out->block, out->nblock, entry);
    return out->entry != TROD_NONE;
}

static void find_nodes(struct reader *r)
{
    uint32_t *block = trod_new(r->mem, uint32_t, r->graph->nnode);
    bool *starts = trod_new(r->mem, bool, r->nblock);

    for (trod_node v = 0; v < r->graph->nnode; v++) {
        uint64_t address;

        block[v] = TROD_NONE;
        if (!address_of(&address, r->graph, v))
            continue;
        block[v] = find(r->block, r->nblock, address);
        if (block[v] != TROD_NONE && r->block[block[v]].address == address)
            starts[block[v]] = true;
    }
    r->block_of_node = block;
    r->starts = starts;
}

bool trod_propeller_function(struct trod_propeller_function *out,
    const struct trod_flow *flow, const struct trod_export_blocks *blocks,
    trod_edge *step, struct trod_arena *mem)
{
    struct trod_propeller_path *path;
    struct reader r = {.graph = flow->entry->numbering.dag->graph, .mem = mem};
    uint64_t entry;

    *out = (struct trod_propeller_function){.name = flow->entry->name};
    if (!address_of(&entry, r.graph, r.graph->entry) ||
        !find_blocks(out, blocks, entry))
        return false;
    r.block = out->block;
    r.nblock = out->nblock;
    find_nodes(&r);
    out->fixed = find_fixed(&r, out->entry);
    path = trod_new(mem, struct trod_propeller_path, flow->npath);
    for (size_t i = 0; i < flow->npath; i++) {
        read_path(&r, &path[out->npath], flow, step, &flow->path[i]);
        out->weight = trod_sat_add(
            out->weight, trod_sat_mul(path[out->npath].count, path[out->npath].nblock));
        out->npath += path[out->npath].nblock > 0;
    }
    out->path = path;
    return true;
}
