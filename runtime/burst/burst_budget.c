/* The cost of bursts, and the rate that the budget allows.
 *
 * The cost of a visit is the time from its start to its end, plus a constant for the call. The
 * additional cost of a stretch that is on cannot be measured in that stretch: it is the difference
 * of two means. Both are means of gaps between the end of a visit and the start of the next, where
 * the thread's next event was certain to be a visit: gaps after events that were on, and gaps after
 * events that were off. For this, some bursts hold the words for a few more events.
 *
 * Some gaps and visits are long because the thread slept, or another had the processor. None counts
 * for more than LONG means.
 *
 * Time is the thread's CPU time: the budget of a thread that sleeps, or shares its processor with
 * other programs, is a share of the time in which it ran.
 *
 * The controller predicts cost / time at any rate from cost * rate / time of the last milliseconds.
 * It aims at the budget, less what checks take, less the debt or plus the credit.
 */
#include "burst_plan.h"

__extension__ typedef unsigned __int128 trod_wide;

enum {
    ALWAYS_TIMED_TICKS = 4096, /* ticks; bursts that take longer are always timed */
    TIMED = 32,                /* of this many bursts, one is timed */
    TAIL = 3,                  /* additional visits, then */
    RECENT = 32,    /* bursts, or epochs, after which older measurements count half */
    LOOKS = 16,     /* looks in an epoch that are enough */
    VERY_LATE = 32, /* an epoch that takes this many is far too late */
    LATE = 3,       /* consecutive epochs that took too long, for lack of looks */
    UNBUDGETED_EPOCHS =
        16, /* epochs between two measurements of time, without a budget */
    LEAST_RATE = 10,
    MOST_RATE = 100000000,
    NARROW = 16, /* of a gap between visits so much is the program's own, at least */
    DENSE = 8    /* densities that one is the mean of */
};

#define MOST_LOOK (UINT64_C(1) << 40)
#define MOST_COST (INT64_C(1) << 34)
#define MOST_TIME (UINT64_C(1) << 40)

/* --- gaps ----------------------------------------------------------------------------------- */

/* After a cut gap more bursts are timed: the behaviour may have changed. */
static uint64_t truncate_gap(struct trod_burst_plan *p, uint64_t gap)
{
    uint64_t on = __trod_gap_limit(&p->on), off = __trod_gap_limit(&p->off),
             most = on > off ? on : off;

    if (gap <= most)
        return gap;
    p->alert = TIMED;
    p->nquick = 0;
    return most;
}

static uint64_t cut_visit(struct trod_burst_plan *p, uint64_t ticks)
{
    uint64_t most = __trod_gap_limit(&p->visit);
    bool is_cut = ticks > most;

    ticks = is_cut ? most : ticks;
    __trod_gap_add(&p->visit, ticks, is_cut);
    return ticks;
}

static void take_gap(struct trod_burst_plan *p)
{
    uint64_t all = p->now - p->left, gap = truncate_gap(p, all);

    if (p->last_mask & ~TROD_BURST_WAIT) {
        if (p->off.n)
            p->beyond += (int64_t)gap - (int64_t)(p->off.mean >> 8);
        __trod_gap_add(&p->on, gap, gap < all);
    } else {
        __trod_gap_add(&p->off, gap, gap < all);
        p->passing += gap > TROD_BURST_CROSSING + gap / NARROW
                          ? gap - TROD_BURST_CROSSING
                          : gap / NARROW;
        p->npassing++;
    }
}

/* The mean over ticks, not over events: where events are far between, as much time passes as where they are not. */
void __trod_burst_time_passed(struct trod_burst_plan *p)
{
    uint64_t now = p->npassing * 65536 / (p->passing + 1);

    if (p->npassing)
        p->density = p->density ? p->density + now / DENSE - p->density / DENSE : now;
    p->passing = p->npassing = 0;
}

/* --- visits ----------------------------------------------------------------------------------- */

static uint64_t cost_of(const struct trod_burst_plan *p)
{
    return p->inside + (p->beyond > 0 ? (uint64_t)p->beyond : 0);
}

/* What a thread that tests a flag does between two events is known only where it came here. */
static uint64_t add_time(struct trod_burst_plan *p)
{
    uint64_t time = __trod_budget_add_time(&p->account, p->now);

    p->tested += time * p->density / 65536 * TROD_BUDGET_TEST / 256;
    return time;
}

uint64_t __trod_burst_time_of_checks(const struct trod_burst_plan *p)
{
    return p->flag ? p->tested : (p->npassed + p->nevent) * TROD_BUDGET_CHECK / 256;
}

void __trod_burst_time_begin(struct trod_burst_plan *p)
{
    p->now = p->clock();
    if (p->now < p->left)
        p->now = p->left;
    if (p->near)
        take_gap(p);
    if (!p->account.share &&
        p->now - p->account.timed >= UNBUDGETED_EPOCHS * (uint64_t)TROD_BURST_EPOCH)
        add_time(p);
}

void __trod_burst_time_plan(struct trod_burst_plan *p, uint64_t mask, bool over)
{
    if (mask && over) {
        if (!p->nquick) {
            p->tail = TAIL;
            p->alert -= p->alert != 0;
            if (!p->alert && p->on.mean >> 8 <= ALWAYS_TIMED_TICKS)
                p->nquick = TIMED - 1;
            return;
        }
        p->nquick--;
    }
    p->tail -= p->tail != 0;
}

/* Visits that were not timed are assumed to cost the same, except for reading the clock. */
static void add_unseen(struct trod_burst_plan *p)
{
    int64_t seen = (int64_t)(p->visit.mean >> 8) + TROD_BURST_CROSSING;
    int64_t less = 2 * TROD_BURST_LOOK + (p->simple ? TROD_BURST_QUICK : 0);
    int64_t visit = seen > less ? seen - less : 0;

    p->inside +=
        (uint64_t)visit * p->nunseen + (uint64_t)TROD_BURST_BACK * p->nunseen_on;
    p->looking += (uint64_t)visit * p->nunseen_looks;
    if (p->on.n && p->off.n)
        p->beyond +=
            ((int64_t)p->on.mean - (int64_t)p->off.mean) * (int64_t)p->nunseen_on / 256;
    p->nunseen = p->nunseen_looks = p->nunseen_on = 0;
}

void __trod_burst_time_end(struct trod_burst_plan *p, uint64_t mask, bool begun)
{
    uint64_t end = p->clock(), took;

    if (begun) {
        end = end < p->now ? p->now : end;
        took = cut_visit(p, end - p->now) + TROD_BURST_CROSSING;
        p->inside += took;
        p->looking += p->is_look ? took : 0;
    } else {
        p->nunseen++;
    }
    if (mask & ~TROD_BURST_WAIT && !p->near)
        p->nunseen_on++;
    p->last_mask = mask;
    p->left = end;
    add_unseen(p);
    p->shared->time = p->account.time + (end - p->account.timed);
    p->shared->cost = cost_of(p);
    p->shared->floor = __trod_burst_time_of_checks(p);
}

void __trod_burst_time_open(struct trod_burst_plan *p)
{
    if (!p->clock)
        p->account.share = 0;
    else
        p->now = p->left = p->clock();
    if (p->clock)
        __trod_budget_start(&p->account, p->now);
    p->every = p->account.share ? 7 : 63;
    p->nquick = p->clock ? TIMED - 1 : UINT32_MAX;
    if (p->account.share && p->trigger == TROD_BURST_COUNT)
        p->look = 1 << 12;
}

void __trod_burst_time_adopt(struct trod_burst_plan *p)
{
    if (!p->clock)
        return;
    p->account.time += p->left - p->account.timed;
    p->now = p->left = p->clock();
    __trod_budget_start(&p->account, p->now);
    p->near = false;
    p->tail = 0;
}

/* --- the budget ------------------------------------------------------------------------------- */

struct spent {
    uint64_t time;
    int64_t cost;
    int64_t looks; /* the share of looks, which bursts do not cause */
};

/* Since the last call. */
static struct spent take_cost(struct trod_burst_plan *p)
{
    struct spent out = {.time = add_time(p)};

    out.cost = __trod_budget_settle(
        &p->account, out.time, cost_of(p), __trod_burst_time_of_checks(p));
    out.looks = (int64_t)(p->looking - p->paid_looks);
    p->paid_looks = p->looking;
    p->is_exceeded = __trod_budget_is_exceeded(&p->account);
    return out;
}

bool __trod_burst_is_due(const struct trod_burst_plan *p)
{
    return p->account.share && p->now - p->account.timed >= TROD_BURST_EPOCH;
}

bool __trod_burst_may(struct trod_burst_plan *p)
{
    if (!p->account.share)
        return true;
    if (__trod_burst_is_due(p))
        take_cost(p);
    return p->account.balance - (int64_t)(cost_of(p) - p->account.paid) >= 0;
}

/* --- the controller ----------------------------------------------------------------------------- */

static uint64_t between(uint64_t low, uint64_t x, uint64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static uint64_t nburst_of(const struct trod_burst_plan *p)
{
    uint64_t n = 0;
    uint32_t i;

    for (i = 0; i < p->ngroup; i++)
        n += p->group[i].nburst;
    return n;
}

/* Sums decay: recent measurements count most. */
static void remember(struct trod_burst_plan *p, const struct spent *spent)
{
    int64_t cost = spent->cost - spent->looks;

    cost = cost < 0 ? 0 : cost < MOST_COST ? cost : MOST_COST;
    p->sum_cost += (uint64_t)cost * p->rate;
    p->sum_time += spent->time > (uint64_t)cost ? spent->time - (uint64_t)cost : 0;
    p->nepoch++;
}

static void forget(struct trod_burst_plan *p)
{
    uint64_t nburst = nburst_of(p);

    while (p->nepoch >= RECENT || nburst - p->nburst_seen >= RECENT ||
           p->sum_cost >> 61 || p->sum_time > MOST_TIME) {
        p->sum_cost /= 2;
        p->sum_time /= 2;
        p->nepoch /= 2;
        p->nburst_seen = nburst;
    }
}

/* The rate of the first group at which cost / time would equal the target; the lowest if nothing is left for it. */
static uint64_t aim(const struct trod_burst_plan *p)
{
    uint64_t target = __trod_budget_target(&p->account);
    uint64_t time = (p->sum_time * target >> TROD_BUDGET_SHARE) + 1;
    uint64_t rate = target ? p->sum_cost / time : MOST_RATE;

    return between(LEAST_RATE, between(p->rate / 2, rate, p->rate * 16), MOST_RATE);
}

/* A wait of n stands for any value from n to n + 1. */
void __trod_burst_move_waits(
    struct trod_burst_plan *p, struct trod_burst_group *g, uint64_t before)
{
    uint64_t by = ((g->sparsity + 1) << 16) / (before + 1);
    unsigned k;

    for (k = 0; k < p->words; k++) {
        uint64_t wait = g->wait[k] << 16 | (__trod_burst_random(p) & 0xffff);

        g->wait[k] = (uint64_t)((trod_wide)wait * by >> 32);
    }
}

static void move(struct trod_burst_plan *p, uint64_t rate)
{
    uint32_t i;

    for (i = 0; i < p->ngroup; i++) {
        struct trod_burst_group *g = p->group + i;
        uint64_t before = g->sparsity;

        __trod_burst_set_rate(
            p, g, between(LEAST_RATE, g->asked * rate / p->group[0].asked, MOST_RATE));
        __trod_burst_move_waits(p, g, before);
    }
    p->rate = rate;
}

/* Look often enough to notice when events become more expensive, and no more often. One late epoch
 * is not evidence, unless it is far too late: another program may have had the processor.
 */
static void move_look(struct trod_burst_plan *p, uint64_t time)
{
    p->nlate = time > 2 * (uint64_t)TROD_BURST_EPOCH ? p->nlate + 1 : 0;
    if (time > VERY_LATE * (uint64_t)TROD_BURST_EPOCH) {
        p->look = p->look / (time / TROD_BURST_EPOCH) + LOOKS;
    } else if (p->nlate == LATE) {
        p->look = p->look / 4 + LOOKS;
        p->nlate = 0;
    } else if (p->nlook > LOOKS) {
        p->look = between(0, p->look * between(2, p->nlook / LOOKS, LOOKS), MOST_LOOK);
    }
    p->nlook = 0;
}

void __trod_burst_control(struct trod_burst_plan *p)
{
    struct spent spent = take_cost(p);
    uint64_t rate;

    remember(p, &spent);
    rate = aim(p);
    forget(p);
    move_look(p, spent.time);
    if (rate > p->rate + p->rate / 16 || rate < p->rate - p->rate / 16)
        move(p, rate);
}
