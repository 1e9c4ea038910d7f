/* Time and memory of graph, Ball-Larus numbering and probe placement, from a thousand nodes to a million. The time
 * per edge must be constant.
 */
#include "bench.h"
#include "kit/shape.h"

enum { ROUNDS = 5, NSTAGE = 4 };

/* bounded: tangled, but divided by cuts, as the text form allows, so that its paths can be numbered directly. tangled
 * and structured have too many paths and are cut to the limit first.
 */
enum shape { BOUNDED, TANGLED, STRUCTURED, NSHAPE };
enum { REGION = 25 };

static const char *const shape_name[NSHAPE] = {"bounded", "tangled", "structured"};

static const char *const stage_name[NSTAGE] = {"graph", "limit", "number", "probe"};

static uint64_t draw(void *ctx, uint64_t bound)
{
    return trod_rng_below(ctx, bound);
}

/* Three successors for each node: the next, a near later one, and one that is later or, one time in ten, earlier. The
 * graph has a huge number of paths and many irreducible loops.
 */
static void tangled(struct trod_graph_builder *b, uint32_t nnode, struct trod_rng *rng)
{
    b->nnode = nnode;
    for (trod_node v = 0; v + 1 < nnode; v++) {
        uint64_t ahead = nnode - 1 - v < 100 ? nnode - 1 - v : 100;
        bool back = v && trod_rng_below(rng, 10) == 0;

        trod_graph_builder_add(b, v, v + 1);
        trod_graph_builder_add(b, v, v + 1 + (trod_node)trod_rng_below(rng, ahead));
        trod_graph_builder_add(b, v,
            back ? v - (trod_node)trod_rng_below(rng, v < 100 ? v : 100)
                 : v + 1 + (trod_node)trod_rng_below(rng, ahead));
    }
}

static void make(
    struct trod_graph *out, enum shape shape, uint32_t nnode, struct trod_arena *mem)
{
    struct trod_graph_builder b;
    struct trod_rng rng;

    trod_rng_init(&rng, nnode);
    if (shape == STRUCTURED) {
        kit_shape_structured(out, nnode, draw, &rng, mem);
        return;
    }
    trod_graph_builder_init(&b, "tangled", mem);
    tangled(&b, nnode, &rng);
    for (uint32_t a = 0; shape == BOUNDED && a < b.narc; a++)
        b.arc[a].cut = b.arc[a].src / REGION != b.arc[a].dst / REGION;
    trod_graph_build(out, &b);
}

struct sample {
    double stage[NSTAGE];
    uint32_t nnode, nedge, ncut;
    size_t bytes;
};

static void measure(struct sample *out, enum shape shape, uint32_t nnode)
{
    struct trod_arena mem;
    struct trod_err err;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_limit_report report;
    struct trod_numbering numbering;
    struct trod_plan plan;
    struct trod_mark mark;
    double t[NSTAGE + 1];

    trod_arena_init(&mem, bench_exhausted, NULL);
    make(&graph, shape, nnode, &mem);
    mark = trod_arena_mark(&mem);
    t[0] = bench_now();
    trod_graph_view(&view, &graph, NULL, &mem);
    t[1] = bench_now();
    trod_arena_rewind(&mem, mark); /* trod_number_limit builds its own */
    bench_require(
        trod_number_limit(&view, &report, &graph, &(struct trod_limit){0}, &mem, &err),
        &err);
    t[2] = bench_now();
    bench_require(trod_number_ballarus(&numbering, &view.dag, &mem, &err), &err);
    t[3] = bench_now();
    trod_probe_plan(
        &plan, &numbering, &view.loops, &(struct trod_probe_options){0}, &mem);
    t[4] = bench_now();
    for (int i = 0; i < NSTAGE; i++)
        out->stage[i] = t[i + 1] - t[i];
    out->nnode = graph.nnode;
    out->nedge = graph.nedge;
    out->ncut = report.ncut;
    out->bytes = mem.peak;
    trod_arena_free(&mem);
}

static void row(struct trod_json *json, enum shape shape, uint32_t nnode)
{
    double total[ROUNDS], part[NSTAGE][ROUNDS];
    struct sample s;
    struct bench_spread spread;

    for (int r = 0; r < ROUNDS; r++) {
        measure(&s, shape, nnode);
        total[r] = 0;
        for (int i = 0; i < NSTAGE; i++)
            total[r] += part[i][r] = s.stage[i];
    }
    spread = bench_spread(total, ROUNDS);
    trod_json_open(json, NULL, '{');
    trod_json_text(json, "shape", shape_name[shape]);
    trod_json_uint(json, "nodes", s.nnode);
    trod_json_uint(json, "edges", s.nedge);
    trod_json_uint(json, "cuts", s.ncut);
    trod_json_real(json, "seconds", spread.median);
    trod_json_real(json, "seconds_low", spread.low);
    trod_json_real(json, "seconds_high", spread.high);
    trod_json_real(json, "ns_per_edge", spread.median * 1e9 / s.nedge);
    for (int i = 0; i < NSTAGE; i++)
        trod_json_real(
            json, stage_name[i], bench_spread(part[i], ROUNDS).median * 1e9 / s.nedge);
    trod_json_real(json, "mebibytes", (double)s.bytes / (1 << 20));
    trod_json_close(json, '}');
}

int main(void)
{
    struct trod_sink sink;
    struct trod_json json;

    bench_open(&json, &sink, "scale");
    for (int shape = 0; shape < NSHAPE; shape++)
        for (uint32_t n = 1000; n <= 1000000; n *= 10)
            row(&json, shape, n);
    bench_close(&json);
    return 0;
}
