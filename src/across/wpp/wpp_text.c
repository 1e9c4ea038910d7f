#include "wpp/wpp.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *text; /* in text */
    const char *word; /* in JSON */
} words[] = {
    [TROD_STEP_CALL] = {"(", "call"},
    [TROD_STEP_RETURN] = {")", "return"},
    [TROD_STEP_LEFT] = {")!", "left"},
    [TROD_STEP_INTERRUPT] = {"[", "interruption"},
    [TROD_STEP_RESUME] = {"]", "resume"},
};

/* --- printing -------------------------------------------------------------------------------- */

void trod_step_print(struct trod_sink *sink, const struct trod_step *step,
    const struct trod_names *function)
{
    if (step->kind == TROD_STEP_SUBPATH) {
        trod_put_name(sink, function->name[step->function]);
        trod_put(sink, ":%" PRIu64, step->id);
    } else {
        trod_put(sink, "%s", words[step->kind].text);
    }
}

void trod_identity_print(struct trod_sink *sink, const struct trod_names *function,
    const struct trod_identity *identity)
{
    for (uint32_t f = 0; identity && f < function->count; f++) {
        const struct trod_identity *i = &identity[f];

        if (!i->npath)
            continue;
        trod_put(sink, "function ");
        trod_put_name(sink, function->name[f]);
        trod_put(sink, " %016" PRIx64 " %016" PRIx64 " %016" PRIx64 " %" PRIu64 "\n",
            i->name, i->graph, i->cuts, i->npath);
    }
}

enum { STEPS_IN_LINE = 16 };

void trod_wpp_print_head(struct trod_sink *sink, const char *name)
{
    trod_put(sink, "wpp ");
    trod_put_name(sink, name);
    trod_put(sink, "\n");
}

void trod_wpp_print_next(struct trod_wpp_printer *p, const struct trod_step *step)
{
    const char *gap = p->nprinted % STEPS_IN_LINE ? " " : "\n";

    trod_put(p->sink, "%s", p->nprinted++ ? gap : "");
    trod_step_print(p->sink, step, p->function);
}

void trod_wpp_print_end(const struct trod_wpp_printer *p)
{
    if (p->nprinted)
        trod_put(p->sink, "\n");
}

void trod_wpp_print(struct trod_sink *sink, const struct trod_wpp *wpp)
{
    struct trod_wpp_printer printer = {.sink = sink, .function = &wpp->function};

    trod_wpp_print_head(sink, wpp->name);
    trod_identity_print(sink, &wpp->function, wpp->identity);
    for (size_t i = 0; i < wpp->nstep; i++)
        trod_wpp_print_next(&printer, &wpp->step[i]);
    trod_wpp_print_end(&printer);
}

void trod_step_json(struct trod_json *json, const struct trod_step *step,
    const struct trod_names *function)
{
    if (step->kind != TROD_STEP_SUBPATH) {
        trod_json_text(json, NULL, words[step->kind].word);
        return;
    }
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "function", function->name[step->function]);
    trod_json_uint(json, "subpath", step->id);
    trod_json_close(json, '}');
}

static void json_hash(struct trod_json *json, const char *key, uint64_t hash)
{
    char text[17];

    for (int i = 0; i < 16; i++)
        text[i] = "0123456789abcdef"[hash >> (60 - 4 * i) & 15];
    text[16] = '\0';
    trod_json_text(json, key, text);
}

void trod_identity_json(struct trod_json *json, const char *key,
    const struct trod_names *function, const struct trod_identity *identity)
{
    if (!identity)
        return;
    trod_json_open(json, key, '[');
    for (uint32_t f = 0; f < function->count; f++) {
        const struct trod_identity *i = &identity[f];

        if (!i->npath)
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "function", function->name[f]);
        json_hash(json, "name", i->name);
        json_hash(json, "graph", i->graph);
        json_hash(json, "cuts", i->cuts);
        trod_json_uint(json, "npath", i->npath);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_wpp_json(struct trod_json *json, const char *key, const struct trod_wpp *wpp)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "name", wpp->name);
    trod_identity_json(json, "functions", &wpp->function, wpp->identity);
    trod_json_open(json, "steps", '[');
    for (size_t i = 0; i < wpp->nstep; i++)
        trod_step_json(json, &wpp->step[i], &wpp->function);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- parsing ---------------------------------------------------------------------------------- */

void trod_steps_reader_init(struct trod_steps_reader *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    *out = (struct trod_steps_reader){.text = text, .mem = mem, .err = err};
    trod_names_init(&out->function, mem);
}

static bool is_end(const struct trod_token *token)
{
    return token->kind == TROD_T_LINE || token->kind == TROD_T_END;
}

static bool next(struct trod_steps_reader *r, struct trod_token *token)
{
    return trod_text_next(token, r->text, r->mem, r->err);
}

bool trod_steps_take_end(struct trod_steps_reader *r, const char *what)
{
    return trod_text_take_end(what, r->text, r->mem, r->err);
}

static bool take_identity(struct trod_steps_reader *r)
{
    struct trod_identity i;
    const char *name;
    uint32_t f;

    if (!trod_text_take_name(&name, "the name of a function", r->text, r->mem, r->err))
        return false;
    f = r->function.count;
    if (trod_names_add(&r->function, name) != f)
        return trod_text_fail(r->text, r->err,
            "'%.100s' has a line already; distinguish functions with the same name by a suffix "
            "'@2'",
            name);
    if (!trod_text_take_hash(
            &i.name, "the hash of the function's name", r->text, r->mem, r->err) ||
        !trod_text_take_hash(
            &i.graph, "the hash of its graph", r->text, r->mem, r->err) ||
        !trod_text_take_hash(
            &i.cuts, "the hash of its cuts", r->text, r->mem, r->err) ||
        !trod_text_take_uint(&i.npath, "its number of paths", r->text, r->mem, r->err))
        return false;
    if (!i.npath)
        return trod_text_fail(
            r->text, r->err, "a function has one path or more, not 0");
    trod_reserve(r->mem, r->identity, f, r->room_identity);
    r->identity[f] = i;
    return trod_steps_take_end(r, "the number of paths");
}

/* The keyword, unless a colon follows: then it is the name of a function. */
bool trod_steps_take_identities(struct trod_steps_reader *r)
{
    for (;;) {
        struct trod_text ahead = *r->text;
        struct trod_token one, two;

        if (!trod_text_next(&one, &ahead, r->mem, r->err))
            return false;
        if (one.kind != TROD_T_NAME || one.quoted || strcmp(one.name, "function") != 0)
            return true;
        if (!trod_text_next(&two, &ahead, r->mem, r->err))
            return false;
        if (trod_token_is_mark(&two, ':'))
            return true;
        if (!next(r, &one) || !take_identity(r))
            return false;
    }
}

const struct trod_identity *trod_steps_identities(struct trod_steps_reader *r)
{
    if (r->identity && r->room_identity < r->function.count)
        r->identity = trod_arena_grow(r->mem, r->identity, r->room_identity,
            r->function.count, sizeof *r->identity);
    return r->identity;
}

static bool take_subpath(
    struct trod_steps_reader *r, struct trod_step *step, const struct trod_token *head)
{
    struct trod_token colon;

    step->function = trod_names_add(&r->function, head->name);
    if (!next(r, &colon))
        return false;
    if (!trod_token_is_mark(&colon, ':'))
        return trod_text_fail(r->text, r->err,
            "a subpath is a function and an id: write '%.100s:ID'", head->name);
    return trod_text_take_uint(
        &step->id, "the id of a subpath", r->text, r->mem, r->err);
}

/* A call that was abandoned has a mark after its end. */
static bool take_return(struct trod_steps_reader *r, struct trod_step *step)
{
    struct trod_token mark;

    step->kind = TROD_STEP_RETURN;
    if (!trod_text_peek(&mark, r->text, r->mem, r->err))
        return false;
    if (!trod_token_is_mark(&mark, '!'))
        return true;
    step->kind = TROD_STEP_LEFT;
    return next(r, &mark);
}

/* One step, whose first token has been read. */
static bool take_step(struct trod_steps_reader *r, const struct trod_token *head)
{
    struct trod_step step = {.kind = TROD_STEP_SUBPATH};
    bool ok = true;

    if (head->kind == TROD_T_NAME)
        ok = take_subpath(r, &step, head);
    else if (trod_token_is_mark(head, '('))
        step.kind = TROD_STEP_CALL;
    else if (trod_token_is_mark(head, ')'))
        ok = take_return(r, &step);
    else if (trod_token_is_mark(head, '['))
        step.kind = TROD_STEP_INTERRUPT;
    else if (trod_token_is_mark(head, ']'))
        step.kind = TROD_STEP_RESUME;
    else
        ok = trod_text_fail(r->text, r->err,
            "expected a step: a subpath 'FUNCTION:ID', a call '(', a return ')', or ')!' "
            "where it did not return, an interruption '[' or its end ']'");
    if (!ok)
        return false;
    trod_reserve(r->mem, r->step, r->nstep, r->room_step);
    trod_reserve(r->mem, r->line, r->nstep, r->room_line);
    r->line[r->nstep] = r->text->line;
    r->step[r->nstep++] = step;
    return true;
}

bool trod_steps_take_line(struct trod_steps_reader *r)
{
    struct trod_token token;

    for (;;) {
        if (!next(r, &token))
            return false;
        if (is_end(&token))
            return true;
        if (!take_step(r, &token))
            return false;
    }
}

/* A line of steps begins with a mark, or with a name that has a colon after it. */
static bool is_steps(bool *out, struct trod_steps_reader *r)
{
    struct trod_text ahead = *r->text;
    struct trod_token one, two;

    if (!trod_text_next(&one, &ahead, r->mem, r->err))
        return false;
    *out = one.kind == TROD_T_MARK;
    if (one.kind != TROD_T_NAME)
        return true;
    if (!trod_text_next(&two, &ahead, r->mem, r->err))
        return false;
    *out = trod_token_is_mark(&two, ':');
    return true;
}

bool trod_wpp_parse(struct trod_wpp *out, const char *name, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_steps_reader r;
    const char *fault;
    bool more;
    size_t at;

    trod_steps_reader_init(&r, text, mem, err);
    if (!trod_steps_take_end(&r, "the name of a whole program path") ||
        !trod_steps_take_identities(&r))
        return false;
    for (;;) {
        if (!is_steps(&more, &r))
            return false;
        if (!more)
            break;
        if (!trod_steps_take_line(&r))
            return false;
    }
    *out = (struct trod_wpp){.name = name,
        .function = r.function,
        .identity = trod_steps_identities(&r),
        .nstep = r.nstep,
        .step = r.step};
    at = trod_wpp_fault(&fault, out, mem);
    if (!fault)
        return true;
    text->line = r.line[at];
    return trod_text_fail(text, err, "step %zu: %s", at + 1, fault);
}
