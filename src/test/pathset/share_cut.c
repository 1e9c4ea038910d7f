#include "pathset/pathset.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 4 }; /* edges tried to divide a group */

/* A division of a group: some paths move, and join the target's group. */
struct cutter {
    struct trod_partitioner *s;
    struct trod_share_cut *best; /* so far */
    struct trod_share_group *group,
        *other; /* other: NULL: the target has no such group */
    uint32_t target;
    const struct trod_list_function *listed;
    const uint32_t *site_of_path;
    uint8_t *moved;             /* [listed->count] */
    trod_path *stay_id, *go_id; /* [listed->count] */
    double stay_load, go_load;
    bool wide; /* also try divisions that are unlikely to balance */
};

static void evaluate(struct cutter *p)
{
    struct trod_partitioner *s = p->s;
    struct trod_pathset stay = {.id = p->stay_id}, go = {.id = p->go_id};
    struct trod_share_cut cut = {
        .target = p->target, .group = p->group, .other = p->other};

    for (size_t k = 0; k < p->listed->count; k++)
        if (p->site_of_path[k] == p->group->site && !p->moved[k])
            p->stay_id[stay.count++] = p->listed->id[k];
        else if (p->site_of_path[k] == p->group->site ||
                 p->site_of_path[k] == p->target)
            p->go_id[go.count++] = p->listed->id[k];
    cut.stay = trod_partition_price(s, p->group->function, &stay);
    cut.go = trod_partition_price(s, p->group->function, &go);
    p->stay_load = s->load_of_site[p->group->site] - p->group->load +
                   trod_share_load(&cut.stay, &s->once);
    p->go_load = s->load_of_site[p->target] - (p->other ? p->other->load : 0) +
                 trod_share_load(&cut.go, &s->once);
    cut.worse = p->stay_load > p->go_load ? p->stay_load : p->go_load;
    if (cut.worse < p->best->worse) {
        cut.moved = p->best->moved;
        memcpy(cut.moved, p->moved, p->listed->count);
        *p->best = cut;
    }
}

struct keyed {
    uint64_t key;
    size_t path; /* in listed */
};

TROD_ORDER(by_key, struct keyed, TROD_UP(key), TROD_UP(path))

static bool is_even(const struct cutter *p)
{
    double off = p->stay_load - p->go_load;

    return (off < 0 ? -off : off) < p->s->fair / TROD_SHARE_GAIN;
}

/* Try divisions where a prefix of an order stays, or moves; its length is found by bisection. */
static void try_order(struct cutter *p, const struct keyed *order, bool first_go)
{
    size_t low = 0, high = p->group->count, middle = first_go ? high : 0;

    while (p->s->work) {
        for (size_t i = 0; i < p->group->count; i++)
            p->moved[order[i].path] = (i < middle) == first_go;
        evaluate(p);
        if ((p->stay_load > p->go_load) == first_go)
            low = middle;
        else
            high = middle;
        if (high - low < 2 || high == 0 || low == p->group->count || is_even(p))
            break;
        middle = low + (high - low) / 2;
    }
    memset(p->moved, 0, p->listed->count);
}

/* Edge values that number paths from the end: adjacent paths in this order have common suffixes. */
static void fill_from_end(
    uint64_t *val_of_edge, const struct trod_dag *dag, struct trod_arena *mem)
{
    const struct trod_graph *shape = &dag->shape;
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *up = trod_new(mem, uint64_t, shape->nnode);

    trod_dag_count(NULL, up, dag);
    for (trod_node v = 0; v < shape->nnode; v++) {
        uint64_t before = 0;

        for (uint32_t i = shape->first_in[v]; i < shape->first_in[v + 1]; i++) {
            val_of_edge[shape->in_edge[i]] = before;
            before += up[shape->src_of_edge[shape->in_edge[i]]];
        }
    }
    trod_arena_rewind(mem, mark);
}

/* The same, with prefixes of one to seven eighths. */
static void try_eighths(struct cutter *p, const struct keyed *order, bool first_go)
{
    for (size_t eighth = 1; eighth < 8 && p->s->work; eighth++) {
        size_t middle = p->group->count * eighth / 8;

        for (size_t i = 0; i < p->group->count; i++)
            p->moved[order[i].path] = (i < middle) == first_go;
        if (middle)
            evaluate(p);
    }
    memset(p->moved, 0, p->listed->count);
}

static void try_both_ways(struct cutter *p, struct keyed *order)
{
    trod_sort(order, p->group->count, by_key);
    for (int first_go = 0; first_go < 2; first_go++)
        if (p->wide)
            try_eighths(p, order, first_go);
        else
            try_order(p, order, first_go);
}

static void try_orders(struct cutter *p)
{
    struct trod_partitioner *s = p->s;
    const struct trod_numbering *ballarus = &s->pricer[p->group->function].ballarus;
    struct keyed *order = trod_new(s->mem, struct keyed, p->group->count);
    uint64_t *from_end = trod_new(s->mem, uint64_t, ballarus->dag->shape.nedge);
    trod_edge *step = trod_new(s->mem, trod_edge, ballarus->dag->nreach);
    size_t n = 0;

    for (size_t k = 0; k < p->listed->count; k++)
        if (p->site_of_path[k] == p->group->site)
            order[n++] = (struct keyed){p->listed->id[k], k};
    assert(n == p->group->count);
    try_both_ways(p, order);
    fill_from_end(from_end, ballarus->dag, s->mem);
    for (size_t i = 0; i < n; i++) {
        uint32_t nstep =
            trod_number_decode(step, ballarus, p->listed->id[order[i].path]);

        order[i].key = 0;
        for (uint32_t k = 0; k < nstep; k++)
            order[i].key += from_end[step[k]];
    }
    try_both_ways(p, order);
}

/* --- by an edge --------------------------------------------------------------------------------------- */

/* The paths of a group that contain an edge. Edges with equal hashes divide the group alike. */
struct crossed {
    uint64_t weight, hash;
    size_t count;
    trod_edge edge;
    double off; /* distance from the desired weight */
};

TROD_ORDER(by_off, struct crossed, TROD_UP(off), TROD_UP(hash), TROD_UP(edge))

static uint64_t count_of(const struct trod_ran_function *ran, trod_path id)
{
    size_t low = 0, high = ran ? ran->npath : 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ran->path[middle].id == id)
            return ran->path[middle].count;
        if (ran->path[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return 0;
}

static uint64_t fill_crossed(
    struct crossed *of_edge, const struct cutter *p, trod_edge *step)
{
    struct trod_partitioner *s = p->s;
    const struct trod_numbering *ballarus = &s->pricer[p->group->function].ballarus;
    const struct trod_ran_function *ran =
        s->ran ? trod_ran_find(s->ran, &p->listed->function) : NULL;
    uint64_t all = 0;

    for (size_t k = 0; k < p->listed->count; k++) {
        uint64_t weight = trod_sat_add(1, count_of(ran, p->listed->id[k]));
        uint32_t n;

        if (p->site_of_path[k] != p->group->site)
            continue;
        all = trod_sat_add(all, weight);
        n = trod_number_decode(step, ballarus, p->listed->id[k]);
        for (uint32_t i = 0; i < n; i++) {
            struct crossed *c = &of_edge[step[i]];

            c->weight = trod_sat_add(c->weight, weight);
            c->hash += trod_mix(1, k);
            c->count++;
            c->edge = step[i];
        }
    }
    return all;
}

static void part_by(struct cutter *p, trod_edge edge, bool across, trod_edge *step)
{
    const struct trod_numbering *ballarus = &p->s->pricer[p->group->function].ballarus;

    for (size_t k = 0; k < p->listed->count; k++) {
        bool crosses = false;
        uint32_t n;

        if (p->site_of_path[k] != p->group->site)
            continue;
        n = trod_number_decode(step, ballarus, p->listed->id[k]);
        for (uint32_t i = 0; i < n; i++)
            crosses |= step[i] == edge;
        p->moved[k] = crosses == across;
    }
    evaluate(p);
    memset(p->moved, 0, p->listed->count);
}

static void try_edges(struct cutter *p)
{
    struct trod_partitioner *s = p->s;
    const struct trod_dag *dag = s->pricer[p->group->function].ballarus.dag;
    struct crossed *c = trod_new(s->mem, struct crossed, dag->shape.nedge);
    trod_edge *step = trod_new(s->mem, trod_edge, dag->nreach);
    double all = (double)fill_crossed(c, p, step), ideal;
    uint32_t n = 0, ntried = 0, most = p->wide ? 4 * MOST_EDGES : MOST_EDGES;

    /* The weight that would balance the two sites, if load were proportional to weight. */
    ideal = (s->load_of_site[p->group->site] - s->load_of_site[p->target]) / 2 /
            p->group->load;
    for (trod_edge e = 0; e < dag->shape.nedge; e++) {
        double weight = (double)c[e].weight / all, off = weight - ideal,
               off_rest = 1 - weight - ideal;

        if (!c[e].count || c[e].count == p->group->count)
            continue;
        off = off < 0 ? -off : off;
        off_rest = off_rest < 0 ? -off_rest : off_rest;
        c[e].off = off < off_rest ? off : off_rest;
        c[n++] = c[e];
    }
    trod_sort(c, n, by_off);
    for (uint32_t i = 0; i < n && ntried < most && s->work; i++) {
        if (i && c[i].hash == c[i - 1].hash)
            continue;
        part_by(p, c[i].edge, true, step);
        part_by(p, c[i].edge, false, step);
        ntried++;
    }
}

static struct trod_share_group *group_at(
    const struct trod_partitioner *s, size_t function, uint32_t site)
{
    for (size_t i = 0; i < s->ngroup; i++)
        if (s->group[i].count && s->group[i].function == function &&
            s->group[i].site == site)
            return &s->group[i];
    return NULL;
}

void trod_partition_cut(struct trod_share_cut *best, struct trod_partitioner *s,
    struct trod_share_group *group, uint32_t to)
{
    struct trod_mark mark = trod_arena_mark(s->mem);
    struct cutter p = {.s = s,
        .best = best,
        .group = group,
        .other = group_at(s, group->function, to),
        .target = to,
        .listed = &s->list->function[group->function],
        .site_of_path = s->site_of_path[group->function]};

    p.moved = trod_new(s->mem, uint8_t, p.listed->count);
    p.stay_id = trod_new(s->mem, trod_path, p.listed->count);
    p.go_id = trod_new(s->mem, trod_path, p.listed->count);
    try_orders(&p);
    try_edges(&p);
    if (!best->group) {
        p.wide = true;
        try_orders(&p);
        try_edges(&p);
    }
    trod_arena_rewind(s->mem, mark);
}
