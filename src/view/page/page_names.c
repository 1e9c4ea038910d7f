#include "page/kinds.h"

#include <stdlib.h>
#include <string.h>

/* qsort has no context. */
struct named {
    const struct trod_map_entry *entry;
    uint32_t number;
};

static int compare_files(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int by_name(const void *x, const void *y)
{
    const struct named *a = x, *b = y;
    int by = strcmp(a->entry->name, b->entry->name);

    by = by ? by : compare_files(a->entry->file, b->entry->file);
    by = by ? by : !a->entry->nframe - !b->entry->nframe;
    return by ? by : (a->number > b->number) - (a->number < b->number);
}

void trod_page_names(
    struct trod_page_names *out, const struct trod_map *map, struct trod_arena *mem)
{
    struct named *all = trod_new(mem, struct named, map->nentry);

    *out = (struct trod_page_names){
        .map = map, .entry = trod_new(mem, uint32_t, map->nentry)};
    for (uint32_t i = 0; i < map->nentry; i++)
        all[i] = (struct named){&map->entry[i], i};
    if (map->nentry)
        qsort(all, map->nentry, sizeof *all, by_name);
    for (uint32_t i = 0; i < map->nentry; i++)
        out->entry[i] = all[i].number;
}

/* The first whose name is not below. */
static uint32_t lower_bound(const struct trod_page_names *names, const char *function)
{
    uint32_t low = 0, high = names->map->nentry;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;

        if (strcmp(names->map->entry[names->entry[middle]].name, function) < 0)
            low = middle + 1;
        else
            high = middle;
    }
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
