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
 *     own       trod's: constructs whose own meaning differs, loop by loop; src/migrate refines it by a validation run
 *
 * Glossary
 *   affected  its profile may differ from that of the old version
 *   level     the finest at which a method can tell (G_I); of coarser constructs: affected if anything in them is
 *   reason    the change that it goes back to, and the construct it came through
 *   depends   a statement depends on another: uses what it computed, or runs only if it decided so
 *
 * paper:  ProfMig, section 4.3.2; Weiser, "Program slicing", 1984; Steensgaard, "Points-to analysis in almost linear
 *         time", POPL 1996
 */
#ifndef TROD_IMPACT_H
#define TROD_IMPACT_H

#include "change/change.h"

/* --- depend.c: who depends on whom -------------------------------------------------------------------------
 *
 *     depends NAME
 *     unit FILE
 *     file 1 FILE
 *     node 7 FUNCTION 1 15               # a number, a function, and file and line of the statement; 0: not known
 *     memory 9                           # a class of places in memory that pointers cannot be told apart in
 *     7 -> 9 12                          # what 7 does may change what these do
 *     global 9 NAME                      # the class that a global symbol is in: units are joined by it
 *     enters f 3 4                       # nodes of parameters, and of what begins f
 *     leaves f 5                         # nodes of what it returns
 *     calls 8 f 6 7 ; 9                  # node 8 calls f with arguments 6 7, and 9 gets the result
 *
 * Units are joined by names of functions and globals; nodes are those of one unit each.
 */
struct trod_depend_node {
    const char *function; /* linkage name; NULL of memory */
    const char *file;
    uint32_t line;
};

struct trod_depends {
    uint32_t nnode;
    struct trod_depend_node *node;
    uint32_t *first_out; /* [nnode + 1] */
    uint32_t *to;        /* what depends on it */
};

struct trod_depends_builder;
struct trod_depends_builder *trod_depends_begin(struct trod_arena *mem);
bool trod_depends_add(struct trod_depends_builder *builder, struct trod_text *text,
    struct trod_err *err) TROD_MUST_CHECK;
void trod_depends_build(struct trod_depends *out, struct trod_depends_builder *builder);

/* --- impact.c ------------------------------------------------------------------------------------------------ */

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
    const struct trod_depends *old, *new; /* of sl; else NULL */
    double threshold;                     /* of hybrid: 0.1 */
};

struct trod_impact_way {
    const char *name;
    const char *about; /* one line */
    uint32_t level;
    bool needs_depends;
    bool (*find)(struct trod_impact *out, const struct trod_impact_input *input,
        struct trod_arena *mem, struct trod_err *err);
};
extern const struct trod_impact_way trod_impact_ways[TROD_IMPACT_METHODS];

/* By name; false if there is none. */
bool trod_impact_parse_method(enum trod_impact_method *out, const char *word);

/* What a method says. Constructs above affected ones are affected, too, up to functions; below what is affected as a
 * whole, all is.
 *
 * fails:  TROD_E_INPUT when sl has no dependences
 */
bool trod_impact_find(struct trod_impact *out, enum trod_impact_method method,
    const struct trod_impact_input *input, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Is an old construct affected at a level, not finer than the method's: is anything in the construct of that level that
 * holds it?
 */
bool trod_impact_has(const struct trod_impact *of, const struct trod_changes *changes,
    uint32_t old, uint32_t level);

/* Why: the chain from the change to the construct, in words. */
void trod_impact_explain(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t old);

/*     impact METHOD
 *     level 30
 *     old 12 CHANGE FROM
 *     new 20
 */
void trod_impact_print(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes);
bool trod_impact_parse(struct trod_impact *out, const struct trod_changes *changes,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
bool trod_impact_check(const struct trod_impact *of, const struct trod_changes *changes,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
