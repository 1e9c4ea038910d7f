#include "profile/profile.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- how it was sampled ------------------------------------------------------------------------ */

static const char *const trigger_word[] = {
    [TROD_BURST_COUNT] = "count",
    [TROD_BURST_FLAG] = "flag",
    [TROD_BURST_ALWAYS] = "always",
    [TROD_BURST_NEVER] = "never",
};

static const char *const period_word[] = {
    [TROD_BURST_FIXED] = "fixed",
    [TROD_BURST_PRIME] = "prime",
    [TROD_BURST_JITTER] = "jitter",
    [TROD_BURST_GEOMETRIC] = "geometric",
};

static const char *const type_word[] = {
    [TROD_BURST_PATHS] = "paths",
    [TROD_BURST_METHODS] = "methods",
    [TROD_BURST_CALLS] = "calls",
    [TROD_BURST_TRIPS] = "trips",
    [TROD_BURST_STREAMS] = "streams",
    [TROD_BURST_HANDLER] = "handler",
    [TROD_BURST_TIME] = "time",
};

#define WORD(words, i) ((i) < sizeof(words) / sizeof *(words) ? (words)[i] : NULL)

const char *trod_profile_trigger_name(uint32_t trigger)
{
    return WORD(trigger_word, trigger);
}

const char *trod_profile_period_name(uint32_t period)
{
    return WORD(period_word, period);
}

const char *trod_profile_type_name(uint32_t type)
{
    return WORD(type_word, type);
}

bool trod_profile_has_type(const struct trod_profile_burst *burst, uint32_t type)
{
    return burst->how.types >> type & 1;
}

const char *trod_profile_burst_fault(const struct trod_profile_burst *burst)
{
    const struct trod_format_burst *how = &burst->how;

    if (!trod_profile_trigger_name(how->trigger) ||
        !trod_profile_period_name(how->period) || how->types >> TROD_BURST_TYPES)
        return "has an unknown type; a later version of trod may support it";
    if (!how->types)
        return "has no type of profile";
    if (!burst->nthread)
        return "is of no thread";
    if (how->budget > TROD_PROFILE_MILLION)
        return "has a budget above all there is";
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++) {
        if (!trod_profile_has_type(burst, t))
            continue;
        if (how->type[t].sparsity > burst->most_sparsity[t] ||
            how->type[t].weight > burst->most_weight[t])
            return "has a least that is above the most";
        if (!how->type[t].weight || !how->type[t].burst)
            return "has a weight or a length of 0";
    }
    return NULL;
}

static void clean(struct trod_profile_burst *burst)
{
    struct trod_format_burst *how = &burst->how;

    how->thread = how->reserved_word = 0;
    if (!trod_profile_has_type(burst, TROD_BURST_TIME))
        how->ticks = how->nanoseconds = 0;
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++) {
        if (trod_profile_has_type(burst, t))
            continue;
        memset(&how->type[t], 0, sizeof how->type[t]);
        burst->most_sparsity[t] = burst->most_weight[t] = 0;
    }
}

void trod_profile_add_burst(
    struct trod_profile_builder *builder, const struct trod_profile_burst *burst)
{
    trod_reserve(builder->mem, builder->burst, builder->nburst, builder->room_burst);
    builder->burst[builder->nburst] = *burst;
    clean(&builder->burst[builder->nburst++]);
}

/* --- merging -------------------------------------------------------------------------------------- */

/* Compares the requested parameters, not the results. */
int trod_profile_compare_bursts(
    const struct trod_profile_burst *a, const struct trod_profile_burst *b)
{
    int by = trod_compare(a->group, b->group);

    by = by ? by : trod_compare(a->how.trigger, b->how.trigger);
    by = by ? by : trod_compare(a->how.period, b->how.period);
    by = by ? by : trod_compare(a->how.words, b->how.words);
    by = by ? by : trod_compare(a->how.hz, b->how.hz);
    by = by ? by : trod_compare(a->how.budget, b->how.budget);
    by = by ? by : trod_compare(a->how.types, b->how.types);
    for (uint32_t t = 0; !by && t < TROD_BURST_TYPES; t++)
        by = trod_compare(a->how.type[t].burst, b->how.type[t].burst);
    return by;
}

static int by_burst(const void *x, const void *y)
{
    return trod_profile_compare_bursts(x, y);
}

static void put_sum(uint64_t *to, uint64_t from)
{
    *to = trod_sat_add(*to, from);
}

static void put_least(uint64_t *to, uint64_t from)
{
    *to = from < *to ? from : *to;
}

static void put_most(uint64_t *to, uint64_t from)
{
    *to = from > *to ? from : *to;
}

static void put_together(struct trod_profile_burst *to,
    const struct trod_profile_burst *from, void (*add)(uint64_t *to, uint64_t from))
{
    add(&to->nthread, from->nthread);
    add(&to->how.time, from->how.time);
    add(&to->how.cost, from->how.cost);
    add(&to->how.nevent, from->how.nevent);
    add(&to->how.npassed, from->how.npassed);
    add(&to->how.nmissed, from->how.nmissed);
    add(&to->how.ticks, from->how.ticks);
    add(&to->how.nanoseconds, from->how.nanoseconds);
    add(&to->how.floor, from->how.floor);
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++) {
        put_least(&to->how.type[t].sparsity, from->how.type[t].sparsity);
        put_least(&to->how.type[t].weight, from->how.type[t].weight);
        put_most(&to->most_sparsity[t], from->most_sparsity[t]);
        put_most(&to->most_weight[t], from->most_weight[t]);
        add(&to->how.type[t].nburst, from->how.type[t].nburst);
        add(&to->how.type[t].nevent, from->how.type[t].nevent);
    }
}

static uint32_t put_all(struct trod_profile_burst *burst, uint32_t n,
    void (*add)(uint64_t *to, uint64_t from))
{
    uint32_t kept = 0;

    trod_sort(burst, n, by_burst);
    for (uint32_t i = 0; i < n; i++) {
        if (kept && by_burst(&burst[kept - 1], &burst[i]) == 0)
            put_together(&burst[kept - 1], &burst[i], add);
        else
            burst[kept++] = burst[i];
    }
    return kept;
}

uint32_t trod_profile_sum_bursts(struct trod_profile_burst *burst, uint32_t n)
{
    return put_all(burst, n, put_sum);
}

uint32_t trod_profile_widen_bursts(struct trod_profile_burst *burst, uint32_t n)
{
    return put_all(burst, n, put_most);
}

bool trod_profile_has_bursts(const struct trod_profile *profile)
{
    return profile->nburst ||
           (profile->nmodule && profile->module[0].mode == TROD_MODE_BURST);
}

/* If the parameters of a thread are missing, it may have been sampled. */
bool trod_profile_is_exact(const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nburst; i++)
        if (profile->burst[i].how.trigger != TROD_BURST_ALWAYS)
            return false;
    return profile->nburst || !trod_profile_has_bursts(profile);
}
