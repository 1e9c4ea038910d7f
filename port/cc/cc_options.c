#include "cc/cc.h"

#include <trod/burst.h>
#include <trod/online.h>

#include "number/number.h"

/* Numbers that help has, too. A table of DEFAULT_LIMIT counters is half a megabyte of address space, of which only what is
 * counted in is ever backed by memory.
 */
#define DEFAULT_LIMIT 65536
#define DEFAULT_CODE 2000
#define MOST_ITERATIONS 8
#define MOST_DEPTH 8
_Static_assert(MOST_ITERATIONS == TROD_ITERATIONS_MAX, "chains have room for as many");
_Static_assert(MOST_DEPTH == TROD_CC_DEEPEST, "the header says the same");

#define QUOTE_TEXT(text) #text
#define QUOTE(number) QUOTE_TEXT(number)

static const char *refuse_burst(const char *text)
{
    return trod_burst_check(text, NULL);
}

/* A row for each kind of option; what is missing in one is 0. */
#define ROW(id, title, type, shape, words, ...) \
    [TROD_CC_##id] = {.name = (title),          \
        .variable = "TROD_CC_" #id,             \
        .kind = TROD_CC_##type,                 \
        .argument = (shape),                    \
        .help = (words),                        \
        __VA_ARGS__}
#define FLAG(id, name, help) ROW(id, name, FLAG, NULL, help, .word = {"yes", "no"})
#define WORD(id, name, argument, help, ...) \
    ROW(id, name, WORD, argument, help, .word = {__VA_ARGS__})
#define NUMBER(id, name, argument, help, ...) \
    ROW(id, name, NUMBER, argument, help, __VA_ARGS__)
#define FILES(id, name, what, help) ROW(id, name, FILES, "FILE", help, .means = (what))

const struct trod_cc_option trod_cc_option[TROD_CC_NOPTION] = {
    WORD(AT, "at", "WHERE",
        "source: count source-level paths, before inlining (default); code: count paths of "
        "the optimised code",
        "source", "code"),
    NUMBER(LIMIT, "limit", "N",
        "cut functions with more than N paths into pieces (default: " QUOTE(
            DEFAULT_LIMIT) "); the map lists the cuts",
        .least = 1, .otherwise = DEFAULT_LIMIT,
        .means = "the most paths of a function"),
    NUMBER(ITERATIONS, "iterations", "K",
        "count chains of up to K consecutive paths of one activation, K from 2 to " QUOTE(
            MOST_ITERATIONS) ": which iteration of a loop follows which",
        .least = 2, .most = MOST_ITERATIONS, .otherwise = 1,
        .means = "the most paths in a chain"),
    WORD(RECORD, "record", "safe|all",
        "what the map records of the compiler command: safe (default), everything but "
        "macro values and absolute paths; all, everything",
        "safe", "all"),
    WORD(LEFT, "left", "no",
        "do not count abandoned activations (longjmp, exceptions, exit); slightly cheaper",
        "yes", "no"),
    FLAG(COUNTERS, "counters",
        "record where clang's own counters would be, so that 'trod export --to=profdata' can "
        "write their values for 'clang -fprofile-use' and llvm-cov"),
    ROW(ONLY, "only", GLOB, "GLOB|FILE",
        "count only functions whose names match GLOB; or, if the argument contains a '/', "
        "only the functions listed in FILE, one FUNCTION or FUNCTION FILE per line. With FILE, "
        "the program writes a profile even if none of them runs",
        .means = "a file with functions to count, one per line"),
    ROW(SKIP, "skip", GLOB, "GLOB", "do not count functions whose names match GLOB",
        .means = NULL),
    FILES(PATHS, "paths", "a profile or a path list",
        "count only the paths in FILE, a path list or a profile; may be repeated. Functions "
        "with a single path are omitted if FILE is a profile"),
    FILES(TESTED, "tested", "a profile or a path list",
        "record paths that are not in FILE, a profile of the tests or a path list; may be "
        "repeated. Tested paths are counted too, but functions whose paths are all tested "
        "are not instrumented"),
    FLAG(UNTESTED_ONLY, "untested-only",
        "with --tested: do not count tested paths; the cheapest build"),
    FLAG(PARTIAL, "partial",
        "with --paths or --tested: skip functions that changed; without it, trod lists them "
        "and exits with status 4"),
    WORD(PLAN, "plan", "PLAN",
        "with --paths or --tested: how counters distinguish paths: auto, the cheapest "
        "for each function (default); all, a counter for each path; selective, "
        "preferential or hash, as in 'trod stage probe --help'",
        "auto", "all", "selective", "preferential", "hash"),
    FLAG(EXPLAIN, "explain",
        "with --paths, --tested, --segments or --iterations: print the plan of each "
        "function, and the reason"),
    FLAG(WPP, "wpp",
        "record the whole program path of each thread as a grammar, for 'trod calls steps'"),
    FLAG(SUBPATHS, "subpaths",
        "count subpaths, which also end at calls: the steps of --wpp without their order"),
    FILES(SEGMENTS, "segments", "segments, or a profile of subpaths",
        "count paths across calls that consist of the segments in FILE, from 'trod calls "
        "segments'; or all paths across the calls in FILE, a profile of a --subpaths build, "
        "which may be repeated. With --tested, record other paths"),
    NUMBER(DEPTH, "depth", "K",
        "with --segments=PROFILE: follow calls to depth K, at most " QUOTE(
            MOST_DEPTH) " (default: 1)",
        .least = 1, .most = MOST_DEPTH,
        .means = "the depth to which paths follow calls"),
    FLAG(OTHERS, "others",
        "with --segments: also count paths with segments that are "
        "not in FILE"),
    NUMBER(CODE_LIMIT, "code-limit", "N",
        "with --segments: followed calls add at most N instructions to a function (default: " QUOTE(
            DEFAULT_CODE) "); beyond that, copies are shared, which is slower",
        .otherwise = DEFAULT_CODE,
        .means = "the most instructions that followed calls may add to a function"),
    FLAG(WHOLE_PROGRAM, "whole-program",
        "instrument the program as a whole when it is linked, so that paths follow calls "
        "into other source files; compile and link with it. The linker is lld. -flto with "
        "--wpp, --subpaths or --segments implies it"),
    ROW(ONLINE, "online", TEXT, "OPTIONS",
        "sample block sequences while the program runs, for 'trod top' and 'trod sample "
        "subpaths'. OPTIONS are KEY=VALUE,...: memory=64k, bytes per thread; f=1024, "
        "initially one in this many blocks starts a sample; longest=32, blocks of a "
        "sequence; lengths=powers, uniform, inverse or LENGTH:CHANCE+..., which "
        "lengths are sampled; identity=rotation, sequence or xor, which sequences are "
        "equal; costs=yes, reject cheap samples; age=N, halve counts every N samples; "
        "window=N, count the last N samples; threshold=N, report sequences that ran N "
        "times; budget=P%, as --budget. The environment variable TROD_ONLINE overrides them",
        .optional = true, .refuse = trod_online_check),
    ROW(BURST, "burst", TEXT, "OPTIONS",
        "sample in bursts, for 'trod sample functions', 'trod sample calls', 'trod sample "
        "loops', 'trod sample data' and 'trod report'. OPTIONS are KEY=VALUE,...: "
        "types=paths+methods+calls+trips, also streams, handler and time, the time that each path takes; rate=1000, sample one in "
        "this many events; burst=1, events per burst; rate.TYPE and burst.TYPE, the "
        "same for one type; trigger=count, flag, always or never, what starts bursts; "
        "period=jitter, fixed, prime or geometric, how bursts are spaced; words=16, "
        "counters that count down to a burst; hz=1000, bursts per second with "
        "trigger=flag; "
        "seed=N, of random numbers; most=256m, bytes that streams may take; "
        "metrics=page-faults+cache-misses, what else is counted where paths are timed: up "
        "to four of those that 'trod report --sort' lists. The "
        "environment variable TROD_BURST overrides them",
        .optional = true, .refuse = refuse_burst),
    /* Not for the plugin: it becomes a part of --online or --burst. */
    [TROD_CC_BUDGET] = {.name = "budget",
        .kind = TROD_CC_TEXT,
        .argument = "P%",
        .help =
            "take at most P percent of the CPU time of each thread for sampling and for the checks that it needs, with "
            "--online or otherwise with --burst: rates adapt while the program runs. What checks take is estimated and "
            "cannot be less: a note says if it alone is more"},
    ROW(OUT, "out", TEXT, "PATTERN",
        "where the program writes its profile: %p process id, %e program, %h host, %m "
        "module, %t time; the environment variable TROD_OUT overrides it",
        .means = NULL),
};
