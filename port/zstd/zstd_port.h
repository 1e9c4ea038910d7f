/* zstd: the codec of packed profiles, of maps and of trace files, by libzstd.
 *
 *     payload of a section <-> one zstd frame
 */
#ifndef TROD_ZSTD_PORT_H
#define TROD_ZSTD_PORT_H

#include "profile/profile.h"
#include "branch/branch.h"

/* Frames contain the size of their content, so that it is known before memory is allocated. The
 * same bytes give the same frame with the same version of the library.
 *
 * fails:  TROD_E_INPUT if a frame is invalid, or expands to more than allowed
 */
extern const struct trod_profile_codec trod_zstd_codec;

/* For chunks of trace files: a fast level, because the traced program waits. */
extern const struct trod_branch_codec trod_zstd_branch_codec;

/* Decompress data of other programs: any number of frames, which need not contain their size, to
 * exactly this many bytes, followed by a NUL.
 *
 * fails:  TROD_E_INPUT if it is damaged, or expands to another size
 */
bool trod_zstd_expand(char **out, size_t length, const char *bytes, size_t nbyte,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
