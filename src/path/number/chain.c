#include "number/number.h"

void trod_chain_init(
    struct trod_chain *out, const struct trod_numbering *ballarus, unsigned iterations)
{
    *out = (struct trod_chain){.ballarus = ballarus,
        .base = ballarus->npath + 1,
        .iterations = 1,
        .nchain = ballarus->npath};
    if (iterations < 2 || !ballarus->dag->ncut)
        return;
    out->nchain = out->base;
    while (out->iterations < iterations && out->nchain <= TROD_PATH_MAX / out->base) {
        out->nchain *= out->base;
        out->iterations++;
    }
    if (out->iterations == 1)
        out->nchain = ballarus->npath;
}

trod_path trod_chain_add(const struct trod_chain *chain, trod_path id, trod_path path)
{
    if (chain->iterations == 1)
        return path;
    return id % (chain->nchain / chain->base) * chain->base + path + 1;
}

unsigned trod_chain_decode(
    trod_path path[TROD_ITERATIONS_MAX], const struct trod_chain *chain, trod_path id)
{
    unsigned n = 0;

    assert(id < chain->nchain);
    if (chain->iterations == 1) {
        path[0] = id;
        return 1;
    }
    for (uint64_t at = chain->nchain / chain->base; at; at /= chain->base) {
        uint64_t digit = id / at % chain->base;

        if (digit)
            path[n++] = digit - 1;
        else if (n)
            return 0;
    }
    return n;
}

bool trod_chain_last(trod_path *out, const struct trod_chain *chain, trod_path id)
{
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, chain, id);

    if (n)
        *out = path[n - 1];
    return n != 0;
}

/* --- number of chains --------------------------------------------------------------- */

/* The number of sequences of n paths, by the start of the first one. */
struct rows {
    const struct trod_chain *chain;
    uint64_t *of_node;  /* [shape.nnode] from a node to the end of the sequence */
    uint64_t *of_start; /* [graph->nnode] sequences of n - 1 paths that start here */
    uint64_t again;     /* sum of of_start over calls that may return again */
};

/* The sequences that may follow a path which ends by this edge: those that start at its target, and those that start at
 * any call that may return again, since it may do so during the next path. A suspended coroutine leaves its function
 * and resumes, so no exit is certain to be the last.
 */
static uint64_t rows_behind(const struct rows *r, trod_edge e, unsigned n)
{
    const struct trod_dag *dag = r->chain->ballarus->dag;
    trod_node to;

    if (dag->kind_of_edge[e] == TROD_DAG_REAL)
        return r->of_node[dag->shape.dst_of_edge[e]];
    if (n == 1)
        return 1;
    if (dag->kind_of_edge[e] == TROD_DAG_LEAVE)
        return r->again;
    to = dag->graph->dst_of_edge[dag->origin_of_edge[e]];
    return trod_sat_add(r->again,
        trod_graph_leave(dag->graph, to) == TROD_RETURNS_AGAIN ? 0 : r->of_start[to]);
}

/* needs:  of_start and again for sequences of n - 1 paths
 * fills:  of_node, then of_start and again, for sequences of n paths
 */
static void lengthen(struct rows *r, unsigned n)
{
    const struct trod_dag *dag = r->chain->ballarus->dag;

    for (uint32_t i = dag->nreach - 1; i-- > 1;) {
        trod_node v = dag->topo[i];

        r->of_node[v] = 0;
        for (trod_edge e = dag->shape.first_out[v]; e < dag->shape.first_out[v + 1];
            e++)
            r->of_node[v] = trod_sat_add(r->of_node[v], rows_behind(r, e, n));
    }
    r->again = 0;
    for (trod_node v = 0; v < dag->graph->nnode; v++) {
        if (dag->start_of_node[v] == TROD_NONE)
            continue;
        r->of_start[v] = r->of_node[v];
        if (trod_graph_leave(dag->graph, v) == TROD_RETURNS_AGAIN)
            r->again = trod_sat_add(r->again, r->of_start[v]);
    }
}

uint64_t trod_chain_count(const struct trod_chain *chain, struct trod_arena *mem)
{
    const struct trod_dag *dag = chain->ballarus->dag;
    struct trod_mark mark = trod_arena_mark(mem);
    struct rows rows = {.chain = chain,
        .of_node = trod_new(mem, uint64_t, dag->shape.nnode),
        .of_start = trod_new(mem, uint64_t, dag->graph->nnode)};
    uint64_t sum = 0;

    for (unsigned n = 1; n <= chain->iterations; n++) {
        lengthen(&rows, n);
        sum = trod_sat_add(sum, rows.of_node[dag->graph->entry]);
    }
    for (trod_node v = 0; v < dag->graph->nnode; v++)
        if (dag->start_of_node[v] != TROD_NONE)
            sum = trod_sat_add(sum, rows.of_start[v]);
    trod_arena_rewind(mem, mark);
    return chain->iterations == 1 ? chain->ballarus->npath : sum;
}
