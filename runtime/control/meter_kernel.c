#define _GNU_SOURCE 1

#include "burst/burster.h"

#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* Counters of the processor are read where the kernel maps them, by an instruction: some ten nanoseconds, no descriptor.
 * The kernel's own come from getrusage. read() of a descriptor takes as long as that, and might read
 * from a file of the program that has taken its number.
 *
 * A test replaces the file by itself with a kernel of its own (TROD_METER_FAKE).
 */

static int64_t call(
    long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e)
{
    /* cppcheck-suppress uninitvar; what an argument points to may be filled by the call */
    const uint64_t argument[6] = {a, b, c, d, e, 0};

    return __trod_os_call(number, argument);
}

/* --- the processor's ------------------------------------------------------------------------- */

#ifdef __x86_64__
#ifdef TROD_METER_FAKE
#include TROD_METER_FAKE
#else
static bool is_filtered(void)
{
    return call(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) == SECCOMP_MODE_FILTER;
}

static int64_t open_event(const struct perf_event_attr *attr)
{
    return call(SYS_perf_event_open, (uintptr_t)attr, 0, UINT64_MAX, UINT64_MAX,
        PERF_FLAG_FD_CLOEXEC);
}

static int64_t map_event(int fd)
{
    return call(SYS_mmap, 0, __trod_os_page(), PROT_READ, MAP_SHARED, (uint64_t)fd);
}

static void close_event(int fd)
{
    __trod_os_close(fd);
}

static uint64_t rdpmc(uint32_t counter)
{
    uint32_t low, high;

    __asm__ volatile("rdpmc" : "=a"(low), "=d"(high) : "c"(counter));
    return (uint64_t)high << 32 | low;
}
#endif

/* As <linux/perf_event.h> says at struct perf_event_mmap_page. */
uint64_t __trod_os_meter_read(const void *of)
{
    const volatile struct perf_event_mmap_page *page = of;
    uint64_t count;
    uint32_t lock;

    do {
        uint32_t index, unused;

        lock = page->lock;
        __asm__ volatile("" : : : "memory");
        index = page->index;
        count = UINT64_MAX;
        if (index && page->cap_user_rdpmc) {
            unused = 64 - page->pmc_width;
            count = (uint64_t)page->offset +
                    (uint64_t)((int64_t)(rdpmc(index - 1) << unused) >> unused);
        }
        __asm__ volatile("" : : : "memory");
    } while (page->lock != lock);
    return count;
}

/* The numbers of caches and TLBs, in the order of enum trod_meter_kind. */
static uint64_t config_of(uint32_t metric)
{
    static const uint8_t cache[] = {PERF_COUNT_HW_CACHE_L1D, PERF_COUNT_HW_CACHE_L1I,
        PERF_COUNT_HW_CACHE_LL, PERF_COUNT_HW_CACHE_DTLB, PERF_COUNT_HW_CACHE_ITLB};

    if (metric < TROD_METER_L1D)
        return metric - TROD_METER_CYCLES;
    return cache[metric - TROD_METER_L1D] | PERF_COUNT_HW_CACHE_OP_READ << 8 |
           PERF_COUNT_HW_CACHE_RESULT_MISS << 16;
}

_Static_assert(
    PERF_COUNT_HW_CPU_CYCLES == 0 && PERF_COUNT_HW_INSTRUCTIONS == 1 &&
        PERF_COUNT_HW_CACHE_REFERENCES == 2 && PERF_COUNT_HW_CACHE_MISSES == 3 &&
        PERF_COUNT_HW_BRANCH_INSTRUCTIONS == 4 && PERF_COUNT_HW_BRANCH_MISSES == 5 &&
        PERF_COUNT_HW_BUS_CYCLES == 6 && PERF_COUNT_HW_STALLED_CYCLES_FRONTEND == 7 &&
        PERF_COUNT_HW_STALLED_CYCLES_BACKEND == 8 &&
        PERF_COUNT_HW_REF_CPU_CYCLES == 9 &&
        TROD_METER_REF_CYCLES - TROD_METER_CYCLES == 9,
    "the order of enum trod_meter_kind");

/* Pinned: it counts whenever the thread runs, or never, so that nothing must be scaled. */
int __trod_os_meter_open(const void **page, uint32_t metric)
{
    struct perf_event_attr attr = {.size = PERF_ATTR_SIZE_VER0,
        .type = metric < TROD_METER_L1D ? PERF_TYPE_HARDWARE : PERF_TYPE_HW_CACHE,
        .config = config_of(metric),
        .pinned = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1};
    const volatile struct perf_event_mmap_page *mapped;
    int64_t fd, at;
    int error;

    if (is_filtered())
        return TROD_OS_FILTERED;
    fd = open_event(&attr);
    if (fd < 0)
        return (int)fd;
    at = map_event((int)fd);
    close_event((int)fd); /* the mapping keeps it */
    if (at < 0 && at > -4096)
        return (int)at - TROD_OS_UNMAPPED;
    mapped = (const void *)at; /* NOLINT(performance-no-int-to-ptr) */
    if (mapped->cap_user_rdpmc && mapped->index) {
        *page = (const void *)at; /* NOLINT(performance-no-int-to-ptr) */
        return 0;
    }
    error = mapped->cap_user_rdpmc ? TROD_OS_BUSY : TROD_OS_UNREADABLE;
    __trod_os_meter_close((const void *)at); /* NOLINT(performance-no-int-to-ptr) */
    return error;
}
#else
uint64_t __trod_os_meter_read(const void *of)
{
    (void)of;
    return UINT64_MAX;
}

int __trod_os_meter_open(const void **page, uint32_t metric)
{
    (void)page;
    (void)metric;
    return TROD_OS_UNREADABLE;
}
#endif

void __trod_os_meter_close(const void *page)
{
    __trod_os_unmap((void *)(uintptr_t)page, __trod_os_page());
}

void __trod_os_meter_forked(const void *page)
{
    __trod_os_map_zeros((void *)(uintptr_t)page, __trod_os_page());
}

/* --- the kernel's ------------------------------------------------------------------------------ */

void __trod_os_usage(uint64_t out[TROD_OS_USAGE])
{
    struct rusage usage;

    if (call(SYS_getrusage, RUSAGE_THREAD, (uintptr_t)&usage, 0, 0, 0)) {
        out[0] = out[1] = out[2] = UINT64_MAX;
        return;
    }
    out[0] = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
    out[1] = (uint64_t)usage.ru_majflt;
    out[2] = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

_Static_assert(TROD_METER_MAJOR_FAULTS == TROD_METER_PAGE_FAULTS + 1 &&
                   TROD_METER_SWITCHES == TROD_METER_PAGE_FAULTS + 2 &&
                   TROD_METERS == TROD_METER_PAGE_FAULTS + TROD_OS_USAGE,
    "the order of out");
