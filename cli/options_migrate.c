#include "options.h"

/* Profiles for the next version. */

/* --- trod impact --------------------------------------------------------------------------------------- */

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
    "Find what behaves differently in a new version of a program. OLD and NEW are constructs of "
    "both versions in their text form; sl, and hybrid if much was changed, need the dependences of "
    "both versions, too. Without CHANGES, as 'trod change' prints them, these are found "
    "first.\vExamples:\n"
    "  trod impact v1.constructs v2.constructs\n"
    "  trod impact --method=sl v1.constructs v2.constructs v1.depends v2.depends\n"
    "  trod impact --explain=main v1.constructs v2.constructs\n",
    cli_printing_children,
    0,
    0,
};
