#include "number/number.h"

#include <string.h>

/* --- the phases of the paper ----------------------------------------------------- */

/* Phase 1: Ball-Larus with edges of no interest first, so that the sum of a path that leaves the paths of interest
 * stays below all of their sums.
 */
static void phase_number(int64_t *val, const struct trod_interest *in)
{
    const struct trod_numbering *bl = in->ballarus;
    const struct trod_graph *g = &bl->dag->shape;

    for (trod_node v = 0; v < g->nnode; v++) {
        int64_t next = 0;

        for (int interesting = 0; interesting < 2; interesting++) {
            for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
                if (trod_has(in->edges, e) != interesting)
                    continue;
                val[e] = next;
                next += (int64_t)bl->npath_of_node[g->dst_of_edge[e]];
            }
        }
    }
}

/* Phase 2: move a probe from the only edge into a node to the edges out of it. */
static void phase_push(int64_t *val, const struct trod_dag *dag)
{
    const struct trod_graph *g = &dag->shape;

    for (uint32_t i = 0; i < dag->nreach; i++) {
        trod_node v = dag->topo[i];
        trod_edge in;

        if (v == dag->exit || g->first_in[v + 1] - g->first_in[v] != 1)
            continue;
        in = g->in_edge[g->first_in[v]];
        if (val[in] <= 0)
            continue;
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            val[e] += val[in];
        val[in] = 0;
    }
}

/* Phase 3: remove probes from edges of no interest. */
static void phase_drop(int64_t *val, const struct trod_interest *in)
{
    for (trod_edge e = 0; e < in->ballarus->dag->shape.nedge; e++)
        if (!trod_has(in->edges, e))
            val[e] = 0;
}

static bool give(struct trod_numbering *out, const struct trod_interest *in,
    const int64_t *val, struct trod_arena *mem, struct trod_err *err)
{
    *out = (struct trod_numbering){
        .kind = TROD_SELECTIVE, .dag = in->ballarus->dag, .val_of_edge = val};
    return trod_number_range(&out->min, &out->max, out->dag, val, mem, err);
}

bool trod_number_selective_paper(struct trod_numbering *out,
    const struct trod_interest *interest, bool push, struct trod_arena *mem,
    struct trod_err *err)
{
    int64_t *val = trod_new(mem, int64_t, interest->ballarus->dag->shape.nedge);

    phase_number(val, interest);
    if (push)
        phase_push(val, interest->ballarus->dag);
    phase_drop(val, interest);
    return give(out, interest, val, mem, err);
}

/* --- the safe start: phases 1 and 3, as narrow as possible ------------------------- */

/* Edges of no interest share the lowest sums. Edges of interest are stacked above them, each by the largest sum after
 * it. No sum exceeds that of phase 1, so nothing overflows.
 *
 * fills:  val
 */
static void number_safe(
    int64_t *val, const struct trod_interest *in, struct trod_arena *mem)
{
    const struct trod_dag *dag = in->ballarus->dag;
    const struct trod_graph *g = &dag->shape;
    struct trod_mark mark = trod_arena_mark(mem);
    int64_t *room = trod_new(mem, int64_t, g->nnode); /* largest sum + 1 */

    room[dag->exit] = 1;
    for (uint32_t i = dag->nreach - 1; i-- > 0;) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++)
            if (!trod_has(in->edges, e) && room[g->dst_of_edge[e]] > room[v])
                room[v] = room[g->dst_of_edge[e]];
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            if (!trod_has(in->edges, e))
                continue;
            val[e] = room[v];
            room[v] += room[g->dst_of_edge[e]];
        }
    }
    trod_arena_rewind(mem, mark);
}

/* --- fewer probes: trace.c ------------------------------------------------------------ */

/* Starting points of the search. FROM_ALL has a probe on every edge, which leaves most to choose from, and removes hot
 * ones first. FROM_SAFE cannot end with more probes than the safe start. FROM_PAPER, the published algorithm, is often
 * sound, and then small.
 */
enum { FROM_ALL, FROM_SAFE, FROM_PAPER, NSTART };

static void start_from(uint64_t *probe, const int64_t *val, uint32_t nedge)
{
    for (trod_edge e = 0; e < nedge; e++)
        if (!val || val[e])
            trod_add(probe, e);
}

/* The smallest set of probes from any starting point. */
static uint32_t choose_probes(uint64_t *best, const struct trod_interest *in,
    const int64_t *safe, struct trod_arena *mem)
{
    uint32_t nedge = in->ballarus->dag->shape.nedge, fewest = UINT32_MAX;
    int64_t *paper = trod_new(mem, int64_t, nedge);
    const int64_t *start[NSTART] = {NULL, safe, paper};

    phase_number(paper, in);
    phase_push(paper, in->ballarus->dag);
    phase_drop(paper, in);
    for (int i = 0; i < NSTART; i++) {
        uint64_t *probe = trod_new(mem, uint64_t, TROD_WORDS(nedge));
        uint32_t count;

        start_from(probe, start[i], nedge);
        if (i == FROM_PAPER && !trod_trace_will_do(probe, in, mem))
            continue;
        count = trod_trace_reduce(probe, in, mem);
        if (count < fewest) {
            fewest = count;
            memcpy(best, probe, TROD_WORDS(nedge) * sizeof *best);
        }
    }
    return fewest;
}

bool trod_number_selective(struct trod_numbering *out,
    const struct trod_interest *interest, struct trod_arena *mem, struct trod_err *err)
{
    enum { MOST_PROBES = 1 << 13 }; /* finding values takes quadratic time */
    uint32_t nedge = interest->ballarus->dag->shape.nedge;
    int64_t *safe = trod_new(mem, int64_t, nedge);
    int64_t *val = trod_new(mem, int64_t, nedge);
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *probe = trod_new(mem, uint64_t, TROD_WORDS(nedge));
    bool fits = false;

    if (interest->paths.count) {
        number_safe(safe, interest, mem);
        if (choose_probes(probe, interest, safe, mem) <= MOST_PROBES)
            fits = trod_trace_values(val, probe, interest, mem);
    }
    trod_arena_rewind(mem, mark);
    return give(out, interest, fits ? val : safe, mem, err);
}
