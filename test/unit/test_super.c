/* Supergraphs by hand: exceptions, limits, what is derived from a graph that comes from elsewhere, and
 * what the validators see. Random ones are in test/prop/prop_super.c and
 * prop_super_segments.c, text in test/case/super.
 */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "super/super.h"

/* main calls f in two places; f calls g, which calls nothing. An exception out of the first call
 * goes to node p.
 */
static const char PROGRAM[] = "numbering main ballarus\n"
                              ">: s a+2 b+4\n"
                              "s: >a t+1\n"
                              "a: >b p+1\n"
                              "b: t\n"
                              "p: t\n"
                              "t:\n"
                              "calls main\n"
                              "a: f\n"
                              "b: f\n"
                              "numbering f ballarus\n"
                              ">: x c+3\n"
                              "x: y z+2\n"
                              "y: >c z+1\n"
                              "c: z\n"
                              "z:\n"
                              "calls f\n"
                              "c: g\n"
                              "numbering g ballarus\n"
                              ">: u\n"
                              "u: v w+1\n"
                              "v:\n"
                              "w:\n"
                              "segments s 2\n"
                              "5 main:0 ( f:0 ( g:0 ) f:3 ) main:2\n"
                              "5 f:0 ( g:0 ) f:3\n"
                              "3 main:2 ( f:1 ) main:4\n"
                              "2 f:0 ( g:1 ) f:3\n"
                              "1 main:2 ( f:0 ( g:1 ) f:3 ) main:4\n";

enum { MAIN, F, G };

struct subject {
    struct trod_arena mem;
    struct trod_super_input in;
    struct trod_super_plan plan;
    struct trod_super_numbered super; /* of main */
    struct trod_err err;
};

static void no_memory(void *ctx)
{
    (void)ctx;
    abort();
}

static void read_text(struct subject *s, const char *program, struct trod_arena *mem)
{
    struct trod_text text;

    trod_super_input_init(&s->in, mem);
    trod_text_init(&text, "test", program, strlen(program));
    if (!trod_super_input_read(&s->in, &text, &s->err))
        fail_msg("%s", s->err.text);
}

static void read_program(struct subject *s, struct trod_arena *mem)
{
    read_text(s, PROGRAM, mem);
}

static trod_node node(const struct subject *s, uint32_t function, const char *name)
{
    const struct trod_graph *g = trod_super_graph_of(&s->in.unit, function);

    for (trod_node v = 0; v < g->nnode; v++)
        if (strcmp(g->name_of_node[v], name) == 0)
            return v;
    fail_msg("no node %s", name);
    return TROD_NONE;
}

static trod_edge edge(
    const struct subject *s, uint32_t function, const char *src, const char *dst)
{
    const struct trod_graph *g = trod_super_graph_of(&s->in.unit, function);
    trod_node u = node(s, function, src), v = node(s, function, dst);

    for (trod_edge e = g->first_out[u]; e < g->first_out[u + 1]; e++)
        if (g->dst_of_edge[e] == v)
            return e;
    fail_msg("no edge %s -> %s", src, dst);
    return TROD_NONE;
}

/* The exception edge is given by the caller, not by the text. */
static void mark_unwinds(struct subject *s, uint32_t function, const char *src,
    const char *dst, struct trod_arena *mem)
{
    uint64_t *unwinds = trod_new(mem, uint64_t, 1);

    trod_add(unwinds, edge(s, function, src, dst));
    s->in.function[function].unwinds = unwinds;
}

static void number_main(
    struct subject *s, const struct trod_super_options *options, struct trod_arena *mem)
{
    trod_super_plan_segments(&s->plan, &s->in.unit, &s->in.segments, options, mem);
    if (!trod_super_number(&s->super, &s->in.unit, &s->plan.tree[0], &s->in.segments, 0,
            true, mem, &s->err))
        fail_msg("%s", s->err.text);
}

static void open_to(struct subject *s, uint32_t depth)
{
    const struct trod_super_options options = {.depth = depth};

    trod_arena_init(&s->mem, no_memory, NULL);
    read_program(s, &s->mem);
    mark_unwinds(s, MAIN, "a", "p", &s->mem);
    number_main(s, &options, &s->mem);
}

static void open_subject(struct subject *s)
{
    open_to(s, 0);
}

/* g is not followed. */
static void open_shallow(struct subject *s)
{
    open_to(s, 1);
}

static void close_subject(struct subject *s)
{
    trod_arena_free(&s->mem);
}

static trod_edge super_edge(const struct subject *s, const char *src, const char *dst)
{
    const struct trod_graph *g = &s->super.super.graph;

    for (trod_edge e = 0; e < g->nedge; e++)
        if (strcmp(g->name_of_node[g->src_of_edge[e]], src) == 0 &&
            strcmp(g->name_of_node[g->dst_of_edge[e]], dst) == 0)
            return e;
    return TROD_NONE;
}

static const char *row_text(struct subject *s, trod_path id)
{
    struct trod_super_row row;
    struct trod_string text;

    trod_super_row_decode(&row, &s->super.super, &s->super.ballarus, id, &s->mem);
    trod_string_init(&text, &s->mem);
    trod_super_row_print(&text.sink, &row, &s->in.unit);
    return text.text;
}

/* A copy of an array that may be spoilt. */
static void *copy(struct subject *s, const void *from, size_t count, size_t size)
{
    void *to = trod_arena_take(&s->mem, count, size);

    memcpy(to, from, count * size);
    return to;
}

/* --- what is built --------------------------------------------------------------------------------- */

static void test_frames_follow_segments(void **state)
{
    static const struct trod_super_frame want[] = {
        {TROD_NONE, TROD_NONE, MAIN, 0, false, 9}, {0, 1, F, 1, false, 5},
        {1, 2, G, 2, false, 5}, {0, 2, F, 1, false, 4}, {3, 2, G, 2, false, 1}};
    struct subject s;

    (void)state;
    open_subject(&s);
    assert_int_equal(s.plan.ntree, 2);
    assert_int_equal(s.plan.nleft, 0);
    assert_int_equal(s.plan.tree[0].nframe, 5);
    for (uint32_t i = 0; i < 5; i++) {
        const struct trod_super_frame *frame = &s.plan.tree[0].frame[i];

        assert_int_equal(frame->parent, want[i].parent);
        assert_int_equal(frame->node, want[i].node);
        assert_int_equal(frame->function, want[i].function);
        assert_int_equal(frame->depth, want[i].depth);
        assert_int_equal(frame->count, want[i].count);
    }
    assert_int_equal(s.plan.tree[1].frame[0].function, F);
    assert_int_equal(s.plan.tree[1].nframe, 2);
    close_subject(&s);
}

static void test_exceptions_start_anew(void **state)
{
    struct trod_super *super;
    bool found = false;
    struct subject s;
    trod_edge e;

    (void)state;
    open_subject(&s);
    super = &s.super.super;
    assert_true(trod_super_check(super, &s.mem, &s.err));
    e = super_edge(&s, "0.a", "0.p");
    assert_true(e != TROD_NONE && super->graph.cut_of_edge[e]);
    /* What comes after an exception began with the call. */
    for (trod_path id = 0; id < s.super.ballarus.npath; id++)
        found |= strcmp(row_text(&s, id), "main:3") == 0;
    assert_true(found);
    close_subject(&s);
}

static void test_edges_have_origins(void **state)
{
    const struct trod_super *super;
    struct subject s;
    trod_edge e;

    (void)state;
    open_subject(&s);
    super = &s.super.super;
    assert_int_equal(super_edge(&s, "0.s", "0.a"), TROD_NONE);
    e = super_edge(&s, "0.s", "1.x");
    assert_int_equal(super->kind_of_edge[e], TROD_SUPER_CALL);
    assert_int_equal(super->frame_of_edge[e], 1);
    assert_int_equal(super->origin_of_edge[e], edge(&s, MAIN, "s", "a"));
    e = super_edge(&s, "1.z", "0.a");
    assert_int_equal(super->kind_of_edge[e], TROD_SUPER_RETURN);
    assert_int_equal(super->frame_of_edge[e], 1);
    e = super_edge(&s, "3.x", "3.y");
    assert_int_equal(super->kind_of_edge[e], TROD_SUPER_LOCAL);
    assert_int_equal(super->frame_of_edge[e], 3);
    assert_int_equal(super->origin_of_edge[e], edge(&s, F, "x", "y"));
    close_subject(&s);
}

static void test_paths_start_in_the_root(void **state)
{
    const struct trod_super *super;
    struct subject s;
    bool found = false;
    trod_edge e;

    (void)state;
    open_shallow(&s);
    super = &s.super.super;
    assert_true(trod_super_check(super, &s.mem, &s.err));
    /* What f does after its call of g is not of main's paths. */
    assert_int_equal(super_edge(&s, "1.y", "1.c"), TROD_NONE);
    e = super_edge(&s, "1.y", "0.a");
    assert_int_equal(super->kind_of_edge[e], TROD_SUPER_PAUSE);
    assert_int_equal(super->frame_of_edge[e], 1);
    assert_int_equal(super->origin_of_edge[e], edge(&s, F, "y", "c"));
    assert_true(super->graph.cut_of_edge[e]);
    for (trod_path id = 0; id < s.super.ballarus.npath; id++) {
        struct trod_super_row row;

        trod_super_row_decode(&row, super, &s.super.ballarus, id, &s.mem);
        assert_int_equal(row.frame, 0);
        assert_int_equal(row.step[0].function, MAIN);
        found |= strcmp(row_text(&s, id), "main:0 ( f:0") == 0;
    }
    assert_true(found);
    close_subject(&s);
}

/* An exception out of a call of a frame: where it goes to is no more of the path. A list may have
 * such a segment all the same.
 */
static void test_a_subpath_that_no_frame_has_is_passed_over(void **state)
{
    static const char program[] = "numbering main ballarus\n"
                                  ">: s a+1\n"
                                  "s: >a\n"
                                  "a:\n"
                                  "calls main\n"
                                  "a: f\n"
                                  "numbering f ballarus\n"
                                  ">: x c+1\n"
                                  "x: >c\n"
                                  "c: z p+1\n"
                                  "z:\n"
                                  "p:\n"
                                  "calls f\n"
                                  "c: g\n"
                                  "numbering g ballarus\n"
                                  ">: u\n"
                                  "u:\n"
                                  "segments s 2\n"
                                  "1 main:0 ( f:0 ( g:0 ) f:2 ) main:1\n";
    const struct trod_super_options options = {0};
    struct trod_super super;
    struct subject s;
    trod_edge e;

    (void)state;
    trod_arena_init(&s.mem, no_memory, NULL);
    read_text(&s, program, &s.mem);
    mark_unwinds(&s, F, "c", "p", &s.mem);
    number_main(&s, &options, &s.mem);
    assert_int_equal(s.super.tree.nframe, 3);
    assert_true(trod_super_check(&s.super.super, &s.mem, &s.err));
    e = super_edge(&s, "1.c", "0.a");
    assert_int_equal(s.super.super.kind_of_edge[e], TROD_SUPER_PAUSE);
    /* Maps do not say what unwinds; it is derived from the graph. */
    s.in.function[F].unwinds = NULL;
    assert_true(trod_super_adopt(
        &super, &s.in.unit, &s.super.tree, &s.super.super.graph, &s.mem, &s.err));
    assert_int_equal(super.kind_of_edge[e], TROD_SUPER_PAUSE);
    close_subject(&s);
}

static void test_what_cannot_be_gone_into_is_said(void **state)
{
    const struct trod_super_options options = {0};
    struct subject s;

    (void)state;
    trod_arena_init(&s.mem, no_memory, NULL);
    read_program(&s, &s.mem);
    s.in.function[G].why_not = "it has a variable number of arguments";
    assert_true(trod_super_unit_build(
        &s.in.unit, s.in.function, s.in.nfunction, &s.mem, &s.err));
    number_main(&s, &options, &s.mem);
    assert_int_equal(s.plan.tree[0].nframe, 3);
    assert_int_equal(s.plan.nleft, 1);
    assert_int_equal(s.plan.left[0].function, F);
    assert_int_equal(s.plan.left[0].node, node(&s, F, "c"));
    assert_string_equal(s.plan.left[0].callee, "g");
    assert_string_equal(s.plan.left[0].why, "it has a variable number of arguments");
    assert_int_equal(s.plan.left[0].count, 13);
    close_subject(&s);
}

static void test_growth_takes_the_most_frequent(void **state)
{
    static const uint64_t size[] = {100, 10, 3};
    struct trod_super_options options = {.size_of_function = size, .most_size = 16};
    struct subject s;

    (void)state;
    trod_arena_init(&s.mem, no_memory, NULL);
    read_program(&s, &s.mem);
    /* g below f, f and g below main: 3, 13, 16; the second f does not fit, nor what is
     * below it.
     */
    number_main(&s, &options, &s.mem);
    assert_int_equal(s.plan.ntree, 2);
    assert_int_equal(s.plan.tree[0].nframe, 3);
    assert_int_equal(s.plan.tree[0].frame[2].function, G);
    assert_int_equal(s.plan.tree[1].nframe, 2);
    assert_int_equal(s.plan.nleft, 2);
    assert_string_equal(s.plan.left[0].callee, "f");
    assert_int_equal(s.plan.left[0].count, 4);
    assert_string_equal(s.plan.left[1].callee, "g");
    assert_string_equal(s.plan.left[1].why, "the limit on growth is reached");
    options.most_size = 2;
    trod_super_plan_segments(&s.plan, &s.in.unit, &s.in.segments, &options, &s.mem);
    assert_int_equal(s.plan.ntree, 0);
    options = (struct trod_super_options){.most_frames = 2};
    trod_super_plan_segments(&s.plan, &s.in.unit, &s.in.segments, &options, &s.mem);
    assert_int_equal(s.plan.tree[0].nframe, 2);
    close_subject(&s);
}

/* --- paths ---------------------------------------------------------------------------------------------- */

static void test_frames_are_dropped_for_a_limit(void **state)
{
    struct trod_super_numbered super;
    struct subject s;
    uint32_t before = 1;

    (void)state;
    open_subject(&s);
    for (uint64_t most = 5; most < 100; most++) {
        if (!trod_super_number(&super, &s.in.unit, &s.plan.tree[0], &s.in.segments,
                most, false, &s.mem, &s.err))
            continue;
        assert_true(super.ballarus.npath <= most);
        assert_true(super.tree.nframe >= before);
        assert_true(trod_super_check(&super.super, &s.mem, &s.err));
        before = super.tree.nframe;
    }
    assert_int_equal(before, 5);
    assert_false(trod_super_number(
        &super, &s.in.unit, &s.plan.tree[0], NULL, 1, false, &s.mem, &s.err));
    assert_int_equal(s.err.code, TROD_E_LIMIT);
    close_subject(&s);
}

/* Segments of rows, whole and cut short: each path ten times. */
static void count_all(struct trod_segments *whole, struct trod_segments *cut_short,
    struct subject *s, const struct trod_names *known)
{
    struct trod_super_counter counter;

    trod_super_count_init(&counter, &s->in.unit, 2, known, &s->mem);
    for (trod_path id = 0; id < s->super.ballarus.npath; id++) {
        struct trod_super_row row;

        trod_super_row_decode(&row, &s->super.super, &s->super.ballarus, id, &s->mem);
        trod_super_count_own(&counter, &s->super.super, &row, 10);
    }
    trod_super_count_finish(whole, cut_short, &counter, "s");
    assert_true(trod_segments_check(whole, &s->mem, &s->err));
    assert_true(trod_segments_check(cut_short, &s->mem, &s->err));
}

static void test_segments_are_counted(void **state)
{
    const struct trod_super_options options = {.depth = 1};
    struct trod_segments whole, cut_short;
    struct trod_names known;
    struct subject s;
    size_t nwhole;

    (void)state;
    trod_arena_init(&s.mem, no_memory, NULL);
    read_program(&s, &s.mem);
    number_main(&s, &options, &s.mem);
    /* From main:0 over f's call of g, which is not followed, it would continue. */
    count_all(&whole, &cut_short, &s, &s.in.unit.names);
    assert_int_equal(cut_short.nsegment, 2);
    assert_int_equal(cut_short.segment[0].step[0].id, 2);
    assert_int_equal(cut_short.segment[1].step[0].id, 0);
    nwhole = whole.nsegment;
    count_all(&whole, &cut_short, &s, NULL);
    assert_int_equal(cut_short.nsegment, 2);
    /* Not so if g is not instrumented. */
    trod_names_init(&known, &s.mem);
    trod_names_add(&known, "main");
    trod_names_add(&known, "f");
    count_all(&whole, &cut_short, &s, &known);
    assert_int_equal(cut_short.nsegment, 0);
    assert_int_equal(whole.nsegment, nwhole + 2);
    close_subject(&s);
}

static void test_a_search_that_takes_too_long_says_so(void **state)
{
    struct trod_super_listed listed;
    struct subject s;

    (void)state;
    open_subject(&s);
    trod_super_listed(
        &listed, &s.super.super, &s.super.ballarus, &s.in.segments, NULL, 100, &s.mem);
    assert_true(listed.all);
    assert_true(listed.paths.count > 1);
    for (size_t i = 0; i < listed.paths.count; i++)
        assert_true(i == 0 || listed.paths.id[i - 1] < listed.paths.id[i]);
    trod_super_listed(
        &listed, &s.super.super, &s.super.ballarus, &s.in.segments, NULL, 1, &s.mem);
    assert_false(listed.all);
    assert_int_equal(listed.paths.count, 1);
    close_subject(&s);
}

/* --- from elsewhere ------------------------------------------------------------------------------------------- */

static void test_a_graph_from_elsewhere_is_adopted(void **state)
{
    const struct trod_super *own;
    struct trod_numbering back;
    struct trod_string printed;
    struct trod_super super;
    struct trod_token token;
    struct trod_text text;
    struct subject s;

    (void)state;
    open_subject(&s);
    own = &s.super.super;
    trod_string_init(&printed, &s.mem);
    trod_number_print(&printed.sink, &s.super.ballarus);
    trod_text_init(&text, "printed", printed.text, printed.length);
    assert_true(trod_text_next(&token, &text, &s.mem, &s.err));
    assert_true(trod_text_next(&token, &text, &s.mem, &s.err));
    assert_true(trod_number_parse(&back, "main", &text, &s.mem, &s.err));
    /* What unwinds is not in the map; it is derived from the graph. */
    s.in.function[MAIN].unwinds = NULL;
    if (!trod_super_adopt(
            &super, &s.in.unit, &s.plan.tree[0], back.dag->graph, &s.mem, &s.err))
        fail_msg("%s", s.err.text);
    for (trod_edge e = 0; e < own->graph.nedge; e++) {
        assert_int_equal(super.kind_of_edge[e], own->kind_of_edge[e]);
        assert_int_equal(super.frame_of_edge[e], own->frame_of_edge[e]);
        assert_int_equal(super.origin_of_edge[e], own->origin_of_edge[e]);
    }
    for (trod_path id = 0; id < back.npath; id++) {
        struct trod_super_row row;
        struct trod_string got;

        trod_super_row_decode(&row, &super, &back, id, &s.mem);
        trod_string_init(&got, &s.mem);
        trod_super_row_print(&got.sink, &row, &s.in.unit);
        assert_string_equal(got.text, row_text(&s, id));
    }
    assert_false(trod_super_adopt(
        &super, &s.in.unit, &s.plan.tree[1], back.dag->graph, &s.mem, &s.err));
    assert_int_equal(s.err.code, TROD_E_MISMATCH);
    close_subject(&s);
}

static void test_a_graph_that_goes_on_in_a_frame_is_refused(void **state)
{
    struct trod_graph graph;
    struct trod_super super;
    struct subject s;
    trod_node *dst;

    (void)state;
    open_shallow(&s);
    graph = s.super.super.graph;
    assert_true(
        trod_super_adopt(&super, &s.in.unit, &s.super.tree, &graph, &s.mem, &s.err));
    dst = copy(&s, graph.dst_of_edge, graph.nedge, sizeof *dst);
    dst[super_edge(&s, "1.y", "0.a")] =
        s.super.super.first_node_of_frame[1] + node(&s, F, "c");
    graph.dst_of_edge = dst;
    assert_false(
        trod_super_adopt(&super, &s.in.unit, &s.super.tree, &graph, &s.mem, &s.err));
    assert_int_equal(s.err.code, TROD_E_MISMATCH);
    close_subject(&s);
}

static void test_two_of_a_name_are_refused(void **state)
{
    struct subject s;

    (void)state;
    open_subject(&s);
    s.in.function[G].name = "f";
    assert_false(trod_super_unit_build(
        &s.in.unit, s.in.function, s.in.nfunction, &s.mem, &s.err));
    assert_int_equal(s.err.code, TROD_E_INPUT);
    close_subject(&s);
}

/* --- validators ------------------------------------------------------------------------------------------------ */

static void test_faults_in_frames_are_seen(void **state)
{
    enum { FAULTS = 9 };

    (void)state;
    for (int fault = 0; fault < FAULTS; fault++) {
        struct trod_super_frame *frame;
        struct trod_super_tree tree;
        struct subject s;

        open_subject(&s);
        tree = s.plan.tree[0];
        frame = copy(&s, tree.frame, tree.nframe, sizeof *frame);
        tree.frame = frame;
        switch (fault) {
        case 0:
            frame[2].parent = 4;
            break;
        case 1:
            frame[1].depth = 2;
            break;
        case 2:
            frame[4].count = 5;
            break;
        case 3:
            frame[3].count = 6;
            break;
        case 4:
            frame[1].node = 0;
            break;
        case 5:
            frame[1].function = G;
            break;
        case 6:
            frame[1].guarded = true;
            break;
        case 7:
            frame[3].node = frame[1].node;
            break;
        default:
            frame[0].depth = 1;
            break;
        }
        assert_false(trod_super_tree_check(&tree, &s.in.unit, &s.mem, &s.err));
        assert_int_equal(s.err.code, TROD_E_INTERNAL);
        close_subject(&s);
    }
}

/* Spoil a supergraph in one of several ways; false: there are no more. */
static bool spoil(struct subject *s, int fault)
{
    struct trod_super *super = &s->super.super;
    struct trod_graph *g = &super->graph;
    uint8_t *kind = copy(s, super->kind_of_edge, g->nedge, 1);
    uint32_t *frame = copy(s, super->frame_of_edge, g->nedge, 4);
    trod_edge *origin = copy(s, super->origin_of_edge, g->nedge, 4);
    trod_node *dst = copy(s, g->dst_of_edge, g->nedge, 4);
    trod_node *first = copy(s, super->first_node_of_frame, 6, 4);
    trod_edge call = super_edge(s, "0.s", "1.x"), local = super_edge(s, "1.x", "1.y");
    trod_edge back = super_edge(s, "1.z", "0.a");

    super->kind_of_edge = kind;
    super->frame_of_edge = frame;
    super->origin_of_edge = origin;
    super->first_node_of_frame = first;
    switch (fault) {
    case 0:
        kind[local] = TROD_SUPER_CALL;
        return true;
    case 1:
        origin[local]++;
        return true;
    case 2:
        frame[local] = 3;
        return true;
    case 3:
        frame[call] = 3;
        return true;
    case 4:
        kind[call] = TROD_SUPER_RETURN;
        return true;
    case 5:
        origin[call]++;
        return true;
    case 6:
        frame[back] = 2;
        return true;
    case 7:
        s->super.tree.nframe--; /* there are more nodes than frames have */
        return true;
    case 8: /* it returns to the other call */
        dst[back] = first[0] + node(s, MAIN, "b");
        g->dst_of_edge = dst;
        trod_graph_fill_in(g, &s->mem);
        return true;
    case 9: /* a frame is followed through another's entry */
        dst[call] = first[3];
        g->dst_of_edge = dst;
        trod_graph_fill_in(g, &s->mem);
        return true;
    case 10:
        first[2]++;
        return true;
    case 11:
        g->entry++;
        return true;
    default:
        return false;
    }
}

static void test_faults_in_supergraphs_are_seen(void **state)
{
    int fault = 0;

    (void)state;
    for (;; fault++) {
        struct subject s;
        bool more;

        open_subject(&s);
        assert_true(trod_super_check(&s.super.super, &s.mem, &s.err));
        more = spoil(&s, fault);
        if (more && trod_super_check(&s.super.super, &s.mem, &s.err))
            fail_msg("fault %d is not seen", fault);
        close_subject(&s);
        if (!more)
            break;
    }
    assert_int_equal(fault, 12);
}

/* Make an edge of a supergraph another, or leave its kind (-1), where it goes to (NULL) or that it
 * is cut (-1) as they are. Is that seen?
 */
static bool is_seen(struct subject *s, trod_edge e, int kind, const char *dst, int cut)
{
    struct trod_super super = s->super.super;
    struct trod_graph *g = &super.graph;
    uint8_t *kinds = copy(s, super.kind_of_edge, g->nedge, 1);
    trod_node *dsts = copy(s, g->dst_of_edge, g->nedge, sizeof *dsts);
    bool *cuts = copy(s, g->cut_of_edge, g->nedge, sizeof *cuts);

    if (kind >= 0)
        kinds[e] = (uint8_t)kind;
    for (trod_node v = 0; dst && v < g->nnode; v++)
        if (strcmp(g->name_of_node[v], dst) == 0)
            dsts[e] = v;
    if (cut >= 0)
        cuts[e] = cut;
    super.kind_of_edge = kinds;
    g->dst_of_edge = dsts;
    g->cut_of_edge = cuts;
    trod_graph_fill_in(g, &s->mem);
    return !trod_super_check(&super, &s->mem, &s->err);
}

static void test_faults_in_cuts_are_seen(void **state)
{
    struct subject s;
    trod_edge pauses, goes_on, unwinds;

    (void)state;
    open_shallow(&s);
    pauses = super_edge(&s, "1.y", "0.a");
    goes_on = super_edge(&s, "1.y", "1.z");
    unwinds = super_edge(&s, "0.a", "0.p");
    assert_false(is_seen(&s, pauses, -1, NULL, -1));
    assert_true(is_seen(&s, pauses, -1, NULL, false));
    assert_true(is_seen(&s, pauses, TROD_SUPER_LOCAL, NULL, -1));
    assert_true(is_seen(&s, pauses, TROD_SUPER_LOCAL, "1.c", -1));
    assert_true(is_seen(&s, pauses, -1, "0.b", -1));
    assert_true(is_seen(&s, goes_on, TROD_SUPER_PAUSE, "0.a", true));
    assert_true(is_seen(&s, unwinds, TROD_SUPER_PAUSE, NULL, -1));
    assert_true(is_seen(&s, unwinds, -1, NULL, false));
    close_subject(&s);
}

/* --- memory -------------------------------------------------------------------------------------------------------- */

static void pass_without_memory(struct trod_arena *mem, void *ctx)
{
    const struct trod_super_options options = {0};
    struct trod_super_counter counter;
    struct trod_segments whole, cut_short;
    struct trod_super_listed listed;
    struct trod_super_row row;
    struct subject s;

    (void)ctx;
    read_program(&s, mem);
    number_main(&s, &options, mem);
    trod_super_row_decode(&row, &s.super.super, &s.super.ballarus, 0, mem);
    trod_super_count_init(&counter, &s.in.unit, 2, &s.in.unit.names, mem);
    trod_super_count_own(&counter, &s.super.super, &row, 1);
    trod_super_count_finish(&whole, &cut_short, &counter, "s");
    trod_super_listed(
        &listed, &s.super.super, &s.super.ballarus, &s.in.segments, NULL, 10, mem);
    assert_true(trod_super_check(&s.super.super, mem, &s.err));
}

static void test_every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(pass_without_memory, NULL) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_follow_segments),
        cmocka_unit_test(test_exceptions_start_anew),
        cmocka_unit_test(test_edges_have_origins),
        cmocka_unit_test(test_paths_start_in_the_root),
        cmocka_unit_test(test_a_subpath_that_no_frame_has_is_passed_over),
        cmocka_unit_test(test_what_cannot_be_gone_into_is_said),
        cmocka_unit_test(test_growth_takes_the_most_frequent),
        cmocka_unit_test(test_frames_are_dropped_for_a_limit),
        cmocka_unit_test(test_segments_are_counted),
        cmocka_unit_test(test_a_search_that_takes_too_long_says_so),
        cmocka_unit_test(test_a_graph_from_elsewhere_is_adopted),
        cmocka_unit_test(test_a_graph_that_goes_on_in_a_frame_is_refused),
        cmocka_unit_test(test_two_of_a_name_are_refused),
        cmocka_unit_test(test_faults_in_frames_are_seen),
        cmocka_unit_test(test_faults_in_supergraphs_are_seen),
        cmocka_unit_test(test_faults_in_cuts_are_seen),
        cmocka_unit_test(test_every_allocation_may_fail),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("super", tests, NULL, NULL);
}
