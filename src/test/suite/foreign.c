#include "suite/suite.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "suite/test_builder.h"

/* --- programs that share functions -------------------------------------------------------- */

/* Union-find of functions, with path halving. */
static uint32_t root_of(struct trod_suite_builder *b, uint32_t f)
{
    while (b->root[f] != f) {
        b->root[f] = b->root[b->root[f]];
        f = b->root[f];
    }
    return f;
}

void trod_suite_join(struct trod_suite_builder *builder, uint32_t f, uint32_t g)
{
    f = root_of(builder, f);
    g = root_of(builder, g);
    /* The older one stays the root. */
    if (f < g)
        builder->root[g] = f;
    else
        builder->root[f] = g;
}

static bool share_functions(struct trod_suite_builder *b, struct trod_err *err)
{
    uint32_t first = UINT32_MAX;

    for (uint32_t t = 0; t < b->name.count; t++) {
        if (b->test[t].anchor == UINT32_MAX)
            continue;
        if (first == UINT32_MAX)
            first = t;
        if (root_of(b, b->test[t].anchor) != root_of(b, b->test[first].anchor))
            return trod_fail(err, TROD_E_MISMATCH,
                "tests %s and %s belong to programs that share no function; remove one of them, or "
                "add --foreign to combine them anyway",
                b->name.name[first], b->name.name[t]);
    }
    return true;
}

/* --- builds of one program ------------------------------------------------------------------ */

static int by_function(const void *x, const void *y)
{
    return trod_suite_compare_functions(x, y);
}

/* The functions of a module, sorted. */
static struct trod_profile_function *sorted(
    const struct trod_profile_module *module, struct trod_arena *mem)
{
    uint32_t n = module->nfunction;
    struct trod_profile_function *f = trod_new(mem, struct trod_profile_function, n);

    if (n) {
        memcpy(f, module->function, n * sizeof *f);
        trod_sort(f, n, by_function);
    }
    return f;
}

/* The number of functions from f on that have its name. */
static uint32_t same_name(const struct trod_profile_function *f, uint32_t n)
{
    uint32_t i = 1;

    while (i < n && f[i].name == f->name)
        i++;
    return i;
}

/* Compares graphs and cuts; which of their paths are counted is ignored. */
static bool are_same(const struct trod_profile_function *f,
    const struct trod_profile_function *g, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (trod_suite_compare_functions(&f[i], &g[i]) != 0)
            return false;
    return true;
}

/* The number of common names with different graphs or cuts. A module may have several functions of
 * one name: copies that were compiled differently.
 */
static uint32_t count_changed(const struct trod_profile_function *f, uint32_t nf,
    const struct trod_profile_function *g, uint32_t ng)
{
    uint32_t n = 0;

    while (nf && ng) {
        uint32_t i = same_name(f, nf), j = same_name(g, ng);

        if (f->name == g->name)
            n += i != j || !are_same(f, g, i);
        if (f->name <= g->name) {
            uint64_t name = f->name;

            f += i;
            nf -= i;
            if (name != g->name)
                continue;
        }
        g += j;
        ng -= j;
    }
    return n;
}

static int by_path(const void *x, const void *y)
{
    const struct trod_suite_module *const *a = x, *const *b = y;
    int by = strcmp((*a)->module.path, (*b)->module.path);

    /* Equal ones stay in the order of addition, which is that of their addresses in one array. */
    return by ? by : (*a > *b) - (*a < *b);
}

static bool are_of_one_build(struct trod_suite_builder *b, struct trod_err *err)
{
    const struct trod_suite_module **module =
        trod_new(b->mem, const struct trod_suite_module *, b->nmodule);
    struct trod_profile_function *first = NULL;
    uint32_t from = 0;

    for (uint32_t i = 0; i < b->nmodule; i++)
        module[i] = &b->module[i];
    trod_sort(module, b->nmodule, by_path);
    for (uint32_t i = 0; i < b->nmodule; i++) {
        const struct trod_profile_module *m = &module[i]->module;
        uint32_t nchanged;

        if (i == 0 || strcmp(module[from]->module.path, m->path) != 0) {
            from = i;
            first = NULL;
            continue;
        }
        if (!first)
            first = sorted(&module[from]->module, b->mem);
        nchanged = count_changed(
            first, module[from]->module.nfunction, sorted(m, b->mem), m->nfunction);
        if (nchanged)
            return trod_fail(err, TROD_E_MISMATCH,
                "%s and %s belong to two builds of '%s', in which %" PRIu32
                " functions differ; run the tests again with one build, or add --foreign to compare "
                "the other functions",
                module[from]->file, module[i]->file, m->path, nchanged);
    }
    return true;
}

bool trod_suite_belong(struct trod_suite_builder *builder, struct trod_err *err)
{
    return are_of_one_build(builder, err) && share_functions(builder, err);
}
