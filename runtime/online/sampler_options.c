/* Options of the sampler as text: "key=value,..." */
#include "sampler_budget.h"

#include "trod/online.h"

enum {
    FIRST_F = 1024,
    USUAL_F = 65536,
    USUAL_MOST = 8192,
    USUAL_HOLD = 8,
    MOST_OF_BUDGET = 1 << 20 /* the budget, not this, limits what samples cost */
};

void __trod_sampler_options_default(struct trod_sampler_options *out)
{
    uint32_t i;

    out->memory = 65536;
    out->f = FIRST_F;
    out->least_f = USUAL_F;
    out->has_f = out->has_least_f = false;
    out->budget = 0;
    out->grow = 1.25;
    out->most = USUAL_MOST;
    out->has_most = false;
    out->hold = USUAL_HOLD;
    out->lengths = TROD_SAMPLE_POWERS;
    out->shortest = 2;
    out->longest = 32;
    out->nlength = 0;
    for (i = 0; i < TROD_SAMPLE_LENGTHS; i++) {
        out->length[i].length = 0;
        out->length[i].chance = 0;
    }
    out->bias = 0.5;
    out->identity = TROD_SAMPLE_ROTATION;
    out->ageing = TROD_SAMPLE_NO_AGEING;
    out->period = 0;
    out->threshold = 0;
    out->seed = 0;
    out->has_seed = false;
    out->never = false;
    out->costs = false;
    out->ones = false;
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

/* The longest prefix that is a decimal number; at most 2^63. */
static bool read_number(struct value *v, double *out)
{
    double n = 0, place = 1;

    if (v->at == v->end || (!is_digit(*v->at) && *v->at != '.'))
        return false;
    for (; v->at < v->end && is_digit(*v->at); v->at++)
        n = n * 10 + (*v->at - '0');
    if (v->at < v->end && *v->at == '.')
        for (v->at++; v->at < v->end && is_digit(*v->at); v->at++)
            n += (*v->at - '0') * (place /= 10);
    *out = n;
    return n <= 0x1p63;
}

/* A whole value from low to high; k, m and g are 2^10, 2^20 and 2^30. */
static bool read_scaled(struct value *v, double low, double high, double *out)
{
    double n, unit = 1;

    if (!read_number(v, &n))
        return false;
    if (v->at < v->end) {
        char c = *v->at++;

        unit = c == 'k' ? 0x1p10 : c == 'm' ? 0x1p20 : c == 'g' ? 0x1p30 : 0;
    }
    *out = n * unit;
    return v->at == v->end && unit > 0 && *out >= low && *out <= high;
}

static bool read_whole(struct value *v, double low, double high, uint64_t *out)
{
    double n;

    if (!read_scaled(v, low, high, &n))
        return false;
    *out = (uint64_t)n;
    return (double)*out == n;
}

/* Any 64-bit number, exactly. */
static bool read_seed(struct value *v, uint64_t *out)
{
    uint64_t n = 0;

    if (v->at == v->end)
        return false;
    for (; v->at < v->end; v->at++) {
        uint64_t digit = (uint64_t)(*v->at - '0');

        if (!is_digit(*v->at) || n > (UINT64_MAX - digit) / 10)
            return false;
        n = n * 10 + digit;
    }
    *out = n;
    return true;
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

/* "2:0.5+3:0.5" */
static bool read_list(struct value *v, struct trod_sampler_options *out)
{
    double sum = 0;

    for (out->nlength = 0; out->nlength < TROD_SAMPLE_LENGTHS; v->at++) {
        double length, chance;

        if (!read_number(v, &length) || v->at == v->end || *v->at != ':')
            return false;
        v->at++;
        if (!read_number(v, &chance))
            return false;
        if (length < 2 || length > TROD_ONLINE_LONGEST || length > (uint32_t)length)
            return false;
        out->length[out->nlength].length = (uint32_t)length;
        out->length[out->nlength++].chance = (float)chance;
        sum += chance;
        if (v->at == v->end)
            break;
        if (*v->at != '+')
            return false;
    }
    return v->at == v->end && sum > 1 - 1e-5 && sum < 1 + 1e-5;
}

/* --- keys --------------------------------------------------------------------------------------- */

enum key {
    KEY_MEMORY,
    KEY_F,
    KEY_LEAST_F,
    KEY_MOST,
    KEY_GROW,
    KEY_LENGTHS,
    KEY_SHORTEST,
    KEY_LONGEST,
    KEY_BIAS,
    KEY_COSTS,
    KEY_AGE,
    KEY_WINDOW,
    KEY_THRESHOLD,
    KEY_IDENTITY,
    KEY_ONES,
    KEY_SEED,
    KEY_BUDGET,
    KEY_HOLD
};

static const char *const keys[] = {"memory", "f", "least-f", "most", "grow", "lengths",
    "shortest", "longest", "bias", "costs", "age", "window", "threshold", "identity",
    "ones", "seed", "budget", "hold", NULL};

static const char *const wrong[] = {
    "memory= takes bytes from 8k to 1g",
    "f= takes a number from 1 to 2^40, or never",
    "least-f= takes a number from 1 to 2^40",
    "most= takes a number of samples from 16 to 2^39",
    "grow= takes a number from 1.1 to 1024",
    "lengths= takes powers, uniform, inverse, or LENGTH:CHANCE+... of up to 32 lengths from 2 to 1024 whose chances add up to 1",
    "shortest= takes a number of blocks from 2 to 1024",
    "longest= takes a number of blocks from 2 to 1024",
    "bias= takes a number above 0, up to 16",
    "costs= takes yes or no",
    "age= takes a number of samples, or 0 for never",
    "window= takes a number of samples, or 0 for none",
    "threshold= takes a number of executions, or 0 for none",
    "identity= takes rotation, sequence or xor",
    "ones= takes hash or text",
    "seed= takes a whole number below 2^64",
    "budget= takes a share of the time: 2% or 0.02, or 0 for none",
    "hold= takes 1, 2, 4 or 8",
};

static bool read_lengths(struct value *v, struct trod_sampler_options *out)
{
    static const char *const words[] = {"powers", "uniform", "inverse", NULL};

    out->nlength = 0;
    if (read_word(v, words, &out->lengths))
        return true;
    out->lengths = TROD_SAMPLE_LIST;
    return read_list(v, out);
}

static bool read_blocks(struct value *v, uint32_t *out)
{
    uint64_t n;

    if (!read_whole(v, 2, TROD_ONLINE_LONGEST, &n))
        return false;
    *out = (uint32_t)n;
    return true;
}

static bool read_period(
    struct value *v, struct trod_sampler_options *out, enum trod_sample_ageing ageing)
{
    if (!read_whole(v, 0, 0x1p40, &out->period))
        return false;
    out->ageing = out->period ? ageing : TROD_SAMPLE_NO_AGEING;
    return true;
}

static bool read_one_of_two(
    const struct value *v, const char *no, const char *yes, bool *out)
{
    const char *const words[] = {no, yes, NULL};
    uint32_t word;

    if (!read_word(v, words, &word))
        return false;
    *out = word;
    return true;
}

static bool read_hold(struct value *v, uint32_t *out)
{
    static const char *const words[] = {"1", "2", "4", "8", NULL};
    uint32_t word;

    if (!read_word(v, words, &word))
        return false;
    *out = UINT32_C(1) << word;
    return true;
}

static bool read_value(struct trod_sampler_options *out, uint32_t key, struct value *v)
{
    static const char *const identities[] = {"rotation", "sequence", "xor", NULL};

    switch ((enum key)key) {
    case KEY_MEMORY:
        return read_whole(v, 0x1p13, 0x1p30, &out->memory);
    case KEY_F:
        out->never = is_word(v, "never");
        if (!out->never && !read_scaled(v, 1, 0x1p40, &out->f))
            return false;
        out->has_f |= !out->never;
        return true;
    case KEY_LEAST_F:
        out->has_least_f = true;
        return read_scaled(v, 1, 0x1p40, &out->least_f);
    case KEY_MOST:
        out->has_most = true;
        return read_whole(v, 16, 0x1p39, &out->most);
    case KEY_GROW:
        return read_scaled(v, 1.1, 1024, &out->grow);
    case KEY_LENGTHS:
        return read_lengths(v, out);
    case KEY_SHORTEST:
        return read_blocks(v, &out->shortest);
    case KEY_LONGEST:
        return read_blocks(v, &out->longest);
    case KEY_BIAS:
        return read_scaled(v, 0, 16, &out->bias) && out->bias > 0;
    case KEY_COSTS:
        return read_one_of_two(v, "no", "yes", &out->costs);
    case KEY_AGE:
        return read_period(v, out, TROD_SAMPLE_HALVES);
    case KEY_WINDOW:
        return read_period(v, out, TROD_SAMPLE_WINDOW);
    case KEY_THRESHOLD:
        return read_scaled(v, 0, 0x1p62, &out->threshold);
    case KEY_IDENTITY:
        return read_word(v, identities, &out->identity);
    case KEY_ONES:
        return read_one_of_two(v, "hash", "text", &out->ones);
    case KEY_SEED:
        out->has_seed = true;
        return read_seed(v, &out->seed);
    case KEY_BUDGET:
        return __trod_budget_read(v->at, v->end, &out->budget);
    case KEY_HOLD:
        return read_hold(v, &out->hold);
    }
    return false;
}

/* --- the whole ----------------------------------------------------------------------------------- */

/* Fixed lengths must be consecutive; a list determines the range. */
static const char *check_lengths(struct trod_sampler_options *o)
{
    uint32_t i, j, power = 2;

    if (o->lengths == TROD_SAMPLE_LIST) {
        o->shortest = TROD_ONLINE_LONGEST;
        o->longest = 2;
    }
    for (i = 0; i < o->nlength; i++) {
        for (j = 0; j < i; j++)
            if (o->length[i].length == o->length[j].length)
                return "lengths= lists a length twice";
        if (o->length[i].length < o->shortest)
            o->shortest = o->length[i].length;
        if (o->length[i].length > o->longest)
            o->longest = o->length[i].length;
    }
    if (o->shortest > o->longest)
        return "shortest= is more than longest=";
    while (power < o->shortest)
        power *= 2;
    if (o->lengths == TROD_SAMPLE_POWERS && power > o->longest)
        return "there is no power of two from shortest= to longest=: choose other lengths=";
    return NULL;
}

const char *__trod_sampler_options_check(const struct trod_sampler_options *o)
{
    struct trod_sampler_layout layout;

    if (o->budget && o->ageing == TROD_SAMPLE_WINDOW)
        return "budget= and window= exclude each other: the samples of a window have one f";
    if (!__trod_sampler_layout(&layout, o))
        return o->ageing == TROD_SAMPLE_WINDOW
                   ? "memory= is too small for such a window= and longest="
                   : "memory= is too small for such a longest=";
    return NULL;
}

/* What was not said, f and its limits, depends on the rest. */
static void choose_f(struct trod_sampler_options *o)
{
    if (!o->has_most)
        o->most = o->budget ? MOST_OF_BUDGET : USUAL_MOST;
    if (!o->has_f)
        o->f = o->budget ? USUAL_F : FIRST_F;
    if (!o->has_least_f)
        o->least_f = o->has_f ? o->f : o->budget ? TROD_SAMPLER_LEAST_F : USUAL_F;
}

/* One "key=value". */
static const char *read_pair(struct trod_sampler_options *out, struct value key)
{
    struct value v = {key.at, key.end};
    uint32_t which;

    while (v.at < v.end && *v.at != '=')
        v.at++;
    if (v.at == v.end)
        return "options are key=value,...";
    key.end = v.at++;
    if (!read_word(&key, keys, &which))
        return "unknown option; expected memory, f, least-f, most, grow, lengths, "
               "shortest, longest, bias, costs, age, window, threshold, identity, ones, "
               "seed, budget or hold";
    return read_value(out, which, &v) ? NULL : wrong[which];
}

static void copy(
    struct trod_sampler_options *to, const struct trod_sampler_options *from)
{
    const volatile char *in = (const volatile char *)from;
    char *out = (char *)to;
    size_t i;

    for (i = 0; i < sizeof *to; i++) /* volatile: avoids memcpy */
        out[i] = in[i];
}

bool __trod_sampler_options_parse(
    struct trod_sampler_options *out, const char *text, const char **why)
{
    struct trod_sampler_options changed;
    struct value pair = {text, text};

    copy(&changed, out);
    *why = NULL;
    for (; *text && !*why; text = *pair.end ? pair.end + 1 : pair.end) {
        pair.at = pair.end = text;
        while (*pair.end && *pair.end != ',')
            pair.end++;
        *why = read_pair(&changed, pair);
    }
    choose_f(&changed);
    if (!*why)
        *why = check_lengths(&changed);
    if (!*why)
        *why = __trod_sampler_options_check(&changed);
    if (*why)
        return false;
    copy(out, &changed);
    return true;
}
