/* The bytes of the live file that a program would write for a profile.
 *
 * They follow doc/format.md and share no line with the reader.
 */
#ifndef KIT_LIVE_H
#define KIT_LIVE_H

#include "profile/profile.h"

/* All zero: one thread, pages of 4096 bytes. */
struct kit_live_options {
    uint32_t nthread; /* 0: 1 */
    uint64_t page;    /* 0: TROD_FORMAT_PAGE */
    bool gaps;        /* pages of zeros between sections and at the end */
    bool bundles;     /* of each three counters, one more that stands for all of them */
};

/* needs:  a profile of one group and one run. Its fields up to `exit` become RUN, the rest
 *         END; if `exit` is `unknown` there is no END.
 */
void kit_live(struct trod_string *out, const struct trod_profile *profile,
    const struct kit_live_options *opt, struct trod_arena *mem);

/* Where the sections of an undamaged file are. */
struct kit_section {
    size_t at, size, payload;
    uint32_t type, flags;
};
uint32_t kit_sections(struct kit_section **out, const uint8_t *bytes, size_t length,
    struct trod_arena *mem);

#endif
