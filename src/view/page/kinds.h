/* kinds: what a page shows besides paths of functions.
 *
 *     segments, subpaths, paths across calls -> spans
 *     bursts, times, streams, coverage, entries of other versions -> tables
 *     a stream of branches -> what a hot path table held, window by window
 *     entries of paths -> how each path is known
 *
 * Glossary
 *   span      an execution across functions, nested: a segment, a subpath, a path of a supergraph
 *   item      of a span: consecutive blocks of one activation
 *   table     anything else with rows and columns
 *   window    a fixed number of consecutive instructions of a stream
 *   known     provenance of a count: counted, or migrated from another version (src/version/migrate)
 *
 * Functions are indices of entries of the page's map; TROD_NONE: the map has none of that name. page->function_of_entry gives
 * the function of the page. So all of this can be built before the page, and determines which functions must be in it.
 *
 * Memory: in the arena handed in; map and texts of the stages are referred to.
 */
#ifndef TROD_PAGE_KINDS_H
#define TROD_PAGE_KINDS_H

#include "burst/burst.h"
#include "flow/flow.h"
#include "migrate/migrate.h"
#include "model/model.h"
#include "online/online.h"
#include "pathset/pathset.h"
#include "report/report.h"
#include "segment/segment.h"
#include "stream/stream.h"

/* --- page_names.c: functions by their names ------------------------------------------------------------------------- */

struct trod_page_names {
    const struct trod_map *map;
    uint32_t *
        entry; /* [map->nentry], by name and file; among equals, those with frames first */
};

void trod_page_names(
    struct trod_page_names *out, const struct trod_map *map, struct trod_arena *mem);

/* Find a function by linkage name and file; NULL, or a file without a function of this name: any file.
 *
 * cost:   O(log entries), and the entries of one name
 */
uint32_t trod_page_names_find(
    const struct trod_page_names *names, const char *function, const char *file);

/* --- page_spans.c, page_across.c: pieces across functions ----------------------------------------------------------------------- */

enum { TROD_PAGE_ROWS = 2000 }; /* spans of a kind and rows of a table, by default */

struct trod_page_item {
    uint32_t depth;
    uint32_t entry;         /* of the map; TROD_NONE: unknown */
    const char *name;       /* demangled */
    const trod_node *block; /* [nblock], in execution order; may be empty */
    uint32_t nblock;
    const char *text; /* as text */
};

struct trod_page_span {
    uint64_t count;   /* or an estimate */
    double low, high; /* bounds of the estimate; both 0: the count is exact */
    const struct trod_page_item *item;
    uint32_t nitem;
};

struct trod_page_spans {
    const char *word;                  /* segments, subpaths, ... */
    const char *title;                 /* a sentence that describes them */
    uint64_t total;                    /* to which shares are relative; 0: no shares */
    const struct trod_page_span *span; /* most frequent first */
    size_t nspan;
    size_t nleft; /* omitted spans, because there are too many */
};

/* Segments, the most frequent `most` of them. Shares are relative to the sum of their counts. A subpath is an item; its depth is the number of
 * calls below the beginning of the segment.
 *
 * cost:   O(blocks of the listed spans)
 */
void trod_page_spans_segments(struct trod_page_spans *out,
    const struct trod_segments *segments, const struct trod_map *map, size_t most,
    struct trod_arena *mem);

/* Subpaths, sampled or counted, as by trod_online_rows(). Shares are relative to all executed blocks. Low and high are bounds with the
 * confidence of the options. Consecutive blocks of one function are an item; an item that
 * begins with the entry of a function was called, any other was returned to.
 */
void trod_page_spans_subpaths(struct trod_page_spans *out,
    const struct trod_online_names *names, const struct trod_map *map,
    const struct trod_subpaths_options *options, struct trod_arena *mem);

/* Paths that continue into calls, of functions with frames. Consecutive blocks of one frame are an item, with the numbers
 * that they have in its function.
 */
void trod_page_spans_across(struct trod_page_spans *out, const struct trod_flows *flows,
    size_t most, struct trod_arena *mem);

/* --- page_sampled.c: counts of blocks, from samples ------------------------------------------------------------------------ */

/* Counts of blocks, derived from subpaths, for flows without paths. Edges have no counts: between two blocks of a function
 * there may be others. Nothing is computed if estimates are weighted by cost.
 *
 * needs:  flows of the same map as names
 * cost:   O(blocks of all subpaths)
 */
void trod_page_flows_sampled(struct trod_flows *flows,
    const struct trod_online_names *names, struct trod_arena *mem);

/* --- page_table.c, page_tables.c, page_times.c: anything with rows and columns ----------------------------------------------------- */

enum trod_page_kind {
    TROD_PAGE_TEXT,
    TROD_PAGE_COUNT,
    TROD_PAGE_REAL,    /* below 0: unknown */
    TROD_PAGE_TIME,    /* in nanoseconds */
    TROD_PAGE_SHARE,   /* of 1; below 0: unknown */
    TROD_PAGE_FUNCTION /* an entry, or a name if it is not in the map */
};

struct trod_page_column {
    const char *name;
    enum trod_page_kind kind;
};

struct trod_page_cell {
    const char *text;
    double real;
    uint64_t count;
    uint32_t entry; /* TROD_NONE: text is its name */
};

struct trod_page_table {
    const char *word;  /* methods, calls, trips, streams, ...: the name of its tab */
    const char *title; /* a sentence */
    const struct trod_page_column *column;
    uint32_t ncolumn;
    const struct trod_page_cell *cell; /* [nrow * ncolumn] */
    uint32_t nrow;
    uint32_t nleft; /* rows that were omitted */
    bool estimates; /* counts are estimates */
    bool mentions;  /* its functions must be in the page */
};

/* A table under construction: cells row by row, at most `most` rows; further rows are only counted. A row begins with the first of its
 * cells; cells of rows beyond the limit are dropped.
 */
struct trod_page_rows {
    struct trod_arena *mem;
    const struct trod_page_names *names;
    struct trod_page_cell *cell;
    size_t ncell, room;
    uint32_t ncolumn;
    size_t most, nseen; /* rows that began */
};

void trod_page_rows_init(struct trod_page_rows *out,
    const struct trod_page_names *names, uint32_t ncolumn, size_t most,
    struct trod_arena *mem);
void trod_page_rows_begin(struct trod_page_rows *rows);
void trod_page_rows_text(
    struct trod_page_rows *rows, const char *text); /* not copied */
void trod_page_rows_count(struct trod_page_rows *rows, uint64_t count);
void trod_page_rows_real(struct trod_page_rows *rows, double real); /* or a share */
void trod_page_rows_function(
    struct trod_page_rows *rows, const char *function, const char *file);
/* needs:  [ncolumn] columns, and all cells of each row */
void trod_page_rows_finish(struct trod_page_table *out,
    const struct trod_page_rows *rows, const struct trod_page_column *column);

/* Counts of bursts, as in trod sample functions, calls and loops. */
void trod_page_table_bursts(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, size_t most, struct trod_arena *mem);

/* Times of paths, as in trod report --sort=time: the highest own time first. */
void trod_page_table_times(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_times *times, size_t most,
    struct trod_arena *mem);

/* Hot data streams, as in trod sample data. */
void trod_page_table_streams(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_streams *streams,
    size_t most, struct trod_arena *mem);

/* Coverage of each function or file, as in trod coverage: the lowest share first. */
void trod_page_table_cover(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_cover *cover, size_t most,
    struct trod_arena *mem);

/* Functions with abandoned activations. */
void trod_page_table_left(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_profile *profile,
    size_t most, struct trod_arena *mem);

/* --- page_hardware.c: contents of a hardware table over time ----------------------------------------------------------- */

struct trod_page_entry {
    const char *text; /* the path, as trod hw model prints it */
    uint32_t entry;   /* of the map; TROD_NONE: unknown */
    const char *name; /* of its function; NULL: unknown */
    const uint64_t *
        held; /* [nwindow]: its counter at the end of each window; 0: not in the table */
    const uint64_t
        *really; /* [nwindow]: its true count in each, or value of another metric */
};

struct trod_page_hardware {
    const char *design; /* of the table, as text */
    const char *metric; /* what counters count */
    uint64_t window;    /* instructions */
    uint32_t nwindow;
    uint64_t behind;       /* instructions after the last complete window */
    const double *overlap; /* [nwindow]: accuracy */
    const struct trod_page_entry *entry; /* by true count, most first */
    uint32_t nentry;
    uint32_t
        nleft; /* paths that were in the table at the end of some window and are omitted */
};

enum {
    TROD_PAGE_WINDOWS = 100,       /* approximate default */
    TROD_PAGE_WINDOWS_MOST = 4096, /* maximum */
    TROD_PAGE_ENTRIES = 256
};

/* Observes a profiler (model.h) that reads a stream with one table, and records the table's content when each window is
 * over, before it is cleared.
 */
struct trod_page_watch {
    struct trod_arena *mem;
    struct trod_page_seen {
        uint32_t window, path;
        uint64_t held, really;
    } *seen;
    size_t nseen, room;
    double *overlap;
    uint32_t nwindow, room_window;
    bool full; /* the maximum was reached: further windows are not recorded */
};

void trod_page_watch_init(struct trod_page_watch *out, struct trod_arena *mem);
/* A callback for struct trod_profiler_options.window_over; ctx: the watch. */
void trod_page_watch_window(void *ctx, const struct trod_profiler *profiler);

/* Linkage names of functions by address; NULL: unknown. */
struct trod_page_symbols {
    const char *(*name)(void *ctx, uint64_t address);
    const char *(*display_name)(void *ctx, const char *name); /* demangled */
    void *ctx;
};

/* needs:  a profiler that is finished, of one design, whose windows were watched
 * cost:   O(entries x windows), and a sort of the records
 */
void trod_page_hardware_build(struct trod_page_hardware *out,
    const struct trod_page_watch *watch, const struct trod_profiler *profiler,
    const struct trod_page_names *names, const struct trod_page_symbols *symbols,
    uint32_t most, struct trod_arena *mem);

/* --- page_provenance.c: provenance of migrated entries ------------------------------------------------------------- */

/* Certainty of a count that was migrated from another version. */
struct trod_page_confidence {
    const char *word;  /* its name */
    const char *title; /* a sentence */
    double degree;     /* 1: as certain as profiled; 0: a guess */
};

/* Marks of merged entries (migrate.h). With several inputs, a path has the provenance of its least trusted entry that ran. */
struct trod_page_known {
    struct trod_page_mark {
        uint32_t entry; /* of the map */
        uint64_t id;
        uint32_t how; /* enum trod_how */
        double trust;
    } *mark; /* by entry and id, none twice */
    size_t nmark;
    const struct trod_page_confidence *confidence;
    uint32_t nconfidence;
    uint32_t number_of_how[8]; /* in confidence */
    uint64_t nunknown;         /* entries of functions without a map entry */
};

/* For entries of type paths.
 *
 * fills:  classes in the order profiled, validated, reused, inferred, if present, and none as the last; the degree of a class
 *         is the mean trust of its paths
 */
void trod_page_known_build(struct trod_page_known *out,
    const struct trod_page_names *names, const struct trod_entries *const *entries,
    uint32_t nentries, struct trod_arena *mem);

/* The class of a path, a number of known->confidence. */
uint32_t trod_page_known_of(
    const struct trod_page_known *known, uint32_t entry, uint64_t id);

/* Entries of any type, each with its provenance; and, for all types, their numbers by provenance. */
void trod_page_table_entries(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_entries *entries,
    size_t most, struct trod_arena *mem);
void trod_page_table_known(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_entries *const *entries,
    uint32_t nentries, struct trod_arena *mem);

/* --- page_kinds.c: all of these in a page -------------------------------------------------------------------------------- */

struct trod_page_kinds {
    struct trod_page_spans *spans;
    uint32_t nspans, room_spans;
    struct trod_page_table *table;
    uint32_t ntable, room_table;
    const struct trod_page_hardware *hardware; /* NULL: none */
    const struct trod_page_known *known;       /* NULL: all counts are profiled */
    const char **note;
    uint32_t nnote, room_note;
    const struct trod_online_names *sampled; /* names of sampled blocks; NULL: none */
    bool uncounted;                          /* no function has counts of paths */
    bool *also; /* [map->nentry]: must be in the page although no path of it ran */
};

/* The functions that spans, hardware, and tables with `mentions` refer to.
 *
 * fills:  kinds->also
 */
void trod_page_kinds_mention(
    struct trod_page_kinds *kinds, const struct trod_map *map, struct trod_arena *mem);

struct trod_page;
/* Members `spans`, `tables`, `hardware` and `confidence` of the open object. */
void trod_page_kinds_json(struct trod_json *json, const struct trod_page *page);

/* --- page_kinds_check.c: what must hold ---------------------------------------------------------------------------------- */

/* Invariants: functions are in the map; blocks of an item follow each other in its function's graph; a span ran, and
 * some item of it is at depth 0; except for estimates, spans are sorted by count; estimates are within their bounds; cells
 * match their columns; overlaps are shares; paths that a table held in a window ran in it.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_page_kinds_check(
    const struct trod_page *page, struct trod_err *err) TROD_MUST_CHECK;

#endif
