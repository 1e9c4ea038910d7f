#include "number/number.h"

/* The last out-edge of v whose value is at most the rest of the id. Values ascend along the successors, so binary
 * search finds it.
 */
static trod_edge edge_for(const struct trod_numbering *bl, trod_node v, trod_path rest)
{
    const struct trod_graph *g = &bl->dag->shape;
    trod_edge low = g->first_out[v], high = g->first_out[v + 1];

    while (high - low > 1) {
        trod_edge middle = low + (high - low) / 2;

        if ((trod_path)bl->val_of_edge[middle] <= rest)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t trod_number_decode(
    trod_edge *edge_of_step, const struct trod_numbering *ballarus, trod_path id)
{
    const struct trod_dag *dag = ballarus->dag;
    trod_node v = dag->shape.entry;
    uint32_t nstep = 0;

    assert(ballarus->kind == TROD_BALLARUS && id < ballarus->npath);
    while (v != dag->exit) {
        trod_edge e = edge_for(ballarus, v, id);

        id -= (trod_path)ballarus->val_of_edge[e];
        edge_of_step[nstep++] = e;
        v = dag->shape.dst_of_edge[e];
    }
    assert(id == 0);
    return nstep;
}

int64_t trod_number_sum(const struct trod_numbering *numbering,
    const trod_edge *edge_of_step, uint32_t nstep)
{
    uint64_t sum = 0; /* wraps like the register; the total fits */

    for (uint32_t i = 0; i < nstep; i++)
        sum += (uint64_t)numbering->val_of_edge[edge_of_step[i]];
    return (int64_t)sum;
}

bool trod_number_range(int64_t *min, int64_t *max, const struct trod_dag *dag,
    const int64_t *val_of_edge, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_graph *g = &dag->shape;
    struct trod_mark mark = trod_arena_mark(mem);
    int64_t *low = trod_new(mem, int64_t, g->nnode);
    int64_t *high = trod_new(mem, int64_t, g->nnode);
    bool ok = true;

    for (uint32_t i = dag->nreach - 1; i-- > 0;) {
        trod_node v = dag->topo[i];

        low[v] = INT64_MAX;
        high[v] = INT64_MIN;
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            trod_node w = g->dst_of_edge[e];
            int64_t a = 0, b = 0;

            if (__builtin_add_overflow(low[w], val_of_edge[e], &a) ||
                __builtin_add_overflow(high[w], val_of_edge[e], &b))
                ok = false;
            low[v] = a < low[v] ? a : low[v];
            high[v] = b > high[v] ? b : high[v];
        }
    }
    *min = low[g->entry];
    *max = high[g->entry];
    trod_arena_rewind(mem, mark);
    return ok ||
           trod_fail(err, TROD_E_LIMIT,
               "sums of '%s' do not fit 63 bits; choose fewer paths or a lower limit on paths",
               g->name);
}

uint64_t trod_number_each(const struct trod_dag *dag, uint64_t most,
    bool (*fn)(void *ctx, const trod_edge *edge_of_step, uint32_t nstep), void *ctx,
    struct trod_arena *mem)
{
    const struct trod_graph *g = &dag->shape;
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *step = trod_new(mem, trod_edge, dag->nreach);
    uint32_t n = 0;
    uint64_t seen = 0;
    trod_edge e = g->first_out[g->entry];

    while (seen < most) {
        /* Follow first edges down to EXIT ... */
        for (;; e = g->first_out[g->dst_of_edge[e]]) {
            step[n++] = e;
            if (g->dst_of_edge[e] == dag->exit)
                break;
        }
        seen++;
        if (!fn(ctx, step, n))
            break;
        /* ... and backtrack to the last node with another edge to take. */
        while (n && step[n - 1] + 1 == g->first_out[g->src_of_edge[step[n - 1]] + 1])
            n--;
        if (!n)
            break;
        e = step[--n] + 1;
    }
    trod_arena_rewind(mem, mark);
    return seen;
}
