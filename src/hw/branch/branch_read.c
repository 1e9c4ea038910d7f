#include "branch/guess.h"

#include <inttypes.h>
#include <string.h>

#include "branch/trace_bytes.h"
#include "branch/trace_layout.h"

struct pending_image {
    struct trod_image image;
    uint32_t before; /* number of the code that this image precedes */
};

struct reader {
    struct trod_branch_sink *to;
    struct trod_branch_cutter cutter;
    const struct trod_branch_read_options *options;
    struct trod_branch_health *health;
    struct trod_arena *mem;
    struct trod_guess guess;
    uint32_t nsent; /* codes sent so far */
    struct pending_image *image;
    uint32_t nimage, room_image, nimage_sent;
    uint8_t *raw;
    size_t room_raw;
    struct trod_access *access;
    uint32_t room_access;
    uint64_t ninsn;         /* expected index of the next chunk's first instruction */
    const uint8_t *begin;   /* start of the file */
    uint64_t index;         /* offset of the index; 0: no index so far */
    uint32_t nchunk;        /* chunks of codes and runs */
    uint64_t *live_threads; /* bit set of threads that the sink knows */
};

struct chunk {
    uint8_t kind, codec;
    uint32_t nraw, nstored;
    uint64_t first, count;
    const uint8_t *stored;
};

/* --- codes ----------------------------------------------------------------------------------------------- */

static void send_images(struct reader *r, uint32_t upto)
{
    for (; r->nimage_sent < r->nimage && r->image[r->nimage_sent].before <= upto;
        r->nimage_sent++)
        trod_branch_put_image(r->to, &r->image[r->nimage_sent].image);
}

/* Send codes when they are first needed, so that the sink receives them in their original order among the runs. */
static void send_codes(struct reader *r, uint32_t upto)
{
    for (; r->nsent < upto; r->nsent++) {
        send_images(r, r->nsent);
        trod_branch_put_code(r->to, r->guess.code[r->nsent].code);
    }
}

static void take_insn(struct trod_trace_cursor *c, struct trod_insn *out, uint64_t pc)
{
    uint8_t count;

    out->pc = pc;
    out->size = trod_trace_take_byte(c);
    out->insn_class = trod_trace_take_byte(c);
    out->nload = trod_trace_take_byte(c);
    out->nstore = trod_trace_take_byte(c);
    count = trod_trace_take_byte(c);
    if ((count & 15) > TROD_INSN_SOURCES || count >> 4 > TROD_INSN_TARGETS) {
        c->bad = true;
        return;
    }
    for (int i = 0; i < (count & 15); i++)
        out->source[i] = trod_trace_take_byte(c);
    for (int i = 0; i < count >> 4; i++)
        out->target[i] = trod_trace_take_byte(c);
}

static bool take_insns(
    struct reader *r, struct trod_trace_cursor *c, struct trod_code *code)
{
    struct trod_insn *insn;
    uint64_t pc = code->pc;

    /* An instruction takes at least five bytes. */
    if (code->ninsn > (size_t)(c->end - c->at) / 5)
        return false;
    insn = trod_new(r->mem, struct trod_insn, code->ninsn);
    for (uint32_t i = 0; i < code->ninsn; i++) {
        take_insn(c, &insn[i], pc);
        pc += insn[i].size;
    }
    code->insn = insn;
    return true;
}

static bool take_code(struct reader *r, struct trod_trace_cursor *c, uint64_t *pc)
{
    struct trod_code *code = trod_new(r->mem, struct trod_code, 1);
    struct trod_err fault;
    uint64_t ninsn;
    uint8_t kind;

    code->number = r->guess.ncode;
    code->pc = *pc + trace_unfold(trod_trace_take_number(c));
    code->last = code->pc + trod_trace_take_number(c);
    *pc = code->after = code->last + trod_trace_take_number(c);
    ninsn = trod_trace_take_number(c);
    code->ninsn = (uint32_t)(ninsn <= UINT32_MAX ? ninsn : 0);
    kind = trod_trace_take_byte(c);
    code->kind = kind & (TRACE_HAS_INSNS - 1);
    if (trod_branch_is_direct(code->kind))
        code->target = code->after + trace_unfold(trod_trace_take_number(c));
    if (c->bad || ((kind & TRACE_HAS_INSNS) && !take_insns(r, c, code)) || c->bad ||
        !trod_branch_check_code(code, &fault))
        return false;
    trod_guess_add(&r->guess, code);
    return true;
}

static bool is_hex(const char *text)
{
    return strspn(text, "0123456789abcdef") == strlen(text);
}

static bool take_image(struct reader *r, struct trod_trace_cursor *c)
{
    struct trod_image *image;

    trod_reserve(r->mem, r->image, r->nimage, r->room_image);
    image = &r->image[r->nimage].image;
    r->image[r->nimage].before = r->guess.ncode;
    image->start = trod_trace_take_number(c);
    image->end = image->start + trod_trace_take_number(c);
    image->offset = trod_trace_take_number(c);
    image->path = trod_trace_take_text(c, r->mem);
    image->build_id = trod_trace_take_text(c, r->mem);
    if (c->bad || image->end <= image->start || (image->build_id && !image->path) ||
        (image->build_id && !is_hex(image->build_id)))
        return false;
    r->nimage++;
    return true;
}

static bool read_codes(
    struct reader *r, const struct chunk *chunk, struct trod_trace_cursor *c)
{
    uint32_t before = r->guess.ncode;
    uint64_t pc = 0;

    if (chunk->first != before || chunk->count > TROD_BRANCH_TRACE_CODES - before)
        return false;
    while (c->at < c->end && !c->bad) {
        uint8_t tag = trod_trace_take_byte(c);

        if (tag == TRACE_CODE ? !take_code(r, c, &pc)
                              : tag != TRACE_IMAGE || !take_image(r, c))
            return false;
    }
    return r->guess.ncode - before == chunk->count;
}

/* --- runs ------------------------------------------------------------------------------------------------ */

/* One of the streams of a chunk that are read in parallel. */
struct flow {
    struct trod_trace_cursor c;
    uint64_t nhit;
    uint8_t what;
    bool
        more; /* a token was read and is not used up: it has hits left, or its own action is pending */
};

struct runs {
    struct reader *r;
    struct flow run, slot, access;
    uint64_t nrun; /* runs left to read */
    uint32_t thread;
    uint32_t code; /* code of the next run; UINT32_MAX: not known yet */
};

static bool hit(struct flow *f, unsigned bits)
{
    if (!f->more) {
        uint64_t token =
            f->c.at == f->c.end ? UINT64_MAX : trod_trace_take_number(&f->c);

        f->nhit = token >> bits;
        f->what = (uint8_t)(token & ((UINT32_C(1) << bits) - 1));
        f->more = true;
    }
    if (!f->nhit)
        return false;
    f->nhit--;
    return true;
}

static bool take_shape(
    struct runs *s, struct trod_run *run, struct trod_guess_code *seen)
{
    struct reader *r = s->r;
    struct trod_trace_cursor *c = &s->access.c;
    uint64_t n = trod_trace_take_number(c);

    /* An access takes at least two bytes. */
    if (n > TROD_BRANCH_ACCESSES || n > (size_t)(c->end - c->at) / 2)
        return false;
    for (run->naccess = 0; run->naccess < n; run->naccess++) {
        struct trod_access *a;
        uint64_t insn = trod_trace_take_number(c);

        trod_reserve(r->mem, r->access, run->naccess, r->room_access);
        a = &r->access[run->naccess];
        if (insn >> 1 >= run->code->ninsn)
            return false;
        a->insn = (uint16_t)(insn >> 1);
        a->store = insn & 1;
        a->size = trod_trace_take_byte(c);
    }
    trod_guess_shape(&r->guess, seen, r->access, run->naccess);
    return !c->bad;
}

static void copy_shape(
    struct reader *r, struct trod_run *run, const struct trod_guess_code *seen)
{
    for (run->naccess = 0; run->naccess < seen->naccess; run->naccess++) {
        trod_reserve(r->mem, r->access, run->naccess, r->room_access);
        r->access[run->naccess] = seen->access[run->naccess].last;
    }
}

static bool take_accesses(struct runs *s, struct trod_run *run)
{
    struct reader *r = s->r;
    struct trod_guess_code *seen = trod_guess_seen(&r->guess, run->code->number);
    struct flow *f = &s->access;

    if (hit(f, 1)) {
        copy_shape(r, run, seen);
    } else {
        f->more = false;
        if (f->what != TRACE_SHAPE || !take_shape(s, run, seen))
            return false;
    }
    for (uint32_t i = 0; i < run->naccess; i++) {
        struct trod_guess_access *known = i < seen->naccess ? &seen->access[i] : NULL;
        uint64_t address;

        if (hit(f, 1)) {
            address = known ? trod_guess_address(known) : 0;
        } else {
            f->more = false;
            if (f->what != TRACE_ADDRESS_OFF)
                return false;
            address = (known ? known->last.address : 0) +
                      trace_unfold(trod_trace_take_number(&f->c));
        }
        r->access[i].address = address;
        if (known)
            trod_guess_learn_address(known, address);
    }
    run->access = run->naccess ? r->access : NULL;
    return !f->c.bad;
}

static bool take_next(struct runs *s, struct trod_run *run, bool guessed)
{
    struct trod_guess *g = &s->r->guess;
    struct trod_guess_thread *t = trod_guess_thread(g, s->thread);
    const struct trod_code *code = run->code;
    uint64_t guess = trod_guess_next(g, t, code);

    run->next = guess;
    if (!guessed && s->run.what == TRACE_OTHER_WAY) {
        if (code->kind != TROD_BRANCH_IF)
            return false;
        run->next = guess == code->target ? code->after : code->target;
    } else if (!guessed) {
        run->next = code->after + trace_unfold(trod_trace_take_number(&s->run.c));
    }
    run->stack = trod_guess_slot(g, t, code);
    if (!hit(&s->slot, 0)) {
        s->slot.more = false;
        run->stack += trace_unfold(trod_trace_take_number(&s->slot.c));
    }
    return !s->run.c.bad && !s->slot.c.bad;
}

static bool take_run(struct runs *s, bool guessed)
{
    struct reader *r = s->r;
    struct trod_guess *g = &r->guess;
    struct trod_guess_thread *t = trod_guess_thread(g, s->thread);
    struct trod_run run = {.thread = s->thread};
    uint32_t code = s->code != UINT32_MAX ? s->code : trod_guess_code(g, t);

    s->code = UINT32_MAX;
    if (code >= g->ncode || !s->nrun)
        return false;
    s->nrun--;
    run.code = g->code[code].code;
    if (!take_next(s, &run, guessed) || !take_accesses(s, &run))
        return false;
    run.taken = trod_branch_is_taken(run.code, run.next);
    run.odd = !trod_branch_may_go(run.code, run.next);
    trod_guess_learn(g, trod_guess_thread(g, s->thread), &run);
    send_codes(r, code + 1);
    trod_add(r->live_threads, s->thread);
    trod_branch_put_run(r->to, &run);
    return true;
}

static bool take_thread(struct trod_trace_cursor *c, uint32_t *out)
{
    uint64_t thread = trod_trace_take_number(c);

    *out = (uint32_t)thread;
    return !c->bad && thread < TROD_BRANCH_THREADS;
}

static void end_thread(struct reader *r, uint32_t thread)
{
    struct trod_guess_thread *t = trod_guess_thread(&r->guess, thread);

    *t = (struct trod_guess_thread){.open = t->open, .chunk = r->guess.chunk};
    trod_drop(r->live_threads, thread);
    trod_branch_put_end(r->to, thread);
}

/* Returns 1 to continue, 0 at the end, -1 if the chunk is damaged. */
static int read_escape(struct runs *s)
{
    struct trod_trace_cursor *c = &s->run.c;
    uint8_t what = trod_trace_take_byte(c);
    uint64_t code;
    uint32_t thread;

    if (what == TRACE_NO_MORE)
        return !c->bad && c->at == c->end && !s->nrun ? 0 : -1;
    if (what == TRACE_OTHER_CODE) {
        code = trod_trace_take_number(c);
        if (c->bad || code >= s->r->guess.ncode)
            return -1;
        s->code = (uint32_t)code;
        return 1;
    }
    if (what != TRACE_THREAD_ENDS || !take_thread(c, &thread))
        return -1;
    end_thread(s->r, thread);
    return 1;
}

static bool is_over(const struct reader *r)
{
    return r->options->to && r->cutter.ninsn >= r->options->to;
}

static bool take_runs(struct runs *s)
{
    for (;;) {
        if (s->run.c.at == s->run.c.end && !s->run.more)
            return false;
        if (hit(&s->run, 2)) {
            if (!take_run(s, true))
                return false;
            if (is_over(s->r))
                return true;
            continue;
        }
        s->run.more = false;
        if (s->run.c.bad)
            return false;
        if (s->run.what == TRACE_OTHER_WAY || s->run.what == TRACE_ADDRESS) {
            if (!take_run(s, false))
                return false;
            if (is_over(s->r))
                return true;
        } else if (s->run.what == TRACE_THREAD) {
            if (!take_thread(&s->run.c, &s->thread))
                return false;
        } else {
            int more = read_escape(s);

            if (more <= 0)
                return more == 0;
        }
    }
}

/* Threads in the chunk's list continue. A thread that the sink knows and the list lacks ended in a
 * part that could not be read.
 */
static bool take_threads(struct reader *r, struct trod_trace_cursor *c)
{
    uint64_t n = trod_trace_take_number(c);
    struct trod_guess *g = &r->guess;

    for (uint32_t i = 0; i < g->nthread; i++)
        g->thread[i].is_there = false;
    if (n > TROD_BRANCH_THREADS)
        return false;
    for (uint64_t i = 0; i < n; i++) {
        struct trod_guess_thread *t;
        uint32_t thread;

        if (!take_thread(c, &thread))
            return false;
        t = trod_guess_thread(g, thread);
        t->is_there = true;
        t->next = trod_trace_take_number(c);
    }
    return !c->bad;
}

static bool read_runs(struct reader *r, struct trod_trace_cursor *c)
{
    struct runs s = {.r = r, .code = UINT32_MAX, .thread = 0};

    trod_guess_begin(&r->guess);
    s.nrun = trod_trace_take_number(c);
    if (s.nrun > TROD_BRANCH_TRACE_RUNS || !take_threads(r, c))
        return false;
    s.run.c = trod_trace_take_part(c);
    s.slot.c = trod_trace_take_part(c);
    s.access.c = trod_trace_take_part(c);
    return !c->bad && c->at == c->end && take_runs(&s);
}

/* --- chunks ----------------------------------------------------------------------------------------------- */

static bool take_chunk(struct chunk *out, const uint8_t *at, const uint8_t *end)
{
    if (end - at < TRACE_CHUNK || memcmp(at, TRACE_CHUNK_MAGIC, 4) != 0 ||
        trod_load32(at + 36) != trod_crc32(at, 36))
        return false;
    *out = (struct chunk){.kind = at[4],
        .codec = at[5],
        .nraw = trod_load32(at + 8),
        .nstored = trod_load32(at + 12),
        .first = trod_load64(at + 16),
        .count = trod_load64(at + 24),
        .stored = at + TRACE_CHUNK};
    return out->nraw <= TROD_BRANCH_TRACE_CHUNK &&
           out->nstored <= TROD_BRANCH_TRACE_CHUNK;
}

static bool unpack(
    struct reader *r, const struct chunk *chunk, struct trod_trace_cursor *out)
{
    const struct trod_branch_codec *codec = r->options->codec;

    if (trod_load32(chunk->stored - TRACE_CHUNK + 32) !=
        trod_crc32(chunk->stored, chunk->nstored))
        return false;
    if (chunk->codec == TROD_BRANCH_TRACE_STORED) {
        *out = (struct trod_trace_cursor){
            chunk->stored, chunk->stored + chunk->nstored, false};
        return chunk->nraw == chunk->nstored;
    }
    if (!codec || codec->number != chunk->codec)
        return false;
    if (chunk->nraw > r->room_raw) {
        r->raw = trod_new(r->mem, uint8_t, chunk->nraw);
        r->room_raw = chunk->nraw;
    }
    *out = (struct trod_trace_cursor){r->raw, r->raw + chunk->nraw, false};
    return codec->unpack(r->raw, chunk->nraw, chunk->stored, chunk->nstored);
}

/* End all threads: what follows a gap does not continue them. */
static void gap(struct reader *r)
{
    for (uint32_t i = 0; i < TROD_BRANCH_THREADS; i++)
        if (trod_has(r->live_threads, i))
            end_thread(r, i);
}

static bool is_wanted(const struct reader *r, const struct chunk *chunk)
{
    return chunk->first + chunk->count > r->options->from &&
           (!r->options->to || chunk->first < r->options->to);
}

static bool read_chunk_of_runs(struct reader *r, const struct chunk *chunk)
{
    struct trod_trace_cursor c;

    r->health->nchunk++;
    if (chunk->first < r->ninsn)
        return false;
    if (chunk->first > r->ninsn) {
        r->health->nlost += chunk->first - r->ninsn;
        gap(r);
    }
    r->ninsn = chunk->first + chunk->count;
    if (!is_wanted(r, chunk))
        return true;
    r->cutter.ninsn = chunk->first;
    r->health->nread++;
    if (!unpack(r, chunk, &c)) {
        r->health->nlost += chunk->count;
        gap(r);
        return false;
    }
    if (!read_runs(r, &c) || (!is_over(r) && r->cutter.ninsn != r->ninsn)) {
        r->health->nlost += r->cutter.ninsn < r->ninsn ? r->ninsn - r->cutter.ninsn : 0;
        gap(r);
        return false;
    }
    return true;
}

static bool read_chunk(struct reader *r, const struct chunk *chunk, bool *stop)
{
    struct trod_trace_cursor c;

    if (chunk->kind == TRACE_INDEX) {
        r->index = (uint64_t)(chunk->stored - r->begin) - TRACE_CHUNK;
        return unpack(r, chunk, &c) && chunk->count == r->nchunk;
    }
    r->nchunk++;
    if (chunk->kind == TRACE_RUNS)
        return read_chunk_of_runs(r, chunk);
    if (chunk->kind != TRACE_CODES)
        return false;
    /* Later chunks refer to these codes, so reading stops here. */
    if (unpack(r, chunk, &c) && read_codes(r, chunk, &c))
        return true;
    *stop = true;
    return false;
}

static bool is_end(const uint8_t *at, const uint8_t *end)
{
    return end - at == TRACE_END && memcmp(at + 8, TRACE_END_MAGIC, 8) == 0;
}

/* Find the next chunk; returns end if there is none. */
static const uint8_t *search(const uint8_t *at, const uint8_t *end)
{
    struct chunk chunk;

    for (; end - at >= TRACE_CHUNK; at++) {
        at = memchr(at, TRACE_CHUNK_MAGIC[0], (size_t)(end - at));
        if (!at)
            return end;
        if (take_chunk(&chunk, at, end))
            return at;
    }
    return end;
}

static void read_chunks(struct reader *r, const uint8_t *at, const uint8_t *end)
{
    struct trod_branch_health *health = r->health;
    bool stop = false;

    health->cut_off = true;
    while (at < end && !stop) {
        struct chunk chunk;

        if (is_end(at, end)) {
            health->cut_off = false;
            health->ndamaged += trod_load64(at) != r->index;
            break;
        }
        if (!take_chunk(&chunk, at, end)) {
            const uint8_t *next = search(at + 1, end);

            /* A truncated last chunk does not count as damage. */
            health->ndamaged += next < end || end - at >= TRACE_CHUNK;
            at = next;
            continue;
        }
        if (chunk.nstored > (size_t)(end - chunk.stored)) {
            at = search(at + 1, end);
            health->ndamaged += at < end;
            continue;
        }
        if (!read_chunk(r, &chunk, &stop))
            health->ndamaged++;
        if (chunk.kind == TRACE_INDEX && chunk.first > r->ninsn) {
            health->nlost += chunk.first - r->ninsn;
            r->ninsn = chunk.first;
        }
        at = chunk.stored + chunk.nstored;
    }
    send_codes(r, r->guess.ncode);
    send_images(r, UINT32_MAX);
    health->ninsn = r->ninsn;
}

/* --- the file ---------------------------------------------------------------------------------------------- */

bool trod_branch_is_trace(const uint8_t *bytes, size_t length)
{
    return length >= 8 && memcmp(bytes, TROD_BRANCH_TRACE_MAGIC, 8) == 0;
}

bool trod_branch_read_head(struct trod_branch_health *health, const char *file,
    const uint8_t *bytes, size_t length, struct trod_arena *mem, struct trod_err *err)
{
    uint32_t nname;

    *health = (struct trod_branch_health){0};
    if (!trod_branch_is_trace(bytes, length))
        return trod_fail(err, TROD_E_INPUT,
            "%s: not a branch trace; name a file that 'trod emulate' or 'trod hw trace' wrote",
            file);
    if (length < TRACE_HEAD || trod_load32(bytes + 20) != trod_crc32(bytes, 20))
        return trod_fail(err, TROD_E_INPUT,
            "%s: the header of the trace is damaged; nothing can be read from it",
            file);
    health->version = trod_load32(bytes + 8);
    if (health->version != TROD_BRANCH_TRACE_VERSION)
        return trod_fail(err, TROD_E_INPUT,
            "%s: a trace of version %" PRIu32
            ", which is not supported; expected version %d",
            file, health->version, TROD_BRANCH_TRACE_VERSION);
    nname = trod_load32(bytes + 12);
    if (nname > length - TRACE_HEAD || nname > UINT16_MAX ||
        trod_load32(bytes + 16) != trod_crc32(bytes + TRACE_HEAD, nname) ||
        memchr(bytes + TRACE_HEAD, '\0', nname))
        return trod_fail(err, TROD_E_INPUT,
            "%s: the name in the trace is damaged; nothing can be read from it", file);
    health->name = nname ? trod_copy_text(mem, (const char *)bytes + TRACE_HEAD, nname)
                         : "branches";
    return true;
}

bool trod_branch_read(struct trod_branch_sink *to, struct trod_branch_health *health,
    const char *file, const uint8_t *bytes, size_t length,
    const struct trod_branch_read_options *options, struct trod_arena *mem,
    struct trod_err *err)
{
    struct reader *r = trod_new(mem, struct reader, 1);

    if (!trod_branch_read_head(health, file, bytes, length, mem, err))
        return false;
    r->begin = bytes;
    r->options = options;
    r->health = health;
    r->mem = mem;
    r->live_threads = trod_new(mem, uint64_t, TROD_BRANCH_THREADS / 64);
    trod_branch_cutter_init(&r->cutter, to, options->from, options->to);
    r->to = &r->cutter.sink;
    trod_guess_init(&r->guess, mem);
    read_chunks(r, bytes + TRACE_HEAD + trod_load32(bytes + 12), bytes + length);
    return true;
}
