/* Times of paths, worked out by hand. */
#include "profile/times.h"
#include "kit/kit.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct {
    struct trod_arena mem;
    struct trod_err err;
} have;

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static int set_up(void **state)
{
    (void)state;
    trod_arena_init(&have.mem, die, NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return trod_arena_chunks() != 0;
}

/* --- bins ------------------------------------------------------------------------------------ */

static void assert_in_bin(uint64_t ticks)
{
    uint32_t bin = trod_time_bin(ticks);
    uint64_t least = trod_time_least(bin);

    assert_true(bin < TROD_TIME_BINS);
    assert_true(least <= ticks);
    assert_true(bin + 1 == TROD_TIME_BINS || ticks < trod_time_least(bin + 1));
    assert_int_equal(trod_time_bin(least), bin);
    if (bin + 1 < TROD_TIME_BINS && ticks >= 16)
        assert_true((trod_time_least(bin + 1) - least) * 8 <= least);
}

static void test_bins(void **state)
{
    (void)state;
    for (uint64_t t = 0; t < 100000; t++)
        assert_in_bin(t);
    for (int power = 17; power < 64; power++)
        for (int away = -2; away <= 2; away++)
            assert_in_bin((UINT64_C(1) << power) + (uint64_t)(int64_t)away);
    assert_in_bin(UINT64_MAX);
    assert_int_equal(trod_time_bin(15), 15);
    assert_int_equal(trod_time_bin(17), 16);
    assert_int_equal(trod_time_bin(20), 18);
}

/* --- a profile --------------------------------------------------------------------------------- */

#define HEAD                                                          \
    "profile\n"                                                       \
    "burst count jitter 1\n"                                          \
    "ticks 3000\n"                                                    \
    "nanoseconds 1000\n"                                              \
    "type paths 1 9 9 10 10 5 5\n"                                    \
    "type time 1 9 9 10 10 5 5\n"                                     \
    "module app burst 01\n"                                           \
    "function 0000000000000001 0000000000000002 0000000000000003 5\n" \
    "=1 50\n=4 20\n"                                                  \
    "function 0000000000000001 0000000000000002 000073746e657666 "    \
    "4611686018427387904 events\n"

/* A cell of a path. */
static void put_cell(struct trod_sink *sink, uint32_t cell, uint32_t path, uint64_t n)
{
    trod_put(sink, "=%" PRIu64 " %" PRIu64 "\n",
        trod_event_id(TROD_EVENT_TIME, cell, path), n);
}

static void build(struct trod_times *out, const char *text)
{
    struct trod_profile profile;
    struct trod_text in;
    bool more;

    trod_text_init(&in, "text", text, strlen(text));
    if (!trod_profile_parse(&profile, &more, &in, &have.mem, &have.err))
        fail_msg("%s", have.err.text);
    assert_true(trod_profile_has_times(&profile));
    trod_times_build(out, &profile, &have.mem);
    if (!trod_times_check(out, &have.err))
        fail_msg("%s", have.err.text);
}

/* Path 1: 30 executions of 7 ticks and 20 of 16 or 17. Path 4: no bin. */
static const char *cells(void)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, HEAD);
    put_cell(&text.sink, TROD_TIME_OWN, 1, 30 * 7 + 20 * 16);
    put_cell(&text.sink, TROD_TIME_OWN, 4, 100);
    put_cell(&text.sink, TROD_TIME_WITH, 1, 1000);
    put_cell(&text.sink, TROD_TIME_SQUARES, 1, 30 * 49 + 20 * 256);
    put_cell(&text.sink, TROD_TIME_AWAY, 1, 3);
    put_cell(&text.sink, 7, 1, 99); /* of a later version */
    put_cell(&text.sink, TROD_TIME_BIN + 7, 1, 30);
    put_cell(&text.sink, TROD_TIME_BIN + 16, 1, 20);
    put_cell(&text.sink, TROD_TIME_BIN + TROD_TIME_BINS, 1, 99);
    return text.text;
}

static void test_by_hand(void **state)
{
    const struct trod_profile_function function = {.name = 1, .graph = 2, .cuts = 3};
    const struct trod_profile_function other = {.name = 1, .graph = 2, .cuts = 4};
    const struct trod_time *time;
    struct trod_times times;
    char text[TROD_TIME_TEXT];

    (void)state;
    build(&times, cells());
    assert_int_equal(times.npath, 1);
    assert_int_equal(times.nunknown, 3);
    assert_int_equal(times.own, 530);
    assert_null(trod_times_find(&times, &function, 4));
    assert_null(trod_times_find(&times, &other, 1));
    time = trod_times_find(&times, &function, 1);
    assert_non_null(time);
    assert_int_equal(time->count, 50);
    assert_int_equal(time->own, 530);
    assert_int_equal(time->with, 1000);
    assert_int_equal(time->away, 3);
    assert_float_equal(trod_time_mean(time), 10.6, 1e-9);
    assert_float_equal(trod_time_quantile(time, 0.5), 7, 1e-9);
    assert_float_equal(trod_time_quantile(time, 0.8), 16.5, 1e-9);
    assert_float_equal(trod_time_quantile(time, 1), 17, 1e-9);
    /* 1.96 x sqrt(9 x 6590) / 530 */
    assert_float_equal(trod_times_error(&times, time), 0.90064, 1e-4);
    assert_string_equal(trod_time_text(text, &times, 300), "100ns");
    assert_string_equal(trod_time_text(text, &times, 1), "0.33ns");
    assert_string_equal(trod_time_text(text, &times, 3e9 * 1.5), "1.50s");
    assert_string_equal(trod_time_text(text, &times, 2998.6), "1.00us");
}

static void test_sums(void **state)
{
    const struct trod_time *time, *sum;
    struct trod_times times;

    (void)state;
    build(&times, cells());
    time = &times.path[0].time;
    assert_ptr_equal(trod_time_sum(NULL, time, &have.mem), time);
    assert_ptr_equal(trod_time_sum(time, NULL, &have.mem), time);
    sum = trod_time_sum(time, time, &have.mem);
    assert_int_equal(sum->count, 100);
    assert_int_equal(sum->own, 1060);
    assert_int_equal(sum->nbin, 2);
    assert_int_equal(sum->bin[0].count, 60);
    assert_int_equal(sum->bin[1].bin, 16);
    assert_float_equal(trod_time_quantile(sum, 0.8), 16.5, 1e-9);
}

/* --- metrics ----------------------------------------------------------------------------------- */

static void put_meter(
    struct trod_sink *sink, uint32_t metric, uint32_t cell, uint32_t path, uint64_t n)
{
    trod_put(sink, "=%" PRIu64 " %" PRIu64 "\n",
        trod_event_id(TROD_EVENT_METER, metric << TROD_METER_AT | cell, path), n);
}

/* Beside the times, path 1 has 40 page faults in 50 executions, and path 4 three context switches in 20; the rest is of
 * a later version.
 */
static const char *meters(void)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "%s", cells());
    put_meter(&text.sink, 0, TROD_TIME_OWN, 1, 7);
    put_meter(&text.sink, TROD_METER_ITLB + 1, TROD_TIME_OWN, 1, 7);
    put_meter(&text.sink, TROD_METER_PAGE_FAULTS, TROD_TIME_OWN, 1, 40);
    put_meter(&text.sink, TROD_METER_PAGE_FAULTS, TROD_TIME_WITH, 1, 60);
    put_meter(&text.sink, TROD_METER_PAGE_FAULTS, TROD_TIME_SQUARES, 1, 80);
    put_meter(&text.sink, TROD_METER_PAGE_FAULTS, TROD_TIME_BIN, 1, 30);
    put_meter(&text.sink, TROD_METER_PAGE_FAULTS, TROD_TIME_BIN + 2, 1, 20);
    put_meter(&text.sink, TROD_METER_SWITCHES, TROD_TIME_OWN, 4, 3);
    put_meter(&text.sink, TROD_METER_SWITCHES, TROD_TIME_BIN, 4, 17);
    put_meter(&text.sink, TROD_METER_SWITCHES, TROD_TIME_BIN + 1, 4, 3);
    put_meter(&text.sink, TROD_METERS, TROD_TIME_BIN, 1, 1);
    put_meter(&text.sink, 255, TROD_TIME_BIN, 1, 1);
    return text.text;
}

static void test_metrics(void **state)
{
    const struct trod_profile_function function = {.name = 1, .graph = 2, .cuts = 3};
    struct trod_times times, faults, switches, none;
    char text[TROD_TIME_TEXT];
    struct trod_profile profile;
    struct trod_text in;
    bool more;

    (void)state;
    build(&times, meters());
    assert_int_equal(times.own, 530); /* as without */
    assert_int_equal(times.npath, 1);
    trod_text_init(&in, "text", meters(), strlen(meters()));
    assert_true(trod_profile_parse(&profile, &more, &in, &have.mem, &have.err));
    assert_true(
        trod_profile_metrics(&profile) ==
        (UINT64_C(1) << TROD_METER_PAGE_FAULTS | UINT64_C(1) << TROD_METER_SWITCHES));
    trod_times_build_of(&faults, &profile, TROD_METER_PAGE_FAULTS, &have.mem);
    assert_true(trod_times_check(&faults, &have.err));
    assert_int_equal(faults.npath, 1);
    assert_int_equal(faults.own, 40);
    assert_int_equal(faults.path[0].time.count, 50);
    assert_int_equal(faults.path[0].time.with, 60);
    assert_float_equal(trod_time_mean(&faults.path[0].time), 0.8, 1e-9);
    /* 1.96 x sqrt(9 x 80) / 40 */
    assert_float_equal(trod_times_error(&faults, &faults.path[0].time), 1.31481, 1e-4);
    assert_string_equal(trod_time_unit(&faults), "page-faults");
    assert_string_equal(trod_time_text(text, &faults, 40), "40");
    assert_string_equal(trod_time_text(text, &faults, 0.8), "0.80");
    assert_string_equal(trod_time_text(text, &faults, 0.0008), "8e-04");
    assert_string_equal(trod_time_text(text, &faults, 99999), "99999");
    assert_string_equal(trod_time_text(text, &faults, 123456), "123k");
    assert_string_equal(trod_time_text(text, &faults, 1.5e9), "1.50G");
    assert_string_equal(trod_time_text(text, &faults, 1.5e13), "1.50e+13");
    trod_times_build_of(&switches, &profile, TROD_METER_SWITCHES, &have.mem);
    assert_int_equal(trod_times_find(&switches, &function, 4)->own, 3);
    trod_times_build_of(&none, &profile, TROD_METER_CYCLES, &have.mem);
    assert_int_equal(none.npath, 0);
    /* As many executions in bins as there are cells of others would be a fault. */
    faults.own++;
    assert_false(trod_times_check(&faults, &have.err));
}

/* All names differ, and those that options take are those that cells have. */
static void test_names_of_metrics(void **state)
{
    size_t n = 0;

    (void)state;
    for (uint32_t i = 0; i < TROD_METERS; i++) {
        const char *name = trod_meter_name(i);

        n += name != NULL;
        for (uint32_t k = 0; name && k < i; k++)
            assert_true(!trod_meter_name(k) || strcmp(trod_meter_name(k), name) != 0);
    }
    assert_int_equal(n, 19); /* with time */
    assert_null(trod_meter_name(TROD_METERS));
}

/* --- changes ----------------------------------------------------------------------------------- */

/* A path with n times the executions of path 1 of cells(), each so many ticks longer. */
static struct trod_time longer(uint64_t n, uint64_t by)
{
    uint64_t count = 50 * n, own = 530 * n;

    return (struct trod_time){.count = count,
        .own = own + by * count,
        .squares = (double)(6590 * n + 2 * by * own + by * by * count)};
}

/* Three ticks are a nanosecond, one of ten executions is timed, and their variance is 972 / 50. */
static void test_change(void **state)
{
    struct trod_time a = longer(4, 0), b = longer(4, 3), few = longer(1, 3);
    struct trod_time_change change;
    struct trod_times times;

    (void)state;
    build(&times, cells());
    trod_time_compare(&change, &times, &a, &times, &b);
    assert_float_equal(change.before, 10.6 / 3, 1e-9);
    assert_float_equal(change.after, 13.6 / 3, 1e-9);
    assert_float_equal(change.more, 200, 1e-9);
    /* 1.96 x sqrt(2 x 10 x 972 / 50 / 200) / 3, and what is beyond 2.15 standard deviations */
    assert_float_equal(change.error, 0.91093, 1e-4);
    assert_float_equal(change.chance, 0.03143, 1e-4);
    trod_time_compare(&change, &times, &b, &times, &a);
    assert_float_equal(change.more, -200, 1e-9);
    assert_float_equal(change.chance, 0.03143, 1e-4);
    trod_time_compare(&change, &times, &a, &times, &a);
    assert_float_equal(change.chance, 1, 0);
    /* Five observations, and an unknown rate. */
    trod_time_compare(&change, &times, &a, &times, &few);
    assert_true(change.error < 0 && change.chance == 1);
    times.spread = -1;
    trod_time_compare(&change, &times, &a, &times, &b);
    assert_true(change.error < 0 && change.chance == 1);
    /* All were timed: each is an observation. */
    times.spread = 0;
    trod_time_compare(&change, &times, &a, &times, &b);
    assert_float_equal(change.error, 0.91093 / sqrt(10), 1e-4);
}

/* Path 1: so many executions of 7 ticks, and 20 of 16. Path 2, if any: one of 3. */
static const char *some(uint64_t n, bool second)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, HEAD);
    put_cell(&text.sink, TROD_TIME_OWN, 1, n * 7 + 320);
    if (second)
        put_cell(&text.sink, TROD_TIME_OWN, 2, 3);
    put_cell(&text.sink, TROD_TIME_SQUARES, 1, n * 49 + 5120);
    if (second)
        put_cell(&text.sink, TROD_TIME_BIN + 3, 2, 1);
    put_cell(&text.sink, TROD_TIME_BIN + 7, 1, n);
    put_cell(&text.sink, TROD_TIME_BIN + 16, 1, 20);
    return text.text;
}

static void test_since(void **state)
{
    struct trod_times before, now, since;

    (void)state;
    build(&before, some(30, false));
    build(&now, some(80, true));
    trod_times_since(&since, &before, &now, &have.mem);
    assert_true(trod_times_check(&since, &have.err));
    assert_int_equal(since.npath, 2);
    assert_int_equal(since.own, 50 * 7 + 3);
    assert_int_equal(since.path[0].time.count, 50);
    assert_int_equal(since.path[0].time.nbin, 1);
    assert_float_equal(since.path[0].time.squares, 50 * 49, 0);
    assert_int_equal(since.path[1].time.own, 3);
    /* Nothing ran; everything; and a program that began anew. */
    trod_times_since(&since, &now, &now, &have.mem);
    assert_int_equal(since.npath, 0);
    assert_int_equal(since.own, 0);
    trod_times_since(&since, NULL, &now, &have.mem);
    assert_int_equal(since.own, now.own);
    trod_times_since(&since, &now, &before, &have.mem);
    assert_int_equal(since.own, before.own);
}

static double threshold(const double *chance, size_t n)
{
    return trod_times_threshold(chance, n, &have.mem);
}

static void test_threshold(void **state)
{
    static const double some[] = {0.5, 0.03, 0.01, 0.02}, none[] = {0.04, 0.2},
                        late[] = {0.041, 0.03, 0.045, 0.05, 0.048};

    (void)state;
    assert_float_equal(threshold(some, 4), 0.03, 0);
    assert_true(threshold(none, 2) < 0);
    assert_true(threshold(NULL, 0) < 0);
    /* The last satisfies its limit, so all do. */
    assert_float_equal(threshold(late, 5), 0.05, 0);
}

static void test_check(void **state)
{
    struct trod_path_time path[2];
    struct trod_time_in_bin bin[2];
    struct trod_times times, bad;

    (void)state;
    build(&times, cells());
    path[0] = path[1] = times.path[0];
    bad = times;
    bad.npath = 2;
    bad.path = path;
    bad.own = 2 * times.own;
    assert_false(trod_times_check(&bad, &have.err)); /* a path twice */
    path[1].id = 2;
    assert_true(trod_times_check(&bad, &have.err));
    bad.own++;
    assert_false(trod_times_check(&bad, &have.err));
    bad.own--;
    path[1].time.count++;
    assert_false(trod_times_check(&bad, &have.err));
    path[1].time.count--;
    bin[0] = times.path[0].time.bin[1];
    bin[1] = times.path[0].time.bin[0];
    path[1].time.bin = bin;
    assert_false(trod_times_check(&bad, &have.err)); /* bins descend */
}

/* The clock is unknown if the program ended soon. */
static void test_unknown_clock(void **state)
{
    struct trod_times times = {0};
    char text[TROD_TIME_TEXT];

    (void)state;
    assert_string_equal(trod_time_text(text, &times, 1234), "1234");
    assert_string_equal(trod_time_text(text, &times, 1.5e9), "1.50e+09");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins),
        cmocka_unit_test_setup_teardown(test_by_hand, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_sums, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_metrics, set_up, tear_down),
        cmocka_unit_test(test_names_of_metrics),
        cmocka_unit_test_setup_teardown(test_change, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_since, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_threshold, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_check, set_up, tear_down),
        cmocka_unit_test(test_unknown_clock),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
