#include "number/number.h"

enum { MEASURED = 4096 }; /* weight of one measured execution, in units of estimates */

/* Estimates are less than one measured execution, so that they only decide between edges with equal measurements. */
static uint64_t part_of(uint64_t estimate)
{
    return estimate < MEASURED ? estimate : MEASURED - 1;
}

void trod_number_weigh(struct trod_dag *out, const struct trod_numbering *ballarus,
    const struct trod_pathset *paths, const uint64_t *count, struct trod_arena *mem)
{
    const struct trod_dag *dag = ballarus->dag;
    uint64_t *weight = trod_new(mem, uint64_t, dag->shape.nedge);
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *step = trod_new(mem, trod_edge, dag->nreach);

    for (size_t i = 0; i < paths->count; i++) {
        uint32_t n = trod_number_decode(step, ballarus, paths->id[i]);
        uint64_t by = count ? count[i] : 1;

        for (uint32_t k = 0; k < n; k++)
            weight[step[k]] = trod_sat_add(weight[step[k]], by);
    }
    trod_arena_rewind(mem, mark);
    for (trod_edge e = 0; e < dag->shape.nedge; e++) {
        uint64_t most = UINT64_MAX / MEASURED - 1;

        weight[e] = (weight[e] < most ? weight[e] : most) * MEASURED +
                    part_of(dag->weight_of_edge[e]);
    }
    *out = *dag;
    out->weight_of_edge = weight;
}
