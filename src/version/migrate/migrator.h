/* migrator: shared by the files of this stage; not part of the interface. */
#ifndef TROD_MIGRATOR_H
#define TROD_MIGRATOR_H

#include "match/match.h"
#include "migrate/migrate.h"

/* Formatted, in the arena. */
const char *trod_migrate_text(struct trod_arena *mem, const char *format, ...)
    TROD_FORMAT(2, 3);

/* Are two names equal? NULL equals NULL. */
bool trod_migrate_equal(const char *a, const char *b);

/* The number of trailing components that two paths have in common. */
uint32_t trod_migrate_alike(const char *a, const char *b);

/* Do entries of a type have parts or ids of a graph? The new loop of an old one; TROD_NONE: none. */
bool trod_carry_has_parts(const char *type);
uint32_t trod_carry_loop(const struct trod_joined *joined, uint32_t loop);

/* --- map_index.c: functions of a map ------------------------------------------------------------------------- */

/* Functions of the map by name and file; the count is the number of the map entry. */
void trod_migrate_index(
    struct trod_entries *out, const struct trod_map *map, struct trod_arena *mem);

/* --- discriminate.c, check_units.c, migrate_inputs.c ------------------------------------------------------------------ */

struct migrator {
    struct trod_migration *m;
    struct trod_arena *mem;
    uint8_t *affected; /* [old constructs] 1: not, 2: yes; 0: not yet known */
    uint32_t room_unit;
    uint64_t *changed; /* set of joined functions that changed */
    bool news; /* some function that must be profiled again has new constructs */
};

/* Is anything affected in the construct of this level that contains it? */
bool trod_migrate_is_affected(struct migrator *d, uint32_t construct);
/* The innermost construct of at least a level that contains a line, in a function; the function if there is none. */
uint32_t trod_migrate_at_line(
    const struct trod_constructs *of, uint32_t function, uint32_t line, uint32_t level);

/* The unit of a part of a function: its own, or the function's; NULL: there is none. */
const struct trod_migrate_unit *trod_migrate_unit_of(
    const struct trod_migration *m, uint32_t joined, uint32_t part);

/* Withdraw and grant units according to check runs. */
void trod_migrate_check_units(struct migrator *d);

/* Plan the profile of an input for the new version, and whether it must be run again.
 *
 * needs:  units, and which functions must be profiled again
 */
void trod_migrate_plan_input(struct migrator *d, struct trod_migrate_input *input);

#endif
