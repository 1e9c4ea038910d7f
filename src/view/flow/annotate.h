/* annotate: sources with counts, for a terminal.
 *
 *     flows of a file + its text -> lines with counts and heat, paths beneath
 *
 * Glossary
 *   stretch  lines of a file that belong to one function, or to several on the same lines
 *   mark     a letter for a path, printed before each line of the path
 *   heat     a line's count relative to that of the hottest line
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
    char mark;            /* 0: no letter was free */
    uint32_t first, last; /* lines; first 0: it has none */
    const uint64_t *on;   /* set of its lines, from first */
};

struct trod_annotated_function {
    const struct trod_flow *flow;
    const struct trod_map_included
        *text; /* text that it includes from this file; NULL: it is in this file */
    uint32_t first, last; /* lines; 0: unknown */
    uint64_t count;       /* of all its paths */
    size_t npath;
    const struct trod_annotated_path *path; /* most frequent first */
};

struct trod_annotated_file {
    const struct trod_flow_source *source;
    const char *heading; /* the displayed name */
    struct trod_annotate_text text;
    uint32_t nfunction;
    const struct trod_annotated_function *function; /* by first line */
    uint64_t hottest; /* the highest count of a line in all files */
    uint64_t total;   /* of all paths that ran */
};

/* The selected functions of a file, and those that include text of it, and their paths. The caller fills heading,
 * text, hottest and total.
 *
 * cost:   O(paths x length of a path)
 */
void trod_annotate_build(struct trod_annotated_file *out,
    const struct trod_flow_source *source, const struct trod_map *map,
    const struct trod_annotate_options *options, struct trod_arena *mem);

/* The function with its lines in the annotated file. */
struct trod_map_entry trod_annotated_entry(
    const struct trod_annotated_function *function);

/* Is a path on a line? */
bool trod_annotated_is_on(const struct trod_annotated_path *path, uint32_t line);

/* --- annotate_print.c ------------------------------------------------------------------------ */

/* Without the text of the file: the reason, and blocks. */
void trod_annotate_print(struct trod_sink *sink, const struct trod_annotated_file *file,
    const struct trod_flows *flows, const struct trod_annotate_options *options,
    struct trod_arena *mem);

/* An object. */
void trod_annotate_json(struct trod_json *json, const struct trod_annotated_file *file,
    const struct trod_flows *flows, struct trod_arena *mem);

#endif
