#include "sampler_budget.h"

__extension__ typedef unsigned __int128 trod_wide;

enum {
    ALWAYS = 16, /* episodes whose adds are timed, at first */
    TIMED = 8,   /* then, one of so many */
    BLOCKS = 16, /* samples after which the mean time of a block is known */
    RECENT = 32  /* epochs after which older measurements count half */
};

#define MOST_COST (INT64_C(1) << 34)
#define MOST_SUM (UINT64_C(1) << 60)
#define MOST_TIME (UINT64_C(1) << 40)

/* --- checks ------------------------------------------------------------------------------------------ */

void __trod_sampler_budget_check(
    struct trod_sampler_budget *b, uint64_t f, uint64_t most)
{
    enum { PARTS = 16 };

    if (!b->clock || !most)
        return;
    b->nexpected += PARTS * f / most + PARTS / 2;
    b->variance += (f / most) * (f / most);
}

static uint64_t floor_of(const struct trod_sampler_budget *b)
{
    return b->nexpected / 16 * TROD_BUDGET_CHECK / 256;
}

static void show(const struct trod_sampler_budget *b, uint64_t time)
{
    struct trod_format_sample *shared = b->sampler->shared;

    shared->time = time;
    shared->cost = b->cost;
    shared->floor = floor_of(b);
}

/* Since the clocks were last compared; if that is long ago, the thread may have slept. */
static uint64_t recent(const struct trod_sampler_budget *b)
{
    uint64_t time = b->left - b->account.timed;

    return time < TROD_SAMPLER_EPOCH ? time : TROD_SAMPLER_EPOCH;
}

/* --- threads ------------------------------------------------------------------------------------------- */

void __trod_sampler_budget_open(struct trod_sampler_budget *b, struct trod_sampler *s,
    uint32_t share, uint64_t (*clock)(void), void (*times)(struct trod_clocks *out))
{
    bool begins = share && clock && !b->clock;

    b->sampler = s;
    b->clock = share ? clock : NULL;
    b->account.times = times;
    b->account.share = share;
    b->sum_cost = b->sum_time = 0;
    b->is_near = b->is_timed = false;
    s->shared->budget = share;
    if (begins)
        __trod_budget_start(&b->account, b->left = clock());
}

void __trod_sampler_budget_adopt(struct trod_sampler_budget *b)
{
    uint64_t time;

    b->is_near = b->is_timed = false;
    if (!b->clock)
        return;
    time = recent(b);
    b->account.time += time;
    __trod_budget_settle(&b->account, time, b->cost, floor_of(b));
    __trod_budget_start(&b->account, b->left = b->clock());
}

void __trod_sampler_budget_forget(struct trod_sampler_budget *b)
{
    struct trod_format_sample *shared = b->sampler->shared;

    b->cost = b->nblock = b->nexpected = b->variance = 0;
    b->account.time = b->account.paid = b->account.paid_floor = 0;
    shared->time = shared->cost = shared->floor = 0;
}

/* --- calls ---------------------------------------------------------------------------------------- */

void __trod_sampler_budget_episode(struct trod_sampler_budget *b)
{
    uint32_t n = b->nepisode++;

    b->is_timed = b->clock && (n < ALWAYS || n % TIMED == 0);
    b->is_near = false;
    b->nblock += b->sampler->rate;
}

/* Gaps between calls, and calls, may be long because the thread slept. */
static uint64_t add_gap(struct trod_gap *to, uint64_t ticks)
{
    uint64_t most = __trod_gap_limit(to);
    bool is_cut = ticks > most;

    ticks = is_cut ? most : ticks;
    __trod_gap_add(to, ticks, is_cut);
    return ticks;
}

uint64_t __trod_sampler_budget_enter(struct trod_sampler_budget *b, bool heavy)
{
    uint64_t now;

    if (!b->clock)
        return 0;
    b->nadd += !heavy;
    if (!heavy && !b->is_timed)
        return 0;
    now = b->clock();
    if (now < b->left)
        now = b->left;
    if (b->is_near)
        add_gap(&b->between, now - b->left);
    return now;
}

/* In 1/256 ticks, of an add. */
static uint64_t extra_of(const struct trod_sampler_budget *b)
{
    uint64_t time = b->account.time, block;

    if (b->sampler->shared->nbegun < BLOCKS || time <= b->cost || !b->nblock)
        return 0;
    block = (time - b->cost) * 256 / b->nblock + UINT64_C(256) * TROD_SAMPLER_LOOK;
    return b->between.mean > block ? b->between.mean - block : 0;
}

static void settle_adds(struct trod_sampler_budget *b)
{
    uint64_t each = b->add.mean + UINT64_C(256) * TROD_SAMPLER_REPORT + extra_of(b);

    b->cost += b->nadd * each / 256 + b->nlook * TROD_SAMPLER_LOOK;
    b->nadd = b->nlook = 0;
}

void __trod_sampler_budget_leave(
    struct trod_sampler_budget *b, uint64_t began, bool heavy, bool moved, bool near)
{
    uint64_t ticks;

    if (!began)
        return;
    b->left = b->clock();
    ticks = b->left > began ? b->left - began : 0;
    b->is_near = near && b->is_timed;
    if (!heavy) {
        ticks = ticks > TROD_SAMPLER_LOOK ? ticks - TROD_SAMPLER_LOOK : 0;
        add_gap(&b->add, ticks);
        b->nlook += 2;
        return;
    }
    if (!moved)
        ticks = add_gap(&b->heavy, ticks);
    b->cost += ticks + TROD_SAMPLER_CROSSING;
    settle_adds(b);
    show(b, b->account.time + recent(b));
}

/* --- the controller --------------------------------------------------------------------------------- */

static uint64_t between(uint64_t low, uint64_t x, uint64_t high)
{
    return x < low ? low : x > high ? high : x;
}

static void remember(struct trod_sampler_budget *b, uint64_t time, int64_t cost)
{
    cost = cost < 0 ? 0 : cost < MOST_COST ? cost : MOST_COST;
    b->sum_cost += (uint64_t)cost * b->sampler->rate;
    b->sum_time += time > (uint64_t)cost ? time - (uint64_t)cost : 0;
    b->nepoch++;
    for (; b->nepoch >= RECENT || b->sum_cost > MOST_SUM || b->sum_time > MOST_TIME;
        b->nepoch /= 2) {
        b->sum_cost /= 2;
        b->sum_time /= 2;
    }
}

/* At which cost / time would equal the target; the highest if nothing is left for sampling. Lower f only by half, so that
 * not too many levels are in use.
 */
static uint64_t aim(const struct trod_sampler_budget *b)
{
    uint64_t target = __trod_budget_target(&b->account), rate = b->sampler->rate, to;
    uint64_t time = (b->sum_time * target >> TROD_BUDGET_SHARE) + 1;

    to = target ? b->sum_cost / time : TROD_SAMPLER_MOST_F;
    to = between(1, between(rate / 2, to, rate * 16), TROD_SAMPLER_MOST_F);
    return to > rate || to <= rate / 2 ? to : 0;
}

/* By more than two standard errors. */
static bool is_sure(const struct trod_sampler_budget *b)
{
    uint64_t can = b->account.time / TROD_BUDGET_MILLION * b->account.share * 256 /
                   TROD_BUDGET_CHECK;
    uint64_t more = b->nexpected / 16 > can ? b->nexpected / 16 - can : 0;

    return (trod_wide)more * more > (trod_wide)4 * b->variance;
}

uint64_t __trod_sampler_budget_control(struct trod_sampler_budget *b)
{
    uint64_t time = __trod_budget_add_time(&b->account, b->left);

    remember(b, time, __trod_budget_settle(&b->account, time, b->cost, floor_of(b)));
    show(b, b->account.time);
    b->is_exceeded = __trod_budget_is_exceeded(&b->account) && is_sure(b);
    return aim(b);
}
