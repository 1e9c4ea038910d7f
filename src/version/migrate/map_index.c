#include "base/order.h"
#include "migrate/migrator.h"

static int by_identity(const void *x, const void *y)
{
    return trod_entries_compare(x, y);
}

void trod_migrate_index(
    struct trod_entries *out, const struct trod_map *map, struct trod_arena *mem)
{
    *out = (struct trod_entries){.type = "index"};
    for (uint32_t i = 0; i < map->nentry; i++) {
        struct trod_entry one = {.function = map->entry[i].name,
            .file = trod_flow_file(&map->entry[i]),
            .part = TROD_NONE,
            .count = i};

        if (trod_flow_stands_for(map, i))
            trod_entries_add(out, &one, mem);
    }
    trod_sort(out->entry, out->nentry, by_identity);
}
