#include "option_tables.h"

/* Streams, edited. */

static const struct argp_option edit_own[] = {
    {"profile", KEY_EDIT_PROFILE, "WHAT,...", 0,
        "sample WHAT, by productions that come with trod (each of them, one at a time)",
        0},
    {"productions", KEY_PRODUCTIONS, "FILE", 0,
        "read productions from FILE instead; several are read in a row, and behind them "
        "those of --profile",
        0},
    {"set", KEY_SET, "NAME=N", 0,
        "set a register to N, sampleFreq=999, say; or how many micro-operations a "
        "handler has",
        0},
    {"burst", KEY_BURST_LENGTH, "N", 0, "the same as --set=burstLength=N", 0},
    {"period", KEY_PERIOD, "HOW", 0, "sampleFreq is HOW", 0},
    {"seed", KEY_SEED, "N", 0, "draw other numbers for --period=jitter (0)", 0},
    {"exhaustive", KEY_EXHAUSTIVE, 0, 0,
        "sample all that there is: counters do not matter", 0},
    {"literal", KEY_LITERAL, 0, 0,
        "take productions to the letter of the report they are from, with its errors",
        0},
    {"cpi", KEY_CPI, "CYCLES", 0,
        "what an instruction or micro-operation takes, on average (1)", 0},
    {"addresses", KEY_ADDRESSES, "N", 0,
        "of streams: keep N addresses, sampled or not, and none behind them (4194304)",
        0},
    {"machine", KEY_MACHINE, "NAME", 0,
        "time it, too, on this machine, of 'trod hw timing': base line, plain and conditional",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N members of a profile (10)", 0},
    {"from", KEY_FROM, "N", 0,
        "leave out runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "leave out runs from instruction N on", 0},
    {"text", KEY_TEXT, 0, 0, "print the productions, as they were read", 0},
    {"check", KEY_CHECK, 0, 0, "run the validators", 0},
    {0},
};

static const struct argp profile_argp = PARSED_BY_CHILD(cli_edit_profile_words);
static const struct argp period_argp = PARSED_BY_CHILD(cli_period_words);

static const struct argp_child edit_children[] = {
    {&cli_printing_argp, 0, 0, 0},
    {&profile_argp, 0, "WHAT is one of:", 1},
    {&period_argp, 0, "HOW is one of:", 2},
    {0},
};

const struct argp cli_edit_argp = {
    edit_own,
    cli_parse_command,
    "[FILE]\n-- PROGRAM [ARGUMENT...]",
    "Replace instructions as a processor decodes them, and sample by that, in bursts. "
    "Print what was sampled; how much of it agrees with all there was, as the sum of the "
    "lesser of two shares; and what it costs: 'plain', where each call, branch back and "
    "instruction of interest is replaced, and checks are in what replaces it; "
    "'conditional', where counters beside the pipeline decide, and nothing is replaced "
    "between bursts. Costs are a bubble for a replacement, and micro-operations; they are "
    "those of a model, and no machine's.\n\n"
    "The file is a stream: a trace file, or text that begins with 'branches NAME'. Without "
    "a file, or for '-', standard input is read." CLI_OR_PROGRAM "\vExamples:\n"
    "  trod hw edit app.branches\n"
    "  trod hw edit --profile=calls --set=sampleFreq=99 --burst=1 app.branches\n"
    "  trod hw edit --profile=streams --burst=100 --period=jitter app.branches\n"
    "  trod hw edit --text --profile=methods\n"
    "  trod hw edit -- gzip -c file\n",
    edit_children,
    0,
    0,
};
