#include "stream/stream.h"
#include "base/bytes.h"
#include "base/order.h"

#include "stream/trace.h"

#include <stdlib.h>
#include <string.h>

/* --- records -------------------------------------------------------------------------------------- */

static bool take_names(struct trod_stream_record *out, struct trod_stream_cursor *c)
{
    size_t left = (size_t)(c->end - c->at);

    out->names = c->at;
    if (out->number[3] > left || out->number[4] > left - out->number[3])
        return false;
    c->at += out->number[3] + out->number[4];
    return true;
}

bool trod_stream_take_record(
    struct trod_stream_record *out, struct trod_stream_cursor *c)
{
    static const unsigned numbers[TROD_REFS_RECORDS] = {[TROD_REFS_REF] = 1,
        [TROD_REFS_BURST] = 1,
        [TROD_REFS_ON] = 1,
        [TROD_REFS_THREAD] = 5,
        [TROD_REFS_MADE] = 5,
        [TROD_REFS_GONE] = 2,
        [TROD_REFS_SITE] = 5,
        [TROD_REFS_AT] = 1};
    const uint8_t *start = c->at;
    unsigned first = 0, i;
    uint64_t key;
    bool ok;

    if (c->at == c->end)
        return false;
    *out = (struct trod_stream_record){0};
    ok = trod_load_varint(&key, &c->at, c->end);
    if (ok && key % 2 == 0) {
        out->kind = TROD_REFS_REF;
        out->number[first++] = key / 2;
    } else {
        ok = ok && key / 2 && key / 2 < TROD_REFS_RECORDS;
        out->kind = ok ? (uint32_t)(key / 2) : 0;
    }
    for (i = 0; ok && i < numbers[out->kind]; i++)
        ok = trod_load_varint(&out->number[first + i], &c->at, c->end);
    if (ok && out->kind == TROD_REFS_SITE)
        ok = take_names(out, c);
    if (!ok)
        c->at = start;
    return ok && c->at != start;
}

/* --- the first pass ------------------------------------------------------------------------------------ */

struct chunk_reader {
    struct trod_stream_trace *trace;
    struct trod_stream_piece *piece; /* current piece, or NULL */
    struct trod_stream_past past;
    uint64_t image;
    bool waits; /* a run has begun, but has no reference yet */
};

static void begin_run(struct chunk_reader *l)
{
    struct trod_stream_trace *t = l->trace;

    trod_push(t->mem, t->order_of_run, t->nrun, t->room_run, l->past.order);
    l->piece->nrun++;
    l->waits = true;
}

static void open_piece(struct chunk_reader *l, const struct trod_stream_record *record,
    const struct trod_stream_cursor *c)
{
    struct trod_stream_trace *t = l->trace;

    trod_reserve(t->mem, t->piece, t->npiece, t->room_piece);
    l->piece = &t->piece[t->npiece++];
    *l->piece = (struct trod_stream_piece){.thread = (uint32_t)record->number[0],
        .part = (uint32_t)record->number[1],
        .bytes = {c->at, c->at},
        .low = record->number[2],
        .size = record->number[3],
        .pointer = record->number[4],
        .image = l->image,
        .first_run = t->nrun};
    l->past = (struct trod_stream_past){0};
    l->waits = false;
}

static void take_site(
    struct trod_stream_trace *t, const struct trod_stream_record *record)
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

static void take_made(struct chunk_reader *l, const struct trod_stream_record *record)
{
    struct trod_stream_trace *t = l->trace;
    struct trod_stream_made *made;
    uint64_t site = record->number[1];

    trod_reserve(t->mem, t->made, t->nmade, t->room_made);
    made = &t->made[t->nmade++];
    made->order = trod_stream_past_add(&l->past.order, record->number[0]);
    made->site = (uint32_t)site;
    made->number =
        trod_stream_past_add(&l->past.last[site % TROD_REFS_LAST], record->number[2]);
    made->address = trod_stream_past_add(&l->past.address, record->number[3]);
    made->size = record->number[4];
}

static void take_gone(struct chunk_reader *l, const struct trod_stream_record *record)
{
    struct trod_stream_trace *t = l->trace;

    trod_reserve(t->mem, t->gone, t->ngone, t->room_gone);
    t->gone[t->ngone].order = trod_stream_past_add(&l->past.order, record->number[0]);
    t->gone[t->ngone++].address =
        trod_stream_past_add(&l->past.address, record->number[1]);
}

/* Process a record about bursts. False: the record is of another kind. */
static bool take_burst(struct chunk_reader *l, const struct trod_stream_record *record)
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
    if (record->kind == TROD_REFS_REF && l->waits) {
        l->trace->order_of_run[l->trace->nrun - 1] = l->past.order;
        l->waits = false;
    }
    return true;
}

static bool take(struct chunk_reader *l, const struct trod_stream_record *record,
    const struct trod_stream_cursor *c)
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
    struct chunk_reader l = {.trace = t};
    struct trod_stream_cursor c = {chunk->bytes, chunk->bytes + chunk->nbyte};
    struct trod_stream_record record;
    uint64_t used;

    if (chunk->nbyte < sizeof(struct trod_format_refs)) {
        out->ndamaged++;
        return;
    }
    used = trod_load64(chunk->bytes);
    out->nlost = trod_sat_add(out->nlost,
        trod_load64(chunk->bytes + offsetof(struct trod_format_refs, nlost)));
    l.image = trod_load64(chunk->bytes + offsetof(struct trod_format_refs, image));
    c.at += sizeof(struct trod_format_refs);
    if (used <= (size_t)(c.end - c.at))
        c.end = c.at + used;
    else
        out->ndamaged++;
    while (trod_stream_take_record(&record, &c)) {
        if (!take(&l, &record, &c))
            break;
    }
    if (c.at != c.end && used <= chunk->nbyte)
        out->ndamaged++;
}

/* --- the order of runs ----------------------------------------------------------------------------------- */

TROD_ORDER(by_thread, struct trod_stream_piece, TROD_UP(thread), TROD_UP(part),
    TROD_UP(first_run))

TROD_ORDER(
    by_turn, struct trod_stream_turn, TROD_UP(order), TROD_UP(thread), TROD_UP(nth))

bool trod_stream_follows(const struct trod_stream_trace *t, size_t piece)
{
    const struct trod_stream_piece *p = &t->piece[piece];

    return piece && p->goes_on && p[-1].thread == p->thread &&
           p[-1].part + 1 == p->part && p[-1].nrun;
}

static void plan_thread(
    struct trod_stream_trace *t, struct trod_stream_walker *w, uint32_t thread)
{
    uint64_t order = 0;
    size_t nth = 0;

    for (size_t i = w->piece; i < w->end; i++) {
        const struct trod_stream_piece *p = &t->piece[i];

        for (size_t k = trod_stream_follows(t, i); k < p->nrun; k++) {
            uint64_t own = t->order_of_run[p->first_run + k];

            order = own > order ? own : order;
            t->turn[t->nturn++] = (struct trod_stream_turn){order, thread, nth++};
        }
    }
}

/* Order the runs of all threads by their start; the runs of each thread stay in sequence. */
static void plan(struct trod_stream_trace *t)
{
    trod_sort(t->piece, t->npiece, by_thread);
    t->walker = trod_new(t->mem, struct trod_stream_walker, t->npiece + 1);
    t->turn = trod_new(t->mem, struct trod_stream_turn, t->nrun + 1);
    for (size_t i = 0; i < t->npiece; i++) {
        if (!i || t->piece[i - 1].thread != t->piece[i].thread)
            t->walker[t->nwalker++].piece = i;
        t->walker[t->nwalker - 1].end = i + 1;
    }
    for (size_t i = 0; i < t->nwalker; i++)
        plan_thread(t, &t->walker[i], (uint32_t)i);
    trod_sort(t->turn, t->nturn, by_turn);
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
