/* online: hot subpaths while a program runs, for interpreters and compilers that run with it.
 *
 *     blocks or paths, as they run -> struct trod_online -> the hottest subpaths, at any time
 *
 * A block is a number below 2^31; a subpath is some blocks that began one after another. Every block
 * is the start of a sample with probability 1/f; f is raised whenever memory is full, so the memory
 * that was given at first is all there ever is. Link with libtrod-online.a, which needs nothing else.
 * doc/production/online-library.md is the manual, example/jit.c an interpreter that finds its traces.
 *
 * Glossary
 *   instance  a struct trod_online: one for each thread that feeds. One thread at a time feeds an
 *             instance; any may read any number of them at any time, without a lock
 *   estimate  how often a subpath ran: samples of it * f / chance of its length. Of what was sampled once,
 *             a hash is kept and no estimate, unless the options say otherwise (ones=text)
 *   error     of so much of the estimate, it may be wrong: Chernoff's bound
 *
 * What feeds costs, in x86-64 instructions: a block that is skipped 2, a path that is skipped 2, whatever
 * its length. doc/results.md has what sampling costs.
 *
 * No allocation, no lock, no system call, no libc, no libm. Nothing is freed: forget the memory.
 */
#ifndef TROD_ONLINE_H
#define TROD_ONLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trod/format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- how likely a length is: for who samples and for who estimates ------------------------- */

enum { TROD_ONLINE_LONGEST = 1024 }; /* blocks of a subpath */

/* Up to a factor; 0: never. */
static inline double trod_online_weight(
    const struct trod_format_sample *s, uint32_t length)
{
    double weight = 1;
    uint32_t i;

    if (length < s->shortest || length > s->longest || length > TROD_ONLINE_LONGEST)
        return 0;
    switch (s->lengths) {
    case TROD_SAMPLE_POWERS:
        if (length & (length - 1))
            return 0;
        for (; length > 1; length /= 2)
            weight *= s->bias;
        return weight;
    case TROD_SAMPLE_UNIFORM:
        return 1;
    case TROD_SAMPLE_INVERSE:
        return 1 / (double)length;
    default:
        for (i = 0; i < s->nlength && i < TROD_SAMPLE_LENGTHS; i++)
            if (s->length[i].length == length)
                return (double)s->length[i].chance;
        return 0;
    }
}

/* What the weights of all lengths add up to. cost: O(longest) */
static inline double trod_online_weights(const struct trod_format_sample *s)
{
    double sum = 0;
    uint32_t n;

    for (n = s->shortest; n <= s->longest && n <= TROD_ONLINE_LONGEST; n++)
        sum += trod_online_weight(s, n);
    return sum;
}

/* The probability that a sample has this length. cost: O(longest) */
static inline double trod_online_chance(
    const struct trod_format_sample *s, uint32_t length)
{
    double weight = trod_online_weight(s, length);

    return weight > 0 ? weight / trod_online_weights(s) : 0;
}

/* --- an instance ----------------------------------------------------------------------------- */

/* The first bytes of it; the rest is nobody's concern. */
struct trod_online {
    int64_t skip; /* blocks that are skipped before the next that is not */
};

/* A subpath, as it is estimated. */
struct trod_online_hot {
    double estimate; /* executions; with costs, times the mean cost of its blocks,
                        where the dearest is 1 */
    double rank;     /* what the list is sorted by: estimate * weight */
    double samples;  /* behind the estimate: what trod_online_error wants */
    uint32_t length; /* blocks */
    uint64_t id[2];  /* the same for the same subpath, in all instances, always */
};

struct trod_online_options {
    const char *text; /* "f=64,longest=16"; NULL: as it is by default */
    uint64_t seed;    /* another for each instance; "seed=" in the text goes first */

    /* For who feeds paths: call trod_online_block for each block of the path, in order. */
    void (*expand)(void *context, struct trod_online *o, uint64_t path);

    /* A subpath has come to the threshold that the text names: its estimate has or, if confidence
     * is not 0, its estimate less the error at that confidence (0.95) has. Called while a block is
     * fed, once for each subpath for as long as it is in the sample. It must not feed.
     */
    void (*hot)(
        void *context, struct trod_online *o, const struct trod_online_hot *hot);
    double confidence;

    void *context; /* for both */
};

/* Make an instance in size bytes of memory, which it keeps: 8192 at least. All zeros in the options,
 * or NULL for them, is fine.
 *
 * fails:  NULL, and *why (unless why is NULL) is a sentence about it
 */
struct trod_online *trod_online_create(void *memory, size_t size,
    const struct trod_online_options *options, const char **why);

/* Whether a text of options is one, for an instance in as much memory as it says, or 64 KiB. NULL, or why
 * not.
 */
const char *trod_online_check(const char *text);

/* --- feeding ------------------------------------------------------------------------------------ */

void trod_online_sample(struct trod_online *o, uint32_t block, uint32_t cost);
void trod_online_expand(struct trod_online *o, uint64_t path, uint32_t nblock);

/* A block began. cost: 2 instructions while skipping */
static inline void trod_online_block(struct trod_online *o, uint32_t block)
{
    if (--o->skip < 0)
        trod_online_sample(o, block, 255);
}

/* The same, of a block whose cost is known: from 1 to 255, the dearest. For "costs=yes". */
static inline void trod_online_block_of(
    struct trod_online *o, uint32_t block, uint32_t cost)
{
    if (--o->skip < 0)
        trod_online_sample(o, block, cost);
}

/* A path of nblock blocks ran. It is expanded only if a sample has a part of it.
 *
 * needs:  options.expand
 * cost:   2 instructions while skipping
 */
static inline void trod_online_path(
    struct trod_online *o, uint64_t path, uint32_t nblock)
{
    o->skip -= nblock;
    if (o->skip < 0)
        trod_online_expand(o, path, nblock);
}

/* What is fed next does not follow what was fed last. Unfinished samples are dropped. */
void trod_online_break(struct trod_online *o);

/* --- reading --------------------------------------------------------------------------------------- */

/* The k hottest subpaths of all instances together, hottest first; how many there are. weight is what
 * a subpath counts for that has a length; NULL: 1.
 *
 * cost:   O(entries * (instances + k))
 */
size_t trod_online_hottest(struct trod_online_hot *out, size_t k,
    struct trod_online *const *all, size_t nall, double (*weight)(uint32_t length));

/* The blocks of a subpath, up to room; how many it has, or 0 if no instance has it any more. Of subpaths
 * that are rotations of each other, these are those of the least one.
 */
size_t trod_online_blocks(uint32_t *out, size_t room, const struct trod_online_hot *hot,
    struct trod_online *const *all, size_t nall);

/* How much of the estimate it may be wrong at most, with a confidence of 0.95 or another: up or down, or
 * in one direction. 1.5 is 150 %.
 *
 * paper:  Oren, "Online Subpath Profiling", 2.14 and 2.15
 */
double trod_online_error(double samples, double confidence, bool both);

struct trod_online_sum {
    double blocks;                              /* that were fed, estimated */
    double f;                                   /* the greatest */
    uint64_t begun, sampled, dropped, rejected; /* samples */
    uint32_t subpaths;                          /* entries of all instances */
};
void trod_online_sum(
    struct trod_online_sum *out, struct trod_online *const *all, size_t nall);

#ifdef __cplusplus
}
#endif

#endif
