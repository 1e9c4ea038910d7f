/* online: the hot subpaths of a program, as far as is known while it runs.
 *
 *     samples of profiles, blocks of a trace -> subpaths with counts -> text, JSON
 *
 * Glossary
 *   block     a basic block of the optimised code. Its number counts blocks of all functions
 *             that were met, in the order in which they were.
 *   subpath   a block sequence that a thread began one after another, whatever function they are in
 *   canonical the one of several equal subpaths that stands for all of them: of rotations the least
 *   sample    a subpath that was seen because its first block happened to be a start
 *   estimate  how often a subpath ran: each sample stands for all that were not seen
 *   error     how far an estimate is off, as a share of it, at most, with some confidence
 *   share     of all subpaths of a length that ran, how many were this one. Of a program that
 *             never leaves a loop of n blocks it is 1, for n and all multiples.
 *
 * paper:  David Oren, "Online Subpath Profiling": what is sampled, and the bounds of errors, which
 *         are Chernoff's (equations 2.14 and 2.15)
 *
 * Memory: everything is in the arena handed in.
 */
#ifndef TROD_ONLINE_STAGE_H
#define TROD_ONLINE_STAGE_H

#include "profile/overlap.h"
#include "profile/profile.h"
#include "report/report.h"
#include "base/table.h"

/* --- online_blocks.c: blocks of all modules, numbered ------------------------------------------ */

typedef uint32_t trod_block;

/* Functions are one if name, graph and cuts are, wherever they are. As terminals of a profile have it,
 * there is one number more than blocks for each: of a single module, blocks are its terminals.
 */
struct trod_online_blocks {
    struct trod_arena *mem;
    struct trod_profile_function *function; /* in the order they came */
    trod_block *first; /* of each function, its block 0; and the end */
    uint32_t nfunction, room_function, room_first;
    struct trod_table functions;
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
                        was counted, and the estimate is exact */
    uint32_t length;
    const trod_block *block; /* [length], canonical */
};

struct trod_online_set {
    struct trod_arena *mem;
    enum trod_sample_identity identity;
    struct trod_online_subpath *subpath; /* in the order they came */
    size_t count, room;
    struct trod_table subpaths;
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

/* Of how many blocks a subpath is a whole number of iterations; its length if of none. */
uint32_t trod_online_period(const trod_block *block, uint32_t length);

/* --- online_rank.c: subpaths by weight ----------------------------------------------------------- */

/* What was sampled, or counted, put together and in order. */
struct trod_subpaths {
    const char *name; /* of the program */
    const struct trod_online_blocks *blocks;
    enum trod_sample_identity identity;
    size_t nsubpath;
    const struct trod_online_subpath *subpath; /* the highest estimate first */
    double nblock;                             /* that ran, estimated or counted */
    bool exact;                                /* all were counted */
    bool costs; /* what is estimated is executions times their cost */
    bool aged;  /* what ran long ago counts less, or not at all */
    /* Of samples: */
    uint64_t nsampler;                      /* threads had one, one after another */
    uint64_t nsample, ndropped, nrejected;  /* as in struct trod_format_sample */
    double least_frequency, most_frequency; /* in force */
    double threshold; /* executions from which on the program reports; 0: none */
};

/* Put the subpaths of a set in order: the highest estimate first, then the longer, then the one with
 * the lower blocks.
 *
 * fills:  identity, nsubpath, subpath; the set is used up
 */
void trod_online_rank(struct trod_subpaths *out, struct trod_online_set *set);

/* How far off an estimate from so many samples is, at most, as a share of it, with a probability of
 * `confidence`: in both directions, or in one that is known.
 *
 * paper:  Oren, equations 2.14 and 2.15
 */
double trod_subpaths_error(double nsample, double confidence, bool one_sided);

/* How many samples of equal weight would be as good as those of a subpath; infinite: it was
 * counted. Where threads sampled at different frequencies, these are fewer than its samples.
 */
double trod_online_nsample(const struct trod_online_subpath *subpath);

/* --- online_estimate.c: from samples to subpaths --------------------------------------------------- */

/* Put together what all threads of all runs sampled.
 *
 * fails:  TROD_E_MISMATCH when no blocks were sampled, or some subpaths are one for some samplers and
 *         not for others; TROD_E_LIMIT at 2^31 blocks
 * cost:   O(blocks of all subpaths)
 */
bool trod_online_estimate(struct trod_subpaths *out, const struct trod_profile *profile,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- subpath_print.c: subpaths in words ---------------------------------------------------------------- */

/* What is known of functions, by number. */
struct trod_online_names {
    const struct trod_subpaths *subpaths;
    const struct trod_map_entry **entry_of_function; /* NULL: no map has it */
    const char **name_of_function;                   /* or "?HASH" */
    struct trod_online_word *word;                   /* room for any of the subpaths */
};

void trod_online_names(struct trod_online_names *out,
    const struct trod_subpaths *subpaths, const struct trod_map *map,
    struct trod_arena *mem);

/* Print a subpath for a reader: functions where they change, blocks by their lines,
 * decisions by what was decided, iterations once. With `blocks`, blocks by their names.
 *
 *     main 12 13 | hash 40 (41 42)x3 | main 13:way2 13
 */
void trod_subpath_print(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_online_subpath *subpath, bool blocks);

/* Where to begin to print a subpath: of equivalent rotations, a possible one. */
uint32_t trod_online_begin(
    const struct trod_online_names *names, const struct trod_online_subpath *subpath);

/* Blocks of one function in a row, without its name. whole: they are a subpath, whose first block may follow its last.
 *
 * needs:  names of subpaths that are as long, or longer
 */
void trod_subpath_print_blocks(struct trod_sink *sink,
    const struct trod_online_names *names, const trod_block *block, uint32_t nblock,
    bool whole);

/* --- online_print.c: which ran most --------------------------------------------------------------------- */

enum trod_online_sort { /* the highest first; functions by name */
    TROD_ONLINE_BY_COUNT,
    TROD_ONLINE_BY_BLOCKS, /* that were in it: estimate times length */
    TROD_ONLINE_BY_LENGTH,
    TROD_ONLINE_BY_FUNCTION
};

struct trod_subpaths_options {
    size_t most;       /* rows; 0 = TROD_REPORT_MOST */
    double weight;     /* a subpath of n blocks counts n to this */
    double confidence; /* 0 = 0.95 */
    double threshold;  /* executions; 0: that of the program */
    bool blocks;       /* blocks, not lines */
    enum trod_online_sort sort;
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
};

struct trod_online_row {
    const struct trod_online_subpath *subpath;
    size_t rank; /* by weight, from 1, whatever is chosen */
    double
        score; /* what it is ranked by: of the estimate, what is left less one standard
                     error, times length to the weight */
    double error; /* of the estimate; 0: it was counted */
    double share;
    bool
        sure; /* it ran as often as the threshold says, or more: with that confidence */
};

/* Those that are wanted and reach the threshold, in order. Returns how many; the first of them,
 * at most as many as are to be printed, are in *out.
 */
size_t trod_online_rows(struct trod_online_row **out, size_t *nrow,
    const struct trod_online_names *names, const struct trod_subpaths_options *options,
    struct trod_arena *mem);

/* What a table has above, between and below rows. */
void trod_online_head(struct trod_sink *sink, const struct trod_subpaths *subpaths,
    size_t nrow, size_t nall, const struct trod_subpaths_options *options);
void trod_online_row(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_online_row *row, const struct trod_subpaths_options *options);
void trod_online_foot(struct trod_sink *sink, const struct trod_subpaths *subpaths);

void trod_online_print(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_subpaths_options *options, struct trod_arena *mem);
/* Members of the open object. */
void trod_online_json(struct trod_json *json, const struct trod_online_names *names,
    const struct trod_subpaths_options *options, struct trod_arena *mem);

/* --- online_overlap.c: how much two samples have in common ------------------------------------------- */

/* Members are subpaths, and their counts what they are estimated to have run, in whole numbers. */
struct trod_online_overlap {
    struct trod_overlap overlap;
    struct trod_subpaths
        both; /* blocks of both, and by member a subpath, without counts */
};

/* Subpaths are one if their blocks are: node by node of functions that are one. Which of the two comes
 * first makes no difference.
 *
 * fails:  TROD_E_MISMATCH when the two take other subpaths for one, or only one of them weighs by cost;
 *         when no function is in both, or one has no subpath; TROD_E_LIMIT at 2^31 blocks
 */
bool trod_online_overlap_build(struct trod_online_overlap *out,
    const struct trod_subpaths *a, const struct trod_subpaths *b, uint32_t top_of,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

void trod_online_overlap_print(struct trod_sink *sink,
    const struct trod_online_overlap *overlap, const struct trod_map *map, size_t most,
    struct trod_arena *mem);
void trod_online_overlap_json(struct trod_json *json, const char *key,
    const struct trod_online_overlap *overlap, const struct trod_map *map, size_t most,
    struct trod_arena *mem);

/* --- online_text.c: the text form -----------------------------------------------------------------------
 *
 *     subpaths NAME rotation               # which are one
 *     exact                                # or nothing: sampled
 *     ran 123456                           # blocks
 *     samplers 2 4096 8192                 # and frequencies; threshold, samples, dropped,
 *                                          # rejected
 *     function HASH HASH HASH 12           # of name, graph and cuts; blocks
 *     3 12288 4096: 0 1 2 3                # count, estimate, heaviest, blocks
 */

/* Read a section after its head and name, `subpaths NAME`, up to a line that belongs to
 * another.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_subpaths_parse(struct trod_subpaths *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
void trod_subpaths_print(struct trod_sink *sink, const struct trod_subpaths *subpaths);

/* --- online_check.c: the validator ------------------------------------------------------------------------ */

/* Check that
 *   - each subpath has 2 to 1024 blocks that are there, is canonical, and there once;
 *   - counts are not 0, estimates not below counts, and highest first;
 *   - where all were counted estimates are counts, and heaviest is 0; else it is 1 at least,
 *     and the estimate no more than all samples at that weight.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_subpaths_check(const struct trod_subpaths *subpaths, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
