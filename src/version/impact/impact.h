/* impact: what behaves differently because of changes.
 *
 *     changes + uses + dependences -> affected constructs -> (migrate)
 *
 * A method is a function from changes to affected constructs, and a line in a table: adding one touches one file.
 *
 *     none      everything is: all is profiled again
 *     blind     nothing is that still exists
 *     hash      functions whose hash, as clang keeps it in its profiles, is another
 *     ba        changed functions, and all that may be called, directly or not, from one, or after it returns:
 *               Bohner and Arnold
 *     ag        changed functions only
 *     sl        statements that a change may reach through data or control, in any function: a forward slice
 *     hybrid    sl if changes are significant, else ag
 *     own       trod's: constructs whose own meaning differs, loop by loop; src/version/migrate refines it by a validation run
 *
 * Glossary
 *   affected  its profile may differ from that of the old version
 *   level     the finest at which a method decides (G_I); of coarser constructs: affected if anything in them is
 *   reason    the change that it goes back to, and the construct it came through
 *   gone      an old construct that the new version does not have; it is affected whatever the method
 *   depends   a statement depends on another: uses what it computed, or runs only if it decided so
 *   class     places in memory that pointers cannot be distinguished in
 *
 * paper:  ProfMig, section 4.3.2; Bohner and Arnold, "An introduction to software change impact analysis", 1996; Weiser,
 *         "Program slicing", 1984; Steensgaard, "Points-to analysis in almost linear time", POPL 1996
 *
 * Memory: in the arena handed in.
 *
 * Invariants are listed at trod_impact_check().
 */
#ifndef TROD_IMPACT_H
#define TROD_IMPACT_H

#include "change/change.h"

/* --- depend.c, depend_text.c: who depends on whom ------------------------------------------------------------
 *
 *     depends NAME
 *     unit FILE
 *     file 1 FILE
 *     node 7 FUNCTION 1 15               # a number, a function, and file and line of the statement; 0: unknown
 *     node 8 - 1 40                      # what data at file scope begin with
 *     memory 9                           # a class
 *     7 -> 9 12                          # what 7 does may change what these do
 *     global 9 NAME                      # the class that a global symbol is in
 *     global 9 NAME FILE                 # the same of a static one, which no other unit sees
 *     points 7 9                         # what 7 holds, or what is in class 7, points into class 9
 *     static f                           # f is a function that no other unit sees
 *     enters f 3 4                       # nodes of parameters, and at last of what begins f
 *     leaves f 5                         # nodes of what it returns
 *     calls 8 f 6 7 ; 9                  # node 8 calls f with arguments 6 7, and 9 gets the result; or none does
 *     may-call 8 TYPE 6 7 ; 9            # the same through a pointer to functions of a type
 *     taken f TYPE                       # the address of f is taken: such a call may be one of f
 *
 * Numbers of nodes and files are those of one unit; within it, lines may be in any order but for files, which are before
 * their nodes. Sections that begin with `code` are passed over: they are another reader's.
 *
 * Units are joined by names:
 *   - classes of one global are one, wherever it is named; so are those that an argument and its parameter point into,
 *     what is returned and the result; and so is what classes that are one point into;
 *   - a call changes what begins the function, arguments its parameters, and what it returns the result. Parameters
 *     without an argument are changed by the call. A function that several units have, because it is in a header, is all
 *     of them. A call through a pointer is one of every function that is taken for its type.
 *   - a function that no unit has may do anything with what it is given: its arguments, all that can be got at through
 *     them, the result, and what other such functions know change each other; functions whose address is there may be
 *     called.
 */
struct trod_depend_node {
    const char *
        function; /* linkage name; NULL of data, of memory, and of what only joins others */
    const char *file; /* NULL: unknown, or memory */
    uint32_t line;
};

struct trod_depend_global {
    const char *name;
    const char *file; /* of a static one; NULL */
    uint32_t node;
};

struct trod_depends {
    const char *name;
    uint32_t nnode;
    struct trod_depend_node *node;
    uint64_t *first_out; /* [nnode + 1] */
    uint32_t *to;        /* what depends on it */
    uint32_t nfile;
    const char **file; /* of nodes; pointers to names are equal if these are */
    uint32_t nglobal;
    struct trod_depend_global *global;
};

/* Texts are read one by one, each of one or more units. The name is that of the first.
 *
 * fails:  TROD_E_INPUT; TROD_E_LIMIT beyond 2^31 nodes
 */
struct trod_depends_builder;
struct trod_depends_builder *trod_depends_begin(struct trod_arena *mem);
bool trod_depends_add(struct trod_depends_builder *builder, struct trod_text *text,
    struct trod_err *err) TROD_MUST_CHECK;
/* cost:   O(nodes + edges), but for unions of classes, which are almost that */
void trod_depends_build(struct trod_depends *out, struct trod_depends_builder *builder);

/* As one unit in which calls have become edges; read again, it is the same. */
void trod_depends_print(struct trod_sink *sink, const struct trod_depends *of);

/* Check that edges go to nodes there are, and that globals are classes.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_depends_check(
    const struct trod_depends *of, struct trod_err *err) TROD_MUST_CHECK;

/* --- impact.c: the table of methods ---------------------------------------------------------------------------- */

enum trod_impact_method {
    TROD_IMPACT_NONE,
    TROD_IMPACT_BLIND,
    TROD_IMPACT_HASH,
    TROD_IMPACT_BA,
    TROD_IMPACT_AG,
    TROD_IMPACT_SL,
    TROD_IMPACT_HYBRID,
    TROD_IMPACT_OWN,
    TROD_IMPACT_METHODS
};

struct trod_impact {
    enum trod_impact_method method, chosen; /* chosen: what hybrid decided on */
    uint32_t level;                         /* G_I */
    uint64_t *affected_of_old;              /* set of constructs */
    uint64_t *affected_of_new;
    uint32_t *
        change_of_old; /* [old->nconstruct] number of the change it goes back to, or TROD_NO_CONSTRUCT */
    uint32_t *
        from_of_old; /* [old->nconstruct] the construct that it came through, or TROD_NO_CONSTRUCT */
};

struct trod_impact_input {
    const struct trod_changes *changes;
    const struct trod_depends *old, *later; /* of sl; else NULL */
    double
        threshold; /* of hybrid: sl if the significance is above it; 0: 0.1; negative: always */
};

struct trod_impact_way {
    const char *name;
    const char *about; /* one line */
    uint32_t level;
    bool needs_depends; /* of hybrid: if changes are significant */
    bool (*find)(struct trod_impact *out, const struct trod_impact_input *input,
        struct trod_arena *mem, struct trod_err *err);
};
extern const struct trod_impact_way trod_impact_ways[TROD_IMPACT_METHODS];

/* By name; false if there is none. */
bool trod_impact_parse_method(enum trod_impact_method *out, const char *word);

/* What a method says. Of functions that are affected as a whole, all is that is in them; what holds an affected
 * statement is affected, too, up to the function. A construct of both versions is affected in both or in none; what only
 * one of them has is affected.
 *
 * fails:  TROD_E_INPUT when sl has no dependences
 * cost:   O(constructs + uses + dependences)
 */
bool trod_impact_find(struct trod_impact *out, enum trod_impact_method method,
    const struct trod_impact_input *input, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Is an old construct affected at a level: is the construct of that level that holds it? Where none does, the coarsest
 * finer one is asked; one that is coarser itself answers for itself. A level that is finer than the method's is taken for
 * the method's. Classes and the program are affected if the method finds anything affected in them; not by blind, which
 * reuses whatever is still there.
 */
bool trod_impact_has(const struct trod_impact *of, const struct trod_changes *changes,
    uint32_t old, uint32_t level);

/* --- impact_explain.c ---------------------------------------------------------------------------------------------- */

/* Why: the chain from the construct to the change, in words, a line each. */
void trod_impact_explain(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t old);

/* --- impact_show.c: for people and for scripts ------------------------------------------------------------------------ */

/* How many constructs of each level there are and how many are affected; then those of a level, with the change. */
void trod_impact_show(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t level);
void trod_impact_json(struct trod_json *json, const char *key,
    const struct trod_impact *of, const struct trod_changes *changes, uint32_t level);

/* --- impact_text.c -----------------------------------------------------------------------------------------------------
 *
 *     impact METHOD
 *     chosen METHOD              # of hybrid
 *     level 30
 *     old 12 CHANGE FROM         # numbers, or a dash
 *     new 20
 */
void trod_impact_print(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes);
/* Up to a line that is none of these. */
bool trod_impact_parse(struct trod_impact *out, const struct trod_changes *changes,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- impact_check.c ------------------------------------------------------------------------------------------------------ */

/* Check that
 *   - constructs of both versions are affected in both or in none, and others are;
 *   - only what is affected has a reason; what it came through is affected and goes back to the same change, and chains of
 *     these end;
 *   - of methods that decide per function, all in an affected function is affected; of sl, what holds something affected is, up
 *     to the function, and of own, loops and functions that hold an affected loop.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_impact_check(const struct trod_impact *of, const struct trod_changes *changes,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
