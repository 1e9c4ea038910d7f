#include "profile/profile.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* Modules of machine code list only functions that ran. Modules of one file are merged into one
 * that lists the functions of all.
 */

struct joined {
    const struct trod_profile_module *module;
    uint32_t from; /* its number in the builder */
};

int trod_profile_compare_functions(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    int by = trod_compare(f->name, g->name);

    by = by ? by : trod_compare(f->graph, g->graph);
    by = by ? by : trod_compare(f->cuts, g->cuts);
    by = by ? by : trod_compare(f->npath, g->npath);
    by = by ? by : trod_compare(f->counted, g->counted);
    by = by ? by : trod_compare(f->nchosen, g->nchosen);
    for (size_t i = 0; !by && i < f->nchosen; i++)
        by = trod_compare(f->chosen[i], g->chosen[i]);
    return by;
}

static int by_function(const void *x, const void *y)
{
    return trod_profile_compare_functions(x, y);
}

static int compare_files(
    const struct trod_profile_module *a, const struct trod_profile_module *b)
{
    int by = strcmp(a->build_id, b->build_id);

    return !by && !*a->build_id ? strcmp(a->path, b->path) : by;
}

TROD_ORDER(by_file, struct joined, compare_files(a->module, b->module), TROD_UP(from))

/* All functions of several modules, sorted, without duplicates. */
static struct trod_profile_function *functions_of(
    uint32_t *count, const struct joined *one, uint32_t n, struct trod_arena *mem)
{
    struct trod_profile_function *function;
    uint32_t nall = 0, kept = 0;

    for (uint32_t i = 0; i < n; i++)
        nall += one[i].module->nfunction;
    function = trod_new(mem, struct trod_profile_function, nall);
    nall = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t f = 0; f < one[i].module->nfunction; f++)
            function[nall++] = one[i].module->function[f];
    trod_sort(function, nall, by_function);
    for (uint32_t f = 0; f < nall; f++)
        if (!kept || by_function(&function[kept - 1], &function[f]) != 0)
            function[kept++] = function[f];
    *count = kept;
    return function;
}

static bool are_alike(const struct joined *one, uint32_t n)
{
    for (uint32_t i = 1; i < n; i++) {
        if (one[i].module->nfunction != one[0].module->nfunction)
            return false;
        for (uint32_t f = 0; f < one[i].module->nfunction; f++)
            if (by_function(&one[i].module->function[f], &one[0].module->function[f]) !=
                0)
                return false;
    }
    return true;
}

/* Give tallies of these modules the function numbers of the merged list. */
static void join(struct trod_profile_builder *b, const struct joined *one, uint32_t n,
    uint32_t **number_of_function)
{
    uint32_t nfunction;
    struct trod_profile_function *function = functions_of(&nfunction, one, n, b->mem);

    for (uint32_t i = 0; i < n; i++) {
        struct trod_profile_module *module = &b->module[one[i].from];
        uint32_t *number = trod_new(b->mem, uint32_t, module->nfunction);

        for (uint32_t f = 0; f < module->nfunction; f++) {
            const struct trod_profile_function *at = bsearch(&module->function[f],
                function, nfunction, sizeof *function, by_function);

            number[f] = (uint32_t)(at - function);
        }
        number_of_function[one[i].from] = number;
    }
    for (uint32_t i = 0; i < n; i++) {
        b->module[one[i].from].function = function;
        b->module[one[i].from].nfunction = nfunction;
    }
}

void trod_profile_join(struct trod_profile_builder *b)
{
    struct joined *all = trod_new(b->mem, struct joined, b->nmodule);
    uint32_t **number_of_function = trod_new(b->mem, uint32_t *, b->nmodule);

    if (!b->nmodule || b->module[0].mode != TROD_MODE_MACHINE)
        return;
    for (uint32_t i = 0; i < b->nmodule; i++)
        all[i] = (struct joined){&b->module[i], i};
    trod_sort(all, b->nmodule, by_file);
    for (uint32_t i = 0, end; i < b->nmodule; i = end) {
        for (end = i + 1; end < b->nmodule; end++)
            if (compare_files(all[i].module, all[end].module) != 0)
                break;
        if (!are_alike(all + i, end - i))
            join(b, all + i, end - i, number_of_function);
    }
    for (size_t t = 0; t < b->ntally; t++)
        if (number_of_function[b->tally[t].module])
            b->tally[t].function =
                number_of_function[b->tally[t].module][b->tally[t].function];
}
