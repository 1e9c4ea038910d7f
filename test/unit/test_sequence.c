/* Call sequences: figure 1 of the paper, both ways, and in the context where it must not be; each rule by which an old
 * span is found; what cannot be decided; recordings; the text form and what it refuses.
 */
#include "kit/fixture.h"

#include <string.h>

#include "sequence/sequence.h"

static bool try_parse(struct trod_call_sequence *out, const char *text)
{
    struct trod_text cursor;

    trod_text_init(&cursor, "text", text, strlen(text));
    return trod_call_sequence_parse(out, &cursor, &have.mem, &have.err);
}

static struct trod_call_sequence parse(const char *text)
{
    struct trod_call_sequence out;

    must(try_parse(&out, text));
    must(trod_call_sequence_check(&out, &have.mem, &have.err));
    return out;
}

static const char *print(const struct trod_call_sequence *sequence)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_call_sequence_print(&text.sink, sequence);
    return text.text;
}

static bool put_call(const char *function, uint32_t depth, void *ctx)
{
    struct trod_string *to = ctx;

    (void)depth;
    trod_put(&to->sink, "%s%s", to->length ? " " : "", function);
    return true;
}

static const char *expand(const struct trod_call_sequence *sequence, uint32_t thread)
{
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_call_sequence_each(sequence, thread, put_call, &text, &have.mem);
    return text.text;
}

/* Names of functions of each kind, blanks around them. */
struct kinds {
    const char *affected, *shifty, *foreign;
};

static bool is_in(const char *list, const char *name)
{
    struct trod_string word;

    trod_string_init(&word, &have.mem);
    trod_put(&word.sink, " %s ", name);
    return list && strstr(list, word.text);
}

static enum trod_call_sequence_what what(const char *name, void *ctx)
{
    const struct kinds *kinds = ctx;

    return is_in(kinds->affected, name)  ? TROD_CALLEE_AFFECTED
           : is_in(kinds->shifty, name)  ? TROD_CALLEE_SHIFTY
           : is_in(kinds->foreign, name) ? TROD_CALLEE_FOREIGN
                                         : TROD_CALLEE_EXEMPT;
}

static struct trod_call_sequence_merged merge(
    const char *old, const char *recorded, struct kinds kinds)
{
    struct trod_call_sequence a = parse(old), b = parse(recorded);
    struct trod_call_sequence_merged out;

    trod_call_sequence_merge(&out, &a, &b, what, &kinds, &have.mem);
    must(trod_call_sequence_check(&out.sequence, &have.mem, &have.err));
    return out;
}

static void expect_undecided(const struct trod_call_sequence_merged *merged,
    const char *function, enum trod_call_sequence_why why)
{
    assert_int_equal(merged->nundecided, 1);
    assert_string_equal(merged->undecided[0].function, function);
    assert_int_equal(merged->undecided[0].why, why);
    assert_true(*trod_call_sequence_why_name(why));
}

/* --- figure 1 --------------------------------------------------------------------------------------- */

#define FIGURE_1_OLD      \
    "spans v1\n"          \
    "span 0 fi :\n"       \
    "span 1 foo : 0*3\n"  \
    "span 2 fj :\n"       \
    "span 3 fee : 2\n"    \
    "span 4 main : 1 3\n" \
    "span 5 @ : 4\n"      \
    "thread 0 5\n"
#define FIGURE_1_NEW         \
    "spans v2\n"             \
    "span 0 fee outside :\n" \
    "span 1 foo outside :\n" \
    "span 2 main : 0 1\n"    \
    "span 3 @ : 2\n"         \
    "thread 0 3\n"

/* What an order-oblivious migration does: names of what was recorded again go where names were, one for one. */
static const char *naive(
    const struct trod_call_sequence *old, const char *const *callee, uint32_t ncallee)
{
    const struct trod_span *main_of = &old->span[4];
    struct trod_string text;

    trod_string_init(&text, &have.mem);
    trod_put(&text.sink, "main");
    assert_int_equal(main_of->nchild, ncallee);
    for (uint32_t i = 0; i < ncallee; i++) {
        const struct trod_span *span = &old->span[main_of->child[i].span];

        trod_put(&text.sink, " %s", callee[i]);
        for (uint32_t k = 0; k < span->nchild; k++)
            for (uint64_t n = 0; n < span->child[k].count; n++)
                trod_put(&text.sink, " %s",
                    old->function.name[old->span[span->child[k].span].function]);
    }
    return text.text;
}

static void test_figure_1(void **state)
{
    static const char *const swapped[] = {"fee", "foo"};
    struct trod_call_sequence old;
    struct trod_call_sequence_merged merged;
    const char *right = "main fee fj foo fi fi fi";

    (void)state;
    old = parse(FIGURE_1_OLD);
    assert_string_equal(expand(&old, 0), "main foo fi fi fi fee fj");
    merged = merge(FIGURE_1_OLD, FIGURE_1_NEW, (struct kinds){" main ", NULL, NULL});
    assert_int_equal(merged.nundecided, 0);
    assert_string_equal(expand(&merged.sequence, 0), right);
    assert_string_equal(print(&merged.sequence), "spans v2\n"
                                                 "span 0 fi reused :\n"
                                                 "span 1 foo reused : 0*3\n"
                                                 "span 2 fj reused :\n"
                                                 "span 3 fee reused : 2\n"
                                                 "span 4 main : 3 1\n"
                                                 "span 5 @ : 4\n"
                                                 "thread 0 5\n");
    /* What is warned of is not what is done. */
    assert_string_equal(naive(&old, swapped, 2), "main fee fi fi fi foo fj");
    assert_string_not_equal(expand(&merged.sequence, 0), naive(&old, swapped, 2));
}

/* The bound of the loop is changed by fj, which runs first now: foo calls fi five times. Whether that is seen is up to the
 * analysis of what is affected. If it says that foo is, foo is recorded; if not, the answer is wrong.
 */
static void test_figure_1_in_context(void **state)
{
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge(FIGURE_1_OLD,
        "spans v2\n"
        "span 0 fee outside :\n"
        "span 1 fi outside :\n"
        "span 2 foo : 1*5\n"
        "span 3 main : 0 2\n"
        "span 4 @ : 3\n"
        "thread 0 4\n",
        (struct kinds){" main foo ", NULL, NULL});
    assert_int_equal(merged.nundecided, 0);
    assert_string_equal(expand(&merged.sequence, 0), "main fee fj foo fi fi fi fi fi");
    merged = merge(FIGURE_1_OLD, FIGURE_1_NEW, (struct kinds){" main ", NULL, NULL});
    assert_string_not_equal(
        expand(&merged.sequence, 0), "main fee fj foo fi fi fi fi fi");
}

/* --- rules ------------------------------------------------------------------------------------------- */

/* f calls now g and now h; main, which changed, calls it. */
#define TWO_WAYS            \
    "spans v1\n"            \
    "span 0 g :\n"          \
    "span 1 f : 0\n"        \
    "span 2 h :\n"          \
    "span 3 f : 2\n"        \
    "span 4 main : 1 3 1\n" \
    "span 5 @ : 4\n"        \
    "thread 0 5\n"
#define CALLS_F(times)              \
    "spans v2\n"                    \
    "span 0 f outside :\n"          \
    "span 1 k :\n"                  \
    "span 2 main : 1 0*" times "\n" \
    "span 3 @ : 2\n"                \
    "thread 0 3\n"

static void test_by_place(void **state)
{
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge(TWO_WAYS, CALLS_F("3"), (struct kinds){" main k ", NULL, NULL});
    assert_int_equal(merged.nundecided, 0);
    assert_string_equal(expand(&merged.sequence, 0), "main k f g f h f g");
    merged = merge(TWO_WAYS, CALLS_F("2"), (struct kinds){" main k ", NULL, NULL});
    expect_undecided(&merged, "f", TROD_WHY_NUMBER);
    assert_string_equal(expand(&merged.sequence, 0), "main k f f");
    merged = merge(TWO_WAYS, CALLS_F("3"), (struct kinds){" main k ", " f ", NULL});
    expect_undecided(&merged, "f", TROD_WHY_SEVERAL);
}

/* f is such a function, and the forecast names it before anything is recorded. */
static void test_forecast(void **state)
{
    struct kinds kinds = {" main ", NULL, NULL};
    struct trod_call_sequence old;
    struct trod_names called;
    const char **name;

    (void)state;
    old = parse(TWO_WAYS);
    assert_int_equal(
        trod_call_sequence_forecast(&name, &old, NULL, what, &kinds, &have.mem), 1);
    assert_string_equal(name[0], "f");
    kinds.affected = " g ";
    assert_int_equal(
        trod_call_sequence_forecast(&name, &old, NULL, what, &kinds, &have.mem), 0);
    trod_names_init(&called, &have.mem);
    trod_names_add(&called, "f");
    assert_int_equal(
        trod_call_sequence_forecast(&name, &old, &called, what, &kinds, &have.mem), 1);
    old = parse(FIGURE_1_OLD);
    kinds.affected = " main foo ";
    assert_int_equal(
        trod_call_sequence_forecast(&name, &old, NULL, what, &kinds, &have.mem), 0);
}

/* g is affected, f not: what is recorded of g goes to where g was called. The number of calls of g determines which way f
 * went.
 */
static void test_holes(void **state)
{
    static const char old[] = "spans v1\n"
                              "span 0 x :\n"
                              "span 1 g : 0\n"
                              "span 2 f : 0 1 0\n"
                              "span 3 f : 0 1 0 1\n"
                              "span 4 main : 2 3\n"
                              "span 5 @ : 4\n"
                              "thread 0 5\n";
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge(old,
        "spans v2\n"
        "span 0 x outside :\n"
        "span 1 g :\n"
        "span 2 g : 0*2\n"
        "span 3 f outside : 1\n"
        "span 4 f outside : 2 1\n"
        "span 5 main : 4 3*2\n"
        "span 6 @ : 5\n"
        "thread 0 6\n",
        (struct kinds){" main g ", NULL, NULL});
    assert_int_equal(merged.nundecided, 0);
    assert_string_equal(
        expand(&merged.sequence, 0), "main f x g x x x g f x g x f x g x");
    /* Three calls of g are nothing that f did. */
    merged = merge(old,
        "spans v2\n"
        "span 0 g :\n"
        "span 1 f outside : 0*3\n"
        "span 2 main : 1\n"
        "span 3 @ : 2\n"
        "thread 0 3\n",
        (struct kinds){" main g ", NULL, NULL});
    expect_undecided(&merged, "f", TROD_WHY_HOLES);
    assert_string_equal(expand(&merged.sequence, 0), "main f g g g");
}

/* main is exempt: all that was recorded goes into what it did. */
static void test_exempt_root(void **state)
{
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge(FIGURE_1_OLD,
        "spans v2\n"
        "span 0 fi :\n"
        "span 1 fj :\n"
        "span 2 fi : 1\n"
        "span 3 @ : 0*2 2\n"
        "thread 0 3\n",
        (struct kinds){" fi ", NULL, NULL});
    assert_int_equal(merged.nundecided, 0);
    assert_string_equal(expand(&merged.sequence, 0), "main foo fi fi fi fj fee fj");
    merged = merge(FIGURE_1_OLD, "spans v2\nspan 0 fi :\nspan 1 @ : 0*4\nthread 0 1\n",
        (struct kinds){" fi ", NULL, NULL});
    expect_undecided(&merged, "main", TROD_WHY_THREAD);
}

static void test_new_and_foreign(void **state)
{
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge(FIGURE_1_OLD,
        "spans v2\n"
        "span 0 fresh outside :\n"
        "span 1 puts outside :\n"
        "span 2 cmp :\n"
        "span 3 qsort outside : 2*2\n"
        "span 4 main : 0 1 3 1\n"
        "span 5 @ : 4\n"
        "thread 0 5\n",
        (struct kinds){" main cmp ", NULL, " puts qsort "});
    expect_undecided(&merged, "fresh", TROD_WHY_NEW);
    assert_string_equal(expand(&merged.sequence, 0), "main fresh cmp cmp");
}

static void test_pointers(void **state)
{
    static const char recorded[] = "spans v2\n"
                                   "span 0 \"*\" outside :\n"
                                   "span 1 main : 0\n"
                                   "span 2 @ : 1\n"
                                   "thread 0 2\n";
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge(FIGURE_1_OLD, recorded, (struct kinds){" main ", NULL, NULL});
    assert_int_equal(merged.nundecided, 2);
    assert_string_equal(merged.undecided[0].function, "fee");
    assert_string_equal(merged.undecided[1].function, "foo");
    assert_int_equal(merged.undecided[0].why, TROD_WHY_POINTER);
    assert_int_equal(merged.npointer, 0);
    merged = merge("spans v1\nspan 0 main :\nspan 1 @ : 0\nthread 0 1\n", recorded,
        (struct kinds){" main ", NULL, NULL});
    assert_int_equal(merged.nundecided, 0);
    assert_int_equal(merged.npointer, 1);
}

/* A thread that ran nothing of what was recorded leaves no recording. */
static void test_threads(void **state)
{
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge("spans v1\n"
                   "span 0 f :\n"
                   "span 1 g : 0\n"
                   "span 2 @ : 1\n"
                   "span 3 @ : 0\n"
                   "thread 0 3\n"
                   "thread 1 2\n",
        "spans v2\nspan 0 h :\nspan 1 @ : 0\nthread 0 1\nthread 7 1\n",
        (struct kinds){" h ", NULL, NULL});
    assert_int_equal(merged.sequence.nthread, 3);
    expect_undecided(&merged, "f", TROD_WHY_THREAD);
    assert_string_equal(expand(&merged.sequence, 1), "g f");
    assert_string_equal(expand(&merged.sequence, 2), "h");
}

/* Loops of many iterations are looked at once. */
static void test_large(void **state)
{
    struct trod_call_sequence_merged merged;

    (void)state;
    merged = merge("spans v1\n"
                   "span 0 f :\n"
                   "span 1 g : 0*1000000000\n"
                   "span 2 main : 1*1000000000\n"
                   "span 3 @ : 2\n"
                   "thread 0 3\n",
        "spans v2\n"
        "span 0 g outside :\n"
        "span 1 main : 0*1000000000\n"
        "span 2 @ : 1\n"
        "thread 0 2\n",
        (struct kinds){" main ", NULL, NULL});
    assert_int_equal(merged.nundecided, 0);
    assert_true(merged.sequence.span[merged.sequence.root_of_thread[0]].ncall ==
                UINT64_C(1000000001000000001));
}

/* --- recordings --------------------------------------------------------------------------------------- */

/* main:1 calls f by pointer, or whom it likes: what is called is by the id of the subpath. */
static const char *callee_of(uint32_t function, uint64_t id, void *ctx)
{
    static const char *const by_id[] = {NULL, "f", "qsort", "*none"};

    (void)function;
    (void)ctx;
    return id < 3 ? by_id[id] : NULL;
}

static struct trod_call_sequence record(const char *text, bool selective)
{
    struct trod_call_sequence_recorder recorder;
    struct trod_call_sequence out;
    struct trod_text cursor;
    struct trod_token token;
    struct trod_wpp wpp;

    trod_text_init(&cursor, "text", text, strlen(text));
    must(trod_text_next(&token, &cursor, &have.mem, &have.err));
    must(trod_text_next(&token, &cursor, &have.mem, &have.err));
    must(trod_wpp_parse(&wpp, token.name, &cursor, &have.mem, &have.err));
    trod_call_sequence_recorder_init(
        &recorder, &wpp.function, selective, callee_of, NULL, &have.mem);
    for (size_t i = 0; i < wpp.nstep; i++)
        assert_true(trod_call_sequence_take(&wpp.step[i], &recorder));
    trod_call_sequence_end(&recorder, 0);
    trod_call_sequence_build(&out, &recorder, wpp.name);
    must(trod_call_sequence_check(&out, &have.mem, &have.err));
    return out;
}

static void test_recorded(void **state)
{
    struct trod_call_sequence all;

    (void)state;
    all =
        record("wpp a\n"
               "( main:1 ( f:0 ) main:1 ( f:0 ) main:2 [ cmp:0 ] [ cmp:0 ] ( ) main:0 "
               "( f:1 ( ) f:0 )! main:3 )\n",
            false);
    assert_string_equal(print(&all), "spans a\n"
                                     "span 0 f :\n"
                                     "span 1 cmp :\n"
                                     "span 2 main : 0*2 1*2 0\n"
                                     "span 3 @ : 2\n"
                                     "thread 0 3\n");
}

static void test_recorded_selectively(void **state)
{
    struct trod_call_sequence some;

    (void)state;
    /* The first g is called, the others are within f, which is not recorded. */
    some = record("wpp a\n"
                  "( main:0 ( g:0 ) main:1 [ g:0 ] [ g:0 ] ( ) main:1 ( ) main:0 ( )! "
                  "main:0 )\n",
        true);
    assert_string_equal(print(&some), "spans a\n"
                                      "span 0 g :\n"
                                      "span 1 f outside : 0*2\n"
                                      "span 2 f outside :\n"
                                      "span 3 \"*\" outside :\n"
                                      "span 4 main : 0 1 2 3\n"
                                      "span 5 @ : 4\n"
                                      "thread 0 5\n");
    /* It ended in f. */
    some = record("wpp a\n( main:0 ( g:0 ) main:1 [ g:0 ]\n", true);
    assert_string_equal(print(&some), "spans a\n"
                                      "span 0 g :\n"
                                      "span 1 f outside : 0\n"
                                      "span 2 main : 0 1\n"
                                      "span 3 @ : 2\n"
                                      "thread 0 3\n");
}

/* --- entries ------------------------------------------------------------------------------------------- */

static struct trod_entry find(
    const struct trod_entries *entries, const char *function, const char *other)
{
    for (uint32_t i = 0; i < entries->nentry; i++)
        if (strcmp(entries->entry[i].function, function) == 0 &&
            strcmp(entries->entry[i].other, other) == 0)
            return entries->entry[i];
    fail_msg("no entry of %s: %s", function, other);
    return (struct trod_entry){0};
}

static void test_entries(void **state)
{
    struct trod_call_sequence_merged merged;
    struct trod_call_sequence old;
    struct trod_entries entries;
    struct trod_entry e;

    (void)state;
    old = parse(FIGURE_1_OLD);
    merged = merge(FIGURE_1_OLD, FIGURE_1_NEW, (struct kinds){" main ", NULL, NULL});
    trod_call_sequence_entries(&entries, &merged.sequence, &old, &have.mem);
    e = find(&entries, "foo", "fi>fi");
    assert_int_equal(e.count, 2);
    assert_int_equal(e.was, 2);
    assert_int_equal(e.how, TROD_HOW_REUSED);
    e = find(&entries, "main", "fee>foo");
    assert_int_equal(e.count, 1);
    assert_int_equal(e.was, 0);
    assert_int_equal(e.how, TROD_HOW_PROFILED);
    e = find(&entries, "main", "foo>fee");
    assert_int_equal(e.count, 0);
    assert_int_equal(e.was, 1);
    assert_int_equal(find(&entries, "fi", ">").count, 3);
    assert_int_equal(find(&entries, "@", ">main").count, 1);
}

/* --- text ------------------------------------------------------------------------------------------------ */

static void test_refused(void **state)
{
    static const struct {
        const char *text, *words;
    } bad[] = {
        {"span a\n", "expected 'spans NAME'"},
        {"spans a\nspan 1 f :\n", "numbered from 0"},
        {"spans a\nspan 0 f : 0\n", "children come before parents"},
        {"spans a\nspan 0 f :\nspan 1 f :\n", "this span equals one above"},
        {"spans a\nspan 0 f :\nspan 1 g : 0*0\n", "called 0 times"},
        {"spans a\nspan 0 @ :\nspan 1 g : 0\n", "cannot be called"},
        {"spans a\nspan 0 f :\nthread 0 0\n", "must be a span of '@'"},
        {"spans a\nspan 0 @ :\nthread 1 0\nthread 1 0\n", "ascending"},
        {"spans a\nspan 0 f hole :\n", "expected ':'"},
        {"spans a\nspan 0 f x\n", "expected ':'"},
        {"spans a\nspan 0 f : g\n", "the number of a span"},
        {"spans a\nspam\n", "'span' or 'thread'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct trod_call_sequence out;

        assert_false(try_parse(&out, bad[i].text));
        assert_int_equal(have.err.code, TROD_E_INPUT);
        if (!strstr(have.err.text, bad[i].words))
            fail_msg("%s: %s", bad[i].text, have.err.text);
    }
}

static void test_checked(void **state)
{
    struct trod_call_sequence sequence;
    struct trod_span_child twice[] = {{0, 1}, {0, 2}};

    (void)state;
    sequence = parse(FIGURE_1_OLD);
    sequence.span[1].ncall++;
    assert_false(trod_call_sequence_check(&sequence, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "do not add up"));
    sequence = parse(FIGURE_1_OLD);
    sequence.span[1].child = twice;
    sequence.span[1].nchild = 2;
    assert_false(trod_call_sequence_check(&sequence, &have.mem, &have.err));
    assert_non_null(strstr(have.err.text, "in a row"));
    sequence = parse(FIGURE_1_OLD);
    sequence.span[2] = sequence.span[0];
    assert_false(trod_call_sequence_check(&sequence, &have.mem, &have.err));
    sequence = parse(FIGURE_1_OLD);
    sequence.span[2].how = TROD_SPAN_HOLE;
    assert_false(trod_call_sequence_check(&sequence, &have.mem, &have.err));
    sequence = parse(FIGURE_1_OLD);
    sequence.root_of_thread[0] = 4;
    assert_false(trod_call_sequence_check(&sequence, &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_INTERNAL);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(figure_1),
        TEST(figure_1_in_context),
        TEST(by_place),
        TEST(forecast),
        TEST(holes),
        TEST(exempt_root),
        TEST(new_and_foreign),
        TEST(pointers),
        TEST(threads),
        TEST(large),
        TEST(recorded),
        TEST(recorded_selectively),
        TEST(entries),
        TEST(refused),
        TEST(checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
