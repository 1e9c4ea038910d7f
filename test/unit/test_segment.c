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
    /* Outside of all calls, what comes behind a return need not follow from it. */
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

    (void)state;
    is_broken(stranger, 1, "step 1: a subpath is of no function");
    is_broken(twice, 2, "step 2: a call comes after no subpath");
    is_broken(again, 6, "step 6: a call comes after no subpath");
    is_broken(none, 2, "step 2: a return closes no call");
    is_broken(nothing, 2, "step 2: a function is left without a subpath");
    is_broken(other, 2, "step 2: a subpath is of another function");
}

static void test_check_segments(void **state)
{
    static const struct trod_step good[] = {{SUBPATH, 0, 0}, {CALL, 0, 0},
        {SUBPATH, 1, 0}, {RETURN, 0, 0}, {SUBPATH, 0, 1}};
    static const struct trod_step round[] = {
        {SUBPATH, 0, 0}, {CALL, 0, 0}, {SUBPATH, 1, 0}, {SUBPATH, 1, 0}};
    static const struct trod_step up[] = {{SUBPATH, 0, 0}, {RETURN, 0, 0},
        {SUBPATH, 1, 0}, {CALL, 0, 0}, {SUBPATH, 0, 0}};
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
        {{{1, 4, round}}, 1, "from round to round"},
        {{{1, 5, up}}, 1, "a return closes no call"},
        {{{1, 3, good}, {2, 5, good}}, 2, "the most frequent come first"},
        {{{2, 5, good}, {1, 5, good}}, 2, "there twice"},
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

static void use_all(struct trod_arena *mem, void *ctx)
{
    static const char steps[] = "w\n( a:0 ( b:0 ( c:0 ) b:1 ) a:1 ( b:0 ) a:2 )\n";
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
        TEST(check),
        TEST(check_segments),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("segment", tests, NULL, NULL);
}
