/* Options of burst profiling as text: "key=value,..." */
#include "burst_plan.h"

static const char *const types[] = {
    "paths", "methods", "calls", "trips", "streams", "handler", "time", NULL};

#define MOST_BYTES (UINT64_C(1) << 50)

enum { MOST_HZ = 10000, BUDGET_OF_FLAG = 30000 };

static void set_all(uint64_t *of, uint64_t value, uint32_t but)
{
    uint32_t t;

    for (t = 0; t < TROD_BURST_TYPES; t++)
        if (!(but >> t & 1))
            of[t] = value;
}

void __trod_burst_options_default(struct trod_burst_options *out)
{
    out->types = 1 << TROD_BURST_PATHS | 1 << TROD_BURST_METHODS |
                 1 << TROD_BURST_CALLS | 1 << TROD_BURST_TRIPS;
    out->trigger = TROD_BURST_COUNT;
    out->has_trigger = false;
    out->off = false;
    out->period = TROD_BURST_JITTER;
    out->words = TROD_RT_SKIPS;
    out->hz = 1000;
    out->budget = 0;
    out->said_rate = out->said_burst = 0;
    set_all(out->rate, 1000, 0);
    set_all(out->burst, 1, 0);
    out->burst[TROD_BURST_STREAMS] = 100;
    out->seed = 0;
    out->has_seed = false;
    out->most = UINT64_C(256) << 20;
    out->nmetric = 0;
}

/* --- values ------------------------------------------------------------------------------- */

/* A part of the text; readers advance at. */
struct value {
    const char *at, *end;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* The longest prefix that is a whole number. */
static bool read_digits(struct value *v, uint64_t *out)
{
    uint64_t n = 0;

    if (v->at == v->end || !is_digit(*v->at))
        return false;
    for (; v->at < v->end && is_digit(*v->at); v->at++) {
        uint64_t digit = (uint64_t)(*v->at - '0');

        if (n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = n;
    return true;
}

static bool read_whole(struct value *v, uint64_t low, uint64_t high, uint64_t *out)
{
    return read_digits(v, out) && v->at == v->end && *out >= low && *out <= high;
}

static bool read_small(struct value *v, uint64_t low, uint64_t high, uint32_t *out)
{
    uint64_t n;

    if (!read_whole(v, low, high, &n))
        return false;
    *out = (uint32_t)n;
    return true;
}

/* k, m and g are 2^10, 2^20 and 2^30. */
static bool read_bytes(struct value *v, uint64_t high, uint64_t *out)
{
    unsigned shift = 0;

    if (!read_digits(v, out))
        return false;
    if (v->at < v->end) {
        char c = *v->at++;

        shift = c == 'k' ? 10 : c == 'm' ? 20 : c == 'g' ? 30 : 0;
        if (!shift)
            return false;
    }
    if (v->at < v->end || *out > high >> shift)
        return false;
    *out <<= shift;
    return true;
}

/* "1000" or "1/1000" */
static bool read_rate(struct value *v, uint64_t *out)
{
    if (v->end - v->at > 2 && v->at[0] == '1' && v->at[1] == '/')
        v->at += 2;
    return read_whole(v, 1, TROD_BURST_MOST_RATE, out);
}

static bool is_word(const struct value *v, const char *word)
{
    const char *at = v->at;

    for (; at < v->end && *word && *at == *word; at++)
        word++;
    return at == v->end && !*word;
}

/* The index of the word in a list that ends with NULL. */
static bool read_word(const struct value *v, const char *const *words, uint32_t *out)
{
    uint32_t i;

    for (i = 0; words[i]; i++) {
        if (is_word(v, words[i])) {
            *out = i;
            return true;
        }
    }
    return false;
}

/* The time of a path means nothing without its count. */
static void add_needed(uint32_t *of)
{
    if (*of >> TROD_BURST_TIME & 1)
        *of |= 1 << TROD_BURST_PATHS;
}

/* "paths+calls" */
static bool read_types(struct value *v, uint32_t *out)
{
    struct value one = {v->at, v->at};
    uint32_t type;

    for (*out = 0;; one.at = ++one.end) {
        while (one.end < v->end && *one.end != '+')
            one.end++;
        if (!read_word(&one, types, &type))
            return false;
        *out |= UINT32_C(1) << type;
        if (one.end == v->end)
            break;
    }
    add_needed(out);
    return true;
}

/* The number of a metric's name. */
static bool read_metric(const struct value *v, uint32_t *out)
{
    const char *name;

    for (*out = TROD_METER_TIME + 1; *out < TROD_METERS; ++*out) {
        name = trod_meter_name(*out);
        if (name && is_word(v, name))
            return true;
    }
    return false;
}

/* "cycles+page-faults" */
static bool read_metrics(struct value *v, struct trod_burst_options *out)
{
    struct value one = {v->at, v->at};
    uint32_t metric, i;

    out->nmetric = 0;
    if (is_word(v, "none"))
        return true;
    for (;; one.at = ++one.end) {
        while (one.end < v->end && *one.end != '+')
            one.end++;
        if (!read_metric(&one, &metric))
            return false;
        for (i = 0; i < out->nmetric && out->metric[i] != metric; i++)
            ;
        if (i == TROD_RT_METRICS)
            return false;
        out->metric[i] = metric;
        out->nmetric += i == out->nmetric;
        if (one.end == v->end)
            return true;
    }
}

/* --- keys ------------------------------------------------------------------------------------ */

enum key {
    KEY_TYPES,
    KEY_TRIGGER,
    KEY_RATE,
    KEY_BURST,
    KEY_PERIOD,
    KEY_WORDS,
    KEY_HZ,
    KEY_BUDGET,
    KEY_SEED,
    KEY_MOST,
    KEY_METRICS
};

static const char *const keys[] = {"types", "trigger", "rate", "burst", "period",
    "words", "hz", "budget", "seed", "most", "metrics", NULL};

static const char *const wrong[] = {
    "types= takes paths, methods, calls, trips, streams, handler and time, with + between them",
    "trigger= takes count, flag, always or never",
    "rate= takes a whole number from 1 to 100000000; N or 1/N samples one in N events",
    "burst= takes a number of events from 1 to 1000000",
    "period= takes fixed, prime, jitter or geometric",
    "words= takes 16 or 1",
    "hz= takes a number of ticks per second from 1 to 10000",
    "budget= takes a share of the time: 2% or 0.02, or 0 for none",
    "seed= takes a whole number below 2^64",
    "most= takes bytes, up to 2^50; it may end in k, m or g",
    ("metrics= takes up to four names with + between them, such as instructions, "
     "cache-misses, branch-misses, page-faults or context-switches, or none"),
};

/* Set the value of one type; or of all types, except those that were set individually. */
static void take(uint64_t *of, uint32_t *said, uint32_t type, uint64_t value)
{
    if (type == TROD_BURST_TYPES) {
        set_all(of, value, *said);
    } else {
        of[type] = value;
        *said |= UINT32_C(1) << type;
    }
}

static bool read_value(
    struct trod_burst_options *out, uint32_t key, uint32_t type, struct value *v)
{
    static const char *const triggers[] = {"count", "flag", "always", "never", NULL};
    static const char *const periods[] = {
        "fixed", "prime", "jitter", "geometric", NULL};
    uint64_t n;

    switch ((enum key)key) {
    case KEY_TYPES:
        return read_types(v, &out->types);
    case KEY_TRIGGER:
        out->has_trigger = true;
        return read_word(v, triggers, &out->trigger);
    case KEY_RATE:
        if (!read_rate(v, &n))
            return false;
        take(out->rate, &out->said_rate, type, n);
        return true;
    case KEY_BURST:
        if (!read_whole(v, 1, TROD_BURST_MOST_BURST, &n))
            return false;
        take(out->burst, &out->said_burst, type, n);
        return true;
    case KEY_PERIOD:
        return read_word(v, periods, &out->period);
    case KEY_WORDS:
        return read_small(v, 1, TROD_RT_SKIPS, &out->words) &&
               (out->words == 1 || out->words == TROD_RT_SKIPS);
    case KEY_HZ:
        return read_small(v, 1, MOST_HZ, &out->hz);
    case KEY_BUDGET:
        return __trod_budget_read(v->at, v->end, &out->budget);
    case KEY_SEED:
        out->has_seed = true;
        return read_whole(v, 0, UINT64_MAX, &out->seed);
    case KEY_MOST:
        return read_bytes(v, MOST_BYTES, &out->most);
    case KEY_METRICS:
        return read_metrics(v, out);
    }
    return false;
}

/* --- the whole ----------------------------------------------------------------------------------- */

/* "rate.calls": returns the type and shortens key to what precedes it. */
static bool read_type(struct value *key, uint32_t *out)
{
    struct value type = {key->at, key->end};

    *out = TROD_BURST_TYPES;
    while (type.at < type.end && *type.at != '.')
        type.at++;
    if (type.at == type.end)
        return true;
    key->end = type.at++;
    return (is_word(key, "rate") || is_word(key, "burst")) &&
           read_word(&type, types, out);
}

/* "on" or "off". */
static bool read_switch(struct trod_burst_options *out, const struct value *v)
{
    static const char *const switches[] = {"on", "off", NULL};
    uint32_t off;

    if (!read_word(v, switches, &off))
        return false;
    out->off = off;
    return true;
}

/* One "key=value". */
static const char *read_pair(struct trod_burst_options *out, struct value key)
{
    struct value v = {key.at, key.end};
    uint32_t which, type;

    while (v.at < v.end && *v.at != '=')
        v.at++;
    if (v.at == v.end)
        return read_switch(out, &key) ? NULL : "options are key=value,..., on or off";
    key.end = v.at++;
    if (!read_type(&key, &type))
        return "only rate and burst take a type, as in rate.calls=100: paths, "
               "methods, calls, trips, streams, handler or time";
    if (!read_word(&key, keys, &which))
        return "unknown option; expected types, trigger, rate, burst, period, words, "
               "hz, budget, seed, most or metrics";
    return read_value(out, which, type, &v) ? NULL : wrong[which];
}

static void copy(struct trod_burst_options *to, const struct trod_burst_options *from)
{
    const volatile char *in = (const volatile char *)from;
    char *out = (char *)to;
    size_t i;

    for (i = 0; i < sizeof *to; i++) /* volatile: avoids memcpy */
        out[i] = in[i];
}

static const char *read_all(struct trod_burst_options *out, const char *text)
{
    struct value pair = {text, text};
    const char *why = NULL;

    for (; *text && !why; text = *pair.end ? pair.end + 1 : pair.end) {
        pair.at = pair.end = text;
        while (*pair.end && *pair.end != ',')
            pair.end++;
        why = read_pair(out, pair);
    }
    return why;
}

bool __trod_burst_options_parse(
    struct trod_burst_options *out, const char *text, const char **why)
{
    struct trod_burst_options changed;

    copy(&changed, out);
    *why = read_all(&changed, text);
    if (*why)
        return false;
    if (changed.budget && !changed.has_trigger)
        changed.trigger =
            changed.budget < BUDGET_OF_FLAG ? TROD_BURST_FLAG : TROD_BURST_COUNT;
    if (changed.nmetric) {
        changed.types |= 1 << TROD_BURST_TIME;
        add_needed(&changed.types);
    }
    copy(out, &changed);
    return true;
}

/* With trigger always or never, programs use the subtracting check. */
bool __trod_burst_options_again(
    struct trod_burst_options *out, const char *text, const char **why)
{
    struct trod_burst_options changed;
    uint32_t check =
        out->trigger == TROD_BURST_FLAG ? TROD_BURST_FLAG : TROD_BURST_COUNT;

    copy(&changed, out);
    *why = read_all(&changed, text);
    if (*why)
        return false;
    if (changed.words != out->words) {
        *why = "words= can be set only in 'trod cc --burst', not while the program "
               "runs";
        changed.words = out->words;
    }
    if (changed.trigger != check && changed.trigger != TROD_BURST_ALWAYS &&
        changed.trigger != TROD_BURST_NEVER) {
        *why = "trigger= must be always, never, or the trigger that the program was "
               "built with";
        changed.trigger = out->trigger;
    }
    if (changed.nmetric && !out->nmetric) {
        *why = "metrics= needs a program that was built with metrics in 'trod cc "
               "--burst'";
        changed.nmetric = 0;
    }
    if (changed.types & ~out->types) {
        *why = "types= names types that the program was not built with";
        changed.types &= out->types;
    }
    copy(out, &changed);
    return !*why;
}
