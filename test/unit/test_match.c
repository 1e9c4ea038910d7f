/* match, repair, validate: examples worked by hand, functions that are large, and exhausted memory. What holds for all
 * functions is in prop_match.c, prop_repair.c and prop_validate.c.
 */
#include "kit/fixture.h"

#include <string.h>

#include "kit/shape.h"
#include "match/match.h"
#include "match/validate.h"

/* A function from a numbering, or from a graph that is then numbered; a hash for each block, in order. */
static struct trod_map_entry entry_of(
    const char *text, const uint64_t *hash, struct trod_arena *mem)
{
    struct trod_graph *graph = trod_new(mem, struct trod_graph, 1);
    struct trod_view *view = trod_new(mem, struct trod_view, 1);
    struct trod_map_entry entry = {.name = "f", .hash_of_node = hash};
    struct trod_text cursor;
    bool more;

    trod_text_init(&cursor, "graph", text, strlen(text));
    must(trod_graph_parse(graph, &more, &cursor, mem, &have.err));
    trod_graph_view(view, graph, NULL, mem);
    must(trod_number_ballarus(&entry.numbering, &view->dag, mem, &have.err));
    trod_chain_init(&entry.chain, &entry.numbering, 1);
    return entry;
}

static trod_path path_of(const struct trod_map_entry *entry, const char *trail)
{
    struct trod_text cursor;
    struct trod_trail parsed;
    trod_path id;

    trod_text_init(&cursor, "trail", trail, strlen(trail));
    must(trod_trail_parse(
        &parsed, &cursor, entry->numbering.dag->graph, &have.mem, &have.err));
    must(trod_trail_encode(&id, &parsed, &entry->numbering, &have.err));
    return id;
}

/* The old path moves to the new one; NULL: to none. */
static void assert_moves(const struct trod_match *m, const char *old, const char *new)
{
    trod_path id = path_of(m->old, old), to;
    bool moved = trod_match_path(&to, m, id, &have.mem);

    assert_int_equal(moved, new != NULL);
    if (new)
        assert_int_equal(to, path_of(m->later, new));
}

/* A loop with a decision in it, and a block after it. */
static const char loop_text[] = "graph f\ns: h\nh: b x\nb: c d\nc: l\nd: l\nl: h\nx:\n";
static const uint64_t loop_hash[] = {1, 2, 3, 4, 5, 6, 7};

static void test_same(void **state)
{
    struct trod_map_entry old = entry_of(loop_text, loop_hash, &have.mem);
    struct trod_match m;

    (void)state;
    trod_match_build(&m, &old, &old, &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_true(m.same);
    assert_int_equal(m.nloop_old, 1);
    assert_true(trod_has(m.same_loop, 0));
    assert_moves(&m, "> h b c l > h", "> h b c l > h");
}

/* Another decision before the loop: paths of the loop move, the first one does not. */
static void test_inserted(void **state)
{
    static const uint64_t hash[] = {1, 8, 2, 3, 4, 5, 6, 7};
    struct trod_map_entry old = entry_of(loop_text, loop_hash, &have.mem);
    struct trod_map_entry new =
        entry_of("graph f\ns: n\nn: h x\nh: b x\nb: c d\nc: l\nd: l\nl: h\nx:\n", hash,
            &have.mem);
    struct trod_match m;

    (void)state;
    trod_match_build(&m, &old, &new, &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_false(m.same);
    assert_int_equal(m.old_of_new[1], TROD_NONE);
    assert_true(trod_has(m.same_loop, 0));
    assert_moves(&m, "> h b c l > h", "> h b c l > h");
    assert_moves(&m, "> h x", "> h x");
    assert_moves(&m, "s h x", NULL);
}

/* A block in the loop does something else: it is matched by its place, and the loop is not the same. */
static void test_edited(void **state)
{
    static const uint64_t hash[] = {1, 2, 3, 44, 5, 6, 7};
    struct trod_map_entry old = entry_of(loop_text, loop_hash, &have.mem);
    struct trod_map_entry new = entry_of(loop_text, hash, &have.mem);
    struct trod_moved moved;
    struct trod_match m;
    trod_path id[2];
    uint64_t count[2] = {5, 7};

    (void)state;
    trod_match_build(&m, &old, &new, &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_int_equal(m.new_of_old[3], 3);
    assert_false(trod_has(m.same_of_old, 3));
    assert_int_equal(m.loop_of_old[0], 0);
    assert_false(trod_has(m.same_loop, 0));
    id[0] = path_of(&old, "> h b c l > h");
    id[1] = path_of(&old, "> h b d l > h");
    trod_match_move(&moved, &m, id, count, 2, &have.mem);
    assert_int_equal(moved.moved, 12);
    assert_int_equal(moved.weak, 5);
}

/* The block that decides is the same, and leads elsewhere: what it decided is unknown any more. */
static void test_swapped(void **state)
{
    struct trod_map_entry old = entry_of(loop_text, loop_hash, &have.mem);
    struct trod_map_entry new = entry_of(
        "graph f\ns: h\nh: b x\nb: d c\nc: l\nd: l\nl: h\nx:\n", loop_hash, &have.mem);
    struct trod_match m;

    (void)state;
    trod_match_build(&m, &old, &new, &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_true(trod_has(m.same_of_old, 2));
    assert_moves(&m, "> h b c l > h", NULL);
    assert_moves(&m, "> h x", "> h x");
    assert_false(trod_has(m.same_loop, 0));
}

/* Without hashes: by place, if the shape is the same; and nothing is called the same. */
static void test_no_hashes(void **state)
{
    struct trod_map_entry old = entry_of(loop_text, NULL, &have.mem);
    struct trod_map_entry new = entry_of(loop_text, loop_hash, &have.mem);
    struct trod_map_entry other =
        entry_of("graph f\ns: h x\nh: b x\nb: c d\nc: l\nd: l\nl: h\nx:\n", loop_hash,
            &have.mem);
    struct trod_match m;

    (void)state;
    trod_match_build(&m, &old, &new, &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_false(m.hashed);
    assert_false(m.same);
    assert_false(trod_has(m.same_loop, 0));
    assert_moves(&m, "> h b c l > h", "> h b c l > h");
    trod_match_build(&m, &old, &other, &have.mem);
    must(trod_match_check(&m, &have.err));
    for (trod_node v = 1; v < 7; v++)
        assert_int_equal(m.new_of_old[v], TROD_NONE);
    old.meaning = new.meaning = 9;
    trod_match_build(&m, &old, &new, &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_true(m.same);
}

/* An edge is cut in the new version only: one path becomes two. If it is cut in the old one only, the path is lost. */
static void test_pieces(void **state)
{
    static const char cut[] = "graph f\ns: h\nh: b x\nb: >c d\nc: l\nd: l\nl: h\nx:\n";
    struct trod_map_entry old = entry_of(loop_text, loop_hash, &have.mem);
    struct trod_map_entry new = entry_of(cut, loop_hash, &have.mem);
    struct trod_match m;
    trod_path piece[16], one;

    (void)state;
    trod_match_build(&m, &old, &new, &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_false(m.same);
    assert_int_equal(
        trod_match_pieces(piece, &m, path_of(&old, "> h b c l > h"), &have.mem), 2);
    assert_int_equal(piece[0], path_of(&new, "> h b > c"));
    assert_int_equal(piece[1], path_of(&new, "> c l > h"));
    assert_false(trod_match_path(&one, &m, path_of(&old, "> h b c l > h"), &have.mem));
    trod_match_build(&m, &new, &old, &have.mem);
    assert_moves(&m, "> h b d l > h", "> h b d l > h");
    assert_moves(&m, "> h b > c", NULL);
    assert_moves(&m, "> c l > h", NULL);
}

/* Rows of paths, with another decision after the loop, so that other ids are of the same paths. */
static void test_chains(void **state)
{
    static const uint64_t hash[] = {1, 2, 3, 4, 5, 6, 7, 8};
    struct trod_map_entry old = entry_of(loop_text, loop_hash, &have.mem);
    struct trod_map_entry new = entry_of(
        "graph f\ns: h\nh: b x\nb: c d\nc: l\nd: l e\nl: h\nx:\ne:\n", hash, &have.mem);
    struct trod_match m;
    trod_path first, second, chain, moved;

    (void)state;
    trod_chain_init(&old.chain, &old.numbering, 2);
    trod_chain_init(&new.chain, &new.numbering, 2);
    trod_match_build(&m, &old, &new, &have.mem);
    first = path_of(&old, "s h b c l > h");
    second = path_of(&old, "> h x");
    chain = trod_chain_add(&old.chain, trod_chain_add(&old.chain, 0, first), second);
    assert_true(trod_match_chain(&moved, &m, chain, &have.mem));
    first = path_of(&new, "s h b c l > h");
    second = path_of(&new, "> h x");
    assert_int_equal(moved,
        trod_chain_add(&new.chain, trod_chain_add(&new.chain, 0, first), second));
    trod_chain_init(&new.chain, &new.numbering, 3);
    assert_false(trod_match_chain(&moved, &m, chain, &have.mem));
}

/* Blocks all alike but for a few, in a function of 20,000; and one with 20,000 ways out. */
static void test_large(void **state)
{
    struct trod_rng rng;
    struct trod_map_entry old = {.name = "f"}, new;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_limit_report report;
    struct trod_limit limit = {.most = 1 << 20};
    struct trod_match m;
    uint64_t *a, *b;
    uint32_t nsame = 0;

    (void)state;
    trod_rng_init(&rng, 9);
    kit_shape_structured(&graph, 20000, kit_shape_from_rng, &rng, &have.mem);
    must(trod_number_limit(&view, &report, &graph, &limit, &have.mem, &have.err));
    must(trod_number_ballarus(&old.numbering, &view.dag, &have.mem, &have.err));
    a = trod_new(&have.mem, uint64_t, graph.nnode);
    b = trod_new(&have.mem, uint64_t, graph.nnode);
    for (trod_node v = 0; v < graph.nnode; v++) {
        a[v] = trod_rng_below(&rng, 4);
        b[v] = trod_rng_below(&rng, 10) ? a[v] : 4 + trod_rng_below(&rng, 4);
    }
    new = old;
    old.hash_of_node = a;
    new.hash_of_node = b;
    trod_match_build(&m, &old, &new, &have.mem);
    must(trod_match_check(&m, &have.err));
    for (trod_node v = 0; v < graph.nnode; v++)
        nsame += trod_has(m.same_of_old, v);
    assert_true(nsame >= graph.nnode / 10 * 8);
}

static void test_wide(void **state)
{
    enum { WAYS = 20000 };
    struct trod_graph_builder builder;
    struct trod_graph graph[2];
    struct trod_view view[2];
    struct trod_map_entry entry[2];
    struct trod_match m;

    (void)state;
    for (uint32_t k = 0; k < 2; k++) {
        uint64_t *hash = trod_new(&have.mem, uint64_t, WAYS + 2);

        trod_graph_builder_init(&builder, "f", &have.mem);
        builder.nnode = WAYS + 2;
        for (uint32_t i = 0; i < WAYS; i++)
            trod_graph_builder_add(&builder, 0, 2 + (k ? WAYS - 1 - i : i));
        for (uint32_t i = 0; i < WAYS; i++)
            trod_graph_builder_add(&builder, 2 + i, 1);
        trod_graph_build(&graph[k], &builder);
        trod_graph_view(&view[k], &graph[k], NULL, &have.mem);
        entry[k] = (struct trod_map_entry){.name = "f", .hash_of_node = hash};
        must(trod_number_ballarus(
            &entry[k].numbering, &view[k].dag, &have.mem, &have.err));
        hash[0] = k;
        for (uint32_t i = 0; i < WAYS; i++)
            hash[2 + i] = 7 + (k ? WAYS - 1 - i : i) % 1000;
    }
    trod_match_build(&m, &entry[0], &entry[1], &have.mem);
    must(trod_match_check(&m, &have.err));
    assert_int_equal(m.new_of_old[1], 1);
}

/* --- repair ----------------------------------------------------------------------------------------------------- */

static struct trod_graph graph_of(const char *text)
{
    struct trod_graph graph;
    struct trod_text cursor;
    bool more;

    trod_text_init(&cursor, "graph", text, strlen(text));
    must(trod_graph_parse(&graph, &more, &cursor, &have.mem, &have.err));
    return graph;
}

/* Of a branch and what comes together after it, one edge is forgotten: it follows from the others. */
static void test_unknown_edge(void **state)
{
    struct trod_graph graph = graph_of("graph f\ns: a b\na: t\nb: t\nt:\n");
    uint64_t count[] = {30, 70, 30, 0}, flow[4], entries;
    uint8_t known[] = {100, 100, 100, 0};
    struct trod_repair r = {&graph, count, known, 0, 0};

    (void)state;
    trod_repair_flow(flow, &entries, &r, &have.mem);
    assert_int_equal(flow[3], 70);
    assert_int_equal(entries, 100);
    assert_int_equal(trod_repair_cost(&r, flow, entries), 0);
}

/* What is less sure is changed. */
static void test_less_sure(void **state)
{
    struct trod_graph graph = graph_of("graph f\ns: a b\na: t\nb: t\nt:\n");
    uint64_t count[] = {30, 70, 40, 70}, flow[4], entries;
    uint8_t known[] = {90, 100, 10, 100};
    struct trod_repair r = {&graph, count, known, 100, 100};

    (void)state;
    assert_int_equal(trod_repair_fault(&graph, count, 100, &have.mem), 1);
    trod_repair_flow(flow, &entries, &r, &have.mem);
    assert_int_equal(flow[0], 30);
    assert_int_equal(flow[2], 30);
    assert_int_equal(trod_repair_cost(&r, flow, entries), 100);
    assert_int_equal(trod_repair_fault(&graph, flow, entries, &have.mem), TROD_NONE);
}

/* Abandoned where three edges would have to be changed otherwise; in an endless loop; and in unreachable code. */
static void test_no_end(void **state)
{
    struct trod_graph graph =
        graph_of("graph f\ns: h\nh: b\nb!: h t\nt: y\ny: z\nz:\nu: w\nw: u\n");
    uint64_t count[] = {5, 100, 95, 2, 2, 2, 9, 9}, flow[8], entries;
    uint8_t known[] = {100, 100, 100, 100, 100, 100, 100, 100};
    struct trod_repair r = {&graph, count, known, 5, 100};
    struct trod_graph endless = graph_of("graph f\ns: a\na: h\nh: h\n");
    uint64_t iterations[] = {3, 3, 1000};

    (void)state;
    trod_repair_flow(flow, &entries, &r, &have.mem);
    assert_memory_equal(flow, count, 6 * sizeof *flow);
    assert_int_equal(flow[6] + flow[7], 0);
    assert_int_equal(trod_repair_fault(&graph, flow, entries, &have.mem), TROD_NONE);
    r = (struct trod_repair){&endless, iterations, known, 3, 100};
    trod_repair_flow(flow, &entries, &r, &have.mem);
    assert_memory_equal(flow, iterations, sizeof iterations);
    assert_int_equal(entries, 3);
}

/* 20,000 blocks and counts of 2^60 that have nothing to do with each other. */
static void test_large_repair(void **state)
{
    struct trod_rng rng;
    struct trod_graph graph;
    uint64_t *count, *flow, entries;
    uint8_t *known;
    struct trod_repair r;

    (void)state;
    trod_rng_init(&rng, 4);
    kit_shape_structured(&graph, 20000, kit_shape_from_rng, &rng, &have.mem);
    count = trod_new(&have.mem, uint64_t, graph.nedge);
    flow = trod_new(&have.mem, uint64_t, graph.nedge);
    known = trod_new(&have.mem, uint8_t, graph.nedge);
    for (trod_edge e = 0; e < graph.nedge; e++) {
        count[e] = trod_rng_below(&rng, UINT64_C(1) << trod_rng_below(&rng, 61));
        known[e] = (uint8_t)(trod_rng_below(&rng, 5) * 25);
    }
    r = (struct trod_repair){&graph, count, known, 1000, 100};
    trod_repair_flow(flow, &entries, &r, &have.mem);
    assert_int_equal(trod_repair_fault(&graph, flow, entries, &have.mem), TROD_NONE);
    for (trod_edge e = 0; e < graph.nedge; e++)
        count[e] = UINT64_MAX;
    trod_repair_flow(flow, &entries, &r, &have.mem);
    assert_int_equal(trod_repair_fault(&graph, flow, entries, &have.mem), TROD_NONE);
}

/* --- validate ------------------------------------------------------------------------------------------------------ */

static struct trod_entries entries_of(
    struct trod_entry *entry, uint32_t n, const uint64_t *count, enum trod_how how)
{
    for (uint32_t i = 0; i < n; i++)
        entry[i] = (struct trod_entry){
            .function = "f", .part = i, .count = count[i], .how = how};
    return (struct trod_entries){.nentry = n, .entry = entry};
}

static struct trod_validated validate(const uint64_t *was, const uint64_t *now,
    uint32_t n, enum trod_how how, const uint64_t calls[2], bool whole)
{
    struct trod_entry *e = trod_new(&have.mem, struct trod_entry, 2 * (size_t)n + 2);
    struct trod_entries *list = trod_new(&have.mem, struct trod_entries, 4);
    struct trod_validate_options options = {.whole = whole};
    struct trod_validate_run run = {&list[0], &list[1], NULL, NULL};
    struct trod_validated out;

    list[0] = entries_of(e, n, was, how);
    list[1] = entries_of(e + n, n, now, TROD_HOW_NONE);
    if (calls) {
        list[2] = entries_of(e + 2 * (size_t)n, 1, calls, TROD_HOW_NONE);
        list[3] = entries_of(e + 2 * (size_t)n + 1, 1, calls + 1, TROD_HOW_NONE);
        run.calls_was = &list[2];
        run.calls_now = &list[3];
    }
    trod_validate_build(&out, &run, 1, &options, &have.mem);
    must(trod_validate_check(&out, &have.err));
    return out;
}

#define COUNTS(...) ((const uint64_t[]){__VA_ARGS__})

/* The examples of validate.h. */
static void test_reusable(void **state)
{
    struct trod_validated v =
        validate(COUNTS(5, 7, 0), COUNTS(5, 8, 0), 3, TROD_HOW_REUSED, NULL, false);

    (void)state;
    assert_int_equal(v.entry[0].verdict.how, TROD_HOW_VALIDATED);
    assert_int_equal(v.entry[1].verdict.kind, TROD_VERDICT_WITHDRAW);
    assert_true(v.entry[1].verdict.trust <= 0);
    assert_int_equal(v.entry[2].verdict.how, TROD_HOW_REUSED);
    v = validate(COUNTS(5, 7, 0), COUNTS(5, 8, 0), 3, TROD_HOW_REUSED, NULL, true);
    assert_int_equal(v.nverdict[TROD_VERDICT_WITHDRAW], 3);
    v = validate(
        COUNTS(1, 1, 1, 0), COUNTS(2, 2, 2, 0), 4, TROD_HOW_REUSED, NULL, false);
    assert_int_equal(v.nverdict[TROD_VERDICT_WITHDRAW], 4);
    v = validate(
        COUNTS(1, 1, 0), COUNTS(1, 1, 0), 3, TROD_HOW_REUSED, COUNTS(1, 2), false);
    assert_int_equal(v.nverdict[TROD_VERDICT_WITHDRAW], 3);
}

static void test_affected(void **state)
{
    struct trod_validated v =
        validate(COUNTS(5, 0), COUNTS(5, 0), 2, TROD_HOW_NONE, NULL, false);
    struct trod_entry other = {.function = "g"};

    (void)state;
    assert_int_equal(v.entry[0].verdict.kind, TROD_VERDICT_GRANT);
    assert_int_equal(v.entry[1].verdict.kind, TROD_VERDICT_REFUSE);
    assert_int_equal(trod_validate_find(&v, &other, false).kind, TROD_VERDICT_REFUSE);
    assert_int_equal(trod_validate_find(&v, &other, true).kind, TROD_VERDICT_KEEP);
    v = validate(
        COUNTS(1, 2, 3, 4, 0), COUNTS(1, 2, 3, 4, 0), 5, TROD_HOW_NONE, NULL, false);
    assert_int_equal(v.nverdict[TROD_VERDICT_GRANT], 5);
    assert_int_equal(v.entry[4].verdict.how, TROD_HOW_REUSED);
    v = validate(COUNTS(1, 0), COUNTS(1, 0), 2, TROD_HOW_NONE, NULL, true);
    assert_int_equal(v.nverdict[TROD_VERDICT_GRANT], 2);
    v = validate(COUNTS(1, 2), COUNTS(1, 3), 2, TROD_HOW_NONE, NULL, false);
    assert_int_equal(v.nverdict[TROD_VERDICT_REFUSE], 2);
}

/* --- memory --------------------------------------------------------------------------------------------------------- */

static void do_all(struct trod_arena *mem, void *ctx)
{
    static const uint64_t hash[] = {1, 2, 3, 44, 5, 6, 6};
    static const uint64_t count[] = {3, 1, 2, 3};
    struct trod_map_entry old = entry_of(loop_text, loop_hash, mem);
    struct trod_map_entry new =
        entry_of("graph f\ns: h\nh: b x\nb: c d\nc: l\nd: l x\nl: h\nx:\n", hash, mem);
    struct trod_entry e[1] = {{.function = "f", .count = 1}};
    struct trod_entries list = {.nentry = 1, .entry = e};
    struct trod_validate_run run = {&list, &list, NULL, NULL};
    struct trod_validate_options options = {0};
    struct trod_validated validated;
    struct trod_moved moved;
    struct trod_match m;
    uint64_t flow[16], entries, thought[16] = {0};
    uint8_t known[16] = {100, 50};
    struct trod_repair r = {old.numbering.dag->graph, thought, known, 3, 100};

    (void)ctx;
    thought[1] = 7;
    trod_match_build(&m, &old, &new, mem);
    trod_match_move(&moved, &m, (const trod_path[]){0, 1, 2, 3}, count, 4, mem);
    trod_repair_flow(flow, &entries, &r, mem);
    trod_validate_build(&validated, &run, 1, &options, mem);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(do_all, NULL) > 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(test_same), TEST(test_inserted),
        TEST(test_edited), TEST(test_swapped), TEST(test_no_hashes), TEST(test_pieces),
        TEST(test_chains), TEST(test_large), TEST(test_wide), TEST(test_unknown_edge),
        TEST(test_less_sure), TEST(test_no_end), TEST(test_large_repair),
        TEST(test_reusable), TEST(test_affected), TEST(test_memory)};

    return cmocka_run_group_tests_name("match", tests, NULL, NULL);
}
