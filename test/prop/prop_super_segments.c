/* Segments counted from supergraphs: a random walk through functions that call each other is recorded twice, as a
 * whole program path and as paths of supergraphs, of which each activation is the root of one and a frame of its
 * callers'. Segments counted from both agree, and a limit on paths takes none of them away.
 */
#include "super_placer.h"

enum { BAG = 600 };

enum fault {
    NONE,
    DEEPER,     /* segments span one call more */
    MISCOUNTED, /* a path is counted twice */
    SHIFTED,    /* an edge is taken for another of its function */
    GOES_ON,    /* a path is followed after its end in a frame */
    FORGOTTEN,  /* a function that runs as a frame of another's is no root */
    IGNORANT,   /* calls to the outside are taken for others */
    NOT_KEPT    /* a limit may cut edges of segments */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static enum place_fault place_fault_of(enum fault fault)
{
    return fault == GOES_ON     ? PLACE_GOES_ON
           : fault == FORGOTTEN ? PLACE_FORGOTTEN
                                : PLACE_RIGHT;
}

/* --- comparison ------------------------------------------------------------------------------------------- */

/* Segments as text, with their counts. */
struct bag {
    struct {
        const char *text;
        uint64_t count;
    } item[BAG];
    uint32_t n;
};

static uint64_t *item_of(struct bag *bag, const char *text)
{
    uint32_t i = 0;

    while (i < bag->n && strcmp(bag->item[i].text, text) != 0)
        i++;
    if (i == bag->n)
        bag->item[bag->n++].text = text;
    return &bag->item[i].count;
}

static void fill(
    struct bag *bag, const struct trod_segments *segments, struct trod_arena *mem)
{
    for (size_t i = 0; i < segments->nsegment; i++) {
        struct trod_segments one = *segments;
        struct trod_segment alone = segments->segment[i];
        struct trod_string text;

        if (alone.step[0].id == TROD_SUPER_PIECE)
            continue;
        one.nsegment = 1;
        one.segment = &alone;
        alone.count = 1;
        trod_string_init(&text, mem);
        trod_segments_print(&text.sink, &one);
        *item_of(bag, strchr(text.text, '\n') + 1) += segments->segment[i].count;
    }
}

/* Are there the same, as often? */
static bool is_same(struct kit_prop *p, const struct bag *want, struct bag *got)
{
    uint32_t n = got->n;

    for (uint32_t i = 0; i < want->n; i++) {
        uint64_t count = *item_of(got, want->item[i].text);

        if (count != want->item[i].count) {
            kit_note(p, "%" PRIu64 ", not %" PRIu64 " of %s", count,
                want->item[i].count, want->item[i].text);
            return false;
        }
    }
    if (want->n < n)
        kit_note(p, "%" PRIu32 " are not wanted, %s", n - want->n, got->item[0].text);
    return got->n == n && want->n == n;
}

/* --- segments, one by one --------------------------------------------------------------------------------- */

/* Where a segment ends, as the tree of the root it begins in sees it: after its last subpath. */
struct seen {
    size_t end;
    bool early; /* it would continue, or might */
};

/* tree: NULL if every call is followed that can be seen. knows: which calls are to the outside. */
static struct seen look_from(const struct steps *steps, size_t from, uint64_t depth,
    const struct trod_super_tree *tree, bool knows)
{
    uint64_t ncall = 0, nopen = 0;
    struct seen seen = {.end = from + 1};
    uint32_t frame = 0, rank;

    for (size_t i = from + 1; i < steps->n; i++) {
        const struct sight *sight = &steps->sight[i];

        switch (steps->step[i].kind) {
        case TROD_STEP_CALL:
            if (ncall == depth)
                return seen;
            if (tree && sight->callee != UINT32_MAX)
                frame = child_of(tree, frame, sight->call, sight->callee, &rank);
            if (sight->callee == UINT32_MAX) {
                seen.early = tree && !(knows && sight->direct);
                return seen;
            }
            seen.early = frame == TROD_NONE;
            if (seen.early)
                return seen;
            ncall++;
            nopen++;
            break;
        case TROD_STEP_RETURN:
            if (!nopen--)
                return seen;
            frame = tree ? tree->frame[frame].parent : 0;
            break;
        case TROD_STEP_SUBPATH:
            if (steps->step[i - 1].kind == TROD_STEP_SUBPATH)
                return seen;
            seen.end = i + 1;
            break;
        default:
            seen.early = tree && !knows && steps->sight[i - 1].dies && ncall < depth;
            return seen;
        }
    }
    return seen;
}

/* Does a segment begin with this step? */
static bool is_begin(const struct steps *steps, size_t i)
{
    return steps->step[i].kind == TROD_STEP_SUBPATH && i + 1 < steps->n &&
           steps->step[i + 1].kind == TROD_STEP_CALL &&
           steps->sight[i + 1].callee != UINT32_MAX;
}

/* --- segments of the paths that ran ----------------------------------------------------------------------- */

static bool count_rows(struct trod_segments *whole, struct trod_segments *cut_short,
    struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_super_counter counter;

    trod_super_count_init(&counter, &w->program.unit, w->depth + (fault == DEEPER),
        w->knows && fault != IGNORANT ? &w->program.unit.names : NULL, &w->s.mem);
    for (uint32_t i = 0; i < w->supers.nran; i++) {
        uint32_t root = w->supers.ran[i].root;
        struct trod_super_row row;
        struct trod_string text;

        if (w->supers.astray ||
            w->supers.ran[i].id >= w->supers.super[root].ballarus.npath)
            return wrong(p, "a path goes where the supergraph does not");
        trod_super_row_decode(&row, &w->supers.super[root].super,
            &w->supers.super[root].ballarus, w->supers.ran[i].id, &w->s.mem);
        if (row.frame && !w->supers.super[root].report.ncut)
            return wrong(p, "without a limit, a path starts below the root");
        trod_string_init(&text, &w->s.mem);
        trod_super_row_print(&text.sink, &row, &w->program.unit);
        kit_note(p, "%" PRIu64 " x %s %" PRIu64 ": %s", w->supers.ran[i].count,
            NAME[root], w->supers.ran[i].id, text.text);
        trod_super_count_own(&counter, &w->supers.super[root].super, &row,
            w->supers.ran[i].count + (fault == MISCOUNTED && row.nstep > 1));
    }
    trod_super_count_finish(whole, cut_short, &counter, "w");
    return true;
}

/* --- properties ----------------------------------------------------------------------------------------------- */

struct bags {
    struct bag all;              /* segments of the whole program path */
    struct bag one_by_one;       /* the same, without the library */
    struct bag spoilt;           /* those of it that not all are seen of, at times */
    struct bag whole, cut_short; /* what should be seen of them */
    struct bag got_whole, got_cut_short;
};

/* A part of the steps as a list of one. */
static void put_into(struct bag *bag, struct world *w, size_t from, size_t end)
{
    const struct trod_segment one = {
        .count = 1, .nstep = end - from, .step = &w->steps.step[from]};
    struct trod_segments alone = w->segments;

    alone.nsegment = 1;
    alone.segment = &one;
    fill(bag, &alone, &w->s.mem);
}

/* What roots see of a whole program path. */
static void look(struct bags *out, struct world *w)
{
    const struct steps *steps = &w->steps;

    for (size_t i = 0; i < steps->n; i++) {
        uint32_t root = steps->step[i].function;
        const struct trod_super_tree *tree = &w->supers.super[root].tree;
        struct seen seen, full;
        bool lost;

        if (!is_begin(steps, i))
            continue;
        full = look_from(steps, i, w->depth, NULL, true);
        put_into(&out->one_by_one, w, i, full.end);
        lost = !w->supers.has[root] ||
               (steps->sight[i].caught != TROD_NONE &&
                   is_lost(&w->program, tree, root, steps->sight[i].caught));
        seen = (struct seen){.early = true};
        if (!lost)
            seen = look_from(steps, i, w->depth, tree, w->knows);
        if (!lost && seen.end > i + 1)
            put_into(seen.early ? &out->cut_short : &out->whole, w, i, seen.end);
        if (seen.early)
            put_into(&out->spoilt, w, i, full.end);
    }
}

/* Of what is followed throughout, all there is in the whole program path is seen. */
static bool is_all_seen(struct kit_prop *p, struct bags *b)
{
    for (uint32_t i = 0; i < b->all.n; i++) {
        const char *text = b->all.item[i].text;

        if (!*item_of(&b->spoilt, text) &&
            *item_of(&b->got_whole, text) != b->all.item[i].count) {
            kit_note(p, "%s", text);
            return false;
        }
    }
    return true;
}

static bool agree(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_segments whole, cut_short;
    static struct bags b;

    memset(&b, 0, sizeof b);
    if (!make_world(w, p))
        return false;
    w->knows = kit_draw(p, 2);
    note_world(p, w);
    if (!build_supers(w, p, 0, true))
        return false;
    place_all(&w->supers, &w->log, place_fault_of(fault));
    if (fault == SHIFTED)
        shift_edges(&w->supers, &w->s.mem);
    if (!count_rows(&whole, &cut_short, p, w, fault))
        return false;
    look(&b, w);
    fill(&b.all, &w->segments, &w->s.mem);
    fill(&b.got_whole, &whole, &w->s.mem);
    fill(&b.got_cut_short, &cut_short, &w->s.mem);
    if (!is_same(p, &b.all, &b.one_by_one))
        return wrong(p, "other segments of the whole program path, one by one");
    if (!is_same(p, &b.whole, &b.got_whole))
        return wrong(p, "other segments than roots see");
    if (!is_same(p, &b.cut_short, &b.got_cut_short))
        return wrong(p, "others are cut short than those that roots see no more of");
    if (!is_all_seen(p, &b))
        return wrong(p, "all its calls were followed, and a segment is missing");
    if (!w->plan.nleft && !w->supers.dropped && !w->log.outside && !w->log.unwound &&
        cut_short.nsegment > 0)
        return wrong(p, "all calls were followed, and a segment is cut short");
    return true;
}

static bool segments_agree(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = agree(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* A limit on paths takes nothing away from what was listed. */
static bool keep_listed(struct kit_prop *p, struct world *w, enum fault fault)
{
    struct trod_segments whole, cut_short, limited, limited_short;
    static struct bag want, got;
    uint64_t most;

    memset(&want, 0, sizeof want);
    memset(&got, 0, sizeof got);
    if (!make_world(w, p))
        return false;
    most = 20 + kit_draw(p, 100);
    note_world(p, w);
    if (!build_supers(w, p, most, fault != NOT_KEPT))
        return false;
    place_all(&w->supers, &w->log, PLACE_RIGHT);
    if (!count_rows(&limited, &limited_short, p, w, NONE))
        return false;
    if (w->supers.dropped)
        return true;
    if (!build_supers(w, p, 0, true) || w->supers.dropped)
        return true;
    place_all(&w->supers, &w->log, PLACE_RIGHT);
    if (!count_rows(&whole, &cut_short, p, w, NONE))
        return false;
    fill(&want, &whole, &w->s.mem);
    fill(&got, &limited, &w->s.mem);
    return is_same(p, &want, &got) ||
           wrong(p, "a limit on paths made a difference to listed segments");
}

static bool limits_keep(struct kit_prop *p, void *ctx)
{
    static struct world w;
    bool ok;

    begin(&w.s);
    ok = keep_listed(p, &w, fault_in(ctx));
    return end(&w.s, ok);
}

/* --- all of them --------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"paths of supergraphs have the segments of the whole program path", segments_agree,
        {DEEPER, MISCOUNTED, SHIFTED, GOES_ON, FORGOTTEN, IGNORANT}},
    {"a limit on paths takes no listed segment away", limits_keep, {NOT_KEPT}},
};

int main(void)
{
    return kit_run_tested(
        "super_segments", properties, sizeof properties / sizeof *properties);
}
