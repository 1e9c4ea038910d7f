/* zstd: the codec of packed profiles, by libzstd.
 *
 *     payload of a section <-> one zstd frame
 */
#ifndef TROD_ZSTD_PORT_H
#define TROD_ZSTD_PORT_H

#include "profile/profile.h"

/* Frames tell the size of what is in them, so that it is known before there is memory
 * for it. The same bytes give the same frame as long as the library stays the same.
 *
 * fails:  TROD_E_INPUT on a frame that is none, or holds more than allowed
 */
extern const struct trod_profile_codec trod_zstd_codec;

#endif
