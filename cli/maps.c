#include "cli.h"

#include <string.h>

#include "elf/section.h"

/* Add a binary's map to the text of all maps. A binary that is gone, or has been built anew,
 * costs names and no more.
 */
static bool add_map(
    struct cli *cli, struct trod_string *maps, const char *file, const char *build_id)
{
    char *bytes, *id;
    size_t length;

    if (!trod_elf_build_id(&id, file, &cli->mem, &cli->err) ||
        !trod_elf_section(&bytes, &length, file, ".trod.map", &cli->mem, &cli->err))
        return false;
    if (build_id && strcmp(id, build_id) != 0)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "%s: this is another build than the one that ran; name that with --binary",
            file);
    if (!length)
        return trod_fail(&cli->err, TROD_E_INPUT,
            "%s: it was not compiled by trod, or its section .trod.map was stripped off",
            file);
    maps->sink.put(&maps->sink, bytes, length);
    return true;
}

bool cli_maps_read(
    struct cli *cli, struct trod_map *out, const struct trod_profile *profile)
{
    const struct cli_list *binary = &cli->options.binary;
    struct trod_string maps;
    struct trod_text text;

    trod_string_init(&maps, &cli->mem);
    for (uint32_t i = 0; i < binary->count; i++)
        if (!add_map(cli, &maps, binary->item[i], NULL))
            return false;
    for (uint32_t i = 0; !binary->count && i < profile->nmodule; i++) {
        const struct trod_profile_module *m = &profile->module[i];

        if (!add_map(cli, &maps, m->path, m->build_id))
            cli_note(cli, "%s", cli->err.text);
    }
    trod_text_init(&text, ".trod.map", maps.text, maps.length);
    return trod_map_parse(out, &text, &cli->mem, &cli->err);
}
