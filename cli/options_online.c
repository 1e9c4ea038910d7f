#include "options.h"

/* Subpaths, sampled or all counted. */

static const struct argp_option subpaths_own[] = {
    {"function", 'f', "GLOB", 0,
        "take only subpaths with a block of a function whose name matches GLOB", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20)", 0},
    {"weight", KEY_WEIGHT, "E", 0,
        "rank a subpath of n blocks by how often it ran times n to the Eth (0)", 0},
    {"confidence", KEY_CONFIDENCE, "P", 0,
        "give bounds that hold with a probability of P percent (95)", 0},
    {"threshold", KEY_THRESHOLD, "N", 0,
        "print only subpaths that ran N times or more, and which of them surely did",
        0},
    {"text", KEY_TEXT, 0, 0, "print all in the text form, which is read again", 0},
    {"blocks", KEY_BLOCKS, 0, 0, "tell subpaths by their blocks, not by lines", 0},
    {"binary", KEY_BINARY, "FILE", 0,
        "take names and lines from this program, library or map, wherever it ran from",
        0},
    {"maps", KEY_MAPS, "FOLDER", 0,
        "look first for programs, libraries and maps in this folder, by build id", 0},
    {0},
};

static const struct argp_option exact_own[] = {
    {"exact", KEY_EXACT, 0, 0,
        "count all subpaths of a trace, or of a program that is run, named behind '--'",
        0},
    {"lengths", KEY_LENGTHS, "LIST", 0, "with --exact: count subpaths of these lengths",
        0},
    {"identity", KEY_IDENTITY, "WHICH", 0, "with --exact: which subpaths are one", 0},
    {"sample", KEY_SAMPLE, "OPTIONS", 0,
        "with --exact: sample the trace, too, as a program would", 0},
    {"seed", KEY_SEED, "N", 0, "with --sample: the seed of what is random", 0},
    {"memory", KEY_MEMORY, "SIZE", 0, "with --exact: use at most so much (1g)", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --exact: when that is full, print what was counted until then", 0},
    {"stops", KEY_STOPS, "N", 0,
        "with --exact: print also what was counted after every N blocks, or N%", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

static const struct argp exact_argp = PARSED_BY_CHILD(exact_own);
static const struct argp identity_argp = PARSED_BY_CHILD(cli_identity_words);

static const struct argp_child subpaths_children[] = {
    {&exact_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&identity_argp, 0, "WHICH is one of:", 1},
    {0},
};

const struct argp cli_subpaths_argp = {
    subpaths_own,
    cli_parse_command,
    FILES,
    "Print which subpaths ran most: rows of blocks that a thread took one after another, "
    "across loops and calls, as programs compiled by 'trod cc --online' sample them while "
    "they run.\n\n" PROFILES "\vExamples:\n"
    "  trod subpaths app.trod\n"
    "  trod subpaths --most=5 --weight=1 app.trod\n",
    subpaths_children,
    0,
    0,
};
