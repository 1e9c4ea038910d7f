/* construct: the statements, loops, functions and classes of one version of a program.
 *
 *     sources + how they are compiled -> constructs -> (change, impact, migrate)
 *
 * Every part of a program for which a profile can have entries has an identity: its level, its file, its first
 * line, and its ordinal among those that begin there. Constructs are a tree: a program contains classes and functions, which contain
 * statements and loops, which contain others.
 *
 * Glossary
 *   level    the granularity of a construct, from the finest to the coarsest. Five are built in; others can be added.
 *   file     relative to the root of the sources, so that a copy in another folder is the same program
 *   ordinal  index among the constructs of one level that begin on one line, in source order, from 0
 *   tree     hash of the syntax tree below it, as the compiler sees it: macros expanded, names of locals
 *            replaced by their order, no lines, no comments, no layout
 *   own      the same without nested constructs
 *   meaning  semantic hash of a function: its code before any optimisation, without names of locals, lines and
 *            locations in assertions. 0: unknown.
 *   shape    the hash that clang stores in its profiles to detect changed functions. 0: unknown.
 *   use      one construct refers to another: calls it, may call it through a pointer, reads it, has its type
 *
 * paper:  Zhou, Wu, Ding and Shen, "ProfMig: A Framework for Flexible Migration of Program Profiles Across Software
 *         Versions", CGO 2013, section 4.2
 *
 * Memory: in the arena handed in.
 *
 * Invariants are listed at trod_constructs_check().
 */
#ifndef TROD_CONSTRUCT_H
#define TROD_CONSTRUCT_H

#include "base/base.h"

enum { TROD_NO_CONSTRUCT = UINT32_MAX };

/* The built-in levels, in steps of ten, so that others fit between: a level is any number, and a larger one is coarser. */
enum trod_level {
    TROD_LEVEL_STATEMENT = 10,
    TROD_LEVEL_LOOP = 20,
    TROD_LEVEL_FUNCTION = 30,
    TROD_LEVEL_CLASS = 40,
    TROD_LEVEL_PROGRAM = 50
};

struct trod_level_name {
    uint32_t level;
    const char *name; /* a word */
};

/* All levels, ascending. */
struct trod_levels {
    struct trod_arena *mem;
    struct trod_level_name *level;
    uint32_t nlevel, room;
};

/* --- level.c: levels ------------------------------------------------------------- */

/* The five built-in levels. */
void trod_levels_init(struct trod_levels *out, struct trod_arena *mem);
/* fails:  TROD_E_INPUT if number or name is in use */
bool trod_levels_add(struct trod_levels *levels, uint32_t level, const char *name,
    struct trod_err *err) TROD_MUST_CHECK;
/* NULL: none has that number. */
const char *trod_level_name(const struct trod_levels *levels, uint32_t level);
/* By name or by number; false if there is none. */
bool trod_level_parse(
    uint32_t *out, const struct trod_levels *levels, const char *word);

/* Constructs are in preorder, children in source order: the descendants of c
 * are c + 1 .. next - 1. Number 0 is the program. Global data and types, which are at file scope and neither function nor class,
 * are statements below the program, with a name.
 */
struct trod_construct {
    uint32_t level;
    uint32_t file;       /* number in files */
    uint32_t line, last; /* first and last line; 0 of the program */
    uint32_t ordinal;
    uint32_t parent; /* TROD_NO_CONSTRUCT of the program */
    uint32_t next;   /* after the last one below it */
    uint32_t
        kind; /* number in kinds: if, for, return, call, decl, function, struct, ... */
    const char *
        name; /* linkage name of functions; name of classes and global data; NULL: none */
    const char *shown; /* displayed name: C++ names with their scopes; NULL: name */
    uint32_t symbol;   /* number of its name in symbols, or TROD_NO_CONSTRUCT */
    bool is_static;    /* another file may have one of the same name */
    uint64_t tree, own, meaning, shape;
};

enum trod_construct_use_kind {
    TROD_USE_CALLS,
    TROD_USE_MAY_CALL, /* through a pointer: any function of that type whose address is taken */
    TROD_USE_NAMES /* data, a type, or a function whose address is taken */
};

struct trod_construct_use {
    uint32_t
        from; /* the statement or loop that contains it, or a construct at file scope */
    uint32_t to; /* function, class, or another construct at file scope */
    enum trod_construct_use_kind kind;
};

struct trod_constructs {
    const char *name; /* of the version, given by the user */
    struct trod_levels levels;
    struct trod_names files; /* number 0 is "" */
    struct trod_names kinds;
    struct trod_names symbols;
    uint32_t *first_of_symbol; /* [symbols.count + 1] in named */
    uint32_t *named; /* constructs that have a name, by symbol, then by number */
    uint32_t ncall;  /* number of translation units */
    const char **unit;
    uint32_t nconstruct;
    struct trod_construct *construct;
    uint32_t *by_place; /* their numbers by level, file, line and ordinal */
    uint32_t nuse;
    struct trod_construct_use *use; /* by from, kind, to; unique */
    uint32_t npointed;
    uint32_t *pointed; /* a construct for each set of functions that may be called */
    uint32_t nnote;
    const char **note; /* what could not be read, and why */
};

/* --- construct_build.c: from units to a program ---------------------------------------------------- */

/* Units are read one by one, in any order; what several have in common, from headers, is stored once. Two functions are
 * the same if names and files are; other constructs at file scope, if level, name, file and line are. If units parsed one
 * differently, it has the statements of one of them, and hashes of all. A use refers to its target by name
 * (and file, if it is static), and is resolved when the program is built; targets that no unit has are dropped.
 */
struct trod_constructs_builder;
struct trod_constructs_builder *trod_constructs_begin(
    const char *name, struct trod_arena *mem);

/* Read the constructs of one unit, in the text form.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_constructs_add(struct trod_constructs_builder *builder,
    struct trod_text *text, struct trod_err *err) TROD_MUST_CHECK;

/* Read the meaning and shape of functions of units. Everything else in the text, such as `depends` and
 * what follows it, is skipped.
 *
 *     code FILE
 *     function NAME FILE LINE meaning HASH shape HASH static
 *
 * A function is found by name and file; by name alone if that is unique. Those that no unit has are omitted.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_constructs_add_code(struct trod_constructs_builder *builder,
    struct trod_text *text, struct trod_err *err) TROD_MUST_CHECK;

/* Consumes the builder. */
void trod_constructs_build(
    struct trod_constructs *out, struct trod_constructs_builder *builder);

/* --- construct_find.c: look-up ------------------------------------------------------ */

/* A function by linkage name, and by file if several have it (file may be NULL: any). If no file matches completely, one whose path
 * has the same end does: paths may be relative to different folders. TROD_NO_CONSTRUCT: there is none.
 */
uint32_t trod_constructs_function(
    const struct trod_constructs *of, const char *name, const char *file);
/* The construct of a level that contains a construct, or is it; the program if there is no other. */
uint32_t trod_constructs_above(
    const struct trod_constructs *of, uint32_t construct, uint32_t level);
/* The innermost construct of at least a level that contains a line of a file; within a function, if that is not TROD_NO_CONSTRUCT.
 * TROD_NO_CONSTRUCT: there is none.
 *
 * cost:   O(constructs at file scope), or O(constructs in the function)
 */
uint32_t trod_constructs_at(const struct trod_constructs *of, uint32_t file,
    uint32_t line, uint32_t within, uint32_t level);
/* level, file, line and ordinal, as one number that is the same in every build. */
uint64_t trod_construct_id(const struct trod_constructs *of, uint32_t construct);
/* FILE:LINE, or FILE:LINE NAME of what has one; #ORDINAL where it is not 0 */
void trod_construct_describe(
    struct trod_sink *sink, const struct trod_constructs *of, uint32_t construct);

/* --- construct_text.c: the text form ----------------------------------------------------------------------
 *
 *     constructs NAME
 *     unit FILE                              # a translation unit begins
 *     level 25 block                         # an added level
 *     note "TEXT"
 *     in FILE                                # the file of the following constructs
 *     0 function 12 30 TREE OWN NAME meaning HASH shape HASH shown NAME static
 *     1 loop for 14 20 TREE OWN
 *     2 statement call 15 15 TREE OWN
 *     calls NAME                             # use by the construct above
 *     calls NAME FILE                        # a static one
 *     may-call TYPE                          # TYPE: hash of a type of functions
 *     names NAME
 *     taken NAME TYPE                        # the address of NAME, of type TYPE, is taken somewhere
 *     0 class 40 60 TREE OWN NAME
 *     0 statement decl 62 62 TREE OWN NAME   # global data
 *
 * The first word of a construct is its depth below file scope, then come its level, its kind (not for functions
 * and classes), first and last line, and hashes, of 16 hexadecimal digits; then its name, if any, and other
 * attributes, in any order. Ordinals are not written: they are counted. Lines outside the enclosing construct or its file
 * are moved to the nearest line inside.
 *
 * A target without a file is every construct of that name that is not static; if all are static, the one in the same file.
 * If that is ambiguous, the file may be followed by a line and a level: `names NAME FILE LINE LEVEL`, `taken NAME TYPE
 * FILE LINE LEVEL`. In a program that was built, types are hashes of sets of functions.
 */

bool trod_constructs_parse(struct trod_constructs *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
void trod_constructs_print(struct trod_sink *sink, const struct trod_constructs *of);

/* --- construct_show.c: for people and for scripts ---------------------------------------------------------------
 *
 * A tree for people: functions with their statements, indented. Constructs finer than a level are
 * omitted. JSON for scripts: everything.
 */
void trod_constructs_show(
    struct trod_sink *sink, const struct trod_constructs *of, uint32_t level);
void trod_constructs_json(
    struct trod_json *json, const char *key, const struct trod_constructs *of);

/* --- construct_check.c -------------------------------------------------------------------------------------- */

/* Check that
 *   - construct 0 is the program, and the only one; parents precede children, which are within their lines if the
 *     file is the same, and are contiguous;
 *   - levels, files and kinds exist, and names are those of their symbols;
 *   - level, file, line and ordinal together are unique;
 *   - uses are sorted, and refer to existing constructs.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_constructs_check(
    const struct trod_constructs *of, struct trod_err *err) TROD_MUST_CHECK;

#endif
