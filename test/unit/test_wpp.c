/* Whole program paths: steps decoded from subpaths in cases that prop_wpp.c does not draw, such as
 * after setjmp, from the middle of a function, and through aliases; deep recursion; allocation
 * failures. prop_wpp.c checks what holds for all walks.
 */
#include "kit/fixture.h"

#include <string.h>

#include "wpp/wpp.h"

/* f calls g twice. s calls setjmp, then jump, and may return. jump does not return. r calls
 * itself. l has a loop that calls a function outside of the program. p calls through a pointer.
 */
static const char functions[] = "numbering f ballarus\n"
                                ">: 0 1+1 2+2\n"
                                "0: >1\n"
                                "1: >2\n"
                                "2:\n"
                                "calls f\n"
                                "1: g\n"
                                "2: g\n"
                                "numbering g ballarus\n"
                                ">: 0\n"
                                "0:\n"
                                "numbering s ballarus\n"
                                ">: 0 1+1 4+3\n"
                                "0: >1\n"
                                "1!!: 2 3+1\n"
                                "2: >4\n"
                                "3:\n"
                                "4:\n"
                                "calls s\n"
                                "4: jump\n"
                                "numbering jump ballarus\n"
                                ">: 0\n"
                                "0:\n"
                                "calls jump\n"
                                "0!: longjmp\n"
                                "numbering r ballarus\n"
                                ">: 0 1+2\n"
                                "0: >1 2+1\n"
                                "1: 2\n"
                                "2:\n"
                                "calls r\n"
                                "1: r\n"
                                "numbering l ballarus\n"
                                ">: 0 0+1 1+2\n"
                                "0: >1\n"
                                "1: >0 2+1\n"
                                "2:\n"
                                "calls l\n"
                                "1: outside\n"
                                "numbering p ballarus\n"
                                ">: 0 1+1\n"
                                "0: >1\n"
                                "1:\n"
                                "calls p\n"
                                "1: *\n";

enum { MOST = 16 };

struct made {
    struct trod_names name;
    struct trod_numbering numbering[MOST];
    struct trod_calls calls[MOST];
    struct trod_wpp_function function[MOST];
    struct trod_decoder decoder;
    struct trod_string text; /* of the steps */
    struct trod_wpp wpp;
    struct trod_step *step;
    size_t nstep, room;
    size_t most; /* steps to take; 0: all */
};

static bool take(const struct trod_step *step, void *ctx)
{
    struct made *m = ctx;

    if (m->most && m->nstep == m->most)
        return false;
    trod_reserve(m->decoder.mem, m->step, m->nstep, m->room);
    m->step[m->nstep++] = *step;
    return true;
}

static void make(struct made *m, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;
    struct trod_token head, name;

    *m = (struct made){.most = 0};
    trod_names_init(&m->name, mem);
    trod_text_init(&text, "functions", functions, strlen(functions));
    for (;;) {
        uint32_t f;

        if (!trod_text_next(&head, &text, mem, err))
            abort();
        if (head.kind == TROD_T_END)
            break;
        if (!trod_text_next(&name, &text, mem, err))
            abort();
        f = trod_names_add(&m->name, name.name);
        m->function[f] = (struct trod_wpp_function){.number = f,
            .name = name.name,
            .numbering = &m->numbering[f],
            .calls = &m->calls[f]};
        if (strcmp(head.name, "calls") == 0
                ? !trod_calls_parse(
                      &m->calls[f], m->numbering[f].dag->graph, &text, mem, err)
                : !trod_number_parse(&m->numbering[f], name.name, &text, mem, err))
            abort();
    }
    trod_decoder_init(&m->decoder, m->function, m->name.count, take, m, mem);
}

/* Subpaths as `f:0 g:0`. */
static bool add(struct made *m, const char *subpaths)
{
    struct trod_err err;
    struct trod_text text;
    struct trod_token name, colon;
    uint64_t id;

    trod_text_init(&text, "subpaths", subpaths, strlen(subpaths));
    for (;;) {
        if (!trod_text_next(&name, &text, m->decoder.mem, &err))
            abort();
        if (name.kind == TROD_T_END)
            return true;
        if (!trod_text_next(&colon, &text, m->decoder.mem, &err) ||
            !trod_text_take_uint(&id, "an id", &text, m->decoder.mem, &err))
            abort();
        if (!trod_decoder_add(
                &m->decoder, trod_decoder_subpath(&m->decoder,
                                 trod_names_find(&m->name, name.name), id)))
            return false;
    }
}

static const char *format_steps(struct made *m)
{
    m->wpp = (struct trod_wpp){
        .name = "w", .function = m->name, .nstep = m->nstep, .step = m->step};
    trod_string_init(&m->text, m->decoder.mem);
    for (size_t i = 0; i < m->nstep; i++) {
        trod_put(&m->text.sink, "%s", i ? " " : "");
        trod_step_print(&m->text.sink, &m->step[i], &m->name);
    }
    return m->text.text;
}

static void expect_steps(const char *subpaths, const char *want)
{
    struct made m;

    make(&m, &have.mem, &have.err);
    assert_true(add(&m, subpaths));
    assert_string_equal(format_steps(&m), want);
    must(trod_wpp_check(&m.wpp, &have.mem, &have.err));
}

static void test_plain(void **state)
{
    (void)state;
    expect_steps("", "");
    expect_steps("f:0 g:0 f:1 g:0 f:2", "( f:0 ( g:0 ) f:1 ( g:0 ) f:2 )");
    expect_steps("f:0 f:1 g:0 f:2", "( f:0 ( ) f:1 ( g:0 ) f:2 )");
    expect_steps("r:0 r:0 r:1 r:2 r:2", "( r:0 ( r:0 ( r:1 ) r:2 ) r:2 )");
    expect_steps("l:0 l:2 l:1 l:3", "( l:0 ( ) l:2 l:1 ( ) l:3 )");
    expect_steps("g:0 g:0 f:0", "( g:0 ) ( g:0 ) ( f:0");
    expect_steps("p:0 l:0 l:3 p:1", "( p:0 ( l:0 ( ) l:3 ) p:1 )");
}

static void test_interruptions(void **state)
{
    (void)state;
    /* Before and after the first subpath of g ends. */
    expect_steps("f:0 l:0 l:3 g:0 l:0 l:3 f:1",
        "( f:0 [ l:0 ( ) l:3 ] ( g:0 ) [ l:0 ( ) l:3 ] f:1");
    expect_steps("l:0 l:2 g:0 l:1", "( l:0 ( ) l:2 [ g:0 ] l:1");
    /* The outside function calls back. */
    expect_steps("l:0 g:0 g:0 l:3", "( l:0 [ g:0 ] [ g:0 ] ( ) l:3 )");
    /* The callee is known by a pointer only: the second g is an interruption. */
    expect_steps("p:0 g:0 g:0 p:1", "( p:0 ( g:0 ) [ g:0 ] p:1 )");
    /* An interruption interrupts another. */
    expect_steps("l:0 l:2 f:0 l:0 l:2 g:0 l:1 l:3 g:0 f:1 f:2 l:1",
        "( l:0 ( ) l:2 [ f:0 [ l:0 ( ) l:2 [ g:0 ] l:1 ( ) l:3 ] ( g:0 ) f:1 ( ) f:2 ] l:1");
}

static void test_left(void **state)
{
    (void)state;
    expect_steps("s:0 s:1 jump:0 s:2", "( s:0 s:1 ( jump:0 ( )! )! s:2 )");
    expect_steps("s:0 s:1 s:2", "( s:0 s:1 ( )! s:2 )");
    /* Through frames without setjmp, and out of an interruption. */
    expect_steps("s:0 s:1 jump:0 f:0 p:0 jump:0 s:2",
        "( s:0 s:1 ( jump:0 [ f:0 [ p:0 ( jump:0 ( )! )! ] ( )! ] ( )! )! s:2 )");
    expect_steps("p:0 s:0 s:1 jump:0 p:1", "( p:0 ( s:0 s:1 ( jump:0 ( )! )! )! p:1 )");
    /* Control returns only to a function that is in a call. */
    expect_steps("r:1 f:0 f:2", "( r:1 ) ( f:0 [ f:2 ]");
    expect_steps("jump:0 g:0", "( jump:0 [ g:0 ]");
}

/* Their entries were not recorded: they happened before a fork, or on another stack. */
static void test_middle(void **state)
{
    (void)state;
    expect_steps("r:2 r:2 f:1 g:0 f:2", "( r:2 ) ( r:2 ) ( f:1 ( g:0 ) f:2 )");
    expect_steps("p:0 l:1 l:3 p:1", "( p:0 ( l:1 ( ) l:3 ) p:1 )");
    expect_steps("f:0 r:2 f:1", "( f:0 [ r:2 ] ( ) f:1");
}

static void test_aliases(void **state)
{
    static const char *const alias[] = {"outside", "f"};
    struct made m;

    (void)state;
    make(&m, &have.mem, &have.err);
    m.function[1].alias = alias;
    m.function[1].nalias = 2;
    trod_decoder_init(&m.decoder, m.function, m.name.count, take, &m, &have.mem);
    assert_true(add(&m, "l:0 g:0 l:3 f:0 g:0"));
    assert_string_equal(format_steps(&m), "( l:0 ( g:0 ) l:3 ) ( f:0 ( g:0 )");
}

static void test_end(void **state)
{
    struct made m;

    (void)state;
    make(&m, &have.mem, &have.err);
    assert_true(add(&m, "f:0"));
    trod_decoder_end(&m.decoder);
    assert_true(add(&m, "g:0"));
    assert_string_equal(format_steps(&m), "( f:0 ( g:0 )");
    make(&m, &have.mem, &have.err);
    for (m.most = 1; m.most < 12; m.most++) {
        trod_decoder_end(&m.decoder);
        m.nstep = 0;
        assert_false(add(&m, "s:0 s:1 jump:0 s:2 f:0"));
        assert_int_equal(m.nstep, m.most);
    }
}

/* Each subpath is decoded once, however often it runs; recursion is limited by memory only. */
static void test_many(void **state)
{
    enum { DEEP = 300000 };
    struct made m;
    uint32_t down, last, up;

    (void)state;
    make(&m, &have.mem, &have.err);
    down = trod_decoder_subpath(&m.decoder, 4, 0);
    last = trod_decoder_subpath(&m.decoder, 4, 1);
    up = trod_decoder_subpath(&m.decoder, 4, 2);
    for (int i = 0; i < DEEP; i++)
        trod_decoder_add(&m.decoder, down);
    trod_decoder_add(&m.decoder, last);
    for (int i = 0; i < DEEP; i++)
        trod_decoder_add(&m.decoder, up);
    assert_int_equal(m.decoder.nsubpath, 3);
    assert_int_equal(trod_decoder_subpath(&m.decoder, 4, 2), up);
    assert_int_equal(m.nstep, 2 * (DEEP + 1) + 2 * DEEP + 1);
    format_steps(&m);
    must(trod_wpp_check(&m.wpp, &have.mem, &have.err));
    assert_int_equal(m.decoder.nopen, 0);
}

/* --- what profiles recorded -------------------------------------------------------------------- */

static const char map_text[] =
    "unit one.c steps\n"
    "function f 0000000000000001 0000000000000011 0000000000000000\n"
    "numbering f ballarus\n"
    ">: 0 1+1 2+2\n"
    "0: >1\n"
    "1: >2\n"
    "2:\n"
    "calls f\n"
    "1: g\n"
    "2: g\n"
    "lines f\n"
    "0: 10\n"
    "1: 11\n"
    "2: 12\n"
    "function g 0000000000000002 0000000000000012 0000000000000000\n"
    "numbering g ballarus\n"
    ">: 0\n"
    "0:\n"
    "lines g\n"
    "0: 20\n";

/* Functions have one number more than paths: f has 0 to 2, g has 4, the third 6. */
#define MODULE                                                        \
    "profile\nmodule app steps\n"                                     \
    "function 0000000000000001 0000000000000011 0000000000000000 3\n" \
    "function 0000000000000002 0000000000000012 0000000000000000 1\n" \
    "function 0000000000000003 0000000000000013 0000000000000000 1\n"

struct fixture {
    struct trod_profile profile;
    struct trod_map map;
    struct trod_functions functions;
    struct trod_recorded recorded;
    struct trod_grammar grammar;
    struct trod_string text;
};

static bool put_step(const struct trod_step *step, void *ctx)
{
    struct fixture *t = ctx;

    trod_put(&t->text.sink, "%s", t->text.length ? " " : "");
    trod_step_print(&t->text.sink, step, &t->functions.name);
    return true;
}

static bool read_recorded(
    struct fixture *t, const char *steps, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_string text;
    struct trod_text in;
    bool more;

    trod_string_init(&t->text, mem);
    trod_string_init(&text, mem);
    trod_put(&text.sink, "%s%s", MODULE, steps);
    trod_text_init(&in, "profile", text.text, text.length);
    if (!trod_profile_parse(&t->profile, &more, &in, mem, err))
        return false;
    trod_text_init(&in, "map", map_text, strlen(map_text));
    if (!trod_map_parse(&t->map, &in, mem, err))
        return false;
    trod_functions_init(&t->functions, mem);
    trod_recorded_init(
        &t->recorded, &t->profile.module[0], &t->map, &t->functions, put_step, t, mem);
    return trod_recorded_grammar(
        &t->grammar, &t->recorded, &t->profile.steps[0].grammar, err);
}

#define TWICE "steps 0\nR0: R1 R1 0 4\nR1: 0 4 1 4 2\n"

static void test_recorded(void **state)
{
    uint64_t count[4] = {0};
    struct fixture t;

    (void)state;
    must(read_recorded(&t, TWICE, &have.mem, &have.err));
    assert_int_equal(t.recorded.decoder.nsubpath, 4);
    assert_true(trod_recorded_run(&t.recorded, &t.grammar));
    assert_string_equal(t.text.text,
        "( f:0 ( g:0 ) f:1 ( g:0 ) f:2 ) ( f:0 ( g:0 ) f:1 ( g:0 ) f:2 ) ( f:0 ( g:0 )");
    trod_recorded_count(count, &t.grammar, &have.mem);
    assert_int_equal(count[trod_decoder_subpath(&t.recorded.decoder, 0, 0)], 3);
    assert_int_equal(count[trod_decoder_subpath(&t.recorded.decoder, 0, 1)], 2);
    assert_int_equal(count[trod_decoder_subpath(&t.recorded.decoder, 1, 0)], 5);
    /* Number of the part, of rules, of symbols of each, and nine symbols. */
    assert_int_equal(trod_recorded_bytes(&t.profile.steps[0].grammar), 1 + 1 + 2 + 9);
    assert_int_equal(trod_functions_identity(&t.functions)[1].graph, 0x12);
}

static void test_recorded_words(void **state)
{
    struct trod_profile_builder builder;
    struct trod_profile profile;
    uint64_t count[4] = {0};
    struct fixture t;

    (void)state;
    must(read_recorded(&t, TWICE, &have.mem, &have.err));
    trod_recorded_print(&t.text.sink, &t.recorded, &t.grammar, "w");
    assert_string_equal(
        t.text.text, "grammar w\nR0: R1 R1 f:0 g:0\nR1: f:0 g:0 f:1 g:0 f:2\n");
    trod_string_init(&t.text, &have.mem);
    trod_rules_print(&t.text.sink, &t.recorded, &t.grammar, &t.map, 5);
    assert_string_equal(t.text.text, " 83.3%            2 times, 5 subpaths: R1\n"
                                     "      f  entry calls g 11\n"
                                     "      g  entry return 20\n"
                                     "      f  after g 11 calls g 12\n"
                                     "      g  entry return 20\n"
                                     "      f  after g 12 return 12\n");
    trod_profile_builder_init(&builder, &have.mem);
    trod_recorded_count(count, &t.grammar, &have.mem);
    trod_recorded_tally(&builder,
        trod_profile_add_module(&builder, &t.profile.module[0]), &t.recorded, count);
    must(trod_profile_build(&profile, &builder, &have.err));
    assert_int_equal(profile.ntally, 2);
    assert_int_equal(profile.tally[0].npath, 3);
    assert_int_equal(profile.tally[0].path[0].count, 3);
    assert_int_equal(profile.tally[1].path[0].count, 5);
}

/* A rule that repeats one subpath is printed in one line. A rule that repeats one rule is not
 * printed. A long rule is truncated.
 */
static void test_long_rules(void **state)
{
    struct fixture t;

    (void)state;
    must(read_recorded(&t,
        "steps 0\nR0: R1 R1 R3 R3\nR1: R2 R2\nR2: 4 4\n"
        "R3: 0 1 0 1 0 1 0 1 0 1\n",
        &have.mem, &have.err));
    trod_rules_print(&t.text.sink, &t.recorded, &t.grammar, &t.map, 5);
    assert_string_equal(t.text.text, " 71.4%            2 times, 10 subpaths: R3\n"
                                     "      f  entry calls g 11\n"
                                     "      f  after g 11 calls g 12\n"
                                     "      f  entry calls g 11\n"
                                     "      f  after g 11 calls g 12\n"
                                     "      f  entry calls g 11\n"
                                     "      f  after g 11 calls g 12\n"
                                     "      f  entry calls g 11\n"
                                     "      f  after g 11 calls g 12\n"
                                     "      ... 2 more\n"
                                     " 28.6%            4 times, 2 subpaths: R2\n"
                                     "      g  entry return 20  (2 times)\n");
}

static void test_recorded_refusals(void **state)
{
    struct trod_profile_steps steps;
    struct trod_grammar_part part;
    uint64_t value[] = {99};
    uint32_t first[] = {0, 1};
    uint64_t none[] = {0};
    struct fixture t;

    (void)state;
    assert_false(read_recorded(&t, "steps 0\nR0: 0 6\n", &have.mem, &have.err));
    assert_int_equal(have.err.code, TROD_E_MISMATCH);
    assert_non_null(strstr(have.err.text, "hash 0000000000000003"));
    must(read_recorded(&t, TWICE, &have.mem, &have.err));
    part = (struct trod_grammar_part){1, first, value, none};
    steps.grammar = (struct trod_grammar){"", 1, &part};
    assert_false(
        trod_recorded_grammar(&t.grammar, &t.recorded, &steps.grammar, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
    assert_non_null(strstr(have.err.text, "of none of its functions"));
}

static void use_recorded(struct trod_arena *mem, void *ctx)
{
    struct trod_err err;
    struct trod_json json;
    struct fixture t;

    (void)ctx;
    if (!read_recorded(&t, TWICE, mem, &err) ||
        !trod_recorded_run(&t.recorded, &t.grammar))
        abort();
    trod_json_init(&json, &t.text.sink);
    trod_rules_json(&json, NULL, &t.recorded, &t.grammar, &t.map, 5);
    trod_json_init(&json, &t.text.sink);
    trod_recorded_json(&json, NULL, &t.recorded, &t.grammar);
}

static void use_all(struct trod_arena *mem, void *ctx)
{
    struct trod_err err;
    struct made m;

    (void)ctx;
    make(&m, mem, &err);
    if (!add(&m, "f:0 g:0 f:1 l:0 g:0 g:0 l:3 f:2 s:0 s:1 jump:0 s:2"))
        abort();
    format_steps(&m);
}

static void test_allocation_failures(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(use_all, NULL) > 50);
    assert_true(kit_each_allocation_failure(use_recorded, NULL) > 50);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)
    static const struct CMUnitTest tests[] = {
        TEST(plain),
        TEST(interruptions),
        TEST(left),
        TEST(middle),
        TEST(aliases),
        TEST(end),
        TEST(many),
        TEST(recorded),
        TEST(recorded_words),
        TEST(long_rules),
        TEST(recorded_refusals),
        TEST(allocation_failures),
    };

    return cmocka_run_group_tests_name("wpp", tests, NULL, NULL);
}
