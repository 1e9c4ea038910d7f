/* Branch stacks: paths are estimated as often as they ran. */
#include "kit/fixture.h"

#include "prop/stacks.h"

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

        trod_arena_init(&have.mem, die, NULL);
        s = trod_new(&have.mem, struct stacks, 1);
        trod_rng_init(&rng, seed);
        walk(s, kit_draws_of_rng(&rng), &options, 32, 50, &have.mem);
        if (s->exact.npath < 20 || s->exact.weight < 50000) {
            trod_arena_free(&have.mem);
            continue;
        }
        assert_true(parse(s, true, &have.mem, &have.err));
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
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_estimates),
    };

    return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
