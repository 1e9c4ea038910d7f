#include "option_tables.h"

/* Models of hardware, on streams of branches. */

static const struct argp_option explore_own[] = {
    {"study", KEY_STUDY, "NAME", 0, "instead of a file: a study that trod knows", 0},
    {"designs", KEY_DESIGNS, 0, 0,
        "print the designs that would be tried, and run none", 0},
    {"parameters", KEY_PARAMETERS, 0, 0,
        "print which parameters there are, and what can be measured", 0},
    {"order", KEY_ORDER, "N", 0,
        "of factorials: interactions of at most N parameters (2)", 0},
    {"text", KEY_TEXT, 0, 0,
        "print study and values in the text form, which is read again", 0},
    {"csv", KEY_CSV, 0, 0, "print a line for each stream, design and measure", 0},
    {"svg", KEY_SVG, 0, 0, "draw effects; of sweeps, means", 0},
    {"from", KEY_FROM, "N", 0, "leave out the first N instructions of each stream", 0},
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
    "[STUDY] [STREAM...]\n[STUDY] -- PROGRAM [ARGUMENT...]",
    "Try many designs of profiling hardware on the same streams of branches, all at once on one "
    "pass over each, and print what was measured, and what each parameter is worth: its "
    "effect, its share of the variation, and its rank, summed over the streams.\n\n"
    "A study names parameters with their values, what is measured, and which designs are to "
    "be tried: one parameter at a time (sweep), every combination (factorial), or a few "
    "that are balanced (burman, after Plackett and Burman). Without streams, the designs are "
    "printed; a study that has values, as --text prints them, is told again. Streams are "
    "traces, or text, of 'trod hw trace'." CLI_OR_PROGRAM "\vExamples:\n"
    "  trod hw explore --parameters\n"
    "  trod hw explore --study=tables --text >mine.study\n"
    "  trod hw explore mine.study gzip.branches bzip2.branches\n"
    "  trod hw explore --study=parameters --csv *.branches\n"
    "  trod hw explore mine.study -- gzip -c file\n",
    explore_children,
    0,
    0,
};
