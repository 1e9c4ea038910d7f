#include "page/kinds.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* qsort() has no context argument, so elements carry their entry. */
struct named {
    const struct trod_map_entry *entry;
    uint32_t number;
};

static int compare_files(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

TROD_ORDER(by_name, struct named, TROD_ALPHABETIC(entry->name),
    compare_files(a->entry->file, b->entry->file),
    !a->entry->nframe - !b->entry->nframe, TROD_UP(number))

void trod_page_names(
    struct trod_page_names *out, const struct trod_map *map, struct trod_arena *mem)
{
    struct named *all = trod_new(mem, struct named, map->nentry);

    *out = (struct trod_page_names){
        .map = map, .entry = trod_new(mem, uint32_t, map->nentry)};
    for (uint32_t i = 0; i < map->nentry; i++)
        all[i] = (struct named){&map->entry[i], i};
    trod_sort(all, map->nentry, by_name);
    for (uint32_t i = 0; i < map->nentry; i++)
        out->entry[i] = all[i].number;
}

/* The first entry whose name is not less. */
static uint32_t lower_bound(const struct trod_page_names *names, const char *function)
{
    uint32_t low = TROD_LOWER_BOUND(middle, 0, names->map->nentry,
        strcmp(names->map->entry[names->entry[middle]].name, function) < 0);

    return low;
}

uint32_t trod_page_names_find(
    const struct trod_page_names *names, const char *function, const char *file)
{
    uint32_t at = lower_bound(names, function), first = TROD_NONE;

    for (; at < names->map->nentry; at++) {
        const struct trod_map_entry *entry = &names->map->entry[names->entry[at]];

        if (strcmp(entry->name, function) != 0)
            break;
        if (file && ((entry->file && strcmp(entry->file, file) == 0) ||
                        (!entry->file && strcmp(entry->unit, file) == 0)))
            return names->entry[at];
        if (first == TROD_NONE)
            first = names->entry[at];
    }
    return first;
}
