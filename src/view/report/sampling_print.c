#include "report/report.h"

#include <inttypes.h>

/* The length of a burst, and of how many events; a range if the rate was adapted. */
static void put_rate(
    struct trod_sink *sink, const struct trod_profile_burst *burst, uint32_t type)
{
    uint64_t on = burst->how.type[type].burst;
    uint64_t least = trod_sat_add(on, burst->how.type[type].sparsity);
    uint64_t most = trod_sat_add(on, burst->most_sparsity[type]);

    trod_put(sink, "%s %" PRIu64, trod_profile_type_name(type), on);
    if (burst->how.trigger != TROD_BURST_COUNT)
        return;
    trod_put(sink, " in %" PRIu64, least);
    if (least < most)
        trod_put(sink, " to %" PRIu64, most);
}

static void put_types(struct trod_sink *sink, const struct trod_profile_burst *burst)
{
    const char *before = "";

    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++) {
        if (!trod_profile_has_type(burst, t))
            continue;
        trod_put(sink, "%s", before);
        if (burst->how.trigger <= TROD_BURST_FLAG)
            put_rate(sink, burst, t);
        else
            trod_put(sink, "%s", trod_profile_type_name(t));
        before = ", ";
    }
}

static void put_trigger(struct trod_sink *sink, const struct trod_profile_burst *burst)
{
    const struct trod_format_burst *how = &burst->how;

    switch (how->trigger) {
    case TROD_BURST_COUNT:
        trod_put(sink, "# bursts by count, %s; of events, ",
            trod_profile_period_name(how->period));
        put_types(sink, burst);
        trod_put(sink, "; counts are estimates\n");
        break;
    case TROD_BURST_FLAG:
        trod_put(sink, "# bursts by time, %" PRIu32 " a second, of events: ", how->hz);
        put_types(sink, burst);
        trod_put(sink, "; counts are samples: only shares are meaningful\n");
        break;
    case TROD_BURST_ALWAYS:
        trod_put(sink, "# one burst from beginning to end: ");
        put_types(sink, burst);
        trod_put(sink, "; counts are exact\n");
        break;
    default:
        trod_put(sink, "# no bursts: nothing was counted\n");
        break;
    }
}

/* Threads that waited while sampling was switched on in others, or in which it was switched off. */
static bool is_idle(const struct trod_profile_burst *burst)
{
    return burst->how.trigger == TROD_BURST_NEVER;
}

static bool are_all_idle(const struct trod_profile_burst *burst, uint32_t nburst)
{
    for (uint32_t i = 0; i < nburst; i++)
        if (!is_idle(&burst[i]))
            return false;
    return true;
}

static double share_of(uint64_t part, const struct trod_spent *spent)
{
    return spent->time ? (double)part / (double)spent->time : 0;
}

void trod_report_spent(struct trod_sink *sink, const struct trod_spent *spent)
{
    double sampling = 100 * share_of(spent->cost, spent);
    double checks = 100 * share_of(spent->floor, spent);

    if (!spent->budget && !spent->cost)
        return;
    if (spent->budget)
        trod_put(sink, "# budget %.2f%%, spent about %.2f%%",
            100.0 * (double)spent->budget / TROD_PROFILE_MILLION, sampling + checks);
    else
        trod_put(sink, "# sampling took about %.2f%% of the time", sampling);
    if (spent->floor && spent->budget)
        trod_put(sink, ": sampling %.2f%%, checks %.2f%%", sampling, checks);
    else if (spent->floor)
        trod_put(sink, ", checks %.2f%%", checks);
    trod_put(sink, "\n");
}

void trod_report_spent_json(struct trod_json *json, const struct trod_spent *spent)
{
    if (spent->budget)
        trod_json_real(json, "budget", (double)spent->budget / TROD_PROFILE_MILLION);
    trod_json_real(
        json, "achieved", share_of(spent->cost, spent) + share_of(spent->floor, spent));
    trod_json_real(json, "sampling", share_of(spent->cost, spent));
    trod_json_real(json, "checks", share_of(spent->floor, spent));
}

static void add_spent(struct trod_spent *to, const struct trod_format_burst *how)
{
    to->time = trod_sat_add(to->time, how->time);
    to->cost = trod_sat_add(to->cost, how->cost);
    to->floor = trod_sat_add(to->floor, how->floor);
    to->budget = how->budget > to->budget ? how->budget : to->budget;
}

static void put_cost(struct trod_sink *sink, const struct trod_profile_burst *burst)
{
    struct trod_spent spent = {0};

    add_spent(&spent, &burst->how);
    trod_report_spent(sink, &spent);
    if (burst->how.nmissed)
        trod_put(sink,
            "# %" PRIu64 " events occurred inside other events: not counted\n",
            burst->how.nmissed);
}

void trod_report_how(
    struct trod_sink *sink, const struct trod_profile_burst *burst, uint32_t nburst)
{
    bool all = are_all_idle(burst, nburst);

    for (uint32_t i = 0; i < nburst; i++) {
        if (!all && is_idle(&burst[i]))
            continue;
        put_trigger(sink, &burst[i]);
        put_cost(sink, &burst[i]);
    }
}

/* The totals of all bursts. */
static void json_cost(
    struct trod_json *json, const struct trod_profile_burst *burst, uint32_t nburst)
{
    struct trod_spent spent = {0};

    for (uint32_t i = 0; i < nburst; i++)
        add_spent(&spent, &burst[i].how);
    trod_json_open(json, "burst", '{');
    trod_report_spent_json(json, &spent);
    trod_json_close(json, '}');
}

void trod_report_how_json(
    struct trod_json *json, const struct trod_profile_burst *burst, uint32_t nburst)
{
    json_cost(json, burst, nburst);
    trod_json_open(json, "bursts", '[');
    for (uint32_t i = 0; i < nburst; i++)
        trod_profile_burst_json(json, &burst[i]);
    trod_json_close(json, ']');
}
