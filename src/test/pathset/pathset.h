/* pathset: sets of paths: coverage, untested paths, partition among builds.
 *
 *     profiles -> ran -> list -> union, minus, and -> text
 *     ran + map -> cover -> text, JSON
 *     ran + map -> missing -> text, JSON
 *     list (tested) + ran (production) + map -> untested -> text, JSON
 *     list + map + ran -> price -> share -> a list for each site, text, JSON
 *
 * A profile counts paths. Here they are sets: those that the next build is to count, those that
 * the tests ran, those that ran in production and in no test.
 *
 * Glossary
 *   ran        the paths of any number of profiles, function by function
 *   run        a group of a profile: one execution, or several that were added
 *   list       a set of paths of any functions, with hashes of name, graph and cuts, which show
 *              whether ids still mean the same paths
 *   known      the functions with which a list is compared: of a program, or of profiles
 *   covered    of a function: paths that ran, and the blocks and edges on them
 *   decision   an edge of the DAG whose source has several: a branch and its outcome. At
 *              ENTRY: where the path starts
 *   neighbour  of a path that ran: one that did not, and differs from it by one decision
 *   tested     in the list of what the tests ran
 *   new        of an edge: on no tested path of its function
 *   apart      edges of a path that are not new, but were never on one tested path together
 *   chain      a path with its predecessors (number.h); if these are counted, paths are chains
 *   site       a build that is deployed, and everything that runs it; not a site of a plan
 *   share      the part of a set of paths that one site counts
 *   group      the paths of one function in one share
 *   price      the cost of counting some paths of a function, at a site that runs all paths
 *   load       of a site: the prices of its groups in one number, by which sites are balanced
 *
 * An unfinished path, whose activation was abandoned, did not run. Its blocks and edges did.
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
    uint64_t count; /* of all runs, saturating */
    uint64_t nrun;  /* number of runs in which it ran */
};

struct trod_ran_function {
    struct trod_profile_function function;
    size_t npath;                     /* 0: it did not run */
    const struct trod_ran_path *path; /* [npath], ids ascending */
};

struct trod_ran {
    enum trod_format_mode mode; /* source, if there are no modules */
    uint64_t nrun;
    bool part;        /* in some function, not every path that ran was counted */
    uint64_t nweeded; /* times a tested path was recorded as untested, and corrected */
    size_t nfunction;
    const struct trod_ran_function *function; /* by trod_function_compare, unique */
};

/* Negative, 0 or positive: by hashes of name, graph and cuts, then by number of paths. Equal
 * functions are the same function, in any module.
 */
int trod_function_compare(
    const struct trod_profile_function *a, const struct trod_profile_function *b);

/* All functions of the profiles, whether they ran or not, and their paths that ran.
 *
 * fails:  TROD_E_MISMATCH when they have different modes
 * cost:   a sort of the paths
 */
bool trod_ran_build(struct trod_ran *out, const struct trod_profile *const *profile,
    uint32_t nprofile, struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* NULL: none of the profiles has it. */
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

/* The part of selected functions. */
void trod_list_choose(struct trod_list *out, const struct trod_list *list,
    bool (*wants)(const char *function, void *ctx), void *ctx, struct trod_arena *mem);

/* The part of functions with several paths: for a function with only one, a profile says
 * that it ran, but there was nothing to choose.
 */
void trod_list_several(
    struct trod_list *out, const struct trod_list *list, struct trod_arena *mem);

/* The number of paths in it. */
uint64_t trod_list_count(const struct trod_list *list);

/* The function, or NULL; is a path in the list? */
const struct trod_list_function *trod_list_find(
    const struct trod_list *list, const struct trod_profile_function *function);
bool trod_list_has(const struct trod_list_function *function, trod_path id);

/* Invariants: the mode is known, and source if there are no functions; functions are in both
 * orders and unique; each has a name and some ids, ascending and below its number of
 * paths.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_list_check(
    const struct trod_list *list, struct trod_err *err) TROD_MUST_CHECK;

/* --- list_match.c: do ids still mean the same? --------------------------------------------- */

enum trod_list_fate {
    TROD_FATE_SAME,
    TROD_FATE_CUT,      /* same name and graph, but other cuts: another limit */
    TROD_FATE_CHANGED,  /* same name, but another graph */
    TROD_FATE_VANISHED, /* no function of this name */
    TROD_FATE_OTHER     /* same name, but in another program: trod_list_others */
};

struct trod_list_match {
    const uint8_t *fate_of_function; /* [list->nfunction], enum trod_list_fate */
    size_t nfunction_of_fate[TROD_FATE_OTHER + 1];
};

/* Sort functions by trod_function_compare; is one among them? */
void trod_known_sort(struct trod_profile_function *known, size_t nknown);
bool trod_known_has(const struct trod_profile_function *known, size_t nknown,
    const struct trod_profile_function *function);

/* The functions of a map; of profiles. */
size_t trod_known_map(struct trod_profile_function **out, const struct trod_map *map,
    struct trod_arena *mem);
size_t trod_known_ran(struct trod_profile_function **out, const struct trod_ran *ran,
    struct trod_arena *mem);

/* Compare a list with known functions, which are sorted first. */
void trod_list_match(struct trod_list_match *out, const struct trod_list *list,
    struct trod_profile_function *known, size_t nknown, struct trod_arena *mem);

/* A list may cover several programs, each with its own `main`. If a function differs from the known one of the same name, but
 * both sides also have an equal function of that name, it belongs to another program: TROD_FATE_OTHER.
 *
 * needs:  own, the functions of the listed programs, and known, both sorted
 */
void trod_list_others(struct trod_list_match *match, const struct trod_list *list,
    const struct trod_profile_function *own, size_t nown,
    const struct trod_profile_function *known, size_t nknown, struct trod_arena *mem);

/* The fate of a function as text: "its graph is another". */
const char *trod_fate_words(enum trod_list_fate fate);

/* The part of the list whose ids still have their meaning. */
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
 * each line below it is a path. Several lists in one text are one.
 */

/* Paths of functions in the map are printed in comments; NULL: none. */
void trod_list_print(
    struct trod_sink *sink, const struct trod_list *list, const struct trod_map *map);
void trod_list_json(struct trod_json *json, const char *key,
    const struct trod_list *list, const struct trod_map *map, struct trod_arena *mem);

/* Does a text begin like a list? */
bool trod_list_begins(const struct trod_text *text, struct trod_arena *mem);

/* fails:  TROD_E_INPUT, with file, line and remedy; TROD_E_MISMATCH for two modes */
bool trod_list_parse(struct trod_list *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- cover.c: coverage of a function --------------------------------------------------------- */

struct trod_part {
    uint64_t ran, all; /* saturating */
};

struct trod_covered {
    struct trod_part path, edge, block; /* of the part reachable from the entry */
    uint32_t ncut; /* edges cut for the limit on paths: paths are counted in pieces */
};

/* needs:  ids below npath; step: room for dag->nreach edges
 * cost:   O(nodes + edges + paths x length)
 */
void trod_cover_function(struct trod_covered *out,
    const struct trod_numbering *ballarus, const struct trod_ran_path *path,
    size_t npath, trod_edge *step, struct trod_arena *mem);

/* Number of edges of a function that are cut for the limit on paths, and not for a loop or a call: paths
 * are counted in pieces.
 *
 * needs:  entry->numbering.dag
 */
uint32_t trod_cover_limited(const struct trod_map_entry *entry);

/* 1 if there is nothing to cover. */
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
        flows; /* of the same map, with unfinished paths; NULL: only finished paths are considered */
};

struct trod_cover_row {
    const char *function, *file;        /* "?HASH" and "?" if no map has it */
    const struct trod_map_entry *entry; /* NULL: of several, or no map has it */
    enum trod_row_place place;          /* how the function is printed */
    struct trod_covered covered;
    struct trod_part functions; /* functions that ran, finished or not */
    uint64_t unfinished;        /* abandoned activations */
    uint64_t ncut;              /* functions with edges cut for the limit */
    uint64_t nunknown; /* functions without a map: only their paths are counted */
    uint64_t count;    /* sum of the counts of its paths */
    double
        worth; /* worth of a test: edges that did not run, plus one if paths did not, times the logarithm of the
                       count; 0: it did not run, or ran completely */
    size_t order;
};

struct trod_cover {
    enum trod_cover_group group;
    struct trod_cover_row *row;
    size_t nrow, nlisted;
    struct trod_cover_row total;
    uint64_t nhidden; /* functions of system code, which are not included */
};

/* Coverage of all selected functions. */
void trod_cover_build(struct trod_cover *out, const struct trod_ran *ran,
    const struct trod_map *map, const struct trod_cover_options *options,
    struct trod_arena *mem);

/* --- missing.c: the nearest paths that did not run -------------------------------------------------- */

struct trod_neighbour {
    const struct trod_map_entry *entry;
    trod_path id;
    trod_path near; /* the hottest neighbour that ran */
    uint64_t count; /* its count */
    trod_edge edge,
        taken; /* edges of the DAG: where this path leaves it, and the edge that was taken instead */
    uint32_t nnew; /* edges on it that never ran */
    bool throws;   /* it differs by an exception */
    bool
        open; /* how it continues after a decision of the compiler's own, and so how it ends, is unknown */
};

/* For each path that ran and each decision on it after its start: the other outcome, continued
 * with the fewest edges that never ran; where this meets the path again, it
 * follows it. Among equals, the one with the lowest id. Paths that did not run are listed, each
 * once, ids ascending.
 *
 * needs:  as trod_cover_function
 * fills:  all except entry
 * cost:   O(paths x (nodes + edges)), and a sort
 */
size_t trod_neighbours_of_function(struct trod_neighbour **out,
    const struct trod_numbering *ballarus, const struct trod_ran_path *path,
    size_t npath, trod_edge *step, struct trod_arena *mem);

/* For all selected functions that ran and are in the map: at most `most`, neighbours of the
 * hottest paths first, then those with fewer new edges.
 */
size_t trod_neighbours_build(struct trod_neighbour **out, const struct trod_ran *ran,
    const struct trod_map *map, const struct trod_cover_options *options, size_t most,
    struct trod_arena *mem);

/* --- chains.c: chains of paths ---------------------------------------------------------------------------
 *
 * If chains are counted (number.h), a path that ran is the last of some chain. Blocks and
 * edges follow from these last paths; sequences follow from the chains.
 */

/* The last paths of chains, each once, ids ascending, with the counts of all its chains. */
size_t trod_chain_lasts(struct trod_ran_path **out, const struct trod_chain *chain,
    const struct trod_ran_path *path, size_t npath, struct trod_arena *mem);

/* The tested chains of a function: for each number of paths up to its iterations, the endings of tested
 * chains.
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

/* The smallest number of paths at the end of an untested chain that were not tested in sequence; 1: its last path
 * was not tested at all; 0: it is not a chain.
 */
unsigned trod_chain_fresh(const struct trod_chain_tested *tested, trod_path id);

/* For each chain that ran: every path that ran elsewhere, from the same start as its last one, but
 * never after these predecessors. Listed as in missing.c.
 *
 * needs:  as trod_neighbours_of_function, of a chain of several iterations
 * fills:  all except entry
 * cost:   O(chains x last paths), and a sort
 */
size_t trod_neighbours_of_chains(struct trod_neighbour **out,
    const struct trod_chain *chain, const struct trod_ran_path *path, size_t npath,
    struct trod_arena *mem);

/* --- cover_print.c: coverage as text ----------------------------------------------------------------- */

void trod_cover_print(struct trod_sink *sink, const struct trod_cover *cover,
    const struct trod_style *style, struct trod_arena *mem);

/* The sums, the functions that are most worth testing, and the number of functions that never ran.
 *
 * needs:  sorted by worth
 */
void trod_cover_print_overview(struct trod_sink *sink, const struct trod_cover *cover,
    const struct trod_style *style, struct trod_arena *mem);

void trod_cover_json(
    struct trod_json *json, const char *key, const struct trod_cover *cover);
/* look: how paths are printed; NULL: one line per path */
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
    TROD_WHY_APART,   /* there are none, but some were never taken together */
    TROD_WHY_ROW      /* of a chain: its paths were tested, but not in this sequence */
};

struct trod_explained {
    enum trod_why why;
    uint32_t nedge;
    const trod_edge
        *edge;     /* of the DAG, in the order of the path. EDGES: the new ones that
                              are decisions. APART: edges that no tested path has all of,
                              and none of them can be omitted */
    bool smallest; /* APART: no smaller set exists */
    unsigned
        nrow; /* ROW: the last so many paths were not tested in sequence, but all shorter endings were */
};

/* The tested paths of one function. */
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
    uint64_t *set; /* [ntested][nword] the decisions on each; NULL: not computed yet */
    uint64_t *together; /* [ndecision][nword] those on a tested path with this one */
};

/* cost:   O(tested paths x length) */
void trod_explainer_init(struct trod_explainer *out,
    const struct trod_numbering *ballarus, const trod_path *tested, size_t ntested,
    struct trod_arena *mem);

enum trod_why trod_explain_why(struct trod_explainer *explainer, trod_path id);

/* Pairs that were never taken together are found exactly; triples up to a budget; larger
 * sets greedily, and then reduced. Among pairs, the one that is complete first
 * on the path, and of these the closest.
 *
 * needs:  an id that is not tested; room for the edges of its path, which `out` will refer to
 * cost:   of the first question about edges apart: O(tested paths x decisions on a path x
 *         decisions of the function / 64), and memory for a bit for each pair of decisions
 *         and for each decision and tested path
 */
void trod_explain(struct trod_explained *out, struct trod_explainer *explainer,
    trod_path id, trod_edge *room);

/* --- untested.c: paths that ran in production and in no test -------------------------------------------------------- */

struct trod_untested_path {
    size_t function;                    /* in ran */
    const struct trod_map_entry *entry; /* NULL: no map has it */
    const char *name;                   /* "?HASH" if no map has it */
    trod_path id;
    uint64_t nrun, count;
    struct trod_explained explained;
};

struct trod_untested {
    size_t npath, nlisted;
    struct trod_untested_path *path; /* most runs first, then highest count */
    uint64_t nfield,
        count_field;  /* paths that ran in production, and their executions */
    uint64_t ntested; /* tested paths of the functions compared */
    uint64_t count;   /* executions of untested paths */
    bool part; /* production does not count tested paths: they are not among nfield */
    uint64_t nweeded; /* times a tested path was recorded as untested */
    uint64_t npath_of_why[TROD_WHY_ROW + 1];
    uint64_t nfunction; /* with untested paths */
    uint64_t nentered;  /* of these, without a tested path */
    uint64_t nedge;     /* edges of the graphs that ran in production and in no test */
    uint64_t nfunction_edge; /* functions with new edges */
    uint64_t npath_mapped;   /* untested paths of functions with a map entry */
    uint64_t npath_hidden; /* of these, in functions without new edges: an edge profile
                              would not have shown them */
    size_t nskipped; /* functions that cannot be compared: they differ in the tests */
    const char **skipped; /* their names */
};

struct trod_untested_options {
    /* The functions of the programs that the tests ran, whether they ran or not, sorted: a function of production among these
     * is the same, even if other programs have other functions of its name. May be NULL.
     */
    const struct trod_profile_function *known;
    size_t nknown;
    size_t most; /* paths listed and explained; 0: all */
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
};

/* Functions of production that differ from those of the same name in the list are not
 * compared, but listed.
 *
 * cost:   that of an explainer for each function with untested paths, and of explaining
 *         the listed paths
 */
void trod_untested_build(struct trod_untested *out, const struct trod_list *tested,
    const struct trod_ran *field, const struct trod_map *map,
    const struct trod_untested_options *options, struct trod_arena *mem);

/* The untested paths as a list. */
void trod_untested_list(struct trod_list *out, const struct trod_untested *untested,
    const struct trod_ran *field, struct trod_arena *mem);

/* --- untested_print.c: output as text and JSON ---------------------------------------------------------------------- */

/* look: how paths are printed; NULL: one line per path */
void trod_untested_print(struct trod_sink *sink, const struct trod_untested *untested,
    const struct trod_map *map, const struct trod_path_look *look,
    struct trod_arena *mem);
void trod_untested_json(struct trod_json *json, const char *key,
    const struct trod_untested *untested, const struct trod_map *map,
    struct trod_arena *mem);

/* --- price.c: the cost of counting some paths of a function --------------------------------------------------------------- */

struct trod_price {
    uint64_t nop;   /* probes: operations in the code */
    uint64_t bytes; /* of data */
    double dynamic; /* machine operations, if everything runs as in the profiles */
};

/* A function, and the execution counts of its edges: by everything that ran, counted or
 * not, because all paths execute the probes.
 */
struct trod_pricer {
    struct trod_numbering ballarus;
    struct trod_loops loops;
    struct trod_dag field; /* its DAG with these weights */
    bool measured;
};

/* ran: NULL: estimates for a thousand calls; without paths: it never runs. */
void trod_pricer_init(struct trod_pricer *out, const struct trod_numbering *ballarus,
    const struct trod_ran_function *ran, struct trod_arena *mem);

/* The price of the plan that 'trod cc' makes for these paths, without their counts.
 *
 * cost:   that of trod_probe_choose
 */
bool trod_price_paths(struct trod_price *out, const struct trod_pricer *pricer,
    const struct trod_pathset *paths, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The price of the plan for all paths; begun: with the counter of begun activations. */
void trod_price_all(struct trod_price *out, const struct trod_pricer *pricer,
    bool begun, struct trod_arena *mem);

/* --- share.c: one set of paths for many sites -------------------------------------------------------------------
 *
 * A site without a path of a function has no probe in it, so functions are placed whole if
 * possible: at the site with the lowest load, the most expensive first. Then
 * groups of the site with the highest load are moved, exchanged or divided (below), as long
 * as this lowers the higher load of the two sites.
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
    bool measured; /* prices come from profiles, not estimates */
    uint32_t nsite;
    struct trod_share_site *site;
    uint32_t nempty;            /* sites without a path */
    size_t ncut;                /* functions divided among several sites */
    struct trod_share_sum once; /* one build for the whole set */
    struct trod_share_sum all; /* one build for all paths of all functions of the map */
};

struct trod_share_options {
    uint32_t nsite;             /* not 0 */
    const struct trod_ran *ran; /* NULL: unknown, prices are estimates */
    uint64_t work; /* budget of steps to search for divisions; 0: some seconds */
};

/* Assign every path of the list to the list of one site. The result is the same on every machine.
 *
 * No load exceeds a fair share of all loads, plus that of the most expensive function,
 * minus a fair share of that, as with any list scheduling; later steps do not raise
 * the highest load.
 *
 * fails:  TROD_E_MISMATCH for a function without a map entry
 * cost:   a plan for each function of the map and the list, and for each cut that is tried
 * paper:  Apiwattanapong & Harrold, "Selective Path Profiling", PASTE 2002, section 6, which
 *         asks for this; Graham, "Bounds on Multiprocessing Timing Anomalies", SIAM Journal on
 *         Applied Mathematics 1969 (the bound)
 */
bool trod_share_build(struct trod_share *out, const struct trod_list *list,
    const struct trod_map *map, const struct trod_share_options *options,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The load of a price, relative to that of one build for the whole set: its share of the
 * machine operations, and a sixteenth of its share of the probes.
 */
double trod_share_load(const struct trod_price *price, const struct trod_price *once);

/* Invariants: lists are valid; each path of the set is in exactly one of them;
 * sums are those of the lists.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_share_check(const struct trod_share *share, const struct trod_list *list,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* --- share_balance.c: balancing -------------------------------------------------------------------- */

struct trod_share_group {
    size_t function;
    uint32_t site;
    size_t count; /* paths; 0: the group no longer exists */
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
    struct trod_share_group *group; /* room for one per path */
    double *load_of_site;           /* [nsite] */
    double fair;   /* sum of all loads / nsite, with undivided functions */
    uint64_t work; /* steps that are left */
    struct trod_share_known *known; /* cache of prices of sets */
    struct trod_arena *mem;
    struct trod_err *err;
    bool failed;
};

/* The price of these paths of a function, cached. */
struct trod_price trod_partition_price(
    struct trod_partitioner *s, size_t function, const struct trod_pathset *paths);

/* Move, exchange and divide groups. */
void trod_partition_balance(struct trod_partitioner *s);

/* --- share_cut.c: dividing a group ------------------------------------------------------------------------------------------ */

enum { TROD_SHARE_GAIN = 64 }; /* a division must gain 1/64 of a fair share */

struct trod_share_cut {
    double worse;                   /* the higher load of the two sites afterwards */
    struct trod_share_group *group; /* NULL: none was found */
    uint32_t target;                /* the other site */
    struct trod_share_group
        *other;     /* the group of the target for the function, or NULL */
    uint8_t *moved; /* [paths of the function] which paths move there */
    struct trod_price stay,
        go; /* of the remaining group, and of the target's group afterwards */
};

/* Search for a division that is better than the best so far.
 *
 * A group is divided in the order of its ids, in which neighbours have common beginnings; in the order
 * of the ids of the reversed DAG, in which they have common ends; and into paths that take an
 * edge, and paths that do not. Each is tried where it would balance the two sites best, with the
 * prices of the planner; if none was found, elsewhere, too.
 *
 * needs:  room in best->moved for the paths of any function
 */
void trod_partition_cut(struct trod_share_cut *best, struct trod_partitioner *s,
    struct trod_share_group *group, uint32_t to);

/* --- share_print.c: output ---------------------------------------------------------------------------------- */

/* prefix: of the names of list files; NULL: none. */
void trod_share_print(
    struct trod_sink *sink, const struct trod_share *share, const char *prefix);
void trod_share_json(struct trod_json *json, const char *key,
    const struct trod_share *share, const char *prefix, struct trod_arena *mem);

/* PREFIX.NUMBER.list; sites are numbered from 1. */
const char *trod_share_file(const char *prefix, uint32_t site, struct trod_arena *mem);

#endif
