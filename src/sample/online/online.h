/* online: hot subpaths of a program, from samples or exact counts.
 *
 *     samples of profiles, blocks of a trace -> subpaths with counts -> text, JSON
 *
 * Glossary
 *   block     a basic block of the optimised code. Blocks of all functions are numbered
 *             consecutively, in the order in which functions were added.
 *   subpath   a sequence of blocks that a thread began one after another, in any functions
 *   canonical the representative of equal subpaths: the least rotation
 *   sample    a subpath that was seen because its first block happened to be a start
 *   estimate  of the executions of a subpath: each sample stands for many that were not seen
 *   error     the largest relative error of an estimate, with a given confidence
 *   share     the share of a subpath among all executed subpaths of its length. In a program that
 *             never leaves a loop of n blocks it is 1, for n and all multiples.
 *
 * paper:  David Oren, "Online Subpath Profiling": sampling, and the bounds of errors, which
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

/* Functions are the same if name, graph and cuts are, in any module. As with terminals of a profile,
 * each function has one number more than blocks: for a single module, blocks are its terminals.
 */
struct trod_online_blocks {
    struct trod_arena *mem;
    struct trod_profile_function *function; /* in the order of addition */
    trod_block *first;                      /* block 0 of each function; and the end */
    uint32_t nfunction, room_function, room_first;
    struct trod_table functions;
};

/* For one module: maps terminals of the profile to blocks. */
struct trod_online_blocks_module {
    struct trod_profile_terminals terminals;
    const uint32_t *function; /* of trod_online_blocks, by function of the module */
    const struct trod_online_blocks *blocks;
};

void trod_online_blocks_init(struct trod_online_blocks *out, struct trod_arena *mem);

/* Add the new functions of a module.
 *
 * fails:  TROD_E_LIMIT at 2^31 blocks
 */
bool trod_online_blocks_add(struct trod_online_blocks_module *out,
    struct trod_online_blocks *blocks, const struct trod_profile_module *module,
    struct trod_err *err) TROD_MUST_CHECK;

/* The block of a terminal; false if it is invalid. */
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

/* --- online_set.c: sets of subpaths -------------------------------------------------------------- */

struct trod_online_subpath {
    uint64_t count;  /* number of samples; if all were counted: executions */
    double estimate; /* of executions */
    double
        heaviest; /* the largest number of executions that one sample stands for; 0: it
                        was counted, and the estimate is exact */
    uint32_t length;
    const trod_block *block; /* [length], canonical */
};

struct trod_online_set {
    struct trod_arena *mem;
    enum trod_sample_identity identity;
    struct trod_online_subpath *subpath; /* in the order of addition */
    size_t count, room;
    struct trod_table subpaths;
};

void trod_online_set_init(struct trod_online_set *out,
    enum trod_sample_identity identity, struct trod_arena *mem);

/* The entry of a subpath; a new one has no counts. Its address is valid until another is added.
 *
 * cost:   O(length) expected
 */
struct trod_online_subpath *trod_online_set_add(
    struct trod_online_set *set, const trod_block *block, uint32_t length);

/* The same, without adding: NULL if there is none. */
struct trod_online_subpath *trod_online_set_find(
    const struct trod_online_set *set, const trod_block *block, uint32_t length);

/* Where the least rotation begins.
 *
 * cost:   O(length)
 * paper:  Shiloach, "Fast Canonization of Circular Strings", 1981, as two pointers
 */
uint32_t trod_online_rotation(const trod_block *block, uint32_t length);

/* The period of a subpath that is a whole number of iterations; otherwise its length. */
uint32_t trod_online_period(const trod_block *block, uint32_t length);

/* --- online_rank.c: sorting ----------------------------------------------------------- */

/* Subpaths with estimates or counts, sorted. */
struct trod_subpaths {
    const char *name; /* of the program */
    const struct trod_online_blocks *blocks;
    enum trod_sample_identity identity;
    size_t nsubpath;
    const struct trod_online_subpath *subpath; /* the highest estimate first */
    double nblock; /* executed blocks, estimated or counted */
    bool exact;    /* all were counted */
    bool costs;    /* estimates are executions times cost */
    bool aged;     /* old samples count less, or not at all */
    /* Of samples: */
    uint64_t nsampler; /* number of samplers; several threads may have used one */
    uint64_t nsample, ndropped, nrejected;  /* as in struct trod_format_sample */
    double least_frequency, most_frequency; /* current */
    double threshold; /* executions from which on the program reports; 0: none */
    struct trod_spent spent;
};

/* Sort the subpaths of a set: the highest estimate first, then the longer, then the one with
 * the lower blocks.
 *
 * fills:  identity, nsubpath, subpath; the set is consumed
 */
void trod_online_rank(struct trod_subpaths *out, struct trod_online_set *set);

/* The largest relative error of an estimate from so many samples, with a probability of
 * `confidence`: in both directions, or in one.
 *
 * paper:  Oren, equations 2.14 and 2.15
 */
double trod_subpaths_error(double nsample, double confidence, bool one_sided);

/* So many samples have at most that error, in both directions: the inverse of the above. */
double trod_subpaths_needed(double error, double confidence);

/* What samples say of a subpath and two thresholds, low < high: each answer is wrong with a probability of at most 1 -
 * confidence. Who takes all that are not below leaves out a subpath that ran `high` times with at most that
 * probability, and who takes only those above takes one that ran `low` times with at most that.
 *
 * paper:  Oren, section 5.2, iceberg queries; Chernoff's bounds: of a sum with mean m, x or less has a probability of at
 *         most exp(-(m - x)^2 / 2m), and x or more of exp(-(x - m)^2 / (m + x))
 */
enum trod_online_verdict {
    TROD_ONLINE_UNDECIDED, /* more samples are needed */
    TROD_ONLINE_BELOW,     /* it ran less than `high` times */
    TROD_ONLINE_ABOVE,     /* it ran more than `low` times */
    TROD_ONLINE_BETWEEN    /* both, so either answer is right */
};
enum trod_online_verdict trod_subpaths_verdict(
    const struct trod_online_subpath *subpath, double low, double high,
    double confidence);

/* The equivalent number of samples of equal weight; infinite: the subpath was
 * counted. If threads sampled at different rates, it is smaller than the number of samples.
 */
double trod_online_nsample(const struct trod_online_subpath *subpath);

/* --- online_estimate.c: from samples to subpaths --------------------------------------------------- */

/* Combine the samples of all threads of all runs.
 *
 * fails:  TROD_E_MISMATCH if no blocks were sampled, or samplers have
 *         different identities; TROD_E_LIMIT at 2^31 blocks
 * cost:   O(blocks of all subpaths)
 */
bool trod_online_estimate(struct trod_subpaths *out, const struct trod_profile *profile,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- subpath_print.c: subpaths as text ---------------------------------------------------------------- */

/* Names and map entries of functions, by number. */
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
 * decisions by their outcome, repeated iterations once. With `blocks`, blocks by their names.
 *
 *     main 12 13 | hash 40 (41 42)x3 | main 13:way2 13
 */
void trod_subpath_print(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_online_subpath *subpath, bool blocks);

/* The first block to print: a rotation that is possible in the graph. */
uint32_t trod_online_begin(
    const struct trod_online_names *names, const struct trod_online_subpath *subpath);

/* Consecutive blocks of one function, without its name. whole: they are a whole subpath, whose first block may follow its last.
 *
 * needs:  names with room for subpaths of this length
 */
void trod_subpath_print_blocks(struct trod_sink *sink,
    const struct trod_online_names *names, const trod_block *block, uint32_t nblock,
    bool whole);

/* --- online_print.c: reports --------------------------------------------------------------------- */

enum trod_online_sort { /* the highest first; functions by name */
    TROD_ONLINE_BY_COUNT,
    TROD_ONLINE_BY_BLOCKS, /* executed blocks: estimate times length */
    TROD_ONLINE_BY_LENGTH,
    TROD_ONLINE_BY_FUNCTION
};

struct trod_subpaths_options {
    size_t most;       /* rows; 0 = TROD_REPORT_MOST */
    double weight;     /* exponent: a subpath of n blocks counts n^weight */
    double confidence; /* 0 = 0.95 */
    double threshold;  /* executions; 0: that of the program */
    double low;        /* two thresholds, and this is the lower one; 0: one */
    double error;      /* say how many more samples this error needs; 0: do not */
    bool blocks;       /* blocks, not lines */
    enum trod_online_sort sort;
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
};

struct trod_online_row {
    const struct trod_online_subpath *subpath;
    size_t rank;  /* by weight, from 1, among all */
    double score; /* rank key: the estimate minus one standard
                     error, times length^weight */
    double error; /* of the estimate; 0: it was counted */
    double share;
    bool sure; /* it reaches the threshold, with that confidence */
    enum trod_online_verdict verdict; /* of two thresholds */
    double
        more; /* for the wanted error, how many times as many samples are needed as there are: 0 if
                    that is enough */
};

/* What rows need for the wanted error. */
struct trod_online_need {
    size_t nrow, nenough; /* those that have it already */
    double more;          /* the most that one of them needs */
};

void trod_online_need_add(
    struct trod_online_need *need, const struct trod_online_row *row);

/* The further samples, of all subpaths, if `more` times as many blocks run as did, and one of as many is a start as now. */
double trod_online_samples(const struct trod_subpaths *subpaths, double more);

/* The selected subpaths that reach the threshold, in order. Returns their number; the first of them,
 * at most as many as are to be printed, are in *out.
 */
size_t trod_online_rows(struct trod_online_row **out, size_t *nrow,
    const struct trod_online_names *names, const struct trod_subpaths_options *options,
    struct trod_arena *mem);

/* The head, rows and foot of a table. */
void trod_online_head(struct trod_sink *sink, const struct trod_subpaths *subpaths,
    size_t nrow, size_t nall, const struct trod_subpaths_options *options);
void trod_online_row(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_online_row *row, const struct trod_subpaths_options *options);
void trod_online_foot(struct trod_sink *sink, const struct trod_subpaths *subpaths,
    const struct trod_online_need *need, const struct trod_subpaths_options *options);

void trod_online_print(struct trod_sink *sink, const struct trod_online_names *names,
    const struct trod_subpaths_options *options, struct trod_arena *mem);
/* Members of the open object. */
void trod_online_json(struct trod_json *json, const struct trod_online_names *names,
    const struct trod_subpaths_options *options, struct trod_arena *mem);

/* --- online_overlap.c: overlap of two samples ------------------------------------------- */

/* Members are subpaths, with their estimates rounded to integers as counts. */
struct trod_online_overlap {
    struct trod_overlap overlap;
    struct trod_subpaths
        both; /* blocks of both, and the subpath of each member, without counts */
};

/* Subpaths are the same if their blocks are: node by node of the same functions. The result is
 * symmetric.
 *
 * fails:  TROD_E_MISMATCH if identities differ, or only one of them is weighted by cost;
 *         if no function is in both, or one has no subpath; TROD_E_LIMIT at 2^31 blocks
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
 *     subpaths NAME rotation               # identity
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
 *   - each subpath has 2 to 1024 existing blocks, is canonical and unique;
 *   - counts are not 0, estimates not below counts, and highest first;
 *   - if all were counted, estimates are counts, and heaviest is 0; otherwise it is at least 1,
 *     and the estimate no more than all samples at that weight.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_subpaths_check(const struct trod_subpaths *subpaths, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
