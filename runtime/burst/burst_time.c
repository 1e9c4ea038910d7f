#include "burster.h"

#include "control/control.h"

/* Counts the time of paths. Linked only into programs whose paths can be timed. General registers only, as burst.c. */

/* Own time of an execution above which is asked whether the thread ran all the time: such a path was interrupted, or waited
 * for a page. Comparing the clocks takes a microsecond, so they are compared that often at most.
 */
enum { LONG = 1 << 16, APART = 1 << 20 };

/* --- the time of the runtime itself ----------------------------------------------------------- */

/* Of TROD_WATCH_READS. Measured once; two threads may do so at the same time: the values are alike. */
static uint64_t cost_of_read, cost_of_pause;
static bool costs_known;

static void know_costs(void)
{
    uint64_t read, pause;

    if (__atomic_load_n(&costs_known, __ATOMIC_ACQUIRE))
        return;
    __trod_watch_cost(&read, &pause);
    __atomic_store_n(&cost_of_read, read, __ATOMIC_RELAXED);
    __atomic_store_n(&cost_of_pause, pause, __ATOMIC_RELAXED);
    __atomic_store_n(&costs_known, true, __ATOMIC_RELEASE);
}

static uint64_t cost_of(const uint64_t *of, uint64_t times)
{
    return times * __atomic_load_n(of, __ATOMIC_RELAXED) / TROD_WATCH_READS;
}

/* Half of a pause is what the entry points in burst_timed.c and one read of the clock take. */
static void take_off(uint64_t from)
{
    trod_own()->emitted.hand.inside +=
        __trod_watch_clock() - from + cost_of(&cost_of_pause, 1) / 2;
}

/* Calls what, and takes it off the paths that are running. */
static inline __attribute__((always_inline)) void aside(void (*what)(void))
{
    uint64_t from = __trod_watch_clock(), before[TROD_RT_METRICS];
    bool metered = trod_is_there((const void *)(uintptr_t)__trod_meter_visit);

    if (metered)
        __trod_meter_visit(before);
    what();
    if (metered)
        __trod_meter_leave(before);
    take_off(from);
}

void __trod_timed_path(void)
{
    aside(__trod_burst_path);
}

void __trod_timed_trip(void)
{
    aside(__trod_burst_trip);
}

void __trod_timed_left(void)
{
    aside(__trod_burst_left);
}

void __trod_timed_call(void)
{
    aside(__trod_burst_call);
}

void __trod_timed_call_to(void)
{
    aside(__trod_burst_call_to);
}

void __trod_timed_ref(void)
{
    aside(__trod_burst_ref);
}

/* --- clocks ------------------------------------------------------------------------------------ */

/* So that readers can say how long a tick is, and for away. */
static void compare_clocks(struct trod_burster *b)
{
    __trod_clock_times(&b->then);
    b->last = __trod_watch_clock();
    if (!b->first) {
        b->first = b->last;
        b->first_all = b->then.all;
        return;
    }
    b->shared->ticks = b->last - b->first;
    b->shared->nanoseconds = b->then.all - b->first_all;
}

static void pass(void)
{
    struct trod_own *own = trod_own();
    uint64_t from = __trod_watch_clock();
    struct trod_burster *b;

    __trod_burst_pass();
    b = own->burster;
    if (own->emitted.hand.own >> TROD_BURST_TIME & 1 && b && b->alive &&
        (!b->last || from - b->last > APART) && __trod_burster_begin(b)) {
        compare_clocks(b);
        __trod_burster_end(b);
    }
}

void __trod_timed_pass(void)
{
    aside(pass);
}

/* The part of a path's own time in which the thread did not run, as far as known: what it did not run since the clocks
 * were last compared, at most a fraction of a millisecond before.
 */
static uint64_t away_in(const struct trod_burster *b, uint64_t own)
{
    struct trod_clocks now;
    uint64_t all, ran, away;

    if (own < LONG || !b->last || !b->shared->nanoseconds)
        return 0;
    __trod_clock_times(&now);
    all = now.all - b->then.all;
    ran = now.own - b->then.own;
    if (ran >= all || all - ran > UINT64_MAX / (1 << 20))
        return 0;
    away =
        (all - ran) * (b->shared->ticks / (b->shared->nanoseconds / 1024 + 1)) / 1024;
    return away < own ? away : own;
}

/* --- counting ----------------------------------------------------------------------------------- */

static void add(const struct trod_timed *t, uint32_t cell, uint64_t ticks)
{
    enum trod_event_kind kind = t->metric ? TROD_EVENT_METER : TROD_EVENT_TIME;
    uint64_t by;

    if (__builtin_mul_overflow(ticks, t->weight, &by))
        by = UINT64_MAX;
    if (by)
        __trod_count_hashed(t->table,
            trod_event_id(kind, t->metric << TROD_METER_AT | cell, (uint32_t)t->path),
            by);
}

/* The square of a time above 2^32 ticks would not fit. */
uint64_t __trod_time_count(void *timed)
{
    const struct trod_timed *t = timed;
    uint64_t own = t->own < UINT32_MAX ? t->own : UINT32_MAX;

    add(t, TROD_TIME_BIN + trod_time_bin(t->own), 1);
    add(t, TROD_TIME_OWN, t->own);
    add(t, TROD_TIME_WITH, t->with);
    add(t, TROD_TIME_SQUARES, own * own & UINT32_MAX);
    add(t, TROD_TIME_HIGHS, own * own >> 32);
    add(t, TROD_TIME_AWAY, t->away);
    return 0;
}

static uint64_t less(uint64_t from, uint64_t what)
{
    return from > what ? from - what : 0;
}

/* Of an ended path; the rest of what it took is taken off its callers. */
static void find_times(
    struct trod_timed *out, const struct trod_burster *b, const struct trod_rt_watch *w)
{
    struct trod_rt_hand *hand = &b->own->emitted.hand;
    uint64_t pauses = cost_of(&cost_of_pause, w->nread);
    /* The first and the last read are shared with what is around the path. */
    uint64_t within =
        less(pauses, cost_of(&cost_of_pause, 1)) + cost_of(&cost_of_read, 1);

    out->own = less(w->own, cost_of(&cost_of_read, w->nread));
    out->with = less(w->from - w->begun, hand->inside - w->inside + within);
    out->away = away_in(b, out->own);
    out->own -= out->away;
    if (out->with < out->own + out->away)
        out->with = out->own + out->away;
    hand->inside += pauses;
}

void __trod_watch_ended(struct trod_rt_watch *watch)
{
    uint64_t from = __trod_watch_clock();
    struct trod_burster *b = trod_own()->burster;
    struct trod_timed t = {
        .table = (const uint64_t *)(uintptr_t)watch->table, .path = watch->path};

    if (b && b->alive && watch->path <= UINT32_MAX && __trod_burster_begin(b)) {
        know_costs();
        find_times(&t, b, watch);
        t.weight = b->shared->type[TROD_BURST_TIME].weight;
        __trod_keep_vectors(__trod_time_count, &t);
        __trod_burster_end(b);
    }
    watch->begun = 0;
    take_off(from);
}
