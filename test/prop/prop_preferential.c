/* Preferential numbering: ids of interest are distinct, start at 0, and are as dense as the
 * method guarantees.
 */
#include "prop/sample.h"

static const struct sample_options small = {.max_interest = 16};

static const enum trod_preferential_way ways[] = {
    TROD_PREFER_BEST, TROD_PREFER_PAPER, TROD_PREFER_FIT, TROD_PREFER_RANGE};
enum { NWAY = 4 };

/* --- distinct ids, and what is said of them --------------------------------------- */

static unsigned bits_with_sign(int64_t value)
{
    unsigned bits = 1;

    while (value > 0 || value < -1) {
        value = value < 0 ? -(-(value + 1) / 2) - 1 : value / 2;
        bits++;
    }
    return bits;
}

/* The measure, by brute force. */
static void brute_measure(struct trod_measure *out, const struct sample *s,
    const struct sample_paths *all, const struct trod_numbering *n)
{
    *out = (struct trod_measure){.npath = all->count, .ninterest = s->paths.count};
    for (trod_edge e = 0; e < n->dag->shape.nedge; e++) {
        unsigned bits = bits_with_sign(n->val_of_edge[e]);

        out->nprobe += n->val_of_edge[e] != 0;
        out->value_bits = bits > out->value_bits ? bits : out->value_bits;
    }
    for (size_t k = 0; k < s->paths.count; k++) {
        int64_t sum = sample_sum(all, (uint32_t)s->paths.id[k], n->val_of_edge);

        out->min = !k || sum < out->min ? sum : out->min;
        out->max = !k || sum > out->max ? sum : out->max;
    }
    if (s->paths.count) {
        out->width = (double)(out->max - out->min + 1);
        out->delta = out->width / (double)s->paths.count;
    }
}

static bool same_measure(const struct trod_measure *a, const struct trod_measure *b)
{
    return a->npath == b->npath && a->ninterest == b->ninterest &&
           a->nprobe == b->nprobe && a->min == b->min && a->max == b->max &&
           a->width == b->width && a->delta == b->delta &&
           a->value_bits == b->value_bits;
}

static bool distinct(const struct sample *s, const struct sample_paths *all,
    const struct trod_numbering *n)
{
    for (size_t i = 0; i < s->paths.count; i++)
        for (size_t j = 0; j < i; j++)
            if (sample_sum(all, (uint32_t)s->paths.id[i], n->val_of_edge) ==
                sample_sum(all, (uint32_t)s->paths.id[j], n->val_of_edge))
                return false;
    return true;
}

static bool unique(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    struct sample_paths all;
    bool ok = sample_build(&s, &small, p);

    if (ok)
        sample_paths(&all, &s.view.dag, &s.mem);
    for (int i = 0; ok && i < NWAY; i++) {
        struct trod_measure said, found;
        struct trod_numbering n;

        trod_number_preferential(&n, &s.in, ways[i], &s.mem);
        if (*planted)
            sample_corrupt(&n, p, 0, &s.mem);
        trod_number_measure(&said, &n, &s.in, &s.mem);
        brute_measure(&found, &s, &all, &n);
        ok = distinct(&s, &all, &n) && same_measure(&said, &found);
        if (ok && !*planted)
            ok = trod_number_check_all(
                &n, &s.in, NULL, NULL, s.bl.npath, &s.mem, &s.err);
        /* A range starts at 0 by its definition, the paper's by its algorithm. */
        if (ok && !*planted && s.paths.count)
            ok = found.min == 0;
        if (!ok) {
            kit_note(p, "way %d, ids %" PRId64 "..%" PRId64 " %s", (int)ways[i],
                found.min, found.max, s.err.text);
            sample_fail(p, &s, &n);
        }
    }
    return sample_free(&s, ok);
}

/* --- widths ----------------------------------------------------------------------- */

static bool widths(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    double width[NWAY] = {0};
    bool ok = sample_build(&s, &small, p);

    for (int i = 0; ok && i < NWAY; i++) {
        struct trod_numbering n;
        struct trod_measure m;

        trod_number_preferential(&n, &s.in, ways[i], &s.mem);
        trod_number_measure(&m, &n, &s.in, &s.mem);
        width[ways[i]] = m.width;
    }
    if (ok && s.paths.count) {
        double range = (double)(s.paths.id[s.paths.count - 1] - s.paths.id[0] + 1);

        ok = width[TROD_PREFER_RANGE] == range &&
             width[TROD_PREFER_BEST] <= width[TROD_PREFER_PAPER] &&
             width[TROD_PREFER_BEST] <= width[TROD_PREFER_RANGE] &&
             width[TROD_PREFER_FIT] <= width[TROD_PREFER_PAPER] &&
             width[TROD_PREFER_BEST] >= (double)s.paths.count;
        if (*planted) /* as if intervals were always enough */
            ok = width[TROD_PREFER_PAPER] <= width[TROD_PREFER_BEST];
    }
    if (!ok) {
        kit_note(p, "best %g paper %g fit %g range %g", width[TROD_PREFER_BEST],
            width[TROD_PREFER_PAPER], width[TROD_PREFER_FIT], width[TROD_PREFER_RANGE]);
        sample_fail(p, &s, NULL);
    }
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;

static void test_unique(void **state)
{
    (void)state;
    kit_check("ids of interest are distinct and measured", unique, &sound);
    kit_check_planted("a value taken away", unique, &faulty);
}

static void test_widths(void **state)
{
    (void)state;
    kit_check("best is the narrowest", widths, &sound);
    kit_check_planted("intervals are the narrowest", widths, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unique),
        cmocka_unit_test(test_widths),
    };

    return cmocka_run_group_tests_name("preferential", tests, NULL, NULL);
}
