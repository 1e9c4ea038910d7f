#include "glpk/exact.h"

#include <glpk.h>
#include <math.h>
#include <stdlib.h>

/* The feasible vectors of ids, one id for each path of interest, that are sums of integer edge
 * values. They are A w for all integer w, where A has a row for each path, a column for each edge,
 * and a column of ones (because all ids may be shifted together).
 *
 * Most columns are redundant. Unimodular column operations bring A into echelon form, A U = [H 0],
 * so that ids = H y with one y for each independent column, and w = U y. Since ids are in
 * 0..width-1 and H is in echelon form, the bounds of each y follow from those before it. No
 * solution is lost, and the solver searches a finite box.
 */
struct lattice {
    uint32_t nrow, ncol; /* paths; edges of interest and the column of ones */
    uint32_t rank;
    int64_t *h;      /* [nrow * ncol], by row */
    int64_t *u;      /* [ncol * ncol], by row */
    uint32_t *pivot; /* [rank] row in which column j is the last nonzero one */
    trod_edge *edge; /* [ncol - 1] */
};

static bool too_large(const struct trod_interest *in, struct trod_err *err)
{
    return trod_fail(err, TROD_E_LIMIT,
        "the integer program for '%s' has numbers past 63 bits; choose fewer paths",
        in->ballarus->dag->graph->name);
}

static void fill_lattice(
    struct lattice *l, const struct trod_interest *in, struct trod_arena *mem)
{
    const struct trod_dag *dag = in->ballarus->dag;
    uint32_t nedge = dag->shape.nedge, n = 0;
    uint32_t *column = trod_new(mem, uint32_t, nedge);
    trod_edge *step = trod_new(mem, trod_edge, dag->nreach);

    l->nrow = (uint32_t)in->paths.count;
    l->edge = trod_new(mem, trod_edge, nedge);
    for (trod_edge e = 0; e < nedge; e++) {
        if (trod_has(in->edges, e)) {
            column[e] = n;
            l->edge[n++] = e;
        }
    }
    l->ncol = n + 1;
    l->h = trod_new(mem, int64_t, (size_t)l->nrow * l->ncol);
    l->u = trod_new(mem, int64_t, (size_t)l->ncol * l->ncol);
    l->pivot = trod_new(mem, uint32_t, l->ncol);
    for (uint32_t j = 0; j < l->ncol; j++)
        l->u[(size_t)j * l->ncol + j] = 1;
    for (uint32_t r = 0; r < l->nrow; r++) {
        uint32_t nstep = trod_number_decode(step, in->ballarus, in->paths.id[r]);

        for (uint32_t i = 0; i < nstep; i++)
            l->h[(size_t)r * l->ncol + column[step[i]]] = 1;
        l->h[(size_t)r * l->ncol + n] = 1;
    }
}

static bool subtract_column(
    int64_t *m, uint32_t nrow, uint32_t ncol, uint32_t to, uint32_t from, int64_t times)
{
    for (uint32_t r = 0; r < nrow; r++) {
        int64_t *row = m + (size_t)r * ncol, part;

        if (__builtin_mul_overflow(row[from], times, &part) ||
            __builtin_sub_overflow(row[to], part, &row[to]))
            return false;
    }
    return true;
}

static void swap_columns(
    int64_t *m, uint32_t nrow, uint32_t ncol, uint32_t a, uint32_t b)
{
    for (uint32_t r = 0; r < nrow; r++) {
        int64_t *row = m + (size_t)r * ncol, keep = row[a];

        row[a] = row[b];
        row[b] = keep;
    }
}

/* Euclid's algorithm along one row: all columns after `first` become 0 in it. */
static bool clear_row(struct lattice *l, uint32_t row, uint32_t first)
{
    int64_t *h = l->h + (size_t)row * l->ncol;

    for (;;) {
        uint32_t least = TROD_NONE, other = TROD_NONE;

        for (uint32_t j = first; j < l->ncol; j++) {
            if (!h[j])
                continue;
            if (least == TROD_NONE || llabs(h[j]) < llabs(h[least])) {
                other = least;
                least = j;
            } else {
                other = j;
            }
        }
        if (least == TROD_NONE)
            return true;
        if (other == TROD_NONE) {
            swap_columns(l->h, l->nrow, l->ncol, first, least);
            swap_columns(l->u, l->ncol, l->ncol, first, least);
            return true;
        }
        int64_t times = h[other] / h[least];

        if (!subtract_column(l->h, l->nrow, l->ncol, other, least, times) ||
            !subtract_column(l->u, l->ncol, l->ncol, other, least, times))
            return false;
    }
}

static bool echelon(struct lattice *l)
{
    for (uint32_t row = 0; row < l->nrow && l->rank < l->ncol; row++) {
        if (!clear_row(l, row, l->rank))
            return false;
        if (l->h[(size_t)row * l->ncol + l->rank])
            l->pivot[l->rank++] = row;
    }
    return true;
}

/* Bounds of each y, from 0 <= ids <= width - 1 in its pivot row. */
static bool bound(int64_t *low, int64_t *high, const struct lattice *l, int64_t width)
{
    for (uint32_t j = 0; j < l->rank; j++) {
        const int64_t *row = l->h + (size_t)l->pivot[j] * l->ncol;
        double least = 0, most = (double)(width - 1), a, b;

        for (uint32_t i = 0; i < j; i++) {
            double x = (double)row[i] * (double)low[i];
            double y = (double)row[i] * (double)high[i];

            least -= fmax(x, y);
            most -= fmin(x, y);
        }
        a = least / (double)row[j];
        b = most / (double)row[j];
        if (fabs(a) > 1e9 || fabs(b) > 1e9)
            return false;
        low[j] = (int64_t)floor(fmin(a, b));
        high[j] = (int64_t)ceil(fmax(a, b));
    }
    return true;
}

/* --- the program -------------------------------------------------------------------------
 *
 * Columns: y_j, then x_pk = 1 if path p has id k. Rows: a path's id two ways, one id for a
 * path, at most one path for an id.
 */

struct program {
    const struct lattice *lattice;
    int64_t width;
    int64_t *low, *high; /* of y */
    int *index;          /* room for one row, from 1 */
    double *value;
    int64_t *y; /* the solution */
};

static int column_of(const struct program *p, uint32_t path, int64_t id)
{
    return (int)((int64_t)p->lattice->rank + (int64_t)path * p->width + id + 1);
}

static void add_columns(glp_prob *lp, const struct program *p)
{
    const struct lattice *l = p->lattice;

    glp_add_cols(lp, (int)(l->rank + l->nrow * p->width));
    for (uint32_t j = 0; j < l->rank; j++) {
        glp_set_col_kind(lp, (int)j + 1, GLP_IV);
        glp_set_col_bnds(lp, (int)j + 1, p->low[j] == p->high[j] ? GLP_FX : GLP_DB,
            (double)p->low[j], (double)p->high[j]);
    }
    for (uint32_t r = 0; r < l->nrow; r++)
        for (int64_t k = 0; k < p->width; k++)
            glp_set_col_kind(lp, column_of(p, r, k), GLP_BV);
    /* Mirroring the ids gives another solution, so the first path may be limited to the lower half. */
    for (int64_t k = (p->width + 1) / 2; k < p->width; k++)
        glp_set_col_bnds(lp, column_of(p, 0, k), GLP_FX, 0, 0);
}

static void add_rows(glp_prob *lp, const struct program *p)
{
    const struct lattice *l = p->lattice;
    int row = glp_add_rows(lp, (int)(2 * (int64_t)l->nrow + p->width));

    for (uint32_t r = 0; r < l->nrow; r++) {
        int n = 0;

        for (uint32_t j = 0; j < l->rank; j++) {
            if (l->h[(size_t)r * l->ncol + j]) {
                p->index[++n] = (int)j + 1;
                p->value[n] = (double)l->h[(size_t)r * l->ncol + j];
            }
        }
        for (int64_t k = 1; k < p->width; k++) {
            p->index[++n] = column_of(p, r, k);
            p->value[n] = -(double)k;
        }
        glp_set_row_bnds(lp, row, GLP_FX, 0, 0);
        glp_set_mat_row(lp, row++, n, p->index, p->value);
        for (n = 0; n < p->width; n++) {
            p->index[n + 1] = column_of(p, r, n);
            p->value[n + 1] = 1;
        }
        glp_set_row_bnds(lp, row, GLP_FX, 1, 1);
        glp_set_mat_row(lp, row++, n, p->index, p->value);
    }
    for (int64_t k = 0; k < p->width; k++) {
        for (uint32_t r = 0; r < l->nrow; r++) {
            p->index[r + 1] = column_of(p, r, k);
            p->value[r + 1] = 1;
        }
        glp_set_row_bnds(lp, row, GLP_UP, 0, 1);
        glp_set_mat_row(lp, row++, (int)l->nrow, p->index, p->value);
    }
}

enum answer { YES, NO, UNKNOWN };

static enum answer solve(const struct program *p, double seconds)
{
    glp_prob *lp;
    glp_iocp how;
    enum answer answer = UNKNOWN;
    int failed;

    glp_term_out(GLP_OFF);
    lp = glp_create_prob();
    add_columns(lp, p);
    add_rows(lp, p);
    glp_init_iocp(&how);
    how.presolve = GLP_ON;
    how.tm_lim = (int)(seconds * 1000);
    failed = glp_intopt(lp, &how);
    if (failed == GLP_ENOPFS || (!failed && glp_mip_status(lp) == GLP_NOFEAS))
        answer = NO;
    else if (!failed && glp_mip_status(lp) == GLP_OPT)
        answer = YES;
    for (uint32_t j = 0; answer == YES && j < p->lattice->rank; j++)
        p->y[j] = llround(glp_mip_col_val(lp, (int)j + 1));
    glp_delete_prob(lp);
    glp_free_env();
    return answer;
}

/* Applies w = U y to the edges; the column of ones goes to ENTRY's edges. */
static bool adopt(int64_t *val, const struct program *p, const struct trod_interest *in)
{
    const struct lattice *l = p->lattice;
    const struct trod_graph *g = &in->ballarus->dag->shape;
    int64_t all = 0;

    for (uint32_t i = 0; i < l->ncol; i++) {
        int64_t sum = 0, part;

        for (uint32_t j = 0; j < l->rank; j++)
            if (__builtin_mul_overflow(l->u[(size_t)i * l->ncol + j], p->y[j], &part) ||
                __builtin_add_overflow(sum, part, &sum))
                return false;
        if (i + 1 < l->ncol)
            val[l->edge[i]] = sum;
        else
            all = sum;
    }
    for (trod_edge e = g->first_out[g->entry]; e < g->first_out[g->entry + 1]; e++)
        if (__builtin_add_overflow(val[e], all, &val[e]))
            return false;
    return true;
}

static bool give(struct trod_exact_optimum *out, const int64_t *val,
    const struct trod_interest *in, struct trod_arena *mem, struct trod_err *err)
{
    struct trod_measure measure;
    struct trod_numbering n = {
        .kind = TROD_PREFERENTIAL, .dag = in->ballarus->dag, .val_of_edge = val};

    if (!trod_number_range(&n.min, &n.max, n.dag, val, mem, err))
        return false;
    trod_number_measure(&measure, &n, in, mem);
    /* Verify the solution in integers, because the solver uses floating point. */
    if ((uint64_t)measure.width > out->width)
        return trod_fail(err, TROD_E_INTERNAL,
            "GLPK's solution for '%s' is %g wide, not %llu; please report this with the graph "
            "and its chosen paths",
            n.dag->graph->name, measure.width, (unsigned long long)out->width);
    out->numbering = n;
    return true;
}

static bool prepare(struct program *p, struct lattice *l,
    const struct trod_interest *in, uint64_t widest, struct trod_arena *mem,
    struct trod_err *err)
{
    size_t row;

    *l = (struct lattice){0};
    fill_lattice(l, in, mem);
    if (!echelon(l))
        return too_large(in, err);
    row = l->rank + (size_t)widest + l->nrow + 1;
    *p = (struct program){.lattice = l,
        .low = trod_new(mem, int64_t, l->rank),
        .high = trod_new(mem, int64_t, l->rank),
        .index = trod_new(mem, int, row),
        .value = trod_new(mem, double, row),
        .y = trod_new(mem, int64_t, l->rank)};
    return true;
}

/* Try one width; *done: there is nothing more to try. */
static bool try_width(struct trod_exact_optimum *out, struct program *p, uint64_t width,
    double seconds, const struct trod_interest *in, bool *done, struct trod_arena *mem,
    struct trod_err *err)
{
    int64_t *val;

    p->width = (int64_t)width;
    if (!bound(p->low, p->high, p->lattice, p->width))
        return too_large(in, err);
    out->solves++;
    switch (solve(p, seconds)) {
    case NO:
        out->proved = width + 1;
        return true;
    case UNKNOWN:
        *done = true;
        return true;
    case YES:
        break;
    }
    *done = true;
    val = trod_new(mem, int64_t, in->ballarus->dag->shape.nedge);
    out->width = width;
    if (!adopt(val, p, in))
        return too_large(in, err);
    return give(out, val, in, mem, err);
}

bool trod_exact_preferential(struct trod_exact_optimum *out,
    const struct trod_interest *interest, const struct trod_exact_options *options,
    struct trod_arena *mem, struct trod_err *err)
{
    uint32_t most = options->most_paths ? options->most_paths : 16;
    double seconds = options->seconds > 0 ? options->seconds : 10;
    struct trod_measure measure;
    struct lattice lattice;
    struct program program = {0};
    bool done = false;

    *out = (struct trod_exact_optimum){0};
    if (interest->paths.count > most)
        return trod_fail(err, TROD_E_LIMIT,
            "%zu chosen paths are too many for the exact optimum, which supports up to %u",
            interest->paths.count, most);
    trod_number_preferential(&out->numbering, interest, TROD_PREFER_BEST, mem);
    trod_number_measure(&measure, &out->numbering, interest, mem);
    out->width = (uint64_t)measure.width;
    out->proved = interest->paths.count;
    out->optimal = out->width == out->proved;
    if (out->optimal)
        return true;
    if (!prepare(&program, &lattice, interest, out->width, mem, err))
        return false;
    for (uint64_t w = out->proved; w < out->width && !done; w++)
        if (!try_width(out, &program, w, seconds, interest, &done, mem, err))
            return false;
    out->optimal = out->width == out->proved;
    return true;
}
