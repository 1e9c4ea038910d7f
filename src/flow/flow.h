/* flow: how often every block, edge and line ran, as paths tell it.
 *
 *     profile + map -> flow -> lines of files -> (export, page, annotate, migrate)
 *
 * A path is a row of blocks: how often paths ran says how often each block and each edge did, and with the lines
 * of blocks, how often each line and each decision on it. Nothing is estimated here: where the profile is exact and
 * whole, so are these, and equal to what counters on blocks and edges would have counted.
 *
 * Glossary
 *   flow      all counts of one function
 *   entered   how often the function was entered, as paths tell it: one that was left in the middle of its first path
 *             is not seen
 *   begun, ended   how often it went where it may be left, and came to an end there; see report/left.c
 *   partial   only some paths of the function have a count: its blocks ran at least as often as is told
 *   decision  a block with several ways out
 *   line      of a source file. Its count is how often it was begun: came to from the function's entry or from a
 *             block whose last line is another, or the same in a round of a loop.
 *
 * Of chains of paths, the last path counts.
 *
 * Memory: in the arena handed in; flows refer to the map.
 */
#ifndef TROD_FLOW_H
#define TROD_FLOW_H

#include "report/report.h"

/* --- flow_build.c: counts of blocks and edges ----------------------------------------- */

/* How often everything in a function ran, in one profile. */
struct trod_flow {
    const struct trod_map_entry *entry; /* NULL: the profile did not count it */
    uint64_t *count_of_node;            /* [nnode]; NULL: it did not run */
    uint64_t *count_of_edge;            /* [nedge] */
    uint64_t entered;
    uint64_t begun, ended;
    bool partial;
    size_t npath; /* that ran, ascending */
    struct trod_profile_path *path;
};
struct trod_flows {
    const struct trod_map *map;
    struct trod_flow *of_entry; /* [map->nentry] */
    uint64_t nunknown; /* functions of the profile that the map does not know */
    bool ran;          /* something did */
    bool exact;        /* counts are no estimates */
};

/* Of several modules, tallies and groups, all are added up. Functions whose paths go on into calls are left out.
 *
 * fails:  TROD_E_MISMATCH when counts are estimates, or not of all paths
 * cost:   O(paths x length of a path)
 */
bool trod_flows_build(struct trod_flows *out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem,
    struct trod_err *err) TROD_MUST_CHECK;

/* The same of whatever there is: estimates, parts, and functions whose paths go on into calls, on their supergraphs. */
void trod_flows_build_any(struct trod_flows *out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem);

/* Did it run at all, or begin to? */
static inline bool trod_flow_ran(const struct trod_flow *flow)
{
    return flow->npath || flow->begun;
}

/* Where a function is: its file, or without debug information its unit. */
const char *trod_flow_file(const struct trod_map_entry *entry);
/* Line of a block, the first that is known; 0: none. */
uint32_t trod_flow_line(const struct trod_map_entry *entry, trod_node node);

/* --- flow_lines.c: counts of lines and decisions, file by file --------------------------- */

struct trod_flow_way {
    trod_edge edge; /* of the function's graph */
    uint64_t count;
};

struct trod_flow_decision {
    uint32_t function; /* of the file */
    trod_node node;
    uint32_t line; /* the last of the block; 0: not known */
    uint32_t nway;
    const struct trod_flow_way *way; /* [nway], in the program's order */
    uint64_t count;                  /* of the block */
};

struct trod_flow_row {
    uint32_t line; /* not 0 */
    uint64_t count;
};

struct trod_flow_function {
    const struct trod_flow *flow;
    uint32_t line; /* where it begins: of its entry block; 0: not known */
};

struct trod_flow_source {
    const char *name;      /* as the map has it */
    const char *directory; /* where it was compiled; NULL: not known */
    uint32_t nfunction;
    const struct trod_flow_function *function; /* by line, then name */
    uint32_t nrow;
    const struct trod_flow_row *row; /* lines that have code, ascending */
    uint32_t ndecision;
    const struct trod_flow_decision *decision; /* by line, function, node */
};

/* Every function that the profile counted is there, run or not; supergraphs are not. Functions that are there several times
 * (static inline ones, templates) share their lines, whose counts are added up.
 *
 * fills:  *out, by name
 * cost:   O(blocks + edges), a sort of lines
 */
size_t trod_flow_sources(struct trod_flow_source **out, const struct trod_flows *flows,
    struct trod_arena *mem);

/* The lines of one function, ascending; how many. */
uint32_t trod_flow_rows(
    struct trod_flow_row **out, const struct trod_flow *flow, struct trod_arena *mem);

#endif
