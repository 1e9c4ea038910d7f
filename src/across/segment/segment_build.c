#include "segment/segment.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each followed call opens one segment. So the oldest open segment has spanned the most calls, and
 * no two have spanned equally many: only the oldest can exceed the limit, and at most `depth`
 * segments are open. When a function returns, the segments that began in it are the newest. Open
 * segments are therefore a double-ended queue: the limit closes them at one end, returns at the
 * other.
 */

struct trod_segment_open {
    size_t from;    /* its first step */
    uint64_t level; /* call depth of the function in which it began */
    uint64_t ncall; /* calls that the frame had followed by then */
    uint64_t first; /* number of earlier steps */
};

/* A thread, or an interruption of it. An interruption has segments of its own; the interrupted ones
 * continue after it. */
struct trod_segment_frame {
    size_t first_step;
    size_t base, oldest;    /* first open segment: lowest possible index, current */
    size_t end;             /* after the last subpath */
    uint64_t first_of_last; /* number of steps before that subpath */
    uint64_t level, ncall;  /* open calls; those followed so far */
    enum { NOTHING, SUBPATH, CALLED } last;
    bool calling; /* the last step was a call */
};

_Static_assert(sizeof(struct trod_step) == 16, "steps are compared byte by byte");

/* --- segments found ---------------------------------------------------------------------------- */

static bool is_same(
    const struct trod_segment *s, const struct trod_step *step, size_t n)
{
    return s->nstep == n && memcmp(s->step, step, n * sizeof *step) == 0;
}

static void add_segment(struct trod_segments_builder *b, const struct trod_step *step,
    size_t n, uint64_t first)
{
    struct trod_step *copy = trod_new(b->mem, struct trod_step, n);

    memcpy(copy, step, n * sizeof *copy);
    trod_reserve(b->mem, b->segment, b->nsegment, b->room_segment);
    trod_reserve(b->mem, b->first, b->nsegment, b->room_first);
    b->segment[b->nsegment] = (struct trod_segment){.nstep = n, .step = copy};
    b->first[b->nsegment++] = first;
}

/* --- steps that are kept -------------------------------------------------------------------------- */

#define BASE UINT64_C(0x9e3779b97f4a7c15)

static uint64_t hash_of(const struct trod_step *step)
{
    uint64_t hash = ((uint64_t)step->kind << 32 | step->function) + 1;

    hash = (hash ^ step->id * UINT64_C(0xff51afd7ed558ccd)) * BASE;
    return hash ^ hash >> 32;
}

/* BASE to the power of n. */
static uint64_t power(struct trod_segments_builder *b, size_t n)
{
    while (b->npower <= n) {
        trod_push(b->mem, b->power, b->npower, b->room_power,
            b->npower ? b->power[b->npower - 1] * BASE : 1);
    }
    return b->power[n];
}

static void keep(struct trod_segments_builder *b, const struct trod_step *step)
{
    trod_reserve(b->mem, b->step, b->nstep, b->room_step);
    trod_reserve(b->mem, b->hash, b->nstep + 1, b->room_hash);
    b->step[b->nstep] = *step;
    b->hash[b->nstep + 1] = b->hash[b->nstep] * BASE + hash_of(step);
    b->nstep++;
}

static struct trod_segment_frame *frame_of(struct trod_segments_builder *b)
{
    return &b->frame[b->nframe - 1];
}

static bool is_any_open(struct trod_segments_builder *b)
{
    return b->nopen > frame_of(b)->oldest;
}

static void count(struct trod_segments_builder *b, const struct trod_segment_open *o)
{
    size_t n = frame_of(b)->end - o->from;
    const struct trod_step *step = &b->step[o->from];
    uint64_t hash = trod_mix(b->hash[o->from + n] - b->hash[o->from] * power(b, n), n);
    uint32_t found =
        TROD_TABLE_FIND(&b->by_steps, hash, i, is_same(&b->segment[i], step, n));

    if (found == TROD_TABLE_NONE) {
        found = trod_table_add(&b->by_steps, hash, b->mem);
        add_segment(b, step, n, o->first);
    }
    b->segment[found].count++;
}

/* End all segments that began at this level or deeper. */
static void close_from(struct trod_segments_builder *b, uint64_t level)
{
    size_t first = frame_of(b)->oldest, n = b->nopen;

    while (n > first && b->open[n - 1].level >= level)
        n--;
    for (size_t i = n; i < b->nopen; i++)
        count(b, &b->open[i]);
    b->nopen = n;
}

/* Drop steps that no open segment needs, and entries of closed segments, once they are at least as
 * many as the remaining ones. Amortised cost: each element moved is paid for by one dropped.
 */
static void make_room(struct trod_segments_builder *b)
{
    struct trod_segment_frame *f = frame_of(b);
    size_t from = is_any_open(b) ? b->open[f->oldest].from : f->end - 1;
    size_t gone = from - f->first_step, nleft = b->nstep - from;

    if (gone >= nleft) {
        memmove(&b->step[f->first_step], &b->step[from], nleft * sizeof *b->step);
        memmove(&b->hash[f->first_step], &b->hash[from], (nleft + 1) * sizeof *b->hash);
        b->nstep -= gone;
        f->end -= gone;
        for (size_t i = f->oldest; i < b->nopen; i++)
            b->open[i].from -= gone;
    }
    nleft = b->nopen - f->oldest;
    if (f->oldest - f->base >= nleft) {
        memmove(&b->open[f->base], &b->open[f->oldest], nleft * sizeof *b->open);
        f->oldest = f->base;
        b->nopen = f->base + nleft;
    }
}

static void close_oldest(struct trod_segments_builder *b)
{
    count(b, &b->open[frame_of(b)->oldest++]);
    make_room(b);
}

/* --- steps, one by one ----------------------------------------------------------------------------- */

static const struct trod_step call = {.kind = TROD_STEP_CALL};
static const struct trod_step come_back = {.kind = TROD_STEP_RETURN};

/* The call before this subpath is followed: it opens a segment and counts toward the limit of open ones. */
static void go_in(struct trod_segments_builder *b)
{
    struct trod_segment_frame *f = frame_of(b);

    if (f->last != SUBPATH) {
        close_from(b, 0);
    } else {
        if (is_any_open(b) && f->ncall - b->open[f->oldest].ncall == b->depth)
            close_oldest(b);
        trod_push(b->mem, b->open, b->nopen, b->room_open,
            (struct trod_segment_open){.from = f->end - 1,
                .level = f->level,
                .ncall = f->ncall++,
                .first = f->first_of_last});
        keep(b, &call);
    }
    f->level++;
}

static void add_subpath(struct trod_segments_builder *b, const struct trod_step *step)
{
    struct trod_segment_frame *f = frame_of(b);

    if (f->calling)
        go_in(b);
    else if (f->last == SUBPATH)
        close_from(b, 0); /* the next iteration begins */
    if (!is_any_open(b))
        b->nstep = f->first_step;
    keep(b, step);
    f->end = b->nstep;
    f->first_of_last = b->nseen;
    f->last = SUBPATH;
    f->calling = false;
}

/* A call that leaves the profiled code ends all open segments, as an abandoned call does. */
static void add_return(struct trod_segments_builder *b, bool left)
{
    struct trod_segment_frame *f = frame_of(b);

    close_from(b, left || f->calling ? 0 : f->level);
    if (is_any_open(b))
        keep(b, &come_back);
    if (!f->calling)
        f->level--;
    f->last = CALLED;
    f->calling = false;
}

/* Each frame has its own prefix hash, because the steps of an interruption are interleaved. */
static void interrupt(struct trod_segments_builder *b)
{
    keep(b, &call);
    trod_push(b->mem, b->frame, b->nframe, b->room_frame,
        (struct trod_segment_frame){.first_step = b->nstep,
            .base = b->nopen,
            .oldest = b->nopen,
            .end = b->nstep});
}

static void resume(struct trod_segments_builder *b)
{
    close_from(b, 0);
    b->nstep = frame_of(b)->first_step - 1;
    b->nopen = frame_of(b)->base;
    b->nframe--;
}

void trod_segments_add(struct trod_segments_builder *b, const struct trod_step *step)
{
    switch (step->kind) {
    case TROD_STEP_SUBPATH:
        add_subpath(b, step);
        break;
    case TROD_STEP_CALL:
        frame_of(b)->calling = true;
        break;
    case TROD_STEP_RETURN:
    case TROD_STEP_LEFT:
        add_return(b, step->kind == TROD_STEP_LEFT);
        break;
    case TROD_STEP_INTERRUPT:
        interrupt(b);
        break;
    case TROD_STEP_RESUME:
        resume(b);
        break;
    }
    b->nseen++;
}

bool trod_segments_take(const struct trod_step *step, void *builder)
{
    trod_segments_add(builder, step);
    return true;
}

void trod_segments_end(struct trod_segments_builder *b)
{
    while (b->nframe)
        resume(b);
    interrupt(b);
}

/* --- interface -------------------------------------------------------------------------------------- */

void trod_segments_builder_init(
    struct trod_segments_builder *out, uint64_t depth, struct trod_arena *mem)
{
    assert(depth > 0);
    *out = (struct trod_segments_builder){.mem = mem, .depth = depth};
    trod_functions_init(&out->functions, mem);
    trod_reserve(mem, out->hash, 0, out->room_hash);
    interrupt(out);
}

struct sorted {
    uint64_t count, first;
    size_t at;
};

static int by_count(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static const struct trod_segment *sort(struct trod_segments_builder *b)
{
    struct trod_segment *out = trod_new(b->mem, struct trod_segment, b->nsegment);
    struct trod_mark mark = trod_arena_mark(b->mem);
    struct sorted *sorted = trod_new(b->mem, struct sorted, b->nsegment);

    for (size_t i = 0; i < b->nsegment; i++)
        sorted[i] = (struct sorted){b->segment[i].count, b->first[i], i};
    trod_sort(sorted, b->nsegment, by_count);
    for (size_t i = 0; i < b->nsegment; i++)
        out[i] = b->segment[sorted[i].at];
    trod_arena_rewind(b->mem, mark);
    return out;
}

void trod_segments_finish(
    struct trod_segments *out, struct trod_segments_builder *b, const char *name)
{
    trod_segments_end(b);
    *out = (struct trod_segments){.name = name,
        .depth = b->depth,
        .function = b->functions.name,
        .identity = trod_functions_identity(&b->functions),
        .nsegment = b->nsegment,
        .segment = sort(b)};
}

void trod_segments_build(struct trod_segments *out, const struct trod_wpp *wpp,
    uint64_t depth, struct trod_arena *mem)
{
    struct trod_segments_builder builder;

    trod_segments_builder_init(&builder, depth, mem);
    for (uint32_t f = 0; f < wpp->function.count; f++)
        trod_functions_add(&builder.functions, wpp->function.name[f],
            wpp->identity && wpp->identity[f].npath ? &wpp->identity[f] : NULL);
    for (size_t i = 0; i < wpp->nstep; i++)
        trod_segments_add(&builder, &wpp->step[i]);
    trod_segments_finish(out, &builder, wpp->name);
}
