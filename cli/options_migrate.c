#include "options.h"

/* Versions of a program. */

/* --- trod migrate ------------------------------------------------------------------------ */

static const struct argp_option migrate_own[] = {
    {"old", KEY_OLD, "VERSION", 0,
        "the version that the profiles are of: a program that 'trod cc' built, or a "
        "compile_commands.json",
        0},
    {"new", KEY_NEW, "VERSION", 0, "the version to migrate to, built as a whole", 0},
    {"type", KEY_TYPE, "TYPE", 0,
        "what profiles have entries of: loops, calls, callgraph, blocks, edges, paths or "
        "sequences; any other type needs --level",
        0},
    {"level", KEY_LEVEL, "LEVEL", 0,
        "reuse entries by LEVEL, not finer: statement, loop, function, class or program",
        0},
    {"method", KEY_METHOD, "METHOD", 0, "reuse what METHOD says", 0},
    {"check", KEY_CHECK_RUN, "NAME=FILE", 0,
        "FILE is a profile of the new version, built as a whole, on input NAME: what is "
        "not as before on it is not reused on any, what is, is",
        0},
    {"threshold", KEY_THRESHOLD, "SHARE", 0,
        "of hybrid: from what share of changed statements on to slice (0.1)", 0},
    {"weight", KEY_CHANGE_WEIGHT, "KIND[:WHAT]=N", 0,
        "of hybrid: count a change of this kind as N: added, deleted, edited, moved or any; "
        "only of WHAT, such as if, call or decl, if that is said (1)",
        0},
    {"no-rerun", KEY_NO_RERUN, 0, 0,
        "no input is run again: what is missing is inferred from what is known", 0},
    {"explain", KEY_EXPLAIN, "FUNCTION", 0,
        "print what became of the entries of a function, and why", 0},
    {"finish", KEY_FINISH, "PLAN", 0,
        "merge what was planned with profiles of the new version; -o is a folder", 0},
    {"score", KEY_SCORE, "MERGED", 0,
        "compare what was merged with whole profiles of the new version", 0},
    {"binary", KEY_BINARY, "FILE", 0,
        "of profiles of other profilers: take names from this program, which left them",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N functions (20)", 0},
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
    "Take profiles of an old version of a program for a new one: say which entries are "
    "still right, which must be profiled again, and why; then merge both.\n\n"
    "Files are profiles of the old version, one for each input, or entries in their text "
    "form. An input is called NAME, or as its file without '.PID.trod'; files of one name "
    "are of one input. -o is a folder for the plan: 'reprofile' is for 'trod cc --only', "
    "'plan' says which inputs must be run again, and --finish needs nothing else. What is "
    "merged has each entry marked: reused; validated, reused and seen to be right on one "
    "input; inferred; profiled."
    "\vExamples:\n"
    "  trod migrate --old=app1 --new=app2 --type=loops --check=small=check.trod small.trod "
    "large.trod -o plan\n"
    "  trod cc --only=plan/reprofile -O2 -o app2-some app.c\n"
    "  trod migrate --finish=plan large=app2-some.trod -o merged\n",
    migrate_children,
    0,
    0,
};
