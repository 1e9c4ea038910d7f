#include "probe/probe.h"

/* Prices are numbers of instructions; one that both reads and writes memory counts twice.
 *
 *   set       mov r, imm
 *   add       add r, imm
 *   count     lea t, [table]; inc [t + r*8 + imm]   position-independent code cannot
 *                                                   index a table by its address
 *   count_at  inc [table + imm]
 *   bump      inc trips
 *   flush     test trips; jz; a count; dec trips; add [table + imm], trips;
 *             mov r, imm; xor trips, trips          as for a loop that did iterate
 *   ask       selective     cmp r, imm; ja; a count
 *             preferential  mov t, r; shr t; cmp t, imm; ja; and r, imm; lea p, [ids];
 *                           cmp r, [p + t*4]; jne; a count
 *             hash          imul t, r, imm; shr t; lea p, [ids]; cmp r, [p + t*4]; jne; a count
 *             stray         cmp r, imm; ja
 *             mask          mov t, imm; bt t, r; jnc
 *             bits          mov t, r; shr t; lea p, [bits]; mov t, [p + t*4]; bt t, r; jnc
 *   report    a call that looks the path up in a table; or, direct, the thread and a count
 */
const struct trod_prices trod_prices_default = {
    .set = 1,
    .add = 1,
    .count = 3,
    .count_at = 2,
    .bump = 1,
    .flush = 10,
    .ask = {[TROD_END_ALL] = 3,
        [TROD_END_SELECT] = 5,
        [TROD_END_PREFER] = 12,
        [TROD_END_HASH] = 9,
        [TROD_END_STRAY] = 2,
        [TROD_END_MASK] = 3,
        [TROD_END_BITS] = 6},
    .report = 40,
    .report_direct = 6,
};

static uint32_t price_of_action(const struct trod_prices *prices,
    const struct trod_op *op, const struct trod_ending *ending)
{
    uint32_t count = op->kind == TROD_OP_COUNT ? prices->count : prices->count_at;

    switch (op->action) {
    case TROD_ACTION_COUNT:
        return count;
    case TROD_ACTION_ASK:
        if (!ending)
            return count; /* a plan that was parsed */
        return prices->ask[ending->kind] -
               (ending->kind == TROD_END_HASH && !trod_wants_counts(ending->want)
                       ? prices->count
                       : 0);
    case TROD_ACTION_STRAY:
        return prices->ask[TROD_END_STRAY];
    case TROD_ACTION_REPORT:
        return ending && ending->direct ? prices->report_direct : prices->report;
    case TROD_ACTION_PASS:
        break;
    }
    return 0;
}

uint32_t trod_probe_price(const struct trod_prices *prices, const struct trod_op *op,
    const struct trod_ending *ending)
{
    switch (op->kind) {
    case TROD_OP_SET:
        return prices->set;
    case TROD_OP_ADD:
        return prices->add;
    case TROD_OP_COUNT:
    case TROD_OP_COUNT_AT:
        return price_of_action(prices, op, ending);
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

/* --- liveness of r ---------------------------------------------------------------- */

enum use { ASKED, OVER, GOES_ON };

static enum use use_of(const struct trod_op *op)
{
    switch (op->kind) {
    case TROD_OP_COUNT:
        return op->action == TROD_ACTION_PASS ? OVER : ASKED;
    case TROD_OP_BUMP:
    case TROD_OP_FLUSH:
        return ASKED;
    case TROD_OP_SET:
    case TROD_OP_COUNT_AT:
        return OVER;
    case TROD_OP_ADD:
    case TROD_OP_BEGIN:
    case TROD_OP_NONE:
        break;
    }
    return GOES_ON;
}

/* After a cut another path starts, which sets r itself, so r is dead. */
static bool is_asked(
    const struct trod_plan *plan, const bool *asked_in_node, uint32_t site, uint32_t op)
{
    const struct trod_dag *dag = plan->numbering->dag;

    for (uint32_t i = op; i < plan->first_op[site + 1]; i++)
        if (use_of(&plan->op[i]) != GOES_ON)
            return use_of(&plan->op[i]) == ASKED;
    if (site == trod_site_in(dag->graph))
        return asked_in_node[dag->graph->entry];
    if (site >= dag->graph->nedge || dag->dag_of_edge[site] == TROD_NONE ||
        (op == plan->first_op[site] &&
            dag->kind_of_edge[dag->dag_of_edge[site]] == TROD_DAG_END))
        return false;
    return asked_in_node[dag->graph->dst_of_edge[site]];
}

static void fill_asked(bool *asked_in_node, const struct trod_plan *plan)
{
    const struct trod_dag *dag = plan->numbering->dag;
    const struct trod_graph *graph = dag->graph;

    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];

        if (v >= graph->nnode)
            continue;
        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++)
            asked_in_node[v] |= is_asked(plan, asked_in_node, e, plan->first_op[e]);
        if (graph->first_out[v] == graph->first_out[v + 1])
            asked_in_node[v] = is_asked(plan, asked_in_node, trod_site_out(graph, v),
                plan->first_op[trod_site_out(graph, v)]);
    }
}

static bool is_done(
    const struct trod_plan *plan, const bool *asked_in_node, uint32_t site, uint32_t op)
{
    switch (plan->op[op].kind) {
    case TROD_OP_SET:
    case TROD_OP_ADD:
        return is_asked(plan, asked_in_node, site, op + 1);
    case TROD_OP_COUNT:
    case TROD_OP_COUNT_AT:
        return plan->op[op].action != TROD_ACTION_PASS;
    case TROD_OP_BEGIN:
    case TROD_OP_BUMP:
    case TROD_OP_FLUSH:
        return true;
    case TROD_OP_NONE:
        break;
    }
    return false;
}

void trod_probe_cost(struct trod_cost *out, const struct trod_plan *plan,
    const struct trod_prices *prices, struct trod_arena *mem)
{
    const struct trod_dag *dag = plan->numbering->dag;
    uint64_t calls = trod_site_weight(dag, trod_site_in(dag->graph));
    struct trod_mark mark = trod_arena_mark(mem);
    bool *asked_in_node = trod_new(mem, bool, dag->graph->nnode);

    *out = (struct trod_cost){0};
    fill_asked(asked_in_node, plan);
    for (uint32_t site = 0; site < plan->nsite; site++) {
        double weight = (double)trod_site_weight(dag, site);
        uint32_t before = out->nop;

        for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++) {
            if (!is_done(plan, asked_in_node, site, i))
                continue;
            out->nop++;
            out->nop_of_kind[plan->op[i].kind]++;
            out->dynamic +=
                weight * trod_probe_price(prices, &plan->op[i], plan->ending);
        }
        out->nsite += out->nop > before;
    }
    out->per_call = out->dynamic / (double)calls;
    trod_arena_rewind(mem, mark);
}
