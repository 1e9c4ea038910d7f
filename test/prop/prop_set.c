/* Profiles as sets of paths: unions, intersections and differences, path by path, compared
 * with a scan of every count; and the laws of sets.
 */
#include "kit/kit.h"
#include "kit/random_profile.h"
#include "prop/scratch.h"

#include <stdio.h>
#include <string.h>

#include "profile/profile.h"

enum fault {
    NONE,
    COUNT_OFF, /* a count is another than it was */
    PATH_GONE, /* the last tally is dropped */
    UNSAID     /* no note says that it is a set */
};

static enum fault fault_in(const void *ctx)
{
    return ctx ? *(const enum fault *)ctx : NONE;
}

static void plant(struct trod_profile *profile, const void *ctx, struct trod_arena *mem)
{
    struct trod_profile_tally *tally;
    struct trod_profile_path *path;

    if (fault_in(ctx) == UNSAID)
        profile->nnote = 0;
    if (!profile->ntally)
        return;
    if (fault_in(ctx) == PATH_GONE)
        profile->ntally--;
    if (fault_in(ctx) != COUNT_OFF)
        return;
    tally = trod_new(mem, struct trod_profile_tally, profile->ntally);
    memcpy(tally, profile->tally, profile->ntally * sizeof *tally);
    path = trod_new(mem, struct trod_profile_path, tally->npath);
    memcpy(path, tally->path, tally->npath * sizeof *path);
    path->count = path->count == 1 ? 2 : path->count - 1;
    tally->path = path;
    profile->tally = tally;
}

static const char *text_of(const struct trod_profile *profile, struct trod_arena *mem)
{
    struct trod_string text;

    trod_string_init(&text, mem);
    trod_profile_print(&text.sink, profile);
    return text.text;
}

static bool failed(struct kit_prop *p, const struct sample *s)
{
    kit_note(p, "%s", s->err.text);
    return false;
}

static bool combine(struct trod_profile *out, enum trod_set_kind kind,
    const struct trod_profile *a, const struct trod_profile *b,
    const struct trod_profile *c, struct sample *s)
{
    const struct trod_profile *of[] = {a, b, c};
    struct trod_profile_set set;

    if (!trod_profile_combine(&set, kind, of, c ? 3 : 2, &s->mem, &s->err) ||
        !trod_profile_check(&set.profile, &s->err))
        return false;
    *out = set.profile;
    return true;
}

static void draw_profiles(
    struct trod_profile *out, uint32_t n, struct kit_prop *p, struct sample *s)
{
    struct kit_profile_options opt = {
        .groups = kit_draw(p, 2), .bursts = kit_draw(p, 4) == 3};

    for (uint32_t i = 0; i < n; i++)
        kit_profile(&out[i], &opt, draw, p, &s->mem);
}

/* --- path by path ------------------------------------------------------------------------- */

static bool is_same(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    return f->name == g->name && f->graph == g->graph && f->cuts == g->cuts &&
           f->npath == g->npath &&
           (f->counted == TROD_COUNTED_EVENTS) == (g->counted == TROD_COUNTED_EVENTS);
}

static uint64_t count_of(const struct trod_profile *profile,
    const struct trod_profile_function *function, uint64_t id)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];

        if (!is_same(&profile->module[t->module].function[t->function], function))
            continue;
        for (size_t k = 0; k < t->npath; k++)
            if (t->path[k].id == id)
                sum = trod_sat_add(sum, t->path[k].count);
    }
    return sum;
}

/* It did not run there, for sure: the function is not there, or some copy of it counts the path. */
static bool is_absent(const struct trod_profile *profile,
    const struct trod_profile_function *function, uint64_t id)
{
    bool there = false;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            const struct trod_profile_function *of = &profile->module[m].function[f];
            bool chosen = false;

            if (!is_same(of, function))
                continue;
            there = true;
            for (size_t i = 0; i < of->nchosen; i++)
                chosen |= of->chosen[i] == id;
            if (id == of->npath || of->counted == TROD_COUNTED_ALL ||
                of->counted == TROD_COUNTED_RESIDUAL ||
                of->counted == TROD_COUNTED_EVENTS ||
                (of->counted == TROD_COUNTED_CHOSEN ? chosen : of->nchosen && !chosen))
                return !count_of(profile, function, id);
        }
    return !there;
}

static uint64_t expect(enum trod_set_kind kind, const struct trod_profile *side,
    const struct trod_profile_function *f, uint64_t id)
{
    uint64_t n[3], most = 0, least = UINT64_MAX, others;
    bool surely = true;

    for (int i = 0; i < 3; i++) {
        n[i] = count_of(&side[i], f, id);
        most = n[i] > most ? n[i] : most;
        least = n[i] < least ? n[i] : least;
        surely = surely && (n[i] || is_absent(&side[i], f, id));
    }
    others = trod_sat_add(n[1], n[2]);
    switch (kind) {
    case TROD_SET_UNION:
        return most;
    case TROD_SET_INTERSECT:
        return least;
    case TROD_SET_SUBTRACT:
        return surely && !others ? n[0] : 0;
    case TROD_SET_SUBTRACT_COUNTS:
        return surely && n[0] > others ? n[0] - others : 0;
    }
    return 0;
}

static bool counts_are_right(struct kit_prop *p, void *ctx)
{
    enum trod_set_kind kind = (enum trod_set_kind)kit_draw(p, 4);
    struct trod_profile side[4];
    struct sample s;
    bool holds;

    begin(&s);
    draw_profiles(side, 3, p, &s);
    if (!combine(&side[3], kind, &side[0], &side[1], &side[2], &s))
        return end(&s, failed(p, &s));
    plant(&side[3], ctx, &s.mem);
    holds = trod_profile_is_set(&side[3]);
    for (int i = 0; i < 4; i++)
        for (size_t t = 0; t < side[i].ntally; t++) {
            const struct trod_profile_tally *tally = &side[i].tally[t];
            const struct trod_profile_function *f =
                &side[i].module[tally->module].function[tally->function];

            for (size_t k = 0; k < tally->npath; k++)
                holds = holds && count_of(&side[3], f, tally->path[k].id) ==
                                     expect(kind, side, f, tally->path[k].id);
        }
    for (int i = 0; !holds && i < 4; i++)
        kit_note(p, "%s", text_of(&side[i], &s.mem));
    return end(&s, holds);
}

/* --- laws ------------------------------------------------------------------------------------ */

/* Every count of one at the same place in the other, and as many. */
static bool has_counts(struct kit_prop *p, const struct trod_profile *a,
    const struct trod_profile *b, const char *law)
{
    size_t found = 0;

    for (size_t i = 0; i < a->ntally; i++)
        for (size_t k = 0; k < b->ntally; k++) {
            const struct trod_profile_tally *t = &a->tally[i], *u = &b->tally[k];

            found += t->function == u->function && t->npath == u->npath &&
                     trod_profile_compare_identity(
                         &a->module[t->module], &b->module[u->module]) == 0 &&
                     memcmp(t->path, u->path, t->npath * sizeof *t->path) == 0;
        }
    if (found == a->ntally && found == b->ntally)
        return true;
    kit_note(p, "%s", law);
    return false;
}

/* The same paths, however often. */
static bool has_paths(struct kit_prop *p, const struct trod_profile *a,
    const struct trod_profile *b, const char *law)
{
    for (size_t i = 0; i < a->ntally; i++) {
        const struct trod_profile_tally *t = &a->tally[i];
        const struct trod_profile_function *f =
            &a->module[t->module].function[t->function];

        for (size_t k = 0; k < t->npath; k++)
            if (!count_of(b, f, t->path[k].id)) {
                kit_note(p, "%s", law);
                return false;
            }
    }
    return true;
}

static bool is_whole(const struct trod_profile *side, int n)
{
    bool whole = true;

    for (int i = 0; i < n; i++)
        whole = whole && trod_profile_is_whole(&side[i]);
    return whole;
}

static bool laws_of_lattices(struct kit_prop *p, void *ctx)
{
    enum trod_set_kind up = kit_draw(p, 2) ? TROD_SET_INTERSECT : TROD_SET_UNION;
    enum trod_set_kind down =
        up == TROD_SET_UNION ? TROD_SET_INTERSECT : TROD_SET_UNION;
    struct trod_profile side[3], flat, aa, ab, ba, ab_c, bc, a_bc, abc, a_ab;
    const struct trod_profile *a = &side[0], *b = &side[1], *c = &side[2];
    struct sample s;

    begin(&s);
    draw_profiles(side, 3, p, &s);
    if (!trod_profile_merge(&flat, &a, 1, NULL, &s.mem, &s.err) ||
        !combine(&aa, up, a, a, NULL, &s) || !combine(&ab, up, a, b, NULL, &s) ||
        !combine(&ba, up, b, a, NULL, &s) || !combine(&ab_c, up, &ab, c, NULL, &s) ||
        !combine(&bc, up, b, c, NULL, &s) || !combine(&a_bc, up, a, &bc, NULL, &s) ||
        !combine(&abc, up, a, b, c, &s) || !combine(&a_ab, down, a, &ab, NULL, &s))
        return end(&s, failed(p, &s));
    plant(&ba, ctx, &s.mem);
    return end(
        &s, has_counts(p, &aa, &flat, "idempotent") &&
                has_counts(p, &ab, &ba, "commutative") &&
                has_counts(p, &ab_c, &a_bc, "associative") &&
                has_counts(p, &ab_c, &abc, "in one step as in two") &&
                (!is_whole(side, 3) || has_counts(p, &a_ab, &flat, "absorption")));
}

static bool laws_of_differences(struct kit_prop *p, void *ctx)
{
    struct trod_profile side[2], both, only, rest, again, sum, none;
    const struct trod_profile *a = &side[0], *b = &side[1], *parts[] = {&rest, &both};
    struct sample s;
    bool holds;

    begin(&s);
    draw_profiles(side, 2, p, &s);
    if (!combine(&both, TROD_SET_INTERSECT, a, b, NULL, &s) ||
        !combine(&only, TROD_SET_SUBTRACT, a, b, NULL, &s) ||
        !combine(&none, TROD_SET_SUBTRACT, a, a, NULL, &s) ||
        !combine(&rest, TROD_SET_SUBTRACT_COUNTS, a, b, NULL, &s) ||
        !combine(&again, TROD_SET_UNION, &both, &only, NULL, &s) ||
        !trod_profile_merge(&sum, parts, 2, NULL, &s.mem, &s.err))
        return end(&s, failed(p, &s));
    plant(&again, ctx, &s.mem);
    holds = !none.ntally && has_paths(p, &again, a, "(A and B) or (A less B) is in A");
    if (is_whole(side, 2))
        holds = holds && has_paths(p, a, &again, "A is (A and B) or (A less B)");
    for (size_t i = 0; is_whole(side, 2) && i < side[0].ntally; i++) {
        const struct trod_profile_tally *t = &a->tally[i];
        const struct trod_profile_function *f =
            &a->module[t->module].function[t->function];

        for (size_t k = 0; k < t->npath; k++)
            holds = holds &&
                    count_of(&sum, f, t->path[k].id) == count_of(a, f, t->path[k].id);
    }
    return end(&s, holds);
}

/* --- the tests --------------------------------------------------------------------------------- */

static const struct kit_tested properties[] = {
    {"sets have what every path says", counts_are_right,
        {COUNT_OFF, PATH_GONE, UNSAID}},
    {"union and intersection are a lattice", laws_of_lattices, {COUNT_OFF, PATH_GONE}},
    {"differences and what is left make the whole", laws_of_differences, {PATH_GONE}},
};

int main(void)
{
    return kit_run_tested("set", properties, sizeof properties / sizeof *properties);
}
