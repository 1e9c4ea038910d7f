/* Options of burst profiling, for tools that build or control programs. */
#include "trod/burst.h"
#include "trod/format.h"

#include "burst/burst_plan.h"

const char *trod_burst_check(const char *text, struct trod_burst_build *out)
{
    struct trod_burst_options options;
    const char *why;

    __trod_burst_options_default(&options);
    if (!__trod_burst_options_parse(&options, text, &why))
        return why;
    if (out) {
        out->types = options.types;
        out->trigger = options.trigger;
        out->words = options.words;
        out->metrics = options.nmetric;
    }
    return NULL;
}

static void get(struct trod_burst_options *out, const struct trod_format_setting *s)
{
    uint32_t t;

    __trod_burst_options_default(out);
    out->off = !s->on;
    out->types = s->types;
    out->trigger = s->trigger;
    out->has_trigger = true;
    out->budget = s->budget;
    for (t = 0; t < TROD_BURST_TYPES; t++) {
        out->rate[t] = s->rate[t];
        out->burst[t] = s->burst[t];
    }
}

/* A program with trigger ALWAYS has no rate: if one is said, it counts events as it was built to. */
static void put(
    struct trod_format_setting *s, const struct trod_burst_options *o, uint32_t trigger)
{
    bool other = s->budget != o->budget;
    uint32_t t;

    for (t = 0; t < TROD_BURST_TYPES; t++) {
        other |= s->rate[t] != o->rate[t] || s->burst[t] != o->burst[t];
        s->rate[t] = o->rate[t];
        s->burst[t] = o->burst[t];
    }
    s->on = !o->off;
    s->types = o->types;
    s->budget = o->budget;
    s->trigger = other ? trigger : s->trigger;
}

const char *trod_burst_set(
    struct trod_format_setting *setting, uint32_t trigger, const char *text)
{
    struct trod_burst_options options;
    const char *why;

    get(&options, setting);
    if (!__trod_burst_options_parse(&options, text, &why))
        return why;
    put(setting, &options, trigger);
    return NULL;
}

bool trod_burst_is_possible(const struct trod_format_control *control)
{
    const struct trod_format_setting *s = &control->setting;
    uint32_t t;

    if (s->on > 1 || s->types & ~control->types || s->budget > TROD_BUDGET_MILLION ||
        (s->trigger != TROD_BURST_ALWAYS && s->trigger != control->trigger))
        return false;
    for (t = 0; t < TROD_BURST_TYPES; t++)
        if (s->rate[t] < 1 || s->rate[t] > TROD_BURST_MOST_RATE || s->burst[t] < 1 ||
            s->burst[t] > TROD_BURST_MOST_BURST)
            return false;
    return true;
}
