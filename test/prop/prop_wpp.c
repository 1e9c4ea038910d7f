/* Whole program paths: a walk through random functions, with a stack of activations, is derived from
 * the subpaths that ended on it. It has calls, direct and indirect, to the outside and back from
 * it, loops, interruptions, exceptions and longjmp. What cannot be distinguished is omitted: two
 * activations of a function that might both be meant by one exception, an interruption where an
 * indirect call waits.
 */
#include "scratch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "kit/shape.h"
#include "wpp/wpp.h"

enum { FUNCTIONS = 4, EVENTS = 120, DEEPEST = 12, STEPS = 20 * EVENTS };

enum fault {
    NONE,
    NAMELESS,    /* a call does not say whom it calls */
    CALLBACK,    /* what the outside calls back is taken for called */
    RETURNED,    /* a call that was left is taken for one that returned */
    UNSEEN,      /* a call to the outside is not reported */
    LOST,        /* the last subpath is not noted */
    NOT_LEFT_YET /* nothing is left by an exception */
};

struct function {
    struct trod_graph graph;
    struct trod_view view;
    struct trod_numbering numbering;
    struct trod_calls calls;
    char name[16];
};

/* What the decoder may know, `noted`, and what is so. */
struct activation {
    uint32_t function;
    trod_node node;
    int64_t sum;
    enum { RUNNING, IN_CALL, IN_CALL_FOR_GOOD } state;
    bool entered; /* the call */
    bool interrupts;
    bool noted;
    trod_node noted_at; /* where it continues; TROD_NONE: nowhere */
    bool noted_call;    /* it waits at a call */
    bool noted_entered; /* of which something is noted */
    const struct trod_call *call;
};

struct walk {
    struct kit_prop *p;
    enum fault fault;
    struct trod_arena *mem;
    struct function function[FUNCTIONS];
    uint32_t nfunction;
    struct activation act[DEEPEST];
    uint32_t nact;
    bool settling; /* an activation was abandoned: the next recorded step shows it */
    struct trod_step step[STEPS]; /* as it was */
    size_t nstep;
    struct trod_step replayed[STEPS]; /* by the decoder */
    size_t nreplayed;
    uint32_t noted[EVENTS];
    uint32_t nnoted;
    struct trod_decoder decoder;
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* --- functions ------------------------------------------------------------------------------------ */

/* The callee: one of the functions, any of them, or a function outside. */
static const char *draw_callee(struct walk *w)
{
    uint64_t which = kit_draw(w->p, w->nfunction + 2);

    return which == w->nfunction       ? "outside"
           : which == w->nfunction + 1 ? NULL
                                       : w->function[which].name;
}

static void draw_calls(struct function *f, struct walk *w)
{
    struct trod_graph *g = &f->graph;
    bool *cut = trod_new(w->mem, bool, g->nedge);
    struct trod_call *call = trod_new(w->mem, struct trod_call, 2 * (size_t)g->nnode);
    uint32_t n = 0;

    for (trod_node v = 0; v < g->nnode; v++) {
        bool is_exit = g->first_out[v] == g->first_out[v + 1];

        if (v != g->entry && g->first_in[v + 1] - g->first_in[v] == 1 &&
            kit_draw(w->p, 2)) {
            cut[g->in_edge[g->first_in[v]]] = true;
            call[n++] = (struct trod_call){.node = v, .callee = draw_callee(w)};
        }
        if (is_exit && kit_draw(w->p, 8) == 7)
            call[n++] =
                (struct trod_call){.node = v, .callee = draw_callee(w), .last = true};
    }
    g->cut_of_edge = cut;
    f->calls = (struct trod_calls){.ncall = n, .call = call};
}

static bool draw_functions(struct walk *w, struct sample *s)
{
    struct kit_shape_options shape = {.max_node = 7, .cycles = true, .parallel = true};

    w->nfunction = 1 + (uint32_t)kit_draw(w->p, FUNCTIONS);
    for (uint32_t i = 0; i < w->nfunction; i++)
        snprintf(w->function[i].name, sizeof w->function[i].name, "f%" PRIu32, i);
    for (uint32_t i = 0; i < w->nfunction; i++) {
        struct function *f = &w->function[i];

        kit_shape(&f->graph, &shape, draw, w->p, w->mem);
        f->graph.name = f->name;
        draw_calls(f, w);
        if (!trod_calls_check(&f->calls, &f->graph, &s->err))
            return false;
        trod_graph_view(&f->view, &f->graph, NULL, w->mem);
        if (!trod_number_ballarus(&f->numbering, &f->view.dag, w->mem, &s->err))
            return false;
    }
    return true;
}

static bool take_replayed(const struct trod_step *step, void *ctx)
{
    struct walk *w = ctx;

    if (w->nreplayed < STEPS)
        w->replayed[w->nreplayed++] = *step;
    return true;
}

static void make_decoder(struct walk *w)
{
    struct trod_wpp_function *of =
        trod_new(w->mem, struct trod_wpp_function, w->nfunction);

    for (uint32_t i = 0; i < w->nfunction; i++) {
        struct function *f = &w->function[i];
        struct trod_calls *calls = trod_new(w->mem, struct trod_calls, 1);

        *calls = f->calls;
        if (w->fault == NAMELESS) {
            struct trod_call *other = trod_new(w->mem, struct trod_call, calls->ncall);

            for (uint32_t k = 0; k < calls->ncall; k++)
                other[k] = (struct trod_call){
                    .node = calls->call[k].node, .last = calls->call[k].last};
            calls->call = other;
        }
        of[i] = (struct trod_wpp_function){
            .number = i, .name = f->name, .numbering = &f->numbering, .calls = calls};
    }
    trod_decoder_init(&w->decoder, of, w->nfunction, take_replayed, w, w->mem);
}

/* --- recorded steps, and what they should be decoded to ------------------------------------------ */

static void put(struct walk *w, enum trod_step_kind kind)
{
    if (kind == TROD_STEP_LEFT && w->fault == RETURNED)
        kind = TROD_STEP_RETURN;
    if (w->nstep < STEPS)
        w->step[w->nstep++] = (struct trod_step){.kind = kind};
}

static void put_outside(struct walk *w, enum trod_step_kind end)
{
    if (w->fault == UNSEEN)
        return;
    put(w, TROD_STEP_CALL);
    put(w, end);
}

/* The newest that the decoder may know of, below this one; NULL: none. */
static struct activation *noted_below(struct walk *w, uint32_t i)
{
    while (i > 0)
        if (w->act[--i].noted)
            return &w->act[i];
    return NULL;
}

static bool is_called(
    const struct walk *w, const struct activation *a, const struct activation *below)
{
    const char *callee;

    if (!below)
        return true;
    if (!below->noted_call || below->noted_entered)
        return false;
    callee = below->call->callee;
    return !callee || strcmp(callee, w->function[a->function].name) == 0;
}

/* A subpath of the newest activation has ended. */
static void note(struct walk *w, int64_t id)
{
    struct activation *a = &w->act[w->nact - 1];

    w->settling = false;
    if (!a->noted) {
        struct activation *below = noted_below(w, w->nact - 1);
        bool called = is_called(w, a, below);

        if (below && called)
            below->noted_entered = true;
        a->interrupts = !called;
        put(w, called || w->fault == CALLBACK ? TROD_STEP_CALL : TROD_STEP_INTERRUPT);
    } else if (a->noted_call && !a->noted_entered) {
        put_outside(w, TROD_STEP_RETURN);
    }
    a->noted = true;
    a->noted_call = a->noted_entered = false;
    if (w->nstep < STEPS)
        w->step[w->nstep++] =
            (struct trod_step){TROD_STEP_SUBPATH, a->function, (uint64_t)id};
    w->noted[w->nnoted++] =
        trod_decoder_subpath(&w->decoder, a->function, (uint64_t)id);
}

/* --- the walk ------------------------------------------------------------------------------------- */

static void enter(struct walk *w, uint32_t function)
{
    const struct function *f = &w->function[function];
    const struct trod_dag *dag = &f->view.dag;
    trod_edge in = dag->shape.first_out[dag->shape.entry];

    w->act[w->nact++] = (struct activation){.function = function,
        .node = f->graph.entry,
        .sum = f->numbering.val_of_edge[in]};
}

/* To the end of the block, and on to another, or out. */
static void advance(struct walk *w)
{
    struct activation *a = &w->act[w->nact - 1];
    const struct function *f = &w->function[a->function];
    const struct trod_dag *dag = &f->view.dag;
    const int64_t *val = f->numbering.val_of_edge;
    uint32_t first = f->graph.first_out[a->node];
    uint32_t nout = f->graph.first_out[a->node + 1] - first;
    const struct trod_call *call;
    trod_edge e, d;

    if (!nout) {
        call = trod_calls_find(&f->calls, a->node, true);
        d = dag->shape.first_out[a->node];
        note(w, a->sum + val[d]);
        if (call) {
            a->state = IN_CALL_FOR_GOOD;
            a->noted_at = TROD_NONE;
            a->call = call;
            a->entered = false;
            a->noted_call = true;
        } else {
            put(w, a->interrupts ? TROD_STEP_RESUME : TROD_STEP_RETURN);
            w->nact--;
        }
        return;
    }
    e = first + (trod_edge)kit_draw(w->p, nout);
    d = dag->dag_of_edge[e];
    a->node = f->graph.dst_of_edge[e];
    if (dag->kind_of_edge[d] == TROD_DAG_REAL) {
        a->sum += val[d];
        return;
    }
    note(w, a->sum + val[d]);
    a->noted_at = a->node;
    a->sum = val[dag->start_of_node[a->node]];
    call = trod_calls_find(&f->calls, a->node, false);
    if (call) {
        a->state = IN_CALL;
        a->call = call;
        a->entered = false;
        a->noted_call = true;
    }
}

/* Control goes to one that waits at a call: its exception handler, or after the call it waits
 * at. Those above it are gone.
 */
static bool fall_to(struct walk *w, uint32_t i)
{
    struct activation *to = &w->act[i];

    if (to->state != IN_CALL || w->settling)
        return false;
    for (uint32_t k = i + 1; k < w->nact; k++)
        if (w->act[k].function == to->function && w->act[k].noted &&
            w->act[k].noted_at == to->noted_at)
            return false;
    for (; w->nact > i + 1; w->nact--) {
        const struct activation *a = &w->act[w->nact - 1];

        if (!a->noted || w->fault == NOT_LEFT_YET)
            continue;
        if (a->noted_call && !a->noted_entered)
            put_outside(w, TROD_STEP_LEFT);
        put(w, a->interrupts ? TROD_STEP_RESUME : TROD_STEP_LEFT);
    }
    to->state = RUNNING;
    w->settling = true;
    return true;
}

/* May an interruption be distinguished from a call? */
static bool may_interrupt(struct walk *w, uint32_t function)
{
    const struct activation *below = noted_below(w, w->nact);

    return !w->settling && w->nact < DEEPEST &&
           (!below || !below->noted_call || below->noted_entered ||
               (below->call->callee &&
                   strcmp(below->call->callee, w->function[function].name) != 0));
}

/* In a call: what is called runs, or has run. */
static bool call_on(struct walk *w)
{
    struct activation *a = &w->act[w->nact - 1];
    const char *callee = a->call->callee;
    uint32_t f = (uint32_t)kit_draw(w->p, w->nfunction);
    bool outside = callee && strcmp(callee, "outside") == 0;

    if (outside && kit_draw(w->p, 3) == 2 && may_interrupt(w, f)) {
        enter(w, f); /* the outside calls back */
    } else if (!outside && !a->entered && w->nact < DEEPEST &&
               (callee || kit_draw(w->p, 4))) {
        for (uint32_t i = 0; callee && i < w->nfunction; i++)
            if (strcmp(callee, w->function[i].name) == 0)
                f = i;
        a->entered = true;
        enter(w, f);
    } else if (a->state == IN_CALL_FOR_GOOD) {
        return w->nact > 1 && fall_to(w, (uint32_t)kit_draw(w->p, w->nact - 1));
    } else {
        a->state = RUNNING;
    }
    return true;
}

static void go(struct walk *w)
{
    uint64_t n = kit_draw(w->p, EVENTS);

    for (uint64_t i = 0; i < n; i++) {
        uint32_t f = (uint32_t)kit_draw(w->p, w->nfunction);
        uint64_t what = kit_draw(w->p, 20);

        if (!w->nact ||
            (what == 19 && w->act[w->nact - 1].state == RUNNING && may_interrupt(w, f)))
            enter(w, f);
        else if (what == 18 && w->nact > 1 &&
                 fall_to(w, (uint32_t)kit_draw(w->p, w->nact - 1)))
            continue;
        else if (w->act[w->nact - 1].state == RUNNING)
            advance(w);
        else if (!call_on(w))
            return;
    }
}

/* --- comparison ----------------------------------------------------------------------------------- */

static void show(struct kit_prop *p, const char *what, const struct trod_step *step,
    size_t n, const struct trod_names *names, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    for (size_t i = 0; i < n; i++) {
        trod_put(&text.sink, " ");
        trod_step_print(&text.sink, &step[i], names);
    }
    kit_note(p, "%s:%s", what, text.text);
}

static void show_functions(struct walk *w)
{
    struct trod_string text;

    trod_string_init(&text, w->mem);
    for (uint32_t i = 0; i < w->nfunction; i++) {
        trod_number_print(&text.sink, &w->function[i].numbering);
        trod_calls_print(&text.sink, &w->function[i].calls, &w->function[i].graph);
    }
    kit_note(w->p, "%s", text.text);
}

static bool is_same(const struct walk *w)
{
    if (w->nstep != w->nreplayed)
        return false;
    for (size_t i = 0; i < w->nstep; i++)
        if (!trod_step_is_same(&w->step[i], &w->replayed[i]))
            return false;
    return true;
}

static bool tells_the_walk(struct kit_prop *p, void *ctx)
{
    static struct walk w;
    struct trod_wpp wpp = {.name = "w"};
    struct sample s;
    bool same;

    begin(&s);
    w = (struct walk){.p = p, .fault = fault_in(ctx), .mem = &s.mem};
    if (!draw_functions(&w, &s)) {
        kit_note(p, "%s", s.err.text);
        return end(&s, false);
    }
    make_decoder(&w);
    go(&w);
    for (uint32_t i = 0; i + (w.fault == LOST) < w.nnoted; i++)
        trod_decoder_add(&w.decoder, w.noted[i]);
    trod_names_init(&wpp.function, &s.mem);
    for (uint32_t i = 0; i < w.nfunction; i++)
        trod_names_add(&wpp.function, w.function[i].name);
    wpp.step = w.replayed;
    wpp.nstep = w.nreplayed;
    show_functions(&w);
    /* The next recorded step shows that an activation was abandoned; after the last one there is no step. */
    same = !w.settling ? is_same(&w) : w.nstep >= w.nreplayed;
    if (!trod_wpp_check(&wpp, &s.mem, &s.err))
        same = false;
    show(p, "is", w.step, w.nstep, &wpp.function, &s.mem);
    show(p, "decoded", w.replayed, w.nreplayed, &wpp.function, &s.mem);
    kit_note(p, "%s", s.err.text);
    return end(&s, same);
}

/* --- all of them --------------------------------------------------------------------------------- */

static const char name[] = "a walk is decoded from its subpaths";

static void test_walks(void **state)
{
    (void)state;
    kit_check(name, tells_the_walk, NULL);
}

static void test_planted(void **state)
{
    (void)state;
    for (enum fault fault = NAMELESS; fault <= NOT_LEFT_YET; fault++)
        kit_check_planted(name, tells_the_walk, &fault);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks), cmocka_unit_test(test_planted)};

    return cmocka_run_group_tests_name("wpp", tests, NULL, NULL);
}
