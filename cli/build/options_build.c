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

/* For help alone: the rest of the command line is the compiler's. */
static const struct argp_option cc_own[] = {
    {"--at=WHERE", 0, 0, OPTION_DOC,
        "source: count source-level paths, before inlining (default); code: count paths of "
        "the optimised code",
        0},
    {"--limit=N", 0, 0, OPTION_DOC,
        "cut functions with more than N paths into pieces (default: 65536); the map lists "
        "the cuts",
        0},
    {"--iterations=K", 0, 0, OPTION_DOC,
        "count chains of up to K consecutive paths of one activation, K from 2 to 8: which "
        "iteration of a loop follows which",
        0},
    {"--record=safe|all", 0, 0, OPTION_DOC,
        "what the map records of the compiler command: everything (all), or everything but "
        "macro values and absolute paths (safe)",
        0},
    {"--left=no", 0, 0, OPTION_DOC,
        "do not count abandoned activations (longjmp, exceptions, exit); slightly cheaper",
        0},
    {"--counters", 0, 0, OPTION_DOC,
        "record where clang's own counters would be, so that 'trod export --to=profdata' can "
        "write their values for 'clang -fprofile-use' and llvm-cov",
        0},
    {"--only=GLOB", 0, 0, OPTION_DOC, "count only functions whose names match", 0},
    {"--only=FILE", 0, 0, OPTION_DOC,
        "if FILE contains a '/': count only the functions listed in it, one FUNCTION or "
        "FUNCTION FILE per line; the program writes a profile even if none of them runs",
        0},
    {"--skip=GLOB", 0, 0, OPTION_DOC, "do not count functions whose names match", 0},
    {"--paths=FILE", 0, 0, OPTION_DOC,
        "count only the paths in FILE, a path list or a profile; may be repeated. Functions "
        "with a single path are omitted if FILE is a profile",
        0},
    {"--tested=FILE", 0, 0, OPTION_DOC,
        "record paths that are not in FILE, a profile of the tests or a path list; may be "
        "repeated. Tested paths are counted too, but functions whose paths are all tested "
        "are not instrumented",
        0},
    {"--untested-only", 0, 0, OPTION_DOC,
        "with --tested: do not count tested paths; the cheapest build", 0},
    {"--partial", 0, 0, OPTION_DOC,
        "with --paths or --tested: skip functions that changed; without it, trod lists them "
        "and exits with status 4",
        0},
    {"--plan=PLAN", 0, 0, OPTION_DOC,
        "with --paths or --tested: how to distinguish paths: auto (default), all, selective, "
        "preferential or hash",
        0},
    {"--explain", 0, 0, OPTION_DOC,
        "with --paths, --tested, --segments or --iterations: print the plan of each "
        "function, and the reason",
        0},
    {"--wpp", 0, 0, OPTION_DOC,
        "record the whole program path of each thread as a grammar, for 'trod calls steps'",
        0},
    {"--subpaths", 0, 0, OPTION_DOC,
        "count subpaths, which also end at calls: the steps of --wpp without their order",
        0},
    {"--segments=FILE", 0, 0, OPTION_DOC,
        "count paths across calls that consist of the segments in FILE, from 'trod calls "
        "segments'; or all paths across the calls in FILE, a profile of a --subpaths build, "
        "which may be repeated. With --tested, record other paths",
        0},
    {"--depth=K", 0, 0, OPTION_DOC,
        "with --segments=PROFILE: follow calls to depth K, at most 8 (default: 1)", 0},
    {"--others", 0, 0, OPTION_DOC,
        "with --segments: also count paths with other segments", 0},
    {"--code-limit=N", 0, 0, OPTION_DOC,
        "with --segments: followed calls add at most N instructions to a function (default: "
        "2000); beyond that, copies are shared, which is slower",
        0},
    {"--online[=OPTIONS]", 0, 0, OPTION_DOC,
        "sample block sequences while the program runs, for 'trod top' and 'trod sample "
        "subpaths'. OPTIONS are KEY=VALUE,...: memory=64k per thread; f=1024, initially one "
        "in this many blocks starts a sample; lengths=powers, uniform, inverse or "
        "LENGTH:CHANCE+...; longest=32; identity=rotation, sequence or xor; costs=yes; "
        "age=N, window=N, threshold=N; the environment variable TROD_ONLINE overrides them",
        0},
    {"--burst[=OPTIONS]", 0, 0, OPTION_DOC,
        "sample in bursts, for 'trod sample functions', 'trod sample calls', 'trod sample "
        "loops', 'trod sample data' and 'trod report'. OPTIONS are KEY=VALUE,...: "
        "types=paths+methods+calls+trips, also streams and handler; rate=1000, sample one in "
        "this many events; burst=1, events per burst; rate.TYPE, burst.TYPE; trigger=count, "
        "flag, always or never; period=jitter, fixed, prime or geometric; words=16; hz=1000; "
        "seed=N; most=256m; the environment variable TROD_BURST overrides them",
        0},
    {"--budget=P%", 0, 0, OPTION_DOC,
        "sample in bursts that take P percent of the run time: rates adapt while the program "
        "runs",
        0},
    {"--out=PATTERN", 0, 0, OPTION_DOC,
        "where the program writes its profile: %p process id, %e program, %h host, %m "
        "module, %t time; the environment variable TROD_OUT overrides it",
        0},
    {0},
};

const struct argp cli_cc_argp = {
    cc_own,
    NULL,
    "[--OPTION=VALUE...] COMPILER-ARGUMENT...",
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
