/* The conditions of a source, found by line and column; and how numbers, names and long texts are printed. In the sources
 * below `@` marks the place that the compiler names: it is taken out before they are scanned.
 */
#include "kit/kit.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "report/source_text.h"

static struct trod_arena mem;

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static int set_up(void **state)
{
    (void)state;
    trod_arena_init(&mem, die, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&mem);
    return 0;
}

/* --- conditions ------------------------------------------------------------------------------------ */

enum { MOST_LINES = 16 };

/* The condition at the mark; "-": none. */
static const char *condition(const char *source, uint32_t ncondition)
{
    char *bytes = trod_copy_text(&mem, source, strlen(source));
    char *mark = strchr(bytes, '@');
    const char **line = trod_new(&mem, const char *, MOST_LINES);
    uint32_t nline = 0, at_line = 0, at_column = 0;
    struct trod_source_text text;
    struct trod_source_range range;
    struct trod_string out;

    assert(mark);
    memmove(mark, mark + 1, strlen(mark));
    for (char *at = bytes, *end; at; at = end) {
        end = strchr(at, '\n');
        if (end)
            *end++ = '\0';
        line[nline++] = at;
        if (mark >= at && (!end || mark < end)) {
            at_line = nline;
            at_column = (uint32_t)(mark - at) + 1;
        }
    }
    trod_source_scan(&text, line, nline, &mem);
    if (!trod_source_condition(&range, &text, at_line, at_column, ncondition))
        return "-";
    trod_string_init(&out, &mem);
    trod_source_print(&out.sink, &text, range);
    return out.text;
}

static const struct sample {
    const char *source, *want;
    uint32_t ncondition; /* 0: 1 */
} samples[] = {
    /* The place is an operator, an operand, a member, a call. */
    {"if (a @< b) f();", "a < b", 0},
    {"if (@a) f();", "a", 0},
    {"if (!@a) f();", "!a", 0},
    {"if (r->@at == 'x') f();", "r->at == 'x'", 0},
    {"if (@peek(r) != ':') f();", "peek(r) != ':'", 0},
    {"if (!@string(r)) f();", "!string(r)", 0},
    {"if (a[i@ < 2]) f();", "-", 0},
    {"if (a[@i] < 2) f();", "a[i] < 2", 0},
    {"if (!IsPoolable(@blocks)) f();", "!IsPoolable(blocks)", 0},
    {"if ((p = pool[blocks-1]) @!= 0) f();", "(p = pool[blocks-1]) != 0", 0},
    {"while (c @= *s++) f();", "c = *s++", 0},
    {"if ((c @= getc(f)) && d) f();", "c = getc(f)", 0},
    {"if (x @& 1) f();", "x & 1", 0},
    {"if (@*p) f();", "*p", 0},
    /* Parts of a condition. */
    {"if (a @&& b) f();", "a", 0},
    {"if ((a < b) @&& c) f();", "a < b", 0},
    {"if (f(a) @|| c) f();", "f(a)", 0},
    {"x = f(a) @? 1 : 2;", "f(a)", 0},
    {"if (a @&& b) f();", "a && b", 2},
    {"if (@a && b) f();", "a", 0},
    {"if (a && @b) f();", "b", 0},
    {"if (a || b @== 3 || c) f();", "b == 3", 0},
    {"if ((a @< b) && c) f();", "a < b", 0},
    {"if ((a @< b && c) || d) f();", "a < b", 0},
    {"if (!(a @< b)) f();", "!(a < b)", 0},
    {"if (!(a @< b && c)) f();", "a < b", 0},
    {"if (a and b @== 3) f();", "b == 3", 0},
    {"x = @a ? b : c;", "a", 0},
    {"x = a ? @b ? 1 : 2 : 3;", "b", 0},
    {"x = a ? 1 : @b ? 2 : 3;", "b", 0},
    {"return a @> b ? a : b;", "a > b", 0},
    {"return @a && b;", "a", 0},
    {"int x = 3, y = a @< 4 ? 1 : 2;", "a < 4", 0},
    {"f(x, a @< 4 ? 1 : 2, y);", "a < 4", 0},
    {"f(x, @a || b);", "a", 0},
    {"if (__builtin_expect(!(a @< b), 0)) f();", "__builtin_expect(!(a < b), 0)", 0},
    {"if (f(a, @b)) g();", "f(a, b)", 0},
    /* Loops. */
    {"for (i = 0; i @< n; i++) f();", "i < n", 0},
    {"for (i = 0; i < n @&& *s; i++) f();", "i < n", 0},
    {"for (int i = 0, j = 9; i @< j; i++, j--) f();", "i < j", 0},
    {"for (const auto &x @: all) f(x);", "const auto &x : all", 0},
    {"do f(); while (x @> 3);", "x > 3", 0},
    {"do { f(); @} while (--n);", "--n", 0},
    {"do { f(); @} while (a && b);", "a && b", 0},
    {"{ f(); @} g();", "-", 0},
    {"@while (a && b) f();", "a && b", 0},
    {"@for (i = 0; i < n; i++) f();", "i < n", 0},
    {"@for (;;) f();", "-", 0},
    {"@if (a || b) f();", "a || b", 0},
    {"if constexpr (x @> 3) f();", "x > 3", 0},
    {"if (auto p = f(); p @!= 0) g();", "p != 0", 0},
    {"if (@auto p = f(); p != 0 && q) g();", "p != 0 && q", 0},
    {"for (int @i = 0; i < n; i++) g();", "i < n", 0},
    {"@for (const auto &x : all) f(x);", "const auto &x : all", 0},
    {"@switch (peek(r)) { case 1: f(); }", "switch (peek(r))", 0},
    /* The statement before it is another. */
    {"if (a) x = @b ? 1 : 2;", "b", 0},
    {"if (a) @CHECK(b);", "CHECK(b)", 0},
    {"if (a) f(); else @CHECK(b);", "CHECK(b)", 0},
    {"f(); @CHECK(b && c);", "CHECK(b && c)", 0},
    {"case 3: x = @a ? 1 : 2;", "a", 0},
    {"v.erase(remove_if(v, [](int x) { return x @> 3 && f(x); }), v.end());", "x > 3",
        0},
    {"if (@MIN(a, b) > 3) f();", "MIN(a, b) > 3", 0},
    {"if (std::is_same<A, B>@(x)) f();", "std::is_same<A, B>(x)", 0},
    {"if (m.find(k) @!= m.end()) f();", "m.find(k) != m.end()", 0},
    /* Several in one branch. */
    {"if (a @< 1 && b < 2 && c < 3) f();", "a < 1 && b < 2", 2},
    {"if (a @< 1 && b < 2 && c < 3) f();", "a < 1 && b < 2 && c < 3", 3},
    {"if ((a @< 1 || b) && c) f();", "a < 1 || b", 2},
    {"if ((a @< 1 || b) && c) f();", "(a < 1 || b) && c", 3},
    {"x = a @< 1 && b;", "a < 1 && b", 2},
    /* Literals, comments, lines, directives. */
    {"if (c @== ')') f();", "c == ')'", 0},
    {"if (c @== '\"' || d) f();", "c == '\"'", 0},
    {"if (c @== '\\'' && d) f();", "c == '\\''", 0},
    {"if (strcmp(s, \"&& (\") @== 0) f();", "strcmp(s, \"&& (\") == 0", 0},
    {"if (s @== R\"x()\" && ()x\" && b) f();", "s == R\"x()\" && ()x\"", 0},
    {"if (a /* && ( */ @< b) f();", "a < b", 0},
    {"if (a // && (\n    @< b) f();", "a < b", 0},
    {"if (a &&\n    b\n        @< c)\n    f();", "b < c", 0},
    {"if (a\n#if X\n    && b\n#endif\n    && c @> 3)\n    f();", "c > 3", 0},
    {"if (x @== 1'000'000 && y) f();", "x == 1'000'000", 0},
    {"if (x @> 1e-5 && y) f();", "x > 1e-5", 0},
    {"if (u8\"(\"[0] @== c) f();", "u8\"(\"[0] == c", 0},
    {"#define F(x) \\\n    if (x\nif (a @< b) f();", "a < b", 0},
    {"if (\"\xc3\xa4\" @== s) f();", "\"\xc3\xa4\" == s", 0},
    {"if (\"\x1b[31m\" @== s) f();", "\"?[31m\" == s", 0},
    /* Brackets that do not match. */
    {"#if A\nif (x) {\n#else\nif (y) {\n#endif\n} g(); }\nvoid f(void) { if (a @< b) g(); }",
        "a < b", 0},
    {"if (a @< b", "a < b", 0},
    {") ) ] if (a @< b) f();", "a < b", 0},
    {"if (a) @{ f(); }", "-", 0},
    {"if (a)@ f();", "-", 0},
};

static void test_conditions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        const struct sample *s = &samples[i];
        const char *got = condition(s->source, s->ncondition ? s->ncondition : 1);

        if (strcmp(got, s->want) != 0)
            fail_msg("%s\n  got:  %s\n  want: %s", s->source, got, s->want);
    }
}

/* Any bytes are some tokens, in order, and brackets match in pairs. */
static void test_any_bytes(void **state)
{
    static const char some[] = "ab01 (){}[]&|?:;,=!<>\"'/*\\#R@.\t\x80\xff\x01";
    struct trod_rng rng;

    (void)state;
    trod_rng_init(&rng, 1);
    for (int trial = 0; trial < 3000; trial++) {
        struct trod_mark mark = trod_arena_mark(&mem);
        const char *line[4];
        struct trod_source_text text;

        for (int i = 0; i < 4; i++) {
            size_t n = (size_t)trod_rng_below(&rng, 24);
            char *bytes = trod_new(&mem, char, n + 1);

            for (size_t k = 0; k < n; k++)
                bytes[k] = some[trod_rng_below(&rng, sizeof some - 1)];
            line[i] = bytes;
        }
        trod_source_scan(&text, line, 4, &mem);
        for (uint32_t i = 0; i < text.ntoken; i++) {
            const struct trod_source_token *t = &text.token[i];
            struct trod_source_range range;

            assert_true(
                t->length && t->column + t->length - 1 <= strlen(line[t->line - 1]));
            assert_true(
                !i || t[-1].line < t->line || t[-1].column + t[-1].length <= t->column);
            if (t->partner != UINT32_MAX)
                assert_int_equal(text.token[t->partner].partner, i);
            if (trod_source_condition(&range, &text, t->line, t->column, 1 + i % 3))
                assert_true(range.first <= range.last && range.last < text.ntoken);
        }
        trod_arena_rewind(&mem, mark);
    }
}

/* --- style -------------------------------------------------------------------------------------------- */

static void test_counts(void **state)
{
    static const struct {
        uint64_t count;
        const char *want;
    } of[] = {{0, "0"}, {9999, "9999"}, {10000, "10.0k"}, {12345, "12.3k"},
        {999949, "999.9k"}, {999950, "1.0M"}, {1000000, "1.0M"}, {1234567, "1.2M"},
        {UINT64_C(999999999), "1.0G"}, {UINT64_MAX, "18.4E"}};
    char text[TROD_COUNT_TEXT];

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_string_equal(trod_count_text(text, of[i].count, false), of[i].want);
    assert_string_equal(
        trod_count_text(text, UINT64_MAX, true), "18446744073709551615");
}

static void test_clips(void **state)
{
    struct trod_style narrow = {.width = 30};
    struct trod_string out;

    (void)state;
    assert_string_equal(trod_clip("abcdefgh", 8, &mem), "abcdefgh");
    assert_string_equal(trod_clip("abcdefghi", 8, &mem), "abcde...");
    assert_string_equal(trod_clip("abcd fghi", 8, &mem), "abcd...");
    assert_string_equal(trod_clip("\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4", 4, &mem),
        "\xc3\xa4\xc3\xa4\xc3\xa4\xc3\xa4");
    assert_string_equal(trod_clip_middle("abcdefghijkl", 9, &mem), "abc...jkl");
    trod_string_init(&out, &mem);
    trod_put_wrapped(&out.sink, &narrow, 4, "entry 12:T 13:F 14:T 15:F return 16");
    assert_string_equal(out.text, "    entry 12:T 13:F 14:T 15:F\n    return 16\n");
}

static void test_short_names(void **state)
{
    static const struct {
        const char *name, *want;
    } of[] = {{"main", "main"}, {"shop::cart::price(int) const", "shop::cart::price"},
        {"void std::sort<int*>(int*, int*)", "std::sort<int*>"},
        {"std::vector<std::basic_string<char, std::char_traits<char>>>::push_back(int)",
            "std::vector<...>::push_back"},
        {"(anonymous namespace)::f(int)", "{anonymous}::f"},
        {"operator<<(std::ostream&, int)", "operator<<"},
        {"a::b::operator()(int)", "a::b::operator()"},
        {"bool a::operator<(int)", "a::operator<"},
        {"a::operator bool() const", "a::operator bool"},
        {"f(int)::'lambda'(int)::operator()(int) const", "f::'lambda'::operator()"},
        {"a::f(int)::{lambda(int const&)#1}::operator()(int const&) const",
            "a::f::{lambda}::operator()"},
        {"one_namespace::two_namespace::three_namespace::four(int)",
            "three_namespace::four"},
        {"a_name_of_c_that_is_much_longer_than_there_is_room_for",
            "a_name_of_c_t...re_is_room_for"}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_string_equal(trod_short_name(of[i].name, 30, &mem), of[i].want);
}

/* Whoever has room of its own to fill clips nothing. */
static void test_short_parts(void **state)
{
    static const struct {
        const char *name, *want;
    } of[] = {
        {"int longest<int, int, int>(int, int, int, int)", "longest<int, int, int>"},
        {"std::__cxx11::basic_string<char16_t, std::char_traits<char16_t>, "
         "std::allocator<char16_t> >::_M_data() const",
            "basic_string<...>::_M_data"},
        {"std::ostream& std::operator<< <char, std::char_traits<char> >(std::ostream&, "
         "char const*)",
            "std::operator<< <...>"},
        {"main::$_0::operator()(int, int, long, unsigned long) const",
            "main::$_0::operator()"},
        {"(anonymous namespace)::reader<int>::next_of_all(int, std::vector<int>)",
            "reader<...>::next_of_all"},
        {"a::of_a_class_with_a_long_name::and_a_function_with_one(int)",
            "of_a_class_with_a_long_name::and_a_function_with_one"},
        {"a<b", "a<b"},
        {"a_name_of_c_that_is_much_longer_than_there_is_room_for",
            "a_name_of_c_that_is_much_longer_than_there_is_room_for"}};

    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        assert_string_equal(trod_short_parts(of[i].name, 26, &mem), of[i].want);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conditions),
        cmocka_unit_test(test_any_bytes),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_clips),
        cmocka_unit_test(test_short_names),
        cmocka_unit_test(test_short_parts),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
