#include "option_tables.h"

/* Pages to look at. */

static const struct argp_option html_own[] = {
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"all", KEY_ALL, 0, 0, "show functions that did not run, too", 0},
    {"most", KEY_MOST, "N", 0, "list at most N paths, the most frequent (250000)", 0},
    SOURCES_FROM,
    {"tested", KEY_TESTED, "FILE", 0,
        "mark paths that ran in none of these profiles or lists, any number", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --tested: compare the functions that agree, if the tests ran another build",
        0},
    {"missing", KEY_MISSING, "N", OPTION_ARG_OPTIONAL,
        "show paths that did not run, too, at most N (20): such as are one decision away "
        "from a path that did",
        0},
    {"since", KEY_SINCE, "FILE", 0,
        "compare with this profile: show its counts beside those of functions, paths and "
        "lines, and mark paths that are new or gone",
        0},
    {"editor", KEY_EDITOR, "LINK", 0,
        "open lines of the source in an editor, by a link with {path}, {line} and {column} "
        "in it, as vscode://file{path}:{line}:{column}; whoever reads the page can choose "
        "another",
        0},
    {"layout", KEY_LAYOUT, "SECONDS", 0,
        "let dot spend at most SECONDS on control-flow graphs (60), the most "
        "frequent functions first",
        0},
    {"no-layout", KEY_NO_LAYOUT, 0, 0,
        "do not run dot: the page draws graphs itself, less well", 0},
    {"depth", KEY_DEPTH, "K", 0,
        "where steps were recorded, or paths go on into calls: show segments that span up "
        "to K calls (1)",
        0},
    {"table", KEY_TABLE, "DESIGN", 0,
        "of a stream of branches: show what this hot path table held, window by window "
        "(512x4,lfu,xor); 'trod hw model' says what designs there are",
        0},
    {"control", KEY_CONTROL, "REGISTER", 0,
        "of a stream of branches: which branches begin and end paths: ballarus (default), "
        "wpp, exact, exact-wpp, or a file with a register",
        0},
    {"set", KEY_SET, "LINE", 0,
        "change a line of the register: --set='back: all'; can be repeated", 0},
    {"window", KEY_WINDOW, "N", 0,
        "of a stream of branches: in windows of N instructions (so that there are about "
        "100)",
        0},
    {"from", KEY_FROM, "N", 0,
        "of a stream of branches: leave out what is before instruction N", 0},
    {"to", KEY_TO, "N", 0,
        "of a stream of branches: leave out what is from instruction N on", 0},
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
    "control-flow graphs, in one file that needs no network. Graphs are laid out by the "
    "program 'dot' of Graphviz; without it the page lays them out itself. Sources are "
    "read where the program was compiled, or from the folders of --source; the page has "
    "their text, so hand it only to those who may see that.\n\n"
    "Every kind of profile will do, several in one page, and each file is taken for what it is. Of steps that were recorded, "
    "paths across calls and samples of blocks, the page has the pieces that ran across "
    "functions; of bursts, methods, calls, trips and streams; of merged entries, as 'trod "
    "migrate --finish' writes them, how each path is known; of a stream of branches, as "
    "'trod emulate --trace' writes it, what a hot path table of a processor held while "
    "the program ran." CLI_OR_PROGRAM "\n\nNotes in the page say what is not in it: "
    "functions without a map, sources that were not found or changed since, paths that "
    "are too many. With --json the data alone are printed, as doc/page.md has them. "
    "\n\n" PROFILES "\vExamples:\n"
    "  trod html app.trod -o app.html\n"
    "  trod html --since=other.trod --missing=50 app.trod -o app.html\n"
    "  trod html --tested=tests.trod --partial app.trod -o untested.html\n"
    "  trod html app.trod app.branches -o app.html\n"
    "  trod html --source=. --function='parse_*' --json app.trod\n",
    cli_printing_children,
    0,
    0,
};
