/* every: exact counts of all subpaths of given lengths.
 *
 *     trace of blocks -> trod_every_add -> table of subpaths -> trod_every_merge -> the hottest
 *
 * The reference for sampling. Blocks arrive one by one for each thread and are not stored; only
 * a table is. It contains no hashes instead of subpaths: a subpath of n blocks is the pair of its
 * first and its last p blocks, where p is the largest power of two below n. These parts are subpaths, too, and
 * have numbers. So each block costs one table look-up for each length, and two subpaths
 * have the same number only if they are equal.
 *
 * Glossary
 *   number    of a subpath: its index in the table; of a single block: the block itself
 *   level     subpaths of one length. Besides the requested lengths there are those of parts
 *   whole     a subpath that consists of two parts, which may overlap
 *   run       the blocks of a thread since its start, or since a gap: subpaths do not cross runs
 *   class     subpaths that count as one, such as rotations of each other
 *   floor     if the table was too small: the largest count of a subpath that is not in it,
 *             and the largest error of a count
 *
 * Memory: the table has a fixed size, allocated at the start; unused pages are never
 * touched. Threads use some more each, which is part of the limit. Merging needs more temporarily.
 *
 * trod_every_check: parts precede wholes and have the right level; no two are equal; a whole ran
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

#define TROD_EVERY_GAP \
    UINT32_C(0xffffffff) /* instead of a block: blocks are missing here */
#define TROD_EVERY_MEMORY (UINT64_C(1) << 30)

/* --- every_count.c: from blocks to the table ------------------------------------------------ */

struct trod_every_options {
    uint64_t memory;        /* bytes; 0: TROD_EVERY_MEMORY */
    const uint32_t *length; /* lengths to count, in any order; NULL: 2 4 8 16 32 */
    uint32_t nlength;
    bool partial; /* when the table is full, drop the rarest subpaths, and continue */
};

/* A subpath. Numbers of parts are blocks if a part is a single block. */
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
    bool asked;            /* requested, not only needed for parts */
    uint64_t count;        /* executed subpaths */
    uint64_t distinct;     /* different ones in the table */
};

struct trod_every_thread;

struct trod_every {
    struct trod_arena *mem;
    struct trod_every_level *level; /* by ascending length */
    uint32_t nlevel;
    uint32_t longest;
    struct trod_every_entry *entry;
    uint32_t nentry, most; /* in use; capacity */
    uint32_t *slot;        /* number plus 1, or 0 */
    uint32_t bits, most_bits;
    struct trod_every_thread **thread; /* by ascending id */
    uint32_t nthread, room_thread;
    uint64_t left; /* bytes that threads may still use */
    uint64_t memory;
    uint64_t nblock, ngap;
    bool partial;
    uint64_t floor;   /* of counts; 0: they are exact */
    uint64_t npruned; /* number of times the table was full */
    uint32_t
        history[TROD_EVERY_PARTS]; /* number of parts of 2^k blocks that are kept */
    uint32_t *scratch[TROD_EVERY_PARTS];
};

/* fails:  TROD_E_INPUT for a length out of range; TROD_E_LIMIT for too little memory */
bool trod_every_init(struct trod_every *out, const struct trod_every_options *options,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The next blocks of a thread, in order. A block is below 2^31, or
 * TROD_EVERY_GAP.
 *
 * fails:  TROD_E_LIMIT if memory is exhausted, with the position; TROD_E_INPUT for
 *         an invalid block. Counts so far are discarded
 * cost:   one table look-up for each block and level
 */
bool trod_every_add(struct trod_every *every, uint64_t thread, const uint32_t *block,
    size_t nblock, struct trod_err *err) TROD_MUST_CHECK;

/* The blocks of a subpath; out has room for those of its level. */
void trod_every_expand(
    uint32_t *out, const struct trod_every *every, uint32_t level, uint32_t number);

/* The number of a subpath with these parts, or with these blocks; UINT32_MAX if there is none. */
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
    double score; /* the sort key: count * length^weight */
    uint32_t length;
    const uint32_t *block; /* least rotation; or the blocks of the first that ran */
};

struct trod_every_answer {
    uint64_t nblock, ngap, nthread;
    uint64_t nsubpath;  /* executed */
    uint64_t ndistinct; /* different sequences */
    uint64_t nclass;
    uint64_t ncollision; /* different ones with the same 128-bit hash */
    uint64_t
        floor; /* 0: counts are exact; otherwise too low, by at most this for each sequence */
    struct trod_every_row *row;
    size_t nrow;
    struct trod_every_sum { /* for each requested length */
        uint32_t length;
        uint64_t nsubpath, ndistinct, nclass;
    } *sum;
    uint32_t nsum;
};

/* Merge all classes, and list the hottest, by descending score; among equals the shorter, then the one that
 * occurred first.
 *
 * most:   rows; 0: all
 * cost:   O(length) for each subpath in the table
 */
void trod_every_merge(struct trod_every_answer *out, const struct trod_every *every,
    enum trod_sample_identity identity, double weight, size_t most,
    struct trod_arena *mem);

/* --- every_hot.c: the hottest at any time ---------------------------------------------------------- */

/* The same rows, without the number of classes, nclass: only subpaths that ran often enough for one of
 * these are examined. Exclusive ors are merged completely in any case.
 *
 * most:   rows, not 0
 * cost:   one visit of each count, and O(length * log length) for each subpath that ran at least as often as
 *         a member of the last row's class may have
 */
void trod_every_hottest(struct trod_every_answer *out, const struct trod_every *every,
    enum trod_sample_identity identity, double weight, size_t most,
    struct trod_arena *mem);

/* --- every_trace.c: traces that programs write --------------------------------------------- */

#define TROD_TRACE_MAGIC UINT32_C(0x4b4c4254) /* "TBLK" */

enum {
    TROD_TRACE_CHUNK = 4096, /* bytes at most */
    TROD_TRACE_HEAD = 16
};

/* Before blocks of one thread, 4 bytes each; all numbers are little-endian. Programs write each chunk with
 * one system call.
 */
struct trod_trace_head {
    uint32_t magic;
    uint32_t thread;
    uint32_t nblock;
    uint32_t writer; /* distinguishes threads of several processes or images; or 0 */
};

/* A thread: writer << 32 | thread. */
typedef bool (*trod_trace_taker)(uint64_t thread, const uint32_t *block, size_t nblock,
    void *ctx, struct trod_err *err);

struct trod_trace {
    const char *name; /* for messages */
    trod_trace_taker take;
    void *ctx;
    uint64_t at; /* offset of the next byte */
};

/* Read the complete chunks at the start of these bytes, which are aligned to 4; *used is their size in
 * bytes: the caller must pass the rest again, followed by more.
 *
 * fails:  TROD_E_INPUT where no chunk begins; as take does
 */
bool trod_trace_take(size_t *used, struct trod_trace *trace, const void *bytes,
    size_t length, struct trod_err *err) TROD_MUST_CHECK;

#endif
