/* Supergraphs: a random walk through functions that call each other, taken down twice: as a whole
 * program path, and as paths of supergraphs. Segments counted from both agree.
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

struct steps {
    struct trod_step step[4 * EVENTS];
    size_t n;
};

static void put(
    struct steps *out, enum trod_step_kind kind, uint32_t function, uint64_t id)
{
    out->step[out->n++] = (struct trod_step){kind, function, id};
}

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

/* Does an edge go to a call that nothing is seen of? There is an event behind it. */
static bool is_outside(
    const struct program *p, uint32_t function, const struct event *event)
{
    const struct trod_super_function *f = &p->function[function];

    return event[1].kind != ENTERS &&
           trod_calls_find(
               &f->calls, f->ballarus->dag->graph->dst_of_edge[event->what], false);
}

/* All steps of a walk. */
static void take_down(struct steps *out, const struct log *log, const struct program *p)
{
    static struct sum stack[STACK + 1]; /* the first is nobody's */
    uint32_t depth = 0;

    out->n = 0;
    for (uint32_t i = 0; i < log->n; i++) {
        const struct event *event = &log->event[i];
        struct sum *top = &stack[depth];
        uint64_t id;

        switch (event->kind) {
        case ENTERS:
            put(out, TROD_STEP_CALL, 0, 0);
            enter(&stack[++depth], p, event->what);
            break;
        case TAKES:
        case CATCHES:
            if (cross(top, &id, p, event->what))
                put(out, TROD_STEP_SUBPATH, top->function, id);
            if (is_outside(p, top->function, event)) {
                put(out, TROD_STEP_CALL, 0, 0);
                put(out, TROD_STEP_RETURN, 0, 0);
            }
            break;
        case LEAVES:
            put(out, TROD_STEP_SUBPATH, top->function, leave(top, p, event->what));
            put(out, TROD_STEP_RETURN, 0, 0);
            depth--;
            break;
        case BREAKS:
            put(out, TROD_STEP_SUBPATH, top->function, leave(top, p, event->what));
            break;
        case UNWINDS:
            put(out, TROD_STEP_LEFT, 0, 0);
            depth--;
            break;
        }
    }
}

/* --- as paths of supergraphs ----------------------------------------------------------------------------- */

/* Supergraphs by root, and what is counted of them. */
struct supers {
    const struct program *program;
    struct trod_super_numbered super[FUNCTIONS];
    bool has[FUNCTIONS];
    bool dropped; /* some frames */
    struct {
        uint32_t root;
        uint64_t id, count;
    } ran[EVENTS];
    uint32_t nran;
};

/* An activation of a root, with all frames below it: its path, and what it did as steps. */
struct running {
    uint32_t root;
    uint64_t id;
    struct trod_step *step;
    size_t nstep, room;
};

/* An activation: which root's, in which frame. */
struct placed {
    uint32_t running; /* TROD_NONE: of a function without supergraph */
    uint32_t frame;
    trod_node node;
    bool inside; /* its call was gone into */
    bool lost;   /* it is not known how its subpath began */
    struct sum sum;
};

struct placing {
    struct supers *supers;
    struct trod_arena *mem;
    struct running running[EVENTS];
    uint32_t nrunning;
    struct placed stack[STACK];
    uint32_t depth;
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

static const struct trod_super *super_of(
    const struct placing *w, const struct placed *at)
{
    const struct trod_super *super =
        &w->supers->super[w->running[at->running].root].super;

    assert(super->tree && super->first_node_of_frame);
    return super;
}

static trod_node node_at(const struct placing *w, const struct placed *at, trod_node v)
{
    return super_of(w, at)->first_node_of_frame[at->frame] + v;
}

static void restart(struct placing *w, struct running *r, trod_node node)
{
    const struct trod_numbering *bl = &w->supers->super[r->root].ballarus;

    r->id = (uint64_t)bl->val_of_edge[bl->dag->start_of_node[node]];
}

/* Take an edge of a supergraph. */
static void run(struct placing *w, uint32_t running, trod_edge e)
{
    struct running *r = &w->running[running];
    const struct trod_numbering *bl = &w->supers->super[r->root].ballarus;
    trod_edge in_dag = bl->dag->dag_of_edge[e];

    r->id += (uint64_t)bl->val_of_edge[in_dag];
    if (bl->dag->kind_of_edge[in_dag] != TROD_DAG_END)
        return;
    count_path(w->supers, r->root, r->id);
    restart(w, r, bl->dag->graph->dst_of_edge[e]);
}

static void stop_at(struct placing *w, uint32_t running, trod_node node)
{
    struct running *r = &w->running[running];
    const struct trod_numbering *bl = &w->supers->super[r->root].ballarus;

    r->id += (uint64_t)bl->val_of_edge[bl->dag->shape.first_out[node]];
    count_path(w->supers, r->root, r->id);
}

/* What an activation did, as a step of its root. */
static void put_step(
    struct placing *w, struct placed *at, enum trod_step_kind kind, uint64_t id)
{
    struct running *r;

    if (at->running == TROD_NONE)
        return;
    if (kind == TROD_STEP_SUBPATH && at->lost) {
        id = TROD_SUPER_PIECE;
        at->lost = false;
    }
    r = &w->running[at->running];
    trod_reserve(w->mem, r->step, r->nstep, r->room);
    r->step[r->nstep++] =
        (struct trod_step){kind, kind == TROD_STEP_SUBPATH ? at->sum.function : 0, id};
}

static void place_root(struct placing *w, uint32_t function)
{
    struct placed *placed = &w->stack[w->depth++];
    const struct trod_numbering *bl = &w->supers->super[function].ballarus;

    *placed = (struct placed){.running = TROD_NONE};
    enter(&placed->sum, w->supers->program, function);
    if (!w->supers->has[function])
        return;
    assert(bl->val_of_edge);
    placed->running = w->nrunning++;
    w->running[placed->running] = (struct running){.root = function,
        .id =
            (uint64_t)bl->val_of_edge[bl->dag->shape.first_out[bl->dag->shape.entry]]};
    put_step(w, placed, TROD_STEP_CALL, 0);
}

static void move(struct placing *w, struct placed *top, trod_edge e)
{
    const struct trod_graph *g =
        trod_super_graph_of(&w->supers->program->unit, top->sum.function);
    uint64_t id;

    top->node = g->dst_of_edge[e];
    top->inside = false;
    if (cross(&top->sum, &id, w->supers->program, e))
        put_step(w, top, TROD_STEP_SUBPATH, id);
}

/* Where the one on top goes: to a node, or through it into the function called next. */
static void place_edge(struct placing *w, const struct event *event)
{
    const struct event *next = event + 1;
    struct placed *top = &w->stack[w->depth - 1];
    const struct trod_super_function *f =
        &w->supers->program->function[top->sum.function];
    uint32_t child = TROD_NONE, rank;
    trod_edge e = event->what;
    const struct trod_super *s;

    move(w, top, e);
    if (top->running == TROD_NONE)
        return;
    s = super_of(w, top);
    if (next->kind == ENTERS)
        child = child_of(s->tree, top->frame, top->node, next->what, &rank);
    if (child == TROD_NONE && trod_calls_find(&f->calls, top->node, false)) {
        /* Seen from here, it goes to the outside. */
        put_step(w, top, TROD_STEP_CALL, 0);
        put_step(w, top, TROD_STEP_RETURN, 0);
    }
    run(w, top->running,
        edge_at(s, top->frame, e) +
            (child == TROD_NONE ? 0 : rank + s->tree->frame[child].guarded));
}

static void place_call(struct placing *w, uint32_t function)
{
    struct placed *top = w->depth ? &w->stack[w->depth - 1] : NULL;
    uint32_t child = TROD_NONE, rank;

    if (top && top->running != TROD_NONE)
        child =
            child_of(super_of(w, top)->tree, top->frame, top->node, function, &rank);
    if (child == TROD_NONE) {
        place_root(w, function);
        return;
    }
    top->inside = true;
    put_step(w, top, TROD_STEP_CALL, 0);
    w->stack[w->depth] = (struct placed){.running = top->running, .frame = child};
    enter(&w->stack[w->depth++].sum, w->supers->program, function);
}

static void place_end(struct placing *w, trod_node v, bool returns)
{
    struct placed *top = &w->stack[w->depth - 1];

    put_step(w, top, TROD_STEP_SUBPATH, leave(&top->sum, w->supers->program, v));
    if (top->running == TROD_NONE)
        return;
    if (returns)
        put_step(w, top, TROD_STEP_RETURN, 0);
    if (returns && top->frame) {
        run(w, top->running, super_of(w, top)->graph.first_out[node_at(w, top, v)]);
    } else {
        stop_at(w, top->running, node_at(w, top, v));
    }
}

/* An exception comes to one that waits at a call: on the edge behind it or, if the call was gone
 * into, from somewhere in there, where the path ended. Where several calls lead to, it is not
 * known which it was.
 */
static void place_catch(struct placing *w, const struct event *event)
{
    trod_edge e = event->what;
    struct placed *top = &w->stack[w->depth - 1];
    const struct trod_graph *g =
        trod_super_graph_of(&w->supers->program->unit, top->sum.function);
    trod_node to = g->dst_of_edge[e];
    const struct trod_dag *dag =
        ballarus_of(w->supers->program, top->sum.function)->dag;
    bool shared = dag->start_of_node[to] != TROD_NONE ||
                  g->first_in[to + 1] - g->first_in[to] > 1;

    if (top->inside) {
        move(w, top, e);
        restart(w, &w->running[top->running], node_at(w, top, to));
        top->lost = shared;
    } else {
        /* Beside frames that it may go into, a call that stays is cut off, too. */
        bool cut = top->running != TROD_NONE &&
                   width_of(super_of(w, top)->tree, top->frame, top->node) > 1;

        place_edge(w, event);
        top->lost = cut && shared;
    }
}

/* Counts paths of supergraphs; gives the steps of each root's activation, one after the other. */
static bool place_all(struct supers *out, struct steps *steps, const struct log *log,
    struct trod_arena *mem)
{
    static struct placing w;

    w = (struct placing){.supers = out, .mem = mem};
    for (uint32_t i = 0; i < log->n; i++) {
        const struct event *event = &log->event[i];

        switch (event->kind) {
        case ENTERS:
            place_call(&w, event->what);
            break;
        case TAKES:
            place_edge(&w, event);
            break;
        case CATCHES:
            place_catch(&w, event);
            break;
        case LEAVES:
            place_end(&w, event->what, true);
            w.depth--;
            break;
        case BREAKS:
            place_end(&w, event->what, false);
            break;
        case UNWINDS:
            put_step(&w, &w.stack[w.depth - 1], TROD_STEP_LEFT, 0);
            w.depth--;
            break;
        }
    }
    steps->n = 0;
    for (uint32_t r = 0; r < w.nrunning; r++)
        for (size_t i = 0; i < w.running[r].nstep; i++)
            steps->step[steps->n++] = w.running[r].step[i];
    return true;
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

/* Are all of these there, as often, or at most as often? */
static bool is_within(
    struct kit_prop *p, const struct bag *some, struct bag *all, bool same)
{
    uint32_t n = all->n;

    for (uint32_t i = 0; i < some->n; i++) {
        uint64_t count = *item_of(all, some->item[i].text);

        if (same ? count != some->item[i].count : count < some->item[i].count) {
            kit_note(p, "%" PRIu64 ", not %" PRIu64 " of %s", some->item[i].count,
                count, some->item[i].text);
            return false;
        }
    }
    return !same || all->n == n;
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

/* --- one run ------------------------------------------------------------------------------------------------ */

struct world {
    struct sample s;
    struct program program;
    struct log log;
    struct steps steps; /* of the whole program path */
    uint64_t depth;
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

    trod_super_count_init(
        &counter, &w->program.unit, w->depth + (fault == DEEPER), &w->s.mem);
    for (uint32_t i = 0; i < w->supers.nran; i++) {
        uint32_t root = w->supers.ran[i].root;
        struct trod_super_row row;
        struct trod_string text;

        trod_super_row_decode(&row, &w->supers.super[root].super,
            &w->supers.super[root].ballarus, w->supers.ran[i].id, &w->s.mem);
        trod_string_init(&text, &w->s.mem);
        trod_super_row_print(&text.sink, &row, &w->program.unit);
        kit_note(p, "%" PRIu64 " x %s %" PRIu64 ": %s", w->supers.ran[i].count,
            NAME[root], w->supers.ran[i].id, text.text);
        trod_super_count_add(
            &counter, &row, w->supers.ran[i].count + (fault == MISCOUNTED && !i));
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

static bool agree(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_segments own, whole, cut_short;
    static struct bag want, got, all, sure;
    static struct steps steps;

    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    memset(&all, 0, sizeof all);
    memset(&sure, 0, sizeof sure);
    if (!make_world(w, p))
        return false;
    note_world(p, w);
    if (!build_supers(w, p, 0, NONE))
        return false;
    place_all(&w->supers, &steps, &w->log, &w->s.mem);
    spoil(&w->supers, fault, &w->s.mem);
    if (!count_rows(&whole, &cut_short, p, w, fault))
        return false;

    /* What each root's activation did, by itself. */
    if (!segments_of(&own, &steps, &w->program, w->depth, &w->s))
        return wrong(p, w->s.err.text);
    fill(&want, &own, &w->s.mem);
    fill(&got, &whole, &w->s.mem);
    fill(&sure, &whole, &w->s.mem);
    fill(&got, &cut_short, &w->s.mem);
    if (!is_within(p, &want, &got, true))
        return wrong(p, "other segments than those of activations");

    /* And all together. */
    fill(&all, &w->segments, &w->s.mem);
    if (!is_within(p, &sure, &all, false))
        return wrong(p, "a segment that is not in the whole program path");
    if (!w->plan.nleft && !w->supers.dropped && !w->log.outside && !w->log.unwound &&
        (cut_short.nsegment || !is_within(p, &sure, &all, true)))
        return wrong(p, "all calls were gone into, and a segment is missing");
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
    static struct steps steps;
    uint64_t most;

    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    if (!make_world(w, p))
        return false;
    most = 20 + kit_draw(p, 100);
    note_world(p, w);
    if (!build_supers(w, p, most, fault))
        return false;
    if (!place_all(&w->supers, &steps, &w->log, &w->s.mem) ||
        !count_rows(&limited, &limited_short, p, w, NONE))
        return false;
    if (w->supers.dropped)
        return true;
    if (!build_supers(w, p, 0, NONE) || w->supers.dropped)
        return true;
    if (!place_all(&w->supers, &steps, &w->log, &w->s.mem) ||
        !count_rows(&whole, &cut_short, p, w, NONE))
        return false;
    fill(&want, &whole, &w->s.mem);
    fill(&got, &limited, &w->s.mem);
    return is_within(p, &want, &got, true) ||
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

struct tested {
    const char *name;
    kit_property property;
    enum fault fault[4];
};

static void test_property(void **state)
{
    const struct tested *tested = *state;

    kit_check(tested->name, tested->property, NULL);
}

static void test_planted(void **state)
{
    const struct tested *tested = *state;

    for (int k = 0; k < 4; k++) {
        enum fault fault = tested->fault[k];

        if (fault)
            kit_check_planted(tested->name, tested->property, &fault);
    }
}

static struct tested properties[] = {
    {"paths of supergraphs have the segments of the whole program path", segments_agree,
        {DEEPER, MISCOUNTED, SHIFTED}},
    {"a limit on paths takes no listed segment away", limits_keep, {NOT_KEPT}},
    {"paths that have no segments but listed ones are found", listed_are_found,
        {UNLISTED}},
    {"subpaths that ran give all sites of segments", ran_covers, {UNLISTED}},
};
enum { NPROPERTY = sizeof properties / sizeof *properties };

int main(void)
{
    static char name[2 * NPROPERTY][120];
    struct CMUnitTest tests[2 * NPROPERTY];

    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        snprintf(name[i], sizeof name[i], "%s%s", properties[i / 2].name,
            i % 2 ? ", and a planted fault is found" : "");
        tests[i] = (struct CMUnitTest){.name = name[i],
            .test_func = i % 2 ? test_planted : test_property,
            .initial_state = &properties[i / 2]};
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("super", tests, NULL, NULL);
}
