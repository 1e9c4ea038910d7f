/* steps_log: a program whose steps are recorded, for programs that test that. Every step is logged before it is made, in
 * memory that outlives the process; patterns say which steps follow each other.
 *
 * Include it first, after _GNU_SOURCE is defined: it selects the mode of emitted.h.
 */
#ifndef STEPS_LOG_H
#define STEPS_LOG_H

#define MODE TROD_MODE_STEPS

#include "emitted.h"
#include "scenario.h"

#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

RECORDS;
FUNCTION(main, 1000, 1);
FUNCTION(other, 1000, 2); /* steps of handlers and children */

/* --- the log ---------------------------------------------------------------------- */

enum { LOG = 1 << 22 };

static struct log {
    atomic_ulong count;
    uint32_t terminal[LOG];
} *logged;

static inline void open_log(void)
{
    logged = share(sizeof *logged);
}

static inline uint32_t terminal_of(const uint64_t *at)
{
    return (uint32_t)(at - __start___trod_cnt);
}

static inline void log_one(const uint64_t *at)
{
    unsigned long n = atomic_load(&logged->count);

    MUST(n < LOG);
    logged->terminal[n] = terminal_of(at);
    atomic_store(&logged->count, n + 1);
}

static __attribute__((noinline)) void step(uint32_t id)
{
    log_one(table_of_main + id);
    STEP(main, id);
}

/* --- what a program does ------------------------------------------------------------- */

static uint64_t seed = 1;

static inline uint32_t draw(uint32_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((seed >> 33) % below);
}

/* From one of 1000 to one of its 3 neighbours. */
static inline uint32_t walk_on(uint32_t at)
{
    static const uint32_t stride[] = {1, 7, 131};

    return (at + stride[draw(3)]) % 1000;
}

static inline uint32_t next_of(const char *pattern, unsigned long i)
{
    static uint32_t at;

    if (!strcmp(pattern, "one"))
        return 3;
    if (!strcmp(pattern, "nest"))
        return i % 1000 == 999 ? 5 : i % 100 == 99 ? 4 : i % 10 == 9 ? 3 : i % 2;
    if (!strcmp(pattern, "walk"))
        return at = walk_on(at);
    if (!strcmp(pattern, "few"))
        return draw(3);
    if (!strcmp(
            pattern, "copies")) /* of what was before, and now and then something new */
        return i && draw(8) ? logged->terminal[i - 1 - draw(i < 9 ? (uint32_t)i : 9)] -
                                  terminal_of(table_of_main)
                            : draw(4);
    if (!strcmp(pattern, "mixed")) /* loops, noise, loops in loops */
        return i % 64 < 20 ? i % 2 : draw(16) ? (uint32_t)(i % 5) : draw(1000);
    MUST(!"such a pattern");
    return 0;
}

static inline void steps(const char *pattern, unsigned long count)
{
    unsigned long i;

    for (i = 0; i < count; i++)
        step(next_of(pattern, i));
}

#endif
