#include "burst/burst.h"

#include <inttypes.h>
#include <string.h>

/* --- printing --------------------------------------------------------------------------------- */

static void put_function(
    struct trod_sink *sink, const char *word, const char *function, const char *file)
{
    trod_put(sink, "%s ", word);
    trod_put_name(sink, function);
    trod_put(sink, " ");
    trod_put_name(sink, file);
}

static void print_call(struct trod_sink *sink, const struct trod_bursts_call *call)
{
    put_function(sink, "call", call->function, call->file);
    trod_put(sink, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %s", call->site, call->line,
        call->column, call->indirect ? "*" : "");
    trod_put_name(sink, call->callee);
    trod_put(sink, " %" PRIu64 "\n", call->count);
}

static void print_loop(struct trod_sink *sink, const struct trod_bursts_loop *loop)
{
    const char *before = "trips ";

    put_function(sink, "loop", loop->function, loop->file);
    trod_put(sink, " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu64 " %" PRIu64 "\n",
        loop->loop, loop->line, loop->depth, loop->nenter, loop->nagain);
    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++) {
        if (!loop->ntrip[i])
            continue;
        trod_put(sink, "%s%d:%" PRIu64, before, i, loop->ntrip[i]);
        before = " ";
    }
    if (*before == ' ')
        trod_put(sink, "\n");
}

void trod_bursts_print(struct trod_sink *sink, const struct trod_bursts *burst)
{
    trod_put(sink, "bursts ");
    trod_put_name(sink, burst->name);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < burst->nhow; i++)
        trod_profile_burst_print(sink, &burst->how[i], false);
    if (burst->nunknown)
        trod_put(sink, "unknown %" PRIu64 "\n", burst->nunknown);
    for (size_t i = 0; i < burst->nmethod; i++) {
        const struct trod_bursts_method *m = &burst->method[i];

        put_function(sink, "method", m->function, m->file);
        trod_put(sink, " %" PRIu64 " %" PRIu64 "\n", m->nentry, m->nagain);
    }
    for (size_t i = 0; i < burst->ncall; i++)
        print_call(sink, &burst->call[i]);
    for (size_t i = 0; i < burst->nloop; i++)
        print_loop(sink, &burst->loop[i]);
}

/* --- parsing ---------------------------------------------------------------------------------- */

struct parsing {
    struct trod_text *text;
    struct trod_arena *mem;
    struct trod_err *err;
    struct trod_profile_burst *how;
    uint32_t nhow, room_how;
    struct trod_bursts_method *method;
    size_t nmethod, room_method;
    struct trod_bursts_call *call;
    size_t ncall, room_call;
    struct trod_bursts_loop *loop;
    size_t nloop, room_loop;
    uint64_t nunknown;
};

static bool next(struct parsing *p, struct trod_token *token)
{
    return trod_text_next(token, p->text, p->mem, p->err);
}

static bool take_number(struct parsing *p, uint64_t *out, const char *what)
{
    return trod_text_take_uint(out, what, p->text, p->mem, p->err);
}

static bool take_small(struct parsing *p, uint32_t *out, const char *what)
{
    uint64_t value;

    if (!take_number(p, &value, what))
        return false;
    *out = (uint32_t)value;
    return value <= UINT32_MAX ||
           trod_text_fail(p->text, p->err, "%s is below 4294967296", what);
}

static bool take_name(struct parsing *p, const char **out, const char *what)
{
    return trod_text_take_name(out, what, p->text, p->mem, p->err) &&
           (**out || trod_text_fail(p->text, p->err, "%s is not empty", what));
}

static bool take_function(struct parsing *p, const char **function, const char **file)
{
    return take_name(p, function, "the name of a function") &&
           take_name(p, file, "the name of its file");
}

static bool take_end(struct parsing *p)
{
    return trod_text_take_end("that", p->text, p->mem, p->err);
}

static bool something(struct parsing *p, uint64_t count)
{
    return count ||
           trod_text_fail(p->text, p->err, "what did not run has no line; remove it");
}

static bool parse_how(struct parsing *p)
{
    struct trod_profile_burst how;

    if (!trod_profile_burst_parse(&how, p->text, p->mem, p->err))
        return false;
    how.group = 0;
    trod_reserve(p->mem, p->how, p->nhow, p->room_how);
    p->how[p->nhow++] = how;
    return true;
}

static bool parse_method(struct parsing *p)
{
    struct trod_bursts_method m = {0};

    if (!take_function(p, &m.function, &m.file) ||
        !take_number(p, &m.nentry, "how often it was entered") ||
        !take_number(p, &m.nagain, "how often another iteration began") ||
        !take_end(p) || !something(p, m.nentry | m.nagain))
        return false;
    trod_reserve(p->mem, p->method, p->nmethod, p->room_method);
    p->method[p->nmethod++] = m;
    return true;
}

static bool parse_call(struct parsing *p)
{
    struct trod_bursts_call call = {0};
    struct trod_token token;

    if (!take_function(p, &call.function, &call.file) ||
        !take_small(p, &call.site, "the number of the call") ||
        !take_small(p, &call.line, "its line") ||
        !take_small(p, &call.column, "its column") ||
        !trod_text_peek(&token, p->text, p->mem, p->err))
        return false;
    call.indirect = token.kind == TROD_T_MARK && token.mark == '*';
    if ((call.indirect && !next(p, &token)) ||
        !take_name(p, &call.callee, "the function that is called") ||
        !take_number(p, &call.count, "how often") || !take_end(p) ||
        !something(p, call.count))
        return false;
    trod_reserve(p->mem, p->call, p->ncall, p->room_call);
    p->call[p->ncall++] = call;
    return true;
}

/* `POWER:COUNT ...`, of the loop above. */
static bool parse_trips(struct parsing *p, struct trod_bursts_loop *loop)
{
    for (;;) {
        struct trod_token token, mark;
        uint64_t power, count;

        if (!next(p, &token))
            return false;
        if (trod_token_is_over(&token))
            return true;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&power, token.name) ||
            power >= TROD_BURST_TRIPS_MOST || loop->ntrip[power])
            return trod_text_fail(p->text, p->err,
                "expected a power of two, below %d and each once: '4:10' is 10 visits of 16 to 31 "
                "iterations",
                TROD_BURST_TRIPS_MOST);
        if (!next(p, &mark))
            return false;
        if (mark.kind != TROD_T_MARK || mark.mark != ':')
            return trod_text_fail(p->text, p->err, "expected ':' behind the power");
        if (!take_number(p, &count, "how many visits") || !something(p, count))
            return false;
        loop->ntrip[power] = count;
    }
}

static bool parse_loop(struct parsing *p)
{
    struct trod_bursts_loop loop = {0};
    struct trod_text before;
    struct trod_token token;
    uint64_t seen = 0;

    if (!take_function(p, &loop.function, &loop.file) ||
        !take_small(p, &loop.loop, "the number of the loop") ||
        !take_small(p, &loop.line, "its line") ||
        !take_small(p, &loop.depth, "its depth") ||
        !take_number(p, &loop.nenter, "how often it was entered") ||
        !take_number(p, &loop.nagain, "how often another iteration began") ||
        !take_end(p))
        return false;
    before = *p->text;
    do
        if (!next(p, &token))
            return false;
    while (token.kind == TROD_T_LINE);
    if (!trod_token_is_word(&token, "trips"))
        *p->text = before;
    else if (!parse_trips(p, &loop))
        return false;
    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++)
        seen |= loop.ntrip[i];
    if (!something(p, seen | loop.nenter | loop.nagain))
        return false;
    trod_reserve(p->mem, p->loop, p->nloop, p->room_loop);
    p->loop[p->nloop++] = loop;
    return true;
}

/* *taken: whether it is a line of this section at all. */
static bool parse_line(struct parsing *p, const struct trod_token *head, bool *taken)
{
    *taken = true;
    if (trod_token_is_word(head, "burst"))
        return parse_how(p);
    if (trod_token_is_word(head, "method"))
        return parse_method(p);
    if (trod_token_is_word(head, "call"))
        return parse_call(p);
    if (trod_token_is_word(head, "loop"))
        return parse_loop(p);
    if (trod_token_is_word(head, "unknown"))
        return take_number(p, &p->nunknown, "a number of events") && take_end(p);
    *taken = false;
    return true;
}

bool trod_bursts_parse(struct trod_bursts *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parsing p = {.text = text, .mem = mem, .err = err};
    bool taken = true;

    *out = (struct trod_bursts){.name = name};
    if (!take_end(&p))
        return false;
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
    out->nhow = trod_profile_sum_bursts(p.how, p.nhow);
    out->how = p.how;
    out->nunknown = p.nunknown;
    trod_bursts_order(out, p.method, p.nmethod, p.call, p.ncall, p.loop, p.nloop);
    return true;
}
