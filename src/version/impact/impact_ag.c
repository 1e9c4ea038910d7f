#include "impact/impact_analysis.h"

/* ProfMig's aggressive method: functions that contain atomic changes, and nothing else. */

bool trod_impact_find_ag(struct trod_impact *out, const struct trod_impact_input *input,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_constructs *old = input->changes->old;
    struct trod_impact_analysis a;

    (void)err;
    trod_impact_begin(&a, out, input->changes, mem);
    for (uint32_t c = 0; c < old->nconstruct; c++)
        if (old->construct[c].level == TROD_LEVEL_FUNCTION &&
            trod_impact_is_changed(&a, c))
            trod_impact_mark_changed(&a, c);
    trod_impact_mark_outside(&a);
    trod_impact_finish(&a, false);
    return true;
}
