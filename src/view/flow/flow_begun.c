#include "flow/flow.h"

#include <stdlib.h>

static int by_line(const void *x, const void *y)
{
    const struct trod_flow_place *a = x, *b = y;

    if (a->line != b->line)
        return a->line < b->line ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Ignores the block, to search for any block on a line. */
static int by_line_alone(const void *x, const void *y)
{
    const struct trod_flow_place *a = x, *b = y;

    return (a->line > b->line) - (a->line < b->line);
}

static void sort_places(struct trod_flow_places *p)
{
    size_t n = 0;

    if (p->n)
        qsort(p->place, p->n, sizeof *p->place, by_line);
    for (size_t i = 0; i < p->n; i++)
        if (!n || by_line(&p->place[n - 1], &p->place[i]) != 0)
            p->place[n++] = p->place[i];
    p->n = n;
}

bool trod_flow_has_line(const struct trod_flow_places *p, uint32_t line, trod_node v)
{
    struct trod_flow_place key = {line, v};

    return p->n && bsearch(&key, p->place, p->n, sizeof key, by_line);
}

/* --- ends of loops and conditions --------------------------------------------------------------------------------- */

static bool is_in(const struct trod_loops *loops, uint32_t loop, trod_node v)
{
    uint32_t at = loops->loop_of_node[v];

    while (at != TROD_NONE && at != loop)
        at = loops->parent_of_loop[at];
    return at == loop;
}

static bool dominates(const struct trod_dom *dom, trod_node v, trod_node w)
{
    while (w != TROD_NONE && w != v)
        w = dom->idom_of_node[w];
    return w == v;
}

/* Does the loop have code on the line of `at`, other than jumps: in the loop, or in a block that leaves it by `return`
 * or the like? Places are sorted by line.
 */
static bool has_code_in(const struct trod_flow_places *p,
    const struct trod_map_entry *entry, const struct trod_loops *loops,
    const struct trod_dom *dom, uint32_t loop, const struct trod_flow_place *at)
{
    const struct trod_flow_place *first = at, *end = p->place + p->n;

    while (first > p->place && first[-1].line == at->line)
        first--;
    for (; first < end && first->line == at->line; first++)
        if (!trod_map_is_in_set(entry, TROD_MAP_JUMPS, first->node) &&
            (is_in(loops, loop, first->node) ||
                (dominates(dom, loops->header_of_loop[loop], first->node) &&
                    !dominates(dom, at->node, first->node))))
            return true;
    return false;
}

/* Do all edges to the block leave loops that have code on its line? Then the block is the end of the loop's body. */
static bool ends_loop(const struct trod_flow_places *p,
    const struct trod_map_entry *entry, const struct trod_loops *loops,
    const struct trod_dom *dom, const struct trod_flow_place *at)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    if (g->first_in[at->node] == g->first_in[at->node + 1])
        return false;
    for (uint32_t k = g->first_in[at->node]; k < g->first_in[at->node + 1]; k++) {
        uint32_t loop = loops->loop_of_node[g->src_of_edge[g->in_edge[k]]];

        if (loop == TROD_NONE || is_in(loops, loop, at->node) ||
            !has_code_in(p, entry, loops, dom, loop, at))
            return false;
    }
    return true;
}

/* Is the block the join of a branch on the same line? */
static bool joins(const struct trod_flow_places *p, const struct trod_graph *g,
    const struct trod_dom *dom, const struct trod_flow_place *at)
{
    trod_node parted = dom->idom_of_node[at->node];

    return parted != TROD_NONE && g->first_out[parted + 1] - g->first_out[parted] > 1 &&
           trod_flow_has_line(p, at->line, parted);
}

/* Does the block bypass a condition on its line: the condition does not dominate it, and no predecessor is on the line?
 * In `} else if (x) {` the jump that ends the first branch does.
 */
static bool goes_past(const struct trod_flow_places *p,
    const struct trod_map_entry *entry, const struct trod_dom *dom,
    const struct trod_flow_place *at)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (uint32_t k = g->first_in[at->node]; k < g->first_in[at->node + 1]; k++)
        if (trod_flow_has_line(p, at->line, g->src_of_edge[g->in_edge[k]]))
            return false;
    for (uint32_t i = 0; i < entry->ndecision; i++)
        if (entry->decision[i].ncondition && !entry->decision[i].file &&
            entry->decision[i].line == at->line)
            return !dominates(dom, entry->decision[i].node, at->node);
    return false;
}

/* Is the final jump or return all that the block has on the line? */
static bool has_tail_on(const struct trod_map_entry *entry, uint32_t line, trod_node v)
{
    return trod_map_is_in_set(entry, TROD_MAP_TAILS, v) &&
           entry->first_line[v] < entry->first_line[v + 1] &&
           entry->line[entry->first_line[v + 1] - 1] == line;
}

/* Does a predecessor of the return have other code on the line, without dominating the return? An example is `x = 0; }
 * }`.
 */
static bool returns_past(const struct trod_flow_places *p,
    const struct trod_map_entry *entry, const struct trod_dom *dom,
    const struct trod_flow_place *at)
{
    const struct trod_graph *g = entry->numbering.dag->graph;

    for (uint32_t k = g->first_in[at->node]; k < g->first_in[at->node + 1]; k++) {
        trod_node v = g->src_of_edge[g->in_edge[k]];

        if (trod_flow_has_line(p, at->line, v) && !has_tail_on(entry, at->line, v) &&
            !dominates(dom, v, at->node))
            return true;
    }
    return false;
}

/* Does the block have only its final jump or return on the line, which belongs to code of another block? */
static bool is_tail(const struct trod_flow_places *p,
    const struct trod_map_entry *entry, const struct trod_dom *dom,
    const struct trod_flow_place *at)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    trod_edge e = g->first_out[at->node];

    if (!has_tail_on(entry, at->line, at->node))
        return false;
    if (e == g->first_out[at->node + 1])
        return returns_past(p, entry, dom, at);
    return !trod_flow_has_line(p, at->line, g->dst_of_edge[e]) &&
           goes_past(p, entry, dom, at);
}

/* Is the block only a jump to another line, so that it should not count for its own? */
static bool is_end(const struct trod_flow_places *p, const struct trod_map_entry *entry,
    const struct trod_loops *loops, const struct trod_dom *dom,
    const struct trod_flow_place *at)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    trod_edge e = g->first_out[at->node];

    if (is_tail(p, entry, dom, at))
        return true;
    if (!trod_map_is_in_set(entry, TROD_MAP_JUMPS, at->node) ||
        e == g->first_out[at->node + 1] ||
        trod_flow_has_line(p, at->line, g->dst_of_edge[e]))
        return false;
    return trod_map_is_in_set(entry, TROD_MAP_BORROWED, at->node) ||
           joins(p, g, dom, at) || ends_loop(p, entry, loops, dom, at) ||
           goes_past(p, entry, dom, at);
}

/* Remove such blocks from each line that has others. */
static void drop_ends(struct trod_flow_places *p, const struct trod_map_entry *entry,
    const struct trod_order *order, struct trod_arena *mem)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    struct trod_flow_place *kept = trod_new(mem, struct trod_flow_place, p->n);
    struct trod_loops loops;
    struct trod_dom dom;
    size_t n = 0;

    trod_graph_loops(&loops, g, order, mem);
    trod_graph_dominators(&dom, g, mem);
    for (size_t i = 0, j; i < p->n; i = j) {
        size_t first = n;

        for (j = i; j < p->n && p->place[j].line == p->place[i].line; j++)
            if (!is_end(p, entry, &loops, &dom, &p->place[j]))
                kept[n++] = p->place[j];
        for (size_t k = i; n == first && k < j; k++)
            kept[n + k - i] = p->place[k];
        n = n == first ? first + (j - i) : n;
    }
    p->place = kept;
    p->n = n;
}

static bool goes_back(const struct trod_graph *g, const struct trod_order *order,
    trod_node from, trod_node to)
{
    for (trod_edge e = g->first_out[from]; e < g->first_out[from + 1]; e++)
        if (g->dst_of_edge[e] == to && trod_has(order->retreating, e))
            return true;
    return false;
}

/* Are all blocks of the line jumps, one of them back to the loop's header? Not so for `do`: its line is left when the
 * loop is entered.
 */
static bool jumps_back(const struct trod_flow_place *place, size_t n,
    const struct trod_flow_place *at, const struct trod_map_entry *entry,
    const struct trod_order *order, trod_node header)
{
    const struct trod_graph *g = entry->numbering.dag->graph;
    bool back = false;

    const struct trod_flow_place *first = at, *last = at;

    while (first > place && first[-1].line == at->line)
        first--;
    while (last + 1 < place + n && last[1].line == at->line)
        last++;
    for (; first <= last; first++) {
        if (!trod_map_is_in_set(entry, TROD_MAP_JUMPS, first->node))
            return false;
        back |= goes_back(g, order, first->node, header);
    }
    return back;
}

/* A loop without a condition, such as `while (1)`, has only the back edge's jump on its line. Its header is added, so
 * that entering the loop counts for the line.
 */
static void add_loops(struct trod_flow_places *p, const struct trod_map_entry *entry,
    const struct trod_order *order)
{
    size_t n = p->n;

    for (trod_node v = 0; n && v < entry->numbering.dag->graph->nnode; v++) {
        struct trod_flow_place key = {entry->line_of_loop[v], v}, *at = NULL;

        if (key.line)
            at = bsearch(&key, p->place, n, sizeof key, by_line_alone);
        if (at && jumps_back(p->place, n, at, entry, order, v))
            p->place[p->n++] = key;
    }
    sort_places(p); /* removes duplicates */
}

void trod_flow_places(struct trod_flow_places *out, const struct trod_map_entry *entry,
    const struct trod_order *order, struct trod_arena *mem)
{
    uint32_t nnode = entry->numbering.dag->graph->nnode;

    *out = (struct trod_flow_places){.place = trod_new(mem, struct trod_flow_place,
                                         (size_t)entry->first_line[nnode] + nnode)};
    for (trod_node v = 0; v < nnode; v++)
        for (uint32_t i = entry->first_line[v]; i < entry->first_line[v + 1]; i++)
            if (entry->line[i])
                out->place[out->n++] = (struct trod_flow_place){entry->line[i], v};
    sort_places(out);
    if (entry->line_of_loop && entry->blocks[TROD_MAP_JUMPS])
        add_loops(out, entry, order);
    if (entry->blocks[TROD_MAP_JUMPS] || entry->blocks[TROD_MAP_TAILS])
        drop_ends(out, entry, order, mem);
}

/* --- how often ---------------------------------------------------------------------------------------------------- */

/* How often unfinished paths came to a block by an unknown edge; 0 if such an edge may come from the same line. */
static uint64_t count_unsure_in(const struct trod_flow *flow,
    const struct trod_flow_places *p, const struct trod_flow_place *at)
{
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    uint64_t in = at->node == g->entry ? flow->entered : 0;
    bool any = false;

    for (uint32_t k = g->first_in[at->node]; k < g->first_in[at->node + 1]; k++) {
        trod_edge e = g->in_edge[k];

        in = trod_sat_add(in, flow->count_of_edge[e]);
        if (!flow->unsure_edges || !trod_has(flow->unsure_edges, e))
            continue;
        any = true;
        if (trod_flow_has_line(p, at->line, g->src_of_edge[e]))
            return 0;
    }
    return any && flow->count_of_node[at->node] > in
               ? flow->count_of_node[at->node] - in
               : 0;
}

/* How often the line was entered at this block: from the function's entry, or from a block that is not on the line. */
static uint64_t count_ways_in(const struct trod_flow *flow,
    const struct trod_flow_places *p, const struct trod_flow_place *at)
{
    const struct trod_graph *g = flow->entry->numbering.dag->graph;
    uint64_t count = at->node == g->entry ? flow->entered : 0;

    for (uint32_t k = g->first_in[at->node]; k < g->first_in[at->node + 1]; k++) {
        trod_edge e = g->in_edge[k];

        if (!trod_flow_has_line(p, at->line, g->src_of_edge[e]))
            count = trod_sat_add(count, flow->count_of_edge[e]);
    }
    return trod_sat_add(count, count_unsure_in(flow, p, at));
}

/* If unfinished paths were on a line, it ran, however they got there. It is unknown only if no block of it certainly
 * ran and one may have.
 */
static void settle_rows(struct trod_flow_row *row, uint32_t nrow,
    const struct trod_flow *flow, const struct trod_flow_places *p)
{
    for (size_t i = 0, r = 0; flow->unsure_nodes && flow->count_of_node && i < p->n;
        i++) {
        trod_node v = p->place[i].node;

        r += row[r].line != p->place[i].line;
        assert(r < nrow);
        if (row[r].count)
            continue;
        row[r].count = flow->count_of_node[v];
        row[r].unknown =
            !row[r].count && (row[r].unknown || trod_flow_node_unknown(flow, v));
    }
    (void)nrow;
}

/* Did the path stay on the line since it last visited `to`? If it never did, all its blocks must be on the line, and
 * its last edge must be a back edge.
 */
static bool stayed(const struct trod_flow_places *p, uint32_t line,
    const struct trod_dag *dag, const trod_edge *step, uint32_t n, trod_node to,
    bool goes_back)
{
    for (uint32_t i = n - 1; i-- > 0;) {
        trod_node v = dag->shape.dst_of_edge[step[i]];

        if (!trod_flow_has_line(p, line, v))
            return false;
        if (v == to)
            return true;
    }
    return goes_back;
}

static struct trod_flow_row *row_of(
    struct trod_flow_row *row, uint32_t n, uint32_t line)
{
    uint32_t low = 0;

    while (low < n) {
        uint32_t mid = low + (n - low) / 2;

        if (row[mid].line < line)
            low = mid + 1;
        else
            n = mid;
    }
    return &row[low];
}

/* Count another iteration if a path ends with an edge to a block on a line that it did not leave since it was at that
 * block.
 */
static void add_iterations(struct trod_flow_row *row, uint32_t nrow,
    const struct trod_flow *flow, const struct trod_flow_places *p,
    const struct trod_order *order, trod_edge *step,
    const struct trod_profile_path *path)
{
    const struct trod_map_entry *entry = flow->entry;
    const struct trod_dag *dag = entry->numbering.dag;
    uint32_t n = trod_number_decode(step, &entry->numbering, path->id);
    trod_edge by = dag->origin_of_edge[step[n - 1]];
    trod_node to;

    if (by == TROD_NONE)
        return;
    to = dag->graph->dst_of_edge[by];
    for (uint32_t i = entry->first_line[to]; i < entry->first_line[to + 1]; i++) {
        uint32_t line = entry->line[i];
        bool again = false;

        for (uint32_t k = entry->first_line[to]; k < i; k++)
            again |= entry->line[k] == line;
        if (line && !again && trod_flow_has_line(p, line, to) &&
            stayed(p, line, dag, step, n, to, trod_has(order->retreating, by))) {
            struct trod_flow_row *at = row_of(row, nrow, line);

            at->count = trod_sat_add(at->count, path->count);
        }
    }
}

uint32_t trod_flow_begun(
    struct trod_flow_row *out, const struct trod_flow *flow, struct trod_arena *mem)
{
    const struct trod_map_entry *entry = flow->entry;
    trod_edge *step = trod_new(mem, trod_edge, entry->numbering.dag->nreach);
    struct trod_flow_places p;
    struct trod_order order;
    uint32_t n = 0;

    trod_graph_order(&order, entry->numbering.dag->graph, mem);
    trod_flow_places(&p, entry, &order, mem);
    for (size_t i = 0; i < p.n; i++) {
        if (!n || out[n - 1].line != p.place[i].line)
            out[n++] = (struct trod_flow_row){.line = p.place[i].line};
        if (flow->count_of_node)
            out[n - 1].count =
                trod_sat_add(out[n - 1].count, count_ways_in(flow, &p, &p.place[i]));
    }
    for (size_t i = 0; i < flow->npath; i++)
        add_iterations(out, n, flow, &p, &order, step, &flow->path[i]);
    settle_rows(out, n, flow, &p);
    return n;
}
