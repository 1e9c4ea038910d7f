/* overlap: how much two profiles have in common, member by member.
 */
#ifndef TROD_OVERLAP_H
#define TROD_OVERLAP_H

#include "profile/profile.h"

/* --- overlap.c: how much two profiles have in common ---------------------------------------
 *
 * Each member of a profile, a path or whatever else it counts, contributes a share to it: its count
 * of the sum of all. The overlap of two profiles is the sum, over all members, of the lesser of the
 * two shares: 0 where none is in both, 1 where all contribute as much to one as to the other, however
 * often the programs ran. Half of what the shares of all members are apart is what is missing to 1.
 * The overlap of the top looks at the hottest members alone: of each profile as many as it takes to
 * make up a part of it, the last one that is needed included, with their shares of what is kept.
 *
 * Both are symmetric. They are computed in whole numbers, and rounded once.
 *
 * paper:  Arnold and Ryder, "A Framework for Reducing the Cost of Instrumented Code", PLDI 2001, after
 *         Feller, "Value Profiling for Instructions and Memory Locations", 1998
 */

/* TROD_OVERLAP_WHOLE is all of a profile, and the top is a part of it. */
enum { TROD_OVERLAP_WHOLE = 1000000, TROD_OVERLAP_TOP = 900000 };

struct trod_overlap_member {
    uint64_t a, b; /* counts; 0: it is not in that profile */
};

struct trod_overlap_part {
    double overlap;
    size_t na, nb, nboth; /* members */
};

struct trod_overlap {
    size_t nmember;
    const struct trod_overlap_member *member; /* as they were given */
    double total_a, total_b;                  /* sums of counts */
    uint32_t top_of;                          /* TROD_OVERLAP_WHOLE */
    struct trod_overlap_part all, top;
    size_t napart;
    const size_t
        *apart; /* [napart], members whose shares differ, farthest apart first */
};

/* The overlap of two profiles, of which these are the members. Among members that are as hot, or as far
 * apart, the first come first.
 *
 * needs:  each member once, with a count; top_of at most TROD_OVERLAP_WHOLE; 0: TROD_OVERLAP_TOP
 * fills:  *out; overlaps with a profile that has no members are 0
 * cost:   O(n log n)
 */
void trod_overlap_build(struct trod_overlap *out,
    const struct trod_overlap_member *member, size_t nmember, uint32_t top_of,
    struct trod_arena *mem);

/* The share of a member, in A or in B. */
double trod_overlap_share(const struct trod_overlap *overlap, size_t member, bool in_b);

/* Can there be an overlap? Paths that one of the two does not count are not members, nor is `begun`.
 *
 * fails:  TROD_E_MISMATCH when no function is in both, or nothing ran in one
 */
bool trod_overlap_check(
    const struct trod_profile_diff *diff, struct trod_err *err) TROD_MUST_CHECK;

/* The overlap of two profiles whose paths are counted; members are in the order of their difference.
 *
 * fails:  as trod_profile_diff and trod_overlap_check do
 */
bool trod_profile_overlap(struct trod_overlap *out, const struct trod_profile *a,
    const struct trod_profile *b, uint32_t top_of, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- overlap_print.c: output as text and JSON --------------------------------------------- */

enum { TROD_OVERLAP_MOST = 10 }; /* members, unless said otherwise */

/* What members are, for people. */
struct trod_overlap_format {
    const char *word; /* paths */
    const char *head; /* function and path */
    size_t most;      /* members; 0 = TROD_OVERLAP_MOST */
    void (*put)(struct trod_sink *sink, size_t member, const void *ctx);
    /* Members of the object that is open. */
    void (*json)(struct trod_json *json, size_t member, const void *ctx);
    const void *ctx;
};

void trod_overlap_print(struct trod_sink *sink, const struct trod_overlap *overlap,
    const struct trod_overlap_format *format);
/* Members of the object that is open. */
void trod_overlap_json(struct trod_json *json, const struct trod_overlap *overlap,
    const struct trod_overlap_format *format);

#endif
