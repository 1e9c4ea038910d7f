/* Constructs: how units become one program, what is found in it, levels that are added, the check that finds what is
 * broken, exhausted memory. What holds for all is in prop_construct.c; the words of refusals are in
 * test/case/construct.
 */
#include "kit/fixture.h"

#include <string.h>

#include "construct/construct.h"

static void add(struct trod_constructs_builder *builder, const char *lines)
{
    struct trod_text text;

    trod_text_init(&text, "f", lines, strlen(lines));
    must(trod_constructs_add(builder, &text, &have.err));
}

static void add_code(struct trod_constructs_builder *builder, const char *lines)
{
    struct trod_text text;

    trod_text_init(&text, "f", lines, strlen(lines));
    must(trod_constructs_add_code(builder, &text, &have.err));
}

static void read(struct trod_constructs *out, const char *lines)
{
    struct trod_text text;

    trod_text_init(&text, "f", lines, strlen(lines));
    must(trod_constructs_parse(out, &text, &have.mem, &have.err));
    must(trod_constructs_check(out, &have.err));
}

static const char *print(const struct trod_constructs *of)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_constructs_print(&text.sink, of);
    return text.text;
}

static void gives(const char *lines, const char *want)
{
    struct trod_constructs of, back;

    read(&of, lines);
    assert_string_equal(print(&of), want);
    read(&back, want);
    assert_string_equal(print(&back), want);
}

#define H(n) "00000000000000" n

static const char small[] =
    "constructs p\n"
    "unit a.c\n"
    "in a.c\n"
    "0 function 1 9 " H("01") " " H(
        "02") " main\n"
              "1 statement if 2 6 " H("03") " " H(
                  "04") "\n"
                        "2 loop for 3 5 " H("05") " " H(
                            "06") "\n"
                                  "3 statement call 4 4 " H("07") " " H(
                                      "07") "\n"
                                            "calls f\n"
                                            "3 statement call 4 4 " H("08") " " H(
                                                "08") "\n"
                                                      "calls f\n"
                                                      "1 statement return 8 8 " H("09") " " H(
                                                          "09") "\n"
                                                                "0 function 11 12 " H(
                                                                    "0a") " " H("0b") " f\n";

/* --- reading -------------------------------------------------------------------------------------------- */

static void test_tree(void **state)
{
    struct trod_constructs of;
    const struct trod_construct *c;

    (void)state;
    read(&of, small);
    c = of.construct;
    assert_int_equal(of.nconstruct, 8);
    assert_int_equal(c[0].level, TROD_LEVEL_PROGRAM);
    assert_int_equal(c[0].next, 8);
    assert_int_equal(c[1].parent, 0);
    assert_int_equal(c[1].next, 7);
    assert_int_equal(c[2].parent, 1);
    assert_int_equal(c[3].parent, 2);
    assert_int_equal(c[5].parent, 3);
    assert_int_equal(c[4].ordinal, 0);
    assert_int_equal(c[5].ordinal, 1);
    assert_int_equal(c[6].parent, 1);
    assert_int_equal(c[7].next, 8);
    assert_int_equal(of.nuse, 2);
    assert_int_equal(of.use[0].to, 7);
    assert_string_equal(of.kinds.name[c[3].kind], "for");
    assert_string_equal(of.kinds.name[c[1].kind], "function");
    assert_string_equal(print(&of), small);
}

/* Things that several units have are there once, whichever comes first. */
static void test_units(void **state)
{
    static const char one[] =
        "constructs x\nunit a.c\nin h.h\n0 function 1 2 " H("01") " " H(
            "02") " g static\n"
                  "1 statement call 2 2 " H("03") " " H(
                      "03") "\ncalls f\n"
                            "in a.c\n0 function 1 2 " H("04") " " H("05") " f\n";
    static const char two[] =
        "constructs x\nunit b.c\nin h.h\n0 function 1 2 " H("01") " " H(
            "02") " g static\n"
                  "1 statement call 2 2 " H("03") " " H(
                      "03") "\ncalls f\n"
                            "in b.c\n0 function 1 2 " H("06") " " H("07") " h\n";
    struct trod_constructs_builder *builder = trod_constructs_begin("p", &have.mem);
    struct trod_constructs of, other;

    (void)state;
    add(builder, one);
    add(builder, two);
    trod_constructs_build(&of, builder);
    must(trod_constructs_check(&of, &have.err));
    builder = trod_constructs_begin("p", &have.mem);
    add(builder, two);
    add(builder, one);
    trod_constructs_build(&other, builder);
    assert_string_equal(print(&of), print(&other));
    assert_int_equal(of.nconstruct, 5);
    assert_int_equal(of.ncall, 2);
    assert_int_equal(of.nuse, 1);
    assert_int_equal(of.construct[0].tree, other.construct[0].tree);
}

/* A function that units understood in two ways has hashes of both, in any order. */
static void test_variants(void **state)
{
    static const char one[] = "constructs x\nin h.h\n0 function 1 2 " H("01") " " H(
        "02") " g\n1 statement call 2 2 " H("03") " " H("03") "\n";
    static const char two[] = "constructs x\nin h.h\n0 function 1 2 " H("11") " " H(
        "12") " g\n1 statement call 2 2 " H("13") " " H("13") "\n";
    struct trod_constructs_builder *builder = trod_constructs_begin("p", &have.mem);
    struct trod_constructs of, other;

    (void)state;
    add(builder, one);
    add(builder, two);
    trod_constructs_build(&of, builder);
    must(trod_constructs_check(&of, &have.err));
    builder = trod_constructs_begin("p", &have.mem);
    add(builder, two);
    add(builder, one);
    trod_constructs_build(&other, builder);
    assert_string_equal(print(&of), print(&other));
    assert_int_equal(of.nconstruct, 3);
    assert_int_not_equal(of.construct[1].tree, 0x01);
    assert_int_not_equal(of.construct[1].tree, 0x11);
    assert_int_equal(of.construct[2].tree, 0x03);
}

static void test_targets(void **state)
{
    (void)state;
    /* A static one is meant only where it is, unless the file is said. */
    gives(
        "constructs p\nin a.c\n0 function 1 1 " H("01") " " H(
            "01") " s static\n"
                  "0 function 2 2 " H("02") " " H(
                      "02") " f\ncalls s\ncalls nowhere\n"
                            "in b.c\n0 function 1 1 " H("03") " " H(
                                "03") " s static\n"
                                      "0 function 2 2 " H("04") " " H(
                                          "04") " g\ncalls s\ncalls s a.c\ncalls s c.c\n",
        "constructs p\nin a.c\n0 function 1 1 " H("01") " " H(
            "01") " s static\n"
                  "0 function 2 2 " H("02") " " H(
                      "02") " f\ncalls s a.c\n"
                            "in b.c\n0 function 1 1 " H("03") " " H(
                                "03") " s static\n"
                                      "0 function 2 2 " H("04") " " H(
                                          "04") " g\ncalls s a.c\ncalls s b.c\n");
    /* A class and a function may share a name, and a line. */
    gives("constructs p\nin a.c\n0 class 1 1 " H("01") " " H(
              "01") " s\n"
                    "0 statement typedef 1 1 " H("02") " " H(
                        "02") " s\n"
                              "0 function 2 2 " H("03") " " H(
                                  "03") " s\nnames s a.c 1 class\ncalls s\n",
        "constructs p\nin a.c\n0 class 1 1 " H("01") " " H(
            "01") " s\n"
                  "0 statement typedef 1 1 " H("02") " " H(
                      "02") " s\n"
                            "0 function 2 2 " H("03") " " H(
                                "03") " s\ncalls s\nnames s a.c 1 class\n");
}

/* Every function whose address is taken and whose type it is may be called through a pointer. */
static void test_pointers(void **state)
{
    struct trod_constructs of, back;

    (void)state;
    read(&of,
        "constructs p\nin a.c\n"
        "0 function 1 1 " H("01") " " H(
            "01") " f\n"
                  "0 function 2 2 " H("02") " " H(
                      "02") " g\n"
                            "0 function 3 3 " H("03") " " H(
                                "03") " h\n"
                                      "0 function 4 4 " H("04") " " H(
                                          "04") " m\n"
                                                "may-call " H(
                                                    "aa") "\n"
                                                          "0 function 5 5 " H("05") " " H(
                                                              "05") " n\n"
                                                                    "may-call " H("aa") "\nmay-call " H("bb") "\nmay-call " H(
                                                                        "cc") "\n"
                                                                              "taken f " H("aa") "\ntaken g " H(
                                                                                  "aa") "\ntaken h " H("bb") "\n");
    assert_int_equal(of.nuse, 5);
    assert_int_equal(of.use[0].from, 4);
    assert_int_equal(of.use[0].to, 1);
    assert_int_equal(of.use[1].to, 2);
    assert_int_equal(of.use[4].to, 3);
    assert_int_equal(of.use[4].kind, TROD_USE_MAY_CALL);
    assert_int_equal(of.npointed, 2);
    read(&back, print(&of));
    assert_string_equal(print(&back), print(&of));
    assert_int_equal(back.nuse, 5);
    assert_memory_equal(back.use, of.use, 5 * sizeof *of.use);
}

static void test_code(void **state)
{
    struct trod_constructs_builder *builder = trod_constructs_begin("p", &have.mem);
    struct trod_constructs of;
    struct trod_text text;
    static const char behind[] =
        "code a.c\nfunction f a.c 1 shape " H("21") " meaning " H(
            "22") "\n"
                  "depends p\nunit a.c\nfunction f a.c 1 meaning " H(
                      "99") "\n7 -> 8\n"
                            "code c.c\nfunction f a.c 1 shape " H("21") "\n";
    static const char bad[] = "code a.c\nfunction f \"a.c\" 1 mening " H("22") "\n";

    (void)state;
    add_code(builder, "code a.c\n"
                      "function s \"src/a.c\" 1 meaning " H("11") " shape " H(
                          "12") " static\n"
                                "function h h.h 1 meaning " H(
                                    "31") "\n"
                                          "function gone a.c 9 meaning " H("99") "\n");
    add_code(builder, "code b.c\n"
                      "function s \"src/b.c\" 1 meaning " H("13") " shape " H(
                          "14") " static\n"
                                "function h h.h 1 meaning " H("32") "\n");
    add(builder, "constructs p\nin a.c\n0 function 1 1 " H("01") " " H(
                     "01") " s static\n"
                           "0 function 3 3 " H("02") " " H("02") " f meaning " H(
                               "22") "\n"
                                     "in b.c\n0 function 1 1 " H("03") " " H(
                                         "03") " s static\n"
                                               "in h.h\n0 function 1 1 " H("04") " " H(
                                                   "04") " h\n");
    trod_text_init(&text, "f", behind, strlen(behind));
    must(trod_constructs_add_code(builder, &text, &have.err));
    assert_true(text.at == text.end);
    trod_constructs_build(&of, builder);
    must(trod_constructs_check(&of, &have.err));
    assert_int_equal(of.construct[1].meaning, 0x11);
    assert_int_equal(of.construct[1].shape, 0x12);
    assert_int_equal(of.construct[2].meaning, 0x22);
    assert_int_equal(of.construct[2].shape, 0x21);
    assert_int_equal(of.construct[3].meaning, 0x13);
    /* Two meanings are one that is neither. */
    assert_int_not_equal(of.construct[4].meaning, 0x31);
    assert_int_not_equal(of.construct[4].meaning, 0x32);
    assert_int_not_equal(of.construct[4].meaning, 0);
    trod_text_init(&text, "f", bad, strlen(bad));
    assert_false(trod_constructs_add_code(builder, &text, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
}

static void test_lines_within(void **state)
{
    struct trod_constructs of;

    (void)state;
    read(&of, "constructs p\nin a.c\n0 function 5 9 " H("01") " " H(
                  "01") " f\n"
                        "1 statement call 3 4 " H("02") " " H(
                            "02") "\n"
                                  "1 statement call 8 12 " H("03") " " H(
                                      "03") "\n"
                                            "in b.inc\n1 statement call 1 1 " H(
                                                "04") " " H("04") "\n");
    assert_int_equal(of.construct[2].line, 5);
    assert_int_equal(of.construct[2].last, 5);
    assert_int_equal(of.construct[3].line, 8);
    assert_int_equal(of.construct[3].last, 9);
    assert_int_equal(of.construct[4].line, 1);
}

/* --- finding -------------------------------------------------------------------------------------------- */

static void test_find(void **state)
{
    struct trod_constructs of;
    struct trod_string text;
    uint32_t a;

    (void)state;
    read(&of, small);
    a = trod_names_find(&of.files, "a.c");
    assert_int_equal(trod_constructs_function(&of, "f", NULL), 7);
    assert_int_equal(trod_constructs_function(&of, "f", "elsewhere.c"), 7);
    assert_int_equal(trod_constructs_function(&of, "g", NULL), TROD_NO_CONSTRUCT);
    assert_int_equal(trod_constructs_above(&of, 4, TROD_LEVEL_LOOP), 3);
    assert_int_equal(trod_constructs_above(&of, 3, TROD_LEVEL_LOOP), 3);
    assert_int_equal(trod_constructs_above(&of, 2, TROD_LEVEL_LOOP), 0);
    assert_int_equal(trod_constructs_above(&of, 4, TROD_LEVEL_FUNCTION), 1);
    assert_int_equal(
        trod_constructs_at(&of, a, 4, TROD_NO_CONSTRUCT, TROD_LEVEL_STATEMENT), 5);
    assert_int_equal(
        trod_constructs_at(&of, a, 4, TROD_NO_CONSTRUCT, TROD_LEVEL_LOOP), 3);
    assert_int_equal(trod_constructs_at(&of, a, 4, 1, TROD_LEVEL_FUNCTION), 1);
    assert_int_equal(trod_constructs_at(&of, a, 4, 7, 0), TROD_NO_CONSTRUCT);
    assert_int_equal(
        trod_constructs_at(&of, a, 10, TROD_NO_CONSTRUCT, 0), TROD_NO_CONSTRUCT);
    assert_int_equal(trod_constructs_at(&of, a, 11, TROD_NO_CONSTRUCT, 0), 7);
    trod_string_init(&text, &have.mem);
    for (uint32_t c = 0; c < of.nconstruct; c++) {
        trod_construct_describe(&text.sink, &of, c);
        trod_put(&text.sink, "\n");
    }
    assert_string_equal(
        text.text, "p\na.c:1 main\na.c:2\na.c:3\na.c:4\na.c:4#1\na.c:8\na.c:11 f\n");
    for (uint32_t c = 0; c < of.nconstruct; c++)
        for (uint32_t d = 0; d < c; d++)
            assert_true(trod_construct_id(&of, c) != trod_construct_id(&of, d));
    /* It is in files of users: no build may have another. */
    assert_int_equal(trod_construct_id(&of, 5), UINT64_C(0x1cc507b1cecf7188));
}

/* Another folder is the same program, but two functions of one name are distinguished. */
static void test_find_file(void **state)
{
    struct trod_constructs of;

    (void)state;
    read(&of, "constructs p\nin \"x/a.c\"\n0 function 1 1 " H("01") " " H(
                  "01") " s static\n"
                        "in \"y/a.c\"\n0 function 1 1 " H("02") " " H(
                            "02") " s static\n"
                                  "in ya.c\n0 function 1 1 " H("03") " " H(
                                      "03") " s static\n");
    assert_int_equal(trod_constructs_function(&of, "s", "x/a.c"), 1);
    assert_int_equal(trod_constructs_function(&of, "s", "/src/y/a.c"), 2);
    assert_int_equal(trod_constructs_function(&of, "s", "ya.c"), 3);
    assert_int_equal(trod_constructs_function(&of, "s", "b.c"), TROD_NO_CONSTRUCT);
    assert_int_equal(trod_constructs_function(&of, "s", "a.c"), 1);
    assert_int_equal(trod_constructs_function(&of, "s", NULL), 1);
}

static void test_levels(void **state)
{
    struct trod_levels levels;
    struct trod_constructs of;
    uint32_t level;

    (void)state;
    trod_levels_init(&levels, &have.mem);
    must(trod_levels_add(&levels, 25, "block", &have.err));
    assert_string_equal(trod_level_name(&levels, 25), "block");
    assert_null(trod_level_name(&levels, 26));
    assert_true(trod_level_parse(&level, &levels, "block") && level == 25);
    assert_true(trod_level_parse(&level, &levels, "20") && level == 20);
    assert_false(trod_level_parse(&level, &levels, "21"));
    assert_false(trod_level_parse(&level, &levels, "blocks"));
    assert_false(trod_levels_add(&levels, 25, "other", &have.err));
    assert_false(trod_levels_add(&levels, 26, "loop", &have.err));
    assert_false(trod_levels_add(&levels, 26, "2nd", &have.err));
    for (uint32_t i = 1; i < levels.nlevel; i++)
        assert_true(levels.level[i - 1].level < levels.level[i].level);
    gives("constructs p\nlevel 25 block\nin a.c\n0 function 1 9 " H("01") " " H(
              "01") " f\n"
                    "1 25 compound 2 3 " H("02") " " H("02") "\n",
        "constructs p\nlevel 25 block\nin a.c\n0 function 1 9 " H("01") " " H(
            "01") " f\n"
                  "1 block compound 2 3 " H("02") " " H("02") "\n");
    read(&of, "constructs p\nlevel 25 block\nlevel 25 block\n");
    assert_int_equal(of.nconstruct, 1);
}

/* --- for people and scripts ---------------------------------------------------------------------------------- */

static void test_show(void **state)
{
    struct trod_constructs of;
    struct trod_string text;
    struct trod_json json;

    (void)state;
    read(&of, small);
    trod_string_init(&text, &have.mem);
    trod_constructs_show(&text.sink, &of, TROD_LEVEL_LOOP);
    assert_string_equal(text.text, "p: 2 functions, 1 loop, 4 statements\n"
                                   "a.c\n"
                                   "  1-9         function main\n"
                                   "    3-5         loop for\n"
                                   "  11-12       function f\n");
    trod_string_init(&text, &have.mem);
    trod_json_init(&json, &text.sink);
    trod_constructs_json(&json, NULL, &of);
    assert_non_null(strstr(text.text, "\"kind\": \"for\""));
    assert_non_null(strstr(text.text, "\"kind\": \"calls\""));
}

/* --- the check ------------------------------------------------------------------------------------------------ */

static void test_check(void **state)
{
    struct trod_constructs of;
    struct trod_construct *c;

    (void)state;
    read(&of, small);
    c = of.construct;
#define BROKEN(field, value)                                 \
    do {                                                     \
        __typeof__(field) was = (field);                     \
        (field) = (value);                                   \
        assert_false(trod_constructs_check(&of, &have.err)); \
        assert_int_equal(have.err.code, TROD_E_INTERNAL);    \
        (field) = was;                                       \
        assert_true(trod_constructs_check(&of, &have.err));  \
    } while (0)
    BROKEN(c[0].level, TROD_LEVEL_CLASS);
    BROKEN(c[0].next, 7);
    BROKEN(c[0].line, 1);
    BROKEN(c[3].level, TROD_LEVEL_PROGRAM);
    BROKEN(c[3].level, 21);
    BROKEN(c[3].file, 2);
    BROKEN(c[3].kind, of.kinds.count);
    BROKEN(c[3].parent, 3);
    BROKEN(c[3].parent, 1);
    BROKEN(c[3].next, 8);
    BROKEN(c[3].next, 3);
    BROKEN(c[2].next, 4);
    BROKEN(c[3].line, 1);
    BROKEN(c[3].last, 7);
    BROKEN(c[3].last, 2);
    BROKEN(c[5].ordinal, 0);
    BROKEN(c[1].name, "other");
    BROKEN(c[1].symbol, TROD_NO_CONSTRUCT);
    BROKEN(c[2].name, "main");
    BROKEN(of.by_place[1], of.by_place[2]);
    BROKEN(of.named[0], 2);
    BROKEN(of.use[0].from, 0);
    BROKEN(of.use[0].from, 5);
    BROKEN(of.use[0].to, 6);
    BROKEN(of.use[0].to, 8);
    /* Out of range on purpose. NOLINTNEXTLINE(clang-analyzer-optin.core.EnumCastOutOfRange) */
    BROKEN(of.use[1].kind, (enum trod_construct_use_kind)TROD_USE_NAMES + 1);
#undef BROKEN
}

static void build_all(struct trod_arena *mem, void *ctx)
{
    static const char code[] = "code a.c\nfunction f a.c 1 meaning " H("11") "\n";
    struct trod_constructs_builder *builder = trod_constructs_begin("p", mem);
    struct trod_constructs of;
    struct trod_err err;
    struct trod_text text;

    (void)ctx;
    trod_text_init(&text, "f", small, strlen(small));
    assert_true(trod_constructs_add(builder, &text, &err));
    trod_text_init(&text, "f", code, strlen(code));
    assert_true(trod_constructs_add_code(builder, &text, &err));
    trod_constructs_build(&of, builder);
    assert_int_equal(of.nconstruct, 8);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(build_all, NULL) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_tree, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_units, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_variants, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_targets, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_pointers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_code, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lines_within, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_find, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_find_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_levels, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_show, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
        cmocka_unit_test(test_memory),
    };

    return cmocka_run_group_tests_name("construct", tests, NULL, NULL);
}
