#include "base/base.h"

#include <string.h>

void trod_names_init(struct trod_names *names, struct trod_arena *mem)
{
    *names = (struct trod_names){.mem = mem, .nslot = 64};
    names->slot = trod_new(mem, uint32_t, names->nslot);
}

/* The slot that holds the name, or the empty one where it belongs. */
static uint32_t slot_of(const struct trod_names *names, const char *name)
{
    uint64_t hash = 0;
    uint32_t i;

    for (const char *p = name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    i = (uint32_t)(trod_mix(hash, 0) & (names->nslot - 1));
    while (names->slot[i] && strcmp(names->name[names->slot[i] - 1], name) != 0)
        i = (i + 1) & (names->nslot - 1);
    return i;
}

uint32_t trod_names_find(const struct trod_names *names, const char *name)
{
    return names->slot[slot_of(names, name)] - 1;
}

uint32_t trod_names_add(struct trod_names *names, const char *name)
{
    uint32_t i = slot_of(names, name);

    if (names->slot[i])
        return names->slot[i] - 1;
    if (names->count + 1 > names->nslot / 2) {
        names->nslot *= 2;
        names->slot = trod_new(names->mem, uint32_t, names->nslot);
        for (uint32_t n = 0; n < names->count; n++)
            names->slot[slot_of(names, names->name[n])] = n + 1;
        i = slot_of(names, name);
    }
    trod_reserve(names->mem, names->name, names->count, names->room);
    names->name[names->count] = name;
    names->slot[i] = ++names->count;
    return names->count - 1;
}
