/* twin_burst: functions with their code twice, for bursts.
 *
 *     body -> events (burst_events.c) -> two copies, checks on back edges (twin_burst.c)
 *          -> what the slow one reports (burst_probes.c)
 *
 * The fast copy looks at its entry and on each back edge whether it is time for a burst; so does the
 * slow copy, whether the burst is over. What an activation runs from one such event to its next is a
 * stretch. Which profiles it is for is decided where it begins, and stays so: __trod_hand.own is the
 * activation's, and put aside around calls.
 *
 *     fast                                    slow
 *     entry     skip--; below 0: ask          r = 0
 *     ...                                     calls, loads, stores: report
 *     back edge skip--; below 0: ask          report path; ask: fast or slow?
 *
 * Copies meet at headers of loops, where the slow copy leads back. Loops that run no other code count in a
 * register.
 */
#ifndef TROD_LLVM_TWIN_BURST_H
#define TROD_LLVM_TWIN_BURST_H

#include "llvm/emit/emitter.h"
#include "llvm/twin/twin.h"

enum { TROD_BURST_BINS = 16 }; /* of trips; the last has all that are more */

/* --- burst_events.c: what is counted beside paths ------------------------------------------- */

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
    uint64_t bytes; /* 0: known when it runs */
};

struct trod_burst_events {
    const uint64_t *id; /* [nslot] of slots, as trod_event_id */
    uint32_t nslot;
    uint32_t entry, back; /* slots */
    uint32_t *
        iteration_of_loop; /* slots [nloop]: further iterations; then entries, then bins */
    struct trod_burst_call *call;
    size_t ncall;
    struct trod_burst_ref *ref;
    size_t nref;
};

/* types: bits of enum trod_burst_type */
void trod_burst_events(struct trod_burst_events *out, const struct trod_body *body,
    const struct trod_loops *loops, unsigned types, struct trod_arena *mem);

/* What they are, for the map. */
void trod_burst_map(struct trod_sink *sink, const struct trod_body *body,
    const struct trod_loops *loops, const struct trod_burst_events *events);

/* --- twin_burst.c ------------------------------------------------------------------------- */

struct trod_burst_code {
    struct trod_twin t;
    unsigned types;
    bool flag; /* is looked at, instead of counting */
    const struct trod_numbering *numbering;
    const struct trod_plan *plan;
    struct trod_llvm_data paths, events_data;
    struct trod_burst_events events;
    LLVMValueRef *terminator, *way_out; /* [nnode] */
    LLVMBasicBlockRef *back;            /* [nedge] on back edges, a block; else NULL */
    LLVMValueRef sum;                   /* variable: of the path */
    LLVMValueRef
        *iterations; /* variables [nloop]: of the visit, all of which was in the slow
                             copy; else 0 */
};

static inline bool trod_burst_has(
    const struct trod_burst_code *b, enum trod_burst_type type)
{
    return b->types >> type & 1;
}

/* Where an event is counted. */
LLVMValueRef trod_burst_slot(const struct trod_burst_code *b, uint32_t slot);

/* --- burst_probes.c: in the slow copy ------------------------------------------------------- */

/* Paths, loops, calls, loads and stores; not what happens after the back edges' own blocks. */
void trod_burst_probes(struct trod_burst_code *b);

#endif
