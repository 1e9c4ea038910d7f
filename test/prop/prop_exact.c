/* The exact optimum is no wider than the best preferential numbering, which is no wider
 * than the range of Ball-Larus ids; and it is the optimum indeed.
 */
#include "prop/sample.h"

#include <stdio.h>

#include "glpk/exact.h"

enum { MOST_PATHS = 7, MOST_EDGES = 256 };

/* How the runs of a property went, for the report. */
struct tally {
    uint64_t runs;
    uint64_t solved; /* runs in which the solver was asked */
    uint64_t beaten; /* runs in which it found something narrower than trod did */
    uint64_t loose;  /* runs in which even the optimum leaves holes */
    bool planted;
};

/* --- the optimum by trying all ids ------------------------------------------------ */

/* Ids can be had if they are sums of integer values: if they lie in the lattice that
 * the columns of the matrix of paths and edges span. Column operations make it
 * triangular.
 */
struct lattice {
    int64_t at[MOST_PATHS][MOST_EDGES];
    uint32_t nrow, ncol;
    uint32_t pivot[MOST_PATHS]; /* column that ends in this row; ncol: none does */
};

static void add_multiple(struct lattice *l, uint32_t to, uint32_t from, int64_t times)
{
    for (uint32_t r = 0; r < l->nrow; r++)
        l->at[r][to] += times * l->at[r][from];
}

/* Leave at most one column from `first` on that is not 0 in this row. */
static bool clear(struct lattice *l, uint32_t row, uint32_t first)
{
    for (uint32_t c = first + 1; c < l->ncol; c++) {
        while (l->at[row][c]) {
            int64_t kept = l->at[row][first];

            if (kept)
                add_multiple(l, first, c, -(kept / l->at[row][c]));
            /* Swap: the one on the left has become the smaller. */
            add_multiple(l, first, c, 1);
            add_multiple(l, c, first, -1);
            add_multiple(l, first, c, 1);
        }
    }
    return l->at[row][first] != 0;
}

static void triangulate(struct lattice *l, struct sample *s)
{
    trod_edge *step = trod_new(&s->mem, trod_edge, s->view.dag.nreach);
    uint32_t next = 0;

    memset(l, 0, sizeof *l);
    l->nrow = (uint32_t)s->paths.count;
    l->ncol = s->view.dag.shape.nedge;
    for (uint32_t r = 0; r < l->nrow; r++) {
        uint32_t n = trod_number_decode(step, &s->bl, s->paths.id[r]);

        while (n-- > 0)
            l->at[r][step[n]] = 1;
    }
    for (uint32_t r = 0; r < l->nrow; r++) {
        l->pivot[r] = l->ncol;
        if (next < l->ncol && clear(l, r, next))
            l->pivot[r] = next++;
    }
}

static bool can_be_had(const struct lattice *l, const int64_t *ids)
{
    int64_t rest[MOST_PATHS];

    memcpy(rest, ids, sizeof rest);
    for (uint32_t r = 0; r < l->nrow; r++) {
        uint32_t c = l->pivot[r];
        int64_t times;

        if (c == l->ncol || rest[r] % l->at[r][c]) {
            if (rest[r])
                return false;
            continue;
        }
        times = rest[r] / l->at[r][c];
        for (uint32_t k = r; k < l->nrow; k++)
            rest[k] -= times * l->at[k][c];
    }
    return true;
}

/* All ways to give the paths from `path` on distinct ids below the width. */
static bool try_ids(const struct lattice *l, int64_t *ids, uint32_t path, int64_t width)
{
    if (path == l->nrow)
        return can_be_had(l, ids);
    for (ids[path] = 0; ids[path] < width; ids[path]++) {
        bool taken = false;

        for (uint32_t i = 0; i < path; i++)
            taken = taken || ids[i] == ids[path];
        if (!taken && try_ids(l, ids, path + 1, width))
            return true;
    }
    return false;
}

static uint64_t best_width(struct sample *s)
{
    static struct lattice l;
    int64_t ids[MOST_PATHS] = {0}, width = (int64_t)s->paths.count;

    triangulate(&l, s);
    while (!try_ids(&l, ids, 0, width))
        width++;
    return (uint64_t)width;
}

/* --- graphs in which numberings have a hard time ---------------------------------- */

/* Two or three block sequences, each linked to all of the next through a hub: the paths
 * of interest use the same edges in many combinations.
 */
static void layers(struct trod_graph *out, struct kit_prop *p, struct trod_arena *mem)
{
    uint32_t nlayer = 2 + (uint32_t)kit_draw(p, 2),
             width = 2 + (uint32_t)kit_draw(p, 2);
    struct trod_graph_builder b;

    trod_graph_builder_init(&b, "layers", mem);
    /* A hub stands between any two rows: 0, width + 1, ... */
    b.nnode = nlayer * (width + 1) + 1;
    for (uint32_t i = 0; i < nlayer; i++) {
        trod_node hub = i * (width + 1);

        for (uint32_t j = 1; j <= width; j++) {
            trod_graph_builder_add(&b, hub, hub + j);
            trod_graph_builder_add(&b, hub + j, hub + width + 1);
        }
    }
    trod_graph_build(out, &b);
}

/* More often than not as many as there may be: few paths are easy. */
static void draw_interest(struct sample *s, struct kit_prop *p)
{
    uint32_t count = (uint32_t)kit_draw(p, UINT64_C(3) * MOST_PATHS);
    trod_path id[MOST_PATHS];

    count = count > MOST_PATHS ? MOST_PATHS : count;
    for (uint32_t i = 0; i < count; i++)
        id[i] = kit_draw(p, s->bl.npath);
    trod_pathset_build(&s->paths, id, count, &s->mem);
    trod_interest_build(&s->in, &s->bl, &s->paths, &s->mem);
}

static bool draw(struct sample *s, struct kit_prop *p)
{
    const struct sample_options opt = {.max_path = 120};

    sample_init(s);
    if (kit_draw(p, 2))
        layers(&s->graph, p, &s->mem);
    else
        sample_graph(&s->graph, 12, p, &s->mem);
    if (!sample_number(s, &opt, p))
        return false;
    draw_interest(s, p);
    return true;
}

/* --- the properties --------------------------------------------------------------- */

static bool distinct(struct sample *s, const struct trod_exact_optimum *exact)
{
    struct sample_paths all;
    int64_t id[MOST_PATHS];

    sample_paths(&all, &s->view.dag, &s->mem);
    for (size_t i = 0; i < s->paths.count; i++) {
        id[i] =
            sample_sum(&all, (uint32_t)s->paths.id[i], exact->numbering.val_of_edge);
        if (id[i] < 0 || id[i] >= (int64_t)exact->width)
            return false;
        for (size_t j = 0; j < i; j++)
            if (id[i] == id[j])
                return false;
    }
    return true;
}

static bool optimum(struct kit_prop *p, void *ctx)
{
    const struct trod_exact_options options = {.most_paths = MOST_PATHS};
    struct tally *tally = ctx;
    struct trod_numbering best;
    struct trod_measure measure;
    struct trod_exact_optimum exact;
    struct sample s;
    bool ok = draw(&s, p) && s.view.dag.shape.nedge <= MOST_EDGES;

    tally->runs++;
    if (ok && s.paths.count) {
        uint64_t range = s.paths.id[s.paths.count - 1] - s.paths.id[0] + 1;
        uint64_t want = best_width(&s);

        trod_number_preferential(&best, &s.in, TROD_PREFER_BEST, &s.mem);
        trod_number_measure(&measure, &best, &s.in, &s.mem);
        ok = trod_exact_preferential(&exact, &s.in, &options, &s.mem, &s.err) &&
             exact.optimal && exact.proved == exact.width && exact.width == want &&
             (double)exact.width <= measure.width && measure.width <= (double)range &&
             distinct(&s, &exact);
        if (ok && tally->planted) /* as though trod could not be beaten */
            ok = measure.width <= (double)want;
        tally->solved += ok && exact.solves > 0;
        tally->beaten += ok && (double)exact.width < measure.width;
        tally->loose += ok && exact.width > s.paths.count;
        if (!ok) {
            kit_note(p,
                "exact %" PRIu64 ", by trying %" PRIu64 ", best %g, range %" PRIu64
                " %s",
                exact.width, want, measure.width, range, s.err.text);
            sample_fail(p, &s, &best);
        }
    }
    return sample_free(&s, ok);
}

static void test_optimum(void **state)
{
    struct tally tally = {0};

    (void)state;
    kit_check("the optimum is one", optimum, &tally);
    printf("# %" PRIu64 " graphs: %" PRIu64 " took the solver, %" PRIu64
           " were numbered too wide, for %" PRIu64 " every numbering has holes\n",
        tally.runs, tally.solved, tally.beaten, tally.loose);
}

static void test_not_always_best(void **state)
{
    struct tally tally = {.planted = true};

    (void)state;
    kit_check_planted("preferential numbering is optimal", optimum, &tally);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_optimum),
        cmocka_unit_test(test_not_always_best),
    };

    return cmocka_run_group_tests_name("exact", tests, NULL, NULL);
}
