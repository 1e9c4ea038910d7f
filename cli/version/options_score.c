#include "option_tables.h"

/* How good profiles are that were carried over to a new version. */

static const struct argp_option score_own[] = {
    {"full", KEY_FULL, "[INPUT=]FILE", 0,
        "the profile of an input that all of the new version was counted for", 0},
    {"all", KEY_ALL_ENTRIES, 0, 0,
        "parts of functions that did not run are entries, too", 0},
    {"times", KEY_TIMES, "FILE", 0,
        "print how much time was saved, by the seconds in FILE", 0},
    {"wrong", KEY_WRONG, "N", OPTION_ARG_OPTIONAL,
        "print the N entries (20) of each input that are farthest off, too", 0},
    NAMES_FROM,
    MAX_STEPS,
    {0},
};

const struct argp cli_score_argp = {
    score_own,
    cli_parse_command,
    "MERGED... --full FULL...",
    "Print how good merged profiles are: how many of the entries of a full profile they have with "
    "the same count (Acc), or within one percent (near); how many of those that were reused are "
    "right (P), and how many that could have been reused were (R), and both as one (F); and "
    "how much both have in common of all that ran (hot).\n\n"
    "MERGED are texts of entries or of call sequences, or folders with such: what 'trod migrate "
    "--finish' writes. Profiles among them are full ones. A full profile is of an input that is "
    "named before it, or that its own name ends with. Entries of it are found anew, by walking "
    "every path that ran, block by block.\n\n"
    "Lines of FILE with times are 'INPUT plain SECONDS', for the program without profiling, 'INPUT "
    "full SECONDS', for profiling all of it, 'INPUT selective SECONDS', for profiling the rest, or "
    "'INPUT skipped'; and 'analysis SECONDS'. Of several values in a line, the median counts."
    "\vExamples:\n"
    "  trod version score merged/ --full full-*.trod\n"
    "  trod version score small.entries --full=small=v2.1234.trod --times=times\n",
    cli_printing_children,
    0,
    0,
};
