#include "super/super.h"

/* Depth-first, with the sum of each way so far. Beyond the stack nothing is kept: ways to one node
 * are different paths, and each is wanted.
 */
struct way {
    trod_node node;
    trod_path sum;
};

struct walking {
    const struct trod_super *super;
    const struct trod_numbering *ballarus;
    struct trod_arena *mem;
    struct way *stack;
    size_t nstack, room;
    trod_path *id;
    size_t nid, room_id;
};

static bool is_aside(const struct walking *w, trod_node v)
{
    return v < w->super->graph.nnode && w->super->frame_of_node[v] > 0;
}

/* Go on along an edge, if that does not lead into the root. */
static void follow(struct walking *w, trod_edge e, trod_path sum)
{
    const struct trod_dag *dag = w->ballarus->dag;
    trod_node to = dag->shape.dst_of_edge[e];

    sum += (trod_path)w->ballarus->val_of_edge[e];
    if (to == dag->exit) {
        trod_reserve(w->mem, w->id, w->nid, w->room_id);
        w->id[w->nid++] = sum;
    } else if (is_aside(w, to)) {
        trod_reserve(w->mem, w->stack, w->nstack, w->room);
        w->stack[w->nstack++] = (struct way){to, sum};
    }
}

void trod_super_aside(struct trod_pathset *out, const struct trod_super *super,
    const struct trod_numbering *ballarus, size_t most, struct trod_arena *mem)
{
    const struct trod_graph *shape = &ballarus->dag->shape;
    struct walking w = {.super = super, .ballarus = ballarus, .mem = mem};

    for (trod_edge e = shape->first_out[shape->entry];
        e < shape->first_out[shape->entry + 1]; e++)
        follow(&w, e, 0);
    while (w.nstack && w.nid < most) {
        struct way way = w.stack[--w.nstack];

        for (trod_edge e = shape->first_out[way.node];
            e < shape->first_out[way.node + 1]; e++)
            follow(&w, e, way.sum);
    }
    trod_pathset_build(out, w.id, w.nid < most ? w.nid : most, mem);
}
