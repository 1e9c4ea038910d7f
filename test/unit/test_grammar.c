/* Grammars: the published examples, digrams that overlap, every short sequence, work that
 * stays linear, grammars too large to expand, and words for what is wrong. What holds for all
 * sequences is in prop_grammar.c.
 */
#include "kit/fixture.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "grammar/grammar.h"

/* --- what goes in and comes out ---------------------------------------------------------- */

/* Letters are terminals: a is 1. */
static void make(struct trod_grammar *out, const char *letters, uint64_t most)
{
    struct trod_grammar_builder b;

    trod_grammar_builder_init(&b, most, &have.mem, &have.mem);
    for (; *letters; letters++)
        trod_grammar_add(&b, (uint64_t)*letters - 'a' + 1);
    trod_grammar_build(out, &b, "g");
}

static const char *print(const struct trod_grammar *g)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_grammar_print(&text.sink, g);
    return text.text;
}

static void gives(const char *letters, const char *rules)
{
    struct trod_grammar g;
    struct trod_string text;

    make(&g, letters, 0);
    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "grammar g\n%s", rules);
    assert_string_equal(print(&g), text.text);
    must(trod_grammar_check(&g, &have.mem, &have.err));
}

static bool parse(struct trod_grammar *out, const char *rules)
{
    struct trod_text text;
    struct trod_token token;
    struct trod_string all;

    trod_string_init(&all, &have.mem);
    trod_put(&all.sink, "grammar g\n");
    all.sink.put(&all.sink, rules, strlen(rules));
    trod_text_init(&text, "f", all.text, all.length);
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    return trod_grammar_parse(out, token.name, &text, &have.mem, &have.err);
}

struct sum {
    uint64_t count, hash, stop_at;
};

static bool add_up(uint64_t terminal, void *ctx)
{
    struct sum *sum = ctx;

    sum->hash = trod_mix(sum->hash, terminal);
    return ++sum->count != sum->stop_at;
}

/* --- published examples ------------------------------------------------------------------- */

/* Examples of the paper. Rules are numbered in the order in which they first occur. */
static void test_published(void **state)
{
    (void)state;
    gives("abcdbc", "R0: 1 R1 4 R1\nR1: 2 3\n");
    gives("abcdbcabcdbc", "R0: R1 R1\nR1: 1 R2 4 R2\nR2: 2 3\n");
    gives("abcdbcabcd", "R0: R1 R2 R1\nR1: 1 R2 4\nR2: 2 3\n");
}

static void test_small(void **state)
{
    (void)state;
    gives("", "R0:\n");
    gives("a", "R0: 1\n");
    gives("ab", "R0: 1 2\n");
    gives("abab", "R0: R1 R1\nR1: 1 2\n");
}

/* A rule that is used once more grows; one that is left with one use is put back. */
static void test_utility(void **state)
{
    (void)state;
    gives("abcabc", "R0: R1 R1\nR1: 1 2 3\n");
    gives("abababab", "R0: R1 R1\nR1: R2 R2\nR2: 1 2\n");
}

/* --- overlaps ----------------------------------------------------------------------------- */

static void test_overlaps(void **state)
{
    (void)state;
    gives("aaa", "R0: 1 1 1\n");
    gives("aaaa", "R0: R1 R1\nR1: 1 1\n");
    gives("aaaaa", "R0: R1 R1 1\nR1: 1 1\n");
    gives("aaabaa", "R0: R1 1 2 R1\nR1: 1 1\n");
    /* The second of two overlapping digrams is the one that is left. */
    gives("abbbabcbb", "R0: R1 R2 R1 3 R2\nR1: 1 2\nR2: 2 2\n");
}

/* --- every sequence there is ----------------------------------------------------------------- */

static void check_all(uint32_t alphabet, uint32_t length)
{
    uint64_t n = 1;

    for (uint32_t i = 0; i < length; i++)
        n *= alphabet;
    for (uint64_t k = 0; k < n; k++) {
        struct trod_mark mark = trod_arena_mark(&have.mem);
        struct sum in = {0}, out = {0};
        struct trod_grammar_builder b;
        struct trod_grammar g;
        uint64_t rest = k;

        trod_grammar_builder_init(&b, 0, &have.mem, &have.mem);
        for (uint32_t i = 0; i < length; i++, rest /= alphabet) {
            trod_grammar_add(&b, rest % alphabet);
            add_up(rest % alphabet, &in);
        }
        trod_grammar_build(&g, &b, "g");
        must(trod_grammar_check(&g, &have.mem, &have.err));
        trod_grammar_expand(&g, add_up, &out, &have.mem);
        assert_true(in.count == out.count && in.hash == out.hash);
        trod_arena_rewind(&have.mem, mark);
    }
}

/* Prefixes of these are all the shorter ones. */
static void test_every_short_sequence(void **state)
{
    (void)state;
    for (uint32_t length = 1; length <= 13; length++)
        check_all(2, length);
    for (uint32_t length = 1; length <= 8; length++)
        check_all(3, length);
    check_all(4, 6);
}

/* --- linear work ------------------------------------------------------------------------------ */

enum { FAMILIES = 8 };

/* The ith terminal of a sequence of a family that might be bad for us. */
static uint64_t nth(uint32_t family, uint64_t i, struct trod_rng *rng)
{
    uint64_t k = 0;

    switch (family) {
    case 0: /* nothing but one */
        return 0;
    case 1: /* a period that is no power of two */
        return i % 7;
    case 2: /* never the same again */
        return i;
    case 3:
        return trod_rng_below(rng, 2);
    case 4:
        return trod_rng_below(rng, 1000);
    case 5: /* the ruler: rules of rules of rules */
        return (uint64_t)__builtin_ctzll(i + 1);
    case 6: /* runs that get longer, parted by others */
        for (k = 1; i >= k + 1; k++)
            i -= k + 1;
        return i == k;
    default: /* Thue and Morse: no block three times in a row */
        return (uint64_t)__builtin_popcountll(i) % 2;
    }
}

/* Entries looked at for a terminal: some constant, whatever the length. */
static void test_linear(void **state)
{
    (void)state;
    for (uint32_t family = 0; family < FAMILIES; family++)
        for (uint64_t n = 1000; n <= 64000; n *= 8) {
            struct trod_mark mark = trod_arena_mark(&have.mem);
            struct trod_grammar_builder b;
            struct trod_grammar g;
            struct trod_rng rng;

            trod_rng_init(&rng, 1);
            trod_grammar_builder_init(&b, 0, &have.mem, &have.mem);
            for (uint64_t i = 0; i < n; i++)
                trod_grammar_add(&b, nth(family, i, &rng));
            if (b.work.nlook > 25 * n || b.work.nmatch > n || b.work.nrule > n ||
                b.work.nback > b.work.nrule)
                fail_msg("family %" PRIu32 ", %" PRIu64 " terminals: %" PRIu64
                         " looks, %" PRIu64 " matches, %" PRIu64 " rules, %" PRIu64
                         " put back",
                    family, n, b.work.nlook, b.work.nmatch, b.work.nrule, b.work.nback);
            trod_grammar_build(&g, &b, "g");
            must(trod_grammar_check(&g, &have.mem, &have.err));
            trod_arena_rewind(&have.mem, mark);
        }
}

/* --- bounded ------------------------------------------------------------------------------------ */

static void test_parts(void **state)
{
    struct trod_grammar_sizes sizes;
    struct trod_grammar g;

    (void)state;
    make(&g, "abcdabxy", 3);
    assert_string_equal(
        print(&g), "grammar g\nR0: 1 2 3\npart\nR0: 4 1 2\npart\nR0: 24 25\n");
    trod_grammar_sizes(&sizes, &g, &have.mem);
    assert_int_equal(sizes.npart, 3);
    assert_int_equal(sizes.nterminal, 8);
    assert_int_equal(sizes.nsymbol, 8);
    /* None is begun before there is something to put into it. */
    make(&g, "abc", 3);
    assert_int_equal(g.npart, 1);
    make(&g, "", 3);
    assert_int_equal(g.npart, 1);
}

static bool add(uint64_t terminal, void *builder)
{
    trod_grammar_add(builder, terminal);
    return true;
}

/* Expanding, building and both grammars in one arena. */
static void test_made_anew(void **state)
{
    static const char letters[] = "abcdabcdabcdxyabcdxyabcdxxxxxxyxyxyabcd";
    struct trod_grammar parts, whole, again;
    struct trod_grammar_builder b;

    (void)state;
    make(&parts, letters, 4);
    make(&whole, letters, 0);
    assert_true(parts.npart > 2);
    trod_grammar_builder_init(&b, 0, &have.mem, &have.mem);
    assert_true(trod_grammar_expand(&parts, add, &b, &have.mem));
    trod_grammar_build(&again, &b, "g");
    assert_string_equal(print(&again), print(&whole));
}

/* A builder's memory does not grow with the sequence. */
static void test_memory_is_bounded(void **state)
{
    struct trod_grammar_builder b;
    struct trod_arena scratch;
    size_t after_one = 0;

    (void)state;
    trod_arena_init(&scratch, die, NULL);
    trod_grammar_builder_init(&b, 1000, &have.mem, &scratch);
    for (uint64_t i = 0; b.npart < 50; i++) {
        trod_grammar_add(&b, i * i % 1009);
        if (b.npart == 2 && !after_one)
            after_one = scratch.peak;
    }
    assert_true(after_one > 0 && scratch.peak <= 2 * after_one);
    trod_arena_free(&scratch);
}

/* --- large ones ----------------------------------------------------------------------------------- */

/* 2^100 terminals: counted as far as can be, and expanded as far as one likes. */
static void test_saturates(void **state)
{
    struct trod_grammar_sizes sizes;
    struct trod_grammar_hot *hot;
    struct sum sum = {.stop_at = 1000};
    struct trod_string text;
    struct trod_grammar g;

    (void)state;
    trod_string_init(&text, &have.mem);
    for (int r = 0; r < 99; r++)
        trod_put(&text.sink, "R%d: R%d R%d\n", r, r + 1, r + 1);
    trod_put(&text.sink, "R99: 1 1\n");
    must(parse(&g, text.text));
    must(trod_grammar_check(&g, &have.mem, &have.err));
    trod_grammar_sizes(&sizes, &g, &have.mem);
    assert_true(sizes.nterminal == UINT64_MAX && sizes.depth == 100);
    assert_int_equal(trod_grammar_hot(&hot, &g, &have.mem), 99);
    assert_true(hot[0].weight == UINT64_MAX);
    assert_false(trod_grammar_expand(&g, add_up, &sum, &have.mem));
    assert_int_equal(sum.count, 1000);
}

/* Depth is memory, not stack: a hundred thousand rules deep. */
static void test_deep(void **state)
{
    enum { DEEP = 100000 };
    struct trod_grammar_sizes sizes;
    struct trod_string text;
    struct sum sum = {0};
    struct trod_grammar g;

    (void)state;
    trod_string_init(&text, &have.mem);
    for (int r = 0; r < DEEP; r++)
        trod_put(&text.sink, "R%d: %d R%d\n", r, r, r + 1);
    trod_put(&text.sink, "R%d: 7\n", DEEP);
    must(parse(&g, text.text));
    assert_true(trod_grammar_expand(&g, add_up, &sum, &have.mem));
    assert_int_equal(sum.count, DEEP + 1);
    trod_grammar_sizes(&sizes, &g, &have.mem);
    assert_int_equal(sizes.depth, DEEP + 1);
}

static void test_hot(void **state)
{
    struct trod_grammar_hot *hot;
    struct trod_grammar g;

    (void)state;
    make(&g, "abcdbcabcdbc", 0);
    assert_int_equal(trod_grammar_hot(&hot, &g, &have.mem), 2);
    assert_true(hot[0].rule == 1 && hot[0].count == 2 && hot[0].length == 6 &&
                hot[0].weight == 12);
    assert_true(hot[1].rule == 2 && hot[1].count == 4 && hot[1].length == 2 &&
                hot[1].weight == 8);
}

/* --- what is wrong ----------------------------------------------------------------------------------- */

static void test_refused(void **state)
{
    static const struct {
        const char *rules, *words;
    } bad[] = {
        {"", "f:1: there is no rule; write 'R0: ...'"},
        {"R1: 1 2\n", "f:2: expected rule R0 here"},
        {"R0: 1\nR0: 2\n", "f:3: expected rule R1 here"},
        {"Rx: 1\n", "f:2: expected rule R0 here"},
        {"R0 1 2\n", "f:2: a rule's line has a colon"},
        {"R0: 1 -2\n", "f:2: expected a symbol"},
        {"R0: 1 two\n", "not 'two'"},
        {"R0: 18446744073709551616\n", "f:2: expected a symbol"},
        {"R0: 1\n\nR1: R2 2\n", "f:4: R1 uses R2, which has no line"},
        {"R0: R18446744073709551615\n", "f:2: R0 uses R18446744073709551615"},
        {"R0: R0\n", "f:2: R0 is the start symbol"},
        {"R0: 1\nR1: R0 R2 2 R2\nR2: 4 5\n", "f:3: R0 is the start symbol"},
        {"R0: R1 R1\nR1:\nR2: 1 2\n", "f:3: R1 is empty"},
        {"R0: R1 R1\nR1:", "f:3: R1 is empty"},
        {"R0: 1 R1\nR1: 2 R2\nR2: R1 3\n", "f:3: R1 expands to itself"},
        {"R0: 1\npart\n", "there is no rule"},
        {"R0: 1\npart R0\n", "unexpected text after 'part'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_grammar g;

        assert_false(parse(&g, bad[i].rules));
        assert_int_equal(have.err.code, TROD_E_INPUT);
        if (!strstr(have.err.text, bad[i].words))
            fail_msg("'%s' is refused with '%s'", bad[i].rules, have.err.text);
    }
}

static void test_unsound(void **state)
{
    static const struct {
        const char *rules, *words;
    } bad[] = {
        {"R0: 1 2 3 1 2\n", "'1 2' in R0 occurs twice"},
        {"R0: 1 1 1 1\n", "'1 1' in R0"},
        {"R0: 9 R1 8 R1 7\nR1: 9 R2 6 R2\nR2: 5 4 3 5 4\n", "'5 4' in R2"},
        {"R0: 1 R1 2 1 R1\nR1: 1 1\n", "'1 R1' in R0"},
        {"R0: 1 R1 2\nR1: 3 4\n", "R1 is used once"},
        {"R0: 1 2\nR1: 3 4\n", "R1 is not used"},
        {"R0: R1 R1\nR1: 4\n", "R1 has fewer than two symbols"},
        {"R0: 1\npart\nR0:\n", "part 2: it is empty"},
    };
    struct trod_grammar g;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        must(parse(&g, bad[i].rules));
        assert_false(trod_grammar_check(&g, &have.mem, &have.err));
        if (!strstr(have.err.text, bad[i].words))
            fail_msg("'%s' is unsound for '%s'", bad[i].rules, have.err.text);
    }
    /* A terminal is not a rule of its number. */
    must(parse(&g, "R0: 1 1 R1 1 3 R1 R1\nR1: 5 6\n"));
    must(trod_grammar_check(&g, &have.mem, &have.err));
}

/* What no text can give. */
static void test_unsound_in_memory(void **state)
{
    static const uint32_t first[] = {0, 2, 4};
    static const uint64_t value[] = {1, 1, 1, 1}, some[] = {7}, far[] = {1, 1, 9, 1},
                          start[] = {1, 1, 0, 1};
    struct trod_grammar_part part = {.nrule = 2,
        .first_symbol_of_rule = first,
        .value_of_symbol = value,
        .is_rule = some};
    struct trod_grammar g = {.name = "g", .npart = 0, .part = &part};

    (void)state;
    assert_false(trod_grammar_check(&g, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "has no part"));
    g.npart = 1;
    assert_false(trod_grammar_check(&g, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "expands to itself"));
    part.value_of_symbol = far;
    assert_false(trod_grammar_check(&g, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "R9 is used; it is not there"));
    part.value_of_symbol = start;
    assert_false(trod_grammar_check(&g, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "R0 is used; it is the start"));
    part.nrule = 0;
    assert_false(trod_grammar_check(&g, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "no rule 0"));
}

static void test_sequences(void **state)
{
    static const char all[] = "sequence s # numbers\n1 2\n\n 3 # and a comment\nother";
    static const char bad[] = "sequence s\n1 2\n3 x\n";
    struct trod_sequence sequence;
    struct trod_token token;
    struct trod_text text;

    (void)state;
    trod_text_init(&text, "f", all, strlen(all));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_sequence_parse(&sequence, token.name, &text, &have.mem, &have.err));
    assert_string_equal(sequence.name, "s");
    assert_true(
        sequence.count == 3 && sequence.terminal[0] == 1 && sequence.terminal[2] == 3);
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    assert_string_equal(token.name, "other");

    trod_text_init(&text, "f", bad, strlen(bad));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    must(trod_text_next(&token, &text, &have.mem, &have.err));
    assert_false(
        trod_sequence_parse(&sequence, token.name, &text, &have.mem, &have.err));
    assert_string_equal(
        have.err.text, "f:3: expected a terminal, a whole number below 2^64, not 'x'");
}

static void use_all(struct trod_arena *mem, void *ctx)
{
    static const char rules[] = "g\nR0: 1 R1 R1\nR1: 5 6\npart\nR0: 2\n";
    struct trod_grammar_sizes sizes;
    struct trod_grammar_hot *hot;
    struct trod_grammar_builder b;
    struct trod_err err = {0};
    struct trod_string printed;
    struct trod_token name;
    struct trod_text text;
    struct trod_grammar g;
    struct sum sum = {0};

    (void)ctx;
    trod_grammar_builder_init(&b, 20, mem, mem);
    for (uint64_t i = 0; i < 300; i++)
        trod_grammar_add(&b, i * i % 11);
    trod_grammar_build(&g, &b, "g");
    trod_string_init(&printed, mem);
    trod_grammar_print(&printed.sink, &g);
    trod_grammar_sizes(&sizes, &g, mem);
    trod_grammar_hot(&hot, &g, mem);
    trod_grammar_expand(&g, add_up, &sum, mem);
    trod_text_init(&text, "f", rules, strlen(rules));
    if (!trod_grammar_check(&g, mem, &err) || sum.count != 300 ||
        !trod_text_next(&name, &text, mem, &err) ||
        !trod_grammar_parse(&g, name.name, &text, mem, &err))
        abort();
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(use_all, NULL) > 50);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(published),
        TEST(small),
        TEST(utility),
        TEST(overlaps),
        TEST(every_short_sequence),
        TEST(linear),
        TEST(parts),
        TEST(made_anew),
        TEST(memory_is_bounded),
        TEST(saturates),
        TEST(deep),
        TEST(hot),
        TEST(refused),
        TEST(unsound),
        TEST(unsound_in_memory),
        TEST(sequences),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("grammar", tests, NULL, NULL);
}
