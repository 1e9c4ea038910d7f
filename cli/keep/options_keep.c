#include "option_tables.h"

/* Options of commands for files of profiles and maps. */

static const struct argp_option check_own[] = {
    {"calls", KEY_CHECK_CALLS, 0, 0,
        "also check, with the maps of the programs, that each function was entered as "
        "often as it was called",
        0},
    NAMES_FROM,
    {0},
};

/* Options of trod show. */
static const struct argp_option showing_own[] = {MAX_EXPAND, {0}};

static const struct argp_option merge_own[] = {
    {"output", 'o', "FILE", 0, "write to FILE instead of standard output", 0},
    {"keep-runs", KEY_KEEP_RUNS, 0, 0, "keep the counts of each run separate", 0},
    {"text", KEY_TEXT, 0, 0, "write the text form", 0},
    CHOSEN,
    NAMES_FROM,
    NOT_SKIPPING,
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_merge_argp = {
    merge_own,
    cli_parse_command,
    FILES,
    "Add profiles and write the sum in a compact form. The result does not depend on the "
    "order of the files, or on the number of steps. Profiles of different builds or "
    "programs stay separate inside. The result notes what was damaged and could not be "
    "recovered, and how many files were skipped.\n\nWith --function, --file or "
    "--directory, the result has only the counts of these functions, and a note says so; "
    "with --program, only these programs and libraries.\n\n" PROFILES "\vExamples:\n"
    "  trod merge -o all.trod app.trod other.trod\n"
    "  trod merge --program=app -o all.trod app.trod other.trod\n"
    "  trod merge --keep-runs app.trod other.trod | trod show\n",
    0,
    0,
    0,
};

const struct argp cli_check_argp = {
    check_own,
    cli_parse_command,
    FILES,
    "Print the contents and damage of each profile. The exit status is 0 if all are "
    "sound, 1 if some are damaged but partly usable, and 3 if some are not profiles.\n\nWith "
    "--calls it is also 1 if a function was called more often than it was entered. Counts "
    "of several versions may contradict each other so, if they were put together; those of "
    "one run only if a signal ended the process or left the function for good. "
    "Calls through pointers are not compared, nor functions that were abandoned.\n\n" PROFILES
    "\vExamples:\n"
    "  trod check app.trod\n"
    "  trod check --calls migrated.trod\n",
    cli_printing_children,
    0,
    0,
};

const struct argp cli_show_argp = {
    showing_own,
    cli_parse_command,
    FILES,
    "Print the contents of profiles: how the programs ran, and the counts of the paths "
    "of each function. Functions and paths are printed as hashes and ids; their names "
    "are in the binary. If a file is damaged, trod prints what can be recovered, and "
    "notes what was lost.\n\n" PROFILES "\vExamples:\n"
    "  trod show app.trod\n"
    "  trod show --json app.trod\n",
    cli_printing_children,
    0,
    0,
};

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
