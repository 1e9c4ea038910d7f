/* exact_paths: every path of a branch stream, counted as fast as an emulator runs.
 */
#ifndef TROD_EXACT_PATHS_H
#define TROD_EXACT_PATHS_H

#include "model/model.h"

/* --- exact_paths.c: all paths, counted -------------------------------------------------------
 *
 * What no hardware can afford: each path of each activation, whatever its length, in a table that grows.
 *
 * A call begins an activation and its first path, a return ends both. Conditional branches and direct
 * jumps are outcomes. What ends a path and begins the next of the same activation, at where it goes: a taken
 * backward branch, after its own outcome; an indirect jump; and a jump to another function's entry, which
 * the activation is of from then on (a tail call).
 *
 * An activation ends in other ways too: longjmp, exceptions, the end of its thread. Its path is then cut off,
 * and counted apart. Where stack addresses are known (trod_model_exact.slot), dead activations are found by them
 * at the next call or return: they are not above its own. Else they are dropped when one below returns, or is
 * jumped into at a place that is known to be its.
 *
 * Signals: their handler is run in an activation of its own, and after it what was interrupted continues.
 */

/* A code, and what is known of it by those who ran it. */
struct trod_model_exact_code {
    struct trod_code code;
    uint64_t function; /* it was first run in; 0: unknown */
    bool entry;        /* of a function: it was called, or has a symbol */
    bool
        may_land; /* others may jump into that here: after a call, or it is sure to be of it */
    bool handler;                       /* signals may begin here */
    struct trod_model_exact_code *next; /* whoever has it may keep them in a list */
};

/* An activation. */
struct trod_model_exact_frame {
    uint64_t function, start; /* of its path so far */
    uint64_t word;            /* outcomes after those of `more` */
    uint64_t ninsn;
    uint64_t back;  /* where it is to return to; 0: nowhere */
    uint64_t stack; /* where that lies; UINT64_MAX: unknown */
    uint64_t *more; /* outcomes, 64 a word */
    uint32_t room;  /* words of more */
    uint32_t length;
    struct trod_model_exact_code
        *interrupted; /* begun by a signal: what ran when it came; else NULL */
    uint64_t slot;    /* of that */
    bool astray;      /* it jumped to where it may not belong */
};

struct trod_model_exact_path {
    uint64_t function, start;
    union {
        uint64_t word;        /* length <= 64 */
        const uint64_t *more; /* else */
    } outcome;
    uint64_t count; /* 0: no path */
    uint64_t ninsn;
    uint32_t length;
    bool cut; /* off, before its end */
};

/* Read by others while its thread runs: never freed before its arena is. */
struct trod_model_exact_table {
    uint64_t mask, used;
    struct trod_model_exact_path path[]; /* [mask + 1] */
};

/* A thread. */
struct trod_model_exact {
    struct trod_model_exact_code *last; /* has run, and went to where the next is */
    struct trod_model_exact_frame *top;
    struct trod_model_exact_table *table;
    uint64_t
        slot; /* of the call or return that ran last: where the return address lies; of an indirect
                      jump: something below the stack's top after it; 0: unknown */
    uint64_t nrun;
    uint64_t nodd;    /* impossible successors, those by signals among them */
    uint64_t nsignal; /* handlers begun */
    uint64_t ndrop;   /* activations that did not return */
    bool resumes;     /* the handler of a signal is done */
    struct trod_model_exact_frame *frame, *limit; /* [limit - frame] */
    struct trod_arena *mem;
};

void trod_model_exact_init(struct trod_model_exact *out, struct trod_arena *mem);

/* A thread runs a code: what it did before is known now.
 *
 * needs:  codes that do not move; a code that is called becomes an entry
 * cost:   some 10 instructions where no path ends, some 40 where one does
 */
void trod_model_exact_run(struct trod_model_exact *x, struct trod_model_exact_code *to);

/* Which function a code is of that a thread is about to run for the first time; 0: unknown. */
uint64_t trod_model_exact_function(
    const struct trod_model_exact *x, const struct trod_code *to);

/* Add what one counted to another; where it is at the end, its paths are cut off. */
void trod_model_exact_add(
    struct trod_model_exact *to, const struct trod_model_exact *from);

/* Forget what was counted. Paths that were begun are not. */
void trod_model_exact_clear(struct trod_model_exact *x);

static inline const uint64_t *trod_model_exact_outcomes(
    const struct trod_model_exact_path *path)
{
    return path->length > 64 ? path->outcome.more : &path->outcome.word;
}

#endif
