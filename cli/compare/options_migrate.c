#include "option_tables.h"

/* Versions of a program, and profiles for the next one. */

/* --- construct ------------------------------------------------------------------------- */

static const struct argp_option construct_own[] = {
    {"level", KEY_LEVEL, "LEVEL", 0,
        "omit constructs finer than LEVEL: statement (default), loop, function, class or "
        "program",
        0},
    {"root", KEY_ROOT, "FOLDER", 0,
        "the root of the sources: file names are relative to it, and files outside it are "
        "not part of the program (default: the common parent of all sources)",
        0},
    {"meaning", KEY_MEANING, 0, 0,
        "also compile all units, to hash the meaning of functions", 0},
    {"text", KEY_TEXT, 0, 0,
        "print the text form with hashes, which other commands read", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators on the input", 0},
    {0},
};

const struct argp cli_construct_argp = {
    construct_own,
    cli_parse_command,
    "VERSION",
    "Print the constructs of a version of a program: classes, functions, loops and "
    "statements, with their lines. VERSION is a program that 'trod cc' built, a "
    "compile_commands.json, or a folder that contains one; or constructs in their text "
    "form: FILE.constructs, or '-' for standard input. clang parses the sources, with "
    "the options they are compiled with.\vExamples:\n  trod version constructs "
    "--level=function app\n  trod version constructs build/compile_commands.json\n  trod "
    "version constructs --text app >app.constructs\n",
    cli_printing_children,
    0,
    0,
};

/* --- change ------------------------------------------------------------------------- */

static const struct argp_option change_own[] = {
    {"weight", KEY_CHANGE_WEIGHT, "KIND[:WHAT]=N", 0,
        "the weight of a change of KIND: added, deleted, edited, moved or any; WHAT, such as "
        "if, call or decl, restricts it to one kind of construct; the last match applies "
        "(default: 1)",
        0},
    {"alike", KEY_ALIKE, "SHARE", 0,
        "treat two statements as one that was edited if their similarity is at least SHARE, "
        "from 0 to 1 (default: 0.4)",
        0},
    {"text", KEY_TEXT, 0, 0, "print the mapping and all changes by number", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators on input and result", 0},
    {0},
};

const struct argp cli_change_argp = {
    change_own,
    cli_parse_command,
    "OLD NEW",
    "Compare two versions of a program: match their functions, loops and statements, and "
    "print what was added, deleted, edited and moved. Differences without an effect are "
    "not changes: comments, layout, the order of definitions, names of files and "
    "variables, and code with the same meaning. OLD and NEW are versions as 'trod "
    "version constructs' reads them, or what it prints with --text.\vExamples:\n  trod "
    "version diff app1 app2\n  trod version diff old.constructs new.constructs\n  trod "
    "version diff --weight=moved=0.5 old.constructs new.constructs\n",
    cli_printing_children,
    0,
    0,
};

/* --- trod version impact --------------------------------------------------------------------------------------- */

static const struct argp_option impact_own[] = {
    {"method", KEY_METHOD, "METHOD", 0, "find what is affected, by METHOD", 0},
    {"level", KEY_LEVEL, "LEVEL", 0,
        "list constructs of LEVEL: statement, loop, function (default), class, program, or a "
        "number",
        0},
    {"explain", KEY_EXPLAIN, "FUNCTION", 0,
        "explain whether and why FUNCTION and its loops are affected", 0},
    {"threshold", KEY_THRESHOLD, "SHARE", 0,
        "with --method=hybrid: use sl if the share of changes, from 0 to 1, is above SHARE "
        "(default: 0.1)",
        0},
    {"check", KEY_CHECK, 0, 0, "run the validators on the result", 0},
    {"text", KEY_TEXT, 0, 0, "print construct numbers, with reasons", 0},
    {0},
};

const struct argp cli_impact_argp = {
    impact_own,
    cli_parse_command,
    "OLD NEW [DEPENDS DEPENDS] [CHANGES]",
    "Find what may behave differently in a new version of a program. OLD and NEW are "
    "versions as 'trod version constructs' reads them, or constructs in their text form. "
    "For the text form, sl, and hybrid if the changes are significant, also need the "
    "dependences of both versions. CHANGES is the output of 'trod version diff'; without "
    "it, trod compares the versions first.\vExamples:\n  trod version impact --method=ba "
    "app1 app2\n  trod version impact v1.constructs v2.constructs\n  trod version impact "
    "--method=sl v1.constructs v2.constructs v?.depends\n  trod version impact "
    "--explain=main v1.constructs v2.constructs\n",
    cli_printing_children,
    0,
    0,
};

/* --- trod migrate ------------------------------------------------------------------------ */

static const struct argp_option migrate_own[] = {
    {"old", KEY_OLD, "VERSION", 0,
        "the version that was profiled: a program that 'trod cc' built, or a "
        "compile_commands.json",
        0},
    {"new", KEY_NEW, "VERSION", 0, "the version to migrate to, built without --only",
        0},
    {"type", KEY_TYPE, "TYPE", 0,
        "the type of profile entries: loops, calls, callgraph, blocks, edges, paths or "
        "sequences; any other type needs --level",
        0},
    {"level", KEY_LEVEL, "LEVEL", 0,
        "the finest level at which entries are reused: statement, loop, function, class or "
        "program",
        0},
    {"method", KEY_METHOD, "METHOD", 0, "decide by METHOD what is reused", 0},
    {"check", KEY_CHECK_RUN, "NAME=FILE", 0,
        "FILE is a profile of the new version, built without --only, on input NAME: entries "
        "whose count changed there are not reused for any input, and entries whose count did "
        "not change are",
        0},
    {"threshold", KEY_THRESHOLD, "SHARE", 0,
        "with --method=hybrid: the share of changed statements from which slicing is used "
        "(default: 0.1)",
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
