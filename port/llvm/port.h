/* port/llvm: from a module of LLVM IR to one that counts its paths.
 *
 *     function -> graph -> (number, probe) -> emit -> map
 *
 * The core plans, the port emits: nothing here chooses where a probe goes. Built as a pass
 * plugin, trod-llvm.so, for clang, opt and lld.
 *
 * Glossary
 *   unit      a module as the compiler sees it: a source file, or with LTO a program
 *   body      a function that is instrumented: its blocks as nodes
 *   record    the struct trod_rt_function of a body (include/trod/rt.h)
 *   map       what the binary carries for reports: graphs, numberings, lines; text
 */
#ifndef TROD_LLVM_PORT_H
#define TROD_LLVM_PORT_H

#include "llvm/bridge/bridge.h"
#include "trod/format.h"
#include "trod/rt.h"
#include "stages.h"

/* All that a block leads to, at once: an edge past a branch that is hidden. */
#define TROD_EVERY_WAY UINT32_MAX

struct trod_body {
    LLVMValueRef function;
    const char *name;         /* linkage name */
    LLVMBasicBlockRef *block; /* [graph.nnode] */
    unsigned *
        successor_of_edge; /* [graph.nedge] of the source's terminator, or TROD_EVERY_WAY */
    bool *
        hidden; /* [graph.nnode] blocks that are not shown and have no incoming edge; or NULL: none */
    struct trod_graph graph;
    struct trod_calls calls; /* of a step graph */
    LLVMValueRef
        *call_of_node; /* [graph.nnode] of a step graph: what it begins with, or NULL */
    const char *why_not;            /* NULL, or why its paths cannot be counted */
    const struct trod_chain *chain; /* NULL: paths are counted one by one */
    bool
        noted; /* with chains: too many for a counter each, so they go to the hash table */
    bool stops;                                /* it has a stop cell (trod/format.h) */
    const struct trod_llvm_counters *counters; /* NULL: clang's are unknown */
};

/* --- nonlocal_exit.c ------------------------------------------------------------------------- */

/* Find out which functions of a module are always left by returning. */
void trod_llvm_find_leaving(LLVMModuleRef module);

/* The first call of a block that may not return, or NULL; before: as below. */
LLVMValueRef trod_llvm_first_leaving(LLVMBasicBlockRef block, LLVMValueRef before);

/* May the function be abandoned in this block, before an instruction (NULL: its end),
 * according to the analysis?
 */
bool trod_llvm_may_leave(LLVMBasicBlockRef block, LLVMValueRef before);

/* --- input.c: files that the compiler is given ------------------------------------------ */

/* Say what is wrong, and end the compiler. */
_Noreturn void trod_llvm_fail(const struct trod_err *err);

/* The compile command, as `trod cc` gave it; NULL: none was given. */
char *trod_llvm_command(struct trod_arena *mem);

/* What the map says of where the unit was compiled, and of a file: without the folders above the project, which name
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
    TROD_SET_UNKNOWN, /* no function of this name is known */
    TROD_SET_STALE    /* one is, but it is another */
};

struct trod_set {
    enum trod_set_state state;
    struct trod_pathset paths;
    const uint64_t *count; /* [paths.count], or NULL: only lists say something */
};

/* Read profiles and path lists, names separated by line breaks, once for all modules of a
 * process. What cannot be read ends the compiler, with a message.
 */
void trod_llvm_sets_load(
    const char *files, enum trod_format_mode mode, enum trod_want want);

/* What they say of a function. */
void trod_llvm_sets_find(struct trod_set *out, const struct trod_rt_function *record,
    struct trod_arena *mem);

/* --- llvm_graph.c ---------------------------------------------------------------------- */

/* The control-flow graph of a function, blocks in order, successors in the terminator's.
 * Splits landing pads first: it may change the function.
 *
 * steps:  a step graph. Calls that may enter code of the program begin blocks, and the ways to
 *         them are cut: a path ends before a call, and the next begins with it.
 * last:   which calls end a path where nothing but a return follows
 * fills:  out; out->why_not where an edge cannot carry probes
 */
void trod_llvm_graph(struct trod_body *out, LLVMValueRef function, bool steps,
    enum trod_bridge_last last, struct trod_arena *mem);

/* --- data.c: what a function that counts has as data ------------------------------------- */

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

/* Do other units have this function too, of which the linker keeps one? */
bool trod_llvm_is_shared(LLVMValueRef function);

/* --- emit.c ----------------------------------------------------------------------------- */

/* Carry out a plan: counters, record, and operations on the sites of the function.
 *
 * needs:  name, graph, cuts and npath of the record; fills in the rest
 * records: each path that ends is noted in a row, instead of counted
 */
void trod_llvm_emit(const struct trod_body *body, const struct trod_plan *plan,
    struct trod_rt_function *record, bool records, struct trod_arena *mem);

/* Before the way out of a block: not between a call that is the last thing and its return, and
 * before a call that does not come back, or, in a coroutine, may not.
 */
LLVMValueRef trod_llvm_way_out(LLVMBasicBlockRef block);

/* --- rtcall.c: calls of the runtime --------------------------------------------------------- */

LLVMTypeRef trod_llvm_pointer(LLVMContextRef context);

/* A function of the runtime that touches nothing the program can see. */
LLVMValueRef trod_llvm_declare(
    LLVMModuleRef module, const char *name, LLVMTypeRef *parameter, unsigned count);

/* Where the builder stands: call one with a pointer, or a pointer and a number; on x86-64 its
 * variant that asks as little as can be of whoever calls it.
 */
void trod_llvm_put_call(LLVMBuilderRef builder, LLVMModuleRef module, const char *name,
    LLVMValueRef *argument, unsigned count, bool rare);

/* --- past.c: paths in a row ------------------------------------------------------------- */

struct trod_llvm_past {
    const struct trod_chain *chain;
    LLVMValueRef function;
    LLVMTypeRef i64;
    bool in_memory;
    LLVMValueRef
        past[TROD_ITERATIONS_MAX]; /* local variables: the last k paths, k from 1 */
};

/* Variables for what is past, which is nothing before the instruction that is handed in.
 *
 * needs:  body->chain, of several iterations
 */
void trod_llvm_past_open(struct trod_llvm_past *out, const struct trod_body *body,
    LLVMBuilderRef builder, LLVMValueRef in);

/* Where the builder stands, a path ends: the chain that it makes. */
LLVMValueRef trod_llvm_past_add(
    const struct trod_llvm_past *past, LLVMBuilderRef builder, LLVMValueRef path);

/* Variables become values, where they may. */
void trod_llvm_past_close(struct trod_llvm_past *past);

/* --- count.c ------------------------------------------------------------------------------- */

struct trod_llvm_count {
    LLVMValueRef thread, table, index, by;
    bool put; /* the value is put there, not added */
};

/* Where the builder stands: table[index] += by, or = by, in the thread's copy. Put as a call that
 * trod_llvm_lower_counts makes good, for a whole module.
 */
void trod_llvm_put_count(
    LLVMBuilderRef builder, LLVMModuleRef module, struct trod_llvm_count count);
bool trod_llvm_lower_counts(LLVMModuleRef module);

/* --- ask.c -------------------------------------------------------------------------------- */

struct trod_llvm_ask {
    LLVMValueRef thread; /* NULL: nothing is counted */
    LLVMValueRef table;
    LLVMValueRef ids; /* or bits; NULL: none are looked at */
    uint64_t how;     /* enum trod_rt_ending and TROD_RT_* */
    uint64_t nslot, number;
    LLVMValueRef sum;
};

/* Where the builder stands: look a path up by its sum. Put as a call that trod_llvm_lower_asks
 * makes good, for a whole module: before counts are.
 */
void trod_llvm_put_ask(
    LLVMBuilderRef builder, LLVMModuleRef module, const struct trod_llvm_ask *ask);
bool trod_llvm_lower_asks(LLVMModuleRef module);

/* At the builder's position: report that an untested path ended. */
void trod_llvm_put_report(LLVMBuilderRef builder, LLVMModuleRef module,
    LLVMValueRef table, LLVMValueRef path);

/* --- thread.c ----------------------------------------------------------------------------- */

/* Where the builder stands: where the counters of the thread are. Asked as a question that LLVM
 * knows to have one answer in all of a function, and that trod_llvm_lower_threads answers.
 */
LLVMValueRef trod_llvm_put_thread(LLVMBuilderRef builder, LLVMModuleRef module);
bool trod_llvm_lower_threads(LLVMModuleRef module);

/* The same, answered at once, and right after the suspension of a coroutine too. The block is
 * split before the instruction.
 */
LLVMValueRef trod_llvm_load_thread(LLVMValueRef before);

/* Whether this is code for a shared library: position independent, and not for executables. A thread's own is in
 * a table then, and in a variable otherwise (trod/rt.h).
 */
bool trod_llvm_is_library(LLVMModuleRef module);
LLVMValueRef trod_llvm_thread_variable(LLVMModuleRef module);
/* In code for shared libraries, where the thread's own is: loaded before an instruction, where the block is split; or asked
 * by a call, which is shorter. An integer.
 */
LLVMValueRef trod_llvm_load_own(LLVMValueRef before);
LLVMValueRef trod_llvm_ask_own(LLVMBuilderRef builder, LLVMModuleRef module);
/* So that the runtime of the image has what code of this module needs. */
void trod_llvm_name_own(LLVMModuleRef module);

/* --- oracle.c ----------------------------------------------------------------------------- */

/* Instead of counting, log every block that runs: what tests compare counts with. */
void trod_llvm_oracle(const struct trod_body *body,
    const struct trod_rt_function *record, struct trod_arena *mem);

/* --- heap.c ------------------------------------------------------------------------------- */

/* Calls of allocators, by name, report allocation and deallocation to the runtime. Functions of a
 * module that are not instrumented are done, too. Before there are two copies of anything.
 */
void trod_llvm_heap(LLVMModuleRef module);

/* --- twin_blocks.c ------------------------------------------------------------------------------- */

/* Code twice, in one copy of which every block reports that it begins.
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
    bool one;                     /* skip for all checks */
    const struct trod_plan *plan; /* of its paths, every value on its edge; or NULL */
    const struct trod_burst_events *events;
    struct trod_rt_function *record;
};

/* Code twice, in one copy of which paths and events are reported.
 *
 * needs:  name, graph, cuts and npath of the record; fills in the rest
 */
void trod_llvm_burst(
    struct trod_body *body, const struct trod_burst_want *want, struct trod_arena *mem);

/* --- meanings.c: what functions and blocks do, in the map ----------------------------------- */

/* Have each function of a module carry its meaning from here on, and no longer. */
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
    bool inlined; /* lines of code that was inlined are of interest, too */
};
void trod_llvm_map_body(
    struct trod_sink *sink, const struct trod_map_body *from, struct trod_arena *mem);

/* Text of a supergraph: what its frames are, and its numbering. Lines are those of the functions. */
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
