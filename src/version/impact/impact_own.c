#include "impact/impact_analysis.h"

/* trod's own method. In a function whose meaning changed, not every part changed: the trip count of a loop mostly
 * depends on the loop itself. Loops with an unchanged meaning are not affected; the validation run finds the cases
 * where that was wrong.
 */

enum { NONE = TROD_NO_CONSTRUCT };

static bool is_kept(const struct trod_changes *changes, uint32_t c)
{
    return changes->old->construct[c].level == TROD_LEVEL_LOOP &&
           changes->new_of_old[c] != NONE && trod_has(changes->same_of_old, c);
}

static bool is_in_kept(
    const struct trod_changes *changes, uint32_t c, uint32_t function)
{
    for (; c != function && c != NONE; c = changes->old->construct[c].parent)
        if (is_kept(changes, c))
            return true;
    return false;
}

/* The function's changes are marked first, so that they are the reason for the rest. */
static void mark_function(struct trod_impact_analysis *a, uint32_t function)
{
    const struct trod_changes *changes = a->changes;
    const struct trod_construct *construct = changes->old->construct;
    uint32_t first = a->first_change[function], from = NONE;

    for (uint32_t i = first; i != NONE; i = a->next_change[i])
        if (changes->change[i].old != NONE &&
            !is_in_kept(changes, changes->change[i].old, function))
            trod_impact_mark(a, changes->change[i].old, i, NONE);
    if (first != NONE && changes->change[first].old != function)
        from = changes->change[first].old;
    if (from != NONE && a->out->change_of_old[from] != first)
        from = NONE;
    trod_impact_mark(a, function, first, from);
    for (uint32_t c = function + 1; c < construct[function].next;) {
        if (is_kept(changes, c)) {
            c = construct[c].next;
            continue;
        }
        trod_impact_mark(a, c, a->out->change_of_old[function], function);
        c++;
    }
}

bool trod_impact_find_own(struct trod_impact *out,
    const struct trod_impact_input *input, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_constructs *old = input->changes->old;
    struct trod_impact_analysis a;

    (void)err;
    trod_impact_begin(&a, out, input->changes, mem);
    for (uint32_t c = 0; c < old->nconstruct; c++)
        if (old->construct[c].level == TROD_LEVEL_FUNCTION &&
            trod_impact_is_changed(&a, c))
            mark_function(&a, c);
    trod_impact_mark_outside(&a);
    trod_impact_finish(&a, false);
    return true;
}
