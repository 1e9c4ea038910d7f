/* Plans: small functions by hand, to the letter; thousands of random ones, where every
 * placement of every numbering must count every path, by proof and by walking.
 */
#include "kit/kit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/probe.h"
#include "prop/sample.h"

enum { MOST_PATHS = 4000, WALKS = 12 };

/* --- functions by hand --------------------------------------------------- */

struct subject {
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_numbering bl;
    struct trod_plan plan;
    struct trod_err err;
};

/* To be closed with close_subject. */
static struct subject *subject_of(const char *form, struct trod_probe_options options)
{
    static struct subject s;
    struct trod_text text;
    bool more;

    trod_arena_init(&s.mem, sample_exhausted, NULL);
    trod_text_init(&text, "test", form, strlen(form));
    if (!trod_graph_parse(&s.graph, &more, &text, &s.mem, &s.err))
        fail_msg("%s", s.err.text);
    trod_graph_view(&s.view, &s.graph, NULL, &s.mem);
    if (!trod_number_ballarus(&s.bl, &s.view.dag, &s.mem, &s.err))
        fail_msg("%s", s.err.text);
    trod_probe_plan(&s.plan, &s.bl, &s.view.loops, &options, &s.mem);
    if (!trod_probe_check(&s.plan, &s.mem, &s.err) ||
        !trod_probe_check_all(&s.plan, MOST_PATHS, 100, &s.mem, &s.err))
        fail_msg("%s", s.err.text);
    return &s;
}

static void close_subject(struct subject *s)
{
    trod_arena_free(&s->mem);
}

static const char *printed(const struct trod_plan *plan, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_probe_print(&text.sink, plan);
    return text.text;
}

static void assert_plan(
    const char *form, struct trod_probe_options options, const char *want)
{
    struct subject *s = subject_of(form, options);

    assert_string_equal(printed(&s->plan, &s->mem), want);
    close_subject(s);
}

static const struct trod_probe_options frontier = {.placement = TROD_PLACE_FRONTIER};
static const struct trod_probe_options no_trips = {
    .placement = TROD_PLACE_FRONTIER, .no_trips = true};
static const struct trod_probe_options tree = {.placement = TROD_PLACE_TREE};
static const struct trod_probe_options plain = {.placement = TROD_PLACE_PLAIN};

static const char diamond[] = "graph f\n"
                              "s: a b\n"
                              "a: t\n"
                              "b: t\n"
                              "t:\n";

/* Thesis, figure 3.4. */
static const char figure[] = "graph f\n"
                             "s: a b\n"
                             "a: b c\n"
                             "b: c\n"
                             "c: d t\n"
                             "d: t\n"
                             "t:\n";

static const char loop_while[] = "graph f\n"
                                 "s: h\n"
                                 "h: b t\n"
                                 "b: h\n"
                                 "t:\n";

static const char loop_self[] = "graph f\n"
                                "s: h\n"
                                "h: h t\n"
                                "t:\n";

static const char loop_branches[] = "graph f\n"
                                    "s: h\n"
                                    "h: a b\n"
                                    "a: l\n"
                                    "b: l\n"
                                    "l: h t\n"
                                    "t:\n";

static void test_diamond(void **state)
{
    (void)state;
    /* Each path owns an edge, and is counted there. */
    assert_plan(diamond, frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: a {[0]++} b {[1]++}\n"
        "a: t\n"
        "b: t\n"
        "t:\n");
    assert_plan(diamond, tree,
        "plan f tree\n"
        ">: s\n"
        "s: a b\n"
        "a: t {[0]++}\n"
        "b: t {[1]++}\n"
        "t:\n");
    assert_plan(diamond, plain,
        "plan f plain\n"
        ">: s {r=0}\n"
        "s: a b {r+=1}\n"
        "a: t\n"
        "b: t\n"
        "t: . {[r]++}\n");
}

static void test_figure(void **state)
{
    (void)state;
    assert_plan(figure, frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: a b {r=4}\n"
        "a: b {r=0} c {r=2}\n"
        "b: c\n"
        "c: d {[r]++} t {[r+1]++}\n"
        "d: t\n"
        "t:\n");
    assert_plan(figure, tree,
        "plan f tree\n"
        ">: s\n"
        "s: a b {r=0}\n"
        "a: b {r=-4} c {r=-2}\n"
        "b: c\n"
        "c: d t {[r+5]++}\n"
        "d: t {[r+4]++}\n"
        "t:\n");
    assert_plan(figure, plain,
        "plan f plain\n"
        ">: s {r=0}\n"
        "s: a b {r+=4}\n"
        "a: b c {r+=2}\n"
        "b: c\n"
        "c: d t {r+=1}\n"
        "d: t\n"
        "t: . {[r]++}\n");
}

static void test_single_path_loop(void **state)
{
    (void)state;
    assert_plan(loop_while, frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: h {r=0}\n"
        "h: b t {flush t0 [r] r=2 [r+1]++}\n"
        "b: >h {t0++}\n"
        "t:\n");
    assert_plan(loop_while, no_trips,
        "plan f frontier\n"
        ">: s\n"
        "s: h {r=0}\n"
        "h: b {[r]++} t {[r+1]++}\n"
        "b: >h {r=2}\n"
        "t:\n");
    assert_plan(loop_self, frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: h {r=0}\n"
        "h: >h {t0++} t {flush t0 [r] r=2 [r+1]++}\n"
        "t:\n");
}

static void test_loops_without_trips(void **state)
{
    (void)state;
    /* The loop has two paths. */
    assert_plan(loop_branches, frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: h {r=0}\n"
        "h: a b\n"
        "a: l\n"
        "b: l {r+=2}\n"
        "l: >h {[r]++ r=4} t {[r+1]++}\n"
        "t:\n");
    /* The loop has no exit: nothing would update the counters. */
    assert_plan("graph f\ns: h\nh: h\n", frontier,
        "plan f frontier\n"
        ">: s {[0]++}\n"
        "s: h\n"
        "h: >h {[1]++}\n");
    /* The loop has few iterations: a trip counter would cost more than it saves. */
    assert_plan("graph f\ns: h*100\nh: h*10 t*100\nt:\n", frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: h*100 {r=1}\n"
        "h: >h*10 {[r-1]++ r=3} t*100 {[r]++}\n"
        "t:\n");
}

static void test_other_shapes(void **state)
{
    (void)state;
    assert_plan("graph f\ns:\n", frontier, "plan f frontier\n>: s {[0]++}\ns:\n");
    assert_plan("graph f\ns: a a b\na: t\nb: t\nt:\nunused: s\n", frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: a {[0]++} a {[1]++} b {[2]++}\n"
        "a: t\n"
        "b: t\n"
        "t:\n"
        "unused: s\n");
    /* A path ends and one starts on the cut edge from a to b. */
    assert_plan("graph f\ns: a b\na: >b c\nb: c d\nc:\nd:\n", frontier,
        "plan f frontier\n"
        ">: s\n"
        "s: a b {r=2}\n"
        "a: >b {[0]++ r=4} c {[1]++}\n"
        "b: c {[r]++} d {[r+1]++}\n"
        "c:\n"
        "d:\n");
}

/* --- what walks count ---------------------------------------------------- */

struct counters {
    uint64_t at[16];
};

static void count(void *ctx, int64_t index, uint64_t by, enum trod_action action)
{
    struct counters *c = ctx;

    assert_int_equal(action, TROD_ACTION_COUNT);
    assert_in_range(index, 0, 15);
    c->at[index] += by;
}

static void assert_counters(const struct subject *s, const trod_edge *walk,
    uint32_t nstep, bool left, const uint64_t want[4])
{
    struct counters c = {{0}};
    struct trod_arena mem;

    trod_arena_init(&mem, sample_exhausted, NULL);
    trod_probe_walk(&s->plan, walk, nstep, left, &mem, count, &c);
    for (int i = 0; i < 4; i++)
        assert_int_equal(c.at[i], want[i]);
    trod_arena_free(&mem);
}

/* Ids: s h > h is 0, s h t is 1, > h > h is 2, > h t is 3.
 * Edges: s-h is 0, h-h is 1, h-t is 2.
 */
static void test_trips_are_exact(void **state)
{
    static const struct trod_probe_options *const all[] = {
        &frontier, &no_trips, &tree, &plain};
    static const trod_edge never[] = {0, 2}, once[] = {0, 1, 2},
                           often[] = {0, 1, 1, 1, 1, 1, 2}, stopped[] = {0, 1, 1};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        struct subject *s = subject_of(loop_self, *all[i]);

        assert_counters(s, never, 2, true, (const uint64_t[]){0, 1, 0, 0});
        assert_counters(s, once, 3, true, (const uint64_t[]){1, 0, 0, 1});
        assert_counters(s, often, 7, true, (const uint64_t[]){1, 0, 4, 1});
        assert_counters(s, stopped, 3, false, (const uint64_t[]){1, 0, 1, 0});
        close_subject(s);
    }
}

/* --- cost ---------------------------------------------------------------- */

static void test_cost(void **state)
{
    struct subject *s =
        subject_of("graph f\ns: h*10\nh: b*90 t*10\nb: h*90\nt:\n", frontier);
    struct trod_cost cost;

    (void)state;
    trod_probe_cost(&cost, &s->plan, &trod_prices_default, &s->mem);
    assert_int_equal(cost.nop, 4);
    assert_int_equal(cost.nsite, 3);
    assert_int_equal(cost.nop_of_kind[TROD_OP_SET], 1);
    assert_int_equal(cost.nop_of_kind[TROD_OP_BUMP], 1);
    assert_int_equal(cost.nop_of_kind[TROD_OP_FLUSH], 1);
    assert_int_equal(cost.nop_of_kind[TROD_OP_COUNT], 1);
    assert_true(cost.dynamic == 10 * 1 + 90 * 1 + 10 * (10 + 3));
    assert_true(cost.per_call == cost.dynamic / 10);
    close_subject(s);
}

/* --- the text form ------------------------------------------------------- */

static bool parse(struct trod_plan *out, const char *form, size_t length,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;
    struct trod_token token;

    trod_text_init(&text, "plan.txt", form, length);
    for (int i = 0; i < 2; i++)
        if (!trod_text_next(&token, &text, mem, err))
            return false;
    if (token.kind != TROD_T_NAME)
        return trod_text_fail(&text, err, "no name");
    return trod_probe_parse(out, token.name, &text, mem, err);
}

static void test_text(void **state)
{
    static const char good[] =
        "plan \"f g\" tree\n"
        ">: s {r=-9223372036854775808}\n"
        "s: \"a b\"*3 {r+=0 r-=9223372036854775808} s2*0 {[-5]++ [7]++}\n"
        "\"a b\": >s*7 {[r]++ r=9223372036854775807} >s2*7 {t1++} >s2*7 {t0++}\n"
        "s2: . {[r-9223372036854775808]++ flush t0 [r+2] r=-1}\n";
    struct trod_arena mem;
    struct trod_err err;
    struct trod_plan plan = {0};

    (void)state;
    trod_arena_init(&mem, sample_exhausted, NULL);
    if (!parse(&plan, good, strlen(good), &mem, &err))
        fail_msg("%s", err.text);
    assert_int_equal(plan.nloop, 2);
    assert_string_equal(printed(&plan, &mem), good);
    trod_arena_free(&mem);
}

static void test_messages(void **state)
{
    static const struct {
        const char *form, *message;
    } wrong[] = {
        {"plan f\ns:\n", "plan.txt:1: a plan is frontier, tree or plain"},
        {"plan f tree now\ns:\n", "plan.txt:1: unexpected text"},
        {"plan f tree\n", "'f' has no nodes"},
        {"plan f tree\ns: {r}\n", "plan.txt:2: expected"},
        {"plan f tree\ns: t {r}\nt:\n", "plan.txt:2: expected an operation"},
        {"plan f tree\ns: t {r=1\nt:\n", "plan.txt:2: expected an operation"},
        {"plan f tree\ns: t {r=\nt:\n", "plan.txt:2: expected an operation"},
        {"plan f tree\ns: t {[r+]++}\nt:\n", "plan.txt:2: expected an operation"},
        {"plan f tree\ns: t {flush 0 [r] r=0}\nt:\n", "plan.txt:2: expected an oper"},
        {"plan f tree\ns: t {t-1++}\nt:\n", "plan.txt:2: expected an operation"},
        {"plan f tree\ns: t {r=9223372036854775808}\nt:\n", "is not a constant"},
        {"plan f tree\ns: t {r=\"1\"}\nt:\n", "'1' is not a constant"},
        {"plan f tree\ns: t\nt: s {r=1}\n", "plan.txt:3: a plan runs on a graph with"},
        {"plan f tree\ns: t\nt: s {r=1}\n", "write '>s'"},
        {"plan f tree\n>: t\ns: t\nt:\n", "plan.txt:2: the '>:' line of a plan"},
        {"plan f tree\n>: s s\ns: t\nt:\n", "plan.txt:2: the '>:' line of a plan"},
        {"plan f tree\ns: t . {r=1}\nt:\n", "plan.txt:2: '.' gives 's' an exit edge"},
        {"plan f tree\ns: t {t0++}\nt:\n", "plan.txt:2: t0++ must stand on a cut"},
        {"plan f tree\n>: s {t0++}\ns: >t\nt:\n", "plan.txt:2: t0++ must stand on"},
        {"plan f tree\ns: >t {t1++}\nt:\n", "plan.txt:2: trip counter t1 is out of"},
        {"plan f tree\ns: t {flush t0 [r] r=1}\nt:\n", "t0 of plan 'f' never goes up"},
        {"plan f tree\ns: >t {t0++} >s {t0++}\nt:\n",
            "already counts the iterations of 't'"},
    };
    struct trod_arena mem;

    (void)state;
    trod_arena_init(&mem, sample_exhausted, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct trod_err err = {.code = TROD_OK};
        struct trod_plan plan;

        assert_false(parse(&plan, wrong[i].form, strlen(wrong[i].form), &mem, &err));
        assert_int_equal(err.code, TROD_E_INPUT);
        if (!strstr(err.text, wrong[i].message))
            fail_msg("'%s' lacks '%s'", err.text, wrong[i].message);
    }
    trod_arena_free(&mem);
}

/* Plans that read well and count wrong. */
static void test_check_refuses(void **state)
{
    static const struct {
        const char *form, *message;
    } wrong[] = {
        {"plan f tree\n>: s\ns:\n", "a path ends that has not been counted"},
        {"plan f tree\n>: s {[r]++}\ns:\n", "on the way in, r is used before"},
        {"plan f tree\n>: s {[0]++}\ns: . {[0]++}\n",
            "the exit edge of 's', a path is"},
        {"plan f tree\n>: s {[0]++ r=0}\ns:\n", "though the path has been counted"},
        {"plan f tree\n>: s\ns: a {[0]++} b\na: t\nb: t\nt:\n",
            "between paths that meet here"},
        {"plan f tree\n>: s {[0]++}\ns:\nu: s {r=1}\n", "is unreachable"},
        {"plan f tree\n>: s {r=0}\ns: >s {t0++} t\nt: . {[r]++}\n", "never flushed"},
        {"plan f tree\n>: s {r=0}\ns: >s {t0++} t {[r]++ flush t0 [r] r=0}\nt:\n",
            "which must come first"},
        {"plan f tree\n>: s {r=0}\ns: >s {t0++} t {flush t0 [r] r=0} u\nt: . {[r]++}\n"
         "u: . {[r]++}\n",
            "edge 's' -> 'u', a trip counter is not flushed"},
        {"plan f tree\n>: s {r=0}\ns: >s {t0++ r=1} t {flush t0 [r] r=0}\n"
         "t: . {[r]++}\n",
            "nothing else on them"},
        {"plan f tree\n>: s {r=0}\ns: a\na: >s {t0++} t {flush t0 [r] r=0} >s {r=1}\n"
         "t: . {[r]++}\n",
            "has other operations inside"},
    };
    struct trod_arena mem;

    (void)state;
    trod_arena_init(&mem, sample_exhausted, NULL);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct trod_err err;
        struct trod_plan plan;

        if (!parse(&plan, wrong[i].form, strlen(wrong[i].form), &mem, &err))
            fail_msg("%s", err.text);
        assert_false(trod_probe_check(&plan, &mem, &err));
        assert_int_equal(err.code, TROD_E_INPUT);
        if (!strstr(err.text, wrong[i].message))
            fail_msg("'%s' lacks '%s'", err.text, wrong[i].message);
    }
    trod_arena_free(&mem);
}

static void test_json(void **state)
{
    struct subject *s = subject_of(loop_self, frontier);
    struct trod_string text;
    struct trod_json json;

    (void)state;
    trod_string_init(&text, &s->mem);
    trod_json_init(&json, &text.sink);
    trod_probe_json(&json, NULL, &s->plan);
    assert_non_null(strstr(text.text, "\"kind\": \"flush\""));
    assert_non_null(strstr(text.text, "\"again\": 2"));
    close_subject(s);
}

/* --- any function -------------------------------------------------------- */

static const struct sample_options small = {.max_node = 12, .max_path = 300};

/* Values of any size: sums wrap, and so does r. */
static void number_anyhow(
    struct trod_numbering *out, struct sample *s, struct kit_prop *p)
{
    int64_t *val = trod_new(&s->mem, int64_t, s->view.dag.shape.nedge);
    bool large = kit_draw(p, 2);

    for (trod_edge e = 0; e < s->view.dag.shape.nedge; e++) {
        uint64_t size = kit_draw(p, 4);

        val[e] = (int64_t)(large ? size << 62 | size : size);
    }
    *out = (struct trod_numbering){
        .kind = TROD_PREFERENTIAL, .dag = &s->view.dag, .val_of_edge = val};
}

static bool draw_numbering(
    struct trod_numbering *out, struct sample *s, struct kit_prop *p)
{
    struct trod_numbering length;

    switch (kit_draw(p, 6)) {
    case 1:
        trod_number_length(out, &s->view.dag, &s->mem);
        return true;
    case 2:
        return trod_number_selective(out, &s->in, &s->mem, &s->err);
    case 3:
        trod_number_preferential(out, &s->in, TROD_PREFER_BEST, &s->mem);
        return true;
    case 4:
        trod_number_length(&length, &s->view.dag, &s->mem);
        return trod_number_pack(out, &s->bl, &length, &s->mem, &s->err);
    case 5:
        number_anyhow(out, s, p);
        return true;
    default:
        *out = s->bl;
        return true;
    }
}

static struct trod_probe_options draw_options(struct kit_prop *p)
{
    struct trod_probe_options options = {.placement = kit_draw(p, 3)};

    options.no_trips = kit_draw(p, 2);
    return options;
}

/* A sample with a plan. */
struct planned {
    struct sample s;
    struct trod_numbering numbering;
    struct trod_plan plan;
};

static bool plan_build(struct planned *d, struct kit_prop *p)
{
    struct trod_probe_options options;

    if (!sample_build(&d->s, &small, p))
        return false;
    options = draw_options(p);
    if (!draw_numbering(&d->numbering, &d->s, p)) {
        kit_note(p, "%s", d->s.err.text);
        return false;
    }
    trod_probe_plan(&d->plan, &d->numbering, &d->s.view.loops, &options, &d->s.mem);
    return true;
}

static bool plan_free(struct planned *d, struct kit_prop *p, bool holds)
{
    if (!holds) {
        kit_note(p, "%s", d->s.err.text);
        sample_fail(p, &d->s, &d->numbering);
        if (d->plan.numbering)
            kit_note(p, "%s", printed(&d->plan, &d->s.mem));
    }
    return sample_free(&d->s, holds);
}

static bool check_both(struct planned *d)
{
    return trod_probe_check(&d->plan, &d->s.mem, &d->s.err) &&
           trod_probe_check_all(&d->plan, MOST_PATHS, WALKS, &d->s.mem, &d->s.err);
}

static bool counts_every_path(struct kit_prop *p, void *ctx)
{
    struct planned d = {0};
    bool ok = plan_build(&d, p) && check_both(&d);

    (void)ctx;
    return plan_free(&d, p, ok);
}

/* --- faults -------------------------------------------------------------- */

/* One operation of the plan, to be changed; what was drawn before stays as it was. */
static struct trod_op *draw_op(struct planned *d, struct kit_prop *p)
{
    uint32_t nop = d->plan.first_op[d->plan.nsite];
    struct trod_op *op = trod_new(&d->s.mem, struct trod_op, nop);

    memcpy(op, d->plan.op, nop * sizeof *op);
    d->plan.op = op;
    return op + kit_draw(p, nop);
}

/* One constant is off by one: some path is counted as another. */
static bool sees_changed_constant(struct kit_prop *p, void *ctx)
{
    struct planned d = {0};
    bool ok = plan_build(&d, p);

    (void)ctx;
    if (ok) {
        struct trod_op *op = draw_op(&d, p);
        bool again = op->kind == TROD_OP_FLUSH && kit_draw(p, 2);
        bool begin = op->kind == TROD_OP_BEGIN; /* walks do not count these */

        if (op->kind == TROD_OP_BUMP || begin)
            op->kind = TROD_OP_NONE;
        else if (again)
            op->again = (int64_t)((uint64_t)op->again + 1);
        else
            op->value = (int64_t)((uint64_t)op->value + 1);
        ok = !trod_probe_check(&d.plan, &d.s.mem, &d.s.err) &&
             (begin ||
                 !trod_probe_check_all(&d.plan, MOST_PATHS, WALKS, &d.s.mem, &d.s.err));
    }
    return plan_free(&d, p, ok);
}

/* Whatever is done to a plan: if the proof goes through, so do the walks. */
static bool proof_is_sound(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct planned d = {0};
    bool ok = plan_build(&d, p);

    if (ok) {
        struct trod_op other = *draw_op(&d, p), *op = draw_op(&d, p);

        switch (kit_draw(p, 4)) {
        case 0:
            op->kind = kit_draw(p, TROD_OP_BUMP);
            break;
        case 1:
            op->value = (int64_t)kit_draw(p, 4);
            break;
        case 2:
            *op = other;
            break;
        default:
            op->value = op->again;
        }
        ok = (!*planted && !trod_probe_check(&d.plan, &d.s.mem, &d.s.err)) ||
             trod_probe_check_all(&d.plan, MOST_PATHS, WALKS, &d.s.mem, &d.s.err);
    }
    return plan_free(&d, p, ok);
}

/* --- costs --------------------------------------------------------------- */

static double cost_of(struct planned *d, struct trod_probe_options options)
{
    struct trod_cost cost;

    trod_probe_plan(&d->plan, &d->numbering, &d->s.view.loops, &options, &d->s.mem);
    trod_probe_cost(&cost, &d->plan, &trod_prices_default, &d->s.mem);
    return cost.dynamic;
}

/* But for what is lost in adding up weights of any size. */
static bool at_most(double a, double b)
{
    return a <= b * (1 + 1e-9);
}

/* Trip counters never cost more than they save. */
static bool trips_pay(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct planned d = {0};
    bool ok = plan_build(&d, p);

    for (int i = 0; ok && i < 3; i++)
        ok = at_most(cost_of(&d, (struct trod_probe_options){.placement = i,
                                     .no_trips = *planted}),
            cost_of(&d,
                (struct trod_probe_options){.placement = i, .no_trips = !*planted}));
    return plan_free(&d, p, ok);
}

/* What a placement does along one path, and how often it adds in all. */
struct work {
    const struct trod_dag_ops *ops;
    uint32_t n[TROD_OP_COUNT_AT + 1];
};

static void follow(struct work *w, const trod_edge *path, uint32_t length)
{
    memset(w->n, 0, sizeof w->n);
    for (uint32_t i = 0; i < length; i++)
        w->n[w->ops->kind_of_edge[path[i]]]++;
}

static uint64_t weight_of_adds(
    const struct trod_dag_ops *ops, const struct trod_dag *dag)
{
    uint64_t total = 0;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (ops->kind_of_edge[e] == TROD_OP_ADD)
            total = trod_sat_add(total, dag->weight_of_edge[e]);
    return total;
}

static bool sets_no_more(void *ctx, const trod_edge *path, uint32_t length)
{
    struct work *frontier_and_tree = ctx, *f = &frontier_and_tree[0],
                *t = &frontier_and_tree[1];

    follow(f, path, length);
    follow(t, path, length);
    return f->n[TROD_OP_SET] == f->n[TROD_OP_COUNT] &&
           f->n[TROD_OP_SET] + f->n[TROD_OP_COUNT_AT] == 1 &&
           f->n[TROD_OP_COUNT_AT] >= t->n[TROD_OP_COUNT_AT];
}

/* FRONTIER adds no more often than TREE, and sets and counts no more on any path. */
static bool frontier_is_best(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct planned d = {0};
    struct trod_dag_ops of_frontier, of_tree;
    bool ok = plan_build(&d, p);

    if (ok) {
        const struct trod_dag *dag = &d.s.view.dag;
        struct work work[2] = {{.ops = &of_frontier}, {.ops = &of_tree}};

        if (*planted)
            trod_place_plain(&of_frontier, &d.numbering, &d.s.mem);
        else
            trod_place_frontier(&of_frontier, &d.numbering, NULL, &d.s.mem);
        trod_place_tree(&of_tree, &d.numbering, &d.s.mem);
        ok = d.s.graph.leave_of_node ||
             (weight_of_adds(&of_frontier, dag) <= weight_of_adds(&of_tree, dag) &&
                 trod_number_each(dag, MOST_PATHS, sets_no_more, work, &d.s.mem) ==
                     d.s.bl.npath);
    }
    return plan_free(&d, p, ok);
}

/* --- text, on any plan --------------------------------------------------- */

static bool reads_back(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct planned d = {0};
    struct trod_plan read = {0};
    struct trod_cost before, after;
    bool ok = plan_build(&d, p);

    if (ok) {
        const char *text = printed(&d.plan, &d.s.mem);

        if (*planted)
            draw_op(&d, p)->kind = TROD_OP_NONE;
        ok = parse(&read, text, strlen(text), &d.s.mem, &d.s.err) &&
             strcmp(text, printed(&read, &d.s.mem)) == 0 &&
             trod_probe_check(&read, &d.s.mem, &d.s.err);
    }
    if (ok) {
        trod_probe_cost(&before, &d.plan, &trod_prices_default, &d.s.mem);
        trod_probe_cost(&after, &read, &trod_prices_default, &d.s.mem);
        ok = before.nop == after.nop && before.nsite == after.nsite &&
             at_most(before.dynamic, after.dynamic) &&
             at_most(after.dynamic, before.dynamic) && d.plan.nloop == read.nloop;
    }
    return plan_free(&d, p, ok);
}

/* Any bytes are read or refused with a place; what was read prints and reads back. */
static bool reads_or_refuses(struct kit_prop *p, void *ctx)
{
    static const char bits[] = "r=+-[]{}t019>:. \n\"#*flush\\";
    struct planned d = {0};
    struct trod_plan read, again;
    bool ok = plan_build(&d, p);

    (void)ctx;
    if (ok) {
        const char *from = printed(&d.plan, &d.s.mem);
        size_t length = strlen(from);
        char *text = trod_copy_text(&d.s.mem, from, length);

        for (uint64_t n = 1 + kit_draw(p, 3); n; n--)
            text[kit_draw(p, length)] = bits[kit_draw(p, sizeof bits)];
        if (parse(&read, text, length, &d.s.mem, &d.s.err)) {
            const char *first = printed(&read, &d.s.mem);

            ok = parse(&again, first, strlen(first), &d.s.mem, &d.s.err) &&
                 strcmp(first, printed(&again, &d.s.mem)) == 0;
        } else {
            ok = strncmp(d.s.err.text, "plan.txt:", 9) == 0;
        }
        if (!ok)
            kit_note(p, "%s", text);
    }
    return plan_free(&d, p, ok);
}

static bool sound = false, faulty = true;

static void test_counts(void **state)
{
    (void)state;
    kit_check("probe.counts", counts_every_path, NULL);
    kit_check("probe.fault", sees_changed_constant, NULL);
    kit_check("probe.proof", proof_is_sound, &sound);
    kit_check_planted("probe.proof.planted", proof_is_sound, &faulty);
}

static void test_costs(void **state)
{
    (void)state;
    kit_check("probe.trips", trips_pay, &sound);
    kit_check_planted("probe.trips.planted", trips_pay, &faulty);
    kit_check("probe.frontier", frontier_is_best, &sound);
    kit_check_planted("probe.frontier.planted", frontier_is_best, &faulty);
}

static void test_forms(void **state)
{
    (void)state;
    kit_check("probe.text", reads_back, &sound);
    kit_check_planted("probe.text.planted", reads_back, &faulty);
    kit_check("probe.bytes", reads_or_refuses, NULL);
}

/* --- memory and size ----------------------------------------------------- */

static void plan_and_all(struct trod_arena *mem, void *ctx)
{
    const char *form = ctx;
    struct trod_text text;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_numbering bl;
    struct trod_plan plan, read;
    struct trod_err err;
    const char *out;
    bool more, ok;

    trod_text_init(&text, "test", form, strlen(form));
    ok = trod_graph_parse(&graph, &more, &text, mem, &err);
    trod_graph_view(&view, &graph, NULL, mem);
    ok = ok && trod_number_ballarus(&bl, &view.dag, mem, &err);
    trod_probe_plan(&plan, &bl, &view.loops, &frontier, mem);
    ok = ok && trod_probe_check(&plan, mem, &err) &&
         trod_probe_check_all(&plan, MOST_PATHS, 2, mem, &err);
    out = printed(&plan, mem);
    ok = ok && parse(&read, out, strlen(out), mem, &err);
    assert_true(ok);
}

static void test_out_of_memory(void **state)
{
    char form[sizeof loop_branches];

    (void)state;
    memcpy(form, loop_branches, sizeof form);
    assert_true(kit_each_allocation_failure(plan_and_all, form) > 50);
}

/* Large and deep. Paths are too many to number, so blocks are counted. */
static void test_large(void **state)
{
    struct trod_arena mem;
    struct trod_rng rng;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_numbering length;
    struct trod_err err;

    (void)state;
    trod_arena_init(&mem, sample_exhausted, NULL);
    trod_rng_init(&rng, 7);
    kit_shape_structured(&graph, 300000, kit_shape_from_rng, &rng, &mem);
    trod_graph_view(&view, &graph, NULL, &mem);
    trod_number_length(&length, &view.dag, &mem);
    for (int i = 0; i < 3; i++) {
        struct trod_plan plan;

        trod_probe_plan(&plan, &length, &view.loops,
            &(struct trod_probe_options){.placement = i}, &mem);
        if (!trod_probe_check(&plan, &mem, &err))
            fail_msg("%s", err.text);
    }
    assert_false(trod_probe_check_all(
        &(struct trod_plan){.numbering = &length}, MOST_PATHS, 1, &mem, &err));
    assert_int_equal(err.code, TROD_E_LIMIT);
    trod_arena_free(&mem);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diamond),
        cmocka_unit_test(test_figure),
        cmocka_unit_test(test_single_path_loop),
        cmocka_unit_test(test_loops_without_trips),
        cmocka_unit_test(test_other_shapes),
        cmocka_unit_test(test_trips_are_exact),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_check_refuses),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_costs),
        cmocka_unit_test(test_forms),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_large),
    };

    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
