#include "model/model.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

TROD_ORDER(larger, uint64_t, trod_compare(*b, *a))

/* The share of the top[k] largest values, for each k. */
static void cumulate(
    double *share, const struct trod_spread *tops, uint64_t *value, uint32_t count)
{
    uint64_t all = 0, sum = 0;
    uint32_t k = 0;

    trod_sort(value, count, larger);
    for (uint32_t i = 0; i < count; i++)
        all = trod_sat_add(all, value[i]);
    for (uint32_t i = 0; i < count; i++) {
        sum = trod_sat_add(sum, value[i]);
        while (k < tops->ntop && tops->top[k] == i + 1)
            share[k++] = all ? (double)sum / (double)all : 0;
    }
    while (k < tops->ntop)
        share[k++] = all ? 1 : 0;
}

static void choose_tops(struct trod_spread *out, uint32_t npath)
{
    static const uint32_t step[] = {1, 2, 5};
    uint32_t ten = 1;

    while (out->ntop < TROD_SPREAD_TOPS) {
        uint32_t top = ten * step[out->ntop % 3];

        out->top[out->ntop++] = top;
        if (top >= npath)
            break;
        if (out->ntop % 3 == 0)
            ten *= 10;
    }
}

void trod_model_spread(
    struct trod_spread *out, const struct trod_reference *r, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *value = trod_new(mem, uint64_t, r->npath);

    memset(out, 0, sizeof *out);
    choose_tops(out, r->npath);
    for (uint32_t i = 0; i < r->npath; i++)
        value[i] = r->path[i].count;
    cumulate(out->frequency, out, value, r->npath);
    for (uint32_t i = 0; i < r->npath; i++)
        value[i] = r->path[i].ninsn;
    cumulate(out->ninsn, out, value, r->npath);
    for (uint32_t i = 0; i < r->npath; i++)
        value[i] = r->path[i].weight;
    cumulate(out->weight, out, value, r->npath);
    for (uint32_t k = 0; k < TROD_SPREAD_LENGTHS; k++) {
        uint64_t sum = 0;

        out->length[k] = k == TROD_SPREAD_LENGTHS - 1 ? UINT32_MAX
                         : k                          ? 1U << (k - 1)
                                                      : 0;
        for (uint32_t i = 0; i < r->npath; i++)
            if (r->path[i].path.length <= out->length[k])
                sum += r->path[i].ninsn;
        out->by_length[k] = r->ninsn ? (double)sum / (double)r->ninsn : 0;
    }
    trod_arena_rewind(mem, mark);
}
