/* scale: counts of paths that are multiplied by a factor are consistent, and as close to the products as the
 * optimum that GLPK finds by linear programming.
 */
#include "prop/sample.h"

#include <glpk.h>
#include <math.h>

#include "match/match.h"

enum fault {
    NO_FAULT,
    FAULT_PATH,   /* a path has one more */
    FAULT_ROUND,  /* each product is only rounded */
    FAULT_FACTOR, /* the factor is a little larger */
    FAULT_ENTERED /* the function is entered once more */
};

static enum fault fault_of(void *ctx)
{
    return ctx ? *(const unsigned *)ctx : NO_FAULT;
}

struct scale_case {
    struct sample s;
    uint32_t npath;
    trod_path *id;
    uint64_t *count, *scaled;
    trod_node *from, *to; /* of paths: blocks, or one of the two after them */
    int64_t *
        missing; /* [nnode] more paths end there than begin; abandoned, or seen to begin only */
    double factor;
    uint64_t entered; /* after scaling */
};

/* --- samples -------------------------------------------------------------------------------------------------- */

static trod_node outside(const struct scale_case *x)
{
    return x->s.graph.nnode;
}

static trod_node gone(const struct scale_case *x)
{
    return x->s.graph.nnode + 1;
}

static void find_ends(struct scale_case *x, uint32_t i)
{
    const struct trod_dag *dag = &x->s.view.dag;
    trod_edge *step = trod_new(&x->s.mem, trod_edge, dag->nreach);
    uint32_t n = trod_number_decode(step, &x->s.bl, x->id[i]);
    trod_edge first = step[0], last = step[n - 1];

    x->from[i] = dag->kind_of_edge[first] == TROD_DAG_ENTER
                     ? outside(x)
                     : dag->shape.dst_of_edge[first];
    x->to[i] = dag->kind_of_edge[last] == TROD_DAG_END
                   ? x->s.graph.dst_of_edge[dag->origin_of_edge[last]]
                   : gone(x);
}

/* The path with a number among those that begin where another ended; TROD_NONE: there are none. */
static uint32_t next_path(const struct scale_case *x, trod_node at, struct kit_prop *p)
{
    uint32_t n = 0, k;

    for (uint32_t i = 0; i < x->npath; i++)
        n += x->from[i] == at;
    if (!n)
        return TROD_NONE;
    k = (uint32_t)kit_draw(p, n);
    for (uint32_t i = 0; i < x->npath; i++)
        if (x->from[i] == at && k-- == 0)
            return i;
    return TROD_NONE;
}

/* Activations, each some times; they end at an exit, or before. */
static void draw_counts(struct scale_case *x, struct kit_prop *p)
{
    for (uint64_t left = 1 + kit_draw(p, 4); left; left--) {
        uint64_t times = 1 + kit_draw(p, 20);
        uint32_t i = next_path(x, outside(x), p);

        for (int steps = 0; i != TROD_NONE && steps < 12; steps++) {
            x->count[i] += times;
            if (x->to[i] == gone(x))
                break;
            i = next_path(x, x->to[i], p);
        }
    }
    for (uint32_t i = 0; i < x->npath; i++) {
        x->missing[x->from[i]] -= (int64_t)x->count[i];
        x->missing[x->to[i]] += (int64_t)x->count[i];
    }
}

static bool scale_draw(struct scale_case *x, struct kit_prop *p)
{
    struct sample_options options = {.max_node = 7, .max_path = 200};
    struct trod_arena *mem = &x->s.mem;

    *x = (struct scale_case){0};
    if (!sample_build(&x->s, &options, p))
        return false;
    x->npath = (uint32_t)x->s.bl.npath;
    x->id = trod_new(mem, trod_path, x->npath);
    x->count = trod_new(mem, uint64_t, x->npath);
    x->scaled = trod_new(mem, uint64_t, x->npath);
    x->from = trod_new(mem, trod_node, x->npath);
    x->to = trod_new(mem, trod_node, x->npath);
    x->missing = trod_new(mem, int64_t, x->s.graph.nnode + 2);
    for (uint32_t i = 0; i < x->npath; i++) {
        x->id[i] = i;
        find_ends(x, i);
    }
    draw_counts(x, p);
    x->factor = (double)kit_draw(p, 41) / 16;
    x->entered = trod_repair_times((uint64_t)-x->missing[outside(x)], x->factor);
    return true;
}

static void scale(struct scale_case *x, enum fault fault, struct kit_prop *p)
{
    double factor = fault == FAULT_FACTOR ? x->factor + 0.4 : x->factor;

    for (uint32_t i = 0; i < x->npath; i++)
        x->scaled[i] = fault == FAULT_ROUND ? trod_repair_times(x->count[i], x->factor)
                                            : x->count[i];
    if (fault != FAULT_ROUND)
        trod_repair_scale(x->scaled, &x->s.bl, x->id, x->npath, factor,
            x->entered + (fault == FAULT_ENTERED), &x->s.mem);
    if (fault == FAULT_PATH && x->npath)
        x->scaled[kit_draw(p, x->npath)]++;
}

/* --- the linear program ---------------------------------------------------------------------------------------
 *
 * Of each path, of what is missing at each block, and of entering: flow, and how far it is above and below what is
 * thought; one equation for each, and one for each node.
 */

struct program {
    glp_prob *lp;
    int nnode;
};

static void add_equation(struct program *q, int flow, int above, int below, double is)
{
    int row = glp_add_rows(q->lp, 1);
    int index[4] = {0, flow, above, below};
    double value[4] = {0, 1, -1, 1};

    glp_set_row_bnds(q->lp, row, GLP_FX, is, is);
    glp_set_mat_row(q->lp, row, 3, index, value);
}

/* An arc between two nodes; rows of nodes are the first ones. */
static void add_arc(
    struct program *q, trod_node src, trod_node dst, double thought, double cost)
{
    int flow = glp_add_cols(q->lp, 3);
    int index[3] = {0, (int)src + 1, (int)dst + 1};
    double value[3] = {0, -1, 1};

    for (int k = 0; k < 3; k++) {
        glp_set_col_bnds(q->lp, flow + k, GLP_LO, 0, 0);
        glp_set_obj_coef(q->lp, flow + k, k ? cost : 0);
    }
    if (src != dst)
        glp_set_mat_col(q->lp, flow, 2, index, value);
    add_equation(q, flow, flow + 1, flow + 2, thought);
}

static double product(const struct scale_case *x, int64_t count)
{
    return (double)trod_repair_times((uint64_t)(count < 0 ? -count : count), x->factor);
}

static double least_cost(const struct scale_case *x)
{
    struct program q = {.lp = glp_create_prob(), .nnode = (int)x->s.graph.nnode + 2};
    double cost = -1;
    glp_smcp how;

    glp_term_out(GLP_OFF);
    glp_add_rows(q.lp, q.nnode);
    for (int v = 1; v <= q.nnode; v++)
        glp_set_row_bnds(q.lp, v, GLP_FX, 0, 0);
    for (uint32_t i = 0; i < x->npath; i++)
        add_arc(&q, x->from[i], x->to[i], product(x, (int64_t)x->count[i]), 1);
    for (trod_node v = 0; v < x->s.graph.nnode; v++) {
        if (x->missing[v] > 0)
            add_arc(&q, v, gone(x), product(x, x->missing[v]), 2);
        if (x->missing[v] < 0)
            add_arc(&q, gone(x), v, product(x, x->missing[v]), 2);
    }
    add_arc(&q, gone(x), outside(x), (double)x->entered, 1000);
    glp_init_smcp(&how);
    how.msg_lev = GLP_MSG_OFF;
    if (!glp_simplex(q.lp, &how) && glp_get_status(q.lp) == GLP_OPT)
        cost = glp_get_obj_val(q.lp);
    glp_delete_prob(q.lp);
    return cost;
}

/* --- properties -------------------------------------------------------------------------------------------------- */

/* The cost of the result; below 0 if paths are missing where none were, or begin that did not end. */
static double cost_of(struct scale_case *x)
{
    int64_t *now = trod_new(&x->s.mem, int64_t, x->s.graph.nnode + 2);
    double cost = 0;

    for (uint32_t i = 0; i < x->npath; i++) {
        now[x->from[i]] -= (int64_t)x->scaled[i];
        now[x->to[i]] += (int64_t)x->scaled[i];
        cost += fabs((double)x->scaled[i] - product(x, (int64_t)x->count[i]));
    }
    for (trod_node v = 0; v < x->s.graph.nnode; v++) {
        if ((now[v] > 0 && x->missing[v] <= 0) || (now[v] < 0 && x->missing[v] >= 0))
            return -1;
        cost += 2 * fabs(fabs((double)now[v]) - product(x, x->missing[v]));
    }
    return cost + 1000 * fabs((double)-now[outside(x)] - (double)x->entered);
}

static bool is_nearest(struct kit_prop *p, void *ctx)
{
    struct scale_case x;
    double cost, best;
    bool ok;

    if (!scale_draw(&x, p))
        return sample_free(&x.s, false);
    scale(&x, fault_of(ctx), p);
    cost = cost_of(&x);
    best = least_cost(&x);
    ok = cost >= 0 && best >= 0 && fabs(cost - best) < 0.5;
    if (!ok) {
        sample_note_numbering(p, &x.s.bl, &x.s.mem);
        for (uint32_t i = 0; i < x.npath; i++)
            kit_note(p, "=%u from %u to %u: %" PRIu64 ", now %" PRIu64, i, x.from[i],
                x.to[i], x.count[i], x.scaled[i]);
        kit_note(p, "factor %g: cost %g, best %g", x.factor, cost, best);
    }
    return sample_free(&x.s, ok);
}

static bool is_the_same_if_nothing_changes(struct kit_prop *p, void *ctx)
{
    struct scale_case x;
    bool ok;

    if (!scale_draw(&x, p))
        return sample_free(&x.s, false);
    x.factor = 1;
    x.entered = (uint64_t)-x.missing[outside(&x)];
    scale(&x, fault_of(ctx), p);
    ok = memcmp(x.count, x.scaled, x.npath * sizeof *x.count) == 0;
    return sample_free(&x.s, ok);
}

int main(void)
{
    static const struct kit_tested tested[] = {
        {"scaled counts are consistent, and the nearest to the products", is_nearest,
            {FAULT_PATH, FAULT_ROUND, FAULT_FACTOR, FAULT_ENTERED}},
        {"a factor of 1 changes nothing", is_the_same_if_nothing_changes,
            {FAULT_PATH, FAULT_FACTOR}},
    };

    return kit_run_tested("prop_scale", tested, sizeof tested / sizeof *tested);
}
