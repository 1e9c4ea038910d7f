/* migrate_version: one version of a program, as far as it is known. */
#ifndef TROD_CLI_MIGRATE_VERSION_H
#define TROD_CLI_MIGRATE_VERSION_H

#include "cli.h"

struct cli_migrate_version {
    const char *name; /* what the user called it */
    const char *path; /* of the program; NULL: there is none */
    const char *build_id;
    bool has_map, has_constructs, has_depends;
    struct trod_string map_text;
    struct trod_map map;
    struct trod_constructs constructs;
    struct trod_depends depends;
};

/* What is wanted of it beside its map. */
struct cli_migrate_wants {
    bool constructs; /* without, methods that need none do */
    bool must;       /* a program without sources is an error, and not a note */
    bool shape;      /* hashes that clang keeps of functions, which take compiling */
    bool depends;    /* who depends on whom: likewise */
};

/* A program that 'trod cc' built, compile_commands.json or a folder that has one, or the text of constructs. What of it can
 * be had is: a program whose sources are gone has its map and no constructs, and a note says so.
 *
 * fails:  TROD_E_INPUT, TROD_E_SYSTEM
 */
bool cli_migrate_version_read(struct cli *cli, struct cli_migrate_version *out,
    const char *what, const struct cli_migrate_wants *wants);

#endif
