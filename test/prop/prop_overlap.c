/* Overlaps of arbitrary members, of paths, of block sequences and of segments, compared with a
 * brute-force sum of shares; and the laws that they obey.
 */
#include "profile/overlap.h"
#include "kit/kit.h"
#include "kit/random_profile.h"
#include "prop/scratch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "online/online.h"
#include "profile/profile.h"
#include "segment/segment.h"

__extension__ typedef unsigned __int128 wide;

enum { MOST = 400, FEW = 12 };

enum fault {
    NONE,
    GREATER,  /* the greater of two shares is added */
    RAW,      /* counts are compared, not shares */
    ONE_LESS, /* the top lacks the last that is needed */
    LAST,     /* among equals, the last is kept */
    SHARES,   /* the shares of the top are of all */
    BEGUN,    /* what was begun has a share */
    UNKNOWN,  /* what one of the two does not count has a share */
    MISSED,   /* a member of B is not found in A */
    OFF,      /* the overlap is off by a little */
    SWAPPED,  /* the first two of those that cost overlap are swapped */
    LOST      /* a member is not there in the second of two overlaps */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static bool wrong(struct kit_prop *p, const char *what)
{
    kit_note(p, "%s", what);
    return false;
}

/* --- brute force -------------------------------------------------------------------------- */

struct model {
    size_t n;
    struct trod_overlap_member member[MOST];
};

static uint64_t count_of(const struct model *m, size_t i, bool in_b)
{
    return in_b ? m->member[i].b : m->member[i].a;
}

static wide total_of(const struct model *m, const bool *kept, bool in_b)
{
    wide sum = 0;

    for (size_t i = 0; i < m->n; i++)
        if (!kept || kept[i])
            sum += count_of(m, i, in_b);
    return sum;
}

/* Take the hottest that is left, again and again. */
static void keep_hottest(
    bool *kept, const struct model *m, bool in_b, uint32_t top_of, enum fault fault)
{
    wide need = total_of(m, NULL, in_b) * top_of, sum = 0;
    size_t last = m->n;

    memset(kept, 0, m->n * sizeof *kept);
    while (sum * TROD_OVERLAP_WHOLE < need) {
        size_t best = m->n;

        for (size_t i = 0; i < m->n; i++)
            if (!kept[i] &&
                (best == m->n || count_of(m, i, in_b) > count_of(m, best, in_b) ||
                    (fault == LAST && count_of(m, i, in_b) == count_of(m, best, in_b))))
                best = i;
        kept[best] = true;
        sum += count_of(m, best, in_b);
        last = best;
    }
    if (fault == ONE_LESS && last < m->n)
        kept[last] = false;
}

static long double share_of(
    const struct model *m, size_t i, const bool *kept, bool in_b, enum fault fault)
{
    wide total = total_of(m, fault == SHARES ? NULL : kept, in_b);

    if ((kept && !kept[i]) || !total)
        return 0;
    return (long double)count_of(m, i, in_b) /
           (fault == RAW ? 100 : (long double)total);
}

static long double overlap_of(
    const struct model *m, const bool *in_a, const bool *in_b, enum fault fault)
{
    long double sum = 0;

    for (size_t i = 0; i < m->n; i++) {
        long double a = share_of(m, i, in_a, false, fault);
        long double b = share_of(m, i, in_b, true, fault);

        sum += (a < b) == (fault != GREATER) ? a : b;
    }
    return sum;
}

static bool near(long double a, double b)
{
    return fabsl(a - (long double)b) < 1e-12L;
}

static bool are_members(const struct model *m, const bool *in_a, const bool *in_b,
    const struct trod_overlap_part *part)
{
    size_t na = 0, nb = 0, nboth = 0;

    for (size_t i = 0; i < m->n; i++) {
        bool a = m->member[i].a && (!in_a || in_a[i]);
        bool b = m->member[i].b && (!in_b || in_b[i]);

        na += a;
        nb += b;
        nboth += a && b;
    }
    return na == part->na && nb == part->nb && nboth == part->nboth;
}

static long double distance(const struct model *m, size_t i)
{
    return fabsl(share_of(m, i, NULL, false, NONE) - share_of(m, i, NULL, true, NONE));
}

/* Members whose shares differ are listed once each, the largest difference first. Differences of rounding are ignored. */
static bool are_apart(
    const struct model *m, const struct trod_overlap *overlap, enum fault fault)
{
    bool listed[MOST] = {0};

    for (size_t i = 0; i < overlap->napart; i++) {
        bool swap = fault == SWAPPED && i < 2 && overlap->napart > 1;
        size_t at = overlap->apart[swap ? 1 - i : i];

        if (at >= m->n || listed[at])
            return false;
        for (size_t k = 0; k < m->n; k++)
            if (!listed[k] && distance(m, k) > distance(m, at) + 1e-12L)
                return false;
        listed[at] = true;
    }
    for (size_t k = 0; k < m->n; k++)
        if (!listed[k] && distance(m, k) > 1e-12L)
            return false;
    return true;
}

/* Where counts add up to more than 64 bits they are rounded, and what is just enough may not be. */
static bool is_right(struct kit_prop *p, const struct model *m,
    const struct trod_overlap *overlap, enum fault fault)
{
    bool top_a[MOST], top_b[MOST];
    enum fault all = fault == GREATER || fault == RAW ? fault : NONE;
    bool rounded =
        total_of(m, NULL, false) >> 64 != 0 || total_of(m, NULL, true) >> 64 != 0;

    if (overlap->nmember != m->n ||
        !near(overlap_of(m, NULL, NULL, all), overlap->all.overlap) ||
        !are_members(m, NULL, NULL, &overlap->all))
        return wrong(p, "the overlap is another");
    if (!are_apart(m, overlap, fault))
        return wrong(p, "what costs overlap is not in order");
    keep_hottest(top_a, m, false, overlap->top_of, fault);
    keep_hottest(top_b, m, true, overlap->top_of, fault);
    if (!rounded && (!near(overlap_of(m, top_a, top_b, fault), overlap->top.overlap) ||
                        !are_members(m, top_a, top_b, &overlap->top)))
        return wrong(p, "the overlap of the top is another");
    return true;
}

/* --- any members --------------------------------------------------------------------------- */

static uint64_t draw_count(struct kit_prop *p, bool huge)
{
    return huge ? kit_draw(p, UINT64_MAX) + 1 : kit_draw(p, 6);
}

static void draw_members(struct model *m, struct kit_prop *p)
{
    bool huge = kit_draw(p, 8) == 7;
    size_t n = kit_draw(p, FEW + 1);

    m->n = 0;
    for (size_t i = 0; i < n; i++) {
        struct trod_overlap_member one = {draw_count(p, huge), draw_count(p, huge)};

        if (one.a || one.b)
            m->member[m->n++] = one;
        kit_note(p, "%llu %llu", (unsigned long long)one.a, (unsigned long long)one.b);
    }
}

static uint32_t draw_top(struct kit_prop *p)
{
    return kit_draw(p, 2) ? 0 : 1 + (uint32_t)kit_draw(p, TROD_OVERLAP_WHOLE);
}

static bool equals_brute_force(struct kit_prop *p, void *ctx)
{
    struct trod_overlap overlap;
    struct model m;
    struct sample s;

    begin(&s);
    draw_members(&m, p);
    trod_overlap_build(&overlap, m.member, m.n, draw_top(p), &s.mem);
    return end(&s, is_right(p, &m, &overlap, fault_in(ctx)));
}

enum law { ITSELF, TIMES, APART, OTHER_WAY };

static void bend(struct model *to, const struct model *from, enum law law, uint64_t k)
{
    *to = *from;
    for (size_t i = 0; i < to->n; i++) {
        struct trod_overlap_member *m = &to->member[i];
        uint64_t a = m->a ? m->a : 1;

        if (law == ITSELF || law == TIMES)
            *m = (struct trod_overlap_member){a, law == TIMES ? k * (a % 1000 + 1) : a};
        if (law == TIMES)
            m->a = a % 1000 + 1;
        if (law == APART)
            *m = (struct trod_overlap_member){i % 2 ? a : 0, i % 2 ? 0 : a};
        if (law == OTHER_WAY)
            *m = (struct trod_overlap_member){m->b, m->a};
    }
}

static bool is_between(const struct trod_overlap *o)
{
    return o->all.overlap >= 0 && o->all.overlap <= 1 && o->top.overlap >= 0 &&
           o->top.overlap <= 1;
}

/* To the last bit. */
static bool obeys(const struct trod_overlap *o, const struct trod_overlap *first,
    enum law law, size_t n)
{
    double whole = n ? 1 : 0;

    switch (law) {
    case ITSELF:
    case TIMES:
        return o->all.overlap == whole && o->top.overlap == whole && !o->napart;
    case APART:
        return o->all.overlap == 0 && o->top.overlap == 0 && !o->all.nboth;
    case OTHER_WAY:
        return o->all.overlap == first->all.overlap &&
               o->top.overlap == first->top.overlap && o->all.na == first->all.nb &&
               o->top.na == first->top.nb && o->top.nboth == first->top.nboth &&
               o->napart == first->napart &&
               (!o->napart ||
                   memcmp(o->apart, first->apart, o->napart * sizeof *o->apart) == 0);
    }
    return false;
}

static bool has_laws(struct kit_prop *p, void *ctx)
{
    enum law law = (enum law)kit_draw(p, 4);
    uint64_t k = 1 + kit_draw(p, 1000000);
    struct trod_overlap first, overlap;
    struct model m, bent;
    struct sample s;
    uint32_t top;

    begin(&s);
    draw_members(&m, p);
    top = draw_top(p);
    trod_overlap_build(&first, m.member, m.n, top, &s.mem);
    bend(&bent, &m, law, k);
    if (fault_in(ctx) == LOST && bent.n)
        bent.member[bent.n - 1] = (struct trod_overlap_member){0, 1};
    trod_overlap_build(&overlap, bent.member, bent.n, top, &s.mem);
    if (fault_in(ctx) == OFF)
        overlap.all.overlap += 0x1p-50;
    if (!is_between(&first) || !is_between(&overlap))
        return end(&s, wrong(p, "an overlap is below 0, or above 1"));
    kit_note(
        p, "law %d: %g and %g", (int)law, overlap.all.overlap, overlap.top.overlap);
    return end(&s, obeys(&overlap, &first, law, m.n));
}

/* --- paths of profiles ---------------------------------------------------------------------- */

struct path {
    const struct trod_profile_function *function;
    uint64_t id;
};

static int compare(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_functions(
    const struct trod_profile_function *a, const struct trod_profile_function *b)
{
    int by = compare(a->name, b->name);

    by = by ? by : compare(a->graph, b->graph);
    by = by ? by : compare(a->cuts, b->cuts);
    return by ? by : compare(a->npath, b->npath);
}

static int by_path(const void *x, const void *y)
{
    const struct path *a = x, *b = y;
    int by = compare_functions(a->function, b->function);

    return by ? by : compare(a->id, b->id);
}

static uint64_t count_in(const struct trod_profile *profile, const struct path *path)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        for (size_t k = 0; k < t->npath; k++)
            if (t->path[k].id == path->id &&
                compare_functions(&profile->module[t->module].function[t->function],
                    path->function) == 0)
                sum = trod_sat_add(sum, t->path[k].count);
    }
    return sum;
}

/* Would the profile have a count if the path had run? */
static bool would_know(const struct trod_profile *profile, const struct path *path)
{
    bool there = false;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            const struct trod_profile_function *of = &profile->module[m].function[f];

            if (compare_functions(of, path->function) != 0)
                continue;
            there = true;
            if (trod_profile_is_counted(of, path->id))
                return true;
        }
    return !there;
}

static void list_paths(
    struct path *out, size_t *n, const struct trod_profile *profile, enum fault fault)
{
    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        for (size_t k = 0; k < t->npath && *n < MOST; k++) {
            struct path path = {
                &profile->module[t->module].function[t->function], t->path[k].id};
            bool known = path.id == path.function->npath && fault != BEGUN;

            for (size_t q = 0; q < *n && !known; q++)
                known = by_path(&out[q], &path) == 0;
            if (!known)
                out[(*n)++] = path;
        }
    }
}

static void model_of(
    struct model *out, const struct trod_profile *side, enum fault fault)
{
    struct path path[MOST];
    size_t n = 0;

    out->n = 0;
    list_paths(path, &n, &side[0], fault);
    list_paths(path, &n, &side[1], fault);
    if (n)
        qsort(path, n, sizeof *path, by_path);
    for (size_t i = 0; i < n; i++) {
        struct trod_overlap_member m = {
            count_in(&side[0], &path[i]), count_in(&side[1], &path[i])};

        if (fault == UNKNOWN || ((m.a || would_know(&side[0], &path[i])) &&
                                    (m.b || would_know(&side[1], &path[i]))))
            out->member[out->n++] = m;
    }
}

static bool have_common(const struct trod_profile *side)
{
    for (uint32_t m = 0; m < side[0].nmodule; m++)
        for (uint32_t f = 0; f < side[0].module[m].nfunction; f++)
            for (uint32_t n = 0; n < side[1].nmodule; n++)
                for (uint32_t g = 0; g < side[1].module[n].nfunction; g++)
                    if (compare_functions(&side[0].module[m].function[f],
                            &side[1].module[n].function[g]) == 0)
                        return true;
    return false;
}

static bool paths_overlap(struct kit_prop *p, void *ctx)
{
    struct kit_profile_options opt = {.groups = kit_draw(p, 2)};
    struct trod_profile side[2];
    struct trod_overlap overlap;
    enum fault fault = fault_in(ctx);
    struct model m = {0};
    struct sample s;
    bool can;

    begin(&s);
    kit_profile(&side[0], &opt, draw, p, &s.mem);
    kit_profile(&side[1], &opt, draw, p, &s.mem);
    model_of(&m, side, fault);
    can = have_common(side) && total_of(&m, NULL, false) && total_of(&m, NULL, true);
    if (!trod_profile_overlap(
            &overlap, &side[0], &side[1], draw_top(p), &s.mem, &s.err)) {
        kit_note(p, "%s", s.err.text);
        return end(&s, !can && s.err.code == TROD_E_MISMATCH);
    }
    return end(&s, can && (m.n == MOST || is_right(p, &m, &overlap, fault)));
}

/* --- subpaths ----------------------------------------------------------------------------------- */

enum { BLOCKS = 3, FUNCTIONS = 3 };

/* Functions 1, 2 and 3 in some order, or two of them; each has as many blocks as its name says. */
static bool draw_subpaths(struct trod_subpaths *out, struct kit_prop *p,
    enum trod_sample_identity identity, struct sample *s)
{
    struct trod_online_blocks *blocks = trod_new(&s->mem, struct trod_online_blocks, 1);
    struct trod_profile_function function[FUNCTIONS];
    struct trod_profile_module module = {.function = function};
    struct trod_online_blocks_module added;
    struct trod_online_set set;
    uint64_t turn = kit_draw(p, FUNCTIONS), step = 1 + kit_draw(p, 2);

    module.nfunction = FUNCTIONS - (uint32_t)kit_draw(p, 2);
    for (uint64_t f = 0; f < FUNCTIONS; f++)
        function[f] = (struct trod_profile_function){
            .name = 1 + (turn + f * step) % FUNCTIONS, .npath = BLOCKS};
    trod_online_blocks_init(blocks, &s->mem);
    if (!trod_online_blocks_add(&added, blocks, &module, &s->err))
        return false;
    trod_online_set_init(&set, identity, &s->mem);
    for (uint64_t n = 1 + kit_draw(p, FEW); n > 0; n--) {
        uint32_t length = 2 + (uint32_t)kit_draw(p, 3);
        struct trod_online_subpath *subpath;
        trod_block block[4];

        for (uint32_t i = 0; i < length; i++) {
            uint32_t f = (uint32_t)kit_draw(p, module.nfunction);

            block[i] = blocks->first[f] + (trod_block)kit_draw(p, BLOCKS);
        }
        subpath = trod_online_set_add(&set, block, length);
        subpath->estimate += 1 + (double)kit_draw(p, 9);
    }
    *out = (struct trod_subpaths){.name = "app", .blocks = blocks};
    trod_online_rank(out, &set);
    return true;
}

/* The i-th block of a subpath from some block on, by function and node. */
static uint64_t block_of(const struct trod_subpaths *of,
    const struct trod_online_subpath *subpath, uint32_t from, uint32_t i)
{
    trod_block block = subpath->block[(from + i) % subpath->length];
    uint32_t f = trod_online_blocks_function(of->blocks, block);

    return of->blocks->function[f].name * 100 +
           trod_online_blocks_node(of->blocks, f, block);
}

static bool is_one(const struct trod_subpaths *a, const struct trod_online_subpath *x,
    const struct trod_subpaths *b, const struct trod_online_subpath *y)
{
    uint32_t nturn = a->identity == TROD_SAMPLE_ROTATION ? x->length : 1;

    if (x->length != y->length)
        return false;
    for (uint32_t from = 0; from < nturn; from++) {
        bool same = true;

        for (uint32_t i = 0; i < x->length; i++)
            same = same && block_of(a, x, from, i) == block_of(b, y, 0, i);
        if (same)
            return true;
    }
    return false;
}

static bool subpaths_overlap(struct kit_prop *p, void *ctx)
{
    enum trod_sample_identity identity =
        kit_draw(p, 2) ? TROD_SAMPLE_SEQUENCE : TROD_SAMPLE_ROTATION;
    struct trod_online_overlap overlap, other_way;
    struct trod_subpaths a, b;
    bool missed = fault_in(ctx) == MISSED;
    struct sample s;
    struct model m = {0};

    begin(&s);
    if (!draw_subpaths(&a, p, identity, &s) || !draw_subpaths(&b, p, identity, &s) ||
        !trod_online_overlap_build(&overlap, &a, &b, 0, &s.mem, &s.err) ||
        !trod_online_overlap_build(&other_way, &b, &a, 0, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    for (size_t i = 0; i < a.nsubpath; i++)
        m.member[m.n++].a = (uint64_t)a.subpath[i].estimate;
    for (size_t k = 0; k < b.nsubpath; k++) {
        size_t i = missed ? a.nsubpath : 0;

        while (i < a.nsubpath && !is_one(&a, &a.subpath[i], &b, &b.subpath[k]))
            i++;
        missed = false;
        if (i == a.nsubpath)
            i = m.n++;
        m.member[i].b = (uint64_t)b.subpath[k].estimate;
    }
    /* Members come in another order than in the model: compare the top with that of the exchanged profiles. */
    if (overlap.overlap.nmember != m.n ||
        !near(overlap_of(&m, NULL, NULL, NONE), overlap.overlap.all.overlap) ||
        !are_members(&m, NULL, NULL, &overlap.overlap.all))
        return end(&s, wrong(p, "the overlap is another"));
    return end(&s, obeys(&other_way.overlap, &overlap.overlap, OTHER_WAY, m.n));
}

/* --- segments ------------------------------------------------------------------------------------ */

static bool is_segment(const struct trod_segments *a, const struct trod_segment *x,
    const struct trod_segments *b, const struct trod_segment *y)
{
    bool same = x->nstep == y->nstep;

    for (size_t i = 0; same && i < x->nstep; i++) {
        same = x->step[i].kind == y->step[i].kind && x->step[i].id == y->step[i].id;
        if (same && x->step[i].kind == TROD_STEP_SUBPATH)
            same = strcmp(a->function.name[x->step[i].function],
                       b->function.name[y->step[i].function]) == 0;
    }
    return same;
}

/* Names come in any order; each has an identity, or none has. */
static void draw_segments(
    struct trod_segments *out, struct kit_prop *p, bool known, struct sample *s)
{
    static const char *const name[FUNCTIONS] = {"f", "g", "h"};
    uint64_t turn = kit_draw(p, FUNCTIONS), nsegment = 1 + kit_draw(p, FEW);
    struct trod_identity *identity = trod_new(&s->mem, struct trod_identity, FUNCTIONS);
    struct trod_segment *segment = trod_new(&s->mem, struct trod_segment, nsegment);

    *out = (struct trod_segments){.name = "app",
        .depth = 1,
        .segment = segment,
        .identity = known ? identity : NULL};
    trod_names_init(&out->function, &s->mem);
    for (uint64_t f = 0; f < FUNCTIONS; f++) {
        trod_names_add(&out->function, name[(turn + f) % FUNCTIONS]);
        identity[f] =
            (struct trod_identity){.name = 9 - (turn + f) % FUNCTIONS, .npath = BLOCKS};
    }
    for (uint64_t i = 0; i < nsegment; i++) {
        struct trod_step *step = trod_new(&s->mem, struct trod_step, 5);
        struct trod_segment one = {
            .count = 1 + kit_draw(p, 9), .nstep = 3 + 2 * kit_draw(p, 2), .step = step};
        bool twice = false;

        for (size_t k = 0; k < one.nstep; k++) {
            step[k].kind = k == 1   ? TROD_STEP_CALL
                           : k == 3 ? TROD_STEP_RETURN
                                    : TROD_STEP_SUBPATH;
            if (step[k].kind == TROD_STEP_SUBPATH) {
                step[k].function = (uint32_t)kit_draw(p, FUNCTIONS);
                step[k].id = kit_draw(p, 2);
            }
        }
        for (size_t k = 0; k < out->nsegment; k++)
            twice = twice || is_segment(out, &segment[k], out, &one);
        if (!twice)
            segment[out->nsegment++] = one;
    }
}

static bool segments_overlap(struct kit_prop *p, void *ctx)
{
    struct trod_segments_overlap overlap, other_way;
    struct trod_segments a, b;
    bool missed = fault_in(ctx) == MISSED;
    struct sample s;
    struct model m = {0};

    begin(&s);
    draw_segments(&a, p, kit_draw(p, 2), &s);
    draw_segments(&b, p, kit_draw(p, 2), &s);
    if (!trod_segments_overlap_build(&overlap, &a, &b, 0, &s.mem, &s.err) ||
        !trod_segments_overlap_build(&other_way, &b, &a, 0, &s.mem, &s.err))
        return end(&s, wrong(p, s.err.text));
    for (size_t i = 0; i < a.nsegment; i++)
        m.member[m.n++].a = a.segment[i].count;
    for (size_t k = 0; k < b.nsegment; k++) {
        size_t i = missed ? a.nsegment : 0;

        while (i < a.nsegment && !is_segment(&a, &a.segment[i], &b, &b.segment[k]))
            i++;
        missed = false;
        if (i == a.nsegment)
            i = m.n++;
        m.member[i].b = b.segment[k].count;
    }
    if (overlap.overlap.nmember != m.n ||
        !near(overlap_of(&m, NULL, NULL, NONE), overlap.overlap.all.overlap) ||
        !are_members(&m, NULL, NULL, &overlap.overlap.all))
        return end(&s, wrong(p, "the overlap is another"));
    return end(&s, obeys(&other_way.overlap, &overlap.overlap, OTHER_WAY, m.n));
}

/* --- the tests ------------------------------------------------------------------------------------ */

static const struct kit_tested properties[] = {
    {"an overlap is the sum of lesser shares", equals_brute_force,
        {GREATER, RAW, ONE_LESS, LAST, SHARES, SWAPPED}},
    {"an overlap is symmetric, 1 with itself, 0 with others, never above 1", has_laws,
        {OFF, LOST}},
    {"paths overlap", paths_overlap, {BEGUN, UNKNOWN, GREATER, LAST}},
    {"subpaths overlap", subpaths_overlap, {MISSED}},
    {"segments overlap", segments_overlap, {MISSED}},
};

int main(void)
{
    return kit_run_tested(
        "overlap", properties, sizeof properties / sizeof *properties);
}
