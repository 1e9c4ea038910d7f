#include "burst/burst.h"

#include <inttypes.h>

/* --- all members of a kind -------------------------------------------------------------------- */

static size_t list_calls(struct trod_bursts_member **out, enum trod_bursts_kind kind,
    const struct trod_bursts_call *call, size_t n, struct trod_arena *mem)
{
    *out = trod_new(mem, struct trod_bursts_member, n);
    for (size_t i = 0; i < n; i++)
        (*out)[i] = (struct trod_bursts_member){.kind = kind,
            .call = &call[i],
            .function = call[i].function,
            .file = call[i].file,
            .count = call[i].count};
    return n;
}

static size_t list_methods(struct trod_bursts_member **out,
    const struct trod_bursts *burst, struct trod_arena *mem)
{
    *out = trod_new(mem, struct trod_bursts_member, burst->nmethod);
    for (size_t i = 0; i < burst->nmethod; i++) {
        const struct trod_bursts_method *m = &burst->method[i];

        (*out)[i] = (struct trod_bursts_member){.kind = TROD_BURST_OF_METHODS,
            .method = m,
            .function = m->function,
            .file = m->file,
            .count = trod_bursts_method_count(m)};
    }
    return burst->nmethod;
}

static size_t list_loops(struct trod_bursts_member **out,
    const struct trod_bursts *burst, struct trod_arena *mem)
{
    *out = trod_new(mem, struct trod_bursts_member, burst->nloop);
    for (size_t i = 0; i < burst->nloop; i++) {
        const struct trod_bursts_loop *l = &burst->loop[i];

        (*out)[i] = (struct trod_bursts_member){.kind = TROD_BURST_OF_LOOPS,
            .loop = l,
            .function = l->function,
            .file = l->file,
            .count = trod_bursts_loop_count(l)};
    }
    return burst->nloop;
}

size_t trod_bursts_members(struct trod_bursts_member **out,
    const struct trod_bursts *burst, enum trod_bursts_kind kind, struct trod_arena *mem)
{
    struct trod_bursts_call *pair;
    size_t npair;

    switch (kind) {
    case TROD_BURST_OF_CALLS:
        return list_calls(out, kind, burst->call, burst->ncall, mem);
    case TROD_BURST_OF_PAIRS:
        trod_bursts_pairs(&pair, &npair, burst, mem);
        return list_calls(out, kind, pair, npair, mem);
    case TROD_BURST_OF_LOOPS:
        return list_loops(out, burst, mem);
    case TROD_BURST_OF_METHODS:
        break;
    }
    return list_methods(out, burst, mem);
}

int trod_bursts_compare_members(
    const struct trod_bursts_member *a, const struct trod_bursts_member *b)
{
    if (a->method)
        return trod_bursts_compare_methods(a->method, b->method);
    if (a->call)
        return trod_bursts_compare_calls(a->call, b->call);
    return trod_bursts_compare_loops(a->loop, b->loop);
}

const char *trod_bursts_kind_name(enum trod_bursts_kind kind)
{
    static const char *const word[] = {
        [TROD_BURST_OF_METHODS] = "functions",
        [TROD_BURST_OF_CALLS] = "calls",
        [TROD_BURST_OF_PAIRS] = "pairs",
        [TROD_BURST_OF_LOOPS] = "loops",
    };

    return word[kind];
}

enum trod_burst_type trod_bursts_kind_type(enum trod_bursts_kind kind)
{
    static const enum trod_burst_type type[] = {
        [TROD_BURST_OF_METHODS] = TROD_BURST_METHODS,
        [TROD_BURST_OF_CALLS] = TROD_BURST_CALLS,
        [TROD_BURST_OF_PAIRS] = TROD_BURST_CALLS,
        [TROD_BURST_OF_LOOPS] = TROD_BURST_TRIPS,
    };

    return type[kind];
}

double trod_bursts_mean(const struct trod_bursts_loop *loop)
{
    return loop->nenter ? 1 + (double)loop->nagain / (double)loop->nenter : 0;
}

/* --- output ------------------------------------------------------------------------------------- */

/* Demangled names, quoted only if they would be ambiguous. */
static void put_name(struct trod_sink *sink, const char *name)
{
    bool plain = *name;

    if (trod_put_demangled(sink, name))
        return;
    for (const char *p = name; *p; p++)
        plain = plain && (unsigned char)*p > ' ' && *p != '"' && *p != 0x7f;
    if (plain)
        trod_put(sink, "%s", name);
    else
        trod_put_name(sink, name);
}

/* FILE:LINE:COLUMN, as far as they are known. */
static void put_place(
    struct trod_sink *sink, const char *file, uint32_t line, uint32_t column)
{
    put_name(sink, file);
    if (line)
        trod_put(sink, ":%" PRIu32, line);
    if (line && column)
        trod_put(sink, ":%" PRIu32, column);
}

void trod_bursts_member_put(
    struct trod_sink *sink, const struct trod_bursts_member *member)
{
    const struct trod_bursts_call *call = member->call;

    put_name(sink, member->function);
    if (call) {
        trod_put(sink, "  ");
        put_place(sink, call->file, call->line, call->column);
        trod_put(sink, " -> ");
        put_name(sink, call->callee);
        trod_put(sink, call->indirect ? " (indirect)" : "");
    } else if (member->loop) {
        trod_put(sink, " loop %" PRIu32 "  ", member->loop->loop);
        put_place(sink, member->file, member->loop->line, 0);
    } else {
        trod_put(sink, "  ");
        put_name(sink, member->file);
    }
}

static void json_place(struct trod_json *json, uint32_t line, uint32_t column)
{
    if (line)
        trod_json_uint(json, "line", line);
    if (line && column)
        trod_json_uint(json, "column", column);
}

void trod_bursts_member_json(
    struct trod_json *json, const struct trod_bursts_member *member)
{
    const struct trod_bursts_call *call = member->call;

    trod_json_display_name(json, "function", member->function);
    trod_json_text(json, "file", member->file);
    if (member->kind == TROD_BURST_OF_CALLS) {
        trod_json_uint(json, "site", call->site);
        json_place(json, call->line, call->column);
        trod_json_bool(json, "indirect", call->indirect);
    }
    if (call)
        trod_json_display_name(json, "callee", call->callee);
    if (member->loop) {
        trod_json_uint(json, "loop", member->loop->loop);
        json_place(json, member->loop->line, 0);
        trod_json_uint(json, "depth", member->loop->depth);
    }
}
