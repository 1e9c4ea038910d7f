#include "flow/unfinished.h"
#include "base/order.h"

#include <string.h>

/* --- functions by the names they are called by ------------------------------------------------------------------------ */

bool trod_flow_stands_for(const struct trod_map *map, uint32_t entry)
{
    const struct trod_map_entry *e = &map->entry[entry];
    struct trod_profile_function f = {.name = e->name_hash,
        .graph = e->graph_hash,
        .cuts = e->cuts_hash,
        .npath = e->chain.nchain};

    return e->numbering.dag && !e->nframe && trod_map_find(map, &f) == e;
}

struct named {
    const char *name;
    uint32_t entry;
};

TROD_ORDER(by_name, struct named, TROD_ALPHABETIC(name), TROD_UP(entry))

static struct named *index_names(
    uint32_t *count, const struct trod_map *map, struct trod_arena *mem)
{
    struct named *named = NULL;
    uint32_t n = 0, room = 0;

    for (uint32_t i = 0; i < map->nentry; i++) {
        if (!trod_flow_stands_for(map, i))
            continue;
        trod_push(mem, named, n, room, ((struct named){map->entry[i].name, i}));
        for (uint32_t k = 0; k < map->entry[i].nalias; k++)
            trod_push(mem, named, n, room, ((struct named){map->entry[i].alias[k], i}));
    }
    trod_sort(named, n, by_name);
    *count = n;
    return named;
}

/* --- calls --------------------------------------------------------------------------------------------------------- */

struct caller {
    struct trod_flow_calls *out;
    const struct trod_flows *flows;
    const struct named *named;
    uint32_t nnamed, room;
    struct trod_arena *mem;
};

static bool is_same_file(const struct trod_map *map, uint32_t a, uint32_t b)
{
    return strcmp(trod_flow_file(&map->entry[a]), trod_flow_file(&map->entry[b])) == 0;
}

/* If several functions have the name, the one in the caller's file; if that has none, any of them may be meant. */
static void add_call(
    struct caller *c, uint32_t from, const char *callee, uint64_t count)
{
    const struct trod_map *map = c->flows->map;
    uint32_t first = TROD_LOWER_BOUND(
        middle, 0, c->nnamed, strcmp(c->named[middle].name, callee) < 0);
    uint32_t end = first, to = TROD_NONE;

    for (; end < c->nnamed && strcmp(c->named[end].name, callee) == 0; end++)
        if (is_same_file(map, from, c->named[end].entry))
            to = c->named[end].entry;
    if (end == first + 1)
        to = c->named[first].entry;
    for (uint32_t i = first; to == TROD_NONE && i < end; i++)
        trod_add(c->out->unsure, c->named[i].entry);
    if (to != TROD_NONE)
        trod_push(c->mem, c->out->call, c->out->ncall, c->room,
            ((struct trod_flow_call){from, to, count}));
}

static void add_calls(struct caller *c, uint32_t from)
{
    const struct trod_flow *flow = &c->flows->of_entry[from];
    const struct trod_map_entry *e = flow->entry;

    for (trod_node v = 0; v < e->numbering.dag->graph->nnode; v++)
        for (uint32_t i = e->first_callee[v];
            flow->count_of_node[v] && i < e->first_callee[v + 1]; i++)
            if (e->callee[i])
                add_call(c, from, e->callee[i], flow->count_of_node[v]);
}

TROD_ORDER(by_callee, struct trod_flow_call, TROD_UP(to), TROD_UP(from))

/* Add up the calls of one function by another. */
static void join_calls(struct trod_flow_calls *out)
{
    uint32_t n = 0;

    trod_sort(out->call, out->ncall, by_callee);
    for (uint32_t i = 0; i < out->ncall; i++) {
        struct trod_flow_call *last = n ? &out->call[n - 1] : NULL;

        if (last && by_callee(last, &out->call[i]) == 0)
            last->count = trod_sat_add(last->count, out->call[i].count);
        else
            out->call[n++] = out->call[i];
    }
    out->ncall = n;
}

void trod_flow_calls_build(
    struct trod_flow_calls *out, const struct trod_flows *flows, struct trod_arena *mem)
{
    struct caller c = {.out = out, .flows = flows, .mem = mem};

    *out = (struct trod_flow_calls){
        .unsure = trod_new(mem, uint64_t, TROD_WORDS(flows->map->nentry))};
    c.named = index_names(&c.nnamed, flows->map, mem);
    for (uint32_t i = 0; i < flows->map->nentry; i++) {
        const struct trod_flow *flow = &flows->of_entry[i];

        if (flow->entry && flow->count_of_node && flow->entry->first_callee)
            add_calls(&c, i);
    }
    join_calls(out);
}

/* --- contradictions --------------------------------------------------------------------------------------------------- */

uint32_t trod_flow_calls_check(struct trod_flow_call_fault **out,
    const struct trod_flow_calls *calls, const struct trod_flows *flows,
    struct trod_arena *mem)
{
    uint32_t n = 0, room = 0;

    *out = NULL;
    for (uint32_t i = 0, end; i < calls->ncall; i = end) {
        uint32_t to = calls->call[i].to;
        const struct trod_flow *flow = &flows->of_entry[to];
        uint64_t called = 0;

        for (end = i; end < calls->ncall && calls->call[end].to == to; end++)
            called = trod_sat_add(called, calls->call[end].count);
        if (called > flow->entered && !trod_has(calls->unsure, to) &&
            trod_flow_all_finished(flow))
            trod_push(mem, *out, n, room,
                ((struct trod_flow_call_fault){to, called, flow->entered}));
    }
    return n;
}
