/* exact_paths: exact counts of all paths of a branch stream, at the speed of an emulator.
 */
#ifndef TROD_EXACT_PATHS_H
#define TROD_EXACT_PATHS_H

#include "model/model.h"

/* --- exact_paths.c: all paths, counted -------------------------------------------------------
 *
 * A reference that no hardware can afford: each path of each activation, of any length, in a growing table.
 *
 * A call begins an activation and its first path, a return ends both. Conditional branches and direct
 * jumps are outcomes. A path ends, and the next path of the same activation begins, at the target of a taken
 * backward branch, after its own outcome; of an indirect jump; and of a jump to the entry of another function, to which
 * the activation belongs from then on (a tail call).
 *
 * Activations may also be abandoned: by longjmp, exceptions, the end of their thread. Their paths are then unfinished,
 * and counted separately. If stack addresses are known (trod_model_exact.slot), dead activations are found
 * at the next call or return: they are not above its own. Otherwise they are dropped when one below returns, or is
 * jumped into at a place that is known to belong to it.
 *
 * A signal handler runs in a separate activation; afterwards the interrupted activation continues.
 */

/* A code, and what its executions showed. */
struct trod_model_exact_code {
    struct trod_code code;
    uint64_t function; /* in which it first ran; 0: unknown */
    bool entry;        /* of a function: it was called, or has a symbol */
    bool
        may_land; /* other functions may jump into its function here: after a call, or it certainly belongs to it */
    bool handler; /* signals may begin here */
    struct trod_model_exact_code *next; /* for lists of the owner */
};

/* An activation. */
struct trod_model_exact_frame {
    uint64_t function, start; /* of its current path */
    uint64_t word;            /* outcomes after those of `more` */
    uint64_t ninsn;
    uint64_t back;  /* its return address; 0: none */
    uint64_t stack; /* location of that; UINT64_MAX: unknown */
    uint64_t *more; /* outcomes, 64 per word */
    uint32_t room;  /* words of more */
    uint32_t length;
    struct trod_model_exact_code
        *interrupted; /* for a signal handler: the interrupted code; otherwise NULL */
    uint64_t slot;    /* of that */
    bool astray;      /* it jumped to code that may belong to another function */
};

struct trod_model_exact_path {
    uint64_t function, start;
    union {
        uint64_t word;        /* length <= 64 */
        const uint64_t *more; /* longer ones */
    } outcome;
    uint64_t count; /* 0: unused */
    uint64_t ninsn;
    uint32_t length;
    bool cut; /* unfinished */
};

/* Others may read it while its thread runs: not freed before its arena. */
struct trod_model_exact_table {
    uint64_t mask, used;
    struct trod_model_exact_path path[]; /* [mask + 1] */
};

/* A thread. */
struct trod_model_exact {
    struct trod_model_exact_code *last; /* last executed code */
    struct trod_model_exact_frame *top;
    struct trod_model_exact_table *table;
    uint64_t
        slot; /* of the last call or return: location of the return address; of an indirect
                      jump: an address below the top of the stack after it; 0: unknown */
    uint64_t nrun;
    uint64_t nodd;    /* impossible successors, including those by signals */
    uint64_t nsignal; /* handlers begun */
    uint64_t ndrop;   /* activations that did not return */
    bool resumes;     /* a signal handler has returned */
    struct trod_model_exact_frame *frame, *limit; /* [limit - frame] */
    struct trod_arena *mem;
};

void trod_model_exact_init(struct trod_model_exact *out, struct trod_arena *mem);

/* A thread runs a code; this completes its previous run.
 *
 * needs:  codes that do not move; a code that is called becomes an entry
 * cost:   about 10 instructions if no path ends, about 40 if one does
 */
void trod_model_exact_run(struct trod_model_exact *x, struct trod_model_exact_code *to);

/* The function of a code that a thread is about to run for the first time; 0: unknown. */
uint64_t trod_model_exact_function(
    const struct trod_model_exact *x, const struct trod_code *to);

/* Add the counts of one to another; at the end of a thread, its open paths are unfinished. */
void trod_model_exact_add(
    struct trod_model_exact *to, const struct trod_model_exact *from);

/* Clear all counts, but keep open paths. */
void trod_model_exact_clear(struct trod_model_exact *x);

static inline const uint64_t *trod_model_exact_outcomes(
    const struct trod_model_exact_path *path)
{
    return path->length > 64 ? path->outcome.more : &path->outcome.word;
}

#endif
