#include "option_tables.h"

/* What was counted in bursts beside paths. */

static const struct argp_option telling_own[] = {
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"sort", KEY_BURST_SORT, "ORDER", 0, "list by ORDER", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20)", 0},
    {"text", KEY_TEXT, 0, 0, "print all in the text form, which is read again", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp telling_argp = PARSED_BY_CHILD(telling_own);
static const struct argp sort_argp = PARSED_BY_CHILD(cli_burst_sort_words);

static const struct argp_child burst_children[] = {
    {&telling_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&sort_argp, 0, "ORDER is one of:", 1},
    {0},
};

#define ESTIMATES                                                                          \
    "Programs compiled by 'trod cc --burst' count in bursts: what is printed with '~' is " \
    "estimated, and 'error' is how far off that is, about, with a probability of 95 "      \
    "percent. Profiles of several runs are added up.\n\n" PROFILES                         \
    " What --text printed is read, too."

const struct argp cli_methods_argp = {
    cli_no_options,
    cli_parse_command,
    FILES,
    "Print which functions ran most: how often each was entered, how often a further round of "
    "one of its loops began, and the share of both of all that was.\n\n" ESTIMATES
    "\vExamples:\n"
    "  trod sample functions app.trod\n"
    "  trod sample functions --most=5 --sort=file --json app.trod\n",
    burst_children,
    0,
    0,
};

static const struct argp_option calls_own[] = {
    {"graph", KEY_CALL_GRAPH, 0, 0,
        "put calls together that are of one function by one function", 0},
    {"dot", KEY_DOT, 0, 0, "with --graph: draw it, in Graphviz's language", 0},
    {"svg", KEY_SVG, 0, 0, "with --graph: draw it, as a picture", 0},
    {0},
};

const struct argp cli_calls_argp = {
    calls_own,
    cli_parse_command,
    FILES,
    "Print which calls ran most: who calls, on which line and in which column, whom, and how "
    "often. Whom pointers call is told by the symbols of the binary; 'elsewhere' is in "
    "another image.\n\n" ESTIMATES "\vExamples:\n"
    "  trod sample calls app.trod\n"
    "  trod sample calls --graph --function=parse app.trod\n"
    "  trod sample calls --graph --svg app.trod -o calls.svg\n",
    burst_children,
    0,
    0,
};

const struct argp cli_trips_argp = {
    cli_no_options,
    cli_parse_command,
    FILES,
    "Print which loops went round most: how many rounds began, how often the loop was "
    "entered, how many rounds that is on average, and how deep it is in others. Where whole "
    "visits were seen, how many of them had how many rounds, by powers of two: that takes "
    "bursts as long as loops are.\n\n" ESTIMATES "\vExamples:\n"
    "  trod sample loops app.trod\n"
    "  trod sample loops --sort=mean app.trod\n",
    burst_children,
    0,
    0,
};

static const struct argp_option streams_own[] = {
    {"by", KEY_STREAM_BY, "WHAT", 0, "take references for the same if they are WHAT",
        0},
    {"shortest", KEY_SHORTEST, "N", 0, "streams have N references at least (2)", 0},
    {"longest", KEY_LONGEST, "N", 0, "streams have N references at most (100)", 0},
    {"least", KEY_LEAST, "PERCENT", 0,
        "leave out streams that have less of all references (0)", 0},
    {"exact", KEY_EXACT, 0, 0,
        "count every occurrence of a stream, within others, too, and rank by that", 0},
    {"no-stack", KEY_NO_STACK, 0, 0, "leave out references to stacks", 0},
    {"refs", KEY_REFS, 0, 0,
        "print the references, one a line, in the text form, which is read again", 0},
    {"symbols", KEY_MOST_SYMBOLS, "N", 0,
        "build grammars of at most N symbols: less memory, and streams that go across "
        "their ends are missed",
        0},
    {"function", 'f', "GLOB", 0,
        "take only streams with a load or store of a function whose name matches GLOB",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N streams (20)", 0},
    {"text", KEY_TEXT, 0, 0, "print all in the text form, which is read again", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp by_argp = PARSED_BY_CHILD(cli_stream_by_words);

static const struct argp_child streams_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&by_argp, 0, "WHAT is one of:", 1},
    {0},
};

const struct argp cli_streams_argp = {
    streams_own,
    cli_parse_command,
    FILES,
    "Print which data a program uses over and over, in the same order: hot data streams. Of "
    "each: its rank; its heat, the references that it has, which is its length times how "
    "often it is there; their share of all; and its data, each with the load or store that "
    "was seen first. An object is told by the call that allocated it and its number there, "
    "'list.c:8:15 #5', or is a variable; what is known of neither is an address. Streams "
    "do not go across the ends of bursts, and no reference is counted in two of them.\n\n"
    "Files are profiles that programs left which were compiled by 'trod cc "
    "--burst=types=streams'. References are noted in bursts: what is printed with '~' is "
    "estimated. What --refs or --text printed is read, too. Without a file, or for '-', "
    "standard input is read."
    "\vExamples:\n"
    "  trod sample data app.trod\n"
    "  trod sample data --by=field --most=5 app.trod\n"
    "  trod sample data --refs app.trod | grep -c '^burst'\n",
    streams_children,
    0,
    0,
};
