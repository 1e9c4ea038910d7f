/* Pictures: what they show, and that any name makes one. */
#include "kit/kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph/graph.h"

struct picture {
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_order order;
    struct trod_loops loops;
    struct trod_string text;
};

static void no_memory(void *ctx)
{
    (void)ctx;
    abort();
}

static void start(struct picture *p, struct trod_graph_builder *builder,
    const char *title, const char *const *name_of_node, uint32_t nnode)
{
    trod_arena_init(&p->mem, no_memory, NULL);
    trod_graph_builder_init(builder, title, &p->mem);
    builder->name_of_node = name_of_node;
    builder->nnode = nnode;
}

static void finish(struct picture *p, const struct trod_graph_builder *builder,
    struct trod_graph_style drawing)
{
    trod_graph_build(&p->graph, builder);
    trod_graph_order(&p->order, &p->graph, &p->mem);
    trod_graph_loops(&p->loops, &p->graph, &p->order, &p->mem);
    trod_string_init(&p->text, &p->mem);
    drawing.loops = &p->loops;
    trod_graph_draw(&p->text.sink, &p->graph, &drawing);
}

static const char *edge_label(void *ctx, trod_edge e)
{
    (void)ctx;
    return e == 0 ? "+1" : "";
}

static const char *node_label(void *ctx, trod_node v)
{
    (void)ctx;
    return v == 0 ? "first" : NULL;
}

static void test_draw_shows_what_it_is_given(void **state)
{
    static const char *const name[] = {"s", "h", "i", "x"};
    static const trod_node arc[][2] = {{0, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 1}};
    uint64_t lit = 1 << 0 | 1 << 1, cut = 1 << 1 | 1 << 3;
    struct trod_graph_builder builder;
    struct picture p;

    (void)state;
    start(&p, &builder, "f", name, 4);
    for (size_t i = 0; i < sizeof arc / sizeof *arc; i++)
        trod_graph_builder_add(&builder, arc[i][0], arc[i][1]);
    finish(&p, &builder,
        (struct trod_graph_style){.label_of_edge = edge_label,
            .label_of_node = node_label,
            .lit_edge = &lit,
            .cut_edge = &cut});
    assert_string_equal(p.text.text,
        "digraph {\n"
        "    label=\"f\";\n"
        "    node [shape=box];\n"
        "    n0 [label=\"s\\nfirst\", style=\"rounded,bold\"];\n"
        "    n3 [label=\"x\", style=rounded];\n"
        "    subgraph cluster_0 {\n"
        "        label=\"\";\n"
        "        n1 [label=\"h\"];\n"
        "        subgraph cluster_1 {\n"
        "            label=\"\";\n"
        "            n2 [label=\"i\"];\n"
        "        }\n"
        "    }\n"
        "    n0 -> n1 [style=bold, label=\"+1\"];\n"
        "    n1 -> n2 [style=\"dashed,bold\", constraint=false];\n"
        "    n1 -> n3 [style=solid];\n"
        "    n2 -> n2 [style=dashed, constraint=false];\n"
        "    n2 -> n1 [style=solid];\n"
        "}\n");
    trod_arena_free(&p.mem);
}

/* Nothing but the shape, and a loop that is entered twice. */
static void test_draw_needs_no_more_than_a_graph(void **state)
{
    struct trod_graph_builder builder;
    struct picture p;

    (void)state;
    start(&p, &builder, NULL, NULL, 3);
    trod_graph_builder_add(&builder, 0, 1);
    trod_graph_builder_add(&builder, 0, 2);
    trod_graph_builder_add(&builder, 1, 2);
    trod_graph_builder_add(&builder, 2, 1);
    finish(&p, &builder, (struct trod_graph_style){0});
    assert_non_null(strstr(p.text.text, "label=\"irreducible\""));
    trod_string_init(&p.text, &p.mem);
    trod_graph_draw(&p.text.sink, &p.graph, &(struct trod_graph_style){0});
    assert_null(strstr(p.text.text, "cluster"));
    assert_non_null(strstr(p.text.text, "n2 [label=\"2\"];\n"));
    trod_arena_free(&p.mem);
}

static const char *const odd_names[] = {"", " ", "\"", "\\", "\\\"", "a\\", "\\N\\G\\l",
    "a\nb\n", "\t\r\x01\x7f", "&", "&amp;", "&#0;", "<b>", "{a|b}", "]; x -> y", "node",
    "\xc3\xa9", "\xc3", "\xff\xfe", "\xe2\x82\xac", "\xed\xa0\x80", "\xf4\x90\x80\x80",
    "\xc0\x80", "\xe2\x82", "-->", "//", "/*", "#"};

enum { NODD = sizeof odd_names / sizeof *odd_names };

static const char *odd_label(void *ctx, uint32_t i)
{
    (void)ctx;
    return odd_names[i % NODD];
}

/* A chain of odd names, with a loop at each, under an odd title. */
static void draw_odd(struct picture *p, const char *title)
{
    struct trod_graph_builder builder;

    start(p, &builder, title, odd_names, NODD);
    for (trod_node v = 0; v < NODD; v++) {
        trod_graph_builder_add(&builder, v, v);
        if (v + 1 < NODD)
            trod_graph_builder_add(&builder, v, v + 1);
    }
    finish(p, &builder,
        (struct trod_graph_style){
            .label_of_edge = odd_label, .label_of_node = odd_label});
}

static void test_draw_escapes(void **state)
{
    static const char *const part[] = {
        "label=\"a \\\"b\\\"\\\\xff\"",
        "[label=\"\\\\\\\"\\n\\\\\\\"\"]",
        "\\\\x09\\\\x0d\\\\x01\\\\x7f",
        "\"&amp;amp;",
        "\"\xe2\x82\xac\\n\xe2\x82\xac\"",
        "\\\\xed\\\\xa0\\\\x80",
        "\"\\\\xe2\\\\x82\\n",
    };
    struct picture p;

    (void)state;
    draw_odd(&p, "a \"b\"\xff");
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (!strstr(p.text.text, part[i]))
            fail_msg("%s is not in %s", part[i], p.text.text);
    trod_arena_free(&p.mem);
}

/* The status of a shell command that is given a text to read. */
static int pipe_into(const char *command, const char *text)
{
    /* NOLINTNEXTLINE(cert-env33-c): fixed commands */
    FILE *to = popen(command, "w");

    if (!to)
        return -1;
    fputs(text, to);
    return pclose(to);
}

/* Not a word from dot, and so not a warning either. */
static void test_draw_is_understood_by_graphviz(void **state)
{
    (void)state;
    if (pipe_into("command -v dot >/dev/null", "") != 0)
        skip();
    for (uint32_t i = 0; i < NODD; i++) {
        struct picture p;

        draw_odd(&p, odd_names[i]);
        assert_int_equal(
            pipe_into("dot -Tdot 2>&1 >/dev/null | { ! grep .; }", p.text.text), 0);
        trod_arena_free(&p.mem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_draw_shows_what_it_is_given),
        cmocka_unit_test(test_draw_needs_no_more_than_a_graph),
        cmocka_unit_test(test_draw_escapes),
        cmocka_unit_test(test_draw_is_understood_by_graphviz),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("graph_draw", tests, NULL, NULL);
}
