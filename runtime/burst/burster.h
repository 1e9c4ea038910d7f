/* burster: a thread that is sampled in bursts.
 *
 *     events, probes (burst.c) -> plan (burst_plan.c): what is on -> counters, refs
 *
 * Only in programs that are: the rest of the runtime refers to it weakly.
 *
 * A sampled thread has a burster: its plan, its BURST section, what it loads and stores. It is made when
 * the thread comes to its first event, and kept until the program ends; when the thread is gone
 * another may have it. It lies in memory that children do not inherit: for a child whose fork was not seen,
 * all are dead.
 */
#ifndef TROD_BURSTER_H
#define TROD_BURSTER_H

#include "runtime.h"

#include "burst_plan.h"
#include "refs.h"
#include "ticker.h"

#pragma GCC visibility push(hidden)

struct trod_burster {
    bool alive;
    bool busy;       /* the thread is in the middle of this */
    bool streaming;  /* the burst of streams goes on */
    uint32_t nvain;  /* handlers that were not seen */
    uint64_t nburst; /* of streams, at the last event */
    struct trod_burst_plan plan;
    struct trod_refs refs;
    struct trod_format_burst *shared;
    uintptr_t image, image_end;

    struct trod_own *own; /* of the thread that has it */
    struct trod_burster *older;
    _Atomic uint64_t owner; /* as of an area */
    uint32_t thread;
    void *section;
    uint64_t section_size;
    struct trod_kept kept;
};

/* --- burst_thread.c: free to use vectors, and called through __trod_keep_vectors --------------- */

/* Give the calling thread, whose own it is, a burster, unless a handler was quicker: while no handler can come. NULL
 * if there can be none.
 */
uint64_t __trod_burster_open(void *own);
/* Of one that is busy: before a fork, in the parent, in the child. */
void __trod_burster_keep(struct trod_burster *b);
void __trod_burster_keep_no_more(struct trod_burster *b);
void __trod_burster_detach(struct trod_burster *b);
void __trod_burster_fork(void);

/* --- burst.c ---------------------------------------------------------------------------------- */

/* For the plan. */
void __trod_burst_times(struct trod_burst_times *out);

/* --- burst_stub.c --------------------------------------------------------------------------- */

/* Call it, and leave all that the processor has beside general registers as it was. */
uint64_t __trod_keep_state(uint64_t (*call)(void *), void *with);

#pragma GCC visibility pop

#endif
