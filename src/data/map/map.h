/* map: the graphs, numberings and source lines of functions that the compiler embeds in the binary.
 *
 *     text of the section .trod.map -> map
 *
 * A profile names functions by hashes and paths by ids. The map gives them names, graphs, numberings and lines.
 *
 * Glossary
 *   unit      a translation unit
 *   entry     a function of the map
 *   decision  a block with several successors, and what each of them means in the source
 *   frame     a function of a supergraph: one call that is followed, in the frame of its caller
 *
 * Memory: in the arena handed in; the map refers to nothing else.
 */
#ifndef TROD_MAP_H
#define TROD_MAP_H

#include "number/number.h"
#include "profile/profile.h"

/* --- map.c: the text form --------------------------------------------------
 *
 *     unit FILE source                    # a translation unit, and its mode
 *     directory "project/src"             # where it was compiled, if known; without the folders above
 *     command "clang -O2 ..."             # and how
 *     skipped NAME REASON
 *     function NAME HASH HASH HASH        # of name, graph and cuts, hexadecimal
 *     file FILE                           # with debug information
 *     declared 12                         # the line that its name is on, there
 *     begun NAME                          # it counts begun activations
 *     alias OTHER                         # another name that it is called by
 *     iterations 3                        # it counts chains of up to 3 paths
 *     limited 2                           # in units of mode machine: number of edges cut for the limit on paths
 *     frames NAME                         # its paths follow calls: frame 1 is a call in frame 0, at node 5, of g
 *     1: 0 5 g
 *     2: 0 7 h *                          # the same for an indirect call, if it calls h
 *     numbering NAME ballarus
 *     ...
 *     graph NAME                          # instead, of a function that a program made while it ran: only its blocks have numbers
 *     0: 1 2
 *     ...
 *     calls NAME                          # if paths also end at calls: these calls
 *     ...
 *     meaning NAME HASH                   # of the function: semantic hash, independent of names and lines
 *     nodes NAME                          # for each block: semantic hash and callees
 *     0: HASH f g *
 *     counters NAME OTHER HASH 3          # clang's counters: its name of the function, its hash, their number; and those of each block
 *     0: 0
 *     1: 1 2
 *     lines NAME                          # with debug information: the lines of each block
 *     0: 12 13
 *     included NAME FILE                  # lines of text that the function includes from another file, or that #line names there
 *     0:
 *     1: 5 6
 *     inlined NAME                        # blocks whose lines belong to functions inlined from the same file:
 *     4: 18 18 weigh                      # first and last line in its own text, and the inlined function of the last of `lines`
 *     branches NAME                       # in optimised code: the line of the branch of a block, 0: unknown; and its inlined function and file
 *     4: 7 weigh
 *     6: 91 scan FILE                     # "-" for the function itself
 *     7: 18
 *     jumps NAME 3 5                      # blocks that only jump
 *     tails NAME 2 6                      # blocks whose last line is only that of their final jump or return
 *     borrowed NAME 5                     # those of `jumps` with the line and column of an earlier block: they are not code of that line
 *     throws NAME 7                       # blocks that leave the function by throwing an exception
 *     unwinds NAME 8                      # blocks that leave it because a callee has thrown
 *     stops NAME 9                        # blocks that end with a call that does not return
 *     merged NAME 3 15 0 18               # pairs of a block and a line whose code was removed or merged: the line may have run if the block did
 *     loops NAME 3 14 7 21                # loop headers, and the line of the loop statement
 *     decisions NAME                      # blocks with several successors whose meaning in the source is known:
 *     0: 12 7 1 T F                       # line and column, number of conditions, and the outcome of each edge
 *     2: 15 9 1 * F T                     # *: other branches decide the condition, too
 *     3: 40 5 1 in FILE T F               # in: the line is in another file
 *     4: 20 3 0 default "case C_STRING"
 *     6: 0 0 0 "-" "-"                    # not a decision of the source: it follows from earlier ones
 *     sites NAME                          # for each callee in `nodes`: the line of the call
 *     0: 12 12 13
 *     events NAME                         # in bursts: numbered events
 *     loop 0 3 14                         # its number, header and line; 0: unknown
 *     call 0 5 17 9 g                     # its number, block, line, column and callee
 *     call 1 7 21 3 *                     # an indirect one
 *     ref 0 5 load 8 17 11                # its number, block, bytes, line, column; or store, or both
 */

/* The source location of the branch of a block of optimised code. */
struct trod_map_branch {
    trod_node node;
    uint32_t line;        /* 0: unknown */
    const char *function; /* inlined function; NULL: the function itself */
    const char *file;     /* file of the line; NULL: the function's own */
};

/* A line of the function's own file that may have run if a block did, though the block has no code of it. */
struct trod_map_merged {
    trod_node node;
    uint32_t line;
};

/* Events that bursts count; their numbers, in ids of events, ascend from 0. */
struct trod_map_loop {
    trod_node header;
    uint32_t line; /* 0: unknown */
};

struct trod_map_call {
    trod_node node;
    uint32_t line, column;
    const char *callee; /* NULL: indirect */
};

enum trod_map_access { TROD_MAP_LOAD = 1, TROD_MAP_STORE = 2, TROD_MAP_BOTH = 3 };

struct trod_map_ref {
    trod_node node;
    enum trod_map_access access;
    uint32_t nbyte, line, column;
};

struct trod_map_events {
    struct trod_map_loop *loop;
    uint32_t nloop, room_loop;
    struct trod_map_call *call;
    uint32_t ncall, room_call;
    struct trod_map_ref *ref;
    uint32_t nref, room_ref;
};

/* The counters of clang's own instrumentation in a function: a counter is incremented when its block runs. */
struct trod_map_counters {
    const char *name;      /* name of the function in clang's profiles; NULL: unknown */
    uint64_t hash;         /* of its syntax tree */
    uint32_t count;        /* number of counters; those in no block stay 0 */
    const uint32_t *first; /* [nnode + 1] into index */
    const uint32_t *index; /* less than count */
};

/* A function whose paths follow calls has two entries: one for its subpaths, with calls and lines,
 * and one for its supergraph, with frames. The calls and lines of the latter are assembled from
 * the functions of its frames.
 */
struct trod_map_frame {
    uint32_t parent; /* frame; TROD_NONE for the first */
    trod_node
        node; /* node in the parent's function that begins with the call; or TROD_NONE */
    const char *function;
    bool guarded;
    trod_node first;   /* node of the supergraph that is node 0 of its function */
    uint32_t of_entry; /* entry of its function */
};

/* A block that begins or ends with code inlined from the same file. */
struct trod_map_inlined {
    trod_node node;
    uint32_t first,
        last; /* its first and last line in the function's own text: those of the call */
    const char
        *function; /* inlined function of its last line; NULL: the function itself */
    const char *display_name; /* demangled; `function` if there is no other name */
};

/* Lines of blocks in a file that the function's body includes. */
struct trod_map_included {
    const char *file;
    const uint32_t *first_line; /* [nnode + 1] into line */
    const uint32_t *line;
};

/* Do reports show a function? */
enum trod_map_shown {
    TROD_SHOWN,
    TROD_HIDDEN_SYSTEM, /* in a system header or library */
    TROD_HIDDEN_FILE    /* its file was not selected */
};

/* Sets of blocks: the section of the same name. */
enum trod_map_set {
    TROD_MAP_JUMPS,
    TROD_MAP_TAILS,
    TROD_MAP_BORROWED,
    TROD_MAP_THROWS,
    TROD_MAP_UNWINDS,
    TROD_MAP_STOPS,
    TROD_MAP_NSET
};

struct trod_map_entry {
    const char *name;         /* linkage name */
    const char *display_name; /* demangled; `name` if there is no other name */
    const char *unit;
    const char *file;          /* NULL: unknown */
    uint32_t declared;         /* the line of its name; 0: unknown */
    enum trod_map_shown shown; /* TROD_SHOWN by default */
    uint64_t name_hash, graph_hash, cuts_hash;
    bool begun; /* it counts begun activations: the number of abandoned ones is known */
    bool
        machine; /* its graph is machine code: edges are cut by address, and nlimited of them for the limit */
    uint32_t nlimited;
    struct trod_numbering numbering;
    struct trod_calls calls;
    const char **alias;
    uint32_t nalias, room_alias;
    struct trod_map_frame *frame;
    uint32_t nframe, room_frame; /* 0: its paths stay in the function */
    struct trod_chain
        chain; /* the meaning of ids in profiles: paths, or chains of paths */
    const uint32_t *first_line; /* [nnode + 1] into line, or NULL: unknown */
    const uint32_t *line;
    struct trod_map_included *included;
    uint32_t nincluded, room_included;
    struct trod_map_inlined *inlined; /* ascending by node */
    uint32_t ninlined, room_inlined;
    struct trod_map_branch *branch; /* ascending by node */
    uint32_t nbranch, room_branch;
    const uint64_t *blocks[TROD_MAP_NSET]; /* sets of blocks; NULL: empty */
    struct trod_map_merged *merged;
    uint32_t nmerged, room_merged;
    const uint32_t *
        line_of_loop; /* [nnode] line of the loop statement that begins there; 0: unknown; NULL: all unknown */
    const struct trod_map_decision *decision; /* by node */
    uint32_t ndecision;
    uint64_t meaning; /* semantic hash; 0: unknown */
    const uint64_t
        *hash_of_node; /* [nnode], semantic hash of each block; NULL: unknown */
    const uint32_t *first_callee;   /* [nnode + 1] into callee; NULL: unknown */
    const char *const *callee;      /* NULL: an indirect call */
    const uint32_t *line_of_callee; /* as callee; 0: unknown; NULL: all unknown */
    struct trod_map_events events;
    struct trod_map_counters counters;
};

/* A block with several successors, in terms of the source. */
struct trod_map_decision {
    trod_node node;
    const char *file;      /* file of the line; NULL: the function's own */
    uint32_t line, column; /* of the condition, the first of several; 0: unknown */
    uint32_t
        ncondition; /* 1: one condition; more: merged into one branch by the optimizer; 0: not a condition */
    bool partly;    /* other branches decide it, too, or the optimizer knew its value */
    const char *const
        *way; /* the outcome of each edge: T, F; case 3, default; returns, throws */
};

struct trod_map_skipped {
    const char *name, *unit, *why;
};

struct trod_map_unit {
    const char *file;
    const char *directory, *command; /* NULL: unknown */
};

struct trod_map {
    struct trod_map_unit *unit;
    uint32_t nunit, room_unit;
    struct trod_map_entry *entry;
    uint32_t nentry, room_entry;
    struct trod_map_skipped *skipped;
    uint32_t nskipped, room_skipped;
    struct trod_table entries; /* by name_hash */
    trod_edge *step;           /* room for any path of any entry */
};

/* fails:  TROD_E_INPUT */
bool trod_map_parse(struct trod_map *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The entry of a function, or NULL. Ids are meaningful only if graph and cuts
 * are the same, so both must match.
 */
const struct trod_map_entry *trod_map_find(
    const struct trod_map *map, const struct trod_profile_function *function);

/* The same for a function whose ids are sampled blocks. */
const struct trod_map_entry *trod_map_find_blocks(
    const struct trod_map *map, const struct trod_profile_function *function);

/* The same for a function whose ids are events, or for its record of paths. */
const struct trod_map_entry *trod_map_find_events(
    const struct trod_map *map, const struct trod_profile_function *function);

/* The name of a function by the hash of its name, with any graph; NULL: unknown. */
const char *trod_map_name(const struct trod_map *map, uint64_t name_hash);

/* --- map_nodes.c: sections about blocks ------------------------------------ */

/* The lines of a section `inlined NAME`, up to the end of the section.
 *
 * needs:  out->first_line
 * fails:  TROD_E_INPUT
 */
bool trod_map_inlined_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The entry of a block there; NULL: none. */
const struct trod_map_inlined *trod_map_inlined_at(
    const struct trod_map_entry *entry, trod_node node);

/* The lines of a section `branches NAME`, likewise. */
bool trod_map_branches_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The inlined function that the decision of a block is in; NULL: none. */
const char *trod_map_decision_function(
    const struct trod_map_entry *entry, trod_node node);

/* The blocks of `jumps NAME` and the like, up to the end of the line.
 *
 * needs:  out->numbering
 * fails:  TROD_E_INPUT
 */
bool trod_map_set_parse(struct trod_map_entry *out, enum trod_map_set set,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The word of a set in the map: "jumps". */
const char *trod_map_set_name(enum trod_map_set set);

bool trod_map_is_in_set(
    const struct trod_map_entry *entry, enum trod_map_set set, trod_node node);

/* The pairs of `merged NAME`, adding to earlier ones. */
bool trod_map_merged_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The pairs of `loops NAME`, likewise. */
bool trod_map_loops_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The lines of a section `decisions NAME`, up to the end of the section.
 *
 * needs:  out->numbering
 * fails:  TROD_E_INPUT
 */
bool trod_map_decisions_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The decision of the source at a block; NULL: unknown. */
const struct trod_map_decision *trod_map_decision_of(
    const struct trod_map_entry *entry, trod_node node);

/* Is it not a decision of the source, but one that follows from others? */
bool trod_map_is_own_decision(const struct trod_map_entry *entry, trod_node node);

/* A location in the source. */
struct trod_map_place {
    const char *file; /* NULL: the function's own */
    uint32_t line;    /* 0: unknown */
};

/* The location of the decision of a block: its condition, or the last line of the block. */
struct trod_map_place trod_map_decision_place(
    const struct trod_map_entry *entry, trod_node node);

/* The location of a loop: its statement, or the first line of its header. */
struct trod_map_place trod_map_loop_place(
    const struct trod_map_entry *entry, trod_node node);

/* The first line of a block. */
struct trod_map_place trod_map_first_place(
    const struct trod_map_entry *entry, trod_node node);

/* The name of a file without its folders. */
const char *trod_map_base_name(const char *file);

/* `12`, or `parse.y:12` in another file. */
void trod_map_put_place(struct trod_sink *sink, struct trod_map_place place);

/* The lines of a section `lines NAME`, `included NAME FILE`, `nodes NAME`, `counters NAME` or `sites NAME`, one for each block.
 *
 * needs:  out->numbering; for counters their number; for sites the callees of blocks
 * fails:  TROD_E_INPUT
 */
bool trod_map_lines_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_map_included_parse(struct trod_map_entry *out, const char *file,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;
bool trod_map_nodes_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_map_sites_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_map_counters_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- map_events.c: events of bursts -------------------------------------------- */

/* The lines of a section `events NAME`, up to the end of the section.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_map_events_parse(struct trod_map_events *out, const struct trod_graph *graph,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- map_paths.c: names of files ------------------------------------------------------------- */

/* Names with '..' as seen from the folder that all such files are in: src/a.c and lib/b.c for ../src/a.c and ../../lib/b.c, whatever
 * folders they were compiled in. Directories of these units become that folder; what is elsewhere has its whole path.
 */
void trod_map_name_files(struct trod_map *map, struct trod_arena *mem);

/* --- only.c: lists of functions to count --------------------------------------
 *
 *     weigh                               # in any file
 *     note src/log.c                      # if the path of the file, or of the unit, ends in this
 */

/* The reason why a function that is not in the list is skipped. */
#define TROD_NOT_CHOSEN "not chosen"

struct trod_only_line {
    const char *function; /* linkage name */
    const char *file;     /* NULL: any */
};

struct trod_only {
    struct trod_only_line *line; /* by function */
    uint32_t count;
};

/* fails:  TROD_E_INPUT */
bool trod_only_parse(struct trod_only *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Join a directory (NULL: none) and the name of a file, and remove '.' and '..'. */
const char *trod_only_path(
    const char *directory, const char *file, struct trod_arena *mem);

/* The reverse: an absolute path relative to a directory. Unchanged if they have no common folder. */
const char *trod_only_relative(
    const char *directory, const char *path, struct trod_arena *mem);

/* Is a function in the list? path: its file, if known */
bool trod_only_has(const struct trod_only *only, const char *function,
    const char *const *path, uint32_t npath);

/* Does a map have the function of a line, counted or skipped for another reason? */
bool trod_only_in_map(const struct trod_only_line *line, const struct trod_map *map,
    struct trod_arena *mem);

/* --- frames.c: supergraphs in the map ------------------------------------------------------ */

/* Find the functions of all frames, and assemble calls and lines of supergraphs.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_map_join_frames(
    struct trod_map *map, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The frame that a node of a supergraph is in. */
uint32_t trod_map_frame_of(const struct trod_map_entry *entry, trod_node node);

#endif
