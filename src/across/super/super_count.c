#include "super/walk.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

void trod_super_count_init(struct trod_super_counter *out,
    const struct trod_super_unit *unit, uint64_t depth, const struct trod_names *known,
    struct trod_arena *mem)
{
    assert(depth > 0);
    *out = (struct trod_super_counter){
        .unit = unit, .depth = depth, .known = known, .mem = mem};
}

/* --- tallies ---------------------------------------------------------------------------------- */

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
        if (!trod_step_is_same(&s->step[i], &step[i]))
            return false;
    return true;
}

static void tally(struct trod_super_tally *t, const struct trod_step *step, size_t n,
    uint64_t count, struct trod_arena *mem)
{
    uint64_t hash = hash_of(step, n);
    uint32_t at =
        TROD_TABLE_FIND(&t->by_steps, hash, i, is_same(&t->segment[i], step, n));
    struct trod_segment *segment;

    if (at == TROD_TABLE_NONE) {
        struct trod_step *copy = trod_new(mem, struct trod_step, n);

        memcpy(copy, step, n * sizeof *copy);
        at = trod_table_add(&t->by_steps, hash, mem);
        trod_push(mem, t->segment, t->nsegment, t->room,
            (struct trod_segment){.nstep = n, .step = copy});
    }
    segment = &t->segment[at];
    segment->count = trod_sat_add(segment->count, count);
}

/* --- segments of a row -------------------------------------------------------------------------- */

/* Does a row end at a call of an unknown function? Segments end there, too. */
static bool ends_outside(
    const struct trod_super_counter *c, const struct trod_super_row *row)
{
    return c->known && row->call && row->call->callee &&
           trod_names_find(c->known, row->call->callee) == UINT32_MAX;
}

static void count_from(struct trod_super_counter *c, const struct trod_super_row *row,
    size_t from, uint64_t count)
{
    uint64_t ncall = 0, nopen = 0;
    size_t end = from, i = from + 1;
    bool piece = row->step[from].id == TROD_SUPER_PIECE, early;

    for (; i < row->nstep; i++) {
        const struct trod_step *step = &row->step[i];

        if (step->kind == TROD_STEP_CALL) {
            if (ncall == c->depth)
                break;
            ncall++;
            nopen++;
        } else if (step->kind == TROD_STEP_RETURN) {
            if (!nopen)
                break;
            nopen--;
        } else {
            end = i;
            piece |= step->id == TROD_SUPER_PIECE;
        }
    }
    early = piece || (i == row->nstep && !ends_outside(c, row) &&
                         trod_super_ends_early(row->end, ncall, nopen, c->depth));
    if (row->step[from].id == TROD_SUPER_PIECE)
        return;
    if (row->step[end].id == TROD_SUPER_PIECE)
        end -= 2; /* occurs only at the end of a row */
    if (end == from)
        return;
    tally(early ? &c->cut_short : &c->whole, &row->step[from], end - from + 1, count,
        c->mem);
}

void trod_super_count_own(struct trod_super_counter *counter,
    const struct trod_super *super, const struct trod_super_row *row, uint64_t count)
{
    uint32_t depth = super->tree->frame[row->frame].depth;

    for (size_t i = 0; i + 1 < row->nstep; i++) {
        const struct trod_step *step = &row->step[i];

        if (step->kind == TROD_STEP_SUBPATH && !depth && step[1].kind == TROD_STEP_CALL)
            count_from(counter, row, i, count);
        depth += step->kind == TROD_STEP_CALL;
        depth -= step->kind == TROD_STEP_RETURN;
    }
}

static int by_count(const void *a, const void *b)
{
    const struct trod_segment *const *x = a, *const *y = b;

    if ((*x)->count != (*y)->count)
        return (*x)->count < (*y)->count ? 1 : -1;
    return *x < *y ? -1 : *x > *y;
}

static void sort_tally(
    struct trod_segments *out, const struct trod_super_tally *t, struct trod_arena *mem)
{
    struct trod_segment *segment = trod_new(mem, struct trod_segment, t->nsegment);
    const struct trod_segment **sorted =
        trod_new(mem, const struct trod_segment *, t->nsegment);

    for (size_t i = 0; i < t->nsegment; i++)
        sorted[i] = &t->segment[i];
    trod_sort(sorted, t->nsegment, by_count);
    for (size_t i = 0; i < t->nsegment; i++)
        segment[i] = *sorted[i];
    out->segment = segment;
    out->nsegment = t->nsegment;
}

void trod_super_count_finish(struct trod_segments *whole,
    struct trod_segments *cut_short, const struct trod_super_counter *counter,
    const char *name)
{
    *whole = *cut_short = (struct trod_segments){
        .name = name, .depth = counter->depth, .function = counter->unit->names};
    sort_tally(whole, &counter->whole, counter->mem);
    sort_tally(cut_short, &counter->cut_short, counter->mem);
}
