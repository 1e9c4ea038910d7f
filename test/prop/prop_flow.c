/* Flows: a walk through a function counts blocks, edges, lines and decisions by brute force;
 * the flow of the profile of its paths must have the same counts.
 */
#include "sample.h"

#include "flow/flow.h"

enum fault {
    NONE,
    PATH_GONE,  /* a path of the profile has no count */
    PATH_TWICE, /* one is counted twice */
    ROUND_GONE, /* the walk does not see iterations of loops on one line */
    CHECK_EDGE, /* a count of an edge is wrong, and the validator must say so */
    CHECK_NODE  /* the same of a block */
};

enum { NLINE = 6, NSTEP = 60, NWALK = 4, ITERATIONS = 3 };

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* What the walk saw. */
struct walk {
    struct sample s;
    uint64_t *node, *edge, *path; /* how often */
    uint64_t line[NLINE + 1];
    uint64_t entered;
    bool *has;              /* [nnode * (NLINE + 1)]: a block has something of a line */
    uint32_t *first, *text; /* lines as the map has them */
    unsigned iterations;
    struct trod_chain chain;
    trod_path *ended;
    size_t nended, room;
    uint64_t *times;
    size_t room_times;
};

static bool has(const struct walk *w, trod_node v, uint32_t line)
{
    return w->has[v * (NLINE + 1) + line];
}

/* --- lines --------------------------------------------------------------------------------- */

static void draw_lines(struct walk *w, struct kit_prop *p)
{
    uint32_t nnode = w->s.graph.nnode, n = 0;

    w->has = trod_new(&w->s.mem, bool, (size_t)nnode *(NLINE + 1));
    w->first = trod_new(&w->s.mem, uint32_t, (size_t)nnode + 1);
    w->text = trod_new(&w->s.mem, uint32_t, (size_t)nnode * 3);
    for (trod_node v = 0; v < nnode; v++) {
        uint64_t count = kit_draw(p, 4);

        w->first[v] = n;
        for (uint64_t i = 0; i < count; i++) {
            uint32_t line = (uint32_t)kit_draw(p, NLINE + 1);

            w->text[n++] = line;
            w->has[v * (NLINE + 1) + line] = true;
        }
    }
    w->first[nnode] = n;
}

/* --- the walk ---------------------------------------------------------------------------------- */

/* Lines of a block are begun if the one before it, if any, does not have them. */
static void see_lines(struct walk *w, trod_edge by, trod_node v, uint64_t times)
{
    for (uint32_t line = 1; line <= NLINE; line++)
        if (has(w, v, line) &&
            (by == TROD_NONE || !has(w, w->s.graph.src_of_edge[by], line)))
            w->line[line] += times;
}

static void end_path(struct walk *w, trod_path *chain, uint64_t id, uint64_t times)
{
    *chain = trod_chain_add(&w->chain, *chain, id);
    trod_reserve(&w->s.mem, w->ended, w->nended, w->room);
    trod_reserve(&w->s.mem, w->times, w->nended, w->room_times);
    w->times[w->nended] = times;
    w->ended[w->nended++] = *chain;
}

static trod_edge leave_edge(const struct trod_dag *dag, trod_node v)
{
    for (trod_edge e = dag->shape.first_out[v]; e < dag->shape.first_out[v + 1]; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_LEAVE)
            return e;
    return TROD_NONE;
}

/* The blocks of one path are seen when it ends: one that is left has no count. The edge to its start was the path's before. */
struct seen {
    trod_edge by[NSTEP + 1];
    uint32_t n;
};

/* The ith block of a path. */
static trod_node block_at(
    const struct walk *w, const struct seen *seen, trod_node start, uint32_t i)
{
    return i ? w->s.graph.dst_of_edge[seen->by[i - 1]] : start;
}

/* Lines that a path executes again in each iteration: all its blocks from the loop head on have them. If the head is not on the
 * path and the edge is a retreating edge, all blocks of the path must have them.
 */
static void see_loop_lines(struct walk *w, const struct seen *seen, trod_node start,
    trod_edge last, uint64_t times, const struct trod_order *order)
{
    trod_node to = w->s.graph.dst_of_edge[last];
    uint32_t from = 0;
    bool loops = trod_has(order->retreating, last);

    for (uint32_t i = 0; i <= seen->n; i++)
        if (block_at(w, seen, start, i) == to) {
            from = i;
            loops = true;
        }
    for (uint32_t line = 1; loops && line <= NLINE; line++) {
        bool all = has(w, to, line);

        for (uint32_t i = from; i <= seen->n; i++)
            all &= has(w, block_at(w, seen, start, i), line);
        w->line[line] += all ? times : 0;
    }
}

static void see(struct walk *w, const struct seen *seen, trod_node start,
    trod_edge last, uint64_t times, const struct trod_order *order, const void *ctx)
{
    w->node[start] += times;
    for (uint32_t i = 0; i < seen->n; i++) {
        w->edge[seen->by[i]] += times;
        w->node[block_at(w, seen, start, i + 1)] += times;
        see_lines(w, seen->by[i], block_at(w, seen, start, i + 1), times);
    }
    if (last == TROD_NONE)
        return;
    w->edge[last] += times;
    see_lines(w, last, w->s.graph.dst_of_edge[last], times);
    if (fault_in(ctx) != ROUND_GONE)
        see_loop_lines(w, seen, start, last, times, order);
}

static void walk_once(
    struct walk *w, struct kit_prop *p, const struct trod_order *order, const void *ctx)
{
    const struct trod_graph *g = &w->s.graph;
    const struct trod_dag *dag = &w->s.view.dag;
    const int64_t *val = w->s.bl.val_of_edge;
    uint64_t times = 1 + kit_draw(p, 3), sum;
    trod_edge enter = dag->shape.first_out[dag->shape.entry];
    struct seen seen = {0};
    trod_path chain = 0;
    trod_node v = g->entry, start = v;
    bool first = true;

    while (dag->kind_of_edge[enter] != TROD_DAG_ENTER)
        enter++;
    sum = (uint64_t)val[enter];
    for (uint32_t i = 0; i < NSTEP; i++) {
        uint32_t nway = g->first_out[v + 1] - g->first_out[v];
        trod_edge e =
            nway ? g->first_out[v] + (trod_edge)kit_draw(p, nway) : leave_edge(dag, v);
        trod_edge in_dag = nway ? dag->dag_of_edge[e] : e;

        sum += (uint64_t)val[in_dag];
        if (nway && dag->kind_of_edge[in_dag] == TROD_DAG_REAL) {
            seen.by[seen.n++] = e;
            v = g->dst_of_edge[e];
            continue;
        }
        if (first) {
            w->entered += times;
            see_lines(w, TROD_NONE, start, times);
        }
        first = false;
        see(w, &seen, start, nway ? e : TROD_NONE, times, order, ctx);
        end_path(w, &chain, sum, times);
        if (!nway)
            return;
        v = start = g->dst_of_edge[e];
        sum = (uint64_t)val[dag->start_of_node[v]];
        seen.n = 0;
    }
}

/* --- as a profile and its map --------------------------------------------------------------------- */

static bool make_profile(struct trod_profile *out, struct walk *w, const void *ctx)
{
    struct trod_string text;
    struct trod_text in;
    trod_path last = 0;
    size_t gone = fault_in(ctx) == PATH_GONE && w->nended ? 0 : SIZE_MAX;
    bool more;

    trod_string_init(&text, &w->s.mem);
    trod_put(&text.sink,
        "profile\nmodule app source\nfunction 0000000000000001 0000000000000002 0000000000000003 %" PRIu64
        "\n",
        w->chain.nchain);
    for (size_t i = 0, at = 0; i < w->nended; at++) {
        trod_path id = TROD_PATH_MAX;
        uint64_t count = 0;

        /* The next higher id. */
        for (size_t k = 0; k < w->nended; k++)
            if ((!at || w->ended[k] > last) && w->ended[k] < id)
                id = w->ended[k];
        for (size_t k = 0; k < w->nended; k++)
            if (w->ended[k] == id) {
                count += w->times[k];
                i++;
            }
        if (fault_in(ctx) == PATH_TWICE)
            count *= 2;
        if (at != gone)
            trod_put(&text.sink, "=%" PRIu64 " %" PRIu64 "\n", id, count);
        last = id;
    }
    trod_text_init(&in, "profile", text.text, text.length);
    return trod_profile_parse(out, &more, &in, &w->s.mem, &w->s.err);
}

/* Parsed, and given the very graph, so that blocks have the same numbers. */
static bool make_map(struct trod_map *out, struct walk *w)
{
    struct trod_string text;
    struct trod_text in;

    trod_string_init(&text, &w->s.mem);
    trod_put(&text.sink,
        "unit u source\nfunction f 0000000000000001 0000000000000002 0000000000000003\nfile f.c\n");
    trod_number_print(&text.sink, &w->s.bl);
    trod_text_init(&in, "map", text.text, text.length);
    if (!trod_map_parse(out, &in, &w->s.mem, &w->s.err))
        return false;
    out->entry[0].numbering = w->s.bl;
    out->entry[0].chain = w->chain;
    out->entry[0].first_line = w->first;
    out->entry[0].line = w->text;
    out->step = trod_new(&w->s.mem, trod_edge, w->s.view.dag.nreach);
    return true;
}

/* --- comparing --------------------------------------------------------------------------------------- */

static bool same_counts(
    struct kit_prop *p, const struct walk *w, const struct trod_flow *f)
{
    const struct trod_graph *g = &w->s.graph;

    if (f->entered != w->entered) {
        kit_note(p, "entered %" PRIu64 ", not %" PRIu64, f->entered, w->entered);
        return false;
    }
    for (trod_node v = 0; v < g->nnode; v++)
        if (w->node[v] != (f->count_of_node ? f->count_of_node[v] : 0)) {
            kit_note(p, "block %u: %" PRIu64 " walked", v, w->node[v]);
            return false;
        }
    for (trod_edge e = 0; e < g->nedge; e++)
        if (w->edge[e] != (f->count_of_edge ? f->count_of_edge[e] : 0)) {
            kit_note(p, "edge %u: %" PRIu64 " walked", e, w->edge[e]);
            return false;
        }
    return true;
}

static bool same_lines(
    struct kit_prop *p, const struct walk *w, const struct trod_flow_source *s)
{
    for (uint32_t line = 1; line <= NLINE; line++) {
        uint64_t count = 0;
        bool there = false, wanted = false;

        for (uint32_t i = 0; i < s->nrow; i++)
            if (s->row[i].line == line) {
                count = s->row[i].count;
                there = true;
            }
        for (trod_node v = 0; v < w->s.graph.nnode; v++)
            wanted |= has(w, v, line);
        if (count != w->line[line] || there != wanted) {
            kit_note(p, "line %u: %" PRIu64 ", and %" PRIu64 " walked", line, count,
                w->line[line]);
            return false;
        }
    }
    return true;
}

static bool right_decisions(const struct walk *w, const struct trod_flow_source *s)
{
    const struct trod_graph *g = &w->s.graph;
    uint32_t n = 0;

    for (trod_node v = 0; v < g->nnode; v++)
        n += g->first_out[v + 1] - g->first_out[v] > 1;
    for (uint32_t i = 0; i < s->ndecision; i++)
        for (uint32_t k = 0; k < s->decision[i].nway; k++)
            if (s->decision[i].way[k].count != w->edge[s->decision[i].way[k].edge])
                return false;
    return n == s->ndecision;
}

static bool draw_walk(struct walk *w, struct kit_prop *p, const void *ctx)
{
    struct sample_options options = {.max_node = 10, .max_path = 60, .max_interest = 1};
    struct trod_order order;
    uint64_t nwalk;

    if (!sample_build(&w->s, &options, p))
        return false;
    draw_lines(w, p);
    w->node = trod_new(&w->s.mem, uint64_t, w->s.graph.nnode);
    w->edge = trod_new(&w->s.mem, uint64_t, w->s.graph.nedge);
    trod_chain_init(&w->chain, &w->s.bl, 1 + (unsigned)kit_draw(p, ITERATIONS));
    trod_graph_order(&order, &w->s.graph, &w->s.mem);
    nwalk = kit_draw(p, NWALK);
    for (uint64_t i = 0; i < nwalk; i++)
        walk_once(w, p, &order, ctx);
    return true;
}

static void spoil(
    struct trod_flow *flow, struct walk *w, struct kit_prop *p, enum fault fault)
{
    if (!flow->count_of_node)
        return;
    if (fault == CHECK_EDGE && w->s.graph.nedge)
        flow->count_of_edge[kit_draw(p, w->s.graph.nedge)]++;
    if (fault == CHECK_NODE)
        flow->count_of_node[kit_draw(p, w->s.graph.nnode)]++;
}

static bool flows_are_walked(struct kit_prop *p, void *ctx)
{
    struct walk w = {0};
    struct trod_flow_source *source;
    struct trod_profile profile;
    struct trod_flows flows;
    struct trod_map map;
    bool ok;

    if (!draw_walk(&w, p, ctx))
        return sample_free(&w.s, false);
    ok = make_profile(&profile, &w, ctx) && make_map(&map, &w) &&
         trod_flows_build(&flows, &profile, &map, &w.s.mem, &w.s.err);
    if (ok) {
        size_t n = trod_flow_sources(&source, &flows, &w.s.mem);

        spoil(&flows.of_entry[0], &w, p, fault_in(ctx));
        ok = n == 1 && same_lines(p, &w, source) && right_decisions(&w, source) &&
             trod_flow_source_check(source, &w.s.err) &&
             trod_flow_check(&flows.of_entry[0], &w.s.err);
        if (ok && fault_in(ctx) < CHECK_EDGE)
            ok = same_counts(p, &w, &flows.of_entry[0]);
    }
    if (!ok) {
        kit_note(p, "%s", w.s.err.text);
        sample_note_numbering(p, &w.s.bl, &w.s.mem);
    }
    return sample_free(&w.s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"flows are what a walk counts", flows_are_walked,
            {PATH_GONE, PATH_TWICE, ROUND_GONE, CHECK_EDGE, CHECK_NODE}},
    };

    return kit_run_tested("flow", tested, sizeof tested / sizeof *tested);
}
