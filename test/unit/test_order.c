/* base/order: comparators and lower bounds, against what is obviously right. */
#include "kit/kit.h"

#include <stdlib.h>

#include "base/base.h"
#include "base/order.h"

struct row {
    const char *name;
    uint64_t large;
    double real;
    int32_t below_zero;
    uint8_t small;
};

static unsigned nlate; /* terms evaluated after one that decided, or not */

static int late(const struct row *a, const struct row *b)
{
    nlate++;
    return trod_compare(a->below_zero, b->below_zero);
}

TROD_ORDER(by_large, struct row, TROD_UP(large))
TROD_ORDER(by_all, struct row, TROD_DOWN(small), TROD_ALPHABETIC(name), late(a, b))
TROD_ORDER(by_eight, struct row, 0, 0, 0, 0, 0, 0, TROD_DOWN(real), TROD_UP(below_zero))
TROD_ORDER(by_number, uint32_t, trod_compare(*a, *b))

static void test_signs(void **state)
{
    struct row low = {"a", 1, -0.5, -3, 1}, high = {"b", UINT64_MAX, 0.5, 2, 255};

    (void)state;
    assert_true(by_large(&low, &high) < 0);
    assert_true(by_large(&high, &low) > 0);
    assert_int_equal(by_large(&low, &low), 0);
    assert_true(by_eight(&low, &high) > 0); /* the higher real first */
    high.real = low.real;
    assert_true(by_eight(&low, &high) < 0); /* by a number below zero */
    assert_int_equal(by_eight(&low, &low), 0);
}

static void test_the_first_that_differs_decides(void **state)
{
    struct row a = {"a", 0, 0, 1, 1}, b = {"b", 0, 0, 2, 2};

    (void)state;
    nlate = 0;
    assert_true(by_all(&a, &b) > 0);
    b.small = a.small;
    assert_true(by_all(&a, &b) < 0);
    assert_int_equal(nlate, 0);
    b.name = a.name;
    assert_true(by_all(&a, &b) < 0);
    assert_int_equal(nlate, 1);
}

static void test_nothing_is_sorted(void **state)
{
    uint32_t *none = NULL;

    (void)state;
    trod_sort(none, 0, by_number); /* UBSan would say so if NULL got to qsort */
}

static size_t naive_bound(const uint32_t *value, size_t low, size_t high, uint32_t key)
{
    while (low < high && value[low] < key)
        low++;
    return low;
}

static void test_bounds_are_those_of_a_walk(void **state)
{
    struct trod_rng rng;
    uint32_t value[40];

    (void)state;
    trod_rng_init(&rng, 1);
    for (int trial = 0; trial < 2000; trial++) {
        size_t n = trod_rng_below(&rng, 40), from = trod_rng_below(&rng, n + 1), low;
        uint32_t key = (uint32_t)trod_rng_below(&rng, 34);

        for (size_t i = 0; i < n; i++)
            value[i] = 1 + (uint32_t)trod_rng_below(&rng, 32);
        trod_sort(value, n, by_number);
        for (size_t i = 1; i < n; i++)
            assert_true(value[i - 1] <= value[i]);
        low = TROD_LOWER_BOUND(i, 0, n, value[i] < key);
        assert_int_equal(low, naive_bound(value, 0, n, key));
        low = TROD_LOWER_BOUND(i, from, n, value[i] < key);
        assert_int_equal(low, naive_bound(value, from, n, key));
        low = TROD_LOWER_BOUND(i, 0, n, value[i] <= key);
        assert_int_equal(low, naive_bound(value, 0, n, key + 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_the_first_that_differs_decides),
        cmocka_unit_test(test_nothing_is_sorted),
        cmocka_unit_test(test_bounds_are_those_of_a_walk),
    };

    return cmocka_run_group_tests_name("order", tests, NULL, NULL);
}
