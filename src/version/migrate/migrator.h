/* migrator: what the files of this stage share. Not part of the interface. */
#ifndef TROD_MIGRATOR_H
#define TROD_MIGRATOR_H

#include "match/match.h"
#include "migrate/migrate.h"

/* Which block is which, and counts that fit together, are there as soon as match.c and repair.c are. */

/* Formatted, in the arena. */
const char *trod_migrate_text(struct trod_arena *mem, const char *format, ...)
    TROD_FORMAT(2, 3);

/* Names of the two are the same, NULL being one. */
bool trod_migrate_equal(const char *a, const char *b);

/* How many last parts two paths have in common. */
uint32_t trod_migrate_alike(const char *a, const char *b);

/* Do entries of a type have parts or ids that mean something in a graph? What a loop is in the new one; TROD_NONE: none. */
bool trod_carry_has_parts(const char *type);
uint32_t trod_carry_loop(const struct trod_joined *joined, uint32_t loop);

/* --- discriminate.c, check_units.c, migrate_inputs.c ------------------------------------------------------------------ */

struct migrator {
    struct trod_migration *m;
    struct trod_arena *mem;
    uint8_t *affected; /* [old constructs] 1: not, 2: yes; 0: not yet known */
    uint32_t room_unit;
    uint64_t *changed; /* set of joined: not the same any more */
    bool news;         /* what must be profiled again has something that is new */
};

/* Is anything affected in the construct of the level that holds this? */
bool trod_migrate_is_affected(struct migrator *d, uint32_t construct);
/* The innermost of at least a level with a line, in a function; the function if there is none. */
uint32_t trod_migrate_at_line(
    const struct trod_constructs *of, uint32_t function, uint32_t line, uint32_t level);

/* The unit that a part of a function is decided on with: its own, or the function's; NULL: there is none. */
const struct trod_migrate_unit *trod_migrate_unit_of(
    const struct trod_migration *m, uint32_t joined, uint32_t part);

/* Withdraw and grant, by inputs that the new version was profiled on as a whole. */
void trod_migrate_check_units(struct migrator *d);

/* What an input's profile is in the new version, and whether it must be run again.
 *
 * needs:  units, and which functions must be profiled again
 */
void trod_migrate_plan_input(struct migrator *d, struct trod_migrate_input *input);

#endif
