/* Streams: what the checker finds, chunk by chunk reading, what memory is asked for. */
#include "kit/fixture.h"

#include <string.h>

#include "kit/machine_program.h"
#include "zstd/zstd_port.h"

static bool parse(
    struct trod_branch_sink *to, const char *lines, struct trod_arena *mem)
{
    struct trod_token token;
    struct trod_text text;

    trod_text_init(&text, "test", lines, strlen(lines));
    return trod_text_next(&token, &text, mem, &have.err) &&
           trod_text_next(&token, &text, mem, &have.err) &&
           trod_branch_parse(to, &text, mem, &have.err);
}

#define CODES                             \
    "branches t\n"                        \
    "code 0 0x10 0x10 0x12 1 call 0x20\n" \
    "code 1 0x20 0x20 0x22 1 call 0x30\n" \
    "code 2 0x30 0x30 0x31 1 return\n"    \
    "code 3 0x12 0x12 0x13 1 return\n"    \
    "code 4 0x22 0x22 0x24 1 if 0x20\n"

static void count(uint64_t *out, const char *lines)
{
    struct trod_branch_checker c;

    trod_branch_checker_init(&c, &have.mem);
    must(parse(&c.sink, lines, &have.mem));
    memcpy(out, c.count, sizeof c.count);
    assert_true(trod_branch_checked(&c, &have.err));
}

static void test_findings(void **state)
{
    uint64_t found[TROD_BRANCH_FINDINGS];

    (void)state;
    count(found, CODES "run 0 0 0x20\nrun 0 1 0x30\nrun 0 2 0x22\nrun 0 4 0x24\n");
    for (int i = 0; i < TROD_BRANCH_FINDINGS; i++)
        assert_int_equal(found[i], 0);
    count(found, CODES "run 0 0 0x20\nrun 0 1 0x30\nrun 0 2 0x12\nrun 0 3 0x99\n");
    assert_int_equal(found[TROD_BRANCH_RETURN_DOWN], 1);
    assert_int_equal(found[TROD_BRANCH_RETURN_ABOVE], 1);
    count(found, CODES "run 0 0 0x20\nrun 0 1 0x30\nrun 0 2 0x55\n");
    assert_int_equal(found[TROD_BRANCH_RETURN_AWAY], 1);
    count(found, CODES "run 0 1 0x30 stack 0x70\nrun 0 2 0x22 stack 0x78\n");
    assert_int_equal(found[TROD_BRANCH_RETURN_SLOT], 1);
    count(found, CODES "run 0 0 0x30\n");
    assert_int_equal(found[TROD_BRANCH_ODD], 1);
    /* Calls of another thread, and of one that ended, are not open. */
    count(found, CODES "run 0 1 0x30\nrun 1 2 0x22\nend 0\nrun 0 2 0x22\n");
    assert_int_equal(found[TROD_BRANCH_RETURN_ABOVE], 2);
}

static void test_words(void **state)
{
    (void)state;
    assert_string_equal(
        trod_branch_kind_name(TROD_BRANCH_CALL_INDIRECT), "callindirect");
    assert_null(trod_branch_kind_name(TROD_BRANCH_KINDS));
    assert_string_equal(trod_insn_class_name(TROD_INSN_SYSTEM), "system");
    assert_null(trod_insn_class_name(TROD_INSN_CLASSES));
}

/* --- chunks ------------------------------------------------------------------------------------------- */

enum { LOOPS = 1000, CHUNKS = 10 };

/* Ten chunks of a loop, of a hundred runs each. */
static void write_loop(struct trod_string *file, struct trod_arena *mem)
{
    static const struct trod_code code = {.pc = 0x10,
        .last = 0x10,
        .after = 0x12,
        .target = 0x10,
        .ninsn = 1,
        .kind = TROD_BRANCH_IF};
    struct trod_branch_writer w;

    trod_string_init(file, mem);
    trod_branch_writer_init(&w, &file->sink, "loop", &trod_zstd_branch_codec, mem);
    trod_branch_put_code(&w.sink, &code);
    for (int i = 0; i < LOOPS; i++) {
        struct trod_run run = {.code = &code, .next = 0x10, .taken = true};

        trod_branch_put_run(&w.sink, &run);
        if (i % (LOOPS / CHUNKS) == LOOPS / CHUNKS - 1)
            trod_branch_writer_flush(&w);
    }
    trod_branch_writer_finish(&w);
    assert_int_equal(w.nbyte, file->length);
}

static void read_loop(struct trod_branch_checker *c, struct trod_branch_health *health,
    const struct trod_string *file, uint64_t from, uint64_t to)
{
    struct trod_branch_read_options options = {&trod_zstd_branch_codec, from, to};

    trod_branch_checker_init(c, &have.mem);
    must(trod_branch_read(&c->sink, health, "loop", (const uint8_t *)file->text,
        file->length, &options, &have.mem, &have.err));
    must(trod_branch_checked(c, &have.err));
}

/* Where chunk n begins: of codes 0, then those of runs. */
static size_t chunk_at(const struct trod_string *file, int n)
{
    const char *at = file->text;

    for (;; at++) {
        at = memmem(at, file->length - (size_t)(at - file->text), "tbch", 4);
        assert_non_null(at);
        if (n-- == 0)
            return (size_t)(at - file->text);
    }
}

static void test_parts_are_passed_over(void **state)
{
    struct trod_branch_health health;
    struct trod_branch_checker c;
    struct trod_string file;

    (void)state;
    write_loop(&file, &have.mem);
    read_loop(&c, &health, &file, 0, 0);
    assert_int_equal(c.nrun, LOOPS);
    assert_int_equal(health.nchunk, CHUNKS);
    assert_int_equal(health.nread, CHUNKS);
    assert_false(health.cut_off);
    read_loop(&c, &health, &file, 450, 560);
    assert_int_equal(c.nrun, 110);
    assert_int_equal(health.nread, 2);
    assert_int_equal(health.ninsn, LOOPS);
    read_loop(&c, &health, &file, 5000, 0);
    assert_int_equal(c.nrun, 0);
    assert_int_equal(c.ncode, 1);
}

static void test_damage_is_a_gap(void **state)
{
    struct trod_branch_health health;
    struct trod_branch_checker c;
    struct trod_string file;

    (void)state;
    write_loop(&file, &have.mem);
    file.text[chunk_at(&file, 4) + 41] ^= 1; /* what is in it */
    file.text[chunk_at(&file, 7) + 17] ^= 1; /* a head */
    read_loop(&c, &health, &file, 0, 0);
    assert_int_equal(
        health.ndamaged, 3); /* these, and the index, which has one chunk more */
    assert_int_equal(health.nlost, 200);
    assert_int_equal(c.nrun, 800);
    assert_int_equal(c.nend, 2);
    assert_int_equal(health.ninsn, LOOPS);
    assert_false(health.cut_off);
    /* Without its codes, nothing can be read. */
    file.text[chunk_at(&file, 0) + 41] ^= 1;
    read_loop(&c, &health, &file, 0, 0);
    assert_int_equal(c.nrun, 0);
    assert_true(health.ndamaged > 0);
}

static void test_cut_off(void **state)
{
    struct trod_branch_health health;
    struct trod_branch_checker c;
    struct trod_string file;

    (void)state;
    write_loop(&file, &have.mem);
    file.length = chunk_at(&file, 6) + 10;
    read_loop(&c, &health, &file, 0, 0);
    assert_true(health.cut_off);
    assert_int_equal(health.ndamaged, 0);
    assert_int_equal(c.nrun, 500);
    assert_int_equal(health.ninsn, 500);
}

/* --- memory ----------------------------------------------------------------------------------------------- */

static void walk_everything(struct trod_arena *mem, void *ctx)
{
    struct kit_walk_options options = {.nrun = 60,
        .nthread = 2,
        .accesses = true,
        .stacks = true,
        .gaps = true,
        .x86 = true};
    struct trod_branch_read_options reading = {.codec = &trod_zstd_branch_codec};
    struct trod_branch_stack_printer stacks;
    struct trod_branch_health health;
    struct trod_branch_checker check;
    struct trod_branch_paths paths;
    struct trod_branch_printer print;
    struct trod_branch_writer write;
    struct trod_branch_stacks stack;
    struct trod_branch_sink *to[4] = {
        &print.sink, &write.sink, &stacks.sink, &paths.sink};
    struct trod_string text, file, script;
    struct kit_program program;
    struct trod_branch_tee tee;
    struct trod_rng rng;
    struct kit_draws draws;

    (void)ctx;
    trod_rng_init(&rng, 3);
    draws = kit_draws_of_rng(&rng);
    trod_string_init(&text, mem);
    trod_string_init(&file, mem);
    trod_string_init(&script, mem);
    trod_branch_printer_init(&print, &text.sink, "walk");
    trod_branch_writer_init(&write, &file.sink, "walk", &trod_zstd_branch_codec, mem);
    trod_branch_stack_printer_init(&stacks, &script.sink, 8, 2, 1, mem);
    trod_branch_paths_init(&paths, false, mem);
    trod_branch_tee_init(&tee, to, 4);
    kit_program_draw(&program, draws, &options, mem);
    kit_program_walk(&program, &tee.sink, draws, NULL);
    trod_branch_writer_finish(&write);
    (void)trod_branch_paths_order(&paths, mem);
    trod_branch_checker_init(&check, mem);
    assert_true(parse(&check.sink, text.text, mem));
    trod_branch_checker_init(&check, mem);
    assert_true(trod_branch_read(&check.sink, &health, "walk",
        (const uint8_t *)file.text, file.length, &reading, mem, &have.err));
    trod_branch_paths_init(&paths, true, mem);
    assert_true(trod_branch_parse_stacks(
        &paths.sink, &stack, "walk", script.text, script.length, NULL, mem, &have.err));
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    assert_true(kit_each_allocation_failure(walk_everything, NULL) > 20);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_findings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_parts_are_passed_over, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damage_is_a_gap, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_cut_off, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_memory_runs_out, set_up, tear_down),
    };

    return cmocka_run_group_tests_name("branch", tests, NULL, NULL);
}
