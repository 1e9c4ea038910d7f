#include <stdlib.h>

#include "page/path_collector.h"
#include "base/order.h"

TROD_ORDER(by_path, struct collected_path, TROD_UP(entry), TROD_UP(id))

static void add(struct path_collector *g, const struct collected_path *path)
{
    trod_push(g->mem, g->path, g->npath, g->room, *path);
}

static void sort(struct path_collector *g)
{
    trod_sort(g->path, g->npath, by_path);
}

/* Search the first n; NULL if the path is not there. */
static struct collected_path *find(
    const struct path_collector *g, size_t n, uint32_t entry, uint64_t id)
{
    struct collected_path key = {.entry = entry, .id = id};

    return n ? bsearch(&key, g->path, n, sizeof *g->path, by_path) : NULL;
}

bool trod_page_wants(const struct path_collector *g, uint32_t entry)
{
    const struct trod_page_options *o = g->options;

    return g->map->entry[entry].shown != TROD_HIDDEN_FILE &&
           (!o->wants || o->wants(g->map->entry[entry].name, o->ctx));
}

/* --- paths that ran ------------------------------------------------------------------------------------------ */

/* Of a chain, only the last path counts: the paths before it are the last ones of other chains. 0: invalid id. */
static uint64_t count_blocks(
    const struct path_collector *g, uint32_t entry, uint64_t id)
{
    const struct trod_map_entry *e = &g->map->entry[entry];
    trod_path last;

    if (id >= e->chain.nchain || !trod_chain_last(&last, &e->chain, id))
        return 0;
    return trod_number_decode(g->map->step, &e->numbering, last) - 1;
}

static void gather_unknown(
    struct path_collector *g, const struct trod_profile_tally *tally)
{
    size_t npath = trod_profile_npath(g->profile, tally);

    g->nunknown += npath != 0;
    for (size_t i = 0; i < npath; i++)
        g->unknown = trod_sat_add(g->unknown, tally->path[i].count);
}

static void gather_tally(
    struct path_collector *g, const struct trod_profile_tally *tally, uint32_t entry)
{
    size_t npath = trod_profile_npath(g->profile, tally);

    for (size_t i = 0; i < npath; i++) {
        const struct trod_profile_path *p = &tally->path[i];
        uint64_t nblock = count_blocks(g, entry, p->id);
        struct collected_path path = {.entry = entry,
            .id = p->id,
            .count = p->count,
            .weight = trod_sat_mul(p->count, nblock)};

        g->nbad += !nblock;
        g->total = trod_sat_add(g->total, p->count);
        g->weight = trod_sat_add(g->weight, path.weight);
        if (nblock)
            add(g, &path);
    }
}

/* Combine the paths of modules, groups and copies of a function. */
static void sum(struct path_collector *g)
{
    size_t n = 0;

    sort(g);
    for (size_t i = 0; i < g->npath; i++) {
        struct collected_path *last = n ? &g->path[n - 1] : NULL;

        if (!last || by_path(last, &g->path[i]) != 0) {
            g->path[n++] = g->path[i];
            continue;
        }
        last->count = trod_sat_add(last->count, g->path[i].count);
        last->weight = trod_sat_add(last->weight, g->path[i].weight);
    }
    g->npath = n;
}

static const struct trod_map_entry *entry_of(
    const struct path_collector *g, const struct trod_profile_function *function)
{
    const struct trod_map_entry *entry =
        trod_profile_is_events(function) ? NULL : trod_map_find(g->map, function);

    return entry && entry->numbering.dag ? entry : NULL;
}

void trod_page_gather(struct path_collector *g)
{
    const struct trod_profile *profile = g->profile;

    g->function_of_entry =
        trod_new(g->mem, const struct trod_profile_function *, g->map->nentry);
    for (uint32_t m = 0; m < profile->nmodule; m++)
        for (uint32_t f = 0; f < profile->module[m].nfunction; f++) {
            const struct trod_profile_function *of = &profile->module[m].function[f];
            const struct trod_map_entry *entry = entry_of(g, of);

            if (entry)
                g->function_of_entry[entry - g->map->entry] = of;
        }
    for (size_t i = 0; i < profile->ntally; i++) {
        const struct trod_profile_tally *t = &profile->tally[i];
        const struct trod_profile_function *of =
            &profile->module[t->module].function[t->function];
        const struct trod_map_entry *entry = entry_of(g, of);

        if (trod_profile_is_events(of))
            continue;
        if (entry)
            gather_tally(g, t, (uint32_t)(entry - g->map->entry));
        else
            gather_unknown(g, t);
    }
    g->total = trod_sat_add(g->total, g->unknown);
    g->weight = trod_sat_add(g->weight, g->unknown);
    sum(g);
}

/* --- paths of tests --------------------------------------------------------------------------------------------- */

static void flag_untested(struct path_collector *g)
{
    const struct trod_list_function *of = NULL;

    for (size_t i = 0; i < g->npath; i++) {
        struct collected_path *path = &g->path[i];

        if (!i || g->path[i - 1].entry != path->entry)
            of = trod_list_find(g->options->tested, g->function_of_entry[path->entry]);
        if (!of || !trod_list_has(of, path->id))
            path->flags |= TROD_PAGE_UNTESTED;
    }
}

/* --- tests that take a path --------------------------------------------------------------------------------------- */

static void flag_tally(
    struct path_collector *g, uint32_t number, const struct trod_profile_tally *tally)
{
    const struct trod_profile *profile = g->options->test[number].profile;
    const struct trod_profile_function *of =
        &profile->module[tally->module].function[tally->function];
    const struct trod_map_entry *entry = entry_of(g, of);
    size_t npath = trod_profile_npath(profile, tally);

    for (size_t i = 0; entry && i < npath; i++) {
        struct collected_path *path =
            find(g, g->npath, (uint32_t)(entry - g->map->entry), tally->path[i].id);

        if (!path || (path->ntest && path->ntest <= TROD_PAGE_TESTS &&
                         path->test[path->ntest - 1] == number))
            continue;
        if (path->ntest < TROD_PAGE_TESTS)
            path->test[path->ntest] = number;
        path->ntest++;
    }
}

static void flag_tests(struct path_collector *g)
{
    for (uint32_t i = 0; i < g->options->ntest; i++) {
        const struct trod_page_test *test = &g->options->test[i];

        for (size_t k = 0; k < test->profile->ntally; k++)
            if (test->profile->tally[k].group == test->group)
                flag_tally(g, i, &test->profile->tally[k]);
    }
}

/* --- paths of the older profile ---------------------------------------------------------------------------------- */

static void compare_function(struct path_collector *g, size_t nran,
    const struct trod_diff_function *f, const struct trod_map_entry *entry)
{
    uint32_t at = (uint32_t)(entry - g->map->entry);

    for (size_t i = 0; i < f->npath; i++) {
        const struct trod_diff_path *p = &f->path[i];
        struct collected_path *path = find(g, nran, at, p->id);
        struct collected_path gone = {
            .entry = at, .id = p->id, .old = p->a, .flags = TROD_PAGE_GONE};

        if (path && !p->a)
            path->flags |= TROD_PAGE_NEW;
        if (path)
            path->old = p->a;
        else if (count_blocks(g, at, p->id))
            add(g, &gone);
    }
}

/* The ids of changed functions are not comparable. */
static void flag_since(struct path_collector *g)
{
    const struct trod_profile_diff *diff = g->options->since;
    size_t nran = g->npath;

    g->changed = trod_new(g->mem, bool, g->map->nentry);
    g->old_of_entry = trod_new(g->mem, uint64_t, g->map->nentry);
    for (size_t i = 0; i < diff->nfunction; i++) {
        const struct trod_diff_function *f = &diff->function[i];
        const struct trod_map_entry *entry = entry_of(g, &f->function);

        g->old_total = trod_sat_add(g->old_total, f->a);
        if (entry) {
            uint64_t *old = &g->old_of_entry[entry - g->map->entry];

            *old = trod_sat_add(*old, f->a);
            g->changed[entry - g->map->entry] |= f->kind == TROD_DIFF_CHANGED;
        }
        if (f->kind == TROD_DIFF_CHANGED)
            g->nchanged += f->in_b;
        if ((f->kind == TROD_DIFF_CHANGED || !entry) && !f->in_b)
            g->ngone += f->npath;
        if (f->kind != TROD_DIFF_CHANGED && entry)
            compare_function(g, nran, f, entry);
    }
    sort(g);
}

/* --- neighbours --------------------------------------------------------------------------------------------------- */

static bool add_missing(struct path_collector *g, struct trod_err *err)
{
    const struct trod_page_options *o = g->options;
    struct trod_cover_options options = {.wants = o->wants, .ctx = o->ctx};
    size_t nran = g->npath, n;
    struct trod_neighbour *missing;
    struct trod_ran ran;

    if (!trod_ran_build(&ran, &g->profile, 1, g->mem, err))
        return false;
    n = trod_neighbours_build(&missing, &ran, g->map, &options, o->missing, g->mem);
    for (size_t i = 0; i < n; i++) {
        struct collected_path path = {
            .entry = (uint32_t)(missing[i].entry - g->map->entry),
            .id = missing[i].id,
            .flags = TROD_PAGE_NEVER};

        if (g->function_of_entry[path.entry] &&
            trod_profile_is_counted(g->function_of_entry[path.entry], path.id) &&
            !find(g, nran, path.entry, path.id))
            add(g, &path);
    }
    sort(g);
    return true;
}

bool trod_page_flag(struct path_collector *g, struct trod_err *err)
{
    if (g->options->ntest > 1)
        flag_tests(g);
    if (g->options->tested)
        flag_untested(g);
    if (g->options->since)
        flag_since(g);
    return !g->options->missing || add_missing(g, err);
}
