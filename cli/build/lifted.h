/* lifted: what emulators saw, lifted to profiles and maps. */
#ifndef TROD_CLI_LIFTED_H
#define TROD_CLI_LIFTED_H

#include "commands.h"

struct cli_lift_options {
    struct cli_list seen; /* files; their paths are counted */
    struct cli_list also; /* of these, only the code is looked at */
    uint64_t limit;       /* paths of a function; 0: as many as ids have room for */
};

struct cli_lifted {
    const struct trod_seen *const *seen;
    uint32_t ncounted;
    struct trod_lifted lifted;
    struct trod_dwfl
        *dwfl; /* the files that lines are read from: open until it is closed */
};

/* Read and lift, with symbols and lines from the files that ran, and what did not run decoded from them.
 * Says which files are gone.
 *
 * fails:  TROD_E_SYSTEM, TROD_E_INPUT, TROD_E_LIMIT
 */
bool cli_lifted_build(
    struct cli *cli, struct cli_lifted *out, const struct cli_lift_options *from);

/* Always, whether it could be built or not. */
void cli_lifted_close(struct cli_lifted *lifted);

/* Build, write and close: write a profile and the file of its map, which the profile names. Either file may be NULL:
 * the profile goes to cli->out then, and there is no map.
 */
bool cli_lifted_write(struct cli *cli, const struct cli_lift_options *from,
    const char *profile, const char *map);

#endif
