/* super: supergraphs: functions with the graphs of followed calls inserted.
 *
 *     functions, segments -> frames -> supergraph -> (number, probe)
 *     id of one of its paths -> row of subpaths -> segments, counted
 *
 * Once the graphs of callees are inserted at their call sites, a path across calls is a path of one graph.
 * So everything about paths of functions also applies to segments.
 *
 * Glossary
 *   unit        the functions that may be followed, each with its graph, its Ball-Larus
 *               numbering, whose ids identify subpaths, and its calls
 *   site        a call: the node that begins with it, and the callee
 *   root        the function of a supergraph, in which segments begin. Whenever it
 *               runs, even as a frame of another supergraph, it is the root of its own.
 *   frame       a copy of a function's graph: that of the root, or that of the callee
 *               at some site of another frame. Frames are a tree of bounded depth,
 *               so recursion is not a special case.
 *   guarded     said of a frame whose call is indirect: the site is kept, and control enters the frame
 *               if this function is called
 *   supergraph  the graph of all frames of a tree
 *   row         a path of a supergraph as steps: subpaths of functions, calls, returns
 *   left out    a site that segments go through, but without a frame, and the reason
 *
 * Subpaths of a row are connected by followed calls and returns, so a row
 * continues where the paths of functions end. It ends at the end of an iteration, at a call that is
 * not followed, where the root ends, or where control leaves a frame without a return. If it ends in the root,
 * the next row begins there. If it ends further down, the callee's own paths cover what follows,
 * and the root waits: its next row begins where its call returns.
 *
 * So each segment is part of one path: of the function in which it begins, as the root. A segment that would continue beyond the
 * end of a tree is cut short.
 *
 * paper:  Vaswani, "Efficient Online Path Profiling", 2007, section 3.4.4: steps 2 to 6 of the
 *         algorithm for paths across calls; 3.5.2: sites from paths of functions alone
 *
 * Memory: everything is in the given arena, and refers to the unit.
 *
 * Invariants are listed at trod_super_check().
 */
#ifndef TROD_SUPER_H
#define TROD_SUPER_H

#include "graph/graph.h"
#include "number/number.h"
#include "pathset/pathset.h"
#include "report/report.h"
#include "segment/segment.h"
#include "base/table.h"

/* --- super_unit.c: what may be followed ------------------------------------------------------ */

struct trod_super_function {
    const char *name;
    const struct trod_numbering
        *ballarus; /* of its subpaths. Cuts of its DAG are cuts of the
                                              supergraph. */
    struct trod_calls calls;
    const bool *returns; /* [nodes]: exits that return to the caller. NULL: all whose
                                last call returns */
    const uint64_t *unwinds; /* set of edges that calls take by an exception, or NULL */
    const char *why_not;     /* reason why its calls cannot be followed; or NULL */
};

struct trod_super_unit {
    uint32_t nfunction;
    const struct trod_super_function *function;
    struct trod_names names;    /* number of a function by name */
    const char *const *why_not; /* [nfunction] as given; or that it never returns */
};

/* needs:  numberings of kind ballarus
 * fails:  TROD_E_INPUT for two functions of one name, and invalid calls
 */
bool trod_super_unit_build(struct trod_super_unit *out,
    const struct trod_super_function *function, uint32_t nfunction,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Limit on nodes and edges of one tree. */
#define TROD_SUPER_MOST (UINT64_C(1) << 26)

/* Upper bound of the nodes and edges of a frame of a function. */
uint64_t trod_super_size(const struct trod_super_unit *unit, uint32_t function);

static inline const struct trod_graph *trod_super_graph_of(
    const struct trod_super_unit *unit, uint32_t function)
{
    return unit->function[function].ballarus->dag->graph;
}

/* Does this node return to the caller? */
bool trod_super_returns(
    const struct trod_super_unit *unit, uint32_t function, trod_node node);

/* --- super_frames.c: which calls to follow ------------------------------------------------------ */

struct trod_super_frame {
    uint32_t parent; /* parent frame; TROD_NONE for the root */
    trod_node node;  /* of the parent's function: begins with the call; TROD_NONE */
    uint32_t function;
    uint32_t depth; /* nesting depth below the root */
    bool guarded;
    uint64_t count; /* upper bound of segments that go there */
};

/* Frame 0 is the root. The others are sorted by their counts, highest first, and
 * follow their parents, so the last ones can be dropped.
 */
struct trod_super_tree {
    uint32_t nframe;
    const struct trod_super_frame *frame;
};

struct trod_super_left {
    uint32_t function;  /* the caller */
    trod_node node;     /* with the call; TROD_NONE: unknown */
    const char *callee; /* NULL: unknown */
    const char *why;
    uint64_t count; /* upper bound of segments that go there */
};

struct trod_super_plan {
    uint32_t ntree;
    const struct trod_super_tree *tree; /* by function of the root, ascending */
    uint32_t nleft;
    const struct trod_super_left *left; /* by function and node, ascending */
};

/* Zero means default. */
struct trod_super_options {
    uint32_t depth;                   /* of trees; default: the depth of segments */
    uint32_t most_frames;             /* of one tree; default: 65536 */
    const uint64_t *size_of_function; /* [nfunction] for most_size; default: none */
    uint64_t most_size; /* of all frames except the roots; default: no limit */
};

/* The trees of the given segments, one for each root. If a limit is reached, the most
 * frequent calls are followed first. Functions outside the unit are not roots.
 *
 * needs:  valid segments
 * cost:   O(steps x (length of subpaths + sites of a function))
 */
void trod_super_plan_segments(struct trod_super_plan *out,
    const struct trod_super_unit *unit, const struct trod_segments *segments,
    const struct trod_super_options *options, struct trod_arena *mem);

/* Subpaths of a function that ran. */
struct trod_super_ran {
    struct trod_pathset paths; /* ids below npath */
    const uint64_t *count;     /* by path; NULL: each once */
};

/* The same without segments: every call at which an executed subpath ends is followed, down to
 * a depth. These are all the sites of segments, and perhaps more. Callees of indirect calls are
 * unknown from subpaths, and omitted.
 *
 * needs:  options->depth >= 1; ran[nfunction]
 */
void trod_super_plan_ran(struct trod_super_plan *out,
    const struct trod_super_unit *unit, const struct trod_super_ran *ran,
    const struct trod_super_options *options, struct trod_arena *mem);

/* --- super_build.c: from frames to one graph -------------------------------------------------------- */

enum trod_super_kind {
    TROD_SUPER_LOCAL, /* an edge of the function of a frame */
    TROD_SUPER_CALL, /* to the entry of a frame, instead of the edge to the node with the call */
    TROD_SUPER_RETURN, /* from a frame, to the node with the call */
    TROD_SUPER_PAUSE   /* a cut edge of a frame below the root. What its function does
                          afterwards is not part of this path, nor of the next, which starts where the
                          call returns to the root: at the node with its call */
};

struct trod_super {
    const struct trod_super_unit *unit;
    const struct trod_super_tree *tree;
    struct trod_graph graph;              /* of the name of the root; nodes by frame */
    const trod_node *first_node_of_frame; /* [nframe + 1] */
    const uint32_t *frame_of_node;        /* [graph.nnode] */
    const uint32_t *first_child;          /* [nframe + 1], into child */
    const uint32_t *child;                /* frames by parent */
    const uint8_t *kind_of_edge;          /* [graph.nedge] enum trod_super_kind */
    const uint32_t
        *frame_of_edge; /* [graph.nedge] LOCAL, PAUSE: its frame; CALL: the callee's;
                                      RETURN: the frame that returns */
    const trod_edge *
        origin_of_edge; /* [graph.nedge] edge of the function: LOCAL, PAUSE: itself; CALL: the
                                        edge to the node with the call; RETURN: TROD_NONE */
};

/* Build a supergraph from frames:
 *   - if a call is followed, the edge to its node leads to the entry of the frame instead,
 *     and the frame's exits that return lead to that node. If it is guarded, the edge stays,
 *     cut, and one edge for each frame follows it;
 *   - an unwind edge of a followed call is cut: the exception comes from
 *     somewhere in the frame;
 *   - cut edges stay cut in the root, and become a PAUSE in other frames. So every path
 *     starts in the root, except after cuts for the limit on paths.
 *
 * Nodes are named `2.b`: node b in frame 2.
 *
 * cost:   O(nodes + edges of all frames)
 */
void trod_super_build(struct trod_super *out, const struct trod_super_unit *unit,
    const struct trod_super_tree *tree, bool named, struct trod_arena *mem);

/* The same for a graph that was built from such frames elsewhere. Exits that return and unwind edges
 * are recognised: the former continue, the latter are a PAUSE in frames below the root.
 * Its own cuts stay.
 *
 * fails:  TROD_E_MISMATCH when it is not the graph of these frames
 */
bool trod_super_adopt(struct trod_super *out, const struct trod_super_unit *unit,
    const struct trod_super_tree *tree, const struct trod_graph *graph,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Add the edges of segments that begin in the root to a set of edges of the
 * supergraph: for trod_limit.keep.
 *
 * cost:   O(steps x length of subpaths)
 */
void trod_super_keep(uint64_t *keep, const struct trod_super *super,
    const struct trod_segments *segments, struct trod_arena *mem);

/* --- super_number.c: the paths of a supergraph ---------------------------------------------------------- */

/* Must not be moved: its parts refer to each other. */
struct trod_super_numbered {
    struct trod_super super;
    struct trod_super_tree
        tree; /* of the supergraph: as many of the given frames as fit */
    struct trod_view view;
    struct trod_limit_report report;
    struct trod_numbering ballarus;
};

/* Build and number a supergraph with at most so many paths (0: TROD_PATH_MAX). Edges of
 * segments that begin in the root are not cut for the limit (segments may be NULL: none are kept).
 * If that is impossible, the last frames are dropped, as few as necessary. If only the root remains,
 * edges of segments may be cut, too: these segments span no call.
 *
 * fails:  TROD_E_LIMIT if the root alone has too many paths
 * cost:   up to log2(frames) times that of trod_number_limit()
 */
bool trod_super_number(struct trod_super_numbered *out,
    const struct trod_super_unit *unit, const struct trod_super_tree *tree,
    const struct trod_segments *segments, uint64_t most, bool named,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- super_row.c: from a path to subpaths, calls and returns ------------------------------------------ */

/* The id of an incomplete subpath: the limit on paths cut the supergraph, but not the
 * function.
 */
#define TROD_SUPER_PIECE UINT64_MAX

enum trod_super_end {
    TROD_SUPER_AT_ITERATION, /* its last subpath ends an iteration, or at a cut for the limit */
    TROD_SUPER_AT_CALL,   /* ... before a call that is not followed */
    TROD_SUPER_AT_LAST,   /* ... with a call that never returns */
    TROD_SUPER_AT_EXIT,   /* ... the root, or leaves a frame by an exception */
    TROD_SUPER_AT_RETURN, /* ... a frame, and the return was cut for the limit */
    TROD_SUPER_IN_PIECE   /* its last subpath is incomplete */
};

struct trod_super_row {
    uint32_t frame; /* in which it begins: the root, except after a cut for the limit */
    size_t
        nstep; /* the first and the last are subpaths; calls and returns are between them.
                       If it begins in the root, it returns only from calls that it made */
    const struct trod_step *step; /* functions are those of the unit */
    enum trod_super_end end;
    const struct trod_call *call; /* at which it ends, or NULL */
};

/* needs:  edges of a path of the supergraph's DAG
 * cost:   O(edges)
 */
void trod_super_row_build(struct trod_super_row *out, const struct trod_super *super,
    const struct trod_dag *dag, const trod_edge *edge_of_step, uint32_t nstep,
    struct trod_arena *mem);

/* The same for an id.
 *
 * needs:  id < ballarus->npath
 */
void trod_super_row_decode(struct trod_super_row *out, const struct trod_super *super,
    const struct trod_numbering *ballarus, trod_path id, struct trod_arena *mem);

/* Without a line break. */
void trod_super_row_print(struct trod_sink *sink, const struct trod_super_row *row,
    const struct trod_super_unit *unit);

/* --- super_count.c: segments from paths of supergraphs -------------------------------------------------- */

/* Counts the segments in rows that begin in the root. Segments that begin further
 * down are in the rows of other supergraphs, and would be counted twice. A segment that reaches the end of a row at a call that is
 * not followed, or at a cut for the limit, is cut short: it would continue, but
 * it is unknown where.
 */
struct trod_super_counter {
    const struct trod_super_unit *unit;
    uint64_t depth;
    const struct trod_names *known;
    struct trod_arena *mem;
    struct trod_super_tally {
        struct trod_segment *segment;
        size_t nsegment, room;
        struct trod_table by_steps;
    } whole, cut_short;
};

/* known: the names of all instrumented functions of the program, in this unit or elsewhere. A
 * segment ends at a call of any other function, as in a whole program path. NULL: these are
 * unknown.
 *
 * needs:  depth >= 1
 */
void trod_super_count_init(struct trod_super_counter *out,
    const struct trod_super_unit *unit, uint64_t depth, const struct trod_names *known,
    struct trod_arena *mem);

/* Count the segments of a row, with its count: each subpath of the root that is followed
 * by a call begins one, as in a whole program path.
 *
 * cost:   O(steps x depth) expected
 */
void trod_super_count_own(struct trod_super_counter *counter,
    const struct trod_super *super, const struct trod_super_row *row, uint64_t count);

/* Both sorted by count, equally frequent ones in order of appearance.
 * A segment that is cut short may also occur complete.
 */
void trod_super_count_finish(struct trod_segments *whole,
    struct trod_segments *cut_short, const struct trod_super_counter *counter,
    const char *name);

/* --- super_listed.c: paths all of whose segments are listed --------------------------------------------------- */

struct trod_super_listed {
    struct trod_pathset paths;
    bool all; /* the search was complete */
};

/* The paths of a supergraph that have segments, all of which are in a list, including those that begin
 * below the root. If the list is that of tests, these are the paths that the tests may have taken. A segment that is cut short is in the list if one that
 * begins with it is. How a path begins is unknown after an exception that may have passed through several calls;
 * it is accepted if no segment begins there.
 *
 * If ran is given ([functions of the unit]), all subpaths must have run, too: segments say nothing about
 * subpaths outside of segments.
 *
 * The search stops after `most` paths, or after visiting about 1000 edges
 * for each of these.
 */
void trod_super_listed(struct trod_super_listed *out, const struct trod_super *super,
    const struct trod_numbering *ballarus, const struct trod_segments *segments,
    const struct trod_super_ran *ran, size_t most, struct trod_arena *mem);

/* --- super_map.c: supergraphs in maps and profiles ---------------------------------------------------------- */

/* Count the segments in executed paths of supergraphs that begin in the root; segments that are cut short
 * separately, see above. Functions without a map entry are outside.
 *
 * needs:  depth >= 1
 * fails:  TROD_E_MISMATCH if frames and functions of the map do not match
 */
bool trod_super_segments(struct trod_segments *whole, struct trod_segments *cut_short,
    const struct trod_ran *ran, const struct trod_map *map, uint64_t depth,
    const char *name, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- super_text.c: the text form ---------------------------------------------------------------------------
 *
 *     super main*12      # the frames of a root, in which 12 segments begin
 *     1: 0 b f*9         # frame 1: the call of f at node b of frame 0; 9 segments go there
 *     2: 1 c ?h*4        # guarded: c makes an indirect call, sometimes of h
 */

void trod_super_print(struct trod_sink *sink, const struct trod_super_tree *tree,
    const struct trod_super_unit *unit);
void trod_super_json(struct trod_json *json, const char *key,
    const struct trod_super_tree *tree, const struct trod_super_unit *unit);
void trod_super_left_json(struct trod_json *json, const char *key,
    const struct trod_super_plan *plan, const struct trod_super_unit *unit);

/* A call that is not followed, as text without a line break. */
void trod_super_left_print(struct trod_sink *sink, const struct trod_super_left *left,
    const struct trod_super_unit *unit);

/* Read a section after its head and name, `super NAME`, up to a line that belongs to another.
 * Invalid input is refused.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_super_parse(struct trod_super_tree *out, const char *name,
    struct trod_text *text, const struct trod_super_unit *unit, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- super_input.c: documents of functions, segments and frames ------------------------------------------- */

/* Sections `numbering NAME ballarus`, `calls NAME` and `paths NAME`, executed subpaths, of
 * functions; `segments NAME DEPTH`; `super NAME`.
 */
struct trod_super_input {
    struct trod_arena *mem;
    struct trod_names names; /* of functions */
    struct trod_super_function *function;
    struct trod_super_ran *ran; /* by function */
    uint32_t nfunction, room_function, room_ran;
    struct trod_super_unit unit; /* of those read so far */
    struct trod_segments segments;
    bool has_segments, has_ran;
    struct trod_super_tree *tree;
    uint32_t ntree, room_tree;
};

void trod_super_input_init(struct trod_super_input *out, struct trod_arena *mem);

/* Read all sections of a text. Those of a function come after its numbering, and `super` after
 * those of all functions in it.
 *
 * fails:  TROD_E_INPUT; TROD_E_LIMIT
 */
bool trod_super_input_read(struct trod_super_input *input, struct trod_text *text,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- super_check.c: the validators ------------------------------------------------------------------------ */

/* Check that
 *   - frame 0 is the root; all others follow their parents, one level deeper, and not more
 *     frequent; counts descend;
 *   - each frame is for a call that begins a node of its parent's function, of a callee
 *     that can be followed, guarded if the call is indirect; frames are unique.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_super_tree_check(const struct trod_super_tree *tree,
    const struct trod_super_unit *unit, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Check, in addition to that and to trod_graph_check(), that
 *   - each edge of a frame's function occurs once, as a LOCAL edge between the same nodes or,
 *     if its call is followed unguarded, as a CALL;
 *   - cuts of functions are cuts, and so are known unwind edges of followed calls. In
 *     frames below the root such an edge is a PAUSE to the node of the root whose call leads
 *     there, and there are no other PAUSE edges;
 *   - each frame except the root has one CALL, from before the node of its call to its entry,
 *     and RETURN edges to that node from each exit that returns, and from no other.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_super_check(const struct trod_super *super, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
