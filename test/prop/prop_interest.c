/* The automaton of the paths of interest accepts exactly these, and is minimal. */
#include "prop/sample.h"

static const struct sample_options small = {.max_interest = 14};

/* --- what it accepts -------------------------------------------------------------- */

struct accepted {
    const struct trod_interest *in;
    const struct sample_paths *all;
    trod_edge *stack;
    uint32_t depth;
    size_t count; /* accepted so far */
    bool ok;
};

/* Follow all arcs from a state; returns how many paths that gave. The accepted paths
 * must be those of interest, in the order of their ids.
 */
static uint64_t accept(struct accepted *a, uint32_t state)
{
    const struct trod_interest *in = a->in;
    const struct trod_graph *g = &in->ballarus->dag->shape;
    uint64_t n = 0;

    if (in->node_of_state[state] == in->ballarus->dag->exit) {
        a->ok = a->ok && in->first_arc[state] == in->first_arc[state + 1] &&
                a->count < in->paths.count &&
                sample_same_steps(
                    a->all, (uint32_t)in->paths.id[a->count], a->stack, a->depth);
        a->count++;
        return 1;
    }
    for (uint32_t i = in->first_arc[state]; a->ok && i < in->first_arc[state + 1];
        i++) {
        trod_edge e = in->edge_of_arc[i];

        a->ok = in->state_of_arc[i] < state &&
                g->src_of_edge[e] == in->node_of_state[state] &&
                g->dst_of_edge[e] == in->node_of_state[in->state_of_arc[i]] &&
                (i == in->first_arc[state] || in->edge_of_arc[i - 1] < e);
        a->stack[a->depth++] = e;
        if (a->ok)
            n += accept(a, in->state_of_arc[i]);
        a->depth--;
    }
    a->ok = a->ok && n == in->npath_of_state[state];
    return n;
}

static bool accepts_just_these(
    struct sample *s, const struct sample_paths *all, const struct trod_interest *in)
{
    struct accepted a = {.in = in, .all = all, .ok = true};
    uint32_t root = in->nstate - 1;

    a.stack = trod_new(&s->mem, trod_edge, s->view.dag.shape.nnode);
    if (!in->paths.count)
        return in->narc == 0;
    accept(&a, root);
    return a.ok && a.count == in->paths.count &&
           in->node_of_state[root] == s->view.dag.shape.entry;
}

static bool edges_are_theirs(const struct sample *s, const struct sample_paths *all,
    const struct trod_interest *in)
{
    for (trod_edge e = 0; e < s->view.dag.shape.nedge; e++) {
        bool on_path = false;

        for (size_t k = 0; k < in->paths.count; k++) {
            uint32_t i = (uint32_t)in->paths.id[k];

            for (uint32_t j = all->first[i]; j < all->first[i + 1]; j++)
                on_path = on_path || all->step[j] == e;
        }
        if (on_path != trod_has(in->edges, e))
            return false;
    }
    return true;
}

/* The planted fault: one arc leads to another state of the same node. */
static void lead_astray(
    struct trod_interest *in, struct kit_prop *p, struct trod_arena *mem)
{
    uint32_t *state = trod_new(mem, uint32_t, in->narc);
    uint32_t i = (uint32_t)kit_draw(p, in->narc + 1);

    if (i == in->narc)
        return;
    memcpy(state, in->state_of_arc, in->narc * sizeof *state);
    for (uint32_t t = 0; t < in->nstate; t++)
        if (t != state[i] && in->node_of_state[t] == in->node_of_state[state[i]])
            state[i] = t;
    in->state_of_arc = state;
}

static bool accepts(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    struct sample_paths all;
    bool ok = sample_build(&s, &small, p);

    if (ok) {
        sample_paths(&all, &s.view.dag, &s.mem);
        if (*planted)
            lead_astray(&s.in, p, &s.mem);
        ok = (accepts_just_these(&s, &all, &s.in) &&
                 edges_are_theirs(&s, &all, &s.in)) ||
             sample_fail(p, &s, NULL);
    }
    return sample_free(&s, ok);
}

/* --- how many states there must be ------------------------------------------------ */

/* A prefix of a path of interest: its first `length` edges. The paths that begin with
 * it are neighbours in the order of ids.
 */
struct prefix {
    size_t path;
    uint32_t length;
};

static const trod_edge *steps(
    const struct sample *s, const struct sample_paths *all, size_t path, uint32_t *n)
{
    uint32_t i = (uint32_t)s->paths.id[path];

    *n = all->first[i + 1] - all->first[i];
    return all->step + all->first[i];
}

static bool begins_with(const struct sample *s, const struct sample_paths *all,
    size_t path, const struct prefix *prefix)
{
    uint32_t n, m;
    const trod_edge *a = steps(s, all, path, &n), *b = steps(s, all, prefix->path, &m);

    return n >= prefix->length && memcmp(a, b, prefix->length * sizeof *a) == 0;
}

/* May the same follow on both? Futures are compared in order, one by one. */
static bool same_future(const struct sample *s, const struct sample_paths *all,
    const struct prefix *x, const struct prefix *y)
{
    size_t i = x->path, j = y->path, count = s->paths.count;

    for (;; i++, j++) {
        bool more_x = i < count && begins_with(s, all, i, x);
        bool more_y = j < count && begins_with(s, all, j, y);
        uint32_t n, m;
        const trod_edge *a, *b;

        if (!more_x || !more_y)
            return more_x == more_y;
        a = steps(s, all, i, &n);
        b = steps(s, all, j, &m);
        if (n - x->length != m - y->length ||
            memcmp(a + x->length, b + y->length, (n - x->length) * sizeof *a) != 0)
            return false;
    }
}

static uint32_t distinct_futures(
    const struct sample *s, const struct sample_paths *all, struct trod_arena *mem)
{
    struct prefix *prefix = trod_new(
        mem, struct prefix, s->paths.count * (s->view.dag.nreach + (size_t)1) + 1);
    uint32_t n = 0, length;

    for (size_t path = 0; path < s->paths.count; path++) {
        steps(s, all, path, &length);
        for (uint32_t k = 0; k <= length; k++) {
            struct prefix next = {path, k};
            bool known = path > 0 && begins_with(s, all, path - 1, &next);

            /* All paths end in EXIT, so equal futures imply equal nodes, but for the
             * empty one, which is EXIT's.
             */
            for (uint32_t i = 0; !known && i < n; i++)
                known = same_future(s, all, &prefix[i], &next);
            if (!known)
                prefix[n++] = next;
        }
    }
    return n;
}

static bool smallest(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    struct sample_paths all;
    bool ok = sample_build(&s, &small, p);

    if (ok && s.paths.count) {
        uint32_t want;

        sample_paths(&all, &s.view.dag, &s.mem);
        want = distinct_futures(&s, &all, &s.mem);
        if (*planted) { /* a tree of prefixes, nothing merged but the ends */
            want = 1;
            for (size_t path = 0; path < s.paths.count; path++) {
                uint32_t length;

                steps(&s, &all, path, &length);
                for (uint32_t k = 0; k < length; k++)
                    want += path == 0 ||
                            !begins_with(&s, &all, path - 1, &(struct prefix){path, k});
            }
        }
        ok = s.in.nstate == want;
        if (!ok) {
            kit_note(p, "%u states, want %u", s.in.nstate, want);
            sample_fail(p, &s, NULL);
        }
    }
    return sample_free(&s, ok);
}

/* --- pathsets --------------------------------------------------------------------- */

static bool sets_are_sorted(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    trod_path id[12];
    size_t count = (size_t)kit_draw(p, 13);
    bool ok = true;

    sample_init(&s);
    for (size_t i = 0; i < count; i++) {
        id[i] = kit_draw(p, 8);
        if (id[i] == 7)
            id[i] = kit_draw(p, TROD_PATH_MAX);
        kit_note(p, "id %" PRIu64, id[i]);
    }
    trod_pathset_build(&s.paths, id, count, &s.mem);
    for (size_t i = 1; i < s.paths.count; i++)
        ok = ok && s.paths.id[i - 1] < s.paths.id[i];
    for (size_t i = 0; i < count; i++)
        ok = ok && sample_wanted(&s, id[i]);
    for (size_t i = 0; i < s.paths.count; i++) {
        bool given = false;

        for (size_t j = 0; j < count; j++)
            given = given || id[j] == s.paths.id[i];
        ok = ok && given;
    }
    ok = ok && !(*planted && s.paths.count != count);
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;

static void test_accepts(void **state)
{
    (void)state;
    kit_check("accepts the paths of interest and no other", accepts, &sound);
    kit_check_planted("an arc led astray", accepts, &faulty);
}

static void test_smallest(void **state)
{
    (void)state;
    kit_check("one state for each future", smallest, &sound);
    kit_check_planted("one state for each prefix", smallest, &faulty);
}

static void test_pathset(void **state)
{
    (void)state;
    kit_check("sets ascend without doubles", sets_are_sorted, &sound);
    kit_check_planted("doubles stay", sets_are_sorted, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accepts),
        cmocka_unit_test(test_smallest),
        cmocka_unit_test(test_pathset),
    };

    return cmocka_run_group_tests_name("interest", tests, NULL, NULL);
}
