#include "option_tables.h"

/* Options of commands that display profiles. */

static const struct argp_option report_own[] = {
    {"list", KEY_LIST, 0, 0,
        "print a path list instead, for 'trod set list' and 'trod untested'", 0},
    {"blocks", KEY_BLOCKS, 0, 0, "print the blocks of paths instead of their decisions",
        0},
    {"conditions", KEY_CONDITIONS, 0, 0,
        "with --brief or --json: also print the conditions of decisions", 0},
    {"all-paths", KEY_ALL_PATHS, 0, 0,
        "also list paths of functions without a decision, which are left out if there are "
        "more paths than rows and --function is not given",
        0},
    {"verbose", 'v', 0, 0,
        "print all decisions of long paths, and the source lines of each path", 0},
    {0},
};

const struct argp cli_report_argp = {
    report_own,
    cli_parse_command,
    FILES,
    "Print the most frequent paths: the share of all executions, the count, the "
    "function, and below it the decisions of the path in order: line, condition as "
    "written in the source, outcome. A path begins at the function's entry or with an "
    "iteration of a loop, and ends where the function returns or the next iteration "
    "begins. trod reads sources from the working directory, its git checkout and "
    "--source.\n\nWith --brief, or if the source cannot be read, a path is one line. "
    "'entry' is the function's start, 'loop N' an iteration of the loop at line N; 'N:T' "
    "and 'N:F' are conditions on line N that were true and false, 'N:case X' a case of a "
    "switch, and 'N:way1' a branch that does not correspond to a single condition in the "
    "source. 'N:T x3' is the same three times, '[N:T M:F] x2' both twice. A path ends with 'return', 'again' (the next iteration), 'throw', 'unwind' (a "
    "called function threw) or 'stop' (a call does not return). 'from N (cut)' and 'to N (cut)' mark "
    "where a function is cut: it has more paths than 'trod cc --limit' allows, or a call "
    "may return more than once. Scripts should use --json.\n\nNames and lines come from "
    "the binaries, which trod looks up where they ran. Shares are relative to all "
    "executions, whatever is listed; with --sort=weight, to all blocks executed; with "
    "--sort=time, to the own time of all paths, which is without the functions that they call. For a "
    "program built with --online, trod prints block sequences, as 'trod sample subpaths' "
    "does. For a program built with --burst, counts are estimates, marked by '~'.\n\n" PROFILES
    "\vExamples:\n"
    "  trod report app.trod\n"
    "  trod report --most=5 --blocks app.trod\n"
    "  trod report --function='parse_*' --sort=weight app.trod\n"
    "  trod report -v --most=2 app.trod\n"
    "  trod report --sort=time app.trod\n"
    "  trod report --group=function --json app.trod\n"
    "  trod report --list --most=100 app.trod -o hot.list\n",

    cli_listing_children,
    0,
    0,
};

static const struct argp_option html_own[] = {
    CHOSEN,
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
        "let dot spend at most SECONDS on control-flow graphs, hottest functions first "
        "(default: 3, for at most 500 functions); the page lays out the others when they are "
        "looked at",
        0},
    {"no-layout", KEY_NO_LAYOUT, 0, 0,
        "do not run dot; the page uses a simpler layout of its own", 0},
    {"no-compress", KEY_NO_COMPRESS, 0, 0,
        "do not compress the data of large pages, for browsers from before 2023", 0},
    {"all-sources", KEY_ALL_SOURCES, 0, 0,
        "include all source text of large programs (default: of the hottest functions, 150000 "
        "lines)",
        0},
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
    "trod prints the data alone, as doc/everyday/page.md describes them.\n\n" PROFILES
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

static const struct argp_option annotate_own[] = {
    CHOSEN,
    ALL_CODE,
    LOOKS,
    {"all", KEY_ALL, 0, 0, "also show functions that did not run", 0},
    {"most", KEY_MOST, "N", 0, "list at most N paths of a function (default: 5)", 0},
    {"path", 'p', "ID", 0,
        "show one path of the function, by its id: its lines are marked, others are dimmed",
        0},
    {"time", KEY_TIME, 0, 0,
        "also show own times: paths are sorted by theirs, and a line has that of all paths "
        "on it; for programs built with --burst=types=paths+time",
        0},
    SOURCES_FROM,
    NAMES_FROM,
    NOT_SKIPPING,
    {0},
};

const struct argp cli_annotate_argp = {
    annotate_own,
    cli_parse_command,
    FILES,
    "Print the sources of the functions that ran. Each line that has code is preceded by "
    "its count, and a bar relative to the hottest line; it is followed by the counts of "
    "each outcome of its decisions. Below each function are its hottest paths, each with "
    "a letter, which marks the lines of the path in the margin. If a source is not "
    "found, trod prints blocks instead, with the reason. On a terminal, lines are cut to "
    "its width and coloured by heat, unless NO_COLOR is set in the environment.\n\n" PROFILES
    "\vExamples:\n"
    "  trod annotate app.trod\n"
    "  trod annotate --function=main --most=3 app.trod\n"
    "  trod annotate --time app.trod\n"
    "  trod annotate --file='*.h' --all --json app.trod\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option top_own[] = {
    {"pid", 'p', "PID", 0, "watch the program with this process id", 0},
    {"interval", KEY_INTERVAL, "SECONDS", 0, "refresh interval (default: 2)", 0},
    {"sort", KEY_TOP_SORT, "ORDER", 0, "sort by ORDER", 0},
    {"group", KEY_GROUP, "WHAT", 0, "group paths", 0},
    {"once", KEY_ONCE, 0, 0,
        "print once and exit, for scripts; does not need a terminal", 0},
    {0},
};

static const struct argp top_sort_argp = PARSED_BY_CHILD(cli_top_sort_words);

static const struct argp top_group_argp = PARSED_BY_CHILD(cli_group_words);

static const struct argp_child top_children[] = {
    {&cli_sequences_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&top_sort_argp, 0, "ORDER is one of:", 1},
    {&top_group_argp, 0, "WHAT is one of:", 2},
    {0},
};

const struct argp cli_top_argp = {
    top_own,
    cli_parse_command,
    FILES,
    "Show what a program does while it runs: its hottest paths in the last seconds, or, "
    "if it was compiled by 'trod cc --online', the hottest block sequences as 'trod "
    "sample subpaths' prints them. trod reads the program's profile without stopping it "
    "or slowing it down.\n\nOf paths, trod prints how often they ran in a second of the "
    "last interval, their share of all that ran in it, the error if counts are estimates, "
    "and the count since the beginning; if they are timed, their own time in the "
    "interval, and the mean and the 99th percentile of an execution. Rows with an error "
    "above 50% are left out. Keys: 's' change the order, 'g' group by loop, function or "
    "file, '/' filter lines, 'f' freeze or resume, 'b' blocks or lines, 'w' write to a "
    "file, arrows to move, 'q' quit. These change how a program samples, as 'trod sample "
    "control' does: 'o' on or off, 'r' begin anew; for block sequences also '-' fewer "
    "samples, '+' more (they begin anew), or half and twice the budget if there is one. "
    "When the program ends, the last screen "
    "stays.\n\nEach FILE is the profile of a program that is running or has run. If it "
    "does not run any more, rates are not known.\vExamples:\n  trod top -p 4711\n  trod "
    "top --interval=0.5 --weight=1 app.trod\n  trod top --group=function -p 4711\n  trod "
    "top --once --json -p 4711\n",
    top_children,
    0,
    0,
};
