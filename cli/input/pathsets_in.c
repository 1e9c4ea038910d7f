#include "commands.h"
#include "look/look.h"
#include "output/output.h"

#include <string.h>

static bool add_list(struct cli_chosen *out, struct cli *cli, struct trod_text *text)
{
    struct trod_list list;

    out->nlist++;
    if (!trod_list_parse(&list, text, &cli->mem, &cli->err))
        return false;
    if (!list.nfunction)
        cli_note(cli, "%s: the list is empty", text->file);
    return trod_list_combine(
        &out->list, TROD_LIST_UNION, &out->list, &list, &cli->mem, &cli->err);
}

static bool add_profiles(
    struct cli_chosen *out, struct cli *cli, const struct cli_bytes *in)
{
    struct cli_profiles profiles;

    if (!cli_profiles_take(&profiles, cli, in))
        return false;
    for (uint32_t i = 0; i < profiles.count; i++) {
        trod_push(
            &cli->mem, out->profile, out->nprofile, out->room, &profiles.profile[i]);
    }
    return true;
}

static bool add_file(struct cli_chosen *out, struct cli *cli, const char *path)
{
    struct trod_text text;
    struct cli_bytes in;

    if (!cli_in_bytes(cli, &in, path, &cli->mem))
        return false;
    trod_text_init(&text, in.name, in.bytes, in.length);
    return trod_list_begins(&text, &cli->mem) ? add_list(out, cli, &text)
                                              : add_profiles(out, cli, &in);
}

bool cli_chosen_read(
    struct cli_chosen *out, struct cli *cli, const struct cli_list *files)
{
    struct cli_skips skips = {0};
    struct cli_list each;

    *out = (struct cli_chosen){0};
    if (!cli_profiles_list(&each, cli, files) ||
        (!each.count && !add_file(out, cli, "-")))
        return false;
    skips.of = each.count;
    for (uint32_t i = 0; i < each.count; i++)
        if (!add_file(out, cli, each.item[i]) && !cli_skips_take(&skips, cli))
            return false;
    if (!skips.count)
        return true;
    if (!cli_skips_end(&skips, cli))
        return false;
    trod_push(&cli->mem, out->profile, out->nprofile, out->room,
        cli_skips_noted(cli, &cli->mem));
    return true;
}

bool cli_chosen_maps(struct trod_map *out, struct cli *cli, struct cli_chosen *chosen)
{
    struct trod_profile_merge_options options = {0};

    return trod_profile_merge(&chosen->sum, chosen->profile, chosen->nprofile, &options,
               &cli->mem, &cli->err) &&
           trod_profile_check_counts(&chosen->sum, &cli->err) &&
           cli_maps_read(cli, out, &chosen->sum);
}

void cli_chosen_remarks(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map)
{
    struct trod_report_options options;

    cli_report_options(&options, cli);
    if (cli->options.form == CLI_JSON)
        trod_report_remarks_json(&cli->json, profile, map, &options, &cli->mem);
    else
        trod_report_remarks(&cli->out.sink, profile, map, &options, &cli->mem);
}

void cli_chosen_notes(struct cli *cli, const struct cli_chosen *chosen)
{
    for (uint32_t i = 0; i < chosen->nprofile; i++) {
        for (uint32_t k = 0; k < chosen->profile[i]->nnote; k++)
            cli_note(cli, "%s", chosen->profile[i]->note[k]);
        if (!trod_profile_is_whole(chosen->profile[i]))
            cli_note(cli, "only some paths are counted; 'trod show' prints which");
    }
}

bool cli_chosen_list(struct trod_list *out, struct cli *cli,
    const struct cli_chosen *chosen, const struct trod_map *map)
{
    struct trod_list list;
    struct trod_ran ran;

    if (!trod_ran_build(&ran, chosen->profile, chosen->nprofile, &cli->mem, &cli->err))
        return false;
    trod_list_ran(&list, &ran, map, &cli->mem);
    return trod_list_combine(
               out, TROD_LIST_UNION, &list, &chosen->list, &cli->mem, &cli->err) &&
           (!TROD_CHECKED || trod_list_check(out, &cli->err));
}

size_t cli_chosen_complain(struct cli *cli, const struct trod_list *list,
    const struct trod_list_match *match, unsigned fates)
{
    size_t n = 0;

    for (size_t i = 0; i < list->nfunction; i++) {
        enum trod_list_fate fate = (enum trod_list_fate)match->fate_of_function[i];
        struct trod_string name;

        if (!(fates >> fate & 1))
            continue;
        trod_string_init(&name, &cli->mem);
        if (strcmp(list->function[i].name, "?") == 0)
            trod_put(&name.sink, "?%016llx",
                (unsigned long long)list->function[i].function.name);
        else
            trod_put_name(&name.sink, list->function[i].name);
        cli_note(cli, "%s: %s", name.text, trod_fate_words(fate));
        n++;
    }
    return n;
}

bool cli_no(struct cli *cli, const char *format, ...)
{
    va_list args;

    if (!cli_out_write(cli))
        return false;
    va_start(args, format);
    cli->exit = CLI_NO;
    trod_err_set_at(&cli->err, TROD_E_INPUT, NULL, 0, format, args);
    va_end(args);
    return false;
}
