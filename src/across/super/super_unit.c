#include "super/super.h"

/* The frame's nodes and edges, and for each node one more edge: a return or a guarded call. */
uint64_t trod_super_size(const struct trod_super_unit *unit, uint32_t function)
{
    const struct trod_graph *graph = trod_super_graph_of(unit, function);

    return 2 * (uint64_t)graph->nnode + graph->nedge;
}

bool trod_super_returns(
    const struct trod_super_unit *unit, uint32_t function, trod_node node)
{
    const struct trod_super_function *f = &unit->function[function];
    const struct trod_graph *graph = f->ballarus->dag->graph;

    if (graph->first_out[node] < graph->first_out[node + 1])
        return false;
    return f->returns ? f->returns[node] : !trod_calls_find(&f->calls, node, true);
}

/* Nodes that the entry does not reach have no edges in the DAG. */
static bool ever_returns(const struct trod_super_unit *unit, uint32_t function)
{
    const struct trod_dag *dag = unit->function[function].ballarus->dag;

    for (trod_node v = 0; v < dag->graph->nnode; v++)
        if (dag->shape.first_out[v] < dag->shape.first_out[v + 1] &&
            trod_super_returns(unit, function, v))
            return true;
    return false;
}

bool trod_super_unit_build(struct trod_super_unit *out,
    const struct trod_super_function *function, uint32_t nfunction,
    struct trod_arena *mem, struct trod_err *err)
{
    const char **why_not = trod_new(mem, const char *, nfunction);

    *out = (struct trod_super_unit){
        .nfunction = nfunction, .function = function, .why_not = why_not};
    trod_names_init(&out->names, mem);
    for (uint32_t i = 0; i < nfunction; i++) {
        const struct trod_super_function *f = &function[i];

        assert(f->ballarus->kind == TROD_BALLARUS);
        if (trod_names_add(&out->names, f->name) != i)
            return trod_fail(
                err, TROD_E_INPUT, "two functions are named '%s'; remove one", f->name);
        if (!trod_calls_check(&f->calls, f->ballarus->dag->graph, err)) {
            err->code = TROD_E_INPUT;
            return false;
        }
        why_not[i] = f->why_not;
        if (!why_not[i] && !ever_returns(out, i))
            why_not[i] = "it never returns";
    }
    return true;
}
