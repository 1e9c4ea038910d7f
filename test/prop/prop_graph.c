/* Graphs: orders, dominators, loops, weights and spanning forests equal brute-force results;
 * the hash distinguishes shapes and nothing else.
 */
#include "prop/sample.h"

enum { MAX_NODE = 14 };

/* --- the hash --------------------------------------------------------------------- */

/* How a shape reads from the entry on, breadth first: two graphs that read alike are
 * the same but for names and numbers.
 */
static uint32_t spell(uint32_t *out, const struct trod_graph *g, struct trod_arena *mem)
{
    uint32_t *number = trod_new(mem, uint32_t, g->nnode);
    trod_node *queue = trod_new(mem, trod_node, g->nnode);
    uint32_t nqueue = 0, n = 0;

    queue[nqueue++] = g->entry;
    number[g->entry] = nqueue;
    for (uint32_t i = 0; i < nqueue; i++) {
        trod_node v = queue[i];

        out[n++] = 0; /* no number is */
        for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
            trod_node w = g->dst_of_edge[e];

            if (!number[w]) {
                queue[nqueue++] = w;
                number[w] = nqueue;
            }
            out[n++] = number[w];
        }
    }
    return n;
}

static bool reads_like(
    const struct trod_graph *a, const struct trod_graph *b, struct trod_arena *mem)
{
    uint32_t *x = trod_new(mem, uint32_t, a->nnode + (size_t)a->nedge);
    uint32_t *y = trod_new(mem, uint32_t, b->nnode + (size_t)b->nedge);
    uint32_t n = spell(x, a, mem), m = spell(y, b, mem);

    return n == m && memcmp(x, y, n * sizeof *x) == 0;
}

static void copy_arcs(struct trod_graph_builder *out, const struct trod_graph *from,
    struct trod_arena *mem)
{
    trod_graph_builder_init(out, "changed", mem);
    out->nnode = from->nnode;
    out->entry = from->entry;
    for (trod_edge e = 0; e < from->nedge; e++)
        trod_graph_builder_add(out, from->src_of_edge[e], from->dst_of_edge[e]);
}

/* The same function as another compiler might write it down: nodes renamed and
 * renumbered, some added that cannot be reached, other weights.
 */
static void disguise(struct trod_graph *out, const struct trod_graph *from,
    struct kit_prop *p, struct trod_arena *mem)
{
    uint32_t added = (uint32_t)kit_draw(p, 4), nnode = from->nnode + added;
    trod_node *to = trod_new(mem, trod_node, nnode);
    const char **name = trod_new(mem, const char *, nnode);
    struct trod_graph_builder b;

    copy_arcs(&b, from, mem);
    b.nnode = nnode;
    for (trod_node v = from->nnode; v < nnode; v++)
        for (uint64_t n = kit_draw(p, 4); n > 0; n--)
            trod_graph_builder_add(&b, v, (trod_node)kit_draw(p, nnode));
    for (trod_node v = 0; v < nnode; v++) {
        char text[16];

        to[v] = v;
        name[v] = trod_graph_node_name(
            &(struct trod_graph){0}, (v * 7 + 3) % (2 * nnode), text);
        name[v] = trod_copy_text(mem, name[v], strlen(name[v]));
    }
    for (trod_node v = nnode - 1; v > 0; v--) {
        trod_node other = (trod_node)kit_draw(p, v + 1), kept = to[v];

        to[v] = to[other];
        to[other] = kept;
    }
    for (uint32_t a = 0; a < b.narc; a++) {
        b.arc[a].src = to[b.arc[a].src];
        b.arc[a].dst = to[b.arc[a].dst];
        b.arc[a].weight = a;
    }
    b.weighted = kit_draw(p, 2);
    b.name_of_node = kit_draw(p, 2) ? name : NULL;
    b.entry = to[b.entry];
    trod_graph_build(out, &b);
}

static bool hash_sees_no_disguise(struct kit_prop *p, void *ctx)
{
    struct trod_graph other;
    struct sample s;
    bool ok;

    (void)ctx;
    sample_init(&s);
    sample_graph(&s.graph, MAX_NODE, p, &s.mem);
    disguise(&other, &s.graph, p, &s.mem);
    ok = reads_like(&s.graph, &other, &s.mem) &&
         trod_graph_hash(&s.graph, &s.mem) == trod_graph_hash(&other, &s.mem);
    if (!ok) {
        sample_note_graph(p, &s.graph, &s.mem);
        sample_note_graph(p, &other, &s.mem);
    }
    return sample_free(&s, ok);
}

/* Swap two successors, or lead one edge elsewhere. */
static void change(struct trod_graph *out, const struct trod_graph *from,
    struct kit_prop *p, struct trod_arena *mem)
{
    struct trod_graph_builder b;
    trod_node v = (trod_node)kit_draw(p, from->nnode);
    uint32_t first = from->first_out[v], n = from->first_out[v + 1] - first;

    copy_arcs(&b, from, mem);
    if (n > 1 && kit_draw(p, 3) < 2) {
        uint32_t i = first + (uint32_t)kit_draw(p, n - 1);

        b.arc[i].dst = from->dst_of_edge[i + 1];
        b.arc[i + 1].dst = from->dst_of_edge[i];
    } else if (n > 0) {
        b.arc[first + kit_draw(p, n)].dst = (trod_node)kit_draw(p, from->nnode);
    }
    trod_graph_build(out, &b);
}

/* Equal hashes for graphs that read alike, different ones for others. A swap of arms
 * that are alike changes nothing.
 */
static bool hash_sees_changes(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_graph other;
    struct sample s;
    bool ok, same;

    sample_init(&s);
    sample_graph(&s.graph, MAX_NODE, p, &s.mem);
    change(&other, &s.graph, p, &s.mem);
    same = trod_graph_hash(&s.graph, &s.mem) == trod_graph_hash(&other, &s.mem);
    ok = *planted ? same : same == reads_like(&s.graph, &other, &s.mem);
    if (!ok) {
        sample_note_graph(p, &s.graph, &s.mem);
        sample_note_graph(p, &other, &s.mem);
    }
    return sample_free(&s, ok);
}

/* --- reaching, without what was taken away ---------------------------------------- */

/* Marks the nodes reached from v, backwards or forwards, but not through `without`. */
static void reach(bool *seen, const struct trod_graph *g, trod_node v,
    trod_node without, bool backwards)
{
    uint32_t first = backwards ? g->first_in[v] : g->first_out[v];
    uint32_t last = backwards ? g->first_in[v + 1] : g->first_out[v + 1];

    if (v == without || seen[v])
        return;
    seen[v] = true;
    for (uint32_t i = first; i < last; i++)
        reach(seen, g, backwards ? g->src_of_edge[g->in_edge[i]] : g->dst_of_edge[i],
            without, backwards);
}

/* Which nodes the entry reaches, or which reach an exit. */
static bool *reached(const struct trod_graph *g, trod_node without, bool backwards,
    struct trod_arena *mem)
{
    bool *seen = trod_new(mem, bool, g->nnode);

    if (!backwards)
        reach(seen, g, g->entry, without, false);
    for (trod_node v = 0; backwards && v < g->nnode; v++)
        if (g->first_out[v] == g->first_out[v + 1])
            reach(seen, g, v, without, true);
    return seen;
}

/* --- dominators ------------------------------------------------------------------- */

/* The nearest of the nodes other than v that all ways between v and the end pass. */
static trod_node nearest(const struct trod_graph *g, trod_node v, bool **without)
{
    trod_node best = TROD_NONE;

    for (trod_node d = 0; d < g->nnode; d++) {
        if (d == v || without[d][v])
            continue;
        /* d is nearer than best if it is not passed on the way to best. */
        if (best == TROD_NONE || !without[best][d])
            best = d;
    }
    return best;
}

static bool same_dominators(const struct trod_graph *g, const trod_node *got,
    bool backwards, struct trod_arena *mem)
{
    bool *all = reached(g, TROD_NONE, backwards, mem);
    bool **without = trod_new(mem, bool *, g->nnode);

    for (trod_node d = 0; d < g->nnode; d++)
        without[d] = reached(g, d, backwards, mem);
    for (trod_node v = 0; v < g->nnode; v++)
        if (got[v] != (all[v] ? nearest(g, v, without) : TROD_NONE))
            return false;
    return true;
}

static bool dominators(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_dom dom;
    struct sample s;
    bool ok;

    sample_init(&s);
    sample_shape(&s.graph, MAX_NODE, p, &s.mem);
    trod_graph_dominators(&dom, &s.graph, &s.mem);
    ok = same_dominators(&s.graph, dom.idom_of_node, false, &s.mem) &&
         same_dominators(&s.graph, dom.ipdom_of_node, !*planted, &s.mem);
    if (!ok) {
        for (trod_node v = 0; v < s.graph.nnode; v++)
            kit_note(p, "node %u: idom %d, ipdom %d", v, (int)dom.idom_of_node[v],
                (int)dom.ipdom_of_node[v]);
        sample_note_graph(p, &s.graph, &s.mem);
    }
    return sample_free(&s, ok);
}

/* --- orders and loops ------------------------------------------------------------- */

struct search {
    const struct trod_graph *g;
    uint32_t *pre, *post, *last, npre, npost; /* counted from 1 */
    bool *retreating;
};

static void visit(struct search *s, trod_node v)
{
    s->pre[v] = ++s->npre;
    for (trod_edge e = s->g->first_out[v]; e < s->g->first_out[v + 1]; e++) {
        trod_node w = s->g->dst_of_edge[e];

        if (!s->pre[w])
            visit(s, w);
        else if (!s->post[w])
            s->retreating[e] = true;
    }
    s->last[v] = s->npre;
    s->post[v] = ++s->npost;
}

static void search(struct search *s, const struct trod_graph *g, struct trod_arena *mem)
{
    *s = (struct search){.g = g};
    s->pre = trod_new(mem, uint32_t, g->nnode);
    s->post = trod_new(mem, uint32_t, g->nnode);
    s->last = trod_new(mem, uint32_t, g->nnode);
    s->retreating = trod_new(mem, bool, g->nedge);
    visit(s, g->entry);
}

static bool same_order(const struct search *s, const struct trod_order *order)
{
    uint32_t nretreating = 0;

    if (order->nreach != s->npre)
        return false;
    for (trod_node v = 0; v < s->g->nnode; v++)
        if (order->pre_of_node[v] + 1 != s->pre[v] ||
            order->post_of_node[v] + 1 != s->post[v] ||
            order->last_of_node[v] + 1 != s->last[v] ||
            (s->post[v] && order->post[s->post[v] - 1] != v))
            return false;
    for (trod_edge e = 0; e < s->g->nedge; e++) {
        if (trod_has(order->retreating, e) != s->retreating[e])
            return false;
        nretreating += s->retreating[e];
    }
    return order->nretreating == nretreating;
}

static bool order(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_order got;
    struct search want;
    struct sample s;
    bool ok;

    sample_init(&s);
    sample_shape(&s.graph, MAX_NODE, p, &s.mem);
    trod_graph_order(&got, &s.graph, &s.mem);
    search(&want, &s.graph, &s.mem);
    got.nretreating += *planted && got.nretreating;
    ok = same_order(&want, &got);
    if (!ok)
        sample_note_graph(p, &s.graph, &s.mem);
    return sample_free(&s, ok);
}

/* Whether w reaches h through nodes below h alone. */
static bool in_loop(const struct search *s, trod_node h, trod_node w, bool *seen)
{
    bool below = s->pre[h] <= s->pre[w] && s->pre[w] <= s->last[h];

    if (w == h)
        return true;
    if (!below || seen[w])
        return false;
    seen[w] = true;
    for (trod_edge e = s->g->first_out[w]; e < s->g->first_out[w + 1]; e++)
        if (in_loop(s, h, s->g->dst_of_edge[e], seen))
            return true;
    return false;
}

/* member[l][v], for every loop that was found. */
static bool **members(
    const struct search *s, const struct trod_loops *loops, struct trod_arena *mem)
{
    bool **member = trod_new(mem, bool *, loops->nloop);

    for (uint32_t l = 0; l < loops->nloop; l++) {
        member[l] = trod_new(mem, bool, s->g->nnode);
        for (trod_node v = 0; v < s->g->nnode; v++)
            member[l][v] = s->pre[v] && in_loop(s, loops->header_of_loop[l], v,
                                            trod_new(mem, bool, s->g->nnode));
    }
    return member;
}

static bool headers_are_targets(const struct search *s, const struct trod_loops *loops)
{
    for (trod_node v = 0; v < s->g->nnode; v++) {
        uint32_t target = 0, header = 0;

        for (trod_edge e = 0; e < s->g->nedge; e++)
            target |= s->retreating[e] && s->g->dst_of_edge[e] == v;
        for (uint32_t l = 0; l < loops->nloop; l++)
            header += loops->header_of_loop[l] == v;
        if (target != header)
            return false;
    }
    for (uint32_t l = 1; l < loops->nloop; l++)
        if (s->pre[loops->header_of_loop[l - 1]] >= s->pre[loops->header_of_loop[l]])
            return false;
    return true;
}

/* The innermost of the loops around v, but for loop `not`; loops are sorted from the
 * outside in.
 */
static uint32_t innermost(
    bool *const *member, uint32_t nloop, trod_node v, uint32_t not, uint32_t *depth)
{
    uint32_t found = TROD_NONE;

    *depth = 0;
    for (uint32_t l = 0; l < nloop; l++) {
        if (member[l][v] && l != not) {
            found = l;
            ++*depth;
        }
    }
    return found;
}

static bool entered_elsewhere(
    const struct search *s, const bool *member, trod_node header)
{
    for (trod_edge e = 0; e < s->g->nedge; e++) {
        trod_node u = s->g->src_of_edge[e], w = s->g->dst_of_edge[e];

        if (s->pre[u] && !member[u] && member[w] && w != header)
            return true;
    }
    return false;
}

static bool same_loops(
    const struct search *s, const struct trod_loops *loops, struct trod_arena *mem)
{
    bool **member = members(s, loops, mem);
    uint32_t depth;

    if (!headers_are_targets(s, loops))
        return false;
    for (trod_node v = 0; v < s->g->nnode; v++)
        if (loops->loop_of_node[v] !=
                innermost(member, loops->nloop, v, TROD_NONE, &depth) ||
            loops->depth_of_node[v] != depth)
            return false;
    for (uint32_t l = 0; l < loops->nloop; l++) {
        trod_node h = loops->header_of_loop[l];

        if (loops->parent_of_loop[l] != innermost(member, loops->nloop, h, l, &depth) ||
            loops->depth_of_loop[l] != depth + 1 ||
            loops->irreducible_of_loop[l] != entered_elsewhere(s, member[l], h))
            return false;
    }
    return true;
}

static bool loops(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_order order;
    struct trod_loops got;
    struct search want;
    struct sample s;
    bool ok;

    sample_init(&s);
    sample_shape(&s.graph, MAX_NODE, p, &s.mem);
    trod_graph_order(&order, &s.graph, &s.mem);
    trod_graph_loops(&got, &s.graph, &order, &s.mem);
    search(&want, &s.graph, &s.mem);
    if (*planted) /* as though every loop had one way in */
        got.irreducible_of_loop = trod_new(&s.mem, bool, got.nloop);
    ok = same_loops(&want, &got, &s.mem);
    if (!ok) {
        for (uint32_t l = 0; l < got.nloop; l++)
            kit_note(p, "loop %u: header %u, parent %d, depth %u%s", l,
                got.header_of_loop[l], (int)got.parent_of_loop[l], got.depth_of_loop[l],
                got.irreducible_of_loop[l] ? ", irreducible" : "");
        sample_note_graph(p, &s.graph, &s.mem);
    }
    return sample_free(&s, ok);
}

/* --- weights and forests ---------------------------------------------------------- */

static bool weights(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    struct trod_view view;
    struct sample s;
    bool ok = true;

    sample_init(&s);
    sample_graph(&s.graph, MAX_NODE, p, &s.mem);
    trod_graph_view(&view, &s.graph, NULL, &s.mem);
    for (trod_edge e = 0; ok && e < s.graph.nedge; e++) {
        uint64_t weight = view.weight_of_edge[e];
        bool passed =
            *planted || view.order.pre_of_node[s.graph.src_of_edge[e]] != TROD_NONE;

        ok = passed ? weight >= 1 : weight == 0;
        if (passed && s.graph.weight_of_edge && s.graph.weight_of_edge[e])
            ok = weight == s.graph.weight_of_edge[e];
        else
            ok = ok && weight <= UINT64_C(1) << 50;
        if (!ok)
            kit_note(p, "edge %u -> %u weighs %" PRIu64, s.graph.src_of_edge[e],
                s.graph.dst_of_edge[e], weight);
    }
    if (!ok)
        sample_note_graph(p, &s.graph, &s.mem);
    return sample_free(&s, ok);
}

/* Kruskal's algorithm, without any haste. */
static void slow_span(bool *tree, const struct trod_graph *g, const uint64_t *eligible,
    const uint64_t *weight, struct trod_arena *mem)
{
    uint32_t *part = trod_new(mem, uint32_t, g->nnode);
    bool *done = trod_new(mem, bool, g->nedge);

    for (trod_node v = 0; v < g->nnode; v++)
        part[v] = v;
    for (uint32_t pass = 0; pass < g->nedge; pass++) {
        trod_edge best = TROD_NONE;
        uint32_t a, b;

        for (trod_edge e = 0; e < g->nedge; e++)
            if (!done[e] && (best == TROD_NONE || weight[e] > weight[best]))
                best = e;
        done[best] = true;
        a = part[g->src_of_edge[best]];
        b = part[g->dst_of_edge[best]];
        tree[best] = trod_has(eligible, best) && a != b;
        for (trod_node v = 0; tree[best] && v < g->nnode; v++)
            part[v] = part[v] == a ? b : part[v];
    }
}

static bool span(struct kit_prop *p, void *ctx)
{
    const bool *planted = ctx;
    uint64_t *tree, *eligible, *weight;
    struct sample_dice dice;
    struct sample s;
    uint64_t shift;
    bool ok = true, *want;

    sample_init(&s);
    sample_shape(&s.graph, MAX_NODE, p, &s.mem);
    tree = trod_new(&s.mem, uint64_t, TROD_WORDS(s.graph.nedge));
    eligible = trod_new(&s.mem, uint64_t, TROD_WORDS(s.graph.nedge));
    weight = trod_new(&s.mem, uint64_t, s.graph.nedge);
    want = trod_new(&s.mem, bool, s.graph.nedge);
    dice = sample_dice(p, 1, 4);
    shift = kit_draw(p, 61);
    for (trod_edge e = 0; e < s.graph.nedge; e++) {
        weight[e] = sample_roll(dice, e, 8) << shift;
        if (!dice.seed || sample_roll(dice, e + UINT64_C(1000), 4))
            trod_add(eligible, e);
    }
    trod_graph_span(tree, &s.graph, eligible, weight, &s.mem);
    slow_span(want, &s.graph, eligible, weight, &s.mem);
    for (trod_edge e = 0; e < s.graph.nedge; e++)
        ok = ok && trod_has(*planted ? eligible : tree, e) == want[e];
    for (trod_edge e = 0; !ok && e < s.graph.nedge; e++)
        kit_note(p, "edge %u -> %u, weight %" PRIu64 "%s%s", s.graph.src_of_edge[e],
            s.graph.dst_of_edge[e], weight[e], trod_has(eligible, e) ? "" : " out",
            trod_has(tree, e) ? " in the tree" : "");
    return sample_free(&s, ok);
}

static bool sound = false, faulty = true;

static void test_hash(void **state)
{
    (void)state;
    kit_check("the hash sees no disguise", hash_sees_no_disguise, NULL);
    kit_check("the hash sees every change", hash_sees_changes, &sound);
    kit_check_planted("the hash sees no change", hash_sees_changes, &faulty);
}

static void test_dominators(void **state)
{
    (void)state;
    kit_check("dominators are passed on all ways", dominators, &sound);
    kit_check_planted("post-dominators taken for dominators", dominators, &faulty);
}

static void test_order(void **state)
{
    (void)state;
    kit_check("orders are those of a recursive search", order, &sound);
    kit_check_planted("a retreating edge too many", order, &faulty);
}

static void test_loops(void **state)
{
    (void)state;
    kit_check("loops are what reaches their header", loops, &sound);
    kit_check_planted("all loops reducible", loops, &faulty);
}

static void test_weights(void **state)
{
    (void)state;
    kit_check("edges that are passed weigh something", weights, &sound);
    kit_check_planted("all edges weigh something", weights, &faulty);
}

static void test_span(void **state)
{
    (void)state;
    kit_check("forests are Kruskal's", span, &sound);
    kit_check_planted("all edges are a forest", span, &faulty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hash),
        cmocka_unit_test(test_dominators),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_weights),
        cmocka_unit_test(test_span),
    };

    return cmocka_run_group_tests_name("graph", tests, NULL, NULL);
}
