/* page: the HTML report.
 *
 *     profile + map + sources -> page -> one file of HTML
 *
 * The file is self-contained: styles, scripts, and the data as one JSON object, specified in doc/everyday/page.md. It uses
 * no network. This code decides what is counted, shown and laid out; the scripts
 * in src/view/page/view let the reader choose what to see.
 *
 * Glossary
 *   file      a source, with its text if it was found
 *   function  a function of the page: all that ran and, on request, those that did not. Others refer to its number here.
 *   layout    positions of blocks and edges, from Graphviz
 *   way       a path as its start and the decisions on it, one character each: independent of numberings
 *
 * kinds.h has everything besides functions and paths.
 *
 * Memory: in the arena handed in; the page refers to profile, map and sources.
 */
#ifndef TROD_PAGE_H
#define TROD_PAGE_H

#include "flow/flow.h"
#include "page/kinds.h"
#include "pathset/pathset.h"

/* --- page_build.c: functions and paths ----------------------------------------------------------------------- */

/* A line that has code. */
struct trod_page_row {
    uint32_t line;
    bool counted;        /* false: how often it ran is unknown */
    bool compared;       /* the other profile has the line, too */
    uint64_t count, old; /* old: in the other profile */
};

struct trod_page_file {
    const char *name;        /* as in the map */
    const char *directory;   /* where it was compiled; NULL: unknown */
    const char *path;        /* both, without '.' and '..': identifies the file */
    bool system;             /* a system header or library, not the user's code */
    const char *const *line; /* [nline]; NULL: it was not found */
    uint32_t nline;
    const bool *kept; /* [nline]: which lines of a long file are included; NULL: all */
    const char
        *why; /* why the file or some lines are missing; NULL: all are included */
    const struct trod_page_row *row; /* ascending, as src/view/flow counts them */
    uint32_t nrow;
};

/* In points; y grows downwards. */
struct trod_page_box {
    double x, y, width, height; /* the centre, and how large */
};

struct trod_page_layout {
    double width, height;
    const struct trod_page_box *box_of_node; /* [nnode] */
    const char *const *curve_of_edge; /* [nedge], as the attribute d of an SVG path */
};

/* A decision whose line is in another file than the function. */
struct trod_page_elsewhere {
    trod_node node;
    uint32_t file;
};

enum { TROD_PAGE_NAME = 26, TROD_PAGE_CONDITION = 160 }; /* letters */

struct trod_page_function {
    const struct trod_flow *flow;
    const char
        *brief; /* its name in lists, at most TROD_PAGE_NAME letters if possible */
    uint32_t file;
    const uint32_t *file_of_frame;         /* [entry->nframe]; NULL: it has none */
    const uint32_t *file_of_included;      /* [entry->nincluded]; NULL: it has none */
    struct trod_page_elsewhere *elsewhere; /* by node */
    uint32_t nelsewhere, room_elsewhere;
    uint32_t line;   /* where it begins; 0: unknown */
    uint64_t count;  /* of all its paths */
    uint64_t weight; /* blocks that ran */
    uint64_t nran;   /* paths, or chains of paths, that ran */
    uint64_t npath;  /* possible paths; UINT64_MAX: too many to enumerate */
    uint32_t
        nlimited;  /* edges cut for the limit on paths: paths are counted in pieces */
    bool compared; /* with the other profile, whose count is `old` */
    uint64_t old;
    const struct trod_page_layout *layout; /* NULL: none */
    const char *undrawn;                   /* why it has none; NULL: it has one */
};

enum {                      /* what is known of a path, as a set */
    TROD_PAGE_UNTESTED = 1, /* it ran, and no test ran it */
    TROD_PAGE_NEVER = 2,    /* it did not run: a neighbour of a path that did */
    TROD_PAGE_NEW = 4,      /* it did not run in the other profile */
    TROD_PAGE_GONE = 8      /* it ran only in the other profile */
};

struct trod_page_path {
    uint32_t function;
    uint32_t flags;
    uint64_t id;
    uint64_t count, weight;
    uint64_t old;        /* its count in the other profile */
    uint32_t confidence; /* an index of page->confidence, if present */
    uint32_t ntest;      /* number of tests that take it */
    const uint32_t
        *test; /* the first of these, at most TROD_PAGE_TESTS, of page->test */
};

/* Runs that the page distinguishes: those of one group of one profile. */
enum { TROD_PAGE_TESTS = 6 };

struct trod_page_test {
    const char *name;
    const struct trod_profile *profile;
    uint32_t group;
};

struct trod_page;

/* Default limit on paths: browsers handle so many quickly. */
enum { TROD_PAGE_MOST = 250000 };

struct trod_page_options {
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    bool all;         /* include functions that did not run */
    const bool *also; /* [map->nentry], functions to include in any case; NULL: none */
    size_t most;      /* paths; 0: TROD_PAGE_MOST */
    const struct trod_list *tested;        /* NULL: not requested */
    const struct trod_profile_diff *since; /* with the other profile; NULL: none */
    const struct trod_flows *before;       /* flows of the other profile; NULL: none */
    const struct trod_page_test *test;     /* [ntest]; 1 or less: not distinguished */
    uint32_t ntest;
    size_t missing; /* number of neighbours that did not run */
    /* The confidence of a path of an entry of the map; NULL: all counts are profiled. */
    uint32_t (*confidence_of)(const void *ctx, uint32_t entry, uint64_t id);
    const void *confidence_ctx;
};

/* Functions, files without their text, paths with their flags, totals; and notes on omissions.
 *
 * needs:  flows of trod_flows_build_any; list, differences and neighbours of the same profile
 * fills:  *out, except title, facts, text of files, layouts, confidence, spans, tables and hardware
 * fails:  TROD_E_MISMATCH, as trod_ran_build does
 * cost:   O(paths x length of a path), and a sort
 */
bool trod_page_build(struct trod_page *out, const struct trod_profile *profile,
    const struct trod_map *map, const struct trod_flows *flows,
    const struct trod_page_options *options, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* Add a note, as printf does. */
void trod_page_note(struct trod_page *page, struct trod_arena *mem, const char *format,
    ...) TROD_FORMAT(3, 4);

/* --- page_outcomes.c: paths as decisions ------------------------------------------------------------------------------ */

/* Where a path starts: -1 at the function's entry, otherwise a block; and the decisions on it, as in doc/everyday/page.md.
 * For a chain, the start of its first path.
 *
 * needs:  the id of a path, or of a chain that trod_chain_decode accepts
 */
int64_t trod_page_start(
    const struct trod_map *map, const struct trod_map_entry *entry, trod_path id);
void trod_page_put_way(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id);

/* --- page_lines.c: lines of files ------------------------------------------------------------------------------- */

/* Lines that have code, and how often they ran: src/view/flow's counts, for all functions of a file, shown or not.
 *
 * needs:  functions and files of the page
 * fills:  row and nrow of all files
 */
void trod_page_fill_rows(
    struct trod_page *page, const struct trod_flows *before, struct trod_arena *mem);

enum { /* lines */
    TROD_PAGE_WHOLE = 10000,
    TROD_PAGE_AROUND = 5,
    TROD_PAGE_GAP = 12,
    TROD_PAGE_TOLD = 150000
};

/* Leave out the text of cold functions: if all files together have more than TROD_PAGE_TOLD lines, the hottest functions
 * have theirs, about so many lines in all.
 *
 * fills:  page->folded and ntold; before any file
 */
void trod_page_fold(struct trod_page *page, uint64_t nline);

/* The text of a file. If it has more than TROD_PAGE_WHOLE lines, or the page is folded, those that no function of the
 * page has, and that are not around one, are left empty, where at least TROD_PAGE_GAP of these are together.
 */
void trod_page_fill_file(struct trod_page *page, uint32_t file, const char *const *line,
    uint32_t nline, struct trod_arena *mem);

/* --- page_draw.c: graphs to be laid out ---------------------------------------------------------------------------- */

/* A graph of more blocks is not laid out: it would be unreadable, and takes minutes. */
enum { TROD_PAGE_LAID = 1000 };

/* Room for a block: for its lines and its count, in points. */
struct trod_page_box trod_page_room(
    const struct trod_page_function *function, trod_node node);

/* A function as DOT, nodes by their numbers, sizes fixed. */
void trod_page_dot(struct trod_sink *sink, const struct trod_page_function *function);

/* The layout, from what `dot -Tplain` says of that; false: it is none.
 *
 * fills:  *out, in points, y downwards
 */
bool trod_page_layout_parse(struct trod_page_layout *out,
    const struct trod_page_function *function, const char *plain, size_t length,
    struct trod_arena *mem) TROD_MUST_CHECK;

/* --- page_write.c: one file -------------------------------------------------------------------------------------------- */

struct trod_page_fact {
    const char *what, *value;
};

struct trod_page {
    const char *title;
    const struct trod_page_fact *fact;
    uint32_t nfact;
    const char **note; /* what is not in it, and why */
    uint32_t nnote, room_note;
    const struct trod_profile *profile;
    const struct trod_map *map;
    const struct trod_flows *flows;
    uint64_t total, weight; /* of all paths that ran */
    uint64_t old_total;     /* of all that ran in the other profile */
    const char *editor;     /* a link to a line; NULL: not requested */
    const struct trod_condition_source *text; /* conditions; NULL: unknown */
    const struct trod_page_test *test;        /* [ntest]; NULL: not distinguished */
    uint32_t ntest;
    struct trod_page_file *file;         /* text is filled in by who can read files */
    struct trod_page_function *function; /* most blocks first; layouts likewise */
    uint32_t nfile, nfunction;
    bool folded; /* only the first ntold functions have their text and conditions */
    uint32_t ntold;
    const uint32_t
        *function_of_entry;        /* [map->nentry], TROD_NONE: it is not in the page */
    struct trod_names link;        /* linkage names of the map's functions */
    const uint32_t *entry_of_link; /* [link.count], of the first that has it */
    const struct trod_page_path *path; /* most frequent first */
    size_t npath;
    const struct trod_page_confidence
        *confidence; /* NULL: all counts are what they are */
    const struct trod_page_spans *spans;
    const struct trod_page_table *table;
    uint32_t nconfidence, nspans, ntable;
    bool exact;
    bool has_tested, has_old; /* flags and old counts of paths mean something */
    const struct trod_page_hardware *hardware; /* NULL: none */
    const char *packed; /* the data, as a file of gzip's; NULL: they are plain */
    size_t npacked;
};

/* Is it without its text? */
static inline bool trod_page_is_cold(
    const struct trod_page *page, const struct trod_page_function *function)
{
    return page->folded && (size_t)(function - page->function) >= page->ntold;
}

/* What a script's numbers hold: larger counts are saturated to this. */
#define TROD_PAGE_MOST_EXACT (UINT64_C(1) << 53)
void trod_page_json_count(struct trod_json *json, const char *key, uint64_t count);

/* page_files.c: member `files` of the open object. */
void trod_page_files_json(struct trod_json *json, const struct trod_page *page);

/* page_decisions.c: members of a function's object: decisions, conditions, loops, and text that it includes. */
void trod_page_decisions_json(struct trod_json *json, const struct trod_page *page,
    const struct trod_page_function *function);

/* The data, as doc/everyday/page.md has it. */
void trod_page_json(struct trod_json *json, const struct trod_page *page);

/* Markup, styles, data and scripts. The data are plain JSON, or packed: then in base64. */
void trod_page_write(struct trod_sink *sink, const struct trod_page *page);

/* A file of src/view/page/view, as it was when the library was made. */
struct trod_page_part {
    const char *name;
    const char *bytes;
    size_t length;
};

/* The skeleton first, styles and scripts in their order; ends with one without a name. */
extern const struct trod_page_part trod_page_parts[];

/* --- page_check.c: everything that must hold -------------------------------------------------------------------------- */

/* Invariants: numbers of functions, files, entries and confidences are in range; paths are most frequent first, each is a path
 * of its function, there once, and its way, walked by itself, passes the blocks that its id says; a function's counts are
 * those of its flows; the entry of every graph is its block 0; layouts have finite numbers.
 *
 * fails:  TROD_E_INTERNAL
 * cost:   O(paths x length of a path)
 */
bool trod_page_check(const struct trod_page *page, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

#endif
