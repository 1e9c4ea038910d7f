#include "migrate/migrator.h"

#include <string.h>

/* --- parts of both versions -------------------------------------------------------------------------------- */

enum part_kind { PART_NONE, PART_LOOP, PART_BLOCK, PART_EDGE, PART_PATH };

static enum part_kind kind_of(const char *type)
{
    static const struct {
        const char *type;
        enum part_kind kind;
    } known[] = {{"loops", PART_LOOP}, {"blocks", PART_BLOCK}, {"edges", PART_EDGE},
        {"paths", PART_PATH}};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].type, type) == 0)
            return known[i].kind;
    return PART_NONE;
}

bool trod_carry_has_parts(const char *type)
{
    return kind_of(type) != PART_NONE;
}

/* Do parts and ids mean the same in both versions? Without maps, a function that is unchanged has the same parts. */
static bool is_identity(const struct trod_joined *j)
{
    if (j->many)
        return false;
    if (j->match && j->match->same)
        return true;
    if (!j->old || !j->later)
        return !j->old && !j->later;
    return !j->match && j->old->graph_hash == j->later->graph_hash &&
           j->old->cuts_hash == j->later->cuts_hash &&
           j->old->numbering.npath == j->later->numbering.npath;
}

uint32_t trod_carry_loop(const struct trod_joined *j, uint32_t loop)
{
    if (is_identity(j))
        return loop;
    return j->match && !j->many ? j->match->loop_of_old[loop] : TROD_NONE;
}

static bool carry_part(struct trod_entry *e, const struct trod_joined *j,
    enum part_kind kind, struct trod_arena *mem)
{
    if (kind == PART_NONE || is_identity(j))
        return true;
    if (!j->match || j->many)
        return false;
    switch (kind) {
    case PART_LOOP:
        e->part = j->match->loop_of_old[e->part];
        return e->part != TROD_NONE;
    case PART_BLOCK:
        e->part = j->match->new_of_old[e->part];
        return e->part != TROD_NONE;
    case PART_EDGE:
        e->part = trod_match_edge(j->match, e->part);
        return e->part != TROD_NONE;
    case PART_PATH:
        return trod_match_path(&e->id, j->match, e->id, mem);
    default:
        (void)mem;
        return false;
    }
}

/* --- positions in the new version ----------------------------------------------------------------------------- */

static trod_node node_of(
    const struct trod_map_entry *of, const struct trod_entry *e, enum part_kind kind)
{
    const struct trod_dag *dag = of->numbering.dag;

    if (kind == PART_BLOCK && e->part < dag->graph->nnode)
        return e->part;
    if (kind == PART_EDGE && e->part < dag->graph->nedge)
        return dag->graph->src_of_edge[e->part];
    return dag->graph->entry;
}

/* TROD_NONE if there is no such loop. */
static trod_node header_of(
    const struct trod_map_entry *of, uint32_t loop, struct trod_arena *mem)
{
    const struct trod_graph *graph = of->numbering.dag->graph;
    struct trod_mark mark = trod_arena_mark(mem);
    struct trod_order order;
    struct trod_loops loops;
    trod_node header;

    trod_graph_order(&order, graph, mem);
    trod_graph_loops(&loops, graph, &order, mem);
    header = loop < loops.nloop ? loops.header_of_loop[loop] : TROD_NONE;
    trod_arena_rewind(mem, mark);
    return header;
}

/* Does the old graph have this part? Entries may come from a file. */
static bool has_part(const struct trod_joined *j, const struct trod_entry *e,
    enum part_kind kind, struct trod_arena *mem)
{
    const struct trod_graph *graph = j->old ? j->old->numbering.dag->graph : NULL;

    if (!graph || kind == PART_NONE)
        return true;
    if (kind == PART_PATH)
        return e->id < j->old->numbering.npath;
    if (kind == PART_EDGE)
        return e->part < graph->nedge;
    if (kind == PART_LOOP)
        return header_of(j->old, e->part, mem) != TROD_NONE;
    return e->part < graph->nnode;
}

static trod_node start_of(
    const struct trod_map_entry *of, trod_path id, struct trod_arena *mem)
{
    const struct trod_dag *dag = of->numbering.dag;
    struct trod_mark mark = trod_arena_mark(mem);
    trod_edge *step = trod_new(mem, trod_edge, dag->nreach);
    trod_node node = dag->graph->entry;

    if (id < of->numbering.npath) {
        trod_number_decode(step, &of->numbering, id);
        node = dag->shape.dst_of_edge[step[0]];
    }
    trod_arena_rewind(mem, mark);
    return node;
}

static uint32_t line_of(const struct trod_migration *m, const struct trod_joined *j,
    const struct trod_entry *e, enum part_kind kind, struct trod_arena *mem)
{
    trod_node header;
    uint32_t from, to;

    if (j->later && kind == PART_LOOP) {
        header = header_of(j->later, e->part, mem);
        return header == TROD_NONE ? 0 : trod_flow_line(j->later, header);
    }
    if (j->later && kind == PART_PATH)
        return trod_flow_line(j->later, start_of(j->later, e->id, mem));
    if (j->later && kind != PART_NONE)
        return trod_flow_line(j->later, node_of(j->later, e, kind));
    if (!m->changes || j->construct == TROD_NO_CONSTRUCT ||
        j->new_construct == TROD_NO_CONSTRUCT || !e->line)
        return e->line;
    from = m->changes->old->construct[j->construct].line;
    to = m->changes->later->construct[j->new_construct].line;
    return e->line + to > from ? e->line + to - from : 0;
}

/* The new name of a callee. A function outside the program keeps its name. */
static const char *callee_of(const struct trod_migration *m, const char *old)
{
    uint32_t i = old ? trod_join_find(&m->join, old, NULL) : TROD_NONE;

    return i != TROD_NONE && m->join.joined[i].in_new ? m->join.joined[i].new_name
                                                      : old;
}

bool trod_carry_entry(struct trod_entry *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_entry *old,
    struct trod_arena *mem)
{
    enum part_kind kind = kind_of(m->type.name);
    struct trod_entry e = *old;

    if (!joined->in_new || !has_part(joined, old, kind, mem) ||
        !carry_part(&e, joined, kind, mem))
        return false;
    e.function = joined->new_name;
    e.file = joined->new_file;
    e.other = callee_of(m, old->other);
    e.line = line_of(m, joined, &e, kind, mem);
    e.has_was = true;
    e.was = old->count;
    *out = e;
    return true;
}

/* --- inferred entries --------------------------------------------------------------------------------------------- */

enum { SURE_OF_SAME = 80, SURE_OF_MATCHED = 30, SURE_OF_ENTRY = 40 };

static double trust_inferred(void)
{
    return 0.5;
}

static void put_inferred(
    struct trod_entries *out, const struct trod_entries *from, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < from->nentry; i++) {
        struct trod_entry e = from->entry[i];

        e.how = TROD_HOW_INFERRED;
        e.trust = trust_inferred();
        trod_entries_add(out, &e, mem);
    }
}

/* Infer entries one by one, as far as the new version has their part. */
static void infer_by_entry(struct trod_entries *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_migrate_input *input,
    struct trod_arena *mem)
{
    struct trod_entries carried = {.type = m->type.name};
    size_t first, n = trod_entries_of(&first, &input->old, joined->name, joined->file);

    for (size_t i = first; i < first + n; i++) {
        struct trod_entry e;

        if (trod_carry_entry(&e, m, joined, &input->old.entry[i], mem))
            trod_entries_add(&carried, &e, mem);
    }
    trod_entries_order(&carried);
    put_inferred(out, &carried, mem);
}

/* Old counts of edges that the new graph has, and how certain they are. */
static void guess_edges(uint64_t *count, uint8_t *known, const struct trod_match *match,
    const struct trod_flow *flow)
{
    const struct trod_graph *graph = match->old->numbering.dag->graph;

    for (trod_edge e = 0; e < graph->nedge; e++) {
        trod_edge to = trod_match_edge(match, e);

        if (to == TROD_NONE)
            continue;
        count[to] = flow->count_of_edge[e];
        known[to] = trod_has(match->same_of_old, graph->src_of_edge[e])
                        ? SURE_OF_SAME
                        : SURE_OF_MATCHED;
    }
}

static void fill_nodes(struct trod_flow *flow, const struct trod_graph *graph)
{
    flow->count_of_node[graph->entry] = flow->entered;
    for (trod_edge e = 0; e < graph->nedge; e++) {
        uint64_t *of = &flow->count_of_node[graph->dst_of_edge[e]];

        *of = trod_sat_add(*of, flow->count_of_edge[e]);
    }
}

static void infer_by_flow(struct trod_entries *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_flow *old,
    struct trod_arena *mem)
{
    const struct trod_graph *graph = joined->later->numbering.dag->graph;
    uint64_t *count = trod_new(mem, uint64_t, graph->nedge);
    uint8_t *known = trod_new(mem, uint8_t, graph->nedge);
    struct trod_entries entries = {.type = m->type.name};
    struct trod_flow flow = {.entry = joined->later,
        .count_of_node = trod_new(mem, uint64_t, graph->nnode),
        .count_of_edge = trod_new(mem, uint64_t, graph->nedge)};
    struct trod_repair repair = {.graph = graph,
        .count_of_edge = count,
        .known_of_edge = known,
        .entered = old->entered,
        .entered_known = SURE_OF_ENTRY};

    guess_edges(count, known, joined->match, old);
    trod_repair_flow(flow.count_of_edge, &flow.entered, &repair, mem);
    fill_nodes(&flow, graph);
    trod_flow_entries(&entries, NULL, m->type.name, &flow, false, mem);
    for (uint32_t i = 0; i < entries.nentry; i++) {
        entries.entry[i].function = joined->new_name;
        entries.entry[i].file = joined->new_file;
    }
    trod_entries_order(&entries);
    put_inferred(out, &entries, mem);
}

void trod_carry_infer(struct trod_entries *out, const struct trod_migration *m,
    const struct trod_joined *joined, const struct trod_migrate_input *input,
    struct trod_arena *mem)
{
    if (!joined->in_old || !joined->in_new)
        return;
    if (joined->match && input->flows && !joined->many &&
        kind_of(m->type.name) != PART_PATH) {
        const struct trod_flow *flow =
            &input->flows->of_entry[joined->old - m->old_map->entry];

        if (flow->entry && flow->count_of_edge)
            infer_by_flow(out, m, joined, flow, mem);
        if (flow->entry)
            return;
    }
    infer_by_entry(out, m, joined, input, mem);
}
