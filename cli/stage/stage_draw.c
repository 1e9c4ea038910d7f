#include "stage/subject.h"

#include <inttypes.h>

#include "graphviz/graphviz.h"

/* --- graphs ----------------------------------------------------------------------- */

/* The cut edges of a DAG's graph, as a set. */
static const uint64_t *cuts_of(const struct trod_dag *dag, struct trod_arena *mem)
{
    uint64_t *cut = trod_new(mem, uint64_t, TROD_WORDS(dag->graph->nedge));

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_END)
            trod_add(cut, dag->origin_of_edge[e]);
    return cut;
}

void cli_draw_graph(struct cli *cli, const struct trod_view *view)
{
    struct trod_graph_style drawing = {
        .cut_edge = cuts_of(&view->dag, &cli->mem), .loops = &view->loops};

    trod_graph_draw(&cli->out.sink, view->dag.graph, &drawing);
}

/* --- numberings ------------------------------------------------------------------- */

struct labels {
    struct trod_arena *mem;
    const struct trod_numbering *numbering;
    const struct trod_plan *plan;
};

/* The value of an edge; for a cut edge also that of the START edge after it. */
static const char *value_of_edge(void *ctx, trod_edge edge)
{
    const struct labels *l = ctx;
    const struct trod_dag *dag = l->numbering->dag;
    const int64_t *val = l->numbering->val_of_edge;
    trod_edge d = dag->dag_of_edge[edge];
    struct trod_string text;

    if (d == TROD_NONE)
        return NULL;
    trod_string_init(&text, l->mem);
    if (val[d])
        trod_put(&text.sink, "%+" PRId64, val[d]);
    if (dag->kind_of_edge[d] == TROD_DAG_END) {
        trod_edge start = dag->start_of_node[dag->graph->dst_of_edge[edge]];

        if (val[start])
            trod_put(&text.sink, " > %+" PRId64, val[start]);
    }
    return text.text;
}

/* Values of the edges into and out of the function. */
static const char *value_of_node(void *ctx, trod_node node)
{
    const struct labels *l = ctx;
    const struct trod_dag *dag = l->numbering->dag;
    const int64_t *val = l->numbering->val_of_edge;
    trod_edge enter = dag->shape.first_out[dag->shape.entry];
    trod_edge leave = dag->shape.first_out[node];
    struct trod_string text;

    trod_string_init(&text, l->mem);
    if (node == dag->graph->entry && val[enter])
        trod_put(&text.sink, "> %+" PRId64, val[enter]);
    if (leave < dag->shape.first_out[node + 1] &&
        dag->kind_of_edge[leave] == TROD_DAG_LEAVE && val[leave])
        trod_put(&text.sink, ". %+" PRId64, val[leave]);
    return text.text;
}

/* The edges of paths of interest, as a set, if there are any. */
static const uint64_t *lit_edges(const struct cli_numbered *n, struct trod_arena *mem)
{
    uint64_t *lit;

    if (!n->has_interest)
        return NULL;
    lit = trod_new(mem, uint64_t, TROD_WORDS(n->dag->graph->nedge));
    for (trod_edge e = 0; e < n->dag->shape.nedge; e++)
        if (trod_has(n->interest.edges, e) && n->dag->origin_of_edge[e] != TROD_NONE)
            trod_add(lit, n->dag->origin_of_edge[e]);
    return lit;
}

void cli_draw_numbering(struct cli *cli, const struct cli_numbered *numbered)
{
    struct labels labels = {.mem = &cli->mem, .numbering = &numbered->numbering};
    struct trod_graph_style drawing = {
        .label_of_edge = value_of_edge,
        .label_of_node = value_of_node,
        .ctx = &labels,
        .lit_edge = lit_edges(numbered, &cli->mem),
        .cut_edge = cuts_of(numbered->dag, &cli->mem),
        .loops = &numbered->loops,
    };

    trod_graph_draw(&cli->out.sink, numbered->dag->graph, &drawing);
}

/* --- plans ------------------------------------------------------------------------ */

static const char *ops_of_edge(void *ctx, trod_edge edge)
{
    const struct labels *l = ctx;
    struct trod_string text;

    trod_string_init(&text, l->mem);
    trod_probe_print_ops(&text.sink, l->plan, edge);
    return text.text;
}

static const char *ops_of_node(void *ctx, trod_node node)
{
    const struct labels *l = ctx;
    const struct trod_graph *graph = l->plan->numbering->dag->graph;
    struct trod_string in, out;

    trod_string_init(&in, l->mem);
    trod_string_init(&out, l->mem);
    if (node == graph->entry)
        trod_probe_print_ops(&in.sink, l->plan, trod_site_in(graph));
    trod_probe_print_ops(&out.sink, l->plan, trod_site_out(graph, node));
    if (in.length && out.length)
        trod_put(&in.sink, "\n");
    trod_put(&in.sink, "%s", out.text);
    return in.text;
}

void cli_draw_plan(
    struct cli *cli, const struct trod_plan *plan, const struct cli_numbered *numbered)
{
    const struct trod_dag *dag = plan->numbering->dag;
    struct labels labels = {.mem = &cli->mem, .plan = plan};
    struct trod_graph_style drawing = {
        .label_of_edge = ops_of_edge,
        .label_of_node = ops_of_node,
        .ctx = &labels,
        .lit_edge = lit_edges(numbered, &cli->mem),
        .cut_edge = cuts_of(dag, &cli->mem),
        .loops = &numbered->loops,
    };

    trod_graph_draw(&cli->out.sink, dag->graph, &drawing);
}

/* --- SVG -------------------------------------------------------------------------- */

bool cli_draw_finish(struct cli *cli)
{
    struct trod_string svg;

    if (cli->options.form != CLI_SVG)
        return true;
    trod_string_init(&svg, &cli->out_mem);
    if (!trod_graphviz_svg(&svg.sink, cli->out.text, cli->out.length, &cli->err))
        return false;
    cli->out = svg;
    cli->out.sink.ctx = &cli->out;
    return true;
}
