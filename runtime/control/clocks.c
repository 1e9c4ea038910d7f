/* Clocks of budgets. A file of its own, so that tests can put another in its place. */
#include "control.h"

#include "budget.h"

uint64_t __trod_clock_ticks(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    struct trod_os_time now = __trod_os_clock();

    return now.seconds * 1000000000 + now.nanoseconds;
#endif
}

static uint64_t nanoseconds(struct trod_os_time time)
{
    return time.seconds * 1000000000 + time.nanoseconds;
}

static uint64_t read_times(void *out)
{
    struct trod_clocks *times = out;

    times->all = nanoseconds(__trod_os_clock());
    times->own = nanoseconds(__trod_os_own_clock());
    return 0;
}

void __trod_clock_times(struct trod_clocks *out)
{
    __trod_keep_vectors(read_times, out);
}
