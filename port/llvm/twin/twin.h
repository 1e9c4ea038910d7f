/* twin: functions with their code twice.
 *
 *     body -> places (twin_places.c) -> two copies, and the ways between them (twin_blocks.c)
 *          -> edges (twin_burst.c) -> the same for bursts -> what is reported (burst_probes.c)
 *
 * The fast copy runs nearly always and only checks whether it is time for the other. The slow copy
 * reports what it executes to the runtime.
 *
 * For sampled subpaths, every block reports that it begins:
 *
 *     fast                                     slow
 *     check   skip -= most; below 0: slow      again: may it be fast?
 *     ...                                      block: n, which begins now
 *     call                                     call
 *     test    samples pending: slow
 *
 * Checks stand at the entry, at each header of a loop, after loops, and wherever many blocks could
 * run without one. What is subtracted is constant: the most blocks that can run before the next
 * check. The runtime chooses which of these is a start for the slow copy (own, see __trod_block); one
 * beyond those that really run is none. So nothing has to be counted, and all blocks are equally
 * likely.
 *
 * Behind what may have run other code of the program is a test, no check: samples that began there
 * continue here. Samples are none of the fast copy's business otherwise.
 *
 * In loops that run no other code, skip is kept in a register.
 */
#ifndef TROD_LLVM_TWIN_H
#define TROD_LLVM_TWIN_H

#include "llvm/port.h"

/* Where things go. All arrays are by node. */
struct trod_twin_places {
    struct trod_view view;
    bool handles; /* signals, perhaps */
    bool *is_check;
    uint32_t *most; /* blocks from here up to the next check */
    uint32_t
        *loop_of; /* outermost loop around it that runs no other code, or TROD_NONE */
    bool *calls;  /* may run other code, before its terminator */
    LLVMValueRef *test; /* before these */
    size_t ntest, room_test;
};

/* Edges may get blocks of their own.
 *
 * needs:  a body whose entry has no variables in it (trod_bridge_split_allocas)
 */
void trod_twin_places(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem);

/* Only calls and the loops that run no other code. */
void trod_twin_loops(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem);

/* A function on its way. */
struct trod_twin {
    const struct trod_body *body;
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef i64;
    LLVMValueRef table;
    uint64_t name;            /* a hash of the function's */
    bool one;                 /* skip for all checks */
    LLVMValueRef own, cached; /* local variables */
    LLVMValueRef
        at; /* in code for shared libraries, where the thread's own is; NULL: asked each time */
    struct trod_arena *mem;
    struct trod_twin_places places;
    struct trod_bridge_twins *twins;
    LLVMValueRef *first; /* [nnode] of its block, after PHIs */
    LLVMValueRef *first_slow;
    LLVMValueRef *last_slow; /* its terminator */
};

/* The words of the thread's hand, after __trod_thread. */
enum {
    TROD_HAND_PENDING,
    TROD_HAND_OWN,
    TROD_HAND_AT,
    TROD_HAND_MOST,
    TROD_HAND_VALUE,
    TROD_HAND_SKIP /* the first of TROD_RT_SKIPS */
};

/* --- twin_code.c: pieces of code, put where the builder stands -------------------------------- */

void trod_twin_open(
    struct trod_twin *out, const struct trod_body *body, struct trod_arena *mem);

/* Values of both copies become one, variables values. */
void trod_twin_close(struct trod_twin *t);

LLVMValueRef trod_twin_number(const struct trod_twin *t, uint64_t value);
/* The hand is found once a function if it is looked for where functions begin. */
void trod_twin_find_hand(struct trod_twin *t);
LLVMValueRef trod_twin_hand(const struct trod_twin *t, unsigned word);

/* Which of the skips a check at a node takes from, and where it is. */
unsigned trod_twin_word(const struct trod_twin *t, trod_node v);
LLVMValueRef trod_twin_skip(const struct trod_twin *t, trod_node v);

/* Bring it to the variable of the loop that a node is in, and back; on all edges into and out of such
 * loops, in the fast copy.
 */
void trod_twin_fill(const struct trod_twin *t, trod_node v);
void trod_twin_spill(const struct trod_twin *t, trod_node v);
void trod_twin_cache_loops(const struct trod_twin *t);

/* A call of the runtime; the same in as little code as can be, with where something is counted. */
void trod_twin_call(const struct trod_twin *t, const char *name);
void trod_twin_report(const struct trod_twin *t, LLVMValueRef at, const char *name);

void trod_twin_copy(const struct trod_twin *t, LLVMValueRef from, LLVMValueRef to);

/* Around a call in the slow copy: what is in own is the activation's, not of what it calls. Behind
 * an invoke it is for others to bring it back.
 */
void trod_twin_keep_own(const struct trod_twin *t, LLVMValueRef slow_call);

LLVMBasicBlockRef trod_twin_open_end(const struct trod_twin *t, LLVMValueRef before);
LLVMBasicBlockRef trod_twin_add_block(const struct trod_twin *t, const char *name);
LLVMValueRef trod_twin_add_variable(const struct trod_twin *t, const char *name);

#endif
