#include "profile/profile.h"
#include "base/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- printing ----------------------------------------------------------------------------------- */

/* The shortest decimal number that reads back as the same value. */
static void put_real(struct trod_sink *sink, const char *key, double value, int digits)
{
    char text[40];

    snprintf(text, sizeof text, "%.*g", digits, value);
    trod_put(sink, "%s", key);
    trod_put_name(sink, text);
}

static void put_known(struct trod_sink *sink, const char *word, uint64_t value)
{
    if (value)
        trod_put(sink, "%s %" PRIu64 "\n", word, value);
}

static void print_how(struct trod_sink *sink, const struct trod_format_sample *how)
{
    trod_put(sink, "samples %" PRIu32 " %s\n", how->thread,
        trod_profile_identity_name(how->identity));
    trod_put(sink, "lengths %s %" PRIu32 " %" PRIu32,
        trod_profile_lengths_name(how->lengths), how->shortest, how->longest);
    put_real(sink, " ", how->bias, 17);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < how->nlength; i++) {
        trod_put(sink, "chance %" PRIu32, how->length[i].length);
        put_real(sink, " ", (double)how->length[i].chance, 9);
        trod_put(sink, "\n");
    }
    if (how->costs)
        trod_put(sink, "costs\n");
    if (how->ageing)
        trod_put(sink, "ageing %s %" PRIu64 "\n", trod_profile_ageing_name(how->ageing),
            how->period);
    if (how->threshold > 0) {
        put_real(sink, "threshold ", how->threshold, 17);
        trod_put(sink, "\n");
    }
    for (uint32_t i = 0; i < TROD_SAMPLE_LEVELS; i++)
        if (how->frequency[i] > 0) {
            trod_put(sink, "frequency %" PRIu32, i);
            put_real(sink, " ", how->frequency[i], 17);
            trod_put(sink, "\n");
        }
    put_known(sink, "level", how->level);
    put_known(sink, "starts", how->nbegun);
    put_known(sink, "counted", how->nsample);
    put_known(sink, "dropped", how->ndropped);
    put_known(sink, "rejected", how->nrejected);
    put_known(sink, "once", how->nonce);
    put_known(sink, "time", how->time);
    put_known(sink, "cost", how->cost);
    put_known(sink, "floor", how->floor);
    put_known(sink, "budget", how->budget);
}

void trod_profile_samples_print(
    struct trod_sink *sink, const struct trod_profile_samples *s)
{
    print_how(sink, &s->how);
    for (size_t i = 0; i < s->nsampled; i++) {
        const struct trod_profile_sampled *one = &s->sampled[i];

        trod_put(sink, "sampled %" PRIu64 " %" PRIu32, one->count, one->level);
        for (uint32_t k = 0; k < one->length; k++)
            trod_put(sink, " %" PRIu32, one->block[k]);
        trod_put(sink, "\n");
    }
}

static void json_how(struct trod_json *json, const struct trod_format_sample *how)
{
    trod_json_uint(json, "thread", how->thread);
    trod_json_text(json, "identity", trod_profile_identity_name(how->identity));
    trod_json_text(json, "lengths", trod_profile_lengths_name(how->lengths));
    trod_json_uint(json, "shortest", how->shortest);
    trod_json_uint(json, "longest", how->longest);
    trod_json_real(json, "bias", how->bias);
    trod_json_open(json, "list", '[');
    for (uint32_t i = 0; i < how->nlength; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "length", how->length[i].length);
        trod_json_real(json, "chance", (double)how->length[i].chance);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_bool(json, "costs", how->costs);
    trod_json_text(json, "ageing", trod_profile_ageing_name(how->ageing));
    trod_json_uint(json, "period", how->period);
    trod_json_real(json, "threshold", how->threshold);
    trod_json_real(json, "frequency", how->frequency[how->level]);
    trod_json_uint(json, "starts", how->nbegun);
    trod_json_uint(json, "counted", how->nsample);
    trod_json_uint(json, "dropped", how->ndropped);
    trod_json_uint(json, "rejected", how->nrejected);
    trod_json_uint(json, "once", how->nonce);
    trod_json_uint(json, "time", how->time);
    trod_json_uint(json, "cost", how->cost);
    trod_json_uint(json, "floor", how->floor);
    trod_json_real(json, "budget", (double)how->budget / TROD_PROFILE_MILLION);
}

void trod_profile_samples_json(
    struct trod_json *json, const struct trod_profile_samples *s)
{
    trod_json_open(json, NULL, '{');
    json_how(json, &s->how);
    trod_json_open(json, "sampled", '[');
    for (size_t k = 0; k < s->nsampled; k++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "count", s->sampled[k].count);
        trod_json_real(json, "frequency", s->how.frequency[s->sampled[k].level]);
        trod_json_open(json, "blocks", '[');
        for (uint32_t b = 0; b < s->sampled[k].length; b++)
            trod_json_uint(json, NULL, s->sampled[k].block[b]);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- parsing ------------------------------------------------------------------------------------ */

struct parser {
    struct trod_parse in;
    struct trod_profile_samples *out;
    struct trod_profile_sampled *sampled;
    size_t room_sampled;
};

static bool parse_lengths(struct parser *p, struct trod_format_sample *how)
{
    return trod_parse_listed(&how->lengths, &p->in, trod_profile_lengths_name,
               "how lengths are drawn: powers, uniform, inverse or list") &&
           trod_parse_u32(&how->shortest, &p->in, "the shortest length") &&
           trod_parse_u32(&how->longest, &p->in, "the longest length") &&
           trod_parse_real(&how->bias, &p->in, "a bias");
}

static bool parse_chance(struct parser *p, struct trod_format_sample *how)
{
    uint32_t n = how->nlength;
    double chance;

    if (n == TROD_SAMPLE_LENGTHS)
        return trod_parse_fail(&p->in, "more than %d lengths", TROD_SAMPLE_LENGTHS);
    if (!trod_parse_u32(&how->length[n].length, &p->in, "a length") ||
        !trod_parse_real(&chance, &p->in, "its chance"))
        return false;
    how->length[n].chance = (float)chance;
    how->nlength++;
    return true;
}

static bool parse_frequency(struct parser *p, struct trod_format_sample *how)
{
    uint64_t level;

    if (!trod_parse_uint(&level, &p->in, "a level"))
        return false;
    if (level >= TROD_SAMPLE_LEVELS)
        return trod_parse_fail(&p->in, "levels are below %d", TROD_SAMPLE_LEVELS);
    return trod_parse_real(&how->frequency[level], &p->in, "the frequency of a level");
}

static bool parse_sampled(struct parser *p)
{
    struct trod_profile_sampled one = {0};
    struct trod_token token;
    uint32_t *block = NULL;
    uint32_t room = 0;
    uint64_t number;

    if (!trod_parse_uint(
            &one.count, &p->in, "how many samples there are of a subpath") ||
        !trod_parse_u32(&one.level, &p->in, "the level of a subpath"))
        return false;
    for (;;) {
        if (!trod_parse_next(&token, &p->in))
            return false;
        if (trod_token_is_over(&token))
            break;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&number, token.name) ||
            number > UINT32_MAX || one.length == TROD_PROFILE_LONGEST)
            return trod_parse_fail(&p->in,
                "expected blocks of the subpath, which are numbers, at most %d of them",
                TROD_PROFILE_LONGEST);
        trod_push(p->in.mem, block, one.length, room, (uint32_t)number);
    }
    one.block = block;
    trod_push(p->in.mem, p->sampled, p->out->nsampled, p->room_sampled, one);
    return true;
}

/* *taken: the line belongs to samples. */
static bool parse_how(struct parser *p, const struct trod_token *head, bool *taken)
{
    struct trod_format_sample *how = &p->out->how;
    const struct {
        const char *word;
        uint64_t *number;
    } known[] = {{"level", &how->level}, {"starts", &how->nbegun},
        {"counted", &how->nsample}, {"dropped", &how->ndropped},
        {"rejected", &how->nrejected}, {"once", &how->nonce}, {"time", &how->time},
        {"cost", &how->cost}, {"floor", &how->floor}};

    *taken = true;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (trod_token_is_word(head, known[i].word))
            return trod_parse_uint(known[i].number, &p->in, "a number") &&
                   trod_parse_end(&p->in, known[i].word);
    if (trod_token_is_word(head, "budget"))
        return trod_parse_u32(&how->budget, &p->in, "a budget") &&
               trod_parse_end(&p->in, "the budget");
    if (trod_token_is_word(head, "lengths"))
        return parse_lengths(p, how) && trod_parse_end(&p->in, "the bias");
    if (trod_token_is_word(head, "chance"))
        return parse_chance(p, how) && trod_parse_end(&p->in, "a chance");
    if (trod_token_is_word(head, "frequency"))
        return parse_frequency(p, how) && trod_parse_end(&p->in, "a frequency");
    if (trod_token_is_word(head, "threshold"))
        return trod_parse_real(&how->threshold, &p->in, "a threshold") &&
               trod_parse_end(&p->in, "the threshold");
    if (trod_token_is_word(head, "ageing"))
        return trod_parse_listed(&how->ageing, &p->in, trod_profile_ageing_name,
                   "how samples age: none, halves or window") &&
               trod_parse_uint(&how->period, &p->in, "a number of samples") &&
               trod_parse_end(&p->in, "the period");
    if (trod_token_is_word(head, "sampled"))
        return parse_sampled(p);
    if (trod_token_is_word(head, "costs")) {
        how->costs = 1;
        return trod_parse_end(&p->in, "'costs'");
    }
    *taken = false;
    return true;
}

/* Reads lines up to the first that does not belong to samples. */
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
        if (head.kind != TROD_T_END && !parse_how(p, &head, &taken))
            return false;
        if (!taken)
            *p->in.text = before;
    }
    return true;
}

bool trod_profile_samples_parse(struct trod_profile_samples *out,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .out = out};
    const char *fault;

    *out = (struct trod_profile_samples){0};
    if (!trod_parse_u32(&out->how.thread, &p.in, "the number of a thread") ||
        !trod_parse_listed(&out->how.identity, &p.in, trod_profile_identity_name,
            "which subpaths are equal: rotation, sequence or xor") ||
        !trod_parse_end(&p.in, "samples") || !parse_lines(&p))
        return false;
    out->sampled = p.sampled;
    fault = trod_profile_how_fault(&out->how);
    if (fault)
        return trod_text_fail(text, err, "the samples above: this %s", fault);
    for (size_t i = 0; i < out->nsampled; i++)
        if (!trod_profile_is_sampled(&out->how, &out->sampled[i]))
            return trod_text_fail(text, err,
                "subpath %zu of the samples above has a count of 0, a level without a "
                "frequency, or a length that is not sampled",
                i);
    return true;
}
