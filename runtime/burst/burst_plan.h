/* burst: which stretches of a thread are profiled.
 *
 *     options (text) -> plan -> at each event: the types that are on, and skips for emitted code
 *
 * After Mousa and Krintz, "HPS: Hybrid Profiling Support": profiling happens in bursts. A burst of a type
 * is a number of consecutive events, its burst; then its sparsity of events pass. One of rate
 * events is on: burst / (burst + sparsity) = 1 / rate.
 *
 * Glossary
 *   event     a function is entered, or an iteration of a loop begins, in any activation of the thread
 *   stretch   what an activation runs from one of its events to its next. It is profiled if its event is on
 *   group     types with the same rate and burst: they share bursts, which is cheaper
 *   word      one of the thread's skips, from which emitted code subtracts
 *   wait      of a group and a word: the number of events of this word that are off before the next one begins
 *             a burst. Events that are on do not count, so that one of sparsity events that are off begins a
 *             burst, for any number of words and any overlap of bursts
 *   held      said of words: all are negative, so that the next event calls the runtime, whichever it is
 *   weight    what is seen in a stretch that is on stands for so many: the current rate
 *   visit     a call of __trod_burst_event
 *   look      a visit that only reads the clock
 *
 * The first wait of a thread is drawn as if it had always been running. So each event is on with the same
 * probability, including the first, and counts times weights are unbiased for short threads, too.
 * Only with period fixed or prime and a single word does a thread begin with a whole sparsity: then
 * exactly every rate-th event is on.
 *
 * Integers only, no libc, no system call. Only one thread at a time may use a plan, and no signal handler
 * in between: the caller ensures this.
 */
#ifndef TROD_BURST_PLAN_H
#define TROD_BURST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trod/rt.h"

#include "control/budget.h"

#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

/* --- burst_options.c: options ----------------------------------------------- */

#define TROD_BURST_MOST_RATE UINT64_C(100000000)
#define TROD_BURST_MOST_BURST UINT64_C(1000000)

struct trod_burst_options {
    uint32_t types;      /* bit t: type t */
    uint32_t trigger;    /* enum trod_burst_trigger */
    bool has_trigger;    /* set explicitly, and not chosen for the budget */
    bool off;            /* nothing is sampled, whatever the trigger */
    uint32_t period;     /* enum trod_burst_period */
    uint32_t words;      /* 16 or 1 */
    uint32_t hz;         /* ticks per second, with trigger FLAG */
    uint32_t budget;     /* in millionths; 0: none */
    uint32_t said_rate;  /* bit t: set for type t alone */
    uint32_t said_burst; /* the same */
    uint64_t rate[TROD_BURST_TYPES];
    uint64_t burst[TROD_BURST_TYPES];
    uint64_t seed; /* if has_seed */
    bool has_seed;
    uint64_t most; /* limit on bytes of references of a process */
    uint32_t nmetric;
    uint32_t metric[TROD_RT_METRICS]; /* enum trod_meter_kind, each at most once */
};

void __trod_burst_options_default(struct trod_burst_options *out);

/* Apply a text of options: "key=value,...", doc/production/burst.md has the keys. An empty text changes
 * nothing. If it has a budget and no trigger, one is chosen: FLAG below 3 %, otherwise COUNT.
 *
 * needs:  *out, as filled by the above or by an earlier call
 * fails:  with *why the reason, and nothing changed
 */
bool __trod_burst_options_parse(
    struct trod_burst_options *out, const char *text, const char **why);

/* The same for a program that was built with *out: types that are not in it are ignored, and
 * so are another kind of check or number of words. *why lists what was ignored; the rest is applied
 * nevertheless.
 *
 * fails:  with *why the reason; if the text is invalid, nothing is changed
 */
bool __trod_burst_options_again(
    struct trod_burst_options *out, const char *text, const char **why);

/* The trigger in force. */
static inline uint32_t __trod_burst_options_trigger(const struct trod_burst_options *o)
{
    return o->off || !o->types ? TROD_BURST_NEVER : o->trigger;
}

/* Does emitted code test a flag? Otherwise it subtracts. */
static inline bool __trod_burst_options_flag(const struct trod_burst_options *o)
{
    return o->trigger == TROD_BURST_FLAG;
}

/* --- a plan ------------------------------------------------------------------------------------ */

struct trod_burst_group {
    uint64_t types; /* as a mask */
    uint64_t burst;
    uint64_t asked; /* requested rate */
    uint64_t rate;  /* current rate */
    uint64_t sparsity;
    uint64_t weight, more; /* the weight is one more with probability more / 2^64 */
    uint64_t per;          /* of geometric draws; see burst_draw.c */
    uint64_t rest;         /* remaining events of the burst */
    uint64_t nburst, nevent;
    uint64_t wait[TROD_RT_SKIPS];
};

struct trod_burst_plan {
    /* Filled by the caller, before the plan is opened. */
    uint64_t (*clock)(void);    /* monotonic, in ticks; NULL: nothing is timed */
    struct trod_budget account; /* its clock of the thread */
    unsigned char *flag;        /* in programs that test a flag; otherwise NULL */
    const uint32_t *ticks;      /* likewise: number of times the clock set it */
    uint64_t
        poll; /* events between visits, at most, for the caller to look; 0: any number */

    int64_t *skip;
    struct trod_format_burst *shared;
    uint64_t random;
    uint32_t trigger, period, words;
    uint32_t types;
    uint32_t ngroup;
    bool simple; /* one group, with bursts of one event */
    bool held;
    struct trod_burst_group group[TROD_BURST_TYPES];
    int64_t set[TROD_RT_SKIPS]; /* last values of skips, unless held */
    uint64_t nevent, npassed;

    /* Trigger FLAG. */
    uint32_t seen, taken; /* ticks */
    uint32_t nvain;       /* visits without a tick */
    uint32_t delay;       /* events before the burst that is due */
    bool due;

    /* burst_budget.c: time. */
    uint64_t now, left; /* start of this visit; end of the last one */
    uint64_t passing,
        npassing; /* trigger FLAG: gaps after events that were off, since the last burst */
    uint64_t density;   /* trigger FLAG: events in 65536 ticks, of late */
    uint64_t tested;    /* trigger FLAG: ticks that checks took */
    uint64_t inside;    /* cost of visits */
    int64_t beyond;     /* estimated additional cost between visits; may be negative */
    uint64_t last_mask; /* of the last visit */
    uint32_t every;     /* one of so many visits, less one, is always timed */
    uint32_t nunseen, nunseen_looks,
        nunseen_on;  /* visits that were not timed; their stretches */
    bool near;       /* the next event of the thread is a visit in any case */
    uint32_t tail;   /* remaining events for which words are held, for timing */
    uint32_t alert;  /* remaining bursts that are always timed */
    uint32_t nquick; /* bursts until the next timed one */
    struct trod_gap on, off,
        visit; /* gaps after a sampled event, after another; visits */

    /* burst_budget.c: the controller. */
    uint64_t look;  /* events between looks; while nothing is sampled, as in idle.h */
    uint64_t nlook; /* since the last control */
    uint32_t nlate; /* controls in a row that came too late */
    bool is_look;   /* this visit is one */
    uint64_t looking, paid_looks; /* cost of looks; at the last control */
    bool is_exceeded;             /* the checks alone take more than the budget */
    uint64_t rate;                /* of the first group; the others scale with it */
    uint64_t sum_cost;            /* recent: sum of cost times rate */
    uint64_t sum_time;            /* recent: time without it */
    uint64_t nburst_seen;
    uint32_t nepoch;
};

/* run in the slow copy, with no type on */
#define TROD_BURST_WAIT (UINT64_C(1) << 63)

/* --- burst_plan.c -------------------------------------------------------------------------------- */

/* needs:  *p zeros except for what the caller fills; *shared zeros; skip, the thread's words
 * fills:  *p, the first fields of *shared except thread, skip
 */
void __trod_burst_open(struct trod_burst_plan *p, const struct trod_burst_options *o,
    struct trod_format_burst *shared, int64_t *skip, uint64_t seed);

/* Set the words by the waits of groups. */
void __trod_burst_set_words(struct trod_burst_plan *p);

/* Another thread continues with it; these are its words. */
void __trod_burst_adopt(struct trod_burst_plan *p, int64_t *skip);

/* An event: its word was subtracted from and is negative, or the flag is set; or it comes from the slow copy, after
 * a stretch of streams, and nothing was subtracted. Returns the types that are on for the next stretch,
 * TROD_BURST_WAIT alone if it is to run in the slow copy with none; 0: continue in the fast copy.
 *
 * cost:   about 60 instructions, and two reads of the clock
 */
uint64_t __trod_burst_event(struct trod_burst_plan *p, unsigned word, bool slow);

/* --- burst_change.c: other options while the plan is open ------------------------------------------- */

/* The next event is to be a visit, if possible: a change must not depend on which events are on. False, and nothing is
 * done, in a burst: it must not be cut short.
 */
bool __trod_burst_hold(struct trod_burst_plan *p);

/* From the next event on, which is a visit, these options are in force; words that are held are settled. What is sampled before
 * and after goes on as with another rate (see __trod_burst_move_waits): with period jitter, fixed or
 * prime, estimates of the whole are off by up to half the difference of burst times rate before and after, in events. Sums of events, bursts and costs go on, those of types
 * that are left out too. shared->trigger is that of the counts taken so far: once they were estimates, they stay estimates.
 */
void __trod_burst_change(struct trod_burst_plan *p, const struct trod_burst_options *o);

/* All of these sums, and the trigger, begin again. */
void __trod_burst_forget(struct trod_burst_plan *p);

/* --- burst_draw.c: random numbers and rates ------------------------------------ */

/* Set the group's rate; its waits do not change. */
void __trod_burst_set_rate(
    struct trod_burst_plan *p, struct trod_burst_group *g, uint64_t rate);
uint64_t __trod_burst_random(struct trod_burst_plan *p);
/* A random number below bound; 0 if that is 0. */
uint64_t __trod_burst_below(struct trod_burst_plan *p, uint64_t bound);
/* Draw the number of events between two bursts. */
uint64_t __trod_burst_draw(struct trod_burst_plan *p, const struct trod_burst_group *g);
/* The same, from a random moment on. */
uint64_t __trod_burst_draw_rest(
    struct trod_burst_plan *p, const struct trod_burst_group *g);
uint64_t __trod_burst_next_prime(uint64_t n);

/* --- burst_budget.c ------------------------------------------------------------------------------- */

enum {
    TROD_BURST_LOOK = 16,       /* ticks to read the clock */
    TROD_BURST_QUICK = 22,      /* ticks that a simple visit without timing saves */
    TROD_BURST_BACK = 20,       /* ticks of a return to the fast copy without a visit */
    TROD_BURST_EPOCH = 1 << 22, /* approximate number of ticks between two controls */
    TROD_BURST_CROSSING =
        72 /* ticks of a visit outside its two reads of the clock: measured */
};

void __trod_burst_time_open(struct trod_burst_plan *p);
void __trod_burst_time_begin(struct trod_burst_plan *p);
/* Decide whether this visit is timed, given its mask and whether all bursts are over. */
void __trod_burst_time_plan(struct trod_burst_plan *p, uint64_t mask, bool over);
/* begun: its start was timed as well. */
void __trod_burst_time_end(struct trod_burst_plan *p, uint64_t mask, bool begun);
void __trod_burst_time_adopt(struct trod_burst_plan *p);
/* Trigger FLAG: a burst begins, and some events have passed since its tick. */
void __trod_burst_time_passed(struct trod_burst_plan *p);
/* Ticks that checks took, estimated. */
uint64_t __trod_burst_time_of_checks(const struct trod_burst_plan *p);
/* Is an adjustment of rates due? */
bool __trod_burst_is_due(const struct trod_burst_plan *p);
/* Adjust rates and waits.
 *
 * needs:  waits that are settled
 */
void __trod_burst_control(struct trod_burst_plan *p);
/* As if the group's sparsity, which was another, had always been this one: the same fraction of each wait remains. */
void __trod_burst_move_waits(
    struct trod_burst_plan *p, struct trod_burst_group *g, uint64_t before);
/* Does the budget allow a burst? For trigger FLAG. */
bool __trod_burst_may(struct trod_burst_plan *p);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
