#include "burst/burst.h"
#include "base/parse.h"

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

struct parser {
    struct trod_parse in;
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

static bool take_name(struct parser *p, const char **out, const char *what)
{
    return trod_parse_name(out, &p->in, what) &&
           (**out || trod_parse_fail(&p->in, "%s is not empty", what));
}

static bool take_function(struct parser *p, const char **function, const char **file)
{
    return take_name(p, function, "the name of a function") &&
           take_name(p, file, "the name of its file");
}

static bool something(struct parser *p, uint64_t count)
{
    return count || trod_parse_fail(&p->in, "a count of 0 has no line; remove it");
}

static bool parse_how(struct parser *p)
{
    struct trod_profile_burst how;

    if (!trod_profile_burst_parse(&how, p->in.text, p->in.mem, p->in.err))
        return false;
    how.group = 0;
    trod_push(p->in.mem, p->how, p->nhow, p->room_how, how);
    return true;
}

static bool parse_method(struct parser *p)
{
    struct trod_bursts_method m = {0};

    if (!take_function(p, &m.function, &m.file) ||
        !trod_parse_uint(&m.nentry, &p->in, "how often it was entered") ||
        !trod_parse_uint(&m.nagain, &p->in, "how often another iteration began") ||
        !trod_parse_end(&p->in, "that") || !something(p, m.nentry | m.nagain))
        return false;
    trod_push(p->in.mem, p->method, p->nmethod, p->room_method, m);
    return true;
}

static bool parse_call(struct parser *p)
{
    struct trod_bursts_call call = {0};
    struct trod_token token;

    if (!take_function(p, &call.function, &call.file) ||
        !trod_parse_u32(&call.site, &p->in, "the number of the call") ||
        !trod_parse_u32(&call.line, &p->in, "its line") ||
        !trod_parse_u32(&call.column, &p->in, "its column") ||
        !trod_parse_peek(&token, &p->in))
        return false;
    call.indirect = trod_token_is_mark(&token, '*');
    if ((call.indirect && !trod_parse_next(&token, &p->in)) ||
        !take_name(p, &call.callee, "the function that is called") ||
        !trod_parse_uint(&call.count, &p->in, "how often") ||
        !trod_parse_end(&p->in, "that") || !something(p, call.count))
        return false;
    trod_push(p->in.mem, p->call, p->ncall, p->room_call, call);
    return true;
}

/* `POWER:COUNT ...`: trip counts of the loop above. */
static bool parse_trips(struct parser *p, struct trod_bursts_loop *loop)
{
    for (;;) {
        struct trod_token token, mark;
        uint64_t power, count;

        if (!trod_parse_next(&token, &p->in))
            return false;
        if (trod_token_is_over(&token))
            return true;
        if (token.kind != TROD_T_NAME || !trod_text_uint(&power, token.name) ||
            power >= TROD_BURST_TRIPS_MOST || loop->ntrip[power])
            return trod_parse_fail(&p->in,
                "expected a power of two, below %d and each once: '4:10' is 10 visits of 16 to 31 iterations",
                TROD_BURST_TRIPS_MOST);
        if (!trod_parse_next(&mark, &p->in))
            return false;
        if (mark.kind != TROD_T_MARK || mark.mark != ':')
            return trod_parse_fail(&p->in, "expected ':' after the power");
        if (!trod_parse_uint(&count, &p->in, "how many visits") || !something(p, count))
            return false;
        loop->ntrip[power] = count;
    }
}

static bool parse_loop(struct parser *p)
{
    struct trod_bursts_loop loop = {0};
    struct trod_text before;
    struct trod_token token;
    uint64_t seen = 0;

    if (!take_function(p, &loop.function, &loop.file) ||
        !trod_parse_u32(&loop.loop, &p->in, "the number of the loop") ||
        !trod_parse_u32(&loop.line, &p->in, "its line") ||
        !trod_parse_u32(&loop.depth, &p->in, "its depth") ||
        !trod_parse_uint(&loop.nenter, &p->in, "how often it was entered") ||
        !trod_parse_uint(&loop.nagain, &p->in, "how often another iteration began") ||
        !trod_parse_end(&p->in, "that"))
        return false;
    before = *p->in.text;
    do
        if (!trod_parse_next(&token, &p->in))
            return false;
    while (token.kind == TROD_T_LINE);
    if (!trod_token_is_word(&token, "trips"))
        *p->in.text = before;
    else if (!parse_trips(p, &loop))
        return false;
    for (int i = 0; i < TROD_BURST_TRIPS_MOST; i++)
        seen |= loop.ntrip[i];
    if (!something(p, seen | loop.nenter | loop.nagain))
        return false;
    trod_push(p->in.mem, p->loop, p->nloop, p->room_loop, loop);
    return true;
}

/* *taken: the line belongs to this section. */
static bool parse_line(struct parser *p, const struct trod_token *head, bool *taken)
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
        return trod_parse_uint(&p->nunknown, &p->in, "a number of events") &&
               trod_parse_end(&p->in, "that");
    *taken = false;
    return true;
}

bool trod_bursts_parse(struct trod_bursts *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct parser p = {.in = {text, mem, err}};
    bool taken = true;

    *out = (struct trod_bursts){.name = name};
    if (!trod_parse_end(&p.in, "that"))
        return false;
    while (taken) {
        struct trod_text before = *text;
        struct trod_token head;

        if (!trod_parse_next(&head, &p.in))
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
