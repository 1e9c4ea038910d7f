/* The kit tests itself: it finds and shrinks known faults to their known
 * minimum, lets what holds pass, and cleans up after failed allocations.
 */
#include "kit/kit.h"

#include <stdio.h>

#include "base/base.h"

static bool always(struct kit_prop *p, void *ctx)
{
    uint64_t bound = 1 + kit_draw(p, 100);

    (void)ctx;
    return kit_draw(p, bound) < bound;
}

/* Fails for 700 and above: the minimum is 700 itself. */
static bool below_700(struct kit_prop *p, void *ctx)
{
    uint64_t x = kit_draw(p, 100000);

    (void)ctx;
    kit_note(p, "x = %d", (int)x);
    return x < 700;
}

/* Fails for a list that holds two neighbours in falling order; the minimum is
 * a list of two, 1 and 0.
 */
static bool is_sorted(struct kit_prop *p, void *ctx)
{
    uint64_t count = kit_draw(p, 30), last = 0;
    bool sorted = true;

    (void)ctx;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t x = kit_draw(p, 1000);

        sorted = sorted && x >= last;
        last = x;
    }
    return sorted;
}

/* Fails when three edges close a cycle 1 -> 2 -> 3 -> 1 among noise: the items
 * of the list draw two numbers each.
 */
static bool has_no_triangle(struct kit_prop *p, void *ctx)
{
    bool edge[4][4] = {{false}};
    uint64_t count = kit_draw(p, 40);

    (void)ctx;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t from = kit_draw(p, 4), to = kit_draw(p, 4);

        edge[from][to] = true;
    }
    return !(edge[1][2] && edge[2][3] && edge[3][1]);
}

static void assert_shrinks_to(kit_property fn, const uint64_t *want, size_t count)
{
    static struct kit_result got;

    kit_search(&got, "known fault", fn, NULL);
    assert_true(got.failed);
    assert_int_equal(got.nchoice, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(got.choice[i], want[i]);
}

static void test_what_holds_passes(void **state)
{
    static struct kit_result got;

    (void)state;
    kit_check("always", always, NULL);
    kit_search(&got, "always", always, NULL);
    assert_false(got.failed);
}

static void test_lowers_a_number(void **state)
{
    static const uint64_t want[] = {700};

    (void)state;
    assert_shrinks_to(below_700, want, 1);
}

static void test_shortens_a_list(void **state)
{
    /* The last 0 is a draw beyond the recorded ones. */
    static const uint64_t want[] = {2, 1};

    (void)state;
    assert_shrinks_to(is_sorted, want, 2);
}

static void test_deletes_items_of_two_draws(void **state)
{
    static const uint64_t want[] = {3, 1, 2, 2, 3, 3, 1};
    static struct kit_result got;
    size_t sum = 0;

    (void)state;
    kit_search(&got, "triangle", has_no_triangle, NULL);
    assert_true(got.failed);
    assert_int_equal(got.nchoice, 7);
    assert_int_equal(got.choice[0], want[0]);
    for (size_t i = 1; i < 7; i++)
        sum += got.choice[i];
    assert_int_equal(sum, 12);
}

static void test_keeps_the_note_of_the_shrunk_run(void **state)
{
    static struct kit_result got;

    (void)state;
    kit_search(&got, "note", below_700, NULL);
    assert_string_equal(got.note, "x = 700\n");
}

static void test_planted_fault_is_found(void **state)
{
    (void)state;
    kit_check_planted("below 700", below_700, NULL);
}

static void test_runs_repeat(void **state)
{
    static struct kit_result a, b;

    (void)state;
    kit_search(&a, "sorted", is_sorted, NULL);
    kit_search(&b, "sorted", is_sorted, NULL);
    assert_int_equal(a.run, b.run);
    assert_int_equal(a.nshrink, b.nshrink);
}

static void takes_three(struct trod_arena *mem, void *ctx)
{
    size_t *called = ctx;

    ++*called;
    trod_arena_take(mem, 10, 8);
    trod_arena_take(mem, 1 << 20, 1);
    trod_arena_take(mem, 1, 1);
}

static void takes_nothing(struct trod_arena *mem, void *ctx)
{
    (void)mem;
    (void)ctx;
}

static void test_each_allocation_fails_once(void **state)
{
    size_t called = 0;

    (void)state;
    assert_int_equal(kit_each_allocation_failure(takes_three, &called), 3);
    assert_int_equal(called, 4);
    assert_int_equal(kit_each_allocation_failure(takes_nothing, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_holds_passes),
        cmocka_unit_test(test_lowers_a_number),
        cmocka_unit_test(test_shortens_a_list),
        cmocka_unit_test(test_deletes_items_of_two_draws),
        cmocka_unit_test(test_keeps_the_note_of_the_shrunk_run),
        cmocka_unit_test(test_planted_fault_is_found),
        cmocka_unit_test(test_runs_repeat),
        cmocka_unit_test(test_each_allocation_fails_once),
    };

    return cmocka_run_group_tests_name("kit", tests, NULL, NULL);
}
