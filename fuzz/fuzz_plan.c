/* A plan with the graph it runs on. */
#include "fuzz.h"

static bool parse(struct trod_plan *out, const char *bytes, size_t length,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_text text;
    const char *name;

    trod_text_init(&text, "fuzz", bytes, length);
    name = fuzz_head(&text, "plan", mem, err);
    if (!name)
        return false;
    if (trod_probe_parse(out, name, &text, mem, err))
        return true;
    fuzz_refused(err);
    return false;
}

static void check_again(const struct trod_plan *plan, struct trod_arena *mem)
{
    struct trod_string first, second;
    struct trod_err err = {0};
    struct trod_plan back;
    struct trod_json json;

    trod_string_init(&first, mem);
    trod_probe_print(&first.sink, plan);
    FUZZ_MUST_DO(parse(&back, first.text, first.length, mem, &err), &err);
    trod_string_init(&second, mem);
    trod_probe_print(&second.sink, &back);
    FUZZ_MUST(strcmp(first.text, second.text) == 0);
    FUZZ_MUST(plan->placement == back.placement && plan->nloop == back.nloop);
    FUZZ_MUST(plan->first_op[plan->nsite] == back.first_op[back.nsite]);
    trod_json_init(&json, &second.sink);
    trod_probe_json(&json, NULL, plan);
}

static void ignore(void *ctx, int64_t index, uint64_t by, enum trod_action action)
{
    uint64_t *total = ctx;

    *total += (uint64_t)index ^ by ^ action;
}

/* Any plan can be executed, correct or not. */
static void walk(const struct trod_plan *plan, struct trod_arena *mem)
{
    const struct trod_graph *graph = plan->numbering->dag->graph;
    trod_node v = graph->entry;
    trod_edge step[64];
    uint32_t n = 0;
    uint64_t total = 0;

    while (n < 64 && graph->first_out[v] < graph->first_out[v + 1]) {
        uint32_t nout = graph->first_out[v + 1] - graph->first_out[v];

        step[n] = graph->first_out[v] + n % nout;
        v = graph->dst_of_edge[step[n++]];
    }
    trod_probe_walk(plan, step, n, graph->first_out[v] == graph->first_out[v + 1], mem,
        ignore, &total);
}

static void validate(const struct trod_plan *plan, struct trod_arena *mem)
{
    const struct trod_dag *dag = plan->numbering->dag;
    struct trod_err err = {0};
    struct trod_cost cost;

    FUZZ_MUST_DO(trod_graph_check(dag->graph, &err), &err);
    FUZZ_MUST_DO(trod_dag_check(dag, mem, &err), &err);
    if (!trod_probe_check(plan, mem, &err))
        fuzz_refused(&err);
    trod_probe_cost(&cost, plan, &trod_prices_default, mem);
    FUZZ_MUST(cost.nop <= plan->first_op[plan->nsite]);
    walk(plan, mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct trod_plan plan;
    struct trod_err err = {0};
    struct trod_arena mem;

    trod_arena_init(&mem, fuzz_exhausted, NULL);
    if (length <= FUZZ_MOST_BYTES &&
        parse(&plan, (const char *)bytes, length, &mem, &err)) {
        validate(&plan, &mem);
        check_again(&plan, &mem);
    }
    trod_arena_free(&mem);
    return 0;
}
