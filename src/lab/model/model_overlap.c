#include "model/model.h"
#include "base/order.h"

#include <stdlib.h>

static uint64_t sum_of(const struct trod_path_weight *w, size_t count)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < count; i++)
        sum = trod_sat_add(sum, w[i].weight);
    return sum;
}

static double share(uint64_t part, uint64_t all)
{
    return all ? (double)part / (double)all : 0;
}

double trod_model_overlap(const struct trod_path_weight *a, size_t na,
    const struct trod_path_weight *b, size_t nb)
{
    uint64_t all_a = sum_of(a, na), all_b = sum_of(b, nb);
    double overlap = 0;

    if (!all_a && !all_b)
        return 1;
    for (size_t i = 0, k = 0; i < na && k < nb;) {
        if (a[i].path < b[k].path) {
            i++;
        } else if (a[i].path > b[k].path) {
            k++;
        } else {
            double x = share(a[i++].weight, all_a), y = share(b[k++].weight, all_b);

            overlap += x < y ? x : y;
        }
    }
    return overlap;
}

TROD_ORDER(larger, uint64_t, trod_compare(*b, *a))

static uint64_t heaviest(
    const uint64_t *weight, uint32_t count, uint32_t most, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *sorted = trod_new(mem, uint64_t, count), sum = 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++)
        if (weight[i])
            sorted[n++] = weight[i];
    trod_sort(sorted, n, larger);
    for (uint32_t i = 0; i < n && i < most; i++)
        sum = trod_sat_add(sum, sorted[i]);
    trod_arena_rewind(mem, mark);
    return sum;
}

void trod_hot_table_score(struct trod_hot_score *out, const struct trod_hot_table *t,
    const uint64_t *weight_of_path, uint32_t npath, struct trod_arena *mem)
{
    uint64_t all = 0, covered = 0;

    *out = (struct trod_hot_score){0};
    for (uint32_t i = 0; i < npath; i++)
        all = trod_sat_add(all, weight_of_path[i]);
    for (uint32_t i = 0; i < t->design.entries; i++) {
        const struct trod_hot_entry *e = &t->entry[i];

        if (!e->path)
            continue;
        out->nentry++;
        out->total = trod_sat_add(out->total, e->count);
        if (e->path <= npath)
            covered = trod_sat_add(covered, weight_of_path[e->path - 1]);
    }
    for (uint32_t i = 0; i < t->design.entries; i++) {
        const struct trod_hot_entry *e = &t->entry[i];
        double x, y;

        if (!e->path || e->path > npath)
            continue;
        x = share(e->count, out->total);
        y = share(weight_of_path[e->path - 1], all);
        out->overlap += x < y ? x : y;
    }
    if (!all && !out->total)
        out->overlap = 1;
    out->coverage = all ? share(covered, all) : 1;
    out->ideal =
        all ? share(heaviest(weight_of_path, npath, t->design.entries, mem), all) : 1;
}
