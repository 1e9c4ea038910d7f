#include "super/super.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* Supergraphs in the map of a binary, and segments derived from a profile of their paths. Units are those of the map, and
 * compared as pointers: a program and its library may have units of one name.
 */

struct reader {
    const struct trod_map *map;
    struct trod_arena *mem;
    struct trod_err *err;
    const char *unit;             /* of the functions below */
    struct trod_super_unit super; /* of that unit */
    uint32_t *function_of_entry;  /* [map->nentry], for entries of the unit */
    const struct trod_map_entry **entry_of_function;
    struct trod_super_counter counter;
    struct trod_names known;         /* functions of all units, with their aliases */
    struct trod_functions functions; /* of all units */
    struct gathered {
        struct trod_segment *segment;
        size_t count, room;
    } whole, cut;
};

/* --- one unit ------------------------------------------------------------------------------- */

static bool is_of_unit(const struct reader *r, uint32_t i)
{
    const struct trod_map_entry *entry = &r->map->entry[i];

    return !entry->nframe && entry->numbering.dag && entry->unit == r->unit;
}

static bool open_unit(struct reader *r, const char *unit, uint64_t depth)
{
    struct trod_super_function *function =
        trod_new(r->mem, struct trod_super_function, r->map->nentry);
    uint32_t n = 0;

    r->unit = unit;
    for (uint32_t i = 0; i < r->map->nentry; i++) {
        const struct trod_map_entry *entry = &r->map->entry[i];

        if (!is_of_unit(r, i))
            continue;
        r->function_of_entry[i] = n;
        r->entry_of_function[n] = entry;
        function[n++] = (struct trod_super_function){
            .name = entry->name, .ballarus = &entry->numbering, .calls = entry->calls};
    }
    if (!trod_super_unit_build(&r->super, function, n, r->mem, r->err))
        return false;
    trod_super_count_init(&r->counter, &r->super, depth, &r->known, r->mem);
    return true;
}

static bool read_super(
    struct trod_super *out, const struct reader *r, const struct trod_map_entry *entry)
{
    struct trod_super_frame *frame =
        trod_new(r->mem, struct trod_super_frame, entry->nframe);
    struct trod_super_tree *tree = trod_new(r->mem, struct trod_super_tree, 1);

    for (uint32_t f = 0; f < entry->nframe; f++) {
        const struct trod_map_frame *from = &entry->frame[f];

        frame[f] = (struct trod_super_frame){.parent = from->parent,
            .node = from->node,
            .function = r->function_of_entry[from->of_entry],
            .depth = f ? frame[from->parent].depth + 1 : 0,
            .guarded = from->guarded};
    }
    *tree = (struct trod_super_tree){entry->nframe, frame};
    return trod_super_adopt(
        out, &r->super, tree, entry->numbering.dag->graph, r->mem, r->err);
}

static bool count_function(struct reader *r, const struct trod_map_entry *entry,
    const struct trod_ran_function *ran)
{
    struct trod_super super;

    if (!read_super(&super, r, entry))
        return false;
    for (size_t i = 0; i < ran->npath; i++) {
        struct trod_super_row row;

        if (ran->path[i].id >= entry->numbering.npath)
            continue;
        trod_super_row_decode(&row, &super, &entry->numbering, ran->path[i].id, r->mem);
        trod_super_count_own(&r->counter, &super, &row, ran->path[i].count);
    }
    return true;
}

static void fill_known(struct reader *r)
{
    trod_names_init(&r->known, r->mem);
    for (uint32_t i = 0; i < r->map->nentry; i++) {
        const struct trod_map_entry *entry = &r->map->entry[i];

        trod_names_add(&r->known, entry->name);
        for (uint32_t k = 0; k < entry->nalias; k++)
            trod_names_add(&r->known, entry->alias[k]);
    }
}

/* --- all units -------------------------------------------------------------------------------- */

/* The number, among the functions of all units, of a function of this unit. */
static uint32_t function_of(struct reader *r, uint32_t function)
{
    const struct trod_map_entry *entry = r->entry_of_function[function];

    return trod_functions_add(&r->functions, entry->name,
        &(struct trod_identity){entry->name_hash, entry->graph_hash, entry->cuts_hash,
            entry->numbering.npath});
}

static void append(
    struct gathered *to, struct reader *r, const struct trod_segments *from)
{
    for (size_t i = 0; i < from->nsegment; i++) {
        struct trod_segment segment = from->segment[i];
        struct trod_step *step = trod_new(r->mem, struct trod_step, segment.nstep);

        for (size_t k = 0; k < segment.nstep; k++) {
            step[k] = segment.step[k];
            if (step[k].kind == TROD_STEP_SUBPATH)
                step[k].function = function_of(r, step[k].function);
        }
        segment.step = step;
        trod_push(r->mem, to->segment, to->count, to->room, segment);
    }
}

static void close_unit(struct reader *r)
{
    struct trod_segments whole, cut;

    trod_super_count_finish(&whole, &cut, &r->counter, "unit");
    append(&r->whole, r, &whole);
    append(&r->cut, r, &cut);
}

static bool read_unit(
    struct reader *r, const struct trod_ran *ran, const char *unit, uint64_t depth)
{
    if (!open_unit(r, unit, depth))
        return false;
    for (size_t i = 0; i < ran->nfunction; i++) {
        const struct trod_map_entry *entry =
            trod_map_find(r->map, &ran->function[i].function);

        if (entry && entry->nframe && entry->unit == unit &&
            !count_function(r, entry, &ran->function[i]))
            return false;
    }
    close_unit(r);
    return true;
}

/* Most frequent first, then by steps, which makes the order unique. */
static int by_count(const void *a, const void *b)
{
    const struct trod_segment *x = a, *y = b;
    size_t n = x->nstep < y->nstep ? x->nstep : y->nstep;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    for (size_t i = 0; i < n; i++) {
        const struct trod_step *s = &x->step[i], *t = &y->step[i];

        if (s->kind != t->kind)
            return s->kind < t->kind ? -1 : 1;
        if (s->function != t->function)
            return s->function < t->function ? -1 : 1;
        if (s->id != t->id)
            return s->id < t->id ? -1 : 1;
    }
    return (x->nstep > y->nstep) - (x->nstep < y->nstep);
}

static void finish(struct trod_segments *out, struct reader *r, struct gathered *of,
    uint64_t depth, const char *name)
{
    trod_sort(of->segment, of->count, by_count);
    *out = (struct trod_segments){.name = name,
        .depth = depth,
        .function = r->functions.name,
        .identity = trod_functions_identity(&r->functions),
        .nsegment = of->count,
        .segment = of->segment};
}

bool trod_super_segments(struct trod_segments *whole, struct trod_segments *cut_short,
    const struct trod_ran *ran, const struct trod_map *map, uint64_t depth,
    const char *name, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.map = map, .mem = mem, .err = err};
    const char *last = NULL;

    r.function_of_entry = trod_new(mem, uint32_t, map->nentry);
    r.entry_of_function = trod_new(mem, const struct trod_map_entry *, map->nentry);
    trod_functions_init(&r.functions, mem);
    fill_known(&r);
    for (uint32_t i = 0; i < map->nentry; i++) {
        const char *unit = map->entry[i].unit;

        if (map->entry[i].nframe && last != unit && !read_unit(&r, ran, unit, depth))
            return false;
        if (map->entry[i].nframe)
            last = unit;
    }
    finish(whole, &r, &r.whole, depth, name);
    finish(cut_short, &r, &r.cut, depth, name);
    return true;
}
