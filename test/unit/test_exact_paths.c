/* Paths of activations, all counted: long ones, many of them, and activations that do not return. */
#include "kit/kit.h"

#include <stdlib.h>

#include "model/exact_paths.h"
#include "model/model.h"

struct fixture {
    struct trod_arena mem;
    struct trod_model_exact exact;
};

static void die(void *ctx)
{
    (void)ctx;
    abort();
}

static void begin(struct fixture *f)
{
    trod_arena_init(&f->mem, die, NULL);
    trod_model_exact_init(&f->exact, &f->mem);
}

static void end(struct fixture *f)
{
    trod_arena_free(&f->mem);
}

/* A block of four bytes and one instruction. */
static struct trod_model_exact_code block(uint64_t pc, uint8_t kind, uint64_t target)
{
    return (struct trod_model_exact_code){.code = {.pc = pc,
                                              .last = pc,
                                              .after = pc + 4,
                                              .target = target,
                                              .ninsn = 1,
                                              .kind = kind}};
}

static const struct trod_model_exact_path *find(
    const struct trod_model_exact *x, uint64_t start, uint32_t length, bool cut)
{
    const struct trod_model_exact_path *found = NULL;

    for (uint64_t i = 0; i <= x->table->mask; i++)
        if (x->table->path[i].count && x->table->path[i].start == start &&
            x->table->path[i].length == length && x->table->path[i].cut == cut)
            found = &x->table->path[i];
    return found;
}

/* The same, which must be there. */
static struct trod_model_exact_path found(
    const struct trod_model_exact *x, uint64_t start, uint32_t length)
{
    const struct trod_model_exact_path *path = find(x, start, length, false);

    if (!path) {
        fail_msg("no path of %u outcomes", length);
        abort();
    }
    return *path;
}

/* n conditional branches, whose targets are eight bytes on, then a return; 'call' is what calls it. */
enum { FIRST = 0x1000, MOST = 300 };

static void run_chain(struct trod_model_exact *x, struct trod_model_exact_code *code,
    struct trod_model_exact_code *call, size_t n, uint64_t seed)
{
    trod_model_exact_run(x, call);
    for (size_t i = 0; i < n; i++) {
        trod_model_exact_run(x, &code[2 * i]);
        if (!(seed >> i % 64 & 1))
            trod_model_exact_run(x, &code[2 * i + 1]);
    }
    trod_model_exact_run(x, &code[2 * n]);
}

static void make_chain(
    struct trod_model_exact_code *code, struct trod_model_exact_code *call, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        code[2 * i] = block(FIRST + 8 * i, TROD_BRANCH_IF, FIRST + 8 * i + 8);
        code[2 * i + 1] = block(FIRST + 8 * i + 4, TROD_BRANCH_NONE, 0);
    }
    code[2 * n] = block(FIRST + 8 * n, TROD_BRANCH_RETURN, 0);
    call[0] = block(0x100, TROD_BRANCH_CALL, FIRST);
    call[1] = block(0x104, TROD_BRANCH_JUMP, 0x100);
}

static void test_outcomes_of_any_length(void **state)
{
    static const uint32_t lengths[] = {0, 1, 63, 64, 65, 127, 128, 129, MOST};
    static struct trod_model_exact_code code[2 * MOST + 1];

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct trod_model_exact_path path;
        struct trod_model_exact_code call[2];
        uint64_t seed = UINT64_C(0x123456789abcdef5);
        struct fixture f;

        begin(&f);
        make_chain(code, call, lengths[k]);
        for (int repeat = 0; repeat < 3; repeat++) {
            run_chain(&f.exact, code, &call[0], lengths[k], seed);
            trod_model_exact_run(&f.exact, &call[1]);
        }
        path = found(&f.exact, FIRST, lengths[k]);
        assert_int_equal(path.count, 3);
        for (uint32_t i = 0; i < lengths[k]; i++)
            assert_int_equal(trod_model_exact_outcomes(&path)[i / 64] >> i % 64 & 1,
                seed >> i % 64 & 1);
        assert_int_equal(f.exact.nodd, 0);
        end(&f);
    }
}

static void test_tables_grow_and_add_up(void **state)
{
    static struct trod_model_exact_code code[2 * MOST + 1];
    struct trod_model_exact_code call[2];
    struct trod_model_exact sum;
    struct fixture f;
    uint64_t count = 0, distinct = 0;

    (void)state;
    begin(&f);
    make_chain(code, call, 16);
    for (uint64_t seed = 0; seed < 5000; seed++) {
        run_chain(&f.exact, code, &call[0], 16, seed);
        trod_model_exact_run(&f.exact, &call[1]);
    }
    trod_model_exact_init(&sum, &f.mem);
    trod_model_exact_add(&sum, &f.exact);
    trod_model_exact_add(&sum, &f.exact);
    for (uint64_t i = 0; i <= sum.table->mask; i++)
        if (sum.table->path[i].start == FIRST) {
            count += sum.table->path[i].count;
            distinct++;
        }
    assert_int_equal(distinct, 5000);
    assert_int_equal(count, 10000);
    trod_model_exact_clear(&f.exact);
    assert_null(find(&f.exact, FIRST, 16, false));
    end(&f);
}

/* f calls g, g calls h, and h jumps back into f. The slot of f's next call shows that g and h ended. */
static void test_dead_activations_are_cut_off(void **state)
{
    struct trod_model_exact_code start = block(0x100, TROD_BRANCH_CALL, 0x200),
                                 f1 = block(0x200, TROD_BRANCH_CALL, 0x300),
                                 g1 = block(0x300, TROD_BRANCH_CALL, 0x400),
                                 h1 = block(0x400, TROD_BRANCH_INDIRECT, 0),
                                 f2 = block(0x210, TROD_BRANCH_IF, 0x220),
                                 f3 = block(0x214, TROD_BRANCH_CALL, 0x500),
                                 k = block(0x500, TROD_BRANCH_RETURN, 0),
                                 f4 = block(0x218, TROD_BRANCH_RETURN, 0),
                                 last = block(0x104, TROD_BRANCH_NONE, 0);
    struct {
        struct trod_model_exact_code *code;
        uint64_t slot; /* that it leaves */
    } steps[] = {{&start, 0x9000}, {&f1, 0x8000}, {&g1, 0x7000}, {&h1, 0}, {&f2, 0},
        {&f3, 0x8000}, {&k, 0x8000}, {&f4, 0x9000}, {&last, 0}};
    struct trod_model_exact_path path;
    struct fixture f;

    (void)state;
    begin(&f);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        trod_model_exact_run(&f.exact, steps[i].code);
        f.exact.slot = steps[i].slot;
    }
    assert_non_null(find(&f.exact, 0x200, 0, true)); /* f, to where g was called */
    assert_non_null(find(&f.exact, 0x300, 0, true));
    assert_non_null(find(&f.exact, 0x400, 0, false));
    path = found(&f.exact, 0x210, 1);
    assert_int_equal(path.function, 0x200);
    assert_int_equal(path.ninsn, 3);
    assert_int_equal(f.exact.ndrop, 2);
    assert_ptr_equal(f.exact.top, f.exact.frame);
    end(&f);
}

/* A signal between two blocks: the path continues as if there had been none. */
static void test_signals_do_not_show(void **state)
{
    struct trod_model_exact_code start = block(0x100, TROD_BRANCH_CALL, 0x200),
                                 f1 = block(0x200, TROD_BRANCH_IF, 0x210),
                                 f2 = block(0x210, TROD_BRANCH_RETURN, 0),
                                 handler = block(0x900, TROD_BRANCH_RETURN, 0),
                                 restore = block(0xa00, TROD_BRANCH_NONE, 0),
                                 last = block(0x104, TROD_BRANCH_NONE, 0);
    struct trod_model_exact_path path;
    struct fixture f;

    (void)state;
    handler.handler = true;
    begin(&f);
    trod_model_exact_run(&f.exact, &start);
    trod_model_exact_run(&f.exact, &f1);
    trod_model_exact_run(&f.exact, &handler);
    trod_model_exact_run(&f.exact, &restore);
    f.exact.resumes = true;
    trod_model_exact_run(&f.exact, &f2);
    trod_model_exact_run(&f.exact, &last);
    path = found(&f.exact, 0x200, 1);
    assert_int_equal(path.outcome.word, 1);
    assert_int_equal(path.ninsn, 2);
    assert_non_null(find(&f.exact, 0x900, 0, false));
    assert_int_equal(f.exact.nsignal, 1);
    assert_int_equal(f.exact.nodd, 1);
    assert_ptr_equal(f.exact.top, f.exact.frame);
    end(&f);
}

/* The planted fault: a block that goes nowhere it can is odd, and cuts the path off. */
static void test_what_cannot_be_is_odd(void **state)
{
    struct trod_model_exact_code f1 = block(0x200, TROD_BRANCH_IF, 0x210),
                                 f2 = block(0x300, TROD_BRANCH_NONE, 0);
    struct fixture f;

    (void)state;
    begin(&f);
    trod_model_exact_run(&f.exact, &f1);
    trod_model_exact_run(&f.exact, &f2);
    assert_int_equal(f.exact.nodd, 1);
    assert_non_null(find(&f.exact, 0x200, 0, true));
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outcomes_of_any_length),
        cmocka_unit_test(test_tables_grow_and_add_up),
        cmocka_unit_test(test_dead_activations_are_cut_off),
        cmocka_unit_test(test_signals_do_not_show),
        cmocka_unit_test(test_what_cannot_be_is_odd),
    };

    return cmocka_run_group_tests_name("exact_paths", tests, NULL, NULL);
}
