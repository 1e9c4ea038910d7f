/* match: a function, edited in known ways, and walks through both versions.
 *
 * Which block is which is known here, because the edits are. Walks that come to nothing that was edited take the same
 * way in both versions; their paths, counted in the new one, are what moving those of the old one must give.
 */
#include "prop/sample.h"

#include <stdio.h>

#include "match/match.h"

enum fault {
    NO_FAULT,
    FAULT_NODES,  /* two matches are exchanged */
    FAULT_EDGES,  /* two edges of a block are */
    FAULT_STARTS, /* a path that starts at a cut is moved, whatever became of the cut */
    FAULT_COUNT,  /* a moved path has a run too many */
    FAULT_LOOP    /* a loop is called the same that is not */
};

/* --- a version under edit --------------------------------------------------------------------------------- */

struct way {
    uint32_t to;
    bool edited; /* it led elsewhere */
};

struct block {
    uint64_t hash, key; /* key: where it stands in the code */
    uint8_t leave;
    bool gone, edited;
    struct way *way;
    uint32_t nway;
};

struct version {
    struct block *block; /* the old graph's first, under their old numbers */
    uint32_t nblock, nold;
    uint32_t entry;
    bool doubled; /* some block is there twice: either may be taken for the old one */
    trod_node *node_of_block; /* in the new graph */
    struct trod_graph graph;
    struct trod_view view;
    struct trod_map_entry map;
};

static void copy_old(struct version *v, const struct trod_graph *g,
    const uint64_t *hash, struct trod_arena *mem)
{
    v->nold = v->nblock = g->nnode;
    v->entry = g->entry;
    v->block = trod_new(mem, struct block, (size_t)g->nnode + 64);
    for (trod_node u = 0; u < g->nnode; u++) {
        struct block *b = &v->block[u];

        *b = (struct block){.hash = hash[u],
            .key = (uint64_t)(u + 1) << 20,
            .leave = (uint8_t)trod_graph_leave(g, u),
            .nway = g->first_out[u + 1] - g->first_out[u]};
        b->way = trod_new(mem, struct way, b->nway);
        for (uint32_t k = 0; k < b->nway; k++)
            b->way[k].to = g->dst_of_edge[g->first_out[u] + k];
    }
}

/* --- edits -------------------------------------------------------------------------------------------------------- */

static uint64_t fresh_hash(struct version *v, struct kit_prop *p)
{
    return trod_mix(0x10000 + v->nblock, kit_draw(p, 1 << 16));
}

static void edit_insert(
    struct version *v, uint32_t u, struct kit_prop *p, struct trod_arena *mem)
{
    struct block *b = &v->block[u], *fresh = &v->block[v->nblock];
    uint32_t k;

    if (!b->nway)
        return;
    k = (uint32_t)kit_draw(p, b->nway);
    *fresh = (struct block){.hash = fresh_hash(v, p),
        .key = b->key + 1 + kit_draw(p, 1000),
        .edited = true,
        .way = trod_new(mem, struct way, 1),
        .nway = 1};
    fresh->way[0].to = b->way[k].to;
    b->way[k] = (struct way){v->nblock++, true};
}

static void edit_delete(struct version *v, uint32_t u)
{
    struct block *b = &v->block[u];

    if (u == v->entry || b->nway != 1 || b->way[0].to == u)
        return;
    b->gone = b->edited = true;
    for (uint32_t w = 0; w < v->nblock; w++)
        for (uint32_t k = 0; k < v->block[w].nway; k++)
            if (v->block[w].way[k].to == u)
                v->block[w].way[k] = (struct way){b->way[0].to, true};
}

/* The same code a second time, for one of the ways that lead to it. */
static void edit_duplicate(
    struct version *v, uint32_t u, struct kit_prop *p, struct trod_arena *mem)
{
    struct block *b = &v->block[u], *copy = &v->block[v->nblock];
    uint32_t k;

    if (!b->nway)
        return;
    k = (uint32_t)kit_draw(p, b->nway);
    *copy = v->block[b->way[k].to];
    copy->edited = v->doubled = true;
    copy->key++;
    copy->way = trod_new(mem, struct way, copy->nway);
    memcpy(copy->way, v->block[b->way[k].to].way, copy->nway * sizeof *copy->way);
    v->block[b->way[k].to].edited = true;
    b->way[k] = (struct way){v->nblock++, true};
}

/* Exchange the first and the last successor, with or without a change of the hash. */
static void edit_swap(struct version *v, uint32_t u, struct kit_prop *p)
{
    struct block *b = &v->block[u];
    struct way kept;

    if (b->nway < 2)
        return;
    kept = b->way[0];
    b->way[0] = b->way[b->nway - 1];
    b->way[b->nway - 1] = kept;
    b->edited = true;
    if (kit_draw(p, 2))
        b->hash = fresh_hash(v, p);
}

static void edit(struct version *v, struct kit_prop *p, struct trod_arena *mem)
{
    uint32_t u = (uint32_t)kit_draw(p, v->nblock);

    if (v->block[u].gone)
        return;
    switch (kit_draw(p, 5)) {
    case 0:
        edit_insert(v, u, p, mem);
        break;
    case 1:
        v->block[u].hash = fresh_hash(v, p);
        v->block[u].edited = true;
        break;
    case 2:
        edit_delete(v, u);
        break;
    case 3:
        edit_swap(v, u, p);
        break;
    default:
        edit_duplicate(v, u, p, mem);
    }
}

/* --- the graph of a version ----------------------------------------------------------------------------------------- */

/* By key, the simplest way. */
static uint32_t number_blocks(struct version *v, struct trod_arena *mem)
{
    uint32_t n = 0;

    v->node_of_block = trod_new(mem, trod_node, v->nblock);
    for (uint32_t u = 0; u < v->nblock; u++) {
        v->node_of_block[u] = 0;
        n += !v->block[u].gone;
        for (uint32_t w = 0; w < v->nblock; w++)
            v->node_of_block[u] +=
                !v->block[w].gone && (v->block[w].key < v->block[u].key ||
                                         (w < u && v->block[w].key == v->block[u].key));
    }
    return n;
}

/* Cuts are asked for by a dice, edge by edge. */
static bool build_version(struct version *v, struct sample_dice cuts, uint64_t most,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_graph_builder builder;
    struct trod_limit_report report;
    struct trod_limit limit = {.most = most};
    uint32_t nnode = number_blocks(v, mem);
    uint8_t *leave = trod_new(mem, uint8_t, nnode);
    uint64_t *hash = trod_new(mem, uint64_t, nnode);

    trod_graph_builder_init(&builder, "f", mem);
    builder.nnode = nnode;
    builder.entry = v->node_of_block[v->entry];
    builder.leave_of_node = leave;
    for (uint32_t u = 0; u < v->nblock; u++) {
        if (v->block[u].gone)
            continue;
        leave[v->node_of_block[u]] = v->block[u].leave;
        hash[v->node_of_block[u]] = v->block[u].hash;
        for (uint32_t k = 0; k < v->block[u].nway; k++) {
            trod_graph_builder_add(
                &builder, v->node_of_block[u], v->node_of_block[v->block[u].way[k].to]);
            builder.arc[builder.narc - 1].cut =
                sample_roll(cuts, (uint64_t)u << 8 | k, 12) == 11;
        }
    }
    trod_graph_build(&v->graph, &builder);
    v->map = (struct trod_map_entry){.name = "f", .hash_of_node = hash};
    if (!trod_number_limit(&v->view, &report, &v->graph, &limit, mem, err) ||
        !trod_number_ballarus(&v->map.numbering, &v->view.dag, mem, err))
        return false;
    trod_chain_init(&v->map.chain, &v->map.numbering, 1);
    return true;
}

/* --- walks ----------------------------------------------------------------------------------------------------------- */

struct walk {
    trod_edge *edge; /* of the old graph */
    uint32_t nedge, room;
};

/* Steps to the nearest exit; UINT32_MAX: there is none. */
static uint32_t *distances(const struct trod_graph *g, struct trod_arena *mem)
{
    uint32_t *far = trod_new(mem, uint32_t, g->nnode);
    bool moved = true;

    for (trod_node v = 0; v < g->nnode; v++)
        far[v] = g->first_out[v] == g->first_out[v + 1] ? 0 : UINT32_MAX;
    while (moved) {
        moved = false;
        for (trod_edge e = 0; e < g->nedge; e++) {
            uint32_t d = far[g->dst_of_edge[e]];

            if (d != UINT32_MAX && d + 1 < far[g->src_of_edge[e]]) {
                far[g->src_of_edge[e]] = d + 1;
                moved = true;
            }
        }
    }
    return far;
}

/* From the entry to an exit: at will, and after some time the nearest way out. False: there is none. */
static bool take_walk(struct walk *out, const struct trod_graph *g, const uint32_t *far,
    struct kit_prop *p, struct trod_arena *mem)
{
    trod_node v = g->entry;
    uint32_t will = (uint32_t)kit_draw(p, 20);

    *out = (struct walk){0};
    while (g->first_out[v] != g->first_out[v + 1]) {
        uint32_t n = g->first_out[v + 1] - g->first_out[v];
        trod_edge e = g->first_out[v];

        if (will) {
            e += (trod_edge)kit_draw(p, n);
            will--;
        } else if (far[v] == UINT32_MAX) {
            return false;
        } else {
            while (far[g->dst_of_edge[e]] >= far[v])
                e++;
        }
        trod_reserve(mem, out->edge, out->nedge, out->room);
        out->edge[out->nedge++] = e;
        v = g->dst_of_edge[e];
    }
    return true;
}

static bool touches_edits(
    const struct walk *walk, const struct version *v, const struct trod_graph *old)
{
    bool touches = v->block[old->entry].edited;

    for (uint32_t i = 0; i < walk->nedge; i++) {
        trod_node u = old->src_of_edge[walk->edge[i]];

        touches |= v->block[old->dst_of_edge[walk->edge[i]]].edited;
        touches |= v->block[u].way[walk->edge[i] - old->first_out[u]].edited;
    }
    return touches;
}

/* --- counting ---------------------------------------------------------------------------------------------------------- */

struct counts {
    trod_path *id;
    uint64_t *count;
    size_t n;
};

static void count_path(struct counts *c, trod_path id, uint64_t times)
{
    for (size_t i = 0; i < c->n; i++) {
        if (c->id[i] == id) {
            c->count[i] += times;
            return;
        }
    }
    c->id[c->n] = id;
    c->count[c->n++] = times;
}

static uint64_t count_of(const struct counts *c, trod_path id)
{
    for (size_t i = 0; i < c->n; i++)
        if (c->id[i] == id)
            return c->count[i];
    return 0;
}

/* A walk in one version: `edge` gives the edges of its graph. */
static void count_walk(struct counts *c, const struct trod_numbering *bl,
    const trod_edge *edge, uint32_t nedge, uint64_t times)
{
    const struct trod_dag *dag = bl->dag;
    trod_node v = dag->graph->entry;
    trod_path id = (trod_path)bl->val_of_edge[dag->shape.first_out[dag->shape.entry]];

    for (uint32_t i = 0; i < nedge; i++) {
        trod_edge d = dag->dag_of_edge[edge[i]];

        v = dag->graph->dst_of_edge[edge[i]];
        id += (trod_path)bl->val_of_edge[d];
        if (dag->kind_of_edge[d] != TROD_DAG_END)
            continue;
        count_path(c, id, times);
        id = (trod_path)bl->val_of_edge[dag->start_of_node[v]];
    }
    count_path(c, id + (trod_path)bl->val_of_edge[dag->shape.first_out[v]], times);
}

/* The same walk in the new version, if nothing on it was edited. */
static trod_edge *walk_anew(const struct walk *walk, const struct version *v,
    const struct trod_graph *old, struct trod_arena *mem)
{
    trod_edge *out = trod_new(mem, trod_edge, walk->nedge);

    for (uint32_t i = 0; i < walk->nedge; i++) {
        trod_node u = old->src_of_edge[walk->edge[i]];

        out[i] = v->graph.first_out[v->node_of_block[u]] +
                 (walk->edge[i] - old->first_out[u]);
    }
    return out;
}

/* --- samples ----------------------------------------------------------------------------------------------------------- */

struct pair {
    struct sample s;
    struct version old, later;
    struct trod_match match;
    bool unique; /* hashes of old blocks are of one block each */
    bool shuffled;
};

static void note_version(struct kit_prop *p, struct pair *x, const struct version *v)
{
    sample_note_numbering(p, &v->map.numbering, &x->s.mem);
    for (trod_node u = 0; u < v->graph.nnode; u++)
        kit_note(p, "# %u does %" PRIx64, u, v->map.hash_of_node[u]);
}

static bool pair_fail(struct kit_prop *p, struct pair *x, const char *what)
{
    note_version(p, x, &x->old);
    note_version(p, x, &x->later);
    for (trod_node u = 0; u < x->old.graph.nnode; u++)
        kit_note(p, "%u -> %d%s", u, (int)x->match.new_of_old[u],
            trod_has(x->match.same_of_old, u) ? " same" : "");
    kit_note(p, "%s", what);
    return false;
}

static bool pair_end(struct pair *x, bool holds)
{
    return sample_free(&x->s, holds);
}

static const uint64_t *draw_hashes(struct pair *x, uint32_t nnode, struct kit_prop *p)
{
    uint64_t *hash = trod_new(&x->s.mem, uint64_t, nnode);
    uint64_t kinds = 1 + kit_draw(p, 6);

    x->unique = kit_draw(p, 3) < 2;
    for (trod_node v = 0; v < nnode; v++)
        hash[v] = x->unique ? v + 1 : 1 + trod_mix(kinds, v) % kinds;
    return hash;
}

static bool pair_build(
    struct pair *x, uint32_t most_edits, bool keep_cuts, struct kit_prop *p)
{
    struct trod_graph shape;
    struct sample_dice cuts, leaves;
    const uint64_t *hash;
    uint64_t most = keep_cuts ? 0 : (kit_draw(p, 4) ? 1 << 20 : 40);
    uint32_t nedit;

    *x = (struct pair){0};
    sample_init(&x->s);
    sample_shape(&shape, 14, p, &x->s.mem);
    cuts = sample_dice(p, 2, 3);
    leaves = sample_dice(p, 3, 4);
    hash = draw_hashes(x, shape.nnode, p);
    copy_old(&x->old, &shape, hash, &x->s.mem);
    for (trod_node v = 0; v < shape.nnode; v++)
        x->old.block[v].leave =
            sample_roll(leaves, v, 8) == 7 ? TROD_RETURNS_AGAIN : TROD_STAYS;
    if (!build_version(&x->old, cuts, most, &x->s.mem, &x->s.err))
        return false;
    copy_old(&x->later, &x->old.graph, hash, &x->s.mem);
    nedit = most_edits ? (uint32_t)kit_draw(p, most_edits + 1) : 0;
    for (uint32_t i = 0; i < nedit; i++)
        edit(&x->later, p, &x->s.mem);
    x->shuffled = kit_draw(p, 4) == 3;
    for (uint32_t u = 0; x->shuffled && u < x->later.nblock; u++)
        x->later.block[u].key = trod_mix(7, u);
    if (!keep_cuts && kit_draw(p, 3) == 2)
        cuts = sample_dice(p, 1, 2);
    if (!build_version(&x->later, cuts, most, &x->s.mem, &x->s.err))
        return false;
    trod_match_build(&x->match, &x->old.map, &x->later.map, &x->s.mem);
    return true;
}

static void plant(struct pair *x, enum fault fault, struct kit_prop *p)
{
    struct trod_match *m = &x->match;
    const struct trod_graph *g = &x->old.graph;

    if (fault == FAULT_NODES) {
        trod_node a = (trod_node)kit_draw(p, g->nnode),
                  b = (trod_node)kit_draw(p, g->nnode);
        trod_node kept = m->new_of_old[a];

        m->new_of_old[a] = m->new_of_old[b];
        m->new_of_old[b] = kept;
    }
    if (fault == FAULT_EDGES && g->nedge > 1) {
        trod_edge e = (trod_edge)kit_draw(p, g->nedge - 1), kept = m->edge_of_old[e];

        m->edge_of_old[e] = m->edge_of_old[e + 1];
        m->edge_of_old[e + 1] = kept;
    }
    for (trod_node v = 0; fault == FAULT_STARTS && v < g->nnode; v++)
        if (m->new_of_old[v] != TROD_NONE &&
            x->later.view.dag.start_of_node[m->new_of_old[v]] != TROD_NONE)
            trod_add(m->starts_of_old, v);
    for (uint32_t l = 0; fault == FAULT_LOOP && l < m->nloop_old; l++)
        if (m->loop_of_old[l] != TROD_NONE)
            trod_add(m->same_loop, l);
}

static enum fault fault_of(void *ctx)
{
    return ctx ? *(const unsigned *)ctx : NO_FAULT;
}

/* --- properties ----------------------------------------------------------------------------------------------------------- */

static bool reached(const struct version *v, trod_node u)
{
    return v->view.order.post_of_node[u] != TROD_NONE;
}

/* A block that was not edited, and is like no other, is found again wherever it stands. */
static bool finds_blocks(struct kit_prop *p, void *ctx)
{
    struct pair x;
    bool ok = pair_build(&x, 6, false, p);

    if (!ok)
        return pair_end(&x, x.s.err.code == TROD_E_LIMIT);
    plant(&x, fault_of(ctx), p);
    if (!trod_match_check(&x.match, &x.s.err))
        return pair_end(&x, pair_fail(p, &x, x.s.err.text));
    for (trod_node u = 0; x.unique && ok && u < x.old.graph.nnode; u++) {
        trod_node w = x.later.node_of_block[u];

        if (x.later.block[u].edited || !reached(&x.old, u) || !reached(&x.later, w))
            continue;
        ok = x.match.new_of_old[u] == w && trod_has(x.match.same_of_old, u);
    }
    if (!ok)
        pair_fail(p, &x, "a block is not found");
    return pair_end(&x, ok);
}

/* A version that is the same but for the numbers of its blocks, whatever hashes they share: every path moves, to one
 * through the same blocks; and all is the same if the numbers are, too.
 */
static bool keeps_all(struct kit_prop *p, void *ctx)
{
    struct pair x;
    bool ok = pair_build(&x, 0, true, p), no_hash = kit_draw(p, 4) == 3;
    const struct trod_numbering *bl = &x.old.map.numbering;
    trod_edge *step, *moved;

    if (!ok)
        return pair_end(&x, x.s.err.code == TROD_E_LIMIT);
    if (no_hash) {
        x.old.map.hash_of_node = NULL;
        trod_match_build(&x.match, &x.old.map, &x.later.map, &x.s.mem);
        ok = !x.match.same;
    } else {
        ok = x.shuffled || x.match.same;
    }
    plant(&x, fault_of(ctx), p);
    ok = ok && trod_match_check(&x.match, &x.s.err);
    step = trod_new(&x.s.mem, trod_edge, bl->dag->nreach);
    moved = trod_new(&x.s.mem, trod_edge, bl->dag->nreach);
    for (trod_path id = 0; ok && id < bl->npath && id < 200; id++) {
        uint32_t n = trod_number_decode(step, bl, id);
        trod_path to;

        ok = trod_match_path(&to, &x.match, id, &x.s.mem) &&
             to < x.later.map.numbering.npath && (to == id || x.shuffled) &&
             n == trod_number_decode(moved, &x.later.map.numbering, to);
        for (uint32_t i = 0; ok && i + 1 < n; i++)
            ok = x.later.node_of_block[bl->dag->shape.dst_of_edge[step[i]]] ==
                 x.later.view.dag.shape.dst_of_edge[moved[i]];
    }
    x.old.map.hash_of_node =
        x.old.map.hash_of_node ? x.old.map.hash_of_node : x.later.map.hash_of_node;
    if (!ok)
        pair_fail(p, &x, "not all is kept");
    return pair_end(&x, ok);
}

struct outcome {
    uint64_t compared, whole, split;
};
static struct outcome outcome;

static void allocate_counts(struct counts *c, size_t room, struct trod_arena *mem)
{
    *c = (struct counts){
        .id = trod_new(mem, trod_path, room), .count = trod_new(mem, uint64_t, room)};
}

static bool compare_moved(const struct trod_moved *moved, const struct counts *truth)
{
    uint64_t sum = 0, all = 0;

    for (size_t i = 0; i < moved->npath; i++) {
        if (moved->count[i] > count_of(truth, moved->id[i]))
            return false;
        sum += moved->count[i];
    }
    for (size_t i = 0; i < truth->n; i++)
        all += truth->count[i];
    outcome.compared++;
    outcome.whole += !moved->lost && moved->ran;
    outcome.split += sum > moved->moved;
    if (moved->ran != moved->moved + moved->lost ||
        moved->nran != moved->nmoved + moved->nlost)
        return false;
    return moved->lost || (sum == all && !moved->nfault && !moved->weak);
}

/* Lost is only what ended at a cut that is none any more, or started after it: where both versions have the same cuts,
 * nothing. Known from the edits, not from the match.
 */
static bool may_lose(const struct pair *x, const struct walk *walk)
{
    const struct trod_dag *a = &x->old.view.dag, *b = &x->later.view.dag;

    for (uint32_t i = 0; i < walk->nedge; i++) {
        trod_node v = a->graph->dst_of_edge[walk->edge[i]];

        if (a->start_of_node[v] == TROD_NONE)
            continue;
        for (uint32_t k = a->graph->first_in[v]; k < a->graph->first_in[v + 1]; k++) {
            trod_edge e = a->graph->in_edge[k], d = a->dag_of_edge[e], f;
            trod_node u = a->graph->src_of_edge[e];

            if (d == TROD_NONE || a->kind_of_edge[d] != TROD_DAG_END)
                continue;
            if (x->later.block[u].gone)
                continue;
            f = b->dag_of_edge[b->graph->first_out[x->later.node_of_block[u]] + e -
                               a->graph->first_out[u]];
            if (x->later.block[u].edited || f == TROD_NONE ||
                b->kind_of_edge[f] != TROD_DAG_END)
                return true;
        }
    }
    return false;
}

/* Walks that come to nothing edited. */
static bool moves_paths(struct kit_prop *p, void *ctx)
{
    struct pair x;
    bool ok = pair_build(&x, 4, false, p), may = false;
    uint32_t nwalk = 1 + (uint32_t)kit_draw(p, 6);
    struct counts was, now;
    struct trod_moved moved;
    uint32_t *far;

    if (!ok)
        return pair_end(&x, x.s.err.code == TROD_E_LIMIT);
    if (!x.unique)
        return pair_end(&x, true);
    far = distances(&x.old.graph, &x.s.mem);
    allocate_counts(&was, 1 << 12, &x.s.mem);
    allocate_counts(&now, 1 << 12, &x.s.mem);
    for (uint32_t i = 0; i < nwalk; i++) {
        uint64_t times = 1 + kit_draw(p, 100);
        struct walk walk;

        if (!take_walk(&walk, &x.old.graph, far, p, &x.s.mem) ||
            touches_edits(&walk, &x.later, &x.old.graph))
            continue;
        count_walk(&was, &x.old.map.numbering, walk.edge, walk.nedge, times);
        count_walk(&now, &x.later.map.numbering,
            walk_anew(&walk, &x.later, &x.old.graph, &x.s.mem), walk.nedge, times);
        may |= may_lose(&x, &walk);
    }
    plant(&x, fault_of(ctx), p);
    trod_match_move(&moved, &x.match, was.id, was.count, was.n, &x.s.mem);
    if (fault_of(ctx) == FAULT_COUNT && moved.npath)
        moved.count[kit_draw(p, moved.npath)]++;
    ok = compare_moved(&moved, &now) && (may || !moved.lost);
    if (!ok)
        pair_fail(p, &x, "moved paths are not those that run");
    return pair_end(&x, ok);
}

/* --- loops ------------------------------------------------------------------------------------------------------------------ */

static bool in_loop(const struct trod_loops *loops, trod_node v, uint32_t loop)
{
    uint32_t l = loops->loop_of_node[v];

    while (l != TROD_NONE && l != loop)
        l = loops->parent_of_loop[l];
    return l == loop;
}

/* Is a loop the same, by the edits? Its blocks are those of the other, and each edge stays or leaves as it did. */
static bool is_same_loop(const struct pair *x, const struct trod_loops *a,
    const struct trod_loops *b, uint32_t l, uint32_t to)
{
    const struct trod_graph *g = &x->old.graph;
    uint32_t size = 0, other = 0;

    for (trod_node v = 0; v < g->nnode; v++) {
        const struct block *block = &x->later.block[v];

        if (!in_loop(a, v, l))
            continue;
        size++;
        if (block->gone || block->hash != x->old.block[v].hash ||
            !in_loop(b, x->later.node_of_block[v], to))
            return false;
        for (uint32_t k = 0; k < block->nway; k++) {
            trod_node w = g->dst_of_edge[g->first_out[v] + k];

            if (in_loop(a, w, l)
                    ? block->way[k].to != w
                    : in_loop(b, x->later.node_of_block[block->way[k].to], to))
                return false;
        }
    }
    for (trod_node v = 0; v < x->later.graph.nnode; v++)
        other += in_loop(b, v, to);
    return size == other;
}

static bool knows_loops(struct kit_prop *p, void *ctx)
{
    struct pair x;
    bool ok = pair_build(&x, 3, false, p);
    struct trod_order order;
    struct trod_loops a, b;

    if (!ok)
        return pair_end(&x, x.s.err.code == TROD_E_LIMIT);
    trod_graph_order(&order, &x.old.graph, &x.s.mem);
    trod_graph_loops(&a, &x.old.graph, &order, &x.s.mem);
    trod_graph_order(&order, &x.later.graph, &x.s.mem);
    trod_graph_loops(&b, &x.later.graph, &order, &x.s.mem);
    plant(&x, fault_of(ctx), p);
    for (uint32_t l = 0; x.unique && !x.later.doubled && ok && l < a.nloop; l++) {
        trod_node header = a.header_of_loop[l];
        uint32_t to = x.match.loop_of_old[l];

        if (trod_has(x.match.same_loop, l))
            ok = is_same_loop(&x, &a, &b, l, to);
        else if (to != TROD_NONE && !x.later.block[header].edited)
            ok = !is_same_loop(&x, &a, &b, l, to) ||
                 b.header_of_loop[to] != x.later.node_of_block[header];
    }
    if (!ok)
        pair_fail(p, &x, "a loop is taken for what it is not");
    return pair_end(&x, ok);
}

static const struct kit_tested tested[] = {
    {"finds_blocks", finds_blocks, {FAULT_NODES, FAULT_EDGES}},
    {"keeps_all", keeps_all, {FAULT_NODES, FAULT_EDGES}},
    {"moves_paths", moves_paths, {FAULT_STARTS, FAULT_COUNT}},
    {"knows_loops", knows_loops, {FAULT_LOOP}},
};

int main(void)
{
    int failed = kit_run_tested("match", tested, sizeof tested / sizeof *tested);

    printf("# %" PRIu64 " sets of walks compared, %" PRIu64
           " moved as a whole, %" PRIu64 " in pieces\n",
        outcome.compared, outcome.whole, outcome.split);
    return failed;
}
