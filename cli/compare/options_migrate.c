#include "option_tables.h"

/* Versions of a program, and profiles for the next one. */

/* --- construct ------------------------------------------------------------------------- */

static const struct argp_option construct_own[] = {
    {"level", KEY_LEVEL, "LEVEL", 0,
        "leave out what is finer than LEVEL: statement, loop, function, class or program "
        "(statement)",
        0},
    {"root", KEY_ROOT, "FOLDER", 0,
        "the folder of the sources: names of files are relative to it, and what is outside "
        "it is not the program's (the one that all sources have in common)",
        0},
    {"meaning", KEY_MEANING, 0, 0,
        "compile all units, too, for hashes of what functions mean", 0},
    {"text", KEY_TEXT, 0, 0,
        "print the text form, with hashes, which other commands read", 0},
    {"check", KEY_CHECK, 0, 0, "check what was read", 0},
    {0},
};

const struct argp cli_construct_argp = {
    construct_own,
    cli_parse_command,
    "VERSION",
    "Print what a version of a program is made of: classes, functions, loops and statements, with "
    "their lines. VERSION is a program that 'trod cc' built, a compile_commands.json, or a folder "
    "that has one; or constructs in their text form: FILE.constructs, or '-' for standard input. "
    "Sources are read as clang understands them, with the options they are compiled with.\vExamples:\n"
    "  trod version constructs --level=function app\n"
    "  trod version constructs build/compile_commands.json\n"
    "  trod version constructs --text app >app.constructs\n",
    cli_printing_children,
    0,
    0,
};

/* --- change ------------------------------------------------------------------------- */

static const struct argp_option change_own[] = {
    {"weight", KEY_CHANGE_WEIGHT, "KIND[:WHAT]=N", 0,
        "count a change of this kind as N: added, deleted, edited, moved or any; only of WHAT, "
        "such as if, call or decl, if that is said; the last that fits counts (1)",
        0},
    {"alike", KEY_ALIKE, "SHARE", 0,
        "take two statements for one that was edited if they have this much in common, from "
        "0 to 1 (0.4)",
        0},
    {"text", KEY_TEXT, 0, 0, "print the map and all changes by number", 0},
    {"check", KEY_CHECK, 0, 0, "check what was read, and what was found", 0},
    {0},
};

const struct argp cli_change_argp = {
    change_own,
    cli_parse_command,
    "OLD NEW",
    "Compare two versions of a program: which functions, loops and statements of one are which "
    "of the other, and what was added, deleted, edited and moved. What only looks different is no "
    "change: comments, layout, the order of definitions, names of files and of variables, and "
    "whatever means the same. OLD and NEW are versions, as 'trod version constructs' takes them, or what "
    "it prints with --text.\vExamples:\n"
    "  trod version diff app1 app2\n"
    "  trod version diff old.constructs new.constructs\n"
    "  trod version diff --weight=moved=0.5 old.constructs new.constructs\n",
    cli_printing_children,
    0,
    0,
};

/* --- trod version impact --------------------------------------------------------------------------------------- */

static const struct argp_option impact_own[] = {
    {"method", KEY_METHOD, "METHOD", 0, "find what is affected by METHOD", 0},
    {"level", KEY_LEVEL, "LEVEL", 0,
        "list constructs of this level: statement, loop, function (default), class, "
        "program, or a number",
        0},
    {"explain", KEY_EXPLAIN, "FUNCTION", 0,
        "say why this function and its loops are affected, or that they are not", 0},
    {"threshold", KEY_THRESHOLD, "SHARE", 0,
        "with --method=hybrid: the share of changes, from 0 to 1, above which it is sl "
        "(0.1)",
        0},
    {"check", KEY_CHECK, 0, 0, "check the result", 0},
    {"text", KEY_TEXT, 0, 0, "print numbers of constructs, with reasons", 0},
    {0},
};

const struct argp cli_impact_argp = {
    impact_own,
    cli_parse_command,
    "OLD NEW [DEPENDS DEPENDS] [CHANGES]",
    "Find what behaves differently in a new version of a program. OLD and NEW are versions, as "
    "'trod version constructs' takes them, or constructs of both in their text form; sl, and hybrid if much "
    "was changed, need the dependences of both then, too. Without CHANGES, as 'trod version diff' "
    "prints them, these are found first.\vExamples:\n"
    "  trod version impact --method=ba app1 app2\n"
    "  trod version impact v1.constructs v2.constructs\n"
    "  trod version impact --method=sl v1.constructs v2.constructs v?.depends\n"
    "  trod version impact --explain=main v1.constructs v2.constructs\n",
    cli_printing_children,
    0,
    0,
};

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
        "of profiles of other profilers: take names from this program, which left them; of "
        "two, the first left the old ones",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N functions (20)", 0},
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
