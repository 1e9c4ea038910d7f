/* Branch stacks: what is read of them is what ran, with and without the code; and paths are estimated as often as
 * they ran.
 */
#include "scratch.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "ipt/ipt_port.h"
#include "kit/walking.h"

enum fault {
    NONE,
    OTHER /* a digit of an address is another */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

struct stacks {
    struct trod_string text;
    struct trod_branch_paths exact, sampled;
    struct trod_branch_checker check;
    struct trod_branch_stacks told;
    struct trod_ipt_memory memory;
    struct trod_ipt_reader reader;
};

static void walk(struct stacks *out, struct kit_draws draws,
    const struct kit_walk_options *options, uint32_t depth, uint64_t period,
    struct trod_arena *mem)
{
    struct trod_branch_stack_printer printer;
    struct trod_branch_sink *to[2] = {&printer.sink, &out->exact.sink};
    struct kit_program program;
    struct trod_branch_tee tee;
    uint8_t *bytes;

    trod_string_init(&out->text, mem);
    trod_branch_stack_printer_init(&printer, &out->text.sink, depth, period, 1, mem);
    trod_branch_paths_init(&out->exact, false, mem);
    kit_program_draw(&program, draws, options, mem);
    trod_branch_tee_init(&tee, to, 2);
    kit_program_walk(&program, &tee.sink, draws, NULL);
    bytes = trod_new(mem, uint8_t, program.image.end - program.image.start);
    kit_program_bytes(bytes, &program);
    out->memory = (struct trod_ipt_memory){program.image, bytes};
}

static bool parse(struct stacks *s, bool decoded, struct sample *have)
{
    struct trod_branch_sink none = {0}, *to[2] = {&s->check.sink, &s->sampled.sink};
    struct trod_branch_decoder decoder = {trod_ipt_walk, &s->reader};
    struct trod_branch_tee tee;

    trod_branch_checker_init(&s->check, &have->mem);
    trod_branch_paths_init(&s->sampled, true, &have->mem);
    trod_branch_tee_init(&tee, to, 2);
    trod_ipt_reader_init(&s->reader, &none, &s->memory, 1, &have->mem);
    return trod_branch_parse_stacks(&tee.sink, &s->told, "perf.script", s->text.text,
        s->text.length, decoded ? &decoder : NULL, &have->mem, &have->err);
}

/* The whole of it: what is seen in stacks are paths that ran. */
static bool stacks_are_of_paths(struct kit_prop *p, void *ctx)
{
    struct kit_walk_options options = {.x86 = true, .no_insns = true, .no_cuts = true};
    struct stacks *s;
    struct sample have;
    bool decoded, ok = true;
    double common = 1;

    begin(&have);
    s = trod_new(&have.mem, struct stacks, 1);
    options.nthread = 1 + (uint32_t)kit_draw(p, 2);
    options.nrun = 20 + (uint32_t)kit_draw(p, 400);
    options.longjmp = kit_draw(p, 2);
    options.tails = kit_draw(p, 2);
    options.gaps = kit_draw(p, 2);
    decoded = kit_draw(p, 2);
    walk(s, kit_draws_of_prop(p), &options, 2 + (uint32_t)kit_draw(p, 31),
        1 + kit_draw(p, 4), &have.mem);
    if (fault_in(ctx) == OTHER && s->text.length > 60)
        s->text.text[s->text.length - 1 - kit_draw(p, 40)] = '4';
    if (parse(s, decoded, &have)) {
        ok = trod_branch_checked(&s->check, &have.err);
        if (s->sampled.npath)
            common = trod_branch_paths_overlap(&s->sampled, &s->exact);
        for (uint32_t i = 0; i < s->sampled.npath; i++) {
            struct trod_branch_paths one = s->sampled;

            /* Alone, it has all of its share in common with itself. */
            one.path = &s->sampled.path[i];
            one.npath = 1;
            ok = ok && trod_branch_paths_overlap(&one, &s->exact) > 0;
        }
        ok = ok && !s->told.nbroken && (!decoded || !s->told.nplain);
    }
    if (!ok)
        kit_note(p, "%u paths of %u, %f in common, %" PRIu64 " plain %s\n%s",
            s->sampled.npath, s->exact.npath, common, s->told.nplain, have.err.text,
            s->text.text);
    return end(&have, ok);
}

/* --- estimates ------------------------------------------------------------------------------------------ */

static void test_estimates(void **state)
{
    struct kit_walk_options options = {.nfunction = 12,
        .nblock = 24,
        .nrun = 400000,
        .x86 = true,
        .no_insns = true,
        .no_cuts = true,
        .tails = true,
        .again = true};
    double sum = 0, plain_sum = 0;
    int n = 0;

    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        struct trod_branch_paths plain;
        struct trod_rng rng;
        struct stacks *s;
        struct sample have;

        begin(&have);
        s = trod_new(&have.mem, struct stacks, 1);
        trod_rng_init(&rng, seed);
        walk(s, kit_draws_of_rng(&rng), &options, 32, 50, &have.mem);
        if (s->exact.npath < 20 || s->exact.weight < 50000) {
            trod_arena_free(&have.mem);
            continue;
        }
        assert_true(parse(s, true, &have));
        assert_true(trod_branch_checked(&s->check, &have.err));
        sum += trod_branch_paths_overlap(&s->exact, &s->sampled);
        plain = s->sampled;
        plain.weight = 0;
        for (uint32_t i = 0; i < plain.npath; i++)
            plain.weight += plain.path[i].weight = (double)plain.path[i].nseen;
        plain_sum += trod_branch_paths_overlap(&s->exact, &plain);
        n++;
        trod_arena_free(&have.mem);
    }
    assert_true(n >= 5);
    print_message("# %d programs: overlap %.4f, without weights %.4f\n", n, sum / n,
        plain_sum / n);
    assert_true(sum / n > 0.95);
    assert_true(sum >= plain_sum);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"stacks are of paths", stacks_are_of_paths, {OTHER}},
    };
    static const struct CMUnitTest unit[] = {
        cmocka_unit_test(test_estimates),
    };
    int failed = kit_run_tested("stacks", tested, sizeof tested / sizeof *tested);

    return failed + cmocka_run_group_tests_name("estimates", unit, NULL, NULL);
}
