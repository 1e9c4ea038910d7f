/* Bursts: options, chance, triggers, and a budget. Statistics have fixed seeds, so a test that passes passes
 * always; bounds are of four standard deviations, and each must be missed by a plan of another rate.
 */
#include "kit/burst_model.h"

#include <math.h>

#include "trod/burst.h"

static struct burst_model feed;

static void open_feed(const char *options, uint64_t seed)
{
    const char *why = burst_model_open(&feed, options, seed);

    if (why)
        fail_msg("%s: %s", options, why);
    burst_model_drawn = seed * 977 + 5;
}

/* --- options ------------------------------------------------------------------------------------- */

static struct trod_burst_options parsed;

static const char *parse(const char *text)
{
    const char *why;

    __trod_burst_options_default(&parsed);
    return __trod_burst_options_parse(&parsed, text, &why) ? NULL : why;
}

static void test_options(void **state)
{
    (void)state;
    assert_null(parse(""));
    assert_int_equal(parsed.types, 15);
    assert_int_equal(parsed.trigger, TROD_BURST_COUNT);
    assert_int_equal(parsed.period, TROD_BURST_JITTER);
    assert_int_equal(parsed.rate[TROD_BURST_CALLS], 1000);
    assert_int_equal(parsed.burst[TROD_BURST_CALLS], 1);
    assert_int_equal(parsed.burst[TROD_BURST_STREAMS], 100);
    assert_int_equal(parsed.most, 256 << 20);

    assert_null(
        parse("types=streams+handler,rate=1/50,rate.streams=7,burst.handler=3,"
              "burst=9,words=1,period=prime,hz=100,seed=18446744073709551615,most=3k"));
    assert_int_equal(parsed.types, 1 << TROD_BURST_STREAMS | 1 << TROD_BURST_HANDLER);
    assert_int_equal(parsed.rate[TROD_BURST_STREAMS], 7);
    assert_int_equal(parsed.rate[TROD_BURST_HANDLER], 50);
    assert_int_equal(parsed.burst[TROD_BURST_STREAMS], 9);
    assert_int_equal(parsed.burst[TROD_BURST_HANDLER], 3);
    assert_int_equal(parsed.words, 1);
    assert_int_equal(parsed.period, TROD_BURST_PRIME);
    assert_int_equal(parsed.hz, 100);
    assert_true(parsed.has_seed && parsed.seed == UINT64_MAX);
    assert_int_equal(parsed.most, 3072);

    assert_null(parse("types=time,rate.time=9"));
    assert_int_equal(parsed.types, 1 << TROD_BURST_PATHS | 1 << TROD_BURST_TIME);
    assert_int_equal(parsed.rate[TROD_BURST_TIME], 9);
}

/* Metrics imply time, and time paths; each is there once. */
static void test_metrics(void **state)
{
    const char *why;

    (void)state;
    assert_null(parse(""));
    assert_int_equal(parsed.nmetric, 0);
    assert_null(
        parse("types=calls,metrics=page-faults+L1-dcache-load-misses+page-faults"));
    assert_int_equal(parsed.types,
        1 << TROD_BURST_CALLS | 1 << TROD_BURST_PATHS | 1 << TROD_BURST_TIME);
    assert_int_equal(parsed.nmetric, 2);
    assert_int_equal(parsed.metric[0], TROD_METER_PAGE_FAULTS);
    assert_int_equal(parsed.metric[1], TROD_METER_L1D);
    assert_null(parse("metrics=cycles+instructions+branches+branch-misses"));
    assert_int_equal(parsed.nmetric, TROD_RT_METRICS);
    assert_null(parse("metrics=cycles,metrics=none"));
    assert_int_equal(parsed.nmetric, 0);
    assert_int_equal(parsed.types, 15);
    assert_non_null(
        parse("metrics=cycles+instructions+branches+branch-misses+bus-cycles"));

    /* At run time, others; in a program that was built for some. */
    assert_null(parse("types=paths,metrics=cycles"));
    assert_true(__trod_burst_options_again(&parsed, "metrics=page-faults", &why));
    assert_int_equal(parsed.metric[0], TROD_METER_PAGE_FAULTS);
    assert_true(__trod_burst_options_again(&parsed, "types=paths", &why));
    assert_int_equal(parsed.types, 1 << TROD_BURST_PATHS);
    assert_null(parse("types=paths+time"));
    assert_false(__trod_burst_options_again(&parsed, "metrics=cycles,rate=3", &why));
    assert_int_equal(parsed.nmetric, 0);
    assert_int_equal(parsed.rate[TROD_BURST_TIME], 3);
}

static void test_budgets(void **state)
{
    static const struct {
        const char *text;
        uint32_t budget, trigger;
    } of[] = {
        {"budget=2%", 20000, TROD_BURST_FLAG},
        {"budget=0.02", 20000, TROD_BURST_FLAG},
        {"budget=0.5%", 5000, TROD_BURST_FLAG},
        {"budget=3%", 30000, TROD_BURST_COUNT},
        {"budget=12.345%", 123450, TROD_BURST_COUNT},
        {"budget=2%,trigger=count", 20000, TROD_BURST_COUNT},
        {"trigger=flag,budget=50%", 500000, TROD_BURST_FLAG},
        {"budget=1", 1000000, TROD_BURST_COUNT},
        {"budget=0", 0, TROD_BURST_COUNT},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof of / sizeof *of; i++) {
        assert_null(parse(of[i].text));
        assert_int_equal(parsed.budget, of[i].budget);
        assert_int_equal(parsed.trigger, of[i].trigger);
    }
}

static void test_wrong_options(void **state)
{
    static const char *const wrong[] = {"rate", "rate=0", "rate=1/0", "rate=1/",
        "rate=x", "rate=100000001", "burst=0", "burst=1000001", "burst=1.5",
        "types=", "types=paths+", "types=path", "types=paths,calls", "trigger=timer",
        "period=random", "words=2", "words=17", "hz=0", "hz=10001", "budget=101%",
        "budget=1.1", "budget=2%%", "budget=%", "budget=-1%",
        "seed=18446744073709551616", "seed=-1", "most=1t", "most=1125899906842625",
        "metrics=", "metrics=cycles+", "metrics=cycle", "metrics=time",
        "metrics=Cycles", "metrics=none+cycles", "metrics.time=cycles", "rate.all=3",
        "hz.paths=3", "=3", "size=3", ",,", "rate=5,,"};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (!parse(wrong[i]))
            fail_msg("%s is taken", wrong[i]);
    assert_non_null(parse("rate=5,hz=0"));
    assert_int_equal(parsed.rate[0], 1000);
}

/* At run time: what the program does not have stays out. */
static void test_again(void **state)
{
    const char *why;

    (void)state;
    assert_null(parse("types=paths+calls,words=1,burst.calls=5"));
    assert_true(
        __trod_burst_options_again(&parsed, "burst=2,rate=9,types=calls", &why));
    assert_int_equal(parsed.types, 1 << TROD_BURST_CALLS);
    assert_int_equal(parsed.burst[TROD_BURST_CALLS], 5);
    assert_int_equal(parsed.burst[TROD_BURST_PATHS], 2);

    assert_null(parse("types=paths+calls"));
    assert_false(
        __trod_burst_options_again(&parsed, "types=calls+trips,words=1,rate=3", &why));
    assert_non_null(why);
    assert_int_equal(parsed.types, 1 << TROD_BURST_CALLS);
    assert_int_equal(parsed.words, 16);
    assert_int_equal(parsed.rate[TROD_BURST_CALLS], 3);

    assert_null(parse("trigger=flag"));
    assert_false(__trod_burst_options_again(&parsed, "trigger=count", &why));
    assert_int_equal(parsed.trigger, TROD_BURST_FLAG);
    assert_true(__trod_burst_options_again(&parsed, "trigger=always", &why));
    assert_int_equal(parsed.trigger, TROD_BURST_ALWAYS);

    assert_null(parse("trigger=always"));
    assert_true(__trod_burst_options_again(&parsed, "trigger=count,budget=1%", &why));
    assert_int_equal(parsed.trigger, TROD_BURST_COUNT);
    assert_false(__trod_burst_options_again(&parsed, "trigger=flag", &why));
    assert_false(__trod_burst_options_again(&parsed, "nonsense", &why));
}

static void test_check(void **state)
{
    struct trod_burst_build build;

    (void)state;
    assert_null(trod_burst_check("types=trips,budget=1%,words=1", &build));
    assert_int_equal(build.types, 1 << TROD_BURST_TRIPS);
    assert_int_equal(build.trigger, TROD_BURST_FLAG);
    assert_int_equal(build.words, 1);
    assert_int_equal(build.metrics, 0);
    assert_null(trod_burst_check("metrics=cycles+page-faults", &build));
    assert_int_equal(build.metrics, 2);
    assert_null(trod_burst_check("", NULL));
    assert_non_null(trod_burst_check("rate=none", NULL));
    assert_true(trod_burst_name("") == UINT64_C(0xcbf29ce484222325));
    assert_true(trod_burst_name("a") == UINT64_C(0xaf63dc4c8601ec8c));
}

/* --- chance ------------------------------------------------------------------------------------------ */

enum { EVENTS = 400000 };

/* A program of loops and calls: 40 places, some of them hot, each with a word. How often each was on. */
enum { PLACES = 40 };
static uint64_t ran[PLACES], was_on[PLACES][TROD_BURST_TYPES];

static void run(uint64_t n)
{
    uint64_t i, turn = 0, left = 0;
    unsigned activation = 0;

    memset(ran, 0, sizeof ran);
    memset(was_on, 0, sizeof was_on);
    for (i = 0; i < n; i++) {
        uint64_t place;
        int t;

        if (left == 0) {
            turn = burst_model_draw(PLACES);
            left = 1 + burst_model_draw(turn % 5 ? 3 : 60);
            activation = (unsigned)burst_model_draw(BURST_MODEL_ACTIVATIONS);
        }
        left--;
        place = turn;
        burst_model_event(
            &feed, (unsigned)(place * 7 % feed.options.words), activation);
        ran[place]++;
        for (t = 0; t < TROD_BURST_TYPES; t++)
            was_on[place][t] += feed.mask >> t & 1;
    }
}

static uint64_t all_on(int t)
{
    uint64_t n = 0;
    int i;

    for (i = 0; i < PLACES; i++)
        n += was_on[i][t];
    return n;
}

/* Bursts are at most as irregular as where each event begins one for itself; where they are regular, what is
 * at the ends of words is all.
 */
static double deviation(double n, int t)
{
    double burst = (double)feed.options.burst[t],
           all = burst * (double)feed.options.rate[t];
    double part = feed.options.period == TROD_BURST_GEOMETRIC ? 1
                  : feed.options.period == TROD_BURST_JITTER  ? 1.0 / 12
                                                              : 0;

    return burst * sqrt(part * n / all) + burst * sqrt((double)feed.options.words) / 3;
}

static void expect_frequency(const char *options, int t)
{
    double n = EVENTS,
           all = (double)(feed.shared.type[t].burst + feed.shared.type[t].sparsity);
    double want = n * (double)feed.shared.type[t].burst / all, got = (double)all_on(t);
    double bound = 4 * deviation(n, t);

    if (fabs(got - want) > bound)
        fail_msg("%s: type %d: %.0f events are on, not %.0f, %.0f more or less",
            options, t, got, want, bound);
    if (bound < want / 4 && fabs(got * 1.5 - want) <= bound)
        fail_msg("%s: type %d: the bound is of no use", options, t);
}

static void test_frequency(void **state)
{
    static const char *const periods[] = {"fixed", "prime", "jitter", "geometric"};
    static const char *const rates[] = {"rate=2", "rate=10", "rate=100",
        "rate=50,burst=10", "rate=7,burst=3", "rate=1",
        "rate=100,burst=2,rate.streams=20,burst.streams=30,rate.calls=3,types=paths+calls+streams"};
    size_t i, j;
    int words, t;

    (void)state;
    for (i = 0; i < sizeof periods / sizeof *periods; i++) {
        for (j = 0; j < sizeof rates / sizeof *rates; j++) {
            for (words = 1; words <= 16; words += 15) {
                char options[200];

                snprintf(options, sizeof options, "%s,period=%s,words=%d", rates[j],
                    periods[i], words);
                open_feed(options, i * 100 + j * 2 + (words > 1));
                run(EVENTS);
                for (t = 0; t < TROD_BURST_TYPES; t++)
                    if (feed.options.types >> t & 1)
                        expect_frequency(options, t);
            }
        }
    }
}

/* Estimates of each place by itself: as many as ran. Four deviations are missed by one place of 16000. */
static void test_weights(void **state)
{
    static const char *const options[] = {"rate=20", "rate=20,period=geometric",
        "rate=20,period=prime", "rate=20,burst=7", "rate=20,burst=7,period=prime",
        "rate=13,words=1"};
    size_t i, j;

    (void)state;
    for (i = 0; i < sizeof options / sizeof *options; i++) {
        open_feed(options[i], 40 + i);
        run(2000000);
        for (j = 0; j < PLACES; j++) {
            double weight =
                (double)(feed.shared.type[0].burst + feed.shared.type[0].sparsity) /
                (double)feed.shared.type[0].burst;
            double burst = (double)feed.options.burst[0], n = (double)ran[j];
            double got = (double)was_on[j][0] * weight;
            double bound = 4 * sqrt(n * weight * burst) + 4 * weight;

            if (fabs(got - n) > bound)
                fail_msg("%s: place %zu: %.0f, not %.0f, %.0f more or less", options[i],
                    j, got, n, bound);
        }
    }
}

/* Weights as they were in force, where they change from burst to burst. */
static void test_changing_weights(void **state)
{
    double sum = 0;
    int i, n = 1000000;

    (void)state;
    open_feed("rate=2,burst=10,period=prime", 3);
    assert_int_equal(feed.shared.type[0].sparsity, 13);
    for (i = 0; i < n; i++)
        if (burst_model_event(&feed, (unsigned)burst_model_draw(16), 0))
            sum += (double)feed.shared.type[0].weight;
    assert_true(fabs(sum / n - 1) < 0.01);
}

/* What threads of a few events each add up to. */
static void test_short_threads(void **state)
{
    static const char *const options[] = {"rate=100", "rate=50,burst=20",
        "rate=50,period=geometric", "rate=50,burst=5,period=fixed",
        "rate=20,burst=9,period=prime"};
    enum { THREADS = 30000, LENGTH = 40 };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof options / sizeof *options; i++) {
        double want = 0, got = 0, first = 0, bound;
        int thread, at;

        for (thread = 0; thread < THREADS; thread++) {
            open_feed(options[i], (uint64_t)thread * 31 + 1000 * i);
            for (at = 0; at < LENGTH; at++) {
                bool on =
                    burst_model_event(&feed, (unsigned)burst_model_draw(16), 0) & 1;

                got += on;
                first += on && at == 0;
            }
        }
        want = (double)feed.shared.type[0].burst /
               (double)(feed.shared.type[0].burst + feed.shared.type[0].sparsity);
        bound = 4 * sqrt(want * THREADS) + 1;
        if (fabs(first - want * THREADS) > bound)
            fail_msg("%s: %.0f first events are on, not %.0f", options[i], first,
                want * THREADS);
        bound = 4 * sqrt(want * THREADS * LENGTH * (double)feed.shared.type[0].burst);
        if (fabs(got - want * THREADS * LENGTH) > bound)
            fail_msg("%s: %.0f events are on, not %.0f", options[i], got,
                want * THREADS * LENGTH);
    }
}

/* The classic: every so many-th, from the first. */
static void test_fixed(void **state)
{
    int i;

    (void)state;
    open_feed("period=fixed,words=1,rate=17", 99);
    for (i = 1; i < 5000; i++)
        assert_int_equal(burst_model_event(&feed, 0, 0) != 0, i % 17 == 0);
    open_feed("period=prime,words=1,rate=20,burst=3", 98);
    assert_int_equal(feed.shared.type[0].sparsity, 58);
    for (i = 0; i < 5000; i++)
        assert_int_equal(burst_model_event(&feed, 0, 0) != 0, i % 61 >= 58);
}

/* Without memory: what is off between bursts is geometric, in each of its bins. */
static void test_geometric(void **state)
{
    static const char *const options[] = {
        "rate=2", "rate=3", "rate=20", "rate=5000", "rate=9000"};
    enum { DRAWS = 200000, BINS = 12 };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof options / sizeof *options; i++) {
        char text[60];
        double bin[BINS] = {0}, off, before = 1;
        int k;

        snprintf(text, sizeof text, "%s,period=geometric", options[i]);
        open_feed(text, 7 + i);
        off = (double)feed.plan.group[0].sparsity;
        for (k = 0; k < DRAWS; k++) {
            double wait = (double)__trod_burst_draw(&feed.plan, feed.plan.group);
            int at = (int)(wait / (off + 1) * 4);

            bin[at < BINS ? at : BINS - 1]++;
        }
        for (k = 0; k < BINS; k++) {
            double least = ceil((k + 1) * (off + 1) / 4);
            double behind = k + 1 < BINS ? pow(off / (off + 1), least) : 0;
            double want = (before - behind) * DRAWS;

            if (fabs(bin[k] - want) > 4 * sqrt(want) + 1)
                fail_msg("%s: bin %d: %.0f, not %.0f", options[i], k, bin[k], want);
            before = behind;
        }
    }
}

static void test_primes(void **state)
{
    (void)state;
    assert_int_equal(__trod_burst_next_prime(0), 2);
    assert_int_equal(__trod_burst_next_prime(14), 17);
    assert_int_equal(__trod_burst_next_prime(1000), 1009);
    assert_int_equal(__trod_burst_next_prime(1000000), 1000003);
    assert_int_equal(__trod_burst_next_prime(49), 53);
}

/* --- groups, triggers ---------------------------------------------------------------------------------- */

/* Types of one rate and burst are on together. */
static void test_groups(void **state)
{
    int i;

    (void)state;
    open_feed("types=paths+methods+calls+streams,rate=10,rate.calls=4", 5);
    assert_int_equal(feed.plan.ngroup, 3);
    for (i = 0; i < 10000; i++) {
        burst_model_event(&feed, (unsigned)i % 16, 0);
        assert_int_equal(
            feed.mask >> TROD_BURST_PATHS & 1, feed.mask >> TROD_BURST_METHODS & 1);
    }
    assert_int_equal(feed.shared.type[TROD_BURST_TRIPS].nevent, 0);
    assert_int_equal(feed.shared.types, feed.options.types);
}

static void test_always_and_never(void **state)
{
    int i;

    (void)state;
    open_feed("trigger=always,types=calls+handler", 5);
    for (i = 0; i < 1000; i++)
        assert_int_equal(burst_model_event(&feed, (unsigned)i % 16, (unsigned)i % 3),
            1 << TROD_BURST_CALLS | 1 << TROD_BURST_HANDLER);
    assert_int_equal(feed.shared.type[TROD_BURST_CALLS].nevent, 1000);
    assert_int_equal(feed.shared.type[TROD_BURST_CALLS].weight, 1);

    open_feed("trigger=never", 5);
    for (i = 0; i < 1000; i++)
        assert_int_equal(burst_model_event(&feed, (unsigned)i % 16, 0), 0);
    assert_int_equal(feed.shared.nevent, 0);
    assert_true(feed.skip[3] > INT64_MAX / 4);
    /* A thread may come before its words were set. */
    assert_int_equal(__trod_burst_event(&feed.plan, 3, false), 0);
}

static unsigned char flag;
static uint32_t ticks;

static void open_flag(const char *options)
{
    const char *why;

    memset(&feed, 0, sizeof feed);
    __trod_burst_options_default(&feed.options);
    if (!__trod_burst_options_parse(&feed.options, options, &why))
        fail_msg("%s", why);
    feed.plan.clock = burst_model_clock;
    feed.plan.flag = &flag;
    feed.plan.ticks = &ticks;
    __trod_burst_open(&feed.plan, &feed.options, &feed.shared, feed.skip, 11);
}

static void tick(void)
{
    ticks++;
    flag = 1;
}

/* An event of a program that looks at a flag. */
static uint64_t *own_of_flag(void)
{
    static uint64_t own;

    return &own;
}

static uint64_t flag_event(void)
{
    uint64_t *own = own_of_flag();

    if (*own || flag)
        *own = __trod_burst_event(&feed.plan, 0, *own != 0);
    return *own;
}

/* A tick is one burst, some events later, and the flag is down when it is over. */
static void test_flag(void **state)
{
    uint64_t on = 0, delays[2] = {0, 0};
    int i, k;

    (void)state;
    *own_of_flag() = 0;
    open_flag("trigger=flag,burst=3,types=paths+streams,burst.streams=5");
    for (i = 0; i < 200; i++) {
        int waited = 0, length[2] = {0, 0};

        for (k = 0; k < 10; k++)
            assert_int_equal(flag_event(), 0);
        tick();
        while (flag_event() == TROD_BURST_WAIT)
            waited++;
        assert_true(waited < 128);
        delays[waited >= 64]++;
        for (; *own_of_flag(); flag_event()) {
            length[0] += *own_of_flag() & 1;
            length[1] += *own_of_flag() >> TROD_BURST_STREAMS & 1;
        }
        assert_int_equal(length[0], 3);
        assert_int_equal(length[1], 5);
        assert_int_equal(flag, 0);
        on += 3;
    }
    assert_int_equal(feed.shared.type[0].nburst, 200);
    assert_int_equal(feed.shared.type[0].nevent, on);
    assert_int_equal(feed.shared.type[0].weight, 1);
    assert_in_range(delays[0], 60, 140);
}

/* A flag that another thread left up is taken down, and one that it took down goes up again. */
static void test_shared_flag(void **state)
{
    int i;

    (void)state;
    *own_of_flag() = 0;
    open_flag("trigger=flag,burst=50,types=paths");
    flag = 1;
    for (i = 0; i < 10 && flag; i++)
        assert_int_equal(flag_event(), 0);
    assert_int_equal(flag, 0);
    tick();
    while (flag_event() == TROD_BURST_WAIT) {
    }
    flag = 0;
    flag_event();
    assert_int_equal(flag, 1);
}

/* A program that checks a flag can be set to sample always, or never. */
static void test_flag_overridden(void **state)
{
    int i;

    (void)state;
    *own_of_flag() = 0;
    flag = 0;
    open_flag("trigger=always,types=paths");
    for (i = 0; i < 100; i++)
        assert_int_equal(flag_event(), 1);
    *own_of_flag() = 0;
    open_flag("trigger=never,types=paths");
    for (i = 0; i < 100; i++)
        assert_int_equal(flag_event(), 0);
    assert_int_equal(flag, 0);
}

/* --- what goes wrong ------------------------------------------------------------------------------------- */

/* Words that were overwritten: by code that had them in a register. */
static void test_overwritten(void **state)
{
    uint64_t on = 0;
    int i, n = 300000;

    (void)state;
    open_feed("rate=50,burst=4", 8);
    for (i = 0; i < n; i++) {
        if (i % 1000 == 0)
            feed.skip[burst_model_draw(16)] = (int64_t)burst_model_draw(400) - 200;
        if (i % 7777 == 0)
            feed.skip[burst_model_draw(16)] = INT64_MIN / 2 - 5;
        on += burst_model_event(&feed, (unsigned)burst_model_draw(16),
                  (unsigned)burst_model_draw(3)) &
              1;
    }
    assert_in_range(on, n * 0.017, n * 0.023);
}

/* Threads one after another with one plan. */
static void test_adopt(void **state)
{
    uint64_t on = 0;
    int thread, i;

    (void)state;
    open_feed("rate=20,burst=5", 8);
    for (thread = 0; thread < 2000; thread++) {
        memset(feed.own, 0, sizeof feed.own);
        memset(feed.skip, 0, sizeof feed.skip);
        __trod_burst_adopt(&feed.plan, feed.skip);
        for (i = 0; i < 100; i++)
            on += burst_model_event(&feed, (unsigned)burst_model_draw(16), 0) & 1;
    }
    assert_in_range(on, 9000, 11000);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_budgets),
        cmocka_unit_test(test_wrong_options),
        cmocka_unit_test(test_again),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_frequency),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_changing_weights),
        cmocka_unit_test(test_short_threads),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_geometric),
        cmocka_unit_test(test_primes),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_always_and_never),
        cmocka_unit_test(test_flag),
        cmocka_unit_test(test_shared_flag),
        cmocka_unit_test(test_flag_overridden),
        cmocka_unit_test(test_overwritten),
        cmocka_unit_test(test_adopt),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
