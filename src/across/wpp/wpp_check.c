#include "wpp/wpp.h"

/* The stack of open calls and interruptions. The lowest frame is outside of all calls. */
struct frame {
    uint32_t function; /* UINT32_MAX: not yet known */
    enum { NOTHING, SUBPATH, CALLED } last;
    bool interrupts;
};

struct frames {
    struct trod_arena *mem;
    struct frame *frame;
    size_t count, room;
};

static void open_frame(struct frames *f, bool interrupts)
{
    trod_push(f->mem, f->frame, f->count, f->room,
        (struct frame){.function = UINT32_MAX, .interrupts = interrupts});
}

static const char *fault_of_call(struct frames *f)
{
    const struct frame *in = &f->frame[f->count - 1];

    if (in->last != SUBPATH && f->count > 1)
        return "a call does not follow a subpath; write the subpath that ends at the "
               "call before it";
    open_frame(f, false);
    return NULL;
}

static const char *fault_of_return(struct frames *f)
{
    const struct frame *in = &f->frame[f->count - 1];

    if (f->count == 1 || in->interrupts)
        return "a return closes no call";
    if (in->last == NOTHING && f->frame[f->count - 2].last != SUBPATH)
        return "a call has no subpath of the callee, and no subpath of the caller "
               "ends at it; write one, or remove the call";
    f->count--;
    f->frame[f->count - 1].last = CALLED;
    return NULL;
}

static const char *fault_of_interrupt(struct frames *f)
{
    if (f->count > 1 && f->frame[f->count - 1].last == NOTHING)
        return "an interruption is between a call (or another interruption) and the "
               "first subpath after it; write it before both";
    open_frame(f, true);
    return NULL;
}

static const char *fault_of_resume(struct frames *f)
{
    const struct frame *in = &f->frame[f->count - 1];

    if (!in->interrupts)
        return "']' closes no interruption";
    if (in->last == NOTHING)
        return "an interruption has no subpath; remove it";
    f->count--;
    return NULL;
}

static const char *fault_of_subpath(
    struct frames *f, const struct trod_wpp *wpp, const struct trod_step *step)
{
    struct frame *in = &f->frame[f->count - 1];

    if (step->function >= wpp->function.count)
        return "a subpath belongs to no function";
    if (wpp->identity && wpp->identity[step->function].npath &&
        step->id >= wpp->identity[step->function].npath)
        return "a subpath has an id that is not below the number of paths of its function";
    if (in->function != UINT32_MAX && in->function != step->function)
        return "a subpath is of another function than the one before it, without a call "
               "or a return between them";
    in->function = step->function;
    in->last = SUBPATH;
    return NULL;
}

/* The fault of a step, or NULL. */
static const char *fault_of(
    struct frames *f, const struct trod_wpp *wpp, const struct trod_step *step)
{
    switch (step->kind) {
    case TROD_STEP_SUBPATH:
        return fault_of_subpath(f, wpp, step);
    case TROD_STEP_CALL:
        return fault_of_call(f);
    case TROD_STEP_RETURN:
    case TROD_STEP_LEFT:
        return fault_of_return(f);
    case TROD_STEP_INTERRUPT:
        return fault_of_interrupt(f);
    case TROD_STEP_RESUME:
        return fault_of_resume(f);
    }
    return "a step has an unknown kind";
}

size_t trod_wpp_fault(
    const char **fault, const struct trod_wpp *wpp, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct frames frames = {.mem = mem};
    size_t i = 0;

    *fault = NULL;
    open_frame(&frames, false);
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
