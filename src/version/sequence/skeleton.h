/* skeleton: what the old sequence knows of exempt functions, while a new one is put together.
 *
 * For sequence_merge.c and sequence_skeleton.c alone.
 */
#ifndef TROD_SKELETON_H
#define TROD_SKELETON_H

#include "sequence/sequence.h"

/* A polynomial hash of the functions that are called in sequence. The hash of a concatenation follows from those of
 * its parts. Collisions are detected when holes are filled.
 */
struct trod_sequence_hash {
    uint64_t n, hash, power;
};

/* An old span with its holes. */
struct trod_skeleton {
    struct trod_sequence_hash holes;
    bool listed;   /* among those of its function */
    uint32_t next; /* of the same function, or TROD_NONE */
};

/* What is known of a function of the result. */
struct trod_skeleton_function {
    enum trod_call_sequence_what what;
    uint32_t first; /* skeleton, or TROD_NONE */
    bool several;   /* skeletons */
    bool ordered;   /* in this thread: its place may show which of them it is */
    bool undecided, pointed;
    enum trod_call_sequence_why why;
    uint64_t nold,
        nnew;        /* calls by affected functions in the thread, where `several` */
    uint64_t nseen;  /* of the new ones */
    uint32_t *order; /* skeletons of the old ones */
    uint32_t norder, room_order;
};

struct trod_skeletons {
    struct trod_arena *mem;
    const struct trod_call_sequence *old, *later;
    struct trod_spans to;              /* the result, and skeletons */
    struct trod_skeleton_function *of; /* by function of the result */
    uint32_t *out_of_old, *out_of_new; /* functions */
    uint32_t *skeleton_of_old;         /* [old->nspan], spans of the result */
    struct trod_skeleton *skeleton;    /* by span */
    bool too_long;                     /* to list the calls of a thread */
    uint64_t nordered;                 /* calls so far whose place mattered */
};

/* What is known of functions, and skeletons of all old spans. */
void trod_skeletons_init(struct trod_skeletons *out,
    const struct trod_call_sequence *old, const struct trod_call_sequence *recorded,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem);

/* Begin with a thread: places of the old one, unless it is TROD_NONE, and how many the new one has. */
void trod_skeletons_thread(struct trod_skeletons *s, uint32_t old, uint32_t recorded);

/* The skeleton of an exempt function for a call of it that was recorded, by rule; TROD_NONE: it is undecided. */
uint32_t trod_skeletons_choose(
    struct trod_skeletons *s, uint32_t function, uint32_t recorded);

/* Are holes of what was recorded below a span? */
bool trod_skeletons_fit(
    const struct trod_skeletons *s, uint32_t skeleton, uint32_t recorded);

bool trod_skeletons_is_exempt(const struct trod_skeletons *s, uint32_t function);
void trod_skeletons_undecide(
    struct trod_skeletons *s, uint32_t function, enum trod_call_sequence_why why);

#endif
