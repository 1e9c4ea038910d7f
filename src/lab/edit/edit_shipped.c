#include "edit/edit.h"

#include <string.h>

/* Copies of the files in example/hps; a test compares them. */
static const struct {
    const char *name, *text;
} shipped[] = {
    {"sampling",
        "# Sampling in bursts: of sampleFreq + burstLength events, the last burstLength are sampled. Events are calls, and\n"
        "# branches that go back if they are taken. Counter 1 counts between bursts, counter 2 in them; overflow_1 and not\n"
        "# overflow_2 says that a burst is on.\n"
        "register sampleFreq = 999 to overflow\n"
        "register burstLength = 1 to overflow\n"
        "\n"
        "# None is on: count up to the next.\n"
        "P1: T.OPCLASS == proc_call && !overflow_1 => null, CC1\n"
        "P2: T.OPCLASS == branch && T.Target <= T.PC && !overflow_1 => null, CC1\n"
        "\n"
        "# One is on: count up to its end.\n"
        "P3: T.OPCLASS == proc_call && overflow_1 && !overflow_2 => null, CC2\n"
        "P4: T.OPCLASS == branch && T.Target <= T.PC && overflow_1 && !overflow_2 => null, CC2\n"
        "\n"
        "# It is over: begin again. This event is the first that is counted.\n"
        "P5: T.OPCLASS == proc_call && overflow_1 && overflow_2 => null, CC3\n"
        "P6: T.OPCLASS == branch && T.Target <= T.PC && overflow_1 && overflow_2 => null, CC3\n"
        "\n"
        "CC1: inc_1\n"
        "CC2: inc_2\n"
        "CC3: set_1(sampleFreq); set_2(burstLength); inc_1\n"
        "START: set_1(sampleFreq); set_2(burstLength)\n"},
    {"methods",
        "# Hot methods: which are called, or go round a loop. To be read behind sampling.hps.\n"
        "handler HotMethod_handler = methods 15\n"
        "M1: (T.OPCLASS == proc_call || T.OPCLASS == branch && T.Target <= T.PC)\n"
        "    && overflow_1 && !overflow_2 => M, null\n"
        "M: call(HotMethod_handler) T.INSN\n"},
    {"calls",
        "# Hot call pairs: where the call is, and whom it calls. To be read behind sampling.hps.\n"
        "handler CallPair_handler = calls 15\n"
        "C1: T.OPCLASS == proc_call && overflow_1 && !overflow_2 => C, null\n"
        "C: call(CallPair_handler) T.INSN\n"},
    {"streams",
        "# Hot data streams: addresses that are loaded from and stored to. To be read behind sampling.hps.\n"
        "handler DataStream_handler = streams 15\n"
        "S1: T.OPCLASS == mem_op && overflow_1 && !overflow_2 => S, null\n"
        "S: call(DataStream_handler) T.INSN\n"},
    {"literal/sampling",
        "# Sampling in bursts, to the letter of the report. It does not do what it is meant to: P5 does not test overflow_2\n"
        "# as P6 does, branches with T.PC < T.Target go forward, and a counter set to its greatest number less n overflows\n"
        "# at the n + 1st event.\n"
        "register sampleFreq = max - 999\n"
        "register burstLength = max - 1\n"
        "\n"
        "P1: T.OPCLASS == proc_call && !overflow_1 => null, CC1\n"
        "P2: T.OPCLASS == branch && T.PC < T.Target && !overflow_1 => null, CC1\n"
        "P3: T.OPCLASS == proc_call && overflow_1 && !overflow_2 => null, CC2\n"
        "P4: T.OPCLASS == branch && T.PC < T.Target && overflow_1 && !overflow_2 => null, CC2\n"
        "P5: T.OPCLASS == proc_call && overflow_1 && !overflow_2 => null, CC3\n"
        "P6: T.OPCLASS == branch && T.PC < T.Target && overflow_1 && overflow_2 => null, CC3\n"
        "\n"
        "CC1: inc_1;\n"
        "CC2: inc_2;\n"
        "CC3: set_1(sampleFreq); set_2(burstLength);\n"
        "START: set_1(sampleFreq); set_2(burstLength);\n"},
    {"literal/methods",
        "# Hot methods, to the letter of the report, with the || that it lacks between its two classes. && binds tighter: all\n"
        "# calls are sampled, in bursts or not.\n"
        "handler HotMethod_handler = methods 15\n"
        "M1: T.OPCLASS == proc_call || (T.OPCLASS == branch && T.PC < T.Target) && overflow_1 => M, null\n"
        "M: call(HotMethod_handler) T.INSN\n"},
    {"literal/calls",
        "# Hot call pairs, to the letter of the report: overflow_1 is still set at the event behind a burst, which is sampled,\n"
        "# too.\n"
        "handler CallPair_handler = calls 15\n"
        "C1: T.OPCLASS == proc_call && overflow_1 => C, null\n"
        "C: call(CallPair_handler) T.INSN\n"},
    {"literal/streams",
        "# Hot data streams, to the letter of the report: overflow_1 is still set up to the event behind a burst.\n"
        "handler DataStream_handler = streams 15\n"
        "S1: T.OPCLASS == mem_op && overflow_1 => S, null\n"
        "S: call(DataStream_handler) T.INSN\n"},
};

const char *trod_edit_shipped(const char *name)
{
    for (size_t i = 0; i < sizeof shipped / sizeof *shipped; i++)
        if (strcmp(shipped[i].name, name) == 0)
            return shipped[i].text;
    return NULL;
}
