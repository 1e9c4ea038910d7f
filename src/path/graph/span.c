#include "graph/graph.h"

#include <string.h>

enum { DIGITS = 8, RADIX = 256 };

struct item {
    uint64_t key; /* ~weight: ascending keys are descending weights */
    trod_edge edge;
};

struct histogram {
    uint32_t count[DIGITS][RADIX];
};

static uint32_t digit(uint64_t key, unsigned place)
{
    return key >> (8 * place) & (RADIX - 1);
}

static uint32_t collect(struct item *item, struct histogram *seen,
    const struct trod_graph *shape, const uint64_t *eligible,
    const uint64_t *weight_of_edge)
{
    uint32_t n = 0;

    for (trod_edge e = 0; e < shape->nedge; e++) {
        if (!trod_has(eligible, e))
            continue;
        item[n] = (struct item){~weight_of_edge[e], e};
        for (unsigned place = 0; place < DIGITS; place++)
            seen->count[place][digit(item[n].key, place)]++;
        n++;
    }
    return n;
}

static void sort_by_digit(struct item *to, const struct item *from, uint32_t n,
    const uint32_t count[RADIX], unsigned place)
{
    uint32_t next[RADIX];
    uint32_t total = 0;

    for (uint32_t d = 0; d < RADIX; d++) {
        next[d] = total;
        total += count[d];
    }
    for (uint32_t i = 0; i < n; i++)
        to[next[digit(from[i].key, place)]++] = from[i];
}

/* Stable radix sort, least significant digit first. Digits that are equal in all keys are skipped; most are. Returns
 * the array that holds the result.
 */
static struct item *sort(
    struct item *item, struct item *spare, uint32_t n, const struct histogram *seen)
{
    for (unsigned place = 0; place < DIGITS && n; place++) {
        struct item *sorted = spare;

        if (seen->count[place][digit(item[0].key, place)] == n)
            continue;
        sort_by_digit(spare, item, n, seen->count[place], place);
        spare = item;
        item = sorted;
    }
    return item;
}

/* With path halving. */
static trod_node find(trod_node *lead, trod_node v)
{
    while (lead[v] != v) {
        lead[v] = lead[lead[v]];
        v = lead[v];
    }
    return v;
}

void trod_graph_span(uint64_t *tree, const struct trod_graph *shape,
    const uint64_t *eligible, const uint64_t *weight_of_edge, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct histogram *seen = trod_new(mem, struct histogram, 1);
    struct item *item = trod_new(mem, struct item, shape->nedge);
    struct item *spare = trod_new(mem, struct item, shape->nedge);
    trod_node *lead = trod_new(mem, trod_node, shape->nnode);
    uint32_t n = collect(item, seen, shape, eligible, weight_of_edge);

    item = sort(item, spare, n, seen);
    for (trod_node v = 0; v < shape->nnode; v++)
        lead[v] = v;
    for (uint32_t i = 0; i < n; i++) {
        trod_node a = find(lead, shape->src_of_edge[item[i].edge]);
        trod_node b = find(lead, shape->dst_of_edge[item[i].edge]);

        if (a != b) {
            lead[a] = b;
            trod_add(tree, item[i].edge);
        }
    }
    trod_arena_rewind(mem, mark);
}
