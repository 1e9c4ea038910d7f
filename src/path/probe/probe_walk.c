#include "probe/probe.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

/* --- an interpreter of plans --------------------------------------------- */

/* The initial value of r, which must not matter. */
#define JUNK UINT64_C(0x7ec0de0badc0ffee)

struct machine {
    const struct trod_plan *plan;
    uint64_t r;
    uint64_t *trips; /* [nloop] */
    void (*counted)(void *ctx, int64_t sum, uint64_t by, enum trod_action action);
    void *ctx;
};

static void count(struct machine *m, uint64_t sum, uint64_t by, enum trod_action action)
{
    if (by)
        m->counted(m->ctx, (int64_t)sum, by, action);
}

static void flush(struct machine *m, const struct trod_op *op)
{
    uint64_t *trips = &m->trips[op->loop];

    if (!*trips)
        return;
    count(m, m->r + (uint64_t)op->value, 1, TROD_ACTION_COUNT);
    count(m, (uint64_t)op->again + (uint64_t)op->value, *trips - 1, TROD_ACTION_COUNT);
    m->r = (uint64_t)op->again;
    *trips = 0;
}

static void carry_out(struct machine *m, const struct trod_op *op)
{
    switch (op->kind) {
    case TROD_OP_SET:
        m->r = (uint64_t)op->value;
        break;
    case TROD_OP_ADD:
        m->r += (uint64_t)op->value;
        break;
    case TROD_OP_COUNT:
        count(m, m->r + (uint64_t)op->value, 1, op->action);
        break;
    case TROD_OP_COUNT_AT:
        count(m, (uint64_t)op->value, 1, op->action);
        break;
    case TROD_OP_BUMP:
        m->trips[op->loop]++;
        break;
    case TROD_OP_FLUSH:
        flush(m, op);
        break;
    case TROD_OP_BEGIN: /* not part of a path */
    case TROD_OP_NONE:
        break;
    }
}

static void pass(struct machine *m, uint32_t site)
{
    for (uint32_t i = m->plan->first_op[site]; i < m->plan->first_op[site + 1]; i++)
        carry_out(m, &m->plan->op[i]);
}

void trod_probe_walk(const struct trod_plan *plan, const trod_edge *edge_of_step,
    uint32_t nstep, bool left, struct trod_arena *mem,
    void (*counted)(void *ctx, int64_t sum, uint64_t by, enum trod_action action),
    void *ctx)
{
    const struct trod_graph *graph = plan->numbering->dag->graph;
    trod_node last = nstep ? graph->dst_of_edge[edge_of_step[nstep - 1]] : graph->entry;
    struct machine m = {.plan = plan,
        .r = JUNK,
        .trips = trod_new(mem, uint64_t, plan->nloop),
        .counted = counted,
        .ctx = ctx};

    pass(&m, trod_site_in(graph));
    for (uint32_t i = 0; i < nstep; i++)
        pass(&m, edge_of_step[i]);
    if (left) {
        pass(&m, trod_site_out(graph, last));
        return;
    }
    for (uint32_t i = 0; i < plan->first_op[plan->nsite]; i++)
        if (plan->op[i].kind == TROD_OP_FLUSH)
            flush(&m, &plan->op[i]);
}

/* --- the oracle ---------------------------------------------------------- */

/* The amount added to a counter; negative: the amount expected. */
struct entry {
    int64_t index;
    int64_t by;
};

struct ledger {
    struct trod_arena *mem;
    const struct trod_choice *choice; /* NULL: entries are sums */
    struct entry *entry;
    size_t count, room;
};

struct oracle {
    const struct trod_plan *plan;
    const struct trod_choice *choice; /* or NULL */
    const struct trod_dag *dag;
    const int64_t *val;
    struct trod_arena *mem;
    struct trod_err *err;
    bool *certain;          /* [dag nodes], all ways to EXIT have the same sum */
    uint64_t *rest;         /* [dag nodes], that sum */
    trod_edge *way_to_node; /* [graph nodes], last edge of a shortest walk to it */
    trod_edge *walk;        /* room for the longest walk */
    bool ok;
};

static void enter(struct ledger *ledger, uint64_t index, int64_t by)
{
    trod_push(ledger->mem, ledger->entry, ledger->count, ledger->room,
        (struct entry){(int64_t)index, by});
}

/* With a choice, entries are paths: twice the id, plus 1 if the path is not of interest or was not recognised. */
static uint64_t entry_of(trod_path id, bool is_reported)
{
    return 2 * id + is_reported;
}

static bool is_of_interest(const struct trod_choice *choice, trod_path id)
{
    const struct trod_pathset *paths = &choice->interest.paths;

    return trod_is_among(paths->id, paths->count, id);
}

/* What the generated code does with a sum. */
static void enter_action(
    struct ledger *ledger, int64_t sum, uint64_t by, enum trod_action action)
{
    const struct trod_ending *ending = &ledger->choice->ending;
    struct trod_look look = trod_ending_look(ending, sum);
    bool counts = trod_wants_counts(ending->want) || ending->kind == TROD_END_ALL;

    if (action == TROD_ACTION_PASS)
        return;
    if (action == TROD_ACTION_STRAY) {
        look.hit = (uint64_t)sum >> ending->low_bits == 0;
        action = TROD_ACTION_ASK;
    }
    if (action == TROD_ACTION_REPORT || (action == TROD_ACTION_ASK && !look.hit)) {
        if (trod_wants_others(ending->want))
            enter(ledger, entry_of(look.id, true), (int64_t)by);
        return;
    }
    /* The counter belongs to no path, or to one that is not wanted. */
    if (!counts || look.id == TROD_NO_PATH ||
        (!trod_wants_others(ending->want) && !is_of_interest(ledger->choice, look.id)))
        return;
    enter(ledger, entry_of(look.id, !is_of_interest(ledger->choice, look.id)),
        (int64_t)by);
}

static void enter_counted(void *ctx, int64_t sum, uint64_t by, enum trod_action action)
{
    struct ledger *ledger = ctx;

    if (ledger->choice)
        enter_action(ledger, sum, by, action);
    else
        enter(ledger, (uint64_t)sum, (int64_t)by);
}

static bool is_cut(const struct trod_dag *dag, trod_edge e)
{
    return dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_END;
}

static trod_edge start_behind(const struct trod_dag *dag, trod_edge cut)
{
    return dag->start_of_node[dag->graph->dst_of_edge[cut]];
}

/* Divide the walk into paths and pass the edges of each to `fn`. A path that started after the last edge is omitted. */
static void each_path(const struct trod_dag *dag, const trod_edge *walk, uint32_t nstep,
    bool left, void (*fn)(void *ctx, const trod_edge *path, uint32_t length), void *ctx,
    struct trod_arena *mem)
{
    trod_edge *path = trod_new(mem, trod_edge, (size_t)nstep + 2);
    uint32_t n = 0;

    path[n++] = dag->shape.first_out[dag->shape.entry];
    for (uint32_t i = 0; i < nstep; i++) {
        path[n++] = dag->dag_of_edge[walk[i]];
        if (is_cut(dag, walk[i])) {
            fn(ctx, path, n);
            n = 0;
            path[n++] = start_behind(dag, walk[i]);
        }
    }
    if (left) {
        path[n] = dag->shape.first_out[dag->shape.dst_of_edge[path[n - 1]]];
        fn(ctx, path, n + 1);
    }
}

struct expectation {
    const struct oracle *oracle;
    struct ledger *ledger;
};

/* Is the path missing in the table, so that it is reported and filtered later? */
static bool is_left_out(
    const struct trod_choice *choice, const trod_edge *path, uint32_t length)
{
    return choice->kind == TROD_END_PREFER &&
           !trod_ending_look(
               &choice->ending, trod_number_sum(&choice->numbering, path, length))
                .hit;
}

static void expect_path(struct ledger *ledger, const struct trod_choice *choice,
    const trod_edge *path, uint32_t length)
{
    trod_path id = (trod_path)trod_number_sum(&choice->ballarus, path, length);
    enum trod_want want = choice->ending.want;

    if (!is_of_interest(choice, id)) {
        if (trod_wants_others(want))
            enter(ledger, entry_of(id, true), -1);
    } else if (is_left_out(choice, path, length)) {
        enter(ledger, entry_of(id, true), -1);
    } else if (trod_wants_counts(want) || choice->kind == TROD_END_ALL) {
        enter(ledger, entry_of(id, false), -1);
    }
}

static void enter_expected(void *ctx, const trod_edge *path, uint32_t length)
{
    struct expectation *x = ctx;
    int64_t sum;

    if (x->oracle->choice) {
        expect_path(x->ledger, x->oracle->choice, path, length);
        return;
    }
    sum = trod_number_sum(x->oracle->plan->numbering, path, length);
    enter(x->ledger, (uint64_t)sum, -1);
}

static int by_index(const void *a, const void *b)
{
    int64_t x = ((const struct entry *)a)->index, y = ((const struct entry *)b)->index;

    return (x > y) - (x < y);
}

/* Sum up the entries of each index. Returns the first with a sum other than 0; if there is none, an entry with by = 0.
 */
static struct entry first_unbalanced(struct ledger *ledger)
{
    struct entry sum = {0};

    trod_sort(ledger->entry, ledger->count, by_index);
    for (size_t i = 0; i < ledger->count; i++) {
        if (ledger->entry[i].index != sum.index) {
            if (sum.by)
                return sum;
            sum.index = ledger->entry[i].index;
        }
        sum.by += ledger->entry[i].by;
    }
    return sum;
}

/* A path that has only one possible continuation. */
static bool expect_only(const struct oracle *o, struct ledger *ledger, trod_edge start)
{
    const struct trod_graph *g = &o->dag->shape;
    trod_edge *path = trod_new(o->mem, trod_edge, o->dag->nreach);
    uint32_t n = 0;

    for (trod_edge e = start;; e = g->first_out[g->dst_of_edge[e]]) {
        trod_node v = g->dst_of_edge[e];

        path[n++] = e;
        if (v == o->dag->exit)
            break;
        if (g->first_out[v + 1] - g->first_out[v] != 1)
            return false;
    }
    expect_path(ledger, o->choice, path, n);
    return true;
}

/* The path that started after the walk may already be counted, if only one is possible. */
static bool expect_begun(const struct oracle *o, struct ledger *ledger, trod_edge start)
{
    trod_node v = o->dag->shape.dst_of_edge[start];

    if (o->choice)
        return expect_only(o, ledger, start);
    if (o->certain[v])
        enter(ledger, (uint64_t)o->val[start] + o->rest[v], -1);
    return o->certain[v];
}

/* needs:  a walk that ends with a path */
static struct entry compare(
    const struct oracle *o, const trod_edge *walk, uint32_t nstep, bool left)
{
    struct trod_mark mark = trod_arena_mark(o->mem);
    struct ledger ledger = {.mem = o->mem, .choice = o->choice};
    struct expectation expecting = {o, &ledger};
    struct entry off;

    trod_probe_walk(o->plan, walk, nstep, left, o->mem, enter_counted, &ledger);
    each_path(o->dag, walk, nstep, left, enter_expected, &expecting, o->mem);
    off = first_unbalanced(&ledger);
    if (off.by && !left &&
        expect_begun(o, &ledger, start_behind(o->dag, walk[nstep - 1])))
        off = first_unbalanced(&ledger);
    trod_arena_rewind(o->mem, mark);
    return off;
}

struct last_path {
    const struct oracle *oracle;
    struct trod_string text;
};

static void note_path(void *ctx, const trod_edge *path, uint32_t length)
{
    struct last_path *last = ctx;

    trod_string_init(&last->text, last->oracle->mem);
    trod_trail_print(&last->text.sink, last->oracle->dag, path, length);
}

static void blame(struct oracle *o, const trod_edge *walk, uint32_t nstep, bool left,
    struct entry off)
{
    struct last_path last = {.oracle = o};

    each_path(o->dag, walk, nstep, left, note_path, &last, o->mem);
    o->ok = trod_fail(o->err, TROD_E_INTERNAL,
        "plan of '%.60s': after the path '%.200s' counter %" PRId64
        " is off by %" PRId64 "; please report this with the graph",
        o->dag->graph->name, last.text.text, off.index, off.by);
}

/* Compare counters at the end of the walk. If they differ, shorten the walk to the first difference, so that its last
 * path is the wrong one.
 */
static void try_walk(struct oracle *o, const trod_edge *walk, uint32_t nstep, bool left)
{
    struct entry off = compare(o, walk, nstep, left);

    if (!off.by)
        return;
    for (uint32_t n = 1; n < nstep; n++) {
        struct entry earlier = {0};

        if (is_cut(o->dag, walk[n - 1]))
            earlier = compare(o, walk, n, false);
        if (earlier.by) {
            blame(o, walk, n, false, earlier);
            return;
        }
    }
    blame(o, walk, nstep, left, off);
}

/* --- walks to try -------------------------------------------------------- */

/* Breadth-first search; the entry has no edge. */
static void fill_ways(
    trod_edge *way_to_node, const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    trod_node *queue = trod_new(mem, trod_node, graph->nnode);
    uint32_t n = 0;

    for (trod_node v = 0; v < graph->nnode; v++)
        way_to_node[v] = TROD_NONE;
    queue[n++] = graph->entry;
    for (uint32_t i = 0; i < n; i++) {
        trod_node v = queue[i];

        for (trod_edge e = graph->first_out[v]; e < graph->first_out[v + 1]; e++) {
            trod_node w = graph->dst_of_edge[e];

            if (w != graph->entry && way_to_node[w] == TROD_NONE) {
                way_to_node[w] = e;
                queue[n++] = w;
            }
        }
    }
    trod_arena_rewind(mem, mark);
}

/* The shortest walk to a node, written to o->walk. */
static uint32_t walk_to(struct oracle *o, trod_node node)
{
    const struct trod_graph *graph = o->dag->graph;
    uint32_t length = 0, n;

    for (trod_node v = node; v != graph->entry;
        v = graph->src_of_edge[o->way_to_node[v]])
        length++;
    n = length;
    for (trod_node v = node; v != graph->entry;
        v = graph->src_of_edge[o->way_to_node[v]])
        o->walk[--n] = o->way_to_node[v];
    return length;
}

/* Follow a path whose first node the walk has reached. */
static void try_along(
    struct oracle *o, uint32_t nwalk, const trod_edge *path, uint32_t length)
{
    for (uint32_t i = 1; i < length; i++)
        if (o->dag->origin_of_edge[path[i]] != TROD_NONE)
            o->walk[nwalk++] = o->dag->origin_of_edge[path[i]];
    try_walk(
        o, o->walk, nwalk, o->dag->kind_of_edge[path[length - 1]] == TROD_DAG_LEAVE);
}

static bool try_path(void *ctx, const trod_edge *path, uint32_t length)
{
    struct oracle *o = ctx;
    const struct trod_graph *graph = o->dag->graph;
    trod_node v = o->dag->shape.dst_of_edge[path[0]];

    if (o->dag->kind_of_edge[path[0]] == TROD_DAG_ENTER)
        try_along(o, 0, path, length);
    else
        for (uint32_t i = graph->first_in[v]; i < graph->first_in[v + 1] && o->ok;
            i++) {
            trod_edge e = graph->in_edge[i];

            if (o->dag->dag_of_edge[e] != TROD_NONE && is_cut(o->dag, e)) {
                uint32_t n = walk_to(o, graph->src_of_edge[e]);

                o->walk[n++] = e;
                try_along(o, n, path, length);
            }
        }
    return o->ok;
}

/* A random walk to an exit, or to the first cut edge after a random number of steps. */
static void try_random(struct oracle *o, struct trod_rng *rng, uint32_t most)
{
    const struct trod_graph *graph = o->dag->graph;
    uint64_t enough = 1 + trod_rng_below(rng, most);
    trod_node v = graph->entry;
    uint32_t n = 0;

    while (graph->first_out[v] < graph->first_out[v + 1]) {
        uint32_t nout = graph->first_out[v + 1] - graph->first_out[v];
        trod_edge e = graph->first_out[v] + (trod_edge)trod_rng_below(rng, nout);

        o->walk[n++] = e;
        v = graph->dst_of_edge[e];
        if (n >= enough && is_cut(o->dag, e)) {
            try_walk(o, o->walk, n, false);
            return;
        }
    }
    try_walk(o, o->walk, n, true);
}

static void fill_rests(struct oracle *o)
{
    const struct trod_graph *g = &o->dag->shape;

    for (uint32_t i = o->dag->nreach; i-- > 0;) {
        trod_node v = o->dag->topo[i];
        trod_edge first = g->first_out[v];

        o->certain[v] = true;
        for (trod_edge e = first; e < g->first_out[v + 1]; e++) {
            uint64_t rest = (uint64_t)o->val[e] + o->rest[g->dst_of_edge[e]];

            if (!o->certain[g->dst_of_edge[e]] || (e > first && rest != o->rest[v]))
                o->certain[v] = false;
            o->rest[v] = rest;
        }
    }
}

static bool has_more_paths(
    const struct trod_dag *dag, uint64_t most, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *down = trod_new(mem, uint64_t, dag->shape.nnode);
    bool more;

    trod_dag_count(down, NULL, dag);
    more = down[dag->shape.entry] > most;
    trod_arena_rewind(mem, mark);
    return more;
}

static bool check_walks(const struct trod_plan *plan, const struct trod_choice *choice,
    uint64_t most, uint32_t nwalk, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_dag *dag = plan->numbering->dag;
    const struct trod_graph *graph = dag->graph;
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t enough = graph->nnode < UINT32_MAX / 16 ? 8 * graph->nnode : graph->nnode;
    struct oracle o = {.plan = plan,
        .choice = choice,
        .dag = dag,
        .val = plan->numbering->val_of_edge,
        .mem = mem,
        .err = err,
        .ok = true};
    struct trod_rng rng;

    assert(o.val);
    if (has_more_paths(dag, most, mem))
        return trod_fail(err, TROD_E_LIMIT,
            "'%.60s' has more than %" PRIu64
            " paths, too many to enumerate; raise the limit, or check the plan edge by edge",
            graph->name, most);
    o.certain = trod_new(mem, bool, dag->shape.nnode);
    o.rest = trod_new(mem, uint64_t, dag->shape.nnode);
    o.way_to_node = trod_new(mem, trod_edge, graph->nnode);
    /* Every walk reaches a cut edge or an exit within nnode steps. The walk to a cut edge and the path after it are
     * each shorter than nnode steps.
     */
    o.walk = trod_new(mem, trod_edge, (size_t)enough + 2 * (size_t)graph->nnode + 2);
    fill_rests(&o);
    fill_ways(o.way_to_node, graph, mem);
    trod_number_each(dag, most, try_path, &o, mem);
    trod_rng_init(&rng, 1);
    for (uint32_t i = 0; i < nwalk && o.ok; i++)
        try_random(&o, &rng, enough);
    trod_arena_rewind(mem, mark);
    return o.ok;
}

bool trod_probe_check_all(const struct trod_plan *plan, uint64_t most, uint32_t nwalk,
    struct trod_arena *mem, struct trod_err *err)
{
    return check_walks(plan, NULL, most, nwalk, mem, err);
}

bool trod_choice_check_all(const struct trod_choice *choice, uint64_t most,
    struct trod_arena *mem, struct trod_err *err)
{
    enum { WALKS = 20 };

    return choice->needless ||
           (trod_probe_check_all(&choice->plan, most, WALKS, mem, err) &&
               check_walks(&choice->plan, choice, most, WALKS, mem, err));
}
