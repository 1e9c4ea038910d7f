#include "model/exact_paths.h"

#include <string.h>

enum { FIRST_FRAMES = 64, FIRST_PATHS = 1024 };

#define LIKELY(c) __builtin_expect(!!(c), 1)
#define UNLIKELY(c) __builtin_expect(!!(c), 0)

/* The predecessor of a thread's first code. */
static struct trod_model_exact_code no_code = {
    .code = {.kind = TROD_BRANCH_NONE, .last = 1}};

/* --- the table -------------------------------------------------------------------------- */

static struct trod_model_exact_table *table_new(struct trod_arena *mem, uint64_t room)
{
    struct trod_model_exact_table *out = trod_arena_take(
        mem, sizeof *out + room * sizeof(struct trod_model_exact_path), 1);

    out->mask = room - 1;
    return out;
}

static uint32_t words_of(uint32_t length)
{
    return length / 64 + (length % 64 != 0);
}

/* Multiply and fold, so that the low bits depend on all others. */
static inline uint64_t mix(uint64_t a, uint64_t b)
{
    unsigned __int128 wide = (unsigned __int128)(a ^ UINT64_C(0x9e3779b97f4a7c15)) *
                             (b ^ UINT64_C(0xd6e8feb86659fd93));

    return (uint64_t)wide ^ (uint64_t)(wide >> 64);
}

static inline uint64_t hash_short(uint64_t start, uint64_t word, uint32_t length)
{
    return mix(start + ((uint64_t)length << 56), word);
}

static uint64_t hash_words(uint64_t start, const uint64_t *word, uint32_t length)
{
    uint64_t hash = start + length;

    for (uint32_t i = 0; i < words_of(length); i++)
        hash = mix(hash, word[i]);
    return hash;
}

static uint64_t hash_path(const struct trod_model_exact_path *path)
{
    return path->length > 64
               ? hash_words(path->start, path->outcome.more, path->length)
               : hash_short(path->start, path->outcome.word, path->length);
}

static bool is_same(
    const struct trod_model_exact_path *a, const struct trod_model_exact_path *b)
{
    if (a->start != b->start || a->function != b->function || a->length != b->length ||
        a->cut != b->cut)
        return false;
    return a->length > 64 ? memcmp(a->outcome.more, b->outcome.more,
                                words_of(a->length) * sizeof(uint64_t)) == 0
                          : a->outcome.word == b->outcome.word;
}

/* Double the table. The old one stays valid for those who still read it. */
static void grow_table(struct trod_model_exact *x)
{
    const struct trod_model_exact_table *old = x->table;
    struct trod_model_exact_table *new = table_new(x->mem, 2 * (old->mask + 1));

    for (uint64_t i = 0; i <= old->mask; i++) {
        uint64_t at;

        if (!old->path[i].count)
            continue;
        for (at = hash_path(&old->path[i]) & new->mask; new->path[at].count;
            at = (at + 1) & new->mask)
            ;
        new->path[at] = old->path[i];
    }
    new->used = old->used;
    x->table = new;
}

/* Count a path whose outcomes are in memory of the caller. */
static void count_path(
    struct trod_model_exact *x, const struct trod_model_exact_path *path)
{
    struct trod_model_exact_table *table = x->table;
    uint64_t at = hash_path(path) & table->mask;

    for (; table->path[at].count; at = (at + 1) & table->mask)
        if (is_same(&table->path[at], path)) {
            table->path[at].count += path->count;
            table->path[at].ninsn += path->ninsn;
            return;
        }
    table->path[at] = *path;
    if (path->length > 64) {
        uint64_t *copy = trod_new(x->mem, uint64_t, words_of(path->length));

        memcpy(copy, path->outcome.more, words_of(path->length) * sizeof *copy);
        table->path[at].outcome.more = copy;
    }
    if (2 * ++table->used > table->mask)
        grow_table(x);
}

/* --- paths of activations ---------------------------------------------------------------- */

static void end_slowly(
    struct trod_model_exact *x, const struct trod_model_exact_frame *f, bool cut)
{
    struct trod_model_exact_path path = {.function = f->function,
        .start = f->start,
        .outcome.word = f->word,
        .count = 1,
        .ninsn = f->ninsn,
        .length = f->length,
        .cut = cut};

    if (f->length == 64)
        path.outcome.word = f->more[0];
    if (f->length > 64) {
        if (f->length % 64)
            f->more[f->length / 64] = f->word;
        path.outcome.more = f->more;
    }
    count_path(x, &path);
}

static inline void begin(
    struct trod_model_exact_frame *f, uint64_t function, uint64_t start)
{
    f->function = function;
    f->start = start;
    f->word = 0;
    f->ninsn = 0;
    f->length = 0;
}

static inline void end(struct trod_model_exact *x, struct trod_model_exact_frame *f)
{
    struct trod_model_exact_table *table = x->table;

    if (LIKELY(f->length < 64)) {
        uint64_t at = hash_short(f->start, f->word, f->length) & table->mask;

        for (; table->path[at].count; at = (at + 1) & table->mask) {
            struct trod_model_exact_path *p = &table->path[at];

            if (p->start == f->start && p->outcome.word == f->word &&
                p->length == f->length && p->function == f->function && !p->cut) {
                p->count++;
                p->ninsn += f->ninsn;
                return;
            }
        }
    }
    end_slowly(x, f, false);
}

static void cut_off(struct trod_model_exact *x, const struct trod_model_exact_frame *f)
{
    end_slowly(x, f, true);
}

/* The word is full: store it, and reserve room for the path's last word. */
static void spill(struct trod_model_exact *x, struct trod_model_exact_frame *f)
{
    uint32_t at = f->length / 64 - 1;

    if (at + 2 > f->room) {
        f->more = trod_arena_grow(x->mem, f->more, f->room,
            f->room ? 2 * (size_t)f->room : 4, sizeof *f->more);
        f->room = f->room ? 2 * f->room : 4;
    }
    f->more[at] = f->word;
    f->word = 0;
}

static inline void note(
    struct trod_model_exact *x, struct trod_model_exact_frame *f, uint64_t taken)
{
    f->word |= taken << (f->length % 64);
    if (UNLIKELY(++f->length % 64 == 0))
        spill(x, f);
}

/* --- activations -------------------------------------------------------------------------- */

static void grow_frames(struct trod_model_exact *x)
{
    size_t top = (size_t)(x->top - x->frame), room = (size_t)(x->limit - x->frame);

    x->frame = trod_arena_grow(x->mem, x->frame, room, 2 * room, sizeof *x->frame);
    x->limit = x->frame + 2 * room;
    x->top = x->frame + top;
}

static inline struct trod_model_exact_frame *push(
    struct trod_model_exact *x, uint64_t function)
{
    if (UNLIKELY(++x->top == x->limit))
        grow_frames(x);
    begin(x->top, function, function);
    x->top->interrupted = NULL;
    x->top->astray = false;
    return x->top;
}

/* Drop the activations above f: they did not return. */
static void drop_above(
    struct trod_model_exact *x, const struct trod_model_exact_frame *f)
{
    for (; x->top > f; x->top--, x->ndrop++)
        cut_off(x, x->top);
}

/* The newest activation is dead. What was attributed to it since it jumped away belongs to
 * activation f below, whose own path is cut off there.
 */
static void move_down(struct trod_model_exact *x, struct trod_model_exact_frame *f)
{
    struct trod_model_exact_frame *top = x->top--, before;

    x->ndrop++;
    drop_above(x, f);
    cut_off(x, f);
    before = *f;
    begin(f, top->astray ? f->function : top->function, top->start);
    f->word = top->word;
    f->ninsn = top->ninsn;
    f->length = top->length;
    f->more = top->more;
    f->room = top->room;
    top->more = before.more;
    top->room = before.room;
}

static void drop_dead(struct trod_model_exact *x)
{
    struct trod_model_exact_frame *f = x->top;

    while (f > x->frame && f->stack <= x->slot)
        f--;
    if (f < x->top)
        move_down(x, f);
}

static void call(struct trod_model_exact *x, const struct trod_model_exact_code *from,
    struct trod_model_exact_code *to)
{
    struct trod_model_exact_frame *f;

    if (UNLIKELY(x->top->stack <= x->slot))
        drop_dead(x);
    f = push(x, to->code.pc);
    f->back = from->code.after;
    f->stack = x->slot ? x->slot : UINT64_MAX;
    x->slot = 0;
    to->entry = true;
}

/* The newest activation's path has ended, and it continues at a place that no branch leads to. Find
 * the function of that place. */
static void land(struct trod_model_exact *x, const struct trod_model_exact_code *to)
{
    struct trod_model_exact_frame *f = x->top;

    f->astray = !to->entry;
    if (to->entry) {
        begin(f, to->code.pc, to->code.pc);
        return;
    }
    if (to->may_land && to->function != f->function)
        for (struct trod_model_exact_frame *g = f; g-- > x->frame;)
            if (g->function == to->function) {
                x->top--;
                x->ndrop++;
                drop_above(x, g);
                cut_off(x, g);
                f = g;
                break;
            }
    begin(f, f->function, to->code.pc);
}

/* The same with a known stack address: every activation whose frame is not above it is dead. */
static void land_on(struct trod_model_exact *x, const struct trod_model_exact_code *to)
{
    struct trod_model_exact_frame *f = x->top;

    while (f > x->frame && f->stack <= x->slot)
        f--;
    x->slot = 0;
    if (f == x->top) {
        land(x, to);
        return;
    }
    x->top--;
    x->ndrop++;
    drop_above(x, f);
    cut_off(x, f);
    begin(f, to->entry ? to->code.pc : f->function, to->code.pc);
}

static void enter_signal_handler(struct trod_model_exact *x,
    struct trod_model_exact_code *from, const struct trod_model_exact_code *to)
{
    struct trod_model_exact_frame *f = push(x, to->code.pc);

    f->back = 0;
    f->stack = UINT64_MAX;
    f->interrupted = from;
    f->slot = x->slot;
    x->nsignal++;
    x->slot = 0;
}

static struct trod_model_exact_frame *frame_of_return(
    const struct trod_model_exact *x, uint64_t to)
{
    for (struct trod_model_exact_frame *f = x->top; f > x->frame; f--)
        if (x->slot ? f->stack == x->slot : f->back == to)
            return f;
    return NULL;
}

/* A return that the newest activation does not expect. Either an exception lands, or longjmp
 * abandoned the activations above the one that returns, or the return is used as a jump.
 */
static void return_elsewhere(struct trod_model_exact *x,
    struct trod_model_exact_code *from, const struct trod_model_exact_code *to)
{
    struct trod_model_exact_frame *f;

    if (to->handler) {
        enter_signal_handler(x, from, to);
        x->nodd++;
        return;
    }
    x->top->ninsn += from->code.ninsn;
    f = frame_of_return(x, to->code.pc);
    if (f && f < x->top)
        move_down(x, f);
    end(x, x->top);
    if (f)
        x->top--;
    if (f && f->back != to->code.pc)
        cut_off(x, x->top);
    if (!f || f->back != to->code.pc)
        land(x, to);
    x->slot = 0;
}

/* A transfer that the branch does not allow: a signal, the return of its handler, or an unknown one. */
static void handle_unexpected_transfer(struct trod_model_exact *x,
    struct trod_model_exact_code *from, struct trod_model_exact_code *to)
{
    struct trod_model_exact_frame *f = x->top;

    if (from == &no_code) {
        begin(f, to->function ? to->function : to->code.pc, to->code.pc);
        return;
    }
    if (x->resumes) {
        x->resumes = false;
        f->ninsn += from->code.ninsn;
        while (f > x->frame && !f->interrupted)
            f--;
        if (f->interrupted) {
            struct trod_model_exact_code *before = f->interrupted;

            drop_above(x, f);
            cut_off(x, f);
            x->top--;
            /* Interrupted in the middle of a block, it resumes there. Otherwise the outcome of its
             * branch is known now. */
            if (!trod_branch_may_go(&before->code, to->code.pc) &&
                to->code.pc >= before->code.pc && to->code.pc <= before->code.last)
                return;
            x->slot = f->slot;
            x->nrun--;
            x->last = before;
            trod_model_exact_run(x, to);
            return;
        }
    }
    x->nodd++;
    if (to->handler) {
        enter_signal_handler(x, from, to);
        return;
    }
    f = x->top;
    f->ninsn += from->code.ninsn;
    x->slot = 0;
    cut_off(x, f);
    land(x, to);
}

/* --- runs ----------------------------------------------------------------------------------- */

static inline void jumped(struct trod_model_exact *x, struct trod_model_exact_frame *f,
    const struct trod_model_exact_code *from, const struct trod_model_exact_code *to)
{
    if (trod_branch_is_backward(&from->code)) {
        end(x, f);
        begin(f, to->entry ? to->code.pc : f->function, to->code.pc);
    } else if (UNLIKELY(to->entry)) {
        end(x, f);
        begin(f, to->code.pc, to->code.pc);
    }
}

void trod_model_exact_run(struct trod_model_exact *x, struct trod_model_exact_code *to)
{
    struct trod_model_exact_code *from = x->last;
    struct trod_model_exact_frame *f = x->top;
    uint64_t next = to->code.pc;

    x->last = to;
    x->nrun++;
    switch (from->code.kind) {
    case TROD_BRANCH_IF:
        if (next == from->code.after) {
            f->ninsn += from->code.ninsn;
            note(x, f, 0);
            return;
        }
        /* fall through */
    case TROD_BRANCH_JUMP:
        if (UNLIKELY(next != from->code.target))
            break;
        f->ninsn += from->code.ninsn;
        note(x, f, 1);
        jumped(x, f, from, to);
        return;
    case TROD_BRANCH_CALL:
        if (UNLIKELY(next != from->code.target))
            break;
        f->ninsn += from->code.ninsn;
        call(x, from, to);
        return;
    case TROD_BRANCH_CALL_INDIRECT:
        f->ninsn += from->code.ninsn;
        call(x, from, to);
        return;
    case TROD_BRANCH_RETURN:
        if (UNLIKELY(next != f->back || (x->slot && f->stack != x->slot))) {
            return_elsewhere(x, from, to);
            return;
        }
        f->ninsn += from->code.ninsn;
        x->slot = 0;
        end(x, f);
        x->top = f - 1;
        return;
    case TROD_BRANCH_INDIRECT:
        if (UNLIKELY(to->handler && !to->entry))
            break;
        f->ninsn += from->code.ninsn;
        end(x, f);
        if (UNLIKELY(x->slot))
            land_on(x, to);
        else
            land(x, to);
        return;
    default:
        if (next == from->code.after) {
            f->ninsn += from->code.ninsn;
            return;
        }
        if (next == from->code.last) {
            f->ninsn += from->code.ninsn - 1; /* a repeated instruction counts once */
            return;
        }
        break;
    }
    handle_unexpected_transfer(x, from, to);
}

uint64_t trod_model_exact_function(
    const struct trod_model_exact *x, const struct trod_code *to)
{
    const struct trod_model_exact_frame *f = x->top;

    if (trod_branch_is_call(x->last->code.kind))
        return to->pc;
    if (x->last->code.kind == TROD_BRANCH_RETURN && f > x->frame)
        return f[-1].function;
    return f->function;
}

/* --- threads ---------------------------------------------------------------------------------- */

void trod_model_exact_init(struct trod_model_exact *out, struct trod_arena *mem)
{
    *out = (struct trod_model_exact){.mem = mem};
    out->frame = trod_new(mem, struct trod_model_exact_frame, FIRST_FRAMES);
    out->limit = out->frame + FIRST_FRAMES;
    out->top = out->frame;
    out->top->stack = UINT64_MAX;
    out->table = table_new(mem, FIRST_PATHS);
    out->last = &no_code;
}

void trod_model_exact_add(
    struct trod_model_exact *to, const struct trod_model_exact *from)
{
    const struct trod_model_exact_table *table = from->table;
    const struct trod_model_exact_frame *top = from->top;

    for (uint64_t i = 0; i <= table->mask; i++)
        if (table->path[i].count)
            count_path(to, &table->path[i]);
    for (const struct trod_model_exact_frame *f = from->frame; from->nrun && f <= top;
        f++) {
        struct trod_model_exact_frame last = *f;

        if (f == top)
            last.ninsn += from->last->code.ninsn;
        cut_off(to, &last);
    }
    to->nrun += from->nrun;
    to->nodd += from->nodd;
    to->nsignal += from->nsignal;
    to->ndrop += from->ndrop;
}

void trod_model_exact_clear(struct trod_model_exact *x)
{
    memset(x->table->path, 0, (x->table->mask + 1) * sizeof x->table->path[0]);
    x->table->used = 0;
    x->nrun = x->nodd = x->nsignal = x->ndrop = 0;
}
