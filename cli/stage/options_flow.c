#include "option_tables.h"

/* What paths tell of blocks, edges and lines. */

static const struct argp_option flow_own[] = {
    {"function", 'f', "GLOB", 0,
        "take only functions whose names match GLOB, and their files", 0},
    {"check", KEY_CHECK, 0, 0, "check that what enters a block leaves it", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_flow_argp = {
    flow_own,
    cli_parse_command,
    FILES,
    "Print how often every block, edge, line and decision ran, as the paths that ran tell it. Of "
    "each function: how often it was entered, and of each block how often it ran and each way "
    "out of it was taken. Of each file: how often each line that has code was begun, and how often "
    "each way of a decision on it was taken. Functions that were counted and did not run are there, "
    "too. Where only some paths of a function have a count, it is 'partial': its blocks ran at "
    "least as often. What a function did on a path that it was left on, by exit, longjmp or an "
    "exception, is not in it.\n\n" PROFILES "\vExamples:\n"
    "  trod stage flow app.trod\n"
    "  trod stage flow --function='parse_*' --check app.trod\n"
    "  trod stage flow --json app.trod\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option annotate_own[] = {
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    CODE_SHOWN,
    LOOKS,
    {"all", KEY_ALL, 0, 0, "show functions that did not run, too", 0},
    {"most", KEY_MOST, "N", 0, "list at most N paths of a function (5)", 0},
    {"path", 'p', "ID", 0,
        "show one path of the function, by its id: lines that are on it are marked, others dim",
        0},
    SOURCES_FROM,
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_annotate_argp = {
    annotate_own,
    cli_parse_command,
    FILES,
    "Print the sources of what ran. Before each line that has code: how often it was begun, "
    "and a bar, as long as that is next to the line that was begun most; behind it, how often "
    "each way of its decisions was taken. Beneath each function are the paths that ran most, "
    "each with a letter, which stands in the margin of the lines that the path is on. Where a "
    "source is not found, blocks are printed instead, and why. On a terminal lines are coloured "
    "by heat, unless NO_COLOR is set in the environment.\n\n" PROFILES "\vExamples:\n"
    "  trod annotate app.trod\n"
    "  trod annotate --function=main --most=3 app.trod\n"
    "  trod annotate --file='*.h' --all --json app.trod\n",
    cli_printing_children,
    0,
    0,
};
