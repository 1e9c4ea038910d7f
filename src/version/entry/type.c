#include "entry/entry.h"

#include <string.h>

static const struct trod_type base[] = {
    {"loops", "the number of iterations of each loop", TROD_LEVEL_LOOP, false, false,
        true, false},
    {"calls", "how often each function was entered", TROD_LEVEL_FUNCTION, false, false,
        true, false},
    {"callgraph", "how often each function called each other", TROD_LEVEL_FUNCTION,
        false, false, true, false},
    {"blocks", "how often each block ran", TROD_LEVEL_FUNCTION, false, false, true,
        false},
    {"edges", "how often each branch had each outcome", TROD_LEVEL_FUNCTION, false,
        false, true, false},
    {"paths", "how often each path ran", TROD_LEVEL_FUNCTION, false, false, true,
        false},
    {"sequences", "which call came after which", TROD_LEVEL_FUNCTION, true, true, true,
        false},
    {"strides", "how far apart the addresses of a load or store are",
        TROD_LEVEL_STATEMENT, false, false, false, false},
    {"reuse", "how much lies between two uses of the same data", TROD_LEVEL_PROGRAM,
        false, false, false, false},
};

void trod_types_init(struct trod_types *out, struct trod_arena *mem)
{
    *out = (struct trod_types){.mem = mem};
    for (size_t i = 0; i < sizeof base / sizeof *base; i++)
        trod_push(mem, out->type, out->ntype, out->room, base[i]);
}

static const struct trod_type *find(const struct trod_types *types, const char *name)
{
    for (uint32_t i = 0; i < types->ntype; i++)
        if (strcmp(types->type[i].name, name) == 0)
            return &types->type[i];
    return NULL;
}

bool trod_types_add(
    struct trod_types *types, const struct trod_type *type, struct trod_err *err)
{
    if (find(types, type->name))
        return trod_fail(err, TROD_E_INPUT,
            "type '%s' is already defined; choose another name", type->name);
    trod_reserve(types->mem, types->type, types->ntype, types->room);
    types->type[types->ntype] = *type;
    types->type[types->ntype++].added = true;
    return true;
}

/* "loop, function", truncated to what fits. */
static void list_levels(char *out, size_t room, const struct trod_levels *levels)
{
    *out = '\0';
    for (uint32_t i = 0; i < levels->nlevel; i++) {
        size_t used = strlen(out), length = strlen(levels->level[i].name);

        if (used + length + 3 > room)
            return;
        if (used)
            memcpy(out + used, ", ", 3);
        memcpy(out + strlen(out), levels->level[i].name, length + 1);
    }
}

static bool is_level(const struct trod_levels *levels, uint32_t level)
{
    for (uint32_t i = 0; i < levels->nlevel; i++)
        if (levels->level[i].level == level)
            return true;
    return false;
}

static const char *name_of(const struct trod_levels *levels, uint32_t level)
{
    for (uint32_t i = 0; i < levels->nlevel; i++)
        if (levels->level[i].level == level)
            return levels->level[i].name;
    return "?";
}

bool trod_types_find(struct trod_type *out, const struct trod_types *types,
    const char *name, uint32_t level, const struct trod_levels *levels,
    struct trod_err *err)
{
    const struct trod_type *known = find(types, name);
    char list[400];

    list_levels(list, sizeof list, levels);
    if (level && !is_level(levels, level))
        return trod_fail(
            err, TROD_E_INPUT, "there is no level %u; there are %s", level, list);
    if (!known && !level)
        return trod_fail(err, TROD_E_INPUT,
            "type '%s' is unknown, and so is the level at which its entries may be reused; add "
            "--level: %s",
            name, list);
    if (known && level && level < known->level)
        return trod_fail(err, TROD_E_INPUT,
            "entries of type '%s' may not be reused at level %s: the finest safe level is %s; "
            "remove --level, or name a coarser one",
            name, name_of(levels, level), name_of(levels, known->level));
    *out =
        known ? *known : (struct trod_type){.name = name, .about = "", .added = true};
    if (level)
        out->level = level;
    return true;
}
