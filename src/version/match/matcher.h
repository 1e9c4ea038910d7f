/* matcher: shared by the files that match blocks. */
#ifndef TROD_MATCHER_H
#define TROD_MATCHER_H

#include "match/match.h"

enum { TROD_MATCH_RADII = 3 };

struct trod_match_side {
    const struct trod_map_entry *entry;
    const struct trod_graph *graph;
    struct trod_order order;
    struct trod_loops loops;
    uint64_t *key[TROD_MATCH_RADII]; /* by radius, [nodes]; NULL: no hashes */
    uint64_t *callees;               /* [nodes] hash of its callees, 0: none */
};

struct trod_matcher {
    struct trod_match *match;
    struct trod_match_side old, later;
    bool alike; /* the shapes of both graphs are equal, by position in the order */
    trod_node *queue; /* [old nodes] matched nodes, in the order of matching */
    uint32_t nqueue;
    struct trod_arena *mem;
};

static inline bool trod_matcher_has(
    const struct trod_matcher *m, trod_node old, trod_node new)
{
    return m->match->new_of_old[old] == new;
}

static inline bool trod_matcher_open(
    const struct trod_matcher *m, trod_node old, trod_node new)
{
    return m->match->new_of_old[old] == TROD_NONE &&
           m->match->old_of_new[new] == TROD_NONE;
}

static inline void trod_matcher_pair(
    struct trod_matcher *m, trod_node old, trod_node new)
{
    assert(trod_matcher_open(m, old, new));
    m->match->new_of_old[old] = new;
    m->match->old_of_new[new] = old;
    m->queue[m->nqueue++] = old;
}

static inline bool trod_matcher_same(
    const struct trod_matcher *m, trod_node old, trod_node new)
{
    return m->old.key[0] && m->later.key[0] &&
           m->old.key[0][old] == m->later.key[0][new];
}

/* Match common subsequences of equal blocks, in code order. */
void trod_matcher_rows(struct trod_matcher *m);
void trod_matcher_moved(struct trod_matcher *m);

/* Match neighbours of matched blocks: with equal keys only, or also similar ones. */
void trod_matcher_near(struct trod_matcher *m, bool weak);

/* Match remaining loop headers, by nesting and order. */
void trod_matcher_headers(struct trod_matcher *m);

/* fills:  loop_of_old, same_loop
 * needs:  all of new_of_old and same_of_old
 */
void trod_matcher_loops(struct trod_matcher *m);

#endif
