#include "score/score.h"
#include "base/parse.h"
#include "base/table.h"

#include <inttypes.h>
#include <string.h>

/* Functions are numbers, with two pseudo-functions: THREAD is the caller of a thread's functions; NOBODY precedes the
 * first call of a function and follows its last.
 */
enum { NOBODY = UINT32_MAX, THREAD = UINT32_MAX - 1 };

static const char thread_name[] = "@";

/* --- counters ----------------------------------------------------------------------------------- */

struct cell {
    uint32_t caller, from, to; /* of a span: from and to are NOBODY */
    uint64_t hash;             /* of a span */
    bool span;
    uint64_t count, reused;
};

struct trod_score_cells {
    struct trod_arena *mem;
    const struct trod_names *function;
    struct cell *cell;
    uint32_t ncell, room;
    struct trod_table cells;
    uint64_t *hash_of_name; /* 0: not computed yet */
    uint32_t nhash;
};

static struct trod_score_cells *cells_new(
    const struct trod_names *function, struct trod_arena *mem)
{
    struct trod_score_cells *out = trod_new(mem, struct trod_score_cells, 1);

    out->mem = mem;
    out->function = function;
    return out;
}

static bool is_same(const struct cell *a, const struct cell *b)
{
    return a->caller == b->caller && a->from == b->from && a->to == b->to &&
           a->hash == b->hash && a->span == b->span;
}

static void add(
    struct trod_score_cells *c, struct cell cell, uint64_t count, bool reused)
{
    uint64_t hash = trod_mix(trod_mix(cell.span, cell.caller), cell.from);
    uint32_t at;
    struct cell *found;

    if (!count)
        return;
    hash = trod_mix(trod_mix(hash, cell.to), cell.hash);
    at = TROD_TABLE_FIND(&c->cells, hash, i, is_same(&c->cell[i], &cell));
    if (at == TROD_TABLE_NONE) {
        at = trod_table_add(&c->cells, hash, c->mem);
        trod_push(c->mem, c->cell, c->ncell, c->room, cell);
    }
    found = &c->cell[at];
    found->count = trod_sat_add(found->count, count);
    if (reused)
        found->reused = trod_sat_add(found->reused, count);
}

static const char *name_of(const struct trod_score_cells *c, uint32_t function)
{
    return function == NOBODY   ? ""
           : function == THREAD ? thread_name
                                : c->function->name[function];
}

/* Numbers differ between files, so names are hashed. */
static uint64_t hash_of(struct trod_score_cells *c, uint32_t function)
{
    uint64_t hash = 1;

    if (function < c->nhash && c->hash_of_name[function])
        return c->hash_of_name[function];
    for (const char *p = name_of(c, function); *p; p++)
        hash = trod_mix(hash, (unsigned char)*p);
    hash |= !hash;
    if (function < THREAD) {
        if (function >= c->nhash) {
            uint32_t room = 2 * function + 16;

            c->hash_of_name =
                trod_arena_grow(c->mem, c->hash_of_name, c->nhash, room, sizeof hash);
            c->nhash = room;
        }
        c->hash_of_name[function] = hash;
    }
    return hash;
}

static void put_entries(struct trod_scored_entries *out, struct trod_score_cells *c)
{
    *out = (struct trod_scored_entries){.type = "sequences",
        .nentry = c->ncell,
        .room = c->ncell,
        .entry = trod_new(c->mem, struct trod_scored, c->ncell)};
    for (uint32_t i = 0; i < c->ncell; i++) {
        const struct cell *cell = &c->cell[i];
        struct trod_string other;

        trod_string_init(&other, c->mem);
        if (cell->span)
            trod_put(&other.sink, "=%016" PRIx64, cell->hash);
        else
            trod_put(
                &other.sink, "%s>%s", name_of(c, cell->from), name_of(c, cell->to));
        out->entry[i] = (struct trod_scored){.function = name_of(c, cell->caller),
            .part = TROD_NONE,
            .other = other.text,
            .count = cell->count,
            .how = cell->reused == cell->count ? TROD_SCORED_REUSED
                                               : TROD_SCORED_PROFILED};
    }
    trod_scored_order(out);
}

static bool is_span(const struct trod_scored *entry)
{
    return entry->other && entry->other[0] == '=';
}

void trod_score_split(struct trod_scored_entries *spans,
    struct trod_scored_entries *entries, struct trod_arena *mem)
{
    size_t n = 0;

    *spans = *entries;
    spans->type = "spans";
    spans->nentry = 0;
    spans->room = entries->nentry;
    spans->entry = trod_new(mem, struct trod_scored, entries->nentry);
    for (size_t i = 0; i < entries->nentry; i++)
        if (is_span(&entries->entry[i]))
            spans->entry[spans->nentry++] = entries->entry[i];
        else
            entries->entry[n++] = entries->entry[i];
    entries->nentry = n;
}

/* --- one activation, call by call ----------------------------------------------------------------- */

struct trod_score_frame {
    uint32_t function, before; /* before: the last callee */
    bool known;                /* its function is known */
    uint64_t hash;
    uint64_t below, nbelow; /* hash and repetitions of the last span */
};

static struct trod_score_frame begin(struct trod_score_cells *c, uint32_t function)
{
    return (struct trod_score_frame){.function = function,
        .before = NOBODY,
        .known = true,
        .hash = hash_of(c, function)};
}

static void pass_run(struct trod_score_frame *f)
{
    if (f->nbelow)
        f->hash = trod_mix(trod_mix(f->hash, f->below), f->nbelow);
    f->nbelow = 0;
}

static void add_below(struct trod_score_frame *f, uint64_t hash, uint64_t count)
{
    if (hash != f->below)
        pass_run(f);
    f->below = hash;
    f->nbelow = trod_sat_add(f->nbelow, count);
}

/* The hash of an activation after its last call. */
static uint64_t finish(struct trod_score_frame *f)
{
    pass_run(f);
    return trod_mix(f->hash, 7);
}

static struct cell transition(const struct trod_score_frame *f, uint32_t to)
{
    return (struct cell){.caller = f->function, .from = f->before, .to = to};
}

static struct cell span_cell(uint32_t function, uint64_t hash)
{
    return (struct cell){
        .caller = function, .from = NOBODY, .to = NOBODY, .hash = hash, .span = true};
}

/* --- steps ------------------------------------------------------------------------------------------ */

static void push(struct trod_score_steps *s, struct trod_score_frame frame)
{
    trod_push(s->mem, s->frame, s->nframe, s->room_frame, frame);
}

void trod_score_steps_init(struct trod_score_steps *out,
    const struct trod_names *function, struct trod_arena *mem)
{
    *out = (struct trod_score_steps){
        .mem = mem, .function = function, .cells = cells_new(function, mem)};
    push(out, begin(out->cells, THREAD));
}

static void enter(struct trod_score_steps *s, uint32_t function)
{
    struct trod_score_frame *caller;

    if (s->nframe == 1)
        push(s, (struct trod_score_frame){0});
    if (s->frame[s->nframe - 1].known)
        return;
    s->frame[s->nframe - 1] = begin(s->cells, function);
    caller = &s->frame[s->nframe - 2];
    add(s->cells, transition(caller, function), 1, false);
    caller->before = function;
}

/* A call without any recorded subpath is ignored. */
static void leave(struct trod_score_steps *s)
{
    struct trod_score_frame *f = &s->frame[s->nframe - 1];
    uint64_t hash;

    if (f->known) {
        add(s->cells, transition(f, NOBODY), 1, false);
        hash = finish(f);
        add(s->cells, span_cell(f->function, hash), 1, false);
        if (s->nframe > 1)
            add_below(f - 1, hash, 1);
    }
    s->nframe--;
}

bool trod_score_steps_take(const struct trod_step *step, void *ctx)
{
    struct trod_score_steps *s = ctx;

    if (step->kind == TROD_STEP_SUBPATH)
        enter(s, step->function);
    else if (step->kind == TROD_STEP_CALL || step->kind == TROD_STEP_INTERRUPT)
        push(s, (struct trod_score_frame){0});
    else if (s->nframe > 1)
        leave(s);
    return true;
}

void trod_score_steps_end(struct trod_score_steps *s)
{
    while (s->nframe)
        leave(s);
    push(s, begin(s->cells, THREAD));
}

void trod_score_steps_entries(
    struct trod_scored_entries *out, struct trod_score_steps *s)
{
    put_entries(out, s->cells);
}

/* --- spans, as text ------------------------------------------------------------------------------- */

struct below {
    uint32_t span;
    uint64_t count;
};

struct span {
    uint32_t function;
    bool reused;
    uint64_t ntimes; /* number of occurrences */
    uint64_t hash;
    uint32_t nbelow;
    struct below *below;
};

struct reader {
    struct trod_parse in;
    struct trod_names function;
    struct span *span;
    uint32_t nspan, room;
    const char *name;
};

static bool take_span_number(struct reader *r, uint32_t *out, const char *digits)
{
    uint64_t number;

    if (!trod_text_uint(&number, digits) || number >= r->nspan)
        return trod_parse_fail(&r->in,
            "no span '%s' precedes this one; children come before parents", digits);
    *out = (uint32_t)number;
    return true;
}

/* CHILD or CHILD*COUNT */
static bool take_below(struct reader *r, struct span *span)
{
    uint32_t room = 0;
    struct trod_token token, star;

    for (;;) {
        struct below below = {.count = 1};

        if (!trod_parse_next(&token, &r->in))
            return false;
        if (trod_token_is_over(&token))
            return true;
        if (token.kind != TROD_T_NAME)
            return trod_parse_fail(&r->in, "expected the number of a span");
        if (!take_span_number(r, &below.span, token.name) ||
            !trod_parse_peek(&star, &r->in))
            return false;
        if (trod_token_is_mark(&star, '*') &&
            (!trod_parse_next(&star, &r->in) ||
                !trod_parse_uint(&below.count, &r->in, "how many times")))
            return false;
        trod_push(r->in.mem, span->below, span->nbelow, room, below);
    }
}

static bool take_span(struct reader *r)
{
    struct span span = {0};
    struct trod_token token;
    const char *function;
    uint64_t number;

    if (!trod_parse_uint(&number, &r->in, "the number of a span"))
        return false;
    if (number != r->nspan)
        return trod_parse_fail(
            &r->in, "spans are numbered from 0: expected %" PRIu32, r->nspan);
    if (!trod_parse_name(&function, &r->in, "the name of a function") ||
        !trod_parse_next(&token, &r->in))
        return false;
    span.function = strcmp(function, thread_name) == 0
                        ? THREAD
                        : trod_names_add(&r->function, function);
    span.reused = trod_token_is_word(&token, "reused");
    if (token.kind == TROD_T_NAME && !span.reused &&
        !trod_token_is_word(&token, "unknown"))
        return trod_parse_fail(&r->in,
            "a sequence that is scored has spans that are 'reused', 'unknown' or were "
            "recorded, not '%s'",
            token.name);
    if (token.kind == TROD_T_NAME && !trod_parse_next(&token, &r->in))
        return false;
    if (token.kind != TROD_T_MARK || token.mark != ':')
        return trod_parse_fail(&r->in, "expected ':' and what was called");
    if (!take_below(r, &span))
        return false;
    trod_push(r->in.mem, r->span, r->nspan, r->room, span);
    return true;
}

static bool take_thread(struct reader *r)
{
    uint64_t number;
    const char *root;
    uint32_t span;

    if (!trod_parse_uint(&number, &r->in, "the number of a thread") ||
        !trod_parse_name(&root, &r->in, "the number of a span") ||
        !take_span_number(r, &span, root) ||
        !trod_parse_end(&r->in, "the number of a span"))
        return false;
    r->span[span].ntimes = trod_sat_add(r->span[span].ntimes, 1);
    return true;
}

static bool take_lines(struct reader *r)
{
    for (;;) {
        struct trod_token head;
        bool ok = true;

        if (!trod_parse_next(&head, &r->in))
            return false;
        if (head.kind == TROD_T_END)
            return true;
        if (trod_token_is_word(&head, "span"))
            ok = take_span(r);
        else if (trod_token_is_word(&head, "thread"))
            ok = take_thread(r);
        else if (head.kind != TROD_T_LINE)
            return trod_parse_fail(&r->in, "expected a line 'span' or 'thread'");
        if (!ok)
            return false;
    }
}

/* --- spans, counted --------------------------------------------------------------------------------- */

static void count_span(struct trod_score_cells *c, struct reader *r, struct span *s)
{
    struct trod_score_frame frame = begin(c, s->function);

    for (uint32_t i = 0; i < s->nbelow; i++) {
        const struct below *b = &s->below[i];
        const struct span *child = &r->span[b->span];

        if (!b->count)
            continue;
        add(c, transition(&frame, child->function), s->ntimes, s->reused);
        frame.before = child->function;
        if (b->count > 1)
            add(c, transition(&frame, child->function),
                trod_sat_mul(s->ntimes, b->count - 1), s->reused);
        add_below(&frame, child->hash, b->count);
    }
    add(c, transition(&frame, NOBODY), s->ntimes, s->reused);
    s->hash = finish(&frame);
    add(c, span_cell(s->function, s->hash), s->ntimes, s->reused);
}

/* Parents follow their children: occurrences are propagated from the last to the first, hashes from the first to the
 * last.
 */
static void count_spans(struct trod_score_cells *c, struct reader *r)
{
    for (uint32_t s = r->nspan; s-- > 0;)
        for (uint32_t i = 0; i < r->span[s].nbelow; i++) {
            const struct below *b = &r->span[s].below[i];
            uint64_t *n = &r->span[b->span].ntimes;

            *n = trod_sat_add(*n, trod_sat_mul(r->span[s].ntimes, b->count));
        }
    for (uint32_t s = 0; s < r->nspan; s++)
        count_span(c, r, &r->span[s]);
}

bool trod_score_spans(struct trod_scored_entries *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.in = {text, mem, err}};
    struct trod_score_cells *cells;
    struct trod_token head;

    if (!trod_parse_next(&head, &r.in))
        return false;
    if (!trod_token_is_word(&head, "spans"))
        return trod_text_fail(text, err, "expected 'spans NAME' in the first line");
    trod_names_init(&r.function, mem);
    cells = cells_new(&r.function, mem);
    if (!trod_text_take_name(&r.name, "the name of an input", text, mem, err) ||
        !trod_text_take_end("the name of an input", text, mem, err) || !take_lines(&r))
        return false;
    count_spans(cells, &r);
    put_entries(out, cells);
    out->input = r.name;
    return true;
}
