#include "chosen/chosen.h"

#include <stdlib.h>
#include <string.h>

enum {
    EVEN = 256,    /* sites are even when loads differ by such a part of a fair share */
    GAIN = 1024,   /* what a change must gain: such a part of it */
    CUT_GAIN = 64, /* what a cut must gain, beyond what can be had without */
    MOST_CUT = 3,  /* groups of a site that are tried, the most expensive ones */
    MOST_EDGES = 4,          /* edges that a group is parted by */
    MOST_LOOKS = 1000000000, /* at pairs of groups */
    MOST_CHANGES = 1000      /* and some for each site */
};

/* Something to do about the load of a site. */
struct change {
    enum { NOTHING, MOVE, SWAP, CUT } kind;
    double worse;    /* the higher load of the two sites afterwards */
    uint32_t target; /* the other site */
    struct trod_share_group *group, *other;
    struct trod_price stay, go; /* CUT: of what stays and of what the target has then */
    uint8_t *moved;             /* CUT: [paths of the function] */
};

struct balancing {
    struct trod_sharing *s;
    uint32_t site;              /* whose load is to be lower */
    struct change best;         /* so far */
    uint64_t nlook;             /* groups that may still be looked at for an exchange */
    trod_path *stay_id, *go_id; /* room for the paths of any function */
};

/* --- groups ------------------------------------------------------------------------------------ */

static bool is_whole(const struct trod_sharing *s, const struct trod_share_group *g)
{
    return g->count && g->count == s->list->function[g->function].count;
}

static struct trod_share_group *group_at(
    const struct trod_sharing *s, size_t function, uint32_t site)
{
    for (size_t i = 0; i < s->ngroup; i++)
        if (s->group[i].count && s->group[i].function == function &&
            s->group[i].site == site)
            return &s->group[i];
    return NULL;
}

static void sum_load(struct trod_sharing *s, uint32_t site)
{
    s->load_of_site[site] = 0;
    for (size_t i = 0; i < s->ngroup; i++)
        if (s->group[i].count && s->group[i].site == site)
            s->load_of_site[site] += s->group[i].load;
}

/* --- whole functions: moved, or exchanged ------------------------------------------------------- */

static void offer(struct balancing *b, const struct change *change)
{
    if (change->worse < b->best.worse) {
        uint8_t *moved = b->best.moved;

        b->best = *change;
        b->best.moved = moved;
    }
}

static double higher(double a, double b)
{
    return a > b ? a : b;
}

static void try_move(struct balancing *b, struct trod_share_group *g, uint32_t to)
{
    const double *load = b->s->load_of_site;

    offer(b, &(struct change){.kind = MOVE,
                 .worse = higher(load[b->site] - g->load, load[to] + g->load),
                 .target = to,
                 .group = g});
}

static void try_swaps(struct balancing *b, struct trod_share_group *g)
{
    struct trod_sharing *s = b->s;
    const double *load = s->load_of_site;

    if (b->nlook < s->ngroup)
        return;
    b->nlook -= s->ngroup;
    for (size_t i = 0; i < s->ngroup; i++) {
        struct trod_share_group *h = &s->group[i];

        if (h->site == b->site || !(h->load < g->load) || !is_whole(s, h))
            continue;
        offer(b, &(struct change){.kind = SWAP,
                     .worse = higher(load[b->site] - g->load + h->load,
                         load[h->site] + g->load - h->load),
                     .target = h->site,
                     .group = g,
                     .other = h});
    }
}

static void try_whole(struct balancing *b, uint32_t least)
{
    struct trod_sharing *s = b->s;

    for (size_t i = 0; i < s->ngroup; i++) {
        struct trod_share_group *g = &s->group[i];

        if (g->site != b->site || !is_whole(s, g))
            continue;
        try_move(b, g, least);
        try_swaps(b, g);
    }
}

/* --- groups in two ------------------------------------------------------------------------------- */

/* One group, and how its paths may be parted: those that are moved join what the target has. */
struct parting {
    struct balancing *b;
    struct trod_share_group *group, *other; /* other: NULL: the target has none */
    uint32_t target;
    const struct trod_list_function *listed;
    const uint32_t *site_of_path;
    uint8_t *moved; /* [listed->count] */
    double stay_load, go_load;
    bool wide; /* look where no balance is to be expected, too */
};

static void evaluate(struct parting *p)
{
    struct balancing *b = p->b;
    struct trod_sharing *s = b->s;
    struct trod_pathset stay = {.id = b->stay_id}, go = {.id = b->go_id};
    struct change change = {
        .kind = CUT, .target = p->target, .group = p->group, .other = p->other};

    for (size_t k = 0; k < p->listed->count; k++)
        if (p->site_of_path[k] == b->site && !p->moved[k])
            b->stay_id[stay.count++] = p->listed->id[k];
        else if (p->site_of_path[k] == b->site || p->site_of_path[k] == p->target)
            b->go_id[go.count++] = p->listed->id[k];
    change.stay = trod_sharing_price(s, p->group->function, &stay);
    change.go = trod_sharing_price(s, p->group->function, &go);
    p->stay_load = s->load_of_site[b->site] - p->group->load +
                   trod_share_load(&change.stay, &s->once);
    p->go_load = s->load_of_site[p->target] - (p->other ? p->other->load : 0) +
                 trod_share_load(&change.go, &s->once);
    change.worse = higher(p->stay_load, p->go_load);
    if (change.worse < b->best.worse) {
        memcpy(b->best.moved, p->moved, p->listed->count);
        offer(b, &change);
    }
}

struct keyed {
    uint64_t key;
    size_t path; /* in listed */
};

static int by_key(const void *x, const void *y)
{
    const struct keyed *a = x, *b = y;

    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return (a->path > b->path) - (a->path < b->path);
}

static bool is_even(const struct parting *p)
{
    double off = p->stay_load - p->go_load;

    return (off < 0 ? -off : off) < p->b->s->fair / CUT_GAIN;
}

/* The first of an order stay, or go; how many, is found by halving. */
static void try_order(struct parting *p, const struct keyed *order, bool first_go)
{
    size_t low = 0, high = p->group->count, middle = first_go ? high : 0;

    while (p->b->s->work) {
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

/* Values that number paths from their ends: in this order neighbours share how they end. */
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

/* The same at every eighth. */
static void try_eighths(struct parting *p, const struct keyed *order, bool first_go)
{
    for (size_t eighth = 1; eighth < 8 && p->b->s->work; eighth++) {
        size_t middle = p->group->count * eighth / 8;

        for (size_t i = 0; i < p->group->count; i++)
            p->moved[order[i].path] = (i < middle) == first_go;
        if (middle)
            evaluate(p);
    }
    memset(p->moved, 0, p->listed->count);
}

static void try_both_ways(struct parting *p, struct keyed *order)
{
    qsort(order, p->group->count, sizeof *order, by_key);
    for (int first_go = 0; first_go < 2; first_go++)
        if (p->wide)
            try_eighths(p, order, first_go);
        else
            try_order(p, order, first_go);
}

static void try_orders(struct parting *p)
{
    struct trod_sharing *s = p->b->s;
    const struct trod_numbering *ballarus = &s->pricer[p->group->function].ballarus;
    struct keyed *order = trod_new(s->mem, struct keyed, p->group->count);
    uint64_t *from_end = trod_new(s->mem, uint64_t, ballarus->dag->shape.nedge);
    trod_edge *step = trod_new(s->mem, trod_edge, ballarus->dag->nreach);
    size_t n = 0;

    for (size_t k = 0; k < p->listed->count; k++)
        if (p->site_of_path[k] == p->b->site)
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

/* The paths of a group across an edge: edges with the same ones are alike. */
struct crossed {
    uint64_t weight, hash;
    size_t count;
    trod_edge edge;
    double off; /* how far from what should be moved */
};

static int by_off(const void *x, const void *y)
{
    const struct crossed *a = x, *b = y;

    if (a->off < b->off || a->off > b->off)
        return a->off < b->off ? -1 : 1;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return (a->edge > b->edge) - (a->edge < b->edge);
}

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
    struct crossed *of_edge, const struct parting *p, trod_edge *step)
{
    struct trod_sharing *s = p->b->s;
    const struct trod_numbering *ballarus = &s->pricer[p->group->function].ballarus;
    const struct trod_ran_function *ran =
        s->ran ? trod_ran_find(s->ran, &p->listed->function) : NULL;
    uint64_t all = 0;

    for (size_t k = 0; k < p->listed->count; k++) {
        uint64_t weight = trod_sat_add(1, count_of(ran, p->listed->id[k]));
        uint32_t n;

        if (p->site_of_path[k] != p->b->site)
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

static void part_by(struct parting *p, trod_edge edge, bool across, trod_edge *step)
{
    const struct trod_numbering *ballarus =
        &p->b->s->pricer[p->group->function].ballarus;

    for (size_t k = 0; k < p->listed->count; k++) {
        bool crosses = false;
        uint32_t n;

        if (p->site_of_path[k] != p->b->site)
            continue;
        n = trod_number_decode(step, ballarus, p->listed->id[k]);
        for (uint32_t i = 0; i < n; i++)
            crosses |= step[i] == edge;
        p->moved[k] = crosses == across;
    }
    evaluate(p);
    memset(p->moved, 0, p->listed->count);
}

static void try_edges(struct parting *p)
{
    struct trod_sharing *s = p->b->s;
    const struct trod_dag *dag = s->pricer[p->group->function].ballarus.dag;
    struct crossed *c = trod_new(s->mem, struct crossed, dag->shape.nedge);
    trod_edge *step = trod_new(s->mem, trod_edge, dag->nreach);
    double all = (double)fill_crossed(c, p, step), ideal;
    uint32_t n = 0, ntried = 0, most = p->wide ? 4 * MOST_EDGES : MOST_EDGES;

    /* What would balance the two, if loads were as weights. */
    ideal =
        (s->load_of_site[p->b->site] - s->load_of_site[p->target]) / 2 / p->group->load;
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
    if (n)
        qsort(c, n, sizeof *c, by_off);
    for (uint32_t i = 0; i < n && ntried < most && s->work; i++) {
        if (i && c[i].hash == c[i - 1].hash)
            continue;
        part_by(p, c[i].edge, true, step);
        part_by(p, c[i].edge, false, step);
        ntried++;
    }
}

static void try_cut(struct balancing *b, struct trod_share_group *g, uint32_t to)
{
    struct trod_sharing *s = b->s;
    struct trod_mark mark = trod_arena_mark(s->mem);
    struct parting p = {.b = b,
        .group = g,
        .other = group_at(s, g->function, to),
        .target = to,
        .listed = &s->list->function[g->function],
        .site_of_path = s->site_of_path[g->function]};

    p.moved = trod_new(s->mem, uint8_t, p.listed->count);
    try_orders(&p);
    try_edges(&p);
    if (b->best.kind != CUT) {
        p.wide = true;
        try_orders(&p);
        try_edges(&p);
    }
    trod_arena_rewind(s->mem, mark);
}

/* The next group of a site: the most expensive one that costs less than the one before. */
static struct trod_share_group *next_group(
    const struct balancing *b, const struct trod_share_group *before)
{
    struct trod_share_group *next = NULL;

    for (size_t i = 0; i < b->s->ngroup; i++) {
        struct trod_share_group *g = &b->s->group[i];

        if (!g->count || g->site != b->site)
            continue;
        if (before &&
            (g->load > before->load || (g->load >= before->load && g <= before)))
            continue;
        if (!next || g->load > next->load)
            next = g;
    }
    return next;
}

/* Where other paths of the function are already: the least loaded of these. */
static uint32_t kin_site(const struct trod_sharing *s, const struct trod_share_group *g)
{
    uint32_t site = g->site;

    for (size_t i = 0; i < s->ngroup; i++) {
        const struct trod_share_group *h = &s->group[i];

        if (h->count && h->function == g->function && h != g &&
            (site == g->site || s->load_of_site[h->site] < s->load_of_site[site]))
            site = h->site;
    }
    return site;
}

static void try_cuts(struct balancing *b, uint32_t least)
{
    struct trod_sharing *s = b->s;
    struct trod_share_group *g = NULL;

    /* A function stays whole unless it gains something. */
    b->best.worse -= s->fair / CUT_GAIN;
    for (int i = 0; i < MOST_CUT && (g = next_group(b, g)) && g->load > 0; i++) {
        uint32_t kin = kin_site(s, g);

        if (s->work)
            try_cut(b, g, least);
        if (s->work && kin != g->site && kin != least)
            try_cut(b, g, kin);
    }
}

/* --- what is done ---------------------------------------------------------------------------------- */

static void set_group(struct trod_sharing *s, struct trod_share_group *g, size_t count,
    const struct trod_price *price)
{
    g->count = count;
    g->price = *price;
    g->load = trod_share_load(price, &s->once);
}

static struct trod_share_group *new_group(struct trod_sharing *s)
{
    for (size_t i = 0; i < s->ngroup; i++)
        if (!s->group[i].count)
            return &s->group[i];
    return &s->group[s->ngroup++];
}

static void assign(struct trod_sharing *s, struct trod_share_group *g, uint32_t site)
{
    for (size_t k = 0; k < g->count; k++)
        s->site_of_path[g->function][k] = site;
    g->site = site;
}

static void carry_out_cut(struct balancing *b)
{
    struct trod_sharing *s = b->s;
    struct change *c = &b->best;
    struct trod_share_group *g = c->group, *other = c->other;
    size_t n = s->list->function[g->function].count, nmoved = 0;

    for (size_t k = 0; k < n; k++)
        if (c->moved[k]) {
            s->site_of_path[g->function][k] = c->target;
            nmoved++;
        }
    assert(nmoved && nmoved <= g->count);
    if (!other) {
        struct trod_share_group fresh = {.function = g->function, .site = c->target};

        other = nmoved == g->count ? NULL : new_group(s);
        if (other)
            *other = fresh;
        else
            g->site = c->target;
    }
    if (!other)
        return; /* all of it went */
    set_group(s, other, other->count + nmoved, &c->go);
    set_group(s, g, g->count - nmoved, &c->stay);
}

static void carry_out(struct balancing *b)
{
    struct change *c = &b->best;
    struct trod_sharing *s = b->s;

    switch (c->kind) {
    case NOTHING:
        return;
    case SWAP:
        assign(s, c->other, b->site);
        assign(s, c->group, c->target);
        break;
    case MOVE:
        assign(s, c->group, c->target);
        break;
    case CUT:
        carry_out_cut(b);
        break;
    }
    sum_load(s, b->site);
    sum_load(s, c->target);
}

/* The most loaded site that is not stuck, or nsite. */
static uint32_t most_loaded(const struct trod_sharing *s, const bool *stuck)
{
    uint32_t most = s->nsite;

    for (uint32_t i = 0; i < s->nsite; i++)
        if (!stuck[i] &&
            (most == s->nsite || s->load_of_site[i] > s->load_of_site[most]))
            most = i;
    return most;
}

static uint32_t least_loaded(const struct trod_sharing *s, uint32_t but)
{
    uint32_t least = but ? 0 : 1;

    for (uint32_t i = 0; i < s->nsite; i++)
        if (i != but && s->load_of_site[i] < s->load_of_site[least])
            least = i;
    return least;
}

/* Do the best that can be done about a site. */
static bool lighten(struct balancing *b, uint32_t least)
{
    struct trod_sharing *s = b->s;
    double load = s->load_of_site[b->site];

    b->best.kind = NOTHING;
    b->best.worse = load - s->fair / GAIN;
    try_whole(b, least);
    if (load > s->fair && b->best.worse > load - s->fair / CUT_GAIN)
        try_cuts(b, least);
    carry_out(b);
    return b->best.kind != NOTHING;
}

void trod_sharing_balance(struct trod_sharing *s)
{
    struct balancing b = {.s = s, .nlook = MOST_LOOKS};
    uint64_t nleft = MOST_CHANGES + 64 * (uint64_t)s->nsite;
    bool *stuck = trod_new(s->mem, bool, s->nsite);
    size_t most = 0;

    if (s->nsite < 2)
        return;
    for (size_t f = 0; f < s->list->nfunction; f++)
        most = s->list->function[f].count > most ? s->list->function[f].count : most;
    b.best.moved = trod_new(s->mem, uint8_t, most);
    b.stay_id = trod_new(s->mem, trod_path, most);
    b.go_id = trod_new(s->mem, trod_path, most);
    while (nleft-- && !s->failed && (b.site = most_loaded(s, stuck)) < s->nsite) {
        uint32_t least = least_loaded(s, b.site);

        if (s->load_of_site[b.site] - s->load_of_site[least] <= s->fair / EVEN)
            return;
        if (lighten(&b, least))
            stuck[b.best.target] = false;
        else
            stuck[b.site] = true;
    }
}
