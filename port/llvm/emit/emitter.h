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
    uint64_t nslot; /* counters of paths; the counter of begun activations follows */
    bool records;   /* paths are recorded, not counted */
    void (*note)(
        const void *ctx, LLVMValueRef at); /* how to record a path; NULL: as a step */
    const void *note_ctx;

    /* of one body */
    const struct trod_body *body;
    const uint32_t *
        site_of; /* site of the plan by site of the body, or TROD_NONE; NULL: they are the same */
    LLVMValueRef
        mask; /* address of the mask of the sum: all ones if it is followed, or 0; NULL: always followed */
    const uint64_t *
        pauses; /* with a mask: set of sites of the plan after which the sum is not followed */
    LLVMValueRef r; /* address of the sum; NULL: a new variable */
    LLVMValueRef
        s; /* address of the sum of the path so far, for stop cells; NULL: not needed */
    LLVMValueRef
        thread; /* 1 + distance to the thread's counters; NULL: not loaded yet */
    LLVMValueRef *trips; /* variables */
    uint32_t ntrip;
    bool coroutine;
    struct trod_llvm_past past; /* body->chain */

    /* of a copy that serves several plans: set of sites at which it calls the runtime */
    const uint64_t *relays;
    LLVMValueRef relay, context;
};

/* Emits the operations of all sites of a body.
 *
 * needs:  all but trips and ntrip; r and thread may be NULL
 * breaks: body->block, where blocks are split
 */
void trod_emit_body(struct trod_emitter *m);

/* Emits the operations of one site of the plan, before an instruction. */
void trod_emit_site(struct trod_emitter *m, uint32_t site, LLVMValueRef before);

/* --- stop.c: stop cells of functions that run once ---------------------------------------------- */

/* Does a function have at most one activation in a process? True for main, and for a function with one call in such a
 * function.
 */
bool trod_llvm_runs_once(LLVMValueRef function);

/* Stores the path so far and the block in the stop cell, before each call that may not return.
 *
 * needs:  m->s, m->thread; no block was split
 */
void trod_emit_stops(const struct trod_emitter *m, const LLVMValueRef *out_of);

/* Emits the update of the sum of the path so far at a site, if there is one. */
void trod_emit_stop_site(
    const struct trod_emitter *m, uint32_t site, LLVMValueRef before);
bool trod_emit_has_stop_site(const struct trod_emitter *m, uint32_t site);

/* The lookup of a sum, for __trod_ask; and the bits of a sum that hold the path's id. */
struct trod_rt_look trod_emit_look(
    const struct trod_ending *ending, enum trod_ending_kind what);
uint64_t trod_emit_path_mask(const struct trod_ending *ending);

#endif
