#include "segment/segment.h"

#include <inttypes.h>
#include <string.h>

/* --- printing -------------------------------------------------------------------------------- */

static void print_step(struct trod_sink *sink, const struct trod_step *step,
    const struct trod_names *names)
{
    if (step->kind == TROD_STEP_SUBPATH) {
        trod_put_name(sink, names->name[step->function]);
        trod_put(sink, ":%" PRIu64, step->id);
    } else {
        trod_put(sink, step->kind == TROD_STEP_CALL ? "(" : ")");
    }
}

enum { STEPS_IN_LINE = 16 };

void trod_wpp_print(struct trod_sink *sink, const struct trod_wpp *wpp)
{
    trod_put(sink, "wpp ");
    trod_put_name(sink, wpp->name);
    for (size_t i = 0; i < wpp->nstep; i++) {
        trod_put(sink, i % STEPS_IN_LINE ? " " : "\n");
        print_step(sink, &wpp->step[i], &wpp->function);
    }
    trod_put(sink, "\n");
}

/* Calls that are open at the end are closed, as people write it. */
static void print_segment(struct trod_sink *sink, const struct trod_segment *segment,
    const struct trod_names *names)
{
    uint64_t nopen = 0;

    for (size_t i = 0; i < segment->nstep; i++) {
        trod_put(sink, "%s", i ? " " : "");
        print_step(sink, &segment->step[i], names);
        nopen += segment->step[i].kind == TROD_STEP_CALL;
        nopen -= segment->step[i].kind == TROD_STEP_RETURN;
    }
    for (; nopen > 0; nopen--)
        trod_put(sink, " )");
}

void trod_segments_print(struct trod_sink *sink, const struct trod_segments *segments)
{
    trod_put(sink, "segments ");
    trod_put_name(sink, segments->name);
    trod_put(sink, " %" PRIu64 "\n", segments->depth);
    for (size_t i = 0; i < segments->nsegment; i++) {
        trod_put(sink, "%" PRIu64 " ", segments->segment[i].count);
        print_segment(sink, &segments->segment[i], &segments->function);
        trod_put(sink, "\n");
    }
}

static void json_step(struct trod_json *json, const struct trod_step *step,
    const struct trod_names *names)
{
    if (step->kind != TROD_STEP_SUBPATH) {
        trod_json_text(json, NULL, step->kind == TROD_STEP_CALL ? "call" : "return");
        return;
    }
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "function", names->name[step->function]);
    trod_json_uint(json, "subpath", step->id);
    trod_json_close(json, '}');
}

void trod_segments_json(
    struct trod_json *json, const char *key, const struct trod_segments *segments)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "name", segments->name);
    trod_json_uint(json, "depth", segments->depth);
    trod_json_open(json, "segments", '[');
    for (size_t i = 0; i < segments->nsegment; i++) {
        const struct trod_segment *segment = &segments->segment[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "count", segment->count);
        trod_json_open(json, "steps", '[');
        for (size_t k = 0; k < segment->nstep; k++)
            json_step(json, &segment->step[k], &segments->function);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- parsing ---------------------------------------------------------------------------------- */

struct parsing {
    struct trod_text *text;
    struct trod_arena *mem;
    struct trod_err *err;
    struct trod_names function;
    struct trod_step *step;
    size_t nstep, room_step;
    uint32_t *line; /* by step */
    size_t room_line;
};

static bool is_mark(const struct trod_token *token, char mark)
{
    return token->kind == TROD_T_MARK && token->mark == mark;
}

static bool is_end(const struct trod_token *token)
{
    return token->kind == TROD_T_LINE || token->kind == TROD_T_END;
}

static bool next(struct parsing *p, struct trod_token *token)
{
    return trod_text_next(token, p->text, p->mem, p->err);
}

static bool take_end(struct parsing *p, const char *what)
{
    struct trod_token token;

    return next(p, &token) &&
           (is_end(&token) ||
               trod_text_fail(p->text, p->err,
                   "more than expected behind %s; remove it, or put '#' before it",
                   what));
}

/* One step, of which the first token is there. */
static bool parse_step(struct parsing *p, const struct trod_token *head)
{
    struct trod_step step = {.kind = TROD_STEP_SUBPATH};
    struct trod_token colon;

    if (is_mark(head, '(')) {
        step.kind = TROD_STEP_CALL;
    } else if (is_mark(head, ')')) {
        step.kind = TROD_STEP_RETURN;
    } else if (head->kind == TROD_T_NAME) {
        step.function = trod_names_add(&p->function, head->name);
        if (!next(p, &colon))
            return false;
        if (!is_mark(&colon, ':'))
            return trod_text_fail(p->text, p->err,
                "a subpath is a function and an id: write '%.100s:ID'", head->name);
        if (!trod_text_take_uint(
                &step.id, "the id of a subpath", p->text, p->mem, p->err))
            return false;
    } else {
        return trod_text_fail(p->text, p->err,
            "expected a step: a subpath 'FUNCTION:ID', a call '(' or a return ')'");
    }
    trod_reserve(p->mem, p->step, p->nstep, p->room_step);
    trod_reserve(p->mem, p->line, p->nstep, p->room_line);
    p->line[p->nstep] = p->text->line;
    p->step[p->nstep++] = step;
    return true;
}

static bool parse_line(struct parsing *p)
{
    struct trod_token token;

    for (;;) {
        if (!next(p, &token))
            return false;
        if (is_end(&token))
            return true;
        if (!parse_step(p, &token))
            return false;
    }
}

/* A line of steps begins with a mark, or with a name that has a colon behind it. */
static bool is_steps(bool *out, struct parsing *p)
{
    struct trod_text ahead = *p->text;
    struct trod_token one, two;

    if (!trod_text_next(&one, &ahead, p->mem, p->err))
        return false;
    *out = one.kind == TROD_T_MARK;
    if (one.kind != TROD_T_NAME)
        return true;
    if (!trod_text_next(&two, &ahead, p->mem, p->err))
        return false;
    *out = is_mark(&two, ':');
    return true;
}

bool trod_wpp_parse(struct trod_wpp *out, const char *name, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parsing p = {.text = text, .mem = mem, .err = err};
    const char *fault;
    bool more;
    size_t at;

    trod_names_init(&p.function, mem);
    if (!take_end(&p, "the name of a whole program path"))
        return false;
    for (;;) {
        if (!is_steps(&more, &p))
            return false;
        if (!more)
            break;
        if (!parse_line(&p))
            return false;
    }
    *out = (struct trod_wpp){
        .name = name, .function = p.function, .nstep = p.nstep, .step = p.step};
    at = trod_wpp_fault(&fault, out, mem);
    if (!fault)
        return true;
    text->line = p.line[at];
    return trod_text_fail(text, err, "step %zu: %s", at + 1, fault);
}

/* One line of segments; returns at the end only close what is open. */
static bool parse_segment(struct trod_segment *out, struct parsing *p)
{
    p->step = NULL;
    p->nstep = p->room_step = p->room_line = 0;
    p->line = NULL;
    if (!trod_text_take_uint(
            &out->count, "how often the segment is there", p->text, p->mem, p->err) ||
        !parse_line(p))
        return false;
    while (p->nstep && p->step[p->nstep - 1].kind == TROD_STEP_RETURN)
        p->nstep--;
    out->step = p->step;
    out->nstep = p->nstep;
    return true;
}

static bool is_count(bool *out, struct parsing *p)
{
    struct trod_token token;
    uint64_t value;

    if (!trod_text_peek(&token, p->text, p->mem, p->err))
        return false;
    *out = token.kind == TROD_T_NAME && !token.quoted &&
           trod_text_uint(&value, token.name);
    return true;
}

bool trod_segments_parse(struct trod_segments *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parsing p = {.text = text, .mem = mem, .err = err};
    struct trod_segment *segment = NULL;
    struct trod_err found;
    size_t n = 0, room = 0;
    uint32_t line = text->line;
    uint64_t depth;
    bool more;

    trod_names_init(&p.function, mem);
    if (!trod_text_take_uint(
            &depth, "the depth: how many calls a segment may span", text, mem, err) ||
        !take_end(&p, "the depth"))
        return false;
    for (;;) {
        if (!is_count(&more, &p))
            return false;
        if (!more)
            break;
        trod_reserve(mem, segment, n, room);
        if (!parse_segment(&segment[n++], &p))
            return false;
    }
    *out = (struct trod_segments){.name = name,
        .depth = depth,
        .function = p.function,
        .nsegment = n,
        .segment = segment};
    if (trod_segments_check(out, mem, err))
        return true;
    found = *err;
    text->line = line;
    return trod_text_fail(text, err, "%s", found.text);
}
