#include "versions.h"

#include <inttypes.h>
#include <string.h>

struct gathering {
    struct trod_constructs_builder *builder;
    struct trod_depends_builder *depends; /* NULL: not wanted */
    uint32_t nread, nfailed;
};

static bool take_constructs(struct cli *cli, const struct cli_unit *unit,
    struct trod_text *text, const char *failure, void *ctx)
{
    struct gathering *g = ctx;

    if (failure) {
        g->nfailed++;
        cli_note(cli, "%s cannot be read: %s", unit->file, failure);
        return true;
    }
    g->nread++;
    return trod_constructs_add(g->builder, text, &cli->err);
}

/* What it means first; who depends on whom stands behind it. */
static bool take_code(struct cli *cli, const struct cli_unit *unit,
    struct trod_text *text, const char *failure, void *ctx)
{
    struct gathering *g = ctx;

    if (failure) {
        cli_note(cli, "%s cannot be compiled: %s", unit->file, failure);
        return true;
    }
    return trod_constructs_add_code(g->builder, text, &cli->err) &&
           (!g->depends || trod_depends_add(g->depends, text, &cli->err));
}

bool cli_version_constructs(struct cli *cli, struct trod_constructs *out,
    struct trod_depends *depends, const char *name, const char *root)
{
    struct gathering g = {.builder = trod_constructs_begin(name, &cli->mem)};
    struct cli_sources sources;

    if (depends)
        g.depends = trod_depends_begin(&cli->mem);
    if (!cli_sources_find(cli, &sources, name, root))
        return false;
    for (uint32_t i = 0; i < sources.nnote; i++)
        cli_note(cli, "%s", sources.note[i]);
    if (!cli_sources_each(cli, &sources, "constructs", NULL, take_constructs, &g))
        return false;
    if (!g.nread)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: of %" PRIu32
            " units none can be read; are the sources where they were compiled?",
            name, sources.count);
    if (!cli_sources_each(
            cli, &sources, "code", depends ? "--depends" : NULL, take_code, &g))
        return false;
    trod_constructs_build(out, g.builder);
    if (depends)
        trod_depends_build(depends, g.depends);
    return !TROD_CHECKED || trod_constructs_check(out, &cli->err);
}
