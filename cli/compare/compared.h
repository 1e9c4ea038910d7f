/* compared: what two files have in common.
 */
#ifndef TROD_CLI_COMPARED_H
#define TROD_CLI_COMPARED_H

#include "calls/recordings.h"

/* --- overlap_in.c, cmd_overlap.c: what two files have in common ---------------------------------- */

enum cli_member_kind { CLI_PATHS, CLI_SUBPATHS, CLI_SEGMENTS, CLI_BURSTS };

/* What a file has that can be compared: a profile, or the text of its subpaths, segments or bursts. */
struct cli_compared {
    const char *name;
    enum cli_member_kind kind;
    bool counted; /* paths across calls: these are segments, too, if somebody asks */
    bool text;    /* it is not a profile: members are as they were read */
    struct trod_profile profile; /* all of it added up; of steps, nothing */
    struct cli_recorded recorded;
    struct trod_subpaths subpaths;
    struct trod_segments segments;
    struct trod_bursts burst;
};

bool cli_compared_read(struct cli_compared *out, struct cli *cli, const char *path);

/* The members of both, whatever kind they are of, and the maps of both.
 *
 * fails:  TROD_E_MISMATCH when they are of different kinds, or modes
 */
bool cli_compared_join(struct cli_compared *a, struct cli_compared *b,
    struct trod_map *map, struct cli *cli);

#endif
