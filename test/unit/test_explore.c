/* Designs of experiments: that they are balanced, whatever their size; that effects of functions which are known come out as they
 * are; ranks, and what has none; what the text form refuses, and where; many designs on one pass; what happens when
 * memory ends.
 */
#include "kit/fixture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "explore/explore.h"

static bool try_parse(struct trod_explored *out, const char *text)
{
    struct trod_text cursor;
    const char *name;
    struct trod_token head;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_text_next(&head, &cursor, &have.mem, &have.err) &&
           trod_text_take_name(
               &name, "the name of a study", &cursor, &have.mem, &have.err) &&
           trod_explored_parse(out, name, &cursor, &have.mem, &have.err);
}

static const char *print(const struct trod_explored *explored)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_explored_print(&text.sink, explored);
    return text.text;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

/* --- matrices --------------------------------------------------------------------------------- */

static void test_balanced(void **state)
{
    (void)state;
    for (uint32_t n = 0; n <= TROD_BURMAN_MOST + 4; n++) {
        uint8_t *high = trod_new(&have.mem, uint8_t, (size_t)(n + 4) * (n + 4));
        bool is = trod_hadamard_fill(high, n, &have.mem);

        assert_int_equal(is, n >= 4 && n % 4 == 0 && n <= TROD_BURMAN_MOST);
        if (!is)
            continue;
        assert_true(trod_hadamard_check(high, n, n - 1));
        /* And a matrix with one level changed is not. */
        high[n] = !high[n];
        assert_false(trod_hadamard_check(high, n, n - 1));
    }
}

/* Of 12 runs, as Plackett and Burman printed it. */
static void test_as_printed(void **state)
{
    static const char *const row[] = {"++-+++---+-", "-++-+++---+", "+-++-+++---"};
    uint8_t high[12 * 11];

    (void)state;
    assert_true(trod_hadamard_fill(high, 12, &have.mem));
    for (uint32_t r = 0; r < 3; r++)
        for (uint32_t c = 0; c < 11; c++)
            assert_int_equal(high[r * 11 + c], row[r][c] == '+');
    for (uint32_t c = 0; c < 11; c++)
        assert_int_equal(high[11 * 11 + c], 0);
}

/* --- designs ------------------------------------------------------------------------------------ */

static const char *designs_of(const char *text)
{
    struct trod_explored explored = {0};
    struct trod_string csv;

    must(try_parse(&explored, text));
    must(trod_explored_check(&explored, &have.err));
    trod_string_init(&csv, &have.mem);
    trod_designs_csv(&csv.sink, &explored.study, &explored.designs);
    return csv.text;
}

static void test_designs(void **state)
{
    (void)state;
    assert_string_equal(
        designs_of("study s\ndesign sweep\nmeasure m\na 1 *2 3\nb x y\nc 9\n"),
        "design,a,b,c\n0,2,x,9\n1,1,x,9\n2,3,x,9\n3,2,y,9\n");
    assert_string_equal(
        designs_of("study s\ndesign factorial\nmeasure m\na 1 2\nc 9\nb x y z\n"),
        "design,a,c,b\n0,1,9,x\n1,1,9,y\n2,1,9,z\n3,2,9,x\n4,2,9,y\n5,2,9,z\n");
    assert_string_equal(
        designs_of("study s\ndesign burman 4 foldover\nmeasure m\na 1 2\nc 9\nb x y\n"),
        "design,a,c,b\n"
        "0,2,9,y\n1,1,9,y\n2,1,9,x\n3,2,9,x\n"
        "4,1,9,x\n5,2,9,x\n6,2,9,y\n7,1,9,y\n");
}

/* --- effects ------------------------------------------------------------------------------------ */

typedef double function(const uint32_t *level);

/* Values of a function of the levels, on one stream. */
static void fill_values(struct trod_explored *e, function *f)
{
    static const char *const name[] = {"known"};
    double *value = trod_new(&have.mem, double, e->designs.ndesign);

    for (uint32_t d = 0; d < e->designs.ndesign; d++)
        value[d] = f(e->designs.level + (size_t)d * e->designs.ncolumn);
    e->stream = name;
    e->nstream = 1;
    e->value = value;
}

static const struct trod_effect *effect_on(
    const struct trod_effects *effects, uint64_t columns)
{
    for (uint32_t i = 0; i < effects->neffect; i++)
        if (effects->effect[i].columns == columns)
            return &effects->effect[i];
    fail_msg("no effect of %#llx", (unsigned long long)columns);
    abort();
}

static double linear(const uint32_t *level)
{
    return 10 + 3 * level[0] - 5 * (double)level[1] + 0.5 * level[3];
}

static double together(const uint32_t *level)
{
    return linear(level) + 8 * (double)(level[0] * level[1]);
}

#define SIX "a 0 1\nb 0 1\nc 0 1\nd 0 1\ne 0 1\nf 0 1\n"

static void test_burman_effects(void **state)
{
    static const uint32_t runs[] = {8, 12, 16, 20, 24, 28, 48};

    (void)state;
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        for (int fold = 0; fold < 2; fold++) {
            struct trod_explored e = {0};
            struct trod_effects effects;
            char text[200];

            snprintf(text, sizeof text, "study s\ndesign burman %u%s\nmeasure m\n" SIX,
                runs[i], fold ? " foldover" : "");
            must(try_parse(&e, text));
            must(trod_explored_check(&e, &have.err));
            fill_values(&e, linear);
            trod_effects_build(&effects, &e, 0, 0, &have.mem);
            assert_int_equal(effects.neffect, runs[i] - 1);
            assert_true(is_near(effect_on(&effects, 1)->mean, 3));
            assert_true(is_near(effect_on(&effects, 2)->mean, -5));
            assert_true(is_near(effect_on(&effects, 4)->mean, 0));
            assert_true(is_near(effect_on(&effects, 8)->mean, 0.5));
            assert_true(is_near(effect_on(&effects, 2)->rank[0], 1));
            assert_true(is_near(effect_on(&effects, 1)->rank[0], 2));
            assert_true(is_near(effect_on(&effects, 8)->rank[0], 3));
            /* All others are alike: the mean of what is left. */
            assert_true(
                is_near(effect_on(&effects, 4)->rank[0], (4 + effects.neffect) / 2.0));
            assert_int_equal(effects.effect[0].columns, 2);
            assert_true(is_near(effect_on(&effects, 2)->share[0], 25 / 34.25));
        }
}

/* An interaction of two is spread over others' effects, unless the design is folded over. */
static void test_foldover(void **state)
{
    struct trod_explored e = {0};
    struct trod_effects effects;
    double worst = 0;

    (void)state;
    must(try_parse(&e, "study s\ndesign burman 12\nmeasure m\n" SIX));
    fill_values(&e, together);
    trod_effects_build(&effects, &e, 0, 0, &have.mem);
    worst = fabs(effect_on(&effects, 4)->mean);
    assert_true(worst > 1);
    must(try_parse(&e, "study s\ndesign burman 12 foldover\nmeasure m\n" SIX));
    fill_values(&e, together);
    trod_effects_build(&effects, &e, 0, 0, &have.mem);
    assert_true(is_near(effect_on(&effects, 1)->mean, 3 + 4));
    assert_true(is_near(effect_on(&effects, 2)->mean, -5 + 4));
    for (uint32_t c = 4; c < 11; c++)
        assert_true(is_near(effect_on(&effects, UINT64_C(1) << c)->mean, 0));
}

static void test_factorial_effects(void **state)
{
    struct trod_explored e = {0};
    struct trod_effects effects;
    double shares = 0;

    (void)state;
    must(try_parse(&e,
        "study s\ndesign factorial\nmeasure m\na 0 1\nb 0 1\nc 0 1 2\nd 0 1\nx 7\n"));
    fill_values(&e, together);
    trod_effects_build(&effects, &e, 0, 4, &have.mem);
    assert_int_equal(effects.neffect, 15); /* x is fixed */
    assert_true(is_near(effect_on(&effects, 1)->mean, 3 + 4));
    assert_true(is_near(effect_on(&effects, 2)->mean, -5 + 4));
    assert_true(is_near(effect_on(&effects, 3)->mean, 8 / 2.0));
    assert_true(is_near(effect_on(&effects, 4)->mean, 0));
    assert_true(is_near(effect_on(&effects, 8)->mean, 0.5));
    assert_true(is_near(effect_on(&effects, 7)->mean, 0));
    for (uint32_t i = 0; i < effects.neffect; i++)
        shares += effects.effect[i].share[0];
    assert_true(is_near(shares, 1));
    trod_effects_build(&effects, &e, 0, 0, &have.mem);
    assert_int_equal(effects.neffect, 10); /* of one and of two */
}

/* By hand: the means of a are 4, 6 and 11, those of b 5 and 9; nothing more. */
static double by_hand(const uint32_t *level)
{
    static const double a[] = {-3, -1, 4}, b[] = {-2, 2};

    return 7 + a[level[0]] + b[level[1]];
}

static void test_several_levels(void **state)
{
    struct trod_explored e = {0};
    struct trod_effects effects;

    (void)state;
    must(try_parse(&e, "study s\ndesign factorial\nmeasure m\na p q r\nb 0 1\n"));
    fill_values(&e, by_hand);
    trod_effects_build(&effects, &e, 0, 0, &have.mem);
    assert_true(is_near(effect_on(&effects, 1)->mean, 7));
    assert_true(is_near(effect_on(&effects, 2)->mean, 4));
    assert_true(is_near(effect_on(&effects, 3)->mean, 0));
    /* 2 (9 + 1 + 16) = 52 and 6 x 4 = 24 */
    assert_true(is_near(effect_on(&effects, 1)->share[0], 52.0 / 76));
    assert_true(is_near(effect_on(&effects, 2)->share[0], 24.0 / 76));
    must(try_parse(&e, "study s\ndesign sweep\nmeasure m\na p *q r\nb *0 1\n"));
    fill_values(&e, by_hand);
    trod_effects_build(&effects, &e, 0, 0, &have.mem);
    assert_true(is_near(effect_on(&effects, 1)->mean, 7));
    assert_true(is_near(effect_on(&effects, 2)->mean, 4));
    assert_true(isnan(effect_on(&effects, 1)->share[0]));
    assert_int_equal(effects.effect[0].columns, 1);
}

/* Two streams that do not agree, and a third that is unknown in one design. */
static void test_sums_of_ranks(void **state)
{
    struct trod_explored e = {0};
    struct trod_effects effects;
    double mean;

    (void)state;
    must(try_parse(&e, "study s\ndesign factorial\nmeasure m\na 0 1\nb 0 1\n"
                       "stream one\nrun 0 1\nrun 1 2\nrun 2 11\nrun 3 12\n"
                       "stream two\nrun 0 1\nrun 1 4\nrun 2 2\nrun 3 5\n"
                       "stream three\nrun 0 ?\nrun 1 4\nrun 2 2\nrun 3 11\n"));
    must(trod_explored_check(&e, &have.err));
    trod_effects_build(&effects, &e, 0, 2, &have.mem);
    assert_int_equal(effects.nranked, 2);
    assert_true(is_near(effect_on(&effects, 1)->sum, 3));
    assert_true(is_near(effect_on(&effects, 2)->sum, 3));
    assert_true(is_near(effect_on(&effects, 3)->sum, 6));
    assert_true(is_near(effect_on(&effects, 1)->mean, 5.5));
    assert_true(isnan(effect_on(&effects, 1)->rank[2]));
    assert_int_equal(trod_explored_best(&mean, &e, 0), 3);
    assert_true(is_near(mean, 28 / 3.0));
    assert_true(is_near(trod_explored_mean(&e, 0, 0), 1));
}

static double nothing(const uint32_t *level)
{
    (void)level;
    return 0.1;
}

static void test_nothing_matters(void **state)
{
    struct trod_explored e = {0};
    struct trod_effects effects;

    (void)state;
    must(try_parse(&e, "study s\ndesign burman 8\nmeasure m\na 0 1\nb 0 1\n"));
    fill_values(&e, nothing);
    trod_effects_build(&effects, &e, 0, 0, &have.mem);
    for (uint32_t i = 0; i < effects.neffect; i++) {
        assert_true(is_near(effects.effect[i].share[0], 0));
        assert_true(is_near(effects.effect[i].rank[0], 4));
    }
}

/* --- text --------------------------------------------------------------------------------------- */

static void test_round_trip(void **state)
{
    static const char text[] = "study \"a b\"\ndesign factorial\nmeasure m n\n"
                               "\"stream\" 1 *2\nx \"a b\"\n"
                               "stream one\nrun 0 0.1 -1.5e-07\nrun 1 1e+300 ?\n";
    struct trod_explored e = {0};

    (void)state;
    must(try_parse(&e, text));
    must(trod_explored_check(&e, &have.err));
    assert_string_equal(print(&e), text);
    assert_true(trod_explored_value(&e, 0, 0, 1) == -1.5e-7);
}

static void test_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } refused[] = {
        {"study s\nmeasure m\na 1\n", "no line 'design'"},
        {"study s\ndesign sweep\na 1\n", "measures 0 things"},
        {"study s\ndesign sweep\nmeasure m\n", "has 0 parameters"},
        {"study s\ndesign swoop\nmeasure m\na 1\n", "text:2:8: 'swoop' is not"},
        {"study s\ndesign burman 9\n", "text:2:15: invalid number of runs '9'"},
        {"study s\ndesign burman 52\n", "up to 48"},
        {"study s\ndesign burman 8 folded\n", "text:2:17: expected 'foldover'"},
        {"study s\ndesign burman 4\nmeasure m\na 1 2 3\n", "two, low and high"},
        {"study s\ndesign burman 4\nmeasure m\na 1 2\nb 1 2\nc 1 2\nd 1 2\n",
            "more than 4 runs"},
        {"study s\ndesign sweep\nmeasure m\n\n# x\n  a 1   2 1\n",
            "text:6:11: 'a' already has the value '1'"},
        {"study s\ndesign sweep\nmeasure m\na *1 *2\n", "text:4:6: only one value"},
        {"study s\ndesign sweep\nmeasure m\na 1 *\n", "text:4:6: expected a value"},
        {"study s\ndesign sweep\nmeasure m\na\n", "expected values of 'a'"},
        {"study s\ndesign sweep\nmeasure m\na -1\n", "text:4:3: expected a value"},
        {"study s\ndesign sweep\nmeasure m\na 1\na 2\n", "text:5:1: parameter 'a'"},
        {"study s\ndesign sweep\nmeasure m m\n", "text:3:11: 'm' is measured"},
        {"study s\ndesign sweep\ndesign sweep\n", "text:3:1: a study has one design"},
        {"study s\ndesign sweep\nmeasure m\na 1\nrun 0 1\n",
            "add a line 'stream NAME'"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\n", "lacks runs"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\nrun 1 5\n",
            "text:6:5: design 0 comes next"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\nrun 0 5x\n",
            "text:6:7: expected a number"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\nrun 0 inf\n",
            "text:6:7: expected a number"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\nrun 0 1e999\n",
            "text:6:7: expected a number"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\nrun 0\n", "of 1 measures"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\nrun 0 1\nstream x\n",
            "text:7:8: stream 'x' already exists"},
        {"study s\ndesign sweep\nmeasure m\na 1\nstream x\nrun 0 1\nb 2\n",
            "text:7:1: lines of the study"},
        {"study s\ndesign factorial\nmeasure m\na 1 2 3 4 5 6 7 8\nb 1 2 3 4 5 6 7 8\n"
         "c 1 2 3 4 5 6 7 8\nd 1 2 3 4 5 6 7 8\ne 1 2\n",
            "more than 4096 designs"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct trod_explored e = {0};

        have.err.text[0] = '\0';
        if (try_parse(&e, refused[i].text) || !strstr(have.err.text, refused[i].words))
            fail_msg("%s\n%s: not in '%s'", refused[i].text, refused[i].words,
                have.err.text);
    }
}

/* --- validators ----------------------------------------------------------------------------------- */

static void test_check(void **state)
{
    struct trod_explored e = {0};
    uint32_t *level;
    double *value;

    (void)state;
    must(try_parse(&e, "study s\ndesign burman 8\nmeasure m\na 0 1\nb 0 1\n"));
    fill_values(&e, linear);
    must(trod_explored_check(&e, &have.err));
    assert(e.designs.level);
    level = trod_new(&have.mem, uint32_t, (size_t)8 * 7);
    for (uint32_t i = 0; i < 8 * 7; i++)
        level[i] = trod_design_level(&e.designs, i / 7, i % 7);
    e.designs.level = level;
    level[9] = !level[9];
    assert_false(trod_explored_check(&e, &have.err));
    assert_non_null(strstr(have.err.text, "not balanced"));
    level[9] = 2;
    assert_false(trod_explored_check(&e, &have.err));
    must(try_parse(&e, "study s\ndesign factorial\nmeasure m\na 0 1\nb 0 1\n"));
    fill_values(&e, linear);
    value = trod_new(&have.mem, double, 4);
    value[2] = INFINITY;
    e.value = value;
    assert_false(trod_explored_check(&e, &have.err));
    value[2] = NAN;
    must(trod_explored_check(&e, &have.err));
    level = trod_new(&have.mem, uint32_t, 8);
    e.designs.level = level;
    assert_false(trod_explored_check(&e, &have.err));
    assert_non_null(strstr(have.err.text, "twice"));
}

/* --- models --------------------------------------------------------------------------------------- */

static const char *const words[] = {"low", "high", NULL};
static const struct trod_explore_knob knobs[] = {
    {.name = "size", .least = 2, .most = 4096, .power = true, .usual = "8"},
    {.name = "how", .word = words, .usual = "low"},
    {.name = "n", .least = 1, .most = 9, .usual = "3"},
    {0},
};
static const struct trod_explore_metric metrics[] = {
    {"score", "what it is worth"}, {"runs", "how many there were"}, {0}};

struct run_counter {
    struct trod_branch_sink sink;
    const struct trod_explore_model *model;
    const struct trod_study *study;
    const struct trod_designs *designs;
    uint64_t nrun;
};

static void count_run(struct trod_branch_sink *to, const struct trod_run *run)
{
    struct run_counter *c = (struct run_counter *)to;

    (void)run;
    c->nrun++;
}

static bool measure_counts(double *value, struct trod_explore_trial *trial,
    struct trod_arena *mem, struct trod_err *err)
{
    struct run_counter *c = trial->ctx;

    (void)mem;
    (void)err;
    for (uint32_t d = 0; d < c->designs->ndesign; d++)
        for (uint32_t m = 0; m < c->study->nmeasure; m++)
            value[d * c->study->nmeasure + m] =
                strcmp(c->study->measure[m], "runs") == 0
                    ? (double)c->nrun
                    : (double)(trod_explore_number(
                                   c->model, c->study, c->designs, d, "size") *
                               10) +
                          (double)trod_explore_number(
                              c->model, c->study, c->designs, d, "how") +
                          (double)trod_explore_number(
                              c->model, c->study, c->designs, d, "n") /
                              10;
    return true;
}

/* No more than 4 are counted. */
static bool limit_runs(struct trod_explore_lack *out, uint32_t measure,
    const struct trod_explore_trial *trial)
{
    const struct run_counter *c = trial->ctx;

    if (strcmp(c->study->measure[measure], "runs") != 0 || c->nrun <= 4)
        return false;
    *out = (struct trod_explore_lack){
        .measure = measure, .what = "runs", .count = c->nrun, .limit = 4};
    return true;
}

static bool make_counting(struct trod_explore_trial *out,
    const struct trod_explore_model *model, const struct trod_study *study,
    const struct trod_designs *designs, struct trod_arena *mem, struct trod_err *err)
{
    struct run_counter *c = trod_new(mem, struct run_counter, 1);

    (void)err;
    *c = (struct run_counter){{.run = count_run}, model, study, designs, 0};
    *out = (struct trod_explore_trial){&c->sink, measure_counts, c, limit_runs};
    return true;
}

static const struct trod_explore_model counting = {knobs, metrics, make_counting, NULL};

static bool feed(struct trod_branch_sink *sink, void *ctx, struct trod_err *err)
{
    static const struct trod_code code = {.pc = 16, .last = 16, .after = 17};
    struct trod_run run = {.code = &code, .next = 17};

    (void)err;
    for (int i = *(int *)ctx; i > 0; i--)
        sink->run(sink, &run);
    return true;
}

static void test_run(void **state)
{
    int few = 3, more = 5;
    const struct trod_explore_source source[] = {
        {"few", feed, &few}, {"more", feed, &more}};
    struct trod_explored study = {0}, e;

    (void)state;
    must(try_parse(&study, "study s\ndesign factorial\nmeasure runs score\n"
                           "size 4 1k\nhow low high\n"));
    must(trod_explore_fits(&counting, &study.study, &have.err));
    must(
        trod_explore_run(&e, &study.study, &counting, source, 2, &have.mem, &have.err));
    must(trod_explored_check(&e, &have.err));
    assert_string_equal(print(&e),
        "study s\ndesign factorial\nmeasure runs score\nsize 4 1k\nhow low high\n"
        "stream few\nrun 0 3 40.3\nrun 1 3 41.3\nrun 2 3 10240.3\nrun 3 3 10241.3\n"
        "stream more\nmissing runs runs 5 4\nrun 0 5 40.3\nrun 1 5 41.3\nrun 2 5 10240.3\nrun 3 5 10241.3\n");
}

/* As it happens, the same as recorded. */
static void test_live(void **state)
{
    int few = 3, more = 5;
    const struct trod_explore_source source = {"few", feed, &few};
    struct trod_explored study = {0}, recorded, e;
    struct trod_explore_live live;

    (void)state;
    must(try_parse(&study, "study s\ndesign burman 4\nmeasure runs score\n"
                           "size 4 1k\nhow low high\n"));
    must(trod_explore_run(
        &recorded, &study.study, &counting, &source, 1, &have.mem, &have.err));
    must(trod_explore_begin(&live, &study.study, &counting, &have.mem, &have.err));
    must(feed(live.trial.sink, &few, &have.err));
    must(trod_explore_finish(&e, &live, "few", &have.mem, &have.err));
    must(trod_explored_check(&e, &have.err));
    assert_string_equal(print(&e), print(&recorded));
    assert_int_equal(e.nmissing, 0);
    must(trod_explore_begin(&live, &study.study, &counting, &have.mem, &have.err));
    must(feed(live.trial.sink, &more, &have.err));
    must(trod_explore_finish(&e, &live, "more", &have.mem, &have.err));
    must(trod_explored_check(&e, &have.err));
    assert_int_equal(e.nmissing, 1);
    assert_int_equal(e.missing[0].count, 5);
}

/* Break one thing after the other. */
static void test_check_missing(void **state)
{
    struct trod_explore_lack missing[2] = {{0, 0, "runs", 5, 4}, {0, 1, "runs", 5, 4}};
    struct trod_explored e = {0};

    (void)state;
    must(try_parse(
        &e, "study s\ndesign sweep\nmeasure m n\na 1\nstream x\nrun 0 ? ?\n"));
    e.missing = missing;
    e.nmissing = 2;
    must(trod_explored_check(&e, &have.err));
    missing[1].count = 4;
    assert_false(trod_explored_check(&e, &have.err));
    missing[1] = missing[0];
    assert_false(trod_explored_check(&e, &have.err));
    missing[1].measure = 2;
    assert_false(trod_explored_check(&e, &have.err));
    missing[1] = (struct trod_explore_lack){1, 0, "runs", 5, 4};
    assert_false(trod_explored_check(&e, &have.err));
}

static void test_unfit(void **state)
{
    static const char *const unfit[][2] = {
        {"measure score\nsizes 4\n",
            "unknown parameter 'sizes'; expected one of: size, how, n"},
        {"measure score\nsize 3\n", "powers of two from 2 to 4096"},
        {"measure score\nsize 8k\n", "powers of two from 2 to 4096"},
        {"measure score\nn 10\n", "whole numbers from 1 to 9"},
        {"measure score\nn k\n", "whole numbers"},
        {"measure score\nhow lower\n", "which takes low, high"},
        {"measure skore\nn 1\n",
            "unknown measure 'skore'; expected one of: score, runs"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof unfit / sizeof *unfit; i++) {
        struct trod_explored e = {0};
        char text[200];

        snprintf(text, sizeof text, "study s\ndesign sweep\n%s", unfit[i][0]);
        must(try_parse(&e, text));
        assert_false(trod_explore_fits(&counting, &e.study, &have.err));
        if (!strstr(have.err.text, unfit[i][1]))
            fail_msg("%s: not in '%s'", unfit[i][1], have.err.text);
    }
}

/* --- printed --------------------------------------------------------------------------------------- */

/* What the thesis did parses, is sound and comes back. */
static void test_known(void **state)
{
    (void)state;
    for (const struct trod_explore_known *k = trod_explore_known; k->name; k++) {
        struct trod_explored e = {0};

        must(try_parse(&e, k->text));
        must(trod_explored_check(&e, &have.err));
        assert_string_equal(print(&e), k->text);
        assert_string_equal(e.study.name, k->name);
    }
}

static void test_csv(void **state)
{
    struct trod_explored e = {0};
    struct trod_string csv;

    (void)state;
    must(try_parse(&e, "study s\ndesign sweep\nmeasure m\n\"a,b\" \"x\\\"y\"\n"
                       "stream one\nrun 0 ?\nstream two\nrun 0 2.5\n"));
    trod_string_init(&csv, &have.mem);
    trod_explore_csv(&csv.sink, &e);
    assert_string_equal(csv.text, "stream,design,\"a,b\",measure,value\n"
                                  "one,0,\"x\"\"y\",m,\n"
                                  "two,0,\"x\"\"y\",m,2.5\n");
}

static void exhaust(struct trod_arena *mem, void *ctx)
{
    static const char text[] = "study s\ndesign factorial\nmeasure m\na 0 1\nb 0 1\n"
                               "stream one\nrun 0 1\nrun 1 2\nrun 2 11\nrun 3 12\n";
    struct trod_err err;
    struct trod_text cursor;
    struct trod_token token;
    struct trod_explored e = {0};
    struct trod_string out;
    struct trod_json json;
    bool ok = true;

    (void)ctx;
    trod_text_init(&cursor, "text", text, strlen(text));
    ok = trod_text_next(&token, &cursor, mem, &err) &&
         trod_text_next(&token, &cursor, mem, &err) &&
         trod_explored_parse(&e, token.name, &cursor, mem, &err);
    assert_true(ok);
    trod_string_init(&out, mem);
    trod_json_init(&json, &out.sink);
    trod_explore_report(&out.sink, &e, 0, mem);
    trod_explore_draw(&out.sink, &e, 0, mem);
    trod_json_open(&json, NULL, '{');
    trod_explore_json(&json, &e, 0, mem);
    trod_json_close(&json, '}');
}

static void test_memory_ends(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(exhaust, NULL) > 10);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_balanced),
        TEST(test_as_printed),
        TEST(test_designs),
        TEST(test_burman_effects),
        TEST(test_foldover),
        TEST(test_factorial_effects),
        TEST(test_several_levels),
        TEST(test_sums_of_ranks),
        TEST(test_nothing_matters),
        TEST(test_round_trip),
        TEST(test_refused),
        TEST(test_check),
        TEST(test_run),
        TEST(test_live),
        TEST(test_check_missing),
        TEST(test_unfit),
        TEST(test_known),
        TEST(test_csv),
        TEST(test_memory_ends),
    };

    return cmocka_run_group_tests_name("explore", tests, NULL, NULL);
}
