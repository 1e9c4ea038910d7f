/* Flows: counts that saturate, parts, supergraphs, files of one name, jumps after loops, what is lost; and memory that ends.
 * Against a walk they are held in test/prop/prop_flow.c.
 */
#include "kit/fixture.h"

#include <assert.h>
#include <string.h>

#include "flow/annotate.h"
#include "flow/flow.h"

/* A loop in a loop, on lines 2 and 3, with a way out of both on line 4; the inner loop's end, block 5, has line 4, too.
 *
 *     0: 1   1: 2   2: 3   3: 4 (return)   4: 3 (next)   5: 4 (jump)   6: 2 (next)   7: 5
 */
static const char graph_text[] =
    "graph f\n0: 1\n1: 2 7\n2: 3 5\n3: 8 4\n4: 2\n5: 6\n6: 1\n7: 8\n8:\n";

static const char line_text[] =
    "lines f\n0: 1\n1: 2\n2: 3\n3: 3\n4: 3\n5: 4\n6: 2\n7: 5\n8: 6\n";

static struct trod_map *map_of(const char *more)
{
    struct trod_map *map = trod_new(&have.mem, struct trod_map, 1);
    struct trod_view view;
    struct trod_graph graph;
    struct trod_numbering bl;
    struct trod_string text;
    struct trod_text in;
    bool more_graphs;

    trod_text_init(&in, "graph", graph_text, sizeof graph_text - 1);
    must(trod_graph_parse(&graph, &more_graphs, &in, &have.mem, &have.err));
    trod_graph_view(&view, &graph, NULL, &have.mem);
    must(trod_number_ballarus(&bl, &view.dag, &have.mem, &have.err));
    trod_string_init(&text, &have.mem);
    trod_put(&text.sink,
        "unit u.c source\ndirectory \"/w/a\"\n"
        "function f 0000000000000001 0000000000000002 0000000000000003\nfile \"../b/f.c\"\n");
    trod_number_print(&text.sink, &bl);
    trod_put(&text.sink, "%s%s", line_text, more);
    trod_text_init(&in, "map", text.text, text.length);
    must(trod_map_parse(map, &in, &have.mem, &have.err));
    return map;
}

static struct trod_profile *profile_of(
    const struct trod_map *map, const char *counted, const char *paths)
{
    struct trod_profile *profile = trod_new(&have.mem, struct trod_profile, 1);
    struct trod_string text;
    struct trod_text in;
    bool more;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink,
        "profile\nmodule app source\nfunction 0000000000000001 0000000000000002 "
        "0000000000000003 %llu%s\n%s",
        (unsigned long long)map->entry[0].numbering.npath, counted, paths);
    trod_text_init(&in, "profile", text.text, text.length);
    must(trod_profile_parse(profile, &more, &in, &have.mem, &have.err));
    return profile;
}

/* The id of a path, as people write it. */
static uint64_t id_of(const struct trod_map *map, const char *trail)
{
    struct trod_text in;
    struct trod_trail read;
    trod_path id;

    trod_text_init(&in, "trail", trail, strlen(trail));
    must(trod_trail_parse(
        &read, &in, map->entry[0].numbering.dag->graph, &have.mem, &have.err));
    must(trod_trail_encode(&id, &read, &map->entry[0].numbering, &have.err));
    return id;
}

/* Paths with counts, ascending by id as profiles have them. */
static const char *paths_of(const struct trod_map *map, const char *const trail[],
    const char *const count[], int n)
{
    struct trod_string text;
    uint64_t last = 0;

    trod_string_init(&text, &have.mem);
    for (int k = 0; k < n; k++) {
        int at = -1;

        for (int i = 0; i < n; i++)
            if ((!k || id_of(map, trail[i]) > last) &&
                (at < 0 || id_of(map, trail[i]) < id_of(map, trail[at])))
                at = i;
        assert(at >= 0);
        last = id_of(map, trail[at]);
        trod_put(&text.sink, "=%llu %s\n", (unsigned long long)last, count[at]);
    }
    return text.text;
}

/* Entered once; three iterations of the inner loop; its end; out by the outer one. */
static const char *const trails[] = {
    "0 1 2 3 4 > 2", "> 2 3 4 > 2", "> 2 5 6 > 1", "> 1 7 8", "> 1 2 3 8"};
static const char *const once[] = {"1", "2", "1", "1", "1"};

static uint64_t line_count(const struct trod_flow_source *s, uint32_t line)
{
    for (uint32_t i = 0; i < s->nrow; i++)
        if (s->row[i].line == line)
            return s->row[i].count;
    return UINT64_MAX;
}

static struct trod_flow_source *source_of(struct trod_flows *flows,
    const struct trod_map *map, const struct trod_profile *profile)
{
    struct trod_flow_source *source;

    must(trod_flows_build(flows, profile, map, &have.mem, &have.err));
    assert_int_equal(trod_flow_sources(&source, flows, &have.mem), 1);
    must(trod_flow_source_check(source, &have.err));
    must(trod_flow_check(&flows->of_entry[0], &have.err));
    return source;
}

static void test_lines(void **state)
{
    struct trod_map *map = map_of("");
    struct trod_flow_source *s;
    struct trod_flows flows;

    (void)state;
    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    assert_string_equal(s->path, "/w/b/f.c");
    assert_int_equal(flows.of_entry[0].entered, 1);
    assert_int_equal(line_count(s, 1), 1);
    assert_int_equal(line_count(s, 2), 2); /* entered, and from the inner loop's end */
    assert_int_equal(line_count(s, 3), 4); /* entered, and three iterations */
    assert_int_equal(line_count(s, 5), 1);
    assert_int_equal(line_count(s, 4), 1);
}

/* The inner loop's end has the line of something else. */
static void test_jumps(void **state)
{
    struct trod_map *map;
    struct trod_flow_source *s;
    struct trod_flows flows;
    const char *more = "jumps f 5\n";

    (void)state;
    map = map_of(more);
    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    /* No other block has it. */
    assert_int_equal(line_count(s, 4), 1);
    ((uint32_t *)(uintptr_t)map->entry[0].line)[7] = 4;
    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    /* Block 7 has it, and the loop has not: it is no line that the loop's body ends on. */
    assert_int_equal(line_count(s, 4), 2);
    map = map_of(more);
    ((uint32_t *)(uintptr_t)map->entry[0].line)[3] = 4;
    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    /* Block 3 has it, in the loop: it ran three times, and block 5 is not counted. */
    assert_int_equal(line_count(s, 4), 3);
    map = map_of("");
    ((uint32_t *)(uintptr_t)map->entry[0].line)[3] = 4;
    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    assert_int_equal(line_count(s, 4), 4);
}

static bool is_unknown(const struct trod_flow_source *s, uint32_t line)
{
    for (uint32_t i = 0; i < s->nrow; i++)
        if (s->row[i].line == line)
            return s->row[i].unknown;
    return false;
}

/* A line that did not run, and became part of a block that did, may have run; one that ran did. */
static void test_merged(void **state)
{
    static const struct {
        const char *more;
        bool unknown;
    } want[] = {{"", false}, {"merged f 1 5\n", true}, {"merged f 8 5\n", false},
        {"merged f 8 5 0 5\n", true}, {"merged f 1 4\nmerged f 2 5 0 77\n", true}};
    struct trod_flow_source *s;
    struct trod_flows flows;

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct trod_map *map = map_of(want[i].more);

        s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 3)));
        assert_int_equal(line_count(s, 5), 0);
        assert_int_equal(is_unknown(s, 5), want[i].unknown);
        assert_int_equal(line_count(s, 4), 1);
        assert_false(is_unknown(s, 4));
        assert_true(line_count(s, 77) == UINT64_MAX);
    }
}

static void test_saturates(void **state)
{
    static const char *const many[] = {"18446744073709551615", "18446744073709551615",
        "18446744073709551615", "1", "5"};
    struct trod_map *map = map_of("");
    struct trod_flow_source *s;
    struct trod_flows flows;

    (void)state;
    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, many, 5)));
    assert_int_equal(flows.of_entry[0].count_of_node[2], UINT64_MAX);
    assert_int_equal(line_count(s, 3), UINT64_MAX);
}

/* An iteration that was begun and did not end. */
static void test_lost(void **state)
{
    struct trod_map *map = map_of("");
    struct trod_flows flows;
    struct trod_flow_lost lost;

    (void)state;
    source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 3)));
    lost = trod_flow_lost(&flows.of_entry[0]);
    assert_int_equal(lost.lost, 1);
    assert_int_equal(lost.before, 0);
    source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    assert_int_equal(trod_flow_lost(&flows.of_entry[0]).lost, 0);
}

static void test_partial(void **state)
{
    struct trod_map *map = map_of("");
    struct trod_profile *profile = profile_of(map, " chosen", "slots =0\n=0 3\n");
    struct trod_flows flows;

    (void)state;
    assert_false(trod_flows_build(&flows, profile, map, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    trod_flows_build_any(&flows, profile, map, &have.mem);
    assert_true(flows.of_entry[0].partial);
    must(trod_flow_check(&flows.of_entry[0], &have.err));
}

/* The validator sees what does not add up. */
static void test_check(void **state)
{
    struct trod_map *map = map_of("");
    struct trod_flow_source *s;
    struct trod_flows flows;

    (void)state;
    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    flows.of_entry[0].count_of_edge[0]++;
    assert_false(trod_flow_check(&flows.of_entry[0], &have.err));
    assert_int_equal(have.err.code, TROD_E_INTERNAL);
    ((struct trod_flow_way *)(uintptr_t)s->decision[0].way)[0].count++;
    assert_false(trod_flow_source_check(s, &have.err));
}

/* --- unfinished paths ---------------------------------------------------------------------------- */

static void put_function(
    struct trod_sink *sink, int number, const char *graph_text_of, const char *more)
{
    struct trod_view view;
    struct trod_graph graph;
    struct trod_numbering bl;
    struct trod_text in;
    bool more_graphs;

    trod_text_init(&in, "graph", graph_text_of, strlen(graph_text_of));
    must(trod_graph_parse(&graph, &more_graphs, &in, &have.mem, &have.err));
    trod_graph_view(&view, &graph, NULL, &have.mem);
    must(trod_number_ballarus(&bl, &view.dag, &have.mem, &have.err));
    trod_put(sink,
        "function %s %016x 0000000000000002 0000000000000003\nfile f.c\nbegun %s\n",
        graph.name, number, graph.name);
    trod_number_print(sink, &bl);
    trod_put(sink, "%s", more);
}

/* f calls a, or b, or a function that is not counted if `other` is; a and b may leave. */
static void fill_calls(struct trod_flows *flows, const char *other, const char *of_b)
{
    struct trod_map *map = trod_new(&have.mem, struct trod_map, 1);
    struct trod_profile *profile = trod_new(&have.mem, struct trod_profile, 1);
    struct trod_string text;
    struct trod_text in;
    bool more;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "unit u.c source\n");
    put_function(&text.sink, 1, "graph f\n0: 1 2\n1!: 3\n2!: 3\n3:\n", "");
    trod_put(&text.sink,
        "nodes f\n0: 0000000000000000\n1: 0000000000000000 %s\n2: 0000000000000000 b\n"
        "3: 0000000000000000\nlines f\n0: 1\n1: 2\n2: 3\n3: 4\n",
        other);
    for (int i = 0; i < 2; i++)
        put_function(&text.sink, 2 + i,
            i ? "graph b\n0!: 1\n1:\n" : "graph a\n0!: 1\n1:\n",
            i ? "nodes b\n0: 0000000000000000 x\n1: 0000000000000000\nlines b\n0: 7\n1: 8\n"
              : "nodes a\n0: 0000000000000000 x\n1: 0000000000000000\nlines a\n0: 5\n1: 6\n");
    trod_text_init(&in, "map", text.text, text.length);
    must(trod_map_parse(map, &in, &have.mem, &have.err));
    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "profile\nmodule app source\n");
    for (int i = 1; i <= 3; i++)
        trod_put(&text.sink, "function %016x 0000000000000002 0000000000000003 %d\n%s",
            i, i == 1 ? 2 : 1,
            i == 1   ? "begun 1\n"
            : i == 2 ? "=0 4\nbegun 4\n"
                     : of_b);
    trod_text_init(&in, "profile", text.text, text.length);
    must(trod_profile_parse(profile, &more, &in, &have.mem, &have.err));
    must(trod_flows_build(flows, profile, map, &have.mem, &have.err));
    trod_flows_add_unfinished(flows, profile, NULL, &have.mem);
    must(trod_flow_check(&flows->of_entry[0], &have.err));
}

/* f stopped in a call: not of a, which always returned. */
static void test_returns(void **state)
{
    struct trod_flows flows;
    struct trod_flow *f;

    (void)state;
    fill_calls(&flows, "a", "=0 2\nbegun 3\n");
    f = &flows.of_entry[0];
    assert_int_equal(f->entered, 1);
    assert_int_equal(f->unfinished, 1);
    assert_int_equal(f->count_of_node[0], 1);
    assert_int_equal(f->count_of_node[2], 1);
    assert_int_equal(f->count_of_node[1], 0);
    assert_false(trod_flow_node_unknown(f, 1));
    /* Whether a function returns is unknown if it is not counted. */
    fill_calls(&flows, "printf", "=0 2\nbegun 3\n");
    f = &flows.of_entry[0];
    assert_int_equal(f->count_of_node[0], 1);
    assert_true(trod_flow_node_unknown(f, 1));
    assert_true(trod_flow_node_unknown(f, 2));
    /* Both returned, and f did not: it may have been stopped in either. */
    fill_calls(&flows, "a", "=0 3\nbegun 3\n");
    f = &flows.of_entry[0];
    assert_true(trod_flow_node_unknown(f, 1));
    assert_true(trod_flow_node_unknown(f, 2));
}

/* --- annotate ------------------------------------------------------------------------------------ */

static const char *annotate(const struct trod_annotate_options *options, bool text)
{
    static const char *const line[] = {
        "f", "for i", "\tfor j", "return\033[m", "last", "}"};
    struct trod_map *map = map_of("");
    struct trod_annotated_file file = {.hottest = 4, .total = 5};
    struct trod_flow_source *s;
    struct trod_flows flows;
    struct trod_string out;

    s = source_of(&flows, map, profile_of(map, "", paths_of(map, trails, once, 4)));
    trod_annotate_build(&file, s, map, options, &have.mem);
    file.heading = s->path;
    file.text = (struct trod_annotate_text){text ? line : NULL, 6, "nowhere"};
    trod_string_init(&out, &have.mem);
    trod_annotate_print(&out.sink, &file, &flows, options, &have.mem);
    return out.text;
}

static void test_annotate(void **state)
{
    struct trod_annotate_options options = {.most = 2};
    const char *said = annotate(&options, true);

    (void)state;
    assert_non_null(strstr(said, "/w/b/f.c\n"));
    assert_non_null(strstr(said, " 4 ########     3          for j"));
    assert_null(strchr(said, '\033'));
    assert_non_null(strstr(said, "f: 2 of 4 paths that ran, 5 times"));
    options.colour = true;
    assert_non_null(strstr(annotate(&options, true), "\033[31;1m"));
    options.colour = false;
    said = annotate(&options, false);
    assert_non_null(strstr(said, "# nowhere\n"));
    assert_non_null(strstr(said, "block 2: line 3"));
}

struct used {
    const struct trod_map *map;
    const struct trod_profile *profile;
};

static void use_all(struct trod_arena *mem, void *ctx)
{
    const struct used *used = ctx;
    struct trod_flow_source *source;
    struct trod_flows flows;

    trod_flows_build_any(&flows, used->profile, used->map, mem);
    trod_flows_add_unfinished(&flows, used->profile, NULL, mem);
    trod_flow_sources(&source, &flows, mem);
}

static void test_allocation_failures(void **state)
{
    struct trod_map *map = map_of("jumps f 5\n");
    struct used used = {map, profile_of(map, "", paths_of(map, trails, once, 4))};

    (void)state;
    assert_true(kit_each_allocation_failure(use_all, &used) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_jumps, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_merged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_saturates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_partial, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_returns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_annotate, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_allocation_failures, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("flow", tests, NULL, NULL);
}
