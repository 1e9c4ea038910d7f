/* match: which block of the new graph of a function is which of the old one; paths and counts carried over.
 *
 *     two entries of maps -> nodes, edges, loops matched -> paths moved, counts repaired
 *
 * A block has a hash of what it does (`nodes` in the map). Blocks are the same if hashes are and they stand in the same
 * place; where the graph is another one, the longest rows of equal blocks are found, then blocks whose neighbours are
 * matched. Numbers of paths do not survive a change of the graph; rows of blocks do: a path moves if all of its blocks
 * are matched, and follow each other in the new graph as they did in the old.
 */
#ifndef TROD_MATCH_H
#define TROD_MATCH_H

#include "migrate/migrate.h"

struct trod_match {
    const struct trod_map_entry *old, *new;
    bool same; /* graphs, cuts and hashes of all blocks are: ids mean the same */
    trod_node *new_of_old; /* [old nodes] or TROD_NONE */
    trod_node *old_of_new; /* [new nodes] or TROD_NONE */
    uint64_t *same_of_old; /* set of nodes: matched, and hashes are equal */
    uint32_t *loop_of_old; /* [old loops] the new loop, or TROD_NONE */
    uint64_t *
        same_loop; /* set of old loops: all blocks of it are same, and the edges among them and out of it */
};

void trod_match_build(struct trod_match *out, const struct trod_map_entry *old,
    const struct trod_map_entry *new, struct trod_arena *mem);

/* The id that an old path has in the new graph; false: it has none. */
bool trod_match_path(trod_path *out, const struct trod_match *match, trod_path old,
    struct trod_arena *mem);

/* Edges of the new graph that old edges are; TROD_NONE: none. */
trod_edge trod_match_edge(const struct trod_match *match, trod_edge old);

bool trod_match_check(
    const struct trod_match *match, struct trod_err *err) TROD_MUST_CHECK;

/* --- repair.c: counts that fit together --------------------------------------------------------------------------
 *
 * What is known of edges, from old counts, becomes a flow: what comes into a block leaves it. Of all flows, one that
 * is nearest: each count is changed by as little as possible, a change of one costs the more the surer the count was. A
 * min-cost flow, as in "Improved Basic Block Reordering" and BOLT's matching of stale profiles (Ayupov, Panchenko,
 * Pupyrev, "Stale Profile Matching", CC 2024).
 */
struct trod_repair {
    const struct trod_graph *graph;
    const uint64_t *count_of_edge; /* [nedge] what is thought */
    const uint8_t *known_of_edge;  /* [nedge] 0: nothing; else how sure, up to 100 */
    uint64_t entered;              /* how often the function is thought to be entered */
    uint8_t entered_known;
};

/* fills:  flow[nedge], entries: how often it is entered; conserved at every node, cuts included as the edges they are
 * cost:   O(edges * log * augmentations); see repair.c
 */
void trod_repair_flow(uint64_t *flow, uint64_t *entries,
    const struct trod_repair *repair, struct trod_arena *mem);

/* Where does flow not add up? The first such node, or TROD_NONE. What leaves a function in the middle is allowed for. */
trod_node trod_repair_fault(
    const struct trod_graph *graph, const uint64_t *flow, uint64_t entries);

#endif
