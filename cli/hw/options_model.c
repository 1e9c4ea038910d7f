#include "option_tables.h"

static const struct argp_option model_own[] = {
    {"control", KEY_CONTROL, "REGISTER", 0,
        "which branches begin and end paths: ballarus (default), wpp, exact, exact-wpp, "
        "or a file with a register",
        0},
    {"set", KEY_SET, "LINE", 0,
        "change a line of the register: --set='back: all'; can be repeated", 0},
    {"table", KEY_TABLE, "DESIGN", 0,
        "run a hot path table over the paths: ENTRIESxWAYS, replacement (lfu, lru, "
        "inherit, admit), index (xor, xor-last, xor-fold, address, multiply, skew), "
        "ties=, bits=, shift=, door=, seed=, with commas between them; can be repeated "
        "(512x4,lfu,xor)",
        0},
    {"machine", KEY_MACHINE, "WHICH", 0,
        "whose misses, mispredictions or power are counted, where the register says so: "
        "table5.3, low, high, perfect, or a file that describes one (table5.3)",
        0},
    {"window", KEY_WINDOW, "N", 0,
        "overlap in windows of N instructions, too (100000000)", 0},
    {"phases", KEY_PHASES, "N", OPTION_ARG_OPTIONAL,
        "find phases, in intervals of N instructions (1000000)", 0},
    {"least", KEY_LEAST, "PERCENT", 0,
        "with --phases: intervals of a phase have so much in common, or more (50)", 0},
    {"spread", KEY_SPREAD, 0, 0,
        "print what share the heaviest paths have, and those of few branches", 0},
    {"grammar", KEY_GRAMMAR, 0, 0,
        "print the paths of each thread in a row, as a grammar", 0},
    {"from", KEY_FROM, "N", 0,
        "leave out runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "leave out runs from instruction N on", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (20)", 0},
    {"text", KEY_TEXT, 0, 0, "print the register, and read no stream", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

const struct argp cli_model_argp = {
    model_own,
    cli_parse_command,
    "[FILE...]\n-- PROGRAM [ARGUMENT...]",
    "Print which paths a program took as a path profiler in a processor would see them, "
    "and how right tables of a few entries are about which of them ran most. A path is "
    "where it begins and which of its branches were taken (T) or not (N); a register says "
    "which branches begin and end one. Overlap is the sum of the lesser of each path's two "
    "shares, in the table and in truth; coverage the true share of what is in the table at "
    "the end; ideal what the heaviest paths have, as many as fit.\n\n"
    "Files are streams of branches: traces, or in their text form. Without a file, or for '-', standard "
    "input is read." CLI_OR_PROGRAM "\vExamples:\n"
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
