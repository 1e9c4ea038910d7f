/* lift: executed machine code as functions, graphs and paths.
 *
 *     codes, paths counted by address -> functions -> graphs, numberings -> a profile and its map
 *
 * So all commands that read profiles work for programs that were not recompiled.
 *
 * Glossary
 *   seen      what an emulator saw of one process: images, codes, paths with counts
 *   unit      a file of images, or memory without a file; becomes a module
 *   place     an address as a unit and an offset in it, in one number: the same in every process
 *   entry     where a function begins: at a symbol, at the target of a call, or where the emulator says so
 *   owner     the function for which a path is counted. Emulators recognise functions by calls only, so a path
 *             that jumped into another function is assigned to that one
 *   node      consecutive instructions that a function's paths enter at the first and leave at the last; calls
 *             are inside. Nodes of a function are disjoint, however an emulator divides codes
 *   backward  said of an edge to its own address or before; exactly these edges are cut
 *   switch    a node without code: indirect jumps of a function lead to it across a cut edge, and from it
 *             to all other observed starts of paths
 *   unknown   code that did not run and cannot be decoded: a node without successors
 *   left      said of a path: unfinished, because its activation was abandoned
 *   lost      said of a path: it cannot be walked. Their number is a note of the profile
 *
 * Memory: in the arena handed in; the result refers to the recording.
 */
#ifndef TROD_LIFT_H
#define TROD_LIFT_H

#include "branch/branch.h"
#include "model/model.h"
#include "number/number.h"
#include "profile/profile.h"

struct trod_seen_path {
    struct trod_descriptor path;
    uint64_t count;
    uint64_t ninsn; /* instructions of all its executions */
    bool cut; /* unfinished: its activation was abandoned after its last outcome */
};

struct trod_seen {
    const char *program; /* file */
    uint64_t start;      /* seconds since 1970 */
    uint32_t pid;
    bool whole; /* the process ended, and the recording is complete */
    const struct trod_image *image;
    uint32_t nimage;
    const struct trod_code *code;
    uint32_t ncode;
    const struct trod_seen_path *path;
    uint64_t npath;
    uint64_t nrun, ninsn, nodd;
};

/* --- lift_text.c: what was seen, as text ------------------------------------------------
 *
 *     seen 1 /bin/true 4711 1700000000 whole      # version, program, pid, start; or part
 *     image 0 "/bin/true" 3e7a 0x401000 0x409000 0x1000   # build id, addresses, offset in the file
 *     image 1 - - 0x7000 0x8000 0x0               # no file, no build id
 *     code 0x401000 0x401004 0x401006 if 0x401020 3       # first, last, behind, kind, target, instructions
 *     code 0x401006 0x401006 0x401007 return 0x0 1
 *     path 0x401000 0x401000 0 12 48              # function, start, outcomes, count, instructions
 *     path 0x401000 0x401006 - 1 1                # no branch with an outcome
 *     cut 0x401000 0x401000 - 1 2                 # the same for an unfinished path
 *     total 24 49 0                               # runs, instructions, odd runs
 *
 * The total is the last line, so that a truncated file is detected.
 */

/* Print everything, or piece by piece, in this order, for producers with their own tables. */
void trod_seen_print(struct trod_sink *sink, const struct trod_seen *seen);
void trod_seen_print_head(struct trod_sink *sink, const struct trod_seen *seen);
void trod_seen_print_image(
    struct trod_sink *sink, uint32_t number, const struct trod_image *image);
void trod_seen_print_code(struct trod_sink *sink, const struct trod_code *code);
void trod_seen_print_path(struct trod_sink *sink, const struct trod_seen_path *path);
void trod_seen_print_total(struct trod_sink *sink, const struct trod_seen *seen);

/* Lines between head and total may be in any order; images and codes are numbered in the order of
 * their lines.
 *
 * fails:  TROD_E_INPUT, with file, line and remedy
 * cost:   O(bytes)
 */
bool trod_seen_parse(struct trod_seen *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* none, if, jump, indirect, call, call-indirect, return; "?" for an invalid kind. */
const char *trod_seen_kind_name(uint8_t kind);

/* --- lift_build.c: from addresses to functions, graphs and ids --------------------------- */

struct trod_lift_symbol {
    const char *name;
    uint64_t start, end; /* offsets */
    bool local;
    bool part; /* a cold part of another function that the compiler moved away */
};

/* Information about files besides the recording, by file and offset. Any function may be NULL, and may
 * fail. Ports implement this.
 */
struct trod_lift_files {
    void *ctx;
    /* The function that contains an offset. */
    bool (*symbol)(void *ctx, struct trod_lift_symbol *out,
        const struct trod_image *image, uint64_t offset);
    /* The address of an offset, as objdump shows it. */
    uint64_t (*address)(void *ctx, const struct trod_image *image, uint64_t offset);
    /* The source file of an offset; NULL: unknown. */
    const char *(*source)(void *ctx, const struct trod_image *image, uint64_t offset);
    /* The line of the name of the function that contains an offset; 0: unknown. */
    uint32_t (*declared)(void *ctx, const struct trod_image *image, uint64_t offset);
    /* The lines of some code in that source, in order; returns their number, at most `most`. */
    uint32_t (*lines)(void *ctx, uint32_t *line, uint32_t most,
        const struct trod_image *image, uint64_t from, uint64_t to, const char *source);
    /* Decode the code at an offset, with offsets instead of addresses, for code that did not run. */
    bool (*decode)(void *ctx, struct trod_code *out, const struct trod_image *image,
        uint64_t offset);
};

enum trod_lift_end {
    TROD_LIFT_FALLS, /* on to the next node */
    TROD_LIFT_IF,    /* to its target, or on; successors in this order */
    TROD_LIFT_JUMP,
    TROD_LIFT_SWITCH, /* indirect */
    TROD_LIFT_LEAVES, /* returns; or continues in another function: trod_lift_node.to */
    TROD_LIFT_UNKNOWN
};

struct trod_lift_node {
    uint64_t start, after; /* places; equal if it has no code */
    uint64_t to;           /* LEAVES: the entry where it continues; all ones: none */
    uint8_t end;           /* enum trod_lift_end */
    bool calls;
    bool jumps; /* LEAVES: by a direct jump, which has an outcome */
};

struct trod_lift_function {
    const char *name; /* symbol, or file and address */
    uint64_t entry;   /* place */
    uint32_t unit;
    uint64_t name_hash, graph_hash, cuts_hash;
    struct trod_graph graph;
    const struct trod_lift_node *node; /* [graph.nnode] */
    uint32_t ncode;                    /* of these, the first: with code, ascending */
    trod_node switch_node;             /* or TROD_NONE */
    struct trod_view view;
    struct trod_limit_report limit;
    struct trod_numbering numbering;
    struct trod_profile_path *path; /* ids ascending */
    size_t npath, room_path;
    const bool *exposed; /* [graph.nnode], as in graph/leave.c */
    uint64_t nended;     /* paths that ended in exposed nodes */
    uint64_t nleft;      /* abandoned activations */
};

struct trod_lift_unit {
    struct trod_image image; /* of anonymous memory, only the start address */
    const char *name;        /* of its file, without folders */
};

struct trod_lift_totals {
    uint64_t ncounted; /* executions of paths, as recorded */
    uint64_t nleft;    /* unfinished paths */
    uint64_t nlost;    /* paths that could not be walked */
    uint64_t nlost_path;
    uint64_t nsplit;      /* additional counts, because a path was assigned to another
                          function as well, or crosses a cut for the limit */
    uint64_t nchanged;    /* different codes at one address */
    uint64_t nodd;        /* runs */
    char first_lost[200]; /* description and reason */
};

struct trod_lifted {
    uint32_t nunit;
    const struct trod_lift_unit *unit;
    uint32_t nfunction;
    struct trod_lift_function **function; /* by place of their entries */
    struct trod_lift_totals total;
    const struct trod_lift_files *files;
};

struct trod_lift_options {
    const struct trod_lift_files *files; /* NULL: none */
    uint64_t limit;                      /* paths of a function; 0 = TROD_PATH_MAX */
};

/* Lift processes together. Functions have one graph for all of them. The paths of the first ncounted are
 * counted; the others only contribute code. To make profiles of several comparable,
 * lift each together with the others.
 *
 * fails:  TROD_E_LIMIT
 * cost:   O(codes log codes + length of all paths), and the limits of number/limit.c
 */
bool trod_lift_build(struct trod_lifted *out, const struct trod_seen *const *seen,
    uint32_t nseen, uint32_t ncounted, const struct trod_lift_options *options,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The node that begins at a place; TROD_NONE: none. */
trod_node trod_lift_node_at(const struct trod_lift_function *function, uint64_t place);

/* --- lift_place.c, lift_find.c, lift_graph.c, lift_walk.c: in lifter.h ---------------------- */

/* --- lift_profile.c: as a profile and a map ------------------------------------------------- */

/* Additional fields of a run, after those from the recording. */
struct trod_lift_fields {
    const struct trod_profile_field *field;
    uint32_t nfield;
};

/* One group with a run for each process, a module for each unit in which something ran. Losses
 * are notes.
 */
bool trod_lift_profile(struct trod_profile *out, const struct trod_lifted *lifted,
    const struct trod_seen *const *seen, uint32_t ncounted,
    const struct trod_lift_fields *fields, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The text of a map, as in binaries (data/map/map.h), of all units. */
void trod_lift_print_map(struct trod_sink *sink, const struct trod_lifted *lifted);

/* Numberings of all functions, each followed by the paths that ran, as a list of trails; counts, and paths that
 * could not be walked, in comments.
 */
void trod_lift_print(
    struct trod_sink *sink, const struct trod_lifted *lifted, struct trod_arena *mem);

/* --- lift_check.c: everything that must hold --------------------------------------------- */

/* Its fault, or NULL. */
const char *trod_seen_image_fault(const struct trod_image *image);
const char *trod_seen_code_fault(const struct trod_code *code);
const char *trod_seen_path_fault(const struct trod_seen_path *path);

/* Invariants: addresses of an image ascend, so do those of a code; only direct branches have a
 * target, a code has instructions and its index as number; a path has a count, and no bits after
 * its outcomes.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_seen_check(
    const struct trod_seen *seen, struct trod_err *err) TROD_MUST_CHECK;

/* Invariants: functions ascend; nodes belong to one unit, and those with code ascend; a node that falls through ends where
 * its successor begins (not always where the next node begins: a jump past a prefix leads into an instruction); every edge
 * that is not cut goes forward; graphs, DAGs and numberings are valid; ids ascend and are below npath.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_lift_check(const struct trod_lifted *lifted, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
