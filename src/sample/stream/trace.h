/* trace: indexed chunks of references; internal to the stage. */
#ifndef TROD_STREAM_TRACE_H
#define TROD_STREAM_TRACE_H

#include "stream/stream.h"

/* --- records: stream_chunk.c --- */

enum { TROD_REFS_REF = 0 }; /* in addition to enum trod_refs_record */

struct trod_stream_record {
    uint32_t kind;
    uint64_t
        number[TROD_REFS_NUMBERS + 1]; /* for a reference, the first is the value of
                                               the first varint */
    const uint8_t *names;              /* of SITE */
};

struct trod_stream_cursor {
    const uint8_t *at, *end;
};

/* The previous values for differences. */
struct trod_stream_past {
    uint64_t site, order, address;
    uint64_t last[TROD_REFS_LAST];
};

static inline uint64_t trod_stream_past_add(uint64_t *to, uint64_t zigzag)
{
    return *to += trod_refs_unzigzag(zigzag);
}

/* False at the end, and at invalid bytes, where the cursor stays. */
bool trod_stream_take_record(
    struct trod_stream_record *out, struct trod_stream_cursor *c);

/* --- index --- */

/* Records of one thread, up to the next THREAD or the end of the chunk. */
struct trod_stream_piece {
    uint32_t thread, part;
    struct trod_stream_cursor bytes;
    uint64_t low, size, pointer, image;
    bool goes_on; /* it continues a burst of the previous piece */
    size_t first_run, nrun;
};

struct trod_stream_walker {
    size_t piece, end; /* current piece; end of the thread's pieces */
    struct trod_stream_cursor at;
    struct trod_stream_past past;
};

struct trod_stream_turn {
    uint64_t order;
    uint32_t thread;
    size_t nth;
};

struct trod_stream_trace {
    struct trod_arena *mem;
    struct trod_stream_names names;
    const struct trod_stream_image *image;
    struct trod_stream_piece *piece;
    size_t npiece, room_piece;
    uint64_t *order_of_run; /* in the order of chunks */
    size_t nrun, room_run;
    struct trod_stream_made *made;
    size_t nmade, room_made;
    struct trod_stream_gone *gone;
    size_t ngone, room_gone;
    struct trod_stream_heap *heap;
    struct trod_stream_table sites, objects, codes;
    uint32_t *place_of_site; /* by number in sites */
    size_t room_place;
    struct trod_stream_walker *walker; /* by thread, in the order of pieces */
    size_t nwalker;
    struct trod_stream_turn *turn;
    size_t nturn;
};

/* Does the first run of a piece continue the last run of the previous piece? */
bool trod_stream_follows(const struct trod_stream_trace *trace, size_t piece);

#endif
