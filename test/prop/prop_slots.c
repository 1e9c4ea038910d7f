/* The perfect hash: no two ids of a set share a slot, and slots are in the table. */
#include "prop/sample.h"

enum { MOST_BITS = 20 };

/* Ids of a graph, or any ids, near each other or far apart. */
static void draw_ids(struct sample *s, struct kit_prop *p)
{
    uint32_t count = (uint32_t)kit_draw(p, 40);
    trod_path *id = trod_new(&s->mem, trod_path, count);
    trod_path below = TROD_PATH_MAX >> kit_draw(p, 62), step = 1 + kit_draw(p, 64);
    bool stepped = kit_draw(p, 2);

    for (uint32_t i = 0; i < count; i++)
        id[i] = stepped ? i * step % TROD_PATH_MAX : kit_draw(p, below);
    trod_pathset_build(&s->paths, id, count, &s->mem);
}

static bool apart(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    struct trod_slots slots = {0};
    bool ok;

    sample_init(&s);
    draw_ids(&s, p);
    ok = trod_number_hash(&slots, &s.paths, MOST_BITS, &s.mem, &s.err);
    if (ok && *planted)
        slots.multiplier += 2;
    ok = ok && slots.nslot >= s.paths.count && slots.nslot <= 1 << MOST_BITS &&
         (slots.nslot & (slots.nslot - 1)) == 0;
    for (size_t i = 0; ok && i < s.paths.count; i++) {
        ok = trod_slot(&slots, s.paths.id[i]) < slots.nslot;
        for (size_t j = 0; ok && j < i; j++)
            ok = trod_slot(&slots, s.paths.id[i]) != trod_slot(&slots, s.paths.id[j]);
    }
    if (!ok) {
        kit_note(p, "multiplier %" PRIu64 " shift %u slots %" PRIu64 " %s",
            slots.multiplier, slots.shift, slots.nslot, s.err.text);
        for (size_t i = 0; i < s.paths.count; i++)
            kit_note(p, "id %" PRIu64 " in slot %" PRIu64, s.paths.id[i],
                trod_slot(&slots, s.paths.id[i]));
    }
    return sample_free(&s, ok);
}

/* Paths of interest of a graph: ids are dense, so small tables are found. */
static bool of_graphs(struct kit_prop *p, void *ctx)
{
    const struct sample_options small = {.max_interest = 16};
    const bool *planted = ctx;
    struct sample s;
    struct trod_slots slots = {0};
    bool ok = sample_build(&s, &small, p) &&
              trod_number_hash(&slots, &s.paths, MOST_BITS, &s.mem, &s.err);
    uint64_t least = 1;

    while (least < s.paths.count)
        least *= 2;
    for (size_t i = 0; ok && i < s.paths.count; i++) {
        uint64_t slot = trod_slot(&slots, s.paths.id[i]);

        ok = slot < slots.nslot;
        for (size_t j = 0; ok && j < i; j++)
            ok = slot != trod_slot(&slots, s.paths.id[j]);
    }
    /* No promise, but of thousands of multipliers one does as well as this. */
    ok = ok && slots.nslot <= (*planted ? least : 8 * least);
    if (!ok) {
        kit_note(p, "%" PRIu64 " slots for %zu ids", slots.nslot, s.paths.count);
        sample_fail(p, &s, NULL);
    }
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;

static void test_apart(void **state)
{
    (void)state;
    kit_check("ids have slots of their own", apart, &sound);
    kit_check_planted("another multiplier", apart, &faulty);
}

static void test_of_graphs(void **state)
{
    (void)state;
    kit_check("tables are small", of_graphs, &sound);
    kit_check_planted("tables are full", of_graphs, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_of_graphs),
    };

    return cmocka_run_group_tests_name("slots", tests, NULL, NULL);
}
