/* What the steps of a comparison share.
 *
 *   owner   what a statement is in: the innermost function, class, or thing at file scope, which may be itself. Owners are
 *           matched first, by change_match.c, and then what is in those that differ, by change_within.c: statements never
 *           go from one owner to another.
 *   whole   two constructs whose trees are equal, and so all below them, one by one
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
        *kind_of_new; /* by new's number of a kind: old's, or one that old has not */
    uint32_t *symbol_of_new; /* the same of symbols */
    uint32_t
        *file_of_old; /* by old's number of a file: new's, or one that new has not */
    uint64_t budget;  /* pairs that may still be looked at in this function */
};

/* --- change_build.c ----------------------------------------------------------------------------------- */

/* Nothing is mapped. */
void trod_matcher_begin(struct matcher *m, struct trod_changes *out,
    const struct trod_constructs *old, const struct trod_constructs *new,
    struct trod_arena *mem);

/* --- change_match.c ---------------------------------------------------------------------------------- */

/* Map two, and all below them if they are whole; are they? */
bool trod_match_pair(struct matcher *m, uint32_t old, uint32_t new);
/* Map them only if they are whole. */
bool trod_match_whole(struct matcher *m, uint32_t old, uint32_t new);
void trod_match_owners(struct matcher *m);

/* A hash and what has it: both versions are sorted by it, and looked through side by side. */
struct match_key {
    uint64_t key;
    uint32_t construct;
};
/* What has the same key on both sides is handed on: if there is but one on each, or all in their order. */
void trod_match_keys(struct matcher *m, struct match_key *old, uint32_t nold,
    struct match_key *new, uint32_t nnew, bool is_unique,
    void (*found)(struct matcher *m, uint32_t old, uint32_t new));

/* --- change_alike.c: how much two have in common -------------------------------------------------------- */

/* Hashes below a construct, ascending. */
struct match_bag {
    const uint64_t *hash;
    uint32_t count;
};
void trod_match_bag(struct match_bag *out, const struct trod_constructs *of,
    uint32_t construct, struct trod_arena *mem);
/* Twice what they share by what they have; 0 if they have nothing. */
double trod_match_dice(const struct match_bag *a, const struct match_bag *b);

struct match_alike {
    double dice;
    bool is_kind;  /* both are of one kind */
    uint32_t away; /* how far one is from the place of the other */
    uint32_t old, later;
};
/* The best first; what is mapped already is passed over. */
void trod_match_best(struct matcher *m, struct match_alike *alike, uint32_t count);
/* Functions and classes that were renamed, and edited as well. */
void trod_match_renamed(struct matcher *m);

/* --- change_within.c ---------------------------------------------------------------------------------------- */

/* Statements of two owners that are mapped, and are not the same. */
void trod_match_within(struct matcher *m, uint32_t old, uint32_t new);

/* --- change_differ.c: from a map to changes ------------------------------------------------------------------- */

void trod_changes_fill_same(struct matcher *m);
void trod_changes_fill(struct matcher *m);

/* --- change_check.c ------------------------------------------------------------------------------------------- */

/* The order of changes: by group, then by place, then by kind. The group is the owner, of the old program where there is
 * one; in it, those of the old program by number come first, and then what was added.
 */
void trod_change_rank(uint64_t *group, uint64_t *place, const struct trod_changes *of,
    const struct trod_change *change);
uint32_t trod_change_owner(const struct trod_constructs *of, uint32_t construct);
/* Do the meanings of the functions say that they are the same, and not their trees? */
bool trod_change_is_meant(const struct trod_changes *of, uint32_t old);
/* Is a class or a program, which is mapped, the same but for the order of what is in it? */
bool trod_change_is_made_of_same(const struct trod_changes *of, uint32_t old);

#endif
