/* carried: profiles that are carried over to another version, and their scores.
 */
#ifndef TROD_CLI_CARRIED_H
#define TROD_CLI_CARRIED_H

#include "entry/foreign.h"
#include "input/input.h"
#include "sequence/sequence.h"

/* --- sequences_in.c: call sequences ------------------------------------------------------------------- */

struct cli_sequence {
    struct trod_call_sequence sequence;
    struct trod_map map; /* of the program that was recorded */
    bool has_map;        /* not of texts */
};

/* A recording of 'trod cc --wpp', or spans in their text form. selective: calls of what was not recorded are kept. */
bool cli_sequence_read(
    struct cli_sequence *out, struct cli *cli, const char *path, bool selective);

/* The call sequence of the new version: that of the old one, and what was recorded selectively, by 'trod cc --wpp --only'.
 * What is counted by its map is affected, what it left out exempt; arguments are taken to be as they were.
 */
bool cli_sequence_merge(struct trod_call_sequence_merged *out, struct cli *cli,
    const char *old, const char *recorded);

/* trod calls steps --spans */
bool cli_spans_put(struct cli *cli);

/* --- foreign_in.c: profiles of other profilers ------------------------------------------------------------ */

/* Is it one, by its first bytes? Its entries; of gmon.out with names from --binary. */
bool cli_foreign_is(const struct cli_bytes *in);
bool cli_foreign_read(struct trod_entries *out, struct cli *cli, const char *type,
    const struct cli_bytes *in);

/* --- cmd_score.c: how good merged profiles are ------------------------------------------------------- */

/* Scores of merged entries, files or folders, in the form asked for. full: profiles, FILE or INPUT=FILE. */
bool cli_score_put(
    struct cli *cli, const struct cli_list *merged, const struct cli_list *full);

#endif
