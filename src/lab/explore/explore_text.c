#include "explore/explore.h"
#include "base/parse.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_word[TROD_EXPLORE_KINDS] = {
    [TROD_EXPLORE_SWEEP] = "sweep",
    [TROD_EXPLORE_FACTORIAL] = "factorial",
    [TROD_EXPLORE_BURMAN] = "burman",
};

/* --- printing --------------------------------------------------------------------------------- */

void trod_explore_put_number(struct trod_sink *sink, double value)
{
    char text[40];

    if (isnan(value)) {
        trod_put(sink, "?");
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    trod_put(sink, "%s", text);
}

/* Keywords that start a line. */
static bool is_reserved(const char *word)
{
    static const char *const reserved[] = {
        "study", "design", "measure", "stream", "missing", "run"};

    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (strcmp(word, reserved[i]) == 0)
            return true;
    return false;
}

static void put_quoted(struct trod_sink *sink, const char *name)
{
    if (is_reserved(name))
        trod_put(sink, "\"%s\"", name);
    else
        trod_put_name(sink, name);
}

void trod_study_print(struct trod_sink *sink, const struct trod_study *study)
{
    trod_put(sink, "study ");
    trod_put_name(sink, study->name);
    trod_put(sink, "\ndesign %s", kind_word[study->kind]);
    if (study->kind == TROD_EXPLORE_BURMAN)
        trod_put(sink, " %u%s", study->nrun, study->foldover ? " foldover" : "");
    trod_put(sink, "\nmeasure");
    for (uint32_t i = 0; i < study->nmeasure; i++) {
        trod_put(sink, " ");
        trod_put_name(sink, study->measure[i]);
    }
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < study->nparameter; i++) {
        const struct trod_explore_parameter *p = &study->parameter[i];

        put_quoted(sink, p->name);
        for (uint32_t v = 0; v < p->nvalue; v++) {
            trod_put(sink, p->base && p->base == v ? " *" : " ");
            trod_put_name(sink, p->value[v]);
        }
        trod_put(sink, "\n");
    }
}

void trod_explored_print(struct trod_sink *sink, const struct trod_explored *explored)
{
    trod_study_print(sink, &explored->study);
    for (uint32_t s = 0; s < explored->nstream; s++) {
        trod_put(sink, "stream ");
        trod_put_name(sink, explored->stream[s]);
        trod_put(sink, "\n");
        trod_explore_print_missing(sink, explored, s);
        for (uint32_t d = 0; d < explored->designs.ndesign; d++) {
            trod_put(sink, "run %u", d);
            for (uint32_t m = 0; m < explored->study.nmeasure; m++) {
                trod_put(sink, " ");
                trod_explore_put_number(sink, trod_explored_value(explored, s, d, m));
            }
            trod_put(sink, "\n");
        }
    }
}

/* --- parsing ---------------------------------------------------------------------------------- */

struct parser {
    struct trod_parse in;
    const char *begin; /* start of the text, as far as known */
    const char *at;    /* start of the last token taken */
    struct trod_study *study;
    struct trod_explored *out;
    bool has_design;
    struct trod_explore_parameter *parameter;
    uint32_t room_parameter;
    const char **measure;
    uint32_t room_measure;
    const char **stream;
    uint32_t room_stream;
    double *value;
    size_t nvalue, room_value;
    struct trod_explore_lack *missing;
    uint32_t room_missing;
};

/* A macro, so that compilers see that the result is false. */
#define fail_at(...) (set_error(__VA_ARGS__), false)

/* The message includes the column, in bytes, counted from 1. */
static void set_error(struct parser *p, const char *format, ...) TROD_FORMAT(2, 3);

static void set_error(struct parser *p, const char *format, ...)
{
    const char *line = p->at;
    char message[600];
    va_list args;

    while (line > p->begin && line[-1] != '\n')
        line--;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    trod_err_set(p->in.err, TROD_E_INPUT, "%s:%u:%zu: %s", p->in.text->file,
        p->in.text->line, (size_t)(p->at - line) + 1, message);
}

static bool next(struct parser *p, struct trod_token *token)
{
    const char *at = p->in.text->at;

    while (at < p->in.text->end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    p->at = at;
    return trod_parse_next(token, &p->in);
}

static bool take_name(struct parser *p, const char **out, const char *what)
{
    struct trod_token token;

    if (!next(p, &token))
        return false;
    if (token.kind != TROD_T_NAME)
        return fail_at(p, "expected %s", what);
    *out = token.name;
    return true;
}

static bool take_end(struct parser *p)
{
    struct trod_token token;

    return next(p, &token) &&
           (trod_token_is_over(&token) || fail_at(p, "expected the end of the line"));
}

static bool has_name(const char *const *list, uint32_t count, const char *name)
{
    for (uint32_t i = 0; list && i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static bool parse_design(struct parser *p)
{
    struct trod_study *study = p->study;
    struct trod_token token;
    const char *word;
    uint64_t nrun;
    uint32_t kind = 0;

    if (p->has_design)
        return fail_at(p, "a study has one design; write two studies");
    p->has_design = true;
    if (!take_name(p, &word, "sweep, factorial or burman"))
        return false;
    while (kind < TROD_EXPLORE_KINDS && strcmp(word, kind_word[kind]) != 0)
        kind++;
    if (kind == TROD_EXPLORE_KINDS)
        return fail_at(p, "'%s' is not sweep, factorial or burman", word);
    study->kind = (enum trod_explore_kind)kind;
    if (study->kind != TROD_EXPLORE_BURMAN)
        return take_end(p);
    if (!take_name(p, &word, "the number of runs, such as 8, 12, 16, 20 or 24"))
        return false;
    if (!trod_text_uint(&nrun, word) || nrun < 4 || nrun % 4 != 0 ||
        nrun > TROD_BURMAN_MOST)
        return fail_at(p,
            "invalid number of runs '%s'; expected 4, 8, 12 and so on up to %d", word,
            TROD_BURMAN_MOST);
    study->nrun = (uint32_t)nrun;
    if (!next(p, &token))
        return false;
    if (trod_token_is_over(&token))
        return true;
    if (!trod_token_is_word(&token, "foldover"))
        return fail_at(p, "expected 'foldover' or the end of the line");
    study->foldover = true;
    return take_end(p);
}

static bool parse_measure(struct parser *p)
{
    struct trod_token token;

    for (;;) {
        if (!next(p, &token))
            return false;
        if (trod_token_is_over(&token))
            break;
        if (token.kind != TROD_T_NAME)
            return fail_at(p, "expected the name of a measure");
        if (has_name(p->measure, p->study->nmeasure, token.name))
            return fail_at(p, "'%s' is measured already", token.name);
        if (p->study->nmeasure == TROD_EXPLORE_MEASURES)
            return fail_at(
                p, "a study measures at most %d things", TROD_EXPLORE_MEASURES);
        trod_push(
            p->in.mem, p->measure, p->study->nmeasure, p->room_measure, token.name);
    }
    p->study->measure = p->measure;
    return p->study->nmeasure || fail_at(p, "expected a measure");
}

/* Parse `NAME VALUE [*VALUE]...` after the name. */
static bool parse_parameter(struct parser *p, const char *name)
{
    struct trod_explore_parameter *parameter;
    const char **value = NULL;
    uint32_t nvalue = 0, room = 0, base = 0;
    bool mark = false, marked = false;

    if (trod_study_find(p->study, name) != UINT32_MAX)
        return fail_at(p, "parameter '%s' already exists", name);
    if (p->study->nparameter == TROD_EXPLORE_PARAMETERS)
        return fail_at(p, "a study has at most %d parameters", TROD_EXPLORE_PARAMETERS);
    for (;;) {
        struct trod_token token;

        if (!next(p, &token))
            return false;
        if (trod_token_is_mark(&token, '*')) {
            if (marked)
                return fail_at(p, "only one value can be the base, and one is already "
                                  "marked");
            mark = marked = true;
            continue;
        }
        if (trod_token_is_over(&token) && !mark)
            break;
        if (token.kind != TROD_T_NAME)
            return fail_at(p,
                "expected a value of '%s'; quote a value that is neither a word nor a "
                "number",
                name);
        if (has_name(value, nvalue, token.name))
            return fail_at(p, "'%s' already has the value '%s'", name, token.name);
        if (nvalue == TROD_EXPLORE_VALUES)
            return fail_at(p, "a parameter has at most %d values", TROD_EXPLORE_VALUES);
        if (mark)
            base = nvalue;
        mark = false;
        trod_push(p->in.mem, value, nvalue, room, token.name);
    }
    if (!nvalue)
        return fail_at(p, "expected values of '%s'", name);
    trod_reserve(p->in.mem, p->parameter, p->study->nparameter, p->room_parameter);
    p->study->parameter = p->parameter;
    parameter = &p->parameter[p->study->nparameter++];
    *parameter = (struct trod_explore_parameter){name, value, nvalue, base};
    return true;
}

/* --- results ------------------------------------------------------------------------------------ */

/* Called at the first stream: the study is complete. */
static bool close_study(struct parser *p)
{
    struct trod_err err;

    if (!p->has_design)
        return fail_at(p, "study '%s' has no line 'design'", p->study->name);
    if (!trod_study_check(p->study, &err) ||
        !trod_designs_build(&p->out->designs, p->study, p->in.mem, &err))
        return fail_at(p, "%s", err.text);
    return true;
}

static bool take_number(struct parser *p, double *out)
{
    struct trod_token token;
    char number[64] = "";
    size_t n = 0;
    char *end;

    if (!next(p, &token))
        return false;
    if (trod_token_is_mark(&token, '?')) {
        *out = NAN;
        return true;
    }
    if (trod_token_is_over(&token))
        return fail_at(
            p, "expected a number for each of %u measures, or '?'", p->study->nmeasure);
    /* A number such as -1.5e-7 may consist of several tokens. */
    while (n + 1 < sizeof number && p->at + n < p->in.text->end && p->at[n] &&
           strchr("0123456789.+-eE", p->at[n])) {
        number[n] = p->at[n];
        n++;
    }
    p->in.text->at = p->at + n;
    *out = strtod(number, &end);
    if (!n || *end || !isfinite(*out) ||
        (p->in.text->at < p->in.text->end && !strchr(" \t\r\n#", *p->in.text->at)))
        return fail_at(p, "expected a number, or '?'");
    return true;
}

/* Values of a stream. */
static size_t due_values(const struct parser *p)
{
    return (size_t)p->out->designs.ndesign * p->study->nmeasure;
}

static bool is_stream_open(const struct parser *p)
{
    return p->nvalue < p->out->nstream * due_values(p);
}

static bool fail_open(struct parser *p)
{
    assert(p->out->nstream && p->stream);
    return fail_at(p,
        "stream '%s' lacks runs: there are %u designs, and each needs "
        "one",
        p->stream[p->out->nstream - 1], p->out->designs.ndesign);
}

static bool parse_stream(struct parser *p)
{
    const char *name;

    if (is_stream_open(p))
        return fail_open(p);
    if (!p->out->nstream && !close_study(p))
        return false;
    if (!take_name(p, &name, "the name of a stream"))
        return false;
    if (has_name(p->stream, p->out->nstream, name))
        return fail_at(p, "stream '%s' already exists", name);
    if (p->out->nstream == TROD_EXPLORE_STREAMS)
        return fail_at(p, "there are at most %d traces", TROD_EXPLORE_STREAMS);
    trod_push(p->in.mem, p->stream, p->out->nstream, p->room_stream, name);
    return take_end(p);
}

static bool parse_run(struct parser *p)
{
    uint32_t due;
    const char *word;
    uint64_t number;

    if (!is_stream_open(p))
        return fail_at(
            p, "a run must follow its stream; add a line 'stream NAME' above it");
    due = (uint32_t)(p->nvalue / p->study->nmeasure % p->out->designs.ndesign);
    if (!take_name(p, &word, "the number of a design"))
        return false;
    if (!trod_text_uint(&number, word) || number != due)
        return fail_at(p, "design %u comes next", due);
    for (uint32_t m = 0; m < p->study->nmeasure; m++) {
        double value;

        if (!take_number(p, &value))
            return false;
        trod_push(p->in.mem, p->value, p->nvalue, p->room_value, value);
    }
    return take_end(p);
}

static bool take_count(struct parser *p, uint64_t *out, const char *what)
{
    const char *word;

    return take_name(p, &word, what) &&
           (trod_text_uint(out, word) || fail_at(p, "expected %s", what));
}

static bool take_measure(struct parser *p, uint32_t *out)
{
    const char *word;

    if (!take_name(p, &word, "the name of a measure"))
        return false;
    for (*out = 0; *out < p->study->nmeasure; (*out)++)
        if (strcmp(p->study->measure[*out], word) == 0)
            return true;
    return fail_at(p, "'%s' is not measured", word);
}

static bool comes_next(const struct parser *p, const struct trod_explore_lack *missing)
{
    const struct trod_explore_lack *last =
        p->missing ? &p->missing[p->out->nmissing - 1] : NULL;

    return !last || last->stream < missing->stream || last->measure < missing->measure;
}

/* Of the last stream, before its runs. */
static bool parse_missing(struct parser *p)
{
    struct trod_explore_lack missing = {.stream = p->out->nstream - 1};

    if (!p->out->nstream || p->nvalue != missing.stream * due_values(p))
        return fail_at(p, "what is missing must follow a line 'stream NAME'");
    if (!take_measure(p, &missing.measure))
        return false;
    if (!comes_next(p, &missing))
        return fail_at(
            p, "measures that are missing are in their order, and each once");
    if (!take_name(p, &missing.what, "what is limited") ||
        !take_count(p, &missing.count, "a number") ||
        !take_count(p, &missing.limit, "a limit"))
        return false;
    if (missing.count <= missing.limit)
        return fail_at(p, "the limit is not exceeded");
    trod_push(p->in.mem, p->missing, p->out->nmissing, p->room_missing, missing);
    return take_end(p);
}

/* *taken: whether the line belongs to this section. */
static bool parse_line(struct parser *p, const struct trod_token *head, bool *taken)
{
    *taken = true;
    if (trod_token_is_word(head, "stream"))
        return parse_stream(p);
    if (trod_token_is_word(head, "missing"))
        return parse_missing(p);
    if (trod_token_is_word(head, "run"))
        return parse_run(p);
    if (trod_token_is_word(head, "study")) {
        *taken = false;
        return true;
    }
    if (head->kind != TROD_T_NAME)
        return fail_at(
            p, "expected the name of a parameter, or design, measure, stream or run");
    if (p->out->nstream)
        return fail_at(p,
            "lines of the study must precede its streams; move this line above "
            "them");
    if (trod_token_is_word(head, "design"))
        return parse_design(p);
    if (trod_token_is_word(head, "measure"))
        return parse_measure(p);
    return parse_parameter(p, head->name);
}

bool trod_explored_parse(struct trod_explored *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}, .study = &out->study, .out = out};
    bool taken = true;

    *out = (struct trod_explored){.study = {.name = name}};
    if (!trod_text_take_end("the name of a study", text, mem, err))
        return false;
    p.begin = text->at;
    while (taken) {
        struct trod_text before = *text;
        struct trod_token head;

        if (!next(&p, &head))
            return false;
        if (head.kind == TROD_T_LINE)
            continue;
        taken = false;
        if (head.kind != TROD_T_END && !parse_line(&p, &head, &taken))
            return false;
        if (!taken)
            *text = before;
    }
    if (is_stream_open(&p))
        return fail_open(&p);
    if (!out->nstream && !close_study(&p))
        return false;
    out->stream = p.stream;
    out->value = p.value;
    out->missing = p.missing;
    return true;
}
