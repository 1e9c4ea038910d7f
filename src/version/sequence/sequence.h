/* sequence: call sequences, and the migration of a part of them.
 *
 *     recorded steps -> spans, shared -> old spans where nothing changed, new ones where it did -> sequence
 *
 * A call sequence is the order in which functions were entered, with the span of each: what was called until it
 * returned. Equal spans are shared (the spans form a DAG): long sequences have few different ones.
 *
 *     spans NAME
 *     span 0 fi :                        # from 0 up, children before parents
 *     span 1 foo reused : 0*3            # foo called fi three times
 *     span 2 main : 1
 *     span 3 @ : 2                       # what a thread called: its root
 *     thread 0 3                         # its number and its root
 *
 * Glossary
 *   span      a function with everything it called until it returned. Its name may be followed by a word: `reused`, it is from
 *             the old sequence; `outside`, the function itself was not recorded, only the recorded functions that
 *             it called; `unknown`, the same if the old sequence did not help; none: it was recorded.
 *   affected  of a function: it was recorded again
 *   exempt    of a function: it was not, because its calls and their order are assumed to be unchanged
 *   skeleton  an old span of an exempt function with a hole for each call of an affected one: everything above the holes
 *             belongs to exempt functions
 *
 * A selective recording contains affected functions. Exempt functions that they call are known by name; a call through a pointer
 * to a function that was not recorded is "*". If an exempt function called an affected one, directly or not, the recording has that one
 * within the call of the exempt function: these fill its holes, in order. The skeleton is chosen among
 *   - those of its function whose holes match the recorded functions, in the same order:
 *   - the only one of these, if all are equal;
 *   - the k-th for the k-th call by an affected function in that thread, if there are as many as before, and if
 *     arguments are not affected;
 *   - otherwise the function is not exempt, and listed as one to record again.
 * Whole spans of exempt callers follow: their callees are part of the skeleton. The root of a thread is exempt.
 *
 * Memory: in the arena handed in.
 */
#ifndef TROD_SEQUENCE_H
#define TROD_SEQUENCE_H

#include "entry/entry.h"
#include "wpp/wpp.h"
#include "base/table.h"

#define TROD_SPAN_THREAD "@" /* the name of roots; not a name of a function */

enum trod_span_how {
    TROD_SPAN_RECORDED,
    TROD_SPAN_REUSED,
    TROD_SPAN_OUTSIDE,
    TROD_SPAN_UNKNOWN,
    TROD_SPAN_HOLE /* of skeletons; never in a sequence */
};

struct trod_span_child {
    uint32_t span;
    uint64_t count; /* consecutive repetitions, not 0 */
};
struct trod_span {
    uint32_t function; /* number in names */
    enum trod_span_how how;
    uint32_t nchild;
    const struct trod_span_child *child; /* adjacent children are different spans */
    uint64_t
        ncall; /* function entries in the span, including itself, without threads; saturating */
};
struct trod_call_sequence {
    const char *name;
    struct trod_names function;
    uint32_t nspan;
    struct trod_span *span; /* unique */
    uint32_t nthread;
    uint32_t *root_of_thread;
    uint32_t *number_of_thread; /* ascending */
};

/* --- sequence_spans.c: construction ------------------------------------------------------------- */

/* Spans are opened, filled and closed like brackets; open ones are on a stack. */
struct trod_spans {
    struct trod_arena *mem;
    struct trod_names function;
    struct trod_span *span;
    uint32_t nspan, room;
    struct trod_table spans;
    struct trod_span_open {
        uint32_t function;
        enum trod_span_how how;
        struct trod_span_child *child; /* reused by the next one at this depth */
        uint32_t nchild, room;
    } *open;
    size_t nopen, room_open;
    uint32_t *root_of_thread, *number_of_thread;
    uint32_t nthread, room_root, room_number;
};
void trod_spans_init(struct trod_spans *out, struct trod_arena *mem);
void trod_spans_open(
    struct trod_spans *spans, uint32_t function, enum trod_span_how how);
/* Add a child to the innermost open span. */
void trod_spans_add(struct trod_spans *spans, uint32_t span, uint64_t count);
/* Returns the span; it is not added to its parent. */
uint32_t trod_spans_close(struct trod_spans *spans);
/* needs:  threads in the order of their numbers */
void trod_spans_thread(struct trod_spans *spans, uint32_t number, uint32_t root);
/* needs:  nothing open */
void trod_spans_build(
    struct trod_call_sequence *out, const struct trod_spans *spans, const char *name);

/* The number of occurrences of each span in all threads.
 *
 * fills:  count[nspan], saturating
 */
void trod_call_sequence_count(
    uint64_t *count, const struct trod_call_sequence *sequence, uint32_t thread);

/* Call fn for each function in the order of entries, until it returns false; returns the number of calls. Threads are skipped.
 *
 * cost:   O(calls), and memory for the nesting depth
 */
uint64_t trod_call_sequence_each(const struct trod_call_sequence *sequence,
    uint32_t thread, bool (*fn)(const char *function, uint32_t depth, void *ctx),
    void *ctx, struct trod_arena *mem);

/* Entries of type sequences: transitions, as in src/version/score/score.h. old may be NULL. The provenance of an entry is that of
 * all its spans; profiled, if they differ.
 */
void trod_call_sequence_entries(struct trod_entries *out,
    const struct trod_call_sequence *sequence, const struct trod_call_sequence *old,
    struct trod_arena *mem);

/* --- sequence_record.c: from steps to spans ------------------------------------------------------------ */

/* The function that is called at the end of a subpath; NULL: through a pointer, or unknown. */
typedef const char *(*trod_call_sequence_callee)(
    uint32_t function, uint64_t id, void *ctx);

struct trod_call_sequence_recorder {
    struct trod_spans spans;
    const struct trod_names *function; /* names of the functions in steps */
    bool
        selective; /* keep calls of functions that were not recorded, as spans `outside` */
    trod_call_sequence_callee callee;
    void *ctx;
    struct trod_recorder_frame *frame;
    size_t nframe, room;
    struct trod_recorder_callee {
        uint32_t function;
        uint64_t id;
        const char *callee;
    } *known; /* cache: callees of subpaths */
    uint32_t nknown, room_known;
    struct trod_table subpaths;
};
void trod_call_sequence_recorder_init(struct trod_call_sequence_recorder *out,
    const struct trod_names *function, bool selective, trod_call_sequence_callee callee,
    void *ctx, struct trod_arena *mem);
/* A struct trod_step_taker; ctx is the recorder. */
bool trod_call_sequence_take(const struct trod_step *step, void *ctx);
/* The end of a thread: closes open spans. */
void trod_call_sequence_end(
    struct trod_call_sequence_recorder *recorder, uint32_t thread);
void trod_call_sequence_build(struct trod_call_sequence *out,
    const struct trod_call_sequence_recorder *recorder, const char *name);

/* A trod_call_sequence_callee for what was recorded; ctx is a struct trod_recorded. Its functions are numbered as steps are. */
const char *trod_call_sequence_recorded_callee(
    uint32_t function, uint64_t id, void *ctx);

/* --- sequence_merge.c: old spans into a new sequence ----------------------------------------------------- */

enum trod_call_sequence_what {
    TROD_CALLEE_FOREIGN, /* not a function of the program */
    TROD_CALLEE_EXEMPT,  /* not recorded again */
    TROD_CALLEE_SHIFTY,  /* the same, but its arguments may differ */
    TROD_CALLEE_AFFECTED /* recorded again */
};

enum trod_call_sequence_why {
    TROD_WHY_NEW,     /* it did not run before */
    TROD_WHY_HOLES,   /* the recorded functions that it called match no old span */
    TROD_WHY_SEVERAL, /* it had different spans before, and arguments may differ */
    TROD_WHY_NUMBER, /* it had different spans before, and the number of calls differs */
    TROD_WHY_LONG,   /* too many calls to find the k-th */
    TROD_WHY_POINTER, /* it may have been called through a pointer */
    TROD_WHY_THREAD /* the calls of a thread changed: for the functions with which it begins */
};

struct trod_undecided {
    const char *function;
    enum trod_call_sequence_why why;
};

struct trod_call_sequence_merged {
    struct trod_call_sequence sequence;
    uint32_t nundecided;
    struct trod_undecided *
        undecided; /* unique, by name: to be recorded again; 0: the sequence is complete */
    uint64_t
        npointer; /* calls through pointers to unrecorded functions without a candidate in the old sequence: assumed
                          to call functions outside the program */
};

/* old: a complete recording; recorded: a selective one of the new version. what: the kind of a function of the new version.
 *
 * cost:   O(spans + filled holes); O(calls by affected functions) if the k-th is needed
 */
void trod_call_sequence_merge(struct trod_call_sequence_merged *out,
    const struct trod_call_sequence *old, const struct trod_call_sequence *recorded,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem);

/* --- sequence_forecast.c: which functions to record as well ----------------------------------------------------- */

/* Before anything is recorded: exempt functions that affected ones call and that had different spans. Which span applies
 * may later be undecidable, and require a second recording; if these are recorded as well, it does not.
 * called: names that affected functions of the new version call, according to its map, or NULL: those they called
 * before. Fills names, as in old, and returns their number.
 *
 * cost:   O(functions x spans) at worst
 */
uint32_t trod_call_sequence_forecast(const char ***out,
    const struct trod_call_sequence *old, const struct trod_names *called,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem);

/* As text: several, number, ... */
const char *trod_call_sequence_why_name(enum trod_call_sequence_why why);

/* --- sequence_text.c -------------------------------------------------------------------------------------- */

void trod_call_sequence_print(
    struct trod_sink *sink, const struct trod_call_sequence *sequence);
/* A whole text.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_call_sequence_parse(struct trod_call_sequence *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Check that spans follow their children and are unique; adjacent children differ, with counts above
 * 0; numbers are in range; exactly the roots are called @; numbers of calls are right; threads ascend.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_call_sequence_check(const struct trod_call_sequence *sequence,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
