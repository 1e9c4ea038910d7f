#include "core/engine.h"

enum { FIELD = 6, FULL = 1 << (FIELD - 1), ISSUE = TROD_CORE_POOLS, TAG = 36 };

/* --- the calendar ---------------------------------------------------------------------------------------- */

static uint64_t one_of(unsigned pool)
{
    return UINT64_C(1) << FIELD * pool;
}

static uint64_t guard_of(unsigned pool)
{
    return FULL * one_of(pool);
}

/* A tag is of 28 bits. */
static inline uint64_t tag_of(const struct core_engine *e, uint64_t cycle)
{
    return cycle >> e->calendar_bits << TAG;
}

/* The entry of a cycle, new if that was not used. NULL: it is of a later cycle, a whole calendar away; nothing is
 * known of this one, and it is taken to be free.
 */
static inline uint64_t *entry_of(struct core_engine *e, uint64_t cycle)
{
    uint64_t *entry = &e->calendar[cycle & e->calendar_mask];
    int64_t ahead = (int64_t)((*entry >> TAG << TAG) - tag_of(e, cycle));

    if (__builtin_expect(ahead != 0, 0)) {
        if (ahead > 0)
            return NULL;
        *entry = tag_of(e, cycle) | e->empty;
    }
    return entry;
}

/* The first cycle where none of the guards is set. */
static inline uint64_t take_slot(
    struct core_engine *e, uint64_t cycle, uint64_t guard, uint64_t take)
{
    for (;; cycle++) {
        uint64_t *entry = entry_of(e, cycle);

        if (!entry)
            return cycle;
        if (!(*entry & guard)) {
            *entry += take;
            return cycle;
        }
    }
}

/* The first cycle with a place to issue and a unit that is free for so long. */
static uint64_t take_long(
    struct core_engine *e, uint64_t cycle, unsigned pool, uint32_t busy)
{
    for (uint64_t last;; cycle = last + 1) {
        uint64_t *entry = entry_of(e, cycle);

        last = cycle;
        if (entry && (*entry & guard_of(ISSUE)))
            continue;
        while (last < cycle + busy) {
            entry = entry_of(e, last);
            if (entry && (*entry & guard_of(pool)))
                break;
            last++;
        }
        if (last == cycle + busy)
            break;
    }
    for (uint32_t i = 0; i < busy; i++) {
        uint64_t *entry = entry_of(e, cycle + i);

        if (entry)
            *entry += one_of(pool) + (i ? 0 : one_of(ISSUE));
    }
    return cycle;
}

uint32_t trod_core_engine_ports(const struct core_engine *e, uint64_t cycle)
{
    uint64_t entry = e->calendar[cycle & e->calendar_mask];

    if (entry >> TAG << TAG != tag_of(e, cycle))
        return 0;
    return (uint32_t)((entry - (e->empty & (one_of(ISSUE) - 1))) >>
                      FIELD * TROD_CORE_PORT) %
           (1 << FIELD);
}

/* --- building ------------------------------------------------------------------------------------------------ */

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Cycles from the oldest in the reorder buffer to the youngest: each may wait for the one before it. */
static uint32_t calendar_bits(const struct trod_core_machine *m)
{
    uint64_t longest = 0;

    for (int i = 0; i < TROD_INSN_CLASSES; i++)
        longest = latest(longest, m->latency[i] + m->busy[i]);
    longest += m->l1d.latency + m->l2.latency + m->memory;
    return trod_bit_width(longest * m->rob < 1 << 20 ? longest * m->rob : 1 << 20);
}

uint32_t trod_core_engine_ring(const struct trod_core_machine *machine)
{
    return UINT32_C(1) << trod_bit_width(4 * (uint64_t)machine->lsq);
}

void trod_core_engine_init(struct core_engine *out,
    const struct trod_core_machine *machine, const struct trod_core_design *design,
    struct trod_arena *mem)
{
    uint32_t ring = trod_core_engine_ring(machine);

    *out = (struct core_engine){.machine = machine,
        .sum.design = design,
        .mask = ring - 1,
        .width = machine->width,
        .rob = machine->rob,
        .lsq = machine->lsq,
        .ifq = machine->ifq,
        .calendar_bits = calendar_bits(machine)};
    out->commit_of_rob = trod_new(mem, uint64_t, machine->rob);
    out->commit_of_lsq = trod_new(mem, uint64_t, machine->lsq);
    out->dispatch_of_ifq = trod_new(mem, uint64_t, machine->ifq);
    out->free_of_queue = trod_new(mem, uint64_t, (size_t)design->queue + 1);
    out->complete_of_store = trod_new(mem, uint64_t, ring);
    out->time_of_fill = trod_new(mem, uint64_t, ring);
    for (unsigned i = 0; i < TROD_CORE_POOLS; i++)
        out->empty += (FULL - machine->units[i]) * one_of(i);
    out->empty += (FULL - machine->width) * one_of(ISSUE);
    out->calendar_mask = (UINT64_C(1) << out->calendar_bits) - 1;
    out->calendar = trod_new(mem, uint64_t, (size_t)out->calendar_mask + 1);
    for (uint64_t i = 0; i <= out->calendar_mask; i++)
        out->calendar[i] = out->empty;
}

void trod_core_op_fill(struct core_op *out, const struct trod_insn *insn,
    const struct trod_core_machine *machine)
{
    static const uint8_t pool_of_class[TROD_INSN_CLASSES] = {
        [TROD_INSN_ALU] = TROD_CORE_ALU,
        [TROD_INSN_MULTIPLY] = TROD_CORE_MULTIPLY,
        [TROD_INSN_DIVIDE] = TROD_CORE_MULTIPLY,
        [TROD_INSN_FLOAT] = TROD_CORE_FLOAT,
        [TROD_INSN_FLOAT_MULTIPLY] = TROD_CORE_FLOAT_MULTIPLY,
        [TROD_INSN_FLOAT_DIVIDE] = TROD_CORE_FLOAT_MULTIPLY,
        [TROD_INSN_BRANCH] = TROD_CORE_ALU,
        [TROD_INSN_NOTHING] = TROD_CORE_POOLS,
        [TROD_INSN_SYSTEM] = TROD_CORE_ALU};
    uint8_t class = insn->class < TROD_INSN_CLASSES ? insn->class : TROD_INSN_ALU;

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

/* All of it is one loop. */
#define ALWAYS static inline __attribute__((always_inline))

/* --- one instruction ---------------------------------------------------------------------------------------------- */

ALWAYS uint64_t step_fetch(struct core_engine *e, uint32_t delay)
{
    uint64_t at = e->fetch, room = e->dispatch_of_ifq[e->at_ifq];

    if (e->nfetch == e->width) {
        at++;
        e->nfetch = 0;
    }
    if (delay || room > at) {
        at = latest(at + delay, room);
        e->nfetch = 0;
    }
    e->fetch = at;
    e->nfetch++;
    return at;
}

/* In order, so many in a cycle. */
static inline uint64_t in_order(
    uint64_t *last, uint32_t *count, uint64_t at, uint32_t width)
{
    if (at <= *last) {
        at = *last;
        if (*count == width)
            at++;
    }
    if (at != *last) {
        *last = at;
        *count = 0;
    }
    ++*count;
    return at;
}

static inline uint32_t next_of(uint32_t at, uint32_t size)
{
    return at + 1 == size ? 0 : at + 1;
}

ALWAYS uint64_t step_dispatch(struct core_engine *e, uint64_t fetched, uint32_t naccess)
{
    uint64_t at = latest(fetched + 1, e->commit_of_rob[e->at_rob]);
    uint32_t lsq = e->lsq;

    if (naccess) {
        uint32_t place = e->at_lsq;

        for (uint32_t i = 0; i < naccess && i < lsq; i++) {
            at = latest(at, e->commit_of_lsq[place]);
            place = next_of(place, lsq);
        }
    }
    at = in_order(&e->dispatch, &e->ndispatch, at, e->width);
    e->dispatch_of_ifq[e->at_ifq] = at;
    e->at_ifq = next_of(e->at_ifq, e->ifq);
    return at;
}

static inline uint64_t step_load(
    struct core_engine *e, const struct core_met *met, uint64_t ready)
{
    uint64_t at, data;

    if (met->store)
        ready = latest(ready, e->complete_of_store[met->store & e->mask]);
    at = take_slot(e, ready, guard_of(TROD_CORE_PORT) | guard_of(ISSUE),
        one_of(TROD_CORE_PORT) + one_of(ISSUE));
    if (e->used)
        e->used(e->ctx, at);
    data = at + met->latency;
    if (met->missed)
        e->time_of_fill[met->fill & e->mask] = data;
    else if (met->fill)
        data = latest(data, e->time_of_fill[met->fill & e->mask]);
    return data;
}

ALWAYS uint64_t step_execute(struct core_engine *e, const struct core_op *op,
    uint64_t dispatched, uint32_t nload, const struct core_met *met)
{
    uint64_t ready = dispatched + 1, data;

    for (uint32_t i = 0; i < op->nsource; i++)
        ready = latest(ready, e->ready[op->source[i]]);
    if (op->class == TROD_INSN_SYSTEM)
        ready = latest(ready, e->commit);
    data = ready;
    for (uint32_t i = 0; i < nload; i++)
        data = latest(data, step_load(e, &met[i], ready));
    if (op->pool == TROD_CORE_POOLS)
        return dispatched + 1;
    if (op->busy == 1)
        data = take_slot(e, data, op->guard, op->take);
    else
        data = take_long(e, data, op->pool, op->busy);
    data += op->latency;
    for (uint32_t i = 0; i < op->ntarget; i++)
        e->ready[op->target[i]] = data;
    return data;
}

/* A place in the queue for a branch that could commit now. */
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

static void step_serve(struct core_engine *e, uint32_t service)
{
    const struct trod_core_design *design = e->sum.design;
    uint64_t begins = latest(e->commit + 1, e->served);

    e->served = begins + (design->pipelined ? 1 : service);
    e->free_of_queue[e->at_queue] = begins + (design->freed_at_end ? service : 0);
    e->at_queue = next_of(e->at_queue, design->queue);
    e->sum.service += service;
}

ALWAYS void step_commit(struct core_engine *e, uint64_t completed, uint32_t nload,
    uint32_t nstore, const struct core_met *met, uint32_t service)
{
    uint64_t at = latest(completed + 1, e->commit);

    if (service) {
        if (at == e->commit && e->ncommit == e->width)
            at++;
        at = step_queue(e, at);
    }
    at = in_order(&e->commit, &e->ncommit, at, e->width);
    if (nstore) {
        met += nload;
        for (uint32_t i = 0; i < nstore; i++) {
            at = take_slot(e, at, guard_of(TROD_CORE_PORT), one_of(TROD_CORE_PORT));
            if (e->used)
                e->used(e->ctx, at);
            if (met[i].missed)
                e->time_of_fill[met[i].fill & e->mask] = at + met[i].latency;
        }
        if (at != e->commit) {
            e->commit = at;
            e->ncommit = 1;
        }
    }
    if (service)
        step_serve(e, service);
    e->commit_of_rob[e->at_rob] = at;
    e->at_rob = next_of(e->at_rob, e->rob);
    for (uint32_t i = 0; i < nload + nstore; i++) {
        e->commit_of_lsq[e->at_lsq] = at;
        e->at_lsq = next_of(e->at_lsq, e->lsq);
    }
}

ALWAYS void step(struct core_engine *e, const struct core_op *op, uint32_t delay,
    uint32_t nload, uint32_t nstore, const struct core_met *met, uint32_t service)
{
    uint64_t fetched = step_fetch(e, delay);
    uint64_t dispatched = step_dispatch(e, fetched, nload + nstore);
    uint64_t completed = step_execute(e, op, dispatched, nload, met);

    for (uint32_t i = nload; i < nload + nstore; i++)
        if (met[i].store)
            e->complete_of_store[met[i].store & e->mask] = completed;
    step_commit(e, completed, nload, nstore, met, service);
    e->dispatched = dispatched;
    e->completed = completed;
}

/* --- one run -------------------------------------------------------------------------------------------------------- */

static void inject(struct core_engine *e, const struct trod_core_injected *injected,
    const struct core_met *hits)
{
    uint32_t bubble = e->sum.design->bubble;

    for (uint32_t i = 0; i < injected->count; i++) {
        struct core_op op;

        trod_core_op_fill(&op, &injected->insn[i], e->machine);
        step(e, &op, i ? 0 : bubble, op.nload, op.nstore, hits, 0);
    }
    e->sum.ninjected += injected->count;
}

static void run_injected(struct core_engine *e, const struct core_block *b)
{
    const struct trod_core_injected *in = b->injected, *end = in + b->ninjected;
    const struct core_met *met = b->met;
    uint64_t completed = 0, dispatched = 0;

    for (uint32_t i = 0; i < b->nop; i++) {
        for (; in < end && (in->at < i || (in->at == i && !in->behind)); in++)
            inject(e, in, b->hits);
        step(e, &b->op[i], b->delay ? b->delay[i] : 0, b->nload[i], b->nstore[i], met,
            i + 1 == b->nop ? b->service : 0);
        met += b->nload[i] + b->nstore[i];
        completed = e->completed;
        dispatched = e->dispatched;
        for (; in < end && in->at == i; in++)
            inject(e, in, b->hits);
    }
    /* What comes behind waits for the branch. */
    e->completed = completed;
    e->dispatched = dispatched;
}

static void run_plain(struct core_engine *e, const struct core_block *b)
{
    const struct core_met *met = b->met;

    for (uint32_t i = 0; i < b->nop; i++) {
        step(e, &b->op[i], b->delay ? b->delay[i] : 0, b->nload[i], b->nstore[i], met,
            i + 1 == b->nop ? b->service : 0);
        met += b->nload[i] + b->nstore[i];
    }
}

static void fetch_not_before(struct core_engine *e, uint64_t cycle)
{
    if (e->fetch >= cycle)
        return;
    e->fetch = cycle;
    e->nfetch = 0;
}

void trod_core_engine_run(struct core_engine *e, const struct core_block *block)
{
    if (block->first)
        fetch_not_before(e, e->commit + 1);
    if (block->ninjected)
        run_injected(e, block);
    else
        run_plain(e, block);
    if (block->taken)
        e->nfetch = e->width;
    if (block->fetch_on_completion)
        fetch_not_before(e, e->completed + e->machine->penalty);
    else if (block->fetch_on_dispatch)
        fetch_not_before(e, e->dispatched + 1);
    e->sum.cycles = e->commit + 1;
}
