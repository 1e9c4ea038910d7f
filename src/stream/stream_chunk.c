#include "stream/stream.h"

#include <stdlib.h>
#include <string.h>

/* --- records -------------------------------------------------------------------------------------- */

enum { REF = 0 }; /* beside enum trod_refs_record */

struct record {
    uint32_t kind;
    uint64_t number[TROD_REFS_NUMBERS + 1]; /* of a reference, the first is what the
                                               first varint has */
    const uint8_t *names;                   /* of SITE */
};

struct cursor {
    const uint8_t *at, *end;
};

static bool take_varint(uint64_t *out, struct cursor *c)
{
    unsigned shift = 0;

    *out = 0;
    while (c->at < c->end && shift < 64) {
        uint8_t byte = *c->at++;

        if (shift == 63 && byte > 1)
            return false;
        *out |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
        shift += 7;
    }
    return false;
}

static bool take_names(struct record *out, struct cursor *c)
{
    size_t left = (size_t)(c->end - c->at);

    out->names = c->at;
    if (out->number[3] > left || out->number[4] > left - out->number[3])
        return false;
    c->at += out->number[3] + out->number[4];
    return true;
}

/* False at the end, and where what follows is no record: then c->at is not c->end. */
static bool take_record(struct record *out, struct cursor *c)
{
    static const unsigned numbers[TROD_REFS_RECORDS] = {[REF] = 1,
        [TROD_REFS_BURST] = 1,
        [TROD_REFS_ON] = 1,
        [TROD_REFS_THREAD] = 5,
        [TROD_REFS_MADE] = 5,
        [TROD_REFS_GONE] = 2,
        [TROD_REFS_SITE] = 5,
        [TROD_REFS_AT] = 1};
    const uint8_t *start = c->at;
    unsigned first = 0, i;
    bool ok = true;
    uint64_t key;

    if (c->at == c->end)
        return false;
    ok = take_varint(&key, c);
    if (ok && key % 2 == 0) {
        out->kind = REF;
        out->number[first++] = key / 2;
    } else {
        ok = ok && key / 2 && key / 2 < TROD_REFS_RECORDS;
        out->kind = ok ? (uint32_t)(key / 2) : 0;
    }
    for (i = 0; ok && i < numbers[out->kind]; i++)
        ok = take_varint(&out->number[first + i], c);
    if (ok && out->kind == TROD_REFS_SITE)
        ok = take_names(out, c);
    if (!ok)
        c->at = start;
    return ok && c->at != start;
}

/* What records are differences to. */
struct past {
    uint64_t site, order, address;
    uint64_t last[TROD_REFS_LAST];
};

static uint64_t add(uint64_t *to, uint64_t zigzag)
{
    return *to += trod_refs_unzigzag(zigzag);
}

/* --- what there is ----------------------------------------------------------------------------------- */

/* Records of one thread, up to the next THREAD or the end of the chunk. */
struct piece {
    uint32_t thread, part;
    struct cursor bytes;
    uint64_t low, size, pointer, image;
    bool goes_on; /* its first record is of a burst before it */
    size_t first_run, nrun;
};

struct walker {
    size_t piece, end; /* the one it is in; behind the last of the thread */
    struct cursor at;
    struct past past;
};

struct turn {
    uint64_t order;
    uint32_t thread;
    size_t nth;
};

struct trod_stream_trace {
    struct trod_arena *mem;
    struct trod_stream_names names;
    const struct trod_stream_image *image;
    struct piece *piece;
    size_t npiece, room_piece;
    uint64_t *order_of_run; /* in the order of chunks */
    size_t nrun, room_run;
    struct trod_stream_made *made;
    size_t nmade, room_made;
    struct trod_stream_gone *gone;
    size_t ngone, room_gone;
    struct trod_stream_heap *heap;
    struct trod_stream_table sites, objects, codes;
    uint32_t *place_of_site; /* by number in sites */
    size_t room_place;
    struct walker *walker; /* by thread, as they come in pieces */
    size_t nwalker;
    struct turn *turn;
    size_t nturn;
};

static uint64_t get64(const uint8_t *p)
{
    uint64_t value = 0;

    for (int i = 7; i >= 0; i--)
        value = value << 8 | p[i];
    return value;
}

/* --- the first look ------------------------------------------------------------------------------------ */

struct looking {
    struct trod_stream_trace *trace;
    struct piece *piece; /* open, or NULL */
    struct past past;
    uint64_t image;
    bool waits; /* a run has begun, and has no reference yet */
};

static void begin_run(struct looking *l)
{
    struct trod_stream_trace *t = l->trace;

    trod_reserve(t->mem, t->order_of_run, t->nrun, t->room_run);
    t->order_of_run[t->nrun++] = l->past.order;
    l->piece->nrun++;
    l->waits = true;
}

static void open_piece(
    struct looking *l, const struct record *record, const struct cursor *c)
{
    struct trod_stream_trace *t = l->trace;

    trod_reserve(t->mem, t->piece, t->npiece, t->room_piece);
    l->piece = &t->piece[t->npiece++];
    *l->piece = (struct piece){.thread = (uint32_t)record->number[0],
        .part = (uint32_t)record->number[1],
        .bytes = {c->at, c->at},
        .low = record->number[2],
        .size = record->number[3],
        .pointer = record->number[4],
        .image = l->image,
        .first_run = t->nrun};
    l->past = (struct past){0};
    l->waits = false;
}

static void take_site(struct trod_stream_trace *t, const struct record *record)
{
    const char *names = (const char *)record->names;
    struct trod_stream_spot place = {
        .file = trod_copy_text(t->mem, names, (size_t)record->number[3]),
        .function = trod_copy_text(
            t->mem, names + record->number[3], (size_t)record->number[4]),
        .line = (uint32_t)record->number[1],
        .column = (uint32_t)record->number[2]};
    uint32_t nth = trod_stream_table_add(&t->sites, record->number[0], 0);

    if (!*place.function)
        place.function = "?";
    while (t->room_place <= nth)
        trod_reserve(t->mem, t->place_of_site, t->room_place, t->room_place);
    t->place_of_site[nth] = trod_stream_add_place(&t->names, &place) + 1;
}

static void take_made(struct looking *l, const struct record *record)
{
    struct trod_stream_trace *t = l->trace;
    struct trod_stream_made *made;
    uint64_t site = record->number[1];

    trod_reserve(t->mem, t->made, t->nmade, t->room_made);
    made = &t->made[t->nmade++];
    made->order = add(&l->past.order, record->number[0]);
    made->site = (uint32_t)site;
    made->number = add(&l->past.last[site % TROD_REFS_LAST], record->number[2]);
    made->address = add(&l->past.address, record->number[3]);
    made->size = record->number[4];
}

static void take_gone(struct looking *l, const struct record *record)
{
    struct trod_stream_trace *t = l->trace;

    trod_reserve(t->mem, t->gone, t->ngone, t->room_gone);
    t->gone[t->ngone].order = add(&l->past.order, record->number[0]);
    t->gone[t->ngone++].address = add(&l->past.address, record->number[1]);
}

/* Of a piece: what belongs to bursts. False: it is none's. */
static bool take_burst(struct looking *l, const struct record *record)
{
    bool first = l->piece && l->piece->bytes.at == l->piece->bytes.end;

    if (!l->piece)
        return false;
    if (record->kind == TROD_REFS_AT)
        l->past.order += record->number[0];
    if (record->kind == TROD_REFS_ON && first)
        l->piece->goes_on = true;
    if (first || record->kind == TROD_REFS_BURST)
        begin_run(l);
    if (record->kind == REF && l->waits) {
        l->trace->order_of_run[l->trace->nrun - 1] = l->past.order;
        l->waits = false;
    }
    return true;
}

static bool take(struct looking *l, const struct record *record, const struct cursor *c)
{
    bool ok = true;

    switch (record->kind) {
    case TROD_REFS_THREAD:
        open_piece(l, record, c);
        return true;
    case TROD_REFS_MADE:
        take_made(l, record);
        break;
    case TROD_REFS_GONE:
        take_gone(l, record);
        break;
    case TROD_REFS_SITE:
        take_site(l->trace, record);
        break;
    default:
        ok = take_burst(l, record);
        break;
    }
    if (l->piece && ok)
        l->piece->bytes.end = c->at;
    return ok;
}

static void look(struct trod_stream_refs *out, struct trod_stream_trace *t,
    const struct trod_stream_chunk *chunk)
{
    struct looking l = {.trace = t};
    struct cursor c = {chunk->bytes, chunk->bytes + chunk->nbyte};
    struct record record;
    uint64_t used;

    if (chunk->nbyte < sizeof(struct trod_format_refs)) {
        out->ndamaged++;
        return;
    }
    used = get64(chunk->bytes);
    out->nlost = trod_sat_add(
        out->nlost, get64(chunk->bytes + offsetof(struct trod_format_refs, nlost)));
    l.image = get64(chunk->bytes + offsetof(struct trod_format_refs, image));
    c.at += sizeof(struct trod_format_refs);
    if (used <= (size_t)(c.end - c.at))
        c.end = c.at + used;
    else
        out->ndamaged++;
    while (take_record(&record, &c)) {
        if (!take(&l, &record, &c))
            break;
    }
    if (c.at != c.end && used <= chunk->nbyte)
        out->ndamaged++;
}

/* --- whose turn it is ------------------------------------------------------------------------------------ */

static int by_thread(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;

    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    return (x->first_run > y->first_run) - (x->first_run < y->first_run);
}

static int by_turn(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;

    if (x->order != y->order)
        return x->order < y->order ? -1 : 1;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return (x->nth > y->nth) - (x->nth < y->nth);
}

/* Does its first run go on with the last of the piece before? */
static bool follows(const struct trod_stream_trace *t, size_t piece)
{
    const struct piece *p = &t->piece[piece];

    return piece && p->goes_on && p[-1].thread == p->thread &&
           p[-1].part + 1 == p->part && p[-1].nrun;
}

static void plan_thread(struct trod_stream_trace *t, struct walker *w, uint32_t thread)
{
    uint64_t order = 0;
    size_t nth = 0;

    for (size_t i = w->piece; i < w->end; i++) {
        const struct piece *p = &t->piece[i];

        for (size_t k = follows(t, i); k < p->nrun; k++) {
            uint64_t own = t->order_of_run[p->first_run + k];

            order = own > order ? own : order;
            t->turn[t->nturn++] = (struct turn){order, thread, nth++};
        }
    }
}

/* Runs of all threads by when they began; each thread's in its own order. */
static void plan(struct trod_stream_trace *t)
{
    if (t->npiece)
        qsort(t->piece, t->npiece, sizeof *t->piece, by_thread);
    t->walker = trod_new(t->mem, struct walker, t->npiece + 1);
    t->turn = trod_new(t->mem, struct turn, t->nrun + 1);
    for (size_t i = 0; i < t->npiece; i++) {
        if (!i || t->piece[i - 1].thread != t->piece[i].thread)
            t->walker[t->nwalker++].piece = i;
        t->walker[t->nwalker - 1].end = i + 1;
    }
    for (size_t i = 0; i < t->nwalker; i++)
        plan_thread(t, &t->walker[i], (uint32_t)i);
    qsort(t->turn, t->nturn, sizeof *t->turn, by_turn);
}

void trod_stream_open(struct trod_stream_refs *out, const char *name,
    const struct trod_stream_chunk *chunk, size_t nchunk,
    const struct trod_stream_image *image, struct trod_arena *mem)
{
    struct trod_stream_trace *t = trod_new(mem, struct trod_stream_trace, 1);

    t->mem = t->names.mem = mem;
    t->image = image;
    trod_stream_table_init(&t->sites, mem);
    trod_stream_table_init(&t->objects, mem);
    trod_stream_table_init(&t->codes, mem);
    *out = (struct trod_stream_refs){.name = name, .names = &t->names, .trace = t};
    for (size_t i = 0; i < nchunk; i++)
        look(out, t, &chunk[i]);
    t->heap = trod_stream_heap_build(t->made, t->nmade, t->gone, t->ngone, mem);
    plan(t);
    out->nrun = t->nturn;
}

/* --- what references are of --------------------------------------------------------------------------------- */

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

/* The variable that has this byte, or NULL. */
static const struct trod_stream_symbol *find_symbol(
    const struct trod_stream_symbol *symbol, size_t count, uint64_t at)
{
    size_t low = 0, high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (symbol[middle].at <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low && at - symbol[low - 1].at < symbol[low - 1].size ? &symbol[low - 1]
                                                                 : NULL;
}

static bool in_stack(const struct piece *p, uint64_t address)
{
    return address - p->low < p->size;
}

enum { OTHERS = 64 }; /* threads whose stacks are looked at */

/* The thread's own, or another's. */
static const struct piece *find_stack(
    const struct trod_stream_trace *t, const struct piece *own, uint64_t address)
{
    if (in_stack(own, address))
        return own;
    for (size_t i = 0; i < t->nwalker && i < OTHERS; i++) {
        const struct piece *p = &t->piece[t->walker[i].end - 1];

        if (in_stack(p, address))
            return p;
    }
    return NULL;
}

/* What an address is, and in offset where in it. b tells objects of a kind apart. */
static uint64_t name(struct trod_stream_object *out, uint64_t *offset,
    struct trod_stream_trace *t, const struct piece *p, uint64_t order,
    uint64_t address)
{
    const struct trod_stream_made *made =
        trod_stream_heap_find(t->heap, address, order);
    const struct trod_stream_symbol *symbol;
    const struct piece *stack;

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
    const struct piece *p, uint64_t order, uint64_t address)
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

/* --- one after the other ---------------------------------------------------------------------------------------- */

static void enter(struct trod_stream_trace *t, struct walker *w, size_t piece)
{
    w->piece = piece;
    w->past = (struct past){0};
    w->at = piece < w->end ? t->piece[piece].bytes : (struct cursor){NULL, NULL};
}

/* Where the thread goes on: in this piece, or in one behind it. False: it is at its end. */
static bool find_next(struct trod_stream_trace *t, struct walker *w)
{
    while (w->piece < w->end && w->at.at == w->at.end)
        enter(t, w, w->piece + 1);
    return w->piece < w->end;
}

struct playing {
    struct trod_stream_trace *trace;
    struct walker *walker;
    const struct trod_stream_visitor *visitor;
    uint64_t weight;
    bool begun; /* a reference was given out */
};

static void play_ref(struct playing *p, const struct record *record)
{
    struct walker *w = p->walker;
    const struct piece *piece = &p->trace->piece[w->piece];
    struct trod_stream_ref ref;
    uint32_t site = (uint32_t)add(&w->past.site, record->number[0]);
    uint64_t address = add(&w->past.last[site % TROD_REFS_LAST], record->number[1]);

    if (!p->begun)
        p->visitor->run(piece->thread, p->weight ? p->weight : 1, p->visitor->ctx);
    p->begun = true;
    ref.code = code_of(p->trace, site);
    ref.object = object_of(&ref.offset, p->trace, piece, w->past.order, address);
    p->visitor->ref(&ref, p->visitor->ctx);
}

/* One run: up to the next, which may be in a piece behind. */
static void play(struct playing *p)
{
    struct walker *w = p->walker;
    struct trod_stream_trace *t = p->trace;
    struct record record;
    bool first = true;

    if (!find_next(t, w))
        return;
    for (;; first = false) {
        const uint8_t *before = w->at.at;

        if (!take_record(&record, &w->at)) {
            if (w->piece + 1 >= w->end || !follows(t, w->piece + 1))
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
        if (record.kind == REF)
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
        struct playing p = {.trace = trace,
            .walker = &trace->walker[trace->turn[i].thread],
            .visitor = visitor};

        play(&p);
    }
}
