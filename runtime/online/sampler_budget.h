/* sampler_budget: what sampling costs a thread, and the f that its budget allows.
 *
 *     calls of the slow copy, checks -> cost, floor -> balance (control/budget.h) -> f
 *
 * Glossary
 *   call      of the runtime by the slow copy, for a block or where the fast copy might continue
 *   add       a call that only adds a block to the samples that are pending. One in some is timed
 *   heavy     any other call: it draws, begins or ends samples. Each is timed
 *   extra     what a block of the slow copy takes longer than one of the fast copy, besides calls: it is seldom in the caches.
 *             The mean time between adds, less the mean time of a block of the program, if that is more than nothing
 *
 * The number of checks is estimated: a check that subtracts m meets a start with a probability p, about m / f, and then comes
 * here. It stands for 1 / p checks.
 *
 * Integers only, as its callers use general registers only.
 */
#ifndef TROD_SAMPLER_BUDGET_H
#define TROD_SAMPLER_BUDGET_H

#include "control/budget.h"

#include "sampler.h"

#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TROD_SAMPLER_LOOK = 16, /* ticks to read the clock */
    TROD_SAMPLER_CROSSING =
        72,                   /* ticks of a heavy call outside its reads of the clock */
    TROD_SAMPLER_REPORT = 40, /* the same, of an add */
    TROD_SAMPLER_EPOCH = 1 << 22 /* ticks between two controls, at least */
};

/* What f may be with a budget, unless something else is said. */
enum { TROD_SAMPLER_LEAST_F = 64 };
#define TROD_SAMPLER_MOST_F (UINT64_C(1) << 23)

struct trod_sampler_budget {
    uint64_t (*clock)(void); /* in ticks; NULL: nothing is measured */
    struct trod_budget account;
    const struct trod_sampler *sampler;

    struct trod_gap add, heavy;
    struct trod_gap between; /* the end of an add, and the start of the next */
    uint64_t nadd;           /* since the last heavy call */
    uint64_t nlook;          /* reads of the clock for adds, since then */
    uint64_t cost;
    uint64_t nblock;    /* of the program, estimated */
    uint64_t nexpected; /* checks, in 1/16 */
    uint64_t variance;  /* of their number */
    uint64_t left;      /* tick when the last timed call ended */
    uint32_t nepisode;  /* times that samples became pending */
    bool is_timed;      /* adds are */
    bool is_near;       /* the next call is for the next block */
    bool is_exceeded;   /* checks alone take more than the budget */
    bool is_noted;      /* that was said; the caller's */

    uint64_t sum_cost; /* recent: sum of cost times f */
    uint64_t sum_time; /* recent: time without it */
    uint32_t nepoch;
};

/* needs:  *b zeros, or as after a call of this; s open, and its shared part not yet described where time is known
 * fills:  all; with a share of 0 or without a clock nothing is measured from now on
 */
void __trod_sampler_budget_open(struct trod_sampler_budget *b, struct trod_sampler *s,
    uint32_t share, uint64_t (*clock)(void), void (*times)(struct trod_clocks *out));
/* Another thread goes on. */
void __trod_sampler_budget_adopt(struct trod_sampler_budget *b);

/* What was spent so far no longer counts. */
void __trod_sampler_budget_forget(struct trod_sampler_budget *b);

/* Samples will be pending from now on, and were not. */
void __trod_sampler_budget_episode(struct trod_sampler_budget *b);

/* A call begins. Returns when; 0: it is not timed. */
uint64_t __trod_sampler_budget_enter(struct trod_sampler_budget *b, bool heavy);
/* It ends. moved: f was changed, so it may have been long. near: the next call is for the next block. */
void __trod_sampler_budget_leave(
    struct trod_sampler_budget *b, uint64_t began, bool heavy, bool moved, bool near);

/* A check that subtracts `most` came here, as one of f blocks does: f blocks in 16 to 1. */
void __trod_sampler_budget_check(
    struct trod_sampler_budget *b, uint64_t f, uint64_t most);

static inline bool __trod_sampler_budget_is_due(const struct trod_sampler_budget *b)
{
    return b->clock && b->left - b->account.timed >= TROD_SAMPLER_EPOCH;
}

/* Settle. Returns the f to aim at, or 0: stay.
 *
 * needs:  is due, just after a timed call
 */
uint64_t __trod_sampler_budget_control(struct trod_sampler_budget *b);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
