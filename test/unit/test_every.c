/* Counting every subpath: tables that are too small, what is refused and with which words, memory. That
 * counts are right is in test/prop/prop_every.c.
 */
#include "kit/fixture.h"

#include <string.h>

#include "online/every.h"

enum { NBLOCK = 6000, SMALL = 160 << 10 };

static const uint32_t lengths[] = {2, 4, 8};

/* Loops that are hot, and between them blocks that hardly ever come in the same order. */
static void make_blocks(uint32_t *out, uint32_t n, uint64_t seed)
{
    struct trod_rng rng;

    trod_rng_init(&rng, seed);
    for (uint32_t i = 0; i < n; i++)
        out[i] = (uint32_t)(i % 32 < 16 ? i % 4 : 4 + trod_rng_below(&rng, 200));
}

static void init(struct trod_every *out, uint64_t memory, bool partial)
{
    struct trod_every_options options = {
        .memory = memory, .length = lengths, .nlength = 3, .partial = partial};

    must(trod_every_init(out, &options, &have.mem, &have.err));
}

/* As two threads would, in chunks. */
static bool add_all(struct trod_every *every, const uint32_t *block, uint32_t n)
{
    for (uint32_t i = 0; i < n; i += 100)
        if (!trod_every_add(
                every, i / 100 % 2, block + i, n - i < 100 ? n - i : 100, &have.err))
            return false;
    return true;
}

static uint64_t count_of(
    const struct trod_every *every, uint32_t level, uint32_t number)
{
    (void)level;
    return number == UINT32_MAX ? 0 : every->entry[number].state & TROD_EVERY_COUNT;
}

/* --- a table that is too small ---------------------------------------------------------------- */

/* Whatever is dropped: no count is too high, none is too low by more than the floor. */
static void test_partial_bounds(void **state)
{
    static uint32_t block[NBLOCK];
    uint64_t worst = 0, npruned = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct trod_mark mark = trod_arena_mark(&have.mem);
        struct trod_every truth, partial;

        make_blocks(block, NBLOCK, seed);
        init(&truth, 1 << 24, false);
        init(&partial, SMALL, true);
        must(add_all(&truth, block, NBLOCK));
        must(add_all(&partial, block, NBLOCK));
        must(trod_every_check(&truth, &have.mem, &have.err));
        must(trod_every_check(&partial, &have.mem, &have.err));
        assert_true(partial.npruned > 0 && partial.floor > 0);
        npruned += partial.npruned;
        for (uint32_t i = 0; i < truth.nentry; i++) {
            uint32_t level = trod_every_level_of(&truth.entry[i]), row[8];
            uint64_t is = count_of(&truth, level, i), said;

            trod_every_expand(row, &truth, level, i);
            said = count_of(&partial, level, trod_every_find(&partial, level, row));
            assert_true(said <= is && is - said <= partial.floor);
            worst = is - said > worst ? is - said : worst;
        }
        for (uint32_t l = 0; l < truth.nlevel; l++)
            assert_int_equal(truth.level[l].count, partial.level[l].count);
        trod_arena_rewind(&have.mem, mark);
    }
    /* Else nothing was at stake. */
    assert_true(worst > 0 && npruned > 12);
}

/* What is hot is hot all the same, and exact, for it was never dropped. */
static void test_partial_hottest(void **state)
{
    static uint32_t block[NBLOCK];
    struct trod_every truth, partial;
    struct trod_every_answer a, b;

    (void)state;
    make_blocks(block, NBLOCK, 1);
    init(&truth, 1 << 24, false);
    init(&partial, SMALL, true);
    must(add_all(&truth, block, NBLOCK) && add_all(&partial, block, NBLOCK));
    trod_every_merge(&a, &truth, TROD_SAMPLE_ROTATION, 0, 3, &have.mem);
    trod_every_hottest(&b, &partial, TROD_SAMPLE_ROTATION, 0, 3, &have.mem);
    assert_int_equal(a.nrow, 3);
    assert_int_equal(a.floor, 0);
    assert_true(b.floor > 0);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(a.row[i].count, b.row[i].count);
        assert_int_equal(a.row[i].length, b.row[i].length);
        assert_memory_equal(
            a.row[i].block, b.row[i].block, a.row[i].length * sizeof *a.row[i].block);
    }
}

/* A partial count is an error. It is never returned as a complete one. */
static void test_full_is_refused(void **state)
{
    static uint32_t block[NBLOCK];
    struct trod_every every;

    (void)state;
    make_blocks(block, NBLOCK, 1);
    init(&every, SMALL, false);
    assert_false(add_all(&every, block, NBLOCK));
    assert_int_equal(have.err.code, TROD_E_LIMIT);
    assert_non_null(strstr(have.err.text, "blocks were counted, and"));
    assert_non_null(strstr(have.err.text, "then there was no space for more"));
    assert_true(every.nblock > 0 && every.nblock < NBLOCK);
}

/* Threads count, too. */
static void test_too_many_threads(void **state)
{
    struct trod_every every;
    uint32_t block = 1, id = 0;

    (void)state;
    init(&every, SMALL, false);
    while (trod_every_add(&every, UINT64_C(1000003) * id, &block, 1, &have.err))
        assert_true(++id < 10000);
    assert_int_equal(have.err.code, TROD_E_LIMIT);
    assert_non_null(strstr(have.err.text, "no space for more threads"));
    assert_true(id > 4);
}

/* The table is taken at once, and nothing but small change comes on top of it. */
static void test_memory_is_bounded(void **state)
{
    static uint32_t block[NBLOCK];
    struct trod_every every;
    size_t before = have.mem.live;

    (void)state;
    make_blocks(block, NBLOCK, 3);
    init(&every, 1 << 20, true);
    for (uint32_t i = 0; i < 40; i++) {
        make_blocks(block, NBLOCK, i);
        must(add_all(&every, block, NBLOCK));
    }
    assert_true(every.npruned > 0);
    assert_true(have.mem.live - before <= (1 << 20) + (64 << 10));
}

/* --- what is refused --------------------------------------------------------------------------- */

static void test_lengths(void **state)
{
    static const uint32_t bad[] = {0, 1, 1025, UINT32_MAX};
    struct trod_every every;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_every_options options = {.length = &bad[i], .nlength = 1};

        assert_false(trod_every_init(&every, &options, &have.mem, &have.err));
        assert_int_equal(have.err.code, TROD_E_INPUT);
    }
}

/* The longest, and one that is no power of two: a loop of 3 blocks has 3 of each. */
static void test_longest(void **state)
{
    static const uint32_t length[] = {1000, 1024};
    struct trod_every_options options = {
        .memory = 4 << 20, .length = length, .nlength = 2};
    struct trod_every_answer a;
    struct trod_every every;
    uint32_t block[3] = {5, 6, 7};

    (void)state;
    must(trod_every_init(&every, &options, &have.mem, &have.err));
    for (int i = 0; i < 1000; i++)
        must(trod_every_add(&every, 9, block, 3, &have.err));
    trod_every_merge(&a, &every, TROD_SAMPLE_SEQUENCE, 0, 0, &have.mem);
    assert_int_equal(a.nrow, 6);
    assert_int_equal(a.nsubpath, 3000 - 999 + 3000 - 1023);
    trod_every_hottest(&a, &every, TROD_SAMPLE_ROTATION, 0, 9, &have.mem);
    /* An iteration of 3 in 1000 blocks is not a ring: these are three classes. */
    assert_int_equal(a.nrow, 6);
}

static void test_too_little_memory(void **state)
{
    struct trod_every_options options = {.memory = 1000};
    struct trod_every every;

    (void)state;
    assert_false(trod_every_init(&every, &options, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_LIMIT);
    assert_non_null(strstr(have.err.text, "1000 bytes are too few"));
}

static void test_bad_block(void **state)
{
    uint32_t block[] = {1, 0x80000000};
    struct trod_every every;

    (void)state;
    init(&every, SMALL, false);
    assert_false(trod_every_add(&every, 0, block, 2, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
}

/* Nothing ran, or less than a subpath. */
static void test_nothing(void **state)
{
    struct trod_every_answer a;
    struct trod_every every;
    uint32_t block[] = {1, TROD_EVERY_GAP, 2};

    (void)state;
    init(&every, SMALL, false);
    trod_every_merge(&a, &every, TROD_SAMPLE_XOR, 0, 0, &have.mem);
    assert_int_equal(a.nrow, 0);
    must(trod_every_add(&every, 0, block, 3, &have.err));
    trod_every_hottest(&a, &every, TROD_SAMPLE_ROTATION, 1, 5, &have.mem);
    assert_int_equal(a.nrow, 0);
    assert_int_equal(a.nblock, 2);
    assert_int_equal(a.ngap, 1);
}

/* --- traces ------------------------------------------------------------------------------------ */

static bool take(uint64_t thread, const uint32_t *block, size_t nblock, void *ctx,
    struct trod_err *err)
{
    (void)thread;
    (void)block;
    (void)err;
    *(size_t *)ctx += nblock;
    return true;
}

static void test_bad_trace(void **state)
{
    uint32_t bytes[8] = {TROD_TRACE_MAGIC, 0, 2, 0, 7, 7, 1, 2};
    size_t n = 0, used;
    struct trod_trace trace = {.name = "some.blocks", .take = take, .ctx = &n};

    (void)state;
    must(trod_trace_take(&used, &trace, bytes, 24, &have.err));
    assert_int_equal(used, 24);
    assert_int_equal(n, 2);
    /* A head alone may still grow. */
    must(trod_trace_take(&used, &trace, bytes, 23, &have.err));
    assert_int_equal(used, 0);
    bytes[2] = 1021;
    assert_false(trod_trace_take(&used, &trace, bytes, 32, &have.err));
    assert_non_null(
        strstr(have.err.text, "some.blocks: 1021 blocks at once at byte 24"));
    bytes[0]++;
    assert_false(trod_trace_take(&used, &trace, bytes, 32, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    assert_non_null(strstr(have.err.text, "some.blocks: no blocks at byte 24"));
}

/* --- memory that is not there ------------------------------------------------------------------ */

static void do_all(struct trod_arena *mem, void *ctx)
{
    struct trod_every_options options = {
        .memory = SMALL, .length = lengths, .nlength = 3};
    struct trod_every_answer a;
    struct trod_every every;
    uint32_t block[400];

    (void)ctx;
    make_blocks(block, 400, 1);
    must(trod_every_init(&every, &options, mem, &have.err));
    must(trod_every_add(&every, 1, block, 400, &have.err));
    must(trod_every_check(&every, mem, &have.err));
    trod_every_merge(&a, &every, TROD_SAMPLE_ROTATION, 0, 0, mem);
    trod_every_hottest(&a, &every, TROD_SAMPLE_ROTATION, 0, 3, mem);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(do_all, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_partial_bounds, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_partial_hottest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_full_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_many_threads, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_lengths, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_longest, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_too_little_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_block, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_bad_trace, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_allocation_failures, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("every", tests, NULL, NULL);
}
