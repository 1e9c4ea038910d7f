/* The sampler's statistics: random gaps and lengths, uniform starts, unbiased estimates, bounds. Seeds are fixed, so
 * a test that passes passes always; each has a planted fault that must fail. Bounds are such that a correct
 * sampler would fail with one seed of 10000 or fewer.
 */
#include "kit/sampler_feed.h"

#include <math.h>

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

/* Between the first look and least-f, samples at the current f grow with its square root: samples so far, with the third root of
 * what ran.
 */
static void test_f_is_raised_slowly(void **state)
{
    uint64_t nsample[3] = {0};
    uint32_t k, i = 0;

    (void)state;
    open_feed("f=4,least-f=1k,most=1m", 1);
    for (k = 0; k < 3; k++) {
        for (; i < UINT32_C(64000) << 3 * k; i++)
            sampler_harness_block(&feed, i % 7);
        nsample[k] = feed.s->shared->nsample;
        assert_true(feed.s->f < 1024);
        assert_true(fabs(feed.s->seen * feed.s->f / i - 1) < 0.1);
        assert_true(feed.s->seen < 512 * sqrt(feed.s->f / 4));
        assert_true(feed.s->seen > 0.7 * 512 * sqrt(feed.s->f / 4));
    }
    assert_true(fabs((double)nsample[1] / (double)nsample[0] - 2) < 0.3);
    assert_true(fabs((double)nsample[2] / (double)nsample[1] - 2) < 0.3);
    close_feed();
}

/* Compare what thinning leaves of a count with the binomial distribution. */
static double thin_excess(const char *options, double grow, uint32_t count)
{
    double seen[101] = {0}, expected[101], p = 1 / grow;
    uint32_t i, low = 0, high = count, draws = 40000;

    open_feed(options, 9);
    for (i = 0; i < draws; i++)
        seen[__trod_sampler_thin(feed.s, count)]++;
    close_feed();
    for (i = 0; i <= count; i++)
        expected[i] =
            draws * exp(lgamma(count + 1.0) - lgamma(i + 1.0) -
                        lgamma(count - i + 1.0) + i * log(p) + (count - i) * log1p(-p));
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
        "lengths=2:.5+32:.5,identity=sequence,f=2,memory=8k,hold=1"};
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
    assert_true(
        block_excess("lengths=2:1,identity=sequence,f=2,memory=8k,ones=text,hold=1",
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
    double hold;           /* of those, what the first stands for */
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

/* What f is to be from time to time; 0: the end. */
static const double *aims;

static double heaviest(void)
{
    double f = 0;

    for (uint32_t i = 0; aims && aims[i] > 0; i++)
        f = fmax(f, aims[i]);
    return f;
}

/* The sum over levels. */
static double estimate_of(const struct truth *t)
{
    static struct sampled got;
    double estimate = 0;
    uint32_t i;

    for (i = 0; i < feed.shared->nentry; i++)
        if (sampler_harness_entry(feed.shared, i)->length == t->n &&
            sampler_harness_get(&got, feed.shared, i) &&
            !memcmp(got.block, t->row, t->n * sizeof *t->row)) {
            if (feed.fault == SAMPLER_HARNESS_FORGETTING)
                got.count -= feed.s->hold - 1;
            estimate += sampler_harness_estimate(feed.shared, &got);
        }
    return estimate;
}

static void note_estimate(struct truth *t, double confidence_error)
{
    double estimate = t->n ? estimate_of(t) : estimate_all(&t->ran);

    t->hold = feed.s->hold;
    t->worth = fmax(feed.s->f, heaviest()) /
               (t->n ? trod_online_chance(feed.shared, t->n) : 1);
    if (t->n && estimate > 0) {
        t->nseen++;
        t->nheld += fabs(estimate - t->ran) <=
                    estimate * sqrt(confidence_error / (estimate / t->worth));
    }
    t->sum += estimate;
    t->squares += estimate * estimate;
}

static void aim(uint32_t at)
{
    enum { EVERY = 97 };
    uint32_t n = 1;

    if (!aims || at % EVERY)
        return;
    while (aims[n] > 0)
        n++;
    sampler_harness_aim(&feed, aims[at / EVERY % n]);
}

static void estimate_often(const char *options, uint32_t ntruth, uint32_t seeds,
    enum sampler_harness_fault fault)
{
    uint32_t seed, i;

    for (seed = 1; seed <= seeds; seed++) {
        open_feed(options, seed);
        feed.fault = fault;
        for (i = 0; i < TRACE; i++) {
            aim(i);
            sampler_harness_block(&feed, trace[i]);
        }
        for (i = 0; i < ntruth; i++)
            note_estimate(truths + i, -6 * log(0.05));
        if (fault == SAMPLER_HARNESS_RIGHT)
            close_feed();
        else
            sampler_harness_close(&feed);
    }
}

/* The standard error of the mean of estimates: from their spread or, if that is too small because there are few of
 * them, from the spread of samples of this weight.
 */
static double error_of(const struct truth *t, uint32_t seeds)
{
    double mean = t->sum / seeds;

    return sqrt(
        fmax(t->squares / seeds - mean * mean, t->ran * (t->worth * t->hold - 1)) /
        seeds);
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
static const char held[] =
    "f=1,memory=12k,ones=text"; /* hold rises, and after that f */

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

static double worst_bias_at(const double *f, const char *options, uint32_t nlength,
    uint32_t seeds, enum sampler_harness_fault fault)
{
    double worst;

    aims = f;
    worst = worst_bias(options, powers, nlength, seeds, fault);
    aims = NULL;
    return worst;
}

/* Memory is full of what was sampled once: less and less of it is taken in, and counts stand for what was passed by. While f is
 * low at first, too.
 */
static void test_estimates_are_unbiased_while_held(void **state)
{
    (void)state;
    assert_true(worst_bias(held, powers, 5, 600, SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias("f=4,memory=8k,ones=text,hold=2", powers, 5, 600,
                    SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias("f=1,memory=8k,ones=text,hold=1", powers, 5, 600,
                    SAMPLER_HARNESS_RIGHT) < 4);
    assert_true(worst_bias("f=2,least-f=64,ones=text,memory=64k", powers, 5, 600,
                    SAMPLER_HARNESS_RIGHT) < 4);
    assert_false(worst_bias(held, powers, 5, 600, SAMPLER_HARNESS_FORGETTING) < 4);
    assert_false(worst_bias(tight, powers, 5, 600, SAMPLER_HARNESS_EAGER) < 4);
}

/* The mean over seeds of a frequent subpath's squared relative error. */
static double error_of_frequent(const char *options, uint32_t seeds)
{
    double sum = 0;
    uint32_t seed, i;

    for (seed = 1; seed <= seeds; seed++) {
        uint32_t x = seed;
        double error;

        open_feed(options, seed);
        for (i = 0; i < 60000; i++) {
            x = x * UINT32_C(1103515245) + 12345;
            sampler_harness_block(&feed, i % 10 < 2 ? i % 10 : 10 + (x >> 8) % 4000);
        }
        memset(truths, 0, sizeof *truths);
        truths[0] = (struct truth){.row = {0, 1}, .n = 2, .ran = 6000};
        error = estimate_of(truths) / truths[0].ran - 1;
        sum += error * error;
        close_feed();
    }
    return sum / seeds;
}

/* What it is for: with the same memory, what is hot is known better. */
static void test_hold_makes_hot_estimates_better(void **state)
{
    (void)state;
    assert_true(error_of_frequent("f=4,memory=8k,lengths=2:1", 60) <
                0.5 * error_of_frequent("f=4,memory=8k,lengths=2:1,hold=1", 60));
}

/* f goes up and down, as a budget makes it, also while samples are pending. A gap that is not drawn anew is too long when f
 * was lowered, and as much too short when it was raised: only where it falls all the time does that show.
 */
static void test_estimates_are_unbiased_at_any_f(void **state)
{
    static const double turns[] = {4, 12, 2, 30, 9, 3, 0};
    static const double falls[] = {300, 300, 300, 300, 300, 288, 230, 184, 147, 117, 94,
        75, 60, 48, 38, 30, 24, 19, 15, 12, 9, 7, 6, 5, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2,
        2, 2, 2, 2, 2, 2, 2, 0};
    static const char roomy[] = "f=4,least-f=2,ones=text,memory=64k,grow=1.25";
    static const char high[] = "f=300,least-f=2,ones=text,memory=64k,grow=1.25";
    static const char close[] = "f=4,least-f=2,ones=text,memory=8k,grow=1.5";
    enum sampler_harness_fault none = SAMPLER_HARNESS_RIGHT;

    (void)state;
    assert_true(worst_bias_at(turns, roomy, 5, 400, none) < 4);
    assert_true(worst_bias_at(turns, close, 5, 600, none) < 4);
    assert_true(worst_bias_at(falls, high, 5, 600, none) < 4);
    assert_true(worst_bias_at(turns, "f=4,least-f=2,memory=8k", 0, 600, none) < 4);
    assert_false(worst_bias_at(falls, high, 5, 600, SAMPLER_HARNESS_STALE) < 4);
    assert_false(worst_bias_at(turns, roomy, 5, 400, SAMPLER_HARNESS_FLAT) < 4);
    assert_false(worst_bias_at(turns, roomy, 5, 400, SAMPLER_HARNESS_UNTHINNED) < 4);
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
    assert_true(least_held(held, 400) >= 0.95);
    /* Table 4.9, where ln 20 is 3. */
    assert_true(fabs(trod_online_error(109, 0.95, true) - 0.4064) < 5e-4);
    assert_true(fabs(trod_online_error(109, 0.95, false) - 0.2346) < 5e-4);
    assert_true(fabs(trod_online_error(109, 0.8, true) - 0.2976) < 1e-4);
    assert_true(fabs(trod_online_error(109, 0.8, false) - 0.1718) < 1e-4);
}

/* --- exact where nothing is left to chance -------------------------------------------------------------- */

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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gaps_are_geometric),
        cmocka_unit_test(test_first_look),
        cmocka_unit_test(test_f_is_raised_slowly),
        cmocka_unit_test(test_logarithms),
        cmocka_unit_test(test_thinning_is_binomial),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_starts_are_uniform),
        cmocka_unit_test(test_starts_follow_what_runs),
        cmocka_unit_test(test_estimates_are_unbiased),
        cmocka_unit_test(test_estimates_are_unbiased_while_held),
        cmocka_unit_test(test_hold_makes_hot_estimates_better),
        cmocka_unit_test(test_estimates_are_unbiased_at_any_f),
        cmocka_unit_test(test_what_was_sampled_once),
        cmocka_unit_test(test_planted_faults_are_biased),
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_all_blocks_are_starts),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_xor_counts_together),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
