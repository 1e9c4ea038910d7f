/* What is between the lines of units and a program: construct_parse.c and construct_top.c fill it, construct_build.c and
 * construct_use.c read it.
 *
 *   top     something at file scope, with all below it: constructs first .. end - 1, uses first_use .. end_use - 1
 *   target  what a use names, before it is known what that is
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
    bool is_dropped; /* another is what it is */
};

/* Files, kinds and symbols are numbered as they come. Parents and next are numbers in construct; the parent of what is at
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
    struct trod_table tops; /* by what they are */
    struct construct_named_use *use;
    uint32_t nuse, room_use;
    struct construct_taken *taken;
    uint32_t ntaken, room_taken;
    struct construct_code *code;
    uint32_t ncode, room_code;
    const char **unit;
    uint32_t nunit, room_unit;
    struct trod_names notes;
    uint32_t *open; /* by depth: what the next line may be in */
    uint32_t nopen, room_open;
    uint32_t file; /* of what follows; TROD_NO_CONSTRUCT: not said */
};

/* --- construct_top.c ------------------------------------------------------------------------------------ */

/* Are two at file scope the same thing, whatever is in it? */
bool trod_construct_is_one(
    const struct trod_construct *a, const struct trod_construct *b);
/* What is open gets an end; something at file scope that is there already, from another unit, is taken back. */
void trod_construct_close(struct trod_constructs_builder *b);
/* The construct that is added next is at this depth. */
void trod_construct_open(struct trod_constructs_builder *b, uint32_t depth);

/* --- construct_use.c ------------------------------------------------------------------------------------ */

/* Uses of what is in the program: number[] has it by numbers in the builder's construct, and file_of_file[] its files.
 *
 * needs:  out->construct, out->named
 * fills:  out->use, out->pointed
 */
void trod_construct_resolve(struct trod_constructs *out,
    struct trod_constructs_builder *b, const uint32_t *file_of_file,
    const uint32_t *number);

#endif
