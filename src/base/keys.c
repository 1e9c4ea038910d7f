#include "base/table.h"

#include "base/base.h"

enum { FIRST_SLOTS = 16 };

static struct trod_key *slot_of(const struct trod_keys *keys, uint64_t key)
{
    size_t i = trod_mix(0, key) & (keys->nslot - 1);

    while (keys->slot[i].key && keys->slot[i].key != key)
        i = (i + 1) & (keys->nslot - 1);
    return &keys->slot[i];
}

uint64_t *trod_keys_find(const struct trod_keys *keys, uint64_t key)
{
    struct trod_key *slot = keys->nslot ? slot_of(keys, key) : NULL;

    assert(key);
    return slot && slot->key ? &slot->value : NULL;
}

static void grow(struct trod_keys *keys, struct trod_arena *mem)
{
    const struct trod_keys old = *keys;

    keys->nslot = old.nslot ? 4 * old.nslot : FIRST_SLOTS;
    keys->slot = trod_new(mem, struct trod_key, keys->nslot);
    for (size_t i = 0; i < old.nslot; i++)
        if (old.slot[i].key)
            *slot_of(keys, old.slot[i].key) = old.slot[i];
}

uint64_t *trod_keys_add(
    struct trod_keys *keys, uint64_t key, bool *is_new, struct trod_arena *mem)
{
    struct trod_key *slot;

    assert(key);
    if (2 * (keys->count + 1) > keys->nslot)
        grow(keys, mem);
    slot = slot_of(keys, key);
    *is_new = !slot->key;
    keys->count += *is_new;
    slot->key = key;
    return &slot->value;
}
