#include "stream/stream.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

void trod_stream_each(
    const struct trod_stream_refs *refs, const struct trod_stream_visitor *visitor)
{
    const struct trod_stream_ref *ref = refs->ref;

    if (refs->trace) {
        trod_stream_trace_each(refs->trace, visitor);
        return;
    }
    for (size_t i = 0; i < refs->nrun; i++) {
        if (refs->run[i].nref)
            visitor->run(refs->run[i].thread, refs->run[i].weight, visitor->ctx);
        for (size_t k = 0; k < refs->run[i].nref; k++)
            visitor->ref(ref++, visitor->ctx);
    }
}

/* --- names in lines ---------------------------------------------------------------------------- */

static const char *const access_words[] = {
    [TROD_STREAM_LOAD] = "load",
    [TROD_STREAM_STORE] = "store",
    [TROD_STREAM_BOTH] = "both",
    [TROD_STREAM_UNKNOWN_ACCESS] = "unknown",
};

static const char *const kind_words[] = {
    [TROD_STREAM_HEAP] = "heap",
    [TROD_STREAM_GLOBAL] = "global",
    [TROD_STREAM_LOCAL] = "local",
    [TROD_STREAM_STACK] = "stack",
    [TROD_STREAM_UNKNOWN] = "unknown",
};

/* Names are not empty: an unknown one is a question mark. */
static void print_spot(struct trod_sink *sink, const struct trod_stream_spot *spot)
{
    trod_put_name(sink, spot->function);
    trod_put(sink, " ");
    trod_put_name(sink, *spot->file ? spot->file : "?");
    trod_put(sink, " %" PRIu32 " %" PRIu32, spot->line, spot->column);
}

void trod_stream_print_code(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t code)
{
    const struct trod_stream_code *c = &names->code[code];

    trod_put(sink, "code %" PRIu32 " ", code);
    print_spot(sink, &c->spot);
    trod_put(sink, " %s %" PRIu32 "\n", access_words[c->access], c->nbyte);
}

void trod_stream_print_place(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t place)
{
    trod_put(sink, "place %" PRIu32 " ", place);
    print_spot(sink, &names->place[place]);
    trod_put(sink, "\n");
}

void trod_stream_print_object(
    struct trod_sink *sink, const struct trod_stream_names *names, uint32_t object)
{
    const struct trod_stream_object *o = &names->object[object];

    trod_put(sink, "object %" PRIu32 " %s", object, kind_words[o->kind]);
    if (o->kind == TROD_STREAM_HEAP)
        trod_put(sink, " %" PRIu32, o->place);
    if (o->name) {
        trod_put(sink, " ");
        trod_put_name(sink, o->name);
    }
    if (o->kind != TROD_STREAM_GLOBAL && o->kind != TROD_STREAM_UNKNOWN)
        trod_put(sink, " %" PRIu64, o->number);
    trod_put(sink, "\n");
}

struct name_reader {
    struct trod_stream_names *names;
    struct trod_parse in;
};

/* A number below 2^32. */
static bool take_small(struct name_reader *n, uint32_t *out, const char *what)
{
    uint64_t value;

    if (!trod_parse_uint(&value, &n->in, what))
        return false;
    *out = (uint32_t)value;
    return value <= UINT32_MAX ||
           trod_parse_fail(&n->in, "%" PRIu64 " is too large for %s", value, what);
}

/* A number below `count`: of something already defined. */
static bool take_known(
    struct name_reader *n, uint32_t *out, uint32_t count, const char *what)
{
    return take_small(n, out, what) &&
           (*out < count ||
               trod_parse_fail(&n->in,
                   "there is no %s %" PRIu32 " yet; put its line above this", what,
                   *out));
}

static bool take_number(struct name_reader *n, uint32_t expected, const char *what)
{
    uint32_t number;

    return take_small(n, &number, "its number") &&
           (number == expected ||
               trod_parse_fail(&n->in, "%s %" PRIu32 " comes next, not %" PRIu32, what,
                   expected, number));
}

static bool take_spot(struct name_reader *n, struct trod_stream_spot *out)
{
    if (!trod_parse_name(&out->function, &n->in, "a function") ||
        !trod_parse_name(&out->file, &n->in, "a file"))
        return false;
    if (strcmp(out->file, "?") == 0)
        out->file = "";
    return take_small(n, &out->line, "a line") &&
           take_small(n, &out->column, "a column");
}

static bool parse_code(struct name_reader *n)
{
    struct trod_stream_code code = {0};
    uint32_t access;

    if (!take_number(n, n->names->ncode, "code") || !take_spot(n, &code.spot) ||
        !trod_parse_word(&access, &n->in, access_words, TROD_STREAM_UNKNOWN_ACCESS + 1,
            "load, store, both or unknown") ||
        !take_small(n, &code.nbyte, "its bytes") || !trod_parse_end(&n->in, "that"))
        return false;
    code.access = (enum trod_stream_access)access;
    trod_stream_add_code(n->names, &code);
    return true;
}

static bool parse_place(struct name_reader *n)
{
    struct trod_stream_spot place;

    if (!take_number(n, n->names->nplace, "place") || !take_spot(n, &place) ||
        !trod_parse_end(&n->in, "that"))
        return false;
    trod_stream_add_place(n->names, &place);
    return true;
}

static bool parse_object(struct name_reader *n)
{
    struct trod_stream_object object = {0};
    uint32_t kind;

    if (!take_number(n, n->names->nobject, "object") ||
        !trod_parse_word(&kind, &n->in, kind_words, TROD_STREAM_UNKNOWN + 1,
            "heap, global, local, stack or unknown"))
        return false;
    object.kind = (enum trod_stream_kind)kind;
    if (kind == TROD_STREAM_HEAP &&
        !take_known(n, &object.place, n->names->nplace, "place"))
        return false;
    if ((kind == TROD_STREAM_GLOBAL || kind == TROD_STREAM_LOCAL) &&
        !trod_parse_name(&object.name, &n->in, "its name"))
        return false;
    if (kind != TROD_STREAM_GLOBAL && kind != TROD_STREAM_UNKNOWN &&
        !trod_parse_uint(&object.number, &n->in, "its number"))
        return false;
    if (!trod_parse_end(&n->in, "that"))
        return false;
    trod_stream_add_object(n->names, &object);
    return true;
}

bool trod_stream_parse_name(bool *taken, struct trod_stream_names *names,
    const char *word, struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err)
{
    struct name_reader n = {names, {text, mem, err}};

    *taken = true;
    if (strcmp(word, "code") == 0)
        return parse_code(&n);
    if (strcmp(word, "place") == 0)
        return parse_place(&n);
    if (strcmp(word, "object") == 0)
        return parse_object(&n);
    *taken = false;
    return true;
}

/* --- references in lines ---------------------------------------------------------------------------- */

struct printer {
    struct trod_sink *sink;
    const struct trod_stream_names *names;
    uint32_t ncode, nplace, nobject; /* printed so far */
};

static void print_run(uint32_t thread, uint64_t weight, void *ctx)
{
    struct printer *p = ctx;

    trod_put(p->sink, "burst %" PRIu32 " %" PRIu64 "\n", thread, weight);
}

/* Print definitions before their first use. Unused ones are printed only to keep numbers consecutive. */
static void print_names(struct printer *p, const struct trod_stream_ref *ref)
{
    for (; p->ncode <= ref->code; p->ncode++)
        trod_stream_print_code(p->sink, p->names, p->ncode);
    for (; p->nobject <= ref->object; p->nobject++) {
        const struct trod_stream_object *o = &p->names->object[p->nobject];

        for (; o->kind == TROD_STREAM_HEAP && p->nplace <= o->place; p->nplace++)
            trod_stream_print_place(p->sink, p->names, p->nplace);
        trod_stream_print_object(p->sink, p->names, p->nobject);
    }
}

static void print_ref(const struct trod_stream_ref *ref, void *ctx)
{
    struct printer *p = ctx;

    print_names(p, ref);
    trod_put(p->sink, "%" PRIu32 " %" PRIu32 " %" PRIu64 "\n", ref->code, ref->object,
        ref->offset);
}

static void print_known(struct trod_sink *sink, const char *word, uint64_t value)
{
    if (value)
        trod_put(sink, "%s %" PRIu64 "\n", word, value);
}

void trod_stream_refs_print(struct trod_sink *sink, const struct trod_stream_refs *refs)
{
    struct printer p = {.sink = sink, .names = refs->names};
    struct trod_stream_visitor visitor = {print_run, print_ref, &p};

    trod_put(sink, "refs ");
    trod_put_name(sink, refs->name);
    trod_put(sink, "\n");
    print_known(sink, "lost", refs->nlost);
    print_known(sink, "damaged", refs->ndamaged);
    trod_stream_each(refs, &visitor);
}

struct parser {
    struct name_reader naming;
    struct trod_stream_refs *out;
    struct trod_stream_run *run;
    size_t room_run;
    struct trod_stream_ref *ref;
    size_t nref, room_ref;
};

static bool parse_burst(struct parser *p)
{
    struct trod_stream_run *run;

    trod_reserve(p->naming.in.mem, p->run, p->out->nrun, p->room_run);
    run = &p->run[p->out->nrun++];
    return take_small(&p->naming, &run->thread, "a thread") &&
           trod_parse_uint(&run->weight, &p->naming.in, "a weight") &&
           trod_parse_end(&p->naming.in, "that") &&
           (run->weight || trod_parse_fail(&p->naming.in, "a weight is at least 1"));
}

/* The word already read is the code. */
static bool parse_ref(struct parser *p, const char *word)
{
    struct trod_stream_ref *ref;
    uint64_t code;

    if (!trod_text_uint(&code, word))
        return trod_parse_fail(&p->naming.in,
            "'%s' is not a line of references; expected code, place, object, burst, lost, damaged or three numbers",
            word);
    if (!p->run)
        return trod_parse_fail(&p->naming.in,
            "a reference must belong to a burst; put a line 'burst THREAD WEIGHT' above it");
    if (code >= p->naming.names->ncode)
        return trod_parse_fail(&p->naming.in,
            "there is no code %" PRIu64 " yet; put its line above this", code);
    trod_reserve(p->naming.in.mem, p->ref, p->nref, p->room_ref);
    ref = &p->ref[p->nref++];
    ref->code = (uint32_t)code;
    p->run[p->out->nrun - 1].nref++;
    return take_known(&p->naming, &ref->object, p->naming.names->nobject, "object") &&
           trod_parse_uint(&ref->offset, &p->naming.in, "an offset") &&
           trod_parse_end(&p->naming.in, "that");
}

static bool parse_line(struct parser *p, const char *word)
{
    bool taken;

    if (!trod_stream_parse_name(&taken, p->naming.names, word, p->naming.in.text,
            p->naming.in.mem, p->naming.in.err))
        return false;
    if (taken)
        return true;
    if (strcmp(word, "burst") == 0)
        return parse_burst(p);
    if (strcmp(word, "lost") == 0)
        return trod_parse_uint(&p->out->nlost, &p->naming.in, "how many") &&
               trod_parse_end(&p->naming.in, "that");
    if (strcmp(word, "damaged") == 0)
        return trod_parse_uint(&p->out->ndamaged, &p->naming.in, "how many") &&
               trod_parse_end(&p->naming.in, "that");
    return parse_ref(p, word);
}

bool trod_stream_refs_parse(struct trod_stream_refs *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_stream_names *names = trod_new(mem, struct trod_stream_names, 1);
    struct parser p = {.naming = {names, {text, mem, err}}, .out = out};
    struct trod_token token;

    names->mem = mem;
    *out = (struct trod_stream_refs){.name = name, .names = names};
    if (!trod_text_take_end("the name", text, mem, err))
        return false;
    for (;;) {
        if (!trod_text_peek(&token, text, mem, err))
            return false;
        if (token.kind == TROD_T_END || trod_token_is_word(&token, "refs") ||
            trod_token_is_word(&token, "streams"))
            break;
        if (!trod_text_next(&token, text, mem, err))
            return false;
        if (token.kind == TROD_T_LINE)
            continue;
        if (token.kind != TROD_T_NAME)
            return trod_text_fail(text, err, "expected a line of references");
        if (!parse_line(&p, token.name))
            return false;
    }
    out->run = p.run;
    out->ref = p.ref;
    return true;
}

/* --- the validator -------------------------------------------------------------------------------------- */

struct validator {
    const struct trod_stream_names *names;
    uint64_t nbad;
};

static void check_run(uint32_t thread, uint64_t weight, void *ctx)
{
    struct validator *c = ctx;

    (void)thread;
    c->nbad += !weight;
}

static void check_ref(const struct trod_stream_ref *ref, void *ctx)
{
    struct validator *c = ctx;

    c->nbad += ref->code >= c->names->ncode || ref->object >= c->names->nobject;
}

bool trod_stream_refs_check(const struct trod_stream_refs *refs, struct trod_err *err)
{
    struct validator c = {.names = refs->names};
    struct trod_stream_visitor visitor = {check_run, check_ref, &c};

    trod_stream_each(refs, &visitor);
    if (c.nbad)
        return trod_fail(err, TROD_E_INTERNAL,
            "%" PRIu64 " bursts weigh nothing, or references are of nothing", c.nbad);
    for (uint32_t i = 0; i < refs->names->nobject; i++) {
        const struct trod_stream_object *o = &refs->names->object[i];

        if (o->kind == TROD_STREAM_HEAP && o->place >= refs->names->nplace)
            return trod_fail(err, TROD_E_INTERNAL,
                "object %" PRIu32 " is of place %" PRIu32 ", which is not there", i,
                o->place);
    }
    return true;
}
