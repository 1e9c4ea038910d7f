#include "option_tables.h"

/* Profiles, and what is in them. */

/* What is listed, in which order, and where names come from. */
static const struct argp_option telling_options[] = {
    {"function", 'f', "GLOB", 0, "include only functions whose names match GLOB", 0},
    {"sort", KEY_SORT, "ORDER", 0, "sort by ORDER", 0},
    {"group", KEY_GROUP, "WHAT", 0, "group paths", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (default: 20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line per path", 0},
    CODE_SHOWN,
    LOOKS,
    NAMES_FROM,
    SOURCES_FROM,
    NOT_SKIPPING,
    {0},
};

static const struct argp telling_argp = PARSED_BY_CHILD(telling_options);
static const struct argp sort_argp = PARSED_BY_CHILD(cli_sort_words);
static const struct argp group_argp = PARSED_BY_CHILD(cli_group_words);

/* Commands that tell it, with names. */
static const struct argp_child telling_children[] = {
    {&telling_argp, 0, 0, 0},
    {&cli_printing_argp, 0, 0, 0},
    {&sort_argp, 0, "ORDER is one of:", 1},
    {&group_argp, 0, "WHAT is one of:", 2},
    {0},
};

static const struct argp_option showing_own[] = {MAX_EXPAND, {0}};

const struct argp cli_show_argp = {
    showing_own,
    cli_parse_command,
    FILES,
    "Print the contents of profiles: how the programs ran, and the counts of the paths "
    "of each function. Functions and paths are printed as hashes and ids; their names "
    "are in the binary. If a file is damaged, trod prints what can be recovered, and "
    "notes what was lost.\n\n" PROFILES "\vExamples:\n"
    "  trod show app.trod\n"
    "  trod show --json app.trod\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option merge_own[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"keep-runs", KEY_KEEP_RUNS, 0, 0, "keep the counts of each run separate", 0},
    {"text", KEY_TEXT, 0, 0, "write the text form", 0},
    NOT_SKIPPING,
    MAX_EXPAND,
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_merge_argp = {
    merge_own,
    cli_parse_command,
    FILES,
    "Add profiles and write the sum in a compact form. The result does not depend on the "
    "order of the files, or on the number of steps. Profiles of different builds or "
    "programs stay separate inside. The result notes what was damaged and could not be "
    "recovered, and how many files were skipped.\n\n" PROFILES "\vExamples:\n"
    "  trod merge -o all.trod app.trod other.trod\n"
    "  trod merge --keep-runs app.trod other.trod | trod show\n",
    0,
    0,
    0,
};

/* Profiles as sets of paths. */

#define SET_OPTIONS                                                            \
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0}, \
        {"text", KEY_TEXT, 0, 0, "write the text form", 0}, NAMES_FROM,        \
        {"quiet", 'q', 0, 0, "print no notes on standard error", 0}

#define SET_MEANING                                                                       \
    " Two paths are equal if their ids are equal and their functions have the same "      \
    "names, graphs and cuts; modules and runs of one profile are combined. Notes in the " \
    "result say how it was made, and which functions changed.\n\n" PROFILES

static const struct argp_option set_own[] = {SET_OPTIONS, {0}};

static const struct argp_option subtract_own[] = {
    {"counts", KEY_BY_COUNTS, 0, 0,
        "subtract counts instead of paths: keep what ran more often in the first than in all "
        "others",
        0},
    SET_OPTIONS,
    {0},
};

const struct argp cli_union_argp = {
    set_own,
    cli_parse_command,
    "A B...",
    "Write a profile of the paths that ran in any of the given profiles, each with its "
    "largest count. ('trod merge' adds counts.)" SET_MEANING "\vExamples:\n"
    "  trod set union -o any.trod app.trod other.trod\n"
    "  trod set union --text app.trod other.trod\n",
    0,
    0,
    0,
};

const struct argp cli_intersect_argp = {
    set_own,
    cli_parse_command,
    "A B...",
    "Write a profile of the paths that ran in all of the given profiles, each with its "
    "smallest count." SET_MEANING "\vExamples:\n"
    "  trod set intersect -o all.trod app.trod other.trod\n"
    "  trod set intersect app.trod other.trod | trod report\n",
    0,
    0,
    0,
};

const struct argp cli_subtract_argp = {
    subtract_own,
    cli_parse_command,
    "A B...",
    "Write a profile of the paths of A that ran in none of the others, with the counts "
    "of A. With --counts, write the paths that ran more often in A than in all others "
    "together, with the difference." SET_MEANING "\vExamples:\n"
    "  trod set subtract -o new.trod app.trod other.trod\n"
    "  trod set subtract --counts app.trod other.trod | trod report\n",
    0,
    0,
    0,
};

const struct argp cli_check_argp = {
    showing_own,
    cli_parse_command,
    FILES,
    "Print the contents and damage of each profile. The exit status is 0 if all are "
    "sound, 1 if some are damaged but partly usable, and 3 if some are not profiles.\n\n" PROFILES
    "\vExamples:\n"
    "  trod check app.trod\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option report_own[] = {
    {"list", KEY_LIST, 0, 0,
        "print a path list instead, for 'trod set list' and 'trod untested'", 0},
    {"blocks", KEY_BLOCKS, 0, 0, "print the blocks of paths instead of their decisions",
        0},
    {"conditions", KEY_CONDITIONS, 0, 0,
        "with --brief or --json: also print the conditions of decisions", 0},
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
    "source; 'return' and 'again' end the path. 'from N (cut)' and 'to N (cut)' mark "
    "where a function is cut: it has more paths than 'trod cc --limit' allows, or a call "
    "may return more than once. Scripts should use --json.\n\nNames and lines come from "
    "the binaries, which trod looks up where they ran. Shares are relative to all "
    "executions, whatever is listed; with --sort=weight, to all blocks executed. For a "
    "program built with --online, trod prints block sequences, as 'trod sample subpaths' "
    "does. For a program built with --burst, counts are estimates, marked by '~'.\n\n" PROFILES
    "\vExamples:\n"
    "  trod report app.trod\n"
    "  trod report --most=5 --blocks app.trod\n"
    "  trod report --function='parse_*' --sort=weight app.trod\n"
    "  trod report -v --most=2 app.trod\n"
    "  trod report --group=function --json app.trod\n"
    "  trod report --list --most=100 app.trod -o hot.list\n",

    telling_children,
    0,
    0,
};

static const struct argp_option diff_own[] = {
    {"force", KEY_FORCE, 0, 0,
        "compare profiles even if the programs have few functions in common", 0},
    {0}};

const struct argp cli_diff_argp = {
    diff_own,
    cli_parse_command,
    "A B",
    "Compare two profiles: which paths appeared, vanished, or ran more or less often. "
    "Functions are the same if their names, graphs and cuts are equal; the paths of "
    "changed functions are not compared.\vExamples:\n  trod diff app.trod other.trod\n  "
    "trod diff --json app.trod other.trod\n  trod diff --group=function --sort=weight "
    "app.trod other.trod\n",

    telling_children,
    0,
    0,
};

static const struct argp_option overlap_own[] = {
    {"top", KEY_TOP, "PERCENT", 0,
        "compute the second overlap from the hottest members that make up PERCENT of each "
        "profile (default: 90); --min then applies to it",
        0},
    {"min", KEY_MIN, "PERCENT", 0,
        "exit with status 1 if the overlap is lower: of all members, or with --top of the "
        "hottest",
        0},
    {"depth", KEY_DEPTH, "K", 0,
        "for profiles of --wpp and --segments builds: members are segments that span up to K "
        "calls (default: 1)",
        0},
    {"group", KEY_GROUP, "WHAT", 0, "members are functions or files instead of paths",
        0},
    {"kind", KEY_MEMBERS, "KIND", 0,
        "for profiles of --burst builds: the kind of members", 0},
    {"by", KEY_STREAM_BY, "DATA", 0,
        "with --kind=data: treat references as equal if DATA", 0},
    {"shortest", KEY_SHORTEST, "N", 0,
        "with --kind=data: minimum number of references (default: 2)", 0},
    {"longest", KEY_LONGEST, "N", 0,
        "with --kind=data: maximum number of references (default: 100)", 0},
    {"most", KEY_MOST, "N", 0, "print at most N members (default: 10)", 0},
    NAMES_FROM,
    MAX_STEPS,
    {0},
};

static const struct argp members_argp = PARSED_BY_CHILD(cli_member_words);
static const struct argp data_argp = PARSED_BY_CHILD(cli_stream_by_words);

static const struct argp_child overlap_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&group_argp, 0, "WHAT is one of:", 2},
    {&members_argp, 0, "KIND is one of:", 3},
    {&data_argp, 0, "DATA is one of:", 4},
    {0},
};

const struct argp cli_overlap_argp = {
    overlap_own,
    cli_parse_command,
    "A B",
    "Print how much two profiles have in common. The share of a member is its count "
    "divided by the sum of all counts of the profile. The overlap is the sum, over all "
    "members, of the smaller of the two shares: 100% if all members have the same share "
    "in both profiles, whatever their counts; 0% if no member is in both. trod prints it "
    "for all members, and for the hottest that make up 90% of each profile; then the "
    "members whose shares differ most. Members are paths; for --online builds, block "
    "sequences with estimated counts; for --wpp builds, segments; for --burst builds, as "
    "--kind says. The overlap is symmetric; A is usually the complete profile and B the "
    "sample.\n\nA and B are profiles: written by programs that ran or are still running, "
    "by 'trod merge', or in the text form of 'trod show'. trod also reads the output of "
    "'trod sample subpaths --text', 'trod sample functions --text', 'trod sample data "
    "--text' and 'trod calls segments'. '-' is standard input.\vExamples:\n  trod "
    "overlap full.trod sampled.trod\n  trod overlap --group=function --most=3 full.trod "
    "sampled.trod\n  trod overlap --top=90 --min=80 --json full.trod sampled.trod\n  "
    "trod overlap --kind=calls full.trod sampled.trod\n",
    overlap_children,
    0,
    0,
};
