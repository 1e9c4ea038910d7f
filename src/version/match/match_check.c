#include "match/match.h"

static const struct trod_graph *graph_of(const struct trod_map_entry *entry)
{
    return entry->numbering.dag->graph;
}

static bool fail(
    const struct trod_match *match, const char *what, uint32_t i, struct trod_err *err)
{
    return trod_fail(err, TROD_E_INTERNAL, "match of '%s': %s, at %u",
        match->old->name ? match->old->name : graph_of(match->old)->name, what, i);
}

static uint32_t degree(const struct trod_graph *g, trod_node v)
{
    return g->first_out[v + 1] - g->first_out[v];
}

static bool check_nodes(const struct trod_match *m, struct trod_err *err)
{
    const struct trod_graph *a = graph_of(m->old), *b = graph_of(m->later);

    if (m->new_of_old[a->entry] != b->entry)
        return fail(m, "entries are not matched", a->entry, err);
    for (trod_node v = 0; v < a->nnode; v++) {
        trod_node w = m->new_of_old[v];
        bool same = trod_has(m->same_of_old, v);

        if (w == TROD_NONE ? same : w >= b->nnode || m->old_of_new[w] != v)
            return fail(m, "an old block is matched one way", v, err);
        if (same && degree(a, v) != degree(b, w))
            return fail(m, "blocks are the same, their successors not as many", v, err);
        if (same && m->hashed && m->old->hash_of_node[v] != m->later->hash_of_node[w])
            return fail(m, "blocks are the same, their hashes are not", v, err);
    }
    for (trod_node w = 0; w < b->nnode; w++)
        if (m->old_of_new[w] != TROD_NONE &&
            (m->old_of_new[w] >= a->nnode || m->new_of_old[m->old_of_new[w]] != w))
            return fail(m, "a new block is matched one way", w, err);
    return true;
}

/* Was the new edge assigned to two old edges of the block? New edges of a block need not ascend, since parallel edges
 * are matched k-th with k-th, so compare with all others.
 */
static bool is_given_twice(const struct trod_match *m, trod_edge e)
{
    const struct trod_graph *a = graph_of(m->old);
    trod_node v = a->src_of_edge[e];

    for (trod_edge f = e + 1; f < a->first_out[v + 1]; f++)
        if (m->edge_of_old[f] == m->edge_of_old[e])
            return true;
    return false;
}

static bool check_edges(const struct trod_match *m, struct trod_err *err)
{
    const struct trod_graph *a = graph_of(m->old), *b = graph_of(m->later);

    for (trod_edge e = 0; e < a->nedge; e++) {
        trod_edge f = m->edge_of_old[e];

        if (f == TROD_NONE)
            continue;
        if (f >= b->nedge || m->new_of_old[a->src_of_edge[e]] != b->src_of_edge[f] ||
            m->new_of_old[a->dst_of_edge[e]] != b->dst_of_edge[f])
            return fail(m, "an edge is matched, its ends are not", e, err);
        if (is_given_twice(m, e))
            return fail(m, "two edges are matched with one", e, err);
    }
    return true;
}

static bool check_loops(const struct trod_match *m, struct trod_err *err)
{
    for (uint32_t l = 0; l < m->nloop_old; l++) {
        if (m->loop_of_old[l] == TROD_NONE) {
            if (trod_has(m->same_loop, l))
                return fail(m, "a loop is the same as none", l, err);
            continue;
        }
        if (m->loop_of_old[l] >= m->nloop_new)
            return fail(m, "there is no such loop", l, err);
        for (uint32_t k = l + 1; k < m->nloop_old; k++)
            if (m->loop_of_old[k] == m->loop_of_old[l])
                return fail(m, "two loops are matched with one", k, err);
    }
    return true;
}

static bool check_same(const struct trod_match *m, struct trod_err *err)
{
    const struct trod_dag *dag = m->old->numbering.dag;

    for (trod_edge e = 0; e < dag->graph->nedge; e++)
        if (dag->dag_of_edge[e] != TROD_NONE &&
            (m->edge_of_old[e] == TROD_NONE ||
                !trod_has(m->same_of_old, dag->graph->src_of_edge[e]) ||
                !trod_has(m->same_of_old, dag->graph->dst_of_edge[e])))
            return fail(m, "all is the same but for an edge", e, err);
    for (uint32_t l = 0; l < m->nloop_old; l++)
        if (!trod_has(m->same_loop, l))
            return fail(m, "all is the same but for a loop", l, err);
    return m->old->numbering.npath == m->later->numbering.npath ||
           fail(m, "all is the same but for how many paths there are", 0, err);
}

bool trod_match_check(const struct trod_match *match, struct trod_err *err)
{
    return check_nodes(match, err) && check_edges(match, err) &&
           check_loops(match, err) && (!match->same || check_same(match, err));
}
