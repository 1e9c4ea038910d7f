#include "super/super.h"

#include <stdio.h>
#include <string.h>

struct builder {
    struct trod_super *out;
    const struct trod_graph *like; /* NULL: the unit knows which exits return */
    struct trod_arena *mem;
    struct trod_graph_builder builder;
    uint8_t *kind;
    uint32_t *frame;
    trod_edge *origin;
    uint32_t room_kind, room_frame, room_origin;
};

static const struct trod_graph *graph_of(const struct trod_super *super, uint32_t frame)
{
    return trod_super_graph_of(super->unit, super->tree->frame[frame].function);
}

/* --- frames by call site ---------------------------------------------------------- */

/* Counting sort, stable: frames of one parent keep their order. */
static void sort_children(struct trod_super *out, struct trod_arena *mem)
{
    const struct trod_super_tree *tree = out->tree;
    uint32_t *first = trod_new(mem, uint32_t, (size_t)tree->nframe + 2);
    uint32_t *child = trod_new(mem, uint32_t, tree->nframe);

    for (uint32_t i = 1; i < tree->nframe; i++)
        first[tree->frame[i].parent + 2]++;
    for (uint32_t i = 0; i < tree->nframe; i++)
        first[i + 2] += first[i + 1];
    for (uint32_t i = 1; i < tree->nframe; i++)
        child[first[tree->frame[i].parent + 1]++] = i;
    out->first_child = first;
    out->child = child;
}

/* --- edges -------------------------------------------------------------------------------------- */

static void add(struct builder *b, trod_node src, trod_node dst, bool cut,
    enum trod_super_kind kind, uint32_t frame, trod_edge origin)
{
    uint32_t a = b->builder.narc;

    trod_reserve(b->mem, b->kind, a, b->room_kind);
    trod_reserve(b->mem, b->frame, a, b->room_frame);
    trod_reserve(b->mem, b->origin, a, b->room_origin);
    trod_graph_builder_add(&b->builder, src, dst);
    b->builder.arc[a].cut = cut;
    b->kind[a] = kind;
    b->frame[a] = frame;
    b->origin[a] = origin;
}

/* How a call at a node of a frame's function is treated. */
enum site { PLAIN, ENTERED, GUARDED };

static bool is_cut(
    const struct builder *b, uint32_t frame, trod_edge e, const uint8_t *site)
{
    const struct trod_super_function *f =
        &b->out->unit->function[b->out->tree->frame[frame].function];
    const struct trod_dag *dag = f->ballarus->dag;
    trod_edge in_dag = dag->dag_of_edge[e];

    if (in_dag == TROD_NONE)
        return dag->graph->cut_of_edge && dag->graph->cut_of_edge[e];
    return dag->kind_of_edge[in_dag] == TROD_DAG_END ||
           (f->unwinds && trod_has(f->unwinds, e) &&
               site[dag->graph->src_of_edge[e]] != PLAIN);
}

/* The node of the root whose call leads, directly or not, to a frame. */
static trod_node root_node(const struct trod_super *s, uint32_t frame)
{
    while (s->tree->frame[frame].parent)
        frame = s->tree->frame[frame].parent;
    return s->tree->frame[frame].node;
}

static void add_own(struct builder *b, uint32_t frame, trod_edge e, const uint8_t *site)
{
    const struct trod_super *s = b->out;
    const struct trod_graph *g = graph_of(s, frame);
    trod_node first = s->first_node_of_frame[frame];
    uint32_t n = b->builder.narc;
    bool cut = is_cut(b, frame, e, site);

    /* With `like`, unwind edges of frames are recognised by their targets in that graph. */
    if (frame && b->like && site[g->src_of_edge[e]] != PLAIN)
        cut |= n < b->like->nedge && b->like->dst_of_edge[n] == root_node(s, frame);
    if (frame && cut)
        add(b, first + g->src_of_edge[e], root_node(s, frame), true, TROD_SUPER_PAUSE,
            frame, e);
    else
        add(b, first + g->src_of_edge[e], first + g->dst_of_edge[e], cut,
            TROD_SUPER_LOCAL, frame, e);
}

static void add_calls(struct builder *b, uint32_t frame, trod_edge e)
{
    const struct trod_super *s = b->out;
    const struct trod_graph *g = graph_of(s, frame);
    trod_node src = s->first_node_of_frame[frame] + g->src_of_edge[e];

    for (uint32_t i = s->first_child[frame]; i < s->first_child[frame + 1]; i++) {
        uint32_t child = s->child[i];

        if (s->tree->frame[child].node == g->dst_of_edge[e])
            add(b, src, s->first_node_of_frame[child] + graph_of(s, child)->entry,
                false, TROD_SUPER_CALL, child, e);
    }
}

static bool goes_back(const struct builder *b, uint32_t frame, trod_node v)
{
    const struct trod_super *s = b->out;
    trod_node node = s->first_node_of_frame[frame] + v;

    if (!frame)
        return false;
    return b->like ? b->like->first_out[node] < b->like->first_out[node + 1]
                   : trod_super_returns(s->unit, s->tree->frame[frame].function, v);
}

static void add_node(
    struct builder *b, uint32_t frame, trod_node v, const uint8_t *site)
{
    const struct trod_super *s = b->out;
    const struct trod_super_frame *f = &s->tree->frame[frame];
    const struct trod_graph *g = graph_of(s, frame);
    trod_node first = s->first_node_of_frame[frame];

    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        trod_node w = g->dst_of_edge[e];

        if (site[w] != ENTERED)
            add_own(b, frame, e, site);
        if (site[w] != PLAIN)
            add_calls(b, frame, e);
    }
    if (g->first_out[v] == g->first_out[v + 1] && goes_back(b, frame, v))
        add(b, first + v, s->first_node_of_frame[f->parent] + f->node, false,
            TROD_SUPER_RETURN, frame, TROD_NONE);
}

static void add_frame(struct builder *b, uint32_t frame, uint8_t *site)
{
    const struct trod_super *s = b->out;
    const struct trod_graph *g = graph_of(s, frame);

    memset(site, PLAIN, g->nnode);
    for (uint32_t i = s->first_child[frame]; i < s->first_child[frame + 1]; i++) {
        const struct trod_super_frame *child = &s->tree->frame[s->child[i]];

        site[child->node] = child->guarded ? GUARDED : ENTERED;
    }
    for (trod_node v = 0; v < g->nnode; v++)
        add_node(b, frame, v, site);
}

/* --- nodes ------------------------------------------------------------------------------------------ */

static void lay_out(struct trod_super *out, struct trod_arena *mem)
{
    trod_node *first = trod_new(mem, trod_node, (size_t)out->tree->nframe + 1);
    uint32_t *frame_of_node;

    for (uint32_t i = 0; i < out->tree->nframe; i++)
        first[i + 1] = first[i] + graph_of(out, i)->nnode;
    frame_of_node = trod_new(mem, uint32_t, first[out->tree->nframe]);
    for (uint32_t i = 0; i < out->tree->nframe; i++)
        for (trod_node v = first[i]; v < first[i + 1]; v++)
            frame_of_node[v] = i;
    out->first_node_of_frame = first;
    out->frame_of_node = frame_of_node;
}

static const char *const *name_nodes(const struct trod_super *s, struct trod_arena *mem)
{
    const char **name =
        trod_new(mem, const char *, s->first_node_of_frame[s->tree->nframe]);

    for (uint32_t i = 0; i < s->tree->nframe; i++) {
        const struct trod_graph *g = graph_of(s, i);

        for (trod_node v = 0; v < g->nnode; v++) {
            char buffer[16];
            const char *own = trod_graph_node_name(g, v, buffer);
            size_t room = strlen(own) + 12;
            char *full = trod_arena_take(mem, room, 1);

            snprintf(full, room, "%u.%s", i, own);
            name[s->first_node_of_frame[i] + v] = full;
        }
    }
    return name;
}

/* A path that begins after an exception out of a followed call must not be counted early: it would
 * be mistaken for the path that the exception ended, which stopped elsewhere.
 */
static bool leave_behind_unwinding(uint8_t *leave, const struct builder *b)
{
    const struct trod_super *s = b->out;
    bool any = false;

    for (trod_edge e = 0; e < b->builder.narc; e++) {
        const struct trod_super_function *f =
            &s->unit->function[s->tree->frame[b->frame[e]].function];
        trod_node to = b->builder.arc[e].dst;

        if ((b->kind[e] != TROD_SUPER_LOCAL && b->kind[e] != TROD_SUPER_PAUSE) ||
            !b->builder.arc[e].cut || !f->unwinds ||
            !trod_has(f->unwinds, b->origin[e]))
            continue;
        if (leave[to] == TROD_STAYS)
            leave[to] = TROD_MAY_LEAVE;
        any = true;
    }
    return any;
}

/* Below the root, a row ends before a call that may return twice, and the root waits: whether the call returns again
 * does not matter to it.
 */
static enum trod_leave leave_in_frame(enum trod_leave of_function, uint32_t frame)
{
    return frame && of_function == TROD_RETURNS_AGAIN ? TROD_MAY_LEAVE : of_function;
}

static const uint8_t *leave_nodes(const struct builder *b, struct trod_arena *mem)
{
    const struct trod_super *s = b->out;
    uint8_t *leave = trod_new(mem, uint8_t, s->first_node_of_frame[s->tree->nframe]);
    bool any = false;

    for (uint32_t i = 0; i < s->tree->nframe; i++) {
        const struct trod_graph *g = graph_of(s, i);

        any |= g->leave_of_node != NULL;
        for (trod_node v = 0; v < g->nnode; v++)
            leave[s->first_node_of_frame[i] + v] =
                leave_in_frame(trod_graph_leave(g, v), i);
    }
    any |= leave_behind_unwinding(leave, b);
    return any ? leave : NULL;
}

/* --- interface ---------------------------------------------------------------------------------------- */

static void build(struct builder *b)
{
    struct trod_super *out = b->out;
    uint32_t most = 0;
    uint8_t *site;

    lay_out(out, b->mem);
    sort_children(out, b->mem);
    trod_graph_builder_init(
        &b->builder, out->unit->function[out->tree->frame[0].function].name, b->mem);
    b->builder.nnode = out->first_node_of_frame[out->tree->nframe];
    b->builder.entry = graph_of(out, 0)->entry;
    for (uint32_t i = 0; i < out->tree->nframe; i++)
        if (graph_of(out, i)->nnode > most)
            most = graph_of(out, i)->nnode;
    site = trod_new(b->mem, uint8_t, most);
    /* Nodes are visited in order, so arcs and edges have the same numbers. */
    for (uint32_t i = 0; i < out->tree->nframe; i++)
        add_frame(b, i, site);
    out->kind_of_edge = b->kind;
    out->frame_of_edge = b->frame;
    out->origin_of_edge = b->origin;
}

void trod_super_build(struct trod_super *out, const struct trod_super_unit *unit,
    const struct trod_super_tree *tree, bool named, struct trod_arena *mem)
{
    struct builder b = {.out = out, .mem = mem};

    *out = (struct trod_super){.unit = unit, .tree = tree};
    build(&b);
    b.builder.name_of_node = named ? name_nodes(out, mem) : NULL;
    b.builder.leave_of_node = leave_nodes(&b, mem);
    trod_graph_build(&out->graph, &b.builder);
}

bool trod_super_adopt(struct trod_super *out, const struct trod_super_unit *unit,
    const struct trod_super_tree *tree, const struct trod_graph *graph,
    struct trod_arena *mem, struct trod_err *err)
{
    struct builder b = {.out = out, .like = graph, .mem = mem};
    uint64_t nnode = 0;
    bool same;

    *out = (struct trod_super){.unit = unit, .tree = tree};
    for (uint32_t i = 0; i < tree->nframe; i++)
        nnode += graph_of(out, i)->nnode;
    same = nnode == graph->nnode;
    if (same) {
        build(&b);
        same = b.builder.narc == graph->nedge && b.builder.entry == graph->entry;
    }
    for (trod_edge e = 0; same && e < graph->nedge; e++)
        same = b.builder.arc[e].src == graph->src_of_edge[e] &&
               b.builder.arc[e].dst == graph->dst_of_edge[e] &&
               (!b.builder.arc[e].cut || (graph->cut_of_edge && graph->cut_of_edge[e]));
    out->graph = *graph;
    return same ||
           trod_fail(err, TROD_E_MISMATCH,
               "graph '%s' is not that of its %u frames; they were made from other "
               "functions",
               graph->name, tree->nframe);
}

/* --- edges of segments ------------------------------------------------------------------------------------ */

struct edge_filter {
    const struct trod_super *super;
    uint64_t *keep;
    trod_edge *edge_of_step;
    trod_edge
        *super_of_edge; /* by first_edge of the frame and edge of its function: LOCAL */
    size_t *first_edge; /* by frame */
};

static void number_edges(struct edge_filter *k, struct trod_arena *mem)
{
    const struct trod_super *s = k->super;

    k->first_edge = trod_new(mem, size_t, (size_t)s->tree->nframe + 1);
    for (uint32_t i = 0; i < s->tree->nframe; i++)
        k->first_edge[i + 1] = k->first_edge[i] + graph_of(s, i)->nedge;
    k->super_of_edge = trod_new(mem, trod_edge, k->first_edge[s->tree->nframe]);
    memset(k->super_of_edge, 0xff,
        k->first_edge[s->tree->nframe] * sizeof *k->super_of_edge);
    for (trod_edge e = 0; e < s->graph.nedge; e++)
        if (s->kind_of_edge[e] == TROD_SUPER_LOCAL)
            k->super_of_edge[k->first_edge[s->frame_of_edge[e]] +
                             s->origin_of_edge[e]] = e;
}

/* Keep all edges into the start of a listed subpath. If the path limit cut one of them, another
 * path would start there, and a path that passes through would be indistinguishable from the listed
 * one.
 */
static void keep_start(struct edge_filter *k, trod_node v)
{
    const struct trod_super *s = k->super;

    for (uint32_t i = s->graph.first_in[v]; i < s->graph.first_in[v + 1]; i++) {
        trod_edge e = s->graph.in_edge[i];

        if (s->kind_of_edge[e] != TROD_SUPER_RETURN &&
            !(s->graph.cut_of_edge && s->graph.cut_of_edge[e]))
            trod_add(k->keep, e);
    }
}

/* Keep the edges of a subpath in a frame. Returns its last node (with a call, or a return), or
 * TROD_NONE if the subpath is impossible in that frame.
 */
static trod_node keep_subpath(struct edge_filter *k, uint32_t frame, uint64_t id)
{
    const struct trod_super *s = k->super;
    const struct trod_numbering *bl =
        s->unit->function[s->tree->frame[frame].function].ballarus;
    const struct trod_dag *dag = bl->dag;
    uint32_t n;
    trod_edge last;

    if (id >= bl->npath)
        return TROD_NONE;
    n = trod_number_decode(k->edge_of_step, bl, id);
    if (dag->kind_of_edge[k->edge_of_step[0]] == TROD_DAG_START)
        keep_start(k,
            s->first_node_of_frame[frame] + dag->shape.dst_of_edge[k->edge_of_step[0]]);
    for (uint32_t i = 1; i + 1 < n; i++) {
        trod_edge e = k->super_of_edge[k->first_edge[frame] +
                                       dag->origin_of_edge[k->edge_of_step[i]]];

        if (e == TROD_NONE)
            return TROD_NONE; /* unwinds from a followed call: a PAUSE edge */
        trod_add(k->keep, e);
    }
    last = k->edge_of_step[n - 1];
    return dag->kind_of_edge[last] == TROD_DAG_END
               ? dag->graph->dst_of_edge[dag->origin_of_edge[last]]
               : dag->shape.src_of_edge[last];
}

/* CALL edges lead into the entry of a frame; a node that returns has one RETURN edge. */
static void keep_call(struct edge_filter *k, uint32_t into)
{
    const struct trod_super *s = k->super;
    trod_node entry = s->first_node_of_frame[into] + graph_of(s, into)->entry;

    for (uint32_t i = s->graph.first_in[entry]; i < s->graph.first_in[entry + 1]; i++)
        if (s->kind_of_edge[s->graph.in_edge[i]] == TROD_SUPER_CALL)
            trod_add(k->keep, s->graph.in_edge[i]);
}

static void keep_return(struct edge_filter *k, uint32_t frame, trod_node node)
{
    const struct trod_super *s = k->super;
    trod_node v = s->first_node_of_frame[frame] + node;

    for (trod_edge e = s->graph.first_out[v]; e < s->graph.first_out[v + 1]; e++)
        if (s->kind_of_edge[e] == TROD_SUPER_RETURN)
            trod_add(k->keep, e);
}

static uint32_t find_frame(
    const struct trod_super *s, uint32_t parent, trod_node node, uint32_t function)
{
    for (uint32_t i = s->first_child[parent]; i < s->first_child[parent + 1]; i++) {
        const struct trod_super_frame *child = &s->tree->frame[s->child[i]];

        if (child->node == node && child->function == function)
            return s->child[i];
    }
    return TROD_NONE;
}

static void keep_segment(struct edge_filter *k, const struct trod_segments *segments,
    const struct trod_segment *segment)
{
    const struct trod_super *s = k->super;
    trod_node end = TROD_NONE;
    uint32_t frame = 0;

    for (size_t i = 0; i < segment->nstep; i++) {
        const struct trod_step *step = &segment->step[i];

        if (step->kind == TROD_STEP_SUBPATH) {
            end = keep_subpath(k, frame, step->id);
            if (end == TROD_NONE)
                return;
        } else if (step->kind == TROD_STEP_CALL && i + 1 < segment->nstep &&
                   step[1].kind == TROD_STEP_SUBPATH) {
            frame = find_frame(s, frame, end,
                trod_names_find(
                    &s->unit->names, segments->function.name[step[1].function]));
            if (frame == TROD_NONE)
                return;
            keep_call(k, frame);
        } else if (step->kind == TROD_STEP_RETURN && frame) {
            keep_return(k, frame, end);
            frame = s->tree->frame[frame].parent;
        } else {
            return;
        }
    }
}

void trod_super_keep(uint64_t *keep, const struct trod_super *super,
    const struct trod_segments *segments, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct edge_filter k = {.super = super, .keep = keep};
    uint32_t most = 0;

    for (uint32_t i = 0; i < super->tree->nframe; i++) {
        uint32_t function = super->tree->frame[i].function;
        uint32_t n = super->unit->function[function].ballarus->dag->nreach;

        most = n > most ? n : most;
    }
    k.edge_of_step = trod_new(mem, trod_edge, most);
    number_edges(&k, mem);
    for (size_t i = 0; i < segments->nsegment; i++) {
        uint32_t function = trod_names_find(&super->unit->names,
            segments->function.name[segments->segment[i].step[0].function]);

        if (function == super->tree->frame[0].function)
            keep_segment(&k, segments, &segments->segment[i]);
    }
    trod_arena_rewind(mem, mark);
}
