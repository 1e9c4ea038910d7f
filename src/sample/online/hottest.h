/* hottest: a heap of the hottest classes, for every_merge.c and
 * every_hot.c.
 */
#ifndef TROD_HOTTEST_H
#define TROD_HOTTEST_H

#include "online/every.h"

struct trod_hot_class {
    double score;
    uint64_t count;
    uint32_t level;
    uint32_t entry; /* the first of its class */
};

/* A min-heap of fixed size: the least hot on top. */
struct trod_hottest {
    struct trod_hot_class *hot;
    size_t count, most;
};

void trod_hottest_init(struct trod_hottest *out, size_t most, struct trod_arena *mem);

/* Keep it if it is one of the hottest. */
void trod_hottest_offer(struct trod_hottest *hottest, const struct trod_hot_class *one);

/* Allocate so many rows, 0: all, and compute the sums of an answer except nclass. */
void trod_hottest_begin(struct trod_every_answer *out, struct trod_hottest *hottest,
    const struct trod_every *every, size_t most, struct trod_arena *mem);

/* The rows of an answer. Empties the heap. */
void trod_hottest_end(struct trod_every_answer *out, struct trod_hottest *hottest,
    const struct trod_every *every, enum trod_sample_identity identity,
    struct trod_arena *mem);

/* The representative of the class of an entry: its least rotation, or its own blocks. out has room for twice
 * as many.
 */
void trod_every_canonical(uint32_t *out, const struct trod_every *every,
    enum trod_sample_identity identity, uint32_t number);

#endif
