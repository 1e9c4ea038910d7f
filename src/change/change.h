/* change: what is different between two versions of a program, and what is the same.
 *
 *     constructs of old and new -> map, atomic changes -> (impact, migrate)
 *
 * Glossary
 *   map      for each construct of one version the one of the other that it is; none for what was added or deleted
 *   same     of two constructs that are mapped: their trees are equal, or, of functions, their meanings
 *   change   an atomic change: one construct that was added or deleted, or whose own part is another. What only stands
 *            elsewhere, is laid out in another way or was renamed as a file is not a change.
 *   weight   what a change counts for, by what happened and to what kind of construct; 1 if nothing else is said
 *   significance  the weight of all changes, by that of all statements of the old and the new program
 *
 * paper:  ProfMig, sections 4.3.1 and 4.3.2; Horwitz, "Identifying the semantic and textual differences between two
 *         versions of a program", 1989
 *
 * Memory: in the arena handed in.
 */
#ifndef TROD_CHANGE_H
#define TROD_CHANGE_H

#include "construct/construct.h"

enum trod_change_kind {
    TROD_CHANGE_ADDED,   /* is in the new program only */
    TROD_CHANGE_DELETED, /* is in the old program only */
    TROD_CHANGE_EDITED,  /* is in both, and its own part differs */
    TROD_CHANGE_MOVED    /* is in both, and its place among its siblings differs */
};

struct trod_change {
    enum trod_change_kind kind;
    uint32_t old, new; /* constructs; TROD_NO_CONSTRUCT where there is none */
};

struct trod_changes {
    const struct trod_constructs *old, *new;
    uint32_t *new_of_old; /* [old->nconstruct] or TROD_NO_CONSTRUCT */
    uint32_t *old_of_new; /* [new->nconstruct] or TROD_NO_CONSTRUCT */
    uint64_t
        *same_of_old; /* set: it and all below it are the same in the new program */
    uint64_t *same_of_new;
    uint32_t nchange;
    struct trod_change *
        change; /* by function, then by place in the source; those of the finest constructs */
    double significance;
};

struct trod_change_weight {
    int kind;         /* enum trod_change_kind, or -1: any */
    const char *what; /* a kind of construct: if, call, decl, ...; NULL: any */
    double weight;
};

struct trod_change_options {
    const struct trod_change_weight *weight; /* the last that fits counts */
    uint32_t nweight;
    double
        least_alike; /* Dice coefficient from which two statements are taken for one, edited: 0.4 */
    uint32_t
        most_pairs; /* beyond so many pairs of statements of a function the quadratic parts are left out: 4000000 */
};
void trod_change_options_init(struct trod_change_options *out);

/* cost:   O(constructs log constructs), and within functions that differ O(pairs), up to a limit */
void trod_changes_build(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *new, const struct trod_change_options *options,
    struct trod_arena *mem);

/* Is the function changed: not the same, or there in one version only? */
bool trod_changes_has(const struct trod_changes *of, uint32_t old_function);

/* Text form:
 *
 *     changes OLD NEW
 *     significance 0.034
 *     same 12 14                 # constructs of old and new, by number, with all below them
 *     map 17 20                  # mapped, and something in them differs
 *     added 31
 *     deleted 8
 *     edited 17 20
 *     moved 18 23
 *
 * and, for people, with files, lines and names.
 */
void trod_changes_print(struct trod_sink *sink, const struct trod_changes *of);
bool trod_changes_parse(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *new, struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
void trod_changes_show(struct trod_sink *sink, const struct trod_changes *of);
void trod_changes_json(
    struct trod_json *json, const char *key, const struct trod_changes *of);

/* Check that map and its reverse agree, that what is mapped has one level and mapped parents or none, that what is the
 * same is mapped below itself one to one, that every construct that is not mapped is a change or below one, and that
 * changes are in order.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_changes_check(
    const struct trod_changes *of, struct trod_err *err) TROD_MUST_CHECK;

#endif
