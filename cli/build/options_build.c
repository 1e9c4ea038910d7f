#include "option_tables.h"

/* Options of commands that compile and run programs. */

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

static const struct argp_option run_own[] = {
    {"build", KEY_BUILD_ONLY, 0, 0,
        "run a build instead: keep no profile of the programs that it runs, print no report, "
        "and exit with its status",
        0},
    {0},
};

const struct argp cli_run_argp = {
    run_own,
    NULL,
    "[--] PROGRAM [ARGUMENT...]\n--build [--] COMMAND [ARGUMENT...]",
    "Run a program that 'trod cc' compiled, and report the paths that it and its "
    "children took. The profiles are deleted afterwards.\n\nBuilds run programs that they "
    "have compiled: generators, and the tests of configure. With --build, these leave no "
    "profiles in the folders of the project.\vExamples:\n  trod run ./app\n  trod run "
    "--build -- make CC='trod cc'\n",
    0,
    0,
    0,
};

static const struct argp_option emulate_own[] = {
    {"output", 'o', "FILE", 0, "keep the profile in FILE, and its map in FILE.trodmap",
        0},
    {"trace", KEY_TRACE_FILE, "FILE", 0,
        "write the branch trace of the program to FILE, for 'trod hw trace', 'trod hw model' "
        "and others; child processes write FILE.1, FILE.2...",
        0},
    {"accesses", KEY_ACCESSES, 0, 0, "with --trace: include every load and store", 0},
    {"first", KEY_FIRST_INSNS, "N", 0,
        "with --trace: stop the trace after the first N instructions", 0},
    {"raw", KEY_RAW_FILES, "FOLDER", 0,
        "keep the emulator's recording of each process in FOLDER, for 'trod hw lift'",
        0},
    {"emulator", KEY_EMULATOR, "FILE", 0,
        "use this emulator (default: qemu-x86_64, qemu-aarch64 or qemu-riscv64, depending on "
        "the program)",
        0},
    {"limit", KEY_LIMIT, "N", 0,
        "cut functions until they have at most N paths (default: 2^63 - 1)", 0},
    {"function", 'f', "GLOB", 0, "print only paths of functions whose names match GLOB",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N rows (default: 20)", 0},
    {"sort", KEY_SORT, "ORDER", 0,
        "sort by count (default), weight (count times "
        "blocks), function or file",
        0},
    {"group", KEY_GROUP, "WHAT", 0,
        "print one row for each path (none, the default), "
        "loop, function or file",
        0},
    {"blocks", KEY_BLOCKS, 0, 0, "print paths as blocks instead of lines", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_emulate_argp = {
    emulate_own,
    cli_parse_command,
    "-- PROGRAM [ARGUMENT...]",
    "Run an unmodified program, built by any compiler, in an emulator (QEMU), and report "
    "the paths that it, its libraries and its child processes took. Every path is "
    "counted. Programs may be for x86-64, aarch64 or riscv64. Functions have names if "
    "files have symbols, and paths have lines if files have debug information; otherwise "
    "trod prints file and offset.\vExamples:\n  trod emulate -- bzip2 -9 -k app.c\n  "
    "trod emulate -o bzip2.trod -- bzip2 -9 -k app.c\n  trod emulate "
    "--trace=bzip2.branches -- bzip2 -9 -k app.c\n",
    0,
    0,
    0,
};
