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

static double share_of(const struct trod_profile_burst *burst)
{
    return burst->how.time ? (double)burst->how.cost / (double)burst->how.time : 0;
}

static void put_cost(struct trod_sink *sink, const struct trod_profile_burst *burst)
{
    if (burst->how.budget)
        trod_put(sink, "# budget %.2f%%, spent about %.2f%%\n",
            100.0 * burst->how.budget / TROD_PROFILE_MILLION, 100 * share_of(burst));
    else if (burst->how.cost)
        trod_put(
            sink, "# bursts cost about %.2f%% of the time\n", 100 * share_of(burst));
    if (burst->how.nmissed)
        trod_put(sink,
            "# %" PRIu64 " events occurred inside other events: not counted\n",
            burst->how.nmissed);
}

void trod_report_how(
    struct trod_sink *sink, const struct trod_profile_burst *burst, uint32_t nburst)
{
    for (uint32_t i = 0; i < nburst; i++) {
        put_trigger(sink, &burst[i]);
        put_cost(sink, &burst[i]);
    }
}

/* The totals of all bursts. */
static void json_cost(
    struct trod_json *json, const struct trod_profile_burst *burst, uint32_t nburst)
{
    uint32_t budget = 0;
    double time = 0, cost = 0;

    for (uint32_t i = 0; i < nburst; i++) {
        budget = burst[i].how.budget > budget ? burst[i].how.budget : budget;
        time += (double)burst[i].how.time;
        cost += (double)burst[i].how.cost;
    }
    trod_json_open(json, "burst", '{');
    if (budget)
        trod_json_real(json, "budget", (double)budget / TROD_PROFILE_MILLION);
    trod_json_real(json, "achieved", time > 0 ? cost / time : 0);
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
