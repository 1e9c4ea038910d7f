/* twin: functions with their code twice.
 *
 *     body -> places (twin_places.c) -> two copies, and the ways between them (twin.c)
 *
 * A fast copy runs nearly always and only looks whether it is time for the other; in the slow copy
 * every block reports that it begins.
 *
 *     fast                                     slow
 *     check   skip -= most; below 0: slow      again: may it be fast?
 *     ...                                      block: n, which begins now
 *     call                                     call
 *     test    samples pending: slow
 *
 * Checks stand at the entry, at each header of a loop, behind loops, and wherever many blocks could
 * run without one. What is subtracted is constant: the most blocks that can run before the next
 * check. Of these, the runtime tells the slow copy which is a start (own, see __trod_block); one
 * beyond those that really run is none. So nothing has to be counted, and all blocks are equally
 * likely.
 *
 * Behind what may have run other code of the program is a test, no check: samples that began there
 * go on here. Samples are none of the fast copy's business otherwise.
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

#endif
