#include "gzip/gzip.h"

#define ZLIB_CONST /* input is const */
#include <zlib.h>

/* zlib allocates from the arena, because the sink may not return. */
static void *take_memory(void *mem, unsigned count, unsigned size)
{
    return trod_arena_take(mem, count, size);
}

static void leave_memory(void *mem, void *address)
{
    (void)mem;
    (void)address;
}

bool trod_gzip_put(struct trod_sink *sink, const void *bytes, size_t length, int level,
    struct trod_arena *mem, struct trod_err *err)
{
    enum { GZIP = 16, WINDOW = 15, MEMORY = 8 };
    z_stream z = {.zalloc = take_memory, .zfree = leave_memory, .opaque = mem};
    int status;

    if (length > UINT32_MAX || deflateInit2(&z, level, Z_DEFLATED, WINDOW + GZIP,
                                   MEMORY, Z_DEFAULT_STRATEGY) != Z_OK)
        return trod_fail(err, TROD_E_LIMIT, "more than 4 GB cannot be compressed");
    z.next_in = bytes;
    z.avail_in = (uInt)length;
    do {
        uint8_t out[1 << 14];

        z.next_out = out;
        z.avail_out = sizeof out;
        status = deflate(&z, Z_FINISH);
        sink->put(sink, (const char *)out, sizeof out - z.avail_out);
    } while (status == Z_OK);
    return status == Z_STREAM_END ||
           trod_fail(err, TROD_E_INTERNAL, "zlib failed: status %d", status);
}
