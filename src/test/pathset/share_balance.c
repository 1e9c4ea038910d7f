#include "pathset/pathset.h"

enum {
    EVEN = 256,   /* balanced: loads differ by at most 1/EVEN of a fair share */
    GAIN = 1024,  /* minimum gain of a change: 1/GAIN of a fair share */
    MOST_CUT = 3, /* groups of a site that may be divided, most expensive first */
    MOST_LOOKS = 1000000000, /* limit of pairs of groups examined */
    MOST_CHANGES = 1000      /* limit of changes; 64 more per site */
};

/* A change that lowers the load of a site. */
struct change {
    enum { NOTHING, MOVE, SWAP, CUT } kind;
    double worse;    /* the higher load of the two sites afterwards */
    uint32_t target; /* the site that receives paths */
    struct trod_share_group *group, *other; /* other: SWAP */
};

struct balancer {
    struct trod_partitioner *s;
    uint32_t site;             /* the site whose load is to be lowered */
    struct change best;        /* so far */
    struct trod_share_cut cut; /* CUT */
    uint64_t nlook;            /* pairs that may still be examined */
};

/* --- groups ------------------------------------------------------------------------------------ */

static bool is_whole(const struct trod_partitioner *s, const struct trod_share_group *g)
{
    return g->count && g->count == s->list->function[g->function].count;
}

static void sum_load(struct trod_partitioner *s, uint32_t site)
{
    s->load_of_site[site] = 0;
    for (size_t i = 0; i < s->ngroup; i++)
        if (s->group[i].count && s->group[i].site == site)
            s->load_of_site[site] += s->group[i].load;
}

/* --- whole functions: moves and swaps ----------------------------------------------------------- */

static void offer(struct balancer *b, const struct change *change)
{
    if (change->worse < b->best.worse)
        b->best = *change;
}

static double higher(double a, double b)
{
    return a > b ? a : b;
}

static void try_move(struct balancer *b, struct trod_share_group *g, uint32_t to)
{
    const double *load = b->s->load_of_site;

    offer(b, &(struct change){.kind = MOVE,
                 .worse = higher(load[b->site] - g->load, load[to] + g->load),
                 .target = to,
                 .group = g});
}

static void try_swaps(struct balancer *b, struct trod_share_group *g)
{
    struct trod_partitioner *s = b->s;
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

static void try_whole(struct balancer *b, uint32_t least)
{
    struct trod_partitioner *s = b->s;

    for (size_t i = 0; i < s->ngroup; i++) {
        struct trod_share_group *g = &s->group[i];

        if (g->site != b->site || !is_whole(s, g))
            continue;
        try_move(b, g, least);
        try_swaps(b, g);
    }
}

/* --- divided functions ---------------------------------------------------------------------------- */

/* The next group of a site in descending order of cost. */
static struct trod_share_group *next_group(
    const struct balancer *b, const struct trod_share_group *before)
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

/* The least loaded site that already has paths of the function. */
static uint32_t kin_site(
    const struct trod_partitioner *s, const struct trod_share_group *g)
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

static void try_cuts(struct balancer *b, uint32_t least)
{
    struct trod_partitioner *s = b->s;
    struct trod_share_group *g = NULL;

    /* A function is divided only if that gains enough. */
    b->cut.worse = b->best.worse - s->fair / TROD_SHARE_GAIN;
    b->cut.group = NULL;
    for (int i = 0; i < MOST_CUT && (g = next_group(b, g)) && g->load > 0; i++) {
        uint32_t kin = kin_site(s, g);

        if (s->work)
            trod_partition_cut(&b->cut, s, g, least);
        if (s->work && kin != g->site && kin != least)
            trod_partition_cut(&b->cut, s, g, kin);
    }
    if (b->cut.group)
        b->best = (struct change){CUT, b->cut.worse, b->cut.target, b->cut.group, NULL};
}

/* --- applying a change ----------------------------------------------------------------------------- */

static void set_group(struct trod_partitioner *s, struct trod_share_group *g,
    size_t count, const struct trod_price *price)
{
    g->count = count;
    g->price = *price;
    g->load = trod_share_load(price, &s->once);
}

static struct trod_share_group *new_group(struct trod_partitioner *s)
{
    for (size_t i = 0; i < s->ngroup; i++)
        if (!s->group[i].count)
            return &s->group[i];
    return &s->group[s->ngroup++];
}

static void assign(
    struct trod_partitioner *s, struct trod_share_group *g, uint32_t site)
{
    for (size_t k = 0; k < g->count; k++)
        s->site_of_path[g->function][k] = site;
    g->site = site;
}

static void carry_out_cut(struct balancer *b)
{
    struct trod_partitioner *s = b->s;
    const struct trod_share_cut *c = &b->cut;
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
        return; /* the group moved entirely */
    set_group(s, other, other->count + nmoved, &c->go);
    set_group(s, g, g->count - nmoved, &c->stay);
}

static void carry_out(struct balancer *b)
{
    struct change *c = &b->best;
    struct trod_partitioner *s = b->s;

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

/* The most loaded site that can still be improved, or nsite. */
static uint32_t most_loaded(const struct trod_partitioner *s, const bool *stuck)
{
    uint32_t most = s->nsite;

    for (uint32_t i = 0; i < s->nsite; i++)
        if (!stuck[i] &&
            (most == s->nsite || s->load_of_site[i] > s->load_of_site[most]))
            most = i;
    return most;
}

static uint32_t least_loaded(const struct trod_partitioner *s, uint32_t but)
{
    uint32_t least = but ? 0 : 1;

    for (uint32_t i = 0; i < s->nsite; i++)
        if (i != but && s->load_of_site[i] < s->load_of_site[least])
            least = i;
    return least;
}

/* Apply the best change for a site. */
static bool lighten(struct balancer *b, uint32_t least)
{
    struct trod_partitioner *s = b->s;
    double load = s->load_of_site[b->site];

    b->best.kind = NOTHING;
    b->best.worse = load - s->fair / GAIN;
    try_whole(b, least);
    if (load > s->fair && b->best.worse > load - s->fair / TROD_SHARE_GAIN)
        try_cuts(b, least);
    carry_out(b);
    return b->best.kind != NOTHING;
}

void trod_partition_balance(struct trod_partitioner *s)
{
    struct balancer b = {.s = s, .nlook = MOST_LOOKS};
    uint64_t nleft = MOST_CHANGES + 64 * (uint64_t)s->nsite;
    bool *stuck = trod_new(s->mem, bool, s->nsite);
    size_t most = 0;

    if (s->nsite < 2)
        return;
    for (size_t f = 0; f < s->list->nfunction; f++)
        most = s->list->function[f].count > most ? s->list->function[f].count : most;
    b.cut.moved = trod_new(s->mem, uint8_t, most);
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