#include "watch.h"

#include "control/control.h"

/* A watcher samples the subpaths of a thread: it has a sampler, its SAMPLE section, and the skips
 * that are withheld from fast copies of functions meanwhile. This file uses general registers only:
 * emitted code keeps values in vector registers (see online_block.c).
 */

/* For threads that will never have a watcher. */
static struct trod_watcher no_watcher;

enum {
    ABANDONED_AFTER =
        1 << 16 /* failed attempts before a watcher counts as abandoned for good */
};

#define NEVER (INT64_MAX / 2)
#define HELD (-NEVER)

/* --- skips -------------------------------------------------------------------------------- */

static struct trod_rt_hand *hand_of(const struct trod_watcher *w)
{
    return &w->own->emitted.hand;
}

static void skip_for_ever(struct trod_rt_hand *hand)
{
    int k;

    for (k = 0; k < TROD_RT_SKIPS; k++)
        hand->skip[k] = NEVER;
    hand->pending = 0;
}

static int64_t draw(struct trod_watcher *w)
{
    return (int64_t)__trod_keep_vectors(__trod_watch_gap, w) - 1;
}

/* Nothing is sampled, but that may change. */
static bool is_off(const struct trod_watcher *w)
{
    return w->sampler->never && __trod_control;
}

static void draw_all(struct trod_watcher *w, int64_t *skip)
{
    int k;

    for (k = 0; k < TROD_RT_SKIPS; k++)
        skip[k] = is_off(w) ? (int64_t)w->idle : draw(w);
}

/* From now on every check goes to the slow copy. */
static void hold(struct trod_watcher *w)
{
    struct trod_rt_hand *hand = hand_of(w);
    int k;

    for (k = 0; k < TROD_RT_SKIPS; k++) {
        w->held[k] = hand->skip[k];
        hand->skip[k] = HELD;
    }
    w->pending = true;
    hand->pending = 1;
}

/* A skip that is no longer held was overwritten by code that had it in a register. */
static void release(struct trod_watcher *w)
{
    struct trod_rt_hand *hand = hand_of(w);
    int k;

    for (k = 0; k < TROD_RT_SKIPS; k++)
        if (hand->skip[k] < HELD / 2)
            hand->skip[k] = w->held[k];
    w->pending = false;
    hand->pending = 0;
}

/* --- samples that cannot be completed -------------------------------------------------------- */

static void drop(struct trod_watcher *w)
{
    __trod_keep_vectors(__trod_watch_break, w);
    if (w->pending)
        release(w);
    if (w->trace)
        hold(w);
}

/* A signal handler may have held the skips, and returned to a loop that had one of them in a
 * register and wrote it back: some blocks were missed.
 */
static bool is_overwritten(const struct trod_watcher *w)
{
    const struct trod_rt_hand *hand = hand_of(w);
    int64_t all = HELD;
    int k;

    for (k = 0; k < TROD_RT_SKIPS; k++)
        all &= hand->skip[k];
    return all >= 0 || w->pending != (hand->pending != 0);
}

/* --- ownership ----------------------------------------------------------------------------- */

/* Blocks in signal handlers that interrupt this code are ignored. */
static bool begin(struct trod_watcher *w)
{
    if (!w->busy) {
        w->busy = true;
        atomic_signal_fence(memory_order_seq_cst);
        return w->alive; /* in a child of fork it may be dead by now */
    }
    w->missed = true;
    if (++w->nvain > ABANDONED_AFTER)
        w->own->watcher = NULL;
    return false;
}

/* Samples that a signal handler spoilt are dropped while busy: a handler that forks preserves for
 * its child only the state of a busy watcher. */
static void end(struct trod_watcher *w)
{
    do {
        while (w->missed) {
            w->missed = false;
            drop(w);
        }
        w->nvain = 0;
        atomic_signal_fence(memory_order_seq_cst);
        w->busy = false;
        atomic_signal_fence(memory_order_seq_cst);
    } while (w->missed && begin(w));
}

/* The thread's watcher, or NULL. In a process whose fork was not noticed, private memory is all zeros. */
static struct trod_watcher *find(struct trod_own *own)
{
    struct trod_watcher *w;

    if (!own->watcher && __trod_keep_vectors(__trod_watch_open, own)) {
        struct trod_rt_hand *hand = &own->emitted.hand;

        w = own->watcher;
        if (!w)
            return NULL; /* a child forked by a signal handler, which has none yet */
        draw_all(w, hand->skip);
        hand->pending = 0;
        w->pending = false;
        if (w->trace)
            hold(w);
        end(w);
        if (own->watcher != w)
            return NULL;
    }
    w = own->watcher;
    if (!w || w == &no_watcher || !w->alive) {
        own->watcher = &no_watcher;
        skip_for_ever(&own->emitted.hand);
        return NULL;
    }
    return w;
}

/* --- checks ---------------------------------------------------------------------------------- */

/* At most `most` blocks begin before the next check; which of them is a start? In own: the number
 * of blocks up to and including it, or 0; in the upper half, how many may follow it, and how often f had been
 * raised: it may change before the block begins, since calls before it may take long.
 */
enum { REST_AT = 32, RAISED_AT = 48, MOST_REST = UINT16_MAX };

static uint64_t own_of(const struct trod_watcher *w, uint64_t gap, uint64_t rest)
{
    rest = rest < MOST_REST ? rest : MOST_REST;
    return (uint64_t)w->sampler->nraised << RAISED_AT | rest << REST_AT | gap;
}

static uint64_t rest_of(uint64_t own)
{
    return own >> REST_AT & MOST_REST;
}

static uint64_t next_own(struct trod_watcher *w, uint64_t rest)
{
    uint64_t gap = (uint64_t)draw(w) + 1;

    return gap <= rest ? own_of(w, gap, rest - gap) : 0;
}

static uint64_t look(struct trod_watcher *w, int64_t *skip, int64_t most, bool takes)
{
    int64_t left = *skip;

    if (left < most)
        __trod_sampler_budget_check(
            &w->budget, is_off(w) ? w->idle : w->sampler->rate, (uint64_t)most);
    if (left < most && is_off(w))
        left = *skip = most + (int64_t)__trod_keep_vectors(__trod_watch_idle, w);
    if (left >= most) {
        if (takes || w->pending)
            *skip = left - most;
        return w->pending ? 0 : TROD_RT_FAST;
    }
    *skip = draw(w);
    return own_of(w, (uint64_t)(left + 1), (uint64_t)(most - left - 1));
}

static void draw_again(struct trod_watcher *w)
{
    draw_all(w, w->pending ? w->held : hand_of(w)->skip);
}

/* A start that was just drawn is taken: whether a setting is noticed here depends on it. Gaps have no memory, so they are
 * drawn again.
 */
static void follow(struct trod_watcher *w)
{
    if (trod_control_is_new(w->heard) && __trod_keep_vectors(__trod_watch_follow, w))
        draw_again(w);
}

static void settle(struct trod_watcher *w)
{
    if (__trod_sampler_budget_is_due(&w->budget) &&
        __trod_keep_vectors(__trod_watch_settle, w))
        draw_again(w);
}

/* takes: whether to continue in the fast copy after the subtraction there, or before it. taken: the
 * subtraction has been made.
 */
static void check(struct trod_own *own, bool takes, bool taken)
{
    struct trod_rt_hand *hand = &own->emitted.hand;
    int64_t most = (int64_t)(hand->most & TROD_RT_WORD_MOST);
    uint64_t k = hand->most >> TROD_RT_WORD_AT;
    bool first = !own->watcher; /* the skip had not been set yet */
    struct trod_watcher *w = find(own);
    uint64_t began;

    hand->at = (uintptr_t)__start___trod_cnt;
    if (!w || !begin(w)) {
        hand->own = TROD_RT_FAST;
        return;
    }
    w->budget.is_near = false;
    began = __trod_sampler_budget_enter(&w->budget, true);
    if (w->pending) {
        if (is_overwritten(w) || hand->skip[k] > HELD / 2)
            drop(w);
        else
            hand->skip[k] = HELD;
    }
    if (w->pending) {
        hand->own = look(w, &w->held[k], most, true);
    } else {
        if (taken && !first)
            hand->skip[k] += most;
        hand->own = look(w, &hand->skip[k], most, takes);
    }
    __trod_sampler_budget_leave(&w->budget, began, true, false, false);
    settle(w);
    follow(w);
    end(w);
}

void __trod_online_again(void)
{
    struct trod_own *own = trod_own();

    check(own, false, !own->emitted.hand.at);
}

void __trod_online_enter(void)
{
    check(trod_own(), true, true);
}

/* Where the slow copy has no way back, control stays in it until it comes to one. */
static void stay(bool taken)
{
    struct trod_own *own = trod_own();

    check(own, true, taken);
    if (own->emitted.hand.own == TROD_RT_FAST)
        own->emitted.hand.own = 0;
}

void __trod_online_stay(void)
{
    stay(true);
}

void __trod_online_pass(void)
{
    stay(false);
}

/* --- blocks ------------------------------------------------------------------------------------ */

/* A sample that ends with this block counts only if none of its blocks was missed. */
static void add(struct trod_watcher *w, uintptr_t at)
{
    struct trod_sampler *s = w->sampler;
    uint32_t block =
        (uint32_t)((at - (uintptr_t)__start___trod_cnt) / sizeof(uint64_t));
    uint32_t cost = at % 8 == 7 ? 255 : UINT32_C(1) << at % 8;

    if (w->trace)
        __trod_watch_trace(w, block);
    if (!s->ring[s->at & s->mask].ending) {
        __trod_sampler_add(s, block, cost);
        return;
    }
    if (is_overwritten(w)) {
        drop(w);
        return;
    }
    w->block = block;
    w->cost = cost;
    if (!__trod_keep_vectors(__trod_watch_add, w) && !w->trace)
        release(w);
}

/* The number of the next start, after one that is taken here. */
static uint64_t start(struct trod_watcher *w, uint64_t own)
{
    w->nraised = (uint16_t)(own >> RAISED_AT);
    __trod_keep_vectors(__trod_watch_begin, w);
    if (!w->pending) {
        hold(w);
        __trod_sampler_budget_episode(&w->budget);
    }
    return next_own(w, rest_of(own));
}

void __trod_block(void)
{
    struct trod_own *of = trod_own();
    struct trod_rt_hand *hand = &of->emitted.hand;
    uint64_t own = hand->own, began;
    bool counts = (uint32_t)own != 0, starts, heavy, moved;
    struct trod_watcher *w = find(of);

    if (!w || !begin(w))
        return;
    own -= counts;
    starts = counts && (uint32_t)own == 0;
    heavy = starts || w->sampler->ring[w->sampler->at & w->sampler->mask].ending;
    began = __trod_sampler_budget_enter(&w->budget, heavy);
    if (starts)
        own = start(w, own);
    if (w->pending)
        add(w, hand->at);
    hand->own = own;
    moved = __trod_sampler_raised(w->sampler);
    __trod_sampler_budget_leave(&w->budget, began, heavy, moved, w->pending);
    if (moved)
        draw_again(w);
    if (heavy)
        settle(w);
    end(w);
}

void __trod_online_left(void)
{
    struct trod_watcher *w = trod_own()->watcher;

    if (!w || !w->alive || !begin(w))
        return;
    if (w->pending)
        drop(w);
    end(w);
}

/* A signal handler forks, perhaps while a block is processed. */
void __trod_online_before_fork(void)
{
    struct trod_watcher *w = trod_own()->watcher;

    if (w && w->busy)
        __trod_watch_keep(w);
}

void __trod_online_after_fork(void)
{
    struct trod_watcher *w = trod_own()->watcher;

    if (w && w->kept.nforking)
        __trod_watch_keep_no_more(w);
}

/* In a child of fork. Sampling restarts at the next check. */
void __trod_online_fork(void)
{
    struct trod_own *own = trod_own();
    struct trod_watcher *w = own->watcher;
    int k;

    if (w && w->kept.nforking)
        __trod_watch_detach(w);
    own->watcher = NULL;
    own->emitted.hand.pending = 1;
    for (k = 0; k < TROD_RT_SKIPS; k++)
        own->emitted.hand.skip[k] = 0;
    __trod_watch_fork();
}
