#include "online/every.h"

#include <inttypes.h>
#include <string.h>

/* Blocks are used in place: the format and all supported hosts are little-endian. */

static bool check_head(const struct trod_trace *trace,
    const struct trod_trace_head *head, uint64_t at, struct trod_err *err)
{
    if (head->magic != TROD_TRACE_MAGIC)
        return trod_fail(err, TROD_E_INPUT,
            "%s: no blocks at byte %" PRIu64
            "; a trace is what a program built with 'trod cc --online' writes to "
            "$TROD_BLOCKS",
            trace->name, at);
    if (head->nblock > (TROD_TRACE_CHUNK - TROD_TRACE_HEAD) / sizeof(uint32_t))
        return trod_fail(err, TROD_E_INPUT,
            "%s: %" PRIu32 " blocks at once at byte %" PRIu64 "; the file is damaged",
            trace->name, head->nblock, at);
    return true;
}

bool trod_trace_take(size_t *used, struct trod_trace *trace, const void *bytes,
    size_t length, struct trod_err *err)
{
    const char *at = bytes;
    size_t left = length;

    while (left >= sizeof(struct trod_trace_head)) {
        struct trod_trace_head head;
        uint32_t block[TROD_TRACE_CHUNK / sizeof(uint32_t)];
        size_t size;

        memcpy(&head, at, sizeof head);
        if (!check_head(trace, &head, trace->at, err))
            return false;
        size = head.nblock * sizeof *block;
        if (left - sizeof head < size)
            break;
        memcpy(block, at + sizeof head, size);
        if (!trace->take((uint64_t)head.writer << 32 | head.thread, block, head.nblock,
                trace->ctx, err))
            return false;
        size += sizeof head;
        at += size;
        left -= size;
        trace->at += size;
    }
    *used = length - left;
    return true;
}
