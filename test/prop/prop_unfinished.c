/* Unfinished paths: a function is walked some times, and some walks stop where they may, or anywhere if the process is
 * killed. What the flow says ran must have run, what ran and is not counted must be marked as unsure, and of a
 * single unfinished path nothing may be marked that an enumeration of all its ways does not find.
 */
#include "sample.h"

#include "flow/flow.h"

enum fault {
    NONE,
    FORGOTTEN,   /* unfinished paths are not added */
    SURE,        /* what is unsure is not marked */
    UNSURE,      /* everything is marked */
    WRONG_PLACE, /* the place that was noted is another */
    TWICE        /* unfinished paths are added twice */
};

enum { NSTEP = 40, NWALK = 4, MOST_WAYS = 2000 };

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

struct walked {
    struct sample s;
    bool *exposed;
    uint64_t *node, *edge;             /* how often all walks ran them */
    uint64_t *ended_node, *ended_edge; /* on paths that ended */
    uint64_t *path;                    /* [npath] */
    uint64_t *stop;                    /* [npath * nnode] */
    uint64_t begun;
    bool killed;
    bool notes;           /* the place of each unfinished path is noted */
    uint64_t *frame;      /* [nnode] stopped there, if frames are known */
    bool frames, dropped; /* dropped: not all are known */
    uint32_t nunfinished;
    trod_node start; /* of the last unfinished path */
    bool unseen;     /* one was killed before anything recorded it */
};

/* One activation on its way. */
struct active {
    trod_node at, start;
    uint64_t sum;
    bool enters; /* the path began with the function */
    bool begun;
    uint64_t cell;
    trod_edge by[NSTEP + 1];
    uint32_t n;
};

static uint64_t value_of(const struct walked *w, trod_edge e)
{
    return e == TROD_NONE ? 0 : (uint64_t)w->s.bl.val_of_edge[e];
}

static trod_edge edge_of_kind(const struct trod_dag *dag, trod_node v, uint8_t kind)
{
    for (trod_edge e = dag->shape.first_out[v]; e < dag->shape.first_out[v + 1]; e++)
        if (dag->kind_of_edge[e] == kind)
            return e;
    return TROD_NONE;
}

static void see_path(const struct walked *w, const struct active *a, bool ended)
{
    for (uint32_t i = 0; i <= a->n; i++) {
        trod_node v = i ? w->s.graph.dst_of_edge[a->by[i - 1]] : a->start;

        w->node[v]++;
        w->ended_node[v] += ended;
        if (!i)
            continue;
        w->edge[a->by[i - 1]]++;
        w->ended_edge[a->by[i - 1]] += ended;
    }
}

static void stop_walk(struct walked *w, struct kit_prop *p, struct active *a)
{
    see_path(w, a, false);
    w->nunfinished++;
    w->start = a->start;
    if (w->notes && a->cell)
        w->stop[a->cell - 1]++;
    if (w->frames && kit_draw(p, 4) == 3)
        w->dropped = true;
    else
        w->frame[a->at]++;
    w->unseen |= a->enters && !a->begun;
}

static void end_path(struct walked *w, struct active *a, uint64_t last)
{
    see_path(w, a, true);
    w->path[a->sum + last]++;
}

static void cut_path(struct walked *w, struct active *a, trod_edge e)
{
    end_path(w, a, value_of(w, w->s.view.dag.dag_of_edge[e]));
    w->edge[e]++;
    w->ended_edge[e]++;
    a->start = w->s.graph.dst_of_edge[e];
    a->sum = value_of(w, w->s.view.dag.start_of_node[a->start]);
    a->enters = false;
    a->n = 0;
}

/* Does the walk stop in this block? */
static bool stops(struct walked *w, struct kit_prop *p, struct active *a, bool last)
{
    bool leaves = trod_graph_leave(&w->s.graph, a->at) != TROD_STAYS;

    if (leaves)
        a->cell = 1 + a->sum * w->s.graph.nnode + a->at;
    if (leaves && kit_draw(p, 4) == 3)
        return true;
    if (last || (w->killed && kit_draw(p, 8) == 7)) {
        w->killed = true;
        return true;
    }
    return false;
}

static void walk_once(struct walked *w, struct kit_prop *p)
{
    const struct trod_graph *g = &w->s.graph;
    const struct trod_dag *dag = &w->s.view.dag;
    struct active a = {.at = g->entry, .start = g->entry, .enters = true};

    a.sum = value_of(w, edge_of_kind(dag, dag->shape.entry, TROD_DAG_ENTER));
    a.begun = trod_graph_begins_in(g, w->exposed);
    w->begun += a.begun;
    for (uint32_t i = 0; !stops(w, p, &a, i == NSTEP); i++) {
        uint32_t nway = g->first_out[a.at + 1] - g->first_out[a.at];
        trod_edge e = g->first_out[a.at] + (nway ? (trod_edge)kit_draw(p, nway) : 0);

        if (!nway) {
            end_path(w, &a, value_of(w, edge_of_kind(dag, a.at, TROD_DAG_LEAVE)));
            return;
        }
        if (trod_graph_begins_on(g, w->exposed, e)) {
            a.begun = true;
            w->begun++;
        }
        a.at = g->dst_of_edge[e];
        if (dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END) {
            cut_path(w, &a, e);
            continue;
        }
        a.sum += value_of(w, dag->dag_of_edge[e]);
        a.by[a.n++] = e;
    }
    stop_walk(w, p, &a);
}

/* --- as a profile and its map -------------------------------------------------------------------- */

static bool make_profile(struct trod_profile *out, struct walked *w, enum fault fault)
{
    uint64_t nplace = w->s.bl.npath * w->s.graph.nnode;
    struct trod_string text;
    struct trod_text in;
    bool more;

    trod_string_init(&text, &w->s.mem);
    trod_put(&text.sink,
        "profile\nrun\nexit: %s\nmodule app source\nfunction 0000000000000001 "
        "0000000000000002 0000000000000003 %" PRIu64 "\n",
        w->killed ? "unknown" : "order", w->s.bl.npath);
    for (uint64_t i = 0; i < w->s.bl.npath; i++)
        if (w->path[i])
            trod_put(&text.sink, "=%" PRIu64 " %" PRIu64 "\n", i, w->path[i]);
    if (w->begun)
        trod_put(&text.sink, "begun %" PRIu64 "\n", w->begun);
    for (uint64_t i = 0; i < nplace; i++)
        if (w->stop[i])
            trod_put(&text.sink, "stop %" PRIu64 " %" PRIu64 "\n",
                fault == WRONG_PLACE ? (i + 1) % nplace : i, w->stop[i]);
    trod_text_init(&in, "profile", text.text, text.length);
    return trod_profile_parse(out, &more, &in, &w->s.mem, &w->s.err);
}

/* Two blocks have a line. */
static uint32_t line_of(trod_node v)
{
    return 1 + v / 2;
}

/* Each block that may leave calls something. */
static bool make_map(struct trod_map *out, struct walked *w)
{
    uint32_t nnode = w->s.graph.nnode;
    uint32_t *first = trod_new(&w->s.mem, uint32_t, (size_t)nnode + 1);
    uint32_t *line = trod_new(&w->s.mem, uint32_t, nnode);
    struct trod_string text;
    struct trod_text in;

    for (trod_node v = 0; v < nnode; v++) {
        line[first[v]] = line_of(v);
        first[v + 1] = first[v] + (trod_graph_leave(&w->s.graph, v) != TROD_STAYS);
    }
    trod_string_init(&text, &w->s.mem);
    trod_put(&text.sink,
        "unit u source\nfunction f 0000000000000001 0000000000000002 0000000000000003\nfile f.c\n");
    trod_number_print(&text.sink, &w->s.bl);
    trod_text_init(&in, "map", text.text, text.length);
    if (!trod_map_parse(out, &in, &w->s.mem, &w->s.err))
        return false;
    out->entry[0].numbering = w->s.bl;
    out->entry[0].begun = true;
    out->entry[0].first_callee = first;
    out->entry[0].line_of_callee = line;
    out->entry[0].callee = trod_new(&w->s.mem, const char *, nnode); /* indirect */
    trod_chain_init(&out->entry[0].chain, &out->entry[0].numbering, 1);
    out->step = trod_new(&w->s.mem, trod_edge, w->s.view.dag.nreach);
    return true;
}

static const struct trod_flow_frames *frames_of(
    struct trod_flow_frames *out, struct walked *w)
{
    struct trod_flow_frame *frame =
        trod_new(&w->s.mem, struct trod_flow_frame, w->s.graph.nnode);

    *out = (struct trod_flow_frames){frame, 0};
    for (trod_node v = 0; v < w->s.graph.nnode; v++)
        if (w->frame[v])
            frame[out->count++] =
                (struct trod_flow_frame){"f", "u", line_of(v), w->frame[v]};
    return w->frames && !w->killed ? out : NULL;
}

/* --- what must hold --------------------------------------------------------------------------------- */

/* Not more than ran; and not less, unless the count is marked as unsure. A process that was killed after the last block it
 * recorded may have ended that path. Then counts are off by at most the number of killed processes, but whether something
 * ran is still correct.
 */
static bool is_sound(
    const struct walked *w, uint64_t count, uint64_t truth, bool unsure)
{
    uint64_t off = w->killed && w->notes ? w->nunfinished : 0;

    if (!count || !truth)
        return count == truth || (unsure && !count);
    return count <= truth + off && (count + off >= truth || unsure);
}

static bool is_marked(const uint64_t *set, uint32_t i)
{
    return set && trod_has(set, i);
}

static bool all_sound(
    struct kit_prop *p, const struct walked *w, const struct trod_flow *f)
{
    for (trod_node v = 0; v < w->s.graph.nnode; v++)
        if (!is_sound(w, f->count_of_node ? f->count_of_node[v] : 0, w->node[v],
                is_marked(f->unsure_nodes, v))) {
            kit_note(p,
                "block %u: %" PRIu64 " ran, not %" PRIu64 "; %u unfinished, from %u", v,
                w->node[v], f->count_of_node ? f->count_of_node[v] : 0, w->nunfinished,
                w->start);
            return false;
        }
    for (trod_edge e = 0; e < w->s.graph.nedge; e++)
        if (!is_sound(w, f->count_of_edge ? f->count_of_edge[e] : 0, w->edge[e],
                is_marked(f->unsure_edges, e))) {
            kit_note(p, "edge %u: %" PRIu64 " ran", e, w->edge[e]);
            return false;
        }
    return true;
}

/* All ways from a block to where it may have stopped: how many, and how many of them have each block and edge. */
struct ways {
    const struct walked *w;
    uint64_t *node, *edge, n;
    trod_node on[64];
    trod_edge by[64];
};

static bool may_stop(const struct walked *w, trod_node v)
{
    trod_node other = v ^ 1;

    if (trod_graph_leave(&w->s.graph, v) == TROD_STAYS)
        return false;
    if (w->frames && !w->dropped)
        return w->frame[v] || (other < w->s.graph.nnode && w->frame[other]);
    return true;
}

static void enumerate(struct ways *ways, trod_node v, uint32_t depth)
{
    const struct trod_graph *g = &ways->w->s.graph;
    const struct trod_dag *dag = &ways->w->s.view.dag;

    ways->on[depth] = v;
    if (may_stop(ways->w, v) && ways->n < MOST_WAYS) {
        ways->n++;
        for (uint32_t i = 0; i <= depth; i++)
            ways->node[ways->on[i]]++;
        for (uint32_t i = 0; i < depth; i++)
            ways->edge[ways->by[i]]++;
    }
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
        if (dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_REAL) {
            ways->by[depth] = e;
            enumerate(ways, g->dst_of_edge[e], depth + 1);
        }
}

static bool is_tight(
    uint64_t count, uint64_t ended, bool unsure, uint64_t on, uint64_t n)
{
    return count == ended + (on == n) && unsure == (on > 0 && on < n);
}

static bool all_tight(struct kit_prop *p, struct walked *w, const struct trod_flow *f)
{
    struct ways ways = {.w = w,
        .node = trod_new(&w->s.mem, uint64_t, w->s.graph.nnode),
        .edge = trod_new(&w->s.mem, uint64_t, w->s.graph.nedge)};

    enumerate(&ways, w->start, 0);
    for (trod_node v = 0; ways.n < MOST_WAYS && v < w->s.graph.nnode; v++)
        if (!is_tight(f->count_of_node[v], w->ended_node[v],
                is_marked(f->unsure_nodes, v), ways.node[v], ways.n)) {
            kit_note(p, "block %u is on %" PRIu64 " of %" PRIu64 " ways", v,
                ways.node[v], ways.n);
            return false;
        }
    for (trod_edge e = 0; ways.n < MOST_WAYS && e < w->s.graph.nedge; e++)
        if (!is_tight(f->count_of_edge[e], w->ended_edge[e],
                is_marked(f->unsure_edges, e), ways.edge[e], ways.n)) {
            kit_note(p, "edge %u is on %" PRIu64 " of %" PRIu64 " ways", e,
                ways.edge[e], ways.n);
            return false;
        }
    return true;
}

static bool has_again(const struct trod_graph *g)
{
    for (trod_node v = 0; v < g->nnode; v++)
        if (trod_graph_leave(g, v) == TROD_RETURNS_AGAIN)
            return true;
    return false;
}

static void spoil(struct trod_flow *f, const struct walked *w, enum fault fault)
{
    for (trod_node v = 0; f->unsure_nodes && v < w->s.graph.nnode; v++) {
        if (fault == SURE)
            f->unsure_nodes[v / 64] = 0;
        if (fault == UNSURE)
            trod_add(f->unsure_nodes, v);
    }
}

static void draw_walks(struct walked *w, struct kit_prop *p)
{
    uint32_t nnode = w->s.graph.nnode, nedge = w->s.graph.nedge;
    uint64_t n;

    w->exposed = trod_new(&w->s.mem, bool, nnode);
    trod_graph_exposed(w->exposed, &w->s.graph, &w->s.mem);
    w->node = trod_new(&w->s.mem, uint64_t, nnode);
    w->edge = trod_new(&w->s.mem, uint64_t, nedge);
    w->ended_node = trod_new(&w->s.mem, uint64_t, nnode);
    w->ended_edge = trod_new(&w->s.mem, uint64_t, nedge);
    w->path = trod_new(&w->s.mem, uint64_t, w->s.bl.npath);
    w->stop = trod_new(&w->s.mem, uint64_t, w->s.bl.npath *nnode);
    w->frame = trod_new(&w->s.mem, uint64_t, nnode);
    w->notes = kit_draw(p, 2);
    w->frames = !w->notes && kit_draw(p, 2);
    w->killed = kit_draw(p, 4) == 3;
    n = 1 + kit_draw(p, NWALK);
    for (uint64_t i = 0; i < n; i++)
        walk_once(w, p);
}

static bool unfinished_are_found(struct kit_prop *p, void *ctx)
{
    struct sample_options options = {.max_node = 10, .max_path = 60, .max_interest = 1};
    struct walked w = {0};
    struct trod_profile profile;
    struct trod_flow_frames frames;
    struct trod_flows flows;
    struct trod_map map;
    bool ok;

    if (!sample_build(&w.s, &options, p))
        return sample_free(&w.s, false);
    draw_walks(&w, p);
    ok = make_profile(&profile, &w, fault_in(ctx)) && make_map(&map, &w) &&
         trod_flows_build(&flows, &profile, &map, &w.s.mem, &w.s.err);
    if (ok && !w.unseen) {
        struct trod_flow *f = &flows.of_entry[0];

        if (fault_in(ctx) != FORGOTTEN)
            trod_flows_add_unfinished(
                &flows, &profile, frames_of(&frames, &w), &w.s.mem);
        if (fault_in(ctx) == TWICE)
            trod_flows_add_unfinished(
                &flows, &profile, frames_of(&frames, &w), &w.s.mem);
        spoil(f, &w, fault_in(ctx));
        ok = all_sound(p, &w, f) && trod_flow_check(f, &w.s.err);
        if (ok && w.nunfinished == 1 && !w.notes && !w.killed && !has_again(&w.s.graph))
            ok = all_tight(p, &w, f);
    }
    if (!ok) {
        struct trod_string text;

        trod_string_init(&text, &w.s.mem);
        trod_profile_print(&text.sink, &profile);
        kit_note(p, "%s", text.text);
        kit_note(p, "%s, killed %d, notes %d, begun %" PRIu64, w.s.err.text, w.killed,
            w.notes, w.begun);
        sample_note_numbering(p, &w.s.bl, &w.s.mem);
    }
    return sample_free(&w.s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"unfinished paths are found as far as they can be", unfinished_are_found,
            {FORGOTTEN, SURE, UNSURE, WRONG_PLACE, TWICE}},
    };

    return kit_run_tested("unfinished", tested, sizeof tested / sizeof *tested);
}
