/* Probes and density over random graphs and over the functions of real programs.
 *
 *     study probes|delta FILE...    one row per file, and one for random graphs
 *
 * probes  how many edges have a value, for 1 to 5 chosen paths drawn at random: Ball-Larus,
 *         selective as published, its safe phases alone, and trod's; how often the
 *         published one is wrong (a chosen path has the same sum as another)
 * delta   width of the range of chosen ids divided by their number: Ball-Larus, preferential
 *         as published and as trod does it, multiply-shift slots, and the exact optimum
 */
#include "bench.h"
#include "glpk/exact.h"
#include "kit/shape.h"

enum { SETS = 20, RANDOM_GRAPHS = 2000, WALK_MOST = 20000 };

static const uint32_t probe_sizes[] = {1, 2, 3, 4, 5};
static const uint32_t delta_sizes[] = {5, 10, 50, 200};

#define COUNT(a) (sizeof(a) / sizeof *(a))

struct totals {
    uint64_t sets;
    /* probes */
    double ballarus, published, safe, sound;
    uint64_t walked, wrong;
    /* delta */
    double d_ballarus, d_published, d_best, d_hash, d_exact, d_best_where_exact;
    double worst_published, worst_best, worst_hash;
    uint64_t near, unproved, hashed, solved;
};

struct work {
    struct trod_arena mem;
    struct trod_rng rng;
    bool delta;
    struct totals *total; /* by size */
    uint64_t functions;
};

static void count_probes(struct work *w, struct totals *t, struct trod_interest *in)
{
    struct trod_measure m;
    struct trod_numbering n;
    struct trod_err err;

    trod_number_measure(&m, in->ballarus, in, &w->mem);
    t->ballarus += m.nprobe;
    bench_require(trod_number_selective_paper(&n, in, true, &w->mem, &err), &err);
    trod_number_measure(&m, &n, in, &w->mem);
    t->published += m.nprobe;
    if (in->ballarus->npath <= WALK_MOST) {
        t->walked++;
        t->wrong +=
            !trod_number_check_all(&n, in, NULL, NULL, WALK_MOST, &w->mem, &err);
    }
    bench_require(trod_number_selective_paper(&n, in, false, &w->mem, &err), &err);
    trod_number_measure(&m, &n, in, &w->mem);
    t->safe += m.nprobe;
    bench_require(trod_number_selective(&n, in, &w->mem, &err), &err);
    trod_number_measure(&m, &n, in, &w->mem);
    t->sound += m.nprobe;
    if (in->ballarus->npath <= WALK_MOST)
        bench_require(
            trod_number_check_all(&n, in, NULL, NULL, WALK_MOST, &w->mem, &err), &err);
}

static double worse(double a, double b)
{
    return a > b ? a : b;
}

static void count_delta(struct work *w, struct totals *t, struct trod_interest *in)
{
    struct trod_exact_options quick = {.most_paths = 6, .seconds = 1};
    struct trod_measure m;
    struct trod_numbering n;
    struct trod_slots slots;
    struct trod_exact_optimum exact;
    struct trod_err err;
    double best;

    trod_number_measure(&m, in->ballarus, in, &w->mem);
    t->d_ballarus += m.delta;
    trod_number_preferential(&n, in, TROD_PREFER_PAPER, &w->mem);
    trod_number_measure(&m, &n, in, &w->mem);
    t->d_published += m.delta;
    t->worst_published = worse(m.delta, t->worst_published);
    trod_number_preferential(&n, in, TROD_PREFER_BEST, &w->mem);
    trod_number_measure(&m, &n, in, &w->mem);
    best = m.delta;
    t->d_best += best;
    t->worst_best = worse(best, t->worst_best);
    t->near += best <= 1.1;
    if (trod_number_hash(&slots, &in->paths, 24, &w->mem, &err)) {
        double d = (double)slots.nslot / (double)in->paths.count;

        t->hashed++;
        t->d_hash += d;
        t->worst_hash = worse(d, t->worst_hash);
    }
    if (in->paths.count > quick.most_paths)
        return;
    bench_require(trod_exact_preferential(&exact, in, &quick, &w->mem, &err), &err);
    t->unproved += !exact.optimal;
    t->solved++;
    t->d_exact += (double)exact.width / (double)in->paths.count;
    t->d_best_where_exact += best;
}

static void study_graph(struct work *w, const struct trod_graph *graph)
{
    const uint32_t *size = w->delta ? delta_sizes : probe_sizes;
    size_t nsize = w->delta ? COUNT(delta_sizes) : COUNT(probe_sizes);
    struct trod_limit_report report;
    struct trod_limit limit = {0};
    struct trod_numbering ballarus;
    struct trod_view view;
    struct trod_err err;

    bench_require(
        trod_number_limit(&view, &report, graph, &limit, &w->mem, &err), &err);
    bench_require(trod_number_ballarus(&ballarus, &view.dag, &w->mem, &err), &err);
    if (ballarus.npath < 2)
        return;
    w->functions++;
    for (size_t k = 0; k < nsize; k++) {
        for (int s = 0; s < SETS && ballarus.npath > size[k]; s++) {
            struct trod_mark mark = trod_arena_mark(&w->mem);
            trod_path *id = trod_new(&w->mem, trod_path, size[k]);
            struct trod_pathset paths = {0};
            struct trod_interest interest;

            while (paths.count < size[k]) { /* distinct ones */
                for (uint32_t i = 0; i < size[k]; i++)
                    if (i >= paths.count)
                        id[i] = trod_rng_below(&w->rng, ballarus.npath);
                    else
                        id[i] = paths.id[i];
                trod_pathset_build(&paths, id, size[k], &w->mem);
            }
            trod_interest_build(&interest, &ballarus, &paths, &w->mem);
            w->total[k].sets++;
            (w->delta ? count_delta : count_probes)(w, &w->total[k], &interest);
            trod_arena_rewind(&w->mem, mark);
        }
    }
}

static void print_totals(
    struct trod_json *json, const struct work *w, const char *name, size_t k)
{
    const struct totals *t = &w->total[k];
    double n = (double)t->sets;

    trod_json_open(json, NULL, '{');
    trod_json_text(json, "program", name);
    trod_json_uint(json, "functions", w->functions);
    trod_json_uint(json, "paths", w->delta ? delta_sizes[k] : probe_sizes[k]);
    trod_json_uint(json, "sets", t->sets);
    if (!w->delta) {
        trod_json_real(json, "ballarus", t->ballarus / n);
        trod_json_real(json, "published", t->published / n);
        trod_json_real(json, "safe", t->safe / n);
        trod_json_real(json, "sound", t->sound / n);
        trod_json_uint(json, "walked", t->walked);
        trod_json_uint(json, "published_wrong", t->wrong);
    } else {
        trod_json_real(json, "ballarus", t->d_ballarus / n);
        trod_json_real(json, "published", t->d_published / n);
        trod_json_real(json, "published_worst", t->worst_published);
        trod_json_real(json, "best", t->d_best / n);
        trod_json_real(json, "best_worst", t->worst_best);
        trod_json_real(json, "best_within_1.1", (double)t->near / n);
        trod_json_real(json, "hash", t->d_hash / (double)t->hashed);
        trod_json_real(json, "hash_worst", t->worst_hash);
        trod_json_uint(json, "hash_failed", t->sets - t->hashed);
        if (t->solved) {
            trod_json_real(json, "exact", t->d_exact / (double)t->solved);
            trod_json_uint(json, "exact_unproved", t->unproved);
        }
    }
    trod_json_close(json, '}');
}

static void close_row(struct trod_json *json, struct work *w, const char *name)
{
    for (size_t k = 0; k < (w->delta ? COUNT(delta_sizes) : COUNT(probe_sizes)); k++)
        if (w->total[k].sets)
            print_totals(json, w, name, k);
    memset(w->total, 0, COUNT(probe_sizes) * sizeof *w->total);
    w->functions = 0;
}

static void study_file(struct work *w, struct bench_corpus *corpus)
{
    for (;;) {
        struct trod_mark mark = trod_arena_mark(&w->mem);
        struct trod_graph graph;

        if (!bench_corpus_next(corpus, &graph, &w->mem))
            return;
        study_graph(w, &graph);
        trod_arena_rewind(&w->mem, mark);
    }
}

static void study_random(struct work *w)
{
    struct kit_shape_options options = {
        .max_node = 24, .max_out = 3, .cycles = true, .parallel = true};

    for (int i = 0; i < RANDOM_GRAPHS; i++) {
        struct trod_mark mark = trod_arena_mark(&w->mem);
        struct trod_graph graph;

        kit_shape(&graph, &options, kit_shape_from_rng, &w->rng, &w->mem);
        study_graph(w, &graph);
        trod_arena_rewind(&w->mem, mark);
    }
}

int main(int argc, char **argv)
{
    struct work w = {.delta = argc > 1 && strcmp(argv[1], "delta") == 0};
    struct totals total[COUNT(probe_sizes)] = {0};
    struct trod_sink sink;
    struct trod_json json;

    trod_arena_init(&w.mem, bench_exhausted, NULL);
    trod_rng_init(&w.rng, 2002);
    w.total = total;
    bench_open(&json, &sink, w.delta ? "delta" : "probes");
    study_random(&w);
    close_row(&json, &w, "random graphs");
    for (int i = 2; i < argc; i++) {
        struct bench_corpus corpus;

        bench_corpus_open(&corpus, argv[i]);
        study_file(&w, &corpus);
        close_row(&json, &w, corpus.name);
    }
    bench_close(&json);
    trod_arena_free(&w.mem);
    return 0;
}
