/* The paths of supergraphs that a walk takes: each activation is the root of one supergraph, and a frame of those
 * of its callers. Frames and edges are found without the library's functions for that.
 */
#ifndef PROP_SUPER_PLACER_H
#define PROP_SUPER_PLACER_H

#include "super_world.h"

/* --- trees, by other means than the library's ------------------------------------------------------------ */

/* Is the call of a node followed, at times at least? */
static inline bool is_site(
    const struct trod_super_tree *tree, uint32_t frame, trod_node node)
{
    for (uint32_t i = 1; i < tree->nframe; i++)
        if (tree->frame[i].parent == frame && tree->frame[i].node == node)
            return true;
    return false;
}

/* How many edges of a supergraph stand for one of a function. */
static inline uint32_t width_of(
    const struct trod_super_tree *tree, uint32_t frame, trod_node node)
{
    uint32_t n = 0;
    bool guarded = true;

    for (uint32_t i = 1; i < tree->nframe; i++)
        if (tree->frame[i].parent == frame && tree->frame[i].node == node) {
            n++;
            guarded = tree->frame[i].guarded;
        }
    return n + guarded;
}

/* The edge of a supergraph that stands for one of a function, counted out from the frames. */
static inline trod_edge edge_at(const struct trod_super *s, uint32_t frame, trod_edge e)
{
    const struct trod_graph *g =
        trod_super_graph_of(s->unit, s->tree->frame[frame].function);
    trod_node u = g->src_of_edge[e];
    trod_edge at = s->graph.first_out[s->first_node_of_frame[frame] + u];

    for (trod_edge i = g->first_out[u]; i < e; i++)
        at += width_of(s->tree, frame, g->dst_of_edge[i]);
    return at;
}

static inline bool is_function_cut(
    const struct program *p, uint32_t function, trod_edge e)
{
    const struct trod_dag *dag = ballarus_of(p, function)->dag;

    return dag->dag_of_edge[e] != TROD_NONE &&
           dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END;
}

/* An exception led a root along an edge. Is it not known from its path, which starts after that,
 * which edge it was?
 */
static inline bool is_lost(const struct program *p, const struct trod_super_tree *tree,
    uint32_t function, trod_edge e)
{
    const struct trod_graph *g = trod_super_graph_of(&p->unit, function);
    const struct trod_dag *dag = ballarus_of(p, function)->dag;
    trod_node pad = g->dst_of_edge[e];
    uint32_t ncut = 0, ninside = 0;

    if (!is_function_cut(p, function, e) && !is_site(tree, 0, g->src_of_edge[e]))
        return false;
    for (uint32_t i = g->first_in[pad]; i < g->first_in[pad + 1]; i++) {
        trod_edge in = g->in_edge[i];

        if (is_function_cut(p, function, in))
            ncut++;
        else if (dag->dag_of_edge[in] != TROD_NONE)
            ninside += is_site(tree, 0, g->src_of_edge[in]);
    }
    return ncut ? ninside > 0 : g->first_in[pad + 1] - g->first_in[pad] > 1;
}

/* --- paths of supergraphs -------------------------------------------------------------------------------- */

enum place_fault {
    PLACE_RIGHT,
    PLACE_GOES_ON,  /* a path is followed after its end in a frame */
    PLACE_FORGOTTEN /* a function that runs as a frame of another's is no root */
};

/* An activation: as the root of its own supergraph, and as a frame of those that called it. */
struct placed {
    uint32_t function;
    trod_node node;
    uint64_t id;           /* of its own path, so far */
    bool followed;         /* its path is, in what it calls */
    uint32_t frame[STACK]; /* in whose tree, by place on the stack; its own: 0 */
};

struct placer {
    struct supers *supers;
    struct placed stack[STACK];
    uint32_t depth;
    enum place_fault fault;
};

static inline void count_path(struct supers *s, uint32_t root, uint64_t id)
{
    uint32_t i = 0;

    while (i < s->nran && (s->ran[i].root != root || s->ran[i].id != id))
        i++;
    s->ran[i].root = root;
    s->ran[i].id = id;
    s->ran[i].count++;
    s->nran += i == s->nran;
}

static inline const struct trod_numbering *numbering_of(
    const struct placer *w, const struct placed *root)
{
    const struct trod_numbering *bl = &w->supers->super[root->function].ballarus;

    assert(bl->val_of_edge);
    return bl;
}

static inline const struct trod_super *super_of(
    const struct placer *w, const struct placed *root)
{
    const struct trod_super *super = &w->supers->super[root->function].super;

    assert(super->tree && super->first_node_of_frame);
    return super;
}

/* Does the one on top do something for the path of one on the stack, and in which frame? */
static inline bool does_for(const struct placer *w, uint32_t at, uint32_t *frame)
{
    *frame = w->stack[w->depth - 1].frame[at];
    return *frame != TROD_NONE && (at + 1 == w->depth || w->stack[at].followed);
}

static inline void add_to_path(struct placer *w, struct placed *root, trod_edge in_dag)
{
    if (in_dag == TROD_NONE)
        w->supers->astray = true;
    else
        root->id += (uint64_t)numbering_of(w, root)->val_of_edge[in_dag];
}

static inline void restart(struct placer *w, struct placed *root, trod_node node)
{
    root->id = 0;
    add_to_path(w, root, numbering_of(w, root)->dag->start_of_node[node]);
}

/* The path waits until the root is back at its call. */
static inline void pause(struct placer *w, struct placed *root)
{
    restart(w, root, root->node);
    root->followed = w->fault == PLACE_GOES_ON;
}

/* Take an edge of a supergraph. Does a path end with it? */
static inline bool run(struct placer *w, struct placed *root, trod_edge e)
{
    const struct trod_dag *dag = numbering_of(w, root)->dag;
    trod_edge in_dag = dag->dag_of_edge[e];

    add_to_path(w, root, in_dag);
    if (in_dag == TROD_NONE || dag->kind_of_edge[in_dag] != TROD_DAG_END)
        return false;
    count_path(w->supers, root->function, root->id);
    return true;
}

/* What the edge that the one on top takes is to a path of some root. */
static inline void run_edge(
    struct placer *w, uint32_t at, uint32_t frame, const struct event *event)
{
    struct placed *root = &w->stack[at], *top = &w->stack[w->depth - 1];
    const struct trod_super *s = super_of(w, root);
    const struct trod_graph *g =
        trod_super_graph_of(&w->supers->program->unit, top->function);
    trod_edge e = event->what, in_super = edge_at(s, frame, e);
    uint32_t child = TROD_NONE, rank;

    if (event[1].kind == ENTERS)
        child = child_of(s->tree, frame, g->dst_of_edge[e], event[1].what, &rank);
    if (child != TROD_NONE)
        in_super += rank + s->tree->frame[child].guarded;
    if (!run(w, root, in_super))
        return;
    if (frame && child == TROD_NONE &&
        is_function_cut(w->supers->program, top->function, e))
        pause(w, root);
    else
        restart(w, root, s->graph.dst_of_edge[in_super]);
}

/* An exception comes to one that waits at a call. If that was followed, the path ended somewhere
 * in there; if it stands beside such a one, before it.
 */
static inline void run_catch(
    struct placer *w, uint32_t at, uint32_t frame, const struct event *event)
{
    struct placed *root = &w->stack[at], *top = &w->stack[w->depth - 1];
    const struct trod_super *s = super_of(w, root);

    if (!is_site(s->tree, frame, top->node))
        run_edge(w, at, frame, event);
    else if (frame)
        pause(w, root);
    else
        restart(w, root,
            trod_super_graph_of(s->unit, top->function)->dst_of_edge[event->what]);
}

static inline void place_edge(struct placer *w, const struct event *event)
{
    struct placed *top = &w->stack[w->depth - 1];
    uint32_t frame;

    for (uint32_t at = 0; at < w->depth; at++) {
        if (!does_for(w, at, &frame))
            continue;
        if (event->kind == CATCHES)
            run_catch(w, at, frame, event);
        else
            run_edge(w, at, frame, event);
    }
    top->node = trod_super_graph_of(&w->supers->program->unit, top->function)
                    ->dst_of_edge[event->what];
}

static inline void place_call(struct placer *w, uint32_t function)
{
    struct placed *to = &w->stack[w->depth], *top = w->depth ? to - 1 : NULL;
    bool frame_only = false;

    *to = (struct placed){.function = function, .followed = true};
    for (uint32_t at = 0; at < w->depth; at++) {
        uint32_t rank;

        to->frame[at] = TROD_NONE;
        if (top && top->frame[at] != TROD_NONE)
            to->frame[at] = child_of(super_of(w, &w->stack[at])->tree, top->frame[at],
                top->node, function, &rank);
        frame_only |= to->frame[at] != TROD_NONE && w->fault == PLACE_FORGOTTEN;
    }
    if (top)
        top->followed = true;
    to->frame[w->depth++] = TROD_NONE;
    if (!w->supers->has[function] || frame_only)
        return;
    to->frame[w->depth - 1] = 0;
    add_to_path(w, to,
        numbering_of(w, to)
            ->dag->shape.first_out[numbering_of(w, to)->dag->shape.entry]);
}

static inline void place_end(struct placer *w, trod_node v, bool returns)
{
    uint32_t frame;

    for (uint32_t at = 0; at < w->depth; at++) {
        struct placed *root = &w->stack[at];
        const struct trod_super *s;
        trod_node node;

        if (!does_for(w, at, &frame))
            continue;
        s = super_of(w, root);
        node = s->first_node_of_frame[frame] + v;
        if (returns && frame) {
            trod_edge e = s->graph.first_out[node];

            if (run(w, root, e))
                restart(w, root, s->graph.dst_of_edge[e]);
        } else {
            add_to_path(w, root, numbering_of(w, root)->dag->shape.first_out[node]);
            count_path(w->supers, root->function, root->id);
        }
    }
}

/* Counts paths of supergraphs. */
static inline void place_all(
    struct supers *out, const struct log *log, enum place_fault fault)
{
    static struct placer w;

    w = (struct placer){.supers = out, .fault = fault};
    for (uint32_t i = 0; i < log->n; i++) {
        const struct event *event = &log->event[i];

        switch (event->kind) {
        case ENTERS:
            place_call(&w, event->what);
            break;
        case TAKES:
        case CATCHES:
            place_edge(&w, event);
            break;
        case LEAVES:
            place_end(&w, event->what, true);
            w.depth--;
            break;
        case BREAKS:
            place_end(&w, event->what, false);
            break;
        case UNWINDS:
            w.depth--;
            break;
        }
    }
}

#endif
