#include "impact/impact.h"

#include <inttypes.h>

enum { NONE = TROD_NO_CONSTRUCT };

static bool check_beyond(const uint64_t *set, uint32_t count, struct trod_err *err)
{
    return count % 64 == 0 || !(set[count / 64] >> count % 64) ||
           trod_fail(
               err, TROD_E_INTERNAL, "constructs that there are not are affected");
}

static bool check_versions(const struct trod_impact *of,
    const struct trod_changes *changes, struct trod_err *err)
{
    for (uint32_t c = 0; c < changes->old->nconstruct; c++) {
        uint32_t new = changes->new_of_old[c];
        bool affected = trod_has(of->affected_of_old, c);

        if (new == NONE ? !affected : affected != trod_has(of->affected_of_new, new))
            return trod_fail(err, TROD_E_INTERNAL,
                new == NONE ? "construct %" PRIu32 " of old is gone and not affected"
                            : "construct %" PRIu32
                              " of old is affected in one version and not in the other",
                c);
    }
    for (uint32_t c = 0; c < changes->later->nconstruct; c++)
        if (changes->old_of_new[c] == NONE && !trod_has(of->affected_of_new, c))
            return trod_fail(err, TROD_E_INTERNAL,
                "construct %" PRIu32 " of new was added and is not affected", c);
    return check_beyond(of->affected_of_old, changes->old->nconstruct, err) &&
           check_beyond(of->affected_of_new, changes->later->nconstruct, err);
}

static bool check_reason(const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t c, struct trod_err *err)
{
    uint32_t change = of->change_of_old[c], from = of->from_of_old[c];

    if (change != NONE && change >= changes->nchange)
        return trod_fail(
            err, TROD_E_INTERNAL, "construct %" PRIu32 " goes back to no change", c);
    if (!trod_has(of->affected_of_old, c))
        return (change == NONE && from == NONE) ||
               trod_fail(err, TROD_E_INTERNAL,
                   "construct %" PRIu32 " has a reason and is not affected", c);
    if (from == NONE)
        return true;
    if (from >= changes->old->nconstruct || !trod_has(of->affected_of_old, from))
        return trod_fail(err, TROD_E_INTERNAL,
            "construct %" PRIu32 " came through what is not affected", c);
    return of->change_of_old[from] == change ||
           trod_fail(err, TROD_E_INTERNAL,
               "construct %" PRIu32 " goes back to another change than what it came "
               "through",
               c);
}

/* Follow each chain of reasons until it ends or meets one that was followed before. walk[] has the number of the walk,
 * so that a cycle is found.
 */
static bool check_chains(const struct trod_impact *of,
    const struct trod_changes *changes, struct trod_arena *mem, struct trod_err *err)
{
    uint32_t n = changes->old->nconstruct;
    uint32_t *walk = trod_new(mem, uint32_t, (size_t)n + 1);

    for (uint32_t c = 0; c < n; c++) {
        uint32_t at = c;

        while (at != NONE && !walk[at]) {
            walk[at] = c + 1;
            at = of->from_of_old[at];
        }
        if (at != NONE && walk[at] == c + 1)
            return trod_fail(err, TROD_E_INTERNAL,
                "the reason of construct %" PRIu32 " is circular", c);
    }
    return true;
}

/* Check that a construct and the one that contains it are affected together where the method demands it. */
static bool check_levels(const struct trod_impact *of,
    const struct trod_changes *changes, const uint32_t *function, struct trod_err *err)
{
    const struct trod_constructs *old = changes->old;

    for (uint32_t c = 0; c < old->nconstruct; c++) {
        bool affected = trod_has(of->affected_of_old, c);
        uint32_t parent = old->construct[c].parent;

        if (function[c] == NONE || function[c] == c)
            continue;
        /* A deleted construct says nothing about a function whose meaning is unchanged. */
        if (changes->new_of_old[c] == NONE)
            continue;
        if (of->level == TROD_LEVEL_FUNCTION &&
            affected != trod_has(of->affected_of_old, function[c]))
            return trod_fail(err, TROD_E_INTERNAL,
                "construct %" PRIu32 " and its function are not both affected", c);
        if (of->level < TROD_LEVEL_FUNCTION && of->chosen != TROD_IMPACT_BLIND &&
            old->construct[c].level >= of->level && affected &&
            !trod_has(of->affected_of_old, parent))
            return trod_fail(err, TROD_E_INTERNAL,
                "construct %" PRIu32 " is affected and what holds it is not", c);
    }
    return true;
}

static void fill_functions(uint32_t *function, const struct trod_constructs *of)
{
    for (uint32_t c = 0; c < of->nconstruct; c++) {
        uint32_t parent = of->construct[c].parent;

        function[c] = of->construct[c].level == TROD_LEVEL_FUNCTION ? c
                      : parent == NONE                              ? NONE
                                                                    : function[parent];
    }
}

bool trod_impact_check(const struct trod_impact *of, const struct trod_changes *changes,
    struct trod_arena *mem, struct trod_err *err)
{
    struct trod_mark mark = trod_arena_mark(mem);
    uint32_t *function = trod_new(mem, uint32_t, (size_t)changes->old->nconstruct + 1);
    bool ok;

    fill_functions(function, changes->old);
    for (uint32_t c = 0; c < changes->old->nconstruct; c++)
        if (!check_reason(of, changes, c, err))
            return false;
    ok = check_versions(of, changes, err) && check_chains(of, changes, mem, err) &&
         check_levels(of, changes, function, err);
    trod_arena_rewind(mem, mark);
    return ok;
}
