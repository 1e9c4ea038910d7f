#include "branch/trace_bytes.h"

#include <string.h>

uint32_t trod_trace_load32(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

uint64_t trod_trace_load64(const uint8_t *at)
{
    return trod_trace_load32(at) | (uint64_t)trod_trace_load32(at + 4) << 32;
}

struct trod_trace_cursor trod_trace_take_part(struct trod_trace_cursor *c)
{
    uint64_t length = trod_trace_take_number(c);
    struct trod_trace_cursor part = {c->at, c->at, false};

    if (length > (uint64_t)(c->end - c->at)) {
        c->bad = true;
        return part;
    }
    part.end = c->at += length;
    return part;
}

const char *trod_trace_take_text(struct trod_trace_cursor *c, struct trod_arena *mem)
{
    struct trod_trace_cursor part = trod_trace_take_part(c);
    size_t length = (size_t)(part.end - part.at);

    if (c->bad || !length)
        return NULL;
    if (memchr(part.at, '\0', length)) {
        c->bad = true;
        return NULL;
    }
    return trod_copy_text(mem, (const char *)part.at, length);
}
