#include "option_tables.h"

/* Sets of paths, and tests. */

/* Which functions, and where names come from. */
static const struct argp_option naming_options[] = {
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp naming_argp = PARSED_BY_CHILD(naming_options);
static const struct argp cover_sort_argp = PARSED_BY_CHILD(cli_cover_sort_words);
static const struct argp cover_group_argp = PARSED_BY_CHILD(cli_cover_group_words);

static const struct argp_child naming_children[] = {
    {&naming_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {0},
};

static const struct argp_option list_own[] = {
    {"and", KEY_AND, "FILE", 0, "keep only paths that are also in FILE", 0},
    {"minus", KEY_MINUS, "FILE", 0, "remove paths that are in FILE", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --binary: omit functions that are missing from the binary or differ there",
        0},
    {0},
};

const struct argp cli_list_argp = {
    list_own,
    cli_parse_command,
    FILES,
    "Print a set of paths as a list: the union of the paths that ran in profiles and "
    "those of other lists, restricted by --and and --minus. For each function, a list "
    "has its name, hashes of name, graph and cuts, and its number of paths; for each "
    "path its id, and its decisions as a comment. With --binary, trod checks the list "
    "against that program, prints the functions that are missing or differ, and exits "
    "with status 4 if there are any.\n\nEach FILE is a profile or a list. With no FILE, "
    "or when FILE is '-', trod reads standard input.\vExamples:\n  trod set list "
    "app.trod -o ran.list\n  trod set list --minus=other.trod app.trod\n  trod set list "
    "--binary=app --partial app.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option coverage_own[] = {
    {"missing", KEY_MISSING, "N", OPTION_ARG_OPTIONAL,
        "list at most N (default: 20) paths that did not run instead: those one decision "
        "away from a path that did, nearest to hot paths first",
        0},
    {"min", KEY_MIN, "PERCENT", 0, "exit with status 1 if path coverage is lower", 0},
    {"min-edges", KEY_MIN_EDGES, "PERCENT", 0,
        "exit with status 1 if edge coverage is lower", 0},
    {"min-blocks", KEY_MIN_BLOCKS, "PERCENT", 0,
        "exit with status 1 if block coverage is lower", 0},
    {"sort", KEY_COVER_SORT, "ORDER", 0, "sort by ORDER", 0},
    {"group", KEY_COVER_GROUP, "WHAT", 0, "group functions", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (default: all)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line per path", 0},
    CODE_SHOWN,
    LOOKS,
    SOURCES_FROM,
    {0},
};

static const struct argp_child coverage_children[] = {
    {&naming_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&cover_sort_argp, 0, "ORDER is one of:", 1},
    {&cover_group_argp, 0, "WHAT is one of:", 2},
    {0},
};

const struct argp cli_coverage_argp = {
    coverage_own,
    cli_parse_command,
    FILES,
    "Print path, edge, block and function coverage, and what is worth testing next: "
    "functions that ran often and have many edges that did not run, and the nearest "
    "paths that did not run. With --sort, --group or --most, print a row for each "
    "function or file instead, including those that never ran. The paths of a function "
    "are those of its graph, whether an input can take them or not. A '*' marks "
    "functions with more paths than 'trod cc --limit' allows, which are counted in "
    "pieces. With --function, totals cover the selected functions only.\n\n" PROFILES
    "\vExamples:\n"
    "  trod coverage app.trod\n"
    "  trod coverage --group=file --sort=left app.trod\n"
    "  trod coverage --missing=10 app.trod\n"
    "  trod coverage --group=program --min=40 --min-edges=80 app.trod\n",
    coverage_children,
    0,
    0,
};

static const struct argp_option untested_own[] = {
    {"tested", KEY_TESTED, "FILE", 0,
        "the tested paths: a profile or a list; may be repeated", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "if the tests ran another build, compare only unchanged functions", 0},
    {"list", KEY_LIST, 0, 0, "print the untested paths as a list instead", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (default: 20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line per path", 0},
    CODE_SHOWN,
    LOOKS,
    SOURCES_FROM,
    {0},
};

const struct argp cli_untested_argp = {
    untested_own,
    cli_parse_command,
    "--tested=FILE [FILE...]",
    "Print the paths that ran in production and in no test: the number of runs, the "
    "count, and why each path is new. 'no test took' lists decisions that are on no "
    "tested path of the function; 'no test took together' lists the smallest set found "
    "of decisions that are all tested, but never on one path. The exit status is 0 if "
    "there are no untested paths, 1 if there are some, and 4 if the tests ran another "
    "build, whose functions are listed.\n\n" PROFILES "\vExamples:\n"
    "  trod untested --tested=app.trod other.trod\n"
    "  trod untested --tested=app.trod --partial --json other.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option residual_own[] = {
    {"build", KEY_BUILD, "COMMAND", 0,
        "the command that rebuilds the program, with $CC or $CXX as the compiler", 0},
    {"test", KEY_TEST, "COMMAND", 0, "the command that runs the tests", 0},
    {"field", KEY_FIELD, "COMMAND", 0,
        "a command that runs the program as in production; untested paths are then printed",
        0},
    {"depth", KEY_DEPTH, "K", 0,
        "let paths follow calls to depth K, at most 8 (default: 1)", 0},
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

static const struct argp_option share_own[] = {
    {"sites", KEY_SITES, "N", 0, "the number of sites", 0},
    {"out", KEY_PREFIX, "PREFIX", 0,
        "write the lists to PREFIX.1.list, PREFIX.2.list and so on; without it, print only "
        "the table",
        0},
    {"counts", KEY_COUNTS, "FILE", 0,
        "also take path frequencies from this profile, without adding its paths to the set",
        0},
    {0},
};

const struct argp cli_share_argp = {
    share_own,
    cli_parse_command,
    "--sites=N [--out=PREFIX] " FILES,
    "Divide a set of paths among the sites that a program is deployed to. Each path goes "
    "to one list, and 'trod cc --paths=LIST' makes the build that counts the paths of "
    "one site. The paths of a function stay together, unless the function costs more "
    "than one site's share; then trod keeps paths together that are cheap to count "
    "together. For each site, print the number of probes, the bytes of data, and the "
    "operations that the probes execute; and the same for one build that counts the "
    "whole set, and for one that counts all paths.\n\nEach FILE is a profile or a list; "
    "functions of a profile with a single path are omitted, as by 'trod cc --paths'. "
    "With no FILE, or when FILE is '-', trod reads standard input. Operations are "
    "computed from the counts of the profiles, or estimated if there are "
    "none.\vExamples:\n  trod set partition --sites=4 app.trod\n  trod set partition "
    "--sites=4 --out=site app.trod\n  trod set partition --sites=8 --binary=app "
    "--counts=app.trod other.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option tests_own[] = {
    {"failed", KEY_FAILED, "FILE", 0,
        "a profile of failed tests; those in other files passed: rank the paths that predict "
        "failure; may be repeated",
        0},
    {"first", KEY_FIRST, 0, 0, "print for each path the first test that takes it", 0},
    {"by", KEY_BY, "WHAT", 0, "order tests by WHAT", 0},
    {"name", KEY_NAME, "FIELD", 0,
        "name tests by this field of their runs, such as 'argument' or 'directory', instead "
        "of by file name; profiles with the same name are one test",
        0},
    {"foreign", KEY_FOREIGN, 0, 0,
        "combine tests of different builds, or of programs without a common function",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "print paths as blocks instead of lines", 0},
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (default: 20; all in JSON)", 0},
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp by_argp = PARSED_BY_CHILD(cli_by_words);

static const struct argp_child tests_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&by_argp, 0, "WHAT is one of:", 1},
    {0},
};

const struct argp cli_tests_argp = {
    tests_own,
    cli_parse_command,
    "[--failed=FILE...] " FILES,
    "Compare the tests of a suite by the paths they take, with one profile per test. "
    "Print an order in which each test adds as many new paths as possible; for each "
    "test, the number of its paths, of those no other test takes, and of those it is the "
    "first to take in the given order; and the redundant tests, whose paths are all "
    "taken by others. With --failed, print the paths that failing tests take and passing "
    "tests do not, ranked by how well they predict failure. A profile merged with "
    "--keep-runs has one test per run.\n\n" PROFILES "\vExamples:\n"
    "  trod tests tests/*.trod\n"
    "  trod tests --by=time --most=50 tests/*.trod\n"
    "  trod tests --first --function='parse_*' tests/*.trod\n"
    "  trod tests --failed=bad.trod --failed=worse.trod tests/*.trod\n",
    tests_children,
    0,
    0,
};
