/* Overlaps worked out by hand, and with exhausted memory. */
#include "profile/overlap.h"
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "profile/profile.h"
#include "report/report.h"
#include "segment/segment.h"
#include "online/online.h"

static struct {
    struct trod_arena mem;
    struct trod_err err;
} have;

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static int set_up(void **state)
{
    (void)state;
    trod_arena_init(&have.mem, die, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return trod_arena_chunks() != 0;
}

static void parse(struct trod_profile *out, const char *bytes, struct trod_arena *mem)
{
    struct trod_text text;
    bool more;

    trod_text_init(&text, "text", bytes, strlen(bytes));
    if (!trod_profile_parse(out, &more, &text, mem, &have.err))
        fail_msg("%s", have.err.text);
}

static const char text_a[] = "profile\n"
                             "module app source 01\n"
                             "function 0000000000000001 0000000000000000 "
                             "0000000000000000 5\n"
                             "=0 50\n=1 30\n=2 20\nbegun 900\n";
static const char text_b[] = "profile\n"
                             "module app source 01\n"
                             "function 0000000000000001 0000000000000000 "
                             "0000000000000000 5\n"
                             "=0 1\n=2 1\n";

/* --- by hand ---------------------------------------------------------------------------------- */

static void test_paths(void **state)
{
    struct trod_profile a, b;
    struct trod_overlap o;

    (void)state;
    parse(&a, text_a, &have.mem);
    parse(&b, text_b, &have.mem);
    assert_true(trod_profile_overlap(&o, &a, &b, 0, &have.mem, &have.err));
    assert_int_equal(o.nmember, 3);
    assert_true(o.all.overlap == 0.7);
    assert_true(o.top.overlap == 0.7);
    assert_int_equal(o.all.nboth, 2);
    assert_int_equal(o.napart, 2);
    assert_int_equal(o.apart[0], 1);
    assert_int_equal(o.apart[1], 2);
    assert_true(trod_overlap_share(&o, 1, false) == 0.3);
    assert_true(trod_overlap_share(&o, 1, true) == 0);
    /* 50 and 30 of A, and both of B, of which the second has half. */
    assert_true(trod_profile_overlap(&o, &a, &b, 800000, &have.mem, &have.err));
    assert_int_equal(o.top.na, 2);
    assert_int_equal(o.top.nb, 2);
    assert_int_equal(o.top.nboth, 1);
    assert_true(o.top.overlap == 0.5);
}

static void test_nothing(void **state)
{
    struct trod_overlap_member one = {3, 0};
    struct trod_overlap o;

    (void)state;
    trod_overlap_build(&o, NULL, 0, 0, &have.mem);
    assert_true(o.all.overlap == 0 && o.top.overlap == 0 && !o.napart);
    trod_overlap_build(&o, &one, 1, 0, &have.mem);
    assert_true(o.all.overlap == 0 && o.top.overlap == 0);
    assert_int_equal(o.all.na, 1);
    assert_int_equal(o.napart, 1);
}

/* What is just enough is enough: 9 of 10 is 90%. */
static void test_just_enough(void **state)
{
    const struct trod_overlap_member member[] = {{1, 1}, {9, 9}};
    struct trod_overlap o;

    (void)state;
    trod_overlap_build(&o, member, 2, 0, &have.mem);
    assert_int_equal(o.top.na, 1);
    trod_overlap_build(&o, member, 2, TROD_OVERLAP_TOP + 1, &have.mem);
    assert_int_equal(o.top.na, 2);
    trod_overlap_build(&o, member, 2, 1, &have.mem);
    assert_int_equal(o.top.na, 1);
}

/* 100% is not said of what is less, nor 0% of what is more. */
static void put_nothing(struct trod_sink *sink, size_t member, const void *ctx)
{
    (void)ctx;
    trod_put(sink, "m%zu", member);
}

static void test_rounding(void **state)
{
    const struct trod_overlap_member nearly[] = {{1000000, 1000000}, {1, 0}};
    const struct trod_overlap_member hardly[] = {{1000000, 1}, {0, 1000000}};
    const struct trod_overlap_format format = {
        .word = "things", .head = "thing", .put = put_nothing};
    struct trod_string text;
    struct trod_overlap o;

    (void)state;
    trod_string_init(&text, &have.mem);
    trod_overlap_build(&o, nearly, 2, TROD_OVERLAP_WHOLE, &have.mem);
    trod_overlap_print(&text.sink, &o, &format);
    assert_non_null(strstr(text.text, "complete      99.99%"));
    assert_non_null(strstr(text.text, "top 100%      99.99%"));
    assert_non_null(strstr(text.text, "  m1\n"));
    trod_string_init(&text, &have.mem);
    trod_overlap_build(&o, hardly, 2, 0, &have.mem);
    trod_overlap_print(&text.sink, &o, &format);
    assert_non_null(strstr(text.text, "complete       0.01%"));
    assert_non_null(strstr(text.text, "top 90%        0.00%"));
}

/* --- exhausted memory ------------------------------------------------------------------------ */

static void do_paths(struct trod_arena *mem, void *ctx)
{
    struct trod_report_options options = {.group = TROD_GROUP_FUNCTION};
    struct trod_report_overlap overlap = {0};
    struct trod_profile_diff diff;
    struct trod_profile a, b;
    struct trod_overlap plain;
    struct trod_map map = {0};
    struct trod_string text;
    struct trod_text empty;
    struct trod_json json;

    (void)ctx;
    parse(&a, text_a, mem);
    parse(&b, text_b, mem);
    trod_text_init(&empty, "map", "", 0);
    if (!trod_profile_overlap(&plain, &a, &b, 0, mem, &have.err) ||
        !trod_map_parse(&map, &empty, mem, &have.err) ||
        !trod_profile_diff(&diff, &a, &b, mem, &have.err) ||
        !trod_report_overlap_build(&overlap, &diff, &map, &options, 0, mem, &have.err))
        fail_msg("%s", have.err.text);
    assert_int_equal(overlap.overlap.nmember, 1);
    assert_true(overlap.overlap.all.overlap == 1);
    trod_string_init(&text, mem);
    trod_report_overlap_print(&text.sink, &overlap);
    trod_json_init(&json, &text.sink);
    trod_report_overlap_json(&json, NULL, &overlap);
}

static const char subpaths_text[] =
    " rotation\nexact\nran 30\n"
    "function 0000000000000001 0000000000000002 0000000000000003 4\n"
    "7 7 0: 1 2\n5 5 0: 1 2 3\n";

static void do_subpaths(struct trod_arena *mem, void *ctx)
{
    struct trod_online_overlap overlap = {0};
    struct trod_subpaths subpaths;
    struct trod_text text;

    (void)ctx;
    trod_text_init(&text, "text", subpaths_text, sizeof subpaths_text - 1);
    if (!trod_subpaths_parse(&subpaths, "app", &text, mem, &have.err) ||
        !trod_online_overlap_build(&overlap, &subpaths, &subpaths, 0, mem, &have.err))
        fail_msg("%s", have.err.text);
    assert_true(overlap.overlap.all.overlap == 1);
    assert_int_equal(overlap.overlap.nmember, 2);
}

static const char segments_text[] = " 1\n3 f:0 ( g:1 ) f:2\n1 f:0 ( g:0 )\n";

static void do_segments(struct trod_arena *mem, void *ctx)
{
    struct trod_segments_overlap overlap = {0};
    struct trod_segments segments;
    struct trod_text text;

    (void)ctx;
    trod_text_init(&text, "text", segments_text, sizeof segments_text - 1);
    if (!trod_segments_parse(&segments, "app", &text, mem, &have.err) ||
        !trod_segments_overlap_build(&overlap, &segments, &segments, 0, mem, &have.err))
        fail_msg("%s", have.err.text);
    assert_true(overlap.overlap.all.overlap == 1);
    assert_int_equal(overlap.overlap.nmember, 2);
}

static void test_exhaustion(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(do_paths, NULL) > 5);
    assert_true(kit_each_allocation_failure(do_subpaths, NULL) > 5);
    assert_true(kit_each_allocation_failure(do_segments, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_paths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_just_enough, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rounding, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_exhaustion, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
