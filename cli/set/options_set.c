#include "option_tables.h"

/* Options of commands for sets of paths. */

static const struct argp_option list_own[] = {
    {"and", KEY_AND, "FILE", 0, "keep only paths that are also in FILE", 0},
    {"minus", KEY_MINUS, "FILE", 0, "remove paths that are in FILE", 0},
    {"partial", KEY_PARTIAL, 0, 0,
        "with --binary: omit functions that are missing from the binary or differ there",
        0},
    {0},
};

const struct argp cli_list_argp = {
    list_own,
    cli_parse_command,
    FILES,
    "Print a set of paths as a list: the union of the paths that ran in profiles and "
    "those of other lists, restricted by --and and --minus. For each function, a list "
    "has its name, hashes of name, graph and cuts, and its number of paths; for each "
    "path its id, and its decisions as a comment. With --binary, trod checks the list "
    "against that program, prints the functions that are missing or differ, and exits "
    "with status 4 if there are any.\n\nEach FILE is a profile or a list. With no FILE, "
    "or when FILE is '-', trod reads standard input.\vExamples:\n  trod set list "
    "app.trod -o ran.list\n  trod set list --minus=other.trod app.trod\n  trod set list "
    "--binary=app --partial app.trod\n",
    cli_naming_children,
    0,
    0,
};

#define SET_OPTIONS                                                            \
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0}, \
        {"text", KEY_TEXT, 0, 0, "write the text form", 0}, NAMES_FROM,        \
        {"quiet", 'q', 0, 0, "print no notes on standard error", 0}

#define SET_MEANING                                                                       \
    " Two paths are equal if their ids are equal and their functions have the same "      \
    "names, graphs and cuts; modules and runs of one profile are combined. Notes in the " \
    "result say how it was made, and which functions changed.\n\n" PROFILES

static const struct argp_option set_own[] = {SET_OPTIONS, {0}};

static const struct argp_option subtract_own[] = {
    {"counts", KEY_BY_COUNTS, 0, 0,
        "subtract counts instead of paths: keep what ran more often in the first than in all "
        "others",
        0},
    SET_OPTIONS,
    {0},
};

const struct argp cli_union_argp = {
    set_own,
    cli_parse_command,
    "A B...",
    "Write a profile of the paths that ran in any of the given profiles, each with its "
    "largest count. ('trod merge' adds counts.)" SET_MEANING "\vExamples:\n"
    "  trod set union -o any.trod app.trod other.trod\n"
    "  trod set union --text app.trod other.trod\n",
    0,
    0,
    0,
};

const struct argp cli_intersect_argp = {
    set_own,
    cli_parse_command,
    "A B...",
    "Write a profile of the paths that ran in all of the given profiles, each with its "
    "smallest count." SET_MEANING "\vExamples:\n"
    "  trod set intersect -o all.trod app.trod other.trod\n"
    "  trod set intersect app.trod other.trod | trod report\n",
    0,
    0,
    0,
};

const struct argp cli_subtract_argp = {
    subtract_own,
    cli_parse_command,
    "A B...",
    "Write a profile of the paths of A that ran in none of the others, with the counts "
    "of A. With --counts, write the paths that ran more often in A than in all others "
    "together, with the difference." SET_MEANING "\vExamples:\n"
    "  trod set subtract -o new.trod app.trod other.trod\n"
    "  trod set subtract --counts app.trod other.trod | trod report\n",
    0,
    0,
    0,
};

static const struct argp_option share_own[] = {
    {"sites", KEY_SITES, "N", 0, "the number of sites (required)", 0},
    {"out", KEY_PREFIX, "PREFIX", 0,
        "write the lists to PREFIX.1.list, PREFIX.2.list and so on; without it, print only "
        "the table",
        0},
    {"counts", KEY_COUNTS, "FILE", 0,
        "also take path frequencies from this profile, without adding its paths to the set",
        0},
    {0},
};

const struct argp cli_share_argp = {
    share_own,
    cli_parse_command,
    "--sites=N [--out=PREFIX] " FILES,
    "Divide a set of paths among the sites that a program is deployed to. Each path goes "
    "to one list, and 'trod cc --paths=LIST' makes the build that counts the paths of "
    "one site. The paths of a function stay together, unless the function costs more "
    "than one site's share; then trod keeps paths together that are cheap to count "
    "together. For each site, print the number of probes, the bytes of data, and the "
    "operations that the probes execute; and the same for one build that counts the "
    "whole set, and for one that counts all paths.\n\nEach FILE is a profile or a list; "
    "functions of a profile with a single path are omitted, as by 'trod cc --paths'. "
    "With no FILE, or when FILE is '-', trod reads standard input. Operations are "
    "computed from the counts of the profiles, or estimated if there are "
    "none.\vExamples:\n  trod set partition --sites=4 app.trod\n  trod set partition "
    "--sites=4 --out=site app.trod\n  trod set partition --sites=8 --binary=app "
    "--counts=app.trod other.trod\n",
    cli_naming_children,
    0,
    0,
};
