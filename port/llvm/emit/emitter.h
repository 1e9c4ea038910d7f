/* emitter: emits a plan into functions of LLVM IR.
 *
 * Most plans belong to one function. That of a supergraph is emitted into its root
 * and into copies of the functions it continues into, one body after another, all with the same sum.
 */
#ifndef TROD_LLVM_EMITTER_H
#define TROD_LLVM_EMITTER_H

#include "llvm/port.h"

/* The state of the emitter. */
struct trod_emitter {
    /* of the plan */
    struct trod_arena *mem;
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef i64;
    const struct trod_plan *plan;     /* NULL: see relays */
    const struct trod_ending *ending; /* NULL: each path has the counter of its id */
    struct trod_llvm_data data;
    uint64_t nslot; /* counters of paths; after them is that of beginnings */
    bool records;   /* paths are recorded, not counted */
    void (*note)(
        const void *ctx, LLVMValueRef at); /* how they are recorded; NULL: as a step */
    const void *note_ctx;

    /* of one body */
    const struct trod_body *body;
    const uint32_t
        *site_of; /* site of the plan by site of the body, or TROD_NONE; NULL: the
                                same */
    LLVMValueRef
        mask; /* address of the mask that says whether the sum is followed: all ones, or 0; NULL: it
                          always is */
    const uint64_t
        *pauses;    /* with that: set of sites of the plan after which it is not */
    LLVMValueRef r; /* address of the sum; NULL: a new variable */
    LLVMValueRef
        s; /* address of the sum of the path so far, for stops; NULL: not needed */
    LLVMValueRef thread; /* 1 + distance to the thread's counters; NULL: to be loaded */
    LLVMValueRef *trips; /* variables */
    uint32_t ntrip;
    bool coroutine;
    struct trod_llvm_past past; /* body->chain */

    /* of a copy that serves several plans: sites at which it calls the runtime */
    const uint64_t *relays;
    LLVMValueRef relay, context;
};

/* The operations of all sites of a body.
 *
 * needs:  all but trips and ntrip; r and thread may be NULL
 * breaks: body->block, where blocks are split
 */
void trod_emit_body(struct trod_emitter *m);

/* Those of one site of the plan, before an instruction. */
void trod_emit_site(struct trod_emitter *m, uint32_t site, LLVMValueRef before);

/* --- stop.c: stop cells of functions that run once ---------------------------------------------- */

/* Is there at most one activation of a function in a process: main, or a function that it calls once? */
bool trod_llvm_runs_once(LLVMValueRef function);

/* Before each call that may not return: the path so far and the block, to the stop cell.
 *
 * needs:  m->s, m->thread; no block was split
 */
void trod_emit_stops(const struct trod_emitter *m, const LLVMValueRef *out_of);

/* The operation of a site on the sum of the path so far, if any. */
void trod_emit_stop_site(
    const struct trod_emitter *m, uint32_t site, LLVMValueRef before);
bool trod_emit_has_stop_site(const struct trod_emitter *m, uint32_t site);

/* The look-up of a sum, for __trod_ask; and the bits of a sum that are the path's id. */
struct trod_rt_look trod_emit_look(
    const struct trod_ending *ending, enum trod_ending_kind what);
uint64_t trod_emit_path_mask(const struct trod_ending *ending);

#endif
