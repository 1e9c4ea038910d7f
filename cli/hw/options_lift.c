#include "option_tables.h"

/* Options of trod hw lift. */

static const struct argp_option lift_own[] = {
    {"output", 'o', "FILE", 0, "write the profile to FILE instead of standard output",
        0},
    {"map", KEY_MAP, "FILE", 0, "write the map to FILE instead of PROFILE.trodmap", 0},
    {"also", KEY_ALSO, "FILE", 0,
        "also use the code of another run to build the graphs, without counting it; if each "
        "of two runs names the other, both profiles have the same graphs",
        0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut functions until they have at most N paths (default: 2^63 - 1)", 0},
    {"text", KEY_TEXT, 0, 0, "print functions, their graphs and paths", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_lift_argp = {
    lift_own,
    cli_parse_command,
    "FILE...",
    "Turn what an emulator recorded of processes into a profile, which commands read "
    "like that of a program compiled by 'trod cc'. trod finds functions, graphs, names "
    "and lines in the code that ran and in its files, and writes them to a map, which "
    "the profile refers to. 'trod emulate' does this by itself.\vExamples:\n  trod hw "
    "lift -o app.trod app.seen\n  trod report app.trod\n  trod hw lift -o a.trod "
    "--also=b.seen a.seen\n",
    0,
    0,
    0,
};
