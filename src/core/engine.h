/* engine: the times of one design, for core_run.c. */
#ifndef TROD_CORE_ENGINE_H
#define TROD_CORE_ENGINE_H

#include "core/core.h"

/* An instruction as it is timed. */
struct core_op {
    uint8_t pool;  /* enum trod_core_pool; POOLS: it needs none */
    uint8_t class; /* enum trod_insn_class */
    uint8_t nsource, ntarget;
    uint16_t latency, busy;
    uint64_t
        guard; /* bits of an entry of the calendar that are clear where it can issue */
    uint64_t take; /* what is added then */
    uint8_t nload, nstore;
    uint8_t source[TROD_INSN_SOURCES];
    uint8_t target[TROD_INSN_TARGETS];
};

/* What an access met: the same for all designs. Misses and stores have numbers from 1; 0: none. */
struct core_met {
    uint32_t latency;
    uint32_t fill; /* the miss that brings its line, or brought it */
    uint32_t
        store;   /* of a load: the last store to the same place. Of a store: itself */
    bool missed; /* it is that miss */
};

/* A run as it is timed. Accesses are in order of instructions, of each the loads first. */
struct core_block {
    const struct trod_run *run;
    const struct core_op *op;
    const uint32_t *delay; /* [nop] of fetch; NULL: none */
    const uint16_t *nload, *nstore;
    const struct core_met *met;
    uint32_t nop;
    bool first; /* of a thread that is another than before */
    bool fetch_on_completion, fetch_on_dispatch; /* of the last op; what comes behind */
    bool taken;
    uint32_t service;
    const struct trod_core_injected *injected;
    size_t ninjected;
    const struct core_met *hits; /* [255] what meets nothing */
};

struct core_engine {
    const struct trod_core_machine *machine;
    uint32_t width, rob, lsq, ifq; /* of it */
    struct trod_core_cycles sum;
    uint64_t fetch, dispatch, commit;    /* cycles of the last */
    uint32_t nfetch, ndispatch, ncommit; /* in these */
    uint64_t completed, dispatched;      /* of the last op */
    uint64_t *commit_of_rob, *commit_of_lsq, *dispatch_of_ifq, *free_of_queue;
    uint32_t at_rob, at_lsq, at_ifq, at_queue;
    uint64_t served; /* the profiler takes the next branch */
    uint64_t ready[TROD_INSN_REGISTERS + 1];
    /* By number, as many as can be on their way. */
    uint64_t *complete_of_store, *time_of_fill;
    uint32_t mask;
    /* What is taken in a cycle: six bits for each pool, then for issue, of which the highest is set when no more is
     * left; above, which cycle.
     */
    uint64_t *calendar;
    uint64_t empty, calendar_mask;
    uint32_t calendar_bits;
    /* Ports in use, by the cycle; NULL: nobody asked. */
    void (*used)(void *ctx, uint64_t cycle);
    void *ctx;
};

/* Stores and fills that may be on their way: those with lower numbers are done. */
uint32_t trod_core_engine_ring(const struct trod_core_machine *machine);

void trod_core_engine_init(struct core_engine *out,
    const struct trod_core_machine *machine, const struct trod_core_design *design,
    struct trod_arena *mem);
void trod_core_engine_run(struct core_engine *engine, const struct core_block *block);
void trod_core_op_fill(struct core_op *out, const struct trod_insn *insn,
    const struct trod_core_machine *machine);
/* Ports that were in use in a cycle; 0: that is too long ago. */
uint32_t trod_core_engine_ports(const struct core_engine *engine, uint64_t cycle);

#endif
