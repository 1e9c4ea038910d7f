/* set_builder: what set.c and set_paths.c share to combine several profiles as sets. */
#ifndef TROD_SET_BUILDER_H
#define TROD_SET_BUILDER_H

#include "profile/profile.h"

/* All profiles are combined into one, `field`, in which each is a separate group. There, modules and functions have one
 * order. A function is processed with all its occurrences.
 */

/* A function of one of the profiles. */
struct owner {
    const struct trod_profile_function *function;
    uint32_t profile;
};

/* The same in production: a function of a module, with the paths that ran. */
struct place {
    const struct trod_profile_function *function;
    const struct trod_profile_module *of;
    uint32_t module, number;
    const struct trod_profile_tally *tally;
    size_t ntally; /* one for each profile it ran in */
};

struct set_builder {
    const struct trod_profile *profile; /* [nprofile], a group each */
    uint32_t nprofile;
    enum trod_set_kind kind;
    struct trod_profile field;
    struct owner *owner; /* by function, profile */
    size_t nowner;
    struct place *place; /* by function, place */
    size_t nplace;
    struct share *share; /* [nprofile], for one path at a time */
    struct trod_profile_builder builder;
    struct trod_profile_set *out;
    bool stopped; /* something was taken from a count that stopped */
    struct trod_arena *mem;
};

/* As the comparison of two profiles distinguishes functions; events are another thing. */
int trod_set_compare_functions(
    const struct trod_profile_function *f, const struct trod_profile_function *g);

/* --- set_paths.c: what is kept of each function ---------------------------------------- */

/* needs:  owner, place
 * fills:  tallies of the builder, out->nunknown, stopped
 */
void trod_set_put_functions(struct set_builder *c);

/* Names of functions that are in another state in another profile.
 *
 * needs:  owner
 * fills:  out->changed
 */
void trod_set_find_changed(struct set_builder *c);

#endif
