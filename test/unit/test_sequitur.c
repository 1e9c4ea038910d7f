/* Grammars in the making, from the inside. That two rules come to be the same digram, that the
 * newer of two occurrences is all of a rule, or that the digram in the middle of a run is the one
 * in the table has not been seen to happen: not for any sequence of two terminals up to 19, of
 * three up to 12, of four up to 9 or of five up to 8, nor for random ones. No proof says that it
 * cannot, so the code is there, and states that no sequence is known to lead to are made here.
 */
#include "kit/fixture.h"

#include <string.h>

#include "grammar/sequitur.c" /* NOLINT(bugprone-suspicious-include) */

static struct trod_grammar_builder made;

static int set_up_builder(void **state)
{
    set_up(state);
    trod_grammar_builder_init(&made, 0, &have.mem, &have.mem);
    return 0;
}

static uint32_t add_rule(uint64_t one, uint64_t two)
{
    uint32_t r = new_rule(&made);

    append(&made, r, TERMINAL, one);
    append(&made, r, TERMINAL, two);
    return r;
}

static uint32_t nth(uint32_t r, uint32_t i)
{
    uint32_t n = next(&made, made.rule[r].guard);

    while (i-- > 0)
        n = next(&made, n);
    return n;
}

/* Work off what was noted, and all that is in neither place by then. */
static void settles_to(const char *want)
{
    struct trod_string text;
    struct trod_grammar g;

    settle(&made);
    for (uint32_t n = 1; n < made.nnode; n++)
        if (has_digram(&made, n) && made.slot[find(&made, n)] != n)
            note(&made, n);
    settle(&made);
    trod_grammar_build(&g, &made, "g");
    must(trod_grammar_check(&g, &have.mem, &have.err));
    trod_string_init(&text, &have.mem);
    trod_grammar_print(&text.sink, &g);
    assert_string_equal(text.text, want);
}

static void test_same_rules(void **state)
{
    uint32_t a = add_rule(1, 2), b = add_rule(1, 2);

    (void)state;
    append(&made, START, RULE, a);
    append(&made, START, TERMINAL, 7);
    append(&made, START, RULE, b);
    append(&made, START, TERMINAL, 8);
    append(&made, START, RULE, b);
    append(&made, START, TERMINAL, 9);
    append(&made, START, RULE, a);
    enter(&made, nth(a, 0));
    for (uint32_t i = 0; i < 6; i++)
        enter(&made, nth(START, i));
    note(&made, nth(b, 0));
    settles_to("grammar g\nR0: R1 7 R1 8 R1 9 R1\nR1: 1 2\n");
}

/* Once they are one, what was around them may be the same, too. */
static void test_same_rules_then_more(void **state)
{
    uint32_t a = add_rule(1, 2), b = add_rule(1, 2);

    (void)state;
    append(&made, START, RULE, a);
    append(&made, START, RULE, a);
    append(&made, START, TERMINAL, 7);
    append(&made, START, RULE, b);
    append(&made, START, RULE, b);
    enter(&made, nth(b, 0));
    for (uint32_t i = 0; i < 4; i++)
        enter(&made, nth(START, i));
    note(&made, nth(a, 0));
    settles_to("grammar g\nR0: R1 7 R1\nR1: R2 R2\nR2: 1 2\n");
}

static void test_newer_is_a_rule(void **state)
{
    uint32_t a = add_rule(1, 2);

    (void)state;
    append(&made, START, TERMINAL, 1);
    append(&made, START, TERMINAL, 2);
    append(&made, START, TERMINAL, 7);
    append(&made, START, RULE, a);
    append(&made, START, RULE, a);
    for (uint32_t i = 0; i < 4; i++)
        enter(&made, nth(START, i));
    note(&made, nth(a, 0));
    settles_to("grammar g\nR0: R1 7 R1 R1\nR1: 1 2\n");
}

static void run_of_four(uint32_t noted)
{
    for (int i = 0; i < 4; i++)
        append(&made, START, TERMINAL, 7);
    enter(&made, nth(START, 1));
    note(&made, nth(START, noted));
    settles_to("grammar g\nR0: R1 R1\nR1: 7 7\n");
}

static void test_middle_then_last(void **state)
{
    (void)state;
    run_of_four(2);
}

static void test_middle_then_first(void **state)
{
    (void)state;
    run_of_four(0);
}

static bool is_entered(uint32_t n)
{
    return made.slot[find(&made, n)] == n;
}

/* What is in the table goes, and an occurrence to the left of it, that it overlapped, stays. */
static void test_left_is_entered(void **state)
{
    uint32_t a = add_rule(7, 8);

    (void)state;
    for (int i = 0; i < 3; i++)
        append(&made, START, TERMINAL, 7);
    append(&made, START, TERMINAL, 8);
    append(&made, START, RULE, a);
    enter(&made, nth(START, 1));
    enter(&made, nth(a, 0));
    enter(&made, nth(START, 3));
    note(&made, nth(START, 2));
    settle(&made);
    assert_true(is_entered(nth(START, 0)));
    settles_to("grammar g\nR0: 7 7 R1 R1\nR1: 7 8\n");
}

/* A rule that is put back makes a digram on either side. */
static void test_put_back(void **state)
{
    uint32_t a = add_rule(2, 3);

    (void)state;
    append(&made, START, TERMINAL, 1);
    append(&made, START, RULE, a);
    append(&made, START, TERMINAL, 4);
    append(&made, START, RULE, a);
    enter(&made, nth(a, 0));
    for (uint32_t i = 0; i < 3; i++)
        enter(&made, nth(START, i));
    forget(&made, nth(START, 2));
    at(&made, nth(START, 2))->next = START;
    free_node(&made, prev(&made, START));
    at(&made, START)->prev = nth(START, 2);
    made.nsymbol--;
    settle(&made);
    for (uint32_t i = 0; i < 3; i++)
        assert_true(is_entered(nth(START, i)));
    settles_to("grammar g\nR0: 1 2 3 4\n");
}

int main(void)
{
#define TEST(name) \
    cmocka_unit_test_setup_teardown(test_##name, set_up_builder, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(same_rules),
        TEST(same_rules_then_more),
        TEST(newer_is_a_rule),
        TEST(middle_then_last),
        TEST(middle_then_first),
        TEST(left_is_entered),
        TEST(put_back),
    };

    return cmocka_run_group_tests_name("sequitur", tests, NULL, NULL);
}
