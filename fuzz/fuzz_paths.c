/* A graph and a list of its paths. */
#include "fuzz.h"

/* A path with an id can be printed, and the printed path has the same id. */
static void check_again(
    const struct trod_numbering *bl, trod_path id, struct trod_arena *mem)
{
    trod_edge *step = trod_new(mem, trod_edge, bl->dag->nreach);
    uint32_t nstep = trod_number_decode(step, bl, id);
    struct trod_err err = {0};
    struct trod_trail trail;
    struct trod_string out;
    struct trod_text text;
    trod_path again;

    trod_string_init(&out, mem);
    trod_trail_print(&out.sink, bl->dag, step, nstep);
    trod_text_init(&text, "printed", out.text, out.length);
    FUZZ_MUST_DO(trod_trail_parse(&trail, &text, bl->dag->graph, mem, &err), &err);
    FUZZ_MUST_DO(trod_trail_encode(&again, &trail, bl, &err), &err);
    FUZZ_MUST(again == id);
}

/* Numbers the chosen paths, and checks all paths exhaustively, if there are few enough. */
static void number(const struct trod_numbering *bl, const struct trod_pathset *paths,
    struct trod_arena *mem)
{
    struct trod_numbering n;
    struct trod_interest in;
    struct trod_err err = {0};
    struct trod_slots slots;

    if (bl->npath > FUZZ_MOST_PATHS || bl->dag->shape.nedge > FUZZ_MOST_EDGES)
        return;
    trod_interest_build(&in, bl, paths, mem);
    FUZZ_MUST_DO(trod_number_selective(&n, &in, mem, &err), &err);
    FUZZ_MUST_DO(
        trod_number_check_all(&n, &in, NULL, NULL, FUZZ_MOST_PATHS, mem, &err), &err);
    trod_number_preferential(&n, &in, TROD_PREFER_BEST, mem);
    FUZZ_MUST_DO(
        trod_number_check_all(&n, &in, NULL, NULL, FUZZ_MOST_PATHS, mem, &err), &err);
    if (!trod_number_hash(&slots, paths, 12, mem, &err))
        fuzz_refused(&err);
}

static void encode(const struct trod_graph *graph, const struct trod_trails *trails,
    struct trod_arena *mem)
{
    uint64_t *keep = trod_new(mem, uint64_t, TROD_WORDS(graph->nedge) + 1);
    struct trod_limit limit = {.most = FUZZ_MOST_PATHS, .keep = keep};
    trod_path *id = trod_new(mem, trod_path, trails->count);
    struct trod_limit_report report;
    struct trod_pathset paths;
    struct trod_numbering bl;
    struct trod_err err = {0};
    struct trod_view view;
    size_t count = 0;

    trod_trails_keep(keep, trails);
    if (graph->nedge > FUZZ_MOST_EDGES ||
        !trod_number_limit(&view, &report, graph, &limit, mem, &err))
        trod_graph_view(&view, graph, NULL, mem);
    if (!trod_number_ballarus(&bl, &view.dag, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    for (uint32_t i = 0; i < trails->count; i++) {
        if (trod_trail_encode(&id[count], &trails->trail[i], &bl, &err))
            check_again(&bl, id[count++], mem);
        else
            fuzz_refused(&err);
    }
    trod_pathset_build(&paths, id, count, mem);
    number(&bl, &paths, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_trails trails = {0};
    struct trod_token token;
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_text text;
    bool more = false;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    if (length <= FUZZ_MOST_BYTES &&
        trod_graph_parse(&graph, &more, &text, &mem, &err) && more &&
        fuzz_head(&text, "paths", &mem, &err) &&
        trod_text_next(&token, &text, &mem, &err) && token.kind == TROD_T_LINE) {
        if (trod_trails_parse(&trails, &text, &graph, &mem, &err))
            encode(&graph, &trails, &mem);
        else
            fuzz_refused(&err);
    }
    trod_arena_free(&mem);
    return 0;
}
