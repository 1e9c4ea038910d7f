/* edit: dynamic instruction stream editing: instructions are replaced at decode, depending on counters.
 *
 *     text -> productions -> for each code which may match -> at each run: counters, replacements
 *                                                                          -> profile, cost, timing
 *
 * A stream editor is part of a processor's decoder. Productions say which instructions it replaces, and by
 * what. Plain editing matches instructions only, so any other condition is tested by
 * micro-operations within the replacement, each time. With conditional control, productions also test flags of
 * counters, and counters are changed beside the pipeline: a production that replaces nothing costs nothing. Sampling
 * in bursts is a handful of such productions.
 *
 * Glossary
 *   production   pattern, replacement and control: `P1: T.OPCLASS == proc_call && !overflow_1 => null, CC1`
 *   pattern      a condition on an instruction and on flags; the part that depends on the instruction only is matched
 *                once for each instruction in memory. It is evaluated before the instruction runs: a branch
 *                matches whether it is taken or not
 *   replacement  a sequence of micro-operations with the instruction in it; or null: it is not replaced
 *   control      micro-instructions that change counters, after all productions were matched
 *   counter      of some bits. inc wraps to 0 and sets the flag overflow, which stays until the counter is
 *                set; the flag zero says that it is 0
 *   register     a named number to which counters are set
 *   handler      called by a replacement: it records something about the instruction (enum trod_edit_notes), and
 *                takes some micro-operations to do so
 *   fire         said of a production: its pattern matches
 *   may fire     it would fire with some flags
 *   point        an instruction for which some production may fire
 *   event        a point with a production that has control: the unit in which bursts and gaps are counted
 *   sequence of interest, at a point: one of a production that may fire there. If it does not, and did
 *                before, a burst has ended
 *   plain        without conditional control: each point is always replaced, and flags are tested within
 *   exhaustive   of a profile: what handlers would have recorded without regard to flags
 *
 * Each thread has its own counters.
 *
 * paper:  Mousa and Krintz, "HPS: Hybrid Profiling Support", PACT 2005 and UCSB TR 2005-08; after Corliss, Lewis
 *         and Roth, "DISE: A Programmable Macro Engine for Customizing Applications", ISCA 2003
 *
 * Memory: results are in the given arena; codes must outlive the editor.
 *
 * Invariants are listed at trod_edit_check().
 */
#ifndef TROD_EDIT_H
#define TROD_EDIT_H

#include "profile/overlap.h"
#include "base/base.h"
#include "branch/branch.h"
#include "profile/profile.h"
#include "stream/stream.h"
#include "timing/timing.h"

enum {
    TROD_EDIT_COUNTERS = 16,    /* numbered from 0 */
    TROD_EDIT_PRODUCTIONS = 64, /* and sequences, and handlers */
    TROD_EDIT_TERMS = 64,       /* of a pattern: comparisons and flags */
    TROD_EDIT_DEPTH = 32,       /* of a pattern: how far it nests */
    TROD_EDIT_BITS = 32,        /* of a counter, by default */
    TROD_EDIT_BITS_MOST = 48,
    TROD_EDIT_HANDLER = 15 /* micro-operations, by default */
};

#define TROD_EDIT_NONE UINT32_MAX

/* --- edit_token.c, edit_words.c, edit_pattern.c, edit_parse.c, edit_bind.c: the text form ------------------------------------------------------------------ */

/* Classes of instructions in patterns; an instruction may have several. */
enum trod_edit_class {
    TROD_EDIT_ANY,
    TROD_EDIT_PROC_CALL,
    TROD_EDIT_BRANCH, /* conditional, or any jump; no call, no return */
    TROD_EDIT_COND_BRANCH,
    TROD_EDIT_JUMP,     /* direct or indirect */
    TROD_EDIT_INDIRECT, /* a jump or call */
    TROD_EDIT_RETURN,
    TROD_EDIT_MEM_OP,
    TROD_EDIT_LOAD,
    TROD_EDIT_STORE,
    TROD_EDIT_ALU, /* as carried out: enum trod_insn_class, from here on */
    TROD_EDIT_MULTIPLY,
    TROD_EDIT_DIVIDE,
    TROD_EDIT_FLOAT,
    TROD_EDIT_FLOAT_MULTIPLY,
    TROD_EDIT_FLOAT_DIVIDE,
    TROD_EDIT_NOTHING,
    TROD_EDIT_SYSTEM,
    TROD_EDIT_CLASSES
};

/* A pattern in postfix notation: terms and operators. */
enum trod_edit_term_kind {
    TROD_EDIT_AND,
    TROD_EDIT_OR,
    TROD_EDIT_NOT,
    TROD_EDIT_IS,      /* T.OPCLASS == class; != is NOT of it */
    TROD_EDIT_COMPARE, /* side, relation, side */
    TROD_EDIT_IN,      /* left side, from low up to, not including, high */
    TROD_EDIT_OVERFLOW,
    TROD_EDIT_ZERO
};

enum trod_edit_side { TROD_EDIT_PC, TROD_EDIT_TARGET, TROD_EDIT_NUMBER };

enum trod_edit_relation {
    TROD_EDIT_EQ,
    TROD_EDIT_NE,
    TROD_EDIT_LT,
    TROD_EDIT_LE,
    TROD_EDIT_GT,
    TROD_EDIT_GE
};

struct trod_edit_term {
    uint8_t kind;        /* enum trod_edit_term_kind */
    uint8_t number;      /* the class or the counter */
    uint8_t left, right; /* enum trod_edit_side */
    uint8_t relation;
    uint64_t low, high; /* IN; COMPARE: low is the number */
};

enum trod_edit_item_kind {
    TROD_EDIT_INC, /* number: the counter */
    TROD_EDIT_DEC,
    TROD_EDIT_SET,     /* number: the counter; name: the register */
    TROD_EDIT_CONTROL, /* name: a sequence of these */
    TROD_EDIT_CALL,    /* name: the handler */
    TROD_EDIT_INSN,    /* the instruction itself */
    TROD_EDIT_OP       /* number: its class */
};

struct trod_edit_item {
    uint8_t kind; /* enum trod_edit_item_kind */
    uint8_t number;
    uint32_t name; /* of register, sequence or handler */
};

/* A sequence of items: control, or a replacement. */
struct trod_edit_sequence {
    const char *name;
    bool is_control;
    uint32_t first, count;
};

struct trod_edit_production {
    const char *name;
    uint32_t first_term, nterm;
    uint32_t replacement;  /* a sequence, or TROD_EDIT_NONE: null */
    uint32_t first, count; /* items of its control */
};

enum trod_edit_holds {
    TROD_EDIT_VALUE,     /* n */
    TROD_EDIT_BELOW_MAX, /* the greatest number of a counter, less n: n + 1 inc overflow */
    TROD_EDIT_TO_OVERFLOW /* n inc overflow */
};

enum trod_edit_period {
    TROD_EDIT_FIXED,
    TROD_EDIT_PRIME, /* raised until it is prime, alone or with another register added */
    TROD_EDIT_JITTER /* a random number from half to one and a half of n, drawn each time */
};

struct trod_edit_register {
    const char *name;
    uint64_t n;      /* as stated */
    uint64_t raised; /* the prime, if requested; otherwise n */
    uint8_t holds;   /* enum trod_edit_holds */
    uint8_t period;  /* enum trod_edit_period */
    uint32_t with;   /* register; TROD_EDIT_NONE */
};

enum trod_edit_notes {
    TROD_EDIT_NOTHING_NOTED,
    TROD_EDIT_METHODS, /* for calls the callee, otherwise the function that contains it */
    TROD_EDIT_CALLS,   /* site and callee */
    TROD_EDIT_STREAMS /* addresses, in order */
};

struct trod_edit_handler {
    const char *name;
    uint8_t notes; /* enum trod_edit_notes */
    uint32_t nop;
};

struct trod_edit {
    uint32_t bits; /* of counters */
    uint32_t nregister, nhandler, nsequence, nproduction, nterm, nitem;
    const struct trod_edit_register *reg;
    const struct trod_edit_handler *handler;
    const struct trod_edit_sequence *sequence;
    const struct trod_edit_production *production;
    const struct trod_edit_term *term;
    const struct trod_edit_item *item;
    uint32_t
        start; /* the sequence START, carried out before all else, or TROD_EDIT_NONE */
};

struct trod_edit_file {
    const char *name;
    const char *bytes;
    size_t length;
};

/* Overrides a value of a file. */
struct trod_edit_setting {
    const char *name; /* of a register or a handler */
    uint64_t n;       /* of a handler: its micro-operations */
};

struct trod_edit_settings {
    size_t count;
    const struct trod_edit_setting *setting;
    int period; /* enum trod_edit_period of sampleFreq, from 1; 0: as the files say */
};

/* Read productions from any number of files, concatenated, with common names.
 *
 *     # calls, sampled
 *     bits 32                                       # of a counter
 *     register sampleFreq = 999 to overflow         # 999; max - 999; then prime, prime with R, jitter
 *     handler CallPair_handler = calls 15           # methods, calls, streams, nothing; micro-operations
 *     P1: T.OPCLASS == branch && T.Target <= T.PC && !overflow_1 => null, CC1
 *     P2: T.OPCLASS == proc_call && T.PC in 0x1000 .. 0x2000 && overflow_1 => R2, null
 *     CC1: inc_1; set_2(burstLength)
 *     R2: call(CallPair_handler) op(alu) T.INSN
 *     START: set_1(sampleFreq)                      # once, before all else
 *
 * fails:  TROD_E_INPUT, with file, line and column; TROD_E_LIMIT
 * cost:   O(bytes)
 */
bool trod_edit_parse(struct trod_edit *out, const struct trod_edit_file *file,
    size_t nfile, const struct trod_edit_settings *settings, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

const char *trod_edit_class_name(enum trod_edit_class insn_class);
/* TROD_EDIT_CLASSES: not a class. */
enum trod_edit_class trod_edit_class_find(const char *word);
const char *trod_edit_notes_name(enum trod_edit_notes notes);
/* fixed, prime, jitter */
const char *trod_edit_period_name(enum trod_edit_period period);

/* --- edit_print.c: printing -------------------------------------------------- */

void trod_edit_print(struct trod_sink *sink, const struct trod_edit *edit);

/* --- edit_check.c: the validator -------------------------------------------------------------------- */

/* Check that
 *   - numbers of counters, classes, registers, handlers and sequences exist;
 *   - patterns are well-formed, have at least one term, and respect the limits on terms and nesting;
 *   - replacements contain the instruction once and no control; control contains only control;
 *   - START, and only that, is start; control sequences named by control exist and do not name others;
 *   - registers fit into counters;
 *   - names are unique.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_edit_check(const struct trod_edit *edit, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- edit_shipped.c: productions that come with trod ------------------------------------------------- */

/* The text of sampling, methods, calls or streams; or of literal/sampling and so on, as published, with all
 * errors. To sample a profile, concatenate sampling and one of the others. example/hps has them as files.
 *
 * gives:  NULL if there is none of that name
 */
const char *trod_edit_shipped(const char *name);

/* --- edit_match.c: which instructions ------------------------------------------------------------------ */

/* The properties of an instruction that patterns test. */
struct trod_edit_insn {
    uint64_t pc, target;
    uint32_t classes; /* bits of enum trod_edit_class */
    bool has_target;  /* known at decode: for direct branches */
};

/* The i-th instruction of a code. False: unknown. If the stream has no instructions, the
 * branch is known nevertheless.
 */
bool trod_edit_insn(
    struct trod_edit_insn *out, const struct trod_code *code, uint32_t i);

/* The flags of all counters: bit 2c is overflow of counter c, bit 2c + 1 zero. */
typedef uint32_t trod_edit_flags;

/* Would it fire? Comparisons with a missing target are false. */
bool trod_edit_fires(const struct trod_edit *edit, uint32_t production,
    const struct trod_edit_insn *insn, trod_edit_flags flags);

/* Is there a state of flags in which it would fire?
 *
 * cost:   O(terms); if a pattern tests some flag twice, times 2 to the power of its flags. With more than
 *         12 flags the answer is conservative: each occurrence is treated as independent
 */
bool trod_edit_may_fire(const struct trod_edit *edit, uint32_t production,
    const struct trod_edit_insn *insn);

/* --- edit_run.c: a stream, edited ------------------------------------------------------------------------ */

/* Receives injected micro-operations: nop of them, with these classes (enum trod_edit_class; checks and handlers consist
 * of alu), right before instruction `insn` of the run, or after the last if that is its number of
 * instructions; preceded by a bubble of so many cycles. All injections of a run are reported in order,
 * before trod_editor_run() returns.
 */
struct trod_edit_inject {
    void (*inject)(struct trod_edit_inject *to, const struct trod_run *run,
        uint32_t insn, const uint8_t *insn_class, uint32_t nop, uint32_t nbubble);
};

enum { TROD_EDIT_CHECK = 2, TROD_EDIT_REFS = 1 << 22 };

struct trod_edit_options {
    uint64_t seed; /* of jitter */
    uint32_t
        check; /* micro-operations that test flags in plain editing; 0: TROD_EDIT_CHECK */
    uint32_t bubble; /* cycles a replacement takes; 0: 1 */
    bool exhaustive; /* ignore flags and counters: what may fire and replaces
                          something does, and nothing else */
    uint64_t
        most_refs; /* limit on recorded addresses, sampled or not. 0: TROD_EDIT_REFS */
    struct trod_edit_reference *reference;        /* NULL: the editor records its own */
    struct trod_edit_inject *plain, *conditional; /* NULL: not reported */
};

/* The cost of editing: at events, which begin and end bursts; of checks at other points, which only plain
 * editing has; of replacements that fired.
 */
struct trod_edit_part {
    uint64_t nbubble, nop;
};

struct trod_edit_cost {
    uint64_t nreplace;
    struct trod_edit_part basic, checks, sampling;
};

struct trod_edit_counts {
    uint64_t nrun, ninsn, nthread;
    uint64_t ncode;          /* that ran */
    uint64_t nblind;         /* of these, whose instructions are unknown */
    uint64_t npoint, nevent; /* that ran, each time */
    const uint64_t *nfired;  /* by production */
    struct trod_edit_cost plain, conditional;
};

struct trod_editor;

/* All addresses that handlers of streams would record, sampled or not, and the streams in them: once for all editors that
 * process the same runs, and whose productions and options differ only in registers and seeds. The first editor that is
 * built with it records them; the others keep what they sample.
 *
 * needs:  an arena that is not rewound as long as one of these editors is used
 */
struct trod_edit_reference *trod_edit_reference_build(struct trod_arena *mem);

/* needs:  edit as long as the editor is used, and an arena that is not rewound meanwhile */
struct trod_editor *trod_editor_build(const struct trod_edit *edit,
    const struct trod_edit_options *options, struct trod_arena *mem);

/* One run. Codes are identified by number.
 *
 * cost:   O(points of the code), and O(terms of productions) for each point whose flags changed since it
 *         ran last
 */
void trod_editor_run(struct trod_editor *editor, const struct trod_run *run);

/* A thread ended: a later one with the same number is a different thread. */
void trod_editor_end(struct trod_editor *editor, uint32_t thread);

/* For tests: which productions fired, as bits, at an instruction of the run before; flags of a thread, now. */
uint64_t trod_editor_fired(const struct trod_editor *editor, uint32_t insn);
trod_edit_flags trod_editor_flags(const struct trod_editor *editor, uint32_t thread);

const struct trod_edit_counts *trod_editor_counts(const struct trod_editor *editor);

/* For streams: addresses within the limit, and beyond it. */
void trod_editor_addresses(
    uint64_t *kept, uint64_t *lost, const struct trod_editor *editor);

/* The same as a sink of branch.h. */
struct trod_edit_sink {
    struct trod_branch_sink sink;
    struct trod_editor *editor;
};
void trod_edit_sink_init(struct trod_edit_sink *out, struct trod_editor *editor);

/* --- edit_note.c, edit_profile.c: records of handlers -------------------------------------------------------------------- */

/* For a method: its address, and 0. For a call: site and callee. */
struct trod_edit_member {
    uint64_t a, b;
    uint64_t sampled, all;
};

struct trod_edit_profile {
    const char *handler;
    enum trod_edit_notes notes;
    uint64_t nsampled,
        nall; /* instructions at which it was called, or would have been */
    uint64_t nburst;
    uint64_t nref_lost; /* for streams: addresses beyond the limit */
    size_t
        nmember; /* for methods and calls: by total count, then sampled count, then address */
    const struct trod_edit_member *member;
    struct trod_streams sampled, all; /* of streams */
    bool compared;                    /* both sides have data: */
    struct trod_overlap overlap;      /* a: sampled, b: all */
};

struct trod_edit_result {
    const struct trod_edit_counts *counts;
    size_t nprofile; /* one for each handler that some production calls */
    const struct trod_edit_profile *profile;
};

/* Functions begin at targets of calls and where threads began; each extends to the next. entry: additional
 * known entries, for example from symbols; in any order.
 *
 * cost:   O(n log n); of streams, as of trod_stream_find()
 */
void trod_editor_result(struct trod_edit_result *out, const struct trod_editor *editor,
    const uint64_t *entry, size_t nentry, struct trod_arena *mem);

/* Find the streams of all addresses, unless that was done since the last run. trod_editor_result() does so, too; what it
 * finds is in the reference's arena, which is not to be rewound to before.
 *
 * cost:   as of trod_stream_find(); and O(streams log streams)
 */
void trod_edit_reference_find(struct trod_edit_reference *reference);

/* --- edit_time.c: timing ------------------------------------------------------------------------ */

/* What an editor injects, for a design of core.h: each micro-operation depends on the previous one, the
 * first a counter. The editor must process each run before the core.
 *
 * A replacement with operations on both sides of the instruction has them all before it, since a core has a
 * bubble for each row of them; one with none at all has one that does nothing.
 */
struct trod_edit_injector {
    struct trod_edit_inject inject; /* for struct trod_edit_options */
    struct trod_arena *mem;
    struct trod_timing_injected *injected;
    size_t count, room;
    struct trod_insn *insn;
    size_t *first_insn; /* by what is injected */
    size_t ninsn, room_insn, room_first;
    bool fresh; /* the core has not had it yet */
};
void trod_edit_injector_init(struct trod_edit_injector *out, struct trod_arena *mem);

/* needs:  the bubble of the editor's options, 0 for its own */
void trod_edit_timing_design(struct trod_timing_design *out,
    struct trod_edit_injector *timing, const char *name, uint32_t bubble);

/* --- edit_report.c: output as text and JSON -------------------------------------------------------------------- */

/* Cycles per original instruction; micro-operations cost as much. */
#define TROD_EDIT_CPI 1.0

/* Cycles, as a core was timed. */
struct trod_edit_timed {
    const char *machine;
    uint64_t base, plain, conditional;
};

struct trod_edit_print_options {
    size_t most;                             /* members; 0: 10 */
    double cpi;                              /* 0: TROD_EDIT_CPI */
    const struct trod_edit_timed *timed;     /* NULL: none was */
    const struct trod_branch_places *places; /* NULL: none */
};

/* By the formula: micro-operations times cycles for one, and bubbles, relative to the cycles of the program
 * without editing.
 */
double trod_edit_overhead(const struct trod_edit_part *part,
    const struct trod_edit_counts *counts, double cpi);

void trod_edit_report(struct trod_sink *sink, const struct trod_edit *edit,
    const struct trod_edit_result *result,
    const struct trod_edit_print_options *options);
/* Members of the open object. */
void trod_edit_json(struct trod_json *json, const struct trod_edit *edit,
    const struct trod_edit_result *result,
    const struct trod_edit_print_options *options);

#endif
