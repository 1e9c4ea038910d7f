/* twin_burst: functions with two copies of their code, for bursts.
 *
 *     body -> events (burst_events.c) -> two copies, checks on back edges (twin_burst.c)
 *          -> reports of the slow copy (burst_probes.c), and what times its paths (burst_time.c)
 *
 * At its entry and on each back edge, the fast copy checks whether a burst begins, and the slow copy
 * whether it is over. What an activation runs between two such events is a stretch. Which profiles a
 * stretch is for is decided when it begins and does not change: __trod_hand.own belongs to the
 * activation, and is saved around calls.
 *
 *     fast                                    slow
 *     entry     skip--; below 0: ask          r = 0
 *     ...                                     calls, loads, stores: report
 *     back edge skip--; below 0: ask          report path; ask: fast or slow?
 *
 * Transitions to the fast copy lead to loop headers. Loops that run no other code keep skip in a
 * register.
 */
#ifndef TROD_LLVM_TWIN_BURST_H
#define TROD_LLVM_TWIN_BURST_H

#include "llvm/emit/emitter.h"
#include "llvm/twin/twin.h"

enum { TROD_BURST_BINS = 16 }; /* bins of trip counts; the last has no upper bound */

/* --- burst_events.c: events that are counted besides paths ---------------------------------- */

struct trod_burst_call {
    LLVMValueRef call;
    trod_node node;
    uint32_t slot;
    bool indirect;
};

struct trod_burst_ref {
    LLVMValueRef access, address;
    trod_node node;
    uint32_t slot;
    bool loads, stores;
    uint64_t bytes; /* 0: known only at run time */
};

struct trod_burst_events {
    const uint64_t *id; /* [nslot] of each slot, by trod_event_id */
    uint32_t nslot;
    uint32_t entry, back; /* slots */
    uint32_t *
        iteration_of_loop; /* [nloop] slots: iterations after the first; the next slots are entries and bins
                            * of trip counts */
    struct trod_burst_call *call;
    size_t ncall;
    struct trod_burst_ref *ref;
    size_t nref;
};

/* types: bits of enum trod_burst_type */
void trod_burst_events(struct trod_burst_events *out, const struct trod_body *body,
    const struct trod_loops *loops, unsigned types, struct trod_arena *mem);

/* Writes the events of a body to the map. */
void trod_burst_map(struct trod_sink *sink, const struct trod_body *body,
    const struct trod_loops *loops, const struct trod_burst_events *events);

/* --- twin_burst.c ------------------------------------------------------------------------- */

struct trod_burst_code {
    struct trod_twin t;
    unsigned types;
    bool flag; /* checks test a flag instead of decrementing skip */
    bool metrics;
    const struct trod_numbering *numbering;
    const struct trod_plan *plan;
    struct trod_llvm_data paths, events_data;
    struct trod_burst_events events;
    LLVMValueRef *terminator, *way_out; /* [nnode] */
    LLVMBasicBlockRef *back; /* [nedge] block of a back edge; other edges: NULL */
    LLVMValueRef sum;        /* variable: sum of the current path */
    LLVMValueRef *
        iterations; /* variables [nloop]: trip count so far; 0: the slow copy did not see the first iteration */
    LLVMValueRef
        watch; /* variable: struct trod_rt_watch, with metrics trod_rt_meter; NULL: paths are not timed */
    uint32_t *npath_end; /* number of ends of paths so far */
    bool keeps;          /* has calls that may change own in the thread's hand */
};

static inline bool trod_burst_has(
    const struct trod_burst_code *b, enum trod_burst_type type)
{
    return b->types >> type & 1;
}

/* The address of an event's counter. */
LLVMValueRef trod_burst_slot(const struct trod_burst_code *b, uint32_t slot);

/* --- burst_probes.c: in the slow copy ------------------------------------------------------- */

/* Emits the probes for paths, loops, calls, loads and stores. Does not emit the events after the
 * blocks of back edges. */
void trod_burst_probes(struct trod_burst_code *b);

/* --- burst_time.c: the time of paths ---------------------------------------------------------- */

/* Calls the runtime at the builder's position: its function with this name, or the one that takes its own time off that of
 * paths. */
void trod_burst_report(
    const struct trod_burst_code *b, LLVMValueRef at, const char *name);

/* The rest does nothing if paths are not timed. */
void trod_burst_time_open(struct trod_burst_code *b);
/* At the builder's position, a path begins. */
void trod_burst_time_start(const struct trod_burst_code *b);
/* At the builder's position, a path ends, whose counter is here: before it is counted, and after. */
void trod_burst_time_stop(const struct trod_burst_code *b);
void trod_burst_time_count(const struct trod_burst_code *b, LLVMValueRef at);
/* At the builder's position, before and after what is not a part of the path. */
void trod_burst_time_pause(const struct trod_burst_code *b);
void trod_burst_time_resume(const struct trod_burst_code *b);
/* Takes off the time of all calls. */
void trod_burst_time_calls(const struct trod_burst_code *b);

#endif
