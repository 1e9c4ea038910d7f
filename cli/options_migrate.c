#include "options.h"

/* Versions of a program. */

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
    "  trod construct --level=function app\n"
    "  trod construct build/compile_commands.json\n"
    "  trod construct --text app >app.constructs\n",
    cli_printing_children,
    0,
    0,
};
