#include "option_tables.h"

/* Profiles, and what is in them. */

/* What is listed, in which order, and where names come from. */
static const struct argp_option telling_options[] = {
    {"function", 'f', "GLOB", 0, "take only functions whose names match GLOB", 0},
    {"sort", KEY_SORT, "ORDER", 0, "list by ORDER", 0},
    {"group", KEY_GROUP, "WHAT", 0, "put paths together", 0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20)", 0},
    {"brief", KEY_BRIEF, 0, 0, "print one line a path", 0},
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
    "Print profiles: how the programs ran, which paths of which functions, and how "
    "often. Functions and paths are told by hash and id; the names are in the "
    "binary. Of damaged files what can be saved is printed, and notes say what was "
    "lost.\n\n" PROFILES "\vExamples:\n"
    "  trod show app.trod\n"
    "  trod show --json app.trod\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option merge_own[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"keep-runs", KEY_KEEP_RUNS, 0, 0, "keep the counts of each run apart", 0},
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
    "Add up profiles and write one, in a compact form. In which order they come, and "
    "in how many steps, makes no difference. Profiles of one program in several "
    "builds, or of several programs, stay apart inside. What is damaged in a file and "
    "could not be saved is noted in the result; so is how many of the files could not "
    "be used at all and were skipped.\n\n" PROFILES "\vExamples:\n"
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

#define SET_MEANING                                                                      \
    " Paths are the same if their ids are, and the names, graphs and cuts of their "     \
    "functions; what is in several modules or runs of one profile counts as one. Notes " \
    "in the result say what it is, and which functions changed.\n\n" PROFILES

static const struct argp_option set_own[] = {SET_OPTIONS, {0}};

static const struct argp_option subtract_own[] = {
    {"counts", KEY_BY_COUNTS, 0, 0,
        "subtract counts, not paths: what ran more often in the first than in all others",
        0},
    SET_OPTIONS,
    {0},
};

const struct argp cli_union_argp = {
    set_own,
    cli_parse_command,
    "A B...",
    "Write a profile with every path that ran in any of some profiles, with the greatest "
    "of its counts: 'trod merge' adds them up." SET_MEANING "\vExamples:\n"
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
    "Write a profile with the paths that ran in all of some profiles, with the least of "
    "their counts." SET_MEANING "\vExamples:\n"
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
    "Write a profile with the paths of A that ran in none of the others, with A's counts; "
    "with --counts, those that ran more often in A than in all others, and by how "
    "much." SET_MEANING "\vExamples:\n"
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
    "Say of each profile what is in it and what is damaged. The status is 0 if all are "
    "sound, 1 if some are damaged and can be used as far as they go, 3 if some are no "
    "profiles.\n\n" PROFILES "\vExamples:\n"
    "  trod check app.trod\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option report_own[] = {
    {"list", KEY_LIST, 0, 0,
        "print the paths as a list instead, as 'trod set list' and 'trod untested' take it",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "print the blocks of paths, not their decisions", 0},
    {"conditions", KEY_CONDITIONS, 0, 0,
        "with --brief or --json: print the conditions of decisions, too", 0},
    {"verbose", 'v', 0, 0,
        "print all decisions of long paths, and the lines that each path is on", 0},
    {0},
};

const struct argp cli_report_argp = {
    report_own,
    cli_parse_command,
    FILES,
    "Print the most frequent paths: the share of all that ran, the count, the function, and "
    "below it the path's decisions in order: line, condition as it is written in the "
    "source, outcome. A path begins at the function's entry or with an iteration of a loop, "
    "and ends where the function returns or the next iteration begins. Sources are read "
    "from the working directory, its git checkout and --source.\n\n"
    "With --brief, or where the source cannot be read, a path is one line. 'entry' is the "
    "function's start, 'loop N' an iteration of the loop at line N; 'N:T' and 'N:F' are "
    "conditions on line N, true and false as they are written, 'N:case X' a label of a "
    "switch, and 'N:way1' a branch that has no one condition in the source; 'return' and "
    "'again' are where it ended. 'from N (cut)' and 'to N (cut)' are where a "
    "function was cut: it has more paths than 'trod cc --limit' allows, or a call may "
    "return more than once. Scripts should use --json.\n\n"
    "Names and lines are in the binaries, which "
    "are found where they ran. Shares are of all that ran, whatever is listed; with "
    "--sort=weight they are of the blocks that ran. Of programs whose blocks were sampled, "
    "subpaths are printed, as 'trod sample subpaths' does. Of programs sampled in bursts, counts are "
    "estimates, which '~' says.\n\n" PROFILES "\vExamples:\n"
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
        "compare profiles of programs that have few functions in common, too", 0},
    {0}};

const struct argp cli_diff_argp = {
    diff_own,
    cli_parse_command,
    "A B",
    "Compare two profiles: which paths appeared, vanished, or ran more or less often. "
    "Functions are the same if their names, graphs and cuts are; paths of a function that "
    "changed are not compared."
    "\vExamples:\n"
    "  trod diff app.trod other.trod\n"
    "  trod diff --json app.trod other.trod\n"
    "  trod diff --group=function --sort=weight app.trod other.trod\n",

    telling_children,
    0,
    0,
};

static const struct argp_option overlap_own[] = {
    {"top", KEY_TOP, "PERCENT", 0,
        "the second overlap is of the hottest members that make up so much of each profile "
        "(90); --min is of it",
        0},
    {"min", KEY_MIN, "PERCENT", 0,
        "status 1 if the overlap is lower: that of all, or with --top that of the hottest",
        0},
    {"depth", KEY_DEPTH, "K", 0,
        "where steps were recorded, or paths go on into calls: members are segments that span "
        "up to K calls (1)",
        0},
    {"group", KEY_GROUP, "WHAT", 0,
        "put paths together: members are functions or files", 0},
    {"kind", KEY_MEMBERS, "KIND", 0,
        "where programs were sampled in bursts: what members are", 0},
    {"by", KEY_STREAM_BY, "DATA", 0,
        "with --kind=streams: take references for the same if they are DATA", 0},
    {"shortest", KEY_SHORTEST, "N", 0,
        "with --kind=streams: of N references at least (2)", 0},
    {"longest", KEY_LONGEST, "N", 0,
        "with --kind=streams: of N references at most (100)", 0},
    {"most", KEY_MOST, "N", 0, "print at most N members (10)", 0},
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
    "Print how much two profiles have in common. Each member of a profile has a share of it: "
    "its count of the sum of all. The overlap is the sum, over all members, of the lesser of "
    "the two shares: 100% where all members have the same share in both, however often they "
    "ran; 0% where none is in both. It is printed of all members, and of the hottest that "
    "make up 90% of each profile, with their shares of that; and the members whose shares "
    "are farthest apart. Members are paths; where blocks were sampled, subpaths, as often as "
    "they are estimated to have run; where steps were recorded, segments; where programs were "
    "sampled in bursts, what --kind says. A is what B is "
    "held against, such as all that ran against a sample; the overlap is the same the other "
    "way round.\n\n"
    "A and B are profiles: left by programs that ran, or are running; written by 'trod "
    "merge'; or in the text form of 'trod show'. What 'trod sample subpaths --text', 'trod "
    "sample functions --text', 'trod sample data --text' and 'trod calls segments' printed is "
    "read, too. '-' is standard input."
    "\vExamples:\n"
    "  trod overlap full.trod sampled.trod\n"
    "  trod overlap --group=function --most=3 full.trod sampled.trod\n"
    "  trod overlap --top=90 --min=80 --json full.trod sampled.trod\n"
    "  trod overlap --kind=calls full.trod sampled.trod\n",
    overlap_children,
    0,
    0,
};
