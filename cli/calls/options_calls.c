#include "option_tables.h"

/* Options of commands for paths across calls. */

/* Options of commands that read recordings. */
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
    {"most", KEY_MOST, "N", 0,
        "with --expand: print at most N steps of each "
        "thread",
        0},
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
    {"names", KEY_NAMES, 0, 0,
        "print segments with names and lines, indented by call depth", 0},
    {"most", KEY_MOST, "N", 0,
        "print the N most frequent (default: all; with --names, 20)", 0},
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
    "segments --depth=2 --names --most=5 steps.trod\n  trod calls segments --names "
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
    {"most", KEY_MOST, "N", 0, "list at most N paths (default: 1000)", 0},
    {0},
};

static const struct argp_child super_children[] = {
    {&cli_document_argp, 0, "Common options:", 1},
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

static const struct argp_option residual_own[] = {
    {"build", KEY_BUILD, "COMMAND", 0,
        "the command that rebuilds the program, with $CC or $CXX as the compiler", 0},
    {"test", KEY_TEST, "COMMAND", 0, "the command that runs the tests", 0},
    {"field", KEY_FIELD, "COMMAND", 0,
        "run COMMAND, which uses the program of stage 3 as production does, and print "
        "the paths that no test took",
        0},
    {"depth", KEY_DEPTH, "K", 0,
        "let paths follow nested calls up to K deep, K at most 8 (default: 1)", 0},
    {"with-wpp", KEY_WITH_WPP, 0, 0,
        "let stage 1 record whole program paths: paths then follow only calls that occurred "
        "in succession, including indirect ones",
        0},
    {"keep", KEY_KEEP, "FOLDER", 0,
        "write profiles and the output of commands to FOLDER, and keep them", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (default: 20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line per path", 0},
    {0},
};

const struct argp cli_residual_argp = {
    residual_own,
    cli_parse_command,
    "--build=COMMAND --test=COMMAND [--field=COMMAND]",
    "Make a build that records paths across calls that run in production and in no test. "
    "Stage 1 builds with 'trod cc --subpaths' and runs the tests, to find the calls they "
    "make. Stage 2 builds with --segments, so that paths follow these calls, and runs "
    "the tests again, to find the tested paths. Stage 3 builds a program that records "
    "all other paths. With --field, trod runs it and prints the output of 'trod "
    "untested'; the exit status is 1 if there are untested paths.\n\nThe shell runs the "
    "commands, with CC and CXX set to 'trod cc' and 'trod c++'; if the build sets its "
    "own compiler, override it, as in make CC=\"$CC\". Options of 'trod cc' in "
    "TROD_CC_OPTIONS, one per line, apply to all stages. With --keep, FOLDER/tests.trod "
    "has the tested paths; later, 'trod untested --tested=FOLDER/tests.trod' compares "
    "profiles from production with them.\vExamples:\n  trod calls residual --build='make "
    "-B CC=\"$CC\" t' --test=./t --keep=stages\n  trod calls residual --build='$CC -o t "
    "t.c' --test=./t --field='./t x'\n",
    cli_printing_children,
    0,
    0,
};
