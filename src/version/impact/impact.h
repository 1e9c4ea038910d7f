/* impact: change impact analysis: which constructs behave differently because of changes.
 *
 *     changes + uses + dependences -> affected constructs -> (migrate)
 *
 * A method is a function from changes to affected constructs, and a line in a table.
 *
 *     none      all constructs: everything is profiled again
 *     blind     no construct that still exists
 *     hash      functions whose hash in clang's profiles differs
 *     ba        changed functions, and all that may be called, directly or not, from one, or after it returns:
 *               Bohner and Arnold
 *     ag        changed functions only
 *     sl        statements that a change may reach through data or control flow, in any function: a forward slice
 *     hybrid    sl if changes are significant, otherwise ag
 *     own       trod's: constructs whose own meaning differs, loop by loop; src/version/migrate refines it by a validation run
 *
 * Glossary
 *   affected  its profile may differ from that of the old version
 *   level     the finest at which a method decides (G_I); a coarser construct is affected if anything in it is
 *   reason    the change that caused it, and the construct through which the effect came
 *   gone      an old construct that the new version does not have; affected with every method
 *   depends   a statement depends on another if it uses its result, or runs only on one of its outcomes
 *   class     memory locations that pointer analysis does not distinguish
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

/* --- depend.c, depend_text.c: dependences ------------------------------------------------------------
 *
 *     depends NAME
 *     unit FILE
 *     file 1 FILE
 *     node 7 FUNCTION 1 15               # a number, a function, and file and line of the statement; 0: unknown
 *     node 8 - 1 40                      # initialisation of data at file scope
 *     memory 9                           # a class
 *     7 -> 9 12                          # 7 may affect these
 *     global 9 NAME                      # the class of a global symbol
 *     global 9 NAME FILE                 # the same for a static one, invisible to other units
 *     points 7 9                         # the value of 7, or the content of class 7, points into class 9
 *     static f                           # f is invisible to other units
 *     enters f 3 4                       # nodes of the parameters, and last of the entry of f
 *     leaves f 5                         # nodes of return values
 *     calls 8 f 6 7 ; 9                  # node 8 calls f with arguments 6 7, and 9 gets the result, if any
 *     may-call 8 TYPE 6 7 ; 9            # the same through a pointer to functions of a type
 *     taken f TYPE                       # the address of f is taken: such a call may call f
 *
 * Numbers of nodes and files are local to a unit; within it, lines may be in any order, except that files precede
 * their nodes. Sections that begin with `code` are skipped: another reader handles them.
 *
 * Units are joined by names:
 *   - classes of one global are unified, in all units; so are those that an argument and its parameter point into,
 *     and those of a return value and the result; and so are the classes that unified classes point into;
 *   - a call affects the entry of the function, arguments affect its parameters, and return values the result. Parameters
 *     without an argument are affected by the call. A function of a header, which several units have, stands for all
 *     copies. A call through a pointer may call every function of its type whose address is taken.
 *   - a function that no unit has may do anything with what it receives: its arguments, everything reachable through
 *     them, the result, and the state of other such functions affect each other; functions whose address is reachable may be
 *     called.
 */
struct trod_depend_node {
    const char
        *function;    /* linkage name; NULL for data, memory, and intermediate nodes */
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
    uint32_t *to;        /* nodes that depend on it */
    uint32_t nfile;
    const char **file; /* interned names: equal names have equal pointers */
    uint32_t nglobal;
    struct trod_depend_global *global;
};

/* Read texts one by one, each with one or more units. The name is that of the first.
 *
 * fails:  TROD_E_INPUT; TROD_E_LIMIT beyond 2^31 nodes
 */
struct trod_depends_builder;
struct trod_depends_builder *trod_depends_begin(struct trod_arena *mem);
bool trod_depends_add(struct trod_depends_builder *builder, struct trod_text *text,
    struct trod_err *err) TROD_MUST_CHECK;
/* cost:   O(nodes + edges), except for union-find, which is almost linear */
void trod_depends_build(struct trod_depends *out, struct trod_depends_builder *builder);

/* Printed as one unit in which calls are edges; it parses back to the same. */
void trod_depends_print(struct trod_sink *sink, const struct trod_depends *of);

/* Check that edges refer to existing nodes, and that globals are classes.
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
    enum trod_impact_method method,
        chosen;                /* chosen: the method that hybrid selected */
    uint32_t level;            /* G_I */
    uint64_t *affected_of_old; /* set of constructs */
    uint64_t *affected_of_new;
    uint32_t *
        change_of_old; /* [old->nconstruct] number of the change that caused it, or TROD_NO_CONSTRUCT */
    uint32_t *
        from_of_old; /* [old->nconstruct] the construct through which the effect came, or TROD_NO_CONSTRUCT */
};

struct trod_impact_input {
    const struct trod_changes *changes;
    const struct trod_depends *old, *later; /* for sl; otherwise NULL */
    double
        threshold; /* for hybrid: sl if the significance is above it; 0: 0.1; negative: always */
};

struct trod_impact_way {
    const char *name;
    const char *about; /* one line */
    uint32_t level;
    bool needs_depends; /* for hybrid: if changes are significant */
    bool (*find)(struct trod_impact *out, const struct trod_impact_input *input,
        struct trod_arena *mem, struct trod_err *err);
};
extern const struct trod_impact_way trod_impact_ways[TROD_IMPACT_METHODS];

/* By name; false if there is none. */
bool trod_impact_parse_method(enum trod_impact_method *out, const char *word);

/* Apply a method. If a function is affected as a whole, so is everything in it; constructs that contain an affected
 * statement are affected, too, up to the function. A construct of both versions is affected in both or in neither; a construct
 * of one version only is affected.
 *
 * fails:  TROD_E_INPUT if sl has no dependences
 * cost:   O(constructs + uses + dependences)
 */
bool trod_impact_find(struct trod_impact *out, enum trod_impact_method method,
    const struct trod_impact_input *input, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Is an old construct affected at a level: is the construct of that level that contains it? If none does, the coarsest
 * finer one decides; a coarser construct decides for itself. A level finer than the method's is treated as
 * the method's. Classes and the program are affected if anything in them is; not with blind, which
 * reuses everything that still exists.
 */
bool trod_impact_has(const struct trod_impact *of, const struct trod_changes *changes,
    uint32_t old, uint32_t level);

/* --- impact_explain.c ---------------------------------------------------------------------------------------------- */

/* The reason: the chain from the construct to the change, one line each. */
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
