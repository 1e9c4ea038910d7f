/* flow: counts of blocks, edges and lines, derived from counts of paths.
 *
 *     profile + map -> flow -> lines of files -> (export, page, annotate, migrate)
 *
 * A path is a block sequence, so the counts of paths give those of each block and each edge and, with the lines
 * of blocks, those of each line and each decision. Nothing is estimated here: if the profile is exact and
 * complete, so are these counts, and equal to those of counters on blocks and edges.
 *
 * Glossary
 *   flow      all counts of one function
 *   entered   how often the function was entered, derived from finished paths, and unfinished ones once they are added
 *   begun, ended   how often it reached a place where it may be abandoned, and how often it ended after one; see report/abandoned.c
 *   partial   only some paths of the function have a count: counts of its blocks are lower bounds
 *   decision  a block with several successors
 *   line      of a source file. Its count is how often it was begun: reached from the function's entry or from a block
 *             without code of it, or again in another iteration of a loop that is all on it. This is gcov's definition.
 *   lost      a path that began and has no count, as the count of the edge to its start shows
 *   unfinished   a path that began and never ended: its activation was abandoned, because something it called did not
 *             return (exit, longjmp, an exception), or the process was killed
 *   stop      the block in which an unfinished path stopped
 *   unsure    a block or an edge that an unfinished path may or may not have taken: its count is a lower
 *             bound
 *   unknown   a line or an outcome that may or may not have run
 *
 * For chains of paths, only the last path counts.
 *
 * Memory: in the arena handed in; flows refer to the map.
 *
 * Invariants are listed at trod_flow_check().
 */
#ifndef TROD_FLOW_H
#define TROD_FLOW_H

#include "report/report.h"

/* --- flow_build.c: counts of blocks and edges ----------------------------------------- */

/* Where an activation stopped, as recorded by the program itself. */
struct trod_flow_stop {
    uint64_t place; /* sum of the path so far, times nnode, plus the block */
    uint64_t count;
};

/* All counts of a function in one profile. */
struct trod_flow {
    const struct trod_map_entry *entry; /* NULL: the profile did not count it */
    uint64_t *count_of_node;            /* [nnode]; NULL: it did not run */
    uint64_t *count_of_edge;            /* [nedge] */
    uint64_t entered;
    uint64_t begun, ended;
    bool partial;
    size_t npath; /* that ran, ascending */
    struct trod_profile_path *path;
    size_t nstop;
    struct trod_flow_stop *stop;

    /* By trod_flows_add_unfinished(); before it, and if nothing is known about unfinished paths, NULL and 0. */
    uint64_t unfinished;                   /* paths that never ended */
    uint64_t *stopped_of_node;             /* [nnode] for certain */
    uint64_t *unsure_nodes, *unsure_edges; /* sets */
    bool
        loose; /* more stops are known than paths are missing: counts are inconsistent */
};
struct trod_flows {
    const struct trod_map *map;
    struct trod_flow *of_entry; /* [map->nentry] */
    uint64_t nunknown;          /* functions of the profile without a map entry */
    bool ran;                   /* something ran */
    bool exact;                 /* counts are not estimates */
};

/* Several modules, tallies and groups are added. Functions whose paths continue into calls are omitted.
 *
 * fails:  TROD_E_MISMATCH when counts are estimates, or not of all paths
 * cost:   O(paths x length of a path)
 */
bool trod_flows_build(struct trod_flows *out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The same for any profile: estimates, partial counts, and functions whose paths continue into calls, on their supergraphs. */
void trod_flows_build_any(struct trod_flows *out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem);

/* Did it run at all, or begin to? */
static inline bool trod_flow_ran(const struct trod_flow *flow)
{
    return flow->npath || flow->begun || flow->nstop || flow->unfinished;
}

/* Is it not known whether a block, or an edge, ran? */
static inline bool trod_flow_node_unknown(const struct trod_flow *flow, trod_node v)
{
    return flow->unsure_nodes && flow->count_of_node && !flow->count_of_node[v] &&
           trod_has(flow->unsure_nodes, v);
}
static inline bool trod_flow_edge_unknown(const struct trod_flow *flow, trod_edge e)
{
    return flow->unsure_edges && flow->count_of_edge && !flow->count_of_edge[e] &&
           trod_has(flow->unsure_edges, e);
}

/* The file of a function, or without debug information its unit. */
const char *trod_flow_file(const struct trod_map_entry *entry);
/* Where that was compiled; NULL: unknown. */
const char *trod_flow_directory(
    const struct trod_map *map, const struct trod_map_entry *entry);
/* Line of a block, the first that is known; 0: none. */
uint32_t trod_flow_line(const struct trod_map_entry *entry, trod_node node);

/* --- flow_unfinished.c: unfinished paths -------------------------------------- */

/* How often a path began at a block and did not end, according to edge counts: more came to the block than
 * left it. If fewer came, paths were begun in another process, before it forked.
 *
 * needs:  a flow without its unfinished paths
 */
struct trod_flow_lost {
    uint64_t lost, before;
};
struct trod_flow_lost trod_flow_lost(const struct trod_flow *flow);

/* An activation that was on the stack when the program ended, found by its return address: which function, and where it
 * called the next one.
 */
struct trod_flow_frame {
    const char *function; /* linkage name */
    const char *unit;     /* that it was compiled in; NULL: unknown */
    uint32_t line;        /* of the call; 0: unknown */
    uint64_t count;
};
struct trod_flow_frames {
    const struct trod_flow_frame *frame;
    size_t count;
};

/* Add the blocks and edges that unfinished paths certainly ran, and mark those they may have run. A path that started at some block and has no count
 * went from there to a block in which the activation may be abandoned or, if the process was killed, to any block. Blocks and edges
 * on all such subpaths ran; those on some of them are unsure. If the program recorded the position, there is only one subpath; if a frame gives
 * the block, only subpaths to this block are possible.
 *
 * needs:  flows that were just built of this profile; frames of its runs, or NULL
 * fills:  counts of blocks and edges, entered, and the fields named in trod_flow
 * cost:   O(starts x (blocks + edges)) of each function that was abandoned
 */
void trod_flows_add_unfinished(struct trod_flows *flows,
    const struct trod_profile *profile, const struct trod_flow_frames *frames,
    struct trod_arena *mem);

/* --- flow_calls.c: calls between functions -------------------------------------------------------
 *
 * Only calls whose callee the map names, from finished paths: calls through pointers, from other images and from functions
 * without counts are not among them.
 */
struct trod_flow_call {
    uint32_t from, to; /* entries of the map that profiles refer to */
    uint64_t count;
};
struct trod_flow_calls {
    uint32_t ncall;
    struct trod_flow_call *call; /* by callee, then caller; unique */
    uint64_t *
        unsure; /* set of entries: several functions have the name, and it is not known which of them was called */
};

void trod_flow_calls_build(struct trod_flow_calls *out, const struct trod_flows *flows,
    struct trod_arena *mem);

/* Do profiles refer to this entry of the map? Of copies in several units, they refer to the first. */
bool trod_flow_stands_for(const struct trod_map *map, uint32_t entry);

/* Functions that were called more often than they were entered: a contradiction. Functions that were abandoned
 * are omitted. One that a signal interrupted for ever may look like a contradiction.
 *
 * needs:  flows of processes that did not fork
 */
struct trod_flow_call_fault {
    uint32_t entry; /* of the map */
    uint64_t called, entered;
};
uint32_t trod_flow_calls_check(struct trod_flow_call_fault **out,
    const struct trod_flow_calls *calls, const struct trod_flows *flows,
    struct trod_arena *mem);

/* --- flow_begun.c: how often lines were begun ------------------------------------------------- */

/* A block with code of a line. */
struct trod_flow_place {
    uint32_t line;
    trod_node node;
};

struct trod_flow_places {
    struct trod_flow_place *place; /* by line, then node; each once */
    size_t n;
};

/* If a line has other blocks, those that only end a loop or a condition are omitted: debug information assigns them to the line of
 * the preceding code, whether that ran or not. The end of a loop is omitted only if the loop has code on the line.
 *
 * needs:  entry->first_line, the order of its graph
 */
void trod_flow_places(struct trod_flow_places *out, const struct trod_map_entry *entry,
    const struct trod_order *order, struct trod_arena *mem);

bool trod_flow_has_line(
    const struct trod_flow_places *places, uint32_t line, trod_node node);

/* The lines of one function, ascending, and how often each was begun. An iteration is one of a loop on the line if the path that
 * ends with it was on the line since it was there last, or since its start.
 *
 * needs:  room for all lines of all its blocks
 * cost:   O(paths x length of a path)
 */
struct trod_flow_row;
uint32_t trod_flow_begun(
    struct trod_flow_row *out, const struct trod_flow *flow, struct trod_arena *mem);

/* The map entry with the included text as if it were the function's own, for functions that look up lines. */
struct trod_map_entry trod_flow_included_entry(
    const struct trod_map_entry *entry, const struct trod_map_included *text);

/* --- flow_blocks.c: lines if only blocks have counts -------------------------------------------------- */

/* The lines of one function, ascending, each with the count of its most frequent block: where blocks were sampled, so that
 * edges have no counts, and for one frame of a supergraph. frame: TROD_NONE for all blocks.
 *
 * cost:   a sort of lines
 */
uint32_t trod_flow_rows_by_block(struct trod_flow_row **out,
    const struct trod_flow *flow, uint32_t frame, struct trod_arena *mem);

/* --- flow_lines.c: counts of lines and decisions, file by file --------------------------- */

struct trod_flow_way {
    trod_edge edge; /* of the function's graph */
    uint64_t count;
    bool unknown;
    const char *label; /* outcome in the source: T, F, case 3; NULL: unknown */
};

struct trod_flow_decision {
    const struct trod_flow *flow;
    uint32_t
        function; /* of the file; TROD_NONE: the function is in another file, and includes this one */
    trod_node node;
    uint32_t line;       /* of the condition, or the last of the block; 0: unknown */
    uint32_t column;     /* of the condition; 0: unknown */
    uint32_t ncondition; /* as in the map */
    bool partly;
    uint32_t nway;
    const struct trod_flow_way
        *way;       /* [nway], T before F, otherwise in the program's order */
    uint64_t count; /* of the block */
};

struct trod_flow_row {
    uint32_t line; /* not 0 */
    uint64_t count;
    bool unknown; /* count is 0, but it may have run */
};

/* The same line of another function, or of a copy. */
void trod_flow_row_add(struct trod_flow_row *to, const struct trod_flow_row *more);

struct trod_flow_function {
    const struct trod_flow *flow;
    uint32_t line; /* where it begins: of its entry block; 0: unknown */
};

/* A function of another file that includes text of this one. */
struct trod_flow_includer {
    const struct trod_flow *flow;
    const struct trod_map_included *text;
};

struct trod_flow_source {
    const char *name;      /* as the map has it */
    const char *directory; /* where it was compiled; NULL: unknown */
    const char *path;      /* both, without '.' and '..': identifies the file */
    uint32_t nfunction;
    const struct trod_flow_function *function; /* by line, then name */
    uint32_t nincluder;
    const struct trod_flow_includer *includer; /* in the order of the map */
    uint32_t nrow;
    const struct trod_flow_row *row; /* lines that have code, ascending */
    uint32_t ndecision;
    const struct trod_flow_decision *decision; /* by line, function, node */
};

/* Lines and decisions of text that a function includes from another file are of that file.
 *
 * Every function that the profile counted is there, run or not; supergraphs are not. Functions that are there several times
 * (static inline ones, templates) share their lines, whose counts are added up.
 *
 * fills:  *out, by path
 * cost:   O(blocks + edges), a sort of lines
 */
size_t trod_flow_sources(struct trod_flow_source **out, const struct trod_flows *flows,
    struct trod_arena *mem);

/* The lines of one function, ascending; how many. */
uint32_t trod_flow_rows(
    struct trod_flow_row **out, const struct trod_flow *flow, struct trod_arena *mem);

/* --- flow_text.c: what was counted, as text and JSON --------------------------------------------
 *
 *     function main one.c 9               # and where it begins, if that is known
 *     entered 1
 *     begun 7 ended 6                     # if it may be abandoned
 *     unfinished 1                        # if it was
 *     partial                             # if only some of its paths are counted
 *     0: 1 -> 1 1                         # a block, how often it ran, and each way out with its own count
 *     1: 12 -> 2 11, 14 1
 *     14: 1
 *     15: ?                               # an unfinished path may have come here, or not
 *     file one.c                          # lines that have code, and how often each was begun
 *     9: 1
 *     12: 12 (T 11, F 1)                  # and decisions on it
 */
/* The ways of a decision, as in the last line of that: T 11, F 1. */
void trod_flow_put_ways(struct trod_sink *sink, const struct trod_flow_decision *d);

/* How many of its activations did not finish, as one sentence without its end. */
void trod_flow_put_unfinished(struct trod_sink *sink, const struct trod_flow *flow);

struct trod_flow_choice {
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
};
void trod_flow_print(struct trod_sink *sink, const struct trod_flows *flows,
    const struct trod_flow_source *source, size_t nsource,
    const struct trod_flow_choice *choice);
/* A count, or null where it is unknown. */
void trod_flow_json_count(
    struct trod_json *json, const char *key, uint64_t count, bool unknown);
/* Members `functions` and `files` of the open object. */
void trod_flow_json(struct trod_json *json, const struct trod_flows *flows,
    const struct trod_flow_source *source, size_t nsource,
    const struct trod_flow_choice *choice);

/* --- flow_check.c: the validator ------------------------------------------------------------------ */

/* Of a function:
 *   - what runs through a block leaves it or stops in it: its count is the sum of its ways out, but for exits;
 *   - and entered it: its count is the sum of its ways in, but for the entry and blocks that paths start at, where those
 *     that are lost come in and do not continue;
 *   - but for blocks next to unsure edges;
 *   - each path is there once, ascending, with a count.
 * A sum that overflows is not checked.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_flow_check(
    const struct trod_flow *flow, struct trod_err *err) TROD_MUST_CHECK;

/* Of a file: functions, lines and decisions are in order, lines are not 0, and the ways of a decision make up its count. */
bool trod_flow_source_check(
    const struct trod_flow_source *source, struct trod_err *err) TROD_MUST_CHECK;

#endif
