#include "export/export.h"

#include <inttypes.h>

/* One graph per function, with the counts of blocks and edges; the hottest paths are drawn bold. */

struct picture {
    const struct trod_flow *flow;
    struct trod_string label; /* reused for each label */
};

static const char *label_edge(void *ctx, trod_edge edge)
{
    struct picture *d = ctx;

    d->label.length = 0;
    trod_put(&d->label.sink, "%" PRIu64, d->flow->count_of_edge[edge]);
    return d->label.text;
}

static const char *label_node(void *ctx, trod_node node)
{
    struct picture *d = ctx;
    uint32_t line = trod_flow_line(d->flow->entry, node);

    d->label.length = 0;
    if (line)
        trod_put(&d->label.sink, "line %" PRIu32 "\n", line);
    trod_put(&d->label.sink, "%" PRIu64, d->flow->count_of_node[node]);
    return d->label.text;
}

/* Of a chain, only the last path is drawn. */
static void light(uint64_t *lit, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id)
{
    const struct trod_dag *dag = entry->numbering.dag;
    trod_path path;
    uint32_t n;

    if (!trod_chain_last(&path, &entry->chain, id))
        return;
    n = trod_number_decode(map->step, &entry->numbering, path);
    for (uint32_t i = 0; i < n; i++)
        if (dag->origin_of_edge[map->step[i]] != TROD_NONE)
            trod_add(lit, dag->origin_of_edge[map->step[i]]);
}

static void fill_cuts(uint64_t *cut, const struct trod_dag *dag)
{
    for (trod_edge e = 0; e < dag->graph->nedge; e++)
        if (dag->dag_of_edge[e] != TROD_NONE &&
            dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END)
            trod_add(cut, e);
}

/* Linked lists of the stacks of each function, most frequent first. */
struct lists {
    const struct trod_export_stacks *stacks;
    size_t *first_of_entry; /* [nentry], index of the stack plus 1; 0: none */
    size_t *next_of_stack;
};

static void fill_lists(
    struct lists *out, const struct trod_export_stacks *stacks, struct trod_arena *mem)
{
    const struct trod_map *map = stacks->in->map;

    out->stacks = stacks;
    out->first_of_entry = trod_new(mem, size_t, map->nentry);
    out->next_of_stack = trod_new(mem, size_t, stacks->nstack + 1);
    for (size_t i = stacks->nstack; i > 0; i--)
        if (stacks->stack[i - 1].entry) {
            size_t *first =
                &out->first_of_entry[stacks->stack[i - 1].entry - map->entry];

            out->next_of_stack[i] = *first;
            *first = i;
        }
}

/* The next stack to draw bold: all requested ones, or a single one per function by default. */
static size_t next_bold(const struct lists *lists, size_t stack)
{
    return lists->stacks->in->most ? lists->next_of_stack[stack] : 0;
}

/* The name, the count, and one line for each bold path. */
static const char *title(const struct lists *lists, size_t first,
    const struct trod_flow *flow, struct trod_arena *mem)
{
    struct trod_string text;
    uint64_t count = 0;

    for (size_t i = 0; i < flow->npath; i++)
        count = trod_sat_add(count, flow->path[i].count);
    trod_string_init(&text, mem);
    trod_put(&text.sink, "%s\n%zu paths ran, %s%" PRIu64 " times%s",
        flow->entry->display_name, flow->npath,
        lists->stacks->in->flows->exact ? "" : "~", count,
        flow->partial ? "; some paths are not counted" : "");
    for (size_t i = first; i; i = next_bold(lists, i)) {
        const struct trod_export_stack *stack = &lists->stacks->stack[i - 1];

        trod_put(&text.sink, "\nbold: %" PRIu64 " times ", stack->count);
        trod_export_put_stack(&text.sink, lists->stacks, stack, false);
    }
    return text.text;
}

static void put_function(struct trod_sink *sink, const struct lists *lists,
    size_t first, const struct trod_flow *flow, struct trod_arena *mem)
{
    const struct trod_dag *dag = flow->entry->numbering.dag;
    struct trod_graph graph = *dag->graph;
    struct picture own = {.flow = flow};
    uint64_t *lit = trod_new(mem, uint64_t, TROD_WORDS(graph.nedge));
    uint64_t *cut = trod_new(mem, uint64_t, TROD_WORDS(graph.nedge));
    struct trod_graph_style drawing = {label_edge, label_node, &own, lit, cut, NULL};

    for (size_t i = first; i; i = next_bold(lists, i))
        light(lit, lists->stacks->in->map, flow->entry, lists->stacks->stack[i - 1].id);
    fill_cuts(cut, dag);
    trod_string_init(&own.label, mem);
    graph.name = title(lists, first, flow, mem);
    trod_graph_draw(sink, &graph, &drawing);
}

bool trod_export_dot(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_export_stacks stacks;
    struct lists lists;
    const char *const *remark;
    size_t n = trod_export_remarks(&remark, in, mem);

    (void)err;
    trod_export_stacks(&stacks, in, mem);
    fill_lists(&lists, &stacks, mem);
    for (size_t i = 0; i < n; i++)
        trod_put(sink, "// %s\n", remark[i]);
    for (uint32_t i = 0; i < in->map->nentry; i++)
        if (in->flows->of_entry[i].count_of_node && lists.first_of_entry[i])
            put_function(
                sink, &lists, lists.first_of_entry[i], &in->flows->of_entry[i], mem);
    return true;
}
