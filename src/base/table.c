#include "base/table.h"

#include "base/base.h"

enum { FIRST_SLOTS = 64 };

static void put(struct trod_table *table, struct trod_table_slot slot)
{
    uint64_t at = slot.hash & (table->nslot - 1);

    while (table->slot[at].after)
        at = (at + 1) & (table->nslot - 1);
    table->slot[at] = slot;
}

/* Start after a free slot, so that entries with equal hashes keep their order. */
static void grow(struct trod_table *table, struct trod_arena *mem)
{
    const struct trod_table old = *table;
    uint64_t first = 0;

    table->nslot = old.nslot ? 2 * old.nslot : FIRST_SLOTS;
    table->slot = trod_new(mem, struct trod_table_slot, table->nslot);
    while (first < old.nslot && old.slot[first].after)
        first++;
    for (uint64_t i = 0; i < old.nslot; i++) {
        const struct trod_table_slot *slot = &old.slot[(first + i) & (old.nslot - 1)];

        if (slot->after)
            put(table, *slot);
    }
}

uint32_t trod_table_add(struct trod_table *table, uint64_t hash, struct trod_arena *mem)
{
    assert(table->count < INT32_MAX);
    if (2 * ((uint64_t)table->count + 1) > table->nslot)
        grow(table, mem);
    put(table, (struct trod_table_slot){(uint32_t)hash, table->count + 1});
    return table->count++;
}
