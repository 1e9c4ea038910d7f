#include "match/match.h"
#include "match/repair_net.h"

#include <math.h>

/* The network has a node for each block at which paths begin or end, one that paths leave from to enter the function, and one that they reach
 * when they leave it. Each path is an arc from where it begins to where the next one does.
 */
enum { SURE_OF_PATH = 1, SURE_OF_LOST = 2, SURE_OF_ENTERED = 1000 };

struct scaler {
    struct trod_net net;
    const struct trod_dag *dag;
    double factor;
    int64_t
        *missing; /* by node: paths that ended there, minus those that began there */
};

uint64_t trod_repair_times(uint64_t count, double factor)
{
    double times = floor((double)count * factor + 0.5);

    return times >= 0x1p64 ? UINT64_MAX : (uint64_t)times;
}

static trod_node outside(const struct scaler *s)
{
    return s->dag->graph->nnode;
}

static trod_node gone(const struct scaler *s)
{
    return s->dag->graph->nnode + 1;
}

static trod_node start_of(const struct scaler *s, trod_edge first)
{
    return s->dag->kind_of_edge[first] == TROD_DAG_ENTER
               ? outside(s)
               : s->dag->shape.dst_of_edge[first];
}

static trod_node end_of(const struct scaler *s, trod_edge last)
{
    return s->dag->kind_of_edge[last] == TROD_DAG_END
               ? s->dag->graph->dst_of_edge[s->dag->origin_of_edge[last]]
               : gone(s);
}

static void add_arc(
    struct scaler *s, trod_node src, trod_node dst, uint64_t thought, uint32_t sure)
{
    struct trod_net *n = &s->net;

    n->arc[n->narc++] =
        (struct trod_net_arc){src, dst, sure, (int64_t)thought, (int64_t)thought};
    n->excess[src] -= (int64_t)thought;
    n->excess[dst] += (int64_t)thought;
}

static void add_paths(struct scaler *s, const uint64_t *count,
    const struct trod_numbering *ballarus, const trod_path *id, size_t npath,
    struct trod_arena *mem)
{
    trod_edge *step = trod_new(mem, trod_edge, s->dag->nreach);

    for (size_t i = 0; i < npath; i++) {
        uint32_t nstep = trod_number_decode(step, ballarus, id[i]);
        trod_node from = start_of(s, step[0]), to = end_of(s, step[nstep - 1]);

        add_arc(s, from, to, trod_repair_times(count[i], s->factor), SURE_OF_PATH);
        s->missing[from] -= (int64_t)count[i];
        s->missing[to] += (int64_t)count[i];
    }
}

/* Paths that were never finished: as many, in proportion, are missing afterwards. */
static void add_lost(struct scaler *s)
{
    for (trod_node v = 0; v < s->dag->graph->nnode; v++) {
        int64_t n = s->missing[v];

        if (n > 0)
            add_arc(
                s, v, gone(s), trod_repair_times((uint64_t)n, s->factor), SURE_OF_LOST);
        if (n < 0)
            add_arc(s, gone(s), v, trod_repair_times((uint64_t)-n, s->factor),
                SURE_OF_LOST);
    }
}

static bool fits(const uint64_t *count, size_t npath, double factor, uint64_t entered)
{
    double sum = (double)entered;

    for (size_t i = 0; i < npath; i++)
        sum += (double)count[i] * (1 + factor);
    return sum < 0x1p61;
}

void trod_repair_scale(uint64_t *count, const struct trod_numbering *ballarus,
    const trod_path *id, size_t npath, double factor, uint64_t entered,
    struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t nnode = ballarus->dag->graph->nnode + 2;
    struct scaler s = {.dag = ballarus->dag,
        .factor = factor,
        .missing = trod_new(mem, int64_t, nnode),
        .net = {.nnode = nnode,
            .arc = trod_new(mem, struct trod_net_arc, npath + nnode + 1),
            .excess = trod_new(mem, int64_t, nnode)}};

    if (fits(count, npath, factor, entered) && npath < UINT32_MAX / 4) {
        add_paths(&s, count, ballarus, id, npath, mem);
        add_lost(&s);
        add_arc(&s, gone(&s), outside(&s), entered, SURE_OF_ENTERED);
        trod_net_solve(&s.net, mem);
        for (size_t i = 0; i < npath; i++)
            count[i] = (uint64_t)s.net.arc[i].flow;
    } else {
        for (size_t i = 0; i < npath; i++)
            count[i] = trod_repair_times(count[i], factor);
    }
    trod_arena_rewind(mem, mark);
}
