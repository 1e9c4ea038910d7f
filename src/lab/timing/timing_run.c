#include "timing/engine.h"

#include <string.h>

enum { PLACES = 4096, PLACE_SHIFT = 3, HITS = 512 };

/* What is precomputed for a code. */
struct known {
    const struct trod_code *code;
    struct core_op *op;
    uint32_t nop;
    uint32_t nline;
    uint64_t *line;         /* [nline] addresses in its cache lines, ascending */
    uint32_t *op_of_line;   /* the first op that needs the line */
    uint32_t nload, nstore; /* of all ops */
};

/* The last store to each place. A direct-mapped table: another store may replace the entry. */
struct place {
    uint64_t granule; /* + 1 */
    uint32_t store;
};

/* The number of accesses in a cycle, indexed by the low bits of the cycle. */
struct ports {
    uint64_t cycle, count;
};

/* A run whose power is not final. */
struct pending_run {
    struct trod_run run;
    struct trod_timing_events events;
    uint64_t end;    /* its last cycle */
    uint64_t behind; /* instructions up to and including this run */
};

struct trod_timing {
    struct trod_arena *mem;
    const struct trod_timing_machine *machine;
    struct trod_timing_costs costs;
    struct trod_timing_lines l1i, l1d, l2;
    struct trod_timing_predict *predict;
    struct core_engine *engine;
    uint32_t ndesign;
    uint32_t *service_of; /* the first design with the same service and ctx */
    uint32_t *service;    /* [ndesign] service time of this run */
    struct known *known;
    uint32_t nknown;
    struct place *place;
    uint32_t nstore, ring;
    uint32_t thread;
    bool any;
    struct trod_timing_events now, sum;
    /* The current run: */
    struct core_lookup *lookup, *hits, hit;
    uint32_t nlookup, room_lookup;
    uint32_t *delay;
    uint32_t *naccess_of; /* as in core_block */
    uint32_t room_op;
    /* Runs whose power is not final, and the cycles of their accesses: two ring buffers. */
    void (*final)(
        void *ctx, const struct trod_run *run, const struct trod_timing_events *events);
    void *ctx;
    struct pending_run *pending;
    uint64_t first, last; /* bounds of the ring */
    uint32_t room_pending;
    uint64_t *cycle;
    uint64_t cycle_first, cycle_last;
    uint64_t room_cycle;
    struct ports *ports;
    uint64_t span;
};

/* --- building --------------------------------------------------------------------------------------------- */

struct trod_timing *trod_timing_build(const struct trod_timing_machine *machine,
    const struct trod_timing_design *design, uint32_t ndesign, struct trod_arena *mem)
{
    struct trod_timing *core = trod_new(mem, struct trod_timing, 1);

    core->mem = mem;
    core->machine = machine;
    core->ndesign = ndesign;
    core->ring = trod_timing_engine_ring(machine);
    trod_timing_costs_fill(&core->costs, machine);
    trod_timing_lines_init(&core->l1i, &machine->l1i, mem);
    trod_timing_lines_init(&core->l1d, &machine->l1d, mem);
    trod_timing_lines_init(&core->l2, &machine->l2, mem);
    core->predict = trod_timing_predict_build(&machine->prediction, mem);
    core->place = trod_new(mem, struct place, PLACES);
    core->engine = trod_new(mem, struct core_engine, (size_t)ndesign + 1);
    core->service_of = trod_new(mem, uint32_t, (size_t)ndesign + 1);
    core->service = trod_new(mem, uint32_t, (size_t)ndesign + 1);
    core->room_lookup = 64;
    core->lookup = trod_new(mem, struct core_lookup, core->room_lookup);
    core->hit = (struct core_lookup){
        .latency = machine->l1d.latency, .brings = (uint16_t)(core->ring + 1)};
    core->hits = trod_new(mem, struct core_lookup, HITS);
    for (uint32_t i = 0; i < HITS; i++)
        core->hits[i] = core->hit;
    for (uint32_t i = 0; i < ndesign; i++) {
        uint32_t k = 0;

        trod_timing_engine_init(&core->engine[i], machine, &design[i], mem);
        while (k < i && (!design[k].queue || design[k].service != design[i].service ||
                            design[k].ctx != design[i].ctx))
            k++;
        core->service_of[i] = k;
    }
    return core;
}

/* --- codes --------------------------------------------------------------------------------------------------- */

static void list_lines(struct known *k, const struct trod_timing *core)
{
    const struct trod_code *code = k->code;
    unsigned shift = core->l1i.shift;
    uint64_t first = code->pc >> shift;
    uint64_t last = (code->after > code->pc ? code->after - 1 : code->pc) >> shift;

    /* Blocks are short. One that claims to be longer is truncated to its first lines. */
    if (last - first > 4 * (uint64_t)k->nop + 16)
        last = first + 4 * (uint64_t)k->nop + 16;
    k->nline = (uint32_t)(last - first + 1);
    k->line = trod_new(core->mem, uint64_t, k->nline);
    k->op_of_line = trod_new(core->mem, uint32_t, k->nline);
    for (uint32_t i = 0, op = 0; i < k->nline; i++) {
        k->line[i] = (first + i) << shift;
        if (code->insn)
            while (op + 1 < k->nop &&
                   (code->insn[op].pc + code->insn[op].size - 1) >> shift < first + i)
                op++;
        else
            op = (uint32_t)((uint64_t)k->nop * i / k->nline);
        k->op_of_line[i] = op;
    }
}

static void know(
    struct known *k, const struct trod_code *code, struct trod_timing *core)
{
    static const struct trod_insn plain = {.insn_class = TROD_INSN_ALU};
    static const struct trod_insn branch = {.insn_class = TROD_INSN_BRANCH};

    *k = (struct known){.code = code, .nop = code->ninsn};
    k->op = trod_new(core->mem, struct core_op, (size_t)k->nop + 1);
    for (uint32_t i = 0; i < k->nop; i++) {
        bool ends = i + 1 == k->nop && code->kind != TROD_BRANCH_NONE;

        trod_timing_op_fill(&k->op[i],
            code->insn ? &code->insn[i]
            : ends     ? &branch
                       : &plain,
            core->machine);
        k->nload += k->op[i].nload;
        k->nstore += k->op[i].nstore;
    }
    if (k->nop)
        list_lines(k, core);
    if (k->nop > core->room_op) {
        core->room_op = 2 * k->nop;
        core->delay = trod_new(core->mem, uint32_t, core->room_op);
        core->naccess_of = trod_new(core->mem, uint32_t, core->room_op);
    }
}

static const struct known *known_of(
    struct trod_timing *core, const struct trod_code *code)
{
    uint32_t n = code->number;

    if (n >= core->nknown) {
        uint32_t room = n < 512 ? 1024 : n < UINT32_MAX / 2 ? 2 * n : UINT32_MAX;

        core->known = trod_arena_grow(
            core->mem, core->known, core->nknown, room, sizeof *core->known);
        core->nknown = room;
    }
    if (core->known[n].code != code)
        know(&core->known[n], code, core);
    return &core->known[n];
}

/* --- caches ------------------------------------------------------------------------------------------------------ */

/* Write back a dirty line that is evicted from the L1 data cache. */
static void write_back(struct trod_timing *core, uint64_t number)
{
    core->now.nback++;
    core->now.power += core->costs.l2;
    if (trod_timing_lines_put_back(&core->l2, number << core->l1d.shift))
        return;
    core->now.power += core->costs.memory;
}

/* Fetch a line from beyond an L1 cache. Returns the cycles beyond those of an L1 hit. */
static uint32_t fetch_from_l2(struct trod_timing *core, uint64_t address)
{
    uint64_t gone;
    uint32_t fill;

    core->now.nl2++;
    core->now.power += core->costs.l2;
    if (trod_timing_lines_look(&core->l2, address, false, &gone, &fill))
        return core->machine->l2.latency;
    core->now.nl2_miss++;
    core->now.power += core->costs.memory + core->costs.l2;
    if (gone) {
        core->now.nback++;
        core->now.power += core->costs.memory;
    }
    return core->machine->l2.latency + core->machine->memory;
}

static uint32_t look_code(struct trod_timing *core, uint64_t address)
{
    uint64_t gone;
    uint32_t fill;

    core->now.nl1i++;
    core->now.power += core->costs.l1i;
    if (trod_timing_lines_look(&core->l1i, address, false, &gone, &fill))
        return 0;
    core->now.nl1i_miss++;
    core->now.power += core->costs.l1i;
    return fetch_from_l2(core, address);
}

static uint16_t slot_of(const struct trod_timing *core, uint32_t number)
{
    return (uint16_t)(1 + number % core->ring);
}

static void look_data(
    struct trod_timing *core, struct core_lookup *lookup, uint64_t address, bool store)
{
    uint64_t gone;
    uint32_t fill;

    core->now.nl1d++;
    core->now.power += core->costs.l1d;
    if (trod_timing_lines_look(&core->l1d, address, store, &gone, &fill)) {
        if (fill && (uint32_t)core->l1d.nmiss - fill < core->ring)
            lookup->wait = slot_of(core, fill);
        return;
    }
    lookup->brings = slot_of(core, fill);
    core->now.nl1d_miss++;
    core->now.power += core->costs.l1d;
    if (gone)
        write_back(core, gone - 1);
    lookup->latency += fetch_from_l2(core, address);
}

static void look_up_store(
    struct trod_timing *core, struct core_lookup *lookup, uint64_t address)
{
    uint64_t granule = address >> PLACE_SHIFT;
    struct place *place = &core->place[granule % PLACES];

    *place = (struct place){granule + 1, ++core->nstore};
    lookup->store = slot_of(core, core->nstore);
}

static void look_up_load(
    struct trod_timing *core, struct core_lookup *lookup, uint64_t address)
{
    uint64_t granule = address >> PLACE_SHIFT;
    const struct place *place = &core->place[granule % PLACES];

    if (place->granule == granule + 1 && core->nstore - place->store < core->ring)
        lookup->store = slot_of(core, place->store);
}

static struct core_lookup *add_lookup(struct trod_timing *core)
{
    trod_reserve(core->mem, core->lookup, core->nlookup, core->room_lookup);
    core->lookup[core->nlookup] = core->hit;
    return &core->lookup[core->nlookup++];
}

/* Look up each cache line of an access. Returns the number of lines. */
static uint32_t look_up(struct trod_timing *core, const struct trod_access *access)
{
    unsigned shift = core->l1d.shift;
    uint64_t address = access->address;
    uint64_t last = address + (access->size ? access->size - 1 : 0);
    uint32_t count = 0;

    for (uint64_t line = address >> shift;; line++) {
        struct core_lookup *lookup = add_lookup(core);

        look_data(core, lookup, address, access->store);
        if (access->store)
            look_up_store(core, lookup, address);
        else
            look_up_load(core, lookup, address);
        count++;
        if (line == last >> shift)
            return count;
        address = (line + 1) << shift;
    }
}

/* All accesses of one instruction: loads, then stores. */
static const struct trod_access *look_up_all(struct trod_timing *core,
    const struct trod_access *access, const struct trod_access *end, uint32_t op)
{
    const struct trod_access *next = access;
    uint32_t nload = 0, nstore = 0;

    for (; next < end && next->insn <= op; next++)
        if (!next->store)
            nload += look_up(core, next);
    for (; access < next; access++)
        if (access->store)
            nstore += look_up(core, access);
    /* Both counts must fit in 16 bits; further lookups are dropped. */
    core->nlookup -= nload + nstore;
    nload = nload < UINT16_MAX ? nload : UINT16_MAX;
    nstore = nstore < UINT16_MAX ? nstore : UINT16_MAX;
    core->nlookup += nload + nstore;
    core->naccess_of[op] = nload | nstore << 16;
    return next;
}

static void look_up_data(
    struct core_block *block, struct trod_timing *core, const struct known *k)
{
    const struct trod_access *access = block->run->access;
    const struct trod_access *end = access ? access + block->run->naccess : NULL;
    uint32_t unseen = k->nload + k->nstore;

    core->nlookup = 0;
    for (uint32_t i = 0; i < k->nop; i++) {
        if (block->run->naccess) {
            access = look_up_all(core, access, end, i);
            continue;
        }
        core->naccess_of[i] = k->op[i].nload | (uint32_t)k->op[i].nstore << 16;
    }
    block->lookup = core->lookup;
    if (block->run->naccess || !unseen)
        return;
    while (core->nlookup < unseen)
        add_lookup(core);
    block->lookup = core->lookup;
    core->now.nunseen += unseen;
    core->now.nl1d += unseen;
    core->now.power += core->costs.l1d * unseen;
}

static void look_up_code(
    struct core_block *block, struct trod_timing *core, const struct known *k)
{
    for (uint32_t i = 0; i < k->nline; i++) {
        uint32_t late = look_code(core, k->line[i]);

        if (!late)
            continue;
        if (!block->delay)
            memset(core->delay, 0, k->nop * sizeof *core->delay);
        block->delay = core->delay;
        core->delay[k->op_of_line[i]] += late;
    }
}

/* --- power by the cycle ------------------------------------------------------------------------------------------ */

static void note_cycle(void *ctx, uint64_t cycle)
{
    struct trod_timing *core = ctx;
    struct ports *ports = &core->ports[cycle % core->span];

    if (ports->cycle != cycle)
        *ports = (struct ports){.cycle = cycle};
    ports->count++;

    if (core->cycle_last - core->cycle_first == core->room_cycle) {
        uint64_t room = 2 * core->room_cycle;
        uint64_t *wider = trod_new(core->mem, uint64_t, room);

        for (uint64_t i = core->cycle_first; i < core->cycle_last; i++)
            wider[i % room] = core->cycle[i % core->room_cycle];
        core->cycle = wider;
        core->room_cycle = room;
    }
    core->cycle[core->cycle_last++ % core->room_cycle] = cycle;
}

void trod_timing_when_final(struct trod_timing *core,
    void (*final)(
        void *ctx, const struct trod_run *run, const struct trod_timing_events *events),
    void *ctx)
{
    assert(core->ndesign && !core->any);
    core->final = final;
    core->ctx = ctx;
    core->engine[0].used = note_cycle;
    core->engine[0].ctx = core;
    core->room_cycle = 1024;
    core->cycle = trod_new(core->mem, uint64_t, core->room_cycle);
    core->span = trod_timing_engine_span(core->machine);
    core->ports = trod_new(core->mem, struct ports, core->span);
    core->room_pending = core->machine->rob + 2;
    core->pending = trod_new(core->mem, struct pending_run, core->room_pending);
}

static void finish(struct trod_timing *core)
{
    struct pending_run *p = &core->pending[core->first++ % core->room_pending];

    p->events.cycle_power = p->events.power - p->events.nl1d * core->costs.l1d;
    for (; core->cycle_first < p->end; core->cycle_first++) {
        uint64_t cycle = core->cycle[core->cycle_first % core->room_cycle];
        const struct ports *ports = &core->ports[cycle % core->span];

        p->events.cycle_power +=
            core->costs.l1d / (ports->cycle == cycle ? ports->count : 1);
    }
    core->sum.cycle_power += p->events.cycle_power;
    core->final(core->ctx, &p->run, &p->events);
}

static void wait_for_power(struct trod_timing *core, const struct trod_run *run)
{
    struct pending_run *p = &core->pending[core->last % core->room_pending];

    *p = (struct pending_run){.run = *run,
        .events = core->now,
        .end = core->cycle_last,
        .behind = core->sum.ninsn};
    p->run.access = NULL;
    p->run.naccess = 0;
    core->last++;
    while (
        core->last - core->first > 1 &&
        (core->pending[core->first % core->room_pending].behind + core->machine->rob <=
                core->sum.ninsn ||
            core->last - core->first == core->room_pending))
        finish(core);
}

void trod_timing_end(struct trod_timing *core)
{
    while (core->final && core->first < core->last)
        finish(core);
}

/* --- runs ------------------------------------------------------------------------------------------------------------- */

static void add_events(
    struct trod_timing_events *to, const struct trod_timing_events *from)
{
    to->nrun += from->nrun;
    to->ninsn += from->ninsn;
    to->nblind += from->nblind;
    to->nbranch += from->nbranch;
    to->nodd += from->nodd;
    to->nl1i += from->nl1i;
    to->nl1i_miss += from->nl1i_miss;
    to->nl1d += from->nl1d;
    to->nl1d_miss += from->nl1d_miss;
    to->nunseen += from->nunseen;
    to->nl2 += from->nl2;
    to->nl2_miss += from->nl2_miss;
    to->nback += from->nback;
    to->nmisfetch += from->nmisfetch;
    to->nmispredict += from->nmispredict;
    to->power += from->power;
}

static void predict_branch(struct core_block *block, struct trod_timing *core)
{
    const struct trod_run *run = block->run;
    enum trod_timing_outcome outcome = TROD_TIMING_RIGHT;

    if (!run->odd)
        outcome = trod_timing_predict_run(core->predict, run);
    core->now.nmispredict = outcome == TROD_TIMING_MISPREDICTED;
    core->now.nmisfetch = outcome == TROD_TIMING_MISFETCHED;
    block->fetch_on_completion = outcome == TROD_TIMING_MISPREDICTED || run->odd;
    block->fetch_on_dispatch = outcome == TROD_TIMING_MISFETCHED;
    block->taken = run->code->kind != TROD_BRANCH_NONE && run->taken;
}

static uint32_t service_of(
    struct trod_timing *core, uint32_t i, const struct trod_run *run)
{
    const struct trod_timing_design *design = core->engine[i].sum.design;

    if (!design->queue || run->code->kind == TROD_BRANCH_NONE)
        return 0;
    if (core->service_of[i] != i)
        return core->service[core->service_of[i]];
    return (design->service ? design->service : trod_timing_service)(
        design->ctx, run, &core->now);
}

static void time_all(struct trod_timing *core, struct core_block *block)
{
    for (uint32_t i = 0; i < core->ndesign; i++) {
        const struct trod_timing_design *design = core->engine[i].sum.design;

        block->service = core->service[i] = service_of(core, i, block->run);
        block->ninjected =
            design->inject ? design->inject(&block->injected, design->ctx, block->run)
                           : 0;
        trod_timing_engine_run(&core->engine[i], block);
    }
}

const struct trod_timing_events *trod_timing_take(
    struct trod_timing *core, const struct trod_run *run)
{
    const struct known *k = known_of(core, run->code);
    struct core_block block = {
        .run = run, .op = k->op, .nop = k->nop, .hits = core->hits};

    core->now = (struct trod_timing_events){.nrun = 1,
        .ninsn = k->nop,
        .nblind = run->code->insn ? 0 : k->nop,
        .nbranch = run->code->kind != TROD_BRANCH_NONE,
        .nodd = run->odd};
    block.first = core->any && run->thread != core->thread;
    core->thread = run->thread;
    core->any = true;
    look_up_code(&block, core, k);
    look_up_data(&block, core, k);
    predict_branch(&block, core);
    block.naccess = core->naccess_of;
    add_events(&core->sum, &core->now);
    if (k->nop)
        time_all(core, &block);
    if (core->final)
        wait_for_power(core, run);
    return &core->now;
}

const struct trod_timing_events *trod_timing_events_of(const struct trod_timing *core)
{
    return &core->sum;
}

uint32_t trod_timing_designs(const struct trod_timing *core)
{
    return core->ndesign;
}

void trod_timing_cycles_of(
    struct trod_timing_cycles *out, const struct trod_timing *core)
{
    for (uint32_t i = 0; i < core->ndesign; i++)
        out[i] = core->engine[i].sum;
}

/* --- services ----------------------------------------------------------------------------------------------------------- */

uint32_t trod_timing_service_update(bool there, uint32_t ways)
{
    return 1 + (there || ways < 2 ? 0 : trod_bit_width(ways - 1));
}

uint32_t trod_timing_service(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    enum { UPDATE = 1, PUSH = 1, POP = 1 };
    uint32_t pop = POP + trod_timing_service_update(true, 1);

    (void)ctx;
    (void)events;
    switch (run->code->kind) {
    case TROD_BRANCH_CALL:
    case TROD_BRANCH_CALL_INDIRECT:
        return UPDATE + PUSH;
    case TROD_BRANCH_RETURN:
        return UPDATE + pop;
    case TROD_BRANCH_IF:
    case TROD_BRANCH_JUMP:
        return trod_branch_is_backward(run->code) ? UPDATE + pop + PUSH : UPDATE;
    case TROD_BRANCH_INDIRECT:
        return UPDATE + pop + PUSH;
    default:
        return 0;
    }
}

/* --- metrics ------------------------------------------------------------------------------------------------------------ */

uint64_t trod_timing_metric_of(
    const struct trod_timing_events *events, enum trod_timing_metric metric)
{
    switch (metric) {
    case TROD_TIMING_INSTRUCTIONS:
        return events->ninsn;
    case TROD_TIMING_L1_MISSES:
        return events->nl1i_miss + events->nl1d_miss;
    case TROD_TIMING_L2_MISSES:
        return events->nl2_miss;
    case TROD_TIMING_MISPREDICTIONS:
        return events->nmispredict;
    case TROD_TIMING_POWER:
        return events->power;
    case TROD_TIMING_CYCLE_POWER:
        return events->cycle_power;
    default:
        return 0;
    }
}

bool trod_timing_is_blind(const struct trod_timing_events *events)
{
    enum { FEW = 100 };

    return events->nunseen > events->nl1d / FEW;
}

const char *trod_timing_metric_name(enum trod_timing_metric metric)
{
    static const char *const names[TROD_TIMING_METRICS] = {"instructions", "l1_misses",
        "l2_misses", "mispredictions", "power", "cycle_power"};

    return (unsigned)metric < TROD_TIMING_METRICS ? names[metric] : NULL;
}

/* --- as a sink ------------------------------------------------------------------------------------------------------------ */

static void take_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    trod_timing_take(((struct trod_timing_sink *)to)->core, run);
}

/* A later thread of the same number is another thread. */
static void take_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_timing *core = ((struct trod_timing_sink *)to)->core;

    if (core->thread == thread)
        core->thread = UINT32_MAX;
}

void trod_timing_sink_init(struct trod_timing_sink *out, struct trod_timing *core)
{
    *out = (struct trod_timing_sink){
        .sink.run = take_run, .sink.end = take_end, .core = core};
}
