/* Random functions that call each other, and random walks through them, for properties of what
 * is known of paths across calls.
 */
#ifndef PROP_PROGRAM_H
#define PROP_PROGRAM_H

#include "scratch.h"

#include <string.h>

#include "kit/shape.h"
#include "super/super.h"

enum { FUNCTIONS = 3, EVENTS = 400, STACK = 40, BUDGET = 60 };

/* --- functions ---------------------------------------------------------------------------------- */

struct program {
    struct trod_super_function function[FUNCTIONS];
    uint32_t nfunction;
    struct trod_super_unit unit;
    uint32_t
        *distance[FUNCTIONS]; /* by node: to an exit, avoiding calls that may recurse */
    bool throws;
};

/* A function while calls are put into a graph. */
struct function_maker {
    struct kit_prop *p;
    struct trod_arena *mem;
    uint32_t self, nfunction;
    struct trod_graph_builder builder;
    struct trod_call call[40];
    bool returns[60];
    uint32_t ncall;
    trod_node pad[2]; /* where exceptions go to; nothing else does */
    uint32_t npad;
};

static const char *const NAME[] = {"f", "g", "h", "ext", "die"};

/* Who is called from a node: a function that comes later may be called always. */
static const char *draw_callee(struct function_maker *m, bool *always)
{
    uint64_t which = kit_draw(m->p, m->nfunction + 2);

    *always = false;
    if (which == m->nfunction + 1)
        return NULL;
    if (which == m->nfunction) {
        *always = kit_draw(m->p, 2);
        return "ext";
    }
    if (which > m->self)
        *always = kit_draw(m->p, 2);
    return NAME[which];
}

/* The successors of a node of the shape, and perhaps a call before them. */
static void make_node(
    struct function_maker *m, const struct trod_graph *shape, trod_node v)
{
    trod_edge first = shape->first_out[v], last = shape->first_out[v + 1];
    trod_node from = v;
    bool always;

    if (kit_draw(m->p, 3) && m->ncall < 3) {
        const char *callee = draw_callee(m, &always);
        trod_node call = m->builder.nnode++;

        m->call[m->ncall++] = (struct trod_call){.node = call, .callee = callee};
        trod_graph_builder_add(&m->builder, v, call);
        m->builder.arc[m->builder.narc - 1].cut = true;
        if (!always && first == last) {
            trod_node out = m->builder.nnode++;

            trod_graph_builder_add(&m->builder, v, out);
            m->returns[out] = true;
            if (kit_draw(m->p, 2))
                trod_graph_builder_add(&m->builder, call, out);
        }
        for (trod_edge e = first; !always && e < last; e++)
            trod_graph_builder_add(&m->builder, v, shape->dst_of_edge[e]);
        from = call;
    }
    for (trod_edge e = first; e < last; e++)
        trod_graph_builder_add(&m->builder, from, shape->dst_of_edge[e]);
    if (from != v && first < last && m->npad && kit_draw(m->p, 2))
        trod_graph_builder_add(&m->builder, from, m->pad[kit_draw(m->p, m->npad)]);
}

/* Where exceptions go to, and how on from there: into the function, or out of it. */
static void make_pads(struct function_maker *m, const struct trod_graph *shape)
{
    m->npad = (uint32_t)kit_draw(m->p, 3);
    for (uint32_t i = 0; i < m->npad; i++) {
        m->pad[i] = m->builder.nnode++;
        if (kit_draw(m->p, 3))
            trod_graph_builder_add(
                &m->builder, m->pad[i], (trod_node)kit_draw(m->p, shape->nnode));
    }
}

static int by_node(const void *a, const void *b)
{
    const struct trod_call *x = a, *y = b;

    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return x->last - y->last;
}

/* Some exits do not return: with a call that never does, or unwinding on. */
static void make_exits(
    struct function_maker *m, const struct trod_graph *graph, bool throws)
{
    for (trod_node v = 0; v < graph->nnode; v++) {
        if (graph->first_out[v] < graph->first_out[v + 1])
            continue;
        m->returns[v] = true;
        if (!throws || v < 2 || kit_draw(m->p, 4) < 2)
            continue;
        m->returns[v] = false;
        if (kit_draw(m->p, 2))
            m->call[m->ncall++] =
                (struct trod_call){.node = v, .callee = "die", .last = true};
    }
    qsort(m->call, m->ncall, sizeof *m->call, by_node);
}

static const uint64_t *find_unwinds(
    struct function_maker *m, const struct trod_graph *graph)
{
    uint64_t *unwinds = trod_new(m->mem, uint64_t, TROD_WORDS(graph->nedge + 1));

    for (trod_edge e = 0; e < graph->nedge; e++)
        for (uint32_t i = 0; i < m->npad; i++)
            if (graph->dst_of_edge[e] == m->pad[i])
                trod_add(unwinds, e);
    return unwinds;
}

static void make_function(struct program *out, uint32_t self, struct kit_prop *p,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct kit_shape_options shapes = {.max_node = 5,
        .max_out = 3,
        .cycles = true,
        .irreducible = true,
        .parallel = true};
    struct function_maker m = {
        .p = p, .mem = mem, .self = self, .nfunction = out->nfunction};
    struct trod_super_function *f = &out->function[self];
    struct trod_graph shape, *graph = trod_new(mem, struct trod_graph, 1);
    struct trod_view *view = trod_new(mem, struct trod_view, 1);
    struct trod_numbering *bl = trod_new(mem, struct trod_numbering, 1);
    struct trod_limit limit = {.most = kit_draw(p, 4) ? 1000 : 6};
    struct trod_limit_report report;
    struct trod_call *call;
    bool *returns;

    kit_shape(&shape, &shapes, draw, p, mem);
    trod_graph_builder_init(&m.builder, NAME[self], mem);
    m.builder.entry = shape.entry;
    m.builder.nnode = shape.nnode;
    if (out->throws)
        make_pads(&m, &shape);
    for (trod_node v = 0; v < shape.nnode; v++)
        make_node(&m, &shape, v);
    trod_graph_build(graph, &m.builder);
    make_exits(&m, graph, out->throws);
    call = trod_new(mem, struct trod_call, m.ncall);
    memcpy(call, m.call, m.ncall * sizeof *call);
    returns = trod_new(mem, bool, graph->nnode);
    memcpy(returns, m.returns, graph->nnode * sizeof *returns);
    if (!trod_number_limit(view, &report, graph, &limit, mem, err))
        trod_graph_view(view, graph, NULL, mem);
    if (!trod_number_ballarus(bl, &view->dag, mem, err))
        abort();
    *f = (struct trod_super_function){.name = NAME[self],
        .ballarus = bl,
        .calls = {.ncall = m.ncall, .call = call},
        .returns = returns,
        .unwinds = out->throws ? find_unwinds(&m, graph) : NULL,
        .why_not = self && kit_draw(p, 8) == 7 ? "it is so" : NULL};
}

/* Calls that may come back to the caller cost much: when the walk is to end, they are not made. */
static void measure(struct program *out, uint32_t self, struct trod_arena *mem)
{
    const struct trod_super_function *f = &out->function[self];
    const struct trod_graph *g = f->ballarus->dag->graph;
    uint32_t *distance = trod_new(mem, uint32_t, g->nnode);
    bool more = true;

    for (trod_node v = 0; v < g->nnode; v++)
        distance[v] = g->first_out[v] == g->first_out[v + 1] ? 0 : 1000000;
    while (more) {
        more = false;
        for (trod_edge e = 0; e < g->nedge; e++) {
            const struct trod_call *call =
                trod_calls_find(&f->calls, g->dst_of_edge[e], false);
            uint32_t callee = call && call->callee
                                  ? trod_names_find(&out->unit.names, call->callee)
                                  : UINT32_MAX;
            uint32_t price = callee <= self ? 1000 : 1;

            if (distance[g->dst_of_edge[e]] + price < distance[g->src_of_edge[e]]) {
                distance[g->src_of_edge[e]] = distance[g->dst_of_edge[e]] + price;
                more = true;
            }
        }
    }
    out->distance[self] = distance;
}

static bool make_program(struct program *out, struct kit_prop *p,
    struct trod_arena *mem, struct trod_err *err)
{
    *out = (struct program){
        .nfunction = 1 + (uint32_t)kit_draw(p, FUNCTIONS), .throws = kit_draw(p, 2)};
    for (uint32_t i = 0; i < out->nfunction; i++)
        make_function(out, i, p, mem, err);
    if (!trod_super_unit_build(&out->unit, out->function, out->nfunction, mem, err)) {
        kit_note(p, "%s", err->text);
        return false;
    }
    for (uint32_t i = 0; i < out->nfunction; i++)
        measure(out, i, mem);
    return true;
}

static void note_program(
    struct kit_prop *p, const struct program *program, struct sample *s)
{
    for (uint32_t i = 0; i < program->nfunction; i++) {
        const struct trod_super_function *f = &program->function[i];
        struct trod_string text;

        trod_string_init(&text, &s->mem);
        trod_number_print(&text.sink, f->ballarus);
        trod_calls_print(&text.sink, &f->calls, f->ballarus->dag->graph);
        kit_note(p, "%s", text.text);
    }
}

/* --- walks ------------------------------------------------------------------------------------------ */

enum event_kind {
    ENTERS,  /* a function, from the one on top or from nowhere */
    TAKES,   /* the one on top takes an edge */
    LEAVES,  /* the one on top returns */
    BREAKS,  /* the one on top is at an exit that does not return */
    UNWINDS, /* the one on top is gone, without an end of its path */
    CATCHES  /* the one on top takes an edge by an exception */
};

struct event {
    enum event_kind kind;
    uint32_t what; /* function, edge, or node */
};

struct log {
    struct event event[EVENTS + 1];
    uint32_t n;
    bool full, outside, unwound;
};

struct walker {
    struct kit_prop *p;
    const struct program *program;
    struct log *log;
    struct {
        uint32_t function;
        trod_node node;
        bool called; /* the call of the node was made */
    } stack[STACK];
    uint32_t depth, nstep;
};

static void note(struct walker *w, enum event_kind kind, uint32_t what)
{
    if (w->log->n == EVENTS) {
        w->log->full = true;
        return;
    }
    w->log->event[w->log->n++] = (struct event){kind, what};
}

static void go_into(struct walker *w, uint32_t function)
{
    if (w->depth == STACK) {
        w->log->full = true;
        return;
    }
    note(w, ENTERS, function);
    w->stack[w->depth].function = function;
    w->stack[w->depth].node = trod_super_graph_of(&w->program->unit, function)->entry;
    w->stack[w->depth++].called = false;
}

static void take(struct walker *w, enum event_kind kind, trod_edge e)
{
    const struct trod_graph *g =
        trod_super_graph_of(&w->program->unit, w->stack[w->depth - 1].function);

    note(w, kind, e);
    w->stack[w->depth - 1].node = g->dst_of_edge[e];
    w->stack[w->depth - 1].called = false;
}

/* An exception goes up to the first who takes it, or through all. */
static void unwind(struct walker *w, bool from_top)
{
    if (!from_top)
        note(w, UNWINDS, 0), w->depth--;
    w->log->unwound = true;
    while (w->depth) {
        const struct trod_super_function *f =
            &w->program->function[w->stack[w->depth - 1].function];
        const struct trod_graph *g = f->ballarus->dag->graph;
        trod_node v = w->stack[w->depth - 1].node;

        for (trod_edge e = g->first_out[v]; f->unwinds && e < g->first_out[v + 1]; e++)
            if (trod_has(f->unwinds, e)) {
                take(w, CATCHES, e);
                return;
            }
        note(w, UNWINDS, 0);
        w->depth--;
    }
}

/* The call of a node, of what it is or of anything. */
static void make_call(struct walker *w, const struct trod_call *call)
{
    uint32_t callee = UINT32_MAX;

    w->stack[w->depth - 1].called = true;
    if (call->callee)
        callee = trod_names_find(&w->program->unit.names, call->callee);
    else if (w->nstep < BUDGET && w->depth < STACK / 2)
        callee = (uint32_t)kit_draw(w->p, w->program->nfunction + 1);
    if (callee < w->program->nfunction) {
        go_into(w, callee);
        return;
    }
    w->log->outside = true;
    if (w->program->throws && w->nstep < BUDGET && kit_draw(w->p, 4) == 3)
        unwind(w, true);
}

static void take_some(struct walker *w)
{
    uint32_t function = w->stack[w->depth - 1].function;
    const struct trod_super_function *f = &w->program->function[function];
    const struct trod_graph *g = f->ballarus->dag->graph;
    trod_node v = w->stack[w->depth - 1].node;
    uint32_t n = g->first_out[v + 1] - g->first_out[v];
    trod_edge e = g->first_out[v];

    if (w->nstep++ < BUDGET && w->depth < STACK / 2) {
        e += (uint32_t)kit_draw(w->p, n);
    } else {
        for (trod_edge i = e; i < g->first_out[v + 1]; i++)
            if (w->program->distance[function][g->dst_of_edge[i]] <
                w->program->distance[function][g->dst_of_edge[e]])
                e = i;
    }
    if (f->unwinds && trod_has(f->unwinds, e))
        e--; /* only exceptions go this way */
    take(w, TAKES, e);
}

static void take_step(struct walker *w)
{
    uint32_t function = w->stack[w->depth - 1].function;
    const struct trod_super_function *f = &w->program->function[function];
    const struct trod_graph *g = f->ballarus->dag->graph;
    trod_node v = w->stack[w->depth - 1].node;
    const struct trod_call *call = trod_calls_find(&f->calls, v, false);

    if (call && !w->stack[w->depth - 1].called) {
        make_call(w, call);
    } else if (g->first_out[v] < g->first_out[v + 1]) {
        take_some(w);
    } else if (f->returns[v]) {
        note(w, LEAVES, v);
        w->depth--;
    } else {
        note(w, BREAKS, v);
        unwind(w, false);
    }
}

static bool walk(struct log *out, const struct program *program, struct kit_prop *p)
{
    static struct walker w;
    uint64_t nbase = 1 + kit_draw(p, 3);

    *out = (struct log){.n = 0};
    w = (struct walker){.p = p, .program = program, .log = out};
    while (nbase-- && !out->full) {
        go_into(&w, (uint32_t)kit_draw(p, program->nfunction));
        while (w.depth && !out->full)
            take_step(&w);
    }
    return !out->full;
}

#endif
