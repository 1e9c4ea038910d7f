/* base/table: numbers by hash, against a list that is searched from its beginning. */
#include "kit/kit.h"

#include <setjmp.h>
#include <stdlib.h>

#include "base/base.h"
#include "base/table.h"

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static void jump(void *ctx)
{
    longjmp(*(jmp_buf *)ctx, 1);
}

static uint32_t naive(const uint64_t *key, uint32_t count, uint64_t sought)
{
    for (uint32_t i = 0; i < count; i++)
        if (key[i] == sought)
            return i;
    return TROD_TABLE_NONE;
}

static void test_an_empty_table_has_nothing(void **state)
{
    const struct trod_table table = {0};

    (void)state;
    assert_int_equal(TROD_TABLE_FIND(&table, 7, i, i == 0), TROD_TABLE_NONE);
}

/* `bits` of hashes differ: with few, all that is found is found by `same`. */
static void compare_with_a_list(unsigned bits)
{
    struct trod_table table = {0};
    struct trod_arena mem;
    struct trod_rng rng;
    uint64_t key[600] = {0};

    trod_arena_init(&mem, die, NULL);
    trod_rng_init(&rng, bits);
    for (int trial = 0; trial < 3000; trial++) {
        uint64_t sought = trod_rng_below(&rng, 600);
        uint64_t hash = trod_mix(0, sought) & ((UINT64_C(1) << bits) - 1);
        uint32_t found = TROD_TABLE_FIND(&table, hash, i, key[i] == sought);

        assert_int_equal(found, naive(key, table.count, sought));
        if (found == TROD_TABLE_NONE) {
            uint32_t number = trod_table_add(&table, hash, &mem);

            assert_int_equal(number + 1, table.count);
            key[number] = sought;
        }
    }
    assert_true(table.count > 500);
    trod_arena_free(&mem);
}

static void test_it_is_a_list_that_is_fast(void **state)
{
    (void)state;
    compare_with_a_list(40);
    compare_with_a_list(6);
    compare_with_a_list(0);
}

static void test_equal_hashes_are_looked_at(void **state)
{
    struct trod_table table = {0};
    struct trod_arena mem;
    unsigned nlook = 0;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    for (uint32_t i = 0; i < 20; i++)
        trod_table_add(&table, i < 2 ? 5 : 6 + i, &mem);
    assert_int_equal(TROD_TABLE_FIND(&table, 5, i, (nlook++, i == 1)), 1);
    assert_int_equal(nlook, 2);
    /* None of another hash is: items need not be there. */
    assert_int_equal(TROD_TABLE_FIND(&table, 4, i, (nlook++, i == 1)), TROD_TABLE_NONE);
    assert_int_equal(nlook, 2);
    trod_arena_free(&mem);
}

static void test_the_first_that_came_is_found(void **state)
{
    struct trod_table table = {0};
    struct trod_arena mem;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    /* Slots around the end of the array, whatever its size. */
    for (uint32_t i = 0; i < 1000; i++)
        trod_table_add(&table, UINT32_MAX - i % 5, &mem);
    for (uint32_t h = 0; h < 5; h++)
        assert_int_equal(TROD_TABLE_FIND(&table, UINT32_MAX - h, i, true), h);
    for (uint32_t n = 5; n < 1000; n++)
        assert_int_equal(TROD_TABLE_FIND(&table, UINT32_MAX - n % 5, i, i + 5 > n), n);
    trod_arena_free(&mem);
}

static void test_keys_are_a_list_that_is_fast(void **state)
{
    struct trod_keys keys = {0};
    struct trod_arena mem;
    struct trod_rng rng;
    uint64_t key[500] = {0};
    uint32_t count = 0;

    (void)state;
    trod_arena_init(&mem, die, NULL);
    trod_rng_init(&rng, 3);
    for (int trial = 0; trial < 3000; trial++) {
        uint64_t sought = 1 + trod_rng_below(&rng, 500), *found, *value;
        uint32_t number = naive(key, count, sought);
        bool is_new;

        found = trod_keys_find(&keys, sought);
        assert_int_equal(!found, number == TROD_TABLE_NONE);
        assert_true(!found || *found == number);
        if (trial % 2)
            continue;
        value = trod_keys_add(&keys, sought, &is_new, &mem);
        assert_int_equal(is_new, number == TROD_TABLE_NONE);
        assert_int_equal(*value, is_new ? 0 : number);
        if (is_new) {
            *value = count;
            key[count++] = sought;
        }
    }
    assert_int_equal(keys.count, count);
    assert_true(count > 400);
    trod_arena_free(&mem);
}

static void test_memory_that_ends(void **state)
{
    (void)state;
    for (volatile uint64_t nth = 1;; nth++) {
        struct trod_table table = {0};
        struct trod_arena mem;
        jmp_buf out;
        volatile bool whole = false;

        trod_arena_init(&mem, jump, &out);
        trod_arena_fail_at(&mem, nth);
        if (!setjmp(out)) {
            for (uint32_t i = 0; i < 200; i++)
                trod_table_add(&table, trod_mix(0, i), &mem);
            whole = true;
        }
        trod_arena_free(&mem);
        if (whole) {
            assert_int_equal(nth, 5); /* of 64, 128, 256 and 512 slots */
            break;
        }
    }
    assert_int_equal(trod_arena_chunks(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_empty_table_has_nothing),
        cmocka_unit_test(test_it_is_a_list_that_is_fast),
        cmocka_unit_test(test_equal_hashes_are_looked_at),
        cmocka_unit_test(test_the_first_that_came_is_found),
        cmocka_unit_test(test_keys_are_a_list_that_is_fast),
        cmocka_unit_test(test_memory_that_ends),
    };

    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
