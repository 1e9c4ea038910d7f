/* bridge: what LLVM's C API lacks, as plain C.
 *
 * The only C++ in trod is in the files behind this header. It decides nothing: each function is
 * LLVM's own, under a C name. Everything else in port/llvm is C on top of LLVM-C and this.
 */
#ifndef TROD_BRIDGE_H
#define TROD_BRIDGE_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The points of LLVM's pipeline at which a module is passed on. */
enum trod_bridge_point {
    TROD_POINT_START,  /* right after the front end */
    TROD_POINT_EARLY,  /* after the first simplification, before inlining */
    TROD_POINT_MIDDLE, /* after inlining, before the last loop optimisations */
    TROD_POINT_LATE    /* after all optimisations */
};

/* Implemented in C (instrument.c): called for every module at every point. True if it
 * changed the module.
 */
bool trod_instrument_module(LLVMModuleRef module, enum trod_bridge_point point);

/* Prepare a function, so that code can be inserted on each of its edges: every unwind edge
 * gets a separate landing pad, where every exception stops; targets of indirect branches get no
 * other predecessors; and calls that may return twice (setjmp, vfork, the suspension of a coroutine) get separate
 * blocks.
 *
 * A call right before a return gets its own return, not one in a block that others
 * share. Nothing may be inserted between the two, because tail recursion would then need stack.
 */
enum trod_bridge_last {
    TROD_LAST_RETURNS,  /* nothing else changes */
    TROD_LAST_POSITION, /* such calls end a path: LLVM may turn them into jumps */
    TROD_LAST_MARKED /* the same, only for calls that LLVM has marked as tail calls */
};
void trod_bridge_prepare(LLVMValueRef function, enum trod_bridge_last last);

/* The block from which this split a landing pad, or the next pad towards it; NULL: the block is not such a pad. */
LLVMBasicBlockRef trod_bridge_rest_of_pad(LLVMBasicBlockRef block);

/* Is this the block of a call that may return twice? Values in registers are not reliable after it. */
bool trod_bridge_returns_twice(LLVMBasicBlockRef block);

/* Does this block begin with a call after which the frame of a coroutine may be freed? */
bool trod_bridge_gives_away(LLVMBasicBlockRef block);

/* The block where the ways from a branch meet that does not stem from the source: on whether the frame of a coroutine
 * is on the heap or the stack, or on whether va_arg finds its argument in a register or on the stack. Also the blocks
 * between them. NULL: it is not such a branch, or other code lies between.
 */
enum { TROD_BRIDGE_BETWEEN = 4 };
LLVMBasicBlockRef trod_bridge_past_branch(
    LLVMBasicBlockRef *between, unsigned *count, LLVMValueRef terminator);
/* Mark those of va_arg, right after the front end, while blocks have names. */
void trod_bridge_mark_arguments(LLVMModuleRef module);

/* In addition: put every call that may enter code of the program at the beginning of a separate
 * block with one predecessor; except calls that do not return, or must be the last action before a
 * return.
 */
void trod_bridge_isolate_calls(LLVMValueRef function);

/* The call at the beginning of a block, if it may enter code of the program: not an intrinsic, inline
 * assembly, or a known function of the C library without callbacks. Otherwise NULL.
 */
LLVMValueRef trod_bridge_entering_call(LLVMBasicBlockRef block);

/* What a function was in its own unit, before the linker merged modules, made functions local and renamed
 * those whose name was taken. Unchanged where debug information does not say.
 */
struct trod_bridge_origin {
    const char *name, *file; /* linkage name; the unit's main source file */
    size_t nname, nfile;
    bool local;
};
void trod_bridge_find_origin(struct trod_bridge_origin *out, LLVMValueRef function);

/* The function that a call names, declared or defined, or NULL if it is indirect. */
LLVMValueRef trod_bridge_called_function(LLVMValueRef call);

/* A block for code on exactly this edge: the edge's target, if it has no
 * other predecessor; its source, at the end, if it has no other successor; otherwise a new one. NULL if
 * that is impossible: see below.
 */
LLVMBasicBlockRef trod_bridge_block_on_edge(
    LLVMValueRef terminator, unsigned successor, bool *at_end_of_source);

/* Is such a block possible? Not for an edge of one of several indirect branches to the same target. */
bool trod_bridge_has_block_on_edge(LLVMValueRef terminator, unsigned successor);

/* --- copies of functions, in place of calls --------------------------------------------- */

/* Why no call of a function can be replaced by a call of a copy; NULL: it can. */
const char *trod_bridge_why_not_inside(LLVMValueRef function);

/* Must it not be inlined? */
bool trod_bridge_stays_apart(LLVMValueRef function);

/* The number of its instructions. */
unsigned trod_bridge_size(LLVMValueRef function);

/* An internal copy, with blocks in the same order, and with this many pointers as additional
 * parameters.
 */
LLVMValueRef trod_bridge_copy(
    LLVMValueRef function, const char *name, unsigned nparameter);

/* Replace a call by one of this copy, with these additional arguments. Returns the new call. */
LLVMValueRef trod_bridge_call_copy(
    LLVMValueRef call, LLVMValueRef copy, LLVMValueRef *argument, unsigned count);

/* May an indirect call be a call of this function? */
bool trod_bridge_may_guard(LLVMValueRef call, LLVMValueRef function);

/* Add a direct call in a separate block, for the case that an indirect call calls this function. Returns
 * the direct call; the indirect call remains for all other cases.
 */
LLVMValueRef trod_bridge_guard(LLVMValueRef call, LLVMValueRef function);

/* Make the inliner treat the function as free. */
void trod_bridge_inline_always(LLVMValueRef function);

/* Delete a function if nothing refers to it. */
void trod_bridge_drop_unused(LLVMValueRef function);

/* The first insertion point of a block: after PHIs and landing pads. */
LLVMValueRef trod_bridge_first_insertion(LLVMBasicBlockRef block);

/* The first instruction that is not a PHI: a landing pad, if there is one. */
LLVMValueRef trod_bridge_first_no_phi(LLVMBasicBlockRef block);

/* Split a block before an instruction; the rest becomes the block returned. */
LLVMBasicBlockRef trod_bridge_split_before(LLVMValueRef instruction);

/* Promote local variables to SSA values, if their address does not escape. */
void trod_bridge_promote(LLVMValueRef function, LLVMValueRef *alloca, unsigned count);

/* --- functions with two copies of their code ---------------------------------------------- */

/* Why there cannot be two copies of a function's code; NULL: there can. */
const char *trod_bridge_why_not_twin(LLVMValueRef function);

/* Duplicate a block that only returns into its predecessors. */
void trod_bridge_spread_returns(LLVMValueRef function);

/* Keep corresponding values of both copies coalesced, however many there are: otherwise the code
 * generator stops coalescing in large functions, and inserts copies on each transition (three times
 * slower, and slower to compile).
 */
void trod_bridge_prepare_for_twins(void);

/* Disable the red zone of the function. */
void trod_bridge_no_red_zone(LLVMValueRef function);

/* May this instruction run code of the program before the next does? */
bool trod_bridge_may_run_code(LLVMValueRef instruction);

/* May it be a signal handler, judging by its type and because its address is taken? */
bool trod_bridge_may_handle_signals(LLVMValueRef function);

bool trod_bridge_is_address_taken(LLVMBasicBlockRef block);

/* Keep allocas in the first block, and split off the rest, which is returned. */
LLVMBasicBlockRef trod_bridge_split_allocas(LLVMValueRef function);

/* The same of any block, for the first instructions that have no effects, and later ones that compute the same before them;
 * loads may be among the first if so wanted.
 */
LLVMBasicBlockRef trod_bridge_split_harmless(LLVMBasicBlockRef block, bool loads);

/* Copy all blocks except those before `start`; nothing branches to the copies yet, and references within the copies
 * are to copies. Indirect branches lead to the original blocks or, with
 * `within`, to their copies, by a sequence of comparisons.
 */
struct trod_bridge_twins;
struct trod_bridge_twins *trod_bridge_make_twins(
    LLVMValueRef function, LLVMBasicBlockRef start, bool within);

/* The copy of an instruction; other values are their own copies. The copy of a block. */
LLVMValueRef trod_bridge_twin_of(struct trod_bridge_twins *twins, LLVMValueRef value);
LLVMBasicBlockRef trod_bridge_twin_of_block(
    struct trod_bridge_twins *twins, LLVMBasicBlockRef block);

/* After branches between the copies were added: create PHIs where values of both copies
 * meet.
 */
void trod_bridge_join_twins(LLVMValueRef function, struct trod_bridge_twins *twins);

/* May the copy of a function be a function of its own, to which control goes at the entry, with a jump? */
bool trod_bridge_may_part(LLVMValueRef function);
/* The same as trod_bridge_make_twins, but the copies, with that of the first block, are a function of their own. */
struct trod_bridge_twins *trod_bridge_make_twins_apart(
    LLVMValueRef function, LLVMValueRef *slow);
void trod_bridge_forget_twins(struct trod_bridge_twins *twins);
/* Ends a block with a jump to this function of the same type, which gets the same arguments. */
void trod_bridge_go_on(LLVMBasicBlockRef block, LLVMValueRef slow);

/* Keep an unreferenced variable (llvm.compiler.used), from the end of the pass on. */
void trod_bridge_keep(LLVMValueRef global);

/* The same for the linker: lld drops sections that are referenced only by __start_ and __stop_ symbols. */
void trod_bridge_retain(LLVMValueRef global);

/* Put a zero-initialised global into a NOBITS section of this name. */
void trod_bridge_set_bss_section(LLVMValueRef global, const char *name);
bool trod_bridge_is_in_bss_section(LLVMValueRef global, const char *name);

/* Does the module contain a function that trod generated? */
bool trod_bridge_is_marked(LLVMModuleRef module);
void trod_bridge_mark(LLVMModuleRef module);

/* Does the function forbid instrumentation, or is it available_externally? */
bool trod_bridge_leave_alone(LLVMValueRef function);

/* May this instruction abandon the activation, because it is a call that does not
 * return (exit, longjmp, an exception), or one that also returns in another process (fork)? According to
 * attributes.
 */
bool trod_bridge_may_leave(LLVMValueRef instruction);

/* The function that an instruction calls, or NULL if it calls none, or one that may be replaced when
 * the program is linked or runs.
 */
LLVMValueRef trod_bridge_callee(LLVMValueRef instruction);

/* Is the function a resolver of an ifunc? When it runs there are no threads, and no
 * environment.
 */
bool trod_bridge_is_resolver(LLVMValueRef function);

/* The call in this block that does not return, or NULL: a path ends before it. */
LLVMValueRef trod_bridge_noreturn_call(LLVMBasicBlockRef block);

/* The call that ends a block's path as the last action of its function, as found by
 * trod_bridge_prepare, or a musttail call; NULL: there is none.
 */
LLVMValueRef trod_bridge_last_call(LLVMBasicBlockRef block);

/* The instruction where a coroutine returns to its resumer, or NULL. Nothing after it runs. */
LLVMValueRef trod_bridge_coroutine_end(LLVMBasicBlockRef block);

/* The function counts now: remove attributes of it and of its calls that say it has no
 * side effects.
 */
void trod_bridge_writes_memory(LLVMValueRef function);

/* Tell LLVM that a function neither reads nor writes memory. */
void trod_bridge_is_pure(LLVMValueRef function);

/* Tell LLVM that a function accesses only memory that is invisible to the program, and returns. */
void trod_bridge_only_counts(LLVMValueRef function);

/* Remove the inferred attribute that a function accesses only memory invisible to the program: lowered
 * calls no longer have that property.
 */
void trod_bridge_widen_effects(LLVMValueRef function);

/* The global that a constant address is in, and the offset in bytes; NULL: it is not such a constant. */
LLVMValueRef trod_bridge_base_of(LLVMValueRef address, uint64_t *offset);

/* Set the cost of a call for the inliner. */
void trod_bridge_set_inline_cost(LLVMValueRef call, unsigned cost);

/* Is it a coroutine, which one thread may enter and another leave? */
bool trod_bridge_is_coroutine(LLVMValueRef function);

/* The linkage name of the function that contains a debug location. NULL: unknown */
const char *trod_bridge_function_at(LLVMMetadataRef location, size_t *length);

/* Mark a function as cold. */
void trod_bridge_mark_cold(LLVMValueRef function);

/* Branch weights: the first successor is unlikely. */
void trod_bridge_mark_unlikely(LLVMValueRef branch);

/* Remove what the compiler has written so far: it is about to end in failure. */
void trod_bridge_remove_files(void);

/* Add an alias tag that no data of the program has: counters do not alias it. */
void trod_bridge_mark_counter(LLVMValueRef load_or_store);

/* The same for the load of the distance to the thread's counters. Not invariant: the code generator
 * might reload it where it was 0 the first time.
 */
void trod_bridge_mark_thread(LLVMValueRef load);

/* --- control flow ------------------------------------------------------------------------- */

/* Dominators, postdominators and loops of a function, as it is when this is opened. */
struct trod_bridge_flow;
struct trod_bridge_flow *trod_bridge_flow_open(LLVMValueRef function);
void trod_bridge_flow_close(struct trod_bridge_flow *flow);

/* The immediate dominator of a block, if the block is its immediate postdominator and in the same
 * loop. Otherwise NULL. trod_bridge_flow_between determines whether they always execute in turn.
 */
LLVMBasicBlockRef trod_bridge_flow_before(
    struct trod_bridge_flow *flow, LLVMBasicBlockRef block);

/* The blocks between these two. False if there are more than `most`, if they contain a loop, or if
 * control can return to the first or enter the second otherwise: then the two do not always execute
 * in turn.
 */
bool trod_bridge_flow_between(struct trod_bridge_flow *flow, LLVMBasicBlockRef from,
    LLVMBasicBlockRef to, LLVMBasicBlockRef *out, unsigned most, unsigned *count);

/* Estimates of LLVM, relative to one execution of the function: how often a block executes, and how often
 * control enters a loop from outside.
 */
double trod_bridge_flow_frequency(
    struct trod_bridge_flow *flow, LLVMBasicBlockRef block);
double trod_bridge_flow_entries(
    struct trod_bridge_flow *flow, LLVMBasicBlockRef header);

/* The last block that is always executed before two others, or is one of them, and is in no loop that block `from` is not
 * in. `from` is always executed before both; all are reachable.
 */
LLVMBasicBlockRef trod_bridge_flow_above(struct trod_bridge_flow *flow,
    LLVMBasicBlockRef from, LLVMBasicBlockRef a, LLVMBasicBlockRef b);
bool trod_bridge_flow_is_reachable(
    struct trod_bridge_flow *flow, LLVMBasicBlockRef block);

/* Does a block execute in each iteration of its innermost loop that leads to another? */
bool trod_bridge_flow_is_always(struct trod_bridge_flow *flow, LLVMBasicBlockRef block);

/* Are both in the function, and is the first always executed before the second? */
bool trod_bridge_flow_dominates(
    struct trod_bridge_flow *flow, LLVMValueRef first, LLVMValueRef second);

/* Innermost loop number k; false: there are no more. Arrays belong to flow, until the next call. */
struct trod_bridge_loop {
    LLVMBasicBlockRef
        before; /* the only block outside that leads to the header; NULL: not prepared */
    LLVMBasicBlockRef header;
    LLVMBasicBlockRef *block, *exit; /* exits: blocks outside that the loop leads to */
    unsigned nblock, nexit;
};
bool trod_bridge_flow_loop(
    struct trod_bridge_flow *flow, unsigned k, struct trod_bridge_loop *out);

/* Create the block before a loop, and exits that no other block leads to. False if that is impossible, or the
 * loop has no exit.
 */
bool trod_bridge_flow_prepare_loop(
    struct trod_bridge_flow *flow, unsigned k, struct trod_bridge_loop *out);

/* Is it an access by which threads wait for each other, or for a device? */
bool trod_bridge_waits(LLVMValueRef instruction);

/* Does the function call setjmp, vfork or the like? */
bool trod_bridge_calls_setjmp(LLVMValueRef function);

/* --- values of conditions ---------------------------------------------------- */

/* Track a value of a function with debug information through passes: its replacements and copies are
 * found by its number, if any remain. Works once: reading them removes all of the function's.
 */
struct trod_bridge_tracked {
    unsigned number;
    LLVMValueRef value;
    LLVMValueRef left, right; /* of a comparison: its operands; otherwise NULL */
};
void trod_bridge_track(LLVMValueRef function, LLVMValueRef value, unsigned number);
void trod_bridge_take_tracked(LLVMValueRef function,
    void (*take)(void *ctx, const struct trod_bridge_tracked *tracked), void *ctx);

/* All enumerators that the module's debug information has. */
void trod_bridge_each_enumerator(LLVMModuleRef module,
    void (*take)(void *ctx, const char *name, size_t length, int64_t value), void *ctx);

/* The debug location of the loop statement for the back edge of a branch, in this function; NULL: unknown. */
LLVMMetadataRef trod_bridge_loop_place(LLVMValueRef branch);

/* The line of the handler selected by a branch on the type of an exception; 0: unknown. */
unsigned trod_bridge_handler_line(LLVMValueRef branch);

#ifdef __cplusplus
}
#endif

#endif
