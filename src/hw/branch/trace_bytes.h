/* trace_bytes: a cursor over the bytes of trace files. Functions that are called for every run are inline. */
#ifndef TROD_TRACE_BYTES_H
#define TROD_TRACE_BYTES_H

#include "base/bytes.h"

/* After the first missing byte, the cursor stays at the end. */
struct trod_trace_cursor {
    const uint8_t *at, *end;
    bool bad;
};

/* A varint; 0 if there is none. */
static inline uint64_t trod_trace_take_number(struct trod_trace_cursor *c)
{
    uint64_t value;

    if (trod_load_varint(&value, &c->at, c->end))
        return value;
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

/* A varint and as many bytes, as a separate cursor. */
struct trod_trace_cursor trod_trace_take_part(struct trod_trace_cursor *c);

/* The same as a text; NULL if it is empty, or contains a NUL. */
const char *trod_trace_take_text(struct trod_trace_cursor *c, struct trod_arena *mem);

#endif
