/* migrate_in: what the parts of 'trod migrate' share.
 *
 *     versions, old profiles -> inputs -> plan, a folder -> new profiles -> merged, a folder
 */
#ifndef TROD_CLI_MIGRATE_IN_H
#define TROD_CLI_MIGRATE_IN_H

#include "commands.h"
#include "compare/migrate_version.h"

/* --- migrate_in.c: profiles of inputs -------------------------------------------------------- */

/* NAME=FILE or FILE; files of one name are of one input. */
struct cli_input {
    const char *name;
    struct cli_list file;
    struct trod_entries entries;
    const struct trod_flows *flows; /* NULL: entries are all there is */
    struct trod_string sequence;    /* of sequences: the text of its spans */
};

struct cli_inputs {
    struct cli_input *input;
    uint32_t count, room;
};

/* Which files are of which input. */
bool cli_inputs_list(
    struct cli *cli, struct cli_inputs *out, const struct cli_list *words);
struct cli_input *cli_inputs_find(const struct cli_inputs *of, const char *name);

/* What its profiles say, of a type: path profiles, burst profiles, or the text of entries.
 *
 * build_id: of the program that must have left them; NULL: of any
 * whole: all functions were counted: if nothing ran it is not a profile
 */
struct cli_input_of {
    const char *type;
    const struct trod_map *map; /* NULL: none */
    const char *program, *build_id;
    bool whole;
    bool is_new; /* of the new version */
};
bool cli_input_read(
    struct cli *cli, struct cli_input *input, const struct cli_input_of *of);

/* --- migrate_sequence.c: call sequences ------------------------------------------------------------- */

bool cli_is_sequences(const char *type);
/* Entries and spans of a recording. */
bool cli_sequence_input(struct cli *cli, struct cli_input *input);
/* Spans of the new version: those of a file of the plan, with what was recorded again; input: NULL: nothing was. */
bool cli_sequence_finish(struct cli *cli, struct trod_string *out, const char *name,
    const char *planned, const struct cli_input *input);

/* --- migrate_folder.c: plans and what was merged, in folders ------------------------------------- */

bool cli_folder_make(struct cli *cli, const char *folder);
bool cli_folder_write(struct cli *cli, const char *folder, const char *name,
    const char *suffix, const struct trod_string *text);
const char *cli_folder_path(
    struct cli *cli, const char *folder, const char *name, const char *suffix);

/* What is on a terminal has colours. */
void cli_migrate_print_options(struct trod_migrate_print_options *out, struct cli *cli);

/* trod migrate --finish */
bool cli_migrate_finish(struct cli *cli);

#endif
