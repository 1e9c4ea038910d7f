#include "probe/probe.h"

/* Instructions, and one more for each that both reads and writes memory.
 *
 *   set       mov r, imm
 *   add       add r, imm
 *   count     lea t, [table]; inc [t + r*8 + imm]   position-independent code cannot
 *                                                   index a table by its address
 *   count_at  inc [table + imm]
 *   bump      inc trips
 *   flush     test trips; jz; a count; dec trips; add [table + imm], trips;
 *             mov r, imm; xor trips, trips          as for a loop that did go round
 */
const struct trod_prices trod_prices_default = {
    .set = 1,
    .add = 1,
    .count = 3,
    .count_at = 2,
    .bump = 1,
    .flush = 10,
};

uint32_t trod_probe_price(const struct trod_prices *prices, enum trod_op_kind kind)
{
    switch (kind) {
    case TROD_OP_SET:
        return prices->set;
    case TROD_OP_ADD:
        return prices->add;
    case TROD_OP_COUNT:
        return prices->count;
    case TROD_OP_COUNT_AT:
    case TROD_OP_BEGIN:
        return prices->count_at;
    case TROD_OP_BUMP:
        return prices->bump;
    case TROD_OP_FLUSH:
        return prices->flush;
    case TROD_OP_NONE:
        break;
    }
    return 0;
}

uint64_t trod_site_weight(const struct trod_dag *dag, uint32_t site)
{
    const struct trod_graph *graph = dag->graph, *shape = &dag->shape;
    trod_edge e;

    if (site < graph->nedge) {
        e = dag->dag_of_edge[site];
    } else if (site == trod_site_in(graph)) {
        e = shape->first_out[shape->entry];
    } else {
        trod_node v = site - graph->nedge;

        e = shape->first_out[v] < shape->first_out[v + 1] ? shape->first_out[v]
                                                          : TROD_NONE;
    }
    return e == TROD_NONE ? 0 : dag->weight_of_edge[e];
}

void trod_probe_cost(struct trod_cost *out, const struct trod_plan *plan,
    const struct trod_prices *prices)
{
    const struct trod_dag *dag = plan->numbering->dag;
    uint64_t calls = trod_site_weight(dag, trod_site_in(dag->graph));

    *out = (struct trod_cost){0};
    for (uint32_t site = 0; site < plan->nsite; site++) {
        double weight = (double)trod_site_weight(dag, site);

        out->nsite += plan->first_op[site] < plan->first_op[site + 1];
        for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++) {
            out->nop++;
            out->nop_of_kind[plan->op[i].kind]++;
            out->dynamic += weight * trod_probe_price(prices, plan->op[i].kind);
        }
    }
    out->per_call = out->dynamic / (double)calls;
}
