/* base: arenas, sinks, text, names, JSON, bits, checksums and random numbers. */
#include "kit/kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"

/* Present only under AddressSanitizer. */
int __asan_address_is_poisoned(const volatile void *address) __attribute__((weak));

static bool poisoned(const void *address)
{
    return __asan_address_is_poisoned && __asan_address_is_poisoned(address);
}

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static void jump(void *ctx)
{
    longjmp(*(jmp_buf *)ctx, 1);
}

static bool all_zero(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i])
            return false;
    return true;
}

/* --- err.c ------------------------------------------------------------------------ */

static void test_fail_fills_code_and_text(void **state)
{
    struct trod_err err = {0};

    (void)state;
    assert_false(trod_fail(&err, TROD_E_LIMIT, "%d of '%s'", 3, "x"));
    assert_int_equal(err.code, TROD_E_LIMIT);
    assert_string_equal(err.text, "3 of 'x'");
}

static void test_long_messages_are_cut_short(void **state)
{
    struct trod_err err = {0};
    struct trod_text text;
    char name[2000];

    (void)state;
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    assert_false(trod_fail(&err, TROD_E_INPUT, "%s", name));
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    trod_text_init(&text, name, "", 0);
    assert_false(trod_text_fail(&text, &err, "%s", name));
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
}

/* --- arena.c ---------------------------------------------------------------------- */

static void test_memory_is_zeroed_and_aligned(void **state)
{
    static const size_t sizes[] = {1, 15, 16, 17, 1000, 40000, 100000, 1};
    struct trod_arena mem;
    unsigned char *before = NULL;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char *p = trod_arena_take(&mem, sizes[i], 1);

        assert_int_equal((uintptr_t)p % 16, 0);
        assert_true(all_zero(p, sizes[i]));
        memset(p, 0xff, sizes[i]);
        if (before)
            assert_int_equal(*before, 0xff);
        before = p;
    }
    assert_int_equal(mem.ntake, 8);
    assert_true(trod_arena_chunks() >= 2);
    trod_arena_free(&mem);
    assert_int_equal(trod_arena_chunks(), 0);
    assert_int_equal(mem.live, 0);
    assert_true(mem.peak >= 140000);
}

static void test_growing(void **state)
{
    struct trod_arena mem;
    uint32_t *a, *b, *c;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    a = trod_new(&mem, uint32_t, 4);
    a[3] = 7;
    /* The newest thing grows in place ... */
    assert_ptr_equal(trod_arena_grow(&mem, a, 4, 100, sizeof *a), a);
    assert_int_equal(a[3], 7);
    assert_int_equal(a[99], 0);
    /* ... any other is copied ... */
    b = trod_new(&mem, uint32_t, 1);
    c = trod_arena_grow(&mem, a, 100, 200, sizeof *a);
    assert_ptr_not_equal(c, a);
    assert_int_equal(c[3], 7);
    assert_int_equal(c[199], 0);
    /* ... and so is what no longer fits its chunk. */
    a = trod_arena_grow(&mem, c, 200, 100000, sizeof *a);
    assert_ptr_not_equal(c, a);
    assert_int_equal(a[3], 7);
    assert_int_equal(a[99999], 0);
    *b = 1;
    trod_arena_free(&mem);
}

/* Two things may share an address if one is empty: growing it must not give it the
 * memory of the other.
 */
static void test_growing_from_nothing(void **state)
{
    struct trod_arena mem;
    uint32_t *none, *some, *grown;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    none = trod_new(&mem, uint32_t, 0);
    some = trod_new(&mem, uint32_t, 4);
    some[0] = 5;
    grown = trod_arena_grow(&mem, none, 0, 8, sizeof *none);
    assert_ptr_not_equal(grown, some);
    assert_int_equal(grown[0], 0);
    grown = trod_arena_grow(&mem, NULL, 0, 8, sizeof *none);
    assert_true(all_zero((unsigned char *)grown, 32));
    trod_arena_free(&mem);
}

static void test_reserve_doubles(void **state)
{
    struct trod_arena mem;
    uint64_t *items = NULL;
    uint32_t count = 0, room = 0;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    for (; count < 1000; count++) {
        trod_reserve(&mem, items, count, room);
        assert_int_equal(items[count], 0);
        items[count] = count;
    }
    assert_int_equal(room, 1024);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(items[i], i);
    trod_arena_free(&mem);
}

static void test_pushing(void **state)
{
    struct trod_arena mem;
    uint32_t *item = NULL, count = 0, room = 0;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(
            trod_push(&mem, item, count, room, count ? item[count - 1] + 3 : 7), i);
    assert_int_equal(count, 100);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(item[i], 7 + 3 * i);
    trod_arena_free(&mem);
}

static void test_rewinding_zeroes(void **state)
{
    struct trod_arena mem;
    struct trod_mark mark;
    unsigned char *p, *q;
    char *kept;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    kept = trod_copy_text(&mem, "kept", 4);
    mark = trod_arena_mark(&mem);
    p = trod_arena_take(&mem, 5000, 1);
    memset(p, 0xff, 5000);
    trod_arena_rewind(&mem, mark);
    q = trod_arena_take(&mem, 5000, 1);
    assert_ptr_equal(p, q);
    assert_true(all_zero(q, 5000));
    assert_string_equal(kept, "kept");
    /* What grew in place before the mark does not grow over what came back. */
    trod_arena_rewind(&mem, mark);
    kept = trod_arena_grow(&mem, kept, 5, 100, 1);
    assert_string_equal(kept, "kept");
    trod_arena_free(&mem);
}

static void test_rewinding_frees_chunks(void **state)
{
    struct trod_arena mem;
    struct trod_mark none, some;
    size_t live;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    none = trod_arena_mark(&mem);
    trod_arena_take(&mem, 1, 1);
    some = trod_arena_mark(&mem);
    live = mem.live;
    for (int i = 0; i < 20; i++)
        trod_arena_take(&mem, 50000, 1);
    assert_in_range(trod_arena_chunks(), 10, 21);
    trod_arena_rewind(&mem, some);
    assert_int_equal(trod_arena_chunks(), 1);
    assert_int_equal(mem.live, live);
    trod_arena_rewind(&mem, none);
    assert_int_equal(trod_arena_chunks(), 0);
    trod_arena_free(&mem);
}

/* Memory that was not handed out, or was taken back, must not be touched. */
static void test_poison(void **state)
{
    struct trod_arena mem;
    struct trod_mark mark;
    char *p;

    (void)state;
    /* Nothing to see without the sanitizer; cmocka's skip() would count as a failure. */
    if (!__asan_address_is_poisoned)
        return;
    trod_arena_init(&mem, die, NULL);
    p = trod_arena_take(&mem, 32, 1);
    assert_false(poisoned(p));
    assert_false(poisoned(p + 31));
    assert_true(poisoned(p + 32));
    mark = trod_arena_mark(&mem);
    trod_arena_take(&mem, 32, 1);
    assert_false(poisoned(p + 32));
    assert_true(poisoned(p + 64));
    trod_arena_rewind(&mem, mark);
    assert_true(poisoned(p + 32));
    trod_arena_free(&mem);
}

static void takes_and_grows(struct trod_arena *mem, void *ctx)
{
    int *items = NULL;
    uint32_t room = 0;

    (void)ctx;
    trod_arena_take(mem, 3, 5);
    for (uint32_t i = 0; i < 40; i++) {
        trod_reserve(mem, items, i, room);
        items[i] = 1;
    }
    trod_copy_text(mem, "x", 1);
}

static void test_fault_injection(void **state)
{
    (void)state;
    /* One take, arrays of 16, 32 and 64, one text. */
    assert_int_equal(kit_each_allocation_failure(takes_and_grows, NULL), 5);
}

static void test_impossible_sizes_exhaust(void **state)
{
    static const size_t counts[] = {SIZE_MAX, SIZE_MAX / 2, SIZE_MAX - 40};
    static struct trod_arena mem;
    static jmp_buf back;

    (void)state;
    for (volatile size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        trod_arena_init(&mem, jump, &back);
        if (setjmp(back) == 0) {
            trod_arena_take(&mem, counts[i], i == 1 ? 3 : 1);
            fail_msg("%zu bytes were found", counts[i]);
        }
        trod_arena_free(&mem);
    }
    assert_int_equal(trod_arena_chunks(), 0);
}

/* --- sink.c ----------------------------------------------------------------------- */

static void test_strings_collect(void **state)
{
    struct trod_arena mem;
    struct trod_string out;
    char name[3000];

    (void)state;
    trod_arena_init(&mem, die, NULL);
    trod_string_init(&out, &mem);
    assert_string_equal(out.text, "");
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    trod_put(&out.sink, "%d,", 1);
    trod_put(&out.sink, "%s", name); /* longer than the buffer of one line */
    trod_put(&out.sink, ".");
    assert_int_equal(out.length, 2 + 2999 + 1);
    assert_int_equal(strlen(out.text), out.length);
    assert_memory_equal(out.text, "1,nnn", 5);
    assert_string_equal(out.text + 2999, "nn.");
    trod_arena_free(&mem);
}

/* --- text.c ----------------------------------------------------------------------- */

/* Tokens of a text as one line: names bare, quoted ones in <>, marks as they are, | for
 * the end of a line, and the line number before each token.
 */
static void assert_tokens(const char *bytes, const char *want)
{
    struct trod_token token = {.kind = TROD_T_LINE};
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;
    struct trod_string got;

    trod_arena_init(&mem, die, NULL);
    trod_string_init(&got, &mem);
    trod_text_init(&text, "file", bytes, strlen(bytes));
    while (token.kind != TROD_T_END) {
        struct trod_token peeked = {0};

        assert_true(trod_text_peek(&peeked, &text, &mem, &err));
        assert_true(trod_text_next(&token, &text, &mem, &err));
        assert_int_equal(peeked.kind, token.kind);
        trod_put(&got.sink, "%u", text.line);
        if (token.kind == TROD_T_NAME) {
            trod_put(&got.sink, token.quoted ? "<%s>" : "%s ", token.name);
            assert_int_equal(strlen(token.name), token.length);
        } else {
            trod_put(&got.sink, "%c",
                token.kind == TROD_T_MARK   ? token.mark
                : token.kind == TROD_T_LINE ? '|'
                                            : '$');
        }
    }
    assert_string_equal(got.text, want);
    trod_arena_free(&mem);
}

static void test_formatted_texts(void **state)
{
    struct trod_arena mem;
    char *text, name[100000];

    (void)state;
    trod_arena_init(&mem, die, NULL);
    assert_string_equal(trod_format(&mem, "%s", ""), "");
    assert_string_equal(trod_format(&mem, "%d of '%s'", 3, "x"), "3 of 'x'");
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    text = trod_format(&mem, "%s!", name);
    assert_int_equal(strlen(text), sizeof name);
    assert_int_equal(text[sizeof name - 1], '!');
    text = trod_copy(&mem, "abc");
    assert_string_equal(text, "abc");
    text[0] = 'x';
    trod_arena_free(&mem);
}

static void test_tokens(void **state)
{
    (void)state;
    assert_tokens("", "1$");
    assert_tokens("a", "1a 1$");
    assert_tokens("a\n", "1a 1|2$");
    assert_tokens("a_.$%@9\x80\xff>b", "1a_.$%@9\x80\xff 1>1b 1$");
    assert_tokens("s: a*90 >b+1", "1s 1:1a 1*190 1>1b 1+11 1$");
    assert_tokens(" \t a \r\n \t b", "1a 1|2b 2$");
}

/* Empty lines and comments give nothing, wherever they are, and a token's line is its
 * own, also that of the end of a line.
 */
static void test_lines_and_comments(void **state)
{
    (void)state;
    assert_tokens("\n\n a\n\n\nb # c\n# d\nc\n\n", "3a 3|6b 6|8c 8|10$");
    assert_tokens("# only", "1$");
    assert_tokens("#\n#\n", "3$");
    assert_tokens("a # \"b\n\"c\"", "1a 1|2<c>2$");
    assert_tokens("a#b", "1a 1|1$");
}

static void test_quotes(void **state)
{
    (void)state;
    assert_tokens("\"a b\"c", "1<a b>1c 1$");
    assert_tokens("\"\\\"\\\\#\\n\"", "1<\"\\#\n>1$");
    assert_tokens("\".\"\"x\"", "1<.>1<x>1$");
}

static void assert_refused(const char *bytes, size_t length, const char *message)
{
    struct trod_token token = {.kind = TROD_T_LINE};
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_text text;

    trod_arena_init(&mem, die, NULL);
    trod_text_init(&text, "f", bytes, length);
    while (trod_text_next(&token, &text, &mem, &err))
        assert_int_not_equal(token.kind, TROD_T_END);
    assert_int_equal(err.code, TROD_E_INPUT);
    if (!strstr(err.text, message))
        fail_msg("'%s' is not in '%s'", message, err.text);
    trod_arena_free(&mem);
}

static void test_what_is_no_text(void **state)
{
    (void)state;
    assert_refused("a\n\"b", 4, "f:2: a quoted name is not closed");
    assert_refused("\"b\n\"", 4, "f:1: a quoted name is not closed");
    assert_refused("\"b\\", 3, "f:1: a quoted name is not closed");
    assert_refused("\"b\\\"", 4, "f:1: a quoted name is not closed");
    assert_refused("\"\\x\"", 4, "f:1: a quoted name may contain only the escapes");
    assert_refused("\"\\x00\"", 6, "f:1: a quoted name may contain only the escapes");
    assert_refused("\"\\x1\"", 5, "f:1: a quoted name may contain only the escapes");
    assert_refused("\"\\\n\"", 4, "f:1: a quoted name");
    assert_refused("\"\"", 2, "f:1: a name is empty");
    assert_refused("a\n\n\0", 4, "f:3: a NUL byte");
    assert_refused("\"a\0\"", 4, "f:1: a NUL byte inside a quoted name");
    assert_refused("\"a\\\0\"", 5, "f:1: a quoted name may contain only");
}

static void test_numbers(void **state)
{
    uint64_t u = 1;
    int64_t i = 1;

    (void)state;
    assert_true(trod_text_uint(&u, "18446744073709551615"));
    assert_true(u == UINT64_MAX);
    assert_true(trod_text_uint(&u, "007"));
    assert_int_equal(u, 7);
    assert_false(trod_text_uint(&u, "18446744073709551616"));
    assert_false(trod_text_uint(&u, "99999999999999999999"));
    assert_false(trod_text_uint(&u, ""));
    assert_false(trod_text_uint(&u, "-1"));
    assert_false(trod_text_uint(&u, "1x"));
    assert_int_equal(u, 7);
    assert_true(trod_text_int(&i, "-9223372036854775808"));
    assert_true(i == INT64_MIN);
    assert_true(trod_text_int(&i, "9223372036854775807"));
    assert_true(i == INT64_MAX);
    assert_false(trod_text_int(&i, "9223372036854775808"));
    assert_false(trod_text_int(&i, "-9223372036854775809"));
    assert_false(trod_text_int(&i, "-"));
    assert_false(trod_text_int(&i, "+1"));
}

static void test_names_print(void **state)
{
    static const char *const pairs[][2] = {{"a", "a"}, {"a.b$%@_9", "a.b$%@_9"},
        {"\xc3\xa9", "\xc3\xa9"}, {".", "\".\""}, {"..", ".."}, {"graph", "\"graph\""},
        {"graphs", "graphs"}, {"paths", "\"paths\""}, {"numbering", "\"numbering\""},
        {"plan", "\"plan\""}, {"a b", "\"a b\""}, {"a\"b\\", "\"a\\\"b\\\\\""},
        {"a\nb", "\"a\\nb\""}, {"%s", "%s"}, {"", "\"\""}};
    struct trod_arena mem;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        struct trod_string out;

        trod_string_init(&out, &mem);
        trod_put_name(&out.sink, pairs[i][0]);
        assert_string_equal(out.text, pairs[i][1]);
    }
    trod_arena_free(&mem);
}

/* --- names.c ---------------------------------------------------------------------- */

static void test_name_tables(void **state)
{
    struct trod_names names;
    struct trod_arena mem;
    char text[16];

    (void)state;
    trod_arena_init(&mem, die, NULL);
    trod_names_init(&names, &mem);
    assert_int_equal(trod_names_find(&names, "n0"), UINT32_MAX);
    for (uint32_t i = 0; i < 5000; i++) {
        int n = snprintf(text, sizeof text, "n%u", i);

        assert_int_equal(
            trod_names_add(&names, trod_copy_text(&mem, text, (size_t)n)), i);
    }
    for (uint32_t i = 0; i < 5000; i++) {
        snprintf(text, sizeof text, "n%u", i);
        assert_int_equal(trod_names_find(&names, text), i);
        assert_int_equal(trod_names_add(&names, text), i);
        assert_string_equal(names.name[i], text);
    }
    assert_int_equal(names.count, 5000);
    assert_int_equal(trod_names_find(&names, "n5000"), UINT32_MAX);
    assert_int_equal(trod_names_find(&names, ""), UINT32_MAX);
    trod_arena_free(&mem);
}

/* --- json.c ----------------------------------------------------------------------- */

static void test_json(void **state)
{
    struct trod_arena mem;
    struct trod_string out;
    struct trod_json json;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    trod_string_init(&out, &mem);
    trod_json_init(&json, &out.sink);
    trod_json_open(&json, NULL, '{');
    trod_json_text(&json, "a\"", "\\\" \n\x01\x7f \xc3\xa9");
    trod_json_open(&json, "empty", '[');
    trod_json_close(&json, ']');
    trod_json_open(&json, "list", '[');
    trod_json_uint(&json, NULL, UINT64_MAX);
    trod_json_int(&json, NULL, INT64_MIN);
    trod_json_real(&json, NULL, 0.5);
    trod_json_real(&json, NULL, (double)INFINITY);
    trod_json_bool(&json, NULL, true);
    trod_json_open(&json, NULL, '{');
    trod_json_close(&json, '}');
    trod_json_close(&json, ']');
    trod_json_bool(&json, "b", false);
    trod_json_close(&json, '}');
    assert_string_equal(out.text,
        "{\n"
        "  \"a\\\"\": \"\\\\\\\" \\u000a\\u0001\\u007f \xc3\xa9\",\n"
        "  \"empty\": [],\n"
        "  \"list\": [\n"
        "    18446744073709551615,\n"
        "    -9223372036854775808,\n"
        "    0.5,\n"
        "    null,\n"
        "    true,\n"
        "    {}\n"
        "  ],\n"
        "  \"b\": false\n"
        "}\n");
    trod_arena_free(&mem);
}

static void test_json_is_utf8(void **state)
{
    struct trod_arena mem;
    struct trod_string out;
    struct trod_json json;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    trod_string_init(&out, &mem);
    trod_json_init(&json, &out.sink);
    trod_json_text(&json, NULL,
        "a\x80"
        "b\xc3\xa9\xc3");
    assert_string_equal(out.text, "\"a\\\\x80b\xc3\xa9\\\\xc3\"");
    trod_arena_free(&mem);
}

static void test_utf8(void **state)
{
    static const struct {
        const char *bytes;
        size_t length;
    } cases[] = {{"", 0}, {"a", 1}, {"\x7f", 1}, {"\x80", 0}, {"\xc2\x80", 2},
        {"\xc1\xbf", 0}, {"\xc3", 0}, {"\xe0\x9f\xbf", 0}, {"\xe2\x82\xac", 3},
        {"\xe2\x82", 0}, {"\xed\xa0\x80", 0}, {"\xf0\x9f\x98\x80", 4},
        {"\xf4\x90\x80\x80", 0}, {"\xf5\x80\x80\x80", 0}, {"\xf0\x9f\x98", 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(trod_utf8_length(cases[i].bytes), cases[i].length);
}

/* --- bits.c, crc.c and rng.c ------------------------------------------------------ */

static void test_sets(void **state)
{
    uint64_t set[TROD_WORDS(130)] = {0};

    (void)state;
    assert_int_equal(TROD_WORDS(0), 0);
    assert_int_equal(TROD_WORDS(64), 1);
    assert_int_equal(TROD_WORDS(130), 3);
    trod_add(set, 0);
    trod_add(set, 63);
    trod_add(set, 64);
    trod_add(set, 129);
    for (uint32_t i = 0; i < 130; i++)
        assert_int_equal(trod_has(set, i), i == 0 || i == 63 || i == 64 || i == 129);
    trod_drop(set, 64);
    trod_drop(set, 65);
    assert_false(trod_has(set, 64));
    assert_true(trod_has(set, 63));
}

static void test_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(trod_bit_width(0), 0);
    assert_int_equal(trod_bit_width(1), 1);
    assert_int_equal(trod_bit_width(255), 8);
    assert_int_equal(trod_bit_width(256), 9);
    assert_int_equal(trod_bit_width(UINT64_MAX), 64);
    assert_true(trod_sat_add(UINT64_MAX, 1) == UINT64_MAX);
    assert_true(trod_sat_add(UINT64_MAX - 1, 1) == UINT64_MAX);
    assert_int_equal(trod_sat_add(2, 3), 5);
    assert_true(trod_sat_mul(UINT64_C(1) << 32, UINT64_C(1) << 32) == UINT64_MAX);
    assert_true(trod_sat_mul(UINT64_MAX, 0) == 0);
    assert_int_equal(trod_sat_mul(6, 7), 42);
}

static void test_mixing(void **state)
{
    (void)state;
    assert_true(trod_mix(0, 0) != 0);
    assert_true(trod_mix(0, 1) != trod_mix(1, 0));
    assert_true(trod_mix(trod_mix(0, 1), 2) != trod_mix(trod_mix(0, 2), 1));
}

static void test_checksum(void **state)
{
    (void)state;
    assert_true(trod_crc32("123456789", 9) == UINT32_C(0xcbf43926));
    assert_int_equal(trod_crc32("", 0), 0);
}

static char *shout(const char *linkage)
{
    char *name = linkage[0] == '_' ? strdup(linkage) : NULL;

    if (name && name[1] != 'a')
        name[0] = name[1] == 'n' ? '\n' : '+';
    return name;
}

/* Where a display name is known, it is printed; JSON has both. */
static void test_display_names(void **state)
{
    struct trod_arena mem;
    struct trod_string out;
    struct trod_json json;

    (void)state;
    trod_arena_init(&mem, NULL, NULL);
    trod_string_init(&out, &mem);
    trod_put_display_name(&out.sink, "_f x");
    assert_string_equal(out.text, "\"_f x\"");

    trod_set_demangler(shout);
    trod_string_init(&out, &mem);
    for (const char *const *name = (const char *const[]){"_f x", "g", "_a", "_n", NULL};
        *name; name++)
        trod_put_display_name(&out.sink, *name);
    assert_string_equal(out.text, "+f xg_a_n");
    assert_false(trod_put_demangled(&out.sink, "g"));

    trod_string_init(&out, &mem);
    trod_json_init(&json, &out.sink);
    trod_json_open(&json, NULL, '{');
    trod_json_display_name(&json, "function", "_f");
    trod_json_display_name(&json, "callee", "_g");
    trod_json_display_name(&json, "other", "h");
    trod_json_close(&json, '}');
    trod_set_demangler(NULL);
    assert_non_null(strstr(out.text, "\"function\": \"_f\""));
    assert_non_null(strstr(out.text, "\"demangled\": \"+f\""));
    assert_non_null(strstr(out.text, "\"callee_demangled\": \"+g\""));
    assert_null(strstr(out.text, "other_demangled"));
    trod_arena_free(&mem);
}

/* The first numbers of SplitMix64 with seed 0, as its authors publish them. */
static void test_random_numbers(void **state)
{
    struct trod_rng rng;
    uint32_t seen[7] = {0};

    (void)state;
    trod_rng_init(&rng, 0);
    assert_true(trod_rng_next(&rng) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(trod_rng_next(&rng) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(trod_rng_next(&rng) == UINT64_C(0x06c45d188009454f));
    for (int i = 0; i < 70000; i++)
        seen[trod_rng_below(&rng, 7)]++;
    for (int i = 0; i < 7; i++)
        assert_in_range(seen[i], 9600, 10400);
    assert_int_equal(trod_rng_below(&rng, 1), 0);
    assert_true(trod_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fail_fills_code_and_text),
        cmocka_unit_test(test_long_messages_are_cut_short),
        cmocka_unit_test(test_memory_is_zeroed_and_aligned),
        cmocka_unit_test(test_growing),
        cmocka_unit_test(test_growing_from_nothing),
        cmocka_unit_test(test_reserve_doubles),
        cmocka_unit_test(test_pushing),
        cmocka_unit_test(test_rewinding_zeroes),
        cmocka_unit_test(test_rewinding_frees_chunks),
        cmocka_unit_test(test_poison),
        cmocka_unit_test(test_fault_injection),
        cmocka_unit_test(test_impossible_sizes_exhaust),
        cmocka_unit_test(test_strings_collect),
        cmocka_unit_test(test_formatted_texts),
        cmocka_unit_test(test_tokens),
        cmocka_unit_test(test_lines_and_comments),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_what_is_no_text),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_names_print),
        cmocka_unit_test(test_name_tables),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_is_utf8),
        cmocka_unit_test(test_utf8),
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_mixing),
        cmocka_unit_test(test_checksum),
        cmocka_unit_test(test_display_names),
        cmocka_unit_test(test_random_numbers),
    };

    return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
