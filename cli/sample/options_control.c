#include "option_tables.h"

/* Options of the command for programs that run. */

static const struct argp_option control_own[] = {
    {"on", KEY_TURN_ON, 0, 0, "sample", 0},
    {"off", KEY_TURN_OFF, 0, 0, "sample nothing, at the lowest cost", 0},
    {"rate", KEY_RATE, "N", 0,
        "sample one of N events or, in builds with --online, start a sample at one of N blocks; "
        "TYPE=N for one type of bursts; may be repeated",
        0},
    {"burst", KEY_BURST, "N", 0,
        "N events for each burst; TYPE=N for one type; may be repeated", 0},
    {"types", KEY_TYPES, "TYPES", 0,
        "sample these types, such as paths+calls, of those that were compiled in", 0},
    {"budget", KEY_BUDGET, "SHARE", 0,
        "adjust rates so that sampling and its checks cost at most this share of the time, such as "
        "2%; 0: keep rates",
        0},
    {"reset", KEY_RESET, 0, 0, "set all counts to 0", 0},
    {"snapshot", KEY_SNAPSHOT, "FILE", OPTION_ARG_OPTIONAL,
        "first write what was counted so far to FILE (default: NAME.snapshot for each profile)",
        0},
    {"quiet", 'q', 0, 0, "do not print notes", 0},
    {"json", KEY_JSON, 0, 0, "print JSON", 0},
    {"output", 'o', "FILE", 0, "write to FILE", 0},
    {0},
};

const struct argp cli_control_argp = {
    control_own,
    cli_parse_command,
    "PID|FILE...",
    "Change how a program samples while it runs, and print what was and is in force. The "
    "program must be compiled by 'trod cc --burst' or --online. PID is a process; FILE is the "
    "profile it writes. The program is not stopped and gets no signal: each of its threads "
    "follows when it next looks, which it does at events that it samples and, while nothing is "
    "sampled, some times a second. A child that it forks later does the same as its parent. Only "
    "the owner of the profile and root can control a program.\n\nEach count has the weight of "
    "the rate in force when it was taken, so counts remain estimates when rates change, and the "
    "profile says that they did. While sampling is off nothing is counted. With --online, "
    "samples that are kept stand for as many blocks as the rate says, so a lower rate needs "
    "--reset, unless a budget sets it; lengths cannot be changed.\n\nPrograms that count everything can only be looked at: "
    "with --snapshot.\vExamples:\n"
    "  trod sample control 4711\n"
    "  trod sample control --on --rate=100 --types=paths+calls 4711\n"
    "  trod sample control --off --snapshot=minute.trod app.4711.trod\n"
    "  trod sample control --reset --budget=2% --json 4711\n",
    NULL,
    0,
    0,
};
