/* chosen: sets of paths, and what they say about tests.
 *
 *     profiles -> ran -> list -> union, minus, and -> text
 *     ran + map -> cover -> text, JSON
 *     ran + map -> missing -> text, JSON
 *     list (tested) + ran (field) + map -> untested -> text, JSON
 *     list + map + ran -> price -> share -> a list for each site, text, JSON
 *
 * A profile counts paths. Here they are sets: those to look for in the next build, those that
 * the tests ran, those that production ran and no test did.
 *
 * Glossary
 *   ran        the paths of any number of profiles, function by function
 *   run        a group of a profile: one execution, or several that were added up
 *   list       a set of paths of any functions, with what shows whether their ids still
 *              mean the same: hashes of name, graph and cuts
 *   known      the functions that a list is held against: of a program, or of profiles
 *   covered    of a function: paths that ran, and the blocks and edges on them
 *   decision   an edge of the DAG whose source has several: a branch, and the way it went. At
 *              ENTRY: where the path starts
 *   neighbour  of a path that ran: one that did not, and leaves it at one decision
 *   tested     in the list of what the tests ran
 *   new        of an edge: on no tested path of its function
 *   apart      edges of a path that are not new, but were never on one tested path together
 *   chain      a path with those before it (number.h); where these are counted, paths are chains
 *   site       a build that is deployed, and everything that runs it; not a site of a plan
 *   share      the part of a set of paths that one site counts
 *   group      the paths of one function in one share
 *   price      what counting some paths of a function costs a site on which all paths run
 *   load       of a site: the prices of its groups in one number, by which sites are balanced
 *
 * A path that was not finished, because its activation was abandoned, did not run. Blocks and edges on it did.
 *
 * Memory: everything in the arena handed in; results refer to the map and the texts they
 * were made from.
 */
#ifndef TROD_CHOSEN_H
#define TROD_CHOSEN_H

#include "flow/flow.h"
#include "probe/probe.h"
#include "report/report.h"

/* --- ran.c: what ran ------------------------------------------------------------------- */

struct trod_ran_path {
    trod_path id;
    uint64_t count; /* of all runs, stopping at UINT64_MAX */
    uint64_t nrun;  /* in which it ran */
};

struct trod_ran_function {
    struct trod_profile_function function;
    size_t npath;                     /* 0: it did not run */
    const struct trod_ran_path *path; /* [npath], ids ascending */
};

struct trod_ran {
    enum trod_format_mode mode; /* source, if there are no modules */
    uint64_t nrun;
    bool part; /* of some function, not every path that ran was counted */
    uint64_t
        nweeded; /* times a tested path was taken for an untested one, and put right */
    size_t nfunction;
    const struct trod_ran_function *function; /* by trod_function_compare, each once */
};

/* Below, at or above 0: by hashes of name, graph and cuts, then by number of paths. Equal
 * functions are one, in whatever modules they are.
 */
int trod_function_compare(
    const struct trod_profile_function *a, const struct trod_profile_function *b);

/* All functions that the profiles know, run or not, and the paths of them that ran.
 *
 * fails:  TROD_E_MISMATCH when they have different modes
 * cost:   a sort of the paths
 */
bool trod_ran_build(struct trod_ran *out, const struct trod_profile *const *profile,
    uint32_t nprofile, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* NULL: none of the profiles knows it. */
const struct trod_ran_function *trod_ran_find(
    const struct trod_ran *ran, const struct trod_profile_function *function);

/* --- path_list.c: sets of paths --------------------------------------------------------- */

struct trod_list_function {
    const char *name; /* "?": unknown */
    struct trod_profile_function function;
    size_t count;        /* not 0 */
    const trod_path *id; /* [count], ascending, below function.npath */
};

struct trod_list {
    enum trod_format_mode mode; /* source, if there are no functions */
    size_t nfunction;
    const struct trod_list_function *function; /* by name, then trod_function_compare */
    const struct trod_list_function *
        *by_function; /* [nfunction], the same by the latter */
};

/* From functions in any order, the same one any number of times, ids in any order.
 *
 * needs:  ids below npath
 * cost:   a sort
 */
void trod_list_build(struct trod_list *out, enum trod_format_mode mode,
    const struct trod_list_function *function, size_t nfunction,
    struct trod_arena *mem);

/* All paths that ran; names are in the map. */
void trod_list_ran(struct trod_list *out, const struct trod_ran *ran,
    const struct trod_map *map, struct trod_arena *mem);

/* The paths that a report with these options lists.
 *
 * needs:  options->group == TROD_GROUP_NONE
 */
void trod_list_report(struct trod_list *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem);

enum trod_list_op { TROD_LIST_UNION, TROD_LIST_MINUS, TROD_LIST_AND };

/* fails:  TROD_E_MISMATCH when the lists have different modes */
bool trod_list_combine(struct trod_list *out, enum trod_list_op op,
    const struct trod_list *a, const struct trod_list *b, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The part whose functions are wanted. */
void trod_list_choose(struct trod_list *out, const struct trod_list *list,
    bool (*wants)(const char *function, void *ctx), void *ctx, struct trod_arena *mem);

/* The part of functions that have several paths: of one that has only one, a profile says
 * that it ran, and nobody chose that.
 */
void trod_list_several(
    struct trod_list *out, const struct trod_list *list, struct trod_arena *mem);

/* How many paths are in it. */
uint64_t trod_list_count(const struct trod_list *list);

/* The function, or NULL; whether a path is in the list. */
const struct trod_list_function *trod_list_find(
    const struct trod_list *list, const struct trod_profile_function *function);
bool trod_list_has(const struct trod_list_function *function, trod_path id);

/* Invariants: the mode is known, and source if there are no functions; functions are in both
 * orders and there once; each has a name and some ids, ascending and below its number of
 * paths.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_list_check(
    const struct trod_list *list, struct trod_err *err) TROD_MUST_CHECK;

/* --- list_match.c: do ids still mean the same? --------------------------------------------- */

enum trod_list_fate {
    TROD_FATE_SAME,
    TROD_FATE_CUT,      /* of this name and graph, but cut elsewhere: another limit */
    TROD_FATE_CHANGED,  /* of this name, but another graph */
    TROD_FATE_VANISHED, /* none of this name */
    TROD_FATE_OTHER     /* of this name, but of another program: trod_list_others */
};

struct trod_list_match {
    const uint8_t *fate_of_function; /* [list->nfunction], enum trod_list_fate */
    size_t nfunction_of_fate[TROD_FATE_OTHER + 1];
};

/* Some functions in the order of trod_function_compare, and whether one is among them. */
void trod_known_sort(struct trod_profile_function *known, size_t nknown);
bool trod_known_has(const struct trod_profile_function *known, size_t nknown,
    const struct trod_profile_function *function);

/* The functions of a map; of what ran. */
size_t trod_known_map(struct trod_profile_function **out, const struct trod_map *map,
    struct trod_arena *mem);
size_t trod_known_ran(struct trod_profile_function **out, const struct trod_ran *ran,
    struct trod_arena *mem);

/* Hold a list against the functions that there are, which are sorted on the way. */
void trod_list_match(struct trod_list_match *out, const struct trod_list *list,
    struct trod_profile_function *known, size_t nknown, struct trod_arena *mem);

/* What became of a function, in words: "its graph is another". */
/* A list may be of several programs, each with a `main` of its own. Functions that are not as they are known, but of a
 * name that some function has which both sides have as it is, are of another program: TROD_FATE_OTHER.
 *
 * needs:  own, what the programs have whose paths are listed, and known, both sorted
 */
void trod_list_others(struct trod_list_match *match, const struct trod_list *list,
    const struct trod_profile_function *own, size_t nown,
    const struct trod_profile_function *known, size_t nknown, struct trod_arena *mem);

const char *trod_fate_words(enum trod_list_fate fate);

/* The part of the list that means what it meant. */
void trod_list_keep(struct trod_list *out, const struct trod_list *list,
    const struct trod_list_match *match, struct trod_arena *mem);

/* --- list_text.c: the text form ---------------------------------------------------------------
 *
 *     list source                                     # paths of the source, or of the code
 *     function work 8c3f1d9a00b2e6f7 12ab34cd56ef7890 cbf29ce484222325 16
 *     =0    # entry 12:T return 14
 *     =5    # loop 9 9:T again 9
 *
 * A function has its name, the hashes of its name, graph and cuts, and its number of paths;
 * each line below it is one of them. Several lists in one text are one.
 */

/* Paths that the map has are printed in comments; NULL: none. */
void trod_list_print(
    struct trod_sink *sink, const struct trod_list *list, const struct trod_map *map);
void trod_list_json(struct trod_json *json, const char *key,
    const struct trod_list *list, const struct trod_map *map, struct trod_arena *mem);

/* Does a text begin like a list? */
bool trod_list_begins(const struct trod_text *text, struct trod_arena *mem);

/* fails:  TROD_E_INPUT, with file, line and remedy; TROD_E_MISMATCH for two modes */
bool trod_list_parse(struct trod_list *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- cover.c: how much of a function ran --------------------------------------------------------- */

struct trod_part {
    uint64_t ran, all; /* stopping at UINT64_MAX */
};

struct trod_covered {
    struct trod_part path, edge, block; /* of what the entry reaches */
    uint32_t ncut; /* edges cut for the limit on paths: what is counted are parts */
};

/* needs:  ids below npath; step: room for dag->nreach edges
 * cost:   O(nodes + edges + paths x length)
 */
void trod_cover_function(struct trod_covered *out,
    const struct trod_numbering *ballarus, const struct trod_ran_path *path,
    size_t npath, trod_edge *step, struct trod_arena *mem);

/* Edges of a function that are cut for the limit on paths, and neither for a loop nor for a call: what is counted
 * are parts of ways through it.
 *
 * needs:  entry->numbering.dag
 */
uint32_t trod_cover_limited(const struct trod_map_entry *entry);

/* 1 where there is nothing to run. */
double trod_part_share(struct trod_part part);

enum trod_cover_group {
    TROD_COVER_FUNCTION,
    TROD_COVER_FILE,
    TROD_COVER_PROGRAM /* no rows, only the sum */
};

enum trod_cover_sort {
    TROD_COVER_WORTH, /* most worth testing first: see trod_cover_row.worth */
    TROD_COVER_SHARE, /* lowest share of paths first */
    TROD_COVER_LEFT,  /* most paths that did not run first */
    TROD_COVER_BY_FUNCTION,
    TROD_COVER_BY_FILE
};

struct trod_cover_options {
    size_t most; /* rows; 0: all */
    enum trod_cover_group group;
    enum trod_cover_sort sort;
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    const struct trod_flows *
        flows; /* of the same map, unfinished paths added; NULL: what paths that ended ran is all there is */
};

struct trod_cover_row {
    const char *function, *file;        /* "?HASH" and "?" where no map has it */
    const struct trod_map_entry *entry; /* NULL: of several, or no map has it */
    enum trod_row_place place; /* what is printed of the function, among those listed */
    struct trod_covered covered;
    struct trod_part functions; /* that ran at all, finished or not */
    uint64_t unfinished;        /* activations that never ended */
    uint64_t ncut;              /* functions with edges cut for the limit */
    uint64_t nunknown; /* functions without a map: only their paths are counted */
    uint64_t count;    /* how often its paths ran */
    double
        worth; /* edges that did not run, and one more if paths did not, times the logarithm of the count: how much
                       a test of it is worth; 0: it did not run, or all of it did */
    size_t order;
};

struct trod_cover {
    enum trod_cover_group group;
    struct trod_cover_row *row;
    size_t nrow, nlisted;
    struct trod_cover_row total;
    uint64_t nhidden; /* functions of system code, which are in no row and no sum */
};

/* Of all functions that were wanted. */
void trod_cover_build(struct trod_cover *out, const struct trod_ran *ran,
    const struct trod_map *map, const struct trod_cover_options *options,
    struct trod_arena *mem);

/* --- missing.c: the nearest paths that did not run -------------------------------------------------- */

struct trod_neighbour {
    const struct trod_map_entry *entry;
    trod_path id;
    trod_path near; /* the path that ran, most often among those that are near */
    uint64_t count; /* how often */
    trod_edge edge,
        taken;     /* of the DAG: where this path leaves it, and how that continued */
    uint32_t nnew; /* edges on it that no path took */
    bool throws;   /* it differs by an exception */
    bool
        open; /* how it continues after a decision of the compiler's own, and so how it ends, is unknown */
};

/* For each path that ran and each decision on it behind its start: the other way, and from
 * there on the way with the fewest edges that never ran; where it meets the path again, it
 * stays on it. Of equal ways that with the lowest id. Listed is what did not run, each path
 * once, ids ascending.
 *
 * needs:  as trod_cover_function
 * fills:  all but entry
 * cost:   O(paths x (nodes + edges)), and a sort
 */
size_t trod_neighbours_of_function(struct trod_neighbour **out,
    const struct trod_numbering *ballarus, const struct trod_ran_path *path,
    size_t npath, trod_edge *step, struct trod_arena *mem);

/* Of all functions that ran, were wanted and are in the map: at most `most`, those near
 * paths that ran most frequent first, then those with fewer new edges.
 */
size_t trod_neighbours_build(struct trod_neighbour **out, const struct trod_ran *ran,
    const struct trod_map *map, const struct trod_cover_options *options, size_t most,
    struct trod_arena *mem);

/* --- chains.c: paths in a row ---------------------------------------------------------------------------
 *
 * Where chains are counted (number.h), a path that ran is the last of some chain. Which blocks and
 * edges ran is asked of these; what came in a row of the chains.
 */

/* The last paths of chains, each once, ids ascending, with the counts of all its chains. */
size_t trod_chain_lasts(struct trod_ran_path **out, const struct trod_chain *chain,
    const struct trod_ran_path *path, size_t npath, struct trod_arena *mem);

/* What of a function was tested: for each number of paths up to its iterations, the chains that tested ones
 * end with.
 */
struct trod_chain_tested {
    const struct trod_chain *chain;
    trod_path *id[TROD_ITERATIONS_MAX + 1]; /* [k][count[k]], ascending */
    size_t count[TROD_ITERATIONS_MAX + 1];
    trod_path *last; /* [nlast] the last paths, by their own ids, ascending */
    size_t nlast;
};

/* cost:   iterations sorts */
void trod_chain_tested_init(struct trod_chain_tested *out,
    const struct trod_chain *chain, const trod_path *id, size_t n,
    struct trod_arena *mem);

/* The fewest paths at the end of an untested chain that were not tested in a row; 1: its last path
 * was not tested at all; 0: it is not a chain.
 */
unsigned trod_chain_fresh(const struct trod_chain_tested *tested, trod_path id);

/* For each chain that ran: every path that ran elsewhere, from the same start as its last one, and
 * never after what came before that. Listed as in missing.c.
 *
 * needs:  as trod_neighbours_of_function, of a chain of several iterations
 * fills:  all but entry
 * cost:   O(chains x last paths), and a sort
 */
size_t trod_neighbours_of_chains(struct trod_neighbour **out,
    const struct trod_chain *chain, const struct trod_ran_path *path, size_t npath,
    struct trod_arena *mem);

/* --- cover_print.c: coverage in words ----------------------------------------------------------------- */

void trod_cover_print(struct trod_sink *sink, const struct trod_cover *cover,
    const struct trod_style *style, struct trod_arena *mem);

/* The sums, the functions that are most worth testing, and how many never ran.
 *
 * needs:  sorted by worth
 */
void trod_cover_print_overview(struct trod_sink *sink, const struct trod_cover *cover,
    const struct trod_style *style, struct trod_arena *mem);

void trod_cover_json(
    struct trod_json *json, const char *key, const struct trod_cover *cover);
/* look: how paths are printed; NULL: one line a path */
void trod_neighbours_print(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_neighbour *missing, size_t n, const struct trod_path_look *look,
    struct trod_arena *mem);
void trod_neighbours_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_neighbour *missing, size_t n,
    struct trod_arena *mem);

/* --- explain.c: why a path is new ------------------------------------------------------------------------ */

enum trod_why {
    TROD_WHY_UNKNOWN, /* no map has the function */
    TROD_WHY_ENTERED, /* no path of the function was tested */
    TROD_WHY_EDGES,   /* there are new edges on it */
    TROD_WHY_APART,   /* there are none; some were never together */
    TROD_WHY_ROW      /* of a chain: its paths were tested, but not in a row */
};

struct trod_explained {
    enum trod_why why;
    uint32_t nedge;
    const trod_edge
        *edge;     /* of the DAG, in the order of the path. EDGES: the new ones that
                              are decisions. APART: edges that no tested path has all of,
                              and none of them can be omitted */
    bool smallest; /* APART: no fewer edges would do */
    unsigned nrow; /* ROW: the last so many paths were not, and all fewer were */
};

/* What is known of the tested paths of one function. */
struct trod_explainer {
    const struct trod_numbering *ballarus;
    struct trod_arena *mem;
    const trod_path *tested_path; /* [ntested] */
    size_t ntested;
    trod_edge *step;          /* room for one path */
    uint64_t *tested;         /* set of DAG edges on tested paths */
    uint32_t *number_of_edge; /* [DAG edges] of decisions, from 0; others TROD_NONE */
    uint32_t ndecision;
    size_t nword;  /* of a set of decisions */
    uint64_t *set; /* [ntested][nword] the decisions on each; NULL: not asked for yet */
    uint64_t *together; /* [ndecision][nword] those on a tested path with this one */
};

/* cost:   O(tested paths x length) */
void trod_explainer_init(struct trod_explainer *out,
    const struct trod_numbering *ballarus, const trod_path *tested, size_t ntested,
    struct trod_arena *mem);

enum trod_why trod_explain_why(struct trod_explainer *explainer, trod_path id);

/* Pairs that were apart are found as such; three edges are looked for up to a budget; what
 * needs more is found greedily, and thinned out. Among pairs, that which is complete first
 * on the path, and of these the closest.
 *
 * needs:  an id that is not tested; room for the edges of its path, which `out` will refer to
 * cost:   of the first question about edges apart: O(tested paths x decisions on a path x
 *         decisions of the function / 64), and memory for a bit for each pair of decisions
 *         and for each decision and tested path
 */
void trod_explain(struct trod_explained *out, struct trod_explainer *explainer,
    trod_path id, trod_edge *room);

/* --- untested.c: what production ran and no test did -------------------------------------------------------- */

struct trod_untested_path {
    size_t function;                    /* in ran */
    const struct trod_map_entry *entry; /* NULL: no map has it */
    const char *name;                   /* "?HASH" where no map has it */
    trod_path id;
    uint64_t nrun, count;
    struct trod_explained explained;
};

struct trod_untested {
    size_t npath, nlisted;
    struct trod_untested_path *path; /* most runs first, then highest count */
    uint64_t nfield, count_field;    /* paths that ran in production, and how often */
    uint64_t ntested;                /* tested paths of the functions compared */
    uint64_t count;                  /* how often untested paths ran */
    bool part; /* production does not count tested paths: they are not among nfield */
    uint64_t nweeded; /* times that a tested path was reported as an untested one */
    uint64_t npath_of_why[TROD_WHY_ROW + 1];
    uint64_t nfunction;      /* with untested paths */
    uint64_t nentered;       /* of these, without a tested path */
    uint64_t nedge;          /* of the graphs, that production took and no test did */
    uint64_t nfunction_edge; /* functions with new edges */
    uint64_t npath_mapped;   /* untested paths of functions that a map knows */
    uint64_t npath_hidden; /* of these, in functions without new edges: an edge profile
                              would not have shown them */
    size_t nskipped;       /* functions that cannot be compared: the tests had others */
    const char **skipped;  /* their names */
};

struct trod_untested_options {
    /* What the programs have that the tests ran, run or not, sorted: a function of production among these is the same
     * build's, whatever functions of its name other programs have. May be NULL.
     */
    const struct trod_profile_function *known;
    size_t nknown;
    size_t most; /* paths listed and explained; 0: all */
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
};

/* Functions of production that the list has by this name but not as they are, are not
 * compared, and named.
 *
 * cost:   that of an explainer for each function with untested paths, and of explaining
 *         what is listed
 */
void trod_untested_build(struct trod_untested *out, const struct trod_list *tested,
    const struct trod_ran *field, const struct trod_map *map,
    const struct trod_untested_options *options, struct trod_arena *mem);

/* The untested paths as a list. */
void trod_untested_list(struct trod_list *out, const struct trod_untested *untested,
    const struct trod_ran *field, struct trod_arena *mem);

/* --- untested_print.c: the same in words ---------------------------------------------------------------------- */

/* look: how paths are printed; NULL: one line a path */
void trod_untested_print(struct trod_sink *sink, const struct trod_untested *untested,
    const struct trod_map *map, const struct trod_path_look *look,
    struct trod_arena *mem);
void trod_untested_json(struct trod_json *json, const char *key,
    const struct trod_untested *untested, const struct trod_map *map,
    struct trod_arena *mem);

/* --- price.c: what some paths of a function cost --------------------------------------------------------------- */

struct trod_price {
    uint64_t nop;   /* probes: operations in the code */
    uint64_t bytes; /* of data */
    double dynamic; /* machine operations, when all runs that is known to run */
};

/* A function, and how often each of its edges is passed: by what ran, whether it is to be
 * counted or not, because everything passes the probes.
 */
struct trod_pricer {
    struct trod_numbering ballarus;
    struct trod_loops loops;
    struct trod_dag field; /* its DAG, so weighed */
    bool measured;
};

/* ran: NULL: as often as is estimated for a thousand calls; without paths: never. */
void trod_pricer_init(struct trod_pricer *out, const struct trod_numbering *ballarus,
    const struct trod_ran_function *ran, struct trod_arena *mem);

/* Of the plan that 'trod cc' makes for these paths, which it knows no counts of.
 *
 * cost:   that of trod_probe_choose
 */
bool trod_price_paths(struct trod_price *out, const struct trod_pricer *pricer,
    const struct trod_pathset *paths, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Of the plan for all paths; begun: it counts how often it is begun, too. */
void trod_price_all(struct trod_price *out, const struct trod_pricer *pricer,
    bool begun, struct trod_arena *mem);

/* --- share.c: one set of paths for many sites -------------------------------------------------------------------
 *
 * A site without a path of a function has no probe in it, so functions stay whole as long as
 * that costs nothing: they go to the site with the lowest load, the most expensive first. Then
 * what is on the site with the highest load is moved, exchanged or cut (below), as long
 * as the higher load of the two sites concerned falls.
 */

struct trod_share_sum {
    uint64_t nfunction, npath;
    struct trod_price price;
};

struct trod_share_site {
    struct trod_list list;
    struct trod_share_sum sum;
};

struct trod_share {
    bool measured; /* prices are of what ran, not of estimates */
    uint32_t nsite;
    struct trod_share_site *site;
    uint32_t nempty;            /* sites without a path */
    size_t ncut;                /* functions that several sites have paths of */
    struct trod_share_sum once; /* one build for the whole set */
    struct trod_share_sum all; /* one build for all paths of all functions of the map */
};

struct trod_share_options {
    uint32_t nsite;             /* not 0 */
    const struct trod_ran *ran; /* NULL: unknown, prices are of estimates */
    uint64_t work; /* steps that looking for cuts may take; 0: some seconds */
};

/* Every path of the list in the list of one site. The same on every machine.
 *
 * No site has a load above a fair share of all loads, plus that of the most expensive function,
 * less a fair share of that: as with any list scheduling; whatever is done afterwards makes no
 * load higher than the highest.
 *
 * fails:  TROD_E_MISMATCH for a function that the map does not have, by its name
 * cost:   a plan for each function of the map and the list, and for each cut that is tried
 * paper:  Apiwattanapong & Harrold, "Selective Path Profiling", PASTE 2002, section 6, which
 *         asks for this; Graham, "Bounds on Multiprocessing Timing Anomalies", SIAM Journal on
 *         Applied Mathematics 1969 (the bound)
 */
bool trod_share_build(struct trod_share *out, const struct trod_list *list,
    const struct trod_map *map, const struct trod_share_options *options,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The load of a price, where this is that of one build for the whole set: its share of the
 * machine operations, and a sixteenth of its share of the probes.
 */
double trod_share_load(const struct trod_price *price, const struct trod_price *once);

/* Invariants: lists are sound; each path of the set is in one of them, and nothing else is;
 * sums are those of the lists.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_share_check(const struct trod_share *share, const struct trod_list *list,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- share_balance.c: until no site has too much -------------------------------------------------------------------- */

struct trod_share_group {
    size_t function;
    uint32_t site;
    size_t count; /* paths; 0: it is no more */
    struct trod_price price;
    double load;
};

struct trod_partitioner {
    const struct trod_list *list;
    const struct trod_ran *ran; /* or NULL */
    uint32_t nsite;
    struct trod_pricer *pricer; /* [list->nfunction] */
    uint32_t **site_of_path;    /* [list->nfunction][count] */
    struct trod_price once;
    size_t ngroup;
    struct trod_share_group *group; /* room for one a path */
    double *load_of_site;           /* [nsite] */
    double fair;                    /* all loads over nsite, when functions are whole */
    uint64_t work;                  /* steps that are left */
    struct trod_share_known *known; /* prices of sets that were asked for lately */
    struct trod_arena *mem;
    struct trod_err *err;
    bool failed;
};

/* The price of these paths of a function, asked of the planner once. */
struct trod_price trod_partition_price(
    struct trod_partitioner *s, size_t function, const struct trod_pathset *paths);

/* Move, exchange and cut groups. */
void trod_partition_balance(struct trod_partitioner *s);

/* --- share_cut.c: a group in two ------------------------------------------------------------------------------------------ */

enum { TROD_SHARE_GAIN = 64 }; /* a cut must gain such a part of a fair share */

struct trod_share_cut {
    double worse;                   /* the higher load of the two sites afterwards */
    struct trod_share_group *group; /* NULL: none was found */
    uint32_t target;                /* the other site */
    struct trod_share_group *other; /* what that has of the function, or NULL */
    uint8_t *moved;                 /* [paths of the function] which go there */
    struct trod_price stay, go;     /* of what stays, and of what the target has then */
};

/* Look for a cut that is better than the best so far.
 *
 * A group is cut in the order of its ids, in which neighbours share how they begin; in the order
 * of the ids of the reversed DAG, in which they share how they end; and into paths that cross an
 * edge, and paths that do not. Each is tried where it would balance the two sites best, with the
 * prices that the planner names; if no cut was found at all, elsewhere, too.
 *
 * needs:  room in best->moved for the paths of any function
 */
void trod_partition_cut(struct trod_share_cut *best, struct trod_partitioner *s,
    struct trod_share_group *group, uint32_t to);

/* --- share_print.c: the same in words ---------------------------------------------------------------------------------- */

/* prefix: of the files that the lists go to; NULL: none. */
void trod_share_print(
    struct trod_sink *sink, const struct trod_share *share, const char *prefix);
void trod_share_json(struct trod_json *json, const char *key,
    const struct trod_share *share, const char *prefix, struct trod_arena *mem);

/* PREFIX.NUMBER.list; sites are counted from 1. */
const char *trod_share_file(const char *prefix, uint32_t site, struct trod_arena *mem);

#endif
