#include "options.h"

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
    "  trod lift -o app.trod app.seen\n"
    "  trod report app.trod\n"
    "  trod lift -o a.trod --also=b.seen a.seen\n",
    0,
    0,
    0,
};

static const struct argp_option emulate_own[] = {
    {"output", 'o', "FILE", 0,
        "write the profile to FILE, and its map beside it (PROGRAM.PID.trod)", 0},
    {"raw", KEY_RAW, "FOLDER", 0,
        "keep what was seen of each process in FOLDER, as 'trod lift' takes it", 0},
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

static const struct argp emulate_sort_argp = PARSED_BY_CHILD(cli_sort_words);
static const struct argp emulate_group_argp = PARSED_BY_CHILD(cli_group_words);

static const struct argp_child emulate_children[] = {
    {&emulate_sort_argp, 0, "ORDER is one of:", 1},
    {&emulate_group_argp, 0, "WHAT is one of:", 2},
    {0},
};

const struct argp cli_emulate_argp = {
    emulate_own,
    cli_parse_command,
    "-- PROGRAM [ARGUMENT...]",
    "Run a program in QEMU, and report which paths it, its libraries, its children and what they become "
    "took: all of them, counted. It need not be compiled in any way; symbols and debugging information "
    "are used where there are any. Programs are those for Linux on x86-64, aarch64 and riscv64.\n\n"
    "The profile is one of all processes, which all commands read that read profiles. TROD_QEMU "
    "names an emulator in place of the one that is installed; QEMU_LD_PREFIX, the folder with the "
    "libraries of another machine."
    "\vExamples:\n"
    "  trod emulate -- bzip2 -9 -k letter.txt\n"
    "  trod emulate -o ls.trod --group=function -- ls /\n"
    "  trod emulate --function='BZ2_*' --json -- bzip2 -9 -k letter.txt\n",
    emulate_children,
    0,
    0,
};
