/* report: print what a profile contains, for people and scripts.
 *
 *     profile + map -> report -> text, JSON
 *
 * A profile knows functions by hashes and paths by ids. The map, which the compiler left in the
 * binary, knows their names, graphs, numberings and lines. Together they show which way the
 * program went.
 *
 * Glossary
 *   step     one decision on a path: a block with several ways out, and which was taken
 *   row      one path of a report, or one function or file with all its paths
 *   weight   how often a path ran times the blocks on it; added up over all paths, how many
 *            blocks ran. A path of a function that no map knows is taken to have one.
 *
 * Memory: in the arena handed in; the map refers to nothing else.
 */
#ifndef TROD_REPORT_H
#define TROD_REPORT_H

#include "profile/overlap.h"
#include "map/map.h"
#include "report/source_text.h"

/* --- path_text.c: one path in words ------------------------------------------------------------- */

/* Print a path for a reader: where it starts, the decisions on it with their
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
void trod_path_print(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id);

/* Where a path starts or ends. At a cut, the code goes on from one path to the next without a loop: the edge was cut
 * because the function has more paths than the limit, or because it leads to a call that may return more than once.
 */
enum trod_path_place {
    TROD_AT_ENTRY,
    TROD_AT_RETURN,
    TROD_AT_THROW,  /* an exception of its own */
    TROD_AT_UNWIND, /* an exception of a function that it called */
    TROD_AT_STOP,   /* a call that does not return */
    TROD_AT_LOOP,   /* the head of one */
    TROD_AT_CALL,   /* where paths end at calls, too; or one that never returns */
    TROD_AT_CUT
};

/* entry, return, throw, unwind, stop, loop, call or cut */
const char *trod_path_place_name(enum trod_path_place place);

/* Of the edge of the DAG that a path starts or ends with. More than one cut edge may lead to where it starts; the head of a loop is
 * called that, whatever else leads there.
 */
enum trod_path_place trod_path_start(const struct trod_map_entry *entry, trod_edge e);
enum trod_path_place trod_path_end(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_edge e);

/* How control leaves the function from a block that nothing follows. */
enum trod_path_place trod_path_leaves_by(
    const struct trod_map_entry *entry, trod_node v);

/* How a path ends, by the function that knows: where it leads, or the block that it leaves the function from. */
struct trod_path_outcome {
    const struct trod_map_entry *entry;
    trod_node node;
    const struct trod_call *call;
    enum trod_path_place place;
};
struct trod_path_outcome trod_path_outcome_of(
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
void trod_path_ends_json(struct trod_json *json, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id);

/* The words of some blocks in a row of one path: the first `from` of its blocks, and those from `to` on, are left out; so are
 * calls that are followed, and returns. step: edges of the path, of the DAG.
 */
void trod_path_print_blocks(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, const trod_edge *step, uint32_t nstep,
    uint32_t from, uint32_t to);

/* The same with the condition of each decision behind it, where the source can be read: 79:F (c == 'x'). */
struct trod_condition_source {
    const struct trod_source_text *(*source)(const struct trod_map_entry *entry,
        const char *file, /* as the map has it; NULL: the function's own */
        void *ctx);       /* NULL: it cannot be read */
    void *ctx;
    struct trod_arena *mem;
};
void trod_path_print_with(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id,
    const struct trod_condition_source *text);

/* What is written on a line of a block: of the function it is in. NULL: not known */
const char *trod_source_line_of(const struct trod_condition_source *text,
    const struct trod_map *map, const struct trod_map_entry *entry, trod_node node,
    uint32_t line);

/* The condition that a block decides, as it is written; where that cannot be found, what is on its line.
 *
 * fails:  false, if the source cannot be read
 */
bool trod_condition_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_node node,
    const struct trod_condition_source *text);

/* One edge of the DAG: a start, or a decision with its line, and with its blocks too where
 * the line alone would not distinguish it from others.
 *
 *     loop 12
 *     13:T
 *     13:F (b c)
 */
void trod_edge_print(
    struct trod_sink *sink, const struct trod_map_entry *entry, trod_edge edge);

/* One of the ways out of a block, from 0, as the source has it: T, F; default, case 3. Where that is not known, way1, way2: the
 * optimizer has made one branch of several conditions, or there is none in the source.
 */
void trod_outcome_print(struct trod_sink *sink, const struct trod_map_entry *entry,
    trod_node node, uint32_t way);

/* --- abandoned.c: functions that were abandoned ------------------------------------------ */

struct trod_abandoned {
    const struct trod_map_entry *entry;
    uint64_t begun; /* how often it reached a place where it may be abandoned */
    uint64_t ended; /* and came to an end there; if less often, it was left */
};

/* The functions that did not end as often as they were begun: were left by longjmp, by an
 * exception, by exit, or when the program was killed; or, the other way round, were begun
 * by another process, which then forked. In the order of the profile. None where counts are estimates.
 *
 * cost:   O(paths x length of a path)
 */
size_t trod_report_abandoned(struct trod_abandoned **out,
    const struct trod_profile *profile, const struct trod_map *map,
    struct trod_arena *mem);

/* The most frequent ones, and how many others there are; JSON has all. Of the functions that options want (NULL: all). */
struct trod_report_options;
void trod_report_abandoned_print(struct trod_sink *sink,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);
void trod_report_abandoned_json(struct trod_json *json,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);

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
    TROD_GROUP_LOOP /* paths that begin at one place: the entry, an iteration of a loop, or a cut */
};

struct trod_report_options {
    size_t most; /* rows; 0 = TROD_REPORT_MOST */
    bool blocks; /* blocks, not decisions */
    enum trod_report_sort sort;
    enum trod_report_group group;
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    const struct trod_condition_source *text; /* NULL: unknown */
    bool conditions;                          /* decisions with what is written there */
    bool detailed; /* a path as the reader's code, not on one line */
    struct trod_style style;
    bool lines; /* under each path, the lines that it is on */
    bool
        no_single; /* for people: if there are more paths than rows, none of functions that have one path */
    bool quiet;    /* do not list functions that were left, or that are not counted */
};

/* What is printed of a row's function: its name; where others that are listed have that name too, its file and line; where
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

/* Of functions that are listed side by side (NULL: not known), what is printed of the place of each. */
const enum trod_row_place *trod_row_places(
    const struct trod_map_entry *const *entry, size_t nentry, struct trod_arena *mem);

/* After the name, where it is ambiguous: ` (object.h:12)`, ` (object.h:12, in list.c)`. */
void trod_row_put_place(struct trod_sink *sink, const struct trod_map_entry *entry,
    enum trod_row_place place);

/* --- path_print.c: one path as the reader's code ---------------------------------------------------- */

struct trod_path_look {
    const struct trod_style *style;
    const struct trod_condition_source
        *text;               /* NULL: decisions have lines and no text */
    bool blocks;             /* blocks, not decisions */
    unsigned indent;         /* line numbers end in this column */
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
 * Without a source, as trod_path_print does, in lines that fit. Many decisions are folded unless style->whole. Returns
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

/* In the order they ran, none twice in a row; NULL: not known. Of a chain, its last path. */
const uint32_t *trod_path_lines(size_t *nline, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id, struct trod_arena *mem);

/* In the order they ran, each with what is written on it, indented; or as an array of objects. Of a chain, its last path. */
void trod_path_lines_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text, unsigned indent);
void trod_path_lines_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text);

/* The decisions of a path in order, as an array of objects: line, column, condition as written, outcome. Of a chain, those of all
 * its paths.
 */
void trod_path_decisions_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text);

/* --- sampling_print.c: how it was sampled in bursts --------------------------------------------------- */

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

/* What is not in a profile, and why: functions counted in part, abandoned, not counted at
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
