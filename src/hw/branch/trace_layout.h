/* The layout of trace files, for their writer and reader: doc/format-trace.md in C. */
#ifndef TROD_BRANCH_TRACE_LAYOUT_H
#define TROD_BRANCH_TRACE_LAYOUT_H

#include <stdint.h>

#define TRACE_CHUNK_MAGIC "tbch"
#define TRACE_END_MAGIC "trodbend"

enum {
    TRACE_HEAD = 24,  /* bytes of the file's head, without the name */
    TRACE_CHUNK = 40, /* of a chunk's */
    TRACE_END = 16,   /* after the index */
    /* kinds of chunks */
    TRACE_CODES = 1,
    TRACE_RUNS = 2,
    TRACE_INDEX = 3,
    /* records of codes */
    TRACE_CODE = 0,
    TRACE_IMAGE = 1,
    TRACE_HAS_INSNS = 16, /* added to the kind of a code */
    /* tokens of runs: low bits; the high bits are the number of hits */
    TRACE_OTHER_WAY = 0,
    TRACE_ADDRESS = 1,
    TRACE_THREAD = 2,
    TRACE_MORE = 3,
    /* second byte of "more" */
    TRACE_NO_MORE = 0,
    TRACE_OTHER_CODE = 1,
    TRACE_THREAD_ENDS = 2,
    /* tokens of slots and accesses */
    TRACE_ADDRESS_OFF = 0,
    TRACE_SHAPE = 1
};

/* Zigzag code of signed distances. */
static inline uint64_t trace_fold(uint64_t distance)
{
    return distance << 1 ^ (distance >> 63 ? UINT64_MAX : 0);
}

static inline uint64_t trace_unfold(uint64_t folded)
{
    return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

#endif
