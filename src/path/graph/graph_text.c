#include "graph/graph.h"
#include "base/parse.h"

#include <inttypes.h>
#include <string.h>

/* State of the parser. A name becomes a node at its first occurrence, at the start of a line or as a successor. */
struct reader {
    struct trod_parse in;
    const struct trod_body_reader *reader;
    struct trod_names names;
    struct trod_graph_builder builder;
    uint32_t *line_of_node; /* line that defines it; 0: none yet */
    uint32_t *used_of_node; /* line of its first use as a successor */
    uint8_t *leave_of_node; /* enum trod_leave */
    uint32_t room_line, room_used, room_leave;
    bool any_leaves;
    trod_node *start;
    uint32_t nstart, room_start;
    bool has_starts;
};

static trod_node node_of(struct reader *r, const char *name)
{
    trod_node v = trod_names_add(&r->names, name);

    while (r->room_line <= v)
        trod_reserve(r->in.mem, r->line_of_node, v, r->room_line);
    while (r->room_used <= v)
        trod_reserve(r->in.mem, r->used_of_node, v, r->room_used);
    while (r->room_leave <= v)
        trod_reserve(r->in.mem, r->leave_of_node, v, r->room_leave);
    return v;
}

static bool annotate(struct reader *r, enum trod_body_place place, uint32_t index)
{
    return !r->reader || !r->reader->annotate ||
           r->reader->annotate(
               r->reader->ctx, place, index, r->in.text, r->in.mem, r->in.err);
}

static bool read_weight(struct reader *r, struct trod_graph_arc *arc)
{
    struct trod_token token;

    if (!trod_parse_peek(&token, &r->in))
        return false;
    if (token.kind != TROD_T_MARK || token.mark != '*')
        return true;
    if (!trod_parse_next(&token, &r->in) || !trod_parse_next(&token, &r->in))
        return false;
    if (token.kind != TROD_T_NAME || !trod_text_uint(&arc->weight, token.name))
        return trod_parse_fail(&r->in, "'*' must be followed by how often the edge is "
                                       "taken, a whole number below 2^64");
    r->builder.weighted = true;
    return true;
}

/* One successor of src: `name`, `>name` or `.`, with weight and annotation. */
static bool read_successor(struct reader *r, trod_node src, struct trod_token token)
{
    bool cut = trod_token_is_mark(&token, '>');
    uint32_t a = r->builder.narc;
    trod_node dst;

    if (cut && !trod_parse_next(&token, &r->in))
        return false;
    if (token.kind != TROD_T_NAME)
        return trod_parse_fail(&r->in,
            "expected the name of a successor of '%s'; names with other "
            "characters than letters, digits and _ . $ %% @ go in \"quotes\"",
            r->names.name[src]);
    if (!token.quoted && strcmp(token.name, ".") == 0) {
        if (cut || !r->reader)
            return trod_parse_fail(&r->in,
                "'.' stands for the exit edge and cannot be a successor here; remove it, or quote it");
        return annotate(r, TROD_BODY_EXIT, src);
    }
    dst = node_of(r, token.name);
    if (!r->used_of_node[dst])
        r->used_of_node[dst] = r->in.text->line;
    trod_graph_builder_add(&r->builder, src, dst);
    r->builder.arc[a].cut = cut;
    return read_weight(r, &r->builder.arc[a]) && annotate(r, TROD_BODY_ARC, a);
}

/* The starts of paths: `>: name name ...` */
static bool read_starts(struct reader *r)
{
    struct trod_token token;

    if (r->has_starts)
        return trod_parse_fail(&r->in, "a second '>:' line; write the starts in one");
    r->has_starts = true;
    for (;;) {
        if (!trod_parse_next(&token, &r->in))
            return false;
        if (token.kind == TROD_T_LINE || token.kind == TROD_T_END)
            return true;
        if (token.kind != TROD_T_NAME)
            return trod_parse_fail(&r->in, "expected the name of a block that paths "
                                           "start at");
        trod_reserve(r->in.mem, r->start, r->nstart, r->room_start);
        r->start[r->nstart] = node_of(r, token.name);
        if (!r->used_of_node[r->start[r->nstart]])
            r->used_of_node[r->start[r->nstart]] = r->in.text->line;
        if (!annotate(r, TROD_BODY_START, r->nstart++))
            return false;
    }
}

static bool read_node(struct reader *r, trod_node v)
{
    struct trod_token token;

    if (r->line_of_node[v])
        return trod_parse_fail(&r->in,
            "node '%s' has a line already, line %u; write "
            "all its successors there",
            r->names.name[v], r->line_of_node[v]);
    r->line_of_node[v] = r->in.text->line;
    for (;;) {
        if (!trod_parse_next(&token, &r->in))
            return false;
        if (token.kind == TROD_T_LINE || token.kind == TROD_T_END)
            return true;
        if (!read_successor(r, v, token))
            return false;
    }
}

/* Does the next line begin another section? Such a line has two words, as `graph NAME`; a node line has a colon after
 * the first.
 */
static bool at_section(struct reader *r, bool *out)
{
    struct trod_text ahead = *r->in.text;
    struct trod_token token;

    if (!trod_text_next(&token, &ahead, r->in.mem, r->in.err))
        return false;
    *out = token.kind == TROD_T_END;
    if (token.kind != TROD_T_NAME)
        return true;
    if (!trod_text_next(&token, &ahead, r->in.mem, r->in.err))
        return false;
    *out = token.kind == TROD_T_NAME;
    return true;
}

static bool read_line(struct reader *r, bool *first)
{
    struct trod_token head, colon;
    uint8_t leave = TROD_STAYS;
    bool starts;
    trod_node v;

    if (!trod_parse_next(&head, &r->in) || !trod_parse_next(&colon, &r->in))
        return false;
    starts = trod_token_is_mark(&head, '>');
    for (; !starts && leave < TROD_RETURNS_AGAIN && trod_token_is_mark(&colon, '!');
        leave++)
        if (!trod_parse_next(&colon, &r->in))
            return false;
    if ((head.kind != TROD_T_NAME && !(starts && r->reader)) ||
        !trod_token_is_mark(&colon, ':'))
        return trod_parse_fail(&r->in,
            "expected a line 'node: successor successor ...' "
            "or the head of the next section, such as "
            "'graph NAME'");
    if (starts)
        return read_starts(r);
    if (!head.quoted && strcmp(head.name, ".") == 0)
        return trod_parse_fail(&r->in,
            "'.' stands for the exit edge and has no line; quote it if it is the name of a node");
    v = node_of(r, head.name);
    if (*first)
        r->builder.entry = v;
    *first = false;
    r->leave_of_node[v] = leave;
    r->any_leaves |= leave != TROD_STAYS;
    return read_node(r, v);
}

static bool all_have_lines(const struct reader *r, const char *name)
{
    for (trod_node v = 0; v < r->names.count; v++) {
        struct trod_text place = *r->in.text;

        place.line = r->used_of_node[v];
        if (!r->line_of_node[v])
            return trod_text_fail(&place, r->in.err,
                "node '%s' of '%s' has no line of its own; add '%s:' (an exit), "
                "or correct the name",
                r->names.name[v], name, r->names.name[v]);
    }
    return true;
}

/* Nodes are numbered by line, not by first occurrence, so that successor lists do not affect the order of blocks. */
static const trod_node *number_by_line(struct reader *r)
{
    struct trod_mark mark;
    uint32_t n = r->names.count;
    const char **name = trod_new(r->in.mem, const char *, n);
    uint8_t *leave = r->any_leaves ? trod_new(r->in.mem, uint8_t, n) : NULL;
    trod_node *rank = trod_new(r->in.mem, trod_node, n);
    /* The entry's line is the first of this graph; the file may have other graphs before it. */
    uint32_t *by_line, first = r->line_of_node[r->builder.entry], last = first;

    mark = trod_arena_mark(r->in.mem);
    for (trod_node v = 0; v < n; v++)
        if (r->line_of_node[v] > last)
            last = r->line_of_node[v];
    by_line = trod_new(r->in.mem, uint32_t, (size_t)(last - first) + 1);
    for (trod_node v = 0; v < n; v++)
        by_line[r->line_of_node[v] - first] = v + 1;
    for (uint32_t line = 0, k = 0; line <= last - first; line++) {
        if (by_line[line]) {
            rank[by_line[line] - 1] = k;
            if (leave)
                leave[k] = r->leave_of_node[by_line[line] - 1];
            name[k++] = r->names.name[by_line[line] - 1];
        }
    }
    trod_arena_rewind(r->in.mem, mark);
    for (uint32_t a = 0; a < r->builder.narc; a++) {
        r->builder.arc[a].src = rank[r->builder.arc[a].src];
        r->builder.arc[a].dst = rank[r->builder.arc[a].dst];
    }
    for (uint32_t i = 0; i < r->nstart; i++)
        r->start[i] = rank[r->start[i]];
    r->builder.entry = rank[r->builder.entry];
    r->builder.name_of_node = name;
    r->builder.leave_of_node = leave;
    r->builder.nnode = n;
    return rank;
}

/* Report why there is not even a first line: the input ends, or the line is malformed. */
static bool no_nodes(struct reader *r, const char *name)
{
    struct trod_text ahead = *r->in.text;
    struct trod_token token;

    if (!trod_text_next(&token, &ahead, r->in.mem, r->in.err))
        return false;
    if (token.kind == TROD_T_NAME && (token.quoted || !trod_text_is_head(token.name)))
        return trod_text_fail(&ahead, r->in.err,
            "a node's line has a colon after the node's name: write '%s: ...'",
            token.name);
    return trod_parse_fail(
        &r->in, "'%s' has no nodes; add a line 'node: successor ...'", name);
}

bool trod_graph_parse_body(struct trod_graph_body *out, const char *name,
    struct trod_text *text, const struct trod_body_reader *reader,
    struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.in = {text, mem, err}, .reader = reader};
    trod_edge *edge_of_arc;
    uint32_t *next_out;
    bool section = false, first = true;

    trod_names_init(&r.names, mem);
    trod_graph_builder_init(&r.builder, name, mem);
    for (;;) {
        if (!at_section(&r, &section))
            return false;
        if (section)
            break;
        if (!read_line(&r, &first))
            return false;
    }
    if (first)
        return no_nodes(&r, name);
    if (!all_have_lines(&r, name))
        return false;
    out->node_of_name = number_by_line(&r);
    trod_graph_build(&out->graph, &r.builder);

    edge_of_arc = trod_new(mem, trod_edge, r.builder.narc);
    next_out = trod_new(mem, uint32_t, r.builder.nnode);
    memcpy(next_out, out->graph.first_out, r.builder.nnode * sizeof *next_out);
    for (uint32_t a = 0; a < r.builder.narc; a++)
        edge_of_arc[a] = next_out[r.builder.arc[a].src]++;
    out->edge_of_arc = edge_of_arc;
    out->start = r.start;
    out->nstart = r.nstart;
    out->has_starts = r.has_starts;
    return true;
}

bool trod_graph_parse(struct trod_graph *out, bool *more, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_graph_body body;
    struct trod_token token;
    const char *name;

    do
        if (!trod_text_next(&token, text, mem, err))
            return false;
    while (token.kind == TROD_T_LINE);
    *more = token.kind != TROD_T_END;
    if (!*more)
        return true;
    if (token.kind != TROD_T_NAME || strcmp(token.name, "graph") != 0)
        return trod_text_fail(text, err,
            "expected 'graph NAME', found '%s'; a node's "
            "line has a colon after the node's name",
            token.kind == TROD_T_NAME ? token.name : (char[2]){token.mark});
    if (!trod_text_next(&token, text, mem, err))
        return false;
    if (token.kind != TROD_T_NAME)
        return trod_text_fail(text, err, "'graph' must be followed by a name");
    name = token.name;

    if (!trod_text_next(&token, text, mem, err))
        return false;
    if (token.kind != TROD_T_LINE && token.kind != TROD_T_END)
        return trod_text_fail(text, err,
            "more than one word after 'graph'; names with "
            "blanks go in \"quotes\"");
    if (!trod_graph_parse_body(&body, name, text, NULL, mem, err))
        return false;
    *out = body.graph;
    return true;
}

void trod_graph_print_node(
    struct trod_sink *sink, const struct trod_graph *graph, trod_node v)
{
    static const char *const mark[] = {
        [TROD_STAYS] = "", [TROD_MAY_LEAVE] = "!", [TROD_RETURNS_AGAIN] = "!!"};
    char buffer[16];

    trod_put_name(sink, trod_graph_node_name(graph, v, buffer));
    trod_put(sink, "%s:", mark[trod_graph_leave(graph, v)]);
}

static void print_node(
    struct trod_sink *sink, const struct trod_graph *graph, trod_node v)
{
    char buffer[16];

    trod_graph_print_node(sink, graph, v);
    for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
        trod_put(sink, graph->cut_of_edge && graph->cut_of_edge[e] ? " >" : " ");
        trod_put_name(sink, trod_graph_node_name(graph, graph->dst_of_edge[e], buffer));
        if (graph->weight_of_edge)
            trod_put(sink, "*%" PRIu64, graph->weight_of_edge[e]);
    }
    trod_put(sink, "\n");
}

void trod_graph_print(struct trod_sink *sink, const struct trod_graph *graph)
{
    trod_put(sink, "graph ");
    trod_put_name(sink, graph->name);
    trod_put(sink, "\n");
    print_node(sink, graph, graph->entry);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (v != graph->entry)
            print_node(sink, graph, v);
}

void trod_graph_json(
    struct trod_json *json, const char *key, const struct trod_graph *graph)
{
    char buffer[16];

    trod_json_open(json, key, '{');
    trod_json_text(json, "name", graph->name);
    trod_json_text(json, "entry", trod_graph_node_name(graph, graph->entry, buffer));
    trod_json_open(json, "nodes", '[');
    for (trod_node v = 0; v < graph->nnode; v++)
        trod_json_text(json, NULL, trod_graph_node_name(graph, v, buffer));
    trod_json_close(json, ']');
    for (int leave = TROD_MAY_LEAVE;
        leave <= TROD_RETURNS_AGAIN && graph->leave_of_node; leave++) {
        trod_json_open(
            json, leave == TROD_MAY_LEAVE ? "may_leave" : "returns_again", '[');
        for (trod_node v = 0; v < graph->nnode; v++)
            if (graph->leave_of_node[v] == leave)
                trod_json_uint(json, NULL, v);
        trod_json_close(json, ']');
    }
    trod_json_open(json, "edges", '[');
    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "source", graph->src_of_edge[e]);
        trod_json_uint(json, "target", graph->dst_of_edge[e]);
        if (graph->weight_of_edge)
            trod_json_uint(json, "weight", graph->weight_of_edge[e]);
        if (graph->cut_of_edge && graph->cut_of_edge[e])
            trod_json_bool(json, "cut", true);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
