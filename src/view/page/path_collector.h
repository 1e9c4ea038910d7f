/* path_collector: the paths of a page while it is built. Shared by page_paths.c and page_build.c. */
#ifndef TROD_PATH_COLLECTOR_H
#define TROD_PATH_COLLECTOR_H

#include "page/page.h"

struct collected_path {
    uint32_t entry; /* of the map */
    uint32_t flags;
    uint64_t id;
    uint64_t count, weight, old;
    uint32_t ntest;
    uint32_t test[TROD_PAGE_TESTS]; /* the first of these */
};

struct path_collector {
    const struct trod_profile *profile;
    const struct trod_map *map;
    const struct trod_page_options *options;
    struct trod_arena *mem;
    struct collected_path *path; /* by entry and id, until they are ordered */
    size_t npath, room;
    const struct trod_profile_function *
        *function_of_entry; /* NULL: not in the profile */
    uint64_t total, weight; /* of all that ran, wanted or not, known or not */
    uint64_t nunknown;      /* functions that ran and are in no map */
    uint64_t unknown;       /* how often their paths ran */
    uint64_t nbad;          /* ids that are not paths of their function */
    uint64_t nchanged,
        ngone; /* functions of the profile before that cannot be compared; and paths */
    bool *changed;          /* [map->nentry] functions that cannot */
    uint64_t *old_of_entry; /* [map->nentry] their counts in the profile before */
    uint64_t old_total;
};

/* All paths of the profile that a map knows, each once, whatever module and group they are of.
 *
 * fills:  path, totals
 */
void trod_page_gather(struct path_collector *g);

/* Mark what no test ran, and which tests take what; what is new, gone and was before; and add what ran before, or nearly ran.
 *
 * fails:  TROD_E_MISMATCH
 */
bool trod_page_flag(struct path_collector *g, struct trod_err *err) TROD_MUST_CHECK;

/* Is the function of this entry wanted? */
bool trod_page_wants(const struct path_collector *g, uint32_t entry);

#endif
