#include "probe/probe.h"

#include <stdio.h>

/* The state of a path at some point on it. */
struct state {
    bool seen;    /* the point is known to be reachable */
    bool counted; /* the path has been counted */
    bool set;     /* r has been set */
    uint64_t off; /* set: r less the sum so far; counted: the index less that sum */
};

struct check {
    const struct trod_plan *plan;
    const struct trod_dag *dag;
    const struct trod_graph *graph;
    struct trod_err *err;
    const struct trod_op **flush_of_loop; /* [nloop], NULL: none seen yet */
    uint32_t *loop_of_node;               /* [nnode], loop of the plan, or TROD_NONE */
    bool *certain;       /* [dag nodes], all sums up to the node are equal */
    uint64_t *sum;       /* [dag nodes], that sum */
    struct state *state; /* [nnode] */
    trod_node *work;     /* reached nodes, in order; each once */
    uint32_t nwork;
};

/* An error in a plan that trod made is internal; in a parsed plan it is the author's. */
static bool wrong(const struct check *c, uint32_t site, const char *what)
{
    bool made = c->plan->numbering->val_of_edge != NULL;
    const struct trod_graph *graph = c->graph;
    char from[16], to[16], place[160] = "the way in";

    if (site < graph->nedge)
        snprintf(place, sizeof place, "the edge '%.60s' -> '%.60s'",
            trod_graph_node_name(graph, graph->src_of_edge[site], from),
            trod_graph_node_name(graph, graph->dst_of_edge[site], to));
    else if (site != trod_site_in(graph))
        snprintf(place, sizeof place, "the exit edge of '%.60s'",
            trod_graph_node_name(graph, site - graph->nedge, from));
    return trod_fail(c->err, made ? TROD_E_INTERNAL : TROD_E_INPUT,
        "plan of '%.60s': on %s, %s; %s", graph->name, place, what,
        made ? "please report this with the graph" : "correct the plan");
}

/* --- trip counters: bumped and flushed at the right sites ---------------- */

static bool is_cut(const struct check *c, trod_edge e)
{
    return c->dag->kind_of_edge[c->dag->dag_of_edge[e]] == TROD_DAG_END;
}

static uint32_t nop_of_site(const struct check *c, uint32_t site)
{
    return c->plan->first_op[site + 1] - c->plan->first_op[site];
}

static bool check_bump(struct check *c, uint32_t site, const struct trod_op *op)
{
    if (site >= c->graph->nedge || !is_cut(c, site) || nop_of_site(c, site) != 1 ||
        c->graph->dst_of_edge[site] != c->plan->header_of_loop[op->loop])
        return wrong(c, site,
            "a trip counter goes up, which only the cut edges to the header of its "
            "loop may do, and nothing else on them");
    return true;
}

static bool check_flush(struct check *c, uint32_t site, const struct trod_op *op)
{
    const struct trod_op *first = c->flush_of_loop[op->loop];

    if (site >= c->graph->nedge || op != &c->plan->op[c->plan->first_op[site]])
        return wrong(c, site,
            "a trip counter is flushed, which must come first on an edge out of its "
            "loop");
    if (first && (first->value != op->value || first->again != op->again))
        return wrong(c, site, "a trip counter is flushed otherwise than elsewhere");
    c->flush_of_loop[op->loop] = op;
    return true;
}

static bool is_passed(const struct check *c, uint32_t site)
{
    const struct trod_graph *graph = c->graph, *shape = &c->dag->shape;
    trod_node v;

    if (site < graph->nedge)
        return c->dag->dag_of_edge[site] != TROD_NONE;
    if (site == trod_site_in(graph))
        return true;
    v = site - graph->nedge;
    return graph->first_out[v] == graph->first_out[v + 1] &&
           shape->first_out[v] < shape->first_out[v + 1];
}

static bool check_sites(struct check *c)
{
    const struct trod_plan *plan = c->plan;

    for (uint32_t site = 0; site < plan->nsite; site++) {
        if (nop_of_site(c, site) && !is_passed(c, site))
            return wrong(c, site, "an operation is unreachable");
        for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++) {
            const struct trod_op *op = &plan->op[i];
            bool trips = op->kind == TROD_OP_BUMP || op->kind == TROD_OP_FLUSH;

            if (op->kind == TROD_OP_NONE || op->kind > TROD_OP_FLUSH ||
                (op->kind == TROD_OP_BEGIN && op->value))
                return wrong(c, site, "there is an invalid operation");
            if (trips && op->loop >= plan->nloop)
                return wrong(c, site, "an undefined trip counter is used");
            if (op->kind == TROD_OP_BUMP && !check_bump(c, site, op))
                return false;
            if (op->kind == TROD_OP_FLUSH && !check_flush(c, site, op))
                return false;
        }
    }
    return true;
}

/* --- BEGIN: at all required sites, or at none ---------------------------- */

static bool check_begin(struct check *c, struct trod_arena *mem)
{
    const struct trod_plan *plan = c->plan;
    bool *exposed = trod_new(mem, bool, c->graph->nnode);

    trod_graph_exposed(exposed, c->graph, mem);
    for (uint32_t site = 0; site < plan->nsite && plan->begins; site++) {
        uint32_t have = 0, want = 0;

        for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
            have += plan->op[i].kind == TROD_OP_BEGIN;
        if (site == trod_site_in(c->graph))
            want = trod_graph_begins_in(c->graph, exposed);
        else if (site < c->graph->nedge && is_passed(c, site))
            want = trod_graph_begins_on(c->graph, exposed, site);
        if (have != want)
            return wrong(c, site,
                have > want ? "the function is begun where it is not"
                            : "the function is begun, and nothing says so");
    }
    return true;
}

/* --- loops with trip counters ------------------------------------------- */

static bool add_body(struct check *c, uint32_t loop, trod_node v, uint32_t site)
{
    if (c->loop_of_node[v] == loop)
        return true;
    if (c->loop_of_node[v] != TROD_NONE)
        return wrong(c, site, "two loops with trip counters meet");
    c->loop_of_node[v] = loop;
    c->work[c->nwork++] = v;
    return true;
}

/* The body of a loop: nodes that reach a back edge without passing the header. */
static bool fill_body(struct check *c, trod_edge back)
{
    uint32_t loop = c->plan->op[c->plan->first_op[back]].loop;
    trod_node header = c->plan->header_of_loop[loop];
    uint32_t next = c->nwork;

    if (!add_body(c, loop, header, back) ||
        !add_body(c, loop, c->graph->src_of_edge[back], back))
        return false;
    for (; next < c->nwork; next++) {
        trod_node v = c->work[next];
        uint32_t first = c->graph->first_in[v], last = c->graph->first_in[v + 1];

        for (uint32_t i = first; i < last && v != header; i++) {
            trod_edge e = c->graph->in_edge[i];

            if (c->dag->dag_of_edge[e] != TROD_NONE &&
                !add_body(c, loop, c->graph->src_of_edge[e], e))
                return false;
        }
    }
    return true;
}

static const char past_header[] =
    "a loop with a trip counter is entered past its header";

static bool check_loop_edge(struct check *c, trod_edge e)
{
    const struct trod_op *op = c->plan->op + c->plan->first_op[e];
    bool flushes = nop_of_site(c, e) && op->kind == TROD_OP_FLUSH;
    bool bumps = nop_of_site(c, e) && op->kind == TROD_OP_BUMP;
    trod_node w = c->graph->dst_of_edge[e];
    uint32_t from = c->loop_of_node[c->graph->src_of_edge[e]];
    uint32_t to = c->loop_of_node[w];

    if (from != TROD_NONE && from == to) {
        if (bumps != (w == c->plan->header_of_loop[from]) || nop_of_site(c, e) != bumps)
            return wrong(
                c, e, "a loop with a trip counter has other operations inside");
        return true;
    }
    if (flushes != (from != TROD_NONE) || (flushes && op->loop != from))
        return wrong(c, e, "a trip counter is not flushed, or one not of this loop");
    if (to != TROD_NONE && w != c->plan->header_of_loop[to])
        return wrong(c, e, past_header);
    return true;
}

static bool check_trips(struct check *c)
{
    const struct trod_plan *plan = c->plan;
    trod_node entry = c->graph->entry;

    for (trod_edge e = 0; e < c->graph->nedge; e++)
        if (nop_of_site(c, e) && plan->op[plan->first_op[e]].kind == TROD_OP_BUMP &&
            !fill_body(c, e))
            return false;
    for (uint32_t loop = 0; loop < plan->nloop; loop++)
        if (!c->flush_of_loop[loop])
            return wrong(c, trod_site_in(c->graph),
                "a trip counter starts that is never flushed");
    if (c->loop_of_node[entry] != TROD_NONE &&
        plan->header_of_loop[c->loop_of_node[entry]] != entry)
        return wrong(c, trod_site_in(c->graph), past_header);
    for (trod_edge e = 0; e < c->graph->nedge; e++)
        if (c->dag->dag_of_edge[e] != TROD_NONE && !check_loop_edge(c, e))
            return false;
    return true;
}

/* --- paths: counted once, at the right index ----------------------------- */

static uint64_t value_of(const struct check *c, trod_edge e)
{
    const int64_t *val = c->plan->numbering->val_of_edge;

    return val ? (uint64_t)val[e] : 0;
}

static void fill_sums(struct check *c)
{
    const struct trod_graph *g = &c->dag->shape;

    for (uint32_t i = 0; i < c->dag->nreach; i++) {
        trod_node w = c->dag->topo[i];
        uint32_t first = g->first_in[w];

        c->certain[w] = true;
        for (uint32_t k = first; k < g->first_in[w + 1]; k++) {
            trod_edge e = g->in_edge[k];
            uint64_t sum = c->sum[g->src_of_edge[e]] + value_of(c, e);

            if (!c->certain[g->src_of_edge[e]] || (k > first && sum != c->sum[w]))
                c->certain[w] = false;
            c->sum[w] = sum;
        }
    }
}

/* Apply one operation at a node of the DAG. An increment of a trip counter stands for the COUNT that its flush will
 * make, and for the SET after it.
 */
static const char *carry_out(const struct check *c, struct state *s, trod_node v,
    enum trod_op_kind kind, uint64_t value)
{
    if (s->counted)
        return kind == TROD_OP_COUNT || kind == TROD_OP_COUNT_AT
                   ? "a path is counted for the second time"
                   : "r is changed though the path has been counted";
    if (!s->set && (kind == TROD_OP_ADD || kind == TROD_OP_COUNT))
        return "r is used before it is set";
    if (!c->certain[v] && (kind == TROD_OP_SET || kind == TROD_OP_COUNT_AT))
        return "paths with different sums are merged";
    s->counted = kind == TROD_OP_COUNT || kind == TROD_OP_COUNT_AT;
    if (kind == TROD_OP_SET || kind == TROD_OP_COUNT_AT)
        s->off = value - c->sum[v];
    else
        s->off += value;
    s->set = true;
    if (!c->plan->numbering->val_of_edge)
        s->off = 0;
    return NULL;
}

/* Continue along an edge of the DAG. */
static void advance(const struct check *c, struct state *s, trod_edge e)
{
    if (s->counted || s->set)
        s->off -= value_of(c, e);
}

static const char *end_path(const struct check *c, struct state *s, trod_edge e)
{
    if (!s->counted)
        return "a path ends that has not been counted";
    advance(c, s, e);
    return s->off ? "a path ends that was counted as another" : NULL;
}

/* The effect of a site on a path: the one that ends there, if any, otherwise the one that continues. If another path
 * starts there, it begins with the operation after the one that counted the first path; no other operation may apply to
 * it at that point.
 */
struct passage {
    struct state state;
    trod_node at;    /* node of the DAG */
    trod_edge edge;  /* next edge of the DAG */
    trod_edge start; /* start of the next path; TROD_NONE: none */
};

static const char *start_next(const struct check *c, struct passage *p)
{
    const char *what = end_path(c, &p->state, p->edge);

    p->state = (struct state){0};
    p->at = c->dag->shape.entry;
    p->edge = p->start;
    p->start = TROD_NONE;
    return what;
}

static const char *pass_op(
    const struct check *c, struct passage *p, enum trod_op_kind kind, int64_t value)
{
    const char *what = NULL;

    if (p->state.counted && p->start != TROD_NONE)
        what = start_next(c, p);
    return what ? what : carry_out(c, &p->state, p->at, kind, (uint64_t)value);
}

static const char *pass(const struct check *c, struct passage *p, uint32_t site)
{
    const struct trod_plan *plan = c->plan;
    const char *what = NULL;

    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1] && !what;
        i++) {
        const struct trod_op *op = &plan->op[i];

        if (op->kind == TROD_OP_BUMP) {
            const struct trod_op *flush = c->flush_of_loop[op->loop];

            what = pass_op(c, p, TROD_OP_COUNT, flush->value);
            if (!what)
                what = pass_op(c, p, TROD_OP_SET, flush->again);
        } else if (op->kind != TROD_OP_FLUSH && op->kind != TROD_OP_BEGIN) {
            what = pass_op(c, p, op->kind, op->value);
        }
    }
    if (!what && p->start != TROD_NONE)
        what = start_next(c, p);
    return what;
}

static bool arrive(struct check *c, uint32_t site, struct passage *p)
{
    trod_node w = c->dag->shape.dst_of_edge[p->edge];
    struct state *s;

    advance(c, &p->state, p->edge);
    if (p->state.counted && c->plan->placement != TROD_PLACE_TREE &&
        trod_graph_leave(c->graph, w) != TROD_STAYS)
        return wrong(c, site, "a path is counted that may be abandoned later");
    p->state.seen = true;
    s = &c->state[w];
    if (!s->seen) {
        *s = p->state;
        c->work[c->nwork++] = w;
        return true;
    }
    if (s->counted != p->state.counted || s->set != p->state.set ||
        s->off != p->state.off)
        return wrong(c, site, "r or the count differs between paths that meet here");
    return true;
}

static bool check_edge(struct check *c, trod_edge e)
{
    trod_edge d = c->dag->dag_of_edge[e];
    trod_node v = c->graph->src_of_edge[e];
    struct passage p = {.state = c->state[v], .at = v, .edge = d, .start = TROD_NONE};
    const char *what;

    if (is_cut(c, e))
        p.start = c->dag->start_of_node[c->graph->dst_of_edge[e]];
    what = pass(c, &p, e);
    return what ? wrong(c, e, what) : arrive(c, e, &p);
}

static bool check_exit(struct check *c, trod_node v)
{
    uint32_t site = trod_site_out(c->graph, v);
    struct passage p = {.state = c->state[v],
        .at = v,
        .edge = c->dag->shape.first_out[v],
        .start = TROD_NONE};
    const char *what = pass(c, &p, site);

    if (!what)
        what = end_path(c, &p.state, p.edge);
    return !what || wrong(c, site, what);
}

static bool check_paths(struct check *c)
{
    const struct trod_graph *graph = c->graph, *shape = &c->dag->shape;
    uint32_t in = trod_site_in(graph);
    struct passage p = {
        .at = shape->entry, .edge = shape->first_out[shape->entry], .start = TROD_NONE};
    const char *what = pass(c, &p, in);

    c->nwork = 0;
    if (what)
        return wrong(c, in, what);
    if (!arrive(c, in, &p))
        return false;
    for (uint32_t next = 0; next < c->nwork; next++) {
        trod_node v = c->work[next];
        trod_edge first = graph->first_out[v], last = graph->first_out[v + 1];

        if (first == last && !check_exit(c, v))
            return false;
        for (trod_edge e = first; e < last; e++)
            if (!check_edge(c, e))
                return false;
    }
    return true;
}

bool trod_probe_check(
    const struct trod_plan *plan, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_dag *dag = plan->numbering->dag;
    struct trod_mark mark = trod_arena_mark(mem);
    struct check c = {
        .plan = plan,
        .dag = dag,
        .graph = dag->graph,
        .err = err,
        .flush_of_loop = trod_new(mem, const struct trod_op *, plan->nloop),
        .loop_of_node = trod_new(mem, uint32_t, dag->graph->nnode),
        .certain = trod_new(mem, bool, dag->shape.nnode),
        .sum = trod_new(mem, uint64_t, dag->shape.nnode),
        .state = trod_new(mem, struct state, dag->graph->nnode),
        .work = trod_new(mem, trod_node, dag->graph->nnode),
    };
    bool ok;

    for (trod_node v = 0; v < dag->graph->nnode; v++)
        c.loop_of_node[v] = TROD_NONE;
    fill_sums(&c);
    ok = check_sites(&c) && check_begin(&c, mem) && check_trips(&c) && check_paths(&c);
    trod_arena_rewind(mem, mark);
    return ok;
}
