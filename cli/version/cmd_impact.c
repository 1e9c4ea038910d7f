#include "commands.h"
#include "compare/migrate_version.h"
#include "input/input.h"
#include "output/output.h"
#include "version/versions.h"

#include <stdlib.h>
#include <string.h>

/* trod version impact: find what a new version affects, from descriptions of both versions. */

/* The contents of files, in the order given: the old version first. */
struct given {
    struct trod_constructs version[2];
    struct trod_depends depends[2];
    uint32_t nversion, ndepends;
    struct trod_text changes;
    bool has_changes;
};

static enum trod_impact_method method_of(const struct cli *cli)
{
    return cli->options.method ? (enum trod_impact_method)(cli->options.method - 1)
                               : TROD_IMPACT_OWN;
}

static bool read_constructs(struct cli *cli, struct given *g, struct trod_text *text)
{
    struct trod_constructs *out;

    if (g->nversion == 2)
        return cli_misused(
            cli, "%s: constructs of two versions were already given", text->file);
    out = &g->version[g->nversion++];
    return trod_constructs_parse(out, text, &cli->mem, &cli->err) &&
           (!TROD_CHECKED || trod_constructs_check(out, &cli->err));
}

static bool read_depends(struct cli *cli, struct given *g, struct trod_text *text)
{
    struct trod_depends_builder *builder;
    struct trod_depends *out;

    if (g->ndepends == 2)
        return cli_misused(
            cli, "%s: dependences of two versions were already given", text->file);
    builder = trod_depends_begin(&cli->mem);
    out = &g->depends[g->ndepends++];
    if (!trod_depends_add(builder, text, &cli->err))
        return false;
    trod_depends_build(out, builder);
    return !TROD_CHECKED || trod_depends_check(out, &cli->err);
}

/* Read a version, as far as the method needs it. */
static bool read_version(struct cli *cli, struct given *g, const char *path)
{
    struct cli_migrate_version version;
    enum trod_impact_method method = method_of(cli);
    struct cli_migrate_wants wants = {.constructs = true,
        .must = true,
        .shape = method == TROD_IMPACT_HASH,
        .depends = trod_impact_ways[method].needs_depends};

    if (g->nversion == 2)
        return cli_misused(
            cli, "%s: constructs of two versions were already given", path);
    if (!cli_migrate_version_read(cli, &version, path, &wants))
        return false;
    cli_constructs_note(cli, &version.constructs);
    g->version[g->nversion++] = version.constructs;
    if (version.has_depends)
        g->depends[g->ndepends++] = version.depends;
    return true;
}

static bool read_file(struct cli *cli, struct given *g, const char *path)
{
    struct trod_text text;
    struct trod_token head;

    if (cli_version_is(path))
        return read_version(cli, g, path);
    if (!cli_in_read(cli, &text, path) ||
        !trod_text_peek(&head, &text, &cli->mem, &cli->err))
        return false;
    if (trod_token_is_word(&head, "constructs"))
        return read_constructs(cli, g, &text);
    if (trod_token_is_word(&head, "depends") || trod_token_is_word(&head, "code"))
        return read_depends(cli, g, &text);
    if (!trod_token_is_word(&head, "changes"))
        return trod_text_fail(
            &text, &cli->err, "expected constructs, depends or changes");
    /* Parsed later: changes refer to constructs by number, which may be in a later file. */
    g->changes = text;
    g->has_changes = true;
    return true;
}

static bool read_all(struct cli *cli, struct given *g, struct trod_changes *changes)
{
    const struct cli_list *files = &cli->options.file;

    for (uint32_t i = 0; i < files->count; i++)
        if (!read_file(cli, g, files->item[i]))
            return false;
    if (g->nversion != 2)
        return cli_misused(
            cli, "name the constructs of the old version, and those of the new one");
    if (g->ndepends == 1)
        return cli_misused(
            cli, "the dependences of one version are missing; name them");
    if (g->has_changes)
        return trod_changes_parse(
            changes, &g->version[0], &g->version[1], &g->changes, &cli->mem, &cli->err);
    trod_changes_build(changes, &g->version[0], &g->version[1], NULL, &cli->mem);
    return !TROD_CHECKED || trod_changes_check(changes, &cli->err);
}

/* --- options ------------------------------------------------------------------------------------------- */

static bool read_threshold(struct cli *cli, double *out)
{
    const char *word = cli->options.threshold;
    char *end;

    *out = 0;
    if (!word)
        return true;
    *out = strtod(word, &end);
    if (end == word || *end || !(*out >= 0 && *out <= 1))
        return cli_misused(cli, "--threshold is a number from 0 to 1, not '%s'", word);
    if (*out == 0)
        *out = -1; /* always */
    return true;
}

static bool read_level(
    struct cli *cli, uint32_t *out, const struct trod_constructs *old)
{
    *out = TROD_LEVEL_FUNCTION;
    return !cli->options.level ||
           trod_level_parse(out, &old->levels, cli->options.level) ||
           cli_misused(cli,
               "invalid level '%s'; expected one of: statement, loop, function, class, program, or "
               "a number",
               cli->options.level);
}

static bool is_named(const struct trod_construct *c, const char *name)
{
    return c->level == TROD_LEVEL_FUNCTION &&
           ((c->name && strcmp(c->name, name) == 0) ||
               (c->shown && strcmp(c->shown, name) == 0));
}

/* Explain a function and its loops. */
static bool explain(
    struct cli *cli, const struct trod_impact *impact, const struct trod_changes *of)
{
    const char *name = cli->options.explain;
    bool any = false;

    for (uint32_t f = 0; f < of->old->nconstruct; f++) {
        if (!is_named(&of->old->construct[f], name))
            continue;
        any = true;
        trod_impact_explain(&cli->out.sink, impact, of, f);
        for (uint32_t c = f + 1; c < of->old->construct[f].next; c++)
            if (of->old->construct[c].level == TROD_LEVEL_LOOP)
                trod_impact_explain(&cli->out.sink, impact, of, c);
    }
    return any ||
           trod_fail(&cli->err, TROD_E_MISMATCH,
               "the old version has no function '%s'; 'trod version constructs' lists all functions",
               name);
}

static bool print(struct cli *cli, const struct trod_impact *impact,
    const struct trod_changes *changes, uint32_t level)
{
    if (cli->options.explain)
        return explain(cli, impact, changes);
    if (cli->options.as_text) {
        trod_impact_print(&cli->out.sink, impact, changes);
    } else if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_impact_json(&cli->json, "impact", impact, changes, level);
        trod_json_close(&cli->json, '}');
    } else {
        trod_impact_show(&cli->out.sink, impact, changes, level);
    }
    return true;
}

bool cli_impact(struct cli *cli)
{
    struct given *g = trod_new(&cli->mem, struct given, 1);
    struct trod_impact_input input = {0};
    struct trod_changes changes;
    struct trod_impact impact;
    uint32_t level;

    if (!read_threshold(cli, &input.threshold) || !read_all(cli, g, &changes) ||
        !read_level(cli, &level, &g->version[0]))
        return false;
    input.changes = &changes;
    if (g->ndepends) {
        input.old = &g->depends[0];
        input.later = &g->depends[1];
    }
    return trod_impact_find(&impact, method_of(cli), &input, &cli->mem, &cli->err) &&
           ((!cli->options.check && !TROD_CHECKED) ||
               trod_impact_check(&impact, &changes, &cli->mem, &cli->err)) &&
           print(cli, &impact, &changes, level);
}
