#include "model/model.h"

#include <string.h>

static const char *const type_words[TROD_TYPES] = {
    "call", "return", "forward", "backward", "indirect"};

static const char *const metric_words[TROD_METRICS] = {
    "frequency", "instructions", "misses", "mispredictions", "power", "events"};

/* In the order of the enum values; the first is the default. */
static const struct {
    const char *word, *value[4];
} opens[TROD_OPENS] = {
    [TROD_OPEN_BACK] = {"back", {"taken", "all"}},
    [TROD_OPEN_BEGIN] = {"begin", {"next", "target"}},
    [TROD_OPEN_FULL] = {"full", {"full", "over"}},
    [TROD_OPEN_SPLIT] = {"split-and-pop", {"once", "twice"}},
    [TROD_OPEN_JUMPS] = {"jumps", {"counted", "free"}},
    [TROD_OPEN_INHERIT] = {"inherit", {"calls", "nothing"}},
    [TROD_OPEN_DEEPEST] = {"deepest", {"push", "end"}},
    [TROD_OPEN_CROSSING] = {"crossing", {"silent", "outcome"}},
    [TROD_OPEN_OVERFLOW] = {"overflow", {"forget", "grow"}},
    [TROD_OPEN_FORGOTTEN] = {"forgotten", {"lost", "reported"}},
    [TROD_OPEN_EMPTY] = {"empty", {"begin", "wait"}},
    [TROD_OPEN_COUNTER] = {"counter-over", {"saturate", "wrap"}},
    [TROD_OPEN_REPAIR] = {"repair", {"frames", "purge", "none"}},
    [TROD_OPEN_UNFINISHED] = {"unfinished", {"lost", "reported"}},
    [TROD_OPEN_SLOT] = {"slot", {"start", "end"}},
};

enum {
    COUNT = TROD_DO_COUNT,
    UPDATE = TROD_DO_UPDATE,
    POP = TROD_DO_POP,
    PUSH = TROD_DO_PUSH,
    CUT = TROD_DO_POP | TROD_DO_PUSH
};

/* Operations for calls, returns, forward, backward and indirect branches. */
static const struct trod_control named[] = {
    {.name = "ballarus", /* table 5.1 */
        .op = {COUNT | PUSH, COUNT | POP, UPDATE, UPDATE | CUT, UPDATE | CUT},
        .counter = 8,
        .split = 32,
        .stack = 32},
    {.name = "wpp", /* table 5.2 */
        .op = {COUNT | CUT, COUNT | CUT, UPDATE, UPDATE | CUT, UPDATE | CUT},
        .counter = 8,
        .split = 32,
        .stack = 32},
    {.name = "exact",
        .op = {COUNT | PUSH, COUNT | POP, UPDATE, UPDATE | CUT, COUNT | CUT},
        .counter = 64},
    {.name = "exact-wpp",
        .op = {COUNT | CUT, COUNT | CUT, UPDATE, UPDATE | CUT, COUNT | CUT},
        .counter = 64},
};

const char *trod_control_name(uint32_t which)
{
    return which < sizeof named / sizeof *named ? named[which].name : NULL;
}

const struct trod_control *trod_control_named(const char *name)
{
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(named[i].name, name) == 0)
            return &named[i];
    return NULL;
}

const char *trod_control_type_word(uint32_t type)
{
    return type < TROD_TYPES ? type_words[type] : NULL;
}

const char *trod_control_metric_word(uint32_t metric)
{
    return metric < TROD_METRICS ? metric_words[metric] : NULL;
}

const char *trod_control_open_word(uint32_t open)
{
    return open < TROD_OPENS ? opens[open].word : NULL;
}

const char *trod_control_value_word(uint32_t open, uint32_t value)
{
    return open < TROD_OPENS && value < 4 ? opens[open].value[value] : NULL;
}

static bool check_ops(const struct trod_control *c, struct trod_err *err)
{
    bool pops = false;

    for (uint32_t type = 0; type < TROD_TYPES; type++) {
        if ((c->op[type] & TROD_DO_UPDATE) && (c->op[type] & TROD_DO_COUNT))
            return trod_fail(err, TROD_E_INPUT,
                "control '%s' both updates and counts on '%s'; remove one", c->name,
                type_words[type]);
        if (c->op[type] > 15)
            return trod_fail(err, TROD_E_INPUT,
                "control '%s' has unknown operations on '%s'", c->name,
                type_words[type]);
        pops |= (c->op[type] & TROD_DO_POP) != 0;
    }
    return pops || trod_fail(err, TROD_E_INPUT,
                       "control '%s' never pops, so no path would end; add 'pop' to "
                       "'return' or 'backward'",
                       c->name);
}

bool trod_control_check(const struct trod_control *c, struct trod_err *err)
{
    if (!check_ops(c, err))
        return false;
    if (c->extend > TROD_EXTEND_CALLS || c->metric >= TROD_METRICS)
        return trod_fail(err, TROD_E_INPUT,
            "control '%s' has an unknown extension or metric", c->name);
    if ((c->extend == TROD_EXTEND_NOTHING) != (c->most_extended == 0) ||
        c->most_extended > 255)
        return trod_fail(err, TROD_E_INPUT,
            "control '%s' extends paths by %u of nothing; write 'extend: loops N' or "
            "'extend: calls N', N from 1 to 255",
            c->name, (unsigned)c->most_extended);
    if (c->counter < 1 || c->counter > 64)
        return trod_fail(err, TROD_E_INPUT,
            "control '%s' has a counter of %u bits; use 1 to 64", c->name,
            (unsigned)c->counter);
    for (uint32_t open = 0; open < TROD_OPENS; open++)
        if (!trod_control_value_word(open, c->open[open]))
            return trod_fail(err, TROD_E_INPUT, "control '%s' has no such '%s': %u",
                c->name, opens[open].word, (unsigned)c->open[open]);
    return true;
}
