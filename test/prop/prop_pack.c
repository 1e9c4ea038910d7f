/* Two sums in one register: both can be read back on every path, whatever their signs. */
#include "prop/sample.h"

static const struct sample_options small = {0};

/* Any values at all: a numbering that promises nothing. */
static bool make_any(struct trod_numbering *out, struct sample *s, struct kit_prop *p)
{
    uint32_t nedge = s->view.dag.shape.nedge;
    int64_t *val = trod_new(&s->mem, int64_t, nedge);
    unsigned bits = (unsigned)kit_draw(p, 24);

    for (trod_edge e = 0; e < nedge; e++) {
        uint64_t x = kit_draw(p, UINT64_C(1) << (bits + 1));

        /* 0, 1, -1, 2, -2 ... */
        val[e] = x & 1 ? (int64_t)(x / 2) + 1 : -(int64_t)(x / 2);
    }
    *out = (struct trod_numbering){
        .kind = TROD_LENGTH, .dag = &s->view.dag, .val_of_edge = val};
    return trod_number_range(&out->min, &out->max, out->dag, val, &s->mem, &s->err);
}

static bool make(struct trod_numbering *out, struct sample *s, struct kit_prop *p)
{
    switch (kit_draw(p, 8)) {
    case 0:
        *out = s->bl;
        return true;
    case 1:
        trod_number_length(out, &s->view.dag, &s->mem);
        return true;
    case 2:
        return trod_number_selective(out, &s->in, &s->mem, &s->err);
    case 3:
        trod_number_preferential(out, &s->in, TROD_PREFER_BEST, &s->mem);
        return true;
    case 4:
        trod_number_preferential(out, &s->in, TROD_PREFER_RANGE, &s->mem);
        return true;
    case 5:
        trod_number_preferential(out, &s->in, TROD_PREFER_FIT, &s->mem);
        return true;
    default:
        return make_any(out, s, p);
    }
}

static bool unpacks(const struct sample_paths *all, const struct trod_numbering *packed,
    const struct trod_numbering *low, const struct trod_numbering *high)
{
    for (uint32_t i = 0; i < all->count; i++) {
        int64_t a, b;

        trod_number_unpack(&a, &b, packed, sample_sum(all, i, packed->val_of_edge));
        if (a != sample_sum(all, i, low->val_of_edge) ||
            b != sample_sum(all, i, high->val_of_edge))
            return false;
    }
    return true;
}

enum fault { NONE, NARROW, SIGN, VALUE };

static void plant(struct trod_numbering *packed, enum fault fault, struct kit_prop *p,
    struct trod_arena *mem)
{
    switch (fault) {
    case NONE:
        break;
    case NARROW:
        packed->low_bits -= packed->low_bits > 0;
        break;
    case SIGN:
        packed->low_signed = !packed->low_signed;
        break;
    case VALUE:
        sample_corrupt(packed, p, 1, mem);
        break;
    }
}

static bool both_come_out(struct kit_prop *p, void *ctx)
{
    const enum fault *fault = ctx;
    struct sample s;
    struct sample_paths all;
    struct trod_numbering low, high, packed;
    bool ok = sample_build(&s, &small, p) && make(&low, &s, p) && make(&high, &s, p) &&
              trod_number_pack(&packed, &low, &high, &s.mem, &s.err);

    if (!ok)
        kit_note(p, "%s", s.err.text);
    if (ok) {
        plant(&packed, *fault, p, &s.mem);
        sample_paths(&all, &s.view.dag, &s.mem);
        ok = unpacks(&all, &packed, &low, &high);
        if (ok && *fault == NONE)
            ok = trod_number_check(&packed, &s.mem, &s.err) &&
                 trod_number_check_all(
                     &packed, NULL, &low, &high, s.bl.npath, &s.mem, &s.err);
        if (!ok) {
            kit_note(p, "low %u bits%s; low, high and both:", packed.low_bits,
                packed.low_signed ? " signed" : "");
            sample_note_numbering(p, &low, &s.mem);
            sample_note_numbering(p, &high, &s.mem);
            sample_fail(p, &s, &packed);
        }
    }
    return sample_free(&s, ok);
}

/* --- as wide as a register is ----------------------------------------------------- */

static unsigned field(int64_t min, int64_t max)
{
    unsigned bits = 0;

    while (bits < 63 && (max >= INT64_C(1) << bits || min < -(INT64_C(1) << bits)))
        bits++;
    return bits + (min < 0);
}

/* The widest field that sums from any node on need. The library may refuse what is
 * narrow at ENTRY alone.
 */
static unsigned widest_field(const struct trod_numbering *n, struct trod_arena *mem)
{
    const struct trod_graph *g = &n->dag->shape;
    int64_t *min = trod_new(mem, int64_t, g->nnode);
    int64_t *max = trod_new(mem, int64_t, g->nnode);
    unsigned widest = 0;

    for (uint32_t i = n->dag->nreach - 1; i-- > 0;) {
        trod_node v = n->dag->topo[i];
        trod_edge first = g->first_out[v];

        for (trod_edge e = first; e < g->first_out[v + 1]; e++) {
            int64_t a = min[g->dst_of_edge[e]] + n->val_of_edge[e];
            int64_t b = max[g->dst_of_edge[e]] + n->val_of_edge[e];

            min[v] = e == first || a < min[v] ? a : min[v];
            max[v] = e == first || b > max[v] ? b : max[v];
        }
        if (field(min[v], max[v]) > widest)
            widest = field(min[v], max[v]);
    }
    return widest;
}

static bool make_wide(struct trod_numbering *out, struct sample *s, struct kit_prop *p)
{
    uint32_t nedge = s->view.dag.shape.nedge;
    int64_t *val = trod_new(&s->mem, int64_t, nedge);

    for (trod_edge e = 0; e < nedge; e++) {
        int64_t size = (int64_t)(UINT64_MAX >> (2 + kit_draw(p, 62)));

        val[e] = kit_draw(p, 4) ? 0 : kit_draw(p, 2) ? -size : size;
    }
    *out = (struct trod_numbering){
        .kind = TROD_LENGTH, .dag = &s->view.dag, .val_of_edge = val};
    return trod_number_range(&out->min, &out->max, out->dag, val, &s->mem, &s->err);
}

static bool wide_sums(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct sample s;
    struct trod_numbering low, high, packed;
    bool ok;

    sample_init(&s);
    sample_graph(&s.graph, 6, p, &s.mem);
    ok = sample_number(&s, &small, p);
    if (ok && (!make_wide(&low, &s, p) || !make_wide(&high, &s, p)))
        ok = s.err.code == TROD_E_LIMIT;
    else if (ok) {
        unsigned need = field(low.min, low.max) + field(high.min, high.max);
        unsigned most = widest_field(&low, &s.mem) + widest_field(&high, &s.mem);
        struct sample_paths all;

        if (!trod_number_pack(&packed, &low, &high, &s.mem, &s.err)) {
            ok = s.err.code == TROD_E_LIMIT && most > 63;
        } else {
            sample_paths(&all, &s.view.dag, &s.mem);
            ok = need + *planted <= 63 && unpacks(&all, &packed, &low, &high);
        }
        if (!ok) {
            kit_note(p, "needs %u bits, on the way %u: %s", need, most, s.err.text);
            sample_note_numbering(p, &low, &s.mem);
            sample_note_numbering(p, &high, &s.mem);
        }
    }
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;
static enum fault none = NONE, narrow = NARROW, sign = SIGN, value = VALUE;

static void test_both_come_out(void **state)
{
    (void)state;
    kit_check("both sums come out", both_come_out, &none);
    kit_check_planted("a bit too narrow", both_come_out, &narrow);
    kit_check_planted("the sign forgotten", both_come_out, &sign);
    kit_check_planted("a packed value changed", both_come_out, &value);
}

static void test_wide_sums(void **state)
{
    (void)state;
    kit_check("as wide as a register is", wide_sums, &sound);
    kit_check_planted("one bit less", wide_sums, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_both_come_out),
        cmocka_unit_test(test_wide_sums),
    };

    return cmocka_run_group_tests_name("pack", tests, NULL, NULL);
}
