#include "option_tables.h"

/* Options of commands that compare two profiles, or profiles of two versions. */

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

    cli_listing_children,
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
    {"group", KEY_GROUP, "WHAT", 0, "compare functions or files instead of paths", 0},
    {"kind", KEY_MEMBERS, "KIND", 0,
        "for profiles of --burst builds: compare members of KIND", 0},
    {"by", KEY_STREAM_BY, "DATA", 0,
        "with --kind=data: which data references are equal", 0},
    {"shortest", KEY_SHORTEST, "N", 0,
        "with --kind=data: minimum number of references (default: 2)", 0},
    {"longest", KEY_LONGEST, "N", 0,
        "with --kind=data: maximum number of references (default: 100)", 0},
    {"most", KEY_MOST, "N", 0, "print at most N members (default: 10)", 0},
    CHOSEN,
    NAMES_FROM,
    MAX_STEPS,
    {0},
};

static const struct argp group_argp = PARSED_BY_CHILD(cli_group_words);
static const struct argp members_argp = PARSED_BY_CHILD(cli_member_words);
static const struct argp data_argp = PARSED_BY_CHILD(cli_stream_by_words);

static const struct argp_child overlap_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&group_argp, 0, "WHAT is one of:", 2},
    {&members_argp, 0, "KIND is one of:", 3},
    {&data_argp, 0, "With DATA, two references are equal if:", 4},
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

static const struct argp_option migrate_own[] = {
    {"old", KEY_OLD, "VERSION", 0,
        "the version that was profiled: a program that 'trod cc' built, or a "
        "compile_commands.json",
        0},
    {"new", KEY_NEW, "VERSION", 0, "the version to migrate to, built without --only",
        0},
    {"type", KEY_TYPE, "TYPE", 0,
        "the type of profile entries: loops, calls, callgraph, blocks, edges, paths or "
        "sequences; or a type of your own, which needs --level",
        0},
    {"level", KEY_LEVEL, "LEVEL", 0,
        "the finest level at which entries are reused: statement, loop, function, "
        "class or program (default: the finest that is safe for the type)",
        0},
    {"method", KEY_METHOD, "METHOD", 0,
        "reuse entries of constructs that METHOD does "
        "not find affected",
        0},
    {"check", KEY_CHECK_RUN, "NAME=FILE", 0,
        "FILE is a profile of the new version, built without --only, on input NAME: "
        "entries whose count is the same there are reused for all inputs, and entries "
        "whose count differs for none",
        0},
    {"threshold", KEY_THRESHOLD, "SHARE", 0,
        "with --method=hybrid: use sl if the share of constructs that changed, from 0 "
        "to 1, is above SHARE (default: 0.1)",
        0},
    {"weight", KEY_CHANGE_WEIGHT, "KIND[:WHAT]=N", 0,
        "with --method=hybrid: the weight of a change of KIND: added, deleted, edited, moved "
        "or any; WHAT, such as if, call or decl, restricts it to one kind of construct "
        "(default: 1)",
        0},
    {"no-rerun", KEY_NO_RERUN, 0, 0,
        "do not plan to rerun any input: infer missing entries from known ones", 0},
    {"explain", KEY_EXPLAIN, "FUNCTION", 0,
        "print which entries of FUNCTION are reused, and why", 0},
    {"finish", KEY_FINISH, "PLAN", 0,
        "merge the entries of PLAN with profiles of the new version; -o is a folder",
        0},
    {"score", KEY_SCORE, "MERGED", 0,
        "compare merged profiles with complete profiles of the new version", 0},
    {"binary", KEY_BINARY, "FILE", 0,
        "for profiles of other profilers: the program that wrote them; of two, the first "
        "wrote the old ones",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N functions (default: 20)", 0},
    MAX_EXPAND,
    MAX_STEPS,
    {0},
};

static const struct argp method_argp = PARSED_BY_CHILD(cli_method_words);

static const struct argp_child migrate_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&method_argp, 0, "METHOD is one of:", 1},
    {0},
};

const struct argp cli_migrate_argp = {
    migrate_own,
    cli_parse_command,
    "[NAME=]FILE...",
    "Carry profiles of an old version of a program over to a new one: find which entries "
    "are still valid, which must be profiled again, and why; then merge both.\n\nEach "
    "FILE is a profile of the old version on one input, or entries in their text form. "
    "The name of the input is NAME, or the file name without '.PID.trod'; files with the "
    "same name belong to one input. -o is a folder for the plan: its file 'reprofile' is "
    "for 'trod cc --only', its file 'plan' lists the inputs to rerun, and --finish reads "
    "nothing else. Each merged entry is marked as reused, validated (reused, and "
    "confirmed on one input), inferred or profiled.\vExamples:\n  trod migrate "
    "--old=app1 --new=app2 --type=loops --check=small=check.trod small.trod large.trod "
    "-o plan\n  trod cc --only=plan/reprofile -O2 -o app2-some app.c\n  trod migrate "
    "--finish=plan large=app2-some.trod -o merged\n",
    migrate_children,
    0,
    0,
};
