#include "probe/probe.h"

void trod_dag_ops_init(
    struct trod_dag_ops *out, const struct trod_dag *dag, struct trod_arena *mem)
{
    out->kind_of_edge = trod_new(mem, uint8_t, dag->shape.nedge);
    out->value_of_edge = trod_new(mem, int64_t, dag->shape.nedge);
}

/* Breadth-first search of one tree of the forest, from a root whose potential is set. */
struct flood {
    uint64_t *potential;
    uint64_t *seen; /* set of nodes */
    trod_node *queue;
    uint32_t nqueue;
};

static void reach(struct flood *f, trod_node v, uint64_t potential)
{
    if (trod_has(f->seen, v))
        return;
    trod_add(f->seen, v);
    f->potential[v] = potential;
    f->queue[f->nqueue++] = v;
}

void trod_place_potentials(uint64_t *potential_of_node, const struct trod_graph *shape,
    const uint64_t *forest, const int64_t *val_of_edge, struct trod_arena *mem)
{
    struct trod_mark mark = trod_arena_mark(mem);
    struct flood f = {
        .potential = potential_of_node,
        .seen = trod_new(mem, uint64_t, TROD_WORDS(shape->nnode)),
        .queue = trod_new(mem, trod_node, shape->nnode),
    };
    uint32_t next = 0;

    for (trod_node root = shape->nnode; root-- > 0;) {
        reach(&f, root, 0);
        for (; next < f.nqueue; next++) {
            trod_node v = f.queue[next];

            for (trod_edge e = shape->first_out[v]; e < shape->first_out[v + 1]; e++)
                if (trod_has(forest, e))
                    reach(&f, shape->dst_of_edge[e],
                        f.potential[v] + (uint64_t)val_of_edge[e]);
            for (uint32_t i = shape->first_in[v]; i < shape->first_in[v + 1]; i++) {
                trod_edge e = shape->in_edge[i];

                if (trod_has(forest, e))
                    reach(&f, shape->src_of_edge[e],
                        f.potential[v] - (uint64_t)val_of_edge[e]);
            }
        }
    }
    trod_arena_rewind(mem, mark);
}

void trod_place_plain(struct trod_dag_ops *out, const struct trod_numbering *numbering,
    struct trod_arena *mem)
{
    const struct trod_dag *dag = numbering->dag;

    trod_dag_ops_init(out, dag, mem);
    for (trod_edge e = 0; e < dag->shape.nedge; e++) {
        int64_t value = numbering->val_of_edge[e];
        enum trod_op_kind kind = value ? TROD_OP_ADD : TROD_OP_NONE;

        if (dag->shape.src_of_edge[e] == dag->shape.entry)
            kind = TROD_OP_SET;
        else if (dag->shape.dst_of_edge[e] == dag->exit)
            kind = TROD_OP_COUNT;
        out->kind_of_edge[e] = kind;
        out->value_of_edge[e] = value;
    }
}
