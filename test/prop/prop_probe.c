/* Plans count what their numbering says, wherever they put their operations. */
#include "prop/sample.h"

#include "probe/probe.h"

static const struct sample_options small = {.max_node = 14, .max_path = 80};

static bool draw_plan(struct trod_plan *out, struct trod_numbering *numbering,
    struct sample *s, struct kit_prop *p)
{
    struct trod_probe_options options = {0};

    if (!sample_build(s, &small, p) || !sample_numbering(numbering, s, p))
        return false;
    options.placement = (enum trod_placement)kit_draw(p, 3);
    options.no_trips = kit_draw(p, 2);
    options.no_begin = kit_draw(p, 4) == 3;
    trod_probe_plan(out, numbering, &s->view.loops, &options, &s->mem);
    return true;
}

static bool fail_with(
    struct kit_prop *p, struct sample *s, const struct trod_plan *plan)
{
    struct trod_string text;

    trod_string_init(&text, &s->mem);
    trod_probe_print(&text.sink, plan);
    kit_note(p, "%s", s->err.text);
    kit_note(p, "%s", text.text);
    return sample_fail(p, s, plan->numbering);
}

/* --- faults ----------------------------------------------------------------------- */

/* Change one operation: its value, its kind, or whether it is there at all. */
static void corrupt(struct trod_plan *plan, struct kit_prop *p, struct trod_arena *mem)
{
    uint32_t nop = plan->first_op[plan->nsite], i = (uint32_t)kit_draw(p, nop);
    struct trod_op *op = trod_new(mem, struct trod_op, nop);
    uint32_t *first = trod_new(mem, uint32_t, plan->nsite + (size_t)1);

    memcpy(op, plan->op, nop * sizeof *op);
    memcpy(first, plan->first_op, (plan->nsite + (size_t)1) * sizeof *first);
    switch (kit_draw(p, 4)) {
    case 0:
        op[i].value++;
        break;
    case 1:
        op[i].again++;
        break;
    case 2:
        op[i].kind = TROD_OP_SET + (enum trod_op_kind)kit_draw(p, 4);
        break;
    default:
        memmove(op + i, op + i + 1, (nop - i - 1) * sizeof *op);
        for (uint32_t site = 0; site <= plan->nsite; site++)
            first[site] -= first[site] > i;
    }
    plan->op = op;
    plan->first_op = first;
}

/* --- the library's own judgement -------------------------------------------------- */

enum look { BOTH, CORRUPT_ALL, CORRUPT_LINEAR };

static bool passes(struct kit_prop *p, void *ctx)
{
    const enum look *look = ctx;
    struct trod_numbering numbering;
    struct trod_plan plan;
    struct sample s;
    bool ok = draw_plan(&plan, &numbering, &s, p);

    if (ok) {
        if (*look != BOTH)
            corrupt(&plan, p, &s.mem);
        ok = (*look == CORRUPT_ALL || trod_probe_check(&plan, &s.mem, &s.err)) &&
             (*look == CORRUPT_LINEAR ||
                 trod_probe_check_all(&plan, s.bl.npath, 20, &s.mem, &s.err));
        ok = ok || fail_with(p, &s, &plan);
    }
    return sample_free(&s, ok);
}

/* The linear check proves what the walks only try: it never lets pass what they refuse.
 * Its planted fault is a check that lets everything pass, which the one above is.
 */
static bool proof_is_sound(struct kit_prop *p, void *ctx)
{
    struct trod_numbering numbering;
    struct trod_plan plan;
    struct sample s;
    bool ok = draw_plan(&plan, &numbering, &s, p);

    (void)ctx;
    if (ok) {
        corrupt(&plan, p, &s.mem);
        if (trod_probe_check(&plan, &s.mem, &s.err))
            ok = trod_probe_check_all(&plan, s.bl.npath, 20, &s.mem, &s.err) ||
                 fail_with(p, &s, &plan);
    }
    return sample_free(&s, ok);
}

/* --- a machine of our own --------------------------------------------------------- */

enum { MOST_COUNTS = 512, MOST_STEPS = 400 };

struct machine {
    uint64_t r, begun, trips[64];
    int64_t index[MOST_COUNTS]; /* of counters that went up, or should have: by -1 */
    int64_t by[MOST_COUNTS];
    uint32_t n;
};

static void count(struct machine *m, uint64_t index, int64_t by)
{
    uint32_t i = 0;

    while (i < m->n && m->index[i] != (int64_t)index)
        i++;
    if (i == m->n) {
        m->index[m->n] = (int64_t)index;
        m->by[m->n++] = 0;
    }
    m->by[i] += by;
}

static void pass(struct machine *m, const struct trod_plan *plan, uint32_t site)
{
    for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++) {
        const struct trod_op *op = &plan->op[i];

        if (op->kind == TROD_OP_SET)
            m->r = (uint64_t)op->value;
        if (op->kind == TROD_OP_ADD)
            m->r += (uint64_t)op->value;
        if (op->kind == TROD_OP_COUNT)
            count(m, m->r + (uint64_t)op->value, 1);
        if (op->kind == TROD_OP_COUNT_AT)
            count(m, (uint64_t)op->value, 1);
        if (op->kind == TROD_OP_BEGIN)
            m->begun++;
        if (op->kind == TROD_OP_BUMP)
            m->trips[op->loop]++;
        if (op->kind == TROD_OP_FLUSH && m->trips[op->loop]) {
            count(m, m->r + (uint64_t)op->value, 1);
            count(m, (uint64_t)op->again + (uint64_t)op->value,
                (int64_t)m->trips[op->loop] - 1);
            m->r = (uint64_t)op->again;
            m->trips[op->loop] = 0;
        }
    }
}

/* A walk from the entry to an exit; true if what the plan counted is what the sums of
 * its paths say, or if no exit was reached.
 */
static bool walk(const struct trod_plan *plan, struct sample_dice dice)
{
    const struct trod_dag *dag = plan->numbering->dag;
    const struct trod_graph *graph = dag->graph;
    const int64_t *val = plan->numbering->val_of_edge;
    struct machine m = {.r = UINT64_C(0xdead0000beef)};
    uint64_t sum = (uint64_t)val[dag->shape.first_out[dag->shape.entry]];
    trod_node v = graph->entry;

    pass(&m, plan, trod_site_in(graph));
    for (uint32_t i = 0; i < MOST_STEPS; i++) {
        uint32_t first = graph->first_out[v], n = graph->first_out[v + 1] - first;
        trod_edge e, d;

        if (!n) {
            pass(&m, plan, trod_site_out(graph, v));
            count(&m, sum + (uint64_t)val[dag->shape.first_out[v]], -1);
            for (uint32_t k = 0; k < m.n; k++)
                if (m.by[k])
                    return false;
            return true;
        }
        e = first + (trod_edge)sample_roll(dice, i, n);
        d = dag->dag_of_edge[e];
        v = graph->dst_of_edge[e];
        pass(&m, plan, e);
        sum += (uint64_t)val[d];
        if (dag->kind_of_edge[d] == TROD_DAG_END) {
            count(&m, sum, -1);
            sum = (uint64_t)val[dag->start_of_node[v]];
        }
    }
    return true;
}

static bool counts(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_numbering numbering;
    struct trod_plan plan;
    struct sample s;
    bool ok = draw_plan(&plan, &numbering, &s, p);

    if (ok && *planted)
        corrupt(&plan, p, &s.mem);
    for (int i = 0; ok && i < 6; i++)
        ok = walk(&plan, sample_dice(p, 0, 1)) || fail_with(p, &s, &plan);
    return sample_free(&s, ok);
}

/* --- functions that are left ---------------------------------------------------------- */

struct abandoned {
    struct machine m;
    const struct trod_plan *plan;
    const bool *exposed;
    struct sample_dice dice;
    uint64_t sum;   /* of the path so far */
    uint64_t ended; /* paths that end where the function may be left */
    uint64_t left;  /* how often it was left there, once it was exposed */
    uint32_t step;
};

/* The path ends with this edge of the DAG. */
static void end_path(struct abandoned *a, trod_edge d)
{
    const struct trod_numbering *n = a->plan->numbering;

    count(&a->m, a->sum + (uint64_t)n->val_of_edge[d], -1);
    a->ended += trod_dag_ends(n->dag, a->exposed, d);
}

static void take(struct abandoned *a, trod_edge e)
{
    const struct trod_numbering *n = a->plan->numbering;
    const struct trod_dag *dag = n->dag;
    trod_edge d = dag->dag_of_edge[e];

    pass(&a->m, a->plan, e);
    if (dag->kind_of_edge[d] == TROD_DAG_END) {
        end_path(a, d);
        d = dag->start_of_node[dag->graph->dst_of_edge[e]];
        a->sum = 0;
    }
    a->sum += (uint64_t)n->val_of_edge[d];
}

/* From a node on, until the function returns, is left, or has gone on long enough. A call
 * that may return again does so, later: everything since is forgotten.
 */
static void go_on(struct abandoned *a, trod_node v, uint32_t depth)
{
    const struct trod_graph *graph = a->plan->numbering->dag->graph;

    for (;;) {
        uint32_t first = graph->first_out[v], nout = graph->first_out[v + 1] - first;
        enum trod_leave leave = trod_graph_leave(graph, v);
        uint64_t roll, sum = a->sum, r = a->m.r;
        trod_edge e;

        a->step++;
        roll = trod_mix(a->dice.seed, a->step);
        if (a->step > MOST_STEPS || (leave == TROD_MAY_LEAVE && roll % 4 == 1)) {
            a->left += a->exposed[v] && a->plan->begins;
            return;
        }
        if (!nout) {
            pass(&a->m, a->plan, trod_site_out(graph, v));
            end_path(a, a->plan->numbering->dag->shape.first_out[v]);
            return;
        }
        e = first + (trod_edge)(roll / 8 % nout);
        take(a, e);
        if (leave != TROD_RETURNS_AGAIN || depth == 3 || roll % 2) {
            v = graph->dst_of_edge[e];
            continue;
        }
        go_on(a, graph->dst_of_edge[e], depth + 1);
        a->sum = sum;
        a->m.r = r;
        memset(a->m.trips, 0, sizeof a->m.trips);
    }
}

/* An activation is abandoned, or continues where a call returned for a second time. Its counters
 * have the paths up to then and nothing else, and the number of abandoned activations follows from
 * the number of those begun. Steps run out only in loops without an exit, whose iterations are in
 * trip counters: those are not compared.
 */
static bool tells_left(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_numbering numbering;
    struct trod_plan plan;
    struct sample s;
    bool ok = draw_plan(&plan, &numbering, &s, p), *exposed;

    if (ok && plan.placement != TROD_PLACE_TREE) {
        const struct trod_graph *graph = numbering.dag->graph;
        struct abandoned a = {.plan = &plan, .dice = sample_dice(p, 0, 1)};

        if (*planted)
            corrupt(&plan, p, &s.mem);
        exposed = trod_new(&s.mem, bool, graph->nnode);
        trod_graph_exposed(exposed, graph, &s.mem);
        a.exposed = exposed;
        a.sum = (uint64_t)numbering.val_of_edge[numbering.dag->shape
                .first_out[numbering.dag->shape.entry]];
        pass(&a.m, &plan, trod_site_in(graph));
        go_on(&a, graph->entry, 0);
        ok = a.step > MOST_STEPS || !plan.begins || a.m.begun == a.ended + a.left;
        for (uint32_t k = 0; k < a.m.n && a.step <= MOST_STEPS; k++)
            ok = ok && !a.m.by[k];
        ok = ok || fail_with(p, &s, &plan);
    }
    return sample_free(&s, ok);
}

/* --- cost ------------------------------------------------------------------------- */

static double price_of(const struct trod_plan *plan)
{
    const struct trod_dag *dag = plan->numbering->dag;
    double cost = 0;

    for (uint32_t site = 0; site < plan->nsite; site++)
        for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
            cost += (double)trod_site_weight(dag, site) *
                    trod_probe_price(&trod_prices_default, &plan->op[i], plan->ending);
    return cost;
}

/* What is said of a plan's cost is what its operations add up to. */
static bool is_priced(const struct trod_cost *cost, const struct trod_plan *plan)
{
    uint32_t nsite = 0, nop = 0;

    for (uint32_t site = 0; site < plan->nsite; site++)
        nsite += plan->first_op[site] < plan->first_op[site + 1];
    for (uint32_t kind = 0; kind <= TROD_OP_FLUSH; kind++)
        nop += cost->nop_of_kind[kind];
    return cost->nop == plan->first_op[plan->nsite] && cost->nop == nop &&
           cost->nsite == nsite && cost->dynamic == price_of(plan);
}

/* Trip counters are used where they pay. */
static bool trips_pay(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_numbering n;
    struct sample s;
    bool ok = sample_build(&s, &small, p) && sample_numbering(&n, &s, p);

    for (int i = 0; ok && i < 3; i++) {
        struct trod_probe_options options = {.placement = (enum trod_placement)i};
        struct trod_plan with, without;
        struct trod_cost less, more;

        trod_probe_plan(&with, &n, &s.view.loops, &options, &s.mem);
        options.no_trips = true;
        trod_probe_plan(&without, &n, &s.view.loops, &options, &s.mem);
        trod_probe_cost(&less, &with, &trod_prices_default, &s.mem);
        trod_probe_cost(&more, &without, &trod_prices_default, &s.mem);
        ok = is_priced(&less, &with) && is_priced(&more, &without) &&
             (*planted ? less.dynamic >= more.dynamic : less.dynamic <= more.dynamic);
        if (!ok) {
            kit_note(
                p, "%g with trip counters, %g without", less.dynamic, more.dynamic);
            fail_with(p, &s, &with);
        }
    }
    return sample_free(&s, ok);
}

/* How often r is added to. */
static double adds_of(const struct trod_plan *plan)
{
    double adds = 0;

    for (uint32_t site = 0; site < plan->nsite; site++)
        for (uint32_t i = plan->first_op[site]; i < plan->first_op[site + 1]; i++)
            if (plan->op[i].kind == TROD_OP_ADD)
                adds += (double)trod_site_weight(plan->numbering->dag, site);
    return adds;
}

/* Against the tree, the frontier adds no more often. */
static bool frontier_adds_less(struct kit_prop *p, void *ctx)
{
    struct trod_probe_options options = {.no_trips = true};
    const bool *planted = ctx;
    struct trod_plan frontier, tree;
    struct trod_numbering n;
    struct sample s;
    bool ok = sample_build(&s, &small, p) && sample_numbering(&n, &s, p);

    if (ok && !s.graph.leave_of_node) {
        trod_probe_plan(&frontier, &n, &s.view.loops, &options, &s.mem);
        options.placement = TROD_PLACE_TREE;
        trod_probe_plan(&tree, &n, &s.view.loops, &options, &s.mem);
        ok = *planted ? adds_of(&tree) <= adds_of(&frontier)
                      : adds_of(&frontier) <= adds_of(&tree);
        if (!ok) {
            kit_note(p, "the frontier adds %g times, the tree %g", adds_of(&frontier),
                adds_of(&tree));
            fail_with(p, &s, &tree);
            fail_with(p, &s, &frontier);
        }
    }
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;
static enum look both = BOTH, corrupt_all = CORRUPT_ALL,
                 corrupt_linear = CORRUPT_LINEAR;

static void test_checks(void **state)
{
    (void)state;
    kit_check("plans pass both checks", passes, &both);
    kit_check_planted("walks see a changed operation", passes, &corrupt_all);
    kit_check_planted("the proof sees a changed operation", passes, &corrupt_linear);
}

static void test_proof(void **state)
{
    (void)state;
    kit_check("what is proved is true", proof_is_sound, NULL);
}

static void test_counts(void **state)
{
    (void)state;
    kit_check("walks are counted by their sums", counts, &sound);
    kit_check_planted("an operation changed", counts, &faulty);
}

static void test_left(void **state)
{
    (void)state;
    kit_check("abandoned activations follow from begun ones", tells_left, &sound);
    kit_check_planted("an operation changed, and it is left", tells_left, &faulty);
}

static void test_cost(void **state)
{
    (void)state;
    kit_check("trip counters pay", trips_pay, &sound);
    kit_check_planted("trip counters never pay", trips_pay, &faulty);
}

static void test_frontier(void **state)
{
    (void)state;
    kit_check("the frontier adds no more than the tree", frontier_adds_less, &sound);
    kit_check_planted("the tree adds no more", frontier_adds_less, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checks),
        cmocka_unit_test(test_proof),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_left),
        cmocka_unit_test(test_cost),
        cmocka_unit_test(test_frontier),
    };

    return cmocka_run_group_tests_name("probe", tests, NULL, NULL);
}
