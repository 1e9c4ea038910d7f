/* times: what a clock said, for budgets. */
#ifndef TROD_TIMES_H
#define TROD_TIMES_H

#include <stdint.h>

/* Nanoseconds: a monotonic clock, and the thread's CPU time. */
struct trod_times {
    uint64_t all, own;
};

#endif
