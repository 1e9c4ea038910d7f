#include "match/match.h"
#include "base/order.h"

#include <stdlib.h>

/* --- one path ----------------------------------------------------------------------------------------------- */

struct mover {
    const struct trod_match *match;
    const struct trod_dag *old, *later;
    const int64_t *val;
    trod_path *out; /* finished pieces */
    uint32_t nout;
    trod_path id; /* of the current piece */
};

static void take(struct mover *m, trod_edge e)
{
    m->id += (trod_path)m->val[e];
}

static void finish(struct mover *m)
{
    m->out[m->nout++] = m->id;
    m->id = 0;
}

static bool begin_path(struct mover *m, trod_edge e)
{
    const struct trod_graph *shape = &m->later->shape;
    trod_node v = m->old->shape.dst_of_edge[e];

    if (m->old->kind_of_edge[e] == TROD_DAG_ENTER) {
        take(m, shape->first_out[shape->entry]);
        return true;
    }
    if (!trod_has(m->match->starts_of_old, v))
        return false;
    take(m, m->later->start_of_node[m->match->new_of_old[v]]);
    return true;
}

/* Follow an edge of the graph, which may be cut. */
static bool follow(struct mover *m, trod_edge e)
{
    trod_edge moved = m->match->edge_of_old[m->old->origin_of_edge[e]], d;
    bool ends = m->old->kind_of_edge[e] == TROD_DAG_END;

    if (moved == TROD_NONE)
        return false;
    d = m->later->dag_of_edge[moved];
    if (d == TROD_NONE || (ends && m->later->kind_of_edge[d] != TROD_DAG_END))
        return false;
    take(m, d);
    if (m->later->kind_of_edge[d] == TROD_DAG_END) {
        finish(m);
        if (!ends)
            take(m, m->later->start_of_node[m->later->graph->dst_of_edge[moved]]);
    }
    return true;
}

static bool leave(struct mover *m, trod_edge e)
{
    trod_node v = m->match->new_of_old[m->old->shape.src_of_edge[e]];
    const struct trod_graph *g = m->later->graph;

    if (v == TROD_NONE || g->first_out[v] != g->first_out[v + 1])
        return false;
    take(m, m->later->shape.first_out[v]);
    finish(m);
    return true;
}

static bool move_step(struct mover *m, trod_edge e)
{
    switch ((enum trod_dag_kind)m->old->kind_of_edge[e]) {
    case TROD_DAG_ENTER:
    case TROD_DAG_START:
        return begin_path(m, e);
    case TROD_DAG_REAL:
    case TROD_DAG_END:
        return follow(m, e);
    case TROD_DAG_LEAVE:
        return leave(m, e);
    }
    return false;
}

static uint32_t move_steps(trod_path *out, const struct trod_match *match,
    const trod_edge *step, uint32_t nstep)
{
    struct mover m = {.match = match,
        .old = match->old->numbering.dag,
        .later = match->later->numbering.dag,
        .val = match->later->numbering.val_of_edge,
        .out = out};

    for (uint32_t i = 0; i < nstep; i++)
        if (!move_step(&m, step[i]))
            return 0;
    return m.nout;
}

uint32_t trod_match_pieces(trod_path *out, const struct trod_match *match,
    trod_path old, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *step = trod_new(mem, trod_edge, match->old->numbering.dag->nreach);
    uint32_t nstep = trod_number_decode(step, &match->old->numbering, old);
    uint32_t count = move_steps(out, match, step, nstep);

    trod_arena_rewind(mem, mark);
    return count;
}

bool trod_match_path(trod_path *out, const struct trod_match *match, trod_path old,
    struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    trod_path *piece = trod_new(mem, trod_path, match->later->numbering.dag->nreach);
    bool moved = trod_match_pieces(piece, match, old, mem) == 1;

    *out = moved ? piece[0] : 0;
    trod_arena_rewind(mem, mark);
    return moved;
}

bool trod_match_chain(trod_path *out, const struct trod_match *match, trod_path old,
    struct trod_arena *mem)
{
    const struct trod_chain *from = &match->old->chain, *to = &match->later->chain;
    trod_path path[TROD_ITERATIONS_MAX], chain = 0;
    unsigned n;

    if (from->iterations <= 1 && to->iterations <= 1)
        return trod_match_path(out, match, old, mem);
    if (from->iterations != to->iterations || old >= from->nchain)
        return false;
    n = trod_chain_decode(path, from, old);
    for (unsigned i = 0; i < n; i++) {
        if (path[i] >= match->old->numbering.npath ||
            !trod_match_path(&path[i], match, path[i], mem))
            return false;
        chain = trod_chain_add(to, chain, path[i]);
    }
    *out = chain;
    return n > 0;
}

/* --- all paths of a function -------------------------------------------------------------------------------------- */

struct moved_path {
    trod_path id;
    uint64_t count;
};

TROD_ORDER(by_id, struct moved_path, TROD_UP(id))

/* Does the path contain a block that is not the same? */
static bool is_weak(
    const struct trod_match *match, const trod_edge *step, uint32_t nstep)
{
    const struct trod_dag *dag = match->old->numbering.dag;

    for (uint32_t i = 0; i < nstep; i++) {
        trod_node v = dag->shape.dst_of_edge[step[i]];

        if (v < dag->graph->nnode && !trod_has(match->same_of_old, v))
            return true;
    }
    return false;
}

struct collector {
    struct moved_path *path;
    size_t count, room;
    trod_edge *step;
    trod_path *piece;
};

static void move_one(struct trod_moved *out, struct collector *g,
    const struct trod_match *match, trod_path id, uint64_t count,
    struct trod_arena *mem)
{
    uint32_t nstep = trod_number_decode(g->step, &match->old->numbering, id);
    uint32_t n = move_steps(g->piece, match, g->step, nstep);

    out->nran++;
    out->ran = trod_sat_add(out->ran, count);
    if (!n) {
        out->nlost++;
        out->lost = trod_sat_add(out->lost, count);
        return;
    }
    out->nmoved++;
    out->moved = trod_sat_add(out->moved, count);
    if (is_weak(match, g->step, nstep))
        out->weak = trod_sat_add(out->weak, count);
    for (uint32_t i = 0; i < n; i++) {
        trod_push(
            mem, g->path, g->count, g->room, (struct moved_path){g->piece[i], count});
    }
}

static void add_up(struct trod_moved *out, struct collector *g, struct trod_arena *mem)
{
    trod_sort(g->path, g->count, by_id);
    out->id = trod_new(mem, trod_path, g->count);
    out->count = trod_new(mem, uint64_t, g->count);
    for (size_t i = 0; i < g->count; i++) {
        if (!out->npath || out->id[out->npath - 1] != g->path[i].id)
            out->id[out->npath++] = g->path[i].id;
        out->count[out->npath - 1] =
            trod_sat_add(out->count[out->npath - 1], g->path[i].count);
    }
}

void trod_match_move(struct trod_moved *out, const struct trod_match *match,
    const trod_path *id, const uint64_t *count, size_t npath, struct trod_arena *mem)
{
    const struct trod_numbering *to = &match->later->numbering;
    struct collector g = {
        .step = trod_new(mem, trod_edge, match->old->numbering.dag->nreach),
        .piece = trod_new(mem, trod_path, to->dag->nreach)};
    uint64_t *flow = trod_new(mem, uint64_t, to->dag->graph->nedge), entries;

    *out = (struct trod_moved){0};
    for (size_t i = 0; i < npath; i++)
        if (count[i])
            move_one(out, &g, match, id[i], count[i], mem);
    add_up(out, &g, mem);
    trod_match_flow(flow, &entries, to, out->id, out->count, out->npath, mem);
    out->nfault = trod_repair_faults(&out->fault, to->dag->graph, flow, entries, mem);
}

void trod_match_flow(uint64_t *flow, uint64_t *entries,
    const struct trod_numbering *ballarus, const trod_path *id, const uint64_t *count,
    size_t npath, struct trod_arena *mem)
{
    const struct trod_dag *dag = ballarus->dag;
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *step = trod_new(mem, trod_edge, dag->nreach);

    for (trod_edge e = 0; e < dag->graph->nedge; e++)
        flow[e] = 0;
    *entries = 0;
    for (size_t i = 0; i < npath; i++) {
        uint32_t nstep = trod_number_decode(step, ballarus, id[i]);

        if (dag->kind_of_edge[step[0]] == TROD_DAG_ENTER)
            *entries = trod_sat_add(*entries, count[i]);
        for (uint32_t k = 0; k < nstep; k++) {
            trod_edge e = dag->origin_of_edge[step[k]];

            if (e != TROD_NONE)
                flow[e] = trod_sat_add(flow[e], count[i]);
        }
    }
    trod_arena_rewind(mem, mark);
}
