/* change: what is different between two versions of a program, and what is the same.
 *
 *     constructs of old and new -> map, atomic changes -> (impact, migrate)
 *
 * Glossary
 *   map      for each construct of one version the one of the other that it is; none for what was added or deleted
 *   same     of two constructs that are mapped: their trees are equal, or, of functions, their meanings. What is mapped in
 *            a function that means the same is the same, too; a class or a program is if all that is in it is.
 *   owner    what a statement is in: the innermost function, class, or thing at file scope
 *   change   an atomic change: one construct that was added or deleted, with all that came or went with it, or whose own
 *            part is another, or that moved. Where a definition stands, how it is laid out, comments, names of files and of
 *            functions whose callers were changed as well are not changes, nor is anything in a function that means the same.
 *   weight   what a change counts for, by what happened and to what kind of construct; 1 if nothing else is said
 *   significance  the weight of all changes, in both versions, by that of all there is in both: 0 for the same
 *            program, 1 for another
 *
 * How constructs are matched
 *   owners       by name and file, or by name, where there is one; by an equal tree or meaning, where there is one; by what
 *                they have in common. A file that is gone is the new one that has most of what was in it.
 *   statements   only in owners that are mapped, from the outside in: those of one construct by the longest sequence of
 *                equal trees they have in common, the largest together; between these, by the longest sequence of equal kinds
 *                and own parts; then whatever is left once on both sides and has equal trees, wherever it is; then by the Dice
 *                coefficient of the hashes below, and so on in these. What has nothing below it is taken for what stood
 *                between the same two others, if as many of its kind did.
 *
 * Two calls that change places are one that moved: either would do, and one is enough to tell that their order is
 * another. It is not a deleted call and an added one, but still the same call, and what it did is known.
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
        *same_of_old; /* set: it and all below it are the same in the new program */
    uint64_t *same_of_new;
    uint32_t nchange;
    struct trod_change *
        change; /* by owner; in it, those of the old version by place, then what was added */
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
    uint32_t most_pairs; /* of statements that are compared in a function: 4000000 */
};
void trod_change_options_init(struct trod_change_options *out);

/* What would be more than most_pairs is omitted, and costs part of the map: of siblings then only those at both ends that
 * are equal are found, and others that are there once, but no repeated ones in the middle, and none that were edited.
 *
 * options:  NULL: as they are at first
 * cost:     O(constructs log constructs), and O(most_pairs) for each function that differs
 */
void trod_changes_build(struct trod_changes *out, const struct trod_constructs *old,
    const struct trod_constructs *later, const struct trod_change_options *options,
    struct trod_arena *mem);

/* Is the function changed: not the same, or there in one version only? */
bool trod_changes_has(const struct trod_changes *of, uint32_t old_function);

/* The word for a kind: added, deleted, edited, moved. */
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

/* Check that map and its reverse agree, that what is mapped has one level, and owners that are mapped; that what is the
 * same by its tree is mapped below itself one to one, and what is by its parts has only such; that every construct that is
 * not mapped, whose own part is another, or that is in something else, is a change, below one, or in a function that means
 * the same; and that changes are in order, and of what they say.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_changes_check(
    const struct trod_changes *of, struct trod_err *err) TROD_MUST_CHECK;

#endif
