/* The times, events and power of the core compared with those of a plain model, in which each time considers all earlier
 * instructions.
 */
#include "timing_plain.h"

enum fault {
    NONE,
    FEW,      /* as if the reorder buffer had one place less */
    EAGER,    /* loads do not wait for stores */
    RUSHED,   /* nor for lines */
    UNBROKEN, /* taken branches do not end a cycle of fetches */
    KIND,     /* mispredictions cost nothing */
    DEEP,     /* the queue has one place more */
    SLOW,     /* a pipelined profiler is not */
    LATE,     /* places are free when service is over */
    IDLE,     /* units that are busy take another */
    SMOOTH    /* no bubble */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* --- times -------------------------------------------------------------------------------------- */

enum { MOST_STEPS = 600, MOST_CYCLES = 60000, MOST_ACCESSES = 2000 };

/* All times of all instructions. */
struct plain_time {
    const struct trod_timing_machine *m;
    const struct trod_timing_design *design;
    uint64_t high;       /* no cycle from here on is used */
    uint64_t not_before; /* fetch */
    uint64_t begins[MOST_RUNS];
    uint64_t ready[TROD_INSN_REGISTERS + 1];
    uint64_t commit_of_access[MOST_ACCESSES];
    uint64_t fill[MOST_ACCESSES]; /* by miss */
    struct {
        uint64_t fetch, dispatch, complete, commit;
    } at[MOST_STEPS];
    uint64_t store_of_granule[4096][2]; /* granule, completed */
    uint32_t n, naccess, nstore, nserved;
    uint32_t service[MOST_RUNS];
    enum fault fault;
    bool broken;                                      /* a taken branch was last */
    uint8_t used[MOST_CYCLES][TROD_TIMING_POOLS + 1]; /* the last: places to issue */
};

static uint64_t later(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t find_unit(struct plain_time *t, uint64_t from, int pool, uint32_t busy)
{
    uint32_t n = t->m->units[pool];

    if (t->fault == IDLE)
        busy = 1;
    for (uint64_t c = from;; c++) {
        bool free = t->used[c][TROD_TIMING_POOLS] < t->m->width;

        for (uint32_t i = 0; i < busy; i++)
            free = free && t->used[c + i][pool] < n;
        if (!free)
            continue;
        t->used[c][TROD_TIMING_POOLS]++;
        for (uint32_t i = 0; i < busy; i++)
            t->used[c + i][pool]++;
        t->high = later(t->high, c + busy);
        return c;
    }
}

static uint64_t plain_fetch(struct plain_time *t, uint32_t delay)
{
    uint32_t i = t->n, same = 0;
    uint64_t at = i ? t->at[i - 1].fetch : 0;

    if (t->broken && t->fault != UNBROKEN && i)
        at++;
    while (same < i && t->at[i - 1 - same].fetch == at)
        same++;
    if (same == t->m->width)
        at++;
    at = later(at, t->not_before) + delay;
    if (i >= t->m->ifq)
        at = later(at, t->at[i - t->m->ifq].dispatch);
    t->broken = false;
    return at;
}

static uint64_t plain_dispatch(struct plain_time *t, uint64_t fetched, uint32_t naccess)
{
    uint32_t i = t->n, same = 0, rob = t->m->rob - (t->fault == FEW && t->m->rob > 1);
    uint64_t at = fetched + 1;

    if (i)
        at = later(at, t->at[i - 1].dispatch);
    if (i >= rob)
        at = later(at, t->at[i - rob].commit);
    for (uint32_t a = t->naccess; a < t->naccess + naccess; a++)
        if (a >= t->m->lsq && a - t->m->lsq < t->naccess)
            at = later(at, t->commit_of_access[a - t->m->lsq]);
    while (same < i && t->at[i - 1 - same].dispatch == at)
        same++;
    return same == t->m->width ? at + 1 : at;
}

/* A piece of an access in one line. */
struct piece {
    uint64_t address, fill;
    uint32_t latency;
    bool store, missed;
};

static uint64_t plain_load(
    struct plain_time *t, const struct piece *piece, uint64_t ready)
{
    uint64_t at, data, stored = 0;

    /* The last of them counts. */
    for (uint32_t k = 0; k < t->nstore && t->fault != EAGER; k++)
        if (t->store_of_granule[k][0] == piece->address / 8)
            stored = t->store_of_granule[k][1];
    ready = later(ready, stored);
    at = find_unit(t, ready, TROD_TIMING_PORT, 1);
    data = at + piece->latency;
    if (piece->missed)
        t->fill[piece->fill] = data;
    else if (piece->fill && t->fault != RUSHED)
        data = later(data, t->fill[piece->fill]);
    return data;
}

static uint64_t plain_execute(struct plain_time *t, const struct trod_insn *insn,
    uint64_t dispatched, const struct piece *piece, uint32_t npiece)
{
    static const int pool[] = {TROD_TIMING_ALU, TROD_TIMING_MULTIPLY,
        TROD_TIMING_MULTIPLY, TROD_TIMING_FLOAT, TROD_TIMING_FLOAT_MULTIPLY,
        TROD_TIMING_FLOAT_MULTIPLY, TROD_TIMING_ALU, -1, TROD_TIMING_ALU};
    uint64_t ready = dispatched + 1, data;

    for (int i = 0; i < TROD_INSN_SOURCES; i++)
        if (insn->source[i])
            ready = later(ready, t->ready[insn->source[i]]);
    if (insn->insn_class == TROD_INSN_SYSTEM && t->n)
        ready = later(ready, t->at[t->n - 1].commit);
    data = ready;
    for (uint32_t i = 0; i < npiece; i++)
        if (!piece[i].store)
            data = later(data, plain_load(t, &piece[i], ready));
    if (pool[insn->insn_class] < 0)
        return npiece && !piece[0].store ? data : dispatched + 1;
    data = find_unit(t, data, pool[insn->insn_class], t->m->busy[insn->insn_class]) +
           t->m->latency[insn->insn_class];
    for (int i = 0; i < TROD_INSN_TARGETS; i++)
        if (insn->target[i])
            t->ready[insn->target[i]] = data;
    return data;
}

static uint64_t plain_commit(struct plain_time *t, uint64_t completed,
    const struct piece *piece, uint32_t npiece, uint32_t service)
{
    uint32_t i = t->n, same = 0, q = t->design->queue + (t->fault == DEEP);
    uint64_t at = later(completed + 1, i ? t->at[i - 1].commit : 0);
    bool at_end = t->design->freed_at_end || t->fault == LATE;

    if (service && t->nserved >= q)
        at = later(
            at, t->begins[t->nserved - q] + (at_end ? t->service[t->nserved - q] : 0));
    while (same < i && t->at[i - 1 - same].commit == at)
        same++;
    at += same == t->m->width;
    for (uint32_t k = 0; k < npiece; k++) {
        if (!piece[k].store)
            continue;
        while (t->used[at][TROD_TIMING_PORT] == t->m->units[TROD_TIMING_PORT])
            at++;
        t->used[at][TROD_TIMING_PORT]++;
        t->high = later(t->high, at + 1);
        if (piece[k].missed)
            t->fill[piece[k].fill] = at + piece[k].latency;
        t->store_of_granule[t->nstore][0] = piece[k].address / 8;
        t->store_of_granule[t->nstore++][1] = completed;
    }
    if (service) {
        bool one = t->design->pipelined && t->fault != SLOW;
        uint64_t begins = at + 1;

        if (t->nserved)
            begins = later(begins,
                t->begins[t->nserved - 1] + (one ? 1 : t->service[t->nserved - 1]));
        t->begins[t->nserved] = begins;
        t->service[t->nserved++] = service;
    }
    return at;
}

static void plain_step(struct plain_time *t, const struct trod_insn *insn,
    uint32_t delay, const struct piece *piece, uint32_t npiece, uint32_t service)
{
    uint64_t fetched = plain_fetch(t, delay), dispatched, completed, committed;

    dispatched = plain_dispatch(t, fetched, npiece);
    completed = plain_execute(t, insn, dispatched, piece, npiece);
    committed = plain_commit(t, completed, piece, npiece, service);
    for (uint32_t k = 0; k < npiece; k++)
        t->commit_of_access[t->naccess++] = committed;
    t->at[t->n].fetch = fetched;
    t->at[t->n].dispatch = dispatched;
    t->at[t->n].complete = completed;
    t->at[t->n++].commit = committed;
}

/* --- all together --------------------------------------------------------------------------------- */

struct plain_core {
    struct plain_cache l1i, l1d, l2;
    struct plain_predict predict;
    struct trod_timing_events events;
    struct trod_timing_costs costs;
};

static uint32_t plain_behind(
    struct plain_core *c, const struct trod_timing_machine *m, uint64_t address)
{
    uint64_t gone, fill;

    c->events.nl2++;
    c->events.power += c->costs.l2;
    if (plain_look(&c->l2, address, false, &gone, &fill))
        return m->l2.latency;
    c->events.nl2_miss++;
    c->events.nback += gone > 0;
    c->events.power += c->costs.l2 + (1 + (gone > 0)) * c->costs.memory;
    return m->l2.latency + m->memory;
}

static void plain_data(struct plain_core *c, const struct trod_timing_machine *m,
    struct piece *piece, uint64_t address, bool store)
{
    uint64_t gone;

    *piece =
        (struct piece){.address = address, .store = store, .latency = m->l1d.latency};
    c->events.nl1d++;
    c->events.power += c->costs.l1d;
    if (plain_look(&c->l1d, address, store, &gone, &piece->fill))
        return;
    piece->missed = true;
    c->events.nl1d_miss++;
    c->events.power += c->costs.l1d;
    if (gone) {
        c->events.nback++;
        c->events.power += c->costs.l2;
        if (!plain_put_back(&c->l2, (gone - 1) * m->l1d.line))
            c->events.power += c->costs.memory;
    }
    piece->latency += plain_behind(c, m, address);
}

/* Loads of an instruction come before its stores. */
static uint32_t plain_pieces(struct plain_core *c, const struct trod_timing_machine *m,
    const struct trod_run *run, uint32_t insn, struct piece *out)
{
    uint32_t n = 0;

    for (int store = 0; store < 2; store++) {
        for (uint32_t i = 0; i < run->naccess; i++) {
            const struct trod_access *a = &run->access[i];
            uint64_t last = a->address + a->size - 1;

            if (a->insn != insn || a->store != store)
                continue;
            for (uint64_t l = a->address / m->l1d.line; l <= last / m->l1d.line; l++)
                plain_data(c, m, &out[n++],
                    l == a->address / m->l1d.line ? a->address : l * m->l1d.line,
                    store);
        }
        if (run->naccess)
            continue;
        for (int i = 0;
            i < (store ? run->code->insn[insn].nstore : run->code->insn[insn].nload);
            i++) {
            /* No address is known: no one stores there or loads. */
            out[n++] =
                (struct piece){.address = UINT64_MAX - 8 * (uint64_t)c->events.nunseen,
                    .latency = m->l1d.latency,
                    .store = store};
            c->events.nl1d++;
            c->events.nunseen++;
            c->events.power += c->costs.l1d;
        }
    }
    return n;
}

static void plain_inject(struct plain_time *t, const struct trod_timing_injected *what)
{
    for (uint32_t i = 0; i < what->count; i++) {
        struct piece piece[2];
        uint32_t n = 0;

        for (int k = 0; k < what->insn[i].nload + what->insn[i].nstore; k++)
            piece[n++] =
                (struct piece){.address = 8 * (UINT64_C(1) << 50) -
                                          8 * (uint64_t)t->naccess - 8 * (uint64_t)k,
                    .latency = t->m->l1d.latency,
                    .store = k >= what->insn[i].nload};
        plain_step(t, &what->insn[i], i || t->fault == SMOOTH ? 0 : t->design->bubble,
            piece, n, 0);
    }
}

/* The lines of code that an instruction is the first to need. */
static uint32_t plain_delay(struct plain_core *c, const struct trod_timing_machine *m,
    const struct trod_code *code, uint32_t insn)
{
    uint64_t line = m->l1i.line, gone, fill;
    const struct trod_insn *i = &code->insn[insn];
    uint64_t first = insn ? (i->pc - 1) / line + 1 : i->pc / line;
    uint32_t delay = 0;

    for (uint64_t l = first; l <= (i->pc + i->size - 1) / line; l++) {
        c->events.nl1i++;
        c->events.power += c->costs.l1i;
        if (plain_look(&c->l1i, l * line, false, &gone, &fill))
            continue;
        c->events.nl1i_miss++;
        c->events.power += c->costs.l1i;
        delay += plain_behind(c, m, l * line);
    }
    return delay;
}

static void plain_run(struct plain_time *t, const struct trod_run *run,
    const uint32_t *delay, struct piece (*piece)[8], const uint32_t *npiece,
    enum trod_timing_outcome outcome)
{
    const struct trod_code *code = run->code;
    const struct trod_timing_injected *what = t->design->ctx;
    bool wanted = t->design->inject && what->at < code->ninsn;
    uint32_t branch = 0;

    for (uint32_t i = 0; i < code->ninsn; i++) {
        bool last = i + 1 == code->ninsn && code->kind != TROD_BRANCH_NONE;

        if (wanted && what->at == i && !what->behind)
            plain_inject(t, what);
        branch = t->n;
        plain_step(t, &code->insn[i], delay[i], piece[i], npiece[i],
            last && t->design->queue ? serve(t->design->ctx, run, NULL) : 0);
        if (wanted && what->at == i && what->behind)
            plain_inject(t, what);
    }
    t->broken = run->taken && code->kind != TROD_BRANCH_NONE;
    if (t->fault == KIND)
        return;
    if (outcome == TROD_TIMING_MISPREDICTED || run->odd)
        t->not_before = later(t->not_before, t->at[branch].complete + t->m->penalty);
    else if (outcome == TROD_TIMING_MISFETCHED)
        t->not_before = later(t->not_before, t->at[branch].dispatch + 1);
}

/* Most of it was not used. */
static void plain_clear(struct plain_time *t)
{
    memset(t->used, 0, t->high * sizeof *t->used);
    memset(t->ready, 0, sizeof t->ready);
    t->high = t->not_before = 0;
    t->n = t->naccess = t->nstore = t->nserved = 0;
    t->broken = false;
}

static void plain_all(struct plain_time *time, struct trod_timing_events *events,
    const struct scene *s, enum fault fault)
{
    const struct trod_timing_machine *m = &s->machine;
    static struct plain_core c;

    memset(&c, 0, sizeof c);
    c.l1i.how = m->l1i;
    c.l1d.how = m->l1d;
    c.l2.how = m->l2;
    trod_timing_costs_fill(&c.costs, m);
    plain_predict_init(&c.predict, &m->prediction, SOUND);
    for (uint32_t i = 0; i < DESIGNS; i++) {
        plain_clear(&time[i]);
        time[i].m = m;
        time[i].design = &s->design[i];
        time[i].fault = fault;
    }
    for (uint32_t r = 0; r < s->nrun; r++) {
        const struct trod_run *run = &s->run[r];
        uint32_t delay[MOST_INSN], npiece[MOST_INSN];
        struct piece piece[MOST_INSN][8];
        enum trod_timing_outcome outcome;

        for (uint32_t i = 0; i < run->code->ninsn; i++)
            delay[i] = plain_delay(&c, m, run->code, i);
        for (uint32_t i = 0; i < run->code->ninsn; i++)
            npiece[i] = plain_pieces(&c, m, run, i, piece[i]);
        outcome = plain_outcome(&c.predict, run);
        c.events.nmispredict += outcome == TROD_TIMING_MISPREDICTED;
        c.events.nmisfetch += outcome == TROD_TIMING_MISFETCHED;
        for (uint32_t i = 0; i < DESIGNS; i++) {
            struct plain_time *t = &time[i];

            if (r && run->thread != s->run[r - 1].thread)
                t->not_before = later(t->not_before, t->at[t->n - 1].commit + 1);
            plain_run(t, run, delay, piece, npiece, outcome);
        }
    }
    *events = c.events;
}

static bool events_agree(struct kit_prop *p, const struct trod_timing_events *got,
    const struct trod_timing_events *should)
{
#define SAME(field) \
    (got->field == should->field || wrong(p, #field, got->field, should->field))
    return SAME(nl1i) && SAME(nl1i_miss) && SAME(nl1d) && SAME(nl1d_miss) &&
           SAME(nl2) && SAME(nl2_miss) && SAME(nback) && SAME(nunseen) &&
           SAME(nmispredict) && SAME(nmisfetch) && SAME(power);
#undef SAME
}

static void ignore(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    (void)ctx;
    (void)run;
    (void)events;
}

/* Of figure 5.5: accesses in one cycle share the cost of one. */
static uint64_t plain_power(
    const struct plain_time *t, const struct trod_timing_events *events)
{
    struct trod_timing_costs cost;
    uint64_t power;

    trod_timing_costs_fill(&cost, t->m);
    power = events->power - events->nl1d * cost.l1d;
    for (uint64_t c = 0; c < t->high; c++) {
        uint64_t n = t->used[c][TROD_TIMING_PORT];

        power += n ? cost.l1d / n * n : 0;
    }
    return power;
}

static void draw_small(struct trod_timing_machine *m)
{
    /* The plain model keeps 64 lines. */
    m->prediction.bimodal = m->prediction.bimodal < 64 ? m->prediction.bimodal : 64;
}

static bool times_agree(struct kit_prop *p, void *ctx)
{
    static struct scene s;
    static struct plain_time time[DESIGNS];
    struct trod_timing_cycles cycles[DESIGNS];
    struct trod_timing_events should;
    struct trod_timing *core;
    struct sample sample;
    uint64_t power;

    begin(&sample);
    draw_scene(&s, p);
    if (s.machine.l1i.size)
        draw_small(&s.machine);
    if (!trod_timing_machine_check(&s.machine, &sample.err)) {
        kit_note(p, "%s", sample.err.text);
        return end(&sample, false);
    }
    core = trod_timing_build(&s.machine, s.design, DESIGNS, &sample.mem);
    trod_timing_when_final(core, ignore, NULL);
    for (uint32_t i = 0; i < s.nrun; i++)
        trod_timing_take(core, &s.run[i]);
    trod_timing_end(core);
    trod_timing_cycles_of(cycles, core);
    plain_all(time, &should, &s, fault_in(ctx));
    if (!events_agree(p, trod_timing_events_of(core), &should))
        return end(&sample, false);
    for (uint32_t i = 0; i < DESIGNS; i++) {
        uint64_t last = time[i].n ? time[i].at[time[i].n - 1].commit + 1 : 0;

        if (cycles[i].cycles != last) {
            kit_note(p, "design %" PRIu32, i);
            return end(&sample, wrong(p, "cycles", cycles[i].cycles, last));
        }
    }
    power = plain_power(&time[0], &should);
    if (trod_timing_events_of(core)->cycle_power != power)
        return end(&sample, wrong(p, "power by the cycle",
                                trod_timing_events_of(core)->cycle_power, power));
    return end(&sample, true);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"times are those of a plain model", times_agree,
            {FEW, EAGER, RUSHED, UNBROKEN, KIND, IDLE}},
        {"designs have the times of a plain model", times_agree,
            {DEEP, SLOW, LATE, SMOOTH}},
    };

    return kit_run_tested("core", tested, sizeof tested / sizeof *tested);
}
