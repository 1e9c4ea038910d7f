#include "graph/graph.h"

/* Escape text for a quoted label. Bytes that are not UTF-8 become \xNN, and an ampersand is escaped because it would
 * begin an entity.
 */
void trod_graph_put_label(struct trod_sink *sink, const char *label)
{
    const unsigned char *at = (const unsigned char *)label;

    while (*at) {
        size_t length = trod_utf8_length((const char *)at);

        if (*at == '"' || *at == '\\')
            trod_put(sink, "\\%c", *at);
        else if (*at == '&')
            trod_put(sink, "&amp;");
        else if (*at == '\n')
            trod_put(sink, "\\n");
        else if (length == 0 || *at < 0x20 || *at == 0x7f)
            trod_put(sink, "\\\\x%02x", *at);
        else
            sink->put(sink, (const char *)at, length);
        at += length ? length : 1;
    }
}

static void put_indent(struct trod_sink *sink, uint32_t depth)
{
    trod_put(sink, "%*s", (int)(4 * (depth + 1)), "");
}

static void put_node(struct trod_sink *sink, const struct trod_graph *graph,
    const struct trod_graph_style *drawing, trod_node v, uint32_t depth)
{
    const char *more =
        drawing->label_of_node ? drawing->label_of_node(drawing->ctx, v) : NULL;
    bool is_exit = graph->first_out[v] == graph->first_out[v + 1];
    char number[16];

    put_indent(sink, depth);
    trod_put(sink, "n%u [label=\"", v);
    trod_graph_put_label(sink, trod_graph_node_name(graph, v, number));
    if (more && *more) {
        trod_put(sink, "\\n");
        trod_graph_put_label(sink, more);
    }
    trod_put(sink, "\"");
    if (v == graph->entry)
        trod_put(sink, ", style=\"rounded,bold\"");
    else if (is_exit)
        trod_put(sink, ", style=rounded");
    trod_put(sink, "];\n");
}

/* The nodes whose innermost loop is `loop`; TROD_NONE: nodes outside of all loops. */
static void put_nodes(struct trod_sink *sink, const struct trod_graph *graph,
    const struct trod_graph_style *drawing, uint32_t loop)
{
    const struct trod_loops *loops = drawing->loops;
    uint32_t depth = loop == TROD_NONE ? 0 : loops->depth_of_loop[loop];

    for (trod_node v = 0; v < graph->nnode; v++)
        if (!loops || loops->loop_of_node[v] == loop)
            put_node(sink, graph, drawing, v, depth);
}

/* The first loop from `from` on whose parent is `parent`. */
static uint32_t next_in(const struct trod_loops *loops, uint32_t parent, uint32_t from)
{
    while (from < loops->nloop && loops->parent_of_loop[from] != parent)
        from++;
    return from < loops->nloop ? from : TROD_NONE;
}

static void open_box(struct trod_sink *sink, const struct trod_graph *graph,
    const struct trod_graph_style *drawing, uint32_t loop)
{
    uint32_t depth = drawing->loops->depth_of_loop[loop];
    bool irreducible = drawing->loops->irreducible_of_loop[loop];

    put_indent(sink, depth - 1);
    trod_put(sink, "subgraph cluster_%u {\n", loop);
    put_indent(sink, depth);
    trod_put(sink, "label=\"%s\";\n", irreducible ? "irreducible" : "");
    put_nodes(sink, graph, drawing, loop);
}

/* Close the box of a loop without further inner loops, and those around it that end there as well. Returns the next
 * loop to open.
 */
static uint32_t close_boxes(
    struct trod_sink *sink, const struct trod_loops *loops, uint32_t loop)
{
    while (loop != TROD_NONE) {
        uint32_t parent = loops->parent_of_loop[loop];
        uint32_t sibling = next_in(loops, parent, loop + 1);

        put_indent(sink, loops->depth_of_loop[loop] - 1);
        trod_put(sink, "}\n");
        if (sibling != TROD_NONE)
            return sibling;
        loop = parent;
    }
    return TROD_NONE;
}

static void put_boxes(struct trod_sink *sink, const struct trod_graph *graph,
    const struct trod_graph_style *drawing)
{
    const struct trod_loops *loops = drawing->loops;
    uint32_t loop = next_in(loops, TROD_NONE, 0);

    while (loop != TROD_NONE) {
        uint32_t child = next_in(loops, loop, loop + 1);

        open_box(sink, graph, drawing, loop);
        loop = child != TROD_NONE ? child : close_boxes(sink, loops, loop);
    }
}

static void put_edge(struct trod_sink *sink, const struct trod_graph *graph,
    const struct trod_graph_style *drawing, trod_edge e)
{
    static const char *const style_if_cut_if_lit[2][2] = {
        {"solid", "bold"},
        {"dashed", "\"dashed,bold\""},
    };
    const char *label =
        drawing->label_of_edge ? drawing->label_of_edge(drawing->ctx, e) : NULL;
    bool lit = drawing->lit_edge && trod_has(drawing->lit_edge, e);
    bool cut = drawing->cut_edge && trod_has(drawing->cut_edge, e);

    trod_put(sink, "    n%u -> n%u [style=%s", graph->src_of_edge[e],
        graph->dst_of_edge[e], style_if_cut_if_lit[cut][lit]);
    /* Otherwise dot would draw loops upside down. */
    if (cut)
        trod_put(sink, ", constraint=false");
    if (label && *label) {
        trod_put(sink, ", label=\"");
        trod_graph_put_label(sink, label);
        trod_put(sink, "\"");
    }
    trod_put(sink, "];\n");
}

void trod_graph_draw(struct trod_sink *sink, const struct trod_graph *graph,
    const struct trod_graph_style *drawing)
{
    trod_put(sink, "digraph {\n    label=\"");
    trod_graph_put_label(sink, graph->name ? graph->name : "");
    trod_put(sink, "\";\n    node [shape=box];\n");
    put_nodes(sink, graph, drawing, TROD_NONE);
    if (drawing->loops)
        put_boxes(sink, graph, drawing);
    for (trod_edge e = 0; e < graph->nedge; e++)
        put_edge(sink, graph, drawing, e);
    trod_put(sink, "}\n");
}
