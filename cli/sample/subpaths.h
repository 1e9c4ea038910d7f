/* subpaths: what the files of 'trod sample subpaths --exact' share. */
#ifndef TROD_CLI_SUBPATHS_H
#define TROD_CLI_SUBPATHS_H

#include "commands.h"
#include "stage/subject.h"
#include "online/every.h"

/* --- blocks_in.c: blocks of a file or of a program that is run -------------------------------- */

struct cli_blocks {
    const char *name;        /* of the file; '-': standard input */
    char *const *argv;       /* or of a program, which is run; NULL: none */
    char folder[40];         /* where it leaves profiles */
    struct cli_list profile; /* these */
    void (*tick)(void *ctx); /* called now and then; NULL: not */
    trod_trace_taker take;   /* gets the blocks */
    void *ctx;               /* of both */
    uint64_t ncut;           /* bytes of an incomplete chunk at the end */
};

/* All blocks there are. Of a program, profile has what it left, until cli_blocks_end. Says how it ended.
 *
 * fails:  TROD_E_SYSTEM; TROD_E_INPUT; as take does
 */
bool cli_blocks_read(struct cli_blocks *blocks, struct cli *cli);
void cli_blocks_end(struct cli_blocks *blocks);

/* How many blocks a file has; 0: that cannot be known before they are read. */
uint64_t cli_blocks_count(const char *path);

/* --- sampled_trace.c: the same blocks, sampled as a program would ------------------------------- */

/* A sampler for each thread, as --online=OPTIONS has it. */
struct cli_sampler;

struct cli_sampled_row {
    double estimate, samples;
    double both, one; /* bounds of the error at 95 %, as parts of the estimate */
    uint32_t length;
    const uint32_t *block;
};

struct cli_sampled {
    struct cli_sampled_row *row; /* the hottest first */
    size_t nrow;
    double f; /* at last */
    uint64_t nbegun, nsample, ndropped, nrejected;
    double nkept; /* samples that the rows have, with repeats */
};

/* fails:  for bad options, as a misuse */
bool cli_sampler_open(struct cli_sampler **out, struct cli *cli, const char *options,
    enum trod_sample_identity identity, uint64_t seed);

bool cli_sampler_add(struct cli_sampler *sampler, uint64_t thread,
    const uint32_t *block, size_t nblock, struct trod_err *err);

/* All subpaths in the sample, as it is now. */
void cli_sampler_read(
    struct cli_sampled *out, struct cli_sampler *sampler, double weight);

/* The row of a subpath, from 1; 0: there is none. */
size_t cli_sampled_find(const struct cli_sampled *sampled,
    enum trod_sample_identity identity, const uint32_t *block, uint32_t length);

/* --- block_names.c: what blocks of a trace are ------------------------------------------------------ */

struct cli_block_names {
    struct cli *cli;
    enum trod_sample_identity identity;
    struct cli_place {
        uint64_t counter; /* what blocks are numbered by in a trace */
        uint64_t first;   /* terminal */
        uint64_t npath;
    } *place; /* of functions, ascending */
    uint32_t nplace;
    struct trod_online_blocks blocks;
    struct trod_online_blocks_module module;
    struct trod_subpaths subpaths;
    struct trod_online_names names;
    trod_block *room; /* for any subpath */
};

/* From a profile of the program that wrote the trace, as it left it.
 *
 * fails:  TROD_E_MISMATCH when it is another's, or none that says; TROD_E_INPUT; TROD_E_SYSTEM
 */
bool cli_block_names_open(struct cli_block_names *out, struct cli *cli,
    const char *profile, enum trod_sample_identity identity);

/* A subpath in words; NULL if it has a block that the profile does not know. */
const char *cli_block_names_put(
    struct cli_block_names *names, const uint32_t *block, uint32_t n);

/* --- exact_print.c: what was counted ----------------------------------------------------------------- */

/* What is known at some point: all, and what a sampler has of it. */
struct cli_known {
    struct trod_every_answer exact;
    struct cli_sampled sampled;
};

struct cli_exact {
    struct cli *cli;
    struct cli_blocks blocks;
    struct trod_every every;
    enum trod_sample_identity identity;
    double weight;
    size_t most;
    uint64_t distance; /* blocks from stop to stop; 0: none */
    struct cli_known *stop;
    uint32_t nstop, room;
    struct cli_sampler *sampler; /* NULL: none */
    struct cli_block_names names;
    bool has_names;
    double begun, reported; /* when */
};

/* What messages call the trace. */
const char *cli_exact_name(const struct cli_exact *exact);

/* Rows of a stop. */
size_t cli_exact_at_stop(const struct cli_exact *exact);

/* All of it, in the form asked for. */
void cli_exact_put(struct cli_exact *exact, struct cli *cli);

/* Bytes as 64k, 1g. */
bool cli_parse_size(uint64_t *out, const char *text, const char *end);

#endif
