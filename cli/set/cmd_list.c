#include "commands.h"
#include "output/output.h"
#include "test/verdict.h"

#include <inttypes.h>
#include <string.h>

static bool combine(struct trod_list *list, struct cli *cli, enum trod_list_op op,
    const struct cli_list *files, const struct trod_map *map)
{
    for (uint32_t i = 0; i < files->count; i++) {
        const struct cli_list one = {.item = &files->item[i], .count = 1};
        struct cli_chosen chosen;
        struct trod_list other;

        if (!cli_chosen_read(&chosen, cli, &one) ||
            !cli_chosen_list(&other, cli, &chosen, map) ||
            !trod_list_combine(list, op, list, &other, &cli->mem, &cli->err))
            return false;
        cli_chosen_notes(cli, &chosen);
    }
    return true;
}

/* Does the list belong to the named program? */
static bool match(struct trod_list *list, struct cli *cli, const struct trod_map *map)
{
    unsigned stale =
        1u << TROD_FATE_CUT | 1u << TROD_FATE_CHANGED | 1u << TROD_FATE_VANISHED;
    struct trod_profile_function *known;
    size_t nknown = trod_known_map(&known, map, &cli->mem), n;
    struct trod_list_match found;

    trod_list_match(&found, list, known, nknown, &cli->mem);
    n = cli_chosen_complain(cli, list, &found, stale);
    if (n && !cli->options.partial)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "the list belongs to another program or build: %zu of its %zu functions are missing "
            "or changed; make a new list from a profile of this build, or keep unchanged "
            "functions with --partial",
            n, list->nfunction);
    trod_list_keep(list, list, &found, &cli->mem);
    return true;
}

static void put(
    struct cli *cli, const struct trod_list *list, const struct trod_map *map)
{
    if (!list->nfunction)
        cli_note(cli, "the list is empty");
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_list_json(&cli->json, "list", list, map, &cli->mem);
        trod_json_close(&cli->json, '}');
    } else {
        trod_list_print(&cli->out.sink, list, map);
    }
}

bool cli_list(struct cli *cli)
{
    struct cli_options *o = &cli->options;
    struct cli_chosen chosen;
    struct trod_list list;
    struct trod_map map;

    if (o->partial && !o->binary.count)
        return cli_misused(cli, "--partial needs --binary=PROGRAM");
    if (!cli_chosen_read(&chosen, cli, &o->file) ||
        !cli_chosen_maps(&map, cli, &chosen) ||
        !cli_chosen_list(&list, cli, &chosen, &map) ||
        !combine(&list, cli, TROD_LIST_AND, &o->both, &map) ||
        !combine(&list, cli, TROD_LIST_MINUS, &o->minus, &map))
        return false;
    cli_chosen_notes(cli, &chosen);
    if (o->function)
        trod_list_choose(&list, &list, cli_report_wants,
            trod_copy(&cli->mem, o->function), &cli->mem);
    if (o->binary.count && !match(&list, cli, &map))
        return false;
    put(cli, &list, &map);
    return true;
}
