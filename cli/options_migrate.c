#include "options.h"

/* Versions of a program. */

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
    "whatever means the same. OLD and NEW are constructs, as 'trod construct --text' prints "
    "them.\vExamples:\n"
    "  trod change old.constructs new.constructs\n"
    "  trod change --weight=moved=0.5 --weight=any:decl=0 old.constructs new.constructs\n",
    cli_printing_children,
    0,
    0,
};
