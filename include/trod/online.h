/* online: hot subpaths while a program runs, for interpreters and JIT compilers.
 *
 *     blocks or paths, as they run -> struct trod_online -> the hottest subpaths, at any time
 *
 * A block is a number below 2^31; a subpath is a sequence of blocks that began one after another. Every block
 * is the start of a sample with probability 1/f. When memory is full, f is raised, so the instance never needs
 * more memory than it was given. Link with libtrod-online.a, which needs no other library.
 * doc/production/online-library.md is the manual, example/jit.c an interpreter that finds its traces.
 *
 * Glossary
 *   instance  a struct trod_online: one for each thread that reports blocks. Only one thread at a time may report to an
 *             instance; any thread may read any number of them at any time, without a lock
 *   estimate  of the executions of a subpath: its samples * f / probability of its length. For subpaths that were
 *             sampled once, only a hash is kept and there is no estimate, unless the options say otherwise (ones=text)
 *   error     the largest error of an estimate, relative to it: Chernoff's bound
 *
 * Cost of reporting, in x86-64 instructions: 2 for a skipped block, 2 for a skipped path of any
 * length. doc/results.md has the cost of sampling.
 *
 * No allocation, no lock, no system call, no libc, no libm. There is no function to free an instance: reuse the memory.
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

/* --- probabilities of lengths: for samplers and readers ------------------------- */

enum { TROD_ONLINE_LONGEST = 1024 }; /* blocks of a subpath */

/* The probability of a length, up to a constant factor; 0: never. */
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

/* The sum of the weights of all lengths. cost: O(longest) */
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

/* The public part of an instance; the rest is private. */
struct trod_online {
    int64_t skip; /* blocks to skip */
};

/* A subpath and its estimate. */
struct trod_online_hot {
    double estimate; /* executions; with costs, times the mean cost of its blocks,
                        where the most expensive is 1 */
    double rank;     /* the sort key: estimate * weight */
    double samples;  /* number of samples behind the estimate, for trod_online_error */
    uint32_t length; /* blocks */
    uint64_t id[2];  /* identifies the subpath, in all instances */
};

struct trod_online_options {
    const char *text; /* "f=64,longest=16"; NULL: defaults */
    uint64_t seed;    /* differs between instances; "seed=" in the text wins */

    /* If paths are reported: call trod_online_block for each block of the path, in order. */
    void (*expand)(void *context, struct trod_online *o, uint64_t path);

    /* A subpath has reached the threshold that the text names: its estimate or, if confidence
     * is not 0, its estimate less the error at that confidence (0.95). Called while a block is
     * reported, once for each subpath as long as it is in the sample. It must not report blocks.
     */
    void (*hot)(
        void *context, struct trod_online *o, const struct trod_online_hot *hot);
    double confidence;

    void *context; /* for both */
};

/* Create an instance in size bytes of memory, at least 8192, which it keeps. Options may be all zeros,
 * or NULL.
 *
 * fails:  NULL, and *why (unless why is NULL) is the reason
 */
struct trod_online *trod_online_create(void *memory, size_t size,
    const struct trod_online_options *options, const char **why);

/* Check a text of options, for an instance with the memory that it names, or 64 KiB. NULL if it is valid, otherwise
 * the reason.
 */
const char *trod_online_check(const char *text);

/* A budget of a program that `trod cc --online` compiles, as 2% or 0.02, in millionths. False if it is none. */
bool trod_online_budget(uint32_t *out, const char *text);

/* --- reporting ------------------------------------------------------------------------------------ */

void trod_online_sample(struct trod_online *o, uint32_t block, uint32_t cost);
void trod_online_expand(struct trod_online *o, uint64_t path, uint32_t nblock);

/* A block began. cost: 2 instructions while skipping */
static inline void trod_online_block(struct trod_online *o, uint32_t block)
{
    if (--o->skip < 0)
        trod_online_sample(o, block, 255);
}

/* The same with the cost of the block: from 1 to 255, the most expensive. For "costs=yes". */
static inline void trod_online_block_of(
    struct trod_online *o, uint32_t block, uint32_t cost)
{
    if (--o->skip < 0)
        trod_online_sample(o, block, cost);
}

/* A path of nblock blocks ran. It is expanded only if a sample contains a part of it.
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

/* The next block does not follow the last one. Pending samples are dropped. */
void trod_online_break(struct trod_online *o);

/* --- reading --------------------------------------------------------------------------------------- */

/* The k hottest subpaths of all instances together, hottest first; returns their number. weight gives
 * the weight of a subpath by its length; NULL: 1.
 *
 * cost:   O(entries * (instances + k))
 */
size_t trod_online_hottest(struct trod_online_hot *out, size_t k,
    struct trod_online *const *all, size_t nall, double (*weight)(uint32_t length));

/* The blocks of a subpath, up to room; returns its length, or 0 if no instance has it any more. If
 * rotations count as one, these are the blocks of the least one.
 */
size_t trod_online_blocks(uint32_t *out, size_t room, const struct trod_online_hot *hot,
    struct trod_online *const *all, size_t nall);

/* The largest error of an estimate, relative to it, with a confidence such as 0.95: in both directions, or
 * in one. 1.5 is 150 %.
 *
 * paper:  Oren, "Online Subpath Profiling", 2.14 and 2.15
 */
double trod_online_error(double samples, double confidence, bool both);

struct trod_online_sum {
    double blocks; /* estimated number of reported blocks */
    double f;      /* the greatest */
    uint64_t begun, sampled, dropped, rejected; /* samples */
    uint32_t subpaths;                          /* entries of all instances */
};
void trod_online_sum(
    struct trod_online_sum *out, struct trod_online *const *all, size_t nall);

#ifdef __cplusplus
}
#endif

#endif
