/* change_matcher: shared by the steps of a comparison.
 *
 *   owner   of a statement: the innermost function, class, or construct at file scope, possibly itself. Owners are
 *           matched first, by change_match.c, then the contents of those that differ, by change_within.c: statements never
 *           move from one owner to another.
 *   whole   two constructs with equal trees, and so with equal descendants, one by one
 */
#ifndef TROD_CHANGE_MATCHER_H
#define TROD_CHANGE_MATCHER_H

#include "change/change.h"

struct matcher {
    struct trod_changes *out;
    const struct trod_constructs *old, *later;
    struct trod_change_options options;
    struct trod_arena *mem;
    uint32_t *owner_of_old, *owner_of_new;
    uint32_t
        *kind_of_new; /* by new's number of a kind: old's number, or an unused one */
    uint32_t *symbol_of_new; /* the same for symbols */
    uint32_t
        *file_of_old; /* by old's number of a file: new's number, or an unused one */
    uint64_t budget;  /* pairs that may still be compared in this function */
};

/* --- change_build.c ----------------------------------------------------------------------------------- */

/* Start with an empty map. */
void trod_matcher_begin(struct matcher *m, struct trod_changes *out,
    const struct trod_constructs *old, const struct trod_constructs *new,
    struct trod_arena *mem);

/* --- change_match.c ---------------------------------------------------------------------------------- */

/* Map two constructs, and their descendants if they are whole. Returns whether they are. */
bool trod_match_pair(struct matcher *m, uint32_t old, uint32_t new);
/* Map them only if they are whole. */
bool trod_match_whole(struct matcher *m, uint32_t old, uint32_t new);
void trod_match_owners(struct matcher *m);

/* A hash and its construct: both versions are sorted by it and merged. */
struct match_key {
    uint64_t key;
    uint32_t construct;
};
/* Match constructs with the same key on both sides: if it is unique on each, or all in their order. */
void trod_match_keys(struct matcher *m, struct match_key *old, uint32_t nold,
    struct match_key *new, uint32_t nnew, bool is_unique,
    void (*found)(struct matcher *m, uint32_t old, uint32_t new));

/* --- change_alike.c: similarity -------------------------------------------------------- */

/* Hashes below a construct, ascending. */
struct match_bag {
    const uint64_t *hash;
    uint32_t count;
};
void trod_match_bag(struct match_bag *out, const struct trod_constructs *of,
    uint32_t construct, struct trod_arena *mem);
/* Dice coefficient: twice the size of the intersection divided by the sum of sizes; 0 if both are empty. */
double trod_match_dice(const struct match_bag *a, const struct match_bag *b);

struct match_alike {
    double dice;
    bool is_kind;  /* both have the same kind */
    uint32_t away; /* distance between their positions */
    uint32_t old, later;
};
/* Map pairs, the best first; skip constructs that are already mapped. */
void trod_match_best(struct matcher *m, struct match_alike *alike, uint32_t count);
/* Functions and classes that were renamed, and edited as well. */
void trod_match_renamed(struct matcher *m);

/* --- change_within.c ---------------------------------------------------------------------------------------- */

/* Match the statements of two mapped owners that differ. */
void trod_match_within(struct matcher *m, uint32_t old, uint32_t new);

/* --- change_differ.c: from a map to changes ------------------------------------------------------------------- */

void trod_changes_fill_same(struct matcher *m);
void trod_changes_fill(struct matcher *m);

/* --- change_check.c ------------------------------------------------------------------------------------------- */

/* The order of changes: by group, then by place, then by kind. The group is the owner, of the old program if there is
 * one; within it, those of the old program by number come first, then added ones.
 */
void trod_change_rank(uint64_t *group, uint64_t *place, const struct trod_changes *of,
    const struct trod_change *change);
uint32_t trod_change_owner(const struct trod_constructs *of, uint32_t construct);
/* Are the functions the same by meaning, but not by tree? */
bool trod_change_is_meant(const struct trod_changes *of, uint32_t old);
/* Is a mapped class or program the same except for the order of its members? */
bool trod_change_is_made_of_same(const struct trod_changes *of, uint32_t old);

#endif
