/* Where a function calls others: the text form, what is refused, and what is found. */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

struct subject {
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_calls calls;
    struct trod_err err;
    struct trod_text text;
};

static const char GRAPH[] = "graph f\n"
                            "a: >b c\n"
                            "b: >d\n"
                            "c:\n"
                            "d: e e\n"
                            "e:\n";

static void no_memory(void *ctx)
{
    (void)ctx;
    abort();
}

static bool parse(struct subject *s, const char *calls, struct trod_arena *mem)
{
    struct trod_text graph;
    struct trod_token token;
    bool more;

    trod_text_init(&graph, "graph", GRAPH, strlen(GRAPH));
    assert_true(trod_graph_parse(&s->graph, &more, &graph, mem, &s->err));
    trod_text_init(&s->text, "calls", calls, strlen(calls));
    assert_true(trod_text_next(&token, &s->text, mem, &s->err));
    assert_true(trod_text_next(&token, &s->text, mem, &s->err));
    return trod_calls_parse(&s->calls, &s->graph, &s->text, mem, &s->err);
}

static void open_subject(struct subject *s)
{
    trod_arena_init(&s->mem, no_memory, NULL);
}

static void close_subject(struct subject *s)
{
    trod_arena_free(&s->mem);
}

static void test_what_is_read_is_printed(void **state)
{
    static const char text[] = "calls f\n"
                               "b: g\n"
                               "c!: die\n"
                               "d: *\n";
    struct trod_string out;
    struct subject s;

    (void)state;
    open_subject(&s);
    if (!parse(&s, text, &s.mem))
        fail_msg("%s", s.err.text);
    assert_int_equal(s.calls.ncall, 3);
    assert_true(trod_calls_check(&s.calls, &s.graph, &s.err));
    trod_string_init(&out, &s.mem);
    trod_calls_print(&out.sink, &s.calls, &s.graph);
    assert_string_equal(out.text, text);
    close_subject(&s);
}

static void test_names_that_mean_something_are_quoted(void **state)
{
    static const char text[] = "calls f\n"
                               "b: \"*\"\n"
                               "d: \"operator new\"\n";
    struct trod_string out;
    struct subject s;

    (void)state;
    open_subject(&s);
    assert_true(parse(&s, text, &s.mem));
    assert_string_equal(s.calls.call[0].callee, "*");
    trod_string_init(&out, &s.mem);
    trod_calls_print(&out.sink, &s.calls, &s.graph);
    assert_string_equal(out.text, text);
    close_subject(&s);
}

static void test_a_section_ends_where_another_begins(void **state)
{
    struct trod_token token;
    struct subject s;

    (void)state;
    open_subject(&s);
    assert_true(parse(&s, "calls f\n\nb: g # one\nnumbering h ballarus\n", &s.mem));
    assert_int_equal(s.calls.ncall, 1);
    assert_true(trod_text_next(&token, &s.text, &s.mem, &s.err));
    assert_string_equal(token.name, "numbering");
    assert_true(parse(&s, "calls f", &s.mem));
    assert_int_equal(s.calls.ncall, 0);
    close_subject(&s);
}

static void test_nodes_without_names_have_numbers(void **state)
{
    static const char text[] = "x f\n1: g\n";
    struct trod_graph_builder builder;
    struct trod_token token;
    struct trod_string out;
    struct subject s;

    (void)state;
    open_subject(&s);
    trod_graph_builder_init(&builder, "f", &s.mem);
    builder.nnode = 3;
    trod_graph_builder_add(&builder, 0, 1);
    trod_graph_builder_add(&builder, 1, 2);
    builder.arc[0].cut = true;
    trod_graph_build(&s.graph, &builder);
    trod_text_init(&s.text, "calls", text, strlen(text));
    assert_true(trod_text_next(&token, &s.text, &s.mem, &s.err));
    assert_true(trod_text_next(&token, &s.text, &s.mem, &s.err));
    assert_true(trod_calls_parse(&s.calls, &s.graph, &s.text, &s.mem, &s.err));
    assert_int_equal(s.calls.call[0].node, 1);
    trod_string_init(&out, &s.mem);
    trod_calls_print(&out.sink, &s.calls, &s.graph);
    assert_string_equal(out.text, "calls f\n1: g\n");
    close_subject(&s);
}

static void test_calls_are_found(void **state)
{
    struct subject s;

    (void)state;
    open_subject(&s);
    assert_true(parse(&s, "calls f\nb: g\nc!: die\nd: *\n", &s.mem));
    assert_string_equal(trod_calls_find(&s.calls, 1, false)->callee, "g");
    assert_null(trod_calls_find(&s.calls, 1, true));
    assert_null(trod_calls_find(&s.calls, 2, false));
    assert_string_equal(trod_calls_find(&s.calls, 2, true)->callee, "die");
    assert_null(trod_calls_find(&s.calls, 3, false)->callee);
    assert_null(trod_calls_find(&s.calls, 0, false));
    assert_null(trod_calls_find(&s.calls, 4, true));
    close_subject(&s);
}

static void test_what_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *calls, *message;
    } bad[] = {
        {"calls f\nx: g\n", "calls:2: 'f' has no node 'x'; correct the name"},
        {"calls f\na: g\n", "begins the entry"},
        {"calls f\nc: g\n", "the edge into its node is not cut"},
        {"calls f\ne: g\n", "its node does not have exactly one predecessor"},
        {"calls f\nd!: g\n", "it never returns, and its node has successors"},
        {"calls f\nd: g\nb: g\n", "calls:3: invalid call of 'f': it is out of order"},
        {"calls f\nb: g\nb: h\n", "its node already has a call there"},
        {"calls f\nb: g h\n", "unexpected text after the function"},
        {"calls f g\n", "unexpected text after the name"},
        {"calls f\nb:\n", "expected the function that is called, or '*'"},
        {"calls f\nb! g\n", "expected a line 'node: function' or 'node!: function'"},
    };
    struct subject s;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        open_subject(&s);
        assert_false(parse(&s, bad[i].calls, &s.mem));
        assert_int_equal(s.err.code, TROD_E_INPUT);
        if (!strstr(s.err.text, bad[i].message))
            fail_msg("'%s' is not in '%s'", bad[i].message, s.err.text);
        close_subject(&s);
    }
}

static void test_the_validator_sees_each_fault(void **state)
{
    static const struct trod_call bad[][2] = {
        {{.node = 5}, {.node = 6}},               /* no such node */
        {{.node = 1}, {.node = 1}},               /* twice */
        {{.node = 3}, {.node = 1}},               /* descending */
        {{.node = 2, .last = true}, {.node = 2}}, /* the last first */
        {{.node = 1}, {.node = 3, .last = true}}, /* continues after its end */
        {{.node = 0}, {.node = 1}},               /* the entry */
        {{.node = 1}, {.node = 2}},               /* not cut */
        {{.node = 1}, {.node = 4}},               /* two ways in */
    };
    struct subject s;

    (void)state;
    open_subject(&s);
    assert_true(parse(&s, "calls f\n", &s.mem));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_calls calls = {.ncall = 2, .call = bad[i]};

        assert_false(trod_calls_check(&calls, &s.graph, &s.err));
        assert_int_equal(s.err.code, TROD_E_INTERNAL);
    }
    close_subject(&s);
}

static void pass_without_memory(struct trod_arena *mem, void *ctx)
{
    struct subject s;

    (void)ctx;
    assert_true(parse(&s, "calls f\nb: g\nc!: die\nd: *\n", mem));
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(pass_without_memory, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_read_is_printed),
        cmocka_unit_test(test_names_that_mean_something_are_quoted),
        cmocka_unit_test(test_a_section_ends_where_another_begins),
        cmocka_unit_test(test_nodes_without_names_have_numbers),
        cmocka_unit_test(test_calls_are_found),
        cmocka_unit_test(test_what_cannot_be_is_refused),
        cmocka_unit_test(test_the_validator_sees_each_fault),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
