#include "options.h"

/* Programs that were emulated. */

static const struct argp_option lift_own[] = {
    {"output", 'o', "FILE", 0, "write the profile to FILE instead of standard output",
        0},
    {"map", KEY_MAP, "FILE", 0,
        "write the map to FILE instead of beside the profile, where it has '.trodmap' behind its "
        "name",
        0},
    {"also", KEY_ALSO, "FILE", 0,
        "look at the code of another run, too, and count nothing of it: profiles of runs that are "
        "lifted with each other have the same graphs",
        0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut functions until they have at most N paths (2^63 - 1)", 0},
    {"text", KEY_TEXT, 0, 0, "print functions, their graphs and paths", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_lift_argp = {
    lift_own,
    cli_parse_command,
    "FILE...",
    "Turn what an emulator saw of processes into a profile, which all commands read that read "
    "those of programs compiled by 'trod cc'. Functions, their graphs, names and lines are found in "
    "the code that ran and in the files it is of; they go into a map, which the profile names. "
    "'trod emulate' does this by itself.\vExamples:\n"
    "  trod lift -o app.trod app.seen\n"
    "  trod report app.trod\n"
    "  trod lift -o a.trod --also=b.seen a.seen\n",
    0,
    0,
    0,
};
