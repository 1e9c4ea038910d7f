#include "number/number.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* Which edges need a probe, and which values they get.
 *
 * Let S be the edges with a value. The trace of a path is the sequence of its edges in S. A path of interest can be
 * distinguished from all others if its trace is unique. This holds if and only if between each two adjacent edges of
 * its trace (and before the first and after the last) there is exactly one way without edges of S: its own.
 *
 * So: from ENTRY and from the target of each probe on a path of interest, follow the paths of interest to their next
 * probe. Every node on the way must be reachable from there, without edges of S, in exactly one way.
 */

struct search {
    const struct trod_interest *in;
    const struct trod_graph *g;
    uint32_t *place; /* position of a node in topo */
    uint64_t *probe; /* S */
    uint64_t budget; /* remaining steps; at 0 no more edges are removed from S */
    /* temporary data of one check */
    uint8_t *ways;      /* [nnode] ways from the start without S, at most 2 */
    uint64_t *seen;     /* set of states */
    uint32_t *stack;    /* of states */
    trod_node *touched; /* nodes with ways > 0 */
    uint64_t *queued;   /* set of positions in topo */
};

static void search_init(struct search *s, uint64_t *probe,
    const struct trod_interest *in, struct trod_arena *mem)
{
    const struct trod_dag *dag = in->ballarus->dag;
    uint32_t nnode = dag->shape.nnode;

    *s = (struct search){.in = in, .g = &dag->shape};
    s->probe = probe;
    s->budget = UINT64_C(1) << 26;
    s->place = trod_new(mem, uint32_t, nnode);
    s->ways = trod_new(mem, uint8_t, nnode);
    s->seen = trod_new(mem, uint64_t, TROD_WORDS(in->nstate));
    s->stack = trod_new(mem, uint32_t, in->nstate);
    s->touched = trod_new(mem, trod_node, nnode);
    s->queued = trod_new(mem, uint64_t, TROD_WORDS(dag->nreach));
    for (uint32_t i = 0; i < dag->nreach; i++)
        s->place[dag->topo[i]] = i;
}

static void spend(struct search *s, uint64_t steps)
{
    s->budget = s->budget > steps ? s->budget - steps : 0;
}

/* The next queued position in topo, at or after `from`. */
static uint32_t next_queued(const struct search *s, uint32_t from)
{
    uint32_t n = s->in->ballarus->dag->nreach;

    for (uint32_t w = from / 64; w < TROD_WORDS(n); w++) {
        uint64_t bits = s->queued[w];

        if (w == from / 64)
            bits &= ~UINT64_C(0) << (from % 64);
        if (bits)
            return 64 * w + (uint32_t)__builtin_ctzll(bits);
    }
    return n;
}

/* Count the ways without S from a node to all others. Returns the number of nodes touched; forget() undoes it. */
static uint32_t count_ways(struct search *s, trod_node from)
{
    const struct trod_dag *dag = s->in->ballarus->dag;
    const struct trod_graph *g = s->g;
    uint32_t n = 0;

    s->ways[from] = 1;
    trod_add(s->queued, s->place[from]);
    for (uint32_t i = s->place[from]; (i = next_queued(s, i)) < dag->nreach;) {
        trod_node v = dag->topo[i];

        trod_drop(s->queued, i);
        s->touched[n++] = v;
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            trod_node w = g->dst_of_edge[e];

            if (trod_has(s->probe, e))
                continue;
            trod_add(s->queued, s->place[w]);
            s->ways[w] = s->ways[w] + s->ways[v] > 1 ? 2 : s->ways[w] + s->ways[v];
        }
        spend(s, g->first_out[v + 1] - g->first_out[v] + 1);
    }
    return n;
}

static void forget(struct search *s, uint32_t ntouched)
{
    for (uint32_t i = 0; i < ntouched; i++)
        s->ways[s->touched[i]] = 0;
}

/* The node after a probe; TROD_NONE stands for ENTRY. */
static trod_node node_behind(const struct search *s, trod_edge probe)
{
    return probe == TROD_NONE ? s->g->entry : s->g->dst_of_edge[probe];
}

static void see(struct search *s, uint32_t state, uint32_t *nstack)
{
    if (!trod_has(s->seen, state))
        s->stack[(*nstack)++] = state;
    trod_add(s->seen, state);
}

/* Follow the paths of interest after a probe, without S. Calls visit for every probe met; returns false at a node with
 * several ways.
 */
static bool follow(struct search *s, trod_edge probe,
    void (*visit)(void *ctx, trod_edge probe), void *ctx)
{
    const struct trod_interest *in = s->in;
    uint32_t n = 0;
    bool ok = true;

    memset(s->seen, 0, TROD_WORDS(in->nstate) * sizeof *s->seen);
    if (probe == TROD_NONE)
        see(s, in->nstate - 1, &n);
    else
        for (uint32_t i = in->first_use[probe]; i < in->first_use[probe + 1]; i++)
            see(s, in->use[i].to, &n);
    while (n && ok) {
        uint32_t state = s->stack[--n];

        ok = s->ways[in->node_of_state[state]] == 1;
        for (uint32_t a = in->first_arc[state]; a < in->first_arc[state + 1]; a++) {
            if (!trod_has(s->probe, in->edge_of_arc[a]))
                see(s, in->state_of_arc[a], &n);
            else if (visit)
                visit(ctx, in->edge_of_arc[a]);
        }
        spend(s, in->first_arc[state + 1] - in->first_arc[state] + 1);
    }
    return ok;
}

/* Are the traces unique from this probe to the next, for those through node `at` (TROD_NONE: for all)? */
static bool holds_behind(struct search *s, trod_edge probe, trod_node at)
{
    bool ok = true;
    uint32_t n;

    if (at != TROD_NONE && s->place[node_behind(s, probe)] > s->place[at])
        return true;
    n = count_ways(s, node_behind(s, probe));
    if (at == TROD_NONE || s->ways[at])
        ok = follow(s, probe, NULL, NULL);
    forget(s, n);
    return ok;
}

static bool holds(struct search *s, trod_node at)
{
    bool ok = holds_behind(s, TROD_NONE, at);

    for (trod_edge e = 0; ok && e < s->g->nedge; e++)
        if (trod_has(s->probe, e) && trod_has(s->in->edges, e))
            ok = holds_behind(s, e, at);
    return ok;
}

/* The cost of a probe on an edge. Values at the start and end of a path are free, since r is set and counted there
 * anyway.
 */
struct candidate {
    trod_edge edge;
    uint64_t weight;
};

static int hottest_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;

    if (x->weight != y->weight)
        return x->weight < y->weight ? 1 : -1;
    return (x->edge > y->edge) - (x->edge < y->edge);
}

static uint32_t take_out(struct search *s, struct trod_arena *mem)
{
    const struct trod_dag *dag = s->in->ballarus->dag;
    struct candidate *list = trod_new(mem, struct candidate, s->g->nedge);
    uint32_t n = 0, left = 0;

    for (trod_edge e = 0; e < s->g->nedge; e++)
        if (trod_has(s->probe, e))
            list[n++] =
                (struct candidate){e, dag->kind_of_edge[e] == TROD_DAG_REAL
                                          ? trod_sat_add(dag->weight_of_edge[e], 1)
                                          : 0};
    trod_sort(list, n, hottest_first);
    for (uint32_t i = 0; i < n; i++) {
        trod_drop(s->probe, list[i].edge);
        if (!s->budget || !holds(s, s->g->src_of_edge[list[i].edge]) || !s->budget) {
            trod_add(s->probe, list[i].edge);
            left++;
        }
    }
    return left;
}

bool trod_trace_will_do(
    const uint64_t *probe, const struct trod_interest *interest, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    size_t words = TROD_WORDS(interest->ballarus->dag->shape.nedge);
    uint64_t *copy = trod_new(mem, uint64_t, words);
    struct search s;
    bool ok;

    memcpy(copy, probe, words * sizeof *copy);
    search_init(&s, copy, interest, mem);
    ok = holds(&s, TROD_NONE);
    trod_arena_rewind(mem, mark);
    return ok;
}

uint32_t trod_trace_reduce(
    uint64_t *probe, const struct trod_interest *interest, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct search s;
    uint32_t left;

    search_init(&s, probe, interest, mem);
    left = take_out(&s, mem);
    trod_arena_rewind(mem, mark);
    return left;
}

/* --- values for a set of probes ------------------------------------------------------------
 *
 * Two paths diverge where, from the same start and without S, one meets probe f next and the other f'. If the range of
 * sums from f on is disjoint from that of f', the sums of the paths differ. This is required if one of the two probes
 * is on a path of interest.
 */

struct conflicts {
    uint32_t nprobe;
    uint32_t *index_of_edge; /* [nedge]; meaningful for probes */
    trod_edge *edge;         /* [nprobe] */
    uint64_t *clash;         /* nprobe sets of nprobe bits */
    size_t words;
    uint64_t *ours; /* next probes on paths of interest, from one start */
};

static void note_probe(void *ctx, trod_edge probe)
{
    struct conflicts *c = ctx;

    trod_add(c->ours, c->index_of_edge[probe]);
}

/* All next probes after this one conflict with those on paths of interest. */
static void add_conflicts(struct search *s, struct conflicts *c, trod_edge probe)
{
    uint32_t n = count_ways(s, node_behind(s, probe));

    memset(c->ours, 0, c->words * sizeof *c->ours);
    follow(s, probe, note_probe, c);
    for (uint32_t i = 0; i < n; i++) {
        trod_node v = s->touched[i];

        for (trod_edge e = s->g->first_out[v]; e < s->g->first_out[v + 1]; e++) {
            uint32_t k = c->index_of_edge[e];

            if (!trod_has(s->probe, e))
                continue;
            for (size_t w = 0; w < c->words; w++)
                c->clash[k * c->words + w] |= c->ours[w];
        }
    }
    forget(s, n);
}

static void find_conflicts(
    struct conflicts *out, struct search *s, struct trod_arena *mem)
{
    *out = (struct conflicts){.index_of_edge = trod_new(mem, uint32_t, s->g->nedge)};
    out->edge = trod_new(mem, trod_edge, s->g->nedge);
    for (trod_edge e = 0; e < s->g->nedge; e++) {
        if (trod_has(s->probe, e)) {
            out->edge[out->nprobe] = e;
            out->index_of_edge[e] = out->nprobe++;
        }
    }
    out->words = TROD_WORDS(out->nprobe);
    out->ours = trod_new(mem, uint64_t, out->words);
    out->clash = trod_new(mem, uint64_t, out->words * out->nprobe);
    add_conflicts(s, out, TROD_NONE);
    for (uint32_t k = 0; k < out->nprobe; k++)
        if (trod_has(s->in->edges, out->edge[k]))
            add_conflicts(s, out, out->edge[k]);
    /* Conflicts are symmetric. */
    for (uint32_t k = 0; k < out->nprobe; k++)
        for (uint32_t j = 0; j < out->nprobe; j++)
            if (trod_has(out->clash + k * out->words, j))
                trod_add(out->clash + j * out->words, k);
}

struct part {
    int64_t low, next;
};

TROD_ORDER(lower_first, struct part, TROD_UP(low))

/* The lowest value from 1 up whose range of sums is disjoint from all conflicting ones; 0 if it does not fit. */
static int64_t lowest_clear(struct part *taken, uint32_t ntaken, int64_t room)
{
    int64_t value = 1, end;

    trod_sort(taken, ntaken, lower_first);
    for (uint32_t i = 0; i < ntaken; i++)
        if (taken[i].low - value < room && taken[i].next > value)
            value = taken[i].next;
    return __builtin_add_overflow(value, room, &end) ? 0 : value;
}

/* fills:  val; false if the sums do not fit */
static bool number_probes(int64_t *val, const struct search *s,
    const struct conflicts *c, struct trod_arena *mem)
{
    const struct trod_dag *dag = s->in->ballarus->dag;
    const struct trod_graph *g = s->g;
    int64_t *room = trod_new(mem, int64_t, g->nnode); /* largest sum + 1 */
    struct part *part = trod_new(mem, struct part, c->nprobe);
    struct part *taken = trod_new(mem, struct part, c->nprobe);

    room[dag->exit] = 1;
    for (uint32_t i = dag->nreach - 1; i-- > 0;) {
        trod_node v = dag->topo[i];

        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            int64_t behind = room[g->dst_of_edge[e]];
            uint32_t k = c->index_of_edge[e], n = 0;

            if (trod_has(s->probe, e)) {
                for (uint32_t j = 0; j < c->nprobe; j++)
                    if (part[j].next && trod_has(c->clash + k * c->words, j))
                        taken[n++] = part[j];
                val[e] = lowest_clear(taken, n, behind);
                if (!val[e])
                    return false;
                part[k] = (struct part){val[e], val[e] + behind};
            }
            if (val[e] + behind > room[v])
                room[v] = val[e] + behind;
        }
    }
    return true;
}

bool trod_trace_values(int64_t *val_of_edge, const uint64_t *probe,
    const struct trod_interest *interest, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    size_t words = TROD_WORDS(interest->ballarus->dag->shape.nedge);
    uint64_t *copy = trod_new(mem, uint64_t, words);
    struct search s;
    struct conflicts conflicts;
    bool fits;

    memcpy(copy, probe, words * sizeof *copy);
    search_init(&s, copy, interest, mem);
    find_conflicts(&conflicts, &s, mem);
    fits = number_probes(val_of_edge, &s, &conflicts, mem);
    trod_arena_rewind(mem, mark);
    return fits;
}
