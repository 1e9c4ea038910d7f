/* export: profiles for other tools.
 *
 *     profile + map + flows -> formats of other tools
 *
 * Each text format has a file here; each format that needs a library has one under port/. doc/everyday/export.md describes
 * the formats, and the tools they were checked with.
 *
 * Glossary
 *   format   a name, its consumers, and a function that prints it
 *   exported the input: a profile, and what was derived from it
 *   stack    a path in the form of a call stack: its blocks, the first outermost. So paths with a common prefix
 *            share frames, as in a prefix tree; the innermost is where the path ended.
 *   place    one frame of a stack: a block of a function
 *   remark   what a profile lacks, or that counts are estimates: printed by every format with comments
 *
 * Memory: in the arena handed in; results refer to profile and map.
 */
#ifndef TROD_EXPORT_H
#define TROD_EXPORT_H

#include "flow/flow.h"
#include "online/online.h"

/* A basic block of machine code, as the compiler of a file numbered it. */
enum { TROD_BLOCK_PAD = 4, TROD_BLOCK_FALLS = 8, TROD_BLOCK_INDIRECT = 16 };

struct trod_export_block {
    uint64_t address, nbyte; /* as in names of nodes */
    uint64_t function;       /* address of its function */
    uint32_t id;             /* in the function */
    uint32_t
        flags; /* it is a landing pad, falls through, ends with an indirect branch */
};

struct trod_export_blocks {
    const char *file; /* as in units of the map */
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
    uint64_t
        most; /* paths, for formats that print some; 0: the default of the format */
    const struct trod_subpaths *subpaths;     /* NULL: paths were counted */
    const struct trod_condition_source *text; /* NULL: sources are not read */
    const struct trod_times *times;           /* NULL: paths were not timed */
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

/* What a format can represent, besides exact counts of all paths. Anything else is
 * refused before the format is called.
 */
enum {
    TROD_EXPORT_ESTIMATES = 1, /* counts that are estimates: of bursts */
    TROD_EXPORT_PARTIAL = 2,   /* functions with only some paths counted */
    TROD_EXPORT_ACROSS = 4,  /* paths that continue into calls: without, functions that
                                  have them are omitted, with a note */
    TROD_EXPORT_SAMPLES = 8, /* sampled subpaths */
    TROD_EXPORT_FRAMES = 32, /* it names frames by conditions: sources are read */
    TROD_EXPORT_TIMES = 64,  /* it needs times of paths */
    TROD_EXPORT_BLOCKS = 16  /* it needs paths of machine code, and the numbers that the
                                  compiler gave to blocks */
};

struct trod_export_format {
    const char *name;
    const char *summary; /* what it is, and what reads it */
    bool binary;         /* not text: not for a terminal */
    bool (*put)(struct trod_sink *sink, const struct trod_exported *in,
        struct trod_arena *mem, struct trod_err *err);
    uint64_t takes; /* a set of the above; 0: only exact counts of all paths */
};

/* The formats of this folder; ends with an entry without a name. */
extern const struct trod_export_format trod_export_formats[];

/* Can a format represent a profile?
 *
 * fails:  TROD_E_MISMATCH
 */
bool trod_export_check(const struct trod_export_format *format,
    const struct trod_profile *profile, struct trod_err *err) TROD_MUST_CHECK;

/* What is omitted or estimated, one text each, without a line break. Returns their number. */
size_t trod_export_remarks(
    const char *const **out, const struct trod_exported *in, struct trod_arena *mem);

/* --- export_stacks.c: paths as stacks ------------------------------------------------------------------------ */

enum trod_export_kind {
    TROD_EXPORT_ENTRY, /* the path began where the function does */
    TROD_EXPORT_LOOP,  /* with an iteration of a loop */
    TROD_EXPORT_CALL,  /* after a call, where paths end at these, too */
    TROD_EXPORT_CUT,   /* after an edge that was cut and closes no loop */
    TROD_EXPORT_SUBPATH,
    TROD_EXPORT_UNKNOWN /* no map has the function */
};

const char *trod_export_kind_name(enum trod_export_kind kind);

struct trod_export_stack {
    uint32_t module; /* of the profile */
    const struct trod_profile_function *function;
    const struct trod_map_entry *entry; /* NULL: no map has it */
    const char *name;                   /* linkage name, or "?HASH" */
    const char *display_name;           /* demangled */
    const char *file;                   /* NULL: unknown */
    enum trod_export_kind kind;
    uint64_t id;                               /* of the path, or of a chain of paths */
    uint64_t count, weight;                    /* as in reports */
    const struct trod_time *time;              /* NULL: was not timed */
    const struct trod_online_subpath *subpath; /* of subpaths */
};

struct trod_export_stacks {
    const struct trod_exported *in;
    const struct trod_export_stack *stack; /* most frequent first */
    size_t nstack;
    size_t nall;            /* paths that ran, of selected functions */
    uint64_t count, weight; /* of everything that ran, selected or not */
    struct trod_online_names names;
    uint32_t most_places; /* of any of them */
    const char ***label;  /* [nentry][nnode], computed on demand */
};

/* All stacks of selected functions, or the first in->most of them.
 *
 * cost:   O(paths x length of a path)
 */
void trod_export_stacks(struct trod_export_stacks *out, const struct trod_exported *in,
    struct trod_arena *mem);

/* The module of the profile for an entry of the map, the first if several; TROD_NONE: none. [nentry] */
const uint32_t *trod_export_modules(
    const struct trod_exported *in, struct trod_arena *mem);

struct trod_export_place {
    const struct trod_map_entry
        *entry; /* of the function that the block is in; NULL: no map has it */
    const char *name, *display_name; /* of that function */
    trod_node node;                  /* TROD_NONE: no map has it */
    uint32_t line;                   /* its first; 0: unknown */
};

/* The places of a stack, outermost first; at least one. For chains of paths, those of all paths in order.
 *
 * needs:  room for stacks->most_places
 */
uint32_t trod_export_places(struct trod_export_place *out,
    const struct trod_export_stacks *stacks, const struct trod_export_stack *stack);

/* The name of a frame: function, file, line, and the condition that is decided there if the source can be read, as in
 * `string json.c:79 (c == '"')`. If several blocks of a function have the same name, a number is appended.
 *
 * needs:  place->node
 */
const char *trod_export_label(const struct trod_export_stacks *stacks,
    const struct trod_export_place *place, struct trod_arena *mem);

/* The path in words. */
void trod_export_put_stack(struct trod_sink *sink,
    const struct trod_export_stacks *stacks, const struct trod_export_stack *stack,
    bool blocks);

/* --- export_cover.c: coverage, file by file ------------------------------------------------------------
 *
 * The common part of lcov, Cobertura and gcov: files with functions, lines and branches. Functions that occur several
 * times under one name, such as static functions of headers, are one; instances of templates have different names.
 *
 * These formats cannot represent lines that may or may not have run. Such lines and outcomes are omitted: a line with
 * the count 0 did not run.
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
    uint32_t number;   /* number among those of the line, from 0 */
    uint32_t nway;
    uint64_t *count; /* [nway] */
    bool *unknown;   /* [nway] count is 0, but it may have been taken */
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
    struct trod_export_covered functions, lines, branches; /* branches: outcomes */
};

struct trod_export_cover {
    size_t nfile;
    const struct trod_export_file *file; /* that have lines, by path */
    uint64_t nwithout;                   /* functions without lines */
    uint64_t nunknown; /* lines that may or may not have run: omitted */
    struct trod_export_covered functions, lines, branches;
};

/* For the selected functions, whether they ran or not.
 *
 * fails:  TROD_E_INPUT if none has lines, TROD_E_MISMATCH if no map has any of them
 * cost:   O(blocks + edges), a sort of lines
 */
bool trod_export_cover(struct trod_export_cover *out, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The covered share, from 0 to 1; 1 if there is nothing to cover. */
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
/* The same by own time, in nanoseconds, or in ticks if the clock is unknown: of paths that have any. */
bool trod_export_collapsed_time(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_callgrind(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_json(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_dot(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

bool trod_export_propeller(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The name of a frame of collapsed stacks, which cannot contain semicolons or line breaks. */
void trod_export_collapsed_name(struct trod_sink *sink, const char *name);

bool trod_export_lcov(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_cobertura(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_export_gcov(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
/* Can a name be written in LLVM's text forms? They have no quotes, so it must not look like a comment, a setting or several lines. */
bool trod_export_llvm_has(const char *name);

/* The text form of sample profiles, as AutoFDO writes it: by lines, so that it fits any build of the same source.
 *
 * needs:  lines in the map
 * fails:  TROD_E_MISMATCH without
 */
bool trod_export_sample(struct trod_sink *sink, const struct trod_exported *in,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* A field according to RFC 4180: quoted if necessary. */
void trod_export_csv_field(struct trod_sink *sink, const char *text);

#endif
