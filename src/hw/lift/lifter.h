/* lifter: state shared by the files of this stage. */
#ifndef TROD_LIFTER_H
#define TROD_LIFTER_H

#include "lift/lift.h"

enum { TROD_PLACE_BITS = 48 }; /* bits of the offset in a place */

#define TROD_NOWHERE UINT64_MAX

static inline uint32_t trod_place_unit(uint64_t place)
{
    return (uint32_t)(place >> TROD_PLACE_BITS);
}

static inline uint64_t trod_place_offset(uint64_t place)
{
    return place & ((UINT64_C(1) << TROD_PLACE_BITS) - 1);
}

/* --- lift_place.c: places ------------------------------------------------------------------- */

/* A table from places to numbers, which can be cleared in constant time. */
struct trod_place_table {
    struct trod_arena *mem;
    struct trod_place_slot {
        uint64_t place;
        uint32_t number, age;
    } *slot;
    uint32_t nslot, count, age;
};
void trod_place_table_init(struct trod_place_table *table, struct trod_arena *mem);
void trod_place_table_clear(struct trod_place_table *table);
/* The number of a place, `number` if it is new; *is_new may be NULL. */
uint32_t trod_place_table_add(
    struct trod_place_table *table, uint64_t place, uint32_t number, bool *is_new);
/* UINT32_MAX: not found. */
uint32_t trod_place_table_find(const struct trod_place_table *table, uint64_t place);

/* Where images of a process are, by address. */
struct trod_mapping {
    uint64_t start, end, first; /* first: place of start */
};
struct trod_process {
    const struct trod_mapping *mapping; /* ascending, disjoint */
    uint32_t nmapping;
};

struct trod_lifter {
    struct trod_lifted *out;
    struct trod_arena *mem;
    const struct trod_lift_files *files;
    uint64_t limit;
    struct trod_lift_unit *unit;
    uint32_t nunit, room_unit;
    struct trod_process *process; /* for each recording */
    const struct trod_seen *const *seen;
    uint32_t nseen, ncounted;
    struct trod_code *code; /* all, with places, ascending, unique */
    size_t ncode;
    uint64_t *entry; /* places, ascending */
    size_t nentry, room_entry;
    struct trod_place_table is_entry, back; /* back: targets of backward branches */
    struct trod_place_table function_at;    /* numbers of out->function */
    struct trod_place_table leader;         /* of the current function */
    uint32_t room_function;
};

/* fills:  unit, process, code */
bool trod_lift_place_all(struct trod_lifter *l, struct trod_err *err) TROD_MUST_CHECK;

uint64_t trod_lift_place(const struct trod_process *process, uint64_t address);

/* The code that begins at a place: an executed one, the rest of one, or one that did not run but can be
 * decoded (then *decoded is set). False: unknown.
 */
bool trod_lift_code_at(
    struct trod_code *out, bool *decoded, const struct trod_lifter *l, uint64_t place);

/* --- lift_find.c: functions --------------------------------------------------------------------- */

/* A path and its owner. */
struct trod_owned {
    uint64_t owner, start; /* places */
    const struct trod_seen_path *path;
    bool counted; /* otherwise only its start is used */
};

/* fills:  entry, is_entry, back, out->function[].entry; owned, by owner and start */
void trod_lift_find(struct trod_owned **owned, size_t *nowned, struct trod_lifter *l);

/* Does a function begin there? By execution, or by a symbol. */
bool trod_lift_is_entry(const struct trod_lifter *l, uint64_t place);

bool trod_lift_symbol_at(
    struct trod_lift_symbol *out, const struct trod_lifter *l, uint64_t place);

/* The function of an entry; built if necessary. If it has paths, starts are those of all of
 * them.
 *
 * fails:  TROD_E_LIMIT
 */
bool trod_lift_function(struct trod_lift_function **out, struct trod_lifter *l,
    uint64_t entry, const uint64_t *start, size_t nstart,
    struct trod_err *err) TROD_MUST_CHECK;

/* --- lift_graph.c: one function ------------------------------------------------------------------ */

/* needs:  entry, unit, name
 * fills:  graph, node, switch_node, exposed, view, limit, numbering, hashes of graph and cuts
 * fails:  TROD_E_LIMIT
 */
bool trod_lift_graph(struct trod_lift_function *f, const uint64_t *start, size_t nstart,
    struct trod_lifter *l, struct trod_err *err) TROD_MUST_CHECK;

/* --- lift_walk.c: ids of paths ----------------------------------------------------------------------- */

/* Count a path, for its owner and the functions that it continued into. */
bool trod_lift_walk(struct trod_lifter *l, const struct trod_owned *owned,
    struct trod_err *err) TROD_MUST_CHECK;

/* Sort the counts, and add those of equal ids. */
void trod_lift_settle(struct trod_lift_function *f);

#endif
