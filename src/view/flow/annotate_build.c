#include "flow/annotate.h"

#include <stdlib.h>

bool trod_annotated_is_on(const struct trod_annotated_path *path, uint32_t line)
{
    return path->first && line >= path->first && line <= path->last &&
           trod_has(path->on, line - path->first);
}

/* --- paths ------------------------------------------------------------------------------------------------------- */

static int by_count(const void *x, const void *y)
{
    const struct trod_profile_path *a = x, *b = y;

    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

/* The paths to list, most frequent first. A path that the user asked for is included even if it did not run. */
static size_t choose_paths(struct trod_profile_path **out, const struct trod_flow *flow,
    const struct trod_annotate_options *options, struct trod_arena *mem)
{
    size_t most = options->most ? options->most : TROD_ANNOTATE_PATHS, n = 0;
    struct trod_profile_path *path =
        trod_new(mem, struct trod_profile_path, flow->npath + 1);

    *out = path;
    if (options->one)
        path[n++] = (struct trod_profile_path){options->path, 0};
    for (size_t i = 0; i < flow->npath; i++) {
        if (!options->one)
            path[n++] = flow->path[i];
        else if (flow->path[i].id == options->path)
            path[0].count = flow->path[i].count;
    }
    if (n)
        qsort(path, n, sizeof *path, by_count);
    return n < most ? n : most;
}

struct trod_map_entry trod_annotated_entry(
    const struct trod_annotated_function *function)
{
    const struct trod_map_entry *entry = function->flow->entry;

    return function->text ? trod_flow_included_entry(entry, function->text) : *entry;
}

/* Only lines for which the block counts, see trod_flow_places(). */
static void find_lines(struct trod_annotated_path *out,
    const struct trod_annotated_function *function,
    const struct trod_flow_places *places, const trod_edge *step, uint32_t n,
    struct trod_arena *mem)
{
    const struct trod_dag *dag = function->flow->entry->numbering.dag;
    struct trod_map_entry entry = trod_annotated_entry(function);
    uint64_t *on;

    if (!function->first)
        return;
    out->first = function->first;
    out->last = function->last;
    on = trod_new(mem, uint64_t, TROD_WORDS(out->last - out->first + 1));
    for (uint32_t i = 0; i + 1 < n; i++) {
        trod_node v = dag->shape.dst_of_edge[step[i]];

        for (uint32_t k = entry.first_line[v]; k < entry.first_line[v + 1]; k++)
            if (entry.line[k] && trod_flow_has_line(places, entry.line[k], v))
                trod_add(on, entry.line[k] - out->first);
    }
    out->on = on;
}

static void add_paths(struct trod_annotated_function *out, const struct trod_map *map,
    const struct trod_annotate_options *options, char *mark, struct trod_arena *mem)
{
    struct trod_map_entry entry = trod_annotated_entry(out);
    struct trod_annotated_path *path;
    struct trod_profile_path *chosen;
    struct trod_flow_places places = {0};
    struct trod_order order;

    out->npath = choose_paths(&chosen, out->flow, options, mem);
    path = trod_new(mem, struct trod_annotated_path, out->npath);
    trod_graph_order(&order, entry.numbering.dag->graph, mem);
    if (entry.first_line)
        trod_flow_places(&places, &entry, &order, mem);
    for (size_t i = 0; i < out->npath; i++) {
        uint32_t n = trod_number_decode(map->step, &entry.numbering, chosen[i].id);

        path[i] = (struct trod_annotated_path){
            chosen[i].id, chosen[i].count, *mark <= 'z' ? *mark : '\0', 0, 0, NULL};
        *mark += *mark <= 'z';
        find_lines(&path[i], out, &places, map->step, n, mem);
    }
    out->path = path;
}

/* --- functions --------------------------------------------------------------------------------------------------- */

static void find_range(struct trod_annotated_function *out)
{
    struct trod_map_entry entry = trod_annotated_entry(out);
    uint32_t n = entry.numbering.dag->graph->nnode;

    for (uint32_t i = 0; entry.first_line && i < entry.first_line[n]; i++) {
        uint32_t line = entry.line[i];

        if (line && (!out->first || line < out->first))
            out->first = line;
        if (line > out->last)
            out->last = line;
    }
}

static int by_first(const void *x, const void *y)
{
    const struct trod_annotated_function *a = x, *b = y;

    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->last > b->last) - (a->last < b->last);
}

static bool is_wanted(
    const struct trod_flow *flow, const struct trod_annotate_options *options)
{
    return flow->entry->shown == TROD_SHOWN &&
           (options->all || options->one || trod_flow_ran(flow)) &&
           (!options->wants || options->wants(flow->entry->name, options->ctx));
}

static void add_function(struct trod_annotated_file *file,
    struct trod_annotated_function *to, const struct trod_flow *flow,
    const struct trod_map_included *text)
{
    *to = (struct trod_annotated_function){.flow = flow, .text = text};
    find_range(to);
    for (size_t k = 0; k < flow->npath; k++)
        to->count = trod_sat_add(to->count, flow->path[k].count);
    file->nfunction++;
}

void trod_annotate_build(struct trod_annotated_file *out,
    const struct trod_flow_source *source, const struct trod_map *map,
    const struct trod_annotate_options *options, struct trod_arena *mem)
{
    struct trod_annotated_function *function = trod_new(
        mem, struct trod_annotated_function, source->nfunction + source->nincluder);
    uint32_t end = 0;
    char mark = 'a';

    out->source = source;
    out->nfunction = 0;
    for (uint32_t i = 0; i < source->nfunction; i++)
        if (is_wanted(source->function[i].flow, options))
            add_function(
                out, &function[out->nfunction], source->function[i].flow, NULL);
    for (uint32_t i = 0; i < source->nincluder; i++)
        if (is_wanted(source->includer[i].flow, options))
            add_function(out, &function[out->nfunction], source->includer[i].flow,
                source->includer[i].text);
    if (out->nfunction)
        qsort(function, out->nfunction, sizeof *function, by_first);
    /* Letters restart at 'a' after each group of overlapping functions. */
    for (uint32_t i = 0; i < out->nfunction; i++) {
        if (function[i].first > end)
            mark = 'a';
        end = function[i].last > end ? function[i].last : end;
        add_paths(&function[i], map, options, &mark, mem);
    }
    out->function = function;
}
