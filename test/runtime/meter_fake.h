/* A kernel and a processor that meter.t makes up, in place of those of runtime/control/meter_kernel.c.
 *
 * The program adds to the events of its thread. Counters have eight bits, so that they overflow often; now and then the kernel
 * takes the thread from the processor between two reads of a page, as it does in the middle of a path. What went wrong is
 * a macro: FAKE_ERROR of opening, FAKE_UNMAPPED of mapping, FAKE_FILTERED, FAKE_UNREADABLE, FAKE_BUSY.
 */
enum { FAKE_COUNTERS = TROD_METER_PAGE_FAULTS, FAKE_WIDTH = 8 };

extern __thread uint64_t trod_fake_events[FAKE_COUNTERS];
__thread uint64_t trod_fake_events[FAKE_COUNTERS];

/* Of a thread: what each counter began with, and the page of each. */
static __thread uint64_t began[FAKE_COUNTERS];
static __thread struct perf_event_mmap_page *page_of[FAKE_COUNTERS];
static __thread int opening;
static __thread uint32_t nread;
int trod_fake_descriptors; /* that are open */
int trod_fake_forks;       /* reads that are interrupted by a handler, which forks */

#ifndef FAKE_COST
#define FAKE_COST 0 /* instructions that a read takes */
#endif

static bool is_filtered(void)
{
#ifdef FAKE_FILTERED
    return true;
#else
    return false;
#endif
}

static int64_t open_event(const struct perf_event_attr *attr)
{
#ifdef FAKE_ERROR
    (void)attr;
    return FAKE_ERROR;
#else
    if (!attr->pinned || !attr->exclude_kernel || attr->size != 64 || attr->disabled)
        return -22;
    opening = attr->type == PERF_TYPE_HARDWARE
                  ? TROD_METER_CYCLES + (int)attr->config
                  : TROD_METER_L1D + (int)(attr->config & 0xff);
    __atomic_fetch_add(&trod_fake_descriptors, 1, __ATOMIC_RELAXED);
    return 1000 + opening;
#endif
}

/* Children of fork do not have it. */
static int64_t map_event(int fd)
{
#ifdef FAKE_UNMAPPED
    (void)fd;
    return FAKE_UNMAPPED;
#else
    struct perf_event_mmap_page *page = __trod_os_map(__trod_os_page());

    call(SYS_madvise, (uintptr_t)page, __trod_os_page(), MADV_DONTFORK, 0, 0);
#ifndef FAKE_UNREADABLE
    page->cap_user_rdpmc = 1;
#endif
#ifndef FAKE_BUSY
    page->index = (uint32_t)(fd - 1000 + 1);
#endif
    page->pmc_width = FAKE_WIDTH;
    page->offset = 1000000 * opening;
    page_of[fd - 1000] = page;
    began[fd - 1000] = trod_fake_events[fd - 1000];
    return (int64_t)(uintptr_t)page;
#endif
}

static void close_event(int fd)
{
    (void)fd;
    __atomic_fetch_sub(&trod_fake_descriptors, 1, __ATOMIC_RELAXED);
}

/* The kernel moves what a counter has counted to the page, and the counter begins anew. */
static void move(struct perf_event_mmap_page *page, uint32_t counter, uint64_t count)
{
    page->lock++;
    page->offset += (int64_t)count;
    began[counter] += count;
    page->lock++;
}

/* The bits above the counter's are not defined. */
static uint64_t rdpmc(uint32_t counter)
{
    struct perf_event_mmap_page *page = page_of[counter];
    uint64_t count = trod_fake_events[counter] - began[counter];
    uint32_t lock;

    if (trod_fake_forks) {
        int fork(void);

        trod_fake_forks = fork() ? trod_fake_forks - 1 : 0;
    }
    lock = page->lock;
    if (++nread % 5 == 0) /* the thread was interrupted */
        move(page, counter, count);
    else if (count >= 1 << (FAKE_WIDTH - 1)) /* it is about to overflow */
        move(page, counter, count & ~UINT64_C(127));
    if (page->lock == lock)
        trod_fake_events[counter] += FAKE_COST;
    else
        count = trod_fake_events[counter] - began[counter];
    return count | (uint64_t)nread << FAKE_WIDTH;
}
