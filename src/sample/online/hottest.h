/* hottest: what every_merge.c and every_hot.c share: the classes that ran most, while they are looked
 * for.
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

/* A heap, the least hot on top; it never grows. */
struct trod_hottest {
    struct trod_hot_class *hot;
    size_t count, most;
};

void trod_hottest_init(struct trod_hottest *out, size_t most, struct trod_arena *mem);

/* Keep it if it is one of the hottest. */
void trod_hottest_offer(struct trod_hottest *hottest, const struct trod_hot_class *one);

/* Room for so many rows, 0: for all, and the sums of an answer but nclass. */
void trod_hottest_begin(struct trod_every_answer *out, struct trod_hottest *hottest,
    const struct trod_every *every, size_t most, struct trod_arena *mem);

/* The rows of an answer. The heap is used up. */
void trod_hottest_end(struct trod_every_answer *out, struct trod_hottest *hottest,
    const struct trod_every *every, enum trod_sample_identity identity,
    struct trod_arena *mem);

/* The blocks that stand for the class of an entry: its least rotation, or its own. out has room for twice
 * as many.
 */
void trod_every_canonical(uint32_t *out, const struct trod_every *every,
    enum trod_sample_identity identity, uint32_t number);

#endif
