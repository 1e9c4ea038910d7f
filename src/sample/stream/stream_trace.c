#include "stream/stream.h"
#include "base/order.h"

#include "stream/trace.h"

/* --- code and objects of references ------------------------------------------------------------------------- */

static uint32_t code_of(struct trod_stream_trace *t, uint32_t site)
{
    uint32_t n = t->codes.count;
    uint32_t code = trod_stream_table_add(&t->codes, site, 0);
    struct trod_stream_code known = {
        .spot = {"?", "", 0, site}, .access = TROD_STREAM_UNKNOWN_ACCESS};

    if (code < n)
        return code;
    if (t->image->code)
        t->image->code(&known, site, t->image->ctx);
    return trod_stream_add_code(&t->names, &known);
}

static uint32_t place_of(struct trod_stream_trace *t, uint32_t site)
{
    uint32_t nth = trod_stream_table_add(&t->sites, site, 0);
    struct trod_stream_spot unknown = {"?", "", 0, site};

    while (t->room_place <= nth)
        trod_reserve(t->mem, t->place_of_site, t->room_place, t->room_place);
    if (!t->place_of_site[nth])
        t->place_of_site[nth] = trod_stream_add_place(&t->names, &unknown) + 1;
    return t->place_of_site[nth] - 1;
}

/* The variable that contains this byte, or NULL. */
static const struct trod_stream_symbol *find_symbol(
    const struct trod_stream_symbol *symbol, size_t count, uint64_t at)
{
    size_t low = TROD_LOWER_BOUND(middle, 0, count, symbol[middle].at <= at);

    return low && at - symbol[low - 1].at < symbol[low - 1].size ? &symbol[low - 1]
                                                                 : NULL;
}

static bool in_stack(const struct trod_stream_piece *p, uint64_t address)
{
    return address - p->low < p->size;
}

enum { OTHERS = 64 }; /* most threads whose stacks are searched */

/* The thread whose stack contains an address: this one, or another. */
static const struct trod_stream_piece *find_stack(const struct trod_stream_trace *t,
    const struct trod_stream_piece *own, uint64_t address)
{
    if (in_stack(own, address))
        return own;
    for (size_t i = 0; i < t->nwalker && i < OTHERS; i++) {
        const struct trod_stream_piece *p = &t->piece[t->walker[i].end - 1];

        if (in_stack(p, address))
            return p;
    }
    return NULL;
}

/* The object at an address, and the offset in it. The result distinguishes objects of one kind. */
static uint64_t name(struct trod_stream_object *out, uint64_t *offset,
    struct trod_stream_trace *t, const struct trod_stream_piece *p, uint64_t order,
    uint64_t address)
{
    const struct trod_stream_made *made =
        trod_stream_heap_find(t->heap, address, order);
    const struct trod_stream_symbol *symbol;
    const struct trod_stream_piece *stack;

    *offset = address;
    if (made) {
        *out = (struct trod_stream_object){TROD_STREAM_HEAP, 0, made->number, NULL};
        *offset -= made->address;
        return (uint64_t)(made - t->made);
    }
    symbol = find_symbol(t->image->global, t->image->nglobal, address - p->image);
    if (symbol) {
        *out = (struct trod_stream_object){TROD_STREAM_GLOBAL, 0, 0, symbol->name};
        *offset -= p->image + symbol->at;
        return (uint64_t)(symbol - t->image->global);
    }
    symbol = find_symbol(t->image->local, t->image->nlocal, address - p->pointer);
    if (symbol) {
        *out =
            (struct trod_stream_object){TROD_STREAM_LOCAL, 0, p->thread, symbol->name};
        *offset -= p->pointer + symbol->at;
        return (uint64_t)(symbol - t->image->local) << 32 | p->thread;
    }
    stack = find_stack(t, p, address);
    if (stack) {
        *out = (struct trod_stream_object){TROD_STREAM_STACK, 0, stack->thread, NULL};
        *offset = stack->low + stack->size - address;
        return stack->thread;
    }
    *out = (struct trod_stream_object){TROD_STREAM_UNKNOWN, 0, 0, NULL};
    return 0;
}

static uint32_t object_of(uint64_t *offset, struct trod_stream_trace *t,
    const struct trod_stream_piece *p, uint64_t order, uint64_t address)
{
    struct trod_stream_object object;
    uint64_t which = name(&object, offset, t, p, order, address);
    uint32_t n = t->objects.count;
    uint32_t number = trod_stream_table_add(&t->objects, object.kind, which);

    if (number < n)
        return number;
    if (object.kind == TROD_STREAM_HEAP)
        object.place = place_of(t, t->made[which].site);
    return trod_stream_add_object(&t->names, &object);
}

/* --- runs in order
 * ---------------------------------------------------------------------------------------------- */

static void enter(
    struct trod_stream_trace *t, struct trod_stream_walker *w, size_t piece)
{
    w->piece = piece;
    w->past = (struct trod_stream_past){0};
    w->at = piece < w->end ? t->piece[piece].bytes
                           : (struct trod_stream_cursor){NULL, NULL};
}

/* Move to where the thread continues: in this piece or in a later one. False: the thread has ended. */
static bool find_next(struct trod_stream_trace *t, struct trod_stream_walker *w)
{
    while (w->piece < w->end && w->at.at == w->at.end)
        enter(t, w, w->piece + 1);
    return w->piece < w->end;
}

struct player {
    struct trod_stream_trace *trace;
    struct trod_stream_walker *walker;
    const struct trod_stream_visitor *visitor;
    uint64_t weight;
    bool begun; /* a reference was returned */
};

static void play_ref(struct player *p, const struct trod_stream_record *record)
{
    struct trod_stream_walker *w = p->walker;
    const struct trod_stream_piece *piece = &p->trace->piece[w->piece];
    struct trod_stream_ref ref;
    uint32_t site = (uint32_t)trod_stream_past_add(&w->past.site, record->number[0]);
    uint64_t address =
        trod_stream_past_add(&w->past.last[site % TROD_REFS_LAST], record->number[1]);

    if (!p->begun)
        p->visitor->run(piece->thread, p->weight ? p->weight : 1, p->visitor->ctx);
    p->begun = true;
    ref.code = code_of(p->trace, site);
    ref.object = object_of(&ref.offset, p->trace, piece, w->past.order, address);
    p->visitor->ref(&ref, p->visitor->ctx);
}

/* Replay one run, up to the start of the next, which may be in a later piece. */
static void play(struct player *p)
{
    struct trod_stream_walker *w = p->walker;
    struct trod_stream_trace *t = p->trace;
    struct trod_stream_record record;
    bool first = true;

    if (!find_next(t, w))
        return;
    for (;; first = false) {
        const uint8_t *before = w->at.at;

        if (!trod_stream_take_record(&record, &w->at)) {
            if (w->piece + 1 >= w->end || !trod_stream_follows(t, w->piece + 1))
                return;
            enter(t, w, w->piece + 1);
            continue;
        }
        if (record.kind == TROD_REFS_BURST && !first) {
            w->at.at = before;
            return;
        }
        if (record.kind == TROD_REFS_BURST || (record.kind == TROD_REFS_ON && first))
            p->weight = record.number[0];
        if (record.kind == TROD_REFS_AT)
            w->past.order += record.number[0];
        if (record.kind == TROD_REFS_REF)
            play_ref(p, &record);
    }
}

void trod_stream_trace_each(
    struct trod_stream_trace *trace, const struct trod_stream_visitor *visitor)
{
    size_t piece = 0;

    for (size_t i = 0; i < trace->nwalker; i++) {
        enter(trace, &trace->walker[i], piece);
        piece = trace->walker[i].end;
    }
    for (size_t i = 0; i < trace->nturn; i++) {
        struct player p = {.trace = trace,
            .walker = &trace->walker[trace->turn[i].thread],
            .visitor = visitor};

        play(&p);
    }
}
