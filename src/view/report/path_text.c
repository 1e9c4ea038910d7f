#include "report/report.h"

#include <string.h>

/* The line of a block's decision, which is its last; 0 if unknown. */
static uint32_t last_line(const struct trod_map_entry *entry, trod_node v)
{
    uint32_t end = entry->first_line[v + 1];

    return end > entry->first_line[v] ? entry->line[end - 1] : 0;
}

/* Starts and ends of paths are given as lines of the function itself, not of inlined code. */
uint32_t trod_path_first_line(const struct trod_map_entry *entry, trod_node v)
{
    const struct trod_map_inlined *inlined = trod_map_inlined_at(entry, v);
    uint32_t at = entry->first_line[v];

    if (inlined)
        return inlined->first;
    return at < entry->first_line[v + 1] ? entry->line[at] : 0;
}

struct trod_map_place trod_path_loop_place(
    const struct trod_map_entry *entry, trod_node v)
{
    return trod_map_inlined_at(entry, v)
               ? (struct trod_map_place){NULL, trod_path_first_line(entry, v)}
               : trod_map_loop_place(entry, v);
}

static bool is_same_place(struct trod_map_place a, struct trod_map_place b)
{
    return a.line == b.line &&
           (a.file && b.file ? strcmp(a.file, b.file) == 0 : a.file == b.file);
}

uint32_t trod_path_last_line(const struct trod_map_entry *entry, trod_node v)
{
    const struct trod_map_inlined *inlined = trod_map_inlined_at(entry, v);

    return inlined ? inlined->last : last_line(entry, v);
}

static void put_place(struct trod_sink *sink, const char *word, uint32_t line)
{
    trod_put(sink, "%s", word);
    if (line)
        trod_put(sink, " %u", line);
}

static void put_loop(struct trod_sink *sink, const char *word,
    const struct trod_map_entry *entry, trod_node v)
{
    struct trod_map_place place = trod_path_loop_place(entry, v);

    trod_put(sink, "%s", word);
    if (place.line) {
        trod_put(sink, " ");
        trod_map_put_place(sink, place);
    }
}

/* A cut edge that is not a back edge: from 12 (cut); to 15 (cut). */
static void put_cut(struct trod_sink *sink, const char *word, uint32_t line)
{
    if (line)
        trod_put(sink, "%s %u (cut)", word, line);
    else
        trod_put(sink, "%s a cut", word);
}

/* If paths also end at calls: the call and its callee. */
static void put_call(struct trod_sink *sink, const struct trod_map_entry *entry,
    const char *word, const struct trod_call *call)
{
    uint32_t line = call->last ? trod_path_last_line(entry, call->node)
                               : trod_path_first_line(entry, call->node);

    trod_put(sink, "%s ", word);
    if (call->callee)
        trod_put_display_name(sink, call->callee);
    else
        trod_put(sink, "*");
    put_place(sink, "", line);
}

const char *trod_path_place_name(enum trod_path_place place)
{
    static const char *const name[] = {
        [TROD_AT_ENTRY] = "entry",
        [TROD_AT_RETURN] = "return",
        [TROD_AT_THROW] = "throw",
        [TROD_AT_UNWIND] = "unwind",
        [TROD_AT_STOP] = "stop",
        [TROD_AT_LOOP] = "loop",
        [TROD_AT_CALL] = "call",
        [TROD_AT_CUT] = "cut",
    };

    return name[place];
}

static bool heads_loop(const struct trod_dag *dag, trod_node v)
{
    const struct trod_graph *g = dag->graph;

    for (uint32_t i = g->first_in[v]; i < g->first_in[v + 1]; i++) {
        trod_edge e = g->in_edge[i], own = dag->dag_of_edge[e];

        if (own != TROD_NONE && dag->kind_of_edge[own] == TROD_DAG_END &&
            trod_has(dag->closing, e))
            return true;
    }
    return false;
}

enum trod_path_place trod_path_start(const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_node v = dag->shape.dst_of_edge[e];

    if (dag->kind_of_edge[e] == TROD_DAG_ENTER)
        return TROD_AT_ENTRY;
    if (trod_calls_find(&entry->calls, v, false))
        return TROD_AT_CALL;
    return heads_loop(dag, v) ? TROD_AT_LOOP : TROD_AT_CUT;
}

static void put_start(
    struct trod_sink *sink, const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_node v = dag->shape.dst_of_edge[e];
    const struct trod_call *call = trod_calls_find(&entry->calls, v, false);
    uint32_t frame = entry->nframe ? trod_map_frame_of(entry, v) : 0;

    if (frame) {
        trod_put(sink, "in ");
        trod_put_display_name(sink, entry->frame[frame].function);
        trod_put(sink, ": ");
    }
    switch (trod_path_start(entry, e)) {
    case TROD_AT_ENTRY:
        trod_put(sink, "entry");
        break;
    case TROD_AT_CALL:
        put_call(sink, entry, "after", call);
        break;
    case TROD_AT_LOOP:
        put_loop(sink, "loop", entry, v);
        break;
    default:
        put_cut(sink, "from", trod_path_first_line(entry, v));
        break;
    }
}

/* Is the block followed by a call that the supergraph follows? Choosing among its targets is not a decision. */
static bool is_before_call(const struct trod_map_entry *entry, trod_node v)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t frame = entry->nframe ? trod_map_frame_of(entry, v) : 0;

    for (trod_edge e = g->first_out[v]; entry->nframe && e < g->first_out[v + 1]; e++) {
        uint32_t to = trod_map_frame_of(entry, g->dst_of_edge[e]);

        if (to && entry->frame[to].parent == frame)
            return true;
    }
    return false;
}

/* Is the edge one of several out of its block? */
bool trod_path_decides(const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;
    const struct trod_graph *g = &dag->shape;
    trod_node v = g->src_of_edge[e];

    return dag->origin_of_edge[e] != TROD_NONE &&
           g->first_out[v + 1] - g->first_out[v] > 1 && !is_before_call(entry, v) &&
           !trod_map_is_own_decision(entry, v);
}

bool trod_path_is_plain_return(const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_node v = dag->shape.src_of_edge[e];
    const struct trod_map_decision *d = trod_map_decision_of(entry, v);

    return d && !d->ncondition &&
           strcmp(d->way[dag->origin_of_edge[e] - dag->graph->first_out[v]],
               "returns") == 0;
}

/* A transition between frames: a followed call, or the return from it. */
static void put_frame(struct trod_sink *sink, const struct trod_map_entry *entry,
    trod_edge origin, const char *blank)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t from, to;

    if (!entry->nframe || origin == TROD_NONE)
        return;
    from = trod_map_frame_of(entry, g->src_of_edge[origin]);
    to = trod_map_frame_of(entry, g->dst_of_edge[origin]);
    if (from == to)
        return;
    trod_put(sink, "%s", blank);
    if (entry->frame[to].parent == from) {
        trod_put_display_name(sink, entry->frame[to].function);
        trod_put(sink, "(");
    } else {
        trod_put(sink, ")");
    }
}

void trod_outcome_print(struct trod_sink *sink, const struct trod_map_entry *entry,
    trod_node node, uint32_t way)
{
    const struct trod_map_decision *d = trod_map_decision_of(entry, node);

    if (d)
        trod_put_shown(sink, d->way[way]);
    else
        trod_put(sink, "way%u", way + 1);
}

/* The source text of the function that contains the block. */
static const struct trod_source_text *source_of(
    const struct trod_condition_source *text, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_node v, const char *file)
{
    if (!text)
        return NULL;
    if (entry->nframe)
        entry = &map->entry[entry->frame[trod_map_frame_of(entry, v)].of_entry];
    return text->source(entry, file, text->ctx);
}

const char *trod_source_line_of(const struct trod_condition_source *text,
    const struct trod_map *map, const struct trod_map_entry *entry, trod_node v,
    uint32_t line)
{
    const struct trod_source_text *source = source_of(text, map, entry, v, NULL);

    return source && line && line <= source->nline ? source->line[line - 1] : NULL;
}

/* A line without surrounding blanks, opening brace, and the closing brace of the block before. */
static void put_line(struct trod_sink *sink, const char *text)
{
    size_t end = strlen(text), at = strspn(text, " \t"), past;

    while (end > at && strchr(" \t{", text[end - 1]))
        end--;
    past = at + strspn(text + at, "} \t");
    at = past < end ? past : at;
    while (at < end) {
        size_t bad = trod_control_length(text + at);
        size_t n = bad ? bad : trod_utf8_length(text + at);

        if (bad || !n)
            trod_put(sink, text[at] == '\t' ? " " : "?");
        else
            sink->put(sink, text + at, n);
        at += n ? n : 1;
    }
}

bool trod_condition_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_node v,
    const struct trod_condition_source *text)
{
    const struct trod_map_decision *d = trod_map_decision_of(entry, v);
    struct trod_map_place place = trod_map_decision_place(entry, v);
    const struct trod_source_text *source = source_of(text, map, entry, v, place.file);
    struct trod_source_range range;

    if (!source || !place.line || place.line > source->nline)
        return false;
    if (d && d->line &&
        trod_source_condition(&range, source, d->line, d->column, d->ncondition))
        trod_source_print(sink, source, range);
    else
        put_line(sink, source->line[place.line - 1]);
    return true;
}

/* A branch and its outcome; in inlined code, also the function it is from. */
static void put_decision(
    struct trod_sink *sink, const struct trod_map_entry *entry, trod_edge origin)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    trod_node v = g->src_of_edge[origin];
    const char *inlined = trod_map_decision_function(entry, v);
    struct trod_map_place place = trod_map_decision_place(entry, v);

    if (inlined) {
        trod_put_display_name(sink, inlined);
        trod_put(sink, "(");
    }
    if (place.line) {
        trod_map_put_place(sink, place);
        trod_put(sink, ":");
    }
    trod_outcome_print(sink, entry, v, origin - g->first_out[v]);
    if (inlined)
        trod_put(sink, ")");
}

/* If a path ends inside a followed call, its last edge leads back to the caller in the supergraph. Returns the
 * corresponding edge of the callee's own graph, which shows what happened, or TROD_NONE.
 */
static trod_edge paused_at(const struct trod_map_entry **own,
    const struct trod_map *map, const struct trod_map_entry *entry, trod_edge origin)
{
    const struct trod_graph *g = entry->numbering.dag->graph, *inner;
    trod_node v = g->src_of_edge[origin];
    uint32_t frame = entry->nframe ? trod_map_frame_of(entry, v) : 0;
    uint32_t way = origin - g->first_out[v];

    if (!frame || trod_map_frame_of(entry, g->dst_of_edge[origin]) == frame)
        return TROD_NONE;
    *own = &map->entry[entry->frame[frame].of_entry];
    inner = (*own)->numbering.dag->graph;
    v -= entry->frame[frame].first;
    return (*own)->first_line && way < inner->first_out[v + 1] - inner->first_out[v]
               ? inner->first_out[v] + way
               : TROD_NONE;
}

enum trod_path_place trod_path_leaves_by(
    const struct trod_map_entry *entry, trod_node v)
{
    if (trod_map_is_in_set(entry, TROD_MAP_THROWS, v))
        return TROD_AT_THROW;
    if (trod_map_is_in_set(entry, TROD_MAP_UNWINDS, v))
        return TROD_AT_UNWIND;
    return trod_map_is_in_set(entry, TROD_MAP_STOPS, v) ? TROD_AT_STOP : TROD_AT_RETURN;
}

struct trod_path_outcome trod_path_outcome_of(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_edge origin = dag->origin_of_edge[e], inner;
    struct trod_path_outcome out = {.entry = entry, .place = TROD_AT_RETURN};

    if (dag->kind_of_edge[e] == TROD_DAG_END) {
        inner = paused_at(&out.entry, map, entry, origin);
        if (inner != TROD_NONE)
            origin = inner;
        else
            out.entry = entry;
        dag = out.entry->numbering.dag;
        out.node = dag->graph->dst_of_edge[origin];
        out.place = trod_has(dag->closing, origin) ? TROD_AT_LOOP : TROD_AT_CUT;
    } else {
        out.node = dag->shape.src_of_edge[e];
    }
    out.call =
        trod_calls_find(&out.entry->calls, out.node, out.place == TROD_AT_RETURN);
    if (out.call)
        out.place = TROD_AT_CALL;
    else if (out.place == TROD_AT_RETURN)
        out.place = trod_path_leaves_by(out.entry, out.node);
    return out;
}

enum trod_path_place trod_path_end(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_edge e)
{
    return trod_path_outcome_of(map, entry, e).place;
}

static void put_end(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_edge e, const char *blank)
{
    struct trod_path_outcome end = trod_path_outcome_of(map, entry, e);

    trod_put(sink, "%s", blank);
    switch (end.place) {
    case TROD_AT_CALL:
        put_call(sink, end.entry, "calls", end.call);
        break;
    case TROD_AT_LOOP:
        put_loop(sink, "again", end.entry, end.node);
        break;
    case TROD_AT_CUT:
        put_cut(sink, "to", trod_path_first_line(end.entry, end.node));
        break;
    default:
        put_place(sink, trod_path_place_name(end.place),
            trod_path_last_line(end.entry, end.node));
        break;
    }
}

void trod_path_ends_json(struct trod_json *json, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id)
{
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, &entry->chain, id);
    uint32_t nstep;

    if (!n)
        return;
    trod_number_decode(map->step, &entry->numbering, path[0]);
    trod_json_text(
        json, "starts", trod_path_place_name(trod_path_start(entry, map->step[0])));
    nstep = trod_number_decode(map->step, &entry->numbering, path[n - 1]);
    trod_json_text(json, "ends",
        trod_path_place_name(trod_path_end(map, entry, map->step[nstep - 1])));
}

/* Does the back edge or cut that ends a path lead to where the other path starts? */
bool trod_path_goes_on(const struct trod_dag *dag, trod_edge end, trod_edge start)
{
    return dag->kind_of_edge[end] == TROD_DAG_END &&
           dag->graph->dst_of_edge[dag->origin_of_edge[end]] ==
               dag->shape.dst_of_edge[start];
}

static void put_condition(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_node v,
    const struct trod_condition_source *text)
{
    struct trod_string written;

    if (!text)
        return;
    trod_string_init(&written, text->mem);
    if (trod_condition_put(&written.sink, map, entry, v, text))
        trod_put(sink, " (%s)", trod_clip(written.text, 63, text->mem));
}

static bool is_worth_words(const struct trod_map_entry *entry, trod_edge e)
{
    return trod_path_decides(entry, e) && !trod_path_is_plain_return(entry, e);
}

/* What is printed between items, between paths, and before the end of a chain. */
struct gaps {
    const char *item, *path, *end;
};

/* `next`: the start of the next path of the chain, or TROD_NONE. If this path ends there, the end is not printed. */
static void put_path(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id, trod_edge next,
    const struct trod_condition_source *text, const struct gaps *gaps)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_edge *step = map->step;
    uint32_t n = trod_number_decode(step, &entry->numbering, id);

    if (!entry->first_line) {
        trod_trail_print(sink, dag, step, n);
        return;
    }
    put_start(sink, entry, step[0]);
    for (uint32_t i = 1; i < n; i++) {
        if (is_worth_words(entry, step[i])) {
            trod_put(sink, "%s", gaps->item);
            put_decision(sink, entry, dag->origin_of_edge[step[i]]);
            put_condition(sink, map, entry, dag->shape.src_of_edge[step[i]], text);
        }
        if (dag->kind_of_edge[step[i]] == TROD_DAG_REAL)
            put_frame(sink, entry, dag->origin_of_edge[step[i]], gaps->item);
    }
    if (next == TROD_NONE)
        put_end(sink, map, entry, step[n - 1], gaps->end);
    else if (!trod_path_goes_on(dag, step[n - 1], next))
        put_end(sink, map, entry, step[n - 1], gaps->item);
}

static void put_chain(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id,
    const struct trod_condition_source *text, const struct gaps *gaps)
{
    trod_path path[TROD_ITERATIONS_MAX];
    unsigned n = trod_chain_decode(path, &entry->chain, id);

    for (unsigned i = 0; i < n; i++) {
        trod_edge next = TROD_NONE;

        if (i + 1 < n) {
            trod_number_decode(map->step, &entry->numbering, path[i + 1]);
            next = map->step[0];
        }
        trod_put(sink, "%s", i ? gaps->path : "");
        put_path(sink, map, entry, path[i], next, text, gaps);
    }
    if (!n)
        trod_put(sink, "no path");
}

void trod_path_print(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id,
    const struct trod_condition_source *text)
{
    static const struct gaps plain = {" ", " then ", " "};

    put_chain(sink, map, entry, id, text, &plain);
}

/* Items have blanks, and no control characters. */
static const struct gaps marks = {"\1", "\2", "\3"};

/* Cut a text where it has a mark; the number of pieces. */
static uint32_t cut(
    const char ***out, char *text, const char *mark, struct trod_arena *mem)
{
    const char **piece = trod_new(mem, const char *, strlen(text) + 1);
    uint32_t n = 0;

    while (text) {
        piece[n++] = text;
        text = strchr(text, *mark);
        if (text)
            *text++ = '\0';
    }
    *out = piece;
    return n;
}

/* The end of a chain does not belong to its last path, which may therefore equal those before. */
static void put_folded(struct trod_sink *sink, char *all, struct trod_arena *mem)
{
    char *end = strchr(all, *marks.end);
    const char **path, **item;
    struct trod_string one;
    uint32_t npath, n;

    if (end)
        *end++ = '\0';
    npath = cut(&path, all, marks.path, mem);
    for (uint32_t i = 0; i < npath; i++) {
        n = cut(&item, trod_copy_text(mem, path[i], strlen(path[i])), marks.item, mem);
        trod_string_init(&one, mem);
        trod_fold_put(&one.sink, item, n, " ");
        path[i] = one.text;
    }
    trod_fold_put_lists(sink, path, npath, " then ");
    if (end)
        trod_put(sink, "%s%s", *all ? " " : "", end);
}

void trod_path_print_folded(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id,
    const struct trod_condition_source *text, struct trod_arena *mem)
{
    struct trod_string all;

    if (!entry->first_line) {
        trod_path_print(sink, map, entry, id, text);
        return;
    }
    trod_string_init(&all, mem);
    put_chain(&all.sink, map, entry, id, text, &marks);
    put_folded(sink, all.text, mem);
}

/* --- some blocks of a path --------------------------------------------------------------- */

static void put_block_names(struct trod_sink *sink, const struct trod_dag *dag,
    const trod_edge *step, uint32_t from, uint32_t to)
{
    char name[16];

    for (uint32_t i = from; i < to; i++) {
        trod_put(sink, "%s", i > from ? " " : "");
        trod_put_name(sink,
            trod_graph_node_name(dag->graph, dag->shape.dst_of_edge[step[i]], name));
    }
}

void trod_path_print_blocks(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, const trod_edge *step, uint32_t nstep,
    uint32_t from, uint32_t to, struct trod_arena *mem)
{
    struct trod_string all;
    const char *blank = "";

    if (!entry->first_line) {
        put_block_names(sink, entry->numbering.dag, step, from, to);
        return;
    }
    trod_string_init(&all, mem);
    if (!from) {
        put_start(&all.sink, entry, step[0]);
        blank = marks.item;
    }
    for (uint32_t i = from + 1; i <= to; i++) {
        if (!is_worth_words(entry, step[i]))
            continue;
        trod_put(&all.sink, "%s", blank);
        put_decision(&all.sink, entry, entry->numbering.dag->origin_of_edge[step[i]]);
        blank = marks.item;
    }
    if (to + 1 == nstep)
        put_end(&all.sink, map, entry, step[nstep - 1], blank);
    put_folded(sink, all.text, mem);
}

/* --- single edges ------------------------------------------------------------------------ */

/* Is it the only branch on its line? */
static bool decides_alone(const struct trod_map_entry *entry, trod_node decider)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    struct trod_map_place place = trod_map_decision_place(entry, decider);

    for (trod_node v = 0; place.line && v < g->nnode; v++)
        if (v != decider && g->first_out[v + 1] - g->first_out[v] > 1 &&
            is_same_place(trod_map_decision_place(entry, v), place))
            return false;
    return place.line;
}

/* Is it the only start of a path on its line? */
static bool starts_alone(const struct trod_map_entry *entry, trod_edge start)
{
    const struct trod_graph *g = &entry->numbering.dag->shape;
    struct trod_map_place place = trod_path_loop_place(entry, g->dst_of_edge[start]);

    for (trod_edge e = g->first_out[g->entry];
        place.line && e < g->first_out[g->entry + 1]; e++)
        if (e != start && entry->numbering.dag->kind_of_edge[e] == TROD_DAG_START &&
            is_same_place(trod_path_loop_place(entry, g->dst_of_edge[e]), place))
            return false;
    return place.line;
}

/* In the form of a trail. A start has no block before it. */
static void put_blocks(struct trod_sink *sink, const struct trod_dag *dag, trod_edge e)
{
    trod_edge origin = dag->origin_of_edge[e];
    trod_node to = origin == TROD_NONE ? dag->shape.dst_of_edge[e]
                                       : dag->graph->dst_of_edge[origin];
    char name[16];

    if (origin != TROD_NONE) {
        trod_put_name(
            sink, trod_graph_node_name(dag->graph, dag->shape.src_of_edge[e], name));
        trod_put(sink, " ");
    }
    if (dag->kind_of_edge[e] != TROD_DAG_REAL)
        trod_put(sink, "> ");
    trod_put_name(sink, trod_graph_node_name(dag->graph, to, name));
}

void trod_edge_print(
    struct trod_sink *sink, const struct trod_map_entry *entry, trod_edge e)
{
    const struct trod_dag *dag = entry->numbering.dag;
    bool starts = dag->kind_of_edge[e] == TROD_DAG_START, alone;

    if (dag->kind_of_edge[e] == TROD_DAG_ENTER) {
        trod_put(sink, "entry");
    } else if (dag->kind_of_edge[e] == TROD_DAG_LEAVE) {
        trod_put(sink, "return");
    } else if (!entry->first_line || (!starts && !trod_path_decides(entry, e))) {
        put_blocks(sink, dag, e);
    } else {
        if (starts)
            put_start(sink, entry, e);
        else
            put_decision(sink, entry, dag->origin_of_edge[e]);
        alone = starts ? starts_alone(entry, e)
                       : decides_alone(entry, dag->shape.src_of_edge[e]);
        if (!alone) {
            trod_put(sink, " (");
            put_blocks(sink, dag, e);
            trod_put(sink, ")");
        }
    }
}
