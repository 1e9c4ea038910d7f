#include "impact/impact.h"

#include <inttypes.h>

enum { NONE = TROD_NO_CONSTRUCT };

struct sum {
    uint32_t level, count, affected;
};

/* Functions and finer constructs are marked themselves; classes and the program are affected if anything in them is. */
static bool is_affected(
    const struct trod_impact *of, const struct trod_changes *changes, uint32_t c)
{
    if (changes->old->construct[c].level <= TROD_LEVEL_FUNCTION)
        return trod_has(of->affected_of_old, c);
    return trod_impact_has(of, changes, c, changes->old->construct[c].level);
}

static struct sum sum_of(
    const struct trod_impact *of, const struct trod_changes *changes, uint32_t level)
{
    struct sum sum = {.level = level};

    for (uint32_t c = 0; c < changes->old->nconstruct; c++) {
        if (changes->old->construct[c].level != level)
            continue;
        sum.count++;
        sum.affected += is_affected(of, changes, c);
    }
    return sum;
}

static bool is_shown(const struct trod_impact *of, const struct trod_changes *changes,
    uint32_t c, uint32_t level)
{
    return changes->old->construct[c].level == level && is_affected(of, changes, c);
}

static void show_one(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t c)
{
    uint32_t from = of->from_of_old[c], change = of->change_of_old[c];

    trod_put(sink, "  ");
    trod_construct_describe(sink, changes->old, c);
    if (change != NONE && changes->change[change].old != c) {
        trod_put(sink, "  because of ");
        if (changes->change[change].old != NONE)
            trod_construct_describe(sink, changes->old, changes->change[change].old);
        else
            trod_construct_describe(
                sink, changes->later, changes->change[change].later);
        if (from != NONE && from != changes->change[change].old) {
            trod_put(sink, ", through ");
            trod_construct_describe(sink, changes->old, from);
        }
    }
    trod_put(sink, "\n");
}

void trod_impact_show(struct trod_sink *sink, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t level)
{
    const struct trod_levels *levels = &changes->old->levels;
    const char *name = trod_level_name(levels, level);

    trod_put(sink, "%s to %s by %s", changes->old->name, changes->later->name,
        trod_impact_ways[of->method].name);
    if (of->chosen != of->method)
        trod_put(sink, ", which chose %s", trod_impact_ways[of->chosen].name);
    trod_put(sink, ": %" PRIu32 " changes, significance %.4f\n", changes->nchange,
        changes->significance);
    for (uint32_t i = 0; i < levels->nlevel; i++) {
        struct sum sum = sum_of(of, changes, levels->level[i].level);

        if (sum.count)
            trod_put(sink, "  %-10s %8" PRIu32 " of %8" PRIu32 " affected\n",
                levels->level[i].name, sum.affected, sum.count);
    }
    trod_put(sink, "affected at level %s:\n", name ? name : "?");
    for (uint32_t c = 0; c < changes->old->nconstruct; c++)
        if (is_shown(of, changes, c, level))
            show_one(sink, of, changes, c);
}

/* --- JSON ------------------------------------------------------------------------------------------------- */

static void json_construct(struct trod_json *json, const char *key,
    const struct trod_constructs *of, uint32_t c)
{
    const struct trod_construct *construct = &of->construct[c];

    trod_json_open(json, key, '{');
    trod_json_uint(json, "number", c);
    trod_json_text(json, "file", of->files.name[construct->file]);
    trod_json_uint(json, "line", construct->line);
    if (construct->ordinal)
        trod_json_uint(json, "ordinal", construct->ordinal);
    if (construct->name)
        trod_json_text(json, "name", construct->name);
    trod_json_close(json, '}');
}

static void json_affected(struct trod_json *json, const struct trod_impact *of,
    const struct trod_changes *changes, uint32_t c)
{
    uint32_t change = of->change_of_old[c];

    trod_json_open(json, NULL, '{');
    json_construct(json, "construct", changes->old, c);
    if (change != NONE) {
        trod_json_uint(json, "change", change);
        if (changes->change[change].old != NONE)
            json_construct(json, "old", changes->old, changes->change[change].old);
        if (changes->change[change].later != NONE)
            json_construct(json, "new", changes->later, changes->change[change].later);
    }
    if (of->from_of_old[c] != NONE)
        json_construct(json, "through", changes->old, of->from_of_old[c]);
    trod_json_close(json, '}');
}

void trod_impact_json(struct trod_json *json, const char *key,
    const struct trod_impact *of, const struct trod_changes *changes, uint32_t level)
{
    const struct trod_levels *levels = &changes->old->levels;

    trod_json_open(json, key, '{');
    trod_json_text(json, "old", changes->old->name);
    trod_json_text(json, "new", changes->later->name);
    trod_json_text(json, "method", trod_impact_ways[of->method].name);
    trod_json_text(json, "chosen", trod_impact_ways[of->chosen].name);
    trod_json_uint(json, "level", of->level);
    trod_json_uint(json, "changes", changes->nchange);
    trod_json_real(json, "significance", changes->significance);
    trod_json_open(json, "levels", '[');
    for (uint32_t i = 0; i < levels->nlevel; i++) {
        struct sum sum = sum_of(of, changes, levels->level[i].level);

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "name", levels->level[i].name);
        trod_json_uint(json, "level", sum.level);
        trod_json_uint(json, "constructs", sum.count);
        trod_json_uint(json, "affected", sum.affected);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    trod_json_open(json, "affected", '[');
    for (uint32_t c = 0; c < changes->old->nconstruct; c++)
        if (is_shown(of, changes, c, level))
            json_affected(json, of, changes, c);
    trod_json_close(json, ']');
    trod_json_close(json, '}');
}
