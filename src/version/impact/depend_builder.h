/* depend_builder: dependences of units before they are linked into one graph. depend_text.c reads, depend.c links.
 *
 * Numbers of nodes are those of the text until its unit ends, then those of all units.
 */
#ifndef TROD_DEPEND_BUILDER_H
#define TROD_DEPEND_BUILDER_H

#include "impact/impact.h"

struct trod_depend_pair {
    uint32_t from, to;
};

/* A range of nodes in the builder's array. */
struct trod_depend_row {
    uint32_t function;
    uint64_t first;
    uint32_t count;
};

struct trod_depend_call {
    struct trod_depend_row row; /* arguments */
    uint32_t node, result;      /* result: TROD_NO_CONSTRUCT of none */
};

struct trod_depend_taken {
    uint32_t function,
        type; /* a type is represented as a function without entry, with '*' before its name */
};

struct trod_depends_builder {
    struct trod_arena *mem;
    const char *name;       /* NULL: nothing read yet */
    struct trod_names word; /* interned names: equal names have equal pointers */
    struct trod_names file;
    struct trod_names
        function; /* static ones as FILE:NAME; and types, with a '*' before */

    struct trod_depend_node *node;
    uint64_t *memory; /* set of nodes */
    uint32_t nnode, room_node, room_memory;
    struct trod_depend_pair *edge;
    uint64_t nedge, room_edge;
    struct trod_depend_pair *points;
    uint64_t npoints, room_points;
    struct trod_depend_global *global;
    uint32_t nglobal, room_global;
    struct trod_depend_row *enter, *leave;
    uint32_t nenter, room_enter, nleave, room_leave;
    struct trod_depend_call *call;
    uint32_t ncall, room_call;
    struct trod_depend_taken *taken;
    uint32_t ntaken, room_taken;
    uint32_t *row; /* nodes of all rows */
    uint64_t nrow, room_row;
};

#endif
