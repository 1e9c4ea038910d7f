#include "number/number.h"
#include "base/order.h"
#include "base/table.h"

#include <stdlib.h>
#include <string.h>

TROD_ORDER(ascending, trod_path, trod_compare(*a, *b))

void trod_pathset_build(
    struct trod_pathset *out, const trod_path *id, size_t count, struct trod_arena *mem)
{
    trod_path *sorted = trod_new(mem, trod_path, count);
    size_t n = 0;

    if (count)
        memcpy(sorted, id, count * sizeof *sorted);
    trod_sort(sorted, count, ascending);
    for (size_t i = 0; i < count; i++)
        if (!i || sorted[i] != sorted[n - 1])
            sorted[n++] = sorted[i];
    *out = (struct trod_pathset){.id = sorted, .count = n};
}

bool trod_pathset_encode(struct trod_pathset *out, const struct trod_trails *trails,
    const struct trod_numbering *ballarus, struct trod_arena *mem, struct trod_err *err)
{
    trod_path *id = trod_new(mem, trod_path, trails->count);

    for (uint32_t i = 0; i < trails->count; i++)
        if (!trod_trail_encode(&id[i], &trails->trail[i], ballarus, err))
            return false;
    trod_pathset_build(out, id, trails->count, mem);
    return true;
}

/* The automaton under construction (incremental minimization). The last added path is open, as a stack of frames, one
 * per node. All states after it are frozen: minimal and numbered.
 */
struct frame {
    trod_node node;
    trod_path base;      /* sum of the values up to here */
    uint32_t first_open; /* its arcs so far, on the stack of open arcs */
    trod_edge pending;   /* edge to the next frame */
};

struct arc {
    trod_edge edge;
    uint32_t state;
};

struct automaton_builder {
    const struct trod_numbering *bl;
    struct trod_arena *mem;
    struct frame *frame;
    uint32_t nframe;
    struct arc *open; /* arcs of open frames, outer frames first */
    uint32_t nopen, room_open;
    /* frozen */
    trod_node *node_of_state;
    uint32_t *first_arc;
    uint64_t *npath_of_state;
    uint32_t nstate, room_node, room_first, room_npath;
    trod_edge *edge_of_arc;
    uint32_t *state_of_arc;
    uint32_t narc, room_edge, room_state;
    struct trod_table frozen; /* states by content */
};

static uint64_t hash_state(trod_node node, const struct arc *arc, uint32_t narc)
{
    uint64_t hash = node;

    for (uint32_t a = 0; a < narc; a++)
        hash = trod_mix(hash, (uint64_t)arc[a].edge << 32 | arc[a].state);
    return hash;
}

static bool same_state(const struct automaton_builder *m, uint32_t state,
    trod_node node, const struct arc *arc, uint32_t narc)
{
    uint32_t first;
    bool same;

    assert(state < m->nstate && m->node_of_state && m->first_arc);
    first = m->first_arc[state];
    same = m->node_of_state[state] == node && m->first_arc[state + 1] - first == narc;

    for (uint32_t a = 0; same && a < narc; a++)
        same = m->edge_of_arc[first + a] == arc[a].edge &&
               m->state_of_arc[first + a] == arc[a].state;
    return same;
}

static uint32_t add_state(
    struct automaton_builder *m, trod_node node, const struct arc *arc, uint32_t narc)
{
    uint64_t npath = narc ? 0 : 1; /* only EXIT has no arcs */

    trod_reserve(m->mem, m->node_of_state, m->nstate, m->room_node);
    trod_reserve(m->mem, m->npath_of_state, m->nstate, m->room_npath);
    trod_reserve(m->mem, m->first_arc, m->nstate + 1, m->room_first);
    for (uint32_t a = 0; a < narc; a++) {
        trod_reserve(m->mem, m->edge_of_arc, m->narc, m->room_edge);
        trod_reserve(m->mem, m->state_of_arc, m->narc, m->room_state);
        m->edge_of_arc[m->narc] = arc[a].edge;
        m->state_of_arc[m->narc++] = arc[a].state;
        npath += m->npath_of_state[arc[a].state];
    }
    m->node_of_state[m->nstate] = node;
    m->npath_of_state[m->nstate] = npath;
    m->first_arc[m->nstate + 1] = m->narc;
    return m->nstate++;
}

/* Close the innermost frame: find an equal frozen state, or add it as one. */
static uint32_t freeze(struct automaton_builder *m)
{
    struct frame *f = &m->frame[--m->nframe];
    const struct arc *arc = m->open + f->first_open;
    uint32_t narc = m->nopen - f->first_open, state;
    uint64_t hash = hash_state(f->node, arc, narc);

    m->nopen = f->first_open;
    state = TROD_TABLE_FIND(&m->frozen, hash, s, same_state(m, s, f->node, arc, narc));
    if (state != TROD_TABLE_NONE)
        return state;
    trod_table_add(&m->frozen, hash, m->mem);
    return add_state(m, f->node, arc, narc);
}

/* Close frames until the id interval of the innermost one contains the path. */
static void close_down(struct automaton_builder *m, trod_path id)
{
    for (;;) {
        const struct frame *top = &m->frame[m->nframe - 1];
        uint32_t state;

        if (id - top->base < m->bl->npath_of_node[top->node])
            return;
        state = freeze(m);
        trod_push(m->mem, m->open, m->nopen, m->room_open,
            (struct arc){m->frame[m->nframe - 1].pending, state});
    }
}

static void open_up(struct automaton_builder *m, trod_path id)
{
    const struct trod_graph *g = &m->bl->dag->shape;

    while (m->frame[m->nframe - 1].node != m->bl->dag->exit) {
        struct frame *top = &m->frame[m->nframe - 1];
        trod_edge e = g->first_out[top->node];

        /* The last edge whose interval starts at or before the rest. */
        while (e + 1 < g->first_out[top->node + 1] &&
               (trod_path)m->bl->val_of_edge[e + 1] <= id - top->base)
            e++;
        top->pending = e;
        m->frame[m->nframe++] = (struct frame){.node = g->dst_of_edge[e],
            .base = top->base + (trod_path)m->bl->val_of_edge[e],
            .first_open = m->nopen};
    }
}

/* Arcs grouped by edge, for passes that process edges one by one. */
static void group_arcs(struct trod_interest *out, struct trod_arena *mem)
{
    uint32_t nedge = out->ballarus->dag->shape.nedge;
    uint32_t *first = trod_new(mem, uint32_t, (size_t)nedge + 2);
    struct trod_use *use = trod_new(mem, struct trod_use, out->narc);
    uint64_t *edges = trod_new(mem, uint64_t, TROD_WORDS(nedge));

    for (uint32_t a = 0; a < out->narc; a++)
        first[out->edge_of_arc[a] + 2]++;
    for (trod_edge e = 0; e < nedge; e++) {
        if (first[e + 2])
            trod_add(edges, e);
        first[e + 2] += first[e + 1];
    }
    for (uint32_t s = 0; s < out->nstate; s++)
        for (uint32_t a = out->first_arc[s]; a < out->first_arc[s + 1]; a++)
            use[first[out->edge_of_arc[a] + 1]++] =
                (struct trod_use){s, out->state_of_arc[a]};
    out->first_use = first;
    out->use = use;
    out->edges = edges;
}

void trod_interest_build(struct trod_interest *out,
    const struct trod_numbering *ballarus, const struct trod_pathset *paths,
    struct trod_arena *mem)
{
    struct automaton_builder m = {.bl = ballarus, .mem = mem};
    const struct trod_dag *dag = ballarus->dag;

    *out = (struct trod_interest){.ballarus = ballarus, .paths = *paths};
    m.frame = trod_new(mem, struct frame, dag->nreach);
    trod_reserve(mem, m.first_arc, m.nstate, m.room_first);
    trod_reserve(mem, m.open, m.nopen, m.room_open);
    trod_reserve(mem, m.open, m.nopen, m.room_open);
    m.frame[m.nframe++] = (struct frame){.node = dag->shape.entry};
    for (size_t i = 0; i < paths->count; i++) {
        assert(paths->id[i] < ballarus->npath);
        if (i)
            close_down(&m, paths->id[i]);
        open_up(&m, paths->id[i]);
    }
    while (m.nframe > 1) {
        uint32_t state = freeze(&m);

        trod_push(mem, m.open, m.nopen, m.room_open,
            (struct arc){m.frame[m.nframe - 1].pending, state});
    }
    freeze(&m);
    out->nstate = m.nstate;
    out->narc = m.narc;
    out->node_of_state = m.node_of_state;
    out->first_arc = m.first_arc;
    out->edge_of_arc = m.edge_of_arc;
    out->state_of_arc = m.state_of_arc;
    out->npath_of_state = m.npath_of_state;
    group_arcs(out, mem);
}
