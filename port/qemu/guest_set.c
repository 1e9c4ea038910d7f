#include "qemu/guest_set.h"

uint64_t qemu_slot_of(uint64_t address)
{
    return (address * UINT64_C(0x9e3779b97f4a7c15)) >> 20;
}

bool qemu_set_has(const struct qemu_set *set, uint64_t address)
{
    for (uint64_t i = qemu_slot_of(address); set->mask; i++) {
        if (set->slot[i & set->mask] == address)
            return true;
        if (!set->slot[i & set->mask])
            return false;
    }
    return false;
}

static void put(uint64_t *slot, uint64_t mask, uint64_t address)
{
    uint64_t i = qemu_slot_of(address);

    while (slot[i & mask])
        i++;
    slot[i & mask] = address;
}

void qemu_set_add(struct qemu_set *set, uint64_t address, struct trod_arena *mem)
{
    if (!address || qemu_set_has(set, address))
        return;
    if (2 * (set->count + 1) > set->mask) {
        uint64_t room = set->mask ? 2 * (set->mask + 1) : 64;
        uint64_t *slot = trod_new(mem, uint64_t, room);

        for (uint64_t i = 0; set->mask && i <= set->mask; i++)
            if (set->slot[i])
                put(slot, room - 1, set->slot[i]);
        set->slot = slot;
        set->mask = room - 1;
    }
    put(set->slot, set->mask, address);
    set->count++;
}
