/* report: what a profile says, told to people and scripts.
 *
 *     profile + map -> report -> text, JSON
 *
 * A profile knows functions by hashes and paths by ids. The map, which the compiler left in the
 * binary, knows their names, graphs, numberings and lines. Together they tell which way the
 * program went.
 *
 * Glossary
 *   map      the text of a binary's section .trod.map: units, functions, lines
 *   entry    a function of the map
 *   step     one decision on a path: a block with several ways out, and which was taken
 *   row      one path of a report
 *
 * Memory: in the arena handed in; the map refers to nothing else.
 */
#ifndef TROD_REPORT_H
#define TROD_REPORT_H

#include "number/number.h"
#include "profile/profile.h"

/* --- map.c: what the binary carries --------------------------------------------------
 *
 *     unit FILE source                    # a module as the compiler saw it, and its mode
 *     command "clang -O2 ..."             # how it was compiled, if that is known
 *     skipped NAME REASON
 *     function NAME HASH HASH HASH        # of name, graph and cuts, hexadecimal
 *     file FILE                           # with debug information
 *     begun NAME                          # it counts how often it is begun
 *     numbering NAME ballarus
 *     ...
 *     lines NAME                          # with debug information: of each block
 *     0: 12 13
 */

struct trod_map_entry {
    const char *name; /* linkage name */
    const char *unit;
    const char *file; /* NULL: not known */
    uint64_t name_hash, graph_hash, cuts_hash;
    bool begun; /* it counts how often it is begun: how often it was left can be told */
    struct trod_numbering numbering;
    const uint32_t *first_line; /* [nnode + 1] into line, or NULL: not known */
    const uint32_t *line;
};

struct trod_map_skipped {
    const char *name, *unit, *why;
};

struct trod_map {
    struct trod_map_entry *entry;
    uint32_t nentry, room_entry;
    struct trod_map_skipped *skipped;
    uint32_t nskipped, room_skipped;
    const char **command; /* of the units that have one */
    uint32_t ncommand, room_command;
    uint32_t *slot; /* entries by name hash: number + 1, or 0 */
    uint32_t nslot;
    trod_edge *step; /* room for any path of any entry */
};

/* fails:  TROD_E_INPUT */
bool trod_map_parse(struct trod_map *out, struct trod_text *text,
    struct trod_arena *mem, struct trod_err *err) TROD_MUST_CHECK;

/* The entry of a function, or NULL. Its ids mean what the map says only if graph and cuts
 * are the same, so both must be.
 */
const struct trod_map_entry *trod_map_find(
    const struct trod_map *map, const struct trod_profile_function *function);

/* --- tell.c: one path in words ------------------------------------------------------------- */

/* Print a path as a person would tell it: where it starts, the decisions on it with their
 * lines, where it ends. Without lines, its blocks.
 *
 *     entry 12:T 15:F 20:case 3 return 31
 *     loop 12 13:T again
 */
void trod_tell_path(struct trod_sink *sink, const struct trod_map *map,
    const struct trod_map_entry *entry, trod_path id);

/* --- left.c: functions that were left in the middle ------------------------------------------ */

struct trod_left {
    const struct trod_map_entry *entry;
    uint64_t begun,
        ended; /* where it may be left: how often it went there, and came to an
                              end; the difference is how often it was left */
};

/* The functions that did not end as often as they were begun: were left by longjmp, by an
 * exception, by exit, or when the program was killed; or, the other way round, were begun
 * by another process, which then forked. In the order of the profile.
 *
 * cost:   O(paths x length of a path)
 */
size_t trod_report_left(struct trod_left **out, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem);

void trod_report_left_print(struct trod_sink *sink, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem);
void trod_report_left_json(struct trod_json *json, const struct trod_profile *profile,
    const struct trod_map *map, struct trod_arena *mem);

/* --- report.c: the hot paths ------------------------------------------------------------------ */

enum { TROD_REPORT_MOST = 20 }; /* paths, unless said otherwise */

struct trod_report_options {
    size_t most; /* paths; 0 = TROD_REPORT_MOST */
    bool blocks; /* blocks, not decisions */
};

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
    struct trod_arena *mem);

#endif
