/* ticker: a flag that is set from time to time, for programs whose bursts are triggered by it.
 *
 *     __trod_ticker_start -> a thread -> __trod_burst_ticks, __trod_burst_flag
 *
 * The thread is the kernel's alone: libc does not hear of it, and stays as quick as it is in a program with
 * one thread. It blocks all signals, has a stack and thread pointer of its own, calls nothing but the
 * kernel, and sleeps. It ends with the process; before the image is unloaded it must be stopped.
 */
#ifndef TROD_TICKER_H
#define TROD_TICKER_H

#include <stdbool.h>
#include <stdint.h>

#include "trod/rt.h"

#pragma GCC visibility push(hidden)

/* Counted up at each tick, before __trod_burst_flag (trod/rt.h) is set. */
extern uint32_t __trod_burst_ticks;

/* See that this process has a ticker, hz times a second. Nothing if it has one: of several callers, one starts
 * it. A child of fork has none until this is called there.
 *
 * needs:  the calling thread calm (os.h)
 * fails:  a negated error: there are no ticks
 */
int __trod_ticker_start(uint32_t hz);

/* Stop it and wait until it is gone. The same needs. */
void __trod_ticker_stop(void);

#pragma GCC visibility pop

#endif
