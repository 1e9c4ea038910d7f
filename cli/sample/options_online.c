#include "option_tables.h"

/* Options of commands for subpaths, sampled or exact. */

static const struct argp_option subpaths_own[] = {
    {"text", KEY_TEXT, 0, 0, "print everything in the text form, which trod can read",
        0},
    {0},
};

static const struct argp_option exact_own[] = {
    {"exact", KEY_EXACT, 0, 0,
        "count all block sequences of a trace, or of the program after '--'", 0},
    {"lengths", KEY_LENGTHS, "LIST", 0,
        "with --exact: count block sequences of these lengths, such as 2,3,8-16 (default: "
        "2,4,8,16,32)",
        0},
    {"identity", KEY_IDENTITY, "WHICH", 0,
        "with --exact: which block sequences are equal", 0},
    {"sample", KEY_SAMPLE, "OPTIONS", 0,
        "with --exact: also sample the trace as --online=OPTIONS would, and compare",
        0},
    {"seed", KEY_SEED, "N", 0, "with --sample: the random seed", 0},
    {"memory", KEY_MEMORY, "SIZE", 0,
        "with --exact: use at most SIZE bytes (default: 1g)", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --exact: when memory is full, drop the least frequent sequences, continue, and "
        "print by how much counts may be too low; also accept a truncated trace",
        0},
    {"stops", KEY_STOPS, "N", 0,
        "with --exact: also print the counts after every N blocks, or N%", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

static const struct argp exact_argp = PARSED_BY_CHILD(exact_own);
static const struct argp identity_argp = PARSED_BY_CHILD(cli_identity_words);

static const struct argp_child subpaths_children[] = {
    {&cli_sequences_argp, 0, 0, 0},
    {&exact_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&identity_argp, 0, "WHICH is one of:", 1},
    {0},
};

const struct argp cli_subpaths_argp = {
    subpaths_own,
    cli_parse_command,
    FILES,
    "Print the hottest block sequences (subpaths): consecutive blocks of a thread, "
    "across loops and calls, as programs compiled by 'trod cc --online' sample them "
    "while they run. For each, print its rank; its estimated count; the error bound at "
    "95% confidence; its share of all executed sequences of the same length; its length; "
    "and its blocks. A function name precedes its first block; 'N' is a block on line N, "
    "'N:way2' is a decision there whose outcome the next line does not show, '#N' is block N "
    "of the function, and '(...)xN' "
    "ran N times in succession. Samples of all threads and profiles are combined.\n\n" PROFILES
    " trod also reads what --text prints.\n\nWith --exact, trod counts all block "
    "sequences: of a trace, which programs compiled by 'trod cc --online' write to the "
    "file named by TROD_BLOCKS, optionally followed by the profile of the same run, for "
    "names; or of the program after '--', which trod runs.\vExamples:\n  trod sample "
    "subpaths app.trod\n  trod sample subpaths --most=5 --weight=1 --function='parse_*' "
    "app.trod\n  trod sample subpaths --threshold=1000000 --confidence=80 --json "
    "app.*.trod\n  trod sample subpaths --exact -- ./app input\n  trod sample subpaths "
    "--exact --stops=10% --sample=f=256 app.blocks app.trod\n",
    subpaths_children,
    0,
    0,
};
