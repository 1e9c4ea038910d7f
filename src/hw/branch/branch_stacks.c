#include "branch/branch.h"
#include "base/table.h"

#include <inttypes.h>
#include <string.h>

/* --- lines -------------------------------------------------------------------------------------------- */

struct entry {
    uint64_t from, to;
    uint8_t kind; /* TROD_BRANCH_KINDS: unknown */
};

struct word {
    const char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool next_word(struct word *out, const char **at, const char *end)
{
    while (*at < end && is_blank(**at))
        ++*at;
    out->at = *at;
    while (*at < end && !is_blank(**at))
        ++*at;
    out->end = *at;
    return out->at < out->end;
}

static int digit_of(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
}

/* Read digits of the given base. Returns false if there are none or the number does not fit. */
static bool take_digits(uint64_t *out, const char **at, const char *end, int base)
{
    const char *from = *at;
    uint64_t value = 0;

    for (; *at < end && digit_of(**at) < base; ++*at)
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit_of(**at), &value))
            return false;
    *out = value;
    return *at > from;
}

static bool take_text(const char **at, const char *end, const char *text)
{
    size_t length = strlen(text);

    if ((size_t)(end - *at) < length || memcmp(*at, text, length) != 0)
        return false;
    *at += length;
    return true;
}

/* An address such as 0x401000. With perf's dso field, a file name follows in parentheses. */
static bool take_address(uint64_t *out, const char **at, const char *end)
{
    if (!take_text(at, end, "0x") || !take_digits(out, at, end, 16))
        return false;
    if (*at < end && **at == '(') {
        const char *close = memchr(*at, ')', (size_t)(end - *at));

        if (!close)
            return false;
        *at = close + 1;
    }
    return true;
}

static uint8_t kind_of(const char *at, const char *end)
{
    static const struct {
        const char *name;
        uint8_t kind;
    } known[] = {{"COND", TROD_BRANCH_IF}, {"UNCOND", TROD_BRANCH_JUMP},
        {"IND", TROD_BRANCH_INDIRECT}, {"CALL", TROD_BRANCH_CALL},
        {"IND_CALL", TROD_BRANCH_CALL_INDIRECT}, {"RET", TROD_BRANCH_RETURN}};

    while (at < end) {
        const char *stop = memchr(at, '/', (size_t)(end - at));

        stop = stop ? stop : end;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (strlen(known[i].name) == (size_t)(stop - at) &&
                memcmp(known[i].name, at, (size_t)(stop - at)) == 0)
                return known[i].kind;
        at = stop < end ? stop + 1 : end;
    }
    return TROD_BRANCH_KINDS;
}

/* FROM/TO/M/X/A/CYCLES; newer versions of perf append further fields. */
static bool read_entry(struct entry *out, const struct word *word)
{
    const char *at = word->at;

    if (!take_address(&out->from, &at, word->end) || !take_text(&at, word->end, "/") ||
        !take_address(&out->to, &at, word->end) || !take_text(&at, word->end, "/"))
        return false;
    out->kind = kind_of(at, word->end);
    return true;
}

/* PID/TID, or only one of them. */
static bool read_thread(uint64_t *out, const struct word *word)
{
    const char *at = word->at;

    if (!take_digits(out, &at, word->end, 10))
        return false;
    if (at < word->end && *at == '/') {
        at++;
        if (!take_digits(out, &at, word->end, 10))
            return false;
    }
    return at == word->end;
}

static bool is_number(const struct word *word)
{
    const char *at = word->at;
    uint64_t value;

    return take_digits(&value, &at, word->end, 16) && at == word->end;
}

/* --- the stream --------------------------------------------------------------------------------------- */

struct stretch {
    uint64_t pc, last, to;
    uint32_t *code; /* numbers of its codes, in order */
    uint32_t ncode, room;
};

struct parser {
    struct trod_branch_sink *to;
    struct trod_branch_stacks *out;
    const struct trod_branch_decoder *decoder;
    struct trod_arena *mem;
    const struct trod_code **code;
    uint32_t ncode, room_code;
    struct trod_table codes;
    struct stretch *stretch;
    uint32_t nstretch, room_stretch;
    struct trod_table stretches;
    uint64_t *tid;
    uint32_t ntid, room_tid;
    struct entry *entry; /* entries of the line, newest first */
    uint32_t nentry, room_entry;
};

static bool is_code(const struct trod_code *c, const struct trod_code *like)
{
    return c->pc == like->pc && c->last == like->last && c->kind == like->kind &&
           c->target == like->target && c->ninsn == like->ninsn;
}

static uint32_t add_code(struct parser *p, const struct trod_code *like)
{
    uint64_t hash = trod_mix(trod_mix(0, like->pc), like->last);
    uint32_t found = TROD_TABLE_FIND(&p->codes, hash, i, is_code(p->code[i], like));
    struct trod_code *code;

    if (found != TROD_TABLE_NONE)
        return found;
    code = trod_new(p->mem, struct trod_code, 1);
    *code = *like;
    code->number = trod_table_add(&p->codes, hash, p->mem);
    trod_push(p->mem, p->code, p->ncode, p->room_code, code);
    trod_branch_put_code(p->to, code);
    return code->number;
}

static bool is_stretch(const struct stretch *s, const struct stretch *like)
{
    return s->pc == like->pc && s->last == like->last && s->to == like->to;
}

/* Divides the instructions of a stretch into codes as they are decoded. */
struct cutter {
    struct parser *p;
    struct stretch *s;
    struct trod_code code;
    bool wrong; /* a branch before the last one certainly leaves the stretch */
    bool whole;
};

static void take_insn(
    void *to, uint64_t pc, uint8_t size, uint8_t kind, uint64_t target)
{
    struct cutter *c = to;

    if (!c->code.ninsn)
        c->code.pc = pc;
    c->code.ninsn++;
    c->code.last = pc;
    c->code.after = pc + size;
    c->whole = pc == c->s->last;
    if (kind == TROD_BRANCH_NONE && !c->whole)
        return;
    c->wrong |= !c->whole && kind != TROD_BRANCH_IF;
    c->code.kind = kind;
    c->code.target = trod_branch_is_direct(kind) ? target : 0;
    trod_push(c->p->mem, c->s->code, c->s->ncode, c->s->room, add_code(c->p, &c->code));
    c->code.ninsn = 0;
}

/* The whole stretch as one code. A branch of unknown kind is assumed to be direct: its target is where it went. */
static void add_single_code(struct parser *p, struct stretch *s, const struct entry *e)
{
    struct trod_code code = {.pc = s->pc,
        .last = s->last,
        .after = s->last + 1,
        .ninsn = s->last > s->pc ? 2 : 1,
        .kind = e->kind == TROD_BRANCH_KINDS ? TROD_BRANCH_JUMP : e->kind};

    if (trod_branch_is_direct(code.kind))
        code.target = e->to;
    s->ncode = 0;
    trod_push(p->mem, s->code, s->ncode, s->room, add_code(p, &code));
    p->out->nplain++;
}

static struct stretch *stretch_of(struct parser *p, uint64_t pc, const struct entry *e)
{
    const struct stretch like = {.pc = pc, .last = e->from, .to = e->to};
    struct stretch *s;
    struct cutter c;
    uint64_t hash = trod_mix(trod_mix(trod_mix(1, like.pc), like.last), like.to);
    uint32_t found =
        TROD_TABLE_FIND(&p->stretches, hash, i, is_stretch(&p->stretch[i], &like));

    if (found != TROD_TABLE_NONE)
        return &p->stretch[found];
    trod_table_add(&p->stretches, hash, p->mem);
    trod_reserve(p->mem, p->stretch, p->nstretch, p->room_stretch);
    s = &p->stretch[p->nstretch++];
    *s = like;
    c = (struct cutter){.p = p, .s = s};
    if (!p->decoder || !p->decoder->walk(p->decoder->ctx, pc, e->from, take_insn, &c) ||
        c.wrong || !c.whole)
        add_single_code(p, s, e);
    return s;
}

static void put_run(
    struct parser *p, uint32_t thread, const struct trod_code *code, uint64_t next)
{
    struct trod_run run = {.code = code, .next = next, .thread = thread};

    run.taken = trod_branch_is_taken(code, next);
    run.odd = !trod_branch_may_go(code, next);
    trod_branch_put_run(p->to, &run);
}

static void put_stretch(
    struct parser *p, uint32_t thread, uint64_t pc, const struct entry *e)
{
    const struct stretch *s = stretch_of(p, pc, e);

    for (uint32_t i = 0; i + 1 < s->ncode; i++)
        put_run(p, thread, p->code[s->code[i]], p->code[s->code[i]]->after);
    put_run(p, thread, p->code[s->code[s->ncode - 1]], e->to);
}

enum { FARTHEST = 1 << 16 }; /* most bytes between two consecutive branches */

static void put_stack(struct parser *p, uint32_t thread)
{
    bool ran = false;

    for (uint32_t i = p->nentry; i-- > 1;) {
        uint64_t pc = p->entry[i].to;
        const struct entry *e = &p->entry[i - 1];

        if (e->from < pc || e->from - pc > FARTHEST) {
            p->out->nbroken++;
            if (ran)
                trod_branch_put_end(p->to, thread);
            ran = false;
            continue;
        }
        put_stretch(p, thread, pc, e);
        ran = true;
    }
    if (ran)
        trod_branch_put_end(p->to, thread);
}

static uint32_t thread_of(struct parser *p, uint64_t tid)
{
    for (uint32_t i = 0; i < p->ntid; i++)
        if (p->tid[i] == tid)
            return i;
    if (p->ntid == TROD_BRANCH_THREADS)
        return 0;
    return trod_push(p->mem, p->tid, p->ntid, p->room_tid, tid);
}

static void take_line(struct parser *p, const char *at, const char *end)
{
    uint64_t tid = 0, value;
    bool has_tid = false, any = false;
    uint32_t nnumber = 0;
    struct word word;
    struct entry e;

    p->nentry = 0;
    while (next_word(&word, &at, end)) {
        any = true;
        if (read_entry(&e, &word)) {
            trod_reserve(p->mem, p->entry, p->nentry, p->room_entry);
            if (e.from || e.to)
                p->entry[p->nentry++] = e;
        } else if (!p->nentry && read_thread(&value, &word) &&
                   (memchr(word.at, '/', (size_t)(word.end - word.at)) || !nnumber)) {
            /* A lone number is a thread id only if an address follows. */
            has_tid = memchr(word.at, '/', (size_t)(word.end - word.at));
            tid = value;
            nnumber++;
        } else if (!p->nentry && is_number(&word)) {
            has_tid = has_tid || nnumber;
            nnumber++;
        }
    }
    if (!p->nentry) {
        p->out->nskipped += any;
        return;
    }
    p->out->nsample++;
    p->out->nbranch += p->nentry;
    if (p->nentry > p->out->longest)
        p->out->longest = p->nentry;
    put_stack(p, thread_of(p, has_tid ? tid : 0));
}

/* --- mappings --------------------------------------------------------------------------------------------- */

/* Such as ...: [0x400000(0x1000) @ 0x2000 fe:01 12 34]: r-xp /bin/x */
static bool read_map(
    struct trod_image *out, const char *at, const char *end, struct trod_arena *mem)
{
    uint64_t size;
    const char *close;

    at = memchr(at, '[', (size_t)(end - at));
    *out = (struct trod_image){0};
    if (!at || !take_text(&at, end, "[0x") || !take_digits(&out->start, &at, end, 16) ||
        !take_text(&at, end, "(0x") || !take_digits(&size, &at, end, 16) ||
        !take_text(&at, end, ") @ "))
        return false;
    if (take_text(&at, end, "0x")) {
        if (!take_digits(&out->offset, &at, end, 16))
            return false;
    } else if (!take_digits(&out->offset, &at, end, 10)) {
        return false;
    }
    close = memchr(at, ']', (size_t)(end - at));
    if (!size || !close || end - close < 8 || memcmp(close, "]: ", 3) != 0 ||
        close[5] != 'x' || close[7] != ' ')
        return false;
    out->end = out->start + size;
    at = close + 8;
    while (end > at && is_blank(end[-1]))
        end--;
    if (at >= end || *at != '/' || memchr(at, '\0', (size_t)(end - at)) ||
        out->end < out->start)
        return false;
    out->path = trod_copy_text(mem, at, (size_t)(end - at));
    return true;
}

static const char *find_text(const char *at, const char *end, const char *text)
{
    size_t length = strlen(text);

    for (; (size_t)(end - at) >= length; at++) {
        at = memchr(at, text[0], (size_t)(end - at) - length + 1);
        if (!at || memcmp(at, text, length) == 0)
            return at;
    }
    return NULL;
}

static bool is_map(const char **at, const char *end)
{
    const char *found = find_text(*at, end, "PERF_RECORD_MMAP");

    if (found)
        *at = found;
    return found;
}

size_t trod_branch_parse_maps(
    struct trod_image **out, const char *bytes, size_t length, struct trod_arena *mem)
{
    const char *end = bytes + length, *stop;
    size_t n = 0, room = 0;

    *out = NULL;
    for (const char *at = bytes; at < end; at = stop + 1) {
        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (!is_map(&at, stop))
            continue;
        trod_reserve(mem, *out, n, room);
        n += read_map(&(*out)[n], at, stop, mem);
    }
    return n;
}

bool trod_branch_parse_stacks(struct trod_branch_sink *to,
    struct trod_branch_stacks *out, const char *file, const char *bytes, size_t length,
    const struct trod_branch_decoder *decoder, struct trod_arena *mem,
    struct trod_err *err)
{
    struct parser p = {.to = to, .out = out, .decoder = decoder, .mem = mem};
    const char *end = bytes + length, *stop;

    *out = (struct trod_branch_stacks){0};
    for (const char *at = bytes; at < end; at = stop + 1) {
        const char *begin = at;

        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (!is_map(&begin, stop))
            take_line(&p, at, stop);
    }
    return out->nsample ||
           trod_fail(err, TROD_E_INPUT,
               "%s: no line has a branch stack; record with 'perf record "
               "-b', print with 'perf script -F tid,ip,brstack'",
               file);
}

/* --- printing --------------------------------------------------------------------------------------------- */

struct trod_branch_stack {
    struct entry entry[TROD_BRANCH_STACK]; /* ring buffer */
    uint32_t count, first;
};

static struct trod_branch_stack *stack_of(
    struct trod_branch_stack_printer *p, uint32_t thread)
{
    if (thread >= p->room) {
        uint32_t room = p->room ? p->room : 16;

        while (room <= thread)
            room *= 2;
        p->stack = trod_arena_grow(p->mem, p->stack, p->room, room, sizeof *p->stack);
        p->room = room;
    }
    if (!p->stack[thread])
        p->stack[thread] = trod_new(p->mem, struct trod_branch_stack, 1);
    return p->stack[thread];
}

static const char *type_of(uint8_t kind)
{
    static const char *const name[TROD_BRANCH_KINDS] = {
        "UNKNOWN", "COND", "UNCOND", "IND", "CALL", "IND_CALL", "RET"};

    return name[kind];
}

static void print_sample(struct trod_branch_stack_printer *p, uint32_t thread,
    const struct trod_branch_stack *s)
{
    trod_put(p->out, "%7" PRIu32 "/%-7" PRIu32 " %16" PRIx64 " ", 1000, 1000 + thread,
        s->entry[(s->first + s->count - 1) % p->depth].to);
    for (uint32_t i = s->count; i-- > 0;) {
        const struct entry *e = &s->entry[(s->first + i) % p->depth];

        trod_put(p->out, " 0x%" PRIx64 "/0x%" PRIx64 "/P/-/-/0/%s/-", e->from, e->to,
            type_of(e->kind));
    }
    trod_put(p->out, "\n");
    p->nsample++;
}

static void stack_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct trod_branch_stack_printer *p = (struct trod_branch_stack_printer *)to;
    struct trod_branch_stack *s;

    if (!run->taken && !run->odd)
        return;
    s = stack_of(p, run->thread);
    if (s->count == p->depth)
        s->first = (s->first + 1) % p->depth;
    else
        s->count++;
    s->entry[(s->first + s->count - 1) % p->depth] =
        (struct entry){run->code->last, run->next, run->code->kind};
    if (trod_rng_below(&p->rng, p->period) == 0)
        print_sample(p, run->thread, s);
}

static void stack_end(struct trod_branch_sink *to, uint32_t thread)
{
    struct trod_branch_stack *s =
        stack_of((struct trod_branch_stack_printer *)to, thread);

    s->count = s->first = 0;
}

void trod_branch_stack_printer_init(struct trod_branch_stack_printer *printer,
    struct trod_sink *out, uint32_t depth, uint64_t period, uint64_t seed,
    struct trod_arena *mem)
{
    *printer =
        (struct trod_branch_stack_printer){.sink = {NULL, NULL, stack_run, stack_end},
            .out = out,
            .mem = mem,
            .period = period,
            .depth = depth};
    trod_rng_init(&printer->rng, seed);
}
