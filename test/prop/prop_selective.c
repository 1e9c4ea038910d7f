/* Selective numbering: the sum of a path of interest is the sum of no other path. */
#include "prop/sample.h"

static const struct sample_options small = {.max_interest = 12};

/* The way a numbering is made, and what is done to it before it is looked at. */
struct way {
    enum { TROD, PAPER, PUBLISHED } maker;
    bool corrupt;
};

static bool make(struct trod_numbering *out, struct sample *s, const struct way *way)
{
    if (way->maker == TROD)
        return trod_number_selective(out, &s->in, &s->mem, &s->err);
    return trod_number_selective_paper(
        out, &s->in, way->maker == PUBLISHED, &s->mem, &s->err);
}

/* Two paths with one sum, at least one of interest; false if there are none. */
static bool find_clash(
    uint32_t clash[2], struct sample *s, const struct trod_numbering *n)
{
    struct sample_paths all;

    sample_paths(&all, &s->view.dag, &s->mem);
    for (size_t k = 0; k < s->paths.count; k++) {
        uint32_t wanted = (uint32_t)s->paths.id[k];
        int64_t sum = sample_sum(&all, wanted, n->val_of_edge);

        for (uint32_t i = 0; i < all.count; i++) {
            if (i != wanted && sample_sum(&all, i, n->val_of_edge) == sum) {
                clash[0] = wanted;
                clash[1] = i;
                return true;
            }
        }
    }
    return false;
}

static bool apart(struct kit_prop *p, void *ctx)
{
    const struct way *way = ctx;
    struct sample s;
    struct trod_numbering n;
    uint32_t clash[2];
    bool ok = sample_build(&s, &small, p) && make(&n, &s, way);

    if (ok && way->corrupt)
        sample_corrupt(&n, p, 0, &s.mem);
    if (ok && find_clash(clash, &s, &n)) {
        sample_note_path(p, &s, "one", clash[0]);
        sample_note_path(p, &s, "two", clash[1]);
        ok = sample_fail(p, &s, &n);
    }
    return sample_free(&s, ok);
}

/* min and max hold, and the library's own check has the same opinion as ours. */
static bool checks_agree(struct kit_prop *p, void *ctx)
{
    const struct way *way = ctx;
    struct sample s;
    struct trod_numbering n;
    uint32_t clash[2];
    bool ok = sample_build(&s, &small, p) && make(&n, &s, way);

    if (ok) {
        bool clashes = find_clash(clash, &s, &n);
        bool accepted =
            trod_number_check_all(&n, &s.in, NULL, NULL, s.bl.npath, &s.mem, &s.err);

        ok = trod_number_check(&n, &s.mem, &s.err) && accepted == !clashes;
        if (!ok) {
            kit_note(p, "%s: %s", clashes ? "clashes" : "is sound", s.err.text);
            sample_fail(p, &s, &n);
        }
    }
    return sample_free(&s, ok);
}

/* No more probes than the safe phases of the paper place. */
static bool fewer_probes(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    const struct way trod = {TROD, false}, paper = {PAPER, false};
    struct sample s;
    struct trod_numbering a, b;
    struct trod_measure few, many;
    bool ok =
        sample_build(&s, &small, p) && make(&a, &s, &trod) && make(&b, &s, &paper);

    if (ok) {
        trod_number_measure(&few, &a, &s.in, &s.mem);
        trod_number_measure(&many, &b, &s.in, &s.mem);
        ok = *planted ? many.nprobe <= few.nprobe : few.nprobe <= many.nprobe;
        if (!ok) {
            kit_note(p, "%u probes, the paper's phases %u", few.nprobe, many.nprobe);
            sample_note_numbering(p, &b, &s.mem);
            sample_fail(p, &s, &a);
        }
    }
    return sample_free(&s, ok);
}

/* --- traces ----------------------------------------------------------------------- */

/* Do two paths cross the same probes? */
static bool same_trace(
    const struct sample_paths *all, uint32_t a, uint32_t b, const uint64_t *probe)
{
    uint32_t i = all->first[a], j = all->first[b];

    for (;; i++, j++) {
        while (i < all->first[a + 1] && !trod_has(probe, all->step[i]))
            i++;
        while (j < all->first[b + 1] && !trod_has(probe, all->step[j]))
            j++;
        if (i == all->first[a + 1] || j == all->first[b + 1])
            return i == all->first[a + 1] && j == all->first[b + 1];
        if (all->step[i] != all->step[j])
            return false;
    }
}

static bool traces_are_apart(struct sample *s, const uint64_t *probe)
{
    struct sample_paths all;

    sample_paths(&all, &s->view.dag, &s->mem);
    for (size_t k = 0; k < s->paths.count; k++)
        for (uint32_t i = 0; i < all.count; i++)
            if (i != s->paths.id[k] &&
                same_trace(&all, (uint32_t)s->paths.id[k], i, probe))
                return false;
    return true;
}

/* Any set of probes: whether it will do is what a look at all paths says, and if so,
 * values are found for it and for what is left of it when it has been reduced.
 */
static bool traces(struct kit_prop *p, void *ctx)
{
    const struct sample_options few = {.max_node = 12, .max_path = 100};
    const bool *planted = ctx;
    struct trod_numbering n = {.kind = TROD_SELECTIVE};
    struct sample_dice dice;
    struct sample s;
    uint32_t clash[2];
    uint64_t *probe;
    int64_t *val;
    bool ok = sample_build(&s, &few, p), will_do;

    if (!ok || !s.paths.count)
        return sample_free(&s, ok);
    dice = sample_dice(p, 0, 1);
    probe = trod_new(&s.mem, uint64_t, TROD_WORDS(s.view.dag.shape.nedge));
    for (trod_edge e = 0; e < s.view.dag.shape.nedge; e++)
        if (sample_roll(dice, e, 4) || !dice.seed)
            trod_add(probe, e);
    will_do = trod_trace_will_do(probe, &s.in, &s.mem);
    ok = *planted ? will_do : will_do == traces_are_apart(&s, probe);
    for (int pass = 0; ok && will_do && pass < 2; pass++) {
        val = trod_new(&s.mem, int64_t, s.view.dag.shape.nedge);
        n.dag = &s.view.dag;
        n.val_of_edge = val;
        ok = trod_trace_values(val, probe, &s.in, &s.mem) && !find_clash(clash, &s, &n);
        trod_trace_reduce(probe, &s.in, &s.mem);
        ok = ok && traces_are_apart(&s, probe);
    }
    if (!ok) {
        for (trod_edge e = 0; e < s.view.dag.shape.nedge; e++)
            if (trod_has(probe, e))
                kit_note(p, "probe on edge %u of the DAG, %u -> %u", e,
                    s.view.dag.shape.src_of_edge[e], s.view.dag.shape.dst_of_edge[e]);
        sample_fail(p, &s, NULL);
    }
    return sample_free(&s, ok);
}

static struct way trod = {TROD, false}, paper = {PAPER, false},
                  published = {PUBLISHED, false}, corrupted = {TROD, true};
static bool sound = false, faulty = true;

static void test_apart(void **state)
{
    (void)state;
    kit_check("selective sums are their own", apart, &trod);
    kit_check("phases 1 and 3 are sound", apart, &paper);
}

/* What was published takes a path of no interest for one of interest. */
static void test_published_is_unsound(void **state)
{
    (void)state;
    kit_check_planted("phases 1, 2 and 3 are not", apart, &published);
}

static void test_probe_missing(void **state)
{
    (void)state;
    kit_check_planted("a probe taken away", apart, &corrupted);
}

static void test_checks(void **state)
{
    (void)state;
    kit_check("validators and brute force agree", checks_agree, &trod);
    kit_check("also on what is unsound", checks_agree, &published);
}

static void test_fewer_probes(void **state)
{
    (void)state;
    kit_check("no more probes than the paper", fewer_probes, &sound);
    kit_check_planted("never fewer than the paper", fewer_probes, &faulty);
}

static void test_traces(void **state)
{
    (void)state;
    kit_check("a set of probes will do if traces differ", traces, &sound);
    kit_check_planted("any set of probes will do", traces, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_published_is_unsound),
        cmocka_unit_test(test_probe_missing),
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_fewer_probes),
        cmocka_unit_test(test_traces),
    };

    return cmocka_run_group_tests_name("selective", tests, NULL, NULL);
}
