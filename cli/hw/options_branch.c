#include "option_tables.h"

/* Options of commands for branch traces. */

#define STREAM                                                                             \
    "FILE is a branch trace, as 'trod emulate --trace' and --trace write it, or its text " \
    "form, which begins with 'branches NAME'. With no FILE, or when FILE is '-', trod "    \
    "reads standard input." CLI_OR_PROGRAM

static const struct argp_option branches_own[] = {
    {"text", KEY_TEXT, 0, 0, "print the trace as text, one line per run", 0},
    {"trace", KEY_TRACE, 0, 0, "write a trace file", 0},
    {"pt", KEY_PT, 0, 0, "write the Intel PT packets of thread 0", 0},
    {"image", KEY_IMAGE, "FILE[@ADDRESS]", 0,
        "with --pt: the code that ran, as for 'trod hw import', so that system calls are "
        "recognised",
        0},
    {"stacks", KEY_STACKS, "N", 0,
        "print the branch stacks that 'perf script' would print if perf sampled one in N "
        "taken branches: the thread's last 32",
        0},
    {"seed", KEY_SEED, "N", 0,
        "with --stacks: seed of the random choice (default: "
        "1)",
        0},
    {"from", KEY_FROM, "N", 0,
        "omit runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "omit runs from instruction N on", 0},
    {"name", KEY_NAME, "NAME", 0, "with --text or --trace: name of the trace", 0},
    {"check", KEY_CHECK, 0, 0,
        "exit with status 1 if the trace is inconsistent or damaged", 0},
    {0},
};

const struct argp cli_branches_argp = {
    branches_own,
    cli_parse_command,
    "[FILE]\n-- PROGRAM [ARGUMENT...]",
    "Read a branch trace and print statistics. A trace is a list of runs: instructions "
    "executed one after another, up to a branch that ends the run. The statistics are the "
    "number of code blocks, of runs by type of branch, and of irregular runs, such as a "
    "return to a place that did not call. trod can also check, convert or cut the "
    "trace.\n\n" STREAM "\vExamples:\n"
    "  trod hw trace app.branches\n"
    "  trod hw trace --text --from=1000 --to=2000 app.branches\n"
    "  trod hw trace --trace -o app.branches app.txt\n"
    "  trod hw trace -- gzip -k file\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option import_own[] = {
    {"pt", KEY_PT, 0, 0, "each FILE has the Intel PT packets of one thread", 0},
    {"image", KEY_IMAGE, "FILE[@ADDRESS]", 0,
        "the code that ran: a program or library, at its own addresses or moved by ADDRESS; "
        "or raw bytes loaded at ADDRESS",
        0},
    {"text", KEY_TEXT, 0, 0, "print the trace as text, one line per run", 0},
    {"trace", KEY_TRACE, 0, 0, "write a trace file", 0},
    {"name", KEY_NAME, "NAME", 0, "with --text or --trace: name of the trace", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (default: 20)", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

const struct argp cli_import_argp = {
    import_own,
    cli_parse_command,
    FILES,
    "Read the branches that a real processor recorded, and print the hottest straight "
    "paths: from the target of a backward or indirect branch, a call or a return, over "
    "forward branches, to the next of these. Or convert them into a trace, which other "
    "commands read.\n\nEach FILE is the output of 'perf script -F tid,ip,brstack' for a "
    "recording of 'perf record -b': stacks of the last taken branches, sampled at random "
    "times. Path shares are estimates, and the trace has one piece per stack. With --pt, "
    "each FILE has Intel PT packets, which contain every branch, and paths are counted. "
    "With no FILE, or when FILE is '-', trod reads standard input.\vExamples:\n  trod hw "
    "import perf.script\n  trod hw import --image=/bin/app@0x5555000 --trace -o "
    "a.branches perf.script\n  trod hw import --pt --image=app thread0.pt thread1.pt\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option core_own[] = {
    {"machine", KEY_MACHINE, "WHICH", 0,
        "the machine: table5.3 (default), low, high, perfect, or a file that describes one",
        0},
    {"design", KEY_DESIGN, "WORDS", 0,
        "also time this design: queue=N, pipelined, end, update=N, inject=KIND:N, behind, "
        "every=N, bubble=N, separated by commas (doc/hardware/timing.md); may be repeated",
        0},
    {"text", KEY_TEXT, 0, 0, "print the machine as text, and do not read a trace", 0},
    {"from", KEY_FROM, "N", 0,
        "omit runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "omit runs from instruction N on", 0},
    {0},
};

const struct argp cli_core_argp = {
    core_own,
    cli_parse_command,
    "[FILE]\n-- PROGRAM [ARGUMENT...]",
    "Run a trace through a model of a processor: caches, branch predictor, an "
    "out-of-order core. Print misses, mispredictions, cache power and cycles, for the "
    "machine alone and for each design: a profiler behind a queue of branches, or "
    "injected operations. Without --design: queues of 1, 2, 4 and 8, and a pipelined "
    "profiler behind a queue of 4. The model is not validated against a real machine: "
    "only differences between designs are meaningful.\n\n" STREAM "\vExamples:\n"
    "  trod hw timing app.branches\n"
    "  trod hw timing --machine=low --design=queue=4,end app.branches\n"
    "  trod hw timing --design=inject=call:15,every=100 --json app.branches\n"
    "  trod hw timing --text >my.machine\n"
    "  trod hw timing -- gzip -c file\n",
    cli_printing_children,
    0,
    0,
};
