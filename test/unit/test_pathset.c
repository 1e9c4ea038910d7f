/* chosen: what lists look like, what is refused and with which words, examples worked by
 * hand, and exhausted memory. What holds for all functions is in prop_pathset.c.
 */
#include "kit/fixture.h"

#include <stdlib.h>
#include <string.h>

#include "pathset/pathset.h"

#define HASHES "0000000000000001 0000000000000002 0000000000000003 "

static bool try_parse(struct trod_list *out, const char *text, struct trod_arena *mem)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_list_parse(out, &cursor, mem, &have.err);
}

static struct trod_list parse(const char *text)
{
    struct trod_list out;

    must(try_parse(&out, text, &have.mem));
    must(trod_list_check(&out, &have.err));
    return out;
}

static const char *print(const struct trod_list *list, const struct trod_map *map)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_list_print(&text.sink, list, map);
    return text.text;
}

/* Three decisions, one after the other: eight paths. */
static const char map_text[] =
    "unit f.c source\n"
    "function f 1 2 3\n"
    "file f.c\n"
    "numbering f ballarus\n"
    "a: b c+4\n"
    "b: d\n"
    "c: d\n"
    "d: e f+2\n"
    "e: g\n"
    "f: g\n"
    "g: h i+1\n"
    "h: j\n"
    "i: j\n"
    "j:\n"
    "lines f\n"
    "0: 1 2\n1: 3\n2: 4\n3: 5\n4: 6\n5: 7\n6: 5\n7: 9\n8: 10\n9: 11\n";

static struct trod_map read_map(const char *text)
{
    struct trod_text cursor;
    struct trod_map map;

    trod_text_init(&cursor, "map", text, strlen(text));
    must(trod_map_parse(&map, &cursor, &have.mem, &have.err));
    return map;
}

/* --- lists ------------------------------------------------------------------------------------ */

static void test_order(void **state)
{
    struct trod_list list = parse("list source\n"
                                  "function b " HASHES "8\n=5\n=1 # again\n=5\n"
                                  "function a 0000000000000009 " /* another */
                                  "0000000000000002 0000000000000003 2\n=0\n"
                                  "function c 0000000000000008 "
                                  "0000000000000002 0000000000000003 2\n"
                                  "list source\n"
                                  "function \"?\" " HASHES "8\n=7\n");

    (void)state;
    assert_string_equal(print(&list, NULL),
        "list source\n"
        "function a 0000000000000009 0000000000000002 0000000000000003 2\n=0\n"
        "function b " HASHES "8\n=1\n=5\n=7\n");
    assert_int_equal(trod_list_count(&list), 4);
}

static void test_comments(void **state)
{
    struct trod_map map = read_map(map_text);
    struct trod_list list = parse("list source\nfunction f " HASHES "8\n=6\n");

    (void)state;
    assert_string_equal(print(&list, &map),
        "list source\nfunction f " HASHES
        "8\n=6    # entry 2:way2 5:way2 5:way1 return 11\n");
    list = parse(print(&list, &map));
    assert_int_equal(trod_list_count(&list), 1);
}

static void test_empty(void **state)
{
    struct trod_list list = parse("list code\nfunction f " HASHES "8\n");

    (void)state;
    assert_int_equal(list.nfunction, 0);
    assert_string_equal(print(&list, NULL), "list source\n");
}

static void refuse(const char *text, enum trod_err_code code, const char *said)
{
    struct trod_list list;

    assert_false(try_parse(&list, text, &have.mem));
    assert_int_equal(have.err.code, code);
    assert_string_equal(have.err.text, said);
}

static void test_refusals(void **state)
{
    (void)state;
    refuse("", TROD_E_INPUT,
        "text:1: not a path list: the file is empty; begin with 'list source' or 'list code'");
    refuse("profile\n", TROD_E_INPUT,
        "text:1: not a path list; begin with 'list source' or 'list code'");
    refuse("list\n", TROD_E_INPUT,
        "text:1: expected the mode of the list: source, code, steps, segments or iterations2 "
        "to iterations8");
    refuse("list source\nlist code\n", TROD_E_MISMATCH,
        "text:2: a list of mode code follows one of mode source; give them separately");
    refuse("list source\n=1\n", TROD_E_INPUT,
        "text:2: a path must belong to a function; add a line 'function NAME HASH HASH HASH "
        "NPATH' above it");
    refuse("list source\nfunction f " HASHES "8\n=8\n", TROD_E_INPUT,
        "text:3: 'f' has 8 paths, ids are below that; 8 is not");
    refuse("list source\nfunction f " HASHES "8\n=7 6\n", TROD_E_INPUT,
        "text:3: unexpected text after the id; remove it, or put '#' before it");
    refuse("list source\nfunction f 1 2 3 8\n", TROD_E_INPUT,
        "text:2: expected the hash of the function's name, 16 hexadecimal digits, not "
        "'1'");
    refuse("list source\nfunction f " HASHES "x\n", TROD_E_INPUT,
        "text:2: expected its number of paths, a whole number below 2^64, not 'x'");
    refuse("list source\nfunction : " HASHES "8\n", TROD_E_INPUT,
        "text:2: expected the name of a function; '\"?\"' if it is not known");
    refuse("list source\npath 5\n", TROD_E_INPUT,
        "text:2: expected a line of a list: 'list MODE', 'function NAME HASH HASH HASH "
        "NPATH' or '=ID'");
}

/* The validator sees what a builder would never leave. */
static void test_check(void **state)
{
    struct trod_list list = parse("list source\nfunction f " HASHES "8\n=1\n=5\n");
    struct trod_list_function f = list.function[0];
    const struct trod_list_function *pointer = &f;
    const trod_path unordered[] = {5, 1}, high[] = {1, 8};
    struct trod_list bad = list;

    (void)state;
    bad.function = &f;
    bad.by_function = &pointer;
    must(trod_list_check(&bad, &have.err));
    f.id = unordered;
    assert_false(trod_list_check(&bad, &have.err));
    f.id = high;
    assert_false(trod_list_check(&bad, &have.err));
    f = list.function[0];
    f.count = 0;
    assert_false(trod_list_check(&bad, &have.err));
    f = list.function[0];
    bad.mode = TROD_MODE_CODE;
    bad.nfunction = 0;
    assert_false(trod_list_check(&bad, &have.err));
}

/* --- a function of three decisions --------------------------------------------------------------- */

static struct trod_explained explain(
    const struct trod_map *map, const trod_path *tested, size_t n, trod_path id)
{
    trod_edge *room = trod_new(&have.mem, trod_edge, 64);
    struct trod_explainer x;
    struct trod_explained out;

    trod_explainer_init(&x, &map->entry[0].numbering, tested, n, &have.mem);
    trod_explain(&out, &x, id, room);
    return out;
}

static const char *format_edges(
    const struct trod_map *map, const struct trod_explained *x)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    for (uint32_t i = 0; i < x->nedge; i++) {
        trod_put(&text.sink, i ? ", " : "");
        trod_edge_print(&text.sink, &map->entry[0], x->edge[i]);
    }
    return text.text ? text.text : "";
}

static void test_explain(void **state)
{
    struct trod_map map = read_map(map_text);
    const trod_path some[] = {0, 7}, most[] = {0, 1, 2, 3, 4, 5, 6};
    struct trod_explained x;

    (void)state;
    x = explain(&map, some, 0, 3);
    assert_int_equal(x.why, TROD_WHY_ENTERED);
    x = explain(&map, some, 1, 3);
    assert_int_equal(x.why, TROD_WHY_EDGES);
    assert_string_equal(format_edges(&map, &x), "5:way2 (d f), 5:way2 (g i)");
    /* T T T and F F F were tested: the first F of T F F comes after a T. */
    x = explain(&map, some, 2, 3);
    assert_int_equal(x.why, TROD_WHY_APART);
    assert_string_equal(format_edges(&map, &x), "2:way1, 5:way2 (d f)");
    /* All but F F F: no two of its decisions were apart. */
    x = explain(&map, most, 7, 7);
    assert_int_equal(x.why, TROD_WHY_APART);
    assert_true(x.smallest);
    assert_string_equal(format_edges(&map, &x), "2:way2, 5:way2 (d f), 5:way2 (g i)");
}

static void test_missing(void **state)
{
    struct trod_map map = read_map(map_text);
    const struct trod_ran_path ran[] = {{0, 5, 1}, {1, 9, 1}};
    struct trod_neighbour *found;
    size_t n = trod_neighbours_of_function(
        &found, &map.entry[0].numbering, ran, 2, map.step, &have.mem);

    (void)state;
    assert_int_equal(n, 4);
    for (size_t i = 0; i < 4; i++) {
        static const trod_path id[] = {2, 3, 4, 5}, near[] = {0, 1, 0, 1};

        assert_int_equal(found[i].id, id[i]);
        assert_int_equal(found[i].near, near[i]);
        assert_int_equal(found[i].count, near[i] ? 9 : 5);
        assert_int_equal(found[i].nnew, 2); /* the branch, and out of its block */
    }
}

static void test_cover(void **state)
{
    struct trod_map map = read_map(map_text);
    const struct trod_ran_path ran[] = {{0, 5, 1}, {1, 9, 1}};
    struct trod_covered c;

    (void)state;
    trod_cover_function(&c, &map.entry[0].numbering, ran, 2, map.step, &have.mem);
    assert_int_equal(c.path.all, 8);
    assert_int_equal(c.edge.ran, 8);
    assert_int_equal(c.edge.all, 12);
    assert_int_equal(c.block.ran, 8);
    assert_int_equal(c.block.all, 10);
    assert_int_equal(c.ncut, 0);
    assert_true(trod_part_share((struct trod_part){0, 0}) == 1);
}

/* --- memory --------------------------------------------------------------------------------------- */

static struct trod_profile profile;
static struct trod_map the_map;

static void everything(struct trod_arena *mem, void *ctx)
{
    const struct trod_profile *one = &profile;
    struct trod_report_options report = {0};
    struct trod_cover_options cover = {.group = TROD_COVER_FILE};
    struct trod_untested_options options = {0};
    struct trod_list list, tested, both;
    struct trod_profile_function *known;
    struct trod_list_match match;
    struct trod_neighbour *missing;
    struct trod_untested untested;
    struct trod_cover covered;
    struct trod_string text;
    struct trod_ran ran;
    size_t n;

    (void)ctx;
    must(try_parse(&tested, "list source\nfunction f " HASHES "8\n=0\n=7\n", mem));
    must(trod_ran_build(&ran, &one, 1, mem, &have.err));
    trod_list_ran(&list, &ran, &the_map, mem);
    trod_list_report(&list, one, &the_map, &report, mem);
    must(trod_list_combine(&both, TROD_LIST_MINUS, &list, &tested, mem, &have.err));
    must(trod_list_combine(&both, TROD_LIST_UNION, &list, &tested, mem, &have.err));
    n = trod_known_map(&known, &the_map, mem);
    trod_list_match(&match, &list, known, n, mem);
    trod_list_keep(&list, &list, &match, mem);
    trod_cover_build(&covered, &ran, &the_map, &cover, mem);
    n = trod_neighbours_build(&missing, &ran, &the_map, &cover, 20, mem);
    trod_untested_build(&untested, &tested, &ran, &the_map, &options, mem);
    trod_untested_list(&both, &untested, &ran, mem);
    trod_string_init(&text, mem);
    trod_list_print(&text.sink, &list, &the_map);
    trod_cover_print(&text.sink, &covered, &(struct trod_style){0}, mem);
    trod_neighbours_print(&text.sink, &the_map, missing, n, NULL, mem);
    trod_untested_print(&text.sink, &untested, &the_map, NULL, mem);
}

static void test_memory(void **state)
{
    static const char text[] =
        "profile\nmodule app source\nfunction " HASHES "8\n=0 5\n=3 2\n=6 1\nbegun 9\n";
    struct trod_text cursor;
    bool more;

    (void)state;
    trod_text_init(&cursor, "text", text, strlen(text));
    must(trod_profile_parse(&profile, &more, &cursor, &have.mem, &have.err));
    the_map = read_map(map_text);
    assert_true(kit_each_allocation_failure(everything, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_comments, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_empty, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_explain, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_missing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cover, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("chosen", tests, NULL, NULL);
}
