#include "flow/flow.h"

#include <inttypes.h>
#include <string.h>

static bool is_wanted(
    const struct trod_flow *flow, const struct trod_flow_choice *choice)
{
    return flow->entry &&
           (!choice || !choice->wants || choice->wants(flow->entry->name, choice->ctx));
}

void trod_flow_put_unfinished(struct trod_sink *sink, const struct trod_flow *flow)
{
    trod_put(sink, "%" PRIu64 " activation%s of ", flow->unfinished,
        flow->unfinished == 1 ? "" : "s");
    trod_put_name(sink, flow->entry->display_name);
    trod_put(sink, " did not finish (exit, longjmp, exception, kill)");
}

/* --- functions ----------------------------------------------------------------------------------------------- */

static void put_count(struct trod_sink *sink, uint64_t count, bool unknown)
{
    if (unknown)
        trod_put(sink, " ?");
    else
        trod_put(sink, " %" PRIu64, count);
}

static void put_block(struct trod_sink *sink, const struct trod_flow *flow, trod_node v)
{
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    char name[16];

    trod_put_name(sink, trod_graph_node_name(g, v, name));
    trod_put(sink, ":");
    put_count(sink, flow->count_of_node[v], trod_flow_node_unknown(flow, v));
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        trod_put(sink, e == g->first_out[v] ? " -> " : ", ");
        trod_put_name(sink, trod_graph_node_name(g, g->dst_of_edge[e], name));
        put_count(sink, flow->count_of_edge[e], trod_flow_edge_unknown(flow, e));
    }
    trod_put(sink, "\n");
}

static void put_function(struct trod_sink *sink, const struct trod_flow *flow)
{
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    uint32_t line = trod_flow_line(flow->entry, g->entry);

    trod_put(sink, "function ");
    trod_put_name(sink, flow->entry->name);
    trod_put(sink, " ");
    trod_put_name(sink, trod_flow_file(flow->entry));
    if (line)
        trod_put(sink, " %u", line);
    trod_put(sink, "\nentered %" PRIu64 "\n", flow->entered);
    if (flow->entry->begun)
        trod_put(
            sink, "begun %" PRIu64 " ended %" PRIu64 "\n", flow->begun, flow->ended);
    if (flow->unfinished)
        trod_put(sink, "unfinished %" PRIu64 "\n", flow->unfinished);
    if (flow->partial)
        trod_put(sink, "partial\n");
    for (trod_node v = 0; flow->count_of_node && v < g->nnode; v++)
        put_block(sink, flow, v);
}

/* --- files ----------------------------------------------------------------------------------------------------- */

/* Outcomes with the same label, such as the values of a range, are printed as one. */
void trod_flow_put_ways(struct trod_sink *sink, const struct trod_flow_decision *d)
{
    for (uint32_t k = 0, next; k < d->nway; k = next) {
        const char *label = d->way[k].label;
        uint64_t count = d->way[k].count;
        bool unknown = d->way[k].unknown;

        for (next = k + 1;
            label && next < d->nway && strcmp(label, d->way[next].label) == 0; next++) {
            count = trod_sat_add(count, d->way[next].count);
            unknown |= d->way[next].unknown;
        }
        trod_put(sink, k ? ", " : "");
        if (label)
            trod_put_shown(sink, label);
        else
            trod_put(sink, "way%u", k + 1);
        put_count(sink, count, unknown && !count);
    }
    if (d->partly)
        trod_put(sink, ", partly");
}

static void put_decision(struct trod_sink *sink, const struct trod_flow_decision *d)
{
    trod_put(sink, " (");
    trod_flow_put_ways(sink, d);
    trod_put(sink, ")");
}

static bool is_chosen(
    const struct trod_flow_source *source, const struct trod_flow_choice *choice)
{
    for (uint32_t i = 0; i < source->nfunction; i++)
        if (is_wanted(source->function[i].flow, choice))
            return true;
    return !source->nfunction &&
           (!choice || !choice->wants); /* text that others include */
}

static void put_source(struct trod_sink *sink, const struct trod_flow_source *source)
{
    uint32_t d = 0;

    trod_put(sink, "file ");
    trod_put_name(sink, source->name);
    trod_put(sink, "\n");
    for (uint32_t i = 0; i < source->nrow; i++) {
        trod_put(sink, "%u:", source->row[i].line);
        put_count(sink, source->row[i].count, source->row[i].unknown);
        for (; d < source->ndecision && source->decision[d].line <= source->row[i].line;
            d++)
            if (source->decision[d].line)
                put_decision(sink, &source->decision[d]);
        trod_put(sink, "\n");
    }
}

void trod_flow_print(struct trod_sink *sink, const struct trod_flows *flows,
    const struct trod_flow_source *source, size_t nsource,
    const struct trod_flow_choice *choice)
{
    if (!flows->exact)
        trod_put(sink, "# estimates\n");
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        if (is_wanted(&flows->of_entry[i], choice))
            put_function(sink, &flows->of_entry[i]);
    for (size_t i = 0; i < nsource; i++)
        if (is_chosen(&source[i], choice))
            put_source(sink, &source[i]);
}

/* --- JSON -------------------------------------------------------------------------------------------------------- */

/* null: unknown whether it ran */
void trod_flow_json_count(
    struct trod_json *json, const char *key, uint64_t count, bool unknown)
{
    if (unknown)
        trod_json_null(json, key);
    else
        trod_json_uint(json, key, count);
}

static void json_blocks(struct trod_json *json, const struct trod_flow *flow)
{
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    char name[16];

    trod_json_open(json, "blocks", '[');
    for (trod_node v = 0; flow->count_of_node && v < g->nnode; v++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "block", trod_graph_node_name(g, v, name));
        trod_flow_json_count(
            json, "count", flow->count_of_node[v], trod_flow_node_unknown(flow, v));
        trod_json_open(json, "edges", '[');
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            trod_json_open(json, NULL, '{');
            trod_json_text(
                json, "to", trod_graph_node_name(g, g->dst_of_edge[e], name));
            trod_flow_json_count(
                json, "count", flow->count_of_edge[e], trod_flow_edge_unknown(flow, e));
            trod_json_close(json, '}');
        }
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_function(struct trod_json *json, const struct trod_flow *flow)
{
    const struct trod_map_entry *entry = flow->entry;
    uint32_t line = trod_flow_line(entry, entry->numbering.dag->graph->entry);

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "function", entry->name);
    trod_json_text(json, "file", trod_flow_file(entry));
    if (line)
        trod_json_uint(json, "line", line);
    trod_json_uint(json, "entered", flow->entered);
    if (entry->begun) {
        trod_json_uint(json, "begun", flow->begun);
        trod_json_uint(json, "ended", flow->ended);
    }
    trod_json_uint(json, "unfinished", flow->unfinished);
    trod_json_bool(json, "partial", flow->partial);
    json_blocks(json, flow);
    trod_json_close(json, '}');
}

static void json_decision(struct trod_json *json, const struct trod_flow_decision *d)
{
    const struct trod_flow *flow = d->flow;
    char name[16];

    trod_json_open(json, NULL, '{');
    if (d->line)
        trod_json_uint(json, "line", d->line);
    if (d->column)
        trod_json_uint(json, "column", d->column);
    trod_json_text(json, "function", flow->entry->name);
    trod_json_text(json, "block",
        trod_graph_node_name(flow->entry->numbering.dag->graph, d->node, name));
    trod_json_open(json, "ways", '[');
    for (uint32_t k = 0; k < d->nway; k++)
        trod_flow_json_count(json, NULL, d->way[k].count, d->way[k].unknown);
    trod_json_close(json, ']');
    if (d->ncondition)
        trod_json_uint(json, "conditions", d->ncondition);
    if (d->partly)
        trod_json_bool(json, "partly", true);
    if (d->way[0].label) {
        trod_json_open(json, "labels", '[');
        for (uint32_t k = 0; k < d->nway; k++)
            trod_json_text(json, NULL, d->way[k].label);
        trod_json_close(json, ']');
    }
    trod_json_close(json, '}');
}

static void json_source(struct trod_json *json, const struct trod_flow_source *source)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "file", source->name);
    if (source->directory)
        trod_json_text(json, "directory", source->directory);
    trod_json_text(json, "path", source->path);
    trod_json_open(json, "lines", '[');
    for (uint32_t i = 0; i < source->nrow; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "line", source->row[i].line);
        trod_flow_json_count(
            json, "count", source->row[i].count, source->row[i].unknown);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "decisions", '[');
    for (uint32_t i = 0; i < source->ndecision; i++)
        json_decision(json, &source->decision[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

void trod_flow_json(struct trod_json *json, const struct trod_flows *flows,
    const struct trod_flow_source *source, size_t nsource,
    const struct trod_flow_choice *choice)
{
    trod_json_bool(json, "exact", flows->exact);
    trod_json_open(json, "functions", '[');
    for (uint32_t i = 0; i < flows->map->nentry; i++)
        if (is_wanted(&flows->of_entry[i], choice))
            json_function(json, &flows->of_entry[i]);
    trod_json_close(json, ']');
    trod_json_open(json, "files", '[');
    for (size_t i = 0; i < nsource; i++)
        if (is_chosen(&source[i], choice))
            json_source(json, &source[i]);
    trod_json_close(json, ']');
}
