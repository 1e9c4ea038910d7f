/* burst: which stretches of a thread are profiled.
 *
 *     options (text) -> plan -> at each event: the types that are on, and skips for emitted code
 *
 * After Mousa and Krintz, "HPS: Hybrid Profiling Support": profiling comes in bursts. A burst of a type
 * is as many events in a row as the type's burst says; then as many pass as its sparsity says. Of so
 * many events, one is on: frequency = burst / (burst + sparsity) = 1 / rate.
 *
 * Glossary
 *   event     a function is entered, or an iteration of a loop begins, in any activation of the thread
 *   stretch   what an activation runs from one event to its next own. It is profiled as its event is on
 *   group     types of the same rate and burst: their bursts are one, which is cheaper than several
 *   word      one of the skips of the thread, that emitted code subtracts from
 *   wait      of a group and a word: events of this word that are off before the next of them begins
 *             a burst. What is on does not count, so that of all that is off, one in sparsity begins a
 *             burst, whatever words there are and however bursts overlap
 *   held      said of words: all are negative, so that the next event comes here, whichever it is
 *   weight    what is seen in a stretch that is on stands for so many: the rate in force
 *   visit     a call of __trod_burst_event
 *   look      a visit for nothing but to look at the clock
 *
 * The first wait of a thread is drawn as if it had always been running: so each event is on with the same
 * probability, the first as any other, and counts times weights are unbiased for short threads too.
 * Only with period fixed or prime and a single word does a thread begin with a whole sparsity: then
 * exactly every rate-th event is on.
 *
 * Integers only, no libc, no system call. One thread at a time, and nothing of it is for handlers
 * that come in between: that is the caller's business.
 */
#ifndef TROD_BURST_PLAN_H
#define TROD_BURST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trod/rt.h"

#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

/* --- burst_options.c: what is profiled, and how ----------------------------------------------- */

enum { TROD_BURST_MILLION = 1000000 };

struct trod_burst_options {
    uint32_t types;      /* bit t: type t */
    uint32_t trigger;    /* enum trod_burst_trigger */
    bool has_trigger;    /* said to be so, and not chosen for the budget */
    uint32_t period;     /* enum trod_burst_period */
    uint32_t words;      /* 16 or 1 */
    uint32_t hz;         /* ticks a second, of trigger FLAG */
    uint32_t budget;     /* of a million; 0: none */
    uint32_t said_rate;  /* bit t: said for type t alone */
    uint32_t said_burst; /* the same */
    uint64_t rate[TROD_BURST_TYPES];
    uint64_t burst[TROD_BURST_TYPES];
    uint64_t seed; /* where has_seed is */
    bool has_seed;
    uint64_t most; /* bytes of references that a process may write */
};

void __trod_burst_options_default(struct trod_burst_options *out);

/* Change what the text says: "key=value,...", doc/production/burst.md has the keys. An empty text changes
 * nothing. Where a budget is named and no trigger, one is chosen: FLAG below 3 %, else COUNT.
 *
 * needs:  *out, as filled by the above or by an earlier call
 * fails:  with *why a sentence, and nothing changed
 */
bool __trod_burst_options_parse(
    struct trod_burst_options *out, const char *text, const char **why);

/* The same for a program that was built with what is in *out: types that are not in it are left out, and
 * so is another kind of check or number of words. What is left out is in *why, and the rest changed all the
 * same.
 *
 * fails:  with *why a sentence; if it is not a valid option text, with nothing changed
 */
bool __trod_burst_options_again(
    struct trod_burst_options *out, const char *text, const char **why);

/* Whether emitted code looks at a flag. Else it subtracts. */
static inline bool __trod_burst_options_flag(const struct trod_burst_options *o)
{
    return o->trigger == TROD_BURST_FLAG;
}

/* --- a plan ------------------------------------------------------------------------------------ */

struct trod_burst_group {
    uint64_t types; /* as a mask */
    uint64_t burst;
    uint64_t asked; /* rate */
    uint64_t rate;  /* in force */
    uint64_t sparsity;
    uint64_t weight, more; /* the weight is one more with probability more of 2^64 */
    uint64_t per;          /* of geometric draws; see burst_draw.c */
    uint64_t rest;         /* events of a burst that are to come */
    uint64_t nburst, nevent;
    uint64_t wait[TROD_RT_SKIPS];
};

/* Gaps between visits: means of those after an event that was sampled, and after one that was not. */
struct trod_burst_gap {
    uint64_t mean;          /* ticks, 256ths */
    uint32_t n;             /* it is the mean of at most so many */
    uint32_t nlong, nshort; /* in a row, the last ones */
};

/* Nanoseconds: any clock, and the thread's own, which stands still when the thread does. */
struct trod_burst_times {
    uint64_t all, own;
};

struct trod_burst_plan {
    /* Filled by the caller, before the plan is opened. */
    uint64_t (*clock)(void); /* ticks, never set back; NULL: nothing is timed */
    void (*times)(struct trod_burst_times *out); /* NULL: the thread always runs */
    unsigned char *flag;   /* of a program that looks at a flag; else NULL */
    const uint32_t *ticks; /* the same: how often it was set by the clock */

    int64_t *skip;
    struct trod_format_burst *shared;
    uint64_t random;
    uint32_t trigger, period, words;
    uint32_t types;
    uint32_t ngroup;
    bool simple; /* one group, whose bursts are of one event */
    bool held;
    struct trod_burst_group group[TROD_BURST_TYPES];
    int64_t set[TROD_RT_SKIPS]; /* what skips were set to, unless held */
    uint64_t nevent, npassed;

    /* Trigger FLAG. */
    uint32_t seen, taken; /* ticks */
    uint32_t nvain;       /* visits without a tick */
    uint32_t delay;       /* events before the burst that is due */
    bool due;

    /* burst_budget.c: time. */
    uint64_t now, left; /* when the visit began; when the last one ended */
    uint64_t time;      /* of the thread alone, and of those that had the plan before */
    uint64_t timed;     /* up to when */
    struct trod_burst_times then; /* what times were, then */
    uint64_t inside;              /* cost of visits */
    int64_t beyond; /* of what ran otherwise in between: estimated, may be below 0 */
    uint64_t last_mask; /* of the last visit */
    uint32_t every;     /* of so many visits, less one, one is timed for certain */
    uint32_t nunseen, nunseen_looks, nunseen_on; /* that were not; their stretches */
    bool near;       /* the next event of the thread comes here, whatever it is */
    uint32_t tail;   /* events for which words are held to time them */
    uint32_t alert;  /* bursts that are timed for certain */
    uint32_t nquick; /* bursts before the next that is timed */
    struct trod_burst_gap on, off, visit;

    /* burst_budget.c: the controller. */
    uint32_t budget;              /* of a million */
    uint64_t look;                /* events after which to look at the clock */
    uint64_t nlook;               /* since the last control */
    uint32_t nlate;               /* controls in a row that came too late */
    bool is_look;                 /* this visit is one */
    uint64_t looking, paid_looks; /* cost of looks; by the last control */
    uint64_t paid;                /* cost by then */
    int64_t balance;              /* ticks that may be spent; below 0: debts */
    uint64_t rate;                /* of the first group, the others' move along */
    uint64_t sum_cost;            /* recent: of cost times rate */
    uint64_t sum_time;            /* recent: time without it */
    uint64_t nburst_seen;
    uint32_t nepoch;
};

/* "slow, nothing on" */
#define TROD_BURST_WAIT (UINT64_C(1) << 63)

/* --- burst_plan.c -------------------------------------------------------------------------------- */

/* needs:  *p zeros but for what the caller fills; *shared zeros; skip, the thread's words
 * fills:  *p, the first fields of *shared but thread, skip
 */
void __trod_burst_open(struct trod_burst_plan *p, const struct trod_burst_options *o,
    struct trod_format_burst *shared, int64_t *skip, uint64_t seed);

/* Another thread goes on with it, whose words these are. */
void __trod_burst_adopt(struct trod_burst_plan *p, int64_t *skip);

/* An event came: its word was subtracted from and is below 0, or the flag is set; or it is one of the slow copy, behind
 * a stretch of streams, and nothing was subtracted. Returns the types that are on for the stretch that begins,
 * TROD_BURST_WAIT alone if it is to run in the slow copy with none; 0: go on in the fast copy.
 *
 * cost:   some 60 instructions, and two looks at the clock
 */
uint64_t __trod_burst_event(struct trod_burst_plan *p, unsigned word, bool slow);

/* --- burst_draw.c: chance, and what goes into the file of it ------------------------------------ */

/* The group's rate is this from now on; its waits are as they were. */
void __trod_burst_set_rate(
    struct trod_burst_plan *p, struct trod_burst_group *g, uint64_t rate);
uint64_t __trod_burst_random(struct trod_burst_plan *p);
/* Below bound; 0 if that is 0. */
uint64_t __trod_burst_below(struct trod_burst_plan *p, uint64_t bound);
/* Events that are off between two bursts. */
uint64_t __trod_burst_draw(struct trod_burst_plan *p, const struct trod_burst_group *g);
/* The same from some moment on. */
uint64_t __trod_burst_draw_rest(
    struct trod_burst_plan *p, const struct trod_burst_group *g);
uint64_t __trod_burst_next_prime(uint64_t n);

/* --- burst_budget.c ------------------------------------------------------------------------------- */

enum {
    TROD_BURST_LOOK = 16, /* ticks that it takes to look at the clock */
    TROD_BURST_QUICK =
        22, /* ticks that a visit takes less which is simple and not timed */
    TROD_BURST_BACK = 20, /* ticks of a way back to the fast copy without a visit */
    TROD_BURST_EPOCH = 1 << 22, /* ticks between two controls, about */
    TROD_BURST_CROSSING =
        72 /* ticks of a visit that are not between its looks at the clock: measured */
};

void __trod_burst_time_open(struct trod_burst_plan *p);
void __trod_burst_time_begin(struct trod_burst_plan *p);
/* The mask of a visit is known, and whether all bursts are over: is this one of those that are timed? */
void __trod_burst_time_plan(struct trod_burst_plan *p, uint64_t mask, bool over);
/* begun: its beginning was timed, too. */
void __trod_burst_time_end(struct trod_burst_plan *p, uint64_t mask, bool begun);
void __trod_burst_time_adopt(struct trod_burst_plan *p);
/* Whether rates are to be moved. */
bool __trod_burst_is_due(const struct trod_burst_plan *p);
/* Move them, and waits.
 *
 * needs:  waits that are settled
 */
void __trod_burst_control(struct trod_burst_plan *p);
/* Whether the budget has room for a burst: of trigger FLAG. */
bool __trod_burst_may(struct trod_burst_plan *p);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
