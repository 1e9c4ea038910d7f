/* guest_set: sets of addresses, used at each block of the guest. */
#ifndef TROD_QEMU_GUEST_SET_H
#define TROD_QEMU_GUEST_SET_H

#include "base/base.h"

/* A hash set with open addressing; 0 means empty. */
struct qemu_set {
    uint64_t *slot;
    uint64_t mask, count;
};

/* The first slot of an address, in a table whose size is a power of two. */
uint64_t qemu_slot_of(uint64_t address);

bool qemu_set_has(const struct qemu_set *set, uint64_t address);
void qemu_set_add(struct qemu_set *set, uint64_t address, struct trod_arena *mem);

#endif
