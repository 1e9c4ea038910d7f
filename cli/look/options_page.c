#include "option_tables.h"

/* Pages to look at. */

static const struct argp_option html_own[] = {
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    {"all", KEY_ALL, 0, 0, "also show functions that did not run", 0},
    {"most", KEY_MOST, "N", 0,
        "list at most N paths, the most frequent (default: 250000)", 0},
    SOURCES_FROM,
    {"tested", KEY_TESTED, "FILE", 0,
        "mark paths that ran in none of these profiles or lists; may be repeated", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --tested: if the tests ran another build, compare only unchanged functions",
        0},
    {"missing", KEY_MISSING, "N", OPTION_ARG_OPTIONAL,
        "also show at most N (default: 20) paths that did not run and are one decision away "
        "from a path that did",
        0},
    {"since", KEY_SINCE, "FILE", 0,
        "compare with this profile: show both counts of functions, paths and lines, and mark "
        "paths that appeared or vanished",
        0},
    {"editor", KEY_EDITOR, "LINK", 0,
        "link source lines to an editor, such as vscode://file{path}:{line}:{column}; "
        "readers of the page can choose another",
        0},
    {"layout", KEY_LAYOUT, "SECONDS", 0,
        "let dot spend at most SECONDS on control-flow graphs (default: 60), hottest "
        "functions first",
        0},
    {"no-layout", KEY_NO_LAYOUT, 0, 0,
        "do not run dot; the page uses a simpler layout of its own", 0},
    {"depth", KEY_DEPTH, "K", 0,
        "for profiles of --wpp and --segments builds: show segments that span up to K calls "
        "(default: 1)",
        0},
    {"table", KEY_TABLE, "DESIGN", 0,
        "for a branch trace: show the contents of this hot path table, window by window "
        "(default: 512x4,lfu,xor); see 'trod hw model' for designs",
        0},
    {"control", KEY_CONTROL, "REGISTER", 0,
        "for a branch trace: the control register, which defines the branches that begin and "
        "end paths: ballarus (default), wpp, exact, exact-wpp, or a file",
        0},
    {"set", KEY_SET, "LINE", 0,
        "change a line of the control register, such as --set='back: all'; may be repeated",
        0},
    {"window", KEY_WINDOW, "N", 0,
        "for a branch trace: window length in instructions (default: about 100 windows in "
        "all)",
        0},
    {"from", KEY_FROM, "N", 0,
        "for a branch trace: omit everything before instruction N", 0},
    {"to", KEY_TO, "N", 0, "for a branch trace: omit everything from instruction N on",
        0},
    NAMES_FROM,
    NOT_SKIPPING,
    MAX_STEPS,
    {0},
};

const struct argp cli_html_argp = {
    html_own,
    cli_parse_command,
    "[FILE...]\n[FILE...] -- PROGRAM [ARGUMENT...]",
    "Write a self-contained HTML report: functions, their paths, sources and "
    "control-flow graphs, in one file that needs no network. The program 'dot' of "
    "Graphviz lays out the graphs; without it, the page does. trod reads sources where "
    "the program was compiled, or from the folders of --source. The page contains their "
    "text, so share it only with people who may read them.\n\nA page can combine "
    "profiles of any kind; trod detects the kind of each file. For --wpp, --segments and "
    "--online builds, the page shows segments and block sequences across functions; for "
    "--burst builds, functions, calls, loops and data streams; for merged entries, as "
    "'trod migrate --finish' writes them, how each count was obtained; for a branch "
    "trace, as 'trod emulate --trace' writes it, the contents of a hot path table while "
    "the program ran." CLI_OR_PROGRAM
    "\n\nNotes in the page say what is missing from it: functions without a map entry, "
    "sources that were not found or have changed, paths beyond the limit. With --json, "
    "trod prints the data alone, as doc/page.md describes them. \n\n" PROFILES
    "\vExamples:\n"
    "  trod html app.trod -o app.html\n"
    "  trod html --since=other.trod --missing=50 app.trod -o app.html\n"
    "  trod html --tested=tests.trod --partial app.trod -o untested.html\n"
    "  trod html app.trod app.branches -o app.html\n"
    "  trod html --source=. --function='parse_*' --json app.trod\n",
    cli_printing_children,
    0,
    0,
};
