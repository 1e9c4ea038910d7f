/* Bursts whose options change while they are taken: estimates stay unbiased, sums go on, and settings are texts of options.
 * Seeds are fixed; bounds are of four standard deviations, and a change at the wrong event must be outside of them.
 */
#include "kit/burst_model.h"

#include <math.h>

#include "trod/burst.h"

enum { EVENTS = 4000, AT = 1500, RUNS = 3000 };

/* A thread of a program, as runtime/burst/burst.c has it. */
struct thread {
    struct burst_model model;
    struct trod_burst_options next;
    bool changing, changed;
    bool early; /* planted fault: at the event that noticed */
    double sum, truth;
};

static void open_thread(
    struct thread *t, const char *from, const char *to, uint64_t seed)
{
    const char *why = burst_model_open(&t->model, from, seed);

    if (why)
        fail_msg("%s: %s", from, why);
    __trod_burst_options_default(&t->next);
    assert_true(__trod_burst_options_parse(&t->next, from, &why));
    assert_true(__trod_burst_options_parse(&t->next, to, &why));
    t->model.plan.poll = 1 << 8;
    __trod_burst_change(&t->model.plan, &t->model.options);
    t->changing = t->changed = false;
    t->sum = t->truth = 0;
}

static void change(struct thread *t)
{
    __trod_burst_change(&t->model.plan, &t->next);
    t->changing = false;
    t->changed = true;
}

/* The event with this number came to the runtime. */
static uint64_t visit(struct thread *t, unsigned word, int number)
{
    bool notices = number >= AT && !t->changed && !t->changing;
    uint64_t mask;

    if (t->changing || (notices && t->early))
        change(t);
    mask = __trod_burst_event(&t->model.plan, word, false);
    if (notices && !t->early)
        t->changing = __trod_burst_hold(&t->model.plan);
    return mask;
}

static double error_of(struct thread *t)
{
    int64_t *skip = t->model.skip;
    uint64_t mask;
    int i;

    for (i = 0; i < EVENTS; i++) {
        unsigned word = (unsigned)burst_model_draw(2);

        mask = --skip[word] < 0 ? visit(t, word, i) : 0;
        if (mask & 1)
            t->sum += (double)t->model.shared.type[0].weight;
        t->truth += t->model.plan.trigger != TROD_BURST_NEVER;
    }
    return t->sum - t->truth;
}

/* How many standard deviations the mean error is beyond a bound. */
static double deviation(const char *from, const char *to, double bound, bool early)
{
    static struct thread t;
    double sum = 0, squares = 0, mean;
    int i;

    t.early = early;
    for (i = 0; i < RUNS; i++) {
        double error;

        open_thread(&t, from, to, (uint64_t)i * 977 + 5);
        burst_model_drawn = (uint64_t)i * 1013 + 7;
        error = error_of(&t);
        assert_true(t.changed);
        sum += error;
        squares += error * error;
    }
    mean = sum / RUNS;
    return (fabs(mean) - bound) / sqrt((squares / RUNS - mean * mean) / RUNS + 1e-9);
}

static void test_estimates(void **state)
{
    static const struct {
        const char *from, *to;
        double bound; /* in events: see __trod_burst_change */
    } of[] = {{"rate=100,period=geometric", "rate=10", 0},
        {"rate=10,period=geometric", "rate=100", 0},
        {"rate=50,period=geometric", "off", 0}, {"off,rate=20", "on", 0},
        {"rate=40,burst=5", "rate=40,burst=5", 0},
        {"rate=40,burst=5", "rate=40,burst=1", 80},
        {"rate=30,types=paths+calls", "types=paths,rate=60", 15},
        {"rate=30,types=paths", "types=paths+calls", 0}};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof of / sizeof *of; i++) {
        double d = deviation(of[i].from, of[i].to, of[i].bound, false);

        if (d > 4)
            fail_msg(
                "%s, then %s: off by %g standard deviations", of[i].from, of[i].to, d);
    }
}

/* A change at the event that noticed forgets the events before it. */
static void test_planted(void **state)
{
    (void)state;
    assert_true(deviation("rate=100,period=geometric", "rate=10", 0, true) > 4);
}

/* What was exact is exact for as long as it was on. */
static void test_exact(void **state)
{
    static struct thread t;

    (void)state;
    open_thread(&t, "trigger=always", "off", 1);
    assert_true(error_of(&t) == 0);
    assert_true(t.sum == AT + 1);
    assert_int_equal(t.model.shared.trigger, TROD_BURST_ALWAYS);
    open_thread(&t, "off,trigger=always", "on", 1);
    assert_true(error_of(&t) == 0);
    assert_true(t.sum > 0);
    assert_int_equal(t.model.shared.trigger, TROD_BURST_ALWAYS);
    open_thread(&t, "trigger=always", "trigger=count,rate=10", 1);
    error_of(&t);
    assert_int_equal(t.model.shared.trigger, TROD_BURST_COUNT);
}

/* Sums of types go on, those of a type that is left out too; until they are forgotten. */
static void test_sums(void **state)
{
    static struct thread t;
    struct trod_format_burst *shared = &t.model.shared;
    uint64_t calls;

    (void)state;
    open_thread(&t, "rate=5,types=paths+calls", "types=paths", 3);
    error_of(&t);
    calls = shared->type[TROD_BURST_CALLS].nevent;
    assert_true(calls > 0 && calls < shared->type[TROD_BURST_PATHS].nevent);
    assert_int_equal(
        shared->type[TROD_BURST_PATHS].nevent, shared->type[TROD_BURST_PATHS].nburst);
    assert_int_equal(shared->types, 1 << TROD_BURST_PATHS | 1 << TROD_BURST_CALLS);
    assert_true(shared->nevent > 0 && shared->npassed > 0);
    __trod_burst_forget(&t.model.plan);
    assert_int_equal(shared->types, 1 << TROD_BURST_PATHS);
    assert_int_equal(shared->nevent, 0);
    assert_int_equal(shared->type[TROD_BURST_CALLS].nevent, 0);
}

/* --- settings -------------------------------------------------------------------------------- */

static struct trod_format_control control_of(uint32_t trigger)
{
    struct trod_format_control c = {
        .kind = TROD_CONTROL_BURST, .types = 15, .trigger = trigger};
    int t;

    c.setting = (struct trod_format_setting){.on = 1, .types = 15, .trigger = trigger};
    for (t = 0; t < TROD_CONTROL_TYPES; t++) {
        c.setting.rate[t] = 1000;
        c.setting.burst[t] = 1;
    }
    return c;
}

static void test_settings(void **state)
{
    struct trod_format_control c = control_of(TROD_BURST_COUNT);
    struct trod_format_setting *s = &c.setting;

    (void)state;
    assert_true(trod_burst_is_possible(&c));
    assert_null(
        trod_burst_set(s, c.trigger, "off,rate=1/50,rate.calls=7,burst=3,budget=2%"));
    assert_true(!s->on && s->rate[0] == 50 && s->rate[TROD_BURST_CALLS] == 7);
    assert_true(
        s->burst[0] == 3 && s->budget == 20000 && s->trigger == TROD_BURST_COUNT);
    assert_null(trod_burst_set(s, c.trigger, "on,types=paths"));
    assert_true(s->on && s->types == 1 && s->rate[0] == 50);
    assert_non_null(trod_burst_set(s, c.trigger, "rate=0"));
    assert_true(s->rate[0] == 50);
    s->trigger = TROD_BURST_ALWAYS;
    assert_null(trod_burst_set(s, c.trigger, "off"));
    assert_int_equal(s->trigger, TROD_BURST_ALWAYS);
    assert_null(trod_burst_set(s, c.trigger, "rate=5"));
    assert_int_equal(s->trigger, TROD_BURST_COUNT);
}

static void test_impossible(void **state)
{
    struct trod_format_control c;

    (void)state;
    c = control_of(TROD_BURST_COUNT), c.setting.on = 2;
    assert_false(trod_burst_is_possible(&c));
    c = control_of(TROD_BURST_COUNT), c.setting.types = 16;
    assert_false(trod_burst_is_possible(&c));
    c = control_of(TROD_BURST_COUNT), c.setting.trigger = TROD_BURST_FLAG;
    assert_false(trod_burst_is_possible(&c));
    c = control_of(TROD_BURST_COUNT), c.setting.trigger = TROD_BURST_NEVER;
    assert_false(trod_burst_is_possible(&c));
    c = control_of(TROD_BURST_COUNT), c.setting.budget = 1000001;
    assert_false(trod_burst_is_possible(&c));
    c = control_of(TROD_BURST_COUNT), c.setting.rate[3] = 0;
    assert_false(trod_burst_is_possible(&c));
    c = control_of(TROD_BURST_COUNT), c.setting.burst[1] = UINT64_MAX;
    assert_false(trod_burst_is_possible(&c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimates),
        cmocka_unit_test(test_planted),
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_impossible),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
