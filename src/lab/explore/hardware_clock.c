#include "explore/hardware.h"

#include <math.h>

/* A timed profiler. The cost of an operation depends on whether the path is in the table. */
struct profiler {
    struct trod_detector detector;
    struct trod_reference reference;
    struct trod_hot_table table;
};

struct clock {
    struct trod_timing_machine machine;
    uint64_t predictor;
    struct trod_timing *core; /* built at the first run, when all designs are known */
    struct trod_timing_design *design;
    uint32_t ndesign, room_design;
    struct profiler **profiler;
    uint32_t nprofiler, room_profiler;
};

struct hardware_clocks {
    struct trod_arena *mem;
    struct clock **clock;
    uint32_t nclock, room_clock;
    struct place {
        uint32_t clock, design;
    } *place;
    uint32_t nplace, room_place;
};

struct hardware_clocks *trod_hardware_clocks_build(struct trod_arena *mem)
{
    struct hardware_clocks *clocks = trod_new(mem, struct hardware_clocks, 1);

    clocks->mem = mem;
    return clocks;
}

/* Each operation of the path stack takes one cycle. The end of a path also takes the table update.
 *
 * paper:  Vaswani, "Efficient Online Path Profiling", section 5.5.3
 */
static uint32_t serve(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    struct profiler *p = ctx;
    const uint64_t *nop = p->detector.seen.nop;
    uint64_t before = nop[0] + nop[1] + nop[2] + nop[3];
    uint32_t cycles, nend;

    (void)events;
    nend = trod_detector_run(&p->detector, run, 0);
    cycles = (uint32_t)(nop[0] + nop[1] + nop[2] + nop[3] - before);
    for (uint32_t i = 0; i < nend; i++) {
        const struct trod_path_end *end = &p->detector.end[i];
        uint32_t path;
        bool there;

        if (!end->reported)
            continue;
        path = trod_reference_add(&p->reference, end);
        there =
            trod_hot_table_add(&p->table, path, &p->reference.path[path], end->count);
        cycles += trod_timing_service_update(there, p->table.design.ways);
    }
    return cycles;
}

static bool is_same_machine(
    const struct clock *clock, const struct hardware_design *design)
{
    return clock->predictor == design->predictor &&
           clock->machine.l2.size == design->machine.l2.size &&
           clock->machine.l2.ways == design->machine.l2.ways;
}

static struct clock *clock_for(struct hardware_clocks *clocks,
    const struct hardware_design *design, uint32_t *number)
{
    struct clock *clock;

    for (*number = 0; *number < clocks->nclock; ++*number)
        if (is_same_machine(clocks->clock[*number], design))
            return clocks->clock[*number];
    clock = trod_new(clocks->mem, struct clock, 1);
    clock->machine = design->machine;
    clock->predictor = design->predictor;
    trod_push(clocks->mem, clock->design, clock->ndesign, clock->room_design,
        (struct trod_timing_design){.name = "base"});
    trod_push(clocks->mem, clocks->clock, clocks->nclock, clocks->room_clock, clock);
    return clock;
}

/* Designs that differ only in their queue share a profiler: it does the same operations on the same table. */
static struct profiler *profiler_for(struct hardware_clocks *clocks,
    struct clock *clock, const struct hardware_design *design)
{
    struct profiler *p;

    for (uint32_t i = 0; i < clock->nprofiler; i++) {
        p = clock->profiler[i];
        if (trod_hardware_same_control(&p->detector.control, &design->control) &&
            trod_hardware_same_table(&p->table.design, &design->table))
            return p;
    }
    p = trod_new(clocks->mem, struct profiler, 1);
    trod_detector_init(&p->detector, &design->control, clocks->mem);
    trod_reference_init(&p->reference, clocks->mem);
    trod_hot_table_init(&p->table, &design->table, clocks->mem);
    trod_push(clocks->mem, clock->profiler, clock->nprofiler, clock->room_profiler, p);
    return p;
}

uint32_t trod_hardware_clocks_add(
    struct hardware_clocks *clocks, const struct hardware_design *design)
{
    struct place place;
    struct clock *clock = clock_for(clocks, design, &place.clock);

    place.design = clock->ndesign;
    trod_push(clocks->mem, clock->design, clock->ndesign, clock->room_design,
        (struct trod_timing_design){.name = "queue",
            .queue = design->queue,
            .pipelined = design->pipelined,
            .freed_at_end = design->freed_at_end,
            .service = serve,
            .ctx = profiler_for(clocks, clock, design)});
    return trod_push(
        clocks->mem, clocks->place, clocks->nplace, clocks->room_place, place);
}

void trod_hardware_clocks_run(
    struct hardware_clocks *clocks, const struct trod_run *run)
{
    for (uint32_t i = 0; i < clocks->nclock; i++) {
        struct clock *clock = clocks->clock[i];

        if (!clock->core)
            clock->core = trod_timing_build(
                &clock->machine, clock->design, clock->ndesign, clocks->mem);
        trod_timing_take(clock->core, run);
    }
}

double trod_hardware_clocks_result(struct hardware_clocks *clocks, uint32_t which)
{
    const struct place *place = &clocks->place[which];
    struct clock *clock = clocks->clock[place->clock];
    struct trod_timing_cycles *cycles;
    struct trod_mark mark;
    double base, is;

    if (!clock->core || trod_timing_events_of(clock->core)->nblind)
        return (double)NAN; /* timing needs instructions */
    trod_timing_end(clock->core);
    mark = trod_arena_mark(clocks->mem);
    cycles = trod_new(clocks->mem, struct trod_timing_cycles, clock->ndesign);
    trod_timing_cycles_of(cycles, clock->core);
    base = (double)cycles[0].cycles;
    is = (double)cycles[place->design].cycles;
    trod_arena_rewind(clocks->mem, mark);
    return base > 0 ? 100 * (is / base - 1) : (double)NAN;
}
