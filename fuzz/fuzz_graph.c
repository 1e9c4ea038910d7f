/* Graphs: any number of them in a text. */
#include "fuzz.h"

static void check_again(const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_string first, second;
    struct trod_err err = {0};
    struct trod_graph back;
    struct trod_text text;
    bool more;

    trod_string_init(&first, mem);
    trod_graph_print(&first.sink, graph);
    trod_text_init(&text, "printed", first.text, first.length);
    FUZZ_MUST_DO(trod_graph_parse(&back, &more, &text, mem, &err), &err);
    FUZZ_MUST(more);
    trod_string_init(&second, mem);
    trod_graph_print(&second.sink, &back);
    FUZZ_MUST(strcmp(first.text, second.text) == 0);
    FUZZ_MUST(trod_graph_hash(graph, mem) == trod_graph_hash(&back, mem));
}

/* Computes everything that derives from a graph. */
static void derive(const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_graph_style drawing = {0};
    struct trod_err err = {0};
    struct trod_string text;
    struct trod_json json;
    struct trod_view view;
    struct trod_dom dom;

    FUZZ_MUST_DO(trod_graph_check(graph, &err), &err);
    trod_graph_view(&view, graph, NULL, mem);
    FUZZ_MUST_DO(trod_dag_check(&view.dag, mem, &err), &err);
    trod_graph_dominators(&dom, graph, mem);
    trod_string_init(&text, mem);
    trod_json_init(&json, &text.sink);
    trod_graph_json(&json, NULL, graph);
    drawing.loops = &view.loops;
    if (graph->nedge <= FUZZ_MOST_EDGES)
        trod_graph_draw(&text.sink, graph, &drawing);
}

static void limit(const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_limit few = {.most = FUZZ_MOST_PATHS};
    struct trod_limit_report report;
    struct trod_numbering bl;
    struct trod_err err = {0};
    struct trod_view view;

    if (graph->nedge > FUZZ_MOST_EDGES)
        return;
    if (!trod_number_limit(&view, &report, graph, &few, mem, &err)) {
        fuzz_refused(&err);
        return;
    }
    FUZZ_MUST(fuzz_path_count(&view.dag, mem) <= few.most);
    FUZZ_MUST_DO(trod_dag_check(&view.dag, mem, &err), &err);
    FUZZ_MUST_DO(trod_number_ballarus(&bl, &view.dag, mem, &err), &err);
    FUZZ_MUST_DO(
        trod_number_check_all(&bl, NULL, NULL, NULL, few.most, mem, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_err err = {0};
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_text text;
    bool more = length <= FUZZ_MOST_BYTES;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    trod_text_init(&text, "fuzz", (const char *)bytes, length);
    while (more) {
        if (!trod_graph_parse(&graph, &more, &text, &mem, &err)) {
            fuzz_refused(&err);
            break;
        }
        if (more) {
            derive(&graph, &mem);
            check_again(&graph, &mem);
            limit(&graph, &mem);
        }
    }
    trod_arena_free(&mem);
    return 0;
}
