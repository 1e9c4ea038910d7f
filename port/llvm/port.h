/* port/llvm: from a module of LLVM IR to one that counts its paths.
 *
 *     function -> graph -> (number, probe) -> emit -> map
 *
 * The core plans, the port emits: nothing here decides where a probe is placed. Built as a pass
 * plugin, trod-llvm.so, for clang, opt and lld.
 *
 * Glossary
 *   unit      an LLVM module: a source file, or with LTO a program
 *   body      a function that is instrumented: its blocks as nodes
 *   record    the struct trod_rt_function of a body (include/trod/rt.h)
 *   map       text in the binary for reports: graphs, numberings, lines
 */
#ifndef TROD_LLVM_PORT_H
#define TROD_LLVM_PORT_H

#include "llvm/bridge/bridge.h"
#include "trod/format.h"
#include "trod/rt.h"
#include "stages.h"

/* All successors of a block: an edge that bypasses a hidden branch. */
#define TROD_EVERY_WAY UINT32_MAX

struct trod_body {
    LLVMValueRef function;
    const char *name;         /* linkage name */
    LLVMBasicBlockRef *block; /* [graph.nnode] */
    unsigned *
        successor_of_edge; /* [graph.nedge] of the source's terminator, or TROD_EVERY_WAY */
    bool *
        hidden; /* [graph.nnode] blocks that are not part of paths: no other block leads to them; or NULL: none */
    struct trod_graph graph;
    struct trod_calls calls; /* of a step graph */
    LLVMValueRef *
        call_of_node; /* [graph.nnode] in a step graph: the call with which it begins, or NULL */
    const char *why_not; /* reason why its paths cannot be counted; or NULL */
    const struct trod_chain *chain; /* NULL: paths are counted one by one */
    bool
        noted; /* with chains: too many for counters, so they are recorded in the hash table */
    bool stops;                                /* it has a stop cell (trod/format.h) */
    const struct trod_llvm_counters *counters; /* NULL: clang's are unknown */
};

/* --- nonlocal_exit.c ------------------------------------------------------------------------- */

/* Determine which functions of a module always end by returning. */
void trod_llvm_find_leaving(LLVMModuleRef module);

/* Is it a call that may not return? */
bool trod_llvm_leaves(LLVMValueRef instruction);

/* The first call of a block that may not return, or NULL; before: as below. */
LLVMValueRef trod_llvm_first_leaving(LLVMBasicBlockRef block, LLVMValueRef before);

/* May the function be abandoned in this block, before an instruction (NULL: its end),
 * according to the analysis?
 */
bool trod_llvm_may_leave(LLVMBasicBlockRef block, LLVMValueRef before);

/* --- input.c: files that the compiler is given ------------------------------------------ */

/* Print the error, and end the compiler. */
_Noreturn void trod_llvm_fail(const struct trod_err *err);

/* The compile command, as `trod cc` gave it; NULL: none was given. */
char *trod_llvm_command(struct trod_arena *mem);

/* The directory of the unit, and a file, as recorded in the map: without the folders above the project, which name
 * people and machines. NULL: unknown.
 */
const char *trod_llvm_directory(struct trod_arena *mem);
const char *trod_llvm_file(const char *name, struct trod_arena *mem);

/* fails:  TROD_E_SYSTEM */
bool trod_llvm_read_bytes(char **out, size_t *length, const char *path,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* A profile from bytes or text; else_ is what the file may be instead.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_llvm_read_profile(struct trod_profile *out, const char *path,
    const char *bytes, size_t length, const char *else_, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- sets.c: the paths that are chosen, or tested --------------------------------------- */

enum trod_set_state {
    TROD_SET_FOUND,   /* may be empty: the function is known, and did not run */
    TROD_SET_UNKNOWN, /* the list does not have a function of this name */
    TROD_SET_STALE    /* there is one, but it differs */
};

struct trod_set {
    enum trod_set_state state;
    struct trod_pathset paths;
    const uint64_t *count; /* [paths.count], or NULL: from lists only */
};

/* Read profiles and path lists, names separated by line breaks, once for all modules of a
 * process. If a file cannot be read, the compiler ends with a message.
 */
void trod_llvm_sets_load(
    const char *files, enum trod_format_mode mode, enum trod_want want);

/* The set for a function. */
void trod_llvm_sets_find(struct trod_set *out, const struct trod_rt_function *record,
    struct trod_arena *mem);

/* --- llvm_graph.c ---------------------------------------------------------------------- */

/* The control-flow graph of a function, blocks in order, successors in the terminator's.
 * Splits landing pads first: it may change the function.
 *
 * steps:  a step graph. Calls that may enter code of the program begin blocks, and the edges to
 *         them are cut: a path ends before a call, and the next begins with it.
 * last:   which calls end a path if only a return follows
 * fills:  out; out->why_not if an edge cannot carry probes
 */
void trod_llvm_graph(struct trod_body *out, LLVMValueRef function, bool steps,
    enum trod_bridge_last last, struct trod_arena *mem);

/* --- data.c: data of a counting function ------------------------------------- */

struct trod_llvm_data {
    LLVMValueRef table; /* global: the function's counters */
    LLVMValueRef ids;   /* global: the ids of its slots, or bits; or NULL */
};

/* needs:  name, graph, cuts and npath of the record; fills in the rest
 * ending: NULL if each path has the counter of its id
 */
void trod_llvm_add_data(struct trod_llvm_data *out, const struct trod_body *body,
    const struct trod_ending *ending, struct trod_rt_function *record,
    struct trod_arena *mem);

/* The same for events: so many slots with these ids.
 *
 * needs:  name, graph and cuts of the record of its paths
 */
void trod_llvm_add_events(struct trod_llvm_data *out, const struct trod_body *body,
    const uint64_t *id, uint32_t nslot, const struct trod_rt_function *record,
    struct trod_arena *mem);

/* May other units have copies of this function, of which the linker keeps one? */
bool trod_llvm_is_shared(LLVMValueRef function);

/* --- emit.c ----------------------------------------------------------------------------- */

/* Emit a plan: counters, record, and operations on the sites of the function.
 *
 * needs:  name, graph, cuts and npath of the record; fills in the rest
 * records: each path that ends is recorded as a step, instead of counted
 */
void trod_llvm_emit(const struct trod_body *body, const struct trod_plan *plan,
    struct trod_rt_function *record, bool records, struct trod_arena *mem);

/* The insertion point at the end of a block: before a call that is the last action and its return, and
 * before a call that does not return or, in a coroutine, may not.
 */
LLVMValueRef trod_llvm_way_out(LLVMBasicBlockRef block);

/* --- rtcall.c: calls of the runtime --------------------------------------------------------- */

LLVMTypeRef trod_llvm_pointer(LLVMContextRef context);

/* Declare a function of the runtime that accesses no memory visible to the program. */
LLVMValueRef trod_llvm_declare(
    LLVMModuleRef module, const char *name, LLVMTypeRef *parameter, unsigned count);

/* At the builder's position: call a function with a pointer, or a pointer and a number; on x86-64 the
 * variant that preserves most registers.
 */
void trod_llvm_put_call(LLVMBuilderRef builder, LLVMModuleRef module, const char *name,
    LLVMValueRef *argument, unsigned count, bool rare);

/* --- past.c: chains of paths ------------------------------------------------------------- */

struct trod_llvm_past {
    const struct trod_chain *chain;
    LLVMValueRef function;
    LLVMTypeRef i64;
    bool in_memory;
    LLVMValueRef
        past[TROD_ITERATIONS_MAX]; /* local variables: the last k paths, k from 1 */
};

/* Create variables for the previous paths, initially none before the given instruction.
 *
 * needs:  body->chain with several iterations
 */
void trod_llvm_past_open(struct trod_llvm_past *out, const struct trod_body *body,
    LLVMBuilderRef builder, LLVMValueRef in);

/* A path ends at the builder's position: compute its chain. */
LLVMValueRef trod_llvm_past_add(
    const struct trod_llvm_past *past, LLVMBuilderRef builder, LLVMValueRef path);

/* Promote the variables to SSA values, if possible. */
void trod_llvm_past_close(struct trod_llvm_past *past);

/* --- count.c ------------------------------------------------------------------------------- */

struct trod_llvm_count {
    LLVMValueRef thread, table, index, by;
    bool put;   /* store the value instead of adding it */
    bool begun; /* it counts that a function begins */
};

/* Operands of the call. */
enum { TROD_COUNT_THREAD, TROD_COUNT_TABLE, TROD_COUNT_INDEX, TROD_COUNT_BY };

/* At the builder's position: table[index] += by, or = by, in the thread's copy. Emitted as a call that
 * trod_llvm_lower_counts lowers, for a whole module, after all optimisations.
 */
void trod_llvm_put_count(
    LLVMBuilderRef builder, LLVMModuleRef module, struct trod_llvm_count count);
bool trod_llvm_lower_counts(LLVMModuleRef module, struct trod_arena *mem);

/* Is the counter of such a call known at compile time? An index beyond the table is not: a lookup whose result is
 * known leaves such counts in code that is never executed.
 */
bool trod_llvm_has_known_counter(LLVMValueRef call);

/* Before that, after inlining: fewer counts, and counts outside of loops (bundle.c, loop_counts.c). Functions whose
 * counts are joined already do not change.
 */
bool trod_llvm_join_counts(LLVMModuleRef module, struct trod_arena *mem);

/* --- lever.c ------------------------------------------------------------------------------- */

/* What makes counts cheap. */
enum trod_llvm_lever {
    TROD_LEVER_BUNDLES,   /* counts that execute together are one (bundle.c) */
    TROD_LEVER_SINGLES,   /* bundles of one count, next to the function's others */
    TROD_LEVER_SUMS,      /* counts that are sums of others */
    TROD_LEVER_LOOPS,     /* loops count in registers (loop_counts.c) */
    TROD_LEVER_ADDRESSES, /* counters of a function have one address (count.c) */
    TROD_LEVER_LATE,      /* counts are lowered after all optimisations */
    TROD_NLEVER
};

/* Does $TROD_WITHOUT name it? */
bool trod_llvm_without(enum trod_llvm_lever lever);

/* If $TROD_WITHOUT names anything else, the compiler ends with a message. */
void trod_llvm_check_levers(void);

/* --- unit_counters.c ----------------------------------------------------------------------- */

/* Will the table be a part of the unit's object? */
bool trod_llvm_is_unit_table(LLVMValueRef global);

/* Make the tables of a unit's functions parts of one global. */
void trod_llvm_unit_counters(LLVMModuleRef module, struct trod_arena *mem);

/* --- bundle.c ------------------------------------------------------------------------------ */

/* Replace counts of a function that always execute together by one, before they are lowered.
 *
 * count:  the function that they call
 */
void trod_llvm_bundle(LLVMValueRef function, LLVMValueRef count, LLVMBuilderRef builder,
    struct trod_arena *mem);

/* The call of a count counts that a function begins. */
void trod_llvm_mark_begun(LLVMValueRef count);

/* --- loop_counts.c ------------------------------------------------------------------------- */

/* Innermost loops count in registers, before counts are lowered.
 *
 * count:  the function that they call
 */
void trod_llvm_count_in_registers(LLVMValueRef function, LLVMValueRef count,
    LLVMBuilderRef builder, struct trod_arena *mem);

/* --- ask.c -------------------------------------------------------------------------------- */

struct trod_llvm_ask {
    LLVMValueRef thread; /* NULL: nothing is counted */
    LLVMValueRef table;
    LLVMValueRef ids; /* or bits; NULL: none */
    uint64_t how;     /* enum trod_rt_ending and TROD_RT_* */
    uint64_t nslot, number;
    LLVMValueRef sum;
};

/* At the builder's position: look up a path by its sum. Emitted as a call that trod_llvm_lower_asks
 * lowers, for a whole module, before counts are lowered.
 */
void trod_llvm_put_ask(
    LLVMBuilderRef builder, LLVMModuleRef module, const struct trod_llvm_ask *ask);
bool trod_llvm_lower_asks(LLVMModuleRef module);

/* At the builder's position: report that an untested path ended. */
void trod_llvm_put_report(LLVMBuilderRef builder, LLVMModuleRef module,
    LLVMValueRef table, LLVMValueRef path);

/* --- thread.c ----------------------------------------------------------------------------- */

/* At the builder's position: the distance to the thread's counters. Emitted as a pure call, so that LLVM
 * merges all such calls of a function, which trod_llvm_lower_threads lowers.
 */
LLVMValueRef trod_llvm_put_thread(LLVMBuilderRef builder, LLVMModuleRef module);
bool trod_llvm_lower_threads(LLVMModuleRef module);

/* The same, lowered immediately, and also valid right after the suspension of a coroutine. The block is
 * split before the instruction.
 */
LLVMValueRef trod_llvm_load_thread(LLVMValueRef before);

/* Is this code for a shared library: position-independent, and not for executables? Then a thread's state is in
 * a table, otherwise in a variable (trod/rt.h).
 */
bool trod_llvm_is_library(LLVMModuleRef module);
LLVMValueRef trod_llvm_thread_variable(LLVMModuleRef module);
/* In code for shared libraries, the address of the thread's state: loaded before an instruction, where the block is split; or returned
 * by a call, which is shorter. An integer.
 */
LLVMValueRef trod_llvm_load_own(LLVMValueRef before);
LLVMValueRef trod_llvm_ask_own(LLVMBuilderRef builder, LLVMModuleRef module);
/* Refer to the symbols of the runtime that code of this module needs. */
void trod_llvm_name_own(LLVMModuleRef module);

/* --- oracle.c ----------------------------------------------------------------------------- */

/* Instead of counting, log every executed block: the reference for tests. */
void trod_llvm_oracle(const struct trod_body *body,
    const struct trod_rt_function *record, struct trod_arena *mem);

/* --- heap.c ------------------------------------------------------------------------------- */

/* Calls of allocators, by name, report allocation and deallocation to the runtime. Functions of a
 * module that are not instrumented are included. Must run before code is duplicated.
 */
void trod_llvm_heap(LLVMModuleRef module);

/* --- twin_blocks.c ------------------------------------------------------------------------------- */

/* Duplicate the code; in one copy every block reports that it begins.
 *
 * needs:  name, graph, cuts of the record, whose ids are blocks; fills in the rest
 */
void trod_llvm_twin(
    struct trod_body *body, struct trod_rt_function *record, struct trod_arena *mem);

/* --- twin_burst.c -------------------------------------------------------------------------- */

struct trod_burst_events;

struct trod_burst_want {
    unsigned types; /* bits of enum trod_burst_type */
    bool flag;
    bool metrics;                 /* of paths, besides their time */
    bool one;                     /* a single skip for all checks */
    const struct trod_plan *plan; /* of its paths, with the plain placement; or NULL */
    const struct trod_burst_events *events;
    struct trod_rt_function *record;
};

/* Duplicate the code; one copy reports paths and events.
 *
 * needs:  name, graph, cuts and npath of the record; fills in the rest
 */
void trod_llvm_burst(
    struct trod_body *body, const struct trod_burst_want *want, struct trod_arena *mem);

/* --- meanings.c: semantic hashes in the map ----------------------------------- */

/* Attach its meaning to each function of a module; and remove it. */
void trod_llvm_keep_meanings(LLVMModuleRef module, void (*exhausted)(void *ctx));
void trod_llvm_drop_meanings(LLVMModuleRef module);

/* Lines `meaning` and `nodes` of a body, before it is changed. */
void trod_llvm_map_meaning(
    struct trod_sink *sink, const struct trod_body *body, struct trod_arena *mem);

/* --- embed.c ------------------------------------------------------------------------------- */

/* Text of one body for the map: numbering, lines of each block, what is counted. */
struct trod_map_body {
    const struct trod_body *body;
    const struct trod_rt_function *record;
    const struct trod_numbering *ballarus;
    const struct trod_limit_report *report;
    const struct trod_choice *choice; /* NULL: every path is counted */
    const struct trod_chain *chain;
    bool begins;
    bool inlined; /* include lines of inlined code */
};
void trod_llvm_map_body(
    struct trod_sink *sink, const struct trod_map_body *from, struct trod_arena *mem);

/* Text of a supergraph for the map: its frames and its numbering. Lines are those of the functions. */
struct trod_map_super {
    const struct trod_body *body; /* of the root */
    const struct trod_rt_function *record;
    const struct trod_super *super;
    const struct trod_numbering *ballarus;
    const struct trod_limit_report *report;
    const struct trod_choice *choice; /* NULL: every path is counted */
    const char *(*name_of_function)(const void *ctx, uint32_t function);
    const void *ctx;
};
void trod_llvm_map_super(
    struct trod_sink *sink, const struct trod_map_super *from, struct trod_arena *mem);

/* Put the text of a unit into the section .trod.map, which is not loaded. */
void trod_llvm_map_embed(LLVMModuleRef module, const char *text, size_t length);

#endif
