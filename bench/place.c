/* Costs of the three placements in the functions of real programs, according to the cost model: operations in the
 * code, and operations executed per call under the estimated weights.
 *
 *     place FILE...     one row per file, and one for random graphs
 */
#include "bench.h"
#include "kit/shape.h"

#include <math.h>

enum { NPLACE = 3, RANDOM_GRAPHS = 5000 };

static const char *const column[NPLACE] = {"frontier", "tree", "plain"};

struct totals {
    uint64_t functions, trips;
    double nop[NPLACE];
    double log_ratio
        [NPLACE]; /* of dynamic cost to that of the plain placement, for the geometric mean */
    double no_trips_ratio;
    uint64_t dearer_than_tree;
};

static double cost_of(struct trod_plan *plan, const struct trod_numbering *n,
    const struct trod_loops *loops, enum trod_placement where, bool no_trips,
    uint32_t *nop, struct trod_arena *mem)
{
    struct trod_probe_options options = {.placement = where, .no_trips = no_trips};
    struct trod_cost cost;

    trod_probe_plan(plan, n, loops, &options, mem);
    trod_probe_cost(&cost, plan, &trod_prices_default, mem);
    *nop = cost.nop;
    return cost.dynamic;
}

static void study_graph(
    struct totals *t, const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_limit_report report;
    struct trod_limit limit = {0};
    struct trod_numbering n;
    struct trod_view view;
    struct trod_plan plan;
    struct trod_err err;
    double dynamic[NPLACE], without;
    uint32_t nop;

    bench_require(trod_number_limit(&view, &report, graph, &limit, mem, &err), &err);
    bench_require(trod_number_ballarus(&n, &view.dag, mem, &err), &err);
    t->functions++;
    for (int p = 0; p < NPLACE; p++) {
        /* Without trip counters, whose saving is measured separately below. */
        dynamic[p] = cost_of(&plan, &n, &view.loops, p, true, &nop, mem);
        t->nop[p] += nop;
    }
    for (int p = 0; p < NPLACE; p++)
        t->log_ratio[p] += log(dynamic[p] / dynamic[TROD_PLACE_PLAIN]);
    t->dearer_than_tree += dynamic[TROD_PLACE_FRONTIER] > dynamic[TROD_PLACE_TREE];
    without = dynamic[TROD_PLACE_FRONTIER];
    t->no_trips_ratio +=
        log(cost_of(&plan, &n, &view.loops, TROD_PLACE_FRONTIER, false, &nop, mem) /
            without);
    t->trips += plan.nloop;
}

static void print_totals(struct trod_json *json, const char *name, struct totals *t)
{
    double n = (double)t->functions;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "program", name);
    trod_json_uint(json, "functions", t->functions);
    for (int p = 0; p < NPLACE; p++) {
        char key[32];

        snprintf(key, sizeof key, "%s_operations", column[p]);
        trod_json_real(json, key, t->nop[p] / n);
        snprintf(key, sizeof key, "%s_cost", column[p]);
        trod_json_real(json, key, exp(t->log_ratio[p] / n));
    }
    trod_json_uint(json, "trip_counters", t->trips);
    trod_json_real(json, "trips_ratio", exp(t->no_trips_ratio / n));
    trod_json_uint(json, "frontier_dearer_than_tree", t->dearer_than_tree);
    trod_json_close(json, '}');
}

int main(int argc, char **argv)
{
    struct kit_shape_options options = {
        .max_node = 24, .max_out = 3, .cycles = true, .parallel = true};
    struct trod_arena mem;
    struct trod_sink sink;
    struct trod_json json;
    struct trod_rng rng;
    struct totals t = {0};

    trod_arena_init(&mem, bench_exhausted, NULL);
    trod_rng_init(&rng, 1996);
    bench_open(&json, &sink, "place");
    for (int i = 0; i < RANDOM_GRAPHS; i++) {
        struct trod_mark mark = trod_arena_mark(&mem);
        struct trod_graph graph;

        kit_shape(&graph, &options, kit_shape_from_rng, &rng, &mem);
        study_graph(&t, &graph, &mem);
        trod_arena_rewind(&mem, mark);
    }
    print_totals(&json, "random graphs", &t);
    for (int i = 1; i < argc; i++) {
        struct bench_corpus corpus;
        struct trod_graph graph;

        t = (struct totals){0};
        bench_corpus_open(&corpus, argv[i]);
        while (bench_corpus_next(&corpus, &graph, &mem))
            study_graph(&t, &graph, &mem);
        print_totals(&json, corpus.name, &t);
        trod_arena_free(&mem);
        trod_arena_init(&mem, bench_exhausted, NULL);
    }
    bench_close(&json);
    trod_arena_free(&mem);
    return 0;
}
