#include "pathset/pathset.h"

enum { CALLS = 1000 }; /* calls of each function, if counts are unknown */

/* Exact execution counts of edges as weights; no estimates. */
static void weigh(struct trod_dag *field, const struct trod_numbering *ballarus,
    const struct trod_ran_function *ran, struct trod_arena *mem)
{
    uint64_t *weight = trod_new(mem, uint64_t, field->shape.nedge);
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *step = trod_new(mem, trod_edge, field->nreach);

    for (size_t i = 0; i < ran->npath; i++) {
        uint32_t n = trod_number_decode(step, ballarus, ran->path[i].id);

        for (uint32_t k = 0; k < n; k++)
            weight[step[k]] = trod_sat_add(weight[step[k]], ran->path[i].count);
    }
    trod_arena_rewind(mem, mark);
    field->weight_of_edge = weight;
}

void trod_pricer_init(struct trod_pricer *out, const struct trod_numbering *ballarus,
    const struct trod_ran_function *ran, struct trod_arena *mem)
{
    const struct trod_graph *graph = ballarus->dag->graph;
    struct trod_order order;

    *out = (struct trod_pricer){
        .ballarus = *ballarus, .field = *ballarus->dag, .measured = ran};
    trod_graph_order(&order, graph, mem);
    trod_graph_loops(&out->loops, graph, &order, mem);
    if (ran)
        weigh(&out->field, ballarus, ran, mem);
}

/* The plan is built with the weights known at compile time, but priced with those of production. */
static void price_in_field(struct trod_price *out, const struct trod_pricer *pricer,
    const struct trod_plan *plan, struct trod_arena *mem)
{
    struct trod_numbering numbering = *plan->numbering;
    struct trod_plan there = *plan;
    struct trod_cost cost;

    numbering.dag = &pricer->field;
    there.numbering = &numbering;
    trod_probe_cost(&cost, &there, &trod_prices_default, mem);
    out->nop = cost.nop;
    out->dynamic = pricer->measured ? cost.dynamic : CALLS * cost.per_call;
}

bool trod_price_paths(struct trod_price *out, const struct trod_pricer *pricer,
    const struct trod_pathset *paths, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_choose_options options = {.want = TROD_WANT_CHOSEN};
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_choice *choice = trod_new(mem, struct trod_choice, 1);

    *out = (struct trod_price){0};
    if (!trod_probe_choose(
            choice, &pricer->ballarus, paths, &pricer->loops, &options, mem, err))
        return false;
    if (!choice->needless) {
        price_in_field(out, pricer, &choice->plan, mem);
        out->bytes = choice->candidate[choice->kind].bytes;
    }
    trod_arena_rewind(mem, mark);
    return true;
}

void trod_price_all(struct trod_price *out, const struct trod_pricer *pricer,
    bool begun, struct trod_arena *mem)
{
    struct trod_probe_options options = {.no_begin = !begun};
    struct trod_ending ending = {.want = TROD_WANT_ALL,
        .npath = pricer->ballarus.npath,
        .nslot = pricer->ballarus.npath};
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_plan plan;

    trod_probe_plan(&plan, &pricer->ballarus, &pricer->loops, &options, mem);
    price_in_field(out, pricer, &plan, mem);
    out->bytes = trod_ending_bytes(&ending);
    trod_arena_rewind(mem, mark);
}
