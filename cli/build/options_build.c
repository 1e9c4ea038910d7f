#include "build/compiler.h"
#include "option_tables.h"

/* Programs: how they are compiled and run; and help. */

static const struct argp_option split_own[] = {
    {"output", 'o', "FILE", 0,
        "write to FILE instead of PROGRAM.trodmap; if FILE is a folder, write "
        "BUILD-ID.trodmap in it",
        0},
    {"strip", KEY_STRIP, 0, 0, "also remove the map from PROGRAM (needs objcopy)", 0},
    {"text", KEY_TEXT, 0, 0, "print the map as text instead", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_split_argp = {
    split_own,
    cli_parse_command,
    "PROGRAM",
    "Write the map of a program or library, which has the names and lines of its paths, "
    "to a separate compressed file. With --strip, also remove the map from the program, "
    "which still counts as before. Commands find the map beside the program, in the "
    "folder of --maps, or by --binary.\vExamples:\n  trod split app\n  trod split "
    "--strip -o maps/ app\n  trod split --text app | head\n  trod report --maps=maps "
    "app.trod\n",
    0,
    0,
    0,
};

const struct argp cli_run_argp = {
    cli_no_options,
    NULL,
    "[--] PROGRAM [ARGUMENT...]",
    "Run a program that 'trod cc' compiled, and report the paths that it and its "
    "children took. The profiles are deleted afterwards.\vExamples:\n  trod run ./app\n",
    0,
    0,
    0,
};

const struct argp cli_cc_argp = {
    cli_cc_options,
    NULL,
    "COMPILER-ARGUMENT...",
    "Compile and link with clang 19, so that the program counts the paths it takes. "
    "trod's own options come first; all other arguments go to the compiler. 'trod cc' "
    "can replace the C compiler in any build, 'trod c++' the C++ compiler.\n\nThe "
    "program writes NAME.PID.trod to the directory it starts in. The file is intact "
    "however the program ends.\vExamples:\n  trod cc -O2 -g -o app app.c\n  make "
    "CC='trod cc'\n  trod cc --only='parse_*' -O2 -g -o app app.c\n  trod cc "
    "--iterations=2 -O2 -g -o app app.c\n  trod cc --counters -O2 -g -o app app.c\n  "
    "trod cc --paths=hot.list -O2 -g -o app app.c\n  trod cc --tested=tests.trod "
    "--untested-only -O2 -g -o app app.c\n  trod cc --wpp -O2 -g -o app app.c\n  trod cc "
    "--segments=hot.segments -O2 -g -o app app.c\n  trod cc --online=longest=16 -O2 -g "
    "-o app app.c\n  trod cc --burst=rate=5000 -O2 -g -o app app.c\n  trod cc --burst "
    "--budget=2% -O2 -g -o app app.c\n",
    0,
    0,
    0,
};

static const struct argp_option help_own[] = {
    {"man", KEY_MAN, 0, 0, "print the manual page", 0},
    {"commands", KEY_COMMANDS, 0, 0, "print the names of all commands, one per line",
        0},
    {"completion", KEY_COMPLETION, "SHELL", 0,
        "print the completion script for bash, zsh or fish", 0},
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {0},
};

const struct argp cli_help_argp = {
    help_own,
    cli_parse_command,
    "[COMMAND]",
    "Print help on a command, or on all of them."
    "\vExamples:\n"
    "  trod help stage number\n"
    "  trod help --man stage number | man -l -\n"
    "  trod help --completion=bash >~/.local/share/bash-completion/completions/trod\n"
    "  trod help --completion=fish >~/.config/fish/completions/trod.fish\n",
    0,
    0,
    0,
};
