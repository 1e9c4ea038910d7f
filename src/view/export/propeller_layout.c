#include "export/propeller.h"
#include "base/order.h"

#include <stdlib.h>

/* A redirection: an edge of a node to `block` that leads to the copy `to`. */
struct turn {
    uint32_t block, to, next; /* next of the same node, or TROD_NONE */
};

struct edge {
    uint32_t from, to;
    uint64_t count;
    uint32_t next; /* of the same source, or TROD_NONE */
};

struct layout {
    const struct trod_propeller_function *function;
    struct trod_propeller_node *node; /* blocks, then copies */
    uint32_t nnode;
    uint32_t *turn_of_node; /* first, or TROD_NONE */
    struct turn *turn;
    uint32_t nturn, room_turn;
    uint32_t *edge_of_node; /* first, or TROD_NONE */
    struct edge *edge;
    uint32_t nedge, room_edge;
    uint64_t *count_of_node;
    uint32_t *next, *last_of_first, *first_of_last; /* chains of nodes */
    struct trod_arena *mem;
};

/* --- clones, as LLVM makes them ------------------------------------------------------------ */

static uint32_t *turn_at(struct layout *b, uint32_t node, uint32_t block)
{
    uint32_t *at = &b->turn_of_node[node];

    while (*at < b->nturn && b->turn[*at].block != block)
        at = &b->turn[*at].next;
    return at;
}

static void turn(struct layout *b, uint32_t node, uint32_t block, uint32_t to)
{
    uint32_t at = *turn_at(b, node, block);

    if (at < b->nturn) {
        b->turn[at].to = to;
        return;
    }
    trod_reserve(b->mem, b->turn, b->nturn, b->room_turn);
    b->turn[b->nturn] = (struct turn){block, to, b->turn_of_node[node]};
    b->turn_of_node[node] = b->nturn++;
}

static uint32_t follow(struct layout *b, uint32_t node, uint32_t block)
{
    uint32_t at = *turn_at(b, node, block);

    return at < b->nturn ? b->turn[at].to : block;
}

/* A copy has the redirections that its block has at that time. */
static void make_clone(struct layout *b, const struct trod_propeller_clone *clone,
    uint32_t *ncopy_of_block)
{
    uint32_t before = clone->block[0];

    for (uint32_t i = 1; i < clone->nblock; i++) {
        uint32_t block = clone->block[i], node = b->nnode++;

        b->node[node] = (struct trod_propeller_node){block, ++ncopy_of_block[block]};
        b->turn_of_node[node] = TROD_NONE;
        for (uint32_t t = b->turn_of_node[block]; t < b->nturn; t = b->turn[t].next)
            turn(b, node, b->turn[t].block, b->turn[t].to);
        turn(b, before, block, node);
        before = node;
    }
}

/* --- edge counts ----------------------------------------------------------------------------- */

static void add_edge(struct layout *b, uint32_t from, uint32_t to, uint64_t count)
{
    uint32_t at = b->edge_of_node[from];

    while (at < b->nedge && b->edge[at].to != to)
        at = b->edge[at].next;
    if (at >= b->nedge) {
        trod_reserve(b->mem, b->edge, b->nedge, b->room_edge);
        at = b->nedge++;
        b->edge[at] = (struct edge){from, to, 0, b->edge_of_node[from]};
        b->edge_of_node[from] = at;
    }
    b->edge[at].count = trod_sat_add(b->edge[at].count, count);
}

/* A path starts at the original block: clones contain no cut edges. */
static void walk(struct layout *b, const struct trod_propeller_path *path)
{
    uint32_t node = path->block[0];

    for (uint32_t i = 0; i < path->nblock; i++) {
        uint32_t to = i ? follow(b, node, path->block[i]) : node;

        if (i)
            add_edge(b, node, to, path->count);
        node = to;
        b->count_of_node[node] = trod_sat_add(b->count_of_node[node], path->count);
    }
    if (path->to != TROD_NONE)
        add_edge(b, node, follow(b, node, path->to), path->count);
}

/* --- block order ------------------------------------------------------------------------------ */

TROD_ORDER(by_count, struct edge, TROD_DOWN(count), TROD_UP(from), TROD_UP(to))

/* For each edge, hottest first, join two chains if it leads from the end of one to the start of another. */
static void link_chains(struct layout *b)
{
    struct edge *edge = trod_new(b->mem, struct edge, b->nedge);

    for (uint32_t i = 0; i < b->nedge; i++)
        edge[i] = b->edge[i];
    trod_sort(edge, b->nedge, by_count);
    for (uint32_t i = 0; i < b->nedge; i++) {
        uint32_t from = edge[i].from, to = edge[i].to;
        uint32_t first = b->first_of_last[from], last = b->last_of_first[to];

        if (first == TROD_NONE || last == TROD_NONE || first == to ||
            to == b->function->entry)
            continue;
        b->next[from] = to;
        b->first_of_last[from] = b->last_of_first[to] = TROD_NONE;
        b->first_of_last[last] = first;
        b->last_of_first[first] = last;
    }
}

struct chain {
    uint32_t first;
    uint64_t hottest;
    bool entry;
};

static int by_heat(const void *x, const void *y)
{
    const struct chain *a = x, *b = y;

    if (a->entry != b->entry)
        return a->entry ? -1 : 1;
    if (a->hottest != b->hottest)
        return a->hottest > b->hottest ? -1 : 1;
    return (a->first > b->first) - (a->first < b->first);
}

static uint32_t list_chains(struct chain *out, const struct layout *b)
{
    uint32_t n = 0;

    for (uint32_t v = 0; v < b->nnode; v++) {
        struct chain chain = {.first = v, .entry = v == b->function->entry};

        if (b->last_of_first[v] == TROD_NONE || (!b->count_of_node[v] && !chain.entry))
            continue;
        for (uint32_t u = v; u != TROD_NONE; u = b->next[u])
            if (b->count_of_node[u] > chain.hottest)
                chain.hottest = b->count_of_node[u];
        out[n++] = chain;
    }
    trod_sort(out, n, by_heat);
    return n;
}

static void put_layout(struct trod_propeller_layout *out, const struct layout *b)
{
    struct trod_propeller_node *node =
        trod_new(b->mem, struct trod_propeller_node, b->nnode);
    uint32_t *behind = trod_new(b->mem, uint32_t, b->nnode);
    struct chain *chain = trod_new(b->mem, struct chain, b->nnode);
    uint32_t nchain = list_chains(chain, b), before = TROD_NONE;

    *out = (struct trod_propeller_layout){.node = node};
    for (uint32_t i = 0; i < nchain; i++)
        for (uint32_t v = chain[i].first; v != TROD_NONE; v = b->next[v]) {
            node[out->nnode++] = b->node[v];
            behind[v] = TROD_NONE;
            if (before != TROD_NONE)
                behind[before] = v;
            before = v;
        }
    for (uint32_t i = 0; i < b->nedge; i++) {
        uint64_t *to =
            behind[b->edge[i].from] == b->edge[i].to ? &out->falls : &out->jumps;

        *to = trod_sat_add(*to, b->edge[i].count);
    }
}

static void start(struct layout *b, uint32_t most)
{
    b->node = trod_new(b->mem, struct trod_propeller_node, most);
    b->turn_of_node = trod_new(b->mem, uint32_t, most);
    b->edge_of_node = trod_new(b->mem, uint32_t, most);
    b->count_of_node = trod_new(b->mem, uint64_t, most);
    b->next = trod_new(b->mem, uint32_t, most);
    b->last_of_first = trod_new(b->mem, uint32_t, most);
    b->first_of_last = trod_new(b->mem, uint32_t, most);
    for (uint32_t v = 0; v < most; v++) {
        b->node[v].block = v;
        b->turn_of_node[v] = b->edge_of_node[v] = b->next[v] = TROD_NONE;
        b->last_of_first[v] = b->first_of_last[v] = v;
    }
    b->nnode = b->function->nblock;
}

void trod_propeller_layout(struct trod_propeller_layout *out,
    const struct trod_propeller_function *function,
    const struct trod_propeller_clone *clone, uint32_t nclone, struct trod_arena *mem)
{
    struct layout b = {.function = function, .mem = mem};
    uint32_t *ncopy_of_block = trod_new(mem, uint32_t, function->nblock);
    uint32_t most = function->nblock;

    for (uint32_t i = 0; i < nclone; i++)
        most += clone[i].nblock - 1;
    start(&b, most);
    for (uint32_t i = 0; i < nclone; i++)
        make_clone(&b, &clone[i], ncopy_of_block);
    for (size_t i = 0; i < function->npath; i++)
        walk(&b, &function->path[i]);
    link_chains(&b);
    put_layout(out, &b);
}
