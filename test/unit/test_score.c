/* Scores: the example of the paper; entries of a profile made by hand, of each type; which functions are one; what is
 * refused; times.
 */
#include "kit/fixture.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "score/score.h"

static bool try_parse(struct trod_scored_entries *out, const char *text)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_score_parse(out, &cursor, &have.mem, &have.err);
}

static struct trod_scored_entries parse(const char *text)
{
    struct trod_scored_entries out;

    must(try_parse(&out, text));
    return out;
}

static struct trod_score score(const struct trod_scored_entries *merged,
    const struct trod_scored_entries *full, bool all)
{
    struct trod_score out;

    must(trod_score_build(&out, merged, full, all, &have.mem, &have.err));
    must(trod_score_check(&out, &have.err));
    return out;
}

static void expect(double value, double wanted)
{
    if (fabs(value - wanted) > 1e-9)
        fail_msg("%.12f is not %.12f", value, wanted);
}

/* --- section 5 ---------------------------------------------------------------------------------------- */

/* 100 loops: 80 are reused, 75 of these rightly; of the 20 that were profiled again, 10 could have been reused. */
static void test_example(void **state)
{
    struct trod_string merged, full;
    struct trod_scored_entries m, f;
    struct trod_score s, all, twice[2];

    (void)state;
    trod_string_init(&merged, &have.mem);
    trod_string_init(&full, &have.mem);
    trod_put(&merged.sink, "entries loops\ninput small\nversion v2\n");
    trod_put(&full.sink, "entries loops\n");
    for (int i = 0; i < 100; i++) {
        bool reused = i < 80, right = i < 75 || i >= 80;
        int was = i < 80 ? 10 : i < 90 ? 20 : 30;

        trod_put(&merged.sink, "entry f a.c %d - - %d %d %s was %d trust 0.98\n", i,
            i + 1, reused ? 10 : 20, reused ? "reused" : "profiled", was);
        trod_put(&full.sink, "entry f a.c %d - - - %d\n", i,
            !right   ? 11
            : reused ? 10
                     : 20);
    }
    m = parse(merged.text);
    f = parse(full.text);
    assert_string_equal(m.input, "small");
    s = score(&m, &f, false);
    assert_int_equal(s.nentry, 100);
    assert_int_equal(s.ncorrect, 95);
    assert_int_equal(s.nreused, 80);
    assert_int_equal(s.ntrue, 75);
    assert_int_equal(s.nreusable, 85);
    expect(s.acc, 0.95);
    expect(s.precision, 75.0 / 80);
    expect(s.recall, 75.0 / 85);
    expect(s.f, 2 * 75.0 / (80 + 85));
    /* Five are off by one of eleven: not within a percent. */
    expect(s.near, 0.95);
    twice[0] = twice[1] = s;
    trod_score_sum(&all, twice, 2, &have.mem);
    must(trod_score_check(&all, &have.err));
    assert_int_equal(all.nentry, 200);
    expect(all.acc, 0.95);
    expect(all.hot, s.hot);
}

static void test_shares(void **state)
{
    struct trod_scored_entries m, f;
    struct trod_score s;

    (void)state;
    m = parse("entries calls\n"
              "entry a - - - - - 1000 validated was 1000\n"
              "entry b - - - - - 99 inferred\n"
              "entry c - - - - - 7 reused was 7\n"
              "entry zero - - - - - 0 reused was 0\n"
              "entry gone - - - - - 0 profiled was 5\n");
    f = parse("entries calls\n"
              "entry a - - - - - 1009\n"
              "entry b - - - - - 99\n"
              "entry d - - - - - 0\n"
              "entry e - - - - - 3\n"
              "entry zero - - - - - 0\n");
    s = score(&m, &f, false);
    assert_int_equal(s.nentry, 3);
    assert_int_equal(s.ncorrect, 1);
    assert_int_equal(s.nnear, 2);
    assert_int_equal(s.nmissing, 1);
    assert_int_equal(s.nextra, 1);
    assert_int_equal(s.nreused, 2);
    assert_int_equal(s.ntrue, 0);
    assert_int_equal(s.nreusable, 0);
    assert_int_equal(s.ninferred, 1);
    assert_int_equal(s.ninferred_true, 1);
    expect(s.precision, 0);
    /* 1000 + 99 + 7 against 1009 + 99 + 3 */
    expect(s.hot, 1000.0 / 1106 + 99.0 / 1111);
    s = score(&m, &f, true);
    assert_int_equal(s.nentry, 5);
    assert_int_equal(s.ncorrect, 2);
    assert_int_equal(s.nreused, 3);
    assert_int_equal(s.ntrue, 1);
    assert_int_equal(s.nreusable, 1);
}

/* Files may have folders before them; where names are there once, they do not matter. */
static void test_files(void **state)
{
    struct trod_scored_entries m, f;

    (void)state;
    m = parse("entries calls\n"
              "entry f \"x/a.c\" - - - - 1\n"
              "entry f \"x/b.c\" - - - - 2\n"
              "entry g \"old.c\" - - - - 3\n"
              "entry h - - - - - 4\n");
    f = parse("entries calls\n"
              "entry f \"/src/x/a.c\" - - - - 1\n"
              "entry f \"/src/x/b.c\" - - - - 2\n"
              "entry g \"new.c\" - - - - 3\n"
              "entry h \"h.c\" - - - - 4\n");
    assert_int_equal(score(&m, &f, false).ncorrect, 4);
    m = parse("entries calls\nentry f \"xa.c\" - - - - 1\nentry f \"b.c\" - - - - 2\n");
    f = parse(
        "entries calls\nentry f \"a.c\" - - - - 1\nentry f \"./b.c\" - - - - 2\n");
    assert_int_equal(score(&m, &f, false).ncorrect, 1);
}

/* --- full profiles --------------------------------------------------------------------------------------- */

/* A loop with two paths; g is f's twin in a library that the map does not know the file of. */
static const char map_text[] =
    "unit one.c source\n"
    "function f 0000000000000001 0000000000000011 0000000000000000\n"
    "file z.c\n"
    "numbering f ballarus\n"
    ">: s h+3\n"
    "s: h\n"
    "h: b x+2\n"
    "b: c d+1\n"
    "c: >h\n"
    "d: >h\n"
    "x:\n"
    "function g 0000000000000002 0000000000000012 0000000000000000\n"
    "numbering g ballarus\n"
    ">: 0\n"
    "0:\n";
static const char profile_text[] =
    "profile\nmodule app source\n"
    "function 0000000000000001 0000000000000011 0000000000000000 6\n"
    "=0 2\n=1 1\n=2 7\n=3 5\n=4 4\n=5 3\nbegun 12\n"
    "function 0000000000000002 0000000000000012 0000000000000000 1\n";

static struct trod_map map_of(const char *words)
{
    struct trod_map map;
    struct trod_text text;

    trod_text_init(&text, "map", words, strlen(words));
    must(trod_map_parse(&map, &text, &have.mem, &have.err));
    return map;
}

static struct trod_profile profile_of(const char *words)
{
    struct trod_profile profile;
    struct trod_text text;
    bool more;

    trod_text_init(&text, "profile", words, strlen(words));
    must(trod_profile_parse(&profile, &more, &text, &have.mem, &have.err));
    return profile;
}

static const char *walk_map(const char *type, const struct trod_map *map, bool all)
{
    struct trod_profile profile = profile_of(profile_text);
    struct trod_scored_entries out;
    struct trod_string text;

    must(trod_score_walk(&out, type, &profile, map, all, &have.mem, &have.err));
    trod_string_init(&text, &have.mem);
    for (size_t i = 0; i < out.nentry; i++) {
        const struct trod_scored *e = &out.entry[i];

        trod_put(&text.sink, "%s%s", i ? " " : "", e->function);
        if (e->part != TROD_NONE)
            trod_put(&text.sink, ".%" PRIu32, e->part);
        if (e->other)
            trod_put(&text.sink, ">%s", e->other);
        if (strcmp(type, "paths") == 0)
            trod_put(&text.sink, "=%" PRIu64, e->id);
        trod_put(&text.sink, ":%" PRIu64, e->count);
    }
    if (out.nindirect)
        trod_put(&text.sink, " *%" PRIu64, out.nindirect);
    return text.text;
}

static const char *walk(const char *type, bool all)
{
    struct trod_map map = map_of(map_text);

    return walk_map(type, &map, all);
}

static void test_walk(void **state)
{
    (void)state;
    assert_string_equal(
        walk("blocks", false), "f.0:10 f.1:22 f.2:12 f.3:7 f.4:5 f.5:10");
    assert_string_equal(
        walk("edges", false), "f.0:10 f.1:12 f.2:10 f.3:7 f.4:5 f.5:7 f.6:5");
    assert_string_equal(walk("loops", false), "f.0:22");
    assert_string_equal(walk("calls", false), "f:10");
    assert_string_equal(walk("calls", true), "f:10 g:0");
    assert_string_equal(walk("paths", false), "f=0:2 f=1:1 f=2:7 f=3:5 f=4:4 f=5:3");
}

static void test_callgraph(void **state)
{
    static const uint32_t first[] = {0, 0, 1, 1, 3, 3, 4}, none[] = {0, 0};
    static const char *const callee[] = {"g", "g", "k", NULL};
    struct trod_map map = map_of(map_text);
    struct trod_profile profile;
    struct trod_scored_entries out;

    (void)state;
    profile = profile_of(profile_text);
    assert_false(trod_score_walk(
        &out, "callgraph", &profile, &map, false, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    map.entry[0].first_callee = first;
    map.entry[0].callee = callee;
    map.entry[1].first_callee = none;
    assert_string_equal(walk_map("callgraph", &map, false), "f>g:29 f>k:7 *1");
}

static void test_not_full(void **state)
{
    static const struct {
        const char *map, *profile, *type, *words;
    } bad[] = {
        {map_text, profile_text, "strides", "no entries of type 'strides'"},
        {"unit one.c source\n", profile_text, "blocks", "no map knows"},
        {map_text,
            "profile\nmodule app source\n"
            "function 0000000000000001 0000000000000011 0000000000000000 6 chosen\n"
            "slots =1 =2\n=1 1\n",
            "blocks", "only some paths"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_map map = map_of(bad[i].map);
        struct trod_profile profile = profile_of(bad[i].profile);
        struct trod_scored_entries out;

        assert_false(trod_score_walk(
            &out, bad[i].type, &profile, &map, false, &have.mem, &have.err));
        assert_int_equal(have.err.code, TROD_E_MISMATCH);
        if (!strstr(have.err.text, bad[i].words))
            fail_msg("%s", have.err.text);
    }
}

/* A profile in which nothing ran is no profile: a sandbox forbade it to be written, or so. */
static void test_nothing(void **state)
{
    struct trod_scored_entries m, f;
    struct trod_score s;

    (void)state;
    m = parse("entries calls\nentry f - - - - - 1\n");
    f = parse("entries calls\nentry f - - - - - 0\n");
    assert_false(trod_score_build(&s, &m, &f, false, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    f = parse("entries loops\nentry f - 0 - - - 1\n");
    assert_false(trod_score_build(&s, &m, &f, false, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "the same type"));
}

/* --- sequences -------------------------------------------------------------------------------------------- */

static struct trod_scored_entries steps_of(const char *text)
{
    struct trod_score_steps steps;
    struct trod_scored_entries out;
    struct trod_text cursor;
    struct trod_token token;
    struct trod_wpp wpp;

    trod_text_init(&cursor, "text", text, strlen(text));
    must(trod_text_next(&token, &cursor, &have.mem, &have.err));
    must(trod_text_next(&token, &cursor, &have.mem, &have.err));
    must(trod_wpp_parse(&wpp, token.name, &cursor, &have.mem, &have.err));
    trod_score_steps_init(&steps, &wpp.function, &have.mem);
    for (size_t i = 0; i < wpp.nstep; i++)
        assert_true(trod_score_steps_take(&wpp.step[i], &steps));
    trod_score_steps_end(&steps);
    trod_score_steps_entries(&out, &steps);
    return out;
}

static struct trod_scored_entries spans_of(const char *text)
{
    struct trod_scored_entries out;
    struct trod_text cursor;

    trod_text_init(&cursor, "text", text, strlen(text));
    must(trod_score_spans(&out, &cursor, &have.mem, &have.err));
    return out;
}

#define RIGHT                                                                   \
    "wpp new\n( main:0 ( fee:0 ( fj:0 ) fee:1 ) main:1 ( foo:0 ( fi:0 ) foo:1 " \
    "( fi:0 ) foo:1 ( fi:0 ) foo:2 ) main:2 )\n"

/* Figure 1: what is right, and what is naive. */
static void test_sequences(void **state)
{
    struct trod_scored_entries full, merged, full_spans, spans;
    struct trod_score s;

    (void)state;
    full = steps_of(RIGHT);
    merged = spans_of("spans new\n"
                      "span 0 fj reused :\n"
                      "span 1 fee reused : 0\n"
                      "span 2 fi reused :\n"
                      "span 3 foo reused : 2*3\n"
                      "span 4 main : 1 3\n"
                      "span 5 @ : 4\n"
                      "thread 0 5\n");
    trod_score_split(&full_spans, &full, &have.mem);
    trod_score_split(&spans, &merged, &have.mem);
    s = score(&merged, &full, false);
    expect(s.acc, 1);
    expect(s.precision, 1);
    expect(s.hot, 1);
    assert_false(s.has_recall);
    s = score(&spans, &full_spans, false);
    assert_int_equal(s.nentry, 6);
    expect(s.acc, 1);

    full = steps_of(RIGHT);
    merged = spans_of("spans new\n"
                      "span 0 fj reused :\n"
                      "span 1 fi reused :\n"
                      "span 2 fee reused : 1*3\n"
                      "span 3 foo reused : 0\n"
                      "span 4 main : 2 3\n"
                      "span 5 @ : 4\n"
                      "thread 0 5\n");
    trod_score_split(&full_spans, &full, &have.mem);
    trod_score_split(&spans, &merged, &have.mem);
    s = score(&merged, &full, false);
    assert_true(s.acc < 1 && s.precision < 1 && s.hot < 1);
    s = score(&spans, &full_spans, false);
    /* fi and fj alone are what they were. */
    assert_int_equal(s.ncorrect, 2);
}

/* Runs are the same however they are written. */
static void test_runs(void **state)
{
    struct trod_scored_entries a, b;

    (void)state;
    a = spans_of("spans a\nspan 0 f :\nspan 1 g : 0*3\nspan 2 @ : 1\nthread 0 2\n");
    b = spans_of("spans b\nspan 0 f :\nspan 1 g : 0 0*2\nspan 2 @ : 1\nthread 0 2\n");
    expect(score(&a, &b, false).acc, 1);
    b = steps_of("wpp b\n( g:0 ( f:0 ) g:1 ( f:0 ) g:1 ( ) g:1 [ f:0 ] g:2 )\n");
    expect(score(&a, &b, false).acc, 1);
    b = steps_of("wpp b\n( g:0 ( f:0 ) g:1 ( f:0 ) g:2 )\n");
    assert_true(score(&a, &b, false).acc < 1);
}

/* --- what is refused --------------------------------------------------------------------------------------- */

static void test_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"", "expected 'entries TYPE'"},
        {"entries\n", "a type of profile"},
        {"entries loops\nentry\n", "the name of a function"},
        {"entries loops\nentry f a.c x - - - 1\n", "the number of a part"},
        {"entries loops\nentry f a.c 1 - - - -\n", "how often it ran"},
        {"entries loops\nentry f a.c 1 - - - 1 reused was\n", "the old count"},
        {"entries loops\nentry f a.c 1 - - - 1 taken\n", "expected reused"},
        {"entries loops\nentry f a.c 1 - - - 1\nentry f a.c 1 - - - 1\n", "twice"},
        {"entries loops\nexit f\n", "'entry', 'input' or 'version'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_scored_entries out;

        assert_false(try_parse(&out, bad[i].text));
        assert_int_equal(have.err.code, TROD_E_INPUT);
        if (!strstr(have.err.text, bad[i].words))
            fail_msg("%s: %s", bad[i].text, have.err.text);
    }
    assert_true(trod_score_is_entries("# a\n entries loops\n", 19));
    assert_false(trod_score_is_entries("entriesloops\n", 13));
    assert_true(trod_score_is_sequence("spans a\n", 11));
}

static void test_checked(void **state)
{
    struct trod_score s = {.nentry = 2,
        .ncorrect = 1,
        .nnear = 1,
        .acc = 0.5,
        .near = 0.5,
        .precision = 1,
        .recall = 1,
        .f = 1,
        .hot = 0.5};

    (void)state;
    must(trod_score_check(&s, &have.err));
    s.acc = 0.6;
    assert_false(trod_score_check(&s, &have.err));
    s.acc = 0.5;
    s.ntrue = 1;
    assert_false(trod_score_check(&s, &have.err));
    s.ntrue = 0;
    s.hot = 1.5;
    assert_false(trod_score_check(&s, &have.err));
    s.hot = 1;
    s.nnear = 3;
    assert_false(trod_score_check(&s, &have.err));
}

/* --- times -------------------------------------------------------------------------------------------------- */

static bool try_times(struct trod_score_times *out, const char *text)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "times", text, strlen(text));
    return trod_score_times_parse(out, &cursor, &have.mem, &have.err);
}

static void test_times(void **state)
{
    struct trod_score_times times;

    (void)state;
    must(try_times(&times, "v2-small plain 1 9 1.5\n"
                           "v2-small full 4 4 100\n"
                           "v2-small selective 2 1\n"
                           "\"large one\" plain 10\n"
                           "\"large one\" full 20\n"
                           "\"large one\" skipped\n"
                           "analysis 0.5\n"));
    assert_int_equal(times.ninput, 2);
    assert_string_equal(times.input[0].input, "v2-small");
    assert_string_equal(times.input[1].input, "large one");
    expect(times.input[0].plain, 1.5);
    expect(times.input[0].selective, 1.5);
    assert_int_equal(times.nskipped, 1);
    expect(times.ts_total, (24 - 1.5 - 0.5) / 24);
    expect(times.ts_overhead, (12.5 - 0.5) / 12.5);
    must(try_times(&times, "a full 2\na selective 1\n"));
    expect(times.ts_total, 0.5);
    assert_true(isnan(times.ts_overhead));
}

static void test_times_refused(void **state)
{
    static const char *const bad[] = {"", "a\n", "a plain\n", "a plain x\n",
        "a plain 1\n", "a full 1\n", "a full 1 -2\na skipped\n", "analysis\n",
        "a full 1.2.3\na skipped\n", "a skipped 3\n"};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_score_times times;

        if (try_times(&times, bad[i]))
            fail_msg("taken: %s", bad[i]);
        assert_int_equal(have.err.code, TROD_E_INPUT);
    }
}

/* --- memory ------------------------------------------------------------------------------------------------- */

static void build_and_print(struct trod_arena *mem, void *ctx)
{
    static const char text[] = "entries calls\nentry f a.c - - - - 2 reused was 2\n";
    struct trod_scored_entries entries;
    struct trod_score_table table = {.type = "calls", .nscore = 1};
    struct trod_score one;
    struct trod_string out;
    struct trod_text cursor;
    struct trod_err err;

    (void)ctx;
    trod_text_init(&cursor, "text", text, strlen(text));
    if (!trod_score_parse(&entries, &cursor, mem, &err) ||
        !trod_score_build(&one, &entries, &entries, false, mem, &err))
        return;
    table.score = &one;
    trod_score_sum(&table.all, &one, 1, mem);
    trod_string_init(&out, mem);
    trod_score_print(&out.sink, &table);
}

static void test_memory(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(build_and_print, NULL) > 5);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(example),
        TEST(shares),
        TEST(files),
        TEST(walk),
        TEST(callgraph),
        TEST(not_full),
        TEST(nothing),
        TEST(sequences),
        TEST(runs),
        TEST(refused),
        TEST(checked),
        TEST(times),
        TEST(times_refused),
        TEST(memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
