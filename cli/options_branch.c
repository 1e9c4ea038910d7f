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
