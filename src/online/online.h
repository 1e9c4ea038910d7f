/* online: the hot subpaths of a program, as far as is known while it runs.
 *
 *     samples of profiles, blocks of a trace -> subpaths with counts -> text, JSON
 *
 * Glossary
 *   block     a basic block of the optimised code. Its number counts blocks of all functions
 *             that were met, in the order in which they were.
 *   subpath   a row of blocks that a thread began one after another, whatever function they are in
 *   canonical the one of several equal subpaths that stands for all of them: of rotations the least
 *   sample    a subpath that was seen because its first block happened to be a start
 *   estimate  how often a subpath ran: of each sample, as often as such a one is not seen
 *
 * Memory: everything is in the arena handed in.
 */
#ifndef TROD_ONLINE_STAGE_H
#define TROD_ONLINE_STAGE_H

#include "profile/profile.h"
#include "report/report.h"

/* --- online_blocks.c: blocks of all modules, numbered ------------------------------------------ */

typedef uint32_t trod_block;

/* Functions are one if name, graph and cuts are, wherever they are. */
struct trod_online_blocks {
    struct trod_arena *mem;
    struct trod_profile_function *function; /* in the order they came */
    trod_block *first; /* of each function, its block 0; and the end */
    uint32_t nfunction, room_function, room_first;
    uint32_t *slot; /* number of a function + 1, or 0 */
    uint32_t nslot;
};

/* Of one module: from terminals of the profile, function's first plus node, to blocks. */
struct trod_online_blocks_module {
    struct trod_profile_terminals terminals;
    const uint32_t *function; /* of trod_online_blocks, by function of the module */
    const struct trod_online_blocks *blocks;
};

void trod_online_blocks_init(struct trod_online_blocks *out, struct trod_arena *mem);

/* Add the functions of a module, as far as they are new.
 *
 * fails:  TROD_E_LIMIT at 2^31 blocks
 */
bool trod_online_blocks_add(struct trod_online_blocks_module *out,
    struct trod_online_blocks *blocks, const struct trod_profile_module *module,
    struct trod_err *err) TROD_MUST_CHECK;

/* The block of a terminal; false if it is none. */
bool trod_online_blocks_find(
    trod_block *out, const struct trod_online_blocks_module *module, uint64_t terminal);

/* The function that a block is in. */
uint32_t trod_online_blocks_function(
    const struct trod_online_blocks *blocks, trod_block block);

static inline trod_node trod_online_blocks_node(
    const struct trod_online_blocks *blocks, uint32_t function, trod_block block)
{
    return block - blocks->first[function];
}

/* --- online_set.c: subpaths, each once -------------------------------------------------------------- */

struct trod_online_subpath {
    uint64_t count;  /* samples of it; where all were counted: how often it ran */
    double estimate; /* how often it ran */
    double heaviest; /* the most executions that one of its samples stands for; 0: it
                        was counted, and the estimate is no estimate */
    uint32_t length;
    const trod_block *block; /* [length], canonical */
};

struct trod_online_set {
    struct trod_arena *mem;
    enum trod_sample_identity identity;
    struct trod_online_subpath *subpath; /* in the order they came */
    size_t count, room;
    struct trod_online_slot *slot;
    size_t nslot;
};

void trod_online_set_init(struct trod_online_set *out,
    enum trod_sample_identity identity, struct trod_arena *mem);

/* The entry of a subpath; a new one has no counts. It stays where it is until another is added.
 *
 * cost:   O(length) expected
 */
struct trod_online_subpath *trod_online_set_add(
    struct trod_online_set *set, const trod_block *block, uint32_t length);

/* The same, without adding: NULL if it is not there. */
struct trod_online_subpath *trod_online_set_find(
    const struct trod_online_set *set, const trod_block *block, uint32_t length);

/* Where the least rotation begins.
 *
 * cost:   O(length)
 * paper:  Shiloach, "Fast Canonization of Circular Strings", 1981, as two pointers
 */
uint32_t trod_online_rotation(const trod_block *block, uint32_t length);

/* Of how many blocks a subpath is a whole number of rounds; its length if of none. */
uint32_t trod_online_period(const trod_block *block, uint32_t length);

/* --- online_rank.c: what there is to tell -------------------------------------------------------- */

/* What was sampled, or counted, put together and in order. */
struct trod_subpaths {
    const char *name; /* of the program */
    const struct trod_online_blocks *blocks;
    enum trod_sample_identity identity;
    size_t nsubpath;
    const struct trod_online_subpath *subpath; /* the highest estimate first */
    double nblock;                             /* that ran, estimated or counted */
    bool exact;                                /* all were counted */
    /* Of samples: */
    uint64_t nsampler;                     /* threads that had one, one after another */
    uint64_t nsample, ndropped, nrejected; /* as in struct trod_format_sample */
    double least_frequency, most_frequency; /* in force */
};

/* Put the subpaths of a set in order: the highest estimate first, then the longer, then the one with
 * the lower blocks.
 *
 * fills:  identity, nsubpath, subpath; the set is used up
 */
void trod_online_rank(struct trod_subpaths *out, struct trod_online_set *set);

#endif
