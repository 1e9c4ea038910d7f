#include "super/walk.h"

static const struct trod_super_function *function_of(
    const struct trod_super_walk *w, uint32_t frame)
{
    return &w->super->unit->function[w->super->tree->frame[frame].function];
}

/* One edge of the DAG of the frame's function; TROD_NONE: which one is unknown. */
static void add_edge(struct trod_super_walk *w, trod_edge e)
{
    if (e == TROD_NONE)
        w->piece = true;
    else
        w->id += (uint64_t)function_of(w, w->frame)->ballarus->val_of_edge[e];
}

static void begin(struct trod_super_walk *w, uint32_t frame, trod_edge e)
{
    w->frame = frame;
    w->id = 0;
    w->piece = false;
    add_edge(w, e);
}

static struct trod_step subpath(const struct trod_super_walk *w)
{
    return (struct trod_step){.kind = TROD_STEP_SUBPATH,
        .function = w->super->tree->frame[w->frame].function,
        .id = w->piece ? TROD_SUPER_PIECE : w->id};
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

/* Is the supergraph, but not the function, cut on an edge of this kind to a node? */
static bool is_cut_before(
    const struct trod_super_walk *w, trod_node v, enum trod_super_kind kind)
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

/* Paths of the supergraph start here, those of the function do not: this is the target of an
 * exception. If the only predecessor is a node with a call, the subpath began with that call.
 */
static void begin_behind_call(struct trod_super_walk *w, uint32_t frame, trod_node v)
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

static void start_at(struct trod_super_walk *w, trod_node node)
{
    uint32_t frame = w->super->frame_of_node[node];
    const struct trod_dag *dag = function_of(w, frame)->ballarus->dag;
    trod_node v = node - w->super->first_node_of_frame[frame];
    bool own = dag->start_of_node[v] != TROD_NONE;
    bool entered = is_cut_before(w, node, TROD_SUPER_CALL);
    bool other = is_cut_before(w, node, TROD_SUPER_LOCAL);

    if (own + entered + other != 1)
        begin(w, frame, TROD_NONE); /* several predecessors: which one is unknown */
    else if (own)
        begin(w, frame, dag->start_of_node[v]);
    else if (entered)
        begin(w, frame, enter_edge(dag));
    else
        begin_behind_call(w, frame, v);
}

void trod_super_walk_start(struct trod_super_walk *w, trod_edge e)
{
    if (w->dag->kind_of_edge[e] == TROD_DAG_ENTER)
        begin(w, 0, enter_edge(function_of(w, 0)->ballarus->dag));
    else
        start_at(w, w->dag->shape.dst_of_edge[e]);
}

/* --- edges ------------------------------------------------------------------------------ */

enum trod_super_turn trod_super_walk_cross(
    struct trod_super_walk *w, struct trod_step *ended, trod_edge e)
{
    const struct trod_super *s = w->super;
    const struct trod_dag *dag = function_of(w, w->frame)->ballarus->dag;
    uint32_t frame = s->frame_of_edge[e];
    const struct trod_super_frame *left;

    switch ((enum trod_super_kind)s->kind_of_edge[e]) {
    case TROD_SUPER_LOCAL:
    case TROD_SUPER_PAUSE: /* never crossed, because it is cut */
        break;
    case TROD_SUPER_CALL:
        add_edge(w, dag->dag_of_edge[s->origin_of_edge[e]]);
        *ended = subpath(w);
        begin(w, frame, enter_edge(function_of(w, frame)->ballarus->dag));
        return TROD_SUPER_CALLS;
    case TROD_SUPER_RETURN:
        left = &s->tree->frame[frame];
        add_edge(w,
            leave_edge(dag, s->graph.src_of_edge[e] - s->first_node_of_frame[frame]));
        *ended = subpath(w);
        begin(w, left->parent,
            function_of(w, left->parent)->ballarus->dag->start_of_node[left->node]);
        return TROD_SUPER_RETURNS;
    }
    add_edge(w, dag->dag_of_edge[s->origin_of_edge[e]]);
    return TROD_SUPER_STAYS;
}

/* --- where paths end ----------------------------------------------------------------------------- */

static enum trod_super_end end_at_exit(struct trod_super_walk *w, trod_node node)
{
    const struct trod_super_function *f = function_of(w, w->frame);
    trod_node v = node - w->super->first_node_of_frame[w->frame];

    add_edge(w, leave_edge(f->ballarus->dag, v));
    w->call = trod_calls_find(&f->calls, v, true);
    return w->call ? TROD_SUPER_AT_LAST : TROD_SUPER_AT_EXIT;
}

static enum trod_super_end end_at_cut(struct trod_super_walk *w, trod_edge e)
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
    w->call = trod_calls_find(&f->calls, dag->graph->dst_of_edge[origin], false);
    return w->call ? TROD_SUPER_AT_CALL : TROD_SUPER_AT_ITERATION;
}

enum trod_super_end trod_super_walk_end(
    struct trod_super_walk *w, struct trod_step *ended, trod_edge e)
{
    enum trod_super_end end = w->dag->kind_of_edge[e] == TROD_DAG_LEAVE
                                  ? end_at_exit(w, w->dag->shape.src_of_edge[e])
                                  : end_at_cut(w, w->dag->origin_of_edge[e]);

    *ended = subpath(w);
    return end;
}

bool trod_super_ends_early(
    enum trod_super_end end, uint64_t ncall, uint64_t nopen, uint64_t depth)
{
    switch (end) {
    case TROD_SUPER_AT_CALL:
    case TROD_SUPER_AT_LAST:
        return ncall < depth;
    case TROD_SUPER_AT_RETURN:
        return nopen > 0;
    case TROD_SUPER_IN_PIECE:
        return true;
    case TROD_SUPER_AT_ITERATION:
    case TROD_SUPER_AT_EXIT:
        break;
    }
    return false;
}
