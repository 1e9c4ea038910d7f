/* budget: what a thread may spend on being sampled, and what it spent.
 *
 *     clocks -> time of the thread; measured costs, floor -> balance -> what sampling may cost now
 *
 * A budget covers all that the program takes longer than it would if it were not instrumented: what sampling costs, which
 * depends on the rate and is measured, and the floor, which does not and is estimated.
 *
 * Glossary
 *   tick     of the time-stamp counter on x86-64, otherwise a nanosecond
 *   time     CPU time of the thread, in ticks: time in which it sleeps, or another has the processor, is not there
 *   check    what fast copies of code do now and then: subtract from a word, or read a flag, and branch if it is time
 *   floor    what checks take, with an assumed cost of each. Not what the code becomes around them: the optimizer sees
 *            more blocks, and the processor more branches
 *   balance  the budget of the time so far, less what was spent; bounded, so that debts and credits end
 *
 * Integers only, no libc, no system call except for those of the clocks that the caller provides.
 */
#ifndef TROD_BUDGET_H
#define TROD_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

#include "trod/clock.h"

#pragma GCC visibility push(hidden)

#ifdef __cplusplus
extern "C" {
#endif

enum { TROD_BUDGET_MILLION = 1000000 };

/* Ticks of a check, in 1/256: assumed, see doc/decisions/0030. A subtraction in memory with a branch; a byte that is
 * tested, with a branch.
 */
enum { TROD_BUDGET_CHECK = 128, TROD_BUDGET_TEST = 96 };

/* --- means of times, some of which are long because the thread slept or was interrupted ------ */

struct trod_gap {
    uint64_t mean;          /* in 1/256 ticks */
    uint32_t n;             /* number of gaps, up to a limit */
    uint32_t nlong, nshort; /* consecutive long or short ones, most recently */
};

/* Add a gap; is_cut: it was longer than the limit, to which it was cut. The mean is discarded after several consecutive
 * gaps that are far from it.
 */
void __trod_gap_add(struct trod_gap *to, uint64_t gap, bool is_cut);
/* The limit of a gap; while the mean is unknown, the time of a cold start. */
uint64_t __trod_gap_limit(const struct trod_gap *of);

/* "2%", "0.5%" or "0.02", as millionths. */
bool __trod_budget_read(const char *at, const char *end, uint32_t *out);

/* --- what was spent ------------------------------------------------------------------------------ */

struct trod_budget {
    uint32_t share; /* of the time, in millionths; 0: there is no budget */
    void (*times)(struct trod_clocks *out); /* NULL: the thread always runs */
    uint64_t time;                          /* of this thread and of previous owners */
    uint64_t timed;                         /* up to this tick */
    struct trod_clocks then;                /* the clocks at that moment */
    uint64_t paid, paid_floor;              /* cost and floor that are in the balance */
    int64_t balance;                    /* ticks that may be spent; negative: debt */
    uint64_t recent_time, recent_floor; /* of late */
};

/* Begin, or go on in another thread. */
void __trod_budget_start(struct trod_budget *b, uint64_t now);
/* Returns the thread's share of the time since the last call. */
uint64_t __trod_budget_add_time(struct trod_budget *b, uint64_t now);
/* In that time, cost and floor rose to this. Returns what cost rose by. */
int64_t __trod_budget_settle(
    struct trod_budget *b, uint64_t time, uint64_t cost, uint64_t floor);

enum { TROD_BUDGET_SHARE = 20 }; /* fractional bits of a target */

/* What sampling may cost from now on, as a share of the time; 0: nothing, since the floor alone is as much as the budget. */
uint64_t __trod_budget_target(const struct trod_budget *b);

/* Has the thread run long enough, and is the floor above the budget, in all of its time? */
bool __trod_budget_is_exceeded(const struct trod_budget *b);

#ifdef __cplusplus
}
#endif

#pragma GCC visibility pop

#endif
