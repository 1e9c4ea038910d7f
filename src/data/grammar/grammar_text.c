#include "grammar/grammar.h"
#include "base/parse.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- printing ----------------------------------------------------------------------------- */

static void print_part(struct trod_sink *sink, const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;

    for (uint32_t r = 0; r < part->nrule; r++) {
        trod_put(sink, "R%" PRIu32 ":", r);
        for (uint32_t s = first[r]; s < first[r + 1]; s++)
            trod_put(sink, trod_has(part->is_rule, s) ? " R%" PRIu64 : " %" PRIu64,
                part->value_of_symbol[s]);
        trod_put(sink, "\n");
    }
}

void trod_grammar_print_rules(
    struct trod_sink *sink, const struct trod_grammar *grammar)
{
    for (uint32_t i = 0; i < grammar->npart; i++) {
        if (i)
            trod_put(sink, "part\n");
        print_part(sink, &grammar->part[i]);
    }
}

void trod_grammar_print(struct trod_sink *sink, const struct trod_grammar *grammar)
{
    trod_put(sink, "grammar ");
    trod_put_name(sink, grammar->name);
    trod_put(sink, "\n");
    trod_grammar_print_rules(sink, grammar);
}

static void json_part(struct trod_json *json, const struct trod_grammar_part *part)
{
    const uint32_t *first = part->first_symbol_of_rule;
    char name[32];

    trod_json_open(json, NULL, '[');
    for (uint32_t r = 0; r < part->nrule; r++) {
        trod_json_open(json, NULL, '[');
        for (uint32_t s = first[r]; s < first[r + 1]; s++) {
            if (trod_has(part->is_rule, s)) {
                snprintf(name, sizeof name, "R%" PRIu64, part->value_of_symbol[s]);
                trod_json_text(json, NULL, name);
            } else {
                trod_json_uint(json, NULL, part->value_of_symbol[s]);
            }
        }
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
}

void trod_grammar_json(
    struct trod_json *json, const char *key, const struct trod_grammar *grammar)
{
    trod_json_open(json, key, '[');
    for (uint32_t i = 0; i < grammar->npart; i++)
        json_part(json, &grammar->part[i]);
    trod_json_close(json, ']');
}

enum { TERMINALS_IN_LINE = 16 };

void trod_sequence_print_head(struct trod_sink *sink, const char *name)
{
    trod_put(sink, "sequence ");
    trod_put_name(sink, name);
    trod_put(sink, "\n");
}

bool trod_sequence_print_next(uint64_t terminal, void *ctx)
{
    struct trod_sequence_printer *p = ctx;
    const char *gap = p->nprinted % TERMINALS_IN_LINE ? " " : "\n";

    if (p->most && p->nprinted == p->most)
        return false;
    trod_put(p->sink, "%s%" PRIu64, p->nprinted ? gap : "", terminal);
    p->nprinted++;
    return true;
}

void trod_sequence_print_end(struct trod_sequence_printer *p)
{
    if (p->nprinted)
        trod_put(p->sink, "\n");
}

/* --- parsing ------------------------------------------------------------------------------ */

struct parser {
    struct trod_parse in;
    struct trod_grammar_part *part;
    uint32_t npart, room_part;

    /* Of the current part: */
    uint64_t *value;
    uint32_t nvalue, room_value;
    bool *is_rule;
    uint32_t room_is_rule;
    uint32_t *first; /* by rule */
    uint32_t nrule, room_rule;
    uint32_t *line; /* by rule */
    uint32_t room_line;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Each word is freed as soon as it is read; otherwise a long sequence would be in memory twice. */
static bool next_token(struct trod_token *token, struct trod_mark *before,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    *before = trod_arena_mark(mem);
    return trod_text_next(token, text, mem, err);
}

static bool bad_symbol(const struct trod_token *token, struct trod_text *text,
    const char *what, struct trod_err *err)
{
    char mark[2] = {token->mark, '\0'};

    return trod_text_fail(text, err, "expected %s, not '%.100s'", what,
        token->kind == TROD_T_MARK ? mark : token->name);
}

bool trod_sequence_parse(struct trod_sequence *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    uint64_t *terminal = NULL;
    size_t n = 0, room = 0;

    if (!trod_text_take_end("the name of a sequence", text, mem, err))
        return false;
    for (bool line_start = true;;) {
        struct trod_token token;
        struct trod_mark before;
        uint64_t value = 0;

        /* A line that does not begin with a number is left to the caller. */
        if (line_start && (text->at == text->end || !is_digit(*text->at)))
            break;
        if (!next_token(&token, &before, text, mem, err))
            return false;
        if (token.kind == TROD_T_END)
            break;
        line_start = token.kind == TROD_T_LINE;
        if (!line_start &&
            (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name)))
            return bad_symbol(
                &token, text, "a terminal, a whole number below 2^64", err);
        trod_arena_rewind(mem, before);
        if (!line_start)
            trod_push(mem, terminal, n, room, value);
    }
    *out = (struct trod_sequence){.name = name, .count = n, .terminal = terminal};
    return true;
}

/* R and a number. */
static bool is_rule_name(uint64_t *out, const struct trod_token *token)
{
    return token->kind == TROD_T_NAME && !token->quoted && token->name[0] == 'R' &&
           trod_text_uint(out, token->name + 1);
}

static bool add_symbol(struct parser *p, const struct trod_token *token)
{
    uint64_t value;
    bool is_rule = is_rule_name(&value, token);

    if (!is_rule &&
        (token->kind != TROD_T_NAME || !trod_text_uint(&value, token->name)))
        return bad_symbol(token, p->in.text,
            "a symbol, which is a whole number below 2^64 or a rule such as R1",
            p->in.err);
    if (is_rule && value == 0)
        return trod_parse_fail(&p->in, "R0 is the start symbol; no rule may use it");
    if (p->nvalue == TROD_GRAMMAR_MOST)
        return trod_parse_fail(
            &p->in, "more than 2^30 symbols in one part; begin another");
    trod_reserve(p->in.mem, p->value, p->nvalue, p->room_value);
    trod_reserve(p->in.mem, p->is_rule, p->nvalue, p->room_is_rule);
    p->is_rule[p->nvalue] = is_rule;
    p->value[p->nvalue++] = value;
    return true;
}

static bool parse_rule(struct parser *p)
{
    struct trod_token token;
    uint64_t number;

    if (!trod_parse_next(&token, &p->in))
        return false;
    if (!is_rule_name(&number, &token) || number != p->nrule)
        return trod_parse_fail(&p->in,
            "expected rule R%" PRIu32
            " here; rules stand in order, from R0 in each part",
            p->nrule);
    if (!trod_parse_next(&token, &p->in))
        return false;
    if (token.kind != TROD_T_MARK || token.mark != ':')
        return trod_parse_fail(&p->in,
            "a rule's line has a colon after its name: write 'R%" PRIu32 ": ...'",
            p->nrule);
    trod_reserve(p->in.mem, p->first, p->nrule, p->room_rule);
    trod_reserve(p->in.mem, p->line, p->nrule, p->room_line);
    p->first[p->nrule] = p->nvalue;
    p->line[p->nrule++] = p->in.text->line;
    for (;;) {
        if (!trod_parse_next(&token, &p->in))
            return false;
        if (token.kind == TROD_T_LINE || token.kind == TROD_T_END)
            break;
        if (!add_symbol(p, &token))
            return false;
    }
    /* Empty rules that use each other could be expanded forever. */
    return number == 0 || p->nvalue > p->first[number] ||
           trod_parse_fail(&p->in,
               "R%" PRIu64 " is empty; remove it, here and where it is used", number);
}

/* Undefined rules are found when all definitions have been read. */
static bool check_names(struct parser *p)
{
    for (uint32_t r = 0, s = 0; r < p->nrule; r++)
        for (; s < p->first[r + 1]; s++)
            if (p->is_rule[s] && p->value[s] >= p->nrule) {
                p->in.text->line = p->line[r];
                return trod_parse_fail(&p->in,
                    "R%" PRIu32 " uses R%" PRIu64 ", which has no line; add it to this "
                    "part, or correct the name",
                    r, p->value[s]);
            }
    return true;
}

/* Any rule that has no place in the topological order is on a cycle or used by one. */
static bool check_cycles(struct parser *p, const struct trod_grammar_part *part)
{
    uint32_t *order = trod_new(p->in.mem, uint32_t, part->nrule), r = 0;
    uint64_t *placed = trod_new(p->in.mem, uint64_t, TROD_WORDS(part->nrule));
    uint32_t n = trod_grammar_order(order, part, p->in.mem);

    if (n == part->nrule)
        return true;
    for (uint32_t i = 0; i < n; i++)
        trod_add(placed, order[i]);
    while (trod_has(placed, r))
        r++;
    p->in.text->line = p->line[r];
    return trod_parse_fail(&p->in,
        "R%" PRIu32
        " expands to itself, or is used by a rule that does; remove the cycle",
        r);
}

static bool close_part(struct parser *p)
{
    struct trod_grammar_part *part;
    uint64_t *set;

    if (!p->nrule)
        return trod_parse_fail(&p->in,
            "there is no rule; write 'R0: ...' for the whole sequence, or 'R0:' if it "
            "is empty");
    trod_reserve(p->in.mem, p->first, p->nrule, p->room_rule);
    p->first[p->nrule] = p->nvalue;
    if (!check_names(p))
        return false;
    set = trod_new(p->in.mem, uint64_t, TROD_WORDS(p->nvalue));
    for (uint32_t s = 0; s < p->nvalue; s++)
        if (p->is_rule[s])
            trod_add(set, s);
    trod_reserve(p->in.mem, p->part, p->npart, p->room_part);
    part = &p->part[p->npart++];
    *part = (struct trod_grammar_part){.nrule = p->nrule,
        .first_symbol_of_rule = p->first,
        .value_of_symbol = p->value,
        .is_rule = set};
    p->value = NULL;
    p->is_rule = NULL;
    p->first = NULL;
    if (!check_cycles(p, part))
        return false;
    p->nvalue = p->room_value = p->room_is_rule = p->nrule = p->room_rule = 0;
    return true;
}

bool trod_grammar_parse(struct trod_grammar *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}};

    if (!trod_text_take_end("the name of a grammar", text, mem, err))
        return false;
    for (;;) {
        struct trod_token head;

        if (!trod_text_peek(&head, text, mem, err))
            return false;
        if (trod_token_is_word(&head, "part")) {
            if (!close_part(&p) || !trod_text_next(&head, text, mem, err) ||
                !trod_text_take_end("'part'", text, mem, err))
                return false;
        } else if (head.kind == TROD_T_NAME && !head.quoted && head.name[0] == 'R') {
            if (!parse_rule(&p))
                return false;
        } else {
            break;
        }
    }
    if (!close_part(&p))
        return false;
    *out = (struct trod_grammar){.name = name, .npart = p.npart, .part = p.part};
    return true;
}
