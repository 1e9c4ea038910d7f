/* kinds: what a page shows beside paths of functions.
 *
 *     segments, subpaths, paths across calls -> spans
 *     bursts, streams, coverage, entries of other versions -> tables
 *     a stream of branches -> what a hot path table held, window by window
 *     entries of paths -> how each path is known
 *
 * Glossary
 *   span      a piece of what ran across functions, nested: a segment, a subpath, a path of a supergraph
 *   item      of a span: blocks in a row of one activation of a function
 *   table     anything else that has rows and columns
 *   window    so many instructions of a stream in a row
 *   known     how a count is: counted, or carried over from another version, as src/version/migrate has it
 *
 * Functions are entries of the page's map, by number; TROD_NONE: the map has none of that name. Which function of the page
 * that is, page->function_of_entry says. So all of this can be built before the page is, and says which functions must be in it.
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
        entry; /* [map->nentry], by name and file; of equal ones, those with frames first */
};

void trod_page_names(
    struct trod_page_names *out, const struct trod_map *map, struct trod_arena *mem);

/* By the linker's name, and the file; NULL, or one that no function of this name is in: any.
 *
 * cost:   O(log entries), and the entries of one name
 */
uint32_t trod_page_names_find(
    const struct trod_page_names *names, const char *function, const char *file);

/* --- page_spans.c, page_across.c: pieces across functions ----------------------------------------------------------------------- */

enum {
    TROD_PAGE_ROWS = 2000
}; /* spans of a kind and rows of a table, unless said otherwise */

struct trod_page_item {
    uint32_t depth;
    uint32_t entry;         /* of the map; TROD_NONE: unknown */
    const char *name;       /* as people read it */
    const trod_node *block; /* [nblock], in the order they ran; may be none */
    uint32_t nblock;
    const char *text; /* in words */
};

struct trod_page_span {
    uint64_t count;   /* or an estimate */
    double low, high; /* of the estimate; both 0: it is none */
    const struct trod_page_item *item;
    uint32_t nitem;
};

struct trod_page_spans {
    const char *word;                  /* segments, subpaths, ... */
    const char *title;                 /* a sentence: what these are */
    uint64_t total;                    /* of which counts are shares; 0: none */
    const struct trod_page_span *span; /* most frequent first */
    size_t nspan;
    size_t nleft; /* that were omitted because there are too many */
};

/* Segments, the most frequent `most` of them. Shares are of all their counts. A subpath is an item; its depth is that of
 * calls below where the segment begins.
 *
 * cost:   O(blocks of those that are there)
 */
void trod_page_spans_segments(struct trod_page_spans *out,
    const struct trod_segments *segments, const struct trod_map *map, size_t most,
    struct trod_arena *mem);

/* Subpaths of blocks, sampled or counted, as trod_online_rows() has them. Shares are of all blocks that ran. Low and high are where the count is with the
 * confidence of the options. Blocks of one function in a row are an item; calls and returns are distinguished from blocks: what
 * begins a function was called, everything else was returned to.
 */
void trod_page_spans_subpaths(struct trod_page_spans *out,
    const struct trod_online_names *names, const struct trod_map *map,
    const struct trod_subpaths_options *options, struct trod_arena *mem);

/* Paths that continue into calls: of functions that have frames. Blocks of one frame in a row are an item, with the numbers
 * that they have in its function.
 */
void trod_page_spans_across(struct trod_page_spans *out, const struct trod_flows *flows,
    size_t most, struct trod_arena *mem);

/* --- page_sampled.c: counts of blocks, from samples ------------------------------------------------------------------------ */

/* How often blocks ran, derived from subpaths, in flows that have no paths. Edges have no counts: between two blocks of a function
 * there may be others. Nothing is where estimates are of costs.
 *
 * needs:  flows of the map that names are of
 * cost:   O(blocks of all subpaths)
 */
void trod_page_flows_sampled(struct trod_flows *flows,
    const struct trod_online_names *names, struct trod_arena *mem);

/* --- page_table.c, page_tables.c: anything with rows and columns ----------------------------------------------------- */

enum trod_page_kind {
    TROD_PAGE_TEXT,
    TROD_PAGE_COUNT,
    TROD_PAGE_REAL,    /* below 0: unknown */
    TROD_PAGE_SHARE,   /* of 1; below 0: unknown */
    TROD_PAGE_FUNCTION /* an entry, or a name if it is none of the map's */
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
    bool estimates; /* counts are */
    bool mentions;  /* its functions must be in the page */
};

/* One that grows: cells in the order of rows, `most` rows at most; the rest is counted. A row begins with the first of its
 * cells; what belongs to one that is too many is dropped.
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
    struct trod_page_rows *rows, const char *text); /* taken as it is */
void trod_page_rows_count(struct trod_page_rows *rows, uint64_t count);
void trod_page_rows_real(struct trod_page_rows *rows, double real); /* or a share */
void trod_page_rows_function(
    struct trod_page_rows *rows, const char *function, const char *file);
/* needs:  [ncolumn] columns, and all cells of each row */
void trod_page_rows_finish(struct trod_page_table *out,
    const struct trod_page_rows *rows, const struct trod_page_column *column);

/* What bursts counted, as trod sample functions, calls and trips list it. */
void trod_page_table_bursts(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_bursts *burst,
    enum trod_bursts_kind kind, size_t most, struct trod_arena *mem);

/* Data that is loaded and stored in the same order, as trod sample data lists it. */
void trod_page_table_streams(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_streams *streams,
    size_t most, struct trod_arena *mem);

/* How much of each function or file ran, as trod coverage lists it: the lowest share first. */
void trod_page_table_cover(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_cover *cover, size_t most,
    struct trod_arena *mem);

/* Functions whose calls did not all finish. */
void trod_page_table_left(struct trod_page_table *out,
    const struct trod_page_names *names, const struct trod_profile *profile,
    size_t most, struct trod_arena *mem);

/* --- page_hardware.c: what tables of hardware held, and when ----------------------------------------------------------- */

struct trod_page_entry {
    const char *text; /* the path, as trod hw model prints it */
    uint32_t entry;   /* of the map; TROD_NONE: unknown */
    const char *name; /* of its function; NULL: unknown */
    const uint64_t *
        held; /* [nwindow]: its counter at the end of each window; 0: it was not in the table */
    const uint64_t
        *really; /* [nwindow]: how often it ran in each; of other metrics, how much */
};

struct trod_page_hardware {
    const char *design; /* of the table, as people write it */
    const char *metric; /* what counters count */
    uint64_t window;    /* instructions */
    uint32_t nwindow;
    uint64_t behind;       /* instructions after the last window, which are not in it */
    const double *overlap; /* [nwindow]: how right it was */
    const struct trod_page_entry *entry; /* by what really ran, most first */
    uint32_t nentry;
    uint32_t
        nleft; /* paths that were in the table at the end of some window, and are not here */
};

enum {
    TROD_PAGE_WINDOWS = 100,       /* that are aimed at */
    TROD_PAGE_WINDOWS_MOST = 4096, /* that there may be */
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
    bool full; /* there were more windows than there may be: those are not noted */
};

void trod_page_watch_init(struct trod_page_watch *out, struct trod_arena *mem);
/* What struct trod_profiler_options.window_over wants; ctx: the watch. */
void trod_page_watch_window(void *ctx, const struct trod_profiler *profiler);

/* Names of functions by address, as the linker knows them; NULL: unknown. */
struct trod_page_symbols {
    const char *(*name)(void *ctx, uint64_t address);
    const char *(*display_name)(void *ctx, const char *name); /* demangled */
    void *ctx;
};

/* needs:  a profiler that is finished, of one design, whose windows were watched
 * cost:   O(entries x windows), and a sort of what was noted
 */
void trod_page_hardware_build(struct trod_page_hardware *out,
    const struct trod_page_watch *watch, const struct trod_profiler *profiler,
    const struct trod_page_names *names, const struct trod_page_symbols *symbols,
    uint32_t most, struct trod_arena *mem);

/* --- page_provenance.c: how entries of another version are known ------------------------------------------------------------- */

/* How much a count is to be believed: profiles that were carried over from another version. */
struct trod_page_confidence {
    const char *word;  /* one word */
    const char *title; /* a sentence */
    double degree;     /* 1: as good as profiled; 0: a guess */
};

/* Marks of merged entries (migrate.h). Of several inputs, a path is known as the least trusted of its entries that ran is. */
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
    uint64_t nunknown;         /* entries of functions that the map does not have */
};

/* Of entries of type paths.
 *
 * fills:  classes in the order profiled, validated, reused, inferred, as far as there are, and none as the last; the degree of one
 *         is the mean trust of its paths
 */
void trod_page_known_build(struct trod_page_known *out,
    const struct trod_page_names *names, const struct trod_entries *const *entries,
    uint32_t nentries, struct trod_arena *mem);

/* The class of a path, a number of known->confidence. */
uint32_t trod_page_known_of(
    const struct trod_page_known *known, uint32_t entry, uint64_t id);

/* Entries of any type, each with how it is known; and of all types how many are known how. */
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
    const struct trod_page_known *known;       /* NULL: all counts are what they are */
    const char **note;
    uint32_t nnote, room_note;
    const struct trod_online_names *sampled; /* whose blocks were; NULL: none */
    bool uncounted;                          /* paths were not, of any function */
    bool *also; /* [map->nentry]: must be in the page though no path of it ran */
};

/* Functions that spans, tables that ask for it, and hardware speak of.
 *
 * fills:  kinds->also
 */
void trod_page_kinds_mention(
    struct trod_page_kinds *kinds, const struct trod_map *map, struct trod_arena *mem);

struct trod_page;
/* Members `spans`, `tables`, `hardware` and `confidence` of the open object. */
void trod_page_kinds_json(struct trod_json *json, const struct trod_page *page);

/* --- page_kinds_check.c: what must hold ---------------------------------------------------------------------------------- */

/* Invariants: functions are of the map; blocks of an item follow from each other in its function's graph; a span ran, and
 * some item of it is at depth 0; but for estimates, spans are most frequent first; estimates are within their bounds; cells
 * have what their columns say; overlaps are shares; what a table held in a window ran in it.
 *
 * fails:  TROD_E_INTERNAL
 */
bool trod_page_kinds_check(
    const struct trod_page *page, struct trod_err *err) TROD_MUST_CHECK;

#endif
