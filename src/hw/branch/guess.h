/* guess: the predictor of trace files. Writers and readers make the same predictions, so that the file has only mispredictions.
 *
 * Both process the same runs in the same order, so their state is the same. It is reset at the start of a chunk, except for
 * codes: reading may begin there.
 */
#ifndef TROD_BRANCH_GUESS_H
#define TROD_BRANCH_GUESS_H

#include "branch/branch.h"

enum {
    TROD_GUESS_WAYS = 1 << 16,    /* for conditional branches with their history */
    TROD_GUESS_PLACES = 1 << 13,  /* of indirect ones */
    TROD_GUESS_OPEN = 256,        /* calls of a thread */
    TROD_GUESS_BACK = 32,         /* of these, searched by a return */
    TROD_GUESS_ACCESSES = 1 << 10 /* accesses of a run that are kept */
};

/* The state of a code, in this chunk. */
struct trod_guess_code {
    const struct trod_code *code;
    uint32_t chunk; /* in which it was last seen; in other chunks the rest is stale */
    uint8_t way;    /* of a conditional branch: 0, 1 not taken, 2, 3 taken */
    uint64_t next;  /* of an indirect one; 0: none yet */
    uint64_t slot,
        distance; /* of a call: its last slot, and its distance from the caller's */
    struct trod_guess_access {
        struct trod_access last;
        uint64_t stride;
    } *access;
    uint32_t naccess, room;
};

struct trod_guess_thread {
    bool is_there;
    uint64_t next;  /* its next address */
    uint64_t past;  /* history of outcomes */
    uint32_t chunk; /* of past and open */
    struct trod_guess_call {
        uint64_t back, slot;
    } *open; /* newest at nopen - 1, in a ring */
    uint32_t nopen, first;
};

struct trod_guess {
    struct trod_arena *mem;
    uint32_t chunk; /* from 1 */
    struct trod_guess_code *code;
    uint32_t ncode, room;
    struct trod_guess_thread *thread;
    uint32_t nthread;
    uint32_t *slot; /* addresses to codes: number + 1 */
    uint32_t nslot, nused;
    struct trod_guess_at {
        uint32_t first;         /* lowest number of those at an address */
        uint32_t recent, chunk; /* the last that ran in that chunk */
    } *at;                      /* by slot */
    uint32_t *way;              /* tag and counter */
    uint64_t *place;
};

void trod_guess_init(struct trod_guess *g, struct trod_arena *mem);

/* Reset everything except codes and the next addresses of threads. */
void trod_guess_begin(struct trod_guess *g);

/* Add a code; in the order of numbers. */
void trod_guess_add(struct trod_guess *g, const struct trod_code *code);

/* The state of a thread; its number is below TROD_BRANCH_THREADS. */
struct trod_guess_thread *trod_guess_thread(struct trod_guess *g, uint32_t thread);

/* The code that a thread runs next, UINT32_MAX if that is unknown. */
uint32_t trod_guess_code(struct trod_guess *g, const struct trod_guess_thread *t);

/* Predict its successor; and then the location of its return address. */
uint64_t trod_guess_next(
    struct trod_guess *g, struct trod_guess_thread *t, const struct trod_code *code);
uint64_t trod_guess_slot(
    struct trod_guess *g, struct trod_guess_thread *t, const struct trod_code *code);

/* Update the state after a run. Accesses are updated separately. */
void trod_guess_learn(
    struct trod_guess *g, struct trod_guess_thread *t, const struct trod_run *run);

/* The last accesses of a code in this chunk, and predictions for each. */
struct trod_guess_code *trod_guess_seen(struct trod_guess *g, uint32_t code);
static inline uint64_t trod_guess_address(const struct trod_guess_access *access)
{
    return access->last.address + access->stride;
}
/* Set a new shape. */
void trod_guess_shape(struct trod_guess *g, struct trod_guess_code *seen,
    const struct trod_access *access, uint32_t naccess);
static inline void trod_guess_learn_address(
    struct trod_guess_access *access, uint64_t address)
{
    access->stride = access->last.address ? address - access->last.address : 0;
    access->last.address = address;
}

#endif
