/* watch: who samples a thread's subpaths, and where.
 *
 *     __trod_online_enter, __trod_block (online.c) -> watcher -> sampler -> SAMPLE section
 *
 * Only in programs whose subpaths are sampled: the rest of the runtime refers to it weakly.
 *
 * Glossary
 *   watcher  a sampler, its section, and the thread's skips while samples are pending. Made and
 *            kept until the program ends; when the thread is gone another may have it
 *   held     said of skips: put aside, with negative ones in their place
 *   trace    every block, written to a file or pipe as it begins: for who counts them all
 *
 * A watcher lies in memory that children do not inherit. For a child whose fork was not seen, all are
 * dead.
 */
#ifndef TROD_WATCH_H
#define TROD_WATCH_H

#include "runtime.h"

#include "sampler.h"

#pragma GCC visibility push(hidden)

enum { TROD_TRACE_BLOCKS = 1020 }; /* of a chunk: a page, written at once */

struct trod_watcher {
    bool alive;
    bool busy;            /* the thread is in the middle of this */
    bool missed;          /* a handler was, and was not seen */
    bool pending;         /* skips are held */
    bool trace;           /* they always are */
    uint32_t nvain;       /* handlers that were not seen */
    uint32_t block, cost; /* of __trod_watch_add */
    int64_t held[TROD_RT_SKIPS];
    struct trod_sampler *sampler;

    struct trod_own *own; /* of the thread that has it */
    struct trod_watcher *older;
    _Atomic uint64_t owner; /* as of an area */
    uint32_t thread;
    uint32_t ntraced;
    uint32_t *traced; /* head and blocks of a chunk */
    void *section;
    uint64_t section_size;
    struct trod_kept kept;
};

/* --- watch.c: these are free to use vectors, and are called through __trod_keep_vectors ------- */

/* Give the calling thread, whose own it is, a watcher, unless a handler was quicker: while no handler can come, and
 * busy. Whether it has a new one.
 */
uint64_t __trod_watch_open(void *own);
uint64_t __trod_watch_gap(void *watcher);
uint64_t __trod_watch_begin(void *watcher);
uint64_t __trod_watch_add(void *watcher);
uint64_t __trod_watch_break(void *watcher);

/* --- watch.c: these do not -------------------------------------------------------------------- */

void __trod_watch_trace(struct trod_watcher *w, uint32_t block);
/* Of one that is busy: before a fork, in the parent, in the child. */
void __trod_watch_keep(struct trod_watcher *w);
void __trod_watch_keep_no_more(struct trod_watcher *w);
void __trod_watch_detach(struct trod_watcher *w);
void __trod_watch_fork(void);

#pragma GCC visibility pop

#endif
