#include "burster.h"

#include "control/control.h"
#include "trod/burst.h"

/* Receives the reports of the slow copy. This file uses general registers only: emitted code keeps
 * values in vector registers (see burst_stub.c).
 */

/* Initially set: the first event starts the ticker. */
unsigned char __trod_burst_flag = 1;

/* For threads that will never have a burster. */
static struct trod_burster no_burster;

#define NEVER (INT64_MAX / 2)

/* --- ownership ------------------------------------------------------------------------------ */

static void skip_for_ever(struct trod_rt_hand *hand)
{
    int k;

    for (k = 0; k < TROD_RT_SKIPS; k++)
        hand->skip[k] = NEVER;
}

static struct trod_rt_hand *hand_of(const struct trod_burster *b)
{
    return &b->own->emitted.hand;
}

/* The thread's burster, or NULL. */
static struct trod_burster *find(struct trod_own *own)
{
    struct trod_burster *b;

    if (!own->burster)
        __trod_keep_vectors(__trod_burster_open, own);
    b = own->burster;
    if (!b || b == &no_burster || !b->alive) {
        own->burster = &no_burster;
        skip_for_ever(&own->emitted.hand);
        return NULL;
    }
    return b;
}

/* The same, for a thread that has had an event. */
static struct trod_burster *reporting(void)
{
    struct trod_burster *b = trod_own()->burster;

    return b && b->alive && __trod_burster_begin(b) ? b : NULL;
}

/* --- counting ---------------------------------------------------------------------------------- */

static uint64_t enter(void *unused)
{
    (void)unused;
    return __trod_enter();
}

static bool is_on(const struct trod_burster *b, enum trod_burst_type type)
{
    return hand_of(b)->own >> type & 1;
}

/* The one in force when the stretch began. */
static inline uint64_t weight(const struct trod_burster *b, enum trod_burst_type type)
{
    uint64_t mark = hand_of(b)->own & TROD_BURST_MARK;

    return __builtin_expect(mark == b->mark, 1) ? b->shared->type[type].weight
                                                : __trod_burster_weight(b, mark, type);
}

static inline void count(
    const struct trod_burster *b, uintptr_t at, enum trod_burst_type type)
{
    uintptr_t base = b->own->emitted.thread;

    if (!base)
        base = __trod_keep_vectors(enter, NULL);
    *(uint64_t *)(at + base - 1) += weight(b, type);
}

/* --- the program's own handler ------------------------------------------------------------------- */

/* Weak: most programs have none. NOLINTNEXTLINE(readability-redundant-declaration) */
void trod_burst_handler(const struct trod_burst_event *event) __attribute__((weak));

static uint64_t call_handler(void *event)
{
    trod_burst_handler(event);
    return 0;
}

/* The function that owns the counter, and the counter's index in it. */
static const struct trod_rt_function *function_at(uintptr_t at, uint64_t *index)
{
    const struct trod_rt_function *f;

    for (f = __start___trod_fn; (uintptr_t)f < (uintptr_t)__stop___trod_fn; f++) {
        uintptr_t table = (uintptr_t)&f->table + (uintptr_t)f->table;
        uint64_t n = trod_format_counts_each(f->counted) ? f->npath : f->nslot;

        if (at >= table && at < table + (n + 1) * sizeof(uint64_t)) {
            *index = (at - table) / sizeof(uint64_t);
            return f;
        }
    }
    return NULL;
}

static void fill_site(struct trod_burst_event *event, uint32_t site, uint64_t value)
{
    if (event->kind == TROD_HANDLER_CALL) {
        event->of.call.site = site;
        event->of.call.function = (const void *)(uintptr_t)value;
    } else if (event->kind == TROD_HANDLER_REF) {
        event->of.ref.site = site;
        event->of.ref.address = (const void *)(uintptr_t)value;
    }
}

static void hand_on(
    const struct trod_burster *b, uint32_t kind, uintptr_t at, uint64_t value)
{
    struct trod_burst_event event = {.size = sizeof event, .kind = kind};
    uint64_t own = hand_of(b)->own, index, id;
    const struct trod_rt_function *f;

    if (!trod_is_there((const void *)(uintptr_t)trod_burst_handler) ||
        !is_on(b, TROD_BURST_HANDLER))
        return;
    f = function_at(at, &index);
    if (!f)
        return;
    event.function = f->name;
    event.weight = weight(b, TROD_BURST_HANDLER);
    if (kind == TROD_HANDLER_PATH) {
        event.of.path.id = index;
    } else {
        id = ((const uint64_t *)((uintptr_t)&f->ids + (uintptr_t)f->ids))[index];
        if (kind == TROD_HANDLER_ENTRY && trod_event_kind(id) != TROD_EVENT_ENTRY)
            event.kind = TROD_HANDLER_BACK;
        fill_site(&event, trod_event_a(id), value);
    }
    __trod_keep_state(call_handler, &event);
    hand_of(b)->own = own;
}

/* --- events --------------------------------------------------------------------------------------- */

/* References of one burst are contiguous. */
static void follow(struct trod_burster *b, uint64_t mask)
{
    uint64_t nburst = b->shared->type[TROD_BURST_STREAMS].nburst;
    bool on = mask >> TROD_BURST_STREAMS & 1;

    if (on && (!b->streaming || nburst != b->nburst))
        __trod_refs_burst(&b->refs);
    b->streaming = on;
    b->nburst = nburst;
}

/* A setting is followed at the event after the one at which it was noticed: that a thread comes here may be because
 * its event is on. With trigger ALWAYS every event comes here; few of them look.
 */
enum { SELDOM = 256 };

static void look(struct trod_burster *b)
{
    if (b->plan.trigger == TROD_BURST_ALWAYS && b->plan.nevent % SELDOM)
        return;
    if (trod_control_is_new(b->heard))
        b->changing = __trod_burst_hold(&b->plan);
}

static uint64_t note(void *account)
{
    __trod_budget_note(account);
    return 0;
}

static uint64_t next_own(struct trod_burster *b, unsigned word, bool slow)
{
    uint64_t mask;

    if (b->changing)
        __trod_burster_follow(b);
    mask = __trod_burst_event(&b->plan, word, slow);
    look(b);
    if (b->plan.is_exceeded && !b->noted) {
        b->noted = true;
        __trod_keep_vectors(note, &b->plan.account);
    }
    return mask ? mask | b->mark : 0;
}

void __trod_burst_pass(void)
{
    struct trod_own *own = trod_own();
    struct trod_rt_hand *hand = &own->emitted.hand;
    unsigned word = (unsigned)(hand->most & TROD_RT_WORD_MOST);
    uint64_t distance = hand->most >> TROD_RT_WORD_AT;
    uintptr_t at = hand->at;
    bool slow = hand->own != TROD_RT_FAST;
    struct trod_burster *b = find(own);
    uint64_t mask;

    if (!b || !__trod_burster_begin(b)) {
        hand->own = 0;
        return;
    }
    mask = next_own(b, word, slow);
    hand->own = mask;
    if (b->shared->types >> TROD_BURST_STREAMS & 1)
        follow(b, mask);
    if (is_on(b, TROD_BURST_METHODS))
        count(b, at - distance * sizeof(uint64_t), TROD_BURST_METHODS);
    if (distance && is_on(b, TROD_BURST_TRIPS))
        count(b, at, TROD_BURST_TRIPS);
    if (is_on(b, TROD_BURST_HANDLER))
        hand_on(b, TROD_HANDLER_ENTRY, at, 0);
    __trod_burster_end(b);
}

/* --- in the slow copy ------------------------------------------------------------------------------ */

void __trod_burst_path(void)
{
    struct trod_burster *b = reporting();

    if (!b)
        return;
    if (is_on(b, TROD_BURST_PATHS))
        count(b, hand_of(b)->at, TROD_BURST_PATHS);
    hand_on(b, TROD_HANDLER_PATH, hand_of(b)->at, 0);
    __trod_burster_end(b);
}

void __trod_burst_trip(void)
{
    struct trod_burster *b = reporting();

    if (!b)
        return;
    count(b, hand_of(b)->at, TROD_BURST_TRIPS);
    __trod_burster_end(b);
}

void __trod_burst_left(void)
{
    enum { LAST = 15 };
    struct trod_burster *b = reporting();
    uint64_t iterations;
    unsigned bin;

    if (!b)
        return;
    iterations = hand_of(b)->value;
    if (iterations) {
        bin = 63 - (unsigned)__builtin_clzll(iterations);
        if (bin > LAST)
            bin = LAST;
        count(b, hand_of(b)->at + bin * sizeof(uint64_t), TROD_BURST_TRIPS);
    }
    __trod_burster_end(b);
}

void __trod_burst_call(void)
{
    struct trod_burster *b = reporting();

    if (!b)
        return;
    if (is_on(b, TROD_BURST_CALLS))
        count(b, hand_of(b)->at, TROD_BURST_CALLS);
    hand_on(b, TROD_HANDLER_CALL, hand_of(b)->at, 0);
    __trod_burster_end(b);
}

struct event_count {
    const uint64_t *table;
    uint64_t id, by;
};

static uint64_t count_hashed(void *of)
{
    const struct event_count *m = of;

    __trod_count_hashed(m->table, m->id, m->by);
    return 0;
}

/* The function's offset in the image, plus 1; 0: it is elsewhere. */
static uint32_t offset_of(const struct trod_burster *b, uintptr_t function)
{
    uint64_t offset = function - b->image;

    if (function < b->image || function >= b->image_end || offset >= UINT32_MAX)
        return 0;
    return (uint32_t)offset + 1;
}

void __trod_burst_call_to(void)
{
    struct trod_burster *b = reporting();
    const struct trod_rt_hand *hand;
    uint32_t site;
    uintptr_t at;

    if (!b)
        return;
    hand = hand_of(b);
    site = (uint32_t)hand->most;
    at = hand->at;
    if (is_on(b, TROD_BURST_CALLS)) {
        struct event_count m = {
            .table = (const uint64_t *)at - (hand->most >> TROD_RT_SLOT_AT),
            .id = trod_event_id(TROD_EVENT_CALL_TO, site, offset_of(b, hand->value)),
            .by = weight(b, TROD_BURST_CALLS)};

        count(b, at, TROD_BURST_CALLS);
        __trod_keep_vectors(count_hashed, &m);
    }
    hand_on(b, TROD_HANDLER_CALL, at, hand->value);
    __trod_burster_end(b);
}

/* A stretch may outlast the burst it began in. */
void __trod_burst_ref(void)
{
    struct trod_burster *b = reporting();
    uintptr_t at;

    if (!b)
        return;
    at = hand_of(b)->at;
    if (is_on(b, TROD_BURST_STREAMS)) {
        count(b, at, TROD_BURST_STREAMS);
        if (b->streaming)
            __trod_refs_add(&b->refs,
                (uint32_t)((at - (uintptr_t)__start___trod_cnt) / sizeof(uint64_t)),
                hand_of(b)->value);
    }
    hand_on(b, TROD_HANDLER_REF, at, hand_of(b)->value);
    __trod_burster_end(b);
}

/* A signal handler forks, perhaps during an event. */
void __trod_burst_before_fork(void)
{
    struct trod_burster *b = trod_own()->burster;

    if (b && b->busy)
        __trod_burster_keep(b);
}

void __trod_burst_after_fork(void)
{
    struct trod_burster *b = trod_own()->burster;

    if (b && b->kept.nforking)
        __trod_burster_keep_no_more(b);
}

/* In a child of fork. Sampling restarts at the next event. */
void __trod_burst_fork(void)
{
    struct trod_own *own = trod_own();
    struct trod_burster *b = own->burster;
    int k;

    if (b && b->kept.nforking)
        __trod_burster_detach(b);
    own->burster = NULL;
    for (k = 0; k < TROD_RT_SKIPS; k++)
        own->emitted.hand.skip[k] = 0;
    __trod_burst_flag = 1;
    __trod_burster_fork();
}
