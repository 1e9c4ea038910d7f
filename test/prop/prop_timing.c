/* The model of the core compared with a plain one: caches that record the time of each use,
 * predictors that compute their indices step by step, times that consider all earlier
 * instructions.
 */
#include "scratch.h"

#include <inttypes.h>
#include <string.h>

#include "kit/machine_program.h"
#include "timing/timing.h"

enum fault {
    NONE,
    FIFO,      /* what came first goes first */
    NO_DIRT,   /* stores do not make lines dirty */
    NARROW,    /* a set has one way less */
    WARM,      /* counters begin otherwise */
    NO_META,   /* bimodal is always believed */
    SHORT,     /* histories have a bit less */
    STICKY,    /* targets do not change */
    FORGETFUL, /* the return stack has one place less */
    FEW,       /* as if the reorder buffer had one place less */
    EAGER,     /* loads do not wait for stores */
    RUSHED,    /* nor for lines */
    UNBROKEN,  /* taken branches do not end a cycle of fetches */
    KIND,      /* mispredictions cost nothing */
    DEEP,      /* the queue has one place more */
    SLOW,      /* a pipelined profiler is not */
    LATE,      /* places are free when service is over */
    IDLE,      /* units that are busy take another */
    SMOOTH,    /* no bubble */
    LOST       /* a run is not reported */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what, uint64_t got, uint64_t should)
{
    kit_note(p, "%s: %" PRIu64 ", not %" PRIu64, what, got, should);
    return false;
}

/* --- caches ------------------------------------------------------------------------------------------------- */

enum { MOST_LINES = 64 };

/* All lines there are, in no order. */
struct plain_cache {
    struct trod_timing_cache how;
    struct {
        uint64_t number, used, came, fill;
        bool dirty, full;
    } line[MOST_LINES];
    uint64_t now, nmiss;
    enum fault fault;
};

static uint64_t plain_sets(const struct plain_cache *c)
{
    return c->how.size / c->how.line / c->how.ways;
}

static int plain_find(const struct plain_cache *c, uint64_t number)
{
    for (int i = 0; i < MOST_LINES; i++)
        if (c->line[i].full && c->line[i].number == number)
            return i;
    return -1;
}

/* A place for a line: a free one, or that of the oldest of its set, if the set has all it can have. */
static int plain_place(const struct plain_cache *c, uint64_t number)
{
    uint32_t ways = c->how.ways - (c->fault == NARROW && c->how.ways > 1), n = 0;
    int oldest = -1, empty = -1;

    for (int i = 0; i < MOST_LINES; i++) {
        if (!c->line[i].full) {
            empty = i;
            continue;
        }
        if (c->line[i].number % plain_sets(c) != number % plain_sets(c))
            continue;
        n++;
        if (oldest < 0 || (c->fault == FIFO ? c->line[i].came < c->line[oldest].came
                                            : c->line[i].used < c->line[oldest].used))
            oldest = i;
    }
    return n < ways ? empty : oldest;
}

static bool plain_look(
    struct plain_cache *c, uint64_t address, bool store, uint64_t *gone, uint64_t *fill)
{
    uint64_t number = address / c->how.line;
    int at;

    *gone = *fill = 0;
    if (!c->how.size)
        return true;
    at = plain_find(c, number);
    c->now++;
    store = store && c->fault != NO_DIRT;
    if (at >= 0) {
        c->line[at].used = c->now;
        c->line[at].dirty |= store;
        *fill = c->line[at].fill;
        return true;
    }
    at = plain_place(c, number);
    if (c->line[at].full && c->line[at].dirty)
        *gone = c->line[at].number + 1;
    *fill = ++c->nmiss;
    c->line[at].number = number;
    c->line[at].used = c->line[at].came = c->now;
    c->line[at].fill = *fill;
    c->line[at].dirty = store;
    c->line[at].full = true;
    return false;
}

static bool plain_put_back(struct plain_cache *c, uint64_t address)
{
    int at;

    if (!c->how.size)
        return true;
    at = plain_find(c, address / c->how.line);
    if (at < 0)
        return false;
    c->line[at].dirty = true;
    c->line[at].used = ++c->now;
    return true;
}

/* At most 64 lines. */
static void draw_cache(struct trod_timing_cache *out, struct kit_prop *p)
{
    out->ways = UINT32_C(1) << kit_draw(p, 4);
    out->line = UINT32_C(8) << kit_draw(p, 3);
    out->size = (uint64_t)out->ways * out->line << kit_draw(p, 4);
    out->latency = (uint32_t)(1 + kit_draw(p, 5));
}

static bool caches_agree(struct kit_prop *p, void *ctx)
{
    struct plain_cache plain = {.fault = fault_in(ctx)};
    struct trod_timing_lines lines;
    struct sample s;
    uint64_t count = kit_draw(p, 300);

    begin(&s);
    draw_cache(&plain.how, p);
    trod_timing_lines_init(&lines, &plain.how, &s.mem);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t address = kit_draw(p, 1 << (6 + kit_draw(p, 6))), gone, fill, gone2;
        uint64_t kind = kit_draw(p, 4);
        uint32_t fill2 = 0;

        if (kind == 3) {
            bool there = plain_put_back(&plain, address);

            if (trod_timing_lines_put_back(&lines, address) != there)
                return end(&s, wrong(p, "put back", !there, there));
            continue;
        }
        if (plain_look(&plain, address, kind & 1, &gone, &fill) !=
            trod_timing_lines_look(&lines, address, kind & 1, &gone2, &fill2))
            return end(&s, wrong(p, "hit or miss of access", i, 0));
        if (gone != gone2)
            return end(&s, wrong(p, "line that went", gone2, gone));
        if (fill != fill2)
            return end(&s, wrong(p, "miss that brought it", fill2, fill));
    }
    if (lines.nmiss != plain.nmiss)
        return end(&s, wrong(p, "misses", lines.nmiss, plain.nmiss));
    return end(&s, true);
}

/* --- predictors ------------------------------------------------------------------------------------------------ */

enum { MOST_COUNTERS = 64, MOST_TARGETS = 32, MOST_STACK = 8, THREADS = 2 };

struct plain_predict {
    struct trod_timing_prediction how;
    int bimodal[MOST_COUNTERS], counter[MOST_COUNTERS], meta[MOST_COUNTERS];
    uint64_t history[MOST_COUNTERS];
    struct {
        uint64_t branch, target, used;
        bool full;
    } target[MOST_TARGETS];
    uint64_t now;
    uint64_t stack[THREADS][MOST_STACK];
    uint64_t top[THREADS]; /* pushes less pops, and more than any walk has of these */
    enum fault fault;
};

static void plain_predict_init(struct plain_predict *out,
    const struct trod_timing_prediction *how, enum fault fault)
{
    *out = (struct plain_predict){.how = *how, .fault = fault};
    for (int i = 0; i < MOST_COUNTERS; i++)
        out->bimodal[i] = out->counter[i] = out->meta[i] = fault == WARM ? 1 : 2;
    for (int i = 0; i < THREADS; i++)
        out->top[i] = 840000; /* a multiple of all sizes */
}

static void count(int *counter, bool up)
{
    if (up && *counter < 3)
        ++*counter;
    if (!up && *counter > 0)
        --*counter;
}

static bool plain_direction(struct plain_predict *c, uint64_t address, bool taken)
{
    enum trod_timing_predictor kind = c->how.kind, second = c->how.other;
    uint64_t at = address ^ (address / 4), index = 0;
    uint64_t bits = c->how.bits - (c->fault == SHORT && c->how.bits > 1);
    uint64_t histories = c->how.histories;
    int *b = &c->bimodal[at % (c->how.bimodal ? c->how.bimodal : 1)], *k = b, *m;
    bool says;

    if (kind == TROD_TIMING_TAKEN || kind == TROD_TIMING_NOT_TAKEN)
        return (kind == TROD_TIMING_TAKEN) == taken;
    if (kind != TROD_TIMING_COMBINED)
        second = kind;
    if (second == TROD_TIMING_GSHARE || second == TROD_TIMING_TWO_LEVEL) {
        uint64_t *h = &c->history[second == TROD_TIMING_GSHARE ? 0 : at % histories];

        if (second == TROD_TIMING_GSHARE || c->how.exclusive)
            index = at ^ *h;
        else
            index = at * (UINT64_C(1) << c->how.bits) + *h;
        k = &c->counter[index % c->how.counters];
        *h = (*h * 2 + taken) % (UINT64_C(1) << bits);
    }
    if (kind == TROD_TIMING_COMBINED) {
        bool first = *b > 1, other = *k > 1;

        m = &c->meta[at % c->how.meta];
        says = *m > 1 && c->fault != NO_META ? other : first;
        if (first != other)
            count(m, other == taken);
        count(b, taken);
        count(k, taken);
    } else {
        says = *k > 1;
        count(k, taken);
    }
    return says == taken;
}

static bool plain_target(struct plain_predict *c, uint64_t address, uint64_t next)
{
    uint64_t sets = c->how.btb ? c->how.btb / c->how.btb_ways : 0, n = 0;
    int at = -1, oldest = -1, empty = -1;
    bool known;

    if (!sets)
        return true;
    c->now++;
    for (int i = 0; i < MOST_TARGETS; i++) {
        uint64_t branch = c->target[i].branch;

        if (!c->target[i].full) {
            empty = i;
            continue;
        }
        if (branch == address)
            at = i;
        if ((branch ^ (branch / 4)) % sets != (address ^ (address / 4)) % sets)
            continue;
        n++;
        if (oldest < 0 || c->target[i].used < c->target[oldest].used)
            oldest = i;
    }
    known = at >= 0 && c->target[at].target == next;
    if (at < 0) {
        at = n < c->how.btb_ways ? empty : oldest;
        c->target[at].target = next;
    }
    c->target[at].full = true;
    c->target[at].branch = address;
    c->target[at].used = c->now;
    if (c->fault != STICKY)
        c->target[at].target = next;
    return known;
}

static enum trod_timing_outcome plain_outcome(
    struct plain_predict *c, const struct trod_run *run)
{
    const struct trod_code *code = run->code;
    uint64_t places = c->how.return_stack, *top = &c->top[run->thread];
    bool right;

    if (c->how.kind == TROD_TIMING_PERFECT || code->kind == TROD_BRANCH_NONE ||
        run->odd)
        return TROD_TIMING_RIGHT;
    places -= c->fault == FORGETFUL && places > 1;
    if (trod_branch_is_call(code->kind) && places)
        c->stack[run->thread][(*top)++ % places] = code->after;
    if (code->kind == TROD_BRANCH_RETURN && places)
        return c->stack[run->thread][--*top % places] == run->next
                   ? TROD_TIMING_RIGHT
                   : TROD_TIMING_MISPREDICTED;
    right = code->kind != TROD_BRANCH_IF || plain_direction(c, code->last, run->taken);
    if (run->taken && !plain_target(c, code->last, run->next) && right)
        return trod_branch_is_direct(code->kind) ? TROD_TIMING_MISFETCHED
                                                 : TROD_TIMING_MISPREDICTED;
    return right ? TROD_TIMING_RIGHT : TROD_TIMING_MISPREDICTED;
}

static void draw_prediction(struct trod_timing_prediction *out, struct kit_prop *p)
{
    *out = (struct trod_timing_prediction){
        .kind = (enum trod_timing_predictor)kit_draw(p, TROD_TIMING_PREDICTORS),
        .other = kit_draw(p, 2) ? TROD_TIMING_TWO_LEVEL : TROD_TIMING_GSHARE,
        .bimodal = UINT32_C(1) << kit_draw(p, 7),
        .counters = UINT32_C(1) << kit_draw(p, 7),
        .bits = (uint32_t)(1 + kit_draw(p, 6)),
        .histories = UINT32_C(1) << kit_draw(p, 4),
        .exclusive = kit_draw(p, 2),
        .meta = UINT32_C(1) << kit_draw(p, 5),
        .return_stack = (uint32_t)kit_draw(p, MOST_STACK),
        .btb_ways = UINT32_C(1) << kit_draw(p, 3)};
    out->btb = kit_draw(p, 4) ? out->btb_ways << kit_draw(p, 3) : 0;
}

/* A stack that is popped more often than pushed has what it began with: zeros, in both. */
static bool predictors_agree(struct kit_prop *p, void *ctx)
{
    struct plain_predict plain;
    struct trod_timing_prediction how;
    struct trod_timing_predict *predict;
    struct sample s;
    uint64_t n = kit_draw(p, 200);

    begin(&s);
    draw_prediction(&how, p);
    plain_predict_init(&plain, &how, fault_in(ctx));
    predict = trod_timing_predict_build(&how, &s.mem);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t pc = kit_draw(p, 12) * 5;
        struct trod_code code = {.pc = pc,
            .last = pc,
            .after = pc + 2,
            .target = pc + 7,
            .kind = (uint8_t)kit_draw(p, TROD_BRANCH_KINDS)};
        struct trod_run run = {.code = &code, .thread = (uint32_t)kit_draw(p, THREADS)};
        enum trod_timing_outcome got, should;

        run.taken = code.kind == TROD_BRANCH_IF ? kit_draw(p, 2)
                                                : code.kind != TROD_BRANCH_NONE;
        run.next = !run.taken ? code.after : code.target;
        if (!trod_branch_is_direct(code.kind) && run.taken)
            run.next = kit_draw(p, 12) * 5 + 2;
        got = trod_timing_predict_run(predict, &run);
        should = plain_outcome(&plain, &run);
        if (got != should)
            return end(&s, wrong(p, "outcome", got, should));
    }
    return end(&s, true);
}

/* --- times ----------------------------------------------------------------------------------------------------------- */

enum {
    MOST_RUNS = 24,
    MOST_INSN = 5,
    MOST_STEPS = 600,
    MOST_CYCLES = 60000,
    MOST_ACCESSES = 2000,
    CODES = 6,
    DESIGNS = 4
};

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

/* --- all together -------------------------------------------------------------------------------------------------------- */

struct scene {
    struct trod_timing_machine machine;
    struct trod_timing_design design[DESIGNS];
    struct trod_timing_injected injected[DESIGNS];
    struct trod_insn op[3];
    struct trod_code code[CODES];
    struct trod_insn insn[CODES][MOST_INSN];
    struct trod_run run[MOST_RUNS];
    struct trod_access access[MOST_RUNS][2 * MOST_INSN];
    uint32_t nrun;
};

static size_t inject(
    const struct trod_timing_injected **out, void *ctx, const struct trod_run *run)
{
    const struct trod_timing_injected *what = ctx;

    *out = what;
    return what->at < run->code->ninsn;
}

static uint32_t serve(
    void *ctx, const struct trod_run *run, const struct trod_timing_events *events)
{
    const struct trod_timing_injected *what = ctx;

    (void)events;
    return (uint32_t)(run->code->pc / 8 + what->at) % 6;
}

static void draw_insn(struct trod_insn *out, struct kit_prop *p)
{
    out->insn_class = (uint8_t)kit_draw(p, TROD_INSN_CLASSES);
    for (uint64_t i = kit_draw(p, 3); i--;)
        out->source[i] = (uint8_t)(1 + kit_draw(p, 4));
    if (kit_draw(p, 2))
        out->target[0] = (uint8_t)(1 + kit_draw(p, 4));
    out->nload = (uint8_t)(kit_draw(p, 3) == 2);
    out->nstore = (uint8_t)(kit_draw(p, 4) == 3);
}

static void draw_machine(struct trod_timing_machine *m, struct kit_prop *p)
{
    trod_timing_machine_named(m, kit_draw(p, 2) ? "table5.3" : "perfect");
    m->width = (uint32_t)(1 + kit_draw(p, 4));
    m->rob = (uint32_t)(1 + kit_draw(p, 12));
    m->lsq = (uint32_t)(1 + kit_draw(p, 4));
    m->ifq = (uint32_t)(1 + kit_draw(p, 5));
    m->penalty = (uint32_t)kit_draw(p, 5);
    for (int i = 0; i < TROD_TIMING_POOLS; i++)
        m->units[i] = (uint32_t)(1 + kit_draw(p, 3));
    m->latency[TROD_INSN_DIVIDE] = (uint32_t)(1 + kit_draw(p, 6));
    m->busy[TROD_INSN_DIVIDE] = (uint32_t)(1 + kit_draw(p, 6));
    if (!m->l1i.size)
        return;
    draw_cache(&m->l1i, p);
    draw_cache(&m->l1d, p);
    draw_cache(&m->l2, p);
    if (m->l2.line < 32)
        m->l2 = (struct trod_timing_cache){512, 2, 32, 5};
    m->memory = (uint32_t)(1 + kit_draw(p, 30));
    draw_prediction(&m->prediction, p);
}

static void draw_codes(struct scene *s, struct kit_prop *p)
{
    uint64_t pc = 64;

    for (uint32_t i = 0; i < CODES; i++) {
        struct trod_code *c = &s->code[i];

        c->pc = pc;
        c->number = i;
        c->ninsn = (uint32_t)(1 + kit_draw(p, MOST_INSN));
        c->insn = s->insn[i];
        c->kind = (uint8_t)kit_draw(p, TROD_BRANCH_KINDS);
        for (uint32_t k = 0; k < c->ninsn; k++) {
            draw_insn(&s->insn[i][k], p);
            s->insn[i][k].pc = c->last = pc;
            s->insn[i][k].size = (uint8_t)(1 + kit_draw(p, 9));
            pc += s->insn[i][k].size;
        }
        c->after = pc;
        c->target = pc - kit_draw(p, 64);
    }
}

static void draw_accesses(struct scene *s, struct trod_run *run, struct kit_prop *p)
{
    struct trod_access *access = s->access[run - s->run];

    run->access = access;
    for (uint32_t k = 0; k < run->code->ninsn; k++) {
        const struct trod_insn *insn = &run->code->insn[k];

        for (uint8_t n = 0; n < insn->nload + insn->nstore; n++)
            access[run->naccess++] = (struct trod_access){kit_draw(p, 40) * 3,
                (uint16_t)k, (uint8_t)(1 + kit_draw(p, 10)), n >= insn->nload};
    }
}

static void draw_scene(struct scene *s, struct kit_prop *p)
{
    memset(s, 0, sizeof *s);
    draw_machine(&s->machine, p);
    draw_codes(s, p);
    for (int i = 0; i < 3; i++)
        draw_insn(&s->op[i], p);
    for (uint32_t i = 0; i < DESIGNS; i++) {
        struct trod_timing_design *d = &s->design[i];

        s->injected[i] = (struct trod_timing_injected){
            s->op, (uint32_t)kit_draw(p, 4), (uint16_t)kit_draw(p, 3), kit_draw(p, 2)};
        *d = (struct trod_timing_design){.name = "design", .ctx = &s->injected[i]};
        if (!i)
            continue;
        d->queue = (uint32_t)kit_draw(p, 4);
        d->pipelined = kit_draw(p, 2);
        d->freed_at_end = kit_draw(p, 2);
        d->service = serve;
        d->bubble = (uint32_t)kit_draw(p, 3);
        d->inject = kit_draw(p, 2) ? inject : NULL;
    }
    s->nrun = (uint32_t)kit_draw(p, MOST_RUNS);
    for (uint32_t i = 0; i < s->nrun; i++) {
        struct trod_run *run = &s->run[i];

        run->code = &s->code[kit_draw(p, CODES)];
        run->taken = run->code->kind == TROD_BRANCH_IF
                         ? kit_draw(p, 2)
                         : run->code->kind != TROD_BRANCH_NONE;
        run->next = !run->taken ? run->code->after : run->code->target;
        if (!trod_branch_is_direct(run->code->kind) && run->taken)
            run->next = s->code[kit_draw(p, CODES)].pc;
        run->thread = kit_draw(p, 8) == 7;
        run->odd = kit_draw(p, 10) == 9;
        if (kit_draw(p, 4))
            draw_accesses(s, run, p);
    }
}

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
    plain_predict_init(&c.predict, &m->prediction, NONE);
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

/* --- final results ----------------------------------------------------------------------------------------- */

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
    struct reported told = {.lost = fault_in(ctx) == LOST};
    struct trod_timing *core;
    struct sample s;

    begin(&s);
    trod_timing_machine_named(&machine, draw_bit(p) ? "low" : "table5.3");
    machine.rob = (uint32_t)(1 + kit_draw(p, 128));
    core = trod_timing_build(&machine, design, 2, &s.mem);
    trod_timing_when_final(core, take_final, &told);
    trod_timing_sink_init(&told.core, core);
    told.sink = (struct trod_branch_sink){.run = take_run, .end = take_end};
    kit_walk(&told.sink, p, &options, &s.mem);
    trod_timing_end(core);
    all = trod_timing_events_of(core);
    trod_timing_cycles_of(cycles, core);
    if (told.sum.nrun != told.nrun || told.hash != told.hash_final)
        return end(&s, wrong(p, "reported runs", told.sum.nrun, told.nrun));
    if (told.sum.ninsn != all->ninsn || told.sum.nmispredict != all->nmispredict)
        return end(&s, wrong(p, "instructions", told.sum.ninsn, all->ninsn));
    if (told.sum.power != all->power)
        return end(&s, wrong(p, "power", told.sum.power, all->power));
    if (told.sum.cycle_power != all->cycle_power || told.dear)
        return end(
            &s, wrong(p, "power by the cycle", told.sum.cycle_power, all->cycle_power));
    if (cycles[0].cycles * machine.width < all->ninsn ||
        cycles[1].cycles < cycles[1].nbranch)
        return end(&s, wrong(p, "cycles", cycles[0].cycles, all->ninsn));
    return end(&s, true);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"caches do what plain ones do", caches_agree, {FIFO, NO_DIRT, NARROW}},
        {"predictors say what plain ones do", predictors_agree,
            {WARM, NO_META, SHORT, STICKY, FORGETFUL}},
        {"times are those of a plain model", times_agree,
            {FEW, EAGER, RUSHED, UNBROKEN, KIND, IDLE}},
        {"designs have the times of a plain model", times_agree,
            {DEEP, SLOW, LATE, SMOOTH}},
        {"designs do not disturb each other", designs_keep_apart, {DEEP}},
        {"events of all runs come in the end", finals_add_up, {LOST}},
    };

    return kit_run_tested("core", tested, sizeof tested / sizeof *tested);
}
