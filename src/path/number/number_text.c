#include "number/number.h"

#include <inttypes.h>
#include <string.h>

/* --- printing -------------------------------------------------------------------------- */

static void print_value(struct trod_sink *sink, int64_t value)
{
    if (value)
        trod_put(sink, "%+" PRId64, value);
}

static void print_node_name(
    struct trod_sink *sink, const struct trod_graph *graph, trod_node v)
{
    char buffer[16];

    trod_put_name(sink, trod_graph_node_name(graph, v, buffer));
}

static void print_starts(struct trod_sink *sink, const struct trod_numbering *n)
{
    const struct trod_graph *g = &n->dag->shape;

    trod_put(sink, ">:");
    for (trod_edge e = g->first_out[g->entry]; e < g->first_out[g->entry + 1]; e++) {
        trod_put(sink, " ");
        print_node_name(sink, n->dag->graph, g->dst_of_edge[e]);
        print_value(sink, n->val_of_edge[e]);
    }
    trod_put(sink, "\n");
}

static void print_node(
    struct trod_sink *sink, const struct trod_numbering *n, trod_node v)
{
    const struct trod_dag *dag = n->dag;
    const struct trod_graph *graph = dag->graph;
    trod_edge leave = dag->shape.first_out[v];

    trod_graph_print_node(sink, graph, v);
    for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
        trod_edge d = dag->dag_of_edge[e];
        bool cut = d != TROD_NONE ? dag->kind_of_edge[d] == TROD_DAG_END
                                  : graph->cut_of_edge && graph->cut_of_edge[e];

        trod_put(sink, cut ? " >" : " ");
        print_node_name(sink, graph, graph->dst_of_edge[e]);
        if (graph->weight_of_edge)
            trod_put(sink, "*%" PRIu64, graph->weight_of_edge[e]);
        if (d != TROD_NONE)
            print_value(sink, n->val_of_edge[d]);
    }
    if (leave < dag->shape.first_out[v + 1] &&
        dag->kind_of_edge[leave] == TROD_DAG_LEAVE && n->val_of_edge[leave]) {
        trod_put(sink, " .");
        print_value(sink, n->val_of_edge[leave]);
    }
    trod_put(sink, "\n");
}

void trod_number_print(struct trod_sink *sink, const struct trod_numbering *numbering)
{
    const struct trod_graph *graph = numbering->dag->graph;

    trod_put(sink, "numbering ");
    trod_put_name(sink, graph->name);
    trod_put(sink, " %s", trod_number_kind_name(numbering->kind));
    if (numbering->kind == TROD_PACKED)
        trod_put(
            sink, " %u%s", numbering->low_bits, numbering->low_signed ? " signed" : "");
    trod_put(sink, "\n");
    print_starts(sink, numbering);
    print_node(sink, numbering, graph->entry);
    for (trod_node v = 0; v < graph->nnode; v++)
        if (v != graph->entry)
            print_node(sink, numbering, v);
}

static void json_edge(
    struct trod_json *json, const struct trod_numbering *n, trod_edge e)
{
    static const char *const kind[] = {"real", "enter", "start", "end", "leave"};
    const struct trod_dag *dag = n->dag;
    trod_node u = dag->shape.src_of_edge[e], v = dag->shape.dst_of_edge[e];

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "kind", kind[dag->kind_of_edge[e]]);
    if (u != dag->shape.entry)
        trod_json_uint(json, "source", u);
    if (dag->kind_of_edge[e] == TROD_DAG_END)
        v = dag->graph->dst_of_edge[dag->origin_of_edge[e]];
    if (v != dag->exit)
        trod_json_uint(json, "target", v);
    trod_json_int(json, "value", n->val_of_edge[e]);
    trod_json_close(json, '}');
}

void trod_number_json(
    struct trod_json *json, const char *key, const struct trod_numbering *numbering)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "kind", trod_number_kind_name(numbering->kind));
    if (numbering->kind == TROD_BALLARUS)
        trod_json_uint(json, "paths", numbering->npath);
    if (numbering->kind == TROD_PACKED) {
        trod_json_uint(json, "low_bits", numbering->low_bits);
        trod_json_bool(json, "low_signed", numbering->low_signed);
    }
    trod_json_int(json, "smallest_sum", numbering->min);
    trod_json_int(json, "largest_sum", numbering->max);
    trod_json_open(json, "edges", '[');
    for (trod_edge e = 0; e < numbering->dag->shape.nedge; e++)
        json_edge(json, numbering, e);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}

/* --- parsing ----------------------------------------------------------------------------- */

/* Values as they are read, before the edges are numbered. */
struct values {
    int64_t *of_start, *of_arc, *of_exit;
    uint32_t nstart, narc, nexit, room_start, room_arc, room_exit;
};

/* `+N` or `-N`, or nothing: 0. */
static bool read_value(
    int64_t *out, struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_token sign, digits;
    uint64_t size;

    *out = 0;
    if (!trod_text_peek(&sign, text, mem, err))
        return false;
    if (sign.kind != TROD_T_MARK || (sign.mark != '+' && sign.mark != '-'))
        return true;
    if (!trod_text_next(&sign, text, mem, err) ||
        !trod_text_next(&digits, text, mem, err))
        return false;
    if (digits.kind != TROD_T_NAME || !trod_text_uint(&size, digits.name) ||
        size > (uint64_t)INT64_MAX + (sign.mark == '-'))
        return trod_text_fail(
            text, err, "'%c' must be followed by a value below 2^63", sign.mark);
    *out = (int64_t)(sign.mark == '-' ? 0 - size : size);
    return true;
}

static bool annotate(void *ctx, enum trod_body_place place, uint32_t index,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct values *v = ctx;
    int64_t value;

    if (!read_value(&value, text, mem, err))
        return false;
    switch (place) {
    case TROD_BODY_START:
        trod_reserve(mem, v->of_start, index, v->room_start);
        v->of_start[index] = value;
        break;
    case TROD_BODY_ARC:
        trod_reserve(mem, v->of_arc, index, v->room_arc);
        v->of_arc[index] = value;
        break;
    case TROD_BODY_EXIT:
        while (v->room_exit <= index)
            trod_reserve(mem, v->of_exit, v->room_exit, v->room_exit);
        v->of_exit[index] = value;
        break;
    }
    return true;
}

static bool read_kind(struct trod_numbering *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_token token;
    uint64_t bits;
    int kind = TROD_BALLARUS;

    if (!trod_text_next(&token, text, mem, err))
        return false;
    while (kind <= TROD_PACKED &&
           (token.kind != TROD_T_NAME ||
               strcmp(token.name, trod_number_kind_name(kind)) != 0))
        kind++;
    if (kind > TROD_PACKED)
        return trod_text_fail(text, err,
            "a numbering is ballarus, selective, preferential, length or packed; write one of "
            "them after its name");
    out->kind = kind;
    if (!trod_text_next(&token, text, mem, err))
        return false;
    if (kind == TROD_PACKED) {
        if (token.kind != TROD_T_NAME || !trod_text_uint(&bits, token.name) ||
            bits > 63)
            return trod_text_fail(text, err,
                "'packed' must be followed by the width of the "
                "low sum in bits, 0 to 63");
        out->low_bits = (unsigned)bits;
        if (!trod_text_next(&token, text, mem, err))
            return false;
        out->low_signed =
            token.kind == TROD_T_NAME && strcmp(token.name, "signed") == 0;
        if (out->low_signed && !trod_text_next(&token, text, mem, err))
            return false;
    }
    return token.kind == TROD_T_LINE || token.kind == TROD_T_END ||
           trod_text_fail(text, err, "unexpected text after 'numbering'");
}

/* Does some uncut edge retreat, but none after the cut edges are removed? */
static bool is_marked(const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_order order, rest = {0};
    bool more = false;

    trod_graph_order(&order, graph, mem);
    for (trod_edge e = 0; graph->cut_of_edge && e < graph->nedge; e++)
        more |= trod_has(order.retreating, e) && !graph->cut_of_edge[e];
    if (more)
        trod_graph_order_marked(&rest, graph, mem);
    more = more && !rest.nretreating;
    trod_arena_rewind(mem, mark);
    return more;
}

/* Every cycle must contain a cut edge, since the values are those of a DAG. */
static bool check_cuts(const struct trod_graph *graph, const struct trod_order *order,
    const struct trod_text *text, struct trod_err *err)
{
    char from[16], to[16];

    for (trod_edge e = 0; e < graph->nedge; e++)
        if (trod_has(order->retreating, e) &&
            !(graph->cut_of_edge && graph->cut_of_edge[e]))
            return trod_text_fail(text, err,
                "a numbering needs a graph without cycles, and edge %s -> %s of "
                "'%s' closes one; cut it: write '>%s'",
                trod_graph_node_name(graph, graph->src_of_edge[e], from),
                trod_graph_node_name(graph, graph->dst_of_edge[e], to), graph->name,
                trod_graph_node_name(graph, graph->dst_of_edge[e], to));
    return true;
}

static bool place_starts(int64_t *val, const struct trod_dag *dag,
    const struct trod_graph_body *body, const struct values *v,
    const struct trod_text *text, struct trod_err *err)
{
    const struct trod_graph *g = &dag->shape;
    trod_edge first = g->first_out[g->entry], last = g->first_out[g->entry + 1];

    if (!body->has_starts)
        return true;
    if (body->nstart != last - first)
        return trod_text_fail(text, err,
            "'%s' has %u starts, the '>:' line names %u; name "
            "the entry and then every target of a cut, in the "
            "order of their lines",
            dag->graph->name, last - first, body->nstart);
    for (uint32_t i = 0; i < body->nstart; i++) {
        char wanted[16], named[16];

        if (g->dst_of_edge[first + i] != body->start[i])
            return trod_text_fail(text, err,
                "start %u of '%s' must be '%s', not '%s': the entry first, then "
                "every target of a cut, in the order of their lines",
                i + 1, dag->graph->name,
                trod_graph_node_name(dag->graph, g->dst_of_edge[first + i], wanted),
                trod_graph_node_name(dag->graph, body->start[i], named));
        val[first + i] = v->of_start[i];
    }
    return true;
}

static bool place_values(int64_t *val, const struct trod_dag *dag,
    const struct trod_graph_body *body, const struct values *v,
    const struct trod_text *text, struct trod_err *err)
{
    char name[16];

    for (uint32_t a = 0; a < dag->graph->nedge; a++) {
        trod_edge e = dag->dag_of_edge[body->edge_of_arc[a]];

        if (e != TROD_NONE)
            val[e] = v->of_arc[a];
    }
    for (uint32_t i = 0; i < v->room_exit; i++) {
        trod_edge leave;

        if (!v->of_exit[i])
            continue;
        leave = dag->shape.first_out[body->node_of_name[i]];
        if (leave == dag->shape.first_out[body->node_of_name[i] + 1] ||
            dag->kind_of_edge[leave] != TROD_DAG_LEAVE)
            return trod_text_fail(text, err,
                "'.' gives '%s' of '%s' an exit edge, but it has successors or is unreachable; "
                "remove it",
                trod_graph_node_name(dag->graph, body->node_of_name[i], name),
                dag->graph->name);
        val[leave] = v->of_exit[i];
    }
    return place_starts(val, dag, body, v, text, err);
}

/* A Ball-Larus numbering must have dense ids: decoding relies on it. */
static bool adopt_ballarus(struct trod_numbering *out, const struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_numbering own;
    char from[16], to[16];

    if (!trod_number_ballarus(&own, out->dag, mem, err))
        return false;
    for (trod_edge e = 0; e < out->dag->shape.nedge; e++) {
        trod_node u = out->dag->shape.src_of_edge[e];
        trod_node v = out->dag->shape.dst_of_edge[e];

        if (own.val_of_edge[e] != out->val_of_edge[e])
            return trod_text_fail(text, err,
                "edge %s -> %s of '%s' must have value %" PRId64
                " in a Ball-Larus numbering, not %" PRId64
                "; correct it, or call the numbering preferential",
                u < out->dag->graph->nnode
                    ? trod_graph_node_name(out->dag->graph, u, from)
                    : ">",
                v < out->dag->graph->nnode
                    ? trod_graph_node_name(out->dag->graph, v, to)
                    : ".",
                out->dag->graph->name, own.val_of_edge[e], out->val_of_edge[e]);
    }
    *out = own;
    return true;
}

bool trod_number_parse(struct trod_numbering *out, const char *name,
    struct trod_text *text, struct trod_arena *mem, struct trod_err *err)
{
    struct values values = {0};
    struct trod_body_reader reader = {.annotate = annotate, .ctx = &values};
    struct trod_graph_body *body = trod_new(mem, struct trod_graph_body, 1);
    struct trod_view *view = trod_new(mem, struct trod_view, 1);
    struct trod_text place = *text;
    int64_t *val;

    *out = (struct trod_numbering){0};
    if (!read_kind(out, text, mem, err) ||
        !trod_graph_parse_body(body, name, text, &reader, mem, err))
        return false;
    body->graph.marked = is_marked(&body->graph, mem);
    trod_graph_view(view, &body->graph, NULL, mem);
    if (!check_cuts(&body->graph, &view->order, &place, err))
        return false;
    val = trod_new(mem, int64_t, view->dag.shape.nedge);
    if (!place_values(val, &view->dag, body, &values, &place, err))
        return false;
    out->dag = &view->dag;
    out->val_of_edge = val;
    if (!trod_number_range(&out->min, &out->max, out->dag, val, mem, err))
        return false;
    return out->kind != TROD_BALLARUS || adopt_ballarus(out, &place, mem, err);
}
