#include "sequence/sequence.h"

/* An activation, from its call on. It is unknown, and not recorded, until its first subpath. */
struct trod_recorder_frame {
    bool known;
    bool
        went_in; /* the call at the end of its last subpath entered a recorded function */
    uint32_t function;
    uint64_t id;       /* of its last subpath */
    uint32_t nchild;   /* children at that time */
    uint64_t nlast;    /* repetitions of the last child at that time */
    bool is_interrupt; /* entered by an interrupt: no known caller */
};

static void push(
    struct trod_call_sequence_recorder *r, struct trod_recorder_frame frame)
{
    trod_push(r->spans.mem, r->frame, r->nframe, r->room, frame);
}

static struct trod_recorder_frame *top(const struct trod_call_sequence_recorder *r)
{
    return &r->frame[r->nframe - 1];
}

static void begin_thread(struct trod_call_sequence_recorder *r)
{
    push(r, (struct trod_recorder_frame){.known = true});
    trod_spans_open(&r->spans, trod_names_add(&r->spans.function, TROD_SPAN_THREAD),
        TROD_SPAN_RECORDED);
}

void trod_call_sequence_recorder_init(struct trod_call_sequence_recorder *out,
    const struct trod_names *function, bool selective, trod_call_sequence_callee callee,
    void *ctx, struct trod_arena *mem)
{
    *out = (struct trod_call_sequence_recorder){
        .function = function, .selective = selective, .callee = callee, .ctx = ctx};
    trod_spans_init(&out->spans, mem);
    begin_thread(out);
}

/* --- calls of functions that were not recorded ----------------------------------------------------- */

/* Move the children recorded since the last subpath into a span for the callee. The first of them may have been merged
 * with equal children before it: split those.
 */
static void move_to_callee_span(
    struct trod_call_sequence_recorder *r, const char *callee)
{
    struct trod_spans *s = &r->spans;
    const struct trod_recorder_frame *f = top(r);
    size_t caller = s->nopen - 1;
    struct trod_span_open *open;
    uint32_t n = s->open[caller].nchild;

    trod_spans_open(
        s, trod_names_add(&s->function, callee ? callee : "*"), TROD_SPAN_OUTSIDE);
    open = &s->open[caller];
    if (f->nchild && open->child[f->nchild - 1].count > f->nlast) {
        struct trod_span_child *last = &open->child[f->nchild - 1];

        trod_spans_add(s, last->span, last->count - f->nlast);
        last->count = f->nlast;
    }
    for (uint32_t i = f->nchild; i < n; i++)
        trod_spans_add(s, open->child[i].span, open->child[i].count);
    open->nchild = f->nchild;
    trod_spans_add(s, trod_spans_close(s), 1);
}

/* The callee at the end of a frame's last subpath. Each subpath is decoded once. */
static const char *callee_of(
    struct trod_call_sequence_recorder *r, const struct trod_recorder_frame *f)
{
    uint64_t hash = trod_mix(trod_mix(0, f->function), f->id);
    uint32_t found;

    if (!r->callee)
        return NULL;
    found = TROD_TABLE_FIND(&r->subpaths, hash, i,
        r->known[i].function == f->function && r->known[i].id == f->id);
    if (found == TROD_TABLE_NONE) {
        found = trod_table_add(&r->subpaths, hash, r->spans.mem);
        trod_push(r->spans.mem, r->known, r->nknown, r->room_known,
            (struct trod_recorder_callee){
                f->function, f->id, r->callee(f->function, f->id, r->ctx)});
    }
    return r->known[found].callee;
}

static void pass_outside(struct trod_call_sequence_recorder *r)
{
    if (r->selective && r->nframe > 1)
        move_to_callee_span(r, callee_of(r, top(r)));
}

/* --- steps ------------------------------------------------------------------------------------------- */

static void take_subpath(
    struct trod_call_sequence_recorder *r, const struct trod_step *step)
{
    const struct trod_span_open *open;
    struct trod_recorder_frame *f;

    if (r->nframe == 1)
        push(r, (struct trod_recorder_frame){0});
    f = top(r);
    if (!f->known) {
        if (!f->is_interrupt)
            f[-1].went_in = true;
        f->known = true;
        trod_spans_open(&r->spans,
            trod_names_add(&r->spans.function, r->function->name[step->function]),
            TROD_SPAN_RECORDED);
    }
    open = &r->spans.open[r->spans.nopen - 1];
    f->function = step->function;
    f->id = step->id;
    f->went_in = false;
    f->nchild = open->nchild;
    f->nlast = open->nchild ? open->child[open->nchild - 1].count : 0;
}

static void leave(struct trod_call_sequence_recorder *r)
{
    bool known = top(r)->known;

    r->nframe--;
    if (known)
        trod_spans_add(&r->spans, trod_spans_close(&r->spans), 1);
    else
        pass_outside(r);
}

bool trod_call_sequence_take(const struct trod_step *step, void *ctx)
{
    struct trod_call_sequence_recorder *r = ctx;

    if (step->kind == TROD_STEP_SUBPATH)
        take_subpath(r, step);
    else if (step->kind == TROD_STEP_CALL || step->kind == TROD_STEP_INTERRUPT)
        push(r, (struct trod_recorder_frame){
                    .is_interrupt = step->kind == TROD_STEP_INTERRUPT});
    else if (r->nframe > 1)
        leave(r);
    return true;
}

/* End an activation that was active when the thread ended. It may be in a call that no step mentions. */
static void end_one(struct trod_call_sequence_recorder *r)
{
    const struct trod_recorder_frame *f = top(r);
    const char *callee = NULL;

    if (f->known && !f->went_in && r->selective)
        callee = callee_of(r, f);
    if (callee)
        move_to_callee_span(r, callee);
    leave(r);
}

void trod_call_sequence_end(struct trod_call_sequence_recorder *r, uint32_t thread)
{
    while (r->nframe > 1)
        end_one(r);
    r->nframe = 0;
    trod_spans_thread(&r->spans, thread, trod_spans_close(&r->spans));
    begin_thread(r);
}

void trod_call_sequence_build(struct trod_call_sequence *out,
    const struct trod_call_sequence_recorder *r, const char *name)
{
    struct trod_spans done = r->spans;

    done.nopen = 0;
    trod_spans_build(out, &done, name);
}

/* --- the callee of a subpath --------------------------------------------------------------------------- */

static const char *decode_callee(
    const struct trod_map_entry *entry, uint64_t id, struct trod_arena *mem)
{
    const struct trod_dag *dag = entry->numbering.dag;
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *edge = trod_new(mem, trod_edge, dag->nreach);
    uint32_t n = trod_number_decode(edge, &entry->numbering, id);
    trod_edge e = edge[n - 1];
    const struct trod_call *call;

    trod_arena_rewind(mem, mark);
    if (dag->kind_of_edge[e] == TROD_DAG_END)
        call = trod_calls_find(
            &entry->calls, dag->graph->dst_of_edge[dag->origin_of_edge[e]], false);
    else
        call = trod_calls_find(&entry->calls, dag->shape.src_of_edge[e], true);
    return call ? call->callee : NULL;
}

const char *trod_call_sequence_recorded_callee(
    uint32_t function, uint64_t id, void *ctx)
{
    const struct trod_recorded *r = ctx;

    for (uint32_t f = 0; f < r->module->nfunction; f++)
        if (r->is_added[f] && r->function[f].number == function &&
            id < r->entry[f]->numbering.npath)
            return decode_callee(r->entry[f], id, r->mem);
    return NULL;
}
