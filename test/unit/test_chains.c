/* Paths in a row: a loop with two ways through it, worked by hand; maps and numbers that are damaged;
 * exhausted memory. What holds for all functions is in prop_chain.c.
 */
#include "kit/fixture.h"

#include <string.h>

#include "pathset/pathset.h"

#define HASHES "0000000000000001 0000000000000002 0000000000000003 "
#define FUNCTION "unit f.c iterations2\nfunction f 1 2 3\nfile f.c\nbegun f\n"

/* Paths: 0 a b c d > b, 1 a b c e > b, 2 a b t, 3 > b c d > b, 4 > b c e > b, 5 > b t. A chain of p
 * and q is 7 (p + 1) + q + 1.
 */
#define NUMBERING                                                                   \
    "numbering f ballarus\n>: a b+3\na: b\nb: c t+2\nc!: d e+1\nd: >b\ne: >b\nt:\n" \
    "lines f\n0: 1\n1: 2\n2: 3\n3: 4\n4: 5\n5: 6\n"

enum { ENTER_D = 1, ENTER_E = 2, D = 4, E = 5, T = 6 }; /* digits */
#define IN_ROW(p, q) ((trod_path)7 * (p) + (q))
#define THREE(p, q, r) ((trod_path)49 * (p) + IN_ROW(q, r))

static bool try_map(struct trod_map *out, const char *text)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "map", text, strlen(text));
    return trod_map_parse(out, &cursor, &have.mem, &have.err);
}

static struct trod_map map_of(const char *text)
{
    struct trod_map map;

    must(try_map(&map, text));
    return map;
}

static const char *format_path(const struct trod_map *map, trod_path id)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_path_print(&text.sink, map, &map->entry[0], id, NULL);
    return text.text;
}

static struct trod_profile profile_of(const char *text, struct trod_arena *mem)
{
    struct trod_profile profile;
    struct trod_text cursor;
    bool more;

    trod_text_init(&cursor, "text", text, strlen(text));
    must(trod_profile_parse(&profile, &more, &cursor, mem, &have.err));
    return profile;
}

/* --- maps and words ------------------------------------------------------------------------ */

static void test_path_text(void **state)
{
    struct trod_map map = map_of(FUNCTION "iterations 2\n" NUMBERING);

    (void)state;
    assert_int_equal(map.entry[0].chain.iterations, 2);
    assert_int_equal(map.entry[0].chain.nchain, 49);
    assert_string_equal(
        format_path(&map, IN_ROW(0, ENTER_E)), "entry 2:way1 3:way2 again 2");
    assert_string_equal(format_path(&map, IN_ROW(ENTER_E, D)),
        "entry 2:way1 3:way2 then loop 2 2:way1 3:way1 again 2");
    assert_string_equal(format_path(&map, IN_ROW(D, T)),
        "loop 2 2:way1 3:way1 then loop 2 2:way2 return 6");
    /* An impossible one: the end of the first is reported. */
    assert_string_equal(format_path(&map, IN_ROW(D, ENTER_D)),
        "loop 2 2:way1 3:way1 again 2 then entry 2:way1 3:way1 again 2");
    assert_string_equal(format_path(&map, 0), "no path");
    assert_string_equal(format_path(&map, IN_ROW(D, 0)), "no path");
    map.entry[0].first_line = NULL;
    assert_string_equal(format_path(&map, IN_ROW(D, T)), "> b c d > b then > b t");
}

static void test_without(void **state)
{
    struct trod_map map = map_of(FUNCTION NUMBERING);

    (void)state;
    assert_int_equal(map.entry[0].chain.iterations, 1);
    assert_int_equal(map.entry[0].chain.nchain, 6);
    assert_string_equal(format_path(&map, 0), "entry 2:way1 3:way1 again 2");
}

static void refuse(const char *text)
{
    struct trod_map map;

    assert_false(try_map(&map, text));
    assert_int_equal(have.err.code, TROD_E_INPUT);
}

static void test_damaged(void **state)
{
    (void)state;
    refuse("iterations 2\n");
    refuse(FUNCTION "iterations 1\n" NUMBERING);
    refuse(FUNCTION "iterations 9\n" NUMBERING);
    refuse(FUNCTION "iterations two\n" NUMBERING);
    refuse(FUNCTION NUMBERING "iterations 2\n");
    /* No path comes after another here. */
    refuse(
        "unit f.c iterations2\nfunction f 1 2 3\niterations 2\nnumbering f ballarus\na: b\nb:\n");
}

/* Iterations that ids have room for: 2^31 paths and an end, twice. */
static void test_room(void **state)
{
    struct trod_dag dag = {.ncut = 1};
    struct trod_numbering many = {.dag = &dag, .npath = UINT64_C(1) << 31};
    struct trod_chain chain;

    (void)state;
    trod_chain_init(&chain, &many, 8);
    assert_int_equal(chain.iterations, 2);
    many.npath = UINT64_C(1) << 32;
    trod_chain_init(&chain, &many, 8);
    assert_int_equal(chain.iterations, 1);
    assert_true(chain.nchain == many.npath);
    many.npath = 1;
    trod_chain_init(&chain, &many, 8);
    assert_int_equal(chain.iterations, 8);
    assert_int_equal(chain.nchain, 256);
}

/* --- what ran ------------------------------------------------------------------------------- */

static const char ran_text[] =
    "profile\nmodule app iterations2\nfunction " HASHES "49\n"
    "=1 2\n=11 2\n=33 9\n=41 2\nbegun 3\n";

static void test_covered(void **state)
{
    struct trod_map map = map_of(FUNCTION "iterations 2\n" NUMBERING);
    struct trod_profile profile = profile_of(ran_text, &have.mem);
    const struct trod_profile *one = &profile;
    struct trod_cover_options options = {0};
    struct trod_covered *c;
    struct trod_cover cover;
    struct trod_ran ran;

    (void)state;
    must(trod_ran_build(&ran, &one, 1, &have.mem, &have.err));
    trod_cover_build(&cover, &ran, &map, &options, &have.mem);
    c = &cover.row[0].covered;
    assert_int_equal(c->path.ran, 4);
    assert_int_equal(c->path.all, 3 + 2 * 3 + 2 * 3);
    assert_int_equal(c->edge.ran, 7);
    assert_int_equal(c->edge.all, 7);
    assert_int_equal(c->block.ran, 6);
}

static void test_missing(void **state)
{
    static const trod_path id[] = {12, 13, 32, 34, 39, 40},
                           near[] = {11, 11, 33, 33, 41, 41};
    struct trod_map map = map_of(FUNCTION "iterations 2\n" NUMBERING);
    const struct trod_ran_path ran[] = {{1, 2, 1}, {11, 2, 1}, {33, 9, 1}, {41, 2, 1}};
    struct trod_neighbour *found;
    size_t n =
        trod_neighbours_of_chains(&found, &map.entry[0].chain, ran, 4, &have.mem);

    (void)state;
    assert_int_equal(n, 6);
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(found[i].id, id[i]);
        assert_int_equal(found[i].near, near[i]);
        assert_int_equal(found[i].nnew, 0);
    }
}

/* The function ended twice: chains whose last path is 5. */
static void test_left(void **state)
{
    struct trod_map map = map_of(FUNCTION "iterations 2\n" NUMBERING);
    struct trod_profile profile = profile_of(ran_text, &have.mem);
    struct trod_abandoned *left;

    (void)state;
    assert_int_equal(trod_report_abandoned(&left, &profile, &map, &have.mem), 1);
    assert_int_equal(left[0].begun, 3);
    assert_int_equal(left[0].ended, 2);
}

static void test_weight(void **state)
{
    struct trod_map map = map_of(FUNCTION "iterations 2\n" NUMBERING);
    struct trod_profile profile = profile_of(ran_text, &have.mem);
    struct trod_report_options options = {0};
    struct trod_rows rows;

    (void)state;
    trod_rows_init(&rows, &map, &options, &have.mem);
    trod_rows_add(&rows, &profile.module[0].function[0], IN_ROW(ENTER_D, T), 10, 0);
    assert_int_equal(rows.weight, 20); /* b and t; the others are in another chain */
}

/* --- what was tested -------------------------------------------------------------------------- */

static void test_fresh(void **state)
{
    struct trod_map map = map_of(FUNCTION "iterations 3\n" NUMBERING);
    const trod_path tested[] = {ENTER_D, IN_ROW(ENTER_D, D), THREE(ENTER_D, D, E)};
    struct trod_chain_tested in_row;

    (void)state;
    trod_chain_tested_init(&in_row, &map.entry[0].chain, tested, 3, &have.mem);
    assert_int_equal(in_row.nlast, 3);
    assert_int_equal(trod_chain_fresh(&in_row, IN_ROW(ENTER_D, T)), 1);
    assert_int_equal(trod_chain_fresh(&in_row, IN_ROW(ENTER_D, E)), 2);
    assert_int_equal(trod_chain_fresh(&in_row, THREE(D, D, E)), 3);
    assert_int_equal(trod_chain_fresh(&in_row, THREE(D, 0, 0)), 0);
}

static struct trod_untested untested_of(const struct trod_map *map,
    const struct trod_profile *profile, const char *tested, struct trod_arena *mem)
{
    struct trod_untested_options options = {0};
    struct trod_untested out;
    struct trod_list list;
    struct trod_text cursor;
    struct trod_ran ran;

    trod_text_init(&cursor, "list", tested, strlen(tested));
    must(trod_list_parse(&list, &cursor, mem, &have.err));
    must(trod_ran_build(&ran, &profile, 1, mem, &have.err));
    trod_untested_build(&out, &list, &ran, map, &options, mem);
    return out;
}

static void test_untested(void **state)
{
    struct trod_map map = map_of(FUNCTION "iterations 2\n" NUMBERING);
    struct trod_profile profile = profile_of(ran_text, &have.mem);
    struct trod_untested u = untested_of(&map, &profile,
        "list iterations2\nfunction f " HASHES "49\n=1\n=11\n=32\n=34\n", &have.mem);
    struct trod_string text;

    (void)state;
    assert_int_equal(u.npath, 2);
    assert_int_equal(u.npath_of_why[TROD_WHY_EDGES], 1); /* E was never taken */
    assert_int_equal(u.npath_of_why[TROD_WHY_ROW], 1);   /* T, but not after E */
    trod_string_init(&text, &have.mem);
    trod_untested_print(&text.sink, &u, &map, NULL, &have.mem);
    assert_non_null(strstr(text.text, "no test took: 3:way2\n"));
    assert_non_null(strstr(text.text, "no test took in succession: the last 2\n"));
    assert_non_null(strstr(text.text, "#   1 new chains only: each path was tested\n"));
}

/* --- memory ------------------------------------------------------------------------------------- */

static struct trod_map the_map;

static void everything(struct trod_arena *mem, void *ctx)
{
    struct trod_cover_options cover = {0};
    struct trod_profile profile = profile_of(ran_text, mem);
    const struct trod_profile *one = &profile;
    struct trod_neighbour *missing;
    struct trod_cover covered;
    struct trod_ran ran;

    (void)ctx;
    must(trod_ran_build(&ran, &one, 1, mem, &have.err));
    trod_cover_build(&covered, &ran, &the_map, &cover, mem);
    trod_neighbours_build(&missing, &ran, &the_map, &cover, 20, mem);
    untested_of(&the_map, &profile,
        "list iterations2\nfunction f " HASHES "49\n=1\n=32\n", mem);
}

static void test_memory(void **state)
{
    (void)state;
    the_map = map_of(FUNCTION "iterations 2\n" NUMBERING);
    assert_true(kit_each_allocation_failure(everything, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_path_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_without, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_room, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_covered, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_left, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_weight, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_fresh, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_untested, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("chains", tests, NULL, NULL);
}
