#include "option_tables.h"

/* Options of trod hw edit. */

static const struct argp_option edit_own[] = {
    {"profile", KEY_EDIT_PROFILE, "WHAT,...", 0,
        "sample WHAT with the productions built into trod (default: each kind in turn)",
        0},
    {"productions", KEY_PRODUCTIONS, "FILE", 0,
        "read productions from FILE instead of those built into trod; may be "
        "repeated: files are read in order, then the productions of --profile",
        0},
    {"set", KEY_SET, "NAME=N", 0,
        "set a register to N, such as sampleFreq=999, or the number of micro-operations of a "
        "handler",
        0},
    {"burst", KEY_BURST_LENGTH, "N", 0,
        "events per burst; the same as "
        "--set=burstLength=N",
        0},
    {"period", KEY_PERIOD, "HOW", 0, "how sampleFreq varies", 0},
    {"seed", KEY_SEED, "N", 0, "seed of --period=jitter (default: 0)", 0},
    {"exhaustive", KEY_EXHAUSTIVE, 0, 0,
        "sample everything, regardless of the counters", 0},
    {"literal", KEY_LITERAL, 0, 0,
        "use the productions exactly as published, including their errors", 0},
    {"cpi", KEY_CPI, "CYCLES", 0,
        "average cycles per instruction and micro-operation (default: 1)", 0},
    {"addresses", KEY_ADDRESSES, "N", 0,
        "for streams: keep the first N addresses, sampled or not (default: 4194304)",
        0},
    {"machine", KEY_MACHINE, "NAME", 0,
        "also time baseline, plain and conditional on this machine of 'trod hw timing'",
        0},
    {"most", KEY_MOST, "N", 0, "print at most N members of a profile (default: 10)", 0},
    {"from", KEY_FROM, "N", 0,
        "omit runs before instruction N, counted over all threads from 0", 0},
    {"to", KEY_TO, "N", 0, "omit runs from instruction N on", 0},
    {"text", KEY_TEXT, 0, 0, "print the productions as read", 0},
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
    "Sample a trace in bursts by replacing instructions as a processor decodes them "
    "(dynamic instruction stream editing). Print what was sampled; its overlap with the "
    "complete profile, the sum of the smaller of the two shares; and its cost in two "
    "variants: 'plain' replaces each call, backward branch and instruction of interest, "
    "and the replacement contains the checks; 'conditional' decides by counters beside "
    "the pipeline, and replaces nothing between bursts. The cost is a bubble per "
    "replacement, plus micro-operations. It comes from a model, not from a real "
    "machine.\n\nFILE is a branch trace, or its text form, which begins with 'branches "
    "NAME'. With no FILE, or when FILE is '-', trod reads standard input." CLI_OR_PROGRAM
    "\vExamples:\n"
    "  trod hw edit app.branches\n"
    "  trod hw edit --profile=calls --set=sampleFreq=99 --burst=1 app.branches\n"
    "  trod hw edit --profile=streams --burst=100 --period=jitter app.branches\n"
    "  trod hw edit --text --profile=methods\n"
    "  trod hw edit -- gzip -c file\n",
    edit_children,
    0,
    0,
};
