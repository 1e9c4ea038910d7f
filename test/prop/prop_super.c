/* Supergraphs of random programs: paths that have listed segments alone are found; the graph in a map is enough to
 * know a supergraph again; subpaths that ran give all sites of segments. Segments counted from supergraphs are in
 * prop_super_segments.c.
 */
#include "super_world.h"

enum fault {
    NONE,
    SHIFTED, /* an edge is taken for another of its function */
    UNLISTED /* a path outside of the list is taken for one in it */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

/* --- paths of listed segments ---------------------------------------------------------------------- */

/* Are these steps the begin of a listed segment, or all of it? */
static bool is_listed(const struct trod_segments *list, const struct trod_step *step,
    size_t n, bool begin)
{
    for (size_t i = 0; i < list->nsegment; i++) {
        const struct trod_segment *s = &list->segment[i];
        size_t k = 0;

        if (begin ? s->nstep < n : s->nstep != n)
            continue;
        while (k < n && trod_step_is_same(&s->step[k], &step[k]))
            k++;
        if (k == n)
            return true;
    }
    return false;
}

/* Whether the segment that begins at a step of a row is listed, found step by step. */
static bool begins_listed(
    const struct world *w, const struct trod_super_row *row, size_t from)
{
    uint64_t ncall = 0, nopen = 0;
    size_t i = from + 1;
    bool early;

    while (i < row->nstep) {
        if (row->step[i].kind == TROD_STEP_CALL && ncall++ == w->depth)
            break;
        if (row->step[i].kind == TROD_STEP_RETURN && !nopen)
            break;
        nopen += row->step[i].kind == TROD_STEP_CALL;
        nopen -= row->step[i].kind == TROD_STEP_RETURN;
        i++;
    }
    if (i < row->nstep)
        return is_listed(&w->segments, &row->step[from], i - from, false);
    if (row->end == TROD_SUPER_IN_PIECE)
        return is_listed(&w->segments, &row->step[from], i - 1 - from, true);
    early = ((row->end == TROD_SUPER_AT_CALL || row->end == TROD_SUPER_AT_LAST) &&
                ncall < w->depth) ||
            (row->end == TROD_SUPER_AT_RETURN && nopen);
    return is_listed(&w->segments, &row->step[from], i - from, early);
}

static bool all_listed(const struct world *w, const struct trod_super_row *row,
    const struct trod_super_ran *ran)
{
    bool any = false;

    for (size_t i = 0; i < row->nstep; i++) {
        const struct trod_step *step = &row->step[i];

        if (step->kind != TROD_STEP_SUBPATH)
            continue;
        if (ran && step->id != TROD_SUPER_PIECE &&
            !trod_is_among(ran[step->function].paths.id,
                ran[step->function].paths.count, step->id))
            return false;
        if (i + 1 == row->nstep || step[1].kind != TROD_STEP_CALL)
            continue;
        any = true;
        if (!begins_listed(w, row, i))
            return false;
    }
    return any;
}

/* Subpaths that ran, of the whole program path. */
static void find_ran(
    struct trod_super_ran *out, const struct world *w, struct trod_arena *mem)
{
    for (uint32_t f = 0; f < w->program.nfunction; f++) {
        uint64_t *id = trod_new(mem, uint64_t, w->steps.n);
        size_t n = 0;

        for (size_t i = 0; i < w->steps.n; i++)
            if (w->steps.step[i].kind == TROD_STEP_SUBPATH &&
                w->steps.step[i].function == f)
                id[n++] = w->steps.step[i].id;
        out[f] = (struct trod_super_ran){0};
        trod_pathset_build(&out[f].paths, id, n, mem);
    }
}

static bool find_listed(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_ran ran[FUNCTIONS], *given = NULL;

    if (!make_world(w, p))
        return false;
    note_world(p, w);
    if (!build_supers(w, p, 500, false))
        return false;
    find_ran(ran, w, &w->s.mem);
    if (kit_draw(p, 2))
        given = ran;
    for (uint32_t r = 0; r < w->program.nfunction; r++) {
        const struct trod_numbering *bl = &w->supers.super[r].ballarus;
        struct trod_super_listed listed;

        if (!w->supers.has[r] || bl->npath > 500)
            continue;
        trod_super_listed(&listed, &w->supers.super[r].super, bl, &w->segments, given,
            1000, &w->s.mem);
        if (!listed.all)
            return wrong(p, "there are more paths than there can be");
        for (trod_path id = 0; id < bl->npath; id++) {
            bool has = trod_is_among(listed.paths.id, listed.paths.count, id), want;
            struct trod_super_row row;

            trod_super_row_decode(&row, &w->supers.super[r].super, bl, id, &w->s.mem);
            if (fault == UNLISTED && !has)
                has = row.nstep > 3;
            want = all_listed(w, &row, given);
            if (row.end == TROD_SUPER_IN_PIECE && !has)
                want = false; /* the piece may be of no listed subpath */
            if (has != want) {
                struct trod_string text;

                trod_string_init(&text, &w->s.mem);
                trod_super_row_print(&text.sink, &row, &w->program.unit);
                kit_note(p, "path %" PRIu64 " of %s: %s", id, NAME[r], text.text);
                return wrong(
                    p, has ? "a path has other segments than those listed"
                           : "a path has listed segments alone, and is missing");
            }
        }
    }
    return true;
}

static bool listed_are_found(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = find_listed(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* A graph that a map has says as much as the functions it was made from: what returns and what
 * unwinds is not in maps.
 */
static bool adopt(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_function function[FUNCTIONS];
    struct trod_super_unit unit;

    if (!make_world(w, p))
        return false;
    note_world(p, w);
    if (!build_supers(w, p, kit_draw(p, 2) ? 20 + kit_draw(p, 100) : 0, true))
        return false;
    for (uint32_t i = 0; i < w->program.nfunction; i++) {
        function[i] = w->program.function[i];
        function[i].returns = NULL;
        function[i].unwinds = NULL;
    }
    if (!trod_super_unit_build(
            &unit, function, w->program.nfunction, &w->s.mem, &w->s.err))
        return wrong(p, w->s.err.text);
    if (fault == SHIFTED)
        shift_edges(&w->supers, &w->s.mem);
    for (uint32_t r = 0; r < w->program.nfunction; r++) {
        const struct trod_super_numbered *own = &w->supers.super[r];
        const struct trod_graph *g = &own->super.graph;
        struct trod_super super;

        if (!w->supers.has[r])
            continue;
        if (!trod_super_adopt(&super, &unit, &own->tree, g, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
        for (trod_edge e = 0; e < g->nedge; e++)
            if (super.kind_of_edge[e] != own->super.kind_of_edge[e] ||
                super.frame_of_edge[e] != own->super.frame_of_edge[e] ||
                super.origin_of_edge[e] != own->super.origin_of_edge[e])
                return wrong(p, "an edge is taken for another");
    }
    return true;
}

static bool maps_say_all(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = adopt(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* Is a frame of one tree in another, at the same place? */
static bool is_in(const struct trod_super_tree *all, const struct trod_super_tree *some,
    uint32_t frame)
{
    uint32_t chain[64], n = 0, at = 0, rank;

    for (uint32_t i = frame; i; i = some->frame[i].parent)
        chain[n++] = i;
    while (n-- && at != TROD_NONE)
        at = child_of(
            all, at, some->frame[chain[n]].node, some->frame[chain[n]].function, &rank);
    return at != TROD_NONE;
}

/* Sites of subpaths that ran are all those of segments, but for indirect calls. */
static bool cover_sites(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_options options = {.depth = 1 + (uint32_t)kit_draw(p, 2)};
    struct trod_super_ran ran[FUNCTIONS];
    struct trod_super_plan some, all;

    if (!make_world(w, p))
        return false;
    note_world(p, w);
    find_ran(ran, w, &w->s.mem);
    if (fault == UNLISTED)
        ran[0].paths.count = 0;
    trod_super_plan_segments(
        &some, &w->program.unit, &w->segments, &options, &w->s.mem);
    trod_super_plan_ran(&all, &w->program.unit, ran, &options, &w->s.mem);
    for (uint32_t t = 0; t < all.ntree; t++)
        if (!trod_super_tree_check(
                &all.tree[t], &w->program.unit, &w->s.mem, &w->s.err))
            return wrong(p, w->s.err.text);
    for (uint32_t t = 0; t < some.ntree; t++) {
        const struct trod_super_tree *tree = NULL;
        bool guarded[1000] = {false};

        for (uint32_t i = 0; i < all.ntree; i++)
            if (all.tree[i].frame[0].function == some.tree[t].frame[0].function)
                tree = &all.tree[i];
        for (uint32_t i = 1; i < some.tree[t].nframe && i < 1000; i++) {
            const struct trod_super_frame *frame = &some.tree[t].frame[i];

            guarded[i] = frame->guarded || guarded[frame->parent];
            if (!guarded[i] && (!tree || !is_in(tree, &some.tree[t], i)))
                return wrong(p, "a site of segments is none of subpaths that ran");
        }
    }
    return true;
}

static bool ran_covers(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = cover_sites(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* --- all of them --------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"paths that have no segments but listed ones are found", listed_are_found,
        {UNLISTED}},
    {"a supergraph is known again from its graph", maps_say_all, {SHIFTED}},
    {"subpaths that ran give all sites of segments", ran_covers, {UNLISTED}},
};

int main(void)
{
    return kit_run_tested("super", properties, sizeof properties / sizeof *properties);
}
