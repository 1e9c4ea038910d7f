#include "pathset/pathset.h"
#include "base/order.h"

#include <stdlib.h>

int trod_function_compare(
    const struct trod_profile_function *a, const struct trod_profile_function *b)
{
    int by = trod_compare(a->name, b->name);

    by = by ? by : trod_compare(a->graph, b->graph);
    by = by ? by : trod_compare(a->cuts, b->cuts);
    return by ? by : trod_compare(a->npath, b->npath);
}

TROD_ORDER(by_function, struct trod_ran_function,
    trod_function_compare(&a->function, &b->function))

const struct trod_ran_function *trod_ran_find(
    const struct trod_ran *ran, const struct trod_profile_function *function)
{
    struct trod_ran_function key = {.function = *function};

    return ran->nfunction
               ? bsearch(&key, ran->function, ran->nfunction, sizeof key, by_function)
               : NULL;
}

/* --- functions without duplicates --------------------------------------------------------- */

static bool same_mode(struct trod_ran *ran, const struct trod_profile *const *profile,
    uint32_t nprofile, struct trod_err *err)
{
    const struct trod_profile_module *first = NULL;

    for (uint32_t i = 0; i < nprofile; i++)
        for (uint32_t m = 0; m < profile[i]->nmodule; m++) {
            const struct trod_profile_module *module = &profile[i]->module[m];

            first = first ? first : module;
            ran->mode = first->mode;
            if (module->mode != first->mode)
                return trod_fail(err, TROD_E_MISMATCH,
                    "paths of '%s' are counted in mode %s, those of '%s' in mode %s; only profiles of "
                    "the same mode can be combined",
                    first->path, trod_profile_mode_name(first->mode), module->path,
                    trod_profile_mode_name(module->mode));
        }
    return true;
}

static struct trod_ran_function *list_functions(size_t *count,
    const struct trod_profile *const *profile, uint32_t nprofile,
    struct trod_arena *mem)
{
    struct trod_ran_function *function;
    size_t n = 0, kept = 0;

    for (uint32_t i = 0; i < nprofile; i++)
        for (uint32_t m = 0; m < profile[i]->nmodule; m++)
            n += profile[i]->module[m].nfunction;
    function = trod_new(mem, struct trod_ran_function, n);
    n = 0;
    for (uint32_t i = 0; i < nprofile; i++)
        for (uint32_t m = 0; m < profile[i]->nmodule; m++)
            for (uint32_t f = 0; f < profile[i]->module[m].nfunction; f++)
                if (!trod_profile_is_events(&profile[i]->module[m].function[f]))
                    function[n++].function = profile[i]->module[m].function[f];
    trod_sort(function, n, by_function);
    for (size_t i = 0; i < n; i++)
        if (!kept || by_function(&function[kept - 1], &function[i]) != 0)
            function[kept++] = function[i];
    *count = kept;
    return function;
}

/* --- sums of paths -------------------------------------------------------------------------- */

struct event {
    size_t function;
    uint64_t id, group, count;
};

TROD_ORDER(by_path, struct event, TROD_UP(function), TROD_UP(id), TROD_UP(group))

static size_t count_events(const struct trod_profile *const *profile, uint32_t nprofile)
{
    size_t n = 0;

    for (uint32_t i = 0; i < nprofile; i++)
        for (size_t t = 0; t < profile[i]->ntally; t++)
            n += trod_profile_npath(profile[i], &profile[i]->tally[t]);
    return n;
}

static size_t list_events(struct event *event, size_t n, const struct trod_ran *ran,
    const struct trod_profile *profile)
{
    for (size_t t = 0; t < profile->ntally; t++) {
        const struct trod_profile_tally *tally = &profile->tally[t];
        const struct trod_ran_function *f = trod_ran_find(
            ran, &profile->module[tally->module].function[tally->function]);
        size_t npath = trod_profile_npath(profile, tally);

        assert(f || !npath);
        for (size_t k = 0; k < npath; k++)
            event[n++] = (struct event){.function = (size_t)(f - ran->function),
                .id = tally->path[k].id,
                .group = ran->nrun + tally->group,
                .count = tally->path[k].count};
    }
    return n;
}

/* Events of one path in one run count as one run, even if they are in several modules. */
static size_t add_up(struct trod_ran_path *out, const struct event *event, size_t n)
{
    *out = (struct trod_ran_path){.id = event->id};
    for (size_t i = 0; i < n; i++) {
        if (event[i].function != event->function || event[i].id != event->id)
            return i;
        out->count = trod_sat_add(out->count, event[i].count);
        out->nrun += i == 0 || event[i].group != event[i - 1].group;
    }
    return n;
}

bool trod_ran_build(struct trod_ran *out, const struct trod_profile *const *profile,
    uint32_t nprofile, struct trod_arena *mem, struct trod_err *err)
{
    size_t nevent = count_events(profile, nprofile), n = 0;
    struct trod_ran_path *path = trod_new(mem, struct trod_ran_path, nevent);
    struct trod_ran_function *function;
    struct trod_mark mark;
    struct event *event;

    *out = (struct trod_ran){.mode = TROD_MODE_SOURCE};
    if (!same_mode(out, profile, nprofile, err))
        return false;
    function = list_functions(&out->nfunction, profile, nprofile, mem);
    out->function = function;
    mark = trod_arena_mark(mem);
    event = trod_new(mem, struct event, nevent);
    for (uint32_t i = 0; i < nprofile; i++) {
        n = list_events(event, n, out, profile[i]);
        out->nrun += profile[i]->ngroup;
        out->part |= !trod_profile_is_whole(profile[i]);
        out->nweeded = trod_sat_add(out->nweeded, trod_profile_nweeded(profile[i]));
    }
    trod_sort(event, n, by_path);
    for (size_t i = 0, used; i < n; i += used, path++) {
        struct trod_ran_function *f = &function[event[i].function];

        used = add_up(path, event + i, n - i);
        f->path = f->npath ? f->path : path;
        f->npath++;
    }
    trod_arena_rewind(mem, mark);
    return true;
}
