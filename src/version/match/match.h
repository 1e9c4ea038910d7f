/* match: which block of the new graph of a function is which of the old one; paths and counts carried over.
 *
 *     two entries of maps -> nodes, edges, loops matched -> paths moved, counts repaired
 *
 * A block has a hash of what it does (`nodes` in the map). Blocks are the same if hashes are and they stand in the same
 * place; where the graph is another one, the longest rows of equal blocks are found, then blocks whose neighbours are
 * matched. Numbers of paths do not survive a change of the graph; block sequences do: a path moves if all of its blocks
 * are matched, and follow each other in the new graph as they did in the old.
 *
 * Glossary
 *   key      of a block: its hash, whom it calls and how many ways lead out of it; with radius r, the same of all blocks
 *            up to r edges away
 *   same     of a matched block: its key is, too. Else the match is weak: a guess from what is around it.
 *   piece    of an old path: where an edge is cut now that was not, one path has become several
 *   fault    a block that is not left as often as it is come to
 *
 * Where a map has no hashes (it was built by an older trod), blocks are matched by place if both graphs have the same
 * shape, else not at all; none is the same then, unless the meaning of the whole function is. Blocks that cannot be reached
 * are matched with none. Loops are those of trod_graph_loops() on the graph of the numbering, in trod_graph_order().
 *
 * Memory: in the arena handed in; a match refers to both entries.
 */
#ifndef TROD_MATCH_H
#define TROD_MATCH_H

#include "map/map.h"

struct trod_match {
    const struct trod_map_entry *old, *later;
    bool hashed; /* both maps have hashes of blocks */
    bool same;   /* graphs, cuts and hashes of all blocks are: ids mean the same */
    uint32_t nloop_old, nloop_new;
    trod_node *new_of_old;  /* [old nodes] or TROD_NONE */
    trod_node *old_of_new;  /* [new nodes] or TROD_NONE */
    uint64_t *same_of_old;  /* set of nodes: matched, and hashes are equal */
    trod_edge *edge_of_old; /* [old edges] the new edge, or TROD_NONE */
    uint64_t *
        starts_of_old; /* set of old nodes: paths that start there still do, all of them */
    uint32_t *loop_of_old; /* [old loops] the new loop, or TROD_NONE */
    uint64_t *
        same_loop; /* set of old loops: all blocks of it are same, and the edges among them and out of it */
};

/* --- match.c, match_rows.c, match_near.c, match_loops.c -------------------------------------------------------------
 *
 * In this order: entries; where shapes are equal, blocks with equal keys in equal places; unique equal keys, of radius
 * 2, then 1, then 0, as many as come in the same order in both; between these, the longest common rows; neighbours of
 * matched blocks with equal keys; other unique equal keys, wherever they stand; neighbours that are alike; headers of loops, by nest and order; neighbours again.
 *
 * needs:  both entries have a numbering
 * cost:   O(edges log edges), and at most 2^25 steps for common rows: what is beyond that is matched by unique keys and
 *         neighbours alone. Loops: edges x depth of the nest.
 */
void trod_match_build(struct trod_match *out, const struct trod_map_entry *old,
    const struct trod_map_entry *later, struct trod_arena *mem);

/* Check that
 *   - nodes, edges and loops are matched with at most one each, in range, both ways alike;
 *   - entries are matched, and edges only between matched blocks;
 *   - blocks that are the same have equal hashes and as many successors; blocks of the same loop are all the same;
 *   - if all is the same, every block and edge that can be reached is matched and same.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_match_check(
    const struct trod_match *match, struct trod_err *err) TROD_MUST_CHECK;

/* Edges of the new graph that old edges are; TROD_NONE: none. Out of blocks that are the same, the edge in the same place,
 * if it leads to the same block; else the k-th for the k-th of as many between the two.
 */
trod_edge trod_match_edge(const struct trod_match *match, trod_edge old);

/* --- match_paths.c: paths moved ------------------------------------------------------------------------------------ */

/* The id that an old path has in the new graph; false: it has none, or has become several. */
bool trod_match_path(trod_path *out, const struct trod_match *match, trod_path old,
    struct trod_arena *mem);

/* The same of what a profile counts: a path, or a chain of them. Chains move if both maps have as many iterations. */
bool trod_match_chain(trod_path *out, const struct trod_match *match, trod_path old,
    struct trod_arena *mem);

/* The new paths that an old one has become, one after another; returns how many, 0: it cannot be moved. A path that
 * ended at a cut that is none any more cannot, nor can those that started after it: which of them goes with which is
 * not known.
 *
 * needs:  room for as many as the new graph has nodes, at least one
 */
uint32_t trod_match_pieces(trod_path *out, const struct trod_match *match,
    trod_path old, struct trod_arena *mem);

struct trod_moved {
    size_t npath;
    trod_path *id; /* [npath] of the new graph, ascending */
    uint64_t *count;
    size_t nran, nmoved, nlost; /* old paths */
    uint64_t ran, moved, lost;  /* how often they ran; saturates */
    uint64_t weak; /* of those moved: across blocks that are not the same */
    uint32_t nfault;
    trod_node *
        fault; /* [nfault] of the new graph: where moved paths do not add up, by trod_repair_faults() */
};

/* All paths of a function. Ids are of paths, not of chains.
 *
 * needs:  every id below the old numbering's npath
 * cost:   O(paths x length of a path)
 */
void trod_match_move(struct trod_moved *out, const struct trod_match *match,
    const trod_path *id, const uint64_t *count, size_t npath, struct trod_arena *mem);

/* How often each edge was taken, and the function entered, by paths that ran.
 *
 * fills:  flow[edges of the graph], entries
 */
void trod_match_flow(uint64_t *flow, uint64_t *entries,
    const struct trod_numbering *ballarus, const trod_path *id, const uint64_t *count,
    size_t npath, struct trod_arena *mem);

/* --- repair.c: counts that fit together --------------------------------------------------------------------------
 *
 * What is known of edges, from old counts, becomes a flow: what comes into a block leaves it. Of all flows, one that
 * is nearest: each count is changed by as little as possible, a change of one costs the more the surer the count was. A
 * min-cost flow, as in "Improved Basic Block Reordering" and BOLT's matching of stale profiles (Ayupov, Panchenko,
 * Pupyrev, "Stale Profile Matching", CC 2024).
 *
 * A function ends at its exits, at no cost. It may also be left at blocks that may leave it, and at those from which no exit
 * can be reached, and come back to where a call may return again: each time costs TROD_REPAIR_LEAVE, as much as two
 * changes of what was surest. Edges out of blocks that cannot be reached get 0.
 */
enum { TROD_REPAIR_SURE = 100, TROD_REPAIR_LEAVE = 200 };

struct trod_repair {
    const struct trod_graph *graph;
    const uint64_t *count_of_edge; /* [nedge] what is thought */
    const uint8_t *known_of_edge;  /* [nedge] 0: nothing; else how sure, up to 100 */
    uint64_t entered;              /* how often the function is thought to be entered */
    uint8_t entered_known;
};

/* What nothing is known of is taken as 0, and may be changed at no cost: where several ways are such, one of them gets all.
 * An estimate (trod_graph_weights) that is sure by 1 is better than none.
 *
 * fills:  flow[nedge], entries: how often it is entered; conserved at every node, cuts included as the edges they are
 * cost:   O(edges * log * augmentations); see repair.c. Not of how large counts are. If they add up to 2^62 or more,
 *         low bits are lost.
 */
void trod_repair_flow(uint64_t *flow, uint64_t *entries,
    const struct trod_repair *repair, struct trod_arena *mem);

/* What it costs to take a flow for what is thought; saturates.
 *
 * needs:  a flow without faults, and not left but where trod_repair_flow() does
 */
uint64_t trod_repair_cost(
    const struct trod_repair *repair, const uint64_t *flow, uint64_t entries);

/* Where does flow not add up? All such nodes, ascending; or the first one, or TROD_NONE. What leaves a function in the middle
 * is allowed for: less may leave than came to a block that may leave the function or that no exit is reached from; and to one
 * where a path begins, if it may come from there to such a block, for a path that is left is not counted. More may
 * leave than came where a call may return again.
 *
 * cost:   O(nodes + edges)
 */
uint32_t trod_repair_faults(trod_node **out, const struct trod_graph *graph,
    const uint64_t *flow, uint64_t entries, struct trod_arena *mem);
trod_node trod_repair_fault(const struct trod_graph *graph, const uint64_t *flow,
    uint64_t entries, struct trod_arena *mem);

#endif
