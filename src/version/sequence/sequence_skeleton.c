#include "sequence/skeleton.h"

#include <string.h>

/* Limit of the number of calls that are listed one by one to find the k-th. */
enum { MOST_LISTED = 1 << 24 };

static const struct trod_sequence_hash empty_sequence = {0, 0, 1};

/* --- hashes of function sequences ----------------------------------------------------------------------- */

static struct trod_sequence_hash single_call(uint32_t function)
{
    return (struct trod_sequence_hash){
        1, trod_mix(3, function), UINT64_C(0x9e3779b97f4a7c15)};
}

static struct trod_sequence_hash join(
    struct trod_sequence_hash a, struct trod_sequence_hash b)
{
    return (struct trod_sequence_hash){
        trod_sat_add(a.n, b.n), a.hash * b.power + b.hash, a.power * b.power};
}

static struct trod_sequence_hash repeat(
    struct trod_sequence_hash sequence, uint64_t count)
{
    struct trod_sequence_hash out = empty_sequence;

    for (; count; count /= 2, sequence = join(sequence, sequence))
        if (count % 2)
            out = join(out, sequence);
    return out;
}

static bool is_same_sequence(struct trod_sequence_hash a, struct trod_sequence_hash b)
{
    return a.n == b.n && a.hash == b.hash;
}

/* --- functions -------------------------------------------------------------------------------------------- */

static bool is_affected(const struct trod_skeletons *m, uint32_t function)
{
    return m->of[function].what == TROD_CALLEE_AFFECTED;
}

bool trod_skeletons_is_exempt(const struct trod_skeletons *m, uint32_t function)
{
    return m->of[function].what == TROD_CALLEE_EXEMPT ||
           m->of[function].what == TROD_CALLEE_SHIFTY;
}

static uint32_t *add_names(struct trod_skeletons *m, const struct trod_names *names)
{
    uint32_t *out = trod_new(m->mem, uint32_t, names->count);

    for (uint32_t f = 0; f < names->count; f++)
        out[f] = trod_names_add(&m->to.function, names->name[f]);
    return out;
}

static void know_functions(struct trod_skeletons *m,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx)
{
    m->out_of_old = add_names(m, &m->old->function);
    m->out_of_new = add_names(m, &m->later->function);
    m->of = trod_new(m->mem, struct trod_skeleton_function, m->to.function.count);
    for (uint32_t f = 0; f < m->to.function.count; f++) {
        const char *name = m->to.function.name[f];

        m->of[f].first = TROD_NONE;
        m->of[f].what = strcmp(name, TROD_SPAN_THREAD) == 0 ? TROD_CALLEE_EXEMPT
                        : strcmp(name, "*") == 0            ? TROD_CALLEE_FOREIGN
                                                            : what(name, ctx);
    }
    /* A function that ran in the old version belongs to the program, even if the new version does not have it. */
    for (uint32_t f = 0; f < m->old->function.count; f++) {
        struct trod_skeleton_function *of = &m->of[m->out_of_old[f]];

        if (of->what == TROD_CALLEE_FOREIGN)
            of->what = TROD_CALLEE_EXEMPT;
    }
}

void trod_skeletons_undecide(
    struct trod_skeletons *m, uint32_t function, enum trod_call_sequence_why why)
{
    struct trod_skeleton_function *of = &m->of[function];

    if (!of->undecided)
        of->why = why;
    of->undecided = true;
}

/* --- skeletons -------------------------------------------------------------------------------------------- */

static uint32_t make_skeleton(struct trod_skeletons *m, const struct trod_span *span)
{
    uint32_t function = m->out_of_old[span->function];

    if (is_affected(m, function)) {
        trod_spans_open(&m->to, function, TROD_SPAN_HOLE);
    } else {
        trod_spans_open(&m->to, function,
            strcmp(m->to.function.name[function], TROD_SPAN_THREAD) != 0
                ? TROD_SPAN_REUSED
                : TROD_SPAN_RECORDED);
        for (uint32_t i = 0; i < span->nchild; i++)
            trod_spans_add(
                &m->to, m->skeleton_of_old[span->child[i].span], span->child[i].count);
    }
    return trod_spans_close(&m->to);
}

static struct trod_sequence_hash holes_of(
    const struct trod_skeletons *m, uint32_t skeleton)
{
    const struct trod_span *span = &m->to.span[skeleton];
    struct trod_sequence_hash holes = empty_sequence;

    if (span->how == TROD_SPAN_HOLE)
        return single_call(span->function);
    for (uint32_t i = 0; i < span->nchild; i++)
        holes = join(holes,
            repeat(m->skeleton[span->child[i].span].holes, span->child[i].count));
    return holes;
}

/* List the skeletons of exempt functions, each once. */
static void list_skeletons(struct trod_skeletons *m)
{
    for (uint32_t s = 0; s < m->old->nspan; s++) {
        uint32_t k = m->skeleton_of_old[s];
        struct trod_skeleton_function *of = &m->of[m->to.span[k].function];

        if (m->skeleton[k].listed || m->to.span[k].how != TROD_SPAN_REUSED)
            continue;
        m->skeleton[k].listed = true;
        m->skeleton[k].next = of->first;
        of->several = of->first != TROD_NONE;
        of->first = k;
    }
}

static void make_skeletons(struct trod_skeletons *m)
{
    m->skeleton_of_old = trod_new(m->mem, uint32_t, m->old->nspan);
    for (uint32_t s = 0; s < m->old->nspan; s++)
        m->skeleton_of_old[s] = make_skeleton(m, &m->old->span[s]);
    m->skeleton = trod_new(m->mem, struct trod_skeleton, m->to.nspan);
    for (uint32_t k = 0; k < m->to.nspan; k++)
        m->skeleton[k] = (struct trod_skeleton){holes_of(m, k), false, TROD_NONE};
    list_skeletons(m);
}

/* --- the k-th call gets the k-th skeleton -------------------------------------------------------------------- */

/* Does the position of a call matter? It does if an affected function calls an exempt one with several skeletons. */
static bool matters(const struct trod_skeletons *m, uint32_t caller, uint32_t callee)
{
    return is_affected(m, caller) && trod_skeletons_is_exempt(m, callee) &&
           m->of[callee].several;
}

static void count_new(struct trod_skeletons *m, uint32_t thread)
{
    uint64_t *count = trod_new(m->mem, uint64_t, m->later->nspan);

    trod_call_sequence_count(count, m->later, thread);
    for (uint32_t s = 0; s < m->later->nspan; s++) {
        struct trod_skeleton_function *of =
            &m->of[m->out_of_new[m->later->span[s].function]];

        if (m->later->span[s].how == TROD_SPAN_OUTSIDE)
            of->nnew = trod_sat_add(of->nnew, count[s]);
    }
}

struct walk {
    struct cursor {
        uint32_t span, child;
        uint64_t ndone;
    } *at;
    size_t nat, room;
};

static void list_call(struct trod_skeletons *m, uint32_t function, uint32_t skeleton)
{
    struct trod_skeleton_function *of = &m->of[function];

    trod_push(m->mem, of->order, of->norder, of->room_order, skeleton);
    of->nold++;
}

/* Visit all old spans that contain such calls, in call order. */
static void walk_old(struct trod_skeletons *m, uint32_t root, const bool *wanted)
{
    struct walk w = {0};

    trod_push(m->mem, w.at, w.nat, w.room, (struct cursor){.span = root});
    while (w.nat) {
        struct cursor *at = &w.at[w.nat - 1];
        const struct trod_span *span = &m->old->span[at->span];
        uint32_t child, callee;

        if (at->child < span->nchild && at->ndone == span->child[at->child].count) {
            at->child++;
            at->ndone = 0;
        }
        if (at->child == span->nchild) {
            w.nat--;
            continue;
        }
        at->ndone++;
        child = span->child[at->child].span;
        callee = m->out_of_old[m->old->span[child].function];
        if (matters(m, m->out_of_old[span->function], callee))
            list_call(m, callee, m->skeleton_of_old[child]);
        if (!wanted[child])
            continue;
        trod_push(m->mem, w.at, w.nat, w.room, (struct cursor){.span = child});
    }
}

static void list_old(struct trod_skeletons *m, uint32_t thread)
{
    bool *wanted = trod_new(m->mem, bool, m->old->nspan);
    uint64_t *count = trod_new(m->mem, uint64_t, m->old->nspan), visits = 0;

    trod_call_sequence_count(count, m->old, thread);
    for (uint32_t s = 0; s < m->old->nspan; s++) {
        const struct trod_span *span = &m->old->span[s];

        for (uint32_t i = 0; i < span->nchild; i++) {
            uint32_t child = span->child[i].span;

            wanted[s] = wanted[s] || wanted[child] ||
                        matters(m, m->out_of_old[span->function],
                            m->out_of_old[m->old->span[child].function]);
        }
        for (uint32_t i = 0; wanted[s] && i < span->nchild; i++)
            visits = trod_sat_add(visits, trod_sat_mul(count[s], span->child[i].count));
    }
    m->too_long = visits > MOST_LISTED;
    if (wanted[m->old->root_of_thread[thread]] && !m->too_long)
        walk_old(m, m->old->root_of_thread[thread], wanted);
}

/* --- which skeleton -------------------------------------------------------------------------------------------- */

static struct trod_sequence_hash callees_of(
    const struct trod_skeletons *m, uint32_t recorded)
{
    const struct trod_span *span = &m->later->span[recorded];
    struct trod_sequence_hash sequence = empty_sequence;

    for (uint32_t i = 0; i < span->nchild; i++) {
        const struct trod_span *child = &m->later->span[span->child[i].span];

        sequence = join(sequence,
            repeat(single_call(m->out_of_new[child->function]), span->child[i].count));
    }
    return sequence;
}

static uint32_t fail_choice(
    struct trod_skeletons *m, uint32_t function, enum trod_call_sequence_why why)
{
    trod_skeletons_undecide(m, function, why);
    return TROD_NONE;
}

/* The skeleton of the call at the same position in the old sequence. */
static uint32_t choose_by_place(struct trod_skeletons *m, uint32_t function,
    uint64_t place, struct trod_sequence_hash sequence)
{
    const struct trod_skeleton_function *of = &m->of[function];

    if (of->what == TROD_CALLEE_SHIFTY)
        return fail_choice(m, function, TROD_WHY_SEVERAL);
    if (m->too_long)
        return fail_choice(m, function, TROD_WHY_LONG);
    if (of->nold != of->nnew || place >= of->norder)
        return fail_choice(m, function, TROD_WHY_NUMBER);
    if (!is_same_sequence(m->skeleton[of->order[place]].holes, sequence))
        return fail_choice(m, function, TROD_WHY_HOLES);
    return of->order[place];
}

uint32_t trod_skeletons_choose(
    struct trod_skeletons *m, uint32_t function, uint32_t recorded)
{
    struct trod_skeleton_function *of = &m->of[function];
    struct trod_sequence_hash sequence = callees_of(m, recorded);
    uint64_t place = of->nseen;
    uint32_t found = TROD_NONE;

    if (of->ordered) {
        of->nseen++;
        m->nordered++;
    }
    for (uint32_t k = of->first; k != TROD_NONE; k = m->skeleton[k].next) {
        if (!is_same_sequence(m->skeleton[k].holes, sequence))
            continue;
        if (found != TROD_NONE)
            return choose_by_place(m, function, place, sequence);
        found = k;
    }
    if (found == TROD_NONE)
        return fail_choice(
            m, function, of->first == TROD_NONE ? TROD_WHY_NEW : TROD_WHY_HOLES);
    return found;
}

bool trod_skeletons_fit(
    const struct trod_skeletons *m, uint32_t skeleton, uint32_t recorded)
{
    return is_same_sequence(m->skeleton[skeleton].holes, callees_of(m, recorded));
}

/* --- the interface ---------------------------------------------------------------------------------------------- */

void trod_skeletons_init(struct trod_skeletons *out,
    const struct trod_call_sequence *old, const struct trod_call_sequence *recorded,
    enum trod_call_sequence_what (*what)(const char *function, void *ctx), void *ctx,
    struct trod_arena *mem)
{
    *out = (struct trod_skeletons){.mem = mem, .old = old, .later = recorded};
    trod_spans_init(&out->to, mem);
    know_functions(out, what, ctx);
    make_skeletons(out);
}

void trod_skeletons_thread(struct trod_skeletons *m, uint32_t old, uint32_t recorded)
{
    for (uint32_t f = 0; f < m->to.function.count; f++) {
        struct trod_skeleton_function *of = &m->of[f];

        of->nold = of->nnew = of->nseen = 0;
        of->norder = 0;
    }
    if (old != TROD_NONE)
        list_old(m, old);
    count_new(m, recorded);
    for (uint32_t f = 0; f < m->to.function.count; f++)
        m->of[f].ordered = m->of[f].several && m->of[f].what == TROD_CALLEE_EXEMPT &&
                           !m->too_long && m->of[f].nold == m->of[f].nnew;
}
