#include "sequence/sequence.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

static const char *const how_words[] = {"", "reused", "outside", "unknown", "hole"};

/* --- printing --------------------------------------------------------------------------------------------- */

static void print_span(
    struct trod_sink *sink, const struct trod_call_sequence *sequence, uint32_t number)
{
    const struct trod_span *span = &sequence->span[number];

    trod_put(sink, "span %" PRIu32 " ", number);
    trod_put_name(sink, sequence->function.name[span->function]);
    if (span->how)
        trod_put(sink, " %s", how_words[span->how]);
    trod_put(sink, " :");
    for (uint32_t i = 0; i < span->nchild; i++) {
        trod_put(sink, " %" PRIu32, span->child[i].span);
        if (span->child[i].count != 1)
            trod_put(sink, "*%" PRIu64, span->child[i].count);
    }
    trod_put(sink, "\n");
}

void trod_call_sequence_print(
    struct trod_sink *sink, const struct trod_call_sequence *sequence)
{
    trod_put(sink, "spans ");
    trod_put_name(sink, sequence->name);
    trod_put(sink, "\n");
    for (uint32_t s = 0; s < sequence->nspan; s++)
        print_span(sink, sequence, s);
    for (uint32_t t = 0; t < sequence->nthread; t++)
        trod_put(sink, "thread %" PRIu32 " %" PRIu32 "\n",
            sequence->number_of_thread[t], sequence->root_of_thread[t]);
}

/* --- parsing ---------------------------------------------------------------------------------------------- */

struct parser {
    struct trod_parse in;
    struct trod_spans spans;
};

static bool find_span(struct parser *p, uint32_t *out, uint64_t number)
{
    if (number >= p->spans.nspan)
        return trod_parse_fail(&p->in,
            "no span %" PRIu64 " was there before; children come before parents",
            number);
    *out = (uint32_t)number;
    return true;
}

static bool is_thread(const char *name)
{
    return strcmp(name, TROD_SPAN_THREAD) == 0;
}

static bool is_root(const struct parser *p, uint32_t span)
{
    return is_thread(p->spans.function.name[p->spans.span[span].function]);
}

/* The count of CHILD*COUNT; 1 for CHILD alone. */
static bool take_count(struct parser *p, uint64_t *out)
{
    struct trod_token star;

    *out = 1;
    if (!trod_parse_peek(&star, &p->in))
        return false;
    if (star.kind != TROD_T_MARK || star.mark != '*')
        return true;
    if (!trod_parse_next(&star, &p->in) ||
        !trod_parse_uint(out, &p->in, "how many times in a row"))
        return false;
    return *out || trod_parse_fail(&p->in, "a span that is called 0 times has no "
                                           "place here; remove it");
}

static bool take_children(struct parser *p)
{
    for (;;) {
        struct trod_token token;
        uint64_t number, count;
        uint32_t span;

        if (!trod_parse_next(&token, &p->in))
            return false;
        if (trod_token_is_over(&token))
            return true;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&number, token.name))
            return trod_parse_fail(&p->in, "expected the number of a span");
        if (!find_span(p, &span, number) || !take_count(p, &count))
            return false;
        if (is_root(p, span))
            return trod_parse_fail(&p->in,
                "a span of '@' is a thread and cannot be called; remove it, "
                "or name another span");
        trod_spans_add(&p->spans, span, count);
    }
}

static bool take_how(struct parser *p, enum trod_span_how *out)
{
    struct trod_token token;

    *out = TROD_SPAN_RECORDED;
    if (!trod_parse_next(&token, &p->in))
        return false;
    for (int how = TROD_SPAN_REUSED; how <= TROD_SPAN_UNKNOWN; how++)
        if (trod_token_is_word(&token, how_words[how])) {
            *out = (enum trod_span_how)how;
            if (!trod_parse_next(&token, &p->in))
                return false;
            break;
        }
    return trod_token_is_mark(&token, ':') ||
           trod_parse_fail(&p->in,
               "expected ':' and what was called, or 'reused', 'outside' or 'unknown' before "
               "it");
}

static bool take_span(struct parser *p)
{
    uint32_t expected = p->spans.nspan;
    enum trod_span_how how;
    const char *function;
    uint64_t number;

    if (!trod_parse_uint(&number, &p->in, "the number of a span"))
        return false;
    if (number != expected)
        return trod_parse_fail(
            &p->in, "spans are numbered from 0: expected %" PRIu32, expected);
    if (!trod_parse_name(&function, &p->in, "the name of a function") ||
        !take_how(p, &how))
        return false;
    trod_spans_open(&p->spans, trod_names_add(&p->spans.function, function), how);
    if (!take_children(p))
        return false;
    return trod_spans_close(&p->spans) == expected ||
           trod_parse_fail(&p->in, "this span equals one above; write it once, and "
                                   "use that number");
}

static bool take_thread(struct parser *p)
{
    struct trod_spans *s = &p->spans;
    uint64_t number, root;
    uint32_t span;

    if (!trod_parse_uint(&number, &p->in, "the number of a thread") ||
        !trod_parse_uint(&root, &p->in, "the number of a span") ||
        !find_span(p, &span, root))
        return false;
    if (!is_root(p, span))
        return trod_parse_fail(&p->in, "the root of a thread must be a span of '@'");
    if (number > UINT32_MAX ||
        (s->nthread && number <= s->number_of_thread[s->nthread - 1]))
        return trod_parse_fail(&p->in, "threads must be in ascending order of their "
                                       "numbers; move this line");
    trod_spans_thread(s, (uint32_t)number, span);
    return trod_parse_end(&p->in, "the number of a span");
}

static bool take_lines(struct parser *p)
{
    for (;;) {
        struct trod_token head;
        bool ok = true;

        if (!trod_parse_next(&head, &p->in))
            return false;
        if (head.kind == TROD_T_END)
            return true;
        if (trod_token_is_word(&head, "span"))
            ok = take_span(p);
        else if (trod_token_is_word(&head, "thread"))
            ok = take_thread(p);
        else if (head.kind != TROD_T_LINE)
            return trod_parse_fail(&p->in, "expected a line 'span' or 'thread'");
        if (!ok)
            return false;
    }
}

bool trod_call_sequence_parse(struct trod_call_sequence *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}};
    struct trod_token head;
    const char *name;

    trod_spans_init(&p.spans, mem);
    if (!trod_parse_next(&head, &p.in))
        return false;
    if (!trod_token_is_word(&head, "spans"))
        return trod_text_fail(text, err, "expected 'spans NAME' in the first line");
    if (!trod_text_take_name(&name, "the name of an input", text, mem, err) ||
        !trod_text_take_end("the name of an input", text, mem, err) || !take_lines(&p))
        return false;
    trod_spans_build(out, &p.spans, name);
    return true;
}

/* --- the validator ---------------------------------------------------------------------------------------- */

static const char *child_fault(
    const struct trod_call_sequence *sequence, uint32_t number, uint32_t i)
{
    const struct trod_span *span = &sequence->span[number];
    const struct trod_span_child *c = &span->child[i];

    if (c->span >= number)
        return "a span comes before what it calls";
    if (!c->count)
        return "a child is there 0 times";
    if (i && c[-1].span == c->span)
        return "two children in a row are the same";
    if (is_thread(sequence->function.name[sequence->span[c->span].function]))
        return "a thread is called";
    return NULL;
}

static const char *span_fault(
    const struct trod_call_sequence *sequence, uint32_t number, uint64_t *ncall)
{
    const struct trod_span *span = &sequence->span[number];
    const char *fault = NULL;

    if (span->function >= sequence->function.count)
        return "a function has no name";
    if (span->how > TROD_SPAN_UNKNOWN)
        return "a hole is left";
    *ncall = !is_thread(sequence->function.name[span->function]);
    for (uint32_t i = 0; !fault && i < span->nchild; i++) {
        fault = child_fault(sequence, number, i);
        if (!fault)
            *ncall = trod_sat_add(
                *ncall, trod_sat_mul(sequence->span[span->child[i].span].ncall,
                            span->child[i].count));
    }
    return fault || *ncall == span->ncall ? fault : "calls do not add up";
}

static const char *twin_fault(
    const struct trod_call_sequence *sequence, struct trod_arena *mem)
{
    struct trod_spans again;

    trod_spans_init(&again, mem);
    for (uint32_t f = 0; f < sequence->function.count; f++)
        trod_names_add(&again.function, sequence->function.name[f]);
    for (uint32_t s = 0; s < sequence->nspan; s++) {
        const struct trod_span *span = &sequence->span[s];

        trod_spans_open(&again, span->function, span->how);
        for (uint32_t i = 0; i < span->nchild; i++)
            trod_spans_add(&again, span->child[i].span, span->child[i].count);
        if (trod_spans_close(&again) != s)
            return "a span is there twice";
    }
    return NULL;
}

bool trod_call_sequence_check(const struct trod_call_sequence *sequence,
    struct trod_arena *mem, struct trod_err *err)
{
    const char *fault = NULL;
    uint64_t ncall;

    for (uint32_t s = 0; !fault && s < sequence->nspan; s++)
        fault = span_fault(sequence, s, &ncall);
    if (!fault)
        fault = twin_fault(sequence, mem);
    for (uint32_t t = 0; !fault && t < sequence->nthread; t++) {
        uint32_t root = sequence->root_of_thread[t];

        if (root >= sequence->nspan ||
            !is_thread(sequence->function.name[sequence->span[root].function]))
            fault = "a thread has no root";
        else if (t &&
                 sequence->number_of_thread[t] <= sequence->number_of_thread[t - 1])
            fault = "threads do not ascend";
    }
    return !fault ||
           trod_fail(err, TROD_E_INTERNAL, "spans %s: %s", sequence->name, fault);
}
