/* model: models of hardware path profilers.
 *
 *     runs (branch.h) -> path stack -> descriptors -> exact table, hot path tables, windows, phases, grammar
 *
 * After Vaswani, "Efficient Online Path Profiling", chapter 5. A path is its start and the outcomes of
 * its branches. A table, the control register, says which branches begin and end paths, and which are outcomes.
 *
 * Glossary
 *   descriptor   a path: start, length, outcomes
 *   length       branches with an outcome
 *   outcome      of a branch on the path: 1 taken, 0 not
 *   control      the control register: the operations on the stack for each type of branch, and other parameters
 *   type         of a branch, for the register: call, return, forward, backward, indirect
 *   stack        of a thread: an entry for each active function, with its current path
 *   detector     the stacks of all threads under one register: input: runs; output: paths that ended
 *   reported, cut  said of a path that ended: as the register specifies; or it was abandoned, or its entry forgotten
 *   count        what is added to the path in a table: 1, or events that happened on it
 *   metric       what is counted: executions, instructions, or events that are passed with each run
 *   reference    a table without limits: each path has a number, and its true counts
 *   hot table    the table of a processor: a few entries, and a replacement policy
 *   bound        said of a count of a hot table: at least the true count (upper), at most (lower), or neither (estimate)
 *
 * Memory: everything is in the arena given at creation. Descriptors of a detector are valid until its next
 * run; those of a reference stay valid.
 *
 * Validators: trod_control_check, trod_hot_design_check for user input; trod_detector_check,
 * trod_reference_check, trod_hot_table_check for results.
 */
#ifndef TROD_MODEL_H
#define TROD_MODEL_H

#include "branch/branch.h"
#include "grammar/grammar.h"

/* A path that ended. */
struct trod_descriptor {
    uint64_t start; /* address */
    uint64_t
        function; /* function of its activation; after a jump to another function, that one */
    uint32_t length;
    const uint64_t
        *outcome; /* bit i of word i / 64: of its branch i; bits after length are 0 */
};

/* --- control.c: the control register -------------------------------------------------------------- */

enum trod_control_type {
    TROD_TYPE_CALL,
    TROD_TYPE_RETURN,
    TROD_TYPE_FORWARD,
    TROD_TYPE_BACKWARD,
    TROD_TYPE_INDIRECT, /* not a call, not a return */
    TROD_TYPES
};

/* Operations, in this order; at most one of the first two. */
enum {
    TROD_DO_UPDATE = 1, /* another outcome, and its events */
    TROD_DO_COUNT = 2,  /* events alone */
    TROD_DO_POP = 4,    /* the path on top has ended */
    TROD_DO_PUSH = 8    /* another begins */
};

enum trod_control_metric {
    TROD_METRIC_FREQUENCY,
    TROD_METRIC_INSTRUCTIONS,
    TROD_METRIC_MISSES, /* from here on: events that are passed with runs */
    TROD_METRIC_MISPREDICTIONS,
    TROD_METRIC_POWER,
    TROD_METRIC_EVENTS,
    TROD_METRICS
};

enum trod_control_extend { TROD_EXTEND_NOTHING, TROD_EXTEND_LOOPS, TROD_EXTEND_CALLS };

/* What the published design leaves open. The default is always 0; doc/hardware/model.md has the reasons. */
enum trod_control_open {
    TROD_OPEN_BACK,  /* which backward branches end a path: taken, all */
    TROD_OPEN_BEGIN, /* after a branch that was not taken: next, target */
    TROD_OPEN_FULL,  /* a path with as many outcomes as fit: full, over */
    TROD_OPEN_SPLIT, /* one branch both splits and pops: once, twice */
    TROD_OPEN_JUMPS, /* direct ones without a condition: counted, free */
    TROD_OPEN_INHERIT, /* a path that begins in a followed callee inherits: calls, nothing */
    TROD_OPEN_DEEPEST,    /* a call when no more can be followed: push, end */
    TROD_OPEN_CROSSING,   /* a followed call or return: silent, outcome */
    TROD_OPEN_OVERFLOW,   /* a push when the stack is full: forget, grow */
    TROD_OPEN_FORGOTTEN,  /* the path of a forgotten entry: lost, reported */
    TROD_OPEN_EMPTY,      /* a return when the stack is empty: begin, wait */
    TROD_OPEN_COUNTER,    /* more events than fit: saturate, wrap */
    TROD_OPEN_REPAIR,     /* entries that are dead: frames, purge, none */
    TROD_OPEN_UNFINISHED, /* paths that are cut: lost, reported */
    TROD_OPEN_SLOT,       /* a slot of the branch queue is free at: start, end */
    TROD_OPENS
};

/* The values. */
enum { TROD_BACK_TAKEN, TROD_BACK_ALL };
enum { TROD_BEGIN_NEXT, TROD_BEGIN_TARGET };
enum { TROD_FULL_FULL, TROD_FULL_OVER };
enum { TROD_SPLIT_ONCE, TROD_SPLIT_TWICE };
enum { TROD_JUMPS_COUNTED, TROD_JUMPS_FREE };
enum { TROD_INHERIT_CALLS, TROD_INHERIT_NOTHING };
enum { TROD_DEEPEST_PUSH, TROD_DEEPEST_END };
enum { TROD_CROSSING_SILENT, TROD_CROSSING_OUTCOME };
enum { TROD_OVERFLOW_FORGET, TROD_OVERFLOW_GROW };
enum { TROD_FORGOTTEN_LOST, TROD_FORGOTTEN_REPORTED };
enum { TROD_EMPTY_BEGIN, TROD_EMPTY_WAIT };
enum { TROD_COUNTER_SATURATE, TROD_COUNTER_WRAP };
enum { TROD_REPAIR_FRAMES, TROD_REPAIR_PURGE, TROD_REPAIR_NONE };
enum { TROD_UNFINISHED_LOST, TROD_UNFINISHED_REPORTED };
enum { TROD_SLOT_START, TROD_SLOT_END };

struct trod_control {
    const char *name;
    uint8_t op[TROD_TYPES]; /* sets of TROD_DO_ */
    uint8_t extend;         /* enum trod_control_extend */
    uint8_t metric;         /* enum trod_control_metric */
    uint8_t counter;        /* bits, 1..64 */
    uint8_t open[TROD_OPENS];
    uint32_t most_extended; /* loops or calls; 0 with TROD_EXTEND_NOTHING */
    uint32_t split;         /* outcomes of a path; 0: any number */
    uint32_t stack;         /* entries; 0: any number */
};

/* ballarus, wpp: tables 5.1 and 5.2 with the sizes of the thesis. exact, exact-wpp: the same without limits of
 * length, stack and counter, and without outcomes for indirect branches, which have only one. NULL if there is none of
 * this name.
 */
const struct trod_control *trod_control_named(const char *name);
/* The names, by index; NULL after the last. */
const char *trod_control_name(uint32_t which);

/* Words of the text form. */
const char *trod_control_type_word(uint32_t type);
const char *trod_control_metric_word(uint32_t metric);
const char *trod_control_open_word(uint32_t open);
const char *trod_control_value_word(uint32_t open, uint32_t value);

/* Check that
 *   - each type has at most one of update and update-count, and some type pops;
 *   - the extension has a count if and only if there is an extension, at most 255;
 *   - counters have 1 to 64 bits, and values are valid.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_control_check(
    const struct trod_control *control, struct trod_err *err) TROD_MUST_CHECK;

static inline enum trod_control_type trod_control_type_of(const struct trod_code *code)
{
    switch (code->kind) {
    case TROD_BRANCH_CALL:
    case TROD_BRANCH_CALL_INDIRECT:
        return TROD_TYPE_CALL;
    case TROD_BRANCH_RETURN:
        return TROD_TYPE_RETURN;
    case TROD_BRANCH_INDIRECT:
        return TROD_TYPE_INDIRECT;
    default:
        return trod_branch_is_backward(code) ? TROD_TYPE_BACKWARD : TROD_TYPE_FORWARD;
    }
}

/* --- control_text.c: its text form ------------------------------------------------------------------ */

/* The lines after a head `control NAME`, or a whole file of one: text, length, and its name for messages. A line is
 * `call: update-count push`, `split: 32`, `back: all`...; omitted lines are as in `based on NAME`, or in ballarus.
 *
 * fails:  TROD_E_INPUT, with line and column
 */
bool trod_control_parse(struct trod_control *out, const char *file, const char *text,
    size_t length, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
void trod_control_print(struct trod_sink *sink, const struct trod_control *control);

/* Apply lines to an existing register; the name stays. */
bool trod_control_set(struct trod_control *control, const char *file, const char *text,
    size_t length, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- detect.c: the path stack ------------------------------------------------------------------------- */

enum trod_path_how {
    TROD_HOW_POPPED,    /* as the register says */
    TROD_HOW_SPLIT,     /* as many outcomes as fit */
    TROD_HOW_FORGOTTEN, /* the stack was full */
    TROD_HOW_DROPPED,   /* its activation was abandoned */
    TROD_HOW_ODD,       /* a signal handler began or returned */
    TROD_HOW_ENDED,     /* its thread ended */
    TROD_HOWS
};

/* A path that ended. */
struct trod_path_end {
    struct trod_descriptor path;
    uint64_t count;  /* limited by the counter of the register; for frequency, 1 */
    uint64_t weight; /* the same without limit */
    uint64_t ninsn;
    uint32_t thread;
    uint8_t how;   /* enum trod_path_how */
    bool reported; /* to tables */
    uint64_t word; /* outcomes, if there are at most 64: path.outcome points here */
};

struct trod_path_entry {
    uint64_t start, function;
    uint64_t back;  /* where its function returns to; 0: unknown */
    uint64_t frame; /* address of that on the program's stack; 0: unknown */
    uint64_t events, ninsn;
    uint64_t *outcome;
    uint32_t length, room; /* room in words */
    uint32_t extended;
};

struct trod_path_stack {
    uint32_t thread;
    bool begun;
    uint32_t count, base, room; /* a ring; room is a power of 2 */
    struct trod_path_entry *entry;
    uint64_t block_events, block_ninsn; /* since the last branch */
};

/* Statistics. */
struct trod_detected {
    uint64_t nrun, nbranch, ninsn, nodd;
    uint64_t nend[TROD_HOWS];  /* paths */
    uint64_t nop[4];           /* updates, counts, pops, pushes */
    uint64_t nunmatched;       /* returns that match no entry */
    uint64_t nempty;           /* operations on an empty stack */
    uint64_t nfull;            /* pushes onto a full one */
    uint64_t nextended;        /* calls or loops that paths followed */
    uint32_t deepest, longest; /* stack, path */
};

struct trod_detector {
    struct trod_control control;
    bool plain; /* conditional branches are handled as in ballarus */
    struct trod_arena *mem;
    struct trod_path_stack *stack; /* by order of arrival */
    uint32_t nstack, room_stack;
    uint32_t *stack_of_thread; /* number + 1; 0: none yet */
    uint32_t nthread;
    uint32_t now; /* stack of the last run */
    struct trod_detected seen;
    uint64_t most_count;       /* of the counter */
    struct trod_path_end *end; /* of the last run */
    uint32_t nend, room_end;
    uint64_t *spare; /* storage for outcomes of long paths */
    size_t nspare, room_spare;
};

/* needs:  a control that trod_control_check passes */
void trod_detector_init(struct trod_detector *d, const struct trod_control *control,
    struct trod_arena *mem);

/* Process a run. Returns the number of paths that ended: d->end[0..].
 *
 * cost:   O(1), except for repairs, and paths longer than 64
 * paper:  Vaswani, "Efficient Online Path Profiling", section 5.2
 */
uint32_t trod_detector_run(
    struct trod_detector *d, const struct trod_run *run, uint64_t events);

/* A thread ended: its open paths are cut. Returns their number as above. */
uint32_t trod_detector_end(struct trod_detector *d, uint32_t thread);

/* The same with a callback. */
struct trod_path_sink {
    void (*path)(struct trod_path_sink *to, const struct trod_path_end *end);
};
static inline void trod_detector_send(struct trod_detector *d,
    const struct trod_run *run, uint64_t events, struct trod_path_sink *to)
{
    for (uint32_t i = 0, n = trod_detector_run(d, run, events); i < n; i++)
        to->path(to, &d->end[i]);
}

/* Check that stacks and paths are within their limits, bits after lengths are 0, and entries with frames are in
 * order.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_detector_check(
    const struct trod_detector *d, struct trod_err *err) TROD_MUST_CHECK;

/* --- reference.c: the table without limits --------------------------------------------------------------- */

/* A path by its number. */
struct trod_reference_path {
    struct trod_descriptor path;
    uint64_t hash;
    uint64_t count; /* executions */
    uint64_t weight, ninsn;
};

struct trod_reference {
    struct trod_arena *mem;
    struct trod_reference_path *path;
    uint32_t npath, room;
    uint32_t *slot; /* number + 1; 0: free */
    uint64_t nslot;
    uint32_t last;                 /* last path that was added */
    uint64_t count, weight, ninsn; /* of all */
};

void trod_reference_init(struct trod_reference *r, struct trod_arena *mem);

/* Count a path that ended; returns its number. Paths are the same if start, length and outcomes are; the function is
 * that of the first.
 *
 * cost:   O(1 + length / 64) expected
 */
uint32_t trod_reference_add(struct trod_reference *r, const struct trod_path_end *end);

/* UINT32_MAX: never seen. */
uint32_t trod_reference_find(
    const struct trod_reference *r, const struct trod_descriptor *path);

/* Numbers of all paths, the heaviest first; among equals in order of appearance. */
uint32_t *trod_reference_order(const struct trod_reference *r, struct trod_arena *mem);

bool trod_reference_check(
    const struct trod_reference *r, struct trod_err *err) TROD_MUST_CHECK;

/* --- hot_table.c: the hot path table ---------------------------------------------------------------------- */

enum trod_hot_index {
    TROD_INDEX_XOR,      /* start, length, outcomes: the first in the low bits */
    TROD_INDEX_XOR_LAST, /* the same, the last in the low bits, as in a shift register */
    TROD_INDEX_XOR_FOLD, /* the same, all outcomes folded to the width of the index */
    TROD_INDEX_ADDRESS,  /* start alone */
    TROD_INDEX_MULTIPLY, /* everything, by a multiplicative hash */
    TROD_INDEX_SKEW,     /* the same, with a different constant for each way */
    TROD_INDEXES
};

enum trod_hot_replace {
    TROD_REPLACE_LFU, /* evicts the lowest count; the new entry starts with its own count */
    TROD_REPLACE_LRU,     /* evicts the least recently used */
    TROD_REPLACE_INHERIT, /* evicts the lowest count; the new entry continues from it */
    TROD_REPLACE_ADMIT, /* the same with a probability that decreases with the lowest count */
    TROD_REPLACES
};

/* Which of several entries with the lowest count is evicted. */
enum trod_hot_ties {
    TROD_TIES_FIRST,  /* lowest way: takes no bits */
    TROD_TIES_OLDEST, /* least recently used */
    TROD_TIES_NEWEST,
    TROD_TIES_RANDOM,
    TROD_TIESES
};

struct trod_hot_design {
    const char *name; /* as written; or NULL */
    uint32_t entries, ways;
    uint8_t index, replace, ties;
    uint8_t bits;  /* of an accumulator; it saturates */
    uint8_t shift; /* low bits of addresses that are omitted, by xor and address */
    uint32_t
        door; /* bits of a filter that admits a path at its second occurrence; 0: none */
    uint64_t seed;
};

enum { TROD_HOT_SKEWED = 32 }; /* ways, at most */

enum trod_hot_bound { TROD_BOUND_LOWER, TROD_BOUND_UPPER, TROD_BOUND_ESTIMATE };

struct trod_hot_entry {
    uint32_t path; /* number + 1; 0: free */
    uint32_t padding;
    uint64_t count;
    uint64_t extra; /* upper bound of the inherited part */
    uint64_t used;  /* time of last use */
};

struct trod_hot_table {
    struct trod_hot_design design;
    struct trod_hot_entry *entry; /* set by set */
    struct trod_hot_entry *last;  /* last hit; or NULL */
    uint32_t nset;
    uint8_t width; /* of the index, in bits */
    uint64_t most; /* largest count */
    uint64_t clock, chance;
    uint64_t factor[TROD_HOT_SKEWED];
    uint64_t *door;
    uint32_t ndoor; /* bits set in it */
    uint64_t nhit, nmiss, nreplaced, nrefused;
};

/* Check that entries, ways and the door are powers of 2 within range, and the rest is valid.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_hot_design_check(
    const struct trod_hot_design *design, struct trod_err *err) TROD_MUST_CHECK;

/* `512x4,lfu,xor`, and after commas any of ties=, bits=, shift=, door=, seed=. Defaults are those of the thesis.
 *
 * fails:  TROD_E_INPUT, with the column
 */
bool trod_hot_design_parse(struct trod_hot_design *out, const char *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
void trod_hot_design_print(
    struct trod_sink *sink, const struct trod_hot_design *design);

/* Its size in bits: descriptors of that many outcomes and bits of address, counts, what replacement needs. */
uint64_t trod_hot_design_bits(
    const struct trod_hot_design *design, uint32_t split, uint32_t address);

enum trod_hot_bound trod_hot_design_bound(const struct trod_hot_design *design);
const char *trod_hot_bound_word(enum trod_hot_bound bound);

void trod_hot_table_init(struct trod_hot_table *t, const struct trod_hot_design *design,
    struct trod_arena *mem);
void trod_hot_table_clear(struct trod_hot_table *t);

/* A path ended. Returns whether it was in the table.
 *
 * cost:   O(ways)
 */
bool trod_hot_table_add(struct trod_hot_table *t, uint32_t number,
    const struct trod_reference_path *path, uint64_t count);

/* The entry of a path; NULL: none. */
const struct trod_hot_entry *trod_hot_table_find(const struct trod_hot_table *t,
    uint32_t number, const struct trod_reference_path *path);

/* Check that paths are unique, each is in its set, and counts are within their bounds.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_hot_table_check(const struct trod_hot_table *t,
    const struct trod_reference *r, struct trod_err *err) TROD_MUST_CHECK;

/* --- model_overlap.c: accuracy of a table ------------------------------------------------------------------ */

/* A path of a profile: its number, and a weight that is not 0. Ascending by number. */
struct trod_path_weight {
    uint32_t path;
    uint64_t weight;
};

/* The sum of the smaller of each path's two shares, 0 to 1; 1 if both are empty, 0 if one is.
 *
 * needs:  both ascending
 */
double trod_model_overlap(const struct trod_path_weight *a, size_t na,
    const struct trod_path_weight *b, size_t nb);

struct trod_hot_score {
    double overlap;  /* with the truth */
    double coverage; /* share of the true weight that paths in the table have */
    double ideal;    /* share of the heaviest paths, as many as there are entries */
    uint64_t nentry; /* in use */
    uint64_t total;  /* of all counts */
};

/* The accuracy of a table, given the true weights of all paths by number.
 *
 * cost:   O(paths log paths) with mem for scratch
 */
void trod_hot_table_score(struct trod_hot_score *out, const struct trod_hot_table *t,
    const uint64_t *weight_of_path, uint32_t npath, struct trod_arena *mem);

/* --- model_window.c: the same in windows ---------------------------------------------------------------------- */

/* Weights of paths since it was last cleared. */
struct trod_path_window {
    struct trod_arena *mem;
    uint64_t *weight_of_path;
    uint32_t room; /* paths */
    uint32_t *touched, ntouched, room_touched;
    uint64_t total;
};

void trod_path_window_init(struct trod_path_window *w, struct trod_arena *mem);
void trod_path_window_add(struct trod_path_window *w, uint32_t path, uint64_t weight);
void trod_path_window_clear(struct trod_path_window *w);

/* Its weights, ascending by number. */
size_t trod_path_window_weights(
    struct trod_path_weight **out, struct trod_path_window *w, struct trod_arena *mem);

/* --- model_phase.c: phases, from paths and from blocks ---------------------------------------------------------- */

/* Consecutive similar intervals. */
struct trod_phase {
    uint64_t from;    /* interval, from 0 */
    uint64_t count;   /* intervals */
    uint32_t kind;    /* number of the behaviour; a recurring phase has the same */
    double paths;     /* overlap of paths with the previous interval; 0 for the first */
    double blocks;    /* the same for blocks */
    bool same_blocks; /* blocks alone would not show the phase change */
};

struct trod_phases {
    struct trod_arena *mem;
    double least; /* minimum overlap of similar intervals */
    struct trod_path_window path, block;
    struct trod_path_weight *was_path, *was_block;
    size_t nwas_path, nwas_block;
    struct trod_phase *phase;
    uint32_t nphase, room;
    struct trod_phase_kind {
        struct trod_path_weight *weight;
        size_t count;
    } *kind;
    uint32_t nkind, room_kind;
    uint64_t ninterval;
};

/* least: minimum overlap of intervals of one phase, between 0 and 1; 0: TROD_PHASE_LEAST. */
#define TROD_PHASE_LEAST 0.5
void trod_phases_init(struct trod_phases *p, double least, struct trod_arena *mem);
void trod_phases_path(struct trod_phases *p, uint32_t path, uint64_t weight);
void trod_phases_block(struct trod_phases *p, uint32_t code, uint64_t weight);
/* An interval ended: it belongs to the current phase, or begins another. */
void trod_phases_close(struct trod_phases *p);

/* --- model_spread.c: distribution of weight over paths ------------------------------------------------------------- */

enum { TROD_SPREAD_TOPS = 16, TROD_SPREAD_LENGTHS = 10 };

/* Shares of the heaviest 1, 2, 5, 10, ... paths, each quantity in its own order (figure 5.2); and of instructions on
 * paths of up to 0, 1, 2, 4, ... branches (figure 5.3).
 */
struct trod_spread {
    uint32_t ntop;
    uint32_t top[TROD_SPREAD_TOPS];
    double frequency[TROD_SPREAD_TOPS], ninsn[TROD_SPREAD_TOPS],
        weight[TROD_SPREAD_TOPS];
    uint32_t length[TROD_SPREAD_LENGTHS]; /* the last: UINT32_MAX */
    double by_length[TROD_SPREAD_LENGTHS];
};
void trod_model_spread(
    struct trod_spread *out, const struct trod_reference *r, struct trod_arena *mem);

/* --- branch_queue.c: between the processor and the profiler ---------------------------------------------------------- */

/* Committed branches that the profiler has not served yet. */
struct trod_branch_queue {
    uint32_t slots;
    uint8_t slot;      /* TROD_SLOT_ */
    uint64_t *free_at; /* [slots]: when each is free again */
    uint32_t next;
    uint64_t ready;           /* when the profiler is free */
    uint64_t nstall, stalled; /* branches, cycles */
};

/* slots: at least 1. */
void trod_branch_queue_init(
    struct trod_branch_queue *q, uint32_t slots, uint8_t slot, struct trod_arena *mem);

/* A branch is ready to commit at a cycle, and its service takes some cycles. Returns when it commits. */
uint64_t trod_branch_queue_add(
    struct trod_branch_queue *q, uint64_t cycle, uint32_t service);

/* Cycles of operations: one for each update, count and push; for each pop one, and the access of the table:
 * one, and on a miss the logarithm of its ways.
 */
uint32_t trod_model_service(
    uint64_t nupdate, uint64_t npush, uint64_t npop, uint64_t nmiss, uint32_t ways);

/* --- model_all.c: all of it over one stream -------------------------------------------------------------------------- */

#define TROD_MODEL_WINDOW UINT64_C(100000000)

struct trod_profiler;

struct trod_profiler_options {
    const struct trod_control *control; /* NULL: ballarus */
    const struct trod_hot_design *design;
    uint32_t ndesign;
    uint64_t window;   /* instructions; 0: none */
    uint64_t interval; /* of phases, instructions; 0: none */
    double least;      /* of phases */
    bool grammar;      /* of the paths of each thread */
    /* Events of a run; NULL: there are none. */
    uint64_t (*events)(void *ctx, const struct trod_run *run);
    void *ctx;
    const struct trod_branch_places *places; /* for output; NULL: none */
    /* A window ended: table[].windowed, last_window and window have their final values. May be NULL. */
    void (*window_over)(void *ctx, const struct trod_profiler *m);
    void *window_ctx;
};

struct trod_profiler_table {
    struct trod_hot_table whole, windowed;
    double overlap; /* sum over windows */
    struct trod_hot_score score, last_window;
};

struct trod_profiler_thread {
    uint32_t thread;
    uint64_t npath;
    struct trod_grammar_builder builder;
    struct trod_grammar grammar;
};

struct trod_profiler {
    struct trod_branch_sink sink;
    struct trod_profiler_options options;
    struct trod_arena *mem;
    struct trod_detector detector;
    struct trod_reference reference;
    struct trod_profiler_table *table;
    struct trod_path_window window;
    uint64_t window_end, nwindow, interval_end;
    struct trod_phases phases;
    struct trod_profiler_thread *thread;
    uint32_t nthread, room_thread;
    bool done;
};

/* A sink of runs: use it as a sink, or call trod_profiler_run(). */
void trod_profiler_init(struct trod_profiler *m,
    const struct trod_profiler_options *options, struct trod_arena *mem);
void trod_profiler_run(
    struct trod_profiler *m, const struct trod_run *run, uint64_t events);
void trod_profiler_end(struct trod_profiler *m, uint32_t thread);

/* The end of the stream: ends all threads, and scores tables. */
void trod_profiler_finish(struct trod_profiler *m);

/* Cycles of the profiler since the last call, with one of the tables: of one run, if called after each. For
 * cores that wait for it.
 */
struct trod_profiler_since {
    uint64_t nop[4], nmiss; /* initially zeros */
};
uint32_t trod_profiler_service(
    struct trod_profiler_since *since, const struct trod_profiler *m, uint32_t design);

/* Run the validators of all its parts. */
bool trod_profiler_check(
    const struct trod_profiler *m, struct trod_err *err) TROD_MUST_CHECK;

/* --- model_print.c: output ------------------------------------------------------------------------------------------- */

/* needs:  trod_profiler_finish(); most: paths to list, 0: none */
void trod_profiler_print(struct trod_sink *sink, const struct trod_profiler *m,
    uint64_t most, bool spread, struct trod_arena *mem);
void trod_profiler_json(struct trod_json *json, const struct trod_profiler *m,
    uint64_t most, bool spread, struct trod_arena *mem);

/* `0x401000 TNT`: taken, not taken; '-' if there is no branch. */
void trod_descriptor_print(struct trod_sink *sink, const struct trod_descriptor *path);

#endif
