#include "option_tables.h"

/* Programs: how they are compiled and run; and help. */

static const struct argp_option split_own[] = {
    {"output", 'o', "FILE", 0,
        "write to FILE instead of PROGRAM.trodmap; in a folder, to BUILD-ID.trodmap",
        0},
    {"strip", KEY_STRIP, 0, 0, "then take the map out of PROGRAM (needs objcopy)", 0},
    {"text", KEY_TEXT, 0, 0, "print the map as text instead", 0},
    {"quiet", 'q', 0, 0, "print no notes on standard error", 0},
    {0},
};

const struct argp cli_split_argp = {
    split_own,
    cli_parse_command,
    "PROGRAM",
    "Write the map of a program or library, which tells the names and lines of its paths, "
    "to a file of its own, compressed. With --strip the program that is handed out is without "
    "it, and counts as before; 'trod report' and 'trod diff' find the map beside the "
    "program, in a folder by --maps, or by --binary."
    "\vExamples:\n"
    "  trod split app\n"
    "  trod split --strip -o maps/ app\n"
    "  trod split --text app | head\n"
    "  trod report --maps=maps app.trod\n",
    0,
    0,
    0,
};

const struct argp cli_run_argp = {
    cli_no_options,
    NULL,
    "[--] PROGRAM [ARGUMENT...]",
    "Run a program that 'trod cc' compiled, and report which paths it and its children "
    "took. The profiles are not kept."
    "\vExamples:\n"
    "  trod run ./app\n",
    0,
    0,
    0,
};

/* For help alone: the rest of the command line is the compiler's. */
static const struct argp_option cc_own[] = {
    {"--at=WHERE", 0, 0, OPTION_DOC,
        "source: paths of the source, before inlining (default); code: paths of the "
        "optimised code",
        0},
    {"--limit=N", 0, 0, OPTION_DOC,
        "cut functions with more than N paths (65536); cuts are named in the map", 0},
    {"--rounds=K", 0, 0, OPTION_DOC,
        "count each path together with up to K-1 before it in the same call, K from 2 to "
        "8: which round of a loop follows which",
        0},
    {"--record=safe|all", 0, 0, OPTION_DOC,
        "what the map in the program says of how it was compiled: all, or no values of macros and no absolute paths (safe)",
        0},
    {"--left=no", 0, 0, OPTION_DOC,
        "do not count how often functions are left in the middle, by longjmp, exceptions "
        "or exit; a little cheaper",
        0},
    {"--counters", 0, 0, OPTION_DOC,
        "note where clang's own counters would be, so that 'trod export --to=llvm' can tell "
        "what they would have counted, for 'clang -fprofile-use' and llvm-cov",
        0},
    {"--only=GLOB", 0, 0, OPTION_DOC, "count only functions whose names match", 0},
    {"--only=FILE", 0, 0, OPTION_DOC,
        "with a '/' in it: count only the functions of a list, FUNCTION or FUNCTION FILE a "
        "line; the program leaves a profile even if none of them runs",
        0},
    {"--skip=GLOB", 0, 0, OPTION_DOC, "do not count functions whose names match", 0},
    {"--paths=FILE", 0, 0, OPTION_DOC,
        "count only these paths, of a path list or a profile; may be repeated. Of a "
        "profile, functions with only one path are left out",
        0},
    {"--tested=FILE", 0, 0, OPTION_DOC,
        "look for paths that are not among these, of a profile of the tests or a path "
        "list; may be repeated. Tested paths are counted too, but functions in which "
        "every path is tested are left alone",
        0},
    {"--untested-only", 0, 0, OPTION_DOC,
        "with --tested: do not count tested paths; the cheapest", 0},
    {"--partial", 0, 0, OPTION_DOC,
        "with --paths or --tested: go on where functions are not as they were; without "
        "it, they are named, and the status is 4",
        0},
    {"--plan=PLAN", 0, 0, OPTION_DOC,
        "with --paths or --tested: how paths are told apart: auto (default), all, "
        "selective, preferential or hash",
        0},
    {"--explain", 0, 0, OPTION_DOC,
        "with --paths, --tested, --segments or --rounds: say which plan each function got, and why",
        0},
    {"--wpp", 0, 0, OPTION_DOC,
        "note what each thread does, step by step, as a grammar: 'trod calls steps'",
        0},
    {"--subpaths", 0, 0, OPTION_DOC,
        "count paths that end at calls, too: the steps of --wpp without their order",
        0},
    {"--segments=FILE", 0, 0, OPTION_DOC,
        "count paths across calls that are made of these segments, of 'trod calls segments'; or "
        "all across the calls in a profile of --subpaths, which may be repeated. With "
        "--tested, look for others",
        0},
    {"--depth=K", 0, 0, OPTION_DOC,
        "with --segments=PROFILE: go into calls K deep (1), 8 at most", 0},
    {"--others", 0, 0, OPTION_DOC,
        "with --segments: count paths that have other segments, too", 0},
    {"--code-limit=N", 0, 0, OPTION_DOC,
        "with --segments: calls gone into add N instructions to a function at most "
        "(2000); beyond that, copies are shared, which is slower",
        0},
    {"--online[=OPTIONS]", 0, 0, OPTION_DOC,
        "sample subpaths of blocks while the program runs: 'trod top', 'trod sample subpaths'. "
        "OPTIONS are KEY=VALUE,...: memory=64k a thread; f=1024, of so many blocks one is "
        "a start at first; lengths=powers, uniform, inverse or LENGTH:CHANCE+...; "
        "longest=32; identity=rotation, sequence or xor; costs=yes; age=N, window=N, "
        "threshold=N; the environment's TROD_ONLINE goes before them",
        0},
    {"--burst[=OPTIONS]", 0, 0, OPTION_DOC,
        "sample in bursts: 'trod sample functions', 'trod sample calls', 'trod sample loops', 'trod sample data', "
        "'trod report'. OPTIONS are KEY=VALUE,...: types=paths+methods+calls+trips, "
        "also streams and handler; rate=1000, one of so many events; burst=1, events of "
        "a burst; rate.TYPE, burst.TYPE; trigger=count, flag, always or never; "
        "period=jitter, fixed, prime or geometric; words=16; hz=1000; seed=N; most=256m; "
        "the environment's TROD_BURST goes before them",
        0},
    {"--budget=P%", 0, 0, OPTION_DOC,
        "sample in bursts that cost so much of the time: rates move while the program "
        "runs",
        0},
    {"--out=PATTERN", 0, 0, OPTION_DOC,
        "where the program leaves its profile: %p process id, %e program, %h host, %m "
        "image, %t time; the environment's TROD_OUT goes before it",
        0},
    {0},
};

const struct argp cli_cc_argp = {
    cc_own,
    NULL,
    "[--OPTION=VALUE...] COMPILER-ARGUMENT...",
    "Compile and link as clang 19 does, so that the program counts which paths it "
    "takes. Options of trod stand before all others; everything else is the "
    "compiler's. 'trod cc' can take the place of the C compiler in any build, 'trod "
    "c++' that of the C++ compiler.\n\nThe program leaves NAME.PID.trod in the "
    "directory it starts in, intact whatever ends it."
    "\vExamples:\n"
    "  trod cc -O2 -g -o app app.c\n"
    "  make CC='trod cc'\n"
    "  trod cc --only='parse_*' -O2 -g -o app app.c\n"
    "  trod cc --rounds=2 -O2 -g -o app app.c\n"
    "  trod cc --counters -O2 -g -o app app.c\n"
    "  trod cc --paths=hot.list -O2 -g -o app app.c\n"
    "  trod cc --tested=tests.trod --untested-only -O2 -g -o app app.c\n"
    "  trod cc --wpp -O2 -g -o app app.c\n"
    "  trod cc --segments=hot.segments -O2 -g -o app app.c\n"
    "  trod cc --online=longest=16 -O2 -g -o app app.c\n"
    "  trod cc --burst=rate=5000 -O2 -g -o app app.c\n"
    "  trod cc --burst --budget=2% -O2 -g -o app app.c\n",
    0,
    0,
    0,
};

static const struct argp_option help_own[] = {
    {"man", KEY_MAN, 0, 0, "print the manual page", 0},
    {"commands", KEY_COMMANDS, 0, 0, "print the names of all commands, one a line", 0},
    {"completion", KEY_COMPLETION, "SHELL", 0, "print completion for bash, zsh or fish",
        0},
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
