#include "timing/timing.h"

#include <string.h>

static const struct trod_timing_machine base_line = {
    .name = "table5.3",
    .width = 4,
    .rob = 128,
    .lsq = 64,
    .ifq = 16,
    .penalty = 3,
    .units = {[TROD_TIMING_ALU] = 4,
        [TROD_TIMING_MULTIPLY] = 2,
        [TROD_TIMING_FLOAT] = 4,
        [TROD_TIMING_FLOAT_MULTIPLY] = 2,
        [TROD_TIMING_PORT] = 2},
    .latency = {[TROD_INSN_ALU] = 1,
        [TROD_INSN_MULTIPLY] = 3,
        [TROD_INSN_DIVIDE] = 20,
        [TROD_INSN_FLOAT] = 2,
        [TROD_INSN_FLOAT_MULTIPLY] = 4,
        [TROD_INSN_FLOAT_DIVIDE] = 12,
        [TROD_INSN_BRANCH] = 1,
        [TROD_INSN_NOTHING] = 1,
        [TROD_INSN_SYSTEM] = 1},
    .busy = {[TROD_INSN_ALU] = 1,
        [TROD_INSN_MULTIPLY] = 1,
        [TROD_INSN_DIVIDE] = 19,
        [TROD_INSN_FLOAT] = 1,
        [TROD_INSN_FLOAT_MULTIPLY] = 1,
        [TROD_INSN_FLOAT_DIVIDE] = 12,
        [TROD_INSN_BRANCH] = 1,
        [TROD_INSN_NOTHING] = 1,
        [TROD_INSN_SYSTEM] = 1},
    .l1i = {32 << 10, 1, 32, 1},
    .l1d = {32 << 10, 1, 32, 1},
    .l2 = {512 << 10, 4, 64, 10},
    .memory = 100,
    .prediction = {.kind = TROD_TIMING_COMBINED,
        .other = TROD_TIMING_GSHARE,
        .bimodal = 8 << 10,
        .counters = 8 << 10,
        .bits = 12,
        .meta = 1 << 10,
        .return_stack = 32,
        .btb = 2 << 10,
        .btb_ways = 4},
};

static const char *const names[] = {"table5.3", "low", "high", "perfect"};

static void be_low(struct trod_timing_machine *m)
{
    m->l2 = (struct trod_timing_cache){256 << 10, 1, 64, 10};
    m->prediction.kind = TROD_TIMING_TWO_LEVEL;
    m->prediction.histories = 1;
    m->prediction.counters = 2 << 10;
    m->prediction.bits = 8;
}

static void be_high(struct trod_timing_machine *m)
{
    m->l2 = (struct trod_timing_cache){2048 << 10, 8, 64, 10};
    m->prediction.other = TROD_TIMING_TWO_LEVEL;
    m->prediction.histories = 1;
    m->prediction.counters = 2 << 10;
    m->prediction.bits = 8;
    m->prediction.meta = 8 << 10;
}

static void be_perfect(struct trod_timing_machine *m)
{
    m->l1i.size = 0;
    m->l1d.size = 0;
    m->l2.size = 0;
    m->prediction.kind = TROD_TIMING_PERFECT;
}

bool trod_timing_machine_named(struct trod_timing_machine *out, const char *name)
{
    static void (*const be[])(struct trod_timing_machine *m) = {
        NULL, be_low, be_high, be_perfect};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        *out = base_line;
        out->name = names[i];
        if (be[i])
            be[i](out);
        return true;
    }
    return false;
}

const char *trod_timing_machine_name(uint32_t i)
{
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}
