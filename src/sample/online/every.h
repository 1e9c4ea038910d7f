/* every: all subpaths of some lengths, counted, not sampled.
 *
 *     trace of blocks -> trod_every_add -> table of subpaths -> trod_every_merge -> the hottest
 *
 * What sampling is measured against. Blocks come one by one, thread by thread, and are forgotten; what
 * stays is a table. It has no hashes in place of subpaths: a subpath of n blocks is the pair of its
 * first and its last part, p blocks each, p the largest power of two below n. Parts are subpaths, and
 * have numbers. So a block costs a look at the table for each length, however long, and two subpaths
 * have one number only if they are the same.
 *
 * Glossary
 *   number    of a subpath: its place in the table; of a single block: itself
 *   level     subpaths of one length. Besides the lengths asked for there are those of parts
 *   whole     a subpath that is made of two parts, which may overlap
 *   run       the blocks of a thread since its start, or since a gap: subpaths lie within one
 *   class     subpaths that are taken for one: rotations of each other, say
 *   floor     where the table was too small: how often a subpath may have run that is not in it,
 *             and how much too low a count may be
 *
 * Memory: the table has a fixed size, and is taken at once; pages of it that are not needed are never
 * touched. Threads take some more each, which counts. Merging takes more for a while.
 *
 * trod_every_check: parts come before wholes and are of the right level; no two are the same; a whole ran
 * no more often than its parts; the counts of a level add up.
 *
 * paper: Karp, Miller and Rosenberg, "Rapid identification of repeated patterns in strings, trees and
 *        arrays", STOC 1972, for numbers of parts; Manku and Motwani, "Approximate frequency counts over
 *        data streams", VLDB 2002, for the floor; Oren, "Online Subpath Profiling", for what is counted
 */
#ifndef TROD_EVERY_H
#define TROD_EVERY_H

#include "online/online.h"

enum {
    TROD_EVERY_SHORTEST = 2,
    TROD_EVERY_LONGEST = 1024,
    TROD_EVERY_PARTS = 10 /* powers of two below the longest */
};

#define TROD_EVERY_GAP UINT32_C(0xffffffff) /* in place of a block: some are missing */
#define TROD_EVERY_MEMORY (UINT64_C(1) << 30)

/* --- every_count.c: from blocks to the table ------------------------------------------------ */

struct trod_every_options {
    uint64_t memory;        /* bytes; 0: TROD_EVERY_MEMORY */
    const uint32_t *length; /* those counted, in any order; NULL: 2 4 8 16 32 */
    uint32_t nlength;
    bool partial; /* when the table is full, drop what ran least, and continue */
};

/* A subpath. Numbers of parts are blocks where a part is one. */
struct trod_every_entry {
    uint32_t left, right;
    uint64_t state; /* level << 52 | count */
};

#define TROD_EVERY_COUNT ((UINT64_C(1) << 52) - 1)

static inline uint32_t trod_every_level_of(const struct trod_every_entry *entry)
{
    return (uint32_t)(entry->state >> 52);
}

struct trod_every_level {
    uint32_t length, part; /* blocks */
    uint32_t part_level;   /* UINT32_MAX: parts are blocks */
    bool asked;            /* not only for parts */
    uint64_t count;        /* subpaths that ran */
    uint64_t distinct;     /* in the table */
};

struct trod_every_thread;

struct trod_every {
    struct trod_arena *mem;
    struct trod_every_level *level; /* by ascending length */
    uint32_t nlevel;
    uint32_t longest;
    struct trod_every_entry *entry;
    uint32_t nentry, most; /* in use; that there is room for */
    uint32_t *slot;        /* number plus 1, or 0 */
    uint32_t bits, most_bits;
    struct trod_every_thread **thread; /* by ascending id */
    uint32_t nthread, room_thread;
    uint64_t left; /* bytes that threads may still take */
    uint64_t memory;
    uint64_t nblock, ngap;
    bool partial;
    uint64_t floor;                     /* of counts; 0: they are exact */
    uint64_t npruned;                   /* times that the table was full */
    uint32_t history[TROD_EVERY_PARTS]; /* of parts of 2^k blocks, how many are kept */
    uint32_t *scratch[TROD_EVERY_PARTS];
};

/* fails:  TROD_E_INPUT for a length out of range; TROD_E_LIMIT for too little memory */
bool trod_every_init(struct trod_every *out, const struct trod_every_options *options,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Blocks that a thread began, in this order, after those it gave before. A block is below 2^31, or
 * TROD_EVERY_GAP.
 *
 * fails:  TROD_E_LIMIT when there is no more memory, saying how far it came; TROD_E_INPUT for
 *         what is not a block. What was counted until then is discarded
 * cost:   a look at the table for each block and level
 */
bool trod_every_add(struct trod_every *every, uint64_t thread, const uint32_t *block,
    size_t nblock, struct trod_err *err) TROD_MUST_CHECK;

/* The blocks of a subpath; out has room for those of its level. */
void trod_every_expand(
    uint32_t *out, const struct trod_every *every, uint32_t level, uint32_t number);

/* The number of a subpath with these parts, or with these blocks; UINT32_MAX if it is not there. */
uint32_t trod_every_find_whole(
    const struct trod_every *every, uint32_t level, uint32_t left, uint32_t right);
uint32_t trod_every_find(
    const struct trod_every *every, uint32_t level, const uint32_t *block);

/* fails:  TROD_E_INTERNAL */
bool trod_every_check(const struct trod_every *every, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- every_merge.c: classes, the hottest first ------------------------------------------------ */

struct trod_every_row {
    uint64_t count;
    double score; /* what rows are sorted by: count * length^weight */
    uint32_t length;
    const uint32_t *block; /* least rotation; or of the first that ran */
};

struct trod_every_answer {
    uint64_t nblock, ngap, nthread;
    uint64_t nsubpath;  /* that ran */
    uint64_t ndistinct; /* of them, as sequences */
    uint64_t nclass;
    uint64_t ncollision; /* different ones whose 128-bit hashes were the same */
    uint64_t
        floor; /* 0: counts are exact; else too low, by at most this for each sequence */
    struct trod_every_row *row;
    size_t nrow;
    struct trod_every_sum { /* of each length asked for */
        uint32_t length;
        uint64_t nsubpath, ndistinct, nclass;
    } *sum;
    uint32_t nsum;
};

/* All classes, and those that ran most, by descending score; of equal ones the shorter, then the one that
 * was there first.
 *
 * most:   rows; 0: all
 * cost:   O(length) for each subpath in the table
 */
void trod_every_merge(struct trod_every_answer *out, const struct trod_every *every,
    enum trod_sample_identity identity, double weight, size_t most,
    struct trod_arena *mem);

/* --- every_hot.c: the same at any time ---------------------------------------------------------- */

/* The same rows, without counting classes, nclass: only subpaths that ran often enough to be of one of
 * these are looked at. Exclusive ors are merged all the same.
 *
 * most:   rows, not 0
 * cost:   a look at each count, and O(length * log length) for each subpath that ran no less than
 *         a class of the last row may have
 */
void trod_every_hottest(struct trod_every_answer *out, const struct trod_every *every,
    enum trod_sample_identity identity, double weight, size_t most,
    struct trod_arena *mem);

/* --- every_trace.c: traces as programs write them --------------------------------------------- */

#define TROD_TRACE_MAGIC UINT32_C(0x4b4c4254) /* "TBLK" */

enum {
    TROD_TRACE_CHUNK = 4096, /* bytes at most */
    TROD_TRACE_HEAD = 16
};

/* Before blocks of one thread, 4 bytes each; all numbers are little-endian. Programs write each chunk at
 * once.
 */
struct trod_trace_head {
    uint32_t magic;
    uint32_t thread;
    uint32_t nblock;
    uint32_t
        writer; /* distinguishes threads where several processes or images write; or 0 */
};

/* A thread: writer << 32 | thread. */
typedef bool (*trod_trace_taker)(uint64_t thread, const uint32_t *block, size_t nblock,
    void *ctx, struct trod_err *err);

struct trod_trace {
    const char *name; /* for messages */
    trod_trace_taker take;
    void *ctx;
    uint64_t at; /* bytes before what comes next */
};

/* Take the whole chunks at the start of these bytes, which are aligned to 4; *used is how many bytes they
 * are: the others belong before what comes next.
 *
 * fails:  TROD_E_INPUT where no chunk begins; as take does
 */
bool trod_trace_take(size_t *used, struct trod_trace *trace, const void *bytes,
    size_t length, struct trod_err *err) TROD_MUST_CHECK;

#endif
