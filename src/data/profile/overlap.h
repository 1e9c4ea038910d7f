/* overlap: how much two profiles have in common, member by member.
 */
#ifndef TROD_OVERLAP_H
#define TROD_OVERLAP_H

#include "profile/profile.h"

/* --- overlap.c: how much two profiles have in common ---------------------------------------
 *
 * Each member of a profile, such as a path, has a share: its count divided by the sum of all counts.
 * The overlap of two profiles is the sum, over all members, of the smaller of the
 * two shares: 0 if no member is in both, 1 if all members have the same shares, however
 * often the programs ran. Half of the sum of all differences of shares is what is missing to 1.
 * The overlap of the top considers only the hottest members: of each profile as many as make
 * up a given part of it, including the last one needed, with their shares of what is kept.
 *
 * Both are symmetric. They are computed in integers, and rounded once.
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
    const struct trod_overlap_member *member; /* as given */
    double total_a, total_b;                  /* sums of counts */
    uint32_t top_of;                          /* TROD_OVERLAP_WHOLE */
    struct trod_overlap_part all, top;
    size_t napart;
    const size_t
        *apart; /* [napart], members whose shares differ, farthest apart first */
};

/* The overlap of two profiles, of which these are the members. Among equally hot members, or equal
 * differences, the order of members decides.
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

enum { TROD_OVERLAP_MOST = 10 }; /* members, by default */

/* What members are, for people. */
struct trod_overlap_format {
    const char *word; /* paths */
    const char *head; /* function and path */
    size_t most;      /* members; 0 = TROD_OVERLAP_MOST */
    void (*put)(struct trod_sink *sink, size_t member, const void *ctx);
    /* Members of the open object. */
    void (*json)(struct trod_json *json, size_t member, const void *ctx);
    const void *ctx;
};

void trod_overlap_print(struct trod_sink *sink, const struct trod_overlap *overlap,
    const struct trod_overlap_format *format);
/* Members of the open object. */
void trod_overlap_json(struct trod_json *json, const struct trod_overlap *overlap,
    const struct trod_overlap_format *format);

#endif
