#include "option_tables.h"

/* Stages: what they read is text. */

static const struct argp_option common_options[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"dot", KEY_DOT, 0, 0, "draw, in the DOT language", 0},
    {"svg", KEY_SVG, 0, 0, "draw one function, as SVG (needs Graphviz)", 0},
    {"check", KEY_CHECK, 0, 0,
        "run the validators; if there are few enough paths, enumerate them all", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

static const struct argp_option number_options[] = {
    {"kind", 'k', "KIND", 0, "the kind of numbering", 0},
    {"path", 'p', "TRAIL", 0,
        "a chosen path: blocks, as 's a t'; from cut to cut, as '> a b > a'; or '=ID'",
        0},
    {"paths", KEY_PATHS, "FILE", 0, "a file of chosen paths: sections 'paths NAME'", 0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut edges until there are at most N paths; chosen paths stay whole", 0},
    {0},
};

static const struct argp common_argp = PARSED_BY_CHILD(common_options);
static const struct argp number_argp = PARSED_BY_CHILD(number_options);
static const struct argp kind_argp = PARSED_BY_CHILD(cli_kind_words);
static const struct argp show_argp = PARSED_BY_CHILD(cli_show_words);
static const struct argp place_argp = PARSED_BY_CHILD(cli_place_words);
static const struct argp want_argp = PARSED_BY_CHILD(cli_want_words);
static const struct argp plan_argp = PARSED_BY_CHILD(cli_plan_words);

#define DOCUMENT                                                                        \
    "Each FILE is a document with any number of sections 'graph NAME', 'paths NAME', "  \
    "'numbering NAME KIND' and 'plan NAME PLACEMENT', in any order, except that paths " \
    "follow the graph or numbering they belong to. With no FILE, or when FILE is '-', " \
    "trod reads standard input."

static const struct argp_option graph_own[] = {
    {"show", KEY_SHOW, "LIST", 0, "print these properties of the graph instead", 0},
    {0},
};

static const struct argp_child graph_children[] = {
    {&show_argp, 0, "LIST is any of these, separated by commas:", 1},
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
    {"most", KEY_MOST, "N", 0, "list at most N of them (default: 1000)", 0},
    {"decode", KEY_DECODE, "ID", 0, "print the path with this Ball-Larus id instead",
        0},
    {"encode", KEY_ENCODE, "TRAIL", 0, "print the sum (id) of this path instead", 0},
    {"measure", KEY_MEASURE, 0, 0, "print a comparison of the kinds instead", 0},
    {"coding", KEY_CODING, 0, 0,
        "print the numberings as models of an arithmetic coder instead", 0},
    {"pack", KEY_PACK, "KIND,KIND", 0,
        "pack two sums into one register, low bits first", 0},
    {"exact", KEY_EXACT, 0, 0,
        "find the densest possible preferential numbering (slow; for few paths)", 0},
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
    "Assign values to the edges of graphs, so that the sum along a path identifies the "
    "path. Print the graphs with these values, and the chosen paths with their sums.\n\n" DOCUMENT
    "\vExamples:\n"
    "  trod stage number --list diamond.graph\n"
    "  trod stage number --kind=preferential --path='s a t' diamond.graph\n"
    "  trod stage number --decode=1 diamond.graph\n"
    "  trod stage number --limit=1000000 prog.graph | trod stage probe\n",
    number_children,
    0,
    0,
};

static const struct argp_option probe_own[] = {
    {"place", KEY_PLACE, "PLACEMENT", 0, "where to place the operations", 0},
    {"no-trips", KEY_NO_TRIPS, 0, 0, "do not count loop iterations in registers", 0},
    {"cost", KEY_COST, 0, 0,
        "print the cost of each placement instead, or with --want of each plan", 0},
    {"want", KEY_WANT, "WANT", 0,
        "plan as 'trod cc --paths' or '--tested' does: count only WANT", 0},
    {"plan", KEY_PLAN, "PLAN", 0, "with --want: use this plan instead of the cheapest",
        0},
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
    "Plan the operations on the edges of a program that increment the counter of each "
    "path it takes. Graphs are numbered first, as 'trod stage number' does; numberings "
    "are used as given.\n\n" DOCUMENT "\vExamples:\n"
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
    {"sizes", KEY_SIZES, 0, 0, "print their sizes instead", 0},
    {"hot", KEY_HOT, "N", OPTION_ARG_OPTIONAL,
        "print the N rules (default: 20) that produce most of the sequence instead", 0},
    {"most-symbols", KEY_MOST_SYMBOLS, "N", 0,
        "keep at most N symbols in memory, then begin a new part; --sizes prints the cost",
        0},
    {"check", KEY_CHECK, 0, 0,
        "run the validator: no digram occurs twice, each rule is used at least twice",
        0},
    {0},
};

const struct argp cli_grammar_argp = {
    grammar_own,
    cli_parse_command,
    FILES,
    "Turn sequences of numbers into grammars that produce them, by Sequitur: whatever "
    "occurs twice becomes a rule. Print the grammars, with R0 as the start symbol. "
    "Grammars in the input are kept, unless --most-symbols rebuilds them.\n\nEach FILE "
    "has any number of sections: 'sequence NAME' and lines of numbers below 2^64, or "
    "'grammar NAME' and a line 'R0: 5 R1 R1' for each rule. With no FILE, or when FILE "
    "is '-', trod reads standard input.\vExamples:\n  trod stage grammar "
    "steps.sequence\n  trod stage grammar steps.sequence | trod stage grammar --expand\n "
    " trod stage grammar --hot=5 steps.sequence\n  trod stage grammar --sizes "
    "--most-symbols=1000 steps.sequence\n",
    cli_printing_children,
    0,
    0,
};

/* Rows of commands that read recordings. */
static const struct argp_option recorded_options[] = {
    {"binary", KEY_BINARY, "FILE", 0,
        "take graphs, names and lines from this program, library or map instead of the "
        "recorded location",
        0},
    {"maps", KEY_MAPS, "FOLDER", 0,
        "search this folder first for programs, libraries and maps, by build id", 0},
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
        "print the N subpaths (default: 20) with most executed blocks instead, and for each "
        "thread the N rules that produce most of its steps, with names and lines",
        0},
    {"spans", KEY_SPANS, 0, 0,
        "print the call sequence instead: each activation with everything it called, "
        "identical ones once",
        0},
    {"selective", KEY_SELECTIVE, 0, 0,
        "with --spans: keep calls of functions that were not recorded, by name", 0},
    {"old", KEY_OLD_SEQUENCE, "FILE", 0,
        "with --spans: insert the recorded functions into the call sequence of the previous "
        "version",
        0},
    {0},
};

const struct argp cli_wpp_argp = {
    wpp_own,
    cli_parse_command,
    FILES,
    "Print whole program paths, as programs compiled by 'trod cc --wpp' record them: the "
    "steps of each thread. Without options, print their sizes: the subpaths of each "
    "thread, and the grammar that stores them, in several parts if it reached the bound "
    "on its symbols. A step is 'FUNCTION:ID' for a subpath, '(' for a call, ')' for a "
    "return, and ')!' for a call that did not return. '[' and ']' enclose code with an "
    "unknown caller, such as a signal handler or a callback. '( )' is a call of a "
    "function that is not instrumented.\n\nEach FILE is a profile of such a program, or "
    "has sections 'wpp NAME' with steps, which are printed unchanged. With no FILE, or "
    "when FILE is '-', trod reads standard input.\vExamples:\n  trod calls steps "
    "steps.trod\n  trod calls steps --expand --most=100 steps.trod\n  trod calls steps "
    "--hot=5 steps.trod\n  trod calls steps --grammar --json steps.trod\n  trod calls "
    "steps --spans steps.trod\n",
    recorded_children,
    0,
    0,
};

static const struct argp_option segments_own[] = {
    {"depth", KEY_DEPTH, "K", 0, "let segments span K calls (default: 1)", 0},
    {"tell", KEY_TELL, 0, 0,
        "print segments with names and lines, indented by call depth", 0},
    {"most", KEY_MOST, "N", 0,
        "print the N most frequent (default: all; with --tell, 20)", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

const struct argp cli_segments_argp = {
    segments_own,
    cli_parse_command,
    FILES,
    "Print the interprocedural path segments of whole program paths, with their counts. "
    "A segment begins with a subpath that ends at a call, follows the call, and "
    "continues after it if the callee returns without a loop iteration; it spans at most "
    "K calls.\n\nEach FILE is a profile of a program compiled by 'trod cc --wpp', whose "
    "threads are added, or by 'trod cc --segments', which counts paths across calls; or "
    "it has any number of sections 'wpp NAME', with steps 'FUNCTION:ID' for a subpath, "
    "'(' for a call and ')' for a return; or sections 'segments NAME K', which are "
    "printed unchanged. With no FILE, or when FILE is '-', trod reads standard "
    "input.\vExamples:\n  trod calls segments steps.trod -o hot.segments\n  trod calls "
    "segments --depth=2 --tell --most=5 steps.trod\n  trod calls segments --tell "
    "--binary=app hot.segments\n  trod calls segments --depth=2 --json thread.wpp\n",
    recorded_children,
    0,
    0,
};

static const struct argp_option super_own[] = {
    {"depth", KEY_DEPTH, "K", 0,
        "follow calls to depth K (default: the depth of the segments; 1 for subpaths)",
        0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut edges until there are at most N paths; segments stay whole", 0},
    {"list", KEY_LIST, 0, 0,
        "print the paths as subpaths, calls and returns instead, and whether the input has "
        "all their segments",
        0},
    {"most", KEY_MOST, "N", 0, "list at most N of them (default: 1000)", 0},
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
    "Print supergraphs: where a segment passes through a call, the graph of the callee "
    "replaces the call, so that the segment is a path of one graph. For each function "
    "that begins a segment, print the followed calls and the graph, and why other calls "
    "are not followed.\n\nEach FILE has any number of sections: for each function "
    "'numbering NAME ballarus' followed by 'calls NAME'; and 'segments NAME K', as 'trod "
    "calls segments' prints them, 'paths NAME' with the subpaths of functions that ran, "
    "or 'super NAME', as this command prints it. With no FILE, or when FILE is '-', trod "
    "reads standard input.\vExamples:\n  trod calls supergraph prog.functions "
    "prog.segments\n  trod calls supergraph --list --function=main prog.functions "
    "prog.segments\n  trod calls supergraph --svg -o main.svg prog.functions "
    "prog.segments\n",
    super_children,
    0,
    0,
};
