/* annotate: sources with what ran on them, for a terminal.
 *
 *     flows of a file + its text -> lines with counts and heat, paths beneath
 *
 * Glossary
 *   stretch  lines of a file that one function, or several on the same lines, are on
 *   mark     a letter for a path: it stands before each line that the path is on
 *   heat     a line's count, next to that of the line that was begun most
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
    bool all;      /* functions that did not run, too */
    size_t most;   /* paths of a function; 0: TROD_ANNOTATE_PATHS */
    bool one;      /* one path alone: `path`, of the one function that is wanted */
    uint64_t path; /* its id */
    bool colour;
    bool exact;     /* counts with all their digits */
    unsigned width; /* columns that texts and paths are cut to; 0: any number */
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
    char mark;            /* 0: none was left */
    uint32_t first, last; /* lines; first 0: it has none */
    const uint64_t *on;   /* set of lines from first */
};

struct trod_annotated_function {
    const struct trod_flow *flow;
    const struct trod_map_included
        *text;            /* that it includes from the file; NULL: it is of the file */
    uint32_t first, last; /* lines; 0: none is known */
    uint64_t count;       /* of all its paths */
    size_t npath;
    const struct trod_annotated_path *path; /* most frequent first */
};

struct trod_annotated_file {
    const struct trod_flow_source *source;
    const char *heading; /* its name for people */
    struct trod_annotate_text text;
    uint32_t nfunction;
    const struct trod_annotated_function *function; /* by first line */
    uint64_t hottest;                               /* line's count, of all files */
    uint64_t total;                                 /* of all paths that ran */
};

/* The functions of a file, and those that include text of it, that are wanted, and their paths. The caller gives heading,
 * text, hottest and total.
 *
 * cost:   O(paths x length of a path)
 */
void trod_annotate_build(struct trod_annotated_file *out,
    const struct trod_flow_source *source, const struct trod_map *map,
    const struct trod_annotate_options *options, struct trod_arena *mem);

/* The function with its lines in the file that is annotated. */
struct trod_map_entry trod_annotated_entry(
    const struct trod_annotated_function *function);

/* Is a path on a line? */
bool trod_annotated_is_on(const struct trod_annotated_path *path, uint32_t line);

/* --- annotate_print.c ------------------------------------------------------------------------ */

/* Without its text: why, and blocks. */
void trod_annotate_print(struct trod_sink *sink, const struct trod_annotated_file *file,
    const struct trod_flows *flows, const struct trod_annotate_options *options,
    struct trod_arena *mem);

/* An object. */
void trod_annotate_json(struct trod_json *json, const struct trod_annotated_file *file,
    const struct trod_flows *flows, struct trod_arena *mem);

#endif
