/* engine: the times of one design, for core_run.c. */
#ifndef TROD_TIMING_ENGINE_H
#define TROD_TIMING_ENGINE_H

#include "timing/timing.h"

/* An instruction to be timed. */
struct core_op {
    uint8_t pool;  /* enum trod_timing_pool; POOLS: it needs none */
    uint8_t class; /* enum trod_insn_class */
    uint8_t nsource, ntarget;
    uint16_t latency, busy;
    uint64_t guard; /* bits of a calendar entry that must be clear for it to issue */
    uint64_t take;  /* value added to the entry */
    uint8_t nload, nstore;
    uint8_t source[TROD_INSN_SOURCES];
    uint8_t target[TROD_INSN_TARGETS];
};

/* The result of a cache look-up of an access: the same for all designs. Lines in transit and stores have slots from 1 to a ring's size.
 * Slot 0 is never written and the last slot is never read, so that no code needs to test for "none".
 */
struct core_lookup {
    uint32_t latency;
    uint16_t wait;   /* waits for the line in this slot */
    uint16_t brings; /* fetches a line into this slot */
    uint16_t
        store; /* for a load: the slot of the store it waits for. For a store: its own slot */
};

/* A run to be timed. Accesses are in order of instructions, loads first. */
struct core_block {
    const struct trod_run *run;
    const struct core_op *op;
    const uint32_t *delay;   /* [nop] of fetch; NULL: none */
    const uint32_t *naccess; /* loads, and stores from bit 16 on */
    const struct core_lookup *lookup;
    uint32_t nop;
    bool first; /* the thread differs from that of the previous run */
    bool fetch_on_completion,
        fetch_on_dispatch; /* of the last op: what follows waits for it */
    bool taken;
    uint32_t service;
    const struct trod_timing_injected *injected;
    size_t ninjected;
    const struct core_lookup *hits; /* [255] look-ups that hit */
};

/* The state of an engine. A run uses a local copy without aliases, which stays in registers. */
struct core_now {
    uint64_t fetch, dispatch, commit;    /* cycles of the last */
    uint64_t completed, dispatched;      /* of the last op */
    uint32_t nfetch, ndispatch, ncommit; /* in these cycles */
    uint32_t at_rob, at_lsq, at_ifq;
};

struct core_engine {
    const struct trod_timing_machine *machine;
    uint32_t width, rob, lsq, ifq; /* of it */
    struct trod_timing_cycles sum;
    struct core_now now;
    uint64_t *commit_of_rob, *commit_of_lsq, *dispatch_of_ifq, *free_of_queue;
    uint32_t at_queue;
    uint64_t served; /* the profiler takes the next branch */
    uint64_t ready[TROD_INSN_REGISTERS + 1];
    uint64_t *complete_of_store, *time_of_line; /* by slot */
    /* Units in use in a cycle: six bits for each pool, then for issue; the highest is set when none is
     * left. For cycles from the last dispatch on.
     */
    uint64_t *calendar;
    uint64_t empty;
    /* Ports in use, by the cycle; NULL: not requested. */
    void (*used)(void *ctx, uint64_t cycle);
    void *ctx;
};

/* Upper bound of stores and lines in transit: older ones are done. Slots are from 1 to it, and one more. */
uint32_t trod_timing_engine_ring(const struct trod_timing_machine *machine);

void trod_timing_engine_init(struct core_engine *out,
    const struct trod_timing_machine *machine, const struct trod_timing_design *design,
    struct trod_arena *mem);
void trod_timing_engine_run(struct core_engine *engine, const struct core_block *block);
void trod_timing_op_fill(struct core_op *out, const struct trod_insn *insn,
    const struct trod_timing_machine *machine);
/* Approximate upper bound of cycles from the oldest instruction in the reorder buffer to the youngest: a power of 2. */
uint64_t trod_timing_engine_span(const struct trod_timing_machine *machine);

#endif
