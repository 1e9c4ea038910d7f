/* graph: the control flow of one function, and the DAG its paths are counted on.
 *
 *     text -> graph -> order, dom, loop -> weight -> dag -> (number)
 *
 * A function's paths are those of a DAG: every cycle is cut, and a cut edge
 * u -> v becomes the end of one path (u -> EXIT) and the start of the next
 * (ENTRY -> v).
 *
 * Glossary
 *   graph   blocks and edges of a function. Successors keep the program's order,
 *           so that everything derived from it is the same in every build.
 *           Parallel edges (switches), self loops, unreachable blocks, several
 *           exits and none are all allowed.
 *   node    a block: 0..nnode-1 in the program's order
 *   edge    0..nedge-1, sorted by source and then by successor position; the
 *           edges out of v are first_out[v] .. first_out[v + 1] - 1
 *   exit    a node without successors
 *   retreating edge   one that goes to a node still open in the depth-first
 *           search from the entry. In a reducible graph these are the back
 *           edges, whatever the order of the search.
 *   cut     an edge that no path crosses: a retreating edge, or one that
 *           the text form or the limit on paths asked for
 *   dag     the graph with its cuts made, between a virtual ENTRY and a virtual
 *           EXIT that are always there. Node v of the graph is node v of the DAG.
 *   weight  how often an edge is taken, measured or estimated
 *
 * Memory: everything lives in the arena handed in, and is not changed after the
 * function that made it has returned. Arrays are named by what they give and
 * what indexes them.
 *
 * Invariants are listed at trod_graph_check() and trod_dag_check().
 */
#ifndef TROD_GRAPH_H
#define TROD_GRAPH_H

#include "base/base.h"

typedef uint32_t trod_node;
typedef uint32_t trod_edge;

#define TROD_NONE UINT32_MAX

/* Whether the activation may be abandoned while a node runs. */
enum trod_leave {
    TROD_STAYS,        /* control continues to a successor, or returns */
    TROD_MAY_LEAVE,    /* a call may never return: longjmp, exceptions, exit; or may
                          also return in another process: fork */
    TROD_RETURNS_AGAIN /* a call may return more than once: setjmp */
};

struct trod_graph {
    const char *name; /* of the function */
    uint32_t nnode, nedge;
    trod_node entry;
    const uint32_t *first_out;       /* [nnode + 1] */
    const trod_node *src_of_edge;    /* [nedge] */
    const trod_node *dst_of_edge;    /* [nedge] */
    const uint32_t *first_in;        /* [nnode + 1], into in_edge */
    const trod_edge *in_edge;        /* [nedge], ascending for each node */
    const char *const *name_of_node; /* [nnode], or NULL: the node's number */
    const uint64_t *weight_of_edge;  /* [nedge], or NULL: none were given */
    const bool *cut_of_edge;         /* [nedge], or NULL: asked for in the text form */
    const uint8_t *leave_of_node;    /* [nnode], enum trod_leave, or NULL: all stay */
    bool marked; /* cut_of_edge has all edges to cut: every cycle has one */
};

static inline enum trod_leave trod_graph_leave(
    const struct trod_graph *graph, trod_node node)
{
    return graph->leave_of_node ? (enum trod_leave)graph->leave_of_node[node]
                                : TROD_STAYS;
}

/* --- build.c: from a list of edges to a graph ------------------------------ */

struct trod_graph_builder {
    struct trod_arena *mem;
    const char *name;
    trod_node entry;
    uint32_t nnode;
    const char *const *name_of_node; /* NULL or [nnode] */
    const uint8_t *leave_of_node;    /* NULL or [nnode] */
    struct trod_graph_arc {
        trod_node src, dst;
        uint64_t weight;
        bool cut;
    } *arc; /* in successor order for each source; sources in any order */
    uint32_t narc, room;
    bool weighted; /* some arc carries a weight */
};

void trod_graph_builder_init(
    struct trod_graph_builder *builder, const char *name, struct trod_arena *mem);
void trod_graph_builder_add(
    struct trod_graph_builder *builder, trod_node src, trod_node dst);

/* needs:  every end below builder->nnode, entry too, nnode > 0
 * cost:   O(nodes + edges), a counting sort
 */
void trod_graph_build(struct trod_graph *out, const struct trod_graph_builder *builder);

/* The edges into each node, from those out of each: the second half of building.
 *
 * needs:  nnode, nedge, dst_of_edge
 * fills:  first_in, in_edge
 */
void trod_graph_fill_in(struct trod_graph *graph, struct trod_arena *mem);

/* The printed name of a node; buffer is used where the graph has no names. */
const char *trod_graph_node_name(
    const struct trod_graph *graph, trod_node node, char buffer[16]);

/* A hash of the shape that nodes reachable from the entry have: independent of
 * names, weights, unreachable nodes and the numbering of nodes. It travels with
 * every profile.
 */
uint64_t trod_graph_hash(const struct trod_graph *graph, struct trod_arena *mem);

/* --- graph_text.c: the text form -------------------------------------------
 *
 *     graph NAME
 *     s: a b*90        # two successors, the second taken 90 times
 *     a: b >s          # the edge a -> s is cut: a path ends, another starts
 *     b:               # no successors: an exit
 *     c!: b            # the activation may be abandoned in c
 *     d!!: b           # a call in d may return more than once (setjmp)
 *
 * The first node line is the entry. Every node has a line of its own. A file
 * may hold any number of graphs.
 */

/* Parse the next graph of a text.
 *
 * fills:  *out, or sets *more to false at the end of the text
 * fails:  TROD_E_INPUT, with file, line and remedy
 */
bool trod_graph_parse(struct trod_graph *out, bool *more, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The body of any text form that is a graph with something on its edges: the
 * annotate function is called where an edge's own marks have been read, and may
 * take more tokens. It is how numberings and plans are parsed too.
 *
 * edge_of_arc maps the order of reading to the order of the graph; annotations
 * arrive before edges have numbers.
 */
struct trod_graph_body {
    struct trod_graph graph;
    const trod_edge *edge_of_arc;  /* [nedge] */
    const trod_node *node_of_name; /* [nnode] from the order of first mention,
                                      which TROD_BODY_EXIT counts by */
    /* Marks of the virtual nodes, where the form has them: `>:` lists the
     * targets of ENTRY, `.` stands for the edge to EXIT.
     */
    uint32_t nstart;
    const trod_node *start; /* in the order written */
    bool has_starts;
};

enum trod_body_place {
    TROD_BODY_START, /* index: which of the `>:` line */
    TROD_BODY_ARC,   /* index: arc, in the order of reading */
    TROD_BODY_EXIT   /* index: node, in the order of first mention */
};

struct trod_body_reader {
    bool (*annotate)(void *ctx, enum trod_body_place place, uint32_t index,
        struct trod_text *text, struct trod_arena *mem,
        struct trod_err *err); /* NULL: plain graph */
    void *ctx;
};

bool trod_graph_parse_body(struct trod_graph_body *out, const char *name,
    struct trod_text *text, const struct trod_body_reader *reader,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* What a node's line begins with, in this form and in those of numberings and plans. */
void trod_graph_print_node(
    struct trod_sink *sink, const struct trod_graph *graph, trod_node v);

void trod_graph_print(struct trod_sink *sink, const struct trod_graph *graph);
void trod_graph_json(
    struct trod_json *json, const char *key, const struct trod_graph *graph);

/* --- order.c: depth-first orders and retreating edges ------------------------ */

struct trod_order {
    uint32_t nreach;              /* nodes reachable from the entry */
    const trod_node *post;        /* [nreach], post-order */
    const uint32_t *pre_of_node;  /* [nnode], position in pre-order or TROD_NONE */
    const uint32_t *post_of_node; /* [nnode], position in post or TROD_NONE */
    const uint32_t *last_of_node; /* [nnode], largest pre in its subtree, or
                                       TROD_NONE: w is below v, or v itself, iff
                                       pre[v] <= pre[w] <= last[v] */
    const uint64_t *retreating;   /* set of edges */
    uint32_t nretreating;
};

/* Depth-first from the entry, successors in the program's order, no recursion.
 *
 * cost:   O(nodes + edges)
 */
void trod_graph_order(
    struct trod_order *out, const struct trod_graph *graph, struct trod_arena *mem);

/* The same without crossing edges of cut_of_edge: first from the entry, then from the targets of such
 * edges. Retreating edges in this order close a cycle without any of them.
 */
void trod_graph_order_marked(
    struct trod_order *out, const struct trod_graph *graph, struct trod_arena *mem);

/* --- dom.c: dominators and post-dominators ------------------------------------ */

struct trod_dom {
    const trod_node *idom_of_node;  /* [nnode]; TROD_NONE for the entry and for
                                      nodes it does not reach */
    const trod_node *ipdom_of_node; /* [nnode]; TROD_NONE where only the virtual
                                       exit post-dominates, or where no exit
                                       can be reached */
};

/* Post-dominators are the dominators of the reversed graph, seen from a virtual
 * exit behind all exits. A node that reaches an endless loop on some paths and
 * to an exit on others has the post-dominators of those others; a node that can
 * reach no exit has none, and its edges do not count.
 *
 * cost:   O(edges log nodes) at worst, near linear in practice. (Semi-NCA is a
 *         little simpler, but quadratic where many jumps end a long chain.)
 * paper:  Lengauer & Tarjan, "A Fast Algorithm for Finding Dominators in a
 *         Flowgraph", TOPLAS 1979: the simple version
 */
void trod_graph_dominators(
    struct trod_dom *out, const struct trod_graph *graph, struct trod_arena *mem);

/* --- loop.c: the loop nest ----------------------------------------------------- */

struct trod_loops {
    uint32_t nloop; /* loops sorted by header's pre-order: parents first */
    const trod_node *header_of_loop; /* [nloop] */
    const uint32_t *parent_of_loop;  /* [nloop], TROD_NONE at the top */
    const uint32_t *depth_of_loop;   /* [nloop], 1 at the top */
    const bool *irreducible_of_loop; /* [nloop], entered other than through
                                          the header */
    const uint32_t *loop_of_node;    /* [nnode], innermost, or TROD_NONE */
    const uint32_t *depth_of_node;   /* [nnode], 0 outside all loops */
};

/* Each target h of a retreating edge heads one loop: the nodes that h reaches and
 * that reach h, all on ways through nodes below h in the depth-first tree. In a
 * reducible graph these are the natural loops. In an irreducible one the nest
 * depends on the order of successors, and any two loops are still disjoint or one
 * within the other. Nodes that the entry does not reach are in no loop and do not
 * make one irreducible.
 *
 * needs:  order of the same graph
 * cost:   O(edges log nodes) at worst, near linear in practice (union-find)
 * paper:  Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 1997, with
 *         the change of Ramalingam, "Identifying Loops in Almost Linear Time",
 *         TOPLAS 1999, that keeps irreducible loops from costing a square
 */
void trod_graph_loops(struct trod_loops *out, const struct trod_graph *graph,
    const struct trod_order *order, struct trod_arena *mem);

/* --- weight.c: how often an edge is taken ---------------------------------------- */

/* The given weights, or estimates where the graph has none. The function is
 * entered 1000 times; branches split evenly; a header runs eight times for each
 * time its loop is entered. The branches that may leave a loop share one way out
 * in eight runs, and what leaves k loops at once is rarer by eight for each but
 * the first; the edges that stay split the rest.
 *
 * Every edge out of a reachable node weighs at least 1, every other edge 0.
 * Estimates are at most 2^50, and the same on every machine.
 *
 * needs:  order and loops of the same graph
 * fills:  weight_of_edge [nedge]
 * cost:   O(nodes + edges)
 */
void trod_graph_weights(const uint64_t **weight_of_edge, const struct trod_graph *graph,
    const struct trod_order *order, const struct trod_loops *loops,
    struct trod_arena *mem);

/* --- dag.c: cycles cut, ENTRY and EXIT added --------------------------------------- */

enum trod_dag_kind {
    TROD_DAG_REAL,  /* an edge of the graph, not cut */
    TROD_DAG_ENTER, /* ENTRY -> the function's entry */
    TROD_DAG_START, /* ENTRY -> v, one for each node v that a cut edge goes to */
    TROD_DAG_END,   /* u -> EXIT, one for each cut edge u -> v, in its place
                       among u's successors */
    TROD_DAG_LEAVE  /* an exit of the function -> EXIT */
};

struct trod_dag {
    struct trod_graph shape; /* nnode = graph->nnode + 2; entry = ENTRY; no names.
                                Nodes the graph's entry does not reach have no
                                edges here. */
    const struct trod_graph *graph;
    trod_node exit;
    uint32_t nreach;                 /* nodes with edges, ENTRY and EXIT included */
    const trod_node *topo;           /* [nreach], ENTRY first, EXIT last */
    const uint8_t *kind_of_edge;     /* [shape.nedge], enum trod_dag_kind */
    const trod_edge *origin_of_edge; /* [shape.nedge] REAL, END: edge of the
                                        graph; else TROD_NONE */
    const trod_edge *dag_of_edge;    /* [graph->nedge] REAL or END edge, TROD_NONE
                                      if the source is not reachable */
    const trod_edge *start_of_node;  /* [graph->nnode] START edge or TROD_NONE */
    const uint64_t *weight_of_edge;  /* [shape.nedge] */
    const uint64_t *
        closing; /* set of edges of the graph: those that close a loop. An edge that is cut
                                and not in it was cut for another reason: by a mark, by the limit on
                                paths, or because what it leads to may return again. */
    uint32_t ncut;
};

/* Cut the retreating edges and those in extra_cut (a set of edges, or NULL) and
 * those the graph asks for itself, by a mark or because what they lead to may return
 * again.
 *
 * needs:  order and weight_of_edge of the same graph; for a marked graph, the order of trod_graph_order_marked. The DAG
 *         refers to order->retreating.
 * cost:   O(nodes + edges)
 * paper:  Ball & Larus, "Efficient Path Profiling", MICRO 1996, section 2.3,
 *         with one START for all cut edges into a node: which of them was
 *         taken is known from the path that ended there
 */
void trod_dag_build(struct trod_dag *out, const struct trod_graph *graph,
    const struct trod_order *order, const uint64_t *weight_of_edge,
    const uint64_t *extra_cut, struct trod_arena *mem);

/* --- leave.c: functions that are abandoned --------------------------------------
 *
 * A node is exposed if the activation may be abandoned in it, or in some node before it. Once control is in
 * exposed nodes, it stays in them. So the number of abandoned activations follows from the number of
 * times control enters exposed nodes and the number of times it ends there. A call that may return
 * again begins an activation with each return; reaching such a call ends the previous one.
 */
void trod_graph_exposed(
    bool *exposed, const struct trod_graph *graph, struct trod_arena *mem);

/* Does control enter exposed nodes at the function's entry, or on an edge? */
bool trod_graph_begins_in(const struct trod_graph *graph, const bool *exposed);
bool trod_graph_begins_on(
    const struct trod_graph *graph, const bool *exposed, trod_edge e);

/* Does a path with this last edge in the DAG end in exposed nodes? */
bool trod_dag_ends(const struct trod_dag *dag, const bool *exposed, trod_edge e);

/* Order, loops, weights and DAG of a graph. */
struct trod_view {
    struct trod_order order;
    struct trod_loops loops;
    const uint64_t *weight_of_edge;
    struct trod_dag dag;
};
void trod_graph_view(struct trod_view *out, const struct trod_graph *graph,
    const uint64_t *extra_cut, struct trod_arena *mem);

/* Paths from each node to EXIT and from ENTRY to each node, stopping at
 * UINT64_MAX.
 *
 * fills:  down[nnode], up[nnode]; either may be NULL
 */
void trod_dag_count(uint64_t *down, uint64_t *up, const struct trod_dag *dag);

/* --- graph_calls.c: where a function calls others --------------------------------------------------
 *
 *     calls NAME
 *     3: g            # node 3 begins with a call of g
 *     5: *            # an indirect call
 *     9!: die         # node 9 ends with a call that never returns
 *
 * If paths end at calls, a call that may enter a function begins a separate node, and the
 * only edge into that node is cut: a path ends before the call, and the next starts with it.
 * A call that never returns stays at the end of its node, which is an exit. A node may have both.
 */
struct trod_call {
    trod_node node;
    const char *callee; /* NULL: indirect */
    bool last;          /* never returns: at the node's end, not its beginning */
};

struct trod_calls {
    uint32_t ncall;
    const struct trod_call *
        call; /* ascending by node; a call at a node's end after one at its beginning */
};

/* The call at the beginning or at the end of a node, or NULL. */
const struct trod_call *trod_calls_find(
    const struct trod_calls *calls, trod_node node, bool last);

/* Read the lines of a section, up to one that belongs to another; its head `calls NAME` has
 * been read. Inconsistent calls are refused.
 *
 * fails:  TROD_E_INPUT
 */
bool trod_calls_parse(struct trod_calls *out, const struct trod_graph *graph,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_calls_print(struct trod_sink *sink, const struct trod_calls *calls,
    const struct trod_graph *graph);

/* Check that
 *   - calls ascend, and no node has two at its beginning or at its end;
 *   - a call at a node's beginning is not in the entry, and the node has one incoming edge, which
 *     the graph asks to be cut;
 *   - a node with a call at its end has no successors.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_calls_check(const struct trod_calls *calls, const struct trod_graph *graph,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- span.c: maximum spanning forest ---------------------------------------------- */

/* The edges of the given set that belong to a forest of maximum weight, edges
 * taken as undirected. Ties go to the lower edge number.
 *
 * fills:  tree (set of edges, zeroed by the caller)
 * cost:   one radix pass for each byte that differs between weights, and
 *         union-find: near linear
 * paper:  Kruskal 1956
 */
void trod_graph_span(uint64_t *tree, const struct trod_graph *shape,
    const uint64_t *eligible, const uint64_t *weight_of_edge, struct trod_arena *mem);

/* --- graph_draw.c: pictures, through Graphviz ---------------------------------------- */

/* What a picture shows besides the shape. Any field may be NULL. */
struct trod_graph_style {
    const char *(*label_of_edge)(void *ctx, trod_edge edge); /* "" or NULL: none */
    const char *(*label_of_node)(void *ctx, trod_node node);
    void *ctx;
    const uint64_t *lit_edge;       /* set of edges drawn bold: paths of interest */
    const uint64_t *cut_edge;       /* set of edges drawn dashed */
    const struct trod_loops *loops; /* nested boxes */
};

/* Print a graph in the DOT language. Names and labels may hold any bytes: a line
 * break is one in the picture, what is not UTF-8 shows as \xNN. The entry is a
 * bold box with round corners, exits have round corners.
 *
 * cost:   O(nodes * loops), and no memory: what is larger cannot be laid out
 */
void trod_graph_draw(struct trod_sink *sink, const struct trod_graph *graph,
    const struct trod_graph_style *drawing);

/* A text inside a quoted label of that language. */
void trod_graph_put_label(struct trod_sink *sink, const char *label);

/* --- graph_check.c: everything that must hold -------------------------------------- */

/* Invariants: CSR arrays are sorted, in range and agree in both directions; the
 * entry is a node.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_graph_check(
    const struct trod_graph *graph, struct trod_err *err) TROD_MUST_CHECK;

/* Invariants: those of its shape; topo holds each node with edges once and every
 * edge goes forward in it; every node with edges is on a path from ENTRY to EXIT;
 * edge kinds, origins, starts and weights agree with the graph; START edges are
 * exactly the targets of cut edges.
 */
bool trod_dag_check(const struct trod_dag *dag, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
