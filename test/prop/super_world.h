/* What properties of supergraphs share: a random program, a walk through it, the segments of the walk, the plan of
 * trees that they give, and the supergraphs of these trees.
 */
#ifndef PROP_SUPER_WORLD_H
#define PROP_SUPER_WORLD_H

#include "walk_steps.h"

#include <inttypes.h>

/* Supergraphs by root, and what is counted of them. */
struct supers {
    const struct program *program;
    struct trod_super_numbered super[FUNCTIONS];
    bool has[FUNCTIONS];
    bool dropped; /* some frames */
    bool astray;  /* a path went where the supergraph does not */
    struct {
        uint32_t root;
        uint64_t id, count;
    } ran[8 * EVENTS];
    uint32_t nran;
};

struct world {
    struct sample s;
    struct program program;
    struct log log;
    struct steps steps; /* of the whole program path */
    uint64_t depth;
    bool knows; /* which functions are outside */
    struct trod_segments segments;
    struct trod_super_plan plan;
    struct supers supers;
};

static inline bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- supergraphs ---------------------------------------------------------------------------------- */

/* The frame for a call of a frame, or TROD_NONE; *rank: how many of the same call are before it. */
static inline uint32_t child_of(const struct trod_super_tree *tree, uint32_t parent,
    trod_node node, uint32_t function, uint32_t *rank)
{
    *rank = 0;
    for (uint32_t i = 1; i < tree->nframe; i++) {
        if (tree->frame[i].parent != parent || tree->frame[i].node != node)
            continue;
        if (tree->frame[i].function == function)
            return i;
        ++*rank;
    }
    return TROD_NONE;
}

/* Without a limit, is there a cut that the graph does not ask for? */
static inline bool is_cut_anew(const struct trod_super_numbered *super)
{
    const struct trod_dag *dag = &super->view.dag;

    for (trod_edge e = 0; e < dag->shape.nedge; e++)
        if (dag->kind_of_edge[e] == TROD_DAG_END &&
            !dag->graph->cut_of_edge[dag->origin_of_edge[e]])
            return true;
    return false;
}

/* Supergraphs and their numberings. most: a limit on their paths, or 0. keeps: the limit cuts no edges of
 * segments.
 */
static inline bool build_supers(
    struct world *w, struct kit_prop *p, uint64_t most, bool keeps)
{
    w->supers = (struct supers){.program = &w->program};
    for (uint32_t i = 0; i < w->plan.ntree; i++) {
        uint32_t root = w->plan.tree[i].frame[0].function;
        struct trod_super_numbered *super = &w->supers.super[root];

        if (!trod_super_number(super, &w->program.unit, &w->plan.tree[i],
                keeps ? &w->segments : NULL, most, false, &w->s.mem, &w->s.err) &&
            !trod_super_number(super, &w->program.unit, &w->plan.tree[i], &w->segments,
                0, false, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
        if (!trod_super_check(&super->super, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
        if (!super->report.ncut && is_cut_anew(super))
            return wrong(p, "a path is cut where its function is not");
        w->supers.has[root] = true;
        w->supers.dropped |= super->tree.nframe < w->plan.tree[i].nframe;
    }
    return true;
}

/* A fault in supergraphs that were built: an edge is taken for another of its function. */
static inline void shift_edges(struct supers *s, struct trod_arena *mem)
{
    for (uint32_t r = 0; r < FUNCTIONS; r++) {
        struct trod_super *super = &s->super[r].super;
        const uint8_t *kind = super->kind_of_edge;
        trod_edge *origin;

        if (!s->has[r])
            continue;
        origin = trod_new(mem, trod_edge, super->graph.nedge);
        memcpy(origin, super->origin_of_edge, super->graph.nedge * sizeof *origin);
        for (trod_edge e = 0; e < super->graph.nedge; e++)
            if (kind[e] == TROD_SUPER_LOCAL &&
                e > super->graph.first_out[super->graph.src_of_edge[e]] &&
                kind[e - 1] == TROD_SUPER_LOCAL)
                origin[e] = origin[e - 1];
        super->origin_of_edge = origin;
    }
}

/* --- worlds --------------------------------------------------------------------------------------- */

static inline bool segments_of(struct trod_segments *out, const struct steps *steps,
    const struct program *program, uint64_t depth, struct sample *s)
{
    const struct trod_wpp wpp = {.name = "w",
        .function = program->unit.names,
        .nstep = steps->n,
        .step = steps->step};

    if (!trod_wpp_check(&wpp, &s->mem, &s->err))
        return false;
    trod_segments_build(out, &wpp, depth, &s->mem);
    return true;
}

static inline bool make_world(struct world *w, struct kit_prop *p)
{
    struct trod_super_options options = {0};

    w->depth = 1 + kit_draw(p, 3);
    options.depth = (uint32_t)kit_draw(p, 3);
    if (!make_program(&w->program, p, &w->s.mem, &w->s.err))
        return false;
    note_program(p, &w->program, &w->s);
    if (!walk(&w->log, &w->program, p))
        w->log.n = 0;
    take_down(&w->steps, &w->log, &w->program);
    if (!segments_of(&w->segments, &w->steps, &w->program, w->depth, &w->s))
        return wrong(p, w->s.err.text);
    trod_super_plan_segments(
        &w->plan, &w->program.unit, &w->segments, &options, &w->s.mem);
    return true;
}

static inline void note_world(struct kit_prop *p, struct world *w)
{
    struct trod_string text;

    trod_string_init(&text, &w->s.mem);
    for (size_t i = 0; i < w->steps.n; i++) {
        const struct trod_step *step = &w->steps.step[i];

        if (step->kind == TROD_STEP_SUBPATH)
            trod_put(&text.sink, " %s:%" PRIu64, NAME[step->function], step->id);
        else
            trod_put(&text.sink, "%s",
                step->kind == TROD_STEP_CALL     ? " ("
                : step->kind == TROD_STEP_RETURN ? " )"
                                                 : " )!");
    }
    kit_note(p, "depth %" PRIu64 ":%s", w->depth, text.text);
    for (uint32_t t = 0; t < w->plan.ntree; t++)
        for (uint32_t i = 0; i < w->plan.tree[t].nframe; i++) {
            const struct trod_super_frame *frame = &w->plan.tree[t].frame[i];

            kit_note(p, "frame %u: %s in %d at %d", i, NAME[frame->function],
                (int)frame->parent, (int)frame->node);
        }
}

#endif
