/* Random profiles, and the bytes of the live files that a program would write for them.
 *
 * The generator of live files follows doc/format.md and shares no line with the reader. A
 * source of numbers is a function and its context, as in shape.h.
 */
#ifndef KIT_LIVE_H
#define KIT_LIVE_H

#include "kit/shape.h"
#include "profile/profile.h"

/* All zero: one group, any number of runs, functions of any size. */
struct kit_profile_options {
    bool groups; /* up to three */
    bool blocks; /* modules whose blocks are sampled */
    bool bursts; /* modules whose paths and events are counted in bursts */
    bool live;   /* one run with an exit; functions small enough for tables, unless
                    their paths are in slots */
};

/* Draws of 0 give an empty profile, or with live, one of a run that did nothing. Modules
 * come from a small choice, so that two profiles often share some.
 */
void kit_profile(struct trod_profile *out, const struct kit_profile_options *opt,
    kit_shape_source draw, void *ctx, struct trod_arena *mem);

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
