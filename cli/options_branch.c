#include "options.h"

/* What a processor did. */

#define STREAM                                                                          \
    "A stream is a trace file, as 'trod emulate --trace' and --trace here write it, "   \
    "or its text form, which begins with 'branches NAME'. Without a file, or for '-', " \
    "standard input is read."

static const struct argp_option branches_own[] = {
    {"text", KEY_TEXT, 0, 0, "print the stream as text, one line a run", 0},
    {"trace", KEY_TRACE, 0, 0, "write the stream as a trace file", 0},
    {"from", KEY_FROM, "N", 0,
        "leave out runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "leave out runs from instruction N on", 0},
    {"name", KEY_NAME, "NAME", 0, "with --text or --trace: call the stream so", 0},
    {"check", KEY_CHECK, 0, 0,
        "answer no if the stream cannot have been, or is damaged", 0},
    {0},
};

const struct argp cli_branches_argp = {
    branches_own,
    cli_parse_command,
    "[FILE]",
    "Read what a processor did, block by block, and tell how much of what there is: "
    "codes, runs by the kind of branch they end with, odd ones; check it, turn it into "
    "the other form, cut a part out of it.\n\n" STREAM "\vExamples:\n"
    "  trod branches app.branches\n"
    "  trod branches --text --from=1000 --to=2000 app.branches\n"
    "  trod branches --trace -o app.branches app.txt\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option core_own[] = {
    {"machine", KEY_MACHINE, "WHICH", 0,
        "the machine: table5.3, low, high, perfect, or a file that describes one "
        "(table5.3)",
        0},
    {"design", KEY_DESIGN, "WORDS", 0,
        "time this design, too: queue=N, pipelined, end, update=N, inject=KIND:N, behind, "
        "every=N, bubble=N, joined by commas; may be said again",
        0},
    {"text", KEY_TEXT, 0, 0, "print the machine as text, and read no stream", 0},
    {"from", KEY_FROM, "N", 0,
        "leave out runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "leave out runs from instruction N on", 0},
    {0},
};

const struct argp cli_core_argp = {
    core_own,
    cli_parse_command,
    "[FILE]",
    "Send what a processor did through a model of one: caches, branch predictor, an "
    "out-of-order core. Print misses, mispredictions, power of the caches, and cycles, of "
    "the machine alone and with each design: a profiler behind a queue of branches, or "
    "operations that are injected. Without --design: queues of 1, 2, 4 and 8, and a "
    "pipelined profiler behind one of 4. The model is not validated against a machine: "
    "only differences between designs are claimed.\n\n" STREAM "\vExamples:\n"
    "  trod core app.branches\n"
    "  trod core --machine=low --design=queue=4,end app.branches\n"
    "  trod core --design=inject=call:15,every=100 --json app.branches\n"
    "  trod core --text >my.machine\n",
    cli_printing_children,
    0,
    0,
};
