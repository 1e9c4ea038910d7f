/* number: values on the edges of a DAG, so that the sum along a path says which
 * path it was.
 *
 *     graph -> limit -> dag -> ballarus -> pathset -> interest
 *                                   interest -> selective | preferential | hash
 *                                   two numberings -> pack -> (probe)
 *
 * Every numbering is one array, val_of_edge; they differ in what their sums
 * promise:
 *
 *   ballarus      every path has an id of its own, 0..npath-1, dense
 *   selective     the sum of a path of interest is that of no other path; as few
 *                 edges as can be found carry a value
 *   preferential  paths of interest have ids of their own, as dense as can be
 *                 found; any other path may have any id
 *   length        the number of blocks on the path
 *   stray         the number of edges on the path that are on no path of interest
 *   packed        two of these in one register
 *
 * Glossary
 *   path       a walk from ENTRY to EXIT through the DAG, identified by its Ball-Larus
 *              id (trod_path) or by its edges
 *   trail      the same as a person writes it: blocks of the graph
 *   pathset    paths of interest: distinct ids, ascending
 *   interest   the smallest automaton that accepts just the paths of a pathset.
 *              A state is a block together with all that may still follow on a
 *              path of interest: what the papers call a prefix, with prefixes
 *              that have the same future merged.
 *   delta      width of the interval the ids of interest lie in, over how many
 *              there are: 1 is perfect
 *
 * Memory: everything in the arena handed in; numberings refer to their DAG and
 * interests to their numbering, which must outlive them.
 */
#ifndef TROD_NUMBER_H
#define TROD_NUMBER_H

#include "graph/graph.h"

typedef uint64_t trod_path;

/* Ids and sums stay below this: they are signed on the way. */
#define TROD_PATH_MAX ((trod_path)INT64_MAX)

enum trod_numbering_kind {
    TROD_BALLARUS,
    TROD_SELECTIVE,
    TROD_PREFERENTIAL,
    TROD_LENGTH,
    TROD_STRAY,
    TROD_PACKED
};

struct trod_numbering {
    enum trod_numbering_kind kind;
    const struct trod_dag *dag;
    const int64_t *val_of_edge;    /* [dag->shape.nedge] */
    int64_t min, max;              /* of the sums of all paths */
    const uint64_t *npath_of_node; /* ballarus: paths to EXIT; else NULL */
    uint64_t npath;                /* ballarus: of the DAG; else 0 */
    unsigned low_bits;             /* packed: width of the low sum */
    bool low_signed;               /* packed: the low sum may be negative */
};

const char *trod_number_kind_name(enum trod_numbering_kind kind);

/* --- ballarus.c ------------------------------------------------------------- */

/* Number the paths of a DAG so that ids are dense: 0..npath-1, in the order of
 * successors.
 *
 * needs:  dag->topo
 * fills:  out, with npath and npath_of_node
 * fails:  TROD_E_LIMIT when the DAG has 2^63 paths or more (see limit.c)
 * cost:   O(nodes + edges), one visit each
 * paper:  Ball & Larus, "Efficient Path Profiling", MICRO 1996, figure 5
 */
bool trod_number_ballarus(struct trod_numbering *out, const struct trod_dag *dag,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The number of blocks on each path, as a numbering. */
void trod_number_length(
    struct trod_numbering *out, const struct trod_dag *dag, struct trod_arena *mem);

/* --- decode.c: between ids, edges and sums --------------------------------------- */

/* The edges of the path with this id. The caller's array has room for
 * dag->nreach edges.
 *
 * needs:  numbering->kind == TROD_BALLARUS, id < npath
 */
uint32_t trod_number_decode(
    trod_edge *edge_of_step, const struct trod_numbering *ballarus, trod_path id);

int64_t trod_number_sum(const struct trod_numbering *numbering,
    const trod_edge *edge_of_step, uint32_t nstep);

/* Smallest and largest sum over all paths.
 *
 * fails:  TROD_E_LIMIT when a sum does not fit 63 bits
 */
bool trod_number_range(int64_t *min, int64_t *max, const struct trod_dag *dag,
    const int64_t *val_of_edge, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Call fn for each path of the DAG, in the order of Ball-Larus ids, until it
 * returns false or `most` paths have been seen. Returns how many were.
 */
uint64_t trod_number_each(const struct trod_dag *dag, uint64_t most,
    bool (*fn)(void *ctx, const trod_edge *edge_of_step, uint32_t nstep), void *ctx,
    struct trod_arena *mem);

/* --- chain.c: paths in a row ------------------------------------------------------
 *
 * A chain is a path together with those that one activation of the function took right before
 * it, up to so many in all: its iterations. With n paths, a chain is a number of that many digits in
 * base n + 1: the ids of its paths plus 1, the oldest first. Where there were fewer before it,
 * digits are 0: these chains begin at the function's entry. So every path that ends makes one
 * chain, and dropping the oldest digit and adding one is all there is to do.
 *
 * A function that no edge is cut of has one path an activation, and its chains are its paths.
 */

enum { TROD_ITERATIONS_MAX = 8 };

struct trod_chain {
    const struct trod_numbering *ballarus;
    unsigned iterations; /* 1: chains are paths, by their ids */
    uint64_t base;       /* paths plus 1 */
    uint64_t nchain;     /* ids of chains are below it; not all of them are chains */
};

/* As many iterations as were asked for, or as ids below 2^63 have room for.
 *
 * needs:  1 <= iterations <= TROD_ITERATIONS_MAX
 */
void trod_chain_init(
    struct trod_chain *out, const struct trod_numbering *ballarus, unsigned iterations);

/* The chain that a path makes after the chain before it; 0: there is none. */
trod_path trod_chain_add(const struct trod_chain *chain, trod_path id, trod_path path);

/* The paths of a chain, the oldest first, and how many; 0: it is none, for a digit behind the
 * first is 0, or all are.
 *
 * needs:  id < nchain
 */
unsigned trod_chain_decode(
    trod_path path[TROD_ITERATIONS_MAX], const struct trod_chain *chain, trod_path id);

/* The last path alone. */
bool trod_chain_last(trod_path *out, const struct trod_chain *chain, trod_path id);

/* How many chains the graph allows, stopping at UINT64_MAX: each path starts where the one before it
 * was cut or, since one that was begun may be left for it, at a call that may come back again. That
 * may be a coroutine's, which had been left by then: this applies to paths out of a function, too.
 *
 * cost:   O(iterations x (nodes + edges))
 */
uint64_t trod_chain_count(const struct trod_chain *chain, struct trod_arena *mem);

/* --- limit.c: functions with too many paths -------------------------------------- */

struct trod_limit {
    uint64_t most;        /* paths; 0 = TROD_PATH_MAX */
    const uint64_t *keep; /* set of graph edges that must stay whole, or NULL */
};

struct trod_limit_report {
    double log2_before;   /* paths before any extra cut, as a power of two */
    uint32_t ncut;        /* extra cuts, beyond cycles */
    const trod_edge *cut; /* [ncut] edges of the graph, ascending */
};

/* Cut as few and as cold edges as can be found until a function has no more than
 * `most` paths, counting anew after every cut. One edge, all edges into a block
 * and all edges out of a block are weighed against each other by what they save
 * (in bits of path count) over what they weigh.
 *
 * fills:  out->dag with the cuts made, report
 * fails:  TROD_E_LIMIT when what must stay whole has too many paths by itself
 * cost:   O(cuts x edges); past a budget of work, whole blocks are cut in one
 *         sweep from the exits up: O(nodes + edges), more cuts
 */
bool trod_number_limit(struct trod_view *out, struct trod_limit_report *report,
    const struct trod_graph *graph, const struct trod_limit *limit,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- trail.c: paths as people write them --------------------------------------------
 *
 *     s a c t        from the entry to an exit
 *     s a c > a      ... to a cut: the edge c -> a ends the path
 *     > a c > a      from a cut into a, to a cut
 *     s b~2 t        the second of the parallel edges from s to b
 *     =5             the path with Ball-Larus id 5
 *
 * Blocks are parted by blanks or commas. A path list is a section:
 *
 *     paths NAME
 *     s a c t
 *     =5
 */

struct trod_trail {
    const char *file; /* where it was written, for messages */
    uint32_t line;
    bool by_id;
    trod_path id; /* by_id */
    bool resumes; /* starts after a cut */
    bool breaks;  /* its last edge is a cut */
    trod_node first;
    uint32_t nedge;
    const trod_edge *edge; /* of the graph */
};

struct trod_trails {
    struct trod_trail *trail;
    uint32_t count, room;
};

/* Read one trail up to the end of its line.
 *
 * fails:  TROD_E_INPUT when a block or an edge is not in the graph
 */
bool trod_trail_parse(struct trod_trail *out, struct trod_text *text,
    const struct trod_graph *graph, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Read the lines of a path list, up to the next section; its head `paths NAME`
 * has been read.
 */
bool trod_trails_parse(struct trod_trails *out, struct trod_text *text,
    const struct trod_graph *graph, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Add the edges that the trails run across to a set of edges of the graph: what
 * trod_limit.keep wants.
 */
void trod_trails_keep(uint64_t *keep, const struct trod_trails *trails);

/* The id of a trail.
 *
 * fails:  TROD_E_INPUT for an id out of range, a trail that runs across a cut or
 *         ends where there is none
 */
bool trod_trail_encode(trod_path *id, const struct trod_trail *trail,
    const struct trod_numbering *ballarus, struct trod_err *err) TROD_MUST_CHECK;

/* Print a path as a trail, without a line break. */
void trod_trail_print(struct trod_sink *sink, const struct trod_dag *dag,
    const trod_edge *edge_of_step, uint32_t nstep);

/* --- interest.c: the paths of interest ------------------------------------------------ */

struct trod_pathset {
    const trod_path *id; /* ascending, distinct */
    size_t count;
};

/* Sort the ids and drop doubles. */
void trod_pathset_build(struct trod_pathset *out, const trod_path *id, size_t count,
    struct trod_arena *mem);

bool trod_pathset_encode(struct trod_pathset *out, const struct trod_trails *trails,
    const struct trod_numbering *ballarus, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

struct trod_interest {
    const struct trod_numbering *ballarus;
    struct trod_pathset paths;
    uint32_t nstate; /* targets come before sources; the last is ENTRY's */
    uint32_t narc;
    const trod_node *node_of_state; /* [nstate] */
    const uint32_t *first_arc;      /* [nstate + 1] */
    const trod_edge *edge_of_arc;   /* [narc], ascending for each state */
    const uint32_t *state_of_arc;   /* [narc], where it leads */
    const uint64_t *npath_of_state; /* [nstate], paths of interest from here on */
    const uint32_t *first_use;      /* [DAG edges + 1], into use */
    const struct trod_use {
        uint32_t from, to; /* states */
    } *use;                /* [narc], the arcs again, grouped by edge */
    const uint64_t *edges; /* set of DAG edges of interest */
};

/* Build the minimal automaton of a set of paths.
 *
 * needs:  every id below ballarus->npath
 * cost:   O(edges on the paths not shared with the path before, in id order);
 *         space of the result, plus one path
 * paper:  Daciuk, Mihov, Watson, Watson, "Incremental Construction of Minimal
 *         Acyclic Finite-State Automata", Computational Linguistics 2000
 */
void trod_interest_build(struct trod_interest *out,
    const struct trod_numbering *ballarus, const struct trod_pathset *paths,
    struct trod_arena *mem);

/* --- selective.c -------------------------------------------------------------------------- */

/* Values such that the sum of a path of interest is the sum of no other path, on
 * as few edges as can be found, cold ones first.
 *
 * A set S of edges is enough when no other path crosses the same edges of S as a
 * path of interest does; see doc/stages/number.md for the proof and for how values
 * follow from S. Edges are taken out of S, hottest first, while that holds.
 *
 * fails:  TROD_E_LIMIT when the sums do not fit 63 bits
 * cost:   O(probes^2 x edges) up to a budget, beyond which the safe phases of the
 *         paper stand as they are: O(edges)
 * paper:  Apiwattanapong & Harrold, "Selective Path Profiling", PASTE 2002, whose
 *         second phase is unsound (doc/decisions/0002-selective-must-be-sound.md)
 */
bool trod_number_selective(struct trod_numbering *out,
    const struct trod_interest *interest, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The phases of the paper, for comparison: 1 and 3 are sound, 1, 2 and 3 are what
 * was published and are not.
 */
bool trod_number_selective_paper(struct trod_numbering *out,
    const struct trod_interest *interest, bool push, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- core.c: the edges of interest ---------------------------------------------------------
 *
 * The core are the edges of interest. Paths that stay in it are those of interest, and perhaps
 * some that are put together from parts of them; the core is closed if there are no others.
 */

/* Paths in the core, from each node to EXIT and from ENTRY to each node.
 *
 * fills:  down[nnode], up[nnode]; the latter may be NULL
 */
void trod_interest_count_core(
    uint64_t *down, uint64_t *up, const struct trod_interest *interest);

/* How many paths stay in the core. */
uint64_t trod_interest_ncore(
    const struct trod_interest *interest, struct trod_arena *mem);

/* A selective numbering whose sums of interest are dense: 0 to ncore - 1 for the paths of the
 * core, and more for all others.
 *
 * fails:  TROD_E_LIMIT when the sums do not fit 63 bits
 * cost:   O(nodes + edges)
 */
bool trod_number_core(struct trod_numbering *out, const struct trod_interest *interest,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The number of edges outside the core on each path, as a numbering. */
void trod_number_stray(struct trod_numbering *out, const struct trod_interest *interest,
    struct trod_arena *mem);

/* --- weigh.c: weights from what ran ---------------------------------------------------------- */

/* The DAG of a numbering, weighed by how often its paths ran (NULL: each once). Estimates
 * decide between edges that were measured alike. Where paths are cut does not change, and
 * neither do their ids.
 *
 * cost:   O(edges + paths x length)
 */
void trod_number_weigh(struct trod_dag *out, const struct trod_numbering *ballarus,
    const struct trod_pathset *paths, const uint64_t *count, struct trod_arena *mem);

/* --- trace.c: which edges selective numbering can do without ------------------------------ */

/* The trace of a path are the probes on it, in order. A set of probes will do when no
 * other path has the trace of a path of interest.
 */

/* Will this set of probes do?
 *
 * cost:   O(probes x edges)
 */
bool trod_trace_will_do(const uint64_t *probe, const struct trod_interest *interest,
    struct trod_arena *mem);

/* Take probes out of a set that will do, hottest first, as long as it will; returns how
 * many are left.
 *
 * cost:   O(probes^2 x edges), up to a budget; then the rest stays in
 */
uint32_t trod_trace_reduce(
    uint64_t *probe, const struct trod_interest *interest, struct trod_arena *mem);

/* Values on the probes such that paths of interest have sums of their own; false when
 * they would not fit 63 bits.
 *
 * needs:  a set that will do; val_of_edge zeroed
 * cost:   O(probes x (edges + probes))
 */
bool trod_trace_values(int64_t *val_of_edge, const uint64_t *probe,
    const struct trod_interest *interest, struct trod_arena *mem) TROD_MUST_CHECK;

/* --- preferential.c ------------------------------------------------------------------------ */

enum trod_preferential_way {
    TROD_PREFER_BEST,  /* the most compact of those below */
    TROD_PREFER_PAPER, /* intervals, as published */
    TROD_PREFER_FIT,   /* intervals, or, where that is narrower: ids may fall into
                          the holes of others' intervals */
    TROD_PREFER_RANGE  /* Ball-Larus ids, less the smallest of interest */
};

/* Ids for the paths of interest, distinct and from 0 up, in as small a range as can
 * be found. Never wider than the range of their Ball-Larus ids.
 *
 * cost:   O(arcs of the automaton), which is at most edges x paths; the fit adds
 *         up to a budget of work
 * paper:  Vaswani, Nori, Chilimbi, "Preferential Path Profiling", POPL 2007, as
 *         in figure 3.10 of the thesis; FIT drops the restriction its section
 *         3.3.3 names
 */
void trod_number_preferential(struct trod_numbering *out,
    const struct trod_interest *interest, enum trod_preferential_way way,
    struct trod_arena *mem);

/* --- hash.c: find the slot of an id without numbering anew ---------------------------------- */

/* slot(id) = (id * multiplier) >> shift: no two ids of the set share one. */
struct trod_slots {
    uint64_t multiplier;
    unsigned shift;
    uint64_t nslot;
};

static inline uint64_t trod_slot(const struct trod_slots *slots, trod_path id)
{
    return slots->shift > 63 ? 0 : id * slots->multiplier >> slots->shift;
}

/* Search for the smallest power-of-two table and a multiplier for it.
 *
 * fails:  TROD_E_LIMIT when none with at most 2^most_bits slots was found
 * cost:   up to a fixed number of multipliers for each size, O(paths) each
 * paper:  Dietzfelbinger et al., "A Reliable Randomized Algorithm for the
 *         Closest-Pair Problem", 1997 (multiply-shift)
 */
bool trod_number_hash(struct trod_slots *out, const struct trod_pathset *paths,
    unsigned most_bits, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- pack.c: two sums in one register ------------------------------------------------------ */

/* One numbering whose sums hold those of two: high << low_bits, plus low. Negative
 * values borrow from above and come back out when the low part is taken off.
 *
 * fails:  TROD_E_LIMIT when both ranges together need more than 63 bits
 */
bool trod_number_pack(struct trod_numbering *out, const struct trod_numbering *low,
    const struct trod_numbering *high, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_number_unpack(
    int64_t *low, int64_t *high, const struct trod_numbering *packed, int64_t sum);

/* --- measure.c --------------------------------------------------------------------------------- */

struct trod_measure {
    uint64_t npath; /* of the DAG */
    size_t ninterest;
    uint32_t nprobe;     /* edges with a value */
    int64_t min, max;    /* sums of paths of interest */
    double width;        /* max - min + 1 */
    double delta;        /* width / ninterest */
    unsigned value_bits; /* of the largest value, with its sign */
};

void trod_number_measure(struct trod_measure *out,
    const struct trod_numbering *numbering, const struct trod_interest *interest,
    struct trod_arena *mem);

/* --- coding.c: path numbering as arithmetic coding -------------------------------------------
 *
 * A numbering is an arithmetic coder whose alphabet is the edges: each context (a
 * block, or a block with its past) gives every edge a share of the interval.
 * Thesis, chapter 4.
 */

struct trod_ratio {
    uint64_t num, den; /* reduced; den > 0 */
};

/* Symbols of one context take consecutive parts of [0, 1). */
struct trod_model {
    uint32_t ncontext;
    const uint32_t *first_symbol;    /* [ncontext + 1] */
    const uint32_t *symbol;          /* the edge each stands for */
    const struct trod_ratio *chance; /* of each symbol in its context */
    const struct trod_ratio *low;    /* where its part begins */
    const trod_node *node_of_context;
};

/* Contexts are nodes of the DAG, chances are paths after the edge over paths
 * after the node. Figure 4.1.
 */
void trod_coding_ballarus(struct trod_model *out, const struct trod_numbering *ballarus,
    struct trod_arena *mem);

/* Contexts are states of the automaton: the longest context there is. */
void trod_coding_interest(struct trod_model *out, const struct trod_interest *interest,
    struct trod_arena *mem);

/* Contexts are nodes again, chances are paths of interest after the edge over
 * those after the node, whatever came before: the join of all states at a node,
 * and table 4.3.
 */
void trod_coding_joined(struct trod_model *out, const struct trod_interest *interest,
    struct trod_arena *mem);

/* The path encoder of figure 4.3, over [0, width).
 *
 * needs:  context_of_step[i] is the context step i is taken in
 */
uint64_t trod_coding_encode(const struct trod_model *model,
    const uint32_t *context_of_step, const trod_edge *edge_of_step, uint32_t nstep,
    uint64_t width);

/* Bits per path under the model: contexts reached, times the entropy of each.
 * State models start in the last context, node models in ENTRY's.
 */
double trod_coding_entropy(const struct trod_model *model,
    const struct trod_interest *interest, const struct trod_dag *dag,
    struct trod_arena *mem);

/* A message in an alphabet with fixed chances, as an interval within [0, 1).
 *
 * fails:  TROD_E_LIMIT when the exact ends do not fit 64-bit fractions
 */
bool trod_coding_message(struct trod_ratio *low, struct trod_ratio *high,
    const struct trod_ratio *chance_of_symbol, const uint32_t *symbol, uint32_t nsymbol,
    struct trod_err *err) TROD_MUST_CHECK;

/* The first nsymbol symbols of the message a number in [0, 1) stands for. */
bool trod_coding_unmessage(uint32_t *symbol, uint32_t nsymbol, struct trod_ratio number,
    const struct trod_ratio *chance_of_symbol, uint32_t alphabet,
    struct trod_err *err) TROD_MUST_CHECK;

/* Bits per symbol of an alphabet with these chances. */
double trod_coding_bits(const struct trod_ratio *chance, uint32_t alphabet);

/* --- number_text.c ---------------------------------------------------------------------------------
 *
 *     numbering NAME ballarus
 *     >: s a+3         # ENTRY: the function's entry, then each cut target
 *     s: a b+4         # a value is written after its edge, unless it is 0
 *     b: >a+1 t        # cut edges are marked
 *     t: .+2           # the edge to EXIT, where it has a value
 */

void trod_number_print(struct trod_sink *sink, const struct trod_numbering *numbering);

/* Read a numbering with the graph it numbers; its head `numbering NAME` has been
 * read up to the name.
 *
 * fails:  TROD_E_INPUT, also for a cycle without a cut and starts that do not
 *         match the cuts
 */
bool trod_number_parse(struct trod_numbering *out, const char *name,
    struct trod_text *text, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

void trod_number_json(
    struct trod_json *json, const char *key, const struct trod_numbering *numbering);

/* --- number_check.c: everything that must hold ------------------------------------------------- */

/* Invariants: min and max are those of the sums; ballarus: at each node the
 * intervals of the edges tile 0..npath_of_node-1. Linear.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_number_check(const struct trod_numbering *numbering, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* What the kind promises, by walking every path: distinct ids (ballarus), sums of
 * interest met by no other path (selective), distinct ids of interest
 * (preferential), both parts right (packed; parts may be NULL otherwise).
 *
 * fails:  TROD_E_INTERNAL with the paths that clash
 *         TROD_E_LIMIT with more than `most` paths
 */
bool trod_number_check_all(const struct trod_numbering *numbering,
    const struct trod_interest *interest, const struct trod_numbering *low,
    const struct trod_numbering *high, uint64_t most, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
