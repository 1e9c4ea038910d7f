#include "option_tables.h"

/* Sets of paths, and tests. */

/* Which functions, and where names come from. */
static const struct argp_option naming_options[] = {
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
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
    {"and", KEY_AND, "FILE", 0, "keep only paths that are in FILE, too", 0},
    {"minus", KEY_MINUS, "FILE", 0, "leave out paths that are in FILE", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --binary: leave out functions that the binary has differently, or not",
        0},
    {0},
};

const struct argp cli_list_argp = {
    list_own,
    cli_parse_command,
    FILES,
    "Print sets of paths as a list: those that ran in profiles, those of other lists, "
    "put together, less others. A list tells of each function its name, hashes of name, "
    "graph and cuts, and its number of paths; of each path its id, and in a comment the "
    "way it goes. With --binary, the list is held against that program: functions that "
    "are not there, or are others, are named, and the status is 4.\n\n"
    "Files are profiles or lists. Without a file, or for '-', standard input is read."
    "\vExamples:\n"
    "  trod set list app.trod -o ran.list\n"
    "  trod set list --minus=other.trod app.trod\n"
    "  trod set list --binary=app --partial app.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option coverage_own[] = {
    {"missing", KEY_MISSING, "N", OPTION_ARG_OPTIONAL,
        "list paths that did not run instead, at most N (20): such as are one decision away "
        "from a path that did, those near hot paths first",
        0},
    {"min", KEY_MIN, "PERCENT", 0, "status 1 if a lower share of the paths ran", 0},
    {"min-edges", KEY_MIN_EDGES, "PERCENT", 0,
        "status 1 if a lower share of the edges ran", 0},
    {"min-blocks", KEY_MIN_BLOCKS, "PERCENT", 0,
        "status 1 if a lower share of the blocks ran", 0},
    {"sort", KEY_COVER_SORT, "ORDER", 0, "list by ORDER", 0},
    {"group", KEY_COVER_GROUP, "WHAT", 0, "put functions together", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (all)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line a path", 0},
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
    "Print path, edge, block and function coverage, and what is worth testing next: the "
    "functions that ran often and have many edges that did not run, and the nearest paths "
    "that did not run. With --sort, --group or --most, print a row for each function or "
    "file instead, those that never ran included. The paths of a function are those that "
    "its graph allows, whether any input takes them or not; a '*' marks functions with more "
    "than 'trod cc --limit' allows, which are counted in pieces. With "
    "--function all sums are of the functions chosen.\n\n" PROFILES "\vExamples:\n"
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
        "what the tests ran: a profile or a list, any number", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "compare the functions that agree, if the tests ran another build", 0},
    {"list", KEY_LIST, 0, 0, "print the untested paths as a list instead", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line a path", 0},
    CODE_SHOWN,
    LOOKS,
    SOURCES_FROM,
    {0},
};

const struct argp cli_untested_argp = {
    untested_own,
    cli_parse_command,
    "--tested=FILE [FIELD...]",
    "Print the paths that ran in the field and in no test: in how many of the runs, how "
    "often, and why they are new. 'no test took' names decisions that no tested path of "
    "the function has; 'no test took together' the smallest set found of decisions that "
    "are all tested, but never on one path. The status is 0 if there are none, 1 if there "
    "are some, 4 if the tests ran another build, whose functions are named.\n\n" PROFILES
    "\vExamples:\n"
    "  trod untested --tested=app.trod other.trod\n"
    "  trod untested --tested=app.trod --partial --json other.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option residual_own[] = {
    {"build", KEY_BUILD, "COMMAND", 0,
        "builds the program anew, with $CC or $CXX for the compiler", 0},
    {"test", KEY_TEST, "COMMAND", 0, "runs the tests", 0},
    {"field", KEY_FIELD, "COMMAND", 0,
        "runs the program as the field does; then untested paths are printed", 0},
    {"depth", KEY_DEPTH, "K", 0, "let paths go into calls K deep (1), 8 at most", 0},
    {"with-wpp", KEY_WITH_WPP, 0, 0,
        "let stage 1 note whole program paths: only calls that were made in a row are "
        "gone into, and indirect ones, too",
        0},
    {"keep", KEY_KEEP, "FOLDER", 0,
        "put profiles and what commands print into FOLDER, and leave them there", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line a path", 0},
    {0},
};

const struct argp cli_residual_argp = {
    residual_own,
    cli_parse_command,
    "--build=COMMAND --test=COMMAND [--field=COMMAND]",
    "Make a build that tells which paths across calls run in the field and in no test. "
    "Stage 1 builds with 'trod cc --subpaths' and runs the tests: which calls are made? "
    "Stage 2 builds with --segments, so that paths go on into these, and runs the tests "
    "again: that is what is tested. Stage 3 builds what looks for anything else. With "
    "--field it is run, and what 'trod untested' says of it is printed; the status is 1 if "
    "there are untested paths.\n\n"
    "Commands are carried out by the shell. CC and CXX are set to 'trod cc' and 'trod c++'; "
    "a build that names its own compiler must be told, as by make CC=\"$CC\". Options of "
    "'trod cc' in TROD_CC_OPTIONS, one a line, hold for all stages. In a FOLDER that is "
    "kept, tests.trod is what was tested; later, 'trod untested --tested=FOLDER/tests.trod' "
    "tells of profiles from the field."
    "\vExamples:\n"
    "  trod calls residual --build='make -B CC=\"$CC\" t' --test=./t --keep=stages\n"
    "  trod calls residual --build='$CC -o t t.c' --test=./t --field='./t x'\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option share_own[] = {
    {"sites", KEY_SITES, "N", 0, "how many sites there are", 0},
    {"out", KEY_PREFIX, "PREFIX", 0,
        "write the lists, to PREFIX.1.list, PREFIX.2.list and so on; without it, only the "
        "table is printed",
        0},
    {"counts", KEY_COUNTS, "FILE", 0,
        "take from this profile, too, how often paths run; it adds none to the set", 0},
    {0},
};

const struct argp cli_share_argp = {
    share_own,
    cli_parse_command,
    "--sites=N [--out=PREFIX] " FILES,
    "Share a set of paths among the sites that a program is deployed to: each path goes to "
    "one list, and 'trod cc --paths=LIST' makes the build that counts those of a site. "
    "Functions stay together, unless one costs more than a site should bear; then paths go "
    "together that are cheap to count together. Prints for each site how many probes it has, "
    "how many bytes of data, and how many operations the probes carry out; and the same for "
    "one build that counts the whole set, and for one that counts all paths.\n\n"
    "Files are profiles or lists; of a profile, functions with only one path are left out, as "
    "by 'trod cc --paths'. Without a file, or for '-', standard input is read. Operations are "
    "of what ran in the profiles; without any, they are estimated."
    "\vExamples:\n"
    "  trod set partition --sites=4 app.trod\n"
    "  trod set partition --sites=4 --out=site app.trod\n"
    "  trod set partition --sites=8 --binary=app --counts=app.trod other.trod\n",
    naming_children,
    0,
    0,
};

static const struct argp_option tests_own[] = {
    {"failed", KEY_FAILED, "FILE", 0,
        "the tests in this profile failed, those in others passed: rank the paths that "
        "predict failure; may be given several times",
        0},
    {"first", KEY_FIRST, 0, 0, "print for each path the first test that takes it", 0},
    {"by", KEY_BY, "WHAT", 0, "order tests by WHAT", 0},
    {"name", KEY_NAME, "FIELD", 0,
        "name tests by this field of their runs, such as 'argument' or 'directory', and "
        "not by their files; profiles of one name are one test",
        0},
    {"foreign", KEY_FOREIGN, 0, 0,
        "take tests of several builds, or of programs that share no function, together",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "tell paths by their blocks, not by lines", 0},
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20; all in JSON)", 0},
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
    "Compare the tests of a suite by the paths they take, from one profile for each test. "
    "Prints an order in which each next test adds most paths that none before it took, "
    "how many each takes, takes alone, and is the first to take in the order given; and "
    "which tests are redundant, because others take all their paths. With --failed, "
    "prints which paths the failing tests take and the passing ones do not, by how well "
    "they predict failure. A profile merged with --keep-runs has one test for each "
    "run.\n\n" PROFILES "\vExamples:\n"
    "  trod tests tests/*.trod\n"
    "  trod tests --by=time --most=50 tests/*.trod\n"
    "  trod tests --first --function='parse_*' tests/*.trod\n"
    "  trod tests --failed=bad.trod --failed=worse.trod tests/*.trod\n",
    tests_children,
    0,
    0,
};
