#include "commands.h"
#include "look/look.h"
#include "option_tables.h"
#include "output/output.h"
#include "sample/sampled.h"
#include "test/verdict.h"

#include <fnmatch.h>
#include <string.h>

#include "cxx/demangle.h"

bool cli_report_wants(const char *function, void *glob)
{
    return fnmatch(glob, function, 0) == 0 || trod_cxx_matches(function, glob);
}

/* Of a word of --sort; those after "time" are metrics. */
static enum trod_meter_kind metric_of(int sort)
{
    for (uint32_t m = TROD_METER_TIME + 1; sort - 1 > TROD_SORT_TIME && m < TROD_METERS;
        m++) {
        const char *name = trod_meter_name(m);

        if (name && strcmp(name, cli_sort_words[sort - 1].name) == 0)
            return (enum trod_meter_kind)m;
    }
    return TROD_METER_TIME;
}

static enum trod_report_sort order_of(int sort)
{
    if (!sort)
        return TROD_SORT_COUNT;
    return sort - 1 < TROD_SORT_TIME ? (enum trod_report_sort)(sort - 1)
                                     : TROD_SORT_TIME;
}

void cli_report_options(struct trod_report_options *out, struct cli *cli)
{
    const struct cli_options *o = &cli->options;

    *out = (struct trod_report_options){.most = o->most,
        .quiet = o->quiet,
        .blocks = o->blocks,
        .sort = order_of(o->sort),
        .metric = metric_of(o->sort),
        .group = o->group ? (enum trod_report_group)(o->group - 1) : TROD_GROUP_NONE};
    if (o->function) {
        out->wants = cli_report_wants;
        out->ctx = trod_copy(&cli->mem, o->function);
    }
    cli_style(&out->style, cli);
}

bool cli_is_timed(struct cli *cli, const char *option,
    const struct trod_profile *profile, const char *name)
{
    if (!name)
        name = profile->nmodule ? profile->module[0].path : "?";
    return trod_profile_has_times(profile) ||
           trod_fail(&cli->err, TROD_E_MISMATCH,
               "%s: no path of '%s' was timed; compile the program with 'trod cc "
               "--burst=types=paths+time'",
               option, name);
}

/* Is the name among those before end, "cycles, branches"? */
static bool is_named(const char *text, const char *end, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = text; at && at < end; at = strchr(at, ' '), at += at != NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at + length == end))
            return true;
    return false;
}

/* Why a metric was refused, or that it was not asked for. */
static bool is_metered(
    struct cli *cli, const struct trod_profile *profile, enum trod_meter_kind metric)
{
    static const char key[] = "unmetered ";
    const char *name = cli_sort_words[cli->options.sort - 1].name;

    if (trod_profile_metrics(profile) >> metric & 1)
        return true;
    for (uint32_t i = 0; i < profile->nnote; i++) {
        const char *note = profile->note[i], *why = strchr(note, ':');

        if (strncmp(note, key, sizeof key - 1) == 0 && why &&
            is_named(note + sizeof key - 1, why, name))
            return trod_fail(&cli->err, TROD_E_MISMATCH,
                "--sort=%s: it was not counted%s", name, why);
    }
    return trod_fail(&cli->err, TROD_E_MISMATCH,
        "--sort=%s: '%s' did not count it; compile the program with 'trod cc "
        "--burst=types=paths,metrics=%s'",
        name, profile->nmodule ? profile->module[0].path : "?", name);
}

bool cli_report_can(struct cli *cli, const struct trod_profile *profile)
{
    enum trod_meter_kind metric = metric_of(cli->options.sort);

    if (order_of(cli->options.sort) != TROD_SORT_TIME)
        return true;
    return metric ? is_metered(cli, profile, metric)
                  : cli_is_timed(cli, "--sort=time", profile, NULL);
}

/* --- the report ------------------------------------------------------------------------------------------- */

void cli_report_text(struct trod_report_options *options, struct cli_text *text,
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map)
{
    options->detailed =
        cli->options.form != CLI_JSON && !cli->options.brief && !options->group;
    if ((options->detailed && !options->blocks) || options->conditions)
        options->text = cli_text_open(text, cli, profile, map);
}

void cli_report_put(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map)
{
    struct trod_report_options options;
    struct cli_text text;

    cli_report_options(&options, cli);
    options.no_single = !cli->options.all_paths && !cli->options.function;
    options.lines = cli->options.verbose;
    options.conditions = cli->options.conditions || cli->options.verbose;
    cli_report_text(&options, &text, cli, profile, map);
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_report_json(&cli->json, "report", profile, map, &options, &cli->mem);
        trod_json_close(&cli->json, '}');
    } else {
        trod_report_print(&cli->out.sink, profile, map, &options, &cli->mem);
    }
}

/* Print the listed paths as input of the next build. */
static bool put_list(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map)
{
    struct trod_report_options options;
    struct trod_list list;

    cli_report_options(&options, cli);
    if (options.group)
        return cli_misused(cli, "--list and --group cannot be combined");
    if (options.sort == TROD_SORT_TIME)
        return cli_misused(cli, "--list and --sort=%s cannot be combined",
            trod_meter_name(options.metric));
    trod_list_report(&list, profile, map, &options, &cli->mem);
    if (!list.nfunction)
        cli_note(cli, "the list is empty: no path was selected");
    if (cli->options.form == CLI_JSON) {
        cli_json_begin(cli);
        trod_list_json(&cli->json, "list", &list, map, &cli->mem);
        trod_json_close(&cli->json, '}');
    } else {
        trod_list_print(&cli->out.sink, &list, map);
    }
    return true;
}

static bool report_samples(
    struct cli *cli, const struct trod_profile *profile, const struct trod_map *map)
{
    const struct cli_options *o = &cli->options;

    if (o->list || o->sort || o->group)
        return cli_misused(cli,
            "blocks were sampled and paths were not counted, so --list, --sort and --group do "
            "not apply; use 'trod sample subpaths'");
    return cli_subpaths_put_sampled(cli, profile, map);
}

bool cli_report(struct cli *cli)
{
    struct trod_profile profile;
    struct trod_map map;

    if (!cli_profiles_sum(&profile, cli, &cli->options.file) ||
        !cli_maps_read(cli, &map, &profile))
        return false;
    cli_code_choose(cli, &map);
    if (trod_profile_has_samples(&profile))
        return report_samples(cli, &profile, &map);
    if (cli->options.list)
        return put_list(cli, &profile, &map);
    if (!cli_report_can(cli, &profile))
        return false;
    cli_report_put(cli, &profile, &map);
    return true;
}
