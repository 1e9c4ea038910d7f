#include "sequence/skeleton.h"

struct forecast {
    const struct trod_call_sequence *old;
    enum trod_call_sequence_what (*what)(const char *function, void *ctx);
    void *ctx;
    bool *added; /* [old->function.count] */
    const char **name;
    uint32_t n;
};

static enum trod_call_sequence_what what_then(const char *function, void *ctx)
{
    const struct forecast *f = ctx;
    uint32_t number = trod_names_find(&f->old->function, function);

    return number != UINT32_MAX && f->added[number] ? TROD_CALLEE_AFFECTED
                                                    : f->what(function, f->ctx);
}

static bool add(struct forecast *f, const struct trod_skeletons *s, uint32_t callee)
{
    uint32_t number = s->out_of_old[callee];

    if (f->added[callee] || !trod_skeletons_is_exempt(s, number) ||
        !s->of[number].several)
        return false;
    f->added[callee] = true;
    f->name[f->n++] = f->old->function.name[callee];
    return true;
}

static bool add_called(
    struct forecast *f, const struct trod_skeletons *s, const struct trod_span *caller)
{
    bool any = false;

    if (s->of[s->out_of_old[caller->function]].what != TROD_CALLEE_AFFECTED)
        return false;
    for (uint32_t i = 0; i < caller->nchild; i++)
        any = add(f, s, f->old->span[caller->child[i].span].function) || any;
    return any;
}

/* One iteration of the fixed point. Returns whether it added a function. */
static bool add_all(
    struct forecast *f, const struct trod_skeletons *s, const struct trod_names *called)
{
    bool any = false;

    for (uint32_t i = 0; i < f->old->nspan; i++)
        any = add_called(f, s, &f->old->span[i]) || any;
    for (uint32_t i = 0; called && i < called->count; i++) {
        uint32_t callee = trod_names_find(&f->old->function, called->name[i]);

        any = (callee != UINT32_MAX && add(f, s, callee)) || any;
    }
    return any;
}

/* A fixed point: each function that becomes affected may make others callees of affected functions, and adds holes. */
uint32_t trod_call_sequence_forecast(const char ***out,
    const struct trod_call_sequence *old, const struct trod_names *called,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem)
{
    struct forecast f = {.old = old,
        .what = what,
        .ctx = ctx,
        .added = trod_new(mem, bool, old->function.count),
        .name = trod_new(mem, const char *, old->function.count)};
    struct trod_call_sequence none = {.name = ""};
    bool more = true;

    while (more) {
        struct trod_mark mark = trod_arena_mark(mem);
        struct trod_skeletons s;

        trod_names_init(&none.function, mem);
        trod_skeletons_init(&s, old, &none, what_then, &f, mem);
        more = add_all(&f, &s, called);
        trod_arena_rewind(mem, mark);
    }
    *out = f.name;
    return f.n;
}
