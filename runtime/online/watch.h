/* watch: watchers, which sample the subpaths of threads.
 *
 *     __trod_online_enter, __trod_block (online.c) -> watcher -> sampler -> SAMPLE section
 *
 * Linked only into programs whose subpaths are sampled: the rest of the runtime refers to it weakly.
 *
 * Glossary
 *   watcher  a sampler, its section, and the thread's skips while samples are pending. Kept
 *            until the program ends; when the thread has ended, another may take it over
 *   held     said of skips: saved, and replaced by negative ones
 *   trace    every block, written to a file or pipe as it begins: for exact counts
 *
 * A watcher is in memory that children do not inherit. In a child created without fork handlers, all watchers are
 * dead.
 */
#ifndef TROD_WATCH_H
#define TROD_WATCH_H

#include "runtime.h"

#include "sampler_budget.h"

#pragma GCC visibility push(hidden)

enum { TROD_TRACE_BLOCKS = 1020 }; /* of a chunk: a page, in one write */

struct trod_watcher {
    bool alive;
    bool busy;            /* the thread is executing this code */
    bool missed;          /* a signal handler interrupted it and was not seen */
    bool pending;         /* skips are held */
    bool trace;           /* a trace is written: they are always held */
    uint32_t nvain;       /* number of unseen signal handlers */
    uint32_t block, cost; /* of __trod_watch_add */
    uint16_t nraised;     /* of __trod_watch_begin */
    int64_t held[TROD_RT_SKIPS];
    struct trod_sampler *sampler;
    struct trod_sampler_budget budget;
    uint64_t heard;  /* the last setting (control.h) */
    uint32_t nreset; /* as there */
    uint64_t idle;   /* blocks between two looks while nothing is sampled (idle.h) */
    uint64_t looked; /* nanoseconds: when it last looked */

    struct trod_own *own; /* of its thread */
    struct trod_watcher *older;
    _Atomic uint64_t owner; /* as in struct trod_area */
    uint32_t thread;
    uint32_t ntraced;
    uint32_t *traced; /* head and blocks of a chunk */
    void *section;
    uint64_t section_size;
    struct trod_kept kept;
};

/* --- watch.c: these may use vector registers, and are called through __trod_keep_vectors ------- */

/* Give the calling thread, whose own it is, a watcher, unless a signal handler did so first. Signals are blocked, and
 * it is busy. Returns whether it has a new one.
 */
uint64_t __trod_watch_open(void *own);
uint64_t __trod_watch_gap(void *watcher);
uint64_t __trod_watch_begin(void *watcher);
uint64_t __trod_watch_add(void *watcher);
uint64_t __trod_watch_break(void *watcher);
/* The budget is due to be settled. Returns whether gaps must be drawn again. */
uint64_t __trod_watch_settle(void *watcher);

/* --- watch_control.c: likewise --------------------------------------------------------------- */

/* Follow the setting there is now. Returns whether gaps must be drawn again. */
uint64_t __trod_watch_follow(void *watcher);
/* The number of blocks until a watcher that samples nothing looks again. */
uint64_t __trod_watch_idle(void *watcher);
/* The options of a thread that begins. */
void __trod_watch_now(
    struct trod_sampler_options *out, uint64_t *heard, uint32_t *nreset);
/* watch.c: the samples of threads that have ended without following the last reset of w. needs: calm */
void __trod_watch_forget_ended(const struct trod_watcher *w);
/* watch.c: what the program was started with. */
void __trod_watch_started_with(struct trod_sampler_options *out);

/* --- watch.c: these may not -------------------------------------------------------------------- */

void __trod_watch_trace(struct trod_watcher *w, uint32_t block);
/* For a busy watcher: before a fork, in the parent, in the child. */
void __trod_watch_keep(struct trod_watcher *w);
void __trod_watch_keep_no_more(struct trod_watcher *w);
void __trod_watch_detach(struct trod_watcher *w);
void __trod_watch_fork(void);

#pragma GCC visibility pop

#endif
