#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/page.h"

/* In points. */
enum { INCH = 72, CHARACTER = 7, MARGIN = 14, HEIGHT = 36, NARROWEST = 44 };

/* --- sizes of blocks ---------------------------------------------------------------------------------------------- */

/* Without lines: an address, or "#" and a number. */
static int name_length(const struct trod_map_entry *entry, trod_node v)
{
    char buffer[16];

    return 1 +
           (int)strlen(trod_graph_node_name(entry->numbering.dag->graph, v, buffer));
}

/* "12", or "12-14". */
static int lines_length(const struct trod_map_entry *entry, trod_node v)
{
    uint32_t first = 0, last = 0;
    char text[32];

    for (uint32_t i = entry->first_line ? entry->first_line[v] : 0;
        entry->first_line && i < entry->first_line[v + 1]; i++) {
        uint32_t line = entry->line[i];

        if (!line)
            continue;
        first = !first || line < first ? line : first;
        last = line > last ? line : last;
    }
    if (!first)
        return name_length(entry, v);
    return first == last ? snprintf(text, sizeof text, "%u", first)
                         : snprintf(text, sizeof text, "%u-%u", first, last);
}

/* With thousands separators. */
static int count_length(uint64_t count)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%" PRIu64, count);

    return n + (n - 1) / 3;
}

struct trod_page_box trod_page_room(const struct trod_page_function *f, trod_node node)
{
    const struct trod_flow *flow = f->flow;
    int lines = lines_length(flow->entry, node);
    int count = count_length(flow->count_of_node ? flow->count_of_node[node] : 0);
    int width = CHARACTER * (lines > count ? lines : count) + MARGIN;

    return (struct trod_page_box){
        .width = width > NARROWEST ? width : NARROWEST, .height = HEIGHT};
}

/* For graphs with more blocks, an optimal layout would take minutes. */
enum { LARGE = 100 };

/* The curves that dot returns end where the arrowheads begin. */
void trod_page_dot(struct trod_sink *sink, const struct trod_page_function *f)
{
    const struct trod_graph *g = f->flow->entry->numbering.dag->graph;

    trod_put(sink, "digraph {\nnode [shape=box, fixedsize=true, label=\"\"];\n"
                   "nodesep=0.3;\nranksep=0.4;\n");
    if (g->nnode > LARGE)
        trod_put(sink, "nslimit=1;\nnslimit1=1;\n");
    for (trod_node v = 0; v < g->nnode; v++) {
        struct trod_page_box box = trod_page_room(f, v);

        trod_put(sink, "%u [width=%d.%02d, height=%d.%02d];\n", v,
            (int)box.width / INCH, (int)box.width % INCH * 100 / INCH,
            (int)box.height / INCH, (int)box.height % INCH * 100 / INCH);
    }
    for (trod_edge e = 0; e < g->nedge; e++)
        trod_put(sink, "%u -> %u;\n", g->src_of_edge[e], g->dst_of_edge[e]);
    trod_put(sink, "}\n");
}

/* --- positions that dot computed ---------------------------------------------------------------------------------- */

struct plain {
    const char *at, *end;
    bool ok;
    double height; /* of the drawing, in inches; y grows upwards */
};

/* The next word of a line; length 0 at the end of the line. */
static size_t word(struct plain *in, const char **out)
{
    while (in->at < in->end && *in->at == ' ')
        in->at++;
    *out = in->at;
    while (in->at < in->end && *in->at != ' ' && *in->at != '\n')
        in->at++;
    return (size_t)(in->at - *out);
}

static bool is_word(struct plain *in, const char *expected)
{
    const char *text;
    size_t length = word(in, &text);

    return length == strlen(expected) && memcmp(text, expected, length) == 0;
}

/* The text comes from another process, so anything but a number makes it invalid. */
static double number(struct plain *in)
{
    const char *text;
    size_t length = word(in, &text);
    char copy[40], *stop;
    double value;

    if (!length || length >= sizeof copy) {
        in->ok = false;
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    value = strtod(copy, &stop);
    if (*stop || !(value > -1e6 && value < 1e6))
        in->ok = false;
    return in->ok ? value : 0;
}

static uint32_t index_below(struct plain *in, uint32_t n)
{
    double value = number(in);

    if (!in->ok || value < 0 || value >= n || value != (double)(uint32_t)value) {
        in->ok = false;
        return 0;
    }
    return (uint32_t)value;
}

static void next_line(struct plain *in)
{
    while (in->at < in->end && *in->at != '\n')
        in->at++;
    in->at += in->at < in->end;
}

static void read_node(struct plain *in, struct trod_page_box *box, uint32_t nnode)
{
    uint32_t v = index_below(in, nnode);
    double x = number(in), y = number(in), width = number(in), height = number(in);

    if (in->ok)
        box[v] = (struct trod_page_box){
            INCH * x, INCH * (in->height - y), INCH * width, INCH * height};
}

static const char *read_curve(struct plain *in, struct trod_arena *mem)
{
    uint32_t n = index_below(in, 10000);
    struct trod_string curve;

    trod_string_init(&curve, mem);
    for (uint32_t i = 0; i < n && in->ok; i++) {
        double x = number(in), y = number(in);

        trod_put(&curve.sink, "%s%.1f,%.1f",
            i == 0   ? "M"
            : i == 1 ? "C"
                     : " ",
            INCH * x, INCH * (in->height - y));
    }
    return curve.text;
}

/* Parallel edges are interchangeable: assign the curve to the first one without a curve. */
static void read_edge(struct plain *in, const struct trod_graph *g, const char **curve,
    struct trod_arena *mem)
{
    uint32_t from = index_below(in, g->nnode), to = index_below(in, g->nnode);

    if (!in->ok)
        return;
    for (trod_edge e = g->first_out[from]; e < g->first_out[from + 1]; e++)
        if (g->dst_of_edge[e] == to && !curve[e]) {
            curve[e] = read_curve(in, mem);
            return;
        }
    in->ok = false;
}

static bool is_complete(const struct trod_graph *g, const struct trod_page_box *box,
    const char *const *curve)
{
    for (trod_node v = 0; v < g->nnode; v++)
        if (!(box[v].width > 0))
            return false;
    for (trod_edge e = 0; e < g->nedge; e++)
        if (!curve[e] || !*curve[e])
            return false;
    return true;
}

bool trod_page_layout_parse(struct trod_page_layout *out,
    const struct trod_page_function *function, const char *text, size_t length,
    struct trod_arena *mem)
{
    const struct trod_graph *g = function->flow->entry->numbering.dag->graph;
    struct plain in = {.at = text, .end = text + length, .ok = true};
    struct trod_page_box *box = trod_new(mem, struct trod_page_box, g->nnode);
    const char **curve = trod_new(mem, const char *, g->nedge);

    if (!is_word(&in, "graph"))
        return false;
    number(&in);
    out->width = INCH * number(&in);
    in.height = number(&in);
    out->height = INCH * in.height;
    for (next_line(&in); in.ok && in.at < in.end; next_line(&in)) {
        const char *kind;
        size_t n = word(&in, &kind);

        if (n == 4 && memcmp(kind, "node", 4) == 0)
            read_node(&in, box, g->nnode);
        else if (n == 4 && memcmp(kind, "edge", 4) == 0)
            read_edge(&in, g, curve, mem);
        else if (n == 4 && memcmp(kind, "stop", 4) == 0)
            break;
    }
    out->box_of_node = box;
    out->curve_of_edge = curve;
    return in.ok && is_complete(g, box, curve);
}
