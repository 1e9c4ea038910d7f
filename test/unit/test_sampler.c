/* The sampler: options, identity, chance, memory, and what becomes of samples. Statistics have fixed seeds, so
 * a test that passes passes always; each has a fault planted that must not. Bounds are such that a right
 * sampler would fail with one seed of 10000 or fewer.
 */
#include "kit/sampler_harness.h"

#include <math.h>
#include <signal.h>

#include <sys/wait.h>
#include <unistd.h>

static struct sampler_harness feed;

static void open_feed(const char *options, uint64_t seed)
{
    const char *why;

    if (!sampler_harness_open(&feed, options, seed, &why))
        fail_msg("%s: %s", options, why);
}

static void close_feed(void)
{
    const char *why = sampler_harness_check(&feed);

    if (why)
        fail_msg("%s", why);
    sampler_harness_close(&feed);
}

/* --- numbers for traces, which have nothing to do with those of the sampler ------------------------- */

static uint64_t drawn;

static uint32_t draw(uint32_t bound)
{
    drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((drawn >> 33) * bound >> 31);
}

enum { TRACE = 4000 };
static uint32_t trace[TRACE];

/* A loop with turns that are more or less likely, and now and then something else. */
static void make_trace(uint64_t seed)
{
    uint32_t i = 0, n;

    drawn = seed;
    while (i < TRACE) {
        uint32_t turn = draw(10);

        trace[i++] = 100;
        for (n = turn < 6 ? 3 : turn < 9 ? 5 : 2; n > 0 && i < TRACE; n--)
            trace[i++] = 100 + 7 * (turn < 6 ? 1 : turn < 9 ? 2 : 30) + n;
        if (turn == 9 && i < TRACE)
            trace[i++] = draw(40);
    }
}

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
    assert_int_equal(o.longest, 32);
    assert_false(o.ones);
    assert_null(parse(&o, "memory=1m,f=12.5,least-f=3,most=4k,grow=1.5,shortest=4,"
                          "longest=64,bias=0.25,costs=yes,age=100,threshold=1000,"
                          "identity=xor,ones=text,seed=18446744073709551615"));
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

static void rotate_to(uint32_t *out, const uint32_t *row, uint32_t n, uint32_t first)
{
    uint32_t i;

    for (i = 0; i < n; i++)
        out[i] = row[(first + i) % n];
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

/* --- chance --------------------------------------------------------------------------------------------- */

/* The sum over cells of (seen - expected)^2 / expected, in standard deviations above its mean. */
static double excess(const double *seen, const double *expected, uint32_t ncell)
{
    double sum = 0;
    uint32_t i;

    for (i = 0; i < ncell; i++)
        sum += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
    return (sum - (ncell - 1)) / sqrt(2.0 * (ncell - 1));
}

enum { TOO_MUCH = 5 }; /* with ten degrees of freedom or more: less than 1 of 10000 */

/* Gaps of each size, and those beyond, against the geometric distribution. */
static double gap_excess(double f, double pretended, uint32_t ngap)
{
    enum { CELLS = 24 };
    double seen[CELLS] = {0}, expected[CELLS], p = 1 / pretended, beyond = 1;
    uint32_t i, width = (uint32_t)(f / 6) + 1;
    char options[40];

    snprintf(options, sizeof options, "f=%.3f", f);
    open_feed(options, 5);
    for (i = 0; i < ngap; i++) {
        uint64_t cell = (__trod_sampler_gap(feed.s) - 1) / width;

        seen[cell < CELLS - 1 ? cell : CELLS - 1]++;
    }
    for (i = 0; i < CELLS; i++) {
        double next = i < CELLS - 1 ? beyond * pow(1 - p, width) : 0;

        expected[i] = ngap * (beyond - next);
        beyond = next;
    }
    close_feed();
    return excess(seen, expected, CELLS);
}

static void test_gaps_are_geometric(void **state)
{
    (void)state;
    assert_true(gap_excess(3, 3, 200000) < TOO_MUCH);
    assert_true(gap_excess(4.5, 4.5, 200000) < TOO_MUCH);
    assert_true(gap_excess(17, 17, 200000) < TOO_MUCH);
    assert_true(gap_excess(1024, 1024, 200000) < TOO_MUCH);
    assert_true(gap_excess(1e9, 1e9, 200000) < TOO_MUCH);
    assert_false(gap_excess(17, 17.5, 200000) < TOO_MUCH);
    assert_false(gap_excess(3, 3.05, 200000) < TOO_MUCH);
    open_feed("f=1", 1);
    assert_int_equal(__trod_sampler_gap(feed.s), 1);
    close_feed();
    open_feed("f=never", 1);
    assert_true(__trod_sampler_gap(feed.s) == UINT64_MAX / 4);
    close_feed();
}

/* Soon some samples, then as few as there should be. */
static void test_first_look(void **state)
{
    uint32_t i;

    (void)state;
    open_feed("f=5,least-f=20", 1);
    assert_true(feed.s->f == 5);
    for (i = 0; feed.s->shared->nsample < 500; i++)
        sampler_harness_block(&feed, i % 7);
    assert_true(feed.s->f == 5);
    while (feed.s->shared->nsample < 600)
        sampler_harness_block(&feed, i++ % 7);
    assert_true(feed.s->f > 5);
    while (feed.s->shared->nsample < 5000)
        sampler_harness_block(&feed, i++ % 7);
    assert_true(feed.s->f >= 20 && feed.s->f < 20 * feed.s->grow);
    close_feed();
    open_feed("f=5", 1);
    for (i = 0; feed.s->shared->nsample < 5000; i++)
        sampler_harness_block(&feed, i % 7);
    assert_true(feed.s->f == 5);
    close_feed();
}

static void test_logarithms(void **state)
{
    int i;

    (void)state;
    for (i = -53; i < 300; i++) {
        double x = 0x1p-53 * pow(1.27, i + 53);

        assert_true(fabs(__trod_sampler_ln(x) - log(x)) <= 1e-15 * (1 + fabs(log(x))));
        if (x > 1)
            assert_true(fabs(__trod_sampler_per(x) * log1p(-1 / x) + 1) < 1e-12);
    }
}

/* Of a count, what is left, against the binomial distribution. */
static double thin_excess(const char *options, double grow, uint32_t count)
{
    double seen[101] = {0}, expected[101], p = 1 / grow;
    uint32_t i, low = 0, high = count, rounds = 40000;

    open_feed(options, 9);
    for (i = 0; i < rounds; i++)
        seen[__trod_sampler_thin(feed.s, count)]++;
    close_feed();
    for (i = 0; i <= count; i++)
        expected[i] = rounds * exp(lgamma(count + 1.0) - lgamma(i + 1.0) -
                                   lgamma(count - i + 1.0) + i * log(p) +
                                   (count - i) * log1p(-p));
    for (; expected[low] < 20; low++) {
        expected[low + 1] += expected[low];
        seen[low + 1] += seen[low];
    }
    for (; expected[high] < 20; high--) {
        expected[high - 1] += expected[high];
        seen[high - 1] += seen[high];
    }
    return excess(seen + low, expected + low, high - low + 1);
}

static void test_thinning_is_binomial(void **state)
{
    (void)state;
    assert_true(thin_excess("grow=2", 2, 63) < TOO_MUCH);
    assert_true(thin_excess("grow=2", 2, 64) < TOO_MUCH);
    assert_true(thin_excess("grow=2", 2, 100) < TOO_MUCH);
    assert_true(thin_excess("grow=3", 3, 40) < TOO_MUCH);
    assert_true(thin_excess("grow=1.25", 1.25, 80) < TOO_MUCH);
    assert_false(thin_excess("grow=3", 3.1, 40) < TOO_MUCH);
    assert_false(thin_excess("grow=2", 2.05, 64) < TOO_MUCH);
}

static double length_excess(const char *options)
{
    static double seen[TROD_ONLINE_LONGEST + 1], expected[TROD_ONLINE_LONGEST + 1];
    double sum = 0;
    uint32_t n, ncell = 0, i;

    open_feed(options, 3);
    memset(seen, 0, sizeof seen);
    for (i = 0; i < 200000; i++)
        seen[__trod_sampler_draw_length(feed.s)]++;
    for (n = 0; n <= TROD_ONLINE_LONGEST; n++) {
        double chance = trod_online_chance(feed.shared, n);

        sum += chance;
        if (chance > 0) {
            seen[ncell] = seen[n];
            expected[ncell++] = 200000 * chance;
        } else {
            assert_true(n < ncell || seen[n] == 0);
        }
    }
    close_feed();
    assert_true(fabs(sum - 1) < 1e-9);
    return excess(seen, expected, ncell);
}

static void test_lengths(void **state)
{
    (void)state;
    assert_true(length_excess("shortest=2,longest=1024,bias=0.8") < TOO_MUCH);
    assert_true(length_excess("shortest=3,longest=1000,bias=1.5") < TOO_MUCH);
    assert_true(length_excess("lengths=uniform,shortest=5,longest=37") < TOO_MUCH);
    assert_true(length_excess("lengths=inverse,longest=200") < TOO_MUCH);
    assert_true(length_excess("lengths=5:.3+2:.4+31:.1+16:.2") < TOO_MUCH);
    open_feed("", 1);
    assert_true(fabs(trod_online_chance(feed.shared, 2) - 16 / 31.0) < 1e-12);
    assert_true(fabs(trod_online_chance(feed.shared, 32) - 1 / 31.0) < 1e-12);
    assert_true(trod_online_chance(feed.shared, 3) == 0);
    close_feed();
}

/* --- every block is as likely a start as any other ---------------------------------------------------- */

/* A loop of some blocks, which f has a factor in common with. Subpaths are of two blocks, so the entries
 * are the places in the loop.
 */
static double phase_excess(
    const char *options, uint32_t period, enum sampler_harness_fault fault)
{
    static struct sampled got;
    double seen[64] = {0}, expected[64], total = 0;
    uint32_t i;

    open_feed(options, 11);
    feed.fault = fault;
    for (i = 0; i < 400000; i++)
        sampler_harness_block(&feed, 1000 + i % period);
    for (i = 0; i < feed.shared->nentry; i++) {
        if (!sampler_harness_get(&got, feed.shared, i))
            continue;
        assert_in_range(got.block[0], 1000, 1000 + period - 1);
        seen[got.block[0] - 1000] += (double)got.count;
        total += (double)got.count;
    }
    for (i = 0; i < period; i++)
        expected[i] = total / period;
    close_feed();
    return excess(seen, expected, period);
}

static void test_starts_are_uniform(void **state)
{
    static const char *const ways[] = {"lengths=2:1,identity=sequence,f=12",
        "lengths=2:1,identity=sequence,f=1,most=8k",
        "lengths=2:1,identity=sequence,f=3,most=4k,grow=1.5",
        "lengths=2:.5+32:.5,identity=sequence,f=2,memory=8k"};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof ways / sizeof *ways; i++)
        assert_true(phase_excess(ways[i], 24, SAMPLER_HARNESS_RIGHT) < TOO_MUCH);
    assert_false(phase_excess(ways[0], 24, SAMPLER_HARNESS_EVEN) < TOO_MUCH);
}

/* The same of a trace at random: a block is a start as often as it runs. */
static double block_excess(
    const char *options, uint32_t seeds, enum sampler_harness_fault fault)
{
    static double seen[400], expected[400];
    static struct sampled got;
    double total = 0;
    uint32_t i, seed, ncell = 0;

    memset(seen, 0, sizeof seen);
    memset(expected, 0, sizeof expected);
    make_trace(77);
    for (seed = 1; seed <= seeds; seed++) {
        open_feed(options, seed);
        feed.fault = fault;
        for (i = 0; i < TRACE; i++)
            sampler_harness_block(&feed, trace[i]);
        for (i = 0; i < feed.shared->nentry; i++) {
            if (sampler_harness_get(&got, feed.shared, i)) {
                seen[got.block[0]] += (double)got.count;
                total += (double)got.count;
            }
        }
        close_feed();
    }
    for (i = 0; i + 1 < TRACE; i++)
        expected[trace[i]] += total / (TRACE - 1);
    for (i = 0; i < 400; i++) {
        if (expected[i] > 0) {
            expected[ncell] = expected[i];
            seen[ncell++] = seen[i];
        }
    }
    return excess(seen, expected, ncell);
}

static void test_starts_follow_what_runs(void **state)
{
    (void)state;
    assert_true(block_excess("lengths=2:1,identity=sequence,f=9,ones=text", 100,
                    SAMPLER_HARNESS_RIGHT) < TOO_MUCH);
    assert_true(block_excess("lengths=2:1,identity=sequence,f=2,memory=8k,ones=text",
                    200, SAMPLER_HARNESS_RIGHT) < 2 * TOO_MUCH);
    assert_false(block_excess("lengths=2:1,identity=sequence,f=2,ones=text", 100,
                     SAMPLER_HARNESS_EVEN) < TOO_MUCH);
}

/* --- estimates are unbiased ------------------------------------------------------------------------------ */

/* Of the trace, subpaths up to rotation, and how often they ran. */
struct truth {
    uint32_t row[TROD_ONLINE_LONGEST], n;
    double ran;
    double sum, squares;   /* of estimates */
    double worth;          /* of a sample, at last */
    uint32_t nheld, nseen; /* estimates, and those within their bounds */
};

static struct truth truths[24];

static void find_truth(struct truth *out, uint32_t at, uint32_t n)
{
    uint32_t row[TROD_ONLINE_LONGEST], i;

    memset(out, 0, sizeof *out);
    out->n = n;
    rotate_to(out->row, trace + at, n, __trod_sampler_least(trace + at, n));
    for (i = 0; i + n <= TRACE; i++) {
        rotate_to(row, trace + i, n, __trod_sampler_least(trace + i, n));
        out->ran += !memcmp(row, out->row, n * sizeof *row);
    }
}

/* Some subpaths of each length, rare ones and frequent ones; before them, of no length, all blocks. */
static uint32_t find_truths(const uint32_t *lengths, uint32_t nlength, uint32_t each)
{
    uint32_t i, j, n = 1;

    memset(truths, 0, sizeof *truths);
    for (i = 0; i < nlength; i++)
        for (j = 0; j < each; j++)
            find_truth(truths + n++, 5 + 397 * j, lengths[i]);
    return n;
}

/* Of all blocks, those whose samples can end. */
static double estimate_all(double *ran)
{
    static struct sampled got;
    double estimate;
    uint32_t i;

    estimate = (double)feed.shared->nonce * feed.s->f;
    for (i = 0, *ran = 0; i <= feed.shared->longest; i++)
        *ran += trod_online_chance(feed.shared, i) * (TRACE - i + 1);
    for (i = 0; i < feed.shared->nentry; i++)
        if (sampler_harness_get(&got, feed.shared, i))
            estimate += (double)got.count * feed.shared->frequency[got.level];
    return estimate;
}

static void note_estimate(struct truth *t, double confidence_error)
{
    static struct sampled got;
    double estimate = 0;

    if (!t->n) {
        estimate = estimate_all(&t->ran);
    } else if (sampler_harness_find(&got, feed.shared, t->row, t->n)) {
        estimate = sampler_harness_estimate(feed.shared, &got);
        t->nseen++;
        t->nheld += fabs(estimate - t->ran) <=
                    estimate * sqrt(confidence_error / (double)got.count);
    }
    t->worth = feed.s->f / (t->n ? trod_online_chance(feed.shared, t->n) : 1);
    t->sum += estimate;
    t->squares += estimate * estimate;
}

static void estimate_often(const char *options, uint32_t ntruth, uint32_t seeds,
    enum sampler_harness_fault fault)
{
    uint32_t seed, i;

    for (seed = 1; seed <= seeds; seed++) {
        open_feed(options, seed);
        feed.fault = fault;
        for (i = 0; i < TRACE; i++)
            sampler_harness_block(&feed, trace[i]);
        for (i = 0; i < ntruth; i++)
            note_estimate(truths + i, -6 * log(0.05));
        if (fault == SAMPLER_HARNESS_RIGHT)
            close_feed();
        else
            sampler_harness_close(&feed);
    }
}

/* Of the mean of estimates, the standard error: as they are spread or, if that is more because they are too few to
 * tell, as samples of such worth are.
 */
static double error_of(const struct truth *t, uint32_t seeds)
{
    double mean = t->sum / seeds;

    return sqrt(
        fmax(t->squares / seeds - mean * mean, t->ran * (t->worth - 1)) / seeds);
}

/* The farthest that the mean of a subpath's estimates is from the truth, in its standard errors. */
static double worst_bias(const char *options, const uint32_t *lengths, uint32_t nlength,
    uint32_t seeds, enum sampler_harness_fault fault)
{
    double worst = 0;
    uint32_t ntruth, i;

    make_trace(4321);
    ntruth = find_truths(lengths, nlength, 4);
    estimate_often(options, ntruth, seeds, fault);
    for (i = 0; i < ntruth; i++) {
        const struct truth *t = truths + i;
        double bias = fabs(t->sum / seeds - t->ran) / error_of(t, seeds);

        worst = bias > worst ? bias : worst;
    }
    return worst;
}

static const uint32_t powers[] = {2, 4, 8, 16, 32}, some[] = {2, 3, 5}, few[] = {4, 32};
static const char tight[] = "f=1,memory=8k,grow=2,ones=text";
static const char slow[] = "f=1,memory=8k,grow=1.3,ones=text";

static void test_estimates_are_unbiased(void **state)
{
    (void)state;
    assert_true(worst_bias("f=8,ones=text", powers, 5, 400, SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias(tight, powers, 5, 600, SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias("f=1,most=32,grow=4,ones=text", powers, 5, 600,
                    SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias(slow, powers, 5, 600, SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias("f=1,memory=16k,grow=5,lengths=inverse,longest=12,ones=text",
                    some, 3, 400, SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias("f=3,most=100,lengths=uniform,longest=6,ones=text", some, 3,
                    400, SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias("f=1,most=64,lengths=4:.25+32:.75,ones=text,grow=2", few, 2,
                    400, SAMPLER_HARNESS_RIGHT) < 4);
}

/* Where hashes are kept of what was sampled once: what is expected to be sampled m times is estimated too low, by
 * the chance that it is sampled once. All blocks are counted.
 */
static void test_what_was_sampled_once(void **state)
{
    uint32_t ntruth, i, seeds = 2000;

    (void)state;
    make_trace(4321);
    ntruth = find_truths(powers, 5, 4);
    estimate_often("f=8", ntruth, seeds, SAMPLER_HARNESS_RIGHT);
    for (i = 0; i < ntruth; i++) {
        const struct truth *t = truths + i;
        double chance = t->n ? 32.0 / 31 / t->n : 1, m = t->ran * chance / 8;
        double mean = t->sum / seeds, expected = t->ran;

        if (t->n) /* binomial: exactly one */
            expected -= m * pow(1 - chance / 8, t->ran - 1) * 8 / chance;
        assert_true(fabs(mean - expected) < 4 * error_of(t, seeds));
    }
    assert_true(worst_bias("f=1,memory=8k", powers, 0, 600, SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(
        worst_bias("f=1,memory=8k,grow=4", powers, 0, 600, SAMPLER_HARNESS_RIGHT) < 4);
    assert_false(worst_bias("f=8", powers, 5, 2000, SAMPLER_HARNESS_RIGHT) < 4);
}

static void test_planted_faults_are_biased(void **state)
{
    (void)state;
    assert_false(worst_bias("f=8,ones=text", powers, 5, 400, SAMPLER_HARNESS_LATE) < 4);
    assert_false(
        worst_bias("f=8,ones=text", powers, 5, 400, SAMPLER_HARNESS_ALONE) < 4);
    assert_false(worst_bias("f=1,most=32,grow=4,ones=text", powers, 5, 600,
                     SAMPLER_HARNESS_STALE) < 4);
    assert_false(worst_bias("f=1,most=64,lengths=4:.25+32:.75,ones=text,grow=2", few, 2,
                     400, SAMPLER_HARNESS_UNTHINNED) < 4);
}

/* --- bounds -------------------------------------------------------------------------------------------------- */

static double least_held(const char *options, uint32_t seeds)
{
    double least = 1;
    uint32_t ntruth, i;

    make_trace(99);
    ntruth = find_truths(powers, 5, 4);
    estimate_often(options, ntruth, seeds, SAMPLER_HARNESS_RIGHT);
    for (i = 0; i < ntruth; i++)
        if (truths[i].nseen > seeds / 2)
            least = fmin(least, (double)truths[i].nheld / truths[i].nseen);
    return least;
}

static void test_bounds_hold(void **state)
{
    (void)state;
    assert_true(least_held("f=16", 400) >= 0.95);
    assert_true(least_held(tight, 400) >= 0.95);
    /* Table 4.9, where ln 20 is 3. */
    assert_true(fabs(trod_online_error(109, 0.95, true) - 0.4064) < 5e-4);
    assert_true(fabs(trod_online_error(109, 0.95, false) - 0.2346) < 5e-4);
    assert_true(fabs(trod_online_error(109, 0.8, true) - 0.2976) < 1e-4);
    assert_true(fabs(trod_online_error(109, 0.8, false) - 0.1718) < 1e-4);
}

/* --- exact where nothing is left to chance -------------------------------------------------------------- */

static uint32_t count_in_trace(const uint32_t *row, uint32_t n, uint32_t from)
{
    uint32_t count = 0, i;

    for (i = from; i + n <= TRACE; i++)
        count += !memcmp(trace + i, row, n * sizeof *row);
    return count;
}

static void test_all_blocks_are_starts(void **state)
{
    static struct sampled got;
    uint32_t i;

    (void)state;
    make_trace(6);
    open_feed("f=1,lengths=5:1,identity=sequence,memory=1m", 1);
    for (i = 0; i < TRACE; i++)
        sampler_harness_block(&feed, trace[i]);
    for (i = 0; i < feed.shared->nentry; i++)
        if (sampler_harness_get(&got, feed.shared, i))
            assert_int_equal(got.count, count_in_trace(got.block, 5, 0));
    assert_int_equal(feed.shared->nsample, TRACE - 4);
    assert_int_equal(feed.s->kept, TRACE - 4);
    assert_int_equal(feed.s->npending, 4);
    close_feed();
}

/* With the greatest numbers, and the longest subpaths, as text. */
static void test_text(void **state)
{
    static struct sampled got;
    uint32_t i;

    (void)state;
    open_feed("f=1,lengths=1024:1,identity=sequence,memory=1m,ones=text", 1);
    for (i = 0; i < 1030; i++)
        sampler_harness_block(&feed, i & 1 ? UINT32_C(0x7fffffff) : i);
    assert_true(sampler_harness_get(&got, feed.shared, 0));
    assert_int_equal(got.length, 1024);
    for (i = 0; i < 1024; i++)
        assert_int_equal(got.block[i], i & 1 ? UINT32_C(0x7fffffff) : i);
    close_feed();
}

static void test_xor_counts_together(void **state)
{
    static const uint32_t loop[] = {
        10, 11, 11, 12, 0, 0, 0, 0, 10, 13, 13, 12, 0, 0, 0, 0};
    static struct sampled got;
    uint32_t i, count = 0;

    (void)state;
    open_feed("f=1,lengths=4:1,identity=xor", 1);
    for (i = 0; i < 163; i++)
        sampler_harness_block(&feed, loop[i % 16]);
    for (i = 0; i < feed.shared->nentry; i++)
        if (sampler_harness_get(&got, feed.shared, i) && got.block[0] == 10 &&
            got.block[3] == 12)
            count += (uint32_t)got.count;
    assert_int_equal(count, 20);
    close_feed();
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

/* Around what it has there are pages that nobody may touch; the validator knows the sum. */
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
        drawn = way;
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
    open_feed("f=1,memory=8k,grow=1.1,lengths=2:1", 1);
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
        drawn = seed;
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
        cmocka_unit_test(test_gaps_are_geometric),
        cmocka_unit_test(test_first_look),
        cmocka_unit_test(test_logarithms),
        cmocka_unit_test(test_thinning_is_binomial),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_starts_are_uniform),
        cmocka_unit_test(test_starts_follow_what_runs),
        cmocka_unit_test(test_estimates_are_unbiased),
        cmocka_unit_test(test_what_was_sampled_once),
        cmocka_unit_test(test_planted_faults_are_biased),
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_all_blocks_are_starts),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_xor_counts_together),
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
