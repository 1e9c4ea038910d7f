/* ticker: a flag that is set from time to time, for programs whose bursts are triggered by it.
 *
 *     __trod_ticker_start -> a thread -> __trod_burst_ticks, __trod_burst_flag
 *
 * The thread is unknown to libc, which stays as fast as in a single-threaded
 * program. It blocks all signals, has its own stack and thread pointer, makes no calls except to the
 * kernel, and sleeps. It ends with the process; it must be stopped before the image is unloaded.
 */
#ifndef TROD_TICKER_H
#define TROD_TICKER_H

#include <stdbool.h>
#include <stdint.h>

#include "trod/rt.h"

#pragma GCC visibility push(hidden)

/* Incremented at each tick, before __trod_burst_flag (trod/rt.h) is set. */
extern uint32_t __trod_burst_ticks;

/* Start the ticker of this process, hz times a second, unless it has one: of several callers, one starts
 * it. A child of fork has none until this is called there.
 *
 * needs:  the calling thread calm (os.h)
 * fails:  a negated error: there will be no ticks
 */
int __trod_ticker_start(uint32_t hz);

/* Another number of ticks a second. */
void __trod_ticker_set(uint32_t hz);

/* Stop it and wait until it has ended. Same precondition. */
void __trod_ticker_stop(void);

#pragma GCC visibility pop

#endif
