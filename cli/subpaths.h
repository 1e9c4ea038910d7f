/* subpaths: what the files of 'trod subpaths --exact' share. */
#ifndef TROD_CLI_SUBPATHS_H
#define TROD_CLI_SUBPATHS_H

#include "cli.h"
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
    uint64_t ncut;           /* bytes at the end that are no whole chunk */
};

/* All blocks there are. Of a program, profile has what it left, until cli_blocks_end. Says how it ended.
 *
 * fails:  TROD_E_SYSTEM; TROD_E_INPUT; as take does
 */
bool cli_blocks_read(struct cli_blocks *blocks, struct cli *cli);
void cli_blocks_end(struct cli_blocks *blocks);

/* How many blocks a file has; 0: that cannot be known before they are read. */
uint64_t cli_blocks_count(const char *path);

#endif
