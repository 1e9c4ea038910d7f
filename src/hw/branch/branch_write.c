#include "base/bytes.h"
#include "branch/guess.h"

#include <string.h>

#include "branch/trace_layout.h"

/* A chunk is written when one of its parts reaches this many bytes. */
enum { FULL = 1 << 20 };

struct bytes {
    uint8_t *at;
    size_t count, room;
};

/* Tokens, each with the number of correct predictions before it. */
struct tokens {
    struct bytes bytes;
    uint64_t nhit;
};

struct trod_branch_writer_state {
    struct trod_guess guess;
    struct bytes codes;         /* codes not yet written to a chunk */
    uint32_t first_code, ncode; /* the numbers of these */
    uint64_t pc;          /* end of the previous code: addresses are relative to it */
    struct bytes threads; /* the threads at the start of the chunk */
    struct tokens run, slot, access;
    uint64_t nrun, first_insn; /* runs of the chunk; index of its first instruction */
    uint32_t thread;
    struct bytes index;
    uint64_t nindex, last_offset;
    struct bytes raw, packed;
};

/* --- bytes ------------------------------------------------------------------------------------------- */

static uint8_t *room_for(struct trod_branch_writer *w, struct bytes *b, size_t more)
{
    if (b->count + more > b->room) {
        size_t room = b->room ? b->room : 4096;

        while (room < b->count + more)
            room *= 2;
        b->at = trod_arena_grow(w->mem, b->at, b->room, room, 1);
        b->room = room;
    }
    return b->at + b->count;
}

static void add_number(struct trod_branch_writer *w, struct bytes *b, uint64_t value)
{
    uint8_t *at = room_for(w, b, TROD_VARINT);

    b->count += (size_t)(trod_store_varint(at, value) - at);
}

static void add_byte(struct trod_branch_writer *w, struct bytes *b, uint8_t value)
{
    *room_for(w, b, 1) = value;
    b->count++;
}

static void add_text(struct trod_branch_writer *w, struct bytes *b, const char *text)
{
    size_t length = text ? strlen(text) : 0;

    add_number(w, b, length);
    if (length)
        memcpy(room_for(w, b, length), text, length);
    b->count += length;
}

static void add_all(
    struct trod_branch_writer *w, struct bytes *b, const struct bytes *more)
{
    if (more->count)
        memcpy(room_for(w, b, more->count), more->at, more->count);
    b->count += more->count;
}

/* Without the terminating NUL. */
static void store_magic(uint8_t *at, const char *magic)
{
    while (*magic)
        *at++ = (uint8_t)*magic++;
}

static void put_bytes(struct trod_branch_writer *w, const void *bytes, size_t length)
{
    if (length)
        w->out->put(w->out, bytes, length);
    w->nbyte += length;
}

/* --- chunks -------------------------------------------------------------------------------------------- */

static void put_chunk(struct trod_branch_writer *w, uint8_t kind,
    const struct bytes *raw, uint64_t first, uint64_t count)
{
    struct bytes *packed = &w->of->packed;
    const uint8_t *stored = raw->at;
    size_t nstored = 0;
    uint8_t head[TRACE_CHUNK] = TRACE_CHUNK_MAGIC;

    if (w->codec && raw->count) {
        packed->count = 0;
        nstored = w->codec->pack(
            room_for(w, packed, raw->count), raw->count, raw->at, raw->count);
        if (nstored >= raw->count)
            nstored = 0;
    }
    head[4] = kind;
    if (nstored) {
        head[5] = w->codec->number;
        stored = packed->at;
    } else {
        nstored = raw->count;
    }
    trod_store32(head + 8, (uint32_t)raw->count);
    trod_store32(head + 12, (uint32_t)nstored);
    trod_store64(head + 16, first);
    trod_store64(head + 24, count);
    trod_store32(head + 32, trod_crc32(stored, nstored));
    trod_store32(head + 36, trod_crc32(head, 36));
    put_bytes(w, head, sizeof head);
    put_bytes(w, stored, nstored);
}

static void index_chunk(struct trod_branch_writer *w, uint8_t kind, uint64_t count)
{
    struct trod_branch_writer_state *of = w->of;

    add_byte(w, &of->index, kind);
    add_number(w, &of->index, w->nbyte - of->last_offset);
    add_number(w, &of->index, count);
    of->last_offset = w->nbyte;
    of->nindex++;
}

/* Record the live threads and the position of each. */
static void note_threads(struct trod_branch_writer *w)
{
    struct trod_guess *g = &w->of->guess;
    struct bytes *b = &w->of->threads;
    uint64_t n = 0;

    b->count = 0;
    for (uint32_t i = 0; i < g->nthread; i++)
        n += g->thread[i].is_there;
    add_number(w, b, n);
    for (uint32_t i = 0; i < g->nthread; i++)
        if (g->thread[i].is_there) {
            add_number(w, b, i);
            add_number(w, b, g->thread[i].next);
        }
}

static void begin_chunk(struct trod_branch_writer *w)
{
    struct trod_branch_writer_state *of = w->of;

    of->run.bytes.count = of->slot.bytes.count = of->access.bytes.count = 0;
    of->run.nhit = of->slot.nhit = of->access.nhit = 0;
    of->nrun = 0;
    of->first_insn = w->ninsn;
    of->thread = 0;
    note_threads(w);
    trod_guess_begin(&of->guess);
}

static void put_codes(struct trod_branch_writer *w)
{
    struct trod_branch_writer_state *of = w->of;

    if (!of->codes.count)
        return;
    index_chunk(w, TRACE_CODES, of->ncode);
    put_chunk(w, TRACE_CODES, &of->codes, of->first_code, of->ncode);
    of->first_code += of->ncode;
    of->ncode = 0;
    of->codes.count = 0;
    of->pc = 0;
}

static void token(
    struct trod_branch_writer *w, struct tokens *t, unsigned bits, uint8_t what)
{
    add_number(w, &t->bytes, t->nhit << bits | what);
    t->nhit = 0;
}

void trod_branch_writer_flush(struct trod_branch_writer *writer)
{
    struct trod_branch_writer *w = writer;
    struct trod_branch_writer_state *of = w->of;
    struct bytes *raw = &of->raw;

    put_codes(w);
    if (!of->nrun && !of->run.bytes.count)
        return;
    token(w, &of->run, 2, TRACE_MORE);
    add_byte(w, &of->run.bytes, TRACE_NO_MORE);
    raw->count = 0;
    add_number(w, raw, of->nrun);
    add_all(w, raw, &of->threads);
    add_number(w, raw, of->run.bytes.count);
    add_all(w, raw, &of->run.bytes);
    add_number(w, raw, of->slot.bytes.count);
    add_all(w, raw, &of->slot.bytes);
    add_number(w, raw, of->access.bytes.count);
    add_all(w, raw, &of->access.bytes);
    index_chunk(w, TRACE_RUNS, w->ninsn - of->first_insn);
    put_chunk(w, TRACE_RUNS, raw, of->first_insn, w->ninsn - of->first_insn);
    begin_chunk(w);
}

/* --- codes ----------------------------------------------------------------------------------------------- */

static void add_insn(
    struct trod_branch_writer *w, struct bytes *b, const struct trod_insn *insn)
{
    uint8_t nsource = 0, ntarget = 0;

    while (nsource < TROD_INSN_SOURCES && insn->source[nsource])
        nsource++;
    while (ntarget < TROD_INSN_TARGETS && insn->target[ntarget])
        ntarget++;
    add_byte(w, b, insn->size);
    add_byte(w, b, insn->insn_class);
    add_byte(w, b, insn->nload);
    add_byte(w, b, insn->nstore);
    add_byte(w, b, (uint8_t)(nsource | ntarget << 4));
    for (int i = 0; i < nsource; i++)
        add_byte(w, b, insn->source[i]);
    for (int i = 0; i < ntarget; i++)
        add_byte(w, b, insn->target[i]);
}

static void write_code(struct trod_branch_sink *to, const struct trod_code *code)
{
    struct trod_branch_writer *w = (struct trod_branch_writer *)to;
    struct trod_branch_writer_state *of = w->of;
    struct bytes *b = &of->codes;

    trod_guess_add(&of->guess, code);
    add_byte(w, b, TRACE_CODE);
    add_number(w, b, trace_fold(code->pc - of->pc));
    add_number(w, b, code->last - code->pc);
    add_number(w, b, code->after - code->last);
    add_number(w, b, code->ninsn);
    add_byte(w, b, (uint8_t)(code->kind | (code->insn ? TRACE_HAS_INSNS : 0)));
    if (trod_branch_is_direct(code->kind))
        add_number(w, b, trace_fold(code->target - code->after));
    for (uint32_t i = 0; code->insn && i < code->ninsn; i++)
        add_insn(w, b, &code->insn[i]);
    of->pc = code->after;
    of->ncode++;
}

static void write_image(struct trod_branch_sink *to, const struct trod_image *image)
{
    struct trod_branch_writer *w = (struct trod_branch_writer *)to;
    struct bytes *b = &w->of->codes;

    add_byte(w, b, TRACE_IMAGE);
    add_number(w, b, image->start);
    add_number(w, b, image->end - image->start);
    add_number(w, b, image->offset);
    add_text(w, b, image->path);
    add_text(w, b, image->build_id);
}

/* --- runs ------------------------------------------------------------------------------------------------ */

static void write_where(struct trod_branch_writer *w, struct trod_guess_thread *t,
    const struct trod_run *run)
{
    struct trod_branch_writer_state *of = w->of;
    const struct trod_code *code = run->code;
    uint64_t guess = trod_guess_next(&of->guess, t, code);
    uint64_t slot = trod_guess_slot(&of->guess, t, code);

    if (run->next == guess) {
        of->run.nhit++;
    } else if (code->kind == TROD_BRANCH_IF &&
               (run->next == code->target || run->next == code->after)) {
        token(w, &of->run, 2, TRACE_OTHER_WAY);
    } else {
        token(w, &of->run, 2, TRACE_ADDRESS);
        add_number(w, &of->run.bytes, trace_fold(run->next - code->after));
    }
    if (run->stack == slot) {
        of->slot.nhit++;
        return;
    }
    token(w, &of->slot, 0, 0);
    add_number(w, &of->slot.bytes, trace_fold(run->stack - slot));
}

static bool same_shape(const struct trod_guess_code *seen, const struct trod_run *run)
{
    if (seen->naccess != run->naccess)
        return false;
    for (uint32_t i = 0; i < run->naccess; i++) {
        const struct trod_access *a = &run->access[i], *b = &seen->access[i].last;

        if (a->insn != b->insn || a->size != b->size || a->store != b->store)
            return false;
    }
    return true;
}

static void write_accesses(struct trod_branch_writer *w, const struct trod_run *run)
{
    struct trod_branch_writer_state *of = w->of;
    struct trod_guess_code *seen = trod_guess_seen(&of->guess, run->code->number);
    struct tokens *to = &of->access;

    if (same_shape(seen, run)) {
        to->nhit++;
    } else {
        token(w, to, 1, TRACE_SHAPE);
        add_number(w, &to->bytes, run->naccess);
        for (uint32_t i = 0; i < run->naccess; i++) {
            add_number(w, &to->bytes,
                (uint64_t)run->access[i].insn << 1 | run->access[i].store);
            add_byte(w, &to->bytes, run->access[i].size);
        }
        trod_guess_shape(&of->guess, seen, run->access, run->naccess);
    }
    for (uint32_t i = 0; i < run->naccess; i++) {
        struct trod_guess_access *known = i < seen->naccess ? &seen->access[i] : NULL;
        uint64_t address = run->access[i].address;

        if (address == (known ? trod_guess_address(known) : 0)) {
            to->nhit++;
        } else {
            token(w, to, 1, TRACE_ADDRESS_OFF);
            add_number(
                w, &to->bytes, trace_fold(address - (known ? known->last.address : 0)));
        }
        if (known)
            trod_guess_learn_address(known, address);
    }
}

static void write_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_branch_writer *w = (struct trod_branch_writer *)to;
    struct trod_branch_writer_state *of = w->of;
    struct trod_guess_thread *t;

    assert(run->thread < TROD_BRANCH_THREADS && run->naccess <= TROD_BRANCH_ACCESSES);
    assert(run->code->number < of->guess.ncode);
    if (of->nrun == TROD_BRANCH_TRACE_RUNS ||
        of->run.bytes.count + of->slot.bytes.count + of->access.bytes.count +
                of->codes.count >
            FULL)
        trod_branch_writer_flush(w);
    t = trod_guess_thread(&of->guess, run->thread);
    if (run->thread != of->thread) {
        token(w, &of->run, 2, TRACE_THREAD);
        add_number(w, &of->run.bytes, run->thread);
        of->thread = run->thread;
    }
    if (trod_guess_code(&of->guess, t) != run->code->number) {
        token(w, &of->run, 2, TRACE_MORE);
        add_byte(w, &of->run.bytes, TRACE_OTHER_CODE);
        add_number(w, &of->run.bytes, run->code->number);
    }
    write_where(w, t, run);
    write_accesses(w, run);
    trod_guess_learn(&of->guess, t, run);
    of->nrun++;
    w->nrun++;
    w->ninsn += run->code->ninsn;
}

static void write_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_branch_writer *w = (struct trod_branch_writer *)to;
    struct trod_branch_writer_state *of = w->of;

    assert(thread < TROD_BRANCH_THREADS);
    token(w, &of->run, 2, TRACE_MORE);
    add_byte(w, &of->run.bytes, TRACE_THREAD_ENDS);
    add_number(w, &of->run.bytes, thread);
    *trod_guess_thread(&of->guess, thread) = (struct trod_guess_thread){
        .open = of->guess.thread[thread].open, .chunk = of->guess.chunk};
}

/* --- the file ---------------------------------------------------------------------------------------------- */

void trod_branch_writer_init(struct trod_branch_writer *writer, struct trod_sink *out,
    const char *name, const struct trod_branch_codec *codec, struct trod_arena *mem)
{
    struct trod_branch_writer *w = writer;
    size_t length = strlen(name);
    uint8_t head[TRACE_HEAD] = {0};

    *w = (struct trod_branch_writer){
        .sink = {write_code, write_image, write_run, write_end},
        .out = out,
        .codec = codec,
        .mem = mem,
        .of = trod_new(mem, struct trod_branch_writer_state, 1)};
    if (length > UINT16_MAX)
        length = UINT16_MAX;
    store_magic(head, TROD_BRANCH_TRACE_MAGIC);
    trod_store32(head + 8, TROD_BRANCH_TRACE_VERSION);
    trod_store32(head + 12, (uint32_t)length);
    trod_store32(head + 16, trod_crc32(name, length));
    trod_store32(head + 20, trod_crc32(head, 20));
    put_bytes(w, head, sizeof head);
    put_bytes(w, name, length);
    trod_guess_init(&w->of->guess, mem);
    begin_chunk(w);
}

void trod_branch_writer_finish(struct trod_branch_writer *writer)
{
    struct trod_branch_writer *w = writer;
    struct trod_branch_writer_state *of = w->of;
    uint8_t end[TRACE_END];
    uint64_t at;

    trod_branch_writer_flush(w);
    at = w->nbyte;
    put_chunk(w, TRACE_INDEX, &of->index, w->ninsn, of->nindex);
    trod_store64(end, at);
    store_magic(end + 8, TRACE_END_MAGIC);
    put_bytes(w, end, sizeof end);
}
