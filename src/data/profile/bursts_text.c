#include "profile/profile.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* --- printing ----------------------------------------------------------------------------------- */

/* Numbers that are 0 are not printed. */
struct number {
    const char *word;
    uint64_t *number;
};

enum { NUMBERS = 8 };

static void list_numbers(struct number out[NUMBERS], struct trod_format_burst *how)
{
    out[0] = (struct number){"time", &how->time};
    out[1] = (struct number){"cost", &how->cost};
    out[2] = (struct number){"seen", &how->nevent};
    out[3] = (struct number){"passed", &how->npassed};
    out[4] = (struct number){"missed", &how->nmissed};
    out[5] = (struct number){"ticks", &how->ticks};
    out[6] = (struct number){"nanoseconds", &how->nanoseconds};
    out[7] = (struct number){"floor", &how->floor};
}

static void put_known(struct trod_sink *sink, const char *word, uint64_t value)
{
    if (value)
        trod_put(sink, "%s %" PRIu64 "\n", word, value);
}

void trod_profile_burst_print(
    struct trod_sink *sink, const struct trod_profile_burst *burst, bool groups)
{
    struct trod_format_burst how = burst->how;
    struct number number[NUMBERS];

    trod_put(sink, "burst %s %s %" PRIu64, trod_profile_trigger_name(how.trigger),
        trod_profile_period_name(how.period), burst->nthread);
    if (groups)
        trod_put(sink, " @%" PRIu32, burst->group);
    trod_put(sink, "\n");
    put_known(sink, "words", how.words);
    put_known(sink, "hz", how.hz);
    put_known(sink, "budget", how.budget);
    list_numbers(number, &how);
    for (int i = 0; i < NUMBERS; i++)
        put_known(sink, number[i].word, *number[i].number);
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++)
        if (trod_profile_has_type(burst, t))
            trod_put(sink,
                "type %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
                " %" PRIu64 " %" PRIu64 "\n",
                trod_profile_type_name(t), how.type[t].burst, how.type[t].sparsity,
                burst->most_sparsity[t], how.type[t].weight, burst->most_weight[t],
                how.type[t].nburst, how.type[t].nevent);
}

void trod_profile_burst_json(
    struct trod_json *json, const struct trod_profile_burst *burst)
{
    const struct trod_format_burst *how = &burst->how;

    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "group", burst->group);
    trod_json_text(json, "trigger", trod_profile_trigger_name(how->trigger));
    trod_json_text(json, "period", trod_profile_period_name(how->period));
    trod_json_uint(json, "threads", burst->nthread);
    trod_json_uint(json, "words", how->words);
    trod_json_uint(json, "hz", how->hz);
    trod_json_real(json, "budget", (double)how->budget / TROD_PROFILE_MILLION);
    trod_json_uint(json, "time", how->time);
    trod_json_uint(json, "cost", how->cost);
    trod_json_uint(json, "floor", how->floor);
    trod_json_uint(json, "seen", how->nevent);
    trod_json_uint(json, "passed", how->npassed);
    trod_json_uint(json, "missed", how->nmissed);
    if (how->nanoseconds) {
        trod_json_uint(json, "ticks", how->ticks);
        trod_json_uint(json, "nanoseconds", how->nanoseconds);
    }
    trod_json_open(json, "types", '[');
    for (uint32_t t = 0; t < TROD_BURST_TYPES; t++) {
        if (!trod_profile_has_type(burst, t))
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "type", trod_profile_type_name(t));
        trod_json_uint(json, "burst", how->type[t].burst);
        trod_json_uint(json, "least_sparsity", how->type[t].sparsity);
        trod_json_uint(json, "most_sparsity", burst->most_sparsity[t]);
        trod_json_uint(json, "least_weight", how->type[t].weight);
        trod_json_uint(json, "most_weight", burst->most_weight[t]);
        trod_json_uint(json, "bursts", how->type[t].nburst);
        trod_json_uint(json, "events", how->type[t].nevent);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- parsing ------------------------------------------------------------------------------------ */

struct parser {
    struct trod_parse in;
    struct trod_profile_burst *out;
};

/* `@N`, or nothing. Reads the rest of the line. */
static bool take_group(struct parser *p)
{
    struct trod_token token;
    uint64_t group;

    if (!trod_parse_next(&token, &p->in))
        return false;
    if (trod_token_is_over(&token))
        return true;
    if (token.kind != TROD_T_NAME || token.name[0] != '@' ||
        !trod_text_uint(&group, token.name + 1) || group > UINT32_MAX)
        return trod_parse_fail(
            &p->in, "only the number of a group may stand here: '@0', '@1' ...");
    p->out->group = (uint32_t)group;
    return trod_parse_end(&p->in, "the group");
}

static bool parse_type(struct parser *p)
{
    struct trod_format_burst *how = &p->out->how;
    uint32_t t;

    if (!trod_parse_listed(&t, &p->in, trod_profile_type_name,
            "a type: paths, methods, calls, trips, streams, handler or time"))
        return false;
    if (trod_profile_has_type(p->out, t))
        return trod_parse_fail(&p->in, "the type occurs twice");
    how->types |= UINT32_C(1) << t;
    return trod_parse_uint(&how->type[t].burst, &p->in, "the events of a burst") &&
           trod_parse_uint(&how->type[t].sparsity, &p->in, "the least sparsity") &&
           trod_parse_uint(&p->out->most_sparsity[t], &p->in, "the highest sparsity") &&
           trod_parse_uint(&how->type[t].weight, &p->in, "the least weight") &&
           trod_parse_uint(&p->out->most_weight[t], &p->in, "the highest weight") &&
           trod_parse_uint(
               &how->type[t].nburst, &p->in, "how many bursts there were") &&
           trod_parse_uint(&how->type[t].nevent, &p->in, "how many events were on") &&
           trod_parse_end(&p->in, "a type");
}

static bool take_small(struct parser *p, uint32_t *out, const char *what)
{
    uint64_t value;

    if (!trod_parse_uint(&value, &p->in, what))
        return false;
    *out = (uint32_t)value;
    if (value > UINT32_MAX)
        return trod_parse_fail(&p->in, "%s is below 4294967296", what);
    return trod_parse_end(&p->in, what);
}

/* *taken: the line belongs to a burst. */
static bool parse_line(struct parser *p, const struct trod_token *head, bool *taken)
{
    struct trod_format_burst *how = &p->out->how;
    struct number number[NUMBERS];

    *taken = true;
    list_numbers(number, how);
    for (int i = 0; i < NUMBERS; i++)
        if (trod_token_is_word(head, number[i].word))
            return trod_parse_uint(number[i].number, &p->in, "a number") &&
                   trod_parse_end(&p->in, number[i].word);
    if (trod_token_is_word(head, "words"))
        return take_small(p, &how->words, "a number of words");
    if (trod_token_is_word(head, "hz"))
        return take_small(p, &how->hz, "a number of ticks");
    if (trod_token_is_word(head, "budget"))
        return take_small(p, &how->budget, "a budget");
    if (trod_token_is_word(head, "type"))
        return parse_type(p);
    *taken = false;
    return true;
}

/* Reads lines up to the first that does not belong to a burst. */
static bool parse_lines(struct parser *p)
{
    bool taken = true;

    while (taken) {
        struct trod_text before = *p->in.text;
        struct trod_token head;

        if (!trod_parse_next(&head, &p->in))
            return false;
        if (head.kind == TROD_T_LINE)
            continue;
        taken = false;
        if (head.kind != TROD_T_END && !parse_line(p, &head, &taken))
            return false;
        if (!taken)
            *p->in.text = before;
    }
    return true;
}

bool trod_profile_burst_parse(struct trod_profile_burst *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .out = out};
    const char *fault;

    *out = (struct trod_profile_burst){0};
    if (!trod_parse_listed(&out->how.trigger, &p.in, trod_profile_trigger_name,
            "what begins bursts: count, flag, always or never") ||
        !trod_parse_listed(&out->how.period, &p.in, trod_profile_period_name,
            "how they are spaced: fixed, prime, jitter or geometric") ||
        !trod_parse_uint(&out->nthread, &p.in, "a number of threads") ||
        !take_group(&p) || !parse_lines(&p))
        return false;
    fault = trod_profile_burst_fault(out);
    return !fault || trod_text_fail(text, err, "the burst above: this %s", fault);
}
