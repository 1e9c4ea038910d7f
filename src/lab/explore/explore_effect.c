#include "explore/explore.h"
#include "base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDER = 6 };

/* The values of one measure of one stream. */
struct work {
    const struct trod_explored *of;
    double *value;  /* [ndesign] */
    double total;   /* sum of squares about the mean */
    double largest; /* largest absolute value, the scale of rounding errors */
};

static uint32_t nlevel_of(const struct trod_explored *of, uint32_t column)
{
    return column < of->study.nparameter ? of->study.parameter[column].nvalue : 2;
}

/* --- one effect --------------------------------------------------------------------------------- */

struct columns {
    uint32_t column[MOST_ORDER];
    uint32_t count;
    uint32_t ncell; /* combinations of their levels */
};

static void list_columns(
    struct columns *out, const struct trod_explored *of, uint64_t set)
{
    *out = (struct columns){.ncell = 1};
    for (uint32_t c = 0; c < of->designs.ncolumn; c++)
        if (trod_has(&set, c)) {
            assert(out->count < MOST_ORDER);
            out->column[out->count++] = c;
            out->ncell *= nlevel_of(of, c);
        }
}

/* The combination of levels that a design has in the columns of a subset; columns outside the
 * subset count as level 0. */
static uint32_t cell_of(const struct columns *c, const struct trod_explored *of,
    uint32_t design, uint32_t subset)
{
    uint32_t cell = 0;

    for (uint32_t i = 0; i < c->count; i++)
        cell = cell * nlevel_of(of, c->column[i]) +
               (subset >> i & 1 ? trod_design_level(&of->designs, design, c->column[i])
                                : 0);
    return cell;
}

/* Add or subtract the mean of each cell of the subset (inclusion-exclusion). The sum over all
 * subsets is the interaction of all columns, without the effects of fewer of them.
 */
static void add_means(double *part, const struct columns *c, const struct work *w,
    uint32_t subset, struct trod_arena *mem)
{
    double sign = (c->count - (uint32_t)__builtin_popcount(subset)) % 2 ? -1 : 1;
    struct trod_mark mark = trod_arena_mark(mem);
    double *sum = trod_new(mem, double, c->ncell);
    uint32_t *count = trod_new(mem, uint32_t, c->ncell);
    uint32_t ndesign = w->of->designs.ndesign;

    for (uint32_t d = 0; d < ndesign; d++) {
        uint32_t cell = cell_of(c, w->of, d, subset);

        sum[cell] += w->value[d];
        count[cell]++;
    }
    for (uint32_t d = 0; d < ndesign; d++) {
        uint32_t cell = cell_of(c, w->of, d, subset);

        part[d] += sign * sum[cell] / count[cell];
    }
    trod_arena_rewind(mem, mark);
}

/* If all columns have two levels, the contrast: positive where high levels increase the value.
 * Otherwise the range from lowest to highest.
 */
static double size_of(
    const double *part, const struct columns *c, const struct trod_explored *of)
{
    double low = INFINITY, high = -INFINITY;
    bool two = true;

    for (uint32_t i = 0; i < c->count; i++)
        two = two && nlevel_of(of, c->column[i]) == 2;
    for (uint32_t d = 0; d < of->designs.ndesign; d++) {
        bool all = true;

        low = fmin(low, part[d]);
        high = fmax(high, part[d]);
        for (uint32_t i = 0; i < c->count; i++)
            all = all && trod_design_level(&of->designs, d, c->column[i]);
        if (two && all)
            return 2 * part[d];
    }
    return high - low;
}

/* fills:  *effect, *share, and *key, by which effects are ranked */
static void measure_effect(double *effect, double *share, double *key,
    const struct work *w, uint64_t set, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t ndesign = w->of->designs.ndesign;
    double *part = trod_new(mem, double, ndesign);
    double squares = 0;
    struct columns c;

    list_columns(&c, w->of, set);
    for (uint32_t subset = 0; subset < 1U << c.count; subset++)
        add_means(part, &c, w, subset, mem);
    for (uint32_t d = 0; d < ndesign; d++)
        squares += part[d] * part[d];
    *effect = size_of(part, &c, w->of);
    *share = w->total > 0 ? squares / w->total : 0;
    *key = sqrt(squares / ndesign);
    trod_arena_rewind(mem, mark);
}

/* In a sweep, only the designs in which all other parameters have their base value are compared. */
static void measure_sweep(double *effect, double *key, const struct work *w, uint32_t p)
{
    const struct trod_explored *of = w->of;
    const struct trod_explore_parameter *parameter = &of->study.parameter[p];
    double low = INFINITY, high = -INFINITY, first = 0, second = 0;

    for (uint32_t d = 0; d < of->designs.ndesign; d++) {
        bool others_at_base = true;
        uint32_t level = trod_design_level(&of->designs, d, p);

        for (uint32_t q = 0; q < of->study.nparameter; q++)
            others_at_base =
                others_at_base && (q == p || trod_design_level(&of->designs, d, q) ==
                                                 of->study.parameter[q].base);
        if (!others_at_base)
            continue;
        low = fmin(low, w->value[d]);
        high = fmax(high, w->value[d]);
        if (level == 0)
            first = w->value[d];
        if (level == 1)
            second = w->value[d];
    }
    *effect = parameter->nvalue == 2 ? second - first : high - low;
    *key = high - low;
}

/* --- listing effects ------------------------------------------------------------------------------- */

static uint64_t varied_columns(const struct trod_explored *of)
{
    uint64_t set = 0;

    for (uint32_t c = 0; c < of->designs.ncolumn; c++)
        if (nlevel_of(of, c) > 1)
            trod_add(&set, c);
    return set;
}

/* List the sets of `more` further columns, numbered `from` or higher. Recursion depth: the order of the effects. */
static void list_sets(struct trod_effects *out, uint32_t *room, uint64_t set,
    uint64_t varied, uint32_t from, uint32_t more, struct trod_arena *mem)
{
    if (!more) {
        trod_push(mem, out->effect, out->neffect, *room,
            (struct trod_effect){.columns = set});
        return;
    }
    for (uint32_t c = from; c < 64; c++)
        if (trod_has(&varied, c))
            list_sets(out, room, set | UINT64_C(1) << c, varied, c + 1, more - 1, mem);
}

/* --- ranks ------------------------------------------------------------------------------------------ */

struct ranked {
    double key;
    uint32_t effect;
};

static int compare_keys(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return x->effect < y->effect ? -1 : 1;
}

/* Keys that differ only by rounding get the same rank. */
static void fill_ranks(struct trod_effects *out, struct ranked *ranked, uint32_t stream,
    const struct work *w)
{
    double alike = 1e-9 * w->largest;

    trod_sort(ranked, out->neffect, compare_keys);
    for (uint32_t i = 0, end; i < out->neffect; i = end) {
        for (end = i + 1;
            end < out->neffect && ranked[i].key - ranked[end].key <= alike;)
            end++;
        for (uint32_t k = i; k < end; k++)
            out->effect[ranked[k].effect].rank[stream] = (i + 1 + end) / 2.0;
    }
}

/* Returns false if a value is unknown. */
static bool take_values(struct work *w, uint32_t stream, uint32_t measure)
{
    uint32_t ndesign = w->of->designs.ndesign;
    double mean = 0;

    w->total = w->largest = 0;
    for (uint32_t d = 0; d < ndesign; d++) {
        w->value[d] = trod_explored_value(w->of, stream, d, measure);
        if (isnan(w->value[d]))
            return false;
        w->largest = fmax(w->largest, fabs(w->value[d]));
        mean += w->value[d] / ndesign;
    }
    for (uint32_t d = 0; d < ndesign; d++)
        w->total += (w->value[d] - mean) * (w->value[d] - mean);
    /* Rounding errors between equal values do not count as variation. */
    if (w->total <= 1e-24 * w->largest * w->largest * ndesign)
        w->total = 0;
    return true;
}

static void fill_stream(struct trod_effects *out, struct work *w, uint32_t stream,
    struct ranked *ranked, struct trod_arena *mem)
{
    bool known = take_values(w, stream, out->measure);

    for (uint32_t i = 0; i < out->neffect; i++) {
        struct trod_effect *e = &out->effect[i];

        e->effect[stream] = e->share[stream] = e->rank[stream] = NAN;
        ranked[i].effect = i;
        if (!known)
            continue;
        if (w->of->study.kind == TROD_EXPLORE_SWEEP)
            measure_sweep(&e->effect[stream], &ranked[i].key, w,
                (uint32_t)__builtin_ctzll(e->columns));
        else
            measure_effect(&e->effect[stream], &e->share[stream], &ranked[i].key, w,
                e->columns, mem);
    }
    if (!known)
        return;
    fill_ranks(out, ranked, stream, w);
    for (uint32_t i = 0; i < out->neffect; i++) {
        out->effect[i].sum += out->effect[i].rank[stream];
        out->effect[i].mean += out->effect[i].effect[stream];
        out->effect[i].mean_share += out->effect[i].share[stream];
    }
    out->nranked++;
}

TROD_ORDER(compare_sums, struct trod_effect, TROD_UP(sum), TROD_UP(columns))

void trod_effects_build(struct trod_effects *out, const struct trod_explored *of,
    uint32_t measure, uint32_t order, struct trod_arena *mem)
{
    struct work w = {.of = of, .value = trod_new(mem, double, of->designs.ndesign)};
    uint64_t varied = varied_columns(of);
    struct ranked *ranked;
    uint32_t room = 0;

    *out = (struct trod_effects){.measure = measure};
    if (of->study.kind != TROD_EXPLORE_FACTORIAL)
        order = 1;
    else if (!order)
        order = 2;
    if (order > MOST_ORDER)
        order = MOST_ORDER;
    for (uint32_t n = 1; n <= order; n++)
        list_sets(out, &room, 0, varied, 0, n, mem);
    for (uint32_t i = 0; i < out->neffect; i++) {
        out->effect[i].effect = trod_new(mem, double, of->nstream);
        out->effect[i].share = trod_new(mem, double, of->nstream);
        out->effect[i].rank = trod_new(mem, double, of->nstream);
    }
    ranked = trod_new(mem, struct ranked, out->neffect);
    for (uint32_t s = 0; s < of->nstream; s++)
        fill_stream(out, &w, s, ranked, mem);
    for (uint32_t i = 0; i < out->neffect; i++) {
        out->effect[i].mean /= out->nranked;
        out->effect[i].mean_share /= out->nranked;
    }
    trod_sort(out->effect, out->neffect, compare_sums);
}

void trod_effect_name(
    struct trod_sink *sink, const struct trod_study *study, uint64_t columns)
{
    const char *before = "";

    for (uint32_t c = 0; c < 64; c++) {
        if (!trod_has(&columns, c))
            continue;
        if (c < study->nparameter)
            trod_put(sink, "%s%s", before, study->parameter[c].name);
        else
            trod_put(sink, "%sdummy %u", before, c - study->nparameter + 1);
        before = ":";
    }
}

double trod_explored_mean(
    const struct trod_explored *of, uint32_t design, uint32_t measure)
{
    double sum = 0;
    uint32_t n = 0;

    for (uint32_t s = 0; s < of->nstream; s++) {
        double value = trod_explored_value(of, s, design, measure);

        if (isnan(value))
            continue;
        sum += value;
        n++;
    }
    return n ? sum / n : NAN;
}

uint32_t trod_explored_best(
    double *mean, const struct trod_explored *of, uint32_t measure)
{
    uint32_t best = UINT32_MAX;

    *mean = NAN;
    for (uint32_t d = 0; d < of->designs.ndesign; d++) {
        double is = trod_explored_mean(of, d, measure);

        if (isnan(is) || (best != UINT32_MAX && is <= *mean))
            continue;
        *mean = is;
        best = d;
    }
    return best;
}
