/* Ball-Larus ids are a bijection between the paths of a DAG and 0..npath-1. */
#include "prop/sample.h"

static const struct sample_options small = {0};

/* All paths, one by one, against the ids that the library gives them. */
static bool ids_are_dense(struct sample *s, const struct trod_numbering *n)
{
    struct sample_paths all;
    uint32_t *path_of_id;
    trod_edge *step = trod_new(&s->mem, trod_edge, s->view.dag.nreach);

    sample_paths(&all, &s->view.dag, &s->mem);
    if (all.count != n->npath || n->min != 0 || n->max != (int64_t)all.count - 1)
        return false;
    path_of_id = trod_new(&s->mem, uint32_t, all.count);
    for (uint32_t i = 0; i < all.count; i++) {
        int64_t id = sample_sum(&all, i, n->val_of_edge);

        if (id < 0 || id >= (int64_t)all.count || path_of_id[id])
            return false;
        path_of_id[id] = i + 1;
    }
    for (uint32_t id = 0; id < all.count; id++) {
        uint32_t nstep = trod_number_decode(step, n, id);

        if (!sample_same_steps(&all, path_of_id[id] - 1, step, nstep) ||
            trod_number_sum(n, step, nstep) != (int64_t)id)
            return false;
    }
    return true;
}

static bool bijection(struct kit_prop *p, void *ctx)
{
    struct sample s;
    bool ok = sample_build(&s, &small, p);

    (void)ctx;
    ok = ok && (ids_are_dense(&s, &s.bl) || sample_fail(p, &s, NULL));
    return sample_free(&s, ok);
}

/* The planted fault: one value is one too high. Decoding would assert, so only the sums
 * are looked at.
 */
static bool bijection_corrupted(struct kit_prop *p, void *ctx)
{
    struct sample s;
    struct sample_paths all;
    struct trod_numbering n;
    uint64_t *seen;
    bool ok = sample_build(&s, &small, p);

    (void)ctx;
    n = s.bl;
    sample_corrupt(&n, p, 1, &s.mem);
    sample_paths(&all, &s.view.dag, &s.mem);
    seen = trod_new(&s.mem, uint64_t, TROD_WORDS(all.count + 1));
    for (uint32_t i = 0; ok && i < all.count; i++) {
        uint32_t id = (uint32_t)sample_sum(&all, i, n.val_of_edge);

        ok = id < all.count && !trod_has(seen, id);
        if (ok)
            trod_add(seen, id);
    }
    return sample_free(&s, ok || sample_fail(p, &s, &n));
}

/* --- the order of paths ----------------------------------------------------------- */

struct visit {
    const struct sample_paths *all;
    const struct trod_numbering *bl;
    uint64_t next, stop;
    bool ok;
};

static bool visit(void *ctx, const trod_edge *step, uint32_t nstep)
{
    struct visit *v = ctx;

    v->ok = v->ok && v->next < v->all->count &&
            sample_same_steps(v->all, (uint32_t)v->next, step, nstep) &&
            trod_number_sum(v->bl, step, nstep) == (int64_t)v->next;
    return ++v->next != v->stop;
}

/* trod_number_each visits ids in order, stops if the callback returns false, and returns that. */
static bool each_in_order(struct kit_prop *p, void *ctx)
{
    struct sample s;
    struct sample_paths all;
    bool ok = sample_build(&s, &small, p);

    (void)ctx;
    if (ok) {
        struct visit v = {.all = &all, .bl = &s.bl, .ok = true};
        uint64_t most = kit_draw(p, s.bl.npath + 2), want = most, seen;

        v.stop = kit_draw(p, s.bl.npath + 2);
        if (v.stop && v.stop < want)
            want = v.stop;
        if (s.bl.npath < want)
            want = s.bl.npath;
        sample_paths(&all, &s.view.dag, &s.mem);
        seen = trod_number_each(&s.view.dag, most, visit, &v, &s.mem);
        ok = v.ok && seen == want && v.next == want;
        if (!ok) {
            kit_note(p, "most %" PRIu64 ", stop %" PRIu64 ": saw %" PRIu64, most,
                v.stop, seen);
            sample_fail(p, &s, NULL);
        }
    }
    return sample_free(&s, ok);
}

/* Planted: the paths as they would come from the last successor to the first. */
static bool each_in_reverse(struct kit_prop *p, void *ctx)
{
    struct sample s;
    struct sample_paths all;
    bool ok = sample_build(&s, &small, p);

    (void)ctx;
    sample_paths(&all, &s.view.dag, &s.mem);
    for (uint32_t i = 0; ok && i < all.count; i++)
        ok = sample_sum(&all, i, s.bl.val_of_edge) == (int64_t)(all.count - 1 - i);
    return sample_free(&s, ok || sample_fail(p, &s, NULL));
}

/* --- counts and lengths ----------------------------------------------------------- */

static uint64_t paths_between(const struct trod_dag *dag, trod_node from, trod_node to)
{
    const struct trod_graph *g = &dag->shape;
    uint64_t n = from == to;

    for (trod_edge e = g->first_out[from]; from != to && e < g->first_out[from + 1];
        e++)
        n += paths_between(dag, g->dst_of_edge[e], to);
    return n;
}

static bool counts_of(struct sample *s, const uint64_t *down, const uint64_t *up)
{
    const struct trod_dag *dag = &s->view.dag;

    for (trod_node v = 0; v < dag->shape.nnode; v++) {
        uint64_t to_exit = paths_between(dag, v, dag->exit);

        if (down[v] != to_exit || up[v] != paths_between(dag, dag->shape.entry, v) ||
            s->bl.npath_of_node[v] != to_exit)
            return false;
    }
    return true;
}

static bool counts(struct kit_prop *p, void *ctx)
{
    const struct sample_options tiny = {.max_node = 7, .max_path = 60};
    const bool *planted = ctx;
    struct sample s;
    bool ok = sample_build(&s, &tiny, p);

    if (ok) {
        uint64_t *down = trod_new(&s.mem, uint64_t, s.view.dag.shape.nnode);
        uint64_t *up = trod_new(&s.mem, uint64_t, s.view.dag.shape.nnode);

        trod_dag_count(down, up, &s.view.dag);
        down[0] += *planted;
        ok = counts_of(&s, down, up) || sample_fail(p, &s, NULL);
    }
    return sample_free(&s, ok);
}

/* A path of n blocks has n + 1 edges in the DAG. */
static bool lengths(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    struct sample_paths all;
    struct trod_numbering length;
    bool ok = sample_build(&s, &small, p);
    int64_t min = INT64_MAX, max = 0;

    if (ok) {
        trod_number_length(&length, &s.view.dag, &s.mem);
        if (*planted)
            sample_corrupt(&length, p, 1, &s.mem);
        sample_paths(&all, &s.view.dag, &s.mem);
        for (uint32_t i = 0; ok && i < all.count; i++) {
            int64_t n = (int64_t)(all.first[i + 1] - all.first[i]) - 1;

            ok = sample_sum(&all, i, length.val_of_edge) == n;
            min = n < min ? n : min;
            max = n > max ? n : max;
        }
        ok = (ok && length.min == min && length.max == max) ||
             sample_fail(p, &s, &length);
    }
    return sample_free(&s, ok);
}

/* --- the library's own checks ----------------------------------------------------- */

static bool checks_agree(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_numbering n;
    struct sample s;
    bool ok = sample_build(&s, &small, p);

    n = s.bl;
    if (ok && *planted)
        sample_corrupt(&n, p, 1, &s.mem);
    ok = ok && trod_number_check(&n, &s.mem, &s.err) &&
         trod_number_check_all(&n, NULL, NULL, NULL, n.npath, &s.mem, &s.err);
    if (!ok) {
        kit_note(p, "%s", s.err.text);
        sample_fail(p, &s, &n);
    }
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;

static void test_bijection(void **state)
{
    (void)state;
    kit_check("ids are dense", bijection, NULL);
    kit_check_planted("ids with one value changed", bijection_corrupted, NULL);
}

static void test_each(void **state)
{
    (void)state;
    kit_check("paths come in the order of ids", each_in_order, NULL);
    kit_check_planted("paths come in reverse", each_in_reverse, NULL);
}

static void test_counts(void **state)
{
    (void)state;
    kit_check("paths to and from each node", counts, &sound);
    kit_check_planted("a path too many", counts, &faulty);
}

static void test_lengths(void **state)
{
    (void)state;
    kit_check("lengths are blocks", lengths, &sound);
    kit_check_planted("a block counted twice", lengths, &faulty);
}

static void test_checks(void **state)
{
    (void)state;
    kit_check("validators accept ballarus", checks_agree, &sound);
    kit_check_planted("validators see a changed value", checks_agree, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bijection),
        cmocka_unit_test(test_each),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_checks),
    };

    return cmocka_run_group_tests_name("ballarus", tests, NULL, NULL);
}
