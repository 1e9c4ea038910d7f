/* Every allocation of every function that allocates fails once, and nothing leaks.
 *
 * What a function needs is made in an arena that never fails, so that each function is
 * looked at alone: the failures are its own.
 */
#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "glpk/exact.h"
#include "kit/shape.h"
#include "probe/probe.h"

static const char graph_text[] = "graph \"a function\"\n"
                                 "s: a b*5\n"
                                 "a: c >b\n"
                                 "b: c c\n"
                                 "c: c d e\n"
                                 "d: s t\n"
                                 "e: t\n"
                                 "t:\n"
                                 "u: t\n";
/* No numbering of these is perfect: all ways to one are tried. */
static const char hard_text[] = "graph hard\n"
                                "s: a a a\n"
                                "a: t t t\n"
                                "t:\n";
static const trod_path hard_paths[] = {1, 2, 3, 5, 6, 7};
static const char paths_text[] = "s a c > c\n> c d t\n> c, e, t\n=0\n";
static const char numbering_text[] = "numbering g packed 3 signed\n"
                                     ">: s+1 s-2\n"
                                     "s: >s+5 t-1\n"
                                     "t: .+2\n";
static const char plan_text[] = "plan g frontier\n"
                                ">: s {r=0}\n"
                                "s: >s {t0++} t {flush t0 [r-1] r=3 [r+7]++}\n"
                                "t:\n";

/* What there is before any function is called, one of each. */
static struct {
    struct trod_arena mem;
    struct trod_err err;
    struct trod_graph graph, large, hard;
    struct trod_view view, large_view, hard_view;
    struct trod_numbering bl, selective, preferential, packed, large_bl, hard_bl;
    struct trod_trails trails;
    struct trod_pathset paths;
    struct trod_interest in, large_in, hard_in;
    struct trod_model by_node, by_state;
    struct trod_plan plan;
} have;

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static void must(bool ok)
{
    if (!ok)
        fail_msg("%s", have.err.text);
}

static struct trod_text text_of(const char *bytes)
{
    struct trod_text text;

    trod_text_init(&text, "text", bytes, strlen(bytes));
    return text;
}

/* `NAME`, after the first word of a section. */
static const char *take_head(struct trod_text *text, struct trod_arena *mem)
{
    struct trod_token token;

    must(trod_text_next(&token, text, mem, &have.err));
    must(trod_text_next(&token, text, mem, &have.err));
    return token.name;
}

static void make_large(struct trod_arena *mem)
{
    const struct kit_shape_options options = {.max_node = 300, .cycles = true};
    const trod_path some[] = {0, 1, 5, 1000, 1001, 5000, 70000, 70001};
    struct trod_limit limit = {.most = 100000};
    struct trod_limit_report report;
    struct trod_pathset paths;
    struct trod_rng rng;

    for (uint64_t seed = 1; have.large_bl.npath <= 70001; seed++) {
        trod_rng_init(&rng, seed);
        kit_shape(&have.large, &options, kit_shape_from_rng, &rng, mem);
        must(trod_number_limit(
            &have.large_view, &report, &have.large, &limit, mem, &have.err));
        must(
            trod_number_ballarus(&have.large_bl, &have.large_view.dag, mem, &have.err));
    }
    trod_pathset_build(&paths, some, sizeof some / sizeof *some, mem);
    trod_interest_build(&have.large_in, &have.large_bl, &paths, mem);
}

static void make_hard(struct trod_arena *mem)
{
    struct trod_text text = text_of(hard_text);
    struct trod_pathset paths;
    bool more;

    must(trod_graph_parse(&have.hard, &more, &text, mem, &have.err));
    trod_graph_view(&have.hard_view, &have.hard, NULL, mem);
    must(trod_number_ballarus(&have.hard_bl, &have.hard_view.dag, mem, &have.err));
    trod_pathset_build(&paths, hard_paths, sizeof hard_paths / sizeof *hard_paths, mem);
    trod_interest_build(&have.hard_in, &have.hard_bl, &paths, mem);
}

static int set_up(void **state)
{
    struct trod_arena *mem = &have.mem;
    struct trod_probe_options options = {0};
    struct trod_text text = text_of(graph_text);
    bool more;

    (void)state;
    trod_arena_init(mem, die, NULL);
    must(trod_graph_parse(&have.graph, &more, &text, mem, &have.err));
    trod_graph_view(&have.view, &have.graph, NULL, mem);
    must(trod_number_ballarus(&have.bl, &have.view.dag, mem, &have.err));
    text = text_of(paths_text);
    must(trod_trails_parse(&have.trails, &text, &have.graph, mem, &have.err));
    must(trod_pathset_encode(&have.paths, &have.trails, &have.bl, mem, &have.err));
    trod_interest_build(&have.in, &have.bl, &have.paths, mem);
    must(trod_number_selective(&have.selective, &have.in, mem, &have.err));
    trod_number_preferential(&have.preferential, &have.in, TROD_PREFER_BEST, mem);
    must(trod_number_pack(&have.packed, &have.preferential, &have.bl, mem, &have.err));
    trod_coding_ballarus(&have.by_node, &have.bl, mem);
    trod_coding_interest(&have.by_state, &have.in, mem);
    trod_probe_plan(&have.plan, &have.bl, &have.view.loops, &options, mem);
    make_large(mem);
    make_hard(mem);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return trod_arena_chunks() != 0;
}

/* --- base and graph --------------------------------------------------------------- */

static void do_names(struct trod_arena *mem, void *ctx)
{
    struct trod_names names;
    char name[100][3];

    (void)ctx;
    trod_names_init(&names, mem);
    for (int i = 0; i < 100; i++) {
        name[i][0] = (char)('a' + i / 10);
        name[i][1] = (char)('a' + i % 10);
        name[i][2] = '\0';
        assert_int_equal(trod_names_add(&names, name[i]), i);
    }
}

static void do_build(struct trod_arena *mem, void *ctx)
{
    struct trod_graph_builder builder;
    struct trod_graph graph;

    (void)ctx;
    trod_graph_builder_init(&builder, "built", mem);
    builder.nnode = 40;
    builder.weighted = true;
    for (trod_node v = 0; v + 1 < 40; v++)
        trod_graph_builder_add(&builder, v, v + 1);
    builder.arc[3].cut = true;
    trod_graph_build(&graph, &builder);
    must(trod_graph_check(&graph, &have.err));
}

static void do_fill_in(struct trod_arena *mem, void *ctx)
{
    struct trod_graph graph = have.graph;

    (void)ctx;
    trod_graph_fill_in(&graph, mem);
    must(trod_graph_check(&graph, &have.err));
}

static void do_hash(struct trod_arena *mem, void *ctx)
{
    (void)ctx;
    assert_true(trod_graph_hash(&have.graph, mem) != 0);
}

static void do_graph_parse(struct trod_arena *mem, void *ctx)
{
    struct trod_text text = text_of(graph_text);
    struct trod_graph graph;
    bool more;

    (void)ctx;
    must(trod_graph_parse(&graph, &more, &text, mem, &have.err));
    assert_int_equal(graph.nnode, have.graph.nnode);
}

static void do_order(struct trod_arena *mem, void *ctx)
{
    struct trod_order order;

    (void)ctx;
    trod_graph_order(&order, &have.graph, mem);
    assert_int_equal(order.nreach, have.view.order.nreach);
}

static void do_dominators(struct trod_arena *mem, void *ctx)
{
    struct trod_dom dom;

    (void)ctx;
    trod_graph_dominators(&dom, &have.graph, mem);
    assert_int_equal(dom.idom_of_node[have.graph.entry], TROD_NONE);
}

static void do_loops(struct trod_arena *mem, void *ctx)
{
    struct trod_loops loops;

    (void)ctx;
    trod_graph_loops(&loops, &have.graph, &have.view.order, mem);
    assert_int_equal(loops.nloop, have.view.loops.nloop);
}

static void do_weights(struct trod_arena *mem, void *ctx)
{
    const uint64_t *weight;
    struct trod_graph graph = have.graph;

    (void)ctx;
    trod_graph_weights(&weight, &graph, &have.view.order, &have.view.loops, mem);
    graph.weight_of_edge = NULL;
    trod_graph_weights(&weight, &graph, &have.view.order, &have.view.loops, mem);
    assert_true(weight[0] > 0);
}

static void do_dag(struct trod_arena *mem, void *ctx)
{
    struct trod_dag dag;

    (void)ctx;
    trod_dag_build(
        &dag, &have.graph, &have.view.order, have.view.weight_of_edge, NULL, mem);
    must(trod_dag_check(&dag, mem, &have.err));
}

static void do_view(struct trod_arena *mem, void *ctx)
{
    struct trod_view view;

    (void)ctx;
    trod_graph_view(&view, &have.graph, NULL, mem);
    assert_int_equal(view.dag.ncut, have.view.dag.ncut);
}

static void do_span(struct trod_arena *mem, void *ctx)
{
    const struct trod_dag *dag = &have.large_view.dag;
    uint64_t *tree = trod_new(mem, uint64_t, TROD_WORDS(dag->shape.nedge));
    uint64_t *all = trod_new(mem, uint64_t, TROD_WORDS(dag->shape.nedge));

    (void)ctx;
    memset(all, 0xff, TROD_WORDS(dag->shape.nedge) * sizeof *all);
    trod_graph_span(tree, &dag->shape, all, dag->weight_of_edge, mem);
}

static void do_prints(struct trod_arena *mem, void *ctx)
{
    const struct trod_graph_style drawing = {.loops = &have.view.loops};
    struct trod_string text;
    struct trod_json json;

    (void)ctx;
    trod_string_init(&text, mem);
    trod_graph_print(&text.sink, &have.graph);
    trod_graph_draw(&text.sink, &have.graph, &drawing);
    trod_number_print(&text.sink, &have.packed);
    trod_probe_print(&text.sink, &have.plan);
    trod_json_init(&json, &text.sink);
    trod_json_open(&json, NULL, '{');
    trod_graph_json(&json, "graph", &have.graph);
    trod_number_json(&json, "numbering", &have.packed);
    trod_probe_json(&json, "plan", &have.plan);
    trod_json_close(&json, '}');
    assert_int_equal(text.text[text.length - 1], '\n');
}

/* --- number ----------------------------------------------------------------------- */

static void do_ballarus(struct trod_arena *mem, void *ctx)
{
    struct trod_numbering n;

    (void)ctx;
    must(trod_number_ballarus(&n, &have.view.dag, mem, &have.err));
    assert_int_equal(n.npath, have.bl.npath);
}

static void do_length(struct trod_arena *mem, void *ctx)
{
    struct trod_numbering n;

    (void)ctx;
    trod_number_length(&n, &have.view.dag, mem);
}

static void do_range(struct trod_arena *mem, void *ctx)
{
    int64_t min, max;

    (void)ctx;
    must(trod_number_range(
        &min, &max, &have.view.dag, have.bl.val_of_edge, mem, &have.err));
    assert_int_equal(min, 0);
}

static bool go_on(void *ctx, const trod_edge *step, uint32_t nstep)
{
    (void)ctx;
    (void)step;
    return nstep > 0;
}

static void do_each(struct trod_arena *mem, void *ctx)
{
    (void)ctx;
    assert_int_equal(
        trod_number_each(&have.view.dag, 1000, go_on, NULL, mem), have.bl.npath);
}

static void do_limit(struct trod_arena *mem, void *ctx)
{
    struct trod_limit limit = {.most = 5000};
    struct trod_limit_report report;
    struct trod_view view;

    (void)ctx;
    must(trod_number_limit(&view, &report, &have.large, &limit, mem, &have.err));
    assert_true(report.ncut > 0);
}

static void do_trails(struct trod_arena *mem, void *ctx)
{
    struct trod_text text = text_of(paths_text);
    struct trod_trails trails = {0};
    struct trod_pathset paths;

    (void)ctx;
    must(trod_trails_parse(&trails, &text, &have.graph, mem, &have.err));
    must(trod_pathset_encode(&paths, &trails, &have.bl, mem, &have.err));
    assert_int_equal(paths.count, have.paths.count);
}

static void do_trail(struct trod_arena *mem, void *ctx)
{
    struct trod_text text = text_of("s a c d t");
    struct trod_trail trail;

    (void)ctx;
    must(trod_trail_parse(&trail, &text, &have.graph, mem, &have.err));
}

static void do_pathset(struct trod_arena *mem, void *ctx)
{
    const trod_path ids[] = {3, 1, 3};
    struct trod_pathset paths;

    (void)ctx;
    trod_pathset_build(&paths, ids, 3, mem);
    assert_int_equal(paths.count, 2);
}

static void do_interest(struct trod_arena *mem, void *ctx)
{
    struct trod_interest in;

    (void)ctx;
    trod_interest_build(&in, &have.large_bl, &have.large_in.paths, mem);
    assert_int_equal(in.nstate, have.large_in.nstate);
}

static void do_selective(struct trod_arena *mem, void *ctx)
{
    struct trod_numbering n;

    (void)ctx;
    must(trod_number_selective(&n, &have.in, mem, &have.err));
}

static void do_selective_paper(struct trod_arena *mem, void *ctx)
{
    struct trod_numbering n;

    (void)ctx;
    must(trod_number_selective_paper(&n, &have.in, true, mem, &have.err));
}

static void do_trace(struct trod_arena *mem, void *ctx)
{
    uint32_t nedge = have.view.dag.shape.nedge;
    uint64_t *probe = trod_new(mem, uint64_t, TROD_WORDS(nedge));
    int64_t *val = trod_new(mem, int64_t, nedge);

    (void)ctx;
    for (trod_edge e = 0; e < nedge; e++)
        trod_add(probe, e);
    assert_true(trod_trace_will_do(probe, &have.in, mem));
    assert_true(trod_trace_reduce(probe, &have.in, mem) > 0);
    assert_true(trod_trace_values(val, probe, &have.in, mem));
}

static void do_preferential(struct trod_arena *mem, void *ctx)
{
    struct trod_numbering n;

    trod_number_preferential(
        &n, &have.hard_in, *(enum trod_preferential_way *)ctx, mem);
}

static void do_slots(struct trod_arena *mem, void *ctx)
{
    struct trod_slots slots;

    (void)ctx;
    must(trod_number_hash(&slots, &have.large_in.paths, 16, mem, &have.err));
}

static void do_pack(struct trod_arena *mem, void *ctx)
{
    struct trod_numbering n;

    (void)ctx;
    must(trod_number_pack(&n, &have.preferential, &have.bl, mem, &have.err));
}

static void do_measure(struct trod_arena *mem, void *ctx)
{
    struct trod_measure measure;

    (void)ctx;
    trod_number_measure(&measure, &have.preferential, &have.in, mem);
    assert_int_equal(measure.ninterest, have.paths.count);
}

static void do_coding(struct trod_arena *mem, void *ctx)
{
    struct trod_model model;

    (void)ctx;
    trod_coding_ballarus(&model, &have.bl, mem);
    trod_coding_interest(&model, &have.in, mem);
    trod_coding_joined(&model, &have.in, mem);
}

static void do_entropy(struct trod_arena *mem, void *ctx)
{
    (void)ctx;
    assert_true(trod_coding_entropy(&have.by_node, NULL, &have.view.dag, mem) > 0);
    assert_true(trod_coding_entropy(&have.by_state, &have.in, &have.view.dag, mem) > 0);
}

static void do_number_parse(struct trod_arena *mem, void *ctx)
{
    struct trod_text text = text_of(numbering_text);
    const char *name = take_head(&text, mem);
    struct trod_numbering n;

    (void)ctx;
    must(trod_number_parse(&n, name, &text, mem, &have.err));
}

static void do_number_check(struct trod_arena *mem, void *ctx)
{
    (void)ctx;
    must(trod_number_check(&have.bl, mem, &have.err));
    must(trod_number_check_all(
        &have.selective, &have.in, NULL, NULL, 1000, mem, &have.err));
    must(trod_number_check_all(
        &have.packed, &have.in, &have.preferential, &have.bl, 1000, mem, &have.err));
}

static void do_exact(struct trod_arena *mem, void *ctx)
{
    const struct trod_exact_options options = {0};
    struct trod_exact_optimum exact;

    (void)ctx;
    must(trod_exact_preferential(&exact, &have.hard_in, &options, mem, &have.err));
    assert_true(exact.solves > 0);
}

/* --- probe ------------------------------------------------------------------------ */

static void do_placements(struct trod_arena *mem, void *ctx)
{
    struct trod_dag_ops ops;
    struct trod_trips trips;

    (void)ctx;
    trod_dag_ops_init(&ops, &have.view.dag, mem);
    trod_place_plain(&ops, &have.bl, mem);
    trod_place_tree(&ops, &have.bl, mem);
    trod_place_frontier(&ops, &have.bl, &have.view.loops, mem);
    trod_trips_find(
        &trips, &ops, &have.view.dag, &have.view.loops, &trod_prices_default, mem);
}

static void do_potentials(struct trod_arena *mem, void *ctx)
{
    const struct trod_graph *shape = &have.view.dag.shape;
    uint64_t *tree = trod_new(mem, uint64_t, TROD_WORDS(shape->nedge));
    uint64_t *body = trod_new(mem, uint64_t, TROD_WORDS(shape->nedge));
    uint64_t *potential = trod_new(mem, uint64_t, shape->nnode);

    (void)ctx;
    trod_place_span(tree, potential, &have.bl, mem);
    trod_place_potentials(potential, shape, tree, have.bl.val_of_edge, mem);
    trod_trips_bodies(body, &have.view.dag, &have.view.loops, mem);
}

static void do_plan(struct trod_arena *mem, void *ctx)
{
    struct trod_probe_options options = {.placement = *(enum trod_placement *)ctx};
    struct trod_plan plan;

    trod_probe_plan(&plan, &have.packed, &have.view.loops, &options, mem);
    must(trod_probe_check(&plan, mem, &have.err));
}

static void do_probe_parse(struct trod_arena *mem, void *ctx)
{
    struct trod_text text = text_of(plan_text);
    const char *name = take_head(&text, mem);
    struct trod_plan plan;

    (void)ctx;
    must(trod_probe_parse(&plan, name, &text, mem, &have.err));
    assert_int_equal(plan.nloop, 1);
}

static void do_probe_check_all(struct trod_arena *mem, void *ctx)
{
    (void)ctx;
    must(trod_probe_check_all(&have.plan, 1000, 10, mem, &have.err));
}

static void counted(void *ctx, int64_t index, uint64_t by, enum trod_action action)
{
    uint64_t *total = ctx;

    (void)index;
    (void)action;
    *total += by;
}

static void do_probe_walk(struct trod_arena *mem, void *ctx)
{
    uint64_t total = 0;

    (void)ctx;
    trod_probe_walk(&have.plan, NULL, 0, false, mem, counted, &total);
}

static enum trod_want chosen = TROD_WANT_CHOSEN, residual = TROD_WANT_RESIDUAL,
                      untested = TROD_WANT_UNTESTED;

static void do_choose(struct trod_arena *mem, void *ctx)
{
    struct trod_choose_options options = {.want = *(const enum trod_want *)ctx};
    struct trod_choice choice;

    must(trod_probe_choose(
        &choice, &have.bl, &have.paths, &have.view.loops, &options, mem, &have.err));
    assert_false(choice.needless);
    must(trod_choice_check_all(&choice, 1000, mem, &have.err));
}

static void do_core(struct trod_arena *mem, void *ctx)
{
    struct trod_numbering n;
    struct trod_dag dag;

    (void)ctx;
    assert_true(trod_interest_ncore(&have.in, mem) >= have.paths.count);
    must(trod_number_core(&n, &have.in, mem, &have.err));
    trod_number_stray(&n, &have.in, mem);
    trod_number_weigh(&dag, &have.bl, &have.paths, NULL, mem);
}

/* --- all of them ------------------------------------------------------------------ */

static enum trod_preferential_way best = TROD_PREFER_BEST, paper = TROD_PREFER_PAPER,
                                  fit = TROD_PREFER_FIT, range = TROD_PREFER_RANGE;
static enum trod_placement frontier = TROD_PLACE_FRONTIER, tree = TROD_PLACE_TREE,
                           plain = TROD_PLACE_PLAIN;

struct victim {
    const char *name;
    void (*fn)(struct trod_arena *mem, void *ctx);
    void *ctx;
};

static const struct victim of_graph[] = {
    {"names", do_names, NULL},
    {"build", do_build, NULL},
    {"fill in", do_fill_in, NULL},
    {"hash", do_hash, NULL},
    {"parse", do_graph_parse, NULL},
    {"order", do_order, NULL},
    {"dominators", do_dominators, NULL},
    {"loops", do_loops, NULL},
    {"weights", do_weights, NULL},
    {"dag", do_dag, NULL},
    {"view", do_view, NULL},
    {"span", do_span, NULL},
    {"print, draw and json", do_prints, NULL},
};

static const struct victim of_number[] = {
    {"ballarus", do_ballarus, NULL},
    {"length", do_length, NULL},
    {"range", do_range, NULL},
    {"each", do_each, NULL},
    {"limit", do_limit, NULL},
    {"trail", do_trail, NULL},
    {"trails", do_trails, NULL},
    {"pathset", do_pathset, NULL},
    {"interest", do_interest, NULL},
    {"selective", do_selective, NULL},
    {"core", do_core, NULL},
    {"selective as published", do_selective_paper, NULL},
    {"trace", do_trace, NULL},
    {"preferential, best", do_preferential, &best},
    {"preferential, paper", do_preferential, &paper},
    {"preferential, fit", do_preferential, &fit},
    {"preferential, range", do_preferential, &range},
    {"slots", do_slots, NULL},
    {"pack", do_pack, NULL},
    {"measure", do_measure, NULL},
    {"coding", do_coding, NULL},
    {"entropy", do_entropy, NULL},
    {"parse", do_number_parse, NULL},
    {"check", do_number_check, NULL},
    {"exact", do_exact, NULL},
};

static const struct victim of_probe[] = {
    {"placements and trips", do_placements, NULL},
    {"potentials and bodies", do_potentials, NULL},
    {"plan, frontier", do_plan, &frontier},
    {"plan, tree", do_plan, &tree},
    {"plan, plain", do_plan, &plain},
    {"parse", do_probe_parse, NULL},
    {"check all", do_probe_check_all, NULL},
    {"choose, chosen", do_choose, &chosen},
    {"choose, residual", do_choose, &residual},
    {"choose, untested", do_choose, &untested},
    {"walk", do_probe_walk, NULL},
};

static void fail_each(const char *stage, const struct victim *victim, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t n = kit_each_allocation_failure(victim[i].fn, victim[i].ctx);

        printf("# %s, %s: %zu failures survived\n", stage, victim[i].name, n);
        assert_true(n > 0);
    }
}

static void test_graph(void **state)
{
    (void)state;
    fail_each("graph", of_graph, sizeof of_graph / sizeof *of_graph);
}

static void test_number(void **state)
{
    (void)state;
    fail_each("number", of_number, sizeof of_number / sizeof *of_number);
}

static void test_probe(void **state)
{
    (void)state;
    fail_each("probe", of_probe, sizeof of_probe / sizeof *of_probe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_probe),
    };

    return cmocka_run_group_tests_name("alloc", tests, set_up, tear_down);
}
