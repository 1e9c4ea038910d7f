#include "match/repair_net.h"

#include <string.h>

/* --- arcs, seen from one end -------------------------------------------------------------------------------- */

static trod_node far_end(const struct trod_net *n, uint32_t touch)
{
    const struct trod_net_arc *a = &n->arc[touch / 2];

    return touch % 2 ? a->src : a->dst;
}

/* Residual capacity at constant marginal cost; in reverse, flow is reduced. */
static int64_t room(const struct trod_net *n, uint32_t touch)
{
    const struct trod_net_arc *a = &n->arc[touch / 2];

    if (touch % 2)
        return a->flow > a->thought ? a->flow - a->thought : a->flow;
    return a->flow < a->thought ? a->thought - a->flow : INT64_MAX;
}

static int64_t cost(const struct trod_net *n, uint32_t touch)
{
    const struct trod_net_arc *a = &n->arc[touch / 2];
    bool back = touch % 2 ? a->flow > a->thought : a->flow < a->thought;

    return back ? -(int64_t)a->cost : (int64_t)a->cost;
}

static int64_t reduced(const struct trod_net *n, trod_node v, uint32_t touch)
{
    return cost(n, touch) + n->price[v] - n->price[far_end(n, touch)];
}

/* --- the nearest node with a deficit --------------------------------------------------------------------------- */

static void push(struct trod_net *n, trod_node v, int64_t distance)
{
    uint32_t i = n->nheap++;

    for (; i && n->heap[(i - 1) / 2].distance > distance; i = (i - 1) / 2)
        n->heap[i] = n->heap[(i - 1) / 2];
    n->heap[i] = (struct trod_net_item){distance, v};
}

static struct trod_net_item pop(struct trod_net *n)
{
    struct trod_net_item top = n->heap[0], last = n->heap[--n->nheap];
    uint32_t i = 0;

    for (;;) {
        uint32_t child = 2 * i + 1;

        if (child + 1 < n->nheap &&
            n->heap[child + 1].distance < n->heap[child].distance)
            child++;
        if (child >= n->nheap || n->heap[child].distance >= last.distance)
            break;
        n->heap[i] = n->heap[child];
        i = child;
    }
    n->heap[i] = last;
    return top;
}

static void reach(struct trod_net *n, trod_node v, int64_t distance)
{
    if (n->distance[v] >= 0 && n->distance[v] <= distance)
        return;
    if (n->distance[v] < 0)
        n->reached[n->nreached++] = v;
    n->distance[v] = distance;
    push(n, v, distance);
}

/* Update the potentials so that shortest paths to the deficit have reduced cost 0. Instead of raising all other nodes
 * by its distance, lower those that were reached: same differences, less work.
 */
static void price(struct trod_net *n, int64_t nearest)
{
    for (uint32_t i = 0; i < n->nreached; i++) {
        trod_node v = n->reached[i];

        if (n->distance[v] < nearest)
            n->price[v] += n->distance[v] - nearest;
        n->distance[v] = -1;
    }
    n->nreached = 0;
    n->nheap = 0;
}

static void search(struct trod_net *n)
{
    for (uint32_t i = 0; i < n->nsource; i++)
        reach(n, n->source[i], 0);
    /* As long as some node has an excess, another has a deficit, and a path leads to it: the zero flow is feasible. */
    for (;;) {
        struct trod_net_item top;

        assert(n->nheap);
        top = pop(n);
        if (top.distance > n->distance[top.node])
            continue;
        if (n->excess[top.node] < 0) {
            price(n, top.distance);
            return;
        }
        for (uint32_t i = n->first[top.node]; i < n->first[top.node + 1]; i++)
            if (room(n, n->touch[i]))
                reach(n, far_end(n, n->touch[i]),
                    top.distance + reduced(n, top.node, n->touch[i]));
    }
}

/* --- augmentation at that cost ------------------------------------------------------------------------------------ */

static void send(struct trod_net *n, trod_node from, trod_node to)
{
    int64_t amount =
        n->excess[from] < -n->excess[to] ? n->excess[from] : -n->excess[to];

    for (uint32_t i = 0; i < n->nway; i++)
        if (room(n, n->way[i]) < amount)
            amount = room(n, n->way[i]);
    for (uint32_t i = 0; i < n->nway; i++)
        n->arc[n->way[i] / 2].flow += n->way[i] % 2 ? -amount : amount;
    n->excess[from] -= amount;
    n->excess[to] += amount;
}

static bool is_free(const struct trod_net *n, trod_node v, uint32_t touch)
{
    trod_node w = far_end(n, touch);

    return n->dead[w] != n->round && !n->on_way[w] && room(n, touch) &&
           reduced(n, v, touch) == 0;
}

static trod_node near_end(const struct trod_net *n, uint32_t touch)
{
    return far_end(n, touch ^ 1);
}

static void enter(struct trod_net *n, trod_node v)
{
    n->on_way[v] = true;
    if (n->at_round[v] == n->round)
        return;
    n->at_round[v] = n->round;
    n->at[v] = n->first[v];
}

/* Return the node up to which the path is still usable after an augmentation. */
static trod_node shorten(struct trod_net *n, trod_node from)
{
    uint32_t keep = 0;

    while (keep < n->nway && room(n, n->way[keep]) &&
           reduced(n, near_end(n, n->way[keep]), n->way[keep]) == 0)
        keep++;
    for (uint32_t i = keep; i < n->nway; i++)
        n->on_way[far_end(n, n->way[i])] = false;
    n->nway = keep;
    return keep ? far_end(n, n->way[keep - 1]) : from;
}

/* Augment from one node with an excess, depth first. Dead ends are not entered again in this round. */
static bool send_from(struct trod_net *n, trod_node from)
{
    trod_node v = from;
    bool sent = false;

    n->nway = 0;
    enter(n, v);
    while (n->excess[from] > 0) {
        if (n->excess[v] < 0) {
            send(n, from, v);
            sent = true;
            v = shorten(n, from);
            continue;
        }
        while (n->at[v] < n->first[v + 1] && !is_free(n, v, n->touch[n->at[v]]))
            n->at[v]++;
        if (n->at[v] < n->first[v + 1]) {
            n->way[n->nway++] = n->touch[n->at[v]];
            v = far_end(n, n->touch[n->at[v]]);
            enter(n, v);
            continue;
        }
        n->dead[v] = n->round;
        n->on_way[v] = false;
        if (!n->nway)
            break;
        v = near_end(n, n->way[--n->nway]);
    }
    for (uint32_t i = 0; i < n->nway; i++)
        n->on_way[far_end(n, n->way[i])] = false;
    n->on_way[from] = false;
    return sent;
}

static void drop_sources(struct trod_net *n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n->nsource; i++)
        if (n->excess[n->source[i]] > 0)
            n->source[kept++] = n->source[i];
    n->nsource = kept;
}

static void fill_touch(struct trod_net *n, struct trod_arena *mem)
{
    uint32_t *next = trod_new(mem, uint32_t, n->nnode);

    n->first = trod_new(mem, uint32_t, (size_t)n->nnode + 1);
    n->touch = trod_new(mem, uint32_t, 2 * (size_t)n->narc);
    for (uint32_t a = 0; a < n->narc; a++) {
        n->first[n->arc[a].src + 1]++;
        n->first[n->arc[a].dst + 1]++;
    }
    for (trod_node v = 0; v < n->nnode; v++) {
        n->first[v + 1] += n->first[v];
        next[v] = n->first[v];
    }
    for (uint32_t a = 0; a < n->narc; a++) {
        n->touch[next[n->arc[a].src]++] = 2 * a;
        n->touch[next[n->arc[a].dst]++] = 2 * a + 1;
    }
}

static void make_room(struct trod_net *n, struct trod_arena *mem)
{
    n->price = trod_new(mem, int64_t, n->nnode);
    n->distance = trod_new(mem, int64_t, n->nnode);
    memset(n->distance, 0xff, n->nnode * sizeof *n->distance);
    n->reached = trod_new(mem, trod_node, n->nnode);
    n->heap = trod_new(mem, struct trod_net_item, 2 * (size_t)n->narc + n->nnode + 1);
    n->at = trod_new(mem, uint32_t, n->nnode);
    n->at_round = trod_new(mem, uint32_t, n->nnode);
    n->dead = trod_new(mem, uint32_t, n->nnode);
    n->on_way = trod_new(mem, bool, n->nnode);
    n->way = trod_new(mem, uint32_t, n->nnode);
    n->source = trod_new(mem, trod_node, n->nnode);
}

void trod_net_solve(struct trod_net *n, struct trod_arena *mem)
{
    fill_touch(n, mem);
    make_room(n, mem);
    for (trod_node v = 0; v < n->nnode; v++)
        if (n->excess[v] > 0)
            n->source[n->nsource++] = v;
    while (n->nsource) {
        bool sent = true;

        search(n);
        while (sent) {
            sent = false;
            n->round++;
            for (uint32_t i = 0; i < n->nsource; i++)
                if (n->excess[n->source[i]] > 0 && n->dead[n->source[i]] != n->round)
                    sent |= send_from(n, n->source[i]);
            drop_sources(n);
        }
    }
}
