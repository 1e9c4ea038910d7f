/* match: blocks of a function matched between two versions; paths moved and counts repaired.
 *
 *     two entries of maps -> nodes, edges, loops matched -> paths moved, counts repaired
 *
 * A block has a semantic hash (`nodes` in the map). Blocks are the same if their hashes and
 * positions are; if the graphs differ, the longest common subsequences of equal blocks are matched, then blocks whose neighbours are
 * matched. Ids of paths do not survive a change of the graph, but block sequences do: a path is moved if all of its blocks
 * are matched, and follow each other in the new graph as in the old.
 *
 * Glossary
 *   key      of a block: its hash, its callees and its number of successors; with radius r, those of all blocks
 *            up to r edges away
 *   same     of a matched block: its key is equal, too. Otherwise the match is weak: a guess from its neighbours.
 *   piece    of an old path: if an edge is cut now that was not, one path has become several
 *   fault    a block whose outgoing flow differs from its incoming flow
 *
 * If a map has no hashes (it was built by an older trod), blocks are matched by position if both graphs have the same
 * shape, otherwise not at all; then none is the same, unless the meaning of the whole function is. Unreachable blocks
 * are not matched. Loops are those of trod_graph_loops() on the graph of the numbering, in trod_graph_order().
 *
 * Memory: in the arena handed in; a match refers to both entries.
 */
#ifndef TROD_MATCH_H
#define TROD_MATCH_H

#include "map/map.h"

struct trod_match {
    const struct trod_map_entry *old, *later;
    bool hashed; /* both maps have hashes of blocks */
    bool same; /* graphs, cuts and hashes of all blocks are equal: ids mean the same */
    uint32_t nloop_old, nloop_new;
    trod_node *new_of_old;   /* [old nodes] or TROD_NONE */
    trod_node *old_of_new;   /* [new nodes] or TROD_NONE */
    uint64_t *same_of_old;   /* set of nodes: matched, and hashes are equal */
    trod_edge *edge_of_old;  /* [old edges] the new edge, or TROD_NONE */
    uint64_t *starts_of_old; /* set of old nodes: all paths that start there still do */
    uint32_t *loop_of_old;   /* [old loops] the new loop, or TROD_NONE */
    uint64_t *
        same_loop; /* set of old loops: all blocks, their edges and exits are the same */
};

/* --- match.c, match_rows.c, match_near.c, match_loops.c -------------------------------------------------------------
 *
 * In this order: entries; if shapes are equal, blocks with equal keys in equal positions; unique equal keys, of radius
 * 2, then 1, then 0, as many as are in the same order in both; between these, the longest common subsequences; neighbours of
 * matched blocks with equal keys; other unique equal keys, anywhere; similar neighbours; headers of loops, by nesting and order; neighbours again.
 *
 * needs:  both entries have a numbering
 * cost:   O(edges log edges), and at most 2^25 steps for common subsequences: beyond that only unique keys and
 *         neighbours are used. Loops: edges x depth of the nest.
 */
void trod_match_build(struct trod_match *out, const struct trod_map_entry *old,
    const struct trod_map_entry *later, struct trod_arena *mem);

/* Check that
 *   - nodes, edges and loops are matched with at most one each, in range, consistently in both directions;
 *   - entries are matched, and edges only between matched blocks;
 *   - blocks that are the same have equal hashes and as many successors; blocks of the same loop are all the same;
 *   - if everything is the same, every reachable block and edge is matched and same.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_match_check(
    const struct trod_match *match, struct trod_err *err) TROD_MUST_CHECK;

/* The new edge of an old edge; TROD_NONE: none. Out of a block that is the same, the edge in the same position,
 * if it leads to the matching block; otherwise the k-th for the k-th, if there are as many between the two blocks.
 */
trod_edge trod_match_edge(const struct trod_match *match, trod_edge old);

/* --- match_paths.c: paths moved ------------------------------------------------------------------------------------ */

/* The id of an old path in the new graph; false: it has none, or has become several. */
bool trod_match_path(trod_path *out, const struct trod_match *match, trod_path old,
    struct trod_arena *mem);

/* The same for a path, or a chain of paths. Chains move if both maps have the same number of iterations. */
bool trod_match_chain(trod_path *out, const struct trod_match *match, trod_path old,
    struct trod_arena *mem);

/* The new paths that an old one has become, in order; returns their number, 0: it cannot be moved. A path that
 * ended at a cut that no longer exists cannot be moved, nor can those that started after it: it is unknown which
 * of them belong together.
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
    uint64_t ran, moved, lost;  /* their executions; saturating */
    uint64_t weak;              /* of those moved: across weak matches */
    uint32_t nfault;
    trod_node *
        fault; /* [nfault] of the new graph: where the flow of moved paths is inconsistent, by trod_repair_faults() */
};

/* All paths of a function. Ids are of paths, not of chains.
 *
 * needs:  every id below the old numbering's npath
 * cost:   O(paths x length of a path)
 */
void trod_match_move(struct trod_moved *out, const struct trod_match *match,
    const trod_path *id, const uint64_t *count, size_t npath, struct trod_arena *mem);

/* The counts of edges, and of entries of the function, that follow from paths.
 *
 * fills:  flow[edges of the graph], entries
 */
void trod_match_flow(uint64_t *flow, uint64_t *entries,
    const struct trod_numbering *ballarus, const trod_path *id, const uint64_t *count,
    size_t npath, struct trod_arena *mem);

/* --- repair.c: consistent counts --------------------------------------------------------------------------
 *
 * Computes the flow nearest to the known old counts of edges. A flow conserves counts at each block. Of all flows, the one
 * with the smallest total change is used, where a change of one costs more the more certain the count is. This is a
 * min-cost flow, as in "Improved Basic Block Reordering" and BOLT's matching of stale profiles (Ayupov, Panchenko,
 * Pupyrev, "Stale Profile Matching", CC 2024).
 *
 * A function ends at its exits, at no cost. It may also be abandoned at blocks with calls that may not return, and at blocks from which no exit
 * can be reached, and re-entered where a call may return again: each time costs TROD_REPAIR_LEAVE, as much as two
 * changes of the most certain count. Edges out of unreachable blocks get 0.
 */
enum { TROD_REPAIR_SURE = 100, TROD_REPAIR_LEAVE = 200 };

struct trod_repair {
    const struct trod_graph *graph;
    const uint64_t *count_of_edge; /* [nedge] assumed counts */
    const uint8_t *known_of_edge;  /* [nedge] certainty, up to 100; 0: unknown */
    uint64_t entered;              /* assumed number of entries of the function */
    uint8_t entered_known;
};

/* Unknown counts are treated as 0, and may be changed at no cost: if several subpaths are unknown, one of them gets everything.
 * An estimate (trod_graph_weights) with certainty 1 is better than none.
 *
 * fills:  flow[nedge], entries: number of entries; conserved at every node, where cut edges count as edges
 * cost:   O(edges * log * augmentations); see repair.c. Independent of the size of counts. If their sum is 2^62 or more,
 *         low bits are lost.
 */
void trod_repair_flow(uint64_t *flow, uint64_t *entries,
    const struct trod_repair *repair, struct trod_arena *mem);

/* The cost of a flow relative to the assumed counts; saturating.
 *
 * needs:  a flow without faults, abandoned only where trod_repair_flow() allows
 */
uint64_t trod_repair_cost(
    const struct trod_repair *repair, const uint64_t *flow, uint64_t entries);

/* The nodes where flow is inconsistent: all of them, ascending; or the first one, or TROD_NONE. Abandoned activations
 * are allowed for: less may leave than enter a block with a call that may not return, or from which no exit is reachable; and a block
 * where a path begins, if such a block is reachable from it, because an unfinished path is not counted. More may
 * leave than enter a block with a call that may return again.
 *
 * cost:   O(nodes + edges)
 */
uint32_t trod_repair_faults(trod_node **out, const struct trod_graph *graph,
    const uint64_t *flow, uint64_t entries, struct trod_arena *mem);
trod_node trod_repair_fault(const struct trod_graph *graph, const uint64_t *flow,
    uint64_t entries, struct trod_arena *mem);

/* --- repair_scale.c: counts of paths, scaled ---------------------------------------------------------------------
 *
 * Multiplies the counts of the paths of a function by a factor, where `entered` paths begin at its entry afterwards. Of the whole
 * numbers near the products, those are chosen with which as many paths begin at each block as end there; where counts did not add
 * up before, because paths were not finished, the difference is multiplied, too.
 *
 * needs:  every id below npath of the numbering, unique; not chains
 * fills:  count[npath]. If sums are 2^61 or more, each count is only rounded.
 * cost:   as trod_repair_flow(), with paths for edges
 */
void trod_repair_scale(uint64_t *count, const struct trod_numbering *ballarus,
    const trod_path *id, size_t npath, double factor, uint64_t entered,
    struct trod_arena *mem);

/* The product, rounded; at most UINT64_MAX. */
uint64_t trod_repair_times(uint64_t count, double factor);

#endif
