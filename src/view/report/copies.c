#include "report/report.h"
#include "base/order.h"

#include <stdlib.h>
#include <string.h>

/* Units that include a header each have a copy of its static functions, with the same name. */

/* 0: declared at the same place of the same source file */
static int by_place(const struct trod_map_entry *a, const struct trod_map_entry *b)
{
    int by = strcmp(a->file ? a->file : a->unit, b->file ? b->file : b->unit);

    return by ? by : trod_compare(a->declared, b->declared);
}

/* 0: same source and same code, so equal ids denote the same path */
static int by_code(const void *x, const void *y)
{
    const struct trod_map_entry *a = *(const struct trod_map_entry *const *)x;
    const struct trod_map_entry *b = *(const struct trod_map_entry *const *)y;
    int by = strcmp(a->name, b->name);

    by = by ? by : by_place(a, b);
    by = by ? by : trod_compare(a->graph_hash, b->graph_hash);
    by = by ? by : trod_compare(a->cuts_hash, b->cuts_hash);
    by = by ? by : trod_compare(a->meaning, b->meaning);
    by = by ? by : trod_compare(a->chain.nchain, b->chain.nchain);
    by = by ? by : trod_compare(a->nframe != 0, b->nframe != 0);
    return by;
}

static int by_code_and_order(const void *x, const void *y)
{
    const struct trod_map_entry *const *a = x, *const *b = y;
    int by = by_code(x, y);

    return by ? by : trod_compare((uintptr_t)*a, (uintptr_t)*b);
}

const struct trod_map_entry **trod_map_copies(
    const struct trod_map *map, struct trod_arena *mem)
{
    const struct trod_map_entry **first =
        trod_new(mem, const struct trod_map_entry *, map->nentry);
    struct trod_mark mark = trod_arena_mark(mem);
    const struct trod_map_entry **all =
        trod_new(mem, const struct trod_map_entry *, map->nentry);
    uint32_t n = 0;
    bool some = false;

    for (uint32_t i = 0; i < map->nentry; i++) {
        first[i] = &map->entry[i];
        if (map->entry[i].file && map->entry[i].declared &&
            map->entry[i].numbering.dag && !map->entry[i].nframe)
            all[n++] = &map->entry[i];
    }
    trod_sort(all, n, by_code_and_order);
    for (uint32_t i = 1, of = 0; i < n; i++) {
        if (by_code(&all[of], &all[i]) != 0)
            of = i;
        first[all[i] - map->entry] = all[of];
        some |= of != i;
    }
    trod_arena_rewind(mem, mark);
    return some ? first : NULL;
}

/* --- names that stand for several functions ----------------------------------------------------- */

struct named {
    const struct trod_map_entry *entry;
    size_t index;
};

TROD_ORDER(by_name, struct named, TROD_ALPHABETIC(entry->display_name),
    by_place(a->entry, b->entry), TROD_ALPHABETIC(entry->unit))

/* Functions with the same name, sorted by place and unit. Mark what distinguishes them. */
static void mark(enum trod_row_place *out, const struct named *named, size_t n)
{
    bool places = by_place(named[0].entry, named[n - 1].entry) != 0;

    for (size_t i = 0, j; i < n; i = j) {
        bool units = false;

        for (j = i + 1; j < n && by_place(named[i].entry, named[j].entry) == 0; j++)
            units |= strcmp(named[i].entry->unit, named[j].entry->unit) != 0;
        for (size_t k = i; k < j; k++)
            out[named[k].index] = units    ? TROD_ROW_UNIT
                                  : places ? TROD_ROW_FILE
                                           : TROD_ROW_NAME;
    }
}

const enum trod_row_place *trod_row_places(
    const struct trod_map_entry *const *entry, size_t nentry, struct trod_arena *mem)
{
    enum trod_row_place *out = trod_new(mem, enum trod_row_place, nentry);
    struct trod_mark before = trod_arena_mark(mem);
    struct named *named = trod_new(mem, struct named, nentry);
    size_t n = 0;

    for (size_t i = 0; i < nentry; i++)
        if (entry[i])
            named[n++] = (struct named){entry[i], i};
    trod_sort(named, n, by_name);
    for (size_t i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && strcmp(named[i].entry->display_name,
                                     named[j].entry->display_name) == 0;
            j++)
            ;
        mark(out, named + i, j - i);
    }
    trod_arena_rewind(mem, before);
    return out;
}

/* Quoted only if it would be ambiguous otherwise. */
static void put_file(struct trod_sink *sink, const char *file)
{
    if (strncmp(file, "./", 2) == 0 && file[2])
        file += 2;
    if (*file && !trod_has_controls(file) && !strpbrk(file, " \"(),"))
        trod_put(sink, "%s", file);
    else
        trod_put_name(sink, file);
}

void trod_row_put_place(struct trod_sink *sink, const struct trod_map_entry *entry,
    enum trod_row_place place)
{
    const char *file;

    if (!entry || place == TROD_ROW_NAME)
        return;
    file = entry->file ? entry->file : entry->unit;
    trod_put(sink, " (");
    put_file(sink, file);
    if (entry->declared)
        trod_put(sink, ":%u", entry->declared);
    if (place == TROD_ROW_UNIT && strcmp(file, entry->unit) != 0) {
        trod_put(sink, ", in ");
        put_file(sink, entry->unit);
    }
    trod_put(sink, ")");
}
