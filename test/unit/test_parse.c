/* base/parse: verbs take what they say, and messages name the place. */
#include "kit/kit.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "base/parse.h"

static struct trod_arena mem;
static struct trod_text text;
static struct trod_err err;
static const struct trod_parse in = {&text, &mem, &err};

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static int begin(void **state)
{
    (void)state;
    trod_arena_init(&mem, die, NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    trod_arena_free(&mem);
    return 0;
}

static void read_from(const char *bytes)
{
    err = (struct trod_err){0};
    trod_text_init(&text, "in", bytes, strlen(bytes));
}

static void failed(bool ok, const char *message)
{
    assert_false(ok);
    assert_int_equal(err.code, TROD_E_INPUT);
    assert_string_equal(err.text, message);
}

static void test_what_is_right(void **state)
{
    static const char *const words[] = {"zero", "one"};
    struct trod_token token;
    const char *name;
    uint64_t number, hash;
    uint32_t small, which;
    double real;

    (void)state;
    read_from("a \"b c\" 18446744073709551615 4294967295 00000000000000ff 2.5 one ;\n");
    assert_true(trod_parse_peek(&token, &in));
    assert_true(trod_parse_next(&token, &in));
    assert_true(trod_token_is_word(&token, "a"));
    assert_false(trod_token_is_mark(&token, 'a'));
    assert_true(trod_parse_name(&name, &in, "a name"));
    assert_string_equal(name, "b c");
    assert_true(trod_parse_uint(&number, &in, "a number"));
    assert_true(number == UINT64_MAX);
    assert_true(trod_parse_u32(&small, &in, "a number"));
    assert_int_equal(small, UINT32_MAX);
    assert_true(trod_parse_hash(&hash, &in, "a hash"));
    assert_int_equal(hash, 255);
    assert_true(trod_parse_real(&real, &in, "a real number"));
    assert_true(real > 2.4 && real < 2.6);
    assert_true(trod_parse_word(&which, &in, words, 2, "zero or one"));
    assert_int_equal(which, 1);
    assert_true(trod_parse_next(&token, &in));
    assert_true(trod_token_is_mark(&token, ';'));
    assert_true(trod_parse_end(&in, "all"));
}

static const char *listed(uint32_t i)
{
    return i < 2 ? (i ? "one" : "zero") : NULL;
}

static void test_what_is_wrong(void **state)
{
    static const char *const words[] = {"zero", "one"};
    uint32_t small;
    double real;

    (void)state;
    read_from("\n\n4294967296");
    failed(trod_parse_u32(&small, &in, "it"), "in:3: it is below 4294967296");
    read_from("2.5x");
    failed(trod_parse_real(&real, &in, "a size"),
        "in:1: '2.5x' is not a number; expected a size");
    read_from("\"\"");
    failed(trod_parse_real(&real, &in, "a size"),
        "in:1: a name is empty; give it at least one letter");
    read_from("two");
    failed(trod_parse_word(&small, &in, words, 2, "a digit"),
        "in:1: 'two' is not a digit");
    read_from("two");
    failed(trod_parse_listed(&small, &in, listed, "a digit"),
        "in:1: 'two' is unknown; expected a digit");
    read_from("one");
    assert_true(trod_parse_listed(&small, &in, listed, "a digit"));
    assert_int_equal(small, 1);
    failed(trod_parse_fail(&in, "%d", 7), "in:1: 7");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_what_is_right, begin, end),
        cmocka_unit_test_setup_teardown(test_what_is_wrong, begin, end),
    };

    return cmocka_run_group_tests_name("parse", tests, NULL, NULL);
}
