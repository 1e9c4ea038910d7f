#include "branch/trace_bytes.h"

#include <string.h>

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
