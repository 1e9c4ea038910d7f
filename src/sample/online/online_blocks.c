#include "online/online.h"
#include "base/order.h"

#include <inttypes.h>

enum { FIRST_SLOTS = 64 };

#define MOST_BLOCKS (UINT32_MAX / 2)

void trod_online_blocks_init(struct trod_online_blocks *out, struct trod_arena *mem)
{
    *out = (struct trod_online_blocks){.mem = mem};
    trod_reserve(mem, out->first, 0, out->room_first);
}

static uint64_t hash_of(const struct trod_profile_function *f)
{
    return trod_mix(trod_mix(trod_mix(f->name, f->graph), f->cuts), f->npath);
}

static bool is_same(
    const struct trod_profile_function *a, const struct trod_profile_function *b)
{
    return a->name == b->name && a->graph == b->graph && a->cuts == b->cuts &&
           a->npath == b->npath;
}

static uint32_t find(const struct trod_online_blocks *blocks,
    const struct trod_profile_function *function)
{
    return TROD_TABLE_FIND(&blocks->functions, hash_of(function), i,
        is_same(&blocks->function[i], function));
}

static bool add_function(uint32_t *out, struct trod_online_blocks *blocks,
    const struct trod_profile_function *function, struct trod_err *err)
{
    uint32_t n = blocks->nfunction;

    *out = find(blocks, function);
    if (*out != TROD_TABLE_NONE)
        return true;
    if (function->npath >= MOST_BLOCKS - blocks->first[n])
        return trod_fail(err, TROD_E_LIMIT,
            "there are functions with more than %" PRIu32 " blocks", MOST_BLOCKS);
    trod_reserve(blocks->mem, blocks->function, n, blocks->room_function);
    trod_reserve(blocks->mem, blocks->first, n + 1, blocks->room_first);
    blocks->function[n] = *function;
    blocks->first[n + 1] = blocks->first[n] + (trod_block)function->npath + 1;
    *out = trod_table_add(&blocks->functions, hash_of(function), blocks->mem);
    blocks->nfunction++;
    return true;
}

bool trod_online_blocks_add(struct trod_online_blocks_module *out,
    struct trod_online_blocks *blocks, const struct trod_profile_module *module,
    struct trod_err *err)
{
    uint32_t *number = trod_new(blocks->mem, uint32_t, module->nfunction);

    trod_profile_terminals(&out->terminals, module, blocks->mem);
    for (uint32_t f = 0; f < module->nfunction; f++)
        if (!add_function(&number[f], blocks, &module->function[f], err))
            return false;
    out->function = number;
    out->blocks = blocks;
    return true;
}

bool trod_online_blocks_find(
    trod_block *out, const struct trod_online_blocks_module *module, uint64_t terminal)
{
    uint32_t function;
    uint64_t node;

    if (!trod_profile_step(&function, &node, &module->terminals, terminal))
        return false;
    *out = module->blocks->first[module->function[function]] + (trod_block)node;
    return true;
}

uint32_t trod_online_blocks_function(
    const struct trod_online_blocks *blocks, trod_block block)
{
    uint32_t from =
        TROD_LOWER_BOUND(middle, 0, blocks->nfunction, blocks->first[middle] <= block);

    assert(from && block < blocks->first[from]);
    return from - 1;
}
