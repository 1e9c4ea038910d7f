#include "change/change_matcher.h"

#include <inttypes.h>

static const char sign[] = {[TROD_CHANGE_ADDED] = '+',
    [TROD_CHANGE_DELETED] = '-',
    [TROD_CHANGE_EDITED] = '~',
    [TROD_CHANGE_MOVED] = '>'};

/* --- for people ----------------------------------------------------------------------------------------------- */

static const char *kind_of(const struct trod_constructs *of, uint32_t construct)
{
    return of->kinds.name[of->construct[construct].kind];
}

/* FILE:LINE and the name of the construct, or of the function that contains it. */
static void put_place(
    struct trod_sink *sink, const struct trod_constructs *of, uint32_t construct)
{
    const struct trod_construct *c = &of->construct[construct];
    const struct trod_construct *owner =
        &of->construct[trod_change_owner(of, construct)];

    trod_put(sink, "%s:%" PRIu32, of->files.name[c->file], c->line);
    if (c->ordinal)
        trod_put(sink, "#%" PRIu32, c->ordinal);
    if (owner->name)
        trod_put(sink, " %s", owner->shown ? owner->shown : owner->name);
}

/* The number of descendants that were added or deleted with it. */
static uint32_t count_with(
    const struct trod_constructs *of, const uint32_t *mapped, uint32_t construct)
{
    uint32_t n = 0;

    for (uint32_t c = construct + 1; c < of->construct[construct].next; c++)
        n += mapped[c] == TROD_NO_CONSTRUCT;
    return n;
}

static void put_change(
    struct trod_sink *sink, const struct trod_changes *of, const struct trod_change *c)
{
    bool is_gone = c->later == TROD_NO_CONSTRUCT, is_new = c->old == TROD_NO_CONSTRUCT;
    const struct trod_constructs *where = is_gone ? of->old : of->later;
    uint32_t at = is_gone ? c->old : c->later;
    uint32_t nwith = count_with(where, is_gone ? of->new_of_old : of->old_of_new, at);

    trod_put(sink, "%c ", sign[c->kind]);
    put_place(sink, where, at);
    trod_put(
        sink, ": %s", is_new ? kind_of(of->later, c->later) : kind_of(of->old, c->old));
    if (c->kind == TROD_CHANGE_EDITED)
        trod_put(sink, " -> %s", kind_of(of->later, c->later));
    else if (c->kind == TROD_CHANGE_MOVED)
        trod_put(sink, ", from line %" PRIu32, of->old->construct[c->old].line);
    else if (nwith)
        trod_put(sink, ", with %" PRIu32 " more", nwith);
    trod_put(sink, "\n");
}

/* Constructs of one level, by what became of them. */
struct tally {
    uint32_t nsame, nchanged, ndeleted, nadded;
};

static void count(
    struct tally *out, const struct trod_changes *of, uint32_t least, uint32_t most)
{
    *out = (struct tally){0};
    for (uint32_t c = 1; c < of->old->nconstruct; c++) {
        uint32_t level = of->old->construct[c].level;

        if (level < least || level > most)
            continue;
        out->nsame += trod_has(of->same_of_old, c);
        out->ndeleted += of->new_of_old[c] == TROD_NO_CONSTRUCT;
        out->nchanged +=
            of->new_of_old[c] != TROD_NO_CONSTRUCT && !trod_has(of->same_of_old, c);
    }
    for (uint32_t c = 1; c < of->later->nconstruct; c++) {
        uint32_t level = of->later->construct[c].level;

        out->nadded +=
            level >= least && level <= most && of->old_of_new[c] == TROD_NO_CONSTRUCT;
    }
}

static const struct row {
    const char *name;
    uint32_t least, most;
} rows[] = {
    {"functions", TROD_LEVEL_FUNCTION, TROD_LEVEL_FUNCTION},
    {"classes", TROD_LEVEL_CLASS, TROD_LEVEL_CLASS},
    {"loops", TROD_LEVEL_LOOP, TROD_LEVEL_LOOP},
    {"statements", 0, TROD_LEVEL_FUNCTION - 1},
};

static void put_rows(struct trod_sink *sink, const struct trod_changes *of)
{
    trod_put(
        sink, "%-12s %9s %9s %9s %9s\n", "", "same", "changed", "deleted", "added");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tally t;

        count(&t, of, rows[i].least, rows[i].most);
        trod_put(sink, "%-12s %9" PRIu32 " %9" PRIu32 " %9" PRIu32 " %9" PRIu32 "\n",
            rows[i].name, t.nsame, t.nchanged, t.ndeleted, t.nadded);
    }
}

void trod_changes_show(struct trod_sink *sink, const struct trod_changes *of)
{
    trod_put(sink, "%s -> %s: %" PRIu32 " change%s, %.2f%% of the program\n\n",
        of->old->name, of->later->name, of->nchange, of->nchange == 1 ? "" : "s",
        100 * of->significance);
    put_rows(sink, of);
    if (of->nchange)
        trod_put(sink, "\n");
    for (uint32_t i = 0; i < of->nchange; i++)
        put_change(sink, of, &of->change[i]);
}

/* --- for scripts ---------------------------------------------------------------------------------------------- */

static void json_place(struct trod_json *json, const char *key,
    const struct trod_constructs *of, uint32_t construct)
{
    const struct trod_construct *c = &of->construct[construct];
    const struct trod_construct *owner =
        &of->construct[trod_change_owner(of, construct)];

    trod_json_open(json, key, '{');
    trod_json_uint(json, "number", construct);
    trod_json_text(json, "level", trod_level_name(&of->levels, c->level));
    trod_json_text(json, "kind", of->kinds.name[c->kind]);
    trod_json_text(json, "file", of->files.name[c->file]);
    trod_json_uint(json, "line", c->line);
    trod_json_uint(json, "ordinal", c->ordinal);
    if (owner->name)
        trod_json_text(json, "in", owner->name);
    trod_json_close(json, '}');
}

static void json_rows(struct trod_json *json, const struct trod_changes *of)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct tally t;

        count(&t, of, rows[i].least, rows[i].most);
        trod_json_open(json, rows[i].name, '{');
        trod_json_uint(json, "same", t.nsame);
        trod_json_uint(json, "changed", t.nchanged);
        trod_json_uint(json, "deleted", t.ndeleted);
        trod_json_uint(json, "added", t.nadded);
        trod_json_close(json, '}');
    }
}

static void json_map(struct trod_json *json, const struct trod_changes *of)
{
    trod_json_open(json, "map", '[');
    for (uint32_t c = 0; c < of->old->nconstruct; c++) {
        if (of->new_of_old[c] == TROD_NO_CONSTRUCT)
            continue;
        trod_json_open(json, NULL, '{');
        trod_json_uint(json, "old", c);
        trod_json_uint(json, "new", of->new_of_old[c]);
        trod_json_bool(json, "same", trod_has(of->same_of_old, c));
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
}

void trod_changes_json(
    struct trod_json *json, const char *key, const struct trod_changes *of)
{
    trod_json_open(json, key, '{');
    trod_json_text(json, "old", of->old->name);
    trod_json_text(json, "new", of->later->name);
    trod_json_real(json, "significance", of->significance);
    json_rows(json, of);
    trod_json_open(json, "changes", '[');
    for (uint32_t i = 0; i < of->nchange; i++) {
        const struct trod_change *c = &of->change[i];

        trod_json_open(json, NULL, '{');
        trod_json_text(json, "kind", trod_change_kind_name(c->kind));
        if (c->old != TROD_NO_CONSTRUCT)
            json_place(json, "old", of->old, c->old);
        if (c->later != TROD_NO_CONSTRUCT)
            json_place(json, "new", of->later, c->later);
        trod_json_close(json, '}');
    }
    trod_json_close(json, ']');
    json_map(json, of);
    trod_json_close(json, '}');
}
