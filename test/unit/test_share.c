/* share: examples worked by hand, what is refused and with which words, sites and paths of all
 * numbers, and exhausted memory. What holds for all functions is in prop_share.c.
 */
#include "kit/fixture.h"

#include <string.h>

#include "pathset/pathset.h"

/* A branch, which ran 10 times to the left and 100 times to the right; and another function. */
static const char map_text[] = "unit f.c source\n"
                               "function f 1 2 3\n"
                               "numbering f ballarus\n"
                               "a: b c+1\n"
                               "b: d\n"
                               "c: d\n"
                               "d:\n"
                               "function g 4 2 3\n"
                               "numbering g ballarus\n"
                               "a: b c+1\n"
                               "b: d\n"
                               "c: d\n"
                               "d:\n";
#define F "function f 0000000000000001 0000000000000002 0000000000000003 2\n"
#define G "function g 0000000000000004 0000000000000002 0000000000000003 2\n"

static const struct trod_ran_path ran_path[] = {{0, 10, 1}, {1, 100, 1}};
static const struct trod_ran_function ran_function[] = {
    {.function = {.name = 1, .graph = 2, .cuts = 3, .npath = 2},
        .npath = 2,
        .path = ran_path}};
static const struct trod_ran ran = {
    .nrun = 1, .nfunction = 1, .function = ran_function};

static struct trod_map read_map(struct trod_arena *mem)
{
    struct trod_text cursor;
    struct trod_map map;

    trod_text_init(&cursor, "map", map_text, strlen(map_text));
    must(trod_map_parse(&map, &cursor, mem, &have.err));
    return map;
}

static struct trod_list parse(const char *text, struct trod_arena *mem)
{
    struct trod_text cursor;
    struct trod_list list;

    trod_text_init(&cursor, "list", text, strlen(text));
    must(trod_list_parse(&list, &cursor, mem, &have.err));
    return list;
}

static struct trod_share share_of(
    const char *text, uint32_t nsite, const struct trod_ran *counts)
{
    struct trod_share_options options = {.nsite = nsite, .ran = counts};
    struct trod_list list = parse(text, &have.mem);
    struct trod_map map = read_map(&have.mem);
    struct trod_share share;

    must(trod_share_build(&share, &list, &map, &options, &have.mem, &have.err));
    must(trod_share_check(&share, &list, &have.mem, &have.err));
    return share;
}

/* The path that a site has, which has just one. */
static trod_path path_at(const struct trod_share *share, uint32_t site)
{
    assert_int_equal(share->site[site].sum.npath, 1);
    return share->site[site].list.function[0].id[0];
}

/* --- by hand ------------------------------------------------------------------------------------- */

/* Each path is counted on the edge that is its own, by one probe of two operations. */
static void test_prices(void **state)
{
    struct trod_share share = share_of("list source\n" F "=0\n=1\n", 2, &ran);
    uint32_t hot = path_at(&share, 0) == 1 ? 0 : 1;

    (void)state;
    assert_true(share.measured);
    assert_int_equal(share.ncut, 1);
    assert_int_equal(share.nempty, 0);
    assert_int_equal(path_at(&share, hot), 1);
    assert_int_equal(path_at(&share, 1 - hot), 0);
    assert_true(share.site[hot].sum.price.dynamic == 200);
    assert_true(share.site[1 - hot].sum.price.dynamic == 20);
    assert_int_equal(share.site[hot].sum.price.nop, 1);
    assert_true(share.once.price.dynamic == 220);
    assert_int_equal(share.once.price.nop, 2);
    assert_true(share.all.price.dynamic == 220); /* g did not run */
    assert_int_equal(share.all.nfunction, 2);
    assert_int_equal(share.all.npath, 4);
    assert_true(trod_share_load(&share.site[hot].sum.price, &share.once.price) ==
                200.0 / 220 + 1.0 / 32);
}

/* Without counts both functions are called a thousand times; neither has to be cut. */
static void test_estimates(void **state)
{
    struct trod_share share =
        share_of("list source\n" F "=0\n=1\n" G "=0\n=1\n", 2, NULL);

    (void)state;
    assert_false(share.measured);
    assert_int_equal(share.ncut, 0);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(share.site[i].sum.nfunction, 1);
        assert_true(share.site[i].sum.price.dynamic == 2000);
    }
    assert_true(share.all.price.dynamic == 4000);
}

/* Everything passes the probes of some: the price of one path is of what all others do, too. */
static void test_passers_by(void **state)
{
    static const char text[] = "unit f.c source\n"
                               "function f 1 2 3\n"
                               "numbering f ballarus\n"
                               "a: b c+2\n"
                               "b: d\n"
                               "c: d\n"
                               "d: e f+1\n"
                               "e: g\n"
                               "f: g\n"
                               "g:\n";
    const struct trod_ran_path path[] = {{0, 1, 1}, {1, 1000, 1}, {2, 1000, 1}};
    struct trod_ran_function alone = {.npath = 1, .path = path};
    struct trod_ran_function with_others = {.npath = 3, .path = path};
    const trod_path id[] = {0};
    const struct trod_pathset paths = {.id = id, .count = 1};
    struct trod_pricer pricer;
    struct trod_price few, many;
    struct trod_text cursor;
    struct trod_map map;

    (void)state;
    trod_text_init(&cursor, "map", text, strlen(text));
    must(trod_map_parse(&map, &cursor, &have.mem, &have.err));
    trod_pricer_init(&pricer, &map.entry[0].numbering, &alone, &have.mem);
    must(trod_price_paths(&few, &pricer, &paths, &have.mem, &have.err));
    trod_pricer_init(&pricer, &map.entry[0].numbering, &with_others, &have.mem);
    must(trod_price_paths(&many, &pricer, &paths, &have.mem, &have.err));
    assert_int_equal(few.nop, many.nop);
    assert_true(few.dynamic < 20);
    assert_true(many.dynamic > 1000);
}

/* --- of all numbers -------------------------------------------------------------------------------- */

static void test_numbers(void **state)
{
    struct trod_share share = share_of("list source\n" F "=0\n=1\n", 1, &ran);

    (void)state;
    assert_int_equal(share.site[0].sum.npath, 2);
    assert_true(share.site[0].sum.price.dynamic == share.once.price.dynamic);
    share = share_of("list source\n" F "=0\n=1\n", 7, &ran);
    assert_int_equal(share.nempty, 5);
    share = share_of("list source\n", 3, &ran);
    assert_int_equal(share.nempty, 3);
    assert_int_equal(share.once.npath, 0);
    share = share_of("list source\n" G "=1\n", 2, &ran); /* which did not run */
    assert_int_equal(share.nempty, 1);
    assert_true(share.once.price.dynamic == 0);
}

static void test_refusals(void **state)
{
    struct trod_share_options options = {.nsite = 2};
    struct trod_list list = parse("list source\nfunction other 0000000000000009 "
                                  "0000000000000002 0000000000000003 2\n=0\n",
        &have.mem);
    struct trod_map map = read_map(&have.mem);
    struct trod_share share;

    (void)state;
    assert_false(trod_share_build(&share, &list, &map, &options, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_non_null(strstr(have.err.text, "no map has the function 'other'"));
    assert_non_null(strstr(have.err.text, "--binary"));
}

static void test_check(void **state)
{
    struct trod_share share = share_of("list source\n" F "=0\n=1\n", 2, &ran);
    struct trod_list less = parse("list source\n" F "=0\n", &have.mem);
    struct trod_list more = parse("list source\n" F "=0\n=1\n" G "=0\n", &have.mem);
    struct trod_list none = parse("list source\n", &have.mem);

    (void)state;
    assert_false(trod_share_check(&share, &less, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "that is not in the set"));
    assert_false(trod_share_check(&share, &more, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "no site has the path 0 of 'g'"));
    assert_false(trod_share_check(&share, &none, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "of functions that are not in the set"));
    share.site[0].sum.npath++;
    assert_false(trod_share_check(&share, &less, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "sums of a site"));
}

/* --- in words ---------------------------------------------------------------------------------------- */

static void test_words(void **state)
{
    struct trod_share share = share_of("list source\n" F "=0\n=1\n", 1, &ran);
    struct trod_string text;

    (void)state;
    trod_string_init(&text, &have.mem);
    trod_share_print(&text.sink, &share, "a/b");
    assert_non_null(strstr(text.text, "# 2 paths of 1 functions for 1 sites"));
    assert_non_null(strstr(text.text, " 220 100.00%  a/b.1.list\n"));
    assert_string_equal(trod_share_file("x", 11, &have.mem), "x.12.list");
}

/* --- memory -------------------------------------------------------------------------------------------- */

static void everything(struct trod_arena *mem, void *ctx)
{
    struct trod_share_options options = {.nsite = 3, .ran = &ran};
    struct trod_list list = parse("list source\n" F "=0\n=1\n" G "=0\n=1\n", mem);
    struct trod_map map = read_map(mem);
    struct trod_string text;
    struct trod_share share;
    struct trod_json json;

    (void)ctx;
    trod_list_several(&list, &list, mem);
    must(trod_share_build(&share, &list, &map, &options, mem, &have.err));
    must(trod_share_check(&share, &list, mem, &have.err));
    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_share_print(&text.sink, &share, "p");
    trod_share_json(&json, NULL, &share, "p", mem);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(everything, NULL) > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_prices, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_estimates, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_passers_by, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_numbers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("share", tests, NULL, NULL);
}
