/* walk: follows a path of a supergraph edge by edge: the current subpath, and
 * its frame. Internal to super.
 */
#ifndef TROD_SUPER_WALK_H
#define TROD_SUPER_WALK_H

#include "super/super.h"

struct trod_super_walk {
    const struct trod_super *super;
    const struct trod_dag *dag; /* of the supergraph */
    uint32_t frame;
    uint64_t id;                  /* of the subpath so far */
    bool piece;                   /* the subpath is incomplete */
    const struct trod_call *call; /* at which the path ended, or NULL */
};

enum trod_super_turn { TROD_SUPER_STAYS, TROD_SUPER_CALLS, TROD_SUPER_RETURNS };

/* The first edge of a path: out of ENTRY. */
void trod_super_walk_start(struct trod_super_walk *walk, trod_edge e);

/* An edge between two nodes of the supergraph. If it calls or returns, the subpath before it is
 * in *ended.
 */
enum trod_super_turn trod_super_walk_cross(
    struct trod_super_walk *walk, struct trod_step *ended, trod_edge e);

/* The last edge of a path: to EXIT. */
enum trod_super_end trod_super_walk_end(
    struct trod_super_walk *walk, struct trod_step *ended, trod_edge e);

/* Is a segment, with so many calls, some of them open, incomplete where its row
 * ends this way?
 */
bool trod_super_ends_early(
    enum trod_super_end end, uint64_t ncall, uint64_t nopen, uint64_t depth);

#endif
