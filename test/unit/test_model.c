/* Models of a path profiler: named registers are the published tables; long paths, many threads; queues, windows, phases
 * and spreads by hand; what happens without memory. What holds for all streams is in prop_model.c,
 * prop_model_repair.c and prop_model_hot.c, what each open point does in test/case/model.
 */
#include "kit/fixture.h"

#include <string.h>

#include "model/model.h"

/* --- blocks ----------------------------------------------------------------------------------------- */

/* Block i is at 16 * i, of i % 3 + 1 instructions of 4 bytes. */
static struct trod_code code_at(uint32_t i, uint8_t kind, uint32_t target)
{
    uint64_t n = i % 3 + 1;

    return (struct trod_code){.pc = 16 * (uint64_t)i,
        .last = 16 * (uint64_t)i + 4 * (n - 1),
        .after = 16 * (uint64_t)i + 4 * n,
        .target = 16 * (uint64_t)target,
        .number = i,
        .ninsn = (uint32_t)n,
        .kind = kind};
}

static uint32_t run_block(struct trod_detector *d, const struct trod_code *code,
    uint32_t next, bool taken, uint32_t thread)
{
    struct trod_run run = {
        .code = code, .next = 16 * (uint64_t)next, .taken = taken, .thread = thread};

    return trod_detector_run(d, &run, 1);
}

/* --- registers ----------------------------------------------------------------------------------------- */

static void test_tables_of_the_thesis(void **state)
{
    static const uint8_t ballarus[] = {TROD_DO_COUNT | TROD_DO_PUSH,
        TROD_DO_COUNT | TROD_DO_POP, TROD_DO_UPDATE,
        TROD_DO_UPDATE | TROD_DO_POP | TROD_DO_PUSH,
        TROD_DO_UPDATE | TROD_DO_POP | TROD_DO_PUSH};
    static const uint8_t wpp[] = {TROD_DO_COUNT | TROD_DO_POP | TROD_DO_PUSH,
        TROD_DO_COUNT | TROD_DO_POP | TROD_DO_PUSH, TROD_DO_UPDATE,
        TROD_DO_UPDATE | TROD_DO_POP | TROD_DO_PUSH,
        TROD_DO_UPDATE | TROD_DO_POP | TROD_DO_PUSH};
    const char *name;

    (void)state;
    assert_memory_equal(trod_control_named("ballarus")->op, ballarus, sizeof ballarus);
    assert_memory_equal(trod_control_named("wpp")->op, wpp, sizeof wpp);
    assert_int_equal(trod_control_named("ballarus")->split, 32);
    assert_int_equal(trod_control_named("ballarus")->stack, 32);
    assert_int_equal(trod_control_named("ballarus")->counter, 8);
    assert_null(trod_control_named("hearsay"));
    for (uint32_t i = 0; (name = trod_control_name(i)); i++)
        must(trod_control_check(trod_control_named(name), &have.err));
}

static void test_registers_that_cannot_be(void **state)
{
    struct trod_control c = *trod_control_named("ballarus");

    (void)state;
    c.op[TROD_TYPE_CALL] = TROD_DO_UPDATE | TROD_DO_COUNT;
    assert_false(trod_control_check(&c, &have.err));
    c = *trod_control_named("ballarus");
    c.extend = TROD_EXTEND_LOOPS;
    assert_false(trod_control_check(&c, &have.err));
    c.most_extended = 256;
    assert_false(trod_control_check(&c, &have.err));
    c.most_extended = 255;
    must(trod_control_check(&c, &have.err));
    c.counter = 0;
    assert_false(trod_control_check(&c, &have.err));
    c.counter = 64;
    c.open[TROD_OPEN_REPAIR] = 3;
    assert_false(trod_control_check(&c, &have.err));
    assert_int_equal(have.err.code, TROD_E_INPUT);
}

/* --- paths ------------------------------------------------------------------------------------------------ */

static void test_a_path_of_a_thousand(void **state)
{
    struct trod_code forward = code_at(1, TROD_BRANCH_IF, 9),
                     back = code_at(2, TROD_BRANCH_IF, 1);
    struct trod_detector d;

    (void)state;
    trod_detector_init(&d, trod_control_named("exact"), &have.mem);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(run_block(&d, &forward, 2, i % 7 == 0, 0), 0);
    assert_int_equal(run_block(&d, &back, 1, true, 0), 1);
    assert_int_equal(d.end[0].path.length, 1001);
    assert_int_equal(d.end[0].ninsn, 1000 * 2 + 3);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(trod_has(d.end[0].path.outcome, i), i % 7 == 0);
    assert_true(trod_has(d.end[0].path.outcome, 1000));
    must(trod_detector_check(&d, &have.err));
}

static void test_threads_have_stacks_of_their_own(void **state)
{
    struct trod_code call = code_at(1, TROD_BRANCH_CALL, 8),
                     forward = code_at(8, TROD_BRANCH_IF, 9),
                     back = code_at(10, TROD_BRANCH_IF, 8);
    struct trod_detector d;

    (void)state;
    trod_detector_init(&d, trod_control_named("ballarus"), &have.mem);
    for (uint32_t t = 0; t < 300; t++)
        assert_int_equal(run_block(&d, &call, 8, true, 7 * t), 0);
    for (uint32_t t = 0; t < 300; t++)
        assert_int_equal(run_block(&d, &forward, 9, t % 2, 7 * t), 0);
    for (uint32_t t = 0; t < 300; t++) {
        assert_int_equal(run_block(&d, &back, 8, true, 7 * t), 1);
        assert_int_equal(d.end[0].thread, 7 * t);
        assert_int_equal(d.end[0].word, 2 + t % 2);
        assert_int_equal(d.end[0].path.function, 128);
    }
    assert_int_equal(d.nstack, 300);
    assert_int_equal(trod_detector_end(&d, 7), 2);
    assert_int_equal(d.end[0].how, TROD_HOW_ENDED);
    assert_false(d.end[0].reported);
    /* Another of its number begins anew. */
    assert_int_equal(run_block(&d, &forward, 9, true, 7), 0);
    assert_int_equal(d.stack[1].count, 1);
}

struct sent {
    struct trod_path_sink sink;
    uint32_t count;
};

static void take_sent(struct trod_path_sink *to, const struct trod_path_end *end)
{
    assert_int_equal(end->path.start, 16);
    ((struct sent *)to)->count++;
}

static void test_paths_are_sent(void **state)
{
    struct trod_code back = code_at(1, TROD_BRANCH_IF, 1);
    struct trod_run run = {.code = &back, .next = 16, .taken = true};
    struct sent sent = {.sink = {take_sent}};
    struct trod_detector d;

    (void)state;
    trod_detector_init(&d, trod_control_named("ballarus"), &have.mem);
    for (uint32_t i = 0; i < 5; i++)
        trod_detector_send(&d, &run, 1, &sent.sink);
    assert_int_equal(sent.count, 5);
}

/* Events of blocks without a branch go to the branch after them. */
static void test_events_wait_for_a_branch(void **state)
{
    struct trod_code plain = code_at(1, TROD_BRANCH_NONE, 0),
                     back = code_at(2, TROD_BRANCH_IF, 1);
    struct trod_control c = *trod_control_named("ballarus");
    struct trod_run run = {.code = &plain, .next = 32};
    struct trod_detector d;

    (void)state;
    c.metric = TROD_METRIC_MISSES;
    c.counter = 4;
    trod_detector_init(&d, &c, &have.mem);
    assert_int_equal(trod_detector_run(&d, &run, 9), 0);
    assert_int_equal(d.stack[0].entry[0].events, 0);
    run = (struct trod_run){.code = &back, .next = 16, .taken = true};
    assert_int_equal(trod_detector_run(&d, &run, 8), 1);
    assert_int_equal(d.end[0].weight, 17);
    assert_int_equal(d.end[0].count, 15);
}

/* --- tables ------------------------------------------------------------------------------------------------ */

static void test_bits_of_the_thesis(void **state)
{
    struct trod_hot_design d;

    (void)state;
    must(trod_hot_design_parse(&d, "512x4", &have.mem, &have.err));
    assert_int_equal(d.replace, TROD_REPLACE_LFU);
    assert_int_equal(d.index, TROD_INDEX_XOR);
    /* In use, address, length up to 32, outcomes, accumulator. */
    assert_int_equal(trod_hot_design_bits(&d, 32, 47), 512 * (1 + 47 + 6 + 32 + 32));
    d.ties = TROD_TIES_OLDEST;
    assert_int_equal(trod_hot_design_bits(&d, 32, 47), 512 * (118 + 2));
    must(trod_hot_design_parse(&d, "512x4,admit,skew,door=1024", &have.mem, &have.err));
    assert_int_equal(trod_hot_design_bits(&d, 32, 47), 512 * 118 + 1024 + 32);
}

static void add_path(
    struct trod_hot_table *t, struct trod_reference *r, uint64_t start, uint64_t count)
{
    struct trod_path_end end = {
        .path = {.start = start}, .count = count, .weight = count, .reported = true};
    uint32_t number;

    end.path.outcome = &end.word;
    number = trod_reference_add(r, &end);
    trod_hot_table_add(t, number, &r->path[number], count);
}

/* A path that is there once in a while does not push out one that is there often. */
static void test_admission_keeps_the_heavy(void **state)
{
    struct trod_hot_design d;
    struct trod_reference r;
    struct trod_hot_table t;
    struct trod_hot_score score;
    uint64_t *weight;

    (void)state;
    for (uint32_t kind = 0; kind < 2; kind++) {
        must(trod_hot_design_parse(&d,
            kind ? "16x4,admit,skew" : "16x4,inherit,multiply", &have.mem, &have.err));
        trod_reference_init(&r, &have.mem);
        trod_hot_table_init(&t, &d, &have.mem);
        for (uint64_t i = 0; i < 20000; i++) {
            add_path(&t, &r, 4 * (i % 12), 1);
            add_path(&t, &r, 4000 + 4 * i, 1);
        }
        weight = trod_new(&have.mem, uint64_t, r.npath);
        for (uint32_t i = 0; i < r.npath; i++)
            weight[i] = r.path[i].weight;
        trod_hot_table_score(&score, &t, weight, r.npath, &have.mem);
        assert_true(score.coverage <= score.ideal);
        assert_true(kind ? score.overlap > 0.40 : score.overlap < 0.35);
        must(trod_hot_table_check(&t, &r, &have.err));
    }
}

static void test_a_door_wants_two(void **state)
{
    struct trod_hot_design d;
    struct trod_reference r;
    struct trod_hot_table t;

    (void)state;
    must(trod_hot_design_parse(
        &d, "1x1,inherit,multiply,door=64", &have.mem, &have.err));
    trod_reference_init(&r, &have.mem);
    trod_hot_table_init(&t, &d, &have.mem);
    add_path(&t, &r, 4, 1);
    add_path(&t, &r, 8, 1);
    assert_int_equal(t.entry[0].path, 1);
    assert_int_equal(t.nrefused, 1);
    add_path(&t, &r, 8, 1);
    assert_int_equal(t.entry[0].path, 2);
    assert_int_equal(t.entry[0].count, 2);
    assert_int_equal(t.entry[0].extra, 1);
    trod_hot_table_clear(&t);
    add_path(&t, &r, 8, 1);
    assert_int_equal(t.entry[0].count, 1);
}

static void test_accumulators_stay_at_their_most(void **state)
{
    struct trod_hot_design d;
    struct trod_reference r;
    struct trod_hot_table t;

    (void)state;
    must(trod_hot_design_parse(&d, "4x4,lfu,xor,bits=3", &have.mem, &have.err));
    trod_reference_init(&r, &have.mem);
    trod_hot_table_init(&t, &d, &have.mem);
    for (uint32_t i = 0; i < 20; i++)
        add_path(&t, &r, 4, 1);
    assert_int_equal(t.entry[0].count, 7);
}

/* --- overlap, windows, phases, spread ------------------------------------------------------------------------- */

static bool near(double a, double b)
{
    return a - b < 1e-12 && b - a < 1e-12;
}

static void test_overlap_by_hand(void **state)
{
    struct trod_path_weight a[] = {{1, 50}, {2, 30}, {4, 20}},
                            b[] = {{1, 1}, {3, 1}, {4, 2}};

    (void)state;
    assert_true(near(trod_model_overlap(a, 3, b, 3), 0.25 + 0.20));
    assert_true(near(trod_model_overlap(a, 3, a, 3), 1));
    assert_true(near(trod_model_overlap(a, 3, b, 0), 0));
    assert_true(near(trod_model_overlap(a, 0, b, 0), 1));
}

static void test_windows_begin_empty(void **state)
{
    struct trod_path_window w;
    struct trod_path_weight *weight;

    (void)state;
    trod_path_window_init(&w, &have.mem);
    trod_path_window_add(&w, 5000, 3);
    trod_path_window_add(&w, 7, 1);
    trod_path_window_add(&w, 5000, 1);
    trod_path_window_add(&w, 9, 0);
    assert_int_equal(trod_path_window_weights(&weight, &w, &have.mem), 2);
    assert_int_equal(weight[0].path, 7);
    assert_int_equal(weight[1].weight, 4);
    assert_int_equal(w.total, 5);
    trod_path_window_clear(&w);
    assert_int_equal(trod_path_window_weights(&weight, &w, &have.mem), 0);
    assert_int_equal(w.weight_of_path[5000], 0);
}

static void interval(struct trod_phases *p, uint32_t a, uint32_t b)
{
    trod_phases_path(p, a, 5);
    trod_phases_path(p, b, 5);
    trod_phases_block(p, 1, 10);
    trod_phases_close(p);
}

static void test_phases_come_back(void **state)
{
    struct trod_phases p;

    (void)state;
    trod_phases_init(&p, 0.6, &have.mem);
    interval(&p, 1, 2);
    interval(&p, 1, 2);
    interval(&p, 2, 3); /* half in common: less than it takes */
    interval(&p, 4, 5);
    interval(&p, 1, 2);
    assert_int_equal(p.ninterval, 5);
    assert_int_equal(p.nphase, 4);
    assert_int_equal(p.nkind, 3);
    assert_int_equal(p.phase[0].count, 2);
    assert_int_equal(p.phase[1].from, 2);
    assert_true(near(p.phase[1].paths, 0.5));
    assert_true(p.phase[1].same_blocks);
    assert_int_equal(p.phase[3].kind, p.phase[0].kind);
}

static void test_spread_by_hand(void **state)
{
    struct trod_reference r;
    struct trod_spread s;

    (void)state;
    trod_reference_init(&r, &have.mem);
    for (uint32_t i = 0; i < 4; i++) {
        struct trod_path_end end = {.path = {.start = 4 * (uint64_t)i, .length = 2 * i},
            .weight = i,
            .ninsn = 10};

        end.path.outcome = &end.word;
        for (uint32_t k = 0; k < 4 - i; k++)
            trod_reference_add(&r, &end);
    }
    /* Times 4 3 2 1, weights 0 3 4 3, instructions 40 30 20 10, lengths 0 2 4 6. */
    trod_model_spread(&s, &r, &have.mem);
    assert_int_equal(s.ntop, 3);
    assert_int_equal(s.top[2], 5);
    assert_true(near(s.frequency[0], 0.4));
    assert_true(near(s.frequency[1], 0.7));
    assert_true(near(s.weight[0], 0.4));
    assert_true(near(s.weight[1], 0.7));
    assert_true(near(s.ninsn[2], 1));
    assert_true(near(s.by_length[0], 0.4));
    assert_true(near(s.by_length[2], 0.7));
    assert_true(near(s.by_length[3], 0.9));
    assert_true(near(s.by_length[TROD_SPREAD_LENGTHS - 1], 1));
}

/* --- queues ------------------------------------------------------------------------------------------------------ */

/* Branches at cycles 0 to 5, two cycles each, two slots. */
static uint64_t queue_ends(uint8_t slot, uint64_t *stalled)
{
    struct trod_branch_queue q;
    uint64_t late = 0, commit = 0;

    trod_branch_queue_init(&q, 2, slot, &have.mem);
    for (uint64_t i = 0; i < 6; i++) {
        commit = trod_branch_queue_add(&q, i + late, 2);
        late = commit - i;
    }
    *stalled = q.stalled;
    return commit;
}

/* Free when its branch is begun, they are committed at 0 1 2 3 4 6; when it is done, at 0 1 2 4 6 8. */
static void test_when_a_slot_is_free(void **state)
{
    uint64_t stalled;

    (void)state;
    assert_int_equal(queue_ends(TROD_SLOT_START, &stalled), 6);
    assert_int_equal(stalled, 1);
    assert_int_equal(queue_ends(TROD_SLOT_END, &stalled), 8);
    assert_int_equal(stalled, 3);
}

static void test_service_of_a_branch(void **state)
{
    (void)state;
    /* A forward branch; a backward one that hits; one that misses in four ways. */
    assert_int_equal(trod_model_service(1, 0, 0, 0, 4), 1);
    assert_int_equal(trod_model_service(1, 1, 1, 0, 4), 4);
    assert_int_equal(trod_model_service(1, 1, 1, 1, 4), 6);
}

/* A call, a forward branch, a return that misses, one that hits. */
static void test_service_of_runs(void **state)
{
    struct trod_code call = code_at(1, TROD_BRANCH_CALL, 8),
                     forward = code_at(8, TROD_BRANCH_IF, 12),
                     back = code_at(9, TROD_BRANCH_RETURN, 0);
    struct trod_run run[] = {{.code = &call, .next = 128, .taken = true},
        {.code = &forward, .next = 144},
        {.code = &back, .next = call.after, .taken = true}};
    static const uint32_t first[] = {3, 1, 5}, again[] = {2, 1, 3};
    struct trod_profiler_since since = {0};
    struct trod_hot_design design;
    struct trod_profiler_options options = {.design = &design, .ndesign = 1};
    struct trod_profiler p;

    (void)state;
    must(trod_hot_design_parse(&design, "512x4", &have.mem, &have.err));
    trod_profiler_init(&p, &options, &have.mem);
    for (uint32_t i = 0; i < 6; i++) {
        trod_profiler_run(&p, &run[i % 3], 1);
        /* The first run of a thread pushes its stack's first entry. */
        assert_int_equal(
            trod_profiler_service(&since, &p, 0), (i < 3 ? first : again)[i % 3]);
    }
}

/* --- all of it ------------------------------------------------------------------------------------------------------ */

static void profile(struct trod_arena *mem, void *ctx)
{
    struct trod_code call = code_at(1, TROD_BRANCH_CALL, 8),
                     forward = code_at(8, TROD_BRANCH_IF, 12),
                     back = code_at(9, TROD_BRANCH_RETURN, 0);
    struct trod_hot_design design;
    struct trod_profiler_options options = {
        .design = &design, .ndesign = 1, .window = 50, .interval = 30, .grammar = true};
    struct trod_profiler p;
    struct trod_string text;
    struct trod_json json;

    (void)ctx;
    must(trod_hot_design_parse(&design, "4x2,admit,skew,door=64", mem, &have.err));
    trod_profiler_init(&p, &options, mem);
    for (uint32_t i = 0; i < 60; i++) {
        struct trod_run run[] = {{.code = &call, .next = 128, .taken = true},
            {.code = &forward, .next = 144, .taken = i % 2},
            {.code = &back, .next = call.after, .taken = true}};

        for (uint32_t k = 0; k < 3; k++) {
            run[k].thread = i % 2;
            p.sink.run(&p.sink, &run[k]);
        }
    }
    p.sink.end(&p.sink, 1);
    trod_profiler_finish(&p);
    must(trod_profiler_check(&p, &have.err));
    assert_int_equal(p.reference.count, 60);
    assert_int_equal(p.nthread, 2);
    trod_string_init(&text, mem);
    trod_profiler_print(&text.sink, &p, 10, true, mem);
    assert_non_null(strstr(text.text, "4x2,admit,skew,door=64"));
    trod_json_init(&json, &text.sink);
    trod_json_open(&json, NULL, '{');
    trod_profiler_json(&json, &p, 10, true, mem);
    trod_json_close(&json, '}');
}

static void test_without_memory(void **state)
{
    (void)state;
    profile(&have.mem, NULL);
    assert_true(kit_each_allocation_failure(profile, NULL) > 20);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_tables_of_the_thesis),
        TEST(test_registers_that_cannot_be),
        TEST(test_a_path_of_a_thousand),
        TEST(test_threads_have_stacks_of_their_own),
        TEST(test_paths_are_sent),
        TEST(test_events_wait_for_a_branch),
        TEST(test_bits_of_the_thesis),
        TEST(test_admission_keeps_the_heavy),
        TEST(test_a_door_wants_two),
        TEST(test_accumulators_stay_at_their_most),
        TEST(test_overlap_by_hand),
        TEST(test_windows_begin_empty),
        TEST(test_phases_come_back),
        TEST(test_spread_by_hand),
        TEST(test_when_a_slot_is_free),
        TEST(test_service_of_a_branch),
        TEST(test_service_of_runs),
        TEST(test_without_memory),
    };

    return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
