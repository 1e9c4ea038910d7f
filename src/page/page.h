/* page: a profile to look at.
 *
 *     profile + map + sources -> page -> one file of HTML
 *
 * The file has everything in it: styles, scripts, and the data as one JSON object, whose form doc/page.md specifies. It asks
 * no network, and works from where it lies. What is counted, decided and laid out is done here, and what the viewer
 * chooses to see of it is done by the scripts in src/page/view.
 *
 * Glossary
 *   file      a source, with its text if it was found
 *   function  one of the page: all that ran, and those that did not if wished. Its number here is what the rest refers to.
 *   layout    where blocks and edges are drawn, as Graphviz has it
 *   way       a path as its start and the decisions on it, one character each: independent of numberings
 * What is there beside functions and paths is in kinds.h.
 *
 * Memory: in the arena handed in; the page refers to profile, map and sources.
 */
#ifndef TROD_PAGE_H
#define TROD_PAGE_H

#include "flow/flow.h"
#include "page/kinds.h"

/* --- page_build.c: functions and paths ----------------------------------------------------------------------- */

struct trod_page_file {
    const char *name;        /* as the map has it */
    const char *const *line; /* [nline]; NULL: it was not found */
    uint32_t nline;
    const char *why; /* it was not found */
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

struct trod_page_function {
    const struct trod_flow *flow;
    uint32_t file;
    uint32_t line;   /* where it begins; 0: not known */
    uint64_t count;  /* of all its paths */
    uint64_t weight; /* blocks that ran */
    uint64_t npath;  /* that there are; UINT64_MAX: too many to enumerate */
    const struct trod_page_layout *layout; /* NULL: none */
};

enum {                      /* what is known of a path, as a set */
    TROD_PAGE_UNTESTED = 1, /* it ran, and no test ran it */
    TROD_PAGE_NEVER = 2,    /* it did not run at all: one of the nearest that did not */
    TROD_PAGE_NEW = 4,      /* it did not run in the profile before */
    TROD_PAGE_GONE = 8      /* it ran in that, and no longer does */
};

struct trod_page_path {
    uint32_t function;
    uint64_t id;
    uint64_t count, weight;
    uint64_t old; /* its count in the profile before */
    uint32_t flags;
    uint32_t confidence; /* a number of page->confidence, where these are */
};

/* --- page_write.c: one file -------------------------------------------------------------------------------------------- */

struct trod_page_fact {
    const char *what, *value;
};

struct trod_page {
    const char *title;
    const struct trod_page_fact *fact;
    uint32_t nfact;
    const char *const *note; /* what is not in it, and why */
    uint32_t nnote;
    const struct trod_profile *profile;
    const struct trod_map *map;
    const struct trod_flows *flows;
    bool exact;
    bool has_tested, has_old; /* flags and old counts of paths mean something */
    uint64_t total, weight;   /* of all paths that ran */
    const struct trod_page_file *file;
    uint32_t nfile;
    const struct trod_page_function *function;
    uint32_t nfunction;
    const uint32_t *
        function_of_entry; /* [map->nentry]: its number here; TROD_NONE: it is not in the page */
    const struct trod_page_path *path; /* most often first */
    size_t npath;
    const struct trod_page_confidence
        *confidence; /* NULL: all counts are what they are */
    uint32_t nconfidence;
    const struct trod_page_spans *spans;
    uint32_t nspans;
    const struct trod_page_table *table;
    uint32_t ntable;
    const struct trod_page_hardware *hardware; /* NULL: none */
};

/* The data, as doc/page.md has it. */
void trod_page_json(struct trod_json *json, const struct trod_page *page);

/* Markup, styles, data and scripts. */
void trod_page_write(struct trod_sink *sink, const struct trod_page *page);

#endif
