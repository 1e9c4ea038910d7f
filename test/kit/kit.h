/* The test kit: properties that shrink, and allocation failures one by one.
 *
 * A property is a function that builds its input from kit_draw and returns whether
 * something holds.  The kit records the numbers drawn.  When the property returns
 * false the kit deletes and lowers recorded numbers and runs the property again, as
 * long as it keeps failing: the input that is reported is small, and the property's
 * author writes no shrinker.
 *
 * For that to work well:
 *   - a lower draw should mean a smaller or plainer input;
 *   - a property must end when every draw is 0, which is what draws beyond the
 *     recorded ones give: never draw until something nonzero comes;
 *   - a property returns false; it uses no assert_* of cmocka, which would leave it
 *     before the kit could shrink;
 *   - its result depends on its draws alone.
 *
 * The environment: TROD_PROP_RUNS, runs per property (10000); TROD_PROP_SEED, the
 * seed (fixed by default); TROD_PROP_NAME, check only the property of this name;
 * TROD_PROP_REPLAY, run once with these choices, "3,0,5".  A report of failure, or
 * of a crash, prints the command line that repeats it.
 */
#ifndef KIT_H
#define KIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct kit_prop;
struct trod_arena;

typedef bool (*kit_property)(struct kit_prop *p, void *ctx);

/* --- prop.c: properties ------------------------------------------------------- */

/* A number from 0 to bound - 1; bound must not be 0. */
uint64_t kit_draw(struct kit_prop *p, uint64_t bound);

/* Say something about the input, for the report; a newline is added.  Notes of one
 * run accumulate; only those of the shrunk failure are shown.
 */
void kit_note(struct kit_prop *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Fail the running cmocka test unless the property holds in every run. */
void kit_check(const char *name, kit_property fn, void *ctx);

/* Fail the running cmocka test unless the property fails in some run: for a property
 * over code with a fault planted in it.  Prints the shrunk counterexample as a TAP
 * comment.
 */
void kit_check_planted(const char *name, kit_property fn, void *ctx);

/* A property, and the faults that it must find: an enum of the test, in which 0 is none. The property gets
 * the address of the planted fault, or NULL.
 */
enum { KIT_FAULTS = 8 };
struct kit_tested {
    const char *name;
    kit_property property;
    unsigned fault[KIT_FAULTS];
};

/* Run each property without a fault, and with its faults one by one: two cmocka tests per property.
 * Returns the status for main.
 */
int kit_run_tested(const char *group, const struct kit_tested *tested, size_t count);

/* The result of a search; only for tests of the smallest failure. */
struct kit_result {
    bool failed;
    uint64_t run;          /* the run that failed first */
    size_t nshrink;        /* runs that shrinking took */
    size_t nchoice;        /* after shrinking, without trailing zeros */
    uint64_t choice[1024]; /* the first of them */
    char note[4096];       /* of the shrunk run, cut to fit */
};

/* Search for a failure and shrink it. Prints nothing, and does not fail the test. */
void kit_search(struct kit_result *out, const char *name, kit_property fn, void *ctx);

/* --- shrink.c: fewer and lower choices that still fail ------------------------- */

/* Owned by whoever declared it; starts as zeros and ends with kit_choices_free. */
struct kit_choices {
    uint64_t *at;
    size_t count, room;
};

void kit_choices_add(struct kit_choices *choices, uint64_t value);
void kit_choices_copy(struct kit_choices *to, const struct kit_choices *from);
void kit_choices_free(struct kit_choices *choices);

/* Whether a run that is given these choices fails; fills in what it really drew,
 * without trailing zeros.
 */
typedef bool (*kit_fails)(
    struct kit_choices *made, const struct kit_choices *given, void *ctx);

/* Make choices that fail smaller; returns the number of runs that took. */
size_t kit_shrink(struct kit_choices *best, kit_fails fails, void *ctx);

/* --- alloc.c: running out of memory ------------------------------------------ */

/* Call fn once for each allocation it makes, with the 1st, then the 2nd, then the
 * 3rd ... allocation of the arena failing, until a call completes without a failure.
 * fn is left by longjmp, so it must hold nothing but the arena.  Fails the running
 * cmocka test when an arena keeps a chunk after it was freed.  Returns the number of
 * failures that were made.
 */
size_t kit_each_allocation_failure(
    void (*fn)(struct trod_arena *mem, void *ctx), void *ctx);

#endif
