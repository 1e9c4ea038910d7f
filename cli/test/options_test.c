#include "option_tables.h"

/* Options of commands about tests. */

static const struct argp cover_sort_argp = PARSED_BY_CHILD(cli_cover_sort_words);
static const struct argp cover_group_argp = PARSED_BY_CHILD(cli_cover_group_words);

static const struct argp_option coverage_own[] = {
    {"missing", KEY_MISSING, "N", OPTION_ARG_OPTIONAL,
        "list at most N paths that did not run (default: 3; 20 without N): those one "
        "decision away from a path that did, nearest to hot paths first",
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
    ALL_CODE,
    LOOKS,
    SOURCES_FROM,
    {0},
};

static const struct argp_child coverage_children[] = {
    {&cli_choosing_argp, 0, 0, 0},
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
    "pieces. With --function, --file, --directory and --program, totals cover what these select.\n\n" PROFILES
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
        "the tested paths: a profile, a folder of profiles, or a list; may be repeated",
        0},
    {"partial", KEY_PARTIAL, 0, 0,
        "if the tests ran another build, compare only unchanged functions", 0},
    {"list", KEY_LIST, 0, 0, "print the untested paths as a list instead", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (default: 20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line per path", 0},
    ALL_CODE,
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
    cli_choosing_children,
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
    CHOSEN,
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
