#include "commands.h"
#include "compare/migrate_version.h"
#include "input/input.h"
#include "version/versions.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "elf/section.h"

/* --- maps ---------------------------------------------------------------------------------------------- */

/* Absolute, as programs record it in their profiles. */
static const char *whole_path(struct cli *cli, const char *path)
{
    char found[PATH_MAX];

    return realpath(path, found) ? trod_copy(&cli->mem, found) : path;
}

static bool read_map(struct cli *cli, struct cli_migrate_version *out)
{
    struct cli_list around = {0};
    char *bytes, *id;
    size_t length;
    struct trod_text text;

    if (!trod_elf_build_id(&id, out->name, &cli->mem, &cli->err) ||
        !trod_elf_section(
            &bytes, &length, out->name, ".trod.map", &cli->mem, &cli->err))
        return false;
    if (!length)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: it has no map: it was not compiled by 'trod cc', or it was stripped; name the "
            "map that 'trod split' wrote",
            out->name);
    trod_string_init(&out->map_text, &cli->mem);
    out->map_text.sink.put(&out->map_text.sink, bytes, length);
    out->path = whole_path(cli, out->name);
    out->build_id = id;
    out->has_map = true;
    trod_text_init(&text, ".trod.map", out->map_text.text, out->map_text.length);
    if (!trod_map_parse(&out->map, &text, &cli->mem, &cli->err))
        return false;
    cli_place_add(cli, &around, out->path);
    for (uint32_t i = 0; i < out->map.nunit; i++)
        out->map.unit[i].directory = cli_place_find(
            cli, out->map.unit[i].directory, out->map.unit[i].file, &around);
    return true;
}

static bool begins(const struct cli_bytes *in, const char *word)
{
    size_t n = strlen(word);

    return in->length >= n && memcmp(in->bytes, word, n) == 0;
}

/* --- sources -------------------------------------------------------------------------------------------- */

struct reader {
    struct trod_constructs_builder *builder;
    struct trod_depends_builder *depends;
    uint32_t nread;
};

static bool take_constructs(struct cli *cli, const struct cli_unit *unit,
    struct trod_text *text, const char *failure, void *ctx)
{
    struct reader *r = ctx;

    if (failure) {
        cli_note(cli, "%s: %s", unit->file, failure);
        return true;
    }
    r->nread++;
    return trod_constructs_add(r->builder, text, &cli->err);
}

/* Reads hashes and, if needed, dependences. Both are in the same text, which is read twice. */
static bool take_code(struct cli *cli, const struct cli_unit *unit,
    struct trod_text *text, const char *failure, void *ctx)
{
    struct reader *r = ctx;
    struct trod_text again = *text;

    if (failure) {
        cli_note(cli, "%s: %s", unit->file, failure);
        return true;
    }
    return trod_constructs_add_code(r->builder, text, &cli->err) &&
           (!r->depends || trod_depends_add(r->depends, &again, &cli->err));
}

/* Functions whose meanings are in the map need not be compiled. */
static bool add_meanings(struct cli *cli, struct reader *r, const struct trod_map *map)
{
    struct trod_string text;
    struct trod_text cursor;

    trod_string_init(&text, &cli->mem);
    trod_put(&text.sink, "code map\n");
    for (uint32_t i = 0; i < map->nentry; i++) {
        const struct trod_map_entry *e = &map->entry[i];

        if (!e->meaning || e->nframe)
            continue;
        trod_put(&text.sink, "function ");
        trod_put_name(&text.sink, e->name);
        trod_put(&text.sink, " ");
        trod_put_name(&text.sink, trod_flow_file(e));
        trod_put(&text.sink, " 0 meaning %016" PRIx64 " shape %016" PRIx64 "\n",
            e->meaning, UINT64_C(0));
    }
    trod_text_init(&cursor, ".trod.map", text.text, text.length);
    return trod_constructs_add_code(r->builder, &cursor, &cli->err);
}

static bool read_sources(struct cli *cli, struct cli_migrate_version *out,
    const struct cli_migrate_wants *wants)
{
    struct cli_version version;
    struct reader r = {0};
    bool compile = wants->shape || wants->depends || !out->has_map;

    if (!cli_version_find(cli, &version, out->name, NULL))
        return false;
    r.builder = trod_constructs_begin(out->name, &cli->mem);
    if (wants->depends)
        r.depends = trod_depends_begin(&cli->mem);
    if (!cli_version_read(cli, &version, "constructs", take_constructs, &r))
        return false;
    if (!r.nread)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: none of its %" PRIu32 " units could be read", out->name,
            version.count);
    if (compile && !cli_version_read(cli, &version, wants->depends ? "depends" : "code",
                       take_code, &r))
        return false;
    if (!compile && !add_meanings(cli, &r, &out->map))
        return false;
    for (uint32_t i = 0; i < version.nnote; i++)
        cli_note(cli, "%s: %s", out->name, version.note[i]);
    trod_constructs_build(&out->constructs, r.builder);
    if (r.depends)
        trod_depends_build(&out->depends, r.depends);
    out->has_constructs = true;
    out->has_depends = r.depends;
    return true;
}

/* Sources are read if possible; for some methods the map alone suffices. */
static bool may_read_sources(struct cli *cli, struct cli_migrate_version *out,
    const struct cli_migrate_wants *wants)
{
    if (!wants->constructs || read_sources(cli, out, wants))
        return true;
    if (!out->has_map || wants->must)
        return false;
    cli_note(cli, "%s; functions are compared by the map instead", cli->err.text);
    cli->err = (struct trod_err){0};
    return true;
}

bool cli_migrate_version_read(struct cli *cli, struct cli_migrate_version *out,
    const char *what, const struct cli_migrate_wants *wants)
{
    struct cli_bytes in;
    struct stat status;

    *out = (struct cli_migrate_version){.name = what};
    if (stat(what, &status) == 0 && S_ISREG(status.st_mode)) {
        if (!cli_in_bytes(cli, &in, what, &cli->mem))
            return false;
        if (begins(&in, "constructs ")) {
            struct trod_text text;

            trod_text_init(&text, in.name, in.bytes, in.length);
            out->has_constructs = true;
            return trod_constructs_parse(&out->constructs, &text, &cli->mem, &cli->err);
        }
        if (begins(&in, "\177ELF"))
            return read_map(cli, out) && may_read_sources(cli, out, wants);
    }
    return may_read_sources(cli, out, wants);
}
