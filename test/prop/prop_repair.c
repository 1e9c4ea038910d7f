/* repair: flows are conserved, and as close to the input as the optimum that GLPK finds by
 * linear programming.
 */
#include "prop/sample.h"

#include <glpk.h>
#include <math.h>

#include "match/match.h"

enum fault {
    NO_FAULT,
    FAULT_EDGE,  /* an edge has one too many */
    FAULT_ROUND, /* the function goes once more from its entry to an exit */
    FAULT_SURE,  /* all counts are taken to be as sure */
    FAULT_LEAVE, /* no activation is abandoned */
    FAULT_LOW    /* large counts lose a bit */
};

static enum fault fault_of(void *ctx)
{
    return ctx ? *(const unsigned *)ctx : NO_FAULT;
}

/* --- what the graph allows, by looking at all pairs ------------------------------------------------------- */

struct allowed {
    bool *reached;
    bool *stops;
    bool *again;
};

static bool *all_pairs(const struct trod_graph *g, struct trod_arena *mem)
{
    uint32_t n = g->nnode;
    bool *to = trod_new(mem, bool, (size_t)n *n);

    for (trod_node v = 0; v < n; v++)
        to[v * n + v] = true;
    for (trod_edge e = 0; e < g->nedge; e++)
        to[g->src_of_edge[e] * n + g->dst_of_edge[e]] = true;
    for (trod_node k = 0; k < n; k++)
        for (trod_node v = 0; v < n; v++)
            for (trod_node w = 0; w < n; w++)
                to[v * n + w] |= to[v * n + k] && to[k * n + w];
    return to;
}

static bool is_exit(const struct trod_graph *g, trod_node v)
{
    return g->first_out[v] == g->first_out[v + 1];
}

static void find_allowed(
    struct allowed *out, const struct trod_graph *g, struct trod_arena *mem)
{
    const bool *to = all_pairs(g, mem);

    out->reached = trod_new(mem, bool, g->nnode);
    out->stops = trod_new(mem, bool, g->nnode);
    out->again = trod_new(mem, bool, g->nnode);
    for (trod_node v = 0; v < g->nnode; v++) {
        bool ends = false;

        for (trod_node w = 0; w < g->nnode; w++)
            ends |= to[v * g->nnode + w] && is_exit(g, w);
        out->reached[v] = to[g->entry * g->nnode + v];
        out->stops[v] =
            !is_exit(g, v) && (!ends || trod_graph_leave(g, v) != TROD_STAYS);
        out->again[v] = trod_graph_leave(g, v) == TROD_RETURNS_AGAIN;
    }
}

/* --- the linear program ----------------------------------------------------------------------------------------
 *
 * Of each edge and of entering: flow, and how far it is above and below what is thought. Of each node: how often the
 * function is left there, and comes back.
 */

struct program {
    glp_prob *lp;
    int *index; /* of one row, from 1 */
    double *value;
};

static void bound(glp_prob *lp, int column, bool can, double cost)
{
    glp_set_col_bnds(lp, column, can ? GLP_LO : GLP_FX, 0, 0);
    glp_set_obj_coef(lp, column, cost);
}

/* Columns 3e + 1 to 3e + 3 are of edge e; after the last edge comes entering. */
static void add_thought(
    struct program *q, uint32_t e, bool can, double count, double sure)
{
    int column = glp_add_cols(q->lp, 3), row = glp_add_rows(q->lp, 1);

    (void)e;
    bound(q->lp, column, can, 0);
    bound(q->lp, column + 1, true, sure);
    bound(q->lp, column + 2, true, sure);
    for (int k = 0; k < 3; k++) {
        q->index[k + 1] = column + k;
        q->value[k + 1] = k == 1 ? -1 : 1;
    }
    glp_set_row_bnds(q->lp, row, GLP_FX, count, count);
    glp_set_mat_row(q->lp, row, 3, q->index, q->value);
}

static void add_node(struct program *q, const struct trod_graph *g,
    const struct allowed *may, trod_node v)
{
    int column = glp_add_cols(q->lp, 2), row, n = 0;

    bound(q->lp, column, may->stops[v], TROD_REPAIR_LEAVE);
    bound(q->lp, column + 1, may->again[v], TROD_REPAIR_LEAVE);
    if (is_exit(g, v))
        return;
    row = glp_add_rows(q->lp, 1);
    for (trod_edge e = 0; e < g->nedge; e++) {
        int sign = (g->dst_of_edge[e] == v) - (g->src_of_edge[e] == v);

        q->index[n + 1] = (int)(3 * e + 1);
        q->value[n + 1] = sign;
        n += sign != 0;
    }
    if (v == g->entry) {
        q->index[++n] = (int)(3 * g->nedge + 1);
        q->value[n] = 1;
    }
    q->index[++n] = column;
    q->value[n] = -1;
    q->index[++n] = column + 1;
    q->value[n] = 1;
    glp_set_row_bnds(q->lp, row, GLP_FX, 0, 0);
    glp_set_mat_row(q->lp, row, n, q->index, q->value);
}

/* What the nearest flow costs; below 0 if the solver does not know. */
static double least_cost(
    const struct trod_repair *r, const struct allowed *may, struct trod_arena *mem)
{
    const struct trod_graph *g = r->graph;
    struct program q = {.lp = glp_create_prob(),
        .index = trod_new(mem, int, g->nedge + 8),
        .value = trod_new(mem, double, g->nedge + 8)};
    glp_smcp how;
    double cost = -1;

    glp_term_out(GLP_OFF);
    for (trod_edge e = 0; e < g->nedge; e++)
        add_thought(&q, e, may->reached[g->src_of_edge[e]], (double)r->count_of_edge[e],
            r->known_of_edge[e]);
    add_thought(&q, g->nedge, true, (double)r->entered, r->entered_known);
    for (trod_node v = 0; v < g->nnode; v++)
        add_node(&q, g, may, v);
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    if (!glp_simplex(q.lp, &how) && glp_get_status(q.lp) == GLP_OPT)
        cost = glp_get_obj_val(q.lp);
    glp_delete_prob(q.lp);
    return cost;
}

/* --- samples -------------------------------------------------------------------------------------------------- */

struct repair_case {
    struct sample s;
    struct trod_repair r;
    uint64_t *count;
    uint8_t *known;
    uint64_t *flow, entries;
    struct allowed may;
};

/* How often edges are taken by some walks, to an end or to where the function may be left. */
static void add_walks(struct repair_case *x, struct kit_prop *p)
{
    const struct trod_graph *g = &x->s.graph;

    for (uint64_t left = kit_draw(p, 4); left; left--) {
        uint64_t times = kit_draw(p, 1000);
        trod_node v = g->entry;

        for (uint32_t i = 0; i < 3 * g->nnode && !is_exit(g, v); i++) {
            trod_edge e = g->first_out[v] +
                          (trod_edge)kit_draw(p, g->first_out[v + 1] - g->first_out[v]);

            x->count[e] += times;
            v = g->dst_of_edge[e];
            if (trod_graph_leave(g, v) != TROD_STAYS && kit_draw(p, 2))
                break;
        }
        x->r.entered += times;
    }
}

static void repairing_draw(struct repair_case *x, struct kit_prop *p)
{
    static const uint8_t sure[] = {100, 0, 1, 50, 37, 2, 99, 10};
    const struct trod_graph *g;
    struct sample_dice wrong, knows;

    *x = (struct repair_case){0};
    sample_init(&x->s);
    sample_graph(&x->s.graph, 9, p, &x->s.mem);
    g = &x->s.graph;
    x->count = trod_new(&x->s.mem, uint64_t, g->nedge);
    x->known = trod_new(&x->s.mem, uint8_t, g->nedge);
    x->flow = trod_new(&x->s.mem, uint64_t, g->nedge);
    add_walks(x, p);
    wrong = sample_dice(p, 1, 3);
    knows = sample_dice(p, 1, 3);
    for (trod_edge e = 0; e < g->nedge; e++) {
        if (sample_roll(wrong, e, 3) == 1)
            x->count[e] = sample_roll(wrong, e + 1000, 2000);
        x->known[e] = sure[sample_roll(knows, e, 8)];
    }
    x->r = (struct trod_repair){.graph = g,
        .count_of_edge = x->count,
        .known_of_edge = x->known,
        .entered = x->r.entered + sample_roll(wrong, 5000, 5),
        .entered_known = sure[sample_roll(knows, 5000, 8)]};
    find_allowed(&x->may, g, &x->s.mem);
}

static bool repairing_fail(struct kit_prop *p, struct repair_case *x, const char *what)
{
    const struct trod_graph *g = &x->s.graph;

    sample_note_graph(p, g, &x->s.mem);
    for (trod_edge e = 0; e < g->nedge; e++)
        kit_note(p, "%u -> %u: %" PRIu64 " (%u), now %" PRIu64, g->src_of_edge[e],
            g->dst_of_edge[e], x->count[e], x->known[e], x->flow[e]);
    kit_note(p, "entered: %" PRIu64 " (%u), now %" PRIu64, x->r.entered,
        x->r.entered_known, x->entries);
    kit_note(p, "%s", what);
    return false;
}

/* One more run, by edges that all but the last exit's can be left by. */
static void go_round(struct repair_case *x)
{
    const struct trod_graph *g = &x->s.graph;
    trod_node v = g->entry;

    for (uint32_t i = 0; i < g->nnode && !is_exit(g, v); i++) {
        x->flow[g->first_out[v]]++;
        v = g->dst_of_edge[g->first_out[v]];
    }
    x->entries++;
}

static void repair(struct repair_case *x, enum fault fault, struct kit_prop *p)
{
    const struct trod_graph *g = &x->s.graph;
    struct trod_repair r = x->r;
    struct trod_graph stays = *g;
    uint8_t *known = trod_new(&x->s.mem, uint8_t, g->nedge);

    if (fault == FAULT_SURE) {
        memset(known, 50, g->nedge);
        r.known_of_edge = known;
    }
    if (fault == FAULT_LEAVE) {
        stays.leave_of_node = NULL;
        r.graph = &stays;
    }
    trod_repair_flow(x->flow, &x->entries, &r, &x->s.mem);
    if (fault == FAULT_EDGE && g->nedge)
        x->flow[kit_draw(p, g->nedge)]++;
    if (fault == FAULT_ROUND)
        go_round(x);
}

/* --- properties -------------------------------------------------------------------------------------------------- */

static int64_t excess_of(const struct repair_case *x, trod_node v)
{
    const struct trod_graph *g = &x->s.graph;
    int64_t sum = v == g->entry ? (int64_t)x->entries : 0;

    for (trod_edge e = 0; e < g->nedge; e++) {
        sum += g->dst_of_edge[e] == v ? (int64_t)x->flow[e] : 0;
        sum -= g->src_of_edge[e] == v ? (int64_t)x->flow[e] : 0;
    }
    return is_exit(g, v) ? 0 : sum;
}

static bool is_flow(const struct repair_case *x)
{
    const struct trod_graph *g = &x->s.graph;

    for (trod_node v = 0; v < g->nnode; v++) {
        int64_t sum = excess_of(x, v);

        if ((sum > 0 && !x->may.stops[v]) || (sum < 0 && !x->may.again[v]))
            return false;
    }
    for (trod_edge e = 0; e < g->nedge; e++)
        if (x->flow[e] && !x->may.reached[g->src_of_edge[e]])
            return false;
    return true;
}

static double cost_of(const struct repair_case *x)
{
    const struct trod_graph *g = &x->s.graph;
    double cost = x->r.entered_known * fabs((double)x->entries - (double)x->r.entered);

    for (trod_edge e = 0; e < g->nedge; e++)
        cost += x->known[e] * fabs((double)x->flow[e] - (double)x->count[e]);
    for (trod_node v = 0; v < g->nnode; v++)
        cost += TROD_REPAIR_LEAVE * fabs((double)excess_of(x, v));
    return cost;
}

static bool is_nearest(struct kit_prop *p, void *ctx)
{
    struct repair_case x;
    double best;
    bool ok;

    repairing_draw(&x, p);
    repair(&x, fault_of(ctx), p);
    best = least_cost(&x.r, &x.may, &x.s.mem);
    ok = is_flow(&x) && best >= 0 && fabs(best - cost_of(&x)) < 0.5 &&
         (double)trod_repair_cost(&x.r, x.flow, x.entries) == cost_of(&x) &&
         trod_repair_fault(&x.s.graph, x.flow, x.entries, &x.s.mem) == TROD_NONE;
    if (!ok) {
        kit_note(p, "best %g, found %g", best, cost_of(&x));
        repairing_fail(p, &x, is_flow(&x) ? "not the nearest" : "not a flow");
    }
    return sample_free(&x.s, ok);
}

/* What is a flow already stays as it is, however unsure, as long as something is known of each edge. */
static bool keeps_flows(struct kit_prop *p, void *ctx)
{
    struct repair_case x;
    bool ok;

    repairing_draw(&x, p);
    repair(&x, NO_FAULT, p);
    for (trod_edge e = 0; e < x.s.graph.nedge; e++) {
        x.count[e] = x.flow[e];
        x.known[e] = x.known[e] ? x.known[e] : 1;
    }
    x.r.entered = x.entries;
    x.r.entered_known = 100;
    for (trod_node v = 0; v < x.s.graph.nnode; v++)
        if (excess_of(&x, v))
            return sample_free(&x.s, true);
    repair(&x, fault_of(ctx), p);
    ok = cost_of(&x) == 0;
    if (!ok)
        repairing_fail(p, &x, "a flow was changed");
    return sample_free(&x.s, ok);
}

/* Counts a trillion times as large: a flow as much larger, at as much more. */
static bool takes_large_counts(struct kit_prop *p, void *ctx)
{
    enum { BITS = 40 };
    struct repair_case x;
    uint64_t before, after;
    bool ok;

    repairing_draw(&x, p);
    repair(&x, NO_FAULT, p);
    before = trod_repair_cost(&x.r, x.flow, x.entries);
    for (trod_edge e = 0; e < x.s.graph.nedge; e++)
        x.count[e] <<= BITS;
    x.r.entered <<= BITS;
    repair(&x, NO_FAULT, p);
    for (trod_edge e = 0; fault_of(ctx) == FAULT_LOW && e < x.s.graph.nedge; e++)
        x.flow[e] &= ~UINT64_C(1) << BITS;
    after = trod_repair_cost(&x.r, x.flow, x.entries);
    /* Beyond 63 bits, costs saturate. */
    ok = is_flow(&x) &&
         (before >> (63 - BITS) ? after >= before : after == before << BITS);
    if (!ok)
        repairing_fail(p, &x, "another flow for larger counts");
    return sample_free(&x.s, ok);
}

/* A fault that is put in is found, and none before. */
static bool finds_faults(struct kit_prop *p, void *ctx)
{
    struct repair_case x;
    bool ok;
    trod_edge e;

    repairing_draw(&x, p);
    repair(&x, NO_FAULT, p);
    ok = trod_repair_fault(&x.s.graph, x.flow, x.entries, &x.s.mem) == TROD_NONE;
    if (x.s.graph.nedge) {
        trod_node v, at;

        e = (trod_edge)kit_draw(p, x.s.graph.nedge);
        v = x.s.graph.src_of_edge[e];
        x.flow[e]++;
        at = trod_repair_fault(&x.s.graph, x.flow, x.entries, &x.s.mem);
        at = fault_of(ctx) == FAULT_EDGE ? TROD_NONE : at;
        /* More leaves than came: nothing allows that but a call that returns again, or that it was left before. */
        if (v != x.s.graph.dst_of_edge[e] && excess_of(&x, v) < 0 && !x.may.again[v])
            ok = ok && at != TROD_NONE;
    }
    if (!ok)
        repairing_fail(p, &x, "a fault too many, or too few");
    return sample_free(&x.s, ok);
}

static const struct kit_tested tested[] = {
    {"is_nearest", is_nearest, {FAULT_EDGE, FAULT_ROUND, FAULT_SURE, FAULT_LEAVE}},
    {"keeps_flows", keeps_flows, {FAULT_EDGE, FAULT_ROUND}},
    {"takes_large_counts", takes_large_counts, {FAULT_LOW}},
    {"finds_faults", finds_faults, {FAULT_EDGE}},
};

int main(void)
{
    int failed = kit_run_tested("repair", tested, sizeof tested / sizeof *tested);

    glp_free_env();
    return failed;
}
