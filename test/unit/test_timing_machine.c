/* Parts of the core's model alone: branch predictors, and machines as text. */
#include "kit/fixture.h"

#include <string.h>

#include "timing/timing.h"

/* --- predictors ----------------------------------------------------------------------------------------------------------- */

static struct trod_timing_predict *predictor(const char *machine)
{
    struct trod_timing_machine m;

    assert_true(trod_timing_machine_named(&m, machine));
    return trod_timing_predict_build(&m.prediction, &have.mem);
}

static enum trod_timing_outcome predict(
    struct trod_timing_predict *p, uint8_t kind, uint64_t pc, uint64_t next, bool taken)
{
    struct trod_code code = {
        .pc = pc, .last = pc, .after = pc + 4, .target = pc + 64, .kind = kind};
    struct trod_run run = {.code = &code, .next = next, .taken = taken};

    return trod_timing_predict_run(p, &run);
}

static void test_returns(void **state)
{
    struct trod_timing_predict *p = predictor("table5.3");

    (void)state;
    for (uint64_t i = 0; i < 33; i++)
        predict(p, TROD_BRANCH_CALL, 0x1000 * i, 0x500, true);
    for (uint64_t i = 33; i-- > 1;)
        assert_int_equal(predict(p, TROD_BRANCH_RETURN, 0x500, 0x1000 * i + 4, true),
            TROD_TIMING_RIGHT);
    /* 32 places: the first was lost. */
    assert_int_equal(
        predict(p, TROD_BRANCH_RETURN, 0x500, 4, true), TROD_TIMING_MISPREDICTED);
}

static void test_targets(void **state)
{
    struct trod_timing_predict *p = predictor("table5.3");

    (void)state;
    assert_int_equal(
        predict(p, TROD_BRANCH_INDIRECT, 8, 100, true), TROD_TIMING_MISPREDICTED);
    assert_int_equal(predict(p, TROD_BRANCH_INDIRECT, 8, 100, true), TROD_TIMING_RIGHT);
    assert_int_equal(
        predict(p, TROD_BRANCH_INDIRECT, 8, 200, true), TROD_TIMING_MISPREDICTED);
    assert_int_equal(predict(p, TROD_BRANCH_INDIRECT, 8, 200, true), TROD_TIMING_RIGHT);
    assert_int_equal(
        predict(p, TROD_BRANCH_JUMP, 16, 80, true), TROD_TIMING_MISFETCHED);
    assert_int_equal(predict(p, TROD_BRANCH_JUMP, 16, 80, true), TROD_TIMING_RIGHT);
    assert_int_equal(predict(p, TROD_BRANCH_NONE, 24, 28, false), TROD_TIMING_RIGHT);
}

/* Taken, not, taken, ...: bimodal is right half the time at best, a history always. */
static void test_histories(void **state)
{
    static const char *const machine[] = {"table5.3", "low", "high"};

    (void)state;
    for (int m = 0; m < 3; m++) {
        struct trod_timing_predict *p = predictor(machine[m]);
        int wrong = 0;

        for (int i = 0; i < 200; i++) {
            bool taken = i % 2;

            wrong += predict(p, TROD_BRANCH_IF, 64, taken ? 128 : 68, taken) ==
                         TROD_TIMING_MISPREDICTED &&
                     i >= 100;
        }
        assert_int_equal(wrong, 0);
    }
}

/* --- texts ------------------------------------------------------------------------------------------------------------------ */

static void parse(struct trod_timing_machine *out, const char *from)
{
    struct trod_text text;

    trod_text_init(&text, "x", from, strlen(from));
    must(trod_timing_machine_parse(out, &text, &have.mem, &have.err));
}

static const char *print(const struct trod_timing_machine *machine)
{
    struct trod_string out;

    trod_string_init(&out, &have.mem);
    trod_timing_machine_print(&out.sink, machine);
    return out.text;
}

static void test_machines(void **state)
{
    const char *name;

    (void)state;
    for (uint32_t i = 0; (name = trod_timing_machine_name(i)); i++) {
        struct trod_timing_machine machine, back;
        const char *text;

        assert_true(trod_timing_machine_named(&machine, name));
        must(trod_timing_machine_check(&machine, &have.err));
        text = print(&machine);
        parse(&back, text);
        assert_string_equal(print(&back), text);
    }
    assert_false(trod_timing_machine_named(&(struct trod_timing_machine){0}, "none"));
}

static void refuse(const char *from, const char *why)
{
    struct trod_timing_machine machine;
    struct trod_text text;

    trod_text_init(&text, "x", from, strlen(from));
    assert_false(trod_timing_machine_parse(&machine, &text, &have.mem, &have.err));
    assert_string_equal(have.err.text, why);
}

static void test_refused(void **state)
{
    (void)state;
    refuse("", "x:1:1: expected the head of a machine, 'machine NAME'");
    refuse("machine a\nwidth 17\n", "x:2:1: width is from 1 to 16, not 17");
    refuse("machine a\n\n  l1d 3K 1 32 1",
        "x:3:3: l1d: its size is a power of 2 up to 1024M, not 3072");
    refuse("machine a\nl2 1K 1 x 1",
        "x:2:9: expected bytes of a line, a whole number, not 'x'");
    refuse("machine a\nunits tricks 4",
        "x:2:7: 'tricks' is not a kind of unit; doc/hardware/timing.md lists them");
    refuse("machine a\npredictor combined 1K gshare 1K 3\n",
        "x:2:23: 'bimodal' must be the first of two combined predictors");
    refuse("machine a\nl1i 32K 1 128 1\n",
        "x:3:1: l2: its lines are shorter than those of l1i or l1d; make them at least as long");
    refuse("machine a\nwidth 4 4\n", "x:2:9: expected the end of the line");
    refuse("machine a\nsheep 4\n",
        "x:2:1: expected a line of a machine; doc/hardware/timing.md lists them");
}

static void test_longer_lines(void **state)
{
    struct trod_timing_machine machine;

    (void)state;
    parse(&machine, "machine a\nl1i 32K 1 128 1\nl2 1M 4 128 12\n");
    assert_int_equal(machine.l2.size, 1 << 20);
    assert_int_equal(machine.width, 4);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_returns),
        TEST(test_targets),
        TEST(test_histories),
        TEST(test_machines),
        TEST(test_refused),
        TEST(test_longer_lines),
    };

    return cmocka_run_group_tests_name("machine", tests, NULL, NULL);
}
