#include "wpp/wpp.h"

/* The callee: the number of a name, any function, or none. */
enum { ANYBODY = UINT32_MAX, NOBODY = UINT32_MAX - 1 };

struct trod_activation {
    uint32_t function;
    enum { RUNS, WAITS, WAITS_FOR_GOOD } state;
    trod_node at; /* where it resumes */
    uint32_t callee;
    bool went_in; /* the call at which it waits was followed */
    bool interrupts;
};

/* --- names and aliases -------------------------------------------------------------------------------- */

/* A name refers to the functions with that name, otherwise to the function with that alias. */
static void name_functions(struct trod_decoder *d)
{
    uint32_t nname = 0;

    trod_names_init(&d->name, d->mem);
    for (uint32_t f = 0; f < d->nfunction; f++)
        nname += 1 + d->function[f].nalias;
    d->who_of_name = trod_new(d->mem, uint32_t, nname);
    d->who_of_function = trod_new(d->mem, uint32_t, d->nfunction);
    for (uint32_t f = 0; f < d->nfunction; f++)
        if (d->function[f].name) {
            uint32_t n = trod_names_add(&d->name, d->function[f].name);

            d->who_of_function[f] = d->who_of_name[n] = n;
        }
    for (uint32_t f = 0; f < d->nfunction; f++)
        for (uint32_t i = 0; i < d->function[f].nalias; i++) {
            uint32_t known = d->name.count;
            uint32_t n = trod_names_add(&d->name, d->function[f].alias[i]);

            if (n == known)
                d->who_of_name[n] = d->who_of_function[f];
        }
}

static uint32_t who(const struct trod_decoder *d, const struct trod_call *call)
{
    uint32_t n;

    if (!call->callee)
        return ANYBODY;
    n = trod_names_find(&d->name, call->callee);
    return n == UINT32_MAX ? NOBODY : d->who_of_name[n];
}

void trod_decoder_init(struct trod_decoder *out,
    const struct trod_wpp_function *function, uint32_t nfunction, trod_step_taker take,
    void *ctx, struct trod_arena *mem)
{
    uint32_t most = 0;

    *out = (struct trod_decoder){.mem = mem,
        .function = function,
        .nfunction = nfunction,
        .take = take,
        .ctx = ctx};
    for (uint32_t f = 0; f < nfunction; f++)
        if (function[f].numbering && function[f].numbering->dag->nreach > most)
            most = function[f].numbering->dag->nreach;
    out->edge = trod_new(mem, trod_edge, most);
    name_functions(out);
}

/* --- subpaths ------------------------------------------------------------------------------------ */

static void fill_begin(
    struct trod_subpath *out, const struct trod_wpp_function *f, trod_edge e)
{
    const struct trod_dag *dag = f->numbering->dag;
    const struct trod_graph *graph = dag->graph;

    out->from = dag->shape.dst_of_edge[e];
    out->enters = dag->kind_of_edge[e] == TROD_DAG_ENTER;
    out->comes_back = !out->enters && trod_calls_find(f->calls, out->from, false) &&
                      trod_graph_leave(graph, out->from) != TROD_RETURNS_AGAIN;
}

static void fill_end(struct trod_subpath *out, const struct trod_decoder *d,
    const struct trod_wpp_function *f, trod_edge e)
{
    const struct trod_dag *dag = f->numbering->dag;
    const struct trod_call *call;

    if (dag->kind_of_edge[e] == TROD_DAG_END) {
        out->to = dag->graph->dst_of_edge[dag->origin_of_edge[e]];
        call = trod_calls_find(f->calls, out->to, false);
        out->end = call ? TROD_ENDS_CALL : TROD_ENDS_ROUND;
    } else {
        call = trod_calls_find(f->calls, dag->shape.src_of_edge[e], true);
        out->end = call ? TROD_ENDS_FOR_GOOD : TROD_ENDS_RETURN;
    }
    if (call)
        out->callee = who(d, call);
}

static struct trod_subpath describe(
    const struct trod_decoder *d, uint32_t function, uint64_t id)
{
    const struct trod_wpp_function *f = &d->function[function];
    uint32_t n = trod_number_decode(d->edge, f->numbering, id);
    struct trod_subpath out = {.function = function, .id = id, .nblock = n - 1};

    fill_begin(&out, f, d->edge[0]);
    fill_end(&out, d, f, d->edge[n - 1]);
    return out;
}

uint32_t trod_decoder_subpath(struct trod_decoder *d, uint32_t function, uint64_t id)
{
    uint64_t hash = trod_mix(trod_mix(0, function), id);
    uint32_t found = TROD_TABLE_FIND(&d->by_id, hash, i,
        d->subpath[i].function == function && d->subpath[i].id == id);

    if (found == TROD_TABLE_NONE) {
        found = trod_table_add(&d->by_id, hash, d->mem);
        trod_push(d->mem, d->subpath, d->nsubpath, d->room_subpath,
            describe(d, function, id));
    }
    return found;
}

/* --- steps ------------------------------------------------------------------------------------------ */

static bool put(struct trod_decoder *d, enum trod_step_kind kind)
{
    return d->take(&(struct trod_step){.kind = kind}, d->ctx);
}

/* Was it called by the activation on top of the stack? On an empty stack it starts the thread, and
 * counts as called. */
static bool is_called(const struct trod_decoder *d, uint32_t function)
{
    const struct trod_activation *top;

    if (!d->nopen)
        return true;
    top = &d->open[d->nopen - 1];
    return top->state != RUNS && !top->went_in &&
           (top->callee == ANYBODY || top->callee == d->who_of_function[function]);
}

static bool open_one(struct trod_decoder *d, uint32_t function)
{
    bool called = is_called(d, function);

    if (d->nopen && called)
        d->open[d->nopen - 1].went_in = true;
    trod_push(d->mem, d->open, d->nopen, d->room_open,
        (struct trod_activation){.function = function, .interrupts = !called});
    return put(d, called ? TROD_STEP_CALL : TROD_STEP_INTERRUPT);
}

/* A call of code that is not profiled, which has returned. */
static bool put_outside(
    struct trod_decoder *d, const struct trod_activation *a, enum trod_step_kind end)
{
    return a->state == RUNS || a->went_in || (put(d, TROD_STEP_CALL) && put(d, end));
}

static bool leave_above(struct trod_decoder *d, size_t nopen)
{
    while (d->nopen > nopen) {
        const struct trod_activation *a = &d->open[--d->nopen];

        if (!put_outside(d, a, TROD_STEP_LEFT) ||
            !put(d, a->interrupts ? TROD_STEP_RESUME : TROD_STEP_LEFT))
            return false;
    }
    return true;
}

/* The activation that continues with a subpath, counted from 1; 0: none. */
static size_t find(const struct trod_decoder *d, const struct trod_subpath *s)
{
    size_t nearest = 0;

    for (size_t i = d->nopen; i > 0; i--) {
        const struct trod_activation *a = &d->open[i - 1];

        if (a->function != s->function)
            continue;
        if (a->state != WAITS_FOR_GOOD && a->at == s->from)
            return i;
        if (!nearest)
            nearest = i;
    }
    return s->comes_back ? 0 : nearest;
}

static bool go_on(struct trod_decoder *d, const struct trod_subpath *s)
{
    size_t found = find(d, s);
    struct trod_activation *a;
    bool back;

    if (!found)
        return open_one(d, s->function);
    if (!leave_above(d, found))
        return false;
    a = &d->open[found - 1];
    back = a->state == WAITS && a->at == s->from;
    return put_outside(d, a, back ? TROD_STEP_RETURN : TROD_STEP_LEFT);
}

static bool stop(struct trod_decoder *d, const struct trod_subpath *s)
{
    struct trod_activation *a = &d->open[d->nopen - 1];

    if (s->end == TROD_ENDS_RETURN) {
        d->nopen--;
        return put(d, a->interrupts ? TROD_STEP_RESUME : TROD_STEP_RETURN);
    }
    a->state = s->end == TROD_ENDS_ROUND  ? RUNS
               : s->end == TROD_ENDS_CALL ? WAITS
                                          : WAITS_FOR_GOOD;
    a->at = s->to;
    a->callee = s->callee;
    a->went_in = false;
    return true;
}

bool trod_decoder_add(struct trod_decoder *d, uint32_t subpath)
{
    const struct trod_subpath *s = &d->subpath[subpath];
    struct trod_step step = {.kind = TROD_STEP_SUBPATH,
        .function = d->function[s->function].number,
        .id = s->id};

    return (s->enters ? open_one(d, s->function) : go_on(d, s)) &&
           d->take(&step, d->ctx) && stop(d, s);
}

void trod_decoder_end(struct trod_decoder *d)
{
    d->nopen = 0;
}
