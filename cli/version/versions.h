/* versions: what the command line knows of versions of a program.
 *
 *     a binary, compile_commands.json, or a folder with one -> units -> texts of trod-clang, one a unit
 *
 * Glossary
 *   version  a program as it was at some time: its sources, and how they are compiled
 *   unit     one source file, and how it is compiled
 *   root     the folder that has all sources: names of files are relative to it
 *
 * Memory: in the command's arena.
 */
#ifndef TROD_CLI_VERSIONS_H
#define TROD_CLI_VERSIONS_H

#include "cli.h"

struct cli_unit {
    const char *file;      /* as the command names it */
    const char *path;      /* absolute, without links */
    const char *directory; /* where the compiler was started */
    const char **arg;      /* the compiler's, and the compiler first; NULL-terminated */
    uint32_t narg, room;
};

struct cli_version {
    const char *name; /* as the user wrote it */
    const char *root;
    struct cli_unit *unit; /* in the order they were found, none twice */
    uint32_t count, room;
    const char **note; /* what was omitted, and why */
    uint32_t nnote, room_note;
};

/* --- version_units.c: which units there are -------------------------------------------------------- */

/* root: NULL for the folder that all sources have in common, and those they include from that are near it.
 *
 * fails:  TROD_E_SYSTEM, TROD_E_INPUT when no unit is found
 */
bool cli_version_find(
    struct cli *cli, struct cli_version *out, const char *name, const char *root);

/* Is it a version, and not a text: a program, a folder, or compile_commands.json? */
bool cli_version_is(const char *path);

/* Add a unit, unless it is there. */
void cli_version_add(
    struct cli *cli, struct cli_version *version, const struct cli_unit *unit);
void cli_version_note(struct cli *cli, struct cli_version *version, const char *format,
    ...) TROD_FORMAT(3, 4);
/* A path from a folder, unless it is absolute. */
const char *cli_path_from(struct cli *cli, const char *folder, const char *path);

/* --- version_commands.c: compile_commands.json ------------------------------------------------------- */

/* Entries with "command" or "arguments". Those of the compiler called by itself, and those of other languages, are left
 * out and noted.
 *
 * fails:  TROD_E_SYSTEM, TROD_E_INPUT
 */
bool cli_version_commands(
    struct cli *cli, struct cli_version *version, const char *path);

/* A command as a shell would part it, without expanding anything; false where a quote is not closed. */
bool cli_command_words(struct cli *cli, struct cli_unit *out, const char *command);
/* Is it a source of C or C++, by its name? */
bool cli_is_c(const char *file);
void cli_unit_add(struct cli *cli, struct cli_unit *unit, const char *arg);

/* --- version_read.c: what trod-clang says of them ------------------------------------------------------ */

/* Run `trod-clang MODE` for each unit, as many at a time as there are processors, and hand what it printed to `take`,
 * in the order of the units. failure: what it said when it could not read the unit, in one line; text is empty then.
 *
 * fails:  TROD_E_SYSTEM; and as `take` does
 */
bool cli_version_read(struct cli *cli, const struct cli_version *version,
    const char *mode,
    bool (*take)(struct cli *cli, const struct cli_unit *unit, struct trod_text *text,
        const char *failure, void *ctx),
    void *ctx);

/* --- version_constructs.c: what they are made of -------------------------------------------------------- */

/* Read all units. Those that could not be read are in its notes. meaning: compile them, too, to know what functions mean.
 */
bool cli_constructs_of(struct cli *cli, struct trod_constructs *out,
    const struct cli_version *version, bool meaning);

/* The same of a version by its name; or from the text form, of FILE.constructs or, for "-", of standard input. Checked, if
 * that was asked for.
 */
bool cli_constructs_read(struct cli *cli, struct trod_constructs *out, const char *name,
    const char *root, bool meaning);

/* What could not be read, as notes on standard error. */
void cli_constructs_note(struct cli *cli, const struct trod_constructs *of);

/* --- cmd_change.c: how versions are compared ----------------------------------------------------------- */

/* What --weight and --alike say. */
bool cli_change_options(struct cli *cli, struct trod_change_options *out);

#endif
