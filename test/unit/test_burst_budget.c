/* A budget is kept: programs are simulated that go through phases, where events take from 1 to 1000 ns and what
 * is done in a burst from 50 ns to 100 us. Their clock says what time it is, and here it is known how much of
 * that was profiling, and how much were checks: of each event as many ticks as the runtime assumes.
 */
#include "kit/burst_model.h"

#include <math.h>

#define NS UINT64_C(3) /* ticks */
enum { TIMES = 1000 }; /* ticks of two system calls */
enum { CROSSING = TROD_BURST_CROSSING - BURST_MODEL_LOOK };
#define SECOND (UINT64_C(1000000000) * NS)

/* --- a program ------------------------------------------------------------------------------------ */

struct phase {
    uint64_t event; /* ticks of an event, on average */
    uint64_t burst; /* ticks that a burst takes more */
};

static struct burst_model feed;
static uint64_t cost; /* of profiling, in truth */
static uint64_t word;
static uint64_t slice, next_loss,
    lost; /* another program has the processor, as long and as often */
static unsigned char flag;
static uint32_t ticks;
static uint64_t next_tick;
static bool blind; /* a fault: the clock does not move while a burst is on */

static void lose(void)
{
    while (slice && burst_model_now >= next_loss) {
        burst_model_now += slice;
        lost += slice;
        next_loss = burst_model_now + slice;
    }
}

static uint64_t look(void)
{
    uint64_t now = burst_model_clock();

    cost += BURST_MODEL_LOOK;
    lose();
    return now > burst_model_now ? now : burst_model_now;
}

static void pass(uint64_t time)
{
    burst_model_now += time;
    lose();
}

static void spend(uint64_t time)
{
    cost += time;
    pass(time);
}

static void read_times(struct trod_clocks *out)
{
    spend(TIMES);
    out->all = burst_model_now / NS;
    out->own = (burst_model_now - lost) / NS;
}

static void open_program(const char *options, uint64_t seed)
{
    const char *why = burst_model_open(&feed, options, seed);

    if (why)
        fail_msg("%s: %s", options, why);
    memset(&feed.plan, 0, sizeof feed.plan);
    memset(&feed.shared, 0, sizeof feed.shared);
    feed.plan.clock = look;
    feed.plan.account.times = read_times;
    if (feed.options.trigger == TROD_BURST_FLAG) {
        feed.plan.flag = &flag;
        feed.plan.ticks = &ticks;
    }
    burst_model_drawn = seed;
    burst_model_now = cost = lost = 0;
    next_loss = slice;
    next_tick = 0;
    __trod_burst_open(&feed.plan, &feed.options, &feed.shared, feed.skip, seed);
}

static void visit(bool slow, const struct phase *of)
{
    uint64_t looks = burst_model_looks;

    spend(CROSSING / 2);
    feed.own[0] = __trod_burst_event(&feed.plan, (unsigned)word, slow);
    spend(CROSSING / 2 -
          (feed.plan.simple && burst_model_looks == looks ? TROD_BURST_QUICK : 0));
    if (feed.own[0] & ~TROD_BURST_WAIT) {
        if (blind)
            cost += of->burst * 8;
        else
            spend(of->burst / feed.options.burst[0]);
    }
}

/* The first event after a burst, mostly. */
static void leave(void)
{
    if (feed.own[0])
        spend(TROD_BURST_BACK);
    feed.own[0] = 0;
}

/* Some events take much longer than others. */
static uint64_t time_of(const struct phase *of)
{
    uint64_t kind = burst_model_draw(100);

    return kind ? of->event / 4 + burst_model_draw(of->event / 2 + 1) : of->event * 50;
}

/* Skip, at once, as many events as do not lead to a check: the same number on each counter. */
static void skip_some(const struct phase *of, uint64_t until)
{
    uint64_t per_counter = (until - burst_model_now) / (of->event * TROD_RT_SKIPS) + 1;
    int k;

    for (k = 0; k < TROD_RT_SKIPS; k++) {
        if (feed.skip[k] <= 0)
            return;
        if ((uint64_t)feed.skip[k] < per_counter)
            per_counter = (uint64_t)feed.skip[k];
    }
    for (k = 0; k < TROD_RT_SKIPS; k++)
        feed.skip[k] -= (int64_t)per_counter;
    pass(per_counter * of->event * TROD_RT_SKIPS);
}

static void run_count(const struct phase *of, uint64_t until)
{
    while (burst_model_now < until) {
        if (!feed.own[0])
            skip_some(of, until);
        pass(time_of(of));
        word = (word + 1) % TROD_RT_SKIPS;
        if (--feed.skip[word] < 0)
            visit(false, of);
        else
            leave();
    }
}

/* The ticker is another thread. */
static void run_flag(const struct phase *of, uint64_t until)
{
    while (burst_model_now < until) {
        if (!feed.own[0] && !flag && burst_model_now < next_tick)
            pass((next_tick - burst_model_now) / of->event * of->event);
        pass(time_of(of));
        if (burst_model_now >= next_tick) {
            ticks++;
            flag = 1;
            next_tick =
                burst_model_now + SECOND / 2000 + burst_model_draw(SECOND / 1000);
        }
        if (feed.own[0] || flag)
            visit(feed.own[0] != 0, of);
    }
}

static void run(const struct phase *of, uint64_t time)
{
    uint64_t until = burst_model_now + time;

    if (feed.options.trigger == TROD_BURST_FLAG)
        run_flag(of, until);
    else
        run_count(of, until);
}

/* --- what is expected ------------------------------------------------------------------------------- */

/* Half a point of a hundred. */
#define POINT 0.005

/* With one event of ten on, or a tick of a thousandth of a second, it could be more. */
static double most_of(const struct phase *of)
{
    double each = CROSSING - TROD_BURST_QUICK + TROD_BURST_BACK + (double)of->burst;

    if (feed.options.trigger == TROD_BURST_FLAG)
        return (64 * (CROSSING + 2 * BURST_MODEL_LOOK) + (double)of->burst) * 1000 /
               (double)SECOND;
    return each / (each + 10 * (double)of->event * (double)feed.options.burst[0]);
}

static double lower(double a, double b)
{
    return a < b ? a : b;
}

static double higher(double a, double b)
{
    return a > b ? a : b;
}

/* What checks take of the time. With a flag it is estimated by the events after ticks, of which the longest are not believed. */
static double floor_of(const struct phase *of)
{
    bool flags = feed.options.trigger == TROD_BURST_FLAG;

    return (flags ? TROD_BUDGET_TEST : TROD_BUDGET_CHECK) / 256.0 / (double)of->event;
}

enum { DOUBT = 3 };

/* What the budget leaves for bursts, at least. After a phase whose checks alone took more, debts are paid. */
static double left_of(const struct phase *of, double budget, bool in_debt)
{
    double doubt = feed.options.trigger == TROD_BURST_FLAG ? DOUBT : 1;

    return higher(0, budget * (!in_debt                ? 1
                                  : slice || doubt > 1 ? 0
                                                       : 0.2) -
                         doubt * floor_of(of));
}

static uint64_t draw_of(const uint64_t *of, size_t n)
{
    return of[burst_model_draw(n)] * NS;
}

static bool simulate(const char *options, double budget, uint64_t seed, int nphase)
{
    static const uint64_t events[] = {1, 3, 10, 30, 100, 300, 1000};
    static const uint64_t bursts[] = {50, 100, 300, 1000, 10000, 100000};
    double want = 0, most = 0, got, said;
    int in_debt = 0; /* phases in which debts may be paid */
    char text[200];
    int i;

    snprintf(text, sizeof text, "budget=%g%%,types=paths,%s", budget * 100, options);
    open_program(text, seed);
    for (i = 0; i < nphase; i++) {
        struct phase of;

        of.event = draw_of(events, sizeof events / sizeof *events);
        of.burst = draw_of(bursts, sizeof bursts / sizeof *bursts);
        run(&of, i + 1 < nphase ? SECOND : SECOND / 20);
        want += (i + 1 < nphase ? 1 : 0.05) *
                lower(left_of(&of, budget, in_debt), most_of(&of));
        most += (i + 1 < nphase ? 1 : 0.05) * higher(budget - floor_of(&of), 0);
        in_debt -= in_debt != 0;
        if (DOUBT * floor_of(&of) > budget)
            in_debt = slice ? 2 : 1;
    }
    want /= nphase - 0.95;
    most /= nphase - 0.95;
    got = (double)cost / (double)(burst_model_now - lost);
    said = (double)feed.shared.cost / (double)feed.shared.time;
    if (getenv("TROD_TEST_TALK"))
        printf("# %s seed %" PRIu64 ": %.2f%%, could be %.2f%%, says %.2f%%\n", text,
            seed, got * 100, want * 100, said * 100);
    return got < most + POINT && got > want - POINT && fabs(said - got) < POINT;
}

static void expect_budget(const char *options, uint64_t seeds)
{
    static const double budgets[] = {0.005, 0.01, 0.02, 0.05, 0.1};
    uint64_t seed;
    size_t i;

    for (i = 0; i < sizeof budgets / sizeof *budgets; i++)
        for (seed = 1; seed <= seeds; seed++)
            if (!simulate(options, budgets[i], seed, 7))
                fail_msg("%s, budget %g%%, seed %" PRIu64
                         ": %.2f%% was spent, %.2f%% it says",
                    options, budgets[i] * 100, seed,
                    (double)cost * 100 / (double)(burst_model_now - lost),
                    (double)feed.shared.cost * 100 / (double)feed.shared.time);
}

static void test_count(void **state)
{
    (void)state;
    slice = 0;
    expect_budget("trigger=count", 3);
}

static void test_bursts(void **state)
{
    (void)state;
    slice = 0;
    expect_budget("trigger=count,burst=50,rate=10000", 1);
}

static void test_flag(void **state)
{
    (void)state;
    slice = 0;
    expect_budget("trigger=flag", 2);
}

/* Ten milliseconds of every twenty. */
static void test_loaded(void **state)
{
    (void)state;
    slice = SECOND / 100;
    expect_budget("trigger=count", 1);
    expect_budget("trigger=flag", 1);
}

/* As the runtime knows them: events of programs that count are counted. */
static void test_checks_are_known(void **state)
{
    static const char *const triggers[] = {"count", "flag"};
    struct phase of[] = {{10 * NS, 50 * NS}, {100 * NS, 50 * NS}};
    char text[100];
    size_t i, k;

    (void)state;
    slice = 0;
    for (i = 0; i < 2; i++) {
        for (k = 0; k < 2; k++) {
            double said, truth;

            snprintf(
                text, sizeof text, "budget=5%%,types=paths,trigger=%s", triggers[i]);
            open_program(text, 8);
            run(&of[k], SECOND);
            said = (double)feed.shared.floor / (double)feed.shared.time;
            truth = floor_of(&of[k]);
            if (getenv("TROD_TEST_TALK"))
                printf("# %s: checks %.2f%%, says %.2f%%\n", text, 100 * truth,
                    100 * said);
            assert_true(said < truth * (i ? DOUBT : 1.05));
            assert_true(said > truth * (i ? 1.0 / DOUBT : 0.95));
        }
    }
    open_program("budget=1%,types=paths,trigger=count", 8);
    run(&of[0], SECOND);
    assert_true(feed.plan.is_exceeded);
    assert_true(feed.shared.type[0].weight > 1000000);
    open_program("budget=1%,types=paths,trigger=count", 8);
    run(&of[1], SECOND);
    assert_false(feed.plan.is_exceeded);
}

/* Whatever happened, the thread is not silent for the rest of it. */
static void test_recovers(void **state)
{
    struct phase dear = {3, 100000 * NS}, cheap = {30 * NS, 50 * NS};
    uint64_t before;

    (void)state;
    slice = SECOND / 100;
    open_program("budget=2%,trigger=count,types=paths", 4);
    run(&dear, SECOND);
    run(&cheap, 5 * SECOND);
    before = feed.shared.type[0].nburst;
    run(&cheap, SECOND);
    assert_true(feed.shared.type[0].nburst - before > 10000);
    assert_true(feed.shared.type[0].weight < 10000);
}

/* Estimates are right although weights change. */
static void test_weights(void **state)
{
    struct phase of[2] = {{10 * NS, 300 * NS}, {100 * NS, 3000 * NS}};
    double sum = 0, n = 0;
    uint64_t before = 0;

    (void)state;
    slice = 0;
    open_program("budget=5%,trigger=count,types=paths", 6);
    while (burst_model_now < 2 * SECOND) {
        const struct phase *now = of + burst_model_now / (SECOND / 10) % 2;

        if (!feed.own[0])
            skip_some(now, burst_model_now + SECOND / 1000);
        pass(time_of(now));
        word = (word + 1) % TROD_RT_SKIPS;
        if (feed.own[0])
            visit(true, now);
        else if (--feed.skip[word] < 0)
            visit(false, now);
        if (feed.shared.type[0].nevent > before) {
            before = feed.shared.type[0].nevent;
            sum += (double)feed.shared.type[0].weight;
        }
    }
    n = (double)(feed.shared.nevent + feed.shared.npassed);
    assert_true(before > 1000);
    assert_true(fabs(sum / n - 1) < 0.05);
}

/* A clock that does not see what bursts cost must be found out. */
static void test_planted(void **state)
{
    bool found = false;
    uint64_t seed;

    (void)state;
    slice = 0;
    blind = true;
    for (seed = 1; seed <= 3; seed++)
        found |= !simulate("trigger=count", 0.02, seed, 4);
    blind = false;
    assert_true(found);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_flag),
        cmocka_unit_test(test_loaded),
        cmocka_unit_test(test_checks_are_known),
        cmocka_unit_test(test_recovers),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_planted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
