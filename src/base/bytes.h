/* base/bytes: little-endian numbers of fixed width, and varints (unsigned LEB128). Traces have one for
 * every run of a block: all of it is inline.
 */
#ifndef TROD_BASE_BYTES_H
#define TROD_BASE_BYTES_H

#include "base/base.h"

static inline uint32_t trod_load32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static inline uint64_t trod_load64(const uint8_t *at)
{
    return trod_load32(at) | (uint64_t)trod_load32(at + 4) << 32;
}

/* Returns the address after the stored bytes. */
static inline uint8_t *trod_store32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        *at++ = (uint8_t)(value >> 8 * i);
    return at;
}

static inline uint8_t *trod_store64(uint8_t *at, uint64_t value)
{
    return trod_store32(trod_store32(at, (uint32_t)value), (uint32_t)(value >> 32));
}

enum { TROD_VARINT = 10 }; /* bytes of a varint, at most */

/* False if the bytes end inside the number, or if it does not fit into 64 bits. */
static inline bool trod_load_varint(
    uint64_t *out, const uint8_t **at, const uint8_t *end)
{
    *out = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        uint8_t byte = *(*at)++;

        if (shift == 63 && byte > 1)
            return false;
        *out |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* needs:  room for TROD_VARINT bytes */
static inline uint8_t *trod_store_varint(uint8_t *at, uint64_t value)
{
    for (; value >= 0x80; value >>= 7)
        *at++ = (uint8_t)(value | 0x80);
    *at++ = (uint8_t)value;
    return at;
}

#endif
