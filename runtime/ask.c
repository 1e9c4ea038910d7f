#include "runtime.h"

/* __trod_ask in C, for code in which the optimizer did not expand it. */

static bool is_in_slot(const void *ids, uint64_t how, uint64_t slot, uint64_t path)
{
    return how & TROD_RT_WIDE ? ((const uint64_t *)ids)[slot] == path
                              : ((const uint32_t *)ids)[slot] == (uint32_t)path;
}

void __trod_ask(uintptr_t thread, uint64_t *table, const void *ids, uint64_t how,
    uint64_t nslot, uint64_t number, uint64_t sum)
{
    unsigned bits = TROD_RT_BITS_OF(how);
    uint64_t slot = sum, path = sum;
    bool hit = false;

    switch ((enum trod_rt_ending)(how & TROD_RT_KIND)) {
    case TROD_RT_SELECT:
        hit = sum < nslot;
        break;
    case TROD_RT_PREFER:
        slot = sum >> bits;
        path = sum & ((UINT64_C(1) << bits) - 1);
        hit = slot < nslot && is_in_slot(ids, how, slot, path);
        break;
    case TROD_RT_HASH:
        slot = bits > 63 ? 0 : sum * number >> bits;
        hit = is_in_slot(ids, how, slot, path);
        break;
    case TROD_RT_STRAY:
        path = sum & ((UINT64_C(1) << bits) - 1);
        hit = sum >> bits == 0;
        break;
    case TROD_RT_MASK:
        hit = number >> (sum & 63) & 1;
        break;
    case TROD_RT_BITS:
        hit = ((const uint32_t *)ids)[sum / 32] >> sum % 32 & 1;
        break;
    }
    if (hit && how & TROD_RT_COUNTS)
        __trod_count(thread, table, slot, 1);
    if (!hit && how & TROD_RT_DIRECT)
        __trod_count_rare(table + path);
    else if (!hit && how & TROD_RT_REPORTS)
        __trod_untested(table, path);
}
