#include "export/export.h"

#include <math.h>
#include <string.h>

const char *trod_export_kind_name(enum trod_export_kind kind)
{
    static const char *const name[] = {
        [TROD_EXPORT_ENTRY] = "entry",
        [TROD_EXPORT_LOOP] = "loop",
        [TROD_EXPORT_CALL] = "call",
        [TROD_EXPORT_CUT] = "cut",
        [TROD_EXPORT_SUBPATH] = "subpath",
        [TROD_EXPORT_UNKNOWN] = "unknown",
    };

    return name[kind];
}

static bool is_known(const struct trod_map_entry *entry)
{
    return entry && entry->numbering.dag;
}

/* --- counted paths -------------------------------------------------------------------------------------- */

/* Of a chain, the start of its first path. */
static enum trod_export_kind kind_of(
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id)
{
    trod_path path[TROD_ITERATIONS_MAX];

    if (!trod_chain_decode(path, &entry->chain, id))
        return TROD_EXPORT_UNKNOWN;
    trod_number_decode(map->step, &entry->numbering, path[0]);
    switch (trod_path_start(entry, map->step[0])) {
    case TROD_AT_ENTRY:
        return TROD_EXPORT_ENTRY;
    case TROD_AT_CALL:
        return TROD_EXPORT_CALL;
    case TROD_AT_LOOP:
        return TROD_EXPORT_LOOP;
    default:
        return TROD_EXPORT_CUT;
    }
}

/* Order and weights are those of reports. */
static void take_paths(struct trod_export_stacks *out, const struct trod_rows *rows,
    const struct trod_hot *hot, const size_t *hot_of_row, struct trod_arena *mem)
{
    struct trod_export_stack *stack =
        trod_new(mem, struct trod_export_stack, hot->npath);

    out->stack = stack;
    for (size_t i = 0; i < rows->count; i++) {
        const struct trod_row *row = &rows->row[i];
        const struct trod_hot_path *path = &hot->path[hot_of_row[row->order]];
        const struct trod_map_entry *entry = row->entry;

        if (out->in->most && out->nstack == out->in->most)
            break;
        stack[out->nstack++] = (struct trod_export_stack){.module = path->module,
            .function =
                &out->in->profile->module[path->module].function[path->function],
            .entry = entry,
            .name = row->function,
            .display_name = entry ? entry->display_name : row->function,
            .file = entry ? row->file : NULL,
            .kind = is_known(entry) ? kind_of(out->in->map, entry, row->id)
                                    : TROD_EXPORT_UNKNOWN,
            .id = row->id,
            .count = row->count[0],
            .weight = row->weight[0],
            .time = row->time};
        if (is_known(entry) &&
            out->most_places < entry->chain.iterations * entry->numbering.dag->nreach)
            out->most_places = entry->chain.iterations * entry->numbering.dag->nreach;
    }
}

static void gather_paths(struct trod_export_stacks *out, struct trod_arena *mem)
{
    const struct trod_profile *profile = out->in->profile;
    struct trod_report_options options = {
        .most = SIZE_MAX, .wants = out->in->wants, .ctx = out->in->ctx};
    struct trod_rows rows;
    struct trod_hot hot;
    size_t *hot_of_row;

    trod_profile_hot(&hot, profile, SIZE_MAX, mem);
    trod_rows_init(&rows, out->in->map, &options, mem);
    rows.times = out->in->times;
    hot_of_row = trod_new(mem, size_t, hot.npath);
    for (size_t i = 0; i < hot.npath; i++) {
        hot_of_row[rows.count] = i;
        trod_rows_add(&rows,
            &profile->module[hot.path[i].module].function[hot.path[i].function],
            hot.path[i].id, hot.path[i].count, 0);
    }
    out->count = hot.total;
    out->weight = rows.weight;
    out->nall = rows.count;
    take_paths(out, &rows, &hot, hot_of_row, mem);
}

/* --- sampled subpaths ------------------------------------------------------------------------------------- */

static uint64_t whole(double value)
{
    return value < 0x1p63 ? (uint64_t)llround(value) : UINT64_MAX;
}

/* A subpath is chosen if one of its functions is. */
static bool wants_subpath(
    const struct trod_export_stacks *out, const struct trod_online_subpath *subpath)
{
    const struct trod_online_blocks *blocks = out->in->subpaths->blocks;

    for (uint32_t i = 0; out->in->wants && i < subpath->length; i++) {
        uint32_t f = trod_online_blocks_function(blocks, subpath->block[i]);

        if (out->in->wants(out->names.name_of_function[f], out->in->ctx))
            return true;
    }
    return !out->in->wants;
}

static void gather_subpaths(struct trod_export_stacks *out, struct trod_arena *mem)
{
    const struct trod_subpaths *all = out->in->subpaths;
    struct trod_export_stack *stack =
        trod_new(mem, struct trod_export_stack, all->nsubpath);

    trod_online_names(&out->names, all, out->in->map, mem);
    out->stack = stack;
    for (size_t i = 0; i < all->nsubpath; i++) {
        const struct trod_online_subpath *s = &all->subpath[i];
        uint32_t f = trod_online_blocks_function(all->blocks, s->block[0]);
        const struct trod_map_entry *entry = out->names.entry_of_function[f];
        uint64_t count = whole(s->estimate), weight = trod_sat_mul(count, s->length);

        out->count = trod_sat_add(out->count, count);
        out->weight = trod_sat_add(out->weight, weight);
        if (!wants_subpath(out, s))
            continue;
        out->nall++;
        if (out->in->most && out->nstack == out->in->most)
            continue;
        stack[out->nstack++] =
            (struct trod_export_stack){.function = &all->blocks->function[f],
                .entry = entry,
                .name = out->names.name_of_function[f],
                .display_name =
                    entry ? entry->display_name : out->names.name_of_function[f],
                .file = entry ? trod_flow_file(entry) : NULL,
                .kind = TROD_EXPORT_SUBPATH,
                .id = i,
                .count = count,
                .weight = weight,
                .subpath = s};
        if (out->most_places < s->length)
            out->most_places = s->length;
    }
}

void trod_export_stacks(struct trod_export_stacks *out, const struct trod_exported *in,
    struct trod_arena *mem)
{
    *out = (struct trod_export_stacks){.in = in,
        .most_places = 1,
        .label = trod_new(mem, const char **, in->map->nentry)};
    if (in->subpaths)
        gather_subpaths(out, mem);
    else
        gather_paths(out, mem);
}

const uint32_t *trod_export_modules(
    const struct trod_exported *in, struct trod_arena *mem)
{
    const struct trod_profile *profile = in->profile;
    uint32_t *out = trod_new(mem, uint32_t, in->map->nentry);

    for (uint32_t i = 0; i < in->map->nentry; i++)
        out[i] = TROD_NONE;
    for (uint32_t m = profile->nmodule; m-- > 0;)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            const struct trod_profile_function *function =
                &profile->module[m].function[f];
            const struct trod_map_entry *entry =
                profile->module[m].mode == TROD_MODE_BLOCKS
                    ? trod_map_find_blocks(in->map, function)
                    : trod_map_find(in->map, function);

            if (entry)
                out[entry - in->map->entry] = m;
            for (uint32_t k = 0; entry && k < entry->nframe; k++)
                out[entry->frame[k].of_entry] = m;
        }
    return out;
}

/* --- places ------------------------------------------------------------------------------------------------- */

/* In a supergraph, the corresponding block of the frame's function. */
static void place(struct trod_export_place *out, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_node node)
{
    if (entry->nframe) {
        const struct trod_map_frame *frame =
            &entry->frame[trod_map_frame_of(entry, node)];

        entry = &map->entry[frame->of_entry];
        node -= frame->first;
    }
    *out = (struct trod_export_place){
        entry, entry->name, entry->display_name, node, trod_flow_line(entry, node)};
}

static uint32_t places_of_path(struct trod_export_place *out,
    const struct trod_map *map, const struct trod_map_entry *entry, trod_path id)
{
    const struct trod_dag *dag = entry->numbering.dag;
    uint32_t n = trod_number_decode(map->step, &entry->numbering, id);

    for (uint32_t i = 0; i + 1 < n; i++)
        place(&out[i], map, entry, dag->shape.dst_of_edge[map->step[i]]);
    return n - 1;
}

static uint32_t places_of_subpath(struct trod_export_place *out,
    const struct trod_export_stacks *stacks, const struct trod_online_subpath *subpath)
{
    const struct trod_online_blocks *blocks = stacks->in->subpaths->blocks;

    for (uint32_t i = 0; i < subpath->length; i++) {
        uint32_t f = trod_online_blocks_function(blocks, subpath->block[i]);
        const struct trod_map_entry *entry = stacks->names.entry_of_function[f];
        const char *name = stacks->names.name_of_function[f];
        trod_node node = trod_online_blocks_node(blocks, f, subpath->block[i]);

        if (is_known(entry))
            place(&out[i], stacks->in->map, entry, node);
        else
            out[i] = (struct trod_export_place){NULL, name, name, TROD_NONE, 0};
    }
    return subpath->length;
}

uint32_t trod_export_places(struct trod_export_place *out,
    const struct trod_export_stacks *stacks, const struct trod_export_stack *stack)
{
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned iterations = 0;
    uint32_t n = 0;

    if (stack->subpath)
        return places_of_subpath(out, stacks, stack->subpath);
    if (is_known(stack->entry))
        iterations = trod_chain_decode(path, &stack->entry->chain, stack->id);
    for (unsigned i = 0; i < iterations; i++)
        n += places_of_path(out + n, stacks->in->map, stack->entry, path[i]);
    if (!n)
        out[n++] = (struct trod_export_place){
            NULL, stack->name, stack->display_name, TROD_NONE, 0};
    return n;
}

/* --- names of places --------------------------------------------------------------------------------------- */

enum { MOST_NAME = 60, MOST_CONDITION = 60, MOST_FILE = 40 };

static bool decides(const struct trod_map_entry *entry, trod_node v)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    return g->first_out[v + 1] - g->first_out[v] > 1 &&
           !trod_map_is_own_decision(entry, v);
}

static const char *describe(const struct trod_export_stacks *stacks,
    const struct trod_map_entry *entry, trod_node v, struct trod_arena *mem)
{
    struct trod_map_place place = trod_map_first_place(entry, v);
    const char *file = trod_flow_file(entry);
    struct trod_string out, condition;

    trod_string_init(&out, mem);
    trod_put(&out.sink, "%s", trod_entry_name(entry, MOST_NAME, mem));
    if (decides(entry, v) && entry->first_line)
        place = trod_map_decision_place(entry, v);
    if (!place.line) {
        char number[16];

        trod_put(&out.sink, " block %s (no line)",
            trod_graph_node_name(entry->numbering.dag->graph, v, number));
        return out.text;
    }
    trod_put(&out.sink, " %s:%u", trod_map_base_name(place.file ? place.file : file),
        place.line);
    trod_string_init(&condition, mem);
    if (stacks->in->text && decides(entry, v) &&
        trod_condition_put(
            &condition.sink, stacks->in->map, entry, v, stacks->in->text))
        trod_put(&out.sink, " (%s)", trod_clip(condition.text, MOST_CONDITION, mem));
    return out.text;
}

/* Append a number to labels that are not unique. */
static void put_clone_suffix(
    const char **label, const struct trod_graph *g, struct trod_arena *mem)
{
    uint32_t *count = trod_new(mem, uint32_t, g->nnode);
    uint32_t *of = trod_new(mem, uint32_t, g->nnode);
    struct trod_names names;

    trod_names_init(&names, mem);
    for (trod_node v = 0; v < g->nnode; v++) {
        of[v] = trod_names_add(&names, label[v]);
        count[of[v]]++;
    }
    for (trod_node v = 0; v < g->nnode; v++) {
        char *out;
        char number[16];

        if (count[of[v]] < 2)
            continue;
        out = trod_format(mem, "%s #%s", label[v], trod_graph_node_name(g, v, number));
        label[v] = out;
    }
}

const char *trod_export_label(const struct trod_export_stacks *stacks,
    const struct trod_export_place *place, struct trod_arena *mem)
{
    const struct trod_map_entry *entry = place->entry;
    const struct trod_graph *g = entry->numbering.dag->graph;
    const char ***of = &stacks->label[entry - stacks->in->map->entry];

    if (!*of) {
        *of = trod_new(mem, const char *, g->nnode);
        for (trod_node v = 0; v < g->nnode; v++)
            (*of)[v] = describe(stacks, entry, v, mem);
        put_clone_suffix(*of, g, mem);
    }
    return (*of)[place->node];
}

void trod_export_put_stack(struct trod_sink *sink,
    const struct trod_export_stacks *stacks, const struct trod_export_stack *stack,
    bool blocks)
{
    struct trod_map_entry plain;

    if (stack->subpath) {
        trod_subpath_print(sink, &stacks->names, stack->subpath, blocks);
    } else if (is_known(stack->entry)) {
        plain = *stack->entry;
        if (blocks)
            plain.first_line = NULL;
        trod_path_print(sink, stacks->in->map, &plain, stack->id, NULL);
    }
}
