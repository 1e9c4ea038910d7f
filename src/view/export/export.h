/* export: profiles for other tools.
 *
 *     profile + map + flows -> whatever another tool reads
 *
 * One file here for each format that is text, one under port/ for each that needs a library. What each says of paths is in
 * doc/everyday/export.md, with the tool that it was checked with.
 *
 * Glossary
 *   format   a word, what reads it, and a function that prints it
 *   exported what is to be printed: a profile, and what was derived of it
 *   stack    a path as tools for stacks of calls have it: the blocks on it, the first outermost. So paths that begin alike
 *            share frames, as a prefix tree does; the innermost is where the path ended.
 *   place    one frame of a stack: a block of a function
 *   remark   what is not in a profile, or is not a count but an estimate: printed by every format that has room for text
 *
 * Memory: in the arena handed in; what is built refers to profile and map.
 */
#ifndef TROD_EXPORT_H
#define TROD_EXPORT_H

#include "flow/flow.h"
#include "online/online.h"

/* A basic block of machine code, as the compiler of a file numbered it. */
enum { TROD_BLOCK_PAD = 4, TROD_BLOCK_FALLS = 8, TROD_BLOCK_INDIRECT = 16 };

struct trod_export_block {
    uint64_t address, nbyte; /* as names of nodes have them */
    uint64_t function;       /* address of its function */
    uint32_t id;             /* in the function */
    uint32_t
        flags; /* it is a landing pad, falls through, ends with an indirect branch */
};

struct trod_export_blocks {
    const char *file; /* as units of the map are named */
    size_t nblock;
    const struct trod_export_block *block; /* by function and address */
};

struct trod_exported {
    const struct trod_profile *profile;
    const struct trod_map *map;
    const struct trod_flows *flows;
    const struct trod_flow_source *source; /* by name */
    size_t nsource;
    const char *version;                            /* of trod */
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    uint64_t most; /* paths, where a format is of some; 0: its own choice */
    const struct trod_subpaths *subpaths;     /* NULL: paths were counted */
    const struct trod_condition_source *text; /* NULL: sources are not read */
    const struct trod_export_blocks
        *blocks; /* of files that have them, for TROD_EXPORT_BLOCKS */
    size_t nblocks;
};

/* Is a function chosen, by its name and its file? */
static inline bool trod_export_wants(
    const struct trod_exported *in, const struct trod_map_entry *entry)
{
    return entry->shown != TROD_HIDDEN_FILE &&
           (!in->wants || in->wants(entry->name, in->ctx));
}

/* --- export_formats.c: the table -------------------------------------------------------------------------- */

/* What a format can represent, beside counts that are not estimates, and of all paths. Anything else is
 * refused, before it is asked to print.
 */
enum {
    TROD_EXPORT_ESTIMATES = 1, /* counts that are estimates: of bursts */
    TROD_EXPORT_PARTIAL = 2,   /* functions of which not all paths were counted */
    TROD_EXPORT_ACROSS = 4,    /* paths that go on into calls: without, functions that
                                  have them are left out, with a note */
    TROD_EXPORT_SAMPLES = 8,   /* subpaths of blocks that were sampled */
    TROD_EXPORT_FRAMES = 32,   /* it names frames by conditions: sources are read */
    TROD_EXPORT_BLOCKS = 16 /* it needs paths of machine code, and the numbers that the
                                  compiler gave to blocks */
};

struct trod_export_format {
    const char *name;
    const char *summary; /* what it is, and what reads it */
    bool binary;         /* not text: not for a terminal */
    bool (*put)(struct trod_sink *sink, const struct trod_exported *in,
        struct trod_arena *mem, struct trod_err *err);
    uint64_t takes; /* a set of the above; 0: counts that are exact, of all paths */
};

/* Those of this folder; ends with an entry without a name. */
extern const struct trod_export_format trod_export_formats[];

/* Can a format represent a profile?
 *
 * fails:  TROD_E_MISMATCH
 */
bool trod_export_check(const struct trod_export_format *format,
    const struct trod_profile *profile, struct trod_err *err) TROD_MUST_CHECK;

/* What is left out or estimated, a line each, without the end of the line. Returns how many. */
size_t trod_export_remarks(
    const char *const **out, const struct trod_exported *in, struct trod_arena *mem);

/* --- export_stacks.c: paths as stacks ------------------------------------------------------------------------ */

enum trod_export_kind {
    TROD_EXPORT_ENTRY, /* the path began where the function does */
    TROD_EXPORT_LOOP,  /* with an iteration of a loop */
    TROD_EXPORT_CALL,  /* behind a call, where paths end at these, too */
    TROD_EXPORT_CUT,   /* behind an edge that was cut and closes no loop */
    TROD_EXPORT_SUBPATH,
    TROD_EXPORT_UNKNOWN /* no map knows the function */
};

const char *trod_export_kind_name(enum trod_export_kind kind);

struct trod_export_stack {
    uint32_t module; /* of the profile */
    const struct trod_profile_function *function;
    const struct trod_map_entry *entry; /* NULL: no map knows it */
    const char *name;                   /* linkage name, or "?HASH" */
    const char *display_name;           /* demangled */
    const char *file;                   /* NULL: not known */
    enum trod_export_kind kind;
    uint64_t id;                               /* of the path, or of a chain of paths */
    uint64_t count, weight;                    /* as in reports */
    const struct trod_online_subpath *subpath; /* of subpaths */
};

struct trod_export_stacks {
    const struct trod_exported *in;
    const struct trod_export_stack *stack; /* the most often run first */
    size_t nstack;
    size_t nall;            /* that ran, of functions that are wanted */
    uint64_t count, weight; /* of all that ran, wanted or not */
    struct trod_online_names names;
    uint32_t most_places; /* of any of them */
    const char ***label;  /* [nentry][nnode], made when they are asked for */
};

/* All stacks of functions that are wanted, or the first in->most of them.
 *
 * cost:   O(paths x length of a path)
 */
void trod_export_stacks(struct trod_export_stacks *out, const struct trod_exported *in,
    struct trod_arena *mem);

/* Which module of the profile an entry of the map is in, the first if several; TROD_NONE: none. [nentry] */
const uint32_t *trod_export_modules(
    const struct trod_exported *in, struct trod_arena *mem);

struct trod_export_place {
    const struct trod_map_entry
        *entry; /* of the function that the block is in; NULL: no map knows it */
    const char *name, *display_name; /* of that function */
    trod_node node;                  /* TROD_NONE: no map knows it */
    uint32_t line;                   /* its first; 0: not known */
};

/* The places of a stack, outermost first; there is always one. Of chains of paths all, one behind the other.
 *
 * needs:  room for stacks->most_places
 */
uint32_t trod_export_places(struct trod_export_place *out,
    const struct trod_export_stacks *stacks, const struct trod_export_stack *stack);

/* What a frame is called: function, file, line, and the condition that is decided there if the source can be read, as in
 * `string json.c:79 (c == '"')`. Blocks of a function for which that is the same have a number behind it.
 *
 * needs:  place->node
 */
const char *trod_export_label(const struct trod_export_stacks *stacks,
    const struct trod_export_place *place, struct trod_arena *mem);

/* The path in words. */
void trod_export_put_stack(struct trod_sink *sink,
    const struct trod_export_stacks *stacks, const struct trod_export_stack *stack,
    bool blocks);

/* --- export_cover.c: what was covered, file by file ------------------------------------------------------------
 *
 * What lcov, Cobertura and gcov have in common: files with functions, lines and branches. Functions that are there several
 * times under one name, as static ones of headers are, are one; instances of templates have names of their own.
 *
 * These formats cannot say that it is not known whether a line ran. Such lines, and ways of branches, are left out: a line that is
 * there with 0 did not run.
 */
struct trod_export_covered {
    uint32_t nall, nran;
};

struct trod_export_function {
    const char *name, *display_name;
    uint32_t first, last; /* lines; the first is that of its first block */
    uint64_t entered;
    uint32_t nrow;
    const struct trod_flow_row *row;
    struct trod_export_covered line, branch, block;
};

struct trod_export_branch {
    uint32_t function; /* of the file */
    uint32_t line;     /* not 0 */
    uint32_t number;   /* among those of the line, from 0 */
    uint32_t nway;
    uint64_t *count; /* [nway] */
    bool *unknown;   /* [nway] count is 0, and it may have been taken */
    uint64_t reached;
};

struct trod_export_file {
    const char *path, *directory;
    uint32_t nfunction;
    const struct trod_export_function *function; /* by line, then name */
    uint32_t nrow;
    const struct trod_flow_row *row;
    uint32_t nbranch;
    const struct trod_export_branch *branch; /* by line, function, block */
    struct trod_export_covered functions, lines, branches; /* branches: ways */
};

struct trod_export_cover {
    size_t nfile;
    const struct trod_export_file *file; /* that have lines, by path */
    uint64_t nwithout;                   /* functions without lines */
    uint64_t nunknown;                   /* lines that may have run, or not: left out */
    struct trod_export_covered functions, lines, branches;
};

/* Of the functions that are wanted, run or not.
 *
 * fails:  TROD_E_INPUT when none has lines, TROD_E_MISMATCH when no map knows any
 * cost:   O(blocks + edges), a sort of lines
 */
bool trod_export_cover(struct trod_export_cover *out, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The share of 1 that ran; 1 where there is nothing to run. */
double trod_export_rate(struct trod_export_covered covered);

/* --- one file each ----------------------------------------------------------------------------------------------- */

bool trod_export_csv(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The text form of a profile of clang's instrumentation (proftext).
 *
 * needs:  a map with counters, of 'trod cc --counters'
 * fails:  TROD_E_MISMATCH without
 */
bool trod_export_llvm(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

bool trod_export_collapsed(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_callgrind(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_json(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_dot(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

bool trod_export_propeller(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The name of a frame of collapsed stacks, which can have no semicolon and no line break. */
void trod_export_collapsed_name(struct trod_sink *sink, const char *name);

bool trod_export_lcov(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_cobertura(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_gcov(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
/* Can a name be in LLVM's text forms? They have no quotes: not if it looks like a comment, a setting or several lines. */
bool trod_export_llvm_has(const char *name);

/* The text form of a profile of samples, as AutoFDO makes it: of lines, so that it fits any build of the same source.
 *
 * needs:  lines in the map
 * fails:  TROD_E_MISMATCH without
 */
bool trod_export_sample(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* A field as RFC 4180 has it: in quotes where it must be. */
void trod_export_csv_field(struct trod_sink *sink, const char *text);

#endif
