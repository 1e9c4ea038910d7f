#include "page/page.h"

/* One digit in base 36; larger numbers in parentheses. */
static void put_digit(struct trod_sink *sink, uint32_t way)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

    if (way < 36)
        sink->put(sink, &digits[way], 1);
    else
        trod_put(sink, "(%u)", way);
}

/* Outcomes are numbered by edges of the graph, not of the DAG, so that cut edges have the same numbers. */
static void put_steps(struct trod_sink *sink, const struct trod_dag *dag,
    const trod_edge *step, uint32_t nstep)
{
    const struct trod_graph *g = dag->graph;

    for (uint32_t i = 0; i < nstep; i++) {
        trod_edge origin = dag->origin_of_edge[step[i]];
        trod_node v;

        if (origin == TROD_NONE)
            continue;
        v = g->src_of_edge[origin];
        if (g->first_out[v + 1] - g->first_out[v] > 1)
            put_digit(sink, origin - g->first_out[v]);
    }
}

int64_t trod_page_start(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_path id)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, &entry->chain, id);

    if (!n)
        return -1;
    trod_number_decode(map->step, &entry->numbering, path[0]);
    return dag->kind_of_edge[map->step[0]] == TROD_DAG_ENTER
               ? -1
               : (int64_t)dag->shape.dst_of_edge[map->step[0]];
}

/* The block that the path's last edge leads to; TROD_NONE if it leaves the function. */
static trod_node leads_to(const struct trod_dag *dag, trod_edge last)
{
    return dag->kind_of_edge[last] == TROD_DAG_END
               ? dag->graph->dst_of_edge[dag->origin_of_edge[last]]
               : TROD_NONE;
}

void trod_page_put_way(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, &entry->chain, id);
    trod_node to = TROD_NONE;

    for (unsigned i = 0; i < n; i++) {
        uint32_t nstep = trod_number_decode(map->step, &entry->numbering, path[i]);
        trod_node start = dag->shape.dst_of_edge[map->step[0]];

        if (i)
            trod_put(sink, "|");
        if (i && start != to)
            trod_put(sink, "%u:", start);
        put_steps(sink, dag, map->step, nstep);
        to = leads_to(dag, map->step[nstep - 1]);
    }
}
