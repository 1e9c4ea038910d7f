#include "output/output.h"
#include "stage/subject.h"

#include <inttypes.h>

const char *cli_show_hash(const struct trod_graph *graph, struct trod_arena *mem)
{
    return trod_format(mem, "%016" PRIx64, trod_graph_hash(graph, mem));
}

/* A graph and the results of its analyses. */
struct known {
    const struct trod_graph *graph;
    struct trod_view view;
    struct trod_dom dom;
    struct trod_arena *mem;
};

/* A cell for a node of the graph or of its DAG, or for none. */
static void put_node(struct cli_table *t, const struct known *k, trod_node v)
{
    char *buffer = trod_new(k->mem, char, 16);

    if (v == TROD_NONE)
        cli_table_blank(t);
    else if (v == k->view.dag.shape.entry)
        cli_table_words(t, ">");
    else if (v == k->view.dag.exit)
        cli_table_words(t, ".");
    else
        cli_table_name(t, trod_graph_node_name(k->graph, v, buffer));
}

static void put_place(struct cli_table *t, uint32_t place)
{
    if (place == TROD_NONE)
        cli_table_blank(t);
    else
        cli_table_uint(t, place);
}

static void put_ends(struct cli_table *t, const struct known *k, trod_edge e)
{
    put_node(t, k, k->graph->src_of_edge[e]);
    put_node(t, k, k->graph->dst_of_edge[e]);
}

static void fill_hash(struct cli_table *t, const struct known *k)
{
    cli_table_words(t, cli_show_hash(k->graph, k->mem));
}

static void put_order(struct cli_table *t, const struct known *k, trod_node v)
{
    put_node(t, k, v);
    put_place(t, k->view.order.pre_of_node[v]);
    put_place(t, k->view.order.post_of_node[v]);
}

/* In reverse post-order; unreachable nodes come last. */
static void fill_order(struct cli_table *t, const struct known *k)
{
    for (uint32_t i = k->view.order.nreach; i-- > 0;)
        put_order(t, k, k->view.order.post[i]);
    for (trod_node v = 0; v < k->graph->nnode; v++)
        if (k->view.order.pre_of_node[v] == TROD_NONE)
            put_order(t, k, v);
}

static void fill_dom(struct cli_table *t, const struct known *k)
{
    for (trod_node v = 0; v < k->graph->nnode; v++) {
        put_node(t, k, v);
        put_node(t, k, k->dom.idom_of_node[v]);
    }
}

static void fill_pdom(struct cli_table *t, const struct known *k)
{
    for (trod_node v = 0; v < k->graph->nnode; v++) {
        put_node(t, k, v);
        put_node(t, k, k->dom.ipdom_of_node[v]);
    }
}

/* The blocks of a loop, including those of nested loops. */
static const char *blocks_of(const struct known *k, uint32_t loop)
{
    const struct trod_loops *loops = &k->view.loops;
    struct trod_string text;
    char buffer[16];

    trod_string_init(&text, k->mem);
    for (trod_node v = 0; v < k->graph->nnode; v++) {
        uint32_t around = loops->loop_of_node[v];

        while (around != TROD_NONE && around != loop)
            around = loops->parent_of_loop[around];
        if (around != loop)
            continue;
        trod_put(&text.sink, text.length ? " " : "");
        trod_put_name(&text.sink, trod_graph_node_name(k->graph, v, buffer));
    }
    return text.text;
}

static void fill_loops(struct cli_table *t, const struct known *k)
{
    const struct trod_loops *loops = &k->view.loops;

    for (uint32_t l = 0; l < loops->nloop; l++) {
        uint32_t parent = loops->parent_of_loop[l];

        put_node(t, k, loops->header_of_loop[l]);
        cli_table_uint(t, loops->depth_of_loop[l]);
        put_node(t, k, parent == TROD_NONE ? TROD_NONE : loops->header_of_loop[parent]);
        cli_table_words(t, loops->irreducible_of_loop[l] ? "irreducible" : "reducible");
        cli_table_words(t, blocks_of(k, l));
    }
}

static void fill_back(struct cli_table *t, const struct known *k)
{
    for (trod_edge e = 0; e < k->graph->nedge; e++)
        if (trod_has(k->view.order.retreating, e))
            put_ends(t, k, e);
}

static void fill_cuts(struct cli_table *t, const struct known *k)
{
    const struct trod_dag *dag = &k->view.dag;

    for (trod_edge e = 0; e < k->graph->nedge; e++) {
        trod_edge d = dag->dag_of_edge[e];

        if (d == TROD_NONE || dag->kind_of_edge[d] != TROD_DAG_END)
            continue;
        put_ends(t, k, e);
        cli_table_words(
            t, trod_has(k->view.order.retreating, e) ? "goes back" : "asked for");
    }
}

static void fill_weights(struct cli_table *t, const struct known *k)
{
    for (trod_edge e = 0; e < k->graph->nedge; e++) {
        put_ends(t, k, e);
        cli_table_uint(t, k->view.weight_of_edge[e]);
    }
}

static void fill_dag(struct cli_table *t, const struct known *k)
{
    static const char *const kind[] = {
        [TROD_DAG_REAL] = "real",
        [TROD_DAG_ENTER] = "enter",
        [TROD_DAG_START] = "start",
        [TROD_DAG_END] = "end",
        [TROD_DAG_LEAVE] = "leave",
    };
    const struct trod_dag *dag = &k->view.dag;

    for (trod_edge e = 0; e < dag->shape.nedge; e++) {
        put_node(t, k, dag->shape.src_of_edge[e]);
        put_node(t, k, dag->shape.dst_of_edge[e]);
        cli_table_words(t, kind[dag->kind_of_edge[e]]);
        cli_table_uint(t, dag->weight_of_edge[e]);
    }
}

static const struct {
    const char *key, *what;
    uint32_t ncolumn;
    const char *column[5];
    void (*fill)(struct cli_table *table, const struct known *known);
} shows[] = {
    [CLI_SHOW_HASH] = {"hash", "hash of the shape", 1, {"hash"}, fill_hash},
    [CLI_SHOW_ORDER] = {"order", "depth-first orders, in reverse post-order", 3,
        {"block", "pre", "post"}, fill_order},
    [CLI_SHOW_DOM] = {"dom", "immediate dominators", 2, {"block", "dominator"},
        fill_dom},
    [CLI_SHOW_PDOM] = {"pdom", "immediate post-dominators", 2,
        {"block", "postdominator"}, fill_pdom},
    [CLI_SHOW_LOOPS] = {"loops", "loops, outer ones first", 5,
        {"header", "depth", "inside", "kind", "blocks"}, fill_loops},
    [CLI_SHOW_BACK] = {"back", "retreating edges", 2, {"from", "to"}, fill_back},
    [CLI_SHOW_CUTS] = {"cuts", "edges that are cut", 3, {"from", "to", "why"},
        fill_cuts},
    [CLI_SHOW_WEIGHTS] = {"weights", "edge frequencies", 3, {"from", "to", "weight"},
        fill_weights},
    [CLI_SHOW_DAG] = {"dag", "edges of the DAG, from > to .", 4,
        {"from", "to", "kind", "weight"}, fill_dag},
};

static bool is_wanted(const struct cli_picks *picks, int show)
{
    for (uint32_t i = 0; i < picks->count; i++)
        if (picks->item[i] == show || picks->item[i] == CLI_SHOW_ALL)
            return true;
    return false;
}

void cli_show(
    struct cli *cli, const struct trod_graph *graph, const struct trod_view *view)
{
    struct known k = {.graph = graph, .view = *view, .mem = &cli->mem};

    trod_graph_dominators(&k.dom, graph, &cli->mem);
    /* JSON always includes the hash. */
    for (int i = CLI_SHOW_HASH + (cli->options.form == CLI_JSON); i < CLI_SHOW_ALL;
        i++) {
        struct cli_table table;

        if (!is_wanted(&cli->options.show, i))
            continue;
        cli_table_init(
            &table, shows[i].key, shows[i].column, shows[i].ncolumn, &cli->mem);
        shows[i].fill(&table, &k);
        cli_table_put(cli, &table, graph->name, shows[i].what);
    }
}
