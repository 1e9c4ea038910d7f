/* propeller: functions of machine code, as blocks that are to be laid out anew. What export_propeller.c and propeller_*.c share.
 *
 *     flow + blocks of the file -> function -> clones -> layout
 *
 * Glossary
 *   block   a machine basic block, as LLVM numbered it when the file was compiled
 *   clone   a block sequence: all but the first are copied, and whoever comes from the first to the second comes to the
 *           copies instead. LLVM numbers copies of a block from 1 on, in the order of clones
 *   node    a block (copy 0), or a copy of one
 *   falls   what runs on to the node that is next in memory, without a jump that is taken
 */
#ifndef TROD_PROPELLER_H
#define TROD_PROPELLER_H

#include "export/export.h"

struct trod_propeller_path {
    uint64_t count;
    uint32_t nblock;
    const uint32_t *block; /* [nblock] */
    uint32_t
        to; /* block that its last jump, which is cut, went to; TROD_NONE: it ended */
};

struct trod_propeller_function {
    const char *name;
    uint32_t nblock;                       /* by address; not all of them ran */
    const struct trod_export_block *block; /* [nblock] */
    const bool *fixed;                     /* [nblock]: it is not to be copied */
    uint32_t entry;                        /* block */
    size_t npath;
    const struct trod_propeller_path *path;
    uint64_t weight; /* blocks that ran, each as often as it did */
};

enum { TROD_PROPELLER_LONGEST = 12 }; /* clones, in blocks */

struct trod_propeller_clone {
    uint32_t nblock; /* 2 or more */
    uint32_t block[TROD_PROPELLER_LONGEST];
};

struct trod_propeller_node {
    uint32_t block, copy;
};

struct trod_propeller_layout {
    size_t nnode;
    const struct trod_propeller_node *node; /* that ran, in order; the entry first */
    uint64_t falls, jumps;                  /* times */
};

/* --- propeller_blocks.c: paths of nodes as paths of blocks ------------------------------- */

/* False: it has no blocks in the file, or is not a function there.
 *
 * cost:   O(length of all paths x log blocks)
 */
bool trod_propeller_function(struct trod_propeller_function *out,
    const struct trod_flow *flow, const struct trod_export_blocks *blocks,
    trod_edge *step, struct trod_arena *mem);

/* --- propeller_layout.c: an order in which most of what runs falls through --------------- */

/* Paths are walked through the function with its copies, and blocks are put one after another along the edges that ran most.
 *
 * needs:  clones that fit together: trod_propeller_choose()
 * cost:   O(length of all paths), a sort of edges
 * paper:  Pettis and Hansen, "Profile Guided Code Positioning", PLDI 1990, the second algorithm for blocks
 */
void trod_propeller_layout(struct trod_propeller_layout *out,
    const struct trod_propeller_function *function,
    const struct trod_propeller_clone *clone, uint32_t nclone, struct trod_arena *mem);

/* --- propeller_clone.c: which paths are worth it ------------------------------------------ */

struct trod_propeller_choice {
    uint32_t most;      /* clones */
    uint64_t worth;     /* jumps that a clone must save */
    uint64_t most_byte; /* that all copies together may have */
};

/* Clones, in the order in which they are to be made. LLVM takes a clone if its blocks are there, each follows the one before it, none but the
 * last has an indirect branch, no block is copied twice by it, none that is copied has what must be there once only, and nobody before it has taken the way: so no clone has an edge that
 * another one begins with. Each is tried: with it, at least `worth` jumps are saved.
 *
 * fills:  at most choice->most of out, the layout with them
 * cost:   O(length of all paths) for each of the 64 edges that are tried
 */
uint32_t trod_propeller_choose(struct trod_propeller_clone *out,
    struct trod_propeller_layout *layout,
    const struct trod_propeller_function *function,
    const struct trod_propeller_choice *choice, struct trod_arena *mem);

#endif
