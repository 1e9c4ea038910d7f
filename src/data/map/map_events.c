#include "map/map.h"
#include "base/parse.h"

#include <string.h>

struct reader {
    struct trod_map_events *out;
    uint32_t nnode;
    struct trod_parse in;
};

static bool damaged(struct reader *r, const char *what)
{
    return trod_parse_fail(&r->in, "the map is damaged: %s", what);
}

static bool read_number(struct reader *r, uint32_t *out)
{
    struct trod_token token;
    uint64_t value;

    if (!trod_parse_next(&token, &r->in))
        return false;
    if (token.kind != TROD_T_NAME || !trod_text_uint(&value, token.name) ||
        value > UINT32_MAX)
        return damaged(r, "an event lacks a number");
    *out = (uint32_t)value;
    return true;
}

/* The number of the next item, which must be consecutive, and its block. */
static bool read_place(struct reader *r, uint32_t number, trod_node *node)
{
    uint32_t own;

    if (!read_number(r, &own) || !read_number(r, node))
        return false;
    if (own != number)
        return damaged(r, "events are out of order");
    return *node < r->nnode || damaged(r, "an event is in a block that is not there");
}

static bool read_end(struct reader *r)
{
    struct trod_token token;

    return trod_parse_next(&token, &r->in) &&
           (trod_token_is_over(&token) || damaged(r, "a line is too long"));
}

static bool read_loop(struct reader *r)
{
    struct trod_map_events *e = r->out;
    struct trod_map_loop loop = {0};

    if (!read_place(r, e->nloop, &loop.header) || !read_number(r, &loop.line))
        return false;
    trod_push(r->in.mem, e->loop, e->nloop, e->room_loop, loop);
    return read_end(r);
}

static bool read_call(struct reader *r)
{
    struct trod_map_events *e = r->out;
    struct trod_map_call call = {0};
    struct trod_token token;

    if (!read_place(r, e->ncall, &call.node) || !read_number(r, &call.line) ||
        !read_number(r, &call.column) || !trod_parse_next(&token, &r->in))
        return false;
    if (token.kind == TROD_T_NAME)
        call.callee = token.name;
    else if (token.kind != TROD_T_MARK || token.mark != '*')
        return damaged(r, "a call is of nothing");
    trod_push(r->in.mem, e->call, e->ncall, e->room_call, call);
    return read_end(r);
}

static bool read_ref(struct reader *r)
{
    static const char *const word[] = {
        [TROD_MAP_LOAD] = "load", [TROD_MAP_STORE] = "store", [TROD_MAP_BOTH] = "both"};
    struct trod_map_events *e = r->out;
    struct trod_map_ref ref = {0};
    struct trod_token token;

    if (!read_place(r, e->nref, &ref.node) || !trod_parse_next(&token, &r->in))
        return false;
    for (int i = TROD_MAP_LOAD; i <= TROD_MAP_BOTH; i++)
        if (trod_token_is_word(&token, word[i]))
            ref.access = (enum trod_map_access)i;
    if (!ref.access)
        return damaged(r, "a reference is neither load nor store");
    if (!read_number(r, &ref.nbyte) || !read_number(r, &ref.line) ||
        !read_number(r, &ref.column))
        return false;
    trod_push(r->in.mem, e->ref, e->nref, e->room_ref, ref);
    return read_end(r);
}

bool trod_map_events_parse(struct trod_map_events *out, const struct trod_graph *graph,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.in = {text, mem, err}, .out = out, .nnode = graph->nnode};

    for (;;) {
        struct trod_text before = *text;
        struct trod_token word;
        bool ok;

        if (!trod_parse_next(&word, &r.in))
            return false;
        if (word.kind == TROD_T_LINE)
            continue;
        if (trod_token_is_word(&word, "loop")) {
            ok = read_loop(&r);
        } else if (trod_token_is_word(&word, "call")) {
            ok = read_call(&r);
        } else if (trod_token_is_word(&word, "ref")) {
            ok = read_ref(&r);
        } else {
            *text = before;
            return true;
        }
        if (!ok)
            return false;
    }
}
