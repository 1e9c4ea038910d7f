#include "option_tables.h"

static const struct argp_option model_own[] = {
    {"control", KEY_CONTROL, "REGISTER", 0,
        "the control register, which defines the branches that begin and end paths: ballarus "
        "(default), wpp, exact, exact-wpp, or a file",
        0},
    {"set", KEY_SET, "LINE", 0,
        "change a line of the control register, such as --set='back: all'; may be repeated",
        0},
    {"table", KEY_TABLE, "DESIGN", 0,
        "run a hot path table over the paths: ENTRIESxWAYS, replacement (lfu, lru, inherit, "
        "admit), index (xor, xor-last, xor-fold, address, multiply, skew), ties=, bits=, "
        "shift=, door=, seed=, separated by commas (doc/hardware/model.md); may be repeated "
        "(default: 512x4,lfu,xor)",
        0},
    {"machine", KEY_MACHINE, "WHICH", 0,
        "the machine whose misses, mispredictions or power are counted, if the control "
        "register selects them: table5.3 (default), low, high, perfect, or a file that "
        "describes one",
        0},
    {"window", KEY_WINDOW, "N", 0,
        "also print the overlap in windows of N instructions (default: 100000000)", 0},
    {"phases", KEY_PHASES, "N", OPTION_ARG_OPTIONAL,
        "find phases, in intervals of N instructions (default: 1000000)", 0},
    {"least", KEY_LEAST, "PERCENT", 0,
        "with --phases: the least overlap of intervals of one phase (default: 50)", 0},
    {"spread", KEY_SPREAD, 0, 0,
        "print the share of the heaviest paths, and of paths with few branches", 0},
    {"grammar", KEY_GRAMMAR, 0, 0,
        "print the path sequence of each thread, as a grammar", 0},
    {"from", KEY_FROM, "N", 0,
        "omit runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "omit runs from instruction N on", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (default: 20)", 0},
    {"text", KEY_TEXT, 0, 0, "print the control register, and do not read a trace", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

const struct argp cli_model_argp = {
    model_own,
    cli_parse_command,
    "[FILE...]\n-- PROGRAM [ARGUMENT...]",
    "Print the paths that a path profiler in a processor would see, and how accurately "
    "tables with few entries identify the hottest of them. A path is its start address "
    "and the outcomes of its branches, taken (T) or not (N); a control register defines "
    "the branches that begin and end paths. Overlap is the sum, over all paths, of the "
    "smaller of the shares in the table and in the complete profile; coverage is the "
    "true share of the paths in the table at the end; ideal is the share of the heaviest "
    "paths that would fit.\n\nEach FILE is a branch trace, or its text form. With no "
    "FILE, or when FILE is '-', trod reads standard input." CLI_OR_PROGRAM
    "\vExamples:\n"
    "  trod hw model app.branches\n"
    "  trod hw model --table=512x4,lfu,xor --table=512x4,admit,skew app.branches\n"
    "  trod hw model --control=wpp --grammar app.branches\n"
    "  trod hw model --set='extend: loops 1' --set='back: all' app.branches\n"
    "  trod hw model --control=wpp --text\n"
    "  trod hw model --set='metric: misses' -- gzip -c file\n"
    "  trod hw model -- gzip -c file\n",
    cli_printing_children,
    0,
    0,
};
