#include "flow/annotate.h"

#include "base/order.h"

#include <stdlib.h>

bool trod_annotated_is_on(const struct trod_annotated_path *path, uint32_t line)
{
    return path->first && line >= path->first && line <= path->last &&
           trod_has(path->on, line - path->first);
}

uint64_t trod_annotated_weight(
    const struct trod_annotated_file *file, const struct trod_annotated_path *path)
{
    if (!file->times)
        return path->count;
    return path->time ? path->time->own : 0;
}

/* --- paths ------------------------------------------------------------------------------------------------------- */

static uint64_t own_time(const struct trod_annotated_path *path)
{
    return path->time ? path->time->own : 0;
}

/* Without times, all take none. */
TROD_ORDER(by_time_or_count, struct trod_annotated_path,
    trod_compare(own_time(b), own_time(a)), trod_compare(b->count, a->count),
    TROD_UP(id))

/* The paths to list, most frequent first. A path that the user asked for is included even if it did not run. */
static size_t choose_paths(struct trod_annotated_path **out,
    const struct trod_flow *flow, const struct trod_annotate_options *options,
    struct trod_arena *mem)
{
    size_t most = options->most ? options->most : TROD_ANNOTATE_PATHS, n = 0;
    struct trod_annotated_path *path =
        trod_new(mem, struct trod_annotated_path, flow->npath + 1);

    *out = path;
    if (options->one)
        path[n++] = (struct trod_annotated_path){.id = options->path};
    for (size_t i = 0; i < flow->npath; i++) {
        if (!options->one)
            path[n++] = (struct trod_annotated_path){
                .id = flow->path[i].id, .count = flow->path[i].count};
        else if (flow->path[i].id == options->path)
            path[0].count = flow->path[i].count;
    }
    for (size_t i = 0; options->times && i < n; i++)
        path[i].time = trod_annotated_time(options->times, flow->entry, path[i].id);
    trod_sort(path, n, by_time_or_count);
    return n < most ? n : most;
}

struct trod_map_entry trod_annotated_entry(
    const struct trod_annotated_function *function)
{
    const struct trod_map_entry *entry = function->flow->entry;

    return function->text ? trod_flow_included_entry(entry, function->text) : *entry;
}

void trod_annotated_lines_init(struct trod_annotated_lines *out,
    const struct trod_annotated_function *function, struct trod_arena *mem)
{
    struct trod_order order;

    *out = (struct trod_annotated_lines){.entry = trod_annotated_entry(function),
        .first = function->first,
        .last = function->last};
    trod_graph_order(&order, out->entry.numbering.dag->graph, mem);
    if (out->entry.first_line)
        trod_flow_places(&out->places, &out->entry, &order, mem);
}

/* Only lines for which the block counts, see trod_flow_places(). */
void trod_annotated_lines_of(struct trod_annotated_path *path,
    const struct trod_annotated_lines *lines, const struct trod_map *map,
    struct trod_arena *mem)
{
    const struct trod_map_entry *entry = &lines->entry;
    uint32_t n = trod_number_decode(map->step, &entry->numbering, path->id);
    uint64_t *on;

    if (!lines->first)
        return;
    path->first = lines->first;
    path->last = lines->last;
    on = trod_new(mem, uint64_t, TROD_WORDS(path->last - path->first + 1));
    for (uint32_t i = 0; i + 1 < n; i++) {
        trod_node v = entry->numbering.dag->shape.dst_of_edge[map->step[i]];

        for (uint32_t k = entry->first_line[v]; k < entry->first_line[v + 1]; k++)
            if (entry->line[k] && trod_flow_has_line(&lines->places, entry->line[k], v))
                trod_add(on, entry->line[k] - path->first);
    }
    path->on = on;
}

static void add_paths(struct trod_annotated_function *out, const struct trod_map *map,
    const struct trod_annotate_options *options, char *mark, struct trod_arena *mem)
{
    struct trod_annotated_lines lines;
    struct trod_annotated_path *path;

    out->npath = choose_paths(&path, out->flow, options, mem);
    trod_annotated_lines_init(&lines, out, mem);
    for (size_t i = 0; i < out->npath; i++) {
        path[i].mark = *mark <= 'z' ? *mark : '\0';
        *mark += *mark <= 'z';
        trod_annotated_lines_of(&path[i], &lines, map, mem);
    }
    out->path = path;
}

/* --- functions --------------------------------------------------------------------------------------------------- */

bool trod_annotated_has_code(
    const struct trod_annotated_function *function, uint32_t line)
{
    return line >= function->first && line <= function->last &&
           trod_has(function->code, line - function->first);
}

void trod_annotated_find_range(
    struct trod_annotated_function *out, struct trod_arena *mem)
{
    struct trod_map_entry entry = trod_annotated_entry(out);
    uint32_t n =
        entry.first_line ? entry.first_line[entry.numbering.dag->graph->nnode] : 0;
    uint64_t *code;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t line = entry.line[i];

        if (line && (!out->first || line < out->first))
            out->first = line;
        if (line > out->last)
            out->last = line;
    }
    code = trod_new(mem, uint64_t, TROD_WORDS(out->last - out->first + 1));
    for (uint32_t i = 0; i < n; i++)
        if (entry.line[i])
            trod_add(code, entry.line[i] - out->first);
    out->code = code;
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
    const struct trod_map_included *text, const struct trod_annotate_options *options,
    struct trod_arena *mem)
{
    *to = (struct trod_annotated_function){.flow = flow, .text = text};
    trod_annotated_find_range(to, mem);
    for (size_t k = 0; k < flow->npath; k++)
        to->count = trod_sat_add(to->count, flow->path[k].count);
    if (options->times)
        to->own = trod_annotated_own(options->times, flow->entry);
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
    out->times = options->times;
    out->nfunction = 0;
    for (uint32_t i = 0; i < source->nfunction; i++)
        if (is_wanted(source->function[i].flow, options))
            add_function(out, &function[out->nfunction], source->function[i].flow, NULL,
                options, mem);
    for (uint32_t i = 0; i < source->nincluder; i++)
        if (is_wanted(source->includer[i].flow, options))
            add_function(out, &function[out->nfunction], source->includer[i].flow,
                source->includer[i].text, options, mem);
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
