#include "pathset/pathset.h"
#include "base/order.h"

#include <stdlib.h>

size_t trod_known_map(struct trod_profile_function **out, const struct trod_map *map,
    struct trod_arena *mem)
{
    struct trod_profile_function *known =
        trod_new(mem, struct trod_profile_function, map->nentry);

    for (uint32_t i = 0; i < map->nentry; i++)
        known[i] = (struct trod_profile_function){.name = map->entry[i].name_hash,
            .graph = map->entry[i].graph_hash,
            .cuts = map->entry[i].cuts_hash,
            .npath = map->entry[i].chain.nchain};
    *out = known;
    return map->nentry;
}

size_t trod_known_ran(struct trod_profile_function **out, const struct trod_ran *ran,
    struct trod_arena *mem)
{
    struct trod_profile_function *known =
        trod_new(mem, struct trod_profile_function, ran->nfunction);

    for (size_t i = 0; i < ran->nfunction; i++)
        known[i] = ran->function[i].function;
    *out = known;
    return ran->nfunction;
}

static int by_function(const void *x, const void *y)
{
    return trod_function_compare(x, y);
}

static size_t lower_bound(const struct trod_profile_function *known, size_t nknown,
    const struct trod_profile_function *function)
{
    size_t low = TROD_LOWER_BOUND(
        middle, 0, nknown, trod_function_compare(&known[middle], function) < 0);

    return low;
}

/* The best match among the functions with the same name. */
static enum trod_list_fate fate_of(const struct trod_profile_function *known,
    size_t nknown, const struct trod_profile_function *function)
{
    struct trod_profile_function name = {.name = function->name};
    enum trod_list_fate fate = TROD_FATE_VANISHED;

    for (size_t i = lower_bound(known, nknown, &name);
        i < nknown && known[i].name == function->name; i++) {
        enum trod_list_fate closer = TROD_FATE_CHANGED;

        if (known[i].graph == function->graph)
            closer = trod_function_compare(&known[i], function) == 0 ? TROD_FATE_SAME
                                                                     : TROD_FATE_CUT;
        fate = closer < fate ? closer : fate;
    }
    return fate;
}

void trod_list_match(struct trod_list_match *out, const struct trod_list *list,
    struct trod_profile_function *known, size_t nknown, struct trod_arena *mem)
{
    uint8_t *fate = trod_new(mem, uint8_t, list->nfunction);

    trod_sort(known, nknown, by_function);
    *out = (struct trod_list_match){.fate_of_function = fate};
    for (size_t i = 0; i < list->nfunction; i++) {
        fate[i] = (uint8_t)fate_of(known, nknown, &list->function[i].function);
        out->nfunction_of_fate[fate[i]]++;
    }
}

void trod_known_sort(struct trod_profile_function *known, size_t nknown)
{
    trod_sort(known, nknown, by_function);
}

bool trod_known_has(const struct trod_profile_function *known, size_t nknown,
    const struct trod_profile_function *function)
{
    size_t i = lower_bound(known, nknown, function);

    return i < nknown && trod_function_compare(&known[i], function) == 0;
}

/* Do both lists have an equal function of this name? */
static bool shares_name(const struct trod_profile_function *own, size_t nown,
    const struct trod_profile_function *known, size_t nknown, uint64_t hash)
{
    struct trod_profile_function name = {.name = hash};

    for (size_t i = lower_bound(own, nown, &name); i < nown && own[i].name == hash; i++)
        if (trod_known_has(known, nknown, &own[i]))
            return true;
    return false;
}

void trod_list_others(struct trod_list_match *match, const struct trod_list *list,
    const struct trod_profile_function *own, size_t nown,
    const struct trod_profile_function *known, size_t nknown, struct trod_arena *mem)
{
    uint8_t *fate = trod_new(mem, uint8_t, list->nfunction);

    for (size_t i = 0; i < list->nfunction; i++) {
        fate[i] = match->fate_of_function[i];
        if ((fate[i] != TROD_FATE_CUT && fate[i] != TROD_FATE_CHANGED) ||
            !shares_name(own, nown, known, nknown, list->function[i].function.name))
            continue;
        match->nfunction_of_fate[fate[i]]--;
        fate[i] = TROD_FATE_OTHER;
        match->nfunction_of_fate[TROD_FATE_OTHER]++;
    }
    match->fate_of_function = fate;
}

const char *trod_fate_words(enum trod_list_fate fate)
{
    static const char *const words[] = {
        [TROD_FATE_SAME] = "it is the same",
        [TROD_FATE_CUT] = "its cuts differ: it was built with another --limit",
        [TROD_FATE_CHANGED] =
            "its graph differs: it changed, or was compiled differently",
        [TROD_FATE_VANISHED] = "the program has no function of this name",
        [TROD_FATE_OTHER] =
            "it belongs to another program, which has a function of the same name",
    };

    return words[fate];
}

void trod_list_keep(struct trod_list *out, const struct trod_list *list,
    const struct trod_list_match *match, struct trod_arena *mem)
{
    struct trod_list_function *function =
        trod_new(mem, struct trod_list_function, list->nfunction);
    size_t n = 0;

    for (size_t i = 0; i < list->nfunction; i++)
        if (match->fate_of_function[i] == TROD_FATE_SAME)
            function[n++] = list->function[i];
    trod_list_build(out, list->mode, function, n, mem);
}
