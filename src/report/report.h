/* report: what a profile says, told to people and scripts.
 *
 *     profile + map -> report -> text, JSON
 *
 * A profile knows functions by hashes and paths by ids. The map, which the compiler left in the
 * binary, knows their names, graphs, numberings and lines. Together they tell which way the
 * program went.
 *
 * Glossary
 *   map      the text of a binary's section .trod.map: units, functions, lines
 *   entry    a function of the map
 *   step     one decision on a path: a block with several ways out, and which was taken
 *   row      one path of a report, or one function or file with all its paths
 *   weight   how often a path ran times the blocks on it; added up over all paths, how many
 *            blocks ran. A path of a function that no map knows is taken to have one.
 *
 * Memory: in the arena handed in; the map refers to nothing else.
 */
#ifndef TROD_REPORT_H
#define TROD_REPORT_H

#include "number/number.h"
#include "profile/profile.h"
#include "report/source_text.h"

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
 *     rounds 3                            # it counts chains of up to 3 paths
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
 *     jumps NAME 3 5                      # blocks that do nothing but go to another
 *     tails NAME 2 6                      # blocks whose last line is that of the jump or return they end with alone
 *     borrowed NAME 5                     # of `jumps`, blocks whose jump has the line and column of a block before: no code of that line
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
    const char *function; /* whose its last line is; NULL: the function's own */
    const char *
        told; /* the same as people read it; `function` unless somebody said otherwise */
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

struct trod_map_entry {
    const char *name; /* linkage name */
    const char
        *told; /* the same as people read it; `name` unless somebody said otherwise */
    const char *unit;
    const char *file;          /* NULL: not known */
    uint32_t declared;         /* the line that its name is on; 0: not known */
    enum trod_map_shown shown; /* TROD_SHOWN unless somebody said otherwise */
    uint64_t name_hash, graph_hash, cuts_hash;
    bool begun; /* it counts how often it is begun: how often it was left can be told */
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
    const uint64_t *jumps; /* set of blocks that only go to another; or NULL */
    const uint64_t
        *tails; /* of blocks with only a jump or return on their last line; or NULL */
    const uint64_t *borrowed; /* of jumps whose place is another block's; or NULL */
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
    uint32_t *slot; /* entries by name hash: number + 1, or 0 */
    uint32_t nslot;
    trod_edge *step; /* room for any path of any entry */
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

/* The blocks of `jumps NAME`, `tails NAME` or `borrowed NAME`, up to the end of the line.
 *
 * needs:  out->numbering
 * fails:  TROD_E_INPUT
 */
bool trod_map_jumps_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_map_tails_parse(struct trod_map_entry *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;
bool trod_map_borrowed_parse(struct trod_map_entry *out, struct trod_text *text,
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

/* --- tell.c: one path in words ------------------------------------------------------------- */

/* Print a path as a person would tell it: where it starts, the decisions on it with their
 * lines, where it ends. Without lines, its blocks. A chain path by path.
 *
 *     entry 12:T 15:F 20:case 3 return 31         # T: the condition is true, as it is written
 *     loop 12 13:T again
 *     loop 12 weigh(40:F) again 12         # where the decision is in code that was inlined
 *     from 17 (cut) 20:F to 28 (cut)       # where edges were cut that close no loop
 *     entry 12:T calls parse 14            # where paths end at calls, too
 *     after parse 14 16:F return 31
 *     entry 12:T parse( 40:F ) 16:F return 31     # where they go on into calls
 *     in parse: from 44 (cut) 45:F ) 16:F return 31     # from the middle of one
 *     loop 12 13:T then loop 12 13:F again 12
 */
void trod_tell_path(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id);

/* Where a path starts or ends. At a cut, the code goes on from one path to the next without a loop: the edge was cut
 * because the function has more paths than the limit, or because it leads to a call that may return more than once.
 */
enum trod_path_place {
    TROD_AT_ENTRY,
    TROD_AT_RETURN,
    TROD_AT_LOOP, /* the head of one */
    TROD_AT_CALL, /* where paths end at calls, too; or one that never returns */
    TROD_AT_CUT
};

/* entry, return, loop, call or cut */
const char *trod_path_place_name(enum trod_path_place place);

/* Of the edge of the DAG that a path starts or ends with. More than one cut edge may lead to where it starts; the head of a loop is
 * called that, whatever else leads there.
 */
enum trod_path_place trod_path_start(const struct trod_map_entry *entry, trod_edge e);
enum trod_path_place trod_path_end(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_edge e);

/* How a path ends, by the function that knows: where it leads, or the block that it leaves the function from. */
struct trod_path_ending {
    const struct trod_map_entry *entry;
    trod_node node;
    const struct trod_call *call;
    enum trod_path_place place;
};
struct trod_path_ending trod_path_ending_of(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_edge e);

/* Does a path that ends by an edge of the DAG lead to the start of another? */
bool trod_path_goes_on(const struct trod_dag *dag, trod_edge end, trod_edge start);

/* Is an edge one of several out of a block, and a decision of the source? */
bool trod_path_decides(const struct trod_map_entry *entry, trod_edge e);

/* Lines that a path starts and ends at, in the function's own text: the first and the last of a block; 0: not known. And the place
 * of the loop that a block begins.
 *
 * needs:  entry->first_line
 */
uint32_t trod_path_first_line(const struct trod_map_entry *entry, trod_node v);
uint32_t trod_path_last_line(const struct trod_map_entry *entry, trod_node v);
struct trod_map_place trod_path_loop_place(
    const struct trod_map_entry *entry, trod_node v);

/* The same of an id, as members of the object that is open: "starts" and "ends". Of a chain, where its first path starts and its
 * last one ends.
 */
void trod_tell_ends_json(struct trod_json *json, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id);

/* The words of some blocks in a row of one path: the first `from` of its blocks, and those from `to` on, are left out; so are
 * calls that are gone into, and returns. step: edges of the path, of the DAG.
 */
void trod_tell_blocks(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, const trod_edge *step, uint32_t nstep,
    uint32_t from, uint32_t to);

/* The same with the condition of each decision behind it, where the source can be read: 79:F (c == 'x'). */
struct trod_tell_text {
    const struct trod_source_text *(*source)(const struct trod_map_entry *entry,
        const char *file, /* as the map has it; NULL: the function's own */
        void *ctx);       /* NULL: it cannot be read */
    void *ctx;
    struct trod_arena *mem;
};
void trod_tell_path_with(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id,
    const struct trod_tell_text *text);

/* What is written on a line of a block: of the function it is in. NULL: not known */
const char *trod_tell_line(const struct trod_tell_text *text,
    const struct trod_map *map, const struct trod_map_entry *entry, trod_node node,
    uint32_t line);

/* The condition that a block decides, as it is written; where that cannot be found, what is on its line.
 *
 * fails:  false, if the source cannot be read
 */
bool trod_condition_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_node node,
    const struct trod_tell_text *text);

/* One edge of the DAG: a start, or a decision with its line, and with its blocks too where
 * the line alone would not tell it from others.
 *
 *     loop 12
 *     13:T
 *     13:F (b c)
 */
void trod_tell_edge(
    struct trod_sink *sink, const struct trod_map_entry *entry, trod_edge edge);

/* One of the ways out of a block, from 0, as the source has it: T, F; default, case 3. Where that is not known, way1, way2: the
 * optimizer has made one branch of several conditions, or there is none in the source.
 */
void trod_tell_way(struct trod_sink *sink, const struct trod_map_entry *entry,
    trod_node node, uint32_t way);

/* --- left.c: functions that were left in the middle ------------------------------------------ */

struct trod_left {
    const struct trod_map_entry *entry;
    uint64_t begun; /* how often it went where it may be left */
    uint64_t ended; /* and came to an end there; if less often, it was left */
};

/* The functions that did not end as often as they were begun: were left by longjmp, by an
 * exception, by exit, or when the program was killed; or, the other way round, were begun
 * by another process, which then forked. In the order of the profile. None where counts are estimates.
 *
 * cost:   O(paths x length of a path)
 */
size_t trod_report_left(struct trod_left **out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem);

/* The most frequent ones, and how many others there are; JSON has all. Of the functions that options want (NULL: all). */
struct trod_report_options;
void trod_report_left_print(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem);
void trod_report_left_json(struct trod_json *json, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem);

/* --- rows.c: what reports list, chosen, put together and in order ----------------------------- */

enum { TROD_REPORT_MOST = 20 }; /* rows, unless said otherwise */

enum trod_report_sort {
    TROD_SORT_COUNT,  /* most often first; in a comparison, what moved farthest */
    TROD_SORT_WEIGHT, /* the same by weight */
    TROD_SORT_FUNCTION,
    TROD_SORT_FILE
};

enum trod_report_group {
    TROD_GROUP_NONE,
    TROD_GROUP_FUNCTION,
    TROD_GROUP_FILE,
    TROD_GROUP_LOOP /* paths that begin at one place: the entry, a round of a loop, or a cut */
};

struct trod_report_options {
    size_t most; /* rows; 0 = TROD_REPORT_MOST */
    bool blocks; /* blocks, not decisions */
    enum trod_report_sort sort;
    enum trod_report_group group;
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    const struct trod_tell_text *text; /* NULL: nobody knows what is written */
    bool conditions;                   /* decisions with what is written there */
    bool detailed; /* a path as the reader's code, not on one line */
    struct trod_style style;
    bool lines; /* under each path, the lines that it is on */
    bool quiet; /* do not list functions that were left, or that are not counted */
};

/* What is told of a row's function: its name; where others that are listed have that name too, its file and line; where
 * these are the same, its unit.
 */
enum trod_row_place { TROD_ROW_NAME, TROD_ROW_FILE, TROD_ROW_UNIT };

struct trod_row {
    const struct trod_map_entry *entry; /* NULL: no map knows it */
    const char *function, *file;        /* "?HASH" and "?" where it is not known */
    size_t order;                       /* among equals */
    uint64_t id;                        /* of a path */
    trod_edge start;                    /* of the DAG; TROD_NONE: not known */
    uint64_t
        npath; /* of a group; in a comparison, that moved, or all if these are kept */
    uint64_t count[2], weight[2]; /* of A and B in a comparison, else of A */
    enum trod_row_place place;
};

struct trod_rows {
    const struct trod_map *map;
    const struct trod_report_options *options;
    struct trod_arena *mem;
    struct trod_row *row;
    size_t count, room;
    size_t nlisted;  /* the first of them */
    uint64_t weight; /* of A, of all paths that were added, chosen or not */
    bool keep_same;  /* in a comparison: what did not move is kept, too */
    const struct trod_map_entry *const *
        first_copy; /* by entry: paths of copies are those of the first; NULL: copies stay apart */
    uint64_t njoined;   /* paths that were added to those of the first copy */
    uint64_t nhidden;   /* paths of system code that were left out */
    uint64_t nunwanted; /* and paths of functions that were not chosen */
};

/* Add all paths, then finish: what is not wanted is left out, the rest put together and in
 * order.
 */
void trod_rows_init(struct trod_rows *out, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);
void trod_rows_add(struct trod_rows *rows, const struct trod_profile_function *function,
    uint64_t id, uint64_t a, uint64_t b);
void trod_rows_finish(struct trod_rows *rows);

/* What a row is about; what rows are: paths, functions, files. */
void trod_row_put(
    struct trod_sink *sink, const struct trod_rows *rows, const struct trod_row *row);
void trod_row_json(
    struct trod_json *json, const struct trod_rows *rows, const struct trod_row *row);
const char *trod_rows_word(const struct trod_rows *rows);

/* --- row_print.c: rows that show a path as the reader's code ------------------------------------ */

/* Are paths shown so? */
bool trod_rows_detailed(const struct trod_rows *rows);

/* A function's name and place, in what is left of a line of which so many columns are used. */
void trod_name_put(struct trod_sink *sink, const struct trod_style *style,
    unsigned column, const struct trod_map_entry *entry, struct trod_arena *mem);

/* The function's name, its place and an id, to the end of the line; `column`: what is before it on the line. */
void trod_title_put(struct trod_sink *sink, const struct trod_style *style,
    unsigned column, const struct trod_map_entry *entry, const char *function,
    uint64_t id, struct trod_arena *mem);

/* The same of a row, and its path below. Returns whether that starts or ends at a cut. */
bool trod_row_put_path(struct trod_sink *sink, const struct trod_rows *rows,
    const struct trod_row *row, unsigned column);

/* What is to be known of the rows above: cuts, lines that are missing, paths that are hidden. */
void trod_rows_put_notes(
    struct trod_sink *sink, const struct trod_rows *rows, bool cut);

/* --- copies.c: functions with one name -------------------------------------------------------- */

/* Of each entry, the first one that is the same function: of one name, declared in one line of one file, with the same code. Units
 * that include a header have a copy each of what is static there. NULL: there are no copies.
 *
 * cost:   O(entries log entries)
 */
const struct trod_map_entry **trod_map_copies(
    const struct trod_map *map, struct trod_arena *mem);

/* Of functions that are listed side by side (NULL: not known), what is to be told of each. */
const enum trod_row_place *trod_row_places(
    const struct trod_map_entry *const *entry, size_t nentry, struct trod_arena *mem);

/* Behind the name, where it does not tell: ` (object.h:12)`, ` (object.h:12, in list.c)`. */
void trod_row_put_place(struct trod_sink *sink, const struct trod_map_entry *entry,
    enum trod_row_place place);

/* --- path_print.c: one path as the reader's code ---------------------------------------------------- */

struct trod_path_look {
    const struct trod_style *style;
    const struct trod_tell_text *text; /* NULL: decisions have lines and no text */
    bool blocks;                       /* blocks, not decisions */
    unsigned indent;                   /* line numbers end in this column */
    const trod_edge *marked; /* decisions that are pointed out, edges of the DAG */
    uint32_t nmarked;
    const char *mark; /* what is said behind them; NULL: nothing */
    bool open;        /* nothing is said of where it ends */
};

/* Print where a path starts, a line for each decision with its condition and outcome, and where it ends:
 *
 *                 loop iteration, line 76
 *             76  r->at < r->end        yes
 *             79  c == '"'              no    -> next iteration, line 76
 *
 * Without a source, as trod_tell_path does, in lines that fit. Many decisions are folded unless style->whole. Returns
 * whether it starts or ends at a cut.
 */
bool trod_path_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id, const struct trod_path_look *look,
    struct trod_arena *mem);

/* What stands in place of a condition that is at no line: a computed goto, or a branch of the compiler's. */
const char *trod_branch_name(const struct trod_map_entry *entry, trod_node node);

/* Will it be printed with conditions? */
bool trod_path_is_readable(
    const struct trod_map_entry *entry, const struct trod_path_look *look);

/* --- own_code.c: whose code it is -------------------------------------------------------------------- */

/* Is a file, or a function by its file, of a library or a compiler: below /usr/include, /usr/lib or the like? */
bool trod_is_system_path(const char *path);
bool trod_is_system_code(const struct trod_map_entry *entry);

/* Its name in at most so many letters: of C++ functions the short one, of others both ends. */
const char *trod_entry_name(
    const struct trod_map_entry *entry, size_t most, struct trod_arena *mem);

/* Its file and line, as `src/json.c:27`, in at most so many letters: folders are cut. */
const char *trod_place_text(
    const struct trod_map_entry *entry, size_t most, struct trod_arena *mem);

/* --- path_lines.c: the lines that a path is on ------------------------------------------------- */

/* In the order they ran, each with what is written on it, indented; or as an array of objects. Of a chain, its last path. */
void trod_path_lines_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id, const struct trod_tell_text *text,
    unsigned indent);
void trod_path_lines_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_tell_text *text);

/* The decisions of a path in order, as an array of objects: line, column, condition as written, outcome. Of a chain, those of all
 * its paths.
 */
void trod_path_decisions_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_tell_text *text);

/* --- how.c: how it was sampled in bursts --------------------------------------------------- */

/* A line or two for each: what begins bursts, how many events are on, what counts mean, what it
 * cost. Nothing where there are none.
 */
void trod_report_how(
    struct trod_sink *sink, const struct trod_profile_burst *burst, uint32_t nburst);
/* Members of the object that is open: `burst`, what was to be spent and was, and `bursts`, each. */
void trod_report_how_json(
    struct trod_json *json, const struct trod_profile_burst *burst, uint32_t nburst);

/* --- report.c: the hot paths ------------------------------------------------------------------ */

/* Shares are of all that ran, whatever was chosen. */

/* Functions in which only chosen or only untested paths are counted. */
void trod_report_partial(struct trod_sink *sink, const struct trod_profile *profile);
void trod_report_partial_json(
    struct trod_json *json, const struct trod_profile *profile);

/* What is not in a profile, and why: functions counted in part, left in the middle, not counted at
 * all, and its notes. As comments, or as members of the object that is open. options: which functions are wanted, and
 * whether these are listed; NULL: all.
 */
void trod_report_remarks(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem);
void trod_report_remarks_json(struct trod_json *json,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);

void trod_report_print(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem);
void trod_report_json(struct trod_json *json, const char *key,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);

/* --- compare.c: what moved between two profiles ------------------------------------ */

void trod_report_compare(struct trod_sink *sink, const struct trod_profile_diff *diff,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem);
void trod_report_compare_json(struct trod_json *json, const char *key,
    const struct trod_profile_diff *diff, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);

/* --- overlap_rows.c: how much two profiles have in common -------------------------------- */

/* The overlap of two profiles by paths, or by groups of them. */
struct trod_report_overlap {
    struct trod_overlap overlap;
    struct trod_rows rows;
    const struct trod_row **row; /* by member */
    uint64_t nchanged;           /* paths of functions that are not the same in both */
    uint64_t nunknown;           /* left out, as in the difference */
};

/* needs:  no function is unwanted: all that ran has a share
 * fails:  as trod_overlap_check does
 */
bool trod_report_overlap_build(struct trod_report_overlap *out,
    const struct trod_profile_diff *diff, const struct trod_map *map,
    const struct trod_report_options *options, uint32_t top_of, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_report_overlap_print(
    struct trod_sink *sink, const struct trod_report_overlap *overlap);
void trod_report_overlap_json(
    struct trod_json *json, const char *key, const struct trod_report_overlap *overlap);

#endif
