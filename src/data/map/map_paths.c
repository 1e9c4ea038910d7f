#include "map/map.h"

#include <string.h>

/* File names as users expect them. A unit that was compiled in a separate folder has names such as
 * ../../src/a.c, and other units name the same file differently.
 */

static bool goes_up(const char *name)
{
    while (name) {
        const char *slash = strchr(name, '/');

        if (name[0] == '.' && name[1] == '.' && (name[2] == '/' || !name[2]))
            return true;
        name = slash ? slash + 1 : NULL;
    }
    return false;
}

/* Look up a unit by name. Functions are in the order of their units, so the search starts at the
 * last result. Names are shared: pointers are compared. */
static uint32_t unit_of(const struct trod_map *map, const char *unit, uint32_t at)
{
    for (uint32_t i = 0; i < map->nunit; i++) {
        if (map->unit[at].file == unit)
            return at;
        at = at + 1 < map->nunit ? at + 1 : 0;
    }
    return TROD_NONE;
}

/* Visits the names of all files of all functions; the callback may replace them. */
struct visit {
    void (*name)(struct visit *visit, uint32_t unit, const char **name);
    const struct trod_map *map;
    struct trod_arena *mem;
    bool *is_renamed;   /* [nunit] */
    const char *common; /* folder common to all; NULL: no file seen yet */
    const char *from, *to;
    uint32_t last_unit;
};

static void visit_decisions(
    struct visit *v, uint32_t unit, struct trod_map_entry *entry)
{
    struct trod_map_decision *copy = NULL;

    for (uint32_t i = 0; i < entry->ndecision; i++) {
        if (!entry->decision[i].file)
            continue;
        if (!copy) {
            copy = trod_new(v->mem, struct trod_map_decision, entry->ndecision);
            memcpy(copy, entry->decision, entry->ndecision * sizeof *copy);
        }
        v->name(v, unit, &copy[i].file);
    }
    if (copy)
        entry->decision = copy;
}

static void visit_entry(struct visit *v, uint32_t unit, struct trod_map_entry *entry)
{
    if (entry->file)
        v->name(v, unit, &entry->file);
    for (uint32_t i = 0; i < entry->nincluded; i++)
        v->name(v, unit, &entry->included[i].file);
    for (uint32_t i = 0; i < entry->nbranch; i++)
        if (entry->branch[i].file)
            v->name(v, unit, &entry->branch[i].file);
    visit_decisions(v, unit, entry);
}

static void visit_all(struct visit *v, struct trod_map *map)
{
    uint32_t unit = 0;

    for (uint32_t i = 0; i < map->nentry; i++) {
        uint32_t found = unit_of(map, map->entry[i].unit, unit);

        if (found == TROD_NONE || !map->unit[found].directory)
            continue;
        unit = found;
        visit_entry(v, unit, &map->entry[i]);
    }
}

/* --- which units ----------------------------------------------------------------------------- */

static void mark(struct visit *v, uint32_t unit, const char **name)
{
    if (!v->is_renamed[unit] && **name != '/')
        v->is_renamed[unit] = goes_up(*name);
}

/* --- the common folder ----------------------------------------------------------------------- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) : 0;
}

static void shorten_common(struct visit *v, const char *path)
{
    size_t n = folder_length(path), same = 0;

    if (!v->common) {
        v->common = trod_copy_text(v->mem, path, n);
        return;
    }
    for (size_t i = 0; i <= n; i++) {
        bool end = !v->common[i];

        if ((end || v->common[i] == '/') && (i == n || path[i] == '/'))
            same = i;
        if (end || v->common[i] != path[i])
            break;
    }
    if (v->common[same])
        v->common = trod_copy_text(v->mem, v->common, same);
}

static void add_common(struct visit *v, uint32_t unit, const char **name)
{
    if (!v->is_renamed[unit] || **name == '/')
        return;
    if (v->from && unit == v->last_unit && strcmp(v->from, *name) == 0)
        return;
    v->from = *name;
    v->last_unit = unit;
    shorten_common(v, trod_only_path(v->map->unit[unit].directory, *name, v->mem));
}

/* --- new names --------------------------------------------------------------------------------- */

static const char *name_below(const struct visit *v, uint32_t unit, const char *name)
{
    const char *path = trod_only_path(v->map->unit[unit].directory, name, v->mem);
    size_t n = strlen(v->common);

    return !n                                                   ? path
           : strncmp(path, v->common, n) == 0 && path[n] == '/' ? path + n + 1
                                                                : path;
}

static void rename_file(struct visit *v, uint32_t unit, const char **name)
{
    if (!v->is_renamed[unit] || **name == '/')
        return;
    if (!v->from || unit != v->last_unit || strcmp(v->from, *name) != 0) {
        v->from = *name;
        v->to = name_below(v, unit, *name);
        v->last_unit = unit;
    }
    *name = v->to;
}

static void rename_units(struct visit *v, struct trod_map *map)
{
    const char **old = trod_new(v->mem, const char *, map->nunit);
    uint32_t at = 0;

    for (uint32_t i = 0; i < map->nunit; i++) {
        old[i] = map->unit[i].file;
        if (v->is_renamed[i])
            map->unit[i].file = trod_copy(v->mem, name_below(v, i, map->unit[i].file));
    }
    for (uint32_t i = 0; i < map->nentry; i++) {
        uint32_t n = 0;

        while (n < map->nunit && old[at] != map->entry[i].unit)
            at = at + 1 < map->nunit ? at + 1 : 0, n++;
        if (n < map->nunit)
            map->entry[i].unit = map->unit[at].file;
    }
    for (uint32_t i = 0; i < map->nskipped; i++)
        for (uint32_t u = 0; u < map->nunit; u++)
            if (old[u] == map->skipped[i].unit) {
                map->skipped[i].unit = map->unit[u].file;
                break;
            }
    for (uint32_t i = 0; i < map->nunit; i++)
        if (v->is_renamed[i])
            map->unit[i].directory = *v->common                       ? v->common
                                     : *map->unit[i].directory == '/' ? "/"
                                                                      : ".";
}

void trod_map_name_files(struct trod_map *map, struct trod_arena *mem)
{
    struct visit v = {.map = map,
        .mem = mem,
        .is_renamed = trod_new(mem, bool, map->nunit),
        .name = mark};
    bool any = false;

    for (uint32_t i = 0; i < map->nunit; i++)
        v.is_renamed[i] = map->unit[i].directory && *map->unit[i].file != '/' &&
                          goes_up(map->unit[i].file);
    visit_all(&v, map);
    v.name = add_common;
    for (uint32_t i = 0; i < map->nunit; i++) {
        any |= v.is_renamed[i];
        if (v.is_renamed[i])
            add_common(&v, i, &map->unit[i].file);
    }
    if (!any)
        return;
    visit_all(&v, map);
    v.name = rename_file;
    v.from = NULL;
    visit_all(&v, map);
    rename_units(&v, map);
}
