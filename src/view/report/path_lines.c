#include "report/report.h"

/* A line that a path is on. */
struct line {
    uint32_t number;
    trod_node node;
};

/* The lines of a path's blocks, in order; adjacent repetitions are skipped. */
struct walk {
    const struct trod_map *map;
    const struct trod_map_entry *entry;
    uint32_t nstep, step, at;
    uint32_t last;
};

static bool begin(struct walk *out, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id)
{
    trod_path path;

    *out = (struct walk){.map = map, .entry = entry};
    if (!entry->first_line || !trod_chain_last(&path, &entry->chain, id))
        return false;
    out->nstep = trod_number_decode(map->step, &entry->numbering, path);
    return true;
}

static bool next(struct walk *w, struct line *out)
{
    const struct trod_dag *dag = w->entry->numbering.dag;

    for (; w->step + 1 < w->nstep; w->step++, w->at = 0) {
        trod_node v = dag->shape.dst_of_edge[w->map->step[w->step]];
        uint32_t first = w->entry->first_line[v];

        while (first + w->at < w->entry->first_line[v + 1]) {
            uint32_t number = w->entry->line[first + w->at++];

            if (number && number != w->last) {
                *out = (struct line){number, v};
                w->last = number;
                return true;
            }
        }
    }
    return false;
}

const uint32_t *trod_path_lines(size_t *nline, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id, struct trod_arena *mem)
{
    uint32_t *out = NULL;
    size_t room = 0;
    struct walk w;
    struct line line;

    *nline = 0;
    if (!begin(&w, map, entry, id))
        return NULL;
    while (next(&w, &line)) {
        trod_reserve(mem, out, *nline, room);
        out[(*nline)++] = line.number;
    }
    return out;
}

/* Control characters, which could move the cursor, are not printed. */
static void put_plain(struct trod_sink *sink, const char *text)
{
    while (*text) {
        size_t n = trod_utf8_length(text);

        if (*text == '\t')
            trod_put(sink, "    ");
        else if (!n || (unsigned char)*text < ' ' || *text == 0x7f)
            trod_put(sink, "?");
        else
            sink->put(sink, text, n);
        text += n ? n : 1;
    }
}

void trod_path_lines_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text, unsigned indent)
{
    struct walk w;
    struct line line;

    if (!begin(&w, map, entry, id))
        return;
    while (next(&w, &line)) {
        const char *written =
            trod_source_line_of(text, map, entry, line.node, line.number);

        trod_put(sink, "%*u | ", (int)indent, line.number);
        put_plain(sink, written ? written : "?");
        trod_put(sink, "\n");
    }
}

/* --- decisions ----------------------------------------------------------------------------------- */

static void json_decision(struct trod_json *json, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_edge origin,
    const struct trod_condition_source *text)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    trod_node v = g->src_of_edge[origin];
    const struct trod_map_decision *d = trod_map_decision_of(entry, v);
    const char *inlined = trod_map_decision_function(entry, v);
    struct trod_map_place place = trod_map_decision_place(entry, v);
    struct trod_string written;

    trod_json_open(json, NULL, '{');
    if (place.file)
        trod_json_text(json, "file", place.file);
    if (place.line)
        trod_json_uint(json, "line", place.line);
    if (d && d->column)
        trod_json_uint(json, "column", d->column);
    if (inlined)
        trod_json_display_name(json, "function", inlined);
    trod_string_init(&written, text->mem);
    if (trod_condition_put(&written.sink, map, entry, v, text))
        trod_json_text(json, "condition", written.text);
    trod_string_init(&written, text->mem);
    trod_outcome_print(&written.sink, entry, v, origin - g->first_out[v]);
    trod_json_text(json, "outcome", written.text);
    trod_json_close(json, '}');
}

void trod_path_decisions_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text)
{
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned npath = trod_chain_decode(path, &entry->chain, id);

    trod_json_open(json, key, '[');
    for (unsigned i = 0; entry->first_line && i < npath; i++) {
        uint32_t n = trod_number_decode(map->step, &entry->numbering, path[i]);

        for (uint32_t k = 1; k < n; k++)
            if (trod_path_decides(entry, map->step[k]))
                json_decision(json, map, entry,
                    entry->numbering.dag->origin_of_edge[map->step[k]], text);
    }
    trod_json_close(json, ']');
}

void trod_path_lines_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text)
{
    struct walk w;
    struct line line;
    bool some = begin(&w, map, entry, id);

    trod_json_open(json, key, '[');
    while (some && next(&w, &line)) {
        const char *written =
            trod_source_line_of(text, map, entry, line.node, line.number);

        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "line", line.number);
        if (written)
            trod_json_text(json, "text", written);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}
