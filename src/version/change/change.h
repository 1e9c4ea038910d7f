/* change: the differences between two versions of a program.
 *
 *     constructs of old and new -> map, atomic changes -> (impact, migrate)
 *
 * Glossary
 *   map      assigns to each construct of one version its counterpart in the other; none for added or deleted ones
 *   same     of two mapped constructs: their trees are equal or, for functions, their meanings. Constructs mapped in
 *            a function with the same meaning are the same, too; a class or a program is the same if everything in it is.
 *   owner    of a statement: the innermost function, class, or construct at file scope that contains it
 *   change   an atomic change: a construct that was added or deleted, with everything in it, or whose own
 *            part differs, or that moved. The order of definitions, layout, comments, names of files and of
 *            functions (their callers changed as well) are not changes, nor is anything in a function with the same meaning.
 *   weight   of a change, by its kind and the kind of construct; 1 by default
 *   significance  the weight of all changes, in both versions, divided by that of all constructs in both: 0 for the same
 *            program, 1 for a different one
 *
 * How constructs are matched
 *   owners       by name and file; by name, if that is unique; by an equal tree or meaning, if that is unique; by
 *                similarity. A file that no longer exists is mapped to the new file that has most of its content.
 *   statements   only in mapped owners, from the outside in: those of one construct by the longest common subsequence of
 *                equal trees, with most statements; between these, by the longest common subsequence of equal kinds
 *                and own parts; then any that remain once on both sides with equal trees, anywhere; then by the Dice
 *                coefficient of the hashes below, and recursively in these. A construct with nothing below it is mapped to one
 *                between the same two neighbours, if there are as many of its kind on both sides.
 *
 * If two calls are swapped, one has moved: either would do, and one suffices to show that their order
 * changed. It was not deleted and added: it is the same call, and its profile is still valid.
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
    uint32_t old, later; /* constructs; TROD_NO_CONSTRUCT where there is none */
};

struct trod_changes {
    const struct trod_constructs *old, *later;
    uint32_t *new_of_old; /* [old->nconstruct] or TROD_NO_CONSTRUCT */
    uint32_t *old_of_new; /* [new->nconstruct] or TROD_NO_CONSTRUCT */
    uint64_t
        *same_of_old; /* set: it and its descendants are the same in the new program */
    uint64_t *same_of_new;
    uint32_t nchange;
    struct trod_change *
        change; /* by owner; within it, those of the old version by place, then added ones */
    double significance;
};

struct trod_change_weight {
    int kind;         /* enum trod_change_kind, or -1: any */
    const char *what; /* a kind of construct: if, call, decl, ...; NULL: any */
    double weight;
};

struct trod_change_options {
    const struct trod_change_weight *weight; /* the last match counts */
    uint32_t nweight;
    double
        least_alike; /* Dice coefficient from which two statements count as one that was edited: 0.4 */
    uint32_t
        most_pairs; /* limit on pairs of statements compared in a function: 4000000 */
};
void trod_change_options_init(struct trod_change_options *out);

/* Beyond most_pairs, the map is incomplete: of siblings, only equal ones at both ends and unique ones
 * are found, but not repeated ones in the middle, nor edited ones.
 *
 * options:  NULL: defaults
 * cost:     O(constructs log constructs), and O(most_pairs) for each function that differs
 */
void trod_changes_build(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *later, const struct trod_change_options *options,
    struct trod_arena *mem);

/* Has the function changed: is it not the same, or in one version only? */
bool trod_changes_has(const struct trod_changes *of, uint32_t old_function);

/* The name of a kind: added, deleted, edited, moved. */
const char *trod_change_kind_name(enum trod_change_kind kind);
bool trod_change_parse_kind(enum trod_change_kind *out, const char *word);

/* Text form:
 *
 *     changes OLD NEW
 *     significance 0.034
 *     same 12 14                 # constructs of old and new, by number, with all below them
 *     map 17 20                  # mapped, and their trees differ
 *     added 31
 *     deleted 8
 *     edited 17 20
 *     moved 18 23
 *
 * and, for people, with files, lines and names.
 */
void trod_changes_print(struct trod_sink *sink, const struct trod_changes *of);
bool trod_changes_parse(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *later, struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
void trod_changes_show(struct trod_sink *sink, const struct trod_changes *of);
void trod_changes_json(
    struct trod_json *json, const char *key, const struct trod_changes *of);

/* Check that the map and its reverse agree; that mapped constructs have the same level, and mapped owners; that the descendants of
 * constructs with equal trees are mapped one to one, and constructs that are the same by their parts have only such; that every
 * construct that is unmapped, has a different own part, or a different parent, is a change, below one, or in a function with the same
 * meaning; and that changes are sorted and valid.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_changes_check(
    const struct trod_changes *of, struct trod_err *err) TROD_MUST_CHECK;

#endif
