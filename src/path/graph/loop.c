#include "graph/graph.h"

#include <string.h>

/* Nodes are represented by their pre-order number: an ancestor is less than its descendants, and descending order
 * visits inner loops before outer ones.
 *
 * A loop is collapsed into its header when it has been found. The backward walk then follows tree edges and cross
 * edges. A cross edge is irrelevant to headers below the lowest common ancestor of its ends. So it waits there, is
 * activated when that node is visited, and is never examined again once it is inside a loop.
 */
struct across {
    uint32_t src, dst;
    uint32_t next; /* in its list, or TROD_NONE */
};

struct nest {
    const struct trod_graph *graph;
    const struct trod_order *order;
    trod_node *node;    /* [nreach], as all arrays below except across */
    uint32_t *parent;   /* in the depth-first tree */
    uint32_t *lead;     /* union-find: the header it is collapsed into */
    uint32_t *outer;    /* header of the enclosing loop, never itself; or TROD_NONE */
    uint32_t *waiting;  /* list of cross edges whose common ancestor this is */
    uint32_t *arriving; /* list of activated cross edges to this node */
    uint32_t *marked;   /* union-find: outermost header up to which all are marked */
    bool *irreducible;  /* whether the loop is irreducible */
    uint32_t *body;     /* worklist of the backward walk */
    uint32_t nbody;
    struct across *across; /* [nacross] */
    uint32_t nacross;
};

/* With path halving. The root of a set is its highest node. */
static uint32_t find(uint32_t *lead, uint32_t i)
{
    while (lead[i] != i) {
        lead[i] = lead[lead[i]];
        i = lead[i];
    }
    return i;
}

static uint32_t *nothing(uint32_t count, struct trod_arena *mem)
{
    uint32_t *list = trod_new(mem, uint32_t, count);

    memset(list, 0xff, count * sizeof *list);
    return list;
}

static uint32_t *singletons(uint32_t count, struct trod_arena *mem)
{
    uint32_t *lead = trod_new(mem, uint32_t, count);

    for (uint32_t i = 0; i < count; i++)
        lead[i] = i;
    return lead;
}

static void fill_tree(struct nest *n)
{
    const struct trod_order *order = n->order;

    for (uint32_t i = 0; i < order->nreach; i++)
        n->node[order->pre_of_node[order->post[i]]] = order->post[i];
    for (uint32_t i = 1; i < order->nreach; i++) {
        uint32_t above = i - 1;

        while (order->last_of_node[n->node[above]] < i)
            above = n->parent[above];
        n->parent[i] = above;
    }
}

/* The lowest common ancestor of the ends of an edge that does not retreat. `lead` joins each closed node to its parent.
 * So the root of the target's set is its lowest ancestor that is still open, and the open nodes are the ancestors of
 * the source (Tarjan 1979).
 */
static uint32_t meet(uint32_t *lead, uint32_t src, uint32_t dst)
{
    return dst > src ? src : find(lead, dst);
}

static void let_wait(struct nest *n, uint32_t at, uint32_t src, uint32_t dst)
{
    n->across[n->nacross] = (struct across){src, dst, n->waiting[at]};
    n->waiting[at] = n->nacross++;
}

static void fill_waiting(struct nest *n, struct trod_arena *mem)
{
    const struct trod_graph *graph = n->graph;
    const struct trod_order *order = n->order;
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *lead = singletons(order->nreach, mem);

    for (uint32_t k = 0; k < order->nreach; k++) {
        trod_node v = order->post[k];
        uint32_t i = order->pre_of_node[v];

        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
            uint32_t to = order->pre_of_node[graph->dst_of_edge[e]];

            if (!trod_has(order->retreating, e) && n->parent[to] != i)
                let_wait(n, meet(lead, i, to), i, to);
        }
        lead[i] = n->parent[i];
    }
    trod_arena_rewind(mem, mark);
}

/* An edge enters node i from outside all loops found so far. Loops that contain i, except one whose header it is, are
 * entered other than through their header. Marked loops are skipped.
 */
static void mark_irreducible(struct nest *n, uint32_t i)
{
    uint32_t header = n->outer[i];

    while (header != TROD_NONE) {
        uint32_t last = find(n->marked, header);

        n->irreducible[last] = true;
        header = n->outer[last];
        if (header != TROD_NONE)
            n->marked[last] = header;
    }
}

static void let_in(struct nest *n, uint32_t at)
{
    uint32_t k = n->waiting[at];

    while (k != TROD_NONE) {
        struct across *edge = &n->across[k];
        uint32_t next = edge->next;

        mark_irreducible(n, edge->dst);
        /* An edge from an ancestor reaches nothing that tree edges do not. */
        if (edge->src != at) {
            uint32_t to = find(n->lead, edge->dst);

            edge->next = n->arriving[to];
            n->arriving[to] = k;
        }
        k = next;
    }
}

static void absorb(struct nest *n, uint32_t header, uint32_t i)
{
    uint32_t inner = find(n->lead, i);

    if (inner != header) {
        n->lead[inner] = header;
        n->outer[inner] = header;
        n->body[n->nbody++] = inner;
    }
}

/* Collapse the loop of a header by a walk backward from its retreating edges. The walk stays below the header, since
 * tree edges and activated cross edges do.
 */
static void collapse(struct nest *n, uint32_t header)
{
    const struct trod_graph *graph = n->graph;
    const uint32_t *pre = n->order->pre_of_node;
    trod_node v = n->node[header];

    for (uint32_t k = graph->first_in[v]; k < graph->first_in[v + 1]; k++) {
        trod_edge e = graph->in_edge[k];

        if (trod_has(n->order->retreating, e))
            absorb(n, header, pre[graph->src_of_edge[e]]);
    }
    while (n->nbody) {
        uint32_t i = n->body[--n->nbody];

        absorb(n, header, n->parent[i]);
        for (uint32_t k = n->arriving[i]; k != TROD_NONE; k = n->across[k].next)
            absorb(n, header, n->across[k].src);
    }
}

static void find_loops(struct nest *n, struct trod_arena *mem)
{
    uint32_t nreach = n->order->nreach;

    n->node = trod_new(mem, trod_node, nreach);
    n->parent = trod_new(mem, uint32_t, nreach);
    n->waiting = nothing(nreach, mem);
    n->arriving = nothing(nreach, mem);
    n->across = trod_new(mem, struct across, n->graph->nedge);
    n->outer = nothing(nreach, mem);
    n->lead = singletons(nreach, mem);
    n->marked = singletons(nreach, mem);
    n->body = trod_new(mem, uint32_t, nreach);
    n->irreducible = trod_new(mem, bool, nreach);
    fill_tree(n);
    fill_waiting(n, mem);
    for (uint32_t i = nreach; i-- > 0;) {
        let_in(n, i);
        collapse(n, i);
    }
}

/* Headers are the targets of retreating edges. They get the provisional loop number 0, all other nodes TROD_NONE. */
static uint32_t count_headers(uint32_t *loop_of_node, const struct trod_graph *graph,
    const struct trod_order *order)
{
    uint32_t count = 0;

    memset(loop_of_node, 0xff, graph->nnode * sizeof *loop_of_node);
    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_node v = graph->dst_of_edge[e];

        if (trod_has(order->retreating, e) && loop_of_node[v] == TROD_NONE) {
            loop_of_node[v] = 0;
            count++;
        }
    }
    return count;
}

struct result {
    trod_node *header;
    uint32_t *parent, *depth;
    bool *irreducible;
    uint32_t *loop_of_node, *depth_of_node;
};

/* Pre-order numbers a loop before the nodes in it. */
static void fill_result(struct result *r, const struct nest *n)
{
    uint32_t nloop = 0;

    for (uint32_t i = 0; i < n->order->nreach; i++) {
        trod_node v = n->node[i];
        uint32_t outer = TROD_NONE, depth = 0;

        if (n->outer[i] != TROD_NONE) {
            outer = r->loop_of_node[n->node[n->outer[i]]];
            depth = r->depth[outer];
        }
        if (r->loop_of_node[v] != TROD_NONE) {
            r->header[nloop] = v;
            r->parent[nloop] = outer;
            r->depth[nloop] = ++depth;
            r->irreducible[nloop] = n->irreducible[i];
            outer = nloop++;
        }
        r->loop_of_node[v] = outer;
        r->depth_of_node[v] = depth;
    }
}

void trod_graph_loops(struct trod_loops *out, const struct trod_graph *graph,
    const struct trod_order *order, struct trod_arena *mem)
{
    struct nest n = {.graph = graph, .order = order};
    struct result r = {
        .loop_of_node = trod_new(mem, uint32_t, graph->nnode),
        .depth_of_node = trod_new(mem, uint32_t, graph->nnode),
    };
    uint32_t nloop = count_headers(r.loop_of_node, graph, order);
    struct trod_mark mark;

    r.header = trod_new(mem, trod_node, nloop);
    r.parent = trod_new(mem, uint32_t, nloop);
    r.depth = trod_new(mem, uint32_t, nloop);
    r.irreducible = trod_new(mem, bool, nloop);
    if (nloop) {
        mark = trod_arena_mark(mem);
        find_loops(&n, mem);
        fill_result(&r, &n);
        trod_arena_rewind(mem, mark);
    }
    *out = (struct trod_loops){
        .nloop = nloop,
        .header_of_loop = r.header,
        .parent_of_loop = r.parent,
        .depth_of_loop = r.depth,
        .irreducible_of_loop = r.irreducible,
        .loop_of_node = r.loop_of_node,
        .depth_of_node = r.depth_of_node,
    };
}
