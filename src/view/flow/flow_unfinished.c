#include "flow/unfinished.h"

#include <string.h>

/* --- missing paths, by start ------------------------------------------------------------------------------------- */

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

/* --- one function ------------------------------------------------------------------------------------------------- */

static bool is_again(const struct unfinished *u, trod_node v)
{
    return trod_graph_leave(u->dag->graph, v) == TROD_RETURNS_AGAIN;
}

/* Abandoned activations that are missing at no start. Their paths started at the entry, or after a call that returned a
 * second time, which no edge counts.
 */
static void spread_rest(struct unfinished *u, uint64_t rest)
{
    const struct trod_graph *g = u->dag->graph;
    bool *start = u->rest_start;
    uint32_t n = 0;

    start[g->entry] = true;
    trod_ways_find(u, start, u->stop);
    start[g->entry] = trod_ways_on(u, g->entry);
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
    /* A path that stopped before its activation was counted as begun is still missing at its start. It was killed
     * before its first call, or stopped in the block that a call returns to a second time.
     */
    u->more = before && abandoned > all - before;
    u->flow->unfinished = abandoned > all ? abandoned : all;
    spread_rest(u, abandoned > all ? abandoned - all : 0);
}

static void fill_places(struct unfinished *u)
{
    uint32_t nnode = u->dag->graph->nnode;

    u->stop = trod_new(u->mem, bool, nnode);
    u->likely = trod_new(u->mem, bool, nnode);
    u->rest_start = trod_new(u->mem, bool, nnode);
    u->lost = trod_new(u->mem, uint64_t, nnode);
    u->shared = trod_new(u->mem, uint64_t, nnode);
    u->from = trod_new(u->mem, bool, nnode);
    u->to = trod_new(u->mem, bool, nnode);
    u->position = trod_new(u->mem, uint32_t, nnode);
    memset(u->position, 0xff, nnode * sizeof *u->position);
    for (uint32_t i = 0; i < u->dag->nreach; i++)
        if (trod_ways_block(u->dag, u->dag->topo[i]))
            u->position[u->dag->topo[i]] = i;
    for (trod_node v = 0; v < nnode; v++) {
        u->stop[v] = u->killed || trod_graph_leave(u->dag->graph, v) != TROD_STAYS;
        u->likely[v] =
            u->stop[v] && trod_returning_stops(u->returning, u->flow->entry, v);
    }
}

/* Add paths of which only the start is known. If some start cannot reach a likely stop, a signal handler must have
 * abandoned the path, and every possible stop is considered.
 */
static void add_unknown(struct unfinished *u, const bool *start, uint64_t count)
{
    bool all = true;

    trod_ways_find(u, start, u->likely);
    for (trod_node v = 0; v < u->dag->graph->nnode; v++)
        all = all && (!start[v] || trod_ways_on(u, v));
    trod_ways_add(u, start, all ? u->likely : u->stop, count);
}

static void add_ways_from(struct unfinished *u, trod_node v, uint64_t count)
{
    bool *start = trod_new(u->mem, bool, u->dag->graph->nnode);

    start[v] = true;
    add_unknown(u, start, count);
}

/* Add the paths that neither stops nor frames explain. */
static void add_rest(struct unfinished *u)
{
    uint32_t nnode = u->dag->graph->nnode;
    uint64_t left = u->rest;

    for (trod_node v = 0; v < nnode; v++)
        left = trod_sat_add(left, u->lost[v]);
    for (trod_node v = 0; left > u->nshared && v < nnode; v++)
        if (u->lost[v])
            add_ways_from(
                u, v, u->lost[v] > u->shared[v] ? u->lost[v] - u->shared[v] : 0);
    if (u->rest && left > u->nshared)
        add_unknown(u, u->rest_start, u->rest > u->nshared ? u->rest - u->nshared : 0);
    if (u->more)
        add_unknown(u, u->rest_start, 0);
}

/* Stops recorded by the program are exact and include what frames say, so frames are used only without them. */
static void add_unfinished(struct unfinished *u, trod_edge *step,
    const struct trod_flow_frame *frame, size_t nframe)
{
    struct trod_flow *flow = u->flow;

    fill_places(u);
    fill_lost(u);
    for (size_t i = 0; i < flow->nstop; i++)
        trod_unfinished_stop(u, step, &flow->stop[i]);
    for (size_t i = 0; !flow->nstop && i < nframe; i++)
        trod_unfinished_frame(u, &frame[i]);
    add_rest(u);
    trod_unfinished_raise(&flow->entered, u->entry_lost, trod_flow_ran(flow));
}

/* --- all functions ------------------------------------------------------------------------------------------------ */

/* Did some process end other than by a normal exit? */
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

/* Was some process forked, or did it end in a signal handler? Then functions may have been abandoned even if their
 * counts do not show it.
 */
static bool is_mixed(const struct trod_profile *profile)
{
    for (uint32_t i = 0; i < profile->nrun; i++)
        for (uint32_t k = 0; k < profile->run[i].nfield; k++) {
            const struct trod_profile_field *f = &profile->run[i].field[k];

            if ((strcmp(f->key, "birth") == 0 && strcmp(f->value, "fork") == 0) ||
                (strcmp(f->key, "stack") == 0 && strcmp(f->value, "part") == 0))
                return true;
        }
    return false;
}

/* Does the program itself count every path, where it ends? */
static bool counts_ends(const struct trod_profile *profile)
{
    enum trod_format_mode mode =
        profile->nmodule ? profile->module[0].mode : TROD_MODE_SOURCE;

    return trod_profile_is_exact(profile) && !trod_profile_is_set(profile) &&
           (mode == TROD_MODE_SOURCE || mode == TROD_MODE_CODE ||
               mode > TROD_MODE_ITERATIONS);
}

static bool may_be_unfinished(const struct trod_flow *flow)
{
    return flow->entry && !flow->entry->nframe && !flow->partial;
}

/* The function of a frame, or NULL if it is ambiguous. The unit distinguishes functions of the same name. */
static const struct trod_flow *flow_of(
    const struct trod_flows *flows, const struct trod_flow_frame *frame)
{
    const struct trod_flow *found = NULL;
    uint32_t n = 0, nunit = 0;

    for (uint32_t i = 0; i < flows->map->nentry; i++) {
        const struct trod_flow *flow = &flows->of_entry[i];
        bool unit;

        if (!may_be_unfinished(flow) || strcmp(flow->entry->name, frame->function) != 0)
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
    const struct return_facts *returning;

    if (!counts_ends(profile))
        return;
    returning = killed || is_mixed(profile) ? NULL : trod_returning_build(flows, mem);
    for (size_t i = 0; i < nframe; i++)
        of[i] = flow_of(flows, &frames->frame[i]);
    for (uint32_t i = 0; i < flows->map->nentry; i++) {
        struct trod_flow *flow = &flows->of_entry[i];
        struct unfinished u = {
            .flow = flow, .mem = mem, .killed = killed, .returning = returning};
        struct trod_mark mark;
        size_t n = 0;

        if (!may_be_unfinished(flow))
            continue;
        for (size_t k = 0; k < nframe; k++)
            if (of[k] == flow)
                own[n++] = frames->frame[k];
        if (!n && !flow->count_of_node)
            continue;
        u.dag = flow->entry->numbering.dag;
        if (!flow->count_of_node) {
            flow->count_of_node = trod_new(mem, uint64_t, u.dag->graph->nnode);
            flow->count_of_edge = trod_new(mem, uint64_t, u.dag->graph->nedge);
        }
        flow->stopped_of_node = trod_new(mem, uint64_t, u.dag->graph->nnode);
        flow->unsure_nodes = trod_new(mem, uint64_t, TROD_WORDS(u.dag->graph->nnode));
        flow->unsure_edges = trod_new(mem, uint64_t, TROD_WORDS(u.dag->graph->nedge));
        mark = trod_arena_mark(mem);
        add_unfinished(&u, flows->map->step, own, n);
        trod_arena_rewind(mem, mark);
    }
}
