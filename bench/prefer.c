/* Preferential numbering of many paths: time by edges and by chosen paths. The paper promises O(edges x paths); the
 * automaton should do better.
 */
#include "bench.h"
#include "kit/shape.h"

enum { ROUNDS = 5 };

static uint64_t draw(void *ctx, uint64_t bound)
{
    return trod_rng_below(ctx, bound);
}

struct subject {
    struct trod_graph graph;
    struct trod_view view;
    struct trod_numbering ballarus;
};

/* Builds a structured graph with about that many edges. */
static void make(struct subject *s, uint32_t nedge, struct trod_arena *mem)
{
    struct trod_limit_report report;
    struct trod_limit limit = {0};
    struct trod_err err;
    struct trod_rng rng;

    trod_rng_init(&rng, nedge);
    kit_shape_structured(&s->graph, nedge * 2 / 3, draw, &rng, mem);
    bench_require(
        trod_number_limit(&s->view, &report, &s->graph, &limit, mem, &err), &err);
    bench_require(trod_number_ballarus(&s->ballarus, &s->view.dag, mem, &err), &err);
}

static void row(struct trod_json *json, uint32_t nedge, size_t npath)
{
    double build[ROUNDS], number[ROUNDS];
    struct trod_interest interest;
    struct trod_measure measure = {0};
    struct bench_spread spread;
    struct subject s;
    double length = 0;

    for (int r = 0; r < ROUNDS; r++) {
        struct trod_arena mem;
        struct trod_rng rng;
        struct trod_pathset paths;
        struct trod_numbering numbering;
        trod_path *id;
        trod_edge *step;
        double t;

        trod_arena_init(&mem, bench_exhausted, NULL);
        make(&s, nedge, &mem);
        trod_rng_init(&rng, (uint64_t)r + npath);
        id = trod_new(&mem, trod_path, npath);
        step = trod_new(&mem, trod_edge, s.view.dag.nreach);
        for (size_t i = 0; i < npath; i++)
            id[i] = trod_rng_below(&rng, s.ballarus.npath);
        trod_pathset_build(&paths, id, npath, &mem);
        length = trod_number_decode(step, &s.ballarus, id[0]);
        t = bench_now();
        trod_interest_build(&interest, &s.ballarus, &paths, &mem);
        build[r] = bench_now() - t;
        t = bench_now();
        trod_number_preferential(&numbering, &interest, TROD_PREFER_BEST, &mem);
        number[r] = bench_now() - t;
        trod_number_measure(&measure, &numbering, &interest, &mem);
        if (r + 1 < ROUNDS)
            trod_arena_free(&mem);
        else
            fprintf(
                stderr, "prefer: %u edges, %zu paths\n", s.graph.nedge, paths.count);
        for (int i = 0; r + 1 == ROUNDS && i < ROUNDS; i++)
            number[i] += build[i];
        if (r + 1 < ROUNDS)
            continue;
        spread = bench_spread(number, ROUNDS);
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "edges", s.graph.nedge);
        trod_json_uint(json, "paths", paths.count);
        trod_json_real(json, "length_of_one", length);
        trod_json_uint(json, "states", interest.nstate);
        trod_json_real(json, "seconds", spread.median);
        trod_json_real(json, "seconds_low", spread.low);
        trod_json_real(json, "seconds_high", spread.high);
        trod_json_real(json, "ps_per_edge_path",
            spread.median * 1e12 / ((double)s.graph.nedge * (double)paths.count));
        trod_json_real(json, "delta", measure.delta);
        trod_json_real(json, "mebibytes", (double)mem.peak / (1 << 20));
        trod_json_close(json, '}');
        trod_arena_free(&mem);
    }
}

int main(void)
{
    struct trod_sink sink;
    struct trod_json json;

    bench_open(&json, &sink, "prefer");
    for (uint32_t nedge = 2500; nedge <= 10000; nedge *= 2)
        for (size_t npath = 1000; npath <= 100000; npath *= 10)
            row(&json, nedge, npath);
    bench_close(&json);
    return 0;
}
