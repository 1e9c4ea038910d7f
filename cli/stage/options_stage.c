#include "option_tables.h"

/* Stages: what they read is text. */

static const struct argp_option common_options[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"dot", KEY_DOT, 0, 0, "draw, in the DOT language", 0},
    {"svg", KEY_SVG, 0, 0, "draw one function, as SVG (needs Graphviz)", 0},
    {"check", KEY_CHECK, 0, 0,
        "run the validators; where there are not too many paths, walk them all", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

static const struct argp_option number_options[] = {
    {"kind", 'k', "KIND", 0, "how to number", 0},
    {"path", 'p', "TRAIL", 0,
        "a path of interest, block by block: 's a t', or '> a b > a' from cut to cut, "
        "or '=ID'",
        0},
    {"paths", KEY_PATHS, "FILE", 0, "paths of interest: sections 'paths NAME'", 0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut edges until there are at most N paths; paths of interest stay whole", 0},
    {0},
};

static const struct argp common_argp = PARSED_BY_CHILD(common_options);
static const struct argp number_argp = PARSED_BY_CHILD(number_options);
static const struct argp kind_argp = PARSED_BY_CHILD(cli_kind_words);
static const struct argp show_argp = PARSED_BY_CHILD(cli_show_words);
static const struct argp place_argp = PARSED_BY_CHILD(cli_place_words);
static const struct argp want_argp = PARSED_BY_CHILD(cli_want_words);
static const struct argp plan_argp = PARSED_BY_CHILD(cli_plan_words);

#define DOCUMENT                                                                     \
    "Files are documents: any number of sections 'graph NAME', 'paths NAME', "       \
    "'numbering NAME KIND' and 'plan NAME PLACEMENT', in any order but that paths "  \
    "come after what they are paths of. Without a file, or for '-', standard input " \
    "is read."

static const struct argp_option graph_own[] = {
    {"show", KEY_SHOW, "LIST", 0, "print what is known of the graph instead", 0},
    {0},
};

static const struct argp_child graph_children[] = {
    {&show_argp, 0, "LIST is any of these, parted by commas:", 1},
    {&common_argp, 0, "For all commands:", 2},
    {0},
};

const struct argp cli_graph_argp = {
    graph_own,
    cli_parse_command,
    FILES,
    "Read control-flow graphs, check them and print them: as text with one line for "
    "each block, as JSON, or as a picture with a box around each loop.\n\n" DOCUMENT
    "\vExamples:\n"
    "  trod stage graph loop.graph\n"
    "  trod stage graph --show=loops,dom loop.graph\n"
    "  trod stage graph --svg --function=main prog.graph -o main.svg\n",
    graph_children,
    0,
    0,
};

static const struct argp_option number_own[] = {
    {"list", KEY_LIST, 0, 0, "print the paths with their ids and sums instead", 0},
    {"most", KEY_MOST, "N", 0, "list at most N of them (1000)", 0},
    {"decode", KEY_DECODE, "ID", 0, "print the path with this Ball-Larus id instead",
        0},
    {"encode", KEY_ENCODE, "TRAIL", 0, "print the sum of this path instead: its id", 0},
    {"measure", KEY_MEASURE, 0, 0, "print how the kinds compare instead", 0},
    {"coding", KEY_CODING, 0, 0,
        "print the numberings as models of an arithmetic coder instead", 0},
    {"pack", KEY_PACK, "KIND,KIND", 0, "put two sums in one, low bits first", 0},
    {"exact", KEY_EXACT, 0, 0,
        "find the densest preferential numbering there is (few paths; takes long)", 0},
    {0},
};

static const struct argp_child number_children[] = {
    {&number_argp, 0, 0, 0},
    {&kind_argp, 0, "KIND is one of:", 1},
    {&common_argp, 0, "For all commands:", 2},
    {0},
};

const struct argp cli_number_argp = {
    number_own,
    cli_parse_command,
    FILES,
    "Put values on the edges of graphs, so that the sum along a path says which path "
    "it was. Prints the graphs with these values, and the paths of interest with their "
    "sums.\n\n" DOCUMENT "\vExamples:\n"
    "  trod stage number --list diamond.graph\n"
    "  trod stage number --kind=preferential --path='s a t' diamond.graph\n"
    "  trod stage number --decode=1 diamond.graph\n"
    "  trod stage number --limit=1000000 prog.graph | trod stage probe\n",
    number_children,
    0,
    0,
};

static const struct argp_option probe_own[] = {
    {"place", KEY_PLACE, "PLACEMENT", 0, "where to put the operations", 0},
    {"no-trips", KEY_NO_TRIPS, 0, 0, "do not keep loops in trip counters", 0},
    {"cost", KEY_COST, 0, 0,
        "print what each placement costs instead, or with --want, each plan", 0},
    {"want", KEY_WANT, "WANT", 0,
        "plan as 'trod cc --paths' or '--tested' does: count only what is wanted", 0},
    {"plan", KEY_PLAN, "PLAN", 0, "with --want: this plan, not the cheapest", 0},
    {0},
};

static const struct argp_child probe_children[] = {
    {&number_argp, 0, 0, 0},
    {&place_argp, 0, "PLACEMENT is one of:", 1},
    {&kind_argp, 0, "KIND is one of:", 2},
    {&want_argp, 0, "WANT is one of:", 3},
    {&plan_argp, 0, "PLAN is one of:", 4},
    {&common_argp, 0, "For all commands:", 5},
    {0},
};

const struct argp cli_probe_argp = {
    probe_own,
    cli_parse_command,
    FILES,
    "Plan what a program must do on which edge, so that the counter of each path it "
    "takes goes up by one. Graphs are numbered first, as 'trod stage number' does; numberings "
    "are taken as they are.\n\n" DOCUMENT "\vExamples:\n"
    "  trod stage probe loop.graph\n"
    "  trod stage probe --cost loop.graph\n"
    "  trod stage number --path='s a t' diamond.graph | trod stage probe --check\n"
    "  trod stage probe --want=untested --path='s a t' diamond.graph\n"
    "  trod stage probe --want=chosen --cost --path='s a t' diamond.graph\n",
    probe_children,
    0,
    0,
};

static const struct argp_option grammar_own[] = {
    {"expand", KEY_EXPAND, 0, 0, "print the sequences instead", 0},
    {"most", KEY_MOST, "N", 0, "with --expand: at most N terminals of each", 0},
    {"sizes", KEY_SIZES, 0, 0, "print how large they are instead", 0},
    {"hot", KEY_HOT, "N", OPTION_ARG_OPTIONAL,
        "print the N rules (20) that stand for most of the sequence instead", 0},
    {"most-symbols", KEY_MOST_SYMBOLS, "N", 0,
        "hold at most N symbols: begin a new part when there are as many; --sizes tells "
        "what that costs",
        0},
    {"check", KEY_CHECK, 0, 0,
        "run the validator: no digram twice, each rule used twice or more", 0},
    {0},
};

const struct argp cli_grammar_argp = {
    grammar_own,
    cli_parse_command,
    FILES,
    "Turn sequences of numbers into grammars that yield them, by Sequitur: what occurs "
    "twice becomes a rule. Prints the grammars, with R0 for the whole; what is read as a "
    "grammar stays as it is, unless --most-symbols makes it anew.\n\n"
    "Files have any number of sections: 'sequence NAME' and lines of numbers below 2^64, "
    "or 'grammar NAME' and a line 'R0: 5 R1 R1' for each rule. Without a file, or for "
    "'-', standard input is read."
    "\vExamples:\n"
    "  trod stage grammar steps.sequence\n"
    "  trod stage grammar steps.sequence | trod stage grammar --expand\n"
    "  trod stage grammar --hot=5 steps.sequence\n"
    "  trod stage grammar --sizes --most-symbols=1000 steps.sequence\n",
    cli_printing_children,
    0,
    0,
};

/* Where what is recorded is told from. */
static const struct argp_option recorded_options[] = {
    {"binary", KEY_BINARY, "FILE", 0,
        "take graphs, names and lines from this program, library or map, wherever it ran "
        "from",
        0},
    {"maps", KEY_MAPS, "FOLDER", 0,
        "look first for programs, libraries and maps in this folder, by build id", 0},
    NOT_SKIPPING,
    MAX_EXPAND,
    MAX_STEPS,
    {0},
};

static const struct argp recorded_argp = PARSED_BY_CHILD(recorded_options);

static const struct argp_child recorded_children[] = {
    {&recorded_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {0},
};

static const struct argp_option wpp_own[] = {
    {"expand", KEY_EXPAND, 0, 0, "print the steps of each thread instead", 0},
    {"most", KEY_MOST, "N", 0, "with --expand: at most N steps of each", 0},
    {"grammar", KEY_GRAMMAR, 0, 0, "print the grammars instead", 0},
    {"hot", KEY_HOT, "N", OPTION_ARG_OPTIONAL,
        "print the N subpaths (20) with most blocks that ran instead, and for each thread "
        "the N rules that stand for most of what it did, in words",
        0},
    {"spans", KEY_SPANS, 0, 0,
        "print the call sequence instead: each function with all that it called until it "
        "returned, equal ones once",
        0},
    {"selective", KEY_SELECTIVE, 0, 0,
        "with --spans: keep calls of functions that were not recorded, by name", 0},
    {"old", KEY_OLD_SEQUENCE, "FILE", 0,
        "with --spans: put what was recorded of some functions into the call sequence of the "
        "version before",
        0},
    {0},
};

const struct argp cli_wpp_argp = {
    wpp_own,
    cli_parse_command,
    FILES,
    "Print what threads did, step by step, as programs compiled by 'trod cc --wpp' record "
    "it: without options, how large that is. A thread has as many subpaths, which are one "
    "grammar, or several parts of one where a bound on its symbols was reached. Steps are "
    "'FUNCTION:ID' for a subpath, '(' for a call, ')' for a return, ')!' where a call did "
    "not return, and '[' and ']' around what nobody known called: a signal handler, a "
    "function called back. '( )' is a call of something that is not instrumented.\n\n"
    "Files are profiles of such programs, or have sections 'wpp NAME' with steps, which are "
    "printed as they are. Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod calls steps steps.trod\n"
    "  trod calls steps --expand --most=100 steps.trod\n"
    "  trod calls steps --hot=5 steps.trod\n"
    "  trod calls steps --grammar --json steps.trod\n"
    "  trod calls steps --spans steps.trod\n",
    recorded_children,
    0,
    0,
};

static const struct argp_option segments_own[] = {
    {"depth", KEY_DEPTH, "K", 0, "let segments span K calls (1)", 0},
    {"tell", KEY_TELL, 0, 0, "tell them in words, with lines, one call in the other",
        0},
    {"most", KEY_MOST, "N", 0, "print the N most frequent (all; with --tell, 20)", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

const struct argp cli_segments_argp = {
    segments_own,
    cli_parse_command,
    FILES,
    "Print the inter-procedural path segments of whole program paths, and how often each "
    "is there. A segment begins with a subpath that ends at a call, goes into the call, "
    "and back if the function called returns without a round of a loop; it spans at most K "
    "calls.\n\n"
    "Files are profiles of programs compiled by 'trod cc --wpp', whose threads are added "
    "up, or by 'trod cc --segments', which count paths across calls; or have any number of "
    "sections 'wpp NAME', with steps 'FUNCTION:ID' for a subpath, '(' for a call and ')' "
    "for a return; or of sections 'segments NAME K', which are printed as they are. "
    "Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod calls segments steps.trod -o hot.segments\n"
    "  trod calls segments --depth=2 --tell --most=5 steps.trod\n"
    "  trod calls segments --tell --binary=app hot.segments\n"
    "  trod calls segments --depth=2 --json thread.wpp\n",
    recorded_children,
    0,
    0,
};

static const struct argp_option super_own[] = {
    {"depth", KEY_DEPTH, "K", 0,
        "go K calls deep at most (as deep as segments may be; 1 for subpaths)", 0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut edges until there are at most N paths; segments stay whole", 0},
    {"list", KEY_LIST, 0, 0,
        "print the paths as subpaths, calls and returns instead, and whether all their "
        "segments were given",
        0},
    {"most", KEY_MOST, "N", 0, "list at most N of them (1000)", 0},
    {0},
};

static const struct argp_child super_children[] = {
    {&common_argp, 0, "For all commands:", 1},
    {0},
};

const struct argp cli_super_argp = {
    super_own,
    cli_parse_command,
    FILES,
    "Print functions with calls gone into as graphs: where a segment goes through a call, "
    "the graph of the function called is put in its place, so that the segment is a path of "
    "one graph. Prints, for each function that begins a segment, the calls gone into and the "
    "graph; and why others are not.\n\n"
    "Files have any number of sections: for each function 'numbering NAME ballarus' and, "
    "behind it, 'calls NAME'; and 'segments NAME K', as 'trod calls segments' prints them, 'paths "
    "NAME' with the subpaths of functions that ran, or 'super NAME', as this command prints "
    "it. Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod calls supergraph prog.functions prog.segments\n"
    "  trod calls supergraph --list --function=main prog.functions prog.segments\n"
    "  trod calls supergraph --svg -o main.svg prog.functions prog.segments\n",
    super_children,
    0,
    0,
};
