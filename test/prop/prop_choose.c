/* Plans for chosen paths: of all paths of a function, exactly the wanted ones are counted or
 * reported. A path that is not of interest is never missed if other paths are wanted.
 */
#include "probe/probe.h"
#include "prop/sample.h"

static const struct sample_options small = {.max_path = 200, .max_interest = 12};

/* Faults that must be found. */
enum fault { NONE, ACTION, SLOT, VALUE, FORGET };

struct chosen {
    struct sample s;
    struct trod_choice choice;
    const uint64_t *count;
};

/* Few paths, or all but a few: both happen. */
static void draw_interest(struct sample *s, struct kit_prop *p)
{
    bool *out = trod_new(&s->mem, bool, s->bl.npath);
    trod_path *id = trod_new(&s->mem, trod_path, s->bl.npath);
    size_t n = 0;

    if (kit_draw(p, 2) == 0)
        return;
    for (uint64_t k = kit_draw(p, 4); k > 0; k--)
        out[kit_draw(p, s->bl.npath)] = true;
    for (trod_path i = 0; i < s->bl.npath; i++)
        if (!out[i])
            id[n++] = i;
    trod_pathset_build(&s->paths, id, n, &s->mem);
}

static const uint64_t *draw_counts(struct sample *s, struct kit_prop *p)
{
    struct sample_dice dice = sample_dice(p, 1, 3);
    uint64_t *count = trod_new(&s->mem, uint64_t, s->paths.count);

    for (size_t i = 0; i < s->paths.count; i++)
        count[i] = sample_roll(dice, i, 1000);
    return dice.seed ? count : NULL;
}

static bool build(struct chosen *c, struct kit_prop *p)
{
    struct trod_choose_options options = {0};

    if (!sample_build(&c->s, &small, p))
        return false;
    draw_interest(&c->s, p);
    options.want = (enum trod_want)(TROD_WANT_CHOSEN + kit_draw(p, 3));
    options.only = kit_draw(p, 2) ? 1u << kit_draw(p, TROD_NENDING) : 0;
    options.count_of_path = draw_counts(&c->s, p);
    if (trod_probe_choose(&c->choice, &c->s.bl, &c->s.paths, &c->s.view.loops, &options,
            &c->s.mem, &c->s.err))
        return true;
    /* One that was asked for may not be possible; some plan always is. */
    c->choice.needless = true;
    return options.only != 0;
}

static void note_choice(struct kit_prop *p, struct chosen *c)
{
    struct trod_string text;

    trod_string_init(&text, &c->s.mem);
    trod_probe_print(&text.sink, &c->choice.plan);
    kit_note(p, "%s by %s, %zu of %" PRIu64 " paths\n%s%s",
        trod_want_name(c->choice.ending.want), trod_ending_name(c->choice.kind),
        c->s.paths.count, c->s.bl.npath, text.text, c->s.err.text);
}

/* --- faults ----------------------------------------------------------------------- */

/* Nothing to spoil is as good as found. */
static bool spoil_op(struct chosen *c, enum fault fault, struct kit_prop *p)
{
    struct trod_plan *plan = &c->choice.plan;
    uint32_t n = plan->first_op[plan->nsite];
    struct trod_op *ops = trod_new(&c->s.mem, struct trod_op, n);

    memcpy(ops, plan->op, n * sizeof *ops);
    plan->op = ops;
    for (uint32_t i = 0, from = n ? (uint32_t)kit_draw(p, n) : 0; i < n; i++) {
        struct trod_op *op = &ops[(from + i) % n];

        if (op->kind != TROD_OP_COUNT && op->kind != TROD_OP_COUNT_AT)
            continue;
        if (fault == ACTION && op->action == TROD_ACTION_ASK) {
            op->action = TROD_ACTION_REPORT;
            return true;
        }
        if (fault == FORGET && op->action == TROD_ACTION_REPORT) {
            op->action = TROD_ACTION_PASS;
            return true;
        }
        if (fault == VALUE) {
            op->value++;
            return true;
        }
    }
    return false;
}

static bool spoil(struct chosen *c, enum fault fault, struct kit_prop *p)
{
    struct trod_ending *ending = &c->choice.ending;
    trod_path *id = trod_new(&c->s.mem, trod_path, ending->nslot);

    if (c->choice.needless)
        return false;
    if (fault != SLOT)
        return spoil_op(c, fault, p);
    if (!ending->id_of_slot)
        return false;
    memcpy(id, ending->id_of_slot, ending->nslot * sizeof *id);
    ending->id_of_slot = id;
    for (uint64_t i = 0; i < ending->nslot; i++)
        if (id[i] != TROD_NO_PATH) {
            id[i] = (id[i] + 1) % c->s.bl.npath;
            return true;
        }
    return false;
}

/* --- properties ------------------------------------------------------------------- */

/* Does a path of interest come by only where nothing is done, as often as it may? */
static bool exact(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct chosen c = {0};
    bool ok = build(&c, p);

    if (ok && !c.choice.needless) {
        ok = trod_probe_check(&c.choice.plan, &c.s.mem, &c.s.err);
        if (*fault == NONE || (ok && spoil(&c, *fault, p)))
            ok = ok &&
                 trod_choice_check_all(&c.choice, small.max_path, &c.s.mem, &c.s.err);
        if (!ok) {
            sample_note_graph(p, &c.s.graph, &c.s.mem);
            note_choice(p, &c);
        }
    }
    return sample_free(&c.s, ok);
}

/* By brute force, without plans: at the end of a path, the sum alone determines whether the path is of interest. */
static bool sums_identify_interest(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct chosen c = {0};
    struct sample_paths all;
    bool ok = build(&c, p), has = ok && !c.choice.needless;

    if (has)
        sample_paths(&all, &c.s.view.dag, &c.s.mem);
    for (uint32_t i = 0, k = 0; has && ok && i < all.count; i++) {
        int64_t sum = sample_sum(&all, i, c.choice.numbering.val_of_edge);
        struct trod_look look = trod_ending_look(&c.choice.ending, sum);
        bool of_interest = k < c.s.paths.count && c.s.paths.id[k] == i;

        k += of_interest;
        if (c.choice.kind == TROD_END_ALL || c.choice.kind == TROD_END_PREFER)
            ok = look.id == i &&
                 (!look.hit || of_interest || c.choice.kind == TROD_END_ALL);
        else
            ok = look.hit == (of_interest != *planted) &&
                 (look.id == i || c.choice.kind == TROD_END_SELECT);
        if (look.hit && of_interest && c.choice.ending.id_of_slot)
            ok = ok && c.choice.ending.id_of_slot[look.slot] == i;
        if (!ok) {
            sample_note_graph(p, &c.s.graph, &c.s.mem);
            note_choice(p, &c);
        }
    }
    return sample_free(&c.s, ok);
}

/* What is chosen is possible, and nothing that spares as much room is cheaper. */
static bool cheapest(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct chosen c = {0};
    bool ok = build(&c, p), has = ok && !c.choice.needless;

    for (int k = 0; has && ok && k < TROD_NENDING; k++) {
        const struct trod_candidate *own = &c.choice.candidate[c.choice.kind];
        const struct trod_candidate *other = &c.choice.candidate[k];

        if (!other->possible || other->bytes > own->bytes)
            continue;
        ok = own->possible &&
             (*planted ? own->total < other->total : own->total <= other->total);
        if (!ok)
            note_choice(p, &c);
    }
    return sample_free(&c.s, ok);
}

static enum fault none = NONE, action = ACTION, slot = SLOT, value = VALUE,
                  forget = FORGET;
static bool sound = false, faulty = true;

static void test_exact(void **state)
{
    (void)state;
    kit_check("what is wanted happens, and nothing else", exact, &none);
    kit_check_planted("tested paths are reported", exact, &action);
    kit_check_planted("a slot is another path's", exact, &slot);
    kit_check_planted("a sum is off by one", exact, &value);
    kit_check_planted("an untested path is missed", exact, &forget);
}

static void test_sums(void **state)
{
    (void)state;
    kit_check("a sum determines whether its path is of interest",
        sums_identify_interest, &sound);
    kit_check_planted("or the other way round", sums_identify_interest, &faulty);
}

static void test_cheapest(void **state)
{
    (void)state;
    kit_check("no plan with less data is cheaper", cheapest, &sound);
    kit_check_planted("none is as cheap", cheapest, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_cheapest),
    };

    return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
