#include "output/output.h"
#include "stage/subject.h"

#include <inttypes.h>
#include <math.h>

/* The numberings of a function as models of an arithmetic coder. */
struct models {
    struct cli *cli;
    const struct cli_numbered *n;
    struct trod_model ballarus, prefixes, joined;
};

static const char *ratio_text(struct cli *cli, struct trod_ratio ratio)
{
    struct trod_string text;

    trod_string_init(&text, &cli->mem);
    trod_put(&text.sink, "%" PRIu64, ratio.num);
    if (ratio.den != 1)
        trod_put(&text.sink, "/%" PRIu64, ratio.den);
    return text.text;
}

static void put_node(struct cli_table *t, const struct models *m, trod_node v)
{
    const struct trod_dag *dag = m->n->dag;
    char *buffer = trod_new(&m->cli->mem, char, 16);

    if (v == dag->shape.entry)
        cli_table_words(t, ">");
    else if (v == dag->exit)
        cli_table_words(t, ".");
    else
        cli_table_name(t, trod_graph_node_name(dag->graph, v, buffer));
}

/* The target of an edge; for a cut edge, its target in the graph, marked as in the text form. */
static void put_target(struct cli_table *t, const struct models *m, trod_edge e)
{
    const struct trod_dag *dag = m->n->dag;
    struct trod_string text;
    char buffer[16];

    if (dag->kind_of_edge[e] != TROD_DAG_END) {
        put_node(t, m, dag->shape.dst_of_edge[e]);
        return;
    }
    trod_string_init(&text, &m->cli->mem);
    trod_put(&text.sink, ">");
    trod_put_name(
        &text.sink, trod_graph_node_name(dag->graph,
                        dag->graph->dst_of_edge[dag->origin_of_edge[e]], buffer));
    cli_table_words(t, text.text);
}

static void put_context(struct cli_table *t, const struct models *m,
    const struct trod_model *model, uint32_t context, bool by_state)
{
    uint32_t first = model->first_symbol[context],
             last = model->first_symbol[context + 1];
    uint64_t total = 0;

    for (uint32_t i = first; i < last; i++)
        total += model->chance[i].num;
    if (!total)
        return; /* no path reaches it */
    for (uint32_t i = first; i < last; i++) {
        struct trod_ratio end =
            i + 1 < last ? model->low[i + 1] : (struct trod_ratio){1, 1};

        if (by_state)
            cli_table_uint(t, context);
        put_node(t, m, model->node_of_context[context]);
        put_target(t, m, model->symbol[i]);
        cli_table_words(t, ratio_text(m->cli, model->chance[i]));
        cli_table_words(t, ratio_text(m->cli, model->low[i]));
        cli_table_words(t, ratio_text(m->cli, end));
    }
}

/* Contexts in the order in which paths reach them: nodes in topological order, states from the last down. */
static void put_model(struct models *m, const struct trod_model *model, const char *key,
    const char *what, bool by_state)
{
    static const char *const column[] = {
        "context", "block", "to", "chance", "low", "high"};
    struct cli_table table;
    uint32_t n = by_state ? model->ncontext : m->n->dag->nreach;

    cli_table_init(&table, key, column + !by_state,
        sizeof column / sizeof *column - !by_state, &m->cli->mem);
    for (uint32_t i = 0; i < n; i++)
        put_context(
            &table, m, model, by_state ? n - 1 - i : m->n->dag->topo[i], by_state);
    cli_table_put(m->cli, &table, m->n->dag->graph->name, what);
}

static void add_entropy(struct cli_table *t, struct models *m, const char *name,
    const struct trod_model *model, bool by_state, uint64_t npath)
{
    double bits = trod_coding_entropy(
        model, by_state ? &m->n->interest : NULL, m->n->dag, &m->cli->mem);

    cli_table_words(t, name);
    cli_table_uint(t, npath);
    cli_table_real(t, bits);
    cli_table_real(t, exp2(bits) / (double)npath);
}

static void put_entropies(struct models *m)
{
    static const char *const column[] = {"model", "paths", "entropy", "gamma"};
    struct cli_table table;
    uint64_t ninterest = m->n->interest.paths.count;

    cli_table_init(
        &table, "models", column, sizeof column / sizeof *column, &m->cli->mem);
    add_entropy(&table, m, "ballarus", &m->ballarus, false, m->n->ballarus.npath);
    if (ninterest) {
        add_entropy(&table, m, "prefixes", &m->prefixes, true, ninterest);
        add_entropy(&table, m, "joined", &m->joined, false, ninterest);
    }
    cli_table_put(m->cli, &table, m->n->dag->graph->name,
        "bits for each path, gamma = 2^entropy / paths");
}

/* The code that the path encoder assigns to a path, among as many codes as there are paths. In the
 * Ball-Larus model a context is the source block of a step.
 */
static uint64_t code_of(const struct models *m, trod_path id)
{
    const struct trod_dag *dag = m->n->dag;
    struct trod_mark mark = trod_arena_mark(&m->cli->mem);
    uint32_t *context = trod_new(&m->cli->mem, uint32_t, dag->nreach);
    uint32_t nstep = trod_number_decode(m->n->step, &m->n->ballarus, id);
    uint64_t code;

    for (uint32_t i = 0; i < nstep; i++)
        context[i] = dag->shape.src_of_edge[m->n->step[i]];
    code = trod_coding_encode(
        &m->ballarus, context, m->n->step, nstep, m->n->ballarus.npath);
    trod_arena_rewind(&m->cli->mem, mark);
    return code;
}

static void put_codes(struct models *m)
{
    static const char *const column[] = {"code", "path"};
    uint64_t npath = m->n->ballarus.npath;
    uint64_t most = cli_list_most(m->cli, npath);
    struct cli_table table;

    cli_table_init(
        &table, "codes", column, sizeof column / sizeof *column, &m->cli->mem);
    for (trod_path id = 0; id < most; id++) {
        cli_table_uint(&table, code_of(m, id));
        cli_table_words(&table, cli_list_trail(NULL, m->cli, m->n, id));
    }
    cli_table_put(
        m->cli, &table, m->n->dag->graph->name, "path codes of the Ball-Larus model");
    if (most < npath)
        cli_note(m->cli,
            "'%s': the codes of %" PRIu64 " paths are not listed; --most lists more",
            m->n->dag->graph->name, npath - most);
}

void cli_model(struct cli *cli, const struct cli_numbered *numbered)
{
    struct models m = {.cli = cli, .n = numbered};

    if (cli->options.form == CLI_JSON)
        trod_json_open(&cli->json, "coding", '{');
    trod_coding_ballarus(&m.ballarus, &numbered->ballarus, &cli->mem);
    put_model(&m, &m.ballarus, "ballarus", "the Ball-Larus model", false);
    if (numbered->has_interest) {
        trod_coding_interest(&m.prefixes, &numbered->interest, &cli->mem);
        trod_coding_joined(&m.joined, &numbered->interest, &cli->mem);
        put_model(&m, &m.prefixes, "prefixes",
            "chosen paths, a context for each prefix", true);
        put_model(
            &m, &m.joined, "joined", "chosen paths, one context for each block", false);
    }
    put_entropies(&m);
    put_codes(&m);
    if (cli->options.form == CLI_JSON)
        trod_json_close(&cli->json, '}');
}
