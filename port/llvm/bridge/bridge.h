/* bridge: what LLVM's C API lacks, as plain C.
 *
 * The only C++ in trod is in the files behind this header. It decides nothing: each function is
 * LLVM's own, under a C name. Everything else in port/llvm is C on top of LLVM-C and this.
 */
#ifndef TROD_BRIDGE_H
#define TROD_BRIDGE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where in the pipeline a module is seen. */
enum trod_bridge_point {
    TROD_POINT_START, /* as the front end made it */
    TROD_POINT_EARLY, /* after the first clean-up, before inlining */
    TROD_POINT_MIDDLE, /* after inlining, before loops are dealt with for the last time */
    TROD_POINT_LATE    /* the last of the optimizer */
};

/* Implemented in C (instrument.c): called for every module at every point. True if it
 * changed the module.
 */
bool trod_instrument_module(LLVMModuleRef module, enum trod_bridge_point point);

/* Make a function ready, so that something can be done on each of its edges: every unwind edge
 * gets a landing pad of its own, where every exception stops, targets of indirect branches no
 * other way in, and calls that may return twice (setjmp, vfork, the suspension of a coroutine) stand alone in
 * their blocks.
 *
 * Where a call is the last thing before a return, it returns by itself, not in a block that others
 * share. Nothing may come between the two, or a recursion that needs no stack would need some.
 */
enum trod_bridge_last {
    TROD_LAST_RETURNS,  /* no more than that */
    TROD_LAST_POSITION, /* such calls end a path: what LLVM may yet make a jump */
    TROD_LAST_MARKED    /* the same, of those that LLVM has said may be one */
};
void trod_bridge_prepare(LLVMValueRef function, enum trod_bridge_last last);

/* The block that a landing pad was split off by this, or the next pad on the way there; NULL: the block is not such a pad. */
LLVMBasicBlockRef trod_bridge_rest_of_pad(LLVMBasicBlockRef block);

/* Is this the block of such a call? What was in registers is not to be relied on after it. */
bool trod_bridge_returns_twice(LLVMBasicBlockRef block);

/* Is this the block of a call after which the frame of a coroutine may be gone? It begins with it. */
bool trod_bridge_gives_away(LLVMBasicBlockRef block);

/* A branch that goes by where the frame of a coroutine is, heap or stack, both ways of which meet at once:
 * which successor that is. -1: it is not such a branch.
 */
int trod_bridge_past_frame(LLVMValueRef terminator);

/* Further: every call that may enter code of the program stands at the beginning of a block of
 * its own, with one way in. Not those that do not come back, or must be the last thing before a
 * return.
 */
void trod_bridge_isolate_calls(LLVMValueRef function);

/* The call that a block begins with, if it may enter code of the program: not an intrinsic, inline
 * assembly, or a function of the C library that is known and calls nobody back. Else NULL.
 */
LLVMValueRef trod_bridge_entering_call(LLVMBasicBlockRef block);

/* The function that a call names, declared or defined, or NULL if it is indirect. */
LLVMValueRef trod_bridge_called_function(LLVMValueRef call);

/* A block to do something on an edge in, and on no other: the edge's target, if there is no
 * other way in; its source, at the end, if there is no other way out; else a new one. NULL if
 * there can be none: see below.
 */
LLVMBasicBlockRef trod_bridge_block_on_edge(
    LLVMValueRef terminator, unsigned successor, bool *at_end_of_source);

/* Can there be such a block? Not where one of several indirect branches leads. */
bool trod_bridge_has_block_on_edge(LLVMValueRef terminator, unsigned successor);

/* --- copies of functions, in place of calls --------------------------------------------- */

/* Why no call of a function can be replaced by a call of a copy; NULL: it can. */
const char *trod_bridge_why_not_inside(LLVMValueRef function);

/* Is it to stay a function of its own? */
bool trod_bridge_stays_apart(LLVMValueRef function);

/* How many instructions it has. */
unsigned trod_bridge_size(LLVMValueRef function);

/* A copy that only this module sees, blocks in the same order, with so many pointers as further
 * parameters.
 */
LLVMValueRef trod_bridge_copy(
    LLVMValueRef function, const char *name, unsigned nparameter);

/* Call this copy instead, with these as further arguments. Gives the new call. */
LLVMValueRef trod_bridge_call_copy(
    LLVMValueRef call, LLVMValueRef copy, LLVMValueRef *argument, unsigned count);

/* May an indirect call be a call of this function? */
bool trod_bridge_may_guard(LLVMValueRef call, LLVMValueRef function);

/* If an indirect call is one of this function, let it be a direct call, in a block of its own. Gives
 * that; the indirect call remains for all others.
 */
LLVMValueRef trod_bridge_guard(LLVMValueRef call, LLVMValueRef function);

/* To the inliner, the function costs nothing. */
void trod_bridge_inline_always(LLVMValueRef function);

/* Delete a function if nothing refers to it. */
void trod_bridge_drop_unused(LLVMValueRef function);

/* Before this instruction of a block, code may stand: after PHIs and landing pads. */
LLVMValueRef trod_bridge_first_insertion(LLVMBasicBlockRef block);

/* The first instruction that is not a PHI: a landing pad, if there is one. */
LLVMValueRef trod_bridge_first_no_phi(LLVMBasicBlockRef block);

/* Split a block before an instruction; the rest becomes the block returned. */
LLVMBasicBlockRef trod_bridge_split_before(LLVMValueRef instruction);

/* Turn local variables into values, those that no other function is handed. */
void trod_bridge_promote(LLVMValueRef function, LLVMValueRef *alloca, unsigned count);

/* --- functions with two copies of their code ---------------------------------------------- */

/* Why there cannot be two copies of a function's code; NULL: there can. */
const char *trod_bridge_why_not_twin(LLVMValueRef function);

/* Where blocks continue to one that only returns, let them return themselves. */
void trod_bridge_spread_returns(LLVMValueRef function);

/* Values of both copies that are one are to stay in one place, however many there are: the code
 * generator gives that up in large functions, and moves them about at every turn (three times
 * slower, and slower to compile).
 */
void trod_bridge_prepare_for_twins(void);

/* Nothing of the function's lies below its stack pointer. */
void trod_bridge_no_red_zone(LLVMValueRef function);

/* May this instruction run code of the program before the next does? */
bool trod_bridge_may_run_code(LLVMValueRef instruction);

/* By its type, and since its address is taken: may it be called between any two instructions? */
bool trod_bridge_may_handle_signals(LLVMValueRef function);

bool trod_bridge_is_address_taken(LLVMBasicBlockRef block);

/* Variables of the function at the start of its first block, all else in the one returned. */
LLVMBasicBlockRef trod_bridge_split_allocas(LLVMValueRef function);

/* A copy of all blocks but the first, beside them, that nothing leads to yet; what is in one
 * refers to what is in the same. Indirect branches lead to the blocks that were there first; or,
 * within, to the copies of these, one comparison after another.
 */
struct trod_bridge_twins;
struct trod_bridge_twins *trod_bridge_make_twins(LLVMValueRef function, bool within);

/* The copy of an instruction; what is none is its own. Of a block. */
LLVMValueRef trod_bridge_twin_of(struct trod_bridge_twins *twins, LLVMValueRef value);
LLVMBasicBlockRef trod_bridge_twin_of_block(
    struct trod_bridge_twins *twins, LLVMBasicBlockRef block);

/* Ways from one copy to the other have been made, to where things are the same: values of both become
 * one wherever they meet.
 */
void trod_bridge_join_twins(LLVMValueRef function, struct trod_bridge_twins *twins);

/* Keep what nothing refers to. */
void trod_bridge_keep(LLVMModuleRef module, LLVMValueRef global);

/* The same, and the linker keeps it: lld drops what only __start_ and __stop_ symbols lead to. */
void trod_bridge_retain(LLVMModuleRef module, LLVMValueRef global);

/* Put a zeroed global into a section of this name that takes no room in files. */
void trod_bridge_set_bss_section(LLVMValueRef global, const char *name);

/* Does the module have any function that trod made? */
bool trod_bridge_is_marked(LLVMModuleRef module);
void trod_bridge_mark(LLVMModuleRef module);

/* Does the function forbid instrumentation, or have a body that is only a copy? */
bool trod_bridge_leave_alone(LLVMValueRef function);

/* May this instruction be the last of its function that runs, being a call that does not come
 * back (exit, longjmp, an exception), or one that comes back in another process too (fork)? As
 * far as attributes show.
 */
bool trod_bridge_may_leave(LLVMValueRef instruction);

/* The function that an instruction calls, or NULL if it calls none, or one that may be another when
 * the program is linked or runs.
 */
LLVMValueRef trod_bridge_callee(LLVMValueRef instruction);

/* Does the loader call the function to find another (ifunc)? There are no threads then, and no
 * environment.
 */
bool trod_bridge_is_resolver(LLVMValueRef function);

/* The call in this block that does not return, or NULL: a path ends before it. */
LLVMValueRef trod_bridge_noreturn_call(LLVMBasicBlockRef block);

/* The call that ends a block's path as the last thing its function does, as found by
 * trod_bridge_prepare, or one that must be the last thing; NULL: there is none.
 */
LLVMValueRef trod_bridge_last_call(LLVMBasicBlockRef block);

/* Where a coroutine is left for who resumed it, or NULL: nothing after it runs then. */
LLVMValueRef trod_bridge_coroutine_end(LLVMBasicBlockRef block);

/* The function counts now: it is no longer free of side effects, whatever was said of it or of
 * calls of it.
 */
void trod_bridge_writes_memory(LLVMValueRef function);

/* Tell LLVM of a function that it neither reads nor writes memory. */
void trod_bridge_is_pure(LLVMValueRef function);

/* Tell LLVM of a function that it touches only memory that the program cannot see, and returns. */
void trod_bridge_only_counts(LLVMValueRef function);

/* Of a function that was found to touch only memory that the program cannot see: it may be any
 * memory. What was such a call does not remain one.
 */
void trod_bridge_widen_effects(LLVMValueRef function);

/* What the inliner is to think a call costs. */
void trod_bridge_set_inline_cost(LLVMValueRef call, unsigned cost);

/* May a thread go into this function and another come out of it? */
bool trod_bridge_is_coroutine(LLVMValueRef function);

/* The linkage name of the function whose text a debug location is in. NULL: unknown */
const char *trod_bridge_function_at(LLVMMetadataRef location, size_t *length);

/* Tell LLVM of a function that it is hardly ever called. */
void trod_bridge_mark_cold(LLVMValueRef function);

/* Branch weights: the first way is hardly ever taken. */
void trod_bridge_mark_unlikely(LLVMValueRef branch);

/* Remove what the compiler has written so far: it is about to end in failure. */
void trod_bridge_remove_files(void);

/* An alias tag that nothing of the program shares: counters are not its data. */
void trod_bridge_mark_counter(LLVMValueRef load_or_store);

/* The same for the load of where the thread's counters are. Not invariant: the code generator
 * may load it again where it was 0 the first time.
 */
void trod_bridge_mark_thread(LLVMValueRef load);

/* --- values that conditions were given ---------------------------------------------------- */

/* Follow a value of a function, which has debug information, through passes: whatever takes its place, and copies of it, are
 * found under its number, if any are left. Once: taking them forgets all of the function's.
 */
struct trod_bridge_tracked {
    unsigned number;
    LLVMValueRef value;
    LLVMValueRef left, right; /* of a comparison: what it compares; else NULL */
};
void trod_bridge_track(LLVMValueRef function, LLVMValueRef value, unsigned number);
void trod_bridge_take_tracked(LLVMValueRef function,
    void (*take)(void *ctx, const struct trod_bridge_tracked *tracked), void *ctx);

/* All enumerators that the module's debug information has. */
void trod_bridge_each_enumerator(LLVMModuleRef module,
    void (*take)(void *ctx, const char *name, size_t length, int64_t value), void *ctx);

/* The debug location of the loop statement that a branch goes back to the start of, of this function; NULL: unknown. */
LLVMMetadataRef trod_bridge_loop_place(LLVMValueRef branch);

/* The line of the handler that a branch on the type of an exception goes to first; 0: unknown. */
unsigned trod_bridge_handler_line(LLVMValueRef branch);

#ifdef __cplusplus
}
#endif

#endif
