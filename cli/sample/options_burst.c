#include "option_tables.h"

/* Options of commands for functions, calls and loops in bursts. */

static const struct argp_option printed_own[] = {
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    {"sort", KEY_BURST_SORT, "ORDER", 0, "sort by ORDER", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (default: 20)", 0},
    {"text", KEY_TEXT, 0, 0, "print everything in the text form, which trod can read",
        0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp printed_argp = PARSED_BY_CHILD(printed_own);
static const struct argp sort_argp = PARSED_BY_CHILD(cli_burst_sort_words);

static const struct argp_child burst_children[] = {
    {&printed_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&sort_argp, 0, "ORDER is one of:", 1},
    {0},
};

#define ESTIMATES                                                                        \
    "Programs compiled by 'trod cc --burst' count in bursts: numbers marked by '~' are " \
    "estimates, and 'error' is their approximate error at 95% confidence. Profiles of "  \
    "several runs are added.\n\n" PROFILES " trod also reads what --text prints."

const struct argp cli_methods_argp = {
    cli_no_options,
    cli_parse_command,
    FILES,
    "Print the hottest functions: how often each was entered, how often another "
    "iteration of one of its loops began, and the share of both in the total.\n\n" ESTIMATES
    "\vExamples:\n"
    "  trod sample functions app.trod\n"
    "  trod sample functions --most=5 --sort=file --json app.trod\n",
    burst_children,
    0,
    0,
};

static const struct argp_option calls_own[] = {
    {"graph", KEY_CALL_GRAPH, 0, 0, "combine all calls of one function by another", 0},
    {"dot", KEY_DOT, 0, 0, "with --graph: draw it in the DOT language", 0},
    {"svg", KEY_SVG, 0, 0, "with --graph: draw it as SVG", 0},
    {0},
};

const struct argp cli_calls_argp = {
    calls_own,
    cli_parse_command,
    FILES,
    "Print the hottest call sites: the caller with line and column, the callee, and the "
    "count. The callee of an indirect call is looked up in the symbols of the binary; "
    "'elsewhere' means another module.\n\n" ESTIMATES "\vExamples:\n"
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
    "Print the hottest loops: the number of iterations, how often the loop was entered, "
    "the mean trip count, and the nesting depth. If bursts are long enough to cover "
    "whole executions of a loop, also print the distribution of trip counts, by powers "
    "of two.\n\n" ESTIMATES "\vExamples:\n"
    "  trod sample loops app.trod\n"
    "  trod sample loops --sort=mean app.trod\n",
    burst_children,
    0,
    0,
};

static const struct argp_option streams_own[] = {
    {"by", KEY_STREAM_BY, "WHAT", 0, "which data references are equal", 0},
    {"shortest", KEY_SHORTEST, "N", 0,
        "minimum length of a stream, in references (default: 2)", 0},
    {"longest", KEY_LONGEST, "N", 0,
        "maximum length of a stream, in references (default: 100)", 0},
    {"least", KEY_LEAST, "PERCENT", 0,
        "omit streams with a smaller share of all references (default: 0)", 0},
    {"exact", KEY_EXACT, 0, 0,
        "count every occurrence of a stream, including those inside others, and rank by that",
        0},
    {"no-stack", KEY_NO_STACK, 0, 0, "omit references to stacks", 0},
    {"refs", KEY_REFS, 0, 0,
        "print the references, one per line, in the text form, which trod can read", 0},
    {"symbols", KEY_MOST_SYMBOLS, "N", 0,
        "build grammars of at most N symbols: uses less memory, but misses streams that "
        "cross their boundaries",
        0},
    {"function", 'f', "GLOB", 0,
        "include only streams with a load or store in a function whose name matches GLOB",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N streams (default: 20)", 0},
    {"text", KEY_TEXT, 0, 0, "print everything in the text form, which trod can read",
        0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp by_argp = PARSED_BY_CHILD(cli_stream_by_words);

static const struct argp_child streams_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&by_argp, 0, "With WHAT, two references are equal if:", 1},
    {0},
};

const struct argp cli_streams_argp = {
    streams_own,
    cli_parse_command,
    FILES,
    "Print hot data streams: sequences of data references that a program repeats. For "
    "each, print its rank; its heat, which is its length times its number of "
    "occurrences; its share of all references; and its data, each with the first load or "
    "store that accessed it. An object is named by its allocation site and number, "
    "'list.c:8:15 #5', or is a variable; anything else is an address. Streams do not "
    "cross the ends of bursts, and no reference belongs to two of them.\n\nEach FILE is "
    "a profile of a program compiled by 'trod cc --burst=types=streams'. References are "
    "recorded in bursts: numbers marked by '~' are estimates. trod also reads what "
    "--refs and --text print. With no FILE, or when FILE is '-', trod reads standard "
    "input.\vExamples:\n  trod sample data app.trod\n  trod sample data --by=field "
    "--most=5 app.trod\n  trod sample data --refs app.trod | grep -c '^burst'\n",
    streams_children,
    0,
    0,
};
