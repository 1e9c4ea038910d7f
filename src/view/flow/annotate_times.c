#include "flow/annotate.h"
#include "base/order.h"

static struct trod_profile_function function_of(const struct trod_map_entry *entry)
{
    return (struct trod_profile_function){
        .name = entry->name_hash, .graph = entry->graph_hash, .cuts = entry->cuts_hash};
}

const struct trod_time *trod_annotated_time(
    const struct trod_times *times, const struct trod_map_entry *entry, uint64_t id)
{
    struct trod_profile_function function = function_of(entry);

    return trod_times_find(times, &function, id);
}

uint64_t trod_annotated_own(
    const struct trod_times *times, const struct trod_map_entry *entry)
{
    struct trod_profile_function function = function_of(entry);
    const struct trod_path_time *timed;
    size_t n = trod_times_of(&timed, times, &function);
    uint64_t own = 0;

    for (size_t i = 0; i < n; i++)
        own = trod_sat_add(own, timed[i].time.own);
    return own;
}

/* The rows and the lines of the path ascend. */
static void add_to_rows(uint64_t *own_of_row, const struct trod_flow_source *source,
    const struct trod_annotated_path *path)
{
    uint32_t i = TROD_LOWER_BOUND(
        middle, 0, source->nrow, source->row[middle].line < path->first);

    for (; i < source->nrow && source->row[i].line <= path->last; i++)
        if (trod_annotated_is_on(path, source->row[i].line))
            own_of_row[i] = trod_sat_add(own_of_row[i], path->time->own);
}

static void add_function(uint64_t *own_of_row, const struct trod_flow_source *source,
    const struct trod_flow *flow, const struct trod_map_included *text,
    const struct trod_map *map, const struct trod_times *times, struct trod_arena *mem)
{
    struct trod_annotated_function function = {.flow = flow, .text = text};
    struct trod_profile_function key = function_of(flow->entry);
    struct trod_mark mark = trod_arena_mark(mem);
    const struct trod_path_time *timed;
    size_t n = trod_times_of(&timed, times, &key);
    struct trod_annotated_lines lines;

    if (!n)
        return;
    trod_annotated_find_range(&function, mem);
    trod_annotated_lines_init(&lines, &function, mem);
    for (size_t i = 0; lines.first && i < n; i++) {
        struct trod_annotated_path path = {.id = timed[i].id, .time = &timed[i].time};

        if (path.id >= flow->entry->numbering.npath)
            continue;
        trod_annotated_lines_of(&path, &lines, map, mem);
        add_to_rows(own_of_row, source, &path);
    }
    trod_arena_rewind(mem, mark);
}

void trod_annotate_times(uint64_t *own_of_row, const struct trod_flow_source *source,
    const struct trod_map *map, const struct trod_times *times, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < source->nrow; i++)
        own_of_row[i] = 0;
    for (uint32_t i = 0; i < source->nfunction; i++)
        add_function(
            own_of_row, source, source->function[i].flow, NULL, map, times, mem);
    for (uint32_t i = 0; i < source->nincluder; i++)
        add_function(own_of_row, source, source->includer[i].flow,
            source->includer[i].text, map, times, mem);
}
