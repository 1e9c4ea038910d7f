#include "profile/times.h"

#include <math.h>
#include <stdio.h>

const char *trod_time_unit(const struct trod_times *times)
{
    if (times->metric)
        return trod_meter_name(times->metric);
    return times->ticks ? "nanoseconds" : "ticks";
}

double trod_time_in_unit(const struct trod_times *times, double ticks)
{
    return times->ticks ? ticks * (double)times->nanoseconds / (double)times->ticks
                        : ticks;
}

uint64_t trod_time_rounded(const struct trod_times *times, double ticks)
{
    double value = trod_time_in_unit(times, ticks);

    return value < 0x1p63 ? (uint64_t)llround(value) : INT64_MAX;
}

/* Three digits. */
static const char *put(char out[TROD_TIME_TEXT], double value, const char *unit)
{
    int after = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;

    snprintf(out, TROD_TIME_TEXT, "%.*f%s", after, value, unit);
    return out;
}

/* Whole numbers as they are, up to five digits. */
static void put_events(char out[TROD_TIME_TEXT], double events)
{
    static const struct {
        double most, of;
        const char *unit;
    } unit[] = {
        {999.5, 1, ""}, {999.5e3, 1e3, "k"}, {999.5e6, 1e6, "M"}, {999.5e9, 1e9, "G"}};

    if (events < 1e5 && events == trunc(events)) {
        snprintf(out, TROD_TIME_TEXT, "%.0f", events);
        return;
    }
    if (events < 0.095) {
        snprintf(out, TROD_TIME_TEXT, "%.0e", events);
        return;
    }
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
        if (events < unit[i].most) {
            put(out, events / unit[i].of, unit[i].unit);
            return;
        }
    }
    snprintf(out, TROD_TIME_TEXT, "%.2e", events);
}

const char *trod_time_text(
    char out[TROD_TIME_TEXT], const struct trod_times *times, double ticks)
{
    static const struct {
        double most, of;
        const char *unit;
    } unit[] = {{999.5, 1, "ns"}, {999.5e3, 1e3, "us"}, {999.5e6, 1e6, "ms"},
        {999.5e9, 1e9, "s"}};
    double time = trod_time_in_unit(times, ticks);

    if (times->metric) {
        put_events(out, ticks);
        return out;
    }
    if (!times->ticks) {
        snprintf(out, TROD_TIME_TEXT, ticks < 1e7 ? "%.0f" : "%.2e", ticks);
        return out;
    }
    for (size_t i = 0; i < sizeof unit / sizeof *unit; i++)
        if (time < unit[i].most)
            return put(out, time / unit[i].of, unit[i].unit);
    snprintf(out, TROD_TIME_TEXT, "%.0fm", fmin(time / 60e9, 1e9));
    return out;
}

void trod_time_json(struct trod_json *json, const struct trod_times *times,
    const struct trod_time *time)
{
    double error = trod_times_error(times, time);

    trod_json_uint(json, "executions", time->count);
    trod_json_real(json, "own", trod_time_in_unit(times, (double)time->own));
    trod_json_real(json, "with_callees", trod_time_in_unit(times, (double)time->with));
    if (!times->metric)
        trod_json_real(json, "away", trod_time_in_unit(times, (double)time->away));
    trod_json_real(json, "mean", trod_time_in_unit(times, trod_time_mean(time)));
    trod_json_real(
        json, "p50", trod_time_in_unit(times, trod_time_quantile(time, 0.5)));
    trod_json_real(
        json, "p99", trod_time_in_unit(times, trod_time_quantile(time, 0.99)));
    if (error >= 0)
        trod_json_real(json, "error", error);
}

void trod_times_json(
    struct trod_json *json, const char *key, const struct trod_times *times)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "unit", trod_time_unit(times));
    if (times->ticks)
        trod_json_real(json, "ticks_per_second",
            1e9 * (double)times->ticks / (double)times->nanoseconds);
    trod_json_real(json, "own", trod_time_in_unit(times, (double)times->own));
    if (times->ran)
        trod_json_real(json, "ran", trod_time_in_unit(times, (double)times->ran));
    trod_json_close(json, '}');
}
