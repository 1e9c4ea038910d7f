#include "option_tables.h"

/* Options of stages, which read text. */

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
    {&cli_document_argp, 0, "Common options:", 2},
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
    {"most", KEY_MOST, "N", 0, "list at most N paths (default: 1000)", 0},
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
    {&cli_document_argp, 0, "Common options:", 2},
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
    {"plan", KEY_PLAN, "PLAN", 0, "with --want: use PLAN (default: the cheapest)", 0},
    {0},
};

static const struct argp_child probe_children[] = {
    {&number_argp, 0, 0, 0},
    {&place_argp, 0, "PLACEMENT is one of:", 1},
    {&kind_argp, 0, "KIND is one of:", 2},
    {&want_argp, 0, "WANT is one of:", 3},
    {&plan_argp, 0, "PLAN is one of:", 4},
    {&cli_document_argp, 0, "Common options:", 5},
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
    {"most", KEY_MOST, "N", 0,
        "with --expand: print at most N numbers of each "
        "sequence",
        0},
    {"sizes", KEY_SIZES, 0, 0, "print the sizes of sequences and grammars instead", 0},
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

static const struct argp_option flow_own[] = {
    {"function", 'f', "GLOB", 0,
        "include only functions whose names match GLOB, and their files", 0},
    {"check", KEY_CHECK, 0, 0, "check that flow is conserved at every block", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_flow_argp = {
    flow_own,
    cli_parse_command,
    FILES,
    "Print how often every block, edge, line and decision ran, derived from path counts. "
    "For each function: its entries, and for each block its count and that of each "
    "outgoing edge. For each file: the count of each line that has code, and of each "
    "outcome of the decisions on it. Instrumented functions that did not run are "
    "included. If only some paths of a function are counted, it is 'partial': its counts "
    "are lower bounds. Unfinished paths, abandoned by exit, longjmp or an exception, are "
    "not included.\n\n" PROFILES "\vExamples:\n"
    "  trod stage flow app.trod\n"
    "  trod stage flow --function='parse_*' --check app.trod\n"
    "  trod stage flow --json app.trod\n",
    cli_printing_children,
    0,
    0,
};
