/* burster: a thread that is sampled in bursts.
 *
 *     events, probes (burst.c) -> plan (burst_plan.c): what is on -> counters, refs
 *
 * Linked only into programs with bursts: the rest of the runtime refers to it weakly.
 *
 * A sampled thread has a burster: its plan, its BURST section, its loads and stores. It is created at
 * the thread's first event, and kept until the program ends; when the thread has ended,
 * another may take it over. It is in memory that children do not inherit: in a child created without fork handlers,
 * all bursters are dead.
 */
#ifndef TROD_BURSTER_H
#define TROD_BURSTER_H

#include "runtime.h"

#include "burst_plan.h"
#include "refs.h"
#include "ticker.h"

#pragma GCC visibility push(hidden)

/* Weights before a change. */
enum { TROD_BURST_BEFORE = 16 };

struct trod_burster_weights {
    uint64_t mark;
    uint64_t weight[TROD_BURST_TYPES];
};

/* What is counted for the paths of a thread besides time. */
struct trod_meter {
    bool open;  /* for this thread: counters are open, or were refused */
    bool reads; /* some are of the processor */
    bool asks;  /* some are of the kernel */
    uint32_t n;
    uint32_t metric[TROD_RT_METRICS];
    const void *page[TROD_RT_METRICS]; /* of the processor's, if it is not refused */
    uint64_t
        inside[TROD_RT_METRICS]; /* events of the runtime itself, of the processor's */
};

struct trod_burster {
    bool alive;
    bool busy;       /* the thread is executing this code */
    bool streaming;  /* a burst of streams is on */
    bool noted;      /* that checks take more than the budget was said */
    bool changing;   /* a new setting is to be followed at the next event */
    uint32_t nvain;  /* number of missed events in signal handlers */
    uint64_t nburst; /* of streams, at the last event */
    struct trod_burst_plan plan;
    struct trod_refs refs;
    struct trod_format_burst *shared;
    uintptr_t image, image_end;
    uint64_t heard;  /* the last setting (control.h) */
    uint32_t nreset; /* as there */
    uint64_t mark;   /* of the setting in force; before: of earlier ones */
    struct trod_burster_weights before[TROD_BURST_BEFORE];

    struct trod_own *own; /* of its thread */
    struct trod_burster *older;
    _Atomic uint64_t owner; /* as in struct trod_area */
    uint32_t thread;
    void *section;
    uint64_t section_size;
    struct trod_kept kept;

    /* Where paths are timed. */
    uint64_t first,
        first_all; /* tick and nanoseconds when the clock was first compared */
    uint64_t last; /* tick of the last time; 0: none, in this thread */
    struct trod_clocks then; /* at that tick */
    struct trod_meter meter;
};

enum { TROD_BURSTER_ABANDONED = 1 << 16 }; /* the same as for watchers */

/* Events in signal handlers that interrupt this code are ignored. */
static inline bool __trod_burster_begin(struct trod_burster *b)
{
    if (!b->busy) {
        b->busy = true;
        atomic_signal_fence(memory_order_seq_cst);
        return b->alive; /* in a child of fork it may be dead by now */
    }
    b->shared->nmissed++;
    if (++b->nvain > TROD_BURSTER_ABANDONED)
        b->own->burster = NULL;
    return false;
}

static inline void __trod_burster_end(struct trod_burster *b)
{
    atomic_signal_fence(memory_order_seq_cst);
    b->busy = false;
    b->nvain = 0;
}

/* --- burst_thread.c: may use vector registers, called through __trod_keep_vectors --------------- */

/* Give the calling thread, whose own it is, a burster, unless a signal handler did so first. Signals are blocked. NULL
 * if there can be none.
 */
uint64_t __trod_burster_open(void *own);
/* For a busy burster: before a fork, in the parent, in the child. */
void __trod_burster_keep(struct trod_burster *b);
void __trod_burster_keep_no_more(struct trod_burster *b);
void __trod_burster_detach(struct trod_burster *b);
void __trod_burster_fork(void);

/* What threads that have ended without following the last reset of b left behind. needs: calm */
void __trod_burster_forget_ended(struct trod_burster *b);
/* Start the ticker, if there is none, and set its pace. needs: calm */
void __trod_burster_tick(const struct trod_burster *b);
/* What the program was started with; the trigger of emitted code, COUNT or FLAG. */
void __trod_burst_started_with(struct trod_burst_options *out);
uint32_t __trod_burst_check(void);

/* --- burst_control.c: settings ---------------------------------------------------------------- */

/* What is in force for a thread that begins. */
void __trod_burst_now(
    struct trod_burst_options *out, uint64_t *heard, uint32_t *nreset);
/* Follow the setting there is now, at the beginning of an event. */
void __trod_burster_follow(struct trod_burster *b);
/* The weight of a type in an earlier generation. */
uint64_t __trod_burster_weight(
    const struct trod_burster *b, uint64_t mark, enum trod_burst_type type);

/* A stretch remembers, beside the types that are on, in which generation of settings it began: its mark. */
enum { TROD_BURST_MARK_AT = 16 };
#define TROD_BURST_MARK (UINT64_C(0xffffff) << TROD_BURST_MARK_AT)

static inline uint64_t trod_burst_mark(uint64_t heard)
{
    return heard / 2 << TROD_BURST_MARK_AT & TROD_BURST_MARK;
}

/* --- burst_watch.c: all that reads the clock that times paths ------------------------------- */

uint64_t __trod_watch_clock(void);
/* What so many reads of the clock add to the own times of paths, between resume and pause; and so many of both to their
 * whole times.
 */
enum { TROD_WATCH_READS = 32 };
void __trod_watch_cost(uint64_t *read, uint64_t *pause_and_resume);

/* --- burst_time.c ---------------------------------------------------------------------------- */

/* An execution of a path, in ticks or in events of a metric. */
struct trod_timed {
    const uint64_t *table;
    uint64_t path, weight, own, with, away;
    uint32_t metric;
};

/* Add it to its cells. Vector registers may be used. */
uint64_t __trod_time_count(void *timed);

/* --- burst_meter.c: metrics of paths. Linked only into programs that count some --------------- */

/* Around what the runtime does within paths: the counters of the calling thread before, and what to add to inside. */
void __trod_meter_visit(uint64_t before[TROD_RT_METRICS]) __attribute__((weak));
void __trod_meter_leave(const uint64_t before[TROD_RT_METRICS]) __attribute__((weak));

/* --- meter_open.c: may use vector registers ---------------------------------------------------- */

/* Open the counters of the calling thread, whose burster it is, and close those of another that had it before. */
uint64_t __trod_meter_open(void *burster);
/* In a child of fork, of a burster that it continues to use. */
void __trod_meter_forked(struct trod_burster *b) __attribute__((weak));

/* --- meter_kernel.c: counters of the processor and of the kernel ---------------------------- */

/* Where programs read a counter of the calling thread, which counts from now on and only in user mode: a page, which
 * children of fork do not have. No descriptor stays open. A negated error, or one of those below.
 */
enum trod_os_meter {
    TROD_OS_UNMAPPED = 4096, /* the kernel does not map it: less the error's number */
    TROD_OS_UNREADABLE = -10000, /* only the kernel reads it */
    TROD_OS_BUSY = -10001,       /* no counter is free */
    TROD_OS_FILTERED = -10002    /* a seccomp filter might end the program */
};
int __trod_os_meter_open(const void **page, uint32_t metric);
void __trod_os_meter_close(const void *page);
/* In a child of fork, which may be about to read it: the page is there and counts nothing. */
void __trod_os_meter_forked(const void *page);
/* UINT64_MAX: it does not count at the moment. General registers only. */
uint64_t __trod_os_meter_read(const void *page);
/* The kernel's own counts for the calling thread, from TROD_METER_PAGE_FAULTS on. */
enum { TROD_OS_USAGE = 3 };
void __trod_os_usage(uint64_t out[TROD_OS_USAGE]);

/* --- burst_stub.c --------------------------------------------------------------------------- */

/* Call a function and preserve all processor state except general registers. */
uint64_t __trod_keep_state(uint64_t (*call)(void *), void *with);

#pragma GCC visibility pop

#endif
