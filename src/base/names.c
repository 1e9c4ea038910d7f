#include "base/base.h"

#include <string.h>

void trod_names_init(struct trod_names *names, struct trod_arena *mem)
{
    *names = (struct trod_names){.mem = mem};
}

static uint64_t hash_of(const char *name)
{
    uint64_t hash = 0;

    for (const char *p = name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * UINT64_C(0x100000001b3);
    return trod_mix(hash, 0);
}

static uint32_t find(const struct trod_names *names, const char *name, uint64_t hash)
{
    return TROD_TABLE_FIND(&names->numbers, hash, i, strcmp(names->name[i], name) == 0);
}

uint32_t trod_names_find(const struct trod_names *names, const char *name)
{
    return find(names, name, hash_of(name));
}

uint32_t trod_names_add(struct trod_names *names, const char *name)
{
    uint64_t hash = hash_of(name);
    uint32_t number = find(names, name, hash);

    if (number != TROD_TABLE_NONE)
        return number;
    number = trod_table_add(&names->numbers, hash, names->mem);
    trod_push(names->mem, names->name, names->count, names->room, name);
    return number;
}
