/* The budget of online sampling is kept: programs are simulated that go through phases, where blocks take from a few to some
 * hundred ticks. Their clock says what time it is, and here it is known how much of that was sampling and how much were
 * checks.
 */
#include "kit/sampler_harness.h"

#include "online/sampler_budget.h"

#include <inttypes.h>
#include <math.h>

enum {
    LOOK = TROD_SAMPLER_LOOK,
    ADD =
        60, /* ticks of a call that only adds a block, between its reads of the clock */
    HEAVY = 700,   /* of another call */
    RAISE = 20000, /* of a call that changes f */
    EXTRA = 15,    /* what a block of the slow copy takes longer */
    TIMES = 1000   /* of two system calls */
};

#define SECOND UINT64_C(3000000000)

struct phase {
    uint64_t block; /* ticks of a block */
    uint32_t most;  /* blocks that a check subtracts */
};

static struct {
    struct sampler_harness feed;
    struct trod_sampler_budget budget;
    uint64_t now, cost, checks; /* ticks: of sampling and checks, in truth */
    uint64_t ncheck;
    uint64_t lost; /* in which the thread did not run */
    uint64_t nap;  /* it sleeps for so long, once in a while */
    uint64_t next_nap;
    uint64_t nblock;
    int64_t skip;
    bool blind; /* a fault: the clock does not move in calls */
} program;

static void spend(uint64_t ticks)
{
    program.cost += ticks;
    if (!program.blind)
        program.now += ticks;
}

static uint64_t look(void)
{
    spend(LOOK);
    return program.now;
}

static void read_times(struct trod_clocks *out)
{
    spend(TIMES);
    out->all = program.now / 3;
    out->own = (program.now - program.lost) / 3;
}

static void pass(uint64_t ticks)
{
    program.now += ticks;
    if (program.nap && program.now >= program.next_nap) {
        program.now += program.nap;
        program.lost += program.nap;
        program.next_nap = program.now + program.nap;
    }
}

static void check(uint64_t times)
{
    uint64_t before = program.checks;

    program.ncheck += times;
    program.checks = program.ncheck * TROD_BUDGET_CHECK / 256;
    pass(program.checks - before);
}

static void open_program(const char *options, uint64_t seed)
{
    const char *why;

    memset(&program, 0, sizeof program);
    if (!sampler_harness_open(&program.feed, options, seed, &why))
        fail_msg("%s: %s", options, why);
    __trod_sampler_budget_open(
        &program.budget, program.feed.s, program.feed.options.budget, look, read_times);
    program.skip = (int64_t)__trod_sampler_gap(program.feed.s) - 1;
}

static void close_program(void)
{
    const char *why = sampler_harness_check(&program.feed);

    if (why)
        fail_msg("%s", why);
    sampler_harness_close(&program.feed);
}

/* --- as the runtime does it (online.c) -------------------------------------------------------------- */

static void draw_again(void)
{
    program.skip = (int64_t)__trod_sampler_gap(program.feed.s) - 1;
}

static void settle(void)
{
    uint64_t f;

    if (!__trod_sampler_budget_is_due(&program.budget))
        return;
    f = __trod_sampler_budget_control(&program.budget);
    if (f) {
        program.feed.lowered |= (double)f < program.feed.s->f;
        __trod_sampler_aim(program.feed.s, (double)f);
    }
    if (__trod_sampler_raised(program.feed.s)) {
        program.cost += RAISE;
        program.now += RAISE;
        draw_again();
    }
}

/* A block of the slow copy; starts: it is a start, drawn when nraised was this. */
static void slow_block(const struct phase *of, bool starts, uint16_t nraised)
{
    struct trod_sampler *s = program.feed.s;
    bool heavy = starts || s->ring[s->at & s->mask].ending, moved, pending;
    uint64_t began;

    spend(TROD_SAMPLER_REPORT / 2);
    began = __trod_sampler_budget_enter(&program.budget, heavy);
    if (starts) {
        bool first = !s->npending;

        __trod_sampler_begin_of(s, nraised);
        if (first)
            __trod_sampler_budget_episode(&program.budget);
    }
    pending = __trod_sampler_add(s, (uint32_t)(program.nblock % 7), 255);
    moved = __trod_sampler_raised(s);
    spend(heavy ? HEAVY : ADD);
    spend(moved ? RAISE : 0);
    __trod_sampler_budget_leave(&program.budget, began, heavy, moved, pending);
    spend(TROD_SAMPLER_REPORT / 2);
    if (moved)
        draw_again();
    if (heavy)
        settle();
    spend(EXTRA);
    pass(of->block);
    program.nblock++;
}

/* The blocks up to the next check; the next start, if it is among them, is after `own` others. */
static void stretch(const struct phase *of, int64_t own)
{
    struct trod_sampler *s = program.feed.s;
    uint16_t nraised = s->nraised;
    uint32_t i;

    for (i = 0; i < of->most; i++, own--) {
        if (own && !s->npending) {
            pass(of->block);
            program.nblock++;
            continue;
        }
        slow_block(of, own == 0, nraised);
        if (own)
            continue;
        nraised = s->nraised;
        own = (int64_t)__trod_sampler_gap(s);
    }
}

/* A check that met a start; then others, until no sample is pending. */
static void visit(const struct phase *of)
{
    do {
        int64_t own = program.skip;
        bool meets = own < (int64_t)of->most;
        uint64_t began;

        program.budget.is_near = false;
        spend(TROD_SAMPLER_CROSSING / 2);
        began = __trod_sampler_budget_enter(&program.budget, true);
        if (meets) {
            __trod_sampler_budget_check(
                &program.budget, program.feed.s->rate, of->most);
            draw_again();
        } else {
            program.skip -= of->most;
            own = INT64_MAX;
        }
        spend(HEAVY);
        __trod_sampler_budget_leave(&program.budget, began, true, false, false);
        spend(TROD_SAMPLER_CROSSING / 2);
        stretch(of, own);
    } while (program.feed.s->npending);
}

static void run(const struct phase *of, uint64_t time)
{
    uint64_t until = program.now + time, each = of->block * of->most;

    while (program.now < until) {
        uint64_t n = (uint64_t)program.skip / of->most;
        uint64_t can = (until - program.now) / each + 1;

        n = n < can ? n : can;
        program.skip -= (int64_t)(n * of->most);
        program.nblock += n * of->most;
        pass(n * each);
        check(n);
        if (program.skip < (int64_t)of->most && program.now < until) {
            check(1);
            visit(of);
        }
    }
}

/* --- what is expected ------------------------------------------------------------------------------------ */

#define POINT 0.005

static double floor_of(const struct phase *of)
{
    return TROD_BUDGET_CHECK / 256.0 / ((double)of->block * of->most);
}

static double share(uint64_t ticks)
{
    return (double)ticks / (double)(program.now - program.lost);
}

static double said(uint64_t ticks)
{
    return (double)ticks / (double)program.feed.shared->time;
}

static uint64_t pick(uint64_t *seed, uint64_t below)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (*seed >> 33) % below;
}

/* All that sampling takes beyond what is left for it; and what it says. */
static bool simulate(double budget, uint64_t seed, int nphase, bool blind)
{
    static const uint64_t blocks[] = {2, 3, 6, 10, 30, 100, 400};
    static const uint32_t mosts[] = {2, 4, 8, 30};
    double most = 0, least = 0, got, told;
    bool in_debt = false, right;
    char text[60];
    int i;

    snprintf(text, sizeof text, "budget=%g%%", budget * 100);
    open_program(text, seed);
    program.blind = blind;
    for (i = 0; i < nphase; i++) {
        struct phase of = {blocks[pick(&seed, 7)], mosts[pick(&seed, 4)]};
        double left = budget - floor_of(&of);

        run(&of, SECOND);
        most += left > 0 ? left : 0;
        left -= in_debt ? 0.8 * budget : 0;
        /* With f at its least, a sample takes some 3000 ticks. */
        left = left < 2000.0 / (64 * (double)of.block)
                   ? left
                   : 2000.0 / (64 * (double)of.block);
        least += left > 0 ? left : 0;
        in_debt = floor_of(&of) > budget;
    }
    got = share(program.cost);
    told = said(program.feed.shared->cost);
    right = got < most / nphase + POINT && got > 0.5 * least / nphase - POINT &&
            fabs(told - got) < POINT + 0.1 * got &&
            fabs(said(program.feed.shared->floor) - share(program.checks)) <
                0.2 * share(program.checks) + POINT;
    if (getenv("TROD_TEST_TALK") || (!right && !blind))
        printf("# %s seed %" PRIu64
               ": %.2f%%, %.2f%% to %.2f%%, says %.2f%%; checks %.2f%%, says "
               "%.2f%%; f %.0f\n",
            text, seed, got * 100, least / nphase * 100, most / nphase * 100,
            told * 100, 100 * share(program.checks),
            100 * said(program.feed.shared->floor), program.feed.s->f);
    if (blind)
        sampler_harness_close(&program.feed);
    else
        close_program();
    return right;
}

static void test_budgets_are_kept(void **state)
{
    static const double budgets[] = {0.005, 0.01, 0.02, 0.05, 0.1};
    uint64_t seed;
    size_t i;

    (void)state;
    for (i = 0; i < sizeof budgets / sizeof *budgets; i++)
        for (seed = 1; seed <= 4; seed++)
            assert_true(simulate(budgets[i], seed, 5, false));
}

static void test_f_goes_up_and_down(void **state)
{
    struct phase dear = {3, 30}, cheap = {300, 30};
    double high;

    (void)state;
    open_program("budget=3%", 1);
    run(&dear, SECOND);
    high = program.feed.s->f;
    assert_true(high > 20000);
    run(&cheap, 2 * SECOND);
    assert_true(program.feed.s->f < high / 8);
    run(&dear, SECOND);
    assert_true(program.feed.s->f > high / 4);
    assert_true(share(program.cost + program.checks) < 0.03 + POINT);
    close_program();
}

/* The checks alone take more: as few samples as can be, and it is known. */
static void test_the_floor_is_above(void **state)
{
    struct phase of = {3, 4}, other = {30, 4};

    (void)state;
    open_program("budget=2%", 1);
    run(&of, SECOND);
    assert_true(program.budget.is_exceeded);
    assert_true(program.feed.s->rate > TROD_SAMPLER_MOST_F / 2);
    assert_true(share(program.cost) < 0.002);
    close_program();
    open_program("budget=2%", 1);
    run(&other, SECOND);
    assert_false(program.budget.is_exceeded);
    close_program();
}

/* Sleep is not time: the thread may not spend a share of it. */
static void test_sleep_does_not_count(void **state)
{
    struct phase of = {10, 30};

    (void)state;
    open_program("budget=2%", 1);
    program.nap = SECOND / 50;
    program.next_nap = program.nap;
    run(&of, 6 * SECOND);
    assert_true(program.lost > SECOND);
    assert_true(share(program.cost + program.checks) < 0.02 + POINT);
    assert_true(share(program.cost + program.checks) > 0.02 / 2);
    close_program();
}

/* f is not lowered below what was said, nor where memory is full. */
static void test_limits(void **state)
{
    struct phase cheap = {300, 30};

    (void)state;
    open_program("f=5000,budget=10%", 1);
    run(&cheap, SECOND);
    assert_true(program.feed.s->f >= 5000 && program.feed.s->f < 7000);
    close_program();
    open_program("budget=10%,most=64", 1);
    run(&cheap, SECOND);
    assert_true(program.feed.s->kept < 64);
    assert_true(program.feed.s->least_f > 64);
    close_program();
}

/* The estimate of all blocks, whatever f was. */
static void test_estimates(void **state)
{
    struct phase dear = {3, 8}, cheap = {300, 8};
    double sum = 0, truth = 0;
    uint64_t seed;

    (void)state;
    for (seed = 1; seed <= 12; seed++) {
        struct sampled got;
        uint32_t i;
        int k;

        open_program("budget=6%", seed);
        for (k = 0; k < 4; k++)
            run(k % 2 ? &dear : &cheap, SECOND / 8);
        sum += (double)program.feed.shared->nonce * program.feed.s->f;
        for (i = 0; i < program.feed.shared->nentry; i++)
            if (sampler_harness_get(&got, program.feed.shared, i))
                sum += (double)got.count * program.feed.shared->frequency[got.level];
        truth += (double)program.nblock;
        assert_true(program.feed.lowered);
        close_program();
    }
    assert_true(fabs(sum / truth - 1) < 0.03);
}

/* A clock that does not see what sampling costs must be found out. */
static void test_planted(void **state)
{
    (void)state;
    assert_false(simulate(0.05, 1, 4, true));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets_are_kept),
        cmocka_unit_test(test_f_goes_up_and_down),
        cmocka_unit_test(test_the_floor_is_above),
        cmocka_unit_test(test_sleep_does_not_count),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_planted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
