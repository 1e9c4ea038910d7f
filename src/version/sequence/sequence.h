/* sequence: which function called which, in which order, and how a part of that is replaced.
 *
 *     recorded steps -> spans, shared -> old spans where nothing changed, new ones where it did -> sequence
 *
 * A call sequence is the order in which functions were entered, with the span of each: what was called until it
 * returned. Equal spans are one (a graph without cycles): long sequences have few.
 *
 *     spans NAME
 *     span 0 fi :                        # from 0 up, children before parents
 *     span 1 foo reused : 0*3            # it called fi three times
 *     span 2 main : 1
 *     span 3 @ : 2                       # what a thread called: its root
 *     thread 0 3                         # its number and its root
 *
 * Glossary
 *   span      a function with all that it called until it returned. One has a word after its name: `reused`, it is from
 *             the old sequence; `outside`, nothing was recorded of the function itself, only whom it called that was
 *             recorded; `unknown`, the same where the old sequence could not help; none, it was recorded.
 *   affected  of a function: it was recorded again
 *   exempt    of a function: it was not, for what it calls, and in which order, is taken to be as it was
 *   skeleton  an old span of an exempt function with a hole where an affected one was called: all that is above the holes
 *             is of exempt functions
 *
 * A selective recording knows affected functions. Whom they call that is exempt is known by name; a call through a pointer
 * of what was not recorded is of "*". An affected function that an exempt one called is there within the call of that one,
 * however far below: these are what its holes are filled with, in their order. Which skeleton is put in:
 *   - those of its function whose holes are of the same functions, in the same order, as what was recorded there;
 *   - the only one of these, if all are equal;
 *   - the k-th for the k-th call by an affected function in that thread, if there are as many as before, and if
 *     arguments are not affected;
 *   - else the function is not exempt, and listed as one to record again.
 * Whole spans of exempt callers follow from that: what is below them is in the skeleton. The root of a thread is exempt.
 *
 * Memory: in the arena handed in.
 */
#ifndef TROD_SEQUENCE_H
#define TROD_SEQUENCE_H

#include "entry/entry.h"
#include "wpp/wpp.h"
#include "base/table.h"

#define TROD_SPAN_THREAD "@" /* the name of roots, which no function has */

enum trod_span_how {
    TROD_SPAN_RECORDED,
    TROD_SPAN_REUSED,
    TROD_SPAN_OUTSIDE,
    TROD_SPAN_UNKNOWN,
    TROD_SPAN_HOLE /* of skeletons; never in a sequence */
};

struct trod_span_child {
    uint32_t span;
    uint64_t count; /* in a row, not 0 */
};
struct trod_span {
    uint32_t function; /* number in names */
    enum trod_span_how how;
    uint32_t nchild;
    const struct trod_span_child *child; /* no two in a row are of the same span */
    uint64_t ncall; /* entries in all of it, itself included, but threads; saturates */
};
struct trod_call_sequence {
    const char *name;
    struct trod_names function;
    uint32_t nspan;
    struct trod_span *span; /* none twice */
    uint32_t nthread;
    uint32_t *root_of_thread;
    uint32_t *number_of_thread; /* ascending */
};

/* --- sequence_spans.c: spans, each once ------------------------------------------------------------- */

/* Spans are opened, filled and closed like brackets; what is open is on a stack. */
struct trod_spans {
    struct trod_arena *mem;
    struct trod_names function;
    struct trod_span *span;
    uint32_t nspan, room;
    struct trod_table spans;
    struct trod_span_open {
        uint32_t function;
        enum trod_span_how how;
        struct trod_span_child *child; /* kept for the next that is opened here */
        uint32_t nchild, room;
    } *open;
    size_t nopen, room_open;
    uint32_t *root_of_thread, *number_of_thread;
    uint32_t nthread, room_root, room_number;
};
void trod_spans_init(struct trod_spans *out, struct trod_arena *mem);
void trod_spans_open(
    struct trod_spans *spans, uint32_t function, enum trod_span_how how);
/* Into the one that was opened last. */
void trod_spans_add(struct trod_spans *spans, uint32_t span, uint64_t count);
/* The span that it is; it is not added anywhere. */
uint32_t trod_spans_close(struct trod_spans *spans);
/* needs:  threads in the order of their numbers */
void trod_spans_thread(struct trod_spans *spans, uint32_t number, uint32_t root);
/* needs:  nothing open */
void trod_spans_build(
    struct trod_call_sequence *out, const struct trod_spans *spans, const char *name);

/* How often each span is there in a thread, by span.
 *
 * fills:  count[nspan], saturating
 */
void trod_call_sequence_count(
    uint64_t *count, const struct trod_call_sequence *sequence, uint32_t thread);

/* Functions in the order they were entered, until fn returns false; returns how many were passed. Threads are not passed.
 *
 * cost:   O(calls), and memory for those that are open
 */
uint64_t trod_call_sequence_each(const struct trod_call_sequence *sequence,
    uint32_t thread, bool (*fn)(const char *function, uint32_t depth, void *ctx),
    void *ctx, struct trod_arena *mem);

/* Entries of type sequences: transitions, as src/version/score/score.h has them. old may be NULL. How an entry is known is how
 * all spans are that it is of; profiled, if they differ.
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
    const struct trod_names *function; /* that steps are of */
    bool selective; /* calls of what was not recorded are kept, as spans `outside` */
    trod_call_sequence_callee callee;
    void *ctx;
    struct trod_recorder_frame *frame;
    size_t nframe, room;
    struct trod_recorder_callee {
        uint32_t function;
        uint64_t id;
        const char *callee;
    } *known; /* whom subpaths call, as far as was asked */
    uint32_t nknown, room_known;
    struct trod_table subpaths;
};
void trod_call_sequence_recorder_init(struct trod_call_sequence_recorder *out,
    const struct trod_names *function, bool selective, trod_call_sequence_callee callee,
    void *ctx, struct trod_arena *mem);
/* A struct trod_step_taker; ctx is the recorder. */
bool trod_call_sequence_take(const struct trod_step *step, void *ctx);
/* The end of a thread: what is open ends here. */
void trod_call_sequence_end(
    struct trod_call_sequence_recorder *recorder, uint32_t thread);
void trod_call_sequence_build(struct trod_call_sequence *out,
    const struct trod_call_sequence_recorder *recorder, const char *name);

/* A trod_call_sequence_callee for what was recorded; ctx is a struct trod_recorded. Its functions are numbered as steps are. */
const char *trod_call_sequence_recorded_callee(
    uint32_t function, uint64_t id, void *ctx);

/* --- sequence_merge.c: old spans into a new sequence ----------------------------------------------------- */

enum trod_call_sequence_what {
    TROD_CALLEE_FOREIGN, /* it is none of the program's */
    TROD_CALLEE_EXEMPT,  /* not recorded again */
    TROD_CALLEE_SHIFTY,  /* the same, and its arguments may be others */
    TROD_CALLEE_AFFECTED /* recorded again */
};

enum trod_call_sequence_why {
    TROD_WHY_NEW, /* it never ran, and now does */
    TROD_WHY_HOLES, /* whom it called that was recorded is nothing that it called before */
    TROD_WHY_SEVERAL, /* it did different things before, and arguments may be others */
    TROD_WHY_NUMBER, /* it did different things before, and is not called as often as then */
    TROD_WHY_LONG,    /* too many calls to tell which is the k-th */
    TROD_WHY_POINTER, /* it may be what was called through a pointer */
    TROD_WHY_THREAD /* what a thread called is not what it was: of the functions that it begins with */
};

struct trod_undecided {
    const char *function;
    enum trod_call_sequence_why why;
};

struct trod_call_sequence_merged {
    struct trod_call_sequence sequence;
    uint32_t nundecided;
    struct trod_undecided *
        undecided; /* by name, each once: to be recorded again; 0: the sequence is whole */
    uint64_t
        npointer; /* calls through pointers of what was not recorded that the old sequence says nothing of: taken
                          for calls of what is not the program's */
};

/* old: a whole recording; recorded: a selective one, of the new version. what: of a name in the new version.
 *
 * cost:   O(spans + holes that are filled); O(calls by affected functions) where the k-th is looked for
 */
void trod_call_sequence_merge(struct trod_call_sequence_merged *out,
    const struct trod_call_sequence *old, const struct trod_call_sequence *recorded,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem);

/* --- sequence_forecast.c: what is recorded better at once ----------------------------------------------------- */

/* Before anything is recorded: exempt functions that affected ones call and that did now this and now that. Which of it
 * they do then may turn out to be undecided, and cost a second recording; with these recorded as well it does not, for
 * this reason. called: names that affected functions of the new version call, as its map has them, or NULL: what they called
 * before. Names, as old has them, and how many.
 *
 * cost:   O(functions x spans) at worst
 */
uint32_t trod_call_sequence_forecast(const char ***out,
    const struct trod_call_sequence *old, const struct trod_names *called,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem);

/* In words: several, number, ... */
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

/* Check that spans come after what they call, each is there once, no two children in a row are the same and none is there 0
 * times, numbers are in range, roots are called @ and nothing else is, calls add up, threads ascend.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_call_sequence_check(const struct trod_call_sequence *sequence,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
