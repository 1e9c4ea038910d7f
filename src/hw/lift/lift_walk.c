#include "lift/lifter.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A path is divided where it continues in another function and at cuts of the path limit. Either
 * all its pieces are counted, or none.
 */
struct piece {
    struct trod_lift_function *f;
    uint64_t id;
    bool ends; /* it ends in an exposed node */
};

enum { MOST_PIECES = 4096 };

struct walk {
    struct trod_lifter *l;
    const struct trod_seen_path *path;
    struct trod_lift_function *f;
    trod_node at;
    uint64_t sum;
    uint32_t step;   /* number of outcomes consumed */
    const char *why; /* why it cannot be followed, or NULL */
    struct piece piece[MOST_PIECES];
    uint32_t npiece;
};

enum walk_status { GOES_ON, IS_OVER, IS_LEFT, IS_LOST };

static enum walk_status fail_walk(struct walk *w, const char *why)
{
    w->why = why;
    return IS_LOST;
}

static bool is_spent(const struct walk *w)
{
    return w->step == w->path->path.length;
}

/* Enter by the DAG edge that a path from v begins with. */
static bool begin(struct walk *w, trod_node v)
{
    const struct trod_dag *dag = &w->f->view.dag;
    const struct trod_graph *g = &w->f->graph;
    const int64_t *value = w->f->numbering.val_of_edge;
    trod_node hub = w->f->switch_node;
    trod_edge e = dag->start_of_node[v];

    w->at = v;
    if (v == g->entry) {
        w->sum = (uint64_t)value[dag->shape.first_out[dag->shape.entry]];
        return true;
    }
    if (e != TROD_NONE) {
        w->sum = (uint64_t)value[e];
        return true;
    }
    for (e = hub == TROD_NONE ? 0 : g->first_out[hub];
        hub != TROD_NONE && e < g->first_out[hub + 1]; e++)
        if (g->dst_of_edge[e] == v) {
            w->sum =
                (uint64_t)(value[dag->start_of_node[hub]] + value[dag->dag_of_edge[e]]);
            return dag->kind_of_edge[dag->dag_of_edge[e]] == TROD_DAG_REAL;
        }
    return false;
}

static bool end_piece(struct walk *w, trod_edge last)
{
    if (w->npiece == MOST_PIECES)
        return false;
    w->sum += (uint64_t)w->f->numbering.val_of_edge[last];
    w->piece[w->npiece++] = (struct piece){
        w->f, w->sum, trod_dag_ends(&w->f->view.dag, w->f->exposed, last)};
    return true;
}

/* Leave the function. A jump to an entry ends the path if the emulator knew the entry. Otherwise
 * the rest of the path belongs to the other function.
 */
static enum walk_status leave(struct walk *w, struct trod_err *err)
{
    const struct trod_lift_node *node = &w->f->node[w->at];
    trod_edge last = w->f->view.dag.shape.first_out[w->at];
    /* Such a node represents a foreign place; the branch to it consumed the outcome. */
    bool stands_for = node->start == node->after && node->start != TROD_NOWHERE;

    if (node->end == TROD_LIFT_UNKNOWN)
        return fail_walk(w, "it goes where no code was seen");
    if (node->jumps) {
        if (is_spent(w))
            return fail_walk(w, "it stops before a jump");
        if (!trod_has(w->path->path.outcome, w->step++))
            return fail_walk(w, "a jump was not taken");
    }
    if (!end_piece(w, last))
        return fail_walk(w, "it has too many pieces");
    if (node->to == TROD_NOWHERE || ((node->jumps || stands_for) && is_spent(w)))
        return IS_OVER;
    if (!trod_lift_function(&w->f, w->l, node->to, NULL, 0, err))
        return fail_walk(w, NULL);
    w->l->out->total.nsplit += w->path->count;
    return begin(w, w->f->graph.entry) ? GOES_ON : fail_walk(w, "it cannot go on");
}

/* Follow an edge of the graph. A cut marked in the graph ends the path; a cut of the path limit ends one piece. */
static enum walk_status follow(struct walk *w, trod_edge origin)
{
    const struct trod_dag *dag = &w->f->view.dag;
    trod_edge e = dag->dag_of_edge[origin];

    if (dag->kind_of_edge[e] == TROD_DAG_REAL) {
        w->sum += (uint64_t)w->f->numbering.val_of_edge[e];
        w->at = w->f->graph.dst_of_edge[origin];
        return GOES_ON;
    }
    if (!end_piece(w, e))
        return fail_walk(w, "it has too many pieces");
    if (w->f->graph.cut_of_edge && w->f->graph.cut_of_edge[origin])
        return IS_OVER;
    w->l->out->total.nsplit += w->path->count;
    return begin(w, w->f->graph.dst_of_edge[origin]) ? GOES_ON
                                                     : fail_walk(w, "it cannot go on");
}

static enum walk_status step(struct walk *w, struct trod_err *err)
{
    const struct trod_graph *g = &w->f->graph;
    trod_edge first = g->first_out[w->at];
    enum trod_lift_end end = (enum trod_lift_end)w->f->node[w->at].end;
    bool taken;

    if (w->path->cut && is_spent(w))
        return IS_LEFT;
    if (end == TROD_LIFT_UNKNOWN || first == g->first_out[w->at + 1])
        return leave(w, err);
    if (end != TROD_LIFT_IF && end != TROD_LIFT_JUMP)
        return follow(w, first);
    if (is_spent(w))
        return fail_walk(w, "it stops before a branch");
    taken = trod_has(w->path->path.outcome, w->step++);
    if (end == TROD_LIFT_JUMP && !taken)
        return fail_walk(w, "a jump was not taken");
    return follow(w, first + !taken);
}

static void count(struct walk *w, enum walk_status how)
{
    struct trod_lift_totals *total = &w->l->out->total;

    for (uint32_t i = 0; i < w->npiece; i++) {
        struct trod_lift_function *f = w->piece[i].f;

        trod_push(w->l->mem, f->path, f->npath, f->room_path,
            (struct trod_profile_path){w->piece[i].id, w->path->count});
        if (w->piece[i].ends)
            f->nended = trod_sat_add(f->nended, w->path->count);
    }
    if (how == IS_LEFT) {
        w->f->nleft = trod_sat_add(w->f->nleft, w->path->count);
        total->nleft = trod_sat_add(total->nleft, w->path->count);
    } else {
        total->ncounted = trod_sat_add(total->ncounted, w->path->count);
    }
}

static void note_lost(struct walk *w)
{
    struct trod_lift_totals *total = &w->l->out->total;

    total->nlost = trod_sat_add(total->nlost, w->path->count);
    if (!total->nlost_path++)
        snprintf(total->first_lost, sizeof total->first_lost,
            "that of 0x%" PRIx64 " from 0x%" PRIx64 ", behind %" PRIu32 " outcomes: %s",
            w->path->path.function, w->path->path.start, w->step, w->why);
}

bool trod_lift_walk(
    struct trod_lifter *l, const struct trod_owned *owned, struct trod_err *err)
{
    struct walk w;
    uint64_t nsplit = l->out->total.nsplit;
    enum walk_status how = GOES_ON;
    trod_node first;

    w.l = l;
    w.path = owned->path;
    w.step = w.npiece = 0;
    w.why = "";
    if (owned->owner == TROD_NOWHERE && w.path->cut) {
        l->out->total.nleft = trod_sat_add(l->out->total.nleft, w.path->count);
        return true;
    }
    if (owned->owner == TROD_NOWHERE) {
        how = fail_walk(&w, "it is in no image");
    } else {
        if (!trod_lift_function(&w.f, l, owned->owner, NULL, 0, err))
            return false;
        first = trod_lift_node_at(w.f, owned->start);
        if (first == TROD_NONE || !begin(&w, first))
            how = fail_walk(&w, "nothing leads to where it starts");
    }
    while (how == GOES_ON)
        how = step(&w, err);
    if (how == IS_OVER && !is_spent(&w))
        how = fail_walk(&w, "it has outcomes behind its end");
    if (how == IS_LOST && !w.why)
        return false;
    if (how == IS_LOST) {
        l->out->total.nsplit = nsplit;
        note_lost(&w);
    } else {
        count(&w, how);
    }
    return true;
}

TROD_ORDER(by_id, struct trod_profile_path, TROD_UP(id))

void trod_lift_settle(struct trod_lift_function *f)
{
    size_t kept = 0;

    trod_sort(f->path, f->npath, by_id);
    for (size_t i = 0; i < f->npath; i++) {
        if (kept && f->path[kept - 1].id == f->path[i].id)
            f->path[kept - 1].count =
                trod_sat_add(f->path[kept - 1].count, f->path[i].count);
        else
            f->path[kept++] = f->path[i];
    }
    f->npath = kept;
}
