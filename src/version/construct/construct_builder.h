/* construct_builder: intermediate form between the text of units and a program. construct_parse.c and construct_top.c fill it,
 * construct_build.c and construct_use.c read it.
 *
 *   top     a construct at file scope, with its descendants: constructs first .. end - 1, uses first_use .. end_use - 1
 *   target  the target of a use before it is resolved
 */
#ifndef TROD_CONSTRUCT_BUILDER_H
#define TROD_CONSTRUCT_BUILDER_H

#include "construct/construct.h"
#include "base/table.h"

struct construct_target {
    uint32_t symbol;
    uint32_t file;  /* TROD_NO_CONSTRUCT: any */
    uint32_t line;  /* TROD_NO_CONSTRUCT: any */
    uint32_t level; /* TROD_NO_CONSTRUCT: any */
};

struct construct_named_use {
    uint32_t from; /* number in construct */
    enum trod_construct_use_kind kind;
    uint64_t type; /* TROD_USE_MAY_CALL: instead of a target */
    struct construct_target target;
};

struct construct_taken {
    uint64_t type;
    struct construct_target target;
};

struct construct_code {
    uint32_t symbol, file;
    uint64_t meaning, shape;
};

struct construct_top {
    uint32_t first, end;
    uint32_t first_use, end_use;
    bool is_dropped; /* a duplicate */
};

/* Files, kinds and symbols are numbered in order of appearance. Parents and next are numbers in construct; the parent of a construct at
 * file scope is TROD_NO_CONSTRUCT.
 */
struct trod_constructs_builder {
    const char *name;
    struct trod_arena *mem;
    struct trod_levels levels;
    struct trod_names files, kinds, symbols;
    struct trod_construct *construct;
    uint32_t nconstruct, room_construct;
    struct construct_top *top;
    uint32_t ntop, room_top;
    struct trod_table tops; /* by identity */
    struct construct_named_use *use;
    uint32_t nuse, room_use;
    struct construct_taken *taken;
    uint32_t ntaken, room_taken;
    struct construct_code *code;
    uint32_t ncode, room_code;
    const char **unit;
    uint32_t nunit, room_unit;
    struct trod_names notes;
    uint32_t *open; /* by depth: possible parents of the next line */
    uint32_t nopen, room_open;
    uint32_t file; /* of the following lines; TROD_NO_CONSTRUCT: not given */
};

/* --- construct_top.c ------------------------------------------------------------------------------------ */

/* Do two constructs at file scope have the same identity? */
bool trod_construct_is_one(
    const struct trod_construct *a, const struct trod_construct *b);
/* Close all open constructs; a construct at file scope that another unit already has is removed. */
void trod_construct_close(struct trod_constructs_builder *b);
/* The next construct is at this depth. */
void trod_construct_open(struct trod_constructs_builder *b, uint32_t depth);

/* --- construct_use.c ------------------------------------------------------------------------------------ */

/* Resolve uses: number[] maps the builder's constructs to those of the program, and file_of_file[] its files.
 *
 * needs:  out->construct, out->named
 * fills:  out->use, out->pointed
 */
void trod_construct_resolve(struct trod_constructs *out,
    struct trod_constructs_builder *b, const uint32_t *file_of_file,
    const uint32_t *number);

#endif
