#include "suite/suite.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

#include "suite/test_builder.h"

int trod_suite_compare_functions(
    const struct trod_profile_function *f, const struct trod_profile_function *g)
{
    int by = trod_compare(f->name, g->name);

    by = by ? by : trod_compare(f->graph, g->graph);
    by = by ? by : trod_compare(f->cuts, g->cuts);
    return by ? by : trod_compare(f->npath, g->npath);
}

/* --- tests of paths, and paths of tests ------------------------------------------------------ */

/* Lists of numbers: list i is at[first[i]] up to, but not including, at[first[i + 1]]. */
struct lists {
    size_t *first;
    uint32_t *at;
};

/* Turn the lengths in first[i + 1] into the positions where lists start. */
static void start_lists(struct lists *out, uint32_t count, struct trod_arena *mem)
{
    for (uint32_t i = 0; i < count; i++)
        out->first[i + 1] += out->first[i];
    out->at = trod_new(mem, uint32_t, out->first[count]);
}

/* Invert lists (transpose). The results ascend, whatever the order of the input. */
static void turn(struct lists *out, uint32_t nout, const struct lists *from,
    uint32_t nfrom, struct trod_arena *mem)
{
    size_t *end;

    out->first = trod_new(mem, size_t, (size_t)nout + 1);
    for (size_t i = 0; i < from->first[nfrom]; i++)
        out->first[from->at[i] + 1]++;
    start_lists(out, nout, mem);
    end = trod_new(mem, size_t, nout);
    if (nout)
        memcpy(end, out->first, nout * sizeof *end);
    for (uint32_t i = 0; i < nfrom; i++)
        for (size_t j = from->first[i]; j < from->first[i + 1]; j++)
            out->at[end[from->at[j]]++] = i;
}

/* Remove adjacent duplicates. */
static void drop_twins(struct lists *lists, uint32_t count)
{
    size_t n = 0, begin = 0;

    for (uint32_t i = 0; i < count; i++) {
        size_t end = lists->first[i + 1];

        for (size_t j = begin; j < end; j++)
            if (j == begin || lists->at[j] != lists->at[j - 1])
                lists->at[n++] = lists->at[j];
        begin = end;
        lists->first[i + 1] = n;
    }
}

/* --- functions and paths in order ------------------------------------------------------------ */

struct ranked_function {
    struct trod_profile_function function;
    uint32_t from; /* its number in the builder */
};

TROD_ORDER(by_function, struct ranked_function,
    trod_suite_compare_functions(&a->function, &b->function))

static uint32_t *rank_functions(
    struct trod_suite *out, const struct trod_suite_builder *b, struct trod_arena *mem)
{
    struct ranked_function *all =
        trod_new(b->mem, struct ranked_function, b->nfunction);
    struct trod_profile_function *function =
        trod_new(mem, struct trod_profile_function, b->nfunction);
    uint32_t *rank = trod_new(b->mem, uint32_t, b->nfunction);

    for (uint32_t i = 0; i < b->nfunction; i++)
        all[i] = (struct ranked_function){b->function[i], i};
    trod_sort(all, b->nfunction, by_function);
    for (uint32_t i = 0; i < b->nfunction; i++) {
        function[i] = all[i].function;
        rank[all[i].from] = i;
    }
    out->nfunction = b->nfunction;
    out->function = function;
    return rank;
}

struct ranked_path {
    struct trod_suite_path path;
    uint32_t from;
};

TROD_ORDER(by_path, struct ranked_path, TROD_UP(path.function), TROD_UP(path.id))

static uint32_t *rank_paths(struct trod_suite *out, const struct trod_suite_builder *b,
    const uint32_t *rank_of_function, struct trod_arena *mem)
{
    struct ranked_path *all = trod_new(b->mem, struct ranked_path, b->npath);
    struct trod_suite_path *path = trod_new(mem, struct trod_suite_path, b->npath);
    uint32_t *rank = trod_new(b->mem, uint32_t, b->npath);

    for (uint32_t i = 0; i < b->npath; i++)
        all[i] = (struct ranked_path){
            {rank_of_function[b->path[i].function], b->path[i].id}, i};
    trod_sort(all, b->npath, by_path);
    for (uint32_t i = 0; i < b->npath; i++) {
        path[i] = all[i].path;
        rank[all[i].from] = i;
    }
    out->npath = b->npath;
    out->path = path;
    return rank;
}

/* --- a suite --------------------------------------------------------------------------------- */

/* The paths and functions of tests, by new numbers, unsorted. */
static void list_taken(struct lists *path, struct lists *function,
    const struct trod_suite_builder *b, const uint32_t *rank_of_path,
    const uint32_t *rank_of_function)
{
    uint32_t ntest = b->name.count;
    size_t np = 0, nf = 0;

    path->first = trod_new(b->mem, size_t, (size_t)ntest + 1);
    function->first = trod_new(b->mem, size_t, (size_t)ntest + 1);
    for (uint32_t t = 0; t < ntest; t++) {
        path->first[t + 1] = b->test[t].npath;
        function->first[t + 1] = b->test[t].nfunction;
    }
    start_lists(path, ntest, b->mem);
    start_lists(function, ntest, b->mem);
    for (uint32_t t = 0; t < ntest; t++) {
        for (size_t i = 0; i < b->test[t].npath; i++)
            path->at[np++] = rank_of_path[b->test[t].path[i]];
        for (size_t i = 0; i < b->test[t].nfunction; i++)
            function->at[nf++] = rank_of_function[b->test[t].function[i]];
    }
}

static void put_tests(
    struct trod_suite *out, const struct trod_suite_builder *b, struct trod_arena *mem)
{
    uint32_t ntest = b->name.count;
    struct trod_suite_test *test = trod_new(mem, struct trod_suite_test, ntest);
    uint64_t longest = 0;

    for (uint32_t t = 0; t < ntest; t++) {
        const struct trod_suite_test_builder *a = &b->test[t];
        const char *name = b->name.name[t];

        test[t] = (struct trod_suite_test){.name = trod_copy(mem, name),
            .failed = a->failed,
            .timed = a->nrun && !a->is_untimed,
            .time = a->time,
            .nrun = a->nrun};
        if (test[t].timed && test[t].time > longest)
            longest = test[t].time;
    }
    for (uint32_t t = 0; t < ntest; t++)
        if (!test[t].timed)
            test[t].time = longest;
    out->ntest = ntest;
    out->test = test;
}

static void put_modules(
    struct trod_suite *out, const struct trod_suite_builder *b, struct trod_arena *mem)
{
    struct trod_profile_module *module =
        trod_new(mem, struct trod_profile_module, b->nmodule);

    for (uint32_t i = 0; i < b->nmodule; i++)
        module[i] = trod_suite_copy_module(&b->module[i].module, mem);
    out->nmodule = b->nmodule;
    out->module = module;
}

static void put_lists(struct trod_suite *out, const struct lists *taken,
    const struct lists *entered, struct trod_arena *mem)
{
    struct lists test_of_path, path_of_test, test_of_function;

    turn(&test_of_path, out->npath, taken, out->ntest, mem);
    drop_twins(&test_of_path, out->npath);
    turn(&path_of_test, out->ntest, &test_of_path, out->npath, mem);
    turn(&test_of_function, out->nfunction, entered, out->ntest, mem);
    drop_twins(&test_of_function, out->nfunction);
    out->first_path_of_test = path_of_test.first;
    out->path_of_test = path_of_test.at;
    out->first_test_of_path = test_of_path.first;
    out->test_of_path = test_of_path.at;
    out->first_test_of_function = test_of_function.first;
    out->test_of_function = test_of_function.at;
}

bool trod_suite_build(struct trod_suite *out, struct trod_suite_builder *builder,
    const struct trod_suite_options *options, struct trod_arena *mem,
    struct trod_err *err)
{
    uint32_t *rank_of_function, *rank_of_path;
    struct lists taken, entered;

    *out = (struct trod_suite){0};
    if (!(options && options->foreign) && !trod_suite_belong(builder, err))
        return false;
    put_tests(out, builder, mem);
    put_modules(out, builder, mem);
    rank_of_function = rank_functions(out, builder, mem);
    rank_of_path = rank_paths(out, builder, rank_of_function, mem);
    list_taken(&taken, &entered, builder, rank_of_path, rank_of_function);
    put_lists(out, &taken, &entered, mem);
    return true;
}

/* --- some functions of a suite ----------------------------------------------------------------- */

/* Map numbers to those of selected items, UINT32_MAX for others; returns the number of selected ones. */
static uint32_t renumber(uint32_t *number, const bool *is_wanted, uint32_t count)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < count; i++)
        number[i] = is_wanted[i] ? n++ : UINT32_MAX;
    return n;
}

/* Lists of the selected items, by new numbers. */
static void keep_lists(struct lists *out, uint32_t nout, const size_t *first,
    const uint32_t *at, const uint32_t *number, uint32_t count, struct trod_arena *mem)
{
    out->first = trod_new(mem, size_t, (size_t)nout + 1);
    for (uint32_t i = 0; i < count; i++)
        if (number[i] != UINT32_MAX)
            out->first[number[i] + 1] = first[i + 1] - first[i];
    start_lists(out, nout, mem);
    for (uint32_t i = 0; i < count; i++)
        if (number[i] != UINT32_MAX && first[i + 1] > first[i])
            memcpy(out->at + out->first[number[i]], at + first[i],
                (first[i + 1] - first[i]) * sizeof *at);
}

void trod_suite_choose(struct trod_suite *out, const struct trod_suite *suite,
    const bool *is_wanted, struct trod_arena *mem)
{
    uint32_t *function_number = trod_new(mem, uint32_t, suite->nfunction);
    uint32_t *path_number = trod_new(mem, uint32_t, suite->npath);
    bool *is_wanted_path = trod_new(mem, bool, suite->npath);
    struct trod_profile_function *function;
    struct trod_suite_path *path;
    struct lists taken, back, entered;

    *out = *suite;
    for (uint32_t p = 0; p < suite->npath; p++)
        is_wanted_path[p] = is_wanted[suite->path[p].function];
    out->nfunction = renumber(function_number, is_wanted, suite->nfunction);
    out->npath = renumber(path_number, is_wanted_path, suite->npath);
    function = trod_new(mem, struct trod_profile_function, out->nfunction);
    path = trod_new(mem, struct trod_suite_path, out->npath);
    for (uint32_t f = 0; f < suite->nfunction; f++)
        if (is_wanted[f])
            function[function_number[f]] = suite->function[f];
    for (uint32_t p = 0; p < suite->npath; p++)
        if (is_wanted_path[p])
            path[path_number[p]] = (struct trod_suite_path){
                function_number[suite->path[p].function], suite->path[p].id};
    out->function = function;
    out->path = path;
    keep_lists(&taken, out->npath, suite->first_test_of_path, suite->test_of_path,
        path_number, suite->npath, mem);
    keep_lists(&entered, out->nfunction, suite->first_test_of_function,
        suite->test_of_function, function_number, suite->nfunction, mem);
    turn(&back, out->ntest, &taken, out->npath, mem);
    out->first_path_of_test = back.first;
    out->path_of_test = back.at;
    out->first_test_of_path = taken.first;
    out->test_of_path = taken.at;
    out->first_test_of_function = entered.first;
    out->test_of_function = entered.at;
}
