/* The random shapes keep what their options promise. */
#include "kit/kit.h"

#include <stdlib.h>

#include "graph/graph.h"
#include "kit/shape.h"

static void no_memory(void *ctx)
{
    (void)ctx;
    abort();
}

static uint64_t draw(void *p, uint64_t bound)
{
    return kit_draw(p, bound);
}

static bool has_parallel(const struct trod_graph *g)
{
    for (trod_edge e = 0; e < g->nedge; e++)
        for (trod_edge f = e + 1; f < g->first_out[g->src_of_edge[e] + 1]; f++)
            if (g->dst_of_edge[e] == g->dst_of_edge[f])
                return true;
    return false;
}

static bool has_irreducible(const struct trod_loops *loops)
{
    for (uint32_t l = 0; l < loops->nloop; l++)
        if (loops->irreducible_of_loop[l])
            return true;
    return false;
}

static bool all_reach_an_exit(const struct trod_graph *g, struct trod_arena *mem)
{
    bool *ends = trod_new(mem, bool, g->nnode), changed = true;
    uint32_t nend = 0;

    while (changed) {
        changed = false;
        for (trod_node v = 0; v < g->nnode; v++) {
            bool end = g->first_out[v] == g->first_out[v + 1];

            for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
                end = end || ends[g->dst_of_edge[e]];
            changed = changed || end != ends[v];
            nend += end != ends[v];
            ends[v] = end;
        }
    }
    return nend == g->nnode;
}

static bool is_promised(const struct trod_graph *g, const struct kit_shape_options *opt,
    struct trod_arena *mem)
{
    struct trod_order order;
    struct trod_loops loops;

    trod_graph_order(&order, g, mem);
    trod_graph_loops(&loops, g, &order, mem);
    return (opt->cycles || opt->irreducible || order.nretreating == 0) &&
           (opt->irreducible || !has_irreducible(&loops)) &&
           (opt->parallel || !has_parallel(g)) &&
           (opt->unreachable || order.nreach == g->nnode) &&
           (opt->no_exit || all_reach_an_exit(g, mem)) &&
           (opt->shuffled || g->entry == 0) &&
           opt->named == (g->name_of_node != NULL) && g->nnode <= 12;
}

/* Draws a shape with some options, and holds it to those that are not in `lie`. */
static bool keeps_its_promises(struct kit_prop *p, void *ctx)
{
    const uint64_t *lie = ctx;
    uint64_t flags = kit_draw(p, 128);
    struct kit_shape_options opt = {
        .cycles = flags & 1,
        .irreducible = flags & 2,
        .parallel = flags & 4,
        .unreachable = flags & 8,
        .no_exit = flags & 16,
        .shuffled = flags & 32,
        .named = flags & 64,
    };
    struct trod_arena mem;
    struct trod_graph g;
    struct trod_string text;
    bool ok;

    trod_arena_init(&mem, no_memory, NULL);
    kit_shape(&g, &opt, draw, p, &mem);
    opt.cycles = (opt.cycles || opt.irreducible) && !(*lie & 1);
    opt.irreducible = opt.irreducible && !(*lie & 3);
    opt.parallel = opt.parallel && !(*lie & 4);
    opt.unreachable = opt.unreachable && !(*lie & 8);
    opt.no_exit = opt.no_exit && !(*lie & 16);
    opt.shuffled = opt.shuffled && !(*lie & 32);
    ok = is_promised(&g, &opt, &mem);
    trod_string_init(&text, &mem);
    trod_graph_print(&text.sink, &g);
    kit_note(p, "%s", text.text);
    trod_arena_free(&mem);
    return ok;
}

static void test_shapes_keep_their_promises(void **state)
{
    uint64_t lie = 0;

    (void)state;
    kit_check("shape", keeps_its_promises, &lie);
}

/* Each option makes a difference that the check sees. */
static void test_shapes_use_their_freedom(void **state)
{
    (void)state;
    for (uint64_t lie = 1; lie < 64; lie *= 2)
        kit_check_planted("shape.planted", keeps_its_promises, &lie);
}

static uint64_t zero(void *ctx, uint64_t bound)
{
    (void)ctx;
    (void)bound;
    return 0;
}

static void test_zeros_give_the_plainest_shape(void **state)
{
    struct kit_shape_options opt = {.irreducible = true,
        .parallel = true,
        .unreachable = true,
        .no_exit = true,
        .shuffled = true};
    struct trod_arena mem;
    struct trod_graph g;

    (void)state;
    trod_arena_init(&mem, no_memory, NULL);
    kit_shape(&g, &opt, zero, NULL, &mem);
    assert_int_equal(g.nnode, 1);
    assert_int_equal(g.nedge, 0);
    kit_shape_structured(&g, 5, zero, NULL, &mem);
    assert_int_equal(g.nnode, 5);
    assert_int_equal(g.nedge, 4);
    trod_arena_free(&mem);
}

/* Not one kind of statement is missing: the proportions are those of the draws. */
static void test_structured_code_is_reducible(void **state)
{
    struct trod_rng rng;
    struct trod_arena mem;
    struct trod_graph g;
    struct trod_order order;
    struct trod_loops loops;

    (void)state;
    trod_rng_init(&rng, 1);
    trod_arena_init(&mem, no_memory, NULL);
    kit_shape_structured(&g, 50000, kit_shape_from_rng, &rng, &mem);
    trod_graph_order(&order, &g, &mem);
    trod_graph_loops(&loops, &g, &order, &mem);
    assert_int_equal(order.nreach, g.nnode);
    assert_in_range(g.nnode, 50000, 50100);
    assert_in_range(g.nedge, 65000, 85000);
    assert_in_range(loops.nloop, 2500, 5000);
    assert_false(has_irreducible(&loops));
    trod_arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_keep_their_promises),
        cmocka_unit_test(test_shapes_use_their_freedom),
        cmocka_unit_test(test_zeros_give_the_plainest_shape),
        cmocka_unit_test(test_structured_code_is_reducible),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("shape", tests, NULL, NULL);
}
