#include "option_tables.h"

/* Options of commands for versions of a program. */

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
    {"text", KEY_TEXT, 0, 0,
        "print which construct of OLD matches which of NEW, and "
        "all changes, by construct number",
        0},
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

static const struct argp_option impact_own[] = {
    {"method", KEY_METHOD, "METHOD", 0, "find what is affected by METHOD", 0},
    {"level", KEY_LEVEL, "LEVEL", 0,
        "list constructs of LEVEL: statement, loop, function (default), class, program, or a "
        "number",
        0},
    {"explain", KEY_EXPLAIN, "FUNCTION", 0,
        "explain whether and why FUNCTION and its loops are affected", 0},
    {"threshold", KEY_THRESHOLD, "SHARE", 0,
        "with --method=hybrid: use sl if the share of constructs that changed, from 0 "
        "to 1, is above SHARE (default: 0.1)",
        0},
    {"check", KEY_CHECK, 0, 0, "run the validators on the result", 0},
    {"text", KEY_TEXT, 0, 0,
        "print the text form: affected constructs by number, "
        "with reasons",
        0},
    {0},
};

static const struct argp method_argp = PARSED_BY_CHILD(cli_method_words);

static const struct argp_child impact_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&method_argp, 0, "METHOD is one of:", 1},
    {0},
};

const struct argp cli_impact_argp = {
    impact_own,
    cli_parse_command,
    "OLD NEW [DEPENDS DEPENDS] [CHANGES]",
    "Find what may behave differently in a new version of a program. OLD and NEW are "
    "versions as 'trod version constructs' reads them, or constructs in their text form. "
    "DEPENDS are the dependences of OLD and of NEW; only the method sl uses them, and trod "
    "finds them itself unless OLD and NEW are text. CHANGES is the output of 'trod version "
    "diff'; without it, trod compares the versions first.\vExamples:\n"
    "  trod version impact --method=ba app1 app2\n"
    "  trod version impact v1.constructs v2.constructs\n"
    "  trod version impact --method=sl v1.constructs v2.constructs v?.depends\n"
    "  trod version impact --explain=main v1.constructs v2.constructs\n",
    impact_children,
    0,
    0,
};

static const struct argp_option score_own[] = {
    {"full", KEY_FULL, "[INPUT=]FILE", 0,
        "a complete profile of the new version on INPUT", 0},
    {"all", KEY_ALL_ENTRIES, 0, 0,
        "also count parts of unexecuted functions as entries", 0},
    {"times", KEY_TIMES, "FILE", 0,
        "print the time saved, from the measurements in FILE", 0},
    {"wrong", KEY_WRONG, "N", OPTION_ARG_OPTIONAL,
        "also print the N entries (default: 20) of each input with the largest error",
        0},
    NAMES_FROM,
    MAX_STEPS,
    {0},
};

const struct argp cli_score_argp = {
    score_own,
    cli_parse_command,
    "MERGED... --full FULL...",
    "Print the accuracy of merged profiles against full ones: the share of entries with "
    "the same count (Acc), or within one percent (near); the precision (P), recall (R) "
    "and F-measure (F) of reused entries; and the overlap of the counts (hot).\n\nEach "
    "MERGED is a file with entries or call sequences, or a folder of such files, as "
    "'trod migrate --finish' writes them. Profiles in the list are taken as full profiles. A full "
    "profile is compared with the merged profile of the same input: the name before '=', or "
    "the file name without '.trod' and process id. Its entries are derived independently, by "
    "walking every path that ran, block by block.\n\nThe file of --times has the lines 'INPUT plain SECONDS' for the program without "
    "profiling, 'INPUT full SECONDS' for full profiling, 'INPUT selective SECONDS' for "
    "profiling only what changed, or 'INPUT skipped'; and 'analysis SECONDS'. If a line "
    "has several values, the median is used.\vExamples:\n  trod version score merged/ "
    "--full full-*.trod\n  trod version score small.entries --full=small=v2.1234.trod "
    "--times=times\n",
    cli_printing_children,
    0,
    0,
};
