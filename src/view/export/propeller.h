/* propeller: layout and path cloning for functions of machine code. Internal to export_propeller.c and propeller_*.c.
 *
 *     flow + blocks of the file -> function -> clones -> layout
 *
 * Glossary
 *   block   a machine basic block, as LLVM numbered it when the file was compiled
 *   clone   a block sequence: all blocks except the first are copied, and control from the first to the second goes to the
 *           copies instead. LLVM numbers the copies of a block from 1, in the order of clones
 *   node    a block (copy 0), or a copy of one
 *   falls   executions that continue to the next node in memory, without a taken jump
 */
#ifndef TROD_PROPELLER_H
#define TROD_PROPELLER_H

#include "export/export.h"

struct trod_propeller_path {
    uint64_t count;
    uint32_t nblock;
    const uint32_t *block; /* [nblock] */
    uint32_t to; /* target block of its last jump, which is cut; TROD_NONE: it ended */
};

struct trod_propeller_function {
    const char *name;
    uint32_t nblock;                       /* by address; not all of them ran */
    const struct trod_export_block *block; /* [nblock] */
    const bool *fixed;                     /* [nblock]: it must not be copied */
    uint32_t entry;                        /* block */
    size_t npath;
    const struct trod_propeller_path *path;
    uint64_t weight; /* executed blocks */
};

enum { TROD_PROPELLER_LONGEST = 12 }; /* longest clone, in blocks */

struct trod_propeller_clone {
    uint32_t nblock; /* 2 or more */
    uint32_t block[TROD_PROPELLER_LONGEST];
};

struct trod_propeller_node {
    uint32_t block, copy;
};

struct trod_propeller_layout {
    size_t nnode;
    const struct trod_propeller_node
        *node;             /* executed nodes, in layout order; the entry first */
    uint64_t falls, jumps; /* executions */
};

/* --- propeller_blocks.c: paths of nodes as paths of blocks ------------------------------- */

/* False if it has no blocks in the file, or is not a function there.
 *
 * cost:   O(length of all paths x log blocks)
 */
bool trod_propeller_function(struct trod_propeller_function *out,
    const struct trod_flow *flow, const struct trod_export_blocks *blocks,
    trod_edge *step, struct trod_arena *mem);

/* --- propeller_layout.c: maximise fall-through --------------- */

/* Paths are walked through the function with its copies, and blocks are chained along the hottest edges.
 *
 * needs:  compatible clones: trod_propeller_choose()
 * cost:   O(length of all paths), a sort of edges
 * paper:  Pettis and Hansen, "Profile Guided Code Positioning", PLDI 1990, the second algorithm for blocks
 */
void trod_propeller_layout(struct trod_propeller_layout *out,
    const struct trod_propeller_function *function,
    const struct trod_propeller_clone *clone, uint32_t nclone, struct trod_arena *mem);

/* --- propeller_clone.c: choice of paths to clone ------------------------------------------ */

struct trod_propeller_choice {
    uint32_t most;      /* clones */
    uint64_t worth;     /* jumps that a clone must save */
    uint64_t most_byte; /* limit on the size of all copies */
};

/* Choose clones, in the order in which LLVM must make them. LLVM accepts a clone if its blocks exist, each follows the one before it, only the
 * last has an indirect branch, no block occurs twice in it, no copied block contains something that must be unique, and no earlier clone has
 * redirected its first edge: so no clone contains an edge with which another begins. Each candidate is evaluated: it must save at least `worth` jumps.
 *
 * fills:  at most choice->most of out, the layout with them
 * cost:   O(length of all paths) for each of the 64 edges that are tried
 */
uint32_t trod_propeller_choose(struct trod_propeller_clone *out,
    struct trod_propeller_layout *layout,
    const struct trod_propeller_function *function,
    const struct trod_propeller_choice *choice, struct trod_arena *mem);

#endif
