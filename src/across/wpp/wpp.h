/* wpp: whole program paths: everything a thread executed.
 *
 *     numbers of subpaths, in the order in which they ended -> steps -> text, segments
 *
 * Glossary
 *   subpath  a part of a path of one function that ends at a call, at a return or at the
 *            end of an iteration of a loop; identified by the function and an id
 *   step     of a whole program path: a subpath, a call or a return
 *   wpp      a whole program path: all steps of one thread, in order. A call comes after
 *            the subpath that ends at it, and before the first subpath of the callee.
 *   outside  said of a call whose callee is unknown: it returns, or is abandoned,
 *            immediately. The callee is not instrumented, or is in another module.
 *   left     said of a call that was abandoned and does not return: longjmp, an
 *            exception, exit
 *   interruption  a function without a known caller, with all it calls: a signal
 *            handler, or a callback from outside. The interrupted activation continues
 *            after it as if nothing had happened.
 *
 *   activation  one execution of a function, from its entry to its return, or until it is abandoned
 *
 * Memory: everything is in the arena handed in.
 *
 * Invariants are listed at trod_wpp_check().
 */
#ifndef TROD_WPP_H
#define TROD_WPP_H

#include "grammar/grammar.h"
#include "number/number.h"
#include "report/report.h"
#include "base/table.h"

enum trod_step_kind {
    TROD_STEP_SUBPATH,
    TROD_STEP_CALL,
    TROD_STEP_RETURN,
    TROD_STEP_LEFT,      /* the end of an abandoned call */
    TROD_STEP_INTERRUPT, /* the beginning of an interruption */
    TROD_STEP_RESUME     /* its end */
};

struct trod_step {
    enum trod_step_kind kind;
    uint32_t function; /* of a subpath; else 0 */
    uint64_t id;       /* of a subpath; else 0 */
};

/* The identity of a function: ids are comparable only if all of this is equal. */
struct trod_identity {
    uint64_t name, graph, cuts; /* hashes, as in the map */
    uint64_t npath;             /* 0: unknown */
};

struct trod_wpp {
    const char *name;
    struct trod_names function;           /* duplicate names are followed by @2, @3 */
    const struct trod_identity *identity; /* by function, or NULL */
    size_t nstep;
    const struct trod_step *step;
};

static inline bool trod_step_is_same(
    const struct trod_step *a, const struct trod_step *b)
{
    return a->kind == b->kind && a->function == b->function && a->id == b->id;
}

/* --- functions.c: numbers of functions ------------------------------------------------------------ */

struct trod_functions {
    struct trod_arena *mem;
    struct trod_names name; /* duplicate names are followed by @2, @3 */
    struct trod_identity *identity;
    uint32_t nidentity, room_identity; /* the rest is unknown */
};

void trod_functions_init(struct trod_functions *out, struct trod_arena *mem);

/* The number of a function; the same for the same name and identity. identity: NULL if
 * unknown.
 */
uint32_t trod_functions_add(struct trod_functions *functions, const char *name,
    const struct trod_identity *identity);

/* By function, or NULL if no identity is known. */
const struct trod_identity *trod_functions_identity(struct trod_functions *functions);

/* --- activation.c: from subpaths, in the order they ended, to steps -----------------------------
 *
 * Numberings and calls of step graphs show how a subpath begins and ends. A subpath that begins at the
 * entry opens an activation. It was called, if the activation on top waits at a call that is indirect, or
 * that names this function, and was not followed yet; otherwise it is an interruption. A subpath that begins
 * elsewhere belongs to the nearest activation of its function that can continue there; those above it
 * were abandoned. If none can continue there, as after setjmp, it belongs to the nearest activation of its function,
 * but only an activation that waits at a call can be returned to. If there is none at all, because recording
 * began after it was entered, an activation is opened at this subpath.
 */

struct trod_wpp_function {
    uint32_t number;          /* in steps */
    const char *name;         /* NULL: unknown, and it has no subpaths */
    const char *const *alias; /* [nalias], its aliases */
    uint32_t nalias;
    const struct trod_numbering *numbering; /* ballarus, of a step graph */
    const struct trod_calls *calls;
};

/* How a subpath begins and ends. */
struct trod_subpath {
    uint32_t function;
    uint64_t id;
    bool enters; /* it begins at the entry */
    bool
        comes_back; /* it begins after a call, so an activation must wait at that call */
    trod_node from; /* where it begins */
    enum trod_subpath_end {
        TROD_ENDS_RETURN,
        TROD_ENDS_CALL,
        TROD_ENDS_FOR_GOOD, /* at a call that never returns */
        TROD_ENDS_ROUND     /* at the end of an iteration, and continues */
    } end;
    trod_node to;    /* where it continues, after a call or immediately */
    uint32_t callee; /* the callee: see activation.c */
    uint32_t nblock; /* blocks on it */
};

typedef bool (*trod_step_taker)(const struct trod_step *step, void *ctx);

struct trod_decoder {
    struct trod_arena *mem;
    const struct trod_wpp_function *function;
    uint32_t nfunction;
    struct trod_names name;
    uint32_t *who_of_name, *who_of_function;
    struct trod_subpath *subpath; /* by number, in order of appearance */
    uint32_t nsubpath, room_subpath;
    struct trod_table by_id;
    trod_edge *edge;              /* room for any path */
    struct trod_activation *open; /* the newest last */
    size_t nopen, room_open;
    trod_step_taker take;
    void *ctx;
};

/* Steps are passed to `take`, which returns whether to continue. */
void trod_decoder_init(struct trod_decoder *out,
    const struct trod_wpp_function *function, uint32_t nfunction, trod_step_taker take,
    void *ctx, struct trod_arena *mem);

/* The number of a subpath.
 *
 * needs:  a known function < nfunction, id below its number of paths
 */
uint32_t trod_decoder_subpath(
    struct trod_decoder *decoder, uint32_t function, uint64_t id);

/* The next subpath that ended, by its number.
 *
 * gives:  false if `take` did
 * cost:   O(1) amortized; memory for open activations
 */
bool trod_decoder_add(struct trod_decoder *decoder, uint32_t subpath);

/* The end of a thread: open activations are dropped. */
void trod_decoder_end(struct trod_decoder *decoder);

/* --- recorded.c: from a recorded profile to steps --------------------------------------------
 *
 * A profile has the subpaths of each thread as a grammar. Its terminals are numbers of a module;
 * here they are converted to numbers of a decoder, once for each symbol of the
 * grammar, not for each of its expansions.
 */

struct trod_recorded {
    struct trod_arena *mem;
    const struct trod_profile_module *module;
    struct trod_profile_terminals terminals;
    struct trod_functions *functions; /* in steps */
    struct trod_wpp_function
        *function; /* [module->nfunction]; those without a numbering are
                                            unknown */
    const struct trod_map_entry **entry; /* [module->nfunction], or NULL */
    bool *is_added; /* [module->nfunction]: has a number in steps */
    struct trod_decoder decoder;
};

/* functions: assigns functions their numbers in steps, in order of appearance. */
void trod_recorded_init(struct trod_recorded *out,
    const struct trod_profile_module *module, const struct trod_map *map,
    struct trod_functions *functions, trod_step_taker take, void *ctx,
    struct trod_arena *mem);

/* A grammar of the module with subpaths of the decoder as terminals.
 *
 * fails:  TROD_E_INPUT for an invalid terminal; TROD_E_MISMATCH for one of a
 *         function without a map entry
 */
bool trod_recorded_grammar(struct trod_grammar *out, struct trod_recorded *recorded,
    const struct trod_grammar *grammar, struct trod_err *err) TROD_MUST_CHECK;

/* Pass the steps of a thread to the taker.
 *
 * gives:  false if it did
 * cost:   O(subpaths), and memory for open activations and rules
 */
bool trod_recorded_run(
    struct trod_recorded *recorded, const struct trod_grammar *grammar) TROD_MUST_CHECK;

/* Add the occurrences of each subpath of the decoder to count[decoder.nsubpath].
 *
 * cost:   O(symbols)
 */
void trod_recorded_count(
    uint64_t *count, const struct trod_grammar *grammar, struct trod_arena *mem);

/* Size in bytes of the parts of a grammar in a file, as sections PART without their heads. */
uint64_t trod_recorded_bytes(const struct trod_grammar *grammar);

/* --- hot_steps.c: hot subpaths and rules ------------------------------------------------------------ */

/* Add the counts of subpaths to a profile under construction.
 *
 * needs:  a module of the builder that is recorded->module; count[decoder.nsubpath]
 */
void trod_recorded_tally(struct trod_profile_builder *builder, uint32_t module,
    const struct trod_recorded *recorded, const uint64_t *count);

/* The rules of a grammar that account for most of what a thread did, the heaviest first,
 * with the first subpaths of each as text. A rule that only repeats another is omitted.
 *
 *      61.8%         1200 times, 17 subpaths: R3
 *           parse  entry 30:F calls next 33
 *           ... 16 more
 */
void trod_rules_print(struct trod_sink *sink, const struct trod_recorded *recorded,
    const struct trod_grammar *grammar, const struct trod_map *map, size_t most);
void trod_rules_json(struct trod_json *json, const char *key,
    const struct trod_recorded *recorded, const struct trod_grammar *grammar,
    const struct trod_map *map, size_t most);

/* A grammar with subpaths as terminals, by function and id. */
void trod_recorded_print(struct trod_sink *sink, const struct trod_recorded *recorded,
    const struct trod_grammar *grammar, const char *name);
void trod_recorded_json(struct trod_json *json, const char *key,
    const struct trod_recorded *recorded, const struct trod_grammar *grammar);

/* --- wpp_text.c: the text form --------------------------------------------------------------
 *
 *     wpp NAME
 *     function f HASH HASH HASH 12       # name, graph, cuts, paths; may be missing
 *     ( main:0 ( f:1 ( ) f:2 ) main:1    # main called f, f something outside
 *     [ handler:0 ] ( f:1 ( )! )! main:3 # an interruption; f and its callee were abandoned
 */

/* Read a section after its head and name, `wpp NAME`, up to a line that belongs to another.
 * Invalid input is refused.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_wpp_parse(struct trod_wpp *out, const char *name, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

void trod_wpp_print(struct trod_sink *sink, const struct trod_wpp *wpp);
void trod_wpp_json(struct trod_json *json, const char *key, const struct trod_wpp *wpp);

/* The same incrementally: head, steps one by one, end. */
struct trod_wpp_printer {
    struct trod_sink *sink;
    const struct trod_names *function;
    uint64_t nprinted;
};
void trod_wpp_print_head(struct trod_sink *sink, const char *name);
void trod_wpp_print_next(
    struct trod_wpp_printer *printer, const struct trod_step *step);
void trod_wpp_print_end(const struct trod_wpp_printer *printer);

void trod_step_print(struct trod_sink *sink, const struct trod_step *step,
    const struct trod_names *function);
void trod_step_json(struct trod_json *json, const struct trod_step *step,
    const struct trod_names *function);

/* Lines `function ...` of those that are known; identity may be NULL. */
void trod_identity_print(struct trod_sink *sink, const struct trod_names *function,
    const struct trod_identity *identity);
void trod_identity_json(struct trod_json *json, const char *key,
    const struct trod_names *function, const struct trod_identity *identity);

/* The common part of text forms with steps: functions, and lines of steps. */
struct trod_steps_reader {
    struct trod_text *text;
    struct trod_arena *mem;
    struct trod_err *err;
    struct trod_names function;
    struct trod_identity *identity; /* by function */
    uint32_t room_identity;
    struct trod_step *step;
    size_t nstep, room_step;
    uint32_t *line; /* by step */
    size_t room_line;
};
void trod_steps_reader_init(struct trod_steps_reader *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err);

/* The end of a line, after `what`. */
bool trod_steps_take_end(struct trod_steps_reader *r, const char *what) TROD_MUST_CHECK;

/* The following lines `function ...`. */
bool trod_steps_take_identities(struct trod_steps_reader *r) TROD_MUST_CHECK;

/* Add the steps up to the end of the line. */
bool trod_steps_take_line(struct trod_steps_reader *r) TROD_MUST_CHECK;

/* By function: the identities that were read, or NULL if there were none. */
const struct trod_identity *trod_steps_identities(struct trod_steps_reader *r);

/* --- wpp_check.c: the validator --------------------------------------------------------------- */

/* Check that
 *   - a call follows a subpath, or is outside of all open calls;
 *   - a return, or the end of an abandoned call, closes a call; immediately only if a
 *     subpath ended at it;
 *   - an interruption is not between a call and the first subpath after it, begins
 *     with a subpath, and ends when no call in it is open;
 *   - subpaths between a call and its return, in an interruption but not in calls, and
 *     outside of both, belong to one function;
 *   - ids are below the number of paths, if that is known.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_wpp_check(const struct trod_wpp *wpp, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The first invalid step and, in *fault, the reason; NULL and the number of steps if all are valid. */
size_t trod_wpp_fault(
    const char **fault, const struct trod_wpp *wpp, struct trod_arena *mem);

#endif
