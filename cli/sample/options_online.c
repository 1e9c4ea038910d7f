#include "option_tables.h"

/* Subpaths, sampled or all counted. */

static const struct argp_option telling_own[] = {
    {"function", 'f', "GLOB", 0,
        "take only subpaths with a block of a function whose name matches GLOB", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20)", 0},
    {"weight", KEY_WEIGHT, "E", 0,
        "rank a subpath of n blocks by how often it ran, less one standard error, times n to "
        "the Eth (0)",
        0},
    {"confidence", KEY_CONFIDENCE, "P", 0,
        "give bounds that hold with a probability of P percent (95)", 0},
    {"threshold", KEY_THRESHOLD, "N", 0,
        "print only subpaths that ran N times or more, and which of them surely did",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "tell subpaths by their blocks, not by lines", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp telling_argp = PARSED_BY_CHILD(telling_own);
static const struct argp top_sort_argp = PARSED_BY_CHILD(cli_top_sort_words);

static const struct argp_option subpaths_own[] = {
    {"text", KEY_TEXT, 0, 0, "print all in the text form, which is read again", 0},
    {0},
};

static const struct argp_option exact_own[] = {
    {"exact", KEY_EXACT, 0, 0,
        "count all subpaths of a trace, or of a program that is run, named behind '--'",
        0},
    {"lengths", KEY_LENGTHS, "LIST", 0,
        "with --exact: count subpaths of these lengths, as 2,3,8-16 (2,4,8,16,32)", 0},
    {"identity", KEY_IDENTITY, "WHICH", 0, "with --exact: which subpaths are one", 0},
    {"sample", KEY_SAMPLE, "OPTIONS", 0,
        "with --exact: sample the trace, too, as a program would that was compiled with "
        "--online=OPTIONS, and hold one against the other",
        0},
    {"seed", KEY_SEED, "N", 0, "with --sample: the seed of what is random", 0},
    {"memory", KEY_MEMORY, "SIZE", 0, "with --exact: use at most so much (1g)", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --exact: when that is full, drop what ran least, go on, and say by how much "
        "counts may be too low; and take a trace whose end is missing",
        0},
    {"stops", KEY_STOPS, "N", 0,
        "with --exact: print also what was counted after every N blocks, or N%", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

static const struct argp exact_argp = PARSED_BY_CHILD(exact_own);
static const struct argp identity_argp = PARSED_BY_CHILD(cli_identity_words);

static const struct argp_child subpaths_children[] = {
    {&telling_argp, 0, 0, 0},
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
    "they run. Of each: its rank; how often it ran, as estimated; how far off that is at "
    "most, with a probability of 95 percent; its share of all subpaths of as many blocks "
    "that ran; how many blocks it has; and which. A function is named where blocks of "
    "another begin; 'N' is a block on line N, 'N:T' and 'N:F' are decisions there, '#N' is "
    "block N of the function, and what is in '(...)xN' ran N times in a row. Samples of all "
    "threads and profiles are put together.\n\n" PROFILES
    " What --text printed is read, too.\n\n"
    "With --exact, all subpaths are counted: of a trace, which programs compiled by 'trod "
    "cc --online' write to the file that TROD_BLOCKS names, and behind it may stand the "
    "profile that was left with it, for names; or of a program that is run, named behind "
    "'--'."
    "\vExamples:\n"
    "  trod sample subpaths app.trod\n"
    "  trod sample subpaths --most=5 --weight=1 --function='parse_*' app.trod\n"
    "  trod sample subpaths --threshold=1000000 --confidence=80 --json app.*.trod\n"
    "  trod sample subpaths --exact -- ./app input\n"
    "  trod sample subpaths --exact --stops=10% --sample=f=256 app.blocks app.trod\n",
    subpaths_children,
    0,
    0,
};

static const struct argp_option top_own[] = {
    {"pid", 'p', "PID", 0, "look at the program with this process id", 0},
    {"interval", KEY_INTERVAL, "SECONDS", 0, "look again after so long (2)", 0},
    {"sort", KEY_TOP_SORT, "ORDER", 0, "list by ORDER", 0},
    {"once", KEY_ONCE, 0, 0, "print it once, for scripts; no terminal is needed", 0},
    {0},
};

static const struct argp_child top_children[] = {
    {&telling_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&top_sort_argp, 0, "ORDER is one of:", 1},
    {0},
};

const struct argp cli_top_argp = {
    top_own,
    cli_parse_command,
    FILES,
    "Show which subpaths a program takes most while it runs, as 'trod sample subpaths' prints "
    "them. The program was compiled by 'trod cc --online'; its profile is looked at as it "
    "is, so that nothing stops it or slows it down. Keys: 's' another order, '/' show only "
    "lines with a text, 'f' freeze and go on, 'b' blocks or lines, 'w' write to a file, "
    "arrows to move, 'q' quit. When the program ends, the last picture stays.\n\n"
    "Files are profiles of programs that run, or ran."
    "\vExamples:\n"
    "  trod top -p 4711\n"
    "  trod top --interval=0.5 --weight=1 app.trod\n"
    "  trod top --once --json -p 4711\n",
    top_children,
    0,
    0,
};
