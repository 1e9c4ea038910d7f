/* probe: where instrumentation is placed.
 *
 *     numbering -> place -> (ending) -> trips -> plan -> cost -> (run)
 *     interest -> choose -> the cheapest of several such
 *
 * A plan has the operations on each edge such that, for every path the program takes,
 * the counter of the path's sum is incremented by one. It is a list of operations on one path
 * register r and, for loops that count the same on every iteration, a trip counter each.
 * The code emitter follows the plan and decides nothing.
 *
 * Glossary
 *   operation  one of enum trod_op_kind
 *   site       where operations are placed: an edge of the graph, the entry of the
 *              function, or its exit at an exit block
 *   placement  a method to distribute the values of a numbering over sites
 *   potential  a number on each node, by which r is behind the true sum there. With
 *              potentials p, an edge from v to w adds its value + p[v] - p[w] instead
 *              of its value; along a path all but the ends cancel out.
 *   head       the part of the DAG whose nodes have one path from ENTRY: the sum there is
 *              known, so nothing is done
 *   tail       the part whose nodes have one path to EXIT: the rest of the path is
 *              certain, so it is counted on the edge that enters the tail
 *   middle     the rest: the only place where r must be added to
 *   cost       operations times the execution counts of their sites
 *   want       which paths are to be counted, and which are to be reported
 *   reported   said of a path without a counter: the runtime is called with its id when it ends
 *   ending     how the sum of a path determines whether it is of interest, and where it is
 *              counted
 *   slot       a counter; each path of interest has its own
 *   action       what is done with a sum when a path is certain: it is counted as it is,
 *              looked up, reported, or nothing is done
 *
 * An edge from head to tail is a defining edge: one path owns it, and counting the
 * path is counting the edge, by a constant index, without r.
 *
 * A path is counted as soon as it is certain and nothing on it can abandon the activation any more
 * (enum trod_leave): what is counted has happened, unless the program is stopped
 * from outside.
 *
 * Abandoned activations are counted, too: BEGIN is placed where
 * trod_graph_begins_in and trod_graph_begins_on say. The number of begun activations minus the number of paths
 * that end as trod_dag_ends says is the number of abandoned ones.
 *
 * All arithmetic on r and on constants is modulo 2^64.
 *
 * Memory: in the arena handed in; the plan refers to its numbering.
 */
#ifndef TROD_PROBE_H
#define TROD_PROBE_H

#include "number/number.h"

enum trod_op_kind {
    TROD_OP_NONE,     /* nothing; not in a plan */
    TROD_OP_SET,      /* r = value */
    TROD_OP_ADD,      /* r += value */
    TROD_OP_COUNT,    /* count[r + value]++ */
    TROD_OP_COUNT_AT, /* count[value]++ */
    TROD_OP_BEGIN,    /* begun++ */
    TROD_OP_BUMP,     /* trips[loop]++; zero when the function is entered */
    TROD_OP_FLUSH     /* if (trips[loop]) { count[r + value]++;
                           count[again + value] += trips[loop] - 1;
                           r = again; trips[loop] = 0; } */
};

/* What COUNT and COUNT_AT do with the sum. All except the first need an ending. */
enum trod_action {
    TROD_ACTION_COUNT, /* count it, in its slot */
    TROD_ACTION_ASK,   /* look it up, then count, report or ignore it */
    TROD_ACTION_STRAY, /* report it if it has a stray edge; otherwise it is of interest */
    TROD_ACTION_REPORT, /* report it: no path of interest leads here */
    TROD_ACTION_PASS    /* nothing: no path that leads here is wanted */
};

struct trod_op {
    enum trod_op_kind kind;
    enum trod_action action; /* COUNT, COUNT_AT */
    uint32_t loop;           /* BUMP, FLUSH: which trip counter of the plan */
    int64_t value;
    int64_t again; /* FLUSH */
};

enum trod_placement {
    TROD_PLACE_FRONTIER, /* nothing in head and tail, spanning forest in the
                            middle: the default */
    TROD_PLACE_TREE,     /* spanning tree, initialisations and counts pushed to
                            chords, as Ball and Larus do */
    TROD_PLACE_PLAIN     /* every value on its own edge, r set on the way in,
                            counted on the way out */
};

/* Sites: edges of the graph 0..nedge-1, then an exit site for each node (used by exits
 * only), then the entry of the function.
 */
struct trod_plan {
    const struct trod_numbering *numbering;
    const struct trod_ending *ending; /* NULL: every path is counted, at its sum */
    enum trod_placement placement;
    uint32_t nsite;                  /* graph->nedge + graph->nnode + 1 */
    const uint32_t *first_op;        /* [nsite + 1] */
    const struct trod_op *op;        /* carried out in order */
    uint32_t nloop;                  /* trip counters */
    const trod_node *header_of_loop; /* [nloop] */
    bool begins;                     /* there is some BEGIN */
};

static inline uint32_t trod_site_out(const struct trod_graph *graph, trod_node node)
{
    return graph->nedge + node;
}

static inline uint32_t trod_site_in(const struct trod_graph *graph)
{
    return graph->nedge + graph->nnode;
}

/* --- place.c: operations on the DAG -----------------------------------------
 *
 * At most one operation per edge of the DAG, and never BUMP or FLUSH. A cut edge
 * of the graph carries that of its END and then that of its target's START.
 */
struct trod_dag_ops {
    uint8_t *kind_of_edge;  /* [dag->shape.nedge], enum trod_op_kind */
    int64_t *value_of_edge; /* [dag->shape.nedge] */
    const uint8_t
        *action_of_edge; /* [dag->shape.nedge], enum trod_action; NULL: COUNT */
};

void trod_dag_ops_init(
    struct trod_dag_ops *out, const struct trod_dag *dag, struct trod_arena *mem);

/* What an edge adds under the given potentials. */
static inline int64_t trod_place_increment(const struct trod_numbering *numbering,
    const uint64_t *potential_of_node, trod_edge e)
{
    const struct trod_graph *shape = &numbering->dag->shape;

    return (int64_t)((uint64_t)numbering->val_of_edge[e] +
                     potential_of_node[shape->src_of_edge[e]] -
                     potential_of_node[shape->dst_of_edge[e]]);
}

/* Potentials under which no edge of a forest adds anything. The last node of each
 * tree has potential 0: in a DAG that is EXIT, and ENTRY if it is not in EXIT's tree.
 *
 * needs:  a shape with the DAG's edges, and a forest in it (set of edges)
 * fills:  potential_of_node [shape->nnode]
 * cost:   O(nodes + edges)
 */
void trod_place_potentials(uint64_t *potential_of_node, const struct trod_graph *shape,
    const uint64_t *forest, const int64_t *val_of_edge, struct trod_arena *mem);

/* Every value on its own edge: the base line for the other placements. */
void trod_place_plain(struct trod_dag_ops *out, const struct trod_numbering *numbering,
    struct trod_arena *mem);

/* --- place_tree.c -------------------------------------------------------- */

/* A maximum spanning tree of the DAG and an edge EXIT -> ENTRY, which has to be in it;
 * and the potentials under which its edges add nothing.
 *
 * fills:  tree (set of edges, zeroed by the caller), potential_of_node
 */
void trod_place_span(uint64_t *tree, uint64_t *potential_of_node,
    const struct trod_numbering *numbering, struct trod_arena *mem);

/* Values on the chords of a maximum spanning tree, r set on the first chord of a path
 * and counted on the last where they can be distinguished.
 *
 * needs:  weights of the DAG
 * cost:   O(nodes + edges), and a spanning tree
 * paper:  Ball & Larus, "Efficient Path Profiling", MICRO 1996, sections 3.2 and 3.3,
 *         figure 8; Ball, "Efficiently Counting Program Events with Support for
 *         On-line Queries", TOPLAS 1994 (spanning trees)
 */
void trod_place_tree(struct trod_dag_ops *out, const struct trod_numbering *numbering,
    struct trod_arena *mem);

/* --- place_frontier.c ---------------------------------------------------- */

/* r is set where a path leaves the head, added to in the middle, and counted where it
 * enters the tail: one SET and one COUNT a path, or one COUNT_AT, and ADDs on chords
 * of a forest that spans the middle alone.
 *
 * Against TREE: additions are executed no more often, for any weights. A path is set and
 * counted once in both, and at a constant index wherever TREE does that.
 *
 * needs:  weights of the DAG; loops of its graph whose bodies are to be kept free of
 *         operations for the sake of a trip counter, or NULL
 * cost:   O(nodes + edges), and three spanning forests
 */
void trod_place_frontier(struct trod_dag_ops *out,
    const struct trod_numbering *numbering, const struct trod_loops *loops,
    struct trod_arena *mem);

/* --- ending.c: what is done with a sum ---------------------------------------------- */

enum trod_want {
    TROD_WANT_ALL,      /* count every path */
    TROD_WANT_CHOSEN,   /* count paths of interest; others may be counted along */
    TROD_WANT_RESIDUAL, /* count paths of interest, count or report all others */
    TROD_WANT_UNTESTED /* count or report all except paths of interest; these may be counted
                           where that is cheaper than to look the path up */
};

enum trod_ending_kind {
    TROD_END_ALL, /* sums are ids: each path has its slot. Counts what is not wanted,
                        but costs the least */
    TROD_END_SELECT, /* no other path has the sum of a path of interest: slots from the smallest to the
                        largest of them, or more. Ids of others are unknown */
    TROD_END_PREFER, /* the id is in the low bits; the high bits are a preferential id, which is
                        the slot if the id there is this one */
    TROD_END_HASH,  /* the slot is a hash of the id, if the id there is this one */
    TROD_END_STRAY, /* all paths without a stray edge are of interest */
    TROD_END_MASK,  /* ids are below 64: a bit for each says which are of interest */
    TROD_END_BITS   /* the same in memory */
};
enum { TROD_NENDING = TROD_END_BITS + 1 };

/* If paths of interest need no counts, sums have the id in their low bits, and the number of stray
 * edges, which are on no path of interest, above it. If every
 * path without a stray edge is of interest, only that number is tested.
 */

#define TROD_NO_PATH UINT64_MAX

struct trod_ending {
    enum trod_ending_kind kind;
    enum trod_want want;
    uint64_t npath;
    uint64_t nslot; /* counters */
    const trod_path
        *id_of_slot;          /* [nslot], or TROD_NO_PATH; NULL: the slot is the id */
    int64_t min;              /* SELECT: the sum that has slot 0 */
    unsigned low_bits;        /* of the id, if the sum has high bits; otherwise 0 */
    struct trod_slots hash;   /* HASH */
    const uint64_t *interest; /* MASK, BITS: set of ids */
    bool strays;              /* the high bits are the number of strays */
    bool direct; /* every path has a counter instead of being reported; those of
                    interest are never counted */
};

/* all, selective, preferential, hash, stray, mask, bits; all, chosen, residual, untested. */
const char *trod_ending_name(enum trod_ending_kind kind);
const char *trod_want_name(enum trod_want want);

static inline bool trod_wants_counts(enum trod_want want)
{
    return want != TROD_WANT_UNTESTED;
}

static inline bool trod_wants_others(enum trod_want want)
{
    return want == TROD_WANT_RESIDUAL || want == TROD_WANT_UNTESTED;
}

struct trod_look {
    bool hit;      /* it is a path of interest, according to the ending */
    uint64_t slot; /* hit, if there are slots */
    trod_path id;  /* TROD_NO_PATH if unknown: SELECT, missed */
};

/* The result of looking up a sum in emitted code. */
struct trod_look trod_ending_look(const struct trod_ending *ending, int64_t sum);

/* Bytes of data: counters, ids, bits. */
uint64_t trod_ending_bytes(const struct trod_ending *ending);

/* The actions of operations in which every path is counted once, by the paths that lead there.
 *
 * fills:  ops->action_of_edge
 * cost:   O(nodes + edges + arcs of the automaton)
 */
void trod_ending_actions(struct trod_dag_ops *ops,
    const struct trod_numbering *numbering, const struct trod_ending *ending,
    const struct trod_interest *interest, struct trod_arena *mem);

/* --- cost.c: what a plan costs ------------------------------------------- */

/* Machine operations of each kind, as a compiler would emit them for x86-64. */
struct trod_prices {
    uint32_t set, add, count, count_at, bump, flush;
    uint32_t ask[TROD_NENDING]; /* of the most frequent case */
    uint32_t report, report_direct;
};
extern const struct trod_prices trod_prices_default;

/* ending: may be NULL. */
uint32_t trod_probe_price(const struct trod_prices *prices, const struct trod_op *op,
    const struct trod_ending *ending);

/* How often a site is passed; 0 where the function's entry does not lead. */
uint64_t trod_site_weight(const struct trod_dag *dag, uint32_t site);

struct trod_cost {
    uint32_t nop;    /* operations in the code, without those that do nothing and
                        those that set what is never read */
    uint32_t nsite;  /* sites with any */
    double dynamic;  /* price x weight, over all sites */
    double per_call; /* dynamic over the weight of the way in */
    uint32_t nop_of_kind[TROD_OP_FLUSH + 1];
};

void trod_probe_cost(struct trod_cost *out, const struct trod_plan *plan,
    const struct trod_prices *prices, struct trod_arena *mem);

/* --- count_trips.c: loops that count the same on every iteration ----------------------
 *
 * A loop whose body is one path goes through the same COUNT and the same SET on every
 * iteration. Its edges back to the header then only bump a trip counter, and the edges out
 * of the loop bring counters and r up to date.
 */
struct trod_trips {
    uint32_t ntrip;
    const trod_node *header_of_trip; /* [ntrip] */
    const int64_t *value_of_trip;    /* [ntrip], of the COUNT */
    const int64_t *again_of_trip;    /* [ntrip], of the SET */
    const uint32_t *trip_of_node;    /* [graph->nnode], or TROD_NONE */
};

/* The edges inside innermost loops whose body is one path: no operation on them, and
 * trod_trips_find will like the loop.
 *
 * fills:  body (set of DAG edges, zeroed by the caller)
 */
void trod_trips_bodies(uint64_t *body, const struct trod_dag *dag,
    const struct trod_loops *loops, struct trod_arena *mem);

/* Find the loops for which a trip counter pays at the given prices. One that is never
 * left has none: its counts would never be brought up to date.
 *
 * needs:  operations in which every path is counted once
 * cost:   O(nodes + edges)
 */
void trod_trips_find(struct trod_trips *out, const struct trod_dag_ops *ops,
    const struct trod_dag *dag, const struct trod_loops *loops,
    const struct trod_prices *prices, struct trod_arena *mem);

/* --- plan.c: from the DAG to sites of the graph -------------------------- */

struct trod_probe_options {
    enum trod_placement placement;
    bool no_trips;                    /* do not keep loops in trip counters */
    bool no_begin;                    /* do not count how often the function is begun */
    const struct trod_ending *ending; /* NULL: count every path at its sum */
    const struct trod_interest *interest; /* with an ending */
};

const char *trod_probe_placement_name(enum trod_placement placement);

/* Distribute a numbering over the sites of its graph.
 *
 * With trip counters, FRONTIER may keep other edges free of operations than without;
 * both are tried. So no placement costs more with them than without.
 *
 * needs:  the numbering's DAG, with weights, and the loops of its graph
 * cost:   O(nodes + edges), and a radix sort
 */
void trod_probe_plan(struct trod_plan *out, const struct trod_numbering *numbering,
    const struct trod_loops *loops, const struct trod_probe_options *options,
    struct trod_arena *mem);

/* --- choose.c: the plan for what is wanted ---------------------------------------------- */

struct trod_choose_options {
    enum trod_want want; /* not ALL */
    bool no_trips;       /* do not keep loops in trip counters */
    unsigned only;       /* bits of enum trod_ending_kind; 0: whatever is best */
    const uint64_t *count_of_path; /* how often those of interest ran; NULL: unknown */
};

struct trod_candidate {
    bool possible;
    const char *why_not;   /* in words, where it is not */
    struct trod_cost cost; /* at measured weights, where there are counts */
    double total;          /* cost.dynamic, and finding the thread's counters */
    uint64_t bytes;        /* of data */
    double delta;          /* slots over paths of interest; 0 where there are none */
};

struct trod_choice {
    bool needless;   /* nothing is to be done: all that is wanted is known before */
    const char *why; /* in words */
    enum trod_ending_kind kind;
    struct trod_dag dag; /* weighed */
    struct trod_numbering ballarus, numbering;
    struct trod_interest interest; /* in the former */
    struct trod_ending ending;
    struct trod_plan plan;
    struct trod_candidate candidate[TROD_NENDING];
};

/* Choose numbering, ending and placement for a set of paths: of all that spare room (some
 * pages, or twice what the smallest takes), that which costs the least at run time.
 *
 * needs:  the numbering of all paths and the loops of its graph
 * fills:  out, which must stay where it is: its parts refer to each other
 * fails:  TROD_E_LIMIT when no way that is allowed is possible
 * cost:   that of the numberings; a selective one may take O(probes^2 x edges)
 */
bool trod_probe_choose(struct trod_choice *out, const struct trod_numbering *ballarus,
    const struct trod_pathset *paths, const struct trod_loops *loops,
    const struct trod_choose_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* What the choice promises, by walking every path: one of interest is counted once, in its
 * own slot, or nothing is done, if only others are wanted; any other is reported once, with its id, or counted
 * in its own slot, or, if it is not wanted, in a slot that is not of interest.
 *
 * fails:  TROD_E_INTERNAL with the path; TROD_E_LIMIT with more than `most` paths
 */
bool trod_choice_check_all(const struct trod_choice *choice, uint64_t most,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- probe_text.c -----------------------------------------------------------
 *
 *     plan NAME frontier
 *     >: s {r=0}
 *     s: a b {r=4}
 *     c: >a {[r+1]++ r=3} t
 *     d: >d {t0++} e {flush t0 [r+2] r=7}
 *     t: . {[r]++}
 *
 * Operations: r=N  r+=N  r-=N  [r]++  [r+N]++  [r-N]++  [N]++  begun++  tN++
 * and  flush tN [r+N] r=N.  Every cut edge is marked. Instead of ++ after what is counted,
 * actions other than that: ? ask, > stray, ! report, ~ pass.
 */

void trod_probe_print(struct trod_sink *sink, const struct trod_plan *plan);
void trod_probe_json(
    struct trod_json *json, const char *key, const struct trod_plan *plan);

/* The operations of a site, with a blank between any two. */
void trod_probe_print_ops(
    struct trod_sink *sink, const struct trod_plan *plan, uint32_t site);

/* --- probe_parse.c ------------------------------------------------------- */

/* Read a plan with the graph it belongs to; its head `plan NAME` has been read up to
 * the name. The plan has no numbering (plan->numbering->val_of_edge is NULL), only the
 * DAG its operations run on. What it counts is for trod_probe_check() to say.
 *
 * fails:  TROD_E_INPUT, also for a cycle without a cut and trip counters that are not
 *         numbered from 0 or not bumped on edges to one header
 */
bool trod_probe_parse(struct trod_plan *out, const char *name, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- probe_check.c: everything that must hold ---------------------------- */

/* Invariants: operations stand on sites that are passed; every path is counted once,
 * and not before r was set if r is used; what is counted is the sum of the numbering,
 * where there is one; a trip counter is bumped on every edge back to its header and
 * flushed on every edge out of its loop, and nothing else is done in the loop; BEGIN stands
 * everywhere it must, or nowhere; no path is counted before the last of its nodes that may
 * leave the function, but by TREE.
 *
 * Any walk counts right under a plan that passes: at each node it is checked that all
 * ways there agree on how far r is from the sum.
 *
 * fails:  TROD_E_INTERNAL, or TROD_E_INPUT for a plan that was read
 * cost:   O(nodes + edges)
 */
bool trod_probe_check(const struct trod_plan *plan, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- probe_walk.c: plans carried out ------------------------------------- */

/* Carry out the plan along a walk through the graph (from the entry, edge by edge) and
 * call counted(sum, by, action) for every path that is certain. `left` says that the walk
 * went out of the function; one that did not is flushed where it stands, as though it
 * left all loops there. The trip counters are taken from mem and stay there.
 */
void trod_probe_walk(const struct trod_plan *plan, const trod_edge *edge_of_step,
    uint32_t nstep, bool left, struct trod_arena *mem,
    void (*counted)(void *ctx, int64_t sum, uint64_t by, enum trod_action action),
    void *ctx);

/* What trod_probe_check() proves, the dumbest way: by walking every path of the DAG
 * after every cut edge it may start from, and `nwalk` random walks through the graph.
 * Walks end with a path, at an exit or after a cut edge. The walk is split at its cut
 * edges, and the counters must be those of the sums of its paths; in the second case
 * the path just begun may have been counted, if nothing is left to be decided on it.
 *
 * needs:  a numbering with values
 * fails:  TROD_E_INTERNAL with the path that is counted wrong
 *         TROD_E_LIMIT with more than `most` paths
 */
bool trod_probe_check_all(const struct trod_plan *plan, uint64_t most, uint32_t nwalk,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

#endif
