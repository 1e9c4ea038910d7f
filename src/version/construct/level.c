#include "construct/construct.h"

#include <inttypes.h>
#include <string.h>

static void insert(struct trod_levels *levels, uint32_t level, const char *name)
{
    uint32_t at = levels->nlevel;

    trod_reserve(levels->mem, levels->level, levels->nlevel, levels->room);
    for (; at > 0 && levels->level[at - 1].level > level; at--)
        levels->level[at] = levels->level[at - 1];
    levels->level[at] = (struct trod_level_name){.level = level, .name = name};
    levels->nlevel++;
}

void trod_levels_init(struct trod_levels *out, struct trod_arena *mem)
{
    *out = (struct trod_levels){.mem = mem};
    insert(out, TROD_LEVEL_STATEMENT, "statement");
    insert(out, TROD_LEVEL_LOOP, "loop");
    insert(out, TROD_LEVEL_FUNCTION, "function");
    insert(out, TROD_LEVEL_CLASS, "class");
    insert(out, TROD_LEVEL_PROGRAM, "program");
}

/* Names must not look like a level's number, and must not need quotes. */
static bool is_word(const char *name)
{
    const char *p = name;

    while ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_' ||
           (p > name && *p >= '0' && *p <= '9'))
        p++;
    return p > name && !*p;
}

bool trod_levels_add(
    struct trod_levels *levels, uint32_t level, const char *name, struct trod_err *err)
{
    if (!is_word(name))
        return trod_fail(err, TROD_E_INPUT,
            "'%s' is not a valid name of a level; use letters, digits and _", name);
    for (uint32_t i = 0; i < levels->nlevel; i++) {
        const struct trod_level_name *known = &levels->level[i];

        if (known->level == level || strcmp(known->name, name) == 0)
            return trod_fail(err, TROD_E_INPUT,
                "there is a level %" PRIu32 " already, named '%s'; take another number "
                "and another name",
                known->level, known->name);
    }
    insert(levels, level, name);
    return true;
}

const char *trod_level_name(const struct trod_levels *levels, uint32_t level)
{
    for (uint32_t i = 0; i < levels->nlevel; i++)
        if (levels->level[i].level == level)
            return levels->level[i].name;
    return NULL;
}

bool trod_level_parse(uint32_t *out, const struct trod_levels *levels, const char *word)
{
    uint64_t number;
    bool is_number = trod_text_uint(&number, word);

    for (uint32_t i = 0; i < levels->nlevel; i++) {
        const struct trod_level_name *known = &levels->level[i];

        if (is_number ? known->level == number : strcmp(known->name, word) == 0) {
            *out = known->level;
            return true;
        }
    }
    return false;
}
