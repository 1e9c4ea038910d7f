#include "wpp/wpp.h"

void trod_functions_init(struct trod_functions *out, struct trod_arena *mem)
{
    *out = (struct trod_functions){.mem = mem};
    trod_names_init(&out->name, mem);
}

static bool is_identity(
    const struct trod_functions *all, uint32_t f, const struct trod_identity *i)
{
    const struct trod_identity *known = f < all->nidentity ? &all->identity[f] : NULL;

    if (!known || !known->npath)
        return !i;
    return i && known->name == i->name && known->graph == i->graph &&
           known->cuts == i->cuts && known->npath == i->npath;
}

static uint32_t add(struct trod_functions *all, const char *handle,
    const struct trod_identity *identity)
{
    uint32_t f = trod_names_add(&all->name, handle);

    for (; identity && all->nidentity <= f; all->nidentity++)
        trod_reserve(all->mem, all->identity, all->nidentity, all->room_identity);
    if (identity)
        all->identity[f] = *identity;
    return f;
}

uint32_t trod_functions_add(
    struct trod_functions *all, const char *name, const struct trod_identity *identity)
{
    const char *handle = name;
    char *other;

    for (unsigned n = 2;; n++) {
        uint32_t f = trod_names_find(&all->name, handle);

        if (f == UINT32_MAX)
            return add(all, handle, identity);
        if (is_identity(all, f, identity))
            return f;
        other = trod_format(all->mem, "%s@%u", name, n);
        handle = other;
    }
}

const struct trod_identity *trod_functions_identity(struct trod_functions *all)
{
    uint32_t room = all->room_identity;

    if (all->identity && room < all->name.count) {
        all->identity = trod_arena_grow(
            all->mem, all->identity, room, all->name.count, sizeof *all->identity);
        all->room_identity = all->name.count;
    }
    return all->identity;
}
