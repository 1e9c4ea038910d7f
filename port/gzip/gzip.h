/* gzip: bytes compressed for programs of others, by zlib.
 */
#ifndef TROD_GZIP_H
#define TROD_GZIP_H

#include "base/base.h"

/* Write a file of gzip's to a sink: equal bytes give equal files, for there is no time in it. level: of zlib, 1 to 9; -1: its
 * default.
 *
 * fails:  TROD_E_LIMIT above 4 GB
 */
bool trod_gzip_put(struct trod_sink *sink, const void *bytes, size_t length, int level,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
