#include "version_read.h"
#include "versions.h"

#include <string.h>
#include <sys/stat.h>

#include "elf/section.h"

/* The program's own map; false: it has none. */
static bool read_map(struct cli *cli, struct cli_version *out)
{
    char *bytes, *id;
    size_t length;
    struct trod_text text;

    if (!trod_elf_build_id(&id, out->name, &cli->mem, &cli->err) ||
        !trod_elf_section(
            &bytes, &length, out->name, ".trod.map", &cli->mem, &cli->err))
        return false;
    if (!length)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: it has no map: it was not compiled by 'trod cc', or stripped; name what "
            "'trod split' wrote",
            out->name);
    trod_string_init(&out->map_text, &cli->mem);
    out->map_text.sink.put(&out->map_text.sink, bytes, length);
    out->path = out->name;
    out->build_id = id;
    out->has_map = true;
    trod_text_init(&text, ".trod.map", out->map_text.text, out->map_text.length);
    return trod_map_parse(&out->map, &text, &cli->mem, &cli->err);
}

static bool begins(const struct cli_bytes *in, const char *word)
{
    size_t n = strlen(word);

    return in->length >= n && memcmp(in->bytes, word, n) == 0;
}

static bool parse_constructs(
    struct cli *cli, struct cli_version *out, const struct cli_bytes *in)
{
    struct trod_text text;

    trod_text_init(&text, in->name, in->bytes, in->length);
    out->has_constructs = true;
    return trod_constructs_parse(&out->constructs, &text, &cli->mem, &cli->err);
}

/* Sources may be gone: hashes in the map have to do, then. */
static bool read_sources(struct cli *cli, struct cli_version *out, bool depends)
{
    if (cli_version_constructs(cli, &out->constructs, depends ? &out->depends : NULL,
            out->name, cli->options.root)) {
        out->has_constructs = true;
        out->has_depends = depends;
        return true;
    }
    if (!out->has_map || depends)
        return false;
    cli_note(cli, "%s; what it is made of is told by its map alone", cli->err.text);
    cli->err = (struct trod_err){0};
    return true;
}

bool cli_version_read(
    struct cli *cli, struct cli_version *out, const char *what, bool depends)
{
    struct cli_bytes in;
    struct stat status;

    *out = (struct cli_version){.name = what};
    if (stat(what, &status) == 0 && S_ISREG(status.st_mode)) {
        if (!cli_in_bytes(cli, &in, what, &cli->mem))
            return false;
        if (begins(&in, "constructs "))
            return parse_constructs(cli, out, &in);
        if (begins(&in, "\177ELF") && !read_map(cli, out))
            return false;
    }
    return read_sources(cli, out, depends);
}
