/* Subpaths of blocks: numbers, rotations, sets, estimates and their errors, how they are printed,
 * the text form, and allocation failures. What users see is in test/cli/subpaths.t and
 * test/cli/top.t.
 */
#include "kit/fixture.h"
#include "kit/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "online/online.h"

#define HASH(n) "000000000000000" #n
#define MAIN "function " HASH(1) " " HASH(2) " " HASH(3) " "
#define LEAF "function " HASH(4) " " HASH(5) " " HASH(6) " "

/* main: 0 -> 1 -> 2 or 3, 2 -> 1, 3 ends; leaf: 0 -> 1 or 2, 1 -> 2, 2 -> 0, 3 or 4 */
static const char map_text[] = "unit one.c blocks\n"
                               "function main 1 2 3\n"
                               "file one.c\n"
                               "numbering main ballarus\n"
                               ">: 0 1+2\n"
                               "0: 1\n"
                               "1: 2 3+1\n"
                               "2: >1\n"
                               "3:\n"
                               "lines main\n"
                               "0: 10\n"
                               "1: 11 12\n"
                               "2: 13\n"
                               "3: 15\n"
                               "function leaf 4 5 6\n"
                               "file one.c\n"
                               "numbering leaf ballarus\n"
                               ">: 0 0+6\n"
                               "0: 1 2+3\n"
                               "1: 2\n"
                               "2: >0 3+1 4+2\n"
                               "3:\n"
                               "4:\n"
                               "lines leaf\n"
                               "0: 20\n"
                               "1:\n"
                               "2: 22\n"
                               "3: 23\n"
                               "4: 24\n";

#define MODULE "profile\nmodule app blocks\n" MAIN "4\n" LEAF "5\n"

/* In main, blocks are 0 to 3; in leaf, 5 to 9. */
static const char two_threads[] = MODULE "samples 0 rotation\n"
                                         "lengths powers 2 4 0.5\n"
                                         "frequency 0 100\n"
                                         "starts 31\ncounted 30\ndropped 1\n"
                                         "sampled 20 0 1 2\n"
                                         "sampled 10 0 1 5 6 7\n"
                                         "samples 3 rotation\n"
                                         "lengths uniform 2 5 0.5\n"
                                         "frequency 0 100\n"
                                         "frequency 1 200\n"
                                         "level 1\n"
                                         "counted 12\n"
                                         "sampled 5 0 2 1\n"
                                         "sampled 7 1 7 1 5 6\n";

static bool parse(struct trod_profile *out, const char *text, struct trod_arena *mem)
{
    struct trod_text cursor;
    bool more;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_profile_parse(out, &more, &cursor, mem, &have.err);
}

static void estimate(struct trod_subpaths *out, const char *text)
{
    struct trod_profile profile;

    must(parse(&profile, text, &have.mem));
    must(trod_online_estimate(out, &profile, &have.mem, &have.err));
    must(trod_subpaths_check(out, &have.mem, &have.err));
}

static void read_map(struct trod_map *out, struct trod_arena *mem)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "map", map_text, strlen(map_text));
    must(trod_map_parse(out, &cursor, mem, &have.err));
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

#define assert_near(a, b) assert_true(is_near(a, b))

/* --- numbers, rotations, sets ------------------------------------------------------------------ */

static void test_blocks(void **state)
{
    struct trod_online_blocks blocks;
    struct trod_online_blocks_module one, two;
    struct trod_profile a, b;
    trod_block block;

    (void)state;
    must(parse(&a, MODULE, &have.mem));
    must(parse(
        &b, "profile\nmodule b blocks\n" LEAF "5\n" MAIN "9\n" MAIN "4\n", &have.mem));
    trod_online_blocks_init(&blocks, &have.mem);
    must(trod_online_blocks_add(&one, &blocks, &a.module[0], &have.err));
    must(trod_online_blocks_add(&two, &blocks, &b.module[0], &have.err));
    /* main with 9 blocks is another function. */
    assert_int_equal(blocks.nfunction, 3);
    for (uint64_t terminal = 0; terminal < 12; terminal++) {
        bool found = trod_online_blocks_find(&block, &one, terminal);

        assert_int_equal(found, terminal != 4 && terminal < 10);
        if (found)
            assert_int_equal(block, terminal);
    }
    assert_true(trod_online_blocks_find(&block, &two, 4));
    assert_int_equal(block, 9);
    assert_false(trod_online_blocks_find(&block, &two, 5));
    assert_true(trod_online_blocks_find(&block, &two, 6));
    assert_int_equal(block, 11);
    assert_int_equal(trod_online_blocks_function(&blocks, block), 2);
    assert_true(trod_online_blocks_find(&block, &two, 19));
    assert_int_equal(block, 3);
    assert_int_equal(trod_online_blocks_function(&blocks, block), 0);
    assert_int_equal(trod_online_blocks_node(&blocks, 0, block), 3);
}

static void test_too_many_blocks(void **state)
{
    struct trod_online_blocks_module module;
    struct trod_online_blocks blocks;
    struct trod_profile profile;

    (void)state;
    must(parse(&profile, "profile\nmodule b blocks\n" LEAF "5\n" MAIN "2147483647\n",
        &have.mem));
    trod_online_blocks_init(&blocks, &have.mem);
    assert_false(
        trod_online_blocks_add(&module, &blocks, &profile.module[0], &have.err));
    assert_int_equal(have.err.code, TROD_E_LIMIT);
}

/* All words of length n over k letters, the dumb way. */
static void test_rotations(void **state)
{
    trod_block word[6], turned[6], least[6];

    (void)state;
    for (uint32_t n = 1; n <= 6; n++)
        for (uint32_t code = 0; code < 4096; code++) {
            uint32_t best = 0, rest = code;

            for (uint32_t i = 0; i < n; i++, rest /= 4)
                word[i] = rest % 4;
            for (uint32_t r = 0; r < n; r++) {
                uint32_t k = 0;

                for (uint32_t i = 0; i < n; i++)
                    turned[i] = word[(r + i) % n];
                for (; k < n && r && turned[k] == least[k]; k++)
                    ;
                if (!r || (k < n && turned[k] < least[k])) {
                    memcpy(least, turned, sizeof least);
                    best = r;
                }
            }
            for (uint32_t i = 0, r = trod_online_rotation(word, n); i < n; i++)
                assert_int_equal(word[(r + i) % n], word[(best + i) % n]);
        }
}

static void test_periods(void **state)
{
    static const trod_block a[] = {1, 2, 1, 2, 1, 2}, b[] = {1, 2, 1, 2, 1},
                            c[] = {7, 7, 7, 7}, d[] = {1, 1, 2, 1, 1, 2};

    (void)state;
    assert_int_equal(trod_online_period(a, 6), 2);
    assert_int_equal(trod_online_period(b, 5), 5);
    assert_int_equal(trod_online_period(c, 4), 1);
    assert_int_equal(trod_online_period(d, 6), 3);
    assert_int_equal(trod_online_period(c, 1), 1);
}

static void test_sets(void **state)
{
    static const trod_block abbc[] = {1, 2, 2, 3}, addc[] = {1, 4, 4, 3},
                            bbca[] = {2, 2, 3, 1}, cbba[] = {3, 2, 2, 1};
    static const struct {
        enum trod_sample_identity identity;
        size_t count;
    } kind[] = {
        {TROD_SAMPLE_ROTATION, 3}, {TROD_SAMPLE_SEQUENCE, 4}, {TROD_SAMPLE_XOR, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        struct trod_online_set set;

        trod_online_set_init(&set, kind[i].identity, &have.mem);
        assert_null(trod_online_set_find(&set, abbc, 4));
        trod_online_set_add(&set, abbc, 4)->count++;
        trod_online_set_add(&set, addc, 4)->count++;
        trod_online_set_add(&set, bbca, 4)->count++;
        trod_online_set_add(&set, cbba, 4)->count++;
        assert_int_equal(set.count, kind[i].count);
        assert_null(trod_online_set_find(&set, abbc, 2));
        assert_non_null(trod_online_set_find(&set, bbca, 4));
        assert_int_equal(trod_online_set_find(&set, abbc, 4)->count, i == 0   ? 2
                                                                     : i == 1 ? 1
                                                                              : 4);
    }
}

/* A set that grows keeps all members. */
static void test_large_set(void **state)
{
    struct trod_online_set set;

    (void)state;
    trod_online_set_init(&set, TROD_SAMPLE_ROTATION, &have.mem);
    for (int pass = 0; pass < 2; pass++)
        for (trod_block i = 0; i < 5000; i++) {
            trod_block block[] = {i + 1, i, 70000};

            trod_online_set_add(&set, block, 3)->count += i;
        }
    assert_int_equal(set.count, 5000);
    for (trod_block i = 0; i < 5000; i++) {
        trod_block block[] = {70000, i + 1, i};

        assert_int_equal(trod_online_set_find(&set, block, 3)->count, 2 * i);
    }
}

/* --- estimates --------------------------------------------------------------------------------- */

static void test_estimate(void **state)
{
    static const trod_block pair[] = {1, 2}, four[] = {1, 5, 6, 7};
    struct trod_subpaths s;

    (void)state;
    estimate(&s, two_threads);
    assert_string_equal(s.name, "app");
    assert_int_equal(s.nsubpath, 2);
    /* Of powers from 2 to 4 with bias 1/2: 2 has 2/3, 4 has 1/3; uniform from 2 to 5: 1/4. */
    assert_int_equal(s.subpath[0].length, 4);
    assert_memory_equal(s.subpath[0].block, four, sizeof four);
    assert_int_equal(s.subpath[0].count, 17);
    assert_near(s.subpath[0].estimate, 10 * 300.0 + 7 * 800.0);
    assert_near(s.subpath[0].heaviest, 800);
    assert_near(trod_online_nsample(&s.subpath[0]), 8600.0 / 800);
    assert_memory_equal(s.subpath[1].block, pair, sizeof pair);
    assert_int_equal(s.subpath[1].count, 25);
    assert_near(s.subpath[1].estimate, 20 * 150.0 + 5 * 400.0);
    assert_near(s.nblock, 30 * 100.0 * 31 / 30 + 5 * 100.0 + 7 * 200.0);
    assert_int_equal(s.nsampler, 2);
    assert_int_equal(s.nsample, 42);
    assert_int_equal(s.ndropped, 1);
    assert_near(s.least_frequency, 100);
    assert_near(s.most_frequency, 200);
    assert_false(s.exact || s.costs || s.aged);
}

static void test_nothing(void **state)
{
    struct trod_profile profile;
    struct trod_subpaths s;

    (void)state;
    estimate(&s, MODULE);
    assert_int_equal(s.nsubpath, 0);
    must(parse(&profile, "profile\nmodule app source\n" MAIN "4\n", &have.mem));
    assert_false(trod_online_estimate(&s, &profile, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_non_null(strstr(have.err.text, "trod cc --online"));
}

static void test_mixtures(void **state)
{
    static const char *const bad[][2] = {
        {MODULE "samples 0 rotation\nlengths uniform 2 4 0.5\nfrequency 0 9\n"
                "samples 1 xor\nlengths uniform 2 4 0.5\nfrequency 0 9\n",
            "by rotation and others by xor"},
        {MODULE "samples 0 rotation\nlengths uniform 2 4 0.5\nfrequency 0 9\n"
                "samples 1 rotation\nlengths uniform 2 4 0.5\nfrequency 0 9\ncosts\n",
            "rejected by cost"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_profile profile;
        struct trod_subpaths s;

        must(parse(&profile, bad[i][0], &have.mem));
        assert_false(trod_online_estimate(&s, &profile, &have.mem, &have.err));
        assert_int_equal(have.err.code, TROD_E_MISMATCH);
        assert_non_null(strstr(have.err.text, bad[i][1]));
    }
}

/* Tables 4.9 and 4.10 of the thesis, in percent. At 95 percent it takes 3 for ln 20. Rows of table 4.9
 * whose bounds are not those of the count beside them are omitted: mtrt has 6, with the bounds of 8.
 */
static void test_errors(void **state)
{
    static const struct {
        double count, bound[4];
    } row[] = {{109, {40.64, 23.46, 29.76, 17.18}}, {27006, {2.58, 1.49, 1.89, 1.09}},
        {825, {14.77, 8.53, 10.82, 6.25}}, {279, {25.40, 14.66, 18.60, 10.74}},
        {393, {21.40, 12.36, 15.68, 9.05}}, {191, {30.70, 17.72, 22.49, 12.98}},
        {48, {61.24, 35.36, 44.85, 25.90}}, {17, {102.90, 59.41, 75.37, 43.51}},
        {127, {37.65, 21.74, 27.57, 15.92}}, {13, {117.67, 67.94, 86.19, 49.76}},
        {42, {65.47, 37.80, 47.95, 27.68}}, {12, {122.47, 70.71, 89.71, 51.79}},
        {59, {55.23, 31.89, 40.46, 23.36}}, {4289, {6.48, 3.74, 4.74, 2.74}},
        {441, {20.20, 11.66, 14.80, 8.54}}, {251, {26.78, 15.46, 19.61, 11.32}},
        {206, {29.56, 17.07, 21.65, 12.50}}, {96, {43.30, 25.00, 31.72, 18.31}},
        {30, {77.46, 44.72, 56.74, 32.76}}, {11, {127.92, 73.85, 93.69, 54.09}},
        {102, {42.01, 24.25, 30.77, 17.76}}, {8, {150.00, 86.60, 109.87, 63.43}},
        {18, {100.00, 57.74, 73.24, 42.29}}, {5, {189.74, 109.54, 138.97, 80.24}},
        {7, {160.36, 92.58, 117.45, 67.81}}};
    static const double confidence[] = {0.95, 0.8};

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int k = 0; k < 4; k++) {
            double exact = k < 2 ? 1 - exp(-3) : confidence[1], asked;
            bool one_sided = k % 2;

            exact = 100 * trod_subpaths_error(row[i].count, exact, one_sided);
            asked =
                100 * trod_subpaths_error(row[i].count, confidence[k / 2], one_sided);
            if (fabs(exact - row[i].bound[k]) > 0.02 ||
                fabs(asked / row[i].bound[k] - 1) > 0.005)
                fail_msg("%g samples, bound %d: %g and %g, not %g", row[i].count, k,
                    exact, asked, row[i].bound[k]);
        }
    assert_true(trod_subpaths_error((double)INFINITY, 0.95, false) == 0);
}

static void test_samples_needed(void **state)
{
    static const double errors[] = {0.01, 0.1, 0.2, 0.5, 1, 3};

    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        double n = trod_subpaths_needed(errors[i], 0.9);

        assert_true(fabs(trod_subpaths_error(n, 0.9, false) / errors[i] - 1) < 1e-12);
    }
}

/* --- two thresholds ---------------------------------------------------------------------------------- */

static uint32_t poisson(uint64_t *random, double mean)
{
    double left = exp(-mean), product = 1;
    uint32_t n = 0;

    for (;; n++) {
        *random =
            *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        product *= ((double)(*random >> 11) + 1) * 0x1p-53;
        if (product < left)
            return n;
    }
}

/* How often the samples of what ran so often have the verdict, one of w starts being taken. pretended: by how much estimates
 * are too high.
 */
static double share_of(
    enum trod_online_verdict wrong, double ran, double w, double d, double pretended)
{
    enum { TIMES = 20000 };
    uint64_t random = 5;
    uint32_t n = 0;

    for (int i = 0; i < TIMES; i++) {
        uint32_t count = poisson(&random, ran / w);
        struct trod_online_subpath s = {
            .count = count, .estimate = count * w * pretended, .heaviest = w};
        enum trod_online_verdict is = trod_subpaths_verdict(&s, 2000, 6000, 1 - d);

        n += is == wrong || is == TROD_ONLINE_BETWEEN;
    }
    return (double)n / TIMES;
}

/* Answers are wrong no more often than they may be, also of what ran exactly as often as a threshold. */
static void test_verdicts_are_seldom_wrong(void **state)
{
    static const double chances[] = {0.5, 0.2, 0.05, 0.01, 0.001};
    static const double weights[] = {20, 100, 400, 1500};

    (void)state;
    for (size_t i = 0; i < sizeof chances / sizeof *chances; i++)
        for (size_t k = 0; k < sizeof weights / sizeof *weights; k++) {
            double d = chances[i], w = weights[k];

            assert_true(share_of(TROD_ONLINE_ABOVE, 2000, w, d, 1) <= d);
            assert_true(share_of(TROD_ONLINE_ABOVE, 1500, w, d, 1) <= d);
            assert_true(share_of(TROD_ONLINE_BELOW, 6000, w, d, 1) <= d);
            assert_true(share_of(TROD_ONLINE_BELOW, 9000, w, d, 1) <= d);
        }
    /* Planted: estimates that are too high or too low. */
    assert_false(share_of(TROD_ONLINE_ABOVE, 2000, 20, 0.05, 1.4) <= 0.05);
    assert_false(share_of(TROD_ONLINE_BELOW, 6000, 20, 0.05, 0.7) <= 0.05);
    /* With enough samples there is an answer. */
    assert_true(share_of(TROD_ONLINE_ABOVE, 6000, 20, 0.01, 1) > 0.99);
    assert_true(share_of(TROD_ONLINE_BELOW, 2000, 20, 0.01, 1) > 0.99);
    assert_true(share_of(TROD_ONLINE_ABOVE, 6000, 1500, 0.01, 1) < 0.5);
}

static enum trod_online_verdict verdict_of(double estimate, double heaviest)
{
    struct trod_online_subpath s = {
        .count = 1, .estimate = estimate, .heaviest = heaviest};

    return trod_subpaths_verdict(&s, 100, 1000, 0.95);
}

static void test_verdicts(void **state)
{
    (void)state;
    assert_int_equal(verdict_of(100, 0), TROD_ONLINE_BELOW);
    assert_int_equal(verdict_of(101, 0), TROD_ONLINE_BETWEEN);
    assert_int_equal(verdict_of(1000, 0), TROD_ONLINE_ABOVE);
    assert_int_equal(verdict_of(400, 100), TROD_ONLINE_UNDECIDED);
    assert_int_equal(verdict_of(400, 1), TROD_ONLINE_BETWEEN);
    assert_int_equal(verdict_of(100, 100), TROD_ONLINE_BELOW);
    assert_int_equal(verdict_of(1000, 100), TROD_ONLINE_ABOVE);
}

/* --- rows ------------------------------------------------------------------------------------------ */

static bool is_leaf(const char *function, void *ctx)
{
    (void)ctx;
    return strcmp(function, "leaf") == 0;
}

static void test_rows(void **state)
{
    struct trod_subpaths_options o = {.most = 1};
    struct trod_online_names names;
    struct trod_online_row *row;
    struct trod_subpaths s;
    struct trod_map map;
    size_t n;

    (void)state;
    estimate(&s, two_threads);
    read_map(&map, &have.mem);
    trod_online_names(&names, &s, &map, &have.mem);
    assert_int_equal(trod_online_rows(&row, &n, &names, &o, &have.mem), 2);
    assert_int_equal(n, 1);
    assert_int_equal(row[0].rank, 1);
    assert_int_equal(row[0].subpath->length, 4);
    /* More than the blocks that ran, about, and the only one of its length. */
    assert_true(s.subpath[0].estimate > s.nblock);
    assert_near(row[0].share, 1);
    assert_near(row[0].error, sqrt(6 * log(20) / (8600.0 / 800)));
    o.most = 0;
    o.sort = TROD_ONLINE_BY_FUNCTION;
    assert_int_equal(trod_online_rows(&row, &n, &names, &o, &have.mem), 2);
    assert_int_equal(row[1].rank, 2);
    assert_near(row[1].share, 1);
    s.nblock *= 4;
    trod_online_rows(&row, &n, &names, &o, &have.mem);
    assert_near(row[1].share, row[1].subpath->estimate / s.nblock);
    s.nblock /= 4;
    /* A subpath of four blocks counts 4^3 times. */
    o = (struct trod_subpaths_options){.weight = 3};
    trod_online_rows(&row, &n, &names, &o, &have.mem);
    assert_int_equal(row[0].subpath->length, 4);
    assert_near(row[0].score, 8600.0 * (1 - 1 / sqrt(8600.0 / 800)) * 64);
    o = (struct trod_subpaths_options){.wants = is_leaf};
    assert_int_equal(trod_online_rows(&row, &n, &names, &o, &have.mem), 1);
    assert_int_equal(row[0].rank, 1);
    /* The lower bound of 5000 from 12.5 samples, at 80 percent: 1 - sqrt(2 ln 5 / 12.5). */
    o = (struct trod_subpaths_options){.threshold = 2462, .confidence = 0.8};
    assert_int_equal(trod_online_rows(&row, &n, &names, &o, &have.mem), 2);
    assert_true(row[1].sure);
    o.threshold = 2463;
    trod_online_rows(&row, &n, &names, &o, &have.mem);
    assert_false(row[1].sure);
    o.threshold = 5001;
    assert_int_equal(trod_online_rows(&row, &n, &names, &o, &have.mem), 1);
    /* The program's own options, unless others are given. */
    s.threshold = 5001;
    o.threshold = 0;
    assert_int_equal(trod_online_rows(&row, &n, &names, &o, &have.mem), 1);
    o.threshold = 4000;
    assert_int_equal(trod_online_rows(&row, &n, &names, &o, &have.mem), 2);
}

/* What was seen once or twice is not among the hottest, however much one sample stands for. */
static void test_ranks(void **state)
{
    struct trod_subpaths_options o = {0};
    static const struct trod_map nothing;
    struct trod_online_names names;
    struct trod_online_row *row;
    struct trod_subpaths s;
    size_t n;

    (void)state;
    estimate(&s, MODULE "samples 0 sequence\nlengths powers 2 32 0.5\nfrequency 0 10\n"
                        "sampled 1 0 1 2 1 2 1 2 1 2 1 2 1 2 1 2 1 2\n"
                        "sampled 16 0 1 2\n"
                        "sampled 2 0 1 2 1 2 1 2 1 2\n");
    assert_int_equal(s.subpath[0].length, 2);
    trod_online_names(&names, &s, &nothing, &have.mem);
    trod_online_rows(&row, &n, &names, &o, &have.mem);
    assert_int_equal(row[0].subpath->length, 2);
    assert_near(row[0].score, s.subpath[0].estimate * 0.75);
    assert_int_equal(row[1].subpath->length, 8);
    assert_int_equal(row[2].subpath->length, 16);
    assert_true(row[2].score == 0);
}

/* --- words ------------------------------------------------------------------------------------------ */

struct expected {
    const char *identity, *blocks, *lines, *names;
};

static const char *format_subpath(const struct trod_online_names *names, bool blocks)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_subpath_print(&text.sink, names, &names->subpaths->subpath[0], blocks);
    return text.text;
}

static void test_text_of_subpath(void **state)
{
    static const struct expected want[] = {
        {"sequence", "0 1", "main 10 11", "main #0 #1"},
        {"sequence", "0 1 2", "main 10 12 13", "main #0 #1 #2"},
        {"sequence", "1 3", "main 12 15", "main #1 #3"},
        /* A call, and the decision after its return. */
        {"sequence", "1 5 7 8 3", "main 11 | leaf 20 22 23 | main 12 15",
            "main #1 | leaf #0 #2 #3 | main #3"},
        /* Iterations: complete ones with the decision of the last block, others without. */
        {"sequence", "1 2 1 2", "main (12 13)x2", "main (#1 #2)x2"},
        {"sequence", "1 2 1 2 1 3", "main (12 13)x2 12 15", "main (#1 #2)x2 #1 #3"},
        {"sequence", "0 1 2 1 2 1", "main 10 (12 13)x2 11", "main #0 (#1 #2)x2 #1"},
        {"sequence", "1 5 7 1 5 7", "(main 11 | leaf 20 22)x2",
            "(main #1 | leaf #0 #2)x2"},
        /* A line that was just printed, and a block without lines. */
        {"sequence", "5 6 7 8", "leaf 20:way1 #1 22 23", "leaf #0 #1 #2 #3"},
        {"sequence", "7 5 7 9", "leaf 22 20 22 24", "leaf #2 #0 #2 #4"},
        /* The least rotation is 1 3 0: 3 is after 1, and 0 begins. */
        {"rotation", "0 1 3", "main 10 12 15", "main #0 #1 #3"},
        {"rotation", "7 8 1", "leaf 22 23 | main 11", "leaf #2 #3 | main #1"},
        /* Nested iterations. */
        {"sequence", "0 1 2 1 2 0 1 2 1 2", "main (10 (12 13)x2)x2",
            "main (#0 (#1 #2)x2)x2"},
    };
    struct trod_map map;

    (void)state;
    read_map(&map, &have.mem);
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        struct trod_online_names names;
        struct trod_subpaths s;
        struct trod_string text;

        trod_string_init(&text, &have.mem);
        trod_put(&text.sink,
            MODULE "samples 0 %s\nlengths uniform 2 16 0.5\nfrequency 0 1\n"
                   "sampled 1 0 %s\n",
            want[i].identity, want[i].blocks);
        estimate(&s, text.text);
        trod_online_names(&names, &s, &map, &have.mem);
        if (want[i].lines)
            assert_string_equal(format_subpath(&names, false), want[i].lines);
        assert_string_equal(format_subpath(&names, true), want[i].names);
    }
}

static void test_unknown(void **state)
{
    static const struct trod_map nothing;
    struct trod_online_names names;
    struct trod_subpaths s;

    (void)state;
    estimate(&s, two_threads);
    trod_online_names(&names, &s, &nothing, &have.mem);
    assert_string_equal(format_subpath(&names, false),
        "?0000000000000001 #1 | ?0000000000000004 #0 #1 #2");
}

/* --- text ------------------------------------------------------------------------------------------- */

static bool parse_text(
    struct trod_subpaths *out, const char *text, struct trod_arena *mem)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_subpaths_parse(out, "app", &cursor, mem, &have.err);
}

static const char *print(const struct trod_subpaths *s, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_subpaths_print(&text.sink, s);
    return text.text;
}

static void test_text(void **state)
{
    struct trod_subpaths s, back;
    const char *text;

    (void)state;
    estimate(&s, two_threads);
    text = print(&s, &have.mem);
    assert_non_null(strstr(text, "\n17 8600 800"));
    must(parse_text(&back, text + strlen("subpaths app "), &have.mem));
    must(trod_subpaths_check(&back, &have.mem, &have.err));
    assert_string_equal(print(&back, &have.mem), text);
    must(parse_text(&back, "xor\nexact\nran 100\n" MAIN "4\n3 3 0: 1 2\n", &have.mem));
    must(trod_subpaths_check(&back, &have.mem, &have.err));
    assert_true(back.exact);
    assert_true(isinf(trod_online_nsample(&back.subpath[0])));
}

static void test_bad_text(void **state)
{
    static const char *const bad[][2] = {
        {"mirror\n", "invalid identity 'mirror'"},
        {"rotation\nran many\n", "'many' is not a number"},
        {"rotation\nran \"-1\"\n", "'-1' is not a number"},
        {"rotation\nran inf\n", "'inf' is not a number"},
        {"rotation\n" MAIN "4\n" MAIN "4\n1 1 1: 0 1\n", "a function occurs twice"},
        {"rotation\n" MAIN "4\n1 1 1: 0 1\n" LEAF "4\n", "functions come before"},
        {"rotation\n" MAIN "4\n1 1 1: 0 1\nexact\n", "'exact' comes before"},
        {"rotation\n" MAIN "4\n1 1 1: 0 4\n", "expected blocks of the functions above"},
        {"rotation\n" MAIN "4\n1 1 1: 0\n", "two blocks or more"},
        {"rotation\n" MAIN "4\n1 1 1 0 1\n", "expected ':'"},
        {"rotation\n" MAIN "4\n0 0 1: 0 1\n", "are inconsistent"},
        {"rotation\n" MAIN "4\n2 3 1: 0 1\n", "are inconsistent"},
        {"rotation\nexact\n" MAIN "4\n2 2 1: 0 1\n", "are inconsistent"},
        {"rotation\n" MAIN "4\n1 1 1: 0 1\n1 1 1: 1 0\n", "this subpath occurs twice"},
        {"rotation\nran 1 2\n", "unexpected text"},
    };
    struct trod_subpaths s;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(parse_text(&s, bad[i][0], &have.mem));
        if (!strstr(have.err.text, bad[i][1]))
            fail_msg("%s: not in %s", bad[i][1], have.err.text);
    }
}

static void test_check(void **state)
{
    static const trod_block turned[] = {2, 1}, foreign[] = {1, 4};
    struct trod_online_subpath one[2];
    struct trod_subpaths s;

    (void)state;
#define PLANT(change, words)                                         \
    do {                                                             \
        estimate(&s, two_threads);                                   \
        memcpy(one, s.subpath, sizeof one);                          \
        s.subpath = one;                                             \
        change;                                                      \
        assert_false(trod_subpaths_check(&s, &have.mem, &have.err)); \
        assert_int_equal(have.err.code, TROD_E_INTERNAL);            \
        assert_non_null(strstr(have.err.text, words));               \
    } while (0)
    PLANT(one[0].count = 0, "has count 0");
    PLANT(one[1].block = turned, "not its least rotation");
    PLANT(one[1].block = foreign, "block 4 of subpath 1 does not exist");
    PLANT(one[1].length = 1, "has 1 blocks");
    PLANT(one[0] = one[1], "is there again");
    PLANT(one[1].estimate = 1e6, "has count 25");
    PLANT((one[1].estimate = 9900, one[1].heaviest = 800), "is not in order");
    PLANT(s.exact = true, "has count 17");
    PLANT(s.nblock = (double)NAN, "how many ran");
}

/* --- memory ----------------------------------------------------------------------------------------- */

static void run_all(struct trod_arena *mem, void *ctx)
{
    struct trod_subpaths_options options = {0};
    struct trod_online_names names;
    struct trod_profile profile;
    struct trod_subpaths s, back;
    struct trod_string text;
    struct trod_json json;
    struct trod_map map;

    (void)ctx;
    must(parse(&profile, two_threads, mem));
    must(trod_online_estimate(&s, &profile, mem, &have.err));
    read_map(&map, mem);
    trod_online_names(&names, &s, &map, mem);
    trod_string_init(&text, mem);
    trod_online_print(&text.sink, &names, &options, mem);
    trod_json_init(&json, &text.sink);
    trod_json_open(&json, NULL, '{');
    trod_online_json(&json, &names, &options, mem);
    trod_json_close(&json, '}');
    must(parse_text(&back, print(&s, mem) + strlen("subpaths app "), mem));
    must(trod_subpaths_check(&back, mem, &have.err));
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(run_all, NULL) > 20);
}

#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(blocks),
        TEST(too_many_blocks),
        TEST(rotations),
        TEST(periods),
        TEST(sets),
        TEST(large_set),
        TEST(estimate),
        TEST(nothing),
        TEST(mixtures),
        TEST(errors),
        TEST(samples_needed),
        TEST(verdicts_are_seldom_wrong),
        TEST(verdicts),
        TEST(rows),
        TEST(ranks),
        TEST(text_of_subpath),
        TEST(unknown),
        TEST(text),
        TEST(bad_text),
        TEST(check),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("online", tests, NULL, NULL);
}
