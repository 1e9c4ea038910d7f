#include "super/super.h"

/* An attempt to number a tree with a given number of frames. If it fails, its memory is released. */
struct attempt {
    const struct trod_super_unit *unit;
    const struct trod_super_tree *tree;
    const struct trod_segments *segments;
    uint64_t most;
    bool named;
    struct trod_arena *mem;
};

static bool try_frames(struct trod_super_numbered *out, const struct attempt *t,
    uint32_t nframe, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(t->mem);
    struct trod_limit limit = {.most = t->most};

    out->tree = (struct trod_super_tree){.nframe = nframe, .frame = t->tree->frame};
    trod_super_build(&out->super, t->unit, &out->tree, t->named, t->mem);
    if (t->segments && nframe > 1) {
        uint64_t *keep =
            trod_new(t->mem, uint64_t, TROD_WORDS((size_t)out->super.graph.nedge + 1));

        trod_super_keep(keep, &out->super, t->segments, t->mem);
        limit.keep = keep;
    }
    if (trod_number_limit(
            &out->view, &out->report, &out->super.graph, &limit, t->mem, err) &&
        trod_number_ballarus(&out->ballarus, &out->view.dag, t->mem, err))
        return true;
    trod_arena_rewind(t->mem, mark);
    return false;
}

bool trod_super_number(struct trod_super_numbered *out,
    const struct trod_super_unit *unit, const struct trod_super_tree *tree,
    const struct trod_segments *segments, uint64_t most, bool named,
    struct trod_arena *mem, struct trod_err *err)
{
    const struct attempt t = {.unit = unit,
        .tree = tree,
        .segments = segments,
        .most = most,
        .named = named,
        .mem = mem};
    uint32_t fits = 1, too_many = tree->nframe;
    struct trod_err seen;

    if (try_frames(out, &t, tree->nframe, err))
        return true;
    if (tree->nframe == 1 || err->code != TROD_E_LIMIT)
        return false;
    while (too_many - fits > 1) {
        struct trod_mark mark = trod_arena_mark(mem);
        uint32_t middle = fits + (too_many - fits) / 2;

        if (try_frames(out, &t, middle, &seen))
            fits = middle;
        else
            too_many = middle;
        trod_arena_rewind(mem, mark);
    }
    return try_frames(out, &t, fits, err);
}
