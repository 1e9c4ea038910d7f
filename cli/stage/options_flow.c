#include "option_tables.h"

/* What paths tell of blocks, edges and lines. */

static const struct argp_option flow_own[] = {
    {"function", 'f', "GLOB", 0,
        "include only functions whose names match GLOB, and their files", 0},
    {"check", KEY_CHECK, 0, 0, "check that flow is conserved at every block", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_flow_argp = {
    flow_own,
    cli_parse_command,
    FILES,
    "Print how often every block, edge, line and decision ran, derived from path counts. "
    "For each function: its entries, and for each block its count and that of each "
    "outgoing edge. For each file: the count of each line that has code, and of each "
    "outcome of the decisions on it. Instrumented functions that did not run are "
    "included. If only some paths of a function are counted, it is 'partial': its counts "
    "are lower bounds. Unfinished paths, abandoned by exit, longjmp or an exception, are "
    "not included.\n\n" PROFILES "\vExamples:\n"
    "  trod stage flow app.trod\n"
    "  trod stage flow --function='parse_*' --check app.trod\n"
    "  trod stage flow --json app.trod\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option annotate_own[] = {
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    CODE_SHOWN,
    LOOKS,
    {"all", KEY_ALL, 0, 0, "also show functions that did not run", 0},
    {"most", KEY_MOST, "N", 0, "list at most N paths of a function (default: 5)", 0},
    {"path", 'p', "ID", 0,
        "show one path of the function, by its id: its lines are marked, others are dimmed",
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
    "Print the sources of the functions that ran. Each line that has code is preceded by "
    "its count, and a bar relative to the hottest line; it is followed by the counts of "
    "each outcome of its decisions. Below each function are its hottest paths, each with "
    "a letter, which marks the lines of the path in the margin. If a source is not "
    "found, trod prints blocks instead, with the reason. On a terminal, lines are "
    "coloured by heat, unless NO_COLOR is set in the environment.\n\n" PROFILES
    "\vExamples:\n"
    "  trod annotate app.trod\n"
    "  trod annotate --function=main --most=3 app.trod\n"
    "  trod annotate --file='*.h' --all --json app.trod\n",
    cli_printing_children,
    0,
    0,
};
