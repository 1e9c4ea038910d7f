/* matching: what the files that match blocks share, while they do. */
#ifndef TROD_MATCHING_H
#define TROD_MATCHING_H

#include "match/match.h"

enum { TROD_MATCH_RADII = 3 };

struct trod_match_side {
    const struct trod_map_entry *entry;
    const struct trod_graph *graph;
    struct trod_order order;
    struct trod_loops loops;
    uint64_t *key[TROD_MATCH_RADII]; /* by radius, [nodes]; NULL: no hashes */
    uint64_t *callees;               /* [nodes] hash of whom it calls, 0: nobody */
};

struct trod_matching {
    struct trod_match *match;
    struct trod_match_side old, later;
    bool alike; /* the shapes of both graphs are equal, by position in the order */
    trod_node *queue; /* [old nodes] matched, in the order they were */
    uint32_t nqueue;
    struct trod_arena *mem;
};

static inline bool trod_matching_has(
    const struct trod_matching *m, trod_node old, trod_node new)
{
    return m->match->new_of_old[old] == new;
}

static inline bool trod_matching_open(
    const struct trod_matching *m, trod_node old, trod_node new)
{
    return m->match->new_of_old[old] == TROD_NONE &&
           m->match->old_of_new[new] == TROD_NONE;
}

static inline void trod_matching_pair(
    struct trod_matching *m, trod_node old, trod_node new)
{
    assert(trod_matching_open(m, old, new));
    m->match->new_of_old[old] = new;
    m->match->old_of_new[new] = old;
    m->queue[m->nqueue++] = old;
}

static inline bool trod_matching_same(
    const struct trod_matching *m, trod_node old, trod_node new)
{
    return m->old.key[0] && m->later.key[0] &&
           m->old.key[0][old] == m->later.key[0][new];
}

/* Rows of equal blocks, in the order of the code. */
void trod_matching_rows(struct trod_matching *m);
void trod_matching_moved(struct trod_matching *m);

/* Blocks beside matched ones: with equal keys only, or also such that are alike. */
void trod_matching_near(struct trod_matching *m, bool weak);

/* Headers that have no match yet, by nest and order. */
void trod_matching_headers(struct trod_matching *m);

/* fills:  loop_of_old, same_loop
 * needs:  all of new_of_old and same_of_old
 */
void trod_matching_loops(struct trod_matching *m);

#endif
