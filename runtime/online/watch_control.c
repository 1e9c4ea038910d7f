#include "watch.h"

#include "control/control.h"

/* Settings of online sampling: what may be said, and how a watcher follows it. */

#define MOST_F (UINT64_C(1) << 40)

static bool is_possible(const struct trod_format_setting *s)
{
    return s->on <= 1 && s->rate[0] >= 1 && s->rate[0] <= MOST_F && s->rate[1] >= 1 &&
           s->rate[1] <= MOST_F && s->budget <= TROD_BUDGET_MILLION;
}

/* Samples of a window have one f. */
static uint32_t budget_of(
    const struct trod_format_setting *s, const struct trod_sampler_options *o)
{
    return o->ageing == TROD_SAMPLE_WINDOW ? 0 : s->budget;
}

static bool is_other_rate(
    const struct trod_format_setting *s, const struct trod_sampler_options *o)
{
    return s->rate[0] != (uint64_t)o->f || s->rate[1] != (uint64_t)o->least_f;
}

void __trod_online_settle(struct trod_format_control *out)
{
    struct trod_sampler_options o;

    __trod_watch_started_with(&o);
    out->kind = TROD_CONTROL_ONLINE;
    out->setting.on = !o.never;
    out->setting.budget = o.budget;
    out->setting.rate[0] = (uint64_t)o.f;
    out->setting.rate[1] = (uint64_t)o.least_f;
}

void __trod_watch_now(
    struct trod_sampler_options *out, uint64_t *heard, uint32_t *nreset)
{
    struct trod_format_setting s;

    __trod_watch_started_with(out);
    *heard = __trod_control_first();
    *nreset = 0;
    if (!__trod_control_last(&s, heard) || !is_possible(&s))
        return;
    *nreset = s.nreset;
    out->never = !s.on;
    out->budget = budget_of(&s, out);
    if (is_other_rate(&s, out)) {
        out->f = (double)s.rate[0];
        out->least_f = (double)s.rate[1];
    }
}

/* What limits f while there is a budget: the rate that was said, if any. */
static void limit(struct trod_watcher *w, const struct trod_format_setting *s,
    const struct trod_sampler_options *o)
{
    bool said = o->has_f || o->has_least_f || is_other_rate(s, o);

    uint32_t budget = budget_of(s, o);

    if (budget && !o->budget && !said)
        w->sampler->least_f = TROD_SAMPLER_LEAST_F;
    if (budget != w->budget.account.share)
        __trod_sampler_budget_open(
            &w->budget, w->sampler, budget, __trod_clock_ticks, __trod_clock_times);
}

/* Samples that are kept stand for f blocks each: f can be raised, but lowered only with a reset, or by a budget. */
static void change(struct trod_watcher *w, const struct trod_format_setting *s)
{
    struct trod_sampler_options o;
    bool other;

    __trod_watch_started_with(&o);
    other = is_other_rate(s, &o);
    if (s->nreset != w->nreset)
        __trod_sampler_restart(w->sampler, other ? (double)s->rate[0] : o.f,
            other ? (double)s->rate[1] : o.least_f);
    else if (other && s->rate[0] > w->sampler->f)
        __trod_sampler_slow(w->sampler, (double)s->rate[0]);
    if (s->nreset != w->nreset)
        __trod_sampler_budget_forget(&w->budget);
    limit(w, s, &o);
    w->sampler->never = !s->on;
    w->idle = TROD_IDLE_FIRST;
}

uint64_t __trod_watch_follow(void *watcher)
{
    struct trod_watcher *w = watcher;
    struct trod_format_setting s;
    struct trod_os_calm calm;
    bool follows = false;

    __trod_os_calm(&calm);
    if (__trod_control_read(&s, &w->heard)) {
        follows = is_possible(&s);
        if (follows) {
            bool resets = s.nreset != w->nreset;

            change(w, &s);
            w->nreset = s.nreset;
            __trod_control_note(false);
            if (resets) {
                __trod_watch_forget_ended(w);
                __trod_control_note(true);
            }
            __trod_control_followed(&s, w->heard);
        } else {
            __trod_control_ignored(w->heard);
        }
    }
    __trod_os_resume(&calm);
    return follows;
}

uint64_t __trod_watch_idle(void *watcher)
{
    struct trod_watcher *w = watcher;
    struct trod_os_time time = __trod_os_clock();
    uint64_t now = time.seconds * 1000000000 + time.nanoseconds;

    w->idle = trod_idle_next(w->idle, now - w->looked);
    w->looked = now;
    return w->idle;
}
