/* map: what the compiler leaves in the binary: graphs, numberings and source lines of its functions.
 *
 *     text of the section .trod.map -> map
 *
 * A profile names functions by hashes and paths by ids. The map gives them names, graphs, numberings and lines.
 *
 * Glossary
 *   unit      a module as the compiler saw it
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

/* --- map.c: what the binary carries --------------------------------------------------
 *
 *     unit FILE source                    # a module as the compiler saw it, and its mode
 *     directory "project/src"             # where it was compiled, if that is known; without what is above
 *     command "clang -O2 ..."             # and how
 *     skipped NAME REASON
 *     function NAME HASH HASH HASH        # of name, graph and cuts, hexadecimal
 *     file FILE                           # with debug information
 *     declared 12                         # the line that its name is on, there
 *     begun NAME                          # it counts how often it is begun
 *     alias OTHER                         # another name that it is called by
 *     iterations 3                        # it counts chains of up to 3 paths
 *     limited 2                           # in a unit of mode machine: edges that are cut for the limit on paths
 *     frames NAME                         # it goes on into calls: of frame 0, at node 5, of g
 *     1: 0 5 g
 *     2: 0 7 h *                          # if the indirect call is one of h
 *     numbering NAME ballarus
 *     ...
 *     calls NAME                          # where paths end at calls, too: which these are
 *     ...
 *     meaning NAME HASH                   # of the function: what it does, whatever its names and lines
 *     nodes NAME                          # of each block: hash of what it does, and whom it calls
 *     0: HASH f g *
 *     counters NAME OTHER HASH 3          # clang's: what it calls the function, its hash, how many; and of each block
 *     0: 0
 *     1: 1 2
 *     lines NAME                          # with debug information: of each block
 *     0: 12 13
 *     included NAME FILE                  # lines of text that the function includes from another file, or that #line names there
 *     0:
 *     1: 5 6
 *     inlined NAME                        # blocks whose lines are those of functions inlined from the same file:
 *     4: 18 18 weigh                      # first and last line in its own text, and whose the last one of `lines` is
 *     branches NAME                       # of optimised code: where the branch of a block is, 0: not known; and of which inlined function, in which file
 *     4: 7 weigh
 *     6: 91 scan FILE                     # "-" for the function itself
 *     7: 18
 *     jumps NAME 3 5                      # blocks that do nothing but go to another
 *     tails NAME 2 6                      # blocks whose last line is that of the jump or return they end with alone
 *     borrowed NAME 5                     # of `jumps`, blocks whose jump has the line and column of a block before: no code of that line
 *     throws NAME 7                       # blocks that leave the function by throwing an exception
 *     unwinds NAME 8                      # blocks that leave it because a function it called has thrown
 *     stops NAME 9                        # blocks that end with a call that does not return
 *     merged NAME 3 15 0 18               # lines whose code, or some of it, is gone or part of other code: it may have run if the block before them did
 *     loops NAME 3 14 7 21                # blocks that a loop begins with, and the line of its statement
 *     decisions NAME                      # of blocks with several ways out whose meaning in the source is known:
 *     0: 12 7 1 T F                       # line and column, of how many conditions it is, and for each way what it means
 *     2: 15 9 1 * F T                     # *: not every time; others decide it, too
 *     3: 40 5 1 in FILE T F               # in: the line is of another file
 *     4: 20 3 0 default "case C_STRING"
 *     6: 0 0 0 "-" "-"                    # none of the source's: what was decided before says which way it goes
 *     sites NAME                          # and of each call in the section of blocks
 *     0: 12 12 13
 *     events NAME                         # in bursts: what has a number of its own
 *     loop 0 3 14                         # its number, header and line; 0: not known
 *     call 0 5 17 9 g                     # its number, block, line, column and callee
 *     call 1 7 21 3 *                     # an indirect one
 *     ref 0 5 load 8 17 11                # its number, block, bytes, line, column; or store, both
 */

/* Where the branch of a block of optimised code is. */
struct trod_map_branch {
    trod_node node;
    uint32_t line;        /* 0: not known */
    const char *function; /* that it was inlined from; NULL: the function itself */
    const char *file;     /* that the line is in; NULL: the function's own */
};

/* A line of the function's own file that may have run if a block did, though the block has no code of it. */
struct trod_map_merged {
    trod_node node;
    uint32_t line;
};

/* What is counted in bursts beside paths: its numbers in ids of events ascend from 0. */
struct trod_map_loop {
    trod_node header;
    uint32_t line; /* 0: not known */
};

struct trod_map_call {
    trod_node node;
    uint32_t line, column;
    const char *callee; /* NULL: it is indirect */
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

/* What clang's own instrumentation would count in a function: each counter is added to where a block runs. */
struct trod_map_counters {
    const char *name;      /* what its profiles call the function; NULL: not known */
    uint64_t hash;         /* of what its syntax tree is made of */
    uint32_t count;        /* of counters; those in no block count nothing */
    const uint32_t *first; /* [nnode + 1] into index */
    const uint32_t *index; /* less than count */
};

/* A function whose paths go on into calls has two entries: one for its subpaths, with calls and lines,
 * and one for its supergraph, with frames. Of the latter, calls and lines are put together from
 * the functions of its frames.
 */
struct trod_map_frame {
    uint32_t parent; /* frame; TROD_NONE for the first */
    trod_node node;  /* of its function, which begins with the call; TROD_NONE */
    const char *function;
    bool guarded;
    trod_node first;   /* node of the supergraph: its function's node 0 */
    uint32_t of_entry; /* its function's own */
};

/* A block that begins or ends with code of a function which was inlined from the same file. */
struct trod_map_inlined {
    trod_node node;
    uint32_t first,
        last; /* its first and last line in the text of the function itself: those of the call */
    const char *function;     /* whose its last line is; NULL: the function's own */
    const char *display_name; /* demangled; `function` if there is no other name */
};

/* Lines of blocks in a file that the function's body includes. */
struct trod_map_included {
    const char *file;
    const uint32_t *first_line; /* [nnode + 1] into line */
    const uint32_t *line;
};

/* Whether reports show a function. */
enum trod_map_shown {
    TROD_SHOWN,
    TROD_HIDDEN_SYSTEM, /* it is of a system header or library */
    TROD_HIDDEN_FILE    /* its file was not chosen */
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
    const char *file;          /* NULL: not known */
    uint32_t declared;         /* the line that its name is on; 0: not known */
    enum trod_map_shown shown; /* TROD_SHOWN unless somebody said otherwise */
    uint64_t name_hash, graph_hash, cuts_hash;
    bool
        begun; /* it counts how often it is begun: how often it was abandoned is known */
    bool
        machine; /* its graph is of machine code: edges are cut by addresses, and nlimited for the limit */
    uint32_t nlimited;
    struct trod_numbering numbering;
    struct trod_calls calls;
    const char **alias;
    uint32_t nalias, room_alias;
    struct trod_map_frame *frame;
    uint32_t nframe, room_frame; /* 0: its paths stay in the function */
    struct trod_chain chain; /* what ids of profiles are of: paths, or rows of them */
    const uint32_t *first_line; /* [nnode + 1] into line, or NULL: not known */
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
        line_of_loop; /* [nnode] of the statement that begins there; 0: not known; NULL: of none */
    const struct trod_map_decision *decision; /* by node */
    uint32_t ndecision;
    uint64_t meaning; /* what it does, as a hash; 0: not known */
    const uint64_t
        *hash_of_node; /* [nnode], of what each block does; NULL: not known */
    const uint32_t *first_callee;   /* [nnode + 1] into callee; NULL: not known */
    const char *const *callee;      /* NULL: an indirect call */
    const uint32_t *line_of_callee; /* as callee; 0: not known; NULL: of none */
    struct trod_map_events events;
    struct trod_map_counters counters;
};

/* A block with several ways out, as the source has it. */
struct trod_map_decision {
    trod_node node;
    const char *file;      /* that the line is in; NULL: the function's own */
    uint32_t line, column; /* of the condition, the first of several; 0: not known */
    uint32_t
        ncondition; /* 1: of one; more: the optimizer has made one branch of them; 0: it is none of conditions */
    bool partly; /* other branches decide it, too, or the optimizer has found it out */
    const char *const
        *way; /* for each way out: T, F; case 3, default; returns, throws */
};

struct trod_map_skipped {
    const char *name, *unit, *why;
};

struct trod_map_unit {
    const char *file;
    const char *directory, *command; /* NULL: not known */
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

/* The entry of a function, or NULL. Its ids mean what the map says only if graph and cuts
 * are the same, so both must be.
 */
const struct trod_map_entry *trod_map_find(
    const struct trod_map *map, const struct trod_profile_function *function);

/* The same of a function whose ids are of blocks, where these were sampled. */
const struct trod_map_entry *trod_map_find_blocks(
    const struct trod_map *map, const struct trod_profile_function *function);

/* The same of a function whose ids are events, or of the one that was counted beside it. */
const struct trod_map_entry *trod_map_find_events(
    const struct trod_map *map, const struct trod_profile_function *function);

/* The name of a function by the hash of its name, whatever its graph; NULL: not known. */
const char *trod_map_name(const struct trod_map *map, uint64_t name_hash);

/* --- map_nodes.c: what is said of each block, in the map ------------------------------------ */

/* The lines of a section `inlined NAME`, up to one that is none.
 *
 * needs:  out->first_line
 * fails:  TROD_E_INPUT
 */
bool trod_map_inlined_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* What is said of a block there; NULL: nothing. */
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

/* The pairs of `merged NAME`, more of them each time. */
bool trod_map_merged_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The pairs of `loops NAME`, likewise. */
bool trod_map_loops_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The lines of a section `decisions NAME`, up to one that is none.
 *
 * needs:  out->numbering
 * fails:  TROD_E_INPUT
 */
bool trod_map_decisions_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* What the source decides at a block; NULL: not known. */
const struct trod_map_decision *trod_map_decision_of(
    const struct trod_map_entry *entry, trod_node node);

/* Is it none of the source's, and follows from others? */
bool trod_map_is_own_decision(const struct trod_map_entry *entry, trod_node node);

/* Where something stands in the source. */
struct trod_map_place {
    const char *file; /* NULL: the function's own */
    uint32_t line;    /* 0: not known */
};

/* The decision of a block: its condition, or the last line of the block. */
struct trod_map_place trod_map_decision_place(
    const struct trod_map_entry *entry, trod_node node);

/* A loop that begins with a block: its statement, or the first line of the block. */
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
 * needs:  out->numbering, of counters their number, of sites whom blocks call
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

/* --- map_events.c: what bursts count, in the map -------------------------------------------- */

/* The lines of a section `events NAME`, up to one that is none.
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

/* --- only.c: lists of functions that a build is to count --------------------------------------
 *
 *     weigh                               # wherever it is
 *     note src/log.c                      # where the file, or the unit, ends in this
 */

/* Why a function is skipped that is not in the list. */
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

/* The name of a file, seen from a directory, without '.' and '..'. */
const char *trod_only_path(
    const char *directory, const char *file, struct trod_arena *mem);

/* The other way round: an absolute path, as seen from a directory. As it is where they have no folder in common. */
const char *trod_only_relative(
    const char *directory, const char *path, struct trod_arena *mem);

/* Is a function in the list? path: what is known of where it is */
bool trod_only_has(const struct trod_only *only, const char *function,
    const char *const *path, uint32_t npath);

/* Does a map have the function of a line, counted or not for a reason of its own? */
bool trod_only_in_map(const struct trod_only_line *line, const struct trod_map *map,
    struct trod_arena *mem);

/* --- frames.c: supergraphs in the map ------------------------------------------------------ */

/* Find the functions of all frames, and put calls and lines of supergraphs together.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_map_join_frames(
    struct trod_map *map, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The frame that a node of a supergraph is in. */
uint32_t trod_map_frame_of(const struct trod_map_entry *entry, trod_node node);

#endif
