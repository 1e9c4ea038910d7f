#include "match/matcher.h"

#include <string.h>

/* --- keys ------------------------------------------------------------------------------------------------ */

static uint64_t text_hash(const char *text)
{
    uint64_t hash = 0;

    for (; text && *text; text++)
        hash = trod_mix(hash, (unsigned char)*text);
    return trod_mix(hash, text != NULL);
}

static uint64_t hash_of_callees(const struct trod_map_entry *entry, trod_node v)
{
    uint64_t hash = 0;

    for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++)
        hash = trod_mix(hash, text_hash(entry->callee[i]));
    return hash;
}

/* Predecessors are unordered, so their keys are added. */
static uint64_t wider_key(const struct trod_graph *g, const uint64_t *key, trod_node v)
{
    uint64_t hash = key[v], in = 0;

    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
        hash = trod_mix(hash, key[g->dst_of_edge[e]]);
    for (uint32_t i = g->first_in[v]; i < g->first_in[v + 1]; i++)
        in += trod_mix(1, key[g->src_of_edge[g->in_edge[i]]]);
    return trod_mix(hash, in);
}

static void fill_keys(struct trod_match_side *side, struct trod_arena *mem)
{
    const struct trod_map_entry *entry = side->entry;
    const struct trod_graph *g = side->graph;

    side->callees = trod_new(mem, uint64_t, g->nnode);
    for (trod_node v = 0; entry->first_callee && v < g->nnode; v++)
        side->callees[v] = hash_of_callees(entry, v);
    if (!entry->hash_of_node)
        return;
    for (unsigned r = 0; r < TROD_MATCH_RADII; r++)
        side->key[r] = trod_new(mem, uint64_t, g->nnode);
    for (trod_node v = 0; v < g->nnode; v++)
        side->key[0][v] = trod_mix(trod_mix(entry->hash_of_node[v], side->callees[v]),
            g->first_out[v + 1] - g->first_out[v]);
    for (unsigned r = 1; r < TROD_MATCH_RADII; r++)
        for (trod_node v = 0; v < g->nnode; v++)
            side->key[r][v] = wider_key(g, side->key[r - 1], v);
}

static void fill_side(struct trod_match_side *side, const struct trod_map_entry *entry,
    struct trod_arena *mem)
{
    side->entry = entry;
    side->graph = entry->numbering.dag->graph;
    trod_graph_order(&side->order, side->graph, mem);
    trod_graph_loops(&side->loops, side->graph, &side->order, mem);
    fill_keys(side, mem);
}

/* --- equal shapes -------------------------------------------------------------------------------------------- */

/* The new block at the position of an old one, if both graphs have the same shape. */
static trod_node in_place(const struct trod_matcher *m, trod_node old)
{
    return m->later.order.post[m->old.order.post_of_node[old]];
}

static bool shapes_are_equal(const struct trod_matcher *m)
{
    const struct trod_graph *a = m->old.graph, *b = m->later.graph;

    if (m->old.order.nreach != m->later.order.nreach)
        return false;
    for (uint32_t i = 0; i < m->old.order.nreach; i++) {
        trod_node v = m->old.order.post[i], w = m->later.order.post[i];
        uint32_t n = a->first_out[v + 1] - a->first_out[v];

        if (b->first_out[w + 1] - b->first_out[w] != n)
            return false;
        for (uint32_t k = 0; k < n; k++)
            if (in_place(m, a->dst_of_edge[a->first_out[v] + k]) !=
                b->dst_of_edge[b->first_out[w] + k])
                return false;
    }
    return true;
}

/* Match by position: all blocks if there are no hashes, otherwise those with equal keys. */
static void match_in_place(struct trod_matcher *m)
{
    for (uint32_t i = m->old.order.nreach; i-- > 0;) {
        trod_node v = m->old.order.post[i], w = m->later.order.post[i];

        if (trod_matcher_open(m, v, w) &&
            (!m->match->hashed || trod_matcher_same(m, v, w)))
            trod_matcher_pair(m, v, w);
    }
}

/* --- edges ------------------------------------------------------------------------------------------------------ */

/* Indexed by new node; used while the edges of one block are matched. */
struct parallel {
    uint32_t *nold, *nnew;
    trod_edge *first; /* the first unmatched edge to it */
    trod_edge *next;  /* by new edge */
};

/* Match parallel edges, the k-th with the k-th, if there are as many in both graphs. */
static void match_parallel(
    struct trod_matcher *m, struct parallel *p, trod_node u, trod_node v)
{
    const struct trod_graph *a = m->old.graph, *b = m->later.graph;

    for (trod_edge e = b->first_out[v + 1]; e-- > b->first_out[v];) {
        trod_node w = b->dst_of_edge[e];

        p->next[e] = p->nnew[w]++ ? p->first[w] : TROD_NONE;
        p->first[w] = e;
    }
    for (trod_edge e = a->first_out[u]; e < a->first_out[u + 1]; e++)
        if (m->match->new_of_old[a->dst_of_edge[e]] != TROD_NONE)
            p->nold[m->match->new_of_old[a->dst_of_edge[e]]]++;
    for (trod_edge e = a->first_out[u]; e < a->first_out[u + 1]; e++) {
        trod_node w = m->match->new_of_old[a->dst_of_edge[e]];

        if (w == TROD_NONE || !p->nnew[w] || p->nold[w] != p->nnew[w])
            continue;
        m->match->edge_of_old[e] = p->first[w];
        p->first[w] = p->next[p->first[w]];
    }
    for (trod_edge e = b->first_out[v]; e < b->first_out[v + 1]; e++)
        p->nnew[b->dst_of_edge[e]] = 0;
    for (trod_edge e = a->first_out[u]; e < a->first_out[u + 1]; e++)
        if (m->match->new_of_old[a->dst_of_edge[e]] != TROD_NONE)
            p->nold[m->match->new_of_old[a->dst_of_edge[e]]] = 0;
}

/* A block with the same code has the same outcomes: match its edges by position. */
static void match_places(struct trod_matcher *m, trod_node u, trod_node v)
{
    const struct trod_graph *a = m->old.graph, *b = m->later.graph;

    for (trod_edge e = a->first_out[u]; e < a->first_out[u + 1]; e++) {
        trod_edge f = b->first_out[v] + (e - a->first_out[u]);

        if (m->match->new_of_old[a->dst_of_edge[e]] == b->dst_of_edge[f])
            m->match->edge_of_old[e] = f;
    }
}

static void match_edges(struct trod_matcher *m)
{
    struct trod_match *match = m->match;
    struct trod_mark mark = trod_arena_mark(m->mem);
    struct parallel p = {.nold = trod_new(m->mem, uint32_t, m->later.graph->nnode),
        .nnew = trod_new(m->mem, uint32_t, m->later.graph->nnode),
        .first = trod_new(m->mem, trod_edge, m->later.graph->nnode),
        .next = trod_new(m->mem, trod_edge, m->later.graph->nedge)};

    for (trod_node u = 0; u < m->old.graph->nnode; u++) {
        if (match->new_of_old[u] == TROD_NONE)
            continue;
        if (trod_has(match->same_of_old, u) || (m->alike && !match->hashed))
            match_places(m, u, match->new_of_old[u]);
        else
            match_parallel(m, &p, u, match->new_of_old[u]);
    }
    trod_arena_rewind(m->mem, mark);
}

/* --- starts of paths, and whether ids are unchanged --------------------------------------------------------------- */

static bool is_end(const struct trod_dag *dag, trod_edge e)
{
    return dag->dag_of_edge[e] != TROD_NONE &&
           dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END;
}

static void fill_starts(struct trod_matcher *m)
{
    const struct trod_dag *a = m->old.entry->numbering.dag;
    const struct trod_dag *b = m->later.entry->numbering.dag;
    struct trod_match *match = m->match;

    for (trod_node v = 0; v < a->graph->nnode; v++)
        if (a->start_of_node[v] != TROD_NONE && match->new_of_old[v] != TROD_NONE &&
            b->start_of_node[match->new_of_old[v]] != TROD_NONE)
            trod_add(match->starts_of_old, v);
    for (trod_edge e = 0; e < a->graph->nedge; e++)
        if (is_end(a, e) && match->edge_of_old[e] != TROD_NONE &&
            !is_end(b, match->edge_of_old[e]))
            trod_drop(match->starts_of_old, a->graph->dst_of_edge[e]);
}

static bool nodes_are_same(const struct trod_matcher *m)
{
    for (uint32_t i = 0; i < m->old.order.nreach; i++) {
        trod_node v = m->old.order.post[i];

        if (m->match->new_of_old[v] != in_place(m, v) ||
            !trod_has(m->match->same_of_old, v))
            return false;
    }
    return true;
}

/* Compare the values on edges and starts: these determine ids, whatever the hashes are. */
static bool ids_are_same(const struct trod_matcher *m)
{
    const struct trod_numbering *x = &m->old.entry->numbering;
    const struct trod_numbering *y = &m->later.entry->numbering;
    const struct trod_dag *a = x->dag, *b = y->dag;

    if (x->npath != y->npath || a->shape.nedge != b->shape.nedge)
        return false;
    for (trod_edge e = 0; e < a->graph->nedge; e++) {
        trod_edge d = a->dag_of_edge[e], f;

        if (d == TROD_NONE)
            continue;
        f = b->dag_of_edge[m->match->edge_of_old[e]];
        if (a->kind_of_edge[d] != b->kind_of_edge[f] ||
            x->val_of_edge[d] != y->val_of_edge[f])
            return false;
    }
    for (trod_node v = 0; v < a->graph->nnode; v++) {
        trod_edge d = a->start_of_node[v], f;

        if (d == TROD_NONE)
            continue;
        f = b->start_of_node[m->match->new_of_old[v]];
        if (f == TROD_NONE || x->val_of_edge[d] != y->val_of_edge[f])
            return false;
    }
    return true;
}

/* --- the interface ------------------------------------------------------------------------------------------------ */

static void fill_same(struct trod_matcher *m)
{
    const struct trod_map_entry *old = m->old.entry, *new = m->later.entry;
    bool meant = !m->match->hashed && old->meaning && old->meaning == new->meaning;

    for (trod_node v = 0; v < m->old.graph->nnode; v++) {
        trod_node w = m->match->new_of_old[v];

        if (w != TROD_NONE && (meant || trod_matcher_same(m, v, w)))
            trod_add(m->match->same_of_old, v);
    }
}

static void match_nodes(struct trod_matcher *m)
{
    trod_matcher_pair(m, m->old.graph->entry, m->later.graph->entry);
    if (m->alike)
        match_in_place(m);
    if (!m->match->hashed)
        return;
    trod_matcher_rows(m);
    trod_matcher_near(m, false);
    trod_matcher_moved(m);
    trod_matcher_near(m, true);
    trod_matcher_headers(m);
    trod_matcher_near(m, true);
}

static void allocate(struct trod_match *out, struct trod_arena *mem)
{
    const struct trod_graph *a = out->old->numbering.dag->graph;
    const struct trod_graph *b = out->later->numbering.dag->graph;

    out->new_of_old = trod_new(mem, trod_node, a->nnode);
    out->old_of_new = trod_new(mem, trod_node, b->nnode);
    out->same_of_old = trod_new(mem, uint64_t, TROD_WORDS(a->nnode));
    out->starts_of_old = trod_new(mem, uint64_t, TROD_WORDS(a->nnode));
    out->edge_of_old = trod_new(mem, trod_edge, a->nedge);
    /* Each loop has a different header, so nnode entries suffice. */
    out->loop_of_old = trod_new(mem, uint32_t, a->nnode);
    out->same_loop = trod_new(mem, uint64_t, TROD_WORDS(a->nnode));
    memset(out->new_of_old, 0xff, a->nnode * sizeof *out->new_of_old);
    memset(out->old_of_new, 0xff, b->nnode * sizeof *out->old_of_new);
    memset(out->edge_of_old, 0xff, a->nedge * sizeof *out->edge_of_old);
    memset(out->loop_of_old, 0xff, a->nnode * sizeof *out->loop_of_old);
}

void trod_match_build(struct trod_match *out, const struct trod_map_entry *old,
    const struct trod_map_entry *new, struct trod_arena *mem)
{
    struct trod_matcher m = {.match = out, .mem = mem};
    struct trod_mark mark;

    *out = (struct trod_match){.old = old,
        .later = new,
        .hashed = old->hash_of_node != NULL &&new->hash_of_node != NULL};
    allocate(out, mem);
    mark = trod_arena_mark(mem);
    fill_side(&m.old, old, mem);
    fill_side(&m.later, new, mem);
    m.queue = trod_new(mem, trod_node, m.old.graph->nnode);
    m.alike = shapes_are_equal(&m);
    match_nodes(&m);
    fill_same(&m);
    match_edges(&m);
    fill_starts(&m);
    trod_matcher_loops(&m);
    out->same = m.alike && nodes_are_same(&m) && ids_are_same(&m);
    out->nloop_old = m.old.loops.nloop;
    out->nloop_new = m.later.loops.nloop;
    trod_arena_rewind(mem, mark);
}

trod_edge trod_match_edge(const struct trod_match *match, trod_edge old)
{
    return match->edge_of_old[old];
}
