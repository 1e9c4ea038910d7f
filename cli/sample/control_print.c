#include "sample/controlled.h"

#include <inttypes.h>

static bool has_type(const struct trod_format_setting *s, uint32_t t)
{
    return s->types >> t & 1;
}

static uint32_t first_type(const struct trod_format_setting *s)
{
    uint32_t t = 0;

    while (t + 1 < TROD_BURST_TYPES && !has_type(s, t))
        t++;
    return t;
}

uint64_t cli_control_rate(
    const struct trod_format_control *block, const struct trod_format_setting *setting)
{
    return setting->rate[block->kind == TROD_CONTROL_BURST ? first_type(setting) : 0];
}

/* The value of the first type, and of those that have another. */
static void put_each(struct trod_sink *sink, const char *what,
    const struct trod_format_setting *s, const uint64_t *of)
{
    uint32_t first = first_type(s);

    trod_put(sink, "; %s %" PRIu64, what, of[first]);
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++)
        if (has_type(s, t) && of[t] != of[first])
            trod_put(sink, ", %s %" PRIu64, trod_profile_type_name(t), of[t]);
}

static void put_types(struct trod_sink *sink, const struct trod_format_setting *s)
{
    const char *before = "; types ";

    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++) {
        if (!has_type(s, t))
            continue;
        trod_put(sink, "%s%s", before, trod_profile_type_name(t));
        before = "+";
    }
}

static void put_bursts(struct trod_sink *sink, const struct trod_format_setting *s)
{
    if (s->trigger == TROD_BURST_ALWAYS)
        trod_put(sink, "; every event");
    else if (s->trigger == TROD_BURST_COUNT)
        put_each(sink, "rate", s, s->rate);
    put_each(sink, "burst", s, s->burst);
    put_types(sink, s);
    if (s->budget)
        trod_put(sink, "; budget %g%%", s->budget / 1e4);
}

/* With a budget, the rate is where it begins. */
static void put_online(struct trod_sink *sink, const struct trod_format_setting *s)
{
    trod_put(sink, "; rate %" PRIu64, s->rate[0]);
    if (s->budget)
        trod_put(sink, "; budget %g%%", s->budget / 1e4);
}

void cli_control_put(struct trod_sink *sink, const struct trod_format_control *block,
    const struct trod_format_setting *setting)
{
    trod_put(sink, "%s", setting->on ? "on" : "off");
    if (block->kind == TROD_CONTROL_BURST)
        put_bursts(sink, setting);
    else
        put_online(sink, setting);
}

static void json_each(struct trod_json *json, const char *key,
    const struct trod_format_setting *s, const uint64_t *of)
{
    trod_json_open(json, key, '{');
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++)
        if (has_type(s, t))
            trod_json_uint(json, trod_profile_type_name(t), of[t]);
    trod_json_close(json, '}');
}

static void json_bursts(struct trod_json *json, const struct trod_format_setting *s)
{
    trod_json_bool(json, "always", s->trigger == TROD_BURST_ALWAYS);
    json_each(json, "rate", s, s->rate);
    json_each(json, "burst", s, s->burst);
    trod_json_real(json, "budget", s->budget / 1e6);
}

static void json_online(struct trod_json *json, const struct trod_format_setting *s)
{
    trod_json_uint(json, "rate", s->rate[0]);
    trod_json_real(json, "budget", s->budget / 1e6);
}

void cli_control_json(struct trod_json *json, const char *key,
    const struct trod_format_control *block, const struct trod_format_setting *setting)
{
    trod_json_open(json, key, '{');
    trod_json_bool(json, "on", setting->on);
    if (block->kind == TROD_CONTROL_BURST)
        json_bursts(json, setting);
    else
        json_online(json, setting);
    trod_json_uint(json, "resets", setting->nreset);
    trod_json_close(json, '}');
}
