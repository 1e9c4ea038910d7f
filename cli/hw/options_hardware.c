#include "option_tables.h"

/* Options of hardware models that read branch traces. */

static const struct argp_option explore_own[] = {
    {"study", KEY_STUDY, "NAME", 0, "use a built-in study instead of a file", 0},
    {"designs", KEY_DESIGNS, 0, 0, "print the designs without running them", 0},
    {"parameters", KEY_PARAMETERS, 0, 0, "print the available parameters and measures",
        0},
    {"order", KEY_ORDER, "N", 0,
        "for factorials: print the effects of interactions of up to N parameters "
        "(default: 2)",
        0},
    {"addresses", KEY_ADDRESSES, "N", 0,
        "for streams: record at most N addresses of a trace; if it has more, no accuracy "
        "of streams is measured (default: 33554432)",
        0},
    {"text", KEY_TEXT, 0, 0,
        "print study and values in the text form, which trod can read", 0},
    {"csv", KEY_CSV, 0, 0, "print a line for each trace, design and measure", 0},
    {"svg", KEY_SVG, 0, 0, "draw effects, or means for sweeps", 0},
    {"from", KEY_FROM, "N", 0, "omit the first N instructions of each trace", 0},
    {"to", KEY_TO, "N", 0, "stop before instruction N", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

static const struct argp study_argp = PARSED_BY_CHILD(cli_study_words);

static const struct argp_child explore_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&study_argp, 0, "NAME is one of:", 1},
    {0},
};

const struct argp cli_explore_argp = {
    explore_own,
    cli_parse_command,
    "[STUDY] [TRACE...]\n[STUDY] -- PROGRAM [ARGUMENT...]",
    "Try many designs of profiling hardware on the same branch traces, all in one pass "
    "over each trace. Print the measurements and the importance of each parameter: its "
    "effect, its share of the variation, and its rank, summed over the traces.\n\nA "
    "study lists parameters with their values, measures, and the designs to try: one "
    "parameter at a time (sweep), every combination (factorial), or a small balanced set "
    "(burman, after Plackett and Burman). Without traces, trod prints the designs; a "
    "study with values, as --text prints it, is reported again. Traces are trace files "
    "or text of 'trod hw trace'." CLI_OR_PROGRAM "\vExamples:\n"
    "  trod hw explore --parameters\n"
    "  trod hw explore --study=tables --text >mine.study\n"
    "  trod hw explore mine.study gzip.branches bzip2.branches\n"
    "  trod hw explore --study=parameters --csv *.branches\n"
    "  trod hw explore mine.study -- gzip -c file\n",
    explore_children,
    0,
    0,
};
