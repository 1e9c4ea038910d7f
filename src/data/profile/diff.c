#include "profile/profile.h"
#include "base/order.h"

#include <stdlib.h>

/* A function in a module of profile A or B. */
struct copy {
    struct trod_profile_function function;
    const char *module;
    bool in_b;
    const struct trod_profile_tally *tally;
    size_t ntally; /* one for each group it ran in */
};

static int compare_functions(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    int by = trod_compare(f->name, g->name);

    by = by ? by : trod_compare(f->graph, g->graph);
    by = by ? by : trod_compare(f->cuts, g->cuts);
    return by ? by : trod_compare(f->npath, g->npath);
}

/* Copies keep the order of their modules, those of A first. They are in one array in that order, so
 * addresses are compared.
 */
static int by_function(const void *x, const void *y)
{
    const struct copy *const *a = x, *const *b = y;
    int by = compare_functions(&(*a)->function, &(*b)->function);

    return by ? by : (*a > *b) - (*a < *b);
}

TROD_ORDER(by_id, struct trod_diff_path, TROD_UP(id))

static size_t count_functions(const struct trod_profile *profile)
{
    size_t n = 0;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++)
            n += !trod_profile_is_events(&profile->module[m].function[f]);
    return n;
}

static void list_copies(
    struct copy *copy, const struct trod_profile *profile, bool in_b)
{
    const struct trod_profile_tally *t = profile->tally, *end = t + profile->ntally;

    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            struct copy one = {.function = profile->module[m].function[f],
                .module = profile->module[m].path,
                .in_b = in_b,
                .tally = t};

            for (; t < end && t->module == m && t->function == f; t++)
                one.ntally++;
            if (!trod_profile_is_events(&one.function))
                *copy++ = one;
        }
}

enum trod_diff_kind trod_diff_path_kind(const struct trod_diff_path *path)
{
    if (path->a == path->b)
        return TROD_DIFF_SAME;
    if (!path->a)
        return TROD_DIFF_APPEARED;
    return path->b ? TROD_DIFF_MOVED : TROD_DIFF_VANISHED;
}

static size_t npath_of(const struct copy *copy, size_t t)
{
    const struct trod_profile_tally *tally = &copy->tally[t];

    return trod_profile_count_below(tally, copy->function.npath);
}

static struct trod_diff_path *list_paths(
    size_t *count, struct copy *const *copy, size_t ncopy, struct trod_arena *mem)
{
    struct trod_diff_path *path;
    size_t n = 0, kept = 0;

    for (size_t i = 0; i < ncopy; i++)
        for (size_t t = 0; t < copy[i]->ntally; t++)
            n += npath_of(copy[i], t);
    path = trod_new(mem, struct trod_diff_path, n);
    n = 0;
    for (size_t i = 0; i < ncopy; i++)
        for (size_t t = 0; t < copy[i]->ntally; t++)
            for (size_t k = 0; k < npath_of(copy[i], t); k++) {
                const struct trod_profile_path *from = &copy[i]->tally[t].path[k];

                path[n++] = (struct trod_diff_path){.id = from->id,
                    .a = copy[i]->in_b ? 0 : from->count,
                    .b = copy[i]->in_b ? from->count : 0};
            }
    trod_sort(path, n, by_id);
    for (size_t i = 0; i < n; i++) {
        if (i == 0 || path[i].id != path[kept - 1].id) {
            path[kept++] = path[i];
        } else {
            path[kept - 1].a = trod_sat_add(path[kept - 1].a, path[i].a);
            path[kept - 1].b = trod_sat_add(path[kept - 1].b, path[i].b);
        }
    }
    *count = kept;
    return path;
}

/* Would profile A (or B) have a count of the path if it had run there? Also true if the profile
 * does not have the function at all.
 */
static bool is_counted(struct copy *const *copy, size_t ncopy, bool in_b, uint64_t id)
{
    bool there = false;

    for (size_t i = 0; i < ncopy; i++) {
        if (copy[i]->in_b != in_b)
            continue;
        if (trod_profile_is_counted(&copy[i]->function, id))
            return true;
        there = true;
    }
    return !there;
}

/* Omit paths that one of the two profiles does not count. */
static size_t drop_unknown(
    struct trod_diff_path *path, size_t n, struct copy *const *copy, size_t ncopy)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if ((path[i].a || is_counted(copy, ncopy, false, path[i].id)) &&
            (path[i].b || is_counted(copy, ncopy, true, path[i].id)))
            path[kept++] = path[i];
    return kept;
}

/* needs:  copies of one function */
static void compare_copies(struct trod_diff_function *out, struct copy *const *copy,
    size_t ncopy, uint64_t *nunknown, struct trod_arena *mem)
{
    struct trod_diff_path *path;
    size_t n;

    *out = (struct trod_diff_function){
        .function = copy[0]->function, .module = copy[0]->module};
    for (size_t i = 0; i < ncopy; i++) {
        out->in_a |= !copy[i]->in_b;
        out->in_b |= copy[i]->in_b;
    }
    path = list_paths(&n, copy, ncopy, mem);
    out->npath = drop_unknown(path, n, copy, ncopy);
    out->path = path;
    *nunknown += n - out->npath;
    out->kind = TROD_DIFF_SAME;
    for (size_t i = 0; i < out->npath; i++) {
        out->a = trod_sat_add(out->a, out->path[i].a);
        out->b = trod_sat_add(out->b, out->path[i].b);
        if (out->path[i].a != out->path[i].b)
            out->kind = TROD_DIFF_MOVED;
    }
    if (!out->in_a)
        out->kind = TROD_DIFF_APPEARED;
    if (!out->in_b)
        out->kind = TROD_DIFF_VANISHED;
}

/* Among functions with one name, one that only A has and one that only B has are two versions of one function. */
static void pair_changed(struct trod_diff_function *function, size_t n)
{
    bool only_a = false, only_b = false;

    for (size_t i = 0; i < n; i++) {
        only_a |= !function[i].in_b;
        only_b |= !function[i].in_a;
    }
    for (size_t i = 0; only_a && only_b && i < n; i++)
        if (function[i].in_a != function[i].in_b)
            function[i].kind = TROD_DIFF_CHANGED;
}

static void count_kinds(struct trod_profile_diff *out)
{
    for (size_t i = 0; i < out->nfunction; i++) {
        const struct trod_diff_function *f = &out->function[i];

        for (size_t k = 0; k < f->npath; k++)
            out->npath_of_kind[f->kind == TROD_DIFF_CHANGED
                                   ? TROD_DIFF_CHANGED
                                   : trod_diff_path_kind(&f->path[k])]++;
    }
}

bool trod_profile_diff(struct trod_profile_diff *out, const struct trod_profile *a,
    const struct trod_profile *b, struct trod_arena *mem, struct trod_err *err)
{
    size_t na = count_functions(a), n = na + count_functions(b), kept = 0;
    struct trod_diff_function *function = trod_new(mem, struct trod_diff_function, n);
    struct copy *copy = trod_new(mem, struct copy, n);
    struct copy **sorted = trod_new(mem, struct copy *, n);

    *out = (struct trod_profile_diff){.function = function};
    if (!trod_profile_check_counts(a, err) || !trod_profile_check_counts(b, err))
        return false;
    if (a->nmodule && b->nmodule && a->module[0].mode != b->module[0].mode)
        return trod_fail(err, TROD_E_MISMATCH,
            "paths of '%s' are counted in mode %s, those of '%s' in mode %s; only profiles of "
            "the same mode can be compared",
            a->module[0].path, trod_profile_mode_name(a->module[0].mode),
            b->module[0].path, trod_profile_mode_name(b->module[0].mode));
    list_copies(copy, a, false);
    list_copies(copy + na, b, true);
    for (size_t i = 0; i < n; i++)
        sorted[i] = &copy[i];
    trod_sort(sorted, n, by_function);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n; j++)
            if (compare_functions(&sorted[i]->function, &sorted[j]->function) != 0)
                break;
        compare_copies(&function[kept++], sorted + i, j - i, &out->nunknown, mem);
    }
    for (size_t i = 0, j; i < kept; i = j) {
        for (j = i + 1; j < kept; j++)
            if (function[i].function.name != function[j].function.name)
                break;
        pair_changed(function + i, j - i);
    }
    out->nfunction = kept;
    count_kinds(out);
    return true;
}
