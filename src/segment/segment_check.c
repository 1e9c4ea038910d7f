#include "segment/segment.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- whole program paths --------------------------------------------------------------------- */

struct frames {
    struct trod_arena *mem;
    uint32_t *function; /* of what is open; UINT32_MAX: not known yet */
    size_t count, room;
};

static void open_frame(struct frames *f)
{
    trod_reserve(f->mem, f->function, f->count, f->room);
    f->function[f->count++] = UINT32_MAX;
}

/* What is wrong with a step, or NULL. The first frame is outside of all calls. */
static const char *fault_of(
    struct frames *f, const struct trod_wpp *wpp, const struct trod_step *step)
{
    /* Before the first, all is closed. */
    enum trod_step_kind last = step > wpp->step ? step[-1].kind : TROD_STEP_RETURN;
    uint32_t *function = &f->function[f->count - 1];

    switch (step->kind) {
    case TROD_STEP_CALL:
        if (last == TROD_STEP_CALL || (last == TROD_STEP_RETURN && f->count > 1))
            return "a call comes after no subpath; write that which ends at it";
        open_frame(f);
        return NULL;
    case TROD_STEP_RETURN:
        if (f->count == 1)
            return "a return closes no call";
        if (last == TROD_STEP_CALL)
            return "a function is left without a subpath; write one, or leave the call out";
        f->count--;
        return NULL;
    case TROD_STEP_SUBPATH:
        break;
    }
    if (step->function >= wpp->function.count)
        return "a subpath is of no function";
    if (*function != UINT32_MAX && *function != step->function)
        return "a subpath is of another function than the one before it, without a call "
               "or a return between them";
    *function = step->function;
    return NULL;
}

size_t trod_wpp_fault(
    const char **fault, const struct trod_wpp *wpp, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct frames frames = {.mem = mem};
    size_t i = 0;

    *fault = NULL;
    open_frame(&frames);
    while (i < wpp->nstep && !(*fault = fault_of(&frames, wpp, &wpp->step[i])))
        i++;
    trod_arena_rewind(mem, mark);
    return i;
}

bool trod_wpp_check(
    const struct trod_wpp *wpp, struct trod_arena *mem, struct trod_err *err)
{
    const char *fault;
    size_t at = trod_wpp_fault(&fault, wpp, mem);

    return !fault || trod_fail(err, TROD_E_INTERNAL, "'%s', step %zu: %s", wpp->name,
                         at + 1, fault);
}

/* --- segments --------------------------------------------------------------------------------- */

static const char *shape_fault(const struct trod_segment *s, uint64_t depth)
{
    uint64_t ncall = 0;

    if (!s->count)
        return "its count is 0";
    if (!s->nstep || s->step[0].kind != TROD_STEP_SUBPATH ||
        s->step[s->nstep - 1].kind != TROD_STEP_SUBPATH)
        return "it does not begin and end with a subpath";
    for (size_t i = 1; i < s->nstep; i++) {
        ncall += s->step[i].kind == TROD_STEP_CALL;
        if (s->step[i].kind == TROD_STEP_SUBPATH &&
            s->step[i - 1].kind == TROD_STEP_SUBPATH)
            return "it goes from round to round of a loop";
        if (s->step[i].kind == TROD_STEP_CALL &&
            s->step[i - 1].kind != TROD_STEP_SUBPATH)
            return "a call comes after no subpath";
    }
    if (!ncall || ncall > depth)
        return "it spans no call, or more than the depth allows";
    return NULL;
}

static int by_steps(const void *a, const void *b)
{
    const struct trod_segment *x = *(const struct trod_segment *const *)a;
    const struct trod_segment *y = *(const struct trod_segment *const *)b;

    if (x->nstep != y->nstep)
        return x->nstep < y->nstep ? -1 : 1;
    for (size_t i = 0; i < x->nstep; i++) {
        const struct trod_step *s = &x->step[i], *t = &y->step[i];

        if (s->kind != t->kind)
            return s->kind < t->kind ? -1 : 1;
        if (s->function != t->function)
            return s->function < t->function ? -1 : 1;
        if (s->id != t->id)
            return s->id < t->id ? -1 : 1;
    }
    return 0;
}

static bool check_distinct(
    const struct trod_segments *all, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_segment **sorted =
        trod_new(mem, const struct trod_segment *, all->nsegment);

    for (size_t i = 0; i < all->nsegment; i++)
        sorted[i] = &all->segment[i];
    if (all->nsegment)
        qsort(sorted, all->nsegment, sizeof *sorted, by_steps);
    for (size_t i = 1; i < all->nsegment; i++)
        if (by_steps(&sorted[i - 1], &sorted[i]) == 0)
            return trod_fail(err, TROD_E_INTERNAL,
                "'%s', segment %zu: it is there twice; add the counts", all->name,
                (size_t)(sorted[i] - all->segment) + 1);
    return true;
}

static bool check_each(
    const struct trod_segments *all, struct trod_arena *mem, struct trod_err *err)
{
    for (size_t i = 0; i < all->nsegment; i++) {
        const struct trod_segment *s = &all->segment[i];
        const struct trod_wpp alone = {.name = all->name,
            .function = all->function,
            .nstep = s->nstep,
            .step = s->step};
        const char *fault = shape_fault(s, all->depth);

        if (!fault)
            trod_wpp_fault(&fault, &alone, mem);
        if (!fault && i && s->count > s[-1].count)
            fault =
                "its count is higher than that before it; the most frequent come first";
        if (fault)
            return trod_fail(
                err, TROD_E_INTERNAL, "'%s', segment %zu: %s", all->name, i + 1, fault);
    }
    return true;
}

bool trod_segments_check(
    const struct trod_segments *segments, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok = check_each(segments, mem, err) && check_distinct(segments, mem, err);

    trod_arena_rewind(mem, mark);
    return ok;
}
