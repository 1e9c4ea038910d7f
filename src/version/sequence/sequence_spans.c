#include "sequence/sequence.h"

#include <string.h>

/* --- unique spans ----------------------------------------------------------------------------------- */

void trod_spans_init(struct trod_spans *out, struct trod_arena *mem)
{
    *out = (struct trod_spans){.mem = mem};
    trod_names_init(&out->function, mem);
}

static uint64_t hash_of(uint32_t function, enum trod_span_how how,
    const struct trod_span_child *child, uint32_t nchild)
{
    uint64_t hash = trod_mix(trod_mix(0, function), how);

    for (uint32_t i = 0; i < nchild; i++)
        hash = trod_mix(trod_mix(hash, child[i].span), child[i].count);
    return hash;
}

static bool is_same(const struct trod_span *a, const struct trod_span_open *b)
{
    if (a->function != b->function || a->how != b->how || a->nchild != b->nchild)
        return false;
    for (uint32_t i = 0; i < a->nchild; i++)
        if (a->child[i].span != b->child[i].span ||
            a->child[i].count != b->child[i].count)
            return false;
    return true;
}

static uint64_t count_calls(const struct trod_spans *s, const struct trod_span *span)
{
    uint64_t n = strcmp(s->function.name[span->function], TROD_SPAN_THREAD) != 0;

    for (uint32_t i = 0; i < span->nchild; i++)
        n = trod_sat_add(
            n, trod_sat_mul(s->span[span->child[i].span].ncall, span->child[i].count));
    return n;
}

static void make(struct trod_spans *s, const struct trod_span_open *open)
{
    struct trod_span_child *child =
        trod_new(s->mem, struct trod_span_child, open->nchild);
    struct trod_span *span;

    if (open->nchild)
        memcpy(child, open->child, open->nchild * sizeof *child);
    trod_reserve(s->mem, s->span, s->nspan, s->room);
    span = &s->span[s->nspan++];
    *span = (struct trod_span){.function = open->function,
        .how = open->how,
        .nchild = open->nchild,
        .child = child};
    span->ncall = count_calls(s, span);
}

/* --- opening and closing -------------------------------------------------------------------------------- */

void trod_spans_open(struct trod_spans *s, uint32_t function, enum trod_span_how how)
{
    struct trod_span_open *open;

    trod_reserve(s->mem, s->open, s->nopen, s->room_open);
    open = &s->open[s->nopen++];
    open->function = function;
    open->how = how;
    open->nchild = 0;
}

void trod_spans_add(struct trod_spans *s, uint32_t span, uint64_t count)
{
    struct trod_span_open *open = &s->open[s->nopen - 1];
    struct trod_span_child *last = open->nchild ? &open->child[open->nchild - 1] : NULL;

    assert(span < s->nspan);
    if (!count)
        return;
    if (last && last->span == span) {
        last->count = trod_sat_add(last->count, count);
        return;
    }
    trod_reserve(s->mem, open->child, open->nchild, open->room);
    assert(open->child);
    open->child[open->nchild++] = (struct trod_span_child){span, count};
}

uint32_t trod_spans_close(struct trod_spans *s)
{
    const struct trod_span_open *open = &s->open[--s->nopen];
    uint64_t hash = hash_of(open->function, open->how, open->child, open->nchild);
    uint32_t found = TROD_TABLE_FIND(&s->spans, hash, i, is_same(&s->span[i], open));

    if (found == TROD_TABLE_NONE) {
        found = trod_table_add(&s->spans, hash, s->mem);
        make(s, open);
    }
    return found;
}

void trod_spans_thread(struct trod_spans *s, uint32_t number, uint32_t root)
{
    uint32_t n = s->nthread;

    trod_reserve(s->mem, s->root_of_thread, n, s->room_root);
    trod_reserve(s->mem, s->number_of_thread, n, s->room_number);
    s->root_of_thread[s->nthread] = root;
    s->number_of_thread[s->nthread++] = number;
}

void trod_spans_build(
    struct trod_call_sequence *out, const struct trod_spans *s, const char *name)
{
    assert(!s->nopen);
    *out = (struct trod_call_sequence){.name = name,
        .function = s->function,
        .nspan = s->nspan,
        .span = s->span,
        .nthread = s->nthread,
        .root_of_thread = s->root_of_thread,
        .number_of_thread = s->number_of_thread};
}

/* --- sizes and expansion ------------------------------------------------------------------------------- */

void trod_call_sequence_count(
    uint64_t *count, const struct trod_call_sequence *sequence, uint32_t thread)
{
    for (uint32_t s = 0; s < sequence->nspan; s++)
        count[s] = 0;
    count[sequence->root_of_thread[thread]] = 1;
    for (uint32_t s = sequence->nspan; s-- > 0;)
        for (uint32_t i = 0; count[s] && i < sequence->span[s].nchild; i++) {
            const struct trod_span_child *c = &sequence->span[s].child[i];

            count[c->span] =
                trod_sat_add(count[c->span], trod_sat_mul(count[s], c->count));
        }
}

struct cursor {
    uint32_t span, child;
    uint64_t ndone; /* repetitions of the child that are done */
};

struct expander {
    struct trod_arena *mem;
    struct cursor *at;
    size_t nat, room;
};

static void descend(struct expander *e, uint32_t span)
{
    trod_push(e->mem, e->at, e->nat, e->room, (struct cursor){.span = span});
}

uint64_t trod_call_sequence_each(const struct trod_call_sequence *sequence,
    uint32_t thread, bool (*fn)(const char *function, uint32_t depth, void *ctx),
    void *ctx, struct trod_arena *mem)
{
    struct expander e = {.mem = mem};
    uint64_t ntold = 0;

    descend(&e, sequence->root_of_thread[thread]);
    while (e.nat) {
        struct cursor *at = &e.at[e.nat - 1];
        const struct trod_span *span = &sequence->span[at->span];
        const char *name;

        if (at->child < span->nchild && at->ndone == span->child[at->child].count) {
            at->child++;
            at->ndone = 0;
        }
        if (at->child == span->nchild) {
            e.nat--;
            continue;
        }
        at->ndone++;
        descend(&e, span->child[at->child].span);
        name = sequence->function.name[sequence->span[e.at[e.nat - 1].span].function];
        if (!fn(name, (uint32_t)e.nat - 2, ctx))
            return ntold;
        ntold++;
    }
    return ntold;
}
