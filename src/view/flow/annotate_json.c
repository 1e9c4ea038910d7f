#include "flow/annotate.h"

static void json_path(struct trod_json *json, const struct trod_annotated_path *path,
    const struct trod_annotated_file *file, const struct trod_map_entry *entry,
    const struct trod_map *map, struct trod_arena *mem)
{
    trod_path chain = trod_chain_add(&entry->chain, 0, path->id);
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_path_print(&text.sink, map, entry, chain, NULL);
    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "id", path->id);
    trod_json_uint(json, "count", path->count);
    trod_json_real(json, "share",
        file->total ? (double)trod_annotated_weight(file, path) / (double)file->total
                    : 0);
    if (path->time) {
        trod_json_open(json, "time", '{');
        trod_time_json(json, file->times, path->time);
        trod_json_close(json, '}');
    }
    trod_json_text(json, "path", text.text);
    trod_path_ends_json(json, map, entry, chain);
    trod_json_open(json, "lines", '[');
    for (uint32_t line = path->first; path->first && line <= path->last; line++)
        if (trod_annotated_is_on(path, line))
            trod_json_uint(json, NULL, line);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

static void json_function(struct trod_json *json,
    const struct trod_annotated_file *file, const struct trod_annotated_function *f,
    const struct trod_map *map, struct trod_arena *mem)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "function", f->flow->entry->name);
    if (f->text)
        trod_json_bool(json, "included", true);
    if (f->first) {
        trod_json_uint(json, "first", f->first);
        trod_json_uint(json, "last", f->last);
    }
    trod_json_uint(json, "entered", f->flow->entered);
    trod_json_uint(json, "count", f->count);
    if (file->times)
        trod_json_real(json, "own", trod_time_in_unit(file->times, (double)f->own));
    trod_json_uint(json, "ran", f->flow->npath);
    trod_json_uint(json, "unfinished", f->flow->unfinished);
    trod_json_bool(json, "partial", f->flow->partial);
    trod_json_open(json, "paths", '[');
    for (size_t i = 0; i < f->npath; i++)
        json_path(json, &f->path[i], file, f->flow->entry, map, mem);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* Is the line in one of the chosen functions? */
static bool is_chosen(const struct trod_annotated_file *file, uint32_t line)
{
    for (uint32_t i = 0; i < file->nfunction; i++)
        if (line >= file->function[i].first && line <= file->function[i].last)
            return true;
    return false;
}

static void json_lines(struct trod_json *json, const struct trod_annotated_file *file)
{
    const struct trod_flow_source *s = file->source;
    uint32_t d = 0;

    trod_json_open(json, "lines", '[');
    for (uint32_t i = 0; i < s->nrow; i++) {
        uint32_t line = s->row[i].line;

        if (!is_chosen(file, line))
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "line", line);
        trod_flow_json_count(json, "count", s->row[i].count, s->row[i].unknown);
        if (file->times)
            trod_json_real(json, "own",
                trod_time_in_unit(file->times, (double)file->own_of_row[i]));
        if (file->text.line && line <= file->text.nline)
            trod_json_text(json, "text", file->text.line[line - 1]);
        trod_json_open(json, "decisions", '[');
        while (d < s->ndecision && s->decision[d].line < line)
            d++;
        for (; d < s->ndecision && s->decision[d].line == line; d++) {
            trod_json_open(json, NULL, '[');
            for (uint32_t k = 0; k < s->decision[d].nway; k++)
                trod_flow_json_count(json, NULL, s->decision[d].way[k].count,
                    s->decision[d].way[k].unknown);
            trod_json_close(json, ']');
        }
        trod_json_close(json, ']');
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_annotate_json(struct trod_json *json, const struct trod_annotated_file *file,
    const struct trod_flows *flows, struct trod_arena *mem)
{
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "file", file->source->name);
    trod_json_text(json, "path", file->source->path);
    if (!file->text.line)
        trod_json_text(json, "why", file->text.why);
    json_lines(json, file);
    trod_json_open(json, "functions", '[');
    for (uint32_t i = 0; i < file->nfunction; i++)
        json_function(json, file, &file->function[i], flows->map, mem);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
