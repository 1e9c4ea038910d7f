#include "pathset/pathset.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
    struct trod_untested *out;
    const struct trod_list *tested;
    const struct trod_ran *field;
    const struct trod_map *map;
    struct trod_arena *mem;
    size_t room, room_skipped;
};

static const char *hashed_name(uint64_t hash, struct trod_arena *mem)
{
    return trod_format(mem, "?%016" PRIx64, hash);
}

/* The functions of this name in the list. */
static const struct trod_list_function *find_name(
    const struct trod_list *list, uint64_t name)
{
    size_t low = TROD_LOWER_BOUND(
        middle, 0, list->nfunction, list->by_function[middle]->function.name < name);

    return low < list->nfunction && list->by_function[low]->function.name == name
               ? list->by_function[low]
               : NULL;
}

static void skip(struct comparison *c, const char *name)
{
    trod_push(c->mem, c->out->skipped, c->out->nskipped, c->room_skipped, name);
}

/* --- one function -------------------------------------------------------------------------------- */

/* The number of edges of the graph that production took and no test did. *any: some DAG edge on
 * production's paths is new.
 */
static uint64_t count_new_edges(bool *any, struct trod_explainer *x,
    const struct trod_chain *chain, const struct trod_ran_function *f)
{
    const struct trod_dag *dag = x->ballarus->dag;
    uint64_t *seen = trod_new(x->mem, uint64_t, TROD_WORDS(dag->shape.nedge));
    uint64_t nnew = 0;

    *any = false;
    for (size_t i = 0; i < f->npath; i++) {
        trod_path last;
        uint32_t n = trod_chain_last(&last, chain, f->path[i].id)
                         ? trod_number_decode(x->step, x->ballarus, last)
                         : 0;

        for (uint32_t k = 0; k < n; k++) {
            trod_edge e = x->step[k];

            if (trod_has(x->tested, e) || trod_has(seen, e))
                continue;
            trod_add(seen, e);
            *any = true;
            nnew += dag->origin_of_edge[e] != TROD_NONE;
        }
    }
    return nnew;
}

/* Why a chain is untested: its last path is new, or only the sequence is. */
static struct trod_explained why_of(
    struct trod_explainer *x, const struct trod_chain_tested *tested, trod_path id)
{
    struct trod_explained out = {.why = TROD_WHY_UNKNOWN};
    trod_path last;

    out.nrow = trod_chain_fresh(tested, id);
    if (out.nrow > 1 && tested->nlast)
        out.why = TROD_WHY_ROW;
    else if (trod_chain_last(&last, tested->chain, id))
        out.why = trod_explain_why(x, last);
    return out;
}

/* needs:  the paths of the function, which were added last */
static void classify(struct comparison *c, const struct trod_ran_function *f,
    const struct trod_list_function *tested, size_t nuntested)
{
    struct trod_untested *out = c->out;
    struct trod_untested_path *path = out->path + out->npath - nuntested;
    struct trod_mark mark = trod_arena_mark(c->mem);
    const struct trod_chain *chain = &path->entry->chain;
    struct trod_chain_tested in_row;
    struct trod_explainer x;
    bool any;

    trod_chain_tested_init(
        &in_row, chain, tested ? tested->id : NULL, tested ? tested->count : 0, c->mem);
    trod_explainer_init(&x, &path->entry->numbering, in_row.last, in_row.nlast, c->mem);
    for (size_t i = 0; i < nuntested; i++)
        path[i].explained = why_of(&x, &in_row, path[i].id);
    out->nedge += count_new_edges(&any, &x, chain, f);
    out->nfunction_edge += any;
    out->npath_mapped += nuntested;
    out->npath_hidden += any ? 0 : nuntested;
    trod_arena_rewind(c->mem, mark);
}

/* A function built this way records only paths that were untested when it was built. */
static bool looks_for_others(enum trod_format_counted counted)
{
    return counted == TROD_COUNTED_UNTESTED || counted == TROD_COUNTED_REST;
}

static void add_paths(struct comparison *c, size_t function,
    const struct trod_list_function *tested, const char *name,
    const struct trod_map_entry *entry)
{
    const struct trod_ran_function *f = &c->field->function[function];
    struct trod_untested *out = c->out;
    size_t first = out->npath;

    for (size_t i = 0; i < f->npath; i++) {
        const struct trod_ran_path *p = &f->path[i];

        out->count_field = trod_sat_add(out->count_field, p->count);
        if (tested && trod_list_has(tested, p->id)) {
            if (looks_for_others(f->function.counted))
                out->nweeded = trod_sat_add(out->nweeded, p->count);
            continue;
        }
        trod_push(c->mem, out->path, out->npath, c->room,
            (struct trod_untested_path){.function = function,
                .entry = entry,
                .name = name,
                .id = p->id,
                .nrun = p->nrun,
                .count = p->count,
                .explained = {.why = tested ? TROD_WHY_UNKNOWN : TROD_WHY_ENTERED}});
        out->count = trod_sat_add(out->count, p->count);
    }
    out->nfield += f->npath;
    out->ntested += tested ? tested->count : 0;
    out->nfunction += out->npath > first;
    out->nentered += out->npath > first && !tested;
    if (entry && out->npath > first)
        classify(c, f, tested, out->npath - first);
    for (size_t i = first; i < out->npath; i++)
        out->npath_of_why[out->path[i].explained.why]++;
}

static void compare_function(
    struct comparison *c, size_t function, const struct trod_untested_options *options)
{
    const struct trod_ran_function *f = &c->field->function[function];
    const struct trod_map_entry *entry = trod_map_find(c->map, &f->function);
    const struct trod_list_function *tested = trod_list_find(c->tested, &f->function);
    const struct trod_list_function *named = find_name(c->tested, f->function.name);
    const char *name = trod_map_name(c->map, f->function.name);

    if (!f->npath)
        return;
    if (!name && named && strcmp(named->name, "?") != 0)
        name = named->name;
    if (!name)
        name = hashed_name(f->function.name, c->mem);
    if ((options->wants && !options->wants(name, options->ctx)) ||
        (entry && entry->shown != TROD_SHOWN))
        return;
    if (!tested && named &&
        !trod_known_has(options->known, options->nknown, &f->function))
        skip(c, name);
    else
        add_paths(
            c, function, tested, name, entry && entry->numbering.dag ? entry : NULL);
}

/* --- order and explanations ------------------------------------------------------------------------- */

TROD_ORDER(by_rank, struct trod_untested_path, TROD_DOWN(nrun), TROD_DOWN(count),
    TROD_ALPHABETIC(name), TROD_UP(function), TROD_UP(id))

static int by_place(const void *x, const void *y)
{
    const struct trod_untested_path *const *a = x, *const *b = y;
    int by = trod_compare((*a)->function, (*b)->function);

    return by ? by : trod_compare((*a)->id, (*b)->id);
}

static bool explains_edges(enum trod_why why)
{
    return why == TROD_WHY_EDGES || why == TROD_WHY_APART;
}

/* Explain the paths of one function together, so that its tested paths are processed once. */
static void explain_some(
    struct comparison *c, struct trod_untested_path **path, size_t n)
{
    const struct trod_map_entry *entry = path[0]->entry;
    struct trod_chain_tested in_row;
    trod_path last;
    const struct trod_list_function *tested =
        trod_list_find(c->tested, &c->field->function[path[0]->function].function);
    trod_edge **room = trod_new(c->mem, trod_edge *, n);
    struct trod_explainer x;
    struct trod_mark mark;

    if (!entry || !tested)
        return;
    for (size_t i = 0; i < n; i++)
        if (trod_chain_last(&last, &entry->chain, path[i]->id))
            room[i] = trod_new(c->mem, trod_edge,
                trod_number_decode(c->map->step, &entry->numbering, last));
    mark = trod_arena_mark(c->mem);
    trod_chain_tested_init(&in_row, &entry->chain, tested->id, tested->count, c->mem);
    trod_explainer_init(&x, &entry->numbering, in_row.last, in_row.nlast, c->mem);
    for (size_t i = 0; i < n; i++)
        if (explains_edges(path[i]->explained.why) &&
            trod_chain_last(&last, &entry->chain, path[i]->id))
            trod_explain(&path[i]->explained, &x, last, room[i]);
    trod_arena_rewind(c->mem, mark);
}

static void explain_listed(struct comparison *c)
{
    size_t n = c->out->nlisted;
    struct trod_untested_path **path = trod_new(c->mem, struct trod_untested_path *, n);

    for (size_t i = 0; i < n; i++)
        path[i] = &c->out->path[i];
    trod_sort(path, n, by_place);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && path[j]->function == path[i]->function;)
            j++;
        explain_some(c, path + i, j - i);
    }
}

void trod_untested_build(struct trod_untested *out, const struct trod_list *tested,
    const struct trod_ran *field, const struct trod_map *map,
    const struct trod_untested_options *options, struct trod_arena *mem)
{
    struct comparison c = {
        .out = out, .tested = tested, .field = field, .map = map, .mem = mem};

    *out = (struct trod_untested){.part = field->part, .nweeded = field->nweeded};
    for (size_t i = 0; i < field->nfunction; i++)
        compare_function(&c, i, options);
    trod_sort(out->path, out->npath, by_rank);
    out->nlisted =
        options->most && options->most < out->npath ? options->most : out->npath;
    explain_listed(&c);
}

void trod_untested_list(struct trod_list *out, const struct trod_untested *untested,
    const struct trod_ran *field, struct trod_arena *mem)
{
    struct trod_list_function *function =
        trod_new(mem, struct trod_list_function, untested->npath);

    for (size_t i = 0; i < untested->npath; i++) {
        const struct trod_untested_path *p = &untested->path[i];

        function[i] =
            (struct trod_list_function){.name = p->name[0] == '?' ? "?" : p->name,
                .function = field->function[p->function].function,
                .count = 1,
                .id = &p->id};
    }
    trod_list_build(out, field->mode, function, untested->npath, mem);
}
