#include "commands.h"
#include "look/look.h"
#include "output/output.h"

/* Two versions of a program share most function names; two different programs share little more than main. */
static bool belong_together(struct cli *cli, const struct trod_profile_diff *diff)
{
    size_t na = 0, nb = 0, common = 0, fewer;

    for (size_t i = 0; i < diff->nfunction; i++) {
        const struct trod_diff_function *f = &diff->function[i];

        na += f->in_a;
        nb += f->in_b;
        common += f->in_a && (f->in_b || f->kind == TROD_DIFF_CHANGED);
    }
    fewer = na < nb ? na : nb;
    return 2 * common > fewer || !fewer ||
           trod_fail(&cli->err, TROD_E_MISMATCH,
               "%s and %s are of different programs: of %zu functions of one, the other has %zu; "
               "compare profiles of the same program, or add --force",
               cli->options.file.item[0], cli->options.file.item[1], fewer, common);
}

/* --- times ------------------------------------------------------------------------------------- */

struct compared {
    const struct trod_profile *a, *b;
    const struct trod_profile_diff *diff;
    const struct trod_map *map;
    const struct trod_report_options *options;
};

static bool read_times(struct trod_times *out, struct cli *cli,
    const struct trod_profile *profile, const char *name)
{
    if (!cli_is_timed(cli, "--sort=time", profile, name))
        return false;
    trod_times_build(out, profile, &cli->mem);
    if (!out->ticks)
        return trod_fail(&cli->err, TROD_E_MISMATCH,
            "--sort=time: '%s' does not tell how fast its clock is, because the program "
            "ended too early; let it run longer",
            name);
    return true;
}

static bool compare_times(struct cli *cli, const struct compared *with)
{
    struct trod_times a, b;

    if (!read_times(&a, cli, with->a, cli->options.file.item[0]) ||
        !read_times(&b, cli, with->b, cli->options.file.item[1]))
        return false;
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_report_compare_times_json(&cli->json, "times", with->diff, &a, &b,
            with->map, with->options, &cli->mem);
        trod_json_close(&cli->json, '}');
    } else {
        trod_report_compare_times(
            &cli->out.sink, with->diff, &a, &b, with->map, with->options, &cli->mem);
    }
    return true;
}

bool cli_diff(struct cli *cli)
{
    struct trod_report_options options;
    struct cli_text text;
    const struct cli_list *file = &cli->options.file;
    struct trod_profile_merge_options merge = {0};
    struct cli_list one = {.count = 1};
    struct trod_profile a, b, both;
    struct trod_profile_diff diff;
    struct trod_map map;

    if (file->count != 2)
        return cli_misused(cli, "expected two profiles; name both");
    one.item = file->item;
    if (!cli_profiles_sum(&a, cli, &one))
        return false;
    one.item = file->item + 1;
    if (!cli_profiles_sum(&b, cli, &one) ||
        !trod_profile_diff(&diff, &a, &b, &cli->mem, &cli->err) ||
        !trod_profile_merge(&both, (const struct trod_profile *[]){&a, &b}, 2, &merge,
            &cli->mem, &cli->err) ||
        !cli_maps_read(cli, &map, &both))
        return false;
    cli_code_choose(cli, &map);
    if (!cli->options.force && !belong_together(cli, &diff))
        return false;
    cli_report_options(&options, cli);
    if (options.metric)
        return cli_misused(cli, "--sort=%s: only times are compared; use --sort=time",
            trod_meter_name(options.metric));
    cli_report_text(&options, &text, cli, &both, &map);
    if (options.sort == TROD_SORT_TIME)
        return compare_times(cli, &(struct compared){&a, &b, &diff, &map, &options});
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_report_compare_json(&cli->json, "diff", &diff, &map, &options, &cli->mem);
        trod_json_close(&cli->json, '}');
    } else {
        trod_report_compare(&cli->out.sink, &diff, &map, &options, &cli->mem);
    }
    return true;
}
