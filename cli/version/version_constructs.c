#include "input/input.h"
#include "version/versions.h"

#include <string.h>

/* The constructs of a version: from its sources, or from their text form. */

static bool add_note(
    struct cli *cli, struct trod_constructs_builder *builder, const char *note)
{
    struct trod_string text;
    struct trod_text in;

    trod_string_init(&text, &cli->mem);
    trod_put(&text.sink, "constructs note\nnote ");
    trod_put_name(&text.sink, note);
    trod_put(&text.sink, "\n");
    trod_text_init(&in, "a note", text.text, text.length);
    return trod_constructs_add(builder, &in, &cli->err);
}

static bool take_unit(struct cli *cli, const struct cli_unit *unit,
    struct trod_text *text, const char *failure, void *ctx)
{
    char *note;

    if (!failure)
        return trod_constructs_add(ctx, text, &cli->err);
    note = trod_format(&cli->mem, "%s: it could not be read: %s", unit->file, failure);
    return add_note(cli, ctx, note);
}

/* Add hashes of code. The unit is compiled for this. */
static bool take_code(struct cli *cli, const struct cli_unit *unit,
    struct trod_text *text, const char *failure, void *ctx)
{
    char *note;

    if (!failure)
        return trod_constructs_add_code(ctx, text, &cli->err);
    note = trod_format(&cli->mem, "%s: the meaning of its functions is unknown: %s",
        unit->file, failure);
    return add_note(cli, ctx, note);
}

bool cli_constructs_of(struct cli *cli, struct trod_constructs *out,
    const struct cli_version *version, bool meaning)
{
    struct trod_constructs_builder *builder =
        trod_constructs_begin(version->name, &cli->mem);

    for (uint32_t i = 0; i < version->nnote; i++)
        if (!add_note(cli, builder, version->note[i]))
            return false;
    if (!cli_version_read(cli, version, "constructs", take_unit, builder) ||
        (meaning && !cli_version_read(cli, version, "code", take_code, builder)))
        return false;
    trod_constructs_build(out, builder);
    return true;
}

/* Is it the text form? */
static bool is_text(const struct cli_bytes *in)
{
    static const char head[] = "constructs ";

    return in->length >= sizeof head - 1 &&
           memcmp(in->bytes, head, sizeof head - 1) == 0;
}

static bool read_text(
    struct cli *cli, struct trod_constructs *out, const char *name, bool *is)
{
    struct cli_bytes in;
    struct trod_text text;
    size_t length = strlen(name);

    *is = strcmp(name, "-") == 0 ||
          (length > 11 && strcmp(name + length - 11, ".constructs") == 0);
    if (!*is)
        return true;
    if (!cli_in_bytes(cli, &in, name, &cli->mem))
        return false;
    if (!is_text(&in))
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s:1: expected constructs, as 'trod version constructs --text' prints them",
            in.name);
    trod_text_init(&text, in.name, in.bytes, in.length);
    return trod_constructs_parse(out, &text, &cli->mem, &cli->err);
}

bool cli_constructs_read(struct cli *cli, struct trod_constructs *out, const char *name,
    const char *root, bool meaning)
{
    struct cli_version version;
    bool is;

    if (!read_text(cli, out, name, &is) ||
        (!is && (!cli_version_find(cli, &version, name, root) ||
                    !cli_constructs_of(cli, out, &version, meaning))))
        return false;
    return (!cli->options.check && !TROD_CHECKED) ||
           trod_constructs_check(out, &cli->err);
}

void cli_constructs_note(struct cli *cli, const struct trod_constructs *of)
{
    for (uint32_t i = 0; i < of->nnote; i++)
        cli_note(cli, "%s: %s", of->name, of->note[i]);
}
