/* The sampler as a library: creating, feeding blocks and paths, the hottest of several instances, the
 * threshold, readers beside who feeds.
 */
#include "kit/kit.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trod/online.h"

enum { ROOM = 32768, PERIOD = 12 };

static _Alignas(16) char memory[4][ROOM];

static struct trod_online *make(uint32_t i, const char *text)
{
    struct trod_online_options options = {.text = text, .seed = i + 1};
    const char *why;
    struct trod_online *o = trod_online_create(memory[i], ROOM, &options, &why);

    if (!o)
        fail_msg("%s", why);
    return o;
}

/* --- creating ----------------------------------------------------------------------------------------- */

static void test_create(void **state)
{
    struct trod_online_options options = {.text = "f=nothing"};
    const char *why = NULL;

    (void)state;
    assert_non_null(trod_online_create(memory[0], ROOM, NULL, NULL));
    assert_null(trod_online_create(memory[0], ROOM, &options, &why));
    assert_non_null(strstr(why, "f= takes"));
    assert_null(trod_online_create(memory[0], ROOM, &options, NULL));
    assert_null(trod_online_create(memory[0], 100, NULL, &why));
    assert_null(trod_online_create(NULL, 0, NULL, &why));
    options.text = "memory=64k";
    assert_null(trod_online_create(memory[0], ROOM, &options, &why));
    assert_non_null(strstr(why, "memory="));
    assert_null(trod_online_check(""));
    assert_null(trod_online_check("f=never"));
    assert_non_null(trod_online_check("f"));
}

/* Nothing outside what was given is touched, wherever it begins and ends; 8192 bytes will do. */
static void test_create_anywhere(void **state)
{
    uint32_t before, size, i;

    (void)state;
    for (before = 0; before < 20; before++) {
        for (size = 8192; size < 9000; size += 101) {
            struct trod_online *o;

            memset(memory[0], 0x5a, ROOM);
            o = trod_online_create(memory[0] + before, size, NULL, NULL);
            assert_non_null(o);
            for (i = 0; i < 100; i++)
                trod_online_block(o, i);
            for (i = 0; i < before; i++)
                assert_int_equal(memory[0][i], 0x5a);
            for (i = before + size; i < ROOM; i++)
                assert_int_equal(memory[0][i], 0x5a);
        }
    }
}

/* --- feeding ---------------------------------------------------------------------------------------------- */

/* How often the loop's subpath of all its blocks is said to run. */
static double whole_loop(struct trod_online *const *all, size_t nall)
{
    struct trod_online_hot hot[100];
    size_t n = trod_online_hottest(hot, 100, all, nall, NULL), i;

    for (i = 0; i < n; i++)
        if (hot[i].length == PERIOD)
            return hot[i].estimate;
    return 0;
}

static const char loops[] = "lengths=12:.5+3:.5,f=10,most=4k";

static void test_blocks(void **state)
{
    struct trod_online *o = make(0, loops);
    struct trod_online_sum sum;
    uint32_t i;

    (void)state;
    for (i = 0; i < 100000; i++)
        trod_online_block(o, i % PERIOD);
    trod_online_sum(&sum, &o, 1);
    assert_true(fabs(sum.blocks / 100000 - 1) < 0.1);
    assert_true(fabs(whole_loop(&o, 1) / 100000 - 1) < 0.1);
    assert_int_equal(sum.subpaths, PERIOD + 1);
    assert_true(sum.f >= 10 && sum.begun >= sum.sampled);
    assert_int_equal(sum.dropped, 0);
}

/* A path is a run of blocks: id * 4 and those after it. Whole paths give the very same sample as their blocks
 * one by one.
 */
static uint32_t nexpanded;

static void expand(void *context, struct trod_online *o, uint64_t path)
{
    uint32_t i;

    (void)context;
    nexpanded++;
    for (i = 0; i < 4; i++)
        trod_online_block(o, (uint32_t)path * 4 + i);
}

static void test_paths_are_their_blocks(void **state)
{
    struct trod_online_options options = {.text = "f=200", .seed = 9, .expand = expand};
    struct trod_online *a = trod_online_create(memory[0], ROOM, &options, NULL);
    struct trod_online *b = trod_online_create(memory[1], ROOM, &options, NULL);
    struct trod_online_hot hot[2][50];
    uint32_t i;
    size_t n;

    (void)state;
    memset(hot, 0, sizeof hot);
    nexpanded = 0;
    for (i = 0; i < 50000; i++) {
        trod_online_path(a, i % 5, 4);
        expand(NULL, b, i % 5);
        nexpanded--;
        assert_int_equal(a->skip, b->skip);
    }
    n = trod_online_hottest(hot[0], 50, &a, 1, NULL);
    assert_int_equal(trod_online_hottest(hot[1], 50, &b, 1, NULL), n);
    assert_memory_equal(hot[0], hot[1], n * sizeof **hot);
    assert_in_range(nexpanded, 500, 5000);
}

static void test_never(void **state)
{
    struct trod_online *o = make(0, "f=never");
    struct trod_online_hot hot;
    uint32_t i;

    (void)state;
    for (i = 0; i < 100000; i++)
        trod_online_block(o, i % PERIOD);
    assert_int_equal(trod_online_hottest(&hot, 1, &o, 1, NULL), 0);
}

/* No subpath crosses a break. */
static void test_break(void **state)
{
    struct trod_online *o = make(0, "f=3,lengths=2:.5+5:.5,identity=sequence");
    struct trod_online_hot hot[100];
    struct trod_online_sum sum;
    uint32_t block[8], i;
    size_t n;

    (void)state;
    for (i = 0; i < 30000; i++) {
        if (i % 5 == 0)
            trod_online_break(o);
        trod_online_block(o, i % 5);
    }
    n = trod_online_hottest(hot, 100, &o, 1, NULL);
    assert_int_equal(n, 5);
    for (i = 0; i < n; i++) {
        assert_int_equal(trod_online_blocks(block, 8, hot + i, &o, 1), hot[i].length);
        assert_true(block[0] + hot[i].length <= 5);
    }
    trod_online_sum(&sum, &o, 1);
    assert_true(sum.dropped > 0);
}

/* --- reading ----------------------------------------------------------------------------------------------- */

static double square(uint32_t length)
{
    return (double)length * length;
}

static void test_hottest(void **state)
{
    struct trod_online *o = make(0, "f=4,longest=16");
    struct trod_online_hot all[200], some[3];
    uint32_t i;
    size_t n;

    (void)state;
    for (i = 0; i < 40000; i++)
        trod_online_block(o, i % 7 < 5 ? i % 7 : i % 3 + 10);
    memset(all, 0, sizeof all);
    n = trod_online_hottest(all, 200, &o, 1, NULL);
    assert_true(n > 3);
    for (i = 1; i < n; i++)
        assert_true(all[i - 1].estimate >= all[i].estimate);
    memset(some, 0, sizeof some);
    assert_int_equal(trod_online_hottest(some, 3, &o, 1, NULL), 3);
    assert_memory_equal(some, all, sizeof some);
    assert_int_equal(trod_online_hottest(some, 0, &o, 1, NULL), 0);
    n = trod_online_hottest(all, 200, &o, 1, square);
    for (i = 0; i < n; i++) {
        assert_true(all[i].rank == all[i].estimate * all[i].length * all[i].length);
        assert_true(i == 0 || all[i - 1].rank >= all[i].rank);
    }
}

/* What three threads did is what one would have done. */
static void test_instances_are_added_up(void **state)
{
    struct trod_online *all[3];
    struct trod_online_hot hot[100];
    struct trod_online_sum sum;
    uint32_t i, k, j;
    size_t n;

    (void)state;
    for (k = 0; k < 3; k++) {
        all[k] = make(k, k == 1 ? "lengths=12:.5+3:.5,f=40" : loops);
        for (i = 0; i < 50000; i++)
            trod_online_block(all[k], i % PERIOD);
    }
    for (i = 0; i < 50000; i++) /* only the last of them does this */
        trod_online_block(all[2], 100 + i % 3);
    assert_true(fabs(whole_loop(all, 3) / 150000 - 1) < 0.08);
    n = trod_online_hottest(hot, 100, all, 3, NULL);
    for (i = 0; i < n; i++)
        for (j = 0; j < i; j++)
            assert_memory_not_equal(hot[i].id, hot[j].id, sizeof hot->id);
    assert_true(hot[0].samples > 1000);
    trod_online_sum(&sum, all, 3);
    assert_true(fabs(sum.blocks / 200000 - 1) < 0.05);
    for (i = 0; i < n; i++)
        if (hot[i].length == 3) {
            uint32_t block[3];

            assert_int_equal(trod_online_blocks(block, 3, hot + i, all, 3), 3);
        }
}

static void test_blocks_of_a_subpath(void **state)
{
    struct trod_online *o = make(0, "f=1,lengths=4:1");
    struct trod_online_hot hot, none = {.length = 4};
    uint32_t block[4] = {9, 9, 9, 9}, i;

    (void)state;
    for (i = 0; i < 100; i++)
        trod_online_block(o, 1000000 * ((i + 2) % 4));
    assert_int_equal(trod_online_hottest(&hot, 1, &o, 1, NULL), 1);
    assert_int_equal(trod_online_blocks(block, 2, &hot, &o, 1), 4);
    assert_int_equal(block[1], 1000000);
    assert_int_equal(block[2], 9);
    assert_int_equal(trod_online_blocks(block, 4, &hot, &o, 1), 4);
    assert_int_equal(block[3], 3000000);
    assert_int_equal(trod_online_blocks(block, 4, &none, &o, 1), 0);
}

/* --- the threshold ---------------------------------------------------------------------------------------- */

struct reported {
    struct trod_online_hot hot[20];
    uint32_t n;
};

static void take_hot(
    void *context, struct trod_online *o, const struct trod_online_hot *hot)
{
    struct reported *to = context;
    uint32_t block[16];

    assert_true(to->n < 20);
    to->hot[to->n++] = *hot;
    assert_int_equal(trod_online_blocks(block, 16, hot, &o, 1), hot->length);
}

/* Each subpath is reported once, when it reaches the threshold; with a confidence, later. */
static void test_threshold(void **state)
{
    static struct reported plain, sure;
    struct trod_online_options options = {
        .text = "f=1,lengths=2:1,threshold=500", .hot = take_hot, .context = &plain};
    struct trod_online *o = trod_online_create(memory[0], ROOM, &options, NULL);
    uint32_t i;

    (void)state;
    for (i = 0; i < 3 * 499 + 1; i++)
        trod_online_block(o, i % 3);
    assert_int_equal(plain.n, 0);
    for (i = 0; i < 3; i++)
        trod_online_block(o, (i + 1) % 3);
    assert_int_equal(plain.n, 3);
    for (i = 0; i < 900; i++)
        trod_online_block(o, (i + 1) % 3);
    assert_int_equal(plain.n, 3);
    assert_true(plain.hot[0].estimate == 500 && plain.hot[0].samples == 500);

    options.confidence = 0.95;
    options.context = &sure;
    o = trod_online_create(memory[0], ROOM, &options, NULL);
    for (i = 0; i < 3000; i++)
        trod_online_block(o, i % 3);
    assert_int_equal(sure.n, 3);
    for (i = 0; i < 3; i++) {
        double count = sure.hot[i].samples;

        assert_true(count * (1 - trod_online_error(count, 0.95, false)) >= 500);
        assert_true(
            (count - 1) * (1 - trod_online_error(count - 1, 0.95, false)) < 500);
    }
}

/* --- beside who feeds -------------------------------------------------------------------------------------- */

static _Atomic bool over;

/* Rows of eleven numbers that follow each other: f is raised often, and places are used again. */
static void *feed(void *o)
{
    uint64_t x = 1;
    uint32_t block = 0, i;

    for (i = 0; i < 1000000; i++) {
        if (i % 11 == 0) {
            x = x * UINT64_C(6364136223846793005) + 1;
            block = (uint32_t)(x >> 40) & 0xffff0;
        }
        trod_online_block(o, block + i % 11);
    }
    over = true;
    return NULL;
}

static void test_reader_beside(void **state)
{
    struct trod_online *all[2];
    struct trod_online_hot hot[50];
    pthread_t thread[2];
    uint32_t block[16], i, nread = 0;

    (void)state;
    over = false;
    for (i = 0; i < 2; i++) {
        all[i] = make(i, i ? "f=1,lengths=2:.5+4:.5,window=150,identity=sequence"
                           : "f=1,lengths=2:.5+4:.5,age=100,identity=sequence");
        assert_int_equal(pthread_create(thread + i, NULL, feed, all[i]), 0);
    }
    while (!over) {
        size_t n = trod_online_hottest(hot, 50, all, 2, NULL), k;

        for (k = 0; k < n; k++) {
            uint32_t length = (uint32_t)trod_online_blocks(block, 16, hot + k, all, 2);

            assert_true(length == 0 || length == hot[k].length);
            for (i = 1; i < length; i++)
                assert_true(block[i] == block[i - 1] + 1 || block[i] % 16 == 0);
            nread++;
        }
    }
    for (i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    assert_true(nread > 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),
        cmocka_unit_test(test_create_anywhere),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_paths_are_their_blocks),
        cmocka_unit_test(test_never),
        cmocka_unit_test(test_break),
        cmocka_unit_test(test_hottest),
        cmocka_unit_test(test_instances_are_added_up),
        cmocka_unit_test(test_blocks_of_a_subpath),
        cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_reader_beside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
