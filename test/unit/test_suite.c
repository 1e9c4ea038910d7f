/* Suites: how tests get their names and times, what does not belong together and which
 * words say so, scores that were published, and validators that find what is broken. What
 * holds for all suites is in prop_suite.c.
 */
#include "kit/kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "suite/suite.h"

static struct {
    struct trod_arena mem;
    struct trod_suite_builder builder;
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
    trod_suite_builder_init(&have.builder, &have.mem);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    trod_arena_free(&have.mem);
    return 0;
}

static void must(bool ok)
{
    if (!ok)
        fail_msg("%s", have.err.text);
}

static bool add_named(const struct trod_suite_source *naming, const char *text)
{
    struct trod_profile *profile = trod_new(&have.mem, struct trod_profile, 4);
    struct trod_text cursor;
    uint32_t n = 0;
    bool more;

    trod_text_init(&cursor, naming->file, text, strlen(text));
    for (;; n++) {
        must(trod_profile_parse(&profile[n], &more, &cursor, &have.mem, &have.err));
        if (!more)
            break;
        assert_true(n < 3);
    }
    return trod_suite_add(&have.builder, profile, n, naming, &have.err);
}

static bool add(const char *file, bool failed, const char *text)
{
    struct trod_suite_source naming = {.file = file, .failed = failed};

    return add_named(&naming, text);
}

static bool try_build(struct trod_suite *out, bool foreign)
{
    struct trod_suite_options options = {.foreign = foreign};

    return trod_suite_build(out, &have.builder, &options, &have.mem, &have.err);
}

static struct trod_suite build(void)
{
    struct trod_suite out;

    must(try_build(&out, false));
    must(trod_suite_check(&out, &have.mem, &have.err));
    return out;
}

static void refused(bool ok, const char *words)
{
    assert_false(ok);
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    if (!strstr(have.err.text, words))
        fail_msg("'%s' is not in '%s'", words, have.err.text);
}

#define APP "module app source 01\n"
#define F1 "function 0000000000000001 0000000000000001 0000000000000000 9\n"
#define F2 "function 0000000000000002 0000000000000001 0000000000000000 9\n"
#define RUN "profile\nrun\n"

/* --- names and times ------------------------------------------------------------------------- */

static void test_names(void **state)
{
    struct trod_suite_source by_argument = {.file = "d", .field = "argument"};
    struct trod_suite s;

    (void)state;
    must(add("a", false, RUN APP F1 "=1 1\n"));
    must(add("b", false,
        "profile\nrun @0\npid: 1\nrun @1\npid: 2\n" APP F1 "=1 1 @0\n=2 1 @1\n"));
    must(add("c", false, RUN APP F1 "=1 1\n" RUN APP F1 "=3 1\n"));
    must(add_named(&by_argument, RUN "argument: x\nargument: y\n" APP F1 "=1 1\n"));
    must(add_named(&by_argument, RUN APP F1 "=4 1\n"));
    must(add_named(&by_argument, RUN "argument: \"x y\"\n" APP F1 "=5 1\n"));
    must(add("empty", false, "profile\n"));
    s = build();
    assert_int_equal(s.ntest, 8);
    assert_string_equal(s.test[0].name, "a");
    assert_string_equal(s.test[1].name, "b@0");
    assert_string_equal(s.test[2].name, "b@1");
    assert_string_equal(s.test[3].name, "c@0");
    assert_string_equal(s.test[4].name, "c@1");
    assert_string_equal(s.test[5].name, "x y");
    assert_string_equal(s.test[6].name, "d");
    assert_string_equal(s.test[7].name, "empty");
    assert_int_equal(have.builder.nunnamed, 1);
    assert_int_equal(have.builder.ngroup, 9);
    /* The two of one name are one, and take both paths. */
    assert_int_equal(s.first_path_of_test[6] - s.first_path_of_test[5], 2);
    assert_int_equal(s.first_path_of_test[8] - s.first_path_of_test[7], 0);
    assert_int_equal(s.npath, 5);
}

static void test_times(void **state)
{
    struct trod_suite s;

    (void)state;
    must(add("whole", false, RUN "duration: 2\n"));
    must(add("parts", false, RUN "duration: 1.5\nrun\nduration: 0.000000001\n"));
    must(add("fork", false,
        RUN "duration: 1.000000000\nrun\nbirth: fork\nduration: 7\nrun\nimage: "
            "library\nduration: 7\n"));
    must(add("killed", false, RUN "exit: unknown\n"));
    must(add("odd", false, RUN "duration: 1e9\n"));
    must(add("long", false, RUN "duration: 1.0000000000\n"));
    must(add("none", false, RUN "duration:\n"));
    must(add("huge", false, RUN "duration: 99999999999999999999999\n"));
    s = build();
    assert_true(s.test[0].timed && s.test[0].time == 2000000000);
    assert_true(s.test[1].timed && s.test[1].time == 1500000001);
    assert_int_equal(s.test[1].nrun, 2);
    assert_true(s.test[2].timed && s.test[2].time == 1000000000);
    assert_int_equal(s.test[2].nrun, 1);
    for (int t = 3; t < 7; t++)
        assert_true(!s.test[t].timed && s.test[t].time == UINT64_MAX);
    assert_true(s.test[7].timed && s.test[7].time == UINT64_MAX);
}

/* --- what was entered and never ended -------------------------------------------------------- */

static void test_begun(void **state)
{
    struct trod_suspects all;
    struct trod_suite s;

    (void)state;
    must(add("a", true, RUN APP F1 "begun 3\n"));
    must(add("b", true, RUN APP F1 "=1 1\nbegun 1\n"));
    must(add("c", false, RUN APP F1 F2 "=1 1\n"));
    s = build();
    assert_int_equal(s.npath, 2);
    assert_int_equal(s.first_path_of_test[1], 0);
    trod_suite_suspects(&all, &s, &have.mem);
    assert_int_equal(all.nsuspect, 1);
    assert_int_equal(all.suspect[0].nfailed, 1);
    assert_int_equal(all.suspect[0].nfailed_in, 2);
    assert_true(all.too_few);
}

/* --- what does not belong together ----------------------------------------------------------- */

static void test_modes(void **state)
{
    (void)state;
    must(add("a", false, RUN APP F1 "=1 1\n"));
    refused(add("b", false, RUN "module app code 01\n" F1 "=1 1\n"),
        "b: its paths are counted in mode code, those of a in mode source");
}

static void test_failed_and_passed(void **state)
{
    (void)state;
    must(add("a", false, RUN APP F1 "=1 1\n"));
    refused(add("a", true, RUN APP F1 "=1 1\n"),
        "test a: it is given both as failed and as passed");
}

#define OTHER_F1 "function 0000000000000001 0000000000000002 0000000000000000 9\n"

static void test_builds(void **state)
{
    struct trod_suite s;

    (void)state;
    must(add("a", false, RUN APP F1 F2 "=1 1\n"));
    must(add("b", false, RUN "module app source 02\n" OTHER_F1 "=1 1\n" F2));
    refused(try_build(&s, false), "a and b belong to two builds of 'app', in which 1 ");
    must(try_build(&s, true));
    assert_int_equal(s.npath, 2);
    assert_int_equal(s.nfunction, 3);
}

/* A function more or less is no other build, nor is one of another path. */
static void test_same_builds(void **state)
{
    struct trod_suite s;

    (void)state;
    must(add("a", false, RUN APP F1 F2 "=1 1\n"));
    must(add("b", false, RUN "module app source 02\n" F2 "=1 1\n"));
    must(add("c", false, RUN "module app2 source 03\n" OTHER_F1 F2 "=1 1\n"));
    s = build();
    assert_int_equal(s.npath, 1);
}

static void test_programs(void **state)
{
    struct trod_suite s;

    (void)state;
    must(add("none", false, "profile\n"));
    must(add("a", false, RUN APP F1 "=1 1\n"));
    must(add("b", false, RUN "module b source 02\n" F2 "=1 1\n"));
    refused(try_build(&s, false),
        "tests a and b belong to programs that share no function");
}

static void test_programs_that_share(void **state)
{
    (void)state;
    must(add("a", false, RUN APP F1 "=1 1\n"));
    must(add("b", false, RUN "module b source 02\n" F2 "=1 1\n"));
    must(add("both", false, RUN APP F1 "=1 1\nmodule b source 02\n" F2 "=2 1\n"));
    assert_int_equal(build().npath, 3);
}

/* --- orders and redundant tests --------------------------------------------------------------- */

/* Greedy takes b first, and then needs all three, though the other two would do. */
static void test_order(void **state)
{
    struct trod_suite_step step[4];
    bool is_redundant[4];
    struct trod_suite s;

    (void)state;
    must(add("c", false, RUN "duration: 1\n" APP F1 "=0 1\n=1 1\n=2 1\n"));
    must(add("b", false, RUN "duration: 9\n" APP F1 "=1 1\n=2 1\n=3 1\n=4 1\n"));
    must(add("a", false, RUN "duration: 1\n" APP F1 "=3 1\n=4 1\n=5 1\n"));
    must(add("0", false, RUN "duration: 1\n"));
    s = build();
    trod_suite_order(step, &s, TROD_BY_PATHS, &have.mem);
    must(trod_suite_order_check(&s, step, TROD_BY_PATHS, &have.mem, &have.err));
    assert_string_equal(s.test[step[0].test].name, "b");
    assert_string_equal(s.test[step[1].test].name, "a"); /* and c: by name */
    assert_string_equal(s.test[step[2].test].name, "c");
    assert_string_equal(s.test[step[3].test].name, "0");
    assert_int_equal(step[1].nall, 5);
    assert_true(step[1].time == 10000000000);
    assert_int_equal(trod_suite_reach(&s, step, 0.5), 1);
    assert_int_equal(trod_suite_reach(&s, step, 0.67), 2);
    assert_int_equal(trod_suite_reach(&s, step, 1), 3);
    trod_suite_redundant(is_redundant, &s, step, &have.mem);
    must(trod_suite_redundant_check(&s, is_redundant, &have.mem, &have.err));
    assert_true(
        !is_redundant[0] && is_redundant[1] && !is_redundant[2] && is_redundant[3]);
    trod_suite_order(step, &s, TROD_BY_TIME, &have.mem);
    assert_string_equal(s.test[step[0].test].name, "a");
    assert_string_equal(s.test[step[1].test].name, "c");
    assert_int_equal(trod_suite_reach(&s, step, 1), 2);
}

static void test_nothing(void **state)
{
    struct trod_suite_step step[1];
    struct trod_suspects all;
    struct trod_suite s;

    (void)state;
    s = build();
    trod_suite_order(step, &s, TROD_BY_PATHS, &have.mem);
    assert_int_equal(trod_suite_reach(&s, step, 1), 0);
    trod_suite_suspects(&all, &s, &have.mem);
    assert_true(all.too_few && all.nsuspect == 0);
    must(trod_suspects_check(&all, &s, &have.mem, &have.err));
}

/* --- scores that were published ---------------------------------------------------------------- */

static void add_many(uint32_t count, bool failed, const char *path)
{
    static uint32_t n;
    char name[20], text[200];

    snprintf(text, sizeof text, RUN APP F1 "%s 1\n", path);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "t%u", n++);
        must(add(name, failed, text));
    }
}

/* Newcombe's first example: 56 of 70 against 48 of 80. The interval of the difference is
 * from 0.0524 on; the path has 70 of 150, so that increase is 80/150 of it.
 */
static void test_newcombe(void **state)
{
    struct trod_suspects all;
    struct trod_suite s;

    (void)state;
    add_many(56, true, "=1");
    add_many(14, false, "=1");
    add_many(48, true, "=2");
    add_many(32, false, "=2");
    s = build();
    trod_suite_suspects(&all, &s, &have.mem);
    must(trod_suspects_check(&all, &s, &have.mem, &have.err));
    assert_int_equal(all.nsuspect, 2);
    assert_int_equal(s.path[all.suspect[0].path].id, 1);
    assert_true(fabs(all.suspect[0].increase - 0.2 * 80 / 150) < 1e-12);
    assert_true(fabs(all.suspect[0].low - 0.0524 * 80 / 150) < 0.00005);
    assert_true(all.suspect[0].sure && !all.suspect[1].sure);
    assert_int_equal(all.nsure, 1);
}

/* A path of one failing test does not win over one of all of them, though none that
 * passes takes it.
 */
static void test_seen_once(void **state)
{
    struct trod_suspects all;
    struct trod_suite s;

    (void)state;
    add_many(6, true, "=1 1\n=3");
    add_many(1, true, "=1 1\n=2 1\n=3");
    add_many(2, false, "=1 1\n=3");
    add_many(20, false, "=3");
    s = build();
    trod_suite_suspects(&all, &s, &have.mem);
    assert_int_equal(s.path[all.suspect[0].path].id, 1);
    assert_int_equal(s.path[all.suspect[1].path].id, 2);
    assert_true(all.suspect[0].increase < all.suspect[1].increase);
    assert_true(all.suspect[1].importance == 0);
    assert_true(all.suspect[2].increase == 0 && all.suspect[2].low == 0);
}

static bool too_few(uint32_t nfailed, uint32_t npassed)
{
    struct trod_suspects all;
    struct trod_suite s;

    trod_suite_builder_init(&have.builder, &have.mem);
    add_many(nfailed, true, "=1");
    add_many(npassed, false, "=2");
    s = build();
    trod_suite_suspects(&all, &s, &have.mem);
    return all.too_few;
}

/* Ways to choose those that fail: 20 are too few, 21 are not. */
static void test_too_few(void **state)
{
    (void)state;
    assert_true(too_few(1, 100));
    assert_true(too_few(100, 0));
    assert_true(too_few(2, 4));
    assert_false(too_few(2, 5));
    assert_true(too_few(3, 3));
    assert_false(too_few(3, 4));
    assert_true(too_few(19, 1));
    assert_false(too_few(20, 1));
}

/* --- validators ----------------------------------------------------------------------------------- */

static void broken(bool ok)
{
    assert_false(ok);
    assert_int_equal(have.err.code, TROD_E_INTERNAL);
}

static struct trod_suite three(void)
{
    must(add("a", true, RUN APP F1 "=0 1\n=1 1\n" F2 "=1 1\n"));
    must(add("b", false, RUN APP F1 "=1 1\n" F2));
    must(add("c", false, RUN APP F1 F2 "=1 1\n=2 1\n"));
    return build();
}

static void *copy(const void *from, size_t size)
{
    return memcpy(trod_new(&have.mem, char, size), from, size);
}

static void test_check(void **state)
{
    struct trod_suite good = three(), s;

    (void)state;
    {
        struct trod_suite_test *test = copy(good.test, 3 * sizeof *test);

        s = good;
        s.test = test;
        test[1].name = "a";
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
    {
        struct trod_profile_function *function =
            copy(good.function, 2 * sizeof *function);

        s = good;
        s.function = function;
        function[1] = function[0];
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
    {
        struct trod_suite_path *path = copy(good.path, 4 * sizeof *path);

        s = good;
        s.path = path;
        path[1].id = 0;
        broken(trod_suite_check(&s, &have.mem, &have.err));
        path[1].id = 9;
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
    {
        uint32_t *path_of_test = copy(good.path_of_test, 6 * sizeof *path_of_test);

        s = good;
        s.path_of_test = path_of_test;
        path_of_test[0] = 1;
        path_of_test[1] = 0;
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
    {
        uint32_t *path_of_test = copy(good.path_of_test, 6 * sizeof *path_of_test);

        s = good;
        s.path_of_test = path_of_test;
        path_of_test[3] = 0; /* b took the other one */
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
    {
        uint32_t *test_of_path = copy(good.test_of_path, 6 * sizeof *test_of_path);

        s = good;
        s.test_of_path = test_of_path;
        test_of_path[0] = 3;
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
    {
        uint32_t *test_of_function =
            copy(good.test_of_function, 4 * sizeof *test_of_function);

        s = good;
        s.test_of_function = test_of_function;
        test_of_function[0] = 1;
        test_of_function[1] = 2;
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
    {
        size_t *first_test_of_path =
            copy(good.first_test_of_path, 5 * sizeof *first_test_of_path);

        s = good;
        s.first_test_of_path = first_test_of_path;
        first_test_of_path[1] = 0;
        broken(trod_suite_check(&s, &have.mem, &have.err));
    }
}

static void test_check_results(void **state)
{
    struct trod_suite s = three();
    struct trod_suite_step step[3], good;
    struct trod_suspect suspect[3];
    bool is_redundant[3];
    struct trod_suspects all;

    (void)state;
    trod_suite_order(step, &s, TROD_BY_PATHS, &have.mem);
    trod_suite_redundant(is_redundant, &s, step, &have.mem);
    good = step[1];
    step[1] = step[0];
    broken(trod_suite_order_check(&s, step, TROD_BY_PATHS, &have.mem, &have.err));
    step[1] = good;
    step[1].nnew++;
    broken(trod_suite_order_check(&s, step, TROD_BY_PATHS, &have.mem, &have.err));
    step[1] = good;
    step[1].time++;
    broken(trod_suite_order_check(&s, step, TROD_BY_PATHS, &have.mem, &have.err));
    is_redundant[0] = !is_redundant[0];
    broken(trod_suite_redundant_check(&s, is_redundant, &have.mem, &have.err));
    is_redundant[0] = !is_redundant[0];
    is_redundant[1] = !is_redundant[1];
    broken(trod_suite_redundant_check(&s, is_redundant, &have.mem, &have.err));

    trod_suite_suspects(&all, &s, &have.mem);
    assert_int_equal(all.nsuspect, 3);
    memcpy(suspect, all.suspect, sizeof suspect);
    all.suspect = suspect;
    must(trod_suspects_check(&all, &s, &have.mem, &have.err));
    suspect[0].sure = true;
    broken(trod_suspects_check(&all, &s, &have.mem, &have.err));
    suspect[0].sure = false;
    suspect[2].importance = 2;
    broken(trod_suspects_check(&all, &s, &have.mem, &have.err));
    suspect[2].importance = 0;
    suspect[1].npassed++;
    broken(trod_suspects_check(&all, &s, &have.mem, &have.err));
    suspect[1].npassed--;
    all.nsuspect = 2;
    broken(trod_suspects_check(&all, &s, &have.mem, &have.err));
}

/* --- memory ------------------------------------------------------------------------------------------- */

static void use_all(struct trod_arena *mem, void *ctx)
{
    static const char text[] = RUN "duration: 1\n" APP F1 "=0 1\n=1 1\n" F2 "=1 1\n";
    struct trod_suite_source naming = {.file = "t", .failed = true};
    bool is_redundant[1], is_wanted[2] = {true, false};
    struct trod_suite_step step[1];
    struct trod_suite_builder b;
    struct trod_profile profile;
    struct trod_suspects all;
    struct trod_suite s, some;
    struct trod_text cursor;
    struct trod_err err;
    bool more, ok;

    (void)ctx;
    trod_text_init(&cursor, "t", text, strlen(text));
    ok = trod_profile_parse(&profile, &more, &cursor, mem, &err);
    trod_suite_builder_init(&b, mem);
    ok = ok && trod_suite_add(&b, &profile, 1, &naming, &err) &&
         trod_suite_add(&b, &profile, 1, &naming, &err) &&
         trod_suite_build(&s, &b, NULL, mem, &err);
    if (!ok)
        abort();
    trod_suite_order(step, &s, TROD_BY_TIME, mem);
    trod_suite_redundant(is_redundant, &s, step, mem);
    trod_suite_suspects(&all, &s, mem);
    trod_suite_choose(&some, &s, is_wanted, mem);
    ok = trod_suite_check(&some, mem, &err) &&
         trod_suite_order_check(&s, step, TROD_BY_TIME, mem, &err) &&
         trod_suite_redundant_check(&s, is_redundant, mem, &err) &&
         trod_suspects_check(&all, &s, mem, &err);
    if (!ok)
        abort();
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(use_all, NULL) > 50);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(names),
        TEST(times),
        TEST(begun),
        TEST(modes),
        TEST(failed_and_passed),
        TEST(builds),
        TEST(same_builds),
        TEST(programs),
        TEST(programs_that_share),
        TEST(order),
        TEST(nothing),
        TEST(newcombe),
        TEST(seen_once),
        TEST(too_few),
        TEST(check),
        TEST(check_results),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("suite", tests, NULL, NULL);
}
