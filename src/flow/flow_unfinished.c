#include "flow/flow.h"

#include <string.h>

/* An unfinished path went from a start to some block where it stopped. All ways between the two form a part of the
 * DAG. In topological order, a block is on all of these ways if no edge of that part leads past it. Such blocks ran;
 * others on the way may have.
 */

/* What is known of one function while its unfinished paths are added. */
struct unfinished {
    struct trod_flow *flow;
    const struct trod_dag *dag;
    struct trod_arena *mem;
    bool killed;         /* some process may have stopped between calls */
    bool *stop;          /* [nnode] where a path may have stopped */
    uint64_t *lost;      /* [nnode] paths that started there and have no count */
    uint64_t entry_lost; /* of those at the entry: paths that began with the function */
    uint64_t rest;       /* paths that started at one of several nodes */
    bool *rest_start;    /* [nnode] at these */
    bool more;           /* there may have been others like these */
    uint64_t *shared;    /* [nnode] paths that started there or elsewhere, and are added */
    uint64_t nshared;    /* all of these */
    uint32_t *position;  /* [nnode] in topological order; TROD_NONE: unreachable */
    bool *from, *to;     /* [nnode] */
};

/* --- how many are missing, and where they started ---------------------------------------------------------------- */

static uint64_t sum_in(const struct trod_flow *flow, trod_node v)
{
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    uint64_t in = v == g->entry ? flow->entered : 0;

    for (uint32_t k = g->first_in[v]; k < g->first_in[v + 1]; k++)
        in = trod_sat_add(in, flow->count_of_edge[g->in_edge[k]]);
    return in;
}

static struct trod_flow_lost lost_at(const struct trod_flow *flow, trod_node v)
{
    uint64_t in, count = flow->count_of_node[v];

    if (flow->entry->numbering.dag->start_of_node[v] == TROD_NONE)
        return (struct trod_flow_lost){0};
    in = sum_in(flow, v);
    if (in == UINT64_MAX || count == UINT64_MAX)
        return (struct trod_flow_lost){0};
    return (struct trod_flow_lost){
        in > count ? in - count : 0, in < count ? count - in : 0};
}

struct trod_flow_lost trod_flow_lost(const struct trod_flow *flow)
{
    struct trod_flow_lost lost = {0};

    if (!flow->count_of_node)
        return lost;
    for (trod_node v = 0; v < flow->entry->numbering.dag->graph->nnode; v++) {
        struct trod_flow_lost here = lost_at(flow, v);

        lost.lost = trod_sat_add(lost.lost, here.lost);
        lost.before = trod_sat_add(lost.before, here.before);
    }
    return lost;
}

/* --- the ways between some starts and some stops ------------------------------------------------------------------ */

static bool is_block(const struct trod_dag *dag, trod_node v)
{
    return v < dag->graph->nnode;
}

static bool is_on(const struct unfinished *u, trod_node v)
{
    return is_block(u->dag, v) && u->from[v] && u->to[v];
}

static void find_ways(struct unfinished *u, const bool *start, const bool *stop)
{
    const struct trod_graph *s = &u->dag->shape;

    memcpy(u->from, start, u->dag->graph->nnode * sizeof *start);
    memcpy(u->to, stop, u->dag->graph->nnode * sizeof *stop);
    for (uint32_t i = 0; i < u->dag->nreach; i++) {
        trod_node v = u->dag->topo[i];

        if (!is_block(u->dag, v) || !u->from[v])
            continue;
        for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++)
            if (u->dag->kind_of_edge[e] == TROD_DAG_REAL)
                u->from[s->dst_of_edge[e]] = true;
    }
    for (uint32_t i = u->dag->nreach; i-- > 0;) {
        trod_node v = u->dag->topo[i];

        for (trod_edge e = s->first_out[v];
            is_block(u->dag, v) && e < s->first_out[v + 1]; e++)
            if (u->dag->kind_of_edge[e] == TROD_DAG_REAL && u->to[s->dst_of_edge[e]])
                u->to[v] = true;
    }
}

static void add_node(struct unfinished *u, trod_node v, uint64_t count)
{
    if (count)
        u->flow->count_of_node[v] = trod_sat_add(u->flow->count_of_node[v], count);
    else
        trod_add(u->flow->unsure_nodes, v);
}

/* How many edges out of a block are on the way, and one of them. */
static uint32_t count_edges(
    const struct unfinished *u, trod_node v, trod_edge *one, uint32_t *far)
{
    const struct trod_graph *s = &u->dag->shape;
    uint32_t n = 0;

    for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++) {
        trod_node w = s->dst_of_edge[e];

        if (u->dag->kind_of_edge[e] != TROD_DAG_REAL || !is_on(u, w))
            continue;
        *one = u->dag->origin_of_edge[e];
        *far = u->position[w] > *far ? u->position[w] : *far;
        n++;
    }
    return n;
}

static void doubt_edges(struct unfinished *u, trod_node v)
{
    const struct trod_graph *s = &u->dag->shape;

    for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++)
        if (u->dag->kind_of_edge[e] == TROD_DAG_REAL && is_on(u, s->dst_of_edge[e]))
            trod_add(u->flow->unsure_edges, u->dag->origin_of_edge[e]);
}

/* The edges out of a block that are on the way; how far they lead. */
static uint32_t add_edges(
    struct unfinished *u, trod_node v, bool ends, uint64_t count, uint32_t far)
{
    struct trod_flow *flow = u->flow;
    trod_edge one = TROD_NONE;
    uint32_t n = count_edges(u, v, &one, &far);

    if (count && n == 1 && !ends)
        flow->count_of_edge[one] = trod_sat_add(flow->count_of_edge[one], count);
    else
        doubt_edges(u, v);
    if (count && n == 0)
        flow->stopped_of_node[v] = trod_sat_add(flow->stopped_of_node[v], count);
    return far;
}

/* Paths that went from one of the starts to one of the stops; count: how many there were at least. */
static void add_ways(
    struct unfinished *u, const bool *start, const bool *stop, uint64_t count)
{
    uint32_t far = 0;
    bool stopped = false;

    find_ways(u, start, stop);
    for (trod_node v = 0; v < u->dag->graph->nnode; v++)
        if (start[v] && is_on(u, v) && u->position[v] > far)
            far = u->position[v];
    for (uint32_t i = 0; i < u->dag->nreach; i++) {
        trod_node v = u->dag->topo[i];
        uint64_t certain = !stopped && far <= i ? count : 0;

        if (!is_on(u, v))
            continue;
        add_node(u, v, certain);
        far = add_edges(u, v, stop[v], certain, far);
        stopped |= stop[v];
    }
}

static void add_ways_from(struct unfinished *u, trod_node v, uint64_t count)
{
    bool *start = trod_new(u->mem, bool, u->dag->graph->nnode);

    start[v] = true;
    add_ways(u, start, u->stop, count);
}

/* --- places that are known ------------------------------------------------------------------------------------------ */

/* The start of the path, and how many edges of the graph lead from it to the block; false: there is no such path. */
static bool decode(struct unfinished *u, trod_edge *step, uint32_t *n, trod_node *last,
    const struct trod_flow_stop *stop)
{
    const struct trod_numbering *numbering = &u->flow->entry->numbering;
    uint32_t nnode = u->dag->graph->nnode;
    uint32_t all;

    *last = (trod_node)(stop->place % nnode);
    if (stop->place / nnode >= numbering->npath)
        return false;
    all = trod_number_decode(step, numbering, stop->place / nnode);
    for (*n = 0; *n < all; ++*n)
        if (u->dag->shape.dst_of_edge[step[*n]] == *last)
            return true;
    return false;
}

/* Where a process may have been killed between calls, it may have gone on to anything before the next such call. */
static void add_beyond(struct unfinished *u, trod_node last)
{
    const struct trod_graph *s = &u->dag->shape;

    memset(u->from, 0, u->dag->graph->nnode * sizeof *u->from);
    u->from[last] = true;
    for (uint32_t i = 0; i < u->dag->nreach; i++) {
        trod_node v = u->dag->topo[i];

        if (!is_block(u->dag, v) || !u->from[v] ||
            (v != last && trod_graph_leave(u->dag->graph, v) != TROD_STAYS))
            continue;
        for (trod_edge e = s->first_out[v]; e < s->first_out[v + 1]; e++)
            if (u->dag->kind_of_edge[e] == TROD_DAG_REAL) {
                u->from[s->dst_of_edge[e]] = true;
                trod_add(u->flow->unsure_nodes, s->dst_of_edge[e]);
                trod_add(u->flow->unsure_edges, u->dag->origin_of_edge[e]);
            }
    }
}

static void raise(uint64_t *count, uint64_t by, uint64_t least)
{
    *count = trod_sat_add(*count, by);
    *count = *count < least ? least : *count;
}

/* Of the paths that are missing at a start, at most so many. */
static uint64_t take_lost(struct unfinished *u, trod_node first, uint64_t count)
{
    uint64_t own = count < u->lost[first] ? count : u->lost[first];
    uint64_t rest = u->rest_start[first] && !u->killed ? count - own : 0;

    rest = rest < u->rest ? rest : u->rest;
    u->lost[first] -= own;
    u->rest -= rest;
    return own + rest;
}

static void enter(struct unfinished *u, uint64_t by, uint64_t least)
{
    u->entry_lost -= by < u->entry_lost ? by : u->entry_lost;
    raise(&u->flow->entered, by, least);
}

/* As many as are missing at the start are added. More may be known: the path began in another process, before it forked, or
 * ended after all, before the process was killed. Then its blocks ran at least that often.
 */
static void add_stop(
    struct unfinished *u, trod_edge *step, const struct trod_flow_stop *stop)
{
    const struct trod_graph *s = &u->dag->shape;
    struct trod_flow *flow = u->flow;
    trod_node last;
    uint64_t by;
    uint32_t n;

    if (!decode(u, step, &n, &last, stop))
        return;
    by = take_lost(u, s->dst_of_edge[step[0]], stop->count);
    flow->loose |= by < stop->count;
    if (u->dag->kind_of_edge[step[0]] == TROD_DAG_ENTER)
        enter(u, by, stop->count);
    for (uint32_t i = 0; i <= n; i++) {
        trod_edge origin = u->dag->origin_of_edge[step[i]];

        raise(&flow->count_of_node[s->dst_of_edge[step[i]]], by, stop->count);
        if (origin != TROD_NONE)
            raise(&flow->count_of_edge[origin], by, stop->count);
    }
    flow->stopped_of_node[last] = trod_sat_add(flow->stopped_of_node[last], by);
    if (u->killed)
        add_beyond(u, last);
}

/* --- blocks that are known ------------------------------------------------------------------------------------------ */

/* The blocks that call something on this line which may not return; false if there is none, or if that is not certain: before a
 * call that never returns a path has ended, and nothing is unfinished.
 */
static bool find_blocks(bool *out, const struct trod_map_entry *entry, uint32_t line)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    uint32_t nnode = g->nnode;
    bool any = false;

    memset(out, 0, nnode * sizeof *out);
    if (!line || !entry->first_callee || !entry->line_of_callee)
        return false;
    for (trod_node v = 0; v < nnode; v++)
        for (uint32_t i = entry->first_callee[v]; i < entry->first_callee[v + 1]; i++)
            if (entry->line_of_callee[i] == line)
                any = out[v] = true;
    for (trod_node v = 0; v < nnode; v++)
        if (out[v] && trod_graph_leave(g, v) == TROD_STAYS &&
            g->first_out[v] == g->first_out[v + 1])
            return false;
        else
            out[v] = out[v] && trod_graph_leave(g, v) != TROD_STAYS;
    return any;
}

/* Starts from which paths are missing that may have gone to one of the blocks; how many there are. */
static uint32_t find_starts(struct unfinished *u, bool *start, const bool *stop)
{
    uint32_t nnode = u->dag->graph->nnode, n = 0;

    for (trod_node v = 0; v < nnode; v++)
        start[v] = u->lost[v] || ((u->rest || u->more) && u->rest_start[v]);
    find_ways(u, start, stop);
    for (trod_node v = 0; v < nnode; v++) {
        start[v] = start[v] && is_on(u, v);
        n += start[v];
    }
    return n;
}

/* What is taken from the rest at the entry began with the function. */
static void take_from(struct unfinished *u, trod_node v, uint64_t count)
{
    uint64_t rest = u->rest;

    take_lost(u, v, count);
    if (v == u->dag->graph->entry)
        raise(&u->flow->entered, rest - u->rest, 0);
}

/* Of one start, the paths are taken from those that are missing there; of several, nobody knows from which. */
static void account(struct unfinished *u, const bool *start, uint32_t n, uint64_t count)
{
    for (trod_node v = 0; v < u->dag->graph->nnode; v++) {
        if (!start[v])
            continue;
        if (n == 1)
            take_from(u, v, count);
        else
            u->shared[v] = trod_sat_add(u->shared[v], count);
    }
    u->nshared += n > 1 ? count : 0;
}

/* No path is missing that could have gone there: it began in another process, before that forked. */
static void add_foreign(struct unfinished *u, bool *start, const bool *stop, uint64_t count)
{
    uint32_t nnode = u->dag->graph->nnode, n = 0;
    trod_node one = 0;

    for (trod_node v = 0; v < nnode; v++) {
        start[v] = v == u->dag->graph->entry || u->dag->start_of_node[v] != TROD_NONE;
        one = stop[v] ? v : one;
        n += stop[v];
    }
    u->flow->loose = true;
    add_ways(u, start, stop, 0);
    if (n == 1)
        raise(&u->flow->count_of_node[one], 0, count);
}

static void add_frame(struct unfinished *u, const struct trod_flow_frame *frame)
{
    uint32_t nnode = u->dag->graph->nnode, n;
    bool *start = trod_new(u->mem, bool, nnode), *stop = trod_new(u->mem, bool, nnode);
    uint64_t left = u->rest;

    if (!find_blocks(stop, u->flow->entry, frame->line))
        return;
    for (trod_node v = 0; v < nnode; v++)
        left = trod_sat_add(left, u->lost[v]);
    n = u->more || left > u->nshared ? find_starts(u, start, stop) : 0;
    if (!n) {
        add_foreign(u, start, stop, frame->count);
        return;
    }
    add_ways(u, start, stop, frame->count);
    account(u, start, n, frame->count);
}

/* --- one function ---------------------------------------------------------------------------------------------------- */

static bool is_again(const struct unfinished *u, trod_node v)
{
    return trod_graph_leave(u->dag->graph, v) == TROD_RETURNS_AGAIN;
}

/* Activations that were abandoned and are missing at no start: their paths started at the entry, or behind a call that
 * returned again, which no edge tells.
 */
static void spread_rest(struct unfinished *u, uint64_t rest)
{
    const struct trod_graph *g = u->dag->graph;
    bool *start = u->rest_start;
    uint32_t n = 0;

    start[g->entry] = true;
    find_ways(u, start, u->stop);
    start[g->entry] = is_on(u, g->entry);
    for (trod_node v = 0; v < g->nnode; v++) {
        start[v] |= is_again(u, v) && u->position[v] != TROD_NONE;
        n += start[v];
    }
    if (n > 1) {
        u->rest = rest;
        return;
    }
    u->entry_lost = start[g->entry] ? rest : 0;
    for (trod_node v = 0; v < g->nnode; v++)
        u->lost[v] = trod_sat_add(u->lost[v], start[v] ? rest : 0);
}

static void fill_lost(struct unfinished *u)
{
    const struct trod_graph *g = u->dag->graph;
    bool *exposed = trod_new(u->mem, bool, g->nnode);
    uint64_t all = 0, before = 0, abandoned = 0;

    trod_graph_exposed(exposed, g, u->mem);
    for (trod_node v = 0; v < g->nnode; v++) {
        u->lost[v] = lost_at(u->flow, v).lost;
        all = trod_sat_add(all, u->lost[v]);
        if (is_again(u, v) || (u->killed && !exposed[v]))
            before = trod_sat_add(before, u->lost[v]);
    }
    if (u->flow->begun > u->flow->ended)
        abandoned = u->flow->begun - u->flow->ended;
    /* A path that stopped before it was begun is missing at its start all the same: killed before it called anything, or in
     * the block that a call returns to again.
     */
    u->more = before && abandoned > all - before;
    u->flow->unfinished = abandoned > all ? abandoned : all;
    spread_rest(u, abandoned > all ? abandoned - all : 0);
}

static void fill_places(struct unfinished *u)
{
    uint32_t nnode = u->dag->graph->nnode;

    u->stop = trod_new(u->mem, bool, nnode);
    u->rest_start = trod_new(u->mem, bool, nnode);
    u->lost = trod_new(u->mem, uint64_t, nnode);
    u->shared = trod_new(u->mem, uint64_t, nnode);
    u->from = trod_new(u->mem, bool, nnode);
    u->to = trod_new(u->mem, bool, nnode);
    u->position = trod_new(u->mem, uint32_t, nnode);
    memset(u->position, 0xff, nnode * sizeof *u->position);
    for (uint32_t i = 0; i < u->dag->nreach; i++)
        if (is_block(u->dag, u->dag->topo[i]))
            u->position[u->dag->topo[i]] = i;
    for (trod_node v = 0; v < nnode; v++)
        u->stop[v] = u->killed || trod_graph_leave(u->dag->graph, v) != TROD_STAYS;
}

/* Those of which nothing is known but where they started. */
static void add_rest(struct unfinished *u)
{
    uint32_t nnode = u->dag->graph->nnode;
    uint64_t left = u->rest;

    for (trod_node v = 0; v < nnode; v++)
        left = trod_sat_add(left, u->lost[v]);
    for (trod_node v = 0; left > u->nshared && v < nnode; v++)
        if (u->lost[v])
            add_ways_from(u, v,
                u->lost[v] > u->shared[v] ? u->lost[v] - u->shared[v] : 0);
    if (u->rest && left > u->nshared)
        add_ways(
            u, u->rest_start, u->stop, u->rest > u->nshared ? u->rest - u->nshared : 0);
    if (u->more)
        add_ways(u, u->rest_start, u->stop, 0);
}

/* What the program noted itself is exact, and frames say the same. */
static void add_unfinished(struct unfinished *u, trod_edge *step,
    const struct trod_flow_frame *frame, size_t nframe)
{
    struct trod_flow *flow = u->flow;

    fill_places(u);
    fill_lost(u);
    for (size_t i = 0; i < flow->nstop; i++)
        add_stop(u, step, &flow->stop[i]);
    for (size_t i = 0; !flow->nstop && i < nframe; i++)
        add_frame(u, &frame[i]);
    add_rest(u);
    raise(&flow->entered, u->entry_lost, 1);
}

/* --- all functions --------------------------------------------------------------------------------------------------- */

/* Did some process not come to its end in order? */
static bool was_killed(const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nrun; i++) {
        const struct trod_profile_run *run = &profile->run[i];
        bool order = false;

        for (uint32_t k = 0; k < run->nfield; k++)
            order |= strcmp(run->field[k].key, "exit") == 0 &&
                     strcmp(run->field[k].value, "order") == 0;
        if (!order)
            return true;
    }
    return false;
}

/* Modes in which each path that ends is counted where it ends, by the program itself. */
static bool counts_ends(const struct trod_profile *profile)
{
    enum trod_format_mode mode =
        profile->nmodule ? profile->module[0].mode : TROD_MODE_SOURCE;

    return trod_profile_is_exact(profile) && !trod_profile_is_set(profile) &&
           (mode == TROD_MODE_SOURCE || mode == TROD_MODE_CODE ||
               mode > TROD_MODE_ROUNDS);
}

static bool may_be_unfinished(const struct trod_flow *flow, bool killed)
{
    return flow->entry && !flow->entry->nframe && !flow->partial &&
           flow->count_of_node && (flow->entry->begun || killed);
}

/* The one function that a frame is of, or NULL. Functions of one name are told apart by their units. */
static const struct trod_flow *flow_of(
    const struct trod_flows *flows, const struct trod_flow_frame *frame, bool killed)
{
    const struct trod_flow *found = NULL;
    uint32_t n = 0, nunit = 0;

    for (uint32_t i = 0; i < flows->map->nentry; i++) {
        const struct trod_flow *flow = &flows->of_entry[i];
        bool unit;

        if (!may_be_unfinished(flow, killed) ||
            strcmp(flow->entry->name, frame->function) != 0)
            continue;
        unit = frame->unit && strcmp(flow->entry->unit, frame->unit) == 0;
        if (unit || !nunit)
            found = flow;
        nunit += unit;
        n++;
    }
    return n == 1 || nunit == 1 ? found : NULL;
}

void trod_flows_add_unfinished(struct trod_flows *flows,
    const struct trod_profile *profile, const struct trod_flow_frames *frames,
    struct trod_arena *mem)
{
    size_t nframe = frames ? frames->count : 0;
    const struct trod_flow **of = trod_new(mem, const struct trod_flow *, nframe);
    struct trod_flow_frame *own = trod_new(mem, struct trod_flow_frame, nframe);
    bool killed = was_killed(profile);

    if (!counts_ends(profile))
        return;
    for (size_t i = 0; i < nframe; i++)
        of[i] = flow_of(flows, &frames->frame[i], killed);
    for (uint32_t i = 0; i < flows->map->nentry; i++) {
        struct trod_flow *flow = &flows->of_entry[i];
        struct unfinished u = {.flow = flow, .mem = mem, .killed = killed};
        struct trod_mark mark;
        size_t n = 0;

        if (!may_be_unfinished(flow, killed))
            continue;
        for (size_t k = 0; k < nframe; k++)
            if (of[k] == flow)
                own[n++] = frames->frame[k];
        u.dag = flow->entry->numbering.dag;
        flow->stopped_of_node = trod_new(mem, uint64_t, u.dag->graph->nnode);
        flow->unsure_nodes = trod_new(mem, uint64_t, TROD_WORDS(u.dag->graph->nnode));
        flow->unsure_edges = trod_new(mem, uint64_t, TROD_WORDS(u.dag->graph->nedge));
        mark = trod_arena_mark(mem);
        add_unfinished(&u, flows->map->step, own, n);
        trod_arena_rewind(mem, mark);
    }
}
