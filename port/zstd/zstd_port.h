/* zstd: the codec of packed profiles, of maps and of trace files, by libzstd.
 *
 *     payload of a section <-> one zstd frame
 */
#ifndef TROD_ZSTD_PORT_H
#define TROD_ZSTD_PORT_H

#include "profile/profile.h"
#include "branch/branch.h"

/* Frames contain the size of their content, so that it is known before there is memory
 * for it. The same bytes give the same frame as long as the library stays the same.
 *
 * fails:  TROD_E_INPUT on a frame that is none, or holds more than allowed
 */
extern const struct trod_profile_codec trod_zstd_codec;

/* Chunks of trace files, quickly rather than well: a program waits while it is traced. */
extern const struct trod_branch_codec trod_zstd_branch_codec;

/* Decompress foreign data, in any number of frames that need not contain their size, to exactly
 * this many bytes, with a NUL after them.
 *
 * fails:  TROD_E_INPUT when it is damaged, or there are more or fewer
 */
bool trod_zstd_expand(char **out, size_t length, const char *bytes, size_t nbyte,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
