#include "impact/impact.h"
#include "base/parse.h"

#include <inttypes.h>

enum { NONE = TROD_NO_CONSTRUCT };

/* --- printing --------------------------------------------------------------------------------------- */

static void put_number(struct trod_sink *sink, uint32_t number)
{
    if (number == NONE)
        trod_put(sink, " -");
    else
        trod_put(sink, " %" PRIu32, number);
}

void trod_impact_print(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes)
{
    trod_put(sink, "impact %s\n", trod_impact_ways[of->method].name);
    if (of->chosen != of->method)
        trod_put(sink, "chosen %s\n", trod_impact_ways[of->chosen].name);
    trod_put(sink, "level %" PRIu32 "\n", of->level);
    for (uint32_t c = 0; c < changes->old->nconstruct; c++) {
        if (!trod_has(of->affected_of_old, c))
            continue;
        trod_put(sink, "old %" PRIu32, c);
        put_number(sink, of->change_of_old[c]);
        put_number(sink, of->from_of_old[c]);
        trod_put(sink, "\n");
    }
    for (uint32_t c = 0; c < changes->later->nconstruct; c++)
        if (trod_has(of->affected_of_new, c))
            trod_put(sink, "new %" PRIu32 "\n", c);
}

/* --- parsing ------------------------------------------------------------------------------------------- */

struct parser {
    struct trod_impact *out;
    const struct trod_changes *changes;
    struct trod_parse in;
};

static bool take_number(
    struct parser *p, uint32_t *out, const char *what, uint32_t count)
{
    uint64_t value;

    if (!trod_parse_uint(&value, &p->in, what))
        return false;
    *out = (uint32_t)value;
    return value < count ||
           trod_parse_fail(&p->in,
               "there are %" PRIu32 " of these, and %s is number %" PRIu64
               "; numbers begin with 0",
               count, what, value);
}

static bool take_number_or_none(
    struct parser *p, uint32_t *out, const char *what, uint32_t count)
{
    struct trod_token token;

    if (!trod_parse_peek(&token, &p->in))
        return false;
    *out = NONE;
    if (trod_token_is_mark(&token, '-'))
        return trod_parse_next(&token, &p->in);
    return take_number(p, out, what, count);
}

static bool take_method(struct parser *p, enum trod_impact_method *out)
{
    const char *word;

    return trod_parse_name(&word, &p->in, "a method") &&
           (trod_impact_parse_method(out, word) ||
               trod_parse_fail(&p->in,
                   "'%s' is not a method; expected one of: none, blind, hash, ba, ag, "
                   "sl, hybrid, own",
                   word)) &&
           trod_parse_end(&p->in, "that");
}

static bool parse_old(struct parser *p)
{
    uint32_t n = p->changes->old->nconstruct, c, change, from;

    if (!take_number(p, &c, "a construct of old", n) ||
        !take_number_or_none(p, &change, "a change", p->changes->nchange) ||
        !take_number_or_none(p, &from, "the construct it came through", n) ||
        !trod_parse_end(&p->in, "that"))
        return false;
    trod_add(p->out->affected_of_old, c);
    p->out->change_of_old[c] = change;
    p->out->from_of_old[c] = from;
    return true;
}

static bool parse_new(struct parser *p)
{
    uint32_t c;

    if (!take_number(p, &c, "a construct of new", p->changes->later->nconstruct) ||
        !trod_parse_end(&p->in, "that"))
        return false;
    trod_add(p->out->affected_of_new, c);
    return true;
}

static bool parse_level(struct parser *p)
{
    return take_number(p, &p->out->level, "a level", UINT32_MAX) &&
           trod_parse_end(&p->in, "that");
}

/* *taken: is it a line of this section? */
static bool parse_line(struct parser *p, const struct trod_token *head, bool *taken)
{
    *taken = true;
    if (trod_token_is_word(head, "old"))
        return parse_old(p);
    if (trod_token_is_word(head, "new"))
        return parse_new(p);
    if (trod_token_is_word(head, "level"))
        return parse_level(p);
    if (trod_token_is_word(head, "chosen"))
        return take_method(p, &p->out->chosen);
    *taken = false;
    return true;
}

static bool parse_head(struct parser *p)
{
    struct trod_token head;

    do
        if (!trod_parse_next(&head, &p->in))
            return false;
    while (head.kind == TROD_T_LINE);
    if (!trod_token_is_word(&head, "impact"))
        return trod_parse_fail(&p->in, "not an impact: expected 'impact METHOD'");
    if (!take_method(p, &p->out->method))
        return false;
    p->out->chosen = p->out->method;
    p->out->level = trod_impact_ways[p->out->method].level;
    return true;
}

static void take_room(
    struct trod_impact *out, const struct trod_changes *changes, struct trod_arena *mem)
{
    uint32_t nold = changes->old->nconstruct, nnew = changes->later->nconstruct;

    out->affected_of_old = trod_new(mem, uint64_t, TROD_WORDS(nold) + 1);
    out->affected_of_new = trod_new(mem, uint64_t, TROD_WORDS(nnew) + 1);
    out->change_of_old = trod_new(mem, uint32_t, (size_t)nold + 1);
    out->from_of_old = trod_new(mem, uint32_t, (size_t)nold + 1);
    for (uint32_t c = 0; c < nold; c++)
        out->change_of_old[c] = out->from_of_old[c] = NONE;
}

bool trod_impact_parse(struct trod_impact *out, const struct trod_changes *changes,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .out = out, .changes = changes};
    bool taken = true;

    *out = (struct trod_impact){0};
    take_room(out, changes, mem);
    if (!parse_head(&p))
        return false;
    while (taken) {
        struct trod_text before = *text;
        struct trod_token head;

        if (!trod_text_next(&head, text, mem, err))
            return false;
        if (head.kind == TROD_T_LINE)
            continue;
        taken = false;
        if (head.kind != TROD_T_END && !parse_line(&p, &head, &taken))
            return false;
        if (!taken)
            *text = before;
    }
    return true;
}
