#include "probe/probe.h"

#include <inttypes.h>

/* The absolute value. That of INT64_MIN does not fit in int64_t. */
static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

static void print_indexed(struct trod_sink *sink, int64_t value)
{
    trod_put(sink, "[r");
    if (value)
        trod_put(sink, "%c%" PRIu64, value < 0 ? '-' : '+', magnitude(value));
    trod_put(sink, "]");
}

static const char *mark_of(enum trod_action action)
{
    static const char *const mark[] = {
        [TROD_ACTION_COUNT] = "++",
        [TROD_ACTION_ASK] = "?",
        [TROD_ACTION_STRAY] = ">",
        [TROD_ACTION_REPORT] = "!",
        [TROD_ACTION_PASS] = "~",
    };

    return mark[action];
}

static void print_op(struct trod_sink *sink, const struct trod_op *op)
{
    switch (op->kind) {
    case TROD_OP_SET:
        trod_put(sink, "r=%" PRId64, op->value);
        break;
    case TROD_OP_ADD:
        trod_put(sink, "r%c=%" PRIu64, op->value < 0 ? '-' : '+', magnitude(op->value));
        break;
    case TROD_OP_COUNT:
        print_indexed(sink, op->value);
        trod_put(sink, "%s", mark_of(op->action));
        break;
    case TROD_OP_COUNT_AT:
        trod_put(sink, "[%" PRId64 "]%s", op->value, mark_of(op->action));
        break;
    case TROD_OP_BEGIN:
        trod_put(sink, "begun++");
        break;
    case TROD_OP_BUMP:
        trod_put(sink, "t%" PRIu32 "++", op->loop);
        break;
    case TROD_OP_FLUSH:
        trod_put(sink, "flush t%" PRIu32 " ", op->loop);
        print_indexed(sink, op->value);
        trod_put(sink, " r=%" PRId64, op->again);
        break;
    case TROD_OP_NONE:
        break;
    }
}

void trod_probe_print_ops(
    struct trod_sink *sink, const struct trod_plan *plan, uint32_t site)
{
    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++) {
        if (i > plan->first_op[site])
            trod_put(sink, " ");
        print_op(sink, &plan->op[i]);
    }
}

static bool has_ops(const struct trod_plan *plan, uint32_t site)
{
    return plan->first_op[site] < plan->first_op[site + 1];
}

static void print_site(
    struct trod_sink *sink, const struct trod_plan *plan, uint32_t site)
{
    if (!has_ops(plan, site))
        return;
    trod_put(sink, " {");
    trod_probe_print_ops(sink, plan, site);
    trod_put(sink, "}");
}

static void print_name(
    struct trod_sink *sink, const struct trod_graph *graph, trod_node v)
{
    char buffer[16];

    trod_put_name(sink, trod_graph_node_name(graph, v, buffer));
}

/* As in the DAG; for unreachable edges, as in the graph. */
static bool is_cut(const struct trod_dag *dag, trod_edge e)
{
    trod_edge d = dag->dag_of_edge[e];

    if (d == TROD_NONE)
        return dag->graph->cut_of_edge && dag->graph->cut_of_edge[e];
    return dag->kind_of_edge[d] == TROD_DAG_END;
}

static void print_node(
    struct trod_sink *sink, const struct trod_plan *plan, trod_node v)
{
    const struct trod_dag *dag = plan->numbering->dag;
    const struct trod_graph *graph = dag->graph;

    trod_graph_print_node(sink, graph, v);
    for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
        trod_put(sink, is_cut(dag, e) ? " >" : " ");
        print_name(sink, graph, graph->dst_of_edge[e]);
        if (graph->weight_of_edge)
            trod_put(sink, "*%" PRIu64, graph->weight_of_edge[e]);
        print_site(sink, plan, e);
    }
    if (has_ops(plan, trod_site_out(graph, v))) {
        trod_put(sink, " .");
        print_site(sink, plan, trod_site_out(graph, v));
    }
    trod_put(sink, "\n");
}

void trod_probe_print(struct trod_sink *sink, const struct trod_plan *plan)
{
    const struct trod_graph *graph = plan->numbering->dag->graph;

    trod_put(sink, "plan ");
    trod_put_name(sink, graph->name);
    trod_put(sink, " %s\n>: ", trod_probe_placement_name(plan->placement));
    print_name(sink, graph, graph->entry);
    print_site(sink, plan, trod_site_in(graph));
    trod_put(sink, "\n");
    print_node(sink, plan, graph->entry);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (v != graph->entry)
            print_node(sink, plan, v);
}

static void json_op(struct trod_json *json, const struct trod_op *op)
{
    static const char *const name[] = {
        [TROD_OP_NONE] = "none",
        [TROD_OP_SET] = "set",
        [TROD_OP_ADD] = "add",
        [TROD_OP_COUNT] = "count",
        [TROD_OP_COUNT_AT] = "count_at",
        [TROD_OP_BEGIN] = "begin",
        [TROD_OP_BUMP] = "bump",
        [TROD_OP_FLUSH] = "flush",
    };

    static const char *const action[] = {
        [TROD_ACTION_COUNT] = "count",
        [TROD_ACTION_ASK] = "ask",
        [TROD_ACTION_STRAY] = "stray",
        [TROD_ACTION_REPORT] = "report",
        [TROD_ACTION_PASS] = "pass",
    };

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "kind", name[op->kind]);
    if (op->action != TROD_ACTION_COUNT)
        trod_json_text(json, "action", action[op->action]);
    if (op->kind == TROD_OP_BUMP || op->kind == TROD_OP_FLUSH)
        trod_json_uint(json, "loop", op->loop);
    if (op->kind != TROD_OP_BUMP && op->kind != TROD_OP_BEGIN)
        trod_json_int(json, "value", op->value);
    if (op->kind == TROD_OP_FLUSH)
        trod_json_int(json, "again", op->again);
    trod_json_close(json, '}');
}

static void json_site(
    struct trod_json *json, const struct trod_plan *plan, uint32_t site)
{
    const struct trod_graph *graph = plan->numbering->dag->graph;

    trod_json_open(json, NULL, '{');
    if (site < graph->nedge) {
        trod_json_uint(json, "source", graph->src_of_edge[site]);
        trod_json_uint(json, "target", graph->dst_of_edge[site]);
        trod_json_uint(json, "edge", site);
    } else if (site == trod_site_in(graph)) {
        trod_json_uint(json, "enters", graph->entry);
    } else {
        trod_json_uint(json, "leaves", site - graph->nedge);
    }
    trod_json_open(json, "ops", '[');
    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
        json_op(json, &plan->op[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

void trod_probe_json(
    struct trod_json *json, const char *key, const struct trod_plan *plan)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "placement", trod_probe_placement_name(plan->placement));
    trod_json_open(json, "headers", '[');
    for (uint32_t loop = 0; loop < plan->nloop; loop++)
        trod_json_uint(json, NULL, plan->header_of_loop[loop]);
    trod_json_close(json, ']');
    trod_json_open(json, "sites", '[');
    for (uint32_t site = 0; site < plan->nsite; site++)
        if (has_ops(plan, site))
            json_site(json, plan, site);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
