#include "probe/probe.h"

/* The DAG with EXIT and ENTRY merged. A spanning tree of it corresponds to a spanning tree of the DAG that contains an
 * additional edge EXIT -> ENTRY. Edges keep their numbers, since the order of sources is unchanged.
 */
static void join_ends(
    struct trod_graph *out, const struct trod_dag *dag, struct trod_arena *mem)
{
    const struct trod_graph *g = &dag->shape;
    struct trod_graph_builder builder;

    trod_graph_builder_init(&builder, g->name, mem);
    builder.nnode = g->nnode;
    builder.entry = g->entry;
    for (trod_edge e = 0; e < g->nedge; e++) {
        trod_node dst = g->dst_of_edge[e];

        trod_graph_builder_add(
            &builder, g->src_of_edge[e], dst == dag->exit ? g->entry : dst);
    }
    trod_graph_build(out, &builder);
}

void trod_place_span(uint64_t *tree, uint64_t *potential_of_node,
    const struct trod_numbering *numbering, struct trod_arena *mem)
{
    const struct trod_dag *dag = numbering->dag;
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *all = trod_new(mem, uint64_t, TROD_WORDS(dag->shape.nedge));
    struct trod_graph joined;

    join_ends(&joined, dag, mem);
    for (trod_edge e = 0; e < joined.nedge; e++)
        trod_add(all, e);
    trod_graph_span(tree, &joined, all, dag->weight_of_edge, mem);
    trod_place_potentials(
        potential_of_node, &joined, tree, numbering->val_of_edge, mem);
    potential_of_node[dag->exit] = potential_of_node[dag->shape.entry];
    trod_arena_rewind(mem, mark);
}

struct pusher {
    struct trod_dag_ops *ops;
    const struct trod_dag *dag;
    const uint64_t *tree;
    trod_node *work; /* worklist; each node is visited at most once */
    uint32_t nwork;
};

/* Set r on the first chord of every path, or where paths join before it. */
static void push_sets_down(struct pusher *p)
{
    const struct trod_graph *g = &p->dag->shape;

    p->work[p->nwork++] = g->entry;
    while (p->nwork) {
        trod_node v = p->work[--p->nwork];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            trod_node w = g->dst_of_edge[e];

            if (trod_has(p->tree, e) && g->first_in[w + 1] - g->first_in[w] == 1)
                p->work[p->nwork++] = w;
            else
                p->ops->kind_of_edge[e] = TROD_OP_SET;
        }
    }
}

/* Count on the last chord of every path, or where paths diverge after it. If a path is set and counted on the same
 * edge, it does not need r. That edge is a chord: a path without chords would form a cycle of tree edges with EXIT ->
 * ENTRY.
 */
static void push_counts_up(struct pusher *p)
{
    const struct trod_graph *g = &p->dag->shape;

    p->work[p->nwork++] = p->dag->exit;
    while (p->nwork) {
        trod_node w = p->work[--p->nwork];

        for (uint32_t i = g->first_in[w]; i < g->first_in[w + 1]; i++) {
            trod_edge e = g->in_edge[i];
            trod_node v = g->src_of_edge[e];
            bool set = p->ops->kind_of_edge[e] == TROD_OP_SET;

            if (trod_has(p->tree, e) && g->first_out[v + 1] - g->first_out[v] == 1)
                p->work[p->nwork++] = v;
            else
                p->ops->kind_of_edge[e] = set ? TROD_OP_COUNT_AT : TROD_OP_COUNT;
        }
    }
}

void trod_place_tree(struct trod_dag_ops *out, const struct trod_numbering *numbering,
    struct trod_arena *mem)
{
    const struct trod_dag *dag = numbering->dag;
    const struct trod_graph *g = &dag->shape;
    struct trod_mark mark;
    uint64_t *tree, *potential;
    struct pusher pushing;

    trod_dag_ops_init(out, dag, mem);
    mark = trod_arena_mark(mem);
    tree = trod_new(mem, uint64_t, TROD_WORDS(g->nedge));
    potential = trod_new(mem, uint64_t, g->nnode);
    trod_place_span(tree, potential, numbering, mem);
    pushing = (struct pusher){.ops = out,
        .dag = dag,
        .tree = tree,
        .work = trod_new(mem, trod_node, g->nnode)};
    push_sets_down(&pushing);
    push_counts_up(&pushing);
    for (trod_edge e = 0; e < g->nedge; e++) {
        out->value_of_edge[e] = trod_place_increment(numbering, potential, e);
        if (out->kind_of_edge[e] == TROD_OP_NONE && out->value_of_edge[e])
            out->kind_of_edge[e] = TROD_OP_ADD;
    }
    trod_arena_rewind(mem, mark);
}
