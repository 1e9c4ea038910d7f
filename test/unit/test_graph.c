/* The passes over one graph, on small graphs by hand and on large ones: orders,
 * dominators, loops, weights, spanning forests. Random graphs are in
 * test/prop/prop_graph.c.
 */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"
#include "kit/shape.h"

/* --- graphs to test on ----------------------------------------------------- */

/* Everything that is known of a graph. */
struct subject {
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_order order;
    struct trod_dom dom;
    struct trod_loops loops;
    const uint64_t *weight;
    uint64_t *eligible, *tree;
};

static void no_memory(void *ctx)
{
    (void)ctx;
    abort();
}

static void run_passes(struct subject *s, struct trod_arena *mem)
{
    const struct trod_graph *g = &s->graph;

    trod_graph_order(&s->order, g, mem);
    trod_graph_dominators(&s->dom, g, mem);
    trod_graph_loops(&s->loops, g, &s->order, mem);
    trod_graph_weights(&s->weight, g, &s->order, &s->loops, mem);
    s->eligible = trod_new(mem, uint64_t, TROD_WORDS(g->nedge));
    s->tree = trod_new(mem, uint64_t, TROD_WORDS(g->nedge));
    for (trod_edge e = 0; e < g->nedge; e++)
        trod_add(s->eligible, e);
    trod_graph_span(s->tree, g, s->eligible, s->weight, mem);
}

/* To be closed with close_subject. */
static struct subject *subject_of(const char *form)
{
    static struct subject s;
    struct trod_text text;
    struct trod_err err;
    bool more;

    trod_arena_init(&s.mem, no_memory, NULL);
    trod_text_init(&text, "test", form, strlen(form));
    if (!trod_graph_parse(&s.graph, &more, &text, &s.mem, &err))
        fail_msg("%s", err.text);
    run_passes(&s, &s.mem);
    return &s;
}

static void close_subject(struct subject *s)
{
    trod_arena_free(&s->mem);
}

static trod_node node(const struct subject *s, const char *name)
{
    for (trod_node v = 0; v < s->graph.nnode; v++)
        if (strcmp(s->graph.name_of_node[v], name) == 0)
            return v;
    fail_msg("no node %s", name);
    return TROD_NONE;
}

static const char *name_of(const struct subject *s, trod_node v)
{
    return v == TROD_NONE ? "-" : s->graph.name_of_node[v];
}

static trod_edge edge(const struct subject *s, const char *src, const char *dst)
{
    trod_node v = node(s, src), w = node(s, dst);

    for (trod_edge e = s->graph.first_out[v]; e < s->graph.first_out[v + 1]; e++)
        if (s->graph.dst_of_edge[e] == w)
            return e;
    fail_msg("no edge %s -> %s", src, dst);
    return TROD_NONE;
}

/* --- order, by hand -------------------------------------------------------- */

static void test_order_follows_successors_as_written(void **state)
{
    struct subject *s = subject_of("graph g\ns: b a\na: c\nb: c\nc:\n");
    static const char *const post[] = {"c", "b", "a", "s"};

    (void)state;
    assert_int_equal(s->order.nreach, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_string_equal(name_of(s, s->order.post[i]), post[i]);
    assert_int_equal(s->order.pre_of_node[node(s, "a")], 3);
    assert_int_equal(s->order.last_of_node[node(s, "b")], 2);
    assert_int_equal(s->order.nretreating, 0);
    close_subject(s);
}

static void test_order_leaves_out_what_is_not_reached(void **state)
{
    struct subject *s = subject_of("graph g\ns: t\nx: t x\nt:\n");
    trod_node x = node(s, "x");

    (void)state;
    assert_int_equal(s->order.nreach, 2);
    assert_int_equal(s->order.pre_of_node[x], TROD_NONE);
    assert_int_equal(s->order.post_of_node[x], TROD_NONE);
    assert_int_equal(s->order.last_of_node[x], TROD_NONE);
    assert_int_equal(s->order.nretreating, 0);
    assert_int_equal(s->dom.idom_of_node[x], TROD_NONE);
    assert_int_equal(s->loops.nloop, 0);
    assert_int_equal(s->weight[edge(s, "x", "t")], 0);
    close_subject(s);
}

static void test_order_finds_retreating_edges(void **state)
{
    struct subject *s = subject_of("graph g\ns: a a\na: a b s\nb: a c\nc:\n");

    (void)state;
    assert_int_equal(s->order.nretreating, 3);
    assert_true(trod_has(s->order.retreating, edge(s, "a", "a")));
    assert_true(trod_has(s->order.retreating, edge(s, "a", "s")));
    assert_true(trod_has(s->order.retreating, edge(s, "b", "a")));
    close_subject(s);
}

/* --- dominators, by hand ---------------------------------------------------- */

static void assert_dom(
    const struct subject *s, const char *name, const char *idom, const char *ipdom)
{
    trod_node v = node(s, name);

    assert_string_equal(name_of(s, s->dom.idom_of_node[v]), idom);
    assert_string_equal(name_of(s, s->dom.ipdom_of_node[v]), ipdom);
}

static void test_dominators_of_a_diamond_in_a_loop(void **state)
{
    struct subject *s = subject_of("graph g\ns: h\nh: a b\na: j\nb: j\nj: h x\nx:\n");

    (void)state;
    assert_dom(s, "s", "-", "h");
    assert_dom(s, "h", "s", "j");
    assert_dom(s, "a", "h", "j");
    assert_dom(s, "b", "h", "j");
    assert_dom(s, "j", "h", "x");
    assert_dom(s, "x", "j", "-");
    close_subject(s);
}

static void test_only_the_virtual_exit_is_behind_several_exits(void **state)
{
    struct subject *s = subject_of("graph g\ns: a b\na:\nb: c\nc:\n");

    (void)state;
    assert_dom(s, "s", "-", "-");
    assert_dom(s, "b", "s", "c");
    assert_dom(s, "c", "b", "-");
    close_subject(s);
}

static void test_endless_loops_have_no_post_dominators(void **state)
{
    struct subject *s = subject_of("graph g\ns: a\na: b c\nb: b\nc: d\nd:\n");

    (void)state;
    assert_dom(s, "s", "-", "a");
    assert_dom(s, "a", "s", "c");
    assert_dom(s, "b", "a", "-");
    close_subject(s);

    s = subject_of("graph g\ns: a\na: s\n");
    assert_dom(s, "s", "-", "-");
    assert_dom(s, "a", "s", "-");
    close_subject(s);
}

/* The example of Lengauer & Tarjan's paper. */
static void test_dominators_of_the_paper(void **state)
{
    struct subject *s = subject_of("graph g\n"
                                   "R: C B A\nA: D\nB: A D E\nC: F G\nD: L\n"
                                   "E: H\nF: I\nG: I J\nH: E K\nI: K\nJ: I\n"
                                   "K: I R\nL: H\n");
    static const char *const want[][2] = {{"A", "R"}, {"B", "R"}, {"C", "R"},
        {"D", "R"}, {"E", "R"}, {"F", "C"}, {"G", "C"}, {"H", "R"}, {"I", "R"},
        {"J", "G"}, {"K", "R"}, {"L", "D"}};

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_dom(s, want[i][0], want[i][1], "-");
    close_subject(s);
}

/* --- loops, by hand ---------------------------------------------------------- */

static void assert_loop(const struct subject *s, const char *header, const char *parent,
    uint32_t depth, bool irreducible)
{
    const struct trod_loops *loops = &s->loops;
    uint32_t l = loops->loop_of_node[node(s, header)], up;

    assert_int_not_equal(l, TROD_NONE);
    up = loops->parent_of_loop[l];
    assert_string_equal(name_of(s, loops->header_of_loop[l]), header);
    assert_string_equal(
        up == TROD_NONE ? "-" : name_of(s, loops->header_of_loop[up]), parent);
    assert_int_equal(loops->depth_of_loop[l], depth);
    assert_int_equal(loops->irreducible_of_loop[l], irreducible);
}

static void test_loops_nest(void **state)
{
    struct subject *s = subject_of("graph g\ns: h\nh: i x\ni: b j\nb: i\n"
                                   "j: j k\nk: h\nx:\n");

    (void)state;
    assert_int_equal(s->loops.nloop, 3);
    assert_loop(s, "h", "-", 1, false);
    assert_loop(s, "i", "h", 2, false);
    assert_loop(s, "j", "h", 2, false);
    assert_int_equal(s->loops.depth_of_node[node(s, "b")], 2);
    assert_int_equal(s->loops.depth_of_node[node(s, "k")], 1);
    assert_int_equal(s->loops.loop_of_node[node(s, "x")], TROD_NONE);
    close_subject(s);
}

static void test_retreating_edges_to_one_header_make_one_loop(void **state)
{
    struct subject *s = subject_of("graph g\nh: a b h\na: h\nb: h h\n");

    (void)state;
    assert_int_equal(s->loops.nloop, 1);
    assert_loop(s, "h", "-", 1, false);
    assert_int_equal(s->loops.depth_of_node[node(s, "b")], 1);
    close_subject(s);
}

static void test_a_second_way_in_makes_a_loop_irreducible(void **state)
{
    struct subject *s = subject_of("graph g\ns: a b\na: b\nb: a x\nx:\n");

    (void)state;
    assert_int_equal(s->loops.nloop, 1);
    assert_loop(s, "a", "-", 1, true);
    close_subject(s);
}

/* The way in goes to c: the loops of b and a are entered beside their headers,
 * those of c and h are not.
 */
static void test_only_the_loops_entered_sideways_are_irreducible(void **state)
{
    struct subject *s = subject_of("graph g\nh: a y\na: b\nb: c\nc: c d\n"
                                   "d: b e\ne: a h\ny: c\n");

    (void)state;
    assert_int_equal(s->loops.nloop, 4);
    assert_loop(s, "h", "-", 1, false);
    assert_loop(s, "a", "h", 2, true);
    assert_loop(s, "b", "a", 3, true);
    assert_loop(s, "c", "b", 4, false);
    close_subject(s);
}

/* --- weights, by hand --------------------------------------------------------- */

static void assert_weight(
    const struct subject *s, const char *src, const char *dst, uint64_t weight)
{
    assert_int_equal(s->weight[edge(s, src, dst)], weight);
}

static void test_loops_run_eight_times(void **state)
{
    struct subject *s = subject_of("graph g\ns: h\nh: b x\nb: h\nx:\n");

    (void)state;
    assert_weight(s, "s", "h", 1000);
    assert_weight(s, "h", "b", 7000);
    assert_weight(s, "b", "h", 7000);
    assert_weight(s, "h", "x", 1000);
    close_subject(s);

    s = subject_of("graph g\ns: d\nd: d x\nx:\n");
    assert_weight(s, "d", "d", 7000);
    assert_weight(s, "d", "x", 1000);
    close_subject(s);
}

static void test_what_leaves_two_loops_is_rarer(void **state)
{
    struct subject *s = subject_of("graph g\nh: i x\ni: j k\nj: i x\nk: h\nx:\n");

    (void)state;
    assert_weight(s, "h", "i", 7000);
    /* Two branches leave i: a sixteenth each, and an eighth of that for j's. */
    assert_weight(s, "i", "k", 56000 / 16);
    assert_weight(s, "i", "j", 56000 - 56000 / 16);
    assert_weight(s, "j", "x", (56000 - 56000 / 16) / 16 / 8);
    close_subject(s);
}

/* Halved eleven times, 1000 is less than one. */
static void test_no_edge_is_too_rare_to_weigh(void **state)
{
    struct subject *s = subject_of("graph g\na: b x\nb: c x\nc: d x\nd: e x\ne: f x\n"
                                   "f: g x\ng: h x\nh: i x\ni: j x\nj: k x\nk: l x\n"
                                   "l:\nx:\n");

    (void)state;
    assert_weight(s, "i", "j", 2);
    assert_weight(s, "k", "l", 1);
    close_subject(s);
}

static void test_given_weights_are_kept_and_never_zero(void **state)
{
    struct subject *s = subject_of("graph g\ns: a*90 b\na: c*0\nb: c*7\nc:\n");

    (void)state;
    assert_weight(s, "s", "a", 90);
    assert_weight(s, "s", "b", 1);
    assert_weight(s, "a", "c", 1);
    assert_weight(s, "b", "c", 7);
    close_subject(s);
}

/* --- spanning forests, by hand ------------------------------------------------- */

static void test_span_takes_the_heavy_edges(void **state)
{
    struct subject *s = subject_of("graph g\ns: a*5 b*3\na: s*99 c*300\nb: c*300\n"
                                   "c: c*1000\n");

    (void)state;
    assert_false(trod_has(s->tree, edge(s, "s", "a")));
    assert_false(trod_has(s->tree, edge(s, "s", "b")));
    assert_true(trod_has(s->tree, edge(s, "a", "s")));
    assert_true(trod_has(s->tree, edge(s, "a", "c")));
    assert_true(trod_has(s->tree, edge(s, "b", "c")));
    assert_false(trod_has(s->tree, edge(s, "c", "c")));
    close_subject(s);
}

static void test_span_breaks_ties_by_edge_number(void **state)
{
    struct subject *s = subject_of("graph g\ns: a*5 a*5 b*5\na: b*5\nb:\n");

    (void)state;
    assert_int_equal(s->tree[0], 1 << 0 | 1 << 2);
    close_subject(s);
}

/* --- size -------------------------------------------------------------------------- */

static void start(struct subject *s, struct trod_graph_builder *builder, uint32_t nnode)
{
    trod_arena_init(&s->mem, no_memory, NULL);
    trod_graph_builder_init(builder, "large", &s->mem);
    builder->nnode = nnode;
}

static void finish(struct subject *s, const struct trod_graph_builder *builder)
{
    trod_graph_build(&s->graph, builder);
    run_passes(s, &s->mem);
}

/* Loop k of the nest has the header k and the latch 2n - 1 - k. */
static void test_a_nest_as_deep_as_there_are_nodes(void **state)
{
    enum { DEPTH = 100000 };
    struct trod_graph_builder builder;
    struct subject s;

    (void)state;
    start(&s, &builder, 2 * DEPTH);
    for (trod_node v = 0; v < 2 * DEPTH; v++) {
        if (v + 1 < 2 * DEPTH)
            trod_graph_builder_add(&builder, v, v + 1);
        if (v >= DEPTH)
            trod_graph_builder_add(&builder, v, 2 * DEPTH - 1 - v);
    }
    finish(&s, &builder);
    assert_int_equal(s.loops.nloop, DEPTH);
    assert_int_equal(s.loops.depth_of_node[DEPTH], DEPTH);
    assert_int_equal(s.dom.idom_of_node[DEPTH], DEPTH - 1);
    /* One in eight leaves by the first edge, the others take the second. */
    assert_int_equal(s.weight[s.graph.first_out[DEPTH]], UINT64_C(1) << 47);
    assert_int_equal(s.weight[s.graph.first_out[DEPTH] + 1], UINT64_C(7) << 47);
    close_subject(&s);
}

/* Where Havlak's own algorithm and semi-NCA take squares: loops around a chain
 * that is entered everywhere from its side, and jumps that all end it.
 */
static void test_no_square_on_a_chain_entered_everywhere(void **state)
{
    enum { LENGTH = 100000 };
    struct trod_graph_builder builder;
    struct subject s;

    (void)state;
    start(&s, &builder, 2 * LENGTH);
    for (trod_node v = 0; v + 1 < LENGTH; v++) {
        trod_graph_builder_add(&builder, v, v + 1);
        trod_graph_builder_add(&builder, LENGTH - 1, v + 1);
    }
    for (trod_node v = LENGTH; v < 2 * LENGTH; v++) {
        trod_graph_builder_add(&builder, LENGTH - 1, v);
        trod_graph_builder_add(&builder, 0, v);
        trod_graph_builder_add(
            &builder, v, v - LENGTH / 2 < LENGTH ? v - LENGTH / 2 : v);
    }
    finish(&s, &builder);
    assert_int_equal(s.dom.idom_of_node[2 * LENGTH - 1], 0);
    assert_int_equal(s.loops.depth_of_node[LENGTH - 1], LENGTH - 1);
    assert_true(s.loops.irreducible_of_loop[0]);
    close_subject(&s);
}

/* --- which cuts close loops ---------------------------------------------------------------------------- */

static void test_cuts_that_close_no_loop(void **state)
{
    /* A limit on paths cut a -> b, in the loop, and c -> d, after it. */
    struct subject *s = subject_of("graph g\ns: a\na: >b\nb: >a c\nc: >d\nd:\n");
    struct trod_view view;

    (void)state;
    trod_graph_view(&view, &s->graph, NULL, &s->mem);
    assert_int_equal(view.dag.ncut, 3);
    assert_true(trod_has(view.dag.closing, edge(s, "b", "a")));
    assert_false(trod_has(view.dag.closing, edge(s, "a", "b")));
    assert_false(trod_has(view.dag.closing, edge(s, "c", "d")));
    close_subject(s);
}

static void test_cuts_that_close_no_loop_where_marks_say_what_is_cut(void **state)
{
    /* Of machine code: b -> a retreats and goes forward; a -> b goes back, d -> c goes back in no cycle. */
    struct subject *s = subject_of("graph g\ns: a b\nb: a\nc:\na: >b d\nd: >c\n");
    struct trod_view view;

    (void)state;
    s->graph.marked = true;
    assert_true(trod_has(s->order.retreating, edge(s, "b", "a")));
    trod_graph_view(&view, &s->graph, NULL, &s->mem);
    assert_int_equal(view.dag.ncut, 2);
    assert_true(trod_has(view.dag.closing, edge(s, "a", "b")));
    assert_false(trod_has(view.dag.closing, edge(s, "b", "a")));
    assert_false(trod_has(view.dag.closing, edge(s, "d", "c")));
    close_subject(s);
}

static void pass_without_memory(struct trod_arena *mem, void *ctx)
{
    struct trod_rng rng;
    struct subject s;

    (void)ctx;
    trod_rng_init(&rng, 1);
    kit_shape_structured(&s.graph, 100, kit_shape_from_rng, &rng, mem);
    run_passes(&s, mem);
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_in_range(kit_each_allocation_failure(pass_without_memory, NULL), 40, 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_follows_successors_as_written),
        cmocka_unit_test(test_order_leaves_out_what_is_not_reached),
        cmocka_unit_test(test_order_finds_retreating_edges),
        cmocka_unit_test(test_dominators_of_a_diamond_in_a_loop),
        cmocka_unit_test(test_only_the_virtual_exit_is_behind_several_exits),
        cmocka_unit_test(test_endless_loops_have_no_post_dominators),
        cmocka_unit_test(test_dominators_of_the_paper),
        cmocka_unit_test(test_loops_nest),
        cmocka_unit_test(test_retreating_edges_to_one_header_make_one_loop),
        cmocka_unit_test(test_a_second_way_in_makes_a_loop_irreducible),
        cmocka_unit_test(test_only_the_loops_entered_sideways_are_irreducible),
        cmocka_unit_test(test_loops_run_eight_times),
        cmocka_unit_test(test_what_leaves_two_loops_is_rarer),
        cmocka_unit_test(test_no_edge_is_too_rare_to_weigh),
        cmocka_unit_test(test_given_weights_are_kept_and_never_zero),
        cmocka_unit_test(test_span_takes_the_heavy_edges),
        cmocka_unit_test(test_span_breaks_ties_by_edge_number),
        cmocka_unit_test(test_a_nest_as_deep_as_there_are_nodes),
        cmocka_unit_test(test_no_square_on_a_chain_entered_everywhere),
        cmocka_unit_test(test_cuts_that_close_no_loop),
        cmocka_unit_test(test_cuts_that_close_no_loop_where_marks_say_what_is_cut),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
