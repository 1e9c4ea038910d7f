#include "graph/graph.h"

#include <string.h>

struct frame {
    trod_node node;
    trod_edge next; /* first edge not followed yet */
};

/* The nodes on the stack are open: they have a pre-order number and no post-order number yet. */
struct search {
    uint32_t *pre, *post_of_node, *last;
    trod_node *post;
    uint64_t *retreating;
    uint32_t npre, npost, nretreating;
    struct frame *stack;
    uint32_t nopen;
    const bool *blocked; /* [nedge] edges to follow last; NULL: none */
};

static void open_node(struct search *s, const struct trod_graph *graph, trod_node v)
{
    s->pre[v] = s->npre++;
    s->stack[s->nopen++] = (struct frame){v, graph->first_out[v]};
}

static void close_node(struct search *s, trod_node v)
{
    s->nopen--;
    s->last[v] = s->npre - 1;
    s->post_of_node[v] = s->npost;
    s->post[s->npost++] = v;
}

static void follow(struct search *s, const struct trod_graph *graph, trod_edge e)
{
    trod_node w = graph->dst_of_edge[e];

    if (s->blocked && s->blocked[e])
        return;
    if (s->pre[w] == TROD_NONE) {
        open_node(s, graph, w);
    } else if (s->post_of_node[w] == TROD_NONE) {
        trod_add(s->retreating, e);
        s->nretreating++;
    }
}

static void run(struct search *s, const struct trod_graph *graph, trod_node root)
{
    open_node(s, graph, root);
    while (s->nopen) {
        struct frame *top = &s->stack[s->nopen - 1];

        if (top->next < graph->first_out[top->node + 1])
            follow(s, graph, top->next++);
        else
            close_node(s, top->node);
    }
}

/* Continue with the edges that were blocked, from nodes in post-order. */
static void run_blocked(struct search *s, const struct trod_graph *graph)
{
    for (uint32_t i = 0; s->blocked && i < s->npost; i++) {
        trod_node v = s->post[i];

        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++)
            if (s->pre[graph->dst_of_edge[e]] == TROD_NONE)
                run(s, graph, graph->dst_of_edge[e]);
    }
}

/* [nnode], each TROD_NONE */
static uint32_t *nowhere(const struct trod_graph *graph, struct trod_arena *mem)
{
    uint32_t *of_node = trod_new(mem, uint32_t, graph->nnode);

    memset(of_node, 0xff, graph->nnode * sizeof *of_node);
    return of_node;
}

static void search(struct trod_order *out, const struct trod_graph *graph,
    const bool *blocked, struct trod_arena *mem)
{
    struct search s = {
        .blocked = blocked,
        .pre = nowhere(graph, mem),
        .post_of_node = nowhere(graph, mem),
        .last = nowhere(graph, mem),
        .post = trod_new(mem, trod_node, graph->nnode),
        .retreating = trod_new(mem, uint64_t, TROD_WORDS(graph->nedge)),
    };
    struct trod_mark mark = trod_arena_mark(mem);

    s.stack = trod_new(mem, struct frame, graph->nnode);
    run(&s, graph, graph->entry);
    run_blocked(&s, graph);
    trod_arena_rewind(mem, mark);
    *out = (struct trod_order){
        .nreach = s.npre,
        .post = s.post,
        .pre_of_node = s.pre,
        .post_of_node = s.post_of_node,
        .last_of_node = s.last,
        .retreating = s.retreating,
        .nretreating = s.nretreating,
    };
}

void trod_graph_order(
    struct trod_order *out, const struct trod_graph *graph, struct trod_arena *mem)
{
    search(out, graph, NULL, mem);
}

void trod_graph_order_marked(
    struct trod_order *out, const struct trod_graph *graph, struct trod_arena *mem)
{
    search(out, graph, graph->cut_of_edge, mem);
}
