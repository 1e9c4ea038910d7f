#include "pathset/pathset.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

TROD_ORDER(by_name, struct trod_list_function, TROD_ALPHABETIC(name),
    trod_function_compare(&a->function, &b->function))

/* Copies with a name come first, so that the first of equal ones has it. */
static int by_function(const void *x, const void *y)
{
    const struct trod_list_function *const *a = x, *const *b = y;
    int by = trod_function_compare(&(*a)->function, &(*b)->function);

    if (by)
        return by;
    by = (strcmp((*a)->name, "?") == 0) - (strcmp((*b)->name, "?") == 0);
    return by ? by : strcmp((*a)->name, (*b)->name);
}

static const struct trod_list_function **sorted_by_function(
    const struct trod_list_function *function, size_t n, struct trod_arena *mem)
{
    const struct trod_list_function **sorted =
        trod_new(mem, const struct trod_list_function *, n);

    for (size_t i = 0; i < n; i++)
        sorted[i] = &function[i];
    trod_sort(sorted, n, by_function);
    return sorted;
}

/* Merge the ids of several copies of one function. */
static void join(struct trod_list_function *out,
    const struct trod_list_function *const *copy, size_t n, struct trod_arena *mem)
{
    struct trod_pathset all;
    trod_path *id;
    size_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += copy[i]->count;
    id = trod_new(mem, trod_path, count);
    count = 0;
    for (size_t i = 0; i < n; i++) {
        if (copy[i]->count)
            memcpy(id + count, copy[i]->id, copy[i]->count * sizeof *id);
        count += copy[i]->count;
    }
    trod_pathset_build(&all, id, count, mem);
    *out = *copy[0];
    out->id = all.id;
    out->count = all.count;
}

void trod_list_build(struct trod_list *out, enum trod_format_mode mode,
    const struct trod_list_function *function, size_t nfunction, struct trod_arena *mem)
{
    struct trod_list_function *kept =
        trod_new(mem, struct trod_list_function, nfunction);
    const struct trod_list_function **sorted =
        sorted_by_function(function, nfunction, mem);
    size_t n = 0;

    for (size_t i = 0, j; i < nfunction; i = j) {
        for (j = i + 1; j < nfunction; j++)
            if (trod_function_compare(&sorted[i]->function, &sorted[j]->function) != 0)
                break;
        join(&kept[n], sorted + i, j - i, mem);
        n += kept[n].count != 0;
    }
    trod_sort(kept, n, by_name);
    *out = (struct trod_list){
        .mode = n ? mode : TROD_MODE_SOURCE, .nfunction = n, .function = kept};
    out->by_function = sorted_by_function(kept, n, mem);
}

void trod_list_ran(struct trod_list *out, const struct trod_ran *ran,
    const struct trod_map *map, struct trod_arena *mem)
{
    struct trod_list_function *function =
        trod_new(mem, struct trod_list_function, ran->nfunction);

    for (size_t i = 0; i < ran->nfunction; i++) {
        const struct trod_ran_function *from = &ran->function[i];
        const char *name = map ? trod_map_name(map, from->function.name) : NULL;
        trod_path *id = trod_new(mem, trod_path, from->npath);

        for (size_t k = 0; k < from->npath; k++)
            id[k] = from->path[k].id;
        function[i] = (struct trod_list_function){.name = name ? name : "?",
            .function = from->function,
            .count = from->npath,
            .id = id};
    }
    trod_list_build(out, ran->mode, function, ran->nfunction, mem);
}

/* Rows are numbered as they are added, which leads back to their functions. */
void trod_list_report(struct trod_list *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem)
{
    const struct trod_profile_function **function;
    struct trod_list_function *listed;
    struct trod_rows rows;
    struct trod_hot hot;

    trod_profile_hot_joined(&hot, profile, SIZE_MAX, mem);
    function = trod_new(mem, const struct trod_profile_function *, hot.npath);
    trod_rows_init(&rows, map, options, mem);
    for (size_t i = 0; i < hot.npath; i++) {
        const struct trod_hot_path *p = &hot.path[i];

        function[rows.count] = &profile->module[p->module].function[p->function];
        trod_rows_add(&rows, function[rows.count], p->id, p->count, 0);
    }
    trod_rows_finish(&rows);
    listed = trod_new(mem, struct trod_list_function, rows.nlisted);
    for (size_t i = 0; i < rows.nlisted; i++)
        listed[i] = (struct trod_list_function){
            .name = rows.row[i].entry ? rows.row[i].function : "?",
            .function = *function[rows.row[i].order],
            .count = 1,
            .id = &rows.row[i].id};
    trod_list_build(out, profile->nmodule ? profile->module[0].mode : TROD_MODE_SOURCE,
        listed, rows.nlisted, mem);
}

uint64_t trod_list_count(const struct trod_list *list)
{
    uint64_t n = 0;

    for (size_t i = 0; i < list->nfunction; i++)
        n += list->function[i].count;
    return n;
}

const struct trod_list_function *trod_list_find(
    const struct trod_list *list, const struct trod_profile_function *function)
{
    size_t low = 0, high = list->nfunction;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int by = trod_function_compare(&list->by_function[middle]->function, function);

        if (by == 0)
            return list->by_function[middle];
        if (by < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

bool trod_list_has(const struct trod_list_function *function, trod_path id)
{
    return trod_is_among(function->id, function->count, id);
}

/* --- sets ------------------------------------------------------------------------------------ */

static bool same_mode(
    const struct trod_list *a, const struct trod_list *b, struct trod_err *err)
{
    return !a->nfunction || !b->nfunction || a->mode == b->mode ||
           trod_fail(err, TROD_E_MISMATCH,
               "one list is of mode %s, the other of mode %s; only lists of the same mode can be "
               "combined",
               trod_profile_mode_name(a->mode), trod_profile_mode_name(b->mode));
}

/* Paths of a that are in b, or those that are not. */
static void pick(struct trod_list_function *out, const struct trod_list_function *a,
    const struct trod_list_function *b, bool in_b, struct trod_arena *mem)
{
    trod_path *id = trod_new(mem, trod_path, a->count);

    *out = *a;
    out->id = id;
    out->count = 0;
    for (size_t i = 0; i < a->count; i++)
        if ((b && trod_list_has(b, a->id[i])) == in_b)
            id[out->count++] = a->id[i];
}

bool trod_list_combine(struct trod_list *out, enum trod_list_op op,
    const struct trod_list *a, const struct trod_list *b, struct trod_arena *mem,
    struct trod_err *err)
{
    struct trod_list_function *function =
        trod_new(mem, struct trod_list_function, a->nfunction + b->nfunction);
    size_t n = a->nfunction;

    if (!same_mode(a, b, err))
        return false;
    for (size_t i = 0; i < a->nfunction; i++) {
        const struct trod_list_function *f = &a->function[i];

        if (op == TROD_LIST_UNION)
            function[i] = *f;
        else
            pick(&function[i], f, trod_list_find(b, &f->function), op == TROD_LIST_AND,
                mem);
    }
    for (size_t i = 0; op == TROD_LIST_UNION && i < b->nfunction; i++)
        function[n++] = b->function[i];
    trod_list_build(out, a->nfunction ? a->mode : b->mode, function, n, mem);
    return true;
}

void trod_list_choose(struct trod_list *out, const struct trod_list *list,
    bool (*wants)(const char *function, void *ctx), void *ctx, struct trod_arena *mem)
{
    struct trod_list_function *function =
        trod_new(mem, struct trod_list_function, list->nfunction);
    size_t n = 0;

    for (size_t i = 0; i < list->nfunction; i++)
        if (wants(list->function[i].name, ctx))
            function[n++] = list->function[i];
    trod_list_build(out, list->mode, function, n, mem);
}

void trod_list_several(
    struct trod_list *out, const struct trod_list *list, struct trod_arena *mem)
{
    struct trod_list_function *function =
        trod_new(mem, struct trod_list_function, list->nfunction);
    size_t n = 0;

    for (size_t i = 0; i < list->nfunction; i++)
        if (list->function[i].function.npath > 1)
            function[n++] = list->function[i];
    trod_list_build(out, list->mode, function, n, mem);
}

/* --- validator ---------------------------------------------------------------------------------- */

static bool check_function(const struct trod_list_function *f, struct trod_err *err)
{
    if (!f->name || !*f->name || !f->count)
        return trod_fail(
            err, TROD_E_INTERNAL, "a function of a list has no name or no paths");
    for (size_t i = 0; i < f->count; i++)
        if (f->id[i] >= f->function.npath || (i && f->id[i - 1] >= f->id[i]))
            return trod_fail(err, TROD_E_INTERNAL,
                "ids of '%s' in a list are out of order, or out of range", f->name);
    return true;
}

bool trod_list_check(const struct trod_list *list, struct trod_err *err)
{
    if (list->mode != TROD_MODE_SOURCE &&
        (!trod_format_mode_word(list->mode) || !list->nfunction))
        return trod_fail(err, TROD_E_INTERNAL, "the mode of a list is unknown");
    for (size_t i = 0; i < list->nfunction; i++) {
        if (!check_function(&list->function[i], err))
            return false;
        if (i && (by_name(&list->function[i - 1], &list->function[i]) >= 0 ||
                     trod_function_compare(&list->by_function[i - 1]->function,
                         &list->by_function[i]->function) >= 0))
            return trod_fail(
                err, TROD_E_INTERNAL, "functions of a list are not in order");
    }
    return true;
}
