#include "graph/graph.h"

/* The graph, seen in one direction: forward from the entry for dominators, backward from the exits for post-dominators.
 * The algorithm is the same for both.
 */
struct flow {
    uint32_t nnode;
    const uint32_t *first_next, *first_prev; /* [nnode + 1] */
    const trod_node *next, *prev;
    const trod_node *root; /* Only the first may have predecessors. */
    uint32_t nroot;
};

/* Vertices are nodes by depth-first number. Vertex 0 is a virtual root above all roots; nodes whose only dominator it
 * is have none.
 */
struct vertex {
    trod_node node;
    uint32_t parent; /* in the depth-first tree */
    uint32_t above;  /* in the forest of linked vertices; shortcut by eval() */
    uint32_t best;   /* least semi between here and above, above excluded */
    uint32_t semi;   /* semidominator; itself, until it is known */
    uint32_t idom;
    uint32_t first_waiting; /* list of vertices with this semidominator whose */
    uint32_t next_waiting;  /* dominator is not yet known */
};

struct dominance {
    const struct flow *flow;
    struct vertex *at;        /* [nnode + 1] */
    uint32_t nvertex;         /* including vertex 0 */
    uint32_t *vertex_of_node; /* [nnode], 0: unreachable */
    uint32_t *stack;          /* [nnode] */
    uint32_t *cursor; /* [nnode], for each stack element: position in flow->next */
};

static uint32_t number(struct dominance *d, trod_node v, uint32_t parent)
{
    uint32_t i = d->nvertex++;

    d->vertex_of_node[v] = i;
    d->at[i] = (struct vertex){
        .node = v, .parent = parent, .above = parent, .best = i, .semi = i};
    return i;
}

static void search_from(struct dominance *d, trod_node root)
{
    const struct flow *flow = d->flow;
    uint32_t depth = 1;

    d->stack[0] = number(d, root, 0);
    d->cursor[0] = flow->first_next[root];
    while (depth) {
        uint32_t i = d->stack[depth - 1];
        uint32_t end = flow->first_next[d->at[i].node + 1];
        uint32_t *next = &d->cursor[depth - 1];

        while (*next < end && d->vertex_of_node[flow->next[*next]])
            ++*next;
        if (*next == end) {
            depth--;
        } else {
            trod_node v = flow->next[(*next)++];

            d->stack[depth] = number(d, v, i);
            d->cursor[depth++] = flow->first_next[v];
        }
    }
}

/* The vertex with the least semidominator on the tree path down to i, among linked vertices. Vertices are linked in
 * descending order, so those from `limit` on are linked. Path compression hangs each visited vertex directly below the
 * first one that is not linked, which bounds the cost.
 */
static uint32_t eval(struct dominance *d, uint32_t i, uint32_t limit)
{
    struct vertex *at = d->at;
    uint32_t depth = 0;

    if (i < limit)
        return i;
    for (; at[i].above >= limit; i = at[i].above)
        d->stack[depth++] = i;
    while (depth) {
        uint32_t below = d->stack[--depth];

        if (at[at[i].best].semi < at[at[below].best].semi)
            at[below].best = at[i].best;
        at[below].above = at[i].above;
        i = below;
    }
    return at[i].best;
}

static void fill_semi(struct dominance *d, uint32_t i)
{
    const struct flow *flow = d->flow;
    trod_node v = d->at[i].node;
    uint32_t semi = d->at[i].parent;

    for (uint32_t k = flow->first_prev[v]; k < flow->first_prev[v + 1]; k++) {
        uint32_t from = d->vertex_of_node[flow->prev[k]];

        if (from) {
            uint32_t other = d->at[eval(d, from, i + 1)].semi;

            semi = other < semi ? other : semi;
        }
    }
    d->at[i].semi = semi;
    d->at[i].next_waiting = d->at[semi].first_waiting;
    d->at[semi].first_waiting = i;
}

/* Vertex i has just been linked to its parent, and the vertices waiting for the parent are all below i. Each gets its
 * dominator, or a vertex above it with the same dominator.
 */
static void settle_waiting(struct dominance *d, uint32_t i)
{
    uint32_t parent = d->at[i].parent;
    uint32_t w = d->at[parent].first_waiting;

    d->at[parent].first_waiting = 0;
    for (; w; w = d->at[w].next_waiting) {
        uint32_t best = eval(d, w, i);

        d->at[w].idom = d->at[best].semi < parent ? best : parent;
    }
}

static void fill_dominators(
    trod_node *idom_of_node, const struct flow *flow, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct dominance d = {
        .flow = flow,
        .at = trod_new(mem, struct vertex, (size_t)flow->nnode + 1),
        .nvertex = 1,
        .vertex_of_node = trod_new(mem, uint32_t, flow->nnode),
        .stack = trod_new(mem, uint32_t, flow->nnode),
        .cursor = trod_new(mem, uint32_t, flow->nnode),
    };

    for (uint32_t r = 0; r < flow->nroot; r++)
        search_from(&d, flow->root[r]);
    for (uint32_t i = d.nvertex; i-- > 1;) {
        fill_semi(&d, i);
        settle_waiting(&d, i);
    }
    for (trod_node v = 0; v < flow->nnode; v++)
        idom_of_node[v] = TROD_NONE;
    for (uint32_t i = 1; i < d.nvertex; i++) {
        struct vertex *at = &d.at[i];

        if (at->idom != at->semi)
            at->idom = d.at[at->idom].idom;
        if (at->idom)
            idom_of_node[at->node] = d.at[at->idom].node;
    }
    trod_arena_rewind(mem, mark);
}

static trod_node *predecessors(const struct trod_graph *graph, struct trod_arena *mem)
{
    trod_node *pred = trod_new(mem, trod_node, graph->nedge);

    for (uint32_t i = 0; i < graph->nedge; i++)
        pred[i] = graph->src_of_edge[graph->in_edge[i]];
    return pred;
}

static trod_node *exits(
    uint32_t *nexit, const struct trod_graph *graph, struct trod_arena *mem)
{
    trod_node *exit = trod_new(mem, trod_node, graph->nnode);

    *nexit = 0;
    for (trod_node v = 0; v < graph->nnode; v++)
        if (graph->first_out[v] == graph->first_out[v + 1])
            exit[(*nexit)++] = v;
    return exit;
}

void trod_graph_dominators(
    struct trod_dom *out, const struct trod_graph *graph, struct trod_arena *mem)
{
    trod_node *idom = trod_new(mem, trod_node, graph->nnode);
    trod_node *ipdom = trod_new(mem, trod_node, graph->nnode);
    struct trod_mark mark = trod_arena_mark(mem);
    trod_node *pred = predecessors(graph, mem);
    struct flow along = {
        .nnode = graph->nnode,
        .first_next = graph->first_out,
        .next = graph->dst_of_edge,
        .first_prev = graph->first_in,
        .prev = pred,
        .root = &graph->entry,
        .nroot = 1,
    };
    struct flow against = {
        .nnode = graph->nnode,
        .first_next = graph->first_in,
        .next = pred,
        .first_prev = graph->first_out,
        .prev = graph->dst_of_edge,
    };

    fill_dominators(idom, &along, mem);
    against.root = exits(&against.nroot, graph, mem);
    fill_dominators(ipdom, &against, mem);
    trod_arena_rewind(mem, mark);
    out->idom_of_node = idom;
    out->ipdom_of_node = ipdom;
}
