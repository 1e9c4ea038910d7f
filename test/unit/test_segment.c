/* Segments: validators that find what is broken, order and counts, a million steps, memory that
 * runs out. What holds for all is in prop_segment.c; the words of refusals are in
 * test/case/segment.
 */
#include "kit/fixture.h"

#include <string.h>

#include "segment/segment.h"

#define SUBPATH TROD_STEP_SUBPATH
#define CALL TROD_STEP_CALL
#define RETURN TROD_STEP_RETURN
#define LEFT TROD_STEP_LEFT
#define INTERRUPT TROD_STEP_INTERRUPT
#define RESUME TROD_STEP_RESUME

static void read(struct trod_wpp *out, const char *steps)
{
    struct trod_string all;
    struct trod_token token;
    struct trod_text text;

    trod_string_init(&all, &have.mem);
    trod_put(&all.sink, "wpp w\n");
    all.sink.put(&all.sink, steps, strlen(steps));
    trod_text_init(&text, "f", all.text, all.length);
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_wpp_parse(out, token.name, &text, &have.mem, &have.err));
}

static void gives(const char *steps, uint64_t depth, const char *want)
{
    struct trod_segments segments;
    struct trod_string text;
    struct trod_wpp wpp;

    read(&wpp, steps);
    trod_segments_build(&segments, &wpp, depth, &have.mem);
    must(trod_segments_check(&segments, &have.mem, &have.err));
    trod_string_init(&text, &have.mem);
    trod_segments_print(&text.sink, &segments);
    assert_string_equal(text.text, want);
}

static void test_order(void **state)
{
    (void)state;
    gives("", 1, "segments w 1\n");
    gives("( m:0 ( a:0 ) m:1 ( b:0 ) m:1 ( b:0 ) m:1 ( b:0 ) m:2 )", 1,
        "segments w 1\n2 m:1 ( b:0 ) m:1\n1 m:0 ( a:0 ) m:1\n1 m:1 ( b:0 ) m:2\n");
    gives("m:0 ( a:0 ) m:1", 1, "segments w 1\n1 m:0 ( a:0 ) m:1\n");
    /* Outside of all calls, what comes after a return need not follow from it. */
    gives("m:0 ( a:0 ) ( b:0 )", 2, "segments w 2\n1 m:0 ( a:0 )\n");
    gives("m:0 ( a:0 ( b:0 ) ) m:1", 2,
        "segments w 2\n1 m:0 ( a:0 ( b:0 ) ) m:1\n1 a:0 ( b:0 )\n");
}

/* Recursion as deep as the thread's stack ever was is only memory here. */
static void test_deep(void **state)
{
    enum { DEEP = 300000 };
    struct trod_string text;
    struct trod_segments segments;
    struct trod_wpp wpp;

    (void)state;
    trod_string_init(&text, &have.mem);
    for (int i = 0; i < DEEP; i++)
        trod_put(&text.sink, "( f:0 ");
    for (int i = 0; i < DEEP; i++)
        trod_put(&text.sink, ") ");
    read(&wpp, text.text);
    trod_segments_build(&segments, &wpp, 2, &have.mem);
    assert_int_equal(segments.nsegment, 2);
    assert_int_equal(segments.segment[0].count, DEEP - 2);
    must(trod_wpp_check(&wpp, &have.mem, &have.err));
}

static void is_broken(const struct trod_step *step, size_t n, const char *words)
{
    struct trod_wpp wpp = {.name = "w", .step = step, .nstep = n};

    trod_names_init(&wpp.function, &have.mem);
    trod_names_add(&wpp.function, "f");
    trod_names_add(&wpp.function, "g");
    assert_false(trod_wpp_check(&wpp, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_INTERNAL);
    if (!strstr(have.err.text, words))
        fail_msg("%s", have.err.text);
}

static void test_check(void **state)
{
    static const struct trod_step stranger[] = {{SUBPATH, 2, 0}};
    static const struct trod_step twice[] = {{CALL, 0, 0}, {CALL, 0, 0}};
    static const struct trod_step again[] = {{CALL, 0, 0}, {SUBPATH, 0, 0},
        {CALL, 0, 0}, {SUBPATH, 1, 0}, {RETURN, 0, 0}, {CALL, 0, 0}};
    static const struct trod_step none[] = {{SUBPATH, 0, 0}, {RETURN, 0, 0}};
    static const struct trod_step nothing[] = {{CALL, 0, 0}, {RETURN, 0, 0}};
    static const struct trod_step other[] = {{SUBPATH, 0, 0}, {SUBPATH, 1, 0}};
    static const struct trod_step in_call[] = {
        {SUBPATH, 0, 0}, {CALL, 0, 0}, {INTERRUPT, 0, 0}};
    static const struct trod_step idle[] = {
        {SUBPATH, 0, 0}, {INTERRUPT, 0, 0}, {RESUME, 0, 0}};
    static const struct trod_step crossed[] = {{SUBPATH, 0, 0}, {INTERRUPT, 0, 0},
        {SUBPATH, 1, 0}, {CALL, 0, 0}, {SUBPATH, 0, 0}, {RESUME, 0, 0}};
    static const struct trod_step out[] = {
        {SUBPATH, 0, 0}, {INTERRUPT, 0, 0}, {SUBPATH, 1, 0}, {LEFT, 0, 0}};

    (void)state;
    is_broken(stranger, 1, "step 1: a subpath belongs to no function");
    is_broken(twice, 2, "step 2: a call does not follow a subpath");
    is_broken(again, 6, "step 6: a call does not follow a subpath");
    is_broken(none, 2, "step 2: a return closes no call");
    is_broken(nothing, 2, "step 2: a call has no subpath of the callee");
    is_broken(other, 2, "step 2: a subpath is of another function");
    is_broken(in_call, 3, "step 3: an interruption is between a call");
    is_broken(idle, 3, "step 3: an interruption has no subpath");
    is_broken(crossed, 6, "step 6: ']' closes no interruption");
    is_broken(out, 4, "step 4: a return closes no call");
}

static void test_check_segments(void **state)
{
    static const struct trod_step good[] = {{SUBPATH, 0, 0}, {CALL, 0, 0},
        {SUBPATH, 1, 0}, {RETURN, 0, 0}, {SUBPATH, 0, 1}};
    static const struct trod_step loop[] = {
        {SUBPATH, 0, 0}, {CALL, 0, 0}, {SUBPATH, 1, 0}, {SUBPATH, 1, 0}};
    static const struct trod_step up[] = {{SUBPATH, 0, 0}, {RETURN, 0, 0},
        {SUBPATH, 1, 0}, {CALL, 0, 0}, {SUBPATH, 0, 0}};
    static const struct trod_step left[] = {
        {SUBPATH, 0, 0}, {CALL, 0, 0}, {SUBPATH, 1, 0}, {LEFT, 0, 0}, {SUBPATH, 0, 1}};
    static const struct trod_step outside[] = {{SUBPATH, 0, 0}, {CALL, 0, 0},
        {RETURN, 0, 0}, {SUBPATH, 0, 0}, {CALL, 0, 0}, {SUBPATH, 1, 0}};
    static const struct {
        struct trod_segment segment[2];
        size_t n;
        const char *words; /* NULL: sound */
    } some[] = {
        {{{1, 5, good}}, 1, NULL},
        {{{2, 3, good}, {1, 5, good}}, 2, NULL},
        {{{0, 5, good}}, 1, "its count is 0"},
        {{{1, 4, good}}, 1, "does not begin and end with a subpath"},
        {{{1, 0, good}}, 1, "does not begin and end with a subpath"},
        {{{1, 1, good}}, 1, "spans no call"},
        {{{1, 4, loop}}, 1, "crosses iterations"},
        {{{1, 5, up}}, 1, "a return closes no call"},
        {{{1, 5, left}}, 1, "a call that did not return"},
        {{{1, 6, outside}}, 1, "an external call"},
        {{{1, 3, good}, {2, 5, good}}, 2, "the most frequent come first"},
        {{{2, 5, good}, {1, 5, good}}, 2, "occurs twice"},
    };
    struct trod_segments all = {.name = "w", .depth = 1};

    (void)state;
    trod_names_init(&all.function, &have.mem);
    trod_names_add(&all.function, "f");
    trod_names_add(&all.function, "g");
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        bool sound;

        all.segment = some[i].segment;
        all.nsegment = some[i].n;
        sound = trod_segments_check(&all, &have.mem, &have.err);
        if (sound != !some[i].words ||
            (some[i].words && !strstr(have.err.text, some[i].words)))
            fail_msg("%zu: %s", i, sound ? "sound" : have.err.text);
    }
    all.depth = 0;
    all.segment = some[0].segment;
    all.nsegment = 1;
    assert_false(trod_segments_check(&all, &have.mem, &have.err));
}

/* The same name may be that of several functions, and the same function come again. */
static void test_functions(void **state)
{
    static const struct trod_identity one = {1, 2, 3, 4}, two = {1, 2, 4, 4};
    struct trod_segments_builder b;
    struct trod_segments all;

    (void)state;
    trod_segments_builder_init(&b, 1, &have.mem);
    assert_int_equal(trod_functions_add(&b.functions, "f", &one), 0);
    assert_int_equal(trod_functions_add(&b.functions, "g", NULL), 1);
    assert_int_equal(trod_functions_add(&b.functions, "f", &two), 2);
    assert_int_equal(trod_functions_add(&b.functions, "f", NULL), 3);
    assert_int_equal(trod_functions_add(&b.functions, "f", &one), 0);
    assert_int_equal(trod_functions_add(&b.functions, "g", NULL), 1);
    assert_int_equal(trod_functions_add(&b.functions, "f", &two), 2);
    assert_int_equal(trod_functions_add(&b.functions, "f", NULL), 3);
    for (int i = 0; i < 40; i++)
        trod_functions_add(&b.functions, i % 2 ? "odd" : "even", NULL);
    trod_segments_finish(&all, &b, "all");
    assert_string_equal(all.function.name[2], "f@2");
    assert_string_equal(all.function.name[3], "f@3");
    assert_int_equal(all.identity[2].cuts, 4);
    assert_int_equal(all.identity[3].npath, 0);
    assert_int_equal(all.identity[5].npath, 0);
    assert_int_equal(all.function.count, 6);
}

/* Memory is for what is open and for what is different, however long it goes. */
static void test_long(void **state)
{
    static const struct trod_step row[] = {
        {SUBPATH, 0, 1}, {CALL, 0, 0}, {SUBPATH, 1, 0}, {RETURN, 0, 0}};
    struct trod_segments_builder b;
    struct trod_segments all;
    size_t before = 0;

    (void)state;
    trod_segments_builder_init(&b, 3, &have.mem);
    trod_functions_add(&b.functions, "f", NULL);
    trod_functions_add(&b.functions, "g", NULL);
    for (int i = 0; i < 200000; i++) {
        for (size_t k = 0; k < sizeof row / sizeof *row; k++)
            trod_segments_add(&b, &row[k]);
        if (i == 100)
            before = have.mem.live;
    }
    assert_int_equal(have.mem.live, before);
    trod_segments_finish(&all, &b, "long");
    assert_int_equal(all.nsegment, 4);
    assert_int_equal(all.segment[0].count, 200000 - 3);
    assert_int_equal(all.segment[0].nstep, 3 * 4 + 1);
}

/* Lines where the map knows the function, ids where it does not. */
static void test_list(void **state)
{
    static const char map_text[] =
        "unit one.c steps\n"
        "function main 0000000000000001 0000000000000011 0000000000000000\n"
        "numbering main ballarus\n>: 0 1+1\n0: >1\n1:\n"
        "calls main\n1: f\n"
        "lines main\n0: 10\n1: 11\n";
    static const char steps[] =
        "function main 0000000000000001 0000000000000011 0000000000000000 2\n"
        "( main:0 ( f:5 ( g:6 ) f:7 ) main:1 ) ( main:0 ( f:5 ( g:6 ) f:7 ) main:1 )";
    struct trod_segments segments;
    struct trod_string list;
    struct trod_text text;
    struct trod_map map;
    struct trod_wpp wpp;

    (void)state;
    trod_text_init(&text, "map", map_text, strlen(map_text));
    must(trod_map_parse(&map, &text, &have.mem, &have.err));
    read(&wpp, steps);
    trod_segments_build(&segments, &wpp, 2, &have.mem);
    trod_string_init(&list, &have.mem);
    trod_segments_list(&list.sink, &segments, &map, 1, &have.mem);
    assert_string_equal(list.text, "# 1 of 2 segments, 4 times in all\n"
                                   " 50.0%            2\n"
                                   "      main  entry calls f 11\n"
                                   "        f  =5\n"
                                   "          g  =6\n"
                                   "        f  =7\n"
                                   "      main  after f 11 return 11\n");
}

static void use_all(struct trod_arena *mem, void *ctx)
{
    static const char steps[] = "w\nfunction a 0000000000000001 "
                                "0000000000000002 0000000000000003 4\n"
                                "( a:0 ( b:0 ( c:0 ) b:1 [ h:0 ] ) a:1 ( b:0 ) a:2 )\n";
    struct trod_err err = {0};
    struct trod_segments segments;
    struct trod_string text;
    struct trod_token name;
    struct trod_text cursor;
    struct trod_wpp wpp;

    (void)ctx;
    trod_text_init(&cursor, "f", steps, strlen(steps));
    if (!trod_text_next(&name, &cursor, mem, &err) ||
        !trod_wpp_parse(&wpp, name.name, &cursor, mem, &err))
        abort();
    trod_segments_build(&segments, &wpp, 2, mem);
    trod_string_init(&text, mem);
    trod_segments_print(&text.sink, &segments);
    if (!trod_segments_check(&segments, mem, &err))
        abort();
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(use_all, NULL) > 20);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(order),
        TEST(deep),
        TEST(functions),
        TEST(long),
        TEST(list),
        TEST(check),
        TEST(check_segments),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
