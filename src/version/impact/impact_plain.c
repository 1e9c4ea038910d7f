#include "impact/impact_analysis.h"

/* Baseline methods: reuse nothing, reuse everything, or reuse what a compiler would. */

enum { NONE = TROD_NO_CONSTRUCT };

bool trod_impact_find_none(struct trod_impact *out,
    const struct trod_impact_input *input, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_impact_analysis a;

    (void)err;
    trod_impact_begin(&a, out, input->changes, mem);
    for (uint32_t c = 0; c < input->changes->old->nconstruct; c++)
        trod_impact_mark(&a, c, NONE, NONE);
    trod_impact_finish(&a, false);
    return true;
}

bool trod_impact_find_blind(struct trod_impact *out,
    const struct trod_impact_input *input, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_impact_analysis a;

    (void)err;
    trod_impact_begin(&a, out, input->changes, mem);
    trod_impact_finish(&a, false);
    return true;
}

/* Clang's hash is 0 for a function without branches and for an unknown one: the meaning distinguishes them. */
static bool hash_differs(const struct trod_changes *changes, uint32_t function)
{
    const struct trod_construct *old = &changes->old->construct[function], *new;

    if (changes->new_of_old[function] == NONE)
        return true;
    new = &changes->later->construct[changes->new_of_old[function]];
    return (!old->shape && !old->meaning) || (!new->shape && !new->meaning) ||
           old->shape != new->shape;
}

bool trod_impact_find_hash(struct trod_impact *out,
    const struct trod_impact_input *input, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_changes *changes = input->changes;
    struct trod_impact_analysis a;

    (void)err;
    trod_impact_begin(&a, out, changes, mem);
    for (uint32_t c = 0; c < changes->old->nconstruct; c++)
        if (changes->old->construct[c].level == TROD_LEVEL_FUNCTION &&
            hash_differs(changes, c))
            trod_impact_mark_changed(&a, c);
    trod_impact_finish(&a, false);
    return true;
}
