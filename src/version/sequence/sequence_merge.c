#include "sequence/skeleton.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

struct task {
    enum { OF_RECORDED, OF_SKELETON, OF_SPLICED, OF_UNKNOWN } kind;
    uint32_t span, child;
    uint64_t ndone;
    size_t supplier;
    bool owns_supplier;
    uint64_t nordered; /* s.nordered when the task began */
};

/* Source of spans for holes: the children of a recorded span, in order. */
struct supplier {
    uint32_t span, child;
    uint64_t ndone;
};

struct merger {
    struct trod_skeletons s;
    struct trod_call_sequence_merged *out;
    uint32_t *
        done_of_new; /* [later->nspan] result span + 1 if it is the same at every occurrence, otherwise 0 */
    struct task *task;
    size_t ntask, room_task;
    struct supplier *supplier;
    size_t nsupplier, room_supplier;
    uint32_t result;
};

/* --- the new sequence -------------------------------------------------------------------------------------------- */

/* A call through a pointer reached a function that was not recorded. It may be any exempt function that the caller
 * called in the old sequence: all of them become undecided.
 */
static void undecide_pointer_callees(struct merger *m, uint32_t caller)
{
    bool any = false;

    for (uint32_t s = 0; s < m->s.old->nspan && !m->s.of[caller].pointed; s++)
        for (uint32_t i = 0; m->s.out_of_old[m->s.old->span[s].function] == caller &&
                             i < m->s.old->span[s].nchild;
            i++) {
            uint32_t child = m->s.old->span[s].child[i].span;
            uint32_t callee = m->s.out_of_old[m->s.old->span[child].function];

            if (!trod_skeletons_is_exempt(&m->s, callee))
                continue;
            any = true;
            trod_skeletons_undecide(&m->s, callee, TROD_WHY_POINTER);
        }
    m->s.of[caller].pointed = m->s.of[caller].pointed || any;
    m->out->npointer += !m->s.of[caller].pointed;
}

static struct task *begin(struct merger *m, struct task task)
{
    task.nordered = m->s.nordered;
    trod_push(m->s.mem, m->task, m->ntask, m->room_task, task);
    return &m->task[m->ntask - 1];
}

static void begin_recorded(struct merger *m, uint32_t span)
{
    trod_spans_open(
        &m->s.to, m->s.out_of_new[m->s.later->span[span].function], TROD_SPAN_RECORDED);
    begin(m, (struct task){.kind = OF_RECORDED, .span = span});
}

static void begin_skeleton(
    struct merger *m, uint32_t skeleton, size_t supplier, bool owns)
{
    const struct trod_span *span = &m->s.to.span[skeleton];

    trod_spans_open(&m->s.to, span->function, span->how);
    begin(m, (struct task){.kind = OF_SKELETON,
                 .span = skeleton,
                 .supplier = supplier,
                 .owns_supplier = owns});
}

/* Begin a skeleton whose holes are filled with the children of a recorded span. */
static void fill(struct merger *m, uint32_t skeleton, uint32_t recorded)
{
    trod_push(m->s.mem, m->supplier, m->nsupplier, m->room_supplier,
        (struct supplier){.span = recorded});
    begin_skeleton(m, skeleton, m->nsupplier - 1, true);
}

static uint32_t supply(const struct merger *m, struct supplier *s)
{
    const struct trod_span *span = &m->s.later->span[s->span];

    if (s->child < span->nchild && s->ndone == span->child[s->child].count) {
        s->child++;
        s->ndone = 0;
    }
    if (s->child == span->nchild)
        return TROD_NONE;
    s->ndone++;
    return span->child[s->child].span;
}

/* Add a recorded span `count` times if its result does not depend on its position, otherwise once. Returns how many
 * were added.
 */
static uint64_t put_recorded(struct merger *m, uint32_t span, uint64_t count)
{
    if (m->done_of_new[span]) {
        trod_spans_add(&m->s.to, m->done_of_new[span] - 1, count);
        return count;
    }
    begin_recorded(m, span);
    return 1;
}

/* Add a call of a function that was not recorded. Returns how many of `count` were added. */
static uint64_t put_outside(
    struct merger *m, uint32_t caller, uint32_t span, uint64_t count)
{
    uint32_t function = m->s.out_of_new[m->s.later->span[span].function];
    uint64_t nordered = m->s.nordered;
    uint32_t skeleton;

    if (m->done_of_new[span])
        return put_recorded(m, span, count);
    if (!trod_skeletons_is_exempt(&m->s, function)) {
        if (strcmp(m->s.to.function.name[function], "*") == 0)
            undecide_pointer_callees(m, caller);
        if (!m->s.later->span[span].nchild)
            return count;
        begin(m, (struct task){.kind = OF_SPLICED, .span = span});
        return 1;
    }
    skeleton = trod_skeletons_choose(&m->s, function, span);
    if (skeleton != TROD_NONE && !m->s.skeleton[skeleton].holes.n) {
        uint64_t n = m->s.of[function].ordered ? 1 : count;

        trod_spans_add(&m->s.to, skeleton, n);
        return n;
    }
    if (skeleton == TROD_NONE) {
        trod_spans_open(&m->s.to, function, TROD_SPAN_UNKNOWN);
        begin(m, (struct task){.kind = OF_UNKNOWN, .span = span});
    } else {
        fill(m, skeleton, span);
    }
    m->task[m->ntask - 1].nordered = nordered;
    return 1;
}

/* Fill consecutive holes. Returns how many were filled. */
static uint64_t put_holes(
    struct merger *m, const struct task *t, uint32_t hole, uint64_t count)
{
    struct supplier *s = &m->supplier[t->supplier];
    uint32_t span = supply(m, s);

    if (span == TROD_NONE ||
        m->s.out_of_new[m->s.later->span[span].function] != m->s.to.span[hole].function)
        trod_skeletons_undecide(&m->s, m->s.to.span[t->span].function, TROD_WHY_HOLES);
    if (span == TROD_NONE)
        return count;
    if (m->done_of_new[span]) {
        uint64_t left = m->s.later->span[s->span].child[s->child].count - s->ndone;
        uint64_t more = left < count - 1 ? left : count - 1;

        s->ndone += more;
        return put_recorded(m, span, 1 + more);
    }
    return put_recorded(m, span, 1);
}

/* Process the next child of a task. Returns false if there is none. */
static bool advance(struct merger *m, size_t at)
{
    struct task *t = &m->task[at];
    bool of_old = t->kind == OF_SKELETON;
    const struct trod_span *span =
        of_old ? &m->s.to.span[t->span] : &m->s.later->span[t->span];
    struct trod_span_child child;
    uint64_t n, left;

    if (t->child < span->nchild && t->ndone == span->child[t->child].count) {
        t->child++;
        t->ndone = 0;
    }
    if (t->child == span->nchild)
        return false;
    child = span->child[t->child];
    left = child.count - t->ndone;
    if (!of_old && m->s.later->span[child.span].how == TROD_SPAN_OUTSIDE) {
        n = put_outside(m, m->s.out_of_new[span->function], child.span, left);
    } else if (!of_old) {
        n = put_recorded(m, child.span, left);
    } else if (!m->s.skeleton[child.span].holes.n) {
        trod_spans_add(&m->s.to, child.span, left);
        n = left;
    } else {
        n = 1;
        if (m->s.to.span[child.span].how == TROD_SPAN_HOLE)
            n = put_holes(m, t, child.span, left);
        else
            begin_skeleton(m, child.span, t->supplier, false);
    }
    m->task[at].ndone += n;
    return true;
}

static void finish(struct merger *m)
{
    struct task t = m->task[--m->ntask];
    uint32_t span, of = t.owns_supplier ? m->supplier[t.supplier].span : t.span;

    m->nsupplier -= t.owns_supplier;
    if (t.kind == OF_SPLICED)
        return;
    span = trod_spans_close(&m->s.to);
    if ((t.kind != OF_SKELETON || t.owns_supplier) && t.nordered == m->s.nordered)
        m->done_of_new[of] = span + 1;
    if (m->s.to.nopen)
        trod_spans_add(&m->s.to, span, 1);
    else
        m->result = span;
}

static void run(struct merger *m)
{
    while (m->ntask)
        if (!advance(m, m->ntask - 1))
            finish(m);
}

/* --- threads ------------------------------------------------------------------------------------------------------ */

/* Does the root of a thread call functions that were not recorded? */
static bool has_exempt_begin(struct merger *m, uint32_t root, bool undecided)
{
    const struct trod_span *span = &m->s.to.span[root];
    bool any = false;

    for (uint32_t i = 0; i < span->nchild; i++) {
        const struct trod_span *child = &m->s.to.span[span->child[i].span];

        if (child->how == TROD_SPAN_HOLE)
            continue;
        any = true;
        if (undecided)
            trod_skeletons_undecide(&m->s, child->function, TROD_WHY_THREAD);
    }
    return any;
}

static void merge_both(struct merger *m, uint32_t old, uint32_t new)
{
    uint32_t root = m->s.later->root_of_thread[new];
    uint32_t skeleton = m->s.skeleton_of_old[m->s.old->root_of_thread[old]];

    trod_skeletons_thread(&m->s, old, new);
    if (!has_exempt_begin(m, skeleton, false)) {
        begin_recorded(m, root);
    } else if (trod_skeletons_fit(&m->s, skeleton, root)) {
        fill(m, skeleton, root);
    } else {
        has_exempt_begin(m, skeleton, true);
        begin_recorded(m, root);
    }
    run(m);
}

static void merge_old(struct merger *m, uint32_t old)
{
    m->result = m->s.skeleton_of_old[m->s.old->root_of_thread[old]];
    if (!m->s.skeleton[m->result].holes.n)
        return;
    has_exempt_begin(m, m->result, true);
    trod_spans_open(&m->s.to, m->s.to.span[m->result].function, TROD_SPAN_RECORDED);
    m->result = trod_spans_close(&m->s.to);
}

static void merge_threads(struct merger *m)
{
    uint32_t i = 0, j = 0;
    size_t size = m->s.later->nspan * sizeof *m->done_of_new;

    while (i < m->s.old->nthread || j < m->s.later->nthread) {
        uint32_t a = i < m->s.old->nthread ? m->s.old->number_of_thread[i] : UINT32_MAX;
        uint32_t b =
            j < m->s.later->nthread ? m->s.later->number_of_thread[j] : UINT32_MAX;
        bool has_old = i < m->s.old->nthread && a <= b;
        bool has_new = j < m->s.later->nthread && b <= a;

        /* The result of a span may differ between threads. */
        if (size)
            memset(m->done_of_new, 0, size);
        if (has_old && has_new) {
            merge_both(m, i, j);
        } else if (has_old) {
            merge_old(m, i);
        } else {
            trod_skeletons_thread(&m->s, TROD_NONE, j);
            begin_recorded(m, m->s.later->root_of_thread[j]);
            run(m);
        }
        trod_spans_thread(&m->s.to, has_old ? a : b, m->result);
        i += has_old;
        j += has_new;
    }
}

/* --- removing unused spans ---------------------------------------------------------------------------------------- */

/* Keep only spans that threads reach; unused skeletons are dropped. */
static void clean(struct merger *m)
{
    bool *used = trod_new(m->s.mem, bool, m->s.to.nspan);
    uint32_t *number = trod_new(m->s.mem, uint32_t, m->s.to.nspan);
    struct trod_spans out;

    trod_spans_init(&out, m->s.mem);
    for (uint32_t t = 0; t < m->s.to.nthread; t++)
        used[m->s.to.root_of_thread[t]] = true;
    for (uint32_t s = m->s.to.nspan; s-- > 0;)
        for (uint32_t i = 0; used[s] && i < m->s.to.span[s].nchild; i++)
            used[m->s.to.span[s].child[i].span] = true;
    for (uint32_t s = 0; s < m->s.to.nspan; s++) {
        const struct trod_span *span = &m->s.to.span[s];

        if (!used[s])
            continue;
        trod_spans_open(&out,
            trod_names_add(&out.function, m->s.to.function.name[span->function]),
            span->how);
        for (uint32_t i = 0; i < span->nchild; i++)
            trod_spans_add(&out, number[span->child[i].span], span->child[i].count);
        number[s] = trod_spans_close(&out);
    }
    for (uint32_t t = 0; t < m->s.to.nthread; t++)
        trod_spans_thread(
            &out, m->s.to.number_of_thread[t], number[m->s.to.root_of_thread[t]]);
    trod_spans_build(&m->out->sequence, &out, m->s.later->name);
}

static int compare(const void *a, const void *b)
{
    return strcmp(((const struct trod_undecided *)a)->function,
        ((const struct trod_undecided *)b)->function);
}

static void note_undecided(struct merger *m)
{
    struct trod_call_sequence_merged *out = m->out;

    out->undecided = trod_new(m->s.mem, struct trod_undecided, m->s.to.function.count);
    for (uint32_t f = 0; f < m->s.to.function.count; f++)
        if (m->s.of[f].undecided &&
            strcmp(m->s.to.function.name[f], TROD_SPAN_THREAD) != 0)
            out->undecided[out->nundecided++] =
                (struct trod_undecided){m->s.to.function.name[f], m->s.of[f].why};
    trod_sort(out->undecided, out->nundecided, compare);
}

void trod_call_sequence_merge(struct trod_call_sequence_merged *out,
    const struct trod_call_sequence *old, const struct trod_call_sequence *recorded,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem)
{
    struct merger m = {.out = out};

    *out = (struct trod_call_sequence_merged){0};
    trod_skeletons_init(&m.s, old, recorded, what, ctx, mem);
    m.done_of_new = trod_new(mem, uint32_t, recorded->nspan);
    merge_threads(&m);
    clean(&m);
    note_undecided(&m);
}

const char *trod_call_sequence_why_name(enum trod_call_sequence_why why)
{
    static const char *const words[] = {
        [TROD_WHY_NEW] = "it did not run before",
        [TROD_WHY_HOLES] = "it does not call what it called before",
        [TROD_WHY_SEVERAL] =
            "its calls differed before, and its arguments may have changed",
        [TROD_WHY_NUMBER] =
            "its calls differed before, and it is called another number of times",
        [TROD_WHY_LONG] =
            "its calls differed before, and there are too many of them to match by order",
        [TROD_WHY_POINTER] = "it may have been called through a pointer",
        [TROD_WHY_THREAD] = "its thread does not call what it called before",
    };

    return words[why];
}
