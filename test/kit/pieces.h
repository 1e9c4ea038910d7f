/* Bytes in memory as if they were in a file with holes that a program still writes to. */
#ifndef KIT_PIECES_H
#define KIT_PIECES_H

#include <string.h>

#include "base/base.h"

struct kit_pieces {
    const uint8_t *bytes;
    size_t length;
    size_t at_first;          /* the length when it is asked for first; 0: the same */
    struct trod_extent *data; /* ascending; ranges that adjoin are not joined */
    uint32_t ndata, room;
    bool forgets; /* planted: the last byte of a read */
};

static inline size_t kit_pieces_length(void *ctx)
{
    struct kit_pieces *pieces = ctx;
    size_t first = pieces->at_first;

    pieces->at_first = 0;
    return first ? first : pieces->length;
}

static inline bool kit_pieces_find(struct trod_extent *out, void *ctx, uint64_t from)
{
    const struct kit_pieces *pieces = ctx;

    for (uint32_t i = 0; i < pieces->ndata; i++)
        if (pieces->data[i].to > from) {
            *out = pieces->data[i];
            return true;
        }
    return false;
}

static inline void kit_pieces_read(uint8_t *out, void *ctx, uint64_t from, size_t n)
{
    const struct kit_pieces *pieces = ctx;

    assert(from <= pieces->length && n <= pieces->length - from);
    memcpy(out, pieces->bytes + from, n);
    if (pieces->forgets && n)
        out[n - 1] = 0;
}

static inline struct trod_source kit_source(struct kit_pieces *pieces)
{
    return (struct trod_source){.ctx = pieces,
        .length = kit_pieces_length,
        .find = kit_pieces_find,
        .read = kit_pieces_read};
}

/* Leave out zeros: of each piece of some bytes that is all 0, if `choose` says so. */
static inline void kit_pieces_fill(struct kit_pieces *out,
    uint64_t (*choose)(void *ctx, uint64_t bound), void *ctx, size_t most,
    struct trod_arena *mem)
{
    size_t n;

    out->data = trod_new(mem, struct trod_extent, 1);
    for (size_t at = 0; at < out->length; at += n) {
        bool zero = true;

        n = 1 + choose(ctx, most);
        if (n > out->length - at)
            n = out->length - at;
        for (size_t i = 0; i < n; i++)
            zero &= !out->bytes[at + i];
        if (!zero || choose(ctx, 4) == 0)
            trod_push(mem, out->data, out->ndata, out->room,
                (struct trod_extent){at, at + n});
    }
}

#endif
