/* What the property tests share: a random function with its DAG, its Ball-Larus
 * numbering and a random set of paths of interest; all its paths, by exhaustive
 * enumeration; and how to print it when a property fails.
 *
 * Everything lives in the sample's arena, which sample_free frees. A property builds
 * its sample first, and ends with `return sample_free(&s, holds)`.
 */
#ifndef PROP_SAMPLE_H
#define PROP_SAMPLE_H

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "kit/kit.h"
#include "kit/shape.h"
#include "number/number.h"

struct sample_options {
    uint32_t max_node;     /* 0: 24 */
    uint32_t max_path;     /* of the DAG; more are cut away; 0: 1000 */
    uint32_t max_interest; /* 0: 8 */
};

struct sample {
    struct trod_arena mem;
    struct trod_graph graph;
    struct trod_view view;
    struct trod_limit_report limit;
    struct trod_numbering bl;
    struct trod_pathset paths;
    struct trod_interest in;
    struct trod_err err;
};

static inline void sample_exhausted(void *ctx)
{
    (void)ctx;
    abort();
}

static inline uint64_t sample_draw(void *p, uint64_t bound)
{
    return kit_draw(p, bound);
}

/* --- graphs ----------------------------------------------------------------------- */

static inline void sample_shape(struct trod_graph *out, uint32_t max_node,
    struct kit_prop *p, struct trod_arena *mem)
{
    struct kit_shape_options opt = {.max_node = max_node};

    if (kit_draw(p, 4) == 3) {
        kit_shape_structured(
            out, 1 + (uint32_t)kit_draw(p, max_node), sample_draw, p, mem);
        return;
    }
    opt.cycles = kit_draw(p, 2);
    opt.irreducible = kit_draw(p, 3) == 2;
    opt.parallel = kit_draw(p, 2);
    opt.unreachable = kit_draw(p, 4) == 3;
    opt.no_exit = kit_draw(p, 4) == 3;
    opt.shuffled = kit_draw(p, 2);
    kit_shape(out, &opt, sample_draw, p, mem);
}

/* A random number for something that has one, from a single draw: 0 in the first
 * `none` out of `of` draws, so that it shrinks to nothing at once.
 */
struct sample_dice {
    uint64_t seed;
};

static inline struct sample_dice sample_dice(
    struct kit_prop *p, uint64_t none, uint64_t of)
{
    uint64_t x = kit_draw(p, of << 16);

    return (struct sample_dice){x < none << 16 ? 0 : x};
}

static inline uint64_t sample_roll(
    struct sample_dice dice, uint64_t what, uint64_t bound)
{
    return dice.seed ? trod_mix(dice.seed, what) % bound : 0;
}

/* The same graph with random weights, cuts and nodes that may leave it, or without. */
static inline void sample_decorate(
    struct trod_graph *graph, struct kit_prop *p, struct trod_arena *mem)
{
    struct sample_dice weights = sample_dice(p, 2, 3), cuts = sample_dice(p, 3, 4);
    struct sample_dice leaves = sample_dice(p, 1, 2);
    struct trod_graph_builder builder;
    uint8_t *leave = trod_new(mem, uint8_t, graph->nnode);

    trod_graph_builder_init(&builder, graph->name, mem);
    builder.nnode = graph->nnode;
    builder.entry = graph->entry;
    builder.name_of_node = graph->name_of_node;
    builder.weighted = weights.seed;
    for (trod_edge e = 0; e < graph->nedge; e++) {
        uint64_t weight = sample_roll(weights, e, 1001);

        trod_graph_builder_add(&builder, graph->src_of_edge[e], graph->dst_of_edge[e]);
        builder.arc[e].weight = weight == 1000 ? UINT64_MAX : weight;
        builder.arc[e].cut = sample_roll(cuts, e, 8) == 7;
    }
    for (trod_node v = 0; v < graph->nnode && leaves.seed; v++) {
        uint64_t what = sample_roll(leaves, v, 16);

        leave[v] = what == 15  ? TROD_RETURNS_AGAIN
                   : what > 10 ? TROD_MAY_LEAVE
                               : TROD_STAYS;
        if (leave[v])
            builder.leave_of_node = leave;
    }
    trod_graph_build(graph, &builder);
}

static inline void sample_graph(struct trod_graph *out, uint32_t max_node,
    struct kit_prop *p, struct trod_arena *mem)
{
    sample_shape(out, max_node, p, mem);
    sample_decorate(out, p, mem);
}

/* --- samples ---------------------------------------------------------------------- */

static inline void sample_init(struct sample *s)
{
    *s = (struct sample){0};
    trod_arena_init(&s->mem, sample_exhausted, NULL);
}

static inline bool sample_free(struct sample *s, bool holds)
{
    trod_arena_free(&s->mem);
    return holds;
}

static inline void sample_interest(
    struct sample *s, uint32_t max_interest, struct kit_prop *p)
{
    uint32_t count = (uint32_t)kit_draw(p, max_interest + 1);
    trod_path *id = trod_new(&s->mem, trod_path, count);

    for (uint32_t i = 0; i < count; i++)
        id[i] = kit_draw(p, s->bl.npath);
    trod_pathset_build(&s->paths, id, count, &s->mem);
    trod_interest_build(&s->in, &s->bl, &s->paths, &s->mem);
}

/* A function, its DAG and its paths; false, with a note, if trod could not do that. */
static inline bool sample_number(
    struct sample *s, const struct sample_options *opt, struct kit_prop *p)
{
    struct trod_limit limit = {.most = opt->max_path ? opt->max_path : 1000};

    if (trod_number_limit(&s->view, &s->limit, &s->graph, &limit, &s->mem, &s->err) &&
        trod_number_ballarus(&s->bl, &s->view.dag, &s->mem, &s->err))
        return true;
    kit_note(p, "%s", s->err.text);
    return false;
}

static inline bool sample_build(
    struct sample *s, const struct sample_options *opt, struct kit_prop *p)
{
    uint32_t max_node = opt->max_node ? opt->max_node : 24;

    sample_init(s);
    /* Now and then a large one. */
    max_node *= kit_draw(p, 16) == 15 ? 3 : 1;
    sample_graph(&s->graph, max_node, p, &s->mem);
    if (!sample_number(s, opt, p))
        return false;
    sample_interest(s, opt->max_interest ? opt->max_interest : 8, p);
    return true;
}

/* A numbering of any kind. */
static inline bool sample_numbering(
    struct trod_numbering *out, struct sample *s, struct kit_prop *p)
{
    struct trod_numbering low, high;

    switch (kit_draw(p, 6)) {
    case 0:
        *out = s->bl;
        return true;
    case 1:
        return trod_number_selective(out, &s->in, &s->mem, &s->err);
    case 2:
        trod_number_preferential(
            out, &s->in, (enum trod_preferential_way)kit_draw(p, 4), &s->mem);
        return true;
    case 3:
        trod_number_length(out, &s->view.dag, &s->mem);
        return true;
    case 4:
        trod_number_preferential(&high, &s->in, TROD_PREFER_BEST, &s->mem);
        return trod_number_pack(out, &s->bl, &high, &s->mem, &s->err);
    default:
        trod_number_preferential(&low, &s->in, TROD_PREFER_RANGE, &s->mem);
        trod_number_length(&high, &s->view.dag, &s->mem);
        return trod_number_pack(out, &low, &high, &s->mem, &s->err);
    }
}

/* --- notes ------------------------------------------------------------------------ */

static inline void sample_note_graph(
    struct kit_prop *p, const struct trod_graph *graph, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_graph_print(&text.sink, graph);
    kit_note(p, "%s", text.text);
}

static inline void sample_note_numbering(
    struct kit_prop *p, const struct trod_numbering *n, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_number_print(&text.sink, n);
    kit_note(p, "%s", text.text);
}

static inline void sample_note_path(
    struct kit_prop *p, struct sample *s, const char *what, trod_path id)
{
    trod_edge *step = trod_new(&s->mem, trod_edge, s->view.dag.nreach);
    uint32_t nstep = trod_number_decode(step, &s->bl, id);
    struct trod_string text;

    trod_string_init(&text, &s->mem);
    trod_trail_print(&text.sink, &s->view.dag, step, nstep);
    kit_note(p, "%s =%" PRIu64 ": %s", what, id, text.text);
}

/* The numbering shows graph and cuts as well. */
static inline bool sample_fail(
    struct kit_prop *p, struct sample *s, const struct trod_numbering *n)
{
    sample_note_numbering(p, n ? n : &s->bl, &s->mem);
    for (size_t i = 0; i < s->paths.count; i++)
        sample_note_path(p, s, "of interest", s->paths.id[i]);
    return false;
}

/* --- all paths -------------------------------------------------------------------- */

struct sample_paths {
    const struct trod_dag *dag;
    struct trod_arena *mem;
    trod_edge *step; /* of all paths, one after the other */
    uint32_t *first; /* [count + 1], into step */
    uint32_t nstep, count, room_step, room_first;
    trod_edge *stack;
    uint32_t depth;
};

static inline void sample_walk(struct sample_paths *w, trod_node v)
{
    const struct trod_graph *g = &w->dag->shape;

    if (v == w->dag->exit) {
        for (uint32_t i = 0; i < w->depth; i++) {
            trod_reserve(w->mem, w->step, w->nstep, w->room_step);
            w->step[w->nstep++] = w->stack[i];
        }
        w->count++;
        trod_reserve(w->mem, w->first, w->count, w->room_first);
        w->first[w->count] = w->nstep;
        return;
    }
    for (trod_edge e = g->first_out[v]; e < g->first_out[v + 1]; e++) {
        w->stack[w->depth++] = e;
        sample_walk(w, g->dst_of_edge[e]);
        w->depth--;
    }
}

static inline void sample_paths(
    struct sample_paths *out, const struct trod_dag *dag, struct trod_arena *mem)
{
    *out = (struct sample_paths){.dag = dag, .mem = mem};
    out->stack = trod_new(mem, trod_edge, dag->shape.nnode);
    trod_reserve(mem, out->step, 0, out->room_step);
    trod_reserve(mem, out->first, 0, out->room_first);
    sample_walk(out, dag->shape.entry);
}

/* The sum of the ith path, not by trod's own hand. */
static inline int64_t sample_sum(
    const struct sample_paths *w, uint32_t i, const int64_t *val_of_edge)
{
    uint64_t sum = 0;

    for (uint32_t k = w->first[i]; k < w->first[i + 1]; k++)
        sum += (uint64_t)val_of_edge[w->step[k]];
    return (int64_t)sum;
}

static inline bool sample_same_steps(
    const struct sample_paths *w, uint32_t i, const trod_edge *step, uint32_t nstep)
{
    uint32_t first = w->first[i], n = w->first[i + 1] - first;

    return n == nstep && memcmp(w->step + first, step, n * sizeof *step) == 0;
}

/* Is the path with this id of interest? */
static inline bool sample_wanted(const struct sample *s, trod_path id)
{
    for (size_t i = 0; i < s->paths.count; i++)
        if (s->paths.id[i] == id)
            return true;
    return false;
}

/* A copy of a numbering with one value changed: what planted faults are made of. */
static inline void sample_corrupt(
    struct trod_numbering *n, struct kit_prop *p, int64_t by, struct trod_arena *mem)
{
    uint32_t nedge = n->dag->shape.nedge;
    int64_t *val = trod_new(mem, int64_t, nedge);
    trod_edge e = (trod_edge)kit_draw(p, nedge);

    memcpy(val, n->val_of_edge, nedge * sizeof *val);
    val[e] = by ? val[e] + by : 0;
    n->val_of_edge = val;
}

#endif
