/* super: functions with some of their followed calls, as one graph.
 *
 *     functions, segments -> frames -> supergraph -> (number, probe)
 *     id of one of its paths -> row of subpaths -> segments, counted
 *
 * A path across calls is a path of one graph, once the graphs of the functions called are put
 * where they are called. Then all that is known of paths of functions holds for segments.
 *
 * Glossary
 *   unit        the functions that may be followed, each with its graph, its Ball-Larus
 *               numbering, which ids of subpaths are of, and its calls
 *   site        a call: the node that begins with it, and the function called
 *   root        the function that a supergraph is of: one that begins a segment. Wherever it
 *               runs, called by a frame of another's or not, it is the root of its own.
 *   frame       a copy of a function's graph: that of the root, or that of the function
 *               called at some site of another frame. Frames are a tree; its depth is bounded,
 *               so functions that call themselves need nothing else.
 *   guarded     said of a frame whose call is indirect: the site is kept, and goes to the frame
 *               if it is this function that is called
 *   supergraph  the graph of all frames of a tree
 *   row         a path of a supergraph as steps: subpaths of functions, calls, returns
 *   left out    a site that segments go through and no frame is for, and why
 *
 * What is between two subpaths of a row are followed calls and returns from them, so a row
 * continues where the paths of functions end. It ends at the end of an iteration, at a call that was
 * not followed, or where the root is left, or a frame without a return. If that is in the root,
 * the next begins there. If it is further down, what comes then is in the paths of the function it
 * is in, and the root waits: its next row begins where the call of it is returned to.
 *
 * So each segment is in one path: that of the function it begins in, as the root. Where a tree
 * ends, a segment ends that would continue, and is said to be cut short.
 *
 * paper:  Vaswani, "Efficient Online Path Profiling", 2007, section 3.4.4: steps 2 to 6 of the
 *         algorithm for paths across calls; 3.5.2: sites from paths of functions alone
 *
 * Memory: everything is in the arena handed in, and refers to the unit.
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
    const struct trod_numbering *ballarus; /* of its subpaths. Where its DAG is cut, the
                                              supergraph is cut. */
    struct trod_calls calls;
    const bool *returns; /* [nodes]: exits that go back to the caller. NULL: all whose
                                last call returns */
    const uint64_t *unwinds; /* set of edges that calls take by an exception, or NULL */
    const char *why_not;     /* no call of it can be followed; or NULL */
};

struct trod_super_unit {
    uint32_t nfunction;
    const struct trod_super_function *function;
    struct trod_names names; /* number: which function */
    const char *const *
        why_not; /* [nfunction] what was given; or that it never returns, or makes a call
                     that may return more than once */
};

/* needs:  numberings of kind ballarus
 * fails:  TROD_E_INPUT for two functions of one name, and calls that are not sound
 */
bool trod_super_unit_build(struct trod_super_unit *out,
    const struct trod_super_function *function, uint32_t nfunction,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* What can be represented: nodes and edges of one tree. */
#define TROD_SUPER_MOST (UINT64_C(1) << 26)

/* Nodes and edges that a frame of a function has, at most. */
uint64_t trod_super_size(const struct trod_super_unit *unit, uint32_t function);

static inline const struct trod_graph *trod_super_graph_of(
    const struct trod_super_unit *unit, uint32_t function)
{
    return unit->function[function].ballarus->dag->graph;
}

/* Does this node return to the caller? */
bool trod_super_returns(
    const struct trod_super_unit *unit, uint32_t function, trod_node node);

/* --- super_frames.c: which calls to go into ------------------------------------------------------ */

struct trod_super_frame {
    uint32_t parent; /* frame; TROD_NONE for the root's */
    trod_node node;  /* of the parent's function: begins with the call; TROD_NONE */
    uint32_t function;
    uint32_t depth; /* calls from the root down */
    bool guarded;
    uint64_t count; /* of segments that go there, at most */
};

/* Frame 0 is the root's. The others come in the order of their counts, highest first, and
 * after their parents: the last ones can be dropped.
 */
struct trod_super_tree {
    uint32_t nframe;
    const struct trod_super_frame *frame;
};

struct trod_super_left {
    uint32_t function;  /* that calls */
    trod_node node;     /* with the call; TROD_NONE: no subpath says which */
    const char *callee; /* NULL: unknown */
    const char *why;
    uint64_t count; /* of segments that go there, at most */
};

struct trod_super_plan {
    uint32_t ntree;
    const struct trod_super_tree *tree; /* by function of the root, ascending */
    uint32_t nleft;
    const struct trod_super_left *left; /* by function and node, ascending */
};

/* Zero means default. */
struct trod_super_options {
    uint32_t depth;                   /* of trees; as deep as segments */
    uint32_t most_frames;             /* of one tree; 65536 */
    const uint64_t *size_of_function; /* [nfunction] for the next; none */
    uint64_t most_size;               /* of all frames but the roots'; no limit */
};

/* The trees that segments go through, each those that begin in its root. Beyond a limit, what is
 * most frequent is taken first. Functions that are not of the unit begin no tree.
 *
 * needs:  sound segments
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

/* The same without segments: every call that a subpath which ran ends at is followed, down to
 * a depth. These are all the sites of segments, and perhaps more. What is called indirectly is
 * not known from subpaths, and left out.
 *
 * needs:  options->depth >= 1; ran[nfunction]
 */
void trod_super_plan_ran(struct trod_super_plan *out,
    const struct trod_super_unit *unit, const struct trod_super_ran *ran,
    const struct trod_super_options *options, struct trod_arena *mem);

/* --- super_build.c: from frames to one graph -------------------------------------------------------- */

enum trod_super_kind {
    TROD_SUPER_LOCAL, /* an edge of the function of a frame */
    TROD_SUPER_CALL, /* to the entry of a frame, for the edge to the node with the call */
    TROD_SUPER_RETURN, /* from a frame, to the node with the call */
    TROD_SUPER_PAUSE /* an edge of a frame below the root's that is cut. What its function does
                          then is no more of this path, nor of the next, which starts where the
                          root is returned to: at the node with its call */
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
        *frame_of_edge; /* [graph.nedge] LOCAL: which it is of; CALL: into which;
                                      RETURN: out of which; PAUSE: which it is of */
    const trod_edge
        *origin_of_edge; /* [graph.nedge] of the function: LOCAL, PAUSE itself; CALL the
                                        edge to the node with the call; RETURN TROD_NONE */
};

/* Frames put together:
 *   - where a call is followed, the edge to its node goes to the entry of the frame instead,
 *     and the frame's exits that return go to that node. If it is guarded, the edge stays,
 *     cut, and one more for each frame comes after it;
 *   - what unwinds from a node whose call is followed is cut: the exception comes from
 *     somewhere in the frame;
 *   - all that is cut is cut in the root as it is, in other frames with a PAUSE. So every path
 *     starts in the root, but for what a limit on paths cuts.
 *
 * Named nodes are called `2.b`: node b in frame 2.
 *
 * cost:   O(nodes + edges of all frames)
 */
void trod_super_build(struct trod_super *out, const struct trod_super_unit *unit,
    const struct trod_super_tree *tree, bool named, struct trod_arena *mem);

/* The same for a graph that was built from such frames elsewhere: exits that return and edges
 * that unwind are distinguished from it: the one continues, the other in frames below the root's is a PAUSE.
 * Its own cuts stay.
 *
 * fails:  TROD_E_MISMATCH when it is not the graph of these frames
 */
bool trod_super_adopt(struct trod_super *out, const struct trod_super_unit *unit,
    const struct trod_super_tree *tree, const struct trod_graph *graph,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* Add the edges that segments which begin in the root run across to a set of edges of the
 * supergraph: what trod_limit.keep wants.
 *
 * cost:   O(steps x length of subpaths)
 */
void trod_super_keep(uint64_t *keep, const struct trod_super *super,
    const struct trod_segments *segments, struct trod_arena *mem);

/* --- super_number.c: the paths of a supergraph ---------------------------------------------------------- */

/* Not to be moved: its parts refer to each other. */
struct trod_super_numbered {
    struct trod_super super;
    struct trod_super_tree
        tree; /* of the supergraph: as many frames of that given as fit */
    struct trod_view view;
    struct trod_limit_report report;
    struct trod_numbering ballarus;
};

/* Supergraph and numbering in one go, of at most so many paths (0: TROD_PATH_MAX). No edge of a
 * segment that begins in the root is cut for that (segments may be NULL: none are kept).
 * Where that is not possible the last frames are dropped, as few as will do. Without a frame but
 * the root's, edges of segments may be cut, too: their segments span no call.
 *
 * fails:  TROD_E_LIMIT when the root has too many paths by itself
 * cost:   up to log2(frames) times that of trod_number_limit()
 */
bool trod_super_number(struct trod_super_numbered *out,
    const struct trod_super_unit *unit, const struct trod_super_tree *tree,
    const struct trod_segments *segments, uint64_t most, bool named,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- super_row.c: from a path to subpaths, calls and returns ------------------------------------------ */

/* The id of what is not a whole subpath: where a limit on paths cut the supergraph and not the
 * function.
 */
#define TROD_SUPER_PIECE UINT64_MAX

enum trod_super_end {
    TROD_SUPER_AT_ITERATION, /* its last subpath ends the iteration of a loop, or at a limit */
    TROD_SUPER_AT_CALL,   /* ... before a call that is not followed */
    TROD_SUPER_AT_LAST,   /* ... with a call that never returns */
    TROD_SUPER_AT_EXIT,   /* ... the root, or leaves a frame by an exception */
    TROD_SUPER_AT_RETURN, /* ... a frame, and the return was cut by a limit */
    TROD_SUPER_IN_PIECE   /* it has no whole last subpath */
};

struct trod_super_row {
    uint32_t frame; /* it begins in: the root's, but after what a limit on paths cut */
    size_t
        nstep; /* the first and the last are subpaths; calls and returns are between them.
                       It returns from no call that it did not make if it begins in the root */
    const struct trod_step *step; /* functions are those of the unit */
    enum trod_super_end end;
    const struct trod_call *call; /* it ends at, or NULL */
};

/* needs:  edges of a path of the DAG, which is one of the supergraph
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

/* Segments that rows have in them, counted where they begin in the root. Those that begin further
 * down are in the rows of other supergraphs, and would be counted twice. What a row ends in the middle of, because a call is
 * not followed or a limit cut the path, is cut short: the segment would have gone on, and it
 * is unknown where.
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

/* known: the names of all functions of the program that are instrumented, here or elsewhere. A
 * segment that comes to a call of another ends there, as in a whole program path. NULL: it is not
 * known which.
 *
 * needs:  depth >= 1
 */
void trod_super_count_init(struct trod_super_counter *out,
    const struct trod_super_unit *unit, uint64_t depth, const struct trod_names *known,
    struct trod_arena *mem);

/* Count the segments of a row that was taken so often: each subpath of the root that is followed
 * by a call begins one, as in a whole program path.
 *
 * cost:   O(steps x depth) expected
 */
void trod_super_count_own(struct trod_super_counter *counter,
    const struct trod_super *super, const struct trod_super_row *row, uint64_t count);

/* Both the most frequent first; those that are as frequent stand in the order they were met.
 * Segments cut short may be as long as others, and among them, too.
 */
void trod_super_count_finish(struct trod_segments *whole,
    struct trod_segments *cut_short, const struct trod_super_counter *counter,
    const char *name);

/* --- super_listed.c: paths that have no other segments --------------------------------------------------- */

struct trod_super_listed {
    struct trod_pathset paths;
    bool all; /* there are no others */
};

/* The paths of a supergraph that have segments, all of which are in a list, those that begin
 * below the root, too: in one of whole program paths, those that tests took. A segment that is cut short is in the list if one that
 * begins so is. How a path begins is unknown after an exception that several calls may have
 * let through; it is taken if no segment begins there.
 *
 * Where ran is given ([functions of the unit]), all subpaths must have run, too: those that are
 * in no segment are unknown from segments.
 *
 * Not more than `most` are looked for, and not for longer than it takes to see some 1000 edges
 * for each of these.
 */
void trod_super_listed(struct trod_super_listed *out, const struct trod_super *super,
    const struct trod_numbering *ballarus, const struct trod_segments *segments,
    const struct trod_super_ran *ran, size_t most, struct trod_arena *mem);

/* --- super_map.c: supergraphs in maps and profiles ---------------------------------------------------------- */

/* The segments in paths of supergraphs that ran, counted where they begin in the root. What a path
 * ends in the middle of is cut short: see above. Functions that the map does not have are outside.
 *
 * needs:  depth >= 1
 * fails:  TROD_E_MISMATCH when frames and functions of the map do not fit
 */
bool trod_super_segments(struct trod_segments *whole, struct trod_segments *cut_short,
    const struct trod_ran *ran, const struct trod_map *map, uint64_t depth,
    const char *name, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- super_text.c: the text form ---------------------------------------------------------------------------
 *
 *     super main*12      # the frames of a root, in which 12 segments begin
 *     1: 0 b f*9         # frame 1: what is called at node b of frame 0, f; 9 segments go there
 *     2: 1 c ?h*4        # guarded: c makes an indirect call, of h at times
 */

void trod_super_print(struct trod_sink *sink, const struct trod_super_tree *tree,
    const struct trod_super_unit *unit);
void trod_super_json(struct trod_json *json, const char *key,
    const struct trod_super_tree *tree, const struct trod_super_unit *unit);
void trod_super_left_json(struct trod_json *json, const char *key,
    const struct trod_super_plan *plan, const struct trod_super_unit *unit);

/* What was omitted, as a line without a break. */
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

/* Sections `numbering NAME ballarus`, `calls NAME` and `paths NAME`, subpaths that ran, of
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
 *   - frame 0 is the root's; all others are after their parents, one deeper, and no more
 *     frequent; counts do not rise;
 *   - each is for a call of its parent's function that begins a node, of the function called,
 *     which can be followed, or guarded if the call is indirect; none is there twice.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_super_tree_check(const struct trod_super_tree *tree,
    const struct trod_super_unit *unit, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Check that, beside that and what trod_graph_check() says,
 *   - each edge of a frame's function is there once, as a LOCAL edge between the same nodes or,
 *     if its call is followed unguarded, as a CALL;
 *   - cuts of functions are cuts, and so is what is known to unwind from a call followed. In
 *     frames below the root's such an edge is a PAUSE to the node of the root whose call leads
 *     there, and nothing else is;
 *   - each frame but the root's has one CALL, from before the node of its call to its entry,
 *     and RETURN edges to that node from each exit that returns, and from no other.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_super_check(const struct trod_super *super, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
