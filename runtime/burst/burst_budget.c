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
 * It aims at the budget, less the debt or plus the credit.
 */
#include "burst_plan.h"

__extension__ typedef unsigned __int128 trod_wide;

enum {
    LONG = 8,           /* a gap counts for at most this many means */
    SHORTEST = 64,      /* ticks that a gap may always count for, whatever the mean */
    WINDOW = 64,        /* gaps that a mean is taken over */
    KNOWN = 8,          /* gaps after which a mean is considered known */
    COLD = 65536,       /* ticks of a cold start */
    FAR = 4,            /* a gap is short if it is less than the mean divided by this */
    MAX_SHORT_GAPS = 8, /* consecutive short or truncated gaps that discard the mean */
    MAX_LONG_GAPS = 3,
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
    SHARE = 20 /* fractional bits of a target, which is a share of the time */
};

#define MOST_LOOK (UINT64_C(1) << 40)
#define HORIZON ((int64_t)TROD_BURST_EPOCH * 32) /* ticks to pay debts within */
#define CREDIT (UINT64_C(1) << 30) /* ticks whose unspent budget may be kept */
enum { DEBT = 2 }; /* the debt may be larger than the credit by this factor */
#define MOST_COST (INT64_C(1) << 34)
#define MOST_TIME (UINT64_C(1) << 40)

/* --- gaps ----------------------------------------------------------------------------------- */

/* The mean is discarded after several consecutive gaps that are far from it. */
static void add_gap(struct trod_burst_gap *to, uint64_t gap, bool is_cut)
{
    int64_t more = (int64_t)(gap << 8) - (int64_t)to->mean;
    bool is_short = gap << 8 < to->mean / FAR;

    to->nlong = is_cut ? to->nlong + 1 : 0;
    to->nshort = is_short ? to->nshort + 1 : 0;
    if (to->nlong == MAX_LONG_GAPS || to->nshort == MAX_SHORT_GAPS) {
        to->n = 1;
        to->nlong = to->nshort = 0;
    }
    if (to->n < WINDOW)
        to->n++;
    to->mean = (uint64_t)((int64_t)to->mean + more / (int64_t)to->n);
}

/* The limit of a gap; while the mean is unknown, the time of a cold start. */
static uint64_t gap_limit(const struct trod_burst_gap *of)
{
    uint64_t most = (of->mean * LONG >> 8) + SHORTEST;

    return of->n >= KNOWN || most > COLD ? most : COLD;
}

/* After a truncated gap more bursts are timed: the behaviour may have changed. */
static uint64_t truncate_gap(struct trod_burst_plan *p, uint64_t gap)
{
    uint64_t on = gap_limit(&p->on), off = gap_limit(&p->off),
             most = on > off ? on : off;

    if (gap <= most)
        return gap;
    p->alert = TIMED;
    p->nquick = 0;
    return most;
}

static uint64_t cut_visit(struct trod_burst_plan *p, uint64_t ticks)
{
    uint64_t most = gap_limit(&p->visit);
    bool is_cut = ticks > most;

    ticks = is_cut ? most : ticks;
    add_gap(&p->visit, ticks, is_cut);
    return ticks;
}

static void take_gap(struct trod_burst_plan *p)
{
    uint64_t all = p->now - p->left, gap = truncate_gap(p, all);

    if (p->last_mask & ~TROD_BURST_WAIT) {
        if (p->off.n)
            p->beyond += (int64_t)gap - (int64_t)(p->off.mean >> 8);
        add_gap(&p->on, gap, gap < all);
    } else {
        add_gap(&p->off, gap, gap < all);
    }
}

/* --- visits ----------------------------------------------------------------------------------- */

static uint64_t cost_of(const struct trod_burst_plan *p)
{
    return p->inside + (p->beyond > 0 ? (uint64_t)p->beyond : 0);
}

/* Returns the thread's share of the time since the last call. */
static uint64_t add_time(struct trod_burst_plan *p)
{
    uint64_t time = p->now - p->timed;
    struct trod_burst_times then = {p->then.all, p->then.own};

    if (time > MOST_TIME)
        time = MOST_TIME;
    p->timed = p->now;
    if (p->times) {
        p->times(&p->then);
        then.all = p->then.all - then.all;
        then.own = p->then.own - then.own;
        if (then.own < then.all)
            time = time * ((then.own << 16) / then.all) >> 16;
    }
    p->time += time;
    return time;
}

void __trod_burst_time_begin(struct trod_burst_plan *p)
{
    p->now = p->clock();
    if (p->now < p->left)
        p->now = p->left;
    if (p->near)
        take_gap(p);
    if (!p->budget &&
        p->now - p->timed >= UNBUDGETED_EPOCHS * (uint64_t)TROD_BURST_EPOCH)
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
    p->shared->time = p->time + (end - p->timed);
    p->shared->cost = cost_of(p);
}

void __trod_burst_time_open(struct trod_burst_plan *p)
{
    if (!p->clock)
        p->budget = 0;
    else
        p->now = p->left = p->timed = p->clock();
    if (p->clock && p->times)
        p->times(&p->then);
    p->every = p->budget ? 7 : 63;
    p->nquick = p->clock ? TIMED - 1 : UINT32_MAX;
    if (p->budget && p->trigger == TROD_BURST_COUNT)
        p->look = 1 << 12;
}

void __trod_burst_time_adopt(struct trod_burst_plan *p)
{
    if (!p->clock)
        return;
    p->time += p->left - p->timed;
    p->now = p->left = p->timed = p->clock();
    if (p->times)
        p->times(&p->then);
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
    int64_t most = (int64_t)(CREDIT / TROD_BURST_MILLION * p->budget);
    uint64_t cost = cost_of(p);
    struct spent out = {
        add_time(p), (int64_t)(cost - p->paid), (int64_t)(p->looking - p->paid_looks)};

    p->balance += (int64_t)(out.time * p->budget / TROD_BURST_MILLION);
    p->balance -= out.cost;
    if (p->balance > most)
        p->balance = most;
    if (p->balance < -DEBT * most)
        p->balance = -DEBT * most;
    p->paid = cost;
    p->paid_looks = p->looking;
    return out;
}

bool __trod_burst_is_due(const struct trod_burst_plan *p)
{
    return p->budget && p->now - p->timed >= TROD_BURST_EPOCH;
}

bool __trod_burst_may(struct trod_burst_plan *p)
{
    if (!p->budget)
        return true;
    if (__trod_burst_is_due(p))
        take_cost(p);
    return p->balance - (int64_t)(cost_of(p) - p->paid) >= 0;
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

/* A share of the time, with SHARE fractional bits. */
static uint64_t target(const struct trod_burst_plan *p)
{
    int64_t share = ((int64_t)p->budget << SHARE) / TROD_BURST_MILLION;
    int64_t aim = share + p->balance / (HORIZON >> SHARE);

    return aim < share / 64 + 1 ? (uint64_t)share / 64 + 1
           : aim > 4 * share    ? (uint64_t)share * 4
                                : (uint64_t)aim;
}

/* The rate of the first group at which cost / time would equal the target. */
static uint64_t aim(const struct trod_burst_plan *p)
{
    uint64_t time = (p->sum_time * target(p) >> SHARE) + 1;

    return between(
        LEAST_RATE, between(p->rate / 2, p->sum_cost / time, p->rate * 16), MOST_RATE);
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
