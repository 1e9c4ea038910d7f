/* report: print what a profile contains, for people and scripts.
 *
 *     profile + map -> report -> text, JSON
 *
 * A profile identifies functions by hashes and paths by ids. The map, which the compiler embeds in the
 * binary, has their names, graphs, numberings and lines. Together they show which paths the
 * program took.
 *
 * Glossary
 *   step     one decision on a path: a block with several successors, and the edge that was taken
 *   row      one path of a report, or one function or file with all its paths
 *   time     the own time of a path, without the functions that it calls, where bursts timed it
 *   weight   the count of a path times its blocks; summed over all paths, the number of
 *            executed blocks. A path of a function without a map entry counts as one block.
 *
 * Memory: in the arena handed in; the map refers to nothing else.
 */
#ifndef TROD_REPORT_H
#define TROD_REPORT_H

#include "profile/overlap.h"
#include "profile/times.h"
#include "map/map.h"
#include "report/source_text.h"

/* --- path_text.c: a path as text ------------------------------------------------------------- */

/* Print a path for a reader: where it starts, the decisions on it with their
 * lines, where it ends. Without lines, its blocks. A chain path by path.
 *
 *     entry 12:T 15:F 20:case 3 return 31         # T: the condition as written is true
 *     loop 12 13:T again
 *     loop 12 weigh(40:F) again 12         # a decision in inlined code
 *     from 17 (cut) 20:F to 28 (cut)       # at cut edges that are not back edges
 *     entry 12:T calls parse 14            # if paths end at calls
 *     after parse 14 16:F return 31
 *     entry 12:T parse( 40:F ) 16:F return 31     # if they continue into calls
 *     in parse: from 44 (cut) 45:F ) 16:F return 31     # from the middle of a call
 *     loop 12 13:T then loop 12 13:F again 12
 *
 * text: for the condition after each decision, 79:F (c == 'x'); NULL: without
 */
struct trod_condition_source {
    const struct trod_source_text *(*source)(const struct trod_map_entry *entry,
        const char *file, /* as the map has it; NULL: the function's own */
        void *ctx);       /* NULL: it cannot be read */
    void *ctx;
    struct trod_arena *mem;
};
void trod_path_print(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id,
    const struct trod_condition_source *text);

/* The same, with what repeats at once folded: `13:T x3`, `[13:T 14:F] x2`, `[loop 12 13:T] x2 again 12`. See
 * trod_fold_put. Blocks are not folded. */
void trod_path_print_folded(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id,
    const struct trod_condition_source *text, struct trod_arena *mem);

/* Where a path starts or ends. At a cut, the code continues from one path to the next without a loop: the edge was cut
 * because the function has more paths than the limit, or because it leads to a call that may return more than once.
 */
enum trod_path_place {
    TROD_AT_ENTRY,
    TROD_AT_RETURN,
    TROD_AT_THROW,  /* an exception that the function throws */
    TROD_AT_UNWIND, /* an exception of a callee */
    TROD_AT_STOP,   /* a call that does not return */
    TROD_AT_LOOP,   /* a loop header */
    TROD_AT_CALL,   /* a call, if paths end at calls; or a call that never returns */
    TROD_AT_CUT
};

/* entry, return, throw, unwind, stop, loop, call or cut */
const char *trod_path_place_name(enum trod_path_place place);

/* For the edge of the DAG that a path starts or ends with. Several cut edges may lead to its start; if that is a loop
 * header, the place is the loop.
 */
enum trod_path_place trod_path_start(const struct trod_map_entry *entry, trod_edge e);
enum trod_path_place trod_path_end(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_edge e);

/* How control leaves the function from a block without successors. */
enum trod_path_place trod_path_leaves_by(
    const struct trod_map_entry *entry, trod_node v);

/* How a path ends: where it leads, or the block from which it leaves the function. */
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

/* Is a deciding edge that of a call that could have thrown, and returned? Most paths of C++ have many: they are not printed.
 *
 * needs:  trod_path_decides(entry, e)
 */
bool trod_path_is_plain_return(const struct trod_map_entry *entry, trod_edge e);

/* Lines that a path starts and ends at, in the function's own text: the first and the last of a block; 0: not known. And the place
 * of the loop that a block begins.
 *
 * needs:  entry->first_line
 */
uint32_t trod_path_first_line(const struct trod_map_entry *entry, trod_node v);
uint32_t trod_path_last_line(const struct trod_map_entry *entry, trod_node v);
struct trod_map_place trod_path_loop_place(
    const struct trod_map_entry *entry, trod_node v);

/* The same for an id, as members of the open object: "starts" and "ends". For a chain, where its first path starts and its
 * last one ends.
 */
void trod_path_ends_json(struct trod_json *json, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id);

/* A part of a path as text: the first `from` of its blocks, and those from `to` on, are omitted; so are
 * calls that are followed, and returns. Folded. step: edges of the path, of the DAG.
 */
void trod_path_print_blocks(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, const trod_edge *step, uint32_t nstep,
    uint32_t from, uint32_t to, struct trod_arena *mem);

/* The text of a line of a block, in the file of its function. NULL: unknown */
const char *trod_source_line_of(const struct trod_condition_source *text,
    const struct trod_map *map, const struct trod_map_entry *entry, trod_node node,
    uint32_t line);

/* The condition that a block decides, as written; if it cannot be found, the text of its line.
 *
 * fails:  false, if the source cannot be read
 */
bool trod_condition_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_node node,
    const struct trod_condition_source *text);

/* One edge of the DAG: a start, or a decision with its line, and also with its blocks if
 * the line alone would not distinguish it from others.
 *
 *     loop 12
 *     13:T
 *     13:F (b c)
 */
void trod_edge_print(
    struct trod_sink *sink, const struct trod_map_entry *entry, trod_edge edge);

/* An outcome of a block, by the index of its edge, in terms of the source: T, F; default, case 3. If it is unknown, way1, way2: the
 * optimizer has merged several conditions into one branch, or there is no condition in the source.
 */
void trod_outcome_print(struct trod_sink *sink, const struct trod_map_entry *entry,
    trod_node node, uint32_t way);

/* --- fold.c: what repeats at once -------------------------------------------------------------- */

/* Items of which some are the same. */
struct trod_fold_items {
    bool (*same)(const void *ctx, uint32_t a, uint32_t b);
    bool (*is_whole)(const void *ctx, uint32_t first,
        uint32_t count); /* may these be folded together? NULL: always */
    const void *ctx;
};

/* The next `period` items occur so often at once; 1 and 1: nothing repeats here. */
struct trod_fold {
    uint32_t period, times;
};

enum { TROD_FOLD_PERIOD = 8 }; /* the longest that readers would see at a glance */

/* What covers most of the items from `first` on, with the shortest of several periods up to `most`.
 *
 * cost:   O(most x items) for a list that is folded from its start to its end: no comparison that succeeds is of an item
 *         behind the fold, but for those of the other periods
 */
struct trod_fold trod_fold_at(
    const struct trod_fold_items *items, uint32_t first, uint32_t end, uint32_t most);

/* Items of a line, with `between` between them, folded. A period may itself have items that repeat.
 *
 *     a b b b c                 a b x3 c
 *     a b c b c d               a [b c] x2 d
 *     a a b a a b               [a x2 b] x2
 *     f( a ) f( a )             [f( a )] x2      # calls that are followed are not cut
 *
 * Replacing each by its copies gives the items back.
 */
void trod_fold_put(struct trod_sink *sink, const char *const *text, uint32_t count,
    const char *between);

/* The same for items that are lists themselves: one that repeats has brackets, too. `[a b] x2 then c` */
void trod_fold_put_lists(struct trod_sink *sink, const char *const *text,
    uint32_t count, const char *between);

/* Lines, each on its own. A line that repeats at once has `  (3 times)` behind it, several have `(the 2 lines above: 3 times)`
 * below them, indented so far.
 */
void trod_fold_put_lines(
    struct trod_sink *sink, const char *const *line, uint32_t count, int indent);
/* That text, without its line's end. what: "line" */
void trod_fold_put_above(
    struct trod_sink *sink, struct trod_fold fold, const char *what);

/* --- abandoned.c: functions that were abandoned ------------------------------------------ */

struct trod_abandoned {
    const struct trod_map_entry *entry;
    uint64_t begun; /* how often it reached a place where it may be abandoned */
    uint64_t ended; /* how often it ended there; if less often, it was abandoned */
};

/* The functions that did not end as often as they were begun: they were abandoned by longjmp, by an
 * exception, by exit, or when the program was killed. If they ended more often, they were begun
 * in another process, before a fork. In the order of the profile. None if counts are estimates.
 *
 * cost:   O(paths x length of a path)
 */
size_t trod_report_abandoned(struct trod_abandoned **out,
    const struct trod_profile *profile, const struct trod_map *map,
    struct trod_arena *mem);

/* The most frequent ones, and how many others there are; JSON has all. Restricted to the functions selected by options (NULL: all). */
struct trod_report_options;
void trod_report_abandoned_print(struct trod_sink *sink,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);
void trod_report_abandoned_json(struct trod_json *json,
    const struct trod_profile *profile, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);

/* --- rows.c: the rows of reports: selected, grouped and sorted ----------------------------- */

enum { TROD_REPORT_MOST = 20 }; /* rows, by default */

enum trod_report_sort {
    TROD_SORT_COUNT, /* most frequent first; in a comparison, largest difference first */
    TROD_SORT_WEIGHT, /* the same by weight */
    TROD_SORT_FUNCTION,
    TROD_SORT_FILE,
    TROD_SORT_TIME /* by own time; in a comparison, what a path took more or less */
};

enum trod_report_group {
    TROD_GROUP_NONE,
    TROD_GROUP_FUNCTION,
    TROD_GROUP_FILE,
    TROD_GROUP_LOOP /* paths that begin at one place: the entry, an iteration of a loop, or a cut */
};

struct trod_report_options {
    size_t most; /* rows; 0 = TROD_REPORT_MOST */
    bool blocks; /* print blocks, not decisions */
    enum trod_report_sort sort;
    enum trod_meter_kind
        metric; /* with TROD_SORT_TIME: instead of time, by what was counted */
    enum trod_report_group group;
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    const struct trod_condition_source *text; /* NULL: unknown */
    bool conditions; /* print decisions with their conditions */
    bool detailed;   /* a path as source conditions on several lines, not on one */
    struct trod_style style;
    bool lines; /* print the lines of each path below it */
    bool
        no_single; /* if there are more paths than rows, omit functions with one path */
    bool quiet;    /* do not list functions that were abandoned or not counted */
};

/* How a row's function is printed: by its name; if other listed functions have the same name, with file and line; if
 * these are the same, too, with its unit.
 */
enum trod_row_place { TROD_ROW_NAME, TROD_ROW_FILE, TROD_ROW_UNIT };

struct trod_row {
    const struct trod_map_entry *entry; /* NULL: no map has it */
    const char *function, *file;        /* "?HASH" and "?" if unknown */
    size_t order;                       /* among equals */
    uint64_t id;                        /* of a path */
    trod_edge start;                    /* of the DAG; TROD_NONE: unknown */
    uint64_t
        npath; /* of a group; in a comparison, those that moved, or all if keep_same */
    uint64_t count[2], weight[2]; /* of A and B in a comparison, otherwise of A */
    const struct trod_time *time, *time_b; /* NULL: was not timed */
    struct trod_time_change change;        /* if both were */
    enum trod_row_place place;
};

struct trod_rows {
    const struct trod_map *map;
    const struct trod_report_options *options;
    struct trod_arena *mem;
    struct trod_row *row;
    size_t count, room;
    size_t nlisted;  /* the first of them */
    uint64_t weight; /* of A, of all added paths, selected or not */
    bool keep_same;  /* in a comparison: keep paths that did not move */
    const struct trod_map_entry *const *
        first_copy; /* by entry: paths of copies are added to the first copy; NULL: copies stay separate */
    const struct trod_times *times, *times_b; /* NULL: none are known */
    uint64_t njoined;   /* paths that were added to those of the first copy */
    uint64_t nhidden;   /* paths of system code that were omitted */
    uint64_t nunwanted; /* paths of functions that were not selected */
};

/* Add all paths, then finish: rows are selected, grouped and
 * sorted.
 */
void trod_rows_init(struct trod_rows *out, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);
void trod_rows_add(struct trod_rows *rows, const struct trod_profile_function *function,
    uint64_t id, uint64_t a, uint64_t b);
void trod_rows_finish(struct trod_rows *rows);

/* The subject of a row; what rows are: paths, functions, files. */
void trod_row_put(
    struct trod_sink *sink, const struct trod_rows *rows, const struct trod_row *row);
void trod_row_json(
    struct trod_json *json, const struct trod_rows *rows, const struct trod_row *row);
const char *trod_rows_word(const struct trod_rows *rows);

/* --- time_print.c: rows with times ----------------------------------------------------------- */

/* Are rows by time, and is it known? */
bool trod_rows_timed(const struct trod_rows *rows);
uint64_t trod_row_own(const struct trod_row *row);
/* A time in so many columns, with a ~ if it is an estimate. */
void trod_rows_put_ticks(
    struct trod_sink *sink, const struct trod_rows *rows, int width, double ticks);
/* The heads of the columns below, and the columns: mean, p50, p99, error. */
void trod_rows_put_time_heads(struct trod_sink *sink);
void trod_row_put_times(
    struct trod_sink *sink, const struct trod_rows *rows, const struct trod_row *row);
/* The same in a line below a path's title, and with the time of the functions that it calls. In a comparison of times p50
 * and p99, both before and after. */
void trod_row_put_time_line(struct trod_sink *sink, const struct trod_rows *rows,
    const struct trod_row *row, unsigned column);
/* What times are, below the rows. */
void trod_rows_put_time_notes(struct trod_sink *sink, const struct trod_rows *rows);
void trod_row_time_json(
    struct trod_json *json, const struct trod_rows *rows, const struct trod_row *row);

/* --- row_print.c: rows with paths as source conditions ------------------------------------ */

/* Are paths printed this way? */
bool trod_rows_detailed(const struct trod_rows *rows);

/* A function's name and place, in the rest of a line of which so many columns are used. */
void trod_name_put(struct trod_sink *sink, const struct trod_style *style,
    unsigned column, const struct trod_map_entry *entry, struct trod_arena *mem);

/* The function's name, its place and an id, to the end of the line; `column`: columns already used. */
void trod_title_put(struct trod_sink *sink, const struct trod_style *style,
    unsigned column, const struct trod_map_entry *entry, const char *function,
    uint64_t id, struct trod_arena *mem);

/* The same for a row, with its path below. Returns whether that starts or ends at a cut. */
bool trod_row_put_path(struct trod_sink *sink, const struct trod_rows *rows,
    const struct trod_row *row, unsigned column);

/* Notes about the rows above: cuts, missing lines, hidden paths. */
void trod_rows_put_notes(
    struct trod_sink *sink, const struct trod_rows *rows, bool cut);

/* --- copies.c: functions with one name -------------------------------------------------------- */

/* For each entry, the first entry of the same function: same name, declared on the same line of the same file, same code. Units
 * that include a header each have a copy of its static functions. NULL: there are no copies.
 *
 * cost:   O(entries log entries)
 */
const struct trod_map_entry **trod_map_copies(
    const struct trod_map *map, struct trod_arena *mem);

/* For functions that are listed together (NULL: unknown), how the location of each is printed. */
const enum trod_row_place *trod_row_places(
    const struct trod_map_entry *const *entry, size_t nentry, struct trod_arena *mem);

/* After the name, if that is ambiguous: ` (object.h:12)`, ` (object.h:12, in list.c)`. */
void trod_row_put_place(struct trod_sink *sink, const struct trod_map_entry *entry,
    enum trod_row_place place);

/* --- path_print.c: a path as source conditions ---------------------------------------------------- */

struct trod_path_look {
    const struct trod_style *style;
    const struct trod_condition_source
        *text;               /* NULL: decisions have lines and no text */
    bool blocks;             /* blocks, not decisions */
    unsigned indent;         /* line numbers end in this column */
    const trod_edge *marked; /* marked decisions, edges of the DAG */
    uint32_t nmarked;
    const char *mark; /* text after marked decisions; NULL: none */
    bool open;        /* do not print where it ends */
};

/* Print where a path starts, a line for each decision with its condition and outcome, and where it ends:
 *
 *                 loop iteration, line 76
 *             76  r->at < r->end        yes
 *             79  c == '"'              no    -> next iteration, line 76
 *
 * Without a source, as trod_path_print, wrapped. Many decisions are folded unless style->whole. Returns
 * whether it starts or ends at a cut.
 */
bool trod_path_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id, const struct trod_path_look *look,
    struct trod_arena *mem);

/* The text instead of a condition without a line: a computed goto, or a branch of the compiler's. */
const char *trod_branch_name(const struct trod_map_entry *entry, trod_node node);

/* Will it be printed with conditions? */
bool trod_path_is_readable(
    const struct trod_map_entry *entry, const struct trod_path_look *look);

/* --- own_code.c: system code and user code -------------------------------------------------------------------- */

/* Does a file, or the file of a function, belong to a library or a compiler: below /usr/include, /usr/lib or the like? */
bool trod_is_system_path(const char *path);
bool trod_is_system_code(const struct trod_map_entry *entry);

/* Its name in at most so many letters: for C++ functions the short one, for others both ends. */
const char *trod_entry_name(
    const struct trod_map_entry *entry, size_t most, struct trod_arena *mem);

/* Its file and line, as `src/json.c:27`, in at most so many letters: folders are cut. */
const char *trod_place_text(
    const struct trod_map_entry *entry, size_t most, struct trod_arena *mem);

/* --- path_lines.c: the lines of a path ------------------------------------------------- */

/* In execution order, without consecutive duplicates; NULL: unknown. For a chain, those of its last path. */
const uint32_t *trod_path_lines(size_t *nline, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id, struct trod_arena *mem);

/* In execution order, each with its text, indented; or as an array of objects. For a chain, those of its last path. */
void trod_path_lines_put(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text, unsigned indent);
void trod_path_lines_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text);

/* The decisions of a path in order, as an array of objects: line, column, condition as written, outcome. For a chain, those of all
 * its paths.
 */
void trod_path_decisions_json(struct trod_json *json, const char *key,
    const struct trod_map *map, const struct trod_map_entry *entry, uint64_t id,
    const struct trod_condition_source *text);

/* --- sampling_print.c: sampling parameters of bursts --------------------------------------------------- */

/* A line or two for each: the trigger, the share of events that are on, the meaning of counts, the
 * cost. Nothing if there are none.
 */
void trod_report_how(
    struct trod_sink *sink, const struct trod_profile_burst *burst, uint32_t nburst);
/* What sampling took, and what it may take, of all threads. */
struct trod_spent {
    uint64_t time; /* ticks of the threads; 0: not measured */
    uint64_t cost,
        floor; /* of these: for sampling, and for checks (0: not known), both estimated */
    uint64_t budget; /* of a million; 0: none */
};

/* A line; nothing if nothing is known. */
void trod_report_spent(struct trod_sink *sink, const struct trod_spent *spent);
/* Members of the open object. */
void trod_report_spent_json(struct trod_json *json, const struct trod_spent *spent);

/* Members of the open object: `burst`, the budget and what was spent, and `bursts`, each. */
void trod_report_how_json(
    struct trod_json *json, const struct trod_profile_burst *burst, uint32_t nburst);

/* --- report.c: the hot paths ------------------------------------------------------------------ */

/* Shares are relative to everything that ran, selected or not. */

/* Functions in which only chosen or only untested paths are counted. */
void trod_report_partial(struct trod_sink *sink, const struct trod_profile *profile);
void trod_report_partial_json(
    struct trod_json *json, const struct trod_profile *profile);

/* What a profile lacks, and why: functions counted partially, abandoned, or not counted at
 * all, and its notes. As comments, or as members of the open object. options: which functions are selected, and
 * whether they are listed; NULL: all.
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

/* --- compare.c: differences of two profiles ------------------------------------ */

void trod_report_compare(struct trod_sink *sink, const struct trod_profile_diff *diff,
    const struct trod_map *map, const struct trod_report_options *options,
    struct trod_arena *mem);
void trod_report_compare_json(struct trod_json *json, const char *key,
    const struct trod_profile_diff *diff, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);

/* --- compare_times.c: how long paths take in two profiles ------------------------------------- */

/* Of the paths, or groups of them, that are timed in both profiles: those whose mean own time certainly changed; in JSON all.
 *
 * needs:  both clocks are known
 */
void trod_report_compare_times(struct trod_sink *sink,
    const struct trod_profile_diff *diff, const struct trod_times *a,
    const struct trod_times *b, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);
void trod_report_compare_times_json(struct trod_json *json, const char *key,
    const struct trod_profile_diff *diff, const struct trod_times *a,
    const struct trod_times *b, const struct trod_map *map,
    const struct trod_report_options *options, struct trod_arena *mem);

/* --- overlap_rows.c: how much two profiles have in common -------------------------------- */

/* The overlap of two profiles by paths, or by groups of them. */
struct trod_report_overlap {
    struct trod_overlap overlap;
    struct trod_rows rows;
    const struct trod_row **row; /* by member */
    uint64_t nchanged;           /* paths of functions that differ */
    uint64_t nunknown;           /* omitted, as in the difference */
};

/* needs:  all functions selected: everything that ran has a share
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
