#include "option_tables.h"

/* Options of trod help. */

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
