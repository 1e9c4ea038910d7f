/* trace_bytes: bytes of trace files, taken one by one. What is taken for every run of a trace is inline. */
#ifndef TROD_TRACE_BYTES_H
#define TROD_TRACE_BYTES_H

#include "base/base.h"

/* Once something is missing, nothing more is there. */
struct trod_trace_cursor {
    const uint8_t *at, *end;
    bool bad;
};

/* Fixed-width numbers, lowest byte first. */
uint32_t trod_trace_load32(const uint8_t *at);
uint64_t trod_trace_load64(const uint8_t *at);

/* A varint; 0 where none is there. */
static inline uint64_t trod_trace_take_number(struct trod_trace_cursor *c)
{
    uint64_t value = 0;

    for (unsigned shift = 0; shift < 64 && c->at < c->end; shift += 7) {
        uint8_t byte = *c->at++;

        if (shift == 63 && byte > 1)
            break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    c->bad = true;
    c->at = c->end;
    return 0;
}

static inline uint8_t trod_trace_take_byte(struct trod_trace_cursor *c)
{
    if (c->at < c->end)
        return *c->at++;
    c->bad = true;
    return 0;
}

/* As many bytes as a varint says, as a part of their own. */
struct trod_trace_cursor trod_trace_take_part(struct trod_trace_cursor *c);

/* The same as a text; NULL where it is empty, or has a NUL. */
const char *trod_trace_take_text(struct trod_trace_cursor *c, struct trod_arena *mem);

#endif
