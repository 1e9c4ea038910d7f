/* What the core reports for any machine and any stream: designs do not disturb each other; each run is reported once, in
 * order, and the results of the runs add up to those of all.
 */
#include "timing_draw.h"

#include "kit/machine_program.h"

enum fault {
    NONE,
    DEEP, /* the queue has one place more */
    LOST  /* a run is not reported */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* A design alone has the cycles that it has among others. */
static bool designs_keep_apart(struct kit_prop *p, void *ctx)
{
    static struct scene s;
    struct trod_timing_cycles all[DESIGNS], one;
    struct trod_timing *core;
    struct sample sample;
    uint64_t which;

    begin(&sample);
    draw_scene(&s, p);
    which = kit_draw(p, DESIGNS);
    core = trod_timing_build(&s.machine, s.design, DESIGNS, &sample.mem);
    for (uint32_t i = 0; i < s.nrun; i++)
        trod_timing_take(core, &s.run[i]);
    trod_timing_cycles_of(all, core);
    if (fault_in(ctx) == DEEP)
        s.design[which].queue++;
    core = trod_timing_build(&s.machine, &s.design[which], 1, &sample.mem);
    for (uint32_t i = 0; i < s.nrun; i++)
        trod_timing_take(core, &s.run[i]);
    trod_timing_cycles_of(&one, core);
    if (one.cycles != all[which].cycles || one.stall != all[which].stall)
        return end(&sample, wrong(p, "cycles alone", one.cycles, all[which].cycles));
    return end(&sample, true);
}

/* --- final results ---------------------------------------------------------------------------- */

struct reported {
    struct trod_timing_sink core;
    struct trod_branch_sink sink;
    struct trod_timing_events sum;
    uint64_t nrun, hash, hash_final, lost;
    bool dear; /* sharing made something dearer */
};

static void take_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct reported *t =
        (struct reported *)((char *)to - offsetof(struct reported, sink));

    t->hash = trod_mix(trod_mix(t->hash, run->code->pc), run->next);
    t->nrun++;
    trod_branch_put_run(&t->core.sink, run);
}

static void take_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct reported *t =
        (struct reported *)((char *)to - offsetof(struct reported, sink));

    trod_branch_put_end(&t->core.sink, thread);
}

static void take_final(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    struct reported *t = ctx;

    if (t->lost && t->sum.nrun + 1 == t->lost) {
        t->lost = 0;
        return;
    }
    t->hash_final = trod_mix(trod_mix(t->hash_final, run->code->pc), run->next);
    t->sum.nrun++;
    t->sum.ninsn += events->ninsn;
    t->sum.power += events->power;
    t->sum.cycle_power += events->cycle_power;
    t->sum.nmispredict += events->nmispredict;
    t->dear |= events->cycle_power > events->power;
}

static bool draw_bit(struct kit_prop *p)
{
    return kit_draw(p, 2);
}

/* For any stream each run is reported once, in order, and the results add up. */
static bool finals_add_up(struct kit_prop *p, void *ctx)
{
    static const struct trod_timing_design design[] = {
        {.name = "base"}, {.name = "queue", .queue = 2}};
    struct kit_walk_options options = {.nthread = (uint32_t)(1 + kit_draw(p, 3)),
        .no_insns = draw_bit(p),
        .accesses = draw_bit(p),
        .stacks = draw_bit(p),
        .longjmp = draw_bit(p),
        .signals = draw_bit(p),
        .gaps = draw_bit(p),
        .tails = draw_bit(p)};
    const struct trod_timing_events *all;
    struct trod_timing_cycles cycles[2];
    struct trod_timing_machine machine;
    struct reported reported = {.lost = fault_in(ctx) == LOST};
    struct trod_timing *core;
    struct sample s;

    begin(&s);
    trod_timing_machine_named(&machine, draw_bit(p) ? "low" : "table5.3");
    machine.rob = (uint32_t)(1 + kit_draw(p, 128));
    core = trod_timing_build(&machine, design, 2, &s.mem);
    trod_timing_when_final(core, take_final, &reported);
    trod_timing_sink_init(&reported.core, core);
    reported.sink = (struct trod_branch_sink){.run = take_run, .end = take_end};
    kit_walk(&reported.sink, p, &options, &s.mem);
    trod_timing_end(core);
    all = trod_timing_events_of(core);
    trod_timing_cycles_of(cycles, core);
    if (reported.sum.nrun != reported.nrun || reported.hash != reported.hash_final)
        return end(&s, wrong(p, "reported runs", reported.sum.nrun, reported.nrun));
    if (reported.sum.ninsn != all->ninsn ||
        reported.sum.nmispredict != all->nmispredict)
        return end(&s, wrong(p, "instructions", reported.sum.ninsn, all->ninsn));
    if (reported.sum.power != all->power)
        return end(&s, wrong(p, "power", reported.sum.power, all->power));
    if (reported.sum.cycle_power != all->cycle_power || reported.dear)
        return end(&s,
            wrong(p, "power by the cycle", reported.sum.cycle_power, all->cycle_power));
    if (cycles[0].cycles * machine.width < all->ninsn ||
        cycles[1].cycles < cycles[1].nbranch)
        return end(&s, wrong(p, "cycles", cycles[0].cycles, all->ninsn));
    return end(&s, true);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"designs do not disturb each other", designs_keep_apart, {DEEP}},
        {"events of all runs come in the end", finals_add_up, {LOST}},
    };

    return kit_run_tested(
        "results of the core", tested, sizeof tested / sizeof *tested);
}
