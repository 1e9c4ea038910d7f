/* twin: functions with two copies of their code (Arnold and Ryder).
 *
 *     body -> places of checks (twin_places.c) -> two copies, and transitions between them (twin_blocks.c)
 *     body -> two copies with checks on back edges, for bursts (twin_burst.c) -> reports (burst_probes.c)
 *
 * The fast copy runs nearly always and only checks when to enter the slow copy. The slow copy reports
 * what it executes to the runtime.
 *
 * For sampled subpaths, every block of the slow copy reports that it begins:
 *
 *     fast                                     slow
 *     check   skip -= most; below 0: slow      again: may it be fast?
 *     ...                                      block: n, which begins now
 *     call                                     call
 *     test    samples pending: slow
 *
 * Checks are at the entry, at each loop header, after loops, and wherever many blocks could run
 * without one. They subtract a constant: the maximum number of blocks that can run before the next
 * check. The runtime draws the block at which a sample begins (own, see __trod_block); if fewer
 * blocks run than were subtracted, it may not exist, and no sample begins. So executed blocks need
 * not be counted, and all are equally likely to begin a sample.
 *
 * Control comes back to the fast copy at loop headers only. Where it never does, and where it leaves the fast copy at the
 * entry only, the slow copy is a function of its own (trod_twin_part).
 *
 * After a call that may have run other code of the program is a test instead of a check: samples that
 * began in that code continue here. The fast copy does not deal with samples otherwise.
 *
 * In loops that run no other code, skip is kept in a register.
 */
#ifndef TROD_LLVM_TWIN_H
#define TROD_LLVM_TWIN_H

#include "llvm/port.h"

/* Where checks and tests are. All arrays are indexed by node. */
struct trod_twin_places {
    struct trod_view view;
    bool handles; /* may be a signal handler */
    bool *is_check;
    uint32_t *most; /* maximum number of blocks from here up to the next check */
    uint32_t *
        loop_of; /* outermost loop around it that runs no other code; TROD_NONE: none */
    bool *calls; /* may run other code, before its terminator */
    LLVMValueRef *test; /* instructions with a test before them */
    size_t ntest, room_test;
};

/* Places checks, and tests after calls that may throw. May split edges.
 *
 * needs:  a body whose entry block has no allocas (trod_bridge_split_allocas)
 */
void trod_twin_places(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem);

/* Places tests after other calls.
 *
 * needs:  the copy has been made: what both share was moved before the check, which may be what follows a call
 */
void trod_twin_tests(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem);

/* Finds only the calls, and the loops that run no other code. */
void trod_twin_loops(
    struct trod_twin_places *out, const struct trod_body *body, struct trod_arena *mem);

/* A function being duplicated. */
struct trod_twin {
    const struct trod_body *body;
    LLVMValueRef slow; /* the function that has the slow copy */
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    LLVMTypeRef i64;
    LLVMValueRef table;
    uint64_t name;            /* hash of the function's name */
    bool one;                 /* all checks use the same skip word */
    LLVMValueRef own, cached; /* local variables */
    LLVMValueRef
        at; /* in code for shared libraries: address of the thread's state; NULL: looked up on each use */
    struct trod_arena *mem;
    struct trod_twin_places places;
    struct trod_bridge_twins *twins;
    LLVMValueRef *first; /* [nnode] first instruction of its block, after PHIs */
    LLVMValueRef *first_slow;
    LLVMValueRef *last_slow; /* its terminator */
};

/* The words of the thread's struct trod_rt_hand, which follow __trod_thread. */
enum {
    TROD_HAND_PENDING,
    TROD_HAND_OWN,
    TROD_HAND_AT,
    TROD_HAND_MOST,
    TROD_HAND_VALUE,
    TROD_HAND_SKIP /* the first of TROD_RT_SKIPS words */
};

/* --- twin_code.c: code at the builder's position ---------------------------------------------- */

void trod_twin_open(
    struct trod_twin *out, const struct trod_body *body, struct trod_arena *mem);

/* If control never goes back to the fast copy, and never goes to the slow one but at the entry, the slow copy is a
 * function of its own: the fast copy is then the code that there would be without it, after a check. The first function
 * says whether that is possible if so, the second one whether it is so.
 */
bool trod_twin_may_part(const struct trod_twin *t);
bool trod_twin_is_apart(const struct trod_twin *t);
void trod_twin_part(struct trod_twin *t);
/* Otherwise both copies are in the function. They share what it computes first, before the check, so that these values
 * are the same in both: one that is defined twice is a variable of every loop.
 */
void trod_twin_copy_within(
    struct trod_twin *t, struct trod_body *body, bool loads, bool within);
/* Where the slow copy begins, after what was put there before. */
LLVMValueRef trod_twin_slow_start(const struct trod_twin *t);

/* Adds PHIs for values that are defined in both copies, and promotes variables to SSA values: its own and, where that
 * does not burden the fast copy, these, which only the slow copy uses.
 */
void trod_twin_close(struct trod_twin *t, LLVMValueRef *variable, unsigned count);

LLVMValueRef trod_twin_number(const struct trod_twin *t, uint64_t value);
/* Looks the thread's state up once, at the function's entry, instead of on each use. */
void trod_twin_find_hand(struct trod_twin *t);
LLVMValueRef trod_twin_hand(const struct trod_twin *t, unsigned word);

/* The index of the skip word that a check at this node subtracts from, and its address. */
unsigned trod_twin_word(const struct trod_twin *t, trod_node v);
LLVMValueRef trod_twin_skip(const struct trod_twin *t, trod_node v);

/* Loads skip into the variable of the loop around a node, and stores it back. The third function
 * does this on all edges into and out of such loops, in the fast copy.
 */
void trod_twin_fill(const struct trod_twin *t, trod_node v);
void trod_twin_spill(const struct trod_twin *t, trod_node v);
void trod_twin_cache_loops(const struct trod_twin *t);

/* Call the runtime, in as little code as possible; arguments are in the thread's hand. The second function passes the
 * address of a counter. The third one marks an event as one of the fast copy.
 */
void trod_twin_call(const struct trod_twin *t, const char *name);
void trod_twin_report(const struct trod_twin *t, LLVMValueRef at, const char *name);
void trod_twin_set_fast(const struct trod_twin *t);

void trod_twin_copy(const struct trod_twin *t, LLVMValueRef from, LLVMValueRef to);

/* Saves own before a call in the slow copy and restores it after: own belongs to the activation,
 * and the callee changes it. After an invoke, the caller has to restore it.
 */
void trod_twin_keep_own(const struct trod_twin *t, LLVMValueRef slow_call);
/* The second half of it, where own was saved when it was set. */
void trod_twin_restore_own(const struct trod_twin *t, LLVMValueRef slow_call);

LLVMBasicBlockRef trod_twin_open_end(const struct trod_twin *t, LLVMValueRef before);
LLVMBasicBlockRef trod_twin_add_block(const struct trod_twin *t, const char *name);
LLVMValueRef trod_twin_add_variable(const struct trod_twin *t, const char *name);

#endif
