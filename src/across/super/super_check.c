#include "super/super.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- frames ----------------------------------------------------------------------------------- */

static bool wrong_frame(struct trod_err *err, uint32_t frame, const char *what)
{
    return trod_fail(err, TROD_E_INTERNAL, "frame %u of a supergraph: %s", frame, what);
}

static const char *fault_of_frame(
    const struct trod_super_tree *tree, uint32_t i, const struct trod_super_unit *unit)
{
    const struct trod_super_frame *frame = &tree->frame[i], *parent;
    const struct trod_call *call;

    if (frame->function >= unit->nfunction)
        return "it is of no function";
    if (!i)
        return frame->parent == TROD_NONE && frame->node == TROD_NONE &&
                       !frame->depth && !frame->guarded
                   ? NULL
                   : "it is not that of a root";
    if (frame->parent >= i)
        return "it is not behind its parent";
    parent = &tree->frame[frame->parent];
    if (frame->depth != parent->depth + 1)
        return "it is not one deeper than its parent";
    if (frame->count > parent->count)
        return "it is more frequent than its parent";
    if (i > 1 && frame->count > frame[-1].count)
        return "it is more frequent than that before it";
    if (unit->why_not[frame->function])
        return "its function cannot be followed";
    call = trod_calls_find(&unit->function[parent->function].calls, frame->node, false);
    if (!call)
        return "no call begins its node";
    if (frame->guarded != !call->callee)
        return "it is guarded and its call is direct, or the other way round";
    if (call->callee && strcmp(call->callee, unit->function[frame->function].name) != 0)
        return "its call is of another function";
    return NULL;
}

static int by_site(const void *a, const void *b)
{
    const struct trod_super_frame *x = *(const struct trod_super_frame *const *)a;
    const struct trod_super_frame *y = *(const struct trod_super_frame *const *)b;

    if (x->parent != y->parent)
        return x->parent < y->parent ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->function < y->function ? -1 : x->function > y->function;
}

static bool check_distinct(
    const struct trod_super_tree *tree, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    const struct trod_super_frame **sorted =
        trod_new(mem, const struct trod_super_frame *, tree->nframe);
    bool ok = true;

    for (uint32_t i = 0; i < tree->nframe; i++)
        sorted[i] = &tree->frame[i];
    trod_sort(sorted, tree->nframe, by_site);
    for (uint32_t i = 1; ok && i < tree->nframe; i++)
        if (by_site(&sorted[i - 1], &sorted[i]) == 0)
            ok = wrong_frame(
                err, (uint32_t)(sorted[i] - tree->frame), "it is there twice");
    trod_arena_rewind(mem, mark);
    return ok;
}

bool trod_super_tree_check(const struct trod_super_tree *tree,
    const struct trod_super_unit *unit, struct trod_arena *mem, struct trod_err *err)
{
    if (!tree->nframe)
        return wrong_frame(err, 0, "it is missing");
    for (uint32_t i = 0; i < tree->nframe; i++) {
        const char *fault = fault_of_frame(tree, i, unit);

        if (fault)
            return wrong_frame(err, i, fault);
    }
    return check_distinct(tree, mem, err);
}

/* --- graphs ------------------------------------------------------------------------------------- */

struct validator {
    const struct trod_super *super;
    uint64_t *
        seen; /* set of LOCAL and PAUSE edges: first_edge of the frame + edge of its function */
    uint64_t *called; /* set of frames */
    size_t *first_edge;
    uint32_t *nreturn; /* by frame */
};

static const struct trod_graph *graph_of(const struct trod_super *s, uint32_t frame)
{
    return trod_super_graph_of(s->unit, s->tree->frame[frame].function);
}

/* The frame of a call that is followed without a guard, or TROD_NONE. */
static uint32_t entered(const struct trod_super *s, uint32_t frame, trod_node node)
{
    for (uint32_t i = s->first_child[frame]; i < s->first_child[frame + 1]; i++)
        if (s->tree->frame[s->child[i]].node == node &&
            !s->tree->frame[s->child[i]].guarded)
            return s->child[i];
    return TROD_NONE;
}

/* Is the call at a node followed, guarded or not? */
static bool is_site(const struct trod_super *s, uint32_t frame, trod_node node)
{
    for (uint32_t i = s->first_child[frame]; i < s->first_child[frame + 1]; i++)
        if (s->tree->frame[s->child[i]].node == node)
            return true;
    return false;
}

/* The node of the root whose call leads, directly or not, to a frame. */
static trod_node root_node(const struct trod_super *s, uint32_t frame)
{
    while (s->tree->frame[frame].parent)
        frame = s->tree->frame[frame].parent;
    return s->tree->frame[frame].node;
}

/* Edges cut in the function are cut here, and so are edges that unwind from a followed call. In
 * frames other than the root's, exactly these edges are PAUSE edges.
 */
static const char *fault_of_cut(const struct trod_super *s, trod_edge e)
{
    uint32_t frame = s->frame_of_edge[e];
    const struct trod_super_function *f =
        &s->unit->function[s->tree->frame[frame].function];
    const struct trod_dag *dag = f->ballarus->dag;
    trod_edge origin = s->origin_of_edge[e], in_dag = dag->dag_of_edge[origin];
    bool pauses = s->kind_of_edge[e] == TROD_SUPER_PAUSE;
    bool is_cut = s->graph.cut_of_edge && s->graph.cut_of_edge[e];
    bool site = is_site(s, frame, dag->graph->src_of_edge[origin]);

    if (pauses && !is_cut)
        return "it is a pause and not cut";
    if (in_dag == TROD_NONE)
        return NULL;
    if (dag->kind_of_edge[in_dag] == TROD_DAG_END)
        return (frame ? pauses : is_cut) ? NULL : "it is cut in the function";
    if (site && f->unwinds && trod_has(f->unwinds, origin))
        return (frame ? pauses : is_cut) ? NULL : "it unwinds, and is not cut";
    return pauses && !site ? "it is a pause and the function goes on there" : NULL;
}

static const char *fault_of_own(struct validator *c, trod_edge e)
{
    const struct trod_super *s = c->super;
    uint32_t frame = s->frame_of_edge[e];
    bool pauses = s->kind_of_edge[e] == TROD_SUPER_PAUSE;
    trod_edge origin = s->origin_of_edge[e];
    trod_node first = s->first_node_of_frame[frame];
    const struct trod_graph *g = graph_of(s, frame);

    if (origin >= g->nedge ||
        s->graph.src_of_edge[e] != first + g->src_of_edge[origin] ||
        s->graph.dst_of_edge[e] !=
            (pauses ? root_node(s, frame) : first + g->dst_of_edge[origin]))
        return "it is between other nodes than that of the function";
    if (trod_has(&c->seen[0], (uint32_t)(c->first_edge[frame] + origin)))
        return "it is there twice";
    trod_add(c->seen, (uint32_t)(c->first_edge[frame] + origin));
    if (entered(s, frame, g->dst_of_edge[origin]) != TROD_NONE)
        return "its call is followed, and it was not removed";
    return fault_of_cut(s, e);
}

static const char *fault_of_call(struct validator *c, trod_edge e)
{
    const struct trod_super *s = c->super;
    uint32_t into = s->frame_of_edge[e], from;
    trod_edge origin = s->origin_of_edge[e];
    const struct trod_graph *g;

    if (!into)
        return "it goes into the root's frame";
    from = s->tree->frame[into].parent;
    g = graph_of(s, from);
    if (origin >= g->nedge || g->dst_of_edge[origin] != s->tree->frame[into].node ||
        s->graph.src_of_edge[e] !=
            s->first_node_of_frame[from] + g->src_of_edge[origin])
        return "it does not come from before the call of its frame";
    if (s->graph.dst_of_edge[e] !=
        s->first_node_of_frame[into] + graph_of(s, into)->entry)
        return "it does not go to the entry of its frame";
    if (trod_has(c->called, into))
        return "its frame has two";
    trod_add(c->called, into);
    return NULL;
}

static const char *fault_of_return(struct validator *c, trod_edge e)
{
    const struct trod_super *s = c->super;
    uint32_t frame = s->frame_of_edge[e];
    const struct trod_super_frame *f = &s->tree->frame[frame];
    trod_node v = s->graph.src_of_edge[e], first = s->first_node_of_frame[frame];

    if (!frame || v < first || v >= s->first_node_of_frame[frame + 1] ||
        !trod_super_returns(s->unit, f->function, v - first))
        return "it is from no exit of its frame that returns";
    if (s->graph.dst_of_edge[e] != s->first_node_of_frame[f->parent] + f->node)
        return "it does not go back to the call of its frame";
    if (s->graph.first_out[v + 1] - s->graph.first_out[v] != 1)
        return "its exit goes elsewhere, too";
    c->nreturn[frame]++;
    return NULL;
}

static const char *fault_of_edge(struct validator *c, trod_edge e)
{
    const struct trod_super *s = c->super;

    if (s->frame_of_edge[e] >= s->tree->nframe)
        return "it is of no frame";
    switch ((enum trod_super_kind)s->kind_of_edge[e]) {
    case TROD_SUPER_PAUSE:
        if (!s->frame_of_edge[e])
            return "it pauses in the root";
        return fault_of_own(c, e);
    case TROD_SUPER_LOCAL:
        return fault_of_own(c, e);
    case TROD_SUPER_CALL:
        return fault_of_call(c, e);
    case TROD_SUPER_RETURN:
        return fault_of_return(c, e);
    }
    return "it is of no kind";
}

/* Every edge of the function must be present, and every exit that returns. */
static const char *fault_of_whole(const struct validator *c, uint32_t frame)
{
    const struct trod_super *s = c->super;
    const struct trod_graph *g = graph_of(s, frame);
    uint32_t nreturn = 0;

    if (frame && !trod_has(c->called, frame))
        return "nothing goes into it";
    for (trod_edge e = 0; e < g->nedge; e++)
        if (!trod_has(c->seen, (uint32_t)(c->first_edge[frame] + e)) &&
            entered(s, frame, g->dst_of_edge[e]) == TROD_NONE)
            return "an edge of its function is missing";
    for (trod_node v = 0; frame && v < g->nnode; v++)
        nreturn += trod_super_returns(s->unit, s->tree->frame[frame].function, v);
    return nreturn == c->nreturn[frame] ? NULL : "it does not return where it should";
}

static bool check_nodes(const struct trod_super *s, struct trod_err *err)
{
    trod_node n = 0;

    for (uint32_t i = 0; i < s->tree->nframe; i++) {
        if (s->first_node_of_frame[i] != n)
            return wrong_frame(err, i, "its nodes are not where they should be");
        for (trod_node v = 0; v < graph_of(s, i)->nnode; v++, n++)
            if (n >= s->graph.nnode || s->frame_of_node[n] != i)
                return wrong_frame(err, i, "a node is not its own");
    }
    return (n == s->graph.nnode && s->graph.entry == graph_of(s, 0)->entry) ||
           wrong_frame(err, 0, "its entry is another, or there are more nodes");
}

static bool check_edges(
    const struct trod_super *s, struct trod_arena *mem, struct trod_err *err)
{
    struct validator c = {.super = s,
        .called = trod_new(mem, uint64_t, TROD_WORDS(s->tree->nframe)),
        .first_edge = trod_new(mem, size_t, (size_t)s->tree->nframe + 1),
        .nreturn = trod_new(mem, uint32_t, s->tree->nframe)};

    for (uint32_t i = 0; i < s->tree->nframe; i++)
        c.first_edge[i + 1] = c.first_edge[i] + graph_of(s, i)->nedge;
    c.seen = trod_new(mem, uint64_t, TROD_WORDS(c.first_edge[s->tree->nframe]));
    for (trod_edge e = 0; e < s->graph.nedge; e++) {
        const char *fault = fault_of_edge(&c, e);

        if (fault)
            return trod_fail(err, TROD_E_INTERNAL,
                "edge %u of the supergraph of '%s': %s", e, s->graph.name, fault);
    }
    for (uint32_t i = 0; i < s->tree->nframe; i++) {
        const char *fault = fault_of_whole(&c, i);

        if (fault)
            return wrong_frame(err, i, fault);
    }
    return true;
}

bool trod_super_check(
    const struct trod_super *super, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    bool ok = trod_super_tree_check(super->tree, super->unit, mem, err) &&
              trod_graph_check(&super->graph, err) && check_nodes(super, err) &&
              check_edges(super, mem, err);

    trod_arena_rewind(mem, mark);
    return ok;
}
