/* Random profiles.
 *
 * A source of numbers is a function and its context, as in shape.h.
 */
#ifndef KIT_RANDOM_PROFILE_H
#define KIT_RANDOM_PROFILE_H

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

/* Is a path one of those that the function has chosen? */
bool kit_is_chosen(const struct trod_profile_function *function, uint64_t id);

#endif
