/* Other options for an open plan. */
#include "burst_plan.h"

#define HELD (-(INT64_MAX / 2))

/* What a plan keeps. */
struct kept {
    uint64_t (*clock)(void);
    void (*times)(struct trod_clocks *out);
    unsigned char *flag;
    const uint32_t *ticks;
    uint64_t poll, random, nevent, npassed, time, inside, tested, density;
    int64_t beyond;
    int64_t *skip;
    struct trod_format_burst *shared;
    uint32_t types, trigger;
    uint32_t ngroup; /* 0 if bursts do not depend on the number of events */
    struct kept_group {
        uint64_t types, sparsity, wait[TROD_RT_SKIPS];
    } group[TROD_BURST_TYPES];
};

static void keep_groups(struct kept *out, const struct trod_burst_plan *p)
{
    uint32_t i, k;

    out->ngroup = p->trigger == TROD_BURST_COUNT ? p->ngroup : 0;
    for (i = 0; i < out->ngroup; i++) {
        out->group[i].types = p->group[i].types;
        out->group[i].sparsity = p->group[i].sparsity;
        for (k = 0; k < TROD_RT_SKIPS; k++)
            out->group[i].wait[k] = p->group[i].wait[k];
    }
}

static void keep(struct kept *out, const struct trod_burst_plan *p)
{
    out->clock = p->clock;
    out->times = p->account.times;
    out->flag = p->flag;
    out->ticks = p->ticks;
    out->poll = p->poll;
    out->random = p->random;
    out->nevent = p->nevent;
    out->npassed = p->npassed;
    out->time = p->account.time;
    if (p->trigger != TROD_BURST_NEVER)
        out->time += p->left - p->account.timed;
    out->tested = p->tested;
    out->density = p->density;
    out->inside = p->inside;
    out->beyond = p->beyond;
    out->skip = p->skip;
    out->shared = p->shared;
    out->types = p->shared->types;
    out->trigger = p->shared->trigger;
    keep_groups(out, p);
}

static void clear(struct trod_burst_plan *p)
{
    volatile char *at = (volatile char *)p; /* volatile: avoids memset */
    size_t i;

    for (i = 0; i < sizeof *p; i++)
        at[i] = 0;
}

/* What the caller of __trod_burst_open fills. */
static void fill(struct trod_burst_plan *p, const struct kept *from)
{
    p->clock = from->clock;
    p->account.times = from->times;
    p->flag = from->flag;
    p->ticks = from->ticks;
    p->poll = from->poll;
}

/* The budget is for what bursts will cost, not for what they did. */
static void go_on(struct trod_burst_plan *p, const struct kept *from)
{
    p->nevent = from->nevent;
    p->npassed = from->npassed;
    p->account.time = from->time;
    p->inside = from->inside;
    p->beyond = from->beyond;
    p->tested = from->tested;
    p->density = from->density;
    p->account.paid = p->inside + (p->beyond > 0 ? (uint64_t)p->beyond : 0);
    p->account.paid_floor = __trod_burst_time_of_checks(p);
}

/* The kept group that has a type of this one, or NULL. */
static const struct kept_group *find_group(
    const struct kept *kept, const struct trod_burst_group *g)
{
    uint32_t i;

    for (i = 0; i < kept->ngroup; i++)
        if (kept->group[i].types & g->types)
            return &kept->group[i];
    return NULL;
}

/* It is between two bursts: one that it was opened in is taken back. */
static void end_burst(struct trod_burst_plan *p, struct trod_burst_group *g)
{
    uint32_t t;

    if (!g->rest)
        return;
    g->rest = 0;
    g->nburst--;
    for (t = 0; t < TROD_BURST_TYPES; t++)
        p->shared->type[t].nburst -= g->types >> t & 1;
}

static void carry(struct trod_burst_plan *p, const struct kept *kept)
{
    uint32_t i, k;

    for (i = 0; i < p->ngroup && p->trigger == TROD_BURST_COUNT; i++) {
        struct trod_burst_group *g = p->group + i;
        const struct kept_group *from = find_group(kept, g);

        if (!from)
            continue;
        end_burst(p, g);
        for (k = 0; k < TROD_RT_SKIPS; k++)
            g->wait[k] = from->wait[k];
        __trod_burst_move_waits(p, g, from->sparsity);
    }
    if (kept->ngroup)
        __trod_burst_set_words(p);
}

/* Counts of both together are shares if those of one are, and otherwise estimates if those of one are. */
static uint32_t join(uint32_t one, uint32_t other)
{
    if (one == TROD_BURST_NEVER || other == TROD_BURST_NEVER)
        return one == TROD_BURST_NEVER ? other : one;
    if (one == TROD_BURST_FLAG || other == TROD_BURST_FLAG)
        return TROD_BURST_FLAG;
    return one == TROD_BURST_ALWAYS ? other : one;
}

void __trod_burst_change(struct trod_burst_plan *p, const struct trod_burst_options *o)
{
    struct kept kept;

    keep(&kept, p);
    clear(p);
    fill(p, &kept);
    __trod_burst_open(p, o, kept.shared, kept.skip, kept.random);
    go_on(p, &kept);
    carry(p, &kept);
    kept.shared->types |= kept.types;
    kept.shared->trigger = join(kept.trigger, p->trigger);
}

void __trod_burst_forget(struct trod_burst_plan *p)
{
    struct trod_format_burst *shared = p->shared;
    uint32_t t;

    p->nevent = p->npassed = p->account.time = p->inside = p->account.paid = 0;
    p->looking = p->paid_looks = p->tested = p->account.paid_floor = 0;
    p->beyond = 0;
    p->account.timed = p->left;
    shared->types = p->types;
    shared->trigger = p->trigger;
    shared->time = shared->cost = shared->floor = 0;
    shared->nevent = shared->npassed = shared->nmissed = 0;
    for (t = 0; t < TROD_BURST_TYPES; t++)
        shared->type[t].nburst = shared->type[t].nevent = 0;
}

static bool is_in_burst(const struct trod_burst_plan *p)
{
    uint32_t i;

    for (i = 0; i < p->ngroup; i++)
        if (p->group[i].rest)
            return true;
    return p->due;
}

/* Events that passed at a word since it was set. */
static void settle(struct trod_burst_plan *p, unsigned word)
{
    int64_t passed = p->set[word] - p->skip[word];
    uint32_t i;

    if (p->trigger != TROD_BURST_COUNT || p->held || passed <= 0 ||
        passed > p->set[word])
        return;
    p->npassed += (uint64_t)passed;
    for (i = 0; i < p->ngroup; i++) {
        uint64_t *wait = p->group[i].wait + word;

        *wait -= *wait < (uint64_t)passed ? *wait : (uint64_t)passed;
    }
}

/* A loop may have its word in a register, and write it back: then the next visit is later. */
bool __trod_burst_hold(struct trod_burst_plan *p)
{
    unsigned k;

    if (is_in_burst(p))
        return false;
    for (k = 0; k < p->words; k++) {
        settle(p, k);
        p->skip[k] = HELD;
    }
    p->held = true;
    if (p->flag)
        __atomic_store_n(p->flag, 1, __ATOMIC_RELAXED);
    return true;
}
