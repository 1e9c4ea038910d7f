/* The limit on paths: there are no more paths than requested, parts that must not be cut are
 * whole, and all cuts are reported.
 */
#include "prop/sample.h"

#include <math.h>

/* --- what must hold of any result ------------------------------------------------- */

static uint64_t path_count(const struct trod_dag *dag, struct trod_arena *mem)
{
    uint64_t *down = trod_new(mem, uint64_t, dag->shape.nnode);

    trod_dag_count(down, NULL, dag);
    return down[dag->shape.entry];
}

static bool is_cut(const struct trod_dag *dag, trod_edge e)
{
    trod_edge d = dag->dag_of_edge[e];

    return d != TROD_NONE && dag->kind_of_edge[d] == TROD_DAG_END;
}

/* The edges cut now and not before are those reported: no more, no fewer. */
static const char *wrong_report(const struct trod_dag *before,
    const struct trod_dag *after, const struct trod_limit_report *report,
    const struct trod_limit *limit)
{
    uint32_t next = 0;

    for (trod_edge e = 0; e < before->graph->nedge; e++) {
        bool was = is_cut(before, e), is = is_cut(after, e);
        bool said = next < report->ncut && report->cut[next] == e;

        next += said;
        if (was && !is)
            return "a cut was mended";
        if (said != (is && !was))
            return said ? "reports a cut that is none, or is old" : "hides a cut";
        if (said && limit->keep && trod_has(limit->keep, e))
            return "cuts what must stay whole";
    }
    return next == report->ncut ? NULL : "reports in disorder";
}

static const char *wrong_result(struct trod_view *view,
    const struct trod_limit_report *report, const struct trod_graph *graph,
    const struct trod_limit *limit, struct trod_arena *mem, struct trod_err *err)
{
    uint64_t most =
        limit->most && limit->most < TROD_PATH_MAX ? limit->most : TROD_PATH_MAX;
    struct trod_view before;
    uint64_t npath, nbefore;

    trod_graph_view(&before, graph, NULL, mem);
    npath = path_count(&view->dag, mem);
    nbefore = path_count(&before.dag, mem);
    if (npath > most)
        return "too many paths";
    if (nbefore <= most && report->ncut)
        return "cuts without need";
    if (nbefore < UINT64_MAX &&
        fabs(report->log2_before - log2((double)nbefore)) > 1e-6)
        return "miscounts the paths before";
    if (!trod_dag_check(&view->dag, mem, err))
        return err->text;
    return wrong_report(&before.dag, &view->dag, report, limit);
}

/* --- small graphs, any limit ------------------------------------------------------ */

enum fault { NONE, HIDE, MORE, LOOSE };

/* The sets of edges that must stay whole: none, a few, most. */
static const uint64_t *draw_keep(
    const struct trod_graph *graph, struct kit_prop *p, struct trod_arena *mem)
{
    uint64_t *keep = trod_new(mem, uint64_t, TROD_WORDS(graph->nedge) + 1);
    struct sample_dice dice = sample_dice(p, 1, 5);
    uint64_t density = sample_roll(dice, TROD_NONE, 5);

    for (trod_edge e = 0; e < graph->nedge; e++)
        if (sample_roll(dice, e, 5) < density)
            trod_add(keep, e);
    return dice.seed ? keep : NULL;
}

static void plant(struct trod_limit_report *report, struct trod_limit *limit,
    enum fault fault, struct trod_arena *mem)
{
    uint64_t *none = trod_new(mem, uint64_t, 64);

    if (fault == HIDE && report->ncut)
        report->ncut--;
    if (fault == MORE && report->ncut)
        limit->most--;
    if (fault == LOOSE && report->ncut) {
        trod_add(none, report->cut[0]);
        limit->keep = none;
    }
}

static void note(struct kit_prop *p, struct sample *s, const struct trod_limit *limit,
    const char *wrong)
{
    kit_note(p, "%s: limit %" PRIu64 ", %u cuts", wrong, limit->most, s->limit.ncut);
    for (uint32_t i = 0; i < s->limit.ncut; i++)
        kit_note(p, "cut %u -> %u", s->graph.src_of_edge[s->limit.cut[i]],
            s->graph.dst_of_edge[s->limit.cut[i]]);
    for (trod_edge e = 0; limit->keep && e < s->graph.nedge; e++)
        if (trod_has(limit->keep, e))
            kit_note(
                p, "keep %u -> %u", s->graph.src_of_edge[e], s->graph.dst_of_edge[e]);
    sample_note_graph(p, &s->graph, &s->mem);
}

/* Paths there are when everything that may be cut is. */
static uint64_t fewest(
    const struct sample *s, const struct trod_limit *limit, struct trod_arena *mem)
{
    uint64_t *all = trod_new(mem, uint64_t, TROD_WORDS(s->graph.nedge) + 1);
    struct trod_view view;

    for (trod_edge e = 0; e < s->graph.nedge; e++)
        if (!limit->keep || !trod_has(limit->keep, e))
            trod_add(all, e);
    trod_graph_view(&view, &s->graph, all, mem);
    return path_count(&view.dag, mem);
}

static bool keeps_the_limit(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct trod_limit limit = {0};
    const char *wrong = NULL;
    struct sample s;

    sample_init(&s);
    sample_graph(&s.graph, 24, p, &s.mem);
    limit.keep = draw_keep(&s.graph, p, &s.mem);
    limit.most = kit_draw(p, UINT64_C(1) << kit_draw(p, 14));
    if (trod_number_limit(&s.view, &s.limit, &s.graph, &limit, &s.mem, &s.err)) {
        plant(&s.limit, &limit, *fault, &s.mem);
        wrong = wrong_result(&s.view, &s.limit, &s.graph, &limit, &s.mem, &s.err);
    } else if (s.err.code != TROD_E_LIMIT) {
        wrong = s.err.text;
    } else if (!limit.keep && limit.most >= 2 * (uint64_t)s.graph.nedge + 2) {
        /* With every edge cut, there is one path an edge or exit and start. */
        if (fewest(&s, &limit, &s.mem) <= limit.most)
            wrong = "gives up too soon";
    }
    if (wrong)
        note(p, &s, &limit, wrong);
    return sample_free(&s, !wrong);
}

/* --- more paths than can be said -------------------------------------------------- */

/* n times if-else, each after the other: 2^n paths. Odd ones may be loops around. */
static void diamonds(
    struct trod_graph *out, uint32_t n, bool loops, struct trod_arena *mem)
{
    struct trod_graph_builder b;

    trod_graph_builder_init(&b, "diamonds", mem);
    b.nnode = 3 * n + 1;
    for (uint32_t i = 0; i < n; i++) {
        trod_graph_builder_add(&b, 3 * i, 3 * i + 1);
        trod_graph_builder_add(&b, 3 * i, 3 * i + 2);
        trod_graph_builder_add(&b, 3 * i + 1, 3 * i + 3);
        trod_graph_builder_add(&b, 3 * i + 2, 3 * i + 3);
        if (loops && i % 10 == 9)
            trod_graph_builder_add(&b, 3 * i + 2, 3 * (i - 5));
    }
    trod_graph_build(out, &b);
}

static void check_diamonds(uint32_t n, bool loops, uint64_t most, bool keep_some)
{
    struct trod_limit limit = {.most = most};
    struct trod_limit_report report;
    struct trod_numbering bl;
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_err err = {0};
    const char *wrong;

    trod_arena_init(&mem, sample_exhausted, NULL);
    diamonds(&graph, n, loops, &mem);
    if (keep_some) { /* one path right through */
        uint64_t *keep = trod_new(&mem, uint64_t, TROD_WORDS(graph.nedge));
        trod_node v = graph.entry;

        for (; graph.first_out[v] < graph.first_out[v + 1];
            v = graph.dst_of_edge[graph.first_out[v]])
            trod_add(keep, graph.first_out[v]);
        limit.keep = keep;
    }
    if (!trod_number_limit(&view, &report, &graph, &limit, &mem, &err)) {
        /* Every diamond but a few must be cut, and paths that start at cuts run down
         * the kept path to all later cuts: no fewer than their number squared.
         */
        if (!keep_some || !most || most > (uint64_t)n * n)
            fail_msg("%u diamonds, limit %" PRIu64 ": %s", n, most, err.text);
        assert_int_equal(err.code, TROD_E_LIMIT);
        trod_arena_free(&mem);
        return;
    }
    wrong = wrong_result(&view, &report, &graph, &limit, &mem, &err);
    if (wrong)
        fail_msg("%u diamonds, limit %" PRIu64 ": %s", n, most, wrong);
    if (!loops)
        assert_true(fabs(report.log2_before - n) < 1e-6 * n);
    if (!trod_number_ballarus(&bl, &view.dag, &mem, &err))
        fail_msg("%s", err.text);
    print_message("# %u diamonds%s%s, at most %" PRIu64 ": %u cuts, %" PRIu64
                  " paths\n",
        n, loops ? " with loops" : "", keep_some ? ", one path kept" : "", most,
        report.ncut, bl.npath);
    trod_arena_free(&mem);
}

static void test_diamonds(void **state)
{
    static const uint32_t sizes[] = {100, 300, 1000};
    static const uint64_t mosts[] = {0, 100000, UINT64_C(1) << 32};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof mosts / sizeof *mosts; j++)
            for (int how = 0; how < 4; how++)
                check_diamonds(sizes[i], how & 1, mosts[j], how & 2);
    check_diamonds(5000, false, 0, false);
    check_diamonds(5000, true, 100000, false);
    check_diamonds(5000, true, UINT64_C(1) << 32, true);
}

/* --- what cannot be had ----------------------------------------------------------- */

static void test_kept_paths_are_too_many(void **state)
{
    struct trod_limit limit = {.most = 1000};
    struct trod_limit_report report;
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_err err = {0};
    uint64_t *keep;

    (void)state;
    trod_arena_init(&mem, sample_exhausted, NULL);
    diamonds(&graph, 70, false, &mem);
    keep = trod_new(&mem, uint64_t, TROD_WORDS(graph.nedge));
    for (trod_edge e = 0; e < graph.nedge; e++)
        trod_add(keep, e);
    limit.keep = keep;
    assert_false(trod_number_limit(&view, &report, &graph, &limit, &mem, &err));
    assert_int_equal(err.code, TROD_E_LIMIT);
    assert_non_null(strstr(err.text, "'diamonds' has 2^70.0 paths"));
    trod_arena_free(&mem);
}

static enum fault none = NONE, hide = HIDE, more = MORE, loose = LOOSE;

static void test_keeps_the_limit(void **state)
{
    (void)state;
    kit_check("few enough paths, all cuts reported", keeps_the_limit, &none);
    kit_check_planted("a cut not reported", keeps_the_limit, &hide);
    kit_check_planted("one path too many", keeps_the_limit, &more);
    kit_check_planted("a kept edge cut", keeps_the_limit, &loose);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keeps_the_limit),
        cmocka_unit_test(test_diamonds),
        cmocka_unit_test(test_kept_paths_are_too_many),
    };

    return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
