#include "timing/timing.h"

#include <inttypes.h>

static bool is_power(uint64_t n)
{
    return n && !(n & (n - 1));
}

static bool check_range(const char *line, uint64_t value, uint64_t least, uint64_t most,
    struct trod_err *err)
{
    return (value >= least && value <= most) ||
           trod_fail(err, TROD_E_INPUT,
               "%s is from %" PRIu64 " to %" PRIu64 ", not %" PRIu64, line, least, most,
               value);
}

static bool check_power(
    const char *line, uint64_t value, uint64_t most, struct trod_err *err)
{
    return (is_power(value) && value <= most) ||
           trod_fail(err, TROD_E_INPUT,
               "%s is a power of 2 from 1 to %" PRIu64 ", not %" PRIu64, line, most,
               value);
}

static bool check_cache(
    const char *line, const struct trod_timing_cache *cache, struct trod_err *err)
{
    if (!check_range(line, cache->latency, 1, TROD_TIMING_MOST_LATENCY, err))
        return false;
    if (!is_power(cache->line) || cache->line < 8 || cache->line > 4096)
        return trod_fail(err, TROD_E_INPUT,
            "%s: lines have 8 to 4096 bytes, a power of 2, not %" PRIu32, line,
            cache->line);
    if (!cache->size)
        return true;
    if (!is_power(cache->size) || cache->size > UINT64_C(1) << 30)
        return trod_fail(err, TROD_E_INPUT,
            "%s: its size is a power of 2 up to 1024M, not %" PRIu64, line,
            cache->size);
    return (is_power(cache->ways) &&
               (uint64_t)cache->ways * cache->line <= cache->size &&
               cache->ways <= TROD_TIMING_MOST_WAYS) ||
           trod_fail(err, TROD_E_INPUT,
               "%s: it has 1 to %d ways, a power of 2, and as many lines at least; not %" PRIu32,
               line, TROD_TIMING_MOST_WAYS, cache->ways);
}

static bool check_counters(const struct trod_timing_prediction *p,
    enum trod_timing_predictor kind, struct trod_err *err)
{
    if (kind == TROD_TIMING_BIMODAL)
        return check_power(
            "predictor: bimodal", p->bimodal, TROD_TIMING_MOST_TABLE, err);
    if (kind != TROD_TIMING_GSHARE && kind != TROD_TIMING_TWO_LEVEL)
        return true;
    return check_power(
               "predictor: counters", p->counters, TROD_TIMING_MOST_TABLE, err) &&
           check_range("predictor: a history", p->bits, 1, 20, err) &&
           (kind == TROD_TIMING_GSHARE ||
               check_power(
                   "predictor: histories", p->histories, TROD_TIMING_MOST_TABLE, err));
}

static bool check_prediction(
    const struct trod_timing_prediction *p, struct trod_err *err)
{
    if ((unsigned)p->kind >= TROD_TIMING_PREDICTORS)
        return trod_fail(err, TROD_E_INPUT, "predictor: its kind does not exist");
    if (p->kind == TROD_TIMING_COMBINED &&
        ((p->other != TROD_TIMING_GSHARE && p->other != TROD_TIMING_TWO_LEVEL) ||
            !check_power("predictor: meta", p->meta, TROD_TIMING_MOST_TABLE, err) ||
            !check_counters(p, TROD_TIMING_BIMODAL, err)))
        return p->other == TROD_TIMING_GSHARE || p->other == TROD_TIMING_TWO_LEVEL
                   ? false
                   : trod_fail(err, TROD_E_INPUT,
                         "predictor: bimodal can be combined only with gshare or "
                         "two_level");
    if (!check_counters(p, p->kind == TROD_TIMING_COMBINED ? p->other : p->kind, err) ||
        !check_range("return_stack", p->return_stack, 0, TROD_TIMING_MOST_ROB, err))
        return false;
    if (!p->btb)
        return true;
    return check_power("btb", p->btb, TROD_TIMING_MOST_TABLE, err) &&
           check_power("btb: ways", p->btb_ways,
               p->btb < TROD_TIMING_MOST_WAYS ? p->btb : TROD_TIMING_MOST_WAYS, err);
}

static bool check_costs(const struct trod_timing_machine *m, struct trod_err *err)
{
    return check_range("cost l1i", m->cost_l1i, 0, TROD_TIMING_MOST_COST, err) &&
           check_range("cost l1d", m->cost_l1d, 0, TROD_TIMING_MOST_COST, err) &&
           check_range("cost l2", m->cost_l2, 0, TROD_TIMING_MOST_COST, err) &&
           check_range("cost memory", m->cost_memory, 0, TROD_TIMING_MOST_COST, err);
}

bool trod_timing_machine_check(
    const struct trod_timing_machine *m, struct trod_err *err)
{
    if (!m->name || !*m->name)
        return trod_fail(err, TROD_E_INPUT, "a machine has a name");
    if (!check_range("width", m->width, 1, TROD_TIMING_MOST_WIDTH, err) ||
        !check_range("rob", m->rob, 1, TROD_TIMING_MOST_ROB, err) ||
        !check_range("lsq", m->lsq, 1, TROD_TIMING_MOST_ROB, err) ||
        !check_range("ifq", m->ifq, 1, TROD_TIMING_MOST_ROB, err) ||
        !check_range("penalty", m->penalty, 0, TROD_TIMING_MOST_LATENCY, err) ||
        !check_range("memory", m->memory, 1, TROD_TIMING_MOST_LATENCY, err))
        return false;
    for (int i = 0; i < TROD_TIMING_POOLS; i++)
        if (!check_range("units", m->units[i], 1, TROD_TIMING_MOST_UNITS, err))
            return false;
    for (int i = 0; i < TROD_INSN_CLASSES; i++)
        if (!check_range("class", m->latency[i], 1, TROD_TIMING_MOST_LATENCY, err) ||
            !check_range("class", m->busy[i], 1, TROD_TIMING_MOST_LATENCY, err))
            return false;
    if (!check_cache("l1i", &m->l1i, err) || !check_cache("l1d", &m->l1d, err) ||
        !check_cache("l2", &m->l2, err))
        return false;
    if (m->l1i.line > m->l2.line || m->l1d.line > m->l2.line)
        return trod_fail(err, TROD_E_INPUT,
            "l2: its lines are shorter than those of l1i or l1d; make them at least "
            "as long");
    return check_prediction(&m->prediction, err) && check_costs(m, err);
}
