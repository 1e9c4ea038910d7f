#include "number/number.h"

void trod_interest_count_core(
    uint64_t *down, uint64_t *up, const struct trod_interest *interest)
{
    const struct trod_dag *dag = interest->ballarus->dag;
    const struct trod_graph *g = &dag->shape;

    for (trod_node v = 0; v < g->nnode; v++) {
        down[v] = v == dag->exit;
        if (up)
            up[v] = v == g->entry;
    }
    for (uint32_t i = dag->nreach - 1; i-- > 0;) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            if (trod_has(interest->edges, e))
                down[v] += down[g->dst_of_edge[e]];
    }
    for (uint32_t i = 0; up && i < dag->nreach; i++) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            if (trod_has(interest->edges, e))
                up[g->dst_of_edge[e]] += up[v];
    }
}

uint64_t trod_interest_ncore(
    const struct trod_interest *interest, struct trod_arena *mem)
{
    const struct trod_graph *g = &interest->ballarus->dag->shape;
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *ncore = trod_new(mem, uint64_t, g->nnode), n;

    trod_interest_count_core(ncore, NULL, interest);
    n = interest->paths.count ? ncore[g->entry] : 0;
    trod_arena_rewind(mem, mark);
    return n;
}

/* Ball-Larus numbering of the core. The value of edges outside is the number of paths in the core, so the sum of a path
 * that leaves the core exceeds all sums of paths in it.
 */
bool trod_number_core(struct trod_numbering *out, const struct trod_interest *interest,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_dag *dag = interest->ballarus->dag;
    const struct trod_graph *g = &dag->shape;
    int64_t *val = trod_new(mem, int64_t, g->nedge);
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *ncore = trod_new(mem, uint64_t, g->nnode);

    trod_interest_count_core(ncore, NULL, interest);
    for (trod_node v = 0; v < g->nnode; v++) {
        uint64_t next = 0;

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            val[e] = (int64_t)(trod_has(interest->edges, e) ? next : ncore[g->entry]);
            if (trod_has(interest->edges, e))
                next += ncore[g->dst_of_edge[e]];
        }
    }
    trod_arena_rewind(mem, mark);
    *out =
        (struct trod_numbering){.kind = TROD_SELECTIVE, .dag = dag, .val_of_edge = val};
    return trod_number_range(&out->min, &out->max, dag, val, mem, err);
}

void trod_number_stray(struct trod_numbering *out, const struct trod_interest *interest,
    struct trod_arena *mem)
{
    const struct trod_dag *dag = interest->ballarus->dag;
    int64_t *val = trod_new(mem, int64_t, dag->shape.nedge);
    struct trod_err never;
    bool ok;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        val[e] = !trod_has(interest->edges, e);
    *out = (struct trod_numbering){.kind = TROD_STRAY, .dag = dag, .val_of_edge = val};
    ok = trod_number_range(&out->min, &out->max, dag, val, mem, &never);
    assert(ok); /* a path has fewer edges than the DAG */
    (void)ok;
}
