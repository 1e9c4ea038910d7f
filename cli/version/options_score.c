#include "option_tables.h"

/* How good profiles are that were carried over to a new version. */

static const struct argp_option score_own[] = {
    {"full", KEY_FULL, "[INPUT=]FILE", 0,
        "a complete profile of the new version on INPUT", 0},
    {"all", KEY_ALL_ENTRIES, 0, 0,
        "also treat parts of functions that did not run as entries", 0},
    {"times", KEY_TIMES, "FILE", 0,
        "print the time saved, from the measurements in FILE", 0},
    {"wrong", KEY_WRONG, "N", OPTION_ARG_OPTIONAL,
        "also print the N entries (default: 20) of each input with the largest error",
        0},
    NAMES_FROM,
    MAX_STEPS,
    {0},
};

const struct argp cli_score_argp = {
    score_own,
    cli_parse_command,
    "MERGED... --full FULL...",
    "Print the accuracy of merged profiles against full ones: the share of entries with "
    "the same count (Acc), or within one percent (near); the precision (P), recall (R) "
    "and F-measure (F) of reused entries; and the overlap of the counts (hot).\n\nEach "
    "MERGED is a file with entries or call sequences, or a folder of such files, as "
    "'trod migrate --finish' writes them. Profiles among them are full ones. The input "
    "of a full profile is named before it, or at the end of its file name. Its entries "
    "are derived independently, by walking every path that ran, block by block.\n\nThe "
    "lines of the file of --times are 'INPUT plain SECONDS' for the program without "
    "profiling, 'INPUT full SECONDS' for full profiling, 'INPUT selective SECONDS' for "
    "profiling only what changed, or 'INPUT skipped'; and 'analysis SECONDS'. If a line "
    "has several values, the median is used.\vExamples:\n  trod version score merged/ "
    "--full full-*.trod\n  trod version score small.entries --full=small=v2.1234.trod "
    "--times=times\n",
    cli_printing_children,
    0,
    0,
};
