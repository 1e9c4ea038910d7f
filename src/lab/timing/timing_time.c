#include "timing/engine.h"

enum {
    FIELD = 6,
    FULL = 1 << (FIELD - 1),
    ISSUE = TROD_TIMING_POOLS,
    CYCLES = 4096 /* of the calendar, which then fits in the caches of the host */
};

/* --- the calendar ---------------------------------------------------------------------------------------- */

static uint64_t one_of(unsigned pool)
{
    return UINT64_C(1) << FIELD * pool;
}

static uint64_t guard_of(unsigned pool)
{
    return FULL * one_of(pool);
}

/* Whether the calendar has an entry for a cycle. An operation farther ahead waits for other
 * operations rather than for units: its cycle is assumed to be free and is not recorded.
 */
static inline bool is_near(uint64_t now, uint64_t cycle)
{
    return cycle - now < CYCLES;
}

static inline uint64_t *entry_of(struct core_engine *e, uint64_t cycle)
{
    return &e->calendar[cycle % CYCLES];
}

/* Advance the time: entries of past cycles are cleared for future ones. */
static inline void turn_to(struct core_engine *e, uint64_t now, uint64_t next)
{
    if (__builtin_expect(next - now > CYCLES, 0))
        now = next - CYCLES;
    for (; now < next; now++)
        *entry_of(e, now) = e->empty;
}

/* Reserve the first cycle in which none of the guard bits is set. */
static inline uint64_t take_slot(
    struct core_engine *e, uint64_t now, uint64_t cycle, uint64_t guard, uint64_t take)
{
    for (; is_near(now, cycle); cycle++) {
        uint64_t *entry = entry_of(e, cycle);

        if (!(*entry & guard)) {
            *entry += take;
            break;
        }
    }
    return cycle;
}

/* Reserve the first cycle with a free issue slot and a unit that is free for `busy` cycles. */
static uint64_t take_long(
    struct core_engine *e, uint64_t now, uint64_t cycle, unsigned pool, uint32_t busy)
{
    for (uint64_t last; is_near(now, cycle + busy); cycle = last + 1) {
        last = cycle;
        if (*entry_of(e, cycle) & guard_of(ISSUE))
            continue;
        while (last < cycle + busy && !(*entry_of(e, last) & guard_of(pool)))
            last++;
        if (last < cycle + busy)
            continue;
        for (uint32_t i = 0; i < busy; i++)
            *entry_of(e, cycle + i) += one_of(pool) + (i ? 0 : one_of(ISSUE));
        break;
    }
    return cycle;
}

/* --- building ------------------------------------------------------------------------------------------------ */

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* An upper bound: each operation in the reorder buffer may wait for the previous one and for its
 * line of code. The margin of 32 is needed because runs are finalized only at the end of a block.
 */
uint64_t trod_timing_engine_span(const struct trod_timing_machine *m)
{
    uint64_t longest = 0, cycles;

    for (int i = 0; i < TROD_INSN_CLASSES; i++)
        longest = latest(longest, m->latency[i] + m->busy[i]);
    longest += m->penalty + m->l1d.latency + 2 * (m->l2.latency + m->memory);
    cycles = longest * (m->rob + 32);
    return UINT64_C(1) << trod_bit_width(cycles < 1 << 20 ? cycles : 1 << 20);
}

uint32_t trod_timing_engine_ring(const struct trod_timing_machine *machine)
{
    return UINT32_C(1) << trod_bit_width(4 * (uint64_t)machine->lsq);
}

void trod_timing_engine_init(struct core_engine *out,
    const struct trod_timing_machine *machine, const struct trod_timing_design *design,
    struct trod_arena *mem)
{
    uint32_t ring = trod_timing_engine_ring(machine);

    *out = (struct core_engine){.machine = machine,
        .sum.design = design,
        .width = machine->width,
        .rob = machine->rob,
        .lsq = machine->lsq,
        .ifq = machine->ifq};
    out->commit_of_rob = trod_new(mem, uint64_t, machine->rob);
    out->commit_of_lsq = trod_new(mem, uint64_t, machine->lsq);
    out->dispatch_of_ifq = trod_new(mem, uint64_t, machine->ifq);
    out->free_of_queue = trod_new(mem, uint64_t, (size_t)design->queue + 1);
    out->complete_of_store = trod_new(mem, uint64_t, (size_t)ring + 2);
    out->time_of_line = trod_new(mem, uint64_t, (size_t)ring + 2);
    for (unsigned i = 0; i < TROD_TIMING_POOLS; i++)
        out->empty += (FULL - machine->units[i]) * one_of(i);
    out->empty += (FULL - machine->width) * one_of(ISSUE);
    out->calendar = trod_new(mem, uint64_t, CYCLES);
    for (size_t i = 0; i < CYCLES; i++)
        out->calendar[i] = out->empty;
}

void trod_timing_op_fill(struct core_op *out, const struct trod_insn *insn,
    const struct trod_timing_machine *machine)
{
    static const uint8_t pool_of_class[TROD_INSN_CLASSES] = {
        [TROD_INSN_ALU] = TROD_TIMING_ALU,
        [TROD_INSN_MULTIPLY] = TROD_TIMING_MULTIPLY,
        [TROD_INSN_DIVIDE] = TROD_TIMING_MULTIPLY,
        [TROD_INSN_FLOAT] = TROD_TIMING_FLOAT,
        [TROD_INSN_FLOAT_MULTIPLY] = TROD_TIMING_FLOAT_MULTIPLY,
        [TROD_INSN_FLOAT_DIVIDE] = TROD_TIMING_FLOAT_MULTIPLY,
        [TROD_INSN_BRANCH] = TROD_TIMING_ALU,
        [TROD_INSN_NOTHING] = TROD_TIMING_POOLS,
        [TROD_INSN_SYSTEM] = TROD_TIMING_ALU};
    uint8_t class =
        insn->insn_class < TROD_INSN_CLASSES ? insn->insn_class : TROD_INSN_ALU;

    *out = (struct core_op){.pool = pool_of_class[class],
        .class = class,
        .latency = (uint16_t)machine->latency[class],
        .busy = (uint16_t)machine->busy[class],
        .guard = guard_of(pool_of_class[class]) | guard_of(ISSUE),
        .take = one_of(pool_of_class[class]) + one_of(ISSUE),
        .nload = insn->nload,
        .nstore = insn->nstore};
    for (int i = 0; i < TROD_INSN_SOURCES; i++)
        if (insn->source[i])
            out->source[out->nsource++] = insn->source[i];
    for (int i = 0; i < TROD_INSN_TARGETS; i++)
        if (insn->target[i])
            out->target[out->ntarget++] = insn->target[i];
}

/* Everything is inlined into one loop. */
#define ALWAYS static inline __attribute__((always_inline))

/* --- one instruction ---------------------------------------------------------------------------------------------- */

/* Unpredictable conditions are computed without branches: that is faster on the host. */
ALWAYS uint64_t step_fetch(
    const struct core_engine *e, struct core_now *n, uint32_t delay)
{
    uint64_t at = n->fetch + (n->nfetch == e->width) + delay;

    at = latest(at, e->dispatch_of_ifq[n->at_ifq]);
    n->nfetch = at == n->fetch ? n->nfetch + 1 : 1;
    n->fetch = at;
    return at;
}

/* In program order, at most width per cycle. */
ALWAYS uint64_t in_order(uint64_t *last, uint32_t *count, uint64_t at, uint32_t width)
{
    at = latest(at, *last + (*count == width));
    *count = at == *last ? *count + 1 : 1;
    *last = at;
    return at;
}

static inline uint32_t next_of(uint32_t at, uint32_t size)
{
    return at + 1 == size ? 0 : at + 1;
}

ALWAYS uint64_t step_dispatch(
    struct core_engine *e, struct core_now *n, uint64_t fetched, uint32_t naccess)
{
    uint64_t at = latest(fetched + 1, e->commit_of_rob[n->at_rob]),
             before = n->dispatch;
    uint32_t lsq = e->lsq;

    if (naccess) {
        uint32_t place = n->at_lsq;

        for (uint32_t i = 0; i < naccess && i < lsq; i++) {
            at = latest(at, e->commit_of_lsq[place]);
            place = next_of(place, lsq);
        }
    }
    at = in_order(&n->dispatch, &n->ndispatch, at, e->width);
    turn_to(e, before, at);
    e->dispatch_of_ifq[n->at_ifq] = at;
    n->at_ifq = next_of(n->at_ifq, e->ifq);
    return at;
}

ALWAYS uint64_t step_load(struct core_engine *e, uint64_t now,
    const struct core_lookup *lookup, uint64_t ready)
{
    uint64_t at = latest(ready, e->complete_of_store[lookup->store]), data;

    at = take_slot(e, now, at, guard_of(TROD_TIMING_PORT) | guard_of(ISSUE),
        one_of(TROD_TIMING_PORT) + one_of(ISSUE));
    if (e->used)
        e->used(e->ctx, at);
    data = latest(at + lookup->latency, e->time_of_line[lookup->wait]);
    e->time_of_line[lookup->brings] = data;
    return data;
}

ALWAYS uint64_t step_execute(struct core_engine *e, const struct core_now *n,
    const struct core_op *op, uint64_t dispatched, uint32_t nload,
    const struct core_lookup *lookup)
{
    uint64_t ready = dispatched + 1, data;

    /* Register 0 is always ready. */
    ready = latest(ready, e->ready[op->source[0]]);
    ready = latest(ready, e->ready[op->source[1]]);
    for (uint32_t i = 2; i < op->nsource; i++)
        ready = latest(ready, e->ready[op->source[i]]);
    if (op->class == TROD_INSN_SYSTEM)
        ready = latest(ready, n->commit);
    data = ready;
    for (uint32_t i = 0; i < nload; i++)
        data = latest(data, step_load(e, dispatched, &lookup[i], ready));
    if (op->pool == TROD_TIMING_POOLS)
        return nload ? data : dispatched + 1;
    if (op->busy == 1)
        data = take_slot(e, dispatched, data, op->guard, op->take);
    else
        data = take_long(e, dispatched, data, op->pool, op->busy);
    data += op->latency;
    for (uint32_t i = 0; i < op->ntarget; i++)
        e->ready[op->target[i]] = data;
    return data;
}

/* A place in the queue for a branch that could commit at this cycle. */
static uint64_t step_queue(struct core_engine *e, uint64_t at)
{
    uint64_t room = e->free_of_queue[e->at_queue];

    e->sum.nbranch++;
    if (room <= at)
        return at;
    e->sum.nstall++;
    e->sum.stall += room - at;
    return room;
}

static void step_serve(struct core_engine *e, uint64_t committed, uint32_t service)
{
    const struct trod_timing_design *design = e->sum.design;
    uint64_t begins = latest(committed + 1, e->served);

    e->served = begins + (design->pipelined ? 1 : service);
    e->free_of_queue[e->at_queue] = begins + (design->freed_at_end ? service : 0);
    e->at_queue = next_of(e->at_queue, design->queue);
    e->sum.service += service;
}

ALWAYS void step_commit(struct core_engine *e, struct core_now *n, uint64_t completed,
    uint32_t nload, uint32_t nstore, const struct core_lookup *lookup, uint32_t service)
{
    uint64_t at = latest(completed + 1, n->commit);

    if (service) {
        if (at == n->commit && n->ncommit == e->width)
            at++;
        at = step_queue(e, at);
    }
    at = in_order(&n->commit, &n->ncommit, at, e->width);
    if (nstore) {
        lookup += nload;
        for (uint32_t i = 0; i < nstore; i++) {
            at = take_slot(e, n->dispatch, at, guard_of(TROD_TIMING_PORT),
                one_of(TROD_TIMING_PORT));
            if (e->used)
                e->used(e->ctx, at);
            e->time_of_line[lookup[i].brings] = at + lookup[i].latency;
        }
        if (at != n->commit) {
            n->commit = at;
            n->ncommit = 1;
        }
    }
    if (service)
        step_serve(e, at, service);
    e->commit_of_rob[n->at_rob] = at;
    n->at_rob = next_of(n->at_rob, e->rob);
    for (uint32_t i = 0; i < nload + nstore; i++) {
        e->commit_of_lsq[n->at_lsq] = at;
        n->at_lsq = next_of(n->at_lsq, e->lsq);
    }
}

ALWAYS void step(struct core_engine *e, struct core_now *n, const struct core_op *op,
    uint32_t delay, uint32_t nload, uint32_t nstore, const struct core_lookup *lookup,
    uint32_t service)
{
    uint64_t fetched = step_fetch(e, n, delay);
    uint64_t dispatched = step_dispatch(e, n, fetched, nload + nstore);
    uint64_t completed = step_execute(e, n, op, dispatched, nload, lookup);

    for (uint32_t i = nload; i < nload + nstore; i++)
        e->complete_of_store[lookup[i].store] = completed;
    if (nstore)
        e->complete_of_store[0] = 0; /* stores without an address use it */
    step_commit(e, n, completed, nload, nstore, lookup, service);
    n->dispatched = dispatched;
    n->completed = completed;
}

/* --- one run -------------------------------------------------------------------------------------------------------- */

static void inject(struct core_engine *e, const struct trod_timing_injected *injected,
    const struct core_lookup *hits)
{
    uint32_t bubble = e->sum.design->bubble;

    for (uint32_t i = 0; i < injected->count; i++) {
        struct core_op op;

        trod_timing_op_fill(&op, &injected->insn[i], e->machine);
        step(e, &e->now, &op, i ? 0 : bubble, op.nload, op.nstore, hits, 0);
    }
    e->sum.ninjected += injected->count;
}

static void run_injected(struct core_engine *e, const struct core_block *b)
{
    const struct trod_timing_injected *in = b->injected, *end = in + b->ninjected;
    const struct core_lookup *lookup = b->lookup;
    uint64_t completed = 0, dispatched = 0;

    for (uint32_t i = 0; i < b->nop; i++) {
        uint32_t nload = b->naccess[i] & UINT16_MAX, nstore = b->naccess[i] >> 16;

        for (; in < end && (in->at < i || (in->at == i && !in->behind)); in++)
            inject(e, in, b->hits);
        step(e, &e->now, &b->op[i], b->delay ? b->delay[i] : 0, nload, nstore, lookup,
            i + 1 == b->nop ? b->service : 0);
        lookup += nload + nstore;
        completed = e->now.completed;
        dispatched = e->now.dispatched;
        for (; in < end && in->at == i; in++)
            inject(e, in, b->hits);
    }
    /* Later instructions wait for the branch. */
    e->now.completed = completed;
    e->now.dispatched = dispatched;
}

static void run_plain(struct core_engine *e, const struct core_block *b)
{
    const struct core_lookup *lookup = b->lookup;
    struct core_now now = e->now;

    for (uint32_t i = 0; i < b->nop; i++) {
        uint32_t delay = b->delay ? b->delay[i] : 0, naccess = b->naccess[i];
        uint32_t service = i + 1 == b->nop ? b->service : 0;

        if (!naccess) {
            step(e, &now, &b->op[i], delay, 0, 0, lookup, service);
            continue;
        }
        step(e, &now, &b->op[i], delay, naccess & UINT16_MAX, naccess >> 16, lookup,
            service);
        lookup += (naccess & UINT16_MAX) + (naccess >> 16);
    }
    e->now = now;
}

static void fetch_not_before(struct core_now *n, uint64_t cycle)
{
    if (n->fetch >= cycle)
        return;
    n->fetch = cycle;
    n->nfetch = 0;
}

void trod_timing_engine_run(struct core_engine *e, const struct core_block *block)
{
    if (block->first)
        fetch_not_before(&e->now, e->now.commit + 1);
    if (block->ninjected)
        run_injected(e, block);
    else
        run_plain(e, block);
    if (block->taken)
        e->now.nfetch = e->width;
    if (block->fetch_on_completion)
        fetch_not_before(&e->now, e->now.completed + e->machine->penalty);
    else if (block->fetch_on_dispatch)
        fetch_not_before(&e->now, e->now.dispatched + 1);
    e->sum.cycles = e->now.commit + 1;
}
