/* alike: when references count as the same datum; internal to the stage. */
#ifndef TROD_STREAM_ALIKE_H
#define TROD_STREAM_ALIKE_H

#include "stream/stream.h"

void trod_stream_datum_of(struct trod_stream_datum *out,
    const struct trod_stream_names *names, enum trod_stream_by by,
    const struct trod_stream_ref *ref);

/* The number of its datum, in a table of all data. */
uint32_t trod_stream_number_datum(
    struct trod_stream_table *table, const struct trod_stream_datum *datum);

/* Is the reference omitted? */
static inline bool trod_stream_is_out(const struct trod_stream_names *names,
    const struct trod_stream_options *options, const struct trod_stream_ref *ref)
{
    return options->no_stack && names->object[ref->object].kind == TROD_STREAM_STACK;
}

#endif
