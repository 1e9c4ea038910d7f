#include "super/super.h"

#include <inttypes.h>

/* A row while its path is walked: the subpath that is going on, and where. */
struct walk {
    const struct trod_super *super;
    const struct trod_dag *dag; /* of the supergraph */
    struct trod_arena *mem;
    struct trod_step *step;
    size_t nstep, room;
    uint32_t frame;
    uint64_t id; /* as far as it goes */
    bool piece;  /* some of it was not on this path */
};

static const struct trod_super_function *function_of(
    const struct walk *w, uint32_t frame)
{
    return &w->super->unit->function[w->super->tree->frame[frame].function];
}

/* One edge of the DAG of the frame's function; TROD_NONE: not known which. */
static void add_edge(struct walk *w, trod_edge e)
{
    if (e == TROD_NONE)
        w->piece = true;
    else
        w->id += (uint64_t)function_of(w, w->frame)->ballarus->val_of_edge[e];
}

static void begin(struct walk *w, uint32_t frame, trod_edge e)
{
    w->frame = frame;
    w->id = 0;
    w->piece = false;
    add_edge(w, e);
}

static void put(struct walk *w, struct trod_step step)
{
    trod_reserve(w->mem, w->step, w->nstep, w->room);
    w->step[w->nstep++] = step;
}

static void put_subpath(struct walk *w)
{
    put(w, (struct trod_step){.kind = TROD_STEP_SUBPATH,
               .function = w->super->tree->frame[w->frame].function,
               .id = w->piece ? TROD_SUPER_PIECE : w->id});
}

static trod_edge enter_edge(const struct trod_dag *dag)
{
    return dag->shape.first_out[dag->shape.entry];
}

static trod_edge leave_edge(const struct trod_dag *dag, trod_node v)
{
    return dag->shape.first_out[v];
}

/* --- where paths start ------------------------------------------------------------------------- */

/* Is the supergraph cut before a node, and the function is not, on an edge of this kind? */
static bool is_cut_before(const struct walk *w, trod_node v, enum trod_super_kind kind)
{
    const struct trod_super *s = w->super;
    const struct trod_graph *g = &s->graph;

    for (uint32_t i = g->first_in[v]; i < g->first_in[v + 1]; i++) {
        trod_edge e = g->in_edge[i], in_dag = w->dag->dag_of_edge[e];
        const struct trod_dag *dag;

        if (s->kind_of_edge[e] != kind || in_dag == TROD_NONE ||
            w->dag->kind_of_edge[in_dag] != TROD_DAG_END)
            continue;
        dag = function_of(w, s->frame_of_edge[e])->ballarus->dag;
        if (kind != TROD_SUPER_LOCAL ||
            dag->kind_of_edge[dag->dag_of_edge[s->origin_of_edge[e]]] != TROD_DAG_END)
            return true;
    }
    return false;
}

/* A path starts here and none of the function does: if a node with a call is all that is before
 * it, the subpath began with that. So it is where an exception comes to.
 */
static void begin_behind_call(struct walk *w, uint32_t frame, trod_node v)
{
    const struct trod_super_function *f = function_of(w, frame);
    const struct trod_dag *dag = f->ballarus->dag;
    const struct trod_graph *g = dag->graph;
    trod_edge e = TROD_NONE;

    if (g->first_in[v + 1] - g->first_in[v] == 1)
        e = g->in_edge[g->first_in[v]];
    if (e == TROD_NONE || !trod_calls_find(&f->calls, g->src_of_edge[e], false)) {
        begin(w, frame, TROD_NONE);
        return;
    }
    begin(w, frame, dag->start_of_node[g->src_of_edge[e]]);
    add_edge(w, dag->dag_of_edge[e]);
}

static void start(struct walk *w, trod_node node)
{
    uint32_t frame = w->super->frame_of_node[node];
    const struct trod_dag *dag = function_of(w, frame)->ballarus->dag;
    trod_node v = node - w->super->first_node_of_frame[frame];
    bool own = dag->start_of_node[v] != TROD_NONE;
    bool entered = is_cut_before(w, node, TROD_SUPER_CALL);
    bool other = is_cut_before(w, node, TROD_SUPER_LOCAL);

    if (own + entered + other != 1)
        begin(w, frame, TROD_NONE); /* which of them is not known */
    else if (own)
        begin(w, frame, dag->start_of_node[v]);
    else if (entered)
        begin(w, frame, enter_edge(dag));
    else
        begin_behind_call(w, frame, v);
}

/* --- where they go ------------------------------------------------------------------------------ */

static void cross(struct walk *w, trod_edge e)
{
    const struct trod_super *s = w->super;
    const struct trod_dag *dag = function_of(w, w->frame)->ballarus->dag;
    uint32_t frame = s->frame_of_edge[e];
    const struct trod_super_frame *left;

    switch ((enum trod_super_kind)s->kind_of_edge[e]) {
    case TROD_SUPER_LOCAL:
        add_edge(w, dag->dag_of_edge[s->origin_of_edge[e]]);
        break;
    case TROD_SUPER_CALL:
        add_edge(w, dag->dag_of_edge[s->origin_of_edge[e]]);
        put_subpath(w);
        put(w, (struct trod_step){.kind = TROD_STEP_CALL});
        begin(w, frame, enter_edge(function_of(w, frame)->ballarus->dag));
        break;
    case TROD_SUPER_RETURN:
        left = &s->tree->frame[frame];
        add_edge(w,
            leave_edge(dag, s->graph.src_of_edge[e] - s->first_node_of_frame[frame]));
        put_subpath(w);
        put(w, (struct trod_step){.kind = TROD_STEP_RETURN});
        begin(w, left->parent,
            function_of(w, left->parent)->ballarus->dag->start_of_node[left->node]);
        break;
    }
}

/* --- where they end ------------------------------------------------------------------------------ */

static enum trod_super_end end_at_exit(struct walk *w, trod_node node)
{
    const struct trod_super_function *f = function_of(w, w->frame);
    trod_node v = node - w->super->first_node_of_frame[w->frame];

    add_edge(w, leave_edge(f->ballarus->dag, v));
    return trod_calls_find(&f->calls, v, true) ? TROD_SUPER_AT_LAST
                                               : TROD_SUPER_AT_EXIT;
}

static enum trod_super_end end_at_cut(struct walk *w, trod_edge e)
{
    const struct trod_super *s = w->super;
    const struct trod_super_function *f = function_of(w, w->frame);
    const struct trod_dag *dag = f->ballarus->dag;
    trod_edge origin = s->origin_of_edge[e];

    if (s->kind_of_edge[e] == TROD_SUPER_RETURN) {
        end_at_exit(w, s->graph.src_of_edge[e]);
        return TROD_SUPER_AT_RETURN;
    }
    add_edge(w, dag->dag_of_edge[origin]);
    if (dag->kind_of_edge[dag->dag_of_edge[origin]] != TROD_DAG_END) {
        w->piece = true;
        return TROD_SUPER_IN_PIECE;
    }
    return trod_calls_find(&f->calls, dag->graph->dst_of_edge[origin], false)
               ? TROD_SUPER_AT_CALL
               : TROD_SUPER_AT_ROUND;
}

void trod_super_row_build(struct trod_super_row *out, const struct trod_super *super,
    const struct trod_dag *dag, const trod_edge *edge_of_step, uint32_t nstep,
    struct trod_arena *mem)
{
    struct walk w = {.super = super, .dag = dag, .mem = mem};
    trod_edge first = edge_of_step[0], last = edge_of_step[nstep - 1];

    if (dag->kind_of_edge[first] == TROD_DAG_ENTER)
        begin(&w, 0, enter_edge(function_of(&w, 0)->ballarus->dag));
    else
        start(&w, dag->shape.dst_of_edge[first]);
    out->frame = w.frame;
    for (uint32_t i = 1; i + 1 < nstep; i++)
        cross(&w, dag->origin_of_edge[edge_of_step[i]]);
    out->end = dag->kind_of_edge[last] == TROD_DAG_LEAVE
                   ? end_at_exit(&w, dag->shape.src_of_edge[last])
                   : end_at_cut(&w, dag->origin_of_edge[last]);
    put_subpath(&w);
    out->nstep = w.nstep;
    out->step = w.step;
}

void trod_super_row_decode(struct trod_super_row *out, const struct trod_super *super,
    const struct trod_numbering *ballarus, trod_path id, struct trod_arena *mem)
{
    trod_edge *edge_of_step = trod_new(mem, trod_edge, ballarus->dag->nreach);
    uint32_t n = trod_number_decode(edge_of_step, ballarus, id);

    trod_super_row_build(out, super, ballarus->dag, edge_of_step, n, mem);
}

void trod_super_row_print(struct trod_sink *sink, const struct trod_super_row *row,
    const struct trod_super_unit *unit)
{
    for (size_t i = 0; i < row->nstep; i++) {
        const struct trod_step *step = &row->step[i];

        trod_put(sink, "%s", i ? " " : "");
        if (step->kind != TROD_STEP_SUBPATH) {
            trod_put(sink, step->kind == TROD_STEP_CALL ? "(" : ")");
            continue;
        }
        trod_put_name(sink, unit->function[step->function].name);
        if (step->id == TROD_SUPER_PIECE)
            trod_put(sink, ":?");
        else
            trod_put(sink, ":%" PRIu64, step->id);
    }
}
