#include "input/input.h"
#include "sample/subpaths.h"
#include "stage/subject.h"
#include "base/order.h"

#include <string.h>

#include "trod/format.h"

/* --- block numbers of traces ----------------------------------------------------------------------- */

/* The MODULE section with the functions that have blocks; NULL: missing. The file has been validated before. */
static const char *find_module(
    const struct cli_bytes *in, struct trod_format_module *module)
{
    struct trod_format_header header;
    struct trod_format_head head;

    if (in->length < sizeof header)
        return NULL;
    memcpy(&header, in->bytes, sizeof header);
    if (header.kind != TROD_FORMAT_LIVE)
        return NULL;
    for (size_t at = (size_t)header.first;
        at < in->length && in->length - at >= sizeof head + sizeof *module;
        at += TROD_FORMAT_PAGE) {
        memcpy(&head, in->bytes + at, sizeof head);
        if (head.magic != TROD_SECTION_MAGIC || head.type != TROD_SECTION_MODULE)
            continue;
        memcpy(module, in->bytes + at + sizeof head, sizeof *module);
        if (module->mode == TROD_MODE_BLOCKS &&
            module->nfunction <= (in->length - at - sizeof head - sizeof *module) /
                                     sizeof(struct trod_format_function))
            return in->bytes + at + sizeof head + sizeof *module;
    }
    return NULL;
}

static bool list_places(
    struct cli_block_names *n, const struct cli_bytes *in, struct trod_err *err)
{
    const struct trod_profile_terminals *terminals = &n->module.terminals;
    struct trod_format_module module;
    const char *at = find_module(in, &module);

    if (!at || module.nfunction != terminals->nfunction)
        return trod_fail(err, TROD_E_MISMATCH,
            "%s: it has no block numbers of the trace; name the profile of the run that wrote "
            "the trace",
            in->name);
    n->place = trod_new(n->blocks.mem, struct cli_place, module.nfunction);
    for (uint32_t f = 0; f < module.nfunction; f++) {
        struct trod_format_function function;

        memcpy(&function, at + f * sizeof function, sizeof function);
        n->place[f] = (struct cli_place){.counter = function.counter,
            .first = terminals->first_of_function[f],
            .npath = function.npath};
    }
    n->nplace = module.nfunction;
    return true;
}

static bool find_block(
    trod_block *out, const struct cli_block_names *n, uint32_t number)
{
    uint32_t from;
    const struct cli_place *place;

    from = TROD_LOWER_BOUND(middle, 0, n->nplace, n->place[middle].counter <= number);
    if (!from)
        return false;
    place = &n->place[from - 1];
    return number - place->counter < place->npath &&
           trod_online_blocks_find(
               out, &n->module, place->first + (number - place->counter));
}

/* --- names ------------------------------------------------------------------------------------------ */

/* The only module that has blocks. */
static const struct trod_profile_module *module_of(
    const struct trod_profile *profile, struct cli *cli, const char *name)
{
    const struct trod_profile_module *found = NULL;

    for (uint32_t m = 0; m < profile->nmodule; m++) {
        if (profile->module[m].mode != TROD_MODE_BLOCKS)
            continue;
        if (found) {
            trod_err_set(&cli->err, TROD_E_MISMATCH,
                "%s: it has blocks of several modules, which a trace cannot distinguish",
                name);
            return NULL;
        }
        found = &profile->module[m];
    }
    if (!found)
        trod_err_set(&cli->err, TROD_E_MISMATCH,
            "%s: it has no blocks; compile with 'trod cc --online'", name);
    return found;
}

bool cli_block_names_open(struct cli_block_names *out, struct cli *cli,
    const char *profile, enum trod_sample_identity identity)
{
    /* Makes callers reserve room for the longest subpath. */
    static const struct trod_online_subpath longest = {.length = TROD_EVERY_LONGEST};
    const struct trod_profile_module *module;
    struct cli_profiles in;
    struct cli_bytes bytes;
    struct trod_map *map = trod_new(&cli->mem, struct trod_map, 1);

    *out = (struct cli_block_names){.cli = cli, .identity = identity};
    if (!cli_in_bytes(cli, &bytes, profile, &cli->mem) ||
        !cli_profiles_take(&in, cli, &bytes))
        return false;
    module = module_of(&in.profile[0], cli, profile);
    trod_online_blocks_init(&out->blocks, &cli->mem);
    if (!module ||
        !trod_online_blocks_add(&out->module, &out->blocks, module, &cli->err) ||
        !list_places(out, &bytes, &cli->err) ||
        !cli_maps_read(cli, map, &in.profile[0]))
        return false;
    out->subpaths = (struct trod_subpaths){.name = module->path,
        .blocks = &out->blocks,
        .identity = identity,
        .nsubpath = 1,
        .subpath = &longest,
        .exact = true};
    trod_online_names(&out->names, &out->subpaths, map, &cli->mem);
    out->room = trod_new(&cli->mem, trod_block, (size_t)2 * TROD_EVERY_LONGEST);
    return true;
}

const char *cli_block_names_put(
    struct cli_block_names *names, const uint32_t *block, uint32_t n)
{
    struct trod_online_subpath subpath = {.length = n, .block = names->room};
    struct trod_string text;

    for (uint32_t i = 0; i < n; i++) {
        if (!find_block(&names->room[i], names, block[i]))
            return NULL;
        names->room[i + n] = names->room[i];
    }
    /* With other block numbers, another rotation may be the least. */
    if (names->identity == TROD_SAMPLE_ROTATION)
        subpath.block += trod_online_rotation(names->room, n);
    trod_string_init(&text, &names->cli->mem);
    trod_subpath_print(&text.sink, &names->names, &subpath, names->cli->options.blocks);
    return text.text;
}
