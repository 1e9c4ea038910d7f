#include "option_tables.h"

/* What a processor did. */

#define STREAM                                                                          \
    "A stream is a trace file, as 'trod emulate --trace' and --trace here write it, "   \
    "or its text form, which begins with 'branches NAME'. Without a file, or for '-', " \
    "standard input is read." CLI_OR_PROGRAM

static const struct argp_option branches_own[] = {
    {"text", KEY_TEXT, 0, 0, "print the stream as text, one line a run", 0},
    {"trace", KEY_TRACE, 0, 0, "write the stream as a trace file", 0},
    {"pt", KEY_PT, 0, 0, "write what Intel PT would have noted of thread 0, as packets",
        0},
    {"image", KEY_IMAGE, "FILE[@ADDRESS]", 0,
        "with --pt: code that ran, as 'trod hw import' takes it, for system calls to be seen",
        0},
    {"stacks", KEY_STACKS, "N", 0,
        "print what 'perf script' would, had one in N branches that are taken been "
        "sampled: its thread's last 32",
        0},
    {"seed", KEY_SEED, "N", 0, "with --stacks: choose others", 0},
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
    "[FILE]\n-- PROGRAM [ARGUMENT...]",
    "Read what a processor did, block by block, and tell how much of what there is: "
    "codes, runs by the kind of branch they end with, odd ones; check it, turn it into "
    "the other form, cut a part out of it.\n\n" STREAM "\vExamples:\n"
    "  trod hw trace app.branches\n"
    "  trod hw trace --text --from=1000 --to=2000 app.branches\n"
    "  trod hw trace --trace -o app.branches app.txt\n"
    "  trod hw trace -- gzip -k file\n",
    cli_printing_children,
    0,
    0,
};

static const struct argp_option import_own[] = {
    {"pt", KEY_PT, 0, 0, "files are packets of Intel PT, each of one thread", 0},
    {"image", KEY_IMAGE, "FILE[@ADDRESS]", 0,
        "code that ran: a program or library, at its own addresses or moved by ADDRESS; or "
        "any bytes, that were at ADDRESS",
        0},
    {"text", KEY_TEXT, 0, 0, "print the stream as text, one line a run", 0},
    {"trace", KEY_TRACE, 0, 0, "write the stream as a trace file", 0},
    {"name", KEY_NAME, "NAME", 0, "with --text or --trace: call the stream so", 0},
    {"most", KEY_MOST, "N", 0, "print at most N paths (20)", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

const struct argp cli_import_argp = {
    import_own,
    cli_parse_command,
    FILES,
    "Read what a real processor noted of the branches that a program took, and print the "
    "straight paths it took most: from where a backward or indirect branch, a call or a "
    "return went, over forward branches, to the next of these. Or turn it into a stream, "
    "which other commands read.\n\n"
    "A file is what 'perf script -F tid,ip,brstack' printed of what 'perf record -b' "
    "recorded: stacks of the last branches taken, at random moments. Shares of paths are "
    "estimated from them; the stream is in pieces, one a stack. With --pt, files are "
    "packets of Intel PT, which have every branch; paths are then counted. Without a file, "
    "or for '-', standard input is read."
    "\vExamples:\n"
    "  trod hw import perf.script\n"
    "  trod hw import --image=/bin/app@0x5555000 --trace -o a.branches perf.script\n"
    "  trod hw import --pt --image=app thread0.pt thread1.pt\n",
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
    "[FILE]\n-- PROGRAM [ARGUMENT...]",
    "Send what a processor did through a model of one: caches, branch predictor, an "
    "out-of-order core. Print misses, mispredictions, power of the caches, and cycles, of "
    "the machine alone and with each design: a profiler behind a queue of branches, or "
    "operations that are injected. Without --design: queues of 1, 2, 4 and 8, and a "
    "pipelined profiler behind one of 4. The model is not validated against a machine: "
    "only differences between designs are claimed.\n\n" STREAM "\vExamples:\n"
    "  trod hw timing app.branches\n"
    "  trod hw timing --machine=low --design=queue=4,end app.branches\n"
    "  trod hw timing --design=inject=call:15,every=100 --json app.branches\n"
    "  trod hw timing --text >my.machine\n"
    "  trod hw timing -- gzip -c file\n",
    cli_printing_children,
    0,
    0,
};
