/* Plain models of caches and predictors: caches that record the time of each use, predictors that compute their indices
 * step by step. The properties of both, and the plain model of the times, use them.
 */
#ifndef PROP_TIMING_PLAIN_H
#define PROP_TIMING_PLAIN_H

#include "timing_draw.h"

enum part_fault {
    SOUND,
    FIFO,     /* what came first goes first */
    NO_DIRT,  /* stores do not make lines dirty */
    NARROW,   /* a set has one way less */
    WARM,     /* counters begin otherwise */
    NO_META,  /* bimodal is always believed */
    SHORT,    /* histories have a bit less */
    STICKY,   /* targets do not change */
    FORGETFUL /* the return stack has one place less */
};

/* --- caches ------------------------------------------------------------------------------------- */

/* All lines there are, in no order. */
struct plain_cache {
    struct trod_timing_cache how;
    struct {
        uint64_t number, used, came, fill;
        bool dirty, full;
    } line[MOST_LINES];
    uint64_t now, nmiss;
    enum part_fault fault;
};

static inline uint64_t plain_sets(const struct plain_cache *c)
{
    return c->how.size / c->how.line / c->how.ways;
}

static inline int plain_find(const struct plain_cache *c, uint64_t number)
{
    for (int i = 0; i < MOST_LINES; i++)
        if (c->line[i].full && c->line[i].number == number)
            return i;
    return -1;
}

/* A place for a line: a free one, or that of the oldest of its set, if the set has all it can have. */
static inline int plain_place(const struct plain_cache *c, uint64_t number)
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

static inline bool plain_look(
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

static inline bool plain_put_back(struct plain_cache *c, uint64_t address)
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

/* --- predictors --------------------------------------------------------------------------------- */

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
    enum part_fault fault;
};

static inline void plain_predict_init(struct plain_predict *out,
    const struct trod_timing_prediction *how, enum part_fault fault)
{
    *out = (struct plain_predict){.how = *how, .fault = fault};
    for (int i = 0; i < MOST_COUNTERS; i++)
        out->bimodal[i] = out->counter[i] = out->meta[i] = fault == WARM ? 1 : 2;
    for (int i = 0; i < THREADS; i++)
        out->top[i] = 840000; /* a multiple of all sizes */
}

static inline void plain_count(int *counter, bool up)
{
    if (up && *counter < 3)
        ++*counter;
    if (!up && *counter > 0)
        --*counter;
}

static inline bool plain_direction(
    struct plain_predict *c, uint64_t address, bool taken)
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
            plain_count(m, other == taken);
        plain_count(b, taken);
        plain_count(k, taken);
    } else {
        says = *k > 1;
        plain_count(k, taken);
    }
    return says == taken;
}

static inline bool plain_target(
    struct plain_predict *c, uint64_t address, uint64_t next)
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

static inline enum trod_timing_outcome plain_outcome(
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

#endif
