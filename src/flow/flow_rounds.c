#include "flow/flow.h"

/* Which blocks of a line are on a cycle of such blocks: Tarjan's strongly connected components, without recursion. A
 * block's number is its place among those of the line, from 1; 0: it is none.
 */
struct search {
    const struct trod_flow_line *line;
    const struct trod_graph *graph;
    uint32_t *seen;  /* [nnode] when it was come to, from 1; 0: not yet */
    uint32_t *low;   /* [nnode] the earliest that it reaches */
    uint32_t *group; /* [nnode] from 1; 0: not known yet */
    uint32_t *open;  /* [nnode] seen, without a group */
    uint32_t *way;   /* [nnode] where to, and which edge is next */
    trod_edge *next;
    uint32_t nseen, nopen, nway, ngroup;
};

static void come_to(struct search *s, uint32_t i)
{
    s->seen[i] = s->low[i] = ++s->nseen;
    s->open[s->nopen++] = i;
    s->way[s->nway++] = i;
    s->next[i] = s->graph->first_out[s->line->node[i]];
}

static void end_group(struct search *s, uint32_t i)
{
    uint32_t member;

    s->ngroup++;
    do {
        member = s->open[--s->nopen];
        s->group[member] = s->ngroup;
    } while (member != i);
}

/* One edge further, or back. */
static void go_on(struct search *s)
{
    uint32_t i = s->way[s->nway - 1], to;

    if (s->next[i] < s->graph->first_out[s->line->node[i] + 1]) {
        to = s->line->number_of_node[s->graph->dst_of_edge[s->next[i]++]];
        if (to-- == 0)
            return;
        if (!s->seen[to])
            come_to(s, to);
        else if (!s->group[to] && s->seen[to] < s->low[i])
            s->low[i] = s->seen[to];
        return;
    }
    if (s->low[i] == s->seen[i])
        end_group(s, i);
    s->nway--;
    if (s->nway && s->low[i] < s->low[s->way[s->nway - 1]])
        s->low[s->way[s->nway - 1]] = s->low[i];
}

static uint32_t *find_groups(const struct trod_flow_line *line, struct trod_arena *mem)
{
    struct search s = {.line = line,
        .graph = line->flow->entry->numbering.dag->graph,
        .seen = trod_new(mem, uint32_t, line->nnode),
        .low = trod_new(mem, uint32_t, line->nnode),
        .group = trod_new(mem, uint32_t, line->nnode),
        .open = trod_new(mem, uint32_t, line->nnode),
        .way = trod_new(mem, uint32_t, line->nnode),
        .next = trod_new(mem, trod_edge, line->nnode)};

    for (uint32_t i = 0; i < line->nnode; i++) {
        if (!s.seen[i])
            come_to(&s, i);
        while (s.nway)
            go_on(&s);
    }
    return s.group;
}

/* Edges within a line that go back: rounds, if both ends are on one cycle. */
static uint64_t count_rounds(const struct trod_flow_line *line, struct trod_arena *mem)
{
    const struct trod_graph *g = line->flow->entry->numbering.dag->graph;
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *group = find_groups(line, mem);
    uint64_t count = 0;

    for (uint32_t i = 0; i < line->nnode; i++)
        for (trod_edge e = g->first_out[line->node[i]];
            e < g->first_out[line->node[i] + 1]; e++) {
            uint32_t to = line->number_of_node[g->dst_of_edge[e]];

            if (to && group[to - 1] == group[i] && trod_has(line->order->retreating, e))
                count = trod_sat_add(count, line->flow->count_of_edge[e]);
        }
    trod_arena_rewind(mem, mark);
    return count;
}

uint64_t trod_flow_begun(const struct trod_flow_line *line, struct trod_arena *mem)
{
    const struct trod_graph *g = line->flow->entry->numbering.dag->graph;
    uint64_t count = 0;
    bool goes_back = false;

    for (uint32_t i = 0; i < line->nnode; i++)
        line->number_of_node[line->node[i]] = i + 1;
    for (uint32_t i = 0; i < line->nnode; i++) {
        trod_node v = line->node[i];

        if (v == g->entry)
            count = trod_sat_add(count, line->flow->entered);
        for (uint32_t k = g->first_in[v]; k < g->first_in[v + 1]; k++) {
            trod_edge e = g->in_edge[k];

            if (!line->number_of_node[g->src_of_edge[e]])
                count = trod_sat_add(count, line->flow->count_of_edge[e]);
            else
                goes_back |= trod_has(line->order->retreating, e);
        }
    }
    if (goes_back)
        count = trod_sat_add(count, count_rounds(line, mem));
    for (uint32_t i = 0; i < line->nnode; i++)
        line->number_of_node[line->node[i]] = 0;
    return count;
}
