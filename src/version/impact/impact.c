#include "impact/impact_analysis.h"

#include <string.h>

const struct trod_impact_way trod_impact_ways[TROD_IMPACT_METHODS] = {
    [TROD_IMPACT_NONE] = {"none", "treat everything as affected: reprofile all of it",
        TROD_LEVEL_STATEMENT, false, trod_impact_find_none},
    [TROD_IMPACT_BLIND] = {"blind", "treat only deleted constructs as affected",
        TROD_LEVEL_STATEMENT, false, trod_impact_find_blind},
    [TROD_IMPACT_HASH] = {"hash", "functions whose clang profile hash changed",
        TROD_LEVEL_FUNCTION, false, trod_impact_find_hash},
    [TROD_IMPACT_BA] = {"ba",
        "changed functions, and everything that may run in a call from them or after them",
        TROD_LEVEL_FUNCTION, false, trod_impact_find_ba},
    [TROD_IMPACT_AG] = {"ag", "changed functions only", TROD_LEVEL_FUNCTION, false,
        trod_impact_find_ag},
    [TROD_IMPACT_SL] = {"sl",
        "statements that a change may reach through data or control flow",
        TROD_LEVEL_STATEMENT, true, trod_impact_find_sl},
    [TROD_IMPACT_HYBRID] = {"hybrid",
        "sl if the changes are above --threshold, "
        "otherwise ag",
        TROD_LEVEL_STATEMENT, true, trod_impact_find_hybrid},
    [TROD_IMPACT_OWN] = {"own", "loops and functions that changed themselves",
        TROD_LEVEL_LOOP, false, trod_impact_find_own},
};

bool trod_impact_parse_method(enum trod_impact_method *out, const char *word)
{
    for (int i = 0; i < TROD_IMPACT_METHODS; i++)
        if (strcmp(trod_impact_ways[i].name, word) == 0) {
            *out = (enum trod_impact_method)i;
            return true;
        }
    return false;
}

bool trod_impact_find(struct trod_impact *out, enum trod_impact_method method,
    const struct trod_impact_input *input, struct trod_arena *mem, struct trod_err *err)
{
    const struct trod_impact_way *way = &trod_impact_ways[method];

    *out =
        (struct trod_impact){.method = method, .chosen = method, .level = way->level};
    return way->find(out, input, mem, err);
}

bool trod_impact_find_hybrid(struct trod_impact *out,
    const struct trod_impact_input *input, struct trod_arena *mem, struct trod_err *err)
{
    double threshold = input->threshold == 0 ? 0.1 : input->threshold;

    out->chosen =
        input->changes->significance > threshold ? TROD_IMPACT_SL : TROD_IMPACT_AG;
    out->level = trod_impact_ways[out->chosen].level;
    return trod_impact_ways[out->chosen].find(out, input, mem, err);
}

static bool is_in_function(const struct trod_constructs *of, uint32_t c)
{
    while (c != TROD_NO_CONSTRUCT && of->construct[c].level != TROD_LEVEL_FUNCTION)
        c = of->construct[c].parent;
    return c != TROD_NO_CONSTRUCT;
}

/* Does the construct contain anything that the method found affected? */
static bool has_any(
    const struct trod_impact *of, const struct trod_constructs *old, uint32_t holder)
{
    for (uint32_t c = holder; c < old->construct[holder].next; c++)
        if (trod_has(of->affected_of_old, c) &&
            (old->construct[c].level >= of->level || !is_in_function(old, c)))
            return true;
    return false;
}

/* The nearest enclosing construct of a level. If there is none, the coarsest enclosing one that is finer: for a
 * statement outside loops, the statement it is part of.
 */
static uint32_t holder_of(const struct trod_constructs *of, uint32_t c, uint32_t level)
{
    uint32_t found = c;

    for (; c != TROD_NO_CONSTRUCT && of->construct[c].level <= level;
        c = of->construct[c].parent) {
        found = c;
        if (of->construct[c].level == level)
            break;
    }
    return found;
}

bool trod_impact_has(const struct trod_impact *of, const struct trod_changes *changes,
    uint32_t old, uint32_t level)
{
    uint32_t at_least = level > of->level ? level : of->level;
    uint32_t holder = holder_of(changes->old, old, at_least);

    if (changes->old->construct[holder].level <= TROD_LEVEL_FUNCTION ||
        of->chosen == TROD_IMPACT_BLIND)
        return trod_has(of->affected_of_old, holder);
    return has_any(of, changes->old, holder);
}
