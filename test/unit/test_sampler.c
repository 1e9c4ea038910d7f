/* The sampler: options, identity, costs, memory, and what becomes of samples. */
#include "kit/sampler_feed.h"

#include <math.h>
#include <signal.h>

#include <sys/wait.h>
#include <unistd.h>

/* --- options ----------------------------------------------------------------------------------------- */

static const char *parse(struct trod_sampler_options *out, const char *text)
{
    const char *why;

    __trod_sampler_options_default(out);
    return __trod_sampler_options_parse(out, text, &why) ? NULL : why;
}

static void test_options(void **state)
{
    struct trod_sampler_options o;

    (void)state;
    assert_null(parse(&o, ""));
    assert_int_equal(o.memory, 65536);
    assert_int_equal(o.hold, 8);
    assert_int_equal(o.longest, 32);
    assert_false(o.ones);
    assert_null(parse(&o, "memory=1m,f=12.5,least-f=3,most=4k,grow=1.5,shortest=4,"
                          "longest=64,bias=0.25,costs=yes,age=100,threshold=1000,"
                          "identity=xor,ones=text,hold=4,seed=18446744073709551615"));
    assert_int_equal(o.hold, 4);
    assert_int_equal(o.memory, 1 << 20);
    assert_true(o.f == 12.5 && o.least_f == 3 && o.grow == 1.5 && o.bias == 0.25);
    assert_int_equal(o.most, 4096);
    assert_int_equal(o.shortest, 4);
    assert_int_equal(o.longest, 64);
    assert_true(o.costs && o.has_seed && o.ones && o.threshold == 1000);
    assert_int_equal(o.ageing, TROD_SAMPLE_HALVES);
    assert_int_equal(o.period, 100);
    assert_int_equal(o.identity, TROD_SAMPLE_XOR);
    assert_true(o.seed == UINT64_MAX);
    assert_null(parse(&o, "lengths=2:.5+3:0.25+7:.25"));
    assert_int_equal(o.nlength, 3);
    assert_int_equal(o.shortest, 2);
    assert_int_equal(o.longest, 7);
    assert_null(parse(&o, "lengths=uniform,window=500"));
    assert_int_equal(o.lengths, TROD_SAMPLE_UNIFORM);
    assert_int_equal(o.ageing, TROD_SAMPLE_WINDOW);
    assert_null(parse(&o, "f=never"));
    assert_true(o.never);
}

/* A key is changed by the last one, and all of a text or nothing. */
static void test_options_one_after_another(void **state)
{
    struct trod_sampler_options o;
    const char *why;

    (void)state;
    assert_null(parse(&o, "f=2,longest=8"));
    assert_true(__trod_sampler_options_parse(&o, "f=3", &why));
    assert_true(o.f == 3);
    assert_int_equal(o.longest, 8);
    assert_false(__trod_sampler_options_parse(&o, "f=4,longest=x", &why));
    assert_true(o.f == 3);
    assert_true(__trod_sampler_options_parse(&o, "age=5,age=0", &why));
    assert_int_equal(o.ageing, TROD_SAMPLE_NO_AGEING);
}

static void test_bad_options(void **state)
{
    static const char *const bad[] = {"x", "x=1", "=", ",", "f", "f=", "f=0", "f=0.5",
        "f=-1", "f=1x", "f=1kk", "f=99999999999999999999", "memory=8191", "memory=2g",
        "memory=64q", "most=15", "most=1.5", "grow=1", "grow=1.05", "grow=2000",
        "shortest=1", "longest=1025", "shortest=33", "shortest=2.5",
        "shortest=9,longest=15", "bias=0", "bias=17", "costs=maybe", "age=1.5",
        "window=x", "identity=", "identity=rotatio", "identity=rotations", "ones=yes",
        "seed=18446744073709551616", "seed=-1", "seed=", "lengths=", "lengths=power",
        "lengths=2", "lengths=2:1+", "lengths=2:0.5", "lengths=2:0.5+2:0.5",
        "lengths=1:1", "lengths=1025:1", "lengths=2.5:1", "lengths=2:0.5,3:0.5",
        "memory=8k,longest=1024", "window=100000", "f=2,,f=3"};
    struct trod_sampler_options o;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!parse(&o, bad[i]))
            fail_msg("%s was taken", bad[i]);
}

/* --- identity --------------------------------------------------------------------------------------- */

static bool is_rotation(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    uint32_t r, i;

    for (r = 0; r < n; r++) {
        for (i = 0; i < n && a[i] == b[(i + r) % n]; i++) {
        }
        if (i == n)
            return true;
    }
    return false;
}

/* All rows of up to 9 of three blocks, in base 3. */
static void spell(uint32_t *out, uint32_t row, uint32_t n)
{
    for (; n > 0; n--, row /= 3)
        *out++ = row % 3;
}

static int compare_rows(const uint32_t *a, const uint32_t *b, uint32_t n)
{
    for (; n > 1 && *a == *b; n--, a++)
        b++;
    return *a < *b ? -1 : *a > *b;
}

static void test_least_rotation(void **state)
{
    uint32_t row[9], least[9], other[9], n, i, r, all = 3;

    (void)state;
    for (n = 1; n <= 9; n++, all *= 3) {
        for (i = 0; i < all; i++) {
            spell(row, i, n);
            rotate_to(least, row, n, __trod_sampler_least(row, n));
            for (r = 0; r < n; r++) {
                rotate_to(other, row, n, r);
                assert_true(compare_rows(least, other, n) <= 0);
            }
        }
    }
}

/* Rows are one exactly if they are rotations of each other. */
static void test_rotations_merge_and_nothing_else(void **state)
{
    enum { N = 6, ALL = 729 };
    static uint64_t id[ALL][2];
    uint32_t a[N], b[N], i, j;

    (void)state;
    open_feed("", 1);
    for (i = 0; i < ALL; i++) {
        spell(feed.s->row, i, N);
        __trod_sampler_identify(feed.s, N, id[i]);
    }
    for (i = 0; i < ALL; i++) {
        for (j = 0; j < ALL; j++) {
            bool same = !memcmp(id[i], id[j], sizeof id[i]);

            spell(a, i, N);
            spell(b, j, N);
            assert_int_equal(same, is_rotation(a, b, N));
        }
    }
    sampler_harness_close(&feed);
}

static bool are_one(
    const char *options, const uint32_t *a, const uint32_t *b, uint32_t n)
{
    uint64_t id[2][2];

    open_feed(options, 1);
    memcpy(feed.s->row, a, n * sizeof *a);
    __trod_sampler_identify(feed.s, n, id[0]);
    memcpy(feed.s->row, b, n * sizeof *b);
    __trod_sampler_identify(feed.s, n, id[1]);
    sampler_harness_close(&feed);
    return !memcmp(id[0], id[1], sizeof id[0]);
}

static void test_identities(void **state)
{
    static const uint32_t abbc[] = {10, 11, 11, 12}, addc[] = {10, 13, 13, 12};
    static const uint32_t bbca[] = {11, 11, 12, 10}, babc[] = {11, 10, 11, 12};

    (void)state;
    assert_true(are_one("identity=xor", abbc, addc, 4));
    assert_true(are_one("identity=xor", abbc, babc, 4));
    assert_false(are_one("identity=rotation", abbc, addc, 4));
    assert_false(are_one("identity=rotation", abbc, babc, 4));
    assert_true(are_one("identity=rotation", abbc, bbca, 4));
    assert_false(are_one("identity=sequence", abbc, bbca, 4));
    assert_true(are_one("identity=sequence", abbc, abbc, 4));
}

/* --- costs, ageing, windows ----------------------------------------------------------------------------- */

/* Two subpaths that run equally often, with blocks of cost 255 and 51: the first is kept always, the second one
 * time in five, and one of both in three of five.
 */
static void test_costs(void **state)
{
    static struct sampled got;
    static const uint32_t rows[3][2] = {{0, 1}, {1, 2}, {2, 3}};
    double count[3] = {0}, n = 300000.0 / 4;
    uint32_t i;

    (void)state;
    open_feed("f=4,costs=yes,lengths=2:1,identity=sequence", 5);
    for (i = 0; i < 300000; i++)
        sampler_harness_block_of(&feed, i % 4, i % 4 < 2 ? 255 : 51);
    for (i = 0; i < 3; i++) {
        assert_true(sampler_harness_find(&got, feed.shared, rows[i], 2));
        count[i] = sampler_harness_estimate(feed.shared, &got);
    }
    assert_true(fabs(count[0] / n - 1) < 0.04);
    assert_true(fabs(count[1] / n - 0.6) < 0.04);
    assert_true(fabs(count[2] / n - 0.2) < 0.04);
    assert_true(feed.shared->nrejected > 0);
    close_feed();
}

/* What ran first has half the weight for each period since. */
static void test_ageing(void **state)
{
    static struct sampled got;
    static const uint32_t early[] = {0, 1}, late[] = {2, 3};
    double sum = 0;
    uint32_t i, seed;

    (void)state;
    for (seed = 0; seed < 20; seed++) {
        open_feed("f=1,age=1000,lengths=2:1", seed);
        for (i = 0; i < 1000; i++)
            sampler_harness_block(&feed, i % 2);
        for (i = 0; i < 4001; i++)
            sampler_harness_block(&feed, 2 + i % 2);
        assert_true(sampler_harness_find(&got, feed.shared, early, 2));
        sum += (double)got.count;
        assert_true(sampler_harness_find(&got, feed.shared, late, 2));
        assert_in_range(got.count, 930, 940);
        close_feed();
    }
    /* 999 samples, halved five times: 31.2 */
    assert_true(fabs(sum / 20 - 31.2) < 1);
}

/* Counts of 1 do not live for ever, nor die at once. */
static void test_ageing_forgets(void **state)
{
    uint32_t i, seed, left = 0;

    (void)state;
    for (seed = 0; seed < 10; seed++) {
        open_feed("f=1,age=100,lengths=2:1", seed);
        for (i = 0; i < 101; i++)
            sampler_harness_block(&feed, 2 * i);
        left += (uint32_t)feed.s->kept;
        close_feed();
    }
    assert_in_range(left, 400, 600);
}

static void test_window(void **state)
{
    static struct sampled got;
    uint32_t i, at;

    (void)state;
    make_trace(8);
    open_feed("f=1,window=300,lengths=3:1,identity=sequence", 1);
    for (at = 0; at < TRACE; at++) {
        sampler_harness_block(&feed, trace[at]);
        if (at % 401 != 400)
            continue;
        assert_int_equal(feed.s->kept, 300);
        assert_null(sampler_harness_check(&feed));
        for (i = 0; i < feed.shared->nentry; i++)
            if (sampler_harness_get(&got, feed.shared, i))
                assert_int_equal(got.count, count_in_trace(got.block, 3, at - 301) -
                                                count_in_trace(got.block, 3, at - 1));
    }
    close_feed();
}

/* Where f is raised the window is thinned, and filled again. */
static void test_window_is_thinned(void **state)
{
    uint32_t i;

    (void)state;
    make_trace(9);
    open_feed("f=1,window=1500,memory=16k", 1);
    for (i = 0; i < TRACE; i++) {
        sampler_harness_block(&feed, trace[i]);
        if (i % 500 == 0)
            assert_null(sampler_harness_check(&feed));
    }
    assert_true(feed.s->nraised > 0);
    close_feed();
}

/* --- what is dropped ------------------------------------------------------------------------------------------ */

static void test_break(void **state)
{
    uint32_t i, pending;

    (void)state;
    open_feed("f=1,lengths=8:1", 1);
    for (i = 0; i < 100; i++)
        sampler_harness_block(&feed, i);
    pending = feed.s->npending;
    assert_int_equal(pending, 7);
    sampler_harness_break(&feed);
    assert_int_equal(feed.shared->ndropped, 7);
    for (i = 0; i < 7; i++)
        sampler_harness_block(&feed, 200 + i);
    assert_int_equal(feed.shared->nsample, 93);
    sampler_harness_block(&feed, 207);
    assert_int_equal(feed.shared->nsample, 94);
    __trod_sampler_adopt(feed.s, 7);
    assert_int_equal(feed.shared->ndropped, 14);
    assert_int_equal(feed.shared->thread, 7);
    close_feed();
}

/* A start that was announced twice is one; one that was announced and missed is dropped. */
static void test_begin_twice(void **state)
{
    (void)state;
    open_feed("f=never,lengths=2:1", 1);
    __trod_sampler_begin(feed.s);
    __trod_sampler_begin(feed.s);
    assert_int_equal(feed.shared->nbegun, 1);
    __trod_sampler_break(feed.s);
    __trod_sampler_begin(feed.s);
    assert_true(__trod_sampler_add(feed.s, 1, 255));
    assert_false(__trod_sampler_add(feed.s, 2, 255));
    assert_int_equal(feed.shared->nbegun, 2);
    assert_int_equal(feed.shared->ndropped, 1);
    assert_int_equal(feed.shared->nsample, 1);
    close_feed();
}

/* --- memory ---------------------------------------------------------------------------------------------------- */

/* The memory of the sampler lies between inaccessible pages; the validator knows the sum. */
static void test_memory(void **state)
{
    static const char *const ways[] = {"memory=8k", "memory=9k", "memory=12345",
        "memory=64k", "memory=1m", "memory=4m", "memory=1g",
        "memory=64k,longest=1024,lengths=uniform",
        "memory=64k,longest=1024,lengths=inverse", "memory=48k,longest=1024",
        "memory=16k,window=1000", "memory=16k,age=50", "memory=8k,identity=xor",
        "memory=8k,lengths=3:1,grow=1.1", "memory=8k,grow=100"};
    char options[100];
    size_t way;
    uint32_t i;

    (void)state;
    for (way = 0; way < sizeof ways / sizeof *ways; way++) {
        snprintf(options, sizeof options, "f=1,most=1m,%s", ways[way]);
        open_feed(options, way);
        draw_from(way);
        for (i = 0; i < 20000; i++)
            sampler_harness_block(
                &feed, i % 500 < 250 ? draw(UINT32_C(0x7fffffff)) : i % 50);
        close_feed();
    }
    /* What is given is used. */
    open_feed("memory=64k", 1);
    assert_true(feed.shared_size + feed.private_size > 60000);
    close_feed();
}

/* Levels are used again after the last of them. */
static void test_many_levels(void **state)
{
    uint32_t i;

    (void)state;
    open_feed("f=1,memory=8k,grow=1.1,lengths=2:1,hold=1", 1);
    for (i = 0; i < 2000000 && feed.s->nraised < 100; i++)
        sampler_harness_block(&feed, i & 0xffffff);
    assert_true(feed.s->nraised >= 100);
    assert_true(feed.shared->frequency[feed.shared->level] == feed.s->f);
    close_feed();
}

/* --- killed -------------------------------------------------------------------------------------------------- */

/* A process that samples into memory that we see too, and is killed at any moment: what it leaves is sound.
 * How far it came is up to the machine, and does not matter.
 */
static void kill_one(const char *options, uint64_t seed)
{
    struct trod_sampler_options o;
    struct trod_format_sample *shared;
    const char *why;
    size_t size;
    pid_t pid;

    assert_null(parse(&o, options));
    size = __trod_sampler_shared_size(&o);
    shared =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    pid = fork();
    if (pid == 0) {
        struct trod_sampler *s = calloc(1, __trod_sampler_private_size(&o));
        uint64_t gap, i;

        __trod_sampler_open(s, shared, &o, seed, 1);
        gap = __trod_sampler_gap(s);
        for (i = 0;; i++) {
            if (--gap == 0) {
                __trod_sampler_begin(s);
                gap = __trod_sampler_gap(s);
            }
            __trod_sampler_add(s, i % 100 < 60 ? draw(1 << 20) : i % 7, 255);
            /* No longer than it takes to fill it: f is not to outgrow the test. */
            if (s->f > 64) {
                s->f = 1;
                s->per_gap = 0;
            }
        }
    }
    while (!__atomic_load_n(&shared->nsample, __ATOMIC_RELAXED))
        usleep(100);
    usleep((useconds_t)(seed * 137 % 2000));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    why = sampler_harness_check_shared(shared);
    if (why)
        fail_msg("%s", why);
    munmap(shared, size);
}

static void test_killed(void **state)
{
    uint64_t seed;

    (void)state;
    for (seed = 1; seed <= 20; seed++) {
        draw_from(seed);
        kill_one("f=1,memory=8k", seed);
        kill_one("f=1,memory=8k,window=300", seed);
        kill_one("f=1,memory=16k,age=30", seed);
    }
}

/* --- spoilt ------------------------------------------------------------------------------------------------------ */

/* Somebody writes nonsense to the shared part, which may be a file: the sampler continues, and touches nothing that
 * is not its own.
 */
static void test_spoilt(void **state)
{
    static const char *const ways[] = {"f=1,memory=8k", "f=1,memory=8k,ones=text",
        "f=1,memory=8k,window=200", "f=1,memory=8k,age=40,grow=2",
        "f=1,memory=16k,lengths=uniform,longest=100"};
    uint64_t x = 5;
    size_t way;
    uint32_t i;

    (void)state;
    for (way = 0; way < sizeof ways / sizeof *ways; way++) {
        open_feed(ways[way], way);
        for (i = 0; i < 60000; i++) {
            if (i % 50 == 0) {
                x = x * UINT64_C(6364136223846793005) + 1;
                ((unsigned char *)feed.shared)[(x >> 33) % feed.shared_size] =
                    (unsigned char)(x >> 25);
            }
            if (feed.s->f > 50) { /* as if it were at its beginning */
                feed.s->f = 1;
                feed.s->per_gap = 0;
            }
            sampler_harness_block(&feed, i % 300 < 200 ? draw(5000) : i % 20);
        }
        sampler_harness_close(&feed);
    }
}

/* The validator sees what it is for. */
static void test_validator_sees_faults(void **state)
{
    struct trod_format_sampled *entry;
    uint32_t i;

    (void)state;
    open_feed("f=1", 1);
    for (i = 0; i < 300; i++)
        sampler_harness_block(&feed, i % 37);
    entry = feed.s->entry;
    assert_null(sampler_harness_check(&feed));
    entry[3].state++;
    assert_non_null(sampler_harness_check(&feed));
    entry[3].state--;
    feed.s->chunk[entry[2].chunk].text[0] ^= 1;
    assert_non_null(sampler_harness_check(&feed));
    feed.s->chunk[entry[2].chunk].text[0] ^= 1;
    entry[2].chunk++;
    assert_non_null(sampler_harness_check(&feed));
    entry[2].chunk--;
    feed.shared->nbegun++;
    assert_non_null(sampler_harness_check(&feed));
    feed.shared->nbegun--;
    close_feed();
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_options_one_after_another),
        cmocka_unit_test(test_bad_options),
        cmocka_unit_test(test_least_rotation),
        cmocka_unit_test(test_rotations_merge_and_nothing_else),
        cmocka_unit_test(test_identities),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_ageing),
        cmocka_unit_test(test_ageing_forgets),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_window_is_thinned),
        cmocka_unit_test(test_break),
        cmocka_unit_test(test_begin_twice),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_many_levels),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_spoilt),
        cmocka_unit_test(test_validator_sees_faults),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
