/* base: JSON that others wrote. */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static bool read(struct trod_json_doc *doc, const char *text, struct trod_arena *mem,
    struct trod_err *err)
{
    return trod_json_read(doc, "t.json", text, strlen(text), mem, err);
}

static void test_values(void **state)
{
    struct trod_json_doc doc;
    struct trod_arena mem;
    struct trod_err err = {0};
    uint64_t n;
    uint32_t b, v;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    assert_true(read(&doc,
        " {\"a\": 7, \"b\": [1, \"x\\n\\u00e9\\ud83d\\ude00\", {}, null],\n\"c\": true, \"a\": -1}",
        &mem, &err));
    assert_int_equal(doc.nvalue, 9);
    assert_int_equal(doc.value[0].kind, TROD_JSON_OBJECT);
    assert_int_equal(doc.value[0].next, 9);
    b = trod_json_member(&doc, 0, "b");
    assert_int_equal(doc.value[b].kind, TROD_JSON_ARRAY);
    v = trod_json_first(&doc, b);
    assert_true(trod_json_uint_of(&n, &doc, v));
    assert_int_equal(n, 1);
    assert_null(trod_json_text_of(&doc, v));
    v = trod_json_next(&doc, b, v);
    assert_string_equal(trod_json_text_of(&doc, v), "x\n\xc3\xa9\xf0\x9f\x98\x80");
    v = trod_json_next(&doc, b, v);
    assert_int_equal(trod_json_first(&doc, v), TROD_JSON_NONE);
    v = trod_json_next(&doc, b, v);
    assert_int_equal(doc.value[v].kind, TROD_JSON_NULL);
    assert_int_equal(trod_json_next(&doc, b, v), TROD_JSON_NONE);
    /* The last of a key counts; -1 is not a count. */
    assert_string_equal(doc.value[trod_json_member(&doc, 0, "a")].text, "-1");
    assert_false(trod_json_uint_of(&n, &doc, trod_json_member(&doc, 0, "a")));
    assert_int_equal(doc.value[trod_json_member(&doc, 0, "c")].line, 2);
    assert_int_equal(trod_json_member(&doc, 0, "d"), TROD_JSON_NONE);
    assert_int_equal(trod_json_member(&doc, TROD_JSON_NONE, "d"), TROD_JSON_NONE);
    trod_arena_free(&mem);
}

static void test_what_is_no_json(void **state)
{
    static const char *const bad[] = {"", "  ", "{", "[1,]", "[,1]", "{\"a\"}",
        "{\"a\":}", "{a:1}", "[1 2]", "01", "-", "1.", "1e", ".5", "+1", "tru", "True",
        "\"a", "\"\\x\"", "\"\\u12g4\"", "\"\\ud83d\"", "\"\\ude00\"", "\"\\u0000\"",
        "\"a\nb\"", "\"\xff\"", "\"\xc3", "1 2", "[1]]", "// x\n1", "{\"a\":1,}",
        "\"\\", "nan", "'a'"};
    struct trod_json_doc doc;
    struct trod_arena mem;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_err err = {0};

        if (read(&doc, bad[i], &mem, &err))
            fail_msg("taken for JSON: %s", bad[i]);
        assert_int_equal(err.code, TROD_E_INPUT);
        assert_non_null(strstr(err.text, "t.json:"));
    }
    trod_arena_free(&mem);
}

static void test_nests_deeply(void **state)
{
    enum { DEEP = 200000 };
    struct trod_json_doc doc;
    struct trod_arena mem;
    struct trod_err err = {0};
    char *text;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    text = trod_arena_take(&mem, 2 * DEEP + 1, 1);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    assert_true(read(&doc, text, &mem, &err));
    assert_int_equal(doc.nvalue, DEEP);
    text[2 * DEEP - 1] = '\0';
    assert_false(read(&doc, text, &mem, &err));
    trod_arena_free(&mem);
}

static void read_small(struct trod_arena *mem, void *ctx)
{
    struct trod_json_doc doc;
    struct trod_err err = {0};

    (void)ctx;
    if (!read(&doc, "{\"a\": [1, 2, \"x\"]}", mem, &err))
        abort();
}

static void test_survives_exhaustion(void **state)
{
    (void)state;
    kit_each_allocation_failure(read_small, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_what_is_no_json),
        cmocka_unit_test(test_nests_deeply),
        cmocka_unit_test(test_survives_exhaustion),
    };

    return cmocka_run_group_tests_name("json", tests, NULL, NULL);
}
