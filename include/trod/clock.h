/* clock: what a clock said, for budgets. */
#ifndef TROD_CLOCK_H
#define TROD_CLOCK_H

#include <stdint.h>

/* Nanoseconds: a monotonic clock, and the thread's CPU time. */
struct trod_clocks {
    uint64_t all, own;
};

#endif
