#include "report/report.h"

#include <inttypes.h>

static size_t most_of(const struct trod_report_options *options)
{
    return options->most ? options->most : TROD_REPORT_MOST;
}

static const struct trod_profile_function *function_of(
    const struct trod_profile *profile, const struct trod_hot_path *path)
{
    return &profile->module[path->module].function[path->function];
}

static void put_path(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id, bool blocks)
{
    struct trod_map_entry plain;

    if (blocks) {
        plain = *entry;
        plain.first_line = NULL;
        entry = &plain;
    }
    trod_tell_path(sink, map, entry, id);
}

static void put_row(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_hot *hot, size_t i, uint64_t sum,
    bool blocks)
{
    const struct trod_hot_path *p = &hot->path[i];
    const struct trod_profile_function *f = function_of(profile, p);
    const struct trod_map_entry *entry = trod_map_find(map, f);
    double total = (double)hot->total;

    trod_put(sink, "%5.1f%% %5.1f%% %12" PRIu64 "  ", 100 * (double)p->count / total,
        100 * (double)sum / total, p->count);
    if (entry) {
        trod_put_name(sink, entry->name);
        trod_put(sink, " =%" PRIu64 "  ", p->id);
        put_path(sink, map, entry, p->id, blocks);
    } else {
        trod_put(sink, "?%016" PRIx64 " =%" PRIu64, f->name, p->id);
    }
    trod_put(sink, "\n");
}

void trod_report_print(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    struct trod_hot hot;
    uint64_t sum = 0;

    trod_profile_hot(&hot, profile, most_of(options), mem);
    trod_put(sink, "# %zu of %" PRIu64 " paths that ran, %" PRIu64 " times in all\n",
        hot.npath, hot.nall, hot.total);
    trod_put(sink, "share    all        count  function and path\n");
    for (size_t i = 0; i < hot.npath; i++) {
        sum = trod_sat_add(sum, hot.path[i].count);
        put_row(sink, profile, map, &hot, i, sum, options->blocks);
    }
    trod_report_left_print(sink, profile, map, mem);
    for (uint32_t i = 0; i < map->nskipped; i++)
        trod_put(sink, "# not counted: %s (%s): %s\n", map->skipped[i].name,
            map->skipped[i].unit, map->skipped[i].why);
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_put(sink, "# note: %s\n", profile->note[i]);
}

static void json_row(struct trod_json *json, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_hot_path *p, struct trod_arena *mem)
{
    const struct trod_profile_function *f = function_of(profile, p);
    const struct trod_map_entry *entry = trod_map_find(map, f);
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_string told;

    trod_json_open(json, NULL, '{');
    if (entry)
        trod_json_text(json, "function", entry->name);
    if (entry && entry->file)
        trod_json_text(json, "file", entry->file);
    trod_json_uint(json, "id", p->id);
    trod_json_uint(json, "count", p->count);
    if (entry) {
        trod_string_init(&told, mem);
        trod_tell_path(&told.sink, map, entry, p->id);
        trod_json_text(json, "path", told.text);
        trod_string_init(&told, mem);
        put_path(&told.sink, map, entry, p->id, true);
        trod_json_text(json, "blocks", told.text);
    }
    trod_json_close(json, '}');
    trod_arena_rewind(mem, mark);
}

void trod_report_json(struct trod_json *json, const char *key,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem)
{
    struct trod_hot hot;

    trod_profile_hot(&hot, profile, most_of(options), mem);
    trod_json_open(json, key, '{');
    trod_json_uint(json, "paths", hot.nall);
    trod_json_uint(json, "total", hot.total);
    trod_json_open(json, "hot", '[');
    for (size_t i = 0; i < hot.npath; i++)
        json_row(json, profile, map, &hot.path[i], mem);
    trod_json_close(json, ']');
    trod_report_left_json(json, profile, map, mem);
    trod_json_open(json, "skipped", '[');
    for (uint32_t i = 0; i < map->nskipped; i++) {
        trod_json_open(json, NULL, '{');
        trod_json_text(json, "function", map->skipped[i].name);
        trod_json_text(json, "why", map->skipped[i].why);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "notes", '[');
    for (uint32_t i = 0; i < profile->nnote; i++)
        trod_json_text(json, NULL, profile->note[i]);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
