#include "match/matcher.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* --- unmatched headers, by nesting and order --------------------------------------------------------------------- */

/* Loops with an unmatched header, as linked lists by parent; the last list has the outermost loops. */
struct open {
    uint32_t *first, *next, *count;
};

static uint32_t list_of(const struct trod_loops *loops, uint32_t parent)
{
    return parent == TROD_NONE ? loops->nloop : parent;
}

static void list_open(struct open *out, const struct trod_loops *loops,
    const trod_node *matched, struct trod_arena *mem)
{
    out->first = trod_new(mem, uint32_t, (size_t)loops->nloop + 1);
    out->next = trod_new(mem, uint32_t, loops->nloop);
    out->count = trod_new(mem, uint32_t, (size_t)loops->nloop + 1);
    for (uint32_t l = loops->nloop; l-- > 0;) {
        uint32_t list = list_of(loops, loops->parent_of_loop[l]);

        if (matched[loops->header_of_loop[l]] != TROD_NONE)
            continue;
        out->next[l] = out->first[list];
        out->first[list] = l;
        out->count[list]++;
    }
}

/* The loop of each header; TROD_NONE for other nodes. */
static uint32_t *loops_by_header(
    const struct trod_match_side *side, struct trod_arena *mem)
{
    uint32_t *out = trod_new(mem, uint32_t, side->graph->nnode);

    memset(out, 0xff, side->graph->nnode * sizeof *out);
    for (uint32_t l = 0; l < side->loops.nloop; l++)
        out[side->loops.header_of_loop[l]] = l;
    return out;
}

/* Match the k-th loop with the k-th, if there are as many. */
static void pair_headers(struct trod_matcher *m, const struct open *a,
    const struct open *b, uint32_t la, uint32_t lb)
{
    uint32_t x = a->first[la], y = b->first[lb];

    if (a->count[la] != b->count[lb])
        return;
    for (uint32_t i = 0; i < a->count[la]; i++, x = a->next[x], y = b->next[y])
        trod_matcher_pair(
            m, m->old.loops.header_of_loop[x], m->later.loops.header_of_loop[y]);
}

void trod_matcher_headers(struct trod_matcher *m)
{
    const struct trod_loops *x = &m->old.loops, *y = &m->later.loops;
    struct trod_mark mark = trod_arena_mark(m->mem);
    uint32_t *loop_of_header = loops_by_header(&m->later, m->mem);
    struct open a, b;

    list_open(&a, x, m->match->new_of_old, m->mem);
    list_open(&b, y, m->match->old_of_new, m->mem);
    pair_headers(m, &a, &b, x->nloop, y->nloop);
    /* Parents come before children, so a loop's header is final when its children are matched. */
    for (uint32_t l = 0; l < x->nloop; l++) {
        trod_node header = m->match->new_of_old[x->header_of_loop[l]];

        if (header != TROD_NONE && loop_of_header[header] != TROD_NONE)
            pair_headers(m, &a, &b, l, loop_of_header[header]);
    }
    trod_arena_rewind(m->mem, mark);
}

/* --- loops by header, then by majority of blocks ------------------------------------------------------------------ */

struct vote {
    uint32_t old, later;
};

TROD_ORDER(by_vote, struct vote, TROD_UP(old), TROD_UP(later))

static uint32_t *own_members(const struct trod_match_side *side, struct trod_arena *mem)
{
    uint32_t *out = trod_new(mem, uint32_t, side->loops.nloop);

    for (trod_node v = 0; v < side->graph->nnode; v++)
        if (side->loops.loop_of_node[v] != TROD_NONE)
            out[side->loops.loop_of_node[v]]++;
    return out;
}

/* Each matched block votes for the innermost loop of its counterpart. Two loops are matched if the votes between them
 * are more than half of the blocks of each.
 */
static void match_by_majority(struct trod_matcher *m, bool *taken)
{
    const uint32_t *x = m->old.loops.loop_of_node, *y = m->later.loops.loop_of_node;
    uint32_t *size_old = own_members(&m->old, m->mem);
    uint32_t *size_new = own_members(&m->later, m->mem);
    struct vote *vote = trod_new(m->mem, struct vote, m->old.graph->nnode);
    uint32_t n = 0;

    for (trod_node v = 0; v < m->old.graph->nnode; v++) {
        trod_node w = m->match->new_of_old[v];

        if (w != TROD_NONE && x[v] != TROD_NONE && y[w] != TROD_NONE)
            vote[n++] = (struct vote){x[v], y[w]};
    }
    trod_sort(vote, n, by_vote);
    for (uint32_t i = 0, end; i < n; i = end) {
        uint32_t old = vote[i].old, new = vote[i].later;

        for (end = i + 1; end < n && by_vote(&vote[i], &vote[end]) == 0; end++)
            ;
        if (m->match->loop_of_old[old] != TROD_NONE || taken[new] ||
            2 * (uint64_t)(end - i) <= size_old[old] ||
            2 * (uint64_t)(end - i) <= size_new[new])
            continue;
        m->match->loop_of_old[old] = new;
        taken[new] = true;
    }
}

static void match_loops(struct trod_matcher *m)
{
    const struct trod_loops *x = &m->old.loops;
    uint32_t *loop_of_header = loops_by_header(&m->later, m->mem);
    bool *taken = trod_new(m->mem, bool, m->later.loops.nloop);

    for (uint32_t l = 0; l < x->nloop; l++) {
        trod_node header = m->match->new_of_old[x->header_of_loop[l]];

        if (header == TROD_NONE || loop_of_header[header] == TROD_NONE)
            continue;
        m->match->loop_of_old[l] = loop_of_header[header];
        taken[loop_of_header[header]] = true;
    }
    match_by_majority(m, taken);
}

/* --- unchanged loops ---------------------------------------------------------------------------------------------- */

static uint32_t depth_of(const struct trod_loops *loops, uint32_t loop)
{
    return loop == TROD_NONE ? 0 : loops->depth_of_loop[loop];
}

/* The innermost loop that contains both. */
static uint32_t common(const struct trod_loops *loops, uint32_t a, uint32_t b)
{
    while (a != b) {
        if (depth_of(loops, a) >= depth_of(loops, b))
            a = loops->parent_of_loop[a];
        else
            b = loops->parent_of_loop[b];
    }
    return a;
}

/* Compare an edge of an unchanged block with its counterpart, for each loop around the block: either both stay in the
 * loop and lead to the same block, or both leave it.
 */
static void judge_edge(
    struct trod_matcher *m, uint64_t *bad, trod_node v, trod_edge e, trod_edge f)
{
    const struct trod_loops *x = &m->old.loops, *y = &m->later.loops;
    trod_node w = m->old.graph->dst_of_edge[e], image = m->later.graph->dst_of_edge[f];
    uint32_t inner = x->loop_of_node[v];
    uint32_t stays = depth_of(x, common(x, inner, x->loop_of_node[w]));
    uint32_t other = depth_of(
        y, common(y, y->loop_of_node[m->match->new_of_old[v]], y->loop_of_node[image]));

    for (uint32_t l = inner; l != TROD_NONE; l = x->parent_of_loop[l]) {
        uint32_t to = m->match->loop_of_old[l];
        bool in = x->depth_of_loop[l] <= stays;

        if (to == TROD_NONE)
            continue;
        if (in != (y->depth_of_loop[to] <= other) ||
            (in && !trod_matcher_has(m, w, image)))
            trod_add(bad, l);
    }
}

static bool is_in(const struct trod_loops *loops, trod_node v, uint32_t loop)
{
    uint32_t l = loops->loop_of_node[v];

    while (depth_of(loops, l) > loops->depth_of_loop[loop])
        l = loops->parent_of_loop[l];
    return l == loop;
}

static void judge_node(struct trod_matcher *m, uint64_t *bad, trod_node v)
{
    const struct trod_loops *x = &m->old.loops;
    const struct trod_graph *a = m->old.graph, *b = m->later.graph;
    trod_node w = m->match->new_of_old[v];
    bool same = w != TROD_NONE && trod_has(m->match->same_of_old, v);

    for (uint32_t l = x->loop_of_node[v]; l != TROD_NONE; l = x->parent_of_loop[l])
        if (!same || m->match->loop_of_old[l] == TROD_NONE ||
            !is_in(&m->later.loops, w, m->match->loop_of_old[l]))
            trod_add(bad, l);
    for (trod_edge e = a->first_out[v]; same && e < a->first_out[v + 1]; e++)
        judge_edge(m, bad, v, e, b->first_out[w] + (e - a->first_out[v]));
}

/* The number of blocks of each loop, including nested loops. */
static uint32_t *all_members(const struct trod_match_side *side, struct trod_arena *mem)
{
    uint32_t *out = own_members(side, mem);

    for (uint32_t l = side->loops.nloop; l-- > 0;)
        if (side->loops.parent_of_loop[l] != TROD_NONE)
            out[side->loops.parent_of_loop[l]] += out[l];
    return out;
}

void trod_matcher_loops(struct trod_matcher *m)
{
    const struct trod_loops *x = &m->old.loops, *y = &m->later.loops;
    struct trod_mark mark = trod_arena_mark(m->mem);
    uint64_t *bad = trod_new(m->mem, uint64_t, TROD_WORDS(x->nloop));
    uint32_t *size_old, *size_new;

    match_loops(m);
    size_old = all_members(&m->old, m->mem);
    size_new = all_members(&m->later, m->mem);
    for (trod_node v = 0; v < m->old.graph->nnode; v++)
        if (x->loop_of_node[v] != TROD_NONE)
            judge_node(m, bad, v);
    for (uint32_t l = 0; l < x->nloop; l++) {
        uint32_t to = m->match->loop_of_old[l];

        if (to != TROD_NONE && !trod_has(bad, l) && size_old[l] == size_new[to] &&
            trod_matcher_has(m, x->header_of_loop[l], y->header_of_loop[to]))
            trod_add(m->match->same_loop, l);
    }
    trod_arena_rewind(m->mem, mark);
}
