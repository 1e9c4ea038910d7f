/* Supergraphs: a random walk through functions that call each other, taken down twice: as a whole
 * program path, and as paths of supergraphs, of which each activation is the root of one and a frame
 * of its callers'. Segments counted from both agree.
 */
#include "program.h"

#include <inttypes.h>
#include <stdio.h>

enum { BAG = 600 };

enum fault {
    NONE,
    DEEPER,     /* segments span one call more */
    MISCOUNTED, /* a path is counted twice */
    SHIFTED,    /* an edge is taken for another of its function */
    GOES_ON,    /* a path is followed after its end in a frame */
    FORGOTTEN,  /* a function that runs as a frame of another's is no root */
    IGNORANT,   /* calls to the outside are taken for others */
    UNLISTED,   /* a path outside of the list is taken for one in it */
    NOT_KEPT    /* a limit may cut edges of segments */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- as a whole program path -------------------------------------------------------------------------- */

/* What an activation has done of its subpath. */
struct sum {
    uint32_t function;
    uint64_t id;
};

static const struct trod_numbering *ballarus_of(
    const struct program *p, uint32_t function)
{
    return p->function[function].ballarus;
}

static void add(struct sum *sum, const struct program *p, trod_edge e)
{
    sum->id += (uint64_t)ballarus_of(p, sum->function)->val_of_edge[e];
}

static void start_at(struct sum *sum, const struct program *p, trod_edge e)
{
    sum->id = 0;
    add(sum, p, e);
}

/* An edge of the function; does a subpath end with it? */
static bool cross(
    struct sum *sum, uint64_t *ended, const struct program *p, trod_edge e)
{
    const struct trod_dag *dag = ballarus_of(p, sum->function)->dag;
    trod_edge in_dag = dag->dag_of_edge[e];

    add(sum, p, in_dag);
    if (dag->kind_of_edge[in_dag] != TROD_DAG_END)
        return false;
    *ended = sum->id;
    start_at(sum, p, dag->start_of_node[dag->graph->dst_of_edge[e]]);
    return true;
}

static uint64_t leave(struct sum *sum, const struct program *p, trod_node v)
{
    add(sum, p, ballarus_of(p, sum->function)->dag->shape.first_out[v]);
    return sum->id;
}

static void enter(struct sum *sum, const struct program *p, uint32_t function)
{
    const struct trod_dag *dag = ballarus_of(p, function)->dag;

    sum->function = function;
    start_at(sum, p, dag->shape.first_out[dag->shape.entry]);
}

/* Does an edge go to a call that nothing is seen of? There is an event after it. */
static bool is_outside(
    const struct program *p, uint32_t function, const struct event *event)
{
    const struct trod_super_function *f = &p->function[function];

    return event[1].kind != ENTERS &&
           trod_calls_find(
               &f->calls, f->ballarus->dag->graph->dst_of_edge[event->what], false);
}

/* A step of a walk: whose it is, and what of it a supergraph has to know. */
struct sight {
    uint32_t activation; /* number of a subpath's */
    trod_node call;      /* of a call that is followed: the node that makes it */
    uint32_t callee;     /* UINT32_MAX: of the outside */
    bool direct;         /* and that is known from the call */
    trod_edge
        caught; /* of a subpath that an exception led into: the edge, or TROD_NONE */
    bool dies;  /* it ends with a call that never returns */
};

struct steps {
    struct trod_step step[4 * EVENTS];
    struct sight sight[4 * EVENTS];
    size_t n;
};

/* Activations while a walk is recorded. The first belongs to no function. */
struct note_taker {
    const struct program *program;
    struct steps *steps;
    struct {
        struct sum sum;
        uint32_t number;
        trod_node node;
        trod_edge caught;
    } stack[STACK + 1];
    uint32_t depth, nactivation;
};

static struct sight *put(struct note_taker *n, enum trod_step_kind kind)
{
    size_t at = n->steps->n++;

    n->steps->step[at] = (struct trod_step){.kind = kind};
    n->steps->sight[at] = (struct sight){.caught = TROD_NONE};
    return &n->steps->sight[at];
}

static void put_subpath(struct note_taker *n, uint64_t id, bool dies)
{
    struct sight *sight = put(n, TROD_STEP_SUBPATH);
    struct trod_step *step = &n->steps->step[n->steps->n - 1];

    step->function = n->stack[n->depth].sum.function;
    step->id = id;
    sight->activation = n->stack[n->depth].number;
    sight->caught = n->stack[n->depth].caught;
    sight->dies = dies;
    n->stack[n->depth].caught = TROD_NONE;
}

static void note_entry(struct note_taker *n, uint32_t function)
{
    struct sight *sight = put(n, TROD_STEP_CALL);

    sight->call = n->stack[n->depth].node;
    sight->callee = function;
    n->depth++;
    n->stack[n->depth].number = n->nactivation++;
    n->stack[n->depth].caught = TROD_NONE;
    enter(&n->stack[n->depth].sum, n->program, function);
}

static void note_edge(struct note_taker *n, const struct event *event)
{
    struct sum *top = &n->stack[n->depth].sum;
    const struct trod_graph *g = trod_super_graph_of(&n->program->unit, top->function);
    uint64_t id;

    if (cross(top, &id, n->program, event->what))
        put_subpath(n, id, false);
    n->stack[n->depth].node = g->dst_of_edge[event->what];
    if (event->kind == CATCHES)
        n->stack[n->depth].caught = event->what;
    if (is_outside(n->program, top->function, event)) {
        struct sight *sight = put(n, TROD_STEP_CALL);

        sight->callee = UINT32_MAX;
        sight->direct = trod_calls_find(&n->program->function[top->function].calls,
                            n->stack[n->depth].node, false)
                            ->callee != NULL;
        put(n, TROD_STEP_RETURN);
    }
}

static void note_exit(struct note_taker *n, trod_node v)
{
    struct sum *top = &n->stack[n->depth].sum;

    put_subpath(n, leave(top, n->program, v),
        trod_calls_find(&n->program->function[top->function].calls, v, true) != NULL);
}

/* All steps of a walk. */
static void take_down(struct steps *out, const struct log *log, const struct program *p)
{
    static struct note_taker n;

    n = (struct note_taker){.program = p, .steps = out};
    out->n = 0;
    for (uint32_t i = 0; i < log->n; i++) {
        const struct event *event = &log->event[i];

        switch (event->kind) {
        case ENTERS:
            note_entry(&n, event->what);
            break;
        case TAKES:
        case CATCHES:
            note_edge(&n, event);
            break;
        case LEAVES:
            note_exit(&n, event->what);
            put(&n, TROD_STEP_RETURN);
            n.depth--;
            break;
        case BREAKS:
            note_exit(&n, event->what);
            break;
        case UNWINDS:
            put(&n, TROD_STEP_LEFT);
            n.depth--;
            break;
        }
    }
}

/* --- trees, by other means than the library's ------------------------------------------------------------ */

/* The frame for a call of a frame, or TROD_NONE; *rank: how many of the same call are before it. */
static uint32_t child_of(const struct trod_super_tree *tree, uint32_t parent,
    trod_node node, uint32_t function, uint32_t *rank)
{
    *rank = 0;
    for (uint32_t i = 1; i < tree->nframe; i++) {
        if (tree->frame[i].parent != parent || tree->frame[i].node != node)
            continue;
        if (tree->frame[i].function == function)
            return i;
        ++*rank;
    }
    return TROD_NONE;
}

/* Is the call of a node followed, at times at least? */
static bool is_site(const struct trod_super_tree *tree, uint32_t frame, trod_node node)
{
    for (uint32_t i = 1; i < tree->nframe; i++)
        if (tree->frame[i].parent == frame && tree->frame[i].node == node)
            return true;
    return false;
}

/* How many edges of a supergraph stand for one of a function. */
static uint32_t width_of(
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
static trod_edge edge_at(const struct trod_super *s, uint32_t frame, trod_edge e)
{
    const struct trod_graph *g =
        trod_super_graph_of(s->unit, s->tree->frame[frame].function);
    trod_node u = g->src_of_edge[e];
    trod_edge at = s->graph.first_out[s->first_node_of_frame[frame] + u];

    for (trod_edge i = g->first_out[u]; i < e; i++)
        at += width_of(s->tree, frame, g->dst_of_edge[i]);
    return at;
}

static bool is_function_cut(const struct program *p, uint32_t function, trod_edge e)
{
    const struct trod_dag *dag = ballarus_of(p, function)->dag;

    return dag->dag_of_edge[e] != TROD_NONE &&
           dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END;
}

/* An exception led a root along an edge. Is it not known from its path, which starts after that,
 * which edge it was?
 */
static bool is_lost(const struct program *p, const struct trod_super_tree *tree,
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

/* --- as paths of supergraphs ----------------------------------------------------------------------------- */

/* Supergraphs by root, and what is counted of them. */
struct supers {
    const struct program *program;
    struct trod_super_numbered super[FUNCTIONS];
    bool has[FUNCTIONS];
    bool dropped; /* some frames */
    bool astray;  /* a path went where the supergraph does not */
    struct {
        uint32_t root;
        uint64_t id, count;
    } ran[8 * EVENTS];
    uint32_t nran;
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
    enum fault fault;
};

static void count_path(struct supers *s, uint32_t root, uint64_t id)
{
    uint32_t i = 0;

    while (i < s->nran && (s->ran[i].root != root || s->ran[i].id != id))
        i++;
    s->ran[i].root = root;
    s->ran[i].id = id;
    s->ran[i].count++;
    s->nran += i == s->nran;
}

static const struct trod_numbering *numbering_of(
    const struct placer *w, const struct placed *root)
{
    const struct trod_numbering *bl = &w->supers->super[root->function].ballarus;

    assert(bl->val_of_edge);
    return bl;
}

static const struct trod_super *super_of(
    const struct placer *w, const struct placed *root)
{
    const struct trod_super *super = &w->supers->super[root->function].super;

    assert(super->tree && super->first_node_of_frame);
    return super;
}

/* Does the one on top do something for the path of one on the stack, and in which frame? */
static bool does_for(const struct placer *w, uint32_t at, uint32_t *frame)
{
    *frame = w->stack[w->depth - 1].frame[at];
    return *frame != TROD_NONE && (at + 1 == w->depth || w->stack[at].followed);
}

static void add_to_path(struct placer *w, struct placed *root, trod_edge in_dag)
{
    if (in_dag == TROD_NONE)
        w->supers->astray = true;
    else
        root->id += (uint64_t)numbering_of(w, root)->val_of_edge[in_dag];
}

static void restart(struct placer *w, struct placed *root, trod_node node)
{
    root->id = 0;
    add_to_path(w, root, numbering_of(w, root)->dag->start_of_node[node]);
}

/* The path waits until the root is back at its call. */
static void pause(struct placer *w, struct placed *root)
{
    restart(w, root, root->node);
    root->followed = w->fault == GOES_ON;
}

/* Take an edge of a supergraph. Does a path end with it? */
static bool run(struct placer *w, struct placed *root, trod_edge e)
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
static void run_edge(
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
static void run_catch(
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

static void place_edge(struct placer *w, const struct event *event)
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

static void place_call(struct placer *w, uint32_t function)
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
        frame_only |= to->frame[at] != TROD_NONE && w->fault == FORGOTTEN;
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

static void place_end(struct placer *w, trod_node v, bool returns)
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
static void place_all(struct supers *out, const struct log *log, enum fault fault)
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

/* --- comparison ------------------------------------------------------------------------------------------- */

/* Segments as text, with their counts. */
struct bag {
    struct {
        const char *text;
        uint64_t count;
    } item[BAG];
    uint32_t n;
};

static uint64_t *item_of(struct bag *bag, const char *text)
{
    uint32_t i = 0;

    while (i < bag->n && strcmp(bag->item[i].text, text) != 0)
        i++;
    if (i == bag->n)
        bag->item[bag->n++].text = text;
    return &bag->item[i].count;
}

static void fill(
    struct bag *bag, const struct trod_segments *segments, struct trod_arena *mem)
{
    for (size_t i = 0; i < segments->nsegment; i++) {
        struct trod_segments one = *segments;
        struct trod_segment alone = segments->segment[i];
        struct trod_string text;

        if (alone.step[0].id == TROD_SUPER_PIECE)
            continue;
        one.nsegment = 1;
        one.segment = &alone;
        alone.count = 1;
        trod_string_init(&text, mem);
        trod_segments_print(&text.sink, &one);
        *item_of(bag, strchr(text.text, '\n') + 1) += segments->segment[i].count;
    }
}

/* Are there the same, as often? */
static bool is_same(struct kit_prop *p, const struct bag *want, struct bag *got)
{
    uint32_t n = got->n;

    for (uint32_t i = 0; i < want->n; i++) {
        uint64_t count = *item_of(got, want->item[i].text);

        if (count != want->item[i].count) {
            kit_note(p, "%" PRIu64 ", not %" PRIu64 " of %s", count,
                want->item[i].count, want->item[i].text);
            return false;
        }
    }
    if (want->n < n)
        kit_note(p, "%" PRIu32 " are not wanted, %s", n - want->n, got->item[0].text);
    return got->n == n && want->n == n;
}

static bool segments_of(struct trod_segments *out, const struct steps *steps,
    const struct program *program, uint64_t depth, struct sample *s)
{
    const struct trod_wpp wpp = {.name = "w",
        .function = program->unit.names,
        .nstep = steps->n,
        .step = steps->step};

    if (!trod_wpp_check(&wpp, &s->mem, &s->err))
        return false;
    trod_segments_build(out, &wpp, depth, &s->mem);
    return true;
}

/* --- segments, one by one --------------------------------------------------------------------------------- */

/* Where a segment ends, as the tree of the root it begins in sees it: after its last subpath. */
struct seen {
    size_t end;
    bool early; /* it would continue, or might */
};

/* tree: NULL if every call is followed that can be seen. knows: which calls are to the outside. */
static struct seen look_from(const struct steps *steps, size_t from, uint64_t depth,
    const struct trod_super_tree *tree, bool knows)
{
    uint64_t ncall = 0, nopen = 0;
    struct seen seen = {.end = from + 1};
    uint32_t frame = 0, rank;

    for (size_t i = from + 1; i < steps->n; i++) {
        const struct sight *sight = &steps->sight[i];

        switch (steps->step[i].kind) {
        case TROD_STEP_CALL:
            if (ncall == depth)
                return seen;
            if (tree && sight->callee != UINT32_MAX)
                frame = child_of(tree, frame, sight->call, sight->callee, &rank);
            if (sight->callee == UINT32_MAX) {
                seen.early = tree && !(knows && sight->direct);
                return seen;
            }
            seen.early = frame == TROD_NONE;
            if (seen.early)
                return seen;
            ncall++;
            nopen++;
            break;
        case TROD_STEP_RETURN:
            if (!nopen--)
                return seen;
            frame = tree ? tree->frame[frame].parent : 0;
            break;
        case TROD_STEP_SUBPATH:
            if (steps->step[i - 1].kind == TROD_STEP_SUBPATH)
                return seen;
            seen.end = i + 1;
            break;
        default:
            seen.early = tree && !knows && steps->sight[i - 1].dies && ncall < depth;
            return seen;
        }
    }
    return seen;
}

/* Does a segment begin with this step? */
static bool is_begin(const struct steps *steps, size_t i)
{
    return steps->step[i].kind == TROD_STEP_SUBPATH && i + 1 < steps->n &&
           steps->step[i + 1].kind == TROD_STEP_CALL &&
           steps->sight[i + 1].callee != UINT32_MAX;
}

/* --- one run ------------------------------------------------------------------------------------------------ */

struct world {
    struct sample s;
    struct program program;
    struct log log;
    struct steps steps; /* of the whole program path */
    uint64_t depth;
    bool knows; /* which functions are outside */
    struct trod_segments segments;
    struct trod_super_plan plan;
    struct supers supers;
};

/* Without a limit, is there a cut that the graph does not ask for? */
static bool is_cut_anew(const struct trod_super_numbered *super)
{
    const struct trod_dag *dag = &super->view.dag;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_END &&
            !dag->graph->cut_of_edge[dag->origin_of_edge[e]])
            return true;
    return false;
}

/* Supergraphs and their numberings; a limit on their paths if it is not 0. */
static bool build_supers(
    struct world *w, struct kit_prop *p, uint64_t most, enum fault fault)
{
    w->supers = (struct supers){.program = &w->program};
    for (uint32_t i = 0; i < w->plan.ntree; i++) {
        uint32_t root = w->plan.tree[i].frame[0].function;
        struct trod_super_numbered *super = &w->supers.super[root];

        if (!trod_super_number(super, &w->program.unit, &w->plan.tree[i],
                fault == NOT_KEPT ? NULL : &w->segments, most, false, &w->s.mem,
                &w->s.err) &&
            !trod_super_number(super, &w->program.unit, &w->plan.tree[i], &w->segments,
                0, false, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
        if (!trod_super_check(&super->super, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
        if (!super->report.ncut && is_cut_anew(super))
            return wrong(p, "a path is cut where its function is not");
        w->supers.has[root] = true;
        w->supers.dropped |= super->tree.nframe < w->plan.tree[i].nframe;
    }
    return true;
}

static bool make_world(struct world *w, struct kit_prop *p)
{
    struct trod_super_options options = {0};

    w->depth = 1 + kit_draw(p, 3);
    options.depth = (uint32_t)kit_draw(p, 3);
    if (!make_program(&w->program, p, &w->s.mem, &w->s.err))
        return false;
    note_program(p, &w->program, &w->s);
    if (!walk(&w->log, &w->program, p))
        w->log.n = 0;
    take_down(&w->steps, &w->log, &w->program);
    if (!segments_of(&w->segments, &w->steps, &w->program, w->depth, &w->s))
        return wrong(p, w->s.err.text);
    trod_super_plan_segments(
        &w->plan, &w->program.unit, &w->segments, &options, &w->s.mem);
    return true;
}

static void note_world(struct kit_prop *p, struct world *w)
{
    struct trod_string text;

    trod_string_init(&text, &w->s.mem);
    for (size_t i = 0; i < w->steps.n; i++) {
        const struct trod_step *step = &w->steps.step[i];

        if (step->kind == TROD_STEP_SUBPATH)
            trod_put(&text.sink, " %s:%" PRIu64, NAME[step->function], step->id);
        else
            trod_put(&text.sink, "%s",
                step->kind == TROD_STEP_CALL     ? " ("
                : step->kind == TROD_STEP_RETURN ? " )"
                                                 : " )!");
    }
    kit_note(p, "depth %" PRIu64 ":%s", w->depth, text.text);
    for (uint32_t t = 0; t < w->plan.ntree; t++)
        for (uint32_t i = 0; i < w->plan.tree[t].nframe; i++) {
            const struct trod_super_frame *frame = &w->plan.tree[t].frame[i];

            kit_note(p, "frame %u: %s in %d at %d", i, NAME[frame->function],
                (int)frame->parent, (int)frame->node);
        }
}

static bool count_rows(struct trod_segments *whole, struct trod_segments *cut_short,
    struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_counter counter;

    trod_super_count_init(&counter, &w->program.unit, w->depth + (fault == DEEPER),
        w->knows && fault != IGNORANT ? &w->program.unit.names : NULL, &w->s.mem);
    for (uint32_t i = 0; i < w->supers.nran; i++) {
        uint32_t root = w->supers.ran[i].root;
        struct trod_super_row row;
        struct trod_string text;

        if (w->supers.astray ||
            w->supers.ran[i].id >= w->supers.super[root].ballarus.npath)
            return wrong(p, "a path goes where the supergraph does not");
        trod_super_row_decode(&row, &w->supers.super[root].super,
            &w->supers.super[root].ballarus, w->supers.ran[i].id, &w->s.mem);
        if (row.frame && !w->supers.super[root].report.ncut)
            return wrong(p, "without a limit, a path starts below the root");
        trod_string_init(&text, &w->s.mem);
        trod_super_row_print(&text.sink, &row, &w->program.unit);
        kit_note(p, "%" PRIu64 " x %s %" PRIu64 ": %s", w->supers.ran[i].count,
            NAME[root], w->supers.ran[i].id, text.text);
        trod_super_count_own(&counter, &w->supers.super[root].super, &row,
            w->supers.ran[i].count + (fault == MISCOUNTED && row.nstep > 1));
    }
    trod_super_count_finish(whole, cut_short, &counter, "w");
    return true;
}

/* Faults in a supergraph that was built. */
static void spoil(struct supers *s, enum fault fault, struct trod_arena *mem)
{
    for (uint32_t r = 0; r < FUNCTIONS; r++) {
        struct trod_super *super = &s->super[r].super;
        trod_edge *origin;
        uint8_t *kind;

        if (!s->has[r])
            continue;
        origin = trod_new(mem, trod_edge, super->graph.nedge);
        memcpy(origin, super->origin_of_edge, super->graph.nedge * sizeof *origin);
        kind = trod_new(mem, uint8_t, super->graph.nedge);
        memcpy(kind, super->kind_of_edge, super->graph.nedge);
        for (trod_edge e = 0; e < super->graph.nedge; e++) {
            trod_node u = super->graph.src_of_edge[e];

            if (fault == SHIFTED && kind[e] == TROD_SUPER_LOCAL &&
                e > super->graph.first_out[u] && kind[e - 1] == TROD_SUPER_LOCAL)
                origin[e] = origin[e - 1];
        }
        super->origin_of_edge = origin;
        super->kind_of_edge = kind;
    }
}

/* --- properties ----------------------------------------------------------------------------------------------- */

struct bags {
    struct bag all;              /* segments of the whole program path */
    struct bag one_by_one;       /* the same, without the library */
    struct bag spoilt;           /* those of it that not all are seen of, at times */
    struct bag whole, cut_short; /* what should be seen of them */
    struct bag got_whole, got_cut_short;
};

/* A part of the steps as a list of one. */
static void put_into(struct bag *bag, struct world *w, size_t from, size_t end)
{
    const struct trod_segment one = {
        .count = 1, .nstep = end - from, .step = &w->steps.step[from]};
    struct trod_segments alone = w->segments;

    alone.nsegment = 1;
    alone.segment = &one;
    fill(bag, &alone, &w->s.mem);
}

/* What roots see of a whole program path. */
static void look(struct bags *out, struct world *w)
{
    const struct steps *steps = &w->steps;

    for (size_t i = 0; i < steps->n; i++) {
        uint32_t root = steps->step[i].function;
        const struct trod_super_tree *tree = &w->supers.super[root].tree;
        struct seen seen, full;
        bool lost;

        if (!is_begin(steps, i))
            continue;
        full = look_from(steps, i, w->depth, NULL, true);
        put_into(&out->one_by_one, w, i, full.end);
        lost = !w->supers.has[root] ||
               (steps->sight[i].caught != TROD_NONE &&
                   is_lost(&w->program, tree, root, steps->sight[i].caught));
        seen = (struct seen){.early = true};
        if (!lost)
            seen = look_from(steps, i, w->depth, tree, w->knows);
        if (!lost && seen.end > i + 1)
            put_into(seen.early ? &out->cut_short : &out->whole, w, i, seen.end);
        if (seen.early)
            put_into(&out->spoilt, w, i, full.end);
    }
}

/* Of what is followed throughout, all there is in the whole program path is seen. */
static bool is_all_seen(struct kit_prop *p, struct bags *b)
{
    for (uint32_t i = 0; i < b->all.n; i++) {
        const char *text = b->all.item[i].text;

        if (!*item_of(&b->spoilt, text) &&
            *item_of(&b->got_whole, text) != b->all.item[i].count) {
            kit_note(p, "%s", text);
            return false;
        }
    }
    return true;
}

static bool agree(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_segments whole, cut_short;
    static struct bags b;

    memset(&b, 0, sizeof b);
    if (!make_world(w, p))
        return false;
    w->knows = kit_draw(p, 2);
    note_world(p, w);
    if (!build_supers(w, p, 0, NONE))
        return false;
    place_all(&w->supers, &w->log, fault);
    spoil(&w->supers, fault, &w->s.mem);
    if (!count_rows(&whole, &cut_short, p, w, fault))
        return false;
    look(&b, w);
    fill(&b.all, &w->segments, &w->s.mem);
    fill(&b.got_whole, &whole, &w->s.mem);
    fill(&b.got_cut_short, &cut_short, &w->s.mem);
    if (!is_same(p, &b.all, &b.one_by_one))
        return wrong(p, "other segments of the whole program path, one by one");
    if (!is_same(p, &b.whole, &b.got_whole))
        return wrong(p, "other segments than roots see");
    if (!is_same(p, &b.cut_short, &b.got_cut_short))
        return wrong(p, "others are cut short than those that roots see no more of");
    if (!is_all_seen(p, &b))
        return wrong(p, "all its calls were followed, and a segment is missing");
    if (!w->plan.nleft && !w->supers.dropped && !w->log.outside && !w->log.unwound &&
        cut_short.nsegment > 0)
        return wrong(p, "all calls were followed, and a segment is cut short");
    return true;
}

static bool segments_agree(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = agree(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* A limit on paths takes nothing away from what was listed. */
static bool keep_listed(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_segments whole, cut_short, limited, limited_short;
    static struct bag want, got;
    uint64_t most;

    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    if (!make_world(w, p))
        return false;
    most = 20 + kit_draw(p, 100);
    note_world(p, w);
    if (!build_supers(w, p, most, fault))
        return false;
    place_all(&w->supers, &w->log, NONE);
    if (!count_rows(&limited, &limited_short, p, w, NONE))
        return false;
    if (w->supers.dropped)
        return true;
    if (!build_supers(w, p, 0, NONE) || w->supers.dropped)
        return true;
    place_all(&w->supers, &w->log, NONE);
    if (!count_rows(&whole, &cut_short, p, w, NONE))
        return false;
    fill(&want, &whole, &w->s.mem);
    fill(&got, &limited, &w->s.mem);
    return is_same(p, &want, &got) ||
           wrong(p, "a limit on paths made a difference to listed segments");
}

static bool limits_keep(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = keep_listed(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* Are these steps the begin of a listed segment, or all of it? */
static bool is_listed(const struct trod_segments *list, const struct trod_step *step,
    size_t n, bool begin)
{
    for (size_t i = 0; i < list->nsegment; i++) {
        const struct trod_segment *s = &list->segment[i];
        size_t k = 0;

        if (begin ? s->nstep < n : s->nstep != n)
            continue;
        while (k < n && trod_step_is_same(&s->step[k], &step[k]))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* Whether the segment that begins at a step of a row is listed, found step by step. */
static bool begins_listed(
    const struct world *w, const struct trod_super_row *row, size_t from)
{
    uint64_t ncall = 0, nopen = 0;
    size_t i = from + 1;
    bool early;

    while (i < row->nstep) {
        if (row->step[i].kind == TROD_STEP_CALL && ncall++ == w->depth)
            break;
        if (row->step[i].kind == TROD_STEP_RETURN && !nopen)
            break;
        nopen += row->step[i].kind == TROD_STEP_CALL;
        nopen -= row->step[i].kind == TROD_STEP_RETURN;
        i++;
    }
    if (i < row->nstep)
        return is_listed(&w->segments, &row->step[from], i - from, false);
    if (row->end == TROD_SUPER_IN_PIECE)
        return is_listed(&w->segments, &row->step[from], i - 1 - from, true);
    early = ((row->end == TROD_SUPER_AT_CALL || row->end == TROD_SUPER_AT_LAST) &&
                ncall < w->depth) ||
            (row->end == TROD_SUPER_AT_RETURN && nopen);
    return is_listed(&w->segments, &row->step[from], i - from, early);
}

static bool all_listed(const struct world *w, const struct trod_super_row *row,
    const struct trod_super_ran *ran)
{
    bool any = false;

    for (size_t i = 0; i < row->nstep; i++) {
        const struct trod_step *step = &row->step[i];

        if (step->kind != TROD_STEP_SUBPATH)
            continue;
        if (ran && step->id != TROD_SUPER_PIECE &&
            !trod_is_among(ran[step->function].paths.id,
                ran[step->function].paths.count, step->id))
            return false;
        if (i + 1 == row->nstep || step[1].kind != TROD_STEP_CALL)
            continue;
        any = true;
        if (!begins_listed(w, row, i))
            return false;
    }
    return any;
}

/* Subpaths that ran, of the whole program path. */
static void find_ran(
    struct trod_super_ran *out, const struct world *w, struct trod_arena *mem)
{
    for (uint32_t f = 0; f < w->program.nfunction; f++) {
        uint64_t *id = trod_new(mem, uint64_t, w->steps.n);
        size_t n = 0;

        for (size_t i = 0; i < w->steps.n; i++)
            if (w->steps.step[i].kind == TROD_STEP_SUBPATH &&
                w->steps.step[i].function == f)
                id[n++] = w->steps.step[i].id;
        out[f] = (struct trod_super_ran){0};
        trod_pathset_build(&out[f].paths, id, n, mem);
    }
}

static bool find_listed(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_ran ran[FUNCTIONS], *given = NULL;

    if (!make_world(w, p))
        return false;
    note_world(p, w);
    if (!build_supers(w, p, 500, NOT_KEPT))
        return false;
    find_ran(ran, w, &w->s.mem);
    if (kit_draw(p, 2))
        given = ran;
    for (uint32_t r = 0; r < w->program.nfunction; r++) {
        const struct trod_numbering *bl = &w->supers.super[r].ballarus;
        struct trod_super_listed listed;

        if (!w->supers.has[r] || bl->npath > 500)
            continue;
        trod_super_listed(&listed, &w->supers.super[r].super, bl, &w->segments, given,
            1000, &w->s.mem);
        if (!listed.all)
            return wrong(p, "there are more paths than there can be");
        for (trod_path id = 0; id < bl->npath; id++) {
            bool has = trod_is_among(listed.paths.id, listed.paths.count, id), want;
            struct trod_super_row row;

            trod_super_row_decode(&row, &w->supers.super[r].super, bl, id, &w->s.mem);
            if (fault == UNLISTED && !has)
                has = row.nstep > 3;
            want = all_listed(w, &row, given);
            if (row.end == TROD_SUPER_IN_PIECE && !has)
                want = false; /* the piece may be of no listed subpath */
            if (has != want) {
                struct trod_string text;

                trod_string_init(&text, &w->s.mem);
                trod_super_row_print(&text.sink, &row, &w->program.unit);
                kit_note(p, "path %" PRIu64 " of %s: %s", id, NAME[r], text.text);
                return wrong(
                    p, has ? "a path has other segments than those listed"
                           : "a path has listed segments alone, and is missing");
            }
        }
    }
    return true;
}

static bool listed_are_found(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = find_listed(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* A graph that a map has says as much as the functions it was made from: what returns and what
 * unwinds is not in maps.
 */
static bool adopt(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_function function[FUNCTIONS];
    struct trod_super_unit unit;

    if (!make_world(w, p))
        return false;
    note_world(p, w);
    if (!build_supers(w, p, kit_draw(p, 2) ? 20 + kit_draw(p, 100) : 0, NONE))
        return false;
    for (uint32_t i = 0; i < w->program.nfunction; i++) {
        function[i] = w->program.function[i];
        function[i].returns = NULL;
        function[i].unwinds = NULL;
    }
    if (!trod_super_unit_build(
            &unit, function, w->program.nfunction, &w->s.mem, &w->s.err))
        return wrong(p, w->s.err.text);
    spoil(&w->supers, fault, &w->s.mem);
    for (uint32_t r = 0; r < w->program.nfunction; r++) {
        const struct trod_super_numbered *own = &w->supers.super[r];
        const struct trod_graph *g = &own->super.graph;
        struct trod_super super;

        if (!w->supers.has[r])
            continue;
        if (!trod_super_adopt(&super, &unit, &own->tree, g, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
        for (trod_edge e = 0; e < g->nedge; e++)
            if (super.kind_of_edge[e] != own->super.kind_of_edge[e] ||
                super.frame_of_edge[e] != own->super.frame_of_edge[e] ||
                super.origin_of_edge[e] != own->super.origin_of_edge[e])
                return wrong(p, "an edge is taken for another");
    }
    return true;
}

static bool maps_say_all(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = adopt(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* Is a frame of one tree in another, at the same place? */
static bool is_in(const struct trod_super_tree *all, const struct trod_super_tree *some,
    uint32_t frame)
{
    uint32_t chain[64], n = 0, at = 0, rank;

    for (uint32_t i = frame; i; i = some->frame[i].parent)
        chain[n++] = i;
    while (n-- && at != TROD_NONE)
        at = child_of(
            all, at, some->frame[chain[n]].node, some->frame[chain[n]].function, &rank);
    return at != TROD_NONE;
}

/* Sites of subpaths that ran are all those of segments, but for indirect calls. */
static bool cover_sites(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_options options = {.depth = 1 + (uint32_t)kit_draw(p, 2)};
    struct trod_super_ran ran[FUNCTIONS];
    struct trod_super_plan some, all;

    if (!make_world(w, p))
        return false;
    note_world(p, w);
    find_ran(ran, w, &w->s.mem);
    if (fault == UNLISTED)
        ran[0].paths.count = 0;
    trod_super_plan_segments(
        &some, &w->program.unit, &w->segments, &options, &w->s.mem);
    trod_super_plan_ran(&all, &w->program.unit, ran, &options, &w->s.mem);
    for (uint32_t t = 0; t < all.ntree; t++)
        if (!trod_super_tree_check(
                &all.tree[t], &w->program.unit, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
    for (uint32_t t = 0; t < some.ntree; t++) {
        const struct trod_super_tree *tree = NULL;
        bool guarded[1000] = {false};

        for (uint32_t i = 0; i < all.ntree; i++)
            if (all.tree[i].frame[0].function == some.tree[t].frame[0].function)
                tree = &all.tree[i];
        for (uint32_t i = 1; i < some.tree[t].nframe && i < 1000; i++) {
            const struct trod_super_frame *frame = &some.tree[t].frame[i];

            guarded[i] = frame->guarded || guarded[frame->parent];
            if (!guarded[i] && (!tree || !is_in(tree, &some.tree[t], i)))
                return wrong(p, "a site of segments is none of subpaths that ran");
        }
    }
    return true;
}

static bool ran_covers(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = cover_sites(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* --- all of them --------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"paths of supergraphs have the segments of the whole program path", segments_agree,
        {DEEPER, MISCOUNTED, SHIFTED, GOES_ON, FORGOTTEN, IGNORANT}},
    {"a limit on paths takes no listed segment away", limits_keep, {NOT_KEPT}},
    {"paths that have no segments but listed ones are found", listed_are_found,
        {UNLISTED}},
    {"a supergraph is known again from its graph", maps_say_all, {SHIFTED}},
    {"subpaths that ran give all sites of segments", ran_covers, {UNLISTED}},
};
int main(void)
{
    return kit_run_tested("super", properties, sizeof properties / sizeof *properties);
}
