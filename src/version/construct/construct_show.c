#include "construct/construct.h"

#include <inttypes.h>
#include <stdio.h>

/* --- for people ------------------------------------------------------------------------------------------- */

/* Depth below the program, counting only the levels that are shown. */
static uint32_t depth_of(
    const struct trod_constructs *of, uint32_t construct, uint32_t level)
{
    uint32_t depth = 0;

    for (uint32_t c = of->construct[construct].parent; c && c != TROD_NO_CONSTRUCT;
        c = of->construct[c].parent)
        depth += of->construct[c].level >= level;
    return depth;
}

static void show_counts(struct trod_sink *sink, const struct trod_constructs *of)
{
    const char *comma = ":";

    trod_put(sink, "%s", of->name);
    for (uint32_t i = of->levels.nlevel; i-- > 0;) {
        uint32_t n = 0;

        for (uint32_t c = 1; c < of->nconstruct; c++)
            n += of->construct[c].level == of->levels.level[i].level;
        if (!n)
            continue;
        trod_put(sink, "%s %" PRIu32 " %s%s", comma, n, of->levels.level[i].name,
            n == 1                                          ? ""
            : of->levels.level[i].level == TROD_LEVEL_CLASS ? "es"
                                                            : "s");
        comma = ",";
    }
    trod_put(sink, "\n");
}

static void show_one(struct trod_sink *sink, const struct trod_constructs *of,
    const struct trod_construct *c, uint32_t depth)
{
    char lines[32];

    if (c->last == c->line)
        snprintf(lines, sizeof lines, "%" PRIu32, c->line);
    else
        snprintf(lines, sizeof lines, "%" PRIu32 "-%" PRIu32, c->line, c->last);
    trod_put(sink, "%*s%-11s %s", (int)(2 + 2 * depth), "", lines,
        c->level == TROD_LEVEL_LOOP ? "loop " : "");
    trod_put(sink, "%s", of->kinds.name[c->kind]);
    if (c->name)
        trod_put(sink, " %s", c->shown ? c->shown : c->name);
    trod_put(sink, "\n");
}

void trod_constructs_show(
    struct trod_sink *sink, const struct trod_constructs *of, uint32_t level)
{
    uint32_t file = 0;

    show_counts(sink, of);
    for (uint32_t i = 0; i < of->nnote; i++)
        trod_put(sink, "note: %s\n", of->note[i]);
    for (uint32_t c = 1; c < of->nconstruct; c++) {
        if (of->construct[c].level < level)
            continue;
        if (of->construct[c].file != file) {
            file = of->construct[c].file;
            trod_put(sink, "%s\n", of->files.name[file]);
        }
        show_one(sink, of, &of->construct[c], depth_of(of, c, level));
    }
}

/* --- for scripts -------------------------------------------------------------------------------------------- */

static void json_hash(struct trod_json *json, const char *key, uint64_t hash)
{
    char digits[17];

    snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    trod_json_text(json, key, digits);
}

static void json_construct(
    struct trod_json *json, const struct trod_constructs *of, uint32_t number)
{
    const struct trod_construct *c = &of->construct[number];

    trod_json_open(json, NULL, '{');
    trod_json_uint(json, "number", number);
    json_hash(json, "id", trod_construct_id(of, number));
    trod_json_text(json, "level", trod_level_name(&of->levels, c->level));
    trod_json_text(json, "kind", of->kinds.name[c->kind]);
    trod_json_text(json, "file", of->files.name[c->file]);
    trod_json_uint(json, "line", c->line);
    trod_json_uint(json, "last", c->last);
    trod_json_uint(json, "ordinal", c->ordinal);
    if (number)
        trod_json_uint(json, "parent", c->parent);
    if (c->name)
        trod_json_text(json, "name", c->name);
    if (c->shown)
        trod_json_text(json, "shown", c->shown);
    json_hash(json, "tree", c->tree);
    json_hash(json, "own", c->own);
    if (c->meaning)
        json_hash(json, "meaning", c->meaning);
    if (c->shape)
        json_hash(json, "shape", c->shape);
    trod_json_close(json, '}');
}

static void json_uses(struct trod_json *json, const struct trod_constructs *of)
{
    static const char *const kind[] = {[TROD_USE_CALLS] = "calls",
        [TROD_USE_MAY_CALL] = "may-call",
        [TROD_USE_NAMES] = "names"};

    trod_json_open(json, "uses", '[');
    for (uint32_t u = 0; u < of->nuse; u++) {
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "from", of->use[u].from);
        trod_json_uint(json, "to", of->use[u].to);
        trod_json_text(json, "kind", kind[of->use[u].kind]);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

static void json_words(
    struct trod_json *json, const char *key, const char **word, uint32_t count)
{
    trod_json_open(json, key, '[');
    for (uint32_t i = 0; i < count; i++)
        trod_json_text(json, NULL, word[i]);
    trod_json_close(json, ']');
}

void trod_constructs_json(
    struct trod_json *json, const char *key, const struct trod_constructs *of)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "name", of->name);
    json_words(json, "units", of->unit, of->ncall);
    json_words(json, "notes", of->note, of->nnote);
    trod_json_open(json, "constructs", '[');
    for (uint32_t c = 0; c < of->nconstruct; c++)
        json_construct(json, of, c);
    trod_json_close(json, ']');
    json_uses(json, of);
    trod_json_close(json, '}');
}
