#include "export/export.h"

#include <inttypes.h>
#include <stdio.h>

/* All data, for scripts. The format is defined in doc/schema/export.schema.json. */

struct writer {
    struct trod_json json;
    const struct trod_exported *in;
    struct trod_export_stacks stacks;
    const uint32_t *module_of_entry;
    uint32_t *number_of_entry; /* index in "functions"; TROD_NONE: omitted */
    struct trod_string text;   /* reused for each text */
};

/* --- functions ---------------------------------------------------------------------------------------------- */

/* The chosen functions with counts, and the functions that their paths enter. */
static void number_entries(struct writer *p, struct trod_arena *mem)
{
    const struct trod_map *map = p->in->map;
    bool *has = trod_new(mem, bool, map->nentry);
    uint32_t n = 0;

    for (uint32_t i = 0; i < map->nentry; i++)
        if (p->in->flows->of_entry[i].entry && trod_export_wants(p->in, &map->entry[i]))
            has[i] = true;
    for (uint32_t i = 0; i < map->nentry; i++)
        for (uint32_t f = 0; has[i] && f < map->entry[i].nframe; f++)
            has[map->entry[i].frame[f].of_entry] = true;
    for (uint32_t f = 0; p->in->subpaths && f < p->in->subpaths->blocks->nfunction; f++)
        if (p->stacks.names.entry_of_function[f])
            has[p->stacks.names.entry_of_function[f] - map->entry] = true;
    p->number_of_entry = trod_new(mem, uint32_t, map->nentry);
    for (uint32_t i = 0; i < map->nentry; i++)
        p->number_of_entry[i] = has[i] && map->entry[i].numbering.dag ? n++ : TROD_NONE;
}

static void put_hash(struct trod_json *json, const char *key, uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%016" PRIx64, hash);
    trod_json_text(json, key, text);
}

static void put_block(struct writer *p, const struct trod_map_entry *entry,
    const struct trod_flow *flow, trod_node v)
{
    struct trod_json *json = &p->json;
    char number[16];

    trod_json_open(json, NULL, '{');
    trod_json_text(
        json, "name", trod_graph_node_name(entry->numbering.dag->graph, v, number));
    trod_flow_json_count(json, "count",
        flow->count_of_node ? flow->count_of_node[v] : 0,
        trod_flow_node_unknown(flow, v));
    if (entry->first_line) {
        trod_json_open(json, "lines", '[');
        for (uint32_t i = entry->first_line[v]; i < entry->first_line[v + 1]; i++)
            if (entry->line[i])
                trod_json_uint(json, NULL, entry->line[i]);
        trod_json_close(json, ']');
    }
    if (entry->first_callee) {
        trod_json_open(json, "calls", '[');
        for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++)
            trod_json_text(json, NULL, entry->callee[i] ? entry->callee[i] : "*");
        trod_json_close(json, ']');
    }
    trod_json_close(json, '}');
}

static void put_graph(
    struct writer *p, const struct trod_map_entry *entry, const struct trod_flow *flow)
{
    const struct trod_dag *dag = entry->numbering.dag;
    const struct trod_graph *g = dag->graph;
    struct trod_json *json = &p->json;

    trod_json_uint(json, "entry", g->entry);
    trod_json_open(json, "blocks", '[');
    for (trod_node v = 0; v < g->nnode; v++)
        put_block(p, entry, flow, v);
    trod_json_close(json, ']');
    trod_json_open(json, "edges", '[');
    for (trod_edge e = 0; e < g->nedge; e++) {
        trod_edge d = dag->dag_of_edge[e];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "source", g->src_of_edge[e]);
        trod_json_uint(json, "target", g->dst_of_edge[e]);
        trod_json_bool(
            json, "cut", d != TROD_NONE && dag->kind_of_edge[d] == TROD_DAG_END);
        trod_json_bool(json, "closes", trod_has(dag->closing, e));
        trod_flow_json_count(json, "count",
            flow->count_of_edge ? flow->count_of_edge[e] : 0,
            trod_flow_edge_unknown(flow, e));
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void put_frames(struct writer *p, const struct trod_map_entry *entry)
{
    trod_json_open(&p->json, "frames", '[');
    for (uint32_t f = 0; f < entry->nframe; f++) {
        const struct trod_map_frame *frame = &entry->frame[f];

        trod_json_open(&p->json, NULL, '{');
        trod_json_uint(&p->json, "function", p->number_of_entry[frame->of_entry]);
        trod_json_uint(&p->json, "first", frame->first);
        if (frame->parent != TROD_NONE) {
            trod_json_uint(&p->json, "parent", frame->parent);
            trod_json_uint(&p->json, "at", frame->node);
        }
        trod_json_close(&p->json, '}');
    }
    trod_json_close(&p->json, ']');
}

static void put_function(struct writer *p, uint32_t i)
{
    const struct trod_map_entry *entry = &p->in->map->entry[i];
    const struct trod_flow *flow = &p->in->flows->of_entry[i];
    uint32_t line = trod_flow_line(entry, entry->numbering.dag->graph->entry);
    struct trod_json *json = &p->json;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "function", entry->name);
    trod_json_text(json, "name", entry->display_name);
    trod_json_text(json, "unit", entry->unit);
    if (entry->file)
        trod_json_text(json, "file", entry->file);
    if (line)
        trod_json_uint(json, "line", line);
    if (p->module_of_entry[i] != TROD_NONE)
        trod_json_uint(json, "module", p->module_of_entry[i]);
    trod_json_open(json, "hash", '{');
    put_hash(json, "name", entry->name_hash);
    put_hash(json, "graph", entry->graph_hash);
    put_hash(json, "cuts", entry->cuts_hash);
    trod_json_close(json, '}');
    trod_json_uint(json, "npath", entry->numbering.npath);
    trod_json_uint(json, "iterations", entry->chain.iterations);
    trod_json_bool(json, "counted", flow->entry);
    trod_json_bool(json, "partial", flow->partial);
    trod_json_uint(json, "entered", flow->entered);
    if (entry->begun) {
        trod_json_uint(json, "begun", flow->begun);
        trod_json_uint(json, "ended", flow->ended);
    }
    trod_json_uint(json, "unfinished", flow->unfinished);
    put_graph(p, entry, flow);
    if (entry->nframe)
        put_frames(p, entry);
    trod_json_close(json, '}');
}

/* --- paths -------------------------------------------------------------------------------------------------- */

static void put_stack(struct writer *p, const struct trod_export_stack *stack,
    const char *key, bool blocks)
{
    p->text.length = 0;
    p->text.text[0] = '\0';
    trod_export_put_stack(&p->text.sink, &p->stacks, stack, blocks);
    trod_json_text(&p->json, key, p->text.text);
}

/* One path of a chain: its blocks and edges, the last of which may be a cut. */
static void put_path_steps(
    struct writer *p, const struct trod_map_entry *entry, trod_path id)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_edge *step = p->in->map->step;
    uint32_t n = trod_number_decode(step, &entry->numbering, id);

    trod_json_open(&p->json, NULL, '{');
    trod_json_uint(&p->json, "id", id);
    trod_json_open(&p->json, "blocks", '[');
    for (uint32_t i = 0; i + 1 < n; i++)
        trod_json_uint(&p->json, NULL, dag->shape.dst_of_edge[step[i]]);
    trod_json_close(&p->json, ']');
    trod_json_open(&p->json, "edges", '[');
    for (uint32_t i = 0; i < n; i++)
        if (dag->origin_of_edge[step[i]] != TROD_NONE)
            trod_json_uint(&p->json, NULL, dag->origin_of_edge[step[i]]);
    trod_json_close(&p->json, ']');
    trod_json_close(&p->json, '}');
}

static void put_path(struct writer *p, const struct trod_export_stack *stack)
{
    const struct trod_map_entry *entry = stack->entry;
    uint32_t number = entry ? p->number_of_entry[entry - p->in->map->entry] : TROD_NONE;
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n;

    trod_json_open(&p->json, NULL, '{');
    trod_json_text(&p->json, "name", stack->name);
    if (number != TROD_NONE)
        trod_json_uint(&p->json, "function", number);
    trod_json_uint(&p->json, "module", stack->module);
    trod_json_uint(&p->json, "id", stack->id);
    trod_json_text(&p->json, "kind", trod_export_kind_name(stack->kind));
    trod_json_text(
        &p->json, "counted", trod_profile_counted_name(stack->function->counted));
    trod_json_uint(&p->json, "count", stack->count);
    trod_json_uint(&p->json, "weight", stack->weight);
    if (stack->time) {
        trod_json_open(&p->json, "time", '{');
        trod_time_json(&p->json, p->in->times, stack->time);
        trod_json_close(&p->json, '}');
    }
    if (entry && stack->kind != TROD_EXPORT_UNKNOWN) {
        put_stack(p, stack, "path", false);
        trod_path_ends_json(&p->json, p->in->map, entry, stack->id);
        put_stack(p, stack, "trail", true);
        n = trod_chain_decode(path, &entry->chain, stack->id);
        trod_json_open(&p->json, "chain", '[');
        for (unsigned i = 0; i < n; i++)
            put_path_steps(p, entry, path[i]);
        trod_json_close(&p->json, ']');
    }
    trod_json_close(&p->json, '}');
}

static void put_subpath(struct writer *p, const struct trod_export_stack *stack,
    struct trod_export_place *place)
{
    uint32_t n = trod_export_places(place, &p->stacks, stack);
    struct trod_json *json = &p->json;

    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "samples", stack->subpath->count);
    trod_json_real(json, "estimate", stack->subpath->estimate);
    put_stack(p, stack, "path", false);
    trod_json_open(json, "blocks", '[');
    for (uint32_t i = 0; i < n; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "name", place[i].name);
        if (place[i].entry) {
            trod_json_uint(json, "function",
                p->number_of_entry[place[i].entry - p->in->map->entry]);
            trod_json_uint(json, "block", place[i].node);
        }
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void put_paths(struct writer *p, struct trod_arena *mem)
{
    struct trod_export_place *place =
        trod_new(mem, struct trod_export_place, p->stacks.most_places);

    trod_json_open(&p->json, p->in->subpaths ? "subpaths" : "paths", '[');
    for (size_t i = 0; i < p->stacks.nstack; i++)
        if (p->in->subpaths)
            put_subpath(p, &p->stacks.stack[i], place);
        else
            put_path(p, &p->stacks.stack[i]);
    trod_json_close(&p->json, ']');
}

/* --- the rest ------------------------------------------------------------------------------------------------ */

static void put_runs(struct writer *p)
{
    const struct trod_profile *profile = p->in->profile;
    struct trod_json *json = &p->json;

    trod_json_open(json, "runs", '[');
    for (uint32_t r = 0; r < profile->nrun; r++) {
        trod_json_open(json, NULL, '[');
        for (uint32_t i = 0; i < profile->run[r].nfield; i++) {
            trod_json_open(json, NULL, '{');
            trod_json_text(json, "key", profile->run[r].field[i].key);
            trod_json_text(json, "value", profile->run[r].field[i].value);
            trod_json_close(json, '}');
        }
        trod_json_close(json, ']');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "modules", '[');
    for (uint32_t m = 0; m < profile->nmodule; m++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "path", profile->module[m].path);
        trod_json_text(json, "build_id", profile->module[m].build_id);
        trod_json_text(json, "mode", trod_profile_mode_name(profile->module[m].mode));
        trod_json_uint(json, "functions", profile->module[m].nfunction);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

/* Lines of files. Counts are sums over all functions. */
static void put_sources(struct writer *p)
{
    struct trod_json *json = &p->json;

    trod_json_open(json, "sources", '[');
    for (size_t i = 0; i < p->in->nsource; i++) {
        const struct trod_flow_source *source = &p->in->source[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "name", source->name);
        if (source->directory)
            trod_json_text(json, "directory", source->directory);
        trod_json_open(json, "lines", '[');
        for (uint32_t k = 0; k < source->nrow; k++) {
            trod_json_open(json, NULL, '{');
            trod_json_uint(json, "line", source->row[k].line);
            trod_flow_json_count(
                json, "count", source->row[k].count, source->row[k].unknown);
            trod_json_close(json, '}');
        }
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void put_all(struct writer *p, struct trod_arena *mem)
{
    const struct trod_exported *in = p->in;
    struct trod_json *json = &p->json;
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, in, mem);

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "trod", "export");
    trod_json_uint(json, "version", 1);
    trod_json_text(json, "creator", in->version);
    trod_json_bool(
        json, "exact", in->subpaths ? in->subpaths->exact : in->flows->exact);
    trod_json_bool(json, "whole",
        !in->subpaths && trod_profile_is_whole(in->profile) && !in->profile->nnote);
    trod_json_uint(json, "total", p->stacks.count);
    trod_json_uint(json, "weight", p->stacks.weight);
    put_runs(p);
    if (!in->subpaths)
        put_sources(p);
    trod_json_open(json, "functions", '[');
    for (uint32_t i = 0; i < in->map->nentry; i++)
        if (p->number_of_entry[i] != TROD_NONE)
            put_function(p, i);
    trod_json_close(json, ']');
    put_paths(p, mem);
    trod_json_open(json, "remarks", '[');
    for (size_t i = 0; i < n; i++)
        trod_json_text(json, NULL, remark[i]);
    trod_json_close(json, ']');
    trod_report_remarks_json(json, in->profile, in->map, NULL, mem);
    trod_json_close(json, '}');
}

bool trod_export_json(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct writer p = {.in = in};

    (void)err;
    trod_json_init(&p.json, sink);
    trod_string_init(&p.text, mem);
    trod_export_stacks(&p.stacks, in, mem);
    p.module_of_entry = trod_export_modules(in, mem);
    number_entries(&p, mem);
    put_all(&p, mem);
    return true;
}
