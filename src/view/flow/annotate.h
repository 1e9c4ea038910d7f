/* annotate: sources with counts, for a terminal.
 *
 *     flows of a file + its text -> lines with counts and heat, paths beneath
 *
 * Glossary
 *   stretch  lines of a file that belong to one function, or to several on the same lines
 *   mark     a letter for a path, printed before each line of the path
 *   heat     a line's count relative to that of the hottest line; with times, of its time
 *   time     of a line: the own time of the paths on it, which they share with their other lines
 *
 * Memory: in the arena handed in; refers to flows, sources and text.
 */
#ifndef TROD_ANNOTATE_H
#define TROD_ANNOTATE_H

#include "flow/flow.h"

enum { TROD_ANNOTATE_PATHS = 5, TROD_ANNOTATE_MARKS = 26 };

struct trod_annotate_options {
    bool (*wants)(const char *function, void *ctx); /* NULL: all functions */
    void *ctx;
    bool all;      /* include functions that did not run */
    size_t most;   /* paths of a function; 0: TROD_ANNOTATE_PATHS */
    bool one;      /* show only `path`, of the only selected function */
    uint64_t path; /* its id */
    const struct trod_times
        *times; /* sort paths by own time, and show it; NULL: by count */
    bool colour;
    bool exact;     /* counts with all their digits */
    unsigned width; /* columns to which texts and paths are clipped; 0: unlimited */
};

/* Text of a file. */
struct trod_annotate_text {
    const char *const *line; /* [nline]; NULL: see why */
    uint32_t nline;
    const char *why;
};

/* --- annotate_build.c ------------------------------------------------------------------------ */

struct trod_annotated_path {
    uint64_t id, count;
    const struct trod_time *time; /* NULL: was not timed */
    char mark;                    /* 0: no letter was free */
    uint32_t first, last;         /* lines; first 0: it has none */
    const uint64_t *on;           /* set of its lines, from first */
};

struct trod_annotated_function {
    const struct trod_flow *flow;
    const struct trod_map_included
        *text; /* text that it includes from this file; NULL: it is in this file */
    uint32_t first, last; /* lines; 0: unknown */
    const uint64_t *code; /* set of the lines with its code, from first */
    uint64_t count, own;  /* of all its paths */
    size_t npath;
    const struct trod_annotated_path *path; /* most frequent first; by own time */
};

struct trod_annotated_file {
    const struct trod_flow_source *source;
    const char *heading; /* the displayed name */
    struct trod_annotate_text text;
    uint32_t nfunction;
    const struct trod_annotated_function *function; /* by first line */
    const struct trod_times *times;                 /* NULL: none are shown */
    const uint64_t
        *own_of_row; /* [source->nrow] time of a line, in ticks; NULL: not shown */
    uint64_t
        hottest;    /* the highest count of a line in all files, or the longest time */
    uint64_t total; /* of all paths that ran, or their own time */
};

/* The selected functions of a file, and those that include text of it, and their paths. The caller fills heading,
 * text, own_of_row, hottest and total.
 *
 * cost:   O(paths x length of a path)
 */
void trod_annotate_build(struct trod_annotated_file *out,
    const struct trod_flow_source *source, const struct trod_map *map,
    const struct trod_annotate_options *options, struct trod_arena *mem);

/* The function with its lines in the annotated file. */
struct trod_map_entry trod_annotated_entry(
    const struct trod_annotated_function *function);

/* What shares are of: the count of a path, or its own time. */
uint64_t trod_annotated_weight(
    const struct trod_annotated_file *file, const struct trod_annotated_path *path);

/* Is a path on a line? */
bool trod_annotated_is_on(const struct trod_annotated_path *path, uint32_t line);

/* Has the function code on a line, its own or inlined? */
bool trod_annotated_has_code(
    const struct trod_annotated_function *function, uint32_t line);

/* fills:  first, last and code, of a function with flow and text */
void trod_annotated_find_range(
    struct trod_annotated_function *out, struct trod_arena *mem);

/* Finds the lines of a function's paths. */
struct trod_annotated_lines {
    struct trod_map_entry entry;
    uint32_t first, last; /* 0: unknown */
    struct trod_flow_places places;
};
void trod_annotated_lines_init(struct trod_annotated_lines *out,
    const struct trod_annotated_function *function, struct trod_arena *mem);
/* fills:  first, last and on */
void trod_annotated_lines_of(struct trod_annotated_path *path,
    const struct trod_annotated_lines *lines, const struct trod_map *map,
    struct trod_arena *mem);

/* --- annotate_times.c ------------------------------------------------------------------------ */

/* The time of each line of a file: for each path on it, its own time in ticks.
 *
 * fills:  own_of_row[source->nrow]
 * cost:   O(timed paths x lines of their functions)
 */
void trod_annotate_times(uint64_t *own_of_row, const struct trod_flow_source *source,
    const struct trod_map *map, const struct trod_times *times, struct trod_arena *mem);

/* Own time of all paths of a function. */
uint64_t trod_annotated_own(
    const struct trod_times *times, const struct trod_map_entry *entry);

/* The time of a path; NULL: it was not timed. */
const struct trod_time *trod_annotated_time(
    const struct trod_times *times, const struct trod_map_entry *entry, uint64_t id);

/* --- annotate_print.c ------------------------------------------------------------------------ */

/* Without the text of the file: the reason, and blocks. */
void trod_annotate_print(struct trod_sink *sink, const struct trod_annotated_file *file,
    const struct trod_flows *flows, const struct trod_annotate_options *options,
    struct trod_arena *mem);

/* An object. */
void trod_annotate_json(struct trod_json *json, const struct trod_annotated_file *file,
    const struct trod_flows *flows, struct trod_arena *mem);

#endif
