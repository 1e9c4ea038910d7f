#include "segment/segment.h"

#include <inttypes.h>

static const struct trod_map_entry *entry_of(
    const struct trod_segments *segments, const struct trod_map *map, uint32_t function)
{
    const struct trod_identity *i =
        segments->identity ? &segments->identity[function] : NULL;
    const struct trod_map_entry *entry;

    if (!i || !i->npath)
        return NULL;
    entry = trod_map_find(map,
        &(struct trod_profile_function){
            .name = i->name, .graph = i->graph, .cuts = i->cuts, .npath = i->npath});
    return entry && entry->numbering.dag ? entry : NULL;
}

void trod_segments_put_subpath(struct trod_sink *sink,
    const struct trod_segments *segments, const struct trod_map *map,
    const struct trod_step *step, struct trod_arena *mem)
{
    const struct trod_map_entry *entry = entry_of(segments, map, step->function);

    if (entry && mem)
        trod_path_print_folded(sink, map, entry, step->id, NULL, mem);
    else if (entry)
        trod_path_print(sink, map, entry, step->id, NULL);
    else
        trod_put(sink, "=%" PRIu64, step->id);
}

static uint64_t total_of(const struct trod_segments *segments)
{
    uint64_t total = 0;

    for (size_t i = 0; i < segments->nsegment; i++)
        total = trod_sat_add(total, segments->segment[i].count);
    return total;
}

static void put_steps(struct trod_sink *sink, const struct trod_segments *segments,
    const struct trod_map *map, const struct trod_segment *segment,
    struct trod_arena *mem)
{
    const char **line = trod_new(mem, const char *, segment->nstep);
    uint32_t nline = 0;
    int depth = 3;

    for (size_t i = 0; i < segment->nstep; i++) {
        const struct trod_step *step = &segment->step[i];

        if (step->kind == TROD_STEP_SUBPATH) {
            struct trod_string text;

            trod_string_init(&text, mem);
            trod_put(&text.sink, "%*s", 2 * depth, "");
            trod_put_display_name(&text.sink, segments->function.name[step->function]);
            trod_put(&text.sink, "  ");
            trod_segments_put_subpath(&text.sink, segments, map, step, mem);
            line[nline++] = text.text;
        }
        depth += step->kind == TROD_STEP_CALL;
        depth -= step->kind == TROD_STEP_RETURN;
    }
    trod_fold_put_lines(sink, line, nline, 6);
}

void trod_segments_list(struct trod_sink *sink, const struct trod_segments *segments,
    const struct trod_map *map, size_t most, struct trod_arena *mem)
{
    size_t n = most && most < segments->nsegment ? most : segments->nsegment;
    uint64_t total = total_of(segments);

    trod_put(sink, "# %zu of %zu segments, %" PRIu64 " times in all\n", n,
        segments->nsegment, total);
    for (size_t i = 0; i < n; i++) {
        const struct trod_segment *segment = &segments->segment[i];

        trod_put(sink, "%5.1f%% %12" PRIu64 "\n",
            100 * (double)segment->count / (double)total, segment->count);
        put_steps(sink, segments, map, segment, mem);
    }
}

static void json_step(struct trod_json *json, const struct trod_segments *segments,
    const struct trod_map *map, const struct trod_step *step, struct trod_arena *mem)
{
    struct trod_string printed;

    if (step->kind != TROD_STEP_SUBPATH || !entry_of(segments, map, step->function)) {
        trod_step_json(json, step, &segments->function);
        return;
    }
    trod_string_init(&printed, mem);
    trod_segments_put_subpath(&printed.sink, segments, map, step, NULL);
    trod_json_open(json, NULL, '{');
    trod_json_display_name(json, "function", segments->function.name[step->function]);
    trod_json_uint(json, "subpath", step->id);
    trod_json_text(json, "path", printed.text);
    trod_path_ends_json(json, map, entry_of(segments, map, step->function), step->id);
    trod_json_close(json, '}');
}

void trod_segments_list_json(struct trod_json *json, const char *key,
    const struct trod_segments *segments, const struct trod_map *map, size_t most,
    struct trod_arena *mem)
{
    size_t n = most && most < segments->nsegment ? most : segments->nsegment;

    trod_json_open(json, key, '{');
    trod_json_text(json, "name", segments->name);
    trod_json_uint(json, "depth", segments->depth);
    trod_identity_json(json, "functions", &segments->function, segments->identity);
    trod_json_uint(json, "all", segments->nsegment);
    trod_json_uint(json, "total", total_of(segments));
    trod_json_open(json, "segments", '[');
    for (size_t i = 0; i < n; i++) {
        const struct trod_segment *segment = &segments->segment[i];

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "count", segment->count);
        trod_json_open(json, "steps", '[');
        for (size_t k = 0; k < segment->nstep; k++)
            json_step(json, segments, map, &segment->step[k], mem);
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
