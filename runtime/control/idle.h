/* idle: how often a thread that samples nothing looks whether it is to sample.
 *
 * It counts events or blocks down like any other, only from a greater number. The number grows as long as looks follow each
 * other quickly, and shrinks when they are rare: a look takes a hundred instructions, and somebody waits for it.
 */
#ifndef TROD_IDLE_H
#define TROD_IDLE_H

#include <stdint.h>

enum {
    TROD_IDLE_FIRST = 1 << 10,
    TROD_IDLE_LEAST = 1 << 6,
    TROD_IDLE_MOST = 1 << 18,
    TROD_IDLE_SOON = 1 << 25, /* ticks, or nanoseconds: 10 to 30 ms */
    TROD_IDLE_LATE = 1 << 28
};

/* After so many, and so much time since the last look. */
static inline uint64_t trod_idle_next(uint64_t idle, uint64_t time)
{
    if (time < TROD_IDLE_SOON)
        return idle < TROD_IDLE_MOST ? 2 * idle : TROD_IDLE_MOST;
    if (time < TROD_IDLE_LATE)
        return idle;
    return idle > 8 * (uint64_t)TROD_IDLE_LEAST ? idle / 8 : TROD_IDLE_LEAST;
}

#endif
