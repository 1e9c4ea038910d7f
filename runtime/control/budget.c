#include "budget.h"

enum {
    LONG = 8,           /* a gap counts for at most this many means */
    SHORTEST = 64,      /* ticks that a gap may always count for, whatever the mean */
    WINDOW = 64,        /* gaps that a mean is taken over */
    KNOWN = 8,          /* gaps after which a mean is considered known */
    COLD = 65536,       /* ticks of a cold start */
    FAR = 4,            /* a gap is short if it is less than the mean divided by this */
    MAX_SHORT_GAPS = 8, /* consecutive short or cut gaps that discard the mean */
    MAX_LONG_GAPS = 3
};

#define HORIZON (INT64_C(1) << 27) /* ticks to pay debts within */
#define CREDIT (UINT64_C(1) << 30) /* ticks whose unspent budget may be kept */
enum { DEBT = 2 }; /* the debt may be larger than the credit by this factor */
#define MOST_TIME (UINT64_C(1) << 40)
#define RECENT (UINT64_C(1) << 26) /* ticks after which earlier ones count half */
#define SURE (UINT64_C(1) << 27)   /* ticks after which a floor is believed */

/* --- options ------------------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool __trod_budget_read(const char *at, const char *end, uint32_t *out)
{
    uint64_t whole = 0, part = 0, unit = TROD_BUDGET_MILLION, place;
    bool percent = at < end && end[-1] == '%';

    end -= percent;
    unit /= percent ? 100 : 1;
    if (at == end || !is_digit(*at))
        return false;
    for (; at < end && is_digit(*at) && whole <= 100; at++)
        whole = whole * 10 + (uint64_t)(*at - '0');
    if (at < end && *at == '.')
        for (at++, place = unit; at < end && is_digit(*at); at++)
            part += (uint64_t)(*at - '0') * (place /= 10);
    whole = whole * unit + part;
    if (at < end || whole > TROD_BUDGET_MILLION)
        return false;
    *out = (uint32_t)whole;
    return true;
}

/* --- means -------------------------------------------------------------------------------------- */

void __trod_gap_add(struct trod_gap *to, uint64_t gap, bool is_cut)
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

uint64_t __trod_gap_limit(const struct trod_gap *of)
{
    uint64_t most = (of->mean * LONG >> 8) + SHORTEST;

    return of->n >= KNOWN || most > COLD ? most : COLD;
}

/* --- time ----------------------------------------------------------------------------------------- */

void __trod_budget_start(struct trod_budget *b, uint64_t now)
{
    b->timed = now;
    if (b->times)
        b->times(&b->then);
}

uint64_t __trod_budget_add_time(struct trod_budget *b, uint64_t now)
{
    uint64_t time = now - b->timed;
    struct trod_clocks then = {b->then.all, b->then.own};

    if (time > MOST_TIME)
        time = MOST_TIME;
    b->timed = now;
    if (b->times) {
        b->times(&b->then);
        then.all = b->then.all - then.all;
        then.own = b->then.own - then.own;
        if (then.own < then.all)
            time = time * ((then.own << 16) / then.all) >> 16;
    }
    b->time += time;
    return time;
}

/* --- the balance ---------------------------------------------------------------------------------- */

int64_t __trod_budget_settle(
    struct trod_budget *b, uint64_t time, uint64_t cost, uint64_t floor)
{
    int64_t most = (int64_t)(CREDIT / TROD_BUDGET_MILLION * b->share);
    int64_t spent = (int64_t)(cost - b->paid);
    int64_t below = (int64_t)(floor - b->paid_floor);

    b->balance += (int64_t)(time * b->share / TROD_BUDGET_MILLION);
    b->balance -= spent + below;
    if (b->balance > most)
        b->balance = most;
    if (b->balance < -DEBT * most)
        b->balance = -DEBT * most;
    b->paid = cost;
    b->paid_floor = floor;
    b->recent_time += time;
    b->recent_floor += (uint64_t)below;
    for (; b->recent_time > RECENT; b->recent_floor /= 2)
        b->recent_time /= 2;
    return spent;
}

uint64_t __trod_budget_target(const struct trod_budget *b)
{
    int64_t share = ((int64_t)b->share << TROD_BUDGET_SHARE) / TROD_BUDGET_MILLION;
    uint64_t time = b->recent_time + 1;
    int64_t left, aim;

    left = share - (int64_t)((b->recent_floor << TROD_BUDGET_SHARE) / time);
    if (left <= 0)
        return 0;
    aim = left + b->balance / (HORIZON >> TROD_BUDGET_SHARE);
    return aim < share / 64 + 1 ? (uint64_t)share / 64 + 1
           : aim > 4 * share    ? (uint64_t)share * 4
                                : (uint64_t)aim;
}

bool __trod_budget_is_exceeded(const struct trod_budget *b)
{
    return b->share && b->time >= SURE &&
           b->paid_floor / b->share > b->time / TROD_BUDGET_MILLION;
}
