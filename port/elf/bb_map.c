#include "elf/section.h"
#include "base/bytes.h"
#include "base/order.h"

#include <inttypes.h>
#include <stdlib.h>

/* Sections of type SHT_LLVM_BB_ADDR_MAP, versions 1 and 2, little-endian, as LLVM 17 to 19 write them. For each
 * function:
 *
 *     u8 version, u8 features
 *     ULEB128 ranges            with feature 8 only, else 1
 *     for each range: u64 address, ULEB128 blocks, and for each block
 *         ULEB128 id            version 2; in version 1 they are numbered in order
 *         ULEB128 offset        from the end of the block before it in the range
 *         ULEB128 size, ULEB128 flags
 *     feature 1: ULEB128 count of the function
 *     for each block, feature 2: ULEB128 frequency
 *                     feature 4: ULEB128 successors, each ULEB128 id, ULEB128 probability
 */
enum {
    VERSIONS = 2,
    FEATURE_COUNT = 1,
    FEATURE_FREQUENCY = 2,
    FEATURE_PROBABILITY = 4,
    FEATURE_RANGES = 8,
    FEATURES = 15
};

struct reader {
    const uint8_t *at, *end, *begin;
    const char *file;
    uint8_t version, features;
    struct trod_elf_block *block;
    size_t count, room;
    struct trod_arena *mem;
    struct trod_err *err;
};

static bool fail(const struct reader *r, const char *why)
{
    return trod_fail(r->err, TROD_E_INPUT,
        "%s: its map of basic blocks is damaged at byte %zu: %s; rebuild it", r->file,
        (size_t)(r->at - r->begin), why);
}

static bool get_byte(struct reader *r, uint8_t *out)
{
    if (r->at == r->end)
        return fail(r, "it is cut off");
    *out = *r->at++;
    return true;
}

static bool get_address(struct reader *r, uint64_t *out)
{
    if (r->end - r->at < 8)
        return fail(r, "it is cut off");
    *out = trod_load64(r->at);
    r->at += 8;
    return true;
}

static bool get_uleb(struct reader *r, uint64_t *out)
{
    const uint8_t *from = r->at;

    return trod_load_varint(out, &r->at, r->end) ||
           fail(r, r->at - from < TROD_VARINT ? "it is cut off"
                                              : "a number does not fit into 64 bits");
}

/* needs:  *behind, the end of the previous block */
static bool read_block(
    struct reader *r, uint64_t entry, uint64_t number, uint64_t *behind)
{
    uint64_t id = number, offset, size, flags;

    if ((r->version >= 2 && !get_uleb(r, &id)) || !get_uleb(r, &offset) ||
        !get_uleb(r, &size) || !get_uleb(r, &flags))
        return false;
    if (id > UINT32_MAX || flags > UINT32_MAX)
        return fail(r, "a block has a number above 2^32");
    if (offset > UINT64_MAX - *behind || size > UINT64_MAX - *behind - offset)
        return fail(r, "a block is behind all addresses");
    trod_push(r->mem, r->block, r->count, r->room,
        (struct trod_elf_block){.address = *behind + offset,
            .nbyte = size,
            .function = entry,
            .id = (uint32_t)id,
            .flags = (uint32_t)flags});
    *behind += offset + size;
    return true;
}

/* Other optional data of a function, which is not needed here. */
static bool skip_analysis(struct reader *r, uint64_t nblock)
{
    uint64_t n, ignored;

    if ((r->features & FEATURE_COUNT) && !get_uleb(r, &ignored))
        return false;
    if (!(r->features & (FEATURE_FREQUENCY | FEATURE_PROBABILITY)))
        return true;
    for (uint64_t i = 0; i < nblock; i++) {
        n = 0;
        if (((r->features & FEATURE_FREQUENCY) && !get_uleb(r, &ignored)) ||
            ((r->features & FEATURE_PROBABILITY) && !get_uleb(r, &n)))
            return false;
        for (; n > 0; n--)
            if (!get_uleb(r, &ignored) || !get_uleb(r, &ignored))
                return false;
    }
    return true;
}

/* The first range contains the entry. */
static bool read_function(struct reader *r)
{
    uint64_t nrange = 1, nall = 0, entry = 0;

    if (!get_byte(r, &r->version) || !get_byte(r, &r->features))
        return false;
    if (!r->version || r->version > VERSIONS || r->features & ~FEATURES)
        return fail(r, "its version is not supported");
    if ((r->features & FEATURE_RANGES) && !get_uleb(r, &nrange))
        return false;
    for (uint64_t i = 0; i < nrange; i++) {
        uint64_t behind = 0, nblock;

        if (!get_address(r, &behind) || !get_uleb(r, &nblock))
            return false;
        entry = i ? entry : behind;
        for (uint64_t k = 0; k < nblock; k++)
            if (!read_block(r, entry, nall + k, &behind))
                return false;
        nall += nblock;
    }
    return skip_analysis(r, nall);
}

/* An empty block comes before another one at the same address. */
TROD_ORDER(by_address, struct trod_elf_block, TROD_UP(function), TROD_UP(address),
    TROD_UP(nbyte), TROD_UP(id))

bool trod_elf_bb_map_parse(struct trod_elf_block **out, size_t *count, const char *file,
    const uint8_t *bytes, size_t length, struct trod_arena *mem, struct trod_err *err)
{
    struct reader r = {.at = bytes,
        .end = bytes + length,
        .begin = bytes,
        .file = file,
        .mem = mem,
        .err = err};

    while (r.at < r.end)
        if (!read_function(&r))
            return false;
    trod_sort(r.block, r.count, by_address);
    *out = r.block;
    *count = r.count;
    return true;
}

bool trod_elf_bb_map(struct trod_elf_block **out, size_t *count, const char *file,
    struct trod_arena *mem, struct trod_err *err)
{
    enum { SHT_LLVM_BB_ADDR_MAP = 0x6fff4c0a };
    char *bytes;
    size_t length;

    *out = NULL;
    *count = 0;
    return trod_elf_typed(&bytes, &length, file, SHT_LLVM_BB_ADDR_MAP, mem, err) &&
           trod_elf_bb_map_parse(
               out, count, file, (const uint8_t *)bytes, length, mem, err);
}
