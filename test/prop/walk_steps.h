/* The whole program path of a walk through a random program: its steps, and for each step what a supergraph
 * has to know of it.
 */
#ifndef PROP_WALK_STEPS_H
#define PROP_WALK_STEPS_H

#include "program.h"

/* --- subpaths ------------------------------------------------------------------------------------ */

/* What an activation has done of its subpath. */
struct sum {
    uint32_t function;
    uint64_t id;
};

static inline const struct trod_numbering *ballarus_of(
    const struct program *p, uint32_t function)
{
    return p->function[function].ballarus;
}

static inline void add(struct sum *sum, const struct program *p, trod_edge e)
{
    sum->id += (uint64_t)ballarus_of(p, sum->function)->val_of_edge[e];
}

static inline void start_at(struct sum *sum, const struct program *p, trod_edge e)
{
    sum->id = 0;
    add(sum, p, e);
}

/* An edge of the function; does a subpath end with it? */
static inline bool cross(
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

static inline uint64_t leave(struct sum *sum, const struct program *p, trod_node v)
{
    add(sum, p, ballarus_of(p, sum->function)->dag->shape.first_out[v]);
    return sum->id;
}

static inline void enter(struct sum *sum, const struct program *p, uint32_t function)
{
    const struct trod_dag *dag = ballarus_of(p, function)->dag;

    sum->function = function;
    start_at(sum, p, dag->shape.first_out[dag->shape.entry]);
}

/* Does an edge go to a call that nothing is seen of? There is an event after it. */
static inline bool is_outside(
    const struct program *p, uint32_t function, const struct event *event)
{
    const struct trod_super_function *f = &p->function[function];

    return event[1].kind != ENTERS &&
           trod_calls_find(
               &f->calls, f->ballarus->dag->graph->dst_of_edge[event->what], false);
}

/* --- steps --------------------------------------------------------------------------------------- */

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

static inline struct sight *put(struct note_taker *n, enum trod_step_kind kind)
{
    size_t at = n->steps->n++;

    n->steps->step[at] = (struct trod_step){.kind = kind};
    n->steps->sight[at] = (struct sight){.caught = TROD_NONE};
    return &n->steps->sight[at];
}

static inline void put_subpath(struct note_taker *n, uint64_t id, bool dies)
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

static inline void note_entry(struct note_taker *n, uint32_t function)
{
    struct sight *sight = put(n, TROD_STEP_CALL);

    sight->call = n->stack[n->depth].node;
    sight->callee = function;
    n->depth++;
    n->stack[n->depth].number = n->nactivation++;
    n->stack[n->depth].caught = TROD_NONE;
    enter(&n->stack[n->depth].sum, n->program, function);
}

static inline void note_edge(struct note_taker *n, const struct event *event)
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

static inline void note_exit(struct note_taker *n, trod_node v)
{
    struct sum *top = &n->stack[n->depth].sum;

    put_subpath(n, leave(top, n->program, v),
        trod_calls_find(&n->program->function[top->function].calls, v, true) != NULL);
}

/* All steps of a walk. */
static inline void take_down(
    struct steps *out, const struct log *log, const struct program *p)
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

#endif
