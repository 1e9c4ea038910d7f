/* verdict: what the tests of a program ran, and what they did not.
 */
#ifndef TROD_CLI_VERDICT_H
#define TROD_CLI_VERDICT_H

#include "input/input.h"

/* --- cmd_tests.c, verdict.c: what a suite of tests says ---------------------------------------- */

struct cli_suite {
    struct trod_suite suite; /* of the functions chosen */
    struct trod_map map;
    struct trod_report_options options;
    uint32_t most; /* rows */
};

/* --first; --failed */
bool cli_first_put(struct cli *cli, struct cli_suite *t);
bool cli_suspects_put(struct cli *cli, struct cli_suite *t);

/* Does the name of a function match the GLOB of --function? */
bool cli_report_wants(const char *function, void *glob);

/* --- cmd_untested.c: what production ran and no test did ------------------------------------------ */

struct cli_found {
    struct cli_chosen chosen; /* of production */
    struct trod_ran field;
    struct trod_untested untested;
    struct trod_map map;
};

/* What production's files have that those of --tested do not. */
bool cli_untested_find(
    struct cli_found *out, struct cli *cli, const struct cli_list *field);

/* As text, or as members of the open object. */
void cli_untested_put(struct cli *cli, const struct cli_found *found);

/* What the files of --tested have; and whether that is of the program that production ran, by the status 4 unless
 * --partial was said.
 *
 * needs:  the maps of production
 */
struct cli_tested {
    struct trod_list list;
    const struct trod_profile_function
        *known; /* what the programs have that the tests ran, sorted */
    size_t nknown;
};
bool cli_tested_read(
    struct cli_tested *out, struct cli *cli, const struct trod_map *map);
bool cli_tested_match(struct cli *cli, const struct cli_tested *tested,
    const struct trod_ran *field, const struct trod_map *map,
    const struct trod_untested *untested);

#endif
