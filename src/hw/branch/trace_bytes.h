/* trace_bytes: bytes of trace files, taken one by one. What is taken for every run of a trace is inline. */
#ifndef TROD_TRACE_BYTES_H
#define TROD_TRACE_BYTES_H

#include "base/bytes.h"

/* Once something is missing, nothing more is there. */
struct trod_trace_cursor {
    const uint8_t *at, *end;
    bool bad;
};

/* A varint; 0 where none is there. */
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

/* As many bytes as a varint says, as a part of their own. */
struct trod_trace_cursor trod_trace_take_part(struct trod_trace_cursor *c);

/* The same as a text; NULL where it is empty, or has a NUL. */
const char *trod_trace_take_text(struct trod_trace_cursor *c, struct trod_arena *mem);

#endif
