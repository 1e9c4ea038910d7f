/* online: hot subpaths while a program runs, for interpreters and JIT compilers.
 *
 *     blocks or paths, as they run -> struct trod_online -> the hottest subpaths, at any time
 *
 * A block is a number below 2^31; a subpath is a sequence of blocks that began one after another. Every block
 * is the start of a sample with probability 1/f. When memory is full, f is raised, so the instance never needs
 * more memory than it was given. Link with libtrod-online.a, which needs no other library.
 * doc/production/online-library.md is the manual, example/jit.c an interpreter that finds its traces; example/vm puts the
 * library into Lua.
 *
 * Glossary
 *   instance  a struct trod_online: one for each thread that reports blocks. Only one thread at a time may report to an
 *             instance; any thread may read any number of them at any time, without a lock
 *   estimate  of the executions of a subpath: its samples * f / probability of its length. For subpaths that were
 *             sampled once, only a hash is kept and there is no estimate, unless the options say otherwise (ones=text)
 *   error     the largest error of an estimate, relative to it: Chernoff's bound
 *   profile   a file that has the samples, and the functions that blocks belong to: `trod top` and others read it, also
 *             while the program runs
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
#include "trod/clock.h"

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

    /* "budget=2%": f follows what sampling costs, by these clocks. clock: ticks, cheap to read, such as the time-stamp
     * counter. times: seldom called; NULL: the thread always runs.
     */
    uint64_t (*clock)(void);
    void (*times)(struct trod_clocks *out);

    const struct trod_online_profile *profile; /* NULL: none; see below */
};

/* A file that is to be a profile: the caller creates it, gives it a length, and maps it. The library writes to that
 * memory only, and makes no system call. What is sampled is then in the file, not in the memory of the instance, and stays
 * whatever ends the program. trod_online_function_add gives it functions.
 */
struct trod_online_profile {
    void *file;          /* zeros, mapped from the file and shared; aligned to a page */
    size_t size;         /* see trod_online_profile_size */
    uint32_t room;       /* functions that can be added */
    const char *program; /* its path */
    const char *map;     /* path of the map, from the root */
    const char *directory;
    uint64_t pid, parent;
    uint64_t seconds; /* when it started, since 1970 */
    uint32_t nanoseconds;
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

/* A budget, as 2% or 0.02, in millionths. False if it is none. */
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

/* --- functions of a profile --------------------------------------------------------------------- */

/* The blocks of a function have successive numbers. Its text goes to the end of the map, a file of its own, before the
 * function is added: readers must find it there. A function may be added when a block of it is sampled for the first
 * time; then those that never are need no number.
 *
 *     first = trod_online_function_find(o, f);
 *     if (first == TROD_ONLINE_NONE && n < room) {
 *         write(map, text, trod_online_function_text(text, room, f));    all of it, in one call
 *         first = trod_online_function_add(o, f);
 *         n++;
 *     }
 */
#define TROD_ONLINE_NONE UINT32_MAX

struct trod_online_function {
    const char *name;
    const char *file;           /* its source */
    uint32_t line;              /* where it is declared; 0: unknown */
    uint32_t nblock;            /* block 0 is the entry */
    const uint32_t *first_line; /* [nblock + 1] into line_of: the lines of a block */
    const uint32_t *line_of;
    const uint32_t
        *first_way; /* [nblock + 1] into way: the blocks that may follow a block */
    const uint32_t *way;
};

/* Write at most room bytes of its text, ASCII except for names. Returns the length of all of it. */
size_t trod_online_function_text(
    char *out, size_t room, const struct trod_online_function *f);

/* The number of block 0 of an equal function that was added before, or TROD_ONLINE_NONE. cost: O(functions) */
uint32_t trod_online_function_find(
    const struct trod_online *o, const struct trod_online_function *f);

/* Add a function. Returns the number of its block 0; TROD_ONLINE_NONE if there is no room, or no profile. Only the thread
 * that reports may do this.
 */
uint32_t trod_online_function_add(
    struct trod_online *o, const struct trod_online_function *f);

/* The length of the file of a profile, for an instance with the same memory and options; options->profile->room is
 * how many functions it has room for. 0, and *why, if the options are wrong.
 */
size_t trod_online_profile_size(
    size_t memory, const struct trod_online_options *options, const char **why);

/* The program ends in order, after so long. Without this, readers say that it runs or was killed. The file may be unmapped
 * when nothing is reported any more.
 */
void trod_online_profile_end(
    struct trod_online *o, uint64_t seconds, uint32_t nanoseconds);

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
