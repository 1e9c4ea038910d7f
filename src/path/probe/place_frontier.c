#include "probe/probe.h"

enum zone { HEAD, MIDDLE, TAIL };

/* The operation on an edge, by the zones of its ends. All constants are increments. Potentials of the head are relative
 * to ENTRY and those of the tail to EXIT, where the sum so far and the remaining sum are 0. So an increment into the
 * middle is the known sum that r is set to, and an increment into the tail is the constant rest that is added when r is
 * counted.
 */
static const uint8_t op_of_zones[3][3] = {
    [HEAD] = {[HEAD] = TROD_OP_NONE, [MIDDLE] = TROD_OP_SET, [TAIL] = TROD_OP_COUNT_AT},
    [MIDDLE] = {[MIDDLE] = TROD_OP_ADD, [TAIL] = TROD_OP_COUNT},
    [TAIL] = {[TAIL] = TROD_OP_NONE},
};

/* The order in which edges are added to the forest; edges of equal rank are ordered by weight. */
enum rank {
    RANK_COUNT, /* a COUNT of r itself: connects each part of the middle with the tail */
    RANK_ZONE,  /* inside a zone */
    RANK_ZERO,  /* inside a zone, with value 0 */
    RANK_BODY   /* in a loop that may have a trip counter */
};

struct frontier {
    const struct trod_numbering *numbering;
    const struct trod_graph *shape;
    uint8_t *zone_of_node;
    uint64_t *body;     /* set of edges */
    uint64_t *eligible; /* set of edges */
};

static bool stays(const struct trod_dag *dag, trod_node v)
{
    return v >= dag->graph->nnode || trod_graph_leave(dag->graph, v) == TROD_STAYS;
}

/* The tail begins after the last node that may be left, so that only completed paths are counted. */
static void fill_zones(
    uint8_t *zone_of_node, const struct trod_dag *dag, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *down = trod_new(mem, uint64_t, dag->shape.nnode);
    uint64_t *up = trod_new(mem, uint64_t, dag->shape.nnode);

    trod_dag_count(down, up, dag);
    for (trod_node v = 0; v < dag->shape.nnode; v++)
        zone_of_node[v] = up[v] == 1 ? HEAD : MIDDLE;
    for (uint32_t i = dag->nreach; i-- > 0;) {
        trod_node v = dag->topo[i];
        bool last = v == dag->exit;

        if (last ||
            (down[v] == 1 && stays(dag, v) &&
                zone_of_node[dag->shape.dst_of_edge[dag->shape.first_out[v]]] == TAIL))
            zone_of_node[v] = TAIL;
    }
    /* Even a single path must be counted somewhere. */
    zone_of_node[dag->shape.entry] = HEAD;
    trod_arena_rewind(mem, mark);
}

static enum trod_op_kind op_of_edge(const struct frontier *f, trod_edge e)
{
    return op_of_zones[f->zone_of_node[f->shape->src_of_edge[e]]]
                      [f->zone_of_node[f->shape->dst_of_edge[e]]];
}

static enum rank rank_of(const struct frontier *f, trod_edge e, bool zeros_first)
{
    if (op_of_edge(f, e) == TROD_OP_COUNT)
        return RANK_COUNT;
    if (trod_has(f->body, e))
        return RANK_BODY;
    if (zeros_first && f->numbering->val_of_edge[e] == 0)
        return RANK_ZERO;
    return RANK_ZONE;
}

/* Potentials from a maximum spanning forest of the eligible edges, ordered by rank, then by weight. */
static void fill_potentials(uint64_t *potential, const struct frontier *f,
    bool zeros_first, struct trod_arena *mem)
{
    const uint64_t top = UINT64_C(1) << 62;
    const uint64_t *weight = f->numbering->dag->weight_of_edge;
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *forest = trod_new(mem, uint64_t, TROD_WORDS(f->shape->nedge));
    uint64_t *ranked = trod_new(mem, uint64_t, f->shape->nedge);

    for (trod_edge e = 0; e < f->shape->nedge; e++)
        ranked[e] =
            (weight[e] < top ? weight[e] : top - 1) + top * rank_of(f, e, zeros_first);
    trod_graph_span(forest, f->shape, f->eligible, ranked, mem);
    trod_place_potentials(potential, f->shape, forest, f->numbering->val_of_edge, mem);
    trod_arena_rewind(mem, mark);
}

/* The weight of all additions to r. Nothing else depends on the forest. */
static uint64_t weight_of_adds(const struct frontier *f, const uint64_t *potential)
{
    uint64_t total = 0;

    for (trod_edge e = 0; e < f->shape->nedge; e++)
        if (op_of_edge(f, e) == TROD_OP_ADD &&
            trod_place_increment(f->numbering, potential, e))
            total = trod_sat_add(total, f->numbering->dag->weight_of_edge[e]);
    return total;
}

/* The spanning tree's potentials in the middle. Those of head and tail are the same in any forest. */
static void fill_tree_potentials(uint64_t *potential, const struct frontier *f,
    const uint64_t *ends, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint64_t *tree = trod_new(mem, uint64_t, TROD_WORDS(f->shape->nedge));

    trod_place_span(tree, potential, f->numbering, mem);
    for (trod_node v = 0; v < f->shape->nnode; v++)
        if (f->zone_of_node[v] != MIDDLE)
            potential[v] = ends[v];
    trod_arena_rewind(mem, mark);
}

/* A forest by weight is best if most edges have values, as with Ball-Larus. If few have, as in a selective numbering,
 * it is better to avoid probes on the others. Occasionally increments on chords cancel out and neither is optimal;
 * including the spanning tree ensures that TREE is never better. Graphs so large that three forests would take a second
 * use only the first.
 */
static const uint64_t *best_potentials(const struct frontier *f, struct trod_arena *mem)
{
    enum { LARGE = 1 << 20 };
    uint64_t *candidate[3];
    unsigned best = 0;
    uint64_t least;

    for (unsigned i = 0; i < 3; i++)
        candidate[i] = trod_new(mem, uint64_t, f->shape->nnode);
    fill_potentials(candidate[0], f, false, mem);
    if (f->shape->nedge > LARGE)
        return candidate[0];
    fill_potentials(candidate[1], f, true, mem);
    fill_tree_potentials(candidate[2], f, candidate[0], mem);
    least = weight_of_adds(f, candidate[0]);
    for (unsigned i = 1; i < 3; i++) {
        uint64_t weight = weight_of_adds(f, candidate[i]);

        if (weight < least) {
            best = i;
            least = weight;
        }
    }
    return candidate[best];
}

void trod_place_frontier(struct trod_dag_ops *out,
    const struct trod_numbering *numbering, const struct trod_loops *loops,
    struct trod_arena *mem)
{
    const struct trod_graph *shape = &numbering->dag->shape;
    struct frontier f = {.numbering = numbering, .shape = shape};
    struct trod_mark mark;
    const uint64_t *potential;

    trod_dag_ops_init(out, numbering->dag, mem);
    mark = trod_arena_mark(mem);
    f.zone_of_node = trod_new(mem, uint8_t, shape->nnode);
    f.body = trod_new(mem, uint64_t, TROD_WORDS(shape->nedge));
    f.eligible = trod_new(mem, uint64_t, TROD_WORDS(shape->nedge));
    fill_zones(f.zone_of_node, numbering->dag, mem);
    if (loops)
        trod_trips_bodies(f.body, numbering->dag, loops, mem);
    /* Head and tail are trees with roots ENTRY and EXIT, and must not be connected. */
    for (trod_edge e = 0; e < shape->nedge; e++)
        if (op_of_edge(&f, e) != TROD_OP_SET && op_of_edge(&f, e) != TROD_OP_COUNT_AT)
            trod_add(f.eligible, e);

    potential = best_potentials(&f, mem);
    for (trod_edge e = 0; e < shape->nedge; e++) {
        int64_t value = trod_place_increment(numbering, potential, e);
        enum trod_op_kind kind = op_of_edge(&f, e);

        out->value_of_edge[e] = value;
        out->kind_of_edge[e] = kind == TROD_OP_ADD && !value ? TROD_OP_NONE : kind;
    }
    trod_arena_rewind(mem, mark);
}
