#include "burster.h"

#include "control/control.h"

/* Settings of bursts: what may be said, and when a burster follows it. */

/* --- settings and options ------------------------------------------------------------------- */

static bool is_in_range(uint64_t n, uint64_t most)
{
    return n >= 1 && n <= most;
}

/* Could these be the options of this program? */
static bool is_possible(const struct trod_format_setting *s)
{
    uint32_t t;

    if (s->on > 1 || s->types & ~__trod_burst_types || s->budget > TROD_BUDGET_MILLION)
        return false;
    if (s->trigger != TROD_BURST_ALWAYS && s->trigger != __trod_burst_check())
        return false;
    for (t = 0; t < TROD_BURST_TYPES; t++) {
        if (!is_in_range(s->rate[t], TROD_BURST_MOST_RATE) ||
            !is_in_range(s->burst[t], TROD_BURST_MOST_BURST))
            return false;
    }
    return true;
}

/* The rest is as the program was started with. */
static void fill_options(
    struct trod_burst_options *out, const struct trod_format_setting *s)
{
    uint32_t t;

    __trod_burst_started_with(out);
    out->off = !s->on;
    out->types = s->types;
    out->trigger = s->trigger;
    out->budget = s->budget;
    for (t = 0; t < TROD_BURST_TYPES; t++) {
        out->rate[t] = s->rate[t];
        out->burst[t] = s->burst[t];
    }
}

void __trod_burst_settle(struct trod_format_control *out)
{
    struct trod_format_setting *s = &out->setting;
    struct trod_burst_options o;
    uint32_t t;

    __trod_burst_started_with(&o);
    out->kind = TROD_CONTROL_BURST;
    out->types = __trod_burst_types;
    out->trigger = __trod_burst_check();
    s->on = __trod_burst_options_trigger(&o) != TROD_BURST_NEVER;
    s->types = o.types;
    s->trigger = o.trigger == TROD_BURST_NEVER ? out->trigger : o.trigger;
    s->budget = o.budget;
    for (t = 0; t < TROD_BURST_TYPES; t++) {
        s->rate[t] = o.rate[t];
        s->burst[t] = o.burst[t];
    }
}

/* Of a thread that begins. It notices what is new as any other does. */
void __trod_burst_now(struct trod_burst_options *out, uint64_t *heard, uint32_t *nreset)
{
    struct trod_format_setting s;

    __trod_burst_started_with(out);
    *heard = __trod_control_first();
    *nreset = 0;
    if (__trod_control_last(&s, heard) && is_possible(&s)) {
        fill_options(out, &s);
        *nreset = s.nreset;
    }
}

/* --- weights ----------------------------------------------------------------------------------- */

/* Their place in before. */
static uint64_t place_of(uint64_t mark)
{
    return (mark >> TROD_BURST_MARK_AT) % TROD_BURST_BEFORE;
}

/* A stretch that began before a change counts with the weight of then. */
static void keep_weights(struct trod_burster *b)
{
    struct trod_burster_weights *w = &b->before[place_of(b->mark)];
    uint32_t t;

    w->mark = b->mark;
    for (t = 0; t < TROD_BURST_TYPES; t++)
        w->weight[t] = b->shared->type[t].weight;
}

uint64_t __trod_burster_weight(
    const struct trod_burster *b, uint64_t mark, enum trod_burst_type type)
{
    const struct trod_burster_weights *w = &b->before[place_of(mark)];

    return w->mark == mark && w->weight[type] ? w->weight[type]
                                              : b->shared->type[type].weight;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the builtin writes */
static void raise_to(uint64_t *to, uint64_t value)
{
    uint64_t was = __atomic_load_n(to, __ATOMIC_RELAXED);

    while (was < value && !__atomic_compare_exchange_n(to, &was, value, true,
                              __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* Errors of counts are those of the greatest weight. */
static void keep_most(const struct trod_burster *b)
{
    uint32_t t;

    for (t = 0; __trod_control && t < TROD_BURST_TYPES; t++) {
        if (!(b->plan.types >> t & 1) || b->plan.trigger == TROD_BURST_NEVER)
            continue;
        raise_to(&__trod_control->most[t].sparsity, b->shared->type[t].sparsity);
        raise_to(&__trod_control->most[t].weight, b->shared->type[t].weight);
    }
}

/* --- changes ------------------------------------------------------------------------------------ */

static void follow_options(struct trod_burster *b, const struct trod_burst_options *o)
{
    keep_weights(b);
    keep_most(b);
    b->mark = trod_burst_mark(b->heard);
    __trod_burst_change(&b->plan, o);
    if (o->types >> TROD_BURST_STREAMS & 1 && !o->off)
        __trod_refs_most(o->most);
    if (b->plan.flag)
        __trod_burster_tick(b);
}

static void reset(struct trod_burster *b, uint32_t number)
{
    uint32_t t;

    b->nreset = number;
    __trod_area_reset(b->own->emitted.thread, number);
    __trod_burster_forget_ended(b);
    __trod_burst_forget(&b->plan);
    for (t = 0; __trod_control && t < TROD_BURST_TYPES; t++)
        __trod_control->most[t].sparsity = __trod_control->most[t].weight = 0;
    __trod_control_note(true);
}

/* vector registers may be used */
static uint64_t follow(void *burster)
{
    struct trod_burster *b = burster;
    struct trod_format_setting s;
    struct trod_burst_options o;
    struct trod_os_calm calm;

    __trod_os_calm(&calm);
    if (!__trod_control_read(&s, &b->heard)) {
        __trod_os_resume(&calm);
        return 0;
    }
    if (is_possible(&s)) {
        fill_options(&o, &s);
        follow_options(b, &o);
        __trod_control_note(false);
        if (s.nreset != b->nreset)
            reset(b, s.nreset);
        __trod_control_followed(&s, b->heard);
    } else {
        __trod_control_ignored(b->heard);
    }
    __trod_os_resume(&calm);
    return 0;
}

void __trod_burster_follow(struct trod_burster *b)
{
    b->changing = false;
    __trod_keep_vectors(follow, b);
}
