#include "match/matcher.h"
#include "base/order.h"

#include <stdlib.h>

enum {
    MOST_PAIRS =
        256, /* limit of pairs of neighbours to compare; if there are more, only the k-th with the k-th */
    ALL_PAIRS = 1 << 20, /* the same limit for the whole function */
    MOST_EDGES = 16,     /* edges of a block that are compared for similarity */
    SAME = 100,          /* score of equal keys */
    ENOUGH = 4           /* least score of other pairs */
};

struct near {
    struct trod_matcher *m;
    trod_node *old, *later; /* unmatched neighbours */
    uint32_t nold, nnew;
    uint32_t *seen_old,
        *seen_new; /* by node: the stamp of the block for which it was last listed */
    uint32_t stamp;
    uint32_t npair; /* pairs compared so far */
    bool weak;
};

struct likeness {
    int score;
    uint32_t i, j;
};

static int clamp(int value, int most)
{
    return value > most ? most : value;
}

/* Matched neighbours of the old block whose counterparts are neighbours of the new block, minus those whose
 * counterparts are not.
 */
static int agreement(const struct trod_matcher *m, trod_node v, trod_node w, bool in)
{
    const struct trod_graph *a = m->old.graph, *b = m->later.graph;
    const uint32_t *first = in ? a->first_in : a->first_out;
    const uint32_t *other = in ? b->first_in : b->first_out;
    int yes = 0, no = 0;

    for (uint32_t i = first[v]; i < first[v + 1] && i < first[v] + MOST_EDGES; i++) {
        trod_node beside = in ? a->src_of_edge[a->in_edge[i]] : a->dst_of_edge[i];
        trod_node image = m->match->new_of_old[beside];
        bool found = false;

        if (image == TROD_NONE)
            continue;
        for (uint32_t j = other[w];
            !found && j < other[w + 1] && j < other[w] + MOST_EDGES; j++)
            found = (in ? b->src_of_edge[b->in_edge[j]] : b->dst_of_edge[j]) == image;
        yes += found;
        no += !found;
    }
    return clamp(yes, 2) - clamp(no, 2);
}

static uint32_t degree(const uint32_t *first, trod_node v)
{
    return first[v + 1] - first[v];
}

/* Do both have the same number of source lines? Editing a constant or a name does not change it. */
static int lines_alike(const struct trod_matcher *m, trod_node v, trod_node w)
{
    const uint32_t *a = m->old.entry->first_line, *b = m->later.entry->first_line;

    return a && b && degree(a, v) && degree(a, v) == degree(b, w);
}

static int likeness(const struct near *n, uint32_t i, uint32_t j)
{
    const struct trod_matcher *m = n->m;
    const struct trod_graph *a = m->old.graph, *b = m->later.graph;
    trod_node v = n->old[i], w = n->later[j];
    int score = agreement(m, v, w, true) + agreement(m, v, w, false) + (i == j);

    if (trod_matcher_same(m, v, w))
        return SAME + score;
    if (!n->weak)
        return 0;
    if (m->old.callees[v] == m->later.callees[w])
        score += m->old.callees[v] ? 4 : 1;
    else
        score -= 1;
    score += degree(a->first_out, v) == degree(b->first_out, w);
    score += degree(a->first_in, v) == degree(b->first_in, w);
    return score + lines_alike(m, v, w);
}

TROD_ORDER(by_score, struct likeness, TROD_DOWN(score), TROD_UP(i), TROD_UP(j))

/* Match greedily by score. */
static void pair_neighbours(struct near *n)
{
    struct trod_mark mark = trod_arena_mark(n->m->mem);
    bool all = (uint64_t)n->nold * n->nnew <= MOST_PAIRS && n->npair < ALL_PAIRS;
    uint32_t least = n->nold < n->nnew ? n->nold : n->nnew, count = 0;
    struct likeness *like =
        trod_new(n->m->mem, struct likeness, all ? n->nold * n->nnew : least);

    for (uint32_t i = 0; i < (all ? n->nold : least); i++) {
        for (uint32_t j = all ? 0 : i; j < (all ? n->nnew : i + 1); j++) {
            int score = likeness(n, i, j);

            if (score >= (n->weak ? ENOUGH : SAME - 4))
                like[count++] = (struct likeness){score, i, j};
        }
    }
    n->npair += all ? n->nold * n->nnew : 0;
    trod_sort(like, count, by_score);
    for (uint32_t k = 0; k < count; k++)
        if (trod_matcher_open(n->m, n->old[like[k].i], n->later[like[k].j]))
            trod_matcher_pair(n->m, n->old[like[k].i], n->later[like[k].j]);
    trod_arena_rewind(n->m->mem, mark);
}

/* Unmatched successors or predecessors, without duplicates, in order. */
static uint32_t gather(trod_node *out, const struct trod_match_side *side, trod_node v,
    bool in, const trod_node *matched, uint32_t *seen, uint32_t stamp)
{
    const struct trod_graph *g = side->graph;
    const uint32_t *first = in ? g->first_in : g->first_out;
    uint32_t n = 0;

    for (uint32_t i = first[v]; i < first[v + 1]; i++) {
        trod_node w = in ? g->src_of_edge[g->in_edge[i]] : g->dst_of_edge[i];

        if (matched[w] != TROD_NONE || seen[w] == stamp ||
            side->order.post_of_node[w] == TROD_NONE)
            continue;
        seen[w] = stamp;
        out[n++] = w;
    }
    return n;
}

static void look_beside(struct near *n, trod_node v, bool in)
{
    struct trod_match *match = n->m->match;

    n->stamp++;
    n->nold =
        gather(n->old, &n->m->old, v, in, match->new_of_old, n->seen_old, n->stamp);
    n->nnew = gather(n->later, &n->m->later, match->new_of_old[v], in,
        match->old_of_new, n->seen_new, n->stamp);
    if (n->nold && n->nnew)
        pair_neighbours(n);
}

void trod_matcher_near(struct trod_matcher *m, bool weak)
{
    struct trod_mark mark = trod_arena_mark(m->mem);
    uint32_t nold = m->old.graph->nnode, nnew = m->later.graph->nnode;
    struct near n = {.m = m,
        .old = trod_new(m->mem, trod_node, nold),
        .later = trod_new(m->mem, trod_node, nnew),
        .seen_old = trod_new(m->mem, uint32_t, nold),
        .seen_new = trod_new(m->mem, uint32_t, nnew),
        .weak = weak};

    /* Blocks that are matched here are appended to the queue. */
    for (uint32_t i = 0; i < m->nqueue; i++) {
        look_beside(&n, m->queue[i], false);
        look_beside(&n, m->queue[i], true);
    }
    trod_arena_rewind(m->mem, mark);
}
