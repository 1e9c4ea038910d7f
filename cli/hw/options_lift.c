#include "option_tables.h"

/* Programs that were emulated. */

static const struct argp_option lift_own[] = {
    {"output", 'o', "FILE", 0, "write the profile to FILE instead of standard output",
        0},
    {"map", KEY_MAP, "FILE", 0,
        "write the map to FILE instead of beside the profile, where it has '.trodmap' behind its "
        "name",
        0},
    {"also", KEY_ALSO, "FILE", 0,
        "look at the code of another run, too, and count nothing of it: profiles of runs that are "
        "lifted with each other have the same graphs",
        0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut functions until they have at most N paths (2^63 - 1)", 0},
    {"text", KEY_TEXT, 0, 0, "print functions, their graphs and paths", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_lift_argp = {
    lift_own,
    cli_parse_command,
    "FILE...",
    "Turn what an emulator saw of processes into a profile, which all commands read that read "
    "those of programs compiled by 'trod cc'. Functions, their graphs, names and lines are found in "
    "the code that ran and in the files it is of; they go into a map, which the profile names. "
    "'trod emulate' does this by itself.\vExamples:\n"
    "  trod hw lift -o app.trod app.seen\n"
    "  trod report app.trod\n"
    "  trod hw lift -o a.trod --also=b.seen a.seen\n",
    0,
    0,
    0,
};

static const struct argp_option emulate_own[] = {
    {"output", 'o', "FILE", 0,
        "keep the profile in FILE, and its map beside it, with '.trodmap' behind its name",
        0},
    {"trace", KEY_TRACE_FILE, "FILE", 0,
        "write all that the program did to FILE, block by block, for 'trod hw trace', "
        "'trod hw model' and the like; other processes have FILE.1, FILE.2...",
        0},
    {"accesses", KEY_ACCESSES, 0, 0, "with --trace: with every load and store", 0},
    {"first", KEY_FIRST_INSNS, "N", 0,
        "with --trace: leave out of it what is behind the first N instructions", 0},
    {"raw", KEY_RAW_FILES, "FOLDER", 0,
        "keep what the emulator saw of each process in FOLDER, for 'trod hw lift'", 0},
    {"emulator", KEY_EMULATOR, "FILE", 0,
        "run it by this emulator (qemu-x86_64, qemu-aarch64 or qemu-riscv64, as the program "
        "is)",
        0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut functions until they have at most N paths (2^63 - 1)", 0},
    {"function", 'f', "GLOB", 0, "print only paths of functions whose names match GLOB",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (20)", 0},
    {"sort", KEY_SORT, "ORDER", 0, "list by ORDER", 0},
    {"group", KEY_GROUP, "WHAT", 0, "print one row for each WHAT", 0},
    {"blocks", KEY_BLOCKS, 0, 0, "tell paths by their blocks, not by lines", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_emulate_argp = {
    emulate_own,
    cli_parse_command,
    "-- PROGRAM [ARGUMENT...]",
    "Run a program as it is, compiled by whatever, in an emulator (QEMU), and report which paths "
    "it took, with the libraries it uses and the processes it starts: all of them, counted. Programs for x86-64, aarch64 and "
    "riscv64 can be run. Functions have names where files have symbols, paths have lines where they have debug "
    "information; others are named by file and offset.\vExamples:\n"
    "  trod emulate -- bzip2 -9 -k app.c\n"
    "  trod emulate -o bzip2.trod -- bzip2 -9 -k app.c\n"
    "  trod emulate --trace=bzip2.branches -- bzip2 -9 -k app.c\n",
    0,
    0,
    0,
};
