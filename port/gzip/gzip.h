/* gzip: compression by zlib, in a format that other programs read. */
#ifndef TROD_GZIP_H
#define TROD_GZIP_H

#include "base/base.h"

/* Write bytes to a sink as a gzip file, without a time stamp, so that equal bytes give equal files. level: zlib's, 1 to 9; -1:
 * the default.
 *
 * fails:  TROD_E_LIMIT above 4 GB
 */
bool trod_gzip_put(struct trod_sink *sink, const void *bytes, size_t length, int level,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
