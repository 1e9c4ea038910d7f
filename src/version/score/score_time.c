#include "score/score.h"
#include "base/order.h"
#include "base/parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct trod_parse in;
    struct trod_score_times *out;
};

/* --- seconds ---------------------------------------------------------------------------------------- */

TROD_ORDER(compare, double, trod_compare(*a, *b))

static double median(double *value, uint32_t n)
{
    trod_sort(value, n, compare);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

static bool take_second(struct reader *r, const struct trod_token *token, double *out)
{
    char *end = NULL;

    if (token->kind == TROD_T_NAME && token->name[0] >= '0' && token->name[0] <= '9' &&
        strspn(token->name, "0123456789.") == token->length) {
        *out = strtod(token->name, &end);
        if (!*end && isfinite(*out))
            return true;
    }
    return trod_parse_fail(&r->in, "expected seconds, a number such as 1.25");
}

/* All numbers up to the end of the line. */
static bool take_seconds(struct reader *r, double *out)
{
    double *value = NULL;
    uint32_t n = 0, room = 0;

    for (;;) {
        struct trod_token token;

        if (!trod_parse_next(&token, &r->in))
            return false;
        if (trod_token_is_over(&token))
            break;
        trod_reserve(r->in.mem, value, n, room);
        if (!take_second(r, &token, &value[n++]))
            return false;
    }
    if (!n)
        return trod_parse_fail(&r->in, "expected seconds after this");
    *out = median(value, n);
    return true;
}

/* --- inputs ------------------------------------------------------------------------------------------- */

static struct trod_score_time *input_of(struct reader *r, const char *name)
{
    struct trod_score_times *out = r->out;

    for (uint32_t i = 0; i < out->ninput; i++)
        if (strcmp(out->input[i].input, name) == 0)
            return &out->input[i];
    trod_reserve(r->in.mem, out->input, out->ninput, out->room);
    out->input[out->ninput] = (struct trod_score_time){
        .input = name, .plain = -1, .full = -1, .selective = -1};
    return &out->input[out->ninput++];
}

static bool is_kind(const struct trod_token *token)
{
    return trod_token_is_word(token, "plain") || trod_token_is_word(token, "full") ||
           trod_token_is_word(token, "selective") ||
           trod_token_is_word(token, "skipped");
}

/* A name, up to the word that says what was measured. It may contain dashes and other characters that separate tokens.
 */
static bool take_input(struct reader *r, const struct trod_token *first,
    const char **name, struct trod_token *kind)
{
    struct trod_string text;

    trod_string_init(&text, r->in.mem);
    for (*kind = *first; !trod_token_is_over(kind);) {
        if (kind->kind == TROD_T_NAME)
            trod_put(&text.sink, "%s", kind->name);
        else
            trod_put(&text.sink, "%c", kind->mark);
        if (!trod_parse_next(kind, &r->in))
            return false;
        if (is_kind(kind)) {
            *name = text.text;
            return true;
        }
    }
    return trod_parse_fail(&r->in,
        "expected 'INPUT plain SECONDS', full or selective in its place, 'INPUT skipped', or "
        "'analysis SECONDS'");
}

static bool take_line(struct reader *r, const struct trod_token *first)
{
    struct trod_score_time *time;
    struct trod_token kind;
    const char *name;

    if (!take_input(r, first, &name, &kind))
        return false;
    time = input_of(r, name);
    if (trod_token_is_word(&kind, "skipped")) {
        time->skipped = true;
        return trod_parse_end(&r->in, "'skipped'");
    }
    return take_seconds(r, trod_token_is_word(&kind, "plain")  ? &time->plain
                           : trod_token_is_word(&kind, "full") ? &time->full
                                                               : &time->selective);
}

/* --- the whole file ------------------------------------------------------------------------------------ */

static bool check(const struct reader *r)
{
    const struct trod_score_times *out = r->out;

    for (uint32_t i = 0; i < out->ninput; i++) {
        const struct trod_score_time *t = &out->input[i];

        if (t->full < 0)
            return trod_fail(r->in.err, TROD_E_INPUT,
                "%s: '%s' has no line 'full'; add the seconds that full profiling "
                "takes",
                r->in.text->file, t->input);
        if (t->selective < 0 && !t->skipped)
            return trod_fail(r->in.err, TROD_E_INPUT,
                "%s: '%s' has neither a line 'selective' nor 'skipped'; add the "
                "seconds that selective profiling takes",
                r->in.text->file, t->input);
    }
    return out->ninput || trod_fail(r->in.err, TROD_E_INPUT,
                              "%s: it has no times; add lines such as 'INPUT plain "
                              "SECONDS'",
                              r->in.text->file);
}

static void fill(struct trod_score_times *out)
{
    double full = 0, spent = out->analysis, plain = 0, ran = 0;
    bool has_plain = true;

    for (uint32_t i = 0; i < out->ninput; i++) {
        const struct trod_score_time *t = &out->input[i];

        full += t->full;
        spent += t->skipped ? 0 : t->selective;
        plain += t->plain;
        ran += t->skipped ? 0 : t->plain;
        has_plain = has_plain && t->plain >= 0;
        out->nskipped += t->skipped;
    }
    out->ts_total = full > 0 ? (full - spent) / full : NAN;
    out->ts_overhead = has_plain && full > plain
                           ? ((full - plain) - (spent - ran)) / (full - plain)
                           : NAN;
}

bool trod_score_times_parse(struct trod_score_times *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {{text, mem, err}, out};
    struct trod_token first;

    *out = (struct trod_score_times){0};
    for (;;) {
        if (!trod_parse_next(&first, &r.in))
            return false;
        if (first.kind == TROD_T_END)
            break;
        if (first.kind == TROD_T_LINE)
            continue;
        if (trod_token_is_word(&first, "analysis")) {
            if (!take_seconds(&r, &out->analysis))
                return false;
        } else if (!take_line(&r, &first)) {
            return false;
        }
    }
    if (!check(&r))
        return false;
    fill(out);
    return true;
}
