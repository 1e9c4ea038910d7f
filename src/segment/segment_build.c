#include "segment/segment.h"

#include <stdlib.h>
#include <string.h>

struct building {
    const struct trod_wpp *wpp;
    uint64_t depth;
    struct trod_arena *mem;
    struct trod_segment *segment;
    size_t nsegment, room;
    size_t *slot; /* number of a segment + 1, or 0 */
    size_t nslot;
};

/* --- one segment ---------------------------------------------------------------------------- */

struct walk {
    size_t at; /* the step that was taken last */
    uint64_t ncall, nopen;
};

/* Whether a segment goes on to the step behind the last. */
static bool goes_on(struct walk *w, const struct trod_wpp *wpp, uint64_t depth)
{
    const struct trod_step *last = &wpp->step[w->at], *step = last + 1;
    size_t nleft = wpp->nstep - w->at - 1;

    if (!nleft)
        return false;
    switch (step->kind) {
    case TROD_STEP_CALL:
        if (last->kind != TROD_STEP_SUBPATH || w->ncall == depth || nleft == 1)
            return false;
        w->ncall++;
        w->nopen++;
        return true;
    case TROD_STEP_RETURN:
        if (!w->nopen)
            return false;
        w->nopen--;
        return true;
    case TROD_STEP_SUBPATH:
        break;
    }
    return last->kind != TROD_STEP_SUBPATH; /* or it is the next round */
}

/* How many steps the segment from here has; 0 if it spans no call. Returns at its end say
 * nothing: the subpath before them ended at one.
 */
static size_t length_from(const struct building *b, size_t from)
{
    struct walk w = {.at = from};
    size_t end = from;

    while (goes_on(&w, b->wpp, b->depth)) {
        w.at++;
        if (b->wpp->step[w.at].kind == TROD_STEP_SUBPATH)
            end = w.at;
    }
    return w.ncall ? end - from + 1 : 0;
}

/* --- all of them ---------------------------------------------------------------------------- */

static uint64_t hash_of(const struct trod_step *step, size_t n)
{
    uint64_t hash = n;

    for (size_t i = 0; i < n; i++)
        hash = trod_mix(trod_mix(hash, (uint64_t)step[i].kind << 32 | step[i].function),
            step[i].id);
    return hash;
}

static bool is_same(
    const struct trod_segment *s, const struct trod_step *step, size_t n)
{
    if (s->nstep != n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (s->step[i].kind != step[i].kind ||
            s->step[i].function != step[i].function || s->step[i].id != step[i].id)
            return false;
    return true;
}

static size_t find(const struct building *b, const struct trod_step *step, size_t n)
{
    size_t i = hash_of(step, n) & (b->nslot - 1);

    while (b->slot[i] && !is_same(&b->segment[b->slot[i] - 1], step, n))
        i = (i + 1) & (b->nslot - 1);
    return i;
}

static void grow(struct building *b)
{
    b->nslot = b->nslot ? 2 * b->nslot : 64;
    b->slot = trod_new(b->mem, size_t, b->nslot);
    for (size_t i = 0; i < b->nsegment; i++)
        b->slot[find(b, b->segment[i].step, b->segment[i].nstep)] = i + 1;
}

static void count(struct building *b, const struct trod_step *step, size_t n)
{
    size_t i;

    if (2 * b->nsegment >= b->nslot)
        grow(b);
    i = find(b, step, n);
    if (!b->slot[i]) {
        trod_reserve(b->mem, b->segment, b->nsegment, b->room);
        b->segment[b->nsegment] = (struct trod_segment){.nstep = n, .step = step};
        b->slot[i] = ++b->nsegment;
    }
    b->segment[b->slot[i] - 1].count++;
}

/* Steps of the first occurrence tell which of two was met first. */
static int by_count(const void *a, const void *b)
{
    const struct trod_segment *x = a, *y = b;

    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return x->step < y->step ? -1 : x->step > y->step;
}

static void keep(struct trod_segments *out, const struct building *b)
{
    struct trod_segment *segment = b->segment;

    for (size_t i = 0; i < b->nsegment; i++) {
        struct trod_step *step = trod_new(b->mem, struct trod_step, segment[i].nstep);

        memcpy(step, segment[i].step, segment[i].nstep * sizeof *step);
        segment[i].step = step;
    }
    out->segment = segment;
    out->nsegment = b->nsegment;
}

void trod_segments_build(struct trod_segments *out, const struct trod_wpp *wpp,
    uint64_t depth, struct trod_arena *mem)
{
    struct building b = {.wpp = wpp, .depth = depth, .mem = mem};

    assert(depth > 0);
    *out = (struct trod_segments){
        .name = wpp->name, .depth = depth, .function = wpp->function};
    for (size_t i = 0; i < wpp->nstep; i++) {
        size_t n = wpp->step[i].kind == TROD_STEP_SUBPATH ? length_from(&b, i) : 0;

        if (n)
            count(&b, &wpp->step[i], n);
    }
    if (b.nsegment)
        qsort(b.segment, b.nsegment, sizeof *b.segment, by_count);
    keep(out, &b);
}
