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

/* Lists are kept as texts; profiles are added up. */
static bool add_file(
    struct cli_chosen *out, struct cli *cli, struct cli_sum *sum, const char *path)
{
    struct cli_profiles profiles;
    struct trod_text text;
    struct cli_bytes in;
    bool ok;

    if (!cli_in_open(cli, &in, path, &sum->batch_mem))
        return false;
    trod_text_init(&text, in.name, in.in_pieces ? "" : in.bytes, in.length);
    if (trod_list_begins(&text, &cli->mem)) {
        trod_text_init(
            &text, in.name, trod_copy_text(&cli->mem, in.bytes, in.length), in.length);
        return add_list(out, cli, &text);
    }
    out->nprofile = 1;
    ok = cli_profiles_take(&profiles, cli, &in) && cli_sum_take(sum, cli, &profiles);
    cli_in_close(&in);
    return ok;
}

static bool add_files(struct cli_chosen *out, struct cli *cli, struct cli_sum *sum,
    const struct cli_list *files)
{
    struct cli_skips skips = {.of = files->count};

    if (!files->count && !add_file(out, cli, sum, "-"))
        return false;
    for (uint32_t i = 0; i < files->count; i++)
        if (!add_file(out, cli, sum, files->item[i]) && !cli_skips_take(&skips, cli))
            return false;
    return !skips.count || cli_skips_end(&skips, cli);
}

bool cli_chosen_read(
    struct cli_chosen *out, struct cli *cli, const struct cli_list *files)
{
    const struct trod_profile **one =
        trod_new(&cli->mem, const struct trod_profile *, 1);
    struct trod_profile *all = trod_new(&cli->mem, struct trod_profile, 1);
    struct cli_list each;
    struct cli_sum sum;
    bool ok;

    *out = (struct cli_chosen){.profile = one};
    if (!cli_profiles_list(&each, cli, files))
        return false;
    cli_sum_begin(&sum, cli, true);
    ok = add_files(out, cli, &sum, &each) && cli_sum_end(all, &sum, cli);
    cli_sum_drop(&sum);
    *one = all;
    return ok;
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
