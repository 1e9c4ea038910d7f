#include "segment/segment.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *fault_of_step(const struct trod_segment *s, size_t i)
{
    enum trod_step_kind kind = s->step[i].kind, before = s->step[i - 1].kind;

    if (kind >= TROD_STEP_LEFT)
        return "it has an interruption, or a call that did not return";
    if (kind == TROD_STEP_SUBPATH && before == TROD_STEP_SUBPATH)
        return "it crosses iterations of a loop";
    if (kind == TROD_STEP_CALL && before != TROD_STEP_SUBPATH)
        return "a call does not follow a subpath";
    if (kind == TROD_STEP_RETURN && before == TROD_STEP_CALL)
        return "it continues after an external call; end it before that";
    return NULL;
}

static const char *shape_fault(const struct trod_segment *s, uint64_t depth)
{
    const char *fault = NULL;
    uint64_t ncall = 0;

    if (!s->count)
        return "its count is 0";
    if (!s->nstep || s->step[0].kind != TROD_STEP_SUBPATH ||
        s->step[s->nstep - 1].kind != TROD_STEP_SUBPATH)
        return "it does not begin and end with a subpath";
    for (size_t i = 1; i < s->nstep && !fault; i++) {
        ncall += s->step[i].kind == TROD_STEP_CALL;
        fault = fault_of_step(s, i);
    }
    if (!fault && (!ncall || ncall > depth))
        fault = "it spans no call, or more than the depth allows";
    return fault;
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
    trod_sort(sorted, all->nsegment, by_steps);
    for (size_t i = 1; i < all->nsegment; i++)
        if (by_steps(&sorted[i - 1], &sorted[i]) == 0)
            return trod_fail(err, TROD_E_INTERNAL,
                "'%s', segment %zu: it occurs twice; add the counts", all->name,
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
            .identity = all->identity,
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
