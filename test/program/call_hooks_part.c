/* Counts calls as -finstrument-functions reports them: independent counts for burst_others.t. At exit it writes each
 * function and call site to the file that CALL_HOOKS names, as offsets in the image, with its count.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define QUIET __attribute__((no_instrument_function))

enum { ROOM = 1 << 16 };

extern const char __executable_start;

static struct pair {
    uintptr_t function, site;
    uint64_t count;
} pairs[ROOM];
static int busy;

static QUIET void take(uintptr_t function, uintptr_t site)
{
    uint32_t i = (uint32_t)((function * 31 + site) * 2654435761u) % ROOM;

    while (pairs[i].count && (pairs[i].function != function || pairs[i].site != site))
        i = (i + 1) % ROOM;
    pairs[i].function = function;
    pairs[i].site = site;
    pairs[i].count++;
}

QUIET void __cyg_profile_func_enter(void *function, void *site)
{
    while (__atomic_exchange_n(&busy, 1, __ATOMIC_ACQUIRE))
        ;
    take((uintptr_t)function, (uintptr_t)site);
    __atomic_store_n(&busy, 0, __ATOMIC_RELEASE);
}

QUIET void __cyg_profile_func_exit(void *function, void *site)
{
    (void)function;
    (void)site;
}

/* Runs after all other exit handlers. */
__attribute__((destructor(101))) static QUIET void tell(void)
{
    const char *name = getenv("CALL_HOOKS");
    FILE *out = name ? fopen(name, "w") : NULL;
    uintptr_t start = (uintptr_t)&__executable_start;

    for (uint32_t i = 0; out && i < ROOM; i++)
        if (pairs[i].count)
            fprintf(out, "%jx %jx %ju\n", (uintmax_t)(pairs[i].function - start),
                (uintmax_t)(pairs[i].site - start), (uintmax_t)pairs[i].count);
    if (out)
        fclose(out);
}
